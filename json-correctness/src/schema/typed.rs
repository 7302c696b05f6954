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

pub(crate) struct Typed<T> {
    pub(crate) value: Option<T>,
    pub(crate) violations: Vec<crate::Violation>,
}
impl<T> Typed<T> {
    pub(crate) fn step(&self) -> String {
        String::new()
    }
}
pub(crate) fn judge<T: ExpectedSchema>(
    document: &crate::Document<'_>,
    _strict: bool,
    _limits: &crate::Limits,
) -> Result<Typed<T>, crate::Error> {
    Ok(Typed { value: serde_json::from_slice(document.text().as_bytes()).ok(), violations: vec![] })
}
pub(crate) fn type_name<T>() -> &'static str {
    std::any::type_name::<T>()
}
