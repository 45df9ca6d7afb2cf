// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The backend `threads`: ranks are threads of one process and read each other's memory.
//!
//! A collective is a meeting of its group. Meetings are matched by the set of ranks and by the number of the call
//! among those of its rank in that set, counted in the order in which they are *issued*: the program's order, which
//! does not depend on how streams run. All members see the calls of all others and refuse together what does not
//! agree.
//!
//! A failure anywhere is raised as an alarm, which wakes whoever waits for another rank.

mod memory;

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use self::memory::Memory;
use crate::{
    board::Board,
    collective::Call,
    core::{
        alarm::Alarm,
        meeting::{Meeting, Stop},
        monitor::Monitor,
        pad::{Pad, Silence},
    },
    element::Element,
    error::{Error, Fault, Missing, Site, panic_message},
    execute,
    link::Links,
    options::Options,
    sync::Deadline,
    tensor::Tensor,
    transport::{Channel, Symmetric, Transport, late_signal},
};
pub use memory::live_symmetric_bytes;
#[cfg(feature = "mpi")]
pub(crate) use memory::{count_symmetric, uncount_symmetric};

/// The meetings of one set of ranks, and its number among the sets of the world.
struct Team {
    number: u64,
    meeting: Meeting<Arc<Call>, Error>,
}

/// The world that the ranks of one run share.
pub(crate) struct Threads {
    alarm: Arc<Alarm<Error>>,
    teams: Mutex<BTreeMap<Vec<usize>, Arc<Team>>>,
    pads: Vec<Pad<(Channel, usize)>>,
    links: Option<Links>,
    sleepers: Arc<Monitor<()>>,
    memory: Memory,
    board: Board,
    same_location: bool,
}

impl Threads {
    pub(crate) fn new(ranks: usize, options: &Options, now: Instant) -> Self {
        let alarm = Arc::new(Alarm::new(ranks));
        let sleepers = Arc::new(Monitor::new(()));
        alarm.watch(Arc::downgrade(&sleepers) as _);
        Self {
            teams: Mutex::default(),
            pads: (0..ranks).map(|_| Pad::new(&alarm)).collect(),
            links: options.link.map(|link| Links::new(link, ranks, now)),
            sleepers,
            memory: Memory::default(),
            board: Board::new(ranks),
            same_location: options.same_location,
            alarm,
        }
    }

    fn team(&self, sorted: &[usize]) -> Arc<Team> {
        let mut teams = self.teams.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(team) = teams.get(sorted) {
            return team.clone();
        }
        let team = Arc::new(Team {
            number: teams.len() as u64,
            meeting: Meeting::new(sorted.to_vec(), self.alarm.clone()),
        });
        teams.insert(sorted.to_vec(), team.clone());
        team
    }

    /// Meets the other members; their calls, in the order of positions.
    fn meet(&self, team: &Team, call: &Arc<Call>) -> Result<Vec<Arc<Call>>, Error> {
        let agree = |a: &Arc<Call>, b: &Arc<Call>| {
            a.agrees(b) && (!self.same_location || a.site.location == b.site.location)
        };
        let deadline = Deadline::after(call.timeout);
        let seat = seat(call);
        let describe = |seat: usize| self.board.describe(call.members.sorted()[seat]);
        let met = team
            .meeting
            .arrive(call.number, seat, call.clone(), agree, deadline, describe);
        let mut calls = met.map_err(|stop| self.stopped(call, stop))?.to_vec();
        calls.sort_by_key(|call| call.position());
        Ok(calls)
    }

    fn stopped(&self, call: &Arc<Call>, stop: Stop<Arc<Call>>) -> Error {
        let fault = match stop {
            Stop::Mismatch([(_, first), (_, second)]) => Fault::Mismatch {
                first: first.site.clone(),
                first_call: first.to_string(),
                second: second.site.clone(),
                second_call: second.to_string(),
            },
            Stop::Late {
                waiting: (_, waiting),
                missing,
            } => Fault::Late {
                waiting: waiting.site.rank,
                waited: waiting.timeout,
                missing: missing
                    .into_iter()
                    .map(|(seat, doing)| Missing {
                        rank: call.members.sorted()[seat],
                        doing,
                    })
                    .collect(),
            },
            Stop::Gone(seat) => Fault::Gone(call.members.sorted()[seat]),
            Stop::Interrupted => return self.interrupted(&call.site),
        };
        Error::new(call.site.clone(), fault)
    }

    fn interrupted(&self, site: &Site) -> Error {
        match self.alarm.failure() {
            Some(first) => Error::elsewhere(site.clone(), &first),
            None => Error::new(site.clone(), Fault::Program("a member failed".to_owned())),
        }
    }

    /// Sleeps until a transfer has arrived, or until the alarm.
    fn sleep(&self, arrival: Instant, site: &Site) -> Result<(), Error> {
        let failure = self
            .sleepers
            .wait(Deadline::at(arrival), |()| self.alarm.failure());
        failure.map_or(Ok(()), |first| Err(Error::elsewhere(site.clone(), &first)))
    }
}

/// Where a member sits at a meeting: the position of its rank in the sorted list, which is the same for all, even for
/// members that do not agree on the order.
fn seat(call: &Call) -> usize {
    call.members
        .sorted()
        .binary_search(&call.site.rank)
        .unwrap_or_default()
}

