//! What holds of files and directories, and above all what holds of damaged ones.

use super::names::{LOCK, MANIFEST, NEXT_MANIFEST};
use super::*;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    (folder, path)
}

fn write_small(path: &Path) -> Summary {
    let mut file = FileWriter::create(path).unwrap();
    file.write::<u8>("bytes", b"odd").unwrap();
    file.write::<u16>("empty", &[]).unwrap();
    file.write::<u32>("numbers", &[7, u32::MAX]).unwrap();
    file.finish().unwrap()
}

/// Commits one file that holds the number, with the number as payload.
fn commit(writer: &mut Writer, number: u64) {
    let mut file = writer.new_file("numbers").unwrap();
    file.write("number", &[number]).unwrap();
    let file = file.finish().unwrap();
    writer.commit(number.to_string(), [("numbers", file)]).unwrap();
}

fn index_of(path: &Path, number: u64) {
    commit(&mut Directory::create(path).unwrap(), number);
}

/// The number that was committed, if files and payload agree.
fn number_in(snapshot: &Snapshot) -> u64 {
    let number = snapshot.file("numbers").unwrap().section::<u64>("number").unwrap();
    assert_eq!(snapshot.payload(), number[0].to_string().as_bytes());
    number[0]
}

fn files_in(path: &Path) -> Vec<String> {
    snapshot::names_in(path).unwrap()
}

mod containers {
    use super::*;

    #[test]
    fn every_kind_of_number_comes_back_where_it_lies() {
        let (_folder, path) = folder();
        let mut file = FileWriter::create(&path).unwrap();
        file.write::<u8>("u8", &[1, 2, 255]).unwrap();
        file.write::<u16>("u16", &[1, 65535]).unwrap();
        file.write::<u32>("u32", &[u32::MAX]).unwrap();
        file.write::<u64>("u64", &[u64::MAX, 0]).unwrap();
        file.write::<f32>("f32", &[f32::MIN_POSITIVE, -0.0]).unwrap();
        file.write::<f64>("f64", &[std::f64::consts::PI]).unwrap();
        file.write::<f64>("none", &[]).unwrap();
        file.begin("pieces").unwrap();
        for n in 0..100_000u32 {
            file.push(&[n]).unwrap();
        }
        file.end().unwrap();
        let written = file.finish().unwrap();

        let file = File::open(&path).unwrap();
        assert_eq!(file.summary(), &written);
        assert_eq!(written.bytes, fs::metadata(&path).unwrap().len());
        assert_eq!(*file.section::<u8>("u8").unwrap(), [1, 2, 255]);
        assert_eq!(*file.section::<u16>("u16").unwrap(), [1, 65535]);
        assert_eq!(*file.section::<u32>("u32").unwrap(), [u32::MAX]);
        assert_eq!(*file.section::<u64>("u64").unwrap(), [u64::MAX, 0]);
        let floats = file.section::<f32>("f32").unwrap();
        assert_eq!(floats.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), [0x80_0000, 1 << 31]);
        assert_eq!(*file.section::<f64>("f64").unwrap(), [std::f64::consts::PI]);
        assert!(file.section::<f64>("none").unwrap().is_empty());
        let pieces = file.section::<u32>("pieces").unwrap();
        assert!(pieces.iter().copied().eq(0..100_000));
        assert!(
            file.sections()
                .map(|(name, _)| name)
                .eq(["u8", "u16", "u32", "u64", "f32", "f64", "none", "pieces"])
        );

