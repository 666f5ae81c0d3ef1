//! What the window asks of the recorder: one recording at a time, on an address of this computer.

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

/// A free port, for programs of this computer alone.
const HERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Ends a recording that did not come to its own end, as where its work panics: the next could
/// never begin.
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
    /// Begins a recording, and how it stands. That the server does not start or ends is told by
    /// [`Recorder::recordings`].
    ///
    /// # Errors
    /// When one goes on already, or the request makes no sense.
    pub async fn recording_start(&self, request: RecordingRequest) -> Result<RecordingView, WireError> {
        // What is wrong with the form is said at the form.
        let mut ready = self.ready(request.into_request()?)?;
        let listener = Listener::bind(HERE).await.map_err(WireError::internal)?;
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
        let heard: OnRecordingEvent = Arc::new(move |heard| hearing.hear(heard));
        ready.request.heard = Some(heard);
        let (recorder, live) = (self.clone(), Arc::clone(&recording));
        tokio::spawn(async move {
            let guard = RecordingGuard(live);
            let listens = |at: crate::listen::Listening| guard.0.listens(at.url, at.capture);
            let listening = recorder.listen(&ready, listener, listens, &cancel);
            guard.0.over(listening.await);
        });
        Ok(recording.view())
    }

    /// The recording that goes on, or the last one of this process; none where there was none.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn recordings(&self) -> Result<Vec<RecordingView>, WireError> {
        Ok(self.current.last().map(|recording| recording.view()).into_iter().collect())
    }

    /// Has the calls that come from now on belong to another session.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn recording_session(&self) -> Result<(), WireError> {
        if let Some(recording) = self.current.last() {
            recording.begin_session();
        }
        Ok(())
    }

    /// Ends the recording that goes on, and how the last one ended: what it has is kept, and the
    /// server is gone.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub async fn recording_stop(&self) -> Result<Option<RecordingView>, WireError> {
        let Some(recording) = self.current.last() else {
            return Ok(None);
        };
        recording.job.stop();
        recording.job.over().await;
        Ok(Some(recording.view()))
    }

    /// What is recorded in a pack; nothing where it was not recorded from a server.
    ///
    /// # Errors
    /// When the pack is not there or cannot be read.
    pub fn recording_of(&self, pack: &str) -> Result<Option<RecordedFacts>, WireError> {
        let Some(texts) = self.workspace.store()?.recording(pack)? else {
            return Ok(None);
        };
        let server = ServerForm::read(pack, &texts.0)?;
        // Recordings of before do not say how much they hold.
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

    /// Begins a draft of a recorded pack with a task for each recorded session, whose instructions
    /// are to be written.
    ///
    /// # Errors
    /// When the pack is no recording, or has a draft already.
    pub fn draft_of_sessions(
        &self,
        pack: &str,
        name: String,
        instructions: &[String],
    ) -> Result<DraftSummary, WireError> {
        // Before a draft is begun that would have none.
        self.recorded(pack)?;
        let from = DraftFrom::Copy { pack: pack.to_owned() };
        let mut draft = self.packs.draft_create(&DraftRequest { name, from })?;
        draft.tasks += self.add_tasks(pack, &draft.name, instructions)?;
        draft.changed = true;
        Ok(draft)
    }
}

commands! { Recorder: recorder, sink;
    slow recording_start(request: RecordingRequest) -> RecordingView = recorder.recording_start(request).await;
    quick recordings() -> Vec<RecordingView> = recorder.recordings();
    quick recording_session() -> () = recorder.recording_session();
    slow recording_stop() -> Option<RecordingView> = recorder.recording_stop().await;
    disk recording_of(pack: String) -> Option<RecordedFacts> = recorder.recording_of(&pack);
    disk recording_tasks(pack: String) -> DraftSummary = recorder.draft_of_sessions(&pack, pack.clone(), &[]);
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
