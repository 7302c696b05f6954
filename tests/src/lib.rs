//! What the tests share.

pub mod docs;
pub mod pydantic;
pub mod shared;
pub mod vectors;

/// The examples of `docs/pydantic.md` run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/pydantic.md")]
mod pydantic_page {}
