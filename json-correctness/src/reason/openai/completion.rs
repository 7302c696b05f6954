//! What is asked, and what comes back.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::key::Key;
use crate::reason::ReasonError;

/// The request for a completion.
#[derive(Debug, Serialize)]
pub(super) struct Asked<'a> {
    pub(super) model: &'a str,
    pub(super) messages: [Turn; 2],
    #[serde(flatten)]
    pub(super) options: &'a Options,
}

/// One message of the conversation.
#[derive(Debug, Serialize)]
pub(super) struct Turn {
    pub(super) role: &'static str,
    pub(super) content: String,
}

/// What is sent only where it was set: some models refuse what others take.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Options {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f32>,
}

/// The part of a completion that a reason needs. Gateways leave out much of the rest (`id`, `created`,
/// `usage`), which is why this is not the type of the client.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Completion {
    choices: Option<Vec<Choice>>,
    /// Some gateways answer 200 and put the error into the body.
    error: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Choice {
    message: Option<Message>,
    finish_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message {
    content: Value,
    refusal: Option<String>,
}

impl Completion {
    /// The text of the first choice.
    pub(super) fn reason(self, key: &Key) -> Result<String, ReasonError> {
        let Some(choice) = self.choices.into_iter().flatten().next() else {
            let why = said(&self.error).map(|said| format!(": {}", key.excerpt(said))).unwrap_or_default();
            return Err(ReasonError::new(format!("the server's answer holds no choice{why}")));
        };
        let message = choice.message.unwrap_or_default();
        let text = text(&message.content);
        let answer = without_thoughts(&text);
        if !answer.trim().is_empty() {
            return Ok(key.conceal(answer.to_owned()));
        }
        if let Some(refusal) = message.refusal.filter(|refusal| !refusal.trim().is_empty()) {
            return Err(ReasonError::new(format!("the model refused: {}", key.excerpt(&refusal))));
        }
        Err(ReasonError::new(match choice.finish_reason.as_deref() {
            Some("length") => "the model used up its tokens before it said anything: raise `max_tokens`",
            Some("content_filter") => "the server's content filter withheld the model's answer",
            _ => "the model's answer is empty",
        }))
    }
}

/// The text of a content: a string, or a list of parts, of which some are text.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        _ => String::new(),
    }
}

/// Many models think aloud before they answer, and some servers leave that to the reader.
fn without_thoughts(text: &str) -> &str {
    match text.trim_start().strip_prefix("<think>") {
        Some(thoughts) => thoughts.split_once("</think>").map_or("", |(_, answer)| answer.trim_start()),
        None => text,
    }
}

/// What the error of a server says, in the shapes that are about.
pub(super) fn said(error: &Value) -> Option<&str> {
    match error {
        Value::String(text) => Some(text),
        Value::Object(members) => {
            ["error", "message", "detail"].into_iter().find_map(|name| said(members.get(name)?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_read_from_what_servers_send() {
        let key = Key::new("sk-0123456789", "the test").expect("a key");
        for (answer, reason) in [
            (r#"{"choices": [{"message": {"content": "It is."}}]}"#, Ok("It is.")),
            (r#"{"choices": [{"message": {"content": "It is sk-0123456789."}}]}"#, Ok("It is [key].")),
            (
                r#"{"choices": [{"message": {"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "It is."}]}}]}"#,
                Ok("It is."),
            ),
            (r#"{"choices": [{"message": {"content": "Cut"}, "finish_reason": "length"}]}"#, Ok("Cut")),
            (r#"{"choices": [{"message": {"content": "<think>Is it?\n</think>\n\nIt is."}}]}"#, Ok("It is.")),
            (
                r#"{"choices": [{"message": {"content": "<think>Is it?"}, "finish_reason": "length"}]}"#,
                Err("the model used up its tokens before it said anything: raise `max_tokens`"),
            ),
            ("{}", Err("the server's answer holds no choice")),
            (r#"{"choices": null}"#, Err("the server's answer holds no choice")),
            (
                r#"{"choices": [], "error": {"message": "busy sk-0123456789", "code": 502}}"#,
                Err("the server's answer holds no choice: busy [key]"),
            ),
            (r#"{"choices": [{}]}"#, Err("the model's answer is empty")),
            (r#"{"choices": [{"message": {"content": " \n"}}]}"#, Err("the model's answer is empty")),
            (
                r#"{"choices": [{"message": {"content": null, "refusal": "No\u001b."}}]}"#,
                Err("the model refused: No."),
            ),
            (
                r#"{"choices": [{"message": {"content": null}, "finish_reason": "content_filter"}]}"#,
                Err("the server's content filter withheld the model's answer"),
            ),
            (
                r#"{"choices": [{"message": {"content": ""}, "finish_reason": "length"}]}"#,
                Err("the model used up its tokens before it said anything: raise `max_tokens`"),
            ),
        ] {
            let completion: Completion = serde_json::from_str(answer).expect(answer);
            let found = completion.reason(&key);
            assert_eq!(found.as_deref().map_err(ToString::to_string), reason.map_err(str::to_owned));
        }
    }
}
