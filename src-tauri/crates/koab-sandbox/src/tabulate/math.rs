//! The verdict of MATH's checking agent.

use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Value;
use std::fs;
use std::path::Path;

const MESSAGES: &str = "checker_messages.json";

/// Whether the checking agent called the answer correct in the last message it was sent.
pub(super) fn checked(folder: &Path) -> Result<bool, Sentence> {
    let bytes =
        fs::read(folder.join(MESSAGES)).map_err(|error| say!("{MESSAGES} cannot be read: {error}"))?;
    let messages: Value =
        serde_json::from_slice(&bytes).map_err(|error| say!("{MESSAGES} is not JSON: {error}"))?;
    let said = messages["checker_proxy"].as_array().and_then(|all| all.last());
    let said = said.and_then(|message| message["content"].as_str());
    let said = said.ok_or_else(|| say!("{MESSAGES} holds no message for checker_proxy"))?;
    let said = said.to_lowercase();
    Ok(said.contains("the answer is correct")
        || said.contains("the answer is approximated but should be correct"))
}
