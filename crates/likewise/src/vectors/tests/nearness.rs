use super::super::cosine::Processor;
use super::super::gather::Gathered;
use super::super::image::Grid;
use super::super::{NearLists, Neighbourhood};
use super::WordVectors;
use proptest::prelude::*;

/// Vectors of all kinds: round about a few centres, so that some are near each other; flat; with one large number; zeros; twins.
fn vectors(rows: usize, dimension: usize, seed: u64) -> WordVectors {
    let mut state = seed | 1;
    let mut next = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    };
    let centres: Vec<Vec<f32>> = (0..4).map(|_| (0..dimension).map(|_| next()).collect()).collect();
    let mut gathered = Gathered::new(String::new(), dimension);
    let mut last = vec![0.0; dimension];
    for row in 0..rows {
        let noise = next().abs() * 2.0;
        let mut vector: Vec<f32> = centres[row % 4].iter().map(|c| c + noise * next()).collect();
        match row % 16 {
            3 => vector.fill(0.25),
            5 => vector[row % dimension] += 50.0,
            7 => vector.iter_mut().for_each(|v| *v *= 1e-30),
            9 if row % 32 == 9 => vector.fill(0.0),
            11 => vector.clone_from(&last),
            13 => vector = last.iter().map(|v| -v).collect(),
            _ => {}
        }
        last.clone_from(&vector);
        gathered.add(format!("w{row:05}").as_bytes(), &vector).unwrap();
    }
    gathered.finish()
}

/// By comparing all with all.
fn plainly(
    vectors: &WordVectors,
    rows: &[Option<u32>],
    least: f64,
    best: Option<usize>,
) -> NearLists {
    let mut lists = NearLists::default();
    for (id, row) in rows.iter().enumerate() {
        let others = rows.iter().enumerate().filter(|&(other, _)| other != id);
        let cosine = |(other, other_row): (usize, &Option<u32>)| {
            Some((other as u32, vectors.cosine((*row)?, (*other_row)?)))
        };
        let mut near: Vec<(u32, f64)> =
            others.filter_map(cosine).filter(|&(_, cosine)| cosine >= least).collect();
        if let Some(best) = best {
            near.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
            near.truncate(best);
            near.sort_by_key(|&(other, _)| other);
        }
        lists.ids.extend(near.iter().map(|near| near.0));
        lists.cosines.extend(near.iter().map(|near| near.1));
        lists.ends.push(lists.ids.len() as u64);
    }
    lists
}

/// Equal, the cosines to the bit.
fn same(x: &NearLists, y: &NearLists) -> bool {
    let bits = |lists: &NearLists| lists.cosines.iter().map(|c| c.to_bits()).collect::<Vec<_>>();
    x == y && bits(x) == bits(y)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn neighbours_are_those_of_all_pairs(
        count in 1usize..330, dimension in 1usize..70, seed: u64,
        threshold in prop_oneof![Just(-1.0), Just(0.0), Just(1.0), Just(1.5), Just(f64::NAN), -1.0..1.0f64],
        exact: prop::sample::Index, take_exact: bool,
        best in prop::option::of(0usize..9), portable: bool,
    ) {
        let vectors = vectors(count, dimension, seed);
        // Every other word has a place in the vocabulary, in no order; some have no vector, some two places.
        let rows: Vec<Option<u32>> = (0..count as u64).map(|n| {
            let at = n.wrapping_mul(seed | 1) >> 7;
            (at % 11 != 0).then_some((at % count as u64) as u32)
        }).collect();
        // A threshold that is the cosine of some pair to the bit: not one may be lost for rounding.
        let of_pair = |n: usize| vectors.cosine((n / count) as u32, (n % count) as u32);
        let least = if take_exact { of_pair(exact.index(count * count)) } else { threshold };
        let mut words = Neighbourhood::new(&vectors, &rows);
        if portable {
            words.processor = Processor::PORTABLE;
        }
        let expected = plainly(&vectors, &rows, least, best);
        prop_assert!(same(&words.all_pairs(least, best), &expected));
        for row in (0..count as u32).step_by(7) {
            let near: Vec<(u32, u64)> =
                words.of(row, least).iter().map(|near| (near.id, near.cosine.to_bits())).collect();
            let cosine = |(id, other): (usize, &Option<u32>)| {
                let cosine = vectors.cosine(row, (*other)?);
                (cosine >= least).then_some((id as u32, cosine.to_bits()))
            };
            prop_assert_eq!(near, rows.iter().enumerate().filter_map(cosine).collect::<Vec<_>>());
        }
    }

    #[test]
    fn both_compilations_give_the_same_cosine(dimension in 0usize..40, seed in prop::collection::vec(any::<f32>(), 80)) {
        let (x, y) = (&seed[..dimension], &seed[40..40 + dimension]);
        let (fast, plain) = (Processor::best().dot(x, y), Processor::PORTABLE.dot(x, y));
        prop_assert!(fast.to_bits() == plain.to_bits() || fast.is_nan() && plain.is_nan());
        prop_assert_eq!(Processor::best().dot(y, x).to_bits(), fast.to_bits());
    }
}

