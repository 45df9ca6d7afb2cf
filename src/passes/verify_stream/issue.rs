// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The ops of `comm_stream` as a machine executes them.
//!
//! Two of them are more than their names say. Symmetric memory comes from a pool: on entry of the function every member may
//! still use every part (the trace gets such accesses at its begin, see [`super::assemble`]), and what is given back may be
//! given out again at once, so a buffer that is allocated after another one was freed is taken to be in use by this rank until
//! then. And allocating and freeing are done by all members together: they wait like collectives do, which orders no memory.

use std::rc::Rc;

use comm_happens::{Access, AccessKind, Action, Rank, Region, Stream};

use super::{
    instruction::Instruction,
    machine::{Known, Machine},
    view::View,
    world::{Role, not_proved},
};
use crate::{
    groups::Groups,
    mlir::{Op, PassResult, Value},
};

impl Machine<'_, '_> {
    /// Executes an op of `comm_stream`.
    pub(super) fn issue(&mut self, op: Op, instruction: &Instruction) -> PassResult {
        match instruction {
            Instruction::Current => self.set(op.result(0), Known::Stream(self.current)),
            Instruction::Stream(name) => {
                let stream = self.world.trace.stream(self.rank, name);
                self.set(op.result(0), Known::Stream(stream));
            }
            Instruction::Record => {
                let stream = self.stream_of(op, op.operand(0))?;
                let event = self.world.trace.event();
                self.set(op.result(0), Known::Event(event));
                self.issue_on(op, stream, Action::Record(event), vec![]);
            }
            Instruction::WaitEvent => {
                let Known::Event(event) = self.get(op.operand(0)) else {
                    return Err(not_proved(op, "nobody knows for which event it waits"));
                };
                let stream = self.stream_of(op, op.operand(1))?;
                self.issue_on(op, stream, Action::WaitEvent(event), vec![]);
            }
            Instruction::SymmetricAlloc(groups) => self.symmetric_alloc(op, groups)?,
            Instruction::SymmetricFree => self.symmetric_free(op)?,
            Instruction::Local => {
                let number = self.symmetric_of(op, op.operand(0))?;
                self.set_part(op, number, None)?;
            }
            Instruction::Peer => {
                let number = self.symmetric_of(op, op.operand(0))?;
                let position = self.position_of(op, op.operand(1), number)?;
                self.set_part(op, number, Some(position))?;
            }
            Instruction::Barrier(groups, channel) => {
                let (_, group) = self.world.group(op, groups, self.rank)?;
                let stream = self.stream_of(op, op.operand(0))?;
                let channel = *channel;
                self.issue_on(op, stream, Action::Barrier { group, channel }, vec![]);
            }
            Instruction::PutSignal(channel) => self.signal(op, *channel, true)?,
            Instruction::WaitSignal(channel) => self.signal(op, *channel, false)?,
            Instruction::Copy => {
                let stream = self.stream_of(op, op.operand(2))?;
                let mut accesses = self.access(op, op.operand(0), AccessKind::Read)?;
                accesses.extend(self.access(op, op.operand(1), AccessKind::Write)?);
                self.issue_on(op, stream, Action::Work, accesses);
            }
            Instruction::Launch => {
                let stream = self.stream_of(op, op.operand(0))?;
                let outside = std::mem::replace(&mut self.stream, stream);
                // What a launch has on its stack ends with it.
                self.nested(op, |machine| machine.call(op, op, Vec::new()))?;
                self.stream = outside;
            }
            Instruction::Collective(groups, form) => self.collective(op, groups, form)?,
            _ => {}
        }
        Ok(())
    }

    fn issue_on(&mut self, op: Op, stream: Stream, action: Action, accesses: Vec<Access>) {
        let tag = self.world.tag(op, Role::Op);
        self.plan(stream, action, accesses, tag);
    }

    fn stream_of(&self, op: Op, value: Value) -> PassResult<Stream> {
        match self.get(value) {
            Known::Stream(stream) => Ok(stream),
            _ => Err(not_proved(op, "nobody knows on which stream it is")),
        }
    }

    fn symmetric_of(&self, op: Op, value: Value) -> PassResult<usize> {
        match self.get(value) {
            Known::Symmetric(number) => Ok(number),
            _ => Err(not_proved(op, "nobody knows which symmetric buffer it is about")),
        }
    }

    /// A position in the group of a symmetric buffer.
    fn position_of(&self, op: Op, value: Value, number: usize) -> PassResult<usize> {
        let members = self.world.symmetric[number].members.len();
        let Some(position) = self.number(value) else {
            return Err(not_proved(
                op,
                &format!("rank {} does not know which peer it names", self.rank),
            ));
        };
        usize::try_from(position)
            .ok()
            .filter(|&position| position < members)
            .ok_or_else(|| {
                let message = format!(
                    "on rank {} it names peer {position} of a group of {members}",
                    self.rank
                );
                not_proved(op, &message)
            })
    }

