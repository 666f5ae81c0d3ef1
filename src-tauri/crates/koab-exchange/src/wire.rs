//! Bundles and submissions as they cross to the page.

mod bundle;
mod submission;

pub use bundle::*;
pub use submission::*;
