//! A parser as one file.
//!
//! ```text
//! "likewise parser\n"  version:u32
//! length:u32  the header, as JSON: what the model is, its tags, sizes and rules
//! matrices: of embeddings each row as scale:f32 and numbers of 8 bits, of weights scale:f32 and numbers of 16 bits
//! keys:u64 of features; keys:u64 and rules:u32 of lemmas       (little-endian; counts are in the header)
//! crc32 of all before:u32
//! ```

use super::ParserError;
use super::analyser::{Analyser, Shape};
use super::features::Vocabulary;
use super::lemma::{Lemmas, Rule};
use super::net::Matrix;
use super::parser::{Parser, Tagset};
use super::segmenter::{Segmenter, SegmenterNet};
use serde::{Deserialize, Serialize};

const MAGIC: &[u8] = b"likewise parser\n";
const VERSION: u32 = 1;
/// No network of this kind is larger; a header that says so is not believed.
const MOST: usize = 1 << 22;

/// What a model says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct About {
    /// The language, as a code such as `en`.
    #[serde(default)]
    pub language: String,
    /// What it was trained on.
    #[serde(default)]
    pub source: String,
    /// The licence of the model.
    #[serde(default)]
    pub licence: String,
    /// The seed it was trained with.
    #[serde(default)]
    pub seed: u64,
}

impl About {
    /// In these words.
    pub fn new(language: &str, source: &str, licence: &str, seed: u64) -> Self {
        let [language, source, licence] = [language, source, licence].map(str::to_owned);
        Self { language, source, licence, seed }
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    about: About,
    upos: Vec<String>,
    xpos: Vec<String>,
    relations: Vec<String>,
    features: usize,
    width: usize,
    layers: usize,
    arc: usize,
    relation: usize,
    segmenter_features: usize,
    segmenter_width: usize,
    segmenter_layers: usize,
    /// Whether small letters, how many cut, what added.
    rules: Vec<(bool, usize, String)>,
    lemmas: usize,
}

impl Header {
    fn shape(&self) -> Shape {
        Shape {
            features: self.features,
            width: self.width,
            layers: self.layers,
            upos: self.upos.len(),
            xpos: self.xpos.len(),
            relations: self.relations.len(),
            arc: self.arc,
            relation: self.relation,
        }
    }

    /// How many bytes follow, if the sizes make sense.
    fn body(&self) -> Option<usize> {
        let sizes = [
            self.features,
            self.width,
            self.arc,
            self.relation,
            self.segmenter_features,
            self.segmenter_width,
            self.upos.len(),
            self.xpos.len(),
            self.relations.len(),
        ];
        let sensible = sizes.iter().all(|n| (1..=MOST).contains(n))
            && [self.width, self.segmenter_width].iter().all(|n| n % 2 == 0 && *n <= 4096)
            && self.arc.max(self.relation) <= 4096
            && self.layers.max(self.segmenter_layers) <= 64
            && self.relations.len().max(self.upos.len()).max(self.xpos.len()) <= 65536
            && self.lemmas <= MOST;
        if !sensible {
            return None;
        }
        let embeddings = |rows: usize, cols: usize| rows.checked_mul(cols.checked_add(4 + 8)?);
        let recurrent =
            |layers: usize, width: usize| layers * (2 * (3 * width + 4) * width + 2 * 4);
        let dense = |rows: usize, cols: usize| 4 + 2 * rows * cols;
        let tags = self.upos.len() + self.xpos.len();
        let views = 2 * (self.arc + self.relation);
        let mut total = embeddings(self.features, self.width)?;
        total += embeddings(self.segmenter_features, self.segmenter_width)?;
        total += recurrent(self.layers, self.width);
        total += recurrent(self.segmenter_layers, self.segmenter_width);
        for (rows, cols) in [
            (self.width + 1, tags),
            (self.width + 1, views),
            (self.arc + 1, self.arc),
            (1, super::analyser::DISTANCES),
            (self.relation + 1, self.relations.len()),
            (self.segmenter_width + 1, super::segmenter::ENDS),
        ] {
            // A bias is a matrix of its own, with its own scale.
            total += dense(rows, cols) + if rows > 1 { 4 } else { 0 };
        }
        Some(total + self.lemmas * 12)
    }
}

impl Parser {
    /// The model as bytes, to be written to a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (net, segmenter) = (&self.analyser, &self.segmenter);
        let rule = |rule: &Rule| (rule.lower, rule.cut, rule.add.clone());
        let header = Header {
            about: self.about.clone(),
            upos: self.tags.upos.clone(),
            xpos: self.tags.xpos.clone(),
            relations: self.tags.relations.clone(),
            features: net.encoder.embeddings.rows,
            width: net.encoder.width(),
            layers: net.encoder.layers.len(),
            arc: net.arc(),
            relation: net.relation(),
            segmenter_features: segmenter.net.encoder.embeddings.rows,
            segmenter_width: segmenter.net.encoder.width(),
            segmenter_layers: segmenter.net.encoder.layers.len(),
            rules: self.lemmas.rules.iter().map(rule).collect(),
            lemmas: self.lemmas.by_key.len(),
        };
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        // Plain data with names as keys: this cannot fail.
        let json = serde_json::to_vec(&header).unwrap_or_default();
        out.extend((json.len() as u32).to_le_bytes());
        out.extend(&json);
        put_rows(&mut out, &net.encoder.embeddings);
        net.dense().into_iter().for_each(|matrix| put_weights(&mut out, matrix));
        put_rows(&mut out, &segmenter.net.encoder.embeddings);
        segmenter.net.dense().into_iter().for_each(|matrix| put_weights(&mut out, matrix));
        for key in self.vocabulary.keys().iter().chain(segmenter.vocabulary.keys()) {
            out.extend(key.to_le_bytes());
        }
        let mut lemmas: Vec<(u64, u32)> =
            self.lemmas.by_key.iter().map(|(k, r)| (*k, *r)).collect();
        lemmas.sort_unstable();
        lemmas.iter().for_each(|(key, _)| out.extend(key.to_le_bytes()));
        lemmas.iter().for_each(|(_, rule)| out.extend(rule.to_le_bytes()));
        let checksum = crc32fast::hash(&out);
        out.extend(checksum.to_le_bytes());
        out
    }

