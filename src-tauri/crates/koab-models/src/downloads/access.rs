//! The hub to use with its token, and conversion of its errors.

use crate::Models;
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_engine::egress::Purpose;
use koab_keys::KeySet;
use koab_providers::hub::{Hub, HubError, OFFICIAL};
use koab_workspace::{ErrorCode, WireError};

/// Names of the hub's token, the usual one first.
const TOKEN: [&str; 2] = ["HF_TOKEN", "HUGGINGFACE_API_KEY"];

/// Environment variables that tell Hugging Face's tools not to use the network.
const OFFLINE: [&str; 2] = ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"];

/// A hub with the keys that were found for it.
pub struct HubAccess {
    /// Client of the hub.
    pub hub: Hub,
    keys: KeySet,
}

impl HubAccess {
    /// Converts an error for the window and the command line. If a token may be missing, the error
    /// also explains why the keychain was not used.
    pub fn wire_error(&self, error: HubError) -> WireError {
        let error = wire_error(error);
        match error.code {
            ErrorCode::NoAccess | ErrorCode::NotFound => {
                WireError::new(error.code, self.keys.explain(error.message))
            }
            _ => error,
        }
    }
}

/// Converts an error for the window and the command line.
pub(crate) fn wire_error(error: HubError) -> WireError {
    let code = match &error {
        HubError::Address(_)
        | HubError::BadRepository { .. }
        | HubError::BadRevision(_)
        | HubError::UnusableToken => ErrorCode::BadRequest,
        HubError::NoRepository { .. }
        | HubError::NoRepositoryForToken { .. }
        | HubError::NoRevision { .. }
        | HubError::NoFile { .. } => ErrorCode::NotFound,
        HubError::Gated { .. } | HubError::GatedForToken { .. } | HubError::Token { .. } => {
            ErrorCode::NoAccess
        }
        HubError::TooMany { .. }
        | HubError::TooManyFor { .. }
        | HubError::Status { .. }
        | HubError::Connection { .. }
        | HubError::BrokenOff { .. }
        | HubError::Unreadable { .. } => ErrorCode::ModelUnreachable,
        HubError::Offline(_) => ErrorCode::Offline,
        HubError::Wrong { .. } => ErrorCode::BadFile,
        HubError::Disk { .. } => ErrorCode::Storage,
        HubError::Cancelled => ErrorCode::Cancelled,
    };
    WireError::new(code, error.to_sentence())
}

/// Splits a text such as `org/name@revision`, or the URL of a repository's page, into repository
/// and revision. Without a revision in the text, the revision is `main`.
pub fn named<'a>(text: &'a str, hub: &str) -> (&'a str, &'a str) {
    let text = text.trim().trim_end_matches('/');
    let page = |hub: &str| text.strip_prefix(hub)?.strip_prefix('/');
    let text = page(hub).or_else(|| page(OFFICIAL)).unwrap_or(text);
    let text = text.strip_prefix("datasets/").unwrap_or(text);
    let (name, revision) = text.split_once('@').unwrap_or((text, "main"));
    match name.split_once("/tree/") {
        Some((name, branch)) if revision == "main" => (name, branch),
        _ => (name, revision),
    }
}

impl Models {
    /// Opens the hub in `HF_ENDPOINT`, else the public one, with the user's token. `purpose` is
    /// logged with every request.
    pub async fn hub(&self, purpose: Purpose) -> Result<HubAccess, WireError> {
        let is_on = |name: &&&str| {
            std::env::var(**name)
                .is_ok_and(|value| ["1", "true", "yes", "on"].contains(&value.to_lowercase().as_str()))
        };
        if let Some(name) = OFFLINE.iter().find(is_on) {
            return Err(WireError::bad_request(say!(
                "{name} is set, so no hub is asked; unset it to fetch anything"
            )));
        }
        let network = self.workspace.network()?;
        // Public files can also be downloaded while the keychain is locked.
        let keys = self.keys.named(&TOKEN).await.unwrap_or_default();
        let token = TOKEN.iter().find_map(|name| keys.get(name));
        let endpoint = std::env::var("HF_ENDPOINT").ok().filter(|set| !set.is_empty());
        let address = endpoint.as_deref().unwrap_or(OFFICIAL);
        let hub = Hub::new(&network, address, token, purpose).map_err(wire_error)?;
        Ok(HubAccess { hub, keys })
    }
}

#[cfg(test)]
mod tests;
