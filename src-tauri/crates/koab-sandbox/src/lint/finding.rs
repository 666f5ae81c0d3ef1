//! What a rule finds.

use koab_core::finding::Finding;

/// What a rule saw in a log. Its code is the rule, in lower case with hyphens.
pub type LogFinding = Finding<&'static str>;
