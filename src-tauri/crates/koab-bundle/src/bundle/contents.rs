//! Parsed files of a bundle, ready to be compared with each other.

use super::check::{CheckName, Findings};
use super::names;
use super::verdict_line::VerdictLine;
use koab_core::args::NormalizedArgs;
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::pack::{Pack, parse_tool};
use koab_core::protocol::Protocol;
use koab_core::run_record::{AttemptSummary, Journal, RunManifest};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::task::{Task, parse_level};
use koab_report::{Dataset, Report, read_json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Both scorers, which are the two sets of scoring rules. Reports of a bundle are in this order.
pub(super) const SCORERS: [Protocol; 2] = [Protocol::Leaderboard, Protocol::Corrected];

/// Name of a report's file in JSON.
pub(super) const REPORT_JSON: &str = "evaluation_report.json";
pub(super) const REPORT_CSV: &str = "evaluation_summary.csv";
pub(super) const REPORT_MD: &str = "evaluation_report.md";

/// The field `kind` of a pack's manifest. Only packs of other benchmarks have it.
#[derive(Deserialize)]
struct Kinded {
    kind: Option<String>,
}

/// Log of a level.
#[derive(Clone, Debug)]
pub struct Log {
    /// Content of the file.
    pub text: Vec<u8>,
    /// Parsed log with its tasks.
    pub log: LevelLog,
}

impl Log {
    /// Parses the JSON of the log. The result is not stored, because the log of a run with many
    /// repetitions is large.
    pub fn document(&self) -> Value {
        serde_json::from_slice(&self.text).unwrap_or_default()
    }

    /// Value of a key of the log's metadata; null when missing.
    pub fn metadata(&self, key: &str) -> &Value {
        self.log.metadata.get(key).unwrap_or(&Value::Null)
    }
}

/// The published texts of a report.
#[derive(Clone, Debug, Default)]
pub struct ReportTexts {
    /// Content of `evaluation_report.json`.
    pub json: Option<Vec<u8>>,
    /// Content of `evaluation_summary.csv`.
    pub csv: Option<Vec<u8>>,
    /// Content of `evaluation_report.md`.
    pub markdown: Option<Vec<u8>>,
}

/// A cached response that answered a call of the run: one line of `records/<tool>.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Key of the cached response in the published layout.
    pub key: String,
    /// Tool name.
    pub tool: String,
    /// Time at which the response was recorded, UTC.
    pub created_at: String,
    /// Whether the key belongs to the tool's text in the bundle. Otherwise the call was recorded
    /// under an earlier text.
    pub current: bool,
    /// Normalized arguments of the call.
    pub input_params: Map<String, Value>,
    /// Answer of the tool as a model receives it.
    pub data: Value,
}

/// Cached responses by tool and canonical arguments, each with the number of its line.
pub type Records = BTreeMap<(String, String), (usize, Record)>;

/// Everything in a bundle except its manifest, its signature and the files for a leaderboard.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Content of `run.json`.
    pub run: Option<RunManifest>,
    /// The journal.
    pub journal: Option<Journal<AttemptSummary>>,
    /// Logs by level.
    pub logs: BTreeMap<Level, Log>,
    /// Tasks, tools and prompts.
    pub pack: Pack,
    /// Name of the benchmark whose items the pack has instead of tasks; `None` in packs of
    /// Ko-AgentBench.
    pub benchmark: Option<String>,
    /// Files of another benchmark's pack, by their path in the pack.
    pub items: BTreeMap<String, Vec<u8>>,
    /// Items of another benchmark's pack in the form that scoring requires. [`Contents::settle`]
    /// sets them.
    pub dataset: Option<Dataset>,
    /// Logs of another benchmark's groups by file name. They are parsed when the pack has been
    /// read, which names the groups.
    groups: BTreeMap<String, Vec<u8>>,
    /// Cached responses that answered calls of the run.
    pub records: Records,
    /// Verdicts by scorer, each with the number of its line.
    pub verdicts: BTreeMap<Protocol, Vec<(usize, VerdictLine)>>,
    /// Reports by scorer.
    pub reports: BTreeMap<Protocol, ReportTexts>,
}

