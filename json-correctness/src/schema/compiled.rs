//! A schema ready to judge.

use std::{fmt, sync::Arc};

use jsonschema::{Draft, Registry, Validator};
use serde_json::Value;

use super::{
    ExpectedSchema,
    explain::{Explainer, IntegerRule},
    format,
    judge::{Documents, View},
    keywords::{self, Judgement, Site},
    typed, walk,
};
use crate::{
    Error,
    pattern_of_pointer,
    text::{Document, JsonType, Limits, Pointer, Span},
    violation::{Violation, ViolationKind},
};
