//! The README of a submission and the text of its pull request.

use super::document::Submission;
use super::files::paths;
use super::objections::Objection;
use koab_core::score::MetricId;
use koab_core::sentence::{Language, Sentence};
use koab_core::{say, shown, text};
use koab_report::Report;
use koab_report::comparability::{CallsBasis, with_leaderboard};
use std::fmt::Write as _;

/// README of a submission, which describes the files of the folder, their origin, and how to check
/// them.
pub fn readme(submission: &Submission, report: &Report, language: Option<Language>) -> String {
    let (also, language) = languages(language);
    let mut text = format!("# Ko-AgentBench: {}\n\n", shown_model(submission));
    if let Some(also) = also {
        let _ = writeln!(text, "> {}\n", summary(also, submission, report));
    }
    let _ = writeln!(text, "{}\n", summary(language, submission, report));
    results(&mut text, language, report);
    conditions(&mut text, language, submission);
    verdict(&mut text, language, submission);
    if !submission.names.notes.trim().is_empty() {
        let _ = writeln!(text, "## {}\n\n{}\n", language.text(text!("Notes")), submission.names.notes.trim());
    }
    let _ = writeln!(text, "## {}\n", language.text(text!("Files")));
    for (path, what) in [
        (paths::ROW, language.text(text!("header and row of the combined table, as the leaderboard has them"))),
        ("reports/", language.text(text!("the report: data, summary by level, text"))),
        ("logs/", language.text(text!("the logs of L1 to L7 as the run left them, in the published layout, with the journal of every step"))),
        (paths::SUBMISSION, language.text(text!("all of this for programs, with the SHA-256 of every file"))),
        (paths::PULL_REQUEST, language.text(text!("title and text of the pull request"))),
    ] {
        let _ = writeln!(text, "- `{path}`: {what}");
    }
    if submission.names.has_repository() {
        let _ = writeln!(
            text,
            "- `{}`: {}",
            paths::EVAL_RESULTS,
            language.text(text!("results for the repository of the weights"))
        );
    }
    let day: String = submission.run.chars().take(8).collect();
    let _ = write!(
        text,
        "\n## {}\n\n{}\n\n```\nkoab submit validate .\nkoab evaluate --logs logs/benchmark_results --date {day} --model {} --judge-models {}\n```\n",
        language.text(text!("How to check it")),
        language.text(text!("The first line says what a maintainer would object to, offline. The second scores the logs again; the published evaluator reads them as they are.")),
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

/// Title and body of the pull request. `open` contains the objections that remain. If there are
/// none, the text states that.
pub fn pull_request(
    submission: &Submission,
    report: &Report,
    open: &[Objection],
    language: Option<Language>,
) -> String {
    let (also, language) = languages(language);
    let mut text = format!(
        "# {}: {}\n\n",
        language.text(text!("Add results to the leaderboard")),
        shown_model(submission)
    );
    if let Some(also) = also {
        let _ = writeln!(text, "{}\n", summary(also, submission, report));
    }
    let _ = writeln!(text, "{}\n", summary(language, submission, report));
    results(&mut text, language, report);
    let _ = writeln!(text, "## {}\n", language.text(text!("What departs from the published runs")));
    let remaining = open.iter().filter(|objection| {
        // The pull request does not report that it is not in the list of files itself.
        objection.file.as_deref() != Some(paths::PULL_REQUEST)
    });
    let mut has_any = false;
    for objection in remaining {
        has_any = true;
        let weight = if objection.is_error() {
            language.text(text!("blocks"))
        } else {
            language.text(text!("maintainers will ask"))
        };
        let _ =
            writeln!(text, "- [{weight}] {} (`{}`)", language.say(&objection.sentence), objection.place());
    }
    if !has_any {
        let _ =
            writeln!(text, "{}", language.text(text!("Nothing: `koab submit validate` has no objection.")));
    }
    let _ = writeln!(text, "\n## {}\n", language.text(text!("What this has")));
    for line in [
        language.text(text!("the row of the combined table (89 columns)")),
        language.text(text!("logs of every level in the published layout, with the journal")),
        language.text(text!("evaluation_report.json, evaluation_summary.csv, evaluation_report.md")),
        language.text(text!(
            "versions and hashes of tasks, tool texts, prompts and cached responses, and of every file"
        )),
    ] {
        let _ = writeln!(text, "- [x] {line}");
    }
    let names = &submission.names;
    let by = [names.submitted_by.trim(), names.contact.trim()];
    let by: Vec<&str> = by.into_iter().filter(|text| !text.is_empty()).collect();
    if !by.is_empty() {
        let _ = writeln!(text, "\n{}: {}", language.text(text!("Submitted by")), by.join(", "));
    }
    text
}

/// Language of a text. If no language is chosen, also the language of an additional summary.
fn languages(chosen: Option<Language>) -> (Option<Language>, Language) {
    match chosen {
        None => (Some(Language::KOREAN), Language::ENGLISH),
        chosen => (None, chosen.unwrap_or_default()),
    }
}

fn basis(basis: CallsBasis) -> &'static str {
    match basis {
        CallsBasis::Recorded => text!("as the run wrote it down"),
        CallsBasis::Compared => text!("compared with an installed pack"),
    }
}

fn yes_no(known: Option<bool>, language: Language) -> String {
    let answer = match known {
        Some(true) => text!("yes"),
        Some(false) => text!("no"),
        None => text!("not known"),
    };
    language.text(answer).to_owned()
}

fn shown_model(submission: &Submission) -> String {
    let row = submission.names.of_row();
    format!("{} ({}, {})", row.model, row.vendor, row.kind)
}

/// Summary of the results in one paragraph.
fn summary(language: Language, submission: &Submission, report: &Report) -> String {
    let tasks = report.evaluated_tasks().map_or_else(|| "—".to_owned(), |count| count.to_string());
    let rate =
        Submission::success_rate(report).map_or_else(|| "—".to_owned(), |rate| shown::percent(rate, 1));
    let judges = judges(language, submission);
    language.say(&say!(
        "Ko-AgentBench results of {shown}, run as `{id}`: SR {rate} over {tasks} tasks, judges: {judges}.",
        shown = shown_model(submission),
        id = submission.model_id
    ))
}

fn judges(language: Language, submission: &Submission) -> String {
    match submission.judged_by.judges.as_deref() {
        None => language.text(text!("not known")).to_owned(),
        Some([]) => language.text(text!("none")).to_owned(),
        Some(judges) => judges.join(", "),
    }
}

fn results(text: &mut String, language: Language, report: &Report) {
    let _ = writeln!(text, "## {}\n", language.text(text!("Results")));
    let common = [MetricId::Sr, MetricId::Rrr, MetricId::EprCvr];
    let _ = writeln!(
        text,
        "| {} | {} | SR | RRR | EPR_CVR | {} |\n|---|---|---|---|---|---|",
        language.text(text!("Level")),
        language.text(text!("Tasks")),
        language.text(text!("The level's own metrics"))
    );
    for level in &report.levels {
        let value = |metric| {
            let mean = level.mean(metric).and_then(|mean| mean.figure.value());
            shown::score(mean)
        };
        let own: Vec<String> = level
            .means
            .iter()
            .filter(|mean| mean.metric.level().is_some())
            .map(|mean| format!("{} {}", mean.metric, value(mean.metric)))
            .collect();
        let [sr, rrr, epr] = common.map(value);
        let tasks = level.evaluated_tasks.map_or_else(|| "—".to_owned(), |count| count.to_string());
        let _ = writeln!(text, "| {} | {tasks} | {sr} | {rrr} | {epr} | {} |", level.level, own.join(", "));
    }
    text.push('\n');
}

fn conditions(text: &mut String, language: Language, submission: &Submission) {
    let unknown = || language.text(text!("not known")).to_owned();
    let or_unknown = |value: &Option<String>| value.clone().unwrap_or_else(unknown);
    let versions = &submission.versions;
    let facts = &submission.facts;
    let settings = facts.settings.value.as_ref().map_or_else(unknown, |settings| {
        format!(
            "{}, repetitions {}, max_steps {}, timeout {} s, temperature {}, max_tokens {}, effort {}",
            settings.run.protocol,
            settings.run.repetitions,
            settings.run.max_steps,
            settings.run.timeout_s,
            settings.run.temperature,
            settings.run.max_tokens.map_or_else(|| "—".to_owned(), |tokens| tokens.to_string()),
            settings.run.effort.as_deref().unwrap_or("—"),
        )
    });
    let calls = submission.calls.as_ref().map_or_else(unknown, |calls| {
        let rate = calls.hit_rate.map_or_else(|| "—".to_owned(), |rate| shown::percent(rate, 1));
        format!(
            "{rate} (hit {}, miss {}, injected {}, refused {}, live {}, overlay {}; {})",
            calls.hit,
            calls.miss,
            calls.injected,
            calls.refused,
            calls.live,
            calls.overlay,
            language.text(basis(calls.basis)),
        )
    });
    let snapshot = match (&versions.snapshot, &versions.snapshot_sha256) {
        (Some(name), hash) => format!("{name} {}", hash.as_deref().unwrap_or("")),
        (None, _) => language.text(text!("none")).to_owned(),
    };
    let times = match (&submission.times.started, &submission.times.ended) {
        (Some(started), Some(ended)) => format!("{started} – {ended}"),
        _ => format!("{} ({})", submission.run, language.text(text!("as its folder says"))),
    };
    let hardware = submission
        .hardware
        .as_ref()
        .map_or_else(|| language.text(text!("a service; not known")).to_owned(), ToString::to_string);
    let prompts = facts_text(language, submission.prompts_sha256.get());
    let judges_and_votes = format!(
        "{} × {}, {}",
        judges(language, submission),
        submission.judged_by.votes,
        submission.judged_by.scorer
    );
    let _ = writeln!(text, "## {}\n\n| | |\n|---|---|", language.text(text!("How it was made")));
    for (name, value) in [
        (language.text(text!("Model as run")), submission.model_id.clone()),
        ("koab", versions.koab.clone()),
        (language.text(text!("Pack")), or_unknown(&versions.pack)),
        ("tasks sha256", or_unknown(&versions.tasks_sha256)),
        ("tool texts sha256", or_unknown(&versions.tools_sha256)),
        ("judge prompts sha256", prompts),
        ("records sha256", or_unknown(&versions.records_sha256)),
        (language.text(text!("Snapshot of the cache")), snapshot),
        (language.text(text!("Protocol and settings")), settings),
        (language.text(text!("Calls answered from the cache")), calls),
        (language.text(text!("Judge × votes, scorer")), judges_and_votes),
        (language.text(text!("Run", "times")), times),
        (language.text(text!("Scored")), submission.methodology.evaluation_date.clone()),
        (language.text(text!("Hardware")), hardware),
        (language.text(text!("Licence of the weights")), dash(&submission.names.licence)),
        (language.text(text!("Weights")), dash(&submission.names.repo)),
        (
            language.text(text!("Modified prompts")),
            yes_no(submission.methodology.verification.modified_prompts, language),
        ),
        (
            language.text(text!("Omitted questions")),
            yes_no(submission.methodology.verification.omitted_questions, language),
        ),
    ] {
        let _ = writeln!(text, "| {name} | {} |", value.replace('|', "\\|").replace('\n', " "));
    }
    text.push('\n');
}

fn facts_text(language: Language, fact: Result<&String, &Sentence>) -> String {
    match fact {
        Ok(value) => value.clone(),
        Err(reason) => format!("{} ({})", language.text(text!("not known")), language.say(reason)),
    }
}

fn dash(text: &str) -> String {
    if text.trim().is_empty() { "—" } else { text.trim() }.to_owned()
}

fn verdict(text: &mut String, language: Language, submission: &Submission) {
    let judgement = with_leaderboard(&submission.facts);
    let _ = writeln!(
        text,
        "## {}: {}\n",
        language.text(text!("Comparable with the published leaderboard")),
        language.text(judgement.grade.text())
    );
    if judgement.findings.is_empty() {
        let _ = writeln!(text, "{}", language.text(text!("Nothing known departs from the published runs.")));
    }
    for finding in &judgement.findings {
        let _ =
            writeln!(text, "- [{}] {}", language.text(finding.grade.text()), language.say(&finding.reason));
    }
    text.push('\n');
}
