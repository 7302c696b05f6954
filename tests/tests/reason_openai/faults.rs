//! Every fault of a server, and what becomes of it.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use json_correctness::{
    OpenAi, ReasonHook,
    ReasonSource::{self, Fallback, Hook},
    Verdict,
};
use serde_json::{Value, json};

use crate::{
    KEY, case, check, hook, openai,
    server::{Answer, Content, Script, Server, Wire, body, good, message, status},
    without_reason,
};

/// How a server behaves, and what is documented to become of it.
struct Case {
    name: &'static str,
    script: Script,
    scheme: &'static str,
    /// Whether each call is given up after a short time.
    hasty: bool,
    source: ReasonSource,
    /// In the reason of the hook, or in the error that made it fall back.
    says: &'static str,
    /// How many requests there are for one case, and for a second one with it.
    requests: (usize, usize),
    /// How many connections that the server would keep for ever are closed by then.
    closed: usize,
}

fn case_of(
    name: &'static str,
    script: Script,
    source: ReasonSource,
    says: &'static str,
    requests: (usize, usize),
) -> Case {
    Case { name, script, scheme: "http", hasty: false, source, says, requests, closed: 0 }
}

fn http(
    name: &'static str,
    answers: impl Into<Vec<Answer>>,
    source: ReasonSource,
    says: &'static str,
    requests: (usize, usize),
) -> Case {
    case_of(name, Script::Http(answers.into()), source, says, requests)
}

fn wire(name: &'static str, wire: Wire, says: &'static str, requests: (usize, usize)) -> Case {
    case_of(name, Script::Wire(wire), Fallback, says, requests)
}

impl Case {
    fn https(self) -> Self {
        Self { scheme: "https", ..self }
    }

    fn hasty(self) -> Self {
        Self { hasty: true, ..self }
    }

    fn closed(self, closed: usize) -> Self {
        Self { closed, ..self }
    }
}

fn error(status: u16, message: &str) -> Answer {
    self::status(status, json!({ "error": { "message": message, "type": "x", "code": "y" } }).to_string())
}

fn endless(status: u16) -> Answer {
    Answer { status, ..body(Content::Endless) }
}

/// Once for a case that is asked three times, twice for two of these.
const ALWAYS: (usize, usize) = (3, 6);
const ONCE_EACH: (usize, usize) = (1, 2);
const ONCE_FOR_ALL: (usize, usize) = (1, 1);

