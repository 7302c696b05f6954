//! A schema ready to judge.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use jsonschema::Validator;
use serde_json::Value;

use super::{
    dialect::{Dialect, dialect_of, registry, shown},
    explain::{Explainer, IntegerRule},
    fast::FastPass,
    format,
    judge::{Documents, View},
    keywords::{self, Judgement},
    meta::refusal,
    pattern::Pattern,
    stack,
    undecided::{backtracking_keys, undecided, undecided_key},
    walk,
};
use crate::{
    Error,
    text::{Document, Limits, Pointer, Slip, Span},
    violation::{Violation, ViolationKind},
};

/// A schema ready to judge, from a JSON Schema document or from a type. Cheap to clone.
///
/// Drafts 4, 6, 7, 2019-09 and 2020-12 are judged; a document without `$schema` is 2020-12. Formats
/// are asserted in every draft. Nothing is ever fetched: a reference leads into the document itself,
/// into a draft's own meta-schema, or into the documents handed to
/// [`CompiledSchema::with_documents`].
///
/// ```
/// use json_correctness::{CompiledSchema, Document, Limits};
/// let limits = Limits::default();
/// let schema = serde_json::json!({
///     "type": "object",
///     "properties": { "priority": { "enum": ["high", "low"] } },
///     "required": ["priority"],
/// });
/// let schema = CompiledSchema::new(&schema, &limits)?;
/// let document = Document::parse(r#"{"priority": "low"}"#, &limits).expect("JSON");
/// assert!(schema.is_valid(&document));
/// let document = Document::parse(r#"{"priority": "urgent"}"#, &limits).expect("JSON");
/// assert!(!schema.is_valid(&document));
/// assert_eq!(schema.violations(&document, &limits).len(), 1);
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[derive(Clone)]
pub struct CompiledSchema {
    inner: Arc<Inner>,
}

struct Inner {
    schema: Value,
    validator: Validator<Documents>,
    explainer: Explainer,
    integers: IntegerRule,
    /// Patterns of `patternProperties` that need backtracking.
    backtracking_keys: Vec<Pattern>,
    /// Whether `minimum` and the like count at all.
    asserts: bool,
    /// Made for the first text.
    fast: OnceLock<Option<FastPass>>,
}

/// What a schema is compiled from.
pub(crate) struct Source<'s> {
    /// As users see it.
    pub(crate) schema: &'s Value,
    /// As it is judged: the formats of types may bear internal names.
    pub(crate) judged: &'s Value,
    pub(crate) integers: IntegerRule,
    pub(crate) documents: &'s [(&'s str, &'s Value)],
}

impl CompiledSchema {
    /// Compiles a JSON Schema document.
    ///
    /// A limit in the schema (`maximum`, …) is read as `serde_json` reads numbers: exact up to 64-bit
    /// integers, else as `f64`. The numbers of the documents that are judged are never rounded.
    ///
    /// # Errors
    ///
    /// The document is no valid schema of its draft, names an unknown draft, has a reference that
    /// leads out of it ([`Error::is_schema`]), or lies beyond one of the limits
    /// ([`Error::is_limit`]). The message names the place in the schema.
    pub fn new(schema: &Value, limits: &Limits) -> Result<Self, Error> {
        Self::with_documents(schema, &[], limits)
    }

    /// Compiles a JSON Schema document from its text.
    ///
    /// # Errors
    ///
    /// The text is not JSON or writes a key twice; else as [`CompiledSchema::new`].
    ///
    /// ```
    /// use json_correctness::{CompiledSchema, Limits};
    /// let error = CompiledSchema::from_text("{'type': 'string'}", &Limits::default()).unwrap_err();
    /// assert!(error.is_schema());
    /// assert!(error.to_string().starts_with("the schema is not JSON at 1:2: "), "{error}");
    /// ```
    pub fn from_text(text: &str, limits: &Limits) -> Result<Self, Error> {
        Self::new(&Self::read(text, limits)?, limits)
    }

    /// The schema document that a text writes; it need not compile.
    ///
    /// # Errors
    ///
    /// The text is not JSON or writes a key twice; the message says at which line and column.
    pub fn read(text: &str, limits: &Limits) -> Result<Value, Error> {
        let parse_limits = limits.clone().max_text_bytes(limits.max_schema_bytes.max(limits.max_text_bytes));
        let document = Document::parse(text, &parse_limits).map_err(|error| {
            let position = crate::Position::of(text, error.span.start);
            let (summary, separator) =
                (error.slip.summary(), if error.detail.is_empty() { "" } else { ": " });
            Error::schema(format!(
                "the schema is not JSON at {}:{}: {summary}{separator}{}",
                position.line, position.column, error.detail
            ))
        })?;
        if let Some(duplicate) = document.duplicates().first() {
            let position = crate::Position::of(text, duplicate.second.start);
            return Err(Error::schema(format!(
                "the schema has the key `{}` twice at {}:{}: remove one of the two",
                shown(&duplicate.key),
                position.line,
                position.column
            )));
        }
        Ok(document.root().to_value())
    }

