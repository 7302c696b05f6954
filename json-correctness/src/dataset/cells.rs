//! From cells to a case.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Map, Value, value::RawValue};

use super::{
    columns::{Columns, Field},
    row::{Fault, Row},
};
use crate::{
    case::{Output, TestCase},
    text::Node,
};

/// One cell.
#[derive(Clone, Copy)]
pub(crate) enum Cell<'r> {
    /// A text, as CSV has it.
    Text(&'r str),
    /// A JSON value.
    Node(Node<'r>),
    /// A JSON value as it is written.
    Raw(&'r RawValue),
}

impl Cell<'_> {
    /// Whether nothing was given: null, or an empty cell of CSV.
    fn is_absent(self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Node(node) => node.is_null(),
            Self::Raw(json) => json.get() == "null",
        }
    }

    /// What stands in the file.
    fn written(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Node(node) => node.source(),
            Self::Raw(json) => json.get(),
        }
    }

    /// A text; of a JSON value that is no string, the JSON itself.
    fn text(&self) -> Result<Cow<'_, str>, String> {
        match self {
            Self::Node(node) => Ok(Cow::Borrowed(node.as_str().unwrap_or_else(|| node.source()))),
            Self::Raw(json) if json.get().starts_with('"') => {
                serde_json::from_str(json.get()).map(Cow::Owned).map_err(|error| error.to_string())
            }
            _ => Ok(Cow::Borrowed(self.written())),
        }
    }

    /// An output: a string is its text, any other JSON value is the output itself.
    fn output(&self) -> Result<Output, String> {
        match self {
            // As bytes, since the string may hold half a surrogate pair, which no text can.
            Self::Raw(json) if json.get().starts_with('"') => serde_json::from_str::<Bytes>(json.get())
                .map(|bytes| Output::from(bytes.0))
                .map_err(|error| error.to_string()),
            _ => self.text().map(Output::from),
        }
    }

    /// A JSON value, or the text of one.
    fn value(&self) -> Result<Value, String> {
        serde_json::from_str(&self.text()?).map_err(|error| format!("it is not JSON: {error}"))
    }

    /// What becomes of a cell that no field takes.
    fn metadata(&self) -> Result<Value, String> {
        match self {
            Self::Text(text) => Ok((*text).into()),
            Self::Node(node) => Ok(node.to_value()),
            Self::Raw(json) => serde_json::from_str(json.get()).map_err(|error| error.to_string()),
        }
    }

    /// The tags: a list, or one text with commas or semicolons between them.
    fn tags(&self) -> Result<Vec<String>, String> {
        let text = self.text()?;
        if text.trim_start().starts_with('[') {
            return serde_json::from_str(&text)
                .map_err(|error| format!("the tags are no list of texts: {error}"));
        }
        Ok(text.split([',', ';']).map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect())
    }
}

/// The bytes of a JSON string.
struct Bytes(Vec<u8>);

impl<'de> serde::Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Bytes;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
            fn visit_str<E>(self, text: &str) -> Result<Bytes, E> {
                Ok(Bytes(text.as_bytes().to_vec()))
            }
        }
        deserializer.deserialize_bytes(Visitor)
    }
}

/// Makes cases of cells. Rows that share a schema or weights share them in memory too.
#[derive(Default)]
pub(crate) struct Cases {
    schema: Shared,
    weights: Shared,
}

/// The value that was read last, with its text.
#[derive(Default)]
struct Shared(Option<(String, Arc<Value>)>);

impl Shared {
    fn get(&mut self, cell: Cell<'_>) -> Result<Arc<Value>, String> {
        let written = cell.written();
        if let Some((last, value)) = &self.0
            && last == written
        {
            return Ok(Arc::clone(value));
        }
        let value = Arc::new(cell.value()?);
        self.0 = Some((written.to_owned(), Arc::clone(&value)));
        Ok(value)
    }
}

impl Cases {
    /// The row of these cells.
    pub(crate) fn row<'r>(
        &mut self,
        columns: &Columns,
        cells: impl Iterator<Item = (&'r str, Cell<'r>)>,
    ) -> Row {
        let mut case = TestCase::new("", "");
        let mut metadata = Map::new();
        let mut output = None;
        let mut fault = None;
        for (column, cell) in cells {
            let field = columns.field(column);
            let is_output = field == Some(Field::ActualOutput);
            // An empty cell of CSV is an empty output: models return nothing, too.
            let absent = cell.is_absent() && !(is_output && matches!(cell, Cell::Text(_)));
            if absent {
                continue;
            }
            let set = match field {
                None => cell.metadata().map(|value| drop(metadata.insert(column.to_owned(), value))),
                Some(Field::Id) => cell.text().map(|id| case.id = Some(id.into_owned())),
                Some(Field::Input) => cell.text().map(|input| case.input = input.into_owned()),
                Some(Field::ActualOutput) => cell.output().map(|found| output = Some(found)),
                Some(Field::ExpectedOutput) => {
                    cell.output().map(|expected| case.expected_output = Some(expected))
                }
                Some(Field::JsonSchema) => {
                    self.schema.get(cell).map(|schema| case.json_schema = Some(schema))
                }
                Some(Field::Weights) => self.weights.get(cell).map(|weights| case.weights = Some(weights)),
                Some(Field::Label) => cell.text().map(|label| case.label = Some(label.into_owned())),
                Some(Field::Href) => cell.text().map(|href| case.href = Some(href.into_owned())),
                Some(Field::Tags) => cell.tags().map(|tags| case.tags = tags),
            };
            if let Err(error) = set {
                fault.get_or_insert_with(|| Fault::Unreadable(format!("its column `{column}`: {error}")));
            }
        }
        case.metadata = metadata;
        match output {
            Some(output) => case.actual_output = output,
            None => {
                let column = columns.column(Field::ActualOutput);
                fault.get_or_insert_with(|| Fault::Nothing(format!("the row has no {column}")));
            }
        }
        Row { fault, ..Row::from(case) }
    }
}
