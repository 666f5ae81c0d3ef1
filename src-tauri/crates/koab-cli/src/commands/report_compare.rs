//! Implements `koab report compare`.

use crate::output::{Columns, or_dash};
use crate::render::comparability::{findings, grade};
use koab_api::shown;
use koab_api::{CompareView, Grade, PairConclusion};
use koab_core::sentence::Language;
use koab_core::text;

/// Conclusions from comparing the first report with each of the others, one sentence each.
pub(crate) fn conclusions(pairs: &[PairConclusion], lang: Language) -> String {
    let mut text = String::new();
    for pair in pairs {
        text.push_str(&lang.say(&pair.conclusion.sentence));
        if pair.grade == Grade::Limited {
            text.push_str(&format!(" [{}]", grade(pair.grade, lang)));
        }
        text.push('\n');
    }
    text + "\n"
}

/// Table of several reports: composite, level scores, and comparability with the leaderboard and
/// with the first report.
pub(crate) fn text(view: &CompareView, lang: Language) -> String {
    let composite = view.matrix.composites.first();
    let mut header = vec![
        lang.text(text!("report")).to_owned(),
        lang.text(text!("model")).to_owned(),
        composite
            .map_or_else(|| lang.text(text!("composite")), |c| shown::composite(&c.variant, lang))
            .to_owned(),
    ];
    header.extend(view.matrix.levels.iter().map(|level| level.level.to_string()));
    header.push(lang.text(text!("with leaderboard")).to_owned());
    header.push(lang.text(text!("with the first")).to_owned());
    let rows: Vec<Vec<String>> = view
        .reports
        .iter()
        .enumerate()
        .map(|(place, report)| {
            let value = composite.and_then(|c| c.values.values.get(place).copied().flatten());
            let mut row = vec![report.id.clone(), report.model.clone(), shown::score(value)];
            row.extend(
                view.matrix
                    .levels
                    .iter()
                    .map(|level| shown::score(level.own.values.get(place).copied().flatten())),
            );
            row.push(grade(report.standing.leaderboard, lang).to_owned());
            let with_first = report.standing.with_first.as_ref();
            row.push(or_dash(with_first.map(|judged| grade(judged.grade, lang).to_owned())));
            row
        })
        .collect();
    let names: Vec<&str> = header.iter().map(String::as_str).collect();
    // The report's name contains the model, and the pair tests below show the levels.
    let spare = std::iter::once(1).chain((3..3 + view.matrix.levels.len()).rev());
    let mut text = Columns::grid(&names, &rows, lang).spare(spare).text();
    if let Some(composite) = composite {
        let title = shown::composite(&composite.variant, lang);
        text.push_str(&format!("\n{title}: {}\n", lang.say(&composite.reading)));
    }
    for report in &view.reports {
        let Some(judged) = report.standing.with_first.as_ref().filter(|judged| !judged.findings.is_empty())
        else {
            continue;
        };
        text.push_str(&format!(
            "\n{}: {} ↔ {}\n{}",
            grade(judged.grade, lang),
            view.reports.first().map(|first| first.id.as_str()).unwrap_or_default(),
            report.id,
            findings(&judged.findings, lang)
        ));
    }
    text
}
