//! From a schema document to the arena. References are resolved by the crate that the judge of record
//! resolves them with, and the subschemas are read by the same rules, so that both mean the same.

use std::{collections::HashMap, sync::Arc};

use jsonschema::Draft;
use referencing::{Registry, Resolver};
use serde_json::{Map, Value};

use super::{
    IntegerRule, bounds,
    graph::{ANYTHING, Graph, Id, NOTHING, Schema},
    scopes::Scopes,
    unions,
};
use crate::{Error, schema::pattern::Pattern, text::Limits};

/// Reads a schema into an arena. Subschemas wait in a list for their turn, so no nesting and no chain
/// of references deepens the stack.
pub(super) fn compile(
    schema: &Value,
    documents: &[(&str, &Value)],
    draft: Draft,
    integers: IntegerRule,
    limits: &Limits,
) -> Result<Graph, Error> {
    let all = || std::iter::once(schema).chain(documents.iter().map(|(_, document)| *document));
    for document in all() {
        bounds::check_document(document, limits)?;
    }
    let resource = draft.create_resource_ref(schema);
    let base = referencing::uri::from_str(resource.id().unwrap_or("json-schema:///"))
        .map_err(|error| Error::schema(format!("the schema's id is not a URI: {error}")))?;
    // The draft of the builder would override those that other documents name.
    let builder = match documents {
        [] => Registry::new().draft(draft),
        _ => Registry::new(),
    };
    let documents =
        documents.iter().map(|(uri, document)| (*uri, draft.detect(document).create_resource_ref(document)));
    let registry = builder
        .extend(documents)
        .and_then(|builder| builder.add(base.as_str(), resource))
        .and_then(referencing::RegistryBuilder::prepare)
        .map_err(|error| unresolved(&error))?;
    let base = match registry.contains_resource(base.as_str()) {
        true => base,
        false => {
            let mut bare = base;
            bare.set_fragment(None);
            bare
        }
    };
    let mut compiler = Compiler {
        limits,
        graph: Graph {
            schemas: vec![Schema::new(draft, Some(true)), Schema::new(draft, Some(false))],
            root: ANYTHING,
            integers,
            tracks_evaluation: false,
            nesting: 0,
        },
        scopes: Scopes::new(all()),
        known: HashMap::new(),
        work: Vec::new(),
        steps: vec![Step { parent: 0, token: Token::Reference("#") }; 2],
        patterns: HashMap::new(),
    };
    let scope = Scope { resolver: registry.resolver(base), draft };
    compiler.graph.root = compiler.subschema(schema, &scope, 0, Token::Reference("#"))?;
    while let Some(work) = compiler.work.pop() {
        compiler.read(work)?;
    }
    let Compiler { mut graph, steps, .. } = compiler;
    graph.nesting = bounds::check_graph(&graph, limits, |id| place(&steps, id))?;
    unions::analyse(&mut graph);
    Ok(graph)
}

fn unresolved(error: &referencing::Error) -> Error {
    match error {
        referencing::Error::Unretrievable { uri, .. } => {
            let mut uri = uri.clone();
            crate::violation::cut(&mut uri, 200);
            Error::schema(format!(
                "the schema refers to `{uri}`, which is no part of it, and nothing is fetched: put it under `$defs`, or hand it in with `CompiledSchema::with_documents`"
            ))
        }
        other => Error::schema(format!("the schema's references do not resolve: {other}")),
    }
}

/// In whose name references are resolved.
#[derive(Clone)]
pub(super) struct Scope<'v> {
    pub(super) resolver: Resolver<'v>,
    pub(super) draft: Draft,
}

