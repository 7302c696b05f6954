//! What the commands print, word for word.
//!
//! `UPDATE_GOLDEN=1 cargo test -p json-correctness-cli --test golden` writes the files anew.

mod common;

use std::{fs, path::Path};

use common::{command, run};

/// The name of each file, and the arguments whose outcome it holds.
const GOLDEN: [(&str, &str); 25] = [
    ("check", "check ticket.json --schema ticket_schema.json"),
    (
        "check_passes",
        "check near.json --schema ticket_schema.json --expected near.json --metric json_schema_match,json_diff",
    ),
    ("check_json", "check ticket.json --schema ticket_schema.json --format json"),
    ("check_validity", "check fenced.txt"),
    ("check_fenced", "check fenced.txt --extract fenced --schema ticket_schema.json"),
    ("check_graded", "check ticket.json --schema ticket_schema.json --graded --threshold 0.2"),
    ("check_strict", "check near.json --expected ticket_reference.json --metric json_diff --strict"),
    ("check_hostile", "check hostile.txt"),
    ("compare", "compare near.json ticket_reference.json"),
    ("compare_unordered", "compare near.json ticket_reference.json --unordered"),
    (
        "compare_weights",
        "compare near.json ticket_reference.json --metric json_diff --option weights=@weights.json --threshold 0.9",
    ),
    ("compare_json", "compare near.json ticket_reference.json --metric json_edit_distance --format json"),
    ("compare_equal", "compare near.json near.json"),
    ("compare_not_json", "compare fenced.txt ticket_reference.json"),
    ("eval", "eval tickets.jsonl"),
    (
        "eval_metrics",
        "eval tickets.jsonl --metric json_validity,json_equality,json_edit_distance,json_schema_match,json_diff",
    ),
    (
        "eval_annotations",
        "eval tickets.jsonl --extract fenced --annotations github --tag billing --tag feature",
    ),
    ("eval_config", "eval --config eval.toml"),
    ("eval_repeats", "eval tickets.jsonl --repeats 1 --require 1/1 --fail-under 0.3"),
    ("explain", "explain jc0102"),
    ("explain_all", "explain"),
    ("lint", "schema lint loose_schema.json"),
    ("lint_json", "schema lint ticket_schema.json --format json --example near.json"),
    ("lint_deny", "schema lint ticket_schema.json --deny-warnings"),
    ("lint_broken", "schema lint broken_schema.json"),
];

#[test]
fn each_command_prints_what_it_should() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut wrong = Vec::new();
    for (name, line) in GOLDEN {
        let said = run(line);
        let code = said.code.expect("a code");
        let found =
            format!("$ json-correctness {line}\n{}{}exit {code}\n", untimed(&said.stdout), said.stderr);
        let path = directory.join(format!("{name}.txt"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &found).expect("written");
        } else if fs::read_to_string(&path).unwrap_or_default() != found {
            wrong.push(format!("{}\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first line of a table tells how long the run took, which is another time each time.
fn untimed(text: &str) -> String {
    let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
    match head.rsplit_once(", ") {
        Some((rows, time)) if rows.contains(" rows of ") && time.ends_with(" s") => {
            format!("{rows}, … s\n{rest}")
        }
        _ => text.to_owned(),
    }
}

#[test]
fn help_and_manual_tell_every_option() {
    let shared = [
        "--metric",
        "--schema",
        "--option",
        "--threshold",
        "--strict",
        "--graded",
        "--extract",
        "--compat",
        "--limit",
        "--format",
    ];
    let rows: [(&str, &[&str]); 4] = [
        (
            "eval",
            &[
                "[DATA]",
                "--map",
                "--out",
                "--report",
                "--fail-under",
                "--jobs",
                "--resume",
                "--config",
                "--tag",
                "--repeats",
                "--require",
                "--annotations",
                "--data-format",
            ],
        ),
        ("check", &["<FILE>", "--expected"]),
        ("compare", &["<OUTPUT> <REFERENCE>", "--unordered"]),
        ("schema lint", &["<FILE>", "--example", "--deny-warnings", "--format"]),
    ];
    let pages = tempfile::TempDir::new().expect("a directory");
    let said = run(&format!("man --out {}", pages.path().display()));
    assert_eq!(said.code, Some(0), "{said:#?}");
    for (command, own) in rows {
        let help = run(&format!("{command} --help"));
        assert_eq!((help.code, &*help.stderr), (Some(0), ""));
        let page = pages.path().join(format!("json-correctness-{}.1", command.replace(' ', "-")));
        let page = fs::read_to_string(page).expect("a page").replace("\\-", "-");
        let shared = if command == "schema lint" { &[][..] } else { &shared[..] };
        for option in own.iter().chain(shared) {
            assert!(help.stdout.contains(option), "{command}: {option}");
            let bare = option.split(' ').next().expect("a word").trim_matches(['<', '>', '[', ']']);
            assert!(page.contains(bare), "the page of {command}: {bare}");
        }
    }
    let top = run("--help").stdout;
    for word in ["eval", "check", "compare", "explain", "schema", "completions", "man", "74", "130"] {
        assert!(top.contains(word), "{word}");
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&format!("completions {shell}")).stdout;
        assert!(script.contains("fail-under") && script.contains("deny-warnings"), "{shell}");
    }
}

/// Colour only where someone sees it or asks for it.
#[test]
fn colour_is_asked_for() {
    let colored = |set: &[(&str, &str)]| {
        let mut command = command();
        command.args(["check", "ticket.json", "--schema", "ticket_schema.json"]).envs(set.iter().copied());
        let output = command.output().expect("runs");
        output.stdout.contains(&0x1b)
    };
    assert!(!colored(&[]));
    assert!(colored(&[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[("CLICOLOR_FORCE", "0")]));
    assert!(!colored(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!colored(&[("CI", "true")]));
}

/// The page about the command line shows a configuration that is tested, and tells every lint.
#[test]
fn the_page_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Ok(page) = fs::read_to_string(root.join("docs/command-line.md")) else {
        println!("skipped: the page is not part of the package");
        return;
    };
    let configuration = fs::read_to_string(common::data().join("eval.toml")).expect("the configuration");
    assert!(page.contains(&configuration), "docs/command-line.md shows another configuration");
    let source = fs::read_to_string(root.join("json-correctness/src/schema/lint/mod.rs")).expect("the lints");
    for row in source.lines().filter_map(|line| line.strip_prefix("/// | `")) {
        assert!(page.contains(row), "docs/command-line.md lacks {row}");
    }
}
