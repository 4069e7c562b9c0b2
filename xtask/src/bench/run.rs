//! One cell: the program that measures it, and how long it may take.

use super::cells::Name;
use super::tables::Tables;
use anyhow::{Context, bail};
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What bounds a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// How long a pass over the queries takes at the most.
    pub seconds: f64,
    /// The most queries of a pass.
    pub queries: Option<u64>,
    /// The thresholds of searches and of the join, if they are not to follow from the queries.
    pub thresholds: Option<(f64, f64)>,
}

impl Limits {
    pub fn new(seconds: f64) -> Self {
        Self { seconds, ..Self::default() }
    }

    /// A run that takes so much longer than it should is ended.
    fn patience(&self) -> Duration {
        Duration::from_secs_f64(240.0 + 120.0 * self.seconds)
    }
}

/// What `examples/matrix` says of a cell.
pub fn measure(
    program: &Path,
    tables: &Tables,
    work: &Path,
    name: &Name,
    limits: &Limits,
) -> anyhow::Result<Value> {
    let mut command = Command::new(program);
    // A folder of this run's own: another may be under way.
    let index = work.join(format!("index-{}", std::process::id()));
    command.arg(&tables.rows).arg(&tables.queries).arg(&index).arg(&name.measure);
    command.args(["--seconds", &limits.seconds.to_string()]);
    if let Some(queries) = limits.queries {
        command.args(["--queries", &queries.to_string()]);
    }
    if let Some((min, join_min)) = limits.thresholds {
        command.args(["--min", &min.to_string(), "--join-min", &join_min.to_string()]);
    }
    json(&mut command, limits.patience())
}

/// The JSON object that a program prints.
pub fn json(command: &mut Command, patience: Duration) -> anyhow::Result<Value> {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.with_context(|| format!("cannot run {command:?}"))?;
    let began = Instant::now();
    // A few lines each: pipes hold them until it ends.
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if began.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            bail!("not done after {:.0} s", patience.as_secs_f64());
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    if !status.success() {
        let said = text(child.stderr.take())?;
        let line = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("no word of why");
        bail!("{}", line.trim_start_matches("Error: ").trim_matches('"'));
    }
    let printed = text(child.stdout.take())?;
    serde_json::from_str(&printed).with_context(|| format!("not JSON: {printed}"))
}

fn text(pipe: Option<impl Read>) -> anyhow::Result<String> {
    let mut text = String::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_string(&mut text)?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, patience: f64) -> anyhow::Result<Value> {
        json(Command::new("sh").args(["-c", script]), Duration::from_secs_f64(patience))
    }

    #[test]
    fn what_a_program_prints_is_read_and_its_failure_is_told() {
        assert_eq!(shell("echo '{\"ms\": 2}'", 10.0).unwrap()["ms"], 2);
        let failure = shell("echo 'Error: \"no such measure\"' >&2; exit 1", 10.0).unwrap_err();
        assert_eq!(failure.to_string(), "no such measure");
        assert!(shell("echo nothing", 10.0).is_err());
    }

    #[test]
    fn a_program_that_takes_too_long_is_ended() {
        let began = Instant::now();
        let failure = shell("exec sleep 20", 0.1).unwrap_err();
        assert!(failure.to_string().contains("not done"));
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}
