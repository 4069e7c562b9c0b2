//! The `likewise` command: how alike texts are, which are most alike, which rows are the same thing, and
//! how well a measure tells.
//!
//! The library makes every decision; this translates flags to calls and results to lines. Exit
//! codes: 0 done, 1 failed, 2 usage error. A reader that stops reading (`likewise … | head`) is success.

mod columns;
mod commands;
mod options;
mod output;
mod progress;
mod resources;
mod show;

use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

/// How alike are these texts? Scores, searches, links and evaluates, exactly and with reasons.
#[derive(Parser)]
#[command(
    name = "likewise",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Measures are written as expressions: sc(q=2:4, weights=c.idf), jaro-winkler, 0.7*sc + 0.3*tfidf.\n\
                  `likewise measures` lists them all. `likewise help COMMAND` shows a command with examples."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Use this many threads (all cores otherwise); results never depend on it
    #[arg(long, global = true, help_heading = "Everywhere", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Where WordNet's files are, for measures that use it (where packages put them otherwise)
    #[arg(long, global = true, help_heading = "Everywhere", value_name = "DIR")]
    wordnet: Option<std::path::PathBuf>,

    /// Colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(
        long,
        global = true,
        help_heading = "Everywhere",
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    color: Color,

    /// Nothing but results and errors: no progress bars, no notes, no word on what was done
    #[arg(long, short, global = true, help_heading = "Everywhere")]
    quiet: bool,
}

/// Whether output has colours.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
enum Command {
    Score(commands::score::Score),
    #[command(alias = "find")]
    Search(commands::search::Search),
    #[command(alias = "link")]
    Match(commands::r#match::Match),
    Dedupe(commands::dedupe::Dedupe),
    Label(commands::label::Label),
    Train(Box<commands::train::Train>),
    Rank(commands::rank::Rank),
    Features(commands::features::Features),
    Index(commands::index::Index),
    Answer(commands::answer::Answer),
    Eval(commands::eval::Eval),
    Parse(commands::parse::Parse),
    Graph(commands::graph::Graph),
    Collection(commands::collection::Collection),
    Corpus(commands::corpus::Corpus),
    Words(commands::words::Words),
    Matrix(commands::matrix::Matrix),
    Vectors(commands::vectors::Vectors),
    Measures(commands::measures::Measures),
    Completions(commands::manual::Completions),
    Man(commands::manual::Man),
}

/// Runs the command with these arguments, the first being its name, and gives its exit code. To be called once in a process:
/// threads and colours are settled for all of it.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    // What the reader of damaged Parquet files catches is told as an error, once.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !likewise::table::catches_panics() {
            usual(panic);
        }
    }));
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(said) => {
            // Help goes to standard output and is success. A reader that is gone reads no help.
            let _ = said.print();
            return u8::try_from(said.exit_code()).unwrap_or(2);
        }
    };
    if let Some(threads) = cli.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
        if let Err(error) = pool {
            eprintln!("error: {error}");
            return 1;
        }
    }
    progress::set_quiet(cli.quiet);
    match cli.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
    if let Some(directory) = cli.wordnet {
        resources::set_wordnet(directory);
    }
    let result = match cli.command {
        Command::Score(command) => command.run(),
        Command::Search(command) => command.run(),
        Command::Match(command) => command.run(),
        Command::Dedupe(command) => command.run(),
        Command::Label(command) => command.run(),
        Command::Train(command) => command.run(),
        Command::Rank(command) => command.run(),
        Command::Features(command) => command.run(),
        Command::Index(command) => command.run(),
        Command::Answer(command) => command.run(),
        Command::Eval(command) => command.run(),
        Command::Graph(command) => command.run(),
        Command::Collection(command) => command.run(),
        Command::Corpus(command) => command.run(),
        Command::Words(command) => command.run(),
        Command::Matrix(command) => command.run(),
        Command::Vectors(command) => command.run(),
        Command::Measures(command) => command.run(),
        Command::Parse(command) => command.run(),
        Command::Completions(command) => command.run(Cli::command()),
        Command::Man(command) => command.run(Cli::command()),
    };
    match result {
        Ok(()) => 0,
        Err(error) if output::is_broken_pipe(&error) => 0,
        Err(error) => {
            anstream::eprintln!("error: {}", output::message(&error));
            if output::is_usage(&error) { 2 } else { 1 }
        }
    }
}
