//! `cargo xtask bundle`: packages that contain the window and the command line.
//!
//! Cargo builds the binaries, and the Tauri command line packs them (`tauri bundle`, the second
//! half of `tauri build`). So the test of packages uses the binaries that the other tests built.
//! For Tauri, koab's command line is an external binary, and every kind of package puts it next to
//! the window. This is configured here and not in `tauri.conf.json`, where every build of the
//! window would require the file.

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

/// Tauri's name of a kind of package, and the extension of its files.
const KINDS: [(&str, &str); 6] = [
    ("deb", "deb"),
    ("rpm", "rpm"),
    ("appimage", "AppImage"),
    ("dmg", "dmg"),
    ("msi", "msi"),
    ("nsis", "exe"),
];

/// Kind of package that is built by default on this system.
const USUAL: &str = if cfg!(target_os = "macos") {
    "dmg"
} else if cfg!(windows) {
    "msi"
} else {
    "deb"
};

/// Builds a package in the release profile, or with `--debug` in the development profile. `--kind`
/// selects another kind than the default kind of this system.
///
/// # Errors
/// When a requirement is missing, or a step fails.
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

/// Packs built binaries and returns the path of the package.
///
/// # Errors
/// When the kind is unknown, the window was not built, or the Tauri command line fails.
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
        // A package of an earlier version would be mistaken for the new one.
        std::fs::remove_dir_all(&packages).with_context(|| format!("cannot empty {}", packages.display()))?;
    }
    let external = copy_for_tauri(checkout, &built.koab, target)?;
    let config = json!({ "bundle": { "externalBin": [external] } });
    let mut tauri = Command::new(checkout.ui().join("node_modules/.bin/tauri"));
    tauri.args(["bundle", "--ci", "--bundles", kind, "--config", &config.to_string()]);
    if debug {
        tauri.arg("--debug");
    }
    if let Some(target) = target {
        tauri.args(["--target", target]);
    }
    command::succeed(tauri.current_dir(&checkout.root))?;
    only_package(&packages, ending)
}

/// Copies the command line to a path that Tauri expects and returns `PATH`. Tauri reads
/// `PATH-TARGET` and packs it under the last part of `PATH`. The default target is this machine.
fn copy_for_tauri(checkout: &Checkout, koab: &Path, target: Option<&str>) -> anyhow::Result<PathBuf> {
    let target = match target {
        Some(target) => target.to_owned(),
        None => {
            let version = command::stdout_of(Command::new("rustc").arg("-vV"))?;
            let own = version.lines().find_map(|line| line.strip_prefix("host: "));
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
    let mut packages: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("no package was made below {}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|own| own == ending))
        .collect();
    ensure!(
        packages.len() == 1,
        "{} packages were made in {} instead of one",
        packages.len(),
        folder.display()
    );
    packages.pop().context("BUG: it was counted")
}
