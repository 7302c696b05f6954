//! The run itself: rows in, results out, in the same order.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
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
    checks::Named,
    ids::Ids,
    journal::{Identity, Journal},
    kept::Kept,
    repeats::Repeats,
};
use crate::{
    check::{Outcome, Verdict},
    dataset::{Fault, IntoRow, Row},
    error::Error,
    reason::panic_message,
};

/// The version of the form in which results are written.
pub(crate) const FORMAT_VERSION: u64 = 1;
/// How many rows are judged at a time, at most.
const CHUNK_ROWS: usize = 512;
/// Of how many bytes they are, roughly.
const CHUNK_BYTES: usize = 8 << 20;
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
        let mut reader = Reader::new(self, rows);
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

/// A row with its number in the run.
struct Numbered {
    number: u64,
    id: String,
    row: Row,
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

/// The rows of which a journal has the results already.
#[derive(Default)]
struct Known {
    rows: u64,
    /// A digest of their ids, to tell whether they are those of the dataset.
    digest: u64,
}

impl Known {
    fn add(&mut self, record: &Record) {
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
struct Reader<'r, I> {
    evaluator: &'r Evaluator,
    rows: I,
    number: u64,
    ids: Ids,
    /// Why no more rows can be read, until it is said.
    failed: Option<Error>,
}

impl<'r, R: IntoRow, I: Iterator<Item = R>> Reader<'r, I> {
    fn new(evaluator: &'r Evaluator, rows: I) -> Self {
        Self { evaluator, rows, number: 0, ids: Ids::default(), failed: None }
    }

    fn next(&mut self) -> Result<Option<Numbered>, Error> {
        loop {
            let Some(row) = self.rows.next() else { return Ok(None) };
            let mut row = row.into_row()?;
            let tags = &self.evaluator.tags;
            let wanted = tags.is_empty() || row.case.tags.iter().any(|tag| tags.contains(tag));
            if !wanted && !matches!(row.fault, Some(Fault::Unreadable(_))) {
                continue;
            }
            self.number += 1;
            let number = self.number;
            let id = row.case.id.clone().unwrap_or_else(|| format!("#{number}"));
            let named = row.case.id.is_some() && self.evaluator.repeats.is_none();
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
    fn skip(&mut self, known: Known) -> Result<(), Error> {
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

    fn next_chunk(&mut self) -> Result<Vec<Numbered>, Error> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut chunk = Vec::new();
        let mut bytes = 0;
        while chunk.len() < CHUNK_ROWS && bytes < CHUNK_BYTES {
            if self.evaluator.cancel.load(Ordering::Relaxed) {
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

/// The result of one check for one row, and the verdict if there is one.
pub(crate) fn judge_row(
    number: u64,
    id: &str,
    row: &Row,
    Named { name, check }: &Named,
) -> (Record, Option<Verdict>) {
    let case = &row.case;
    let mut record = Record {
        id: id.to_owned(),
        row: number,
        file: row.file.as_deref().map(str::to_owned),
        line: row.line,
        metric: name.clone(),
        outcome: Outcome::Errored,
        score: None,
        threshold: check.effective_threshold().unwrap_or_default(),
        reason: None,
        reason_source: None,
        violations: Vec::new(),
        differences: Vec::new(),
        label: case.label.clone(),
        href: case.href.clone(),
        tags: case.tags.clone(),
        metadata: case.metadata.clone(),
        output: None,
    };
    let mut judged = None;
    match &row.fault {
        Some(Fault::Unreadable(fault)) => record.reason = Some(fault.clone()),
        Some(Fault::Nothing(fault)) => {
            record.outcome = Outcome::Skipped;
            record.reason = Some(fault.clone());
        }
        None => match catch_unwind(AssertUnwindSafe(|| check.judge(case))) {
            Ok(Ok(verdict)) => {
                record.set_verdict(&verdict);
                judged = Some(verdict);
            }
            Ok(Err(error)) => {
                if error.is_missing() {
                    record.outcome = Outcome::Skipped;
                }
                record.reason = Some(error.to_string());
            }
            Err(panic) => {
                record.reason = Some(format!("the metric panicked: {}", panic_message(panic.as_ref())));
            }
        },
    }
    (record, judged)
}
