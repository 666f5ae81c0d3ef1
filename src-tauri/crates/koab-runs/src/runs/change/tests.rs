//! Changes of runs over the starter pack's baseline: in this process, by another process, and after the end.

use crate::Runs;
use koab_core::event::{RunEvent, RunOutcome};
use koab_core::run_record::{ChangeRecord, RunChange, RunManifest};
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, EventSink};
use koab_library::{Origin, RunRequest};
use koab_store::change_requests::{self, ChangeAnswer};
use koab_workspace::WireError;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

struct Nobody;
impl EventSink for Nobody {
    fn send(&self, _: &RunEvent) {}
}

/// A run of the queue that is held before its first attempt.
struct HeldRun {
    runs: Runs,
    id: String,
    folder: PathBuf,
    tasks: Vec<String>,
    _home: TempDir,
}

impl HeldRun {
    async fn begin() -> Self {
        let home = tempfile::tempdir().unwrap();
        let runs = Runs::at(home.path());
        let levels = vec![koab_core::level::Level::L1];
        let request = RunRequest { levels, ..RunRequest::published("a", "baseline/golden") };
        runs.run_queue(vec![request]).unwrap();
        // Nothing has been polled yet, so it is held before its first attempt.
        runs.run_pause("a").unwrap();
        let listed = || runs.runs_now().unwrap().current.and_then(|current| current.id);
        let id = until(listed).await;
        let entry = runs.library.run_meant(&id).unwrap();
        let tasks = entry.run.manifest().unwrap().unwrap().tasks().cloned().collect();
        Self { folder: entry.run.folder, tasks, id, runs, _home: home }
    }

    async fn change(&self, change: RunChange) -> Result<Vec<ChangeRecord>, WireError> {
        self.runs.run_change("a", vec![change]).await
    }

    fn manifest(&self) -> RunManifest {
        self.runs.library.run_meant(&self.id).unwrap().run.manifest().unwrap().unwrap()
    }

    async fn end(&self) {
        until(|| self.runs.runs_now().unwrap().current.is_none().then_some(())).await;
    }
}

/// Waits until this is there.
async fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let waiting = async {
        loop {
            if let Some(value) = look() {
                return value;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waiting).await.expect("it comes")
}

fn why(result: Result<Vec<ChangeRecord>, WireError>) -> String {
    result.expect_err("it is refused").message.to_string()
}

#[tokio::test]
async fn a_resumed_run_begins_with_the_values_that_it_was_changed_to() {
    let held = HeldRun::begin().await;
    let left_out = RunChange::LeaveOut { tasks: vec![held.tasks[1].clone()] };
    let made = held.change(left_out.clone()).await.unwrap();
    assert_eq!(made[0].change, left_out);
    held.change(RunChange::MaxSteps { to: 7, from: None }).await.unwrap();
    held.runs.run_cancel("a").unwrap();
    held.end().await;
    let manifest = held.manifest();
    assert_eq!((manifest.outcome, manifest.spec.settings.max_steps), (Some(RunOutcome::Cancelled), 7));
    assert_eq!(manifest.attempts.counts.planned as usize, held.tasks.len() - 1);

    let refused = why(held.change(RunChange::MaxSteps { to: 8, from: None }).await);
    assert!(refused.starts_with("no process is making the run") && refused.contains("--resume"), "{refused}");

    let request = RunRequest { origin: Origin::resume(&held.id), ..RunRequest::published("b", "") };
    let end = held.runs.run(request, Arc::new(Nobody), Cancel::new()).await.unwrap();
    assert_eq!((end.outcome, end.planned), (RunOutcome::Completed, held.tasks.len() as u32 - 1));
    let manifest = held.manifest();
    assert_eq!((manifest.spec.settings.max_steps, manifest.changes.len()), (7, 2));
    let journal = held.runs.library.journal(&held.folder).unwrap();
    assert_eq!(journal.changes(), manifest.changes);
    assert!(journal.of_task(&held.tasks[1]).is_empty(), "it was left out");
}

#[tokio::test]
async fn another_process_asks_through_the_run_s_folder_and_is_answered() {
    let held = HeldRun::begin().await;
    let ask = |id: &str, change: RunChange| change_requests::ask(&held.folder, id, &[change]).unwrap();
    let answer = async |id: &str| until(|| change_requests::answered(&held.folder, id).unwrap()).await;
    // The first look refuses what may have been asked of an earlier start.
    let records = loop {
        ask("one", RunChange::Concurrency { to: 3, from: None });
        match answer("one").await {
            ChangeAnswer::Made(records) => break records,
            ChangeAnswer::Refused(why) => assert!(why.to_string().contains("only just beginning"), "{why}"),
        }
        change_requests::forget(&held.folder, "one").unwrap();
    };
    assert!(matches!(records[0].change, RunChange::Concurrency { to: 3, from: Some(_) }));
    ask("two", RunChange::LeaveOut { tasks: vec!["L9-001".to_owned()] });
    let refusal: Sentence = koab_core::say!("the run has no task {task}", task = "L9-001");
    assert_eq!(answer("two").await, ChangeAnswer::Refused(refusal));
    held.runs.run_unpause("a").unwrap();
    held.end().await;
    assert_eq!(held.manifest().spec.concurrency, 3);
}

#[tokio::test]
async fn what_cannot_be_changed_is_refused_in_one_sentence() {
    let held = HeldRun::begin().await;
    let moved = |to: &str| RunChange::BaseUrl { to: to.to_owned(), from: None };
    let judges = RunChange::Judges { to: Vec::new(), base_url: None, from: Vec::new() };
    for (change, part) in [
        (moved("http://h/v1"), "runs in this program and has no server"),
        (moved("http://me:pw@h/v1"), "without a user name, a password and a query"),
        (RunChange::MaxTotalTokens { to: Some(9), from: None }, "neither an address nor a budget"),
        (judges, "has no judges to change"),
        (RunChange::Retry { attempts: Vec::new() }, "no attempt has failed"),
    ] {
        let refused = why(held.change(change).await);
        assert!(refused.contains(part), "{refused}");
    }
    held.runs.run_unpause("a").unwrap();
    held.end().await;
    assert!(held.manifest().changes.is_empty());
    let request = RunRequest { save_logs: false, ..RunRequest::published("b", "baseline/golden") };
    let cancel = Cancel::new();
    let (runs, end) = (held.runs.clone(), cancel.clone());
    let unsaved = tokio::spawn(async move { runs.run(request, Arc::new(Nobody), end).await });
    until(|| held.runs.run_pause("b").ok()).await;
    until(|| held.runs.library.live_run("b").filter(|live| live.changes.get().is_some())).await;
    let refused = why(held.runs.run_change("b", vec![RunChange::Concurrency { to: 2, from: None }]).await);
    assert!(refused.contains("saves no logs"), "{refused}");
    cancel.cancel();
    unsaved.await.unwrap().unwrap();
}
