//! What `search_speed`, `join_speed` and `matrix` share: reading a table, and what the system tells of a process (Linux).

use std::fs;

/// The last column of each line, which is the text, and its key: the second column of a table of names (`id, cluster,
/// kind, text`), the first of one with two columns (`id, text`).
pub fn read_table(path: &str) -> Result<(Vec<String>, Vec<u32>), Box<dyn std::error::Error>> {
    let (mut texts, mut keys) = (Vec::new(), Vec::new());
    for line in fs::read_to_string(path)?.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [key, text] = match fields[..] {
            [key, text] | [_, key, .., text] => [key, text],
            _ => return Err(format!("{path}: a line without a tab: {line}").into()),
        };
        keys.push(key.parse().map_err(|error| format!("{path}: {key}: {error}"))?);
        texts.push(text.to_owned());
    }
    Ok((texts, keys))
}

/// Processor time of all threads so far, user and system, in seconds.
#[allow(dead_code, reason = "not every example asks")]
pub fn processor_seconds() -> f64 {
    let line = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may hold anything. The 12th and 13th field after it are hundredths.
    let fields = line.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The most memory the process has had so far, in megabytes.
pub fn peak_megabytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// What this thread has had of a processor, in milliseconds.
#[allow(dead_code, reason = "not every example asks")]
pub fn thread_milliseconds() -> f64 {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e6
}
