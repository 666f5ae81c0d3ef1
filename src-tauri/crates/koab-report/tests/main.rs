//! The tests of reports against the published ones.

mod parity_support;

mod compare_published;
mod parity_evidence;
mod parity_history;
mod parity_published;
mod parity_reports;
mod parity_scores;
