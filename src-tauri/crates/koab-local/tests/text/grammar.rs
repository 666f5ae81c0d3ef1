//! Grammars of calls and answers. What a grammar accepts is tested where there is a model; here its rules are.

use crate::text::conversations::tools;
use crate::text::gbnf::Rules;
use koab_core::tool::ToolSpec;
use koab_local::grammar::{GrammarError, of_schema, of_tools};
use koab_local::tool_text::{ReadCall, ToolForm};
use serde_json::json;
use std::collections::BTreeSet;

/// Names of the rules that a grammar defines, and of those that it uses.
fn names(gbnf: &str) -> (Vec<String>, BTreeSet<String>) {
    let mut defined = Vec::new();
    let mut used = BTreeSet::new();
    for line in gbnf.lines().filter(|line| !line.trim().is_empty()) {
        let (name, body) = line.split_once("::=").unwrap_or_else(|| panic!("no rule: {line}"));
        defined.push(name.trim().to_owned());
        let mut bare = String::new();
        let (mut closes, mut escaped) = (None, false);
        for c in body.chars() {
            match closes {
                Some(_) if escaped => escaped = false,
                Some(_) if c == '\\' => escaped = true,
                Some(close) if c == close => closes = None,
                Some(_) => {}
                None if c == '"' => closes = Some('"'),
                None if c == '[' => closes = Some(']'),
                None if c == '{' => closes = Some('}'),
                None => bare.push(c),
            }
        }
        assert_eq!(closes, None, "something stays open: {line}");
        used.extend(
            bare.split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
                .filter(|name| !name.is_empty())
                .map(ToOwned::to_owned),
        );
    }
    (defined, used)
}

/// Two tools whose schemas lead to rules of the same names.
fn alike() -> Vec<ToolSpec> {
    let mut tools = tools();
    tools.push(ToolSpec { name: "Place\"Search\\".to_owned(), ..tools[0].clone() });
    tools.push(ToolSpec { name: "Open".to_owned(), description: String::new(), parameters: json!({}) });
    tools
}

/// The forms whose calls have a grammar.
fn known() -> impl Iterator<Item = ToolForm> {
    ToolForm::all().filter(|form| !matches!(form, ToolForm::Auto | ToolForm::Parameters))
}

#[test]
fn rules_of_all_tools_stand_beside_each_other() {
    for form in known() {
        let grammar = of_tools(form, &alike()).unwrap();
        let (defined, used) = names(&grammar.gbnf);
        let distinct: BTreeSet<_> = defined.iter().cloned().collect();
        assert_eq!(distinct.len(), defined.len(), "{form}: a rule is defined twice\n{}", grammar.gbnf);
        assert!(
            used.is_subset(&distinct),
            "{form}: undefined {:?}\n{}",
            used.difference(&distinct),
            grammar.gbnf
        );
        assert!(distinct.contains(&grammar.root));
        assert!(!grammar.lazy_triggers.is_empty());
    }
}

