//! Test of the container image. An engine loads the image and runs it as a user who is not root.

use std::process::Command;

use anyhow::ensure;

use super::context::{Context, Required};
use super::count::Count;
use crate::docker::{Engine, Kind};
use crate::{command, image};

/// Builds an image with a development build and runs the golden baseline in it.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    if context.required == Required::Nothing {
        return Ok(Count::skip("packing takes the command line with its page; --require-all does it"));
    }
    let image = image::build(context.checkout, true)?;
    let engine = match Engine::start(context.checkout, Kind::Podman) {
        Ok(engine) => engine,
        Err(why) => return Ok(Count::skip(format!("no engine to load the image: {why:#}"))),
    };
    let docker = || {
        let mut docker = Command::new("docker");
        docker.env("DOCKER_HOST", engine.host());
        docker
    };
    command::succeed(docker().args(["load", "-q", "-i"]).arg(&image.file))?;
    let run = |words: &[&str]| {
        let mut run = docker();
        run.args(["run", "--rm", "--network", "none"]).args(words);
        command::stdout_of(&mut run)
    };
    let user = run(&["--entrypoint", "/bin/sh", &image.name, "-c", "id -u; mktemp -d; command -v koab"])?;
    ensure!(
        user.starts_with("1000\n/tmp/") && user.ends_with("/usr/local/bin/koab\n"),
        "in the image there is {user:?}"
    );
    let result = run(&[&image.name, "run", "--model", "baseline/golden", "--json", "--quiet"])?;
    let result: serde_json::Value = serde_json::from_str(&result)?;
    ensure!(result["run"]["outcome"] == "completed", "the baseline came to {result}");
    Ok(Count::pass())
}
