//! Vectors as they are in use; they are too large for the repository.

use super::super::Neighbourhood;
use super::WordVectors;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

/// `$LIKEWISE_DATA/embeddings/en.txt.zst`: 80,000 words, 100 dimensions.
#[test]
fn real_vectors_have_the_cosines_of_plain_doubles_and_exact_neighbours() {
    let path = std::env::var_os("LIKEWISE_DATA")
        .map(|data| PathBuf::from(data).join("embeddings/en.txt.zst"))
        .filter(|path| path.is_file());
    let Some(path) = path else {
        eprintln!("not tested: LIKEWISE_DATA names no folder with embeddings/en.txt.zst");
        return;
    };
    let vectors = WordVectors::read(&path).unwrap();
    assert_eq!((vectors.len(), vectors.dimension()), (80_000, 100));

    // Read by nothing of ours, and compared in `f64` alone.
    let mut text = String::new();
    zstd::Decoder::new(std::fs::File::open(&path).unwrap())
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    let doubles: BTreeMap<&str, Vec<f64>> = text
        .lines()
        .skip(1)
        .step_by(101)
        .map(|line| {
            let (word, numbers) = line.split_once(' ').unwrap();
            (word, numbers.split_ascii_whitespace().map(|n| n.parse().unwrap()).collect())
        })
        .collect();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let words: Vec<&str> = doubles.keys().copied().collect();
    for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
        let (x, y) = (&doubles[a], &doubles[b]);
        let plain = dot(x, y) / (dot(x, x).sqrt() * dot(y, y).sqrt());
        let ours = vectors.cosine(vectors.get(a).unwrap(), vectors.get(b).unwrap());
        assert!((ours - plain).abs() < 1e-6, "{a} {b}: {ours} and {plain}");
    }

    // Neighbours among all words, against computing every cosine.
    let rows = vectors.rows_of(vectors.words().iter());
    let neighbourhood = Neighbourhood::new(&vectors, &rows);
    let mut found = 0;
    for word in words.iter().step_by(20) {
        let row = vectors.get(word).unwrap();
        let near = neighbourhood.of(row, 0.5);
        let expected = (0..vectors.len() as u32).map(|other| (other, vectors.cosine(row, other)));
        assert!(near.iter().map(|near| (near.id, near.cosine)).eq(expected.filter(|x| x.1 >= 0.5)));
        found += near.len() - 1;
    }
    assert!(found > 100, "{found}");
}
