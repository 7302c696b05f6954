//! Keys of maps: what serde_json reads as a key of each type, and the schema takes no other.

use std::collections::{BTreeMap, HashMap};

use indexmap::{IndexMap, IndexSet};
use json_correctness::{CompiledSchema, Document, ExpectedSchema, Limits, json_schema};
use serde::Deserialize;
use uuid::Uuid;

macro_rules! keyed {
    ($($name:ident<$key:ty>)*) => {$(
        #[derive(Deserialize, ExpectedSchema)]
        struct $name { m: HashMap<$key, u8> }
    )*};
}

keyed! {
    U8<u8> I8<i8> U16<u16> I16<i16> U32<u32> I32<i32> U64<u64> I64<i64> U128<u128> I128<i128> Usize<usize> Isize<isize>
    NonZeroU<std::num::NonZeroU8> NonZeroI<std::num::NonZeroI16>
    Bool<bool> Char<char> Id<Uuid> Text<String> Enumerated<Color> Number<Age> Name<Word> Maybe<Option<u8>> Boxed<Box<i8>>
    Limited<Small> Tagged<Either>
}

#[derive(Deserialize, ExpectedSchema, PartialEq, Eq, Hash)]
enum Color {
    Red,
    #[serde(rename = "sky blue", alias = "azure")]
    Blue,
    /// Never a key.
    Mixed(u8),
}

#[derive(Deserialize, ExpectedSchema, PartialEq, Eq, Hash)]
struct Age(u8);

#[derive(Deserialize, ExpectedSchema, PartialEq, Eq, Hash)]
struct Word(String);

#[derive(Deserialize, ExpectedSchema, PartialEq, Eq, Hash)]
struct Small(#[expected(range(min = 10, max = 20))] u8);

#[derive(Deserialize, ExpectedSchema, PartialEq, Eq, Hash)]
#[serde(untagged)]
enum Either {
    Number(u8),
    Text(String),
}

/// Every spelling that one of the keys below might take.
fn spellings() -> Vec<String> {
    let mut all: Vec<String> = [
        "", "0", "1", "7", "9", "10", "15", "20", "21", "01", "00", "-0", "-1", "+1", " 1", "1 ", "1.0",
        "1e0", "1e2", "1E1", "0x1", "--1", "-", "-01", "N", "null", "true", "false", "True", "TRUE", "a",
        "ab", "é", "\\u00e9", "😀", "😀😀", "\\n", "Red", "red", "sky blue", "azure", "Blue", "Mixed",
        "1_000", "1,0", "٣", "NaN", "Infinity",
    ]
    .map(String::from)
    .to_vec();
    for bits in [7_u32, 8, 15, 16, 31, 32, 63, 64, 127] {
        for step in [-1_i128, 0, 1] {
            let power = 1_u128 << bits;
            let near = power.wrapping_add_signed(step);
            all.extend([near.to_string(), format!("-{near}"), format!("{near}0")]);
        }
    }
    all.push(u128::MAX.to_string());
    all.push("340282366920938463463374607431768211456".into());
    all
}

#[test]
fn the_schema_takes_the_keys_that_serde_takes() {
    fn check<T: ExpectedSchema>() {
        let mut taken = 0;
        for key in spellings() {
            let text = format!("{{\"m\":{{\"{key}\":1}}}}");
            let (schema, serde) = super::judged::<T>(&text);
            assert_eq!(schema, serde, "{text} as {}: {:#}", std::any::type_name::<T>(), json_schema::<T>());
            taken += usize::from(serde);
        }
        assert!(taken > 0, "no key at all is a {}", std::any::type_name::<T>());
    }
    check::<U8>();
    check::<I8>();
    check::<U16>();
    check::<I16>();
    check::<U32>();
    check::<I32>();
    check::<U64>();
    check::<I64>();
    check::<U128>();
    check::<I128>();
    check::<Usize>();
    check::<Isize>();
    check::<NonZeroU>();
    check::<NonZeroI>();
    check::<Bool>();
    check::<Char>();
    check::<Text>();
    check::<Enumerated>();
    check::<Number>();
    check::<Name>();
    check::<Maybe>();
    check::<Boxed>();
    check::<Tagged>();
}

#[test]
fn uuids_in_quotes_are_keys() {
    super::agree::<Id>(
        &[r#"{"m":{"67e55044-10b1-426f-9247-bb680e5fe0c8":1}}"#, r#"{"m":{}}"#],
        &[r#"{"m":{"zzz":1}}"#, r#"{"m":{"67e55044-10b1-426f-9247-bb680e5fe0c":1}}"#],
    );
}

#[test]
fn a_constrained_key_keeps_its_constraint() {
    super::constrained::<Limited>(&[r#"{"m":{"10":1,"20":1}}"#], &[r#"{"m":{"9":1}}"#, r#"{"m":{"21":1}}"#]);
}

#[derive(Deserialize, ExpectedSchema)]
struct Deep {
    a: Vec<Option<BTreeMap<u8, HashMap<bool, i32>>>>,
    #[serde(default)]
    b: std::collections::BTreeMap<u16, String>,
    #[serde(flatten)]
    rest: HashMap<String, bool>,
}

#[test]
fn maps_are_found_wherever_they_stand() {
    super::agree::<Deep>(
        &[r#"{"a":[{"1":{"true":1}},null]}"#, r#"{"a":[],"b":{"65535":"x"},"c":true}"#],
        &[
            r#"{"a":[{"256":{}}]}"#,
            r#"{"a":[{"1":{"yes":1}}]}"#,
            r#"{"a":[],"b":{"65536":"x"}}"#,
            r#"{"a":[],"c":1}"#,
        ],
    );
}

#[derive(Deserialize, ExpectedSchema)]
struct Ordered {
    numbers: IndexMap<i8, u8>,
    yes: Option<indexmap::IndexMap<bool, IndexMap<Color, u8>>>,
    #[serde(default)]
    texts: IndexMap<String, IndexSet<u16>>,
}

#[test]
fn index_maps_have_keys_like_other_maps() {
    super::agree::<Ordered>(
        &[
            r#"{"numbers":{"-128":1,"127":2}}"#,
            r#"{"numbers":{},"yes":{"true":{"azure":1}},"texts":{"any":[1,1]}}"#,
        ],
        &[
            r#"{"numbers":{"128":1}}"#,
            r#"{"numbers":{"01":1}}"#,
            r#"{"numbers":{"1":256}}"#,
            r#"{"numbers":[]}"#,
            r#"{"numbers":{},"yes":{"yes":{}}}"#,
            r#"{"numbers":{},"yes":{"true":{"Mixed":1}}}"#,
            r#"{"numbers":{},"texts":{"any":[65536]}}"#,
        ],
    );
}

#[test]
fn a_wrong_key_is_told_what_a_key_is() {
    fn check<T: ExpectedSchema>(key: &str, reason: &str) {
        let limits = Limits::default();
        let schema = CompiledSchema::of_type::<T>().expect("the schema compiles");
        let text = format!("{{\"m\":{{\"{key}\":1}}}}");
        let document = Document::parse(&text, &limits).expect("JSON");
        let messages: Vec<_> =
            schema.violations(&document, &limits).into_iter().map(|violation| violation.message).collect();
        assert_eq!(messages, [format!("`{key}` is not allowed as a key: {reason}")]);
    }
    check::<U8>("256", "it must be an integer from 0 to 255, as JSON spells it");
    check::<I8>("01", "it must be an integer from -128 to 127, as JSON spells it");
}
