use super::cache::directory_by;
use super::{Access, Content, Identity, Kind, Request, ResourceError, Resources};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

fn read(path: &Path) -> io::Result<String> {
    fs::read_to_string(path)
}

fn open(resources: &Resources, written: &str) -> Result<Arc<String>, ResourceError> {
    resources.open(Request::file(resources, Kind::Table, written), read)
}

#[test]
fn a_file_is_opened_once_and_anew_when_it_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t"), "one").unwrap();
    let resources = Resources::default().with_base(folder.path());
    let first = open(&resources, "t").unwrap();
    assert!(Arc::ptr_eq(&first, &open(&resources, "./t").unwrap()));
    assert!(Arc::ptr_eq(&first, &open(&resources.clone(), "t").unwrap()));
    let other =
        Request { variant: "other".to_owned(), ..Request::file(&resources, Kind::Table, "t") };
    assert!(!Arc::ptr_eq(&first, &resources.open(other, read).unwrap()));
    fs::write(folder.path().join("t"), "another").unwrap();
    assert_eq!(*open(&resources, "t").unwrap(), "another");
    assert_eq!(*first, "one");
    assert!(matches!(open(&resources, "u"), Err(ResourceError::Open(_))));
}

#[test]
fn identities_are_those_of_what_was_used() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a", "123456789"), ("b", "")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let resources = Resources::default().with_base(folder.path()).scope();
    open(&resources, "b").unwrap();
    let inner = resources.scope();
    for _ in 0..2 {
        open(&inner, "a").unwrap();
    }
    // The check value of CRC-32.
    let content = Content { length: 9, checksum: 0xcbf4_3926 };
    let path = folder.path().join("a");
    let a = Identity { kind: Kind::Table, written: "a".to_owned(), path, content };
    assert_eq!(inner.used(), std::slice::from_ref(&a));
    assert_eq!(resources.used().len(), 2);
    assert_eq!(resources.opened().len(), 2);
    let json = serde_json::to_string(&a).unwrap();
    assert!(json.starts_with(r#"{"kind":"table","written":"a","path":""#), "{json}");
    assert_eq!(serde_json::from_str::<Identity>(&json).unwrap(), a);
}

#[test]
fn containers_of_one_length_differ() {
    // A checksum over a whole container would always be the same: that is what a CRC at the end does.
    let folder = tempfile::tempdir().unwrap();
    let content = |name: &str, number: u32| {
        let path = folder.path().join(name);
        let write = |file: &mut crate::store::FileWriter| file.write::<u32>("n", &[number]);
        crate::store::FileWriter::replace(&path, write).unwrap();
        Content::of_file(&path, None).unwrap()
    };
    let (one, two) = (content("one", 1), content("two", 2));
    assert_eq!(one.length, two.length);
    assert_ne!(one, two);
    assert_eq!(one, content("three", 1));
}

#[test]
fn several_files_have_one_content() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| folder.path().join(name));
    let write = |texts: [&str; 2]| {
        paths.iter().zip(texts).for_each(|(path, text)| fs::write(path, text).unwrap());
        Content::of_files(&paths, None).unwrap()
    };
    let first = write(["xy", "z"]);
    assert_ne!(first, write(["x", "yz"]), "where one ends and the other begins counts");
    assert_eq!(first, write(["xy", "z"]));
    fs::remove_file(&paths[1]).unwrap();
    assert_ne!(first, Content::of_files(&paths, None).unwrap());
    assert!(Content::of_file(&paths[1], None).is_err());
}

#[test]
fn the_checksum_of_a_large_file_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let (path, cache) = (folder.path().join("large"), folder.path().join("cache"));
    let mut bytes = vec![b'x'; 17 << 20];
    fs::write(&path, &bytes).unwrap();
    let first = Content::of_file(&path, Some(&cache)).unwrap();
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 1);
    assert_eq!(Content::of_file(&path, Some(&cache)).unwrap(), first);
    assert_eq!(Content::of_file(&path, None).unwrap(), first);
    bytes.push(b'y');
    fs::write(&path, &bytes).unwrap();
    assert_ne!(Content::of_file(&path, Some(&cache)).unwrap(), first);
}

