//! Types of std and of other crates.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6},
    ops::{Bound, Range, RangeInclusive},
    path::PathBuf,
    time::{Duration, SystemTime},
};

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use json_correctness::ExpectedSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use url::Url;
use uuid::Uuid;

use super::{Specimen, Trait};

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Dates {
    day: NaiveDate,
    maybe: Option<NaiveDate>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Times {
    time: NaiveTime,
    local: NaiveDateTime,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Instants {
    utc: DateTime<Utc>,
    offset: DateTime<FixedOffset>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Ids {
    id: Uuid,
    others: Vec<Uuid>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Links {
    home: Url,
    feed: Option<Url>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Addresses {
    any: IpAddr,
    four: Ipv4Addr,
    six: Ipv6Addr,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Sockets {
    any: SocketAddr,
    four: SocketAddrV4,
    six: SocketAddrV6,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Std {
    duration: Duration,
    time: SystemTime,
    range: Range<u8>,
    closed: RangeInclusive<i16>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Results {
    result: Result<u8, String>,
    bound: Bound<u8>,
    path: PathBuf,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Anything {
    value: Value,
    map: Map<String, Value>,
    number: Number,
    maybe: Option<Value>,
}

pub(super) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::of::<Dates>("Dates", &[r#"{"day":"2024-02-29","maybe":"0001-01-01"}"#, r#"{"day":"1969-12-31"}"#])
            .with(&[Trait::Spelling]),
        Specimen::of::<Times>(
            "Times",
            &[
                r#"{"time":"23:59:59.5","local":"2024-01-31T01:02:03"}"#,
                r#"{"time":"00:00:00","local":"2024-01-31T01:02:03.000000001"}"#,
            ],
        )
        .with(&[Trait::Spelling]),
        Specimen::of::<Instants>(
            "Instants",
            &[
                r#"{"utc":"2024-01-31T01:02:03Z","offset":"2024-01-31T01:02:03+02:00"}"#,
                r#"{"utc":"1985-04-12T23:20:50.52Z","offset":"1990-12-31T15:59:59-08:00"}"#,
            ],
        )
        .with(&[Trait::Spelling]),
        Specimen::of::<Ids>(
            "Ids",
            &[
                r#"{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","others":["00000000-0000-0000-0000-000000000000"]}"#,
                r#"{"id":"ffffffff-ffff-ffff-ffff-ffffffffffff","others":[]}"#,
            ],
        )
        .with(&[Trait::Spelling]),
        Specimen::of::<Links>(
            "Links",
            &[
                r#"{"home":"https://example.com/a?b=c#d","feed":"http://localhost:8080/"}"#,
                r#"{"home":"mailto:jane@example.com","feed":null}"#,
            ],
        )
        .with(&[Trait::Spelling]),
        Specimen::of::<Addresses>(
            "Addresses",
            &[
                r#"{"any":"127.0.0.1","four":"0.0.0.0","six":"::1"}"#,
                r#"{"any":"2001:db8::1","four":"255.255.255.255","six":"::ffff:1.2.3.4"}"#,
            ],
        )
        .with(&[Trait::Spelling]),
        Specimen::of::<Sockets>(
            "Sockets",
            &[
                r#"{"any":"127.0.0.1:80","four":"1.2.3.4:65535","six":"[::1]:0"}"#,
                r#"{"any":"[2001:db8::1]:443","four":"0.0.0.0:1","six":"[::]:8080"}"#,
            ],
        )
        .with(&[Trait::Spelling]),
        Specimen::of::<Std>(
            "Std",
            &[
                r#"{"duration":{"secs":1,"nanos":999999999},"time":{"secs_since_epoch":1700000000,"nanos_since_epoch":0},"range":{"start":1,"end":5},"closed":{"start":-1,"end":2}}"#,
            ],
        )
        .with(&[Trait::ClosedStd]),
        Specimen::of::<Results>(
            "Results",
            &[
                r#"{"result":{"Ok":7},"bound":{"Included":1},"path":"/tmp/é"}"#,
                r#"{"result":{"Err":"no"},"bound":"Unbounded","path":""}"#,
                r#"{"result":{"Ok":0},"bound":{"Excluded":255},"path":"a"}"#,
            ],
        ),
        Specimen::of::<Value>("Value", &["null", r#"{"a":[1,2.5,{"b":null}]}"#, "1e300", r#""x""#, "[]"]),
        Specimen::of::<Anything>(
            "Anything",
            &[
                r#"{"value":{"a":1},"map":{"b":[true]},"number":1.5,"maybe":null}"#,
                r#"{"value":null,"map":{},"number":-7,"maybe":[1]}"#,
            ],
        ),
        Specimen::of::<BTreeMap<Uuid, Vec<Duration>>>(
            "DurationsById",
            &[r#"{"67e55044-10b1-426f-9247-bb680e5fe0c8":[{"secs":1,"nanos":0}]}"#, "{}"],
        )
        .with(&[Trait::Spelling, Trait::ClosedStd]),
    ]
}
