//! Does the output deserialize into the type, and meet its schema?

use std::{fmt, marker::PhantomData};

use serde_json::Value;

use super::{
    Measurement, Metric,
    input::{Input, Part, not_json},
    options::Told,
};
use crate::{
    case::{Output, TestCase},
    error::Error,
    schema::{self, ExpectedSchema},
    score::{self, Score},
    text::{Extraction, Limits},
};

/// Whether an output deserializes into `T` and meets the schema of `T`.
///
/// score = 1 if it does both, else 0. Lists, maps, tuples, options and scalars are ordinary `T`s:
/// `JsonCorrectness::<Vec<Ticket>>` needs no wrapper type. The whole text must be the JSON value,
/// unless an [`Extraction`] is asked for. With [`graded`](Self::graded) scoring an output that parses
/// gets partial credit.
///
/// After DeepEval's `JsonCorrectnessMetric`, which it replaces: threshold 0.5, strict mode,
/// reasons and verbose mode are options of the [`Check`](crate::Check); no model is needed for a
/// reason, an empty output is a failure and not an error, and every fault is reported.
///
/// ```
/// use json_correctness::{ExpectedSchema, JsonCorrectness, Metric, TestCase};
/// use serde::Deserialize;
///
/// #[derive(Deserialize, ExpectedSchema)]
/// struct Ticket {
///     customer_name: String,
///     #[expected(format = "email")]
///     customer_email: String,
/// }
///
/// let case = TestCase::new("Extract the ticket.", r#"{"name": "Alex", "customer_email": "none"}"#);
/// let verdict = JsonCorrectness::<Ticket>::new().judge(&case)?;
/// assert!(!verdict.passed());
/// let codes: Vec<&str> = verdict.violations().iter().map(|violation| violation.code).collect();
/// assert_eq!(codes, ["JC0102", "JC0207"]);
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[must_use]
pub struct JsonCorrectness<T> {
    extraction: Extraction,
    graded: bool,
    strict: bool,
    limits: Limits,
    of_type: PhantomData<fn() -> T>,
}

impl<T: ExpectedSchema> JsonCorrectness<T> {
    /// The metric with its defaults: whole text, binary score, default limits.
    pub fn new() -> Self {
        Self {
            extraction: Extraction::Whole,
            graded: false,
            strict: false,
            limits: Limits::default(),
            of_type: PhantomData,
        }
    }

    /// Sets which part of the output is judged.
    pub fn extract(mut self, extraction: Extraction) -> Self {
        self.extraction = extraction;
        self
    }

    /// Turns partial credit on: 1 exactly when correct, 0 when the text is not JSON, and else the
    /// share of the document that is right, weighed by structure: the mean over the fields of an
    /// object and the elements of an array, where a wrong, missing, unknown or doubled one counts 0.
    /// One more fault never raises it. An output with more violations than
    /// [`Limits::max_violations`] scores 0.
    pub fn graded(mut self) -> Self {
        self.graded = true;
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Measures one output, and returns the value it deserializes into, if it is correct.
    pub(crate) fn examine(&self, output: &Output) -> Result<(Option<T>, Measurement), Error> {
        let part = Part::find(output, self.extraction, &self.limits);
        if let Ok(part) = &part
            && let Some(value) =
                schema::value_at_sight::<T>(part.text, part.span(), self.strict, &self.limits)?
        {
            return Ok((Some(value), part.right("the schema and the type accept it at sight")));
        }
        let input = Input::parse(part, &self.limits);
        let document = match &input.document {
            Ok(document) => document,
            Err(error) => {
                let violations = not_json(error, &output.to_text(), &self.limits);
                return Ok((None, input.measurement(Score::ZERO, violations, [])));
            }
        };
        let judged = schema::judge::<T>(document, self.strict, &self.limits)?;
        let score = match &judged.value {
            Some(_) => Score::ONE,
            None if self.graded => score::graded(document, &judged.violations),
            None => Score::ZERO,
        };
        let step = judged.step();
        Ok((judged.value, input.measurement(score, judged.violations, [step])))
    }
}

impl<T: ExpectedSchema> Metric for JsonCorrectness<T> {
    fn name(&self) -> &'static str {
        "json_correctness"
    }

    fn options(&self) -> Value {
        Told::new(self.extraction, None, &self.limits)
            .and("type", Some(schema::type_name::<T>()))
            .flag("graded", self.graded)
            .into_value()
    }

    fn measure(&self, case: &TestCase) -> Result<Measurement, Error> {
        self.examine(&case.actual_output).map(|(_, measurement)| measurement)
    }

    fn schema_of(&self, _: &TestCase) -> Option<schema::CompiledSchema> {
        schema::compiled_for::<T>(self.strict, &self.limits).ok()
    }

    fn set_strict_mode(&mut self, strict: bool) {
        self.strict = strict;
    }
}

impl<T: ExpectedSchema> Default for JsonCorrectness<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for JsonCorrectness<T> {
    fn clone(&self) -> Self {
        Self { limits: self.limits.clone(), ..*self }
    }
}

impl<T> fmt::Debug for JsonCorrectness<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonCorrectness")
            .field("type", &std::any::type_name::<T>())
            .field("extraction", &self.extraction)
            .field("graded", &self.graded)
            .field("strict", &self.strict)
            .finish_non_exhaustive()
    }
}
