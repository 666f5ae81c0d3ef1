//! A whole run of `FunctionChat` against a scripted model and judge: what it asks, and that every place says the figures that
//! follow from the replies.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::http::{Local, Request, completion, models, says};
use crate::support::{Koab, shared};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const WRONG: &str = "틀린 답입니다 (scripted)";
const VAGUE: &str = "애매한 답입니다 (scripted)";
const PRAISE: &str = "기준을 모두 지킨 답입니다 (scripted)";

/// An item as its authors ask it, with the reply that is right.
struct Item {
    id: String,
    set: &'static str,
    group: String,
    is_call: bool,
    truth: Value,
    /// Its request as a text.
    request: String,
    /// Below a hundred, and drawn from the request.
    draw: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Quality {
    Right,
    Wrong,
    /// The judge says neither pass nor fail of it.
    Vague,
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(sorted).collect(),
        Value::Object(fields) => {
            let fields: BTreeMap<_, _> = fields.iter().map(|(key, value)| (key, sorted(value))).collect();
            json!(fields)
        }
        other => other.clone(),
    }
}

fn request_text(messages: &Value, tools: &Value) -> String {
    sorted(&json!([messages, tools])).to_string()
}

/// A number below a hundred that follows from the request alone.
fn draw(request: &str) -> u32 {
    let mix = |sum: u32, byte| (sum ^ u32::from(byte)).wrapping_mul(16_777_619);
    (request.bytes().fold(2_166_136_261, mix) >> 8) % 100
}

/// What a model of this name replies with: it hangs on nothing but the draw, so that the figures can be counted without any scoring.
fn quality(model: &str, draw: u32) -> Quality {
    let wrong = if model == "able" { 20 } else { 50 };
    match draw {
        draw if draw < wrong => Quality::Wrong,
        draw if draw < wrong + 5 => Quality::Vague,
        _ => Quality::Right,
    }
}

