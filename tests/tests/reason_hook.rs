//! What becomes of the calls of a reasoner, whatever it does: how many there are, which reason stands, and
//! that the verdict is that without a hook.

use std::{
    future::{Future, pending},
    panic,
    pin::Pin,
    sync::{
        Arc, Mutex, Once,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    thread,
    time::{Duration, Instant},
};

use json_correctness::{
    Check, JsonCorrectness, ReasonError, ReasonFuture, ReasonHook, ReasonRequest, ReasonSource, Reasoner,
    TestCase, Verdict,
};

/// What a call does.
#[derive(Clone, Copy, Debug)]
enum Does {
    Says(&'static str),
    SaysMuch,
    Transient,
    After(Duration),
    Lasting,
    Fatal,
    Panics,
    PanicsLater,
    PanicsDropped,
    Never,
    Blocks,
}
use Does::*;

/// Does one thing after the other, and the last one from then on.
struct Script {
    does: Vec<Does>,
    calls: Arc<Mutex<Vec<Instant>>>,
    is_async: bool,
}

impl Reasoner for Script {
    fn reason(&self, request: ReasonRequest) -> ReasonFuture {
        assert_eq!(request.violations.len(), 1);
        let mut calls = self.calls.lock().expect("not poisoned");
        let does = self.does[calls.len().min(self.does.len() - 1)];
        calls.push(Instant::now());
        drop(calls);
        let now = |result: Result<&str, ReasonError>| -> ReasonFuture {
            Box::pin(std::future::ready(result.map(str::to_owned)))
        };
        match does {
            Says(text) => now(Ok(text)),
            SaysMuch => Box::pin(async { Ok("é".repeat(1 << 20)) }),
            Transient => now(Err(ReasonError::new("busy").transient())),
            After(time) => now(Err(ReasonError::new("slow down").retry_after(time))),
            Lasting => now(Err("no idea".into())),
            Fatal => now(Err(ReasonError::new("unknown key").fatal())),
            Panics => panic!("out of order"),
            PanicsLater => Box::pin(async { panic!("out of order") }),
            PanicsDropped => Box::pin(Bomb),
            Never => Box::pin(pending()),
            Blocks => loop {
                thread::park();
            },
        }
    }

    fn is_async(&self) -> bool {
        self.is_async
    }
}

/// Never ready, and panics as it is dropped.
struct Bomb;

impl Future for Bomb {
    type Output = Result<String, ReasonError>;
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Pending
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a bomb");
    }
}

fn case() -> TestCase {
    TestCase::new("How many?", r#"{"three": 3}"#).id("one")
}

fn without_hook() -> Verdict {
    JsonCorrectness::<u32>::new().judge(&case()).expect("set up")
}

/// All of a verdict but who worded the reason, and how.
fn essence(verdict: &Verdict) -> String {
    let steps: Vec<_> = verdict.steps().iter().filter(|step| !step.contains("reason hook")).collect();
    format!(
        "{:?} {:?} {} {:?} {:?} {steps:?} {}",
        verdict.outcome(),
        verdict.score(),
        verdict.threshold(),
        verdict.violations(),
        verdict.differences(),
        verdict.report(true),
    )
}

/// How the calls are made: by a thread that waits, or by an executor.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Thread,
    Tokio,
    Futures,
    Smol,
}

fn judge(by: By, check: &Check<JsonCorrectness<u32>>) -> Verdict {
    let case = case();
    let verdict = match by {
        By::Thread => check.judge(&case),
        By::Futures => futures_executor::block_on(check.judge_async(&case)),
        By::Smol => smol::block_on(check.judge_async(&case)),
        By::Tokio => {
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            runtime.block_on(check.judge_async(&case))
        }
    };
    verdict.expect("set up")
}

/// Takes the panics that are wanted off the test's output: to write their traces takes long.
fn expect_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !["out of order", "a bomb"].iter().any(|said| info.payload().downcast_ref() == Some(said)) {
                tell(info);
            }
        }));
    });
}

fn hook(script: &[Does], is_async: bool) -> (ReasonHook, Arc<Mutex<Vec<Instant>>>) {
    let calls = Arc::<Mutex<Vec<Instant>>>::default();
    let script = Script { does: script.to_vec(), calls: Arc::clone(&calls), is_async };
    let hook = ReasonHook::new(script).timeout(Duration::from_millis(100)).backoff(Duration::from_millis(1));
    (hook, calls)
}

