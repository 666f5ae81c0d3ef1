//! Findings of every kind, as text for the terminal: a line each, and below it what to do.

use koab_api::finding::{Finding, Severity};
use koab_core::sentence::{Language, Sentence};
use koab_core::text;
use serde::Serialize;

/// A finding with how much it weighs, what is said, and what to do about it.
pub(crate) fn line(weight: &str, said: &str, remedy: &Sentence, lang: Language) -> String {
    match remedy.is_empty() {
        true => format!("  [{weight}] {said}\n"),
        false => format!("  [{weight}] {said}\n      → {}\n", lang.say(remedy)),
    }
}

/// Findings in their order; `weight` names how much one weighs, `kind` what kind it is, where that
/// says more than its sentence.
pub(crate) fn lines<'a, C: 'a>(
    findings: impl IntoIterator<Item = &'a Finding<C>>,
    lang: Language,
    weight: impl Fn(Severity) -> &'static str,
    kind: impl Fn(&C) -> String,
) -> String {
    let one = |finding: &Finding<C>| {
        let (mut said, located) = (kind(&finding.code), lang.say(&finding.located()));
        if !said.is_empty() {
            said.push_str(": ");
        }
        line(weight(finding.severity), &(said + &located), &finding.remedy, lang)
    };
    findings.into_iter().map(one).collect()
}

/// A code as programs read it.
pub(crate) fn code(code: &impl Serialize) -> String {
    let code = serde_json::to_value(code).unwrap_or_default();
    code.as_str().unwrap_or_default().to_owned()
}

/// How much a finding weighs, where the area has no words of its own.
pub(crate) fn weight(severity: Severity, lang: Language) -> &'static str {
    match severity {
        Severity::Pass => lang.text(text!("held")),
        Severity::Note => lang.text(text!("note", "a finding")),
        Severity::Warning => lang.text(text!("warning")),
        Severity::Error => lang.text(text!("error")),
    }
}
