use super::*;
use crate::lexicon::wordnet::WordNet;
use crate::syntax::conllu::Word;
use proptest::prelude::*;

/// Words as `form/TAG/head/relation`.
fn sentence(words: &str) -> Sentence {
    let word = |text: &str| {
        let parts: Vec<&str> = text.split('/').collect();
        Word {
            form: parts[0].to_owned(),
            xpos: parts[1].to_owned(),
            head: parts[2].parse().ok(),
            deprel: parts[3].to_owned(),
            ..Word::default()
        }
    };
    Sentence { words: words.split(' ').map(word).collect(), ..Sentence::default() }
}

/// The example of docs/answering.md: The dog saw a cat. The cat saw the dog. The dogs slept.
fn example() -> Vec<Sentence> {
    vec![
        sentence("The/DT/2/det dog/NN/3/nsubj saw/VBD/0/root a/DT/5/det cat/NN/3/obj ././3/punct"),
        sentence(
            "The/DT/2/det cat/NN/3/nsubj saw/VBD/0/root the/DT/5/det dog/NN/3/obj ././3/punct",
        ),
        sentence("The/DT/2/det dogs/NNS/3/nsubj slept/VBD/0/root ././3/punct"),
    ]
}

fn graph(setting: &str) -> (Graph, Setting) {
    let setting = setting.parse().unwrap();
    (Graph::new(&example(), setting).unwrap(), setting)
}

fn features(setting: &str, paths: Paths) -> Vec<(String, u64)> {
    let (graph, setting) = graph(setting);
    graph.features(setting, paths).counts.into_iter().collect()
}

fn owned(pairs: &[(&str, u64)]) -> Vec<(String, u64)> {
    pairs.iter().map(|(path, value)| ((*path).to_owned(), *value)).collect()
}

#[test]
fn three_sentences_become_the_graph_that_was_drawn_by_hand() {
    let (graph, _) = graph("cicnlp-1");
    let labels: Vec<String> = graph.nodes().iter().map(Node::label).collect();
    let drawn =
        ["ROOT-0", "the_DT", "dog_NN", "saw_VBD", "a_DT", "cat_NN", "dogs_NNS", "slept_VBD"];
    assert_eq!(labels, drawn);
    let mut edges: Vec<String> = graph
        .edges()
        .iter()
        .map(|e| format!("{} {} {} {}", labels[e.from], e.relation, labels[e.to], e.count))
        .collect();
    edges.sort_unstable();
    assert_eq!(
        edges,
        [
            "ROOT-0 root saw_VBD 2",
            "ROOT-0 root slept_VBD 1",
            "cat_NN det a_DT 1",
            "cat_NN det the_DT 1",
            "dog_NN det the_DT 2",
            "dogs_NNS det the_DT 1",
            "saw_VBD nsubj cat_NN 1",
            "saw_VBD nsubj dog_NN 1",
            "saw_VBD obj cat_NN 1",
            "saw_VBD obj dog_NN 1",
            "slept_VBD nsubj dogs_NNS 1",
        ]
    );
}

#[test]
fn the_eight_settings_have_the_features_that_were_written_by_hand() {
    let tags = [
        ("ROOT-0 root VBD", 2, 3),
        ("ROOT-0 root VBD nsubj NN", 2, 6),
        ("ROOT-0 root VBD nsubj NN det DT", 2, 8),
        ("ROOT-0 root VBD nsubj NNS", 1, 2),
    ];
    let words = |dogs: &'static str| {
        let mut all = vec![
            ("ROOT-0 root saw_VBD".to_owned(), 1, 2),
            ("ROOT-0 root saw_VBD nsubj cat_NN".to_owned(), 1, 3),
            ("ROOT-0 root saw_VBD nsubj cat_NN det a_DT".to_owned(), 1, 4),
            ("ROOT-0 root saw_VBD nsubj cat_NN det the_DT".to_owned(), 1, 4),
            ("ROOT-0 root saw_VBD nsubj dog_NN".to_owned(), 1, 3),
            ("ROOT-0 root slept_VBD".to_owned(), 1, 1),
            (format!("ROOT-0 root slept_VBD nsubj {dogs}"), 1, 2),
        ];
        all.sort_unstable();
        all
    };
    for (at, setting) in Setting::all().into_iter().enumerate() {
        let name = setting.to_string();
        assert_eq!(name, format!("cicnlp-{}", at + 1));
        let value = |plain: u64, counted: u64| if setting.frequency { counted } else { plain };
        let expected: Vec<(String, u64)> = if setting.words {
            let dogs = if setting.stems { "dog_NNS" } else { "dogs_NNS" };
            words(dogs).into_iter().map(|(path, x, y)| (path, value(x, y))).collect()
        } else {
            owned(&tags.map(|(path, x, y)| (path, value(x, y))))
        };
        assert_eq!(features(&name, Paths::One), expected, "{name}");
    }
}

