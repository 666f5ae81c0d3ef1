//! Rules of the atlas, one family per file. Each rule looks at one attempt and reports every place
//! that shows its cause.

mod answer;
mod arguments;
mod calls;
mod fallback;
mod grounding;
mod judges;
mod path;
mod technical;

use super::case::Case;
use super::finding::Finding;
use super::loss::technical as technical_end;

/// Function with a family of rules.
type Family = fn(&Case<'_>) -> Vec<Finding>;

/// All families of rules. Findings are sorted by cause afterwards.
const FAMILIES: [Family; 8] = [
    technical::find,
    calls::find,
    fallback::find,
    path::find,
    arguments::find,
    answer::find,
    grounding::find,
    judges::find,
];

/// Findings of all rules. An attempt that ended for a technical reason has only findings of the
/// technical rules, since it gives no information about the model.
pub(super) fn all(case: &Case<'_>) -> Vec<Finding> {
    if technical_end(case.attempt) {
        return technical::find(case);
    }
    FAMILIES.iter().flat_map(|family| family(case)).collect()
}
