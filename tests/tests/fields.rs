//! What a schema says of its fields under `x-expected`, and what a user's own comparison says.

use json_correctness::{
    Compat, Difference, Error, ExpectedSchema, JsonDiff, JsonEditDistance, JsonEquality, Limits, Measurement,
    Metric, TestCase, json_schema,
};
use serde::Deserialize;
use serde_json::{Value, json};

fn measure(metric: &JsonDiff, found: &str, expected: &str) -> Result<Measurement, Error> {
    metric.measure(&TestCase::new("", found).expected_output(expected))
}

/// The score under a schema that says `extension` of the key `a`.
fn score(extension: &Value, found: &str, expected: &str) -> f64 {
    let schema = json!({ "properties": { "a": { "x-expected": extension } } });
    let [found, expected] = [found, expected].map(|value| format!("{{\"a\": {value}}}"));
    measure(&JsonDiff::new().schema(schema), &found, &expected).expect("a score").score.value()
}

#[test]
fn comparisons() {
    let rows = [
        (json!({ "comparison": "exact" }), "\"abc\"", "\"abd\"", 0.0),
        (json!({ "comparison": "exact" }), "1.0", "1", 1.0),
        (json!({ "comparison": "exact" }), "1", "2", 0.0),
        (json!({ "comparison": "exact" }), "{\"x\": 1, \"y\": 2}", "{\"y\": 2, \"x\": 3}", 0.0),
        (json!({ "comparison": "exact" }), "{\"x\": 1, \"y\": 2}", "{\"y\": 2e0, \"x\": 1}", 1.0),
        (json!({ "comparison": "exact" }), "[1, 2, 3, 5]", "[1, 2, 3, 4]", 0.75),
        (json!({ "comparison": "numeric" }), "true", "1", 1.0),
        (json!({ "comparison": "numeric" }), "1", "3", 0.5),
        (json!({ "comparison": "numeric" }), "\"1\"", "1", 0.0),
        (json!({ "comparison": "levenshtein" }), "\"abc\"", "\"abd\"", 2.0 / 3.0),
        (json!({ "comparison": "case_insensitive" }), "\"STRASSE\"", "\"Straße\"", 1.0),
        (json!({ "comparison": "case_insensitive" }), "\"ΟΔΟΣ\"", "\"οδος\"", 1.0),
        (json!({ "comparison": "case_insensitive" }), "\"abc\"", "\"abd\"", 0.0),
        (json!({ "comparison": "case_insensitive" }), "[\"A\", \"b\"]", "[\"a\", \"B\"]", 1.0),
        (json!({ "comparison": "whitespace_insensitive" }), "\" a\\n\\tb \"", "\"a b\"", 1.0),
        (json!({ "comparison": "whitespace_insensitive" }), "\"ab\"", "\"a b\"", 0.0),
        (
            json!({ "comparison": "instant" }),
            "\"2024-01-01T00:30:00+01:00\"",
            "\"2023-12-31T23:30:00Z\"",
            1.0,
        ),
        (json!({ "comparison": "instant" }), "\"2024-01-01\"", "\"2024-01-02\"", 0.0),
        (json!({ "comparison": "instant" }), "\"soon\"", "\"later\"", 0.0),
        (json!({ "comparison": "instant" }), "1", "2", 2.0 / 3.0),
        (json!({ "tolerance": { "absolute": 0.1 } }), "1.1", "1.0", 1.0),
        (json!({ "tolerance": { "absolute": 0.1 } }), "1.2", "1.0", 0.0),
        (json!({ "tolerance": { "relative": 0.01 } }), "[99, 101]", "[100, 100]", 1.0),
        (json!({ "tolerance": { "absolute": 1 }, "comparison": "numeric" }), "1", "3", 0.5),
        (json!({ "tolerance": { "absolute": 2 }, "comparison": "numeric" }), "1", "3", 1.0),
        (json!({ "tolerance": { "absolute": 2 } }), "\"1\"", "3", 0.0),
        (json!({ "ignore": true }), "1", "\"x\"", 1.0),
        (json!({ "align": "unordered" }), "[3, 1, 2]", "[1, 2, 3]", 1.0),
        (json!({ "align": "unordered" }), "[1, \"a\"]", "[\"a\"]", 0.5),
        (json!({ "align": "unordered" }), "[]", "[1]", 0.0),
        (json!({ "align": "unordered" }), "[[2, 1]]", "[[1, 2]]", 2.0 / 3.0),
        (json!({ "align": "unordered", "comparison": "exact" }), "[\"ab\", \"cd\"]", "[\"cd\", \"ax\"]", 0.5),
        // "abcd" is as near to either; with "abcx" it would leave 1/4 to the other pair.
        (json!({ "align": "unordered" }), "[\"abcd\", \"abxy\"]", "[\"abcx\", \"bbcd\"]", 0.625),
        (
            json!({ "align": { "key": "id" } }),
            "[{\"id\": 2, \"v\": 1}, {\"id\": 1.0, \"v\": 1}]",
            "[{\"id\": 1, \"v\": 1}, {\"id\": 2, \"v\": 1}]",
            1.0,
        ),
        // 1 is there, 2 is missing, 3 is too many.
        (
            json!({ "align": { "key": "id" } }),
            "[{\"id\": 3}, {\"id\": 1}]",
            "[{\"id\": 1}, {\"id\": 2}]",
            1.0 / 3.0,
        ),
        (json!({ "align": { "key": "id" } }), "[7, {\"id\": 1}]", "[{\"id\": 1}, 7]", 1.0),
        (json!({ "align": "positional" }), "[1, 2]", "[2, 1]", 2.0 / 3.0),
        (json!({}), "[1, 2]", "[2, 1]", 2.0 / 3.0),
    ];
    for (extension, found, expected, wanted) in rows {
        let is = score(&extension, found, expected);
        assert!((is - wanted).abs() < 1e-12, "{extension}: {found} against {expected} is {is}, not {wanted}");
    }
}

