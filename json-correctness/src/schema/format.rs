//! Formats of strings: the standard ones, and what a type's own parser takes under their names.
//!
//! A schema of a type is judged in two forms. By default the type's parser decides what a date or a
//! URL is, so the formats which schemas of types carry are only held to what no parser could take
//! (the *lenient* form). In strict mode the format itself decides. Both forms are copies of the schema
//! in which those formats bear an internal name; [`public_name`] turns it back.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{OnceLock, PoisonError, RwLock},
};

use jsonschema::{Draft, Validator, json::Json};
use serde_json::{Value, json};

use super::judge::Documents;

const LENIENT: &str = "x-type-";
const STRICT: &str = "x-strict-";

pub(crate) type Check = fn(&str) -> bool;

/// A format that schemas of types carry: its name, what no parser of any type refuses to look at, and
/// the strict check where JSON Schema defines none.
struct TypeFormat {
    name: &'static str,
    lenient: Check,
    strict: Option<Check>,
}

/// What schemars writes for the types of std, chrono, jiff, uuid and url.
const TYPE_FORMATS: [TypeFormat; 11] = [
    TypeFormat { name: "date", lenient: may_be_date, strict: None },
    TypeFormat { name: "date-time", lenient: may_be_date_time, strict: None },
    TypeFormat { name: "partial-date-time", lenient: may_be_date_time, strict: Some(is_partial_date_time) },
    TypeFormat { name: "time", lenient: may_be_time, strict: None },
    TypeFormat { name: "partial-time", lenient: may_be_time, strict: Some(is_partial_time) },
    TypeFormat { name: "duration", lenient: has_digit, strict: None },
    TypeFormat { name: "uuid", lenient: may_be_uuid, strict: None },
    TypeFormat { name: "uri", lenient: may_be_uri, strict: None },
    TypeFormat { name: "ip", lenient: is_ip, strict: Some(is_ip) },
    TypeFormat { name: "ipv4", lenient: is_ipv4, strict: None },
    TypeFormat { name: "ipv6", lenient: is_ipv6, strict: None },
];

/// The formats that a validator of a type's schema must know besides the standard ones.
pub(crate) fn internal() -> impl Iterator<Item = (String, Check)> {
    TYPE_FORMATS.iter().flat_map(|format| {
        let lenient = Some((format!("{LENIENT}{}", format.name), format.lenient));
        let strict = format.strict.map(|check| (format!("{STRICT}{}", format.name), check));
        lenient.into_iter().chain(strict)
    })
}

/// The name under which a format is judged in the lenient form (`None`: under its own).
pub(crate) fn lenient_name(name: &str) -> Option<String> {
    TYPE_FORMATS.iter().find(|format| format.name == name).map(|_| format!("{LENIENT}{name}"))
}

/// The name under which a format is judged in the strict form (`None`: under its own).
pub(crate) fn strict_name(name: &str) -> Option<String> {
    TYPE_FORMATS
        .iter()
        .find(|format| format.name == name && format.strict.is_some())
        .map(|_| format!("{STRICT}{name}"))
}

/// A format's name as users know it.
pub(crate) fn public_name(name: &str) -> &str {
    name.strip_prefix(LENIENT).or_else(|| name.strip_prefix(STRICT)).unwrap_or(name)
}

/// The check of one format in one draft.
#[derive(Clone, Debug)]
pub(crate) enum FormatCheck {
    OfType(Check),
    Standard { name: Box<str>, validator: &'static Validator<Documents> },
}

impl FormatCheck {
    /// `None` for a format that the draft does not define: it never fails.
    pub(crate) fn find(draft: Draft, name: &str) -> Option<Self> {
        // A schema with a meta-schema of its own is one of the newest draft.
        let draft = if draft == Draft::Unknown { Draft::default() } else { draft };
        if name.starts_with(LENIENT) || name.starts_with(STRICT) {
            return internal().find(|(internal, _)| internal == name).map(|(_, check)| Self::OfType(check));
        }
        standard(draft, name).map(|validator| Self::Standard { name: name.into(), validator })
    }

