//! `cargo xtask bundle`: packages with the window and the command line in them.
//!
//! Cargo builds the binaries and the Tauri command line packs them (`tauri bundle`, the second half
//! of `tauri build`). So the test packs what the other tests have built, and does not build a third
//! time. The command line goes along as what Tauri calls an external binary: in every kind of
//! package it lies beside the window. It is named here and not in `tauri.conf.json`, where every
//! build of the window would look for the file.

mod universal;
pub(crate) mod wheel;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail, ensure};
use serde_json::json;

use crate::binaries::{self, Binaries};
use crate::checkout::Checkout;
use crate::setup::{self, Need};
use crate::{command, out, ui};

/// Kinds of packages by Tauri's name, and what their files end in.
const KINDS: [(&str, &str); 6] = [
    ("deb", "deb"),
    ("rpm", "rpm"),
    ("appimage", "AppImage"),
    ("dmg", "dmg"),
    ("msi", "msi"),
    ("nsis", "exe"),
];

/// The kind that a system's users expect.
const USUAL: &str = if cfg!(target_os = "macos") {
    "dmg"
} else if cfg!(windows) {
    "msi"
} else {
    "deb"
};

/// Builds a package in the release profile, or with `--debug` in the development profile; `--kind`
/// names another kind than the system's usual one.
///
/// # Errors
/// When something that is needed is missing, or a step fails.
pub(crate) fn run(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let (mut debug, mut kind) = (false, USUAL);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--debug" => debug = true,
            "--kind" => kind = rest.next().context("--kind takes the name of a kind")?,
            other => bail!("no such option: {other}; there are --debug and --kind"),
        }
    }
    let missing = setup::ensure(checkout, &[Need::UiPackages, Need::WindowBuild, Need::ModelBuild]);
    if let Some(sentence) =
        missing.first_of(&[Need::Node, Need::UiPackages, Need::WindowBuild, Need::ModelBuild])
    {
        bail!("{sentence}");
    }
    ui::build_if_stale(checkout)?;
    if let Some(project) = wheel::project(kind) {
        out::line(wheel::build(checkout, project, debug)?.display());
        return Ok(ExitCode::SUCCESS);
    }
    let built = match kind {
        "dmg" => universal::build(checkout, !debug)?,
        _ => binaries::build_packaged(checkout, !debug, None)?,
    };
    out::line(pack(checkout, &built, kind)?.display());
    Ok(ExitCode::SUCCESS)
}

/// Packs built binaries; answers where the package is.
///
/// # Errors
/// When there is no such kind, the window was not built, or the Tauri command line fails.
pub(crate) fn pack(checkout: &Checkout, built: &Binaries, kind: &str) -> anyhow::Result<PathBuf> {
    let (kind, ending) = KINDS.iter().find(|(name, _)| *name == kind).with_context(|| {
        let wheels = wheel::PROJECTS.iter().map(|(kind, _)| *kind);
        let names: Vec<_> = KINDS.iter().map(|(name, _)| *name).chain(wheels).collect();
        format!("no such kind of package: {kind}; there are {}", names.join(", "))
    })?;
    let window = built.window.as_deref().context("the window was not built")?;
    let folder = window.parent().context("BUG: a binary lies in a folder")?;
    let debug = folder.ends_with("debug");
    let target = (kind == &"dmg").then_some(universal::TARGET);
    let packages = folder.join("bundle").join(kind);
    if packages.exists() {
        // One of an earlier version would be taken for this one's.
        std::fs::remove_dir_all(&packages).with_context(|| format!("cannot empty {}", packages.display()))?;
    }
    let beside = named_for_tauri(checkout, &built.koab, target)?;
    let also = json!({ "bundle": { "externalBin": [beside] } });
    let mut tauri = Command::new(checkout.ui().join("node_modules/.bin/tauri"));
    tauri.args(["bundle", "--ci", "--bundles", kind, "--config", &also.to_string()]);
    if debug {
        tauri.arg("--debug");
    }
    if let Some(target) = target {
        tauri.args(["--target", target]);
    }
    command::succeed(tauri.current_dir(&checkout.root))?;
    only_package(&packages, ending)
}

/// Copies the command line to where Tauri takes it from: it looks for `PATH-TARGET`, where the
/// target is this machine's unless one is named, and packs it as `PATH`'s last part. Answers
/// `PATH`.
fn named_for_tauri(checkout: &Checkout, koab: &Path, target: Option<&str>) -> anyhow::Result<PathBuf> {
    let target = match target {
        Some(target) => target.to_owned(),
        None => {
            let said = command::stdout_of(Command::new("rustc").arg("-vV"))?;
            let own = said.lines().find_map(|line| line.strip_prefix("host: "));
            own.context("rustc does not say what it builds for")?.to_owned()
        }
    };
    let folder = checkout.target.join("xtask/beside");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let copy = folder.join(format!("koab-{target}{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(koab, &copy).with_context(|| format!("cannot write {}", copy.display()))?;
    Ok(folder.join("koab"))
}

fn only_package(folder: &Path, ending: &str) -> anyhow::Result<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("no package was made below {}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    ensure!(found.len() == 1, "{} packages were made in {} instead of one", found.len(), folder.display());
    found.pop().context("BUG: it was counted")
}
