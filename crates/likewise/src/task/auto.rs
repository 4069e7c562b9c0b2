//! Which columns are compared, and by what, where it is left to the data: option `on` is `auto`, or left out though there are several
//! columns. It is settled before anything else is done, and said as the options that stand for it.

use super::{Compare, Dedupe, Match, TaskError};
#[cfg(feature = "table")]
use super::{Context, Rereadable, TableColumns};
use crate::columns::guess::{ColumnGuess, Kind, guess_columns};
use crate::columns::{Columns, join_names, position};
use crate::measure::Measure;

/// What option `on` says to have columns, measures and weights guessed.
const AUTO: &str = "auto";
/// So many rows of a table tell what its columns hold.
const ROWS: usize = 100_000;

/// What is left to the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// Each column by itself.
    Each,
    /// All columns that say what a row is about, as one text.
    Joined,
}

/// The columns that option `on` names, if it does not leave them to the data.
pub fn named(on: Option<&str>) -> Option<&str> {
    on.filter(|on| on.trim() != AUTO)
}

impl Compare {
    /// What is left to the data for a table of these columns.
    fn open(&self, columns: &[String]) -> Option<Open> {
        match self.on.as_deref().map(str::trim) {
            Some(AUTO) if position(columns, AUTO).is_none() => Some(Open::Each),
            None if columns.len() > 1 && position(columns, "text").is_none() => Some(Open::Joined),
            _ => None,
        }
    }
}

impl Match {
    /// What is left to the data for two tables of these columns.
    fn open(&self, left: &[String], right: &[String]) -> Option<Open> {
        if self.left_on.is_some() || self.right_on.is_some() {
            return None;
        }
        let open = self.compare.open(left)?;
        (self.compare.open(right) == Some(open)).then_some(open)
    }
}

/// Settles what options leave to the data, but for columns that have another part to play. Gives what the user should know of it.
///
/// # Errors
/// If no column says what a row is about.
pub fn settle(options: &mut Dedupe, columns: &Columns) -> Result<Vec<String>, TaskError> {
    let compare = &options.compare;
    let Some(open) = compare.open(columns.names()) else { return Ok(Vec::new()) };
    let except = [compare.id.as_deref(), options.labels.as_deref()];
    let guesses = guess_columns(&columns.first(ROWS), None);
    let free = guesses.into_iter().filter(|guess| !is_one_of(&except, columns, guess.left));
    let settled = Settled::new(open, options.weights.is_some(), free);
    let name = |guess: &ColumnGuess| columns.names()[guess.left].clone();
    let (on, note) = settled.on("on", &mut options.compare, name)?;
    options.compare.on = Some(on);
    Ok(vec![note])
}

/// The same for two tables that are matched: columns of one name stand for each other.
///
/// # Errors
/// If no column that both have says what a row is about.
pub fn settle_both(
    options: &mut Match,
    left: &Columns,
    right: &Columns,
) -> Result<Vec<String>, TaskError> {
    let Some(open) = options.open(left.names(), right.names()) else { return Ok(Vec::new()) };
    let guesses = guess_columns(&left.first(ROWS), Some(&right.first(ROWS)));
    if guesses.is_empty() {
        return Err(TaskError::options(format!(
            "which columns are compared? No two of them have the same name: {} on the left, {} on the right; name them: option `left_on` \
             COLUMN option `right_on` COLUMN",
            left.names().join(", "),
            right.names().join(", ")
        )));
    }
    let [of_left, of_right] = [options.id_of_left(), options.id_of_right()];
    let is_free = |guess: &ColumnGuess| {
        let right_column = guess.right.unwrap_or_default();
        !is_one_of(&[of_left], left, guess.left) && !is_one_of(&[of_right], right, right_column)
    };
    let settled =
        Settled::new(open, options.weights.is_some(), guesses.into_iter().filter(is_free));
    let right_names: Vec<String> = settled
        .columns
        .iter()
        .map(|g| right.names()[g.right.unwrap_or_default()].clone())
        .collect();
    let name = |guess: &ColumnGuess| left.names()[guess.left].clone();
    let same = settled.columns.iter().zip(&right_names).all(|(guess, right)| name(guess) == *right);
    let option = if same { "on" } else { "left_on" };
    let (on, note) = settled.on(option, &mut options.compare, name)?;
    let mut notes = vec![note];
    if same {
        options.compare.on = Some(on);
    } else {
        let right_names = join_names(&right_names);
        notes
            .push(format!("in the second table these columns are option `right_on` {right_names}"));
        options.compare.on = None;
        (options.left_on, options.right_on) = (Some(on), Some(right_names));
    }
    Ok(notes)
}

