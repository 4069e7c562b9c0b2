use super::*;
use proptest::prelude::*;

fn read(cell: &str, decimal: Decimal) -> Option<(f64, String)> {
    let quantity = Number { decimal, ..Number::default() }.prepare(cell)?;
    let what: Vec<&str> = [quantity.currency(), quantity.unit()].into_iter().flatten().collect();
    Some((quantity.value(), what.join(" ")))
}

#[test]
fn numbers_are_read_however_they_are_written() {
    for (cell, value, what) in [
        ("5", 5.0, ""),
        ("+5", 5.0, ""),
        ("-5", -5.0, ""),
        ("−5", -5.0, ""),
        ("- 5", -5.0, ""),
        ("5-", -5.0, ""),
        ("5.00-", -5.0, ""),
        ("5 €-", -5.0, "eur"),
        ("~5", 5.0, ""),
        ("(12.50)", -12.5, ""),
        ("($1,234.50)", -1234.5, "usd"),
        ("007", 7.0, ""),
        (".5", 0.5, ""),
        ("5.", 5.0, ""),
        ("1,234.5", 1234.5, ""),
        ("1.234,5", 1234.5, ""),
        ("1 234,5", 1234.5, ""),
        ("1\u{a0}234,5", 1234.5, ""),
        ("1\u{2009}234\u{202f}567", 1_234_567.0, ""),
        ("1'234.5", 1234.5, ""),
        ("1’234’567", 1_234_567.0, ""),
        ("1,234,567", 1_234_567.0, ""),
        ("1.234.567", 1_234_567.0, ""),
        ("1,234,567.89", 1_234_567.89, ""),
        ("12,34,567.5", 1_234_567.5, ""),
        ("0,123", 0.123, ""),
        ("0.123", 0.123, ""),
        ("12,5", 12.5, ""),
        ("1234,567", 1234.567, ""),
        ("2.7500", 2.75, ""),
        ("1e3", 1000.0, ""),
        ("1.5E-3", 0.0015, ""),
        ("1,5e+2", 150.0, ""),
        ("$1,299.00", 1299.0, "usd"),
        ("-$5", -5.0, "usd"),
        ("$-5", -5.0, "usd"),
        ("US$ 5", 5.0, "usd"),
        ("USD 5", 5.0, "usd"),
        ("EUR5", 5.0, "eur"),
        ("1.299,00 €", 1299.0, "eur"),
        ("5euros", 5.0, "eur"),
        ("£3.20", 3.2, "gbp"),
        ("Rs. 100", 100.0, "inr"),
        ("A$7", 7.0, "aud"),
        ("7.50 %", 7.5, "%"),
        ("7.5%", 7.5, "%"),
        ("7 percent", 7.0, "%"),
        ("12 kg", 12.0, "kg"),
        ("12KG", 12.0, "kg"),
        ("109 min.", 109.0, "min"),
        ("12 reviews", 12.0, "reviews"),
        ("250 m²", 250.0, "m²"),
        ("20 °C", 20.0, "°c"),
        ("90 km/h", 90.0, "km/h"),
        ("27\"", 27.0, "\""),
        ("$4.99 /kg", 4.99, "usd /kg"),
        ("1 hr. 47 min.", 107.0, "min"),
        ("1h 30min", 90.0, "min"),
        ("1h30min", 90.0, "min"),
        ("5 ft 11 in", 71.0, "in"),
        ("5'11\"", 71.0, "\""),
        ("3:41", 221.0, ""),
        ("1:13:00", 4380.0, ""),
        ("109:05", 6545.0, ""),
        ("3rd", 3.0, ""),
        ("21st", 21.0, ""),
    ] {
        let expected = Some((value, what.to_owned()));
        assert_eq!(read(cell, Decimal::Point), expected, "{cell:?}");
        assert_eq!(read(cell, Decimal::Comma), expected, "{cell:?} in a column of decimal commas");
    }
}

#[test]
fn what_is_no_number_is_missing() {
    for cell in [
        "",
        "n/a",
        "-",
        "abc",
        "$",
        "€ -",
        ".",
        ",",
        "1.2.3",
        "192.168.0.1",
        "1,23,4",
        "1.234.56",
        "1,234.567,8",
        "12 Main Street",
        "5-7",
        "5 - 7",
        "1/2",
        "33-1/3",
        "2024-01-31",
        "12:3",
        "12:60",
        "1:2:3",
        "1:22:33:44",
        "a:10",
        "12:",
        ":30",
        "-1:30",
        "(312) 374-3450",
        "310 475 3585",
        "030 123",
        "USD",
        "Route 66",
        "XYZ 5",
        "5 USD EUR",
        "--5",
        "(-5)",
        "1 min 2 hr",
        "1 kg 5 cm",
        "1e",
        "3 x 4",
        "1e999",
        "5 $ $",
        "№ 5",
        "12 incomprehensibilities",
        "1 hr 2",
        "5 kg 3",
    ] {
        // `1e` is a number with an unknown unit.
        let expected = (cell == "1e").then(|| (1.0, "e".to_owned()));
        assert_eq!(read(cell, Decimal::Point), expected, "{cell:?}");
    }
}

