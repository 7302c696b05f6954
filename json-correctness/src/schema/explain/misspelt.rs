//! Keys that stand in the place of missing fields.

use std::collections::HashMap;

use super::{
    graph::Id,
    names,
    subject::Subject,
    types::Types,
    walk::{Flow, Walk},
};
use crate::text::Member;

/// A field that is missing.
#[derive(Clone, Debug)]
pub(super) struct Missing<'a> {
    /// Its name, and its other names.
    pub(super) names: Vec<&'a str>,
    pub(super) required: bool,
    /// What its value must satisfy.
    pub(super) schemas: Vec<Id>,
}

/// A key that no subschema knows.
#[derive(Clone, Debug)]
pub(super) struct Stranger<'a> {
    pub(super) member: Member<'a>,
    /// No subschema allows it.
    pub(super) forbidden: bool,
    /// What is asked of unknown fields' values.
    pub(super) schemas: Vec<Id>,
}

/// From which likeness on a value of another type does not keep a key from its field.
const NEARLY: f64 = 0.85;
/// Most keys and fields that are compared each with each.
const MAX_COMPARED: usize = 48;

impl<'a> Walk<'a> {
    /// Gives each key to at most one missing field, the closest first and required fields before
    /// optional ones: for each stranger, the place of its field.
    ///
    /// A key that is allowed as it stands can only be taken for a required field: nothing else is
    /// wrong with it. A name that resembles none is never taken for one, not even where one key and
    /// one field are left: a field left out and a field made up are two faults.
    pub(super) fn assign(
        &mut self,
        strangers: &[Stranger<'a>],
        missing: &[Missing<'a>],
    ) -> Flow<Vec<Option<usize>>> {
        let mut given = vec![None; strangers.len()];
        if strangers.is_empty() || missing.is_empty() {
            return Ok(given);
        }
        let mut taken = vec![false; missing.len()];
        if strangers.len() > MAX_COMPARED || missing.len() > MAX_COMPARED {
            self.assign_by_spelling(strangers, missing, &mut given, &mut taken)?;
        } else {
            self.assign_by_likeness(strangers, missing, &mut given, &mut taken)?;
        }
        Ok(given)
    }

    fn assign_by_likeness(
        &mut self,
        strangers: &[Stranger<'a>],
        missing: &[Missing<'a>],
        given: &mut [Option<usize>],
        taken: &mut [bool],
    ) -> Flow<()> {
        let mut pairs = Vec::new();
        for (key, stranger) in strangers.iter().enumerate() {
            for (field, lost) in missing.iter().enumerate() {
                if !lost.required && !stranger.forbidden {
                    continue;
                }
                let mut likeness = 0.0_f64;
                for name in lost.names.iter().take(8) {
                    likeness = likeness.max(self.likeness(stranger.member.key, name)?);
                }
                if likeness < names::PLAUSIBLE {
                    continue;
                }
                let fitting = likeness + self.fit(stranger, lost)?;
                // A slip of the keyboard stays one, whatever the value is.
                let likeness = if likeness >= NEARLY { fitting.max(names::PLAUSIBLE) } else { fitting };
                if likeness >= names::PLAUSIBLE {
                    // Whole thousandths, so that the order does not hang on the last bit.
                    pairs.push((!lost.required, -(likeness * 1_000.0) as i64, key, field));
                }
            }
        }
        pairs.sort_unstable();
        for (_, _, key, field) in pairs {
            if given[key].is_none() && !taken[field] {
                given[key] = Some(field);
                taken[field] = true;
            }
        }
        Ok(())
    }

    /// Where there are many, only names that are the same but for case and separators count.
    fn assign_by_spelling(
        &mut self,
        strangers: &[Stranger<'a>],
        missing: &[Missing<'a>],
        given: &mut [Option<usize>],
        taken: &mut [bool],
    ) -> Flow<()> {
        self.spend(strangers.len() / 2 + missing.len() / 2)?;
        let mut fields: HashMap<String, usize> = HashMap::new();
        for (field, lost) in missing.iter().enumerate() {
            for name in &lost.names {
                fields.entry(names::plain(name)).or_insert(field);
            }
        }
        for (key, stranger) in strangers.iter().enumerate() {
            if stranger.member.key.len() > 256 {
                continue;
            }
            let Some(&field) = fields.get(&names::plain(stranger.member.key)) else { continue };
            if !taken[field] && (missing[field].required || stranger.forbidden) {
                given[key] = Some(field);
                taken[field] = true;
            }
        }
        Ok(())
    }

    /// Whether the value is what the field asks for: a bonus if it satisfies the field's schema, a
    /// malus if it has another type.
    fn fit(&mut self, stranger: &Stranger<'a>, lost: &Missing<'a>) -> Flow<f64> {
        let value = Subject::Value(stranger.member.value);
        let mut asked = Types::ALL;
        for &id in &lost.schemas {
            for part in super::describe::conjunction(self.graph, id) {
                asked = asked.and(self.graph.schema(part).types.unwrap_or(Types::ALL));
            }
        }
        for &id in &lost.schemas {
            if !self.valid(id, value)? {
                let types = self.types_of(value, self.graph.schema(id));
                // `2.0` for an integer is a number of the wrong kind, and no other type.
                let near = if types.meets(Types::NUMBER) { types.or(Types::NUMBER) } else { types };
                return Ok(if asked.meets(near) { 0.0 } else { -0.3 });
            }
        }
        Ok(if asked == Types::ALL { 0.0 } else { 0.2 })
    }
}
