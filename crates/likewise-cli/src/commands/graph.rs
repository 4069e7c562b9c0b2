//! `likewise graph`: the integrated syntactic graph of a text.

use crate::output::{UsageError, stdout};
use crate::progress;
use crate::resources::resources;
use anyhow::Context as _;
use clap::Args;
use likewise::syntax::graph::{Expansion, Paths, Setting};
use likewise::task::{Context, GraphOptions, syntactic_graph};
use std::io::Write;
use std::path::PathBuf;

/// Draw the trees of a text as one graph, or list its paths
#[derive(Args)]
#[command(after_help = "Examples:\n  likewise graph story.conllu -o graph.svg\n  \
                  likewise graph story.conllu -o graph.dot --setting cicnlp-2 --expand synonyms --senses 1\n  \
                  likewise graph story.conllu --paths all --setting cicnlp-7\n  \
                  likewise graph 'The dog saw a cat.' -o graph.svg")]
pub struct Graph {
    /// A CoNLL-U file, another file with raw text, or a text
    #[arg(value_name = "FILE.conllu|FILE|TEXT")]
    input: String,
    /// The picture: .svg or .dot; without it the paths are listed with their values
    #[arg(long, short, value_name = "OUT.svg|OUT.dot")]
    output: Option<PathBuf>,
    /// What nodes and paths are made of: cicnlp-1 … cicnlp-8 (even: stems; 3, 4, 7, 8: frequencies; from 5: words)
    #[arg(long, value_name = "NAME", default_value = "cicnlp-5")]
    setting: Setting,
    /// Which shortest paths are listed, of several to one node
    #[arg(long, value_name = "one|all", conflicts_with = "output")]
    paths: Option<Paths>,
    /// Add synonyms or hypernyms from WordNet
    #[arg(long, value_name = "synonyms|hypernyms")]
    expand: Option<Expansion>,
    /// How many senses of a word count for that, its commonest first (all without it)
    #[arg(long, value_name = "N")]
    senses: Option<usize>,
    /// A model of `parse train` for raw text (the built-in English one otherwise)
    #[arg(long, value_name = "MODEL.lwp")]
    parser: Option<PathBuf>,
}

impl Graph {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut options = GraphOptions::default();
        options.setting = self.setting;
        options.paths = self.paths.unwrap_or_default();
        (options.expand, options.senses) = (self.expand, self.senses);
        options.parser.clone_from(&self.parser);
        let ending = self
            .output
            .as_deref()
            .map(|path| path.extension().and_then(|e| e.to_str()).unwrap_or(""));
        if !matches!(ending, None | Some("svg" | "dot")) {
            return Err(UsageError("-o ends in .svg or .dot".to_owned()).into());
        }
        let context = Context::watched(progress::control()).with_resources(resources());
        let graph = syntactic_graph(&self.input, &options, &context)?;
        if let Some(path) = &self.output {
            let drawn = if ending == Some("dot") { graph.to_dot() } else { graph.to_svg() };
            return std::fs::write(path, drawn)
                .with_context(|| format!("cannot write {}", path.display()));
        }
        let found = graph.features(options.setting, options.paths);
        let mut out = stdout();
        for (path, value) in &found.counts {
            writeln!(out, "{value}\t{path}")?;
        }
        if found.cut_off > 0 {
            progress::note(&format!(
                "{} nodes have more than 64 shortest paths; the first 64 are listed",
                found.cut_off
            ));
        }
        Ok(())
    }
}
