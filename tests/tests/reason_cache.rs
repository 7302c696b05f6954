//! The cache of reasons: the same question is asked once, and whatever becomes of the file, no reason is wrong
//! and no verdict another.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use json_correctness::{
    Check, CompiledSchema, Error, JsonCorrectness, JsonDiff, JsonEquality, JsonSchemaMatch, JsonValidity,
    Limits, Metric, ReasonError, ReasonFuture, ReasonHook, ReasonRequest, ReasonSource, Reasoner, TestCase,
};
use serde_json::json;
use tempfile::TempDir;

/// Says something of its own about each case, and counts how often it is asked.
#[derive(Clone)]
struct Counting {
    calls: Arc<AtomicUsize>,
    fingerprint: String,
    says: String,
}

impl Counting {
    fn new(fingerprint: &str) -> Self {
        Self { calls: Arc::default(), fingerprint: fingerprint.to_owned(), says: "said of".to_owned() }
    }

    fn saying(text: &str) -> Self {
        Self { says: text.to_owned(), ..Self::new("m") }
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn expected(&self, case: &TestCase) -> String {
        format!("{} {}", self.says, case.actual_output.to_text())
    }
}

impl Reasoner for Counting {
    fn reason(&self, request: ReasonRequest) -> ReasonFuture {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let reason = self.expected(&request.case);
        Box::pin(async move { Ok(reason) })
    }

    fn is_async(&self) -> bool {
        true
    }

    fn fingerprint(&self, _: &ReasonRequest) -> Option<String> {
        Some(self.fingerprint.clone())
    }
}

fn case(output: &str) -> TestCase {
    TestCase::new("How many?", output)
}

/// Opens the cache, judges the case, and says how many calls that made.
fn judge<M: Metric>(check: Check<M>, path: &Path, case: &TestCase) -> Result<usize, Error> {
    let counting = Counting::new("m");
    judge_by(&counting, check, path, case)?;
    Ok(counting.calls())
}

fn judge_by<M: Metric>(
    counting: &Counting,
    check: Check<M>,
    path: &Path,
    case: &TestCase,
) -> Result<(), Error> {
    let hook = ReasonHook::new(counting.clone()).cache(path)?;
    let verdict = check.reason_hook(hook).judge(case).expect("a verdict");
    assert!(!verdict.passed());
    assert_eq!(verdict.reason_source(), Some(ReasonSource::Hook));
    assert_eq!(verdict.reason(), Some(counting.expected(case).as_str()));
    Ok(())
}

fn numbers() -> Check<JsonCorrectness<u32>> {
    JsonCorrectness::<u32>::new().threshold(0.5)
}

fn directory() -> (TempDir, std::path::PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("reasons.jsonl");
    (directory, path)
}

#[test]
fn the_same_question_is_asked_once() {
    let (_directory, path) = directory();
    for (run, calls) in [(1, 1), (2, 0), (3, 0)] {
        assert_eq!(judge(numbers(), &path, &case("\"three\"")).expect("a cache"), calls, "run {run}");
    }
    let text = fs::read_to_string(&path).expect("the file");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], json!({ "json_correctness": "reasons", "version": 1 }));
    assert_eq!(lines[1]["reason"], "said of \"three\"");
}

