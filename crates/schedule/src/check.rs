// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The check of a problem: what must hold before any scheduler may look at it.
//!
//! After a successful check every dependence points backwards (so source order is a topological order and there is no
//! cycle), starts and waits pair up, facts stand only on nodes that can carry them, and sums of all durations or of all
//! sizes fit in 63 bits, so that no later arithmetic overflows. The check says nothing about
//! any order other than the source order; that is [`verify`](crate::verify()). O(n + e), and the logarithm of the
//! number of occupied streams for each node.

use crate::node::{Kind, NodeId};
use crate::problem::Problem;
use thiserror::Error;

/// Why a problem is not well formed. Nodes are named by ids, or, after [`ProblemError::with_names`], as a user knows them.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ProblemError<Name = NodeId> {
    /// A dependence names a node that does not exist or does not stand earlier.
    #[error("{node}: depends on {dep}, which does not stand before it")]
    NotBackward {
        /// The dependent node.
        node: Name,
        /// What it names.
        dep: Name,
    },
    /// An argument depends on something.
    #[error("{node}: an argument depends on nothing, but this one depends on {dep}")]
    ArgumentDepends {
        /// The argument.
        node: Name,
        /// What it names.
        dep: Name,
    },
    /// A start or a blocking collective without a stream.
    #[error("{node}: a {} collective needs a stream", .kind.name())]
    NoStream {
        /// The collective.
        node: Name,
        /// Its kind.
        kind: Kind,
    },
    /// The node has, or occupies, a stream that the problem does not know.
    #[error("{node}: its stream was not made by this problem")]
    UnknownStream {
        /// The node.
        node: Name,
    },
    /// A wait that does not say what it awaits.
    #[error("{node}: a wait names its start in `of`")]
    NoStart {
        /// The wait.
        node: Name,
    },
    /// `of` names something that is no start.
    #[error("{node}: awaits {of}, which is a {} and no start", .kind.name())]
    AwaitsNoStart {
        /// The wait.
        node: Name,
        /// What it names.
        of: Name,
        /// The kind of that.
        kind: Kind,
    },
    /// A wait whose first operand is not its start, or that reads it twice.
    #[error("{node}: a wait reads its start {start} as its first operand, and once")]
    StartNotRead {
        /// The wait.
        node: Name,
        /// Its start.
        start: Name,
    },
    /// A future with more than one reader, or with one that is no wait.
    #[error("{node}: reads the future of {start}, which only the one wait of that start may do")]
    FutureRead {
        /// The reader.
        node: Name,
        /// The start.
        start: Name,
    },
    /// Two waits of one start.
    #[error("{node}: awaits {start}, which {first} awaits already")]
    AwaitedTwice {
        /// The second wait.
        node: Name,
        /// The start.
        start: Name,
        /// The first wait.
        first: Name,
    },
    /// A fact on a node of a kind that cannot have it.
    #[error("{node}: `{fact}` has no meaning on a node of kind {}", .kind.name())]
    Misplaced {
        /// The node.
        node: Name,
        /// The fact, by its JSON key.
        fact: &'static str,
        /// The kind of the node.
        kind: Kind,
    },
    /// Durations or sizes whose sum no 64-bit integer holds.
    #[error("{node}: the sum of `{fact}` up to here exceeds {}", i64::MAX)]
    TooLarge {
        /// The node at which the sum becomes too large.
        node: Name,
        /// Which sum, by its JSON key.
        fact: &'static str,
    },
    /// A stream is occupied by a node that does not exist.
    #[error("{node}: is no node, but occupies a stream")]
    UnknownOccupant {
        /// What was given as the node.
        node: Name,
    },
    /// `live_out` names a node that does not exist, or a future.
    #[error("live_out: {node} is not a value that can outlive the block")]
    NotLiveOut {
        /// What it names.
        node: Name,
    },
}

impl ProblemError {
    /// The same, with nodes named by `name`, which is asked for ids that the error holds alone.
    pub fn with_names<Name>(self, name: impl Fn(NodeId) -> Name) -> ProblemError<Name> {
        use ProblemError as Error;
        match self {
            Error::NotBackward { node, dep } => Error::NotBackward {
                node: name(node),
                dep: name(dep),
            },
            Error::ArgumentDepends { node, dep } => Error::ArgumentDepends {
                node: name(node),
                dep: name(dep),
            },
            Error::NoStream { node, kind } => Error::NoStream {
                node: name(node),
                kind,
            },
            Error::UnknownStream { node } => Error::UnknownStream { node: name(node) },
            Error::NoStart { node } => Error::NoStart { node: name(node) },
            Error::AwaitsNoStart { node, of, kind } => Error::AwaitsNoStart {
                node: name(node),
                of: name(of),
                kind,
            },
            Error::StartNotRead { node, start } => Error::StartNotRead {
                node: name(node),
                start: name(start),
            },
            Error::FutureRead { node, start } => Error::FutureRead {
                node: name(node),
                start: name(start),
            },
            Error::AwaitedTwice { node, start, first } => Error::AwaitedTwice {
                node: name(node),
                start: name(start),
                first: name(first),
            },
            Error::Misplaced { node, fact, kind } => Error::Misplaced {
                node: name(node),
                fact,
                kind,
            },
            Error::TooLarge { node, fact } => Error::TooLarge {
                node: name(node),
                fact,
            },
            Error::UnknownOccupant { node } => Error::UnknownOccupant { node: name(node) },
            Error::NotLiveOut { node } => Error::NotLiveOut { node: name(node) },
        }
    }
}

