//! Every example of `docs/agreement.md` behaves as the page says.

use std::path::Path;

use json_correctness_tests::{rows::ask, zoo::promise::specimens};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/agreement.md");
    std::fs::read_to_string(path).expect("the page is there")
}

#[test]
fn the_types_of_the_page_are_the_types_that_are_tested() {
    let source = include_str!("../src/zoo/promise.rs");
    let (_, rest) = source.split_once("// <docs>\n").expect("the mark");
    let (types, _) = rest.split_once("// </docs>").expect("the mark");
    assert!(page().contains(&format!("```rust\n{types}```\n")), "copy the types to docs/agreement.md");
}

#[test]
fn every_example_behaves_as_the_page_says() {
    let specimens = specimens();
    let (mut wrong, mut examples) = (Vec::new(), 0);
    for line in page().lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [text, name, serde, schema, check] = cells[..] else { panic!("five cells: {line}") };
        let (text, name) = (text.trim_matches('`'), name.trim_matches('`'));
        let specimen = specimens.iter().find(|specimen| specimen.name == name).expect(name);
        let (lenient, strict) = (ask(specimen, text, false), ask(specimen, text, true));
        let words = |by_default: Option<bool>, in_strict: Option<bool>| match (by_default, in_strict) {
            (Some(true), Some(true)) => "accepts",
            (Some(true), _) => "accepts (not strict)",
            (Some(false), _) => "refuses",
            (None, _) => "not JSON",
        };
        let serde_says = words(Some(lenient.serde.is_ok()), Some(lenient.serde.is_ok()));
        let found = [
            serde_says,
            words(lenient.schema, strict.schema),
            words(Some(lenient.passes), Some(strict.passes)),
        ];
        if found != [serde, schema, check] {
            wrong.push(format!("{line}\n  found {found:?}: {lenient:?}"));
        }
        examples += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(examples >= 30, "{examples} examples");
}
