//! Chat templates: a conversation and its tools become the prompt format that a model was trained
//! on.
//!
//! The template comes with the model, in the Jinja dialect that Hugging Face's
//! `apply_chat_template` runs: the same variables, the same whitespace, and values spelled as
//! Python spells them.
//!
//! Some templates do not support tools, a system message or several calls at once. Rendering small
//! conversations at load time detects this ([`features`]), and such content is then written in
//! another form. Templates are untrusted, so their cost is limited ([`budget`], [`guards`]).
//!
//! [`crate::fitting`] fits a prompt into a context, and [`crate::tool_text`] parses the model's
//! answer.

mod budget;
mod conversation;
mod error;
mod features;
mod filters;
mod guards;
mod machine;
mod python_text;
mod refusal;
mod texts;
mod tool_words;
mod variables;

pub use error::TemplateError;

use crate::tool_text::ToolForm;
use features::TemplateFeatures;
use jiff::civil::DateTime;
use koab_core::tool::ToolSpec;
use koab_engine::ports::Message;
use machine::{Input, Machine};
use serde_json::{Map, Value};
use variables::Shaped;

/// The special tokens that templates can name. A token that the tokenizer does not have is an
/// undefined variable, as in Python.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecialTokens {
    /// `bos_token`, the token at the beginning of a text.
    pub bos: Option<String>,
    /// `eos_token`, the token at the end of a text.
    pub eos: Option<String>,
    /// `pad_token`.
    pub pad: Option<String>,
    /// `unk_token`.
    pub unk: Option<String>,
}

/// A chat template, ready to render.
#[derive(Clone, Debug)]
pub struct ChatTemplate {
    plain: Side,
    /// The template named `tool_use`, where there is one.
    with_tools: Option<Side>,
    variables: Map<String, Value>,
    now: Option<DateTime>,
}

/// One template with its detected features.
#[derive(Clone, Debug)]
struct Side {
    machine: Machine,
    manners: TemplateFeatures,
    form: ToolForm,
}

impl ChatTemplate {
    /// Parses a template from its source.
    ///
    /// # Errors
    /// When the source cannot be parsed, or cannot render a conversation of one user message.
    pub fn new(source: &str, tokens: &SpecialTokens) -> Result<Self, TemplateError> {
        Self::of_sources(source, None, tokens)
    }

    /// Parses the `chat_template` of `tokenizer_config.json`: one text, or a list of `{"name",
    /// "template"}`.
    ///
    /// In a list, `default` is for conversations without tools and `tool_use` for those with tools.
    ///
    /// # Errors
    /// The errors of [`Self::new`], and [`TemplateError::NotATemplate`] for any other value.
    pub fn of_config(chat_template: &Value, tokens: &SpecialTokens) -> Result<Self, TemplateError> {
        let entries = match chat_template {
            Value::String(source) => return Self::new(source, tokens),
            Value::Array(entries) => entries,
            _ => return Err(TemplateError::NotATemplate),
        };
        let of = |name: &str| {
            entries.iter().find(|entry| entry["name"] == name).and_then(|entry| entry["template"].as_str())
        };
        let first = entries.first().and_then(|entry| entry["template"].as_str());
        let default =
            of("default").or_else(|| of("tool_use")).or(first).ok_or(TemplateError::NotATemplate)?;
        Self::of_sources(default, of("tool_use"), tokens)
    }

    fn of_sources(
        source: &str,
        tool_use: Option<&str>,
        tokens: &SpecialTokens,
    ) -> Result<Self, TemplateError> {
        let mut variables = Map::new();
        for (name, token) in [
            ("bos_token", &tokens.bos),
            ("eos_token", &tokens.eos),
            ("pad_token", &tokens.pad),
            ("unk_token", &tokens.unk),
        ] {
            if let Some(token) = token {
                variables.insert(name.to_owned(), token.as_str().into());
            }
        }
        let mut template = Self {
            plain: Side::unknown(source)?,
            with_tools: tool_use.map(Side::unknown).transpose()?,
            variables,
            now: None,
        };
        let manners = template.look_at(&template.plain)?;
        template.plain.behaves(manners);
        if let Some(side) = &template.with_tools {
            let manners = template.look_at(side)?;
            if let Some(side) = &mut template.with_tools {
                side.behaves(manners);
            }
        }
        Ok(template)
    }