fn is_one_of(names: &[Option<&str>], columns: &Columns, column: usize) -> bool {
    names.iter().flatten().any(|name| position(columns.names(), name) == Some(column))
}

/// The columns that are compared, and those that are not.
struct Settled {
    open: Open,
    /// Whether weights are learned.
    learned: bool,
    columns: Vec<ColumnGuess>,
    left_out: Vec<ColumnGuess>,
}

impl Settled {
    fn new(open: Open, learned: bool, guesses: impl Iterator<Item = ColumnGuess>) -> Self {
        let open = if learned { Open::Each } else { open };
        let (columns, left_out) = guesses.partition(|guess| guess.guess.measure.is_some());
        Self { open, learned, columns, left_out }
    }

    /// What option `on` is to say, and what the user should know. Measures are set.
    fn on(
        &self,
        option: &str,
        compare: &mut Compare,
        name: impl Fn(&ColumnGuess) -> String,
    ) -> Result<(String, String), TaskError> {
        if self.columns.is_empty() {
            return Err(TaskError::options(
                "which columns are compared? None says what a row is about: name some, option `on` COLUMN",
            ));
        }
        let names: Vec<String> = self.columns.iter().map(&name).collect();
        let weighed = self.open == Open::Each && !self.learned && names.len() > 1;
        let on = if weighed {
            let each = names.iter().map(|name| format!("{}:1", join_names(&[name])));
            each.collect::<Vec<_>>().join(",")
        } else {
            join_names(&names)
        };
        let mut said = format!("option `{option}` {on}");
        if self.open == Open::Each && compare.measure.is_empty() {
            for ColumnGuess { guess, .. } in &self.columns {
                let measure = guess.measure.as_deref().unwrap_or_default();
                let parsed = measure.parse::<Measure>();
                compare
                    .measure
                    .push(parsed.map_err(|error| TaskError::options(error.to_string()))?);
                said += &format!(" option `measure` '{measure}'");
            }
        }
        let of = |guess: &ColumnGuess| match guess.guess.kind {
            kind @ (Kind::Id | Kind::Empty) => {
                format!("{} is left out ({kind}: {})", name(guess), guess.guess.reason)
            }
            kind => format!("{} is taken for a {kind} ({})", name(guess), guess.guess.reason),
        };
        let all = self.columns.iter().chain(&self.left_out).map(of).collect::<Vec<_>>().join("; ");
        let how = match self.open {
            Open::Each => "columns are guessed, and this is",
            Open::Joined => "no column was named, so these are compared as one text:",
        };
        let weights = match weighed {
            true => ". All weigh the same; option `weights` learn finds what each should count",
            false => "",
        };
        Ok((on, format!("{how} {said}: {all}{weights}")))
    }
}

/// Settles which columns of a table are compared, and by what, where options leave it to the data; the table is read again afterwards. Gives what the
/// user should know of it.
///
/// # Errors
/// If the table cannot be read, or no column says what a row is about.
#[cfg(feature = "table")]
pub fn settle_table(
    options: &mut Dedupe,
    table: &Rereadable,
    context: &Context,
) -> Result<Vec<String>, TaskError> {
    let reader = table.reader()?;
    if options.compare.open(reader.columns()).is_none() {
        return Ok(Vec::new());
    }
    settle(options, &TableColumns::first(reader, ROWS, context)?.columns()?)
}

