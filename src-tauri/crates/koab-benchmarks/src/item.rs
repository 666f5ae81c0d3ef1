//! One question of a benchmark.

use koab_core::cache_key::sha256_hex;
use serde_json::Value;

/// One question, with what it is scored by.
#[derive(Clone, Debug)]
pub struct Item {
    /// Unique in its benchmark: `simple_python_12`, `singlecall:21:4_close`.
    pub id: String,
    /// Where it belongs, outermost first: `["live", "live_simple"]`. Groups take the place of
    /// levels.
    pub groups: Vec<String>,
    /// What the model is asked.
    pub request: Request,
    /// What its benchmark scores by; nobody else reads it.
    pub source: Value,
}

/// What the model is asked, in the form of OpenAI's chat completions.
#[derive(Clone, Debug)]
pub struct Request {
    /// Messages.
    pub messages: Vec<Value>,
    /// Tools on offer; left out of the request when there are none.
    pub tools: Vec<Value>,
}

impl Request {
    /// SHA-256 of `{"messages","tools"}` with sorted keys, no blanks and non-ASCII as it is;
    /// `tools` only where there are any.
    pub fn sha256(&self) -> String {
        let mut whole = serde_json::Map::new();
        whole.insert("messages".to_owned(), self.messages.clone().into());
        if !self.tools.is_empty() {
            whole.insert("tools".to_owned(), self.tools.clone().into());
        }
        sha256_hex(&crate::python::canonical(&Value::Object(whole)))
    }
}
