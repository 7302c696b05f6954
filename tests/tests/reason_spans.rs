//! The spans of a run: its cases, their metrics, and the calls of the hook within the case that they are for.

use std::{
    collections::HashMap,
    fmt::Debug,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_timer::Delay;
use json_correctness::{
    Checks, Evaluator, JsonEquality, JsonValidity, ReasonError, ReasonHook, ReasonRequest, TestCase,
};
use tracing::{
    Subscriber,
    field::{Field, Visit},
    span,
};
use tracing_subscriber::{Layer, layer::Context, layer::SubscriberExt, registry::LookupSpan};

/// What stands in a span, its name before.
type Told = Arc<Mutex<Vec<String>>>;

/// Writes each span that opens with those that it stands in, and each event.
struct Spans(Told);

#[derive(Default)]
struct Fields(Vec<String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push(format!("{field}={value:?}"));
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Spans {
    fn on_new_span(&self, attributes: &span::Attributes<'_>, id: &span::Id, context: Context<'_, S>) {
        if !attributes.metadata().target().starts_with("json_correctness") {
            return;
        }
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let scope = context.span_scope(id).expect("it is known").from_root();
        let path: Vec<&str> = scope.map(|span| span.name()).collect();
        self.0.lock().expect("not poisoned").push(format!("{} {}", path.join(">"), fields.0.join(" ")));
    }

    fn on_event(&self, event: &tracing::Event<'_>, context: Context<'_, S>) {
        if !event.metadata().target().starts_with("json_correctness") {
            return;
        }
        let mut fields = Fields::default();
        event.record(&mut fields);
        let scope = context.event_scope(event).into_iter().flat_map(|scope| scope.from_root());
        let path: Vec<&str> = scope.map(|span| span.name()).collect();
        let told = format!("{} {} {}", event.metadata().level(), path.join(">"), fields.0.join(" "));
        self.0.lock().expect("not poisoned").push(told);
    }
}

#[test]
fn a_run_tells_its_cases_metrics_and_calls() {
    let told = Told::default();
    let subscriber = tracing_subscriber::registry().with(Spans(Arc::clone(&told)));
    // One for the process, since the spans are opened on several threads.
    tracing::subscriber::set_global_default(subscriber).expect("the only one");

    for is_async in [false, true] {
        let calls = Mutex::new(HashMap::<String, u32>::new());
        let hook = ReasonHook::new(move |request: ReasonRequest| {
            let id = request.case.id.clone().unwrap_or_default();
            let call =
                *calls.lock().expect("not poisoned").entry(id.clone()).and_modify(|n| *n += 1).or_insert(1);
            async move {
                Delay::new(Duration::from_millis(5)).await;
                match (id.as_str(), call) {
                    ("two", 1) => Err(ReasonError::new("busy").transient()),
                    ("three", _) => Err(ReasonError::new("\u{1b}[2J no")),
                    _ => Ok("so it is"),
                }
            }
        });
        let checks = Checks::new()
            .with(JsonValidity::new().reason_hook(hook.backoff(Duration::from_millis(1))))
            .with(JsonEquality::new());
        let cases = ["[1]", "[2", "[3"].into_iter().zip(["one", "two", "three"]);
        let cases: Vec<TestCase> =
            cases.map(|(output, id)| TestCase::new("", output).id(id).expected_output("[1]")).collect();
        let evaluator = Evaluator::new(checks);
        told.lock().expect("not poisoned").clear();
        if is_async {
            futures_executor::block_on(evaluator.run_async(cases)).expect("set up");
        } else {
            evaluator.run(cases).expect("set up");
        }
        let mut told: Vec<String> = told.lock().expect("not poisoned").clone();
        told.sort();
        let expected = [
            "DEBUG evaluate>case message=the reason hook is asked again metric=\"json_validity\" id=\"two\" error=\"busy\"",
            "WARN evaluate>case message=the reason hook failed metric=\"json_validity\" id=\"three\" error=\"\\u{1b}[2J no\"",
            "evaluate checks=2",
            "evaluate>case id=\"one\" row=1",
            "evaluate>case id=\"one\" row=1",
            "evaluate>case id=\"three\" row=3",
            "evaluate>case id=\"three\" row=3",
            "evaluate>case id=\"two\" row=2",
            "evaluate>case id=\"two\" row=2",
            "evaluate>case>metric metric=\"json_equality\" id=\"one\"",
            "evaluate>case>metric metric=\"json_equality\" id=\"three\"",
            "evaluate>case>metric metric=\"json_equality\" id=\"two\"",
            "evaluate>case>metric metric=\"json_validity\" id=\"one\"",
            "evaluate>case>metric metric=\"json_validity\" id=\"three\"",
            "evaluate>case>metric metric=\"json_validity\" id=\"two\"",
            "evaluate>case>reason metric=\"json_validity\" id=\"three\" attempt=1",
            "evaluate>case>reason metric=\"json_validity\" id=\"two\" attempt=1",
            "evaluate>case>reason metric=\"json_validity\" id=\"two\" attempt=2",
        ];
        assert_eq!(told, expected, "{is_async}");
    }
    // A check by itself, too.
    told.lock().expect("not poisoned").clear();
    let hook = ReasonHook::new(|_: ReasonRequest| "so it is");
    JsonValidity::new().reason_hook(hook).judge(&TestCase::new("", "[").id("four")).expect("set up");
    let told = told.lock().expect("not poisoned").clone();
    assert_eq!(
        told,
        [
            r#"metric metric="json_validity" id="four""#,
            r#"reason metric="json_validity" id="four" attempt=1"#
        ]
    );
}