fn cases() -> Vec<Case> {
    let quota = json!({ "error": { "message": "You exceeded your quota", "code": "insufficient_quota" } });
    let refusal = json!({ "role": "assistant", "content": null, "refusal": "I would rather not." });
    let slow = "it gave no reason within 500ms";
    vec![
        http(
            "good",
            [good("The second item is no number.")],
            Hook,
            "The second item is no number.",
            ONCE_EACH,
        ),
        http(
            "good but bare",
            [status(200, r#"{"choices":[{"message":{"content":"So."}}]}"#)],
            Hook,
            "So.",
            ONCE_EACH,
        ),
        // Statuses.
        http(
            "400",
            [error(400, "context too long")],
            Fallback,
            "400 Bad Request: context too long",
            ONCE_EACH,
        ),
        http("401", [error(401, "who are you")], Fallback, "401 Unauthorized: who are you", ONCE_FOR_ALL),
        http("403", [error(403, "not you")], Fallback, "403 Forbidden: not you", ONCE_FOR_ALL),
        http(
            "404",
            [error(404, "no model")],
            Fallback,
            "404 Not Found: no model: is the base URL right",
            ONCE_FOR_ALL,
        ),
        http("408 then good", [status(408, ""), good("So.")], Hook, "So.", (2, 3)),
        http("409 then good", [status(409, ""), good("So.")], Hook, "So.", (2, 3)),
        http("429", [error(429, "slow down")], Fallback, "429 Too Many Requests: slow down", ALWAYS),
        http(
            "429 for want of money",
            [status(429, quota.to_string())],
            Fallback,
            "exceeded your quota",
            ONCE_FOR_ALL,
        ),
        http(
            "429 for an hour",
            [error(429, "come later").header("retry-after", "3600")],
            Fallback,
            "come later",
            ONCE_FOR_ALL,
        ),
        http("500 then good", [status(500, "oops"), good("So.")], Hook, "So.", (2, 3)),
        http("500", [status(500, "oops")], Fallback, "500 Internal Server Error: oops", ALWAYS),
        http(
            "503 with a page",
            [status(503, "<html>\u{1b}[2J")],
            Fallback,
            "503 Service Unavailable: <html>[2J",
            ALWAYS,
        ),
        http("401 without end", [endless(401)], Fallback, "401 Unauthorized", ONCE_FOR_ALL).closed(1),
        http("500 without end", [endless(500)], Fallback, "500 Internal Server Error", ALWAYS).closed(6),
        http(
            "401 that drips",
            [Answer { status: 401, ..body(Content::Drip) }],
            Fallback,
            "401 Unauthorized",
            ONCE_FOR_ALL,
        )
        .closed(1),
        // Answers.
        http(
            "no JSON",
            [status(200, "Sure! It failed because")],
            Fallback,
            "is no completion: expected value",
            ONCE_EACH,
        ),
        http("nothing", [status(200, "")], Fallback, "is no completion: EOF", ONCE_EACH),
        http("204", [status(204, "")], Fallback, "is no completion: EOF", ONCE_EACH),
        http(
            "cut JSON",
            [status(200, r#"{"choices": [{"message": {"content": "Th"#)],
            Fallback,
            "is no completion: EOF",
            ONCE_EACH,
        ),
        http(
            "other JSON",
            [status(200, r#"{"choices": 7}"#)],
            Fallback,
            "is no completion: invalid type",
            ONCE_EACH,
        ),
        http("deep JSON", [status(200, "[".repeat(50_000))], Fallback, "is no completion", ONCE_EACH),
        http("no choice", [status(200, r#"{"choices": []}"#)], Fallback, "holds no choice", ONCE_EACH),
        http(
            "an error as 200",
            [status(200, r#"{"error": {"message": "upstream"}}"#)],
            Fallback,
            "holds no choice: upstream",
            ONCE_EACH,
        ),
        http("empty content", [good("")], Fallback, "the model's answer is empty", ONCE_EACH),
        http("blank content", [good(" \n\t")], Fallback, "the model's answer is empty", ONCE_EACH),
        http(
            "null content",
            [message(json!({ "content": null }))],
            Fallback,
            "the model's answer is empty",
            ONCE_EACH,
        ),
        http("refusal", [message(refusal)], Fallback, "the model refused: I would rather not.", ONCE_EACH),
        http("long body", [body(Content::Long)], Fallback, "longer than 64 KiB", ONCE_EACH),
        http("endless body", [body(Content::Endless)], Fallback, "longer than 64 KiB", ONCE_EACH).closed(2),
        http("slow drip", [body(Content::Drip)], Fallback, slow, ALWAYS).hasty().closed(6),
        // Connections.
        case_of("nobody", Script::Nobody, Fallback, "the server cannot be reached: ", (0, 0)),
        wire("silence", Wire::Silence, slow, ALWAYS).hasty().closed(6),
        wire("closed at once", Wire::CloseAtOnce, "the connection broke: ", ALWAYS),
        wire("closed", Wire::Close, "the connection broke: ", ALWAYS),
        wire("reset", Wire::Reset, "the connection broke: ", ALWAYS),
        wire("no HTTP", Wire::Send(b"SSH-2.0-OpenSSH_9.6\r\n"), "the connection broke: ", ALWAYS),
        wire("cut head", Wire::Send(b"HTTP/1.1 200 OK\r\ncontent-le"), "the connection broke: ", ALWAYS),
        wire(
            "cut body",
            Wire::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{\"cho"),
            "the connection broke: ",
            ALWAYS,
        ),
        wire(
            "cut chunk",
            Wire::Send(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{\"cho"),
            "the connection broke: ",
            ALWAYS,
        ),
        wire(
            "401 with a cut body",
            Wire::Send(b"HTTP/1.1 401 No\r\ncontent-length: 999\r\n\r\n{\"err"),
            "401 Unauthorized",
            ONCE_FOR_ALL,
        ),
        wire(
            "endless head",
            Wire::Repeat(b"HTTP/1.1 200 OK\r\n", b"x-more: and more\r\n"),
            "the connection broke: ",
            ALWAYS,
        )
        .closed(6),
        wire("endless status", Wire::Repeat(b"HTTP/1.1 200 ", b"OK"), "the connection broke: ", ALWAYS)
            .closed(6),
        wire("endless informing", Wire::Trickle(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), slow, ALWAYS)
            .hasty()
            .closed(6),
        // TLS.
        wire(
            "https to a plain port",
            Wire::SendToAnything(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
            "no TLS connection: ",
            ONCE_FOR_ALL,
        )
        .https(),
        wire(
            "an alert",
            Wire::SendToAnything(b"\x15\x03\x03\0\x02\x02\x28"),
            "no TLS connection: received fatal alert",
            ONCE_FOR_ALL,
        )
        .https(),
        wire(
            "an unknown certificate",
            Wire::UnknownCertificate,
            "no TLS connection: invalid peer certificate",
            ONCE_FOR_ALL,
        )
        .https(),
        wire("TLS that is closed at once", Wire::CloseAtOnce, "the server cannot be reached: ", ALWAYS)
            .https(),
        wire("TLS that is silent", Wire::Silence, slow, (0, 0)).https().hasty(),
    ]
}

#[test]
fn whatever_a_server_does_the_verdict_stands_and_has_a_reason() {
    let plain = check().judge(&case()).expect("a set-up");
    let (hasty, patient): (Vec<_>, Vec<_>) = cases().into_iter().partition(|case| case.hasty);
    patient.into_iter().for_each(|case| hold(case, &plain));
    let _alone = alone();
    thread::scope(|scope| {
        for case in hasty {
            scope.spawn(|| hold(case, &plain));
        }
    });
}

/// Held by those who give up soon, and by those who keep the client's thread busy.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What holds of every case. `plain` is the verdict without a hook.
fn hold(behaviour: Case, plain: &Verdict) {
    let Case { name, script, scheme, hasty, source, says, requests, closed } = behaviour;
    let server = Server::start(script);
    let openai = openai(&server).base_url(server.url(scheme)).build().expect("a set-up");
    let hook = if hasty { hook(openai).timeout(Duration::from_millis(500)) } else { hook(openai) };
    let check = check().reason_hook(hook);

    let verdict = check.judge(&case()).expect("a set-up");
    assert_eq!(server.requests(), requests.0, "{name}: {verdict:?}");
    assert_eq!(verdict.reason_source(), Some(source), "{name}: {verdict:?}");
    let told = if source == Hook {
        assert_eq!(verdict.reason_error(), None, "{name}");
        verdict.reason()
    } else {
        assert_eq!(verdict.reason(), plain.reason(), "{name}");
        verdict.reason_error()
    };
    let told = told.expect("a reason, or why there is none");
    assert!(told.contains(says), "{name}: {told}");
    assert!(!told.contains(char::is_control), "{name}: {told:?}");
    assert!(told.len() < 400, "{name}: {told}");

    let again = check.judge(&case()).expect("a set-up");
    assert_eq!(server.requests(), requests.1, "{name}, the second time: {again:?}");
    for verdict in [&verdict, &again] {
        assert_eq!(without_reason(verdict), without_reason(plain), "{name}");
        assert!(verdict.reason().is_some_and(|reason| !reason.is_empty()), "{name}");
        assert!(!format!("{verdict:?}{verdict}").contains(KEY), "{name}: {verdict:?}");
    }
    assert!(server.wait_closed(closed), "{name}: a connection is kept");
}

/// Judges once, where the server wants to be left alone for a second.
fn judged_after(name: &'static str, value: impl Into<String>) -> Server {
    let server = Server::start(Script::Http(vec![error(429, "slow").header(name, value), good("So.")]));
    let check = check().reason_hook(hook(openai(&server).build().expect("a set-up")));
    let verdict = check.judge(&case()).expect("a set-up");
    assert_eq!(verdict.reason(), Some("So."), "{verdict:?}");
    server
}

#[test]
fn a_server_is_left_alone_for_as_long_as_it_asks() {
    for (name, value) in [("retry-after", "1"), ("retry-after-ms", "1000")] {
        let seen = judged_after(name, value).seen();
        assert_eq!(seen.len(), 2);
        assert!(seen[1].at - seen[0].at >= Duration::from_secs(1), "{name}");
    }
}

#[test]
fn redirections_are_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let other = Server::start(Script::Http(vec![good("So.")]));
        let to = format!("{}/chat/completions?key={KEY}", other.url("http"));
        let server = Server::start(Script::Http(vec![self::status(status, "").header("location", to)]));
        let check = check().reason_hook(hook(openai(&server).build().expect("a set-up")));
        for requests in [1, 1] {
            let verdict = check.judge(&case()).expect("a set-up");
            assert_eq!((server.requests(), other.requests()), (requests, 0));
            let error = verdict.reason_error().expect("an error");
            assert!(
                error.contains("it redirects to http://127.0.0.1, where the key must not follow"),
                "{error}"
            );
            assert!(!error.contains(KEY));
        }
    }
}

#[test]
fn a_broken_prompt_harms_only_its_reason() {
    let server = Server::start(Script::Http(vec![good("So.")]));
    let prompt = json_correctness::Prompt::new().written_by(|_| panic!("no words"));
    let broken = openai(&server).prompt(prompt).build().expect("a set-up");
    let verdict = check().reason_hook(hook(broken)).judge(&case()).expect("a set-up");
    assert_eq!(verdict.reason_error(), Some("it panicked: no words"));
    assert_eq!(server.requests(), 0);

    let prompt = json_correctness::Prompt::new().written_by(|_| {
        loop {
            std::thread::park();
        }
    });
    let blocked = openai(&server).prompt(prompt).build().expect("a set-up");
    let hook_of = |openai: OpenAi| ReasonHook::new(openai).attempts(1).timeout(Duration::from_millis(100));
    let verdict = check().reason_hook(hook_of(blocked)).judge(&case()).expect("a set-up");
    assert_eq!(verdict.reason_error(), Some("it gave no reason within 100ms"));
    // The others go on.
    let verdict = check().reason_hook(hook(openai(&server).build().expect("a set-up"))).judge(&case());
    assert_eq!(verdict.expect("a set-up").reason(), Some("So."));
}

/// Such a flood keeps the client's thread busy for as long as it takes to parse what has come, so there is no
/// saying how many of the attempts are made in time. It ends all the same.
#[test]
fn a_flood_of_heads_ends() {
    let _alone = alone();
    let server = Server::start(Script::Wire(Wire::Repeat(b"", b"HTTP/1.1 100 Continue\r\n\r\n")));
    let hook =
        hook(openai(&server).build().expect("a set-up")).timeout(Duration::from_millis(50)).attempts(1);
    let verdict = check().reason_hook(hook).judge(&case()).expect("a set-up");
    assert_eq!(verdict.reason_error(), Some("it gave no reason within 50ms"));
    assert!(server.wait_closed(1), "the connection is kept");
}

#[test]
fn the_whole_answer_is_quoted_in_part_only() {
    let long = "x".repeat(100_000);
    for answer in [
        error(400, &long),
        status(400, long.clone()),
        message(json!({ "refusal": long })),
        status(200, json!({ "choices": [], "error": long }).to_string()),
        status(200, Value::from("y".repeat(60_000)).to_string()),
    ] {
        let server = Server::start(Script::Http(vec![answer]));
        let check = check().reason_hook(hook(openai(&server).build().expect("a set-up")));
        let verdict = check.judge(&case()).expect("a set-up");
        assert!(verdict.reason_error().is_some_and(|error| error.len() < 300), "{verdict:?}");
    }
}
