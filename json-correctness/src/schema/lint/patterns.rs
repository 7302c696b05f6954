//! Patterns that cost much, or say less than it seems.

use serde_json::Value;

use super::{Lint, Site};
use crate::{schema::pattern::Pattern, text::Limits};

pub(super) fn lint(site: &Site<'_>, limits: &Limits, lints: &mut Vec<Lint>) {
    let mut found = Vec::new();
    if let Some(Value::String(pattern)) = site.object.get("pattern") {
        found.push((pattern, site.pointer.key("pattern")));
        if !pattern.contains(['^', '$']) && Pattern::compile(pattern, limits).is_ok() {
            let message = format!("the pattern `{pattern}` matches anywhere in a text");
            let lint = Lint::note("unanchored-pattern", &site.pointer.key("pattern"), message);
            lints.push(lint.help(format!("where the whole text is meant, write `^(?:{pattern})$`")));
        }
    }
    if let Some(Value::Object(members)) = site.object.get("patternProperties") {
        found.extend(members.keys().map(|key| (key, site.pointer.key("patternProperties").key(key))));
    }
    for (source, at) in found {
        if Pattern::compile(source, limits).is_ok_and(|pattern| pattern.backtracks()) {
            let message = format!(
                "the pattern `{source}` needs backtracking: it stays undecided on texts of more than {} bytes",
                limits.max_backtracking_bytes
            );
            let lint = Lint::warning("needs-backtracking", &at, message);
            lints.push(lint.help("write it without look-around and back-references"));
        }
    }
}
