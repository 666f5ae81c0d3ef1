//! A report as a table for the terminal: level by metric, with what could not be scored and why.

use super::agreement::agreement;
use super::comparability::{self, beside};
use crate::lang::Lang;
use crate::output::columns;
use koab_api::shown;
use koab_api::{Figure, ReportView, ScoreRange};
use std::collections::{BTreeMap, BTreeSet};

/// The report's score table, its unscored metrics with reasons, composite and folder.
///
/// `is_repeated` says that tasks were attempted several times, of which most numbers here count the first.
pub(crate) fn report(view: &ReportView, is_repeated: bool, lang: Lang) -> String {
    let has_overrides = !view.overrides.is_empty();
    let mut rows = Vec::new();
    let mut reasons: BTreeSet<String> = BTreeSet::new();
    for level in &view.levels {
        for metric in &level.metrics {
            let mean = shown::score(metric.mean);
            let unscored = if metric.unscored == 0 {
                String::new()
            } else {
                metric.unscored.to_string()
            };
            for reason in &metric.reasons {
                let reason = lang.said(reason);
                reasons.insert(format!("{} {}: {reason}", level.level, metric.metric));
            }
            let mut row = vec![
                level.level.to_string(),
                lang.metric(&metric.metric).to_owned(),
                mean,
                interval(metric.range.as_ref()),
                metric
                    .scored
                    .map_or_else(|| "—".to_owned(), |scored| scored.to_string()),
                unscored,
            ];
            if has_overrides {
                row.push(metric.overridden.as_ref().map_or_else(String::new, figure));
            }
            rows.push(row);
        }
    }
    let mut header = vec![
        lang.pick("레벨", "level"),
        lang.pick("지표", "metric"),
        lang.pick("평균", "mean"),
        lang.pick("95% 구간", "95 % interval"),
        lang.pick("채점", "scored"),
        lang.pick("미채점", "unscored"),
    ];
    if has_overrides {
        header.push(lang.pick("사람이 고친 평균", "mean with overrides"));
    }
    let judges = if view.judges.is_empty() {
        lang.pick("없음", "none").to_owned()
    } else {
        view.judges.join(", ")
    };
    let mut text = format!(
        "{}: {}   {}: {}   {}: {judges}\n\n{}",
        lang.pick("모델", "model"),
        view.model,
        lang.pick("채점 방식", "scorer"),
        view.scorer,
        lang.pick("심판", "judges"),
        columns(&header, &rows),
    );
    if let Some(outdated) = &view.outdated {
        text.insert_str(0, &format!("! {}\n\n", lang.said(outdated)));
    }
    text.push_str(&without_interval(view, lang));
    text.push_str(&overall(view, is_repeated, lang));
    for composite in view.composites.iter().take(1) {
        let value = shown::score(composite.value);
        let title = lang.pick("종합 점수", "composite");
        text.push_str(&format!("\n{title} ({}): {value}", composite.variant));
        if let Some(ends) = ends(composite.range.as_ref()) {
            text.push_str(&format!(" {ends}"));
        }
        if let Some(reason) = &composite.reason {
            text.push_str(&format!("  ({})", lang.said(reason)));
        }
        if let Some(comparability) = &view.comparability {
            text.push_str(&format!("  [{}]", beside(comparability, lang)));
        }
        if let Some(with) = &composite.overridden {
            let title = lang.pick("사람이 고친 판정으로", "with overrides");
            text.push_str(&format!("  {title}: {}", figure(with)));
        }
        text.push_str(&format!("\n  {}\n", lang.said(&composite.reading)));
    }
    if !reasons.is_empty() {
        text.push_str(&format!(
            "\n{}:\n",
            lang.pick("채점하지 못한 이유", "why unscored")
        ));
        for reason in reasons {
            text.push_str(&format!("  {reason}\n"));
        }
    }
    if let Some(comparability) = &view.comparability {
        text.push_str(&comparability::text(comparability, lang));
    }
    text.push_str(&agreement(&view.agreement, lang));
    let skipped: Vec<String> = view
        .levels
        .iter()
        .flat_map(|level| &level.skipped)
        .cloned()
        .collect();
    for (title, lines) in [
        (
            lang.pick(
                "읽을 수 없어 빠진 과제",
                "tasks that could not be read and are left out",
            ),
            &skipped,
        ),
        (
            lang.pick("비교하기 전에 알아 둘 것", "to know before comparing"),
            &view.notes,
        ),
    ] {
        if !lines.is_empty() {
            text.push_str(&format!("\n{title}:\n"));
            for line in lines {
                text.push_str(&format!("  {}\n", lang.said(line)));
            }
        }
    }
    text.push_str(&format!("\n{}: {}\n", lang.pick("보고서", "report"), view.folder));
    text
}

/// Which means have no interval, a line a reason.
fn without_interval(view: &ReportView, lang: Lang) -> String {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for level in &view.levels {
        for metric in level.metrics.iter().filter(|metric| metric.mean.is_some()) {
            if let Some(why) = metric.range.as_ref().and_then(|range| range.reason.as_deref()) {
                let of = format!("{} {}", level.level, metric.metric);
                reasons.entry(why).or_default().push(of);
            }
        }
    }
    let title = lang.pick("구간 없음", "no interval");
    let lines = reasons
        .into_iter()
        .map(|(why, of)| format!("{title} ({}): {}\n", of.join(", "), lang.said(why)));
    lines.collect()
}

/// The metrics that every level has, over all tasks.
fn overall(view: &ReportView, is_repeated: bool, lang: Lang) -> String {
    if view.overall.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = view
        .overall
        .iter()
        .map(|figure| {
            vec![
                lang.metric(&figure.metric).to_owned(),
                shown::score(figure.value),
                interval(Some(&figure.range)),
                figure
                    .tasks
                    .map_or_else(|| "—".to_owned(), |tasks| tasks.to_string()),
                figure
                    .reason
                    .as_deref()
                    .map_or_else(String::new, |reason| lang.said(reason)),
            ]
        })
        .collect();
    let header = [
        if is_repeated {
            lang.pick("모든 과제의 첫 시도", "first attempts at all tasks")
        } else {
            lang.pick("모든 과제", "all tasks")
        },
        lang.pick("평균", "mean"),
        lang.pick("95% 구간", "95 % interval"),
        lang.pick("과제", "tasks"),
        lang.pick("없는 이유", "why there is none"),
    ];
    format!("\n{}", columns(&header, &rows))
}

/// `[0.612, 0.823]`; nothing without an interval.
pub(crate) fn ends(range: Option<&ScoreRange>) -> Option<String> {
    let found = range?.interval?;
    Some(shown::ends(found.low, found.high))
}

/// The same for a cell of a table.
pub(crate) fn interval(range: Option<&ScoreRange>) -> String {
    ends(range).unwrap_or_else(|| "—".to_owned())
}

fn figure(figure: &Figure) -> String {
    shown::score(figure.value)
}
