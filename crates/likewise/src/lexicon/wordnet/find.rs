//! Where WordNet is looked for.

use super::WordNetError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where packages put it: Debian's, Princeton's own, Homebrew's.
const USUAL: [&str; 7] = [
    "/usr/share/wordnet",
    "/usr/local/share/wordnet",
    "/usr/local/WordNet-3.0/dict",
    "/usr/local/WordNet-3.1/dict",
    "/opt/homebrew/opt/wordnet/dict",
    "/usr/local/opt/wordnet/dict",
    "/home/linuxbrew/.linuxbrew/opt/wordnet/dict",
];

/// What an environment variable says, if it says anything.
pub(super) type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// That of this process.
pub(super) fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The directory with WordNet's files.
pub(super) fn directory(
    given: Option<&Path>,
    environment: Environment<'_>,
) -> Result<PathBuf, WordNetError> {
    let looked = match given {
        // Also the directory that holds `dict`, which is what $WNHOME names.
        Some(given) => vec![given.to_owned(), given.join("dict")],
        None => places(environment),
    };
    let is_there =
        |path: &&PathBuf| path.join("data.noun").is_file() && path.join("index.noun").is_file();
    match looked.iter().find(is_there) {
        Some(found) => Ok(found.clone()),
        None => Err(WordNetError::NotFound { looked }),
    }
}

fn places(environment: Environment<'_>) -> Vec<PathBuf> {
    let path = |name: &str| environment(name).map(PathBuf::from);
    let mut places: Vec<PathBuf> = path("WNSEARCHDIR").into_iter().collect();
    places.extend(path("WNHOME").map(|home| home.join("dict")));
    places.extend(USUAL.map(PathBuf::from));
    places.extend(path("HOME").map(|home| home.join("nltk_data/corpora/wordnet")));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables<'a>(set: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<OsString> + 'a {
        |name| set.iter().find(|(other, _)| *other == name).map(|(_, value)| OsString::from(value))
    }

    #[test]
    fn it_is_looked_for_where_variables_say_and_then_where_packages_put_it() {
        let set = [("WNSEARCHDIR", "/a"), ("WNHOME", "/b"), ("HOME", "/h")];
        let places = places(&variables(&set));
        assert_eq!(&places[..2], [Path::new("/a"), Path::new("/b/dict")]);
        assert_eq!(places[2], Path::new("/usr/share/wordnet"));
        assert_eq!(places.last().unwrap(), Path::new("/h/nltk_data/corpora/wordnet"));
    }

    #[test]
    fn what_is_given_is_the_only_place() {
        let folder = tempfile::tempdir().unwrap();
        let error = directory(Some(folder.path()), &variables(&[])).unwrap_err().to_string();
        assert!(error.contains(&folder.path().display().to_string()), "{error}");
        assert!(error.contains("apt install wordnet-base"), "{error}");
        assert!(!error.contains("/usr/share"), "{error}");

        let dict = folder.path().join("dict");
        std::fs::create_dir(&dict).unwrap();
        for file in ["data.noun", "index.noun"] {
            std::fs::write(dict.join(file), "").unwrap();
        }
        assert_eq!(directory(Some(folder.path()), &variables(&[])).unwrap(), dict);
        assert_eq!(directory(Some(&dict), &variables(&[])).unwrap(), dict);
        let home = folder.path().to_str().unwrap();
        assert_eq!(directory(None, &variables(&[("WNHOME", home)])).unwrap(), dict);
    }
}
