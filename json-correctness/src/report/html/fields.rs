//! The fields that are wrong most often.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    data::shown_field,
    numbers::{share, thousands},
    text::{clean_fragment, content, escape},
};
use crate::evaluate::{Evaluation, FieldCount};

/// How many rows of the fields are in sight, and how many more there are at most.
const OPEN_FIELDS: usize = 15;
const MORE_FIELDS: usize = 500;
/// How many metrics are named in a row.
const NAMED_METRICS: usize = 3;

/// What is wrong with a field, whichever metrics found it.
struct Row<'a> {
    /// The metrics, that which found most cases first.
    metrics: Vec<(&'a str, &'a FieldCount)>,
}

impl<'a> Row<'a> {
    /// The counts of the metric that found most cases: several see the same fault of the same case, so
    /// their sum would count it as often.
    fn most(&self) -> (&'a str, &'a FieldCount) {
        self.metrics[0]
    }
}

fn rows(evaluation: &Evaluation) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut places: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for metric in &evaluation.summary.metrics {
        for field in &metric.by_field {
            let key = (field.field.as_str(), field.code.as_str(), field.kind.as_str());
            let place = *places.entry(key).or_insert_with(|| {
                rows.push(Row { metrics: Vec::new() });
                rows.len() - 1
            });
            rows[place].metrics.push((&metric.metric, field));
        }
    }
    for row in &mut rows {
        row.metrics.sort_by_key(|(_, field)| std::cmp::Reverse(field.cases));
    }
    // Stable: within a number of cases the order of the summary stays.
    rows.sort_by_key(|row| std::cmp::Reverse(row.most().1.cases));
    rows
}

/// The table of the fields.
pub(super) fn fields(html: &mut String, evaluation: &Evaluation) {
    let rows = rows(evaluation);
    let Some(most) = rows.first().map(|row| row.most().1.cases.max(1)) else {
        html.push_str("<p class=\"note\">No violation and no difference was found.</p>");
        return;
    };
    let many_metrics = evaluation.summary.metrics.len() > 1;
    if many_metrics {
        html.push_str(
            "<p class=\"note\">Where several metrics found the same, the counts are those of the first named.</p>",
        );
    }
    let (open, closed) = rows.split_at(rows.len().min(OPEN_FIELDS));
    table(html, open, most, many_metrics);
    if !closed.is_empty() {
        let listed = &closed[..closed.len().min(MORE_FIELDS)];
        put!(html, "<details class=\"more\"><summary>{} more</summary>", thousands(closed.len() as u64));
        table(html, listed, most, many_metrics);
        if listed.len() < closed.len() {
            put!(html, "<p class=\"note\">and {} more</p>", thousands((closed.len() - listed.len()) as u64));
        }
        html.push_str("</details>");
    }
}

fn table(html: &mut String, rows: &[Row<'_>], most: u64, many_metrics: bool) {
    html.push_str(
        "<table class=\"fields\"><thead><tr><th scope=\"col\">Field</th><th scope=\"col\">Finding</th>\
         <th scope=\"col\" class=\"number\">Cases</th><th scope=\"col\" class=\"number\">Findings</th>",
    );
    if many_metrics {
        html.push_str("<th scope=\"col\">Metrics</th>");
    }
    html.push_str("<th scope=\"col\">For example</th></tr></thead><tbody>");
    for row in rows {
        table_row(html, row, most, many_metrics);
    }
    html.push_str("</tbody></table>");
}

fn table_row(html: &mut String, row: &Row<'_>, most: u64, many_metrics: bool) {
    let (metric, field) = row.most();
    let name = shown_field(&field.field);
    let finding = if field.code.is_empty() { &field.kind } else { &field.code };
    html.push_str("<tr><td data-name=\"Field\"><a class=\"filter\" href=\"#");
    if row.metrics.len() == 1 {
        put!(html, "metric={}&amp;", clean_fragment(metric));
    }
    put!(html, "code={}&amp;field={}\">", clean_fragment(finding), clean_fragment(&name));
    let class = if field.field.is_empty() { " class=\"root\"" } else { "" };
    put!(html, "<code{class}>{}</code></a></td><td data-name=\"Finding\">", escape(&name));
    if !field.code.is_empty() {
        put!(html, "<code>{}</code> ", content(&field.code));
    }
    put!(html, "{}</td>", content(&field.kind.replace('_', " ")));
    let width = share(field.cases, most) * 100.0;
    put!(
        html,
        "<td class=\"number\" data-name=\"Cases\">{}<svg class=\"share\" viewBox=\"0 0 100 3\" \
         preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"{width:.1}\" height=\"3\"/></svg></td>\
         <td class=\"number\" data-name=\"Findings\">{}</td>",
        thousands(field.cases),
        thousands(field.violations)
    );
    if many_metrics {
        let named: Vec<String> =
            row.metrics.iter().take(NAMED_METRICS).map(|(metric, _)| content(metric)).collect();
        put!(html, "<td data-name=\"Metrics\">{}", named.join(", "));
        if row.metrics.len() > NAMED_METRICS {
            put!(html, " and {} more", row.metrics.len() - NAMED_METRICS);
        }
        html.push_str("</td>");
    }
    put!(
        html,
        "<td data-name=\"For example\">{} <a class=\"filter quiet\" href=\"#row={}&amp;metric={}\">{}</a></td></tr>",
        content(&field.example.message),
        field.example.row,
        clean_fragment(metric),
        content(&field.example.id)
    );
}
