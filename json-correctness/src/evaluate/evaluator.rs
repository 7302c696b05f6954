//! The run itself: rows in, results out, in the same order.

use std::{
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

use super::{
    Checks, Evaluation, Record, Run,
    accumulate::Accumulator,
    journal::{Identity, Journal},
    judged::judge_row,
    kept::Kept,
    reader::{Known, Numbered, Reader},
    repeats::Repeats,
};
use crate::{check::Outcome, dataset::IntoRow, error::Error};

/// The version of the form in which results are written.
pub(crate) const FORMAT_VERSION: u64 = 1;
/// A judgement may descend far, and a thread of the pool has no more stack than it is given.
const STACK_BYTES: usize = 8 << 20;
/// How many files a run names.
const NAMED_FILES: usize = 1_000;

type OnProgress = Arc<dyn Fn(&Progress) + Send + Sync>;

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

/// Runs checks over many rows, on all cores.
///
/// For each row and check there is exactly one result, in the order of the rows and of one row in that
/// of the checks, whatever the number of threads:
///
/// | outcome | where |
/// |---|---|
/// | passed, failed | the check judged |
/// | errored | the row cannot be read, its id stands twice, or the check cannot judge it: a schema that does not compile, a reference that is not JSON, a metric that panics |
/// | skipped | the row lacks what the check needs: an output, a reference, a schema |
///
/// | option | default | |
/// |---|---|---|
/// | [`jobs`](Self::jobs) | the cores | how many threads judge |
/// | [`tag`](Self::tag) | all rows | only rows that have one of the tags |
/// | [`repeats`](Self::repeats) | off | rows of one id are samples of one case |
/// | [`results`](Self::results) | none | a file to which the results are written as they come |
/// | [`resume`](Self::resume) | off | an interrupted run is taken up where it was |
/// | [`keep_bytes`](Self::keep_bytes) | all | bounds the results that the [`Evaluation`] holds |
/// | [`progress`](Self::progress) | none | is told how far the run is |
/// | [`cancel`](Self::cancel) | none | a flag that stops the run |
///
/// ```
/// use json_correctness::{Checks, Evaluator, JsonValidity, TestCase};
///
/// let cases = ["[1]", "[1", "{}"].map(|output| TestCase::new("", output));
/// let evaluation = Evaluator::new(Checks::new().with(JsonValidity::new())).jobs(2).run(cases)?;
/// let summary = &evaluation.summary.metrics[0];
/// assert_eq!((summary.passed, summary.failed), (2, 1));
/// assert_eq!(summary.by_code[0].code, "JC0016");
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Evaluator {
    checks: Checks,
    jobs: usize,
    tags: Vec<String>,
    repeats: Option<Repeats>,
    results: Option<PathBuf>,
    resume: bool,
    keep_bytes: usize,
    progress: Option<OnProgress>,
    cancel: Arc<AtomicBool>,
}

impl Evaluator {
    /// A run of these checks, with the defaults.
    pub fn new(checks: Checks) -> Self {
        Self {
            checks,
            jobs: 0,
            tags: Vec::new(),
            repeats: None,
            results: None,
            resume: false,
            keep_bytes: usize::MAX,
            progress: None,
            cancel: Arc::default(),
        }
    }

    /// Sets how many threads judge; 0 for as many as there are cores. The results do not depend on it.
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs;
        self
    }

    /// Takes only rows that have this tag, or one of them where there are several. The others are not
    /// counted; a row that cannot be read has no tags, and is taken all the same.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Takes rows of the same id for samples of one case. Without it, an id that stands twice is an
    /// errored result. What is kept of the cases grows with their number.
    pub fn repeats(mut self, repeats: Repeats) -> Self {
        self.repeats = Some(repeats);
        self
    }

    /// Writes the results to a file, one [`Record`] a line. Until the run is through, the file bears the
    /// ending `.part`; an older file of the name stays as it is up to then.
    pub fn results(mut self, path: impl Into<PathBuf>) -> Self {
        self.results = Some(path.into());
        self
    }

    /// Takes an interrupted run up where it was: what stands whole in the `.part` file of
    /// [`results`](Self::results) is not judged again. Where there is none, the run begins anew.
    pub fn resume(mut self, resume: bool) -> Self {
        self.resume = resume;
        self
    }

    /// Bounds what the [`Evaluation`] holds of the results, in bytes, roughly; beyond it, results that
    /// passed are left out first. Summary and results file are always of all.
    pub fn keep_bytes(mut self, bytes: usize) -> Self {
        self.keep_bytes = bytes;
        self
    }

    /// Is told how far the run is, after every few hundred rows.
    pub fn progress(mut self, progress: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(progress));
        self
    }

    /// Stops the run soon after the flag is set; see [`Error::is_interrupted`].
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = flag;
        self
    }

    /// Runs the checks over the rows: cases, or the rows of a [`Dataset`](crate::Dataset).
    ///
    /// # Errors
    ///
    /// The checks cannot run (none, two of one name, a threshold outside [0, 1]), the dataset cannot be
    /// read on, the results cannot be written, or the run was interrupted.
    pub fn run<I>(&self, rows: I) -> Result<Evaluation, Error>
    where
        I: IntoIterator,
        I::Item: IntoRow,
    {
        let begun = Instant::now();
        let started = chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        let described = self.checks.described()?;
        let mut state = State {
            accumulator: Accumulator::new(&described, self.repeats.as_ref()),
            kept: Kept::new(self.keep_bytes),
            progress: Progress::default(),
            known: Known::default(),
            files: Vec::new(),
        };
        let identity = Identity {
            format_version: FORMAT_VERSION,
            version: env!("CARGO_PKG_VERSION"),
            checks: &described,
            tags: &self.tags,
            repeats: self.repeats.as_ref().map(|repeats| format!("{repeats:?}")),
        };
        let journal = self.results.as_ref().map(|path| {
            Journal::open(path, &identity, self.resume, |record| {
                state.known.add(&record);
                state.take(record);
            })
        });
        let mut journal = journal.transpose()?;
        self.judge_all(rows.into_iter(), &mut state, journal.as_mut())?;
        if let Some(journal) = journal {
            journal.finish()?;
        }
        let (results, results_omitted) = state.kept.into_parts();
        let run = Run {
            id: uuid::Uuid::now_v7().to_string(),
            started,
            seconds: begun.elapsed().as_secs_f64(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            checks: described,
            data: state.files,
        };
        let summary = state.accumulator.summary();
        Ok(Evaluation { format_version: FORMAT_VERSION, run, summary, results, results_omitted })
    }

    /// While the rows of one chunk are judged, those of the next are read.
    fn judge_all<R: IntoRow>(
        &self,
        rows: impl Iterator<Item = R>,
        state: &mut State,
        mut journal: Option<&mut Journal>,
    ) -> Result<(), Error> {
        let pool = self.pool()?;
        let mut reader = Reader::new(&self.tags, self.repeats.is_some(), &self.cancel, rows);
        reader.skip(std::mem::take(&mut state.known))?;
        let mut chunk = reader.next_chunk()?;
        while !chunk.is_empty() {
            let mut judged = None;
            let mut next = Ok(Vec::new());
            pool.in_place_scope(|scope| {
                scope.spawn(|_| judged = self.judge_chunk(&chunk));
                next = reader.next_chunk();
            });
            let Some(records) = judged else { return Err(interrupted()) };
            if let Some(journal) = journal.as_deref_mut() {
                journal.append(&records)?;
            }
            records.into_iter().for_each(|record| state.take(record));
            if let Some(progress) = &self.progress {
                progress(&state.progress);
            }
            // What was read before an error of the dataset is judged and written all the same.
            chunk = next?;
        }
        if self.cancel.load(Ordering::Relaxed) { Err(interrupted()) } else { Ok(()) }
    }

    fn pool(&self) -> Result<ThreadPool, Error> {
        let pool = ThreadPoolBuilder::new().num_threads(self.jobs).stack_size(STACK_BYTES).build();
        pool.map_err(|error| Error::option(format!("{} threads cannot be started: {error}", self.jobs)))
    }

    /// The results of a chunk in their order, or `None` once the run is to stop.
    fn judge_chunk(&self, chunk: &[Numbered]) -> Option<Vec<Record>> {
        let checks = self.checks.as_slice();
        let of_row = |row: &Numbered| {
            checks
                .iter()
                .map(|check| {
                    let stop = self.cancel.load(Ordering::Relaxed);
                    (!stop).then(|| judge_row(row.number, &row.id, &row.row, check).0)
                })
                .collect::<Option<Vec<Record>>>()
        };
        let rows: Option<Vec<Vec<Record>>> = chunk.par_iter().map(of_row).collect();
        rows.map(|rows| rows.into_iter().flatten().collect())
    }
}

fn interrupted() -> Error {
    Error::interrupted("the run was interrupted")
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluator")
            .field("checks", &self.checks)
            .field("jobs", &self.jobs)
            .field("tags", &self.tags)
            .field("repeats", &self.repeats)
            .field("results", &self.results)
            .field("resume", &self.resume)
            .finish_non_exhaustive()
    }
}

/// What is known of a run so far.
struct State {
    accumulator: Accumulator,
    kept: Kept,
    progress: Progress,
    known: Known,
    files: Vec<String>,
}

impl State {
    fn take(&mut self, record: Record) {
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
