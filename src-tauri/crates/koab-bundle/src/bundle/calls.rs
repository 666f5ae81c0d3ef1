//! Compares the answers of tool calls with their sources: cached responses, tool texts and injected
//! failures.

use super::check::{CheckName, Findings};
use super::contents::Contents;
use super::journal::place;
use super::manifest::{Manifest, WithoutWhat};
use super::names;
use koab_core::args;
use koab_core::args::NormalizedArgs;
use koab_core::catalog::ToolCatalog;
use koab_core::event::AnswerSource;
use koab_core::run_record::{AttemptRecord, CallRecord};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use koab_core::tool::ToolFault;
use serde_json::Map;
use std::collections::{BTreeSet, HashMap};

/// Maximum number of calls that are listed because the bundle lacks their cached response.
const MAX_LISTED_CALLS: usize = 20;

/// Checks the calls of attempts, one attempt after the other.
pub(super) struct CallReader<'a> {
    contents: &'a Contents,
    catalog: ToolCatalog,
    /// The pack's tasks by id.
    tasks: HashMap<&'a str, &'a Task>,
    /// Cached responses that answered a call: tool and canonical arguments, as in
    /// [`super::contents::Records`].
    used: BTreeSet<(String, String)>,
    held: usize,
    live: usize,
    lost: usize,
    /// Place and tool of the first calls whose cached response is missing.
    told: Vec<(String, String)>,
}

/// Records that the calls of a run without a journal cannot be checked.
pub(super) fn unknown(contents: &Contents, findings: &mut Findings) {
    let calls: usize =
        contents.logs.values().flat_map(|log| &log.log.tasks).map(|task| task.calls.len()).sum();
    let sentence = say!("the run did not record how {calls} tool calls were answered");
    findings.open(CheckName::Calls, "run", sentence);
}

impl<'a> CallReader<'a> {
    pub(super) fn new(contents: &'a Contents, findings: &mut Findings) -> Self {
        let catalog = ToolCatalog::new(contents.pack.tools.iter().cloned());
        check_keys(contents, &catalog, findings);
        Self {
            contents,
            catalog,
            tasks: contents.pack.tasks.values().flatten().map(|task| (task.id.as_str(), task)).collect(),
            used: BTreeSet::new(),
            held: 0,
            live: 0,
            lost: 0,
            told: Vec::new(),
        }
    }

    pub(super) fn record(&mut self, record: &AttemptRecord, findings: &mut Findings) {
        let task = self.tasks.get(record.task.as_str()).copied();
        if let Some(request) = task.and_then(Task::request) {
            let expected = request.messages;
            let (before, reply) = record.messages.split_at(expected.len().min(record.messages.len()));
            if before != expected || reply.len() > 1 {
                let sentence = say!("the conversation is not the request of its item and one reply");
                findings.failed(CheckName::Journal, place(record), sentence);
            }
        }
        for call in &record.calls {
            let place = || format!("{}, step {}", place(record), call.step);
            match look(self.contents, &self.catalog, task, call, &mut self.used) {
                Answer::Held => self.held += 1,
                Answer::Live => self.live += 1,
                Answer::Unrecorded => {
                    self.lost += 1;
                    if self.told.len() < MAX_LISTED_CALLS {
                        self.told.push((place(), call.tool.clone()));
                    }
                }
                Answer::Wrong(sentence) => findings.failed(CheckName::Calls, place(), sentence),
            }
        }
    }

    /// Adds the findings about all calls, and returns the number of calls that have the expected
    /// answer.
    pub(super) fn finish(self, manifest: &Manifest, findings: &mut Findings) -> usize {
        let records = self.contents.records.iter();
        for ((tool, _), (line, _)) in records.filter(|(key, _)| !self.used.contains(*key)) {
            let sentence = say!("line {line} records a call that the run did not make");
            findings.failed(CheckName::Calls, names::records(tool), sentence);
        }
        let as_stated = self.lost as u64 == manifest.lacks(WithoutWhat::Records);
        if !as_stated {
            let more = self.lost - self.told.len();
            for (place, tool) in self.told {
                let sentence = say!(
                    "the call of {tool} was answered from a cached response that the bundle does not hold for these arguments"
                );
                findings.failed(CheckName::Calls, place, sentence);
            }
            findings.failed_unlisted(more);
        }
        let calls = self.held;
        findings.held(
            CheckName::Calls,
            "run",
            say!(
                "{calls} tool calls have the answers that the cached responses, the tool texts and the tasks give"
            ),
        );
        if self.live > 0 {
            let calls = self.live;
            let sentence = say!(
                "{calls} tool calls were answered by live APIs or saved responses, whose state of that time cannot be checked again"
            );
            findings.open(CheckName::Calls, "run", sentence);
        }
        if as_stated && self.lost > 0 {
            let calls = self.lost;
            let sentence = say!(
                "the cached responses behind {calls} tool calls were gone when the bundle was made, as its manifest says"
            );
            findings.open(CheckName::Calls, "records", sentence);
        }
        self.held
    }
}

