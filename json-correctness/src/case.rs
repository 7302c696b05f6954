//! What is judged.

use std::{borrow::Cow, fmt, str::Utf8Error, sync::Arc};

/// The text that a model returned, or a reference text, as bytes: models return what is not UTF-8
/// too, and that must end in a verdict.
///
/// Made from text, bytes, or a [`serde_json::Value`] (which is written as JSON). Cloning is cheap.
#[derive(Clone)]
pub struct Output(Content);

/// A text is known to be one: it is not looked at again for each metric.
#[derive(Clone)]
enum Content {
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
}

impl Output {
    /// The bytes as they came.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Content::Text(text) => text.as_bytes(),
            Content::Bytes(bytes) => bytes,
        }
    }

    /// The text, with U+FFFD for what is not UTF-8.
    #[must_use]
    pub fn to_text(&self) -> Cow<'_, str> {
        match &self.0 {
            Content::Text(text) => Cow::Borrowed(text),
            Content::Bytes(bytes) => String::from_utf8_lossy(bytes),
        }
    }

    /// The text, where it is UTF-8.
    pub(crate) fn as_text(&self) -> Result<&str, Utf8Error> {
        match &self.0 {
            Content::Text(text) => Ok(text),
            Content::Bytes(bytes) => std::str::from_utf8(bytes),
        }
    }
}

impl PartialEq for Output {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Output {}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_text().fmt(f)
    }
}

macro_rules! output_from {
    ($make:path: $($from:ty),*) => {
        $(impl From<$from> for Output {
            fn from(output: $from) -> Self {
                $make(output.as_ref())
            }
        })*
    };
}

output_from!(Output::of_text: &str, String, &String);
output_from!(Output::of_bytes: &[u8], Vec<u8>);

impl Output {
    fn of_text(text: &str) -> Self {
        Self(Content::Text(text.into()))
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::of_text(text),
            Err(_) => Self(Content::Bytes(bytes.into())),
        }
    }
}

impl From<Cow<'_, str>> for Output {
    fn from(text: Cow<'_, str>) -> Self {
        Self::from(text.as_ref())
    }
}

impl<const N: usize> From<&[u8; N]> for Output {
    fn from(bytes: &[u8; N]) -> Self {
        Self::of_bytes(bytes)
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
