// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The backend `mpi`: ranks are the processes of an MPI job, and tell each other everything by messages.
//!
//! A collective is the same meeting as on threads: each member posts what it issued to all others, and all refuse
//! together what does not agree. Then each sends the others the parts that they need, packed, and makes its own result
//! of those that come, by the same code and so in the same order as on threads; MPI's own reductions promise no order.
//! It ends when all members have made theirs.
//!
//! Invariants: every wait is a loop that polls, looks and sleeps, so nothing waits inside MPI, and messages make progress
//! as long as anybody waits; a thread of the run's own polls when nobody does. A failure goes to all ranks before
//! anything that its rank does afterwards, and so does a departure.
//!
//! What it does not do: symmetric memory over several machines, which is refused, and emulated links between them.

mod endpoint;
mod meeting;
mod memory;
mod message;
mod progress;
mod rooms;
mod run;
mod segment;

use std::{
    collections::BTreeMap,
    fs::File,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use self::{
    endpoint::Endpoint,
    meeting::key,
    memory::Memory,
    message::{End, Failure, Join, Message, Offer},
    rooms::Rooms,
    segment::{Counters, Segment},
};
use crate::{
    board::Board,
    collective::Call,
    core::{
        alarm::Alarm,
        monitor::Monitor,
        pad::{Pad, Silence},
    },
    element::Element,
    error::{Error, Fault, Site, panic_message},
    execute,
    link::Links,
    options::Options,
    sync::Deadline,
    tensor::Tensor,
    transport::{Channel, Symmetric, Transport, late_signal},
};

pub(crate) use run::run;

/// How long a rank that gives up waits for others to say what they are doing.
const PATIENCE: Duration = Duration::from_secs(1);

/// What has been heard of the other ranks, by rank.
#[derive(Default)]
struct Heard {
    joined: BTreeMap<usize, Join>,
    ended: BTreeMap<usize, End>,
    /// By inquiry and rank.
    answers: BTreeMap<(u64, usize), String>,
}

/// What the processes agree on at the beginning of a run.
struct Agreed {
    nodes: Vec<String>,
    links: Option<Links<Counters>>,
    /// Rank 0's state of the links, open for the others.
    _file: Option<File>,
}

/// One process in one run.
pub(crate) struct Mpi {
    endpoint: &'static Endpoint,
    run: u64,
    alarm: Arc<Alarm<Error>>,
    first: Mutex<Option<Failure>>,
    rooms: Arc<Monitor<Rooms>>,
    heard: Arc<Monitor<Heard>>,
    pad: Pad<(Channel, usize)>,
    /// Epochs of this rank's own counters, by channel and peer.
    sent: Mutex<BTreeMap<(Channel, usize), u64>>,
    sleepers: Arc<Monitor<()>>,
    memory: Memory,
    board: Board,
    agreed: OnceLock<Agreed>,
    same_location: bool,
    buffers: AtomicU64,
    inquiries: AtomicU64,
}

impl Mpi {
    fn new(endpoint: &'static Endpoint, options: &Options) -> Self {
        let alarm = Arc::new(Alarm::new(endpoint.ranks()));
        let rooms = Arc::new(Monitor::new(Rooms::new()));
        let heard = Arc::new(Monitor::new(Heard::default()));
        let sleepers = Arc::new(Monitor::new(()));
        alarm.watch(Arc::downgrade(&rooms) as _);
        alarm.watch(Arc::downgrade(&heard) as _);
        alarm.watch(Arc::downgrade(&sleepers) as _);
        Self {
            endpoint,
            run: endpoint.next_run(),
            first: Mutex::default(),
            rooms,
            heard,
            pad: Pad::new(&alarm),
            sent: Mutex::default(),
            sleepers,
            memory: Memory::default(),
            board: Board::new(endpoint.ranks()),
            agreed: OnceLock::new(),
            same_location: options.same_location,
            buffers: AtomicU64::new(1),
            inquiries: AtomicU64::new(0),
            alarm,
        }
    }

    fn rank(&self) -> usize {
        self.endpoint.rank()
    }

    fn links(&self) -> Option<&Links<Counters>> {
        self.agreed.get().and_then(|agreed| agreed.links.as_ref())
    }

    /// All ranks but this one.
    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let own = self.rank();
        (0..self.endpoint.ranks()).filter(move |&rank| rank != own)
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

    /// That all members can share memory; else which cannot.
    fn check_nodes(&self, call: &Call) -> Result<(), Error> {
        let nodes = self.agreed.get().map_or(&[][..], |agreed| &agreed.nodes);
        let (first, rest) = (call.members.sorted()[0], &call.members.sorted()[1..]);
        match rest.iter().find(|&&rank| nodes.get(rank) != nodes.get(first)) {
            None => Ok(()),
            Some(other) => {
                let message = format!(
                    "no symmetric memory over several machines: ranks {first} and {other} of {} share none",
                    call.members
                );
                Err(Error::new(call.site.clone(), Fault::Resources(message)))
            }
        }
    }
}

impl Transport for Mpi {
    fn ranks(&self) -> usize {
        self.endpoint.ranks()
    }

    unsafe fn collective(&self, call: &Arc<Call>) -> Result<(), Error> {
        let key = key(call);
        self.meet(call, &key, None)?;
        let begun = Instant::now();
        for number in 0..execute::steps(&call.kind) {
            // SAFETY: promised by the caller.
            let step = AssertUnwindSafe(|| unsafe { self.step(number, call, &key) });
            catch_unwind(step).unwrap_or_else(|panic| {
                Err(Error::new(
                    call.site.clone(),
                    Fault::Panic(panic_message(&*panic)),
                ))
            })?;
        }
        if let Some(links) = self.links().filter(|_| call.members.size() > 1) {
            let arrival = links.reserve(call.site.rank, call.wire_bytes(), begun);
            self.sleep(arrival, &call.site)?;
        }
        if call.inputs.is_empty() {
            // To have met is all that a barrier is.
            self.rooms.update(|rooms| rooms.remove(&key));
            return Ok(());
        }
        self.part(call, &key)
    }

    fn allocate(&self, call: &Call, bytes: usize) -> Result<Symmetric, Error> {
        self.check_nodes(call)?;
        let resources = |error: std::io::Error| {
            let message = format!("no memory for {bytes} bytes: {error}");
            Error::new(call.site.clone(), Fault::Resources(message))
        };
        let made = Segment::make(bytes).map_err(resources)?;
        let counter = self.buffers.fetch_add(1, Ordering::SeqCst);
        let offer = Offer {
            path: made.path,
            number: (self.rank() as u64 + 1) << 40 | counter,
        };
        let (call, key) = (Arc::new(call.clone()), key(call));
        let posts = self.meet(&call, &key, Some(offer))?;
        // The member of the lowest rank names the buffer.
        let offers: Vec<(usize, Offer)> = posts
            .into_iter()
            .filter_map(|posted| Some((posted.call.site.rank, posted.offer?)))
            .collect();
        let number = offers.first().map_or(0, |(_, offer)| offer.number);
        let mut own = Some(made.segment);
        let mut segments = BTreeMap::new();
        for (rank, offer) in offers {
            let segment = match own.take_if(|_| rank == self.rank()) {
                Some(own) => own,
                None => Segment::open(&offer.path, bytes).map_err(resources)?,
            };
            segments.insert(rank, segment);
        }
        let parts = call.members.ranks().iter().filter_map(|rank| {
            let data = segments.get(rank)?.data();
            Some((*rank, Tensor::contiguous(data, Element::U8, &[bytes])))
        });
        let buffer = Symmetric {
            number,
            bytes,
            parts: parts.collect(),
        };
        self.memory
            .keep(number, self.rank(), bytes, segments.into_iter().collect());
        // Until all have mapped it, the file must be open.
        self.part(&call, &key)?;
        drop(made.file);
        Ok(buffer)
    }

    fn free(&self, call: &Arc<Call>, buffer: &Symmetric) -> Result<(), Error> {
        let key = key(call);
        self.meet(call, &key, None)?;
        self.part(call, &key)?;
        self.memory.free(buffer.number);
        Ok(())
    }

    fn put_signal(&self, site: &Site, peer: usize, channel: Channel, epoch: u64) -> Result<(), Error> {
        if let Some(links) = self.links().filter(|_| peer != site.rank) {
            self.sleep(links.reserve(peer, 0, Instant::now()), site)?;
        }
        // This rank alone raises the counter, so it knows where it stands; the lock keeps messages in order.
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let counter = sent.entry((channel, peer)).or_insert(0);
        if *counter >= epoch {
            let message = format!(
                "epoch {epoch} does not follow epoch {counter} on channel {} to rank {peer}",
                channel.1
            );
            return Err(Error::invalid(site.clone(), message));
        }
        *counter = epoch;
        if peer == site.rank {
            self.signal(peer, channel, epoch);
        } else {
            self.tell(&[peer], &Message::Signal { channel, epoch });
        }
        Ok(())
    }

    fn wait_signal(
        &self,
        site: &Site,
        peer: usize,
        channel: Channel,
        epoch: u64,
        timeout: Duration,
    ) -> Result<(), Error> {
        let key = (channel, peer);
        let come = |time: Duration| {
            let waited = self
                .pad
                .wait(&key, epoch, peer, Deadline::after(time), &self.alarm);
            match waited {
                Ok(()) => Some(Ok(())),
                Err(Silence::Interrupted) => Some(Err(self.interrupted(site))),
                Err(Silence::Gone) => Some(Err(Error::new(site.clone(), Fault::Gone(peer)))),
                Err(Silence::Late) => None,
            }
        };
        if let Some(outcome) = self.polling(Some(timeout), come) {
            return outcome;
        }
        let missing = self.ask(&[peer]);
        if let Some(outcome) = come(Duration::ZERO) {
            return outcome;
        }
        Err(late_signal(site, timeout, missing, self.pad.epoch(&key), epoch))
    }

    fn copied(&self, site: &Site, target: &Tensor, source: &Tensor, begun: Instant) -> Result<(), Error> {
        let Some(links) = self.links() else { return Ok(()) };
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
        self.raise(error);
    }

    fn failure(&self) -> Option<Error> {
        self.alarm.failure()
    }

    fn depart(&self, rank: usize) {
        self.alarm.depart(rank);
        self.tell_others(&Message::Departed);
    }
}
