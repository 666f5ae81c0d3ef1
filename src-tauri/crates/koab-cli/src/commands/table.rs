//! A report as a table for the terminal: level by metric, with what could not be scored and why.

use super::agreement::agreement;
use super::comparability::{self, beside};
use crate::lang::Lang;
use crate::output::columns;
use koab_api::{Figure, ReportView};
use std::collections::BTreeSet;

/// The report's score table, its unscored metrics with reasons, composite and folder.
pub(crate) fn report(view: &ReportView, lang: Lang) -> String {
    let has_overrides = !view.overrides.is_empty();
    let mut rows = Vec::new();
    let mut reasons: BTreeSet<String> = BTreeSet::new();
    for level in &view.levels {
        for metric in &level.metrics {
            let mean = metric
                .mean
                .map_or_else(|| "—".to_owned(), |mean| format!("{mean:.4}"));
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
                metric.metric.clone(),
                mean,
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
    for composite in view.composites.iter().take(1) {
        let value = composite
            .value
            .map_or_else(|| "—".to_owned(), |v| format!("{v:.4}"));
        text.push_str(&format!(
            "\n{} ({}): {value}",
            lang.pick("종합 점수", "composite"),
            composite.variant
        ));
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
        text.push('\n');
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

fn figure(figure: &Figure) -> String {
    figure
        .value
        .map_or_else(|| "—".to_owned(), |value| format!("{value:.4}"))
}
