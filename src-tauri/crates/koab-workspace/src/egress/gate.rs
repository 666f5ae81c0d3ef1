//! The egress gate of a workspace. It is made before the workspace is opened.

use koab_engine::egress::{Gate, OfflineReason, WorkspaceSwitch};
use koab_store::EgressLog;
use std::path::Path;
use std::sync::Arc;

/// Environment variable that sets koab offline.
const VARIABLE: &str = "KOAB_OFFLINE";

/// Gate and log of the workspace in this folder. `KOAB_OFFLINE` takes precedence over the switch.
pub(crate) fn gate_of(home: &Path) -> (Gate, Arc<EgressLog>) {
    let log = Arc::new(EgressLog::in_home(home));
    let gate = Gate::new(Arc::clone(&log) as Arc<dyn WorkspaceSwitch>);
    if is_on(std::env::var(VARIABLE).ok().as_deref()) {
        gate.force(Some(OfflineReason::Environment));
    }
    (gate, log)
}

/// Whether the value of the variable means yes. Only an empty value, `0`, `false`, `no` and `off`
/// mean no, so that a misspelt value lets no request out.
fn is_on(value: Option<&str>) -> bool {
    value.is_some_and(|value| {
        !matches!(value.trim().to_lowercase().as_str(), "" | "0" | "false" | "no" | "off")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_no_leaves_the_environment_online() {
        for (value, on) in [
            (None, false),
            (Some(""), false),
            (Some("0"), false),
            (Some("FALSE"), false),
            (Some("off"), false),
            (Some("1"), true),
            (Some("true"), true),
            (Some("please"), true),
        ] {
            assert_eq!(is_on(value), on, "{value:?}");
        }
    }
}
