use super::super::Document;
use super::*;

const F: Extraction = Extraction::Fenced;
const E: Extraction = Extraction::Embedded;

#[test]
fn what_is_extracted() {
    #[rustfmt::skip]
    let table: &[(Extraction, &str, &str, bool)] = &[
        (Extraction::Whole, "see {\"a\": 1}", "see {\"a\": 1}", false),
        (F, "```json\n{\"a\": 1}\n```", "{\"a\": 1}", true),
        (F, "Here:\n\n```JSON\n[1]\n```\nBye", "[1]", true),
        (F, "~~~\n{}\n~~~", "{}", true),
        (F, "````json\n{\"a\": \"\\n```\\n\"}\n````", "{\"a\": \"\\n```\\n\"}", true),
        (F, "```json5\n{a: 1}\n```", "{a: 1}", true),
        (F, "```\n42\n```", "42", true),
        (F, "```json {\"a\": 1}```", "{\"a\": 1}", true),
        (F, "```json\n{\"a\": 1}```", "{\"a\": 1}", true),
        (F, "Here is it: ```json\n{\"a\": 1}\n```", "{\"a\": 1}", true),
        (F, "- item:\n  ```json\n  {\"a\": 1}\n  ```\n", "{\"a\": 1}", true),
        (F, "```json\r\n{\"a\": 1}\r\n```\r\n", "{\"a\": 1}", true),
        // Cut off: never completed
        (F, "```json\n{\"a\": [1, ", "{\"a\": [1,", true),
        // Other blocks are no candidates
        (F, "```sh\n$ ls\n```\n```json\n{}\n```", "{}", true),
        (F, "```\n$ ls\n```\n```\n{\"a\": 1}\n```", "{\"a\": 1}", true),
        // No fence, or JSON as a whole
        (F, " {\"a\": 1} ", " {\"a\": 1} ", false),
        (F, "prose {\"a\": 1}", "prose {\"a\": 1}", false),
        (F, "{\"a\": \"```json {\"b\": 1}```\"}", "{\"a\": \"```json {\"b\": 1}```\"}", false),
        (F, "\"``` not a fence\"", "\"``` not a fence\"", false),
        (F, "{\"a\": 1}\n```", "{\"a\": 1}\n```", false),
        (F, "", "", false),
        (E, "The answer is {\"a\": [1, {\"b\": \"}\"}]}, I think.", "{\"a\": [1, {\"b\": \"}\"}]}", false),
        (E, "Fill {name} and [see](x) [1]: {\"a\": 1}", "{\"a\": 1}", false),
        (E, "{{name}} says [\"x\"]", "[\"x\"]", false),
        (E, "{'a': 'it]s'} ok", "{'a': 'it]s'}", false),
        (E, "so {a: 1} ok", "{a: 1}", false),
        (E, "data['x'] = {\"a\": 1}", "{\"a\": 1}", false),
        (E, "take [1, 2, 3] please", "[1, 2, 3]", false),
        (E, "take {} please", "{}", false),
        (E, "Sure: {\"a\": [1, 2", "{\"a\": [1, 2", false),
        (E, "Sure:\n```json\n{\"a\": 1}\n```", "{\"a\": 1}", false),
        (E, "[[\"a\"], [\"b\"]] done", "[[\"a\"], [\"b\"]]", false),
        (E, "\"just a string with {\\\"a\\\": 1}\"", "\"just a string with {\\\"a\\\": 1}\"", false),
        (E, "", "", false),
    ];
    for &(extraction, text, part, fenced) in table {
        let extracted =
            extraction.extract(text, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let Span { start, end } = extracted.span;
        assert_eq!((&text[start..end], extracted.fenced), (part, fenced), "{text}");
        assert_eq!((extracted.before, extracted.behind), (start, text.len() - end), "{text}");
        assert!(!extracted.to_string().is_empty());
    }
}

#[test]
fn what_is_not_extracted() {
    use Slip::{NothingToExtract, SeveralCandidates};
    #[rustfmt::skip]
    let table: &[(Extraction, &str, Slip, &str, &str)] = &[
        (F, "```json\n{}\n```\nor\n```json\n[]\n```", SeveralCandidates, "[]", "2 fenced blocks stand at 2:1, 6:1"),
        (F, "```\n{}\n```\nor\n```json\n[]\n```", SeveralCandidates, "[]", "2 fenced blocks stand at 2:1, 6:1"),
        (F, "```python\nx = 1\n```", NothingToExtract, "```python", "the only fenced block is marked `python`"),
        (F, "```\na\n```\n```\nb\n```", NothingToExtract, "```", "none of the 2 fenced blocks is marked as JSON or starts with a bracket"),
        (E, "{\"a\": 1} or {\"a\": 2}", SeveralCandidates, "{\"a\": 2}", "2 arrays or objects stand at 1:1, 1:13"),
        (E, "see [1] and [2]", SeveralCandidates, "[2]", "2 arrays or objects stand at 1:5, 1:13"),
        (E, &"{\"a\": 1}; ".repeat(9), SeveralCandidates, "{\"a\": 1}", "9 arrays or objects stand at 1:1, 1:11, 1:21, 1:31 and 5 more places"),
        (E, "The answer is 42.", NothingToExtract, "The answer is 42.", "the text holds no array and no object"),
        (E, " {placeholder} [x] ", NothingToExtract, "{placeholder} [x]", "the text holds no array and no object"),
    ];
    for &(extraction, text, slip, covered, detail) in table {
        let error = extraction.extract(text, &Limits::default()).expect_err(text);
        let found = (error.slip, &text[error.span.start..error.span.end], error.detail.as_str());
        assert_eq!(found, (slip, covered, detail), "{text}");
    }
    let error = E.extract("[1, 2]", &Limits::default().max_text_bytes(5)).expect_err("too large");
    assert_eq!((error.slip, error.span), (Slip::TooLarge, Span::new(5, 6)));
}

/// Texts of 256 KiB that would take minutes if any step looked at the whole text again; each
/// must come to a verdict, whatever it is.
#[test]
fn hostile_texts_come_to_a_verdict() {
    for unit in [
        "{",
        "[",
        "[{\"",
        "{\"a\":",
        "[[",
        "{'",
        "['",
        "```",
        "```json\n",
        "```json{",
        "~~~\n",
        "{a ",
        "[1",
        "[ ",
        "'",
        "\"",
        "\\",
        "{\"a\": 1} ",
        "[1] ",
        "//",
        "/*",
        "“",
        "{“a",
        "a{b:",
        "\n```\n{\n",
        "- {",
        "\"\n",
        "]}",
        "\"a\" b",
    ] {
        let text = unit.repeat((1 << 18) / unit.len());
        for extraction in [Extraction::Whole, F, E] {
            if let Ok(extracted) = extraction.extract(&text, &Limits::default()) {
                let _ = Document::parse_part(&text, extracted.span, &Limits::default());
            }
        }
    }
}
