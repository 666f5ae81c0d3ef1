//! Steps that are npm scripts of the UI.

use anyhow::Context as _;
use serde_json::Value;

use super::context::Context;
use super::count::Count;
use super::times::{Kind, Timed};
use crate::{command, ui};

/// Checks the types of the UI's TypeScript sources.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    command::succeed(command::npm(&context.checkout.ui()).args(["run", "check"]))?;
    Ok(Count::pass())
}

/// Runs the UI's tests and counts them from vitest's JSON report.
pub(super) fn test(context: &Context<'_>) -> anyhow::Result<Count> {
    let scratch = context.checkout.scratch("vitest")?;
    let report = scratch.path().join("report.json");
    let mut npm = command::npm(&context.checkout.ui());
    npm.args(["test", "--", "--reporter=default", "--reporter=json"]);
    // Compilers run at the same time and slow the tests down.
    npm.arg("--testTimeout=30000");
    npm.arg(format!("--outputFile.json={}", report.display()));
    // Korean dates and local times must not depend on the machine.
    npm.env("TZ", "UTC");
    let outcome = command::succeed(&mut npm);
    let report = match (std::fs::read_to_string(&report), outcome.is_ok()) {
        (Ok(text), _) => text,
        (Err(error), true) => return Err(error).context("vitest wrote no report, so nobody knows what ran"),
        (Err(_), false) => return outcome.map(|()| Count::nothing()),
    };
    let count = count(&serde_json::from_str(&report).context("vitest's report is not JSON")?);
    if count.failed() == 0 {
        // The exit code is not 0, but no test failed: a file did not load, or nothing ran.
        outcome?;
    }
    Ok(count)
}

/// Builds the UI. A build that is newer than its sources is not made again, because the window
/// embeds the UI and would have to be linked again.
pub(super) fn build(context: &Context<'_>) -> anyhow::Result<Count> {
    ui::build_if_stale(context.checkout)?;
    Ok(Count::pass())
}

/// Counts the tests of a report in Jest's format, which vitest writes.
///
/// A test that did not run is skipped if its name says what the test needs, such as `… (needs
/// ../shared)`. Otherwise (`skip`, `todo`, or because of an `only`) the test is a failure.
fn count(report: &Value) -> Count {
    let mut count = Count::nothing();
    let files = report["testResults"].as_array().map_or(&[][..], Vec::as_slice);
    for file in files {
        let tests = file["assertionResults"].as_array().map_or(&[][..], Vec::as_slice);
        for test in tests {
            let name = test["fullName"].as_str().unwrap_or("a test without a name").to_owned();
            let path = file["name"].as_str().unwrap_or_default();
            let file_name = path.rsplit_once("/src/").map_or(path, |(_, end)| end).replace(' ', "_");
            let seconds = test["duration"].as_f64().unwrap_or(0.0) / 1e3;
            count.times.push(Timed::test(Kind::Ui, format!("{file_name} {name}"), seconds));
            match test["status"].as_str() {
                Some("passed") => count.passed += 1,
                Some("failed") => count.failures.push(name),
                Some("skipped" | "pending") if name.contains("(needs ") => count.skipped.push(name),
                _ => count.failures.push(format!("{name}: it did not run")),
            }
        }
        if tests.is_empty() && file["status"] == "failed" {
            count.failures.push(format!("{} did not load", file["name"].as_str().unwrap_or("a test file")));
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_does_not_load_is_a_failure() {
        let report = serde_json::json!({"testResults": [
            {"name": "a.test.ts", "status": "passed", "assertionResults": [
                {"fullName": "sums", "status": "passed"}, {"fullName": "later", "status": "todo"},
                {"fullName": "beside", "status": "skipped"},
                {"fullName": "compares (needs ../shared)", "status": "skipped"}]},
            {"name": "b.test.ts", "status": "failed", "assertionResults": [{"fullName": "fails", "status": "failed"}]},
            {"name": "c.test.ts", "status": "failed", "assertionResults": []},
        ]});
        let count = count(&report);
        assert_eq!(count.passed, 1);
        assert_eq!(
            count.failures,
            ["later: it did not run", "beside: it did not run", "fails", "c.test.ts did not load"]
        );
        assert_eq!(count.skipped, ["compares (needs ../shared)"]);
    }
}
