//! Report as a single HTML page without scripts or other files.
//!
//! The page is light or dark as the reader's system prefers, and can be printed. It is for
//! archiving and sending; the window shows reports itself.

mod benchmark;
mod charts;
mod comparability;
mod repetitions;
mod table;
mod words;

pub use repetitions::Repeated;

use super::interval::{Intervals, LevelIntervals, intervals};
use super::measure::{level_score, overall};
use super::{BenchmarkTables, CompositeReading, LevelReport, Report, TaskReport, count};
use crate::comparability::Comparability;
use koab_core::score::composite::CompositeVariant;
use koab_core::score::{MetricId, Score};
use koab_core::sentence::{Language, Sentence};
use koab_core::{shown, text};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use table::{columns, interval};
use words::{titled, why};

const STYLE: &str = include_str!("page/page.css");

/// Writes the page.
///
/// `composites` are the readings of the composite score; the first one is shown at the top. `notes`
/// are caveats, one sentence each. `comparability` is shown as a badge next to the main number,
/// with its reasons and the cache misses below. `repeated` is the summary of several attempts.
/// `tables` are the tables of another benchmark's authors.
pub fn page(
    report: &Report,
    composites: &[CompositeReading],
    notes: &[Sentence],
    comparability: Option<&Comparability>,
    repeated: Repeated<'_>,
    tables: Option<&BenchmarkTables>,
    language: Language,
) -> String {
    let is_other = report.is_of_another_benchmark();
    let bounds = intervals(report);
    let page = html! {
        (DOCTYPE)
        html lang=(language.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { (report.model) " · " (tables.map_or_else(|| language.text(text!("Ko-AgentBench report")), |tables| tables.title.as_str())) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    (head(report, language))
                    section {
                        h2 { (language.text(if is_other { text!("Success rate") } else { text!("Composite score") })) }
                        @if let Some(comparability) = comparability { (comparability::badge(comparability, language)) }
                        @if is_other { p { (why(report.composite(CompositeVariant::SHOWN).composite.as_ref().err(), language)) } } @else { (readings(composites, language)) }
                        (over_all_tasks(report, &bounds, repeated.is_ok(), language))
                    }
                    @if let Some(tables) = tables { (benchmark::section(tables, language)) }
                    @if !notes.is_empty() {
                        section.notes {
                            h2 { (language.text(text!("Caveats"))) }
                            ul { @for note in notes { li { (language.say(note)) } } }
                        }
                    }
                    @if let Some(comparability) = comparability { (comparability::section(comparability, language)) }
                    (levels(report, &bounds, language))
                    (metrics(report, &bounds, language))
                    (repetitions::section(repeated, language))
                    (usage(report, language))
                    (tasks(report, language))
                    footer { (language.text(text!("“—” means that there is no value, never 0. Proportions have Wilson intervals, other means those of 10,000 bootstrap resamples of the tasks."))) }
                }
            }
        }
    };
    // HTML forbids all other control characters.
    let forbidden = |c: char| c.is_control() && c != '\n' && c != '\t';
    page.into_string().replace(forbidden, "\u{fffd}") + "\n"
}

fn head(report: &Report, language: Language) -> Markup {
    let judges = report.judges.join(", ");
    let tasks = [report.evaluated_tasks(), report.total_tasks()].map(count);
    let facts = [
        (text!("Run", "a day"), report.execution_date.as_str()),
        (text!("Scored"), report.evaluation_date.as_str()),
        (text!("Scorer"), report.scorer.as_str()),
        (text!("Judges"), if judges.is_empty() { language.text(text!("none")) } else { &judges }),
        (text!("Tasks evaluated"), &tasks.join(" / ")),
    ];
    html! {
        header {
            h1 { (report.model) }
            dl { @for (name, value) in facts { div { dt { (language.text(name)) } dd { (value) } } } }
        }
    }
}

fn readings(composites: &[CompositeReading], language: Language) -> Markup {
    let names = [
        text!("Reading"),
        text!("Value"),
        text!("95 % interval", "a column"),
        text!("What it counts"),
        text!("Why there is none"),
    ];
    html! {
        table {
            (columns(language, names, 1..3))
            tbody {
                @for composite in composites {
                    tr {
                        th scope="row" { (language.text(composite.variant.title())) }
                        td.n { (shown::score(composite.value.as_ref().ok().copied())) }
                        td.n { (interval(&composite.bounds, language)) }
                        td { (language.say(&composite.variant.reading().into())) }
                        td { (why(composite.value.as_ref().err(), language)) }
                    }
                }
            }
        }
    }
}

/// Means of the metrics that every level has, over the tasks of all levels.
fn over_all_tasks(report: &Report, found: &Intervals, is_repeated: bool, language: Language) -> Markup {
    let title = if is_repeated {
        text!("Means over the first attempts at all tasks")
    } else {
        text!("Means over all tasks")
    };
    let names = [
        text!("Metric"),
        text!("Mean"),
        text!("95 % interval", "a column"),
        text!("Tasks"),
        text!("Why there is none"),
    ];
    html! {
        table #overall {
            caption { (language.text(title)) }
            (columns(language, names, 1..4))
            tbody {
                @for (metric, bounds) in &found.overall {
                    @let mean = overall(report, *metric);
                    tr {
                        th scope="row" { (shown::metric(metric.name(), language)) }
                        td.n { (shown::score(mean.as_ref().ok().map(|mean| mean.value))) }
                        td.n { (interval(bounds, language)) }
                        td.n { (count(mean.as_ref().ok().map(|mean| mean.tasks))) }
                        td { (why(mean.as_ref().err(), language)) }
                    }
                }
            }
        }
    }
}

