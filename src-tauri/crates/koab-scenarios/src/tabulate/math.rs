//! Reads the verdict of the checking agent that trials of the benchmark MATH contain.

use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Value;
use std::fs;
use std::path::Path;

const MESSAGES: &str = "checker_messages.json";

/// Whether the last message that the checking agent's proxy received calls the answer correct.
pub(super) fn checked(folder: &Path) -> Result<bool, Sentence> {
    let bytes =
        fs::read(folder.join(MESSAGES)).map_err(|error| say!("{MESSAGES} cannot be read: {error}"))?;
    let messages: Value =
        serde_json::from_slice(&bytes).map_err(|error| say!("{MESSAGES} is not JSON: {error}"))?;
    let last = messages["checker_proxy"].as_array().and_then(|all| all.last());
    let content = last.and_then(|message| message["content"].as_str());
    let content = content.ok_or_else(|| say!("{MESSAGES} holds no message for checker_proxy"))?;
    let content = content.to_lowercase();
    Ok(content.contains("the answer is correct")
        || content.contains("the answer is approximated but should be correct"))
}
