//! Saves a capture as a pack.

use crate::capture::{Capture, MAX_FILE_BYTES, specs};
use crate::checked_request::CheckedRequest;
use crate::form::CallForm;
use crate::recorder::Recorder;
use crate::request::{RecordOutcome, ServerAt};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_store::draft::DraftHead;
use koab_store::drafts::DraftRecord;
use koab_store::recording::Recording;
use koab_workspace::{WireError, starter};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

impl Recorder {
    /// Saves a recording as the next version of its pack.
    pub(crate) fn keep(
        &self,
        ready: &CheckedRequest,
        mut capture: Capture,
        failed: Option<Sentence>,
    ) -> Result<RecordOutcome, WireError> {
        if capture.recorded.server.tools.is_empty() && capture.recorded.calls.is_empty() {
            let why = failed
                .or_else(|| capture.remarks.first().cloned())
                .unwrap_or_else(|| say!("the server has no tools"));
            return Err(WireError::bad_request(say!("nothing was recorded: {why}")));
        }
        capture.check_server().map_err(WireError::bad_request)?;
        capture.by_session();
        let [count_of_calls, sessions] = capture.recorded.counts();
        capture.recorded.server.counts = Some([count_of_calls, sessions]);
        let server = &capture.recorded.server;
        let info: Value = serde_json::from_str(&server.info).unwrap_or_default();
        let text_of = |field: &str| info.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let title = match text_of("title") {
            title if title.is_empty() => text_of("name"),
            title => title,
        };
        let source = match &ready.request.server {
            ServerAt::Command(_) => server.command.join(" "),
            ServerAt::Url { .. } => server.url.clone().unwrap_or_default(),
        };
        let (server_text, calls_text) = capture.recorded.texts();
        if server_text.len() > MAX_FILE_BYTES {
            return Err(WireError::bad_request(say!(
                "nothing was recorded: the server's description of itself is longer than {} MiB",
                MAX_FILE_BYTES >> 20
            )));
        }
        let prompts = starter::TASKS.get_file("judge_prompts.yaml");
        let recording = Recording {
            name: ready.request.name.clone(),
            head: DraftHead {
                title: format!("{title} {}", text_of("version")).trim().to_owned(),
                source,
                licence: String::new(),
            },
            tools: specs(server),
            server: server_text,
            calls: calls_text,
            records: records(&capture.recorded.calls),
            tasks: BTreeMap::new(),
            judge_prompts: prompts.and_then(|file| file.contents_utf8()).unwrap_or_default().to_owned(),
        };
        let saved = self.workspace.store()?.keep_recording(&recording)?;
        let manifest = &saved.pack.manifest;
        let calls = &capture.recorded.calls;
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Ok(RecordOutcome {
            label: format!("{}@{}", manifest.name, manifest.version),
            server: info,
            tools: manifest.counts.tools,
            calls: count_of_calls,
            sessions,
            left_out: capture.left_out,
            masked: count(calls.iter().filter(|call| call.masked).count()),
            passed_through: server.passed_through.clone(),
            unsteady: server.unsteady.clone(),
            remarks: capture.remarks,
            failed,
        })
    }
}

/// Cached responses in the format that all packs share: the first answer to each call, which is the
/// answer in a new session.
fn records(calls: &[CallForm]) -> Vec<DraftRecord> {
    let mut keys = HashSet::new();
    let mut records = Vec::new();
    for call in calls {
        let arguments = call.arguments.as_deref().unwrap_or("{}");
        let (Ok(Value::Object(args)), Some(result)) = (serde_json::from_str(arguments), &call.result) else {
            continue;
        };
        if !keys.insert((
            call.tool.clone(),
            koab_engine::canonical_arguments::canonical_text(&Value::Object(args.clone())),
        )) {
            continue;
        }
        records.push(DraftRecord {
            tool: call.tool.clone(),
            args,
            data: koab_core::python::recorded(result).ok(),
            created_at: call.at.clone(),
        });
    }
    records
}