/// A step of a member, whose parts of the others' tensors are where those lie.
///
/// # Safety
/// As `execute::make`, for the tensors of all calls, which are those of all members by position, and agree.
unsafe fn step(number: usize, call: &Call, calls: &[Arc<Call>]) {
    let own = call.position();
    for index in 0..call.outputs.len() {
        let positions = calls.iter().enumerate();
        let parts: Vec<Option<Tensor>> = positions
            .map(|(from, theirs)| execute::part(number, theirs, index, from, own))
            .collect();
        // SAFETY: promised by the caller.
        unsafe { execute::make(number, call, index, &parts) };
    }
}

impl Transport for Threads {
    fn ranks(&self) -> usize {
        self.pads.len()
    }

    unsafe fn collective(&self, call: &Arc<Call>) -> Result<(), Error> {
        let team = self.team(call.members.sorted());
        let calls = self.meet(&team, call)?;
        let begun = Instant::now();
        let steps = execute::steps(&call.kind);
        let mut outcome = Ok(());
        let mut is_well = true;
        // From here to the last pass the others read this member's tensors: nothing may return early.
        for number in 0..steps {
            if is_well && outcome.is_ok() {
                // SAFETY: every member has promised the same for its own tensors and is between arriving and the last
                // pass.
                let moved = catch_unwind(AssertUnwindSafe(|| unsafe { step(number, call, &calls) }));
                outcome = moved
                    .map_err(|panic| Error::new(call.site.clone(), Fault::Panic(panic_message(&*panic))));
            }
            let is_last = number + 1 == steps;
            if let Some(links) = self
                .links
                .as_ref()
                .filter(|_| is_last && calls.len() > 1 && outcome.is_ok())
            {
                let arrival = links.reserve(call.site.rank, call.wire_bytes(), begun);
                outcome = self.sleep(arrival, &call.site);
            }
            if let Err(error) = &outcome {
                // Before the others learn that a member failed: they quote it.
                self.alarm.raise(error.clone());
            }
            is_well = team
                .meeting
                .pass(call.number, number + 1, outcome.is_ok(), is_last);
        }
        outcome?;
        if is_well {
            Ok(())
        } else {
            Err(self.interrupted(&call.site))
        }
    }

    fn allocate(&self, call: &Call, bytes: usize) -> Result<Symmetric, Error> {
        let rank = call.site.rank;
        let data = self.memory.allocate(rank, bytes).ok_or_else(|| {
            let message = format!("no memory for {bytes} bytes");
            Error::new(call.site.clone(), Fault::Resources(message))
        })?;
        let mut posted = call.clone();
        posted.outputs = vec![Tensor::contiguous(data, Element::U8, &[bytes])];
        let team = self.team(call.members.sorted());
        // After a failure the part stays until the end of the world: another member may have seen its address.
        let calls = self.meet(&team, &Arc::new(posted))?;
        let parts = calls
            .iter()
            .map(|call| (call.site.rank, call.outputs[0].clone()))
            .collect();
        team.meeting.pass(call.number, 1, true, true);
        Ok(Symmetric {
            number: ((team.number + 1) << 40) | call.number,
            bytes,
            parts,
        })
    }

    fn free(&self, call: &Arc<Call>, buffer: &Symmetric) -> Result<(), Error> {
        let team = self.team(call.members.sorted());
        self.meet(&team, call)?;
        team.meeting.pass(call.number, 1, true, true);
        for (_, part) in buffer.parts.iter().filter(|(rank, _)| *rank == call.site.rank) {
            self.memory.free(part.data);
        }
        Ok(())
    }

    fn put_signal(&self, site: &Site, peer: usize, channel: Channel, epoch: u64) -> Result<(), Error> {
        if let Some(links) = self.links.as_ref().filter(|_| peer != site.rank) {
            self.sleep(links.reserve(peer, 0, Instant::now()), site)?;
        }
        let put = self.pads[peer].put((channel, site.rank), epoch);
        put.map_err(|before| {
            let message = format!(
                "epoch {epoch} does not follow epoch {before} on channel {} to rank {peer}",
                channel.1
            );
            Error::invalid(site.clone(), message)
        })
    }

    fn wait_signal(
        &self,
        site: &Site,
        peer: usize,
        channel: Channel,
        epoch: u64,
        timeout: Duration,
    ) -> Result<(), Error> {
        let (pad, key) = (&self.pads[site.rank], (channel, peer));
        let waited = pad.wait(&key, epoch, peer, Deadline::after(timeout), &self.alarm);
        waited.map_err(|silence| match silence {
            Silence::Interrupted => self.interrupted(site),
            Silence::Gone => Error::new(site.clone(), Fault::Gone(peer)),
            Silence::Late => {
                let missing = Missing {
                    rank: peer,
                    doing: self.board.describe(peer),
                };
                late_signal(site, timeout, vec![missing], pad.epoch(&key), epoch)
            }
        })
    }

    fn copied(&self, site: &Site, target: &Tensor, source: &Tensor, begun: Instant) -> Result<(), Error> {
        let Some(links) = &self.links else { return Ok(()) };
        let owner = |tensor: &Tensor| self.memory.owner(tensor.data).unwrap_or(site.rank);
        let (from, to) = (owner(source), owner(target));
        if from == to {
            return Ok(());
        }
        self.sleep(links.reserve(to, source.bytes(), begun), site)
    }

    fn enter(&self, rank: usize, stream: u64, site: &Site) {
        self.board.enter(rank, stream, site);
    }

    fn leave(&self, rank: usize, stream: u64) {
        self.board.leave(rank, stream);
    }

    fn fail(&self, error: Error) {
        self.alarm.raise(error);
    }

    fn failure(&self) -> Option<Error> {
        self.alarm.failure()
    }

    fn depart(&self, rank: usize) {
        self.alarm.depart(rank);
    }
}
