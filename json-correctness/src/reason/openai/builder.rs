//! How the reasoner is set up.

use std::{env, fmt, sync::Arc};

use async_openai::Client;
use reqwest::{Url, redirect, retry};

use super::{
    OpenAi,
    completion::Options,
    endpoint::{self, Azure, Endpoint},
    key::Key,
    send::send,
};
use crate::{error::Error, reason::Prompt};

const BASE_URL: &str = "OPENAI_BASE_URL";
const API_KEY: &str = "OPENAI_API_KEY";

/// How an [`OpenAi`] is set up.
///
/// | option | default | |
/// |---|---|---|
/// | [`base_url`](Self::base_url) | `OPENAI_BASE_URL`, or else OpenAI's own | what `/chat/completions` is appended to |
/// | [`api_key`](Self::api_key) | `OPENAI_API_KEY`, or else none | |
/// | [`azure`](Self::azure) | off | addresses and headers of Azure's classic API |
/// | [`prompt`](Self::prompt) | [`Prompt::new`] | what the model is told |
/// | [`max_tokens`](Self::max_tokens) | the model's | |
/// | [`temperature`](Self::temperature) | the model's | |
#[derive(Clone)]
#[must_use]
pub struct OpenAiBuilder {
    model: String,
    base_url: Option<String>,
    api_key: Option<String>,
    azure: Option<Azure>,
    prompt: Prompt,
    max_tokens: Option<u32>,
    temperature: Option<f32>,
}

impl OpenAiBuilder {
    pub(super) fn new(model: String) -> Self {
        Self {
            model,
            base_url: None,
            api_key: None,
            azure: None,
            prompt: Prompt::new(),
            max_tokens: None,
            temperature: None,
        }
    }

    /// Sets where the server is: what `/chat/completions` is appended to, such as
    /// `http://localhost:11434/v1`.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the key; white space around it does not count, and an empty one is none. Without this it is
    /// that of the environment, whatever the server.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// Asks a deployment by Azure's classic API, whose base URL is `https://NAME.openai.azure.com`, and
    /// whose version is a date such as `2024-10-21`. Azure's newer API, whose base URL ends in
    /// `/openai/v1`, does without this.
    pub fn azure(mut self, deployment: impl Into<String>, api_version: impl Into<String>) -> Self {
        self.azure = Some(Azure { deployment: deployment.into(), api_version: api_version.into() });
        self
    }

    /// Sets what the model is told.
    pub fn prompt(mut self, prompt: Prompt) -> Self {
        self.prompt = prompt;
        self
    }

