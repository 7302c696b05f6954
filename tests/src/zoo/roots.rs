//! Roots that are no struct: nothing has to be wrapped to be judged.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    Specimen, Trait,
    structs::{PERSON, Person},
};

pub(super) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::of::<Vec<Person>>(
            "People",
            &[
                r#"[{"name":"A","age":1,"height":1.5,"active":true},{"name":"B","age":2,"height":2,"active":false,"nickname":null}]"#,
                "[]",
            ],
        ),
        Specimen::of::<HashMap<String, Person>>(
            "PeopleByName",
            &[r#"{"a":{"name":"A","age":1,"height":1.5,"active":true}}"#, "{}"],
        ),
        Specimen::of::<(Person, u8)>(
            "PersonAndNumber",
            &[r#"[{"name":"A","age":1,"height":1.5,"active":true},7]"#],
        ),
        Specimen::of::<Option<Person>>("MaybePerson", &["null", PERSON]),
        Specimen::of::<u8>("u8", &["0", "255"]),
        Specimen::of::<i64>("i64", &["-9223372036854775808", "9223372036854775807"]),
        Specimen::of::<f32>("f32", &["1.5", "-3"]),
        Specimen::of::<String>("String", &[r#""""#, r#""x\u00e9""#]),
        Specimen::of::<bool>("bool", &["true", "false"]),
        Specimen::of::<char>("char", &[r#""é""#, r#""\n""#]),
        Specimen::of::<HashSet<i8>>("SetOfNumbers", &["[1,-1,1]", "[]"]),
        Specimen::of::<BTreeMap<i8, Vec<bool>>>("ListsByNumber", &[r#"{"-128":[true],"7":[]}"#, "{}"])
            .with(&[Trait::ScalarKeys, Trait::BareMap]),
    ]
}
