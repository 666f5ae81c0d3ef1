//! Types that are sent to the UI.

pub use koab_run_types::*;