        // The array outlives the file, its clones are the same memory, and it starts where a vector
        // register likes it.
        drop(file);
        fs::remove_file(&path).unwrap();
        let clone = pieces.clone();
        drop(pieces);
        assert_eq!(clone[99_999], 99_999);
        assert_eq!(clone.as_ptr() as usize % 64, 0);
        assert_eq!(std::thread::spawn(move || clone.len()).join().unwrap(), 100_000);
    }

    #[test]
    fn a_file_without_sections_is_a_file() {
        let (_folder, path) = folder();
        FileWriter::create(&path).unwrap().finish().unwrap();
        assert_eq!(File::open(&path).unwrap().sections().count(), 0);
    }

    #[test]
    fn every_flipped_byte_every_truncation_and_every_extension_is_refused() {
        let (_folder, path) = folder();
        write_small(&path);
        let bytes = fs::read(&path).unwrap();
        let refused = |bytes: &[u8], what: &str| {
            fs::write(&path, bytes).unwrap();
            let error = File::open(&path).expect_err(what);
            assert!(matches!(error, StoreError::Damaged { .. }), "{what}: {error}");
        };
        for at in 0..bytes.len() {
            for mask in [0x01, 0x21, 0x80, 0xff] {
                let mut flipped = bytes.clone();
                flipped[at] ^= mask;
                refused(&flipped, &format!("byte {at} ^ {mask:#x}"));
            }
            refused(&bytes[..at], &format!("first {at} bytes"));
        }
        for more in [&[0][..], &bytes[bytes.len() - 20..], &bytes] {
            refused(&[&bytes, more].concat(), "extended");
        }
        fs::write(&path, &bytes).unwrap();
        File::open(&path).unwrap();
    }

    #[test]
    fn a_table_that_makes_no_sense_is_refused_though_its_checksum_fits() {
        let (_folder, path) = folder();
        write_small(&path);
        let bytes = fs::read(&path).unwrap();
        let table = bytes.len() - 20;
        let mut refused = 0;
        for at in bytes.len() - 120..bytes.len() - 4 {
            let mut other = bytes.clone();
            other[at] ^= 0xff;
            let sum = crc32fast::hash(&other[..other.len() - 4]);
            other.splice(bytes.len() - 4.., sum.to_le_bytes());
            fs::write(&path, &other).unwrap();
            // Never a panic; a name may change, a place must not.
            let opened = File::open(&path);
            refused += usize::from(opened.is_err());
            assert!(at < table || opened.is_err(), "byte {at}");
            if let Ok(file) = opened {
                let _ = file.section::<u32>("numbers").map(|numbers| numbers.to_vec());
            }
        }
        assert!(refused > 40, "{refused}");
    }

    #[test]
    fn another_version_is_named() {
        let (_folder, path) = folder();
        write_small(&path);
        let mut bytes = fs::read(&path).unwrap();
        let end = bytes.len() - 4;
        bytes[file::MAGIC.len()] = 9;
        let sum = crc32fast::hash(&bytes[..end]);
        bytes.splice(end.., sum.to_le_bytes());
        fs::write(&path, &bytes).unwrap();
        let error = File::open(&path).unwrap_err();
        assert!(matches!(error, StoreError::Version { found: 9, read: 1, .. }), "{error}");
        assert!(error.to_string().contains("build the index again"));
    }

    #[test]
    fn a_section_that_is_not_there_or_not_of_that_kind_is_an_error() {
        let (_folder, path) = folder();
        write_small(&path);
        let file = File::open(&path).unwrap();
        let missing = file.section::<u8>("byte").unwrap_err().to_string();
        assert!(missing.ends_with("there is no section `byte` in it"), "{missing}");
        let odd = file.section::<u16>("bytes").unwrap_err().to_string();
        assert!(odd.ends_with("has 3 bytes at 64, which is no array of u16"), "{odd}");
    }

    #[test]
    fn sections_out_of_order_are_refused_and_nothing_is_left() {
        let (_folder, path) = folder();
        let mut file = FileWriter::create(&path).unwrap();
        assert!(file.push::<u8>(&[1]).is_err());
        assert!(file.end().is_err());
        file.begin("a").unwrap();
        assert!(file.begin("b").is_err());
        assert!(file.write::<u8>("b", &[1]).is_err());
        file.end().unwrap();
        assert!(file.begin("a").is_err());
        file.begin("c").unwrap();
        assert!(file.finish().is_err());
        assert!(!path.exists());
    }

    #[test]
    fn a_file_that_exists_is_never_written_over() {
        let (_folder, path) = folder();
        write_small(&path);
        assert!(matches!(FileWriter::create(&path), Err(StoreError::Io { .. })));
        File::open(&path).unwrap();
    }
}

mod directories {
    use super::*;