#[test]
fn all_shortest_paths_are_features_too() {
    let found = features("cicnlp-5", Paths::All);
    assert_eq!(found.len(), 14);
    let to_the: Vec<&str> = found
        .iter()
        .map(|(path, _)| path.as_str())
        .filter(|path| path.ends_with("the_DT"))
        .collect();
    assert_eq!(
        to_the,
        [
            "ROOT-0 root saw_VBD nsubj cat_NN det the_DT",
            "ROOT-0 root saw_VBD nsubj dog_NN det the_DT",
            "ROOT-0 root saw_VBD obj cat_NN det the_DT",
            "ROOT-0 root saw_VBD obj dog_NN det the_DT",
            "ROOT-0 root slept_VBD nsubj dogs_NNS det the_DT",
        ]
    );
    assert_eq!(graph("cicnlp-5").0.path_counts(), [1, 5, 2, 1, 2, 2, 1, 1]);
}

#[test]
fn more_paths_than_are_followed_are_told() {
    // Seven verbs in a row with two relations each: 2^7 paths to the last.
    let mut sentences = Vec::new();
    for relation in ["a", "b"] {
        let words: Vec<String> = (0..8)
            .map(|at| format!("w{at}/X/{at}/{}", if at == 0 { "root" } else { relation }))
            .collect();
        sentences.push(sentence(&words.join(" ")));
    }
    let setting = "cicnlp-5".parse().unwrap();
    let graph = Graph::new(&sentences, setting).unwrap();
    assert_eq!(graph.path_counts()[8], 128);
    let found = graph.features(setting, Paths::All);
    assert_eq!(found.cut_off, 1);
    assert_eq!(found.counts.keys().filter(|path| path.ends_with("w7_X")).count(), paths::MOST);
    assert_eq!(graph.features(setting, Paths::One).cut_off, 0);
}

#[test]
fn what_is_no_tree_is_refused_and_nothing_has_no_features() {
    let setting = Setting::default();
    let two = sentence("a/X/0/root b/X/0/root");
    assert_eq!(Graph::new(&[two], setting).unwrap_err(), TreeError::TwoRoots { words: [1, 2] });
    let cycle = sentence("a/X/0/root b/X/3/x c/X/2/x");
    assert!(matches!(Graph::new(&[cycle], setting), Err(TreeError::Cycle { .. })));
    let empty = Graph::new(&[], setting).unwrap();
    assert!(empty.features(setting, Paths::All).counts.is_empty());
    assert!(empty.to_svg().contains("ROOT-0"));
    assert!("cicnlp-9".parse::<Setting>().is_err() && "cicnlp-0".parse::<Setting>().is_err());
}

#[test]
fn what_hangs_under_punctuation_hangs_under_the_next_word_above() {
    let odd = sentence("go/VB/0/root (/-LRB-/1/punct home/RB/2/advmod");
    let graph = Graph::new(&[odd], Setting::default()).unwrap();
    assert_eq!((graph.edges()[1].from, graph.edges()[1].to), (1, 2));
}

