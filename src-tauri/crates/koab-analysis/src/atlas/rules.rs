//! The rules, one family a file. Each looks at an attempt and says every place that it finds.

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

/// A family of rules.
type Family = fn(&Case<'_>) -> Vec<Finding>;

/// All of them. What they find is put in the causes' order afterwards.
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

/// Everything that any rule finds. An attempt that ended for a technical reason says nothing about
/// its model, and the published runner throws its calls away: nothing else is looked for in it.
pub(super) fn all(seen: &Case<'_>) -> Vec<Finding> {
    if technical_end(seen.attempt) {
        return technical::find(seen);
    }
    FAMILIES.iter().flat_map(|family| family(seen)).collect()
}