    #[test]
    fn generations_follow_each_other_and_leave_no_files_behind() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        for number in 2..5 {
            commit(&mut Directory::lock(&path).unwrap(), number);
            let snapshot = Directory::open(&path).unwrap();
            assert_eq!(number_in(&snapshot), number);
            assert_eq!(snapshot.generation().number, number);
            assert_eq!(files_in(&path).len(), 3, "{:?}", files_in(&path));
        }
        let mut writer = Directory::lock(&path).unwrap();
        for number in 5..8 {
            commit(&mut writer, number);
        }
        assert_eq!(number_in(&Directory::open(&path).unwrap()), 7);
        let report = Directory::verify(&path).unwrap();
        assert_eq!((report.generation.number, report.strays.len()), (7, 0));
        assert_eq!(report.bytes, report.generation.files["numbers"].bytes);
    }

    #[test]
    fn a_file_named_again_is_kept() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        let mut writer = Directory::lock(&path).unwrap();
        let old = writer.present().unwrap().files["numbers"].clone();
        let mut file = writer.new_file("more").unwrap();
        file.write::<u8>("bytes", b"x").unwrap();
        let more = file.finish().unwrap();
        writer.commit("1", [("numbers", old.clone()), ("more", more)]).unwrap();
        let snapshot = Directory::open(&path).unwrap();
        assert_eq!(number_in(&snapshot), 1);
        assert_eq!(snapshot.file("numbers").unwrap().summary(), &old);
        assert!(snapshot.file("less").is_err());
    }

    #[test]
    fn a_second_writer_is_told_to_come_back() {
        let (_folder, path) = folder();
        let mut first = Directory::create(&path).unwrap();
        assert!(matches!(Directory::create(&path), Err(StoreError::Busy { .. })));
        commit(&mut first, 1);
        let thread = path.clone();
        let busy = std::thread::spawn(move || Directory::lock(&thread).unwrap_err());
        let busy = busy.join().unwrap();
        assert!(matches!(busy, StoreError::Busy { .. }));
        assert!(busy.to_string().contains("try again when it is done"), "{busy}");
        assert!(matches!(Directory::replace(&path), Err(StoreError::Busy { .. })));
        // Nor while a file of the first is still being written.
        let file = first.new_file("late").unwrap();
        drop(first);
        assert!(matches!(Directory::lock(&path), Err(StoreError::Busy { .. })));
        drop(file);
        commit(&mut Directory::lock(&path).unwrap(), 2);
    }

    #[test]
    fn a_reader_keeps_what_it_opened() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        let old = Directory::open(&path).unwrap();
        let number = old.file("numbers").unwrap().section::<u64>("number").unwrap();
        let mut writer = Directory::lock(&path).unwrap();
        for next in 2..10 {
            commit(&mut writer, next);
        }
        assert!(!old.file("numbers").unwrap().path().exists(), "unlinked by now");
        assert_eq!((number_in(&old), number[0]), (1, 1));
        assert_eq!(number_in(&Directory::open(&path).unwrap()), 9);
    }

    #[test]
    fn a_reader_that_a_commit_overtakes_starts_over() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        let mut writer = Directory::lock(&path).unwrap();
        let opened = Snapshot::open(&path, |n| {
            if n < 4 {
                commit(&mut writer, n as u64 + 1);
            }
        });
        assert_eq!(number_in(&opened.unwrap()), 4);
        // But not for ever.
        let mut number = 100;
        let error = Snapshot::open(&path, |_| {
            number += 1;
            commit(&mut writer, number);
        });
        let error = error.unwrap_err();
        assert!(matches!(error, StoreError::Changing { tries: 20, .. }), "{error}");
        assert!(error.to_string().contains("each of the 20 times"), "{error}");
    }

    #[test]
    fn an_index_removed_and_made_again_meanwhile_is_the_new_one() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        // The same generation and the same names, but other files.
        let opened = Snapshot::open(&path, |n| {
            if n == 1 {
                fs::remove_dir_all(&path).unwrap();
                index_of(&path, 77);
            }
        });
        assert_eq!(number_in(&opened.unwrap()), 77);
    }
}

mod killed {
    use super::*;

    /// Every step of a commit, and a kill after each.
    #[test]
    fn a_writer_killed_at_any_step_leaves_one_whole_generation() {
        let steps = 7;
        for step in 0..steps {
            let (_folder, path) = folder();
            index_of(&path, 1);
            let mut writer = Directory::lock(&path).unwrap();
            let committed = kill_after(step, &mut writer);
            let number = number_in(&Directory::open(&path).unwrap());
            assert_eq!(number, if committed { 2 } else { 1 }, "step {step}");
            writer.kill();
            let left = Directory::verify(&path).unwrap().strays;
            assert_eq!(left.is_empty(), step == 0, "step {step}: {left:?}");

            // The next writer finds all in order, tidies up and goes on.
            let mut writer = Directory::lock(&path).unwrap();
            assert!(Directory::verify(&path).unwrap().strays.is_empty(), "step {step}");
            assert_eq!(number_in(&Directory::open(&path).unwrap()), number);
            commit(&mut writer, 3);
            drop(writer);
            assert_eq!(number_in(&Directory::open(&path).unwrap()), 3);
            assert_eq!(files_in(&path).len(), 3);
        }
    }

