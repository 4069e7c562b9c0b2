use super::*;
use crate::measure::Measure;
use crate::values::date;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Numbers that look random and are the same each time.
fn scattered(n: u64) -> u64 {
    n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
}

fn column(name: &str, cells: impl Fn(u64) -> String) -> Profile {
    Profile::of(name, &(0..200).map(cells).collect::<Vec<_>>())
}

fn kind_and_measure(guess: &Guess) -> (Kind, String) {
    (guess.kind, guess.measure.clone().unwrap_or_default())
}

/// One of these words, `many` of them.
fn word(n: u64, many: u64) -> String {
    let syllables = ["ba", "ke", "lo", "mi", "nu", "ra", "se", "to", "vi", "za"];
    let mut n = scattered(n) % many + 10;
    let mut word = String::new();
    while n > 0 {
        word.push_str(syllables[(n % 10) as usize]);
        n /= 10;
    }
    word
}

#[test]
fn a_column_is_what_an_expert_would_say() {
    type Cells = fn(u64) -> String;
    let cases: &[(&str, Cells, Kind, &str)] = &[
        ("id", |i| i.to_string(), Kind::Id, ""),
        ("", |i| (i + 1000).to_string(), Kind::Id, ""),
        ("Row Key", |i| format!("K{i}"), Kind::Id, ""),
        ("customerId", |i| (scattered(i) % 50).to_string(), Kind::Code, "exact"),
        ("x", |i| format!("{:08x}-{:04x}-a", scattered(i), i), Kind::Id, ""),
        ("cluster", |i| (i / 3).to_string(), Kind::Id, ""),
        ("year", |i| (1950 + scattered(i) % 70).to_string(), Kind::Number, "number(tolerance=2)"),
        ("x", |i| (1950 + scattered(i) % 70).to_string(), Kind::Number, "number(tolerance=2)"),
        (
            "price",
            |i| format!("${}.{:02}", scattered(i) % 2000, i % 100),
            Kind::Number,
            "number(relative=0.1)",
        ),
        (
            "price",
            |i| format!("{},{:02} €", scattered(i) % 2000, i % 100),
            Kind::Number,
            "number(relative=0.1)",
        ),
        ("votes", |i| (scattered(i) % 3000).to_string(), Kind::Number, "number(relative=0.1)"),
        ("age", |i| (18 + scattered(i) % 70).to_string(), Kind::Number, "number(relative=0.1)"),
        ("weight", |i| format!("{} kg", scattered(i) % 100), Kind::Number, "number(relative=0.1)"),
        (
            "lat",
            |i| format!("{}.{:04}", 40 + i % 5, scattered(i) % 10000),
            Kind::Number,
            "number(tolerance=0.01)",
        ),
        (
            "time",
            |i| format!("{}:{:02}", 2 + i % 5, scattered(i) % 60),
            Kind::Number,
            "number(relative=0.1)",
        ),
        (
            "soc_sec_id",
            |i| (1_000_000 + scattered(i) % 9_000_000).to_string(),
            Kind::Code,
            "digits",
        ),
        ("rec_id", |i| format!("rec-{i}-org"), Kind::Id, ""),
        (
            "street_number",
            |i| (1 + scattered(i) % 300).to_string(),
            Kind::Code,
            "digits(letters=keep)",
        ),
        ("sex", |i| (1 + scattered(i) % 2).to_string(), Kind::Category, "exact"),
        ("sex", |i| ["male", "female"][i as usize % 2].into(), Kind::Category, "exact"),
        ("state", |i| ["NY", "CA", "TX"][i as usize % 3].into(), Kind::Category, "exact"),
        ("zip", |i| format!("{:05}", scattered(i) % 100_000), Kind::Code, "digits"),
        ("zip", |i| format!("SW{}A {}AA", i % 9, i % 7), Kind::Code, "digits(letters=keep)"),
        ("x", |i| format!("{:05}", scattered(i / 2) % 100_000), Kind::Code, "digits"),
        ("ISBN", |i| format!("978030640{:03}{}", i, i % 10), Kind::Code, "digits"),
        (
            "isbn",
            |i| format!("0-30640-{i:03}-{}", ["7", "X"][i as usize % 2]),
            Kind::Code,
            "digits(letters=keep)",
        ),
        (
            "x",
            |i| (9_780_306_400_000 + scattered(i / 2) % 1_000_000).to_string(),
            Kind::Code,
            "digits",
        ),
        ("house_no", |i| (1 + scattered(i) % 150).to_string(), Kind::Code, "digits(letters=keep)"),
        (
            "x",
            |i| format!("{}{}", 1 + scattered(i) % 150, ["", "", "a"][i as usize % 3]),
            Kind::Code,
            "digits(letters=keep)",
        ),
        (
            "phone",
            |i| format!("{:010}", 2_000_000_000 + scattered(i) % 1_000_000_000),
            Kind::Phone,
            "digits",
        ),
        (
            "x",
            |i| format!("({}) 555-{:04}", 200 + i % 9, scattered(i) % 10000),
            Kind::Phone,
            "digits",
        ),
        (
            "x",
            |i| format!("+49 30 {}", 1_000_000 + scattered(i) % 1_000_000),
            Kind::Phone,
            "digits",
        ),
        (
            "mail",
            |i| format!("{}{i}@example.org", word(i, 1000)),
            Kind::Code,
            "digits(letters=keep)",
        ),
        ("site", |i| format!("https://example.org/{i}"), Kind::Code, "digits(letters=keep)"),
        ("model", |i| format!("KX-TG{}", 1000 + i), Kind::Code, "digits(letters=keep)"),
        ("x", |i| format!("KX-TG{}", 1000 + i / 2), Kind::Code, "digits(letters=keep)"),
        (
            "born",
            |i| format!("{}-{:02}-{:02}", 1950 + i % 50, 1 + i % 12, 1 + i % 28),
            Kind::Date,
            "date",
        ),
        (
            "born",
            |i| format!("{}{:02}{:02}", 1950 + i % 50, 1 + i % 12, 1 + i % 28),
            Kind::Date,
            "date",
        ),
        (
            "born",
            |i| format!("{:02}/{:02}/{}", 1 + i % 28, 1 + i % 12, 1950 + i % 50),
            Kind::Date,
            "date(order=dmy)",
        ),
        (
            "born",
            |i| format!("{:02}/{:02}/{}", 1 + i % 12, 1 + i % 28, 1950 + i % 50),
            Kind::Date,
            "date(order=mdy)",
        ),
        (
            "born",
            |i| format!("{:02}/{:02}/{}", 1 + i % 12, 1 + i % 11, 1950 + i % 50),
            Kind::Date,
            "digits",
        ),
        ("released", |i| format!("Mar {}, {} Wide", 1 + i % 28, 1950 + i % 50), Kind::Date, "date"),
        (
            "tags",
            |i| format!("{};{}", word(i, 9), word(i + 1, 9)),
            Kind::Set,
            "set(separator=\";\")",
        ),
        ("x", |i| format!("{}, {}", word(i, 9), word(i + 1, 9)), Kind::Set, "set(separator=\",\")"),
        (
            "authors",
            |i| format!("{}, A.; {}, B.", word(i, 900), word(i + 1, 900)),
            Kind::Set,
            "set(separator=\";\")",
        ),
        (
            "x",
            |i| format!("{}, {}", word(i, 900), ["Ann", "Bob", "Eve"][i as usize % 3]),
            Kind::Name,
            "default",
        ),
        (
            "x",
            |i| format!("{i} {} Street, {}", word(i, 90), ["Rome", "Oslo"][i as usize % 2]),
            Kind::Name,
            "default",
        ),
        ("first name", |i| word(i, 9), Kind::Name, "default"),
        ("x", |i| format!("{} {}", word(i, 900), word(i + 7, 900)), Kind::Name, "default"),
        (
            "x",
            |i| (0..20).map(|k| word(i * 20 + k, 900)).collect::<Vec<_>>().join(" "),
            Kind::FreeText,
            "default",
        ),
        ("tags", |i| format!("{}\n{}", word(i, 9), word(i + 1, 9)), Kind::Set, "set"),
        ("x", |i| format!("{i} {} Street\n{}", word(i, 90), word(i, 30)), Kind::Name, "default"),
        (
            "x",
            |i| format!("{}-{}", 1950 + i % 30, 1990 + i % 20),
            Kind::Code,
            "digits(letters=keep)",
        ),
        ("x", |i| format!("192.168.{}.{}", i % 9, i % 7), Kind::Code, "digits(letters=keep)"),
        ("x", |i| format!("{}.{:03},-{}.{:03}", 40 + i % 9, i % 7, 70 + i % 5, i), Kind::Id, ""),
        ("x", |_| " ".into(), Kind::Empty, ""),
        ("x", |_| "n/a".into(), Kind::Empty, ""),
    ];
    for (name, cells, kind, measure) in cases {
        let profile = column(name, cells);
        let guess = guess(&profile, None);
        let expected = (*kind, (*measure).to_owned());
        assert_eq!(kind_and_measure(&guess), expected, "{name} {:?}: {}", cells(5), guess.reason);
        assert!(measure.is_empty() || measure.parse::<Measure>().is_ok(), "{measure}");
        assert!(!guess.reason.is_empty() && !guess.reason.contains('\n'), "{}", guess.reason);
        // A column of which a tenth is empty is what it was.
        let holes = column(name, |i| if i % 10 == 3 { String::new() } else { cells(i) });
        assert_eq!(kind_and_measure(&super::guess(&holes, None)), expected, "{name} with holes");
    }
}

