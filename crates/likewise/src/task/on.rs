//! Which columns are compared: what the option `on` says.

use super::TaskError;
use crate::columns::{column_names, join, join_names, position, split, unquote};
use crate::index::{Field, NamedField, Schema};
use crate::measure::Measure;

/// The columns whose texts are compared: joined to one text, or each scored by itself with a weight.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct On {
    /// The columns' names.
    pub names: Vec<String>,
    /// The weight of each, if each is scored by itself; together they are 1.
    pub weights: Option<Vec<f64>>,
}

/// The option that names columns, its text, and the table it is about: what errors must say.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// `on`, `left_on`, …
    pub option: &'a str,
    /// What it says, if it was given.
    pub text: Option<&'a str>,
    /// What messages call the table.
    pub table: &'a str,
}

impl On {
    /// Columns joined to one text.
    pub fn joined(names: Vec<String>) -> Self {
        Self { names, weights: None }
    }

    /// What an option says of a table with these columns; without it the only column there is, or the one called `text`.
    ///
    /// # Errors
    /// If it names no column, or a weight that is none, or some columns have weights and others not.
    pub fn of(said: Said, columns: &[String]) -> Result<Self, TaskError> {
        match said.text {
            Some(text) => Self::parse(text, said.option, columns),
            None => Ok(Self::joined(vec![columns[only_column(said, columns)?].clone()])),
        }
    }

    /// Reads `name,city` or `name:0.7,city:0.3`. A name with a colon may be that of a column, one with a comma stands between
    /// quotes (`"Last, First":0.7`), and `#2` is the second column.
    fn parse(on: &str, option: &str, columns: &[String]) -> Result<Self, TaskError> {
        let (mut names, mut weights) = (Vec::new(), Vec::new());
        for entry in split(on) {
            let (name, weight) = match (unquote(entry), entry.rsplit_once(':')) {
                (Some((name, rest)), _) if rest.trim().is_empty() => (name, None),
                (Some((name, rest)), _) if rest.trim_start().starts_with(':') => {
                    let weight = rest.trim_start().trim_start_matches(':');
                    (name, Some(a_weight(option, entry, weight)?))
                }
                (_, Some((name, weight))) if position(columns, entry).is_none() => {
                    (name.trim().to_owned(), Some(a_weight(option, entry, weight)?))
                }
                _ => (entry.to_owned(), None),
            };
            names.push(named(columns, name));
            weights.extend(weight);
        }
        if weights.is_empty() || names.len() == 1 {
            return Ok(Self::joined(names));
        }
        if weights.len() < names.len() {
            return Err(TaskError::options(format!(
                "option `{option}` {on}: give every column a weight, to score each by itself and add the scores up \
                 (name:0.7,city:0.3), or none, to join them (name,city)"
            )));
        }
        Ok(Self { names, weights: Some(shares(&weights)) })
    }

    /// The columns that an index remembers.
    pub fn of_schema(schema: &Schema) -> Self {
        match &schema.columns[..] {
            [only] if only.field.weight == 1.0 => Self::joined(column_names(&only.name)),
            many => Self {
                names: many.iter().map(|column| column.name.clone()).collect(),
                weights: Some(many.iter().map(|column| column.field.weight).collect()),
            },
        }
    }

    /// What an index remembers of these columns.
    pub fn schema(&self, fields: Vec<Field>, id: Option<&str>) -> Schema {
        let names = match self.weights {
            Some(_) => self.names.clone(),
            None => vec![join_names(&self.names)],
        };
        let columns = names.into_iter().zip(fields);
        let columns = columns.map(|(name, field)| NamedField { name, field }).collect();
        Schema { columns, id: id.map(str::to_owned) }
    }

