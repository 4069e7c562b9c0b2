//! Progress bars on a terminal, and none in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Keeps bars and notes away from standard error.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// A bar over `total` steps.
pub fn bar(total: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), target());
    if let Ok(style) =
        ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {elapsed} (left {eta})")
    {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar
}

/// A counter of steps whose number nobody knows yet.
pub fn counter(what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, target());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {pos} ({per_sec})") {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar
}

fn target() -> ProgressDrawTarget {
    if std::io::stderr().is_terminal() && !QUIET.load(Ordering::Relaxed) {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// Says something on standard error that is good to know.
pub fn note(text: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        anstream::eprintln!("note: {text}");
    }
}
