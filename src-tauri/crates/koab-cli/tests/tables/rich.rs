//! Workspaces in which every table has rows.

use crate::support::http::{Local, Request, calls, completion, models, says};
use crate::support::{Koab, benchmark_packs, ran, read_json};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A workspace in which every table has rows, and the words of the commands that print them.
pub(crate) struct Rich {
    pub(crate) koab: Koab,
    pub(crate) commands: Vec<Vec<String>>,
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Judges of which one says yes and the other no.
fn judges() -> String {
    let server = Local::start(|request| {
        let is_yes = request.body["model"] != "another-judge-with-a-long-name";
        let said = json!({ "reason": "as it says", "success": is_yes, "score": if is_yes { 5 } else { 2 }, "confidence": 1 });
        (
            200,
            json!({
                "choices": [{ "message": { "role": "assistant", "content": said.to_string() }, "finish_reason": "stop" }],
                "usage": { "prompt_tokens": 400, "completion_tokens": 50, "total_tokens": 450 },
            }),
        )
    });
    format!("{}/v1", server.address)
}

impl Rich {
    pub(crate) fn new() -> Self {
        let koab = Koab::new();
        let asked = judges();
        let panel = [
            "--judge-models",
            "openai_compat/a-judge-with-a-long-name",
            "openai_compat/another-judge-with-a-long-name",
            "--judge-base-url",
            &asked,
        ];
        koab.ok(&["run", "--model", "baseline/golden", "--repetitions", "2", "--quiet"]);
        koab.ok(&[&["evaluate", "last", "--quiet"][..], &panel].concat());
        koab.ok(&["run", "--model", "baseline/random", "--levels", "L1,L3,L5", "--quiet"]);
        koab.ok(&["evaluate", "last", "--no-judge"]);
        let list = |words: &[&str]| -> Vec<String> {
            let all = koab.json(words);
            let ids = all.as_array().unwrap().iter();
            ids.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
        };
        let (runs, reports) = (list(&["runs", "list"]), list(&["report", "list"]));
        let (random, golden) = (&runs[0], &runs[1]);
        let of = |model: &str| reports.iter().find(|id| id.contains(model)).unwrap().clone();
        let (golden_report, random_report) = (of("golden"), of("random"));
        koab.ok(&[
            "runs", "tag", random, "baseline", "a tag of several words", "--note",
            "a note as long as notes are, which tells at length why this run was made and what it is compared with",
        ]);
        koab.ok(&[
            "runs",
            "fork",
            golden,
            "L3-001",
            "--step",
            "1",
            "--name",
            "what if the first answer were another",
        ]);
        let fork = koab.json(&["runs", "forks"])[0]["id"].as_str().unwrap().to_owned();
        let name = "what if the first answer were missing";
        let deleted = koab.json(&["runs", "fork", golden, "L3-001", "--step", "1", "--name", name]);
        koab.ok(&["runs", "fork-delete", deleted["fork"]["id"].as_str().unwrap(), "--yes"]);
        koab.ok(&[
            "cache",
            "snapshot",
            "create",
            "before-the-fix",
            "--note",
            "as it was before the services were asked again",
        ]);
        koab.ok(&[
            "judge", "override", golden, "L1-001", "SR", "--success", "no", "--by", "Mina", "--why",
            "the answer names the right station and the wrong line, and so helps nobody who asks for a connection",
        ]);
        let queue = koab.path().join("queue.json");
        let file = queue.to_str().unwrap();
        koab.ok(&["judge", "queue", golden, "-k", "6", "--by", "Mina", "-o", file]);
        let mut sheet = read_json(&queue);
        for question in sheet["questions"].as_array_mut().unwrap() {
            let answer = if question["scale"] == "yes/no" { "yes" } else { "5" };
            question["your_answer"] = json!(answer);
        }
        fs::write(&queue, sheet.to_string()).unwrap();
        koab.ok(&["judge", "answers", file]);
        let kept = sheet["queue"].as_str().unwrap().to_owned();
        let results = koab.path().join("results/mini");
        for (trial, said) in
            [("t_1/0", "ALL TESTS PASSED !#!#"), ("t_1/1", "SOME TESTS FAILED"), ("t_2/0", "")]
        {
            let folder = results.join(trial);
            fs::create_dir_all(&folder).unwrap();
            let log =
                format!("RUN.SH STARTING !#!#\n{said}\nSCENARIO.PY RUNTIME: 2 !#!#\nRUN.SH COMPLETE !#!#\n");
            fs::write(folder.join("console_log.txt"), log).unwrap();
        }
        let scenario = koab.path().join("mini.jsonl");
        fs::write(&scenario, "{\"id\": \"t_1\", \"template\": \"nowhere\"}\n").unwrap();
        let asks = koab.path().join("reports").join(&golden_report);
        let lines = format!(
            "run --model baseline/golden --dry-run\n\
             run --model openai_compat/x --base-url {asked} --dry-run --evaluate --judge-models openai_compat/a-judge-with-a-long-name --judge-base-url {asked}\n\
             runs list\nruns show {golden}\nruns show {random}\nruns forks\nruns fork-show {fork}\n\
             report list\nreport show {golden_report}\nreport show {random_report}\nreport repetitions {golden_report}\n\
             report compare {golden_report} {random_report}\nreport matrix\nreport references\n\
             report atlas {random_report}\nreport atlas {golden_report} {random_report} --by model\nreport atlas {random_report} --level L1\n\
             report atlas --causes\nreport import {0}\nimport {0}\nshow {golden_report}\ncompare {golden_report} {random_report}\n\
             score {golden} --no-judge --dry-run\nscore {random} --no-judge\n\
             judge panel\njudge overrides\njudge show {golden} L1-001\njudge lab {golden}\njudge queues\njudge reveal {kept}\n\
             judge again {golden} --dry-run --judge-models openai_compat/a-third-judge --judge-base-url {asked}\n\
             trash list\nsubmit prepare {golden}\n\
             pack list\npack show\npack published\npack drafts\npack lint\n\
             cache stats\ncache overlay\ncache snapshot list\ncache snapshot show before-the-fix\ncache snapshot diff pack before-the-fix\n\
             cache drift {random}\ncache misses {random}\ncache fill {random} --dry-run\n\
             models list\nmodels prices\nmodels servers\nkeys list\nscenario tabulate {1}\nscenario clone --list\n\
             egress list\ndoctor",
            asks.display(),
            results.display(),
        );
        let commands = lines.lines().map(|line| words(line.trim())).collect();
        Self { koab, commands }
    }