#[test]
fn only_what_is_allowed_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["data", "data/in", "secret"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("t"), "text").unwrap();
    }
    let resources = Resources::default().with_base(folder.path());
    let refused = |resources: &Resources, written: &str| {
        matches!(open(resources, written), Err(ResourceError::Refused { .. }))
    };
    // Open already, and yet refused to others.
    open(&resources, "secret/t").unwrap();
    assert!(refused(&resources.clone().with_access(Access::Nothing), "data/t"));
    let only = resources.with_access(Access::Only(vec![folder.path().join("data")]));
    for written in ["data/t", "data/in/t", "secret/../data/t"] {
        assert_eq!(*open(&only, written).unwrap(), "text");
    }
    for written in ["secret/t", "data/../secret/t", "data/../secret/no", "/etc/passwd"] {
        assert!(refused(&only, written), "{written}");
    }
    #[cfg(unix)]
    {
        let link = folder.path().join("data/link");
        std::os::unix::fs::symlink(folder.path().join("secret"), link).unwrap();
        assert!(refused(&only, "data/link/t"));
    }
    let file = only.with_access(Access::Only(vec![folder.path().join("data/t")]));
    assert!(open(&file, "data/t").is_ok() && refused(&file, "data/in/t"));
}

#[test]
fn what_is_expected_is_looked_for_where_it_was_and_then_where_it_would_be() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    for (place, text) in [(&old, "mine"), (&new, "other")] {
        fs::create_dir(place).unwrap();
        fs::write(place.join("t"), text).unwrap();
    }
    let before = Resources::default().with_base(&old).scope();
    open(&before, "t").unwrap();
    let index = Path::new("names.idx");
    let resources = || Resources::default().with_base(&new).expecting(index, before.used()).scope();
    assert_eq!(*open(&resources(), "t").unwrap(), "mine");
    // It was moved to where it is looked for now.
    fs::copy(old.join("t"), new.join("t")).unwrap();
    fs::remove_file(old.join("t")).unwrap();
    let moved = resources();
    assert_eq!(*open(&moved, "t").unwrap(), "mine");
    assert_eq!(moved.used()[0].path, new.join("t"));
    // One that may not be opened where it was, but where it is.
    let only = resources().with_access(Access::Only(vec![new.clone()]));
    assert_eq!(*open(&only, "t").unwrap(), "mine");

    fs::write(new.join("t"), "else").unwrap();
    let said = open(&resources(), "t").unwrap_err().to_string();
    let path = new.join("t").display().to_string();
    assert!(
        said.starts_with(&path) && said.contains("names.idx was built with (4 bytes"),
        "{said}"
    );
    fs::remove_file(new.join("t")).unwrap();
    let said = open(&resources(), "t").unwrap_err().to_string();
    assert!(said.contains("is not there") && said.contains("build the index again"), "{said}");
    let said = open(&resources(), "u").unwrap_err().to_string();
    assert!(said.contains("names.idx does not say"), "{said}");
}

#[test]
fn the_cache_is_where_the_variables_say() {
    let by = |set: &[(&str, &str)]| {
        let set: BTreeMap<&str, &str> = set.iter().copied().collect();
        directory_by(|name| set.get(name).map(Into::into))
    };
    let (mine, xdg, home) = (("LIKEWISE_CACHE", "/m"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h"));
    assert_eq!(by(&[mine, xdg, home]), Some("/m".into()));
    assert_eq!(by(&[("LIKEWISE_CACHE", ""), xdg, home]), Some("/x/likewise".into()));
    assert_eq!(by(&[("XDG_CACHE_HOME", "x"), home]), Some("/h/.cache/likewise".into()));
    assert_eq!(by(&[home]), Some("/h/.cache/likewise".into()));
    assert_eq!(by(&[]), None);
}
