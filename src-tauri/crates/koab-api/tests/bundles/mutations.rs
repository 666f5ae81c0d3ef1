//! Every way of changing a bundle that came to mind, as it would be done by accident and as somebody would do it who mends
//! the manifest's hashes afterwards. Each is refused with a sentence that names the place.

use crate::bundles::files::Files;
use crate::bundles::fixture::{Fixture, JUDGES, verify, verify_with};
use koab_api::{Cancel, CheckName, FindingCode, KeyPlace, Sensitive, SubmissionRequest, Verification};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

const LB_JSON: &str = "reports/leaderboard/evaluation_report.json";
const LB_CSV: &str = "reports/leaderboard/evaluation_summary.csv";
const LB_MD: &str = "reports/leaderboard/evaluation_report.md";
const LB_VERDICTS: &str = "verdicts/leaderboard.jsonl";
const JOURNAL: &str = "run/journal.jsonl";

/// How a change is handed on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// The manifest stays as it was.
    Raw,
    /// Its sizes and hashes are mended.
    Mended,
}
use Form::{Mended, Raw};

/// A change to the files.
type Change = Box<dyn Fn(&mut Files)>;

fn attempt(task: &'static str) -> impl Fn(&Value) -> bool {
    move |line| line["type"] == "attempt" && line["record"]["task"] == task
}

fn step(task: &'static str, number: u64) -> impl Fn(&Value) -> bool {
    move |line| line["type"] == "step" && line["task"] == task && line["step"]["step"] == number
}

fn of_metric(metric: &'static str) -> impl Fn(&Value) -> bool {
    move |line| line["metric"] == metric
}

fn task_of<'a>(log: &'a mut Value, id: &str) -> &'a mut Value {
    let results = log["results"].as_array_mut().unwrap();
    results.iter_mut().find(|task| task["task_id"] == id).unwrap()
}

/// Another argument, in the log and wherever the journal has it.
fn other_argument(files: &mut Files) {
    let other = json!("다른 값");
    let change = |arguments: &mut Value| {
        let first = arguments.as_object_mut().unwrap().values_mut().next().unwrap();
        *first = other.clone();
    };
    files.json("run/L1.json", |log| change(&mut task_of(log, "L1-001")["tool_calls"][0]["arguments"]));
    files.line(JOURNAL, attempt("L1-001"), |line| change(&mut line["record"]["calls"][0]["arguments"]));
    files.line(JOURNAL, step("L1-001", 1), |line| change(&mut line["calls"][0]["arguments"]));
}

/// Another result of a tool, wherever it stands.
fn other_result(files: &mut Files) {
    let other = json!({"items": [{"title": "지어낸 결과"}]});
    files.json("run/L1.json", |log| {
        let task = task_of(log, "L1-001");
        task["tool_calls"][0]["result"] = other.clone();
        let messages = task["conversation_log"]["messages"].as_array_mut().unwrap();
        messages.iter_mut().find(|message| message["role"] == "tool").unwrap()["content"] = other.clone();
    });
    files.line(JOURNAL, attempt("L1-001"), |line| {
        line["record"]["calls"][0]["result"] = other.clone();
        let messages = line["record"]["messages"].as_array_mut().unwrap();
        messages.iter_mut().find(|message| message["role"] == "tool").unwrap()["content"] = other.clone();
    });
    files.line(JOURNAL, step("L1-001", 1), |line| line["calls"][0]["result"] = other.clone());
}

/// Another answer of the model, wherever it stands: as if it had said so.
fn other_answer(files: &mut Files) {
    let answer = json!("아주 훌륭한 답입니다");
    let last = |messages: &mut Value| {
        messages.as_array_mut().unwrap().last_mut().unwrap()["content"] = answer.clone()
    };
    files.json("run/L1.json", |log| {
        let task = task_of(log, "L1-001");
        task["final_response"] = answer.clone();
        last(&mut task["conversation_log"]["messages"]);
    });
    let mut steps = 0;
    files.line(JOURNAL, attempt("L1-001"), |line| {
        line["record"]["final_response"] = answer.clone();
        last(&mut line["record"]["messages"]);
        steps = line["record"]["steps"].as_array().unwrap().len() as u64;
    });
    files.line(JOURNAL, step("L1-001", steps), |line| line["content"] = answer.clone());
}

fn without_task(files: &mut Files) {
    files.json("run/L1.json", |log| {
        log["results"].as_array_mut().unwrap().remove(1);
    });
}

