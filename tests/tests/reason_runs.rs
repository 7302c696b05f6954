//! Runs whose reasons a hook words: the same verdicts in the same order, on any executor, however the hook
//! behaves, and no more of the run at a time than its bounds say.

use std::{
    collections::HashSet,
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, ThreadId},
    time::Duration,
};

use futures_timer::Delay;
use json_correctness::{
    Check, Checks, Dataset, Error, Evaluation, Evaluator, JsonCorrectness, JsonEquality, JsonSchemaMatch,
    Measurement, Metric, ReasonError, ReasonHook, ReasonRequest, ReasonSource, Record, Score, TestCase,
    evaluate, evaluate_async,
};
use serde_json::json;

/// Every third output is right.
fn cases(number: usize) -> impl Iterator<Item = TestCase> + Send + Clone {
    (0..number).map(|n| {
        let output = if n % 3 == 0 { n.to_string() } else { format!(r#"{{"wrong": {n}}}"#) };
        TestCase::new("How many?", output).id(format!("case-{n}")).expected_output("0")
    })
}

fn checks(hook: Option<&ReasonHook>) -> Checks {
    let with = |check: Check<Box<dyn Metric>>| match hook {
        Some(hook) => check.reason_hook(hook.clone()),
        None => check,
    };
    Checks::new()
        .with(with(Check::new(Box::new(JsonCorrectness::<u32>::new()))))
        .with(with(Check::new(Box::new(JsonEquality::new()))))
        .with(JsonSchemaMatch::new().schema(json!({ "type": "integer" })))
}

/// How a run is made.
#[derive(Clone, Copy, Debug)]
enum By {
    Thread,
    Tokio,
    TokioThreads,
    Futures,
    Smol,
}

const ALL: [By; 5] = [By::Thread, By::Tokio, By::TokioThreads, By::Futures, By::Smol];

impl By {
    fn run(
        self,
        evaluator: &Evaluator,
        cases: impl Iterator<Item = TestCase> + Send + 'static,
    ) -> Result<Evaluation, Error> {
        match self {
            Self::Thread => evaluator.run(cases),
            Self::Futures => futures_executor::block_on(evaluator.run_async(cases)),
            Self::Smol => smol::block_on(evaluator.run_async(cases)),
            Self::Tokio => {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.expect("a runtime").block_on(evaluator.run_async(cases))
            }
            Self::TokioThreads => {
                let runtime =
                    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
                let runtime = runtime.expect("a runtime");
                // It can be spawned, and so may be polled by one thread after the other.
                runtime.block_on(runtime.spawn(evaluator.run_async(cases))).expect("it does not panic")
            }
        }
    }
}

/// A result as it is written, without who worded the reason and how.
fn essence(record: &Record) -> String {
    let mut record = serde_json::to_value(record).expect("JSON");
    let fields = record.as_object_mut().expect("an object");
    ["reason", "reason_source", "reason_error"].iter().for_each(|field| drop(fields.remove(*field)));
    record.to_string()
}

#[track_caller]
fn assert_same_verdicts(evaluation: &Evaluation, plain: &Evaluation) {
    assert_eq!(evaluation.results.len(), plain.results.len());
    for (record, plain) in evaluation.results.iter().zip(&plain.results) {
        assert_eq!(essence(record), essence(plain));
        assert_eq!(record.reason.is_some(), plain.reason.is_some());
        if record.reason_source == Some(ReasonSource::Fallback) {
            assert_eq!(record.reason, plain.reason);
            assert!(record.reason_error.is_some());
        }
    }
}

#[test]
fn every_executor_makes_the_same_run() {
    let plain = evaluate(cases(500), checks(None)).expect("set up");
    for by in ALL {
        for jobs in [1, 3] {
            let hook = ReasonHook::new(|request: ReasonRequest| async move {
                // Answers come in another order than the questions.
                let id = request.case.id.as_deref().unwrap_or_default().len();
                Delay::new(Duration::from_millis(7 - id as u64 % 7)).await;
                format!("{} of {}", request.metric, request.case.id.as_deref().unwrap_or_default())
            });
            let evaluator = Evaluator::new(checks(Some(&hook))).jobs(jobs);
            let evaluation = by.run(&evaluator, cases(500)).expect("set up");
            assert_same_verdicts(&evaluation, &plain);
            for record in evaluation.results.iter().filter(|record| record.reason.is_some()) {
                let hooked = record.metric != "json_schema_match";
                assert_eq!(record.reason_source, hooked.then_some(ReasonSource::Hook), "{by:?}");
                let worded = format!("{} of {}", record.metric, record.id);
                assert_eq!(record.reason.as_deref() == Some(worded.as_str()), hooked, "{record:?}");
            }
        }
    }
}

#[test]
fn a_hook_that_misbehaves_harms_its_own_reasons_only() {
    let plain = evaluate(cases(200), checks(None)).expect("set up");
    let soon = Duration::from_millis(30);
    type Made = fn() -> ReasonHook;
    let hooks: [(&str, Made); 6] = [
        ("panics", || ReasonHook::new(|_: ReasonRequest| -> String { panic!("out of order") })),
        ("panics later", || ReasonHook::new(|_: ReasonRequest| async { panic!("out of order") as String })),
        ("blocks for ever", || {
            ReasonHook::new(|_: ReasonRequest| -> String {
                loop {
                    thread::park();
                }
            })
        }),
        ("is never ready", || ReasonHook::new(|_: ReasonRequest| pending::<String>())),
        ("fails", || ReasonHook::new(|_: ReasonRequest| Err::<String, _>("no"))),
        ("fails for some", || {
            ReasonHook::new(|request: ReasonRequest| async move {
                let id = request.case.id.clone().unwrap_or_default();
                if id.ends_with('1') { Err("\u{1b}[2J no") } else { Ok("so it is") }
            })
        }),
    ];
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for (name, hook) in hooks {
        for by in ALL {
            let hook = hook().timeout(soon).attempts(1);
            let evaluator = Evaluator::new(checks(Some(&hook)));
            let evaluation = by.run(&evaluator, cases(200)).unwrap_or_else(|error| panic!("{name}: {error}"));
            let worded = evaluation.results.iter().filter(|record| record.reason_source.is_some()).count();
            assert_eq!(
                worded,
                plain
                    .results
                    .iter()
                    .filter(|record| record.metric != "json_schema_match" && record.reason.is_some())
                    .count(),
                "{name} {by:?}"
            );
            assert_same_verdicts(&evaluation, &plain);
            for report in [evaluation.to_table(false, None), evaluation.to_markdown(), evaluation.to_junit()]
            {
                assert!(!report.contains('\u{1b}'), "{name} {by:?}");
            }
        }
    }
    std::panic::set_hook(tell);
}

/// Counts how many calls are under way.
#[derive(Default)]
struct Busy {
    now: AtomicUsize,
    most: AtomicUsize,
    calls: AtomicUsize,
}

impl Busy {
    async fn call(self: Arc<Self>, time: Duration) -> &'static str {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        Delay::new(time).await;
        self.now.fetch_sub(1, Ordering::SeqCst);
        "so it is"
    }
}

#[test]
fn as_many_calls_as_the_hook_allows_and_no_more() {
    for by in [By::Thread, By::Tokio, By::Smol] {
        for concurrency in [1, 4, 20] {
            let busy = Arc::<Busy>::default();
            let hook = {
                let busy = Arc::clone(&busy);
                ReasonHook::new(move |_: ReasonRequest| Arc::clone(&busy).call(Duration::from_millis(5)))
            };
            // Two checks share it, and with it the limit.
            let evaluator = Evaluator::new(checks(Some(&hook.concurrency(concurrency))));
            let evaluation = by.run(&evaluator, cases(90)).expect("set up");
            let failed = evaluation.summary.metrics[..2].iter().map(|metric| metric.failed).sum::<u64>();
            assert_eq!(busy.calls.load(Ordering::SeqCst) as u64, failed, "one call for each failure");
            assert_eq!(busy.most.load(Ordering::SeqCst), concurrency, "{by:?}");
        }
    }
}

#[test]
fn a_broken_server_is_not_asked_about_every_case() {
    for by in [By::Thread, By::Futures] {
        for (error, most) in
            [(ReasonError::new("503").transient(), (5 + 19) * 3), (ReasonError::new("401").fatal(), 20)]
        {
            let calls = Arc::<AtomicUsize>::default();
            let counted = Arc::clone(&calls);
            let hook = ReasonHook::new(move |_: ReasonRequest| {
                counted.fetch_add(1, Ordering::SeqCst);
                let error = error.clone();
                async move { Err::<String, _>(error) }
            });
            let hook = hook.backoff(Duration::from_millis(1));
            let evaluator = Evaluator::new(checks(Some(&hook)));
            let evaluation = by.run(&evaluator, cases(2_000)).expect("set up");
            let calls = calls.load(Ordering::SeqCst);
            assert!((1..=most).contains(&calls), "{by:?}: {calls} calls");
            let asked =
                evaluation.results.iter().filter(|record| record.reason_error.is_some()).count() as u64;
            assert_eq!(
                asked,
                evaluation.summary.metrics[..2].iter().map(|metric| metric.failed).sum::<u64>()
            );
        }
    }
}

/// How far the rows are read ahead of what is through, while all calls wait.
#[test]
fn rows_are_not_read_far_ahead() {
    for by in [By::Thread, By::Futures] {
        let (read, open) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
        let hook = {
            let open = Arc::clone(&open);
            ReasonHook::new(move |_: ReasonRequest| {
                let open = Arc::clone(&open);
                async move {
                    while !open.load(Ordering::SeqCst) {
                        Delay::new(Duration::from_millis(5)).await;
                    }
                    "so it is"
                }
            })
        };
        let rows = {
            let read = Arc::clone(&read);
            cases(20_000).inspect(move |_| {
                read.fetch_add(1, Ordering::SeqCst);
            })
        };
        let evaluator = Evaluator::new(checks(Some(&hook)));
        let run = thread::spawn(move || by.run(&evaluator, rows).expect("set up"));
        // Until nothing more is read.
        let mut before = usize::MAX;
        while before != read.load(Ordering::SeqCst) || before == 0 {
            before = read.load(Ordering::SeqCst);
            thread::sleep(Duration::from_millis(300));
        }
        // Sixteen chunks of 64 rows wait, and one more is read while the last of them is judged.
        assert!((64..=64 * 18).contains(&before), "{by:?}: {before} rows");
        assert!(!run.is_finished());
        open.store(true, Ordering::SeqCst);
        assert_eq!(run.join().expect("it does not panic").summary.rows, 20_000);
    }
}

/// A metric that takes its time, and remembers where.
struct Slow(Arc<Mutex<HashSet<ThreadId>>>);

impl Metric for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }
    fn measure(&self, _: &TestCase) -> Result<Measurement, Error> {
        self.0.lock().expect("not poisoned").insert(thread::current().id());
        thread::sleep(Duration::from_millis(5));
        Ok(Measurement::new(Score::ZERO))
    }
}

