//! Which pairs to label: questions one by one, answers kept, and when to stop.

use super::decide::{CANDIDATES, candidates};
use super::describe::{bind, examples, settled};
use super::pairs::{LabelledPair, Records, compared, id_column};
use crate::columns::Columns;
use crate::rank::feature::FeatureSet;
use crate::rank::learn::Examples;
use crate::rank::{ColumnPair, next_to_label};
use crate::task::{Compare, Context, TaskError};
use crate::text::Analyzer;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Options for choosing pairs to label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Label {
    /// The columns that are compared; without it all that both tables have.
    pub on: Option<String>,
    /// Those of the left table, if they are called differently there.
    pub left_on: Option<String>,
    /// Those of the right table.
    pub right_on: Option<String>,
    /// The column that names a row of the left table; without it the one called `id`, or the row's number.
    pub left_id: Option<String>,
    /// The column that names a row of the right table.
    pub right_id: Option<String>,
    /// How many candidates of each row may be asked for.
    pub k: usize,
    /// The features by which pairs are chosen; without it `records`.
    pub features: Option<FeatureSet>,
    /// How texts become terms, for features that do not say themselves.
    pub analyzer: Option<Analyzer>,
    /// How many questions are chosen at a time: the learner is trained anew after so many answers.
    pub batch: usize,
    /// Where random numbers start.
    pub seed: u64,
}

impl Default for Label {
    fn default() -> Self {
        Self {
            on: None,
            left_on: None,
            right_on: None,
            left_id: None,
            right_id: None,
            k: CANDIDATES,
            features: None,
            analyzer: None,
            batch: 5,
            seed: 1,
        }
    }
}

/// A pair to label.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// Its number among all pairs.
    pub pair: usize,
    /// The id of its left row.
    pub left_id: String,
    /// The id of its right row.
    pub right_id: String,
    /// For each column that is compared, its name and the texts of both rows.
    pub columns: Vec<(String, String, String)>,
    /// How alike the rows are by the default measure.
    pub score: f64,
    /// The probability by what was labelled so far, if there was enough.
    pub probability: Option<f64>,
}

/// Chooses pairs, takes answers, and says when more of them are unlikely to help.
///
/// A door asks [`question`](Self::question), tells [`answer`](Self::answer), and saves what [`labels`](Self::labels) lists.
pub struct Labeller {
    columns: Vec<ColumnPair>,
    left: Records,
    right: Records,
    pairs: Vec<LabelledPair>,
    scores: Vec<f64>,
    described: Examples,
    /// Answers in the order in which they came; none for «unsure».
    answers: Vec<(usize, Option<bool>)>,
    /// What is to be asked next, the next last.
    queue: Vec<usize>,
    probabilities: Option<Vec<f64>>,
    /// The share of unstable decisions after each round.
    unstable: Vec<f64>,
    batch: usize,
    seed: u64,
}

/// So many rounds in a row must be stable before labelling may stop, with so few decisions unstable.
const STABLE_ROUNDS: usize = 3;
const STABLE: f64 = 0.03;
/// And so many labels there must be.
const ENOUGH: usize = 50;

impl Labeller {
    /// Readies the candidates of two tables; without a right table those within the left one.
    ///
    /// # Errors
    /// If the options do not fit the columns, or a feature cannot be bound.
    pub fn new(
        left: &Columns,
        right: Option<&Columns>,
        options: &Label,
        context: &Context,
    ) -> Result<Self, TaskError> {
        let own = right.is_none();
        let right = right.unwrap_or(left);
        let ids = [
            id_column(left, options.left_id.as_deref()),
            id_column(
                right,
                options.right_id.as_deref().or(options.left_id.as_deref().filter(|_| own)),
            ),
        ];
        let sides = (options.left_on.as_deref(), options.right_on.as_deref());
        let columns = compared(left, right, options.on.as_deref(), sides, ids)?;
        let names = |of: fn(&ColumnPair) -> &String| {
            columns.iter().map(|c| of(c).as_str()).collect::<Vec<_>>()
        };
        let l = Records::new(left, ids[0], &names(|c| &c.left))?;
        let r = Records::new(right, ids[1], &names(|c| &c.right))?;
        let found = candidates(&l, &r, own, (options.k, &Compare::default()), context)?;
        if found.is_empty() {
            return Err(TaskError::Input(
                "no two rows have anything in common: there is nothing to label".into(),
            ));
        }
        let found: Vec<_> =
            found.iter().map(|p| (p.left as usize, p.right as usize, p.score)).collect();
        Self::of_pairs(columns, l, r, &found, options, context)
    }

