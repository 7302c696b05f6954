//! Files and standard input.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use json_correctness::{CompiledSchema, Limits};
use serde_json::Value;

use crate::failure::Failure;

/// The name of standard input among files.
pub(crate) const STDIN: &str = "-";

/// The bytes of a file; `-` is standard input.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if path == Path::new(STDIN) {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        return read
            .map(|_| bytes)
            .map_err(|error| Failure::file("read", Path::new("standard input"), &error));
    }
    fs::read(path).map_err(|error| Failure::file("read", path, &error))
}

/// The text of a file.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(bytes(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::set_up(format!("{} is not UTF-8: the byte at offset {at} is none of it", path.display()))
            .help("save the file as UTF-8")
    })
}

/// The schema document that a file holds.
pub(crate) fn schema(path: &Path) -> Result<Value, Failure> {
    CompiledSchema::read(&text(path)?, &Limits::default())
        .map_err(|error| Failure::from(error).within(path.display()))
}

/// Refuses to read standard input for two things.
pub(crate) fn one_stdin<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<(), Failure> {
    if paths.into_iter().filter(|path| *path == Path::new(STDIN)).count() > 1 {
        return Err(
            Failure::set_up("standard input (`-`) is asked for twice").help("write one of the two to a file")
        );
    }
    Ok(())
}