    pub(crate) fn shown(&self, words: &[String], columns: &str, lang: &str) -> String {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let words = [&words[..], &["--lang", lang]].concat();
        let mut command = self.koab.command(&words);
        ran(command.env("COLUMNS", columns).output().unwrap()).stdout
    }
}

/// Programs of Slurm, as far as a submission and its states need them: of five workers one has failed.
#[cfg(unix)]
const SLURM: [(&str, &str); 4] = [
    ("sinfo", "echo 'batch*'"),
    ("sbatch", "echo 7"),
    (
        "squeue",
        "echo '7|0|RUNNING|a-node-with-a-name-as-long-as-those-of-clouds-are|None'\n\
         echo '7|1|PENDING||JobArrayTaskLimit'\necho '7|2|REQUEUE_HOLD||launch failed requeued held'",
    ),
    ("scancel", "true"),
];

impl Rich {
    /// Another one: benchmarks of others, a cluster, agents, connections, a sweep, models over several packs.
    pub(crate) fn others() -> Self {
        let mut koab = Koab::new();
        let here = koab.path().to_owned();
        let mut lines = vec!["agents list".to_owned()];
        let server = Local::start(reply);
        let address = format!("{}/v1", server.address);

        // Another benchmark: a run, replies made elsewhere, and their reports.
        let groups = [("multiple", 3), ("irrelevance", 1)];
        let pack = benchmark_packs::bfcl(&here, &groups);
        koab.ok(&["pack", "import", &pack.display().to_string()]);
        let run = benchmark_packs::run_of(&koab, "bfcl", "a-model-with-a-long-name", &server);
        let report = koab.json(&["evaluate", &run, "--no-judge"])[0]["id"].clone();
        let report = report.as_str().unwrap();
        let answers = here.join("answers.jsonl").display().to_string();
        fs::write(&answers, replies()).unwrap();
        let saved = ["evaluate", "--answers", &answers, "--pack", "bfcl", "--save", "other/model"];
        let other = koab.json(&saved)[0]["id"].clone();
        let other = other.as_str().unwrap();
        lines.extend([
            format!("score --answers {answers} --pack bfcl"),
            format!("report show {report}"),
            format!("report compare {report} {other}"),
            format!("runs show {run}"),
            "pack show bfcl".to_owned(),
        ]);

        // Replies that a judge has to decide.
        let judged = benchmark_packs::judged_functionchat(&here, 2);
        koab.ok(&["pack", "import", &judged.display().to_string()]);
        let asked = koab.json(&["run", "--dry-run", "--requests", "--pack", "functionchat"]);
        let lines_of = asked.as_array().unwrap().iter().map(|one| {
            let output = json!({"content": "아니요", "tool_calls": null});
            json!({"id": one["id"], "output": output}).to_string()
        });
        let undecided = here.join("undecided.jsonl").display().to_string();
        fs::write(&undecided, lines_of.collect::<Vec<_>>().join("\n")).unwrap();
        lines.push(format!("judge plan --answers {undecided} --pack functionchat"));

        for (id, model, group, tasks) in [
            ("a-small", "lab/a", "L1", 10),
            ("b-small", "lab/b-with-a-long-name", "L1", 10),
            ("a-large", "lab/a", "L2", 30),
            ("b-large", "lab/b-with-a-long-name", "L2", 30),
        ] {
            summary(&here, id, model, group, tasks);
        }
        lines.push("report compare --across a-small a-large b-small b-large".to_owned());

        koab.ok(&["models", "connect", "a-server-of-the-lab", "--base-url", &address]);
        lines.extend(["models connections", "models check"].map(str::to_owned));

        let sweep = here.join("sweep.toml").display().to_string();
        fs::write(&sweep, SWEEP).unwrap();
        koab.ok(&["sweep", &sweep, "--quiet"]);
        lines.extend([format!("sweep {sweep} --dry-run"), format!("sweep {sweep}")]);

        let agent = here.join("agent.json").display().to_string();
        fs::write(&agent, AGENT).unwrap();
        lines.push(format!("agents check {agent} --native"));

        #[cfg(unix)]
        lines.extend(cluster(&mut koab));
        let commands = lines.iter().map(|line| words(line)).collect();
        Self { koab, commands }
    }
}

/// A sweep of two models at two temperatures.
const SWEEP: &str = r#"metric = "ToolAcc"
name = "a sweep with a name of several words"
packs = ["starter"]
levels = ["L1"]
[[models]]
id = "baseline/golden"
[[models]]
id = "baseline/random"
[settings]
temperature = [0.0, 0.7]
[baseline]
model = "baseline/golden"
temperature = 0.0
"#;

/// An agent that calls nobody.
const AGENT: &str = r#"{
    "name": "an-agent-with-a-long-name", "kind": "command", "command": ["echo", "nothing", "{prompt}"],
    "answer": {"after": "===FINAL==="}
}"#;