#[test]
fn whatever_matters_is_part_of_the_question() {
    let schema = |schema: serde_json::Value| {
        JsonSchemaMatch::new().schema(CompiledSchema::new(&schema, &Limits::default()).expect("a schema"))
    };
    let integers = || schema(json!({ "type": "integer" }));
    let base = case("\"three\"").expected_output("3");
    let fingerprint = |text: &str| ReasonHook::new(Counting::new(text));
    let hook = || fingerprint("m");
    type Asked = (&'static str, Box<dyn FnOnce(ReasonHook)>, ReasonHook);
    fn asked<M: Metric + 'static>(
        what: &'static str,
        check: Check<M>,
        case: &TestCase,
        hook: ReasonHook,
    ) -> Asked {
        let case = case.clone();
        let judge = move |hook: ReasonHook| {
            let verdict = check.reason_hook(hook).judge(&case).expect("a verdict");
            assert_eq!(verdict.reason_source(), Some(ReasonSource::Hook));
        };
        (what, Box::new(judge), hook)
    }
    let all = || {
        let with_input = TestCase::new("How much?", "\"three\"").expected_output("3");
        vec![
            asked("as it is", integers().threshold(0.5), &base, hook()),
            asked("another model or prompt", integers().threshold(0.5), &base, fingerprint("n")),
            asked("a fingerprint set", integers().threshold(0.5), &base, hook().fingerprint("")),
            asked("another one set", integers().threshold(0.5), &base, hook().fingerprint("n")),
            asked(
                "another output",
                integers().threshold(0.5),
                &case("\"four\"").expected_output("3"),
                hook(),
            ),
            asked("another input", integers().threshold(0.5), &with_input, hook()),
            asked("another reference", integers().threshold(0.5), &base.clone().expected_output("4"), hook()),
            asked("another threshold", integers().threshold(0.6), &base, hook()),
            asked("another metric", JsonEquality::new().threshold(0.5), &base, hook()),
            asked("differences", JsonDiff::new().threshold(0.5), &base, hook()),
            asked("other ones", JsonDiff::new().threshold(0.5), &base.clone().expected_output("4"), hook()),
            asked(
                "a schema of the same violations",
                schema(json!({ "type": "integer", "title": "A count" })).threshold(0.5),
                &base,
                hook(),
            ),
            asked("another violation", schema(json!({ "type": "null" })).threshold(0.5), &base, hook()),
        ]
    };
    let (_directory, path) = directory();
    for round in 1..=2 {
        for (what, judge, hook) in all() {
            let before = fs::metadata(&path).map_or(0, |file| file.len());
            judge(hook.cache(&path).expect("a cache"));
            let grew = fs::metadata(&path).expect("the file").len() > before;
            assert_eq!(grew, round == 1, "round {round}: {what}");
        }
    }
    // What names the case is no part of it.
    let named = base.clone().id("other").label("Another").tag("t");
    assert_eq!(judge(integers().threshold(0.5), &path, &named).expect("a cache"), 0);
}

#[test]
fn every_flipped_byte_is_noticed() {
    let (_directory, path) = directory();
    let cases = [case("\"three\""), case("\"four\"")];
    for case in &cases {
        judge(numbers(), &path, case).expect("a cache");
    }
    let whole = fs::read(&path).expect("the file");
    let header = whole.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
    for at in 0..whole.len() {
        for flip in [0x01, 0x20, 0x80, whole[at] ^ b'\n', whole[at] ^ b'"'] {
            if flip == 0 {
                continue;
            }
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            fs::write(&path, &bytes).expect("written");
            let first = judge(numbers(), &path, &cases[0]);
            if at < header {
                // It is no cache any more, and nothing is written to it.
                assert!(first.is_err_and(|error| error.is_data()), "{at} {flip}");
                assert_eq!(fs::read(&path).expect("the file"), bytes);
                continue;
            }
            let calls = first.expect("a cache") + judge(numbers(), &path, &cases[1]).expect("a cache");
            assert!((1..=2).contains(&calls), "{calls} calls at {at} {flip}");
            for case in &cases {
                assert_eq!(judge(numbers(), &path, case).expect("a cache"), 0, "{at} {flip}");
            }
        }
    }
}

#[test]
fn every_torn_file_is_mended() {
    let (_directory, path) = directory();
    judge(numbers(), &path, &case("\"three\"")).expect("a cache");
    let whole = fs::read(&path).expect("the file");
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).expect("written");
        // Another case is written first: what was torn does not swallow it. Only the line's end can be lost
        // without loss.
        let torn = usize::from(length + 1 < whole.len());
        for (output, calls) in [("\"four\"", 1), ("\"three\"", torn), ("\"four\"", 0), ("\"three\"", 0)] {
            assert_eq!(judge(numbers(), &path, &case(output)).expect("a cache"), calls, "{length}: {output}");
        }
    }
}

