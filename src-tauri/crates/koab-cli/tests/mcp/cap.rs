//! A cap of a cent: what a server was really asked for, counted by the server, never passes it.

use crate::product::Agent;
use crate::support::Koab;
use crate::support::http::Local;
use serde_json::{Value, json};

/// The user's cap.
const CAP: f64 = 0.01;
const CAP_WORD: &str = "0.01";
/// Tokens that every call is told to have taken.
const TAKEN: (u32, u32) = (300, 1000);
/// USD of such a call at the published price of the model.
const OF_A_CALL: f64 = 300.0 * 0.15e-6 + 1000.0 * 0.6e-6;

/// A server that counts what it is asked for; every n-th answer tells no tokens.
fn server(silent: Option<usize>) -> Local {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    Local::start(move |request| {
        if !request.line.starts_with("POST") {
            return (
                200,
                json!({ "object": "list", "data": [{ "id": "gpt-4o-mini" }] }),
            );
        }
        // Long enough for runs to overlap.
        std::thread::sleep(std::time::Duration::from_millis(20));
        let number = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let (prompt, completion) = TAKEN;
        let usage = json!({ "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion });
        let message = json!({ "role": "assistant", "content": "답" });
        let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
        let mut answer = json!({ "id": "c", "object": "chat.completion", "model": "gpt-4o-mini", "choices": [choice], "usage": usage });
        if silent.is_some_and(|every| number % every == every - 1) {
            answer["usage"] = Value::Null;
        }
        (200, answer)
    })
}

/// USD by the server's own count.
fn really_spent(server: &Local) -> f64 {
    let calls = server
        .requests()
        .iter()
        .filter(|request| request.line.starts_with("POST"))
        .count();
    f64::from(u32::try_from(calls).expect("few")) * OF_A_CALL
}

fn agent(koab: &Koab) -> Agent {
    let variables = [("OPENAI_API_KEY", "not-a-key-at-all")];
    Agent::start_with(koab, &["mcp", "--max-cost", CAP_WORD], &variables)
}

/// A workspace that is connected to the server.
fn connected(server: &Local) -> Koab {
    let koab = Koab::new();
    let address = format!("{}/v1", server.address);
    koab.ok(&[
        "models",
        "connect",
        "paid",
        "--provider",
        "openai",
        "--base-url",
        &address,
    ]);
    koab
}

/// A run whose plan was seen.
fn confirmed(agent: &mut Agent, server: &Local, more: &Value) -> Value {
    let mut run = json!({ "model": "openai/gpt-4o-mini", "base_url": format!("{}/v1", server.address), "repetitions": 5 });
    for (name, value) in more.as_object().into_iter().flatten() {
        run[name] = value.clone();
    }
    let plan = agent.told("plan", &run);
    assert_eq!(plan["costs_money"], true, "{plan}");
    run["confirm"] = plan["confirm"].clone();
    run
}

/// Begins a run whose plan was seen; the estimate is another one once an earlier run has ended, and the plan is then seen again.
fn begun(agent: &mut Agent, server: &Local, more: &Value) -> (String, bool) {
    loop {
        let run = confirmed(agent, server, more);
        let (said, failed) = agent.ask("run", &run);
        if !failed || !said.contains("call plan with the same arguments") {
            return (said, failed);
        }
    }
}

fn usd(end: &Value) -> f64 {
    end["end"]["spending"]["usd"].as_f64().unwrap_or_default()
}

#[test]
fn a_cent_is_never_passed_however_often_an_agent_runs() {
    let server = server(None);
    let koab = connected(&server);
    let mut agent = agent(&koab);
    let (mut told, mut stopped) = (0.0, 0);
    for _ in 0..4 {
        let (said, failed) = begun(&mut agent, &server, &json!({}));
        if failed {
            assert!(said.contains("nothing is left of --max-cost"), "{said}");
            continue;
        }
        let begun: Value = serde_json::from_str(&said).expect("JSON");
        let end = agent.ended(&begun["run"]);
        told += usd(&end);
        stopped += usize::from(end["end"]["outcome"] == "budget_spent");
    }
    let really = really_spent(&server);
    assert!(really > 0.006 && really <= CAP, "{really} USD");
    assert!((really - told).abs() < 1e-9, "{really} {told}");
    assert!(stopped > 0);
    let run = confirmed(&mut agent, &server, &json!({}));
    let left = agent.told("plan", &run)["left_usd"].as_f64().unwrap_or(f64::NAN);
    assert!(
        (left - (CAP - really)).abs() < 1e-9,
        "{left} of {CAP}, {really} spent"
    );
}

#[test]
fn runs_at_once_share_the_cent() {
    let server = server(None);
    let koab = connected(&server);
    let mut agent = agent(&koab);
    let share = json!({ "max_cost": 0.004 });
    let mut told = 0.0;
    let mut refused = 0;
    // The first two take four fifths, the third what is left, the fourth finds nothing; then what was not spent is there again.
    for _ in 0..3 {
        let mut runs = Vec::new();
        for _ in 0..4 {
            let (said, failed) = begun(&mut agent, &server, &share);
            if failed {
                assert!(said.contains("nothing is left of --max-cost"), "{said}");
                refused += 1;
            } else {
                runs.push(serde_json::from_str::<Value>(&said).expect("JSON")["run"].clone());
            }
        }
        for run in runs {
            told += usd(&agent.ended(&run));
        }
    }
    let really = really_spent(&server);
    assert!(really > 0.003 && really <= CAP, "{really} USD");
    assert!((really - told).abs() < 1e-9, "{really} {told}");
    assert!(refused > 0);
}

#[test]
fn calls_whose_tokens_nobody_tells_do_not_come_back_as_money() {
    let server = server(Some(2));
    let koab = connected(&server);
    let mut agent = agent(&koab);
    let run = confirmed(&mut agent, &server, &json!({}));
    let first = agent.told("run", &run);
    let end = agent.ended(&first["run"]);
    assert!(
        end["end"]["spending"]["calls_without_usage"].as_u64() > Some(0),
        "{end}"
    );
    let (said, failed) = begun(&mut agent, &server, &json!({}));
    assert!(failed && said.contains("nothing is left of --max-cost"), "{said}");
    let really = really_spent(&server);
    assert!(really > 0.0 && really <= CAP, "{really} USD");
}
