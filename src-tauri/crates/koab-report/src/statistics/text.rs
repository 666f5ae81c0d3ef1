//! Text forms of the statistics: CSV for tables, Markdown for people.

use super::{Kind, Row, Statistics};
use crate::markdown_cell;
use crate::repetitions::{AttemptScores, RepeatedTask, Repetitions};
use koab_core::measured::{Interval, IntervalMethod};
use koab_core::score::MetricId;
use koab_core::sentence::{Language, Sentence};
use koab_core::{sheet, shown, text};
use std::fmt::Write as _;

impl Statistics {
    /// CSV with the columns `kind,level,name,k,value,low,high,method,tasks,reason`.
    ///
    /// There is a row for each number and for each attempt. Names are the same in every language;
    /// sentences are translated.
    pub fn to_csv(&self, language: Language) -> String {
        csv(self, language)
    }

    /// Statistics as Markdown for people.
    pub fn to_markdown(&self, language: Language) -> String {
        markdown(self, language)
    }
}

fn csv(statistics: &Statistics, language: Language) -> String {
    let header = ["kind", "level", "name", "k", "value", "low", "high", "method", "tasks", "reason"];
    let mut lines = vec![header.map(ToOwned::to_owned)];
    for row in &statistics.rows {
        let interval = row.bounds.as_ref().ok();
        lines.push([
            row.kind.name().to_owned(),
            row.level.as_ref().map_or_else(String::new, |level| level.to_string()),
            row.name.clone().unwrap_or_default(),
            row.k.map_or_else(String::new, |k| k.to_string()),
            number(row.value.as_ref().ok().copied()),
            number(interval.map(|found| found.low)),
            number(interval.map(|found| found.high)),
            interval.map_or("", |found| method(found.method)).to_owned(),
            row.tasks.map_or_else(String::new, |tasks| tasks.to_string()),
            why(row).map_or_else(String::new, |why| language.say(why)),
        ]);
    }
    if let Ok(repetitions) = &statistics.attempts {
        for task in &repetitions.tasks {
            for attempt in &task.attempts {
                for score in attempt.scores.iter() {
                    lines.push([
                        "attempt".to_owned(),
                        task.level.to_string(),
                        format!("{} {}", task.task, score.metric),
                        attempt.repetition.to_string(),
                        number(score.value),
                        String::new(),
                        String::new(),
                        String::new(),
                        String::new(),
                        score.why.as_ref().map_or_else(String::new, |why| language.say(why)),
                    ]);
                }
            }
        }
    }
    sheet::crlf(lines)
}

/// Reason why a row has no value, or why it has no interval.
fn why(row: &Row) -> Option<&Sentence> {
    let has_text = |reason: &&Sentence| !reason.is_empty();
    let unscored = row.value.as_ref().err().filter(has_text);
    unscored.or(row.bounds.as_ref().err()).filter(has_text)
}

fn markdown(statistics: &Statistics, language: Language) -> String {
    let mut text = format!(
        "# {} — {}\n\n{}\n",
        language.text(text!("Intervals and repetitions")),
        statistics.model,
        language.text(text!("95 % intervals: Wilson's of proportions, of all other means 10,000 bootstrap resamples of the tasks. “—” means that there is no value, never 0.")),
    );
    for (title, kinds) in [
        (language.text(text!("Composite score")), &[Kind::Composite][..]),
        (language.text(text!("Means")), &[Kind::LevelScore, Kind::Mean]),
    ] {
        let rows = statistics.rows.iter().filter(|row| kinds.contains(&row.kind));
        table(&mut text, title, rows, language);
    }
    let _ = write!(text, "\n## {}\n\n", language.text(text!("Repetitions")));
    match &statistics.attempts {
        Err(reason) => {
            let _ = writeln!(text, "{}", language.say(reason));
        }
        Ok(repetitions) => {
            let _ = writeln!(
                text,
                "{}",
                language.text(text!("pass@k: the chance that at least one of k attempts succeeds, 1 − C(n−c,k)/C(n,k). pass^k: the chance that all k do, C(c,k)/C(n,k). Tasks are drawn with all their attempts."))
            );
            for (title, kinds) in [
                (
                    language.text(text!("Means over all attempts")),
                    &[Kind::MeanOfAttempts, Kind::Repetition][..],
                ),
                ("pass@k", &[Kind::PassAt]),
                ("pass^k", &[Kind::PassAll]),
                (language.text(text!("Share of tasks whose attempts disagree")), &[Kind::Disagreement]),
            ] {
                let rows = statistics.rows.iter().filter(|row| kinds.contains(&row.kind));
                table(&mut text, title, rows, language);
            }
            strips(&mut text, repetitions, language);
        }
    }
    text
}

fn table<'a>(text: &mut String, title: &str, rows: impl Iterator<Item = &'a Row>, language: Language) {
    let _ = write!(
        text,
        "\n## {title}\n\n| {} | {} | k | {} | {} | {} | {} |\n|---|---|---:|---:|---|---:|---|\n",
        language.text(text!("Level")),
        language.text(text!("Name")),
        language.text(text!("Value")),
        language.text(text!("95 % interval")),
        language.text(text!("Tasks")),
        language.text(text!("Why")),
    );
    for row in rows {
        let ends = |Interval { low, high, .. }: &Interval| shown::ends(*low, *high);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            row.level
                .as_ref()
                .map_or_else(|| language.text(text!("all")).to_owned(), |level| level.to_string()),
            row.name.as_deref().unwrap_or(language.text(text!("level score"))),
            row.k.map_or_else(String::new, |k| k.to_string()),
            shown::score(row.value.as_ref().ok().copied()),
            row.bounds.as_ref().map_or_else(|_| "—".to_owned(), ends),
            row.tasks.map_or_else(String::new, |tasks| tasks.to_string()),
            why(row).map_or_else(String::new, |reason| markdown_cell(&language.say(reason))),
        );
    }
}

/// Table with a row per task and a mark per attempt.
fn strips(text: &mut String, repetitions: &Repetitions, language: Language) {
    let _ = write!(
        text,
        "\n## {}\n\n{}\n\n| {} | SR |\n|---|---|\n",
        language.text(text!("Attempts of each task")),
        language.text(text!("✓ success, ✗ failure, ? unscored, · not made")),
        language.text(text!("Task")),
    );
    for task in &repetitions.tasks {
        let _ = writeln!(text, "| {} | {} |", task.task, marks(task, repetitions.planned));
    }
}

/// Outcomes of a task's attempts, one character each.
fn marks(task: &RepeatedTask, planned: u32) -> String {
    let mark = |repetition: u32| {
        let attempt = task.attempts.iter().find(|attempt| attempt.repetition == repetition);
        attempt.map_or('·', success)
    };
    (1..=planned.min(1000)).map(mark).collect()
}

fn success(attempt: &AttemptScores) -> char {
    match attempt.value(MetricId::Sr) {
        Some(1.0) => '✓',
        Some(_) => '✗',
        None => '?',
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value}"))
}

fn method(method: IntervalMethod) -> &'static str {
    match method {
        IntervalMethod::Wilson => "wilson",
        IntervalMethod::Bootstrap => "bootstrap",
    }
}
