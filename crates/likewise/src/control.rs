//! Progress and cancellation, one type for all long work.
//!
//! A progress bar, Ctrl-C in a notebook and a closed connection are the same need: somebody watches the work and may end
//! it. Whoever watches implements [`Watch`]; whoever works takes a [`Control`], opens a [`Stage`] for each step of the
//! work, and advances it.
//!
//! ```
//! use likewise::control::{Cancelled, Control, Watch};
//! use std::sync::atomic::{AtomicU64, Ordering};
//! use std::sync::Arc;
//!
//! /// Stops after ten steps.
//! #[derive(Default)]
//! struct Ten(AtomicU64);
//!
//! impl Watch for Ten {
//!     fn advance(&self, steps: u64) {
//!         self.0.fetch_add(steps, Ordering::Relaxed);
//!     }
//!     fn is_cancelled(&self) -> bool {
//!         self.0.load(Ordering::Relaxed) >= 10
//!     }
//! }
//!
//! let control = Control::new(Arc::new(Ten::default()));
//! let stage = control.stage("counting", Some(100));
//! let done = (0..100).try_for_each(|_| stage.advance(1));
//! assert_eq!(done, Err(Cancelled));
//! ```

use std::fmt;
use std::sync::Arc;

/// Somebody who is told how work goes on, and may end it. Called from any thread.
pub trait Watch: Send + Sync {
    /// A stage of the work begins; `steps` says how many steps it has, if that is known.
    fn begin(&self, stage: &str, steps: Option<u64>) {
        let _ = (stage, steps);
    }

    /// So many more steps of the present stage are done.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }

    /// The present stage is over.
    fn end(&self) {}

    /// Something that is good to know before the work is done, in a sentence.
    fn tell(&self, text: &str) {
        let _ = text;
    }

    /// Whether the work shall end. Once `true` it stays so.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Handed to long work: where to report progress and whether to go on. The default reports to nobody and never ends.
#[derive(Clone, Default)]
pub struct Control(Option<Arc<dyn Watch>>);

impl Control {
    /// Work that `watch` is told of and may end.
    pub fn new(watch: Arc<dyn Watch>) -> Self {
        Self(Some(watch))
    }

    /// Begins a stage. It ends when the value is dropped.
    pub fn stage(&self, name: &str, steps: Option<u64>) -> Stage {
        if let Some(watch) = &self.0 {
            watch.begin(name, steps);
        }
        Stage(self.clone())
    }

    /// Tells whoever watches something that is good to know before the work is done.
    pub fn tell(&self, text: &str) {
        if let Some(watch) = &self.0 {
            watch.tell(text);
        }
    }

    /// Fails if the work shall end.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn check(&self) -> Result<(), Cancelled> {
        match &self.0 {
            Some(watch) if watch.is_cancelled() => Err(Cancelled),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Control(watched)" } else { "Control" })
    }
}

/// One stage of some work. See [`Control::stage`]; the default reports to nobody and never ends.
#[derive(Debug, Default)]
pub struct Stage(Control);

impl Stage {
    /// Whose stage it is.
    pub fn control(&self) -> &Control {
        &self.0
    }

    /// So many more steps are done; fails if the work shall end.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn advance(&self, steps: u64) -> Result<(), Cancelled> {
        if let Some(watch) = &self.0.0 {
            watch.advance(steps);
        }
        self.0.check()
    }

    /// Fails if the work shall end.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn check(&self) -> Result<(), Cancelled> {
        self.0.check()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(watch) = &self.0.0 {
            watch.end();
        }
    }
}

/// The work was ended from outside before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cancelled")
    }
}

impl std::error::Error for Cancelled {}
