//! Types of bundles and submissions that are sent to the page.

mod bundle;
mod submission;

pub use bundle::*;
pub use submission::*;
