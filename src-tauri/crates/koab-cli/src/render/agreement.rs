//! Agreement between judges, as a table for the terminal.

use crate::output::columns;
use koab_api::shown;
use koab_api::{AnswerScale, Compared, Figure, JudgeAgreement};
use koab_core::sentence::Language;
use koab_core::text;
use std::collections::BTreeSet;

/// Table of the agreement between judges, and of a judge with itself if it votes several times.
/// Empty if there is nothing to compare.
pub(crate) fn agreement(rows: &[JudgeAgreement], lang: Language) -> String {
    // A single judge can be compared only with its own votes.
    let rows: Vec<&JudgeAgreement> =
        rows.iter().filter(|row| row.compared == Compared::Votes || row.judges.len() > 1).collect();
    let mut reasons = BTreeSet::new();
    let mut text = String::new();
    for (compared, title) in [
        (Compared::Judges, lang.text(text!("agreement between judges"))),
        (
            Compared::Votes,
            lang.text(text!("self-consistency of one judge's votes (no agreement between judges)")),
        ),
    ] {
        let lines: Vec<Vec<String>> = rows
            .iter()
            .filter(|row| row.compared == compared)
            .map(|row| line(row, lang, &mut reasons))
            .collect();
        if !lines.is_empty() {
            text.push_str(&format!("\n{title}:\n{}", columns(&header(lang), &lines, lang)));
        }
    }
    for reason in reasons {
        text.push_str(&format!("  —: {reason}\n"));
    }
    text
}

fn header(lang: Language) -> [&'static str; 7] {
    [
        lang.text(text!("metric")),
        lang.text(text!("questions")),
        lang.text(text!("missing", "answers")),
        lang.text(text!("equal")),
        "Cohen κ",
        "Fleiss κ",
        "Krippendorff α",
    ]
}

fn line(row: &JudgeAgreement, lang: Language, reasons: &mut BTreeSet<String>) -> Vec<String> {
    let name = match (row.metrics.as_slice(), row.scale) {
        ([metric], _) => metric.to_string(),
        (_, AnswerScale::Mixed) => lang.text(text!("all")).to_owned(),
        (_, AnswerScale::Grades) => lang.text(text!("all grades")).to_owned(),
        (_, AnswerScale::YesNo) => lang.text(text!("all yes/no")).to_owned(),
    };
    let mut number = |figure: &Figure, percent: bool| match figure.value() {
        Some(value) if percent => shown::percent(value, 1),
        Some(value) => shown::coefficient(value),
        None => {
            reasons.extend(figure.reason().map(|why| lang.say(why)));
            "—".to_owned()
        }
    };
    let percent = number(&row.percent, true);
    let cohen: Vec<String> = row.cohen.iter().map(|pair| number(&pair.kappa, false)).collect();
    let (fleiss, alpha) = (number(&row.fleiss, false), number(&row.krippendorff, false));
    vec![
        name,
        row.questions.to_string(),
        row.missing.to_string(),
        percent,
        // If all pairs lack a value, one dash is shown.
        if row.cohen.iter().all(|pair| pair.kappa.value().is_none()) {
            "—".to_owned()
        } else {
            cohen.join(", ")
        },
        fleiss,
        alpha,
    ]
}
