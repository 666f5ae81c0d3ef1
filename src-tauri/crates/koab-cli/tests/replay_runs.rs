//! The published runs, made again: against the server that plays a published model back, the benchmark must go as the
//! published log says.

use crate::support::{Koab, ReplayServer, published_runs, read_json, shared, timeless};
use koab_core::run_name::seconds_of;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The reference material, a workspace with the published pack in it, and a server that plays published runs back.
fn published(test: &str, options: &[&str]) -> Option<(PathBuf, Koab, ReplayServer)> {
    let shared = shared(test)?;
    let koab = Koab::new();
    koab.use_published(&shared);
    let server = ReplayServer::start(&shared, options);
    Some((shared, koab, server))
}

/// What of a task's log must be the same: calls with step, name and arguments; steps; answer.
fn essence(result: &Value) -> (Vec<(Value, Value, Value)>, Value, Value) {
    let calls = result["tool_calls"].as_array().expect("tool calls");
    let calls =
        calls.iter().map(|c| (c["step"].clone(), c["tool_name"].clone(), c["arguments"].clone())).collect();
    (calls, result["steps_taken"].clone(), result["final_response"].clone())
}

/// The recordings of the published pack as they lie in its files, by tool and arguments; of several the newest.
struct Recordings {
    arguments: HashMap<String, Value>,
    newest: HashMap<(String, String), Value>,
}

impl Recordings {
    fn read(pack: &Path) -> Self {
        let catalog = read_json(&pack.join("tool_catalog.json"));
        let tools = catalog.as_array().expect("tools").iter();
        let arguments = tools.map(|tool| {
            let name = tool["name"].as_str().expect("a name").to_owned();
            (name, tool["parameters"]["properties"].clone())
        });
        let mut newest: HashMap<(String, String), Value> = HashMap::new();
        for tool in entries(&pack.join("cache")) {
            for file in entries(&tool).iter().flat_map(|folder| entries(folder)) {
                let record = read_json(&file);
                let text = |key: &str| record[key].as_str().expect("a text").to_owned();
                let input: BTreeMap<_, _> =
                    record["input_params"].as_object().expect("arguments").iter().collect();
                let key = (text("tool"), serde_json::to_string(&input).expect("JSON"));
                let kept = newest.get(&key).map(|kept| kept["created_at"].as_str().unwrap_or_default());
                if kept.is_none_or(|kept| kept < text("created_at").as_str()) {
                    newest.insert(key, record);
                }
            }
        }
        Self { arguments: arguments.collect(), newest }
    }

    /// The recording for a call: what the tool does not know is dropped, what is not given has its default, and a number or a
    /// truth value may come as a text.
    fn find(&self, call: &Value) -> Option<&Value> {
        let tool = call["tool_name"].as_str().expect("a name");
        let mut asked: BTreeMap<&str, Value> = BTreeMap::new();
        for (name, schema) in self.arguments.get(tool)?.as_object().expect("arguments") {
            let Some(given) = call["arguments"].get(name).or(schema.get("default")) else {
                continue;
            };
            let read = match (schema["type"].as_str(), given.as_str()) {
                (Some("number"), Some(text)) => text.parse::<f64>().ok().map(Value::from),
                (Some("boolean"), Some(text)) => text.parse::<bool>().ok().map(Value::from),
                _ => None,
            };
            asked.insert(name, read.unwrap_or_else(|| given.clone()));
        }
        let asked = serde_json::to_string(&asked).expect("JSON");
        self.newest.get(&(tool.to_owned(), asked))
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).expect("a folder").flatten();
    all.map(|entry| entry.path()).collect()
}

/// Seconds of a time such as `2025-12-19T11:31:53.113060`.
fn seconds(time: &str) -> i64 {
    let plain = time[..19].replace(['-', ':'], "").replace('T', "_");
    seconds_of(&plain).expect("a time")
}

/// Logs have the time of Korea, recordings the universal one.
const KOREA: i64 = 9 * 3600;

