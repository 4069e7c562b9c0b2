//! Translation: could the first text be a translation of the second?
//!
//! IBM Model 1 with μ null words: each word q of the first text comes from some word r of the second with the probability
//! P_t(q|r), or from the background. Where texts are of one language, translations are words that say the same.
//!
//! - `table` is a file of `likewise corpus translate`, or any with the columns source, target, probability: «r may become q».
//!   A word without a row of its own stays what it is.
//! - `synonyms` makes a table: two words become each other if each is among the other's synonyms, all of them alike.
//! - `self` is how likely every word stays what it is, whatever the table says.
//!
//! With neither, each word stays what it is, and the measure is [`query_likelihood`](super::query_likelihood).
//!
//! Sources: Brown, Della Pietra, Della Pietra & Mercer, "The mathematics of statistical machine translation" (1993); Berger
//! & Lafferty, "Information retrieval as statistical translation" (1999); Metzler and others (2005).

use super::Standing;
use super::query_likelihood::Stand;
use super::query_likelihood::{Itself, QueryLikelihood};
use super::{mu, scale};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::measure::{BindContext, BindError, Definition};

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Brown, Della Pietra, Della Pietra & Mercer 1993; Berger & Lafferty 1999",
    analyzer: "analyzer",
    presets: &[],
    properties: super::properties,
    build: |settings, to| Ok(Box::new(build(settings, to)?)),
};

const MU: Param =
    mu("mu", "1", "how many null words each text has, which come from the background");

static SCHEMA: Schema = Schema {
    name: "translation",
    aliases: &[],
    summary: "how likely the first text is as a translation of the second, word by word (IBM Model 1)",
    params: &[
        MU,
        #[cfg(feature = "table")]
        Param {
            name: "table",
            kind: Kind::Text,
            default: "",
            help: "a file of source, target, probability, such as `likewise corpus translate` writes; a word without a row in it translates to itself with probability 1",
        },
        super::synonyms::SYNONYMS,
        Param {
            name: "self",
            kind: Kind::Number(0.0, 1.0),
            default: "",
            help: "how likely each word stays what it is: otherwise 0.5 with synonyms, and what the table says with a table",
        },
        #[cfg(feature = "table")]
        super::background::BACKGROUND,
        scale("probability"),
    ],
};

fn build(settings: &Settings, to: BindContext) -> Result<QueryLikelihood, BindError> {
    let synonyms = super::synonyms::Synonyms::from_settings(settings, to)?;
    #[cfg(feature = "table")]
    if synonyms.is_some() && settings.text_if_set("table").is_some() {
        let reason = "`translation` takes a table or synonyms, not both".to_owned();
        return Err(BindError::Needs { reason });
    }
    if let Some(synonyms) = synonyms {
        let stays = settings.number_if_set("self").unwrap_or(0.5);
        return QueryLikelihood::with(settings, to, Box::new(BySynonyms { synonyms, stays }));
    }
    #[cfg(feature = "table")]
    if let Some(path) = settings.text_if_set("table") {
        let table = crate::corpus::translation::Translations::from_resources(to.resources, path);
        let table = table.map_err(|error| BindError::Needs { reason: error.to_string() })?;
        let stays = settings.number_if_set("self").unwrap_or(0.0);
        return QueryLikelihood::with(settings, to, Box::new(ByTable { table, stays }));
    }
    QueryLikelihood::with(settings, to, Box::new(Itself))
}

/// By a table: what of it is not kept by words that stay what they are.
#[cfg(feature = "table")]
struct ByTable {
    table: std::sync::Arc<crate::corpus::translation::Translations>,
    stays: f64,
}

#[cfg(feature = "table")]
impl Stand for ByTable {
    fn standing(&self, word: &str) -> Standing {
        let from = |(source, p): (&str, f64)| (source.to_owned(), (1.0 - self.stays) * p);
        let mut standing: Standing = self.table.into_word(word).map(from).collect();
        let left = if self.table.has(word) { self.stays } else { 1.0 };
        match standing.iter_mut().find(|(source, _)| source == word) {
            Some((_, p)) => *p += left,
            None => standing.push((word.to_owned(), left)),
        }
        standing.retain(|(_, p)| *p > 0.0);
        standing
    }

    fn shares_background(&self) -> bool {
        false
    }
}

/// By synonyms, each as likely as the others.
struct BySynonyms {
    synonyms: super::synonyms::Synonyms,
    stays: f64,
}

impl Stand for BySynonyms {
    fn standing(&self, word: &str) -> Standing {
        let own = self.synonyms.of(word);
        let stays = if own.is_empty() { 1.0 } else { self.stays };
        let mut standing = vec![(word.to_owned(), stays)];
        for other in own {
            let back = self.synonyms.of(&other);
            if back.iter().any(|synonym| synonym == word) {
                standing.push((other, (1.0 - self.stays) / back.len() as f64));
            }
        }
        standing.retain(|(_, p)| *p > 0.0);
        standing
    }

    fn shares_background(&self) -> bool {
        false
    }
}
