//! Grammars (GBNF) that hold a model to well-formed tool calls, or an answer to a schema.
//!
//! llama.cpp turns a JSON schema into rules; this puts the rules of all offered tools into one
//! grammar, in the markup of the model's form. The grammar of calls is lazy: it begins to bind when
//! the model opens a call, so a plain answer stays possible. A model that is held writes what it
//! would not have written by itself, so published runs do without.

use crate::tool_text::ToolForm;
use koab_core::tool::ToolSpec;
use serde_json::Value;
use std::fmt::Write as _;

/// A grammar for llama.cpp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    /// The rules in GBNF.
    pub gbnf: String,
    /// Name of the rule to begin with.
    pub root: String,
    /// Texts with which a call opens; the grammar binds from there on, the text included. Empty:
    /// from the first token.
    pub lazy_triggers: Vec<String>,
}

/// Why there is no grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum GrammarError {
    /// No tools, nothing to call.
    #[error("no tools are offered, so there is no grammar of their calls")]
    NoTools,
    /// The form is not one that rules can be written for.
    #[error(
        "there is no grammar of calls in the form `{form}`, so calls cannot be constrained; switch that off for this model"
    )]
    Form {
        /// The form.
        form: ToolForm,
    },
    /// A tool's schema is not one that llama.cpp can turn into rules.
    #[error(
        "the arguments of the tool {tool} cannot be made a grammar: llama.cpp does not take their JSON schema"
    )]
    Tool {
        /// The tool's name.
        tool: String,
    },
    /// The schema of an answer is not one that llama.cpp can turn into rules.
    #[error("the answer's JSON schema cannot be made a grammar: llama.cpp does not take it")]
    Schema,
}

/// Blanks between the parts of a call.
const BLANK: &str = "call-blank";

/// The grammar of calls of these tools, in this form.
///
/// # Errors
/// When a schema cannot be made rules.
pub fn of_tools(form: ToolForm, tools: &[ToolSpec]) -> Result<Grammar, GrammarError> {
    if tools.is_empty() {
        return Err(GrammarError::NoTools);
    }
    let (root, lazy_triggers) = envelope(form).ok_or(GrammarError::Form { form })?;
    let mut gbnf = String::new();
    let mut calls = Vec::new();
    for (place, tool) in tools.iter().enumerate() {
        let refused = || GrammarError::Tool { tool: tool.name.clone() };
        let prefix = format!("tool{place}-");
        let rules = rules_of(&tool.parameters).ok_or_else(refused)?;
        for rule in rules.lines().filter(|rule| !rule.trim().is_empty()) {
            gbnf.push_str(&prefixed(rule, &prefix));
            gbnf.push('\n');
        }
        let _ = writeln!(gbnf, "{prefix}call ::= {}", call(form, &tool.name, &format!("{prefix}root")));
        calls.push(format!("{prefix}call"));
    }
    let any = calls.join(" | ");
    let _ = writeln!(gbnf, "call ::= {any}\n{BLANK} ::= [ \\t\\n]{{0,8}}");
    let _ = writeln!(gbnf, "root ::= {root}");
    Ok(Grammar {
        gbnf,
        root: "root".to_owned(),
        lazy_triggers: lazy_triggers.iter().map(|text| (*text).to_owned()).collect(),
    })
}

/// The grammar of an answer of this schema, binding from the first token.
///
/// # Errors
/// When the schema cannot be made rules.
pub fn of_schema(schema: &Value) -> Result<Grammar, GrammarError> {
    Ok(Grammar {
        gbnf: rules_of(schema).ok_or(GrammarError::Schema)?,
        root: "root".to_owned(),
        lazy_triggers: Vec::new(),
    })
}

fn rules_of(schema: &Value) -> Option<String> {
    // Without properties, "an object" would be read as any JSON object; that is right, but it needs
    // to say so.
    let open = serde_json::json!({"type": "object"});
    let schema = if schema.as_object().is_some_and(serde_json::Map::is_empty) { &open } else { schema };
    llama_cpp_2::json_schema_to_grammar(&schema.to_string()).ok()
}

/// One call without what stands around all.
fn call(form: ToolForm, name: &str, arguments: &str) -> String {
    let key = match form {
        ToolForm::Llama3 => "parameters",
        _ => "arguments",
    };
    match form {
        ToolForm::Function => format!(
            "{} {BLANK} {arguments} {BLANK} {}",
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
            parts.join(&format!(" {BLANK} "))
        }
    }
}

/// What stands around all calls, and with what they open. There is none where the markup is not
/// known, or holds text that no rule describes.
fn envelope(form: ToolForm) -> Option<(String, &'static [&'static str])> {
    let tagged = |open: &str, close: &str| {
        let one = format!("{} {BLANK} call {BLANK} {}", literal(open), literal(close));
        format!("{one} ({BLANK} {one})*")
    };
    Some(match form {
        ToolForm::Auto | ToolForm::Parameters => return None,
        ToolForm::Hermes => (tagged("<tool_call>", "</tool_call>"), &["<tool_call>"]),
        ToolForm::Tools => (tagged("<tools>", "</tools>"), &["<tools>"]),
        ToolForm::Llama3 => (
            format!("{}? {BLANK} call ({BLANK} \";\" {BLANK} call)*", literal("<|python_tag|>")),
            &["<|python_tag|>", "{\"name\":", "{ \"name\":"],
        ),
        ToolForm::Mistral => (
            format!(
                "{} {BLANK} \"[\" {BLANK} call ({BLANK} \",\" {BLANK} call)* {BLANK} \"]\"",
                literal("[TOOL_CALLS]")
            ),
            &["[TOOL_CALLS]"],
        ),
        ToolForm::MistralArgs => ("call+".to_owned(), &["[TOOL_CALLS]"]),
        ToolForm::Function => (format!("call ({BLANK} call)*"), &["<function="]),
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

/// A line of rules with each rule's name prefixed; texts and classes of characters stay.
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
