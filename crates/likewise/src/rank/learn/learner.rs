//! Learners as users write them, and what they learn to decide by.

use super::forest::ForestSettings;
use super::svm::SvmSettings;
use super::{Examples, Forest, Svm, Target};
use crate::expr::{self, ExprError, Kind, Param, Schema, Setting, Settings};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A learner: `forest`, `svm(kernel=linear)`. Reads from and prints as an expression.
///
/// ```
/// use likewise::rank::learn::Learner;
///
/// let learner: Learner = "forest(trees=500)".parse()?;
/// assert_eq!(learner.to_string(), "forest(trees=500, leaf=1, weights=equal)");
/// assert!("forst".parse::<Learner>().unwrap_err().to_string().contains("did you mean `forest`?"));
/// # Ok::<(), likewise::expr::ExprError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Learner(Settings);

const WEIGHTS: Param = Param {
    name: "weights",
    kind: Kind::Choice(&["equal", "balanced"]),
    default: "equal",
    help: "examples weigh the same, or both classes do",
};

static FOREST: Schema = Schema {
    name: "forest",
    aliases: &["random-forest"],
    summary: "random forest: the mean of many trees",
    params: &[
        Param {
            name: "trees",
            kind: Kind::Integer(1, 10_000),
            default: "300",
            help: "how many trees",
        },
        Param {
            name: "share",
            kind: Kind::Number(0.001, 1.0),
            default: "",
            help: "which share of the features is tried at a split (the square root of their number)",
        },
        Param {
            name: "leaf",
            kind: Kind::Integer(1, 10_000),
            default: "1",
            help: "how many examples a leaf must have",
        },
        WEIGHTS,
    ],
};

static SVM: Schema = Schema {
    name: "svm",
    aliases: &[],
    summary: "support vector machine as in LIBSVM, over scaled numbers",
    params: &[
        Param {
            name: "kernel",
            kind: Kind::Choice(&["rbf", "linear"]),
            default: "rbf",
            help: "the kernel",
        },
        Param {
            name: "c",
            kind: Kind::Number(1e-6, 1e9),
            default: "",
            help: "what an error costs (found by cross-validation)",
        },
        Param {
            name: "gamma",
            kind: Kind::Number(1e-9, 1e6),
            default: "",
            help: "gamma of the RBF kernel, times the number of features (found by cross-validation)",
        },
        WEIGHTS,
    ],
};

/// What an error may cost, and γ times the number of features: the grid of a search.
const COSTS: [f64; 5] = [0.25, 1.0, 4.0, 16.0, 64.0];
const GAMMAS: [f64; 3] = [0.0625, 0.25, 1.0];

impl Default for Learner {
    fn default() -> Self {
        Self(FOREST.defaults())
    }
}

impl Learner {
    /// Every learner, with its settings.
    pub fn all() -> [&'static Schema; 2] {
        [&FOREST, &SVM]
    }

    fn is_forest(&self) -> bool {
        std::ptr::eq(self.0.schema, &FOREST)
    }

    /// The learners to choose among by cross-validation: itself, if it leaves nothing open.
    pub(crate) fn grid(&self) -> Vec<Self> {
        if self.is_forest() {
            return vec![self.clone()];
        }
        let rbf = self.0.choice("kernel") == "rbf";
        let open = |name: &str, values: &[f64]| match self.0.number_if_set(name) {
            Some(value) => vec![value],
            None => values.to_vec(),
        };
        let gammas = if rbf { open("gamma", &GAMMAS) } else { vec![1.0] };
        let mut all = Vec::new();
        for &gamma in &gammas {
            for c in open("c", &COSTS) {
                let settings = self.0.clone().with("c", Setting::Number(c));
                all.push(Self(if rbf {
                    settings.with("gamma", Setting::Number(gamma))
                } else {
                    settings
                }));
            }
        }
        all
    }

    /// Fits it to examples. Whatever it leaves open has the middle of the grid.
    pub(crate) fn fit(&self, examples: &Examples, target: Target, seed: u64) -> Decide {
        let balanced = self.0.choice("weights") == "balanced" && target == Target::Match;
        if self.is_forest() {
            let whole = |name: &str| usize::try_from(self.0.integer(name)).unwrap_or(1);
            let settings = ForestSettings {
                trees: whole("trees"),
                share: self.0.number_if_set("share"),
                leaf: whole("leaf"),
                balanced,
            };
            return Decide::Forest(Forest::grow(examples, settings, seed));
        }
        let settings = SvmSettings {
            rbf: self.0.choice("kernel") == "rbf",
            c: self.0.number_if_set("c").unwrap_or(COSTS[2]),
            gamma: self.0.number_if_set("gamma").unwrap_or(GAMMAS[1])
                / examples.width().max(1) as f64,
            balanced,
            ratings: target == Target::Rating,
        };
        Decide::Svm(Svm::train(examples, settings))
    }
}

impl FromStr for Learner {
    type Err = ExprError;

    fn from_str(source: &str) -> Result<Self, ExprError> {
        let sum = expr::parse(source)?;
        let [(weight, call)] = &sum.terms[..] else {
            let second = sum.terms[1].1.name_span;
            return Err(ExprError::new(source, second, "a learner stands alone"));
        };
        if *weight != 1.0 {
            return Err(ExprError::new(source, call.name_span, "a learner has no weight"));
        }
        Ok(Self(Schema::find(&Self::all(), call, "learner", source)?.resolve(call, source)?))
    }
}

impl fmt::Display for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Learner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Learner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// What was learned: gives an example a decision value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Decide {
    /// A random forest.
    Forest(Forest),
    /// A support vector machine.
    Svm(Svm),
}

impl Decide {
    /// The decision value of an example: larger for what is more likely a match. For ratings, the rating.
    pub fn decision(&self, row: &[f64], target: Target) -> f64 {
        match (self, target) {
            (Self::Forest(forest), Target::Rating) => forest.mean(row),
            (Self::Forest(forest), Target::Match) => {
                // The logarithm of the odds, which a sigmoid calibrates; one vote is given to each side by halves, for votes may
                // be unanimous.
                let trees = forest.roots.len() as f64;
                let p = (forest.mean(row) * trees + 0.5) / (trees + 1.0);
                (p / (1.0 - p)).ln()
            }
            (Self::Svm(svm), _) => svm.decision(row),
        }
    }
}
