//! The parts of the page that are there without scripts.

use std::fmt::Write as _;

use super::{
    cards::total,
    data::{Data, MAX_BYTES, MAX_RESULTS},
    numbers::{duration, thousands},
    text::content,
};
use crate::evaluate::Evaluation;

/// How many data files are named.
const LISTED_FILES: usize = 10;

/// What the run is about, in a few words.
pub(super) fn title(html: &mut String, evaluation: &Evaluation) {
    html.push_str("JSON correctness");
    if let Some(first) = evaluation.run.data.first() {
        put!(html, ": {}", content(first));
    }
}

/// What was run, when, and by what.
pub(super) fn header(html: &mut String, evaluation: &Evaluation) {
    let run = &evaluation.run;
    if run.data.is_empty() {
        html.push_str("<h1>JSON correctness</h1>");
    } else {
        html.push_str("<p class=\"what-it-is\">JSON correctness</p>\n<h1>");
        for (index, file) in run.data.iter().take(LISTED_FILES).enumerate() {
            put!(html, "{}<code>{}</code>", if index == 0 { "" } else { ", " }, content(file));
        }
        if run.data.len() > LISTED_FILES {
            put!(html, " and {} more files", run.data.len() - LISTED_FILES);
        }
        html.push_str("</h1>");
    }
    html.push_str("\n<dl class=\"run\">");
    let results = evaluation.summary.metrics.iter().map(total).fold(0, u64::saturating_add);
    for (name, value) in [
        ("Rows", thousands(evaluation.summary.rows)),
        ("Results", thousands(results)),
        ("Started", content(&run.started.replace('T', " "))),
        ("Took", duration(run.seconds)),
        ("Run", format!("<code>{}</code>", content(&run.id))),
        ("Version", content(&run.version)),
    ] {
        put!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    html.push_str("</dl>");
}

/// What of the results is not in the page.
pub(super) fn left_out(html: &mut String, data: &Data) {
    let out: usize = data.left_out.iter().map(|(_, count)| count).sum();
    if out > 0 {
        let by_outcome: Vec<String> = data
            .left_out
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(outcome, count)| format!("{} {outcome}", thousands(*count as u64)))
            .collect();
        put!(
            html,
            "<p class=\"note\" id=\"left-out\">{} results are here. Left out of the page: {}. It holds at most {} results \
             and {} MiB of them, passed ones last; the summary counts all.</p>",
            thousands(data.shown as u64),
            by_outcome.join(", "),
            thousands(MAX_RESULTS as u64),
            MAX_BYTES >> 20
        );
    }
    if data.omitted > 0 {
        put!(
            html,
            "<p class=\"note\" id=\"omitted\">{} results were not kept by the run, passed ones first; the summary \
             counts them.</p>",
            thousands(data.omitted)
        );
    }
}
