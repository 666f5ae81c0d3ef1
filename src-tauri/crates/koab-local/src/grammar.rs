//! Grammars (GBNF) that constrain a model to well-formed tool calls, or an answer to a schema.
//!
//! llama.cpp converts a JSON schema to rules. This module combines the rules of all offered tools
//! into one grammar, in the markup of calls that the model was trained on ([`ToolForm`]). The
//! grammar of calls is lazy: it takes effect when the model opens a call, so a plain answer stays
//! possible. A constrained model writes text that it would not have written by itself, so published
//! runs do not use grammars.

use crate::tool_text::ToolForm;
use koab_core::tool::ToolSpec;
use serde_json::Value;
use std::fmt::Write as _;

/// A grammar for llama.cpp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    /// The rules in GBNF.
    pub gbnf: String,
    /// Name of the start rule.
    pub root: String,
    /// Texts that open a call. The grammar takes effect from there on, including that text. If the
    /// list is empty, it takes effect from the first token.
    pub lazy_triggers: Vec<String>,
}

/// Reason why there is no grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum GrammarError {
    /// No tools are offered.
    #[error("no tools are offered, so there is no grammar of their calls")]
    NoTools,
    /// No rules exist for this markup of calls.
    #[error(
        "there is no grammar of calls in the form `{form}`, so calls cannot be constrained; switch that off for this model"
    )]
    Form {
        /// Markup of the calls.
        form: ToolForm,
    },
    /// llama.cpp cannot convert the schema of a tool to rules.
    #[error(
        "the arguments of the tool {tool} cannot be made a grammar: llama.cpp does not take their JSON schema"
    )]
    Tool {
        /// Name of the tool.
        tool: String,
    },
    /// llama.cpp cannot convert the schema of an answer to rules.
    #[error("the answer's JSON schema cannot be made a grammar: llama.cpp does not take it")]
    Schema,
}

/// Name of the rule for blanks between the parts of a call.
const BLANK_RULE: &str = "call-blank";

/// Grammar of calls of these tools, in this form.
///
/// # Errors
/// When there are no tools, the form has no grammar, or a schema cannot be converted.
pub fn of_tools(form: ToolForm, tools: &[ToolSpec]) -> Result<Grammar, GrammarError> {
    if tools.is_empty() {
        return Err(GrammarError::NoTools);
    }
    let (root, lazy_triggers) = envelope(form).ok_or(GrammarError::Form { form })?;
    let mut gbnf = String::new();
    let mut calls = Vec::new();
    for (place, tool) in tools.iter().enumerate() {
        let schema_error = || GrammarError::Tool { tool: tool.name.clone() };
        let prefix = format!("tool{place}-");
        let rules = rules_of(&tool.parameters).ok_or_else(schema_error)?;
        for rule in rules.lines().filter(|rule| !rule.trim().is_empty()) {
            gbnf.push_str(&prefixed(rule, &prefix));
            gbnf.push('\n');
        }
        let _ = writeln!(gbnf, "{prefix}call ::= {}", call(form, &tool.name, &format!("{prefix}root")));
        calls.push(format!("{prefix}call"));
    }
    let any = calls.join(" | ");
    let _ = writeln!(gbnf, "call ::= {any}\n{BLANK_RULE} ::= [ \\t\\n]{{0,8}}");
    let _ = writeln!(gbnf, "root ::= {root}");
    Ok(Grammar {
        gbnf,
        root: "root".to_owned(),
        lazy_triggers: lazy_triggers.iter().map(|text| (*text).to_owned()).collect(),
    })
}

/// Grammar of an answer of this schema, in effect from the first token.
///
/// # Errors
/// When the schema cannot be converted to rules.
pub fn of_schema(schema: &Value) -> Result<Grammar, GrammarError> {
    Ok(Grammar {
        gbnf: rules_of(schema).ok_or(GrammarError::Schema)?,
        root: "root".to_owned(),
        lazy_triggers: Vec::new(),
    })
}