    /// Does what a commit does up to a step; whether that was far enough.
    fn kill_after(step: usize, writer: &mut Writer) -> bool {
        if step == 0 {
            return false;
        }
        let mut file = writer.new_file("numbers").unwrap();
        if step == 1 {
            std::mem::forget(file);
            return false;
        }
        file.write("number", &[2u64]).unwrap();
        if step == 2 {
            std::mem::forget(file);
            return false;
        }
        let file = file.finish().unwrap();
        if step == 3 {
            return false;
        }
        let next = writer.next_generation(b"2".to_vec(), [("numbers", file)]).unwrap();
        let beside = writer.path().join(NEXT_MANIFEST);
        if step == 4 {
            fs::write(beside, &next.to_bytes().unwrap()[..20]).unwrap();
            return false;
        }
        writer.write_beside(&next).unwrap();
        if step == 5 {
            return false;
        }
        writer.put_in_place(next).unwrap();
        true
    }

    #[test]
    fn a_first_build_that_was_killed_can_be_done_again() {
        let (_folder, path) = folder();
        let mut writer = Directory::create(&path).unwrap();
        std::mem::forget(writer.new_file("numbers").unwrap());
        writer.kill();
        assert_eq!(files_in(&path).len(), 2);
        let error = Directory::open(&path).unwrap_err().to_string();
        assert!(error.contains("still being built, or building it was broken off"), "{error}");
        assert!(matches!(Directory::lock(&path), Err(StoreError::NotAnIndex { .. })));
        index_of(&path, 1);
        assert!(Directory::verify(&path).unwrap().strays.is_empty());
    }

    #[test]
    fn a_writer_that_gives_up_tidies_up_itself() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        let mut writer = Directory::lock(&path).unwrap();
        let unfinished = writer.new_file("a").unwrap();
        writer.new_file("b").unwrap().finish().unwrap();
        drop((writer, unfinished));
        assert!(Directory::verify(&path).unwrap().strays.is_empty());
        assert_eq!(number_in(&Directory::open(&path).unwrap()), 1);
    }
}

mod damaged {
    use super::*;

    #[test]
    fn every_flipped_byte_and_every_truncation_of_a_manifest_is_refused() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        let manifest = path.join(MANIFEST);
        let bytes = fs::read(&manifest).unwrap();
        let refused = |bytes: &[u8], what: &str| {
            fs::write(&manifest, bytes).unwrap();
            assert!(Directory::open(&path).is_err(), "{what}");
            assert!(Directory::lock(&path).is_err(), "{what}");
        };
        for at in 0..bytes.len() {
            for mask in [0x01, 0x21, 0x80, 0xff] {
                let mut flipped = bytes.clone();
                flipped[at] ^= mask;
                refused(&flipped, &format!("byte {at} ^ {mask:#x}"));
            }
            refused(&bytes[..at], &format!("first {at} bytes"));
        }
        refused(&[&bytes[..], &[0]].concat(), "extended");
        fs::write(&manifest, &bytes).unwrap();
        assert_eq!(number_in(&Directory::open(&path).unwrap()), 1);
    }

    #[test]
    fn a_manifest_written_wrongly_is_refused_though_its_checksum_fits() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        let manifest = path.join(MANIFEST);
        let bytes = fs::read(&manifest).unwrap();
        let end = bytes.len() - 4;
        for at in 0..end {
            let mut other = bytes.clone();
            other[at] ^= 0xff;
            let sum = crc32fast::hash(&other[..end]);
            other.splice(end.., sum.to_le_bytes());
            // Never a panic, and never out of the directory.
            if let Ok(generation) = Generation::from_bytes(&other, &manifest) {
                assert!(generation.files.values().all(|file| names::is_ours(&file.file_name)));
            }
        }
    }

    #[test]
    fn a_missing_changed_or_exchanged_file_is_named() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        let file =
            path.join(&Directory::open(&path).unwrap().generation().files["numbers"].file_name);
        let bytes = fs::read(&file).unwrap();

        let mut other = bytes.clone();
        other[70] ^= 1;
        fs::write(&file, other).unwrap();
        let error = Directory::verify(&path).unwrap_err().to_string();
        assert!(error.contains("its checksum does not fit; build the index again"), "{error}");
        assert!(error.starts_with(&file.display().to_string()), "{error}");

        fs::remove_file(&file).unwrap();
        let error = Directory::open(&path).unwrap_err().to_string();
        assert!(error.contains("this file of the index is missing"), "{error}");

        write_small(&file);
        let error = Directory::open(&path).unwrap_err().to_string();
        assert!(error.contains("whole, but not the file that the manifest names"), "{error}");

        // All of which a new commit mends.
        commit(&mut Directory::lock(&path).unwrap(), 2);
        assert_eq!(number_in(&Directory::open(&path).unwrap()), 2);
        assert_eq!(files_in(&path).len(), 3);
    }

    #[test]
    fn an_index_with_a_damaged_manifest_can_be_replaced() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        let manifest = path.join(MANIFEST);
        let mut bytes = fs::read(&manifest).unwrap();
        bytes[20] ^= 1;
        fs::write(&manifest, &bytes).unwrap();
        let mut writer = Directory::replace(&path).unwrap();
        assert!(writer.present().is_none());
        assert_eq!(files_in(&path).len(), 3, "what cannot be read is kept until the commit");
        commit(&mut writer, 5);
        drop(writer);
        assert_eq!(number_in(&Directory::open(&path).unwrap()), 5);
        assert_eq!(files_in(&path).len(), 3);
        assert_eq!(Directory::open(&path).unwrap().generation().number, 2, "no name comes twice");
    }
}

