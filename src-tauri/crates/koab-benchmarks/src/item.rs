//! One question of a benchmark.

use koab_core::cache_key::sha256_hex;
use serde_json::Value;

/// One question, with the data that it is scored by.
#[derive(Clone, Debug)]
pub struct Item {
    /// Id of the item, unique in the benchmark: `simple_python_12`, `singlecall:21:4_close`.
    pub id: String,
    /// Names of the item's groups, from the outermost to the innermost: `["live", "live_simple"]`.
    /// Groups take the place of levels.
    pub groups: Vec<String>,
    /// Request to the model.
    pub request: Request,
    /// Data that the benchmark needs for scoring. No other code reads it.
    pub source: Value,
}

/// Request to the model, in the form of OpenAI's chat completions.
#[derive(Clone, Debug)]
pub struct Request {
    /// Messages of the conversation so far.
    pub messages: Vec<Value>,
    /// Offered tools; left out of the request when empty.
    pub tools: Vec<Value>,
}

impl Request {
    /// SHA-256 of `{"messages","tools"}` as JSON with sorted keys, without blanks and with
    /// unescaped non-ASCII characters. `tools` is included only if there are any.
    pub fn sha256(&self) -> String {
        let mut whole = serde_json::Map::new();
        whole.insert("messages".to_owned(), self.messages.clone().into());
        if !self.tools.is_empty() {
            whole.insert("tools".to_owned(), self.tools.clone().into());
        }
        sha256_hex(&crate::python::canonical(&Value::Object(whole)))
    }
}
