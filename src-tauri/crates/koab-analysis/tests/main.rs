//! The tests of the statistics that need the published runs.

#[path = "../../koab-report/tests/parity_support/mod.rs"]
mod parity_support;

mod atlas_published;
mod paired_published;
mod power_published;
