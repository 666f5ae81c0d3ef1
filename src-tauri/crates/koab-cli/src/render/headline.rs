//! A report on one screen of a terminal: the scores of levels, the composite, missing scores and
//! next steps. `koab report show` has the rest.

use super::comparability;
use super::comparability::grade_line;
use super::report::{authors, interval, overridden};
use crate::output::{columns, or_dash};
use koab_api::{MetricFigure, MetricId, ReportView, shown};
use koab_core::sentence::Language;
use koab_core::{say, text};
use koab_report::comparability::PUBLISHED_JUDGE;
use std::collections::BTreeMap;

/// Maximum number of metrics or caveats that are named in a line.
const MAX_NAMED: usize = 3;

/// Result of a scoring on one screen. With `is_repeated`, tasks were attempted several times and
/// the numbers count the first attempt.
pub(crate) fn headline(view: &ReportView, is_repeated: bool, lang: Language) -> String {
    let mut text = String::new();
    if let Some(outdated) = &view.outdated {
        text.push_str(&format!("! {}\n\n", lang.say(outdated)));
    }
    text.push_str(&super::report::title(view, lang));
    text.push_str(&levels(view, is_repeated, lang));
    if let Some(tables) = &view.benchmark {
        text.push_str(&authors(tables, lang));
    }
    text.push('\n');
    if let Some(composite) = view.composites.first() {
        text.push_str(&super::report::composite(composite, lang));
        text.push_str(&overridden(composite, lang));
        text.push('\n');
    }
    let list = |title: &str, lines: Vec<String>| match lines.as_slice() {
        [] => String::new(),
        [one] => format!("{title}: {one}\n"),
        lines => format!("{title}:\n  {}\n", lines.join("\n  ")),
    };
    text.push_str(&list(lang.text(text!("why unscored")), missing(view, lang)));
    if let Some(comparability) = &view.comparability {
        text.push_str(&format!("{}\n", grade_line(comparability, lang)));
        text.push_str(&gravest(comparability, lang));
    }
    text.push_str(&list(lang.text(text!("caveats")), caveats(view, lang)));
    text.push_str(&list(lang.text(text!("next")), next(view, lang)));
    text
}

/// Table with one row per level and a row for all levels: tasks, SR with its interval, and the
/// other metrics that every level has.
fn levels(view: &ReportView, is_repeated: bool, lang: Language) -> String {
    let (first, others) = (view.overall.first(), view.overall.get(1..).unwrap_or_default());
    let Some(first) = first else {
        return String::new();
    };
    let mut header = vec![
        lang.text(text!("level")),
        lang.text(text!("tasks")),
        shown::metric(first.metric.name(), lang),
        lang.text(text!("95 % interval")),
    ];
    header.extend(others.iter().map(|other| shown::metric(other.metric.name(), lang)));
    let mut rows = Vec::new();
    for level in &view.levels {
        let figure = |id: MetricId| level.metrics.iter().find(|metric| metric.metric == id);
        let mean = |figure: Option<&MetricFigure>| shown::score(figure.and_then(|it| it.mean.mean()));
        let main = figure(first.metric);
        let mut row = vec![
            level.level.to_string(),
            if level.evaluated == level.tasks {
                or_dash(level.tasks)
            } else {
                format!("{}/{}", or_dash(level.evaluated), or_dash(level.tasks))
            },
            mean(main),
            interval(main.and_then(|main| main.range.as_ref())),
        ];
        row.extend(others.iter().map(|other| mean(figure(other.metric))));
        rows.push(row);
    }
    let all = lang.text(if is_repeated { text!("first attempts at all tasks") } else { text!("all tasks") });
    let mut row = vec![
        all.to_owned(),
        or_dash(view.levels.iter().map(|level| level.tasks).sum::<Option<u32>>()),
        shown::score(first.figure.value()),
        interval(Some(&first.range)),
    ];
    row.extend(others.iter().map(|other| shown::score(other.figure.value())));
    rows.push(row);
    columns(&header, &rows, lang)
}

/// One line per reason, with the metrics that are unscored for this reason. The reason of the most
/// metrics is first.
fn missing(view: &ReportView, lang: Language) -> Vec<String> {
    let mut of_reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for level in &view.levels {
        for metric in &level.metrics {
            for reason in &metric.reasons {
                let name = format!("{} {}", level.level, metric.metric);
                of_reasons.entry(lang.say(reason)).or_default().push(name);
            }
        }
    }
    let mut reasons: Vec<(String, Vec<String>)> = of_reasons.into_iter().collect();
    reasons.sort_by_key(|(_, metrics)| std::cmp::Reverse(metrics.len()));
    let more = reasons.len().saturating_sub(MAX_NAMED);
    let mut lines: Vec<String> = reasons
        .into_iter()
        .take(MAX_NAMED)
        .map(|(reason, metrics)| {
            let names = metrics[..metrics.len().min(MAX_NAMED)].join(", ");
            match metrics.len().saturating_sub(MAX_NAMED) {
                0 => format!("{reason}: {names}"),
                others => {
                    format!("{reason}: {}", lang.say(&say!("{named} and {others} more", named = names)))
                }
            }
        })
        .collect();
    if more > 0 {
        lines.push(lang.say(&say!("and {more} more")));
    }
    lines
}

/// The most severe finding about comparability with the leaderboard, its remedy, and the number of
/// other findings.
fn gravest(comparability: &koab_api::Comparability, lang: Language) -> String {
    let findings = &comparability.leaderboard.findings;
    let Some(first) = findings.first() else {
        return String::new();
    };
    let mut text = comparability::findings(std::slice::from_ref(first), lang);
    if findings.len() > 1 {
        let more = findings.len() - 1;
        text.push_str(&format!("  {}\n", lang.say(&say!("and {more} more"))));
    }
    text
}

/// Lines about tasks that could not be read, and about caveats of the report.
fn caveats(view: &ReportView, lang: Language) -> Vec<String> {
    let skipped = view.levels.iter().flat_map(|level| &level.skipped);
    let all: Vec<_> = skipped.chain(&view.notes).collect();
    let mut lines: Vec<String> = all.iter().take(MAX_NAMED).map(|note| lang.say(note)).collect();
    if let Some(more) = all.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
        lines.push(lang.say(&say!("and {more} more")));
    }
    lines
}

/// Commands that complete the report, and the command that shows the rest of the report.
fn next(view: &ReportView, lang: Language) -> Vec<String> {
    let mut lines = Vec::new();
    let run = view.run.as_deref().unwrap_or("last");
    if view.attempts.is_some_and(|made| made.failed > 0 || made.done < made.planned) {
        lines.push(lang.say(&say!("`koab run --resume {run}` makes the attempts that are missing")));
    }
    let mut metrics = view.levels.iter().flat_map(|level| &level.metrics);
    if view.judges.is_empty() && view.benchmark.is_none() && metrics.any(|metric| metric.unscored > 0) {
        lines.push(lang.say(&say!(
            "`koab score {run} --judge-models {PUBLISHED_JUDGE}` asks the judge, without a new run"
        )));
    }
    let id = &view.id;
    lines.push(
        lang.say(&say!("`koab report show {id}` has every metric, all reasons and how calls were answered")),
    );
    lines
}
