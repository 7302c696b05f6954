//! Where requests go, and what they carry.

use async_openai::config::Config;
use http::{HeaderMap, HeaderValue, header};
use reqwest::Url;
use secrecy::SecretString;

use super::key::Key;
use crate::error::Error;

/// Where OpenAI itself listens.
pub(super) const OPENAI: &str = "https://api.openai.com/v1";

/// Where requests go, and what they carry.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    /// What the path of a call is appended to.
    pub(super) base: String,
    pub(super) api_version: Option<String>,
    headers: HeaderMap,
    key: Key,
}

/// A deployment of a model on Azure.
#[derive(Clone, Debug)]
pub(super) struct Azure {
    pub(super) deployment: String,
    pub(super) api_version: String,
}

impl Endpoint {
    pub(super) fn new(base: &Url, azure: Option<Azure>, key: Key) -> Self {
        let mut base = base.as_str().trim_end_matches('/').to_owned();
        let (name, scheme) = match &azure {
            Some(azure) => {
                base = format!("{base}/openai/deployments/{}", azure.deployment);
                (http::HeaderName::from_static("api-key"), "")
            }
            None => (header::AUTHORIZATION, "Bearer "),
        };
        let headers = key.header(scheme).map(|value: HeaderValue| (name, value)).into_iter().collect();
        Self { base, api_version: azure.map(|azure| azure.api_version), headers, key }
    }
}

impl Config for Endpoint {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        self.api_version.iter().map(|version| ("api-version", version.as_str())).collect()
    }

    fn api_base(&self) -> &str {
        &self.base
    }

    fn api_key(&self) -> &SecretString {
        self.key.secret()
    }
}

/// The base URL, where it is one to which a path can be appended, and that can be shown.
pub(super) fn base_url(text: &str, origin: &str) -> Result<Url, Error> {
    let fault = |what: &str| {
        // Not shown: it may hold a password, or be a key that went to the wrong place.
        let mend = "give one such as `http://localhost:11434/v1`";
        Err(Error::option(format!("the base URL of {origin} {what}: {mend}")))
    };
    let url = match Url::parse(text.trim()) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => url,
        _ => return fault("is no URL of http or https"),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return fault("holds a user or a password; a key goes to `api_key`");
    }
    if url.query().is_some() {
        return fault("holds a query; the version of Azure's API goes to `azure`");
    }
    if url.fragment().is_some() {
        return fault("holds a fragment");
    }
    if url.path().trim_end_matches('/').ends_with("/chat/completions") {
        return fault("ends in `/chat/completions`, which is appended to it");
    }
    Ok(url)
}

/// Whether the server is OpenAI's own, which takes nobody without a key.
pub(super) fn is_openai(url: &Url) -> bool {
    url.host_str().is_some_and(|host| host == "api.openai.com" || host.ends_with(".api.openai.com"))
}

/// Whether the server is this machine, which no proxy can reach for us.
pub(super) fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_are_checked_and_never_shown() {
        for good in ["https://api.openai.com/v1", "http://localhost:11434/v1/", " HTTP://[::1]:8000\n"] {
            base_url(good, "the test").expect(good);
        }
        for (bad, what) in [
            ("", "is no URL"),
            ("sk-0123456789", "is no URL"),
            ("localhost:11434/v1", "is no URL"),
            ("file:///etc/passwd", "is no URL"),
            ("https://", "is no URL"),
            ("https://user:s3cr3t@host/v1", "holds a user"),
            ("https://s3cr3t@host/v1", "holds a user"),
            ("https://host/v1?key=s3cr3t", "holds a query"),
            ("https://host/v1#s3cr3t", "holds a fragment"),
        ] {
            let error = base_url(bad, "OPENAI_BASE_URL").expect_err(bad);
            let said = error.to_string();
            assert!(error.is_option() && said.contains(what) && said.contains("OPENAI_BASE_URL"), "{said}");
            assert!(!said.contains("s3cr3t") && !said.contains("sk-"), "{said}");
        }
    }

    #[test]
    fn hosts_are_told_apart() {
        for (url, openai, local) in [
            ("https://api.openai.com/v1", true, false),
            ("https://eu.api.openai.com/v1", true, false),
            ("https://api.openai.com.example.org/v1", false, false),
            ("http://localhost/v1", false, true),
            ("http://127.0.0.9:1", false, true),
            ("http://[::1]:1", false, true),
            ("http://192.168.0.1", false, false),
        ] {
            let url = base_url(url, "the test").expect(url);
            assert_eq!((is_openai(&url), is_local(&url)), (openai, local), "{url}");
        }
    }

    #[test]
    fn requests_carry_the_key_as_the_server_wants_it() {
        let key = || Key::new("sk-0123456789", "the test").expect("a key");
        let url = base_url("https://host/", "the test").expect("a URL");
        let plain = Endpoint::new(&url, None, key());
        assert_eq!(plain.url("/chat/completions"), "https://host/chat/completions");
        assert_eq!(plain.headers()["authorization"], "Bearer sk-0123456789");
        let azure = Azure { deployment: "mine".to_owned(), api_version: "2024-10-21".to_owned() };
        let azure = Endpoint::new(&url, Some(azure), key());
        assert_eq!(azure.url("/chat/completions"), "https://host/openai/deployments/mine/chat/completions");
        assert_eq!(azure.query(), [("api-version", "2024-10-21")]);
        assert_eq!(azure.headers().len(), 1);
        assert_eq!(azure.headers()["api-key"], "sk-0123456789");
        let bare = Endpoint::new(&url, None, Key::new("", "the test").expect("no key"));
        assert!(bare.headers().is_empty());
        assert!(!format!("{plain:?} {azure:?}").contains("0123"));
    }
}
