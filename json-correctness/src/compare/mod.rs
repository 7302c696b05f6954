//! Comparing two documents: equality, canonical texts, distances, and the weighted difference.

mod assignment;
mod canonical;
mod decimal;
mod difference;
mod distance;
mod equality;
mod fields;
mod instant;
mod numeric;
mod python;
mod weights;

pub use canonical::Canonical;
pub use difference::Difference;
pub(crate) use difference::{Rules, compare, first_fault};
pub use distance::{Distance, damerau_levenshtein};
pub(crate) use equality::{equal, equal_unordered, unordered_differences};
pub(crate) use fields::Fields;
pub(crate) use python::equal_as_langchain;
pub(crate) use weights::Weights;
