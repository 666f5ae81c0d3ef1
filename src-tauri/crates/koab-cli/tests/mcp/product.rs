//! `koab mcp`: the product driven by an agent, and what it may not spend.

use crate::support::Koab;
use crate::support::http::Local;
use crate::{HELLO, call};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// An agent that waits for each answer.
struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    lines: std::io::Lines<BufReader<ChildStdout>>,
    asked: u32,
}

impl Agent {
    fn start(koab: &Koab, words: &[&str]) -> Self {
        Self::start_with(koab, words, &[])
    }

    fn start_with(koab: &Koab, words: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child = koab
            .command(words)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("koab starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        let mut agent = Self {
            child,
            input,
            lines: BufReader::new(output).lines(),
            asked: 0,
        };
        for line in HELLO {
            agent.say(line);
        }
        agent.hear();
        agent
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{line}")
            .and_then(|()| input.flush())
            .expect("written");
    }

    fn hear(&mut self) -> Value {
        let line = self.lines.next().expect("a line").expect("text");
        serde_json::from_str(&line).expect("a message")
    }

    /// What a tool says, and whether that is an error.
    fn ask(&mut self, tool: &str, arguments: &Value) -> (String, bool) {
        self.asked += 1;
        self.say(&call(self.asked, tool, &arguments.to_string()));
        let answer = self.hear();
        let text = answer["result"]["content"][0]["text"].as_str();
        let text = text
            .unwrap_or_else(|| crate::panic_with(&answer.to_string()))
            .to_owned();
        (text, answer["result"]["isError"] == true)
    }

    fn told(&mut self, tool: &str, arguments: &Value) -> Value {
        let (text, failed) = self.ask(tool, arguments);
        assert!(!failed, "{tool}: {text}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Waits for the end of a run.
    fn ended(&mut self, run: &Value) -> Value {
        for _ in 0..10 {
            let told = self.told("watch", &serde_json::json!({ "run": run, "wait": 30 }));
            if told["over"] == true {
                return told["result"].clone();
            }
        }
        crate::panic_with("the run does not end")
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.input.take();
        let _ = self.child.wait();
    }
}

#[test]
fn an_agent_runs_compares_and_reads_failures() {
    let koab = Koab::new();
    let mut agent = Agent::start(&koab, &["mcp"]);
    let run = |model: &str| serde_json::json!({ "model": model, "levels": ["L1", "L2"] });
    let plan = agent.told("plan", &run("baseline/golden"));
    assert_eq!(plan["costs_money"], false, "{plan}");
    assert!(
        plan["plan"]["attempts"]
            .as_u64()
            .is_some_and(|attempts| attempts > 0)
    );
    let mut reports = Vec::new();
    for model in ["baseline/golden", "baseline/silent"] {
        let begun = agent.told("run", &run(model));
        let end = agent.ended(&begun["run"]);
        assert_eq!(end["end"]["failed"], 0, "{end}");
        reports.push(end["reports"][0].clone());
    }
    let (shown, failed) = agent.ask("report", &serde_json::json!({ "report": reports[0] }));
    assert!(!failed && shown.contains("ToolAcc"), "{shown}");
    let both = serde_json::json!({ "reports": reports });
    let (compared, failed) = agent.ask("compare", &both);
    assert!(
        !failed && compared.contains("golden") && compared.contains("silent"),
        "{compared}"
    );
    let (failures, failed) = agent.ask("failures", &serde_json::json!({ "reports": [reports[1]] }));
    assert!(!failed && failures.contains("L1"), "{failures}");
    assert_eq!(
        agent
            .told("reports", &serde_json::json!({}))
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    // Seen on the command line as any run.
    drop(agent);
    assert_eq!(koab.json(&["runs", "list"]).as_array().map(Vec::len), Some(2));
}

#[test]
fn nothing_is_spent_without_the_users_cap_and_the_plans_confirmation() {
    let koab = Koab::new();
    let run = serde_json::json!({ "model": "openai/gpt-4o", "levels": ["L1"] });
    let mut agent = Agent::start(&koab, &["--offline", "mcp"]);
    let plan = agent.told("plan", &run);
    assert_eq!(plan["costs_money"], true, "{plan}");
    assert!(
        plan["plan"]["estimate"]["usd"]
            .as_f64()
            .is_some_and(|usd| usd > 0.0),
        "{plan}"
    );
    let (said, failed) = agent.ask("run", &run);
    assert!(
        failed && said.contains("call plan with the same arguments"),
        "{said}"
    );
    let confirmed = |plan: &Value| {
        let mut run = run.clone();
        run["confirm"] = plan["confirm"].clone();
        run
    };
    let (said, failed) = agent.ask("run", &confirmed(&plan));
    assert!(failed && said.contains("started without --max-cost"), "{said}");
    drop(agent);
    let mut agent = Agent::start(&koab, &["--offline", "mcp", "--max-cost", "0.01"]);
    // The confirmation is that of one run and no other.
    let mut other = confirmed(&plan);
    other["levels"] = serde_json::json!(["L2"]);
    let (said, failed) = agent.ask("run", &other);
    assert!(
        failed && said.contains("call plan with the same arguments"),
        "{said}"
    );
    let begun = agent.told("run", &confirmed(&plan));
    let end = agent.ended(&begun["run"]);
    let why = end["failed"].to_string() + &end["end"].to_string();
    assert!(why.contains("offline") || why.contains("OPENAI_API_KEY"), "{end}");
    let (said, failed) = agent.ask("run", &serde_json::json!({ "modle": "x" }));
    assert!(failed && said.contains("the arguments cannot be read"), "{said}");
}

/// A model that costs a cent a call, about, and a cap of ten.
#[test]
fn the_cap_is_never_passed_however_often_an_agent_runs() {
    let model = Local::start(|request| {
        if !request.line.starts_with("POST") {
            return (
                200,
                serde_json::json!({ "object": "list", "data": [{ "id": "gpt-4o" }] }),
            );
        }
        let usage =
            serde_json::json!({ "prompt_tokens": 100, "completion_tokens": 1000, "total_tokens": 1100 });
        let message = serde_json::json!({ "role": "assistant", "content": "답" });
        let choice = serde_json::json!({ "index": 0, "message": message, "finish_reason": "stop" });
        (
            200,
            serde_json::json!({ "id": "c", "object": "chat.completion", "model": "gpt-4o", "choices": [choice], "usage": usage }),
        )
    });
    let koab = Koab::new();
    let variables = [("OPENAI_API_KEY", "not-a-key-at-all")];
    let mut agent = Agent::start_with(&koab, &["mcp", "--max-cost", "0.1"], &variables);
    let address = format!("{}/v1", model.address);
    let mut run = serde_json::json!({ "model": "openai/gpt-4o", "base_url": address, "repetitions": 5 });
    let plan = agent.told("plan", &run);
    run["confirm"] = plan["confirm"].clone();
    let (mut spent, mut stopped) = (0.0, 0);
    for _ in 0..3 {
        let (said, failed) = agent.ask("run", &run);
        if failed {
            assert!(said.contains("nothing is left of --max-cost"), "{said}");
            continue;
        }
        let begun: Value = serde_json::from_str(&said).expect("JSON");
        let end = agent.ended(&begun["run"]);
        spent += end["end"]["spending"]["usd"].as_f64().unwrap_or_default();
        stopped += usize::from(end["end"]["outcome"] == "budget_spent");
    }
    assert!(spent > 0.0 && spent <= 0.1, "{spent} USD");
    assert!(stopped > 0);
}
