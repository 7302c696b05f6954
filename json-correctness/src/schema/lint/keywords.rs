//! Keywords and formats that assert nothing, or something else than it seems.

use jsonschema::Draft;
use serde_json::Value;

use super::{Lint, Severity, Site, listed, nearest};
use crate::schema::format;

/// The keywords of the drafts, with the first and the last draft that has each, and the types of
/// values that it says something of; none stands for all.
const KEYWORDS: [(&str, Draft, Draft, &[&str]); 62] = {
    use Draft::{Draft4 as D4, Draft6 as D6, Draft7 as D7, Draft201909 as D19, Draft202012 as D20};
    const NUMBER: &[&str] = &["number", "integer"];
    const STRING: &[&str] = &["string"];
    const ARRAY: &[&str] = &["array"];
    const OBJECT: &[&str] = &["object"];
    [
        ("$ref", D4, D20, &[]),
        ("$schema", D4, D20, &[]),
        ("id", D4, D4, &[]),
        ("$id", D6, D20, &[]),
        ("$anchor", D19, D20, &[]),
        ("$defs", D4, D20, &[]),
        ("definitions", D4, D20, &[]),
        ("$comment", D4, D20, &[]),
        ("$vocabulary", D19, D20, &[]),
        ("$recursiveRef", D19, D19, &[]),
        ("$recursiveAnchor", D19, D19, &[]),
        ("$dynamicRef", D20, D20, &[]),
        ("$dynamicAnchor", D20, D20, &[]),
        ("title", D4, D20, &[]),
        ("description", D4, D20, &[]),
        ("default", D4, D20, &[]),
        ("examples", D4, D20, &[]),
        ("readOnly", D4, D20, &[]),
        ("writeOnly", D4, D20, &[]),
        ("deprecated", D4, D20, &[]),
        ("type", D4, D20, &[]),
        ("enum", D4, D20, &[]),
        ("const", D6, D20, &[]),
        ("allOf", D4, D20, &[]),
        ("anyOf", D4, D20, &[]),
        ("oneOf", D4, D20, &[]),
        ("not", D4, D20, &[]),
        ("if", D7, D20, &[]),
        ("then", D7, D20, &[]),
        ("else", D7, D20, &[]),
        ("multipleOf", D4, D20, NUMBER),
        ("maximum", D4, D20, NUMBER),
        ("exclusiveMaximum", D4, D20, NUMBER),
        ("minimum", D4, D20, NUMBER),
        ("exclusiveMinimum", D4, D20, NUMBER),
        ("maxLength", D4, D20, STRING),
        ("minLength", D4, D20, STRING),
        ("pattern", D4, D20, STRING),
        ("format", D4, D20, &["string", "number", "integer"]),
        ("contentMediaType", D4, D20, STRING),
        ("contentEncoding", D4, D20, STRING),
        ("contentSchema", D4, D20, STRING),
        ("items", D4, D20, ARRAY),
        ("prefixItems", D20, D20, ARRAY),
        ("additionalItems", D4, D19, ARRAY),
        ("unevaluatedItems", D19, D20, ARRAY),
        ("contains", D6, D20, ARRAY),
        ("minContains", D19, D20, ARRAY),
        ("maxContains", D19, D20, ARRAY),
        ("maxItems", D4, D20, ARRAY),
        ("minItems", D4, D20, ARRAY),
        ("uniqueItems", D4, D20, ARRAY),
        ("maxProperties", D4, D20, OBJECT),
        ("minProperties", D4, D20, OBJECT),
        ("required", D4, D20, OBJECT),
        ("properties", D4, D20, OBJECT),
        ("patternProperties", D4, D20, OBJECT),
        ("additionalProperties", D4, D20, OBJECT),
        ("unevaluatedProperties", D19, D20, OBJECT),
        ("propertyNames", D6, D20, OBJECT),
        ("dependentRequired", D19, D20, OBJECT),
        ("dependentSchemas", D19, D20, OBJECT),
    ]
};

/// Keywords of other dialects that people write, and what to write in their place.
const FOREIGN: [(&str, &str); 8] = [
    ("nullable", "it is OpenAPI's: write `\"type\": [\"string\", \"null\"]`"),
    ("discriminator", "it is OpenAPI's: a `const` in each branch of `oneOf` tells them apart"),
    ("example", "it is OpenAPI's: write `examples`, a list"),
    ("xml", "it is OpenAPI's"),
    ("externalDocs", "it is OpenAPI's"),
    ("extends", "it is draft 3's: write `allOf`"),
    ("divisibleBy", "it is draft 3's: write `multipleOf`"),
    ("disallow", "it is draft 3's: write `not`"),
];

/// Keywords that mean nothing without another one.
const PARTNERS: [(&str, &str); 4] =
    [("then", "if"), ("else", "if"), ("minContains", "contains"), ("maxContains", "contains")];

/// What may stand beside `$ref` up to draft 7 without being thought to assert anything.
const SILENT: [&str; 13] = [
    "$ref",
    "$schema",
    "id",
    "$id",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "definitions",
    "$defs",
    "readOnly",
    "writeOnly",
];

