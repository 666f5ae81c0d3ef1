//! The tests of whole workspaces.

mod bundles;
mod transcripts;
