//! Feature sets by name.

/// A feature set with a name.
#[derive(Debug)]
#[non_exhaustive]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it is for, in a line.
    pub summary: &'static str,
    /// Its features, as a feature set is written; other presets may be among them.
    pub features: &'static str,
}

/// Every preset.
pub static PRESETS: &[Preset] = &[
    Preset { name: "baseline", summary: "TF-IDF cosine alone", features: "tfidf" },
    Preset {
        name: "lab0",
        summary: "short texts: lengths, embedding, words, word pairs and threes, character pairs (Li, Wang & Wu 2016)",
        features: "length(form=both), embedding, word-1, word-2, word-3, char-2",
    },
    Preset {
        name: "lab1",
        summary: "lab0 and dependency",
        features: "lab0, dependency(form=similarity)",
    },
    Preset {
        name: "lab2",
        summary: "lab1 and characters, Levenshtein distance over words, word order",
        features: "lab1, char-1, word-levenshtein(form=count), word-order",
    },
    Preset {
        name: "records",
        summary: "records: words and spelling, rarest words, numbers and codes, for each column and all joined",
        features: "word-grams, word-grams(compare=cosine, qidf=1, head=1), tfidf(idf=smooth), tfidf(weights=boolean), \
                   overlap, qgrams(q=3, coefficient=overlap, analyzer=analyzer(tokens=whole)), \
                   rarest, numbers, codes, length(form=ratio), \
                   *: word-grams, *: word-grams(compare=cosine, qidf=1, head=1), *: tfidf(idf=smooth), *: tfidf(weights=boolean), *: overlap, \
                   *: levenshtein(analyzer=analyzer(tokens=whole)), *: jaro-winkler(analyzer=analyzer(tokens=whole)), \
                   *: equal(analyzer=analyzer(tokens=whole)), *: qgrams(q=3, coefficient=overlap, analyzer=analyzer(tokens=whole)), \
                   *: rarest, *: numbers, *: codes, *: missing, *: length(form=ratio)",
    },
    Preset {
        name: "sentences",
        summary: "pairs of sentences: words, stems, word pairs, spelling, order, numbers and lengths",
        features: "tfidf(idf=smooth), tfidf(weights=boolean), word-grams, word-grams(compare=cosine, qidf=1, head=1), sc(q=2:3), \
                   overlap, tfidf(idf=smooth, analyzer=analyzer(stem=porter)), tfidf(weights=boolean, analyzer=analyzer(stem=porter)), \
                   soft-tfidf, monge-elkan, levenshtein(analyzer=analyzer(tokens=whole)), lcs(analyzer=analyzer(tokens=whole)), \
                   nmclcsn(analyzer=analyzer(tokens=whole)), jaro-winkler(analyzer=analyzer(tokens=whole)), \
                   tfidf(weights=boolean, analyzer=analyzer(grams=2)), tfidf(weights=boolean, analyzer=analyzer(grams=3)), \
                   edit(form=linear, unit=elements, analyzer=analyzer(tokens=whole)), rarest, numbers, codes, length",
    },
];
