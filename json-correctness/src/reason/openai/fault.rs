//! What the faults of a server and of the way to it mean for the next call.

use std::{
    error::Error as StdError,
    fmt, io,
    iter::successors,
    time::{Duration, SystemTime},
};

use async_openai::error::OpenAIError;
use http::{HeaderMap, StatusCode, header};
use reqwest::Url;
use serde_json::Value;

use super::{completion::said, key::Key};
use crate::reason::ReasonError;

/// The longest time to wait that is believed: more is the same.
const MAX_DELAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A [`ReasonError`] on its way up through the client.
#[derive(Debug)]
pub(super) struct Fault(pub(super) ReasonError);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl StdError for Fault {}

impl From<Fault> for OpenAIError {
    fn from(fault: Fault) -> Self {
        Self::Boxed(Box::new(fault))
    }
}

/// What the client says, which is a [`Fault`] of ours unless it could not make the request.
pub(super) fn of_client(error: OpenAIError, key: &Key) -> ReasonError {
    let error = match error {
        OpenAIError::Boxed(error) => error,
        OpenAIError::Reqwest(error) => error.without_url().into(),
        error => error.into(),
    };
    match error.downcast::<Fault>() {
        Ok(fault) => fault.0,
        Err(error) => {
            ReasonError::new(format!("no request can be made: {}", key.excerpt(&error.to_string())))
        }
    }
}

/// What an answer other than 2xx means. The table is that of [`OpenAi`](super::OpenAi).
pub(super) fn of_status(status: StatusCode, headers: &HeaderMap, body: &[u8], key: &Key) -> ReasonError {
    let body = String::from_utf8_lossy(body);
    let parsed: Value = serde_json::from_str(&body).unwrap_or_default();
    let excerpt = key.excerpt(said(&parsed).unwrap_or(&body));
    let hint = match status.as_u16() {
        300..=399 => {
            let target = target(headers).map(|target| format!(" to {}", key.excerpt(&target)));
            format!(
                "it redirects{}, where the key must not follow; set the base URL to where it leads",
                target.unwrap_or_default()
            )
        }
        401 if key.is_none() => "no key was sent; set OPENAI_API_KEY".to_owned(),
        401 | 403 => "is the key right, and is it one of this server?".to_owned(),
        404 => "is the base URL right, and does the server have the model?".to_owned(),
        _ => String::new(),
    };
    let status_line = format!("{} {}", status.as_u16(), status.canonical_reason().unwrap_or("(no name)"));
    let parts = [status_line, excerpt, hint];
    let error =
        ReasonError::new(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": "));
    match status.as_u16() {
        300..=399 | 401..=404 => error.fatal(),
        429 if used_up(&parsed) => error.fatal(),
        408 | 409 | 429 | 500.. => match delay(headers, SystemTime::now()) {
            Some(time) => error.retry_after(time),
            None => error.transient(),
        },
        _ => error,
    }
}

/// Where a redirection leads, without the path, which may hold anything.
fn target(headers: &HeaderMap) -> Option<String> {
    let url = Url::parse(headers.get(header::LOCATION)?.to_str().ok()?).ok()?;
    Some(format!("{}://{}", url.scheme(), url.host_str()?))
}

/// Whether the account has nothing left, which no waiting mends: OpenAI says so with the status of too
/// many requests.
fn used_up(body: &Value) -> bool {
    ["code", "type"].iter().any(|name| body["error"][name] == "insufficient_quota")
}

/// How long the server wants to be left alone. A time that has passed is none: the hook's own backoff
/// is better than to ask at once.
fn delay(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    let seconds = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
    let asked = text("retry-after-ms")
        .and_then(|text| Duration::try_from_secs_f64(text.parse::<f64>().ok()? / 1e3).ok())
        .or_else(|| {
            let text = text("retry-after")?;
            seconds(text).or_else(|| httpdate::parse_http_date(text).ok()?.duration_since(now).ok())
        })?;
    (!asked.is_zero()).then_some(asked.min(MAX_DELAY))
}