/// The same for two tables that are matched.
///
/// # Errors
/// If a table cannot be read, or no column that both have says what a row is about.
#[cfg(feature = "table")]
pub fn settle_tables(
    options: &mut Match,
    left: &Rereadable,
    right: &Rereadable,
    context: &Context,
) -> Result<Vec<String>, TaskError> {
    let (left, right) = (left.reader()?, right.reader()?);
    if options.open(left.columns(), right.columns()).is_none() {
        return Ok(Vec::new());
    }
    let first = |reader| TableColumns::first(reader, ROWS, context);
    let (left, right) = (first(left)?, first(right)?);
    settle_both(options, &left.columns()?, &right.columns()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Context, WeightsFrom, dedupe, match_tables};

    const NAMES: [&str; 4] =
        ["Acme Incorporated", "ACME Incorporated", "Zenith Ltd", "Omega Works"];
    const BORN: [&str; 4] = ["1978-05-03", "1978-05-03", "1990-12-31", "2001-01-20"];

    fn people() -> Columns<'static> {
        Columns::new()
            .with("id", &["1", "2", "3", "4"])
            .and_then(|people| people.with("Name", &NAMES))
            .and_then(|people| people.with("born", &BORN))
            .unwrap()
    }

    #[test]
    fn columns_are_guessed_and_said_as_the_options_that_stand_for_it() {
        let mut options = Dedupe::new();
        options.compare.on = Some("auto".to_owned());
        let notes = settle(&mut options, &people()).unwrap();
        assert_eq!(options.compare.on.as_deref(), Some("Name:1,born:1"));
        let measures: Vec<String> =
            options.compare.measure.iter().map(ToString::to_string).collect();
        assert_eq!(measures.len(), 2);
        assert_eq!(measures[1], "date");
        let said =
            "this is option `on` Name:1,born:1 option `measure` 'default' option `measure` 'date'";
        assert!(notes[0].contains(said), "{notes:?}");
        assert!(notes[0].contains("id is left out (id:"), "{notes:?}");
        // What is said gives the same.
        let mut found = Dedupe::new().min(0.5);
        found.compare.on = Some("auto".to_owned());
        let guessed = dedupe(&people(), &found, &Context::default()).unwrap();
        found.compare = options.compare;
        let said = dedupe(&people(), &found, &Context::default()).unwrap();
        assert_eq!(guessed.clusters, said.clusters);
        assert_eq!(guessed.clusters.cluster_of, [0, 0, 1, 2]);
    }

    #[test]
    fn without_a_word_columns_that_say_something_are_joined() {
        let mut options = Dedupe::new();
        let notes = settle(&mut options, &people()).unwrap();
        assert_eq!(options.compare.on.as_deref(), Some("Name,born"));
        assert!(notes[0].contains("no column was named, so these are compared as one text"));
        assert!(options.compare.measure.is_empty());
    }

    #[test]
    fn ids_and_labels_that_are_named_are_no_columns_to_compare() {
        let mut options = Dedupe::new().labels("Name");
        options.compare.id = Some("born".to_owned());
        let error = settle(&mut options, &people()).unwrap_err().to_string();
        assert!(error.contains("None says what a row is about"), "{error}");
    }

    #[test]
    fn a_column_that_is_called_auto_is_compared() {
        let cars = Columns::new().with("auto", &["vw"]).unwrap().with("x", &["y"]).unwrap();
        let mut options = Dedupe::new();
        options.compare.on = Some("auto".to_owned());
        assert!(settle(&mut options, &cars).unwrap().is_empty());
        assert_eq!(options.compare.on.as_deref(), Some("auto"));
    }

    #[test]
    fn columns_of_two_tables_stand_for_each_other_by_name() {
        let other = Columns::new().with("NAME", &NAMES).unwrap().with("Born", &BORN).unwrap();
        let mut options = Match::new();
        options.compare.on = Some("auto".to_owned());
        settle_both(&mut options, &people(), &other).unwrap();
        assert_eq!(options.left_on.as_deref(), Some("Name:1,born:1"));
        assert_eq!(options.right_on.as_deref(), Some("NAME,Born"));
        assert_eq!(options.compare.on, None);
        let mut options = Match::new().k(1);
        options.compare.on = Some("auto".to_owned());
        let found = match_tables(&people(), &other, &options, &Context::default()).unwrap();
        assert_eq!(found.pairs.len(), 4);
        assert!(found.report.notes.iter().any(|note| note.contains("option `right_on` NAME,Born")));
    }

    #[test]
    fn where_weights_are_learned_columns_have_none() {
        let mut options = Dedupe::new().weights(WeightsFrom::Learn);
        settle(&mut options, &people()).unwrap();
        assert_eq!(options.compare.on.as_deref(), Some("Name,born"));
        assert_eq!(options.compare.measure.len(), 2);
    }
}