/// What the attributes of a type say reaches the score.
#[derive(Deserialize, ExpectedSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Invoice {
    #[expected(comparison = "case_insensitive", weight = 0.5)]
    vendor: String,
    #[expected(tolerance = 0.05)]
    total: f64,
    #[expected(ignore)]
    note: Option<String>,
    #[expected(align(key = "sku"))]
    lines: Vec<Line>,
    #[expected(align = "unordered")]
    tags: Vec<String>,
}

#[derive(Deserialize, ExpectedSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Line {
    sku: String,
    #[expected(comparison = "exact")]
    count: u32,
    #[expected(comparison = "instant")]
    due: String,
}

#[test]
fn attributes_of_a_type() {
    let metric = JsonDiff::new().schema(json_schema::<Invoice>());
    let expected = r#"{"vendor": "ACME", "total": 12.30, "note": "?", "tags": ["new", "paid"], "lines": [
        {"sku": "a", "count": 1, "due": "2024-01-01T00:00:00Z"}, {"sku": "b", "count": 2, "due": "2024-01-01"}]}"#;
    let rows = [
        (
            r#"{"vendor": "Acme", "total": 12.35, "tags": ["paid", "new"], "lines": [
                {"sku": "b", "count": 2, "due": "2024-01-01"},
                {"sku": "a", "count": 1, "due": "2024-01-01T01:00:00+01:00"}]}"#,
            1.0,
        ),
        // The total is wrong, and one of two counts.
        (
            r#"{"vendor": "acme", "total": 12.36, "tags": ["new", "paid"], "note": 1, "lines": [
                {"sku": "b", "count": 3, "due": "2024-01-01"},
                {"sku": "a", "count": 1, "due": "2024-01-01T00:00:00Z"}]}"#,
            (0.5 + 1.0 + (2.0 / 3.0 + 1.0) / 2.0) / 3.5,
        ),
    ];
    for (found, wanted) in rows {
        let is = measure(&metric, found, expected).expect("a score").score.value();
        assert!((is - wanted).abs() < 1e-12, "{found} is {is}, not {wanted}");
    }
}

