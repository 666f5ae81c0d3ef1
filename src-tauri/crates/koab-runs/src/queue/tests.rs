//! The queue as the window uses it, over runs of the starter pack's baselines, which ask nobody.

mod going;
mod judged;

use super::*;
use koab_core::event::{RunEvent, RunEventKind};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::RequestedSettings;
use koab_engine::ports::EventSink;
use koab_workspace::ErrorCode;
use koab_workspace::jobs::Job;
use serde_json::Value;
use std::time::Duration;

struct Nobody;
impl EventSink for Nobody {
    fn send(&self, _: &RunEvent) {}
}

fn api() -> (tempfile::TempDir, Runs) {
    let folder = tempfile::tempdir().unwrap();
    let api = Runs::at(folder.path());
    (folder, api)
}

fn request(run: &str, model: &str) -> RunRequest {
    serde_json::from_value(serde_json::json!({
        "run": run, "pack": null, "model": model, "base_url": null, "levels": ["L1"], "protocol": "leaderboard",
        "repetitions": 1, "concurrency": null,
    }))
    .unwrap()
}

fn scored(run: &str, model: &str) -> RunRequest {
    RunRequest {
        score: Some(ScoreAfter {
            scorers: vec![Protocol::Leaderboard],
            judges: Vec::new(),
            judge_base_url: None,
            judge_local: None,
        }),
        ..request(run, model)
    }
}

