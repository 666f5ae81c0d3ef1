//! Steps that are cargo commands.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;

use super::context::{Context, Required};
use super::count::Count;
use super::{junit, minimum, times};
use crate::bundle::wheel;
use crate::docker::{Engine, Kind};
use crate::slurm::Slurm;
use crate::{command, generate, licences};

/// Time limit of the examples in the documentation. They are compiled one by one, which takes
/// minutes on a small machine.
const DOCTEST_LIMIT: Duration = Duration::from_secs(1800);

/// Runs `cargo fmt`, which only names the files that it would change.
pub(super) fn format(context: &Context<'_>) -> anyhow::Result<Count> {
    command::succeed(command::cargo(&context.checkout.root).args(["fmt", "--all", "--", "--check", "-l"]))?;
    Ok(Count::pass())
}

/// Runs `cargo clippy` with warnings as errors. In CI the lints run while cargo compiles everything
/// for the other steps.
pub(super) fn clippy(context: &Context<'_>) -> anyhow::Result<Count> {
    let mut cargo = command::cargo(&context.checkout.root);
    if command::is_ci() {
        cargo.arg("build").args(context.selection.options()).args(["--all-targets", "--keep-going"]);
    } else {
        let options = context.selection.options();
        cargo.arg("clippy").args(options).args(["--all-targets", "--", "-D", "warnings"]);
    }
    command::succeed(&mut cargo)?;
    Ok(Count::pass())
}

/// Compares the committed TypeScript types with the Rust types.
pub(super) fn generated_types(context: &Context<'_>) -> anyhow::Result<Count> {
    let options = [context.selection.options(), &["--lib"]].concat();
    generate::check(context.checkout, &options)?;
    Ok(Count::pass())
}

/// Compares the committed list of licences with the shipped libraries.
pub(super) fn licences(context: &Context<'_>) -> anyhow::Result<Count> {
    licences::check(context.checkout)?;
    Ok(Count::pass())
}

/// Runs the tests that need only a checkout of the published repository. They compile one crate,
/// which takes minutes.
///
/// `rust-test` includes the same tests, so a run of all steps leaves this step out.
pub(super) fn parity(context: &Context<'_>) -> anyhow::Result<Count> {
    let mut cargo = command::cargo(&context.checkout.root);
    cargo.args(["nextest", "run", "--profile", "ci", "--package", "koab-report", "--test", "all"]);
    cargo.args(["--filterset", "test(/^parity_published::/)"]);
    Ok(count(context, cargo)?.0)
}

/// Checks the command line without models, as in wheels and images.
///
/// The features differ from those of all other steps, so nearly everything is checked again. The
/// public workflow builds the command line without models with every push.
pub(super) fn without_models(context: &Context<'_>) -> anyhow::Result<Count> {
    let mut cargo = command::cargo(&context.checkout.root);
    command::succeed(cargo.args(["check", "--package", "koab-cli", "--no-default-features"]))?;
    Ok(Count::pass())
}