/// How the answers to tool calls compare with the published ones, in the attempts that go as published.
#[derive(Debug, Default, PartialEq)]
struct Answers {
    /// Attempts in which every message is the published one, tools' included.
    attempts: u32,
    /// Answers that are the same to the letter.
    same: u32,
    /// Failures that the task injects, in the same words.
    injected: u32,
    /// Recorded again after the published log was written; the pack has no other answer.
    recorded_later: u32,
    /// Likewise while the published level was still run, by another call with the same arguments or another model.
    recorded_meanwhile: u32,
    /// The service refused the published run and answered a later one, whose answer the pack has.
    failed_there: u32,
    /// The service's answer could not be read by the published run, so that nothing was recorded.
    never_recorded: u32,
    /// All else, which would be a fault of ours.
    strange: Vec<String>,
}

impl Answers {
    fn hold(&mut self, ours: &Value, theirs: &Value, written: i64, recordings: &Recordings) {
        let (o, t) = (&ours["tool_calls"], &theirs["tool_calls"]);
        for (o, t) in o.as_array().expect("calls").iter().zip(t.as_array().expect("calls")) {
            let place = || format!("{} {}", theirs["task_id"], o["tool_name"]);
            let recorded = recordings.find(o);
            let is_recorded = recorded.is_some_and(|record| text(&record["data"]) == text(&o["result"]));
            match (o["success"] == true, t["success"] == true) {
                (true, true) if !is_recorded => self.strange.push(format!("{}: not as recorded", place())),
                (true, true) if text(&o["result"]) == text(&t["result"]) => self.same += 1,
                (true, true) => {
                    let at = recorded.and_then(|record| record["created_at"].as_str());
                    match seconds(at.expect("a time")) > written - KOREA {
                        true => self.recorded_later += 1,
                        false => self.recorded_meanwhile += 1,
                    }
                }
                (false, false) if o["tool_name"] == theirs["error_injection"]["tool"] => {
                    match o["error"] == t["error"] {
                        true => self.injected += 1,
                        false => self.strange.push(format!("{}: {} and {}", place(), o["error"], t["error"])),
                    }
                }
                (true, false) if is_recorded => self.failed_there += 1,
                (false, false) if recorded.is_none() && is_miss(o) => self.never_recorded += 1,
                _ => self.strange.push(format!("{}: {o} and {t}", place())),
            }
        }
        self.attempts += u32::from(messages(ours) == messages(theirs));
    }
}

fn is_miss(call: &Value) -> bool {
    let error = call["error"].as_str().unwrap_or_default();
    error.starts_with("no recorded response for ")
}

/// A value in its own order: that is how a model reads it.
fn text(value: &Value) -> String {
    value.to_string()
}

/// What was said, without the ids of calls, which the server numbers, and without the task's own words: the pack has seven
/// tasks in other words than the published runs were asked.
fn messages(result: &Value) -> Vec<String> {
    let mut messages = result["conversation_log"]["messages"].clone();
    let messages = messages.as_array_mut().expect("messages");
    for message in &mut *messages {
        message["tool_call_id"] = Value::Null;
        if message["content"] == result["instruction"] {
            message["content"] = Value::Null;
        }
    }
    messages.iter().map(text).collect()
}