fn lines(data: &Path, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(data.join(name)).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every item of the files in a folder.
fn items(data: &Path) -> Vec<Item> {
    let prompt = fs::read_to_string(data.join("system_prompt.txt")).unwrap();
    let system = json!({"role": "system", "content": prompt.trim()});
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut items = Vec::new();
    for row in lines(data, "FunctionChat-CallDecision.jsonl") {
        items.push(Item {
            id: format!("calldecision:{}", row["serial_num"]),
            set: "CallDecision",
            group: text(&row["category"]),
            is_call: row["type_of_output"] == "call",
            truth: row["ground_truth"].clone(),
            draw: 0,
            request: request_text(&row["input_messages"], &row["input_tools"]),
        });
    }
    for row in lines(data, "FunctionChat-Singlecall.jsonl") {
        for (at, query) in row["query"].as_array().unwrap().iter().enumerate() {
            let function: Value =
                serde_json::from_str(row["ground_truth"][at]["content"].as_str().unwrap()).unwrap();
            let call = json!({"id": "random_id", "type": "function", "function": function});
            let messages = json!([system, {"role": "user", "content": query["content"]}]);
            for tools in row["tools"].as_array().unwrap() {
                let group = text(&tools["type"]);
                items.push(Item {
                    id: format!("singlecall:{}:{group}", query["serial_num"]),
                    set: "SingleCall",
                    group,
                    is_call: true,
                    truth: json!({"role": "assistant", "content": null, "tool_calls": [call]}),
                    draw: 0,
                    request: request_text(&messages, &tools["content"]),
                });
            }
        }
    }
    for dialog in lines(data, "FunctionChat-Dialog.jsonl") {
        for turn in dialog["turns"].as_array().unwrap() {
            let messages: Vec<&Value> =
                std::iter::once(&system).chain(turn["query"].as_array().unwrap()).collect();
            items.push(Item {
                id: format!("dialog:{}", turn["serial_num"]),
                set: "Dialog",
                group: text(&turn["type_of_output"]),
                is_call: turn["type_of_output"] == "call",
                truth: turn["ground_truth"].clone(),
                draw: 0,
                request: request_text(&json!(messages), &dialog["tools"]),
            });
        }
    }
    for item in &mut items {
        item.draw = draw(&item.request);
    }
    items
}

/// The models `able` and `weak`, and their judge.
fn server(items: &[Item]) -> Local {
    let truths: HashMap<_, _> =
        items.iter().map(|item| (item.request.clone(), (item.truth.clone(), item.draw))).collect();
    let truths = Arc::new(truths);
    Local::start(move |request: &Request| {
        if request.line.starts_with("GET") {
            return models(&["able", "weak", "judge"]);
        }
        let body = &request.body;
        let message = match body["model"].as_str().unwrap() {
            "judge" => {
                let question = body["messages"][0]["content"].as_str().unwrap();
                let has = |text: &str| question.contains(text);
                match (has(WRONG), has(VAGUE)) {
                    (true, _) => says("정답과 다릅니다.\n\nfail\nfail"),
                    (_, true) => says("판단하기 어렵습니다.\n\n모르겠습니다"),
                    _ => says(&format!("{PRAISE}\n\npass\npass")),
                }
            }
            model => {
                let asked = request_text(&body["messages"], &body["tools"]);
                let Some((truth, draw)) = truths.get(&asked) else {
                    return (400, json!({"error": {"message": "this is no item's request"}}));
                };
                match quality(model, *draw) {
                    Quality::Right => truth.clone(),
                    Quality::Wrong => says(WRONG),
                    Quality::Vague => says(VAGUE),
                }
            }
        };
        (200, completion(&message))
    })
}

/// Requests so far to a model of this name.
fn asked(server: &Local, model: &str) -> usize {
    let requests = server.requests();
    requests.iter().filter(|request| request.body["model"] == model).count()
}

/// Passes and fails of a model by set and group.
fn tally(model: &str, items: &[Item]) -> BTreeMap<(&'static str, String), (u32, u32)> {
    let mut tally = BTreeMap::new();
    for item in items {
        let (passes, fails) = tally.entry((item.set, item.group.clone())).or_default();
        match quality(model, item.draw) {
            Quality::Right => *passes += 1,
            Quality::Wrong => *fails += 1,
            Quality::Vague => {}
        }
    }
    tally
}

/// The value of a cell of the authors' tables; `None` where there is no such figure.
fn cell(report: &Value, set: &str, name: &str) -> Option<f64> {
    let tables = report["benchmark"]["tables"].as_array().unwrap();
    let table = tables.iter().find(|table| table["name"] == set).unwrap();
    let cells = table["cells"].as_array().unwrap();
    let cell = cells.iter().find(|cell| cell["name"] == name);
    cell.unwrap_or_else(|| panic!("{name} is not in {table}"))["value"].as_f64()
}

/// Runs it with its judge; answers the report.
fn judged_run(koab: &Koab, server: &Local, model: &str) -> Value {
    let model = format!("openai_compat/{model}");
    let address = &server.address;
    let ran = koab.json(&[
        "run",
        "--pack",
        "functionchat",
        "--model",
        &model,
        "--base-url",
        address,
        "--evaluate",
        "--judge-models",
        "openai_compat/judge",
        "--judge-base-url",
        address,
    ]);
    assert_eq!(ran["run"]["failed"], 0, "{}", ran["run"]);
    ran["reports"][0].clone()
}

/// The pack from the folder, whose data lies in `data`, from its import to the comparison of two models.
fn whole(root: &Path, data: &Path) {
    let koab = Koab::new();
    koab.ok(&["pack", "import", &root.display().to_string()]);
    let items = items(data);
    let server = server(&items);
    let report = judged_run(&koab, &server, "able");

    // Each item is asked once, and the judge about whatever is no exact call.
    assert_eq!(asked(&server, "able"), items.len());
    let is_exact = |item: &&Item| item.is_call && quality("able", item.draw) == Quality::Right;
    let exact = items.iter().filter(is_exact).count();
    // Equal questions, as of one wrong reply to equal requests, are one.
    assert!(asked(&server, "judge") <= items.len() - exact);
    assert!(asked(&server, "judge") > (items.len() - exact) / 2);

    let by_hand = tally("able", &items);
    let levels = report["levels"].as_array().unwrap();
    assert_eq!(levels.len(), by_hand.len());
    let id = report["id"].as_str().unwrap();
    let files = tempfile::tempdir().unwrap();
    let exported = |format: &str| {
        let path = files.path().join("report").with_extension(format);
        koab.ok(&["report", "export", id, "--format", format, "-o", &path.display().to_string()]);
        fs::read_to_string(path).unwrap()
    };
    let (page, markdown) = (exported("html"), exported("md"));
    let statistics = fs::read_to_string(files.path().join("report.statistics.md")).unwrap();
    let shown = koab.ok(&["report", "show", id]).stdout;
    for ((set, group), (passes, fails)) in &by_hand {
        let rate = f64::from(*passes) / f64::from(passes + fails);
        let name = format!("{set}.{group}");
        let level = levels.iter().find(|level| level["level"] == *name).unwrap();
        let metric = &level["metrics"][0];
        assert_eq!((&metric["mean"], &metric["scored"]), (&json!(rate), &json!(passes + fails)), "{level}");
        assert!(markdown.contains(&format!("### {name}\n")), "{name}");
        assert!(
            statistics.contains(&format!("| {name} | SR |  | {rate:.4} |")),
            "{name} {rate}\n{statistics}"
        );
        let row = shown.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        assert!(row.contains(&format!("{rate:.4}")), "{row}");
        assert_eq!(cell(&report, set, &format!("{group} pass cnt")), Some(f64::from(*passes)));
        // The sets of tools count what has no label as well.
        let total = items.iter().filter(|item| item.set == *set && item.group == *group).count();
        let of = if *set == "SingleCall" {
            f64::from(u32::try_from(total).unwrap())
        } else {
            f64::from(passes + fails)
        };
        assert_eq!(cell(&report, set, &format!("{group} pass rate")), Some(f64::from(*passes) / of));
    }
    let tables = report["benchmark"]["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 3);
    for cell in tables.iter().flat_map(|table| table["cells"].as_array().unwrap()) {
        let (name, text) = (cell["name"].as_str().unwrap(), cell["text"].as_str().unwrap());
        let row = format!("<th scope=\"row\">{name}</th><td class=\"n\">{text}</td>");
        assert!(page.contains(&row), "{row}");
    }

    // What the judge said is kept with the item that it was asked about.
    let run = report["run"].as_str().unwrap();
    let spoken =
        items.iter().find(|item| !item.is_call && quality("able", item.draw) == Quality::Right).unwrap();
    let words = koab.json(&["judge", "show", run, &spoken.id]);
    assert!(words["questions"].to_string().contains(PRAISE), "{words}");
    let log =
        fs::read_dir(koab.path().join("logs/benchmark_results/by_model").join(run).join("groups")).unwrap();
    assert_eq!(log.count(), by_hand.len(), "a log a group");

    // A second model, compared with the first item by item.
    let other = judged_run(&koab, &server, "weak");
    let beside = koab.json(&["report", "compare", id, other["id"].as_str().unwrap()]);
    let pair = &beside["tests"][0]["pairs"][0];
    let both =
        |item: &&Item| ["able", "weak"].iter().all(|model| quality(model, item.draw) != Quality::Vague);
    let counted: Vec<&Item> = items.iter().filter(both).collect();
    let rights = |better: &str, worse: &str| {
        let is = |item: &&&Item| {
            quality(better, item.draw) == Quality::Right && quality(worse, item.draw) == Quality::Wrong
        };
        counted.iter().filter(is).count()
    };
    let row = &pair["tests"]["families"][0]["tests"][0];
    assert_eq!(
        (&row["tasks"], &row["won"], &row["lost"]),
        (&json!(counted.len()), &json!(rights("weak", "able")), &json!(rights("able", "weak"))),
        "{row}"
    );
    // What the judge gave no verdict of is the one thing that the two may differ by.
    let findings = pair["judgement"]["findings"].as_array().unwrap().iter();
    assert_eq!(findings.map(|finding| &finding["code"]).collect::<Vec<_>>(), ["unscored"], "{pair}");
}

/// A small pack with items of every set and group, in a plain checkout.
fn made_up(below: &Path) -> (PathBuf, PathBuf) {
    let root = below.join("FunctionChat-Bench");
    let data = root.join("data");
    fs::create_dir_all(&data).unwrap();
    let tool = |name: &str| {
        let city =
            json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
        json!({"type": "function", "function": {"name": name, "description": "도구", "parameters": city}})
    };
    let arguments = |city: &str| json!({"city": city}).to_string();
    let truth = |turn: &str, city: &str| match turn {
        "call" => {
            let function = json!({"name": "weather", "arguments": arguments(city)});
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": "random_id", "type": "function", "function": function}]})
        }
        "slot" => json!({"role": "assistant", "content": "어느 도시인가요?"}),
        _ => json!({"role": "assistant", "content": format!("{city} 이야기입니다.")}),
    };
    let user = |text: String| json!({"role": "user", "content": text});
    let turns = [("CALL", "call"), ("REJECT", "relevance"), ("SLOT-all", "slot"), ("SLOT-some", "slot")];
    let decisions = (0..40).map(|at| {
        let ((category, turn), city) = (turns[at / 10], format!("도시{at}"));
        json!({
            "serial_num": at + 1, "category": category, "input_messages": [user(format!("{city} 날씨"))],
            "input_tools": [tool("weather"), tool("clock")], "type_of_output": turn, "ground_truth": truth(turn, &city),
            "acceptable_arguments": null,
        })
    });
    let numbered = |of: &dyn Fn(usize) -> Value| -> Vec<Value> {
        (0..8).map(|at| json!({"serial_num": at + 1, "content": of(at)})).collect()
    };
    let sets = ["exact", "4_random", "4_close", "8_random", "8_close"].iter().enumerate();
    let sets = sets.map(|(more, name)| {
        let others = (0..more).map(|nth| tool(&format!("other_{nth}")));
        json!({"type": name, "content": std::iter::once(tool("weather")).chain(others).collect::<Vec<_>>()})
    });
    let single = json!({
        "function_num": 1, "function_name": "weather", "function_info": {},
        "query": numbered(&|at| json!(format!("마을{at} 날씨"))),
        "ground_truth": numbered(&|at| json!(json!({"name": "weather", "arguments": arguments(&format!("마을{at}"))}).to_string())),
        "acceptable_arguments": numbered(&|_| Value::Null), "tools": sets.collect::<Vec<_>>(),
    });
    let dialogs = (0..10).map(|at| {
        let city = format!("고을{at}");
        let mut query = vec![user(format!("{at}번 대화, 날씨 좀"))];
        let mut turns = Vec::new();
        for (nth, turn) in ["slot", "call", "completion", "relevance"].iter().enumerate() {
            let asked = query.clone();
            turns.push(json!({
                "turn_num": nth + 1, "serial_num": at * 4 + nth + 1, "query": asked, "ground_truth": truth(turn, &city),
                "type_of_output": turn, "acceptable_arguments": null,
            }));
            query.push(truth(turn, &city));
            query.push(match *turn {
                "call" => json!({"role": "tool", "tool_call_id": "random_id", "name": "weather", "content": "맑음"}),
                _ => user(city.clone()),
            });
        }
        json!({"dialog_num": at + 1, "tools_count": 1, "tools": [tool("weather")], "turns": turns})
    });
    let write = |name: &str, rows: Vec<Value>| {
        let text: Vec<String> = rows.iter().map(Value::to_string).collect();
        fs::write(data.join(name), text.join("\n")).unwrap();
    };
    write("FunctionChat-CallDecision.jsonl", decisions.collect());
    write("FunctionChat-Singlecall.jsonl", vec![single]);
    write("FunctionChat-Dialog.jsonl", dialogs.collect());
    for turn in ["call", "completion", "relevance", "slot"] {
        let text = format!("{turn}\n{{tools}}\n{{query}}\n{{ground_truth}}\n{{response}}\n");
        fs::write(data.join(format!("rubric_{turn}.txt")), text).unwrap();
    }
    fs::write(data.join("system_prompt.txt"), "한국어로 답하세요.\n").unwrap();
    fs::write(root.join("LICENSE"), "Apache License").unwrap();
    (root, data)
}

#[test]
fn every_place_says_what_follows_from_the_replies() {
    let folder = tempfile::tempdir().unwrap();
    let (root, data) = made_up(folder.path());
    whole(&root, &data);
}

#[test]
fn so_it_does_of_all_1306_published_items() {
    let Some(shared) = shared("so_it_does_of_all_1306_published_items") else {
        return;
    };
    let root = shared.join("packs/functionchat");
    let data = root.join("data");
    assert_eq!(items(&data).len(), 1_306);
    whole(&root, &data);
}
