//! Which columns: what `--on` and `--keep` say.

use crate::options::{column_names, text_columns};
use crate::output::Misuse;
use likewise::index::Field;
use likewise::measure::Measure;
use likewise::table::{Reader, Row, join_columns};

/// The columns whose texts are compared: joined to one text, or each scored by itself with a weight.
#[derive(Debug, Clone, PartialEq)]
pub struct On {
    pub names: Vec<String>,
    pub weights: Option<Vec<f64>>,
}

impl On {
    /// What `flag` (`--on`) says of a table, or the only column there is.
    pub fn of(reader: &Reader, flag: &str, on: Option<&str>) -> anyhow::Result<Self> {
        match on {
            Some(on) => Ok(Self::parse(on, flag, reader.columns())?),
            None => {
                let places = text_columns(reader, flag, None)?;
                let names = places.iter().map(|&c| reader.columns()[c].clone()).collect();
                Ok(Self { names, weights: None })
            }
        }
    }

    /// Reads `name,city` or `name:0.7,city:0.3`. A name with a colon may be that of a column.
    fn parse(on: &str, flag: &str, columns: &[String]) -> Result<Self, Misuse> {
        let (mut names, mut weights) = (Vec::new(), Vec::new());
        for entry in column_names(on) {
            let (name, weight) = match entry.rsplit_once(':') {
                Some((name, weight)) if !columns.iter().any(|c| c == entry) => {
                    (name.trim(), Some(a_weight(flag, entry, weight)?))
                }
                _ => (entry, None),
            };
            names.push(name.to_owned());
            weights.extend(weight);
        }
        if weights.is_empty() {
            return Ok(Self { names, weights: None });
        }
        if weights.len() < names.len() {
            return Err(Misuse(format!(
                "{flag} {on}: give every column a weight, to score each by itself and add the scores up \
                 ({flag} name:0.7,city:0.3), or none, to join them ({flag} name,city)"
            )));
        }
        Ok(Self { names, weights: Some(weights) })
    }

    /// These columns stand for those of another table: they have the same weights, said once or twice.
    pub fn agree_with(mut self, other: &Self) -> Result<Self, Misuse> {
        match (&self.weights, &other.weights) {
            (None, None) => {}
            (None, Some(weights)) if weights.len() == self.names.len() => {
                self.weights = Some(weights.clone());
            }
            (Some(own), Some(weights)) if own == weights => {}
            _ => {
                return Err(Misuse(
                    "columns with weights stand for each other one by one: give the weights in --left-on \
                     and as many columns in --right-on, as in \
                     --left-on name:0.7,city:0.3 --right-on title,town"
                        .to_owned(),
                ));
            }
        }
        Ok(self)
    }

    /// In how many texts a row is compared.
    pub fn texts(&self) -> usize {
        if self.weights.is_some() { self.names.len() } else { 1 }
    }

    /// Where the columns stand in a table.
    pub fn places(&self, reader: &Reader) -> anyhow::Result<Vec<usize>> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        Ok(reader.columns_named(&names)?)
    }

    /// The texts of a row that are compared, of the columns at these places.
    pub fn texts_of(&self, row: &Row, places: &[usize]) -> Vec<String> {
        match self.weights {
            Some(_) => places.iter().map(|&c| row[c].to_owned()).collect(),
            None => vec![join_columns(places.iter().map(|&c| &row[c]))],
        }
    }

    /// How each text is compared, by one measure for all of them or one for each.
    pub fn fields(&self, command: &str, measures: &[Measure]) -> Result<Vec<Field>, Misuse> {
        match (&self.weights, measures) {
            (None, [measure]) => Ok(vec![Field::from(measure.clone())]),
            (None, _) => Err(one_measure(command)),
            (Some(weights), _) if measures.len() == 1 || measures.len() == weights.len() => {
                Ok(weights
                    .iter()
                    .zip(measures.iter().cycle())
                    .map(|(&weight, measure)| Field { weight, measure: measure.clone() })
                    .collect())
            }
            (Some(weights), _) => Err(Misuse(format!(
                "{} measures for {} columns: give one -m for all of them or one for each, in the order of --on",
                measures.len(),
                weights.len()
            ))),
        }
    }
}

/// Several measures where there can be one only.
pub fn one_measure(command: &str) -> Misuse {
    Misuse(format!(
        "{command} takes one measure; a sum such as 0.5*sc + 0.5*tfidf is one, and with weights \
         (--on name:0.7,city:0.3) there may be one for each column"
    ))
}

