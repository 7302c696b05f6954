//! A reasoner by any server that speaks OpenAI's chat completions.

mod background;
mod builder;
mod completion;
mod endpoint;
mod fault;
mod key;
mod send;

use std::{fmt, sync::Arc};

use async_openai::Client;

pub use builder::OpenAiBuilder;
use completion::{Asked, Completion, Options, Turn};
use endpoint::Endpoint;
use key::Key;

use super::{Messages, Prompt, ReasonError, ReasonFuture, ReasonRequest, Reasoner};

/// A [`Reasoner`] by any server that speaks OpenAI's chat completions: OpenAI, Azure, vLLM, Ollama, a
/// gateway.
///
/// ```no_run
/// use json_correctness::{JsonCorrectness, OpenAi, TestCase};
///
/// // The key is that of OPENAI_API_KEY.
/// let openai = OpenAi::builder("gpt-4o-mini").build()?;
/// // A server of one's own needs none.
/// let ollama = OpenAi::builder("llama3.2").base_url("http://localhost:11434/v1").build()?;
///
/// let check = JsonCorrectness::<u32>::new().reason_with(ollama);
/// let verdict = check.judge(&TestCase::new("How many?", "\"three\""))?;
/// println!("{}", verdict.reason().unwrap_or_default());
/// # Ok::<(), json_correctness::Error>(())
/// ```
///
/// What becomes of an answer; how often is asked again, and how long is waited, is the matter of the
/// [`ReasonHook`](crate::ReasonHook):
///
/// | the server | the error is |
/// |---|---|
/// | 200 with a choice that has text | none: that is the reason, without what stands in `<think>` before it |
/// | 200 with something else: no JSON, no choice, no text, a refusal, more than 64 KiB | of this one case |
/// | 401, 402, 403, 404; 429 with `insufficient_quota` | [fatal](ReasonError::fatal) |
/// | 3xx: redirections are not followed, since the key would go along | fatal |
/// | no TLS connection: a certificate that is not trusted, a port that speaks plain http | fatal |
/// | 408, 409, 429, 5xx | [transient](ReasonError::transient); with the time of `Retry-After` or `retry-after-ms`, where there is one |
/// | no connection, or one that breaks | transient |
/// | any other status | of this one case |
///
/// # Secrets
///
/// The key goes to the server of the base URL and nowhere else; in particular no `Debug` shows it. What a
/// server says is quoted in errors up to 200 bytes, and where it repeats the key, in errors or in
/// reasons, that is struck out (keys of fewer than 8 bytes are taken for placeholders, and are not looked
/// for). The key of the environment goes to whatever server the base URL names; an empty one, as in
/// `.api_key("")`, keeps it at home. To a server by http, the key and the prompt go unencrypted.
///
/// # Runtimes
///
/// Calls run on threads of their own, which the first of them starts, so that any executor will do, and
/// none. Where the future of a reason is dropped, its connection is closed.
///
/// The proxies of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`) are used, but not for this
/// machine. Certificates are held to what the system trusts.
#[derive(Clone)]
pub struct OpenAi {
    client: Arc<Client<Endpoint>>,
    key: Arc<Key>,
    model: Arc<str>,
    options: Options,
    prompt: Prompt,
}

impl OpenAi {
    /// Sets up a reasoner by this model, which has the name that the server knows it by.
    pub fn builder(model: impl Into<String>) -> OpenAiBuilder {
        OpenAiBuilder::new(model.into())
    }

    fn asked(&self, Messages { system, user, .. }: Messages) -> Asked<'_> {
        let messages = [("system", system), ("user", user)];
        let messages = messages.map(|(role, content)| Turn { role, content });
        Asked { model: &self.model, messages, options: &self.options }
    }

    async fn ask(&self, request: ReasonRequest) -> Result<String, ReasonError> {
        let prompt = self.prompt.clone();
        // A prompt may be the user's own code, which may block.
        let messages = background::work(move || prompt.messages(&request)).await?;
        let completion: Result<Completion, _> = self.client.chat().create_byot(self.asked(messages)).await;
        completion.map_err(|error| fault::of_client(error, &self.key))?.reason(&self.key)
    }
}

impl Reasoner for OpenAi {
    fn reason(&self, request: ReasonRequest) -> ReasonFuture {
        let openai = self.clone();
        Box::pin(background::run(async move { openai.ask(request).await }))
    }

    fn is_async(&self) -> bool {
        true
    }

    fn fingerprint(&self, request: &ReasonRequest) -> Option<String> {
        let Endpoint { base, api_version, .. } = self.client.config();
        serde_json::to_string(&(base, api_version, self.asked(self.prompt.messages(request)))).ok()
    }
}

impl fmt::Debug for OpenAi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAi")
            .field("model", &self.model)
            .field("base_url", &self.client.config().base)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
