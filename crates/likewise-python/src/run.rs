//! Long work in threads of our own, watched from the thread that called.
//!
//! The caller waits without the interpreter's lock. Twenty times a second it takes the lock for a moment, to let Python handle
//! signals (Ctrl-C) and to tell whoever asked how far the work is. So a callback runs in the thread that called, never in
//! another, and other Python threads go on meanwhile.
//!
//! Work that is to end is given a moment to see it. Where it is in the middle of something that asks nobody, the call returns all the
//! same, and the threads end by themselves soon after: they own all they work on. Files are written under their names when whole, so
//! nothing is left half-written.

use crate::errors::{error, of_task};
use crate::pools::Pool;
use likewise::control::{Control, Watch};
use likewise::resource::Resources;
use likewise::task::{Context, TaskError};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the caller looks up.
const TICK: Duration = Duration::from_millis(50);
/// How long work that is to end may take to see it.
const GRACE: Duration = Duration::from_millis(600);

/// How a call is run: number of threads, who is told of progress, where WordNet is, dependency trees beside the texts.
#[derive(FromPyObject)]
pub struct How(Option<usize>, Option<Py<PyAny>>, Option<PathBuf>, Vec<PathBuf>);

impl How {
    fn resources(&self) -> Result<Resources, TaskError> {
        let mut resources = Resources::default();
        if let Some(wordnet) = &self.2 {
            resources = resources.with_wordnet(wordnet);
        }
        if self.3.is_empty() {
            return Ok(resources);
        }
        resources.with_parses(&self.3).map_err(|error| TaskError::Input(error.to_string()))
    }
}

/// A stage of the work, and how far it is.
#[derive(Debug, Clone, PartialEq)]
struct Stage {
    name: String,
    done: u64,
    steps: Option<u64>,
}

/// Knows how far the work is, and whether it shall end.
#[derive(Default)]
struct Watched {
    cancelled: AtomicBool,
    stages: Mutex<Vec<Stage>>,
    /// What is to be told before the work is done.
    told: Mutex<Vec<String>>,
}

impl Watched {
    fn with<R>(&self, of: impl FnOnce(&mut Vec<Stage>) -> R) -> R {
        of(&mut self.stages.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Watch for Watched {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        self.with(|stages| stages.push(Stage { name: stage.to_owned(), done: 0, steps }));
    }

    fn advance(&self, steps: u64) {
        self.with(|stages| stages.last_mut().map(|stage| stage.done += steps));
    }

    fn end(&self) {
        self.with(Vec::pop);
    }

    fn tell(&self, text: &str) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

type Caught<T> = Result<Result<T, TaskError>, Box<dyn Any + Send>>;

/// Where the result is put, and waited for.
struct Slot<T>(Mutex<Option<Caught<T>>>, Condvar);

impl<T> Slot<T> {
    fn put(&self, result: Caught<T>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        self.1.notify_all();
    }

    fn wait(&self, time: Duration) -> Option<Caught<T>> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.1.wait_timeout_while(held, time, |result| result.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

/// Does some work in a pool of threads, without the interpreter's lock.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    how: &How,
    work: impl FnOnce(&Context) -> Result<T, TaskError> + Send + 'static,
) -> PyResult<T> {
    let resources = how.resources().map_err(|said| of_task(py, &said))?;
    let watched = Arc::new(Watched::default());
    let context = Context::watched(Control::new(Arc::clone(&watched) as Arc<dyn Watch>));
    let context = context.with_resources(&resources);
    let slot = Arc::new(Slot(Mutex::new(None), Condvar::new()));
    let pool = Pool::take(py, how.0)?;
    let told = Arc::clone(&slot);
    pool.spawn(move || told.put(catch_unwind(AssertUnwindSafe(|| work(&context)))));
    let (mut stopped, mut until, mut seen): (Option<PyErr>, Option<Instant>, _) =
        (None, None, None);
    loop {
        if let Some(result) = py.detach(|| slot.wait(TICK)) {
            pool.give_back(py);
            return match (stopped, result) {
                (Some(stopped), _) => Err(stopped),
                (None, Ok(Ok(result))) => Ok(result),
                (None, Ok(Err(said))) => Err(of_task(py, &said)),
                (None, Err(panic)) => Err(error(py, "InternalError", message(&*panic))),
            };
        }
        if stopped.is_none() {
            let going_on = py.check_signals().and_then(|()| tell(py, how, &watched, &mut seen));
            if let Err(said) = going_on {
                watched.cancelled.store(true, Ordering::Relaxed);
                (stopped, until) = (Some(said), Some(Instant::now() + GRACE));
            }
        }
        if until.is_some_and(|until| Instant::now() >= until)
            && let Some(stopped) = stopped.take()
        {
            return Err(stopped);
        }
    }
}

/// Warns of what the work tells, and tells the callback of the innermost stage, if anything is new.
fn tell(py: Python<'_>, how: &How, watched: &Watched, seen: &mut Option<Stage>) -> PyResult<()> {
    let told = std::mem::take(&mut *watched.told.lock().unwrap_or_else(PoisonError::into_inner));
    for text in told {
        py.import("warnings")?.call_method1("warn", (text,))?;
    }
    let Some(callback) = &how.1 else { return Ok(()) };
    let now = watched.with(|stages| stages.last().cloned());
    if now != *seen {
        if let Some(Stage { name, done, steps }) = &now {
            callback.call1(py, (name, *done, *steps))?;
        }
        *seen = now;
    }
    Ok(())
}

fn message(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<&str>().map(|said| (*said).to_owned());
    let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
    format!(
        "this is a defect of likewise, please report it: {}",
        said.unwrap_or_else(|| "it panicked".to_owned())
    )
}
