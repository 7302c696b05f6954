//! Why a case failed, in words: built in, or by a hook.

mod attempt;
mod built_in;
#[cfg(feature = "evaluate")]
mod cache;
mod fault;
mod hook;
#[cfg(feature = "openai")]
mod openai;
mod pace;
mod prompt;
mod reasoner;
mod request;

pub(crate) use attempt::Wait;
pub(crate) use built_in::built_in;
pub use fault::ReasonError;
pub use hook::ReasonHook;
pub(crate) use hook::Worded;
#[cfg(feature = "openai")]
pub use openai::{OpenAi, OpenAiBuilder};
pub use prompt::{Messages, Prompt};
pub use reasoner::{AsyncClosure, IntoReason, ReasonFuture, Reasoner, SyncClosure};
pub use request::ReasonRequest;

/// Who worded a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "evaluate", derive(serde::Deserialize, crate::ExpectedSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReasonSource {
    /// The library; no hook is set.
    BuiltIn,
    /// The hook.
    Hook,
    /// The library, since the hook failed.
    Fallback,
}
