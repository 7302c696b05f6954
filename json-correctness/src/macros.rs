//! Assertions for `cargo test`.

use crate::{
    case::{Output, TestCase},
    check::{Check, Verdict},
    error::Error,
    metric::{JsonCorrectness, JsonDiff, JsonEquality, Metric},
    reason::ReasonSource,
    report,
    schema::ExpectedSchema,
    text::Extraction,
};

/// Asserts that an output is JSON that deserializes into a type and meets its schema, and returns the
/// value.
///
/// On failure it panics with a report of everything that is wrong, each fault at its place in the
/// text. The output is text, bytes or a [`serde_json::Value`]. Like `assert_eq!` it takes a trailing
/// message with format arguments. `extract:` names the part of the output that must be correct
/// ([`Extraction`](crate::Extraction)); without it, it is the whole text.
/// [`try_assert_json_correct!`](crate::try_assert_json_correct) returns the verdict in place of a panic.
///
/// ```
/// use json_correctness::{Extraction, assert_json_correct};
///
/// let primes = assert_json_correct!(Vec<u32>, "[2, 3, 5]");
/// assert_eq!(primes, [2, 3, 5]);
/// assert_json_correct!(Vec<u32>, "[7]", "asked for primes above {}", 5);
/// assert_json_correct!(Vec<u32>, extract: Extraction::Embedded, "Sure! [7]");
/// ```
#[macro_export]
macro_rules! assert_json_correct {
    ($type:ty, extract: $extraction:expr, $output:expr $(,)?) => {
        $crate::__private::expect_correct::<$type>($extraction, $output, ::core::option::Option::None)
    };
    ($type:ty, extract: $extraction:expr, $output:expr, $($message:tt)+) => {
        $crate::__private::expect_correct::<$type>(
            $extraction,
            $output,
            ::core::option::Option::Some(::core::format_args!($($message)+)),
        )
    };
    ($type:ty, $output:expr $(,)?) => {
        $crate::assert_json_correct!($type, extract: $crate::Extraction::Whole, $output)
    };
    ($type:ty, $output:expr, $($message:tt)+) => {
        $crate::assert_json_correct!($type, extract: $crate::Extraction::Whole, $output, $($message)+)
    };
}

/// Like [`assert_json_correct!`](crate::assert_json_correct), but returns
/// `Result<T, Box<Verdict>>` where that one panics.
///
/// ```
/// use json_correctness::try_assert_json_correct;
///
/// let verdict = try_assert_json_correct!(Vec<u32>, "[2, 3,]").unwrap_err();
/// assert_eq!(verdict.violations()[0].code, "JC0007");
/// ```
///
/// # Panics
///
/// Only where the type itself is at fault: its schema does not compile.
#[macro_export]
macro_rules! try_assert_json_correct {
    ($type:ty, extract: $extraction:expr, $output:expr $(,)?) => {
        $crate::__private::try_correct::<$type>($extraction, $output)
    };
    ($type:ty, $output:expr $(,)?) => {
        $crate::__private::try_correct::<$type>($crate::Extraction::Whole, $output)
    };
}

/// Asserts that a case passes a [`Check`] (or a [`Metric`] with its default policy), and returns the
/// [`Verdict`].
///
/// On failure, or where the set-up is at fault, it panics with the report. It takes a trailing
/// message like `assert_eq!`.
///
/// ```
/// use json_correctness::{JsonCorrectness, TestCase, assert_passes};
///
/// let check = JsonCorrectness::<Vec<u32>>::new().threshold(0.9);
/// assert_passes!(check, &TestCase::new("Primes?", "[2, 3, 5]"));
/// ```
#[macro_export]
macro_rules! assert_passes {
    ($check:expr, $case:expr $(,)?) => {
        $crate::__private::expect_passes(&$check, $case, ::core::option::Option::None)
    };
    ($check:expr, $case:expr, $($message:tt)+) => {
        $crate::__private::expect_passes(
            &$check,
            $case,
            ::core::option::Option::Some(::core::format_args!($($message)+)),
        )
    };
}

/// Like [`assert_passes!`](crate::assert_passes), but returns `Result<Verdict, Box<Verdict>>`: the
/// verdict of a failed case is the error.
///
/// ```
/// use json_correctness::{JsonCorrectness, TestCase, try_assert_passes};
///
/// let case = TestCase::new("Primes?", "none");
/// let verdict = try_assert_passes!(JsonCorrectness::<Vec<u32>>::new(), &case).unwrap_err();
/// assert!(!verdict.passed());
/// ```
///
/// # Panics
///
/// Only where the set-up is at fault, such as a threshold of 1.5.
#[macro_export]
macro_rules! try_assert_passes {
    ($check:expr, $case:expr $(,)?) => {
        $crate::__private::try_passes(&$check, $case)
    };
}

