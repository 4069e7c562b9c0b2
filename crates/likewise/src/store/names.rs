//! The names of what lies in an index's directory. What is named otherwise is somebody else's and is
//! never touched.

/// Names the files of the present generation; replaced by renaming.
pub(super) const MANIFEST: &str = "manifest.likewise";
/// The next manifest, until it is whole.
pub(super) const NEXT_MANIFEST: &str = "manifest.likewise.new";
/// Whoever writes holds a lock on this file. It is empty and stays.
pub(super) const LOCK: &str = "lock.likewise";

const ENDING: &str = ".likewise";

/// The name of a container file: what it is for, the generation it is written for, and a number.
pub(super) fn data_name(stem: &str, generation: u64, number: u64) -> String {
    format!("{stem}.{generation}.{number}{ENDING}")
}

/// The generation in a container file's name; `None` for any other name.
pub(super) fn generation_of(name: &str) -> Option<u64> {
    let mut parts = name.strip_suffix(ENDING)?.split('.');
    let stem = parts.next()?;
    let (generation, number) = (digits(parts.next()?)?, digits(parts.next()?)?);
    // Only what this program would write itself.
    let same = is_stem(stem) && data_name(stem, generation, number) == name;
    same.then_some(generation)
}

fn digits(part: &str) -> Option<u64> {
    part.parse().ok()
}

/// Whether a container file may be called that: it must mean the same on every file system.
pub(super) fn is_stem(stem: &str) -> bool {
    (1..=64).contains(&stem.len())
        && stem.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'))
}

/// Whether a writer of an index makes files of that name.
pub(super) fn is_ours(name: &str) -> bool {
    matches!(name, MANIFEST | NEXT_MANIFEST | LOCK) || generation_of(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_a_writer_gives_are_its_own() {
        assert_eq!(generation_of(&data_name("terms", 12, 3)), Some(12));
        for foreign in [
            "terms.likewise",
            "terms.1.likewise",
            "terms.01.0.likewise",
            "terms.+1.0.likewise",
            "terms.1.0.0.likewise",
            ".1.0.likewise",
            "../x.1.0.likewise",
            "Terms.1.0.likewise",
            "terms.1.0.likewise~",
            "notes.txt",
            "CURRENT",
        ] {
            assert!(!is_ours(foreign), "{foreign}");
        }
        assert!(is_ours(LOCK) && is_ours(MANIFEST) && is_ours(NEXT_MANIFEST));
    }
}
