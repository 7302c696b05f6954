//! What schemars' schema of a type leaves open.