/// Lets the runs go until this holds.
async fn until(api: &Runs, what: &str, holds: impl Fn(&RunsNow) -> bool) -> RunsNow {
    let waiting = async {
        loop {
            let now = api.runs_now().unwrap();
            if holds(&now) {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waiting)
        .await
        .unwrap_or_else(|_| panic!("waited in vain until {what}"))
}

fn waiting(now: &RunsNow) -> Vec<&str> {
    now.queue.iter().map(|request| request.run.as_str()).collect()
}

#[tokio::test]
async fn runs_follow_each_other_and_one_that_fails_stops_no_other() {
    let (_folder, api) = api();
    let now = api
        .run_queue(vec![
            scored("one", "baseline/golden"),
            request("two", "nonsense/model"),
            request("three", "baseline/silent"),
        ])
        .unwrap();
    assert_eq!(now.current.unwrap().run, "one");
    assert_eq!(now.queue.len(), 2);
    let now = until(&api, "all are over", |now| now.current.is_none()).await;
    let told: Vec<_> = now
        .ended
        .iter()
        .map(|ended| (ended.run.as_str(), ended.outcome, ended.error.is_some(), ended.reports.len()))
        .collect();
    assert_eq!(
        told,
        [
            ("one", Some(RunOutcome::Completed), false, 1),
            ("two", None, true, 0),
            ("three", Some(RunOutcome::Completed), false, 0),
        ]
    );
    let listed = api.library.runs_list().unwrap();
    assert_eq!(listed.len(), 2, "what could not begin leaves no folder");
    assert!(api.library.report_show(&now.ended[0].reports[0]).unwrap().is_some());
    let id = now.ended[0].id.clone().unwrap();
    assert!(listed.iter().any(|run| run.id == id && run.status.as_ref().unwrap().done > 0));
    assert!(
        api.run_subscribe(&id, Arc::new(Nobody)).unwrap().finished,
        "a run of this process is known under both its ids"
    );
}

#[test]
fn work_that_makes_several_runs_begins_alone() {
    let (_folder, api) = api();
    let (asks, heard) = std::sync::mpsc::channel();
    let (api, cancel) = (&api, &Cancel::new());
    std::thread::scope(|scope| {
        // Another kind asks while this one has no job yet.
        let begun = api.begin_several(JobKind::Sweep, cancel, move || {
            let other = scope.spawn(move || {
                asks.send(()).unwrap();
                api.begin_several(JobKind::Adaptive, cancel, || Ok(((), vec!["b".to_owned()])))
            });
            heard.recv().unwrap();
            Ok((other, vec!["a".to_owned()]))
        });
        let (other, job) = begun.unwrap();
        let refused = other.join().unwrap().err();
        assert_eq!(refused.map(|error| error.code), Some(ErrorCode::Busy));
        drop(job);
        assert!(api.check_idle().is_ok());
    });
}

#[tokio::test]
async fn a_waiting_run_can_be_moved_and_taken_out_and_a_reload_sees_the_same() {
    let (_folder, api) = api();
    let ids = ["a", "b", "c", "d"];
    api.run_queue(ids.map(|id| request(id, "baseline/golden")).into()).unwrap();
    // Nothing has been polled yet, so it is held before its first attempt.
    api.run_pause("a").unwrap();
    let now = api.run_move("d", 0).unwrap();
    assert_eq!(waiting(&now), ["d", "b", "c"]);
    let now = api.run_move("d", 9).unwrap();
    assert_eq!(waiting(&now), ["b", "c", "d"]);
    assert_eq!(waiting(&api.run_unqueue("c").unwrap()), ["b", "d"]);
    assert_eq!(api.run_unqueue("c").unwrap_err().code, ErrorCode::NotFound);
    until(&api, "the first has its folder", |now| {
        now.current.as_ref().is_some_and(|current| current.id.is_some())
    })
    .await;
    let now = api.clone().runs_now().unwrap();
    assert_eq!(waiting(&now), ["b", "d"]);
    assert!(now.current.unwrap().paused);
    let paused = api.run_subscribe("a", Arc::new(Nobody)).unwrap();
    assert!(matches!(paused.events.last().unwrap().kind, RunEventKind::RunPaused { .. }));
    assert_eq!(
        api.run_start(request("e", "baseline/golden"), Arc::new(Nobody)).await.unwrap_err().code,
        ErrorCode::Busy
    );
    api.run_unpause("a").unwrap();
    let now = until(&api, "all are over", |now| now.current.is_none()).await;
    let order: Vec<_> = now.ended.iter().map(|ended| ended.run.as_str()).collect();
    assert_eq!(order, ["a", "b", "d"]);
}

fn job(api: &Runs) -> Job {
    let mut jobs = api.workspace.jobs().into_iter().rev();
    jobs.find(|job| job.kind == JobKind::Run).unwrap()
}

#[tokio::test]
async fn whoever_asks_when_a_run_has_news_misses_nothing() {
    let (_folder, api) = api();
    let mut watch = api.workspace.job_watch();
    api.run_queue(vec![
        scored("one", "baseline/golden"),
        request("two", "nonsense/model"),
        request("three", "baseline/silent"),
    ])
    .unwrap();
    let mut told = std::collections::HashMap::new();
    let asking = async {
        loop {
            let jobs = watch.next().await.unwrap();
            let runs = jobs.iter().filter(|job| job.kind == JobKind::Run);
            let news = runs.filter(|job| {
                let news = (job.news, job.finished);
                told.insert(job.id.clone(), news) != Some(news)
            });
            let now = api.runs_now().unwrap();
            if news.count() > 0 && now.current.is_none() {
                return now;
            }
        }
    };
    let now = tokio::time::timeout(Duration::from_secs(60), asking).await.unwrap();
    assert_eq!((now.ended.len(), waiting(&now).len()), (3, 0));
    let jobs = api.workspace.jobs().into_iter();
    let runs: Vec<_> = jobs
        .filter(|job| job.kind == JobKind::Run)
        .map(|job| {
            let all = job.total == Some(job.done);
            (job.about, job.finished, all, job.error.is_some())
        })
        .collect();
    assert_eq!(
        runs,
        [
            (vec!["one".to_owned()], true, true, false),
            (vec!["two".to_owned()], true, false, true),
            (vec!["three".to_owned()], true, true, false),
        ]
    );
}

#[tokio::test]
async fn each_change_of_the_queue_is_news_of_the_run_that_goes_and_its_job_stops_it() {
    let (_folder, api) = api();
    api.run_queue(vec![request("a", "baseline/golden")]).unwrap();
    let news = |change: &dyn Fn()| {
        let before = job(&api).news;
        change();
        job(&api).news > before
    };
    assert!(news(&|| api.run_pause("a").unwrap()));
    let more = || vec![request("b", "baseline/golden"), request("c", "baseline/golden")];
    assert!(news(&|| drop(api.run_queue(more()).unwrap())));
    assert!(news(&|| drop(api.run_move("c", 0).unwrap())));
    assert!(news(&|| drop(api.run_unqueue("b").unwrap())));
    assert!(news(&|| drop(api.run_unqueue("c").unwrap())));
    assert!(job(&api).cancellable);
    api.workspace.job_cancel(&job(&api).id).unwrap();
    let now = until(&api, "it is over", |now| now.current.is_none()).await;
    assert!(now.ended[0].outcome.is_none_or(|outcome| outcome == RunOutcome::Cancelled));
}

#[tokio::test]
async fn stopping_all_leaves_nothing_waiting() {
    let (_folder, api) = api();
    api.run_queue(vec![request("a", "baseline/golden"), request("b", "baseline/golden")]).unwrap();
    api.run_pause("a").unwrap();
    until(&api, "it is under way", |now| now.current.as_ref().is_some_and(|current| current.id.is_some()))
        .await;
    api.runs_stop().unwrap();
    let now = until(&api, "it is over", |now| now.current.is_none()).await;
    assert_eq!(now.ended.len(), 1);
    assert_eq!(now.ended[0].outcome, Some(RunOutcome::Cancelled));
    let listed = api.library.runs_list().unwrap();
    assert!(listed[0].resume.is_some(), "what was cancelled can be resumed");
}

#[test]
fn of_a_list_with_a_senseless_request_none_is_taken() {
    let (_folder, api) = api();
    let nothing = RunRequest { levels: Vec::new(), ..request("b", "baseline/golden") };
    let no_task = RunRequest { tasks: vec!["L1-999".to_owned()], ..request("b", "baseline/golden") };
    let no_price = RunRequest { max_cost: Some(1.0), ..request("b", "openai_compat/mine") };
    let no_steps = RunRequest {
        settings: RequestedSettings { max_steps: 0, ..request("b", "baseline/golden").settings },
        ..request("b", "baseline/golden")
    };
    for bad in [nothing, no_task, no_price, no_steps, request("a", "baseline/golden")] {
        let asked = vec![request("a", "baseline/golden"), bad];
        api.run_queue(asked).unwrap_err();
        assert!(api.runs_now().unwrap().queue.is_empty());
        assert!(api.runs_now().unwrap().current.is_none());
    }
}

#[tokio::test]
async fn an_earlier_run_is_drawn_from_what_it_wrote() {
    let (folder, api) = api();
    let both = RunRequest {
        levels: vec![Level::L1, Level::L5],
        settings: RequestedSettings { repetitions: 2, ..request("a", "baseline/golden").settings },
        ..request("a", "baseline/golden")
    };
    api.run_queue(vec![both]).unwrap();
    let now = until(&api, "it is over", |now| now.current.is_none()).await;
    let id = now.ended[0].id.clone().unwrap();
    // A process of its own, which has never heard of the run.
    let later = Runs::at(folder.path());
    let (live, replayed) = (api.run_replay(&id).unwrap(), later.run_replay(&id).unwrap());
    assert!(replayed.finished);
    let kinds = |events: &[RunEvent]| -> Vec<String> {
        let told = events.iter().filter_map(|event| match &event.kind {
            // Only while it goes; and how long an attempt took is cut to milliseconds either way.
            RunEventKind::AttemptStarted { .. } | RunEventKind::StepStarted { .. } => None,
            kind => {
                let mut told = serde_json::to_value(kind).unwrap();
                if let RunEventKind::ToolAnswered { .. } = kind {
                    // Records do not hold them.
                    (told["call_id"], told["took_ms"]) = (Value::Null, Value::Null);
                }
                if let RunEventKind::AttemptsEnded { .. } = kind {
                    // Of an earlier start are those of a run that is drawn again, and none of one that was seen.
                    told["so_far"]["kept"] = Value::Null;
                }
                Some(told.to_string())
            }
        });
        let mut told: Vec<String> = told.collect();
        told.sort();
        told
    };
    assert_eq!(kinds(&live.events), kinds(&replayed.events));
    assert!(matches!(replayed.events[0].kind, RunEventKind::RunStarted { attempts, .. } if attempts >= 8));

    // While somebody makes it, it is not told to be over.
    let made = later.library.run_show(&id).unwrap().folder;
    let lock = koab_store::RunLock::take(std::path::Path::new(&made)).unwrap();
    let going = later.run_replay(&id).unwrap();
    assert!(!going.finished);
    let ends = |kind: &RunEventKind| matches!(kind, RunEventKind::RunFinished { .. });
    assert!(!going.events.iter().any(|event| ends(&event.kind)));
    assert_eq!(going.events.len() + 1, replayed.events.len());
    drop(lock);

    later.run_trash(&id).unwrap();
    assert!(later.library.runs_list().unwrap().is_empty());
    later.run_restore(&id).unwrap();
    assert_eq!(later.library.runs_list().unwrap()[0].id, id);
}

#[test]
fn an_estimate_names_what_has_no_recorded_response_and_follows_the_chosen_tasks() {
    let (_folder, api) = api();
    let list = api.packs.tasks_list(None).unwrap();
    let task = list.tasks.iter().find(|task| task.level == Level::L3).unwrap();
    let of_one = RunRequest {
        levels: Vec::new(),
        tasks: vec![task.id.clone()],
        settings: RequestedSettings { repetitions: 4, ..request("a", "openai/gpt-4o").settings },
        ..request("a", "openai/gpt-4o")
    };
    let estimate = api.run_estimate(of_one).unwrap();
    assert_eq!((estimate.attempts, estimate.levels.len()), (4, 1));
    assert!(estimate.estimate.unwrap().calls > 4.0);
    let unpriced = RunRequest { max_cost: Some(5.0), ..request("a", "openai_compat/mine") };
    assert!(api.run_estimate(unpriced).unwrap_err().message.to_string().contains("is not known"));
    assert!(api.run_estimate(request("a", "baseline/golden")).unwrap().estimate.is_none());
}

#[tokio::test]
async fn a_run_says_who_gets_its_spans_and_what_became_of_them() {
    let (_folder, api) = api();
    // Nobody listens there any more.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let settings =
        koab_workspace::Settings { otlp_endpoint: address.clone(), ..koab_workspace::Settings::default() };
    api.workspace.settings_set(settings).unwrap();
    let _ = api.run_queue(vec![request("one", "baseline/golden")]).unwrap();
    let told = |now: &RunsNow| now.current.as_ref().and_then(|current| current.spans_to.clone());
    let begun = until(&api, "it has begun", |now| told(now).is_some()).await;
    assert_eq!(told(&begun), Some(format!("{address}/v1/traces")));
    let now = until(&api, "it is over", |now| now.current.is_none()).await;
    let spans = now.ended[0].spans.clone().unwrap();
    assert_eq!((spans.endpoint, spans.sent), (format!("{address}/v1/traces"), 0));
    assert!(spans.lost > 0 && spans.reason.is_some());
    assert_eq!(now.ended[0].outcome, Some(RunOutcome::Completed), "a dead collector stops no run");
}

#[tokio::test]
async fn a_run_keeps_the_tags_and_the_note_that_somebody_gave_it() {
    let (folder, api) = api();
    let _ = api.run_queue(vec![request("one", "baseline/silent")]).unwrap();
    let now = until(&api, "it is over", |now| now.current.is_none()).await;
    let id = now.ended[0].id.clone().unwrap();
    assert!(api.library.runs_list().unwrap()[0].tags.is_empty());
    api.library.run_note(&id, "part of a gate".to_owned()).unwrap();
    assert_eq!(api.library.run_show(&id).unwrap().note, "part of a gate");
    let tags = [" 기준 ", "final", "기준", ""].map(str::to_owned).to_vec();
    let run = api.library.run_remark(&id, tags, "다시 볼 것".to_owned()).unwrap();
    assert_eq!((run.tags, run.note.as_str()), (vec!["기준".to_owned(), "final".to_owned()], "다시 볼 것"));
    let later = Runs::at(folder.path());
    later.library.run_note(&id, "part of a gate".to_owned()).unwrap();
    assert_eq!(later.library.runs_list().unwrap()[0].tags, ["기준", "final"]);
    assert_eq!(later.library.run_show(&id).unwrap().note, "다시 볼 것");
    later.run_trash(&id).unwrap();
    later.run_restore(&id).unwrap();
    assert_eq!(later.library.runs_list().unwrap()[0].tags.len(), 2, "they outlive the trash");
    assert!(later.library.run_remark("no/such", Vec::new(), String::new()).is_err());
}
