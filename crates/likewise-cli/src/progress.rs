//! Progress bars on a terminal, and none in a pipe; notes on standard error.

use crate::output::with_flags;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use likewise::control::{Control, Watch};
use likewise::task::{Chosen, Report};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Work that takes less than this shows no bar: it would only flash.
const PATIENCE: Duration = Duration::from_millis(500);

/// Keeps bars and notes away from standard error, and what was done from standard output.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Shows the library's work as a bar for each stage, and says what it tells.
pub fn control() -> Control {
    if is_quiet() {
        Control::default()
    } else if std::io::stderr().is_terminal() {
        Control::new(Arc::new(Bars::new(PATIENCE)))
    } else {
        Control::new(Arc::new(Notes))
    }
}

/// No bars.
struct Notes;

impl Watch for Notes {
    fn tell(&self, text: &str) {
        note(text);
    }
}

/// A bar for each stage that is under way, the innermost last.
struct Bars {
    patience: Duration,
    bars: Mutex<Vec<Bar>>,
}

struct Bar {
    bar: ProgressBar,
    began: Instant,
    shown: bool,
}

impl Bars {
    fn new(patience: Duration) -> Self {
        Self { patience, bars: Mutex::default() }
    }

    /// What is under way.
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Bar>> {
        self.bars.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Bars {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        let bar = ProgressBar::with_draw_target(steps, ProgressDrawTarget::hidden());
        let template = match steps {
            Some(_) => "{msg} {wide_bar} {human_pos}/{human_len} {elapsed} (left {eta})",
            None => "{spinner} {msg} {human_pos} ({rate})",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key(
                "rate",
                |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let _ = out.write_str(&rate(state.per_sec()));
                },
            ));
        }
        bar.set_message(stage.to_owned());
        self.lock().push(Bar { bar, began: Instant::now(), shown: false });
    }

    fn advance(&self, steps: u64) {
        if let Some(last) = self.lock().last_mut() {
            if !last.shown && last.began.elapsed() >= self.patience {
                last.shown = true;
                last.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            last.bar.inc(steps);
        }
    }

    fn end(&self) {
        if let Some(last) = self.lock().pop() {
            last.bar.finish_and_clear();
        }
    }

    fn tell(&self, text: &str) {
        match self.lock().iter().find(|bar| bar.shown) {
            Some(shown) => shown.bar.suspend(|| note(text)),
            None => note(text),
        }
    }
}

/// How many steps a second: a whole number, or one decimal where there are few.
fn rate(steps: f64) -> String {
    let mut said = String::new();
    let _ = if steps < 10.0 {
        write!(said, "{steps:.1}/s")
    } else {
        write!(said, "{}/s", indicatif::HumanCount(steps.round() as u64))
    };
    said
}

/// Says something on standard error that is good to know.
pub fn note(text: &str) {
    if !is_quiet() {
        anstream::eprintln!("note: {}", with_flags(text));
    }
}

/// Says several things.
pub fn notes(texts: &[String]) {
    texts.iter().for_each(|text| note(text));
}

/// How a threshold was chosen, where it was, and what else there is to know.
pub fn report(report: &Report) {
    if let Some(threshold) = &report.threshold
        && matches!(threshold.chosen, Chosen::Learned | Chosen::Proposed)
    {
        note(&format!("--min {} {}", threshold.min, threshold.reading));
    }
    notes(&report.notes);
}

/// Says on standard output what was done, where that is no result that anybody asked for.
pub fn done(out: &mut impl Write, text: &str) -> std::io::Result<()> {
    if is_quiet() { Ok(()) } else { writeln!(out, "{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_after(patience: Duration) -> bool {
        let bars = Bars::new(patience);
        bars.begin("rows read", None);
        bars.advance(9);
        bars.lock()[0].shown
    }

    #[test]
    fn a_bar_shows_only_when_work_takes_long() {
        assert!(!shown_after(PATIENCE));
        assert!(shown_after(Duration::ZERO));
    }

    #[test]
    fn rates_are_whole_numbers() {
        assert_eq!(rate(24_187.924_1), "24,188/s");
        assert_eq!(rate(3.27), "3.3/s");
    }
}
