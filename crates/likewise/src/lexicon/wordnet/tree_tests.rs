//! Similarities against their definitions, written down plainly, and neighbours against all pairs; on random trees.

use super::testing::{PETS, opened};
use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, VecDeque};

/// Above a synset, itself included: by offset, with the least number of steps.
fn above(synset: Synset<'_>) -> BTreeMap<u32, (Synset<'_>, u32)> {
    let mut found = BTreeMap::new();
    let mut waiting = VecDeque::from([(synset, 0)]);
    while let Some((synset, steps)) = waiting.pop_front() {
        if let std::collections::btree_map::Entry::Vacant(place) = found.entry(synset.offset()) {
            place.insert((synset, steps));
            waiting.extend(synset.hypernyms().map(|above| (above, steps + 1)));
        }
    }
    found
}

/// A synset, or the root that verbs are thought to share.
type Node<'a> = Option<Synset<'a>>;

fn least_depth(node: Node<'_>) -> u32 {
    let Some(synset) = node else { return 0 };
    synset.hypernyms().map(|above| least_depth(Some(above)) + 1).min().unwrap_or(0)
}

fn most_depth(node: Node<'_>) -> u32 {
    let Some(synset) = node else { return 0 };
    synset.hypernyms().map(|above| most_depth(Some(above)) + 1).max().unwrap_or(0)
}

fn name(node: Node<'_>) -> String {
    let Some(synset) = node else { return "*ROOT*".to_owned() };
    let lemma = synset.words().next().unwrap().to_lowercase();
    let senses = synset.wordnet.synsets(&lemma, Some(synset.pos()));
    let own = senses.iter().filter(|sense| sense.lemma == lemma);
    let at = own.clone().position(|sense| sense.synset == synset).unwrap();
    format!("{}.{}.{:02}", lemma.replace(' ', "_"), synset.pos().letter(), at + 1)
}

fn distances<'a>(node: Node<'a>, verb: bool) -> Vec<(Node<'a>, u32)> {
    let Some(synset) = node else { return vec![(None, 0)] };
    let mut all: Vec<_> =
        above(synset).into_values().map(|(synset, steps)| (Some(synset), steps)).collect();
    if verb {
        let farthest = all.iter().map(|&(_, steps)| steps).max().unwrap();
        all.push((None, farthest + 1));
    }
    all
}

fn distance(a: Node<'_>, b: Node<'_>, verb: bool) -> Option<u32> {
    if a == b {
        return Some(0);
    }
    let others = distances(b, verb);
    let ways = distances(a, verb).into_iter().flat_map(|(x, to_x)| {
        others.iter().filter(move |(y, _)| x == *y).map(move |(_, to_y)| to_x + to_y)
    });
    ways.min()
}

fn wu_palmer(a: Synset<'_>, b: Synset<'_>, verb: bool) -> Option<f64> {
    let others = above(b);
    let mut shared: Vec<Node<'_>> = above(a)
        .into_values()
        .filter(|(s, _)| others.contains_key(&s.offset()))
        .map(|(s, _)| Some(s))
        .collect();
    if verb {
        shared.push(None);
    }
    let deepest = shared.iter().map(|&node| least_depth(node)).max()?;
    shared.retain(|&node| least_depth(node) == deepest);
    let lowest = if shared.contains(&Some(a)) {
        Some(a)
    } else {
        shared.into_iter().min_by_key(|&node| name(node))?
    };
    let depth = most_depth(lowest) + 1;
    let to_a = distance(Some(a), lowest, verb)? + depth;
    let to_b = distance(Some(b), lowest, verb)? + depth;
    Some(2.0 * f64::from(depth) / f64::from(to_a + to_b))
}