pub(super) fn lint(site: &Site<'_>, draft: Draft, lints: &mut Vec<Lint>) {
    beside_ref(site, draft, lints);
    for (keyword, value) in site.object {
        let at = site.pointer.key(keyword);
        let entry = KEYWORDS.iter().find(|(known, ..)| known == keyword);
        match entry {
            None if keyword == "dependencies" || keyword.starts_with("x-") => {}
            None => lints.push(unknown(keyword, &site.pointer)),
            Some((_, first, last, _)) if rank(draft) < rank(*first) || rank(draft) > rank(*last) => {
                let other = if rank(draft) < rank(*first) { *first } else { *last };
                let message = format!("`{keyword}` asserts nothing in {}", name(draft));
                let help = format!("it is a keyword of {}: name that draft under `$schema`", name(other));
                lints.push(Lint::warning("keyword-of-another-draft", &at, message).help(help));
            }
            Some((.., types)) => other_type(site, keyword, types, lints),
        }
        if let Some((_, partner)) = PARTNERS.iter().find(|(known, _)| known == keyword)
            && !site.object.contains_key(*partner)
        {
            let message = format!("`{keyword}` means nothing without `{partner}`");
            lints.push(Lint::warning("keyword-without-partner", &at, message));
        }
        if matches!(keyword.as_str(), "contentMediaType" | "contentEncoding" | "contentSchema")
            && !(rank(draft) <= rank(Draft::Draft7) && keyword != "contentSchema")
        {
            let message = format!("`{keyword}` is an annotation in {}: it is not asserted", name(draft));
            lints.push(Lint::note("annotation-only", &at, message));
        }
        if let ("format", Value::String(format)) = (keyword.as_str(), value) {
            unknown_format(site, draft, format, lints);
        }
    }
}

fn unknown(keyword: &str, place: &crate::text::Pointer) -> Lint {
    let at = place.key(keyword);
    let message = format!("`{keyword}` is no keyword");
    if let Some((_, help)) = FOREIGN.iter().find(|(known, _)| *known == keyword) {
        return Lint::warning("unknown-keyword", &at, message + ": it asserts nothing").help(*help);
    }
    match nearest(keyword, KEYWORDS.iter().map(|(known, ..)| *known)) {
        Some(meant) => Lint::error("misspelt-keyword", &at, message).help(format!("did you mean `{meant}`?")),
        None => Lint::warning("unknown-keyword", &at, message + ": it asserts nothing")
            .help("leave it out, or let its name begin with `x-`"),
    }
}

/// Up to draft 7 a reference stands alone.
fn beside_ref(site: &Site<'_>, draft: Draft, lints: &mut Vec<Lint>) {
    if rank(draft) > rank(Draft::Draft7) || !site.object.get("$ref").is_some_and(Value::is_string) {
        return;
    }
    let ignored: Vec<&str> =
        site.object.keys().map(String::as_str).filter(|keyword| !SILENT.contains(keyword)).collect();
    let ignored: Vec<&str> = ignored.into_iter().filter(|keyword| !keyword.starts_with("x-")).collect();
    if !ignored.is_empty() {
        let message = format!("{} beside `$ref` is ignored in {}", listed(ignored), name(draft));
        let lint = Lint::error("ignored-beside-ref", &site.pointer, message);
        lints.push(lint.help("write `\"allOf\": [{\"$ref\": …}]`, or name a newer draft under `$schema`"));
    }
}

/// A keyword that says nothing of any type that the schema allows.
fn other_type(site: &Site<'_>, keyword: &str, types: &[&str], lints: &mut Vec<Lint>) {
    let allowed: Vec<&str> = match site.object.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    // What is no type is said elsewhere.
    let known =
        |name: &&str| ["null", "boolean", "number", "integer", "string", "array", "object"].contains(name);
    if !allowed.iter().all(known) {
        return;
    }
    if !types.is_empty() && !allowed.is_empty() && !allowed.iter().any(|allowed| types.contains(allowed)) {
        let message = format!(
            "`{keyword}` says nothing of {}: it is for {}",
            listed(allowed),
            listed(types.iter().copied())
        );
        lints.push(Lint::warning("keyword-of-another-type", &site.pointer.key(keyword), message));
    }
}

/// What the drafts know between them.
const FORMATS: [&str; 19] = [
    "date",
    "date-time",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

fn unknown_format(site: &Site<'_>, draft: Draft, format: &str, lints: &mut Vec<Lint>) {
    if format::is_valid(draft, format, "").is_some() {
        return;
    }
    let message = format!("{} knows no format `{format}`: it asserts nothing", name(draft));
    let mut lint = Lint::new(Severity::Warning, "unknown-format", &site.pointer.key("format"), message);
    lint.help = Some(if FORMATS.contains(&format) {
        "a newer draft knows it: name one under `$schema`".to_owned()
    } else if let Some(meant) = nearest(format, FORMATS) {
        format!("did you mean `{meant}`?")
    } else if ["int32", "int64", "float", "double"].contains(&format) {
        "it is OpenAPI's: give `minimum` and `maximum`".to_owned()
    } else {
        format!(
            "say it by `pattern`; known formats are {}",
            FORMATS.map(|known| format!("`{known}`")).join(", ")
        )
    });
    lints.push(lint);
}

fn rank(draft: Draft) -> u8 {
    match draft {
        Draft::Draft4 => 4,
        Draft::Draft6 => 6,
        Draft::Draft7 => 7,
        Draft::Draft201909 => 8,
        _ => 9,
    }
}

fn name(draft: Draft) -> &'static str {
    match draft {
        Draft::Draft4 => "draft 4",
        Draft::Draft6 => "draft 6",
        Draft::Draft7 => "draft 7",
        Draft::Draft201909 => "draft 2019-09",
        _ => "draft 2020-12",
    }
}
