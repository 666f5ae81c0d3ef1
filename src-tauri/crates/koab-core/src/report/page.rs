//! A report as one HTML page that needs nothing but itself: no script, no other file, light or dark as the reader's
//! system asks, fit to be printed. For keeping and sending; the window draws reports itself.

mod charts;
mod comparability;
mod escape;
mod repetitions;
mod words;

pub use repetitions::Repeated;
pub use words::Language;

use super::interval::{Bounds, Intervals, LevelIntervals, intervals};
use super::measure::{level_score, overall};
use super::{CompositeReading, LevelReport, Report, TaskReport, count};
use crate::comparability::Comparability;
use crate::score::{MetricId, Score};
use crate::shown;
use escape::esc;
use std::fmt::Write as _;
use words::Words;

const STYLE: &str = include_str!("page/page.css");

/// Writes the page.
///
/// `composites` are the readings of the composite as the caller knows them, first the one that the report is shown in;
/// `notes` are what to know before comparing, one sentence each; `comparability` stands beside the headline
/// number, with its reasons and the calls that found no answer below; `repeated` is what several attempts tell.
pub fn page(
    report: &Report,
    composites: &[CompositeReading],
    notes: &[String],
    comparability: Option<&Comparability>,
    repeated: Repeated<'_>,
    language: Language,
) -> String {
    let words = language.words();
    let found = intervals(report);
    let mut html = String::new();
    let title = format!("{} · {}", report.model, words.title);
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"content-security-policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
        language.tag(),
        esc(&title),
    );
    head(
        &mut html,
        report,
        composites,
        &found,
        comparability,
        repeated.is_ok(),
        words,
    );
    list(&mut html, words.notes, notes);
    if let Some(comparability) = comparability {
        comparability::section(&mut html, comparability, words);
    }
    levels(&mut html, report, &found, words);
    metrics(&mut html, report, &found, words);
    repetitions::section(&mut html, repeated, words);
    usage(&mut html, report, words);
    tasks(&mut html, report, words);
    let _ = write!(
        html,
        "<footer>{}</footer>\n</main>\n</body>\n</html>\n",
        words.footer
    );
    html
}

fn head(
    html: &mut String,
    report: &Report,
    composites: &[CompositeReading],
    found: &Intervals,
    comparability: Option<&Comparability>,
    is_repeated: bool,
    words: &Words,
) {
    let _ = write!(html, "<header>\n<h1>{}</h1>\n<dl>\n", esc(&report.model));
    let judges = report.judges.join(", ");
    let facts = [
        (words.run_date, report.execution_date.as_str()),
        (words.evaluated, report.evaluation_date.as_str()),
        (words.scorer, report.scorer.as_str()),
        (words.judges, if judges.is_empty() { words.none } else { &judges }),
    ];
    for (name, value) in facts {
        fact(html, name, value);
    }
    let counts = [report.evaluated_tasks(), report.total_tasks()]
        .map(count)
        .join(" / ");
    fact(html, words.tasks_evaluated, &counts);
    html.push_str("</dl>\n</header>\n<section>\n");
    let _ = writeln!(html, "<h2>{}</h2>", words.composite);
    if let Some(comparability) = comparability {
        comparability::badge(html, comparability, words);
    }
    html.push_str("<table>\n");
    columns(
        html,
        [
            (words.variant, Align::Text),
            (words.value, Align::Number),
            (words.interval, Align::Number),
            (words.counts, Align::Text),
            (words.why, Align::Text),
        ],
    );
    html.push_str("<tbody>\n");
    for composite in composites {
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\"><code>{}</code></th><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>",
            esc(&composite.variant.name()),
            number(composite.value),
            interval(Some(&composite.bounds), words),
            esc(&words.reading(composite.variant)),
            esc(&words.say(composite.reason.as_deref())),
        );
    }
    html.push_str("</tbody>\n</table>\n");
    over_all_tasks(html, report, found, is_repeated, words);
    html.push_str("</section>\n");
}