/// Formats a cached response as a line of its file, without the newline.
///
/// # Errors
/// When a number in the response cannot be written as JSON.
pub fn record_line(record: &Record) -> Result<String, serde_json::Error> {
    serde_json::to_string(record)
}

/// Parses a line of `records/<tool>.jsonl`. Returns the tool, the canonical arguments, and the
/// cached response.
///
/// # Errors
/// When the line is not a cached response.
pub fn read_record(text: &[u8]) -> Result<((String, String), Record), serde_json::Error> {
    let record: Record = serde_json::from_slice(text)?;
    let args = NormalizedArgs::from_record(&record.input_params).canonical();
    Ok(((record.tool.clone(), args), record))
}

impl ReportTexts {
    /// The parsed report; `None` if it cannot be read.
    pub fn report(&self) -> Option<Report> {
        let read = read_json(self.json.as_deref()?).ok()?;
        Some(read.report)
    }
}

impl Contents {
    /// Parsed logs of all levels.
    pub fn level_logs(&self) -> Vec<LevelLog> {
        self.logs.values().map(|log| log.log.clone()).collect()
    }

    /// Parses a file of the bundle and stores its content. Returns false for a file that no bundle
    /// has. The journal is read line by line by [`super::JournalReader`].
    pub fn take(&mut self, path: &str, content: Vec<u8>, findings: &mut Findings) -> bool {
        match path {
            names::RUN => {
                self.run = json(path, CheckName::Run, &content, findings);
                return true;
            }
            names::PACK_MANIFEST => {
                if let Some(manifest) = json(path, CheckName::Pack, &content, findings) {
                    self.pack.manifest = manifest;
                }
                let kinded = serde_json::from_slice::<Kinded>(&content);
                self.benchmark = kinded.ok().and_then(|kinded| kinded.kind);
                return true;
            }
            names::TOOLS => {
                self.tools(&content, findings);
                return true;
            }
            names::PROMPTS => {
                self.pack.judge_prompts = String::from_utf8_lossy(&content).into_owned();
                return true;
            }
            _ => {}
        }
        if let Some(item) = path.strip_prefix(names::ITEMS) {
            self.items.insert(item.to_owned(), content);
            return true;
        }
        if path.starts_with(names::GROUP_LOGS) {
            self.groups.insert(path.to_owned(), content);
            return true;
        }
        for level in Level::ALL {
            if path == names::level_log(&level) {
                self.log(level, path, content, findings);
                return true;
            }
            if path == names::level_tasks(&level) {
                if let Some(document) = json(path, CheckName::Pack, &content, findings) {
                    let (tasks, problems) = parse_level(&level, &document);
                    if tasks.is_empty() {
                        let error = problems.first().map(ToSentence::to_sentence).unwrap_or_default();
                        findings.failed(CheckName::Pack, path, say!("cannot be read: {error}"));
                    }
                    self.pack.tasks.insert(level, tasks);
                }
                return true;
            }
        }
        for scorer in SCORERS {
            let report = |file: &str| path == names::report(scorer, file);
            if path == names::verdicts(scorer) {
                self.verdicts(scorer, path, &content, findings);
            } else if report(REPORT_JSON) {
                self.reports.entry(scorer).or_default().json = Some(content);
            } else if report(REPORT_CSV) {
                self.reports.entry(scorer).or_default().csv = Some(content);
            } else if report(REPORT_MD) {
                self.reports.entry(scorer).or_default().markdown = Some(content);
            } else {
                continue;
            }
            return true;
        }
        let tool = path.strip_prefix("records/").and_then(|name| name.strip_suffix(".jsonl"));
        if let Some(tool) = tool {
            self.recordings(tool, path, &content, findings);
        }
        tool.is_some()
    }