    /// These columns stand for those of another table: they have the same weights, said once or twice.
    ///
    /// # Errors
    /// If the weights differ, or there are more or fewer columns than weights.
    pub fn agree_with(mut self, other: &Self) -> Result<Self, TaskError> {
        match (&self.weights, &other.weights) {
            (None, None) => {}
            (None, Some(weights)) if weights.len() == self.names.len() => {
                self.weights = Some(weights.clone());
            }
            (Some(own), Some(weights)) if own == weights => {}
            _ => {
                return Err(TaskError::options(
                    "columns with weights stand for each other one by one: give the weights in option `left_on` \
                     and as many columns in option `right_on`, as in \
                     name:0.7,city:0.3 and title,town",
                ));
            }
        }
        Ok(self)
    }

    /// What several columns without weights are, which users may not expect.
    pub(super) fn reading(&self) -> Option<String> {
        if self.names.len() < 2 || self.weights.is_some() {
            return None;
        }
        let weighed: Vec<String> = self.names.iter().map(|name| format!("{name}:1")).collect();
        Some(format!(
            "{} are compared as one text, which is best where nobody knows what each should count; option `on` {} compares each by itself",
            self.names.join(", "),
            weighed.join(",")
        ))
    }

    /// In how many texts a row is compared.
    pub fn texts(&self) -> usize {
        if self.weights.is_some() { self.names.len() } else { 1 }
    }

    /// The columns of a table of queries that stand for these: those that option `query_on` names; without it the only column,
    /// or those of the same names if `on` was said, or the one called `text`.
    ///
    /// # Errors
    /// If there are none such, or more or fewer than columns with weights.
    pub fn of_queries(
        &self,
        table: &str,
        columns: &[String],
        query_on: Option<&str>,
        said: bool,
    ) -> Result<Self, TaskError> {
        let names = match query_on {
            Some(names) => {
                column_names(names).into_iter().map(|name| named(columns, name)).collect()
            }
            None if columns.len() == 1 && self.texts() == 1 => columns.to_vec(),
            None if said => self.names.clone(),
            None => {
                let said = Said { option: "query_on", text: None, table };
                vec![columns[only_column(said, columns)?].clone()]
            }
        };
        if self.weights.is_some() && names.len() != self.texts() {
            return Err(TaskError::options(format!(
                "option `query_on`: {} columns have weights, so name as many columns of the queries",
                self.texts()
            )));
        }
        Ok(Self { names, weights: self.weights.clone() })
    }

    /// Whether a query has a text for each column that is scored by itself.
    ///
    /// # Errors
    /// If it has more or fewer.
    pub fn check_query(&self, texts: usize) -> Result<(), TaskError> {
        if texts == self.texts() {
            return Ok(());
        }
        Err(TaskError::options(if self.weights.is_some() {
            let some: Vec<String> =
                self.names.iter().map(|name| format!("'some {name}'")).collect();
            format!(
                "{} columns have weights, so give as many queries, in the order of option `on`: {}",
                self.texts(),
                some.join(" ")
            )
        } else {
            format!(
                "one query is wanted, and there are {texts} texts; several words are one text, and several texts go with \
                 columns that have weights (name:0.7,city:0.3)"
            )
        }))
    }

    /// The texts of a row that are compared, given the texts of its columns.
    pub fn texts_of<'t>(&self, columns: impl Iterator<Item = &'t str>) -> Vec<String> {
        match self.weights {
            Some(_) => columns.map(str::to_owned).collect(),
            None => vec![join(columns)],
        }
    }

    /// How each text is compared: by one measure for all of them or one for each.
    ///
    /// # Errors
    /// If the measures are neither one nor as many as the columns with weights.
    pub fn fields(&self, measures: &[Measure]) -> Result<Vec<Field>, TaskError> {
        match (&self.weights, measures) {
            (None, [measure]) => Ok(vec![Field::from(measure.clone())]),
            (None, _) => Err(one_measure()),
            (Some(weights), _) if measures.len() == 1 || measures.len() == weights.len() => {
                let measures = measures.iter().cycle();
                let field =
                    |(&weight, measure): (&f64, &Measure)| Field::new(weight, measure.clone());
                Ok(weights.iter().zip(measures).map(field).collect())
            }
            (Some(weights), _) => Err(TaskError::options(format!(
                "{} measures for {} columns: give one for all of them or one for each, in the order of option `on`",
                measures.len(),
                weights.len()
            ))),
        }
    }
}

