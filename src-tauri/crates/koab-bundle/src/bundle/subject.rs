//! Summary of the run in a manifest. It is computed from the other files, so that it cannot
//! contradict them.

use super::contents::Contents;
use super::names;
use koab_core::cache_key::sha256_hex;
use koab_core::cache_source::SnapshotRef;
use koab_core::pack_identity::{tasks_sha256, tool_sha256};
use koab_core::protocol::Protocol;
use koab_core::run_record::{CacheMode, CacheUse};
use koab_report::Report;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Summary of a run and its reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "BundleSubject"))]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Model id as the user gave it for the run.
    pub model: String,
    /// Id of the run, `<model folder>/<YYYYMMDD_HHMMSS>`.
    pub run: String,
    /// Protocol of the run; null if another tool made the run.
    pub protocol: Option<Protocol>,
    /// Number of attempts per task; null if another tool made the run.
    pub repetitions: Option<u32>,
    /// Number of tasks of each level in the logs, by the level's name. The names are not checked,
    /// because a manifest of others may contain any name.
    #[cfg_attr(feature = "typescript", ts(type = "{ [key in Level]: number }"))]
    pub levels: BTreeMap<String, u32>,
    /// Rules that the reports in the bundle were scored by.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<Protocol>"))]
    pub scorers: Vec<Protocol>,
    /// Model ids of the judges, in the order of the reports.
    pub judges: Vec<String>,
    /// Hashes of the pack that the run used.
    pub pack: PackFacts,
    /// Counts of how tool calls were answered; null if another tool made the run.
    pub cache: Option<CacheFacts>,
    /// Settings and hardware of a model inside the application; null for a model on a server,
    /// because its hardware is not known.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub hardware: Option<Value>,
    /// Time when the last start of the run began, in milliseconds since the Unix epoch; null if
    /// another tool made the run.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub started_ms: Option<u64>,
    /// Time when the run ended, in milliseconds since the Unix epoch; null if another tool made the
    /// run.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub ended_ms: Option<u64>,
}

/// Hashes of a pack, as SHA-256 in lower-case hex.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "BundlePackFacts"))]
#[serde(deny_unknown_fields)]
pub struct PackFacts {
    /// Label of the pack, `name@version`.
    pub label: String,
    /// Number of tasks in the pack.
    pub tasks: u32,
    /// Hash of all tasks.
    pub tasks_sha256: String,
    /// Common hash of all tools, computed from one line for each tool with its name and hash.
    pub tools_sha256: String,
    /// Hash of the judges' prompts. For another benchmark, the common hash of all files of its
    /// pack.
    ///
    /// The common hash is computed from one line for each file with its name and hash.
    pub prompts_sha256: String,
}

/// Counts of how the tool calls of a run were answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "BundleCacheFacts"))]
#[serde(deny_unknown_fields)]
pub struct CacheFacts {
    /// Mode of the cache, `read` or `write`.
    pub mode: String,
    /// Name of the snapshot that was read instead of the pack's cached responses.
    pub snapshot: Option<SnapshotRef>,
    /// Hash of the pack's cached responses, as the run recorded it.
    pub records_sha256: Option<String>,
    /// Number of calls that a cached response answered.
    pub hit: u32,
    /// Number of calls without a cached response.
    pub miss: u32,
    /// Number of calls that failed because the task injects a failure.
    pub injected: u32,
    /// Number of calls that were refused because they are faulty.
    pub refused: u32,
    /// Number of calls that real services or saved responses answered.
    pub live: u32,
    /// Share of cache hits among the calls that were looked up in the cache; null when no call was.
    pub hit_rate: Option<f64>,
}

impl Subject {
    /// Summarizes the files of the run with the id `run`.
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
            protocol: description.map(|run| run.spec.settings.protocol),
            repetitions: description.map(|run| run.spec.settings.repetitions),
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
    /// Number of attempts that the run planned.
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
            prompts_sha256: if contents.items.is_empty() {
                sha256_hex(&pack.judge_prompts)
            } else {
                of_files(&contents.items)
            },
        }
    }
}

/// Common hash of files, computed from their names and hashes.
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
        let lookups = calls.hit + calls.miss + live;
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
            hit_rate: (lookups > 0).then(|| f64::from(calls.hit) / f64::from(lookups)),
        }
    }
}

/// Reports that can be read, by scorer.
pub(super) fn reports(contents: &Contents) -> Vec<(Protocol, Report)> {
    let reports = contents.reports.iter();
    reports.filter_map(|(scorer, texts)| Some((*scorer, texts.report()?))).collect()
}

/// Time of the bundle's content: the time of the last scoring, or of the last log if there is no
/// report.
pub fn created(contents: &Contents) -> String {
    let scored = reports(contents).into_iter().map(|(_, report)| report.evaluation_date);
    let logged = contents.logs.values().filter_map(|log| {
        let at = log.metadata("timestamp").as_str()?;
        Some(at.to_owned())
    });
    scored.max().or_else(|| logged.max()).unwrap_or_default()
}

/// Name of the summary in findings.
pub(super) fn place() -> &'static str {
    names::MANIFEST
}