/// The script; how many calls are made for a first case and in all for two; the reason or the fault.
type End = (&'static [Does], usize, usize, Result<&'static str, &'static str>);

const ENDS: &[End] = &[
    (&[Says("so it is")], 1, 2, Ok("so it is")),
    (&[Transient, Says("so it is")], 2, 3, Ok("so it is")),
    (&[Transient, Transient, Says("so it is")], 3, 4, Ok("so it is")),
    (&[Transient], 3, 6, Err("busy")),
    (&[Transient, Lasting], 2, 3, Err("no idea")),
    (&[After(Duration::from_millis(50)), Says("so it is")], 2, 3, Ok("so it is")),
    (&[After(Duration::from_secs(61))], 1, 1, Err("slow down")),
    (&[Lasting], 1, 2, Err("no idea")),
    (&[Fatal], 1, 1, Err("unknown key")),
    (&[Says(" \n")], 1, 2, Err("it gave an empty reason")),
    (&[Panics], 1, 2, Err("it panicked: out of order")),
    (&[PanicsLater], 1, 2, Err("it panicked: out of order")),
];

#[test]
fn every_end_of_a_call_leaves_the_verdict_and_a_reason() {
    expect_panics();
    let plain = without_hook();
    for by in [By::Thread, By::Tokio, By::Futures, By::Smol] {
        for is_async in [true, false] {
            for (script, first, both, ends) in ENDS {
                let told = format!("{by:?} {is_async} {script:?}");
                let (hook, calls) = hook(script, is_async);
                let check = JsonCorrectness::<u32>::new().reason_hook(hook);
                let verdict = judge(by, &check);
                assert_eq!(essence(&verdict), essence(&plain), "{told}");
                match ends {
                    Ok(reason) => {
                        assert_eq!(verdict.reason(), Some(*reason), "{told}");
                        assert_eq!(verdict.reason_source(), Some(ReasonSource::Hook), "{told}");
                        assert_eq!(verdict.reason_error(), None, "{told}");
                    }
                    Err(fault) => {
                        assert_eq!(verdict.reason(), plain.reason(), "{told}");
                        assert_eq!(verdict.reason_source(), Some(ReasonSource::Fallback), "{told}");
                        assert_eq!(verdict.reason_error(), Some(*fault), "{told}");
                    }
                }
                let made = |calls: &Mutex<Vec<Instant>>| calls.lock().expect("not poisoned").len();
                assert_eq!(made(&calls), *first, "{told}");
                assert_eq!(essence(&judge(by, &check)), essence(&plain), "{told}");
                assert_eq!(made(&calls), *both, "{told}");
            }
        }
    }
}

/// Who is how often called where no reason comes within the time.
#[test]
fn what_takes_too_long_is_left() {
    expect_panics();
    let plain = without_hook();
    let ends: &[(Does, By, bool, usize)] = &[
        (Never, By::Thread, true, 3),
        (Never, By::Futures, true, 3),
        // Nobody knows whether its thread is free again.
        (Never, By::Thread, false, 1),
        (PanicsDropped, By::Thread, true, 3),
        (PanicsDropped, By::Tokio, true, 3),
        (Blocks, By::Thread, false, 1),
        (Blocks, By::Tokio, false, 1),
        (Blocks, By::Futures, false, 1),
        // Where a thread waits, even what should not block may.
        (Blocks, By::Thread, true, 3),
    ];
    for (does, by, is_async, number) in ends {
        let told = format!("{by:?} {is_async} {does:?}");
        let (hook, calls) = hook(&[*does], *is_async);
        let hook = hook.timeout(Duration::from_millis(100));
        let verdict = judge(*by, &JsonCorrectness::<u32>::new().reason_hook(hook));
        assert_eq!(essence(&verdict), essence(&plain), "{told}");
        assert_eq!(verdict.reason(), plain.reason(), "{told}");
        assert_eq!(verdict.reason_error(), Some("it gave no reason within 100ms"), "{told}");
        assert_eq!(calls.lock().expect("not poisoned").len(), *number, "{told}");
    }
}

#[test]
fn what_needs_an_executor_is_told_where_there_is_one() {
    expect_panics();
    let check = JsonCorrectness::<u32>::new().reason_with(|_: ReasonRequest| async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        "so it is"
    });
    let verdict = judge(By::Thread, &check);
    let error = verdict.reason_error().expect("there is no runtime");
    assert!(
        error.ends_with("; where it needs an executor, use `evaluate_async` or `judge_async`"),
        "{error}"
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let verdict = runtime.block_on(check.judge_async(&case())).expect("set up");
    assert_eq!(verdict.reason(), Some("so it is"));
}

#[test]
fn a_server_that_asks_for_time_gets_it() {
    let time = Duration::from_millis(120);
    for by in [By::Thread, By::Futures] {
        let (hook, calls) = hook(&[After(time), Says("so it is")], true);
        let verdict = judge(by, &JsonCorrectness::<u32>::new().reason_hook(hook));
        assert_eq!(verdict.reason(), Some("so it is"));
        let calls = calls.lock().expect("not poisoned");
        assert!(calls[1] - calls[0] >= time, "{by:?}: {:?}", calls[1] - calls[0]);
    }
}

#[test]
fn a_throttle_keeps_calls_apart() {
    let time = Duration::from_millis(30);
    let (hook, calls) = hook(&[Says("so it is")], true);
    let check = JsonCorrectness::<u32>::new().reason_hook(hook.throttle(time));
    thread::scope(|scope| {
        for _ in 0..5 {
            scope.spawn(|| judge(By::Thread, &check));
        }
    });
    let mut calls = calls.lock().expect("not poisoned").clone();
    calls.sort();
    // What a thread does between its turn and its call may take a little longer for one than for the next.
    assert!(calls[4] - calls[0] >= time * 7 / 2, "{:?}", calls[4] - calls[0]);
}

/// Those that wait for the quiet that a server asked for do not start together once it is over.
#[test]
fn a_throttle_keeps_calls_apart_behind_a_time_of_quiet() {
    let time = Duration::from_millis(30);
    let (hook, calls) = hook(&[After(time * 5), Says("so it is")], true);
    let check = JsonCorrectness::<u32>::new().reason_hook(hook.throttle(time));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| judge(By::Thread, &check));
        }
    });
    let mut calls = calls.lock().expect("not poisoned").clone();
    calls.sort();
    assert_eq!(calls.len(), 5);
    assert!(calls[4] - calls[1] >= time * 5 / 2, "{:?}", calls[4] - calls[1]);
}

