//! Gathers everything of a run that belongs in its bundle, from all places of the workspace.

use super::items::settle;
use super::reports::OfRun;
use crate::Exchange;
use koab_bundle::bundle as places;
use koab_bundle::bundle::{
    Contents, CountedReader, Findings, JournalReader, Record, ReportEntry, Without, WithoutWhat, of_lines,
    recompute, record_line, verdicts_behind,
};
use koab_core::args::{self, NormalizedArgs};
use koab_core::catalog::ToolCatalog;
use koab_core::event::AnswerSource;
use koab_core::judge::{JudgeQuestion, Verdict};
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::python::{Dumps, dumps};
use koab_core::run_record::{AttemptSummary, CallRecord, Journal};
use koab_core::say;
use koab_library::transcript::votes_of;
use koab_store::bundle_file::Source;
use koab_store::run_log::{JOURNAL, MANIFEST};
use koab_store::runs::RunEntry;
use koab_store::{BenchmarkFiles, CacheState, StateOf};
use koab_workspace::WireError;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// JSON format of the files of a pack: Python's `json.dumps` with an indent of 2, as in the
/// published files.
const PRETTY: Dumps = Dumps { ascii: false, sorted: false, indent: Some(2) };

/// Files of a bundle, their parsed contents, and a list of the content that the bundle lacks.
#[derive(Default)]
pub(super) struct BundleSources {
    pub(super) files: BTreeMap<String, Source>,
    pub(super) contents: Contents,
    pub(super) reports: Vec<ReportEntry>,
    pub(super) without: Vec<Without>,
    /// Faults in the run's own files.
    pub(super) findings: Findings,
}

impl BundleSources {
    fn put(&mut self, path: &str, content: Vec<u8>) {
        self.contents.take(path, content.clone(), &mut self.findings);
        self.files.insert(path.to_owned(), Source::Bytes(content));
    }

    fn lacks(&mut self, what: WithoutWhat, count: usize) {
        if count > 0 {
            let count = count as u64;
            self.without.push(Without { what, count });
        }
    }
}

impl Exchange {
    /// Gathers the files of a run and of the given reports.
    pub(super) fn gather_bundle(
        &self,
        entry: &RunEntry,
        reports: BTreeMap<Protocol, OfRun>,
    ) -> Result<BundleSources, WireError> {
        let mut gathered = BundleSources::default();
        take_run(entry, &mut gathered)?;
        let pack_label = gathered.contents.run.as_ref().map(|run| run.spec.pack.clone());
        let label = pack_label.or_else(|| entry.run.pack_of_logs());
        let name = match &label {
            Some(label) => self.workspace.pack_of_label(label)?,
            None => self.workspace.pack_name(None)?,
        };
        match self.workspace.store()?.benchmark_files(&name)? {
            // Another version may have other items under the same ids.
            Some(_) if label.as_ref().is_some_and(|label| *label != name) => {
                return Err(WireError::not_found(say!(
                    "the items of the run’s pack {pack} are not installed, and without them it cannot be bundled; import the pack with `koab pack import`",
                    pack = label.unwrap_or_default()
                )));
            }
            Some(files) => put_items(files, &mut gathered),
            None => {
                put_pack(self.workspace.load_task_pack(&name)?, &mut gathered)?;
                self.put_records(&name, &mut gathered)?;
            }
        }
        settle(&mut gathered.contents, &mut gathered.findings);
        let none = usize::from(reports.is_empty());
        for (scorer, of_run) in reports {
            self.put_report(scorer, of_run, &mut gathered)?;
        }
        gathered.lacks(WithoutWhat::Reports, none);
        Ok(gathered)
    }

