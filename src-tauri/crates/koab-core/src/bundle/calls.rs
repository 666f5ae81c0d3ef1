//! The answers of tool calls against what gave them: recordings, tool texts, injected failures.

use super::check::{CheckName, Findings};
use super::contents::Contents;
use super::journal::place;
use super::manifest::{Manifest, WithoutWhat};
use super::names::records;
use super::said::Said;
use crate::args;
use crate::args::NormalizedArgs;
use crate::cache_key::published_key;
use crate::event::AnswerSource;
use crate::record::CallRecord;
use crate::task::Task;
use crate::tool::{ToolCatalog, ToolFault};
use serde_json::Map;
use std::collections::BTreeSet;

/// How many calls were looked at.
#[derive(Default)]
pub(super) struct Looked {
    pub(super) held: usize,
    live: usize,
    lost: Vec<(String, String)>,
}

pub(super) fn check(manifest: &Manifest, contents: &Contents, findings: &mut Findings) -> Looked {
    let mut looked = Looked::default();
    let Some(journal) = &contents.journal else {
        let calls: usize = contents
            .logs
            .values()
            .flat_map(|log| &log.log.tasks)
            .map(|task| task.calls.len())
            .sum();
        let calls = calls.to_string();
        findings.open(CheckName::Calls, "run", Said::CallsElsewhere { calls });
        return looked;
    };
    let catalog = ToolCatalog::new(contents.pack.tools.iter().cloned());
    check_keys(contents, &catalog, findings);
    let mut used = BTreeSet::new();
    for record in &journal.attempts {
        let task = contents.pack.task(&record.task);
        for call in &record.calls {
            let place = || format!("{}, step {}", place(record), call.step);
            match look(contents, &catalog, task, call, &mut used) {
                Ok(true) => looked.held += 1,
                Ok(false) => looked.live += 1,
                Err(Said::CallNoRecord { tool }) => looked.lost.push((place(), tool)),
                Err(said) => findings.failed(CheckName::Calls, place(), said),
            }
        }
    }
    for ((tool, _), (line, _)) in contents.records.iter().filter(|(key, _)| !used.contains(*key)) {
        let line = line.to_string();
        findings.failed(CheckName::Calls, records(tool), Said::RecordUnused { line });
    }
    if looked.lost.len() as u64 != manifest.lacks(WithoutWhat::Records) {
        for (place, tool) in std::mem::take(&mut looked.lost) {
            findings.failed(CheckName::Calls, place, Said::CallNoRecord { tool });
        }
    }
    let told = |count: usize| count.to_string();
    findings.held(
        CheckName::Calls,
        "run",
        Said::CallsHeld {
            calls: told(looked.held),
        },
    );
    if looked.live > 0 {
        let calls = told(looked.live);
        findings.open(CheckName::Calls, "run", Said::CallsLive { calls });
    }
    if !looked.lost.is_empty() {
        let calls = told(looked.lost.len());
        findings.open(CheckName::Calls, "records", Said::CallsLost { calls });
    }
    looked
}

/// The key of a recording hashes the tool's text, so that neither can be changed alone.
fn check_keys(contents: &Contents, catalog: &ToolCatalog, findings: &mut Findings) {
    for ((tool, _), (line, record)) in &contents.records {
        let args = NormalizedArgs::from_record(&record.input_params);
        let signature = catalog.signature(tool).unwrap_or_default();
        if record.current != (published_key(tool, signature, &args) == record.key) {
            let line = line.to_string();
            findings.failed(CheckName::Calls, records(tool), Said::RecordKey { line });
        }
    }
}

/// Whether a call has the answer that it must have; `Ok(false)` where nobody can tell.
fn look(
    contents: &Contents,
    catalog: &ToolCatalog,
    task: Option<&Task>,
    call: &CallRecord,
    used: &mut BTreeSet<(String, String)>,
) -> Result<bool, Said> {
    let tool = || call.tool.clone();
    if call.success != call.error.is_none() || call.success != call.result.is_some() {
        return Err(Said::CallOutcome { tool: tool() });
    }
    let other = || Err(Said::CallOtherError { tool: tool() });
    let says = |fault: &ToolFault| call.error.as_deref() == Some(fault.to_string().as_str());
    if let Some(text) = &call.unreadable_arguments {
        return match args::parse(text) {
            Err(fault) if says(&fault) => Ok(true),
            _ => other(),
        };
    }
    let empty = Map::new();
    let raw = call.arguments.as_object().unwrap_or(&empty);
    let spec = catalog.get(&call.tool);
    let key = |spec| {
        let args = args::normalize(spec, raw);
        ((tool(), args.canonical()), args)
    };
    match call.source {
        AnswerSource::Injected => match task.and_then(Task::error_injection) {
            Some((injected, kind)) if injected == call.tool && says(&ToolFault::injected(kind)) => Ok(true),
            _ => Err(Said::CallNotInjected { tool: tool() }),
        },
        AnswerSource::Refused => {
            // A tool of the catalog that was not offered is unknown to the model.
            let unknown = ToolFault::UnknownTool { tool: tool() };
            let fault = spec.and_then(|spec| args::check(spec, raw).err());
            if says(&unknown) || fault.is_some_and(|fault| says(&fault)) {
                Ok(true)
            } else {
                other()
            }
        }
        AnswerSource::Hit => {
            let Some(spec) = spec else {
                return Err(Said::CallNoRecord { tool: tool() });
            };
            let (key, _) = key(spec);
            let Some((_, record)) = contents.records.get(&key) else {
                return Err(Said::CallNoRecord { tool: tool() });
            };
            used.insert(key);
            if call.result.as_ref() == Some(&record.data) && args::check(spec, raw).is_ok() {
                Ok(true)
            } else {
                Err(Said::CallDiffers { tool: tool() })
            }
        }
        AnswerSource::Miss => {
            let Some(spec) = spec else { return other() };
            let (at, normalized) = key(spec);
            if contents.records.contains_key(&at) {
                return Err(Said::CallAnsweredAfterAll { tool: tool() });
            }
            let signature = catalog.signature(&call.tool).unwrap_or_default();
            let fault = ToolFault::NotCached {
                tool: tool(),
                key: published_key(&call.tool, signature, &normalized),
            };
            if says(&fault) { Ok(true) } else { other() }
        }
        AnswerSource::Live | AnswerSource::Overlay => Ok(false),
    }
}
