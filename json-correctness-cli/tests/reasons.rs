//! A model may word the reasons: verdicts, exit codes and results stay what they are without one, whatever the
//! server does.

mod common;

use std::{
    collections::HashMap,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    ops::RangeInclusive,
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use common::{Said, command};
use serde_json::{Value, json, value::RawValue};
use tempfile::TempDir;

const KEY: &str = "sk-secret-0123456789abcdef";

/// A server, and how many requests it had.
struct Server {
    url: String,
    requests: Arc<AtomicUsize>,
}

/// What a server does with a request: a status and a body, or nothing for ever.
type Answer = fn(&str) -> Option<(&'static str, Value)>;

fn serve(answer: Answer) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let requests = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&requests);
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let counted = Arc::clone(&counted);
            thread::spawn(move || {
                let request = read(&connection);
                counted.fetch_add(1, Ordering::SeqCst);
                match answer(&request) {
                    Some((status, body)) => reply(connection, status, &body),
                    None => loop {
                        thread::park();
                    },
                }
            });
        }
    });
    Server { url, requests }
}

/// A server that was there once: nobody listens at its port.
fn gone() -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    Server { url, requests: Arc::default() }
}

/// Head and body of a request.
fn read(connection: &TcpStream) -> String {
    let mut reader = BufReader::new(connection);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) <= 2 {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a number");
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    head + &String::from_utf8(body).expect("UTF-8")
}

