//! Conversion of tool names between clients and the model.
//!
//! A tool in a namespace is sent to the model as `NAMESPACE__NAME`, since models have no
//! namespaces; clients need both parts to find a called tool. A name that is too long for models is
//! cut and made unique by a hash.

use koab_core::cache_key::sha256_hex;
use serde_json::Value;

/// Maximum length of a tool's name in bytes, the same for all vendors.
const MAX_NAME_BYTES: usize = 64;
/// Number of bytes kept of a longer name, before `_` and 8 digits of a hash.
const KEPT_NAME_BYTES: usize = MAX_NAME_BYTES - 9;

/// Tool that a request offers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfferedTool {
    pub(super) namespace: Option<String>,
    pub(super) name: String,
    /// Whether the tool's input is a text instead of an object.
    pub(super) custom: bool,
}

/// Name under which the model gets a tool.
pub(super) fn upstream(namespace: Option<&str>, name: &str) -> String {
    let whole = match namespace {
        Some(namespace) => format!("{}__{name}", namespace.trim_end_matches('_')),
        None => name.to_owned(),
    };
    if whole.len() <= MAX_NAME_BYTES {
        return whole;
    }
    let start = &whole[..whole.floor_char_boundary(KEPT_NAME_BYTES)];
    format!("{start}_{}", &sha256_hex(&whole)[..8])
}

/// Tool of a request, found by the name that the model called.
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

#[cfg(test)]
mod tests {
    use super::{MAX_NAME_BYTES, upstream};

    #[test]
    fn a_name_too_long_for_models_is_cut_by_bytes() {
        assert_eq!(upstream(Some("files_"), "read"), "files__read");
        for long in ["a".repeat(70), "날씨".repeat(15)] {
            let name = upstream(None, &long);
            assert!(name.len() <= MAX_NAME_BYTES, "{name}: {}", name.len());
            assert!(long.starts_with(&name[..name.len() - 9]), "{name}");
            assert_ne!(name, upstream(None, &format!("{long}b")));
        }
        assert_eq!(upstream(None, &"a".repeat(70)).len(), MAX_NAME_BYTES);
    }
}
