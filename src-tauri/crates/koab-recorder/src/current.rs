//! The recording that the window started. Only one runs at a time; it is displayed while it runs
//! and after its end.

use crate::capture::Capture;
use crate::form::{CallForm, RecordingEvent, ServerForm};
use crate::request::RecordOutcome;
use crate::wire::{CallOutcome, RecordedCall, RecordingPhase, RecordingSummary, RecordingView};
use koab_workspace::WireError;
use koab_workspace::jobs::{JobState, Underway};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of displayed calls.
const MAX_CALLS: usize = 100;
/// Maximum number of displayed characters of a call's arguments.
const MAX_ARGUMENT_CHARS: usize = 300;
/// Maximum number of displayed remarks.
const MAX_REMARKS: usize = 50;

/// The window's last recording, if there was one.
#[derive(Default)]
pub(crate) struct CurrentRecording(Mutex<Option<Arc<Recording>>>);

impl CurrentRecording {
    /// The window's last recording.
    pub(crate) fn last(&self) -> Option<Arc<Recording>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Starts and stores a recording, unless another one is in progress.
    pub(crate) fn enter(&self, begin: impl FnOnce() -> Arc<Recording>) -> Option<Arc<Recording>> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_some_and(|one| !one.job.is_over()) {
            return None;
        }
        let one = begin();
        *last = Some(Arc::clone(&one));
        Some(one)
    }
}

/// A recording of the window.
pub(crate) struct Recording {
    pub(crate) job: Arc<JobState>,
    underway: Underway,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    view: RecordingView,
    /// Data of the recording; present while clients can connect.
    capture: Option<Arc<Mutex<Capture>>>,
}

impl Recording {
    pub(crate) fn new(name: &str, underway: Underway) -> Arc<Self> {
        Arc::new(Self {
            job: underway.state(),
            underway,
            state: Mutex::new(State {
                view: RecordingView { name: name.to_owned(), session: 1, ..RecordingView::default() },
                capture: None,
            }),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an event to the view.
    pub(crate) fn hear(&self, event: RecordingEvent<'_>) {
        {
            let mut state = self.state();
            match event {
                RecordingEvent::Kept(call) => state.view.add(call),
                RecordingEvent::LeftOut(tool) => state.view.left_out(tool),
                RecordingEvent::Remark(remark) if state.view.remarks.len() < MAX_REMARKS => {
                    state.view.remarks.push(remark.clone())
                }
                RecordingEvent::Remark(_) => {}
            }
        }
        self.underway.news();
    }

    /// Records that clients can connect now.
    pub(crate) fn listens(&self, url: String, capture: Arc<Mutex<Capture>>) {
        let (server, tools) = {
            let capture = capture.lock().unwrap_or_else(PoisonError::into_inner);
            (name_and_version(&capture.recorded.server), capture.recorded.server.tools.len())
        };
        {
            let mut state = self.state();
            state.view.phase = RecordingPhase::Listening;
            state.view.url = Some(url);
            state.view.server = server;
            state.view.tools = u32::try_from(tools).unwrap_or(u32::MAX);
            state.capture = Some(capture);
        }
        self.underway.news();
    }

    /// Assigns calls to another session from now on.
    pub(crate) fn begin_session(&self) {
        // The capture is locked before the state, as when it reports a call. The opposite order
        // could deadlock.
        let Some(capture) = self.state().capture.clone() else {
            return;
        };
        let session = {
            let mut capture = capture.lock().unwrap_or_else(PoisonError::into_inner);
            capture.begin_session()
        };
        self.state().view.session = session;
        self.underway.news();
    }

    /// Stores the result and ends the job.
    pub(crate) fn over(&self, result: Result<RecordOutcome, WireError>) {
        let job_result = result.as_ref().map(|_| ()).map_err(Clone::clone);
        {
            let mut state = self.state();
            state.view.phase = RecordingPhase::Over;
            state.capture = None;
            state.view.url = None;
            match result {
                Ok(outcome) => {
                    state.view.left_out = outcome.left_out;
                    state.view.remarks = outcome.remarks;
                    state.view.remarks.truncate(MAX_REMARKS);
                    state.view.kept = Some(RecordingSummary {
                        label: outcome.label,
                        tools: outcome.tools,
                        calls: outcome.calls,
                        sessions: outcome.sessions,
                        failed: outcome.failed,
                    });
                }
                Err(error) => state.view.error = Some(error),
            }
        }
        // The result is stored before the job ends, so that listeners of its end find it.
        let _ = self.underway.finish(job_result);
    }

    /// Current view of the recording.
    pub(crate) fn view(&self) -> RecordingView {
        let view = self.state().view.clone();
        RecordingView { stopping: view.phase != RecordingPhase::Over && self.job.view().cancelling, ..view }
    }
}

impl RecordingView {
    fn add(&mut self, call: &CallForm) {
        let bytes = call.answer().len() as u64;
        self.calls += 1;
        self.bytes += bytes;
        self.list(RecordedCall {
            number: 0,
            session: Some(call.session),
            tool: call.tool.clone(),
            arguments: call.arguments.as_deref().map(cut),
            outcome: if call.is_error() { CallOutcome::Failed } else { CallOutcome::Answered },
            masked: call.masked,
            ms: Some(call.ms),
            bytes: Some(bytes),
        });
    }

    fn left_out(&mut self, tool: &str) {
        self.left_out += 1;
        self.list(RecordedCall {
            number: 0,
            session: None,
            tool: tool.to_owned(),
            arguments: None,
            outcome: CallOutcome::LeftOut,
            masked: false,
            ms: None,
            bytes: None,
        });
    }

    fn list(&mut self, call: RecordedCall) {
        let number = self.calls + self.left_out;
        self.last.insert(0, RecordedCall { number, ..call });
        self.last.truncate(MAX_CALLS);
    }
}

/// Name and version of a server, from the server's description of itself.
fn name_and_version(server: &ServerForm) -> Option<String> {
    let info: Value = serde_json::from_str(&server.info).ok()?;
    let part = |field: &str| info[field].as_str().map(str::trim).filter(|text| !text.is_empty());
    let name = part("title").or_else(|| part("name"))?;
    Some([Some(name), part("version")].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_ARGUMENT_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
