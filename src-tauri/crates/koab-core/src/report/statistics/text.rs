//! The statistics as text: CSV for tables, Markdown for people.

use super::{Kind, Row, Statistics};
use crate::comparability::Wording;
use crate::report::interval::{Interval, IntervalMethod};
use crate::report::repetitions::{AttemptScores, RepeatedTask, Repetitions};
use crate::score::MetricId;
use crate::shown;
use std::fmt::Write as _;

pub(super) fn csv(statistics: &Statistics, words: &Wording) -> String {
    let mut csv = String::from("kind,level,name,k,value,low,high,method,tasks,reason\r\n");
    let mut line = |cells: [String; 10]| {
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        let _ = write!(csv, "{}\r\n", cells.join(","));
    };
    for row in &statistics.rows {
        let interval = row.bounds.as_ref().ok();
        line([
            row.kind.name().to_owned(),
            row.level.map_or_else(String::new, |level| level.to_string()),
            row.name.clone().unwrap_or_default(),
            row.k.map_or_else(String::new, |k| k.to_string()),
            number(row.value),
            number(interval.map(|found| found.low)),
            number(interval.map(|found| found.high)),
            interval.map_or("", |found| method(found.method)).to_owned(),
            row.tasks.map_or_else(String::new, |tasks| tasks.to_string()),
            why(row).map_or_else(String::new, words.say),
        ]);
    }
    if let Ok(repetitions) = &statistics.attempts {
        for task in &repetitions.tasks {
            for attempt in &task.attempts {
                for score in &attempt.scores {
                    line([
                        "attempt".to_owned(),
                        task.level.to_string(),
                        format!("{} {}", task.task, score.metric),
                        attempt.repetition.to_string(),
                        number(score.value),
                        String::new(),
                        String::new(),
                        String::new(),
                        String::new(),
                        score.why.as_deref().map_or_else(String::new, words.say),
                    ]);
                }
            }
        }
    }
    csv
}

/// Why a row has no value, else why it has no interval.
fn why(row: &Row) -> Option<&str> {
    let missing = row.bounds.as_ref().err().map(String::as_str);
    row.reason
        .as_deref()
        .or(missing)
        .filter(|reason| !reason.is_empty())
}

pub(super) fn markdown(statistics: &Statistics, words: &Wording) -> String {
    let mut text = format!(
        "# {} — {}\n\n{}\n",
        words.pick("구간과 반복", "Intervals and repetitions"),
        statistics.model,
        words.pick(
            "비율은 Wilson 구간, 그 밖의 평균은 과제 단위 부트스트랩 10,000회의 95% 구간입니다. “—”는 값이 없다는 뜻이며 0이 아닙니다.",
            "95 % intervals: Wilson's of proportions, of all other means 10,000 bootstrap resamples of the tasks. “—” means that there is no value, never 0.",
        ),
    );
    for (title, kinds) in [
        (words.pick("종합 점수", "Composite score"), &[Kind::Composite][..]),
        (words.pick("평균", "Means"), &[Kind::LevelScore, Kind::Mean]),
    ] {
        let rows = statistics.rows.iter().filter(|row| kinds.contains(&row.kind));
        table(&mut text, title, rows, words);
    }
    let _ = write!(text, "\n## {}\n\n", words.pick("반복", "Repetitions"));
    match &statistics.attempts {
        Err(reason) => {
            let _ = writeln!(text, "{}", (words.say)(reason));
        }
        Ok(repetitions) => {
            let _ = writeln!(
                text,
                "{}",
                words.pick(
                    "pass@k: k번 중 한 번 이상 성공할 확률(1 − C(n−c,k)/C(n,k)). pass^k: k번 모두 성공할 확률(C(c,k)/C(n,k)). 과제를 시도 전체와 함께 다시 뽑은 구간입니다.",
                    "pass@k: the chance that at least one of k attempts succeeds, 1 − C(n−c,k)/C(n,k). pass^k: the chance that all k do, C(c,k)/C(n,k). Tasks are drawn with all their attempts.",
                )
            );
            for (title, kinds) in [
                (
                    words.pick("모든 시도의 평균", "Means over all attempts"),
                    &[Kind::MeanOfAttempts, Kind::Repetition][..],
                ),
                ("pass@k", &[Kind::PassAt]),
                ("pass^k", &[Kind::PassAll]),
                (
                    words.pick(
                        "시도가 엇갈린 과제의 비율",
                        "Share of tasks whose attempts disagree",
                    ),
                    &[Kind::Disagreement],
                ),
            ] {
                let rows = statistics.rows.iter().filter(|row| kinds.contains(&row.kind));
                table(&mut text, title, rows, words);
            }
            strips(&mut text, repetitions, words);
        }
    }
    text
}

fn table<'a>(text: &mut String, title: &str, rows: impl Iterator<Item = &'a Row>, words: &Wording) {
    let _ = write!(
        text,
        "\n## {title}\n\n| {} | {} | k | {} | {} | {} | {} |\n|---|---|---:|---:|---|---:|---|\n",
        words.pick("레벨", "Level"),
        words.pick("이름", "Name"),
        words.pick("값", "Value"),
        words.pick("95% 구간", "95 % interval"),
        words.pick("과제", "Tasks"),
        words.pick("이유", "Why"),
    );
    for row in rows {
        let ends = |Interval { low, high, .. }: &Interval| shown::ends(*low, *high);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            row.level
                .map_or_else(|| words.pick("전체", "all").to_owned(), |level| level.to_string()),
            row.name
                .as_deref()
                .unwrap_or(words.pick("레벨 점수", "level score")),
            row.k.map_or_else(String::new, |k| k.to_string()),
            shown::score(row.value),
            row.bounds.as_ref().map_or_else(|_| "—".to_owned(), ends),
            row.tasks.map_or_else(String::new, |tasks| tasks.to_string()),
            why(row).map_or_else(String::new, |reason| (words.say)(reason).replace('|', "\\|")),
        );
    }
}

/// A task a row with a mark an attempt.
fn strips(text: &mut String, repetitions: &Repetitions, words: &Wording) {
    let _ = write!(
        text,
        "\n## {}\n\n{}\n\n| {} | SR |\n|---|---|\n",
        words.pick("과제별 시도", "Attempts of each task"),
        words.pick(
            "✓ 성공, ✗ 실패, ? 미채점, · 시도 없음",
            "✓ success, ✗ failure, ? unscored, · not made",
        ),
        words.pick("과제", "Task"),
    );
    for task in &repetitions.tasks {
        let _ = writeln!(text, "| {} | {} |", task.task, marks(task, repetitions.planned));
    }
}

/// The success of each attempt, one character each.
fn marks(task: &RepeatedTask, planned: u32) -> String {
    let mark = |repetition: u32| {
        let made = task
            .attempts
            .iter()
            .find(|attempt| attempt.repetition == repetition);
        made.map_or('·', success)
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

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
