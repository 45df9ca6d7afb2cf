// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Symmetric memory, signals and barriers of a rank.

use std::sync::{Arc, atomic::Ordering};

use super::{At, Joined, Rank};
use crate::{
    collective::{Call, Kind},
    error::{Error, Site},
    handles::{Buffer, Group, Stream},
    tensor::Tensor,
    trace::Category,
    transport::Symmetric,
};

impl Rank {
    /// Allocates `bytes` on each member of a group, zeroed and aligned to 64 bytes, and waits for all of them. It is
    /// freed by [`Rank::symmetric_free`], or when the world has ended.
    ///
    /// # Errors
    /// There is no memory; and those of a collective: other members ask for another size, do not come, or have
    /// failed.
    pub fn symmetric_alloc(&self, group: Group, bytes: usize, at: At<'_>) -> Result<Buffer, Error> {
        let site = self.begin("symmetric_alloc", at.location)?;
        let call = self.call(group, site.clone(), Kind::Allocate { bytes }, &[], &[], at)?;
        let transport = &self.shared.transport;
        let buffer = self.here(site, Category::Memory, bytes, || transport.allocate(&call, bytes))?;
        self.buffers.add(|_| Ok(Arc::new(buffer)))
    }

    pub(super) fn find_buffer(&self, buffer: Buffer, site: &Site) -> Result<Arc<Symmetric>, Error> {
        let found = self.buffers.get(buffer);
        found.map_err(|message| self.refuse(site.clone(), message))
    }

    /// Where a member's part of a buffer begins.
    ///
    /// # Errors
    /// There is no such buffer, or the rank is not in its group.
    pub fn peer(&self, buffer: Buffer, rank: usize) -> Result<*mut u8, Error> {
        let site = self.site("peer", "");
        let found = self.find_buffer(buffer, &site)?;
        let part = found.parts.iter().find(|(member, _)| *member == rank);
        let members = || found.parts.iter().map(|(member, _)| *member).collect::<Vec<_>>();
        part.map(|(_, part)| part.data()).ok_or_else(|| {
            self.refuse(
                site,
                format!(
                    "rank {rank} has no part of the buffer; ranks {:?} have",
                    members()
                ),
            )
        })
    }

    /// The rank at a position of the group that a buffer was allocated in.
    ///
    /// # Errors
    /// There is no such buffer, or its group is smaller.
    pub fn member(&self, buffer: Buffer, position: usize) -> Result<usize, Error> {
        let site = self.site("peer", "");
        let found = self.find_buffer(buffer, &site)?;
        let member = found.parts.get(position).map(|(member, _)| *member);
        member.ok_or_else(|| {
            let members = found.parts.len();
            self.refuse(site, format!("position {position} of a group of {members}"))
        })
    }

    /// Bytes of a buffer on each member.
    ///
    /// # Errors
    /// There is no such buffer.
    pub fn symmetric_bytes(&self, buffer: Buffer) -> Result<usize, Error> {
        Ok(self.find_buffer(buffer, &self.site("symmetric_bytes", ""))?.bytes)
    }

    /// Frees a buffer: waits until this rank's streams have done what was issued, then for the other members to
    /// free it, too.
    ///
    /// # Errors
    /// There is no such buffer; a stream has failed; and those of a collective.
    pub fn symmetric_free(&self, buffer: Buffer, at: At<'_>) -> Result<(), Error> {
        let site = self.begin("symmetric_free", at.location)?;
        let found = self.find_buffer(buffer, &site)?;
        self.synchronize_all(at)?;
        let ranks: Vec<usize> = found.parts.iter().map(|(rank, _)| *rank).collect();
        let kind = Kind::Free { buffer: found.number };
        let call = self.call(self.group(&ranks)?, site.clone(), kind, &[], &[], at)?;
        let transport = &self.shared.transport;
        self.here(site, Category::Memory, found.bytes, || {
            transport.free(&call, &found)
        })?;
        self.buffers.take(buffer).map(drop).unwrap_or_default();
        Ok(())
    }

