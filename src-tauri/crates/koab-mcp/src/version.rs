//! Versions of the protocol.

/// Versions with a handshake (`initialize`), the oldest first.
pub const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The newest version with a handshake, which is the answer to a client that requests an unknown
/// one.
pub const NEWEST_HANDSHAKE: &str = "2025-11-25";
/// The version without a handshake: each request contains version, client and capabilities.
pub const MODERN: &str = "2026-07-28";

/// All supported versions, the oldest first.
pub const KNOWN: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN];

/// Key of the version in the `_meta` of a [`MODERN`] request.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// Version for the answer to `initialize`.
pub fn negotiated(requested: &str) -> &'static str {
    let version = HANDSHAKE.into_iter().find(|one| *one == requested);
    version.unwrap_or(NEWEST_HANDSHAKE)
}
