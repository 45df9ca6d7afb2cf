// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A collective of one member: it meets the others, sends what they need, and makes its result of what they send.
//!
//! Invariant: a wait ends when what it waits for comes, when the alarm is raised, when a rank that it needs departs, or after
//! the timeout. Unlike on threads that holds within a meeting, too: a member may give up just when the last post is on its
//! way to it, and then the others wait for its data in vain, until its failure is heard. Only buffers of the run-time are
//! under way then.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use super::{
    Mpi,
    message::{self, Key, Message, Offer, Post},
    rooms::{Parcel, Posted, Room, Rooms},
};
use crate::{
    collective::Call,
    error::{Error, Fault, Site},
    execute,
    strided::copy,
    tensor::Tensor,
};

/// Payload of one message. MPI counts to 2 GiB; less than that keeps buffers small.
const FRAME: usize = 64 << 20;

/// How members find each other.
pub(super) fn key(call: &Call) -> Key {
    (call.members.sorted().to_vec(), call.number)
}

impl Mpi {
    /// Why a wait for ranks must end: a failure anywhere, or the departure of one of them.
    pub(super) fn hopeless(&self, site: &Site, missing: &[usize]) -> Option<Error> {
        if self.alarm.failure().is_some() {
            return Some(self.interrupted(site));
        }
        let gone = missing.iter().find(|&&rank| self.alarm.is_gone(rank));
        gone.map(|&rank| Error::new(site.clone(), Fault::Gone(rank)))
    }

    /// Waits until nobody is missing in a room. A deadline that has passed is the others' fault only if they are still
    /// missing after they were asked what they are doing.
    pub(super) fn wait_in(
        &self,
        call: &Call,
        key: &Key,
        timeout: Option<Duration>,
        missing: impl Fn(&Room) -> Vec<usize>,
    ) -> Result<(), Error> {
        let mut look = |rooms: &mut Rooms| {
            let room = rooms.entry(key.clone()).or_default();
            if let Some([first, second]) = room.mismatch() {
                let fault = Fault::Mismatch {
                    first: first.site.clone(),
                    first_call: first.to_string(),
                    second: second.site.clone(),
                    second_call: second.to_string(),
                };
                return Some(Err(Error::new(call.site.clone(), fault)));
            }
            let missing = missing(room);
            if missing.is_empty() {
                return Some(Ok(()));
            }
            self.hopeless(&call.site, &missing).map(Err)
        };
        if let Some(outcome) = self.wait(&self.rooms, timeout, &mut look) {
            return outcome;
        }
        let absent = self
            .rooms
            .look(|rooms| rooms.get(key).map(&missing))
            .unwrap_or_default();
        let missing = self.ask(&absent);
        if let Some(outcome) = self.wait(&self.rooms, Some(Duration::ZERO), &mut look) {
            return outcome;
        }
        let fault = Fault::Late {
            waiting: call.site.rank,
            waited: call.timeout,
            missing,
        };
        Err(Error::new(call.site.clone(), fault))
    }

    /// Meets the other members; what all issued, by rank.
    pub(super) fn meet(
        &self,
        call: &Arc<Call>,
        key: &Key,
        offer: Option<Offer>,
    ) -> Result<Vec<Posted>, Error> {
        let post = Message::Post(Post::new(call, offer.clone()));
        self.enter_room(
            key,
            self.rank(),
            Posted {
                call: call.clone(),
                offer,
            },
        );
        self.tell(call.members.ranks(), &post);
        let absent = |room: &Room| room.absent(call.members.sorted());
        self.wait_in(call, key, Some(call.timeout), absent)?;
        let posts = self.rooms.look(|rooms| rooms.get(key).map(Room::posts));
        Ok(posts.unwrap_or_default())
    }

    pub(super) fn enter_room(&self, key: &Key, rank: usize, posted: Posted) {
        let agree =
            |a: &Call, b: &Call| a.agrees(b) && (!self.same_location || a.site.location == b.site.location);
        self.rooms.update(|rooms| {
            rooms.entry(key.clone()).or_default().post(rank, posted, agree);
        });
    }

