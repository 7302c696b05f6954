//! JSONTestSuite: every text that must be accepted is, every one that must be refused is, and each
//! one that is left open has its decision and reason written here.

use std::collections::BTreeMap;

use json_correctness::{Document, JsonCorrectness, Limits, Slip, TestCase};

/// The decisions on what RFC 8259 leaves open: `None` accepts.
const OPEN: &[(&str, Option<Slip>)] = {
    use Slip::*;
    &[
        // An exponent that rounds to zero loses the value, but not the form.
        ("i_number_double_huge_neg_exp", None),
        ("i_number_real_underflow", None),
        // Numbers beyond 64-bit floats have no value that other readers would agree on.
        ("i_number_huge_exp", Some(NumberOutOfRange)),
        ("i_number_neg_int_huge_exp", Some(NumberOutOfRange)),
        ("i_number_pos_double_huge_exp", Some(NumberOutOfRange)),
        ("i_number_real_neg_overflow", Some(NumberOutOfRange)),
        ("i_number_real_pos_overflow", Some(NumberOutOfRange)),
        // Integers beyond 64 bits keep their spelling and are compared exactly.
        ("i_number_too_big_neg_int", None),
        ("i_number_too_big_pos_int", None),
        ("i_number_very_big_negative_int", None),
        // Half a pair is no character: the string has no decoded form.
        ("i_object_key_lone_2nd_surrogate", Some(LoneSurrogate)),
        ("i_string_1st_surrogate_but_2nd_missing", Some(LoneSurrogate)),
        ("i_string_1st_valid_surrogate_2nd_invalid", Some(LoneSurrogate)),
        ("i_string_UTF-16LE_with_BOM", Some(NotUtf8)),
        ("i_string_UTF-8_invalid_sequence", Some(NotUtf8)),
        ("i_string_UTF8_surrogate_U+D800", Some(NotUtf8)),
        ("i_string_incomplete_surrogate_and_escape_valid", Some(LoneSurrogate)),
        ("i_string_incomplete_surrogate_pair", Some(LoneSurrogate)),
        ("i_string_incomplete_surrogates_escape_valid", Some(LoneSurrogate)),
        ("i_string_invalid_lonely_surrogate", Some(LoneSurrogate)),
        ("i_string_invalid_surrogate", Some(LoneSurrogate)),
        ("i_string_invalid_utf-8", Some(NotUtf8)),
        ("i_string_inverted_surrogates_U+1D11E", Some(LoneSurrogate)),
        ("i_string_iso_latin_1", Some(NotUtf8)),
        ("i_string_lone_second_surrogate", Some(LoneSurrogate)),
        ("i_string_lone_utf8_continuation_byte", Some(NotUtf8)),
        ("i_string_not_in_unicode_range", Some(NotUtf8)),
        ("i_string_overlong_sequence_2_bytes", Some(NotUtf8)),
        ("i_string_overlong_sequence_6_bytes", Some(NotUtf8)),
        ("i_string_overlong_sequence_6_bytes_null", Some(NotUtf8)),
        ("i_string_truncated-utf-8", Some(NotUtf8)),
        ("i_string_utf16BE_no_BOM", Some(NotUtf8)),
        ("i_string_utf16LE_no_BOM", Some(NotUtf8)),
        // 500 deep; a limit that can be raised.
        ("i_structure_500_nested_arrays", Some(TooDeep)),
        ("i_structure_UTF-8_BOM_empty_object", Some(ByteOrderMark)),
    ]
};

#[test]
fn every_text_of_the_suite_is_judged_as_it_must_be() {
    let Some(folder) = json_correctness_tests::shared::path("conformance/JSONTestSuite/test_parsing") else {
        return;
    };
    let files = std::fs::read_dir(folder).expect("a folder that can be read");
    let mut open: BTreeMap<_, _> = OPEN.iter().copied().collect();
    let limits = Limits::default();
    let mut judged = 0;
    let mut wrong = Vec::new();
    for file in files {
        let path = file.expect("a folder that can be read").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let bytes = std::fs::read(&path).expect("a file that can be read");
        let found = Document::from_slice(&bytes, &limits).err();
        let right = match name.as_bytes()[0] {
            b'y' => found.is_none(),
            b'n' => found.is_some(),
            _ => open.remove(name.as_str()) == Some(found.as_ref().map(|error| error.slip)),
        };
        let value = serde_json::from_slice::<serde_json::Value>(&bytes).ok();
        let same = match Document::from_slice(&bytes, &limits) {
            Ok(document) => value == Some(document.root().to_value()),
            Err(_) => value.is_none(),
        };
        let metric = judged_by_the_metric(&name, &bytes, found.as_ref().map(|error| error.slip));
        if !right || !same || !metric {
            wrong.push(format!(
                "{name}: right {right}, same as serde_json {same}, by the metric {metric}, found {found:?}"
            ));
        }
        judged += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(open.is_empty(), "decided, but not in the suite: {open:?}");
    assert_eq!(judged, 318);
}

/// Whether `JsonCorrectness` says of the text what the document does. The suite accepts two texts that
/// write a key twice: they are well formed, and the metric refuses them for that key alone.
fn judged_by_the_metric(name: &str, bytes: &[u8], slip: Option<Slip>) -> bool {
    let metric = JsonCorrectness::<serde_json::Value>::new();
    let verdict = metric.judge(&TestCase::new("", bytes)).expect("set up");
    let codes: Vec<&str> = verdict.violations().iter().map(|violation| violation.code).collect();
    match slip {
        Some(slip) => codes == [slip.code()],
        None if name.starts_with("y_object_duplicated_key") => codes == ["JC0104"],
        None => verdict.passed() && codes.is_empty(),
    }
}
