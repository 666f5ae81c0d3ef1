//! Headings of the long helps, in the order of a user's questions.

pub(super) const WHAT: &str = "What to run";
pub(super) const MODEL: &str = "Model";
pub(super) const LOCAL: &str = "Models inside this program (local/…)";
pub(super) const TOOLS: &str = "Tools";
pub(super) const CONTAINER: &str = "Container";
pub(super) const LIMITS: &str = "Limits";
pub(super) const CLUSTER: &str = "On a cluster";
pub(super) const JUDGES: &str = "Judging";
pub(super) const OUTPUT: &str = "Output";
/// Under which the help of every command has the words that all of them know, behind its own.
pub(super) const EVERYWHERE: &str = "Options of every command";
