//! The command line that benchmarks measure.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::Checkout;

/// Input of a benchmark.
pub(super) struct Bench<'a> {
    pub(super) checkout: &'a Checkout,
    /// Path of the command line's release build.
    pub(super) koab: PathBuf,
}

pub(super) fn koab(bench: &Bench<'_>, home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(&bench.koab);
    command.args(arguments).arg("--quiet").env("KOAB_HOME", home).current_dir(&bench.checkout.root);
    command
}