/// Weights as shares of their sum: 7 and 3 say the same as 0.7 and 0.3, and scores stay in [0, 1].
fn shares(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    if sum.is_infinite() {
        let most = weights.iter().copied().fold(0.0, f64::max);
        return shares(&weights.iter().map(|weight| weight / most).collect::<Vec<f64>>());
    }
    weights.iter().map(|weight| weight / sum).collect()
}

/// What a column is called that an option names or numbers.
fn named(columns: &[String], name: String) -> String {
    position(columns, &name).map_or(name, |at| columns[at].clone())
}

/// The column of texts, where nobody says which: the only one, or the one called `text`.
pub(super) fn only_column(said: Said, columns: &[String]) -> Result<usize, TaskError> {
    if columns.len() == 1 {
        return Ok(0);
    }
    columns.iter().position(|c| c == "text").ok_or_else(|| {
        TaskError::options(format!(
            "{}: which column? It has {}; name it: option `{}` COLUMN",
            said.table,
            columns.join(", "),
            said.option
        ))
    })
}

/// Several measures where there can be one only.
pub(super) fn one_measure() -> TaskError {
    TaskError::options(
        "one measure is wanted here; a sum such as 0.5*sc + 0.5*tfidf is one, and where columns have weights \
         (name:0.7,city:0.3) there may be one for each column",
    )
}