    /// The same for pairs that are listed by their ids in columns of that name, instead of candidates.
    ///
    /// # Errors
    /// As for [`new`](Self::new), or if a pair has an id that no row has.
    pub fn of_listed(
        left: &Columns,
        right: &Columns,
        listed: &Columns,
        labels: &super::Labels,
        options: &Label,
        context: &Context,
    ) -> Result<Self, TaskError> {
        let ids = [
            id_column(left, options.left_id.as_deref()),
            id_column(right, options.right_id.as_deref()),
        ];
        let sides = (options.left_on.as_deref(), options.right_on.as_deref());
        let columns = compared(left, right, options.on.as_deref(), sides, ids)?;
        let names = |of: fn(&ColumnPair) -> &String| {
            columns.iter().map(|c| of(c).as_str()).collect::<Vec<_>>()
        };
        let l = Records::new(left, ids[0], &names(|c| &c.left))?;
        let r = Records::new(right, ids[1], &names(|c| &c.right))?;
        let pairs = labels.of_ids(listed, "the listed pairs", &l, &r, true)?;
        let pairs = super::pairs::distinct(
            pairs.into_iter().map(|p| LabelledPair { target: 0.0, ..p }).collect(),
            "the listed pairs",
            |p| format!("{} and {}", l.ids[p.left], r.ids[p.right]),
        )?
        .0;
        // How alike listed pairs are, by the measure that finds candidates.
        let text = |records: &Records, row: usize| {
            crate::columns::join(records.texts[row].iter().map(String::as_str))
        };
        let measure = crate::measure::Measure::default();
        let all = (0..l.texts.len())
            .map(|row| text(&l, row))
            .chain((0..r.texts.len()).map(|row| text(&r, row)));
        let counts = crate::collection::Collection::build(measure.analyzers(), all)?;
        let scorer = measure.bind_with(&counts, &context.resources)?;
        let scored: Vec<_> = pairs
            .iter()
            .map(|p| (p.left, p.right, scorer.score_texts(&text(&l, p.left), &text(&r, p.right))))
            .collect();
        Self::of_pairs(columns, l, r, &scored, options, context)
    }

    fn of_pairs(
        columns: Vec<ColumnPair>,
        left: Records,
        right: Records,
        found: &[(usize, usize, f64)],
        options: &Label,
        context: &Context,
    ) -> Result<Self, TaskError> {
        let names: Vec<&str> = columns.iter().map(|c| c.left.as_str()).collect();
        let features = options.features.clone().map_or_else(|| "records".parse(), Ok)?;
        let features = settled(features, options.analyzer.as_ref(), None, None)?;
        let (_, bound) = bind(&features, &names, &left, &right, context)?;
        let pairs: Vec<LabelledPair> = found
            .iter()
            .map(|&(left, right, _)| LabelledPair { left, right, target: 0.0 })
            .collect();
        let described = examples(&bound, &left, &right, &pairs, context)?;
        let scores = found.iter().map(|&(_, _, score)| score).collect();
        let (answers, queue, unstable) = (Vec::new(), Vec::new(), Vec::new());
        let (batch, seed) = (options.batch.max(1), options.seed);
        let mut labeller = Self {
            columns,
            left,
            right,
            pairs,
            scores,
            described,
            answers,
            queue,
            probabilities: None,
            unstable,
            batch,
            seed,
        };
        labeller.choose();
        Ok(labeller)
    }

