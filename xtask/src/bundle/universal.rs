//! Builds one program for both processors of a Mac.
//!
//! Cargo builds for one processor at a time, so each program is built twice and macOS's `lipo`
//! joins the two. Tauri packs the joined binaries from the folder of its own target for both
//! processors.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use crate::binaries::{self, Binaries};
use crate::checkout::Checkout;
use crate::command;

/// Tauri's name of the target for both processors.
pub(super) const TARGET: &str = "universal-apple-darwin";
const PROCESSORS: [&str; 2] = ["aarch64-apple-darwin", "x86_64-apple-darwin"];

/// Builds the command line and the window for both processors. `ui/dist` must exist.
///
/// # Errors
/// When cargo or `lipo` fails. Cargo needs the standard library of both processors (`rustup target
/// add`).
pub(super) fn build(checkout: &Checkout, release: bool) -> anyhow::Result<Binaries> {
    let profile = if release { "release" } else { "debug" };
    let folder = checkout.target.join(TARGET).join(profile);
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut built = Vec::new();
    for target in PROCESSORS {
        built.push(binaries::build_packaged(checkout, release, Some(target))?);
    }
    let windows: Option<Vec<&Path>> = built.iter().map(|one| one.window.as_deref()).collect();
    let windows = windows.context("the window was not built")?;
    let programs: Vec<&Path> = built.iter().map(|one| one.koab.as_path()).collect();
    Ok(Binaries {
        koab: joined("lipo", &programs, &folder)?,
        window: Some(joined("lipo", &windows, &folder)?),
        koab_message: Value::Null,
    })
}

/// Joins the builds of one program into one file of the same name in `folder`. `lipo` is the
/// command to use.
fn joined(lipo: &str, parts: &[&Path], folder: &Path) -> anyhow::Result<PathBuf> {
    let name = parts.first().and_then(|part| part.file_name());
    let whole = folder.join(name.context("there is nothing to join")?);
    let mut join = Command::new(lipo);
    command::succeed(join.arg("-create").args(parts).arg("-output").arg(&whole))?;
    Ok(whole)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn the_builds_of_a_program_become_one_of_its_name() {
        let scratch = Checkout::find().unwrap().scratch("universal").unwrap();
        let folder = scratch.path();
        for part in ["arm", "intel", "both"] {
            std::fs::create_dir_all(folder.join(part)).unwrap();
            std::fs::write(folder.join(part).join("koab"), format!("{part} ")).unwrap();
        }
        // What macOS's own does with these words, as far as files go.
        let lipo = folder.join("lipo");
        std::fs::write(&lipo, "#!/bin/sh\n[ \"$1 $4\" = '-create -output' ] && cat \"$2\" \"$3\" > \"$5\"\n")
            .unwrap();
        std::fs::set_permissions(&lipo, std::fs::Permissions::from_mode(0o755)).unwrap();
        let parts = [folder.join("arm/koab"), folder.join("intel/koab")];
        let parts: Vec<&Path> = parts.iter().map(PathBuf::as_path).collect();
        let lipo = lipo.display().to_string();
        let whole = joined(&lipo, &parts, &folder.join("both")).unwrap();
        assert_eq!(whole, folder.join("both/koab"));
        assert_eq!(std::fs::read_to_string(whole).unwrap(), "arm intel ");
        assert!(joined(&lipo, &[], folder).is_err());
    }
}