fn a_weight(flag: &str, entry: &str, weight: &str) -> Result<f64, Misuse> {
    match weight.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        Ok(_) => Err(Misuse(format!(
            "{flag} {entry}: a weight is a number above 0, as in {flag} name:0.7,city:0.3"
        ))),
        Err(_) => Err(Misuse(format!(
            "{flag} {entry}: there is no column of that name, and `{weight}` is no weight; \
             a weight is a number above 0, as in {flag} name:0.7,city:0.3"
        ))),
    }
}

/// The columns of two tables that `--keep` passes on.
#[derive(Debug, Default, PartialEq)]
pub struct Kept {
    pub left: Vec<String>,
    pub right: Vec<String>,
}

impl Kept {
    /// Reads `name,right.city`: the column of both tables, if both have it, or that of one. With it come
    /// the names of the columns that pass it on.
    pub fn between(keep: &str, left: &Reader, right: &Reader) -> anyhow::Result<Self> {
        let has = |reader: &Reader, name: &str| reader.columns().iter().any(|c| c == name);
        let mut kept = Self::default();
        for entry in column_names(keep) {
            let (in_left, in_right) = (has(left, entry), has(right, entry));
            if in_left || in_right {
                kept.left.extend(in_left.then(|| entry.to_owned()));
                kept.right.extend(in_right.then(|| entry.to_owned()));
            } else if let Some(name) = entry.strip_prefix("left.") {
                left.columns_named(&[name])?;
                kept.left.push(name.to_owned());
            } else if let Some(name) = entry.strip_prefix("right.") {
                right.columns_named(&[name])?;
                kept.right.push(name.to_owned());
            } else {
                return Err(Misuse(format!(
                    "--keep {entry}: neither table has such a column; {} has {}, {} has {}",
                    left.name(),
                    left.columns().join(", "),
                    right.name(),
                    right.columns().join(", ")
                ))
                .into());
            }
        }
        Ok(kept)
    }

    /// What the columns are called where they are passed on.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let left = self.left.iter().map(|name| format!("left_{name}"));
        left.chain(self.right.iter().map(|name| format!("right_{name}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use likewise::table::ReadOptions;

    fn parse(on: &str) -> Result<On, String> {
        let columns = ["name", "city", "dc:title", "odd:3"].map(str::to_owned);
        On::parse(on, "--on", &columns).map_err(|error| error.0)
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
        let weighed = parse("name:0.7, city : 3").unwrap();
        assert_eq!(names(&weighed), ["name", "city"]);
        assert_eq!((weighed.weights.as_deref(), weighed.texts()), (Some(&[0.7, 3.0][..]), 2));
        assert_eq!(parse("name:2").unwrap().texts(), 1);
    }

    #[test]
    fn a_name_with_a_colon_is_a_name_if_there_is_such_a_column() {
        assert_eq!(names(&parse("dc:title").unwrap()), ["dc:title"]);
        assert_eq!(parse("odd:3").unwrap().weights, None);
        assert_eq!(names(&parse("dc:title:2,odd:3:1").unwrap()), ["dc:title", "odd:3"]);
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
        let fields = weighed.fields("search", &measures[..1]).unwrap();
        assert_eq!((fields[0].weight, fields[1].weight), (0.7, 0.3));
        assert!(fields.iter().all(|f| f.measure == measures[0]));
        let fields = weighed.fields("search", &measures[..2]).unwrap();
        assert_eq!((&fields[0].measure, &fields[1].measure), (&measures[0], &measures[1]));
        assert!(weighed.fields("search", &measures).unwrap_err().0.contains("3 measures for 2"));
        assert!(parse("name,city").unwrap().fields("search", &measures[..2]).is_err());
    }

    #[test]
    fn kept_columns_come_from_both_tables_or_from_one() {
        let reader = |name, header: &'static str| {
            Reader::from_read(name, header.as_bytes(), &ReadOptions::default()).unwrap()
        };
        let (left, right) = (reader("a.csv", "name,city\n"), reader("b.csv", "name,town\n"));
        let kept = |keep| Kept::between(keep, &left, &right).map(|k| k.names().collect::<Vec<_>>());
        assert_eq!(kept("name").unwrap(), ["left_name", "right_name"]);
        assert_eq!(kept("left.name, town").unwrap(), ["left_name", "right_town"]);
        assert!(kept("age").unwrap_err().to_string().contains("neither table"));
        assert!(kept("right.city").unwrap_err().to_string().contains("b.csv"));
    }
}
