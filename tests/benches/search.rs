//! What the search for reasons takes on texts of up to 1 MiB that are made to be dear, with the promise
//! beside it: under 100 ms and 64 MB, whatever the schema.
//!
//! `cargo bench -p json-correctness-tests --bench search [-- part of a case's name]`. Each case runs in
//! a process of its own, so that its peak of memory is its own too (Linux only). `search` is what
//! `violations` takes beyond `is_valid`, since both ask the judge; processor time, to 2 ms.

use std::{
    io::{Read, Write},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use json_correctness::{CompiledSchema, Document, Limits};
use serde_json::{Value, json};

const PROMISED: Duration = Duration::from_millis(100);
const PROMISED_KIB: u64 = 64 << 10;
const ROUNDS: u32 = 5;

struct Case {
    name: String,
    schema: Value,
    text: String,
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn expressions(union: &str) -> Value {
    let mut branches = vec![json!({
        "type": "object",
        "properties": {"op": {"const": "num"}, "value": {"type": "integer"}},
        "required": ["op", "value"],
    })];
    for op in ["add", "sub", "mul", "div"] {
        branches.push(json!({
            "type": "object",
            "properties": {
                "op": {"const": op}, "left": {"$ref": "#/$defs/e"}, "right": {"$ref": "#/$defs/e"},
            },
            "required": ["op", "left", "right"],
        }));
    }
    json!({"$ref": "#/$defs/e", "$defs": {"e": {union: branches}}})
}

fn expression(depth: usize) -> String {
    let mut text = r#"{"op": "num", "value": "one"}"#.to_owned();
    for _ in 1..depth {
        text = format!(r#"{{"op": "add", "left": {text}, "right": {{"op": "num", "value": 1}}}}"#);
    }
    text
}

/// A recursive union without a tag.
fn untagged() -> Value {
    let branches: Vec<Value> = (0..6)
        .map(|place| {
            json!({
                "type": "object",
                "properties": {
                    "left": {"$ref": "#/$defs/e"}, "right": {"$ref": "#/$defs/e"},
                    format!("x{place}"): {"type": "integer"},
                },
                "required": ["left", format!("x{place}")],
            })
        })
        .chain([json!({"type": "integer"})])
        .collect();
    json!({"$ref": "#/$defs/e", "$defs": {"e": {"anyOf": branches}}})
}

fn untagged_text(depth: usize) -> String {
    let mut text = "\"wrong\"".to_owned();
    for _ in 1..depth {
        text = format!(r#"{{"left": {text}, "right": 1, "x3": 1}}"#);
    }
    text
}

fn kinds(tagged: bool) -> Value {
    let branches: Vec<Value> = (0..50)
        .map(|place| {
            if tagged {
                json!({
                    "type": "object",
                    "properties": {"kind": {"const": format!("k{place}")}, "value": {"type": "integer"}},
                    "required": ["kind", "value"],
                })
            } else {
                json!({
                    "type": "object",
                    "properties": {"v": {"type": "integer", "minimum": place}},
                    "required": ["v", format!("r{place}")],
                })
            }
        })
        .collect();
    json!({"type": "array", "items": {"anyOf": branches}})
}

fn of_kinds(wrong: usize) -> String {
    list((0..20_000).map(|at| {
        let value = if at + wrong >= 20_000 { "\"x\"" } else { "1" };
        format!(r#"{{"kind": "k{}", "value": {value}}}"#, at % 50)
    }))
}

/// Closed objects with many fields, as the branches of a union without a tag.
fn wide(branches: usize, fields: usize) -> Value {
    let branches: Vec<Value> = (0..branches)
        .map(|branch| {
            let names: Vec<String> =
                (0..fields).map(|field| format!("customer_field_{branch}_{field}")).collect();
            let properties: serde_json::Map<String, Value> =
                names.iter().map(|name| (name.clone(), json!({"type": "integer"}))).collect();
            json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
        })
        .collect();
    json!({"items": {"anyOf": branches}})
}

fn misspelt(objects: usize, fields: usize) -> String {
    list((0..objects).map(|object| {
        let members: Vec<String> =
            (0..fields).map(|field| format!("\"kustomer_feild_{object}_{field}_x\": 1")).collect();
        format!("{{{}}}", members.join(","))
    }))
}

fn cases() -> Vec<Case> {
    let bomb = r"^(?=a)(?:a|a)*\1?b()$";
    let quadratic = r"(?<!b)a*c";
    let strings = |count: usize, bytes: usize| {
        list((0..count).map(|at| format!("\"{}{at:05}\"", "a".repeat(bytes.saturating_sub(8)))))
    };
    let deep_layers = (0..30).fold(json!({"type": "integer"}), |inner, _| json!({"allOf": [inner]}));
    let keyed = |faults: usize| {
        let values = vec!["1"; faults].join(",");
        format!("{{\"{}\": [{values}]}}", "k".repeat(1_040_000))
    };
    let many_patterns: serde_json::Map<String, Value> =
        (0..200).map(|at| (format!("^[a-z]+{at}$"), json!({"type": "string"}))).collect();
    let numbers: Vec<usize> = (0..5_000).collect();
    let mut cases = Vec::new();
    let mut case = |name: &'static str, schema: Value, text: String| {
        cases.push(Case { name: name.to_owned(), schema, text });
    };
    case(
        "520,000 wrong integers",
        json!({"items": {"type": "string"}}),
        list((0..520_000).map(|_| "1".into())),
    );
    case(
        "the last of 520,000 integers",
        json!({"items": {"type": "integer"}}),
        format!("[{}\"x\"]", "1,".repeat(520_000)),
    );
    case(
        "520,000 integers against 20 subschemas",
        json!({"items": {"allOf": (0..20).map(|at| json!({"minimum": at})).collect::<Vec<_>>()}, "minItems": 600_000}),
        list((0..520_000).map(|_| "1".into())),
    );
    case(
        "uniqueItems, 140,000 numbers",
        json!({"uniqueItems": true, "minItems": 200_000}),
        list((0..140_000).map(|at| format!("{}", 100_000 + at))),
    );
    case(
        "uniqueItems, 60,000 small objects",
        json!({"uniqueItems": true, "minItems": 200_000}),
        list((0..60_000).map(|at| format!("{{\"a\":[{at}]}}"))),
    );
    case(
        "uniqueItems under 50 branches",
        json!({"anyOf": (0..50).map(|at| json!({"uniqueItems": true, "minItems": 200_000 + at})).collect::<Vec<_>>()}),
        list((0..140_000).map(|at| format!("{}", 100_000 + at))),
    );
    case("backtracking bomb, 20,000 strings", json!({"items": {"pattern": bomb}}), strings(20_000, 50));
    case("backtracking bomb, 128 strings of 8 KiB", json!({"items": {"pattern": bomb}}), strings(128, 8_100));
    case(
        "quadratic pattern, 128 strings of 8 KiB",
        json!({"items": {"pattern": quadratic}}),
        strings(128, 8_100),
    );
    case("quadratic pattern, 10,000 strings", json!({"items": {"pattern": quadratic}}), strings(10_000, 100));
    case(
        "quadratic pattern, one string",
        json!({"pattern": quadratic}),
        format!("\"{}\"", "a".repeat(1_048_000)),
    );
    case(
        "dear linear pattern, one string",
        json!({"pattern": "(a?){200}(a{1,200}){5}b$"}),
        format!("\"{}\"", "a".repeat(1_048_000)),
    );
    case(
        "100 linear patterns, one string",
        json!({"allOf": (0..100).map(|at| json!({"pattern": format!("[ab]+c{at}$")})).collect::<Vec<_>>()}),
        format!("\"{}\"", "a".repeat(1_048_000)),
    );
    case(
        "enum of 5,000 numbers",
        json!({"items": {"enum": numbers}, "minItems": 300_000}),
        list((0..150_000).map(|at| format!("{:.1}", (at % 5_000) as f64))),
    );
    case(
        "const of 400 numbers, 650 lists",
        json!({"items": {"const": (0..400).collect::<Vec<_>>()}}),
        list((0..650).map(|_| list((1..400).map(|at| at.to_string())))),
    );
    case("misspelt keys, 10 branches of 40", wide(10, 40), misspelt(800, 40));
    case("misspelt keys, 50 branches of 48", wide(50, 48), misspelt(700, 48));
    case("misspelt keys, 64 branches of 8", wide(64, 8), misspelt(4_000, 8));
    case("misspelt keys, one object of 30,000", wide(1, 5_000), misspelt(1, 30_000));
    case("untagged union, depth 126", untagged(), untagged_text(126));
    case(
        "untagged union, depth 20 × 1,700",
        {
            let mut schema = untagged();
            schema["$defs"]["list"] = json!({"items": {"$ref": "#/$defs/e"}});
            schema["$ref"] = json!("#/$defs/list");
            schema
        },
        list((0..1_700).map(|_| untagged_text(20))),
    );
    case("20,000 items × 50 branches, the last wrong", kinds(true), of_kinds(1));
    case("20,000 items × 50 branches, all wrong", kinds(true), of_kinds(20_000));
    case(
        "20,000 items × 50 branches without tag",
        kinds(false),
        list((0..20_000).map(|_| r#"{"v": "x"}"#.to_owned())),
    );
    case("tagged expression, depth 127", expressions("oneOf"), expression(126));
    case("tagged expression, depth 500", expressions("anyOf"), expression(500));
    case(
        "30 allOf on each of 511 levels",
        {
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/a"}}, deep_layers]}}})
        },
        format!("{}\"x\"{}", "[".repeat(511), "]".repeat(511)),
    );
    case(
        "100 faults under a key of 1 MB",
        json!({"additionalProperties": {"items": {"type": "string"}}}),
        keyed(1_000),
    );
    case(
        "unknown key of 1 MB, 300 subschemas",
        {
            json!({"allOf": (0..300).map(|_| json!({"additionalProperties": {"type": "null"}})).collect::<Vec<_>>()})
        },
        keyed(1),
    );
    case(
        "200 patternProperties × 60,000 keys",
        json!({"patternProperties": many_patterns, "additionalProperties": {"type": "integer"}, "minProperties": 100_000}),
        format!("{{{}}}", (0..60_000).map(|at| format!("\"key_{at}\": 1")).collect::<Vec<_>>().join(",")),
    );
    for (name, format, text) in [
        ("format email, one string", "email", format!("\"{}@x.io\"", "a.".repeat(500_000))),
        ("format uri, one string", "uri", format!("\"http://{}\"", "a%20".repeat(250_000))),
        ("format idn-hostname, one string", "idn-hostname", format!("\"{}\"", "ü.".repeat(330_000))),
        ("format regex, one string", "regex", format!("\"{}\"", "(a|b".repeat(250_000))),
        ("format duration, one string", "duration", format!("\"P{}\"", "1Y".repeat(500_000))),
        ("format uri-template, one string", "uri-template", format!("\"{}\"", "{a}".repeat(300_000))),
        ("format json-pointer, one string", "json-pointer", format!("\"{}~\"", "/a".repeat(500_000))),
    ] {
        case(name, json!({"allOf": [{"format": format}, {"format": format}, {"type": "null"}]}), text);
    }
    case(
        "enum of 500 near words",
        json!({"items": {"enum": (0..500).map(|at| format!("customer_priority_level_of_the_{at:03}")).collect::<Vec<_>>()}}),
        list((0..20_000).map(|at| format!("\"kustomer_priority_level_of_the_{at:05}\""))),
    );
    case(
        "enum of 5,000 words under 60 branches",
        json!({"items": {"anyOf": (0..60).map(|at| json!({"type": "array", "minItems": at, "items": {"enum": (0..1_000).map(|word| format!("{at}_{word}")).collect::<Vec<_>>()}})).collect::<Vec<_>>()}}),
        list((0..400).map(|_| list((0..100).map(|at| format!("\"x{at}\""))))),
    );
    case(
        "one of 1,000 keys, 50,000 objects",
        json!({"items": {"anyOf": [{"items": {"oneOf": (0..1_000).map(|at| json!({"type": "object", "properties": {format!("variant_name_{at:04}"): {"type": "integer"}}, "required": [format!("variant_name_{at:04}")], "additionalProperties": false})).collect::<Vec<_>>()}}, {"minItems": 1_000_000}]}}),
        list((0..10).map(|_| list((0..3_500).map(|at| format!("{{\"veriant_nome_{at:05}\": 1}}"))))),
    );
    case(
        "contentMediaType, 1,000 strings",
        json!({"items": {"contentMediaType": "application/json", "contentEncoding": "base64"}, "$schema": "http://json-schema.org/draft-07/schema#"}),
        list((0..1_000).map(|_| format!("\"{}\"", "W1tb".repeat(250)))),
    );
    case(
        "numbers of 10,000 digits × 50 bounds",
        json!({"items": {"allOf": (0..50).map(|at| json!({"multipleOf": 0.01 + at as f64})).collect::<Vec<_>>()}}),
        list((0..100).map(|_| format!("1.{}", "3".repeat(10_000)))),
    );
    case(
        "required, 30 members × 5,000 names",
        json!({"items": {"required": (0..5_000).map(|at| format!("key{at}")).collect::<Vec<_>>()}}),
        list((0..2_500).map(|_| {
            format!("{{{}}}", (0..30).map(|at| format!("\"kei{at}\":1")).collect::<Vec<_>>().join(","))
        })),
    );
    case(
        "unevaluatedProperties under 50 anyOf",
        json!({"items": {"anyOf": (0..50).map(|at| json!({"properties": {format!("k{at}"): {"type": "integer"}}})).collect::<Vec<_>>(), "unevaluatedProperties": false}}),
        list(
            (0..5_000)
                .map(|_| {
                    format!("{{{}}}", (0..20).map(|at| format!("\"k{at}\":1")).collect::<Vec<_>>().join(","))
                })
                .chain(["{\"x\": 1}".to_owned()]),
        ),
    );
    cases
}

fn limits() -> Limits {
    Limits::default().max_depth(512).max_schema_nodes(100_000)
}

/// A figure of `/proc/self/status`, in KiB.
fn memory(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
}

/// The processor time of this process and the threads it has had, in hundredths of a second; `None`
/// where the system does not tell.
fn ticks() -> Option<u32> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    Some(fields.next()?.parse::<u32>().ok()? + fields.next()?.parse::<u32>().ok()?)
}

/// The time of one run, on average; processor time where the system tells it.
fn timed<R>(mut run: impl FnMut() -> R) -> (Duration, R) {
    let (start, before) = (Instant::now(), ticks());
    for _ in 1..ROUNDS {
        drop(run());
    }
    let result = run();
    let spent = match before.zip(ticks()) {
        Some((before, after)) => Duration::from_millis(u64::from(after - before) * 10),
        None => start.elapsed(),
    };
    (spent / ROUNDS, result)
}

fn run(case: &Case) {
    let limits = limits();
    let schema = CompiledSchema::new(&case.schema, &limits).expect(&case.name);
    let document = Document::parse(&case.text, &limits).expect(&case.name);
    // Levels the peak, where the system allows it.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = memory("VmRSS:");
    let found = schema.violations(&document, &limits);
    let peak = memory("VmHWM:");
    let (judge, valid) = timed(|| schema.is_valid(&document));
    assert!(!valid && !found.is_empty(), "{}", case.name);
    let (both, _) = timed(|| schema.violations(&document, &limits));
    let search = both.saturating_sub(judge);
    let kib = peak.zip(before).map_or(0, |(peak, before)| peak.saturating_sub(before));
    let kept = search < PROMISED && kib < PROMISED_KIB;
    println!(
        "{:44} {:>5} KiB {:>8.1} ms {:>8.1} ms {:>6.1} MB {:>4} {}{}",
        case.name,
        case.text.len() >> 10,
        judge.as_secs_f64() * 1e3,
        search.as_secs_f64() * 1e3,
        kib as f64 / 1024.0,
        found.len(),
        found[found.len() - 1].code,
        if kept { "" } else { "  BROKEN" },
    );
}

/// The case that stands on the standard input: its schema on the first line, then its text.
fn read_case(name: &str) -> Case {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("UTF-8");
    let (schema, text) = input.split_once('\n').expect("a line");
    let schema = serde_json::from_str(schema).expect("JSON");
    Case { name: name.to_owned(), schema, text: text.to_owned() }
}

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--bench")).collect();
    if let [flag, name] = arguments.as_slice()
        && flag == "--case"
    {
        return run(&read_case(name));
    }
    let part = arguments.first().map_or("", String::as_str);
    println!("promise: search under {PROMISED:?} and {} MB", PROMISED_KIB >> 10);
    println!(
        "{:44} {:>9} {:>11} {:>11} {:>9}  violations and the last code",
        "case", "text", "judge", "search", "memory"
    );
    let this = std::env::current_exe().expect("this program");
    for case in cases().iter().filter(|case| case.name.contains(part)) {
        assert!(case.text.len() <= 1 << 20, "{} has {} bytes", case.name, case.text.len());
        let mut child = Command::new(&this)
            .args(["--case", &case.name])
            .stdin(Stdio::piped())
            .spawn()
            .expect("this program starts");
        let mut input = child.stdin.take().expect("it is piped");
        writeln!(input, "{}\n{}", case.schema, case.text).expect("it is read");
        drop(input);
        assert!(child.wait().expect("it ends").success(), "{}", case.name);
    }
}
