//! Does the output meet a JSON Schema?

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, OnceLock, PoisonError, RwLock},
};

use serde_json::{Map, Value};

use super::{
    Measurement, Metric,
    compat::Compat,
    input::{Input, Part, named, not_json},
    options::Told,
};
use crate::{
    case::TestCase,
    error::Error,
    schema::CompiledSchema,
    score::{self, Score},
    text::{Document, Extraction, Limits},
    violation::{Violation, ViolationKind},
};

/// Whether an output meets a JSON Schema.
///
/// score = 1 if the output is JSON that the schema accepts and writes no key twice, else 0; with
/// [`graded`](Self::graded) partial credit. Every violation is reported, at its place. The schema is
/// the case's own `json_schema`, or that of the metric for the cases that have none. Drafts 4, 6, 7,
/// 2019-09 and 2020-12 are judged, 2020-12 where `$schema` names none; `format` is asserted unless
/// [`formats`](Self::formats) turns that off. Each distinct schema is compiled once.
///
/// After LangChain's `JsonSchemaEvaluator` and `json_schema_match` of SAP AI Core.
///
/// ```
/// use json_correctness::{JsonSchemaMatch, Metric, TestCase};
/// use serde_json::json;
///
/// let metric = JsonSchemaMatch::new().schema(json!({
///     "type": "object",
///     "properties": { "name": { "type": "string" }, "age": { "type": "integer", "minimum": 66 } },
/// }));
/// let verdict = metric.judge(&TestCase::new("Who?", r#"{"name": "John", "age": 30}"#))?;
/// assert_eq!(verdict.score(), Some(0.0));
/// assert_eq!(verdict.violations()[0].pointer.as_str(), "/age");
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct JsonSchemaMatch {
    schema: Option<SchemaSource>,
    documents: Vec<(String, Value)>,
    formats: bool,
    graded: bool,
    extraction: Extraction,
    compat: Option<Compat>,
    limits: Limits,
    compiled: Compiled,
}

impl JsonSchemaMatch {
    /// The metric with its defaults: the schemas of the cases, formats asserted, binary score, whole
    /// text, default limits.
    pub fn new() -> Self {
        Self {
            schema: None,
            documents: Vec::new(),
            formats: true,
            graded: false,
            extraction: Extraction::Whole,
            compat: None,
            limits: Limits::default(),
            compiled: Compiled::default(),
        }
    }

    /// Sets the schema for the cases that have none of their own: a value, the text of a schema, or a
    /// [`CompiledSchema`]. A schema that does not compile is an [`Error`] of [`Metric::measure`].
    pub fn schema(mut self, schema: impl Into<SchemaSource>) -> Self {
        self.schema = Some(schema.into());
        self
    }

    /// Adds a schema that references with this URI mean. Nothing is ever fetched.
    pub fn document(mut self, uri: impl Into<String>, schema: Value) -> Self {
        self.documents.push((uri.into(), schema));
        self
    }

    /// Whether `format` is asserted; on by default. Off, it is a comment, as drafts 2019-09 and 2020-12
    /// have it.
    pub fn formats(mut self, asserted: bool) -> Self {
        self.formats = asserted;
        self
    }

    /// Turns partial credit on: see [`JsonCorrectness::graded`](crate::JsonCorrectness::graded).
    pub fn graded(mut self) -> Self {
        self.graded = true;
        self
    }

    /// Sets which part of the output is judged.
    pub fn extract(mut self, extraction: Extraction) -> Self {
        self.extraction = extraction;
        self
    }

