use super::*;
use crate::Models;
use crate::weights::LocalKind;
use crate::weights::pulls::plan::PlanFile;
use koab_core::say;
use koab_engine::ports::Cancel;
use koab_workspace::WireError;
use koab_workspace::jobs::{JobKind, Underway};

fn plan() -> Plan {
    let file =
        |path: &str, size| PlanFile { path: path.to_owned(), size, hash: "a".repeat(64), brought: true };
    Plan {
        id: "p".to_owned(),
        repo: "org/name".to_owned(),
        revision: "main".to_owned(),
        commit: "c".to_owned(),
        file: "m.gguf".to_owned(),
        kind: LocalKind::Gguf,
        files: vec![file("config.json", 10), file("m.gguf", 90)],
    }
}

fn begun(models: &Models) -> (CurrentPull, Underway) {
    let about = vec!["org/name".to_owned()];
    let underway = models.workspace.begin_job(JobKind::ModelPull, about, Some(&Cancel::new()));
    (CurrentPull::new(plan(), underway.state()), underway)
}

#[test]
fn a_download_counts_the_bytes_of_each_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let (pull, _underway) = begun(&models);
    let counted = |pull: &CurrentPull| {
        let state = pull.state();
        (state.standing, state.done, state.total, state.files)
    };
    assert_eq!(counted(&pull), (PullStanding::Running, 0, 100, (0, 2)));
    pull.note(0, 10);
    pull.note(1, 30);
    assert_eq!(counted(&pull), (PullStanding::Running, 40, 100, (1, 2)));
    // A file that is begun again takes bytes away, and a place that is none changes nothing.
    pull.note(1, 5);
    pull.note(7, 99);
    assert_eq!(counted(&pull), (PullStanding::Running, 15, 100, (1, 2)));
    assert_eq!((pull.state().speed, pull.state().eta_s), (None, None), "nothing can be said yet");
}

#[test]
fn how_a_download_stands_is_how_its_job_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let ended = |result: Result<(), WireError>, is_given_up: bool| {
        let (pull, underway) = begun(&models);
        pull.given_up.store(is_given_up, Ordering::Relaxed);
        let _ = underway.finish(result);
        let state = pull.state();
        (state.standing, state.error.map(|error| error.code))
    };
    let cancelled = || Err(WireError::cancelled(say!("stopped")));
    let failed = || Err(WireError::storage(say!("the disk is full")));
    assert_eq!(ended(Ok(()), false), (PullStanding::Done, None));
    assert_eq!(ended(cancelled(), false), (PullStanding::Paused, None));
    assert_eq!(ended(cancelled(), true), (PullStanding::Cancelled, None));
    assert_eq!(ended(failed(), true), (PullStanding::Cancelled, None));
    assert_eq!(ended(failed(), false), (PullStanding::Failed, Some(ErrorCode::Storage)));
    // One that was given up and came to its end all the same is done.
    assert_eq!(ended(Ok(()), true), (PullStanding::Done, None));
}

#[test]
fn downloads_are_found_by_their_ids() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let (pull, _underway) = begun(&models);
    let pulls = Pulls::default();
    assert!(pulls.get("p").is_none());
    let pull = Arc::new(pull);
    pulls.all().insert("p".to_owned(), Arc::clone(&pull));
    assert!(pulls.get("p").is_some_and(|found| Arc::ptr_eq(&found, &pull)));
    assert!(pulls.get("q").is_none());
}
