//! The versions of the protocol.

/// Those that begin with a handshake (`initialize`), the oldest first.
pub const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The newest that begins with a handshake: the answer to a client that asks for one that is not
/// known.
pub const NEWEST_HANDSHAKE: &str = "2025-11-25";
/// The one without a handshake: version, client and capabilities travel in every request.
pub const MODERN: &str = "2026-07-28";

/// All versions that are known, the oldest first.
pub const KNOWN: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN];

/// Where a request of [`MODERN`] says its version.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The version that the answer to `initialize` names.
pub fn negotiated(asked: &str) -> &'static str {
    let known = HANDSHAKE.into_iter().find(|known| *known == asked);
    known.unwrap_or(NEWEST_HANDSHAKE)
}
