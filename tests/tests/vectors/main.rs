//! What other libraries' own code answered, through our metrics: in compatibility mode and by default.
//! A row on which the answers differ falls under a rule that `docs/coming-from.md` describes.

mod compared;
mod openevals;
mod parse;
mod schema;
mod validity;

use json_correctness::Metric;

fn boxed(metric: impl Metric + 'static) -> Box<dyn Metric> {
    Box::new(metric)
}
