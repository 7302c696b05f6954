//! What is wrong with a command line, a configuration or a file is said with what, where and how to
//! mend it, and ends with the exit code of its kind.

mod common;

use common::{run, run_with};

#[test]
fn bad_input_is_named_and_mended() {
    let eval = "eval renamed.csv --map actual_output=prediction --map expected_output=truth";
    let rows: &[(&str, i32, &[&str])] = &[
        // metrics and options
        (
            "eval tickets.jsonl --metric json_schema_mach",
            2,
            &["json_schema_mach", "tip: a similar value", "json_schema_match"],
        ),
        (
            "check ticket.json --option extrct=fenced",
            2,
            &["json_validity", "`extrct`", "help: did you mean `extract`?"],
        ),
        (
            "eval tickets.jsonl --metric json_diff,json_validity --option json_dif.weights=1",
            2,
            &["`json_dif` is not among", "did you mean `json_diff`?"],
        ),
        (
            "eval tickets.jsonl --metric json_diff --option json_diff.weight=1",
            2,
            &["json_diff has no option `weight`", "did you mean `weights`?"],
        ),
        (
            "eval tickets.jsonl --metric json_diff --option weights={\"a\":7}",
            2,
            &["the weight `/a` is 7", "from 0 to 1"],
        ),
        (
            "eval tickets.jsonl --metric json_diff --option weights=@none.json",
            74,
            &["cannot read none.json", "help: "],
        ),
        (
            "eval tickets.jsonl --metric json_diff --option weights",
            2,
            &["`--option weights` has no `=`", "KEY=VALUE"],
        ),
        ("eval tickets.jsonl --metric json_diff,json_diff", 2, &["`json_diff` is chosen twice"]),
        (
            "eval tickets.jsonl --metric json_validity --graded",
            2,
            &["`--graded` means nothing to json_validity", "json_schema_match"],
        ),
        (
            "eval tickets.jsonl --metric json_validity --schema ticket_schema.json",
            2,
            &["`--schema` means nothing to json_validity"],
        ),
        (
            "eval tickets.jsonl --metric json_validity --compat lynxius",
            2,
            &["json_validity has no compatibility mode `lynxius`"],
        ),
        ("eval tickets.jsonl --metric json_validity --extract fence", 2, &["'fence'", "fenced"]),
        ("eval tickets.jsonl --limit max_dept=3", 2, &["no limit `max_dept`", "did you mean `max_depth`?"]),
        ("eval tickets.jsonl --limit max_depth=x", 2, &["`x` is no whole number"]),
        ("eval tickets.jsonl --threshold 1.5", 2, &["1.5", "give a number from 0 to 1"]),
        ("eval tickets.jsonl --threshold NaN", 2, &["give a number from 0 to 1"]),
        ("eval tickets.jsonl --fail-under 95", 2, &["95", "give a number from 0 to 1"]),
        ("eval tickets.jsonl --fail-under -1", 2, &["'-1' for '--fail-under <RATE>'", "from 0 to 1"]),
        ("eval tickets.jsonl --fail-undr 1", 2, &["--fail-undr", "--fail-under"]),
        ("evl tickets.jsonl", 2, &["evl", "eval"]),
        ("", 2, &["Usage: json-correctness"]),
        // data
        ("eval", 2, &["no file of outputs", "help: name one"]),
        ("eval none.jsonl", 74, &["cannot read none.jsonl", "help: is the path right?"]),
        (
            "eval renamed.csv",
            2,
            &[
                "renamed.csv has no column `actual_output`",
                "`name`, `prediction`, `truth`",
                "map actual_output to prediction",
            ],
        ),
        ("eval renamed.csv --map actual_output=predicton", 2, &["no column `predicton`", "`prediction`"]),
        (
            "eval renamed.csv --map actual_outptu=prediction",
            2,
            &["`actual_outptu`", "did you mean `actual_output`?"],
        ),
        ("eval renamed.csv --map prediction", 2, &["`--map prediction` has no `=`", "FIELD=COLUMN"]),
        ("eval - -", 2, &["standard input (`-`) is asked for twice"]),
        ("eval tickets.jsonl --resume", 2, &["`--resume` without `--out`", "help: give the `--out FILE`"]),
        ("eval tickets.jsonl --require 3/2", 2, &["`--require 3/2` is not N/M", "`--require 2/3`"]),
        ("eval tickets.jsonl --repeats x", 2, &["'x'"]),
        // schemas
        (
            "eval tickets.jsonl --schema broken_schema.json",
            2,
            &[
                "does not compile at `/type`: `type` is \"strng\", which is none of the allowed values",
                "did you mean \"string\"?",
                "help: `json-correctness schema lint broken_schema.json`",
            ],
        ),
        (
            "eval tickets.jsonl --schema two_keys.json",
            2,
            &["two_keys.json: the schema has the key `type` twice at 1:20"],
        ),
        ("eval tickets.jsonl --schema renamed.csv", 2, &["renamed.csv: the schema is not JSON at 1:1"]),
        ("schema lint none.json", 74, &["cannot read none.json"]),
        (
            "schema lint ticket_schema.json --example fenced.txt",
            2,
            &["fenced.txt: the example is not JSON", "check fenced.txt"],
        ),
        // reports
        ("eval tickets.jsonl --report htm=x.html", 2, &["no form of report `htm`", "known are"]),
        ("eval tickets.jsonl --report x.html", 2, &["`--report x.html` has no `=`", "html=report.html"]),
        (
            "eval tickets.jsonl --report json=nowhere/x.json",
            74,
            &["cannot write nowhere/x.json", "does the directory exist?"],
        ),
        (
            "eval tickets.jsonl --report json=x.json --report json=x.json",
            2,
            &["x.json is to be written, and has another use"],
        ),
        ("eval tickets.jsonl --out nowhere/x.jsonl", 74, &["nowhere/x.jsonl.part"]),
        (
            "eval tickets.jsonl --report json=./tickets.jsonl",
            2,
            &["./tickets.jsonl is to be written, and has another use", "a file of its own"],
        ),
        ("eval tickets.jsonl --out ../data/tickets.jsonl", 2, &["../data/tickets.jsonl is to be written"]),
        ("eval tickets.jsonl --out x.json --report json=x.json", 2, &["x.json is to be written"]),
        // configurations
        ("eval --config none.toml", 74, &["cannot read none.toml"]),
        (
            "eval --config misspelt.toml",
            2,
            &["misspelt.toml: there is no option `fail-undr`", "did you mean `fail-under`?"],
        ),
        (
            "eval --config wrong.toml",
            2,
            &["wrong.toml: invalid value '95' for '--fail-under <RATE>'", "from 0 to 1"],
        ),
        ("eval --config torn.toml", 2, &["torn.toml: line ", "is not TOML"]),
        // one output
        ("check none.json", 74, &["cannot read none.json"]),
        ("check ticket.json --metric json_equality", 2, &["no expected_output", "help: `--expected FILE`"]),
        ("check ticket.json --metric json_schema_match", 2, &["json_schema", "`--schema FILE` the schema"]),
        ("compare ticket.json", 2, &["<REFERENCE>"]),
        ("compare ticket.json fenced.txt", 2, &["`fenced.txt` is not JSON at 1:1"]),
        ("compare - -", 2, &["asked for twice"]),
        ("check - --schema -", 2, &["asked for twice"]),
        (
            "explain JC9999",
            2,
            &["no violation with the code `JC9999`", "`json-correctness explain` lists all"],
        ),
        ("explain JC010", 2, &["did you mean JC0010?"]),
        ("completions basch", 2, &["basch", "bash"]),
        ("man --out nowhere", 74, &["cannot write nowhere"]),
    ];
    for (line, code, expected) in rows {
        let said = run(line);
        assert_eq!(said.code, Some(*code), "{line}\n{said:#?}");
        let start = said.stderr.lines().next().unwrap_or_default();
        assert!(
            start.starts_with("error: ") || line.is_empty() || start.starts_with("note: "),
            "{line}: {start}"
        );
        for part in *expected {
            assert!(said.stderr.contains(part), "{line}: {part} is not in\n{}", said.stderr);
        }
        assert_eq!(said.stdout, "", "{line}");
    }
    assert_eq!(run(&format!("{eval} --metric json_equality")).code, Some(1));
}