/// Squares rightly in one of two items.
fn reply(request: &Request) -> (u16, Value) {
    if request.line.starts_with("GET") {
        return models(&["a-model-with-a-long-name"]);
    }
    let asked = request.body["messages"].to_string();
    let message = match asked.contains("multiple") {
        true => calls("math_square", if asked.contains("_0") { "{\"n\": 3}" } else { "{\"n\": 4}" }),
        false => says("아니요"),
    };
    (200, completion(&message))
}

/// The same, made elsewhere.
fn replies() -> String {
    let ids = ["multiple_0", "multiple_1", "multiple_2", "irrelevance_0"];
    let lines = ids.map(|id| {
        let call = json!([{"name": "math_square", "arguments": "{\"n\": 3}"}]);
        let call = if id.starts_with("multiple") { call } else { Value::Null };
        json!({"id": id, "output": {"content": null, "tool_calls": call}}).to_string()
    });
    lines.join("\n")
}

/// Puts a report into the library: a group of so many tasks, of which the model solves some.
fn summary(home: &Path, id: &str, model: &str, group: &str, tasks: usize) {
    let solves = |task: usize| model.contains("long") || !task.is_multiple_of(3);
    let solved = (0..tasks).filter(|task| solves(*task)).count();
    let evaluations: Vec<Value> = (0..tasks)
        .map(|task| {
            let score = json!({"score": f64::from(u8::from(solves(task))), "details": {}});
            json!({"task_id": format!("{group}-{task:03}"), "success": true, "metrics": {"SR": score}})
        })
        .collect();
    let document = json!({
        "summary": {"model": model, "judge_model": "j/1", "execution_date": "20251219"},
        "by_level": {group: {
            "total_tasks": tasks, "evaluated_tasks": tasks, "task_evaluations": evaluations,
            "metrics": {"SR": solved as f64 / tasks as f64},
        }},
    });
    let folder = home.join("reports").join(id);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("evaluation_report.json"), document.to_string()).unwrap();
}

/// A run and scenarios at a cluster, and the commands that show them.
#[cfg(unix)]
fn cluster(koab: &mut Koab) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let programs = koab.path().join("programs");
    fs::create_dir(&programs).unwrap();
    for (name, text) in SLURM {
        let program = programs.join(name);
        fs::write(&program, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    koab.variables.push(("PATH".to_owned(), path));
    let words = ["run", "--model", "baseline/golden", "--on", "slurm", "--shards", "3"];
    let run = koab.json(&words)["run"].as_str().unwrap().to_owned();
    let bench = koab.path().join("bench");
    fs::create_dir_all(bench.join("Templates/T")).unwrap();
    fs::create_dir_all(bench.join("Tasks")).unwrap();
    fs::write(bench.join("Templates/T/scenario.py"), "print('ALL TESTS PASSED !#!#')\n").unwrap();
    let tasks = bench.join("Tasks/mini.jsonl");
    let scenarios = ["one", "two", "three"]
        .map(|id| json!({"id": id, "template": "../Templates/T", "substitutions": {}}).to_string());
    fs::write(&tasks, scenarios.join("\n")).unwrap();
    let tasks = tasks.to_str().unwrap();
    let words =
        ["scenario", "run", tasks, "--on", "slurm", "--shards", "3", "--docker-image", "lab/agents:1"];
    koab.ok(&words);
    vec![format!("runs show {run}"), "runs list".to_owned(), "scenario status".to_owned()]
}
