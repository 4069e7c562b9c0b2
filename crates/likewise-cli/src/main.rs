//! The `likewise` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(likewise_cli::run(std::env::args_os()))
}
