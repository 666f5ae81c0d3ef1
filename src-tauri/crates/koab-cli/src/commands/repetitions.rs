//! What several attempts at the same tasks tell, for the terminal.

use super::table::interval;
use crate::lang::Lang;
use crate::output::columns;
use koab_api::shown;
use koab_api::{Api, AttemptMark, RepeatedFigure, RepeatedScopeView, RepetitionsView};

/// What several attempts at a report's tasks tell, where there were several.
pub(crate) fn known(api: &Api, id: &str) -> Option<RepetitionsView> {
    api.report_repetitions(id)
        .ok()
        .filter(|repeated| repeated.reason.is_none())
}

/// The numbers of all tasks, and where the rest is told; stands below a report.
pub(crate) fn brief(view: &RepetitionsView, id: &str, lang: Lang) -> String {
    let mut text = title(view, lang);
    for scope in view.scopes.iter().take(1) {
        text.push_str(&estimates(std::slice::from_ref(scope), lang));
        text.push_str(&disagreement(std::slice::from_ref(scope), lang));
    }
    text + &format!(
        "{} `koab report repetitions {id}`\n",
        lang.pick("레벨별 값과 과제별 시도:", "each level and each task:")
    )
}

/// Everything.
pub(crate) fn text(view: &RepetitionsView, lang: Lang) -> String {
    if let Some(reason) = &view.reason {
        return format!("{}\n", lang.said(reason));
    }
    let mut text = title(view, lang);
    text.push_str(&means(view, lang));
    text.push_str(&estimates(&view.scopes, lang));
    text.push_str(&disagreement(&view.scopes, lang));
    text.push_str(&strips(view, lang));
    text
}

fn title(view: &RepetitionsView, lang: Lang) -> String {
    let attempts = lang.pick("과제당 시도", "attempts a task");
    let mut text = format!("{attempts}: {}\n", view.planned);
    if view.first_only {
        text.push_str(lang.pick(
            "심판은 첫 시도만 판정했습니다.\n",
            "judges were asked about the first attempts only\n",
        ));
    }
    text
}

fn scope_name(scope: &RepeatedScopeView, lang: Lang) -> String {
    scope
        .level
        .map_or_else(|| lang.pick("전체", "all").to_owned(), |level| level.to_string())
}

/// The mean over all attempts of every metric, and each repetition by itself.
fn means(view: &RepetitionsView, lang: Lang) -> String {
    let mut rows = Vec::new();
    for scope in &view.scopes {
        for metric in &scope.metrics {
            let runs: Vec<String> = metric.runs.iter().map(|run| shown::score(*run)).collect();
            rows.push(vec![
                scope_name(scope, lang),
                lang.metric(&metric.metric).to_owned(),
                shown::score(metric.mean.value),
                interval(Some(&metric.mean.range)),
                runs.join(" "),
                said(&metric.mean, lang),
            ]);
        }
    }
    let header = [
        lang.pick("레벨", "level"),
        lang.pick("지표", "metric"),
        lang.pick("모든 시도", "all attempts"),
        lang.pick("95% 구간", "95 % interval"),
        lang.pick("반복별", "each repetition"),
        lang.pick("없는 이유", "why there is none"),
    ];
    format!("\n{}", columns(&header, &rows))
}

/// pass@k and pass^k, a row a k.
fn estimates(scopes: &[RepeatedScopeView], lang: Lang) -> String {
    let mut rows = Vec::new();
    for scope in scopes {
        for metric in &scope.metrics {
            for (at, all) in metric.pass_at.iter().zip(&metric.pass_all) {
                rows.push(vec![
                    scope_name(scope, lang),
                    lang.metric(&metric.metric).to_owned(),
                    at.k.to_string(),
                    shown::score(at.value),
                    interval(Some(&at.range)),
                    shown::score(all.value),
                    interval(Some(&all.range)),
                    at.tasks.to_string(),
                    said(at, lang),
                ]);
            }
        }
    }
    let header = [
        lang.pick("레벨", "level"),
        lang.pick("모든 시도", "all attempts"),
        "k",
        "pass@k",
        lang.pick("95% 구간", "95 % interval"),
        "pass^k",
        lang.pick("95% 구간", "95 % interval"),
        lang.pick("과제", "tasks"),
        lang.pick("없는 이유", "why there is none"),
    ];
    format!("\n{}", columns(&header, &rows))
}

fn said(figure: &RepeatedFigure, lang: Lang) -> String {
    figure
        .reason
        .as_deref()
        .map_or_else(String::new, |reason| lang.said(reason))
}

/// Tasks whose attempts disagree on success.
fn disagreement(scopes: &[RepeatedScopeView], lang: Lang) -> String {
    let mut text = String::new();
    for scope in scopes {
        let sr = scope.metrics.iter().find(|metric| metric.metric == "SR");
        let Some(found) = sr.and_then(|sr| sr.disagreement.as_ref()) else {
            continue;
        };
        let share = match found.share {
            Some(share) => format!(
                "{} / {} = {} {}",
                found.tasks.len(),
                found.of,
                shown::score(Some(share)),
                interval(Some(&found.range))
            ),
            None => found
                .reason
                .as_deref()
                .map_or_else(|| "—".to_owned(), |reason| lang.said(reason)),
        };
        text.push_str(&format!(
            "{} ({}): {share}\n",
            lang.pick("시도가 엇갈린 과제", "tasks whose attempts disagree on SR"),
            scope_name(scope, lang)
        ));
        if !found.tasks.is_empty() {
            text.push_str(&format!("  {}\n", found.tasks.join(" ")));
        }
    }
    format!("\n{text}")
}

/// A task a line, a mark an attempt, and why an attempt has no score.
fn strips(view: &RepetitionsView, lang: Lang) -> String {
    let mut text = format!(
        "\n{}\n",
        lang.pick(
            "과제별 시도: ✓ 성공, ✗ 실패, ? 미채점, · 시도 없음",
            "attempts of each task: ✓ success, ✗ failure, ? unscored, · not made",
        )
    );
    for task in &view.tasks {
        let marks: String = task.attempts.iter().map(mark).collect();
        text.push_str(&format!("  {}  {marks}", task.task));
        for attempt in &task.attempts {
            if let Some(why) = &attempt.why {
                text.push_str(&format!("  #{}: {}", attempt.repetition, lang.said(why)));
            }
        }
        text.push('\n');
    }
    text
}

fn mark(attempt: &AttemptMark) -> char {
    match attempt.success {
        _ if !attempt.made => '·',
        Some(1.0) => '✓',
        Some(_) => '✗',
        None => '?',
    }
}
