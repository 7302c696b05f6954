//! JSON for files and programs, harmless where a person looks at it in a terminal all the same.

use serde_json::ser::PrettyFormatter;

use crate::{evaluate::Evaluation, text::written};

impl Evaluation {
    /// The evaluation as indented JSON, with a line feed at its end.
    ///
    /// Its form is that of [`json_schema::<Evaluation>()`](crate::json_schema); characters that could
    /// move a cursor, turn the reading direction or hide themselves are written as escapes.
    #[must_use]
    pub fn to_json(&self) -> String {
        written(self, PrettyFormatter::new()) + "\n"
    }
}