    /// Scores by the rules of another library.
    ///
    /// [`Compat::LangChain`] takes white space, backticks and a fence off the text, asserts no format
    /// and lets a key be written twice; [`Compat::Autoevals`] does the latter two. Another mode is an
    /// [`Error`] of [`Metric::measure`].
    pub fn compat(mut self, mode: Compat) -> Self {
        self.compat = Some(mode);
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    fn compile(&self, source: &SchemaSource) -> Result<CompiledSchema, Error> {
        let schema = match &source.0 {
            Source::Compiled(schema) => return Ok(schema.clone()),
            Source::Value(schema) => Arc::clone(schema),
            Source::Text(text) => Arc::new(CompiledSchema::read(text, &self.limits)?),
        };
        let documents: Vec<(&str, &Value)> =
            self.documents.iter().map(|(uri, document)| (uri.as_str(), document)).collect();
        if self.formats && self.compat.is_none() {
            CompiledSchema::with_documents(&schema, &documents, &self.limits)
        } else {
            CompiledSchema::without_formats(&schema, &documents, &self.limits)
        }
    }

    fn schema_for(&self, case: &TestCase) -> Result<CompiledSchema, Error> {
        match (&case.json_schema, &self.schema) {
            (Some(schema), _) => self
                .compiled
                .get(schema, || self.compile(&SchemaSource(Source::Value(Arc::clone(schema)))))
                .map_err(|error| error.within(&named(case))),
            (None, Some(schema)) => self.compiled.fixed.get_or_init(|| self.compile(schema)).clone(),
            (None, None) => Err(Error::missing(format!(
                "{} has no json_schema, and json_schema_match was given none either",
                named(case)
            ))),
        }
    }

    fn violations(&self, schema: &CompiledSchema, document: &Document<'_>) -> Vec<Violation> {
        if schema.is_valid(document) {
            return Vec::new();
        }
        let mut violations = schema.violations(document, &self.limits);
        if self.compat.is_some() {
            let repeated = |found: &Violation| matches!(found.kind, ViolationKind::DuplicateKey { .. });
            violations.retain(|violation| !repeated(violation));
        }
        violations
    }
}

impl Default for JsonSchemaMatch {
    fn default() -> Self {
        Self::new()
    }
}

impl Metric for JsonSchemaMatch {
    fn name(&self) -> &'static str {
        "json_schema_match"
    }

    fn options(&self) -> Value {
        let schema = self.schema.as_ref().map(|schema| match &schema.0 {
            Source::Value(schema) => schema.as_ref().clone(),
            Source::Text(text) => text.as_str().into(),
            Source::Compiled(schema) => schema.schema().clone(),
        });
        let documents: Map<String, Value> = self.documents.iter().cloned().collect();
        Told::new(self.extraction, self.compat, &self.limits)
            .and("schema", schema)
            .and("document", (!documents.is_empty()).then_some(Value::Object(documents)))
            .and("formats", (!self.formats).then_some(false))
            .flag("graded", self.graded)
            .into_value()
    }

    fn schema_of(&self, case: &TestCase) -> Option<CompiledSchema> {
        self.schema_for(case).ok()
    }

    /// # Errors
    ///
    /// There is no schema, or it does not compile; the message names the place in the schema.
    fn measure(&self, case: &TestCase) -> Result<Measurement, Error> {
        Compat::among(self.compat, self.name(), &[Compat::LangChain, Compat::Autoevals])?;
        let schema = self.schema_for(case)?;
        let output = &case.actual_output;
        let input = if self.compat.is_some() {
            Input::read_as(output, self.extraction, self.compat, &self.limits)
        } else {
            let part = Part::find(output, self.extraction, &self.limits);
            let at_sight = |part: &Part<'_>| schema.is_valid_at_sight(part.text, part.span(), &self.limits);
            match &part {
                Ok(part) if at_sight(part) => return Ok(part.right("the schema accepts it at sight")),
                _ => Input::parse(part, &self.limits),
            }
        };
        let (violations, score) = match &input.document {
            Err(error) => (not_json(error, &output.to_text(), &self.limits), Score::ZERO),
            Ok(document) => {
                let violations = self.violations(&schema, document);
                let score = match violations.is_empty() {
                    false if self.graded => score::graded(document, &violations),
                    valid => Score::from(valid),
                };
                (violations, score)
            }
        };
        let step = match (&input.document, violations.len()) {
            (Err(_), _) => None,
            (Ok(_), 0) => Some("the schema accepts it".to_owned()),
            (Ok(_), count) => Some(format!("the schema refuses it, {count} violations")),
        };
        Ok(input.measurement(score, violations, step))
    }
}

/// A schema as [`JsonSchemaMatch::schema`] takes it: a [`serde_json::Value`], a text, or a
/// [`CompiledSchema`].
#[derive(Clone, Debug)]
pub struct SchemaSource(Source);

#[derive(Clone, Debug)]
enum Source {
    Value(Arc<Value>),
    Text(String),
    Compiled(CompiledSchema),
}

