//! The typed check: the schema of a type first, then the type itself.

use std::{
    any::TypeId,
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock, PoisonError, RwLock},
};

use serde_json::Value;

use super::{
    compiled::{self, CompiledSchema, Source},
    explain::IntegerRule,
    format,
    refusal::{self, type_name},
    tighten::tighten,
    untagged::Untagged,
};
use crate::{
    Error,
    error::panic_message,
    text::{Document, Limits, Pointer, Span},
    violation::{Violation, ViolationKind},
};

/// A type that says what JSON it expects.
///
/// It is implemented for every type that owns what it deserializes and has a schema by `schemars`: by
/// `#[derive(ExpectedSchema)]`, by `#[derive(schemars::JsonSchema)]`, or as a list, map, tuple or
/// option of such types. There is nothing to implement by hand.
///
/// ```
/// use json_correctness::json_schema;
/// let schema = json_schema::<Vec<Option<u8>>>();
/// assert_eq!(schema["items"]["maximum"], 255);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what JSON it expects",
    label = "no JSON schema is known for this type",
    note = "add `#[derive(serde::Deserialize, ExpectedSchema)]` to `{Self}`",
    note = "for a type of another crate, turn on the feature of json-correctness of the same name (chrono, uuid, url), or put `#[expected(schema_as = \"String\")]` on the field"
)]
pub trait ExpectedSchema: serde::de::DeserializeOwned + schemars::JsonSchema + 'static {}

impl<T: serde::de::DeserializeOwned + schemars::JsonSchema + 'static> ExpectedSchema for T {}

/// The JSON Schema (2020-12) of a type, as a typed check judges by it: that of `schemars`, with what
/// serde refuses or takes beyond it written out (ranges of integers, aliases, …). Any validator
/// understands it; what is this library's own stands under `x-expected`.
///
/// ```
/// let schema = json_correctness::json_schema::<u32>();
/// assert_eq!(schema["type"], "integer");
/// assert_eq!(schema["maximum"], 4_294_967_295_u32);
/// ```
#[must_use]
pub fn json_schema<T: ExpectedSchema>() -> Value {
    let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    tighten(&mut schema);
    schema
}

/// What a typed check found.
#[derive(Debug)]
#[must_use]
pub(crate) struct Typed<T> {
    /// The value; present exactly where there are no violations.
    pub(crate) value: Option<T>,
    /// Sorted and placed.
    pub(crate) violations: Vec<Violation>,
    judge: LastJudge,
    entry: Arc<TypeSchema>,
}

/// Which judge of a typed check spoke last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastJudge {
    Schema,
    Type,
}

impl<T> Typed<T> {
    /// What was judged and how it went, in one line.
    pub(crate) fn step(&self) -> String {
        let name = &self.entry.name;
        match (self.judge, &self.value) {
            (LastJudge::Schema, _) => {
                format!("the schema of `{name}` refused the text; the type was not asked")
            }
            (LastJudge::Type, None) => {
                format!("the schema of `{name}` accepted the text, and the type refused it")
            }
            (LastJudge::Type, Some(_)) => format!("the schema of `{name}` and the type accepted the text"),
        }
    }
}

/// The value of a part of a text that is certainly right: the fast pass says so of its schema, and the
/// type takes it. `None` is no verdict: then a document must be [judged](judge).
///
/// # Errors
///
/// The schema of the type does not compile.
pub(crate) fn value_at_sight<T: ExpectedSchema>(
    text: &str,
    part: Span,
    strict: bool,
    limits: &Limits,
) -> Result<Option<T>, Error> {
    let entry = entry::<T>(&schema_limits(limits));
    // What asking the type costs is only known of a document.
    let sure = entry.untagged().is_none() && entry.compiled(strict)?.is_valid_at_sight(text, part, limits);
    let Some(bytes) = text.as_bytes().get(part.start..part.end).filter(|_| sure) else { return Ok(None) };
    let attempt = catch_unwind(AssertUnwindSafe(|| serde_json::from_slice::<T>(bytes)));
    match attempt {
        Ok(Ok(value)) => Ok(Some(value)),
        _ => Ok(None),
    }
}

