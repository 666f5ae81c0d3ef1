//! Runs that are cancelled, gone on with and scored, with a scripted server as model and judge that counts its questions.

use super::{api, request, until};
use crate::Runs;
use koab_core::event::RunOutcome;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::RunChange;
use koab_core::sentence::Sentence;
use koab_library::{EvaluateRequest, JudgesFrom, Origin, RunRequest, ScoreAfter, TaskStatus};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

const JUDGE: &str = "openai_compat/judge";

/// Answers every question of the model `m` and of judges; each question to a judge is counted by its text.
pub(super) struct Server {
    pub(super) url: String,
    asked: Arc<Mutex<BTreeMap<String, u32>>>,
    /// Whether the model `steps` may answer after its first call.
    free: Arc<(Mutex<bool>, Condvar)>,
}

impl Server {
    /// `judge_ms`: how long a judge takes.
    pub(super) fn start(judge_ms: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<BTreeMap<String, u32>>>::default();
        let free = Arc::<(Mutex<bool>, Condvar)>::default();
        let (ears, gate) = (Arc::clone(&asked), Arc::clone(&free));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (ears, gate) = (Arc::clone(&ears), Arc::clone(&gate));
                std::thread::spawn(move || answer(stream, &ears, &gate, judge_ms));
            }
        });
        Self { url, asked, free }
    }

    /// Lets the model `steps` go on.
    pub(super) fn let_go(&self) {
        *self.free.0.lock().unwrap() = true;
        self.free.1.notify_all();
    }

    /// How often each question was put to a judge.
    fn counts(&self) -> Vec<u32> {
        self.asked.lock().unwrap().values().copied().collect()
    }
}