/// How a subschema was come by.
#[derive(Clone, Copy)]
pub(super) enum Token<'v> {
    /// Under a keyword.
    Key(&'v str),
    /// Under a name in what the keyword holds.
    Member(&'static str, &'v str),
    /// At an index of what the keyword holds.
    Item(&'static str, usize),
    Reference(&'v str),
}

#[derive(Clone, Copy)]
struct Step<'v> {
    parent: Id,
    token: Token<'v>,
}

/// A subschema's place as a URI fragment.
fn place(steps: &[Step<'_>], id: Id) -> String {
    let mut tokens = Vec::new();
    let mut at = id;
    loop {
        let step = steps[at as usize];
        match step.token {
            Token::Reference(reference) => {
                tokens.push(reference.to_owned());
                break;
            }
            Token::Key(keyword) => tokens.push(keyword.to_owned()),
            Token::Member(keyword, name) => {
                tokens.push(format!("{keyword}/{}", name.replace('~', "~0").replace('/', "~1")));
            }
            Token::Item(keyword, index) => tokens.push(format!("{keyword}/{index}")),
        }
        at = step.parent;
    }
    tokens.reverse();
    let mut place = tokens.join("/");
    crate::violation::cut(&mut place, 200);
    place
}

struct Work<'v> {
    id: Id,
    value: &'v Value,
    scope: Scope<'v>,
}

/// What makes two uses of a subschema the same: the document's place, the base that its references
/// count from, its draft, and what its dynamic references would find.
type Identity = (usize, u32, Draft, u32);

pub(super) struct Compiler<'v, 'l> {
    pub(super) limits: &'l Limits,
    pub(super) graph: Graph,
    scopes: Scopes,
    known: HashMap<Identity, Id>,
    work: Vec<Work<'v>>,
    /// How each subschema was come by, beside `graph.schemas`.
    steps: Vec<Step<'v>>,
    patterns: HashMap<&'v str, Arc<Pattern>>,
}

impl<'v> Compiler<'v, '_> {
    pub(super) fn place(&self, id: Id) -> String {
        place(&self.steps, id)
    }

    /// The arena's place of a subschema, which is read later if it is new.
    pub(super) fn subschema(
        &mut self,
        value: &'v Value,
        scope: &Scope<'v>,
        parent: Id,
        token: Token<'v>,
    ) -> Result<Id, Error> {
        if let Value::Bool(verdict) = value {
            return Ok(if *verdict { ANYTHING } else { NOTHING });
        }
        let resource = scope.draft.detect(value).create_resource_ref(value);
        let resolver = scope.resolver.in_subresource(resource).map_err(|error| {
            Error::schema(format!("{}: the subschema's id is not a URI: {error}", self.place(parent)))
        })?;
        self.intern(value, Scope { resolver, draft: resource.draft() }, Step { parent, token })
    }

    fn intern(&mut self, value: &'v Value, scope: Scope<'v>, step: Step<'v>) -> Result<Id, Error> {
        if let Value::Bool(verdict) = value {
            return Ok(if *verdict { ANYTHING } else { NOTHING });
        }
        let (base, seen) = self.scopes.identify(&scope.resolver);
        let identity = (std::ptr::from_ref(value).addr(), base, scope.draft, seen);
        if let Some(&id) = self.known.get(&identity) {
            return Ok(id);
        }
        let id = self.graph.schemas.len();
        if id >= self.limits.max_schema_nodes.min(Id::MAX as usize) {
            return Err(Error::limit(format!(
                "{}: the schema has more than max_schema_nodes = {} subschemas: split it, or raise the limit",
                self.place(step.parent),
                self.limits.max_schema_nodes
            )));
        }
        let id = id as Id;
        self.graph.schemas.push(Schema::new(scope.draft, None));
        self.steps.push(step);
        self.known.insert(identity, id);
        self.work.push(Work { id, value, scope });
        Ok(id)
    }

    /// The target of a reference; `None` where it is the referring subschema itself or nothing.
    fn reference(
        &mut self,
        keyword: &str,
        reference: &'v Value,
        work: &Work<'v>,
    ) -> Result<Option<Id>, Error> {
        let Value::String(reference) = reference else {
            return Err(Error::schema(format!("{}: `{keyword}` must be a string", self.place(work.id))));
        };
        let resolver = &work.scope.resolver;
        let resolved = match keyword {
            "$recursiveRef" => resolver.lookup_recursive_ref(),
            _ if reference.is_empty() => return Ok(None),
            _ => resolver.lookup(reference),
        };
        let resolved = resolved.map_err(|error| {
            let mut shown = reference.clone();
            crate::violation::cut(&mut shown, 200);
            Error::schema(format!("{}: the reference `{shown}` leads nowhere: {error}", self.place(work.id)))
        })?;
        if std::ptr::eq(resolved.contents(), work.value) && keyword != "$recursiveRef" {
            return Ok(None);
        }
        let (contents, resolver, draft) = resolved.into_inner();
        let step = Step { parent: work.id, token: Token::Reference(reference) };
        self.intern(contents, Scope { resolver, draft }, step).map(Some)
    }

    fn read(&mut self, work: Work<'v>) -> Result<(), Error> {
        let Value::Object(map) = work.value else {
            return Err(Error::schema(format!(
                "{}: a schema must be an object or a boolean, not {}",
                self.place(work.id),
                match work.value {
                    Value::Null => "null",
                    Value::Number(_) => "a number",
                    Value::String(_) => "a string",
                    _ => "an array",
                }
            )));
        };
        let draft = work.scope.draft;
        let mut refs = Vec::new();
        let siblings_count = draft >= Draft::Draft201909;
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let known = match keyword {
                "$dynamicRef" => draft >= Draft::Draft202012,
                "$recursiveRef" => draft == Draft::Draft201909,
                _ => true,
            };
            if let Some(reference) = map.get(keyword).filter(|_| known) {
                refs.extend(self.reference(keyword, reference, &work)?);
                if !siblings_count {
                    break;
                }
            }
        }
        if siblings_count || !map.contains_key("$ref") {
            self.keywords(map, &work.scope, work.id)?;
        }
        if !refs.is_empty() {
            let applied = &mut self.graph.schemas[work.id as usize].applied;
            applied.get_or_insert_default().refs = refs;
        }
        Ok(())
    }

    pub(super) fn list(
        &mut self,
        map: &'v Map<String, Value>,
        keyword: &'static str,
        scope: &Scope<'v>,
        parent: Id,
    ) -> Result<Vec<Id>, Error> {
        let Some(Value::Array(values)) = map.get(keyword) else { return Ok(Vec::new()) };
        values
            .iter()
            .enumerate()
            .map(|(index, value)| self.subschema(value, scope, parent, Token::Item(keyword, index)))
            .collect()
    }

    /// The subschema under a keyword, where there is one.
    pub(super) fn one(
        &mut self,
        map: &'v Map<String, Value>,
        keyword: &'static str,
        scope: &Scope<'v>,
        parent: Id,
    ) -> Result<Option<Id>, Error> {
        map.get(keyword).map(|value| self.subschema(value, scope, parent, Token::Key(keyword))).transpose()
    }

    pub(super) fn map(
        &mut self,
        map: &'v Map<String, Value>,
        keyword: &'static str,
        scope: &Scope<'v>,
        parent: Id,
    ) -> Result<Vec<(&'v str, Id)>, Error> {
        let Some(Value::Object(members)) = map.get(keyword) else { return Ok(Vec::new()) };
        members
            .iter()
            .map(|(name, value)| {
                Ok((name.as_str(), self.subschema(value, scope, parent, Token::Member(keyword, name))?))
            })
            .collect()
    }

    pub(super) fn pattern(&mut self, source: &'v str, parent: Id) -> Result<Arc<Pattern>, Error> {
        if let Some(pattern) = self.patterns.get(source) {
            return Ok(Arc::clone(pattern));
        }
        let pattern = Pattern::compile(source, self.limits).map_err(|error| {
            let message = format!("{}: {error}", self.place(parent));
            if error.is_limit() { Error::limit(message) } else { Error::schema(message) }
        })?;
        let pattern = Arc::new(pattern);
        self.patterns.insert(source, Arc::clone(&pattern));
        Ok(pattern)
    }
}