/// What it means that no answer came, or not all of it.
pub(super) fn of_transport(error: reqwest::Error, key: &Key) -> ReasonError {
    let error = error.without_url();
    let tls = causes(&error).find_map(|cause| cause.downcast_ref::<rustls::Error>());
    // Once connected, TLS fails where the line does, but for what the other side says about the set-up.
    let refused = matches!(tls, Some(rustls::Error::AlertReceived(_)));
    if let Some(tls) = tls.filter(|_| refused || error.is_connect()) {
        let tls = key.excerpt(&tls.to_string());
        let message = format!(
            "no TLS connection: {tls}: is the base URL one of https, and its certificate one that this machine trusts?"
        );
        return ReasonError::new(message).fatal();
    }
    let what = if error.is_connect() { "the server cannot be reached" } else { "the connection broke" };
    let cause = causes(&error).last().map(|cause| key.excerpt(&cause.to_string())).unwrap_or_default();
    ReasonError::new(format!("{what}: {cause}")).transient()
}

/// The error and what is behind it. An `io::Error` says of what it wraps only what is behind that.
fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    fn behind<'a>(error: &&'a (dyn StdError + 'static)) -> Option<&'a (dyn StdError + 'static)> {
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => (**error).source(),
        }
    }
    successors(Some(error), behind)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn every_status_has_a_meaning() {
        #[derive(Debug, PartialEq)]
        enum Meaning {
            Lasting,
            Transient,
            Fatal,
        }
        use Meaning::*;
        let quota = r#"{"error": {"message": "pay", "code": "insufficient_quota"}}"#;
        for (status, body, meaning, message) in [
            (
                401,
                r#"{"error": {"message": "no sk-0123456789"}}"#,
                Fatal,
                "401 Unauthorized: no [key]: is the key right, and is it one of this server?",
            ),
            (402, "", Fatal, "402 Payment Required"),
            (
                403,
                r#"{"error": "no"}"#,
                Fatal,
                "403 Forbidden: no: is the key right, and is it one of this server?",
            ),
            (404, "", Fatal, "404 Not Found: is the base URL right, and does the server have the model?"),
            (400, r#"{"detail": "too long"}"#, Lasting, "400 Bad Request: too long"),
            (
                413,
                r#"{"detail": [{"msg": 1}]}"#,
                Lasting,
                r#"413 Payload Too Large: {"detail": [{"msg": 1}]}"#,
            ),
            (422, "<html>\n no", Lasting, "422 Unprocessable Entity: <html> no"),
            (408, "", Transient, "408 Request Timeout"),
            (409, "", Transient, "409 Conflict"),
            (429, r#"{"message": "slow"}"#, Transient, "429 Too Many Requests: slow"),
            (429, quota, Fatal, "429 Too Many Requests: pay"),
            (500, "\u{1b}[2J", Transient, "500 Internal Server Error: [2J"),
            (529, "", Transient, "529 (no name)"),
            (
                304,
                "",
                Fatal,
                "304 Not Modified: it redirects, where the key must not follow; set the base URL to where it leads",
            ),
        ] {
            let key = Key::new("sk-0123456789", "the test").expect("a key");
            let status = StatusCode::from_u16(status).expect("a status");
            let error = of_status(status, &HeaderMap::new(), body.as_bytes(), &key);
            assert_eq!(error.to_string(), message);
            let found = if error.is_fatal() {
                Fatal
            } else if error.is_transient() {
                Transient
            } else {
                Lasting
            };
            assert_eq!(found, meaning, "{status}");
        }
    }

    #[test]
    fn the_time_to_wait_is_read_in_every_form() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").expect("a date");
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        for (name, value, expected) in [
            ("retry-after", "2", seconds(2)),
            ("retry-after", " 1.5 ", Some(Duration::from_millis(1500))),
            ("retry-after-ms", "250", Some(Duration::from_millis(250))),
            ("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT", seconds(30)),
            ("retry-after", "Sun, 06 Nov 1994 08:49:07 GMT", None),
            ("retry-after", "0", None),
            ("retry-after", "-1", None),
            ("retry-after", "NaN", None),
            ("retry-after", "soon", None),
            ("retry-after", "1e300", None),
            ("retry-after", "99999999999", Some(MAX_DELAY)),
            ("retry-after", "99999999999999999999999999", None),
        ] {
            let headers = HeaderMap::from_iter([(
                http::HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )]);
            assert_eq!(delay(&headers, now), expected, "{name}: {value}");
        }
    }
}
