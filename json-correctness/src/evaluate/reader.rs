//! The rows of a run, read in chunks.

use super::{Record, Stop, ids::Ids};
use crate::{
    dataset::{Fault, IntoRow, Row},
    error::Error,
};

/// Of how many bytes they are, roughly.
const CHUNK_BYTES: usize = 8 << 20;

/// A row with its number in the run.
pub(super) struct Numbered {
    pub(super) number: u64,
    pub(super) id: String,
    pub(super) row: Row,
}

/// The rows of which a journal has the results already.
#[derive(Default)]
pub(super) struct Known {
    rows: u64,
    /// A digest of their ids, to tell whether they are those of the dataset.
    digest: u64,
}

impl Known {
    pub(super) fn add(&mut self, record: &Record) {
        if record.row != self.rows {
            self.rows = record.row;
            self.digest = digest(self.digest, &record.id);
        }
    }
}

/// FNV-1a, which is the same in every build: over all ids, one after the other.
fn digest(before: u64, id: &str) -> u64 {
    let bytes = before.to_le_bytes().into_iter().chain(id.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Reads, numbers and filters the rows.
pub(super) struct Reader<'r, I> {
    /// Only rows that have one of these are taken, if there are any.
    tags: &'r [String],
    /// Whether an id may stand twice.
    repeats: bool,
    stop: &'r Stop,
    rows: I,
    number: u64,
    ids: Ids,
    /// Why no more rows can be read, until it is said.
    failed: Option<Error>,
}

impl<'r, R: IntoRow, I: Iterator<Item = R>> Reader<'r, I> {
    pub(super) fn new(tags: &'r [String], repeats: bool, stop: &'r Stop, rows: I) -> Self {
        Self { tags, repeats, stop, rows, number: 0, ids: Ids::default(), failed: None }
    }

    fn next(&mut self) -> Result<Option<Numbered>, Error> {
        loop {
            let Some(row) = self.rows.next() else { return Ok(None) };
            let mut row = row.into_row()?;
            let wanted = self.tags.is_empty() || row.case.tags.iter().any(|tag| self.tags.contains(tag));
            if !wanted && !matches!(row.fault, Some(Fault::Unreadable(_))) {
                continue;
            }
            self.number += 1;
            let number = self.number;
            let id = row.case.id.clone().unwrap_or_else(|| format!("#{number}"));
            let named = row.case.id.is_some() && !self.repeats;
            if named && !self.ids.add(&id) && row.fault.is_none() {
                row.fault = Some(Fault::Unreadable(format!(
                    "the id `{id}` stands twice: give each row an id of its own, or take rows of one id for \
                     samples of one case (repeats)"
                )));
            }
            return Ok(Some(Numbered { number, id, row }));
        }
    }

    /// Skips the rows of which the results are known.
    pub(super) fn skip(&mut self, known: Known) -> Result<(), Error> {
        let mut found = 0;
        for _ in 0..known.rows {
            match self.next()? {
                Some(row) => found = digest(found, &row.id),
                None => found = !known.digest,
            }
        }
        if found == known.digest {
            return Ok(());
        }
        Err(Error::data(format!(
            "the first {} rows are not those of the run that is to be resumed: run with the same data, or \
             without resuming",
            known.rows
        )))
    }

    /// The next rows, `most` of them at most.
    pub(super) fn next_chunk(&mut self, most: usize) -> Result<Vec<Numbered>, Error> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut chunk = Vec::new();
        let mut bytes = 0;
        while chunk.len() < most && bytes < CHUNK_BYTES {
            if self.stop.is_set() {
                break;
            }
            match self.next() {
                Ok(Some(row)) => {
                    let case = &row.row.case;
                    let expected = case.expected_output.as_ref().map_or(0, |output| output.as_bytes().len());
                    bytes += case.actual_output.as_bytes().len() + expected + case.input.len();
                    chunk.push(row);
                }
                Ok(None) => break,
                Err(error) if chunk.is_empty() => return Err(error),
                // What was read before it is judged first.
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
        }
        Ok(chunk)
    }
}