fn answer(
    mut stream: TcpStream,
    asked: &Mutex<BTreeMap<String, u32>>,
    free: &(Mutex<bool>, Condvar),
    judge_ms: u64,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut first, mut length) = (String::new(), 0);
    let _ = reader.read_line(&mut first);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    let _ = reader.read_exact(&mut body);
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let content = match body["model"].as_str() {
        Some("judge") => {
            *asked.lock().unwrap().entry(body["messages"].to_string()).or_default() += 1;
            std::thread::sleep(Duration::from_millis(judge_ms));
            json!({"reason": "r", "success": true, "score": 5, "confidence": 1}).to_string()
        }
        Some(_) => "the answer".to_owned(),
        None => String::new(),
    };
    let mut message = json!({"role": "assistant", "content": content});
    if body["model"] == "steps" {
        let said = body["messages"].as_array().into_iter().flatten();
        if said.clone().any(|message| message["role"] == "tool") {
            let held = free.1.wait_while(free.0.lock().unwrap(), |free| !*free);
            drop(held);
        } else {
            let name = &body["tools"][0]["function"]["name"];
            message["tool_calls"] =
                json!([{"id": "c", "type": "function", "function": {"name": name, "arguments": "{}"}}]);
        }
    }
    let answer = json!({
        "data": [{"id": "m"}, {"id": "steps"}, {"id": "judge"}],
        "choices": [{"message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    })
    .to_string();
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}",
        answer.len()
    );
}

fn judged(server: &Server, run: &str) -> RunRequest {
    RunRequest {
        base_url: Some(server.url.clone()),
        levels: vec![Level::L1, Level::L7],
        concurrency: Some(1),
        score: Some(ScoreAfter {
            scorers: vec![Protocol::Leaderboard],
            judges: vec![JUDGE.to_owned()],
            judge_base_url: Some(server.url.clone()),
            judge_local: None,
        }),
        ..request(run, "openai_compat/m")
    }
}

/// Makes a run, and cancels it when it has ended this many attempts; its id.
async fn cancelled_after(api: &Runs, request: RunRequest, attempts: usize) -> String {
    let run = request.run.clone();
    api.run_queue(vec![request]).unwrap();
    until(api, "some attempts ended", |now| {
        let id = now.current.as_ref().and_then(|current| current.id.clone());
        id.is_some_and(|id| {
            api.library.run_tasks(&id).is_ok_and(|tasks| {
                tasks.iter().filter(|task| task.status != TaskStatus::Waiting).count() >= attempts
            })
        })
    })
    .await;
    api.run_cancel(&run).unwrap();
    let now = until(api, "it is over", |now| now.current.is_none()).await;
    let ended = now.ended.last().unwrap();
    assert_eq!(ended.outcome, Some(RunOutcome::Cancelled));
    assert!(ended.error.is_none(), "{:?}", ended.error);
    ended.id.clone().unwrap()
}

fn evaluation(api: &Runs, run: &str) -> EvaluateRequest {
    let judges = api.scoring.run_judges(run).unwrap();
    EvaluateRequest {
        run: run.to_owned(),
        scorer: Protocol::Leaderboard,
        judges: judges.judges,
        judge_base_url: judges.judge_base_url,
        judge_local: judges.judge_local,
        max_cost: None,
        max_total_tokens: None,
    }
}

#[tokio::test]
async fn who_cancels_a_run_pays_for_no_judge_and_what_follows_asks_each_question_once() {
    let (_folder, api) = api();
    let server = Server::start(0);
    let id = cancelled_after(&api, judged(&server, "a"), 2).await;
    assert_eq!(server.counts().len(), 0, "nobody was asked after the cancel");
    let shown = api.library.report_show(&id).unwrap().expect("what there is, scored");
    assert!(shown.id.ends_with(".unfinished"), "{}", shown.id);
    assert!(
        shown
            .notes
            .iter()
            .any(|note| note.to_string().starts_with("not judged, since the run was cancelled")),
        "{:?}",
        shown.notes
    );
    let tasks =
        |view: &koab_library::ReportView| view.levels.iter().filter_map(|level| level.tasks).sum::<u32>();
    let few = tasks(&shown);

    let judges = api.scoring.run_judges(&id).unwrap();
    assert_eq!((judges.judges.as_slice(), judges.from), (&[JUDGE.to_owned()][..], JudgesFrom::Run));
    let first = api.scoring.run_evaluate(evaluation(&api, &id)).await.unwrap();
    assert_eq!(first.judges, [JUDGE]);
    let asked = server.counts().len();
    assert!(asked > 0);
    assert_eq!(api.library.reports_list().unwrap().len(), 1, "the whole one took the place of the other");

    let again = judged(&server, "b");
    api.run_queue(vec![RunRequest { origin: Origin::resume(&id), ..again }]).unwrap();
    until(&api, "it is whole and scored", |now| now.current.is_none()).await;
    let whole = api.library.report_show(&id).unwrap().unwrap();
    assert!(tasks(&whole) > few && whole.outdated.is_none() && whole.judges == [JUDGE]);
    assert_eq!(whole.id, first.id, "the score of the run is under one name");
    assert!(server.counts().len() > asked);
    assert!(server.counts().iter().all(|times| *times == 1 || *times == 3), "{:?}", server.counts());
    assert_eq!(api.library.reports_list().unwrap().len(), 1);
}

#[tokio::test]
async fn judges_are_changed_until_the_scoring_begins() {
    let (_folder, api) = api();
    let server = Server::start(0);
    let mut run = judged(&server, "a");
    run.score.iter_mut().for_each(|score| score.judges.clear());
    api.run_queue(vec![run]).unwrap();
    // Nothing has been polled yet, so it is held before its first attempt.
    api.run_pause("a").unwrap();
    let is_listed = |now: &koab_library::RunsNow| now.current.as_ref().is_some_and(|run| run.id.is_some());
    until(&api, "it has its folder", is_listed).await;
    let base_url = Some(server.url.clone());
    let judges = |judge: &str| {
        vec![RunChange::Judges { to: vec![judge.to_owned()], base_url: base_url.clone(), from: Vec::new() }]
    };
    let refused = api.run_change("a", judges("nobody/judge")).await;
    assert!(refused.is_err(), "a judge that cannot be asked");
    api.run_change("a", judges(JUDGE)).await.unwrap();
    api.run_unpause("a").unwrap();
    let now = until(&api, "it is over", |now| now.current.is_none()).await;
    let id = now.ended[0].id.clone().unwrap();
    assert_eq!(api.library.report_show(&id).unwrap().unwrap().judges, [JUDGE]);
    assert!(!server.counts().is_empty());
    let manifest = api.library.run_meant(&id).unwrap().run.manifest().unwrap().unwrap();
    assert_eq!(manifest.changes.len(), 1);
    assert!(
        matches!(&manifest.changes[0].change, RunChange::Judges { to, from, .. } if *to == [JUDGE] && from.is_empty())
    );
}

#[tokio::test]
async fn a_report_of_fewer_attempts_says_so_wherever_it_is_shown_and_gives_way_to_a_new_one() {
    let (folder, api) = api();
    let server = Server::start(0);
    let id = cancelled_after(&api, judged(&server, "a"), 2).await;
    let first = api.scoring.run_evaluate(evaluation(&api, &id)).await.unwrap();
    let unscored = RunRequest { origin: Origin::resume(&id), score: None, ..judged(&server, "b") };
    api.run_queue(vec![unscored]).unwrap();
    until(&api, "it is whole", |now| now.current.is_none()).await;
    // A process of its own, as after a restart.
    let later = Runs::at(folder.path());
    let says = |text: Option<Sentence>| {
        text.is_some_and(|text| text.to_string().starts_with("the run continued after"))
    };
    assert!(says(later.library.report_show(&id).unwrap().unwrap().outdated));
    assert!(says(later.library.reports_library().unwrap()[0].outdated.clone()));
    assert!(says(later.library.report_detail(&first.id).unwrap().view.notes.into_iter().next()));
    let nobody = EvaluateRequest { judges: Vec::new(), ..evaluation(&later, &id) };
    let whole = later.scoring.run_evaluate(nobody).await.unwrap();
    assert_eq!(whole.id, first.id, "a judged report of a part is no better than one of the whole");
    assert!(later.library.report_show(&id).unwrap().unwrap().outdated.is_none());
    assert!(later.library.reports_library().unwrap()[0].outdated.is_none());
}

#[tokio::test]
async fn a_scoring_that_is_cancelled_keeps_its_answers_and_its_judges() {
    let (_folder, api) = api();
    let server = Server::start(20);
    let request = judged(&server, "a");
    api.run_queue(vec![request]).unwrap();
    until(&api, "some answers are in", |_| server.counts().len() > 12).await;
    api.run_cancel("a").unwrap();
    let now = until(&api, "it is over", |now| now.current.is_none()).await;
    let id = now.ended[0].id.clone().unwrap();
    assert_eq!(now.ended[0].error.as_ref().unwrap().code, koab_workspace::ErrorCode::Cancelled);
    let plan = api.scoring.evaluate_estimate(evaluation(&api, &id)).await.unwrap();
    let (known, calls) = (plan.judges[0].known, plan.judges[0].calls);
    assert!(known > 0 && calls > 0.0, "{known} {calls}");
    let whole = api.scoring.run_evaluate(evaluation(&api, &id)).await.unwrap();
    assert_eq!(whole.judges, [JUDGE]);
    let all: u32 = server.counts().iter().sum();
    // At most what was out when it was cancelled is asked twice.
    assert!(f64::from(all) <= f64::from(known) + calls + 8.0, "{all} {known} {calls}");
}