#[test]
fn what_takes_a_processor_is_not_done_by_the_executor() {
    let (judged, read, told) = <(Arc<Mutex<HashSet<ThreadId>>>, Arc<Mutex<_>>, Arc<Mutex<_>>)>::default();
    let rows = {
        let read: Arc<Mutex<HashSet<ThreadId>>> = Arc::clone(&read);
        cases(100).inspect(move |_| {
            read.lock().expect("not poisoned").insert(thread::current().id());
        })
    };
    let progress = {
        let told: Arc<Mutex<HashSet<ThreadId>>> = Arc::clone(&told);
        move |_: &_| {
            told.lock().expect("not poisoned").insert(thread::current().id());
        }
    };
    let polled = Arc::<Mutex<HashSet<ThreadId>>>::default();
    let hook = {
        let polled = Arc::clone(&polled);
        ReasonHook::new(move |_: ReasonRequest| {
            let polled = Arc::clone(&polled);
            async move {
                polled.lock().expect("not poisoned").insert(thread::current().id());
                "so it is"
            }
        })
    };
    let checks = Checks::new().with(Check::new(Slow(Arc::clone(&judged))).reason_hook(hook));
    let evaluator = Evaluator::new(checks).progress(progress);
    futures_executor::block_on(evaluator.run_async(rows)).expect("set up");
    let here = thread::current().id();
    for threads in [judged, read, told] {
        let threads = threads.lock().expect("not poisoned");
        assert!(!threads.is_empty() && !threads.contains(&here));
    }
    // Futures may need the executor.
    assert_eq!(*polled.lock().expect("not poisoned"), HashSet::from([here]));
}

