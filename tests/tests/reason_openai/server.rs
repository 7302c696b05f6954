//! A server that does as a script says, and keeps what it was asked.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{Arc, LazyLock, Mutex},
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    response::Response,
};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    runtime::Runtime,
    sync::watch,
};

use crate::tls;

/// The runtime of all servers. That of the reasoner is another one.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));

/// What the server does, one entry for each request; the last one for all that follow.
pub(crate) enum Script {
    /// Answers that HTTP allows.
    Http(Vec<Answer>),
    /// Whatever can be done to a connection.
    Wire(Wire),
    /// Nobody listens.
    Nobody,
}

/// An answer that HTTP allows.
#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Content,
}

#[derive(Clone)]
pub(crate) enum Content {
    Text(String),
    /// Ten megabytes, whose length is told before.
    Long,
    /// A body without end.
    Endless,
    /// A byte now and then, without end.
    Drip,
}

/// What is done to a connection once the request was read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wire {
    /// It is closed, before the request was read.
    CloseAtOnce,
    /// It is closed.
    Close,
    /// It is reset.
    Reset,
    /// These bytes are sent, and it is closed.
    Send(&'static [u8]),
    /// As `Send`, but to the first bytes, whatever they are.
    SendToAnything(&'static [u8]),
    /// These bytes are sent, and then the second ones for ever.
    Repeat(&'static [u8], &'static [u8]),
    /// As `Repeat`, but now and then.
    Trickle(&'static [u8], &'static [u8]),
    /// Nothing is sent.
    Silence,
    /// It speaks TLS, with a certificate that nobody knows.
    UnknownCertificate,
    /// The same, and it answers those who trust it.
    Certified,
}

/// A request, as far as it was understood.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) at: Instant,
    pub(crate) uri: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    state: Arc<Shared>,
}

struct Shared {
    answers: Vec<Answer>,
    seen: Mutex<Vec<Seen>>,
    /// How many requests came, and how many connections that never end by themselves were closed.
    came: watch::Sender<usize>,
    closed: watch::Sender<usize>,
}

impl Server {
    pub(crate) fn start(script: Script) -> Self {
        let listener = RUNTIME.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let address = listener.local_addr().expect("an address");
        let answers = if let Script::Http(answers) = &script { answers.clone() } else { Vec::new() };
        let state = Arc::new(Shared {
            answers,
            seen: Mutex::default(),
            came: watch::Sender::new(0),
            closed: watch::Sender::new(0),
        });
        let shared = Arc::clone(&state);
        match script {
            Script::Http(_) => {
                let router = Router::new().fallback(answer).with_state(shared);
                RUNTIME.spawn(async move { axum::serve(listener, router).await });
            }
            Script::Wire(wire) => {
                RUNTIME.spawn(async move {
                    while let Ok((stream, _)) = listener.accept().await {
                        tokio::spawn(do_to(stream, wire, Arc::clone(&shared)));
                    }
                });
            }
            Script::Nobody => drop(listener),
        }
        Self { address, state }
    }

    pub(crate) fn url(&self, scheme: &str) -> String {
        format!("{scheme}://{}/v1", self.address)
    }

    /// What was asked so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().expect("no panic").clone()
    }

    /// How many requests came so far, or connections where the wire is scripted.
    pub(crate) fn requests(&self) -> usize {
        *self.state.came.borrow()
    }

    /// Waits until so many requests came.
    pub(crate) async fn came(&self, count: usize) {
        self.state.came.subscribe().wait_for(|came| *came >= count).await.expect("a server");
    }

    /// Waits until so many connections were closed by the other side, of those that never end by themselves;
    /// not for ever.
    pub(crate) fn wait_closed(&self, count: usize) -> bool {
        let mut closed = self.state.closed.subscribe();
        let closed = async move { closed.wait_for(|closed| *closed >= count).await.is_ok() };
        RUNTIME.block_on(async { tokio::time::timeout(Duration::from_secs(10), closed).await == Ok(true) })
    }
}

/// An answer with this status and body.
pub(crate) fn status(status: u16, body: impl Into<String>) -> Answer {
    Answer { status, headers: Vec::new(), body: Content::Text(body.into()) }
}

