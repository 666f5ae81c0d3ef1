//! Verdict as files next to a report's published files: CSV for tables, Markdown for people.

use super::{CallsBasis, Comparability, Fact, Grade, LevelCalls, RecordingsFrom, percent};
use crate::markdown_cell;
use koab_core::sentence::{Language, Sentence, ToSentence as _};
use koab_core::sheet::{self, guarded};
use koab_core::text;
use std::fmt::Write as _;

impl Grade {
    /// Grade in words, as an English sentence that can be translated.
    pub fn text(self) -> &'static str {
        match self {
            Grade::Comparable => text!("comparable"),
            Grade::Limited => text!("partly"),
            Grade::NotComparable => text!("not comparable"),
        }
    }
}

/// CSV with the columns `kind,name,value,grade,what_to_do`: a row for each fact, finding, count of
/// a level's calls, and cache miss.
///
/// A cache miss that a task's attempts repeated has a second row, `miss_times`. Names are the same
/// in every language, so that programs find them; sentences are translated.
pub fn to_csv(comparability: &Comparability, language: Language) -> String {
    let mut rows = vec![["kind", "name", "value", "grade", "what_to_do"].map(ToOwned::to_owned)];
    let mut row = |cells: [&str; 5]| rows.push(cells.map(guarded));
    let grade = |grade: Grade| match grade {
        Grade::Comparable => "comparable",
        Grade::Limited => "limited",
        Grade::NotComparable => "not_comparable",
    };
    let judgement = &comparability.leaderboard;
    row(["verdict", "leaderboard", language.text(judgement.grade.text()), grade(judgement.grade), ""]);
    for finding in &judgement.findings {
        let aspect = format!("{:?}", finding.aspect).to_lowercase();
        let (reason, remedy) = (language.say(&finding.reason), language.say(&finding.remedy));
        row(["finding", &aspect, &reason, grade(finding.grade), &remedy]);
    }
    for (name, value) in conditions(comparability, language) {
        row(["fact", name, &value, "", ""]);
    }
    if let Ok(calls) = comparability.facts.calls.get() {
        for (level, counts) in level_calls(comparability) {
            for (name, count) in counted(&counts) {
                row(["calls", &format!("{level}.{name}"), &count.to_string(), "", ""]);
            }
            if let Some(rate) = counts.hit_rate() {
                row(["calls", &format!("{level}.hit_rate"), &format!("{rate:.4}"), "", ""]);
            }
        }
        for miss in &calls.misses {
            let name = format!("{}#{}", miss.task, miss.repetition);
            let call = format!("{} {}", miss.tool, miss.arguments);
            row(["miss", &name, &call, "", ""]);
            if miss.times > 1 {
                row(["miss_times", &name, &miss.times.to_string(), "", ""]);
            }
        }
    }
    sheet::crlf(rows)
}

/// Markdown with the verdict, its reasons, the known facts, and the cache misses.
pub fn to_markdown(comparability: &Comparability, language: Language) -> String {
    let judgement = &comparability.leaderboard;
    let mut text = format!(
        "# {}\n\n**{}: {}** — {}\n\n",
        language.text(text!("Comparability")),
        language.text(text!("With the published leaderboard")),
        language.text(judgement.grade.text()),
        comparability.facts.model,
    );
    for finding in &judgement.findings {
        let (reason, remedy) = (language.say(&finding.reason), language.say(&finding.remedy));
        let _ = writeln!(text, "- [{}] {reason}", language.text(finding.grade.text()));
        if !remedy.is_empty() {
            let _ = writeln!(text, "  - {remedy}");
        }
    }
    if judgement.findings.is_empty() {
        let none = language.text(text!("Nothing known departs from the published runs.", "a verdict"));
        let _ = writeln!(text, "{none}");
    }
    let _ = write!(text, "\n## {}\n\n| | |\n|---|---|\n", language.text(text!("Conditions")));
    for (name, value) in conditions(comparability, language) {
        let _ = writeln!(text, "| {name} | {} |", markdown_cell(&value));
    }
    let Ok(calls) = comparability.facts.calls.get() else {
        return text;
    };
    let title = match calls.basis {
        CallsBasis::Recorded => language.text(text!("Tool calls")),
        CallsBasis::Compared => language.text(text!("Tool calls (compared with the installed pack's cache)")),
    };
    let header = [
        text!("level"),
        text!("hit rate"),
        text!("hit"),
        text!("miss"),
        text!("injected"),
        text!("refused"),
        text!("live"),
        text!("overlay"),
        text!("attempts"),
        text!("touched"),
    ]
    .map(|name| language.text(name));
    let _ = write!(text, "\n## {title}\n\n| {} |\n{}|\n", header.join(" | "), "|---".repeat(header.len()),);
    for (level, counts) in level_calls(comparability) {
        let level = match level.as_str() {
            "all" => language.text(text!("all", "a sum")),
            level => level,
        };
        let rate = counts.hit_rate().map_or_else(|| "—".to_owned(), percent);
        let _ = write!(text, "| {level} | {rate} |");
        for (_, count) in counted(&counts) {
            let _ = write!(text, " {count} |");
        }
        text.push('\n');
    }
    if !calls.misses.is_empty() {
        let _ = write!(text, "\n## {}\n\n", language.text(text!("Calls without a cached response")));
        for miss in &calls.misses {
            let _ = writeln!(
                text,
                "- {} #{}: {} `{}`{}",
                miss.task,
                miss.repetition,
                miss.tool,
                miss.arguments,
                miss.how_often()
            );
        }
    }
    text
}

