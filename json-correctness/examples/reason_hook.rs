//! Lets a model word why outputs failed. Offline: the model is a small server of this example's own, which
//! speaks OpenAI's chat completions as Ollama, vLLM or a gateway would.
//!
//! `cargo run -p json-correctness --features evaluate,openai --example reason_hook`

use std::{
    error::Error,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::Duration,
};

use json_correctness::{
    Checks, Dataset, Evaluation, ExpectedSchema, JsonCorrectness, OpenAi, ReasonHook, ReasonRequest,
    ReasonSource, TestCase, evaluate,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// A support ticket as the model must return it.
#[derive(Deserialize, ExpectedSchema)]
#[expect(dead_code, reason = "only judged, never read")]
struct Ticket {
    customer_name: String,
    #[expected(format = "email")]
    customer_email: String,
    priority: Priority,
    #[expected(range(min = 0.0, max = 1.0))]
    confidence: Option<f64>,
}

#[derive(Deserialize, ExpectedSchema)]
enum Priority {
    High,
    Medium,
    Low,
}

fn main() -> Result<(), Box<dyn Error>> {
    // Any closure is a hook, here of one check by itself. An `async move` block would do as well.
    let codes = |request: ReasonRequest| {
        request.violations.iter().map(|found| found.code).collect::<Vec<_>>().join(", ")
    };
    let check = JsonCorrectness::<Ticket>::new().reason_with(codes);
    let verdict = check.judge(&TestCase::new("Who is it?", r#"{"name": "Alex", "priority": 1}"#))?;
    println!("by a closure: {}\n", verdict.reason().unwrap_or_default());

    // A model words the reasons of a run. Of yours, give name and address; a key comes from OPENAI_API_KEY.
    let address = start_server()?;
    let model = OpenAi::builder("offline").base_url(format!("http://{address}/v1")).api_key("").build()?;
    let hook = ReasonHook::new(model).timeout(Duration::from_secs(5)).backoff(Duration::from_millis(20));
    let dataset = Dataset::open(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/tickets.jsonl"));
    let check = JsonCorrectness::<Ticket>::new().reason_hook(hook);
    let evaluation = evaluate(dataset.rows()?, Checks::new().with(check))?;
    show(&evaluation);
    println!("\n{} requests, with those that the model was too busy for", REQUESTS.load(Ordering::Relaxed));
    Ok(())
}

fn show(evaluation: &Evaluation) {
    print!("{}", evaluation.to_table(false, None));
    for result in evaluation.results.iter().filter(|result| result.reason.is_some()) {
        let by = match result.reason_source {
            Some(ReasonSource::Hook) => "the model".to_owned(),
            Some(ReasonSource::Fallback) => {
                format!("the library, since {}", result.reason_error.as_deref().unwrap_or_default())
            }
            _ => "the library".to_owned(),
        };
        println!("\n{}, by {by}:\n  {}", result.id, result.reason.as_deref().unwrap_or_default());
    }
}

/// How many requests the server had.
static REQUESTS: AtomicU32 = AtomicU32::new(0);

/// Starts the server that plays the model. Every third request it is too busy, and is asked again; about
/// an output that is cut off it has nothing to say, so that the library's own reason stands.
fn start_server() -> Result<std::net::SocketAddr, std::io::Error> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            thread::spawn(move || answer(connection, REQUESTS.fetch_add(1, Ordering::Relaxed)));
        }
    });
    Ok(address)
}

fn answer(mut connection: TcpStream, number: u32) -> Result<(), Box<dyn Error + Send + Sync>> {
    let request = read_request(&connection)?;
    let (status, body) = if number % 3 == 2 {
        ("503 Service Unavailable", json!({ "error": { "message": "too busy" } }))
    } else {
        // What the library tells the model is a JSON object too.
        let told: Value =
            serde_json::from_str(request["messages"][1]["content"].as_str().unwrap_or_default())?;
        let first = &told["findings"][0];
        let reason = match first["code"].as_str() {
            Some("JC0016") => String::new(),
            _ => format!("I would say that {}.", first["message"].as_str().unwrap_or("nothing is wrong")),
        };
        ("200 OK", json!({ "choices": [{ "message": { "role": "assistant", "content": reason } }] }))
    };
    let body = body.to_string();
    let length = body.len();
    write!(
        connection,
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )?;
    Ok(())
}

/// The JSON body of a request.
fn read_request(connection: &TcpStream) -> Result<Value, Box<dyn Error + Send + Sync>> {
    let mut reader = BufReader::new(connection);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line)? > 2 {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(serde_json::from_slice(&body)?)
}
