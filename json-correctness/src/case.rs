//! What is judged.

use std::{borrow::Cow, fmt, sync::Arc};

/// The text that a model returned, or a reference text, as bytes: models return what is not UTF-8
/// too, and that must end in a verdict.
///
/// Made from text, bytes, or a [`serde_json::Value`] (which is written as JSON). Cloning is cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct Output(Arc<[u8]>);

impl Output {
    /// The bytes as they came.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text, with U+FFFD for what is not UTF-8.
    #[must_use]
    pub fn to_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_text().fmt(f)
    }
}

macro_rules! output_from_bytes {
    ($($from:ty),*) => {
        $(impl From<$from> for Output {
            fn from(text: $from) -> Self {
                Self(Arc::from(<_ as AsRef<[u8]>>::as_ref(&text)))
            }
        })*
    };
}

output_from_bytes!(&str, String, &String, &[u8], Vec<u8>);

impl From<Cow<'_, str>> for Output {
    fn from(text: Cow<'_, str>) -> Self {
        Self::from(text.as_ref())
    }
}

impl<const N: usize> From<&[u8; N]> for Output {
    fn from(bytes: &[u8; N]) -> Self {
        Self(Arc::from(bytes.as_slice()))
    }
}

impl From<serde_json::Value> for Output {
    fn from(value: serde_json::Value) -> Self {
        Self::from(value.to_string())
    }
}

impl From<&Output> for Output {
    fn from(output: &Output) -> Self {
        output.clone()
    }
}

/// One thing to judge: what a model was asked, what it returned, and what is known about the answer.
///
/// Only `actual_output` is needed by every metric; a metric that needs more says so with an
/// [`Error`](crate::Error).
///
/// ```
/// use json_correctness::TestCase;
///
/// let case = TestCase::new("Who is it?", r#"{"name": "Jane"}"#)
///     .id("person-1")
///     .expected_output(r#"{"name": "Jane Doe"}"#)
///     .tag("people");
/// assert_eq!(case.actual_output.to_text(), r#"{"name": "Jane"}"#);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestCase {
    /// Names the case in reports; unique within a run.
    pub id: Option<String>,
    /// What the model was asked.
    pub input: String,
    /// What the model returned.
    pub actual_output: Output,
    /// The reference, for the metrics that compare.
    pub expected_output: Option<Output>,
    /// The JSON Schema that the output must meet, for the metrics that take it from the case.
    pub json_schema: Option<Arc<serde_json::Value>>,
    /// Weights of the fields, for the metrics that weigh.
    pub weights: Option<Arc<serde_json::Value>>,
    /// A short title for reports.
    pub label: Option<String>,
    /// A link for reports.
    pub href: Option<String>,
    /// Names to filter by.
    pub tags: Vec<String>,
    /// Whatever else is known of the case; it comes back in the results of a run.
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

impl TestCase {
    /// A case from what the model was asked and what it returned.
    pub fn new(input: impl Into<String>, actual_output: impl Into<Output>) -> Self {
        Self {
            id: None,
            input: input.into(),
            actual_output: actual_output.into(),
            expected_output: None,
            json_schema: None,
            weights: None,
            label: None,
            href: None,
            tags: Vec::new(),
            metadata: serde_json::Map::new(),
        }
    }

    /// Sets the id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the reference.
    #[must_use]
    pub fn expected_output(mut self, expected_output: impl Into<Output>) -> Self {
        self.expected_output = Some(expected_output.into());
        self
    }

    /// Sets the JSON Schema that the output must meet.
    #[must_use]
    pub fn json_schema(mut self, json_schema: serde_json::Value) -> Self {
        self.json_schema = Some(Arc::new(json_schema));
        self
    }

    /// Sets the weights of the fields.
    #[must_use]
    pub fn weights(mut self, weights: serde_json::Value) -> Self {
        self.weights = Some(Arc::new(weights));
        self
    }

    /// Sets the title for reports.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Sets the link for reports.
    #[must_use]
    pub fn href(mut self, href: impl Into<String>) -> Self {
        self.href = Some(href.into());
        self
    }

    /// Adds a tag.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Adds something else that is known of the case.
    #[must_use]
    pub fn metadata(mut self, name: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
        self.metadata.insert(name.into(), value.into());
        self
    }
}
