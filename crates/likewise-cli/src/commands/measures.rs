//! `likewise measures`: what measures there are.

use crate::output::{UsageError, stdout, with_flags};
use crate::resources::resources;
use clap::Args;
use likewise::expr::{Kind, Schema, nearest};
use likewise::measure::{DEFAULT, Elsewhere, Measure, MeasureInfo, Properties, SearchedBy, Trial};
use likewise::resource::Resources;
use likewise::text::ANALYZER;
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
  of them or one for each in their order, and takes the mean of the scores by the weights.

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
        let all: Vec<Entry> = Measure::all()
            .map(|m| Entry::Measure(Box::new(m)))
            .chain([Entry::Analyzer(&ANALYZER)])
            .collect();
        let shown: Vec<&Entry> = match &self.name {
            None => all.iter().filter(|e| self.json || e.schema().name != ANALYZER.name).collect(),
            Some(name) => all.iter().filter(|e| e.schema().answers_to(name)).collect(),
        };
        if let (Some(name), true) = (&self.name, shown.is_empty()) {
            let names = all.iter().map(|e| e.schema().name);
            let slip = || nearest(name, names).map(|n| format!("did you mean `{n}`?"));
            let elsewhere = Elsewhere::find(name).map(|e| with_flags(&e.hint()));
            let hint = elsewhere
                .or_else(slip)
                .unwrap_or_else(|| "`likewise measures` lists them".to_owned());
            return Err(UsageError(format!("unknown measure `{name}`: {hint}")).into());
        }
        let resources = resources();
        for entry in &shown {
            if self.json {
                let page = match entry {
                    Entry::Measure(measure) => measure.to_json(resources),
                    Entry::Analyzer(schema) => schema.to_json(""),
                };
                writeln!(out, "{page}")?;
            } else if self.name.is_some() {
                page(&mut out, entry, resources)?;
            } else {
                line(&mut out, entry.schema())?;
            }
        }
        if self.name.is_none() && !self.json {
            writeln!(out, "\nDefault: {DEFAULT}")?;
            writeln!(
                out,
                "Every measure also takes analyzer=…; `likewise measures analyzer` shows how."
            )?;
            writeln!(out, "`likewise measures NAME` explains a measure and its settings.")?;
        }
        Ok(())
    }
}

/// What has a page.
enum Entry {
    Measure(Box<MeasureInfo>),
    Analyzer(&'static Schema),
}

impl Entry {
    fn schema(&self) -> &'static Schema {
        match self {
            Self::Measure(measure) => measure.schema,
            Self::Analyzer(schema) => schema,
        }
    }

    fn measure(&self) -> Option<&MeasureInfo> {
        match self {
            Self::Measure(measure) => Some(measure),
            Self::Analyzer(_) => None,
        }
    }
}

/// A call with all settings, as it could be written.
fn call(schema: &Schema) -> String {
    let settings = schema.params.iter().map(|p| match (p.default, &p.kind) {
        ("", Kind::Several { .. }) => "…, …".to_owned(),
        ("", Kind::Text) => format!("{}=\"…\"", p.name),
        ("", _) => format!("{}=…", p.name),
        (default, _) => format!("{}={default}", p.name),
    });
    format!("{}({})", schema.name, settings.collect::<Vec<_>>().join(", "))
}

fn line(out: &mut impl Write, schema: &Schema) -> anyhow::Result<()> {
    writeln!(out, "{:<13} {}", schema.name, schema.summary)?;
    if !schema.params.is_empty() {
        writeln!(out, "{:<13}   {}", "", call(schema))?;
    }
    Ok(())
}

fn page(out: &mut impl Write, entry: &Entry, resources: &Resources) -> anyhow::Result<()> {
    let schema = entry.schema();
    writeln!(out, "{}: {}", schema.name, schema.summary)?;
    if !schema.aliases.is_empty() {
        writeln!(out, "also called {}", schema.aliases.join(", "))?;
    }
    if let Some(measure) = entry.measure() {
        if !measure.source.is_empty() {
            writeln!(out, "from {}", measure.source)?;
        }
        facts(out, measure, resources)?;
        writeln!(out, "\nSettings:")?;
    }
    for param in schema.params {
        let default = match param.default {
            "" => String::new(),
            default => format!(" (default {default})"),
        };
        writeln!(out, "\n  {}={}{default}\n      {}", param.name, param.kind, param.help)?;
    }
    if schema.params.is_empty() {
        writeln!(out, "\n  no settings")?;
    }
    let presets = entry.measure().map_or(&[][..], |measure| measure.presets);
    for preset in presets {
        writeln!(out, "\n  preset={}: {}\n      {}", preset.name, preset.settings, preset.help)?;
    }
    Ok(())
}

/// What a measure promises, under its default settings.
fn facts(out: &mut impl Write, measure: &MeasureInfo, resources: &Resources) -> anyhow::Result<()> {
    let Properties { symmetric, adaptive, needs_vocabulary, reflexive, .. } = measure.properties;
    let range = match measure.properties.range() {
        (Some(low), Some(high)) => format!("{low} to {high}"),
        (Some(low), None) => format!("{low} and up, no upper limit"),
        (None, Some(high)) => format!("logarithms, {high} at the most"),
        (None, None) => "any number".to_owned(),
    };
    let collection = match (adaptive, needs_vocabulary) {
        (true, _) => "adaptive: rare words weigh more, by the counts of a collection",
        (false, true) => "needs to know all texts beforehand, those of a collection",
        (false, false) => "not needed: two texts alone decide",
    };
    let trial = measure.trial(resources);
    let search = match trial.map(|trial| trial.search) {
        Some(SearchedBy::Bounds) => "pruned by upper bounds: few rows are scored",
        Some(SearchedBy::EveryText) => "every row is scored",
        Some(_) => "not possible",
        None => "depends on its settings: it has no defaults that suffice",
    };
    let yes =
        |yes: bool, does: &'static str, does_not: &'static str| if yes { does } else { does_not };
    let symmetric = yes(symmetric, "yes", "no: score(a, b) and score(b, a) may differ");
    let equal = yes(reflexive, "score the maximum", "may score less than others, or 0");
    let equal =
        if reflexive && !measure.properties.unit_interval { "score 1 or more" } else { equal };
    writeln!(out)?;
    for (label, said) in [
        ("range", range.as_str()),
        ("symmetric", symmetric),
        ("collection", collection),
        ("equal texts", equal),
        ("search", search),
        ("analyzer", &measure.analyzer.to_string()),
    ] {
        writeln!(out, "  {label:<12} {said}")?;
    }
    if let Some(Trial { example, .. }) = trial {
        let command = format!(
            "likewise score \"{}\" \"{}\" -m {} --collection none",
            example.left, example.right, measure.schema.name
        );
        writeln!(out, "\nExample:\n\n  $ {command}\n  {:.4}", example.score)?;
    } else {
        writeln!(out, "\nExample:\n\n  -m '{}'", call(measure.schema))?;
    }
    Ok(())
}
