//! A report on one screen of a terminal: the score of each level, the composite, what is missing,
//! and what to do next. All else is in `koab report show`.

use super::comparability;
use super::comparability::beside;
use super::report::{authors, interval, overridden};
use crate::output::{columns, or_dash};
use koab_api::{MetricFigure, ReportView, shown};
use koab_core::sentence::Language;
use koab_core::{say, text};
use koab_report::comparability::PUBLISHED_JUDGE;
use std::collections::BTreeMap;

/// Metrics, and caveats, that are named where there are many.
const NAMED: usize = 3;

/// What a scoring came to. `is_repeated` says that tasks were attempted several times, of which the
/// numbers here count the first.
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
        text.push_str(&format!("{}\n", beside(comparability, lang)));
        text.push_str(&gravest(comparability, lang));
    }
    text.push_str(&list(lang.text(text!("caveats")), caveats(view, lang)));
    text.push_str(&list(lang.text(text!("next")), next(view, lang)));
    text
}

/// A row a level, and one over all: tasks, SR with its interval, and the other metrics that every
/// level has.
fn levels(view: &ReportView, is_repeated: bool, lang: Language) -> String {
    let (first, others) = (view.overall.first(), view.overall.get(1..).unwrap_or_default());
    let Some(first) = first else {
        return String::new();
    };
    let mut header = vec![
        lang.text(text!("level")),
        lang.text(text!("tasks")),
        shown::metric(&first.metric, lang),
        lang.text(text!("95 % interval")),
    ];
    header.extend(others.iter().map(|other| shown::metric(&other.metric, lang)));
    let mut rows = Vec::new();
    for level in &view.levels {
        let figure = |name: &str| level.metrics.iter().find(|metric| metric.metric == name);
        let mean = |figure: Option<&MetricFigure>| shown::score(figure.and_then(|it| it.mean.mean()));
        let main = figure(&first.metric);
        let mut row = vec![
            level.level.to_string(),
            match level.evaluated == level.tasks {
                true => or_dash(level.tasks),
                false => format!("{}/{}", or_dash(level.evaluated), or_dash(level.tasks)),
            },
            mean(main),
            interval(main.and_then(|main| main.range.as_ref())),
        ];
        row.extend(others.iter().map(|other| mean(figure(&other.metric))));
        rows.push(row);
    }
    let all = match is_repeated {
        true => lang.text(text!("first attempts at all tasks")),
        false => lang.text(text!("all tasks")),
    };
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

/// A line a reason, with the metrics that have no score for it: the reason of most metrics first.
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
    let more = reasons.len().saturating_sub(NAMED);
    let mut lines: Vec<String> = reasons
        .into_iter()
        .take(NAMED)
        .map(|(reason, metrics)| {
            let named = metrics[..metrics.len().min(NAMED)].join(", ");
            match metrics.len().saturating_sub(NAMED) {
                0 => format!("{reason}: {named}"),
                others => format!("{reason}: {}", lang.say(&say!("{named} and {others} more"))),
            }
        })
        .collect();
    if more > 0 {
        lines.push(lang.say(&say!("and {more} more")));
    }
    lines
}

/// The first of the gravest reasons against a comparison, what to do, and how many others there
/// are.
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

/// Tasks that could not be read, and what a reader must know before comparing.
fn caveats(view: &ReportView, lang: Language) -> Vec<String> {
    let skipped = view.levels.iter().flat_map(|level| &level.skipped);
    let all: Vec<_> = skipped.chain(&view.notes).collect();
    let mut lines: Vec<String> = all.iter().take(NAMED).map(|note| lang.say(note)).collect();
    if let Some(more) = all.len().checked_sub(NAMED).filter(|more| *more > 0) {
        lines.push(lang.say(&say!("and {more} more")));
    }
    lines
}

/// What completes the report, and where the rest of it is.
fn next(view: &ReportView, lang: Language) -> Vec<String> {
    let mut lines = Vec::new();
    let run = view.run.as_deref().unwrap_or("last");
    if view.attempts.is_some_and(|made| made.failed > 0 || made.done < made.planned) {
        lines.push(lang.say(&say!("`koab run --resume {run}` makes the attempts that are missing")));
    }
    let mut metrics = view.levels.iter().flat_map(|level| &level.metrics);
    if view.judges.is_empty() && view.benchmark.is_none() && metrics.any(|metric| metric.unscored > 0) {
        lines.push(lang.say(&say!(
            "`koab evaluate {run} --judge-models {PUBLISHED_JUDGE}` asks the judge, without a new run"
        )));
    }
    let id = &view.id;
    lines.push(
        lang.say(&say!("`koab report show {id}` has every metric, all reasons and how calls were answered")),
    );
    lines
}
