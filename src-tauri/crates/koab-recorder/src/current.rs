//! The recording of the window: one at a time, told while it goes on, and kept to be looked at once
//! it is over.

use crate::capture::Capture;
use crate::form::{CallForm, RecordingEvent, ServerForm};
use crate::request::RecordOutcome;
use crate::wire::{CallOutcome, RecordedCall, RecordingPhase, RecordingSummary, RecordingView};
use koab_workspace::WireError;
use koab_workspace::jobs::{JobState, Underway};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Calls that are listed.
const LISTED: usize = 100;
/// Letters of arguments in the list.
const LETTERS: usize = 300;
/// Remarks that are listed.
const REMARKS: usize = 50;

/// The last recording that was begun.
#[derive(Default)]
pub(crate) struct CurrentRecording(Mutex<Option<Arc<Recording>>>);

impl CurrentRecording {
    /// The last one.
    pub(crate) fn last(&self) -> Option<Arc<Recording>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes one in, unless another goes on.
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

/// One recording.
pub(crate) struct Recording {
    pub(crate) job: Arc<JobState>,
    underway: Underway,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    view: RecordingView,
    /// While clients can come.
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

    /// Takes in what happens.
    pub(crate) fn hear(&self, heard: RecordingEvent<'_>) {
        {
            let mut state = self.state();
            match heard {
                RecordingEvent::Kept(call) => state.view.add(call),
                RecordingEvent::LeftOut(tool) => state.view.left_out(tool),
                RecordingEvent::Remark(remark) if state.view.remarks.len() < REMARKS => {
                    state.view.remarks.push(remark.clone())
                }
                RecordingEvent::Remark(_) => {}
            }
        }
        self.underway.news();
    }

    /// Clients can come.
    pub(crate) fn listens(&self, url: String, capture: Arc<Mutex<Capture>>) {
        let (server, tools) = {
            let capture = capture.lock().unwrap_or_else(PoisonError::into_inner);
            (named(&capture.recorded.server), capture.recorded.server.tools.len())
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

    /// Calls belong to another session from now on.
    pub(crate) fn begin_session(&self) {
        // The capture first, as where it tells of a call: whoever has it waits for what is shown,
        // never the other way round.
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

    /// It is over, and how.
    pub(crate) fn over(&self, ended: Result<RecordOutcome, WireError>) {
        let told = ended.as_ref().map(|_| ()).map_err(Clone::clone);
        {
            let mut state = self.state();
            state.view.phase = RecordingPhase::Over;
            state.capture = None;
            state.view.url = None;
            match ended {
                Ok(outcome) => {
                    state.view.left_out = outcome.left_out;
                    state.view.remarks = outcome.remarks;
                    state.view.remarks.truncate(REMARKS);
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
        // Whoever hears of the job's end then finds how it ended.
        let _ = self.underway.finish(told);
    }

    /// As it is now.
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
            outcome: match call.is_error() {
                true => CallOutcome::Failed,
                false => CallOutcome::Answered,
            },
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
        self.last.truncate(LISTED);
    }
}

/// What a server calls itself, with its version.
fn named(server: &ServerForm) -> Option<String> {
    let info: Value = serde_json::from_str(&server.info).ok()?;
    let part = |field: &str| info[field].as_str().map(str::trim).filter(|text| !text.is_empty());
    let name = part("title").or_else(|| part("name"))?;
    Some([Some(name), part("version")].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
