//! An adaptive run from the reports at hand to its estimate, against scripted models and a judge.

use crate::support::Koab;
use crate::support::http::{Local, Request, chat};
use koab_api::{Api, JobKind, Nobody, WireError};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Once, OnceLock};
use std::time::Duration;

const TASKS: u64 = 28;

/// How hard a task is, from 0 to 7: by what the user says first.
fn difficulty(messages: &Value) -> u32 {
    let users = messages.as_array().into_iter().flatten();
    let first = users.filter(|one| one["role"] == "user").map(|one| one["content"].to_string());
    first.take(1).flat_map(String::into_bytes).fold(0, |sum, byte| (sum + u32::from(byte)) % 8)
}

fn server() -> Local {
    Local::start(answer)
}

/// `skill-4` solves the tasks up to difficulty 4. A judge finds good answers right.
fn answer(request: &Request) -> (u16, Value) {
    if !request.line.starts_with("POST") {
        let skills = (0..8).map(|skill| format!("skill-{skill}"));
        let names = skills.chain(["judge".to_owned()]);
        let models: Vec<Value> = names.map(|id| json!({ "id": id })).collect();
        return (200, json!({ "object": "list", "data": models }));
    }
    let model = request.body["model"].as_str().unwrap_or_default();
    if model == "judge" {
        let is_good = request.body["messages"].to_string().contains("좋은 답변");
        return (200, chat(&json!({ "reason": "r", "success": is_good }).to_string()));
    }
    let (_, skill) = model.split_once('-').expect("a name and a skill");
    let is_solved = difficulty(&request.body["messages"]) <= skill.parse().expect("a number");
    (200, chat(if is_solved { "좋은 답변입니다." } else { "모르겠습니다." }))
}

fn words<'a>(url: &'a str, model: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let run = ["run", "--model", model, "--base-url", url, "--judge-base-url", url];
    [&run[..], more, &["--judge-models", "openai_compat/judge"]].concat()
}

/// A workspace with a report of each of these models.
fn with_reports(url: &str, skills: &[u32]) -> Koab {
    let koab = Koab::new();
    for skill in skills {
        koab.ok(&words(url, &format!("openai_compat/skill-{skill}"), &["--evaluate"]));
    }
    koab
}

fn posted(server: &Local) -> usize {
    let requests = server.requests();
    requests.iter().filter(|one| one.line.starts_with("POST")).count()
}

/// Its tasks and whether they were solved; by which run is another each time.
fn outcomes(found: &Value) -> Vec<(String, bool)> {
    let tasks = found["tasks"].as_array().expect("tasks").iter();
    tasks.map(|task| (task["task"].to_string(), task["solved"] == true)).collect()
}