fn levels(report: &Report, found: &Intervals, language: Language) -> Markup {
    let bars: Vec<charts::Bar<'_>> = report
        .levels
        .iter()
        .zip(&found.levels)
        .map(|(level, bounds)| charts::Bar {
            name: level.level.as_str(),
            value: level_score(level).ok(),
            range: bounds.score.as_ref().ok().map(|found| (found.low, found.high)),
        })
        .collect();
    let names = [
        text!("Level"),
        text!("Tasks"),
        text!("Value"),
        text!("95 % interval", "a column"),
        text!("Why there is none"),
    ];
    html! {
        section {
            h2 { (language.text(text!("Levels"))) }
            @if !report.is_of_another_benchmark() { p { (language.text(text!("A level’s score is the plain mean of its own metrics. The lines on the bars are 95 % confidence intervals."))) } }
            .charts {
                (charts::bars(&bars, language.text(text!("Levels"))))
                @if !report.is_of_another_benchmark() { (charts::radar(&bars, language.text(text!("Levels")))) }
            }
            table {
                (columns(language, names, 1..4))
                tbody {
                    @for (level, bounds) in report.levels.iter().zip(&found.levels) {
                        @let score = level_score(level);
                        tr {
                            th scope="row" { (titled(&level.level, language)) }
                            td.n { (count(level.evaluated_tasks)) }
                            td.n { (shown::score(score.as_ref().ok().copied())) }
                            td.n { (interval(&bounds.score, language)) }
                            td { (why(score.as_ref().err(), language)) }
                        }
                    }
                }
            }
        }
    }
}

fn metrics(report: &Report, found: &Intervals, language: Language) -> Markup {
    let names = [
        text!("Metric"),
        text!("Mean"),
        text!("95 % interval", "a column"),
        text!("Scored", "a count"),
        text!("Unscored"),
        text!("Why there is none"),
    ];
    html! {
        section {
            h2 { (language.text(text!("All metrics"))) }
            table {
                (columns(language, names, 1..5))
                @for (level, bounds) in report.levels.iter().zip(&found.levels) {
                    (metric_rows(level, bounds, language))
                }
            }
        }
    }
}

fn metric_rows(level: &LevelReport, bounds: &LevelIntervals, language: Language) -> Markup {
    html! {
        tbody {
            tr.group { th scope="rowgroup" colspan="6" { (titled(&level.level, language)) } }
            @for (mean, (_, bounds)) in level.means.iter().zip(&bounds.means) {
                tr {
                    th scope="row" { (shown::metric(mean.metric.name(), language)) }
                    td.n { (shown::score(mean.figure.value())) }
                    td.n { (interval(bounds, language)) }
                    td.n { (count(mean.scored)) }
                    td.n { (mean.unscored + mean.not_applicable) }
                    td { (why(mean.figure.reason(), language)) }
                }
            }
            @for task in &level.skipped {
                tr { th scope="row" { (task.id) } td colspan="5" { (language.say(&task.reason)) } }
            }
        }
    }
}

fn usage(report: &Report, language: Language) -> Markup {
    let figures = [
        (text!("Model turns"), "total_steps", 0),
        (text!("Tool calls"), "total_tool_calls", 0),
        (text!("Tokens"), "total_tokens", 0),
        (text!("Input tokens a task"), "average_prompt_tokens", 1),
        (text!("Output tokens a task"), "average_completion_tokens", 1),
        (text!("Seconds a task"), "average_execution_time", 2),
        (text!("Seconds to first token"), "ttft.average", 2),
    ];
    let figure = |level: &LevelReport, key, decimals| {
        let figure = level.figure(key).map(|figure| shown::fixed(figure, decimals));
        figure.unwrap_or_else(|| shown::NONE.to_owned())
    };
    html! {
        section {
            h2 { (language.text(text!("Usage"))) }
            table {
                (columns(language, std::iter::once(text!("Level")).chain(figures.map(|(name, ..)| name)), 1..))
                tbody {
                    @for level in &report.levels {
                        tr {
                            th scope="row" { (level.level.as_str()) }
                            @for (_, key, decimals) in figures { td.n { (figure(level, key, decimals)) } }
                        }
                    }
                }
            }
        }
    }
}

fn tasks(report: &Report, language: Language) -> Markup {
    html! {
        section {
            h2 { (language.text(text!("Tasks"))) }
            @for level in &report.levels {
                @let means = level.means.iter().map(|mean| mean.metric);
                @let metrics: Vec<MetricId> = means.filter(|metric| *metric != MetricId::Rrr).collect();
                @let names = metrics.iter().map(|metric| shown::metric(metric.name(), language));
                table {
                    caption { (titled(&level.level, language)) }
                    (columns(language, [text!("Task"), text!("Answered")].into_iter().chain(names), 2..))
                    tbody { @for task in &level.tasks { (task_row(task, &metrics, language)) } }
                }
            }
        }
    }
}

fn task_row(task: &TaskReport, metrics: &[MetricId], language: Language) -> Markup {
    let why = |score: Option<&Score>| match score {
        Some(Score::Errored { error: why }) if !why.is_empty() => Some(why.clone()),
        Some(Score::Unscored { reason: why }) if !why.is_empty() => Some(language.say(why)),
        _ => None,
    };
    html! {
        tr {
            th scope="row" { (task.id) }
            td { @if task.answered() { (language.text(text!("yes"))) } @else { (language.text(text!("no"))) } }
            @for score in metrics.iter().map(|metric| task.score(*metric)) {
                td.n title=[why(score)] { (shown::score(score.and_then(Score::value))) }
            }
        }
    }
}

#[cfg(test)]
mod tests;
