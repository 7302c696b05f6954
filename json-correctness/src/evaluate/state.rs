//! What is known of a run so far.

use super::{Record, Summary, accumulate::Accumulator, kept::Kept};
use crate::check::Outcome;

/// How many files a run names.
const NAMED_FILES: usize = 1_000;

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Rows that were judged.
    pub rows: u64,
    /// Results that passed.
    pub passed: u64,
    /// Results that failed.
    pub failed: u64,
    /// Results that errored.
    pub errored: u64,
    /// Results that were skipped.
    pub skipped: u64,
}

/// What is known of a run so far.
pub(super) struct State {
    accumulator: Accumulator,
    kept: Kept,
    progress: Progress,
    files: Vec<String>,
}

/// What a run came to.
pub(super) struct Ended {
    pub(super) summary: Summary,
    pub(super) results: Vec<Record>,
    pub(super) results_omitted: u64,
    pub(super) files: Vec<String>,
}

impl State {
    pub(super) fn new(accumulator: Accumulator, kept: Kept) -> Self {
        Self { accumulator, kept, progress: Progress::default(), files: Vec::new() }
    }

    pub(super) fn progress(&self) -> Progress {
        self.progress
    }

    pub(super) fn end(self) -> Ended {
        let (results, results_omitted) = self.kept.into_parts();
        Ended { summary: self.accumulator.summary(), results, results_omitted, files: self.files }
    }

    /// Takes a result in. They come in the order of the rows.
    pub(super) fn take(&mut self, record: Record) {
        self.accumulator.add(&record);
        self.progress.rows = record.row;
        *match record.outcome {
            Outcome::Passed => &mut self.progress.passed,
            Outcome::Failed => &mut self.progress.failed,
            Outcome::Errored => &mut self.progress.errored,
            Outcome::Skipped => &mut self.progress.skipped,
        } += 1;
        if let Some(file) = &record.file
            && self.files.last() != Some(file)
            && self.files.len() < NAMED_FILES
            && !self.files.contains(file)
        {
            self.files.push(file.clone());
        }
        self.kept.add(record);
    }
}
