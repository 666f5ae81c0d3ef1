//! Benchmark of the speed and robustness of runs on a real Slurm. The long tests of the command
//! line measure both.

use std::time::Duration;

use super::command::Bench;
use super::table::{Row, Target};
use crate::command;
use crate::slurm::Slurm;

/// Number of tests in `koab-cli/tests/cluster/long.rs`.
const TEST_COUNT: f64 = 6.0;
/// Time limit of all tests together, on a busy machine.
const LIMIT: Duration = Duration::from_secs(1800);

/// Counts the long tests that pass. The tests print their own measurements.
pub(super) fn long(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let slurm = Slurm::start(bench.checkout)?;
    let mut cargo = command::cargo(&bench.checkout.root);
    cargo
        .args([
            "nextest",
            "run",
            "--package",
            "koab-cli",
            "--test",
            "all",
            "--ignore-default-filter",
            "--release",
        ])
        .args(["--filterset", "test(/^cluster::long::/)", "--no-fail-fast", "--no-capture"])
        .env("KOAB_TEST_SLURM", slurm.folder())
        .env("KOAB_REQUIRE_ALL", "1");
    let watched = command::watch(&mut cargo, LIMIT)?;
    let mut passed = 0.0;
    for line in &watched.lines {
        passed += f64::from(u8::from(line.starts_with("test result: ok. 1 passed")));
    }
    Ok(vec![Row::new("runs on Slurm, long tests that hold", passed, "").target(Target::AtLeast(TEST_COUNT))])
}