#[test]
fn the_column_says_what_an_ambiguous_cell_is() {
    for (cell, point, comma) in [
        ("1,234", 1234.0, 1.234),
        ("1.234", 1.234, 1234.0),
        ("$12,345", 12345.0, 12.345),
        ("-1.500 kg", -1.5, -1500.0),
        ("1.500e3", 1500.0, 1_500_000.0),
    ] {
        assert_eq!(read(cell, Decimal::Point).unwrap().0, point, "{cell:?}");
        assert_eq!(read(cell, Decimal::Comma).unwrap().0, comma, "{cell:?}");
    }
}

#[test]
fn the_decimal_sign_is_that_of_most_cells_that_show_one() {
    let evidence = |cells: &[&str]| {
        let mut evidence = Evidence::default();
        cells.iter().for_each(|cell| evidence.add(cell, 1));
        evidence
    };
    for (cells, decimal) in [
        (&["1,234", "5"][..], Decimal::Point),
        (&["1.234", "5"], Decimal::Point),
        (&["1.234", "12,5"], Decimal::Comma),
        (&["1,234", "12.5"], Decimal::Point),
        (&["1.234.567", "1.234"], Decimal::Comma),
        (&["1.234,50 €"], Decimal::Comma),
        (&["1 234,500"], Decimal::Comma),
        (&["0,123"], Decimal::Comma),
        (&["12,5", "12.5"], Decimal::Point),
        (&["12,5", "12,6", "12.5"], Decimal::Comma),
        (&[], Decimal::Point),
    ] {
        assert_eq!(evidence(cells).decimal(), decimal, "{cells:?}");
    }
    let counted = evidence(&["1,234", "12,5", "12.5", "7", "seven", "n/a", "", "1.2.3"]);
    assert_eq!(counted, Evidence { point: 1, comma: 1, ambiguous: 1, numbers: 4, unreadable: 2 });
    let mut halves = evidence(&["1,234", "12,5", "12.5"]);
    halves.merge(&evidence(&["7", "seven", "n/a", "", "1.2.3"]));
    assert_eq!(halves, counted);
}

#[test]
fn the_similarity_falls_linearly_to_the_tolerance() {
    let number = |tolerance, relative| Number { tolerance, relative, decimal: Decimal::Point };
    for (a, b, tolerance, relative, expected) in [
        ("100", "100.0", None, None, 1.0),
        ("100", "95", None, None, 0.5),
        ("100", "90", None, None, 0.0),
        ("100", "75", None, Some(0.5), 0.5),
        ("100", "75", Some(50.0), None, 0.5),
        ("100", "75", Some(50.0), Some(0.1), 0.5),
        ("100", "75", Some(10.0), Some(0.5), 0.5),
        ("100", "75", Some(25.0), None, 0.0),
        ("0", "0", Some(0.0), Some(0.0), 1.0),
        ("0", "1", Some(0.0), Some(0.0), 0.0),
        ("0", "-0", None, None, 1.0),
        ("0", "1", None, None, 0.0),
        ("-5", "5", None, None, 0.0),
        ("1e308", "-1e308", Some(1.0), None, 0.0),
        ("1999", "2000", Some(2.0), None, 0.5),
        ("12 kg", "12", None, None, 1.0),
        ("12 kg", "12 KG", None, None, 1.0),
        ("12 kg", "12 cm", None, None, 0.0),
        ("12 apples", "12 pears", None, None, 0.0),
        ("$5", "5 USD", None, None, 1.0),
        ("$5", "5 €", None, None, 0.0),
        ("5", "5 €", None, None, 1.0),
        ("0.1 kg", "100 g", None, None, 1.0),
        ("1 kg", "995 g", Some(10.0), None, 0.5),
        ("109 min", "1 hr. 49 min.", None, None, 1.0),
        ("1 TB", "1000 GB", None, None, 1.0),
        ("3:41", "3 min 41 sec", None, None, 1.0),
        ("1e300 km", "1e300 km", None, None, 1.0),
        ("1e306 km", "1e308 mm", None, None, 0.0),
    ] {
        let score = number(tolerance, relative).score(a, b).unwrap();
        assert!(
            (score - expected).abs() < 1e-12,
            "{a:?} {b:?} {tolerance:?} {relative:?}: {score}"
        );
    }
}

proptest! {
    /// Whatever way a number is written, the same number is read.
    #[test]
    fn written_numbers_are_read_back(whole in 0u64..10_000_000_000, cents in 0u8..100, negative: bool) {
        let digits = whole.to_string();
        let grouped = |separator: &str| {
            let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
            groups.iter().map(|g| std::str::from_utf8(g).unwrap()).collect::<Vec<_>>().join(separator)
        };
        let sign = if negative { "-" } else { "" };
        let expected: f64 = format!("{sign}{digits}.{cents:02}").parse().unwrap();
        for (separator, mark) in [("", "."), ("", ","), (",", "."), (".", ","), (" ", ","), ("\u{a0}", "."), ("'", ".")] {
            let cell = format!("{sign}{}{mark}{cents:02}", grouped(separator));
            let cells = [cell.clone(), format!("{cell} €"), format!("$ {cell}"), format!("{cell} kg")];
            for cell in cells {
                prop_assert_eq!(read(&cell, Decimal::Point).map(|(value, _)| value), Some(expected), "{}", cell);
            }
        }
    }
}
