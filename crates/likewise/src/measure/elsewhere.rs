//! What measures are called in other libraries, and which of ours is nearest.
//!
//! Whoever comes from RapidFuzz, jellyfish or scikit-learn writes the name known from there. The error for an unknown
//! measure looks it up here.

/// Names used elsewhere for something that we have, or have something near to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elsewhere {
    /// The names, in lower case, letters and digits only.
    names: &'static [&'static str],
    /// Where they come from.
    pub from: &'static str,
    /// The nearest of our measures; empty if it is the default measure.
    pub ours: &'static str,
    /// How the two differ, or what ours does.
    pub why: &'static str,
}

impl Elsewhere {
    /// What a name means elsewhere, however it is written: `fuzz.token_set_ratio`, `TokenSetRatio`.
    ///
    /// ```
    /// use likewise::measure::Elsewhere;
    ///
    /// let found = Elsewhere::find("fuzz.token_set_ratio").unwrap();
    /// assert_eq!((found.from, found.ours), ("RapidFuzz", "sc(coefficient=overlap)"));
    /// assert_eq!(Elsewhere::find("banana"), None);
    /// ```
    pub fn find(name: &str) -> Option<&'static Self> {
        // A module before the name says nothing.
        let last = name.rsplit(['.', ':']).next().unwrap_or(name);
        let plain: String =
            last.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        ELSEWHERE.iter().find(|e| e.names.contains(&plain.as_str()))
    }

    /// The way out, in a sentence.
    pub fn hint(&self) -> String {
        let nearest = match self.ours {
            "" => "the default measure: leave out option `measure`".to_owned(),
            ours => format!("`{ours}`"),
        };
        format!("known from {}? The nearest here is {nearest} ({})", self.from, self.why)
    }
}

const fn known(
    names: &'static [&'static str],
    from: &'static str,
    ours: &'static str,
    why: &'static str,
) -> Elsewhere {
    Elsewhere { names, from, ours, why }
}