/// The metrics that every level has, over the tasks of all levels.
fn over_all_tasks(html: &mut String, report: &Report, found: &Intervals, is_repeated: bool, words: &Words) {
    let title = if is_repeated {
        words.wording.pick(
            "모든 과제의 첫 시도에 대한 평균",
            "Means over the first attempts at all tasks",
        )
    } else {
        words
            .wording
            .pick("모든 과제에 대한 평균", "Means over all tasks")
    };
    let _ = writeln!(html, "<table id=\"overall\">\n<caption>{title}</caption>");
    columns(
        html,
        [
            (words.metric, Align::Text),
            (words.mean, Align::Number),
            (words.interval, Align::Number),
            (words.tasks, Align::Number),
            (words.why, Align::Text),
        ],
    );
    html.push_str("<tbody>\n");
    for (metric, bounds) in &found.overall {
        let mean = overall(report, *metric);
        let tasks = mean.value.map(|_| mean.tasks);
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            words.metric(*metric),
            number(mean.value),
            interval(Some(bounds), words),
            count(tasks),
            esc(&words.say(mean.reason.as_deref())),
        );
    }
    html.push_str("</tbody>\n</table>\n");
}

fn fact(html: &mut String, name: &str, value: &str) {
    let _ = writeln!(html, "<div><dt>{}</dt><dd>{}</dd></div>", esc(name), esc(value));
}

fn list(html: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = write!(html, "<section class=\"notes\">\n<h2>{}</h2>\n<ul>\n", esc(title));
    for item in items {
        let _ = writeln!(html, "<li>{}</li>", esc(item));
    }
    html.push_str("</ul>\n</section>\n");
}

fn levels(html: &mut String, report: &Report, found: &Intervals, words: &Words) {
    let _ = write!(
        html,
        "<section>\n<h2>{}</h2>\n<p>{}</p>\n",
        words.levels, words.level_hint
    );
    html.push_str("<div class=\"charts\">\n");
    let bars: Vec<charts::Bar<'_>> = report
        .levels
        .iter()
        .zip(&found.levels)
        .map(|(level, bounds)| charts::Bar {
            name: level.level.as_str(),
            value: level_score(level).value,
            range: bounds.score.as_ref().ok().map(|found| (found.low, found.high)),
        })
        .collect();
    html.push_str(&charts::bars(&bars, words.levels));
    html.push_str(&charts::radar(&bars, words.levels));
    html.push_str("</div>\n<table>\n");
    columns(
        html,
        [
            (words.level, Align::Text),
            (words.tasks, Align::Number),
            (words.value, Align::Number),
            (words.interval, Align::Number),
            (words.why, Align::Text),
        ],
    );
    html.push_str("<tbody>\n");
    for (level, bounds) in report.levels.iter().zip(&found.levels) {
        let score = level_score(level);
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{} {}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            level.level,
            words.level_name(level.level),
            count(level.evaluated_tasks),
            number(score.value),
            interval(Some(&bounds.score), words),
            esc(&words.say(score.reason.as_deref())),
        );
    }
    html.push_str("</tbody>\n</table>\n</section>\n");
}

fn metrics(html: &mut String, report: &Report, found: &Intervals, words: &Words) {
    let _ = writeln!(html, "<section>\n<h2>{}</h2>\n<table>", words.metrics);
    columns(
        html,
        [
            (words.metric, Align::Text),
            (words.mean, Align::Number),
            (words.interval, Align::Number),
            (words.scored, Align::Number),
            (words.unscored, Align::Number),
            (words.why, Align::Text),
        ],
    );
    for (level, bounds) in report.levels.iter().zip(&found.levels) {
        metric_rows(html, level, bounds, words);
    }
    html.push_str("</table>\n</section>\n");
}

fn metric_rows(html: &mut String, level: &LevelReport, bounds: &LevelIntervals, words: &Words) {
    let _ = writeln!(
        html,
        "<tbody>\n<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"6\">{} {}</th></tr>",
        level.level,
        words.level_name(level.level)
    );
    for (mean, (_, bounds)) in level.means.iter().zip(&bounds.means) {
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td>{}</td></tr>",
            words.metric(mean.metric),
            number(mean.value),
            interval(Some(bounds), words),
            count(mean.scored),
            mean.unscored + mean.not_applicable,
            esc(&words.say(mean.reason.as_deref())),
        );
    }
    for task in &level.skipped {
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td colspan=\"5\">{}</td></tr>",
            esc(&task.id),
            esc(&words.say(Some(&task.reason)))
        );
    }
    html.push_str("</tbody>\n");
}