/// Runs all tasks for every published model over one of the server's protocols, and says what differs from the published
/// logs: how many tasks are the same, how many `success` flags differ, the differences, and how the tools' answers compare.
fn runs_over(test: &str, provider: &str, base: &str) -> Option<(u32, u32, String, Answers)> {
    let (shared, koab, server) = published(test, &[])?;
    let base_url = server.base_url.replace("/v1", base);
    let recordings = Recordings::read(&shared.join("ko-agentbench"));
    let (mut same, mut success_flags, mut differences) = (0, 0, String::new());
    let mut answers = Answers::default();
    for (folder, recorded, _) in published_runs(&shared) {
        let id = format!("{provider}/{folder}");
        let run = koab.run(&[
            "run",
            "--model",
            &id,
            "--base-url",
            &base_url,
            "--concurrency",
            "16",
            "--json",
            "--quiet",
        ]);
        assert!(matches!(run.code, 0 | 3), "{id}: {}", run.stderr);
        let run: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let made = PathBuf::from(run["run"]["folder"].as_str().expect("a text"));
        for level in 1..=7 {
            let file = format!("L{level}.json");
            let (ours, theirs) = (read_json(&made.join(&file)), read_json(&recorded.join(&file)));
            let written = seconds(theirs["metadata"]["timestamp"].as_str().expect("a time"));
            let (ours, theirs) = (
                ours["results"].as_array().expect("results"),
                theirs["results"].as_array().expect("results"),
            );
            assert_eq!(ours.len(), theirs.len(), "{folder} {file}");
            for (o, t) in ours.iter().zip(theirs) {
                assert_eq!(o["task_id"], t["task_id"]);
                if essence(o) == essence(t) {
                    same += 1;
                    answers.hold(o, t, written, &recordings);
                } else {
                    let (oc, os, of) = essence(o);
                    let (tc, ts, tf) = essence(t);
                    let what = [(oc != tc, "calls"), (os != ts, "steps"), (of != tf, "answer")];
                    let what: Vec<&str> = what.iter().filter(|w| w.0).map(|w| w.1).collect();
                    let _ = writeln!(
                        differences,
                        "{folder} {}: {} ({ts} steps published, {os} made)",
                        t["task_id"].as_str().expect("a text"),
                        what.join(", ")
                    );
                }
                success_flags += u32::from(o["success"] != t["success"]);
            }
        }
    }
    Some((same, success_flags, differences, answers))
}

/// The published runs were made with live APIs, and later ones recorded the same calls again: prices, counts, times and
/// pages differ where they did. All else is the same.
fn answers() -> Answers {
    Answers {
        attempts: 444,
        same: 464,
        injected: 446,
        recorded_later: 303,
        recorded_meanwhile: 11,
        failed_there: 4,
        never_recorded: 2,
        strange: Vec::new(),
    }
}

/// What the server cannot play back, task by task. L5-008, L5-004 and the L7 tasks: the published run timed out or its model
/// failed, and the server has an (empty or seeded) answer where there was none. L3-006: the published run was started again
/// after an empty answer; the server tells a second conversation only by its fallback tools, and plays the first one again.
const NOT_PLAYED_BACK: &str = "\
bedrock_global.anthropic.claude-haiku-4-5-20251001-v1 L5-008: steps (0 steps published, 2 made)
bedrock_us.amazon.nova-lite-v1 L3-006: calls (6 steps published, 6 made)
openrouter_z-ai_glm-4.6v L5-004: steps (0 steps published, 2 made)
vertex_ai_gemini-2.5-flash L7-003: steps (0 steps published, 1 made)
vertex_ai_gemini-2.5-flash L7-004: steps (0 steps published, 1 made)
vertex_ai_gemini-2.5-flash L7-010: steps (0 steps published, 1 made)
";

#[test]
fn all_published_models_go_as_published() {
    if let Some(ran) = runs_over("all_published_models_go_as_published", "openai_compat", "/v1") {
        assert_eq!(ran, (722, 5, NOT_PLAYED_BACK.to_owned(), answers()));
    }
}

#[test]
fn over_anthropic_s_protocol_they_go_the_same_way() {
    if let Some(ran) = runs_over("over_anthropic_s_protocol_they_go_the_same_way", "anthropic", "/v1") {
        assert_eq!(ran, (722, 5, NOT_PLAYED_BACK.to_owned(), answers()));
    }
}

#[test]
fn over_gemini_s_protocol_they_go_the_same_way() {
    if let Some(ran) = runs_over("over_gemini_s_protocol_they_go_the_same_way", "gemini", "/v1beta") {
        assert_eq!(ran, (722, 5, NOT_PLAYED_BACK.to_owned(), answers()));
    }
}

