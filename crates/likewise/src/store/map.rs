//! Mapping a file into memory: the one place that needs `unsafe`.

use super::StoreError;
use memmap2::Mmap;
use std::fs;
use std::path::Path;

/// Maps a whole file, to be read. The path is for messages.
#[expect(unsafe_code, reason = "a file cannot be mapped without promising that it stays as it is")]
pub(super) fn map(file: &fs::File, path: &Path) -> Result<Mmap, StoreError> {
    // SAFETY: The bytes of the map are handed out as `&[u8]` and as slices of numbers, so they must not
    // change while the map lives. Every file mapped here was made by `FileWriter`, which refuses to
    // open a file that exists; once finished, nothing in this library opens it for writing again. One that is
    // mapped before it is finished is only appended to, and only what lies before is handed out.
    // A commit only unlinks it, and an unlinked file keeps its bytes for as long as it is mapped. Any
    // bytes make valid numbers, and lengths and places read from the file are checked before use.
    //
    // What this cannot rule out is another program that writes into a committed file or truncates it
    // in place. Rust gives no promise then: a process that reads a mapped page behind the new end is
    // killed by the operating system (SIGBUS), and changed bytes may be seen half old and half new.
    // Every program that maps files has this limit. The remedies (copying all into memory, or
    // mandatory locks) cost what the map is there to save, so it is documented at `File`.
    unsafe { Mmap::map(file) }.map_err(StoreError::io(path))
}
