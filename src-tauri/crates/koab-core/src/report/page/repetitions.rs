//! Several attempts at the same tasks on a page: pass@k and pass^k with their intervals, tasks whose attempts disagree,
//! and a strip of marks for each task.

use super::escape::esc;
use super::words::Words;
use super::{Align, columns, interval, number};
use crate::report::repetitions::{
    AttemptScores, Estimate, RepeatedMetric, RepetitionScope, RepetitionSummary, Repetitions,
};
use crate::score::MetricId;
use std::fmt::Write as _;

/// Attempts, and what they tell together; or why there is nothing to tell.
pub type Repeated<'a> = Result<(&'a Repetitions, &'a RepetitionSummary), &'a str>;

pub(super) fn section(html: &mut String, repeated: Repeated<'_>, words: &Words) {
    let pick = |korean, english| words.wording.pick(korean, english);
    let _ = writeln!(
        html,
        "<section id=\"repetitions\">\n<h2>{}</h2>",
        pick("반복", "Repetitions")
    );
    let (attempts, summary) = match repeated {
        Ok(known) => known,
        Err(reason) => {
            let _ = writeln!(html, "<p>{}</p>\n</section>", esc(&words.say(Some(reason))));
            return;
        }
    };
    let _ = writeln!(
        html,
        "<p>{}</p>\n<table>",
        pick(
            "pass@k는 k번 중 한 번 이상, pass^k는 k번 모두 성공할 확률의 불편 추정값입니다. 과제를 그 시도 전체와 함께 다시 뽑은 95% 구간입니다.",
            "Unbiased estimates: pass@k, the chance that at least one of k attempts succeeds; pass^k, the chance that all k do. For 95 % intervals tasks are drawn with all their attempts.",
        )
    );
    let first = [
        (words.metric, Align::Text),
        (pick("모든 시도의 평균", "Mean of all attempts"), Align::Number),
        (words.interval, Align::Number),
        ("k", Align::Number),
        ("pass@k", Align::Number),
        (words.interval, Align::Number),
        ("pass^k", Align::Number),
        (words.interval, Align::Number),
        (pick("엇갈린 과제", "Tasks that disagree"), Align::Number),
        (words.why, Align::Text),
    ];
    columns(html, first);
    for scope in &summary.scopes {
        rows(html, scope, words);
    }
    html.push_str("</table>\n");
    strips(html, attempts, words);
    html.push_str("</section>\n");
}

fn rows(html: &mut String, scope: &RepetitionScope, words: &Words) {
    let title = match scope.level {
        None => words.wording.pick("모든 과제", "All tasks").to_owned(),
        Some(level) => format!("{level} {}", words.level_name(level)),
    };
    let _ = writeln!(
        html,
        "<tbody>\n<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"10\">{title}</th></tr>"
    );
    for metric in &scope.metrics {
        metric_rows(html, metric, words);
    }
    html.push_str("</tbody>\n");
}

fn metric_rows(html: &mut String, metric: &RepeatedMetric, words: &Words) {
    let cells = |estimate: Option<&Estimate>| match estimate {
        Some(one) => format!(
            "<td class=\"n\">{}</td><td class=\"n\">{}</td>",
            number(one.value),
            interval(Some(&one.bounds), words)
        ),
        None => "<td class=\"n\">—</td><td class=\"n\">—</td>".to_owned(),
    };
    let disagree = metric.disagreement.as_ref().filter(|found| found.share.is_some());
    let disagree = disagree.map_or_else(
        || "—".to_owned(),
        |found| format!("{} / {}", found.tasks.len(), found.of),
    );
    let _ = write!(
        html,
        "<tr><th scope=\"row\">{}</th>{}",
        words.metric(metric.metric),
        cells(Some(&metric.mean))
    );
    for place in 0..metric.pass_at.len().max(1) {
        if place > 0 {
            html.push_str("<tr><td></td><td></td><td></td>");
        }
        let (at, all) = (metric.pass_at.get(place), metric.pass_all.get(place));
        let k = at.map_or_else(|| "—".to_owned(), |one| one.k.to_string());
        let (disagree, why) = match place {
            0 => (disagree.as_str(), words.say(metric.mean.reason.as_deref())),
            _ => ("", String::new()),
        };
        let _ = writeln!(
            html,
            "<td class=\"n\">{k}</td>{}{}<td class=\"n\">{disagree}</td><td>{}</td></tr>",
            cells(at),
            cells(all),
            esc(&why)
        );
    }
}

/// A task a row, a mark an attempt; what a mark stands for is said on hovering and stands in the legend.
fn strips(html: &mut String, attempts: &Repetitions, words: &Words) {
    let pick = |korean, english| words.wording.pick(korean, english);
    let _ = writeln!(
        html,
        "<table>\n<caption>{} (SR): {}</caption>",
        pick("과제별 시도", "Attempts of each task"),
        pick(
            "✓ 성공, ✗ 실패, ? 미채점, · 시도 없음",
            "✓ success, ✗ failure, ? unscored, · not made",
        )
    );
    columns(
        html,
        [(words.task, Align::Text), (pick("시도", "Attempts"), Align::Text)],
    );
    html.push_str("<tbody>\n");
    for task in &attempts.tasks {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th><td>", esc(&task.task));
        for repetition in 1..=attempts.planned.min(1000) {
            let made = task
                .attempts
                .iter()
                .find(|attempt| attempt.repetition == repetition);
            let (mark, why) = made.map_or(("·", None), success);
            let _ = match why {
                Some(why) => write!(
                    html,
                    "<span title=\"{}\">{mark}</span> ",
                    esc(&words.say(Some(why)))
                ),
                None => write!(html, "{mark} "),
            };
        }
        html.push_str("</td></tr>\n");
    }
    html.push_str("</tbody>\n</table>\n");
}

fn success(attempt: &AttemptScores) -> (&'static str, Option<&str>) {
    match attempt.score(MetricId::Sr) {
        Some(score) if score.value == Some(1.0) => ("✓", None),
        Some(score) if score.value.is_some() => ("✗", attempt.technical.as_deref()),
        Some(score) => ("?", score.why.as_deref()),
        None => ("?", attempt.technical.as_deref()),
    }
}
