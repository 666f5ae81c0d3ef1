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
/// Heading of the options that every command has. They come after a command's own options.
pub(super) const EVERYWHERE: &str = "Options of every command";