#[test]
fn the_circuit_opens_and_closes() {
    let cooldown = Duration::from_millis(300);
    let (hook, calls) = hook(&[Lasting, Lasting, Lasting, Lasting, Says("back")], true);
    let check = JsonCorrectness::<u32>::new().reason_hook(hook.circuit_breaker(3, cooldown));
    let made = || calls.lock().expect("not poisoned").len();
    for number in 1..=3 {
        assert_eq!(judge(By::Thread, &check).reason_error(), Some("no idea"));
        assert_eq!(made(), number);
    }
    let opened = Instant::now();
    for _ in 0..10 {
        let verdict = judge(By::Thread, &check);
        assert_eq!(verdict.reason_source(), Some(ReasonSource::Fallback));
        assert_eq!(
            verdict.reason_error(),
            Some("not called for a while, having failed too often: no idea"),
            "{:?} after it opened",
            opened.elapsed()
        );
    }
    assert_eq!(made(), 3, "none is called while the circuit is open");
    thread::sleep(cooldown);
    assert_eq!(judge(By::Thread, &check).reason_error(), Some("no idea"), "the one that is let through");
    assert_eq!(made(), 4);
    judge(By::Thread, &check);
    assert_eq!(made(), 4, "it opened again");
    thread::sleep(cooldown);
    for number in 5..10 {
        assert_eq!(judge(By::Thread, &check).reason(), Some("back"));
        assert_eq!(made(), number);
    }

    // Off, every case is asked about.
    let (hook, calls) = self::hook(&[Lasting], true);
    let check = JsonCorrectness::<u32>::new().reason_hook(hook.circuit_breaker(0, cooldown));
    (0..20).for_each(|_| drop(judge(By::Thread, &check)));
    assert_eq!(calls.lock().expect("not poisoned").len(), 20);
}

#[test]
fn a_long_error_is_cut_for_each_case_that_repeats_it() {
    for fatal in [false, true] {
        let hook = ReasonHook::new(move |_: ReasonRequest| {
            let error = ReasonError::new("é".repeat(1 << 20));
            Err::<String, _>(if fatal { error.fatal() } else { error })
        });
        let check = JsonCorrectness::<u32>::new().reason_hook(hook);
        for _ in 0..2 {
            let verdict = judge(By::Thread, &check);
            let error = verdict.reason_error().expect("an error");
            assert!((4_000..5_000).contains(&error.len()) && error.contains('é'), "{}", error.len());
        }
    }
}