    /// Sets a fixed date and time. Some templates write today's date into the prompt, and
    /// repeatable runs need the same date each time.
    ///
    /// Without a fixed time, `strftime_now` reads the clock at each rendering.
    #[must_use]
    pub fn at(mut self, now: DateTime) -> Self {
        self.now = Some(now);
        self
    }

    /// Adds one variable for the template, such as `enable_thinking`.
    ///
    /// # Errors
    /// When the template can no longer render a conversation.
    pub fn with(mut self, name: &str, value: Value) -> Result<Self, TemplateError> {
        self.variables.insert(name.to_owned(), value);
        self.look_at(&self.plain)?;
        Ok(self)
    }

    /// Renders the prompt: the conversation, the tools, and the opening of the model's turn.
    ///
    /// # Errors
    /// When the template refuses the conversation or fails.
    pub fn render(&self, messages: &[Message], tools: &[ToolSpec]) -> Result<String, TemplateError> {
        let side = self.side(!tools.is_empty());
        let shaped = conversation::shape(messages, tools, &side.manners, side.form);
        let first = match self.run(side, &shaped) {
            Err(error @ (TemplateError::Refused { .. } | TemplateError::Failed { .. })) => error,
            outcome => return outcome,
        };
        // Some templates require that user and assistant alternate.
        match shaped.taking_turns() {
            Some(turns) => self.run(side, &turns).map_err(|_| first),
            None => Err(first),
        }
    }

    /// Whether the template itself writes the tools into the prompt, which a trial rendering shows.
    /// If not, the system message describes the tools in this program's words.
    pub fn handles_tools(&self) -> bool {
        self.side(true).manners.tools
    }

    /// The syntax of tool calls that a model with this template writes.
    pub fn tool_form(&self) -> ToolForm {
        self.side(true).form
    }

    fn side(&self, tools: bool) -> &Side {
        match &self.with_tools {
            Some(side) if tools => side,
            _ => &self.plain,
        }
    }

    fn look_at(&self, side: &Side) -> Result<TemplateFeatures, TemplateError> {
        features::observe(&|messages, tools, manners| {
            self.run(side, &conversation::shape(messages, tools, manners, side.form))
        })
    }

    fn run(&self, side: &Side, shaped: &Shaped) -> Result<String, TemplateError> {
        let mut variables = self.variables.clone();
        let bytes = shaped.bytes();
        let messages = shaped.messages.len();
        variables.insert("messages".to_owned(), shaped.variable());
        // Python passes these variables even where they are empty.
        variables.insert("tools".to_owned(), shaped.tools.clone());
        variables.insert("documents".to_owned(), Value::Null);
        variables.insert("add_generation_prompt".to_owned(), true.into());
        side.machine.render(&Input {
            variables: &variables,
            bytes,
            messages,
            now: self.now.unwrap_or_else(|| jiff::Zoned::now().datetime()),
        })
    }
}

impl Side {
    /// A template whose features are not detected yet.
    fn unknown(source: &str) -> Result<Self, TemplateError> {
        Ok(Self {
            machine: Machine::new(source)?,
            manners: TemplateFeatures::default(),
            form: ToolForm::of_template(source),
        })
    }

    fn behaves(&mut self, manners: TemplateFeatures) {
        if !manners.tools {
            // This program's own words describe the tools then, and they ask for this form.
            self.form = ToolForm::Hermes;
        }
        self.manners = manners;
    }
}
