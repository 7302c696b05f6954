//! Every bound on hostile input, in one value.

/// The bounds within which outputs and schemas are judged. Each has a default and can be changed;
/// what lies beyond a bound is reported, never silently accepted.
///
/// ```
/// use json_correctness::Limits;
/// let limits = Limits::default().max_text_bytes(64 << 20).max_violations(10);
/// assert_eq!(limits.max_depth, 127);
/// # let _ = limits;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Longest text that is parsed, in bytes. Default 16 MiB; never more than 4 GiB - 1.
    pub max_text_bytes: usize,
    /// Deepest nesting of arrays and objects. Default 127, which is also the most that `serde_json`
    /// deserializes into a type; a schema alone can judge deeper texts, up to [`Limits::MAX_DEPTH`].
    pub max_depth: usize,
    /// Largest schema document, in bytes of compact JSON. Default 1 MiB.
    pub max_schema_bytes: usize,
    /// Most subschemas in one schema. Default 50,000.
    pub max_schema_nodes: usize,
    /// Longest chain of `$ref`s that lead directly to one another. Default 100.
    pub max_ref_chain: usize,
    /// Most subschemas that in-place applicators (`allOf`, `$ref`, …) may apply to one single
    /// value. Default 10,000.
    pub max_expanded_paths: usize,
    /// Longest regular expression in a schema, in bytes. Default 8 KiB.
    pub max_pattern_bytes: usize,
    /// Longest string that a pattern which needs backtracking is run on, in bytes. Default 8 KiB.
    pub max_backtracking_bytes: usize,
    /// Most violations that one judgement reports. Default 100.
    pub max_violations: usize,
    /// Longest message or suggestion of a violation, in bytes. Default 1 KiB.
    pub max_message_bytes: usize,
    /// Most steps that the search for reasons takes; one step looks at one value with one
    /// subschema. Default 200,000.
    pub max_explain_steps: usize,
    /// Most steps that the edit distance of two strings takes; a step is the work of about a nanosecond.
    /// Default 268,435,456. It is enough for any two strings of 50,000 characters (not counting what
    /// both begin and end with), and for strings of any length which are up to 5,000 edits apart and
    /// do not repeat themselves.
    pub max_distance_cost: usize,
    /// Most steps that aligning lists takes in one comparison. To weigh one value against another is a
    /// step, two strings cost a 64th of the product of their lengths, and the search for the best pairs
    /// of two lists at worst the square of the shorter length times the longer one. Default
    /// 100,000,000: two lists of several hundred small objects.
    pub max_alignment_steps: usize,
    /// Longest row of a dataset, in bytes as it stands in the file. Default 64 MiB.
    pub max_row_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_text_bytes: 16 << 20,
            max_depth: 127,
            max_schema_bytes: 1 << 20,
            max_schema_nodes: 50_000,
            max_ref_chain: 100,
            max_expanded_paths: 10_000,
            max_pattern_bytes: 8 << 10,
            max_backtracking_bytes: 8 << 10,
            max_violations: 100,
            max_message_bytes: 1 << 10,
            max_explain_steps: 200_000,
            max_distance_cost: 1 << 28,
            max_alignment_steps: 100_000_000,
            max_row_bytes: 64 << 20,
        }
    }
}

macro_rules! setters {
    ($($name:ident)*) => {
        impl Limits {
            $(
                #[doc = concat!("Sets [`", stringify!($name), "`](Self#structfield.", stringify!($name), ").")]
                #[must_use]
                pub fn $name(mut self, $name: usize) -> Self {
                    self.$name = $name;
                    self
                }
            )*

            /// The names of all limits.
            pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// The limits that differ from their defaults, by name.
            pub(crate) fn changed(&self) -> serde_json::Map<String, serde_json::Value> {
                let default = Self::default();
                let mut changed = serde_json::Map::new();
                $(if self.$name != default.$name {
                    changed.insert(stringify!($name).to_owned(), self.$name.into());
                })*
                changed
            }

            /// Sets a limit by its name; whether there is one of that name.
            pub(crate) fn set(&mut self, name: &str, value: usize) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

setters! {
    max_text_bytes max_depth max_schema_bytes max_schema_nodes max_ref_chain max_expanded_paths
    max_pattern_bytes max_backtracking_bytes max_violations max_message_bytes max_explain_steps
    max_distance_cost max_alignment_steps max_row_bytes
}

impl Limits {
    /// The deepest nesting that can be asked for: beyond it a walk could exhaust a thread's stack.
    pub const MAX_DEPTH: usize = 512;
}
