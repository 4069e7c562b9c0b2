//! `likewise features`: the numbers that a learner is told of a pair.

use crate::options::{InputOptions, OutputOptions, ParseOptions};
use clap::Args;
use likewise::columns::column_names;
use likewise::rank::feature::{FeatureExpression, PRESETS};
use likewise::table::{Column, Field, Wanted};
use likewise::task::{PairFeatures, describe_pairs, read_table};
use std::path::PathBuf;

/// Write the features of pairs of texts, for other tools to learn from
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise features pairs.csv --on left,right --features sentences -o features.parquet\n  \
        likewise features pairs.csv --on a,b --features 'tfidf, sc(q=2:3), length' --keep label\n  \
        likewise features pairs.csv --on a,b --features lab0 --vectors en.vectors -o features.parquet\n  \
        likewise features --list\n\n\
        Each line has the columns of --keep, then a number for each feature. Words are weighed by how rare they are \
        among all texts of both columns.")]
pub struct Features {
    /// The table of pairs (`-` for standard input)
    #[arg(required_unless_present = "list")]
    pairs: Option<PathBuf>,
    /// The two columns to compare
    #[arg(long, value_name = "LEFT,RIGHT")]
    on: Option<String>,
    /// A preset, or a list of measures and features [default: sentences]
    #[arg(long, alias = "preset", value_name = "PRESET|EXPR,…")]
    features: Option<String>,
    /// How texts become terms, for features that do not say themselves
    #[arg(long, value_name = "ANALYZER")]
    analyzer: Option<String>,
    /// A file of word vectors, for features that use one and do not name one
    #[arg(long, value_name = "FILE")]
    vectors: Option<String>,
    /// Who parses texts that bring no trees, for features that use trees: a model of `likewise parse train`, `en` (built in) or
    /// `none`; without it the English one, texts in Latin script
    #[arg(long, value_name = "MODEL.lwp")]
    parser: Option<String>,
    #[command(flatten)]
    parses: ParseOptions,
    /// Columns to pass on
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    keep: Option<String>,
    /// List presets and features; every measure is a feature, too
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    input: InputOptions,
}

impl Features {
    pub fn run(&self) -> anyhow::Result<()> {
        let Some(path) = self.pairs.as_deref().filter(|_| !self.list) else { return list() };
        let mut options = PairFeatures::default();
        options.on.clone_from(&self.on);
        options.features = self.features.as_deref().map(str::parse).transpose()?;
        options.analyzer = self.analyzer.as_deref().map(str::parse).transpose()?;
        options.vectors.clone_from(&self.vectors);
        options.parser.clone_from(&self.parser);
        let context = self.parses.add_to(self.input.context())?;
        self.input.for_tables(&[path])?;
        self.output.check_inputs(&[path])?;
        let wanted = Wanted::columns([self.on.as_deref(), self.keep.as_deref()]);
        let table = read_table(path, &wanted, &context)?;
        let columns = table.columns()?;
        let keep = self.keep.as_deref().map(column_names).unwrap_or_default();
        let places = keep.iter().map(|name| table.find(name)).collect::<Result<Vec<_>, _>>()?;
        let found = describe_pairs(&columns, &options, &context)?;
        let of_result =
            places.iter().map(|&at| Column::of(table.names()[at].as_str(), table.kind(at)));
        let of_result: Vec<Column> =
            of_result.chain(found.names.iter().map(Column::number)).collect();
        self.output.check(&of_result)?;
        let mut writer = self.output.create(of_result)?;
        for (row, values) in found.rows.iter().enumerate() {
            let kept = places.iter().map(|&c| table.value(c, row));
            writer.write_row(kept.chain(values.iter().map(|&x| Field::Number(x))))?;
        }
        writer.finish()?;
        Ok(())
    }
}

fn list() -> anyhow::Result<()> {
    use std::io::Write;
    let mut out = crate::output::stdout();
    writeln!(out, "Presets:")?;
    for preset in PRESETS {
        writeln!(out, "  {:<16} {}", preset.name, preset.summary)?;
    }
    writeln!(out, "\nFeatures:")?;
    for feature in FeatureExpression::all() {
        let values: Vec<&str> = feature.values.iter().copied().filter(|v| !v.is_empty()).collect();
        writeln!(out, "  {:<16} {}", feature.schema.name, feature.schema.summary)?;
        if !values.is_empty() {
            writeln!(out, "  {:<16} gives {}", "", values.join(", "))?;
        }
    }
    writeln!(out, "\nEvery measure is a feature, too: `likewise measures`.")?;
    Ok(())
}
