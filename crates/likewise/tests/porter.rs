//! Porter's algorithm on the vocabulary its author published with it: 23,531 words and stems.

use likewise::text::Analyzer;
use std::io::Read;

#[test]
fn every_word_of_the_published_vocabulary_is_stemmed_as_published() {
    let packed = include_bytes!("data/porter_vocabulary.tsv.gz");
    let mut table = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut table).unwrap();
    let analyzer: Analyzer = "analyzer(stem=porter)".parse().unwrap();
    let mut words = 0;
    for line in table.lines() {
        let (word, stem) = line.split_once('\t').unwrap();
        assert_eq!(analyzer.analyze(word).joined(), stem, "{word}");
        words += 1;
    }
    assert_eq!(words, 23_531);
}
