//! `Document` and `serde_json` judge mutated texts alike: what is well formed, and what it means.

use json_correctness::{Document, Extraction, Limits, Member, Slip};
use serde_json::Value;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

const SEEDS: &[&str] = &[
    r#"{"invoice": "A-17", "lines": [{"sku": "x", "n": 3, "price": 1.50}, {"sku": "y\n\"z\"", "n": -4}], "ok": true}"#,
    r#"[1, -0, 0.0, 1e5, 1E-7, 123456789012345678901234567890, -1.7976931348623157e308, 5e-324]"#,
    r#"{"a": {"b": {"c": [[], {}, [null], ""]}}, "a": 2, "\u0061": "\ud83d\ude00 é 中"}"#,
    "\n [true,\tfalse , null ]\r\n",
    "\"\\\\ \\/ \\b\\f\\n\\r\\t \\u00e9 😀\"",
    "[[[[[[[[1]]]]]]],[[[[[{\"k\":[{}]}]]]]]]",
    "1.0",
];

/// Pieces that a text is mutated with.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "'",
    "\\",
    "/",
    "-",
    "+",
    ".",
    "e",
    "E",
    "0",
    "1",
    "9",
    " ",
    "\n",
    "\t",
    "\r",
    "true",
    "false",
    "null",
    "NaN",
    "Infinity",
    "None",
    "\\u",
    "\\ud83d",
    "\\ude00",
    "\\u0000",
    "\\x",
    "//",
    "/*",
    "*/",
    "#",
    "```",
    "```json\n",
    "~~~",
    "\u{feff}",
    "\u{a0}",
    "\u{200b}",
    "“",
    "”",
    "é",
    "\0",
    "\u{7f}",
    "\u{1b}",
    "a",
    "\"a\": 1",
    "\"a\": ",
    "[1,",
    "...",
    "1e400",
    "1e308",
    "17976931348623157",
    "99999999999999999999",
    "1e-400",
    "()",
];

fn mutant(random: &mut Random) -> Vec<u8> {
    let mut text = random.pick(SEEDS).as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(8)).min(text.len());
        match random.below(8) {
            0 => drop(text.drain(at..end)),
            1 => text.truncate(at),
            2 => drop(text.drain(..at)),
            3 => {
                let part = text[at..end].to_vec();
                text.splice(at..at, part);
            }
            4 if at < text.len() => text[at] = random.next() as u8,
            5 if at < text.len() => text[at] ^= 1 << random.below(8),
            _ => drop(text.splice(at..at, random.pick(PIECES).bytes())),
        }
    }
    text
}

/// What no reader should have to accept as the same: `None` where the two agree.
fn disagreement(bytes: &[u8], limits: &Limits) -> Option<String> {
    let theirs = serde_json::from_slice::<Value>(bytes);
    let ours = Document::from_slice(bytes, limits);
    let problem = match (&ours, &theirs) {
        (Ok(document), Ok(value)) => {
            (document.root().to_value() != *value).then(|| "another value".to_owned())
        }
        (Err(error), Err(_)) => {
            let in_text = error.span.start <= error.span.end && error.span.end <= bytes.len();
            let named = error.slip != Slip::Unexpected || !error.detail.is_empty();
            (!in_text || !named).then(|| format!("no good error: {error:?}"))
        }
        // The written exception: whether a number overflows is decided on the rounded value.
        (Err(error), Ok(_)) if error.slip == Slip::NumberOutOfRange => None,
        (Ok(_), Err(error)) if error.to_string().starts_with("number out of range") => None,
        (Err(error), Ok(_)) => Some(format!("only Document refuses: {error:?}")),
        (Ok(_), Err(error)) => Some(format!("only serde_json refuses: {error}")),
    };
    let problem = problem.or_else(|| ours.ok().and_then(|document| spans(&document, limits)));
    problem.map(|problem| format!("{}\n  {problem}\n", String::from_utf8_lossy(bytes)))
}

/// Whether every value parsed alone from its span has the same value, and every key too.
fn spans(document: &Document<'_>, limits: &Limits) -> Option<String> {
    let same = |source: &str, value: &Value| {
        Document::parse(source, limits).is_ok_and(|alone| alone.root().to_value() == *value)
    };
    let mut open = vec![document.root()];
    while let Some(node) = open.pop() {
        if !same(node.source(), &node.to_value()) {
            return Some(format!("{node:?} is another value alone"));
        }
        for Member { key, key_span, value, .. } in node.members() {
            if !same(&document.text()[key_span.start..key_span.end], &Value::from(key)) {
                return Some(format!("the key {key:?} is another string alone"));
            }
            if key_span.end >= value.span().start {
                return Some(format!("the key {key:?} does not stand before its value"));
            }
            open.push(value);
        }
        open.extend(node.elements());
    }
    None
}

#[test]
fn document_and_serde_json_agree_on_mutants() {
    let count = if cfg!(debug_assertions) { 40_000 } else { 400_000 };
    let limits = Limits::default();
    let mut random = Random(17);
    let (mut well_formed, mut wrong) = (0, Vec::new());
    for _ in 0..count {
        let bytes = mutant(&mut random);
        wrong.extend(disagreement(&bytes, &limits));
        well_formed += usize::from(Document::from_slice(&bytes, &limits).is_ok());
        if let Ok(text) = std::str::from_utf8(&bytes) {
            for extraction in [Extraction::Fenced, Extraction::Embedded] {
                if let Ok(extracted) = extraction.extract(text, &limits) {
                    let _ = Document::parse_part(text, extracted.span, &limits);
                }
            }
        }
    }
    println!("{count} mutants, {well_formed} well formed");
    assert!(wrong.is_empty(), "{} disagreements\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
    assert!(well_formed > count / 20, "only {well_formed} of {count} mutants are well formed");
}

#[test]
fn five_million_deep_and_a_hundred_megabytes_come_to_a_verdict() {
    let deep = "[".repeat(5_000_000);
    let error = Document::parse(&deep, &Limits::default()).expect_err("too deep");
    assert_eq!((error.slip, error.span.start), (Slip::TooDeep, 127));
    let error = Document::parse(&deep, &Limits::default().max_depth(usize::MAX)).expect_err("too deep");
    assert_eq!((error.slip, error.span.start), (Slip::TooDeep, Limits::MAX_DEPTH));

    let large = format!("[\"{}\"]", "long text, ".repeat(100 * 1024 * 1024 / 11));
    let error = Document::parse(&large, &Limits::default()).expect_err("too large");
    assert_eq!((error.slip, error.span.start), (Slip::TooLarge, 16 << 20));
    let document = Document::parse(&large, &Limits::default().max_text_bytes(1 << 30)).expect("well formed");
    assert_eq!(document.len(), 2);
    let error = Document::parse(&large[..large.len() - 1], &Limits::default().max_text_bytes(1 << 30));
    assert_eq!(error.expect_err("cut off").slip, Slip::CutOff);
}
