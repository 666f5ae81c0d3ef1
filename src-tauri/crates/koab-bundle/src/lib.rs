//! Bundles and submissions: what is passed to another workspace or to a leaderboard, with checks
//! that their content agrees with itself. Pure: files are given as bytes.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bundle;
pub mod submission;