#[test]
fn two_columns_are_judged_together() {
    let of = |name: &str, cells: fn(u64) -> String| column(name, cells);
    let both = |left: &Profile, right: &Profile| {
        assert_eq!(guess(left, Some(right)), guess(right, Some(left)), "whichever comes first");
        guess(left, Some(right))
    };
    // Years on one side, dates on the other.
    let years = of("born", |i| (1950 + i % 50).to_string());
    let dates = of("born", |i| format!("{}-{:02}-11", 1950 + i % 50, 1 + i % 12));
    assert_eq!(kind_and_measure(&both(&years, &dates)), (Kind::Date, "date".into()));
    // One column tells the order for both; if they disagree, nothing is certain.
    let ambiguous = of("born", |i| format!("{:02}/{:02}/1980", 1 + i % 12, 1 + i % 11));
    let dmy = of("born", |i| format!("{:02}/{:02}/1980", 1 + i % 28, 1 + i % 12));
    let mdy = of("born", |i| format!("{:02}/{:02}/1980", 1 + i % 12, 1 + i % 28));
    assert_eq!(kind_and_measure(&both(&ambiguous, &dmy)), (Kind::Date, "date(order=dmy)".into()));
    let contrary = both(&mdy, &dmy);
    assert_eq!(kind_and_measure(&contrary), (Kind::Date, "digits".into()));
    assert!(contrary.reason.contains("write both alike"), "{}", contrary.reason);
    // Codes that each table has once tell rows apart, unless both tables have them.
    let codes = of("x", |i| format!("KX{i}"));
    let others = of("x", |i| format!("KX{}", i + 500));
    let some = of("x", |i| format!("KX{}", i + 100));
    assert_eq!(both(&codes, &others).kind, Kind::Id);
    assert_eq!(kind_and_measure(&both(&codes, &some)), (Kind::Code, "digits(letters=keep)".into()));
    // Words that the tables do not share are not compared for equality.
    let colours = of("colour", |i| ["red", "green", "blue"][i as usize % 3].into());
    let farben = of("colour", |i| ["rot", "grün", "blau"][i as usize % 3].into());
    assert_eq!(kind_and_measure(&both(&colours, &colours)), (Kind::Category, "exact".into()));
    assert_eq!(kind_and_measure(&both(&colours, &farben)), (Kind::Category, "default".into()));
    // An empty column says nothing of the other.
    let empty = of("colour", |_| String::new());
    assert_eq!(both(&colours, &empty), guess(&colours, None));
}

