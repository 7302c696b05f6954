//! Reasons kept in a file, so that the same question is asked once.

mod keeping;
mod key;

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};

pub(super) use self::keeping::Keeping;
use self::key::Key;
use crate::{error::Error, text::to_line};

/// The first line of the file, which tells it from all other files.
const HEADER: &[u8] = b"{\"json_correctness\":\"reasons\",\"version\":1}\n";
/// How a line with a reason begins, up to the key and behind it.
const BEFORE_KEY: &[u8] = b"{\"key\":\"";
const BEHIND_KEY: &[u8] = b"\",\"reason\":\"";
const KEY_AT: usize = BEFORE_KEY.len();
const REASON_AT: usize = KEY_AT + 2 * key::BYTES + BEHIND_KEY.len();
/// Longest line that is read: the longest reason, each byte of it an escape.
const MAX_LINE_BYTES: u64 = 512 << 10;

/// A file of reasons: JSON lines that are only ever appended, each by one write, so that several processes may
/// share it. Whatever stands in it that is no entry, or not any more, is passed over.
struct Cache {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    file: File,
    /// Where the line of a key begins. Of the key only the half is here, since the line has the whole.
    lines: HashMap<[u8; key::BYTES / 2], u64>,
    /// Where the first line begins that was not looked at.
    scanned: u64,
    /// How long the file was then.
    bytes: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<T> {
    key: T,
    reason: T,
    /// Over key and reason.
    sum: T,
}

impl Cache {
    /// Opens the file, or begins it where it is absent or empty.
    fn open(path: &Path) -> Result<Self, Error> {
        let failed =
            |error: &io::Error| Error::io(format!("{} cannot be used as a cache: {error}", path.display()));
        // To open a pipe would wait for its other end.
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(failed(&io::ErrorKind::IsADirectory.into())),
            Ok(found) if !found.is_file() => return Err(failed(&io::Error::other("it is no regular file"))),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(&error)),
        }
        let file = open_file(path).map_err(|error| failed(&error))?;
        let mut state = State { file, lines: HashMap::new(), scanned: 0, bytes: 0 };
        let Some(missing) = state.missing_header().map_err(|error| failed(&error))? else {
            return Err(Error::data(format!(
                "{} is no cache of reasons, or one of another version: name a file that does not exist yet",
                path.display()
            )));
        };
        if !missing.is_empty()
            && let Err(error) = state.file.write_all(missing)
        {
            warn(path, &error);
        }
        state.scan().map_err(|error| failed(&error))?;
        Ok(Self { path: path.to_owned(), state: Mutex::new(state) })
    }

    /// The reason that was kept under the key.
    fn get(&self, key: &Key) -> Option<String> {
        let mut state = self.state();
        if let Some(reason) = state.read(key) {
            return Some(reason);
        }
        // Others may have written it meanwhile.
        state.renew(&self.path).ok()?;
        state.read(key)
    }

    /// Keeps a reason. That it could not be kept is no fault of the reason.
    fn put(&self, key: &Key, reason: &str) {
        let mut state = self.state();
        if let Err(error) = state.renew(&self.path).and_then(|()| state.append(key, reason)) {
            warn(&self.path, &error);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// What is missing of the file's first line; `None` where another one stands there.
    fn missing_header(&mut self) -> io::Result<Option<&'static [u8]>> {
        let mut begin = Vec::with_capacity(HEADER.len());
        self.file.rewind()?;
        (&mut self.file).take(HEADER.len() as u64).read_to_end(&mut begin)?;
        Ok(HEADER.strip_prefix(begin.as_slice()))
    }

    /// Takes in what was written since the last time, by whomever.
    fn renew(&mut self, path: &Path) -> io::Result<()> {
        if let Err(error) = fs::metadata(path)
            && error.kind() == io::ErrorKind::NotFound
        {
            // Whoever removed it wants it begun anew.
            self.file = open_file(path)?;
            self.forget();
        }
        self.scan()
    }

    fn forget(&mut self) {
        self.lines.clear();
        (self.scanned, self.bytes) = (0, 0);
    }

    /// Notes the places of the lines that are new. A line without an end is not one yet.
    fn scan(&mut self) -> io::Result<()> {
        let bytes = self.file.metadata()?.len();
        if bytes < self.scanned {
            self.forget();
        }
        if bytes == self.bytes {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(self.scanned))?;
        let mut reader = BufReader::with_capacity(64 << 10, &self.file);
        let mut begin = Vec::with_capacity(REASON_AT);
        let mut at = self.scanned;
        loop {
            let buffer = reader.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', buffer);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            // Of a line, however long, only what shows its key is looked at.
            begin.extend_from_slice(&part[..part.len().min(REASON_AT - begin.len())]);
            let taken = part.len() + usize::from(end.is_some());
            at += taken as u64;
            reader.consume(taken);
            if end.is_some() {
                if let Some(key) = key_of(&begin) {
                    self.lines.insert(key, self.scanned);
                }
                begin.clear();
                self.scanned = at;
            }
        }
        self.bytes = bytes;
        Ok(())
    }

    /// The reason under the key, as long as the line is what was written.
    fn read(&mut self, key: &Key) -> Option<String> {
        let entry = self.entry(*self.lines.get(key.half())?)?;
        let intact = entry.key == key.text() && entry.sum == key.sum(&entry.reason);
        intact.then_some(entry.reason)
    }

    fn entry(&mut self, at: u64) -> Option<Entry<String>> {
        self.file.seek(SeekFrom::Start(at)).ok()?;
        let mut line = Vec::new();
        BufReader::new(&self.file).take(MAX_LINE_BYTES).read_until(b'\n', &mut line).ok()?;
        serde_json::from_slice(line.strip_suffix(b"\n")?).ok()
    }

    fn append(&mut self, key: &Key, reason: &str) -> io::Result<()> {
        let missing = self.missing_header()?.ok_or_else(|| io::Error::other("it is no cache any more"))?;
        let mut bytes = missing.to_vec();
        if missing.is_empty() {
            // What was torn before must not swallow this entry.
            self.file.seek(SeekFrom::End(-1))?;
            let mut last = [0];
            self.file.read_exact(&mut last)?;
            if last != *b"\n" {
                bytes.push(b'\n');
            }
        }
        let entry = Entry { key: key.text(), reason: reason.to_owned(), sum: key.sum(reason) };
        bytes.extend(to_line(&entry).into_bytes());
        bytes.push(b'\n');
        // One write, so that nothing of others comes between; what is left of a short one is torn.
        let written = self.file.write(&bytes)?;
        if written < bytes.len() { Err(io::ErrorKind::WriteZero.into()) } else { Ok(()) }
    }
}