impl Problem {
    /// Checks that the problem is well formed and reports the first fault in source order. See the [module](self) documentation.
    pub fn check(&self) -> Result<(), ProblemError> {
        let mut wait_of: Vec<Option<NodeId>> = vec![None; self.len()];
        let (mut ns, mut bytes) = (0i64, 0i64);
        let add = |sum: &mut i64, term: u64| {
            *sum = i64::try_from(term).ok().and_then(|term| sum.checked_add(term))?;
            Some(())
        };
        for id in self.ids() {
            let node = self.node(id);
            add(&mut ns, node.ns).ok_or(ProblemError::TooLarge { node: id, fact: "ns" })?;
            add(&mut bytes, node.bytes).ok_or(ProblemError::TooLarge {
                node: id,
                fact: "bytes",
            })?;
            self.check_dependences(id)?;
            self.check_facts(id)?;
            if let Some(start) = self.of(id)
                && let Some(first) = wait_of[start.index()].replace(id)
            {
                return Err(ProblemError::AwaitedTwice {
                    node: id,
                    start,
                    first,
                });
            }
        }
        if let Some(&(node, _)) = self.occupied_pairs().last()
            && node.index() >= self.len()
        {
            return Err(ProblemError::UnknownOccupant { node });
        }
        match self
            .live_out()
            .iter()
            .find(|id| id.index() >= self.len() || self.kind(**id) == Kind::Start)
        {
            Some(&node) => Err(ProblemError::NotLiveOut { node }),
            None => Ok(()),
        }
    }

    fn check_dependences(&self, id: NodeId) -> Result<(), ProblemError> {
        for &dep in self.deps(id).iter().chain(self.after(id)) {
            if dep >= id {
                return Err(ProblemError::NotBackward { node: id, dep });
            }
            if self.kind(id) == Kind::Arg {
                return Err(ProblemError::ArgumentDepends { node: id, dep });
            }
        }
        for (position, &dep) in self.deps(id).iter().enumerate() {
            if self.kind(dep) == Kind::Start && (self.of(id) != Some(dep) || position > 0) {
                return Err(match self.of(id) == Some(dep) {
                    true => ProblemError::StartNotRead { node: id, start: dep },
                    false => ProblemError::FutureRead { node: id, start: dep },
                });
            }
        }
        Ok(())
    }

    fn check_facts(&self, id: NodeId) -> Result<(), ProblemError> {
        let node = self.node(id);
        let kind = node.kind;
        let communicates = matches!(kind, Kind::Start | Kind::Blocking);
        let misplaced = |fact| Err(ProblemError::Misplaced { node: id, fact, kind });
        match node.stream {
            None if communicates => return Err(ProblemError::NoStream { node: id, kind }),
            Some(_) if !communicates => return misplaced("stream"),
            Some(stream) if stream.index() >= self.stream_count() => {
                return Err(ProblemError::UnknownStream { node: id });
            }
            _ => {}
        }
        if node.collective.is_some() && !communicates {
            return misplaced("collective");
        }
        if node.cheap && kind != Kind::Compute {
            return misplaced("cheap");
        }
        if node.fence && kind != Kind::Compute {
            return misplaced("fence");
        }
        for stream in self.occupied(id) {
            if kind != Kind::Compute {
                return misplaced("occupies");
            }
            if stream.index() >= self.stream_count() {
                return Err(ProblemError::UnknownStream { node: id });
            }
        }
        match node.of {
            None if kind == Kind::Wait => Err(ProblemError::NoStart { node: id }),
            Some(_) if kind != Kind::Wait => misplaced("of"),
            Some(of) if of >= id => Err(ProblemError::NotBackward { node: id, dep: of }),
            Some(of) if self.kind(of) != Kind::Start => Err(ProblemError::AwaitsNoStart {
                node: id,
                of,
                kind: self.kind(of),
            }),
            Some(start) if node.deps.first() != Some(&start) => {
                Err(ProblemError::StartNotRead { node: id, start })
            }
            _ => Ok(()),
        }
    }
}