fn rules_of(schema: &Value) -> Option<String> {
    // Without properties the schema means any JSON object, which llama.cpp needs to be stated
    // explicitly.
    let open = serde_json::json!({"type": "object"});
    let schema = if schema.as_object().is_some_and(serde_json::Map::is_empty) { &open } else { schema };
    llama_cpp_2::json_schema_to_grammar(&schema.to_string()).ok()
}

/// Rule of one call, without the markup around all calls.
fn call(form: ToolForm, name: &str, arguments: &str) -> String {
    let key = match form {
        ToolForm::Llama3 => "parameters",
        _ => "arguments",
    };
    match form {
        ToolForm::Function => format!(
            "{} {BLANK_RULE} {arguments} {BLANK_RULE} {}",
            literal(&format!("<function={name}>")),
            literal("</function>")
        ),
        ToolForm::MistralArgs => format!("{} {arguments}", literal(&format!("[TOOL_CALLS]{name}[ARGS]"))),
        _ => {
            let parts = [
                literal("{"),
                literal("\"name\""),
                literal(":"),
                literal(&Value::from(name).to_string()),
                literal(","),
                literal(&format!("\"{key}\"")),
                literal(":"),
                arguments.to_owned(),
                literal("}"),
            ];
            parts.join(&format!(" {BLANK_RULE} "))
        }
    }
}

/// Rule of the markup around all calls, and the texts that open it. `None` if the markup is
/// unknown, or contains text that no rule describes.
fn envelope(form: ToolForm) -> Option<(String, &'static [&'static str])> {
    let tagged = |open: &str, close: &str| {
        let one = format!("{} {BLANK_RULE} call {BLANK_RULE} {}", literal(open), literal(close));
        format!("{one} ({BLANK_RULE} {one})*")
    };
    Some(match form {
        ToolForm::Auto | ToolForm::Parameters => return None,
        ToolForm::Hermes => (tagged("<tool_call>", "</tool_call>"), &["<tool_call>"]),
        ToolForm::Tools => (tagged("<tools>", "</tools>"), &["<tools>"]),
        ToolForm::Llama3 => (
            format!(
                "{}? {BLANK_RULE} call ({BLANK_RULE} \";\" {BLANK_RULE} call)*",
                literal("<|python_tag|>")
            ),
            &["<|python_tag|>", "{\"name\":", "{ \"name\":"],
        ),
        ToolForm::Mistral => (
            format!(
                "{} {BLANK_RULE} \"[\" {BLANK_RULE} call ({BLANK_RULE} \",\" {BLANK_RULE} call)* {BLANK_RULE} \"]\"",
                literal("[TOOL_CALLS]")
            ),
            &["[TOOL_CALLS]"],
        ),
        ToolForm::MistralArgs => ("call+".to_owned(), &["[TOOL_CALLS]"]),
        ToolForm::Function => (format!("call ({BLANK_RULE} call)*"), &["<function="]),
    })
}

/// A text in GBNF's quotes.
fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A line of rules with each rule name prefixed. Quoted texts and character classes are unchanged.
fn prefixed(rule: &str, prefix: &str) -> String {
    let mut out = String::with_capacity(rule.len() + 64);
    let mut closes = None;
    let mut braces = false;
    let mut in_name = false;
    let mut chars = rule.chars();
    while let Some(c) = chars.next() {
        match (closes, c) {
            (Some(_), '\\') => {
                out.push(c);
                out.extend(chars.next());
                continue;
            }
            (Some(close), c) => {
                if c == close {
                    closes = None;
                }
                out.push(c);
                continue;
            }
            (None, '"') => closes = Some('"'),
            (None, '[') => closes = Some(']'),
            (None, '{') => braces = true,
            (None, '}') => braces = false,
            _ => {}
        }
        let of_name = closes.is_none() && !braces && (c.is_ascii_alphanumeric() || c == '-');
        if of_name && !in_name {
            out.push_str(prefix);
        }
        in_name = of_name;
        out.push(c);
    }
    out
}
