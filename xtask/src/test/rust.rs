//! The steps that are cargo commands.

use super::count::Count;
use super::{Context, junit};
use crate::docker::{Engine, Kind};
use crate::{command, generate, licences};

/// `cargo fmt`, which only names the files that it would change.
pub(super) fn format(context: &Context<'_>) -> anyhow::Result<Count> {
    command::succeed(command::cargo(&context.place.root).args(["fmt", "--all", "--", "--check", "-l"]))?;
    Ok(Count::pass())
}

/// `cargo clippy`, where a warning is an error.
pub(super) fn clippy(context: &Context<'_>) -> anyhow::Result<Count> {
    let mut cargo = command::cargo(&context.place.root);
    cargo
        .arg("clippy")
        .args(context.selection.options())
        .args(["--all-targets", "--", "-D", "warnings"]);
    command::succeed(&mut cargo)?;
    Ok(Count::pass())
}

/// `cargo deny`. The tool is neither installed nor asked for: compiling it takes longer than everything else here,
/// and a machine without it shows nothing wrong, so its absence is not a skip. The advisory database needs a network
/// that test machines may not have; it is checked where releases are made.
pub(super) fn deny(context: &Context<'_>) -> anyhow::Result<Count> {
    let root = &context.place.root;
    if !command::quietly_succeeds(command::cargo(root).args(["deny", "--version"])) {
        crate::out::line("cargo-deny is not there, nothing is counted");
        return Ok(Count::nothing());
    }
    command::succeed(command::cargo(root).args(["deny", "check", "licenses", "bans", "sources"]))?;
    Ok(Count::pass())
}

/// The committed TypeScript types against the Rust types.
pub(super) fn generated_types(context: &Context<'_>) -> anyhow::Result<Count> {
    let options = [context.selection.options(), &["--lib"]].concat();
    generate::check(context.place, &options)?;
    Ok(Count::pass())
}

/// The committed list of licences against what is shipped.
pub(super) fn licences(context: &Context<'_>) -> anyhow::Result<Count> {
    licences::check(context.place)?;
    Ok(Count::pass())
}

/// The Rust tests under nextest. It writes a `JUnit` report, which has the counts and, unlike its terminal output,
/// what the passing tests wrote: a test that could not run says so there.
pub(super) fn nextest(context: &Context<'_>) -> anyhow::Result<Count> {
    let report = context.place.root.join("target/nextest/ci/junit.xml");
    if report.exists() {
        // Else a run that does not compile would be counted by the report of the run before.
        std::fs::remove_file(&report)?;
    }
    // Running all tests runs the type export too; it must not write into the checkout here.
    let bindings = context.place.scratch("unused-bindings")?;
    let mut cargo = command::cargo(&context.place.root);
    cargo
        .args(["nextest", "run", "--profile", "ci", "--no-tests", "pass"])
        .args(context.selection.options());
    cargo.env("TS_RS_EXPORT_DIR", bindings.path());
    // A snapshot that differs is a failure, and no new file.
    cargo.env("INSTA_UPDATE", "no");
    if context.require_all {
        cargo.env("KOAB_REQUIRE_ALL", "1");
    }
    // Stopped when this function ends.
    let mut engines = Vec::new();
    for (kind, variable) in [
        (Kind::Docker, "KOAB_TEST_DOCKER"),
        (Kind::Podman, "KOAB_TEST_PODMAN"),
    ] {
        if let Some(engine) = Engine::start(context.place, kind) {
            cargo.env(variable, engine.host());
            engines.push(engine);
        }
    }
    let outcome = command::succeed(&mut cargo);
    let count = match std::fs::read_to_string(&report) {
        Ok(text) => junit::count(&text),
        Err(_) => Count::nothing(),
    };
    if count.failed() == 0 {
        // A code other than 0 without a failed test: it did not compile, or a test hung.
        outcome?;
    }
    Ok(count)
}

/// The examples in the documentation.
pub(super) fn doctest(context: &Context<'_>) -> anyhow::Result<Count> {
    let mut cargo = command::cargo(&context.place.root);
    cargo
        .args(["test", "--doc", "--quiet"])
        .args(context.selection.options());
    command::succeed(&mut cargo)?;
    Ok(Count::pass())
}
