//! Forms of tool calls: the markups that models write around a call, each as a model was trained on
//! it.

use std::fmt;
use std::str::FromStr;

/// Markup of tool calls in a model's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ToolForm {
    /// Every known markup.
    #[default]
    Auto,
    /// `<tool_call>{"name": …, "arguments": …}</tool_call>`: Hermes, Qwen 2.5 and 3, and many more.
    Hermes,
    /// `{"name": …, "parameters": …}`, bare or after `<|python_tag|>`: Llama 3.
    Llama3,
    /// `[TOOL_CALLS][{"name": …, "arguments": …}]`: Mistral up to its third tokenizer.
    Mistral,
    /// `[TOOL_CALLS]NAME[ARGS]{…}`: Mistral's newer models.
    MistralArgs,
    /// `<function=NAME>{…}</function>`.
    Function,
    /// `<tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></tool_call>`: Qwen
    /// from 3.5 on.
    Parameters,
    /// `<tools>{…}</tools>`.
    Tools,
}

/// Every form with its name.
const NAMES: [(ToolForm, &str); 8] = [
    (ToolForm::Auto, "auto"),
    (ToolForm::Hermes, "hermes"),
    (ToolForm::Llama3, "llama3"),
    (ToolForm::Mistral, "mistral"),
    (ToolForm::MistralArgs, "mistral-args"),
    (ToolForm::Function, "function"),
    (ToolForm::Parameters, "parameters"),
    (ToolForm::Tools, "tools"),
];

impl ToolForm {
    /// All forms.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(form, _)| *form)
    }

    /// The form that a chat template teaches, found by the markup in its source.
    pub fn of_template(source: &str) -> Self {
        let has = |mark: &str| source.contains(mark);
        if has("[TOOL_CALLS]") {
            if has("[ARGS]") { Self::MistralArgs } else { Self::Mistral }
        } else if has("<function=") && has("<parameter=") {
            Self::Parameters
        } else if has("<tool_call>") && !has("<arg_key>") {
            Self::Hermes
        } else if has("<|python_tag|>") || (has("\"parameters\":") && has("<|start_header_id|>")) {
            Self::Llama3
        } else if has("<function=") {
            Self::Function
        } else {
            Self::Auto
        }
    }

    /// The form that this program writes itself if a template cannot write calls.
    pub(crate) fn for_writing(self) -> Self {
        match self {
            Self::Auto => Self::Hermes,
            form => form,
        }
    }
}

impl fmt::Display for ToolForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(form, _)| form == self);
        f.write_str(name.map_or("auto", |(_, name)| name))
    }
}

/// The name is not a form of tool calls.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error(
    "there is no form of tool calls named `{0}`; choose one of auto, hermes, llama3, mistral, mistral-args, function, parameters, tools"
)]
pub struct UnknownForm(pub String);

impl FromStr for ToolForm {
    type Err = UnknownForm;

    fn from_str(name: &str) -> Result<Self, UnknownForm> {
        NAMES
            .iter()
            .find(|(_, form_name)| *form_name == name)
            .map(|(form, _)| *form)
            .ok_or_else(|| UnknownForm(name.to_owned()))
    }
}