    /// Whether the bundle has content of another benchmark. [`Contents::settle`] must then be
    /// called.
    pub fn is_of_another_benchmark(&self) -> bool {
        self.benchmark.is_some() || !self.items.is_empty() || !self.groups.is_empty()
    }

    /// Adds the tasks and the dataset of another benchmark's pack, and parses the logs of its
    /// groups.
    pub fn settle(&mut self, tasks: BTreeMap<Level, Vec<Task>>, dataset: Dataset, findings: &mut Findings) {
        self.dataset = Some(dataset);
        self.pack.tasks = tasks;
        let mut logs = std::mem::take(&mut self.groups);
        let groups: Vec<Level> = self.pack.tasks.keys().cloned().collect();
        for group in groups {
            let path = names::level_log(&group);
            if let Some(text) = logs.remove(&path) {
                self.log(group, &path, text, findings);
            }
        }
        for path in logs.keys() {
            findings.failed(CheckName::Logs, path, say!("is the log of a group that the pack does not have"));
        }
    }

    fn log(&mut self, level: Level, path: &str, text: Vec<u8>, findings: &mut Findings) {
        let Some(document) = json::<Value>(path, CheckName::Logs, &text, findings) else {
            return;
        };
        match LevelLog::read_as(level.clone(), &document) {
            Ok(log) => {
                let log = Log { text, log };
                self.logs.insert(level, log);
            }
            Err(error) => findings.failed(CheckName::Logs, path, say!("is not a run log: {error}")),
        }
    }

    fn tools(&mut self, content: &[u8], findings: &mut Findings) {
        let Some(document) = json::<Value>(names::TOOLS, CheckName::Pack, content, findings) else {
            return;
        };
        for entry in document.as_array().into_iter().flatten() {
            match parse_tool(entry) {
                Ok(tool) => self.pack.tools.push(tool),
                Err(problem) => {
                    let error = problem.to_sentence();
                    findings.failed(CheckName::Pack, names::TOOLS, say!("cannot be read: {error}"));
                }
            }
        }
    }

    fn recordings(&mut self, tool: &str, path: &str, content: &[u8], findings: &mut Findings) {
        for (line, text) in lines(content) {
            let mut fail = |sentence: Sentence| findings.failed(CheckName::Calls, path, sentence);
            match read_record(text) {
                Ok((_, record)) if record.tool != tool => {
                    let error = say!("it is of {}", record.tool);
                    fail(say!("line {line} is not a cached response: {error}"));
                }
                Ok((key, record)) => {
                    if self.records.insert(key, (line, record)).is_some() {
                        fail(say!("line {line} records a call that is recorded before"));
                    }
                }
                Err(error) => fail(say!("line {line} is not a cached response: {error}")),
            }
        }
    }

    fn verdicts(&mut self, scorer: Protocol, path: &str, content: &[u8], findings: &mut Findings) {
        let of_scorer = self.verdicts.entry(scorer).or_default();
        for (number, text) in lines(content) {
            match serde_json::from_slice(text) {
                Ok(verdict) => of_scorer.push((number, verdict)),
                Err(error) => {
                    let sentence = say!("line {line} is not a verdict: {error}", line = number);
                    findings.failed(CheckName::Verdicts, path, sentence);
                }
            }
        }
    }
}

/// Lines of a file with their numbers, without empty lines.
fn lines(content: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let all = content.split(|byte| *byte == b'\n').enumerate();
    all.map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim_ascii().is_empty())
}

fn json<T: DeserializeOwned>(
    path: &str,
    of: CheckName,
    content: &[u8],
    findings: &mut Findings,
) -> Option<T> {
    match serde_json::from_slice(content) {
        Ok(value) => Some(value),
        Err(error) => {
            findings.failed(of, path, say!("cannot be read: {error}"));
            None
        }
    }
}
