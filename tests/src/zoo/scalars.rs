//! Numbers of all widths, text and the other scalars.

use std::num::{NonZeroI8, NonZeroI32, NonZeroI128, NonZeroU8, NonZeroU64, NonZeroUsize};

use json_correctness::ExpectedSchema;
use serde::{Deserialize, Serialize};

use super::Specimen;

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Signed {
    a: i8,
    b: i16,
    c: i32,
    d: i64,
    e: i128,
    f: isize,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Unsigned {
    a: u8,
    b: u16,
    c: u32,
    d: u64,
    e: u128,
    f: usize,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct NonZeros {
    a: NonZeroU8,
    b: NonZeroI8,
    c: NonZeroI32,
    d: NonZeroU64,
    e: NonZeroI128,
    f: NonZeroUsize,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Floats {
    single: f32,
    double: f64,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Plain {
    flag: bool,
    letter: char,
    text: String,
    nothing: (),
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Options {
    number: Option<i32>,
    text: Option<String>,
    flag: Option<bool>,
    list: Option<Vec<u16>>,
    twice: Option<Option<u8>>,
    wide: Option<i128>,
}

pub(super) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::of::<Signed>(
            "Signed",
            &[
                r#"{"a":-128,"b":32767,"c":-2147483648,"d":9223372036854775807,"e":-170141183460469231731687303715884105728,"f":0}"#,
                r#"{"a":0,"b":-1,"c":2147483647,"d":-9223372036854775808,"e":170141183460469231731687303715884105727,"f":-5,"more":[1.5]}"#,
            ],
        ),
        Specimen::of::<Unsigned>(
            "Unsigned",
            &[
                r#"{"a":255,"b":65535,"c":4294967295,"d":18446744073709551615,"e":340282366920938463463374607431768211455,"f":1}"#,
                r#"{"a":0,"b":0,"c":7,"d":9007199254740993,"e":18446744073709551616,"f":0}"#,
            ],
        ),
        Specimen::of::<NonZeros>(
            "NonZeros",
            &[
                r#"{"a":1,"b":-1,"c":-7,"d":18446744073709551615,"e":-1,"f":3}"#,
                r#"{"a":255,"b":127,"c":1,"d":1,"e":170141183460469231731687303715884105727,"f":1}"#,
            ],
        ),
        Specimen::of::<Floats>(
            "Floats",
            &[
                r#"{"single":1.5,"double":-2.25e-3}"#,
                r#"{"single":0,"double":1}"#,
                r#"{"single":3.4028234e38,"double":1e300}"#,
            ],
        ),
        Specimen::of::<Plain>(
            "Plain",
            &[
                r#"{"flag":true,"letter":"é","text":"a \"b\" \n","nothing":null}"#,
                r#"{"flag":false,"letter":"\u0041","text":"","nothing":null}"#,
            ],
        ),
        Specimen::of::<Options>(
            "Options",
            &[
                r#"{}"#,
                r#"{"number":-4,"text":"x","flag":true,"list":[1,2],"twice":7,"wide":12345678901234567890123}"#,
                r#"{"number":null,"text":null,"flag":null,"list":null,"twice":null,"wide":null}"#,
            ],
        ),
    ]
}
