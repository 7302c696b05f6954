//! The reference data that stands beside the repository and is not part of it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;

/// A file or folder of `../shared`, or of the folder that `JSON_CORRECTNESS_SHARED` names. Says so
/// where it is absent.
#[must_use]
pub fn path(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("JSON_CORRECTNESS_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let path = root.join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: ../shared/{name} is absent");
    None
}

/// The rows of a file of one JSON value a line.
///
/// # Panics
///
/// The file cannot be read, or a line is not a `T`.
#[must_use]
pub fn rows<T: DeserializeOwned>(name: &str) -> Option<Vec<T>> {
    let path = path(name)?;
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let read = |(index, line)| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}:{}: {error}", index + 1))
    };
    Some(text.lines().enumerate().map(read).collect())
}