/// Changes of files, each with the forms in which it is tried.
#[expect(clippy::too_many_lines, reason = "a table")]
fn changes(other: Files) -> Vec<(&'static str, Vec<Form>, Change)> {
    let both = || vec![Raw, Mended];
    let mended = || vec![Mended];
    let from = |name: &'static str| -> Change {
        let other = other.clone();
        Box::new(move |files| files.put(name, other.text(name)))
    };
    vec![
        (
            "a flipped vote",
            both(),
            Box::new(|files| {
                files.line(LB_VERDICTS, of_metric("SR"), |line| {
                    line["answer"]["answered"]["success"] = json!(false)
                });
            }),
        ),
        (
            "a changed grade",
            mended(),
            Box::new(|files| {
                files.line(LB_VERDICTS, of_metric("ArgAcc"), |line| {
                    line["answer"]["answered"]["score"] = json!(1)
                });
            }),
        ),
        (
            "a changed reason of a verdict",
            both(),
            Box::new(|files| {
                files.line(LB_VERDICTS, of_metric("SR"), |line| {
                    line["answer"]["answered"]["reason"] = json!("because")
                });
            }),
        ),
        (
            "the verdict on another question",
            mended(),
            Box::new(|files| {
                let text = files.text(LB_VERDICTS);
                let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
                files.line(LB_VERDICTS, of_metric("SR"), |line| line["question"] = last["question"].clone());
            }),
        ),
        (
            "a verdict on a task that asks nothing",
            mended(),
            Box::new(|files| {
                files.line(LB_VERDICTS, of_metric("SR"), |line| line["task"] = json!("L9-001"));
            }),
        ),
        (
            "a verdict less",
            mended(),
            Box::new(|files| {
                files.edit(LB_VERDICTS, |text| text.split_once('\n').unwrap().1.to_owned());
            }),
        ),
        (
            "a vote more",
            mended(),
            Box::new(|files| {
                files.edit(LB_VERDICTS, |text| {
                    let mut line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
                    line["vote"] = json!(4);
                    format!("{line}\n{text}")
                });
            }),
        ),
        (
            "a removed judge",
            mended(),
            Box::new(|files| {
                files.edit(LB_VERDICTS, |text| {
                    text.lines()
                        .filter(|line| !line.contains(JUDGES[1]))
                        .map(|line| format!("{line}\n"))
                        .collect()
                });
            }),
        ),
        (
            "another judge's name",
            mended(),
            Box::new(|files| files.edit(LB_VERDICTS, |text| text.replace(JUDGES[1], "openai/judge-c"))),
        ),
        ("no verdicts at all", mended(), Box::new(|files| files.remove(LB_VERDICTS))),
        (
            "a changed argument in the log",
            both(),
            Box::new(|files| {
                files.json("run/L1.json", |log| {
                    task_of(log, "L1-001")["tool_calls"][0]["arguments"] = json!({"x": 1})
                });
            }),
        ),
        (
            "a changed argument in the journal",
            both(),
            Box::new(|files| {
                files.line(JOURNAL, attempt("L1-001"), |line| {
                    line["record"]["calls"][0]["arguments"] = json!({"x": 1})
                });
            }),
        ),
        ("a changed argument everywhere", mended(), Box::new(other_argument)),
        ("a changed tool result everywhere", mended(), Box::new(other_result)),
        (
            "a changed answer in the log",
            both(),
            Box::new(|files| {
                files.json("run/L1.json", |log| task_of(log, "L1-001")["final_response"] = json!("다른 답"));
            }),
        ),
        ("a changed answer everywhere", mended(), Box::new(other_answer)),
        (
            "a failure made a success",
            mended(),
            Box::new(|files| {
                files.json("run/L5.json", |log| log["results"][0]["tool_calls"][0]["success"] = json!(true));
            }),
        ),
        ("a dropped task", both(), Box::new(without_task)),
        (
            "a dropped task, from the journal as well",
            mended(),
            Box::new(|files| {
                without_task(files);
                files.edit(JOURNAL, |text| {
                    text.lines()
                        .filter(|line| !line.contains("\"L1-002\""))
                        .map(|line| format!("{line}\n"))
                        .collect()
                });
            }),
        ),
        (
            "a task put in twice",
            mended(),
            Box::new(|files| {
                files.json("run/L1.json", |log| {
                    let task = log["results"][0].clone();
                    log["results"].as_array_mut().unwrap().push(task);
                });
            }),
        ),
        (
            "a task taken out of the pack",
            mended(),
            Box::new(|files| {
                files.json("pack/tasks/L1.json", |tasks| {
                    tasks.as_array_mut().unwrap().remove(0);
                });
            }),
        ),
        (
            "a changed golden path",
            both(),
            Box::new(|files| {
                files.json("pack/tasks/L1.json", |tasks| {
                    tasks[0]["golden_action"][0]["args"] = json!({"x": 1})
                });
            }),
        ),
        (
            "a changed tool text",
            both(),
            Box::new(|files| {
                files.json("pack/tools.json", |tools| {
                    for tool in tools.as_array_mut().unwrap() {
                        tool["description"] =
                            json!(format!("{} 참고", tool["description"].as_str().unwrap()));
                    }
                });
            }),
        ),
        (
            "changed prompts",
            both(),
            Box::new(|files| {
                files.edit("pack/judge_prompts.yaml", |text| text.replace("system:", "system: 너그럽게"))
            }),
        ),
        (
            "a changed recording",
            both(),
            Box::new(|files| {
                let name = files.names().into_iter().find(|name| name.starts_with("records/")).unwrap();
                files.line(&name, |_| true, |line| line["data"] = json!({"items": []}));
            }),
        ),
        (
            "a changed key of a recording",
            mended(),
            Box::new(|files| {
                let name = files.names().into_iter().find(|name| name.starts_with("records/")).unwrap();
                files.line(&name, |_| true, |line| line["key"] = json!("0".repeat(64)));
            }),
        ),
        (
            "a recording less",
            mended(),
            Box::new(|files| {
                let name = files.names().into_iter().find(|name| name.starts_with("records/")).unwrap();
                files.remove(&name);
            }),
        ),
        (
            "a recording more",
            mended(),
            Box::new(|files| {
                let name = files.names().into_iter().find(|name| name.starts_with("records/")).unwrap();
                files.edit(&name, |text| {
                    let mut line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
                    line["input_params"] = json!({"never": "asked"});
                    line["current"] = json!(false);
                    format!("{text}{line}\n")
                });
            }),
        ),
        (
            "two logs swapped",
            both(),
            Box::new(|files| {
                let (one, two) = (files.text("run/L1.json"), files.text("run/L2.json"));
                files.put("run/L1.json", two);
                files.put("run/L2.json", one);
            }),
        ),
        ("a level's log less", mended(), Box::new(|files| files.remove("run/L3.json"))),
        (
            "changed level metadata",
            both(),
            Box::new(|files| files.json("run/L4.json", |log| log["metadata"]["average_tps"] = json!(99.5))),
        ),
        ("the log of another run", mended(), from("run/L3.json")),
        ("the journal of another run", mended(), from(JOURNAL)),
        ("the report of another run", mended(), from(LB_JSON)),
        (
            "the corrected report in the place of the leaderboard's",
            mended(),
            Box::new(|files| {
                let text = files.text("reports/corrected/evaluation_report.json");
                files.put(LB_JSON, text);
            }),
        ),
        (
            "a changed score",
            both(),
            Box::new(|files| {
                files.json(LB_JSON, |report| {
                    report["by_level"]["L1"]["task_evaluations"][0]["metrics"]["SR"]["score"] = json!(0.5);
                });
            }),
        ),
        (
            "a changed mean",
            mended(),
            Box::new(|files| {
                files.json(LB_JSON, |report| report["by_level"]["L2"]["metrics"]["SR"] = json!(0.9876))
            }),
        ),
        (
            "a mean that is off by the last bit",
            mended(),
            Box::new(|files| {
                files.json(LB_JSON, |report| {
                    let mean = &mut report["by_level"]["L1"]["metrics"]["ArgAcc"];
                    *mean = json!(f64::from_bits(mean.as_f64().unwrap().to_bits() - 1));
                });
            }),
        ),
        ("a changed cell of the CSV", mended(), Box::new(|files| files.swap(LB_CSV, "1.0000", "0.9999"))),
        ("a changed word for people", mended(), Box::new(|files| files.swap(LB_MD, "1.000", "0.999"))),
        (
            "a level taken out of a report",
            mended(),
            Box::new(|files| {
                files.json(LB_JSON, |report| {
                    report["by_level"].as_object_mut().unwrap().shift_remove("L7");
                });
            }),
        ),
        (
            "a report taken out",
            mended(),
            Box::new(|files| {
                for name in files.names().into_iter().filter(|name| name.starts_with("reports/corrected")) {
                    files.remove(&name);
                }
            }),
        ),
        (
            "another number of repetitions",
            mended(),
            Box::new(|files| files.json("run/run.json", |run| run["spec"]["repetitions"] = json!(2))),
        ),
        (
            "another number of repetitions in a log",
            mended(),
            Box::new(|files| {
                files.json("run/L1.json", |log| log["results"][0]["repetitions"] = json!(3));
            }),
        ),
        (
            "another protocol",
            mended(),
            Box::new(|files| files.json("run/run.json", |run| run["spec"]["protocol"] = json!("corrected"))),
        ),
        (
            "another model",
            mended(),
            Box::new(|files| files.json("run/run.json", |run| run["model"] = json!("openai/gpt-9"))),
        ),
        (
            "fewer misses",
            mended(),
            Box::new(|files| files.json("run/run.json", |run| run["cache"]["hit"] = json!(9999))),
        ),
        (
            "an unfinished run called finished",
            mended(),
            Box::new(|files| {
                files.edit(JOURNAL, |text| {
                    text.lines()
                        .filter(|line| !line.contains("\"type\":\"end\""))
                        .map(|line| format!("{line}\n"))
                        .collect()
                });
            }),
        ),
        (
            "a step taken out of the journal",
            mended(),
            Box::new(|files| {
                let mut out = false;
                files.edit(JOURNAL, |text| {
                    let kept = text.lines().filter(|line| {
                        let goes = !out && line.contains("\"type\":\"step\"");
                        out |= goes;
                        !goes
                    });
                    kept.map(|line| format!("{line}\n")).collect()
                });
            }),
        ),
        (
            "a journal that is cut off",
            both(),
            Box::new(|files| files.edit(JOURNAL, |text| text[..text.len() - 9].to_owned())),
        ),
        ("no journal", mended(), Box::new(|files| files.remove(JOURNAL))),
        (
            "neither journal nor description",
            mended(),
            Box::new(|files| {
                files.remove(JOURNAL);
                files.remove("run/run.json");
            }),
        ),
        ("an extra file", both(), Box::new(|files| files.put("run/notes.txt", "hello"))),
        (
            "a changed file of the submission",
            vec![Raw],
            Box::new(|files| files.put("submission/row.csv", "1")),
        ),
        ("a file less", vec![Raw], Box::new(|files| files.remove("run/L2.json"))),
        (
            "another hash in the manifest",
            vec![Raw],
            Box::new(|files| {
                files.manifest(|manifest| manifest["files"][0]["sha256"] = json!("0".repeat(64)));
            }),
        ),
        (
            "another size in the manifest",
            vec![Raw],
            Box::new(|files| files.manifest(|manifest| manifest["files"][0]["bytes"] = json!(1))),
        ),
        (
            "another hit rate",
            mended(),
            Box::new(|files| {
                files.manifest(|manifest| manifest["subject"]["cache"]["hit_rate"] = json!(0.5))
            }),
        ),
        (
            "another model in the manifest",
            mended(),
            Box::new(|files| files.manifest(|manifest| manifest["subject"]["model"] = json!("openai/gpt-9"))),
        ),
        (
            "another day in the manifest",
            mended(),
            Box::new(|files| {
                files.manifest(|manifest| {
                    manifest["subject"]["run"] = json!("baseline_golden/20200101_000000")
                });
            }),
        ),
        (
            "another time of making",
            mended(),
            Box::new(|files| files.manifest(|manifest| manifest["created"] = json!("2020-01-01T00:00:00"))),
        ),
        (
            "another model's folder",
            mended(),
            Box::new(|files| {
                files.manifest(|manifest| {
                    let run = manifest["subject"]["run"].as_str().unwrap();
                    manifest["subject"]["run"] = json!(run.replace("baseline_golden", "openai_gpt-9"));
                });
            }),
        ),
        (
            "a folder of no date",
            mended(),
            Box::new(|files| {
                files.manifest(|manifest| {
                    let run = format!("{}-2", manifest["subject"]["run"].as_str().unwrap());
                    manifest["subject"]["run"] = json!(run);
                });
            }),
        ),
        (
            "an end long before the logs, in the description as well",
            mended(),
            Box::new(|files| {
                files.manifest(|manifest| manifest["subject"]["ended_ms"] = json!(1));
                files.edit("run/run.json", |text| {
                    let lines = text.lines().map(|line| match line.contains("\"updated_ms\"") {
                        true => "  \"updated_ms\": 1,",
                        false => line,
                    });
                    lines.collect::<Vec<_>>().join("\n")
                });
            }),
        ),
        (
            "an end long after the logs, in the description as well",
            mended(),
            Box::new(|files| {
                let later = 9_999_999_999_999_u64;
                files.manifest(|manifest| manifest["subject"]["ended_ms"] = json!(later));
                files.edit("run/run.json", |text| {
                    let lines = text.lines().map(|line| match line.contains("\"updated_ms\"") {
                        true => format!("  \"updated_ms\": {later},"),
                        false => line.to_owned(),
                    });
                    lines.collect::<Vec<_>>().join("\n")
                });
            }),
        ),
        (
            "a log written long before the run, in the reports as well",
            mended(),
            Box::new(|files| log_time(files, "L1", |_| "2020-01-01T00:00:00".to_owned())),
        ),
        (
            "a log written long after the run, in the reports as well",
            mended(),
            Box::new(|files| log_time(files, "L7", |_| "2999-01-01T00:00:00".to_owned())),
        ),
        (
            "a log written at no time, in the reports as well",
            mended(),
            Box::new(|files| log_time(files, "L1", |_| "yesterday".to_owned())),
        ),
        (
            "judges who are said not to have been named",
            mended(),
            Box::new(|files| {
                files.manifest(|manifest| {
                    let report = &mut manifest["reports"][0];
                    assert_eq!(
                        (&report["scorer"], &report["judges_named"]),
                        (&json!("leaderboard"), &json!(true)),
                        "the report of the judges, and it comes out by those whom it names"
                    );
                    report["judges_named"] = json!(false);
                });
            }),
        ),
        (
            "another pack in the manifest",
            mended(),
            Box::new(|files| files.manifest(|manifest| manifest["subject"]["pack"]["tasks"] = json!(91))),
        ),
        (
            "a lack that is none",
            mended(),
            Box::new(|files| {
                files.manifest(|manifest| manifest["without"] = json!([{"what": "journal", "count": 1}]))
            }),
        ),
        (
            "a future format",
            mended(),
            Box::new(|files| files.manifest(|manifest| manifest["format"] = json!(2))),
        ),
        (
            "another kind",
            mended(),
            Box::new(|files| files.manifest(|manifest| manifest["kind"] = json!("scenario"))),
        ),
        (
            "a key that nobody knows",
            mended(),
            Box::new(|files| files.manifest(|manifest| manifest["comment"] = json!("trust me"))),
        ),
        (
            "a manifest in another spelling",
            vec![Raw],
            Box::new(|files| files.edit("koab.json", |text| text.replace(": ", ":  "))),
        ),
        (
            "a manifest that leads elsewhere",
            vec![Raw],
            Box::new(|files| files.manifest(|manifest| manifest["files"][0]["path"] = json!("../../x"))),
        ),
        (
            "a manifest that names a file twice",
            vec![Raw],
            Box::new(|files| {
                files.manifest(|manifest| {
                    let first = manifest["files"][0].clone();
                    manifest["files"].as_array_mut().unwrap().insert(0, first);
                });
            }),
        ),
        (
            "a huge manifest",
            vec![Raw],
            Box::new(|files| {
                files.edit("koab.json", |text| {
                    // Not a repetition, which would be taken for a bomb before.
                    let mut noise = 1_u64;
                    let mut filled = text;
                    while filled.len() < 9 << 20 {
                        noise = noise
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1_442_695_040_888_963_407);
                        let _ = write!(filled, "{noise:x}");
                    }
                    filled
                })
            }),
        ),
        ("no manifest", vec![Raw], Box::new(|files| files.remove("koab.json"))),
    ]
}