    fn channel(
        &self,
        buffer: Option<Buffer>,
        channel: u64,
        peer: usize,
        site: &Site,
    ) -> Result<(u64, u64), Error> {
        if peer >= self.ranks() {
            let message = format!("rank {peer} is none of the {} ranks", self.ranks());
            return Err(self.refuse(site.clone(), message));
        }
        let number = match buffer {
            Some(buffer) => self.find_buffer(buffer, site)?.number,
            None => 0,
        };
        Ok((number, channel))
    }

    /// Raises, on a stream, the counter of a channel from this rank to `peer` to `epoch`, which must be above its
    /// last one. Waits for nobody. What the stream did before is visible to whoever waits for the signal. Every
    /// buffer has channels of its own, and the world has some for no buffer.
    ///
    /// # Errors
    /// There is no such stream, buffer or rank, or there was a failure. An epoch that does not follow is a failure of
    /// the op.
    pub fn put_signal(
        &self,
        stream: Stream,
        peer: usize,
        buffer: Option<Buffer>,
        channel: u64,
        epoch: u64,
        at: At<'_>,
    ) -> Result<(), Error> {
        let site = self.begin("put_signal", at.location)?;
        let channel = self.channel(buffer, channel, peer, &site)?;
        let (shared, own) = (self.shared.clone(), site.clone());
        let run = move || shared.transport.put_signal(&own, peer, channel, epoch);
        self.issue(stream, site, Category::Synchronization, 0, Box::new(run))
    }

    /// Lets a stream wait until the counter of a channel from `peer` to this rank is at least `epoch`.
    ///
    /// # Errors
    /// There is no such stream, buffer or rank, or there was a failure.
    pub fn wait_signal(
        &self,
        stream: Stream,
        peer: usize,
        buffer: Option<Buffer>,
        channel: u64,
        epoch: u64,
        at: At<'_>,
    ) -> Result<(), Error> {
        let site = self.begin("wait_signal", at.location)?;
        let channel = self.channel(buffer, channel, peer, &site)?;
        let (shared, own, timeout) = (self.shared.clone(), site.clone(), self.timeout(at));
        let run = move || shared.transport.wait_signal(&own, peer, channel, epoch, timeout);
        self.issue(stream, site, Category::Synchronization, 0, Box::new(run))
    }

    /// Lets a stream meet those of the other members of a group. Channels tell barriers apart: members that meet must
    /// have issued the same.
    ///
    /// # Errors
    /// There is no such stream or group, or there was a failure.
    pub fn barrier(&self, stream: Stream, group: Group, channel: u64, at: At<'_>) -> Result<(), Error> {
        let site = self.begin("barrier", at.location)?;
        let call = self.call(group, site, Kind::Barrier { channel }, &[], &[], at)?;
        // SAFETY: a barrier has no tensors.
        unsafe { self.issue_call(stream, call, Category::Synchronization) }
    }

    pub(super) fn find_group(&self, group: Group, site: &Site) -> Result<Joined, Error> {
        let found = self.groups.get(group);
        found.map_err(|message| self.refuse(site.clone(), message))
    }

    /// Checks a call of a group and numbers it: from here on it counts as issued.
    pub(super) fn call(
        &self,
        group: Group,
        site: Site,
        kind: Kind,
        inputs: &[Tensor],
        outputs: &[Tensor],
        at: At<'_>,
    ) -> Result<Arc<Call>, Error> {
        let joined = self.find_group(group, &site)?;
        let mut call = Call {
            site,
            members: joined.members,
            number: 0,
            kind,
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            timeout: self.timeout(at),
        };
        call.check().map_err(|error| self.settle(error))?;
        call.number = joined.issued.fetch_add(1, Ordering::Relaxed);
        Ok(Arc::new(call))
    }
}
