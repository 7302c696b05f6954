//! The service below the client: it sends, bounds what comes back, and says what a fault means.
//!
//! All faults end here. The client would read a body whole, ask again by its own rules, and write the
//! bodies that it does not understand to the log.

use std::{sync::Arc, time::Duration};

use async_openai::middleware::HttpRequestFactory;
use reqwest::Response;

use super::{
    completion::Completion,
    fault::{self, Fault},
    key::Key,
};
use crate::reason::ReasonError;

/// Longest answer that is read, in bytes.
const MAX_ANSWER_BYTES: usize = 64 << 10;
/// How long the words of a fault are waited for: the status alone says most.
const WORDS_TIME: Duration = Duration::from_secs(1);

/// Sends the request; the answer is a completion of at most [`MAX_ANSWER_BYTES`].
pub(super) async fn send(
    client: reqwest::Client,
    key: Arc<Key>,
    request: HttpRequestFactory,
) -> Result<Response, Fault> {
    let request = request.build().await.map_err(|error| Fault(fault::of_client(error, &key)))?;
    let mut response =
        client.execute(request).await.map_err(|error| Fault(fault::of_transport(error, &key)))?;
    let mut body = Vec::new();
    if !response.status().is_success() {
        let read = read(&mut response, &mut body);
        // Whatever came of it will do.
        let _ = tokio::time::timeout(WORDS_TIME, read).await;
        return Err(Fault(fault::of_status(response.status(), response.headers(), &body, &key)));
    }
    match read(&mut response, &mut body).await {
        Ok(true) => {}
        Ok(false) => {
            let message = format!("the server's answer is longer than {} KiB", MAX_ANSWER_BYTES >> 10);
            return Err(Fault(ReasonError::new(message)));
        }
        Err(error) => return Err(Fault(fault::of_transport(error, &key))),
    }
    if let Err(error) = serde_json::from_slice::<Completion>(&body) {
        let error = key.excerpt(&error.to_string());
        return Err(Fault(ReasonError::new(format!("the server's answer is no completion: {error}"))));
    }
    Ok(http::Response::new(body).into())
}

/// Reads the body; whether that was all of it. Dropping the rest closes the connection.
async fn read(response: &mut Response, body: &mut Vec<u8>) -> reqwest::Result<bool> {
    while let Some(chunk) = response.chunk().await? {
        let room = MAX_ANSWER_BYTES - body.len();
        if chunk.len() > room {
            body.extend_from_slice(&chunk[..room]);
            return Ok(false);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(true)
}
