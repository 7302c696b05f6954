//! What a schema says about itself and about others: its draft, and the documents that it refers to.

use jsonschema::{Draft, Registry};
use serde_json::Value;

use crate::Error;

/// What `$schema` says about the schema.
pub(super) struct Dialect {
    pub(super) draft: Draft,
    /// Whether the keywords of the validation vocabulary count; a user's own meta-schema may leave
    /// them out.
    pub(super) asserts: bool,
}

/// The draft that a schema names; 2020-12 where it names none, `None` for one that is not known.
pub(super) fn draft_of(schema: &Value) -> Option<Draft> {
    dialect_of(schema, &[]).ok().map(|dialect| dialect.draft)
}

pub(super) fn dialect_of(schema: &Value, documents: &[(&str, &Value)]) -> Result<Dialect, Error> {
    let mut dialect = Dialect { draft: Draft::Draft202012, asserts: true };
    let mut seen: Vec<&str> = Vec::new();
    let mut schema = schema;
    loop {
        let uri = match schema.get("$schema") {
            None => return Ok(dialect),
            Some(Value::String(uri)) => uri,
            Some(_) => {
                return Err(Error::schema(
                    "`/$schema` of the schema is not a string: name a draft, such as \
                     `https://json-schema.org/draft/2020-12/schema`",
                ));
            }
        };
        dialect.draft = Draft::from_schema_uri(uri);
        if dialect.draft != Draft::Unknown {
            return Ok(dialect);
        }
        // A meta-schema of the user's has a draft of its own.
        let own = documents.iter().find(|(name, _)| {
            name.trim_end_matches('#') == uri.trim_end_matches('#') && !seen.contains(name)
        });
        let Some((name, own)) = own else {
            return Err(Error::schema(format!(
                "`/$schema` of the schema names the unknown draft `{}`: use \
                 `https://json-schema.org/draft/2020-12/schema` or that of 2019-09, draft-07, draft-06 or \
                 draft-04, or leave it out for 2020-12",
                shown(uri)
            )));
        };
        seen.push(name);
        schema = own;
        if let Some(Value::Object(vocabularies)) = schema.get("$vocabulary") {
            dialect.asserts &= vocabularies.keys().any(|uri| uri.ends_with("/vocab/validation"));
        }
    }
}

pub(super) fn registry<'d>(documents: &[(&str, &'d Value)], draft: Draft) -> Result<Registry<'d>, Error> {
    let mut builder = Registry::new().retriever(Nowhere);
    for (uri, document) in documents {
        builder = builder
            .add(uri, draft.detect(document).create_resource_ref(document))
            .map_err(|error| Error::schema(format!("`{}` is no URI of a schema: {error}", shown(uri))))?;
    }
    builder
        .prepare()
        .map_err(|error| Error::schema(format!("the documents beside the schema do not fit: {error}")))
}

/// Fetches nothing, ever.
struct Nowhere;

impl jsonschema::Retrieve for Nowhere {
    fn retrieve(
        &self,
        uri: &jsonschema::Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("`{}` is not among the given documents, and nothing is fetched: give it by `JsonSchemaMatch::document`", shown(uri.as_str()))
            .into())
    }
}

pub(super) fn shown(text: &str) -> String {
    let mut text = text.to_owned();
    crate::violation::cut(&mut text, 300);
    text
}