/// Judges a document by the schema of a type, and, where the schema accepts it, by the type itself.
///
/// serde never sees what the schema refuses: it can take exponential time on recursive untagged
/// enums, and it names only the first fault.
///
/// # Errors
///
/// The schema of the type does not compile.
pub(crate) fn judge<T: ExpectedSchema>(
    document: &Document<'_>,
    strict: bool,
    limits: &Limits,
) -> Result<Typed<T>, Error> {
    let entry = entry::<T>(&schema_limits(limits));
    let mut violations = entry.compiled(strict)?.violations(document, limits);
    let duplicates_only =
        violations.iter().all(|found| matches!(found.kind, ViolationKind::DuplicateKey { .. }));
    if !duplicates_only {
        return Ok(Typed { value: None, violations, judge: LastJudge::Schema, entry });
    }
    let judge = if violations.is_empty() { LastJudge::Type } else { LastJudge::Schema };
    let attempt = match entry.too_costly(document) {
        Some(refused) => Err(refused),
        None => deserialize::<T>(document),
    };
    match attempt {
        Ok(value) => {
            let value = Some(value).filter(|_| violations.is_empty());
            return Ok(Typed { value, violations, judge, entry });
        }
        // Reported already, at the place of both keys.
        Err(refused) if !violations.is_empty() && refused.is_duplicate() => {}
        Err(refused) => {
            let formats =
                if strict { Vec::new() } else { entry.formats_at(document, &refused.pointer, limits)? };
            if formats.is_empty() {
                violations.push(refused.into_violation(entry.name.clone()));
            }
            violations.extend(formats);
            Violation::place(&mut violations, document.text(), limits.max_message_bytes);
            compiled::truncate(&mut violations, document, limits);
        }
    }
    Ok(Typed { value: None, violations, judge, entry })
}

/// Asks the type, from the text's bytes: `from_value` and `from_str` judge differently.
fn deserialize<T: ExpectedSchema>(document: &Document<'_>) -> Result<T, refusal::Refusal> {
    let bytes = document.root().source().as_bytes();
    let attempt = catch_unwind(AssertUnwindSafe(|| serde_json::from_slice::<T>(bytes)));
    let error = match attempt {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(error)) => error,
        Err(panic) => return Err(refusal::Refusal::panicked(document, panic_message(&*panic).to_owned())),
    };
    // Only a refused text is read again, for the path to the fault.
    let traced = catch_unwind(AssertUnwindSafe(|| {
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        serde_path_to_error::deserialize::<_, T>(&mut deserializer).err()
    }));
    let path = traced.ok().flatten().map(|error| error.path().clone());
    Err(refusal::Refusal::locate(document, &error, path.as_ref()))
}

/// The schema of one type under one set of limits, in its two forms, each compiled on first use.
#[derive(Debug)]
struct TypeSchema {
    /// The type's name without paths.
    name: String,
    schema: Value,
    limits: Limits,
    forms: [OnceLock<Result<CompiledSchema, Error>>; 2],
    /// What asking the type may cost, for the types where that must be counted.
    untagged: OnceLock<Option<Untagged>>,
}

impl TypeSchema {
    fn compiled(&self, strict: bool) -> Result<&CompiledSchema, Error> {
        let form = self.forms[usize::from(strict)].get_or_init(|| {
            let judged = format::named_for(&self.schema, strict);
            let source = Source {
                schema: &self.schema,
                judged: &judged,
                integers: IntegerRule::Spelling,
                documents: &[],
            };
            CompiledSchema::compile(&source, &self.limits)
                .map_err(|error| error.within(&format!("the type `{}`", self.name)))
        });
        form.as_ref().map_err(Clone::clone)
    }

    fn untagged(&self) -> Option<&Untagged> {
        let read = || Untagged::of(&format::named_for(&self.schema, false), &self.limits);
        self.untagged.get_or_init(read).as_ref()
    }

    /// Whether the type cannot be asked, because its alternatives would be tried too often.
    fn too_costly(&self, document: &Document<'_>) -> Option<refusal::Refusal> {
        let steps = self.untagged()?.too_many(document)?;
        Some(refusal::Refusal::not_asked(
            document,
            format!("its untagged alternatives would be tried {steps} times on this text: nest it less"),
        ))
    }