    /// How many pairs there are to choose from.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    fn choose(&mut self) {
        let known: Vec<(usize, bool)> =
            self.answers.iter().filter_map(|&(at, label)| Some((at, label?))).collect();
        let more = self.answers.len() - known.len();
        let choice =
            next_to_label(&self.described, &self.scores, &known, self.batch + more, self.seed);
        let asked = |at: &usize| self.answers.iter().any(|(a, _)| a == at);
        self.queue = choice.next.into_iter().filter(|at| !asked(at)).take(self.batch).collect();
        self.queue.reverse();
        self.probabilities = choice.probabilities;
        self.unstable.extend(choice.unstable);
    }

    /// The pair to label next; none when all are labelled.
    pub fn question(&self) -> Option<Question> {
        let &pair = self.queue.last()?;
        let LabelledPair { left, right, .. } = self.pairs[pair];
        let texts = self.left.texts[left].iter().zip(&self.right.texts[right]);
        let columns = self.columns.iter().zip(texts);
        Some(Question {
            pair,
            left_id: self.left.ids[left].clone(),
            right_id: self.right.ids[right].clone(),
            columns: columns.map(|(c, (l, r))| (c.left.clone(), l.clone(), r.clone())).collect(),
            score: self.scores[pair],
            probability: self.probabilities.as_ref().map(|p| p[pair]),
        })
    }

    /// Takes the answer to the present [`question`](Self::question): a match, none, or unsure.
    pub fn answer(&mut self, label: Option<bool>) {
        let Some(pair) = self.queue.pop() else { return };
        self.answers.push((pair, label));
        if self.queue.is_empty() {
            self.choose();
        }
    }

    /// Takes the last answer back: its pair is asked again. Whether there was one.
    pub fn back(&mut self) -> bool {
        let Some((pair, _)) = self.answers.pop() else { return false };
        self.queue.push(pair);
        true
    }

    /// Takes labels that are known from before, by ids. Those of pairs that are no candidates are left out; says how many were taken.
    pub fn take(&mut self, known: &[(String, String, bool)]) -> usize {
        let mut places: FxHashMap<(&str, &str), usize> = FxHashMap::default();
        for (at, pair) in self.pairs.iter().enumerate() {
            places.insert((&self.left.ids[pair.left], &self.right.ids[pair.right]), at);
        }
        let found: Vec<(usize, Option<bool>)> = known
            .iter()
            .filter_map(|(l, r, label)| {
                Some((*places.get(&(l.as_str(), r.as_str()))?, Some(*label)))
            })
            .collect();
        let taken = found.len();
        self.answers.extend(found);
        self.choose();
        taken
    }

    /// The labels so far, by ids, in the order in which they came.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &str, bool)> {
        self.answers.iter().filter_map(|&(pair, label)| {
            let LabelledPair { left, right, .. } = self.pairs[pair];
            Some((self.left.ids[left].as_str(), self.right.ids[right].as_str(), label?))
        })
    }

    /// Why more labels are unlikely to help, if they are.
    pub fn enough(&self) -> Option<String> {
        if self.queue.is_empty() {
            return Some("every pair is labelled".to_owned());
        }
        let labels = self.answers.iter().filter(|(_, label)| label.is_some()).count();
        let last = self.unstable.iter().rev().take(STABLE_ROUNDS);
        let stable =
            self.unstable.len() >= STABLE_ROUNDS && last.clone().all(|&share| share <= STABLE);
        (labels >= ENOUGH && stable).then(|| {
            let share = 100.0 * last.fold(0.0, |most: f64, &share| most.max(share));
            format!("decisions are stable: in the last {STABLE_ROUNDS} rounds at most {share:.1} % of the matches found would change")
        })
    }
}
