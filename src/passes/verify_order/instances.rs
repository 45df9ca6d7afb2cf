// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From what each rank issues to instances of collectives: the n-th collective that the members of a group issue on it.
//!
//! Members must agree on every instance, and the union of all ranks' orders on instances must have no cycle. O(events)
//! for both, but for sorting the groups; a cycle is reported as a shortest one through its first instance.

use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    rc::Rc,
};

use petgraph::{
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
    visit::EdgeRef,
};

use crate::{
    collective::{Collective, is_wait},
    diagnostics,
    mlir::{Op, PassResult},
};

/// What a rank does, as far as others wait for it.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// Issues a collective in a group.
    Issue { op: Op, group: Rc<[i64]> },
    /// Runs something that has been checked on its own, together with other ranks. Numbered by execution.
    Together { op: Op, number: usize },
}

impl Event {
    pub(super) fn op(&self) -> Op {
        match self {
            Self::Issue { op, .. } | Self::Together { op, .. } => *op,
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Issue { op, group } => format!("'{}' over {group:?}", op.name()),
            Self::Together { op, .. } => format!("'{}'", op.name()),
        }
    }
}

/// Events of each rank, in order of issue.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) traces: BTreeMap<usize, Vec<Event>>,
}

impl Scope {
    pub(super) fn push(&mut self, rank: usize, event: Event) {
        self.traces.entry(rank).or_default().push(event);
    }

    pub(super) fn append(&mut self, other: Scope) {
        for (rank, events) in other.traces {
            self.traces.entry(rank).or_default().extend(events);
        }
    }

    pub(super) fn of_rank(&self, rank: usize) -> &[Event] {
        self.traces.get(&rank).map(Vec::as_slice).unwrap_or_default()
    }

    /// Checks that the members of each group agree, and that nobody waits for himself.
    pub(super) fn check(&self, signatures: &mut Signatures) -> PassResult {
        let groups = self.by_group();
        for (members, sequences) in &groups {
            agree(members, sequences, signatures)?;
        }
        self.check_acyclic()
    }

    /// Issues of each group's members, whatever order the group lists them in.
    fn by_group(&self) -> BTreeMap<Vec<i64>, BTreeMap<usize, Vec<&Event>>> {
        let mut groups: BTreeMap<Vec<i64>, BTreeMap<usize, Vec<&Event>>> = BTreeMap::new();
        for (&rank, events) in &self.traces {
            for event in events {
                if let Event::Issue { group, .. } = event {
                    let sequences = groups.entry(sorted(group)).or_default();
                    sequences.entry(rank).or_default().push(event);
                }
            }
        }
        groups
    }

    fn check_acyclic(&self) -> PassResult {
        let mut graph: DiGraph<(), (usize, &Event, &Event)> = DiGraph::new();
        let mut groups: HashMap<Vec<i64>, usize> = HashMap::new();
        let mut nodes: HashMap<(usize, usize, bool), NodeIndex> = HashMap::new();
        let mut edges: HashSet<(NodeIndex, NodeIndex)> = HashSet::new();
        for (&rank, events) in &self.traces {
            let mut ordinals: HashMap<usize, usize> = HashMap::new();
            let mut previous: Option<(NodeIndex, &Event)> = None;
            for event in events {
                let key = match event {
                    Event::Issue { group, .. } => {
                        let count = groups.len();
                        let group = *groups.entry(sorted(group)).or_insert(count);
                        let ordinal = ordinals.entry(group).or_insert(0);
                        *ordinal += 1;
                        (group, *ordinal, true)
                    }
                    Event::Together { number, .. } => (*number, 0, false),
                };
                let node = *nodes.entry(key).or_insert_with(|| graph.add_node(()));
                if let Some((before, earlier)) = previous
                    && edges.insert((before, node))
                {
                    graph.add_edge(before, node, (rank, earlier, event));
                }
                previous = Some((node, event));
            }
        }
        match shortest_cycle(&graph) {
            None => Ok(()),
            Some(cycle) => Err(report_cycle(&cycle)),
        }
    }
}

fn sorted(group: &[i64]) -> Vec<i64> {
    let mut members = group.to_vec();
    members.sort_unstable();
    members
}

/// Compares the sequences of all members with the first one's.
fn agree(
    members: &[i64],
    sequences: &BTreeMap<usize, Vec<&Event>>,
    signatures: &mut Signatures,
) -> PassResult {
    let sequence = |rank: usize| sequences.get(&rank).map(Vec::as_slice).unwrap_or_default();
    let mut ranks = members.iter().filter_map(|&rank| usize::try_from(rank).ok());
    let Some(first) = ranks.next() else { return Ok(()) };
    for other in ranks {
        let (ours, theirs) = (sequence(first), sequence(other));
        let same = ours
            .iter()
            .zip(theirs)
            .take_while(|(a, b)| signatures.agree(a, b))
            .count();
        let (rank, event, peer, counterpart) = match (ours.get(same), theirs.get(same)) {
            (None, None) => continue,
            (Some(event), counterpart) => (first, event, other, counterpart),
            (None, Some(event)) => (other, event, first, None),
        };
        let message = format!(
            "is collective #{same} that rank {rank} issues among ranks {members:?}, but rank {peer} issues {}",
            match counterpart {
                Some(_) => "another one there".to_owned(),
                None => format!("only {same} among them"),
            }
        );
        let issued = format!("rank {peer} issues this");
        let last = format!("the last one that rank {peer} issues");
        let note = match counterpart {
            Some(counterpart) => Some((counterpart.op(), issued.as_str())),
            None => same
                .checked_sub(1)
                .map(|index| (sequence(peer)[index].op(), last.as_str())),
        };
        return Err(diagnostics::op_error_with_notes(
            event.op(),
            &message,
            note.as_slice(),
        ));
    }
    Ok(())
}