fn reply(mut connection: TcpStream, status: &str, body: &Value) {
    let body = body.to_string();
    let length = body.len();
    let _ = write!(
        connection,
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
}

fn says(text: &str) -> Option<(&'static str, Value)> {
    Some(("200 OK", json!({ "choices": [{ "message": { "content": text } }] })))
}

/// Outputs of which two thirds are wrong.
fn dataset(rows: usize) -> TempDir {
    let directory = TempDir::new().expect("a directory");
    let rows: String = (0..rows)
        .map(|row| {
            let output = match row % 3 {
                0 => format!("[{row}]"),
                1 => format!("[{row}"),
                _ => format!("{{'row': {row}}}"),
            };
            json!({ "id": format!("r{row}"), "actual_output": output }).to_string() + "\n"
        })
        .collect();
    fs::write(directory.path().join("data.jsonl"), rows).expect("written");
    directory
}

fn run(directory: &Path, line: &str) -> Said {
    command()
        .current_dir(directory)
        .args(line.split_whitespace())
        .env("OPENAI_API_KEY", KEY)
        .env_remove("OPENAI_BASE_URL")
        .stdin(Stdio::null())
        .output()
        .expect("runs")
        .into()
}

/// The lines of a file of results, each without who worded its reason and how, and what was cut out of it.
fn results(path: &Path) -> (Vec<String>, Vec<Value>) {
    let text = fs::read_to_string(path).expect("results");
    assert!(text.ends_with('\n'));
    let split = |line: &str| {
        // As it is spelt: a value that is written anew may differ in its escapes.
        let record: HashMap<&str, &RawValue> = serde_json::from_str(line).expect("JSON");
        let (mut rest, mut worded) = (line.to_owned(), serde_json::Map::new());
        for name in ["reason", "reason_source", "reason_error"] {
            if let Some(value) = record.get(name) {
                let member = format!(",\"{name}\":{value}");
                assert_eq!(rest.matches(&member).count(), 1, "{member} in {line}");
                rest = rest.replacen(&member, "", 1);
                worded.insert(name.to_owned(), serde_json::from_str(value.get()).expect("JSON"));
            }
        }
        (rest, Value::Object(worded))
    };
    text.lines().map(split).unzip()
}

#[test]
fn the_verdicts_are_those_without_a_model() {
    let directory = dataset(90);
    let directory = directory.path();
    let plain = run(directory, "eval data.jsonl --out plain.jsonl --fail-under 0.3");
    assert_eq!(plain.code, Some(0), "{}", plain.stderr);
    let (verdicts, reasons) = results(&directory.join("plain.jsonl"));

    // How many requests there may be: one for each failed case, or those under way when the first one, or
    // five in a row, got no reason.
    type Case = (&'static str, Option<Answer>, RangeInclusive<usize>, &'static str, &'static str);
    let cases: [Case; 6] = [
        ("good", Some(|_| says("It is so.")), 60..=60, "hook", ""),
        ("hostile", Some(|_| says("\u{1b}[2J\u{202e}<script>]]>")), 60..=60, "hook", ""),
        (
            "unauthorized",
            Some(|_| {
                Some(("401 Unauthorized", json!({ "error": { "message": format!("wrong key {KEY}") } })))
            }),
            1..=20,
            "fallback",
            "401",
        ),
        (
            "forbidden",
            Some(|request| {
                assert!(request.contains(&format!("Bearer {KEY}")), "{request}");
                Some(("403 Forbidden", json!("no")))
            }),
            1..=20,
            "fallback",
            "403",
        ),
        (
            "empty",
            Some(|_| Some(("200 OK", json!({ "choices": [] })))),
            5..=24,
            "fallback",
            "holds no choice",
        ),
        ("nobody", None, 0..=0, "fallback", "cannot be reached"),
    ];
    for (name, answer, expected, source, error) in cases {
        let server = answer.map_or_else(gone, serve);
        let said = run(
            directory,
            &format!(
                "eval data.jsonl --out hooked.jsonl --fail-under 0.3 --reason-model m --reason-base-url {} \
                 --report junit=r.xml --report html=r.html --report markdown=r.md --report json=r.json",
                server.url
            ),
        );
        assert_eq!(said.code, plain.code, "{name}: {}", said.stderr);
        let (hooked, worded) = results(&directory.join("hooked.jsonl"));
        assert_eq!(hooked, verdicts, "{name}");
        for (worded, plain) in worded.iter().zip(&reasons) {
            assert_eq!(worded["reason"].is_string(), plain["reason"].is_string(), "{name}");
            if plain["reason"].is_string() {
                assert_eq!(worded["reason_source"], source, "{name}");
                let why = worded["reason_error"].as_str().unwrap_or_default();
                assert!(why.contains(error) || why.contains("not called"), "{name}: {why}");
                assert_eq!(worded["reason"] == plain["reason"], source == "fallback", "{name}");
            }
        }
        let requests = server.requests.load(Ordering::SeqCst);
        assert!(expected.contains(&requests), "{name}: {requests} requests");
        for file in ["hooked.jsonl", "r.xml", "r.html", "r.md", "r.json"] {
            let text = fs::read_to_string(directory.join(file)).expect("a report");
            assert!(!text.contains(KEY), "{name}: the key stands in {file}");
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{name}: {file}");
            assert!(file != "r.html" || !text.contains("<script>]]"), "{name}");
        }
        assert!(!said.stdout.contains(KEY) && !said.stderr.contains(KEY), "{name}");
        assert!(!said.stdout.contains('\u{1b}'), "{name}");
    }
}

#[test]
fn reasons_that_are_kept_are_not_asked_for_again() {
    let directory = dataset(30);
    let directory = directory.path();
    let server = serve(|_| says("It is so."));
    let line = format!(
        "eval data.jsonl --out results.jsonl --reason-model m --reason-base-url {} --reason-cache reasons.jsonl \
         --reason-concurrency 3",
        server.url
    );
    let mut before = None;
    for requests in [20, 20] {
        assert_eq!(run(directory, &line).code, Some(1));
        assert_eq!(server.requests.load(Ordering::SeqCst), requests);
        let results = fs::read(directory.join("results.jsonl")).expect("results");
        assert_eq!(*before.get_or_insert(results.clone()), results);
    }
    let kept = fs::read_to_string(directory.join("reasons.jsonl")).expect("a cache");
    assert!(!kept.contains(KEY));
}

#[test]
fn one_output_and_a_comparison_too() {
    let directory = dataset(1);
    let directory = directory.path();
    fs::write(directory.join("output.json"), "[1, 2").expect("written");
    fs::write(directory.join("right.json"), "[1, 2]").expect("written");
    fs::write(directory.join("other.json"), "[1, 3]").expect("written");
    let server = serve(|_| says("The bracket is not closed, I am afraid."));
    let url = &server.url;
    for line in ["check output.json", "compare other.json right.json"] {
        let plain = run(directory, line);
        let json = run(directory, &format!("{line} --format json --reason-model m --reason-base-url {url}"));
        assert_eq!((plain.code, json.code), (Some(1), Some(1)), "{line}: {}", json.stderr);
        assert!(json.stdout.contains("The bracket is not closed, I am afraid."), "{line}: {}", json.stdout);
    }
    let asked = server.requests.load(Ordering::SeqCst);
    assert!(asked >= 2);
    let right = format!("check right.json --reason-model m --reason-base-url {url}");
    assert_eq!(run(directory, &right).code, Some(0));
    assert_eq!(server.requests.load(Ordering::SeqCst), asked, "what is right needs no reason");

    // From a file of options.
    let options = format!("data = \"data.jsonl\"\nreason_model = \"m\"\nreason_base_url = \"{url}\"\n");
    fs::write(directory.join("data.jsonl"), r#"{"actual_output": "[1"}"#).expect("written");
    fs::write(directory.join("eval.toml"), options).expect("written");
    let said = run(directory, "eval --config eval.toml --format json");
    assert!(said.stdout.contains("I am afraid"), "{} {}", said.stdout, said.stderr);
}

#[test]
fn a_set_up_that_cannot_be_is_said_before_anything_is_judged() {
    let directory = dataset(3);
    let data = fs::read(directory.path().join("data.jsonl")).expect("the data");
    let local = "--reason-model m --reason-base-url http://127.0.0.1:1/v1";
    for (arguments, code, part) in [
        ("--reason-base-url http://localhost:1/v1".to_owned(), 2, "without `--reason-model`"),
        ("--reason-cache reasons.jsonl".to_owned(), 2, "without `--reason-model`"),
        ("--reason-timeout 3".to_owned(), 2, "without `--reason-model`"),
        (
            "--reason-model m --reason-base-url http://localhost:1/v1/chat/completions".to_owned(),
            2,
            "is appended",
        ),
        ("--report json=a.json html=b.html".to_owned(), 74, "did you mean `--report html=b.html`?"),
        ("--reason-model m --reason-base-url ftp://localhost".to_owned(), 2, "http"),
        ("--reason-model m --reason-base-url http://user:pass@localhost/v1".to_owned(), 2, "password"),
        ("--reason-model= --reason-base-url http://localhost:1/v1".to_owned(), 2, "the model"),
        (format!("{local} --reason-concurrency 0"), 2, "--reason-concurrency"),
        (format!("{local} --reason-cache ."), 74, "cannot be used as a cache"),
        (format!("{local} --reason-cache data.jsonl"), 2, "has another use"),
    ] {
        let said = run(directory.path(), &format!("eval data.jsonl {arguments}"));
        assert_eq!(said.code, Some(code), "{arguments}: {}", said.stderr);
        assert!(
            said.stderr.starts_with("error: ") && said.stderr.contains(part),
            "{arguments}: {}",
            said.stderr
        );
        assert!(said.stdout.is_empty(), "{arguments}");
    }
    assert_eq!(fs::read(directory.path().join("data.jsonl")).expect("the data"), data);
    let said: Said = command()
        .current_dir(directory.path())
        .args(["eval", "data.jsonl", "--reason-model", "m"])
        .env_remove("OPENAI_API_KEY")
        .env_remove("OPENAI_BASE_URL")
        .output()
        .expect("runs")
        .into();
    assert_eq!(said.code, Some(2));
    assert!(
        said.stderr.contains("OPENAI_API_KEY") && said.stderr.contains("--reason-base-url"),
        "{}",
        said.stderr
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_does_not_wait_for_its_reasons() {
    use std::process::{Child, Command};

    let directory = dataset(300);
    let directory = directory.path();
    let silent = serve(|_| None);
    let start = |url: &str, more: &[&str]| -> Child {
        let line = format!("eval data.jsonl --out results.jsonl --reason-model m --reason-base-url {url}");
        command()
            .current_dir(directory)
            .args(line.split_whitespace())
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs")
    };
    let child = start(&silent.url, &[]);
    while silent.requests.load(Ordering::SeqCst) == 0 {
        thread::sleep(Duration::from_millis(10));
    }
    let sent = Instant::now();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("runs");
    assert!(killed.success());
    let said: Said = child.wait_with_output().expect("ends").into();
    let took = sent.elapsed();
    println!("ended {took:?} after Ctrl-C");
    // Each call has thirty seconds, and none was waited for.
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert_eq!(said.code, Some(130), "{}", said.stderr);
    assert!(said.stderr.contains("--resume"), "{}", said.stderr);

    let good = serve(|_| says("It is so."));
    let said: Said = start(&good.url, &["--resume"]).wait_with_output().expect("ends").into();
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let plain = run(directory, "eval data.jsonl --out plain.jsonl");
    assert_eq!(plain.code, Some(1), "{}", plain.stderr);
    let (verdicts, worded) = results(&directory.join("results.jsonl"));
    assert!(
        verdicts == results(&directory.join("plain.jsonl")).0,
        "resumed, the results are those of one run"
    );
    assert!(worded.iter().any(|worded| worded["reason"] == "It is so."));
}
