//! What the tests share.

pub mod vectors;