/// The first failure; a change that is not found fails the test.
fn refused(what: &str, found: &Verification) -> String {
    assert!(!found.ok, "{what} was not found");
    let failed: Vec<String> = found
        .checks
        .iter()
        .filter(|check| check.is_error())
        .map(|check| check.located().to_string())
        .collect();
    failed.first().unwrap_or_else(|| panic!("{what}: no failure is told")).clone()
}

/// Runs are named after the time at which they were made, files hold how long things took, and so does a line of a report.
fn without_times(said: &str, fixture: &Fixture) -> String {
    let (_, date) = fixture.run.split_once('/').unwrap();
    let said = said.replace(date, "DATE").replace(&date[..8], "DAY");
    // The local time at which a log was written.
    let said = match said.split_once(" more than a day from ") {
        Some((before, _)) => format!("{before} more than a day from TIME in the files"),
        None => said,
    };
    let line = said.split(" is `").next().unwrap_or_default();
    let words = line.split(' ').map(|word| match word.parse::<u64>() {
        Ok(_) if line.contains(" bytes where ") => "N",
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn every_change_is_refused_with_the_place() {
    let (fixture, other) = (Fixture::few("baseline/golden").await, Fixture::few("baseline/random").await);
    let whole = Files::unpack(&std::fs::read(&fixture.bundle).unwrap());
    assert!(verify(&whole.raw()).ok, "what is only put together again verifies");
    assert!(verify(&whole.clone().rehashed()).ok);
    let (mut told, mut count) = (String::new(), 0);
    for (what, forms, change) in changes(Files::unpack(&std::fs::read(&other.bundle).unwrap())) {
        for form in forms {
            let mut files = whole.clone();
            change(&mut files);
            let bundle = match form {
                Raw => files.raw(),
                Mended => files.rehashed(),
            };
            let said = refused(&format!("{what} ({form:?})"), &verify(&bundle));
            let said = without_times(&said, &fixture);
            let _ = writeln!(told, "{what} ({form:?})\n    {said}");
            count += 1;
        }
    }
    println!("{count} changes of files were refused");
    assert!(count >= 60);
    insta::assert_snapshot!(told, @r#"
    a flipped vote (Raw)
        verdicts/leaderboard.jsonl: holds N bytes where the manifest says N
    a flipped vote (Mended)
        reports/leaderboard/evaluation_report.json: by_level.L1.task_evaluations.L1-001.metrics.SR.details.votes[0] is true, and computing it again gives false
    a changed grade (Mended)
        reports/leaderboard/evaluation_report.json: by_level.L1.metrics.ArgAcc is 0.625, and computing it again gives 0.375
    a changed reason of a verdict (Raw)
        verdicts/leaderboard.jsonl: holds N bytes where the manifest says N
    a changed reason of a verdict (Mended)
        reports/leaderboard/evaluation_report.json: by_level.L1.task_evaluations.L1-001.metrics.SR.details.reasons[0] is "L1-001 says openai/judge-a", and computing it again gives "because"
    the verdict on another question (Mended)
        verdicts/leaderboard.jsonl: line 1 is the verdict on another question than the one that the log and the prompts give for L1-001, SR
    a verdict on a task that asks nothing (Mended)
        verdicts/leaderboard.jsonl: line 1 answers a question on L9-001 for SR, which this run does not ask
    a verdict less (Mended)
        reports/leaderboard/evaluation_report.json: by_level.L1.metrics.SR is 0.5, and computing it again gives null
    a vote more (Mended)
        verdicts/leaderboard.jsonl: line 1 is a vote that was given before, or one more than are asked for
    a removed judge (Mended)
        reports/leaderboard/evaluation_report.json: by_level.L1.metrics.ArgAcc is 0.625, and computing it again gives null
    another judge's name (Mended)
        verdicts/leaderboard.jsonl: line 5 is by openai/judge-c, who is not a judge of the report
    no verdicts at all (Mended)
        reports/leaderboard/evaluation_report.json: by_level.L1.metrics.SR is 0.5, and computing it again gives null
    a changed argument in the log (Raw)
        run/L1.json: holds N bytes where the manifest says N
    a changed argument in the log (Mended)
        run/L1.json: L1-001.tool_calls[0].arguments.x is 1, and the journal gives missing
    a changed argument in the journal (Raw)
        run/journal.jsonl: holds N bytes where the manifest says N
    a changed argument in the journal (Mended)
        run/journal.jsonl, attempt L1-001: step 1 is not as it was recorded when it happened
    a changed argument everywhere (Mended)
        records/Directions_naver.jsonl: line 1 records a call that the run did not make
    a changed tool result everywhere (Mended)
        run/journal.jsonl, attempt L1-001, step 1: the answer to the call of Directions_naver differs from the cached response
    a changed answer in the log (Raw)
        run/L1.json: holds N bytes where the manifest says N
    a changed answer in the log (Mended)
        run/L1.json: L1-001.final_response is "다른 답", and the journal gives "요청하신 내용을 확인했습니다.\n- distance: 12480\n- duration: 1986000\n- taxiFare: 14900"
    a changed answer everywhere (Mended)
        verdicts/leaderboard.jsonl: line 1 is the verdict on another question than the one that the log and the prompts give for L1-001, SR
    a failure made a success (Mended)
        run/L5.json: L5-001.tool_calls[0].success is true, and the journal gives false
    a dropped task (Raw)
        run/L1.json: holds N bytes where the manifest says N
    a dropped task (Mended)
        run/L1.json: L1-002 is missing, and the journal gives {"task_id":"L1-002","instruction":"코스피200 지수가 지금 몇 포인트야? 전날보다 몇 퍼센트 움직였는지, 오른 종목과 내린 종목은 몇 개씩인지도 알려 줘.","level":1,"categ…
    a dropped task, from the journal as well (Mended)
        run/run.json, attempts.done: says 8, and the journal 7
    a task put in twice (Mended)
        run/L1.json: has the task L1-001 twice
    a task taken out of the pack (Mended)
        pack/tasks: the tasks are not those of the run: their hash is 93b1489796536fb8f75cea796114b9a228f4549073603472591b860953d49cde, the run wrote down 415835b57b98e2b2f3c3e9e06c2fcda23171bf59683e02d8de893224a52a60d4
    a changed golden path (Raw)
        pack/tasks/L1.json: holds N bytes where the manifest says N
    a changed golden path (Mended)
        pack/tasks: the tasks are not those of the run: their hash is 500c77968f904c6b70f30cd452c18d3336ffd5daf3b5d7a9a6d0b19176da0451, the run wrote down 415835b57b98e2b2f3c3e9e06c2fcda23171bf59683e02d8de893224a52a60d4
    a changed tool text (Raw)
        pack/tools.json: holds N bytes where the manifest says N
    a changed tool text (Mended)
        pack/tools.json: the text of the tool AddressToCoord_kakao is not the one that the run offered
    changed prompts (Raw)
        pack/judge_prompts.yaml: holds N bytes where the manifest says N
    changed prompts (Mended)
        verdicts/leaderboard.jsonl: line 1 is the verdict on another question than the one that the log and the prompts give for L1-001, SR
    a changed recording (Raw)
        records/AddressToCoord_kakao.jsonl: holds N bytes where the manifest says N
    a changed recording (Mended)
        run/journal.jsonl, attempt L3-001, step 1: the answer to the call of AddressToCoord_kakao differs from the cached response
    a changed key of a recording (Mended)
        records/AddressToCoord_kakao.jsonl: line 1 says that its key is of the current tool text, but the key is not
    a recording less (Mended)
        run/journal.jsonl, attempt L3-001, step 1: the call of AddressToCoord_kakao was answered from a cached response that the bundle does not hold for these arguments
    a recording more (Mended)
        records/AddressToCoord_kakao.jsonl: line 2 records a call that the run did not make
    two logs swapped (Raw)
        run/L1.json: holds N bytes where the manifest says N
    two logs swapped (Mended)
        run/L1.json: says that it is of "L2"
    a level's log less (Mended)
        run/L3.json: the run has attempts at this level and no log of it
    changed level metadata (Raw)
        run/L4.json: holds N bytes where the manifest says N
    changed level metadata (Mended)
        run/L4.json: metadata.average_tps is 99.5, and the journal gives 0.0
    the log of another run (Mended)
        run/L3.json: is of the model "baseline/random", and other logs are of "baseline/golden"
    the journal of another run (Mended)
        run/run.json, spec.model: says "baseline/golden", and the journal "baseline/random"
    the report of another run (Mended)
        reports/leaderboard/evaluation_report.json: is of the model baseline/random, and the run is of baseline/golden
    the corrected report in the place of the leaderboard's (Mended)
        reports/leaderboard/evaluation_report.json: is in the place of the other scorer's report: it was scored by the corrected rules
    a changed score (Raw)
        reports/leaderboard/evaluation_report.json: holds N bytes where the manifest says N
    a changed score (Mended)
        reports/leaderboard/evaluation_report.json: by_level.L1.task_evaluations.L1-001.metrics.SR.score is 0.5, and computing it again gives 0.0
    a changed mean (Mended)
        reports/leaderboard/evaluation_report.json: by_level.L2.metrics.SR is 0.9876, and computing it again gives 1.0
    a mean that is off by the last bit (Mended)
        reports/leaderboard/evaluation_report.json: by_level.L1.metrics.ArgAcc is 0.6249999999999999, and computing it again gives 0.625
    a changed cell of the CSV (Mended)
        reports/leaderboard/evaluation_summary.csv: line 2
    a changed word for people (Mended)
        reports/leaderboard/evaluation_report.md: line 15
    a level taken out of a report (Mended)
        verdicts/leaderboard.jsonl: line 28 answers a question on L7-001 for SR, which this run does not ask
    a report taken out (Mended)
        reports/corrected/: the manifest lists this report and the bundle does not contain it
    another number of repetitions (Mended)
        run/run.json, spec.repetitions: says 2, and the journal 1
    another number of repetitions in a log (Mended)
        run/L1.json: L1-001.repetitions is 3, and the journal gives 1
    another protocol (Mended)
        run/run.json, spec.protocol: says "corrected", and the journal "leaderboard"
    another model (Mended)
        run/run.json, model: says "openai/gpt-9", and the journal "baseline/golden"
    fewer misses (Mended)
        run/run.json, cache.hit: says 9999, and the journal 9
    an unfinished run called finished (Mended)
        run/run.json, status: says "completed", and the journal "running"
    a step taken out of the journal (Mended)
        run/journal.jsonl, attempt L5-001: has 4 steps, and 3 were recorded as they happened
    a journal that is cut off (Raw)
        run/journal.jsonl: holds N bytes where the manifest says N
    a journal that is cut off (Mended)
        run/run.json, status: says "completed", and the journal "running"
    no journal (Mended)
        koab.json: says that 0 of run/journal.jsonl are missing, and 1 are
    neither journal nor description (Mended)
        koab.json: says that 0 of run/journal.jsonl are missing, and 1 are
    an extra file (Raw)
        run/notes.txt: the bundle holds this file and the manifest does not name it
    an extra file (Mended)
        run/notes.txt: is not a file of a bundle
    a changed file of the submission (Raw)
        submission/row.csv: the bundle holds this file and the manifest does not name it
    a file less (Raw)
        run/L2.json: the manifest names this file and the bundle does not hold it
    another hash in the manifest (Raw)
        pack/judge_prompts.yaml: the content does not have the hash that the manifest says; it was changed or damaged
    another size in the manifest (Raw)
        pack/judge_prompts.yaml: holds N bytes where the manifest says N
    another hit rate (Mended)
        koab.json: `subject.cache.hit_rate` is 0.5, and the files say 1.0
    another model in the manifest (Mended)
        koab.json: `subject.model` is "openai/gpt-9", and the files say "baseline/golden"
    another day in the manifest (Mended)
        koab.json: `subject.run` is 20200101_000000, more than a day from TIME in the files
    another time of making (Mended)
        koab.json: `created` is 2020-01-01T00:00:00, and the files say 2026-11-22T10:00:00
    another model's folder (Mended)
        koab.json: `subject.run` is openai_gpt-9/DATE, and a run of baseline/golden is in another folder
    a folder of no date (Mended)
        koab.json: `subject.run` is baseline_golden/DATE-2, whose second part is not a date such as `20251219_135528`
    an end long before the logs, in the description as well (Mended)
        koab.json: `subject.ended_ms` is 1, more than a day from TIME in the files
    an end long after the logs, in the description as well (Mended)
        koab.json: `subject.ended_ms` is 9999999999999, more than a day from TIME in the files
    a log written long before the run, in the reports as well (Mended)
        run/L1.json: `metadata.timestamp` is 2020-01-01T00:00:00, more than a day from TIME in the files
    a log written long after the run, in the reports as well (Mended)
        run/L7.json: `metadata.timestamp` is 2999-01-01T00:00:00, more than a day from TIME in the files
    a log written at no time, in the reports as well (Mended)
        run/L1.json: `metadata.timestamp` is yesterday, which is not a time such as `2025-12-19T13:55:28`
    judges who are said not to have been named (Mended)
        reports/leaderboard/: the manifest says that the report has other judges than it names, but the judges that it names give the same report
    another pack in the manifest (Mended)
        koab.json: `subject.pack.tasks` is 91, and the files say 28
    a lack that is none (Mended)
        koab.json: says that 1 of run/journal.jsonl are missing, and 0 are
    a future format (Mended)
        koab.json: is of bundle format 2, and this version reads format 1; update koab
    another kind (Mended)
        koab.json: is a bundle of `scenario`, and this version knows bundles of a `run`
    a key that nobody knows (Mended)
        koab.json: is not a manifest of a bundle: unknown field `comment`, expected one of `format`, `kind`, `made_by`, `created`, `subject`, `reports`, `without`, `files` at line 233 column 11
    a manifest in another spelling (Raw)
        koab.json: is not in the form in which koab writes it, so another program has changed it
    a manifest that leads elsewhere (Raw)
        ../../x: the manifest names a file that leads out of the bundle
    a manifest that names a file twice (Raw)
        pack/judge_prompts.yaml: the manifest names this file twice, letter case aside
    a huge manifest (Raw)
        koab.json: has 9437188 bytes, more than the limit of 8388608 for this file
    no manifest (Raw)
        koab.json: is not the first entry, as a bundle requires
    "#);
}

#[tokio::test]
async fn hostile_archives_are_refused_with_the_entry() {
    let fixture = Fixture::small().await;
    let bytes = std::fs::read(&fixture.bundle).unwrap();
    let swapped = |from: &str, to: &[u8]| -> Vec<u8> {
        assert_eq!(from.len(), to.len(), "{from}");
        let mut bytes = bytes.clone();
        for at in 0..=bytes.len() - from.len() {
            if bytes[at..].starts_with(from.as_bytes()) {
                bytes[at..at + to.len()].copy_from_slice(to);
            }
        }
        bytes
    };
    // The entry's line in the archive's directory, which has its flags and mode.
    let line = |name: &str| {
        let at = bytes.windows(name.len()).rposition(|window| window == name.as_bytes());
        at.unwrap() - 46
    };
    let with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        bytes
    };
    let mut bomb = Files::unpack(&bytes);
    bomb.put("run/L1.json", vec![b' '; 64 << 20]);
    let mut tail = bytes.clone();
    tail.extend_from_slice(b"PK\x05\x06 and more");
    let mut head = b"#!/bin/sh\nrm -rf ~\n".to_vec();
    head.extend_from_slice(&bytes);
    let run = line("run/run.json");
    let mut told = String::new();
    for (what, bundle) in [
        ("zip slip", swapped("run/run.json", b"../../x.json")),
        ("an absolute path", swapped("run/run.json", b"/un/run.json")),
        ("a backslash", swapped("run/run.json", b"run\\run.json")),
        ("a drive", swapped("run/run.json", b"C:n/run.json")),
        ("a name that is not UTF-8", swapped("run/run.json", b"run/r\xffn.json")),
        ("a name twice", swapped("pack/tasks/L2.json", b"pack/tasks/L1.json")),
        ("names that differ by case", swapped("pack/tasks/L2.json", b"pack/tasks/l1.json")),
        ("a symbolic link", with(run + 41, 0xa1)),
        ("a folder", with(run + 41, 0x41)),
        ("an encrypted entry", with(run + 8, 1)),
        ("a stored entry", with(run + 10, 0)),
        ("a bomb", bomb.rehashed()),
        ("a truncated archive", bytes[..bytes.len() - 40].to_vec()),
        ("half an archive", bytes[..bytes.len() / 2].to_vec()),
        ("something after it", tail),
        ("something before it", head),
    ] {
        let _ = writeln!(told, "{what}\n    {}", refused(what, &verify(&bundle)));
    }
    insta::assert_snapshot!(told, @r"
    zip slip
        ../../x.json: is the name of an entry that leads out of the bundle
    an absolute path
        /un/run.json: is the name of an entry that is an absolute path
    a backslash
        run\run.json: is the name of an entry that has a backslash, which some systems read as a separator of folders
    a drive
        C:n/run.json: is the name of an entry that names a drive
    a name that is not UTF-8
        run/r�n.json: is the name of an entry that is not UTF-8
    a name twice
        pack/tasks/L1.json: is the name of two entries, letter case aside
    names that differ by case
        pack/tasks/l1.json: is the name of two entries, letter case aside
    a symbolic link
        run/run.json: is not a plain file: a bundle has no links, folders or programs
    a folder
        run/run.json: is not a plain file: a bundle has no links, folders or programs
    an encrypted entry
        run/run.json: is encrypted, but no entry of a bundle is
    a stored entry
        run/run.json: is not packed as koab packs a file
    a bomb
        run/L1.json: unpacks to more than 300 times its size, as only an archive bomb does
    a truncated archive
        is not a whole bundle: it does not end as an archive does, so its end is missing or something was added
    half an archive
        is not a whole bundle: it does not end as an archive does, so its end is missing or something was added
    something after it
        is not a whole bundle: it does not end as an archive does, so its end is missing or something was added
    something before it
        is not a bundle: there are bytes around the archive's directory that belong to no entry
    ");
}

/// Another time at which a level's log was written, in the log and in all reports, which quote it.
pub(crate) fn log_time(files: &mut Files, level: &str, other: impl Fn(&str) -> String) {
    let change = |time: &mut Value| *time = json!(other(time.as_str().unwrap()));
    files.json(&format!("run/{level}.json"), |log| change(&mut log["metadata"]["timestamp"]));
    for name in files.names() {
        if name.ends_with("/evaluation_report.json") {
            files.json(&name, |report| change(&mut report["by_level"][level]["metadata"]["timestamp"]));
        }
    }
}

/// A time with another hour, which nothing else in a bundle tells.
pub(crate) fn an_hour_off(time: &str) -> String {
    let (before, after) = (&time[..11], &time[13..]);
    let hour: u32 = time[11..13].parse().unwrap();
    format!("{before}{:02}{after}", if hour == 0 { 1 } else { hour - 1 })
}

#[tokio::test]
async fn signatures_of_others_are_refused() {
    let fixture = Fixture::small().await;
    let key = |letter: char| Sensitive::new(format!("{}E=", letter.to_string().repeat(42)));
    let signed = async |letter: char| {
        fixture.api.keys.set("KOAB_SIGNING_KEY", &key(letter), KeyPlace::Session).await.unwrap();
        let public = fixture.api.exchange.bundle_key(KeyPlace::Session).await.unwrap().public_key;
        let to = fixture.folder.path().join(format!("{letter}.koab"));
        let request = koab_api::BundleRequest { sign: true, ..Default::default() };
        fixture.write(request, &to).await.unwrap();
        (Files::unpack(&std::fs::read(to).unwrap()), public)
    };
    let (ours, our_key) = signed('A').await;
    let (_, their_key) = signed('B').await;
    let mut told = String::new();
    let mut tell = |what: &str, bundle: &[u8], key: Option<&str>| {
        let said = refused(what, &verify_with(bundle, key).unwrap());
        let said = said.replace(&our_key, "OURS").replace(&their_key, "THEIRS");
        let _ = writeln!(told, "{what}\n    {said}");
    };
    let mut flipped = ours.clone();
    flipped.edit("koab.sig", |text| {
        // A letter in the middle of the second line, which is the signature itself.
        let at = text.find('\n').unwrap() + 60;
        let other = if &text[at..=at] == "A" { "B" } else { "A" };
        format!("{}{other}{}", &text[..at], &text[at + 1..])
    });
    tell("a signature that was changed", &flipped.raw(), None);
    let mut renamed = ours.clone();
    renamed.edit("koab.sig", |text| text.replace(&our_key, &their_key));
    tell("another key's name on it", &renamed.raw(), None);
    let mut changed = ours.clone();
    changed.manifest(|manifest| manifest["made_by"] = json!("koab 9.9.9"));
    tell("a manifest that was changed after it was signed", &changed.raw(), None);
    let mut mended = ours.clone();
    log_time(&mut mended, "L1", an_hour_off);
    tell("a time that nothing else tells, mended", &mended.rehashed(), None);
    tell("another signer than was asked for", &ours.raw(), Some(&their_key));
    let mut stripped = ours.clone();
    stripped.remove("koab.sig");
    tell("a signature that was taken off", &stripped.raw(), Some(&our_key));
    assert!(verify(&stripped.raw()).ok, "unsigned is fine where nobody asks for more");
    insta::assert_snapshot!(told, @"
    a signature that was changed
        koab.sig: is not a signature of this manifest by the key that it names
    another key's name on it
        koab.sig: is not a signature of this manifest by the key that it names
    a manifest that was changed after it was signed
        koab.sig: is not a signature of this manifest by the key that it names
    a time that nothing else tells, mended
        koab.sig: is not a signature of this manifest by the key that it names
    another signer than was asked for
        koab.sig: the bundle is signed by OURS, and a signature of THEIRS was asked for
    a signature that was taken off
        koab.sig: the bundle is not signed, and a signature of OURS was asked for
    ");
}

/// A submission's own files against the report beside them; each change comes with mended hashes in the manifest.
#[tokio::test]
async fn a_changed_submission_is_refused_with_the_place() {
    let fixture = Fixture::few("baseline/golden").await;
    let to = fixture.folder.path().join("handed.koab");
    let request = SubmissionRequest { of: fixture.run.clone(), ..SubmissionRequest::default() };
    let api = &fixture.api;
    let saved = api.exchange.submission_bundle(request, false, to.clone(), &Cancel::new()).await;
    let saved = saved.unwrap();
    assert!(saved.blocked, "a baseline is not a model");
    let whole = Files::unpack(&std::fs::read(&to).unwrap());
    let found = verify(&whole.raw());
    assert!(found.ok);
    let of_submission = found.checks.iter().filter(|check| check.code == CheckName::Submission);
    let held: Vec<String> = of_submission.map(|check| check.located().to_string()).collect();
    assert_eq!(
        held,
        [
            "submission/submission.json: the row of 89 columns, the results and the texts are those of the report"
        ]
    );
    // What a maintainer reads from the bundle is what the folder has.
    let folder = fixture.folder.path().join("folder");
    let request = SubmissionRequest { of: fixture.run.clone(), ..SubmissionRequest::default() };
    api.exchange.submission_save(&request, &folder).unwrap();
    let objections = async |place: &Path| {
        let check = api.exchange.submission_validate(place.to_owned(), &Cancel::new()).await.unwrap();
        let codes = check.objections.into_iter();
        codes.map(|one| (one.code, one.place())).collect::<Vec<_>>()
    };
    assert_eq!(objections(&to).await, objections(&folder).await);

    let row = "submission/combined_row.csv";
    let description = "submission/submission.json";
    let changes: Vec<(&str, Change)> = vec![
        (
            "another cell in the row",
            Box::new(move |files| files.edit(row, |text| text.replacen(",1.0,", ",0.5,", 1))),
        ),
        (
            "another model in the row",
            Box::new(move |files| files.edit(row, |text| text.replacen("\ngolden,", "\ngpt-5,", 1))),
        ),
        (
            "a row without a line",
            Box::new(move |files| files.edit(row, |text| text.lines().take(1).collect())),
        ),
        ("no row", Box::new(move |files| files.remove(row))),
        ("another README", Box::new(|files| files.swap("submission/README.md", "L1", "L9"))),
        ("no text of the pull request", Box::new(|files| files.remove("submission/PULL_REQUEST.md"))),
        (
            "another mean",
            Box::new(move |files| {
                files.json(description, |value| value["results"]["L1"]["metrics"]["ToolAcc"] = json!(0.25))
            }),
        ),
        (
            "fewer tasks",
            Box::new(move |files| {
                files.json(description, |value| value["results"]["L2"]["tasks"] = json!(15))
            }),
        ),
        (
            "another scorer",
            Box::new(move |files| {
                files.json(description, |value| value["judged_by"]["scorer"] = json!("kinder"))
            }),
        ),
        ("no description", Box::new(move |files| files.put(description, "{}"))),
    ];
    let mut told = String::new();
    for (what, change) in changes {
        let mut files = whole.clone();
        change(&mut files);
        let bundle = files.rehashed();
        let _ = writeln!(told, "{what}\n    {}", refused(what, &verify(&bundle)));
        std::fs::write(&to, &bundle).unwrap();
        let objections = objections(&to).await;
        assert!(
            objections.iter().any(|(code, _)| *code == FindingCode::Unverified),
            "{what}: {objections:?}"
        );
    }
    insta::assert_snapshot!(told, @"
    another cell in the row
        submission/combined_row.csv: has 0.5 under L1_RRR, and the report gives 1.0
    another model in the row
        submission/combined_row.csv: has gpt-5 under Model, and the report gives golden
    a row without a line
        submission/combined_row.csv: is not the row that the report gives
    no row
        submission/combined_row.csv: is not the row that the report gives
    another README
        submission/README.md: is not the file that submission.json has the hash of
    no text of the pull request
        submission/PULL_REQUEST.md: submission.json names this file and the bundle does not hold it
    another mean
        submission/submission.json: `results.L1` is not what computing the report again gives
    fewer tasks
        submission/submission.json: `results.L2` is not what computing the report again gives
    another scorer
        submission/submission.json: is of a report by the kinder rules, which the bundle does not hold
    no description
        submission/submission.json: is not a description of a submission: missing field `format` at line 1 column 2
    ");
}

#[tokio::test]
async fn what_holds_no_submission_is_said() {
    let fixture = Fixture::small().await;
    let validate = async |place: &Path| {
        let found = fixture.api.exchange.submission_validate(place.to_owned(), &Cancel::new()).await;
        found.unwrap_err().message.to_string().replace(&place.display().to_string(), "IT")
    };
    insta::assert_snapshot!(validate(&fixture.bundle).await, @"IT is a bundle without a submission; make one with `koab submit prepare RUN -o FILE`");
    let text = fixture.folder.path().join("a.txt");
    std::fs::write(&text, "hello").unwrap();
    insta::assert_snapshot!(validate(&text).await, @"IT is neither a folder of a submission nor a bundle; `koab submit prepare` makes both");
    insta::assert_snapshot!(validate(&fixture.folder.path().join("nowhere")).await, @"IT is not a folder of a submission; `koab submit prepare` makes one");
}