/// Asserts that an output is the same JSON value as a reference, as
/// [`JsonEquality`](crate::JsonEquality) has it, and returns the [`Verdict`](crate::Verdict).
///
/// Both are text, bytes or a [`serde_json::Value`]. On failure it panics with every place that differs,
/// what the reference has there, and what was found. It takes a trailing message like `assert_eq!`.
///
/// ```
/// use json_correctness::assert_json_eq;
/// use serde_json::json;
///
/// assert_json_eq!(r#"{"b": 2.0, "a": 1}"#, json!({ "a": 1, "b": 2 }));
/// assert_json_eq!("[1, 2]", "[1,2]", "the {} run", "second");
/// ```
#[macro_export]
macro_rules! assert_json_eq {
    ($actual:expr, $expected:expr $(,)?) => {
        $crate::__private::expect_equal($actual, $expected, ::core::option::Option::None)
    };
    ($actual:expr, $expected:expr, $($message:tt)+) => {
        $crate::__private::expect_equal(
            $actual,
            $expected,
            ::core::option::Option::Some(::core::format_args!($($message)+)),
        )
    };
}

/// Like [`assert_json_eq!`](crate::assert_json_eq), but returns `Result<Verdict, Box<Verdict>>` where
/// that one panics.
///
/// ```
/// use json_correctness::try_assert_json_eq;
///
/// let verdict = try_assert_json_eq!("[1, 3]", "[1, 2]").unwrap_err();
/// assert_eq!(verdict.differences()[0].pointer.as_str(), "/1");
/// ```
///
/// # Panics
///
/// Only where the reference is not JSON.
#[macro_export]
macro_rules! try_assert_json_eq {
    ($actual:expr, $expected:expr $(,)?) => {
        $crate::__private::try_equal($actual, $expected)
    };
}

/// Asserts that an output is as similar to a reference as asked, as [`JsonDiff`](crate::JsonDiff)
/// measures it, and returns the [`Verdict`](crate::Verdict).
///
/// Both are text, bytes or a [`serde_json::Value`]. On failure it panics with every place that differs.
/// It takes a trailing message like `assert_eq!`.
///
/// ```
/// use json_correctness::assert_json_similar;
///
/// let actual = r#"{"name": "Jon", "age": 30}"#;
/// let verdict = assert_json_similar!(>= 0.8, actual, r#"{"name": "John", "age": 30}"#);
/// assert_eq!(verdict.score(), Some(0.875));
/// ```
#[macro_export]
macro_rules! assert_json_similar {
    (>= $least:expr, $actual:expr, $expected:expr $(,)?) => {
        $crate::__private::expect_similar($least, $actual, $expected, ::core::option::Option::None)
    };
    (>= $least:expr, $actual:expr, $expected:expr, $($message:tt)+) => {
        $crate::__private::expect_similar(
            $least,
            $actual,
            $expected,
            ::core::option::Option::Some(::core::format_args!($($message)+)),
        )
    };
}

/// Like [`assert_json_similar!`](crate::assert_json_similar), but returns
/// `Result<Verdict, Box<Verdict>>` where that one panics.
///
/// ```
/// use json_correctness::try_assert_json_similar;
///
/// assert!(try_assert_json_similar!(>= 0.4, "[1, 2]", "[1, 3]").is_ok());
/// assert!(try_assert_json_similar!(>= 0.95, "[1, 2]", "[1, 3]").is_err());
/// ```
///
/// # Panics
///
/// Only where the reference is not JSON, or the similarity asked for is outside [0, 1].
#[macro_export]
macro_rules! try_assert_json_similar {
    (>= $least:expr, $actual:expr, $expected:expr $(,)?) => {
        $crate::__private::try_similar($least, $actual, $expected)
    };
}

/// What can judge: a check, or a metric with the default policy.
pub trait Judge {
    /// Judges the case.
    ///
    /// # Errors
    ///
    /// A bad set-up.
    fn judge_case(&self, case: &TestCase) -> Result<Verdict, Error>;
}

impl<M: Metric> Judge for Check<M> {
    fn judge_case(&self, case: &TestCase) -> Result<Verdict, Error> {
        self.judge(case)
    }
}

impl<M: Metric> Judge for M {
    fn judge_case(&self, case: &TestCase) -> Result<Verdict, Error> {
        Check::new(self).judge(case)
    }
}

type Message<'a> = Option<std::fmt::Arguments<'a>>;

/// The value, or the failed verdict.
///
/// # Panics
///
/// Where the type's schema does not compile.
#[track_caller]
pub fn try_correct<T: ExpectedSchema>(
    extraction: Extraction,
    output: impl Into<Output>,
) -> Result<T, Box<Verdict>> {
    let output = output.into();
    let metric = JsonCorrectness::<T>::new().extract(extraction);
    match metric.examine(&output) {
        Ok((Some(value), _)) => Ok(value),
        Ok((None, measurement)) => Err(Box::new(Verdict::failed(metric.name(), measurement, output))),
        Err(error) => panic!("{error}"),
    }
}

