//! Detects the kind of a file from its content.

use super::content::Content;
use super::item::ImportedKind;
use koab_core::level::{GROUPS, Level};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_report::{CombinedRow, NoReport, ReadReport, read_combined, read_json, read_summary};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::path::Path;

/// Kind of a file.
pub(super) enum Kind {
    /// Log of a level.
    Log(Level, LogHead),
    /// Log of a group of another benchmark, with the name of the group.
    Group(String, LogHead),
    /// Description of a run, `run.json` of this product.
    Manifest,
    /// Journal of a run, `journal.jsonl` of this product.
    Journal,
    /// An `evaluation_report.json`.
    Report(Box<ReadReport>),
    /// View of a report, which this product saves as a file with each report of its own.
    View(Value),
    /// An `evaluation_summary.csv`.
    Summary(Box<ReadReport>),
    /// A combined summary of several reports.
    Combined(Vec<Result<CombinedRow, NoReport>>),
    /// File with the verdicts of a report.
    Verdicts,
    /// Report in Markdown.
    Markdown,
    /// A faulty file of a known kind, with the reason.
    Faulty(ImportedKind, Sentence),
    /// A file of no known kind, with the reason.
    Other(Sentence),
}

/// Metadata of a level's log.
#[derive(Clone, Debug)]
pub(super) struct LogHead {
    pub(super) model: Option<String>,
    /// Pack of the run, `name@version`. Only logs of another benchmark's groups contain it.
    pub(super) pack: Option<String>,
    /// End of the log's last task, in local time in ISO format.
    pub(super) timestamp: Option<String>,
}

/// Keys that distinguish the kinds of JSON files. The values are checked to be JSON but are not
/// stored.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Probe {
    metadata: Option<Metadata>,
    results: Option<Vec<IgnoredAny>>,
    summary: Option<IgnoredAny>,
    by_level: Option<IgnoredAny>,
    spec: Option<IgnoredAny>,
    attempts: Option<IgnoredAny>,
    composites: Option<IgnoredAny>,
    report: Option<IgnoredAny>,
    intervals: Option<IgnoredAny>,
    cache_hits: Option<IgnoredAny>,
    sha256: Option<IgnoredAny>,
    files: Option<IgnoredAny>,
    kind: Value,
    of: Option<IgnoredAny>,
}

/// Metadata of a log. The values may have any type, because other programs write other values.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    model: Value,
    level: Value,
    timestamp: Value,
    pack: Value,
}

/// Detects the kind of `content`. The name of the file matters only if the content is ambiguous.
pub(super) fn detect(content: &Content, path: &Path) -> Kind {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let start = content.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if name.ends_with(".md") {
        return markdown(content);
    }
    if name.ends_with(".jsonl") {
        return journal(content);
    }
    match start {
        None => Kind::Faulty(ImportedKind::Unknown, say!("is empty")),
        Some(b'{') => object(content, path),
        Some(b'[') => Kind::Other(say!("is a JSON list; neither a run log nor a report")),
        _ if name.ends_with(".json") => {
            let why = match serde_json::from_slice::<IgnoredAny>(&content.bytes) {
                Err(error) => say!("is not JSON ({error})"),
                Ok(_) => say!("is JSON, but neither a run log nor a report"),
            };
            Kind::Faulty(ImportedKind::Unknown, why)
        }
        _ => table(content),
    }
}

