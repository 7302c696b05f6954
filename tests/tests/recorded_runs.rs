//! Runs over the recordings in `../shared/recordings`, as the files are.

use json_correctness::{
    Checks, Dataset, Evaluation, JsonEquality, JsonSchemaMatch, JsonValidity, evaluate, metric,
};
use json_correctness_tests::shared;
use serde_json::json;

fn run(file: &str, checks: Checks) -> Option<Evaluation> {
    let path = shared::path(&format!("recordings/{file}.jsonl"))?;
    Some(evaluate(Dataset::open(path).rows().expect("rows"), checks).expect("a run"))
}

fn counts(evaluation: &Evaluation) -> Vec<[u64; 4]> {
    let of = |summary: &json_correctness::MetricSummary| {
        [summary.passed, summary.failed, summary.errored, summary.skipped]
    };
    evaluation.summary.metrics.iter().map(of).collect()
}

#[test]
fn the_recordings_come_to_what_is_known_of_them() {
    let fenced = metric("json_validity", &json!({ "extract": "fenced" })).expect("a metric");
    let validity = Checks::new().with(JsonValidity::new()).named("fenced", fenced);
    let Some(rover) = run("rover_extraction", validity) else { return };
    assert_eq!(counts(&rover), [[392, 490, 0, 0], [701, 181, 0, 0]]);

    let checks = || Checks::new().with(JsonSchemaMatch::new()).with(JsonEquality::new());
    let nerre = run("nerre_extraction", checks()).expect("it is beside the other");
    assert_eq!(counts(&nerre), [[1_204, 15, 0, 0], [322, 897, 0, 0]]);

    let tau = run("taubench_tool_calls", checks()).expect("it is beside the others");
    assert_eq!(counts(&tau), [[657, 0, 0, 0], [55, 31, 0, 571]]);
}
