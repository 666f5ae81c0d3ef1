//! Node and the npm packages of the UI.

use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use crate::checkout::Checkout;
use crate::{command, out};

const OLDEST_NODE: u32 = 20;

/// Checks that Node is installed and new enough. This program does not install Node: distributions
/// often have an old version, and a person may use a version manager.
///
/// # Errors
/// When Node is missing or too old. The error says how to install it.
pub(super) fn check() -> Result<(), String> {
    let advice = format!(
        "install Node {OLDEST_NODE} or newer with npm, for instance with `apt-get install nodejs npm`, \
         `dnf install nodejs npm`, `pacman -S nodejs npm` or `brew install node`"
    );
    if command::which("npm").is_none() && command::which("npm.cmd").is_none() {
        return Err(format!("npm is missing; {advice}"));
    }
    let version = command::stdout_of(Command::new("node").arg("--version"))
        .map_err(|_| format!("Node is missing; {advice}"))?;
    match major(&version) {
        Some(version) if version >= OLDEST_NODE => Ok(()),
        _ => Err(format!("Node {} is too old; {advice}", version.trim())),
    }
}

/// Installs the packages in `ui/package-lock.json` if they are absent or older than that lock file.
///
/// # Errors
/// When npm fails or the UI is missing. The error says what to do.
pub(super) fn packages(checkout: &Checkout) -> Result<(), String> {
    let ui = checkout.ui();
    let lock = modified(&ui.join("package-lock.json"))
        .ok_or("ui/package-lock.json is missing; the checkout is not complete")?;
    // npm writes this file last, so its date is that of a complete install.
    if modified(&ui.join("node_modules/.package-lock.json")).is_some_and(|installed| installed >= lock) {
        return Ok(());
    }
    out::line("set-up: installing the UI's packages with npm ci");
    command::succeed(command::npm(&ui).args(["ci", "--no-audit", "--no-fund"]))
        .map_err(|error| format!("the UI's packages could not be installed ({error:#}); run `npm ci` in ui"))
}

fn major(version: &str) -> Option<u32> {
    version.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_what_node_prints() {
        for (printed, expected) in
            [("v20.20.2\n", Some(20)), ("v8.1.0", Some(8)), ("22", Some(22)), ("", None), ("nonsense", None)]
        {
            assert_eq!(major(printed), expected, "{printed:?}");
        }
    }
}
