//! Results of several attempts at the same tasks, as text for the terminal.

use crate::output::{Columns, Output, or_dash};
use crate::render::report::interval;
use koab_api::shown;
use koab_api::{Api, AttemptMark, RepetitionsView, WireError};
use koab_core::score::MetricId;
use koab_core::sentence::Language;
use koab_core::text;
use koab_report::repetitions::{RepeatedFigure, RepetitionScope};

/// Looks up the results of several attempts at a report's tasks; `None` if there was one attempt
/// per task.
///
/// # Errors
/// When the report cannot be read.
pub(crate) fn find(api: &Api, id: &str) -> Result<Option<RepetitionsView>, WireError> {
    let repeated = api.runs.library.report_repetitions(id)?;
    Ok(repeated.reason.is_none().then_some(repeated))
}

/// Whether a report has several attempts at its tasks. Repetitions that cannot be read are said on
/// standard error.
pub(crate) fn is_repeated(api: &Api, id: &str, output: Output) -> bool {
    match find(api, id) {
        Ok(found) => found.is_some(),
        Err(error) => {
            output.sentence(&output.lang.say(&error.message));
            false
        }
    }
}

/// Short results over all tasks for the end of a report, and the command that shows the details.
pub(crate) fn brief(view: &RepetitionsView, id: &str, lang: Language) -> String {
    let mut text = title(view, lang);
    for scope in view.scopes.iter().take(1) {
        text.push_str(&estimates(std::slice::from_ref(scope), lang));
        text.push_str(&disagreement(std::slice::from_ref(scope), lang));
    }
    text + &format!("{} `koab report repetitions {id}`\n", lang.text(text!("each level and each task:")))
}

/// All results: means, pass@k, disagreement and a strip per task.
pub(crate) fn text(view: &RepetitionsView, lang: Language) -> String {
    if let Some(reason) = &view.reason {
        return format!("{}\n", lang.say(reason));
    }
    let mut text = title(view, lang);
    text.push_str(&means(view, lang));
    text.push_str(&estimates(&view.scopes, lang));
    text.push_str(&disagreement(&view.scopes, lang));
    text.push_str(&strips(view, lang));
    text
}

fn title(view: &RepetitionsView, lang: Language) -> String {
    let attempts = lang.text(text!("attempts a task"));
    let mut text = format!("{attempts}: {}\n", view.planned);
    if view.first_only {
        text.push_str(lang.text(text!("judges were asked about the first attempts only\n")));
    }
    text
}

fn scope_name(scope: &RepetitionScope, lang: Language) -> String {
    scope.level.as_ref().map_or_else(|| lang.text(text!("all")).to_owned(), |level| level.to_string())
}

/// Table of every metric's mean over all attempts, and of its value per repetition.
fn means(view: &RepetitionsView, lang: Language) -> String {
    let rows = view.scopes.iter().flat_map(|scope| scope.metrics.iter().map(move |metric| (scope, metric)));
    let table = Columns::new(rows, lang)
        .column(text!("level"), |(scope, _)| scope_name(scope, lang))
        .column(text!("metric"), |(_, metric)| shown::metric(metric.metric.name(), lang))
        .column(text!("all attempts"), |(_, metric)| shown::score(metric.mean.figure.value()))
        .column(text!("95 % interval"), |(_, metric)| bounds(&metric.mean))
        .prose(text!("each repetition"), |(_, metric)| {
            let runs: Vec<String> = metric.runs.iter().map(|run| shown::score(run.value)).collect();
            runs.join(" ")
        })
        .prose(text!("why no value"), |(_, metric)| reason_text(&metric.mean, lang));
    format!("\n{}", table.text())
}

/// Table of pass@k and pass^k with one row per k.
fn estimates(scopes: &[RepetitionScope], lang: Language) -> String {
    let rows = scopes.iter().flat_map(|scope| {
        scope.metrics.iter().flat_map(move |metric| {
            let pass = metric.pass_at.iter().zip(&metric.pass_all);
            pass.map(move |(at, all)| (scope, metric, at, all))
        })
    });
    let table = Columns::new(rows, lang)
        .column(text!("level"), |(scope, ..)| scope_name(scope, lang))
        .column(text!("all attempts"), |(_, metric, ..)| shown::metric(metric.metric.name(), lang))
        .column("k", |(_, _, at, _)| at.k)
        .column("pass@k", |(_, _, at, _)| shown::score(at.figure.value()))
        .column(text!("95 % interval"), |(_, _, at, _)| bounds(at))
        .column("pass^k", |(.., all)| shown::score(all.figure.value()))
        .column(text!("95 % interval"), |(.., all)| bounds(all))
        .column(text!("tasks"), |(_, _, at, _)| at.tasks)
        .prose(text!("why no value"), |(_, _, at, _)| reason_text(at, lang));
    format!("\n{}", table.text())
}

fn bounds(figure: &RepeatedFigure) -> String {
    interval(Some(&figure.bounds.clone().into()))
}

fn reason_text(figure: &RepeatedFigure, lang: Language) -> String {
    figure.figure.reason().map_or_else(String::new, |reason| lang.say(reason))
}

/// Share and names of the tasks whose attempts disagree on success.
fn disagreement(scopes: &[RepetitionScope], lang: Language) -> String {
    let mut text = String::new();
    for scope in scopes {
        let sr = scope.metrics.iter().find(|metric| metric.metric == MetricId::Sr);
        let Some(disagreement) = sr.and_then(|sr| sr.disagreement.as_ref()) else {
            continue;
        };
        let share = match disagreement.share {
            Some(share) => format!(
                "{} / {} = {} {}",
                disagreement.tasks.len(),
                disagreement.of,
                shown::score(Some(share)),
                interval(Some(&disagreement.bounds.clone().into()))
            ),
            None => or_dash(disagreement.reason.as_ref().map(|reason| lang.say(reason))),
        };
        text.push_str(&format!(
            "{} ({}): {share}\n",
            lang.text(text!("tasks whose attempts disagree on SR")),
            scope_name(scope, lang)
        ));
        if !disagreement.tasks.is_empty() {
            text.push_str(&format!("  {}\n", disagreement.tasks.join(" ")));
        }
    }
    format!("\n{text}")
}

/// One line per task with a mark for each attempt, and the reasons why attempts are unscored.
fn strips(view: &RepetitionsView, lang: Language) -> String {
    let mut text = format!(
        "\n{}\n",
        lang.text(text!("attempts of each task: ✓ success, ✗ failure, ? unscored, · not made"))
    );
    for task in &view.tasks {
        let marks: String = task.attempts.iter().map(mark).collect();
        text.push_str(&format!("  {}  {marks}", task.task));
        for attempt in &task.attempts {
            if let Some(why) = &attempt.why {
                text.push_str(&format!("  #{}: {}", attempt.repetition, lang.say(why)));
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
