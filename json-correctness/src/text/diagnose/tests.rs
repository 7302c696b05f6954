use super::super::{Document, Limits};
use super::*;
use Slip::*;

/// What differs from the slip, the text that its span covers, and its line and column.
fn difference(text: &str, expected: (Slip, &str, usize, usize)) -> Option<String> {
    let error = match Document::parse(text, &Limits::default()) {
        Ok(_) => return Some(format!("{text}: is JSON")),
        Err(error) => error,
    };
    let covered = text.get(error.span.start..error.span.end).unwrap_or("(no characters)");
    let Position { line, column } = Position::of(text, error.span.start);
    let clause = (error.slip == Empty || !error.detail.is_empty())
        && !error.detail.ends_with('.')
        && !error.detail.contains('\n');
    let differs = (error.slip, covered, line, column) != expected || !clause;
    differs.then(|| format!("{text}\n  {line}:{column} {covered:?} {error:?}\n"))
}

#[test]
fn each_slip_has_its_name_and_place() {
    #[rustfmt::skip]
    let table: &[(&str, Slip, &str, usize, usize)] = &[
        ("", Empty, "", 1, 1),
        (" \n\t", Empty, " \n\t", 1, 1),
        ("\u{feff}{}", ByteOrderMark, "\u{feff}", 1, 1),
        // Quotes
        ("{'name': null}", SingleQuotes, "'name'", 1, 2),
        ("{\"a\": 'it\\'s, b'}", SingleQuotes, "'it\\'s, b'", 1, 7),
        ("['a', 'b']", SingleQuotes, "'a'", 1, 2),
        ("'a'", SingleQuotes, "'a'", 1, 1),
        ("'{\"a\": 1}'", SingleQuotes, "'{\"a\": 1}'", 1, 1),
        ("{'a: 1\n}", SingleQuotes, "'", 1, 2),
        ("{`a`: 1}", SingleQuotes, "`a`", 1, 2),
        ("{“name”: 1}", CurlyQuotes, "“name”", 1, 2),
        ("{\"name\": “Ann”}", CurlyQuotes, "“Ann”", 1, 10),
        ("{\"name\": ‘Ann’}", CurlyQuotes, "‘Ann’", 1, 10),
        ("{name: 1}", UnquotedKey, "name", 1, 2),
        ("{\"a\": 1, first-name: 1}", UnquotedKey, "first-name", 1, 10),
        ("{1: 2}", UnquotedKey, "1", 1, 2),
        ("{\n  größe: 2}", UnquotedKey, "größe", 2, 3),
        ("{name}", UnquotedKey, "name", 1, 2),
        // Commas, colons, values
        ("{\"a\": 1,}", TrailingComma, ",", 1, 8),
        ("[1, 2, ]", TrailingComma, ",", 1, 6),
        ("[\n  1,\n]", TrailingComma, ",", 2, 4),
        ("{\"a\": 1 \"b\": 2}", MissingComma, "\"b\"", 1, 9),
        ("{\"a\": 1\n \"b\": 2}", MissingComma, "\"b\"", 2, 2),
        ("{\"a\": 1 b: 2}", MissingComma, "b", 1, 9),
        ("{\"a\": \"x\" b: 2}", MissingComma, "b", 1, 11),
        ("[1 2]", MissingComma, "2", 1, 4),
        ("[\"a\" \"b\"]", MissingComma, "\"b\"", 1, 6),
        ("[{} {}]", MissingComma, "{", 1, 5),
        ("[\"a\" true]", MissingComma, "true", 1, 6),
        ("{\"a\" 1}", MissingColon, "1", 1, 6),
        ("{\"a\"}", MissingColon, "}", 1, 5),
        ("{\"a\", \"b\"}", MissingColon, ",", 1, 5),
        ("{\"a\" = 1}", MissingColon, "=", 1, 6),
        ("{\"a\" \"b\"}", MissingColon, "\"b\"", 1, 6),
        ("{\"a\": }", MissingValue, "}", 1, 7),
        ("{\"a\": , \"b\": 1}", MissingValue, ",", 1, 7),
        ("[1,, 2]", Unexpected, ",", 1, 4),
        ("[, 1]", Unexpected, ",", 1, 2),
        ("{, \"a\": 1}", Unexpected, ",", 1, 2),
        ("{: 1}", Unexpected, ":", 1, 2),
        ("{\"a\":: 1}", Unexpected, ":", 1, 6),
        ("[\"a\": 1]", Unexpected, ":", 1, 5),
        ("{{\"a\": 1}}", Unexpected, "{", 1, 2),
        ("[1, ...]", Unexpected, "...", 1, 5),
        ("{\"a\": 1, …}", Unexpected, "…", 1, 10),
        ("{\\\"a\\\": 1}", Unexpected, "\\", 1, 2),
        ("\"a\": 1", Unexpected, ":", 1, 4),
        ("{\"a\": 1}}", Unexpected, "}", 1, 9),
        ("[\"a\" + \"b\"]", Unexpected, "+", 1, 6),
        ("[1; 2]", Unexpected, ";", 1, 3),
        // Words
        ("{\"a\": True}", PythonLiteral, "True", 1, 7),
        ("[False]", PythonLiteral, "False", 1, 2),
        ("None", PythonLiteral, "None", 1, 1),
        ("[undefined]", UnknownWord, "undefined", 1, 2),
        ("[TRUE]", UnknownWord, "TRUE", 1, 2),
        ("[trueish]", UnknownWord, "trueish", 1, 2),
        ("{\"a\": Ann Lee, \"b\": 1}", UnknownWord, "Ann Lee", 1, 7),
        ("{\"a\": 2024-01-15}", UnknownWord, "2024-01-15", 1, 7),
        ("{\"a\": 10 kg}", Unexpected, "kg", 1, 10),
        ("{\"a\": 12abc}", UnknownWord, "12abc", 1, 7),
        ("[NaN]", NotFinite, "NaN", 1, 2),
        ("[-Infinity]", NotFinite, "-Infinity", 1, 2),
        ("Infinity", NotFinite, "Infinity", 1, 1),
        // Comments
        ("{\"a\": 1 // one\n}", Comment, "// one", 1, 9),
        ("{/* x */ \"a\": 1}", Comment, "/* x */", 1, 2),
        ("[1, # one\n2]", Comment, "# one", 1, 5),
        ("// x\n{}", Comment, "// x", 1, 1),
        ("{} // x", Comment, "// x", 1, 4),
        // Cut off
        ("{\"a\": [1, 2", CutOff, "[", 1, 7),
        ("{\"a\": 1", CutOff, "{", 1, 1),
        ("{\"a\": 1,", CutOff, "{", 1, 1),
        ("{\"a\":", CutOff, "{", 1, 1),
        ("{\"a", CutOff, "\"", 1, 2),
        ("{\"a\": \"long te", CutOff, "\"", 1, 7),
        ("{\"a\": \"x\\", CutOff, "\"", 1, 7),
        ("{\"a\": \"x\\u00", CutOff, "\"", 1, 7),
        ("{\"a\": \"x\\ud83d\\u", CutOff, "\"", 1, 7),
        ("{\"a\": tru", CutOff, "tru", 1, 7),
        ("{\"a\": 1.", CutOff, "1.", 1, 7),
        ("{\"a\": -", CutOff, "-", 1, 7),
        ("\"abc", CutOff, "\"", 1, 1),
        ("tru", CutOff, "tru", 1, 1),
        ("12.", CutOff, "12.", 1, 1),
        ("n", UnknownWord, "n", 1, 1),
        // Brackets
        ("{\"a\": [1, 2}", MismatchedBracket, "}", 1, 12),
        ("{\"a\": 1]", MismatchedBracket, "]", 1, 8),
        ("[}", MismatchedBracket, "}", 1, 2),
        ("{]", MismatchedBracket, "]", 1, 2),
        ("]", Unexpected, "]", 1, 1),
        // Around
        ("Here is the JSON: {\"a\": 1}", TextBefore, "Here is the JSON:", 1, 1),
        ("Sure! [2, 3, 5]", TextBefore, "Sure!", 1, 1),
        ("The result: [].", TextBefore, "The result:", 1, 1),
        ("As was shown in [1]", NoJson, "As was shown in [1]", 1, 1),
        ("Result:\n```json\n{\"a\": 1}\n```", TextBefore, "Result:", 1, 1),
        ("# Result\n{\"a\": 1}", TextBefore, "# Result", 1, 1),
        ("3 items: [{\"a\": 1}]", TextBefore, "3 items:", 1, 1),
        ("[Note] see {\"a\": 1}", TextBefore, "[Note] see", 1, 1),
        ("result = {'a': 1}", TextBefore, "result =", 1, 1),
        ("<json>{\"a\": 1}</json>", TextBefore, "<json>", 1, 1),
        ("{\"a\": 1}\nHope this helps!", TextAfter, "Hope this helps!", 2, 1),
        ("{\"a\": 1}\n```", TextAfter, "```", 2, 1),
        ("{\"a\": 1};", TextAfter, ";", 1, 9),
        ("{\"a\": 1}\n{\"a\": 2}\n", SeveralValues, "{\"a\": 2}", 2, 1),
        ("{\"a\": 1}, {\"a\": 2}", SeveralValues, "{\"a\": 2}", 1, 11),
        ("1 2", SeveralValues, "2", 1, 3),
        ("```json\n{\"a\": 1}\n```", Fenced, "```json", 1, 1),
        ("\n```\n{\"a\": 1}\n```\nDone.", Fenced, "```", 2, 1),
        ("~~~\n[]\n~~~", Fenced, "~~~", 1, 1),
        ("I cannot help with that.", NoJson, "I cannot help with that.", 1, 1),
        ("- one\n- two", NoJson, "- one\n- two", 1, 1),
        ("Sorry", UnknownWord, "Sorry", 1, 1),
        ("- {\"a\": 1}", TextBefore, "-", 1, 1),
        ("Result:\n```\n[a, b]\n```", TextBefore, "Result:", 1, 1),
        ("{\"a\": 1}, \"b\": 2}", TextAfter, ", \"b\": 2}", 1, 9),
        ("]\n{\"a\": 1}", Unexpected, "]", 1, 1),
        ("{NOTE \"a\": 1}", Unexpected, "NOTE", 1, 2),
        ("use property['a'] here", NoJson, "use property['a'] here", 1, 1),
        ("{\"a\": \"b\n", CutOff, "\"", 1, 7),
        ("[]{\"a\": 1}", SeveralValues, "{\"a\": 1}", 1, 3),
        ("(\"a\", \"b\")", Unexpected, "(", 1, 1),
        ("(1) A remark, at length (really)", NoJson, "(1) A remark, at length (really)", 1, 1),
        ("```\nThought: so\nInput: {\"a\": 1}\n```", TextBefore, "Thought: so\nInput:", 2, 1),
        ("```\nI cannot help.\n```", NoJson, "I cannot help.\n```", 2, 1),
        ("```\ntrue\n```", Fenced, "```", 1, 1),
        ("{\"a\": [\"b]}", UnclosedString, "\"", 1, 8),
        ("{\"a\": \"b }```", UnclosedString, "\"", 1, 7),
        ("{\"a\": \"fn main() {}", CutOff, "\"", 1, 7),
        ("{\"a:1}", UnclosedString, "\"", 1, 2),
        ("{\"a:\"b\"}", UnclosedString, "\"", 1, 2),
        ("{\"a\": 1, \"b\"\n}", MissingColon, "\"b\"", 1, 10),
        ("{\"a\": (1, 2)}", Unexpected, "(", 1, 7),
        ("[{\"a\": 1}},{\"a\": 2}]", MismatchedBracket, "}", 1, 10),
        ("{\"a\": \"see {\"b\": 1}\"}", UnescapedQuote, "\"", 1, 13),
        // Strings
        (r#"["\x41"]"#, InvalidEscape, "\\x", 1, 3),
        (r#"["it\'s"]"#, InvalidEscape, "\\'", 1, 5),
        (r#"["\u12G4"]"#, InvalidEscape, "\\u12", 1, 3),
        (r#"["\ud83d"]"#, LoneSurrogate, "\\ud83d", 1, 3),
        (r#"["\ude00"]"#, LoneSurrogate, "\\ude00", 1, 3),
        (r#"["\ud83d\u0041"]"#, LoneSurrogate, "\\ud83d", 1, 3),
        ("[\"a\tb\"]", ControlCharacter, "\t", 1, 4),
        ("[\"a\nb\"]", ControlCharacter, "\n", 1, 4),
        ("[\"\0\"]", ControlCharacter, "\0", 1, 3),
        ("{\"a\": \"x,\n \"b\": 1}", UnclosedString, "\"x,", 1, 7),
        ("{\"a\": \"x\n}", UnclosedString, "\"x", 1, 7),
        ("{\"a\": \"x, \"b\": 1}", UnclosedString, "\"", 1, 7),
        ("{\"a\": \"say \"hi\" now\"}", UnescapedQuote, "\"", 1, 12),
        ("{\"a\": \"5\" tall\"}", UnescapedQuote, "\"", 1, 9),
        ("[\"\"\"x\"\"\"]", UnescapedQuote, "\"\"\"", 1, 2),
        // Numbers
        ("[+1]", InvalidNumber, "+1", 1, 2),
        ("[01]", InvalidNumber, "01", 1, 2),
        ("[-01.5]", InvalidNumber, "-01.5", 1, 2),
        ("[.5]", InvalidNumber, ".5", 1, 2),
        ("[1.]", InvalidNumber, "1.", 1, 2),
        ("[0x1F]", InvalidNumber, "0x1F", 1, 2),
        ("[1_000]", InvalidNumber, "1_000", 1, 2),
        ("[10%]", InvalidNumber, "10%", 1, 2),
        ("[1e]", InvalidNumber, "1e", 1, 2),
        ("[--1]", InvalidNumber, "--1", 1, 2),
        ("{\"a\": 1,250, \"b\": 1}", InvalidNumber, "1,250", 1, 7),
        ("{\"a\": 1/3}", InvalidNumber, "1/3", 1, 7),
        ("{\"a\": 1/3/2024}", UnknownWord, "1/3/2024", 1, 7),
        ("12,111.5", InvalidNumber, "12,111.5", 1, 1),
        ("{\"a\": 1,250,000.50}", InvalidNumber, "1,250,000.50", 1, 7),
        ("[1e400]", NumberOutOfRange, "1e400", 1, 2),
        ("[-1.8e308]", NumberOutOfRange, "-1.8e308", 1, 2),
        // Invisible
        ("{\u{a0}\"a\": 1}", InvisibleCharacter, "\u{a0}", 1, 2),
        ("[1,\u{200b}2]", InvisibleCharacter, "\u{200b}", 1, 4),
        ("[1\0]", InvisibleCharacter, "\0", 1, 3),
        ("[\u{feff}1]", InvisibleCharacter, "\u{feff}", 1, 2),
    ];
    let big = format!("[{}]", "9".repeat(400));
    let deep = "[".repeat(5000);
    let long = [(&*big, NumberOutOfRange, &big[1..401], 1, 2), (&deep, TooDeep, "[", 1, 128)];
    let differences: String = table
        .iter()
        .chain(&long)
        .filter_map(|&(text, slip, covered, line, column)| difference(text, (slip, covered, line, column)))
        .collect();
    assert!(differences.is_empty(), "\n{differences}");
}

#[test]
fn the_mend_is_the_right_one() {
    for (text, help) in [
        ("'\"'", "put it in straight double quotes"),
        ("['a']", "write `\"a\"`"),
        ("{\"a\": [1}", "write `]` before it, or in its place"),
        ("[{\"a\": 1}},{\"a\": 2}]", "remove it: one is too many"),
        ("[}", "write `]` in its place"),
        (
            "[\"a",
            "close the string, and the bracket at 1:1; raise the model's output limit if it was reached",
        ),
        ("\"a", "close the string; raise the model's output limit if it was reached"),
        (
            "{\"a\": [1",
            "close all 2 that are open, the first at 1:1; raise the model's output limit if it was reached",
        ),
        ("(1, 2)", "JSON has no tuples: write `[` and `]`"),
    ] {
        let error = Document::parse(text, &Limits::default()).expect_err("not JSON");
        assert_eq!(error.help.as_deref(), Some(help), "{text}: {error:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_named() {
    for (bytes, start, end) in [
        (&b"{\"a\": \"\xE9\"}"[..], 7, 8),
        (b"\xFF\xFE{\0", 0, 1),
        (b"\"\xE2\x82", 1, 3),
        (b"\xC0\xAF", 0, 1),
    ] {
        let error = Document::from_slice(bytes, &Limits::default()).expect_err("not UTF-8");
        assert_eq!((error.slip, error.span), (NotUtf8, Span::new(start, end)), "{error:?}");
    }
}