    /// Adds the cached responses that answered the run's calls, from the cache state that the run
    /// used. A response that has changed since the run is counted as lost.
    fn put_records(&self, pack: &str, gathered: &mut BundleSources) -> Result<(), WireError> {
        let Some(journal) = gathered.contents.journal.take() else {
            return Ok(());
        };
        let catalog = ToolCatalog::new(gathered.contents.pack.tools.iter().cloned());
        let run = gathered.contents.run.as_ref();
        let state_of = match run.and_then(|run| run.cache.source.snapshot.as_ref()) {
            Some(snapshot) => StateOf::Snapshot(snapshot.name.clone()),
            None => StateOf::Pack(pack.to_owned()),
        };
        // A snapshot may have been deleted since.
        let state = match self.workspace.store()?.state(&state_of) {
            Ok(state) => Some(state),
            Err(koab_store::Error::NotFound(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let mut records = HitRecords { state, catalog, lines: BTreeMap::new(), lost: 0 };
        records.add_all(&journal, &gathered.files[places::JOURNAL])?;
        let HitRecords { lines, lost, .. } = records;
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for ((tool, _), line) in lines {
            let text = texts.entry(tool).or_default();
            text.push_str(&line);
            text.push('\n');
        }
        for (tool, text) in texts {
            gathered.put(&places::records(&tool), text.into_bytes());
        }
        gathered.contents.journal = Some(journal);
        gathered.lacks(WithoutWhat::Records, lost);
        Ok(())
    }

    fn put_report(
        &self,
        scorer: Protocol,
        of_run: OfRun,
        gathered: &mut BundleSources,
    ) -> Result<(), WireError> {
        let store = self.workspace.store()?;
        let mut chosen = None;
        // The lookup of verdicts is a closure that cannot fail. A database error is stored here and
        // returned after it.
        let unread: RefCell<Option<koab_store::Error>> = RefCell::new(None);
        let verdicts_on = |question: &JudgeQuestion| -> Vec<Verdict> {
            let own = of_run.verdicts.about(&question.task_id, question.metric);
            if !own.is_empty() {
                return own.to_vec();
            }
            let stored = store.verdicts_on(&question.hash()).unwrap_or_else(|error| {
                unread.replace(Some(error));
                Vec::new()
            });
            let by_judges = of_run.report.judges.iter();
            by_judges.flat_map(|judge| votes_of(&stored, judge, question.metric)).collect()
        };
        let logs = gathered.contents.level_logs();
        // The report does not say whether its judges were named, so both ways are tried and
        // compared with its levels. A replay names no judges and takes the first verdict on each
        // question.
        let ways: &[bool] = if of_run.report.judges.is_empty() { &[true] } else { &[true, false] };
        for judges_named in ways.iter().copied() {
            let lines = verdicts_behind(&of_run.report, judges_named, &gathered.contents, &verdicts_on);
            let verdicts = of_lines(&lines);
            let pack = &gathered.contents.pack;
            let items = gathered.contents.dataset.as_ref();
            let again = recompute(&of_run.report, judges_named, &logs, pack, items, &verdicts);
            let same = again.report.levels == of_run.report.levels;
            chosen = Some((judges_named, lines));
            if same {
                break;
            }
        }
        if let Some(error) = unread.take() {
            return Err(error.into());
        }
        let Some((judges_named, lines)) = chosen else {
            return Ok(());
        };
        for (name, text) in of_run.texts {
            gathered.put(&places::report(scorer, name), text);
        }
        if !lines.is_empty() {
            let mut text = String::new();
            for line in lines {
                text.push_str(&serde_json::to_string(&line).map_err(WireError::internal)?);
                text.push('\n');
            }
            gathered.put(&places::verdict_file(scorer), text.into_bytes());
        }
        gathered.reports.push(ReportEntry { scorer, judges_named });
        Ok(())
    }
}

/// Cached responses that answered the run's calls.
struct HitRecords {
    state: Option<CacheState>,
    catalog: ToolCatalog,
    /// JSON lines of responses, by tool and canonical arguments.
    lines: BTreeMap<(String, String), String>,
    /// Number of hit calls whose cached response is missing or has changed.
    lost: usize,
}

impl HitRecords {
    /// Adds the responses of all attempts that belong to the run's results.
    fn add_all(&mut self, journal: &Journal<AttemptSummary>, source: &Source) -> Result<(), WireError> {
        let (mut counted, mut lines) = (CountedReader::new(journal), Lines::default());
        let mut failed = None;
        source.each(|part| {
            lines.add(part, |line| {
                if let Some(record) = counted.line(line).filter(|_| failed.is_none()) {
                    failed = record.calls.iter().find_map(|call| self.call(call).err());
                }
            });
            Ok(())
        })?;
        failed.map_or(Ok(()), Err)
    }

    fn call(&mut self, call: &CallRecord) -> Result<(), WireError> {
        if call.source != AnswerSource::Hit {
            return Ok(());
        }
        let empty = Map::new();
        let raw = call.arguments.as_object().unwrap_or(&empty);
        let record = match (self.catalog.get(&call.tool), &self.state) {
            (Some(spec), Some(state)) => {
                let args = args::normalize(spec, raw);
                record(state, &self.catalog, &call.tool, &args)?.map(|record| (args, record))
            }
            _ => None,
        };
        match record {
            Some((args, record)) if call.result.as_ref() == Some(&record.data) => {
                let line = record_line(&record).map_err(WireError::internal)?;
                self.lines.insert((call.tool.clone(), args.canonical()), line);
            }
            _ => self.lost += 1,
        }
        Ok(())
    }
}

/// Adds the run's own files, byte for byte.
fn take_run(entry: &RunEntry, gathered: &mut BundleSources) -> Result<(), WireError> {
    let folder = &entry.run.folder;
    for (level, path) in &entry.run.levels {
        let source = Source::File(path.clone());
        let content = all(&source)?;
        let name = places::level_log(level);
        gathered.contents.take(&name, content, &mut gathered.findings);
        gathered.files.insert(name, source);
    }
    let (run, journal) = (folder.join(MANIFEST), folder.join(JOURNAL));
    let (has_run, has_journal) = (run.is_file(), journal.is_file());
    if has_run != has_journal {
        return Err(WireError::bad_file(say!(
            "{} has only one of run.json and journal.jsonl; without the other its logs cannot be checked",
            entry.id
        )));
    }
    if !has_run {
        gathered.lacks(WithoutWhat::Journal, 1);
        return Ok(());
    }
    let source = Source::File(run);
    let content = all(&source)?;
    gathered.contents.take(places::RUN, content, &mut gathered.findings);
    gathered.files.insert(places::RUN.to_owned(), source);
    let source = Source::File(journal);
    let mut lines = Lines::default();
    let mut reader = JournalReader::default();
    source.each(|part| {
        lines.add(part, |line| reader.line(line, &mut gathered.findings));
        Ok(())
    })?;
    let facts = reader.finish(lines.is_cut_off(), &mut gathered.findings);
    gathered.contents.journal = Some(facts);
    gathered.files.insert(places::JOURNAL.to_owned(), source);
    Ok(())
}

/// Adds the files of another benchmark's pack, byte for byte.
fn put_items(pack: BenchmarkFiles, gathered: &mut BundleSources) {
    for (path, content) in pack.files {
        gathered.put(&format!("{}{path}", places::ITEMS), content.into_bytes());
    }
    gathered.put(places::PACK_MANIFEST, pack.manifest.into_bytes());
}

fn put_pack(pack: Pack, gathered: &mut BundleSources) -> Result<(), WireError> {
    for (level, tasks) in &pack.tasks {
        let tasks: Vec<Value> = tasks.iter().map(|task| Value::Object(task.raw.clone())).collect();
        let text = dumps(&Value::Array(tasks), PRETTY);
        gathered.put(&places::level_tasks(level), text.into_bytes());
    }
    let tools: Vec<Value> = pack
        .tools
        .iter()
        .map(
            |tool| json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters}),
        )
        .collect();
    gathered.put(places::TOOLS, dumps(&Value::Array(tools), PRETTY).into_bytes());
    if !pack.judge_prompts.is_empty() {
        gathered.put(places::PROMPTS, pack.judge_prompts.into_bytes());
    }
    let manifest = serde_json::to_vec_pretty(&pack.manifest).map_err(WireError::internal)?;
    gathered.put(places::PACK_MANIFEST, manifest);
    Ok(())
}

fn record(
    state: &CacheState,
    catalog: &ToolCatalog,
    tool: &str,
    args: &NormalizedArgs,
) -> Result<Option<Record>, WireError> {
    let Some(cached) = state.find(tool, args)? else {
        return Ok(None);
    };
    let key = catalog.key(tool, args);
    Ok(Some(Record {
        current: key == cached.published_key,
        key: cached.published_key,
        tool: tool.to_owned(),
        created_at: cached.created_at,
        input_params: args.as_value().as_object().cloned().unwrap_or_default(),
        data: cached.data,
    }))
}

fn all(source: &Source) -> Result<Vec<u8>, WireError> {
    let mut content = Vec::new();
    source.each(|part| {
        content.extend_from_slice(part);
        Ok(())
    })?;
    Ok(content)
}

/// Limit for one line of a journal, above the length of any real line. A longer line is cut, so it
/// cannot be parsed.
const MAX_LINE_BYTES: usize = 64 << 20;

/// Splits a text into lines. The text arrives in parts.
#[derive(Default)]
pub(super) struct Lines(Vec<u8>);

impl Lines {
    pub(super) fn add(&mut self, part: &[u8], mut each: impl FnMut(&[u8])) {
        let mut rest = part;
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            if self.0.is_empty() {
                each(&rest[..at]);
            } else {
                self.extend(&rest[..at]);
                each(&self.0);
                self.0.clear();
            }
            rest = &rest[at + 1..];
        }
        self.extend(rest);
    }

    /// Appends part of a line, up to [`MAX_LINE_BYTES`].
    fn extend(&mut self, part: &[u8]) {
        let room = MAX_LINE_BYTES - self.0.len();
        self.0.extend_from_slice(&part[..part.len().min(room)]);
    }

    /// Whether the text has ended without a final newline.
    pub(super) fn is_cut_off(&self) -> bool {
        !self.0.is_empty()
    }
}
