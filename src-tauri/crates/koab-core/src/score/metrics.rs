//! The metrics, one file per family. Shared code is in the parent module.

pub(super) mod call;
pub(super) mod conversation;
pub(super) mod coverage;
pub(super) mod fallback;
pub(super) mod passk;
pub(super) mod reuse;
pub(super) mod selection;
pub(super) mod sequence;
pub(super) mod success;
