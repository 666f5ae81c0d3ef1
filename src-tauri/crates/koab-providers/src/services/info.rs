//! Description of a service, and reasons why one cannot be used.

use crate::http::BadBaseUrl;
use koab_core::sentence::Sentence;

/// A service and its requirements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceInfo {
    /// Name in the catalogue of keys.
    pub name: &'static str,
    /// Display name.
    pub title: &'static str,
    /// Default address.
    pub address: &'static str,
    /// Environment variable that replaces the address.
    pub variable: &'static str,
    /// Names of the keys that the service requires.
    pub keys: &'static [&'static str],
    /// Tools that the service answers.
    pub tools: &'static [&'static str],
}

/// Reason why a service cannot be used.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum BadService {
    /// The address is invalid.
    #[error("the address in {variable} cannot be used: {cause}")]
    Address {
        /// Environment variable with the address.
        variable: &'static str,
        /// Fault of the address.
        cause: BadBaseUrl,
    },
    /// A key contains characters that cannot be sent.
    #[error("the key {name} cannot be sent; store it again with `koab keys set {name}`")]
    Key {
        /// Name of the key.
        name: &'static str,
    },
    /// TLS could not be set up.
    #[error("no connection to {title} can be made: {cause}")]
    Client {
        /// Display name of the service.
        title: &'static str,
        /// Reason why TLS could not be set up.
        cause: Sentence,
    },
}
