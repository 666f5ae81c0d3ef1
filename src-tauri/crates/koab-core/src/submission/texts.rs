//! The README and the text of the pull request.

mod words;

use super::document::Submission;
use super::files::paths;
use super::objections::{Objection, ObjectionSeverity};
use crate::comparability::with_leaderboard;
use crate::report::Report;
use crate::score::MetricId;
use crate::shown;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use words::Words;

/// In which language the texts of a submission are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum TextLanguage {
    /// English, with a summary in Korean.
    #[default]
    Both,
    /// English alone.
    English,
    /// Korean alone.
    Korean,
}

/// What is in the folder, how it was made, and how to check it.
pub fn readme(submission: &Submission, report: &Report, language: TextLanguage) -> String {
    let words = words::of(language);
    let mut text = format!("# Ko-AgentBench: {}\n\n", shown_model(submission));
    if language == TextLanguage::Both {
        let _ = writeln!(text, "> {}\n", summary(&words::KOREAN, submission, report));
    }
    let _ = writeln!(text, "{}\n", summary(words, submission, report));
    results(&mut text, words, report);
    conditions(&mut text, words, submission);
    verdict(&mut text, words, submission);
    if !submission.names.notes.trim().is_empty() {
        let _ = writeln!(text, "## {}\n\n{}\n", words.notes, submission.names.notes.trim());
    }
    let _ = writeln!(text, "## {}\n", words.files);
    for (path, what) in [
        (paths::ROW, words.row),
        ("reports/", words.report),
        ("logs/", words.logs),
        (paths::SUBMISSION, words.document),
        (paths::PULL_REQUEST, words.pull_request),
    ] {
        let _ = writeln!(text, "- `{path}`: {what}");
    }
    if submission.names.has_repository() {
        let _ = writeln!(text, "- `{}`: {}", paths::EVAL_RESULTS, words.eval_results);
    }
    let day: String = submission.run.chars().take(8).collect();
    let _ = write!(
        text,
        "\n## {}\n\n{}\n\n```\nkoab submit validate .\nkoab evaluate --logs logs/benchmark_results --date {day} --model {} --judge-models {}\n```\n",
        words.check,
        words.check_how,
        submission.model_id,
        submission
            .judged_by
            .judges
            .as_deref()
            .unwrap_or_default()
            .join(" "),
    );
    text
}

/// Title and body of the pull request. `open` are the objections that are left; none is said as well.
pub fn pull_request(
    submission: &Submission,
    report: &Report,
    open: &[Objection],
    language: TextLanguage,
) -> String {
    let words = words::of(language);
    let mut text = format!("# {}: {}\n\n", words.title, shown_model(submission));
    if language == TextLanguage::Both {
        let _ = writeln!(text, "{}\n", summary(&words::KOREAN, submission, report));
    }
    let _ = writeln!(text, "{}\n", summary(words, submission, report));
    results(&mut text, words, report);
    let _ = writeln!(text, "## {}\n", words.open);
    let left = open.iter().filter(|objection| {
        // What this very text is not in yet is no news to whoever reads it.
        objection.place != paths::PULL_REQUEST
    });
    let mut has_any = false;
    for objection in left {
        has_any = true;
        let weight = match objection.severity {
            ObjectionSeverity::Blocks => words.blocks,
            ObjectionSeverity::Asked => words.asked,
        };
        let _ = writeln!(
            text,
            "- [{weight}] {} (`{}`)",
            words.say(&objection.sentence),
            objection.place
        );
    }
    if !has_any {
        let _ = writeln!(text, "{}", words.nothing_open);
    }
    let _ = writeln!(text, "\n## {}\n", words.contains);
    for line in [words.has_row, words.has_logs, words.has_report, words.has_hashes] {
        let _ = writeln!(text, "- [x] {line}");
    }
    let names = &submission.names;
    let by = [names.submitted_by.trim(), names.contact.trim()];
    let by: Vec<&str> = by.into_iter().filter(|text| !text.is_empty()).collect();
    if !by.is_empty() {
        let _ = writeln!(text, "\n{}: {}", words.by, by.join(", "));
    }
    text
}

fn shown_model(submission: &Submission) -> String {
    let row = submission.names.of_row();
    format!("{} ({}, {})", row.model, row.vendor, row.kind)
}

/// One paragraph.
fn summary(words: &Words, submission: &Submission, report: &Report) -> String {
    let tasks = report
        .evaluated_tasks()
        .map_or_else(|| "—".to_owned(), |count| count.to_string());
    let rate =
        Submission::success_rate(report).map_or_else(|| "—".to_owned(), |rate| shown::percent(rate, 1));
    let judges = judges(words, submission);
    words.summary(
        &shown_model(submission),
        &submission.model_id,
        &tasks,
        &rate,
        &judges,
    )
}

fn judges(words: &Words, submission: &Submission) -> String {
    match submission.judged_by.judges.as_deref() {
        None => words.unknown.to_owned(),
        Some([]) => words.nobody.to_owned(),
        Some(judges) => judges.join(", "),
    }
}