    /// Where the type refused a value whose strict format it does not have either, the format says
    /// more than the type's own words.
    fn formats_at(
        &self,
        document: &Document<'_>,
        pointer: &Pointer,
        limits: &Limits,
    ) -> Result<Vec<Violation>, Error> {
        let mut violations = self.compiled(true)?.violations(document, limits);
        violations
            .retain(|found| matches!(found.kind, ViolationKind::Format { .. }) && found.pointer == *pointer);
        Ok(violations)
    }
}

/// Schemas of a type under several limits are kept up to this number.
const KEPT_PER_TYPE: usize = 8;

type Cache = RwLock<HashMap<TypeId, Vec<Arc<TypeSchema>>>>;

/// The compiled schema of a type, made once per type and limits.
pub(crate) fn compiled_for<T: ExpectedSchema>(
    strict: bool,
    limits: &Limits,
) -> Result<CompiledSchema, Error> {
    entry::<T>(&schema_limits(limits)).compiled(strict).cloned()
}

fn entry<T: ExpectedSchema>(limits: &Limits) -> Arc<TypeSchema> {
    static CACHE: OnceLock<Cache> = OnceLock::new();
    let cache = CACHE.get_or_init(Cache::default);
    let find = |kept: &[Arc<TypeSchema>]| kept.iter().find(|entry| entry.limits == *limits).map(Arc::clone);
    let kept = cache
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .get(&TypeId::of::<T>())
        .and_then(|kept| find(kept));
    kept.unwrap_or_else(|| {
        // Made outside the lock: it runs the type's own code.
        let entry = Arc::new(TypeSchema {
            name: type_name::<T>(),
            schema: json_schema::<T>(),
            limits: limits.clone(),
            forms: Default::default(),
            untagged: OnceLock::new(),
        });
        let mut cache = cache.write().unwrap_or_else(PoisonError::into_inner);
        let kept = cache.entry(TypeId::of::<T>()).or_default();
        if let Some(earlier) = find(kept) {
            return earlier;
        }
        if kept.len() < KEPT_PER_TYPE {
            kept.push(Arc::clone(&entry));
        }
        entry
    })
}

/// The limits that a compiled schema depends on; the others are levelled, so that they do not
/// multiply the cache.
fn schema_limits(limits: &Limits) -> Limits {
    let levelled = Limits::default();
    limits
        .clone()
        .max_text_bytes(levelled.max_text_bytes)
        .max_depth(levelled.max_depth)
        .max_violations(levelled.max_violations)
        .max_message_bytes(levelled.max_message_bytes)
        .max_explain_steps(levelled.max_explain_steps)
}

impl CompiledSchema {
    /// The schema of a type, [`json_schema`](crate::json_schema), compiled.
    ///
    /// It is what a typed check judges by before the type itself is asked: integers are what is
    /// written as one, and the formats of dates, URLs and the like only refuse what no parser takes.
    /// It is compiled once per type and kept.
    ///
    /// ```
    /// use json_correctness::{CompiledSchema, Document, Limits};
    /// let schema = CompiledSchema::of_type::<Vec<u8>>()?;
    /// let document = Document::parse("[1, 256]", &Limits::default()).expect("JSON");
    /// let violations = schema.violations(&document, &Limits::default());
    /// assert_eq!(violations.len(), 1);
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The schema that the type gives does not compile.
    pub fn of_type<T: ExpectedSchema>() -> Result<Self, Error> {
        compiled_for::<T>(false, &Limits::default())
    }

    /// The schema of a type as strict mode judges by it: a date, address or identifier must have its
    /// format's own spelling, where the type alone would read others too. Compiled once per type.
    ///
    /// # Errors
    ///
    /// The schema that the type gives does not compile.
    pub fn of_type_strict<T: ExpectedSchema>() -> Result<Self, Error> {
        compiled_for::<T>(true, &Limits::default())
    }
}

#[cfg(test)]
#[path = "typed_tests.rs"]
mod tests;
