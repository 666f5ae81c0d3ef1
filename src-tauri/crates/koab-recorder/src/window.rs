//! Commands of the window for one recording at a time. The recording listens on an address of this
//! computer.

use crate::capture::unsteady;
use crate::current::Recording;
use crate::form::{OnRecordingEvent, Recorded, ServerForm};
use crate::recorder::Recorder;
use crate::wire::{RecordedFacts, RecordingRequest, RecordingView};
use koab_core::say;
use koab_engine::ports::Cancel;
use koab_mcp::listener::Listener;
use koab_packs::wire::{DraftFrom, DraftRequest, DraftSummary};
use koab_workspace::jobs::JobKind;
use koab_workspace::{WireError, commands};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// Address that only programs of this computer can reach, with a free port.
const LOOPBACK: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Ends a recording whose task panicked. Without this guard the next recording could never begin.
struct RecordingGuard(Arc<Recording>);

impl Drop for RecordingGuard {
    fn drop(&mut self) {
        if !self.0.job.is_over() {
            let why = say!("the recording was interrupted; begin it again");
            self.0.over(Err(WireError::internal(why)));
        }
    }
}

impl Recorder {
    /// Starts a recording, and returns its view. Later failures of the server are reported by
    /// [`Recorder::recordings`].
    ///
    /// # Errors
    /// When a recording is in progress, or the request is invalid.
    pub async fn recording_start(&self, request: RecordingRequest) -> Result<RecordingView, WireError> {
        // Faults of the form are reported at once.
        let mut ready = self.ready(request.into_request()?)?;
        let listener = Listener::bind(LOOPBACK).await.map_err(WireError::internal)?;
        let cancel = Cancel::new();
        let begin = || {
            let name = &ready.request.name;
            let about = vec![name.clone()];
            let underway = self.workspace.begin_job(JobKind::Recording, about, Some(&cancel));
            Recording::new(name, underway)
        };
        let recording = self.current.enter(begin).ok_or_else(|| {
            WireError::busy(say!("a server is being recorded already; stop that recording first"))
        })?;
        let hearing = Arc::clone(&recording);
        let on_event: OnRecordingEvent = Arc::new(move |event| hearing.hear(event));
        ready.request.heard = Some(on_event);
        let (recorder, live) = (self.clone(), Arc::clone(&recording));
        tokio::spawn(async move {
            let guard = RecordingGuard(live);
            let listens = |at: crate::listen::Listening| guard.0.listens(at.url, at.capture);
            let listening = recorder.listen(&ready, listener, listens, &cancel);
            guard.0.over(listening.await);
        });
        Ok(recording.view())
    }

    /// The recording in progress, or the last recording of this process. The list is empty before
    /// the first recording.
    ///
    /// # Errors
    /// None today; every command returns this result type.
    pub fn recordings(&self) -> Result<Vec<RecordingView>, WireError> {
        Ok(self.current.last().map(|recording| recording.view()).into_iter().collect())
    }

    /// Starts another session of the recording; later calls belong to it.
    ///
    /// # Errors
    /// None today; every command returns this result type.
    pub fn recording_session(&self) -> Result<(), WireError> {
        if let Some(recording) = self.current.last() {
            recording.begin_session();
        }
        Ok(())
    }

    /// Stops the recording in progress and waits for its end. Returns the view of the last
    /// recording. At that point the recording is saved and the server has ended.
    ///
    /// # Errors
    /// None today; every command returns this result type.
    pub async fn recording_stop(&self) -> Result<Option<RecordingView>, WireError> {
        let Some(recording) = self.current.last() else {
            return Ok(None);
        };
        recording.job.stop();
        recording.job.over().await;
        Ok(Some(recording.view()))
    }

    /// Facts about a pack's recording; `None` when the pack was not recorded from a server.
    ///
    /// # Errors
    /// When the pack does not exist or cannot be read.
    pub fn recording_of(&self, pack: &str) -> Result<Option<RecordedFacts>, WireError> {
        let Some(texts) = self.workspace.store()?.recording(pack)? else {
            return Ok(None);
        };
        let server = ServerForm::read(pack, &texts.0)?;
        // Older recordings do not contain these numbers.
        let [calls, sessions] = match server.counts {
            Some(counts) => counts,
            None => Recorded::read(pack, &texts)?.counts(),
        };
        Ok(Some(RecordedFacts {
            of: server.url.unwrap_or_else(|| server.command.join(" ")),
            recorded_at: server.recorded_at,
            calls,
            sessions,
            unsteady: server.unsteady.iter().map(|(tool, what)| unsteady(tool, what)).collect(),
        }))
    }

    /// Creates a draft of a recorded pack with a task for each recorded session. The author writes
    /// the instructions.
    ///
    /// # Errors
    /// When the pack is not a recording, or already has a draft.
    pub fn draft_of_sessions(
        &self,
        pack: &str,
        name: String,
        instructions: &[String],
    ) -> Result<DraftSummary, WireError> {
        // Checked before the draft is created, which would otherwise have no sessions.
        self.recorded(pack)?;
        let from = DraftFrom::Copy { pack: pack.to_owned() };
        let mut draft = self.packs.draft_create(&DraftRequest { name, from })?;
        draft.tasks += self.add_tasks(pack, &draft.name, instructions)?;
        draft.changed = true;
        Ok(draft)
    }
}

commands! { Recorder: recorder, sink;
    slow recording_start(request: RecordingRequest) -> RecordingView [writes Packs, Snapshots] =
        recorder.recording_start(request).await;
    quick recordings() -> Vec<RecordingView> [touches nothing] = recorder.recordings();
    quick recording_session() -> () [touches nothing] = recorder.recording_session();
    slow recording_stop() -> Option<RecordingView> [writes Packs, Snapshots] = recorder.recording_stop().await;
    disk recording_of(pack: String) -> Option<RecordedFacts> [reads Packs] = recorder.recording_of(&pack);
    disk recording_tasks(pack: String) -> DraftSummary [writes Drafts] =
        recorder.draft_of_sessions(&pack, pack.clone(), &[]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::RecordingPhase;
    use koab_workspace::Workspace;

    #[tokio::test]
    async fn a_recording_whose_work_panics_is_over_and_the_next_can_begin() {
        let folder = tempfile::tempdir().expect("a folder");
        let workspace = Workspace::open(Some(folder.path().to_owned())).expect("opened");
        let current = crate::current::CurrentRecording::default();
        let begin = || Recording::new("kept", workspace.begin_job(JobKind::Recording, vec![], None));
        let first = current.enter(begin).expect("free");
        assert!(current.enter(begin).is_none(), "one at a time");
        let guard = RecordingGuard(Arc::clone(&first));
        let work = tokio::spawn(async move {
            let _guard = guard;
            std::future::pending::<()>().await;
        });
        work.abort();
        assert!(work.await.is_err());
        assert_eq!(first.view().phase, RecordingPhase::Over);
        assert!(first.view().error.is_some());
        assert!(current.enter(begin).is_some());
    }
}
