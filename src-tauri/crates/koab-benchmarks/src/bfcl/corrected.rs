//! What the corrected rules say of items that cannot be passed as published (`docs/spec/bfcl.md`
//! §6).

use koab_core::sentence::Sentence;
use koab_core::text;

/// Items that no reply passes, and two that only an absurd one does: function and truth disagree.
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

/// Why an item is not scored by the corrected rules.
pub(super) fn unscored(id: &str) -> Option<Sentence> {
    UNPASSABLE
        .contains(&id)
        .then(|| text!("no sensible reply passes the item: its function and its answer disagree").into())
}
