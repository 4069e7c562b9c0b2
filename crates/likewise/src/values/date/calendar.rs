//! The Gregorian calendar, carried on to years before it came into use.

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// How many days the month has.
pub(super) fn length_of_month(year: u32, month: u32) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1 January 1970 to a date of the year 1 or later.
pub(super) fn days_since_1970(year: u32, month: u32, day: u32) -> i32 {
    // Years are counted from March, so that the leap day is the last of its year. From there on, months of 31, 30,
    // 31, 30, 31 days repeat, 153 days in all.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    let days = year * 365 + leap_days + (153 * month + 2) / 5 + day;
    days.cast_signed() - 719_469
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One day after the other.
    #[test]
    fn days_are_counted_as_one_by_one() {
        let (mut year, mut month, mut day) = (1000, 1, 1);
        let first = days_since_1970(year, month, day);
        let mut passed = 0;
        while year < 3000 {
            assert_eq!(days_since_1970(year, month, day), first + passed, "{year}-{month}-{day}");
            if (year, month, day) == (1970, 1, 1) {
                assert_eq!(first + passed, 0);
            }
            let leap = if year % 400 == 0 { true } else { year % 4 == 0 && year % 100 != 0 };
            let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            assert_eq!(length_of_month(year, month), lengths[month as usize - 1]);
            passed += 1;
            day += 1;
            if day > lengths[month as usize - 1] {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }
}
