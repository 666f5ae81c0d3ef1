//! Test of the Python wheel. pip and uv install the wheel into new environments and run it there.

use std::path::Path;
use std::process::Command;

use anyhow::ensure;

use super::bundle::shipped;
use super::context::{Context, Required};
use super::count::Count;
use crate::bundle::wheel;
use crate::{binaries, command, ui};

/// Packs and tests the wheel with models inside the application. Its command line is the one that
/// the test of packages builds.
///
/// The wheel without models contains nothing that this wheel lacks, so it is not tested.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    if context.required == Required::Nothing {
        return Ok(Count::skip("packing compresses a hundred megabytes; --require-all does it"));
    }
    ui::build_if_stale(context.checkout)?;
    let built = binaries::build_packaged(context.checkout, false, None)?;
    let file = wheel::pack(context.checkout, "koab-local", &built)?;
    let uv = wheel::tools().join("uv");
    let folder = context.checkout.scratch("wheel")?;
    let (by_pip, by_uv) = (folder.path().join("pip"), folder.path().join("uv"));

    command::succeed(Command::new("python3").args(["-m", "venv"]).arg(&by_pip))?;
    let mut install = Command::new(by_pip.join("bin/pip"));
    command::succeed(
        install.args(["install", "--quiet", "--no-index", "--disable-pip-version-check"]).arg(&file),
    )?;
    command::succeed(Command::new(&uv).args(["venv", "--quiet"]).arg(&by_uv))?;
    let mut install = Command::new(&uv);
    install.args(["pip", "install", "--quiet", "--no-index", "--python"]);
    command::succeed(install.arg(&by_uv).arg(&file))?;
    let mut once = Command::new(&uv);
    once.args(["tool", "run", "--quiet", "--no-index", "--from"]).arg(&file).args(["koab", "--version"]);
    let versions = [version(&by_pip)?, version(&by_uv)?, command::stdout_of(&mut once)?];
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let packed = versions[0].trim().strip_prefix("koab ").unwrap_or("?");
    ensure!(
        versions.iter().all(|version| *version == versions[0])
            && name.starts_with(&format!("koab_local-{packed}-")),
        "the command lines of {name} say {versions:?}"
    );
    let mut count = shipped(context, &by_pip.join("bin/koab"))?;
    count.add(Count::pass());
    Ok(count)
}

fn version(environment: &Path) -> anyhow::Result<String> {
    command::stdout_of(Command::new(environment.join("bin/koab")).arg("--version"))
}
