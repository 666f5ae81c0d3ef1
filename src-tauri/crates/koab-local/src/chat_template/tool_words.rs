//! Descriptions of tools in this program's own words, for templates without support for tools.
//!
//! The words ask for the form that [`ToolForm::write`] writes, so earlier calls in the conversation
//! are examples of it.

use crate::tool_text::{ReadCall, ToolForm};
use koab_core::python::{Dumps, dumps};
use koab_core::tool::ToolSpec;
use serde_json::{Value, json};

/// Text of the system message that describes the tools.
pub(super) fn tools(tools: &[ToolSpec], form: ToolForm) -> String {
    let definitions: Vec<String> = tools.iter().map(|tool| dumps(&openai(tool), Dumps::default())).collect();
    let example = form
        .for_writing()
        .write(&[ReadCall { name: "NAME".to_owned(), arguments: r#"{"ARGUMENT": "VALUE"}"#.to_owned() }]);
    format!(
        "You can call functions. Each line between <tools> and </tools> describes one as JSON:\n\
         <tools>\n{}\n</tools>\n\n\
         To call a function, write its name and its arguments in exactly this form, once for each call:\n\
         {example}\n\n\
         Then stop: the results come in the next message, between <tool_response> and </tool_response>. Call a function \
         whenever it helps to answer, and answer the user in plain text when you need no more calls.",
        definitions.join("\n")
    )
}

/// Text of a user message with the result of a call.
pub(super) fn answer(content: &str) -> String {
    format!("<tool_response>\n{content}\n</tool_response>")
}

/// A tool in OpenAI's form.
pub(super) fn openai(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        },
    })
}
