//! The command as its users meet it: what they type, what they read, and how it ends.

mod answer;
mod bad_input;
mod collection;
mod corpus;
mod dedupe;
mod docs;
mod eval;
mod index;
mod learn;
mod likelihood;
mod manners;
mod r#match;
mod measures;
mod parse;
mod score;
mod search;
mod soft_cosine;
mod tables;
mod translate;
mod words;

use assert_cmd::Command;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Output;
use tempfile::TempDir;

/// An empty folder to work in.
struct World(TempDir);

impl World {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// With one file.
    fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        Self::new().and(name, content)
    }

    /// And another; folders are made as needed.
    fn and(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("likewise").unwrap();
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let output = self.command(arguments).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "{arguments:?} panicked: {stderr}");
        output
    }

    /// What a command that succeeds prints.
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?} failed: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The JSON objects that a command that succeeds prints.
    fn json(&self, arguments: &[&str]) -> Vec<Value> {
        self.ok(arguments).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// What a command that succeeds prints, and what it says on standard error.
    fn both(&self, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?} failed: {stderr}");
        (String::from_utf8(output.stdout).unwrap(), stderr)
    }

    /// What a command prints that reads `input`.
    fn fed(&self, input: &str, arguments: &[&str]) -> String {
        let output = self.command(arguments).write_stdin(input).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?} failed: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a command that fails says; it prints nothing on standard output.
    fn fails(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{arguments:?} printed something although it failed");
        assert!(stderr.starts_with("error: "), "{arguments:?}: {stderr}");
        stderr
    }

    /// A command that was usage_error says all of `words`.
    fn usage_error(&self, arguments: &[&str], words: &[&str]) {
        says(&self.fails(2, arguments), words);
    }

    /// A command that the world would not let succeed says all of `words`.
    fn failed(&self, arguments: &[&str], words: &[&str]) {
        says(&self.fails(1, arguments), words);
    }
}

#[track_caller]
fn says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "expected `{word}` in: {text}");
    }
}

/// The number under a key.
#[track_caller]
fn number(object: &Value, key: &str) -> f64 {
    object[key].as_f64().unwrap_or_else(|| panic!("`{key}` is no number in {object}"))
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "expected {expected}, found {found}");
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}