/// For reading, and for appending where that is allowed.
fn open_file(path: &Path) -> io::Result<File> {
    match OpenOptions::new().read(true).append(true).create(true).open(path) {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            // What is known already is good without more.
            let file = File::open(path).map_err(|_| io::Error::from(error.kind()))?;
            warn(path, &error);
            Ok(file)
        }
        opened => opened,
    }
}

fn warn(path: &Path, error: &io::Error) {
    tracing::warn!(path = %path.display(), %error, "reasons cannot be kept in the cache");
}

/// The half of the key that the beginning of a line shows.
fn key_of(begin: &[u8]) -> Option<[u8; key::BYTES / 2]> {
    let hex = begin.strip_prefix(BEFORE_KEY)?.strip_suffix(BEHIND_KEY)?;
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut half = [0; key::BYTES / 2];
    for (byte, pair) in half.iter_mut().zip(hex.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    (hex.len() == 2 * key::BYTES).then_some(half)
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests")]
mod tests {
    use super::*;

    fn key(number: u8) -> Key {
        Key::of(&keeping::sample(), None, Some(&number.to_string()))
    }

    #[test]
    fn a_file_that_may_not_be_written_is_read() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("reasons.jsonl");
        Cache::open(&path).expect("a cache").put(&key(1), "one");
        let before = fs::read(&path).expect("the file");
        let cache = Cache::open(&path).expect("a cache");
        cache.state().file = File::open(&path).expect("the file");
        cache.put(&key(2), "two");
        assert_eq!(cache.get(&key(1)).as_deref(), Some("one"));
        assert_eq!(cache.get(&key(2)), None);
        assert_eq!(fs::read(&path).expect("the file"), before);
    }

    #[test]
    fn a_line_shows_its_key() {
        let text = key(1).text();
        let begin = |hex: &str| key_of(format!("{{\"key\":\"{hex}\",\"reason\":\"").as_bytes());
        assert_eq!(begin(&text).as_ref(), Some(key(1).half()));
        assert_eq!(begin(&text[1..]), None);
        assert_eq!(begin(&text.to_uppercase()), None);
    }
}
