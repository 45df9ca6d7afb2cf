// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Jobs: so many processes of this test binary under `mpirun`, each of which executes one test.

use std::{
    cell::RefCell,
    collections::BTreeSet,
    env, fs,
    io::{Read, Seek},
    path::Path,
    process::{self, Command, ExitStatus, Stdio},
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// Set in the processes of a job: how many there are.
const SIZE: &str = "COMM_RT_TEST_PROCESSES";
/// Set in the processes of a job: which part of the test they are to execute.
const PART: &str = "COMM_RT_TEST_PART";
/// What each process of a job prints, with its number behind it.
const HERE: &str = "process of the job:";
/// Far beyond what any job takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// One job at a time: what is left behind is counted.
static TURN: Mutex<()> = Mutex::new(());

thread_local! {
    /// Sizes of the jobs that the test of this thread has started.
    static STARTED: RefCell<BTreeSet<usize>> = const { RefCell::new(BTreeSet::new()) };
}

/// Number of processes of the job that this process is in.
pub fn size() -> Option<usize> {
    env::var(SIZE).ok().and_then(|size| size.parse().ok())
}

/// Which part of its test the job is to execute.
pub fn part() -> String {
    env::var(PART).unwrap_or_default()
}

/// This process's rank, before MPI says it: in the words of Open MPI, and of those with a process manager like MPICH's.
pub fn rank() -> usize {
    let rank = env::var("OMPI_COMM_WORLD_RANK").or_else(|_| env::var("PMI_RANK"));
    rank.ok().and_then(|rank| rank.parse().ok()).unwrap_or(0)
}

/// What a test begins with in a process of a job.
pub fn announce() {
    eprintln!("{HERE} {}", process::id());
}

/// A job of one test.
pub struct Job {
    test: String,
    size: usize,
    part: &'static str,
    is_alone: bool,
}

/// How a job ended.
pub struct Ended {
    pub status: ExitStatus,
    pub output: String,
    pub took: Duration,
}

impl Job {
    /// Of the test that this thread executes, whose name libtest has given to the thread.
    pub fn of_this_test(size: usize) -> Self {
        let test = thread::current().name().unwrap_or_default().to_owned();
        assert!(
            test.contains("::"),
            "the thread is called {test:?}: run the tests with --test-threads=2 or more"
        );
        Self {
            test,
            size,
            part: "",
            is_alone: false,
        }
    }

    /// That executes a part of the test.
    pub fn part(self, part: &'static str) -> Self {
        Self { part, ..self }
    }

    /// A single process without `mpirun`, whatever the size.
    pub fn alone(self) -> Self {
        Self {
            is_alone: true,
            ..self
        }
    }

    /// Runs it, unless this test has run one of the same size; it must succeed.
    pub fn once(self) {
        if STARTED.with_borrow_mut(|started| started.insert(self.size)) {
            let (test, size) = (self.test.clone(), self.size);
            let ended = self.run();
            assert!(
                ended.status.success(),
                "{test} on {size} processes: {}",
                ended.output
            );
        }
    }

    /// Runs it, and checks that it leaves nothing behind.
    pub fn run(self) -> Ended {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let before = shared_files();
        let ended = self.execute();
        let numbers = ended.output.lines().filter_map(|line| line.split_once(HERE));
        let numbers: Vec<String> = numbers.map(|(_, number)| number.trim().to_owned()).collect();
        let left = || {
            let processes = numbers.iter().filter(|number| is_of_this_binary(number));
            let files = shared_files();
            let files = files.difference(&before).cloned();
            processes.cloned().chain(files).collect::<Vec<_>>()
        };
        let begun = Instant::now();
        while !left().is_empty() && begun.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(left(), [""; 0], "left behind: {}", ended.output);
        ended
    }

    fn execute(&self) -> Ended {
        let begun = Instant::now();
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("job.{}", process::id()));
        let mut log = fs::File::options()
            .create(true)
            .truncate(true)
            .read(true)
            .write(true)
            .open(&scratch)
            .unwrap();
        let binary = env::current_exe().unwrap();
        let mut command = if self.is_alone {
            Command::new(binary)
        } else {
            let mut mpirun = Command::new("mpirun");
            mpirun.args(["-n", &self.size.to_string()]).arg(binary);
            mpirun
        };
        let mut job = command
            .args(["--exact", &self.test, "--nocapture", "--test-threads=1"])
            .env(SIZE, self.size.to_string())
            .env(PART, self.part)
            // Open MPI refuses root and more processes than processors unless told; others ignore these.
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log.try_clone().unwrap())
            .spawn()
            .expect("mpirun");
        let status = loop {
            if let Some(status) = job.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > PATIENCE {
                // It ends its processes before it goes.
                let number = job.id().to_string();
                Command::new("kill").arg(number).status().ok();
                break job.wait().unwrap();
            }
            thread::sleep(Duration::from_millis(5));
        };
        let mut bytes = Vec::new();
        log.rewind().unwrap();
        log.read_to_end(&mut bytes).unwrap();
        fs::remove_file(scratch).ok();
        Ended {
            status,
            output: String::from_utf8_lossy(&bytes).into_owned(),
            took: begun.elapsed(),
        }
    }
}

fn shared_files() -> BTreeSet<String> {
    let entries = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Whether a process number is in use by a process of this binary that is no corpse.
fn is_of_this_binary(number: &str) -> bool {
    let program = fs::read_link(format!("/proc/{number}/exe"));
    program.ok() == env::current_exe().ok()
}
