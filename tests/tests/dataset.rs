//! Reading rows: every format, and what is wrong with a file or a row.

use std::io::Write as _;

use json_correctness::{Dataset, Format, Row};
use serde_json::json;

fn rows(name: &str, text: impl AsRef<[u8]>) -> Vec<Row> {
    let bytes = std::io::Cursor::new(text.as_ref().to_vec());
    let rows = Dataset::from_reader(name, bytes).rows().expect("a dataset");
    rows.collect::<Result<_, _>>().expect("rows")
}

/// One line for each row: line, id, output, reference, schema.
fn shown(name: &str, text: impl AsRef<[u8]>) -> Vec<String> {
    rows(name, text).iter().map(show).collect()
}

fn show(row: &Row) -> String {
    let case = &row.case;
    let fault = format!("{row:?}");
    let fault = fault.split_once("fault: ").map(|(_, fault)| fault.trim_end_matches(" }")).unwrap_or("");
    let fault = fault.strip_prefix("Some(").map(|fault| fault.trim_end_matches(')').to_owned());
    let text = |output: &json_correctness::Output| output.to_text().into_owned();
    [
        row.line.map(|line| line.to_string()),
        case.id.clone(),
        fault.or_else(|| Some(text(&case.actual_output))),
        case.expected_output.as_ref().map(text),
        case.json_schema.as_ref().map(|schema| schema.to_string()),
    ]
    .map(Option::unwrap_or_default)
    .join(" | ")
    .trim_end_matches([' ', '|'])
    .to_owned()
}

#[test]
fn a_cell_is_a_text_or_a_value() {
    let text = r#"{"id": "a", "actual_output": "{\"n\": 1}", "expected_output": "[1]"}

{"id": 7, "actual_output": {"n":  1.0}, "expected_output": [1, 2], "json_schema": {"type": "object"}}
{"actual_output": "", "expected_output": null, "json_schema": "{\"type\": \"string\"}"}
"#;
    assert_eq!(
        shown("rows.jsonl", text),
        [
            r#"1 | a | {"n": 1} | [1]"#,
            r#"3 | 7 | {"n":  1.0} | [1, 2] | {"type":"object"}"#,
            r#"4 |  |  |  | {"type":"string"}"#
        ]
    );
}

