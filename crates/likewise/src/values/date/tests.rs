use super::*;
use proptest::prelude::*;

fn read(cell: &str, order: Order) -> Option<(u32, u32, u32)> {
    let day = Date { order: Some(order), ..Date::default() }.prepare(cell)?;
    Some((day.year(), day.month(), day.day()))
}

#[test]
fn dates_are_read_however_they_are_written() {
    for (cell, expected) in [
        ("2024-01-31", (2024, 1, 31)),
        ("2024-1-31", (2024, 1, 31)),
        ("2024/01/31", (2024, 1, 31)),
        ("2024.01.31", (2024, 1, 31)),
        ("20240131", (2024, 1, 31)),
        ("2024-01-31T10:15:00Z", (2024, 1, 31)),
        ("2024-01-31 10:15", (2024, 1, 31)),
        ("20240131T101500", (2024, 1, 31)),
        ("2024-01-31 00:00:00.000", (2024, 1, 31)),
        ("31/01/2024 8:05 pm", (2024, 1, 31)),
        ("31.1.2024", (2024, 1, 31)),
        ("31. 1. 2024", (2024, 1, 31)),
        ("31.01.24", (2024, 1, 31)),
        ("31.01.24.", (2024, 1, 31)),
        ("31/01/2024", (2024, 1, 31)),
        ("01/31/2024", (2024, 1, 31)),
        ("1/31/24", (2024, 1, 31)),
        ("31-01-2024", (2024, 1, 31)),
        ("01-31-2024", (2024, 1, 31)),
        ("03/03/2024", (2024, 3, 3)),
        ("03.04.2024", (2024, 4, 3)),
        ("01.31.2024", (2024, 1, 31)),
        ("99-01-31", (1999, 1, 31)),
        ("31.12.29", (2029, 12, 31)),
        ("31.12.30", (1930, 12, 31)),
        ("31 Jan 2024", (2024, 1, 31)),
        ("31-Jan-2024", (2024, 1, 31)),
        ("31-Jan-24", (2024, 1, 31)),
        ("31JAN2024", (2024, 1, 31)),
        ("January 31, 2024", (2024, 1, 31)),
        ("Jan. 31st 2024", (2024, 1, 31)),
        ("Jan 31, 98", (1998, 1, 31)),
        ("2024 Jan 31", (2024, 1, 31)),
        ("the 31st of January, 2024", (2024, 1, 31)),
        ("Wed, 31 Jan 2024 10:15:00 +0100", (2024, 1, 31)),
        ("Mittwoch, 31. Januar 2024", (2024, 1, 31)),
        ("31. März 2024", (2024, 3, 31)),
        ("31 de enero de 2024", (2024, 1, 31)),
        ("1er août 2024", (2024, 8, 1)),
        ("8 September 1960 (USA)", (1960, 9, 8)),
        ("Mar 27, 1941 Wide", (1941, 3, 27)),
        ("29 Feb 2000", (2000, 2, 29)),
        ("Jan 2024", (2024, 1, 0)),
        ("January 2024", (2024, 1, 0)),
        ("September 1960 (USA)", (1960, 9, 0)),
        ("2024-01", (2024, 1, 0)),
        ("01/2024", (2024, 1, 0)),
        ("1/2024", (2024, 1, 0)),
        ("1980-05-00", (1980, 5, 0)),
        ("2024", (2024, 0, 0)),
        ("1980-00-00", (1980, 0, 0)),
        ("00.00.1980", (1980, 0, 0)),
        (" 2024 ", (2024, 0, 0)),
    ] {
        assert_eq!(read(cell, Order::Dmy), Some(expected), "{cell:?}");
        assert_eq!(read(cell, Order::Mdy), Some(expected), "{cell:?} with the month first");
    }
}

