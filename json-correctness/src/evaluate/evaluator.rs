//! The run itself: rows in, results out, in the same order.

use std::{
    fmt,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::Instant,
};

use futures_channel::oneshot;
use futures_util::future::join;
use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

use tracing::Span;

use super::{
    Checks, Evaluation, Record, Run, Stop,
    accumulate::Accumulator,
    desk::Desk,
    journal::{Identity, Journal},
    judged::Judged,
    kept::Kept,
    reader::{Known, Numbered, Reader},
    repeats::Repeats,
    state::{Ended, Progress, State},
    stop::interrupted,
};
use crate::{dataset::IntoRow, error::Error, reason::Wait};

/// The version of the form in which results are written.
pub(crate) const FORMAT_VERSION: u64 = 1;
/// A judgement may descend far, and a thread of the pool has no more stack than it is given.
const STACK_BYTES: usize = 8 << 20;
/// How many rows are judged at a time.
const CHUNK_ROWS: usize = 512;
/// How many where hooks word reasons: a call takes as long as the judging of thousands of rows.
const CHUNK_ROWS_WITH_HOOKS: usize = 64;

type OnProgress = Arc<dyn Fn(&Progress) + Send + Sync>;

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

    /// Runs the checks over the rows: cases, or the rows of a [`Dataset`](crate::Dataset). Where hooks
    /// word reasons, the thread waits for them.
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
        let stop = Stop::on(Arc::clone(&self.cancel));
        let (desk, served) = Desk::new(&self.checks, Wait::Thread);
        let Some(served) = served else { return self.run_at(desk, rows, &stop) };
        thread::scope(|scope| {
            thread::Builder::new()
                .name("reasons".to_owned())
                .spawn_scoped(scope, || pollster::block_on(served))
                .map_err(|error| Error::option(format!("no thread can be started: {error}")))?;
            self.run_at(desk, rows, &stop)
        })
    }

    /// As [`run`](Self::run), on any executor: rows are read, judged and written on threads of their own,
    /// and only the futures of [`Reasoner`](crate::Reasoner)s are polled by the task. To drop the future
    /// stops the run soon after; what was written stands, and can be taken up by
    /// [`resume`](Self::resume).
    ///
    /// ```
    /// use json_correctness::{Checks, Evaluator, JsonValidity, ReasonRequest, TestCase};
    ///
    /// let check = JsonValidity::new()
    ///     .reason_with(|request: ReasonRequest| async move { format!("{} fault(s)", request.violations.len()) });
    /// let cases = ["[1]", "[1", "{}"].map(|output| TestCase::new("", output));
    /// let evaluator = Evaluator::new(Checks::new().with(check));
    /// let evaluation = futures_executor::block_on(evaluator.run_async(cases))?;
    /// assert_eq!(evaluation.results[1].reason.as_deref(), Some("1 fault(s)"));
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn run_async<I>(&self, rows: I) -> impl Future<Output = Result<Evaluation, Error>> + Send + use<I>
    where
        I: IntoIterator<Item: IntoRow> + Send + 'static,
    {
        let evaluator = self.clone();
        async move {
            let stop = Stop::on(Arc::clone(&evaluator.cancel));
            let _stops = stop.on_drop();
            let (desk, served) = Desk::new(&evaluator.checks, Wait::Task);
            let (sender, ended) = oneshot::channel();
            let run = move || {
                let evaluation = catch_unwind(AssertUnwindSafe(|| evaluator.run_at(desk, rows, &stop)));
                let _ = sender.send(evaluation);
            };
            thread::Builder::new()
                .name("evaluate".to_owned())
                .spawn(run)
                .map_err(|error| Error::option(format!("no thread can be started: {error}")))?;
            let served = async {
                if let Some(served) = served {
                    served.await;
                }
            };
            match join(served, ended).await.1 {
                Ok(Ok(evaluation)) => evaluation,
                Ok(Err(panic)) => resume_unwind(panic),
                Err(oneshot::Canceled) => Err(interrupted()),
            }
        }
    }

    fn run_at<I>(&self, desk: Desk, rows: I, stop: &Stop) -> Result<Evaluation, Error>
    where
        I: IntoIterator,
        I::Item: IntoRow,
    {
        let begun = Instant::now();
        let started = chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        let described = self.checks.described()?;
        let mut known = Known::default();
        let accumulator = Accumulator::new(&described, self.repeats.as_ref());
        let mut state = State::new(accumulator, Kept::new(self.keep_bytes));
        let identity = Identity {
            format_version: FORMAT_VERSION,
            version: env!("CARGO_PKG_VERSION"),
            checks: &described,
            tags: &self.tags,
            repeats: self.repeats.as_ref().map(|repeats| format!("{repeats:?}")),
        };
        let journal = self.results.as_ref().map(|path| {
            Journal::open(path, &identity, self.resume, |record| {
                known.add(&record);
                state.take(record);
            })
        });
        let mut journal = journal.transpose()?;
        self.judge_all(desk, rows.into_iter(), known, stop, |records| {
            if let Some(journal) = &mut journal {
                journal.append(&records)?;
            }
            records.into_iter().for_each(|record| state.take(record));
            if let Some(progress) = &self.progress {
                progress(&state.progress());
            }
            Ok(())
        })?;
        if let Some(journal) = journal {
            journal.finish()?;
        }
        let Ended { summary, results, results_omitted, files } = state.end();
        let run = Run {
            id: uuid::Uuid::now_v7().to_string(),
            started,
            seconds: begun.elapsed().as_secs_f64(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            checks: described,
            data: files,
        };
        Ok(Evaluation { format_version: FORMAT_VERSION, run, summary, results, results_omitted })
    }

    /// While the rows of one chunk are judged, those of the next are read, and the reasons of those before
    /// are worded.
    fn judge_all<R: IntoRow>(
        &self,
        mut desk: Desk,
        rows: impl Iterator<Item = R>,
        known: Known,
        stop: &Stop,
        mut take: impl FnMut(Vec<Record>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let pool = self.pool()?;
        let span = tracing::info_span!("evaluate", checks = self.checks.as_slice().len());
        let mut reader = Reader::new(&self.tags, self.repeats.is_some(), stop, rows);
        reader.skip(known)?;
        let most = if desk.has_hooks() { CHUNK_ROWS_WITH_HOOKS } else { CHUNK_ROWS };
        let mut chunk = reader.next_chunk(most)?;
        let mut read = Ok(());
        while !chunk.is_empty() {
            let mut judged = None;
            let mut next = Ok(Vec::new());
            pool.in_place_scope(|scope| {
                scope.spawn(|_| judged = self.judge_chunk(&chunk, stop, &span));
                next = reader.next_chunk(most);
            });
            let Some(judged) = judged else { return Err(interrupted()) };
            desk.take_in(judged)?;
            while let Some(records) = desk.hand_out(false, stop)? {
                take(records)?;
            }
            // What was read before an error of the dataset is judged and written all the same.
            chunk = next.unwrap_or_else(|error| {
                read = Err(error);
                Vec::new()
            });
        }
        while let Some(records) = desk.hand_out(true, stop)? {
            take(records)?;
        }
        if stop.is_set() { Err(interrupted()) } else { read }
    }

    fn pool(&self) -> Result<ThreadPool, Error> {
        let pool = ThreadPoolBuilder::new().num_threads(self.jobs).stack_size(STACK_BYTES).build();
        pool.map_err(|error| Error::option(format!("{} threads cannot be started: {error}", self.jobs)))
    }

    /// The results of a chunk in their order, or `None` once the run is to stop.
    fn judge_chunk(&self, chunk: &[Numbered], stop: &Stop, run: &Span) -> Option<Vec<Judged>> {
        let checks = self.checks.as_slice();
        let of_row = |row: &Numbered| {
            checks
                .iter()
                .map(|check| (!stop.is_set()).then(|| Judged::of(row.number, &row.id, &row.row, check, run)))
                .collect::<Option<Vec<Judged>>>()
        };
        let rows: Option<Vec<Vec<Judged>>> = chunk.par_iter().map(of_row).collect();
        rows.map(|rows| rows.into_iter().flatten().collect())
    }
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
