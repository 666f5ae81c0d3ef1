//! Detection of what a template supports, by rendering small conversations. Template sources differ
//! too much to be analysed.

use super::error::TemplateError;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{Message, RequestedCall};
use serde_json::json;

/// Features of a template, as detected by probing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TemplateFeatures {
    /// Whether the template reads texts from lists of parts, as templates of vision models do.
    pub(super) parts: bool,
    /// Whether the template writes a system message. Otherwise the system text is put before the
    /// first user message.
    pub(super) system: bool,
    /// Whether the template writes the tools into the prompt.
    pub(super) tools: bool,
    /// Whether the template writes earlier calls and their answers.
    pub(super) calls: bool,
    /// Whether the template reads arguments as objects, not as JSON text.
    pub(super) arguments_as_objects: bool,
    /// Whether the template expects a null content in a turn that has only calls.
    pub(super) null_content: bool,
    /// Whether the template requires call ids of nine letters and digits.
    pub(super) short_ids: bool,
    /// Whether the template supports at most one call in a turn.
    pub(super) one_call: bool,
}

impl Default for TemplateFeatures {
    /// The features that Hugging Face documents.
    fn default() -> Self {
        Self {
            parts: false,
            system: true,
            tools: true,
            calls: true,
            arguments_as_objects: true,
            null_content: false,
            short_ids: false,
            one_call: false,
        }
    }
}

/// Renders a conversation for a template with the given features.
type Render<'a> = &'a dyn Fn(&[Message], &[ToolSpec], &TemplateFeatures) -> Result<String, TemplateError>;

const TOOL: &str = "koab_probe_tool";
const KEY: &str = "koab_probe_key";
const SYSTEM: &str = "koab-probe-system";
const QUESTION: &str = "koab-probe-question";

/// Detects the features of a template.
///
/// # Errors
/// When not even a conversation of one user message can be rendered.
pub(super) fn observe(render: Render<'_>) -> Result<TemplateFeatures, TemplateError> {
    let mut manners = TemplateFeatures::default();
    let question = [Message::User(QUESTION.to_owned())];
    // A template for parts fails on a plain text, or does not write it.
    let first = render(&question, &[], &manners);
    if !shows(first.clone(), &[QUESTION]) {
        manners.parts = true;
        if !shows(render(&question, &[], &manners), &[QUESTION]) {
            return Err(first.err().unwrap_or(TemplateError::Mute));
        }
    }
    let with_system = [Message::System(SYSTEM.to_owned()), question[0].clone()];
    manners.system = shows(render(&with_system, &[], &manners), &[SYSTEM, QUESTION]);
    let tools = [probe_tool()];
    manners.tools = shows(render(&question, &tools, &manners), &[TOOL]);
    // Templates without support for tools might still write calls, but none is known that does so
    // in a form of its own.
    manners.calls = manners.tools;
    if manners.tools {
        observe_calls(render, &tools, &mut manners);
    }
    Ok(manners)
}

fn observe_calls(render: Render<'_>, tools: &[ToolSpec], manners: &mut TemplateFeatures) {
    let one = turns(1);
    let features = CALLS.iter().find_map(|(objects, null, short)| {
        let tried = TemplateFeatures {
            arguments_as_objects: *objects,
            null_content: *null,
            short_ids: *short,
            ..manners.clone()
        };
        let text = render(&one, tools, &tried).ok()?;
        (shows(Ok(text.clone()), &["koab-value-0", "koab-answer-0"]) && !misspelled(&text)).then_some(tried)
    });
    match features {
        Some(features) => *manners = features,
        None => manners.calls = false,
    }
    let two = ["koab-value-0", "koab-answer-0", "koab-value-1", "koab-answer-1"];
    manners.one_call = manners.calls && !shows(render(&turns(2), tools, manners), &two);
}

/// Combinations of `arguments_as_objects`, `null_content` and `short_ids` to try with a template,
/// the most common first.
const CALLS: [(bool, bool, bool); 8] = [
    (true, false, false),
    (true, false, true),
    (false, false, false),
    (false, false, true),
    (true, true, false),
    (true, true, true),
    (false, true, false),
    (false, true, true),
];

/// Whether a rendered prompt has the arguments in a wrong spelling: as a Python dictionary, or as
/// JSON inside a JSON text.
fn misspelled(text: &str) -> bool {
    ["'{}': '", "\\\"{}\\\": \\\"", "\\\"{}\\\":\\\""]
        .iter()
        .any(|spelled| text.contains(&format!("{}koab-value", spelled.replace("{}", KEY))))
}

fn shows(rendered: Result<String, TemplateError>, texts: &[&str]) -> bool {
    rendered.is_ok_and(|rendered| texts.iter().all(|text| rendered.contains(text)))
}

fn probe_tool() -> ToolSpec {
    ToolSpec {
        name: TOOL.to_owned(),
        description: "koab-probe-description".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {KEY: {"type": "string", "description": "koab-probe-argument"}},
            "required": [KEY],
        }),
    }
}

/// A question, one turn with `calls` calls, their answers, and a last turn of the assistant.
fn turns(calls: usize) -> Vec<Message> {
    let mut turns = vec![
        Message::User(QUESTION.to_owned()),
        Message::Assistant {
            content: String::new(),
            calls: (0..calls)
                .map(|i| RequestedCall {
                    id: format!("call_{i}"),
                    name: TOOL.to_owned(),
                    arguments: json!({KEY: format!("koab-value-{i}")}).to_string(),
                })
                .collect(),
            opaque: None,
        },
    ];
    turns.extend((0..calls).map(|i| Message::Tool {
        call_id: format!("call_{i}"),
        content: json!({"found": format!("koab-answer-{i}")}).to_string(),
    }));
    turns
}
