//! Corrected rules for items that no reply can pass as published (`docs/spec/bfcl.md` §6).

use koab_core::sentence::Sentence;
use koab_core::text;

/// Items whose function and expected call contradict each other, so that no sensible reply passes
/// them.
pub(super) const UNPASSABLE: [&str; 8] = [
    "simple_java_36",
    "simple_java_64",
    "simple_java_65",
    "live_simple_106-63-0",
    "live_simple_112-68-0",
    "live_multiple_507-149-4",
    "live_multiple_862-181-3",
    "live_multiple_964-207-0",
];

/// Reason why the corrected rules do not score an item.
pub(super) fn unscored(id: &str) -> Option<Sentence> {
    UNPASSABLE
        .contains(&id)
        .then(|| text!("no sensible reply passes the item: its function and its answer disagree").into())
}
