//! Threads: a pool for each call that is under way, kept for the next.
//!
//! Nothing is started at import. A pool belongs to the process that made it: after `fork` its threads are gone, and waiting for
//! them would never end, so a child makes its own and never touches those of its parent, not even to drop them.
//!
//! Calls at the same time have different pools. In a shared one a thread that waits for a part of its own work may take up the
//! work of another call in the middle of its own, and wait for a lock that it holds itself.
//!
//! The list is locked only by threads that hold the interpreter's lock. Python forks with that lock held, so the list is never
//! locked by a thread that a child does not have.

use crate::errors::error;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};

/// So many idle pools are kept; more are dropped, which ends their threads.
const KEPT: usize = 4;

/// Threads of this process.
pub struct Pool {
    threads: ThreadPool,
    asked: Option<usize>,
    process: u32,
}

static IDLE: Mutex<Vec<Pool>> = Mutex::new(Vec::new());

impl Pool {
    /// A pool of so many threads, or of one for each processor.
    pub fn take(py: Python<'_>, asked: Option<usize>) -> PyResult<Self> {
        let process = std::process::id();
        {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            for pool in idle.extract_if(.., |pool| pool.process != process) {
                std::mem::forget(pool);
            }
            if let Some(at) = idle.iter().position(|pool| pool.asked == asked) {
                return Ok(idle.swap_remove(at));
            }
        }
        let builder = ThreadPoolBuilder::new().thread_name(|number| format!("likewise-{number}"));
        let threads = builder.num_threads(asked.unwrap_or(0)).build();
        let threads = threads.map_err(|said| error(py, "Error", format!("no threads: {said}")))?;
        Ok(Self { threads, asked, process })
    }

    /// Starts some work.
    pub fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        self.threads.spawn(work);
    }

    /// Keeps the pool for the next call.
    pub fn give_back(self, _: Python<'_>) {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(self);
        }
    }
}
