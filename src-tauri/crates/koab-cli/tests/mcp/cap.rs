//! A cap of a cent: what a server was really asked for, counted by the server, never passes it.

use crate::mcp::product::Agent;
use crate::support::Koab;
use crate::support::http::Local;
use crate::support::wait::until;
use serde_json::{Value, json};
use std::time::Duration;

/// The user's cap.
const CAP: f64 = 0.01;
const CAP_WORD: &str = "0.01";
/// Tokens that every call is told to have taken.
const TAKEN: (u32, u32) = (300, 1000);
/// USD of such a call at the published price of the model.
const OF_A_CALL: f64 = 300.0 * 0.15e-6 + 1000.0 * 0.6e-6;

/// A server that counts what it is asked for; every n-th answer tells no tokens. An answer takes long enough for runs to overlap.
fn server(silent: Option<usize>) -> Local {
    slow_server(silent, Duration::from_millis(20))
}

fn slow_server(silent: Option<usize>, pause: Duration) -> Local {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    Local::start(move |request| {
        if !request.line.starts_with("POST") {
            return (200, json!({ "object": "list", "data": [{ "id": "gpt-4o-mini" }] }));
        }
        std::thread::sleep(pause);
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
    let calls = server.requests().iter().filter(|request| request.line.starts_with("POST")).count();
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
    koab.ok(&["models", "connect", "paid", "--provider", "openai", "--base-url", &address]);
    koab
}

/// A run whose plan was seen.
fn confirmed(agent: &mut Agent, server: &Local, more: &Value) -> Value {
    let mut run = json!({ "model": "openai/gpt-4o-mini", "base_url": format!("{}/v1", server.address), "repetitions": 5 });
    for (name, value) in more.as_object().into_iter().flatten() {
        run[name] = value.clone();
    }
    let plan = agent.result("plan", &run);
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
    let left = agent.result("plan", &run)["left_usd"].as_f64().unwrap_or(f64::NAN);
    assert!((left - (CAP - really)).abs() < 1e-9, "{left} of {CAP}, {really} spent");
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
    let first = agent.result("run", &run);
    let end = agent.ended(&first["run"]);
    assert!(end["end"]["spending"]["calls_without_usage"].as_u64() > Some(0), "{end}");
    let (said, failed) = begun(&mut agent, &server, &json!({}));
    assert!(failed && said.contains("nothing is left of --max-cost"), "{said}");
    let really = really_spent(&server);
    assert!(really > 0.0 && really <= CAP, "{really} USD");
}

/// A gate of a model that costs against one that does not.
fn gate(server: &Local, report: &Value, more: &Value) -> Value {
    let mut gate = json!({
        "baseline": report, "model": "openai/gpt-4o-mini", "base_url": format!("{}/v1", server.address),
        "baseline_model": "baseline/silent", "metric": "ToolAcc", "max_attempts": 400,
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        gate[name] = value.clone();
    }
    gate
}

/// Begins it once its plan was seen; the estimate is another one once a run has ended.
fn gate_begun(agent: &mut Agent, gate: &Value) -> Value {
    loop {
        let plan = agent.result("plan_gate", gate);
        assert_eq!(plan["costs_money"], true, "{plan}");
        let mut confirmed = gate.clone();
        confirmed["confirm"] = plan["confirm"].clone();
        let (said, failed) = agent.ask("gate", &confirmed);
        if !failed {
            return serde_json::from_str::<Value>(&said).expect("JSON")["run"].clone();
        }
        assert!(said.contains("call plan_gate with the same arguments"), "{said}");
    }
}

#[test]
fn a_gate_needs_its_own_confirmation_and_shares_the_cent_with_runs() {
    let server = server(None);
    let koab = connected(&server);
    let mut agent = agent(&koab);
    let free = agent.result("run", &json!({ "model": "baseline/silent" }));
    let report = agent.ended(&free["run"])["reports"][0].clone();
    let gate = |more: Value| gate(&server, &report, &more);

    let plan = agent.result("plan_gate", &gate(json!({})));
    assert!(plan["plan"]["usd"].as_f64() > Some(CAP), "{plan}");
    let run = confirmed(&mut agent, &server, &json!({}));
    for confirm in [Value::Null, "0123456789abcdef".into(), run["confirm"].clone()] {
        let (said, failed) = agent.ask("gate", &gate(json!({ "confirm": confirm })));
        assert!(failed && said.contains("call plan_gate with the same arguments"), "{said}");
    }
    let other = gate(json!({ "margin": "1pp", "confirm": plan["confirm"] }));
    assert!(agent.ask("gate", &other).1, "it is that of one gate and no other");
    assert_eq!(really_spent(&server), 0.0);

    let name = gate_begun(&mut agent, &gate(json!({ "max_cost": 0.006 })));
    let (said, failed) = begun(&mut agent, &server, &json!({}));
    assert!(!failed, "{said}");
    let beside: Value = serde_json::from_str(&said).expect("JSON");
    let (answer, end) = (agent.ended(&name), agent.ended(&beside["run"]));
    assert_eq!(answer["verdict"], "inconclusive", "{answer}");
    assert!(answer["sentence"].to_string().contains("the budget was spent"), "{answer}");
    let told = answer["usd"].as_f64().unwrap_or_default();
    assert!(told > 0.003 && told <= 0.006, "{answer}");
    let really = really_spent(&server);
    assert!(really <= CAP && (really - told - usd(&end)).abs() < 1e-9, "{really} {told} {end}");
    let left = |agent: &mut Agent| agent.result("plan_gate", &gate(json!({})))["left_usd"].as_f64();
    let is_left = |agent: &mut Agent| {
        let (left, really) = (left(agent).unwrap_or(f64::NAN), really_spent(&server));
        assert!((left - (CAP - really)).abs() < 1e-9, "{left} left, {really} spent");
    };
    is_left(&mut agent);
}

/// What a gate did not spend comes back, however it ends.
#[test]
fn a_cancelled_gate_gives_back_what_it_did_not_spend() {
    let server = slow_server(None, Duration::from_millis(300));
    let koab = connected(&server);
    let mut agent = agent(&koab);
    let free = agent.result("run", &json!({ "model": "baseline/silent", "levels": ["L1"] }));
    let report = agent.ended(&free["run"])["reports"][0].clone();
    let gate = gate(&server, &report, &json!({ "levels": ["L1"] }));
    let name = gate_begun(&mut agent, &gate);
    until("the gate spends", Duration::from_secs(60), || really_spent(&server) > 0.0);
    agent.result("cancel", &json!({ "run": name }));
    let end = agent.ended(&name);
    let (really, plan) = (really_spent(&server), agent.result("plan_gate", &gate));
    let left = plan["left_usd"].as_f64().unwrap_or(f64::NAN);
    assert!(left <= CAP - really + 1e-9, "{left} left, {really} spent: {end}");
    assert!(end["failed"].to_string().contains("the gate was cancelled"), "{end}");
}
