//! The key is seen by nobody but the server.

use std::{
    collections::BTreeSet,
    io,
    sync::{Arc, LazyLock, Mutex},
};

use json_correctness::OpenAi;
use serde_json::json;
use tracing_subscriber::{fmt::MakeWriter, util::SubscriberInitExt};

use crate::{
    KEY, case, check, hook, openai,
    server::{Answer, Script, Server, good, message, status},
};

/// What is logged by all crates at every level: what of it holds the key, and which of [`LOGGED`] it holds.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<(Vec<String>, BTreeSet<&'static str>)>>);

/// What the log would hold in any case: the hook's own, and that of the crates below.
const LOGGED: [&str; 3] = ["the reason hook failed", "hyper_util", "TRACE"];

impl io::Write for Log {
    /// One event.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let mut log = self.0.lock().expect("no panic");
        log.1.extend(LOGGED.iter().filter(|logged| text.contains(*logged)));
        if text.contains(KEY) {
            log.0.push(text.into_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let fmt = tracing_subscriber::fmt().with_max_level(tracing_subscriber::filter::LevelFilter::TRACE);
    fmt.with_ansi(false).with_writer(log.clone()).finish().init();
    log
});

/// From now on all that is logged is kept.
pub(crate) fn listen() {
    LazyLock::force(&LOG);
}

/// Servers that say the key back, wherever they can.
fn echoes() -> Vec<Answer> {
    let split = format!("{}\u{0}{}", &KEY[..9], &KEY[9..]);
    vec![
        status(401, json!({ "error": { "message": format!("unknown: {KEY}") } }).to_string()),
        status(400, format!("Bearer {KEY}")),
        status(400, format!("{} Bearer {KEY}", "x".repeat(180))),
        status(500, format!("\u{1b}{KEY}\u{1b}{split}")),
        status(500, json!({ "error": { "message": "no", "code": KEY, "type": KEY } }).to_string()),
        status(302, "").header("location", format!("https://{KEY}/")),
        status(302, "").header("location", format!("https://{KEY}@host/")),
        status(429, KEY).header("retry-after", KEY).header("x-echo", KEY),
        status(200, KEY),
        status(200, json!({ "choices": KEY }).to_string()),
        status(200, json!({ "choices": [], "error": KEY }).to_string()),
        status(200, json!(KEY).to_string()),
        message(json!({ "refusal": KEY })),
        good(KEY),
        good(&format!("The header was Bearer {KEY}, I was told.")),
    ]
}

#[test]
fn a_key_that_the_server_repeats_is_struck_out() {
    for (number, answer) in echoes().into_iter().enumerate() {
        let server = Server::start(Script::Http(vec![answer]));
        let openai = openai(&server).build().expect("a set-up");
        let shown = format!("{openai:?} {openai:#?}");
        let hook = hook(openai);
        let check = check().reason_hook(hook.clone());
        let verdict = check.judge(&case()).expect("a set-up");
        let all = format!("{shown} {hook:?} {check:?} {verdict:?} {verdict} {}", verdict.report(true));
        assert!(!all.contains(KEY), "{number}: {all}");
        for half in [&KEY[..9], &KEY[KEY.len() - 9..]] {
            assert!(!all.contains(half), "{number}: {half}: {all}");
        }
        assert_eq!(server.seen()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    }
    let log = LOG.0.lock().expect("no panic");
    assert_eq!(log.1, BTreeSet::from(LOGGED));
    assert!(log.0.is_empty(), "{:?}", log.0);
}

#[test]
fn builders_and_faults_of_the_set_up_do_not_show_the_key() {
    let builder = OpenAi::builder("m").api_key(KEY).base_url(format!("http://{KEY}@host"));
    assert!(!format!("{builder:?}").contains(KEY));
    let error = builder.build().expect_err("a password in the URL");
    assert!(error.is_option() && !error.to_string().contains(KEY), "{error}");
    let error = OpenAi::builder("m").api_key(format!("{KEY}\u{7f}")).base_url("http://host").build();
    let error = error.expect_err("a key that is none");
    assert!(error.is_option() && !format!("{error} {error:?}").contains(KEY), "{error}");
}
