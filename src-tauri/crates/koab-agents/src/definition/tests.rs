use super::{Definition, Kind};
use crate::catalog;
use crate::tests::refused;
use serde_json::{Value, json};

fn command() -> Value {
    json!({"name": "mine", "kind": "command", "command": ["sh"], "answer": {"stdout": "all"}})
}

fn http() -> Value {
    json!({"name": "mine", "kind": "http", "command": ["sh"], "address": "http://127.0.0.1:{port}/",
        "request": {"q": "{prompt}"}, "answer": {"stdout": "all"}})
}

fn running() -> Value {
    json!({"name": "mine", "kind": "http", "address": "http://127.0.0.1:8080/",
        "request": {"tools": "{mcp_token_url}"}, "answer": {"stdout": "all"}})
}

fn by_hand() -> Value {
    json!({"name": "mine", "kind": "mcp-host"})
}

/// A definition with some fields put in the place of others; null takes one away.
fn with(mut definition: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else {
        panic!("fields of a definition");
    };
    let all = definition.as_object_mut().expect("an object");
    for (name, value) in fields {
        match value {
            Value::Null => all.remove(&name),
            value => all.insert(name, value),
        };
    }
    definition
}

fn read(definition: &Value) -> Result<Definition, koab_core::sentence::Sentence> {
    Definition::read(&definition.to_string(), "mine.json")
}

#[test]
fn a_definition_that_cannot_work_is_refused_with_the_field_that_is_missing() {
    let without_command = "`command` is missing; it is a list of the program and its arguments";
    let without_answer = "`answer` is missing; it says where the answer is read";
    let time = "`timeout_s` must be above 0 and at most 86400";
    let hand = "an agent of kind mcp-host is started, asked and read by hand; leave `command`, `address`, `request`, `answer` and `own_model` out";
    for (base, change, sentence) in [
        (command(), json!({"name": " "}), "`name` is empty"),
        (command(), json!({"command": null}), without_command),
        (command(), json!({"command": []}), without_command),
        (command(), json!({"kind": "acp", "command": null}), without_command),
        (command(), json!({"answer": null}), without_answer),
        (http(), json!({"answer": null}), without_answer),
        (http(), json!({"address": null}), "`address` is missing; it is the address of the server"),
        (
            http(),
            json!({"kind": "a2a", "address": null}),
            "`address` is missing; it is the address of the server",
        ),
        (http(), json!({"request": null}), "`request` is missing; it is the body that is sent to the server"),
        (command(), json!({"timeout_s": 0}), time),
        (command(), json!({"timeout_s": -1}), time),
        (command(), json!({"timeout_s": 86_400.5}), time),
        (by_hand(), json!({"timeout_s": 0}), time),
        (by_hand(), json!({"command": ["sh"]}), hand),
        (by_hand(), json!({"address": "http://127.0.0.1:1/"}), hand),
        (by_hand(), json!({"request": {}}), hand),
        (by_hand(), json!({"answer": {"stdout": "all"}}), hand),
        (by_hand(), json!({"own_model": {}}), hand),
    ] {
        let definition = with(base, change);
        refused(read(&definition), &format!("mine.json: {sentence}"));
    }
}

#[test]
fn a_place_of_an_answer_that_cannot_be_read_is_refused() {
    for (answer, sentence) in [
        (json!({"stdout": "json"}), "needs `pointer`, the place of the text in the JSON"),
        (json!({"stdout": "jsonl"}), "needs `pointer`, the place of the text in the JSON"),
        (json!({"stdout": "json", "pointer": "text"}), "has a `pointer` that does not begin with /"),
    ] {
        let definition = with(command(), json!({"answer": answer}));
        refused(read(&definition), &format!("mine.json: `answer` {sentence}"));
    }
}

#[test]
fn a_server_that_runs_already_has_to_be_told_of_each_attempt() {
    let untold = "mine.json: without `command` the server runs already, and `request` has to tell it where the tools of an attempt are: put {mcp_token_url} into it, and {openai} and {token} for its model";
    let no_port = "mine.json: `address` has {port}, but a server that runs already cannot be given a port; write the server's own port";
    refused(read(&with(running(), json!({"request": {"q": "{prompt}"}}))), untold);
    refused(read(&with(running(), json!({"kind": "a2a", "request": null}))), untold);
    refused(read(&with(running(), json!({"address": "http://127.0.0.1:{port}/"}))), no_port);
    for told in ["{token}", "{mcp_token_url}", "{mcp_json}"] {
        let definition = with(running(), json!({"request": {"deep": [{"er": format!("x{told}")}]}}));
        read(&definition).expect(told);
    }
    // One that is started finds the same in its environment.
    read(&with(http(), json!({"request": {}}))).expect("a server that is started");
}