fn results(text: &mut String, words: &Words, report: &Report) {
    let _ = writeln!(text, "## {}\n", words.results);
    let common = [MetricId::Sr, MetricId::Rrr, MetricId::EprCvr];
    let _ = writeln!(
        text,
        "| {} | {} | SR | RRR | EPR_CVR | {} |\n|---|---|---|---|---|---|",
        words.level, words.tasks, words.own
    );
    for level in &report.levels {
        let value = |metric| {
            let mean = level.mean(metric).and_then(|mean| mean.value);
            shown::score(mean)
        };
        let own: Vec<String> = level
            .means
            .iter()
            .filter(|mean| mean.metric.level().is_some())
            .map(|mean| format!("{} {}", mean.metric, value(mean.metric)))
            .collect();
        let [sr, rrr, epr] = common.map(value);
        let tasks = level
            .evaluated_tasks
            .map_or_else(|| "—".to_owned(), |count| count.to_string());
        let _ = writeln!(
            text,
            "| {} | {tasks} | {sr} | {rrr} | {epr} | {} |",
            level.level,
            own.join(", ")
        );
    }
    text.push('\n');
}

fn conditions(text: &mut String, words: &Words, submission: &Submission) {
    let unknown = || words.unknown.to_owned();
    let or_unknown = |value: &Option<String>| value.clone().unwrap_or_else(unknown);
    let versions = &submission.versions;
    let facts = &submission.facts;
    let settings = facts.settings.value.as_ref().map_or_else(unknown, |settings| {
        format!(
            "{}, repetitions {}, max_steps {}, timeout {} s, temperature {}, max_tokens {}, effort {}",
            settings.protocol,
            settings.repetitions,
            settings.max_steps,
            settings.timeout_s,
            settings.temperature,
            settings.max_tokens,
            settings.effort.as_deref().unwrap_or("—"),
        )
    });
    let calls = submission.calls.as_ref().map_or_else(unknown, |calls| {
        let rate = calls
            .hit_rate
            .map_or_else(|| "—".to_owned(), |rate| shown::percent(rate, 1));
        format!(
            "{rate} (hit {}, miss {}, injected {}, refused {}, live {}, overlay {}; {})",
            calls.hit,
            calls.miss,
            calls.injected,
            calls.refused,
            calls.live,
            calls.overlay,
            words.basis(calls.basis),
        )
    });
    let snapshot = match (&versions.snapshot, &versions.snapshot_sha256) {
        (Some(name), hash) => format!("{name} {}", hash.as_deref().unwrap_or("")),
        (None, _) => words.none.to_owned(),
    };
    let times = match (&submission.times.started, &submission.times.ended) {
        (Some(started), Some(ended)) => format!("{started} – {ended}"),
        _ => format!("{} ({})", submission.run, words.folder_date),
    };
    let hardware = submission
        .hardware
        .as_ref()
        .map_or_else(|| words.service.to_owned(), ToString::to_string);
    let prompts = facts_text(words, submission.prompts_sha256.get());
    let judged = format!(
        "{} × {}, {}",
        judges(words, submission),
        submission.judged_by.votes,
        submission.judged_by.scorer
    );
    let _ = writeln!(text, "## {}\n\n| | |\n|---|---|", words.conditions);
    for (name, value) in [
        (words.model, submission.model_id.clone()),
        ("koab", versions.koab.clone()),
        (words.pack, or_unknown(&versions.pack)),
        ("tasks sha256", or_unknown(&versions.tasks_sha256)),
        ("tool texts sha256", or_unknown(&versions.tools_sha256)),
        ("judge prompts sha256", prompts),
        ("records sha256", or_unknown(&versions.records_sha256)),
        (words.snapshot, snapshot),
        (words.protocol, settings),
        (words.hit_rate, calls),
        (words.judges, judged),
        (words.times, times),
        (words.scored, submission.methodology.evaluation_date.clone()),
        (words.hardware, hardware),
        (words.licence, dash(&submission.names.licence)),
        (words.repo, dash(&submission.names.repo)),
        (
            words.modified,
            words.yes_no(submission.methodology.verification.modified_prompts),
        ),
        (
            words.omitted,
            words.yes_no(submission.methodology.verification.omitted_questions),
        ),
    ] {
        let _ = writeln!(
            text,
            "| {name} | {} |",
            value.replace('|', "\\|").replace('\n', " ")
        );
    }
    text.push('\n');
}

fn facts_text(words: &Words, fact: Result<&String, &str>) -> String {
    match fact {
        Ok(value) => value.clone(),
        Err(reason) => format!("{} ({})", words.unknown, words.say(reason)),
    }
}

fn dash(text: &str) -> String {
    if text.trim().is_empty() {
        "—"
    } else {
        text.trim()
    }
    .to_owned()
}

fn verdict(text: &mut String, words: &Words, submission: &Submission) {
    let judged = with_leaderboard(&submission.facts);
    let _ = writeln!(
        text,
        "## {}: {}\n",
        words.comparability,
        words.grade(judged.grade)
    );
    if judged.findings.is_empty() {
        let _ = writeln!(text, "{}", words.nothing_departs);
    }
    for finding in &judged.findings {
        let _ = writeln!(
            text,
            "- [{}] {}",
            words.grade(finding.grade),
            words.say(&finding.reason)
        );
    }
    text.push('\n');
}