    pub(crate) fn accepts(&self, text: &str) -> bool {
        match self {
            Self::OfType(check) => check(text),
            Self::Standard { name, validator } => {
                is_spelled_like(name, text)
                    && Documents::with_string_node(&mut (), text, |node| validator.is_valid(node))
            }
        }
    }
}

/// Whether the text has the format, by the rules of the draft. `None` for a format that the draft
/// does not define: it never fails.
pub(crate) fn is_valid(draft: Draft, name: &str, text: &str) -> Option<bool> {
    FormatCheck::find(draft, name).map(|check| check.accepts(text))
}

/// Formats whose check in `jsonschema` takes some of `*+,-./` for digits: `19-9-12-31` is a date to it.
pub(crate) const MENDED: [&str; 3] = ["date", "time", "date-time"];

/// Whether a date or time has digits where digits belong. Everything else has every spelling.
fn is_spelled_like(name: &str, text: &str) -> bool {
    let fits = |text: &str, form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(found, wanted)| match wanted {
                b'0' => found.is_ascii_digit(),
                other => found == other,
            })
    };
    let is_time = |text: &str| {
        let Some((clock, rest)) = text.split_at_checked(8) else { return false };
        let digits = rest
            .strip_prefix('.')
            .map_or(0, |fraction| 1 + fraction.bytes().take_while(u8::is_ascii_digit).count());
        let offset = &rest[digits..];
        let signed = offset.strip_prefix(['+', '-']).is_some_and(|offset| fits(offset, "00:00"));
        fits(clock, "00:00:00") && digits != 1 && (signed || offset.eq_ignore_ascii_case("z"))
    };
    match name {
        "date" => fits(text, "0000-00-00"),
        "time" => is_time(text),
        "date-time" => {
            text.split_once(['T', 't']).is_some_and(|(date, time)| fits(date, "0000-00-00") && is_time(time))
        }
        _ => true,
    }
}

/// `jsonschema`'s own check of one format, as a schema that has nothing else.
fn standard(draft: Draft, name: &str) -> Option<&'static Validator<Documents>> {
    type Checks = RwLock<HashMap<(Draft, String), Option<&'static Validator<Documents>>>>;
    static CHECKS: OnceLock<Checks> = OnceLock::new();
    // A name that no draft knows comes from an untrusted schema: it must not grow the table.
    if !jsonschema::options_for::<Documents>().is_known_format(draft, name) {
        return None;
    }
    let checks = CHECKS.get_or_init(Checks::default);
    let key = (draft, name.to_owned());
    if let Some(check) = checks.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return *check;
    }
    let built = super::keywords::options()
        .with_draft(draft)
        .build(&json!({ "format": name }))
        .ok()
        // Leaked on purpose: one per draft and known name, for the life of the program.
        .map(|validator| &*Box::leak(Box::new(validator)));
    *checks.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(built)
}

/// A copy of a type's schema in one of its two forms. A format that the user declared
/// (`x-expected.strict_format`) is strict in both.
pub(crate) fn named_for(schema: &Value, strict: bool) -> Value {
    let mut copy = schema.clone();
    super::walk::subschemas_mut(&mut copy, &mut |object| {
        let declared = object
            .get("x-expected")
            .and_then(|extension| extension.get("strict_format"))
            .is_some_and(|flag| flag == &Value::Bool(true));
        let Some(Value::String(name)) = object.get_mut("format") else { return };
        let renamed = if strict || declared { strict_name(name) } else { lenient_name(name) };
        if let Some(renamed) = renamed {
            *name = renamed;
        }
    });
    copy
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

fn is_ip(text: &str) -> bool {
    text.parse::<IpAddr>().is_ok()
}

fn is_ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// `Url` trims white space and takes any scheme; without a scheme there is no URL.
fn may_be_uri(text: &str) -> bool {
    text.contains(':')
}

/// Hyphenated, simple, braced and as a URN, in either case: 32 hexadecimal digits in all of them.
fn may_be_uuid(text: &str) -> bool {
    let text = text.trim_matches(['{', '}']);
    let text = match text.get(..9) {
        Some(prefix) if prefix.eq_ignore_ascii_case("urn:uuid:") => &text[9..],
        _ => text,
    };
    text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && text.bytes().filter(u8::is_ascii_hexdigit).count() == 32
}

/// Year, month and day with hyphens must be a day of the calendar. Besides, parsers take white space, a
/// sign, and digits alone (ISO 8601's basic form); none of them takes `30.01.2024` or `01/30/2024`.
fn may_be_date(text: &str) -> bool {
    let mut parts = text.trim().splitn(3, '-').map(leading_number);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(Some((year, _))), Some(Some((month, ""))), Some(Some((day, _)))) => {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let days = match month {
                2 if leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                1..=12 => 31,
                _ => return false,
            };
            (1..=days).contains(&day)
        }
        _ => {
            let text = text.trim_start();
            match leading_number(text.strip_prefix(['+', '-']).unwrap_or(text)) {
                Some((number, rest)) => rest.trim_start().starts_with('-') || number > 9_999_999,
                None => false,
            }
        }
    }
}

fn may_be_date_time(text: &str) -> bool {
    // The `T` behind a day; the one of `UTC` follows no digit.
    let separator = text
        .as_bytes()
        .windows(2)
        .position(|pair| pair[0].is_ascii_digit() && pair[1].eq_ignore_ascii_case(&b'T'));
    may_be_date(text) && separator.is_none_or(|at| may_be_time(&text[at + 2..]))
}

