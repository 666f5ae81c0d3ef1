use super::*;
use crate::secrets::Secrets;
use koab_core::say;
use koab_engine::ports::Cancel;
use koab_workspace::Workspace;
use koab_workspace::jobs::JobKind;

fn recording(folder: &std::path::Path) -> Arc<Recording> {
    let workspace = Workspace::open(Some(folder.to_owned())).expect("opened");
    Recording::new("kept", workspace.begin_job(JobKind::Recording, Vec::new(), Some(&Cancel::new())))
}

fn call(session: u32, result: &str) -> CallForm {
    CallForm {
        session,
        tool: "t".to_owned(),
        arguments: Some("{}".to_owned()),
        result: Some(result.to_owned()),
        ms: 4,
        ..CallForm::default()
    }
}

fn outcome(remarks: usize) -> RecordOutcome {
    RecordOutcome {
        label: "kept@2".to_owned(),
        server: Value::Null,
        tools: 3,
        calls: 2,
        sessions: 1,
        left_out: 5,
        masked: 0,
        passed_through: Default::default(),
        unsteady: Default::default(),
        remarks: (0..remarks).map(|at| say!("remark {at}")).collect(),
        failed: None,
    }
}

#[test]
fn calls_are_counted_and_listed_the_newest_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recording(folder.path());
    assert_eq!((recording.view().phase, recording.view().session), (RecordingPhase::Starting, 1));
    recording.hear(RecordingEvent::Kept(&call(1, r#"{"a":1}"#)));
    recording.hear(RecordingEvent::Kept(&call(2, r#"{"isError":true}"#)));
    recording.hear(RecordingEvent::LeftOut("secret"));
    let view = recording.view();
    assert_eq!((view.calls, view.left_out, view.bytes), (2, 1, 7 + 16));
    let told: Vec<_> =
        view.last.iter().map(|one| (one.number, one.tool.as_str(), one.outcome, one.session)).collect();
    assert_eq!(
        told,
        [
            (3, "secret", CallOutcome::LeftOut, None),
            (2, "t", CallOutcome::Failed, Some(2)),
            (1, "t", CallOutcome::Answered, Some(1)),
        ]
    );
    assert_eq!(
        (view.last[0].arguments.as_deref(), view.last[2].ms, view.last[2].bytes),
        (None, Some(4), Some(7))
    );
    for _ in 0..MAX_CALLS {
        recording.hear(RecordingEvent::Kept(&call(1, "{}")));
    }
    let view = recording.view();
    assert_eq!((view.last.len(), view.last[0].number, view.calls), (MAX_CALLS, 103, 102));
}

#[test]
fn long_arguments_and_many_remarks_are_cut() {
    assert_eq!(cut(&"가".repeat(MAX_ARGUMENT_CHARS)), "가".repeat(MAX_ARGUMENT_CHARS));
    assert_eq!(cut(&"가".repeat(MAX_ARGUMENT_CHARS + 1)), format!("{}…", "가".repeat(MAX_ARGUMENT_CHARS)));
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recording(folder.path());
    for at in 0..MAX_REMARKS + 9 {
        recording.hear(RecordingEvent::Remark(&say!("remark {at}")));
    }
    assert_eq!(recording.view().remarks.len(), MAX_REMARKS);
}

#[test]
fn a_server_is_called_by_its_title_else_its_name_with_its_version() {
    for (info, found) in [
        (r#"{"name":"n","title":"T","version":"1"}"#, Some("T 1")),
        (r#"{"name":"n","version":"1"}"#, Some("n 1")),
        (r#"{"name":"n","title":"  "}"#, Some("n")),
        (r#"{"version":"1"}"#, None),
        ("no JSON", None),
    ] {
        let server = ServerForm { info: info.to_owned(), ..ServerForm::default() };
        assert_eq!(name_and_version(&server).as_deref(), found, "{info}");
    }
}

#[test]
fn clients_can_come_until_it_is_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recording(folder.path());
    // Before a client can come there is no session to begin.
    recording.begin_session();
    assert_eq!(recording.view().session, 1);
    let form = ServerForm {
        info: r#"{"name":"n"}"#.to_owned(),
        tools: vec!["{}".to_owned(), "{}".to_owned()],
        ..ServerForm::default()
    };
    let capture = Arc::new(Mutex::new(Capture::new(form, Secrets::new([]), false)));
    recording.listens("http://127.0.0.1:1/mcp".to_owned(), Arc::clone(&capture));
    let view = recording.view();
    assert_eq!((view.phase, view.tools, view.server.as_deref()), (RecordingPhase::Listening, 2, Some("n")));
    assert_eq!(view.url.as_deref(), Some("http://127.0.0.1:1/mcp"));
    recording.begin_session();
    assert_eq!(recording.view().session, 1, "nothing was asked in the first");
    capture.lock().expect("free").ask();
    recording.begin_session();
    assert_eq!(recording.view().session, 2);
    recording.over(Ok(outcome(MAX_REMARKS + 3)));
    let view = recording.view();
    assert_eq!(
        (view.phase, view.url, view.left_out, view.remarks.len()),
        (RecordingPhase::Over, None, 5, MAX_REMARKS)
    );
    let kept = view.kept.expect("kept");
    assert_eq!((kept.label.as_str(), kept.tools, kept.calls, kept.sessions), ("kept@2", 3, 2, 1));
    assert!(view.error.is_none() && !view.stopping && recording.job.is_over());
    recording.begin_session();
    assert_eq!(recording.view().session, 2);
}

#[test]
fn one_that_failed_says_why_and_another_can_begin() {
    let folder = tempfile::tempdir().expect("a folder");
    let current = CurrentRecording::default();
    assert!(current.last().is_none());
    let first = current.enter(|| recording(folder.path())).expect("free");
    assert!(current.enter(|| recording(folder.path())).is_none(), "one at a time");
    first.over(Err(WireError::bad_request(say!("nothing was recorded"))));
    let error = first.view().error.expect("why");
    assert_eq!(
        (error.message.to_string().as_str(), first.view().kept.is_none()),
        ("nothing was recorded", true)
    );
    let second = current.enter(|| recording(folder.path())).expect("free again");
    assert!(current.last().is_some_and(|last| Arc::ptr_eq(&last, &second)));
}