/// Checks that the key of each cached response belongs to the text of its tool. The key contains a
/// hash of that text, so that neither can be changed without the other.
fn check_keys(contents: &Contents, catalog: &ToolCatalog, findings: &mut Findings) {
    for ((tool, _), (line, record)) in &contents.records {
        let args = NormalizedArgs::from_record(&record.input_params);
        if record.current != (catalog.key(tool, &args) == record.key) {
            let sentence =
                say!("line {line} says that its key is of the current tool text, but the key is not");
            findings.failed(CheckName::Calls, names::records(tool), sentence);
        }
    }
}

/// Result of checking the answer to a call.
enum Answer {
    /// The answer is the expected one.
    Held,
    /// The answer came from a live call or a saved response and cannot be checked.
    Live,
    /// The cached response that answered the call is missing.
    Unrecorded,
    /// The answer is not the expected one, for this reason.
    Wrong(Sentence),
}

fn look(
    contents: &Contents,
    catalog: &ToolCatalog,
    task: Option<&Task>,
    call: &CallRecord,
    used: &mut BTreeSet<(String, String)>,
) -> Answer {
    let tool = &call.tool;
    if call.success != call.error.is_none() || call.success != call.result.is_some() {
        return Answer::Wrong(say!(
            "the call of {tool} contradicts itself: it is a success with an error, or a failure with a result"
        ));
    }
    let says = |fault: &ToolFault| call.error.as_deref() == Some(fault.to_string().as_str());
    let held_if = |held: bool| {
        if held {
            Answer::Held
        } else {
            Answer::Wrong(say!(
                "the call of {tool} failed with another error than its arguments, the tool texts and the cached responses give"
            ))
        }
    };
    if let Some(text) = &call.unreadable_arguments {
        return held_if(args::parse(text).is_err_and(|fault| says(&fault)));
    }
    let empty = Map::new();
    let raw = call.arguments.as_object().unwrap_or(&empty);
    let spec = catalog.get(tool);
    let key = |spec| {
        let args = args::normalize(spec, raw);
        ((tool.clone(), args.canonical()), args)
    };
    match call.source {
        AnswerSource::Injected => match task.and_then(Task::error_injection) {
            Some((injected, kind)) if injected == *tool && says(&ToolFault::injected(kind)) => Answer::Held,
            _ => Answer::Wrong(say!(
                "the call of {tool} failed as if by injection, and the task injects no such failure"
            )),
        },
        AnswerSource::Refused => {
            // A tool of the catalog that was not offered is unknown to the model.
            let unknown = ToolFault::UnknownTool { tool: tool.clone() };
            let fault = spec.and_then(|spec| args::check(spec, raw).err());
            held_if(says(&unknown) || fault.is_some_and(|fault| says(&fault)))
        }
        AnswerSource::Hit => {
            let Some(spec) = spec else {
                return Answer::Unrecorded;
            };
            let (key, _) = key(spec);
            let Some((_, record)) = contents.records.get(&key) else {
                return Answer::Unrecorded;
            };
            used.insert(key);
            if call.result.as_ref() == Some(&record.data) && args::check(spec, raw).is_ok() {
                Answer::Held
            } else {
                Answer::Wrong(say!("the answer to the call of {tool} differs from the cached response"))
            }
        }
        AnswerSource::Miss => {
            let Some(spec) = spec else {
                return held_if(false);
            };
            let (at, normalized) = key(spec);
            if contents.records.contains_key(&at) {
                return Answer::Wrong(say!(
                    "the call of {tool} found no cached response, and the bundle holds one for it"
                ));
            }
            held_if(says(&ToolFault::NotCached { tool: tool.clone(), key: catalog.key(tool, &normalized) }))
        }
        AnswerSource::Live | AnswerSource::Overlay => Answer::Live,
    }
}
