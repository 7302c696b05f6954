//! How each field is scored, beyond its weight in a weights document.

mod schema;

use std::{borrow::Cow, collections::BTreeMap, fmt, sync::Arc};

use super::numeric::Tolerance;
use crate::text::{Node, Pointer};

/// How two values of a field are compared.
#[derive(Clone, Debug)]
pub(crate) enum Comparison {
    /// Equal or not.
    Exact,
    /// Numbers and booleans by their closeness.
    Numeric,
    /// Strings by their Levenshtein distance.
    Levenshtein,
    /// Strings equal or not, upper and lower case alike.
    CaseInsensitive,
    /// Strings equal or not, any white space as one space, and none at the ends.
    WhitespaceInsensitive,
    /// Dates and times equal or not by the instant that they name.
    Instant,
    /// A user's function.
    Own(Own),
}

/// A user's comparison of two values, of the output and of the reference, in this order.
#[derive(Clone)]
pub(crate) struct Own(Arc<dyn Fn(Node<'_>, Node<'_>) -> f64 + Send + Sync>);

impl Own {
    pub(super) fn call(&self, found: Node<'_>, expected: Node<'_>) -> f64 {
        (self.0)(found, expected)
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("own")
    }
}

/// Which elements of two lists are compared with each other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Align {
    /// Those of the same index.
    Positional,
    /// So that the sum of the similarities is the greatest.
    Unordered,
    /// Those that have the same value under this key.
    Key(String),
}

/// What is said of one field; `None` where nothing is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    pub(super) weight: Option<f64>,
    pub(super) ignore: Option<bool>,
    pub(super) threshold: Option<f64>,
    pub(super) comparison: Option<Comparison>,
    pub(super) tolerance: Option<Tolerance>,
    pub(super) align: Option<Align>,
}

impl Field {
    fn is_empty(&self) -> bool {
        let Self { weight, ignore, threshold, comparison, tolerance, align } = self;
        weight.is_none()
            && ignore.is_none()
            && threshold.is_none()
            && comparison.is_none()
            && tolerance.is_none()
            && align.is_none()
    }
}

type Id = u32;

/// What is said at one place of a schema, of a value and of what it holds.
#[derive(Clone, Debug, Default)]
struct Said {
    field: Field,
    members: BTreeMap<String, Id>,
    /// Of members that are not named.
    rest: Option<Id>,
    prefix: Vec<Id>,
    items: Option<Id>,
}

/// What is said of all fields: a graph, since schemas refer to themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    said: Vec<Said>,
    /// For each entry of `said`, those that speak of the same value, itself among them; first what
    /// counts first. Those that say nothing, here or below, are left out.
    together: Vec<Vec<Id>>,
    start: Vec<Id>,
}

impl Fields {
    /// Lets a function compare the values at a path of keys; lists on the way, and at its end, hand
    /// it to their elements. It comes before what else is said of the field's comparison.
    pub(crate) fn compare_with(
        &mut self,
        path: &Pointer,
        own: impl Fn(Node<'_>, Node<'_>) -> f64 + Send + Sync + 'static,
    ) {
        let mut here = self.add();
        self.start.insert(0, here);
        for key in path.tokens() {
            let next = self.add();
            self.said[here as usize].members.insert(key, next);
            here = next;
        }
        self.said[here as usize].field.comparison = Some(Comparison::Own(Own(Arc::new(own))));
    }

    /// A new entry whose elements are spoken of by itself.
    fn add(&mut self) -> Id {
        let id = self.said.len() as Id;
        self.said.push(Said { items: Some(id), ..Said::default() });
        self.together.push(vec![id]);
        id
    }

    /// What `other` says as well, where `self` says nothing.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        let shift = self.said.len() as Id;
        let moved = |id: &Id| id + shift;
        self.said.extend(other.said.iter().map(|said| Said {
            field: said.field.clone(),
            members: said.members.iter().map(|(key, id)| (key.clone(), moved(id))).collect(),
            rest: said.rest.as_ref().map(moved),
            prefix: said.prefix.iter().map(moved).collect(),
            items: said.items.as_ref().map(moved),
        }));
        self.together.extend(other.together.iter().map(|ids| ids.iter().map(moved).collect()));
        self.start.extend(other.start.iter().map(moved));
        self
    }

    /// What is said of the outermost value.
    pub(super) fn root(&self) -> Place<'_> {
        Place { fields: self, ids: Cow::Borrowed(&self.start), of_list: None }
    }
}

/// What is said of one value.
#[derive(Clone)]
pub(super) struct Place<'f> {
    fields: &'f Fields,
    ids: Cow<'f, [Id]>,
    /// What the list that holds the value hands on.
    of_list: Option<(Option<&'f Comparison>, Option<Tolerance>)>,
}

impl<'f> Place<'f> {
    /// Whether nothing is said, here or below.
    pub(super) fn is_silent(&self) -> bool {
        self.ids.is_empty() && self.of_list.is_none()
    }

    fn first<T>(&self, of: impl Fn(&'f Field) -> Option<T>) -> Option<T> {
        self.ids.iter().find_map(|&id| of(&self.fields.said[id as usize].field))
    }

    pub(super) fn weight(&self) -> Option<f64> {
        self.first(|field| field.weight)
    }

    pub(super) fn is_ignored(&self) -> bool {
        self.first(|field| field.ignore).unwrap_or(false)
    }

    pub(super) fn threshold(&self) -> f64 {
        self.first(|field| field.threshold).unwrap_or(1.0)
    }

    pub(super) fn align(&self) -> Option<&'f Align> {
        self.first(|field| field.align.as_ref())
    }

    /// The comparison and the tolerance. Neither is taken from the list where the value has one of its
    /// own.
    pub(super) fn comparison(&self) -> (Option<&'f Comparison>, Option<Tolerance>) {
        let here = (self.first(|field| field.comparison.as_ref()), self.first(|field| field.tolerance));
        match (here, self.of_list) {
            ((None, None), Some(handed)) => handed,
            (here, _) => here,
        }
    }

    pub(super) fn member(&self, key: &str) -> Self {
        self.below(|said| said.members.get(key).copied().or(said.rest))
    }

    pub(super) fn element(&self, index: usize) -> Self {
        let of_list = match self.comparison() {
            (None, None) => None,
            handed => Some(handed),
        };
        Self { of_list, ..self.below(|said| said.prefix.get(index).copied().or(said.items)) }
    }

    fn below(&self, next: impl Fn(&Said) -> Option<Id>) -> Self {
        let fields = self.fields;
        let mut ids: Cow<'f, [Id]> = Cow::Borrowed(&[]);
        for &id in &*self.ids {
            let Some(next) = next(&fields.said[id as usize]) else { continue };
            let more = &fields.together[next as usize];
            if ids.is_empty() {
                ids = Cow::Borrowed(more);
            } else {
                let new: Vec<Id> = more.iter().filter(|id| !ids.contains(id)).copied().collect();
                if !new.is_empty() {
                    ids.to_mut().extend(new);
                }
            }
        }
        Self { fields, ids, of_list: None }
    }
}