#[test]
fn a_run_that_is_dropped_stops_and_can_be_taken_up() {
    let directory = tempfile::tempdir().expect("a directory");
    let (left, whole) = (directory.path().join("left.jsonl"), directory.path().join("whole.jsonl"));
    let number = 4_000;
    let hook = || {
        ReasonHook::new(|_: ReasonRequest| async {
            Delay::new(Duration::from_millis(2)).await;
            "so it is"
        })
    };
    let evaluator = |path| Evaluator::new(checks(Some(&hook()))).results(path);
    evaluator(&whole).run(cases(number)).expect("set up");

    let read = Arc::<AtomicUsize>::default();
    let rows = {
        let read = Arc::clone(&read);
        cases(number).inspect(move |_| {
            read.fetch_add(1, Ordering::SeqCst);
        })
    };
    let run = evaluator(&left).run_async(rows);
    let part = directory.path().join("left.jsonl.part");
    futures_executor::block_on(async {
        let begun = async {
            while std::fs::metadata(&part).map_or(0, |part| part.len()) == 0 {
                Delay::new(Duration::from_millis(5)).await;
            }
        };
        let run = std::pin::pin!(run);
        let begun = std::pin::pin!(begun);
        let first = futures_util::future::select(run, begun).await;
        assert!(matches!(first, futures_util::future::Either::Right(_)), "it was to take longer");
    });
    // Its threads end by themselves.
    let mut before = usize::MAX;
    while before != read.load(Ordering::SeqCst) {
        before = read.load(Ordering::SeqCst);
        thread::sleep(Duration::from_millis(300));
    }
    assert!(before < number, "{before} rows were read");
    assert!(!left.exists());
    futures_executor::block_on(evaluator(&left).resume(true).run_async(cases(number))).expect("set up");
    assert_eq!(std::fs::read(&left).expect("results"), std::fs::read(&whole).expect("results"));
}

