//! Faults of connections, each with its remedy.

use super::ConnectionState;
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_engine::ports::ModelError;

/// Maximum number of missing models that a remedy names.
const MAX_NAMES: usize = 3;

/// Fault that an error of a check shows, and its remedy.
pub(super) fn of(error: &ModelError) -> (ConnectionState, Option<Sentence>) {
    let (state, remedy) = match error {
        ModelError::Unreachable { .. } => {
            (ConnectionState::Address, say!("start the server, or correct the address"))
        }
        // The cause has the remedy.
        ModelError::Unsafe { cause, .. } => (ConnectionState::Address, cause.clone()),
        ModelError::Http { status: 300..=399, message, .. } => {
            (ConnectionState::Address, say!("correct the address: {message}"))
        }
        ModelError::Unauthorized { .. } => {
            (ConnectionState::Key, say!("replace the key, or have the server's owner allow it"))
        }
        ModelError::RateLimited { .. } | ModelError::Overloaded { .. } => {
            (ConnectionState::Server, say!("the server is busy: check again later"))
        }
        // 501 and 505 say that the server never will.
        ModelError::Http { status: 500 | 502..=504 | 506.., .. } => (
            ConnectionState::Server,
            say!("the server has a fault of its own: look at its log, then check again"),
        ),
        ModelError::UnknownModel { model, .. } => {
            (ConnectionState::Model, missing_models(std::slice::from_ref(model)))
        }
        ModelError::Http { .. } | ModelError::BadAnswer { .. } => (
            ConnectionState::Protocol,
            say!(
                "the server speaks another protocol: choose its provider, or correct the address, which often ends with /v1"
            ),
        ),
        // Offline is handled before, and no model of a connection is in this program.
        ModelError::Embedded(_) | ModelError::Offline(_) => (ConnectionState::Server, error.to_sentence()),
    };
    (state, Some(remedy))
}

/// Remedy for keys and settings that are not set.
pub(super) fn missing_keys(names: &[String]) -> Sentence {
    say!("set {}", names.join(", "))
}

/// Remedy for models that the server does not have.
pub(super) fn missing_models(missing: &[String]) -> Sentence {
    let names = missing.iter().take(MAX_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match missing.len().saturating_sub(MAX_NAMES) {
        0 => say!("edit the connection and choose models that the server has; it does not have {names}"),
        more => say!(
            "edit the connection and choose models that the server has; it does not have {names} and {more} more"
        ),
    }
}