    /// Lets the result be a part of a symmetric buffer: of the member at a position, or one's own.
    fn set_part(&mut self, op: Op, number: usize, position: Option<usize>) -> PassResult {
        let part = match position {
            Some(position) => self.world.symmetric[number].parts.get(position).copied(),
            None => self.own_part(number),
        };
        let part = part.ok_or_else(|| not_proved(op, &format!("rank {} has no such part", self.rank)))?;
        let ty = op.result(0).ty();
        let view = View::contiguous(
            part,
            super::layout::element_bytes(ty),
            Some(0),
            &ty.dims().unwrap_or_default(),
        );
        self.set(op.result(0), Known::view(view));
        Ok(())
    }

    fn symmetric_alloc(&mut self, op: Op, groups: &Groups) -> PassResult {
        if self.level != (0, 0) {
            return Err(not_proved(op, "it allocates in a loop of unknown length"));
        }
        let (members, group) = self.world.group(op, groups, self.rank)?;
        let allocated = self.allocated.entry(Rc::clone(&members)).or_default();
        let number = *allocated;
        *allocated += 1;
        let number = self.world.symmetric(op, &members, number);
        self.world.spend(op, members.len())?;
        self.not_freed.insert(number);
        self.set(op.result(0), Known::Symmetric(number));
        let form = self
            .world
            .form(&format!("symmetric_alloc {}", op.result(0).ty().to_text()));
        self.issue_on(op, self.current, Action::Collective { group, form }, vec![]);
        // The memory may be that of the buffer that was freed last.
        if let (Some(free), Some(part)) = (self.last_free, self.own_part(number)) {
            self.steps[free]
                .accesses
                .push(Access::write(part, Region::everything()));
        }
        Ok(())
    }

    fn symmetric_free(&mut self, op: Op) -> PassResult {
        let number = self.symmetric_of(op, op.operand(0))?;
        let members = Rc::clone(&self.world.symmetric[number].members);
        let ranks: Vec<Rank> = members
            .iter()
            .filter_map(|&rank| Rank::try_from(rank).ok())
            .collect();
        let group = self.world.trace.group(&ranks);
        let form = self.world.form("symmetric_free");
        let freed = self.own_part(number).map(Access::free);
        self.issue_on(op, self.current, Action::Drain, vec![]);
        self.last_free = Some(self.steps.len());
        self.issue_on(
            op,
            self.current,
            Action::Collective { group, form },
            freed.into_iter().collect(),
        );
        self.not_freed.remove(&number);
        Ok(())
    }

    /// `put_signal` and `wait_signal`: both have the buffer, the peer, the epoch, the stream.
    fn signal(&mut self, op: Op, channel: i64, puts: bool) -> PassResult {
        let number = self.symmetric_of(op, op.operand(0))?;
        let position = self.position_of(op, op.operand(1), number)?;
        let stream = self.stream_of(op, op.operand(3))?;
        let Some(epoch) = self.number(op.operand(2)) else {
            return Err(not_proved(
                op,
                &format!("rank {} does not know its epoch", self.rank),
            ));
        };
        let symmetric = &self.world.symmetric[number];
        let pad = symmetric.pad;
        let peer = Rank::try_from(symmetric.members[position]).unwrap_or(self.rank);
        // The counter is with the receiver's part, which has to be there.
        let holder = if puts {
            symmetric.parts.get(position).copied()
        } else {
            self.own_part(number)
        };
        let action = if puts {
            let to = peer;
            Action::Put {
                pad,
                channel,
                to,
                epoch,
            }
        } else {
            let from = peer;
            Action::WaitSignal {
                pad,
                channel,
                from,
                epoch,
            }
        };
        let used = holder.map(|buffer| Access {
            buffer,
            region: Region::contiguous(0, 1),
            kind: AccessKind::Use,
        });
        self.issue_on(op, stream, action, used.into_iter().collect());
        Ok(())
    }

    fn collective(&mut self, op: Op, groups: &Rc<Groups>, form: &str) -> PassResult {
        let stream = op.num_operands() - 1;
        let mut accesses = Vec::new();
        for index in 0..stream {
            let kind = if index < stream / 2 {
                AccessKind::Read
            } else {
                AccessKind::Write
            };
            accesses.extend(self.access(op, op.operand(index), kind)?);
        }
        let stream = self.stream_of(op, op.operand(stream))?;
        let is_permute = op.name() == "comm_stream.permute";
        let rank = i64::from(self.rank);
        if is_permute && !groups.0.iter().any(|group| group.contains(&rank)) {
            // Named by no pair: nobody sends to it.
            self.issue_on(op, stream, Action::Work, accesses);
            return Ok(());
        }
        let (_, group) = self.world.group(op, groups, self.rank)?;
        let form = self.world.form(form);
        self.issue_on(op, stream, Action::Collective { group, form }, accesses);
        Ok(())
    }
}
