//! What describes a value without constraining it.

use crate::attr::{Errors, Item};

use super::{
    Given, Source,
    given::{array, put},
};
use crate::value::Value;

pub(crate) const DESCRIPTIONS: &[&str] = &["title", "description", "examples"];

/// What describes a value without constraining it.
#[derive(Default)]
pub(crate) struct Description {
    pub(crate) title: Option<Given<String>>,
    pub(crate) description: Option<Given<String>>,
    pub(crate) examples: Option<Given<Vec<Value>>>,
}

impl Description {
    pub(crate) fn take(&mut self, item: &Item, errors: &mut Errors) -> bool {
        match item.key.as_str() {
            "title" => {
                if let Some((text, _)) = item.text("title = \"..\"", errors) {
                    put(&mut self.title, text, item, Source::Expected, errors);
                }
            }
            "description" => {
                if let Some((text, _)) = item.text("description = \"..\"", errors) {
                    put(&mut self.description, text, item, Source::Expected, errors);
                }
            }
            "examples" => {
                if let Some(tokens) = item.value("examples = [\"a\", \"b\"]", errors)
                    && let Some(values) = array(tokens, "examples = [\"a\", \"b\"]", item.span, errors)
                {
                    put(&mut self.examples, values, item, Source::Expected, errors);
                }
            }
            _ => return false,
        }
        true
    }
}