#[test]
fn codes_of_two_long_columns_are_found_to_be_shared() {
    let long = |from: usize| {
        let mut profile = Profile::new("x", 400_000);
        (from..from + 400_000).for_each(|i| profile.add(&format!("KX{i}")));
        profile
    };
    // Every fourth cell is looked at, and none of these is among those of the other column.
    assert_eq!(guess(&long(0), Some(&long(100_001))).kind, Kind::Code);
    assert_eq!(guess(&long(0), Some(&long(400_000))).kind, Kind::Id);
}

#[test]
fn long_columns_are_sampled_evenly() {
    let mut profile = Profile::new("x", 250_000);
    (0..250_000).for_each(|i| profile.add(&(i % 6).to_string()));
    assert_eq!((profile.cells(), profile.filled()), (83_334, 83_334));
    assert_eq!((profile.distinct(), profile.mean_words()), (6, 1.0));
}

#[test]
fn columns_are_paired_by_name() {
    assert_eq!(pairs_by_name(&["a", "B", "c"], &["b", "a", "d"]), [(0, 1), (1, 0)]);
    assert_eq!(pairs_by_name(&["Name", "name"], &["name", "NAME"]), [(0, 1), (1, 0)]);
    assert_eq!(pairs_by_name(&["firstName"], &["first_name"]), [(0, 0)]);
    assert_eq!(
        pairs_by_name(&["", "#"], &["#", ""]),
        [(1, 0)],
        "a column without a name has no partner"
    );
    assert_eq!(pairs_by_name(&[], &["a"]), []);
}

