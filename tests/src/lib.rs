//! What the tests share.

pub mod bench;
pub mod docs;
pub mod faults;
pub mod hostile;
pub mod judges;
pub mod mutate;
pub mod pydantic;
pub mod random;
pub mod rows;
pub mod shared;
pub mod tree;
pub mod vectors;
pub mod zoo;

/// The examples of `docs/pydantic.md` run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/pydantic.md")]
mod pydantic_page {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/reasons.md")]
mod reasons_page {}
