//! Tools in this program's words, for templates that do not know of them. The words ask for the
//! form that [`ToolForm::told`] writes, so that earlier calls in the conversation are examples of
//! it.

use crate::tool_text::{ReadCall, ToolForm};
use koab_core::python::{Dumps, dumps};
use koab_core::tool::ToolSpec;
use serde_json::{Value, json};

/// What the system message says of the tools.
pub(super) fn tools(tools: &[ToolSpec], form: ToolForm) -> String {
    let listed: Vec<String> = tools.iter().map(|tool| dumps(&openai(tool), Dumps::default())).collect();
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
        listed.join("\n")
    )
}

/// What a user's message says of a call's result.
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
