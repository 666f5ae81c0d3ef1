//! Wheels: the command line as a Python package, because most users of the benchmark work in
//! Python. maturin builds and packs it (`python/*/pyproject.toml`).
//!
//! maturin is installed into an environment of its own in the user's cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::binaries::Binaries;
use crate::checkout::Checkout;
use crate::command;

/// Names of the kinds of wheels, each with its folder below `python`.
pub(crate) const PROJECTS: [(&str, &str); 2] = [("wheel", "koab"), ("wheel-local", "koab-local")];

/// Python packages to install into the environment, in pip's form.
const TOOLS: [&str; 4] =
    ["maturin==1.16.0", "uv==0.13.9", "kubernetes-validate==1.37.0", "junitparser==5.0.3"];

/// Folder of a kind of wheel; `None` for other kinds of packages.
pub(crate) fn project(kind: &str) -> Option<&'static str> {
    let project = PROJECTS.iter().find(|(name, _)| *name == kind)?;
    Some(project.1)
}

/// Folder with the programs of the environment, in the user's cache.
///
/// # Panics
/// When Python has no `venv`, or the packages cannot be fetched.
pub(crate) fn tools() -> PathBuf {
    koab_programs::python("python-tools", &TOOLS).join(if cfg!(windows) { "Scripts" } else { "bin" })
}

/// Builds the wheel of a folder below `python` and returns its path. `ui/dist` must exist.
///
/// # Errors
/// When maturin fails.
pub(crate) fn build(checkout: &Checkout, project: &str, debug: bool) -> anyhow::Result<PathBuf> {
    let mut build = maturin(checkout, project, debug)?;
    command::succeed(&mut build)?;
    only_wheel(&folder_of(checkout, project))
}

/// Packs the wheel of a folder below `python` with a built command line and returns its path.
///
/// maturin has no option to use a program that is already built. So it gets a script in place of
/// cargo, and the script prints cargo's message about the built program.
///
/// # Errors
/// When maturin or `strip` fails.
#[cfg(unix)]
pub(crate) fn pack(checkout: &Checkout, project: &str, built: &Binaries) -> anyhow::Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt as _;

    let scratch = checkout.scratch("wheel-cargo")?;
    let program = scratch.path().join("koab");
    command::succeed(Command::new("strip").arg("-o").arg(&program).arg(&built.koab))?;
    let mut message = built.koab_message.clone();
    message["executable"] = program.display().to_string().into();
    message["filenames"] = serde_json::json!([program]);
    let message_file = scratch.path().join("message.json");
    std::fs::write(&message_file, format!("{message}\n"))?;
    let cargo = scratch.path().join("cargo");
    std::fs::write(
        &cargo,
        "#!/bin/sh\nfor word; do\n  case $word in build | rustc) exec cat \"$KOAB_MESSAGE\" ;; esac\ndone\nexec \"$KOAB_CARGO\" \"$@\"\n",
    )?;
    std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755))?;
    let mut build = maturin(checkout, project, true)?;
    build
        .env("CARGO", &cargo)
        .env("KOAB_CARGO", std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .env("KOAB_MESSAGE", &message_file);
    command::succeed(&mut build)?;
    only_wheel(&folder_of(checkout, project))
}

fn folder_of(checkout: &Checkout, project: &str) -> PathBuf {
    checkout.target.join("wheels").join(project)
}

fn maturin(checkout: &Checkout, project: &str, debug: bool) -> anyhow::Result<Command> {
    let out = folder_of(checkout, project);
    if out.exists() {
        // A wheel of an earlier version would be mistaken for the new one.
        std::fs::remove_dir_all(&out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    let mut maturin = Command::new(tools().join("maturin"));
    let profile = if debug { "dev" } else { "release" };
    maturin
        .args(["build", "--locked", "--profile", profile, "--out"])
        .arg(&out)
        .env("CARGO_TARGET_DIR", &checkout.target)
        .current_dir(checkout.root.join("python").join(project));
    Ok(maturin)
}

fn only_wheel(folder: &Path) -> anyhow::Result<PathBuf> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("no wheel was made in {}", folder.display()))?;
    let mut wheels: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .collect();
    ensure!(wheels.len() == 1, "{} wheels were made in {} instead of one", wheels.len(), folder.display());
    wheels.pop().context("BUG: it was counted")
}
