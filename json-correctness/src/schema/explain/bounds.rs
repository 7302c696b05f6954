//! The limits on schemas: nothing else may touch an untrusted schema before these checks.

use serde_json::Value;

use super::graph::{Graph, Id};
use crate::{Error, text::Limits};

/// The deepest nesting of a schema document. What `serde_json` reads from a text is at most half as
/// deep; deeper ones can only be built, and would exhaust the stack of those who walk them.
const MAX_SCHEMA_DEPTH: usize = 256;

/// Measures the document without recursion: its depth and its bytes as compact JSON.
pub(super) fn check_document(schema: &Value, limits: &Limits) -> Result<(), Error> {
    let mut bytes = 0_usize;
    let mut open = vec![(schema, 1)];
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_SCHEMA_DEPTH {
            return Err(Error::limit(format!(
                "the schema is nested more than {MAX_SCHEMA_DEPTH} levels deep: move inner schemas to `$defs` and refer to them"
            )));
        }
        bytes += match value {
            Value::Null => 4,
            Value::Bool(truth) => 5 - usize::from(*truth),
            Value::Number(number) => number.to_string().len(),
            Value::String(text) => string_bytes(text),
            Value::Array(items) => {
                open.extend(items.iter().map(|item| (item, depth + 1)));
                2 + items.len().saturating_sub(1)
            }
            Value::Object(members) => {
                open.extend(members.values().map(|member| (member, depth + 1)));
                let keys: usize = members.keys().map(|key| string_bytes(key) + 1).sum();
                2 + members.len().saturating_sub(1) + keys
            }
        };
        if bytes > limits.max_schema_bytes {
            return Err(Error::limit(format!(
                "the schema has more than max_schema_bytes = {} bytes: split it, or raise the limit",
                limits.max_schema_bytes
            )));
        }
    }
    Ok(())
}

fn string_bytes(text: &str) -> usize {
    let escapes: usize = text
        .bytes()
        .map(|byte| match byte {
            b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 1,
            0..=31 => 5,
            _ => 0,
        })
        .sum();
    text.len() + escapes + 2
}

/// What applies to one and the same value, counted from each subschema on.
#[derive(Clone, Copy, Default)]
struct Reach {
    /// Longest chain of references.
    chain: usize,
    /// Paths to subschemas.
    paths: usize,
    /// Most subschemas inside one another.
    nesting: usize,
}

/// Checks how far references and in-place applicators multiply: `place` names a subschema's place in
/// the schema. Returns how many subschemas stand inside one another on one value at most.
pub(super) fn check_graph(
    graph: &Graph,
    limits: &Limits,
    place: impl Fn(Id) -> String,
) -> Result<usize, Error> {
    let count = graph.schemas.len();
    let mut reach = vec![Reach::default(); count];
    // 0: not seen, 1: on the path, 2: done.
    let mut state = vec![0_u8; count];
    let mut loops = Vec::new();
    for start in 0..count as Id {
        if state[start as usize] != 0 {
            continue;
        }
        state[start as usize] = 1;
        let mut path = vec![(start, graph.schema(start).in_place(), 0)];
        while let Some((id, children, next)) = path.last_mut() {
            if let Some(&child) = children.get(*next) {
                *next += 1;
                match state[child as usize] {
                    0 => {
                        state[child as usize] = 1;
                        let grandchildren = graph.schema(child).in_place();
                        path.push((child, grandchildren, 0));
                    }
                    1 => loops.push(child),
                    _ => {}
                }
                continue;
            }
            let id = *id;
            let found = reach_of(graph, id, &reach, &state);
            if found.chain > limits.max_ref_chain {
                return Err(Error::limit(format!(
                    "{}: more than max_ref_chain = {} references lead to one another: refer to the last one directly, or raise the limit",
                    place(id),
                    limits.max_ref_chain
                )));
            }
            if found.paths > limits.max_expanded_paths {
                return Err(too_many_paths(&place(id), limits));
            }
            reach[id as usize] = found;
            state[id as usize] = 2;
            path.pop();
        }
    }
    check_loops(graph, loops, limits, place)?;
    Ok(reach.iter().map(|reach| reach.nesting).max().unwrap_or(0))
}

fn reach_of(graph: &Graph, id: Id, reach: &[Reach], state: &[u8]) -> Reach {
    let schema = graph.schema(id);
    let references = schema.applied.as_ref().map_or(0, |applied| applied.refs.len());
    let mut found = Reach { chain: 0, paths: 1, nesting: 1 };
    for (index, child) in schema.in_place().into_iter().enumerate() {
        if state[child as usize] != 2 {
            continue;
        }
        let beyond = reach[child as usize];
        let chain = beyond.chain + usize::from(index < references);
        found.chain = found.chain.max(chain);
        found.paths = found.paths.saturating_add(beyond.paths.max(1));
        found.nesting = found.nesting.max(1 + beyond.nesting);
    }
    found
}

fn too_many_paths(place: &str, limits: &Limits) -> Error {
    Error::limit(format!(
        "{place}: more than max_expanded_paths = {} subschemas apply to one value: use fewer `allOf`, `anyOf`, `oneOf` and `$ref` inside one another, or raise the limit",
        limits.max_expanded_paths
    ))
}

/// A loop of references that comes back to the same value is cut where it closes. Loops that cross
/// one another can still be walked in exponentially many ways; those are counted.
fn check_loops(
    graph: &Graph,
    mut loops: Vec<Id>,
    limits: &Limits,
    place: impl Fn(Id) -> String,
) -> Result<(), Error> {
    loops.sort_unstable();
    loops.dedup();
    let mut total = 0_usize;
    for start in loops {
        let mut steps = 0_usize;
        let mut on_path = vec![start];
        let mut path = vec![(graph.schema(start).in_place(), 0)];
        while let Some((children, next)) = path.last_mut() {
            let Some(&child) = children.get(*next) else {
                path.pop();
                on_path.pop();
                continue;
            };
            *next += 1;
            steps += 1;
            total += 1;
            if steps > limits.max_expanded_paths || total > limits.max_expanded_paths.saturating_mul(20) {
                return Err(too_many_paths(&place(start), limits));
            }
            if !on_path.contains(&child) {
                on_path.push(child);
                path.push((graph.schema(child).in_place(), 0));
            }
        }
    }
    Ok(())
}
