//! Result of the check of a model's server.

/// Answer of a server that was reached, accepts the key and speaks the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerCheck {
    /// The provider has no request for a check, so nothing was sent.
    NotAsked,
    /// Names of the models that the server lists, sorted.
    Lists(Vec<String>),
    /// The server has no list of models.
    NoList,
    /// The server was asked about the one model, and knows it.
    KnowsModel,
}
