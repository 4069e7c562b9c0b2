//! Where a table's bytes go: into a file that appears whole or not at all, or down a stream.

use super::format::{Compression, is_standard_stream};
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const BUFFER: usize = 128 * 1024;

/// What messages call a path that is written.
pub(super) fn name_of(path: &Path) -> String {
    if is_standard_stream(path) { "standard output".to_owned() } else { path.display().to_string() }
}

/// Bytes on their way, packed as the path's ending asks. Nothing is in place before [`finish`]; dropped
/// without it, a file leaves no trace.
///
/// [`finish`]: Output::finish
pub(super) enum Output {
    Plain(BufWriter<Target>),
    Gzip(GzEncoder<BufWriter<Target>>),
    Zstandard(zstd::Encoder<'static, BufWriter<Target>>),
}

/// What stands at the end.
pub(super) enum Target {
    /// A temporary file in the folder of the target, and the target.
    File(NamedTempFile, PathBuf),
    /// What cannot be put in place by renaming: standard output, a device, a pipe, a socket.
    Stream(Box<dyn Write + Send>),
}

impl Output {
    pub(super) fn create(path: &Path) -> io::Result<Output> {
        let target = BufWriter::with_capacity(BUFFER, Target::create(path)?);
        Ok(match Compression::of_path(path) {
            Compression::None => Output::Plain(target),
            Compression::Gzip => {
                Output::Gzip(GzEncoder::new(target, flate2::Compression::default()))
            }
            Compression::Zstandard => {
                Output::Zstandard(zstd::Encoder::new(target, zstd::DEFAULT_COMPRESSION_LEVEL)?)
            }
        })
    }

    pub(super) fn stream(to: impl Write + Send + 'static) -> Output {
        Output::Plain(BufWriter::with_capacity(BUFFER, Target::Stream(Box::new(to))))
    }

    /// Writes out what is held back, if it goes down a stream as it is.
    pub(super) fn flush_stream(&mut self) -> io::Result<()> {
        match self {
            Output::Plain(to) if matches!(to.get_ref(), Target::Stream(_)) => to.flush(),
            _ => Ok(()),
        }
    }

    /// Writes out all that is held back and puts the file in place.
    pub(super) fn finish(self) -> io::Result<()> {
        let target = match self {
            Output::Plain(target) => target,
            Output::Gzip(packed) => packed.finish()?,
            Output::Zstandard(packed) => packed.finish()?,
        };
        target.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
    }
}

impl Target {
    fn create(path: &Path) -> io::Result<Target> {
        if is_standard_stream(path) {
            return Ok(Target::Stream(Box::new(io::stdout())));
        }
        // Through a link to what it points to, which is what is to be replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let there = fs::metadata(&path).ok();
        if let Some(there) = &there {
            if there.is_dir() {
                return Err(io::Error::new(
                    io::ErrorKind::IsADirectory,
                    "it is a folder, not a file",
                ));
            }
            if !there.is_file() {
                return Ok(Target::Stream(Box::new(File::options().write(true).open(&path)?)));
            }
            if there.permissions().readonly() {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "the file is read-only",
                ));
            }
        }
        let folder = folder_of(&path);
        if !folder.is_dir() {
            let says = format!("there is no folder {}", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, says));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".likewise-").suffix(".tmp");
        // Temporary files are made for their owner's eyes only; this one becomes a file like any
        // other, as the user's mask has it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder)?;
        if let Some(there) = there {
            file.as_file().set_permissions(there.permissions())?;
        }
        Ok(Target::File(file, path))
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Target::Stream(mut stream) => stream.flush(),
            Target::File(file, path) => {
                // The bytes must be on the disk before the name is, or a power cut between the two
                // would leave an empty file under the name.
                file.as_file().sync_all()?;
                file.persist(&path).map_err(|error| error.error)?;
                // And the name too. Not every file system lets a folder be synced; the table stands
                // there either way.
                #[cfg(unix)]
                let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
                Ok(())
            }
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::File(file, _) => file.write(bytes),
            Target::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::File(file, _) => file.flush(),
            Target::Stream(stream) => stream.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Plain(to) => to.write(bytes),
            Output::Gzip(to) => to.write(bytes),
            Output::Zstandard(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Plain(to) => to.flush(),
            Output::Gzip(to) => to.flush(),
            Output::Zstandard(to) => to.flush(),
        }
    }
}
