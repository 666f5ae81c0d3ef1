//! Repetitions on the page: pass@k and pass^k with their intervals, tasks whose attempts disagree,
//! and a strip of marks for each task.

use super::table::{columns, interval};
use super::words::{titled, why};
use crate::repetitions::{
    AttemptScores, RepeatedFigure, RepeatedMetric, RepetitionScope, RepetitionSummary, Repetitions,
};
use koab_core::score::MetricId;
use koab_core::sentence::{Language, Sentence};
use koab_core::{shown, text};
use maud::{Markup, html};

/// Attempts with their summary, or the reason why there are no repetitions.
pub type Repeated<'a> = Result<(&'a Repetitions, &'a RepetitionSummary), &'a Sentence>;

pub(super) fn section(repeated: Repeated<'_>, language: Language) -> Markup {
    let hint = language.text(text!("Unbiased estimates: pass@k, the chance that at least one of k attempts succeeds; pass^k, the chance that all k do. For 95 % intervals tasks are drawn with all their attempts."));
    let names = [
        text!("Metric"),
        text!("Mean of all attempts"),
        text!("95 % interval", "a column"),
        "k",
        "pass@k",
        text!("95 % interval", "a column"),
        "pass^k",
        text!("95 % interval", "a column"),
        text!("Tasks that disagree"),
        text!("Why there is none"),
    ];
    html! {
        section #repetitions {
            h2 { (language.text(text!("Repetitions"))) }
            @match repeated {
                Err(reason) => p { (language.say(reason)) },
                Ok((attempts, summary)) => {
                    p { (hint) }
                    table {
                        (columns(language, names, 1..9))
                        @for scope in &summary.scopes { (rows(scope, language)) }
                    }
                    (strips(attempts, language))
                }
            }
        }
    }
}

fn rows(scope: &RepetitionScope, language: Language) -> Markup {
    let all = || language.text(text!("All tasks")).to_owned();
    let title = scope.level.as_ref().map_or_else(all, |level| titled(level, language));
    html! {
        tbody {
            tr.group { th scope="rowgroup" colspan="10" { (title) } }
            @for metric in &scope.metrics { (metric_rows(metric, language)) }
        }
    }
}

fn metric_rows(metric: &RepeatedMetric, language: Language) -> Markup {
    let cells = |estimate: Option<&RepeatedFigure>| match estimate {
        Some(one) => {
            html! { td.n { (shown::score(one.figure.value())) } td.n { (interval(&one.bounds, language)) } }
        }
        None => html! { td.n { (shown::NONE) } td.n { (shown::NONE) } },
    };
    let disagree = metric.disagreement.as_ref().filter(|found| found.share.is_some());
    html! {
        @for place in 0..metric.pass_at.len().max(1) {
            tr {
                @if place == 0 {
                    th scope="row" { (shown::metric(metric.metric.name(), language)) }
                    (cells(Some(&metric.mean)))
                } @else {
                    td {} td {} td {}
                }
                @let at = metric.pass_at.get(place);
                td.n { (at.map_or_else(|| shown::NONE.to_owned(), |one| one.k.to_string())) }
                (cells(at))
                (cells(metric.pass_all.get(place)))
                td.n {
                    @match disagree {
                        _ if place > 0 => {},
                        Some(found) => { (found.tasks.len()) " / " (found.of) },
                        None => (shown::NONE),
                    }
                }
                td { @if place == 0 { (why(metric.mean.figure.reason(), language)) } }
            }
        }
    }
}

/// Table with one row per task and one mark per attempt. The legend explains the marks; a tooltip
/// gives the reason for a mark.
fn strips(attempts: &Repetitions, language: Language) -> Markup {
    let legend = language.text(text!("✓ success, ✗ failure, ? unscored, · not made"));
    html! {
        table {
            caption { (language.text(text!("Attempts of each task"))) " (SR): " (legend) }
            (columns(language, [text!("Task"), text!("Attempts")], 0..0))
            tbody {
                @for task in &attempts.tasks {
                    tr {
                        th scope="row" { (task.task) }
                        td {
                            @for repetition in 1..=attempts.planned.min(1000) {
                                @let attempt = task.attempts.iter().find(|attempt| attempt.repetition == repetition);
                                @match attempt.map_or(("·", None), success) {
                                    (mark, Some(why)) => span title=(language.say(why)) { (mark) },
                                    (mark, None) => (mark),
                                }
                                " "
                            }
                        }
                    }
                }
            }
        }
    }
}

fn success(attempt: &AttemptScores) -> (&'static str, Option<&Sentence>) {
    match attempt.score(MetricId::Sr) {
        Some(score) if score.value == Some(1.0) => ("✓", None),
        Some(score) if score.value.is_some() => ("✗", attempt.technical.as_deref()),
        Some(score) => ("?", score.why.as_ref()),
        None => ("?", attempt.technical.as_deref()),
    }
}