#[test]
fn places() {
    let schema = json!({
        "$ref": "#/$defs/order",
        "$defs": { "order": {
            "properties": {
                "parent": { "$ref": "#/$defs/order", "x-expected": { "weight": 0.5 } },
                "id": { "x-expected": { "ignore": true } },
                "lines": { "items": { "anyOf": [
                    { "properties": { "note": { "x-expected": { "weight": 0 } } } },
                    { "$ref": "#/$defs/line%20x" },
                ] } },
                "pair": { "prefixItems": [{ "x-expected": { "comparison": "exact" } }, {}] },
            },
            "additionalProperties": { "x-expected": { "comparison": "case_insensitive" } },
        }, "line x": { "properties": {
            "note": { "x-expected": { "weight": 1 } },
            "price": { "x-expected": { "tolerance": { "absolute": 1 } } },
        } } },
    });
    let metric = JsonDiff::new().schema(schema);
    let rows = [
        ("{\"id\": 1}", "{\"id\": 2}", 1.0),
        ("{\"parent\": {\"parent\": {\"id\": 1}}}", "{\"parent\": {\"parent\": {\"id\": 2}}}", 1.0),
        ("{\"parent\": 0, \"x\": \"A\"}", "{\"parent\": null, \"x\": \"a\"}", 1.0 / 1.5),
        ("{\"lines\": [{\"note\": 1, \"price\": 5}]}", "{\"lines\": [{\"note\": 2, \"price\": 6}]}", 1.0),
        ("{\"pair\": [\"ab\", \"ab\"]}", "{\"pair\": [\"ac\", \"ac\"]}", 0.25),
    ];
    for (found, expected, wanted) in rows {
        let is = measure(&metric, found, expected).expect("a score").score.value();
        assert!((is - wanted).abs() < 1e-12, "{found} against {expected} is {is}, not {wanted}");
    }
    // Weights that are given replace those of the schema, and nothing else of it.
    let case =
        TestCase::new("", "{\"x\": \"A\", \"parent\": 1}").expected_output("{\"x\": \"a\", \"parent\": 2}");
    let score = |metric: &JsonDiff| metric.measure(&case).expect("a score").score.value();
    let weighed = score(&metric.clone().weights(json!({ "x": 1 })));
    assert!((weighed - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-12, "{weighed}");
    let weighed = score(&metric);
    assert!((weighed - (1.0 + 0.5 * (2.0 / 3.0)) / 1.5).abs() < 1e-12, "{weighed}");
}

#[test]
fn what_is_wrong_in_a_schema_is_named() {
    let rows = [
        (json!({ "weight": -1 }), "`/properties/a/x-expected/weight` of the schema is -1: give a number"),
        (
            json!({ "threshold": "x" }),
            "x-expected/threshold` of the schema is \"x\": give a number from 0 to 1",
        ),
        (json!({ "ignore": 1 }), "x-expected/ignore` of the schema is 1: give true or false"),
        (
            json!({ "comparison": "fuzzy" }),
            "x-expected/comparison` of the schema is \"fuzzy\": give \"exact\",",
        ),
        (json!({ "tolerance": 1 }), "x-expected/tolerance` of the schema is 1: give {\"absolute\": d}"),
        (
            json!({ "tolerance": { "relative": -1 } }),
            "x-expected/tolerance` of the schema is {\"relative\":-1}:",
        ),
        (json!({ "align": "greedy" }), "x-expected/align` of the schema is \"greedy\": give \"positional\","),
    ];
    for (extension, message) in rows {
        let schema = json!({ "properties": { "a": { "x-expected": extension } } });
        let error = measure(&JsonDiff::new().schema(schema), "{\"a\": 1}", "{\"a\": 2}").expect_err("wrong");
        assert!(error.is_schema() && error.to_string().contains(message), "{error}");
    }
}

#[test]
fn a_schema_that_doubles_at_every_reference_is_read_once() {
    // Each of 60 levels refers to the next one twice, and the last one to the first.
    let level = |at: usize| {
        let next = json!({ "$ref": format!("#/$defs/{}", (at + 1) % 60) });
        json!({ "properties": { "a": next, "b": next }, "allOf": [next, next] })
    };
    let mut definitions: serde_json::Map<String, Value> =
        (0..60).map(|at| (at.to_string(), level(at))).collect();
    definitions["59"]["x-expected"] = json!({ "comparison": "exact" });
    let schema = json!({ "$ref": "#/$defs/0", "$defs": definitions });
    let metric = JsonDiff::new().schema(schema);
    let score =
        measure(&metric, "{\"a\": {\"b\": \"ab\"}}", "{\"a\": {\"b\": \"ac\"}}").expect("a score").score;
    assert_eq!(score.value(), 0.0);
}

#[test]
fn a_field_is_right_from_its_threshold_on() {
    let schema = json!({ "properties": { "a": { "x-expected": { "threshold": 0.6 } } } });
    let metric = JsonDiff::new().schema(schema);
    let measurement =
        measure(&metric, "{\"a\": \"abd\", \"b\": \"abd\"}", "{\"a\": \"abc\", \"b\": \"abc\"}");
    let measurement = measurement.expect("a score");
    let right: Vec<(&str, bool)> = measurement
        .differences
        .iter()
        .map(|Difference { pointer, right, .. }| (pointer.as_str(), *right))
        .collect();
    assert_eq!(right, [("/a", true), ("/b", false)]);
    assert!(measurement.score.value() < 1.0);
}

#[test]
fn differences_of_aligned_lists() {
    let rows = [
        (
            json!("unordered"),
            "[\"new\", \"paid!\", 7]",
            "[\"paid\", 8.5, \"new\", null]",
            vec![
                ("/a/3", Some("null"), None),
                ("/a/1", Some("\"paid\""), Some("\"paid!\"")),
                ("/a/2", Some("8.5"), Some("7")),
            ],
        ),
        (
            json!({ "key": "id" }),
            "[{\"id\": 3}, {\"id\": 1, \"v\": 1}]",
            "[{\"id\": 1, \"v\": 2}, {\"id\": 2}]",
            vec![
                ("/a/1", Some("{\"id\": 2}"), None),
                ("/a/0", None, Some("{\"id\": 3}")),
                ("/a/1/v", Some("2"), Some("1")),
            ],
        ),
    ];
    for (align, found, expected, wanted) in rows {
        let schema = json!({ "properties": { "a": { "x-expected": { "align": align } } } });
        let [found, expected] = [found, expected].map(|value| format!("{{\"a\": {value}}}"));
        let measurement = measure(&JsonDiff::new().schema(schema), &found, &expected).expect("a score");
        let differences: Vec<_> = measurement
            .differences
            .iter()
            .map(|difference| {
                (difference.pointer.as_str(), difference.expected.as_deref(), difference.found.as_deref())
            })
            .collect();
        assert_eq!(differences, wanted, "{found} against {expected}");
    }
}

#[test]
fn an_alignment_beyond_the_limit_is_an_error() {
    let list = |from: usize| format!("{:?}", (from..from + 400).collect::<Vec<_>>());
    let schema = json!({ "x-expected": { "align": "unordered" } });
    let metric = JsonDiff::new().schema(schema).limits(Limits::default().max_alignment_steps(100_000));
    let error = measure(&metric, &list(0), &list(200)).expect_err("too many steps");
    assert!(error.is_limit() && error.to_string().contains("max_alignment_steps = 100000"), "{error}");
    // Lists that are equal in another order cost no search.
    let mut turned: Vec<usize> = (0..400).collect();
    turned.reverse();
    assert_eq!(measure(&metric, &format!("{turned:?}"), &list(0)).expect("a score").score.value(), 1.0);
}

#[test]
fn deep_lists_and_objects_leave_room_on_the_stack() {
    let schema = json!({
        "x-expected": { "align": "unordered" },
        "items": { "$ref": "#" },
        "additionalProperties": { "$ref": "#" },
    });
    let limits = Limits::default().max_depth(Limits::MAX_DEPTH);
    let metrics = [JsonDiff::new().limits(limits.clone()), JsonDiff::new().schema(schema).limits(limits)];
    for (open, close) in [("[", "]"), ("[0, ", ", 1]"), ("{\"a\": ", "}"), ("[{\"a\": ", "}, 2]")] {
        let depth = Limits::MAX_DEPTH / open.matches(['[', '{']).count();
        let text = |leaf: &str| format!("{}{leaf}{}", open.repeat(depth), close.repeat(depth));
        for metric in &metrics {
            let measurement = measure(metric, &text("\"a\""), &text("\"b\"")).expect("within the limits");
            assert!(measurement.score.value() < 1.0 && measurement.differing > 0);
        }
        let limits = Limits::default().max_depth(Limits::MAX_DEPTH);
        let others: [Box<dyn Metric>; 4] = [
            Box::new(JsonEquality::new().limits(limits.clone())),
            Box::new(JsonEquality::new().unordered().limits(limits.clone())),
            Box::new(JsonEquality::new().compat(Compat::LangChain).limits(limits.clone())),
            Box::new(JsonEditDistance::new().limits(limits)),
        ];
        for metric in &others {
            let case = TestCase::new("", text("\"a\"")).expected_output(text("\"b\""));
            assert!(metric.measure(&case).expect("within the limits").score.value() < 1.0);
        }
    }
}

#[test]
fn own_comparisons() {
    let case = || {
        TestCase::new("", "{\"a\": [[\"x\"], \"y\"], \"b\": 1}")
            .expected_output("{\"a\": [[\"z\"], \"y\"], \"b\": 2}")
    };
    let own = |similarity: f64| {
        JsonDiff::new().compare_with("/a", move |found, expected| {
            assert_eq!((found.as_str(), expected.as_str()), (Some("x"), Some("z")));
            similarity
        })
    };
    let measurement = own(0.5).measure(&case()).expect("a score");
    let score = measurement.score.value();
    assert!((score - (0.75 + 2.0 / 3.0) / 2.0).abs() < 1e-12, "{score}");
    assert_eq!(measurement.differences[0].pointer.as_str(), "/a/0/0");
    let panics = JsonDiff::new().compare_with("/b", |_, _| panic!("no"));
    let rows = [
        (
            own(f64::NAN),
            "the comparison function of `/a/0/0` returned NaN: it must return a number from 0 to 1",
        ),
        (own(1.5), "returned 1.5"),
        (own(-0.5), "returned -0.5"),
        (panics, "the comparison function of `/b` panicked"),
    ];
    for (metric, message) in rows {
        let error = metric.measure(&case()).expect_err("no similarity");
        assert!(error.is_hook() && error.to_string().contains(message), "{error}");
    }
    let error = JsonDiff::new().compare_with("a", |_, _| 1.0).measure(&case()).expect_err("no pointer");
    assert!(error.is_option() && error.to_string().contains("`a` is no JSON Pointer"), "{error}");
}

/// Lists of small objects, strings and numbers, many of them nearly alike.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn element(&mut self) -> Value {
        let texts = ["ab", "abc", "abd", "xbd", ""];
        match self.below(4) {
            0 => json!(self.below(4)),
            1 => json!(texts[self.below(5)]),
            2 => json!({ "t": texts[self.below(5)], "n": self.below(3) }),
            _ => json!([self.below(3), texts[self.below(5)]]),
        }
    }

    fn shuffled(&mut self, list: &[Value]) -> Vec<Value> {
        let mut list = list.to_vec();
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
        list
    }
}