#[test]
fn with_a_model_of_its_own_nothing_may_name_the_gateway() {
    for value in ["{openai}", "{anthropic}", "{gemini}"] {
        let sentence = format!(
            "mine.json: the definition still names {value} of the gateway, which does not answer with `own_model`; give `own_model` a `command`, `files` or `env` of its own"
        );
        for (field, leads, leads_not) in [
            ("command", json!(["sh", value]), json!(["sh"])),
            ("env", json!({"URL": value}), json!({})),
            ("files", json!({"{home}/a": value}), json!({})),
        ] {
            let named = with(command(), json!({field: leads.clone(), "own_model": {}}));
            refused(read(&named), &sentence);
            let own = with(command(), json!({field: leads_not, "own_model": {field: leads.clone()}}));
            refused(read(&own), &sentence);
            let mended = json!({field: leads, "own_model": {field: leads_not}});
            read(&with(command(), mended)).expect("its own model has another one");
        }
    }
    let own = json!({"own_model": {"request": {"q": "{prompt}"}}});
    refused(
        read(&with(running(), own)),
        "mine.json: without `command` the server runs already, and the `request` of `own_model` has to tell it where the tools of an attempt are: put {mcp_token_url} into it",
    );
}

#[test]
fn what_is_no_definition_says_where_it_is_wrong() {
    for (text, part) in [
        ("", "EOF while parsing a value"),
        ("[]", "invalid length 0"),
        (r#"{"name": "a", "kind": "shell"}"#, "unknown variant `shell`"),
        (r#"{"name": "a", "kind": "command", "comand": []}"#, "unknown field `comand`"),
        (r#"{"kind": "command"}"#, "missing field `name`"),
        (r#"{"name": "a", "kind": "command", "command": "sh -c"}"#, "expected a sequence"),
        (r#"{"name": "a", "kind": "command", "failed": {"exit": "always"}}"#, "unknown variant `always`"),
        (
            r#"{"name": "a", "kind": "command", "command": ["a"], "answer": {"stdin": "all"}}"#,
            "did not match any variant",
        ),
    ] {
        let why = Definition::read(text, "a.json").expect_err(text).to_string();
        assert!(why.starts_with("a.json is not a definition of an agent: "), "{why}");
        assert!(why.contains(part), "{why}\ninstead of\n{part}");
    }
}

#[test]
fn what_is_left_out_has_the_documented_value() {
    let definition = read(&command()).expect("a definition");
    assert_eq!(definition.timeout_s, 300.0);
    assert_eq!(definition.model(), "koab-model");
    assert_eq!(definition.failed.exit, None);
    assert!(definition.packages.is_empty());
    let named = with(command(), json!({"model_alias": "gpt-x"}));
    assert_eq!(read(&named).expect("a definition").model(), "gpt-x");
    // `url` is the earlier name.
    let earlier = with(http(), json!({"address": null, "url": "http://127.0.0.1:1/"}));
    let address = read(&earlier).expect("a definition").address;
    assert_eq!(address.as_deref(), Some("http://127.0.0.1:1/"));
}

#[test]
fn every_shipped_definition_is_read_and_written_back_as_it_was() {
    for name in catalog::names() {
        let (text, script) = catalog::find(name).expect(name);
        let definition = Definition::read(text, name).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(definition.name, name);
        assert_eq!(definition.script.is_some(), script.is_some(), "{name}");
        let written = serde_json::to_string(&definition).expect("JSON");
        assert_eq!(Definition::read(&written, name).expect(name), definition);
    }
}

#[test]
fn the_hash_is_another_one_with_any_other_text() {
    let definition = read(&command()).expect("a definition");
    let others = [
        json!({"command": ["sh", "-x"]}),
        json!({"timeout_s": 301}),
        json!({"script_text": "print()"}),
        json!({"note": "x"}),
        json!({"env": {"A": "1"}}),
    ];
    let mut hashes = vec![definition.hash()];
    for change in others {
        hashes.push(read(&with(command(), change)).expect("a definition").hash());
    }
    assert_eq!(hashes[0], read(&command()).expect("a definition").hash());
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 6);
}

#[test]
fn a_kind_is_written_as_it_is_read() {
    for kind in [Kind::Command, Kind::Acp, Kind::Http, Kind::A2a, Kind::McpHost] {
        assert_eq!(json!(kind), kind.as_str());
    }
}
