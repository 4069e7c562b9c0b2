//! The eight settings of the paper's Table 1.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a graph's nodes and features are made of. By name `cicnlp-1` to `cicnlp-8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub struct Setting {
    /// Nodes are stems instead of words: settings 2, 4, 6 and 8.
    pub stems: bool,
    /// A path counts as often as its edges were seen, added up: settings 3, 4, 7 and 8.
    pub frequency: bool,
    /// Paths name the words, and not only tags and relations: settings 5 to 8.
    pub words: bool,
}

impl Setting {
    /// All eight, in order.
    pub fn all() -> [Self; 8] {
        std::array::from_fn(|at| Self {
            stems: at % 2 == 1,
            frequency: at / 2 % 2 == 1,
            words: at >= 4,
        })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = 1
            + usize::from(self.stems)
            + 2 * usize::from(self.frequency)
            + 4 * usize::from(self.words);
        write!(f, "cicnlp-{number}")
    }
}

impl From<Setting> for String {
    fn from(setting: Setting) -> Self {
        setting.to_string()
    }
}

impl TryFrom<String> for Setting {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let number = name.strip_prefix("cicnlp-").and_then(|n| n.parse::<usize>().ok());
        match number {
            Some(number @ 1..=8) => Ok(Self::all()[number - 1]),
            _ => Err(format!("`{name}` is no setting; there are cicnlp-1 to cicnlp-8")),
        }
    }
}
