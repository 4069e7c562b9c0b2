//! `likewise measures`: what measures there are.

use crate::output::{UsageError, stdout};
use clap::Args;
use likewise::expr::{Kind, Schema, nearest};
use likewise::measure::{DEFAULT, Measure};
use likewise::text::ANALYZER;
use serde_json::{Value, json};
use std::io::Write;

/// List the measures and their settings
#[derive(Args)]
#[command(
    after_help = "Examples:\n  likewise measures\n  likewise measures sc\n  likewise measures analyzer"
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
            let hint = nearest(name, names)
                .map_or("`likewise measures` lists them".to_owned(), |n| {
                    format!("did you mean `{n}`?")
                });
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