fn a_weight(option: &str, entry: &str, weight: &str) -> Result<f64, TaskError> {
    match weight.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        Ok(_) => Err(TaskError::options(format!(
            "option `{option}` {entry}: a weight is a number above 0, as in name:0.7,city:0.3"
        ))),
        Err(_) => Err(TaskError::options(format!(
            "option `{option}` {entry}: there is no column of that name, and `{weight}` is no weight; \
             a weight is a number above 0, as in name:0.7,city:0.3"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(on: &str) -> Result<On, String> {
        let columns = ["name", "city", "dc:title", "odd:3"].map(str::to_owned);
        let said = Said { option: "on", text: Some(on), table: "t.csv" };
        On::of(said, &columns).map_err(|error| error.to_string())
    }

    fn names(on: &On) -> Vec<&str> {
        on.names.iter().map(String::as_str).collect()
    }

    #[test]
    fn columns_are_joined_or_weighed() {
        let joined = parse("name, city").unwrap();
        assert_eq!(
            (names(&joined), &joined.weights, joined.texts()),
            (vec!["name", "city"], &None, 1)
        );
        assert_eq!(joined.texts_of(["Ana", "", "Lima"].into_iter()), ["Ana Lima"]);
        let weighed = parse("name:0.7, city : 3").unwrap();
        assert_eq!(names(&weighed), ["name", "city"]);
        let shares = [0.7 / 3.7, 3.0 / 3.7];
        let weights = weighed.weights.as_deref().unwrap();
        assert!(weights.iter().zip(shares).all(|(own, share)| (own - share).abs() < 1e-15));
        assert_eq!(weighed.texts_of(["Ana", ""].into_iter()), ["Ana", ""]);
        assert_eq!(parse("name:2").unwrap().texts(), 1);
    }

    #[test]
    fn only_the_proportions_of_weights_count() {
        let of = |text: &str| parse(text).unwrap().weights.unwrap();
        assert_eq!(of("name:0.7,city:0.3"), of("name:7,city:3"));
        assert_eq!(of("name:1,city:1"), [0.5, 0.5]);
        assert_eq!(of("name:1e308,city:1e308"), [0.5, 0.5]);
        assert_eq!(parse("name:3").unwrap(), parse("name").unwrap());
    }

    #[test]
    fn without_a_word_it_is_the_only_column_or_the_one_called_text() {
        let of = |columns: &[&str]| {
            let columns: Vec<String> = columns.iter().map(|&c| c.to_owned()).collect();
            On::of(Said { option: "on", text: None, table: "t.csv" }, &columns)
        };
        assert_eq!(of(&["a"]).unwrap().names, ["a"]);
        assert_eq!(of(&["id", "text"]).unwrap().names, ["text"]);
        assert!(
            of(&["a", "b"]).unwrap_err().to_string().contains("t.csv: which column? It has a, b")
        );
    }

    #[test]
    fn a_name_with_a_colon_is_a_name_if_there_is_such_a_column() {
        assert_eq!(names(&parse("dc:title").unwrap()), ["dc:title"]);
        assert_eq!(parse("odd:3").unwrap().weights, None);
        assert_eq!(names(&parse("dc:title:2,odd:3:1").unwrap()), ["dc:title", "odd:3"]);
    }

    #[test]
    fn a_name_with_a_comma_is_quoted_and_a_column_goes_by_its_number() {
        let columns = ["Last, First", "city"].map(str::to_owned);
        let on = |text| On::of(Said { option: "on", text: Some(text), table: "t.csv" }, &columns);
        let weighed = on("\"Last, First\":0.7,city:0.3").unwrap();
        assert_eq!((names(&weighed), weighed.texts()), (vec!["Last, First", "city"], 2));
        assert_eq!(names(&on("#2,#1").unwrap()), ["city", "Last, First"]);
        assert_eq!(names(&on("#1:2,#2:1").unwrap()), ["Last, First", "city"]);
        let joined = on("\"Last, First\",city").unwrap();
        let schema = joined.schema(joined.fields(&[Measure::default()]).unwrap(), None);
        assert_eq!(On::of_schema(&schema), joined, "an index remembers such names too");
    }

    #[test]
    fn a_wrong_weight_is_refused() {
        for on in ["name:0", "name:-1", "name:nan", "name:inf", "name:1e999"] {
            assert!(parse(on).unwrap_err().contains("a weight is a number above 0"), "{on}");
        }
        for on in ["name:x", "name:", "dc:titel"] {
            assert!(parse(on).unwrap_err().contains("is no weight"), "{on}");
        }
        for on in ["name:1,city", "name,city:1"] {
            assert!(parse(on).unwrap_err().contains("every column a weight"), "{on}");
        }
    }

    #[test]
    fn weights_are_said_for_one_table_or_for_both() {
        let weighed = parse("name:0.7,city:0.3").unwrap();
        let joined = parse("name,city").unwrap();
        assert_eq!(joined.clone().agree_with(&weighed).unwrap(), weighed);
        assert_eq!(weighed.clone().agree_with(&weighed).unwrap(), weighed);
        assert_eq!(joined.clone().agree_with(&parse("name").unwrap()).unwrap(), joined);
        assert!(parse("name").unwrap().agree_with(&weighed).is_err());
        assert!(weighed.clone().agree_with(&joined).is_err());
        assert!(parse("name:1,city:1").unwrap().agree_with(&weighed).is_err());
    }

    #[test]
    fn one_measure_serves_all_columns_or_each_has_its_own() {
        let measures: Vec<Measure> =
            ["sc", "jaro", "lcs"].iter().map(|m| m.parse().unwrap()).collect();
        let weighed = parse("name:0.7,city:0.3").unwrap();
        let fields = weighed.fields(&measures[..1]).unwrap();
        assert_eq!((fields[0].weight, fields[1].weight), (0.7, 0.3));
        assert!(fields.iter().all(|f| f.measure == measures[0]));
        let fields = weighed.fields(&measures[..2]).unwrap();
        assert_eq!((&fields[0].measure, &fields[1].measure), (&measures[0], &measures[1]));
        assert!(weighed.fields(&measures).unwrap_err().to_string().contains("3 measures for 2"));
        assert!(parse("name,city").unwrap().fields(&measures[..2]).is_err());
    }

    #[test]
    fn an_index_remembers_the_columns_it_was_built_on() {
        for on in ["name", "name,city", "name:0.7,city:0.3"] {
            let on = parse(on).unwrap();
            let schema = on.schema(on.fields(&[Measure::default()]).unwrap(), Some("id"));
            assert_eq!(On::of_schema(&schema), on);
        }
    }
}
