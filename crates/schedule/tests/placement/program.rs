// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Small programs with named nodes, and their orders as text.

use comm_schedule::{
    Collective, Node, NodeId, Problem, SortOptions, SortOutcome, StreamId, sort, text, verify,
};
use filecheck::{CheckerBuilder, NO_VARIABLES};

/// A program with named nodes on one stream.
pub(crate) struct Program {
    pub(crate) problem: Problem,
    pub(crate) stream: StreamId,
}

impl Program {
    pub(crate) fn new() -> Self {
        let mut problem = Problem::new();
        let stream = problem.stream("dp");
        Program { problem, stream }
    }

    pub(crate) fn push(&mut self, name: &str, node: Node<'_>) -> NodeId {
        let id = self.problem.push(node);
        self.problem.set_name(id, name);
        id
    }

    pub(crate) fn arg(&mut self, name: &str) -> NodeId {
        self.push(name, Node::arg().bytes(8))
    }

    pub(crate) fn compute(&mut self, name: &str, deps: &[NodeId]) -> NodeId {
        self.push(name, Node::compute().ns(100).bytes(8).deps(deps))
    }

    pub(crate) fn cheap(&mut self, name: &str, deps: &[NodeId]) -> NodeId {
        self.push(name, Node::compute().ns(1).bytes(8).cheap(true).deps(deps))
    }

    pub(crate) fn start(
        &mut self,
        name: &str,
        collective: Collective,
        operand: NodeId,
        bytes: u64,
    ) -> NodeId {
        let stream = self.stream;
        self.push(
            &format!("{name}.start"),
            Node::start(collective, stream).bytes(bytes).deps(&[operand]),
        )
    }

    pub(crate) fn wait(&mut self, name: &str, start: NodeId) -> NodeId {
        let operand = self.problem.deps(start)[0];
        self.push(name, Node::wait(start).deps(&[start, operand]))
    }

    pub(crate) fn gather(&mut self, name: &str, shard: NodeId) -> NodeId {
        let start = self.start(name, Collective::AllGather, shard, 64);
        self.wait(name, start)
    }

    pub(crate) fn reduce(&mut self, name: &str, operand: NodeId) -> NodeId {
        let start = self.start(name, Collective::ReduceScatter, operand, 8);
        self.wait(name, start)
    }

    pub(crate) fn sort(&self, options: SortOptions) -> SortOutcome {
        let outcome = sort(&self.problem, &options).expect("sorts");
        verify(&self.problem, &outcome.order).expect("a linear extension");
        outcome
    }

    /// Sorts, and matches the order with directives of the `filecheck` crate.
    pub(crate) fn expect(&self, options: SortOptions, directives: &str) {
        let order = self.sort(options).order;
        let text = text::order(&self.problem, &order);
        let mut builder = CheckerBuilder::new();
        for line in directives.lines() {
            assert!(
                builder.directive(line).expect("a directive"),
                "no directive: {line}"
            );
        }
        let checker = builder.finish();
        if !checker.check(&text, NO_VARIABLES).expect("a check") {
            panic!(
                "{}",
                checker.explain(&text, NO_VARIABLES).expect("an explanation").1
            );
        }
    }
}

pub(crate) fn limit(max_in_flight: u32) -> SortOptions {
    SortOptions {
        max_in_flight,
        ..Default::default()
    }
}
