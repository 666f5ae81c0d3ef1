//! A run's spans: complete at the collector that the user named, without texts unless they are asked for, and never at the
//! run's expense.

use crate::support::http::{Local, Refusing, model};
use crate::support::{Koab, Ran, ran};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// All spans that a collector was sent.
fn spans(collector: &Local) -> Vec<Value> {
    let bodies = collector.requests().into_iter().map(|request| request.body);
    let spans = |body: Value| {
        let spans = body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array();
        spans.expect("spans").clone()
    };
    bodies.flat_map(spans).collect()
}

fn attribute(span: &Value, name: &str) -> Value {
    let attributes = span["attributes"].as_array().expect("attributes");
    let found = attributes.iter().find(|pair| pair["key"] == name);
    found.map_or(Value::Null, |pair| pair["value"].clone())
}

fn text(span: &Value, name: &str) -> String {
    attribute(span, name)["stringValue"].as_str().unwrap_or_default().to_owned()
}

/// Spans by `gen_ai.operation.name`; the run's own under "".
fn by_operation(spans: &[Value]) -> BTreeMap<String, Vec<&Value>> {
    let mut all: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for span in spans {
        all.entry(text(span, "gen_ai.operation.name")).or_default().push(span);
    }
    all
}

/// Runs L1 and L5 of the starter pack with these variables.
fn run(koab: &Koab, model: &Local, more: &[&str], variables: &[(&str, &str)]) -> Ran {
    let address = format!("{}/v1", model.address);
    let words = ["run", "--model", "openai_compat/m", "--base-url", &address, "--levels", "L1,L5", "--json"];
    let mut command = koab.command(&[&words, more].concat());
    for name in
        ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"]
    {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    ran(command.output().expect("koab starts"))
}

fn document(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}\n{}", ran.stdout, ran.stderr);
    serde_json::from_str(&ran.stdout).expect("one document")
}

#[test]
fn a_collector_gets_the_whole_tree_and_no_texts() {
    let (koab, model) = (Koab::new(), model("stop"));
    let collector = Local::start(|_| (200, json!({})));
    let headers = ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20otlp-secret,x-team=a");
    let made = run(&koab, &model, &["--otlp-endpoint", &collector.address], &[headers]);
    let end = document(&made)["run"].clone();
    let spans = spans(&collector);
    assert_eq!((&end["spans"]["sent"], &end["spans"]["lost"]), (&spans.len().into(), &0.into()));

    for request in collector.requests() {
        assert_eq!(request.line, "POST /v1/traces HTTP/1.1");
        let header = |name: &str, value: &str| request.headers.contains(&(name.to_owned(), value.to_owned()));
        assert!(header("authorization", "Bearer otlp-secret") && header("x-team", "a"));
    }

    let kinds = by_operation(&spans);
    let count = |kind: &str| kinds.get(kind).map_or(0, Vec::len) as u64;
    let asked = model.requests().iter().filter(|request| request.line.starts_with("POST")).count() as u64;
    let cache = &end["cache"];
    let calls: u64 =
        ["hit", "miss", "injected", "refused"].iter().filter_map(|how| cache[how].as_u64()).sum();
    assert_eq!((count(""), Some(count("invoke_agent"))), (1, end["done"].as_u64()));
    assert_eq!((count("chat"), count("execute_tool")), (asked, calls));
    assert!(asked > 20 && calls > 10, "{asked} {calls}");

    // One trace; attempts under the run, everything else under an attempt, and within its time.
    let ids: BTreeMap<&str, &Value> =
        spans.iter().map(|span| (span["spanId"].as_str().unwrap(), span)).collect();
    assert_eq!(ids.len(), spans.len());
    assert_eq!(spans.iter().map(|span| span["traceId"].as_str()).collect::<BTreeSet<_>>().len(), 1);
    let nanos = |span: &Value, end: &str| span[end].as_str().unwrap().parse::<u64>().unwrap();
    for span in &spans {
        let parent = span["parentSpanId"].as_str().map(|id| ids[id]);
        let expected = match text(span, "gen_ai.operation.name").as_str() {
            "" => None,
            "invoke_agent" => Some(""),
            _ => Some("invoke_agent"),
        };
        assert_eq!(parent.map(|parent| text(parent, "gen_ai.operation.name")).as_deref(), expected);
        let (start, end) = (nanos(span, "startTimeUnixNano"), nanos(span, "endTimeUnixNano"));
        assert!(start <= end && end <= parent.map_or(u64::MAX, |parent| nanos(parent, "endTimeUnixNano")));
    }

    let last = kinds["chat"]
        .iter()
        .find(|chat| !attribute(chat, "gen_ai.response.finish_reasons").to_string().contains("tool_calls"));
    let chat = last.expect("an answer");
    assert_eq!((&chat["name"], &chat["kind"], &chat["status"]), (&"chat m".into(), &3.into(), &json!({})));
    let mut said: Vec<String> = Vec::new();
    for pair in chat["attributes"].as_array().unwrap() {
        let value = if pair["key"] == "server.port" { json!("…") } else { pair["value"].clone() };
        said.push(format!("{} {value}", pair["key"].as_str().unwrap()));
    }
    insta::assert_snapshot!(said.join("\n"), @r#"
    gen_ai.provider.name {"stringValue":"openai_compat"}
    gen_ai.request.model {"stringValue":"m"}
    gen_ai.operation.name {"stringValue":"chat"}
    gen_ai.request.temperature {"doubleValue":0.7}
    gen_ai.request.max_tokens {"intValue":"1024"}
    koab.step {"intValue":"2"}
    server.address {"stringValue":"127.0.0.1"}
    server.port "…"
    gen_ai.response.finish_reasons {"arrayValue":{"values":[{"stringValue":"stop"}]}}
    gen_ai.usage.input_tokens {"intValue":"100"}
    gen_ai.usage.output_tokens {"intValue":"7"}
    "#);
    for tool in &kinds["execute_tool"] {
        assert_eq!(tool["name"], format!("execute_tool {}", text(tool, "gen_ai.tool.name")));
        assert_eq!(text(tool, "gen_ai.tool.call.id"), "call_x");
        // The arguments of this model are never what a tool takes.
        assert_ne!(text(tool, "error.type"), "");
    }
    let everything = json!(spans).to_string();
    for told in ["비밀스러운", "messages", "arguments", "otlp-secret"] {
        assert!(!everything.contains(told), "{told} was sent");
    }
    assert!(!format!("{}{}", made.stdout, made.stderr).contains("otlp-secret"));
    for entry in walk(koab.path()) {
        let held = std::fs::read(&entry).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&held).contains("otlp-secret"), "{}", entry.display());
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() { files.extend(walk(&path)) } else { files.push(path) }
    }
    files
}

