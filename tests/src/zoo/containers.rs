//! Lists, sets, maps with every kind of key, and pointers.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque},
    rc::Rc,
    sync::Arc,
};

use json_correctness::ExpectedSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Specimen, Trait};

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Lists {
    bytes: Vec<u8>,
    deque: VecDeque<i16>,
    linked: LinkedList<bool>,
    three: [u8; 3],
    none: [String; 0],
    pair: (u8, String),
    one: (bool,),
    boxed: Box<[f64]>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Sets {
    words: HashSet<String>,
    numbers: BTreeSet<u8>,
    letters: BTreeSet<char>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct IntegerKeys {
    a: HashMap<u8, bool>,
    b: BTreeMap<i16, bool>,
    c: BTreeMap<u32, bool>,
    d: HashMap<i64, bool>,
    e: BTreeMap<u64, bool>,
    f: BTreeMap<i128, bool>,
}

#[derive(Serialize, Deserialize, ExpectedSchema, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Color {
    Red,
    #[serde(rename = "dark green")]
    Green,
}

#[derive(Serialize, Deserialize, ExpectedSchema, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Name(String);

#[derive(Serialize, Deserialize, ExpectedSchema, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Index(u16);

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct OtherKeys {
    text: HashMap<String, u8>,
    flag: BTreeMap<bool, u8>,
    letter: BTreeMap<char, u8>,
    color: HashMap<Color, u8>,
    name: BTreeMap<Name, u8>,
    index: BTreeMap<Index, u8>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct UuidKeys {
    by_id: BTreeMap<Uuid, u8>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Pointers {
    boxed: Box<i32>,
    counted: Rc<String>,
    shared: Arc<[u8]>,
    text: Cow<'static, str>,
    list: Cow<'static, [u16]>,
    cell: Cell<u8>,
    ref_cell: RefCell<Option<u8>>,
    slice: Box<str>,
}

type Nested = Vec<HashMap<String, Option<Vec<(u8, f64)>>>>;

pub(super) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::of::<Lists>(
            "Lists",
            &[
                r#"{"bytes":[0,255],"deque":[-1],"linked":[true,false],"three":[1,2,3],"none":[],"pair":[1,"x"],"one":[true],"boxed":[1.5,2]}"#,
                r#"{"bytes":[],"deque":[],"linked":[],"three":[0,0,0],"none":[],"pair":[0,""],"one":[false],"boxed":[]}"#,
            ],
        ),
        Specimen::of::<Sets>(
            "Sets",
            &[
                r#"{"words":["a","b"],"numbers":[1,2,2],"letters":["é","x"]}"#,
                r#"{"words":[],"numbers":[],"letters":[]}"#,
            ],
        ),
        Specimen::of::<IntegerKeys>(
            "IntegerKeys",
            &[
                r#"{"a":{"0":true,"255":false},"b":{"-32768":true},"c":{"4294967295":true},"d":{"-9223372036854775808":true,"1":false},"e":{"18446744073709551615":true},"f":{"-170141183460469231731687303715884105728":true}}"#,
                r#"{"a":{},"b":{"7":true},"c":{},"d":{},"e":{"0":true,"10":false},"f":{"12":true}}"#,
            ],
        )
        .with(&[Trait::ScalarKeys]),
        Specimen::of::<OtherKeys>(
            "OtherKeys",
            &[
                r#"{"text":{"":1,"a/b":2},"flag":{"true":1,"false":0},"letter":{"é":1},"color":{"Red":1,"dark green":2},"name":{"x":1},"index":{"7":1}}"#,
                r#"{"text":{},"flag":{},"letter":{},"color":{},"name":{},"index":{}}"#,
            ],
        ).with(&[Trait::ScalarKeys]),
        Specimen::of::<UuidKeys>(
            "UuidKeys",
            &[r#"{"by_id":{"67e55044-10b1-426f-9247-bb680e5fe0c8":1}}"#, r#"{"by_id":{}}"#],
        )
        .with(&[Trait::Spelling]),
        Specimen::of::<Pointers>(
            "Pointers",
            &[
                r#"{"boxed":1,"counted":"x","shared":[1,2],"text":"é","list":[3],"cell":4,"ref_cell":5,"slice":"s"}"#,
                r#"{"boxed":-1,"counted":"","shared":[],"text":"a\tb","list":[],"cell":0,"ref_cell":null,"slice":""}"#,
            ],
        ),
        Specimen::of::<Nested>("Nested", &[r#"[{"a":[[1,2.5],[2,3]],"b":null},{}]"#, "[]"]),
    ]
}
