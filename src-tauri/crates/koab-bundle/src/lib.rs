//! What goes from one workspace to another or to a leaderboard: bundles and submissions, and
//! whether what they say of themselves is so. Pure: files come as bytes.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bundle;
pub mod submission;
