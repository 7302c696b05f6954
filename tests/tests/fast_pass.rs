//! The fast pass only says "valid" where the judge of record does, and it does say so of nearly every
//! valid text.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use json_correctness::{
    __private::is_valid_at_sight, CompiledSchema, Document, JsonValidity, Limits, Metric as _, TestCase,
};
use json_correctness_tests::{mutate::Pool, random::Random, shared, zoo::specimens};
use serde_json::Value;

/// Texts that were judged, by what was said of them.
#[derive(Debug, Default)]
struct Tally {
    judged: usize,
    valid: usize,
    at_sight: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, at_sight: bool, valid: bool, what: impl FnOnce() -> String) {
        self.judged += 1;
        self.valid += usize::from(valid);
        self.at_sight += usize::from(at_sight);
        if at_sight && !valid {
            self.wrong.push(what());
        }
    }

    /// The share of the valid texts that needed no other judge, in percent.
    fn share(&self) -> usize {
        100 * self.at_sight / self.valid.max(1)
    }
}

fn judge(schema: &CompiledSchema, text: &str) -> bool {
    Document::parse(text, &Limits::default()).is_ok_and(|document| schema.is_valid(&document))
}

#[test]
fn the_zoo_is_judged_at_sight() {
    let mutants =
        std::env::var("JSON_CORRECTNESS_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(200);
    let (mut samples, mut all) = (Tally::default(), Tally::default());
    let mut slow = Vec::new();
    for specimen in specimens() {
        let mut own = Tally::default();
        for strict in [false, true] {
            for sample in specimen.samples {
                let at_sight = specimen.is_valid_at_sight(sample, strict);
                let valid = specimen.is_schema_valid(sample, strict) == Some(true);
                samples.add(at_sight, valid, || format!("{} {sample}", specimen.name));
                own.add(at_sight, valid, String::new);
            }
        }
        if own.at_sight < own.valid {
            slow.push(format!("{} {} of {}", specimen.name, own.at_sight, own.valid));
        }
        let pool = Pool::new(specimen.samples);
        let mut random = Random::new(7, specimen.name);
        for _ in 0..mutants {
            let text = pool.mutant(&mut random);
            let edited = edited(&text, &mut random);
            assert_eq!(
                is_well_formed(&edited),
                Document::parse(&edited, &Limits::default()).is_ok(),
                "{edited}"
            );
            for (text, strict) in [(&text, false), (&text, true), (&edited, false)] {
                let at_sight = specimen.is_valid_at_sight(text, strict);
                let valid = specimen.is_schema_valid(text, strict) == Some(true);
                all.add(at_sight, valid, || format!("{} {text}", specimen.name));
            }
        }
    }
    println!("samples: {} of {} at sight; not all: {}", samples.at_sight, samples.valid, slow.join(", "));
    println!("mutants: {} judged, {} of {} valid ones at sight", all.judged, all.at_sight, all.valid);
    assert!(samples.wrong.is_empty(), "{}", samples.wrong.join("\n"));
    assert!(
        all.wrong.is_empty(),
        "{} differ:\n{}",
        all.wrong.len(),
        all.wrong[..all.wrong.len().min(20)].join("\n")
    );
    assert!(samples.share() >= 95, "only {} % of the samples", samples.share());
    assert!(all.share() >= 90, "only {} % of the valid mutants", all.share());
}

fn is_well_formed(text: &str) -> bool {
    JsonValidity::new().measure(&TestCase::new("", text)).expect("set up").violations.is_empty()
}

/// The text with one character of JSON's grammar put in, or one character taken out.
fn edited(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = random.below(characters.len() + 1);
    if at < characters.len() && random.once_in(3) {
        characters.remove(at);
    } else {
        const GRAMMAR: [char; 20] = [
            '{', '}', '[', ']', '"', '\\', ',', ':', ' ', '\n', '\u{1f}', '-', '.', '0', '9', 'e', 'u', 'n',
            'é', '\u{a0}',
        ];
        characters.insert(at, *random.pick(&GRAMMAR));
    }
    characters.into_iter().collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder that can be read") {
        let path = entry.expect("a folder that can be read").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
}

const DRAFTS: [&str; 5] = [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
];

#[test]
fn the_schema_test_suite_is_judged_at_sight() {
    let Some(suite) = shared::path("conformance/JSON-Schema-Test-Suite/tests") else { return };
    let limits = Limits::default();
    let mut paths = Vec::new();
    files(&suite, &mut paths);
    paths.retain(|path| !path.components().any(|part| part.as_os_str() == "v1"));
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a file that can be read");
        let groups: Vec<Value> = serde_json::from_str(&text).expect("a list of groups");
        // Every schema in every draft: the judges must agree, whatever a keyword means there.
        for (group, uri) in groups.iter().flat_map(|group| DRAFTS.map(|uri| (group, uri))) {
            let mut schema = group["schema"].clone();
            if let Value::Object(schema) = &mut schema {
                schema.insert("$schema".to_owned(), uri.into());
            }
            // Those that refer to other documents need a set-up of their own.
            let Ok(compiled) = CompiledSchema::new(&schema, &limits) else { continue };
            for test in group["tests"].as_array().expect("a list of tests") {
                let text = test["data"].to_string();
                let at_sight = is_valid_at_sight(&compiled, &text, &limits);
                tallies.entry(uri).or_default().add(at_sight, judge(&compiled, &text), || {
                    format!("{} {} {text}", path.display(), group["description"])
                });
            }
        }
    }
    assert_eq!(tallies.len(), DRAFTS.len());
    for (draft, tally) in tallies {
        println!(
            "{draft}: {} judged, {} of {} valid ones at sight",
            tally.judged, tally.at_sight, tally.valid
        );
        assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
        assert!(tally.share() >= 80, "only {} % of {draft}", tally.share());
    }
}

#[test]
fn the_parsing_test_suite_is_read_at_sight() {
    let Some(folder) = shared::path("conformance/JSONTestSuite/test_parsing") else { return };
    let limits = Limits::default();
    let anything = CompiledSchema::new(&Value::Bool(true), &limits).expect("a schema");
    let mut tally = Tally::default();
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    for path in paths {
        let bytes = fs::read(&path).expect("a file that can be read");
        let valid = JsonValidity::new().judge(&TestCase::new("", &bytes[..])).expect("set up").passed();
        assert_eq!(valid, Document::from_slice(&bytes, &limits).is_ok(), "{}", path.display());
        let Ok(text) = str::from_utf8(&bytes) else { continue };
        let at_sight = is_valid_at_sight(&anything, text, &limits);
        tally.add(at_sight, judge(&anything, text), || path.display().to_string());
    }
    println!("{} judged, {} of {} valid ones at sight", tally.judged, tally.at_sight, tally.valid);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.share() >= 90, "only {} %", tally.share());
}
