//! One token after another.
