//! A verdict as files that lie beside a report's published ones: CSV for tables, Markdown for people.

use super::{CallsBasis, Comparability, Fact, Grade, LevelCalls, RecordingsFrom, percent};
use std::fmt::Write as _;

/// The words of a file, and how the engine's sentences are put into its language.
#[derive(Clone, Copy)]
pub struct Wording {
    /// Korean instead of English.
    pub korean: bool,
    /// A sentence of the engine in that language.
    pub say: fn(&str) -> String,
}

impl Wording {
    /// One of the two.
    pub(crate) fn pick(&self, korean: &'static str, english: &'static str) -> &'static str {
        if self.korean { korean } else { english }
    }

    /// A grade in words.
    pub fn grade(&self, grade: Grade) -> &'static str {
        match grade {
            Grade::Comparable => self.pick("비교 가능", "comparable"),
            Grade::Limited => self.pick("제한적", "limited"),
            Grade::NotComparable => self.pick("비교 불가", "not comparable"),
        }
    }
}

/// One row a fact, a finding, a level's calls and a miss: `kind,name,value,grade,what_to_do`. Names are the same in every
/// language, so that programs find them; sentences follow the wording.
pub fn to_csv(comparability: &Comparability, words: &Wording) -> String {
    let mut csv = String::from("kind,name,value,grade,what_to_do\r\n");
    let mut row = |cells: [&str; 5]| {
        let cells = cells.map(quoted);
        let _ = write!(csv, "{}\r\n", cells.join(","));
    };
    let grade = |grade: Grade| match grade {
        Grade::Comparable => "comparable",
        Grade::Limited => "limited",
        Grade::NotComparable => "not_comparable",
    };
    let judged = &comparability.leaderboard;
    row([
        "verdict",
        "leaderboard",
        words.grade(judged.grade),
        grade(judged.grade),
        "",
    ]);
    for finding in &judged.findings {
        let aspect = format!("{:?}", finding.aspect).to_lowercase();
        let (reason, remedy) = ((words.say)(&finding.reason), (words.say)(&finding.remedy));
        row(["finding", &aspect, &reason, grade(finding.grade), &remedy]);
    }
    for (name, value) in conditions(comparability, words) {
        row(["fact", name, &value, "", ""]);
    }
    if let Ok(calls) = comparability.facts.calls.get() {
        for (level, counts) in level_calls(comparability) {
            for (name, count) in counted(&counts) {
                row(["calls", &format!("{level}.{name}"), &count.to_string(), "", ""]);
            }
            if let Some(rate) = counts.hit_rate() {
                row([
                    "calls",
                    &format!("{level}.hit_rate"),
                    &format!("{rate:.4}"),
                    "",
                    "",
                ]);
            }
        }
        for miss in &calls.misses {
            let name = format!("{}#{}", miss.task, miss.repetition);
            let call = format!("{} {}", miss.tool, miss.arguments);
            row(["miss", &name, &call, "", ""]);
        }
    }
    csv
}

