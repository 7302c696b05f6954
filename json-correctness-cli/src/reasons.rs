//! The arguments that let a model word the reasons, shared by `check` and `eval`.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use json_correctness::{OpenAi, ReasonHook};

use crate::failure::Failure;

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Reasons")]
pub(crate) struct Reasons {
    /// Let a model word why an output failed; the verdicts stay the same. The key is that of OPENAI_API_KEY,
    /// and of no argument, which others could read
    #[arg(long, value_name = "NAME")]
    reason_model: Option<String>,
    /// Where the model is, such as http://localhost:11434/v1: any server that speaks OpenAI's chat
    /// completions [default: OPENAI_BASE_URL, or else OpenAI's own]
    #[arg(long, value_name = "URL")]
    reason_base_url: Option<String>,
    /// Keep the reasons in this file, and do not ask the same server and model twice for the same one
    #[arg(long, value_name = "FILE")]
    reason_cache: Option<PathBuf>,
    /// How many reasons to ask for at a time [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    reason_concurrency: Option<u16>,
    /// How long to wait for a reason, which is asked for three times at most [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    reason_timeout: Option<u32>,
}

impl Reasons {
    /// These options, and those of `other` where these say nothing.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            reason_model: self.reason_model.or(other.reason_model),
            reason_base_url: self.reason_base_url.or(other.reason_base_url),
            reason_cache: self.reason_cache.or(other.reason_cache),
            reason_concurrency: self.reason_concurrency.or(other.reason_concurrency),
            reason_timeout: self.reason_timeout.or(other.reason_timeout),
        }
    }

    /// The file that is read and written, if there is one.
    pub(crate) fn cache(&self) -> Option<&PathBuf> {
        self.reason_cache.as_ref()
    }

    /// The hook that is asked for.
    pub(crate) fn hook(&self) -> Result<Option<ReasonHook>, Failure> {
        let Some(model) = &self.reason_model else {
            let others = [
                ("--reason-base-url", self.reason_base_url.is_some()),
                ("--reason-cache", self.reason_cache.is_some()),
                ("--reason-concurrency", self.reason_concurrency.is_some()),
                ("--reason-timeout", self.reason_timeout.is_some()),
            ];
            return match others.into_iter().find(|(_, given)| *given) {
                Some((name, _)) => Err(Failure::set_up(format!("`{name}` without `--reason-model`"))
                    .help("name the model that words the reasons, such as `--reason-model gpt-4o-mini`")),
                None => Ok(None),
            };
        };
        let mut openai = OpenAi::builder(model);
        if let Some(url) = &self.reason_base_url {
            openai = openai.base_url(url);
        }
        let openai = openai.build().map_err(|error| {
            Failure::from(error).help(
                "the model is asked at `--reason-base-url` or OPENAI_BASE_URL, with the key of OPENAI_API_KEY",
            )
        })?;
        let mut hook = ReasonHook::new(openai);
        if let Some(concurrency) = self.reason_concurrency {
            hook = hook.concurrency(concurrency.into());
        }
        if let Some(seconds) = self.reason_timeout {
            hook = hook.timeout(Duration::from_secs(seconds.into()));
        }
        if let Some(path) = &self.reason_cache {
            hook = hook.cache(path).map_err(|error| {
                Failure::from(error).help(
                    "`--reason-cache` takes a file that it wrote before, or the name of one to begin, in a directory that exists",
                )
            })?;
        }
        Ok(Some(hook))
    }
}