#[test]
fn the_cosine_is_the_sum_it_is_defined_as() {
    let vectors = vectors(60, 29, 5);
    for a in 0..60 {
        assert_eq!(vectors.cosine(a, a), if vectors.norm(a) > 0.0 { 1.0 } else { 0.0 });
        for b in (0..60).filter(|&b| b != a) {
            let mut lanes = [0f64; 8];
            for (place, (&x, &y)) in vectors.unit(a).iter().zip(vectors.unit(b)).enumerate() {
                lanes[place % 8] += f64::from(x) * f64::from(y);
            }
            let [l0, l1, l2, l3, l4, l5, l6, l7] = lanes;
            let sum = ((l0 + l4) + (l2 + l6)) + ((l1 + l5) + (l3 + l7));
            assert_eq!(vectors.cosine(a, b).to_bits(), sum.clamp(-1.0, 1.0).to_bits());
        }
    }
}

#[test]
fn one_thread_and_two_find_the_same() {
    // More than one block of rows.
    let vectors = vectors(900, 32, 7);
    let rows = vectors.rows_of(vectors.words().iter());
    let find = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let words = Neighbourhood::new(&vectors, &rows);
            [words.all_pairs(0.4, None), words.all_pairs(0.1, Some(5))]
        })
    };
    let ([one, one_best], [two, two_best]) = (find(1), find(2));
    assert!(same(&one, &two) && same(&one_best, &two_best));
    assert!(same(&one, &plainly(&vectors, &rows, 0.4, None)));
    assert!(same(&one_best, &plainly(&vectors, &rows, 0.1, Some(5))));
    assert!(one.ids.len() > 1000 && one_best.ids.len() > 1000, "a test of something");
}

#[test]
fn long_lists_are_cut_to_the_best_as_they_grow() {
    // So low a threshold that each list passes its room many times over.
    let vectors = vectors(800, 16, 3);
    let rows = vectors.rows_of(vectors.words().iter());
    let words = Neighbourhood::new(&vectors, &rows);
    for best in [1, 3, 40] {
        let found = words.all_pairs(-1.0, Some(best));
        assert!(same(&found, &plainly(&vectors, &rows, -1.0, Some(best))), "{best}");
    }
}

#[test]
fn images_leave_out_little() {
    // Were the bound of no use, everything would still be right, and slow. What an image leaves out of a vector is
    // seldom more than 0.03 of its length, even of flat ones and of those with one large number.
    let vectors = vectors(600, 100, 11);
    let grid = Grid::new(100);
    let slack: Vec<f64> =
        (0..600).map(|row| grid.row(vectors.unit(row)).slack / (181.0 * 181.0)).collect();
    let large = slack.iter().filter(|&&slack| slack > 0.03).count();
    assert!(large < 6, "{large}");
    assert!(slack.iter().all(|&slack| slack < 0.3), "{slack:?}");
}

#[test]
fn a_vocabulary_without_vectors_has_no_neighbours() {
    let vectors = vectors(3, 4, 1);
    for rows in [vec![], vec![None, None]] {
        let words = Neighbourhood::new(&vectors, &rows);
        assert!(words.of(0, -1.0).is_empty());
        let lists = words.all_pairs(-1.0, None);
        assert_eq!((lists.ends, lists.ids), (vec![0; rows.len()], vec![]));
    }
}