#[test]
fn what_is_no_date_is_missing() {
    for cell in [
        "",
        "n/a",
        "soon",
        "31.2.2024",
        "29.2.2023",
        "30/02/2024",
        "31 Feb 2024",
        "2024-13-01",
        "2024-00-05",
        "0000-00-00",
        "9999-12-31",
        "32/01/2024",
        "0999-01-01",
        "3000",
        "12345",
        "202401",
        "20240231",
        "20240100",
        "1998-99",
        "2001/13",
        "1.2345",
        "12.5",
        "31/01-2024",
        "310-475-9807",
        "1-2-3-4",
        "Jan 24",
        "24 Jan",
        "May",
        "8 May 1945 - 3 June 1946",
        "Route 66",
        "10:15",
        "2024 10:15",
        "2024-01-31-01",
        "00 Jan 2024",
        "12 Main Street 2024",
        "31 foo 2024",
        "1/2/345",
    ] {
        assert_eq!(read(cell, Order::Dmy), None, "{cell:?}");
        assert_eq!(read(cell, Order::Mdy), None, "{cell:?} with the month first");
    }
}

#[test]
fn the_order_says_what_an_ambiguous_cell_is() {
    for cell in ["03/04/2024", "3-4-24", "03/04/2024 10:15"] {
        assert_eq!(read(cell, Order::Dmy), Some((2024, 4, 3)), "{cell:?}");
        assert_eq!(read(cell, Order::Mdy), Some((2024, 3, 4)), "{cell:?}");
    }
}

#[test]
fn one_cell_tells_the_order_for_all() {
    let evidence = |cells: &[&str]| {
        let mut evidence = Evidence::default();
        cells.iter().for_each(|cell| evidence.add(cell, 1));
        evidence
    };
    let order = |cells: &[&str]| evidence(cells).order().map_err(|e| e.to_string());
    assert_eq!(order(&["03/04/2024", "31/01/2024"]), Ok(Some(Order::Dmy)));
    assert_eq!(order(&["03/04/2024", "01/31/2024"]), Ok(Some(Order::Mdy)));
    assert_eq!(order(&["03/04/2024", "13-01-99"]), Ok(Some(Order::Dmy)));
    assert_eq!(order(&["2024-01-31", "03.04.2024", "5/5/2024"]), Ok(None), "nothing depends on it");
    assert_eq!(order(&["31/01/2024", "01/31/2024"]), Ok(None), "nothing depends on it");
    assert_eq!(
        order(&["03/04/2024", "03.31.2024", "2024-01-31", "5/5/2024"]).unwrap_err(),
        "`03/04/2024` can be read with the day or the month first, and no cell of the column tells which (help: say \
         `date(order=dmy)` or `date(order=mdy)`)"
    );
    assert_eq!(
        order(&["31/01/2024", "3/4/24", "01/31/2024"]).unwrap_err(),
        "`3/4/24` can be read with the day or the month first, and the column has both orders: `31/01/2024` and \
         `01/31/2024` (help: say `date(order=dmy)` or `date(order=mdy)`)"
    );
    let cells = ["31/01/2024", "x", "03/04/2024", "2024", "n/a", "04/03/2024"];
    let mut halves = evidence(&cells[..2]);
    halves.merge(&evidence(&cells[2..]));
    assert_eq!(halves, evidence(&cells));
    assert_eq!((halves.dates, halves.years, halves.unreadable), (4, 1, 1));
    assert_eq!((halves.dmy.cells, halves.mdy.cells, halves.ambiguous.cells), (1, 0, 2));
}

#[test]
fn the_table_grades_typing_errors() {
    for (a, b, expected) in [
        ("1978-05-03", "1978-05-03", 1.0),
        ("1978-05-03", "1978-05-08", 0.9),
        ("1978-05-03", "1968-05-03", 0.9),
        ("1978-05-03", "1987-05-03", 0.9),
        ("1978-05-03", "1978-03-05", 0.9),
        ("1978-12-03", "1978-03-12", 0.9),
        ("1978-05-21", "1978-05-12", 0.9),
        ("1978-12-03", "1978-11-03", 0.9),
        ("1978-05-03", "1978-05-17", 0.6),
        ("1978-05-03", "1978-11-03", 0.6),
        ("1978-05-03", "1992-05-03", 0.6),
        ("1978-10-21", "1978-12-01", 0.3),
        ("1978-05-03", "1978-11-17", 0.3),
        ("1978-01-23", "1978-02-13", 0.3),
        ("1978-05-03", "1992-05-17", 0.0),
        ("1978-05-03", "1992-11-17", 0.0),
        ("1978-05-03", "1978", 1.0),
        ("1978-05-03", "May 1978", 1.0),
        ("1978-05", "1978-06", 0.6),
        ("1978-05", "1987-05-03", 0.6),
        ("1978-05", "1978-11-03", 0.3),
        ("1978-05", "1992-05", 0.0),
        ("1978", "1979-05-03", 0.3),
        ("1978", "1987", 0.3),
        ("1978", "1992", 0.0),
    ] {
        assert_eq!(Date::default().score(a, b), Some(expected), "{a:?} {b:?}");
    }
}

