//! Names of tools on their way to the model and back.
//!
//! A tool of a namespace goes as `NAMESPACE__NAME`, since models know no namespaces; clients find a
//! called tool only by both parts. What is longer than models take is cut and told apart by a hash.

use koab_core::cache_key::sha256_hex;
use serde_json::Value;

/// Letters of a name at most, as all vendors have it.
const LONGEST: usize = 64;
/// Letters that stay of a longer one, before `_` and 8 digits of a hash.
const KEPT: usize = 55;

/// What a request offers under one name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfferedTool {
    pub(super) namespace: Option<String>,
    pub(super) name: String,
    /// Whether its input is a text instead of an object.
    pub(super) custom: bool,
}

/// The name that the model knows a tool by.
pub(super) fn upstream(namespace: Option<&str>, name: &str) -> String {
    let whole = match namespace {
        Some(namespace) => format!("{}__{name}", namespace.trim_end_matches('_')),
        None => name.to_owned(),
    };
    if whole.len() <= LONGEST {
        return whole;
    }
    let kept: String = whole.chars().take(KEPT).collect();
    format!("{kept}_{}", &sha256_hex(&whole)[..8])
}

/// What a request offers under the name that the model called.
pub(super) fn offered(body: &Value, called: &str) -> Option<OfferedTool> {
    let tools = body["tools"].as_array()?;
    tools.iter().find_map(|tool| {
        let namespace = match tool["type"].as_str()? {
            "function" | "custom" => return one(tool, None, called),
            "namespace" => tool["name"].as_str()?,
            _ => return None,
        };
        let inner = tool["tools"].as_array()?;
        inner.iter().find_map(|tool| one(tool, Some(namespace), called))
    })
}

fn one(tool: &Value, namespace: Option<&str>, called: &str) -> Option<OfferedTool> {
    let name = tool["name"].as_str()?;
    (upstream(namespace, name) == called).then(|| OfferedTool {
        namespace: namespace.map(str::to_owned),
        name: name.to_owned(),
        custom: tool["type"] == "custom",
    })
}