/// An answer with this body.
pub(crate) fn body(body: Content) -> Answer {
    Answer { status: 200, headers: Vec::new(), body }
}

/// A completion with this message.
pub(crate) fn message(message: Value) -> Answer {
    status(200, json!({ "choices": [{ "index": 0, "message": message }] }).to_string())
}

/// A good completion.
pub(crate) fn good(reason: &str) -> Answer {
    message(json!({ "role": "assistant", "content": reason }))
}

impl Answer {
    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// Says that it was dropped.
struct Closes(Arc<Shared>);

impl Drop for Closes {
    fn drop(&mut self) {
        self.0.closed.send_modify(|closed| *closed += 1);
    }
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.expect("a body");
    let header = |(name, value): (&_, &axum::http::HeaderValue)| {
        (ToString::to_string(name), value.to_str().expect("text").to_owned())
    };
    let seen = Seen {
        at: Instant::now(),
        uri: head.uri.to_string(),
        headers: head.headers.iter().map(|(name, value)| header((&name.as_str(), value))).collect(),
        body: serde_json::from_slice(&body).expect("JSON"),
    };
    let number = {
        let mut all = shared.seen.lock().expect("no panic");
        all.push(seen);
        all.len()
    };
    shared.came.send_modify(|came| *came += 1);
    let Answer { status, headers, body } = &shared.answers[number.min(shared.answers.len()) - 1];
    let mut response = Response::builder().status(*status);
    for (name, value) in headers {
        response = response.header(*name, value);
    }
    let guard = Closes(Arc::clone(&shared));
    let body = match body {
        Content::Text(text) => {
            std::mem::forget(guard);
            Body::from(text.clone())
        }
        Content::Long => {
            std::mem::forget(guard);
            Body::from(vec![b' '; 10 << 20])
        }
        Content::Endless => Body::from_stream(stream::unfold(guard, |guard| async {
            Some((Ok::<_, Infallible>(Bytes::from_static(&[b' '; 4096])), guard))
        })),
        Content::Drip => Body::from_stream(stream::unfold(guard, |guard| async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            Some((Ok::<_, Infallible>(Bytes::from_static(b" ")), guard))
        })),
    };
    response.body(body).expect("a response")
}

async fn do_to(mut stream: TcpStream, wire: Wire, shared: Arc<Shared>) {
    let came = || shared.came.send_modify(|came| *came += 1);
    if matches!(wire, Wire::CloseAtOnce) {
        came();
        return;
    }
    if matches!(wire, Wire::UnknownCertificate | Wire::Certified) {
        came();
        // Those who do not trust it end it here.
        let Ok(mut stream) = tls::acceptor().accept(stream).await else { return };
        let mut request = Vec::new();
        while !is_whole(&request) && stream.read_buf(&mut request).await.is_ok_and(|count| count > 0) {}
        let body = r#"{"choices": [{"message": {"content": "By TLS."}}]}"#;
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        let _ = stream.write_all(answer.as_bytes()).await;
        let _ = stream.shutdown().await;
        return;
    }
    let mut request = Vec::new();
    loop {
        if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
            return;
        }
        if is_whole(&request) || matches!(wire, Wire::SendToAnything(_)) {
            break;
        }
    }
    came();
    match wire {
        Wire::CloseAtOnce | Wire::UnknownCertificate | Wire::Certified | Wire::Close => {}
        Wire::Reset => {
            stream.set_zero_linger().expect("a socket");
        }
        Wire::Send(bytes) | Wire::SendToAnything(bytes) => {
            let _ = stream.write_all(bytes).await;
            let _ = stream.shutdown().await;
            // Read to the end: to close with bytes unread would be a reset.
            let _ = stream.read_to_end(&mut request).await;
        }
        Wire::Repeat(first, then) | Wire::Trickle(first, then) => {
            let mut sent = stream.write_all(first).await;
            while sent.is_ok() {
                if matches!(wire, Wire::Trickle(..)) {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                sent = stream.write_all(then).await;
            }
            drop(Closes(shared));
        }
        Wire::Silence => {
            let _ = stream.read_to_end(&mut request).await;
            drop(Closes(shared));
        }
    }
}

/// Whether the request is there with its whole body.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
        .unwrap_or(0);
    body.len() >= length
}
