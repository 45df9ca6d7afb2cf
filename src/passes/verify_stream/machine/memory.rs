// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What ops do to buffers: accesses, and the beginning and end of memory, also where it is not known whether they happen.

use std::collections::BTreeSet;

use comm_happens::{Access, AccessKind, Buffer, Region};

use super::{
    super::{layout, world::not_proved},
    Known, Machine,
};
use crate::mlir::{Op, PassResult, Value};

impl Machine<'_, '_> {
    /// Accesses of a memref; fails where nobody knows of which buffer it is.
    pub(in super::super) fn access(
        &self,
        op: Op,
        memref: Value,
        kind: AccessKind,
    ) -> PassResult<Vec<Access>> {
        match self.values.get(&memref) {
            Some(Known::Views(views)) => Ok(views
                .iter()
                .map(|view| Access {
                    buffer: view.buffer,
                    region: view.region(),
                    kind,
                })
                .collect()),
            _ => Err(not_proved(
                op,
                &format!(
                    "nobody knows of which buffer its memref of type {} is",
                    memref.ty().to_text()
                ),
            )),
        }
    }

    /// A new buffer that an op makes, written where the op runs.
    pub(super) fn allocate(&mut self, op: Op, result: Value) -> Buffer {
        let earlier = self.made_in_rounds.as_ref().and_then(|made| made.get(&op));
        let buffer = earlier.copied().unwrap_or_else(|| {
            let name = format!("a buffer of rank {}", self.rank);
            self.world.buffer(name, op)
        });
        if let Some(made) = &mut self.made_in_rounds {
            made.insert(op, buffer);
        }
        self.reachable.insert(buffer);
        self.set(result, Known::view(layout::view_of(result.ty(), buffer)));
        self.work(op, vec![Access::write(buffer, Region::everything())]);
        buffer
    }

    /// The end of a buffer; where it is not known whether it ends, or which of several does, it is written.
    pub(super) fn free(&mut self, op: Op, memref: Value) -> PassResult {
        let Known::Views(views) = self.get(memref) else {
            return Err(not_proved(op, "nobody knows which buffer it frees"));
        };
        let buffers: BTreeSet<Buffer> = views.iter().map(|view| view.buffer).collect();
        let is_known = buffers.len() == 1 && buffers.first() > self.not_known_since.as_ref();
        let accesses = buffers.into_iter().map(|buffer| {
            if is_known {
                self.reachable.remove(&buffer);
                if let Some(made) = &mut self.made_in_rounds {
                    made.retain(|_, other| *other != buffer);
                }
                Access::free(buffer)
            } else {
                Access::write(buffer, Region::everything())
            }
        });
        let accesses = accesses.collect();
        self.work(op, accesses);
        Ok(())
    }

    /// Executes a round that stands for any number of them.
    pub(in super::super) fn any_round<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> PassResult<T>,
    ) -> PassResult<T> {
        let is_outermost = self.made_in_rounds.is_none();
        self.made_in_rounds.get_or_insert_default();
        let result = self.perhaps(body);
        if is_outermost {
            self.made_in_rounds = None;
        }
        result
    }

    /// Executes what may not run.
    pub(in super::super) fn perhaps<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> PassResult<T>,
    ) -> PassResult<T> {
        let newest = self.reachable.last().copied();
        let outer = std::mem::replace(&mut self.not_known_since, newest);
        let result = body(self);
        self.not_known_since = outer;
        result
    }

    /// A step that may touch whatever the rank can reach.
    pub(in super::super) fn touch_everything(&mut self, op: Op) -> PassResult {
        let parts = self
            .not_freed
            .iter()
            .flat_map(|&number| self.world.symmetric[number].parts.iter().copied());
        let buffers: Vec<Buffer> = self.reachable.iter().copied().chain(parts).collect();
        self.world.spend(op, buffers.len())?;
        let accesses = buffers
            .into_iter()
            .map(|buffer| Access::write(buffer, Region::everything()));
        self.work(op, accesses.collect());
        for result in op.results().filter(|result| result.ty().is_buffer()) {
            self.set(result, Known::Nothing);
        }
        Ok(())
    }
}
