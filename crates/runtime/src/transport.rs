// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What streams and ranks need of a backend: how data and news get from rank to rank.
//!
//! Streams, events, the order of ops and traces lie above this line and are the same for every backend.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    collective::Call,
    error::{Error, Fault, Missing, Site},
    tensor::Tensor,
};

/// A counter: the symmetric buffer that it belongs to (0: none), and its channel.
pub(crate) type Channel = (u64, u64);

/// Memory of one size on each member of a group, seen from one rank.
#[derive(Clone, Debug)]
pub(crate) struct Symmetric {
    /// The same on all members, different from that of any other buffer of the world.
    pub(crate) number: u64,
    /// Its bytes on each member.
    pub(crate) bytes: usize,
    /// Members and where their part begins.
    pub(crate) parts: Vec<(usize, Tensor)>,
}

/// What a wait for a signal ends with that has not come: `missing` says what the ranks that owe it are doing, and the
/// counter stands at `reached`.
pub(crate) fn late_signal(
    site: &Site,
    waited: Duration,
    mut missing: Vec<Missing>,
    reached: u64,
    epoch: u64,
) -> Error {
    for missing in &mut missing {
        missing.doing = format!("its signal is at epoch {reached}, not {epoch}; {}", missing.doing);
    }
    let fault = Fault::Late {
        waiting: site.rank,
        waited,
        missing,
    };
    Error::new(site.clone(), fault)
}

/// A backend. All calls block; those that wait for other ranks end with an error after the timeout, when a failure is
/// reported anywhere, and when a rank that they wait for has departed.
pub(crate) trait Transport: Send + Sync {
    /// Number of ranks.
    fn ranks(&self) -> usize;

    /// Takes part in a collective that moves data, or in a barrier.
    ///
    /// # Safety
    /// The tensors of the call are valid until this returns; nobody writes its inputs or touches its outputs
    /// meanwhile.
    unsafe fn collective(&self, call: &Arc<Call>) -> Result<(), Error>;

    /// Allocates `bytes` with the other members, whose calls say the same; the memory is zeroed and aligned to 64 bytes.
    fn allocate(&self, call: &Call, bytes: usize) -> Result<Symmetric, Error>;

    /// Waits for the other members to free the same buffer, and frees this rank's part.
    fn free(&self, call: &Arc<Call>, buffer: &Symmetric) -> Result<(), Error>;

    /// Raises the counter of a channel from this rank to `peer`; does not wait for anybody.
    fn put_signal(&self, site: &Site, peer: usize, channel: Channel, epoch: u64) -> Result<(), Error>;

    /// Waits until the counter of a channel from `peer` to this rank is at least `epoch`.
    fn wait_signal(
        &self,
        site: &Site,
        peer: usize,
        channel: Channel,
        epoch: u64,
        timeout: Duration,
    ) -> Result<(), Error>;

    /// Called when a local copy of this rank has begun at `begun`: if it crosses ranks, waits for as long as its
    /// transfer takes.
    fn copied(&self, site: &Site, target: &Tensor, source: &Tensor, begun: Instant) -> Result<(), Error>;

    /// An op begins on a stream of a rank (0: the program itself), and will wait for others; for messages.
    fn enter(&self, rank: usize, stream: u64, site: &Site);

    /// It is over.
    fn leave(&self, rank: usize, stream: u64);

    /// Reports a failure. The first one wakes all who wait, on all ranks.
    fn fail(&self, error: Error);

    /// The first failure.
    fn failure(&self) -> Option<Error>;

    /// A rank has done all that it ever will.
    fn depart(&self, rank: usize);
}