#[test]
fn with_a_tolerance_near_dates_are_alike_too() {
    for (a, b, days, expected) in [
        ("2024-02-28", "2024-03-01", 4.0, 0.5),
        ("1999-12-31", "2000-01-01", 10.0, 0.9),
        ("1999-12-31", "2000-01-05", 10.0, 0.5),
        ("1999-12-31", "2000-01-05", 1.0, 0.0),
        ("1999-12-31", "1999-12-31", 0.0, 1.0),
        ("1999", "2000", 730.485, 0.5),
        ("1999", "2000-12-31", 730.485, 0.5),
        ("1999-12", "2000-01", 60.873_75, 0.5),
        ("1978-05-03", "1987-05-03", 10.0, 0.9),
    ] {
        let score = Date { tolerance: Some(days), ..Date::default() }.score(a, b).unwrap();
        assert!((score - expected).abs() < 1e-12, "{a:?} {b:?}: {score}");
    }
}

/// The table's first row of errors, from the digits as text.
fn is_slip_as_text(a: (u32, u32, u32), b: (u32, u32, u32)) -> bool {
    let text = |(y, m, d): (u32, u32, u32)| format!("{y:04}{m:02}{d:02}").into_bytes();
    let (x, y) = (text(a), text(b));
    let differing: Vec<usize> = (0..8).filter(|&i| x[i] != y[i]).collect();
    let swapped = [(0, 1), (1, 2), (2, 3), (4, 5), (6, 7)].into_iter().any(|(i, j)| {
        let mut swapped = x.clone();
        swapped.swap(i, j);
        swapped == y
    });
    differing.len() == 1 || swapped || (a.0, a.1, a.2) == (b.0, b.2, b.1)
}

proptest! {
    #[test]
    fn scores_are_those_of_the_table(
        a in (1970u32..2000, 1u32..13, 1u32..29),
        b in (1970u32..2000, 1u32..13, 1u32..29),
        keep in (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
    ) {
        // Dates that have much in common, so that every row of the table occurs.
        let b = (if keep.0 { a.0 } else { b.0 }, if keep.1 { a.1 } else { b.1 }, if keep.2 { a.2 } else { b.2 });
        let b = if keep.3 && a.2 <= 12 { (a.0, a.2, a.1) } else { b };
        let parts = [a.0 == b.0, a.1 == b.1, a.2 == b.2].into_iter().filter(|equal| *equal).count();
        let expected = match parts {
            3 => 1.0,
            _ if is_slip_as_text(a, b) => 0.9,
            2 => 0.6,
            _ if a.0 == b.0 => 0.3,
            _ => 0.0,
        };
        let text = |(y, m, d): (u32, u32, u32)| format!("{y}-{m:02}-{d:02}");
        prop_assert_eq!(Date::default().score(&text(a), &text(b)), Some(expected));
    }

    /// Whatever way a date is written, the same date is read.
    #[test]
    fn written_dates_are_read_back(y in 1000u32..3000, m in 1u32..13, d in 1u32..32) {
        let expected = Day::new(y, m, d).map(|_| (y, m, d));
        let name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][m as usize - 1];
        for cell in [
            format!("{y}-{m:02}-{d:02}"), format!("{y}{m:02}{d:02}"), format!("{d}.{m}.{y}"), format!("{d} {name} {y}"),
            format!("{name} {d}, {y}"), format!("{d:02}-{name}-{y}"), format!("{y}/{m}/{d} 23:59"),
        ] {
            // Where the day cannot come first, the month can.
            if expected.is_some() || !cell.contains('.') {
                prop_assert_eq!(read(&cell, Order::Dmy), expected, "{}", cell);
            }
        }
        prop_assert_eq!(read(&format!("{d}/{m}/{y}"), Order::Dmy).filter(|_| expected.is_some()), expected);
        prop_assert_eq!(read(&format!("{m}/{d}/{y}"), Order::Mdy).filter(|_| expected.is_some()), expected);
    }
}