#[test]
fn foreign_lines_are_passed_over() {
    let (_directory, path) = directory();
    judge(numbers(), &path, &case("\"three\"")).expect("a cache");
    let entry = fs::read_to_string(&path).expect("the file").lines().nth(1).expect("an entry").to_owned();
    let key = &entry[8..72];
    for line in [
        "not JSON".to_owned(),
        "\u{0}\u{1b}[2J".to_owned(),
        String::new(),
        format!(r#"{{"key":"{key}","reason":"forged","sum":"0000000000000000"}}"#),
        format!(r#"{{"key":"{key}","reason":"forged"}}"#),
        format!(r#"{{"key":"{key}","reason":["forged"],"sum":1}}"#),
        entry.replace("said", "sad"),
        entry.replace(key, &key.to_uppercase()),
        format!(r#"{{"key":"{key}","reason":"{}","sum":"0"}}"#, "long".repeat(1 << 20)),
    ] {
        let mut file = OpenOptions::new().append(true).open(&path).expect("the file");
        file.write_all(format!("{line}\n").as_bytes()).expect("written");
        assert!(judge(numbers(), &path, &case("\"three\"")).expect("a cache") <= 1, "{line:.80}");
        assert_eq!(judge(numbers(), &path, &case("\"three\"")).expect("a cache"), 0, "{line:.80}");
    }
}

#[test]
fn hostile_reasons_come_back_byte_for_byte() {
    let (_directory, path) = directory();
    let long = "\u{1b}".repeat((64 << 10) - 20);
    let reasons = [
        "two\nlines\r\n\n",
        "\u{1b}]0;title\u{7}\u{9b}2J\u{202e}\u{0}\u{feff}",
        "\"}\n{\"key\":\"0\",\"reason\":\"forged\",\"sum\":\"0\"}\n",
        "é日😀\u{e0041}\u{10ffff}",
        long.as_str(),
    ];
    for round in 1..=2 {
        for reason in reasons {
            let counting = Counting { fingerprint: reason.to_owned(), ..Counting::saying(reason) };
            judge_by(&counting, numbers(), &path, &case("\"three\"")).expect("a cache");
            assert_eq!(counting.calls(), usize::from(round == 1), "{reason:.40?}");
        }
    }
    let text = fs::read_to_string(&path).expect("the file");
    assert!(text.chars().all(|character| character == '\n' || !character.is_control()));
    assert_eq!(text.lines().count(), reasons.len() + 1);
}

#[test]
fn only_a_cache_is_written_to() {
    let (directory, path) = directory();
    let open = |path: &Path| ReasonHook::new(Counting::new("m")).cache(path);
    for foreign in [
        b"\x89PNG\r\n\x1a\n".as_slice(),
        b"{\"input\":\"How many?\",\"actual_output\":\"3\"}\n",
        b"{\"json_correctness\":\"reasons\",\"version\":2}\n",
        b"\n",
        b" {\"json_correctness\":\"reasons\",\"version\":1}\n",
    ] {
        fs::write(&path, foreign).expect("written");
        let error = open(&path).expect_err("no cache");
        assert!(error.is_data() && error.to_string().contains("reasons.jsonl"), "{error}");
        assert_eq!(fs::read(&path).expect("the file"), foreign);
    }
    for path in
        [directory.path().to_owned(), directory.path().join("absent").join("reasons.jsonl"), path.join("in")]
    {
        let error = open(&path).expect_err("no file");
        assert!(error.is_io() && error.to_string().contains(&*path.to_string_lossy()), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_waited_for() {
    let error = ReasonHook::new(Counting::new("m")).cache("/dev/zero").expect_err("no file");
    assert!(error.is_io(), "{error}");
}

#[test]
fn closures_say_what_shapes_their_reasons() {
    let (_directory, path) = directory();
    let closure = || ReasonHook::new(|_: ReasonRequest| "said of \"three\"");
    let error = closure().cache(&path).expect_err("no fingerprint");
    assert!(error.is_option(), "{error}");
    assert!(error.to_string().contains("`ReasonHook::fingerprint`"), "{error}");
    assert!(!path.exists());
    for (fingerprint, entries) in [("1", 1), ("1", 1), ("2", 2)] {
        let hook = closure().fingerprint(fingerprint).cache(&path).expect("a cache");
        let verdict = numbers().reason_hook(hook).judge(&case("\"three\"")).expect("a verdict");
        assert_eq!(verdict.reason(), Some("said of \"three\""));
        let text = fs::read_to_string(&path).expect("the file");
        assert_eq!(text.lines().count() - 1, entries);
    }
    // A reasoner that tells it may be told more in either order.
    let hook = || ReasonHook::new(Counting::new("m"));
    let before = hook().fingerprint("f").cache(&path).expect("a cache");
    let after = hook().cache(&path).expect("a cache").fingerprint("f");
    for hook in [before, after] {
        let _ = numbers().reason_hook(hook).judge(&case("\"three\"")).expect("a verdict");
    }
    assert_eq!(fs::read_to_string(&path).expect("the file").lines().count() - 1, 3);
}

/// Tells its fingerprint in a way of its own.
struct Telling(fn() -> Option<String>);

impl Reasoner for Telling {
    fn reason(&self, _: ReasonRequest) -> ReasonFuture {
        Box::pin(async { Ok("a reason".to_owned()) })
    }

    fn fingerprint(&self, request: &ReasonRequest) -> Option<String> {
        if request.violations.is_empty() { Some("at set-up".to_owned()) } else { self.0() }
    }
}

#[test]
fn a_broken_fingerprint_harms_nothing() {
    let rows: [fn() -> Option<String>; 3] = [
        || None,
        || panic!("no fingerprint"),
        || loop {
            thread::park();
        },
    ];
    for tell in rows {
        let (_directory, path) = directory();
        let hook = ReasonHook::new(Telling(tell)).timeout(Duration::from_secs(1));
        let hook = hook.cache(&path).expect("a cache");
        let verdict = numbers().reason_hook(hook).judge(&case("\"three\"")).expect("a verdict");
        assert_eq!(verdict.reason(), Some("a reason"));
        assert_eq!(fs::read_to_string(&path).expect("the file").lines().count(), 1);
    }
}

#[test]
fn built_in_reasons_are_not_kept() {
    let (_directory, path) = directory();
    let failing = ReasonHook::new(|_: ReasonRequest| Err::<String, _>(ReasonError::new("not today")));
    let hook = failing.fingerprint("f").cache(&path).expect("a cache");
    let verdict = numbers().reason_hook(hook).judge(&case("\"three\"")).expect("a verdict");
    assert_eq!(verdict.reason_source(), Some(ReasonSource::Fallback));
    let working = ReasonHook::new(|_: ReasonRequest| "words").fingerprint("f").cache(&path).expect("a cache");
    let verdict = numbers().reason_hook(working).judge(&case("\"three\"")).expect("a verdict");
    assert_eq!(verdict.reason(), Some("words"));
}

#[test]
fn a_kept_reason_waits_for_nothing() {
    let (_directory, path) = directory();
    judge(numbers(), &path, &case("\"three\"")).expect("a cache");
    // Its first call is for another case, and the next one could start in a year.
    let slow = ReasonHook::new(Counting::new("m")).throttle(Duration::from_secs(365 * 24 * 3600));
    let slow = numbers().reason_hook(slow.cache(&path).expect("a cache"));
    let _ = slow.judge(&case("\"four\"")).expect("a verdict");
    let verdict = slow.judge(&case("\"three\"")).expect("a verdict");
    assert_eq!(verdict.reason(), Some("said of \"three\""));

    // Its circuit is open for good, from the first case on.
    struct Refused;
    impl Reasoner for Refused {
        fn reason(&self, _: ReasonRequest) -> ReasonFuture {
            Box::pin(async { Err(ReasonError::new("401").fatal()) })
        }

        fn fingerprint(&self, _: &ReasonRequest) -> Option<String> {
            Some("m".to_owned())
        }
    }
    let refused = numbers().reason_hook(ReasonHook::new(Refused).cache(&path).expect("a cache"));
    for (output, source) in [
        ("\"five\"", ReasonSource::Fallback),
        ("\"three\"", ReasonSource::Hook),
        ("\"six\"", ReasonSource::Fallback),
    ] {
        let verdict = refused.judge(&case(output)).expect("a verdict");
        assert_eq!(verdict.reason_source(), Some(source), "{output}");
    }
}

#[test]
fn several_hooks_share_a_file() {
    const CASES: usize = 150;
    let (_directory, path) = directory();
    let outputs: Vec<String> = (0..CASES).map(|number| format!("\"n{number}\"")).collect();
    let run = |order: &[String]| {
        let counting = Counting::new("m");
        let hook = ReasonHook::new(counting.clone()).cache(&path).expect("a cache");
        let check = numbers().reason_hook(hook);
        for output in order {
            let verdict = check.judge(&case(output)).expect("a verdict");
            assert_eq!(verdict.reason(), Some(format!("said of {output}").as_str()));
        }
        counting.calls()
    };
    let backwards: Vec<String> = outputs.iter().rev().cloned().collect();
    let calls: Vec<usize> = thread::scope(|scope| {
        let runs: Vec<_> =
            [&outputs, &outputs, &backwards].map(|order| scope.spawn(|| run(order))).into_iter().collect();
        runs.into_iter().map(|run| run.join().expect("no panic")).collect()
    });
    let all: usize = calls.iter().sum();
    assert!((CASES..=3 * CASES).contains(&all), "{calls:?}");
    assert_eq!(run(&outputs), 0);
    let text = fs::read_to_string(&path).expect("the file");
    assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));

    // What another one writes while a hook is open is found too.
    let check = numbers().reason_hook(ReasonHook::new(Counting::new("m")).cache(&path).expect("a cache"));
    judge(numbers(), &path, &case("\"late\"")).expect("a cache");
    let before = fs::metadata(&path).expect("the file").len();
    let _ = check.judge(&case("\"late\"")).expect("a verdict");
    assert_eq!(fs::metadata(&path).expect("the file").len(), before);
}

#[test]
fn whatever_becomes_of_the_file_the_reasons_stand() {
    type Mishap = fn(&Path);
    let mishaps: [(&str, Mishap, bool); 4] = [
        ("removed", |path| fs::remove_file(path).expect("removed"), true),
        ("emptied", |path| fs::write(path, "").expect("emptied"), true),
        (
            "overwritten",
            |path| {
                fs::write(path, "somebody's notes, which are long enough to look like entries\n")
                    .expect("written");
            },
            false,
        ),
        (
            "in the way",
            |path| {
                fs::remove_file(path).expect("removed");
                fs::create_dir(path).expect("a directory");
            },
            false,
        ),
    ];
    for (what, mishap, goes_on) in mishaps {
        let (_directory, path) = directory();
        let counting = Counting::new("m");
        let check = numbers().reason_hook(ReasonHook::new(counting.clone()).cache(&path).expect("a cache"));
        let judge_all = |outputs: &[&str]| {
            for output in outputs {
                let verdict = check.judge(&case(output)).expect("a verdict");
                assert_eq!(verdict.reason(), Some(format!("said of {output}").as_str()), "{what}");
            }
        };
        judge_all(&["\"a\"", "\"b\""]);
        mishap(&path);
        judge_all(&["\"c\"", "\"a\"", "\"c\"", "\"b\""]);
        assert!((3..=6).contains(&counting.calls()), "{what}: {} calls", counting.calls());
        if goes_on {
            assert_eq!(judge(numbers(), &path, &case("\"c\"")).expect("a cache"), 0, "{what}");
        } else if path.is_file() {
            assert!(fs::read_to_string(&path).expect("the file").starts_with("somebody's notes"));
        }
    }
}

#[test]
fn a_validity_check_keeps_its_reasons_too() {
    // No schema, and an output that is not UTF-8.
    let (_directory, path) = directory();
    let case = TestCase::new("How many?", b"\xff\xfe{".as_slice());
    for calls in [1, 0] {
        assert_eq!(judge(JsonValidity::new().threshold(1.0), &path, &case).expect("a cache"), calls);
    }
}
