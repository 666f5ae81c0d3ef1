//! Findings of every kind as text for the terminal. Each finding has a line, and another line with
//! its remedy.

use koab_api::finding::{Finding, Severity};
use koab_core::sentence::{Language, Sentence};
use koab_core::text;
use serde::Serialize;

/// Line of a finding: its severity, text and remedy.
pub(crate) fn line(weight: &str, said: &str, remedy: &Sentence, lang: Language) -> String {
    if remedy.is_empty() {
        format!("  [{weight}] {said}\n")
    } else {
        format!("  [{weight}] {said}\n      → {}\n", lang.say(remedy))
    }
}

/// Lines of findings in their order. `weight` returns the text of a severity. `kind` returns the
/// text of a finding's code, or an empty text if the sentence needs no code.
pub(crate) fn lines<'a, C: 'a>(
    findings: impl IntoIterator<Item = &'a Finding<C>>,
    lang: Language,
    weight: impl Fn(Severity) -> &'static str,
    kind: impl Fn(&C) -> String,
) -> String {
    let one = |finding: &Finding<C>| {
        let (mut text, located) = (kind(&finding.code), lang.say(&finding.located()));
        if !text.is_empty() {
            text.push_str(": ");
        }
        line(weight(finding.severity), &(text + &located), &finding.remedy, lang)
    };
    findings.into_iter().map(one).collect()
}

/// Name of a finding's code, as in JSON.
pub(crate) fn code(code: &impl Serialize) -> String {
    let code = serde_json::to_value(code).unwrap_or_default();
    code.as_str().unwrap_or_default().to_owned()
}

/// Text of a severity, for commands that have no words of their own.
pub(crate) fn weight(severity: Severity, lang: Language) -> &'static str {
    match severity {
        Severity::Pass => lang.text(text!("held")),
        Severity::Note => lang.text(text!("note", "a finding")),
        Severity::Warning => lang.text(text!("warning")),
        Severity::Error => lang.text(text!("error")),
    }
}