/// Hours, minutes and seconds with colons must be on the clock (24:00 and a leap second included).
/// Besides, parsers take a `T` before and digits alone.
fn may_be_time(text: &str) -> bool {
    let mut parts = text.trim().splitn(3, ':').map(leading_number);
    match (parts.next(), parts.next()) {
        (Some(Some((hour, ""))), Some(Some((minute, _)))) => hour <= 24 && minute <= 59,
        _ => text.trim().trim_start_matches(['T', 't']).starts_with(|first: char| first.is_ascii_digit()),
    }
}

/// A number at the start of a text, and what follows it.
fn leading_number(text: &str) -> Option<(u64, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

/// RFC 3339's `partial-time`: a time without an offset.
fn is_partial_time(text: &str) -> bool {
    is_valid(Draft::Draft202012, "time", &format!("{text}Z")).unwrap_or(true)
}

/// An RFC 3339 date and time without an offset.
fn is_partial_date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(date, time)| {
        is_valid(Draft::Draft202012, "date", date).unwrap_or(true) && is_partial_time(time)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lenient_form_takes_what_parsers_take_and_refuses_what_none_does() {
        let rows = [
            ("date", "2024-01-31", true),
            ("date", "2024-1-1", true),
            ("date", "+12024-01-01", true),
            ("date", " 2024-01-01 ", true),
            ("date", "2024-13-01", false),
            ("date", "2023-02-29", false),
            ("date", "tomorrow", false),
            ("date", "20240131", true),
            ("date", "-0044-03-15", true),
            ("date", "2024 - 1 - 31", true),
            ("date", "30.01.2024", false),
            ("date", "01/30/2024", false),
            ("date", "January 30, 2024", false),
            ("date-time", "20240131T120000Z", true),
            ("date-time", "30.01.2024 12:00", false),
            ("time", "T12:00", true),
            ("time", "noon at 12", false),
            ("date-time", "2024-01-01T25:00:00Z", false),
            ("date-time", "2024-01-01 00:00:00 UTC", true),
            ("time", "12:61:00", false),
            ("partial-time", "1:2:3", true),
            ("uuid", "67e55044-10b1-426f-9247-bb680e5fe0c8", true),
            ("uuid", "67E5504410B1426F9247BB680E5FE0C8", true),
            ("uuid", "{67e55044-10b1-426f-9247-bb680e5fe0c8}", true),
            ("uuid", "urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8", true),
            ("uuid", "67e55044", false),
            ("uri", " http://x ", true),
            ("uri", "x", false),
            ("ip", "::1", true),
            ("ip", "1.2.3", false),
            ("duration", "PT1H", true),
            ("duration", "soon", false),
        ];
        for (name, text, expected) in rows {
            let internal = lenient_name(name).unwrap_or_default();
            assert_eq!(is_valid(Draft::Draft202012, &internal, text), Some(expected), "{name} {text}");
            assert_eq!(public_name(&internal), name);
        }
    }

    #[test]
    fn the_strict_form_is_the_format_itself() {
        let rows = [
            ("date", "2024-1-1", false),
            ("date", "2024-01-31", true),
            ("date", "19-9-12-31", false),
            ("date", "2024-1--31", false),
            ("date", "ééééé", false),
            ("date-time", "2024-01-31T23:59:59.25-01:00", true),
            ("date-time", "2024-01-31t23:59:59z", true),
            ("date-time", "2024-01-31T1-:59:59Z", false),
            ("date-time", "2024-01-31T10:59:59.Z", false),
            ("time", "10:5/:59Z", false),
            ("uuid", "67E5504410B1426F9247BB680E5FE0C8", false),
            ("uri", " http://x ", false),
            ("partial-time", "12:00:00.5", true),
            ("partial-time", "12:00:00Z", false),
            ("partial-date-time", "2024-01-01T12:00:00", true),
            ("partial-date-time", "2024-01-01 12:00:00", false),
            ("ip", "127.0.0.1", true),
            ("email", "bob@x.io", true),
            ("email", "Bob <bob@x.io>", false),
            ("idn-email", "Bob <bob@x.io>", false),
        ];
        for (name, text, expected) in rows {
            let internal = strict_name(name).unwrap_or_else(|| name.to_owned());
            assert_eq!(is_valid(Draft::Draft202012, &internal, text), Some(expected), "{name} {text}");
        }
    }

    #[test]
    fn a_draft_only_knows_its_own_formats() {
        assert_eq!(is_valid(Draft::Draft7, "uuid", "x"), None);
        assert_eq!(is_valid(Draft::Draft201909, "uuid", "x"), Some(false));
        assert_eq!(is_valid(Draft::Draft202012, "partial-time", "x"), None);
        assert_eq!(is_valid(Draft::Draft202012, "no-such-format", "x"), None);
    }
}
