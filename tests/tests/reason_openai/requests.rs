//! What is sent, and where the set-up comes from.

use std::{
    collections::BTreeSet,
    env,
    process::Command,
    sync::{Arc, Mutex},
};

use json_correctness::{OpenAi, OpenAiBuilder, Prompt, ReasonRequest, Reasoner, TestCase};
use serde_json::json;

use crate::{
    KEY, case, check, hook, openai,
    server::{Script, Seen, Server, good},
};

/// What the server of this set-up sees.
fn seen(set_up: impl Fn(&Server) -> OpenAiBuilder) -> Seen {
    let server = Server::start(Script::Http(vec![good("So.")]));
    let openai = set_up(&server).build().expect("a set-up");
    let verdict = check().reason_hook(hook(openai)).judge(&case()).expect("a set-up");
    assert_eq!(verdict.reason(), Some("So."), "{verdict:?}");
    server.seen().remove(0)
}

#[test]
fn a_request_holds_the_prompt_and_what_was_set() {
    let plain = seen(openai);
    assert_eq!(plain.uri, "/v1/chat/completions");
    assert_eq!(plain.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(plain.header("content-type"), Some("application/json"));
    assert!(plain.header("user-agent").is_some_and(|agent| agent.starts_with("json-correctness/")));
    let members = plain.body.as_object().expect("an object");
    assert_eq!(members.keys().collect::<Vec<_>>(), ["messages", "model"]);
    assert_eq!(plain.body["model"], "test-model");
    let roles: Vec<_> =
        plain.body["messages"].as_array().expect("messages").iter().map(|m| &m["role"]).collect();
    assert_eq!(roles, ["system", "user"]);
    assert!(plain.body["messages"][1]["content"].as_str().is_some_and(|user| user.contains("JC0201")));
    assert!(!plain.body.to_string().contains(KEY));

    let set = seen(|server| openai(server).max_tokens(99).temperature(0.5));
    assert_eq!((&set.body["max_tokens"], &set.body["temperature"]), (&json!(99), &json!(0.5)));

    let slash = seen(|server| openai(server).base_url(format!(" {}/ ", server.url("http"))));
    assert_eq!(slash.uri, "/v1/chat/completions");

    let trimmed = seen(|server| openai(server).api_key(format!(" {KEY}\r\n")));
    assert_eq!(trimmed.header("authorization"), plain.header("authorization"));

    let bare = seen(|server| openai(server).api_key(""));
    assert_eq!(bare.header("authorization"), None);
}

#[test]
fn azure_has_its_own_addresses_and_headers() {
    let azure = seen(|server| {
        let base = format!("http://{}", server.address);
        openai(server).base_url(base).azure("my-gpt", "2024-10-21").max_tokens(99)
    });
    assert_eq!(azure.uri, "/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21");
    assert_eq!(azure.header("api-key"), Some(KEY));
    assert_eq!(azure.header("authorization"), None);
    assert_eq!(azure.body["max_completion_tokens"], 99);
    assert!(azure.body.get("max_tokens").is_none());
}

#[test]
fn a_set_up_that_cannot_work_is_refused_with_the_mend() {
    let local = || OpenAi::builder("m").base_url("http://localhost/v1").api_key("");
    for (builder, says) in [
        (OpenAi::builder(" "), "the model of the reasoner is empty: give one"),
        (local().base_url("localhost:11434"), "`base_url` is no URL of http or https: give one such as"),
        (local().base_url("ftp://localhost"), "is no URL of http"),
        (
            local().base_url("http://user:word@localhost"),
            "holds a user or a password; a key goes to `api_key`",
        ),
        (local().base_url("http://localhost/v1?api-version=1"), "holds a query"),
        (local().base_url("http://localhost/v1#x"), "holds a fragment"),
        (local().api_key("two\nlines"), "the key of `api_key` holds a character at byte 3"),
        (local().base_url("https://api.openai.com/v1"), "set OPENAI_API_KEY"),
        (local().base_url("https://API.openai.com:443/v1/"), "set OPENAI_API_KEY"),
        (local().temperature(-0.5), "the temperature -0.5 is outside [0, 2]"),
        (local().temperature(f32::NAN), "the temperature NaN is outside [0, 2]"),
        (local().azure("", "2024-10-21"), "the deployment of Azure"),
        (local().azure("..", "2024-10-21"), "the deployment of Azure"),
        (local().azure("a/b?c", "2024-10-21"), "the deployment of Azure"),
        (local().azure("gpt", ""), "the API version of Azure"),
        (local().base_url("https://api.openai.com/v1").azure("gpt", "1"), "the base URL of its resource"),
    ] {
        let error = builder.build().expect_err(says);
        assert!(error.is_option(), "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[test]
fn the_fingerprint_tells_apart_what_may_be_answered_apart() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&asked);
    let reasoner = move |request: ReasonRequest| {
        keep.lock().expect("no panic").push(request);
        "kept"
    };
    let check = check().reason_with(reasoner);
    for output in ["[2, 3.5]", "[2, null]"] {
        check.judge(&TestCase::new("Three primes?", output)).expect("a set-up");
    }
    let asked = asked.lock().expect("no panic");
    let base = || OpenAi::builder("m").base_url("http://localhost/v1").api_key(KEY);
    let azure = |version| base().azure("gpt", version);
    let builders = [
        base(),
        base().base_url("http://localhost/v2"),
        OpenAi::builder("n").base_url("http://localhost/v1"),
        base().temperature(0.0),
        base().temperature(0.5),
        base().max_tokens(5),
        base().prompt(Prompt::new().instructions("Be brief.")),
        azure("1"),
        azure("2"),
    ];
    let mut all = BTreeSet::new();
    let count = builders.len() * asked.len();
    for openai in builders.map(|builder| builder.build().expect("a set-up")) {
        for request in asked.iter() {
            let fingerprint = openai.fingerprint(request).expect("a fingerprint");
            assert_eq!(openai.clone().fingerprint(request).as_ref(), Some(&fingerprint));
            assert!(!fingerprint.contains(KEY));
            all.insert(fingerprint);
        }
    }
    assert_eq!(all.len(), count);
    // Who asks is no matter.
    let other = base().api_key("").build().expect("a set-up");
    assert!(all.contains(&other.fingerprint(&asked[0]).expect("a fingerprint")));
}

/// Says to a test that it is in a process of its own, whose environment is its own too.
const CHILD: &str = "REASON_OPENAI_CHILD";

/// What `environment` runs in processes of its own. It prints what came of it.
#[test]
fn child() {
    if env::var_os(CHILD).is_none() {
        return;
    }
    match OpenAi::builder("m").build() {
        Err(error) => println!("<{error}>"),
        Ok(openai) => {
            let verdict = check().reason_hook(hook(openai)).judge(&case()).expect("a set-up");
            println!("<{}>", verdict.reason_error().or(verdict.reason()).unwrap_or_default());
        }
    }
}

fn in_child(variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["--exact", "--nocapture", "requests::child"]).env(CHILD, "1");
    for name in ["OPENAI_BASE_URL", "OPENAI_API_KEY"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().expect("a process");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let found = text.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    found.unwrap_or_else(|| panic!("it said nothing: {text}")).0.to_owned()
}

#[test]
fn the_environment_says_what_the_builder_does_not() {
    let server = Server::start(Script::Http(vec![good("So.")]));
    let url = server.url("http");
    assert_eq!(in_child(&[("OPENAI_BASE_URL", &url), ("OPENAI_API_KEY", &format!("{KEY}\n"))]), "So.");
    assert_eq!(in_child(&[("OPENAI_BASE_URL", &url), ("HTTP_PROXY", "http://127.0.0.1:1")]), "So.");
    let authorizations: Vec<_> =
        server.seen().iter().map(|seen| seen.header("authorization").map(str::to_owned)).collect();
    assert_eq!(authorizations, [Some(format!("Bearer {KEY}")), None]);
    for (variables, says) in [
        (vec![], "there is no key for api.openai.com: set OPENAI_API_KEY"),
        (vec![("OPENAI_BASE_URL", ""), ("OPENAI_API_KEY", " ")], "there is no key for api.openai.com"),
        (vec![("OPENAI_BASE_URL", "localhost")], "the base URL of OPENAI_BASE_URL is no URL"),
        (
            vec![("OPENAI_BASE_URL", url.as_str()), ("OPENAI_API_KEY", "a b")],
            "the key of OPENAI_API_KEY holds",
        ),
    ] {
        let said = in_child(&variables);
        assert!(said.contains(says), "{said}");
    }
    assert_eq!(server.requests(), 2);
}

#[test]
fn a_certificate_that_the_machine_trusts_is_taken() {
    let server = Server::start(Script::Wire(crate::server::Wire::Certified));
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(&file, crate::tls::pem()).expect("a file");
    let path = file.path().to_str().expect("a path");
    let url = server.url("https");
    assert_eq!(in_child(&[("OPENAI_BASE_URL", &url), ("SSL_CERT_FILE", path)]), "By TLS.");
}