#[test]
fn texts_go_along_when_they_are_asked_for() {
    let (koab, model) = (Koab::new(), model("stop"));
    let collector = Local::start(|_| (200, json!({})));
    let named = ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address.as_str());
    document(&run(&koab, &model, &["--otlp", "--otlp-content", "--no-save-logs"], &[named]));
    let spans = spans(&collector);
    let kinds = by_operation(&spans);
    let answer = "비밀스러운 답";
    for attempt in &kinds["invoke_agent"] {
        assert!(text(attempt, "gen_ai.input.messages").contains("\"role\":\"user\""));
        assert!(text(attempt, "gen_ai.output.messages").contains(answer));
    }
    for chat in &kinds["chat"] {
        let said = text(chat, "gen_ai.output.messages");
        assert!(said.contains(answer) || said.contains("\"id\":\"call_x\""), "{said}");
    }
    for tool in &kinds["execute_tool"] {
        assert_eq!(text(tool, "gen_ai.tool.call.arguments"), "{}");
        assert!(tool["status"]["message"].is_string());
    }
}

#[test]
fn variables_for_other_programs_name_no_collector() {
    let (koab, model) = (Koab::new(), model("stop"));
    let collector = Local::start(|_| (200, json!({})));
    let named = ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address.as_str());
    let end = document(&run(&koab, &model, &[], &[named]))["run"].clone();
    assert!(end["spans"].is_null() && collector.requests().is_empty());
    for (words, said) in [
        (["--otlp"].as_slice(), "names no collector"),
        (&["--otlp-content"], "needs a collector"),
        (&["--otlp-endpoint", "http://u:pw@h"], "no user name, password or query"),
    ] {
        let refused = run(&koab, &model, words, &[]);
        assert!(refused.code != 0 && refused.stderr.contains(said), "{}", refused.stderr);
    }
}

#[test]
fn a_dead_collector_costs_one_warning() {
    let (koab, model) = (Koab::new(), model("stop"));
    let refusing = Local::start(|_| (503, json!({ "message": "authorization: otlp-secret" })));
    let partly = Local::start(|_| (200, json!({ "partialSuccess": { "rejectedSpans": "2" } })));
    let gone = Refusing::new();
    let dead = format!("http://{}", gone.address);
    for (address, part) in [(&dead, "no collector answers"), (&refusing.address, "HTTP 503")] {
        let made = run(&koab, &model, &["--otlp-endpoint", address], &[]);
        let end = document(&made)["run"].clone();
        let lost = end["spans"]["lost"].as_u64().expect("a number");
        assert_eq!((&end["outcome"], &end["spans"]["sent"]), (&"completed".into(), &0.into()));
        let warning = format!("{lost} of {lost} spans did not reach {address}/v1/traces");
        assert_eq!(made.stderr.matches(&warning).count(), 1, "{}", made.stderr);
        assert!(lost > 30 && made.stderr.contains(part) && !made.stderr.contains("otlp-secret"));
    }
    let made = run(&koab, &model, &["--otlp-endpoint", &partly.address], &[]);
    let lost = document(&made)["run"]["spans"]["lost"].as_u64();
    assert_eq!(lost, Some(2 * partly.requests().len() as u64));
}

#[test]
fn failed_model_calls_are_spans_with_their_kind() {
    let koab = Koab::new();
    let model = Local::start(|request| match request.line.starts_with("POST") {
        true => (422, json!({ "error": { "message": "it said 비밀스러운 prompt" } })),
        false => (200, json!({ "object": "list", "data": [] })),
    });
    let collector = Local::start(|_| (200, json!({})));
    let made = run(&koab, &model, &["--otlp-endpoint", &collector.address], &[]);
    assert_eq!(made.code, 3, "{}", made.stderr);
    let spans = spans(&collector);
    let kinds = by_operation(&spans);
    let asked = model.requests().iter().filter(|request| request.line.starts_with("POST")).count();
    assert_eq!(kinds["chat"].len(), asked);
    for span in kinds["chat"].iter().chain(&kinds["invoke_agent"]) {
        assert_eq!((text(span, "error.type").as_str(), &span["status"]), ("http", &json!({ "code": 2 })));
    }
}