#[test]
fn a_synonym_stands_where_its_word_stands() {
    let Ok(wordnet) = WordNet::find(None) else {
        eprintln!("WordNet is not installed: nothing was expanded");
        return;
    };
    let sentences = [sentence("the/DT/2/det foundation/NN/3/nsubj grew/VBD/0/root")];
    let setting = "cicnlp-5".parse().unwrap();
    let plain = Graph::new(&sentences, setting).unwrap();
    let expanded = |by, senses| {
        let mut graph = plain.clone();
        assert!(graph.expand(by, &wordnet, senses, false) > 0);
        // Verbs are expanded too, so that many paths lead to a noun.
        graph.features(setting, Paths::All).counts
    };
    let all = expanded(Expansion::Synonyms, None);
    assert!(all.contains_key("ROOT-0 root grew_VBD nsubj foundation_NN"));
    assert!(all.contains_key("ROOT-0 root grew_VBD nsubj basis_NN"));
    assert!(!all.keys().any(|path| path.contains(' ') && path.contains("ground work")));
    let first = expanded(Expansion::Synonyms, Some(1));
    assert!(first.len() < all.len());
    assert!(all.len() > plain.features(setting, Paths::One).counts.len());
    // The paper's «institution» is a synonym, by the seventh sense.
    assert!(all.contains_key("ROOT-0 root grew_VBD nsubj institution_NN"));
    let above = expanded(Expansion::Hypernyms, None);
    assert!(above.contains_key("ROOT-0 root grew_VBD nsubj beginning_NN"), "{above:?}");
}

#[test]
fn a_picture_has_every_node_and_edge_and_no_open_marks() {
    let mut sentences = example();
    sentences.push(sentence("a<b&c/X/0/root \"q/Y/1/dep"));
    let graph = Graph::new(&sentences, Setting::default()).unwrap();
    let svg = graph.to_svg();
    // Two pairs of nodes have two relations; the arrow head is a path too.
    assert_eq!(svg.matches("<path d=\"M").count(), graph.edges().len() - 2 + 1);
    assert!(svg.contains("nsubj, obj"));
    assert!(svg.contains("a&lt;b&amp;c_X") && svg.contains("det ×2"));
    assert!(graph.to_dot().contains("label=\"\\\"q_Y\""));
    assert_eq!(graph.to_dot().matches(" -> ").count(), graph.edges().len());
}

fn random_sentences() -> impl Strategy<Value = Vec<Sentence>> {
    let word = (0..5_u8, 0..2_u8, 0..100_usize);
    let one = prop::collection::vec(word, 1..7).prop_map(|words| {
        let words = words.iter().enumerate().map(|(at, &(form, relation, head))| Word {
            form: format!("w{form}"),
            xpos: "T".to_owned(),
            head: Some(if at == 0 { 0 } else { head % at + 1 }),
            deprel: if at == 0 { "root".to_owned() } else { format!("r{relation}") },
            ..Word::default()
        });
        Sentence { words: words.collect(), ..Sentence::default() }
    });
    prop::collection::vec(one, 1..5)
}

/// All walks of so many edges from a node, counted by where they end.
fn walks(graph: &Graph, from: usize, left: usize, ends: &mut [u64]) {
    if left == 0 {
        ends[from] += 1;
        return;
    }
    for edge in graph.edges().iter().filter(|edge| edge.from == from) {
        walks(graph, edge.to, left - 1, ends);
    }
}

proptest! {
    #[test]
    fn shortest_paths_are_as_many_as_there_are_walks_of_that_length(sentences in random_sentences()) {
        let setting = "cicnlp-5".parse().unwrap();
        let graph = Graph::new(&sentences, setting).unwrap();
        let counts = graph.path_counts();
        let mut expected = vec![0; counts.len()];
        let mut reached = vec![false; counts.len()];
        for length in 0..counts.len() {
            let mut ends = vec![0; counts.len()];
            walks(&graph, 0, length, &mut ends);
            for (node, &count) in ends.iter().enumerate().filter(|(_, count)| **count > 0) {
                if !std::mem::replace(&mut reached[node], true) {
                    expected[node] = count;
                }
            }
            if length == 5 {
                break;
            }
        }
        for (node, &count) in counts.iter().enumerate().filter(|(node, _)| reached[*node]) {
            prop_assert_eq!(count, expected[node]);
        }
        let all = graph.features(setting, Paths::All);
        prop_assert_eq!(all.counts.values().sum::<u64>(), counts[1..].iter().map(|c| (*c).min(64)).sum::<u64>());
        // The one path is the first of all, and nothing changes from run to run.
        let one = graph.features(setting, Paths::One).counts;
        for path in one.keys() {
            let last = path.rsplit(' ').next().unwrap();
            let first = all.counts.keys().filter(|other| other.rsplit(' ').next() == Some(last))
                .min_by_key(|other| other.split(' ').map(str::to_owned).collect::<Vec<_>>());
            prop_assert_eq!(first, Some(path));
        }
        prop_assert_eq!(Graph::new(&sentences, setting).unwrap().features(setting, Paths::All), all);
    }
}