#[test]
fn every_format_gives_the_same_rows() {
    let jsonl = "{\"id\": \"a\", \"actual_output\": \"[1, \\\"]\\\"]\"}\n{\"id\": \"b\", \"actual_output\": \"x,\\ny\"}\n";
    let json = "[\n {\"id\": \"a\", \"actual_output\": \"[1, \\\"]\\\"]\"},\n {\"id\": \"b\",\n  \"actual_output\": \"x,\\ny\"}\n]\n";
    let stream = "{\"id\": \"a\", \"actual_output\": \"[1, \\\"]\\\"]\"} {\"id\": \"b\",\n\"actual_output\": \"x,\\ny\"}";
    let csv = "id,actual_output\r\na,\"[1, \"\"]\"\"]\"\r\nb,\"x,\ny\"\r\n";
    let tsv = "id\tactual_output\na\t\"[1, \"\"]\"\"]\"\nb\t\"x,\ny\"\n";
    for (name, text) in
        [("a.jsonl", jsonl), ("a.json", json), ("a.json", stream), ("a.csv", csv), ("a.tsv", tsv)]
    {
        for name in [name, "-"] {
            let name = if text == stream { "a.json" } else { name };
            for marked in [false, true] {
                let text = if marked { format!("\u{feff}{text}") } else { text.to_owned() };
                let found: Vec<(Option<String>, String)> = rows(name, &text)
                    .into_iter()
                    .map(|row| (row.case.id, row.case.actual_output.to_text().into_owned()))
                    .collect();
                let expected = [("a", r#"[1, "]"]"#), ("b", "x,\ny")];
                assert_eq!(found.len(), 2, "{name}: {text}");
                for ((id, output), (expected_id, expected_output)) in found.iter().zip(expected) {
                    assert_eq!(
                        (id.as_deref(), output.as_str()),
                        (Some(expected_id), expected_output),
                        "{name}"
                    );
                }
            }
        }
    }
}

#[test]
fn packed_files_are_read_by_their_first_bytes() {
    let text = b"{\"actual_output\": \"1\"}\n{\"actual_output\": \"2\"}\n";
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(text).expect("memory");
    let gz = gz.finish().expect("memory");
    let zst = ruzstd::encoding::compress_to_vec(&text[..], ruzstd::encoding::CompressionLevel::Fastest);
    for (name, packed) in [("a.jsonl.gz", &gz), ("a.jsonl.zst", &zst), ("plain", &gz)] {
        assert_eq!(rows(name, packed).len(), 2, "{name}");
        // Several members or frames behind one another are one file.
        let twice = [packed.as_slice(), packed.as_slice()].concat();
        assert_eq!(rows(name, twice).len(), 4, "{name}");
    }
    let torn = &gz[..gz.len() - 9];
    let error = Dataset::from_reader("a.gz", std::io::Cursor::new(torn.to_vec()))
        .rows()
        .and_then(|rows| rows.collect::<Result<Vec<_>, _>>())
        .expect_err("it is torn");
    assert!(error.is_io() && error.to_string().starts_with("a.gz cannot be read: "), "{error}");
}

#[test]
fn a_bad_row_is_named_and_those_behind_it_are_read() {
    let checks: [(&str, &[u8], &[&str]); 7] = [
        (
            "a.jsonl",
            b"{\"actual_output\": 1}\n{\"actual_output\": tru}\n[3]\n{\"actual_output\": \"\xFF\"}\n{\"a\": 1, \"a\": 2}\n{\"actual_output\": 6}",
            &[
                "1 |  | 1",
                r#"2 |  | Unreadable("the row at line 2 (byte 21) cannot be read: JSON does not know this word: `tru` (its column 19)"#,
                r#"3 |  | Unreadable("the row at line 3 (byte 44) cannot be read: it is an array, and not a JSON object)"#,
                r#"4 |  | Unreadable("the row at line 4 (byte 48) cannot be read: it is not UTF-8 from byte 19 of it on"#,
                r#"5 |  | Unreadable("the row at line 5 (byte 71) cannot be read: the column `a` stands twice in it)"#,
                "6 |  | 6",
            ],
        ),
        (
            "torn.jsonl",
            b"{\"actual_output\": 1}\n{\"actual_out",
            &[
                "1 |  | 1",
                r#"2 |  | Unreadable("the row at line 2 (byte 21) cannot be read: the row is cut off: it ends at 1:13, and the string opened at 1:2 is not closed (its column 2)"#,
            ],
        ),
        (
            "a.json",
            b"[{\"actual_output\": 1}, {\"actual_output\": tru}\n {\"actual_output\": 3},, 5, {\"actual_output\": 6}",
            &[
                "1 |  | 1",
                r#"1 |  | Unreadable("the row at line 1 (byte 23) cannot be read: JSON does not know this word: `tru` (its column 19)"#,
                r#"2 |  | Unreadable("the row at line 2 (byte 47) cannot be read: no comma stands before it"#,
                r#"2 |  | Unreadable("the row at line 2 (byte 68) cannot be read: nothing stands behind a comma"#,
                r#"2 |  | Unreadable("the row at line 2 (byte 70) cannot be read: it is an integer, and not a JSON object)"#,
                "2 |  | 6",
                r#"2 |  | Unreadable("the row at line 2 (byte 93) cannot be read: the array is not closed: the file was cut off"#,
            ],
        ),
        (
            "behind.json",
            b"[{\"actual_output\": 1}] {\"actual_output\": 2}",
            &[
                "1 |  | 1",
                r#"1 |  | Unreadable("the row at line 1 (byte 23) cannot be read: text stands behind the array"#,
            ],
        ),
        (
            "a.csv",
            b"id,actual_output\na,1,2\nb\nc,\xFF\nd,\n",
            &[
                r#"2 |  | Unreadable("the row at line 2 (byte 17) cannot be read: it has 3 cells, and the first record names 2 columns"#,
                r#"3 |  | Unreadable("the row at line 3 (byte 23) cannot be read: it has 1 cells, and the first record names 2 columns"#,
                r#"4 |  | Unreadable("the row at line 4 (byte 25) cannot be read: its column `actual_output` is not UTF-8 from byte 0 on"#,
                "5 | d |",
            ],
        ),
        (
            "missing.jsonl",
            b"{\"id\": 1, \"actual_output\": 1}\n{\"id\": 2}\n{\"id\": 3, \"actual_output\": null}\n{\"id\": 4, \"actual_output\": \"\", \"json_schema\": \"{\"}\n",
            &[
                "1 | 1 | 1",
                r#"2 | 2 | Nothing("the row has no actual_output""#,
                r#"3 | 3 | Nothing("the row has no actual_output""#,
                r#"4 | 4 | Unreadable("its column `json_schema`: it is not JSON: EOF while parsing an object at line 1 column 1"#,
            ],
        ),
        ("empty.jsonl", b"\n \n", &[]),
    ];
    for (name, text, expected) in checks {
        let found = shown(name, text);
        assert_eq!(found.len(), expected.len(), "{name}: {found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            let expected = expected.trim_end_matches([' ', '|', '"', ')']);
            assert_eq!(found.trim_end_matches(['"', ')']), expected, "{name}");
        }
    }
}

#[test]
fn half_a_surrogate_pair_is_the_outputs_fault() {
    let rows = rows("a.jsonl", br#"{"actual_output": "\ud800"}"#);
    assert_eq!(rows[0].case.actual_output.as_bytes(), [0xED, 0xA0, 0x80]);
}

#[test]
fn the_schema_of_a_single_row_serves_all_rows() {
    let schema = json!({ "type": "object" });
    let with = |which: &[usize]| {
        let lines = (0..4).map(|row| {
            let mut line = json!({ "id": row.to_string(), "actual_output": "{}" });
            if which.contains(&row) {
                line["json_schema"] = schema.clone();
            }
            line.to_string() + "\n"
        });
        let rows = rows("a.jsonl", lines.collect::<String>());
        rows.iter().map(|row| row.case.json_schema.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(with(&[0]), [true; 4]);
    assert_eq!(with(&[3]), [true; 4]);
    assert_eq!(with(&[]), [false; 4]);
    assert_eq!(with(&[0, 2]), [true, false, true, false]);
    let csv = "actual_output,json_schema\n{},\n{},\"{\"\"type\"\": \"\"object\"\"}\"\n";
    assert!(rows("a.csv", csv).iter().all(|row| row.case.json_schema.is_some()));
}

#[test]
fn other_columns_are_metadata() {
    let line = r#"{"actual_output": "1", "tags": ["x", "y"], "label": "L", "model": "m", "n": {"a": [1]}, "input": 3, "none": null}"#;
    let row = &rows("a.jsonl", line)[0];
    assert_eq!(row.case.tags, ["x", "y"]);
    assert_eq!((row.case.label.as_deref(), row.case.input.as_str()), (Some("L"), "3"));
    assert_eq!(json!(row.case.metadata), json!({ "model": "m", "n": { "a": [1] } }));
    let row = &rows("a.csv", "actual_output,tags,model\n1,x; y,m\n")[0];
    assert_eq!(row.case.tags, ["x", "y"]);
    assert_eq!(json!(row.case.metadata), json!({ "model": "m" }));
}

#[test]
fn a_column_is_mapped_or_said_to_be_missing() {
    let open = |text: &'static str| Dataset::from_reader("d.jsonl", text.as_bytes());
    let text = "{\"prediction\": \"1\", \"actual_output\": \"2\"}\n";
    let mut mapped = open(text).column("actual_output", "prediction").expect("a field").rows().expect("rows");
    let row = mapped.next().expect("a row").expect("read");
    assert_eq!(row.case.actual_output.to_text(), "1");
    assert_eq!(json!(row.case.metadata), json!({ "actual_output": "2" }));

    let errors = [
        (
            open("{\"prediction\": 1, \"x\": 2}").rows().map(drop),
            "d.jsonl has no column `actual_output`: its columns are `prediction`, `x`; if `prediction` holds the outputs, map actual_output to prediction",
        ),
        (
            open(text).column("expected_output", "gold").expect("a field").rows().map(drop),
            "d.jsonl has no column `gold`: its columns are `prediction`, `actual_output`",
        ),
        (
            open(text).column("actual_ouput", "prediction").map(drop),
            "there is no field of a case `actual_ouput`: did you mean `actual_output`? known are",
        ),
        (
            Dataset::from_reader("u", &b"\xFF\xFEa\0"[..]).rows().map(drop),
            "u is not UTF-8 but looks like UTF-16: convert it",
        ),
        (
            Dataset::from_reader("c.csv", &b"a,a\n"[..]).rows().map(drop),
            "c.csv has two columns `a`: rename one",
        ),
        (Dataset::open("no/such/file").rows().map(drop), "no/such/file cannot be read: "),
    ];
    for (result, expected) in errors {
        let error = result.expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_row_beyond_the_limit_is_one_bad_row() {
    let long = "x".repeat(200_000);
    let limits = json_correctness::Limits::default().max_row_bytes(1_000);
    for (name, text) in [
        (
            "a.jsonl",
            format!(
                "{{\"actual_output\": 1}}\n{{\"actual_output\": \"{long}\"}}\n{{\"actual_output\": 3}}\n"
            ),
        ),
        (
            "a.json",
            format!("[{{\"actual_output\": 1}},{{\"actual_output\": \"{long}\"}},{{\"actual_output\": 3}}]"),
        ),
    ] {
        let dataset = Dataset::from_reader(name, std::io::Cursor::new(text)).limits(limits.clone());
        let rows: Vec<Row> = dataset.rows().expect("rows").collect::<Result<_, _>>().expect("rows");
        let shown: Vec<String> = rows.iter().map(show).collect();
        assert_eq!(shown.len(), 3, "{shown:?}");
        assert!(shown[1].contains("it is longer than max_row_bytes, 1000 bytes"), "{shown:?}");
        assert!(shown[2].ends_with("|  | 3"), "{shown:?}");
    }
}

#[test]
fn the_format_can_be_said() {
    let dataset = Dataset::from_reader("x.csv", &b"{\"actual_output\": 1}\n"[..]).format(Format::Jsonl);
    assert_eq!(dataset.rows().expect("rows").count(), 1);
}