/// The verdict with its reasons, what is known, and the calls that found no answer.
pub fn to_markdown(comparability: &Comparability, words: &Wording) -> String {
    let judged = &comparability.leaderboard;
    let mut text = format!(
        "# {}\n\n**{}: {}** — {}\n\n",
        words.pick("비교 가능성", "Comparability"),
        words.pick("공개 리더보드와", "With the published leaderboard"),
        words.grade(judged.grade),
        comparability.facts.model,
    );
    for finding in &judged.findings {
        let (reason, remedy) = ((words.say)(&finding.reason), (words.say)(&finding.remedy));
        let _ = writeln!(text, "- [{}] {reason}", words.grade(finding.grade));
        if !remedy.is_empty() {
            let _ = writeln!(text, "  - {remedy}");
        }
    }
    if judged.findings.is_empty() {
        let none = words.pick(
            "다른 점이 없습니다.",
            "Nothing known departs from the published runs.",
        );
        let _ = writeln!(text, "{none}");
    }
    let _ = write!(
        text,
        "\n## {}\n\n| | |\n|---|---|\n",
        words.pick("조건", "Conditions")
    );
    for (name, value) in conditions(comparability, words) {
        let _ = writeln!(text, "| {name} | {} |", cell(&value));
    }
    let Ok(calls) = comparability.facts.calls.get() else {
        return text;
    };
    let title = match calls.basis {
        CallsBasis::Recorded => words.pick("도구 호출", "Tool calls"),
        CallsBasis::Reckoned => words.pick(
            "도구 호출 (설치된 팩의 기록에 맞춰 본 값)",
            "Tool calls (held against the installed pack's recordings)",
        ),
    };
    let _ = write!(
        text,
        "\n## {title}\n\n| {} | hit rate | hit | miss | injected | refused | live | overlay | attempts | touched |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
        words.pick("레벨", "level"),
    );
    for (level, counts) in level_calls(comparability) {
        let rate = counts.hit_rate().map_or_else(|| "—".to_owned(), percent);
        let _ = write!(text, "| {level} | {rate} |");
        for (_, count) in counted(&counts) {
            let _ = write!(text, " {count} |");
        }
        text.push('\n');
    }
    if !calls.misses.is_empty() {
        let _ = write!(
            text,
            "\n## {}\n\n",
            words.pick("기록이 없던 호출", "Calls without a recorded answer")
        );
        for miss in &calls.misses {
            let _ = writeln!(
                text,
                "- {} #{}: {} `{}`",
                miss.task, miss.repetition, miss.tool, miss.arguments
            );
        }
    }
    text
}

/// What is known, by the names that programs find.
pub(crate) fn conditions(comparability: &Comparability, words: &Wording) -> Vec<(&'static str, String)> {
    let facts = &comparability.facts;
    let unknown = |reason: &str| format!("— ({})", (words.say)(reason));
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
                Ok(tools) => super::identity::of_tools(tools),
                Err(reason) => unknown(reason),
            },
        ),
    ];
    match facts.settings.get() {
        Ok(settings) => rows.extend([
            ("protocol", settings.protocol.to_string()),
            ("max_steps", settings.max_steps.to_string()),
            ("timeout_s", settings.timeout_s.to_string()),
            ("repetitions", settings.repetitions.to_string()),
            ("temperature", settings.temperature.to_string()),
            ("max_tokens", settings.max_tokens.to_string()),
            ("full_rollout", settings.full_rollout.to_string()),
            ("constrained", settings.constrained.to_string()),
            (
                "effort",
                settings.effort.clone().unwrap_or_else(|| "—".to_owned()),
            ),
        ]),
        Err(reason) => rows.push(("protocol", unknown(reason))),
    }
    rows.push((
        "cache",
        match facts.cache.get() {
            Ok(cache) => {
                let source = match cache.source {
                    RecordingsFrom::Pack => "pack",
                    RecordingsFrom::Snapshot => "snapshot",
                    RecordingsFrom::Overlay => "overlay",
                    RecordingsFrom::Write => "write",
                };
                let more = [cache.snapshot.as_deref(), cache.sha256.as_deref()];
                let mut all = vec![source];
                all.extend(more.into_iter().flatten());
                all.join(" ")
            }
            Err(reason) => unknown(reason),
        },
    ));
    if let Ok(tasks) = facts.tasks.get() {
        let levels: Vec<String> = tasks
            .iter()
            .map(|level| format!("{} {}", level.level, level.count))
            .collect();
        rows.push(("tasks", levels.join(", ")));
    }
    if let Some(scoring) = &facts.scoring {
        let judges = match scoring.judges.get() {
            Ok(judges) if judges.is_empty() => words.pick("없음", "none").to_owned(),
            Ok(judges) => judges.join(", "),
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

/// The levels' calls, all together first.
pub(crate) fn level_calls(comparability: &Comparability) -> Vec<(String, LevelCalls)> {
    let Ok(calls) = comparability.facts.calls.get() else {
        return Vec::new();
    };
    let mut rows = vec![("all".to_owned(), calls.whole())];
    rows.extend(calls.levels.iter().map(|level| {
        let name = level.level.map_or_else(String::new, |level| level.to_string());
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

/// RFC 4180. What a spreadsheet would take for a formula is a text to it.
fn quoted(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@']) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
