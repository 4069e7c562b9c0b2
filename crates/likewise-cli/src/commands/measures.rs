//! `likewise measures`: what measures there are.

use crate::output::{UsageError, stdout, with_flags};
use clap::Args;
use likewise::expr::{Kind, Schema, nearest};
use likewise::measure::{DEFAULT, Elsewhere, Measure};
use likewise::text::ANALYZER;
use serde_json::{Value, json};
use std::io::Write;

/// What `likewise help measures` tells.
const MANUAL: &str = "\
What a measure is
  A measure says how alike two texts are. It is written as an expression: a name, and settings in brackets where
  they are not to be the defaults.

    jaro-winkler
    sc(q=2:4, weights=c.idf)
    soft-cosine(terms=max(edit(max=1), vectors(\"glove.txt\")), min=0.3)

  In a shell it goes between quotes: -m 'sc(q=2:4)'. `likewise measures NAME` lists the settings of one.

Sums
  A sum of measures, each with a weight, is a measure too:

    0.7*sc + 0.3*jaro-winkler

  With weights that add up to 1, scores of measures in [0, 1] stay there.

Columns
  --on name,city compares the columns as one text. --on name:0.7,city:0.3 compares each by itself, with one -m for all
  of them or one for each in their order, and adds the scores up by the weights.

Analyzers
  How a text becomes terms is an expression as well, for all measures by --analyzer or for one by its setting:

    --analyzer 'analyzer(stem=porter, stop=en)'
    levenshtein(analyzer=analyzer(tokens=whole))

  Measures over words fold case by default; those over whole strings (levenshtein, jaro-winkler …) take the text as it
  is. `likewise measures analyzer` lists what an analyzer can do.

Rare words
  Adaptive measures (the default, tfidf, bm25, sc with idf …) weigh rare words more. They count words in the table at
  hand, or in --collection FILE; --collection none lets all words weigh the same.

Which one
  names, addresses, titles, short records   the default: leave out -m
  two texts out of nowhere                  sc
  a single short name                       jaro-winkler
  codes and numbers                         levenshtein, osa, or equal
  long texts whose words are spelt right    tfidf, bm25
  sentences that say the same               sts
  other words for the same thing            soft-cosine, translation, query-likelihood(synonyms=wordnet)

  If you have labelled data, measure it: likewise eval match DIR -m sc -m tfidf

Names from elsewhere
  A name of RapidFuzz, jellyfish, py_stringmatching, recordlinkage, Splink, gensim, SimString or scikit-learn
  (-m token_set_ratio) is answered with the nearest measure here.

Examples:
  likewise measures
  likewise measures sc
  likewise measures analyzer
  likewise score 'Sergio Jimenez' 'S. Gimenez' -m 'sc(q=2:3)' --explain";

/// List the measures and their settings
#[derive(Args)]
#[command(
    after_help = "Examples:\n  likewise measures\n  likewise measures sc\n  likewise measures analyzer\n\n\
                  `likewise help measures` explains how measures are written and chosen.",
    after_long_help = MANUAL
)]
pub struct Measures {
    /// Show one with all its settings
    name: Option<String>,

    /// One JSON object a measure
    #[arg(long)]
    json: bool,
}

impl Measures {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut out = stdout();
        let all: Vec<(&Schema, &str)> =
            Measure::all().map(|m| (m.schema, m.source)).chain([(&ANALYZER, "")]).collect();
        let shown: Vec<_> = match &self.name {
            None => all.iter().filter(|(s, _)| self.json || s.name != ANALYZER.name).collect(),
            Some(name) => all.iter().filter(|(s, _)| s.answers_to(name)).collect(),
        };
        if let (Some(name), true) = (&self.name, shown.is_empty()) {
            let names = all.iter().map(|(s, _)| s.name);
            let slip = || nearest(name, names).map(|n| format!("did you mean `{n}`?"));
            let elsewhere = Elsewhere::find(name).map(|e| with_flags(&e.hint()));
            let hint = elsewhere
                .or_else(slip)
                .unwrap_or_else(|| "`likewise measures` lists them".to_owned());
            return Err(UsageError(format!("unknown measure `{name}`: {hint}")).into());
        }
        for (schema, source) in &shown {
            if self.json {
                writeln!(out, "{}", as_json(schema, source))?;
            } else {
                describe(&mut out, schema, source, self.name.is_some())?;
            }
        }
        if self.name.is_none() && !self.json {
            writeln!(out, "\nDefault: {DEFAULT}")?;
            writeln!(
                out,
                "Every measure also takes analyzer=…; `likewise measures analyzer` shows how."
            )?;
            writeln!(out, "`likewise measures NAME` explains a measure's settings.")?;
        }
        Ok(())
    }
}

fn describe(out: &mut impl Write, schema: &Schema, source: &str, long: bool) -> anyhow::Result<()> {
    let settings: Vec<String> = schema
        .params
        .iter()
        .map(|p| {
            if p.default.is_empty() {
                match p.kind {
                    Kind::Several { .. } => "…, …".to_owned(),
                    Kind::Text => format!("{}=\"…\"", p.name),
                    _ => format!("{}=…", p.name),
                }
            } else {
                format!("{}={}", p.name, p.default)
            }
        })
        .collect();
    if !long {
        writeln!(out, "{:<13} {}", schema.name, schema.summary)?;
        if !settings.is_empty() {
            writeln!(out, "{:<13}   {}({})", "", schema.name, settings.join(", "))?;
        }
        return Ok(());
    }
    writeln!(out, "{}: {}", schema.name, schema.summary)?;
    if !schema.aliases.is_empty() {
        writeln!(out, "also called {}", schema.aliases.join(", "))?;
    }
    if !source.is_empty() {
        writeln!(out, "from {source}")?;
    }
    for param in schema.params {
        let default = if param.default.is_empty() {
            String::new()
        } else {
            format!(" (default {})", param.default)
        };
        writeln!(out, "\n  {}={}{default}\n      {}", param.name, param.kind, param.help)?;
    }
    if schema.params.is_empty() {
        writeln!(out, "\n  no settings")?;
    }
    Ok(())
}

fn as_json(schema: &Schema, source: &str) -> Value {
    json!({
        "name": schema.name,
        "aliases": schema.aliases,
        "summary": schema.summary,
        "source": source,
        "settings": schema.params.iter().map(|p| json!({
            "name": p.name, "values": p.kind.to_string(), "default": p.default, "help": p.help,
        })).collect::<Vec<_>>(),
    })
}