/// Nouns and verbs with up to two hypernyms among those before them, and few words, so that these have many senses.
fn dictionaries() -> impl Strategy<Value = String> {
    let synset = (
        any::<bool>(),
        proptest::collection::btree_set(0u8..12, 1..3),
        proptest::collection::vec(any::<prop::sample::Index>(), 0..3),
    );
    proptest::collection::vec(synset, 1..24).prop_map(|synsets| {
        let mut spec = String::new();
        let mut before: [Vec<usize>; 2] = Default::default();
        for (number, (verb, words, above)) in synsets.into_iter().enumerate() {
            let letter = if verb { 'v' } else { 'n' };
            // Some verbs with names before that of the root, which is thought.
            let words: Vec<String> =
                words.iter().map(|n| format!("{}w{n}", ["", "'"][usize::from(*n > 9)])).collect();
            spec += &format!("{letter} k{number} = {}", words.join(" "));
            let before = &mut before[usize::from(verb)];
            if !before.is_empty() && !above.is_empty() {
                spec += " <";
                let mut keys: Vec<usize> = above.iter().map(|index| *index.get(before)).collect();
                keys.dedup();
                keys.iter().for_each(|key| spec += &format!(" k{key}"));
            }
            spec.push('\n');
            before.push(number);
        }
        spec
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn similarities_of_synsets_are_what_their_definitions_say(spec in dictionaries()) {
        let wordnet = opened(&spec);
        for (pos, verb) in [(Pos::Noun, false), (Pos::Verb, true)] {
            let words: Vec<&str> = wordnet.lemmas().collect();
            let senses = words.iter().flat_map(|word| wordnet.synsets(word, Some(pos)));
            let synsets: Vec<Synset<'_>> = senses.map(|sense| sense.synset).collect();
            let deepest = synsets.iter().map(|&synset| most_depth(Some(synset))).max().unwrap_or(0);
            let depth = deepest + u32::from(verb);
            for &a in &synsets {
                for &b in &synsets {
                    let steps = distance(Some(a), Some(b), verb);
                    prop_assert_eq!(a.path(b), steps.map(|steps| 1.0 / f64::from(steps + 1)));
                    prop_assert_eq!(a.wu_palmer(b), wu_palmer(a, b, verb), "{:?} {:?}", a, b);
                    let chodorow = steps.filter(|_| depth > 0);
                    let chodorow = chodorow.map(|steps| -(f64::from(steps + 1) / f64::from(2 * depth)).ln());
                    prop_assert_eq!(a.leacock_chodorow(b), chodorow);
                }
            }
        }
    }

    #[test]
    fn words_are_as_alike_as_their_nearest_senses(spec in dictionaries(), first in 0usize..4) {
        let wordnet = opened(&spec);
        let senses = if first == 0 { Senses::All } else { Senses::First(first) };
        let take = if first == 0 { usize::MAX } else { first };
        let words: Vec<&str> = wordnet.lemmas().collect();
        for a in &words {
            for b in &words {
                let (mut path, mut palmer, mut chodorow) = (None, None, None);
                for pos in [Pos::Noun, Pos::Verb] {
                    for x in wordnet.synsets(a, Some(pos)).into_iter().take(take) {
                        for y in wordnet.synsets(b, Some(pos)).into_iter().take(take) {
                            let (x, y) = (x.synset, y.synset);
                            path = best([path, x.path(y)]);
                            palmer = best([palmer, x.wu_palmer(y), y.wu_palmer(x)]);
                            chodorow = best([chodorow, x.leacock_chodorow(y)]);
                        }
                    }
                }
                let (one, other) = (wordnet.word(a, senses), wordnet.word(b, senses));
                let value = |relation| one.similarity(relation, &other);
                prop_assert_eq!(value(Relation::Path), path);
                prop_assert_eq!(value(Relation::WuPalmer), palmer);
                prop_assert_eq!(one.leacock_chodorow(&other), chodorow);
                let normal = one.similarity(Relation::LeacockChodorow, &other);
                prop_assert!(normal.is_none_or(|normal| (0.0..=1.0).contains(&normal)));
                prop_assert_eq!(normal.is_some(), chodorow.is_some());
            }
        }
    }

    #[test]
    fn neighbours_are_those_that_comparing_with_all_finds(
        spec in dictionaries(),
        first in 0usize..4,
        at_least in prop_oneof![0.0..=1.0, Just(0.5), Just(1.0 / 3.0), Just(0.0)]
    ) {
        let wordnet = opened(&spec);
        neighbours_are_all(&wordnet, if first == 0 { Senses::All } else { Senses::First(first) }, at_least)?;
    }
}

fn neighbours_are_all(
    wordnet: &WordNet,
    senses: Senses,
    at_least: f64,
) -> Result<(), TestCaseError> {
    // Inflected forms, and words that are not there.
    let plurals: Vec<String> = wordnet.lemmas().map(|lemma| format!("{lemma}s")).collect();
    let mut words: Vec<&str> = wordnet.lemmas().chain(["unheard-of"]).collect();
    words.extend(plurals.iter().step_by(2).map(String::as_str));
    let neighbours = wordnet.neighbours(words.iter().copied(), senses);
    let relations =
        [Relation::Synonym, Relation::Path, Relation::WuPalmer, Relation::LeacockChodorow];
    for word in &words {
        for relation in relations {
            let at_least = if relation == Relation::Synonym { 1.0 } else { at_least };
            let one = wordnet.word(word, senses);
            let value = |other: &&str| one.similarity(relation, &wordnet.word(other, senses));
            let all = words.iter().map(value).enumerate();
            let expected: Vec<(u32, f64)> = all
                .filter_map(|(n, value)| {
                    Some((n as u32, value.filter(|&value| value >= at_least)?))
                })
                .collect();
            let mut found = Vec::new();
            neighbours
                .of(word, relation, at_least, &mut |number, value| found.push((number, value)));
            prop_assert_eq!(found, expected, "{} {:?} {}", word, relation, at_least);
        }
    }
    Ok(())
}

/// The largest there is.
fn best<const N: usize>(values: [Option<f64>; N]) -> Option<f64> {
    values.into_iter().flatten().reduce(f64::max)
}

#[test]
fn pets_have_the_neighbours_that_comparing_with_all_finds() {
    let wordnet = opened(PETS);
    for at_least in [0.0, 0.2, 0.25, 0.5, 0.8, 0.9, 1.0] {
        for senses in [Senses::All, Senses::First(1)] {
            neighbours_are_all(&wordnet, senses, at_least).unwrap();
        }
    }
}

/// Far below `widget`, and yet near it, by a way around.
#[test]
fn a_neighbour_that_is_nearer_than_the_way_down_is_found() {
    let nouns = "
n thing = thing
n widget = widget < thing
n b = gadget < widget
n c = gizmo < b
n d = doodad < c
n shortcut = contraption < d thing
";
    for spec in [nouns.to_owned(), nouns.replace("\nn ", "\nv ")] {
        let wordnet = opened(&spec);
        assert_eq!(wordnet.path("widget", "contraption", Senses::All), Some(1.0 / 3.0));
        for hundredths in 0..=100 {
            neighbours_are_all(&wordnet, Senses::All, f64::from(hundredths) / 100.0).unwrap();
        }
    }
    let wordnet = opened(nouns);
    let neighbours = wordnet.neighbours(["contraption"], Senses::All);
    let mut found = None;
    neighbours.of("widget", Relation::WuPalmer, 0.66, &mut |_, value| found = Some(value));
    assert_eq!(found, Some(2.0 / 3.0));
}

#[test]
fn known_values() {
    let wordnet = opened(PETS);
    // Dog, canine, carnivore, cat.
    assert_eq!(wordnet.path("dog", "cat", Senses::All), Some(1.0 / 3.0), "by the sense of canine");
    assert_eq!(wordnet.path("poodle", "cat", Senses::All), Some(1.0 / 5.0));
    // Carnivore is the lowest, at depth 5 counted from 1; poodle is 3 below it, cat 1.
    assert_eq!(wordnet.wu_palmer("poodle", "cat", Senses::All), Some(10.0 / 14.0));
    // Nouns are 7 deep.
    let chodorow = wordnet.leacock_chodorow("poodle", "cat", Senses::All).unwrap();
    assert!((chodorow + (5.0f64 / 14.0).ln()).abs() < 1e-12);
    // Verbs of two trees meet in a root that is thought: run, move, root, think.
    assert_eq!(wordnet.path("run", "think", Senses::First(1)), Some(1.0 / 4.0));
    assert_eq!(wordnet.path("cat", "think", Senses::All), None, "a noun and a verb");
    assert_eq!(wordnet.path("large", "huge", Senses::All), None, "adjectives are in no tree");
    let (large, big) = (wordnet.word("large", Senses::All), wordnet.word("big", Senses::All));
    assert_eq!(large.similarity(Relation::Synonym, &big), Some(1.0));
    let other = opened(PETS);
    assert_eq!(large.similarity(Relation::Synonym, &other.word("big", Senses::All)), None);
}