/// The value.
///
/// # Panics
///
/// Where the output is not correct, with the report.
#[track_caller]
pub fn expect_correct<T: ExpectedSchema>(
    extraction: Extraction,
    output: impl Into<Output>,
    message: Message<'_>,
) -> T {
    match try_correct(extraction, output) {
        Ok(value) => value,
        Err(verdict) => panic!(
            "{}",
            failure(
                &format!("the output is not correct JSON for `{}`", crate::schema::type_name::<T>()),
                &verdict,
                message
            )
        ),
    }
}

/// The verdict of a case that passed, or else of one that failed.
///
/// # Panics
///
/// Where the set-up is at fault.
#[track_caller]
pub fn try_passes(check: &impl Judge, case: &TestCase) -> Result<Verdict, Box<Verdict>> {
    match check.judge_case(case) {
        Ok(verdict) if verdict.passed() => Ok(verdict),
        Ok(verdict) => Err(Box::new(verdict)),
        Err(error) => panic!("{error}"),
    }
}

/// The verdict of a case that passed.
///
/// # Panics
///
/// Where it did not, with the report.
#[track_caller]
pub fn expect_passes(check: &impl Judge, case: &TestCase, message: Message<'_>) -> Verdict {
    match try_passes(check, case) {
        Ok(verdict) => verdict,
        Err(verdict) => {
            let head = format!(
                "the case{} failed {}: score {}, threshold {}",
                case.id.as_deref().map(|id| format!(" `{id}`")).unwrap_or_default(),
                verdict.metric(),
                verdict.score().unwrap_or(0.0),
                verdict.threshold(),
            );
            panic!("{}", failure(&head, &verdict, message))
        }
    }
}

/// The verdict on an output that equals the reference, or else the failed one.
///
/// # Panics
///
/// Where the reference is not JSON.
#[track_caller]
pub fn try_equal(actual: impl Into<Output>, expected: impl Into<Output>) -> Result<Verdict, Box<Verdict>> {
    let case = TestCase::new("", actual).expected_output(expected);
    try_passes(&JsonEquality::new().threshold(1.0), &case)
}

/// The verdict on an output that equals the reference.
///
/// # Panics
///
/// Where it does not, with the report.
#[track_caller]
pub fn expect_equal(actual: impl Into<Output>, expected: impl Into<Output>, message: Message<'_>) -> Verdict {
    match try_equal(actual, expected) {
        Ok(verdict) => verdict,
        Err(verdict) => panic!("{}", failure("the output is not the expected JSON", &verdict, message)),
    }
}

/// The verdict on an output that is similar enough to the reference, or else the failed one.
///
/// # Panics
///
/// Where the set-up is at fault.
#[track_caller]
pub fn try_similar(
    least: f64,
    actual: impl Into<Output>,
    expected: impl Into<Output>,
) -> Result<Verdict, Box<Verdict>> {
    let case = TestCase::new("", actual).expected_output(expected);
    try_passes(&JsonDiff::new().threshold(least), &case)
}

/// The verdict on an output that is similar enough to the reference.
///
/// # Panics
///
/// Where it is not, with the report.
#[track_caller]
pub fn expect_similar(
    least: f64,
    actual: impl Into<Output>,
    expected: impl Into<Output>,
    message: Message<'_>,
) -> Verdict {
    match try_similar(least, actual, expected) {
        Ok(verdict) => verdict,
        Err(verdict) => {
            let head = format!(
                "the output is not similar enough to the expected JSON: {} of at least {least}",
                verdict.score().unwrap_or(0.0)
            );
            panic!("{}", failure(&head, &verdict, message))
        }
    }
}

/// The text of a panic.
fn failure(head: &str, verdict: &Verdict, message: Message<'_>) -> String {
    let count = verdict.violations().len();
    let plural = if count == 1 { "" } else { "s" };
    let message = message.map(|message| format!(": {message}")).unwrap_or_default();
    let mut text = format!("{head}{message}\n\n");
    if !verdict.differences().is_empty() {
        text.push_str(&verdict.report(report::use_color()));
    } else if count == 0 {
        text.push_str(&report::for_terminal(verdict.reason().unwrap_or_default()));
    } else {
        text.push_str(&verdict.report(report::use_color()));
        text.push_str(&format!("\n\n{count} violation{plural}"));
    }
    match verdict.reason_source() {
        // A hook's wording comes beside the report, since it may leave things out.
        Some(ReasonSource::Hook) => {
            let reason = report::for_terminal_line(verdict.reason().unwrap_or_default());
            text.push_str(&format!("\nreason: {reason}"));
        }
        Some(ReasonSource::Fallback) => {
            let error = report::for_terminal_line(verdict.reason_error().unwrap_or_default());
            text.push_str(&format!("\nnote: the reason hook failed: {error}"));
        }
        _ => {}
    }
    text
}