fn object(content: &Content, path: &Path) -> Kind {
    let probe: Probe = match serde_json::from_slice(&content.bytes) {
        Ok(probe) => probe,
        Err(error) if error.is_data() => {
            return Kind::Other(say!("is JSON, but neither a run log nor a report"));
        }
        Err(error) => {
            let why = say!("is not JSON ({error}); it may have been cut off");
            return Kind::Faulty(ImportedKind::Unknown, why);
        }
    };
    if probe.kind == koab_core::fork::FORK_KIND && probe.of.is_some() {
        let why = say!("is a fork: it explains a run and never enters a report; import the run itself");
        return Kind::Faulty(ImportedKind::Unknown, why);
    }
    if probe.summary.is_some() && probe.by_level.is_some() {
        return match read_json(&content.bytes) {
            Ok(read) if read.report.levels.is_empty() => {
                Kind::Faulty(ImportedKind::Report, say!("is a report without any level"))
            }
            Ok(read) => Kind::Report(Box::new(read)),
            Err(error) => Kind::Faulty(ImportedKind::Report, error.to_sentence()),
        };
    }
    if let (Some(metadata), Some(results)) = (&probe.metadata, &probe.results) {
        return log(metadata, results.len(), path);
    }
    // The earlier form of a view has no full report, and a view without a run has no cache hits.
    let is_view = probe.cache_hits.is_some() || probe.report.is_some() && probe.intervals.is_some();
    if probe.composites.is_some() && is_view {
        return match serde_json::from_slice(&content.bytes) {
            Ok(view) => Kind::View(view),
            Err(error) => Kind::Faulty(ImportedKind::Report, error.to_string().into()),
        };
    }
    if probe.spec.is_some() && probe.attempts.is_some() {
        return Kind::Manifest;
    }
    // The note of an earlier import, or a pack's manifest.
    if probe.files.is_some() || probe.sha256.is_some() {
        return Kind::Other(say!("belongs to an import or a pack and is of no use alone"));
    }
    Kind::Other(say!("is JSON, but neither a run log nor a report"))
}

fn log(metadata: &Metadata, results: usize, path: &Path) -> Kind {
    let faulty = |why: Sentence| Kind::Faulty(ImportedKind::Run, why);
    let stated_level = metadata.level.as_str().and_then(|level| level.parse().ok());
    let level_in_name = || {
        let name = path.file_stem()?.to_string_lossy().into_owned();
        let level = name.split('_').next()?;
        Level::ALL.into_iter().find(|known| known.as_str() == level)
    };
    let text = |value: &Value| value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
    let is_group = path.parent().is_some_and(|folder| folder.ends_with(GROUPS));
    let group = metadata.level.as_str().filter(|_| is_group && stated_level.is_none());
    let head = LogHead {
        model: text(&metadata.model),
        pack: text(&metadata.pack),
        timestamp: text(&metadata.timestamp),
    };
    let log = match (group, stated_level.or_else(level_in_name)) {
        (Some(group), _) => Kind::Group(group.to_owned(), head),
        (None, Some(level)) => Kind::Log(level, head),
        (None, None) => {
            return faulty(say!("is a run log that names no level L1 to L7 in `metadata.level`"));
        }
    };
    match results {
        0 => faulty(say!("is a run log without any task")),
        _ => log,
    }
}

/// Detects the kind of a JSONL file: a run's journal, a report's verdicts, or another file.
fn journal(content: &Content) -> Kind {
    let first = content.bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match serde_json::from_slice::<Value>(first) {
        Ok(Value::Object(line)) if line.contains_key("type") => Kind::Journal,
        Ok(Value::Object(line)) if line.contains_key("task") && line.contains_key("verdict") => {
            Kind::Verdicts
        }
        _ => Kind::Other(say!("is not a journal of a run")),
    }
}

fn markdown(content: &Content) -> Kind {
    let text = String::from_utf8_lossy(&content.bytes);
    let is_report = text.contains("L1") || text.contains("평가 보고서");
    if text.starts_with('#') && is_report || text.contains("| **L") {
        Kind::Markdown
    } else {
        Kind::Other(say!("is text; import the evaluation_report.json of a report"))
    }
}

fn table(content: &Content) -> Kind {
    let Some(text) = koab_library::table_text::table_text(&content.bytes) else {
        let why = say!("is not text in UTF-8 or CP949; save it as UTF-8");
        return Kind::Other(why);
    };
    let header = text.lines().next().unwrap_or_default();
    let columns: Vec<&str> = header.split(',').map(|column| column.trim().trim_matches('"')).collect();
    let has = |name: &str| columns.contains(&name);
    if has("Level") && has("Total_Tasks") {
        return match read_summary(&text) {
            Ok(report) => Kind::Summary(Box::new(report)),
            Err(error) => Kind::Faulty(ImportedKind::Summary, error.to_sentence()),
        };
    }
    if has("Model") && columns.iter().any(|column| column.starts_with("L1_")) {
        return match read_combined(&text) {
            Ok(rows) => Kind::Combined(rows),
            Err(error) => Kind::Faulty(ImportedKind::CombinedRow, error.to_sentence()),
        };
    }
    Kind::Other(say!("is not a run log, report, summary or archive"))
}
