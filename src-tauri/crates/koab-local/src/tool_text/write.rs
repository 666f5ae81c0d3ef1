//! Writes calls in each form, for conversations whose template cannot.

use super::{ReadCall, ToolForm};
use serde_json::{Value, json};

impl ToolForm {
    /// Writes calls in this form, as a model would.
    pub fn write(self, calls: &[ReadCall]) -> String {
        self::calls(self.for_writing(), calls)
    }
}

/// Joins calls in the given form.
fn calls(form: ToolForm, calls: &[ReadCall]) -> String {
    let each = |write: &dyn Fn(&ReadCall) -> String, between: &str| {
        calls.iter().map(write).collect::<Vec<_>>().join(between)
    };
    match form {
        ToolForm::Auto | ToolForm::Hermes => {
            each(&|call| format!("<tool_call>\n{}\n</tool_call>", object(call, "arguments")), "\n")
        }
        ToolForm::Llama3 => each(&|call| object(call, "parameters"), "; "),
        ToolForm::Mistral => format!("[TOOL_CALLS][{}]", each(&|call| object(call, "arguments"), ", ")),
        ToolForm::MistralArgs => {
            each(&|call| format!("[TOOL_CALLS]{}[ARGS]{}", call.name, call.arguments), "")
        }
        ToolForm::Function => {
            each(&|call| format!("<function={}>{}</function>", call.name, call.arguments), "\n")
        }
        ToolForm::Parameters => each(
            &|call| {
                format!(
                    "<tool_call>\n<function={}>\n{}</function>\n</tool_call>",
                    call.name,
                    parameters(&call.arguments)
                )
            },
            "\n",
        ),
        ToolForm::Tools => each(&|call| format!("<tools>\n{}\n</tools>", object(call, "arguments")), "\n"),
    }
}

/// `{"name": …, KEY: …}` in Python's spelling. Arguments that are not JSON stay a text.
fn object(call: &ReadCall, key: &str) -> String {
    let arguments = serde_json::from_str::<Value>(&call.arguments).unwrap_or_else(|_| json!(call.arguments));
    let mut object = serde_json::Map::new();
    object.insert("name".to_owned(), json!(call.name));
    object.insert(key.to_owned(), arguments);
    koab_core::python::dumps(&object.into(), koab_core::python::Dumps::default())
}

/// Writes each argument in its tag: texts unchanged, other values as JSON.
fn parameters(arguments: &str) -> String {
    let Ok(Value::Object(arguments)) = serde_json::from_str(arguments) else {
        return format!("{arguments}\n");
    };
    arguments
        .iter()
        .map(|(key, value)| {
            let value = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            format!("<parameter={key}>\n{value}\n</parameter>\n")
        })
        .collect()
}
