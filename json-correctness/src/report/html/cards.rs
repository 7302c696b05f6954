//! A card for each metric: how many passed, and how the scores are distributed.

use std::fmt::Write as _;

use super::{
    numbers::{percent, score, share, thousands},
    text::{clean_fragment, content},
};
use crate::{
    evaluate::{Evaluation, MetricSummary, RepeatSummary, RunCheck, Scores},
    report::reasoned,
};

/// A card for each metric.
pub(super) fn metrics(html: &mut String, evaluation: &Evaluation) {
    for metric in &evaluation.summary.metrics {
        let check = evaluation.run.checks.iter().find(|check| check.metric == metric.metric);
        card(html, metric, check);
    }
    if evaluation.summary.metrics.is_empty() {
        html.push_str("<p class=\"note\">No check ran.</p>");
    }
}

fn card(html: &mut String, metric: &MetricSummary, check: Option<&RunCheck>) {
    let lower = check.is_some_and(|check| check.lower_is_better);
    let strict = check.is_some_and(|check| check.strict_mode);
    put!(html, "<article class=\"card\"><h3>{}</h3>", content(&metric.metric));
    put!(
        html,
        "<p class=\"quiet\">threshold {}{}{}</p>",
        metric.threshold,
        if lower { ", lower is better" } else { "" },
        if strict { ", strict" } else { "" }
    );
    html.push_str("<p class=\"rate\">");
    match metric.pass_rate {
        Some(rate) => {
            put!(html, "<strong>{}</strong> <span>passed", percent(rate));
            if let Some((low, high)) = metric.interval {
                put!(html, "<br>95% interval {} to {}", percent(low), percent(high));
            }
        }
        None => html.push_str("<strong>–</strong> <span>nothing was judged"),
    }
    html.push_str("</span></p>");
    outcomes(html, metric);
    if let Some(scores) = &metric.scores {
        distribution(html, scores, metric.threshold);
    }
    if let Some(repeats) = &metric.repeats {
        samples(html, repeats);
    }
    if let Some(reasons) = &metric.reasons {
        put!(html, "<p class=\"quiet reasons\">{}</p>", content(&reasoned::summary(reasons, str::to_owned)));
    }
    if let Some(options) = check.map(|check| &check.options).filter(|options| !options.is_null()) {
        let options = serde_json::to_string_pretty(options).unwrap_or_default();
        put!(html, "<details><summary>Options</summary><pre>{}</pre></details>", content(&options));
    }
    html.push_str("</article>\n");
}

/// How many results a metric has.
pub(super) fn total(metric: &MetricSummary) -> u64 {
    [metric.passed, metric.failed, metric.errored, metric.skipped].iter().fold(0, |a, b| a.saturating_add(*b))
}

/// How often each outcome, as a bar and as links into the table.
fn outcomes(html: &mut String, metric: &MetricSummary) {
    let counts = [
        ("passed", metric.passed),
        ("failed", metric.failed),
        ("errored", metric.errored),
        ("skipped", metric.skipped),
    ];
    let all = total(metric).max(1);
    html.push_str(
        "<svg class=\"bar\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
    );
    let mut x = 0.0;
    for (name, count) in counts {
        let width = share(count, all) * 100.0;
        if count > 0 {
            put!(html, "<rect class=\"{name}\" x=\"{x:.3}\" y=\"0\" width=\"{width:.3}\" height=\"4\"/>");
        }
        x += width;
    }
    html.push_str("</svg><ul class=\"outcomes\">");
    for (name, count) in counts {
        put!(
            html,
            "<li class=\"{}\"><a class=\"filter\" href=\"#outcome={name}&amp;metric={}\">\
             <i class=\"{name}\"></i>{} {name}</a></li>",
            if count == 0 { "none" } else { "some" },
            clean_fragment(&metric.metric),
            thousands(count)
        );
    }
    html.push_str("</ul>");
}

/// The histogram and the quantiles of the scores.
fn distribution(html: &mut String, scores: &Scores, threshold: f64) {
    const WIDTH: f64 = 300.0;
    const HEIGHT: f64 = 64.0;
    let bars = scores.histogram.len().clamp(1, 100);
    let highest = scores.histogram.iter().copied().max().unwrap_or_default().max(1);
    let count = thousands(scores.count);
    put!(
        html,
        "<figure><svg class=\"histogram\" viewBox=\"0 0 300 66\" role=\"img\" \
         aria-label=\"Histogram of {count} scores from 0 to 1\">"
    );
    #[expect(clippy::cast_precision_loss, reason = "at most a hundred")]
    let step = 1.0 / bars as f64;
    let mut low = 0.0;
    for count in scores.histogram.iter().take(bars) {
        let high = low + step;
        // A bar that is there is seen.
        let height = if *count == 0 { 0.0 } else { (share(*count, highest) * HEIGHT).max(2.0) };
        put!(
            html,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{low:.2} to {high:.2}: \
             {}</title></rect>",
            low * WIDTH + 1.0,
            HEIGHT - height,
            step * WIDTH - 2.0,
            thousands(*count)
        );
        low = high;
    }
    let at = (threshold * WIDTH).clamp(1.0, WIDTH - 1.0);
    put!(
        html,
        "<path class=\"base\" d=\"M0 65H300\"/><path class=\"threshold\" d=\"M{at:.1} 0V65\"><title>threshold \
         {threshold}</title></path></svg>"
    );
    html.push_str(
        "<figcaption><span>0</span><span>score (dashed: threshold)</span><span>1</span></figcaption></figure>",
    );
    html.push_str(
        "<table class=\"quantiles\"><caption class=\"unseen\">Quantiles of the scores</caption><tr>",
    );
    let columns = [
        ("min", scores.min),
        ("5%", scores.p05),
        ("25%", scores.p25),
        ("50%", scores.p50),
        ("75%", scores.p75),
        ("95%", scores.p95),
        ("max", scores.max),
        ("mean", scores.mean),
    ];
    for (name, _) in columns {
        put!(html, "<th scope=\"col\">{name}</th>");
    }
    html.push_str("</tr><tr>");
    for (_, value) in columns {
        put!(html, "<td>{}</td>", score(value));
    }
    html.push_str("</tr></table>");
}

/// What several samples of each case come to.
fn samples(html: &mut String, repeats: &RepeatSummary) {
    put!(
        html,
        "<h4>Samples</h4><p class=\"quiet\">{} cases, {} of them flaky</p>",
        thousands(repeats.cases),
        thousands(repeats.flaky)
    );
    if let Some(gate) = &repeats.gate {
        put!(
            html,
            "<p class=\"quiet\">Where {} of {} samples have to pass: {} cases passed, {} failed, {} errored</p>",
            gate.required,
            gate.of,
            thousands(gate.passed),
            thousands(gate.failed),
            thousands(gate.errored)
        );
    }
    if !repeats.at.is_empty() {
        html.push_str(
            "<table class=\"samples\"><tr><th scope=\"col\">k</th><th scope=\"col\">pass@k</th>\
             <th scope=\"col\">pass^k</th><th scope=\"col\">cases</th></tr>",
        );
        for at in &repeats.at {
            let rate = |rate: Option<f64>| rate.map_or_else(|| "–".to_owned(), percent);
            let (any, every, cases) = (rate(at.pass_at), rate(at.pass_all), thousands(at.cases));
            put!(html, "<tr><td>{}</td><td>{any}</td><td>{every}</td><td>{cases}</td></tr>", at.k);
        }
        html.push_str("</table>");
    }
}
