//! A service as the catalogue has it, and why one cannot be asked.

use crate::http::BadBaseUrl;
use koab_core::sentence::Sentence;

/// A service and what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceInfo {
    /// Its name, as the catalogue of keys has it.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its own address.
    pub address: &'static str,
    /// The environment variable that puts another address in its place.
    pub variable: &'static str,
    /// Names of the keys it needs, all of them.
    pub keys: &'static [&'static str],
    /// The tools it answers.
    pub tools: &'static [&'static str],
}

/// A service that cannot be asked as it is set up.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum BadService {
    /// The address.
    #[error("the address in {variable} cannot be used: {cause}")]
    Address {
        /// The variable that holds it.
        variable: &'static str,
        /// What is wrong with it.
        cause: BadBaseUrl,
    },
    /// A key that can stand in no request.
    #[error("the key {name} cannot be sent; store it again with `koab keys set {name}`")]
    Key {
        /// Its name.
        name: &'static str,
    },
    /// TLS.
    #[error("no connection to {title} can be made: {cause}")]
    Client {
        /// The service.
        title: &'static str,
        /// What is wrong.
        cause: Sentence,
    },
}
