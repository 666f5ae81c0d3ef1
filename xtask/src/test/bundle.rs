//! Test of the Debian package. It checks the content of the package and whether the unpacked
//! programs start.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};

use super::context::{Context, Required};
use super::count::Count;
use super::script;
use crate::binaries::{self, Selection};
use crate::{bundle, command, ui};

/// Time limit of a script. The window starts within seconds, but a script whose window hangs would
/// never end.
const LIMIT: Duration = Duration::from_secs(180);

/// Paths of the files that the package must contain, below the root folder.
const FILES: [&str; 7] = [
    "usr/bin/koab-desktop",
    "usr/bin/koab",
    "usr/share/applications/Ko-AgentBench Desktop.desktop",
    "usr/share/icons/hicolor/32x32/apps/koab-desktop.png",
    "usr/share/icons/hicolor/128x128/apps/koab-desktop.png",
    "usr/share/icons/hicolor/512x512/apps/koab-desktop.png",
    "usr/share/doc/ko-agent-bench-desktop/copyright",
];

/// Lines, or starts of lines, that the package's control file must have.
const FIELDS: [&str; 4] =
    ["Package: ko-agent-bench-desktop", "Section: science", "Depends: ", "Description: "];

/// Packs the binaries that the other steps test, and checks the package. The command `cargo xtask
/// test --only bundle --require-all` runs this step alone.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    if context.required == Required::Nothing {
        return Ok(Count::skip("packing compresses some hundred megabytes; --require-all does it"));
    }
    if command::which("dpkg-deb").is_none() {
        return Ok(Count::skip("dpkg-deb is not there, so nobody can look into a Debian package"));
    }
    if context.selection != Selection::Everything {
        bail!("the window could not be built, so there is nothing to pack");
    }
    ui::build_if_stale(context.checkout)?;
    let built = binaries::build_packaged(context.checkout, false, None)?;
    let package = bundle::pack(context.checkout, &built, "deb")?;

    let fields = command::stdout_of(Command::new("dpkg-deb").arg("-f").arg(&package))?;
    for field in FIELDS {
        ensure!(
            fields.lines().any(|line| line.starts_with(field)),
            "the package says nothing of `{field}`:\n{fields}"
        );
    }
    ensure!(
        fields.lines().any(|line| line.starts_with("Depends: ") && line.contains("libwebkit2gtk-4.1-0")),
        "the package does not ask for the web view:\n{fields}"
    );

    let root = context.checkout.scratch("package")?;
    command::succeed(Command::new("dpkg-deb").arg("-x").arg(&package).arg(root.path()))?;
    for file in FILES {
        ensure!(root.path().join(file).is_file(), "{file} is not in the package");
    }
    starts(root.path(), &built.koab)?;
    let mut count = window_starts(context, &root.path().join(FILES[0]))?;
    count.add(shipped(context, &root.path().join(FILES[1]))?);
    count.add(Count::pass());
    Ok(count)
}

/// Tests the command line of a package. It contains its page and must work without a checkout.
pub(super) fn shipped(context: &Context<'_>, koab: &Path) -> anyhow::Result<Count> {
    let mut script = Command::new("node");
    script.arg("ui/e2e/shipped.mjs").arg(koab).current_dir(&context.checkout.root);
    script::count(&mut script, "ui/e2e/shipped.mjs", LIMIT)
}

/// Starts the unpacked window in a new home folder with its own session bus.
fn window_starts(context: &Context<'_>, window: &Path) -> anyhow::Result<Count> {
    let home = context.checkout.scratch("package-home")?;
    let mut script = Command::new("dbus-run-session");
    script
        .args(["--", "node", "ui/e2e/unpacked.mjs"])
        .arg(window)
        .current_dir(&context.checkout.root)
        .env("HOME", home.path())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY");
    script::count(&mut script, "ui/e2e/unpacked.mjs", LIMIT)
}

/// Checks that the unpacked command line is the built one, and that the desktop entry starts the
/// window.
fn starts(root: &Path, original: &Path) -> anyhow::Result<()> {
    let mut unpacked = Command::new(root.join("usr/bin/koab"));
    unpacked.arg("--version").current_dir(root);
    let version = command::stdout_of(&mut unpacked)?;
    let expected = command::stdout_of(Command::new(original).arg("--version"))?;
    ensure!(version == expected, "the unpacked koab says `{version}` instead of `{expected}`");
    let desktop = std::fs::read_to_string(root.join(FILES[2])).context("the desktop entry cannot be read")?;
    for line in [
        // The placeholder is the link that opens the window.
        "Exec=koab-desktop %u",
        "Icon=koab-desktop",
        // Links of the form `koab://run/…` open the window.
        "MimeType=x-scheme-handler/koab",
        "Categories=Development;",
    ] {
        ensure!(desktop.lines().any(|entry| entry == line), "the desktop entry has no {line}:\n{desktop}");
    }
    Ok(())
}
