//! What reasons by a slow server cost a run, and what a closure costs.
//!
//! `cargo bench -p json-correctness-tests --bench reasons`. The server answers after 50 ms; it is a process of
//! its own, so that its memory is not counted.

use std::{
    env,
    io::{self, BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use json_correctness::{Checks, Evaluator, JsonValidity, OpenAi, ReasonHook, ReasonRequest, TestCase};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const LATENCY: Duration = Duration::from_millis(50);
const CONCURRENCY: usize = 20;
/// The argument by which this program is the server.
const SERVE: &str = "--serve";

fn main() {
    if env::args().any(|argument| argument == SERVE) {
        return serve();
    }
    // `cargo test --benches` only looks whether it runs.
    let cases = if env::args().any(|argument| argument == "--bench") { 1_000 } else { 40 };
    // Ends when it is dropped: the server reads its standard input to the end.
    let (_server, address) = start_server();
    let openai = || {
        let openai = OpenAi::builder("m").base_url(format!("http://{address}/v1")).api_key("");
        ReasonHook::new(openai.build().expect("set up")).concurrency(CONCURRENCY)
    };
    let ideal = LATENCY.as_secs_f64() * cases as f64 / CONCURRENCY as f64;
    println!(
        "{cases} failing cases, a server of {LATENCY:?}, {CONCURRENCY} calls at a time: ideally {ideal:.2} s"
    );
    let tell =
        |name: &str, seconds: f64| println!("{name:44} {seconds:8.3} s   {:.2} × ideal", seconds / ideal);
    tell("evaluate", time(|| run(openai(), cases, Via::Thread)));
    tell("evaluate_async, tokio", time(|| run(openai(), cases, Via::Tokio)));
    tell("evaluate_async, smol", time(|| run(openai(), cases, Via::Smol)));

    // Some thousand cases may wait; from there on there is nothing to grow.
    println!("\npeak memory above what stood before, by the same server, results not kept");
    for number in [cases, 4 * cases, 10 * cases] {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        run(openai(), number, Via::Thread);
        let peak = MEMORY.peak_usage().saturating_sub(before);
        println!("{number:>8} failing cases {:44} KiB", peak >> 10);
    }

    let number = 20 * cases;
    println!("\n{number} failing cases");
    let per_case = |seconds: f64| seconds * 1e6 / number as f64;
    let evaluate =
        |hook: Option<ReasonHook>, via: Via| per_case(time(|| evaluate(hook.clone(), number, via)));
    println!("{:44} {:8.1} µs a case", "without a hook", evaluate(None, Via::Thread));
    let closure = || ReasonHook::new(|_: ReasonRequest| "so it is");
    println!("{:44} {:8.1} µs a case", "a closure, evaluate", evaluate(Some(closure()), Via::Thread));
    let future = || ReasonHook::new(|_: ReasonRequest| async { "so it is" });
    println!("{:44} {:8.1} µs a case", "a future, evaluate_async", evaluate(Some(future()), Via::Smol));
}

#[derive(Clone, Copy)]
enum Via {
    Thread,
    Tokio,
    Smol,
}

fn time(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}

fn run(hook: ReasonHook, cases: usize, via: Via) {
    evaluate(Some(hook), cases, via);
}

fn evaluate(hook: Option<ReasonHook>, cases: usize, via: Via) {
    let check = JsonValidity::new();
    let checks = match hook {
        Some(hook) => Checks::new().with(check.reason_hook(hook)),
        None => Checks::new().with(check),
    };
    let evaluator = Evaluator::new(checks).keep_bytes(0);
    let rows = (0..cases).map(|number| TestCase::new("", format!("[{number}, ")));
    let evaluation = match via {
        Via::Thread => evaluator.run(rows),
        Via::Smol => smol::block_on(evaluator.run_async(rows)),
        Via::Tokio => tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .expect("a runtime")
            .block_on(evaluator.run_async(rows)),
    };
    assert_eq!(evaluation.expect("set up").summary.metrics[0].failed, cases as u64);
}

fn start_server() -> (Child, String) {
    let mut child = Command::new(env::current_exe().expect("a path"))
        .arg(SERVE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut address = String::new();
    let said = child.stdout.take().expect("piped");
    BufReader::new(said).read_line(&mut address).expect("an address");
    (child, address.trim().to_owned())
}

/// Serves until standard input ends, as it does when the bench does.
fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    println!("{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            thread::spawn(move || while answer(&connection).is_some() {});
        }
    });
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
}

/// Answers one request of a connection that stays open.
fn answer(mut connection: &TcpStream) -> Option<()> {
    let mut reader = BufReader::new(connection);
    let (mut line, mut length) = (String::new(), 0);
    loop {
        line.clear();
        match reader.read_line(&mut line).ok()? {
            0 => return None,
            2 => break,
            _ => {}
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    thread::sleep(LATENCY);
    let body = r#"{"choices": [{"message": {"content": "so it is"}}]}"#;
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    connection.write_all((head + body).as_bytes()).ok()
}
