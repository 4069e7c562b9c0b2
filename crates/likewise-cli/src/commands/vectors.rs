//! `likewise vectors`: texts as vectors whose plain cosine is their soft cosine, for other tools.

use crate::options::{InputOptions, OutputOptions, check_output};
use crate::progress;
use clap::Args;
use likewise::collection::Collection;
use likewise::measure::Measure;
use likewise::measure::Transform;
use likewise::store::Output;
use likewise::table::{
    Column, Field, FieldBuf, Format, Kind, Reader, Wanted, WriteOptions, Writer,
};
use likewise::task::{On, TableRows, open_table, text_columns};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Write texts as vectors whose plain cosine is their soft cosine
#[derive(Args)]
#[command(
    after_help = "An ending of .svm or .svmlight gives a line `0 1:0.5 7:0.25 # id` a text; any table format gives rows of \
                  id, coordinate, value, a row for each value that is not 0. Coordinates are numbered from 1 on.\n\n\
                  Examples:\n  likewise vectors faq.csv --on question -m 'soft-cosine(terms=edit(max=1), formula=pairs)' -o faq.svm\n  \
                  likewise vectors faq.csv --on question -m 'soft-cosine(terms=edit(max=1), min=0.6, formula=basis)' -o faq.parquet --names names.csv"
)]
pub struct Vectors {
    /// A table or text file, also compressed; `-` is standard input
    file: PathBuf,
    /// The columns whose text becomes a vector, joined
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    on: Option<String>,
    /// The column that names a row (its number, from 1, without it)
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// The measure: a soft-cosine with formula=pairs, pairs-corrected or basis
    #[arg(long, short, value_name = "MEASURE", default_value = "soft-cosine(formula=pairs)")]
    measure: String,
    /// Where to write what each coordinate stands for
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// Where to write the vectors
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    input: InputOptions,
}

impl Vectors {
    pub fn run(&self) -> anyhow::Result<()> {
        let measure: Measure = self.measure.parse()?;
        let options = self.input.for_tables(&[&self.file])?;
        for output in [Some(&self.output), self.names.as_ref()].into_iter().flatten() {
            check_output(output, &[&self.file], Output::Table)?;
        }
        let wanted = Wanted::columns([self.on.as_deref(), self.id.as_deref()]);
        let table = open_table(&self.file, &options, &wanted, &self.input.context())?;
        let (ids, texts) = self.read(table)?;
        let collection = Collection::build(measure.analyzers(), &texts)?;
        let transform = Transform::new(&measure, &collection, crate::resources::resources())?;
        let vectors: Vec<Vec<(u64, f64)>> =
            texts.par_iter().map(|text| transform.vector(text)).collect();
        // Only what some text has is numbered: of pairs there are as many as words, squared.
        let mut numbers: BTreeMap<u64, i64> = BTreeMap::new();
        vectors.iter().flatten().for_each(|(at, _)| {
            numbers.insert(*at, 0);
        });
        numbers.values_mut().zip(1..).for_each(|(number, next)| *number = next);
        let report = transform.report();
        if let Some((size, pivot)) = report.basis {
            progress::note(&format!(
                "a basis of {size} numbers, least pivot {pivot:.6}; the shift of {} changes the similarity of two words by {:.4} at the most",
                report.shift, report.largest_change
            ));
        }
        progress::note(&format!("{} texts, {} coordinates", texts.len(), numbers.len()));
        let ending = self.output.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if matches!(ending, "svm" | "svmlight") {
            let lines = WriteOptions { format: Some(Format::Lines) };
            let mut writer = Writer::create(&self.output, [Column::text("text")], &lines)?;
            for (id, vector) in ids.iter().zip(&vectors) {
                writer.write_row([Field::Text(&svmlight(id.text(), vector, &numbers))])?;
            }
            writer.finish()?;
        } else {
            let columns = vec![
                Column::of("id", Kind::of_all(ids.iter().map(FieldBuf::field))),
                Column::integer("coordinate"),
                Column::number("value"),
            ];
            let mut writer = OutputOptions::to_file(&self.output).create(columns)?;
            for (id, vector) in ids.iter().zip(&vectors) {
                for (at, value) in vector {
                    let number = Field::Integer(numbers[at]);
                    writer.write_row([id.field(), number, Field::Number(*value)])?;
                }
            }
            writer.finish()?;
        }
        if let Some(path) = &self.names {
            let columns = vec![Column::integer("coordinate"), Column::text("name")];
            let mut writer = OutputOptions::to_file(path).create(columns)?;
            for (at, number) in &numbers {
                let name = transform.coordinate(*at);
                writer.write_row([Field::Integer(*number), Field::Text(&name)])?;
            }
            writer.finish()?;
        }
        Ok(())
    }

    fn read(&self, reader: Reader) -> anyhow::Result<(Vec<FieldBuf>, Vec<String>)> {
        let on = On::joined(
            text_columns(&reader, "on", self.on.as_deref())?
                .iter()
                .map(|&c| reader.columns()[c].clone())
                .collect(),
        );
        let mut rows = TableRows::new(reader, on, self.id.as_deref())?;
        let (mut ids, mut texts) = (Vec::new(), Vec::new());
        while let Some(row) = rows.next_record()? {
            ids.push(row.id);
            texts.extend(row.texts);
        }
        Ok((ids, texts))
    }
}

/// `0 1:0.5 7:0.25 # id`
fn svmlight(id: &str, vector: &[(u64, f64)], numbers: &BTreeMap<u64, i64>) -> String {
    let mut line = "0".to_owned();
    for (at, value) in vector {
        // Writing to a string cannot fail.
        let _ = write!(line, " {}:{value}", numbers[at]);
    }
    line.push_str(" # ");
    line.extend(id.chars().map(|c| if c.is_control() { ' ' } else { c }));
    line
}