    /// A parser from the bytes of a model.
    ///
    /// # Errors
    /// If they are not a model, are of another version, or differ in any byte from what was written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ParserError> {
        let damaged = |reason: &str| ParserError::Model(reason.to_owned());
        let rest = bytes
            .strip_prefix(MAGIC)
            .ok_or_else(|| damaged("it does not begin as a parser's model does"))?;
        let (version, _) =
            rest.split_first_chunk::<4>().ok_or_else(|| damaged("it was cut short"))?;
        let (body, checksum) =
            bytes.split_last_chunk::<4>().ok_or_else(|| damaged("it was cut short"))?;
        // First, so that an altered version is not taken for another one.
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(damaged("its checksum does not fit: it was cut short or altered"));
        }
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(ParserError::Version { found: version, read: VERSION });
        }
        let mut rest = Bytes(&body[MAGIC.len() + 4..]);
        Self::read(&mut rest).ok_or_else(|| damaged("its sizes make no sense"))
    }

    fn read(rest: &mut Bytes<'_>) -> Option<Self> {
        let length = rest.u32()? as usize;
        let header: Header = serde_json::from_slice(rest.take(length)?).ok()?;
        if header.body()? != rest.0.len() {
            return None;
        }
        let mut analyser = Analyser::new(header.shape());
        rest.rows(&mut analyser.encoder.embeddings)?;
        analyser.dense_mut().into_iter().try_for_each(|matrix| rest.weights(matrix))?;
        let mut net = SegmenterNet::new(
            header.segmenter_features,
            header.segmenter_width,
            header.segmenter_layers,
        );
        rest.rows(&mut net.encoder.embeddings)?;
        net.dense_mut().into_iter().try_for_each(|matrix| rest.weights(matrix))?;
        let vocabulary = Vocabulary::new(rest.keys(header.features)?);
        let segmenter =
            Segmenter { vocabulary: Vocabulary::new(rest.keys(header.segmenter_features)?), net };
        let keys = rest.keys(header.lemmas)?;
        let by_key = keys.into_iter().map(|key| Some((key, rest.u32()?))).collect::<Option<_>>()?;
        let rule = |(lower, cut, add)| Rule { lower, cut, add };
        let lemmas = Lemmas { rules: header.rules.into_iter().map(rule).collect(), by_key };
        let tags = Tagset { upos: header.upos, xpos: header.xpos, relations: header.relations };
        Some(Self { about: header.about, tags, vocabulary, analyser, segmenter, lemmas })
    }
}

fn put_rows(out: &mut Vec<u8>, matrix: &Matrix) {
    for row in 0..matrix.rows {
        let row = matrix.row(row);
        let scale = row.iter().fold(0.0, |most: f32, value| most.max(value.abs())) / 127.0;
        out.extend(scale.to_le_bytes());
        let each = |value: &f32| if scale > 0.0 { (value / scale).round() as i8 } else { 0 };
        out.extend(row.iter().map(|value| each(value) as u8));
    }
}

fn put_weights(out: &mut Vec<u8>, matrix: &Matrix) {
    let scale = matrix.data.iter().fold(0.0, |most: f32, value| most.max(value.abs())) / 32767.0;
    out.extend(scale.to_le_bytes());
    for value in &matrix.data {
        let value = if scale > 0.0 { (value / scale).round() as i16 } else { 0 };
        out.extend(value.to_le_bytes());
    }
}

/// What is left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn four(&mut self) -> Option<[u8; 4]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.four().map(u32::from_le_bytes)
    }

    fn rows(&mut self, matrix: &mut Matrix) -> Option<()> {
        for row in 0..matrix.rows {
            let scale = f32::from_le_bytes(self.four()?);
            let numbers = self.take(matrix.cols)?;
            for (value, number) in matrix.row_mut(row).iter_mut().zip(numbers) {
                *value = scale * f32::from(*number as i8);
            }
        }
        Some(())
    }

    fn weights(&mut self, matrix: &mut Matrix) -> Option<()> {
        let scale = f32::from_le_bytes(self.four()?);
        let numbers = self.take(2 * matrix.data.len())?;
        for (value, number) in matrix.data.iter_mut().zip(numbers.as_chunks::<2>().0) {
            *value = scale * f32::from(i16::from_le_bytes(*number));
        }
        Some(())
    }

    fn keys(&mut self, n: usize) -> Option<Vec<u64>> {
        let bytes = self.take(n.checked_mul(8)?)?;
        Some(bytes.as_chunks::<8>().0.iter().map(|key| u64::from_le_bytes(*key)).collect())
    }
}
