//! The metrics, with one file per family. The parent module has the shared code.

pub(super) mod call;
pub(super) mod conversation;
pub(super) mod coverage;
pub(super) mod fallback;
pub(super) mod passk;
pub(super) mod reuse;
pub(super) mod selection;
pub(super) mod sequence;
pub(super) mod success;
