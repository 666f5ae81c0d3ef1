//! What crosses to the UI.

pub use koab_run_types::*;
