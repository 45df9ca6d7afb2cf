// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! This process in the MPI job: sends and receives messages of bytes, and never waits for any.
//!
//! All messages have one tag in one communicator of our own, and say themselves what they are: MPI need not match
//! anything, and a message that nobody waits for yet is received like any other. Whoever waits for something polls, so
//! progress depends on no single thread.
//!
//! Invariants: messages of one rank are delivered in the order in which it sent them, whatever their size. MPI reads and
//! writes memory of the endpoint alone, so a failed op leaves no request behind that uses a program's memory.

use std::{
    collections::VecDeque,
    mem::MaybeUninit,
    ptr::null_mut,
    sync::{
        Mutex, OnceLock, PoisonError, TryLockError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use mpi_sys as sys;

/// A message that is on its way, and the memory that MPI uses meanwhile.
struct Transfer {
    request: sys::MPI_Request,
    bytes: Vec<u8>,
}

impl Transfer {
    /// Whether it has ended.
    fn has_ended(&mut self) -> Result<bool, String> {
        let mut flag = 0;
        let mut status = MaybeUninit::uninit();
        // SAFETY: a request that was begun and has not ended.
        check("MPI_Test", unsafe {
            sys::MPI_Test(&mut self.request, &mut flag, status.as_mut_ptr())
        })?;
        Ok(flag != 0)
    }
}

/// This process's end of all connections.
pub(super) struct Endpoint {
    comm: sys::MPI_Comm,
    rank: usize,
    ranks: usize,
    outbox: Mutex<Vec<Transfer>>,
    /// By sender, in the order of arrival.
    inbox: Mutex<Vec<VecDeque<Transfer>>>,
    /// Messages of runs that this process has not begun yet.
    later: Mutex<Vec<(usize, Vec<u8>)>>,
    runs: AtomicU64,
}

// SAFETY: communicators and requests are handles that any thread may use at MPI_THREAD_MULTIPLE, which is checked.
unsafe impl Send for Endpoint {}
// SAFETY: as above; requests are behind locks.
unsafe impl Sync for Endpoint {}

const TAG: i32 = 0;
static ENDPOINT: OnceLock<Result<Endpoint, String>> = OnceLock::new();
static IS_RUNNING: AtomicBool = AtomicBool::new(false);

/// While this lives, the process takes part in a run.
pub(super) struct Running(());

impl Running {
    /// Nothing if a run is under way.
    pub(super) fn begin() -> Option<Self> {
        let was_running = IS_RUNNING.swap(true, Ordering::SeqCst);
        (!was_running).then_some(Self(()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        IS_RUNNING.store(false, Ordering::SeqCst);
    }
}

impl Endpoint {
    /// The endpoint of this process; made, and MPI initialised unless the program has done so, when it is first asked
    /// for, which waits so long for the other processes to do the same.
    ///
    /// # Errors
    /// Why there is none; the same for ever after.
    pub(super) fn get(timeout: Duration) -> Result<&'static Self, String> {
        let endpoint = ENDPOINT.get_or_init(|| Self::connect(timeout));
        endpoint.as_ref().map_err(Clone::clone)
    }

    fn connect(timeout: Duration) -> Result<Self, String> {
        initialise()?;
        let (mut rank, mut ranks, mut comm) = (0, 0, null_of_comm());
        let mut copying = Transfer {
            request: null_of_request(),
            bytes: Vec::new(),
        };
        // SAFETY: MPI is initialised, and the places are valid until the request has ended.
        unsafe {
            check(
                "MPI_Comm_rank",
                sys::MPI_Comm_rank(sys::RSMPI_COMM_WORLD, &mut rank),
            )?;
            check(
                "MPI_Comm_size",
                sys::MPI_Comm_size(sys::RSMPI_COMM_WORLD, &mut ranks),
            )?;
        }
        // MPI writes it whenever the others come, even if that is after we gave up.
        let place = Box::leak(Box::new(comm));
        // SAFETY: as above; the place lives for ever.
        check("MPI_Comm_idup", unsafe {
            sys::MPI_Comm_idup(sys::RSMPI_COMM_WORLD, place, &mut copying.request)
        })?;
        let begun = Instant::now();
        while !copying.has_ended()? {
            if begun.elapsed() > timeout {
                return Err(format!(
                    "rank {rank} gave up after {} ms: not all {ranks} processes of the MPI job have begun to run a program",
                    timeout.as_millis()
                ));
            }
            thread::sleep(Duration::from_micros(100));
        }
        comm = *place;
        // SAFETY: a communicator of our own.
        check("MPI_Comm_set_errhandler", unsafe {
            sys::MPI_Comm_set_errhandler(comm, sys::RSMPI_ERRORS_RETURN)
        })?;
        Ok(Self {
            comm,
            rank: rank as usize,
            ranks: ranks as usize,
            outbox: Mutex::default(),
            inbox: Mutex::new((0..ranks).map(|_| VecDeque::new()).collect()),
            later: Mutex::default(),
            runs: AtomicU64::new(0),
        })
    }

    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    pub(super) fn ranks(&self) -> usize {
        self.ranks
    }

    /// The number of the next run: the same on all processes, which run the same programs in the same order.
    pub(super) fn next_run(&self) -> u64 {
        self.runs.fetch_add(1, Ordering::SeqCst)
    }

    /// Keeps a message for a run that has not begun.
    pub(super) fn keep(&self, from: usize, bytes: Vec<u8>) {
        let mut later = self.later.lock().unwrap_or_else(PoisonError::into_inner);
        later.push((from, bytes));
    }

    /// What was kept, in the order of arrival.
    pub(super) fn kept(&self) -> Vec<(usize, Vec<u8>)> {
        std::mem::take(&mut *self.later.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Begins to send.
    ///
    /// # Errors
    /// What MPI says, and a message of 2 GiB or more, which it cannot count.
    pub(super) fn send(&self, to: usize, bytes: Vec<u8>) -> Result<(), String> {
        let count = i32::try_from(bytes.len()).map_err(|_| format!("a message of {} bytes", bytes.len()))?;
        let mut outbox = self.outbox.lock().unwrap_or_else(PoisonError::into_inner);
        let mut request = null_of_request();
        // SAFETY: the bytes live until the request has ended. Under the lock, so that the order of messages is that of
        // calls of this function.
        check("MPI_Isend", unsafe {
            let data = bytes.as_ptr().cast();
            let byte = sys::RSMPI_UINT8_T;
            sys::MPI_Isend(data, count, byte, to as i32, TAG, self.comm, &mut request)
        })?;
        outbox.push(Transfer { request, bytes });
        Ok(())
    }

    /// Delivers what has arrived, and forgets what was sent; whether there was anything. Another thread that is at it
    /// already is not waited for. `deliver` may send, and must not poll.
    ///
    /// # Errors
    /// What MPI says.
    pub(super) fn poll(&self, deliver: &mut dyn FnMut(usize, Vec<u8>)) -> Result<bool, String> {
        self.sweep()?;
        let mut inbox = match self.inbox.try_lock() {
            Ok(inbox) => inbox,
            Err(TryLockError::Poisoned(inbox)) => inbox.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        while let Some((from, transfer)) = self.next_arrival()? {
            inbox[from].push_back(transfer);
        }
        let mut any = false;
        for (from, queue) in inbox.iter_mut().enumerate() {
            while let Some(first) = queue.front_mut()
                && first.has_ended()?
            {
                if let Some(ended) = queue.pop_front() {
                    deliver(from, ended.bytes);
                }
                any = true;
            }
        }
        Ok(any)
    }

    /// Whether all that was sent has left this process.
    pub(super) fn is_drained(&self) -> bool {
        self.outbox
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_empty()
    }

    fn next_arrival(&self) -> Result<Option<(usize, Transfer)>, String> {
        let (mut flag, mut count) = (0, 0);
        let (mut message, mut status) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let mut request = null_of_request();
        // SAFETY: places for results, which MPI writes where it says so.
        unsafe {
            let (any, at) = (sys::RSMPI_ANY_SOURCE, status.as_mut_ptr());
            let probed = sys::MPI_Improbe(any, TAG, self.comm, &mut flag, message.as_mut_ptr(), at);
            check("MPI_Improbe", probed)?;
            if flag == 0 {
                return Ok(None);
            }
            let counted = sys::MPI_Get_count(status.as_ptr(), sys::RSMPI_UINT8_T, &mut count);
            check("MPI_Get_count", counted)?;
            let mut bytes = vec![0; count as usize];
            let data = bytes.as_mut_ptr().cast();
            let matched = message.as_mut_ptr();
            let received = sys::MPI_Imrecv(data, count, sys::RSMPI_UINT8_T, matched, &mut request);
            check("MPI_Imrecv", received)?;
            let from = status.assume_init().MPI_SOURCE as usize;
            Ok(Some((from, Transfer { request, bytes })))
        }
    }

    fn sweep(&self) -> Result<(), String> {
        let mut outbox = match self.outbox.try_lock() {
            Ok(outbox) => outbox,
            Err(TryLockError::Poisoned(outbox)) => outbox.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(()),
        };
        let mut index = 0;
        while index < outbox.len() {
            if outbox[index].has_ended()? {
                outbox.swap_remove(index);
            } else {
                index += 1;
            }
        }
        Ok(())
    }
}

fn null_of_request() -> sys::MPI_Request {
    // SAFETY: a constant of the library.
    unsafe { sys::RSMPI_REQUEST_NULL }
}

fn null_of_comm() -> sys::MPI_Comm {
    // SAFETY: a constant of the library.
    unsafe { sys::RSMPI_COMM_NULL }
}

/// Initialises MPI, unless the program has; then it finalises it, too.
fn initialise() -> Result<(), String> {
    let (mut is_initialised, mut is_finalised, mut provided) = (0, 0, 0);
    // SAFETY: places for results; these functions may be called at any time.
    unsafe {
        check("MPI_Initialized", sys::MPI_Initialized(&mut is_initialised))?;
        check("MPI_Finalized", sys::MPI_Finalized(&mut is_finalised))?;
        if is_finalised != 0 {
            return Err("MPI was finalised before the first run".to_owned());
        }
        if is_initialised != 0 {
            check("MPI_Query_thread", sys::MPI_Query_thread(&mut provided))?;
        } else {
            let wanted = sys::RSMPI_THREAD_MULTIPLE;
            let begun = sys::MPI_Init_thread(null_mut(), null_mut(), wanted, &mut provided);
            check("MPI_Init_thread", begun)?;
            if libc::atexit(leave) != 0 {
                return Err("no room for a function to finalise MPI at the end of the process".to_owned());
            }
        }
        let levels = [
            (sys::RSMPI_THREAD_SINGLE, "MPI_THREAD_SINGLE"),
            (sys::RSMPI_THREAD_FUNNELED, "MPI_THREAD_FUNNELED"),
            (sys::RSMPI_THREAD_SERIALIZED, "MPI_THREAD_SERIALIZED"),
        ];
        let lower = levels.iter().find(|(level, _)| *level == provided);
        lower.map_or(Ok(()), |(_, name)| {
            Err(format!(
                "the MPI library grants {name}, but MPI_THREAD_MULTIPLE is needed"
            ))
        })
    }
}

/// At the end of the process. In a run the other ranks wait for this one, which will never come: they are ended.
extern "C" fn leave() {
    let mut is_finalised = 0;
    // SAFETY: MPI was initialised before this was registered.
    unsafe {
        if sys::MPI_Finalized(&mut is_finalised) != 0 || is_finalised != 0 {
            return;
        }
        if IS_RUNNING.load(Ordering::SeqCst) {
            eprintln!("comm_runtime: the process of an MPI rank exits within its program; the job is ended");
            sys::MPI_Abort(sys::RSMPI_COMM_WORLD, 1);
        } else {
            sys::MPI_Finalize();
        }
    }
}

fn check(function: &str, code: i32) -> Result<(), String> {
    if code == sys::MPI_SUCCESS as i32 {
        return Ok(());
    }
    let mut text = [0u8; 4096]; // Above MPI_MAX_ERROR_STRING of any library.
    let mut length = 0;
    // SAFETY: as long as the standard wants, and longer.
    unsafe { sys::MPI_Error_string(code, text.as_mut_ptr().cast(), &mut length) };
    let text = String::from_utf8_lossy(&text[..(length.max(0) as usize).min(text.len())]).into_owned();
    Err(format!("{function}: {text}"))
}
