//! The schema of a type.

use serde_json::Value;

/// A type that says what JSON it expects.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what JSON it expects",
    label = "no JSON schema is known for this type",
    note = "add `#[derive(serde::Deserialize, ExpectedSchema)]` to `{Self}`",
    note = "for a type of another crate, turn on the feature of json-correctness of the same name (chrono, uuid, url), or put `#[expected(schema_as = \"String\")]` on the field"
)]
pub trait ExpectedSchema: serde::de::DeserializeOwned + schemars::JsonSchema + 'static {}

impl<T: serde::de::DeserializeOwned + schemars::JsonSchema + 'static> ExpectedSchema for T {}

/// The JSON Schema of a type.
#[must_use]
pub fn json_schema<T: ExpectedSchema>() -> Value {
    schemars::generate::SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value()
}
