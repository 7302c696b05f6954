//! A row of a JSON file, parsed.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::cells::Cell;
use crate::text::{Document, Limits, Position};

/// The columns and cells of a row.
pub(crate) enum Object<'r> {
    Parsed(Document<'r>),
    /// A row with something in a cell that no document can hold, such as half a surrogate pair: that is
    /// for the checks to judge.
    Raw(Members<'r>),
}

impl<'r> Object<'r> {
    /// Reads a row, or says why it is none.
    pub(crate) fn read(bytes: &'r [u8], limits: &Limits) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| format!("it is not UTF-8 from byte {} of it on", error.valid_up_to()))?
            // Else a row that is cut off would be said to end on the line behind it.
            .trim_end_matches(['\n', '\r']);
        let document = match Document::parse(text, limits) {
            Ok(document) => document,
            Err(error) => {
                return serde_json::from_str(text).map(Self::Raw).map_err(|_| {
                    let Position { line, column } = Position::of(text, error.span.start);
                    let line = if line > 1 { format!(", line {line}") } else { String::new() };
                    let detail = if error.detail.is_empty() { "" } else { ": " };
                    let said = format!("{}{detail}{}", error.slip.summary(), error.detail);
                    // The words are those for outputs.
                    let said = said.replace("the output", "the row");
                    format!("{said} (its column {column}{line})")
                });
            }
        };
        if !text.trim_start().starts_with('{') {
            return Err(format!(
                "it is {}, and not a JSON object",
                document.root().json_type().with_article()
            ));
        }
        let twice = document.duplicates().iter().find(|twice| twice.pointer.tokens().count() == 1);
        if let Some(twice) = twice {
            return Err(format!("the column `{}` stands twice in it", twice.key));
        }
        Ok(Self::Parsed(document))
    }

    /// The columns with their cells, in the order of the text.
    pub(crate) fn cells(&self) -> Vec<(&str, Cell<'_>)> {
        match self {
            Self::Parsed(document) => {
                document.root().members().map(|member| (member.key, Cell::Node(member.value))).collect()
            }
            Self::Raw(Members(members)) => {
                members.iter().map(|(column, cell)| (column.as_str(), Cell::Raw(cell))).collect()
            }
        }
    }
}

/// The members of a JSON object, their values as they are written.
pub(crate) struct Members<'r>(Vec<(String, &'r RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::with_capacity(8);
                while let Some(key) = map.next_key::<String>()? {
                    members.push((key, map.next_value()?));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}