#[test]
fn a_run_that_is_cancelled_does_not_wait_for_its_reasons() {
    /// May panic as it is dropped.
    struct Held(bool);
    impl Drop for Held {
        fn drop(&mut self) {
            assert!(!self.0, "what a reasoner held");
        }
    }
    for (by, panics) in ALL.into_iter().flat_map(|by| [(by, false), (by, true)]) {
        let cancel = Arc::<AtomicBool>::default();
        let hook = {
            let cancel = Arc::clone(&cancel);
            ReasonHook::new(move |_: ReasonRequest| {
                cancel.store(true, Ordering::SeqCst);
                let held = Held(panics);
                async move {
                    let _held = held;
                    pending::<String>().await
                }
            })
        };
        // The hook has half an hour; the test would not.
        let hook = hook.timeout(Duration::from_secs(1_800));
        let evaluator = Evaluator::new(checks(Some(&hook))).cancel(cancel);
        assert!(by.run(&evaluator, cases(1_000)).expect_err("cancelled").is_interrupted(), "{by:?}");
    }
}

#[test]
fn errors_count_for_what_is_kept() {
    let hook = ReasonHook::new(|_: ReasonRequest| Err::<String, _>(ReasonError::new("é".repeat(1 << 20))));
    let evaluator = Evaluator::new(checks(Some(&hook))).keep_bytes(200_000);
    let evaluation = evaluator.run(cases(1_000)).expect("a run");
    let errors = evaluation.results.iter().filter_map(|record| record.reason_error.as_deref());
    let bytes = errors.map(str::len).sum::<usize>();
    assert!((4_000..200_000).contains(&bytes), "{bytes}");
}

#[test]
fn set_up_errors_and_panics_of_rows_come_through() {
    let none = futures_executor::block_on(evaluate_async(cases(1), Checks::new()));
    assert!(none.expect_err("no check").is_option());
    let hook = ReasonHook::new(|_: ReasonRequest| async { "so it is" });
    let rows = cases(100).inspect(|case| assert!(case.id.as_deref() != Some("case-70"), "a broken row"));
    for hook in [None, Some(&hook)] {
        let run = evaluate_async(rows.clone(), checks(hook));
        let panic =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| futures_executor::block_on(run)));
        let panic = panic.expect_err("the rows panic");
        assert!(panic.downcast_ref::<&str>().is_some_and(|said| said.contains("a broken row")));
    }
}

#[test]
fn what_was_read_before_an_error_of_the_dataset_is_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let (data, results) = (directory.path().join("data.jsonl"), directory.path().join("results.jsonl"));
    let rows: Vec<String> =
        (0..300).map(|n| format!(r#"{{"id": "r{n}", "actual_output": "[{n}"}}"#)).collect();
    std::fs::write(&data, rows.join("\n")).expect("written");
    let run = |hook: Option<&ReasonHook>| {
        let evaluator = Evaluator::new(checks(hook)).results(&results);
        let broken = Dataset::open(directory.path().join("absent.jsonl")).rows().expect_err("it is absent");
        let rows = Dataset::open(&data).rows().expect("it opens").chain([Err(broken)]);
        let ended = futures_executor::block_on(evaluator.run_async(rows))
            .map(|_| ())
            .map_err(|error| error.to_string());
        let part = std::fs::read_to_string(directory.path().join("results.jsonl.part"));
        let written = part.or_else(|_| std::fs::read_to_string(&results)).expect("results");
        (ended, written.lines().count())
    };
    let plain = run(None);
    let hook = ReasonHook::new(|_: ReasonRequest| async {
        Delay::new(Duration::from_millis(3)).await;
        "so it is"
    });
    assert_eq!(run(Some(&hook)), plain);
    assert!(plain.0.is_err() && plain.1 == 900, "{plain:?}");
}
