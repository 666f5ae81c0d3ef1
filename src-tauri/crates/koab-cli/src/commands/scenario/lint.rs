//! `koab scenario lint`.

use crate::CommandEnd;
use crate::output::Output;
use koab_api::{Api, LintedLog, Severity, WireError};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;

pub(super) fn lint(api: &Api, path: &str, output: Output) -> Result<CommandEnd, WireError> {
    let logs = api.scenarios.lint(path)?;
    output.result(&json!({ "logs": logs }), || linted(&logs, output.lang));
    Ok(CommandEnd::Done)
}

fn linted(logs: &[LintedLog], lang: Language) -> String {
    let mut text = String::new();
    let mut findings = 0;
    for log in logs {
        for finding in &log.findings {
            findings += 1;
            let grave = match finding.severity {
                Severity::Error => lang.text(text!("error")),
                Severity::Warning => lang.text(text!("warning")),
                Severity::Note => lang.text(text!("note", "a finding")),
            };
            text.push_str(&format!(
                "{}:{}:{}\t{grave}\t{}\t{}\n",
                log.log,
                finding.line,
                finding.line_end,
                finding.code,
                lang.say(&finding.what)
            ));
        }
    }
    let logs = logs.len();
    text + &lang.say(&say!("{findings} findings in {logs} logs"))
}