type Edge<'e> = (usize, &'e Event, &'e Event);

/// A shortest cycle through the first node that is on any.
fn shortest_cycle<'e>(graph: &DiGraph<(), Edge<'e>>) -> Option<Vec<Edge<'e>>> {
    // Not Tarjan's algorithm, which petgraph writes recursively: a chain is as long as the program.
    let components = kosaraju_scc(graph)
        .into_iter()
        .filter(|component| component.len() > 1);
    let component = components.min_by_key(|component| component.iter().min().copied())?;
    let start = component.iter().copied().min()?;
    let inside: HashSet<NodeIndex> = component.into_iter().collect();
    // Breadth first; each node remembers the edge that first led to it.
    let mut arrivals: HashMap<NodeIndex, (NodeIndex, Edge)> = HashMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        let mut edges: Vec<_> = graph
            .edges(node)
            .filter(|edge| inside.contains(&edge.target()))
            .collect();
        edges.sort_by_key(|edge| edge.id());
        for edge in edges {
            let target = edge.target();
            if arrivals.contains_key(&target) {
                continue;
            }
            arrivals.insert(target, (node, *edge.weight()));
            queue.push_back(target);
        }
    }
    let mut cycle = Vec::new();
    let mut node = start;
    loop {
        let &(before, edge) = arrivals.get(&node)?;
        cycle.push(edge);
        node = before;
        if node == start {
            break;
        }
    }
    cycle.reverse();
    Some(cycle)
}

fn report_cycle(cycle: &[Edge]) -> crate::mlir::Failed {
    let notes: Vec<(Op, String)> = cycle
        .iter()
        .map(|(rank, earlier, later)| {
            (
                earlier.op(),
                format!(
                    "rank {rank} issues {} before {}",
                    earlier.describe(),
                    later.describe()
                ),
            )
        })
        .collect();
    let borrowed: Vec<(Op, &str)> = notes.iter().map(|(op, text)| (*op, text.as_str())).collect();
    diagnostics::op_error_with_notes(
        cycle[0].1.op(),
        "deadlocks: ranks issue collectives in orders that wait for each other in a circle",
        &borrowed,
    )
}

/// What members of a group must agree on: kind, reduction, dimensions, types, and positions in the group. Attributes
/// that do not matter to peers, and whether an op blocks, are left out.
#[derive(Default)]
pub(super) struct Signatures {
    numbers: HashMap<Op, usize>,
    known: HashMap<String, usize>,
    /// Collectives whose results nobody uses, met by others on other paths whose results are used.
    pub(super) one_sided: Vec<Op>,
    compared: HashSet<(Op, Op)>,
}

impl Signatures {
    /// Whether two issues are one collective to their peers.
    pub(super) fn agree(&mut self, a: &Event, b: &Event) -> bool {
        match (a, b) {
            (
                Event::Issue { op, group },
                Event::Issue {
                    op: other,
                    group: others,
                },
            ) => {
                op == other
                    || (group == others && self.number(*op) == self.number(*other) && {
                        self.compare_uses(*op, *other);
                        true
                    })
            }
            (Event::Together { number, .. }, Event::Together { number: other, .. }) => number == other,
            _ => false,
        }
    }

    fn compare_uses(&mut self, op: Op, other: Op) {
        if !self.compared.insert((op, other)) {
            return;
        }
        match (is_dead(op), is_dead(other)) {
            (true, false) => self.one_sided.push(op),
            (false, true) => self.one_sided.push(other),
            _ => {}
        }
    }

    fn number(&mut self, op: Op) -> usize {
        if let Some(&number) = self.numbers.get(&op) {
            return number;
        }
        let attributes = ["kind", "dims", "split", "concat", "root", "pairs"];
        let mut text = op.name().to_owned();
        for attr in attributes.iter().filter_map(|name| op.attr(name)) {
            text.push_str(&attr.to_text());
            text.push(';');
        }
        let yielded = Collective::new(op).map(Collective::yielded).unwrap_or_default();
        for ty in op.operands().map(|operand| operand.ty()).chain(yielded) {
            text.push_str(&ty.to_text());
            text.push(';');
        }
        let next = self.known.len();
        let number = *self.known.entry(text).or_insert(next);
        self.numbers.insert(op, number);
        number
    }
}

/// Whether nobody uses what a collective yields, be it through a wait.
fn is_dead(collective: Op) -> bool {
    collective.uses().all(|r#use| {
        let user = r#use.op();
        is_wait(user) && user.is_unused()
    })
}
