//! What scoring says of one reply.

use koab_core::measured::Measured;
use serde::Serialize;

/// One metric of one reply.
#[derive(Clone, Debug)]
pub struct Row {
    /// The metric's name: `ASTAcc`, `ExactCall`.
    pub metric: &'static str,
    /// 0 or 1, or why there is none.
    pub value: Measured<u8>,
    /// Why, in the benchmark's own words.
    pub verdict: Verdict,
}

/// Why a reply is wrong, in the benchmark's own words; nothing is set where it is right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// BFCL's kind of error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_type: Option<String>,
    /// BFCL's errors of the single calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sub_error_types: Vec<String>,
    /// Where `FunctionChat`'s exact match failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mismatch: Option<String>,
    /// What a judge's answer was read as: `pass`, `fail`, or the text that is neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}