/// Runs the Rust tests with nextest. Its `JUnit` report contains the counts and the output of
/// passed tests, where skipped tests give their reason. The terminal output does not contain the
/// latter.
pub(super) fn nextest(context: &Context<'_>) -> anyhow::Result<Count> {
    let mut cargo = command::cargo(&context.checkout.root);
    // Two threads more than cores, since some tests wait for Slurm, containers or a server, and a
    // core would idle meanwhile.
    let threads = std::thread::available_parallelism()?.get() + 2;
    cargo
        .args(["nextest", "run", "--profile", "ci"])
        .arg(format!("--test-threads={threads}"))
        .args(context.selection.options());
    if command::is_ci() {
        let seed = times::seed(context.checkout);
        crate::out::line(format_args!("tests draw by the seed PROPTEST_RNG_SEED={seed}"));
        cargo.env("PROPTEST_RNG_SEED", seed.to_string());
    }
    // The engines are stopped when this function returns.
    let mut engines = Vec::new();
    for (kind, variable) in [(Kind::Docker, "KOAB_TEST_DOCKER"), (Kind::Podman, "KOAB_TEST_PODMAN")] {
        match Engine::start(context.checkout, kind) {
            Ok(engine) => {
                cargo.env(variable, engine.host());
                engines.push(engine);
            }
            // The tests that need the engine print this reason when they skip.
            Err(why) => {
                let why = format!("{why:#}");
                crate::out::line(format_args!("nothing is run in containers of {kind:?}: {why}"));
                cargo.env(format!("{variable}_WHY"), why);
            }
        }
    }
    let slurm = Slurm::start(context.checkout);
    match &slurm {
        Ok(slurm) => {
            cargo.env("KOAB_TEST_SLURM", slurm.folder());
        }
        Err(why) => {
            let why = format!("{why:#}");
            crate::out::line(format_args!("no run is handed to Slurm: {why}"));
            cargo.env("KOAB_TEST_SLURM_WHY", why);
        }
    }
    if context.required != Required::Nothing {
        // These tools are fetched only if everything is required. Otherwise the tests print their
        // skip's reason.
        let tools = wheel::tools();
        cargo.env("KOAB_TEST_KUBERNETES_VALIDATE", tools.join("kubernetes-validate"));
        cargo.env("KOAB_TEST_JUNITPARSER", tools.join("junitparser"));
    }
    let (mut count, crates) = count(context, cargo)?;
    count.failures.extend(minimum::violations(&crates, context.selection));
    Ok(count)
}

/// Runs nextest and counts the tests in its report.
fn count(context: &Context<'_>, mut cargo: Command) -> anyhow::Result<(Count, BTreeMap<String, usize>)> {
    let report = context.checkout.root.join("target/nextest/ci/junit.xml");
    if report.exists() {
        // Otherwise a run that does not compile would be counted from the earlier run's report.
        std::fs::remove_file(&report)?;
    }
    // A snapshot that differs is a failure and does not write a new file.
    cargo.env("INSTA_UPDATE", "no");
    if context.required == Required::All {
        cargo.env("KOAB_REQUIRE_ALL", "1");
    }
    let outcome = command::succeed(&mut cargo);
    let text = match (std::fs::read_to_string(&report), outcome.is_ok()) {
        (Ok(text), _) => text,
        (Err(error), true) => return Err(error).context("nextest wrote no report, so nobody knows what ran"),
        // The tests did not compile.
        (Err(_), false) => return outcome.map(|()| (Count::nothing(), BTreeMap::new())),
    };
    let (count, crates) = junit::count(&text);
    if count.failed() == 0 {
        // The exit code is not 0, but no test failed: a test hung.
        outcome?;
    }
    Ok((count, crates))
}

/// Runs the examples in the documentation.
pub(super) fn doctest(context: &Context<'_>) -> anyhow::Result<Count> {
    let mut cargo = command::cargo(&context.checkout.root);
    cargo.args(["test", "--doc"]).args(context.selection.options());
    let watched = command::watch(&mut cargo, DOCTEST_LIMIT)?;
    let mut count = doctests(&watched.lines);
    if !watched.status.success() && count.failed() == 0 {
        count.failures.push(format!("`cargo test --doc` ended with {}", watched.status));
    }
    Ok(count)
}

/// Sums the results of the examples of all crates: `test result: ok. 2 passed; 0 failed; 0 ignored;
/// …`.
fn doctests(lines: &[String]) -> Count {
    let mut count = Count::nothing();
    for line in lines {
        let Some(numbers) = line.strip_prefix("test result: ") else {
            continue;
        };
        let number = |word: &str| {
            let part = numbers.split(['.', ';']).find_map(|part| part.trim().strip_suffix(word));
            part.and_then(|number| number.trim().parse::<usize>().ok()).unwrap_or(0)
        };
        count.passed += number("passed");
        for (word, what) in [("failed", "failed"), ("ignored", "did not run")] {
            let sentence = format!("an example {what}; see the output above");
            count.failures.extend(vec![sentence; number(word)]);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_counted_crate_by_crate() {
        let lines = [
            "running 2 tests",
            "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s",
            "test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s",
        ];
        let count = doctests(&lines.map(str::to_owned));
        assert_eq!((count.passed, count.failed()), (3, 2));
        assert_eq!(doctests(&[]), Count::nothing());
    }
}
