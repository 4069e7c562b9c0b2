//! Progress bars on a terminal, and none in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use likewise::control::{Control, Watch};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Keeps bars and notes away from standard error.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Shows the library's work as a bar for each stage.
pub fn control() -> Control {
    if std::io::stderr().is_terminal() && !QUIET.load(Ordering::Relaxed) {
        Control::new(Arc::new(Bars::default()))
    } else {
        Control::default()
    }
}

/// A bar for each stage that is under way, the innermost last.
#[derive(Default)]
struct Bars(Mutex<Vec<ProgressBar>>);

impl Watch for Bars {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        let bar = ProgressBar::with_draw_target(steps, ProgressDrawTarget::stderr());
        let template = match steps {
            Some(_) => "{msg} {wide_bar} {pos}/{len} {elapsed} (left {eta})",
            None => "{spinner} {msg} {pos} ({per_sec})",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(stage.to_owned());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(bar);
    }

    fn advance(&self, steps: u64) {
        if let Some(bar) = self.0.lock().unwrap_or_else(PoisonError::into_inner).last() {
            bar.inc(steps);
        }
    }

    fn end(&self) {
        if let Some(bar) = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            bar.finish_and_clear();
        }
    }
}

/// Says something on standard error that is good to know.
pub fn note(text: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        anstream::eprintln!("note: {}", crate::output::with_flags(text));
    }
}

/// Says several things.
pub fn notes(texts: &[String]) {
    texts.iter().for_each(|text| note(text));
}
