//! A real and deep JSON format, judged by types: what `cargo metadata` says about this workspace is
//! right, and of faults put into it, each is found, and nothing else.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

use json_correctness::{
    ExpectedSchema, JsonCorrectness, Limits, TestCase, Violation, assert_json_correct, json_schema,
};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

/// What cargo writes, checked as far as a schema can.
#[expect(dead_code, reason = "most fields are only judged")]
#[derive(Deserialize, ExpectedSchema)]
struct Written {
    #[expected(length(min = 1))]
    packages: Vec<Package>,
    #[expected(length(min = 1), unique_items)]
    workspace_members: Vec<PackageId>,
    workspace_default_members: Option<Vec<PackageId>>,
    resolve: Option<Resolve>,
    target_directory: PathBuf,
    build_directory: Option<PathBuf>,
    #[expected(one_of = [1])]
    version: u32,
    workspace_root: PathBuf,
    metadata: Option<Value>,
}

/// The same, once the graph is known to be about the packages.
#[derive(Deserialize, ExpectedSchema)]
#[serde(try_from = "Written")]
struct Metadata(Written);

impl TryFrom<Written> for Metadata {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let known: BTreeSet<&PackageId> = written.packages.iter().map(|package| &package.id).collect();
        let nodes = written.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let meant = nodes.flat_map(|node| {
            std::iter::once(&node.id).chain(&node.dependencies).chain(node.deps.iter().map(|dep| &dep.pkg))
        });
        match meant.chain(&written.workspace_members).find(|id| !known.contains(id)) {
            Some(PackageId(id)) => Err(format!("no package has the id {id}")),
            None => Ok(Self(written)),
        }
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, ExpectedSchema)]
struct PackageId(#[expected(pattern = "^(registry|sparse|git|path)\\+.*#")] String);

#[derive(Deserialize, ExpectedSchema)]
#[expect(dead_code, reason = "only judged")]
struct Package {
    #[expected(pattern = "^[A-Za-z0-9_-]+$", length(max = 64))]
    name: String,
    #[expected(pattern = r"^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$")]
    version: String,
    id: PackageId,
    license: Option<String>,
    license_file: Option<PathBuf>,
    description: Option<String>,
    #[expected(pattern = "^(registry|sparse|git)\\+")]
    source: Option<String>,
    dependencies: Vec<Dependency>,
    #[expected(length(min = 1))]
    targets: Vec<Target>,
    features: BTreeMap<String, Vec<String>>,
    manifest_path: PathBuf,
    metadata: Option<Value>,
    publish: Option<Vec<String>>,
    authors: Vec<String>,
    categories: Vec<String>,
    #[expected(length(max = 5))]
    keywords: Vec<String>,
    readme: Option<PathBuf>,
    repository: Option<Url>,
    homepage: Option<Url>,
    documentation: Option<Url>,
    edition: Edition,
    links: Option<String>,
    default_run: Option<String>,
    #[expected(pattern = r"^\d+\.\d+(\.\d+)?$")]
    rust_version: Option<String>,
}

#[derive(Deserialize, ExpectedSchema)]
enum Edition {
    #[serde(rename = "2015")]
    E2015,
    #[serde(rename = "2018")]
    E2018,
    #[serde(rename = "2021")]
    E2021,
    #[serde(rename = "2024")]
    E2024,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(rename_all = "snake_case")]
enum DependencyKind {
    Normal,
    Dev,
    Build,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only judged")]
struct Dependency {
    name: String,
    source: Option<String>,
    req: String,
    kind: Option<DependencyKind>,
    rename: Option<String>,
    optional: bool,
    uses_default_features: bool,
    features: Vec<String>,
    target: Option<String>,
    registry: Option<Url>,
    path: Option<PathBuf>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(rename_all = "kebab-case")]
enum Crate {
    Lib,
    Rlib,
    Dylib,
    Cdylib,
    Staticlib,
    ProcMacro,
    Bin,
    Example,
    Test,
    Bench,
    CustomBuild,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only judged")]
struct Target {
    #[expected(length(min = 1), unique_items)]
    kind: Vec<Crate>,
    #[expected(length(min = 1))]
    crate_types: Vec<Crate>,
    name: String,
    src_path: PathBuf,
    edition: Edition,
    #[serde(rename = "required-features", default)]
    required_features: Vec<String>,
    doc: bool,
    doctest: bool,
    test: bool,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only judged")]
struct Resolve {
    nodes: Vec<Node>,
    root: Option<PackageId>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only judged")]
struct Node {
    id: PackageId,
    #[expected(unique_items)]
    dependencies: Vec<PackageId>,
    deps: Vec<NodeDependency>,
    features: Vec<String>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only judged")]
struct NodeDependency {
    name: String,
    pkg: PackageId,
    #[expected(length(min = 1))]
    dep_kinds: Vec<KindOfUse>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only judged")]
struct KindOfUse {
    kind: Option<DependencyKind>,
    target: Option<String>,
}

/// What cargo says about this workspace. The crates of other platforms may not be at hand.
fn output() -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let run = |arguments: &[&str]| {
        let output = Command::new(&cargo).args(arguments).current_dir(&root).output().expect("cargo runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(String::from_utf8(output.stdout).expect("UTF-8")) } else { Err(said) }
    };
    let version = run(&["-vV"]).expect("its version");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("its host");
    let metadata = ["metadata", "--format-version", "1"];
    run(&[&metadata[..], &["--offline", "--filter-platform", host]].concat())
        .or_else(|_| run(&metadata))
        .unwrap_or_else(|said| panic!("cargo metadata: {said}"))
}

/// The output as a value whose packages start with those that the faults need.
fn value(output: &str) -> Value {
    let mut value: Value = serde_json::from_str(output).expect("JSON");
    let packages = value["packages"].as_array_mut().expect("an array");
    packages.sort_by_key(|package| package["dependencies"].as_array().map_or(0, Vec::len) < 2);
    assert!(packages.len() > 20, "a real workspace");
    let nodes = value["resolve"]["nodes"].as_array_mut().expect("an array");
    nodes.sort_by_key(|node| node["deps"].as_array().map_or(0, Vec::len) < 2);
    value
}

fn judged(output: &str) -> Vec<Violation> {
    let limits = Limits::default().max_text_bytes(64 << 20);
    let check = JsonCorrectness::<Metadata>::new().limits(limits);
    let verdict = check.judge(&TestCase::new("", output)).expect("the schema compiles");
    verdict.violations().to_vec()
}

/// A fault, and what must be said about it: a code, a pointer and a word of the message or help.
struct Fault {
    inject: fn(&mut Value),
    found: (&'static str, &'static str, &'static str),
}

fn rename(object: &mut Value, from: &str, to: &str) {
    let object = object.as_object_mut().expect("an object");
    let value = object.remove(from).expect("the field");
    object.insert(to.to_owned(), value);
}

const FAULTS: [Fault; 11] = [
    Fault {
        inject: |all| rename(&mut all["packages"][0], "manifest_path", "manifest_pth"),
        found: ("JC0102", "/packages/0/manifest_path", "manifest_pth"),
    },
    Fault {
        inject: |all| all["packages"][1]["edition"] = json!("2017"),
        found: ("JC0202", "/packages/1/edition", "\"2018\""),
    },
    Fault {
        inject: |all| all["packages"][2]["targets"][0]["kind"][0] = json!("libary"),
        found: ("JC0202", "/packages/2/targets/0/kind/0", "\"lib\""),
    },
    Fault {
        inject: |all| all["packages"][3]["dependencies"][1]["optional"] = json!("false"),
        found: ("JC0201", "/packages/3/dependencies/1/optional", "must be a boolean, found a string"),
    },
    Fault {
        inject: |all| all["packages"][4]["version"] = json!("1.0"),
        found: ("JC0206", "/packages/4/version", "1.0"),
    },
    Fault {
        inject: |all| all["packages"][5]["features"]["std/more~"] = json!("alloc"),
        found: ("JC0201", "/packages/5/features/std~1more~0", "must be an array"),
    },
    Fault {
        inject: |all| all["packages"][6]["keywords"] = json!(["a", "b", "c", "d", "e", "f"]),
        found: ("JC0205", "/packages/6/keywords", "at most 5 items, found 6"),
    },
    Fault {
        inject: |all| {
            all["resolve"]["nodes"][0].as_object_mut().expect("an object").remove("id");
        },
        found: ("JC0101", "/resolve/nodes/0/id", "missing"),
    },
    Fault {
        inject: |all| all["resolve"]["nodes"][1]["deps"][0]["dep_kinds"][0]["weight"] = json!(1),
        found: ("JC0103", "/resolve/nodes/1/deps/0/dep_kinds/0/weight", "unknown field"),
    },
    Fault {
        inject: |all| all["resolve"]["nodes"][2]["dependencies"][1] = json!(7),
        found: ("JC0201", "/resolve/nodes/2/dependencies/1", "must be a string"),
    },
    Fault { inject: |all| all["version"] = json!(2), found: ("JC0202", "/version", "1") },
];

#[test]
fn the_metadata_of_this_workspace_are_right() {
    let output = output();
    let Metadata(metadata) = assert_json_correct!(Metadata, &output);
    let names: BTreeSet<&str> = metadata.packages.iter().map(|package| &*package.name).collect();
    assert!(names.contains("json-correctness") && names.contains("serde"), "{names:?}");
    let schema = json_schema::<Metadata>();
    let types = schema["$defs"].as_object().map_or(0, |types| types.len());
    println!("{} bytes, {} packages, {types} types besides the root", output.len(), names.len());
}

#[test]
fn each_fault_is_found_and_nothing_else() {
    let value = value(&output());
    assert_eq!(judged(&value.to_string()), []);
    let differs = |violation: &Violation, (code, pointer, word): (&str, &str, &str)| {
        let help = violation.suggestion.as_deref().unwrap_or_default();
        let said = violation.message.contains(word) || help.contains(word);
        violation.code != code || violation.pointer.as_str() != pointer || !said
    };
    let mut with_all = value.clone();
    for Fault { inject, found } in &FAULTS {
        let mut faulty = value.clone();
        inject(&mut faulty);
        inject(&mut with_all);
        let violations = judged(&faulty.to_string());
        assert!(
            violations.len() == 1 && !differs(&violations[0], *found),
            "{found:?} became {violations:#?}"
        );
    }
    let violations = judged(&with_all.to_string());
    assert_eq!(violations.len(), FAULTS.len(), "{violations:#?}");
    for Fault { found, .. } in &FAULTS {
        assert!(violations.iter().any(|violation| !differs(violation, *found)), "{found:?}: {violations:#?}");
    }
    let places: BTreeMap<_, _> = violations.iter().map(|found| (found.span.start, found.code)).collect();
    assert_eq!(places.len(), FAULTS.len(), "each at its own place");
}

/// What only the text shows, and what only the type's own code can say.
#[test]
fn doubled_keys_and_dangling_ids_are_found() {
    let value = value(&output());
    let text = value.to_string();
    let at = text.find("\"manifest_path\":").expect("a package");
    let doubled = format!("{}\"manifest_path\":\"/\",{}", &text[..at], &text[at..]);
    let [violation] = &judged(&doubled)[..] else { panic!("one violation") };
    assert_eq!(violation.code, "JC0104");
    assert_eq!(violation.span.start, at + "\"manifest_path\":\"/\",".len());

    let mut dangling = value;
    dangling["resolve"]["nodes"][0]["deps"][0]["pkg"] = json!("path+file:///nowhere#0.1.0");
    let [violation] = &judged(&dangling.to_string())[..] else { panic!("one violation") };
    assert_eq!((violation.code, violation.pointer.as_str()), ("JC0401", ""));
    assert!(violation.message.contains("no package has the id path+file:///nowhere#0.1.0"), "{violation}");
}