    /// Waits until all members have made their results, and leaves.
    pub(super) fn part(&self, call: &Call, key: &Key) -> Result<(), Error> {
        self.rooms
            .update(|rooms| rooms.entry(key.clone()).or_default().pass(self.rank()));
        self.tell(call.members.ranks(), &Message::Passed { key: key.clone() });
        // Transfers of emulated links take their time on the other members, too.
        let timeout = self.links().is_none().then_some(call.timeout);
        self.wait_in(call, key, timeout, |room| room.unpassed(call.members.sorted()))?;
        self.rooms.update(|rooms| rooms.remove(key));
        Ok(())
    }

    /// Packs and sends what other members need in a step.
    ///
    /// # Safety
    /// The tensors of the call are valid, and nobody writes them meanwhile.
    unsafe fn send_parts(&self, step: usize, call: &Call, key: &Key) -> Result<(), String> {
        let own = call.position();
        for (to, &rank) in call
            .members
            .ranks()
            .iter()
            .enumerate()
            .filter(|(to, _)| *to != own)
        {
            let parts = (0..call.inputs.len()).filter_map(|index| execute::part(step, call, index, own, to));
            let parts: Vec<Tensor> = parts.collect();
            let total = parts.iter().map(Tensor::bytes).sum();
            if total == 0 {
                continue;
            }
            let message = Message::Part {
                key: key.clone(),
                step,
                total,
            };
            let (mut frame, start) = message::frame(self.run, &message, total)?;
            let mut place = start;
            for part in &parts {
                let packed = Tensor::contiguous(frame[place..].as_mut_ptr(), part.element, &part.sizes);
                // SAFETY: the frame has room for all parts.
                unsafe { copy(&packed, part) };
                place += part.bytes();
            }
            // Bytes beyond what MPI counts follow in frames of their own.
            let rest = frame.split_off((start + FRAME).min(frame.len()));
            self.endpoint.send(rank, frame)?;
            for bytes in rest.chunks(FRAME) {
                let (mut frame, start) = message::frame(self.run, &message, bytes.len())?;
                frame[start..].copy_from_slice(bytes);
                self.endpoint.send(rank, frame)?;
            }
        }
        Ok(())
    }

    /// A step of a member: sends, waits for what the others send, and makes its results.
    ///
    /// # Safety
    /// As `Transport::collective`.
    pub(super) unsafe fn step(&self, step: usize, call: &Call, key: &Key) -> Result<(), Error> {
        // SAFETY: promised by the caller.
        let sent = unsafe { self.send_parts(step, call, key) };
        sent.map_err(|message| Error::new(call.site.clone(), Fault::Resources(message)))?;
        let (own, ranks) = (call.position(), call.members.ranks());
        let part = |from: usize, index: usize| execute::part(step, call, index, from, own);
        let bytes = |from: usize| -> usize {
            let parts = (0..call.inputs.len()).filter_map(|index| part(from, index));
            parts.map(|part| part.bytes()).sum()
        };
        let senders = (0..ranks.len()).filter(|&from| from != own && bytes(from) > 0);
        let senders: Vec<usize> = senders.map(|from| ranks[from]).collect();
        self.wait_in(call, key, Some(call.timeout), |room| room.lacking(step, &senders))?;
        let taken = self
            .rooms
            .update(|rooms| rooms.get_mut(key).map(|room| room.take(step, &senders)));
        let mut parcels: BTreeMap<usize, Parcel> = taken.unwrap_or_default();
        let mut places: BTreeMap<usize, *mut u8> = parcels
            .iter_mut()
            .map(|(&rank, parcel)| (rank, parcel.data()))
            .collect();
        for index in 0..call.outputs.len() {
            let received = |from: usize| {
                let part = part(from, index)?;
                if from == own {
                    return Some(part);
                }
                let place = places.get_mut(&ranks[from])?;
                let received = Tensor::contiguous(*place, part.element, &part.sizes);
                *place = place.wrapping_add(part.bytes());
                Some(received)
            };
            let parts: Vec<Option<Tensor>> = (0..ranks.len()).map(received).collect();
            // SAFETY: the outputs are promised by the caller; the parts are its own, or in parcels, which live until the
            // end of this function and are as long as the sender's part of the same shape.
            unsafe { execute::make(step, call, index, &parts) };
        }
        Ok(())
    }
}