    /// Compiles a JSON Schema document that refers to others: each of `documents` is a URI and the
    /// schema (or meta-schema) that a reference to this URI means. Nothing else is ever fetched.
    ///
    /// ```
    /// use json_correctness::{CompiledSchema, Document, Limits};
    /// let limits = Limits::default();
    /// let name = serde_json::json!({ "type": "string" });
    /// let schema = serde_json::json!({ "$ref": "https://example.com/name.json" });
    /// let schema =
    ///     CompiledSchema::with_documents(&schema, &[("https://example.com/name.json", &name)], &limits)?;
    /// assert!(!schema.is_valid(&Document::parse("1", &limits).expect("JSON")));
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`CompiledSchema::new`].
    pub fn with_documents(
        schema: &Value,
        documents: &[(&str, &Value)],
        limits: &Limits,
    ) -> Result<Self, Error> {
        let source = Source { schema, judged: schema, integers: IntegerRule::Value, documents };
        Self::compile(&source, limits)
    }

    /// As [`CompiledSchema::with_documents`], with every `format` a comment.
    pub(crate) fn without_formats(
        schema: &Value,
        documents: &[(&str, &Value)],
        limits: &Limits,
    ) -> Result<Self, Error> {
        let stripped = |schema: &Value| {
            let mut copy = schema.clone();
            walk::subschemas_mut(&mut copy, &mut |object| drop(object.remove("format")));
            copy
        };
        let copies: Vec<(&str, Value)> =
            documents.iter().map(|(uri, document)| (*uri, stripped(document))).collect();
        let documents: Vec<(&str, &Value)> = copies.iter().map(|(uri, document)| (*uri, document)).collect();
        let source =
            Source { schema, judged: &stripped(schema), integers: IntegerRule::Value, documents: &documents };
        Self::compile(&source, limits)
    }

    pub(crate) fn compile(source: &Source<'_>, limits: &Limits) -> Result<Self, Error> {
        let Dialect { draft, asserts } = dialect_of(source.judged, source.documents)?;
        // First of all: it holds the schema to the limits that keep the rest bounded.
        let explainer =
            Explainer::with_documents(source.judged, source.documents, draft, source.integers, limits)?;
        let registry = match source.documents {
            [] => None,
            documents => Some(registry(documents, draft)?),
        };
        let mut options = keywords::options().should_ignore_unknown_formats(true);
        if let Some(registry) = &registry {
            options = options.with_registry(registry);
        }
        if source.integers == IntegerRule::Spelling {
            for (name, check) in format::internal() {
                options = options.with_format(name, check);
            }
        }
        for name in format::MENDED {
            if options.is_known_format(draft, name) {
                options = options
                    .with_format(name, move |text: &str| format::is_valid(draft, name, text) != Some(false));
            }
        }
        if asserts {
            options = keywords::register(options, source.judged, draft, limits);
        }
        let validator =
            options.build(source.judged).map_err(|error| refusal(source.judged, &error, draft))?;
        Ok(Self {
            inner: Arc::new(Inner {
                schema: source.schema.clone(),
                validator,
                explainer,
                integers: source.integers,
                backtracking_keys: backtracking_keys(source.judged, source.documents, limits),
                asserts,
                fast: OnceLock::new(),
            }),
        })
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Value {
        &self.inner.schema
    }

    /// Whether the schema accepts the document, and the document writes no key twice.
    #[must_use]
    pub fn is_valid(&self, document: &Document<'_>) -> bool {
        document.duplicates().is_empty() && self.judge(document) == Judgement::Valid
    }

    /// Whether the text is one JSON value that [`CompiledSchema::is_valid`] says yes to. Quicker than to
    /// parse a [`Document`] first: most valid texts need none.
    ///
    /// ```
    /// use json_correctness::{CompiledSchema, Limits};
    /// let limits = Limits::default();
    /// let schema = CompiledSchema::from_text(r#"{"type": "array", "items": {"minimum": 2}}"#, &limits)?;
    /// assert!(schema.is_valid_text("[2, 3]", &limits));
    /// assert!(!schema.is_valid_text("[2, 1]", &limits));
    /// assert!(!schema.is_valid_text("[2, 3", &limits));
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    #[must_use]
    pub fn is_valid_text(&self, text: &str, limits: &Limits) -> bool {
        self.is_valid_at_sight(text, Span::new(0, text.len()), limits)
            || Document::parse(text, limits).is_ok_and(|document| self.is_valid(&document))
    }

    /// Whether the fast pass knows that a part of a text is one JSON value which the schema accepts and
    /// which writes no key twice. `false` is no verdict.
    pub(crate) fn is_valid_at_sight(&self, text: &str, part: Span, limits: &Limits) -> bool {
        let compile = || {
            let possible = self.inner.asserts && self.inner.backtracking_keys.is_empty();
            possible.then(|| FastPass::compile(self.inner.explainer.graph())).flatten()
        };
        let fast = self.inner.fast.get_or_init(compile);
        fast.as_ref().is_some_and(|fast| fast.accepts(text, part, limits))
    }

    /// Every violation, sorted by place; empty exactly where [`CompiledSchema::is_valid`] says yes.
    ///
    /// Keys that are written twice are violations, and of several values of one key the last one is
    /// judged. There are at most [`Limits::max_violations`], then one more that says so.
    #[must_use]
    pub fn violations(&self, document: &Document<'_>, limits: &Limits) -> Vec<Violation> {
        let mut violations = duplicate_keys(document);
        let judgement = self.judge(document);
        if matches!(judgement, Judgement::Invalid | Judgement::Undecided(_)) {
            let explain = || self.inner.explainer.explain(document, limits).violations;
            violations.extend(stack::with_room(self.levels(document), explain).unwrap_or_default());
        }
        match judgement {
            Judgement::Valid => {}
            Judgement::Invalid if violations.is_empty() => {
                let root = document.root().span();
                violations.push(Violation::new(ViolationKind::Unexplained, Pointer::root(), root));
            }
            Judgement::Invalid => {}
            Judgement::Undecided(sites) => {
                // What is undecided is the reason that the search did not find.
                violations.retain(|found| found.kind != ViolationKind::Unexplained);
                violations.extend(sites.iter().map(|site| undecided(document, site)));
            }
            Judgement::TooDeep => violations.push(self.too_deep(document)),
        }
        Violation::place(&mut violations, document.text(), limits.max_message_bytes);
        truncate(&mut violations, document, limits);
        violations
    }

    /// The verdict of the judge of record alone; duplicate keys are not its business.
    pub(crate) fn judge(&self, document: &Document<'_>) -> Judgement {
        // The crate has its own engine for keys, whose limit does not bound the time.
        if let Some(site) = undecided_key(document.root(), &self.inner.backtracking_keys) {
            return Judgement::Undecided(vec![site]);
        }
        let judge = || {
            let view = View::Value(document.root(), self.inner.integers);
            keywords::under_every_outcome(|| self.inner.validator.is_valid(view))
        };
        stack::with_room(self.levels(document), judge).unwrap_or(Judgement::TooDeep)
    }

    /// How many subschemas may stand inside one another on the way to the innermost value.
    fn levels(&self, document: &Document<'_>) -> usize {
        (document.depth() + 1).saturating_mul(self.inner.explainer.nesting())
    }

    fn too_deep(&self, document: &Document<'_>) -> Violation {
        let detail = format!(
            "{} levels are too many for a schema that nests {} subschemas on each",
            document.depth(),
            self.inner.explainer.nesting()
        );
        let kind = ViolationKind::NotJson { slip: Slip::TooDeep, detail };
        Violation::new(kind, Pointer::root(), document.root().span())
    }
}