proptest! {
    #[test]
    fn counts_are_those_of_the_cells(cells in proptest::collection::vec("[aAbB1 ]{0,3}|n/a", 0..30)) {
        let profile = Profile::of("x", &cells);
        let filled: Vec<String> =
            cells.iter().map(|c| c.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()).collect();
        let filled: Vec<&String> = filled.iter().filter(|c| !c.is_empty() && *c != "n/a").collect();
        prop_assert_eq!(profile.cells(), cells.len());
        prop_assert_eq!(profile.filled(), filled.len());
        prop_assert_eq!(profile.distinct(), filled.iter().collect::<BTreeSet<_>>().len());
        let words: usize = filled.iter().map(|c| c.split(' ').count()).sum();
        prop_assert!((profile.mean_words() * filled.len() as f64 - words as f64).abs() < 1e-9);
    }

    #[test]
    fn any_cells_give_a_guess_and_always_the_same(
        name in any::<String>(),
        cells in proptest::collection::vec(any::<String>(), 0..20),
        others in proptest::collection::vec("[0-9./;, -]{0,10}", 0..20),
    ) {
        let (left, right) = (Profile::of(&name, &cells), Profile::of(&name, &others));
        let told = guess(&left, Some(&right));
        prop_assert_eq!(&told, &guess(&Profile::of(&name, &cells), Some(&right)));
        prop_assert_eq!(told.kind == Kind::Empty, left.filled() + right.filled() == 0);
        prop_assert_eq!(told.measure.is_none(), matches!(told.kind, Kind::Id | Kind::Empty));
    }
}

#[test]
fn the_order_of_dates_can_be_asked_of_the_profile() {
    let profile = column("born", |i| format!("{:02}/{:02}/1980", 1 + i % 28, 1 + i % 12));
    assert_eq!(profile.dates().order(), Ok(Some(date::Order::Dmy)));
    assert_eq!(profile.numbers().numbers, 0);
}

#[test]
fn the_columns_of_two_tables_are_guessed_by_their_names() {
    let ids: Vec<String> = (0..30).map(|i| i.to_string()).collect();
    let dates: Vec<Option<String>> =
        (0..30).map(|i| (i % 5 != 0).then(|| format!("2024-01-{:02}", i + 1))).collect();
    let left = Columns::new().with("id", &ids).unwrap().with("Born On", &dates).unwrap();
    let right = Columns::new().with("born_on", &dates).unwrap().with("more", &ids).unwrap();
    let told: Vec<_> = guess_columns(&left, Some(&right))
        .into_iter()
        .map(|one| (one.left, one.right, one.guess.kind))
        .collect();
    assert_eq!(told, [(1, Some(0), Kind::Date)]);
    let alone: Vec<_> =
        guess_columns(&left, None).into_iter().map(|one| (one.left, one.guess.kind)).collect();
    assert_eq!(alone, [(0, Kind::Id), (1, Kind::Date)]);
}

/// Tables of `$LIKEWISE_DATA/er-labelled`: beers, restaurants, films, products.
#[test]
fn columns_of_real_tables_are_what_an_expert_would_say() {
    let Some(data) = std::env::var_os("LIKEWISE_DATA") else {
        eprintln!("not tested: LIKEWISE_DATA is not set");
        return;
    };
    let data = std::path::Path::new(&data).join("er-labelled");
    let profiles = |path: std::path::PathBuf| -> Vec<Profile> {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let names = reader.headers().unwrap().clone();
        let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
        let column = |(i, name)| {
            let cells: Vec<&str> = rows.iter().map(|row| &row[i]).collect();
            Profile::of(name, &cells)
        };
        names.iter().enumerate().map(column).collect()
    };
    let number = "number(relative=0.1)";
    let set = "set(separator=\",\")";
    for (tables, expected) in [
        ("abt-buy", &["-", "default", "default", number][..]),
        ("beer", &["-", "default", "default", "default", number]),
        ("fodors-zagat", &["-", "default", "default", "default", "digits", "default"]),
        ("rotten-imdb", &["-", "default", "date", "default", number, set]),
        ("zomato-yelp", &["-", "default", number, number, "digits", "default", "digits", set]),
    ] {
        let left = profiles(data.join(tables).join("tableA.csv"));
        let right = profiles(data.join(tables).join("tableB.csv"));
        let both = left.iter().zip(&right);
        let told: Vec<String> = both
            .map(|(left, right)| guess(left, Some(right)).measure.unwrap_or("-".into()))
            .collect();
        assert_eq!(told, expected, "{tables}");
    }
}