#[test]
fn one_and_sixteen_in_flight_write_the_same_log() {
    let Some((_, koab, server)) = published("one_and_sixteen_in_flight_write_the_same_log", &[]) else {
        return;
    };
    let folders = ["1", "16"].map(|concurrency| {
        let run =
            ["run", "--model", "azure/gpt-4o", "--base-url", &server.base_url, "--concurrency", concurrency];
        PathBuf::from(koab.json(&run)["run"]["folder"].as_str().unwrap())
    });
    assert_ne!(folders[0], folders[1]);
    for level in 1..=7 {
        let [one, sixteen] = [0, 1].map(|i| timeless(read_json(&folders[i].join(format!("L{level}.json")))));
        assert_eq!(one, sixteen, "L{level}");
    }
}

#[test]
fn faulty_arguments_of_a_server_end_in_the_log_as_the_model_s() {
    let Some((_, koab, server)) =
        published("faulty_arguments_of_a_server_end_in_the_log_as_the_model_s", &["--malformed", "1"])
    else {
        return;
    };
    let run =
        koab.json(&["run", "--levels", "L1", "--model", "azure/gpt-4o", "--base-url", &server.base_url]);
    assert_eq!(run["run"]["cache"]["hit"], 0);
    let log = read_json(&std::path::Path::new(run["run"]["folder"].as_str().unwrap()).join("L1.json"));
    let call = &log["results"][0]["tool_calls"][0];
    assert_eq!(
        (&call["success"], &call["unreadable_arguments"]),
        (&Value::Bool(false), &Value::from("{not json"))
    );
    assert!(call["error"].as_str().unwrap().starts_with("the arguments are not valid JSON"));
}

#[test]
fn judges_are_asked_once_and_their_answers_kept() {
    let Some((shared, koab, server)) = published("judges_are_asked_once_and_their_answers_kept", &[]) else {
        return;
    };
    let logs = shared.join("parity/logs/benchmark_results");
    let evaluate = |judges: &[&str]| {
        let run =
            ["evaluate", "--logs", logs.to_str().unwrap(), "--date", "20251219", "--model", "azure/gpt-4o"];
        let judges: Vec<String> = judges.iter().map(|j| format!("openai_compat/{j}")).collect();
        let judges: Vec<&str> = judges.iter().map(String::as_str).collect();
        koab.json(&[&run[..], &["--judge-base-url", &server.base_url, "--judge-models"], &judges].concat())
    };
    let mean = |reports: &Value, level: &str, metric: &str| {
        let levels = reports[0]["levels"].as_array().unwrap();
        let level = levels.iter().find(|l| l["level"] == level).unwrap();
        let row = level["metrics"].as_array().unwrap().iter().find(|m| m["metric"] == metric).unwrap();
        row["mean"].as_f64().unwrap()
    };
    let first = evaluate(&["gpt-4o"]);
    // The scripted judge says yes to everything and grades 4 of 5; empty answers and unused fallbacks need no judge.
    assert_eq!((mean(&first, "L2", "SR"), mean(&first, "L7", "RefRecall")), (1.0, 0.75));
    let asked = server.stats()["judge"].as_u64().unwrap();
    let replay = read_json(&shared.join("parity/judge_replay.json"));
    let tasks = replay["azure_gpt-4o"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|level| level.as_object().unwrap().values());
    let answers =
        tasks.flat_map(|task| task.as_object().unwrap().values().map(|a| a.as_array().unwrap().len()));
    assert_eq!(asked, answers.sum::<usize>() as u64, "as often as the published evaluation asked");
    assert_eq!(evaluate(&["gpt-4o"]), first);
    assert_eq!(server.stats()["judge"].as_u64().unwrap(), asked, "nothing is asked twice");
    let both = evaluate(&["gpt-4o", "gpt-5"]);
    let more = server.stats()["judge"].as_u64().unwrap() - asked;
    assert!(
        more > 0 && more < asked / 3,
        "a second judge is asked what it alone can answer, not the votes: {more}"
    );
    assert_eq!(mean(&both, "L7", "RefRecall"), 0.75);
}