mod places {
    use super::*;

    #[test]
    fn an_index_is_made_where_nothing_is() {
        let (_folder, path) = folder();
        let error = Directory::open(&path).unwrap_err().to_string();
        assert!(error.ends_with("nothing is there; `likewise index build` makes one"), "{error}");
        assert!(!Directory::is_index(&path) && !path.exists());
        fs::create_dir(&path).unwrap();
        assert!(Directory::lock(&path).is_err());
        assert!(files_in(&path).is_empty(), "looking leaves no trace");
        index_of(&path, 1);
        assert!(Directory::is_index(&path));
        assert!(matches!(Directory::create(&path), Err(StoreError::Exists { .. })));
        commit(&mut Directory::replace(&path).unwrap(), 2);
        fs::remove_dir_all(&path).unwrap();
        commit(&mut Directory::replace(&path).unwrap(), 3);
        assert_eq!(number_in(&Directory::open(&path).unwrap()), 3);
    }

    #[test]
    fn what_is_not_an_index_is_refused_and_not_touched() {
        let (_folder, path) = folder();
        fs::write(&path, "my notes").unwrap();
        let refused = || {
            for error in
                [Directory::create(&path).unwrap_err(), Directory::replace(&path).unwrap_err()]
            {
                assert!(matches!(error, StoreError::Occupied { .. }), "{error}");
                assert!(error.to_string().contains("left as it is"), "{error}");
            }
            for error in [Directory::open(&path).unwrap_err(), Directory::lock(&path).unwrap_err()]
            {
                assert!(matches!(error, StoreError::NotAnIndex { .. }), "{error}");
            }
        };
        refused();
        assert_eq!(fs::read(&path).unwrap(), b"my notes");

        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        fs::write(path.join("notes.txt"), "my notes").unwrap();
        refused();
        assert_eq!(files_in(&path), ["notes.txt"]);

        // A stranger's file under our manifest's name.
        fs::rename(path.join("notes.txt"), path.join(MANIFEST)).unwrap();
        let error = Directory::replace(&path).unwrap_err();
        assert!(matches!(error, StoreError::Occupied { .. }), "{error}");
        assert!(matches!(Directory::open(&path), Err(StoreError::NotAnIndex { .. })));
        assert_eq!(files_in(&path), [MANIFEST]);
        assert_eq!(fs::read(path.join(MANIFEST)).unwrap(), b"my notes");
    }

    #[test]
    fn files_of_others_in_an_index_are_reported_and_stay() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        fs::write(path.join("notes.txt"), "my notes").unwrap();
        fs::write(path.join("old.1.9.likewise"), "a killed writer's").unwrap();
        let strays = Directory::verify(&path).unwrap().strays;
        assert_eq!(strays, ["notes.txt", "old.1.9.likewise"]);
        commit(&mut Directory::lock(&path).unwrap(), 2);
        assert_eq!(Directory::verify(&path).unwrap().strays, ["notes.txt"]);
        assert!(path.join(LOCK).exists());
    }

    #[test]
    fn names_and_files_that_make_no_sense_are_not_committed() {
        let (_folder, path) = folder();
        index_of(&path, 1);
        let mut writer = Directory::lock(&path).unwrap();
        assert!(writer.new_file("../outside").is_err());
        let kept = writer.present().unwrap().files["numbers"].clone();
        let twice = writer.commit("", [("a", kept.clone()), ("a", kept.clone())]);
        assert!(matches!(twice, Err(StoreError::Usage { .. })));
        let longer = Summary { bytes: kept.bytes + 1, ..kept.clone() };
        assert!(writer.commit("", [("a", longer)]).is_err());
        let outside = Summary { file_name: "../numbers.1.0.likewise".to_owned(), ..kept };
        assert!(writer.commit("", [("a", outside)]).is_err());
        assert_eq!(number_in(&Directory::open(&path).unwrap()), 1);
    }
}
