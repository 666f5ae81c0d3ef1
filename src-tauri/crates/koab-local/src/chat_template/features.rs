//! What a template can say, found out by rendering small conversations: sources are too different
//! to be read.

use super::error::TemplateError;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{Message, RequestedCall};
use serde_json::json;

/// What a template was found to bear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TemplateFeatures {
    /// It reads texts from lists of parts, as templates of models that see pictures do.
    pub(super) parts: bool,
    /// It writes a system message. Otherwise its text goes before the user's first.
    pub(super) system: bool,
    /// It tells the tools.
    pub(super) tools: bool,
    /// It writes earlier calls and their answers.
    pub(super) calls: bool,
    /// Arguments come as objects, not as their JSON text.
    pub(super) arguments_as_objects: bool,
    /// A turn that only calls has null for its text.
    pub(super) null_content: bool,
    /// Ids must be nine letters and digits.
    pub(super) short_ids: bool,
    /// It bears no more than one call in a turn.
    pub(super) one_call: bool,
}

impl Default for TemplateFeatures {
    /// Those that Hugging Face describes.
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

/// Renders a conversation for a template of such manners.
type Render<'a> = &'a dyn Fn(&[Message], &[ToolSpec], &TemplateFeatures) -> Result<String, TemplateError>;

const TOOL: &str = "koab_probe_tool";
const KEY: &str = "koab_probe_key";
const SYSTEM: &str = "koab-probe-system";
const QUESTION: &str = "koab-probe-question";

/// Finds out.
///
/// # Errors
/// When not even one message of a user is rendered.
pub(super) fn observe(render: Render<'_>) -> Result<TemplateFeatures, TemplateError> {
    let mut manners = TemplateFeatures::default();
    let question = [Message::User(QUESTION.to_owned())];
    // A template for parts fails on a mere text, or writes nothing of it.
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
    // Templates that do not know the tools may still write calls, but none was seen that does it in
    // a form of its own.
    manners.calls = manners.tools;
    if manners.tools {
        observe_calls(render, &tools, &mut manners);
    }
    Ok(manners)
}

fn observe_calls(render: Render<'_>, tools: &[ToolSpec], manners: &mut TemplateFeatures) {
    let one = turns(1);
    let found = CALLS.iter().find_map(|(objects, null, short)| {
        let tried = TemplateFeatures {
            arguments_as_objects: *objects,
            null_content: *null,
            short_ids: *short,
            ..manners.clone()
        };
        let text = render(&one, tools, &tried).ok()?;
        (shows(Ok(text.clone()), &["koab-value-0", "koab-answer-0"]) && !misspelled(&text)).then_some(tried)
    });
    match found {
        Some(found) => *manners = found,
        None => manners.calls = false,
    }
    let two = ["koab-value-0", "koab-answer-0", "koab-value-1", "koab-answer-1"];
    manners.one_call = manners.calls && !shows(render(&turns(2), tools, manners), &two);
}

/// Arguments as objects, text of a mere call null, short ids: the usual first.
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

/// Whether arguments came out as Python prints a dictionary, or as JSON within a JSON text.
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

/// A question, one turn with so many calls, their answers, and a turn that ends it.
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
