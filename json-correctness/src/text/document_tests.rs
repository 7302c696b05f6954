use super::*;
use crate::{JsonType, Member};

fn parse(text: &str) -> Document<'_> {
    Document::parse(text, &Limits::default()).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

#[test]
fn keys_and_values_carry_spans_and_spellings() {
    let text =
        " {\"a\": [1.50, -0, 1E2, 7], \"b\\u0062\": \"x\\ny\", \"c\": {} , \"d\": [true,false,null]}\n";
    let document = parse(text);
    let root = document.root();
    assert_eq!((root.json_type(), root.len(), document.len()), (JsonType::Object, 4, 16));
    let source = |span: Span| &text[span.start..span.end];
    let seen: Vec<_> = root
        .members()
        .map(|Member { key, key_span, value, .. }| (key, source(key_span), value.source()))
        .collect();
    assert_eq!(
        seen,
        [
            ("a", "\"a\"", "[1.50, -0, 1E2, 7]"),
            ("bb", r#""b\u0062""#, r#""x\ny""#),
            ("c", "\"c\"", "{}"),
            ("d", "\"d\"", "[true,false,null]"),
        ]
    );
    let types: Vec<_> =
        root.members().flat_map(|member| member.value.elements()).map(|node| node.json_type()).collect();
    use JsonType::{Boolean, Integer, Null, Number};
    assert_eq!(types, [Number, Number, Number, Integer, Boolean, Boolean, Null]);
    assert_eq!(root.member("bb").and_then(|member| member.value.as_str()), Some("x\ny"));
    assert!(root.member("b").is_none());
    assert_eq!(root.to_value(), serde_json::from_str::<serde_json::Value>(text).expect("well formed"));
}

#[test]
fn duplicate_keys_are_kept_and_reported() {
    let many: String = (0..200).map(|n| format!("\"k{n}\": {n},")).collect();
    for (text, expected) in [
        (r#"{"a": 1, "b": 2, "a": 3}"#, vec![("/a", "a", 1, 17)]),
        (r#"{"a": 1, "\u0061": 2}"#, vec![("/a", "a", 1, 9)]),
        (r#"{"a": 1, "a": 2, "a": 3}"#, vec![("/a", "a", 1, 9), ("/a", "a", 1, 17)]),
        (
            r#"[{"x": {"/": [{"": 1, "": 2}]}}, {"y": 1, "y": 2}]"#,
            vec![("/0/x/~1/0/", "", 15, 22), ("/1/y", "y", 34, 42)],
        ),
        (
            &format!("{{{many}\"k0\":1,\"k199\":2}}"),
            vec![("/k0", "k0", 1, many.len() + 1), ("/k199", "k199", many.len() - 11, many.len() + 8)],
        ),
        (r#"{"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 1}]}"#, vec![]),
    ] {
        let document = parse(text);
        let found: Vec<_> = document
            .duplicates()
            .iter()
            .map(|d| (d.pointer.as_str(), d.key.as_str(), d.first.start, d.second.start))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
    // The last one wins, as in serde_json.
    assert_eq!(parse(r#"{"a": 1, "a": 2}"#).root().member("a").map(|m| m.value.source()), Some("2"));
    assert_eq!(
        parse(&format!("{{{many}\"k0\":-1}}")).root().member("k0").map(|m| m.value.source()),
        Some("-1")
    );
}

#[test]
fn members_of_large_objects_are_found_by_hash() {
    let text: String = (0..200_000).map(|n| format!(",\"key {n}\":{n}")).collect();
    let text = format!("{{{}}}", &text[1..]);
    let document = parse(&text);
    for n in (0..200_000).step_by(3) {
        let member = document.root().member(&format!("key {n}")).expect("there");
        assert_eq!(member.value.as_number().and_then(|number| number.as_u64()), Some(n));
    }
    assert!(document.root().member("key 200000").is_none());
    assert!(document.duplicates().is_empty());
}

#[test]
fn depth_is_counted_as_serde_json_counts_it() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let limits = Limits::default();
    assert!(Document::parse(&nested(127), &limits).is_ok());
    assert_eq!(Document::parse(&nested(128), &limits).expect_err("too deep").slip, Slip::TooDeep);
    let limits = limits.max_depth(100_000);
    assert!(Document::parse(&nested(Limits::MAX_DEPTH), &limits).is_ok());
    let error = Document::parse(&nested(Limits::MAX_DEPTH + 1), &limits).expect_err("too deep");
    assert_eq!((error.slip, error.span), (Slip::TooDeep, Span::new(512, 513)));
}

#[test]
fn a_part_has_the_spans_of_the_whole() {
    let text = "see: {\"a\": 1} ok";
    let document = Document::parse_part(text, Span::new(5, 13), &Limits::default()).expect("well formed");
    assert_eq!(document.root().span(), Span::new(5, 13));
    assert_eq!(document.root().member("a").expect("there").key_span, Span::new(6, 9));
    assert!(Document::parse_part(text, Span::new(5, 12), &Limits::default()).is_err());
    assert!(Document::parse_part("é", Span::new(1, 9), &Limits::default()).is_err());
}

#[test]
fn every_pointer_leads_back_to_its_value() {
    let text = r#"{"a":[1,{"b/c":[[],[{}]]},"x"],"~":{"":null},"long":[0,1,2,3,4,5,6,7,8,9,10]}"#;
    let document = parse(text);
    let mut open = vec![document.root()];
    while let Some(node) = open.pop() {
        let pointer = document.pointer_to(node);
        let located = document.locate(&pointer).unwrap_or_else(|| panic!("{pointer}"));
        assert_eq!(located.node.id(), node.id(), "{pointer}");
        open.extend(node.elements());
        open.extend(node.members().map(|member| member.value));
    }
    for nowhere in ["/b", "/a/3", "/a/01", "/a/-", "/a/+1", "/a/0/0", "/long/"] {
        let pointer = crate::Pointer::parse(nowhere).expect("a pointer");
        assert!(document.locate(&pointer).is_none(), "{nowhere}");
    }
}