/// Known facts, with the names that programs use.
pub(crate) fn conditions(comparability: &Comparability, language: Language) -> Vec<(&'static str, String)> {
    let facts = &comparability.facts;
    let unknown = |reason: &Sentence| format!("— ({})", language.say(reason));
    let hash = |fact: &Fact<String>| match fact.get() {
        Ok(sha256) => sha256.clone(),
        Err(reason) => unknown(reason),
    };
    let mut rows = vec![
        ("model", facts.model.clone()),
        (
            "pack",
            match facts.pack.get() {
                Ok(pack) => pack.label(),
                Err(reason) => unknown(reason),
            },
        ),
        ("tasks_sha256", hash(&facts.tasks_sha256)),
        ("records_sha256", hash(&facts.records_sha256)),
        (
            "tool_texts_sha256",
            match facts.tools.get() {
                Ok(tools) => koab_core::pack_identity::of_tools(tools),
                Err(reason) => unknown(reason),
            },
        ),
    ];
    match facts.settings.get() {
        Ok(settings) => rows.extend([
            ("protocol", settings.run.protocol.to_string()),
            ("max_steps", settings.run.max_steps.to_string()),
            ("timeout_s", settings.run.timeout_s.to_string()),
            ("repetitions", settings.run.repetitions.to_string()),
            ("temperature", settings.run.temperature.to_string()),
            (
                "max_tokens",
                settings.run.max_tokens.map_or_else(|| "—".to_owned(), |tokens| tokens.to_string()),
            ),
            ("full_rollout", settings.run.full_rollout.to_string()),
            ("constrained", settings.constrained.to_string()),
            ("any_form", settings.any_form.to_string()),
            ("effort", settings.run.effort.clone().unwrap_or_else(|| "—".to_owned())),
        ]),
        Err(reason) => rows.push(("protocol", unknown(reason))),
    }
    if let Some(agent) = facts.settings.value.as_ref().and_then(|settings| settings.agent.clone()) {
        rows.push(("agent", language.say(&agent)));
    }
    let settings = facts.settings.value.as_ref();
    if let Some(texts) = settings.and_then(|settings| settings.texts.clone()) {
        rows.push(("texts", texts));
    }
    if facts.settings.value.as_ref().is_some_and(|settings| settings.adaptive) {
        rows.push(("adaptive", true.to_string()));
    }
    rows.push((
        "cache",
        match facts.cache.get() {
            Ok(cache) => {
                let more = [cache.snapshot.as_deref(), cache.sha256.as_deref()];
                let mut all = vec![source_name(cache.source)];
                all.extend(more.into_iter().flatten());
                all.join(" ")
            }
            Err(reason) => unknown(reason),
        },
    ));
    if let Ok(tasks) = facts.tasks.get() {
        let levels: Vec<String> =
            tasks.iter().map(|level| format!("{} {}", level.level, level.count)).collect();
        rows.push(("tasks", levels.join(", ")));
    }
    if !facts.changes.is_empty() {
        let changes: Vec<String> =
            facts.changes.iter().map(|record| language.say(&record.to_sentence())).collect();
        rows.push(("changes", changes.join("; ")));
    }
    if let Some(scoring) = &facts.scoring {
        let judges = match scoring.judges.get() {
            Ok(judges) if judges.is_empty() => language.text(text!("none")).to_owned(),
            Ok(judges) => match &scoring.judges_at {
                Some(at) => format!("{} ({at})", judges.join(", ")),
                None => judges.join(", "),
            },
            Err(reason) => unknown(reason),
        };
        rows.extend([
            ("scorer", scoring.scorer.to_string()),
            ("judges", judges),
            ("judge_votes", scoring.votes.to_string()),
            ("aggregate", scoring.aggregate.clone()),
        ]);
    }
    rows
}

fn source_name(source: RecordingsFrom) -> &'static str {
    match source {
        RecordingsFrom::Pack => "pack",
        RecordingsFrom::Snapshot => "snapshot",
        RecordingsFrom::Overlay => "overlay",
        RecordingsFrom::Write => "write",
    }
}

/// Counts of the calls of all levels together, then of each level.
pub(crate) fn level_calls(comparability: &Comparability) -> Vec<(String, LevelCalls)> {
    let Ok(calls) = comparability.facts.calls.get() else {
        return Vec::new();
    };
    let mut rows = vec![("all".to_owned(), calls.whole())];
    rows.extend(calls.levels.iter().map(|level| {
        let name = level.level.as_ref().map_or_else(String::new, |level| level.to_string());
        (name, level.clone())
    }));
    rows
}

pub(crate) fn counted(counts: &LevelCalls) -> [(&'static str, u32); 8] {
    [
        ("hit", counts.hit),
        ("miss", counts.miss),
        ("injected", counts.injected),
        ("refused", counts.refused),
        ("live", counts.live),
        ("overlay", counts.overlay),
        ("attempts", counts.attempts),
        ("touched", counts.touched),
    ]
}

#[cfg(test)]
mod tests;