#[test]
fn the_tasks_that_tell_most_say_what_a_run_of_all_gives_and_are_never_handed_in() {
    let server = server();
    let url = format!("{}/v1", server.address);
    let koab = with_reports(&url, &[4, 5, 6]);
    let model = "openai_compat/skill-5".to_owned();
    let adaptive = ["--adaptive", "±10pp"];

    // The model's own report is none of another model.
    let before = posted(&server);
    let few = koab.run(&words(&url, &model, &adaptive));
    assert_eq!(few.code, 2, "{}{}", few.stdout, few.stderr);
    assert!(few.stderr.contains("2 reports of this pack are too few"), "{}", few.stderr);
    assert_eq!(posted(&server), before, "nothing was run");

    for skill in [3, 7] {
        koab.ok(&words(&url, &format!("openai_compat/skill-{skill}"), &["--evaluate"]));
    }
    let before = posted(&server);
    let planned = koab.json(&words(&url, &model, &[&adaptive[..], &["--dry-run"]].concat()));
    assert_eq!(planned["items"], json!(TASKS), "{planned}");
    assert!(planned["expected"].as_u64() < Some(TASKS), "{planned}");
    assert_eq!(planned["models"].as_array().map(Vec::len), Some(4), "{planned}");
    assert_eq!(posted(&server), before, "nothing was run");

    let found = koab.json(&words(&url, &model, &adaptive));
    let reports = koab.json(&["report", "list"]);
    let success = |report: &&Value| report["overall"][0]["tasks"] == TASKS && report["model"] == *model;
    let whole = reports.as_array().expect("reports").iter().find(success);
    let truth = whole.expect("the whole run")["overall"][0]["value"].as_f64().expect("SR");
    let mean = found["mean"].as_f64().expect("a mean");
    assert!((mean - truth).abs() <= 0.1, "{mean} for {truth}");
    assert!(found["half_width"].as_f64() <= Some(0.1) && found["stopped"].is_null(), "{found}");
    let asked = found["asked"].as_u64().expect("a count");
    assert!((20..TASKS).contains(&asked), "{asked}");
    let tasks = found["tasks"].as_array().expect("tasks");
    assert_eq!(tasks.len() as u64, asked);
    assert!(tasks.iter().any(|one| one["solved"] == true) && tasks.iter().any(|one| one["solved"] == false));
    assert!(found["sentence"].to_string().contains("an estimate cannot be submitted"), "{found}");

    // Every run of it says what it is, and comparability and submission repeat it.
    let runs = found["runs"].as_array().expect("runs");
    for run in runs {
        let file = Path::new(run.as_str().expect("a folder")).join("run.json");
        let manifest: Value =
            serde_json::from_str(&fs::read_to_string(file).expect("run.json")).expect("JSON");
        assert_eq!(manifest["spec"]["adaptive"], true, "{manifest}");
    }
    let why = "only the most informative tasks were run (an adaptive run)";
    let prepared = koab.json(&["submit", "prepare", "last"]);
    let objections = prepared["objections"].as_array().expect("objections");
    let objection = objections.iter().find(|one| one.to_string().contains(why));
    assert_eq!(objection.map(|one| &one["severity"]), Some(&json!("error")), "{prepared:#}");
    let shown = koab.ok(&["report", "show", "last"]);
    assert!(shown.stdout.contains(why), "{}", shown.stdout);

    // The same tasks again, since the seed is fixed and reports of few tasks are none of the pack.
    let text = koab.ok(&words(&url, &model, &adaptive)).stdout;
    let again = koab.json(&words(&url, &model, &adaptive));
    assert_eq!(outcomes(&again), outcomes(&found));
    assert!(text.contains("(95 %)") && text.contains(&format!("from {asked} tasks")), "{text}");
    assert!(text.contains("\nnot solved ("), "{text}");
}

#[test]
fn what_ends_it_early_is_said_beside_what_is_known() {
    let server = server();
    let url = format!("{}/v1", server.address);
    let koab = with_reports(&url, &[3, 4, 5, 6]);

    let cut = koab.run(&words(
        &url,
        "openai_compat/skill-2",
        &["--adaptive", "10pp", "--max-total-tokens", "2000"],
    ));
    assert_eq!(cut.code, 3, "{}{}", cut.stdout, cut.stderr);
    assert!(
        cut.stdout.contains("the budget was spent before the interval had the requested width"),
        "{}",
        cut.stdout
    );
}

/// An adaptive run on the command line to whose list this is done when its first task is asked.
fn with_list_lost(lose: fn(&Path)) -> (Koab, crate::support::Ran) {
    let (home, once) = (Arc::new(OnceLock::<PathBuf>::new()), Once::new());
    let lost = Arc::clone(&home);
    let server = Local::start(move |request| {
        if let Some(home) = lost.get().filter(|_| request.body["model"] == "skill-5") {
            once.call_once(|| lose(&home.join("adaptive")));
        }
        answer(request)
    });
    let url = format!("{}/v1", server.address);
    let koab = with_reports(&url, &[3, 4, 6, 7]);
    home.set(koab.path().to_owned()).expect("set once");
    let more = ["--adaptive", "10pp", "--json", "--quiet"];
    let ran = koab.run(&words(&url, "openai_compat/skill-5", &more));
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("one document");
    assert!(found["half_width"].as_f64() <= Some(0.1), "{found}");
    assert!(found["usd"].is_null(), "no price is known: {found}");
    (koab, ran)
}

