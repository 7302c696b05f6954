//! How far is the output from the reference, as a text?

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use serde_json::Value;

use super::{
    Measurement, Metric,
    compat::Compat,
    input::{Input, named, not_json, reference},
    options::Told,
};
use crate::{
    case::TestCase,
    compare::{Canonical, Distance},
    error::{Error, panic_message},
    score::{Direction, Score},
    text::{Extraction, Limits},
};

/// The edit distance between an output and the reference, once both are in one canonical form.
///
/// score = edits / max(length), over the Unicode scalar values of the canonical texts: 0 where the
/// output is the reference, 1 where nothing is alike or the output is not JSON. **Lower is better**:
/// the threshold is the highest distance that passes, and strict mode passes 0 alone.
///
/// The distance is the unrestricted Damerau-Levenshtein distance unless [`distance`](Self::distance)
/// sets another; the canonical form is [`Canonical::Jcs`], so the score is 0 exactly where
/// [`JsonEquality`](crate::JsonEquality) says equal.
///
/// After LangChain's `JsonEditDistanceEvaluator`.
///
/// ```
/// use json_correctness::{JsonEditDistance, Metric, TestCase};
///
/// let case = TestCase::new("", r#"{"b": 2, "a": 1}"#).expected_output(r#"{"a": 1, "b": 3}"#);
/// let verdict = JsonEditDistance::new().threshold(0.1).judge(&case)?;
/// assert_eq!(verdict.score(), Some(1.0 / 13.0));
/// assert!(verdict.passed());
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct JsonEditDistance {
    distance: Measure,
    canonical: Canonical,
    extraction: Extraction,
    compat: Option<Compat>,
    limits: Limits,
}

type Own = dyn Fn(&str, &str) -> f64 + Send + Sync;

#[derive(Clone)]
enum Measure {
    Edits(Distance),
    Own(Arc<Own>),
}

impl JsonEditDistance {
    /// The metric with its defaults: unrestricted Damerau-Levenshtein, RFC 8785, whole text, default
    /// limits.
    pub fn new() -> Self {
        Self {
            distance: Measure::Edits(Distance::default()),
            canonical: Canonical::default(),
            extraction: Extraction::Whole,
            compat: None,
            limits: Limits::default(),
        }
    }

    /// Sets the distance.
    pub fn distance(mut self, distance: Distance) -> Self {
        self.distance = Measure::Edits(distance);
        self
    }

    /// Sets a distance of your own: it is given the canonical texts of the output and the reference,
    /// and returns a number in [0, 1], 0 where they are the same. Any other number, NaN included, and a
    /// panic are an [`Error`] of [`Metric::measure`] ([`Error::is_hook`]).
    ///
    /// ```
    /// use json_correctness::{JsonEditDistance, Metric, TestCase};
    ///
    /// let metric = JsonEditDistance::new().distance_with(|found, expected| {
    ///     if found.len() == expected.len() { 0.0 } else { 1.0 }
    /// });
    /// let case = TestCase::new("", "[1]").expected_output("[2]");
    /// assert_eq!(metric.measure(&case)?.score.value(), 0.0);
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    pub fn distance_with(mut self, distance: impl Fn(&str, &str) -> f64 + Send + Sync + 'static) -> Self {
        self.distance = Measure::Own(Arc::new(distance));
        self
    }

    /// Sets the canonical form.
    pub fn canonical(mut self, canonical: Canonical) -> Self {
        self.canonical = canonical;
        self
    }

    /// Sets which part of the output is judged. The reference is always a whole text.
    pub fn extract(mut self, extraction: Extraction) -> Self {
        self.extraction = extraction;
        self
    }

    /// Scores by the rules of another library: [`Compat::LangChain`] takes white space, backticks and a
    /// fence off both texts, and compares them as [`Canonical::PythonDumps`] has them. Another mode is
    /// an [`Error`] of [`Metric::measure`].
    pub fn compat(mut self, mode: Compat) -> Self {
        self.compat = Some(mode);
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    fn between(&self, found: &str, expected: &str, case: &TestCase) -> Result<Score, Error> {
        let (distance, whose) = match &self.distance {
            Measure::Edits(distance) => {
                (distance.normalized(found, expected, &self.limits)?, "the edit distance")
            }
            Measure::Own(own) => {
                let called = catch_unwind(AssertUnwindSafe(|| own(found, expected)));
                let distance = called.map_err(|panic| {
                    Error::hook(format!(
                        "the distance function panicked on {}: {}",
                        named(case),
                        panic_message(panic.as_ref())
                    ))
                })?;
                (distance, "the distance function")
            }
        };
        Score::new(distance).ok_or_else(|| {
            Error::hook(format!(
                "{whose} returned {distance} on {}: it must return a number from 0 to 1",
                named(case)
            ))
        })
    }
}

impl Default for JsonEditDistance {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for JsonEditDistance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let distance: &dyn fmt::Debug = match &self.distance {
            Measure::Edits(distance) => distance,
            Measure::Own(_) => &"own",
        };
        f.debug_struct("JsonEditDistance")
            .field("distance", distance)
            .field("canonical", &self.canonical)
            .field("extraction", &self.extraction)
            .field("compat", &self.compat)
            .finish_non_exhaustive()
    }
}

impl Metric for JsonEditDistance {
    fn name(&self) -> &'static str {
        "json_edit_distance"
    }

    fn options(&self) -> Value {
        let distance = match &self.distance {
            Measure::Edits(Distance::DamerauLevenshtein) => None,
            Measure::Edits(Distance::OptimalStringAlignment) => Some("optimal_string_alignment"),
            Measure::Edits(Distance::Levenshtein) => Some("levenshtein"),
            Measure::Own(_) => Some("own function"),
        };
        let canonical = match self.canonical {
            Canonical::Jcs => None,
            Canonical::PythonDumps => Some("python_dumps"),
        };
        Told::new(self.extraction, self.compat, &self.limits)
            .and("distance", distance)
            .and("canonical", canonical)
            .into_value()
    }

    fn direction(&self) -> Direction {
        Direction::LowerIsBetter
    }

    /// # Errors
    ///
    /// The case has no reference, or one that is not JSON ([`Error::is_case`]); the distance costs more
    /// than [`Limits::max_distance_cost`] ([`Error::is_limit`]); an own function fails
    /// ([`Error::is_hook`]).
    fn measure(&self, case: &TestCase) -> Result<Measurement, Error> {
        Compat::among(self.compat, self.name(), &[Compat::LangChain])?;
        let expected = reference(case, self.name(), self.compat, &self.limits)?;
        let output = &case.actual_output;
        let input = Input::read_as(output, self.extraction, self.compat, &self.limits);
        let found = match &input.document {
            Ok(document) => document,
            Err(error) => {
                let violations = not_json(error, &output.to_text(), &self.limits);
                return Ok(input.measurement(Score::ONE, violations, []));
            }
        };
        let canonical = match self.compat {
            Some(Compat::LangChain) => Canonical::PythonDumps,
            _ => self.canonical,
        };
        let (found, expected) = (canonical.text(found.root()), canonical.text(expected.root()));
        let score = self.between(&found, &expected, case)?;
        let step = format!("canonical texts of {} and {} bytes", found.len(), expected.len());
        Ok(input.measurement(score, Vec::new(), [step]))
    }
}
