//! The results file, written as the results come.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{Record, RunCheck};
use crate::{error::Error, text::to_line};

/// Appends results to `RESULTS.part`, which becomes `RESULTS` at the end of the run. Beside it stands
/// `RESULTS.part.run`, which says of which run they are.
pub(crate) struct Journal {
    target: PathBuf,
    part: PathBuf,
    run: PathBuf,
    file: BufWriter<File>,
}

/// What makes results belong to a run: as long as it is the same, the run can be taken up again.
#[derive(Serialize)]
pub(crate) struct Identity<'r> {
    pub(crate) format_version: u64,
    pub(crate) version: &'r str,
    pub(crate) checks: &'r [RunCheck],
    pub(crate) tags: &'r [String],
    pub(crate) repeats: Option<String>,
}

impl Journal {
    /// Begins a journal, or takes up that of an interrupted run. What was written of it then goes to
    /// `known`, in the order of the file; of the last row only if all its results are there.
    pub(crate) fn open(
        target: &Path,
        identity: &Identity<'_>,
        resume: bool,
        mut known: impl FnMut(Record),
    ) -> Result<Self, Error> {
        let part = beside(target, ".part");
        let run = beside(target, ".part.run");
        let expected = to_line(identity);
        let mut keep = 0;
        if resume && part.exists() {
            let found = fs::read_to_string(&run).map_err(|error| failed(&run, &error))?;
            if found != expected {
                return Err(Error::data(format!(
                    "{} is of another run: its checks, options or tags, or the version of this library, are \
                     others; run with the same ones, or without resuming",
                    part.display()
                )));
            }
            keep = read(&part, identity.checks.len(), &mut known)?;
        } else {
            write_whole(&run, &expected)?;
        }
        let file = OpenOptions::new().create(true).write(true).truncate(false).open(&part);
        let mut file = file.map_err(|error| failed(&part, &error))?;
        // What stands behind the last whole row was torn by the interruption.
        file.set_len(keep).map_err(|error| failed(&part, &error))?;
        file.seek(SeekFrom::End(0)).map_err(|error| failed(&part, &error))?;
        Ok(Self { target: target.to_owned(), part, run, file: BufWriter::new(file) })
    }

    /// Appends the results of some rows.
    pub(crate) fn append(&mut self, records: &[Record]) -> Result<(), Error> {
        let write = |file: &mut BufWriter<File>| -> io::Result<()> {
            for record in records {
                writeln!(file, "{}", to_line(record))?;
            }
            file.flush()
        };
        write(&mut self.file).map_err(|error| failed(&self.part, &error))
    }

    /// Gives the results their name.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Self { target, part, run, file } = self;
        let file = file.into_inner().map_err(|error| failed(&part, &error.into_error()))?;
        file.sync_all().map_err(|error| failed(&part, &error))?;
        fs::rename(&part, &target).map_err(|error| failed(&target, &error))?;
        // Only rubbish is left if this fails.
        let _ = fs::remove_file(run);
        Ok(())
    }
}

/// Reads the results of whole rows; how many bytes they take.
fn read(part: &Path, checks: usize, known: &mut impl FnMut(Record)) -> Result<u64, Error> {
    let file = File::open(part).map_err(|error| failed(part, &error))?;
    let mut lines = BufReader::new(file);
    let (mut keep, mut at, mut number) = (0_u64, 0_u64, 0_u64);
    let mut line = Vec::new();
    let mut row: Vec<Record> = Vec::with_capacity(checks);
    loop {
        line.clear();
        let read = lines.read_until(b'\n', &mut line).map_err(|error| failed(part, &error))?;
        if !line.ends_with(b"\n") {
            return Ok(keep);
        }
        number += 1;
        at += read as u64;
        let record: Record = serde_json::from_slice(&line).map_err(|error| {
            Error::data(format!(
                "line {number} of {} is no result: {error}; mend it, or run without resuming",
                part.display()
            ))
        })?;
        row.push(Record { score: exact_score(&line), ..record });
        if row.len() == checks {
            row.drain(..).for_each(&mut *known);
            keep = at;
        }
    }
}

/// The score of a line to the last bit, which the quick way of reading numbers does not promise.
fn exact_score(line: &[u8]) -> Option<f64> {
    #[derive(serde::Deserialize)]
    struct Score<'l> {
        #[serde(borrow)]
        score: Option<&'l serde_json::value::RawValue>,
    }
    serde_json::from_slice::<Score<'_>>(line).ok()?.score?.get().parse().ok()
}

/// Writes a file beside its place and then moves it there, so that it is never there in part.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), Error> {
    let beside = beside(path, ".tmp");
    let write = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&beside);
        failed(path, &error)
    })
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

fn failed(path: &Path, error: &io::Error) -> Error {
    Error::io(format!("{} cannot be written: {error}", path.display()))
}