static ELSEWHERE: &[Elsewhere] = &[
    known(
        &["ratio", "indel", "normalizedindel", "sequencematcher", "gestalt", "ratcliffobershelp"],
        "RapidFuzz and difflib",
        "lcs",
        "characters in common in their order, over the longer length",
    ),
    known(
        &["partialratio", "partialratioalignment"],
        "RapidFuzz",
        "qgrams(coefficient=overlap)",
        "shared q-grams over those of the smaller text, wherever they stand",
    ),
    known(
        &["tokensetratio", "partialtokensetratio", "partialtokenratio", "tokenratio"],
        "RapidFuzz",
        "sc(coefficient=overlap)",
        "1 if one text has all words of the other; misspelt words count in part",
    ),
    known(
        &["tokensortratio", "partialtokensortratio"],
        "RapidFuzz",
        "word-grams",
        "the order of words does not matter; misspelt words count in part",
    ),
    known(
        &["wratio", "qratio", "uwratio", "uqratio", "fuzzy", "fuzzywuzzy", "thefuzz", "rapidfuzz"],
        "RapidFuzz and fuzzywuzzy",
        "",
        "one measure for names and longer texts; scores go from 0 to 1",
    ),
    known(
        &[
            "levenshteindistance",
            "levenshteinratio",
            "levenshteinsimilarity",
            "levenshteinatthresholds",
            "editdistance",
            "normalizedlevenshtein",
            "needlemanwunsch",
            "gotoh",
            "affine",
            "affinegap",
        ],
        "jellyfish, py_stringmatching and Splink",
        "levenshtein",
        "1 - distance / longer length",
    ),
    known(
        &["hamming", "hammingdistance", "mlipns"],
        "jellyfish and py_stringmatching",
        "levenshtein",
        "it allows texts of different lengths too",
    ),
    known(
        &[
            "dameraulevenshtein",
            "dameraulevenshteindistance",
            "dameraulevenshteinsimilarity",
            "dameraulevenshteinatthresholds",
            "optimalstringalignment",
        ],
        "jellyfish, recordlinkage and Splink",
        "osa",
        "swapping two neighbours is one step; nothing is edited twice",
    ),
    known(
        &["jarosimilarity", "jarodistance", "jaroatthresholds"],
        "jellyfish and Splink",
        "jaro",
        "the same",
    ),
    known(
        &[
            "jarowinkler",
            "jarowinklersimilarity",
            "jarowinkleratthresholds",
            "strcmp95",
            "namecomparison",
            "forenamesurnamecomparison",
        ],
        "jellyfish, recordlinkage and Splink",
        "jaro-winkler",
        "for single short names",
    ),
    known(
        &[
            "soundex",
            "metaphone",
            "doublemetaphone",
            "nysiis",
            "matchratingcodex",
            "matchratingcomparison",
            "editex",
            "phonetic",
        ],
        "jellyfish",
        "jaro-winkler",
        "by letters: there are no codes for how words sound",
    ),
    known(
        &["smithwaterman", "localalignment"],
        "py_stringmatching and recordlinkage",
        "nmclcsn",
        "the longest run of characters in common",
    ),
    known(
        &["lcsseq", "longestcommonsubsequence", "lcsstr"],
        "RapidFuzz and textdistance",
        "lcs",
        "over the longer length",
    ),
    known(&["prefix", "commonprefix"], "RapidFuzz", "nmclcs1", "the longest common prefix"),
    known(
        &["exact", "exactmatch", "equals", "identity"],
        "recordlinkage and Splink",
        "equal",
        "give it an analyzer to fold case: equal(analyzer=analyzer(tokens=whole))",
    ),
    known(
        &["jaccard", "jaccardmeasure", "jaccardindex", "jaccardatthresholds", "tanimoto"],
        "py_stringmatching, SimString and Splink",
        "qgrams(coefficient=jaccard)",
        "of pairs of characters; of words it is sc-pairwise(terms=equal, coefficient=jaccard)",
    ),
    known(
        &[
            "dice",
            "dicemeasure",
            "sorensen",
            "sørensen",
            "sorensendice",
            "dicesorensen",
            "tversky",
            "tverskyindex",
        ],
        "py_stringmatching and SimString",
        "qgrams(coefficient=dice)",
        "of pairs of characters; of words it is sc-pairwise(terms=equal, coefficient=dice)",
    ),
    known(
        &["overlapcoefficient", "overlapmeasure", "szymkiewiczsimpson", "partial"],
        "py_stringmatching and SimString",
        "qgrams(coefficient=overlap)",
        "of pairs of characters; of words it is sc-pairwise(terms=equal, coefficient=overlap)",
    ),
    known(
        &["cosinemeasure", "qgramcosine", "ngramcosine"],
        "SimString",
        "qgrams(q=3, coefficient=cosine)",
        "of 3-grams of characters",
    ),
    known(
        &["generalizedjaccard", "softjaccard"],
        "py_stringmatching",
        "sc-pairwise(coefficient=jaccard)",
        "words spelt alike count in part",
    ),
    known(
        &["bag", "bagdistance"],
        "textdistance",
        "qgrams(q=1, count=bag)",
        "characters, however they are ordered",
    ),
    known(
        &[
            "trigram",
            "trigrams",
            "pgtrgm",
            "ngram",
            "ngrams",
            "similarity",
            "minhash",
            "simhash",
            "lsh",
        ],
        "pg_trgm and datasketch",
        "qgrams(q=3)",
        "Jaccard of 3-grams of characters, exactly",
    ),
    known(
        &[
            "tfidfvectorizer",
            "tfidftransformer",
            "cosinesimilarity",
            "cosinesimilarityatthresholds",
            "linearkernel",
            "tfidfmodel",
            "matrixsimilarity",
            "sparsematrixsimilarity",
        ],
        "scikit-learn and gensim",
        "tfidf",
        "cosine of words; of q-grams as with analyzer=\"char_wb\" it is word-grams(compare=cosine)",
    ),
    known(
        &["countvectorizer", "bow", "bagofwords"],
        "scikit-learn",
        "tfidf(weights=tf)",
        "cosine of how often words occur",
    ),
    known(
        &["charwb", "stringgrouper", "matchstrings", "polyfuzz"],
        "scikit-learn and string_grouper",
        "word-grams(compare=cosine)",
        "cosine of weighted 3-grams of words",
    ),
    known(
        &["softcossim", "softcosinesimilarity", "softcosinematrix", "innerproduct"],
        "gensim",
        "soft-cosine",
        "name what makes words alike: soft-cosine(terms=vectors(\"glove.txt\"))",
    ),
    known(
        &[
            "wmd",
            "wmdistance",
            "wmdsimilarity",
            "wordmoversdistance",
            "word2vec",
            "doc2vec",
            "fasttext",
            "glove",
            "spacy",
            "sbert",
            "bert",
            "sentencetransformers",
            "embedding",
            "embeddings",
            "lsi",
            "lsimodel",
            "lda",
            "ldamodel",
        ],
        "gensim and models of word vectors",
        "soft-cosine(terms=vectors(\"glove.txt\"))",
        "by a file of word vectors that you have; there is no model to download",
    ),
    known(
        &["bm25okapi", "okapi", "okapibm25", "okapibm25model", "bm25plus", "bm25l", "rankbm25"],
        "rank_bm25 and gensim",
        "bm25",
        "Okapi BM25",
    ),
    known(&["chrf", "chrfpp"], "sacreBLEU", "sc(q=1:6)", "shared q-grams of words"),
    known(
        &["bleu", "rouge", "rougel", "meteor"],
        "evaluation of translations",
        "sts",
        "words of the two sentences aligned",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Measure;

    #[test]
    fn every_hint_names_a_measure_that_can_be_written() {
        for entry in ELSEWHERE.iter().filter(|entry| !entry.ours.is_empty()) {
            let measure = entry.ours.parse::<Measure>();
            assert!(measure.is_ok(), "{}: {:?}", entry.ours, measure);
        }
    }

    #[test]
    fn a_name_stands_once_and_is_plain() {
        let mut all: Vec<&str> = ELSEWHERE.iter().flat_map(|e| e.names).copied().collect();
        for name in &all {
            assert!(name.chars().all(|c| c.is_alphanumeric() && !c.is_uppercase()), "{name}");
        }
        let many = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), many);
    }

    #[test]
    fn whoever_comes_from_elsewhere_is_told_the_nearest_measure() {
        let error = |name: &str| name.parse::<Measure>().unwrap_err().to_string();
        for (name, ours) in [
            ("token_set_ratio", "`sc(coefficient=overlap)`"),
            ("fuzz.WRatio", "leave out option `measure`"),
            ("jaro_winkler_similarity", "`jaro-winkler`"),
            ("JaroWinklerAtThresholds", "`jaro-winkler`"),
            ("TfidfVectorizer", "`tfidf`"),
            ("SoftCosineSimilarity", "`soft-cosine`"),
            ("soundex", "`jaro-winkler`"),
        ] {
            assert!(error(name).contains(ours), "{}", error(name));
        }
        // A slip for one of ours is still a slip.
        assert!(error("jaro_winkler").contains("jaro-winkler"));
        assert!(error("levenstein").contains("did you mean `levenshtein`?"));
    }
}