impl fmt::Debug for CompiledSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompiledSchema").field("schema", &self.inner.schema).finish_non_exhaustive()
    }
}

/// The keys of a document that are written twice. Both the schema and the typed check report them:
/// JSON says nothing about their meaning, and each parser takes another one of the values.
pub(crate) fn duplicate_keys(document: &Document<'_>) -> Vec<Violation> {
    document
        .duplicates()
        .iter()
        .map(|duplicate| {
            let kind =
                ViolationKind::DuplicateKey { key: duplicate.key.clone(), first: duplicate.key.clone() };
            Violation::new(kind, duplicate.pointer.clone(), duplicate.second)
                .with_related(duplicate.first, "first written here")
        })
        .collect()
}

/// Holds the list to the most that may be reported, and says so at its end.
pub(crate) fn truncate(violations: &mut Vec<Violation>, document: &Document<'_>, limits: &Limits) {
    let is_mark = |violation: &Violation| matches!(violation.kind, ViolationKind::Truncated { .. });
    let mut truncated = violations.iter().any(is_mark);
    violations.retain(|violation| !is_mark(violation));
    if violations.len() > limits.max_violations {
        violations.truncate(limits.max_violations);
        truncated = true;
    }
    if truncated {
        let kind = ViolationKind::Truncated { reported: violations.len() };
        let mut mark = vec![Violation::new(kind, Pointer::root(), document.root().span())];
        Violation::place(&mut mark, document.text(), limits.max_message_bytes);
        violations.extend(mark);
    }
}
