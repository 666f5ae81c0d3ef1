//! Models inside the program as the window uses them: by the commands of the table, with what its forms send.
#![cfg(feature = "local")]

use crate::support::read_json;
use koab_api::{Api, ErrorCode, Job, JobKind, Nobody};
use koab_tiny::{Architecture, Shape};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A process has one model at a time; where tests share a process, they take turns.
static ONE_MODEL: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// A workspace with a window on it.
struct Window {
    home: tempfile::TempDir,
    api: Api,
}

impl Window {
    fn open() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let api = Api::open(Some(home.path().to_owned())).expect("opened");
        Self { home, api }
    }

    async fn call(&self, command: &str, args: Value) -> Result<Value, koab_api::WireError> {
        let answer = self.api.call(command, args, Arc::new(Nobody)).await?;
        Ok(serde_json::from_str(&answer).expect("JSON"))
    }

    async fn ok(&self, command: &str, args: Value) -> Value {
        self.call(command, args).await.expect(command)
    }

    /// Lets the engine work until a command's answer is such.
    async fn until(&self, command: &str, args: Value, holds: impl Fn(&Value) -> bool) -> Value {
        let waiting = async {
            loop {
                let answer = self.ok(command, args.clone()).await;
                if holds(&answer) {
                    return answer;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(170), waiting)
            .await
            .unwrap_or_else(|_| panic!("{command} was asked in vain"))
    }

    /// Makes a run as the window asks for it; answers what it says of it when it is over.
    async fn run(&self, request: Value) -> Value {
        self.ok("run_queue", json!({ "requests": [request] })).await;
        let over = |now: &Value| now["current"].is_null() && now["queue"] == json!([]);
        let now = self.until("runs_now", json!({}), over).await;
        now["ended"].as_array().expect("a list").last().expect("it ended").clone()
    }

    fn made_of(&self, ended: &Value) -> Value {
        let id = ended["id"].as_str().unwrap_or_else(|| panic!("it began: {ended}"));
        let logs = files(self.home.path()).into_iter();
        let mut made = logs.filter(|file| file.ends_with(Path::new(id).join("run.json")));
        read_json(&made.next().expect("run.json"))
    }
}

/// A random model that writes calls wherever it may.
fn caller(folder: &Path) -> PathBuf {
    let liked = [("<tool_call>", 60.0), ("\"", 4.0), ("}", 3.0), ("1", 2.0)];
    preferring(&folder.join("Caller"), &liked)
}

fn preferring(folder: &Path, liked: &[(&str, f32)]) -> PathBuf {
    koab_tiny::write(folder, Architecture::Qwen3, 7).expect("written");
    koab_tiny::prefer(folder, liked).expect("patched");
    folder.to_owned()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}

fn settings(changes: Value) -> Value {
    let mut settings = json!({
        "quantization": null, "dtype": "auto", "device": "auto", "context": null, "tool_form": null, "constrained": false,
    });
    for (key, value) in changes.as_object().expect("an object") {
        settings[key] = value.clone();
    }
    settings
}

/// One task of the starter pack, as short as it can be.
fn request(run: &str, model: &Path, changes: Value) -> Value {
    let mut request = json!({
        "run": run, "pack": null, "model": format!("local/{}", model.display()), "base_url": null, "levels": [],
        "tasks": ["L1-001"], "protocol": "corrected", "repetitions": 1, "concurrency": 2, "max_tokens": 8, "max_steps": 1,
        "timeout_s": 600, "seed": 1,
    });
    for (key, value) in changes.as_object().expect("an object") {
        request[key] = value.clone();
    }
    request
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_tried_in_the_background_and_what_was_found_stays() {
    let _turn = ONE_MODEL.lock().await;
    let window = Window::open();
    let folder = tempfile::tempdir().expect("a folder");
    let name = caller(folder.path()).display().to_string();
    let engine = window.ok("local_engine", json!({})).await;
    assert_eq!((&engine["devices"][0], &engine["devices"][1]), (&json!("auto"), &json!("cpu")));
    assert_eq!(engine["tool_forms"][0], "hermes");
    assert_eq!(window.ok("local_trial", json!({ "name": name })).await, Value::Null);

    // No multiple of what the memory of attention comes in.
    let with = settings(json!({"quantization": "8bit", "context": 4000}));
    let request = json!({"name": name, "settings": with, "parallel": 2});
    let before = window.ok("local_need", json!({ "request": request })).await;
    assert_eq!(before["converts"], true);
    let begun = window.ok("local_trial_start", json!({ "request": request })).await;
    assert_eq!(begun["request"], request);
    let refused = window.call("local_trial_start", json!({ "request": request })).await;
    assert_eq!(refused.expect_err("one at a time").code, ErrorCode::Busy);
    let over = |trial: &Value| !(trial["found"].is_null() && trial["error"].is_null());
    let trial = window.until("local_trial", json!({ "name": name }), over).await;
    assert_eq!(trial["error"], Value::Null, "{trial}");
    let jobs = window.ok("jobs_subscribe", json!({})).await;
    let mut jobs = jobs.as_array().expect("a list").iter();
    let job = jobs.find(|one| one["id"] == trial["job"]).expect("its job");
    assert_eq!((&job["done"], &job["total"]), (&json!(6), &json!(6)));
    let found = &trial["found"];
    assert_eq!((&found["precision"], &found["context"]), (&json!("8bit"), &json!(4000)));
    assert_eq!((&found["parallel"], &found["form"]), (&json!(2), &json!("hermes")));
    assert!(found["rendered"].as_str().is_some_and(|text| text.contains("<tool_response>")));

    // What was computed from the files is what the engine takes; a model whose files changed has to be converted again.
    assert_eq!(before["kv_bytes"], found["kv_bytes"], "{before}");
    let need = json!({ "request": request });
    assert_eq!(window.ok("local_need", need.clone()).await["converts"], false);
    koab_tiny::write(Path::new(&name), Architecture::Qwen3, 8).expect("written");
    assert_eq!(window.ok("local_need", need).await["converts"], true);

    // What cannot be is told by the trial, and the last trial of a model is the one that is told.
    let hermes = settings(json!({"tool_form": "smoke-signs"}));
    let request = json!({"name": name, "settings": hermes, "parallel": null});
    window.ok("local_trial_start", json!({ "request": request })).await;
    let trial = window.until("local_trial", json!({ "name": name }), over).await;
    assert!(trial["error"]["message"].to_string().contains("smoke-signs"), "{trial}");
    let listed = window.ok("jobs_subscribe", json!({})).await;
    let trials = listed.as_array().expect("a list").iter();
    assert!(trials.filter(|one| one["kind"] == "model_trial").all(|one| one["finished"] == true), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_form_says_reaches_the_run_and_its_judge() {
    let _turn = ONE_MODEL.lock().await;
    let window = Window::open();
    let folder = tempfile::tempdir().expect("a folder");
    let model = caller(folder.path());
    let judge = preferring(&folder.path().join("Judge"), &[("\"", 6.0), ("}", 5.0), ("1", 4.0)]);
    let judge = format!("local/{}", judge.display());
    let local = settings(json!({
        "quantization": "4bit", "device": "cpu", "context": 8192, "tool_form": "llama3", "constrained": true,
    }));
    let by = settings(json!({"quantization": "8bit", "context": 8192}));
    let score = json!({
        "scorers": ["leaderboard"], "judges": [judge], "judge_base_url": null, "judge_local": by,
    });
    let asked = request("one", &model, json!({ "local": local, "score": score }));
    let published = json!({"protocol": "leaderboard"});
    let mut refused = asked.clone();
    refused["protocol"] = published["protocol"].clone();
    let error = window.call("run_queue", json!({ "requests": [refused] })).await;
    assert!(
        error.expect_err("refused").message.to_string().contains("leaderboard protocol"),
        "constrained calls are none of the leaderboard's"
    );

    let ended = window.run(asked).await;
    let made = window.made_of(&ended);
    for (key, value) in local.as_object().expect("an object") {
        assert_eq!(made["spec"]["local"][key], *value, "{key}");
    }
    assert_eq!(made["spec"]["local"]["precision"], "4bit");
    assert_eq!(made["spec"]["local"]["form"], "llama3");
    let converted = files(&window.home.path().join("models"));
    let converted: Vec<&str> = converted
        .iter()
        .filter(|file| file.ends_with("model.gguf"))
        .filter_map(|file| file.parent()?.file_name()?.to_str())
        .collect();
    assert!(
        converted.len() == 2 && ["4bit", "8bit"].iter().all(|one| converted.contains(one)),
        "the agent's and the judge's: {converted:?}"
    );

    // A random judge may fail each time, which is told; where it answered, the report says at which precision.
    let run = ended["id"].clone();
    let estimate = async |local: Value| {
        let request = json!({
            "run": run, "scorer": "leaderboard", "judges": [judge], "judge_base_url": null, "judge_local": local,
        });
        let plan = window.ok("evaluate_estimate", json!({ "request": request })).await;
        plan["judges"][0]["known"].as_u64().expect("a number")
    };
    if let Some(report) = ended["reports"][0].as_str() {
        let view = window.ok("report_show", json!({ "run": report })).await;
        let notes = view["notes"].to_string();
        assert!(notes.contains("ran inside this application at") && notes.contains("8bit"), "{notes}");
        assert!(estimate(by).await > 0, "what was answered is known");
    } else {
        assert!(ended["error"]["message"].to_string().contains("no judge gave"), "{ended}");
    }
    assert_eq!(estimate(Value::Null).await, 0, "another precision is another judge");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversion_that_the_window_cancels_stops_and_the_run_that_waited_ends_cancelled() {
    let _turn = ONE_MODEL.lock().await;
    let window = Window::open();
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("Larger");
    // Seconds of work at 4 bits, so that whoever looks finds it at work.
    let shape =
        Shape { hidden: 512, heads: 8, intermediate: 2048, layers: 4, ..Shape::tiny(Architecture::Qwen2) };
    koab_tiny::write_shaped(&model, &shape).expect("written");
    window.ok("local_add", json!({ "path": model })).await;
    let local = settings(json!({"quantization": "4bit", "context": 8192}));
    let converting = |listed: &Value| {
        let all: Vec<Job> = serde_json::from_value(listed.clone()).expect("jobs");
        all.into_iter().find(|one| one.kind == JobKind::ModelConversion && !one.finished)
    };
    for by in ["job", "run"] {
        let asked = request(by, &model, json!({ "local": local }));
        window.ok("run_queue", json!({ "requests": [asked] })).await;
        let listed = window
            .until("jobs_subscribe", json!({}), |listed| {
                converting(listed).is_some_and(|one| one.total.is_some())
            })
            .await;
        let id = converting(&listed).expect("it converts").id;
        match by {
            "job" => window.ok("job_cancel", json!({ "id": id })).await,
            _ => window.ok("run_cancel", json!({ "run": by })).await,
        };
        let now = window.until("runs_now", json!({}), |now| now["current"].is_null()).await;
        let ended = now["ended"].as_array().expect("a list").last().expect("it ended");
        assert_eq!((&ended["run"], &ended["id"]), (&json!(by), &Value::Null), "{ended}");
        assert_eq!(ended["error"]["code"], "cancelled", "{ended}");
        let listed = window.until("jobs_subscribe", json!({}), |listed| converting(listed).is_none()).await;
        let told = listed.as_array().expect("a list").iter().find(|one| one["id"] == json!(id));
        let told = told.expect("it is remembered");
        assert_eq!(told["error"]["code"], "cancelled", "{told}");
        assert!(told["done"].as_u64() < told["total"].as_u64(), "stopped on its way: {told}");
        let left = files(&window.home.path().join("models"));
        let is_model = |file: &&PathBuf| file.to_string_lossy().contains("model.");
        assert_eq!(left.iter().find(is_model), None, "nothing half-made");
        let known = window.ok("local_list", json!({})).await;
        let mut models = known["models"].as_array().expect("a list").iter();
        let added = models.find(|one| one["path"] == json!(model)).expect("it is listed");
        assert_eq!((&added["problem"], &added["conversions"]), (&Value::Null, &json!([])));
        assert_eq!(window.ok("runs_list", json!({})).await, json!([]), "no run was made");
    }
    // Nothing is in the way of who asks again.
    let ended =
        window.run(request("again", &model, json!({ "local": settings(json!({"context": 8192})) }))).await;
    assert_eq!(ended["outcome"], "completed", "{ended}");
}
