//! The command line that is measured.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::Checkout;

/// What a benchmark is given.
pub(super) struct Bench<'a> {
    pub(super) checkout: &'a Checkout,
    /// The release build of the command line.
    pub(super) koab: PathBuf,
}

pub(super) fn koab(bench: &Bench<'_>, home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(&bench.koab);
    command.args(arguments).arg("--quiet").env("KOAB_HOME", home).current_dir(&bench.checkout.root);
    command
}
