//! Test of the built command line: the golden baseline runs the whole starter pack in an empty
//! workspace.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{bail, ensure};

use super::context::Context;
use super::count::Count;
use crate::{binaries, command};

/// Time limit of two minutes. The run takes seconds, or longer with a debug build on a busy
/// machine.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs and scores the starter pack, and checks which files are then in the workspace.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    let koab = binaries::build(context.checkout, context.selection)?.koab;
    let home = context.checkout.scratch("home")?;
    let data = ["tasks", "cache"].map(|folder| context.checkout.root.join(folder));
    let before = data.each_ref().map(|folder| listing(folder));

    let mut run = Command::new(koab);
    run.args(["run", "--model", "baseline/golden", "--evaluate"]);
    run.env("KOAB_HOME", home.path()).current_dir(&context.checkout.root);
    let watched = command::watch(&mut run, LIMIT)?;
    ensure!(watched.status.success(), "`koab run` ended with {}", watched.status);
    ensure!(watched.lines.iter().any(|line| !line.trim().is_empty()), "`koab run` printed no scores");

    let logs = home.path().join("logs/benchmark_results/by_model");
    let count = listing(&logs).into_iter().map(|(path, ..)| path).filter(|path| is_level_log(path)).count();
    ensure!(count == 7, "`koab run` wrote {count} of 7 level logs below logs/benchmark_results/by_model");
    ensure!(!listing(&home.path().join("reports")).is_empty(), "`koab run --evaluate` wrote no report");
    if data.each_ref().map(|folder| listing(folder)) != before {
        bail!("the run changed tasks/ or cache/ of the checkout (invariant 6 of docs/ARCHITECTURE.md)");
    }
    Ok(Count::pass())
}

fn is_level_log(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    matches!(name, "L1.json" | "L2.json" | "L3.json" | "L4.json" | "L5.json" | "L6.json" | "L7.json")
}

/// Every file below a folder with its size and date, sorted by path.
fn listing(folder: &Path) -> Vec<(PathBuf, u64, Option<SystemTime>)> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(listing(&path));
        } else if let Ok(metadata) = path.metadata() {
            files.push((path, metadata.len(), metadata.modified().ok()));
        }
    }
    files.sort();
    files
}