#[test]
fn a_grammar_of_calls_is_the_markup_around_the_schema() {
    let grammar = of_tools(ToolForm::Hermes, &tools()[1..]).unwrap();
    insta::assert_snapshot!(grammar.gbnf, @r###"
    tool0-root ::= "{" tool0-space "}"
    tool0-space ::= | " " | "\n"{1,2} [ \t]{0,20}
    tool0-call ::= "{" call-blank "\"name\"" call-blank ":" call-blank "\"Now\"" call-blank "," call-blank "\"arguments\"" call-blank ":" call-blank tool0-root call-blank "}"
    call ::= tool0-call
    call-blank ::= [ \t\n]{0,8}
    root ::= "<tool_call>" call-blank call call-blank "</tool_call>" (call-blank "<tool_call>" call-blank call call-blank "</tool_call>")*
    "###);
    assert_eq!(grammar.lazy_triggers, ["<tool_call>"]);
}

#[test]
fn calls_as_models_write_them_are_accepted_and_others_are_not() {
    let call =
        |name: &str, arguments: &str| ReadCall { name: name.to_owned(), arguments: arguments.to_owned() };
    let good = [
        call(
            "PlaceSearch",
            r#"{"query": "강남역 \"카페\" <b>{[", "radius": 500, "at": {"x": 127.5, "y": -1e3}, "kinds": ["카페", "식당"]}"#,
        ),
        call("Now", "{}"),
    ];
    let bad = [
        call("Other", "{}"),
        call("Now", r#"{"query": "x"}"#),
        call("PlaceSearch", "{}"),
        call("PlaceSearch", r#"{"query": 1}"#),
        call("PlaceSearch", r#"{"query": "x", "kinds": ["집"]}"#),
    ];
    for form in known() {
        let grammar = of_tools(form, &tools()).unwrap();
        let rules = Rules::parse(&grammar.gbnf);
        let accepts = |calls: &[ReadCall]| rules.accepts(&grammar.root, &form.write(calls));
        assert!(accepts(&good) && accepts(&good[1..]), "{form}: {}\n{}", form.write(&good), grammar.gbnf);
        // The grammar binds from a trigger on, so a call has to begin with one.
        let text = form.write(&good);
        assert!(grammar.lazy_triggers.iter().any(|trigger| text.starts_with(trigger)), "{form}");
        for call in &bad {
            assert!(!accepts(std::slice::from_ref(call)), "{form}: {call:?}");
        }
    }
}

#[test]
fn llama_cpp_takes_the_grammars() {
    for form in known() {
        let grammar = of_tools(form, &alike()).unwrap();
        assert!(crate::text::gbnf::llama_cpp_takes(&grammar), "{form}:\n{}", grammar.gbnf);
    }
    let mut broken = of_schema(&json!({"type": "string"})).unwrap();
    assert!(crate::text::gbnf::llama_cpp_takes(&broken));
    broken.gbnf.push_str("x ::= (");
    assert!(!crate::text::gbnf::llama_cpp_takes(&broken));
}

#[test]
fn the_tools_of_the_starter_pack_make_one_grammar() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tasks/tools");
    let tools: Vec<ToolSpec> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| serde_json::from_slice(&std::fs::read(file.unwrap().path()).unwrap()).unwrap())
        .collect();
    assert!(tools.len() > 20);
    for form in known() {
        let grammar = of_tools(form, &tools).unwrap();
        assert!(crate::text::gbnf::llama_cpp_takes(&grammar), "{form}:\n{}", grammar.gbnf);
    }
}

#[test]
fn names_are_quoted() {
    let gbnf = of_tools(ToolForm::Hermes, &alike()).unwrap().gbnf;
    assert!(gbnf.contains(r#""\"Place\\\"Search\\\\\"""#), "{gbnf}");
}

#[test]
fn an_answer_is_held_to_its_schema() {
    let grammar = of_schema(&json!({
        "type": "object",
        "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 5}, "이유": {"type": "string"}},
        "required": ["score", "이유"],
    }))
    .unwrap();
    let (defined, used) = names(&grammar.gbnf);
    assert!(defined.contains(&"root".to_owned()), "{}", grammar.gbnf);
    assert!(used.iter().all(|name| defined.contains(name)), "{}", grammar.gbnf);
    assert!(grammar.gbnf.contains("score") && grammar.gbnf.contains("이유"));
    assert_eq!(grammar.lazy_triggers, [""; 0]);
}

#[test]
fn what_cannot_be_a_grammar_says_so() {
    assert_eq!(of_tools(ToolForm::Hermes, &[]), Err(GrammarError::NoTools));
    insta::assert_snapshot!(of_tools(ToolForm::Auto, &tools()).unwrap_err(), @"there is no grammar of calls in the form `auto`, so calls cannot be constrained; switch that off for this model");
    let broken = ToolSpec {
        name: "Broken".to_owned(),
        description: String::new(),
        parameters: json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/nowhere"}}}),
    };
    insta::assert_snapshot!(of_tools(ToolForm::Hermes, &[broken]).unwrap_err(), @"the arguments of the tool Broken cannot be made a grammar: llama.cpp does not take their JSON schema");
    assert_eq!(of_schema(&json!({"$ref": "#/$defs/nowhere"})), Err(GrammarError::Schema));
}
