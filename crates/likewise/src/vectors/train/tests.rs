//! Vectors from texts whose structure is known.

use super::*;
use crate::control::Watch;
use std::sync::Arc;

/// Two topics whose words never meet.
fn texts() -> Vec<Result<String, TrainError>> {
    let topics = [["king", "queen", "crown", "throne"], ["goal", "ball", "keeper", "match"]];
    let mut state = 1_u32;
    let mut next = move |n: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % n
    };
    (0..600)
        .map(|text| {
            let words: Vec<&str> = (0..8).map(|_| topics[text % 2][next(4) as usize]).collect();
            Ok(words.join(" "))
        })
        .collect()
}

fn training(shards: usize) -> Training {
    let rate = 0.05;
    Training { dimensions: 20, epochs: 10, sample: 0.0, rate, shards, ..Training::default() }
}

fn trained(training: &Training) -> Trained {
    training.run(texts(), &Analyzer::default(), &Control::default()).unwrap()
}

#[test]
fn words_of_a_topic_are_nearer_than_words_of_two() {
    for shards in [1, 3] {
        let vectors = trained(&training(shards)).vectors().unwrap();
        let cosine = |a, b| vectors.cosine(vectors.get(a).unwrap(), vectors.get(b).unwrap());
        for (a, b) in [("king", "queen"), ("crown", "throne"), ("goal", "keeper")] {
            assert!(cosine(a, b) > 0.5 + cosine(a, if a == "goal" { "king" } else { "ball" }));
        }
    }
}

#[test]
fn the_same_vectors_for_any_number_of_threads_and_others_for_another_seed() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trained(&training(3)))
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(5));
    assert_ne!(one, trained(&Training { seed: 2, ..training(3) }));
    assert_ne!(one, trained(&training(2)));
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let trained = trained(&training(2));
    let wanted = trained.vectors().unwrap();
    for name in ["a.vectors", "a.txt", "a.txt.gz"] {
        let path = folder.path().join(name);
        trained.save(&path).unwrap();
        let read = WordVectors::read(&path).unwrap();
        assert_eq!((read.len(), read.dimension()), (8, 20));
        for row in 0..8 {
            assert_eq!(read.unit(row), wanted.unit(row), "{name}");
        }
    }
    let text = std::fs::read_to_string(folder.path().join("a.txt")).unwrap();
    assert!(text.starts_with("8 20\n"));
}

#[test]
fn rare_words_get_no_vector_and_no_words_at_all_is_an_error() {
    let run = |texts: &[&str], min_count| {
        let training = Training { min_count, dimensions: 4, ..Training::default() };
        let texts = texts.iter().map(|text| Ok::<_, TrainError>(*text)).collect::<Vec<_>>();
        training.run(texts, &Analyzer::default(), &Control::default())
    };
    let few = run(&["b a a", "b c a"], 2).unwrap();
    assert_eq!(few.words(), ["a", "b"]);
    assert_eq!((few.texts, few.occurrences), (2, 6));
    let message = run(&["a b"], 2).unwrap_err().to_string();
    assert!(message.starts_with("no word occurs 2 times or more in 1 texts"), "{message}");
    assert!(run(&[], 1).is_err());
    // A text of one word has no pairs: its vector stays where it began.
    assert!(run(&["a"], 1).unwrap().vector(0).iter().all(|value| value.is_finite()));
}

#[test]
fn wrong_options_are_named() {
    for (training, name) in [
        (Training { dimensions: 0, ..Training::default() }, "dimensions"),
        (Training { rate: f64::NAN, ..Training::default() }, "rate"),
        (Training { shards: 0, ..Training::default() }, "shards"),
    ] {
        assert!(training.check().unwrap_err().to_string().contains(name));
    }
}

#[test]
fn training_can_be_cancelled() {
    struct Never;
    impl Watch for Never {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let control = Control::new(Arc::new(Never));
    let stopped = training(2).run(texts(), &Analyzer::default(), &control);
    assert!(matches!(stopped, Err(TrainError::Cancelled)));
}

#[test]
fn more_epochs_part_the_topics_further() {
    // At this rate one epoch is not enough.
    let apart = |epochs| {
        let vectors = trained(&Training { epochs, rate: 0.002, ..training(1) }).vectors().unwrap();
        let row = |word| vectors.get(word).unwrap();
        vectors.cosine(row("king"), row("queen")) - vectors.cosine(row("king"), row("goal"))
    };
    assert!(apart(10) > apart(1));
}
