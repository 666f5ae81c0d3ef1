//! What a manifest says of the run. All of it follows from the other files, so that nobody can say something else of them.

use super::contents::Contents;
use super::logs::protocol;
use super::names;
use crate::cache_key::sha256_hex;
use crate::cache_source::SnapshotRef;
use crate::comparability::{tasks_sha256, tool_sha256};
use crate::event::AnswerSource;
use crate::level::Level;
use crate::protocol::Protocol;
use crate::report::{ReadReport, Report, read_json};
use crate::score::Scorer;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A run and its reports in short.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "BundleSubject")
)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Model id as it was given.
    pub model: String,
    /// `<model folder>/<YYYYMMDD_HHMMSS>`.
    pub run: String,
    /// Protocol of the run; null where it was made elsewhere.
    pub protocol: Option<Protocol>,
    /// Attempts a task; null likewise.
    pub repetitions: Option<u32>,
    /// Tasks of each level in the logs.
    pub levels: BTreeMap<Level, u32>,
    /// By which rules there is a report.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<Protocol>"))]
    pub scorers: Vec<Scorer>,
    /// Judges of the reports, in their order.
    pub judges: Vec<String>,
    /// What the run was made with, in hashes.
    pub pack: PackFacts,
    /// How tool calls were answered; null where the run was made elsewhere.
    pub cache: Option<CacheFacts>,
    /// How a model inside the application ran; null for a model of a server, whose machine nobody knows.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub hardware: Option<Value>,
    /// When the last start of the run began, milliseconds since the Unix epoch; null where the run was made elsewhere.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub started_ms: Option<u64>,
    /// When it ended, likewise.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub ended_ms: Option<u64>,
}

/// A pack in hashes, SHA-256 in lower-case hex.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "BundlePackFacts")
)]
#[serde(deny_unknown_fields)]
pub struct PackFacts {
    /// `name@version`.
    pub label: String,
    /// Tasks in it.
    pub tasks: u32,
    /// Of all tasks.
    pub tasks_sha256: String,
    /// Of all tools: a line for each with its name and hash.
    pub tools_sha256: String,
    /// Of the judges' prompts.
    pub prompts_sha256: String,
}

/// How the tool calls of a run were answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "BundleCacheFacts")
)]
#[serde(deny_unknown_fields)]
pub struct CacheFacts {
    /// `read` or `write`.
    pub mode: String,
    /// The snapshot that was read in the place of the pack's recordings.
    pub snapshot: Option<SnapshotRef>,
    /// Hash of the pack's recordings as the run wrote it down.
    pub records_sha256: Option<String>,
    /// Recorded responses.
    pub hit: u32,
    /// No recorded response.
    pub miss: u32,
    /// Failures that tasks inject.
    pub injected: u32,
    /// Faulty calls.
    pub refused: u32,
    /// Real services and what is kept of their answers.
    pub live: u32,
    /// Share of the calls that looked a recording up which found one; null when none did.
    pub hit_rate: Option<f64>,
}

impl Subject {
    /// What the files say of the run that goes by the id `run`.
    pub fn of(run: &str, contents: &Contents) -> Self {
        let description = contents.run.as_ref();
        let spec = |key: &str| description.map_or(&Value::Null, |run| &run["spec"][key]);
        let reports = reports(contents);
        let mut judges: Vec<String> = Vec::new();
        for judge in reports.iter().flat_map(|(_, report)| &report.judges) {
            if !judges.contains(judge) {
                judges.push(judge.clone());
            }
        }
        let first = contents.logs.values().next();
        let logged = first.and_then(|log| log.document["metadata"]["model"].as_str());
        let model = description.and_then(|run| run["model"].as_str()).or(logged);
        let number = |key: &str| description.and_then(|run| run[key].as_u64());
        Self {
            model: model.unwrap_or_default().to_owned(),
            run: run.to_owned(),
            protocol: description.map(|run| protocol(&run["spec"])),
            repetitions: spec("repetitions").as_u64().map(|count| count as u32),
            levels: contents
                .logs
                .iter()
                .map(|(level, log)| (*level, log.log.total() as u32))
                .collect(),
            scorers: reports.iter().map(|(scorer, _)| *scorer).collect(),
            judges,
            pack: PackFacts::of(contents),
            cache: contents.journal.as_ref().map(|_| CacheFacts::of(contents)),
            hardware: Some(spec("local").clone()).filter(|local| !local.is_null()),
            started_ms: number("started_ms"),
            ended_ms: number("updated_ms"),
        }
    }
}

impl PackFacts {
    fn of(contents: &Contents) -> Self {
        let pack = &contents.pack;
        let tools: String = pack
            .tools
            .iter()
            .map(|tool| format!("{} {}\n", tool.name, tool_sha256(tool)))
            .collect();
        Self {
            label: pack.label(),
            tasks: pack.tasks.values().map(Vec::len).sum::<usize>() as u32,
            tasks_sha256: tasks_sha256(&pack.tasks),
            tools_sha256: sha256_hex(&tools),
            prompts_sha256: sha256_hex(&pack.judge_prompts),
        }
    }
}

impl CacheFacts {
    fn of(contents: &Contents) -> Self {
        let attempts = contents.journal.iter().flat_map(|journal| &journal.attempts);
        let calls: Vec<AnswerSource> = attempts
            .flat_map(|attempt| &attempt.calls)
            .map(|call| call.source)
            .collect();
        let count = |source: AnswerSource| calls.iter().filter(|found| **found == source).count() as u32;
        let (hit, miss) = (count(AnswerSource::Hit), count(AnswerSource::Miss));
        let live = count(AnswerSource::Live) + count(AnswerSource::Overlay);
        let run = contents.run.as_ref().unwrap_or(&Value::Null);
        let asked = hit + miss + live;
        Self {
            mode: run["cache"]["mode"].as_str().unwrap_or("read").to_owned(),
            snapshot: Option::deserialize(&run["cache"]["snapshot"]).unwrap_or_default(),
            records_sha256: run["spec"]["identity"]["records_sha256"]
                .as_str()
                .filter(|hash| !hash.is_empty())
                .map(str::to_owned),
            hit,
            miss,
            injected: count(AnswerSource::Injected),
            refused: count(AnswerSource::Refused),
            live,
            hit_rate: (asked > 0).then(|| f64::from(hit) / f64::from(asked)),
        }
    }
}

/// The reports that can be read, by scorer.
pub(super) fn reports(contents: &Contents) -> Vec<(Scorer, Report)> {
    let read = |(scorer, texts): (&Scorer, &super::ReportTexts)| {
        let ReadReport { report, .. } = read_json(texts.json.as_deref()?).ok()?;
        Some((*scorer, report))
    };
    contents.reports.iter().filter_map(read).collect()
}

/// When what is in a bundle was done: the last scoring, else the last log.
pub fn created(contents: &Contents) -> String {
    let scored = reports(contents)
        .into_iter()
        .map(|(_, report)| report.evaluation_date);
    let logged = contents.logs.values().filter_map(|log| {
        let at = log.document["metadata"]["timestamp"].as_str()?;
        Some(at.to_owned())
    });
    scored.max().or_else(|| logged.max()).unwrap_or_default()
}

/// The place of the manifest's word on something.
pub(super) fn place() -> &'static str {
    names::MANIFEST
}