    /// Sets how many tokens the model may spend on a reason, those of its thinking included. It is sent
    /// as `max_completion_tokens` to OpenAI and to Azure, whose newer models refuse the older name, and
    /// as `max_tokens` to all others, some of which know no other.
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Sets the temperature, in [0, 2]. Some models take none but their own.
    pub fn temperature(mut self, temperature: f32) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// The reasoner. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// An [option](Error::is_option) that cannot be: an empty model; a base URL that is none of http or
    /// https, or that holds a password, a query or a fragment; a key with characters that no key has;
    /// none where the server is OpenAI's; a temperature
    /// outside [0, 2]; a deployment or a version that fits no URL; a machine without
    /// certificates to trust, where the URL is one of https.
    pub fn build(self) -> Result<OpenAi, Error> {
        let model = self.model.trim();
        if model.is_empty() {
            return Err(Error::option("the model of the reasoner is empty: give one, such as `gpt-4o-mini`"));
        }
        let url = match (self.base_url, set(BASE_URL)?) {
            (Some(url), _) => endpoint::base_url(&url, "`base_url`")?,
            (None, Some(url)) => endpoint::base_url(&url, BASE_URL)?,
            (None, None) => endpoint::base_url(endpoint::OPENAI, "the library")?,
        };
        let key = match (self.api_key, set(API_KEY)?) {
            (Some(key), _) => Key::new(&key, "`api_key`")?,
            (None, key) => Key::new(&key.unwrap_or_default(), API_KEY)?,
        };
        let is_openai = endpoint::is_openai(&url);
        if let Some(azure) = &self.azure {
            azure.check(is_openai)?;
        } else if is_openai && key.is_none() {
            return Err(Error::option(format!(
                "there is no key for {}: set {API_KEY}, or give one to `api_key`; for another server, set \
                 {BASE_URL} or `base_url`",
                url.host_str().unwrap_or_default()
            )));
        }
        if !key.is_none() && url.scheme() == "http" && !endpoint::is_local(&url) {
            tracing::warn!(
                host = url.host_str(),
                "the key goes to the server unencrypted: its URL is one of http"
            );
        }
        if let Some(temperature) = self.temperature.filter(|temperature| !(0.0..=2.0).contains(temperature)) {
            return Err(Error::option(format!(
                "the temperature {temperature} is outside [0, 2]: give a number from 0 to 2"
            )));
        }
        let new_name = is_openai || self.azure.is_some() || is_azure(&url);
        let options = Options {
            max_completion_tokens: self.max_tokens.filter(|_| new_name),
            max_tokens: self.max_tokens.filter(|_| !new_name),
            temperature: self.temperature,
        };
        let http = http_client(&url)?;
        let endpoint = Endpoint::new(&url, self.azure, key.clone());
        let key = Arc::new(key);
        let sender = {
            let (http, key) = (http.clone(), Arc::clone(&key));
            tower::service_fn(move |request| send(http.clone(), Arc::clone(&key), request))
        };
        let client = Client::build(http, endpoint).with_http_service(sender);
        Ok(OpenAi { client: Arc::new(client), key, model: model.into(), options, prompt: self.prompt })
    }
}

impl Azure {
    fn check(&self, is_openai: bool) -> Result<(), Error> {
        let fits = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        // Two dots would lead to another path.
        if !fits(&self.deployment) || self.deployment.starts_with('.') {
            return Err(Error::option(
                "the deployment of Azure is no name of one: give that of the Azure portal, which holds letters, \
                 digits, `-`, `_` and `.`",
            ));
        }
        if !fits(&self.api_version) {
            return Err(Error::option("the API version of Azure is none: give one, such as `2024-10-21`"));
        }
        if is_openai {
            return Err(Error::option(format!(
                "a deployment of Azure needs the base URL of its resource: set {BASE_URL} or `base_url` to one such \
                 as `https://NAME.openai.azure.com`"
            )));
        }
        Ok(())
    }
}

/// A variable of the environment; one that is empty is not set.
fn set(name: &str) -> Result<Option<String>, Error> {
    match env::var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.trim().is_empty())),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => {
            Err(Error::option(format!("{name} holds bytes that are no text: set it anew")))
        }
    }
}

/// Whether the server is Azure's by its newer API, the OpenAI part of which has this path.
fn is_azure(url: &Url) -> bool {
    url.host_str().is_some_and(|host| host.contains(".azure.")) && url.path().starts_with("/openai/v1")
}

fn http_client(url: &Url) -> Result<reqwest::Client, Error> {
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("json-correctness/", env!("CARGO_PKG_VERSION")))
        // The key would go along, and so would the output.
        .redirect(redirect::Policy::none())
        // Whether and when to ask again is the hook's decision.
        .retry(retry::never())
        .referer(false);
    if endpoint::is_local(url) {
        builder = builder.no_proxy();
    }
    if url.scheme() == "http" {
        // The certificates of the system are not read, and need not be there.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| {
        let why = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
        Error::option(format!(
            "no client of https can be set up{why}; install the system's CA certificates, or ask a server by http"
        ))
    })
}

impl fmt::Debug for OpenAiBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither the key nor the base URL, which is not checked yet and may hold one.
        f.debug_struct("OpenAiBuilder")
            .field("model", &self.model)
            .field("azure", &self.azure)
            .field("max_tokens", &self.max_tokens)
            .field("temperature", &self.temperature)
            .finish_non_exhaustive()
    }
}