fn usage(html: &mut String, report: &Report, words: &Words) {
    let figures = [
        (words.steps, "total_steps", 0),
        (words.calls, "total_tool_calls", 0),
        (words.tokens, "total_tokens", 0),
        (words.prompt_tokens, "average_prompt_tokens", 1),
        (words.completion_tokens, "average_completion_tokens", 1),
        (words.seconds, "average_execution_time", 2),
        (words.ttft, "ttft.average", 2),
    ];
    let _ = writeln!(html, "<section>\n<h2>{}</h2>\n<table>", words.usage);
    let names = figures.map(|(name, ..)| (name, Align::Number));
    columns(html, std::iter::once((words.level, Align::Text)).chain(names));
    html.push_str("<tbody>\n");
    for level in &report.levels {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", level.level);
        for (_, key, decimals) in figures {
            let figure = level
                .figure(key)
                .map_or_else(|| shown::NONE.to_owned(), |figure| shown::fixed(figure, decimals));
            let _ = write!(html, "<td class=\"n\">{figure}</td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</section>\n");
}

fn tasks(html: &mut String, report: &Report, words: &Words) {
    let _ = writeln!(html, "<section>\n<h2>{}</h2>", words.tasks);
    for level in &report.levels {
        let metrics: Vec<MetricId> = level
            .means
            .iter()
            .map(|mean| mean.metric)
            .filter(|metric| *metric != MetricId::Rrr)
            .collect();
        let _ = writeln!(
            html,
            "<table>\n<caption>{} {}</caption>",
            level.level,
            words.level_name(level.level)
        );
        let names: Vec<&str> = metrics.iter().map(|metric| words.metric(*metric)).collect();
        let first = [(words.task, Align::Text), (words.answered, Align::Text)];
        let numbers = names.into_iter().map(|name| (name, Align::Number));
        columns(html, first.into_iter().chain(numbers));
        html.push_str("<tbody>\n");
        for task in &level.tasks {
            task_row(html, task, &metrics, words);
        }
        html.push_str("</tbody>\n</table>\n");
    }
    html.push_str("</section>\n");
}

fn task_row(html: &mut String, task: &TaskReport, metrics: &[MetricId], words: &Words) {
    let answered = if task.answered() { words.yes } else { words.no };
    let _ = write!(
        html,
        "<tr><th scope=\"row\">{}</th><td>{answered}</td>",
        esc(&task.id)
    );
    for metric in metrics {
        let why = match task.score(*metric) {
            Some(Score::Errored { error }) => error.as_str(),
            Some(Score::Unscored { reason }) => reason.as_str(),
            _ => "",
        };
        let value = task.score(*metric).and_then(Score::value);
        let title = if why.is_empty() {
            String::new()
        } else {
            format!(" title=\"{}\"", esc(&words.say(Some(why))))
        };
        let _ = write!(html, "<td class=\"n\"{title}>{}</td>", number(value));
    }
    html.push_str("</tr>\n");
}

/// Which way the cells of a column stand; its header stands with them.
#[derive(Clone, Copy)]
enum Align {
    Text,
    Number,
}

/// The headers of a table.
fn columns<'a>(html: &mut String, columns: impl IntoIterator<Item = (&'a str, Align)>) {
    html.push_str("<thead><tr>");
    for (name, align) in columns {
        let class = match align {
            Align::Text => "",
            Align::Number => " class=\"n\"",
        };
        let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", esc(name));
    }
    html.push_str("</tr></thead>\n");
}

fn number(value: Option<f64>) -> String {
    shown::score(value)
}

fn interval(bounds: Option<&Bounds>, words: &Words) -> String {
    match bounds {
        Some(Ok(found)) => shown::ends(found.low, found.high),
        Some(Err(reason)) => format!("<span title=\"{}\">—</span>", esc(&words.say(Some(reason)))),
        None => "—".to_owned(),
    }
}

#[cfg(test)]
mod tests;
