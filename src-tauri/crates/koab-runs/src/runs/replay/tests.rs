use crate::tests::desk::{Desk, on_l1, refused};
use koab_core::event::{RunEventKind, RunOutcome};
use koab_core::run_record::RequestedSettings;
use koab_library::RunRequest;

#[tokio::test]
async fn a_run_that_is_over_is_told_from_its_journal() {
    let desk = Desk::new();
    let request = RunRequest {
        settings: RequestedSettings { repetitions: 2, ..on_l1("baseline/silent").settings },
        ..on_l1("baseline/silent")
    };
    let run = desk.run(request).await;
    let planned = 2 * desk.runs.library.run_tasks(&run).unwrap().len();
    // As another session sees it.
    let other = crate::Runs::at(desk.folder.path());
    let told = other.run_replay(&run).unwrap();
    assert!(told.finished);
    assert_eq!(told.run, run);
    let RunEventKind::RunStarted { model, repetitions, attempts, .. } = &told.events[0].kind else {
        panic!("{:?}", told.events[0]);
    };
    assert_eq!((model.as_str(), *repetitions, *attempts as usize), ("baseline/silent", 2, planned));
    let RunEventKind::RunFinished { outcome, done, .. } = &told.events[told.events.len() - 1].kind else {
        panic!("{:?}", told.events);
    };
    assert_eq!((*outcome, *done as usize), (RunOutcome::Completed, planned));
    let tasks: usize =
        told.events.iter().filter(|event| matches!(event.kind, RunEventKind::AttemptsEnded { .. })).count();
    assert_eq!(told.events.len(), tasks + 2);
    assert!(told.events.iter().all(|event| event.run == run));
    assert!(told.events.is_sorted_by_key(|event| event.at_ms), "time does not go back");
    refused(other.run_replay("none").map(drop), "none");
}

#[tokio::test]
async fn a_run_whose_end_nobody_wrote_was_cancelled() {
    let desk = Desk::new();
    let run = desk.made("baseline/silent").await;
    let folder = desk.runs.library.run_meant(&run).unwrap().run;
    let count = desk.runs.library.run_tasks(&run).unwrap().len() as u32;
    let mut manifest = folder.manifest().unwrap().unwrap();
    manifest.outcome = None;
    let text = serde_json::to_string(&manifest).unwrap();
    std::fs::write(folder.folder.join("run.json"), text).unwrap();
    let other = crate::Runs::at(desk.folder.path());
    let told = other.run_replay(&run).unwrap();
    let RunEventKind::RunFinished { outcome, done, .. } = &told.events[told.events.len() - 1].kind else {
        panic!("{:?}", told.events);
    };
    let wanted = (RunOutcome::Cancelled, count);
    assert_eq!((*outcome, *done), wanted, "what was written counts");
}