impl From<Value> for SchemaSource {
    fn from(schema: Value) -> Self {
        Self(Source::Value(Arc::new(schema)))
    }
}

impl From<&Value> for SchemaSource {
    fn from(schema: &Value) -> Self {
        schema.clone().into()
    }
}

impl From<&str> for SchemaSource {
    fn from(text: &str) -> Self {
        Self(Source::Text(text.to_owned()))
    }
}

impl From<String> for SchemaSource {
    fn from(text: String) -> Self {
        Self(Source::Text(text))
    }
}

impl From<CompiledSchema> for SchemaSource {
    fn from(schema: CompiledSchema) -> Self {
        Self(Source::Compiled(schema))
    }
}

/// Most distinct schemas of cases that are kept; others are compiled for each case.
const KEPT_SCHEMAS: usize = 1_000;

/// The schemas that were compiled so far. A clone of the metric starts anew, since its options may be
/// changed.
#[derive(Default)]
struct Compiled {
    fixed: OnceLock<Result<CompiledSchema, Error>>,
    of_cases: RwLock<OfCases>,
}

#[derive(Default)]
struct OfCases {
    by_schema: HashMap<Arc<Value>, Result<CompiledSchema, Error>>,
    /// The one that was asked for last, so that cases which share a schema need not hash it.
    last: Option<(Arc<Value>, Result<CompiledSchema, Error>)>,
}

impl Compiled {
    fn get(
        &self,
        schema: &Arc<Value>,
        compile: impl FnOnce() -> Result<CompiledSchema, Error>,
    ) -> Result<CompiledSchema, Error> {
        {
            let kept = self.of_cases.read().unwrap_or_else(PoisonError::into_inner);
            match &kept.last {
                Some((last, compiled)) if Arc::ptr_eq(last, schema) => return compiled.clone(),
                _ => {}
            }
        }
        let found = {
            let kept = self.of_cases.read().unwrap_or_else(PoisonError::into_inner);
            kept.by_schema.get(schema.as_ref()).cloned()
        };
        let is_new = found.is_none();
        let compiled = found.unwrap_or_else(compile);
        let mut kept = self.of_cases.write().unwrap_or_else(PoisonError::into_inner);
        if is_new && kept.by_schema.len() < KEPT_SCHEMAS {
            kept.by_schema.insert(Arc::clone(schema), compiled.clone());
        }
        kept.last = Some((Arc::clone(schema), compiled.clone()));
        compiled
    }
}

impl Clone for Compiled {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn score(metric: &JsonSchemaMatch, case: &TestCase) -> f64 {
        metric.measure(case).expect("a score").score.value()
    }

    #[test]
    fn the_schema_of_the_case_comes_first_and_each_is_compiled_once() {
        let metric = JsonSchemaMatch::new().schema("{\"type\": \"string\"}");
        let plain = TestCase::new("", "1");
        let own = plain.clone().json_schema(json!({ "type": "integer" }));
        let same = plain.clone().json_schema(json!({ "type": "integer" }));
        assert_eq!([&plain, &own, &same, &own].map(|case| score(&metric, case)), [0.0, 1.0, 1.0, 1.0]);
        assert_eq!(metric.compiled.of_cases.read().expect("not poisoned").by_schema.len(), 1);
    }

    #[test]
    fn a_bad_set_up_is_an_error_that_names_the_place() {
        let cases = [
            (JsonSchemaMatch::new(), "the case `7` has no json_schema"),
            (JsonSchemaMatch::new().schema("{'a': 1}"), "the schema is not JSON at 1:2"),
            (
                JsonSchemaMatch::new().schema(json!({ "properties": { "a": { "type": "int" } } })),
                "/properties/a/type",
            ),
            (
                JsonSchemaMatch::new().schema(json!(true)).compat(Compat::Lynxius),
                "json_schema_match has no compatibility mode `lynxius`",
            ),
        ];
        for (metric, expected) in cases {
            let error = metric.measure(&TestCase::new("", "1").id("7")).expect_err(expected);
            assert!(error.to_string().contains(expected), "{error}");
        }
        let own = TestCase::new("", "1").id("7").json_schema(json!({ "type": 3 }));
        let error = JsonSchemaMatch::new().measure(&own).expect_err("no schema");
        assert!(error.is_schema() && error.to_string().starts_with("the case `7`: "), "{error}");
    }
}