#[test]
fn nothing_judged_is_no_pass() {
    let csv = "eval renamed.csv --map actual_output=prediction --fail-under 0";
    let rows = [
        ("eval empty.jsonl".to_owned(), "help: there are no rows in empty.jsonl"),
        (
            "eval tickets.jsonl --tag x --tag y --metric json_validity --fail-under 0".to_owned(),
            "nothing was judged",
        ),
        (format!("{csv} --tag none --metric json_validity"), "help: no row of renamed.csv has the tag none"),
        (format!("{csv} --metric json_equality"), "has no expected_output"),
    ];
    for (line, expected) in rows {
        let said = run(&line);
        assert_eq!(said.code, Some(1), "{line}\n{said:#?}");
        let text = said.stdout + &said.stderr;
        assert!(text.contains(expected) && text.contains("nothing was judged"), "{line}\n{text}");
    }
    let said = run_with("eval -", "");
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("nothing was judged"), "{said:#?}");
}

#[test]
fn hostile_names_do_not_reach_the_terminal() {
    let lines = [
        "check hostile.txt",
        "check hostile.txt --format json",
        "compare hostile.txt ticket_reference.json",
        "compare ticket_reference.json hostile.json",
        "compare ticket_reference.json hostile.json --format json",
        "schema lint hostile.json",
        "schema lint hostile.json --format json",
        "eval hostile.jsonl --schema hostile.json",
        "eval hostile.jsonl --metric json_equality --annotations github",
        "eval hostile.jsonl --metric json_equality --format json",
        "eval hostile.jsonl --map actual_output=none",
        "check ticket.json --option a\u{1b}[2J=1",
        "check ticket.json\u{9b}2J",
    ];
    for line in lines {
        let said = run(line);
        let hostile = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        let text = said.stdout + &said.stderr;
        assert!(!text.contains(hostile) && !text.is_empty(), "{line}: {text:?}");
    }
}
