//! What is wrong with a schema, though it may compile: what it says and does not do, and what it lets
//! pass.

mod fields;
mod instance;
mod keywords;
mod loose;
mod patterns;
mod place;

use std::fmt;

use jsonschema::Draft;
use serde::Serialize;
use serde_json::Value;

use super::{compiled::CompiledSchema, dialect::draft_of, meta};
use crate::text::{Limits, Pointer};

use self::place::Site;
pub(super) use self::place::resolve;

/// How bad a [`Lint`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// Good to know.
    Note,
    /// Outputs may pass that should not.
    Warning,
    /// The schema does not do what it says.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// One thing that is wrong with a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[must_use]
#[non_exhaustive]
pub struct Lint {
    /// How bad it is.
    pub severity: Severity,
    /// Stable name in kebab case, such as `unknown-format`.
    pub name: &'static str,
    /// The place in the schema.
    pub pointer: Pointer,
    /// One sentence without a full stop. Holds text of the schema.
    pub message: String,
    /// How to mend it, where that is known.
    pub help: Option<String>,
}

impl Lint {
    fn new(severity: Severity, name: &'static str, pointer: &Pointer, message: impl Into<String>) -> Self {
        Self { severity, name, pointer: pointer.clone(), message: message.into(), help: None }
    }

    fn error(name: &'static str, pointer: &Pointer, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, name, pointer, message)
    }

    fn warning(name: &'static str, pointer: &Pointer, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, name, pointer, message)
    }

    fn note(name: &'static str, pointer: &Pointer, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, name, pointer, message)
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_root() { "(root)" } else { self.pointer.as_str() };
        write!(f, "{}[{}] at {place}: {}", self.severity, self.name, self.message)
    }
}

/// Most findings of one name: a schema that repeats one mistake a thousand times is told once more.
const MOST_OF_A_NAME: usize = 50;

/// Looks for what is wrong with a schema: whether it compiles, what in it is not asserted, what it
/// requires and forbids at once, and what it lets pass that it should not. For the last, instances that
/// the schema accepts (those given as `examples`, those in the schema's own `examples`, and some that
/// are made from it) are changed in one place each: a field dropped, a key misspelt, a value of another
/// type, a field added. What still passes is reported.
///
/// The worst come first, then by place. Nothing of the schema is fetched or run.
///
/// | name | severity | |
/// |---|---|---|
/// | `does-not-compile` | error | no draft takes it as a schema, or it is beyond a limit |
/// | `misspelt-keyword` | error | a keyword that is not one, but nearly: it asserts nothing |
/// | `ignored-beside-ref` | error | up to draft 7 what stands beside `$ref` is ignored |
/// | `required-but-forbidden` | error | a field that no output can have and must have |
/// | `example-fails` | error | an example that the schema refuses |
/// | `accepts-everything` | error | every value passes |
/// | `unknown-keyword`, `keyword-of-another-draft` | warning | a keyword that asserts nothing in this draft |
/// | `keyword-of-another-type` | warning | a keyword that says nothing of the type beside it |
/// | `keyword-without-partner` | warning | such as `then` without `if` |
/// | `unknown-format` | warning | a `format` that nothing is known of: it asserts nothing |
/// | `unknown-required` | warning | `required` names a field that is not described |
/// | `needs-backtracking` | warning | a pattern that stays undecided on long strings |
/// | `nothing-required`, `additional-properties`, `misspelt-key`, `any-type` | warning | what a changed instance showed |
/// | `annotation-only`, `unanchored-pattern`, `optional-fields`, `not-examined` | note | good to know |
///
/// ```
/// use json_correctness::{Limits, lint_schema};
/// use serde_json::json;
///
/// let schema = json!({ "type": "object", "propertes": { "name": { "type": "string" } } });
/// let lints = lint_schema(&schema, &[], &Limits::default());
/// assert_eq!(lints[0].to_string(), "error[misspelt-keyword] at /propertes: `propertes` is no keyword");
/// assert_eq!(lints[0].help.as_deref(), Some("did you mean `properties`?"));
/// ```
#[must_use]
pub fn lint_schema(schema: &Value, examples: &[Value], limits: &Limits) -> Vec<Lint> {
    let mut lints = Vec::new();
    let draft = draft_of(schema).unwrap_or(Draft::Draft202012);
    let compiled = match CompiledSchema::new(schema, limits) {
        Ok(compiled) => Some(compiled),
        Err(error) if error.is_limit() => {
            // What is beyond the limits is not walked either.
            let lint = Lint::error("does-not-compile", &Pointer::root(), error.to_string());
            return vec![lint.help("raise the limit, or split the schema")];
        }
        Err(error) => {
            let found = meta::against_meta_schema(schema, draft, limits);
            if found.is_empty() {
                lints.push(Lint::error("does-not-compile", &Pointer::root(), error.to_string()));
            }
            lints.extend(found.into_iter().map(|found| Lint {
                help: found.suggestion,
                ..Lint::error("does-not-compile", &found.pointer, found.message)
            }));
            None
        }
    };
    let sites = place::sites(schema);
    for site in &sites {
        keywords::lint(site, draft, &mut lints);
        patterns::lint(site, limits, &mut lints);
    }
    fields::lint(schema, &sites, limits, &mut lints);
    if let Some(compiled) = compiled {
        loose::lint(schema, &compiled, examples, limits, &mut lints);
    }
    sorted(lints, limits)
}

fn sorted(mut lints: Vec<Lint>, limits: &Limits) -> Vec<Lint> {
    lints.sort_by(|a, b| {
        (b.severity, &a.pointer, a.name, &a.message).cmp(&(a.severity, &b.pointer, b.name, &b.message))
    });
    lints.dedup();
    let mut counts = std::collections::HashMap::new();
    lints.retain(|lint| {
        let count = counts.entry(lint.name).or_insert(0);
        *count += 1;
        *count <= MOST_OF_A_NAME
    });
    for lint in &mut lints {
        crate::violation::cut(&mut lint.message, limits.max_message_bytes);
        if let Some(help) = &mut lint.help {
            crate::violation::cut(help, limits.max_message_bytes);
        }
    }
    lints
}

/// The known name that is most like the given one, if one is like it at all.
fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    known
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase()), known))
        .filter(|(distance, known)| *distance * 4 <= known.len().max(name.len()))
        .min()
        .map(|(_, known)| known)
}

/// A list of names in a sentence, the first ten of them.
fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let mut text: Vec<String> = names.iter().take(10).map(|name| format!("`{name}`")).collect();
    if names.len() > 10 {
        text.push(format!("{} more", names.len() - 10));
    }
    text.join(", ")
}

#[cfg(test)]
mod tests;
