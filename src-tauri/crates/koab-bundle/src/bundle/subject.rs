//! What a manifest says of the run. All of it follows from the other files, so that nobody can say
//! something else of them.

use super::contents::Contents;
use super::names;
use koab_core::cache_key::sha256_hex;
use koab_core::cache_source::SnapshotRef;
#[cfg(feature = "typescript")]
use koab_core::level::Level;
use koab_core::pack_identity::{tasks_sha256, tool_sha256};
use koab_core::protocol::Protocol;
use koab_core::run_record::{CacheMode, CacheUse};
use koab_report::Report;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A run and its reports in short.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "BundleSubject"))]
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
    /// Tasks of each level in the logs. By their names: a name is kept for good once it is a
    /// level's, and a manifest may say any.
    #[cfg_attr(feature = "typescript", ts(as = "BTreeMap<Level, u32>"))]
    pub levels: BTreeMap<String, u32>,
    /// By which rules there is a report.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<Protocol>"))]
    pub scorers: Vec<Protocol>,
    /// Judges of the reports, in their order.
    pub judges: Vec<String>,
    /// What the run was made with, in hashes.
    pub pack: PackFacts,
    /// How tool calls were answered; null where the run was made elsewhere.
    pub cache: Option<CacheFacts>,
    /// How a model inside the application ran; null for a model of a server, whose machine nobody
    /// knows.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub hardware: Option<Value>,
    /// When the last start of the run began, milliseconds since the Unix epoch; null where the run
    /// was made elsewhere.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub started_ms: Option<u64>,
    /// When it ended, likewise.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub ended_ms: Option<u64>,
}

/// A pack in hashes, SHA-256 in lower-case hex.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "BundlePackFacts"))]
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
    /// Of the judges' prompts; of another benchmark of all files of its pack, a line for each with
    /// its name and hash.
    pub prompts_sha256: String,
}

/// How the tool calls of a run were answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "BundleCacheFacts"))]
#[serde(deny_unknown_fields)]
pub struct CacheFacts {
    /// `read` or `write`.
    pub mode: String,
    /// The snapshot that was read in the place of the pack's recordings.
    pub snapshot: Option<SnapshotRef>,
    /// Hash of the pack's recordings as the run wrote it down.
    pub records_sha256: Option<String>,
    /// Cached responses.
    pub hit: u32,
    /// No cached response.
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
    pub fn from_contents(run: &str, contents: &Contents) -> Self {
        let description = contents.run.as_ref();
        let reports = reports(contents);
        let mut judges: Vec<String> = Vec::new();
        for judge in reports.iter().flat_map(|(_, report)| &report.judges) {
            if !judges.contains(judge) {
                judges.push(judge.clone());
            }
        }
        let first = contents.logs.values().next();
        let logged = first.and_then(|log| log.metadata("model").as_str());
        let model = description.map(|run| run.model.as_str()).or(logged);
        Self {
            model: model.unwrap_or_default().to_owned(),
            run: run.to_owned(),
            protocol: description.map(|run| run.spec.protocol),
            repetitions: description.map(|run| run.spec.repetitions),
            levels: contents
                .logs
                .iter()
                .map(|(level, log)| (level.to_string(), log.log.total() as u32))
                .collect(),
            scorers: reports.iter().map(|(scorer, _)| *scorer).collect(),
            judges,
            pack: PackFacts::from_contents(contents),
            cache: contents.journal.as_ref().map(|_| CacheFacts::from_contents(contents)),
            hardware: description.and_then(|run| run.spec.local.clone()),
            started_ms: description.map(|run| run.started_ms),
            ended_ms: description.map(|run| run.updated_ms),
        }
    }
}

impl Subject {
    /// Attempts that the run planned.
    pub fn attempts(&self) -> u64 {
        let tasks: u64 = self.levels.values().copied().map(u64::from).sum();
        tasks * u64::from(self.repetitions.unwrap_or(1))
    }
}

impl PackFacts {
    fn from_contents(contents: &Contents) -> Self {
        let pack = &contents.pack;
        let tools: String =
            pack.tools.iter().map(|tool| format!("{} {}\n", tool.name, tool_sha256(tool))).collect();
        Self {
            label: pack.label(),
            tasks: pack.tasks.values().map(Vec::len).sum::<usize>() as u32,
            tasks_sha256: tasks_sha256(&pack.tasks),
            tools_sha256: sha256_hex(&tools),
            prompts_sha256: match contents.items.is_empty() {
                true => sha256_hex(&pack.judge_prompts),
                false => of_files(&contents.items),
            },
        }
    }
}

/// One hash of files, by their names and hashes.
fn of_files(files: &BTreeMap<String, Vec<u8>>) -> String {
    let line = |(path, content): (&String, &Vec<u8>)| format!("{path} {}\n", sha256_hex(content));
    sha256_hex(&files.iter().map(line).collect::<String>())
}

impl CacheFacts {
    fn from_contents(contents: &Contents) -> Self {
        let mut calls = CacheUse::default();
        let attempts = contents.journal.iter().flat_map(|journal| journal.attempts.iter());
        attempts.for_each(|attempt| calls.add(&attempt.answers()));
        let run = contents.run.as_ref();
        let live = calls.live + calls.overlay;
        let asked = calls.hit + calls.miss + live;
        Self {
            mode: match run.map(|run| run.cache.mode).unwrap_or_default() {
                CacheMode::Read => "read",
                CacheMode::Write => "write",
            }
            .to_owned(),
            snapshot: run.and_then(|run| run.cache.source.snapshot.clone()),
            records_sha256: run
                .and_then(|run| run.spec.identity.as_ref())
                .map(|identity| identity.records_sha256.clone())
                .filter(|hash| !hash.is_empty()),
            hit: calls.hit,
            miss: calls.miss,
            injected: calls.injected,
            refused: calls.refused,
            live,
            hit_rate: (asked > 0).then(|| f64::from(calls.hit) / f64::from(asked)),
        }
    }
}

/// The reports that can be read, by scorer.
pub(super) fn reports(contents: &Contents) -> Vec<(Protocol, Report)> {
    let reports = contents.reports.iter();
    reports.filter_map(|(scorer, texts)| Some((*scorer, texts.report()?))).collect()
}

/// When what is in a bundle was done: the last scoring, else the last log.
pub fn created(contents: &Contents) -> String {
    let scored = reports(contents).into_iter().map(|(_, report)| report.evaluation_date);
    let logged = contents.logs.values().filter_map(|log| {
        let at = log.metadata("timestamp").as_str()?;
        Some(at.to_owned())
    });
    scored.max().or_else(|| logged.max()).unwrap_or_default()
}

/// The place of the manifest's word on something.
pub(super) fn place() -> &'static str {
    names::MANIFEST
}
