//! serde's shapes: what is read is what the schema takes.

use std::{borrow::Cow, collections::HashMap, fmt::Debug, marker::PhantomData};

use json_correctness::{ExpectedSchema, json_schema};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::json;

use super::{agree, at, constrained};

#[derive(Deserialize, ExpectedSchema)]
struct Unit;

#[derive(Deserialize, ExpectedSchema)]
struct Newtype(u8);

#[derive(Deserialize, ExpectedSchema)]
struct Tuple(u8, String);

#[derive(Deserialize, ExpectedSchema)]
struct TupleWithDefaults(u8, #[serde(default)] u8, #[serde(skip)] u8, #[serde(default)] u8);

#[derive(Default, Deserialize, ExpectedSchema)]
#[serde(default)]
struct TupleDefault(u8, u8);

#[derive(Deserialize, ExpectedSchema)]
#[serde(transparent)]
struct Transparent {
    inner: Option<u8>,
}

/// With a comment.
#[derive(Deserialize, ExpectedSchema)]
#[serde(transparent)]
struct TransparentWith<T> {
    /// And a comment.
    #[expected(weight = 0.5)]
    inner: Option<u8>,
    #[serde(skip)]
    of: PhantomData<T>,
}

#[derive(Deserialize, ExpectedSchema)]
struct Holder {
    transparent: Transparent,
    with: TransparentWith<Opaque>,
    newtype: Newtype,
    from: FromOption,
}

#[derive(Default)]
struct Opaque;

#[test]
fn structs() {
    agree::<Unit>(&["null"], &["{}", "1"]);
    agree::<Newtype>(&["1"], &["256", "[1]", "1.0", "-0"]);
    agree::<Tuple>(&[r#"[1,"a"]"#], &["[1]", r#"[1,"a",2]"#, r#"["a",1]"#]);
    agree::<TupleWithDefaults>(&["[1]", "[1,2]", "[1,2,3]"], &["[]", "[1,2,3,4]"]);
    agree::<TupleDefault>(&["[]", "[1]", "[1,2]"], &["[1,2,3]", "[null]"]);
    agree::<Holder>(
        &[r#"{"newtype":1}"#, r#"{"newtype":1,"transparent":2,"with":null,"from":1}"#],
        &["{}", r#"{"newtype":null}"#, r#"{"newtype":1,"with":256}"#],
    );
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Names {
    first_name: u8,
    #[serde(rename = "x")]
    renamed: u8,
    #[serde(rename(deserialize = "in", serialize = "out"))]
    both_ways: u8,
    #[serde(rename(serialize = "written"))]
    only_written: u8,
    r#type: u8,
    #[serde(skip_serializing, rename = "w")]
    not_written: u8,
    #[serde(skip_serializing_if = "Option::is_none", rename = "o")]
    maybe_written: Option<u8>,
    #[serde(skip_serializing_if = "is_zero")]
    z: u8,
    #[serde(skip)]
    skipped: u8,
    #[serde(skip_deserializing)]
    not_read: Opaque,
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

#[test]
fn names_are_those_that_are_read() {
    let whole = r#"{"firstName":1,"x":1,"in":1,"onlyWritten":1,"type":1,"w":1,"z":1}"#;
    let mut refused: Vec<String> = ["firstName", "x", "in", "onlyWritten", "type", "w", "z"]
        .into_iter()
        .map(|name| whole.replace(&format!("\"{name}\":1,"), "").replace(&format!(",\"{name}\":1"), ""))
        .collect();
    for extra in ["out", "written", "skipped", "notRead", "first_name"] {
        refused.push(whole.replace('{', &format!("{{\"{extra}\":1,")));
    }
    let refused: Vec<&str> = refused.iter().map(String::as_str).collect();
    agree::<Names>(&[whole, &whole.replace('{', r#"{"o":1,"#)], &refused);
    assert!(!json_schema::<Names>().to_string().contains("writeOnly"));
}

#[derive(Deserialize, ExpectedSchema)]
struct Aliases {
    #[serde(alias = "surname", alias = "last")]
    name: String,
    #[serde(default, alias = "years")]
    age: u8,
    #[serde(alias = "o")]
    option: Option<u8>,
}

#[test]
fn aliases_of_fields() {
    agree::<Aliases>(
        &[
            r#"{"name":"a"}"#,
            r#"{"surname":"a","age":1}"#,
            r#"{"last":"a","years":1}"#,
            r#"{"name":"a","o":null}"#,
        ],
        &[
            "{}",
            r#"{"age":1}"#,
            r#"{"name":"a","last":"b"}"#,
            r#"{"name":"a","age":1,"years":2}"#,
            r#"{"surname":1}"#,
            r#"{"name":"a","years":"x"}"#,
            r#"{"name":"a","o":1,"option":1}"#,
        ],
    );
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(default)]
struct ContainerDefault {
    a: u8,
    b: HashMap<u8, String>,
    c: Option<Box<Self>>,
}

impl Default for ContainerDefault {
    fn default() -> Self {
        Self { a: 7, b: HashMap::from([(1, "x".into())]), c: None }
    }
}

#[derive(Deserialize, ExpectedSchema)]
struct FieldDefaults {
    #[serde(default)]
    a: u8,
    #[serde(default = "eight")]
    b: u8,
    #[serde(default)]
    c: HashMap<u8, u8>,
    #[serde(default)]
    d: NoSerialize,
}

#[derive(Default, Deserialize, ExpectedSchema)]
struct NoSerialize {
    x: u8,
}

fn eight() -> u8 {
    8
}

#[test]
fn defaults() {
    agree::<ContainerDefault>(
        &["{}", r#"{"b":{"1":"x"},"c":{}}"#],
        &[r#"{"a":null}"#, r#"{"b":{"256":"x"}}"#],
    );
    agree::<FieldDefaults>(&["{}", r#"{"c":{"1":1},"d":{"x":1}}"#], &[r#"{"d":{}}"#, r#"{"c":{"-1":1}}"#]);
    assert_eq!(at::<ContainerDefault>("/properties/a/default"), json!(7));
    assert_eq!(at::<ContainerDefault>("/properties/b/default"), json!({"1": "x"}));
    assert_eq!(at::<FieldDefaults>("/properties/b/default"), json!(8));
    assert_eq!(at::<FieldDefaults>("/properties/c/default"), json!({}));
}

#[derive(Deserialize, ExpectedSchema)]
enum External {
    Unit,
    #[serde(alias = "N2", alias = "N3")]
    Newtype(u8),
    Tuple(u8, u8),
    Struct {
        a: u8,
    },
    #[serde(skip)]
    Skipped(Opaque),
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Renamed {
    #[serde(alias = "alt")]
    TheUnit,
    TheStruct {
        the_field: u8,
    },
    #[serde(rename = "X", rename_all = "UPPERCASE")]
    Other {
        field: u8,
    },
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(tag = "t")]
enum Internal {
    #[serde(alias = "U2")]
    Unit,
    Newtype(Inner),
    Struct {
        a: u8,
        #[serde(default)]
        b: u8,
    },
}

#[derive(Deserialize, ExpectedSchema)]
struct Inner {
    x: u8,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    #[serde(alias = "U2")]
    Unit,
    Newtype(u8),
    Option(Option<u8>),
    Nothing(()),
    Tuple(u8, u8),
    Struct {
        a: u8,
    },
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
enum AdjacentDeny {
    Unit,
    Struct { a: u8 },
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(untagged)]
enum Untagged {
    Unit,
    Number(u8),
    Text(String),
    Struct { a: u8 },
    Pair(u8, u8),
}

#[test]
fn taggings() {
    agree::<External>(
        &[r#""Unit""#, r#"{"Newtype":1}"#, r#"{"N3":1}"#, r#"{"Tuple":[1,2]}"#, r#"{"Struct":{"a":1}}"#],
        &[
            r#""Newtype""#,
            r#"{"Newtype":256}"#,
            r#"{"N4":1}"#,
            r#"{"Skipped":null}"#,
            r#""Skipped""#,
            r#"{}"#,
            r#"{"Newtype":1,"N2":1}"#,
        ],
    );
    agree::<Renamed>(
        &[r#""the_unit""#, r#""alt""#, r#"{"the_struct":{"theField":1}}"#, r#"{"X":{"FIELD":1}}"#],
        &[r#""TheUnit""#, r#"{"the_struct":{"the_field":1}}"#, r#"{"X":{"field":1}}"#],
    );
    agree::<Internal>(
        &[r#"{"t":"Unit"}"#, r#"{"t":"U2","z":1}"#, r#"{"x":1,"t":"Newtype"}"#, r#"{"t":"Struct","a":1}"#],
        &[
            "{}",
            r#"{"t":"X"}"#,
            r#"{"t":"Newtype"}"#,
            r#"{"t":"Struct","b":1}"#,
            r#"{"t":"Struct","a":1,"b":"x"}"#,
        ],
    );
    agree::<Adjacent>(
        &[
            r#"{"t":"Unit"}"#,
            r#"{"t":"U2"}"#,
            r#"{"t":"Unit","c":null}"#,
            r#"{"c":1,"t":"Newtype"}"#,
            r#"{"t":"Option"}"#,
            r#"{"t":"Option","c":null}"#,
            r#"{"t":"Nothing","c":null}"#,
            r#"{"t":"Tuple","c":[1,2]}"#,
            r#"{"t":"Struct","c":{"a":1},"z":1}"#,
        ],
        &[
            r#"{"t":"Unit","c":1}"#,
            r#"{"t":"U2","c":{}}"#,
            r#"{"t":"Newtype"}"#,
            r#"{"t":"Nothing"}"#,
            r#"{"t":"Option","c":"x"}"#,
            r#"{"c":1}"#,
            r#"{"t":"Struct","c":{}}"#,
        ],
    );
    agree::<AdjacentDeny>(
        &[r#"{"t":"Unit"}"#, r#"{"t":"Unit","c":null}"#, r#"{"t":"Struct","c":{"a":1}}"#],
        &[r#"{"t":"Unit","z":1}"#, r#"{"t":"Struct","c":{"a":1,"b":1}}"#],
    );
    agree::<Untagged>(&["null", "1", r#""x""#, r#"{"a":1}"#, "[1,2]"], &["256", "[1]", "{}", "true"]);
}

#[derive(Deserialize, ExpectedSchema)]
enum ExternalTuples {
    Last(u8, #[serde(default)] u8, #[serde(default = "eight")] u8),
    /// serde fills from the end only.
    First(#[serde(default)] u8, u8),
    #[serde(alias = "Any")]
    All(#[serde(default)] u8, #[serde(default)] String),
    Skipped(u8, #[serde(skip)] u8, #[serde(default)] u8),
    Only(#[serde(default)] u8),
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(tag = "t", content = "c")]
enum AdjacentTuples {
    Last(u8, #[serde(default)] u8),
    All(#[serde(default)] u8, #[serde(default)] u8),
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(untagged)]
enum UntaggedTuples {
    Last(u8, #[serde(default)] u8),
    Texts(String, String, #[serde(default)] u8),
}

#[test]
fn last_elements_of_tuple_variants_have_defaults() {
    agree::<ExternalTuples>(
        &[
            r#"{"Last":[1]}"#,
            r#"{"Last":[1,2]}"#,
            r#"{"Last":[1,2,3]}"#,
            r#"{"First":[1,2]}"#,
            r#"{"All":[]}"#,
            r#"{"Any":[1]}"#,
            r#"{"Skipped":[1]}"#,
            r#"{"Skipped":[1,2]}"#,
            r#"{"Only":1}"#,
        ],
        &[
            r#"{"Last":[]}"#,
            r#"{"Last":[1,2,3,4]}"#,
            r#"{"Last":[1,"x"]}"#,
            r#"{"First":[1]}"#,
            r#"{"All":["x"]}"#,
            r#"{"Any":[1,"x",2]}"#,
            r#"{"Skipped":[]}"#,
            r#"{"Only":[]}"#,
        ],
    );
    agree::<AdjacentTuples>(
        &[r#"{"t":"Last","c":[1]}"#, r#"{"t":"Last","c":[1,2]}"#, r#"{"t":"All","c":[]}"#],
        &[r#"{"t":"Last","c":[]}"#, r#"{"t":"Last","c":[1,2,3]}"#, r#"{"t":"All"}"#],
    );
    agree::<UntaggedTuples>(
        &["[1]", "[1,2]", r#"["a","b"]"#, r#"["a","b",1]"#],
        &["[]", "[1,2,3]", r#"["a"]"#, r#"["a","b","c"]"#],
    );
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(tag = "t", deny_unknown_fields)]
enum InternalDeny {
    Unit,
    Struct { a: u8 },
}

#[derive(Deserialize, ExpectedSchema)]
struct Wide {
    signed: i128,
}

#[test]
fn shapes_that_serde_overlooks() {
    // Beside the tag of a unit variant serde looks at nothing; the schema does, as beside any other tag.
    constrained::<InternalDeny>(&[r#"{"t":"Unit"}"#, r#"{"t":"Struct","a":1}"#], &[r#"{"t":"Unit","z":1}"#]);
    agree::<InternalDeny>(&[], &[r#"{"t":"Struct","a":1,"z":1}"#]);
    // Everywhere but in 128 bits serde_json reads `-0` as a decimal.
    constrained::<Wide>(&[r#"{"signed":0}"#], &[r#"{"signed":-0}"#]);
    agree::<FieldDefaults>(&[], &[r#"{"a":-0}"#]);
}

#[derive(Deserialize, ExpectedSchema)]
#[schemars(inline)]
struct Inlined {
    x: u8,
}

#[derive(Deserialize, ExpectedSchema)]
#[schemars(inline)]
enum InlinedEnum {
    A,
    #[serde(alias = "C")]
    B {
        by: HashMap<u8, Inlined>,
    },
}

#[derive(Deserialize, ExpectedSchema)]
#[schemars(inline)]
struct InlinedGeneric<T> {
    of: T,
}

#[derive(Deserialize, ExpectedSchema)]
struct HoldsInlined {
    one: Inlined,
    maybe: Option<Inlined>,
    several: Vec<InlinedEnum>,
    generic: InlinedGeneric<Inlined>,
}

#[test]
fn inlined_types_stand_where_they_are_used() {
    agree::<HoldsInlined>(
        &[
            r#"{"one":{"x":1},"several":["A",{"C":{"by":{"1":{"x":1}}}}],"generic":{"of":{"x":1}}}"#,
            r#"{"one":{"x":1},"maybe":null,"several":[],"generic":{"of":{"x":1}}}"#,
        ],
        &[
            r#"{"one":{"x":256},"several":[],"generic":{"of":{"x":1}}}"#,
            r#"{"one":{"x":1},"maybe":{},"several":[],"generic":{"of":{"x":1}}}"#,
            r#"{"one":{"x":1},"several":[{"C":{"by":{"z":{"x":1}}}}],"generic":{"of":{"x":1}}}"#,
            r#"{"one":{"x":1},"several":[],"generic":{"of":1}}"#,
        ],
    );
    let schema = json_schema::<HoldsInlined>();
    assert_eq!(at::<HoldsInlined>("/properties/one/properties/x/maximum"), json!(255));
    assert!(schema.get("$defs").is_none() && !schema.to_string().contains("$ref"), "{schema:#}");
}

#[derive(Debug, Deserialize, ExpectedSchema)]
enum OtherExternal {
    A,
    /// Described, so a branch of its own.
    B,
    #[serde(alias = "CC")]
    C(u8),
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize, ExpectedSchema)]
#[serde(tag = "t")]
enum OtherInternal {
    A {
        a: u8,
    },
    #[serde(alias = "BB")]
    B(InnerDebug),
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize, ExpectedSchema)]
struct InnerDebug {
    x: u8,
}

#[derive(Debug, Deserialize, ExpectedSchema)]
#[serde(tag = "t", content = "c")]
enum OtherAdjacent {
    A(u8),
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize, ExpectedSchema)]
#[serde(tag = "t")]
enum OnlyOther {
    #[serde(other)]
    Other,
}

#[test]
fn other_takes_every_other_tag() {
    agree::<OtherExternal>(
        &[r#""A""#, r#""B""#, r#"{"C":1}"#, r#""Other""#, r#""zzz""#, r#""""#],
        &[r#""C""#, r#""CC""#, r#"{"C":"x"}"#, r#"{"zzz":1}"#, "1"],
    );
    agree::<OtherInternal>(
        &[r#"{"t":"A","a":1}"#, r#"{"t":"BB","x":1}"#, r#"{"t":"Other"}"#, r#"{"t":"zzz","a":"x"}"#],
        &[r#"{"t":"A"}"#, r#"{"t":"B"}"#, r#"{"t":"BB"}"#, r#"{"t":1}"#, "{}"],
    );
    agree::<OtherAdjacent>(
        &[r#"{"t":"A","c":1}"#, r#"{"t":"zzz"}"#, r#"{"t":"zzz","c":null}"#],
        &[r#"{"t":"A"}"#, r#"{"t":"zzz","c":1}"#, r#"{"c":1}"#],
    );
    agree::<OnlyOther>(&[r#"{"t":"zzz"}"#, r#"{"t":""}"#], &[r#"{"t":1}"#, "{}"]);
}

#[derive(Deserialize, ExpectedSchema)]
struct Flattened {
    a: u8,
    #[serde(flatten)]
    inner: InnerAliased,
    #[serde(flatten)]
    tagged: Internal,
    #[serde(flatten)]
    rest: HashMap<String, serde_json::Value>,
}

#[derive(Deserialize, ExpectedSchema)]
struct InnerAliased {
    #[serde(alias = "ex")]
    x: u8,
}

#[test]
fn flatten() {
    agree::<Flattened>(
        &[r#"{"a":1,"x":1,"t":"Unit"}"#, r#"{"a":1,"ex":1,"t":"Unit","z":[]}"#],
        &[
            r#"{"a":1,"t":"Unit"}"#,
            r#"{"a":1,"x":1}"#,
            r#"{"a":1,"x":"s","t":"Unit"}"#,
            r#"{"a":1,"x":1,"ex":1,"t":"Unit"}"#,
        ],
    );
}

#[derive(Deserialize, ExpectedSchema)]
struct Page<T, const N: usize>
where
    T: Debug,
{
    items: Vec<T>,
    by: HashMap<u8, T>,
    #[serde(default)]
    first: Option<T>,
    #[serde(skip)]
    counts: PhantomData<[u8; N]>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(bound = "T: DeserializeOwned")]
struct Bounded<T: Clone + Default = u8> {
    #[serde(default)]
    value: T,
}

#[derive(Default, Deserialize, ExpectedSchema)]
#[serde(default)]
struct GenericDefault<T> {
    value: T,
    #[serde(default = "eight")]
    other: u8,
}

trait Kind {
    type Of: Default;
}

impl Kind for u8 {
    type Of = String;
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(bound = "K::Of: DeserializeOwned")]
#[expected(bound = "K::Of: json_correctness::__private::schemars::JsonSchema")]
struct Associated<K: Kind> {
    of: K::Of,
}

#[derive(Deserialize, ExpectedSchema)]
enum Tree<T> {
    Leaf(T),
    Node(Box<Self>, Box<Tree<T>>),
}

#[derive(Deserialize, ExpectedSchema)]
struct Left {
    right: Option<Box<Right>>,
}

#[derive(Deserialize, ExpectedSchema)]
struct Right {
    lefts: Vec<Left>,
}

#[derive(Deserialize, ExpectedSchema)]
struct Lifetime<'a> {
    text: Cow<'a, str>,
}

#[derive(Deserialize, ExpectedSchema)]
struct Pages {
    a: Page<u8, 1>,
    b: Page<String, 2>,
}

#[test]
fn generics_and_recursion() {
    agree::<Page<u8, 3>>(
        &[r#"{"items":[1],"by":{"1":2}}"#],
        &[r#"{"items":["x"],"by":{}}"#, r#"{"items":[],"by":{"x":1}}"#],
    );
    agree::<Pages>(
        &[r#"{"a":{"items":[1],"by":{}},"b":{"items":["x"],"by":{}}}"#],
        &[r#"{"a":{"items":["x"],"by":{}},"b":{"items":["x"],"by":{}}}"#],
    );
    agree::<Bounded>(&["{}", r#"{"value":1}"#], &[r#"{"value":"x"}"#]);
    agree::<GenericDefault<String>>(&["{}", r#"{"value":"x"}"#], &[r#"{"value":1}"#]);
    agree::<Associated<u8>>(&[r#"{"of":"x"}"#], &[r#"{"of":1}"#]);
    agree::<Tree<u8>>(
        &[r#"{"Leaf":1}"#, r#"{"Node":[{"Leaf":1},{"Node":[{"Leaf":1},{"Leaf":2}]}]}"#],
        &[r#"{"Node":[{"Leaf":1},{"Node":[{"Leaf":1},{"Leaf":"x"}]}]}"#],
    );
    agree::<Left>(
        &["{}", r#"{"right":{"lefts":[{},{"right":{"lefts":[]}}]}}"#],
        &[r#"{"right":{}}"#, r#"{"right":{"lefts":[{"right":{"lefts":[1]}}]}}"#],
    );
    agree::<Lifetime<'static>>(&[r#"{"text":"\n"}"#], &[r#"{"text":1}"#]);
}

mod far {
    pub(super) struct Colour {
        red: u8,
    }
    impl Colour {
        pub(super) fn new(red: u8) -> Self {
            Self { red }
        }
        pub(super) fn red(&self) -> u8 {
            self.red
        }
    }
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(remote = "far::Colour")]
struct ColourDef {
    #[serde(getter = "far::Colour::red")]
    red: u8,
}

impl From<ColourDef> for far::Colour {
    fn from(definition: ColourDef) -> Self {
        Self::new(definition.red)
    }
}

#[derive(Deserialize, ExpectedSchema)]
struct Painted {
    #[serde(with = "ColourDef")]
    colour: far::Colour,
}

fn yes_or_no<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.map(|text| text == "yes"))
}

#[derive(Deserialize, ExpectedSchema)]
struct Custom {
    #[serde(deserialize_with = "yes_or_no")]
    #[expected(schema_as = "Option<String>")]
    needed: Option<bool>,
    #[serde(default, deserialize_with = "yes_or_no")]
    #[expected(schema_as = "Option<String>", length(max = 3))]
    free: Option<bool>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(try_from = "u16")]
struct Even(#[allow(dead_code)] Opaque);

impl TryFrom<u16> for Even {
    type Error = String;
    fn try_from(number: u16) -> Result<Self, String> {
        if number.is_multiple_of(2) { Ok(Self(Opaque)) } else { Err("odd".into()) }
    }
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(from = "Option<u8>")]
struct FromOption(Opaque);

impl From<Option<u8>> for FromOption {
    fn from(_: Option<u8>) -> Self {
        Self(Opaque)
    }
}

/// Read through its elements.
#[derive(Deserialize, ExpectedSchema)]
#[serde(from = "Vec<T>", bound = "T: DeserializeOwned")]
struct Set<T>(Vec<T>);

impl<T> From<Vec<T>> for Set<T> {
    fn from(items: Vec<T>) -> Self {
        Self(items)
    }
}

#[derive(ExpectedSchema)]
#[expected(schema_as = "String", title = "A hexadecimal number")]
struct Hex(Opaque);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|_| Self(Opaque))
    }
}

#[test]
fn through_other_types() {
    agree::<Painted>(&[r#"{"colour":{"red":1}}"#], &["{}", r#"{"colour":{}}"#]);
    agree::<Custom>(
        &[r#"{"needed":null}"#, r#"{"needed":"yes","free":null}"#],
        &["{}", r#"{"free":"no"}"#, r#"{"needed":true}"#],
    );
    agree::<Even>(&["2"], &["65536", r#""x""#]);
    agree::<FromOption>(&["2", "null"], &["256"]);
    agree::<Set<u8>>(&["[1]"], &[r#"["x"]"#, "1"]);
    agree::<Hex>(&[r#""ff""#], &["1"]);
    assert_eq!(at::<Set<u8>>("/title"), json!("Set"));
    assert_eq!(at::<Set<u8>>("/description"), json!("Read through its elements."));
    assert_eq!(at::<Hex>("/title"), json!("A hexadecimal number"));
}

/// # Headline
/// The text.
#[derive(Deserialize, ExpectedSchema)]
#[serde(rename = "Public", expecting = "a thing", crate = "::serde")]
#[expected(crate = "renamed::inner", deny_unknown_fields)]
struct Documented {
    /// A field.
    #[deprecated]
    field: u8,
}

/// Where another crate re-exports the library.
mod renamed {
    pub(super) use json_correctness as inner;
}

#[derive(Deserialize, ExpectedSchema)]
#[expected(title = "By hand", description = "Also by hand")]
enum DocumentedEnum {
    /// The first.
    First,
    #[expected(description = "The second.", title = "Second")]
    Second(u8),
}

#[test]
fn descriptions() {
    assert_eq!(at::<Documented>("/title"), json!("Headline"));
    assert_eq!(at::<Documented>("/description"), json!("The text."));
    assert_eq!(at::<Documented>("/properties/field/description"), json!("A field."));
    assert_eq!(at::<Documented>("/properties/field/deprecated"), json!(true));
    assert_eq!(at::<DocumentedEnum>("/title"), json!("By hand"));
    assert_eq!(at::<DocumentedEnum>("/oneOf/0/description"), json!("The first."));
    assert_eq!(at::<DocumentedEnum>("/oneOf/1/title"), json!("Second"));
    constrained::<Documented>(&[r#"{"field":1}"#], &[r#"{"field":1,"more":1}"#]);
}

/// A type with schemars' own derive needs nothing else.
#[derive(Deserialize, schemars::JsonSchema)]
struct Theirs {
    a: u8,
    inner: Inner,
}

#[derive(Deserialize, ExpectedSchema)]
struct Ours {
    theirs: Vec<Theirs>,
}

#[test]
fn types_with_schemars_own_derive() {
    agree::<Theirs>(&[r#"{"a":1,"inner":{"x":1}}"#], &["{}", r#"{"a":256,"inner":{"x":1}}"#]);
    agree::<Ours>(&[r#"{"theirs":[{"a":1,"inner":{"x":1}}]}"#], &[r#"{"theirs":[{}]}"#]);
}

/// Made by `macro_rules!`, whose fragments arrive in invisible groups.
macro_rules! made {
    ($name:ident, $field:ident: $ty:ty, $max:literal) => {
        #[derive(Deserialize, ExpectedSchema)]
        struct $name {
            #[expected(range(max = $max))]
            $field: $ty,
        }
    };
}

made!(Made, field: Option<u8>, 3);

#[test]
fn inside_macros() {
    assert_eq!(at::<Made>("/properties/field/maximum"), json!(3));
    constrained::<Made>(&["{}", r#"{"field":3}"#], &[r#"{"field":4}"#]);
}
