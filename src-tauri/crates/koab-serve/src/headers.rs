//! Headers of every answer.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use koab_api::WireError;
use koab_core::say;
use serde_json::Value;

/// Headers of every answer, including refusals.
pub(crate) struct Headers(Vec<(HeaderName, HeaderValue)>);

impl Headers {
    /// Creates the headers with the window's content security policy, except that the page connects
    /// to this server instead of the window.
    pub(crate) fn new() -> Result<Self, WireError> {
        let policy = HeaderValue::from_str(&content_policy()?).map_err(WireError::internal)?;
        let constants = [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ];
        let mut headers = vec![(HeaderName::from_static("content-security-policy"), policy)];
        headers.extend(
            constants.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))),
        );
        Ok(Self(headers))
    }

    pub(crate) fn add_to(&self, answer: &mut HeaderMap) {
        answer.extend(self.0.iter().cloned());
    }
}

/// The content security policy, read from the window's own configuration so that the two cannot
/// differ.
fn content_policy() -> Result<String, WireError> {
    let config: Value =
        serde_json::from_str(include_str!("../../../../tauri.conf.json")).map_err(WireError::internal)?;
    let rules = config["app"]["security"]["csp"].as_object().ok_or_else(|| {
        WireError::internal(say!("the window's configuration has no content security policy"))
    })?;
    let rules = rules.iter().map(|(name, allowed)| match name.as_str() {
        "connect-src" => "connect-src 'self'".to_owned(),
        _ => format!("{name} {}", allowed.as_str().unwrap_or("'none'")),
    });
    Ok(rules.collect::<Vec<_>>().join("; "))
}
