//! The metrics, a file a family. What they share stands beside this room.

pub(super) mod call;
pub(super) mod conversation;
pub(super) mod coverage;
pub(super) mod fallback;
pub(super) mod passk;
pub(super) mod reuse;
pub(super) mod selection;
pub(super) mod sequence;
pub(super) mod success;
