//! Findings of rules.

use koab_core::finding::Finding;

/// Finding of a rule in a log. Its code is the name of the rule, in lower case with hyphens.
pub type LogFinding = Finding<&'static str>;
