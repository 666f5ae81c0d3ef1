//! Implements `koab scenario lint`.

use crate::CommandEnd;
use crate::output::Output;
use crate::render::findings;
use koab_api::{Api, LintedLog, WireError};
use koab_core::say;
use koab_core::sentence::Language;
use serde_json::json;

pub(super) fn lint(api: &Api, path: &str, output: Output) -> Result<CommandEnd, WireError> {
    let logs = api.scenarios.lint(path)?;
    output.result(&json!({ "logs": logs }), || linted(&logs, output.lang));
    Ok(CommandEnd::Done)
}

fn linted(logs: &[LintedLog], lang: Language) -> String {
    let all = || logs.iter().flat_map(|log| &log.findings);
    let weight = |severity| findings::weight(severity, lang);
    let text = findings::lines(all(), lang, weight, |rule| (*rule).to_owned());
    let (found, logs) = (all().count(), logs.len());
    text + &lang.say(&say!("{findings} findings in {logs} logs", findings = found))
}
