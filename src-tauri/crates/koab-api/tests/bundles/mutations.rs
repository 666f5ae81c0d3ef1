//! Every way of changing a bundle that came to mind, as it would be done by accident and as somebody would do it who mends
//! the manifest's hashes afterwards. Each is refused with a sentence that names the place.

use crate::files::Files;
use crate::world::{JUDGES, World, verify, verify_with};
use koab_api::{CheckState, KeyPlace, Sensitive, Verification};
use serde_json::{Value, json};
use std::fmt::Write as _;

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
    files.json("run/L1.json", |log| {
        change(&mut task_of(log, "L1-001")["tool_calls"][0]["arguments"])
    });
    files.line(JOURNAL, attempt("L1-001"), |line| {
        change(&mut line["record"]["calls"][0]["arguments"])
    });
    files.line(JOURNAL, step("L1-001", 1), |line| {
        change(&mut line["calls"][0]["arguments"])
    });
}

/// Another result of a tool, wherever it stands.
fn other_result(files: &mut Files) {
    let other = json!({"items": [{"title": "지어낸 결과"}]});
    files.json("run/L1.json", |log| {
        let task = task_of(log, "L1-001");
        task["tool_calls"][0]["result"] = other.clone();
        let messages = task["conversation_log"]["messages"].as_array_mut().unwrap();
        messages
            .iter_mut()
            .find(|message| message["role"] == "tool")
            .unwrap()["content"] = other.clone();
    });
    files.line(JOURNAL, attempt("L1-001"), |line| {
        line["record"]["calls"][0]["result"] = other.clone();
        let messages = line["record"]["messages"].as_array_mut().unwrap();
        messages
            .iter_mut()
            .find(|message| message["role"] == "tool")
            .unwrap()["content"] = other.clone();
    });
    files.line(JOURNAL, step("L1-001", 1), |line| {
        line["calls"][0]["result"] = other.clone()
    });
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
    files.line(JOURNAL, step("L1-001", steps), |line| {
        line["content"] = answer.clone()
    });
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
                files.line(LB_VERDICTS, of_metric("SR"), |line| {
                    line["question"] = last["question"].clone()
                });
            }),
        ),
        (
            "a verdict on a task that asks nothing",
            mended(),
            Box::new(|files| {
                files.line(LB_VERDICTS, of_metric("SR"), |line| {
                    line["task"] = json!("L9-001")
                });
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
        (
            "no verdicts at all",
            mended(),
            Box::new(|files| files.remove(LB_VERDICTS)),
        ),
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
        (
            "a changed argument everywhere",
            mended(),
            Box::new(other_argument),
        ),
        (
            "a changed tool result everywhere",
            mended(),
            Box::new(other_result),
        ),
        (
            "a changed answer in the log",
            both(),
            Box::new(|files| {
                files.json("run/L1.json", |log| {
                    task_of(log, "L1-001")["final_response"] = json!("다른 답")
                });
            }),
        ),
        ("a changed answer everywhere", mended(), Box::new(other_answer)),
        (
            "a failure made a success",
            mended(),
            Box::new(|files| {
                files.json("run/L5.json", |log| {
                    log["results"][0]["tool_calls"][0]["success"] = json!(true)
                });
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
                files.edit("pack/judge_prompts.yaml", |text| {
                    text.replace("system:", "system: 너그럽게")
                })
            }),
        ),
        (
            "a changed recording",
            both(),
            Box::new(|files| {
                let name = files
                    .names()
                    .into_iter()
                    .find(|name| name.starts_with("records/"))
                    .unwrap();
                files.line(&name, |_| true, |line| line["data"] = json!({"items": []}));
            }),
        ),
        (
            "a changed key of a recording",
            mended(),
            Box::new(|files| {
                let name = files
                    .names()
                    .into_iter()
                    .find(|name| name.starts_with("records/"))
                    .unwrap();
                files.line(&name, |_| true, |line| line["key"] = json!("0".repeat(64)));
            }),
        ),
        (
            "a recording less",
            mended(),
            Box::new(|files| {
                let name = files
                    .names()
                    .into_iter()
                    .find(|name| name.starts_with("records/"))
                    .unwrap();
                files.remove(&name);
            }),
        ),
        (
            "a recording more",
            mended(),
            Box::new(|files| {
                let name = files
                    .names()
                    .into_iter()
                    .find(|name| name.starts_with("records/"))
                    .unwrap();
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
        (
            "a level's log less",
            mended(),
            Box::new(|files| files.remove("run/L3.json")),
        ),
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
                files.json(LB_JSON, |report| {
                    report["by_level"]["L2"]["metrics"]["SR"] = json!(0.9876)
                })
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
        (
            "a changed cell of the CSV",
            mended(),
            Box::new(|files| files.swap(LB_CSV, "1.0000", "0.9999")),
        ),
        (
            "a changed word for people",
            mended(),
            Box::new(|files| files.swap(LB_MD, "1.000", "0.999")),
        ),
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
                for name in files
                    .names()
                    .into_iter()
                    .filter(|name| name.starts_with("reports/corrected"))
                {
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
        (
            "an extra file",
            both(),
            Box::new(|files| files.put("run/notes.txt", "hello")),
        ),
        (
            "a changed file of the submission",
            vec![Raw],
            Box::new(|files| files.put("submission/row.csv", "1")),
        ),
        (
            "a file less",
            vec![Raw],
            Box::new(|files| files.remove("run/L2.json")),
        ),
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
        (
            "no manifest",
            vec![Raw],
            Box::new(|files| files.remove("koab.json")),
        ),
    ]
}

/// The first failure; a change that is not found fails the test.
fn refused(what: &str, found: &Verification) -> String {
    assert!(!found.ok, "{what} was not found");
    let failed: Vec<String> = found
        .checks
        .iter()
        .filter(|check| check.state == CheckState::Failed)
        .map(ToString::to_string)
        .collect();
    // The dates of runs differ from test to test.
    let first = failed
        .first()
        .unwrap_or_else(|| panic!("{what}: no failure is told"))
        .clone();
    first
}

#[tokio::test]
async fn every_change_is_refused_with_the_place() {
    let (world, other) = (
        World::few("baseline/golden").await,
        World::few("baseline/random").await,
    );
    let whole = Files::of(&std::fs::read(&world.bundle).unwrap());
    assert!(
        verify(&whole.raw()).ok,
        "what is only put together again verifies"
    );
    assert!(verify(&whole.clone().rehashed()).ok);
    let (mut told, mut count) = (String::new(), 0);
    for (what, forms, change) in changes(Files::of(&std::fs::read(&other.bundle).unwrap())) {
        for form in forms {
            let mut files = whole.clone();
            change(&mut files);
            let bundle = match form {
                Raw => files.raw(),
                Mended => files.rehashed(),
            };
            let said = refused(&format!("{what} ({form:?})"), &verify(&bundle));
            let _ = writeln!(told, "{what} ({form:?})\n    {said}");
            count += 1;
        }
    }
    println!("{count} changes of files were refused");
    assert!(count >= 60);
    insta::assert_snapshot!(told, @"");
}

#[tokio::test]
async fn hostile_archives_are_refused_with_the_entry() {
    let world = World::small().await;
    let bytes = std::fs::read(&world.bundle).unwrap();
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
        let at = bytes
            .windows(name.len())
            .rposition(|window| window == name.as_bytes());
        at.unwrap() - 46
    };
    let with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        bytes
    };
    let mut bomb = Files::of(&bytes);
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
        (
            "a name that is no UTF-8",
            swapped("run/run.json", b"run/r\xffn.json"),
        ),
        (
            "a name twice",
            swapped("pack/tasks/L2.json", b"pack/tasks/L1.json"),
        ),
        (
            "names that differ by case",
            swapped("pack/tasks/L2.json", b"pack/tasks/l1.json"),
        ),
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
        run\run.json: is the name of an entry that has a backslash, which some systems take for a folder's end
    a drive
        C:n/run.json: is the name of an entry that names a drive
    a name that is no UTF-8
        run/r�n.json: is the name of an entry that is no UTF-8
    a name twice
        pack/tasks/L1.json: is the name of two entries, letter case aside
    names that differ by case
        pack/tasks/l1.json: is the name of two entries, letter case aside
    a symbolic link
        run/run.json: is no plain file: links, folders and programs are nothing for a bundle
    a folder
        run/run.json: is no plain file: links, folders and programs are nothing for a bundle
    an encrypted entry
        run/run.json: is encrypted, which nothing in a bundle is
    a stored entry
        run/run.json: is not packed as koab packs a file
    a bomb
        run/L1.json: unpacks to more than 300 times its size, as only a bomb does
    a truncated archive
        is no whole bundle: it does not end as an archive does, so its end is missing or something was added
    half an archive
        is no whole bundle: it does not end as an archive does, so its end is missing or something was added
    something after it
        is no whole bundle: it does not end as an archive does, so its end is missing or something was added
    something before it
        is no bundle: bytes that belong to nothing lie around the archive's directory
    ");
}

#[tokio::test]
async fn signatures_of_others_are_refused() {
    let world = World::small().await;
    let key = |letter: char| Sensitive::new(format!("{}E=", letter.to_string().repeat(42)));
    let signed = async |letter: char| {
        world
            .api
            .key_set("KOAB_SIGNING_KEY", &key(letter), KeyPlace::Session)
            .await
            .unwrap();
        let public = world.api.bundle_key(KeyPlace::Session).await.unwrap().public_key;
        let to = world.folder.path().join(format!("{letter}.koab"));
        let request = koab_api::BundleRequest {
            sign: true,
            ..Default::default()
        };
        world.write(request, &to).await.unwrap();
        (Files::of(&std::fs::read(to).unwrap()), public)
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
    tell(
        "a manifest that was changed after it was signed",
        &changed.raw(),
        None,
    );
    let mut mended = ours.clone();
    mended.json("run/L1.json", |log| {
        log["metadata"]["timestamp"] = json!("2020-01-01T00:00:00")
    });
    tell("a time that nothing else tells, mended", &mended.rehashed(), None);
    tell("another signer than was asked for", &ours.raw(), Some(&their_key));
    let mut stripped = ours.clone();
    stripped.remove("koab.sig");
    tell("a signature that was taken off", &stripped.raw(), Some(&our_key));
    assert!(
        verify(&stripped.raw()).ok,
        "unsigned is fine where nobody asks for more"
    );
    insta::assert_snapshot!(told, @"
    a signature that was changed
        koab.sig: is no signature of this manifest by the key that it names
    another key's name on it
        koab.sig: is no signature of this manifest by the key that it names
    a manifest that was changed after it was signed
        koab.sig: is no signature of this manifest by the key that it names
    a time that nothing else tells, mended
        koab.sig: is no signature of this manifest by the key that it names
    another signer than was asked for
        koab.sig: the bundle is signed by OURS, and a signature of THEIRS was asked for
    a signature that was taken off
        koab.sig: the bundle is not signed, and a signature of OURS was asked for
    ");
}
