//! The `likewise` command.

fn main() {}