/// The best mean over all ways to pair elements.
fn by_force(similarity: &[Vec<f64>], row: usize, used: u32) -> f64 {
    if row == similarity.len() {
        return 0.0;
    }
    let columns = (0..similarity[row].len()).filter(|column| used & 1 << column == 0);
    let paired =
        columns.map(|column| similarity[row][column] + by_force(similarity, row + 1, used | 1 << column));
    paired.fold(by_force(similarity, row + 1, used), f64::max)
}

#[test]
fn an_unordered_alignment_is_the_best_and_no_order_changes_it() {
    let mut random = Random(7);
    let schema = json!({ "x-expected": { "align": "unordered" }, "items": { "x-expected": { "align": "unordered" } } });
    let metric = JsonDiff::new().schema(schema.clone());
    for _ in 0..150 {
        let [expected, found]: [Vec<Value>; 2] = [(); 2].map(|()| {
            let length = random.below(6);
            (0..length).map(|_| random.element()).collect()
        });
        let score = |found: &[Value], expected: &[Value]| {
            measure(&metric, &json!(found).to_string(), &json!(expected).to_string()).expect("a score")
        };
        let is = score(&found, &expected).score.value();
        let (again, turned) = (random.shuffled(&found), random.shuffled(&expected));
        // To the last bit.
        assert_eq!(is, score(&again, &turned).score.value(), "{found:?} {expected:?}");
        assert_eq!(is, score(&expected, &found).score.value(), "{found:?} {expected:?}");
        let similarity: Vec<Vec<f64>> = found
            .iter()
            .map(|x| {
                let one = |y: &Value| score(std::slice::from_ref(x), std::slice::from_ref(y)).score.value();
                expected.iter().map(one).collect()
            })
            .collect();
        let longer = found.len().max(expected.len());
        let best = if longer == 0 { 1.0 } else { by_force(&similarity, 0, 0) / longer as f64 };
        assert!((is - best).abs() < 1e-11, "{is} {best}: {found:?} {expected:?}");
    }
}