#[test]
fn an_answer_that_the_list_cannot_keep_is_given_all_the_same() {
    let (_, ran) = with_list_lost(|folder| {
        fs::remove_dir_all(folder).expect("removed");
        fs::write(folder, "").expect("written");
    });
    assert!(
        ran.stderr.contains("the result could not be saved in the list of adaptive runs"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_makes_no_sense_is_said_before_anything_is_run() {
    let server = server();
    let url = format!("{}/v1", server.address);
    let koab = Koab::new();
    for (more, said) in [
        (&["--adaptive", "3"][..], "give points, such as"),
        (&["--adaptive", "3pp", "--levels", "L1"], "cannot be used with"),
        (&["--evaluate", "--metric", "SR"], "--adaptive"),
        (&["--adaptive", "3pp"], "0 reports of this pack are too few to know how hard its tasks are"),
    ] {
        let ran = koab.run(&words(&url, "openai_compat/skill-7", more));
        assert!(ran.code == 2 && ran.stderr.contains(said), "{more:?}: {} {}", ran.code, ran.stderr);
    }
    assert_eq!(posted(&server), 0, "nothing was run");
}

/// Calls a command of the window.
async fn call(api: &Api, command: &str, args: Value) -> Result<Value, WireError> {
    let answer = api.call(command, args, Arc::new(Nobody)).await?;
    Ok(serde_json::from_str(&answer).expect("JSON"))
}

/// What the window's form asks for, with more fields of a run.
fn asked(url: &str, model: &str, judges: &[&str], more: &Value) -> Value {
    let score = json!({ "scorers": ["leaderboard"], "judges": judges, "judge_base_url": url });
    let mut request = json!({ "run": "w", "pack": null, "model": model, "base_url": url, "levels": [],
        "protocol": "leaderboard", "repetitions": 1, "concurrency": null, "score": score });
    for (field, value) in more.as_object().expect("fields") {
        request[field] = value.clone();
    }
    json!({ "request": request, "half_width": 0.1 })
}

/// Waits until the last adaptive run of the window is over.
async fn over(api: &Api) {
    let is_over = || {
        let mut jobs = api.workspace.jobs().into_iter();
        jobs.rfind(|job| job.kind == JobKind::Adaptive).is_some_and(|job| job.finished)
    };
    for _ in 0..34_000 {
        if is_over() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the adaptive run did not end");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_and_the_command_line_see_the_same_adaptive_runs() {
    let server = server();
    let url = format!("{}/v1", server.address);
    let koab = with_reports(&url, &[3, 4, 6, 7]);
    let model = "openai_compat/skill-5";
    let found = koab.json(&words(&url, model, &["--adaptive", "10pp"]));

    let api = Api::open(Some(koab.path().to_owned())).expect("opened");
    let listed = call(&api, "adaptive_list", json!({})).await.expect("a list");
    let [first] = listed.as_array().expect("a list").as_slice() else {
        panic!("{listed}");
    };
    assert_eq!((&first["is_over"], &first["found"]["mean"]), (&json!(true), &found["mean"]));
    let runs = first["found"]["runs"].as_array().expect("runs");
    let known = koab.json(&["runs", "list"]).to_string();
    assert!(runs.iter().all(|run| known.contains(run.as_str().expect("an id"))), "{first}");

    let asked = |judges: &[&str], more: Value| asked(&url, model, judges, &more);
    let judges = &["openai_compat/judge"][..];
    for (ask, said) in [
        (asked(&[], json!({})), "SR is judged: choose a judge"),
        (asked(judges, json!({ "repetitions": 2 })), "tries each once"),
        (asked(judges, json!({ "levels": ["L1"] })), "chooses the tasks itself"),
    ] {
        let refused = call(&api, "adaptive_plan", ask).await.expect_err(said);
        assert!(refused.message.to_string().contains(said), "{}", refused.message);
    }
    let plan = call(&api, "adaptive_plan", asked(judges, json!({}))).await.expect("a plan");
    assert_eq!(plan["items"], json!(TASKS), "{plan}");

    // The same question in the window: the same tasks, the same estimate, noted on its runs.
    let id = call(&api, "adaptive_start", asked(judges, json!({}))).await.expect("begun");
    let begun = call(&api, "adaptive_show", json!({ "id": id })).await.expect("shown");
    assert!(begun["is_here"] == true || begun["is_over"] == true, "{begun}");
    over(&api).await;
    let shown = call(&api, "adaptive_show", json!({ "id": id })).await.expect("shown");
    assert_eq!(outcomes(&shown["found"]), outcomes(&found), "{shown}");
    let run = shown["found"]["tasks"][0]["run"].as_str().expect("a run");
    let noted = koab.json(&["runs", "show", run]).to_string();
    assert!(noted.contains("an estimate cannot be submitted"), "{noted}");
    assert!(
        shown["found"]["stopped"].is_null() && shown["is_over"] == true && shown["is_here"] == false,
        "{shown}"
    );

    // Taken out of the list, the runs stay.
    call(&api, "adaptive_forget", json!({ "id": id })).await.expect("removed");
    let left = call(&api, "adaptive_list", json!({})).await.expect("a list");
    assert_eq!(left.as_array().map(Vec::len), Some(1));
    koab.ok(&["runs", "show", run]);
}

/// The adaptive run of a workspace as its file has it, once so many of its runs are known.
fn kept(home: &Path, runs: usize) -> Option<Value> {
    let file = fs::read_dir(home.join("adaptive")).ok()?.flatten().next()?;
    let kept: Value = serde_json::from_slice(&fs::read(file.path()).ok()?).ok()?;
    let is_so_far = kept["found"]["runs"].as_array().map(Vec::len) == Some(runs);
    is_so_far.then_some(kept)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_adaptive_run_has_the_run_that_broke_off_and_what_that_cost() {
    type Hook = Box<dyn Fn() + Send + Sync>;
    let hook = Arc::new(OnceLock::<Hook>::new());
    let asked_of = Arc::clone(&hook);
    let server = Local::start(move |request| {
        if let Some(hook) = asked_of.get().filter(|_| request.body["model"] == "skill-5") {
            hook();
        }
        answer(request)
    });
    let url = format!("{}/v1", server.address);
    let koab = with_reports(&url, &[3, 4, 6, 7]);
    let prices =
        json!({ "as_of": "2026-01-01", "models": { "openai_compat/*": { "input": 1.0, "output": 1.0 } } });
    fs::write(koab.path().join("prices.json"), prices.to_string()).expect("written");
    let api = Arc::new(Api::open(Some(koab.path().to_owned())).expect("opened"));

    // Cancelled when its first run is known and some attempts of its second have ended.
    let first = Arc::new(OnceLock::new());
    let (known, home, of) = (Arc::clone(&first), koab.path().to_owned(), Arc::clone(&api));
    let calls = AtomicU32::new(0);
    let cancel = move || {
        if let Some(found) = kept(&home, 1)
            && calls.fetch_add(1, Ordering::Relaxed) == 5
        {
            let _ = known.set(found);
            of.workspace.cancel_kind(JobKind::Adaptive);
        }
    };
    assert!(hook.set(Box::new(cancel)).is_ok());
    let one_by_one = json!({ "concurrency": 1 });
    let ask = asked(&url, "openai_compat/skill-5", &["openai_compat/judge"], &one_by_one);
    let id = call(&api, "adaptive_start", ask).await.expect("begun");
    over(&api).await;
    let shown = call(&api, "adaptive_show", json!({ "id": id })).await.expect("shown");
    let (found, first) = (&shown["found"], first.get().expect("a first run"));
    assert!(found["stopped"].to_string().contains("was cancelled"), "{shown}");
    assert_eq!(found["runs"].as_array().map(Vec::len), Some(2), "{shown}");
    assert_eq!(found["runs"][0], first["found"]["runs"][0], "{shown}");
    // What a call took that was broken off is not known, and neither is the sum with it.
    let before = first["found"]["usd"].as_f64().expect("a cost");
    let usd = found["usd"].as_f64();
    assert!(usd.is_none_or(|usd| usd > before), "{shown} {first}");
}
