//! Wheels: the command line as a package of Python, since most who use the benchmark live there. maturin builds and packs it
//! (`python/*/pyproject.toml`); it is fetched into an environment of its own below the target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::checkout::Checkout;
use crate::command;

/// Kinds of wheels, and the folder below `python` that describes each.
pub(crate) const PROJECTS: [(&str, &str); 2] = [("wheel", "koab"), ("wheel-local", "koab-local")];

/// What the environment holds, as the package index names it.
const TOOLS: [&str; 4] = [
    "maturin==1.16.0",
    "uv==0.13.9",
    "kubernetes-validate==1.37.0",
    "junitparser==5.0.3",
];
/// What the environment was made for, in its folder: a script of an environment names its folder, so one that was moved does not start.
const STAMP: &str = "made-for.txt";

/// The folder of a kind; `None` where it is no wheel.
pub(crate) fn project(kind: &str) -> Option<&'static str> {
    let found = PROJECTS.iter().find(|(name, _)| *name == kind)?;
    Some(found.1)
}

/// The environment's folder of programs; made where it is not there, of other versions, or from another folder.
///
/// # Errors
/// When Python has no `venv`, or the tools cannot be fetched.
pub(crate) fn tools(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    let folder = checkout.target.join("xtask/python");
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let stamp = format!("{}\n{}\n", folder.display(), TOOLS.join("\n"));
    if std::fs::read_to_string(folder.join(STAMP)).ok().as_deref() != Some(stamp.as_str()) {
        if folder.exists() {
            std::fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        let python = if cfg!(windows) { "python" } else { "python3" };
        command::succeed(Command::new(python).args(["-m", "venv"]).arg(&folder))?;
        let mut install = Command::new(programs.join("pip"));
        command::succeed(
            install
                .args(["install", "--quiet", "--disable-pip-version-check"])
                .args(TOOLS),
        )?;
        // Last, so that an install that failed is made again.
        std::fs::write(folder.join(STAMP), stamp)?;
    }
    Ok(programs)
}

/// Builds the wheel of a folder below `python`; answers its file. `ui/dist` must be there.
///
/// # Errors
/// When maturin cannot be had, or fails.
pub(crate) fn build(checkout: &Checkout, project: &str, debug: bool) -> anyhow::Result<PathBuf> {
    let maturin = tools(checkout)?.join("maturin");
    let profile = if debug { "dev" } else { "release" };
    let out = checkout.target.join("wheels").join(project);
    if out.exists() {
        // One of an earlier version would be taken for this one's.
        std::fs::remove_dir_all(&out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    let mut build = Command::new(maturin);
    build
        .args(["build", "--locked", "--profile", profile, "--out"])
        .arg(&out)
        .env("CARGO_TARGET_DIR", &checkout.target)
        .current_dir(checkout.root.join("python").join(project));
    command::succeed(&mut build)?;
    only_wheel(&out)
}

fn only_wheel(folder: &Path) -> anyhow::Result<PathBuf> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("no wheel was made in {}", folder.display()))?;
    let mut wheels: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .collect();
    ensure!(
        wheels.len() == 1,
        "{} wheels were made in {} instead of one",
        wheels.len(),
        folder.display()
    );
    wheels.pop().context("BUG: it was counted")
}
