//! Bundles and submissions, which are files for another workspace or for the leaderboard, with
//! checks that their content is consistent.
//!
//! This crate is pure: it gets the content of files as bytes.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bundle;
pub mod submission;
