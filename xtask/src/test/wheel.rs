//! The wheel: installed by pip and by uv into fresh environments, and tried from there.

use std::path::Path;
use std::process::Command;

use anyhow::ensure;

use super::bundle::shipped;
use super::context::{Context, Required};
use super::count::Count;
use crate::bundle::wheel;
use crate::{command, ui};

/// Builds the wheel without models inside the application; the other differs by a feature that all other steps have.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    if context.required == Required::Nothing {
        return Ok(Count::skip(
            "the wheel builds the command line once more; --require-all does it",
        ));
    }
    ui::build_if_stale(context.checkout)?;
    let file = wheel::build(context.checkout, "koab", true)?;
    let uv = wheel::tools(context.checkout)?.join("uv");
    let folder = context.checkout.scratch("wheel")?;
    let (by_pip, by_uv) = (folder.path().join("pip"), folder.path().join("uv"));

    command::succeed(Command::new("python3").args(["-m", "venv"]).arg(&by_pip))?;
    let mut install = Command::new(by_pip.join("bin/pip"));
    command::succeed(
        install
            .args(["install", "--quiet", "--no-index", "--disable-pip-version-check"])
            .arg(&file),
    )?;
    command::succeed(Command::new(&uv).args(["venv", "--quiet"]).arg(&by_uv))?;
    let mut install = Command::new(&uv);
    install.args(["pip", "install", "--quiet", "--no-index", "--python"]);
    command::succeed(install.arg(&by_uv).arg(&file))?;
    let mut once = Command::new(&uv);
    once.args(["tool", "run", "--quiet", "--no-index", "--from"])
        .arg(&file)
        .args(["koab", "--version"]);
    let versions = [
        version(&by_pip)?,
        version(&by_uv)?,
        command::stdout_of(&mut once)?,
    ];
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let packed = versions[0].trim().strip_prefix("koab ").unwrap_or("?");
    ensure!(
        versions.iter().all(|said| *said == versions[0]) && name.starts_with(&format!("koab-{packed}-")),
        "the command lines of {name} say {versions:?}"
    );
    let mut count = shipped(context, &by_pip.join("bin/koab"))?;
    count.add(Count::pass());
    Ok(count)
}

fn version(environment: &Path) -> anyhow::Result<String> {
    command::stdout_of(Command::new(environment.join("bin/koab")).arg("--version"))
}