/// Panics with something that panics as it is dropped.
#[test]
fn what_a_reasoner_panics_with_harms_nothing() {
    struct Payload;
    impl Drop for Payload {
        fn drop(&mut self) {
            panic!("a bomb");
        }
    }
    expect_panics();
    let hook = ReasonHook::new(|_: ReasonRequest| async {
        panic::panic_any(Payload);
        #[expect(unreachable_code, reason = "the type of the future")]
        String::new()
    });
    let check = JsonCorrectness::<u32>::new().reason_hook(hook);
    for by in [By::Thread, By::Tokio, By::Futures, By::Smol] {
        let verdict = judge(by, &check);
        assert_eq!(essence(&verdict), essence(&without_hook()), "{by:?}");
        assert!(verdict.reason_error().is_some_and(|error| error.starts_with("it panicked")), "{by:?}");
    }
}

#[test]
fn a_long_reason_is_cut_and_a_hostile_one_harmless() {
    let (hook, _) = hook(&[SaysMuch], true);
    let verdict = judge(By::Thread, &JsonCorrectness::<u32>::new().reason_hook(hook));
    let reason = verdict.reason().expect("a reason");
    assert!((65_000..=64 << 10).contains(&reason.len()), "{}", reason.len());

    let hostile = "\u{1b}]0;owned\u{7}\u{202e}\u{9b}2J<script>alert(1)</script>]]>|=cmd";
    let check =
        JsonCorrectness::<u32>::new().reason_with(move |_: ReasonRequest| async move { hostile.to_owned() });
    let verdict = judge(By::Thread, &check);
    assert_eq!(verdict.reason(), Some(hostile), "the text itself is kept");
    let shown = verdict.to_string();
    assert!(shown.contains("\nreason: "), "it begins no line: {shown:?}");
    let harmful = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!shown.contains(harmful), "{shown:?}");

    // Nor does it become lines that say something else.
    let forged = "all is well\njson_correctness: passed";
    for fails in [false, true] {
        let told = Arc::<Mutex<Vec<String>>>::default();
        let teller = Arc::clone(&told);
        let check = JsonCorrectness::<u32>::new()
            .reason_with(move |_: ReasonRequest| if fails { Err(forged) } else { Ok(forged) })
            .verbose_to(move |line| teller.lock().expect("not poisoned").push(line.to_owned()));
        let shown = judge(By::Thread, &check).to_string();
        let told = told.lock().expect("not poisoned").join("\n");
        assert!(shown.contains("all is well\u{240a}json_correctness"), "{shown}");
        assert_eq!(told.contains("all is well\u{240a}json_correctness"), fails, "{told}");
        assert!(!format!("{shown}\n{told}").contains("\njson_correctness: passed"), "{shown}\n{told}");
    }
}

fn hook_behind_a_pointer() -> (Check<JsonCorrectness<u32>>, Arc<Mutex<Vec<Instant>>>) {
    let calls = Arc::<Mutex<Vec<Instant>>>::default();
    let script = Script { does: vec![Says("so it is")], calls: Arc::clone(&calls), is_async: true };
    let behind: Arc<dyn Reasoner> = Arc::new(script);
    (JsonCorrectness::<u32>::new().reason_with(behind), calls)
}

#[test]
fn closures_of_both_kinds_are_reasoners() {
    // With what they capture, and with errors of any type.
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let sync = move |request: ReasonRequest| -> Result<String, std::num::ParseIntError> {
        let number = counted.fetch_add(1, Ordering::Relaxed);
        request.case.input.parse::<u32>()?;
        Ok(number.to_string())
    };
    let prefix = "asked".to_owned();
    let asynchronous = move |request: ReasonRequest| {
        let prefix = prefix.clone();
        async move { Ok::<_, ReasonError>(format!("{prefix}: {}", request.metric)) }
    };
    let verdict = judge(By::Futures, &JsonCorrectness::<u32>::new().reason_with(sync));
    assert_eq!(verdict.reason_error(), Some("invalid digit found in string"));
    let verdict = judge(By::Futures, &JsonCorrectness::<u32>::new().reason_with(asynchronous));
    assert_eq!(verdict.reason(), Some("asked: json_correctness"));
    let lent = async |request: ReasonRequest| request.schema.map(|_| "it has a schema").unwrap_or_default();
    let verdict = judge(By::Thread, &JsonCorrectness::<u32>::new().reason_with(lent));
    assert_eq!(verdict.reason(), Some("it has a schema"));
    let (behind, calls_behind) = hook_behind_a_pointer();
    assert_eq!(judge(By::Futures, &behind).reason(), Some("so it is"));
    assert_eq!(calls_behind.lock().expect("not poisoned").len(), 1);
    // Only for failures whose reason is wanted.
    let check = JsonCorrectness::<u32>::new().reason_with(|_: ReasonRequest| -> String { unreachable!() });
    assert!(check.judge(&TestCase::new("", "3")).expect("set up").passed());
    assert_eq!(judge(By::Thread, &check.include_reason(false)).reason(), None);
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}
