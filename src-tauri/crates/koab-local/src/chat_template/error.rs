//! Errors of chat templates.

use koab_core::say;
use koab_core::sentence::Sentence;

/// Reason why no prompt could be rendered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum TemplateError {
    /// The template is empty.
    #[error(
        "the chat template is empty; choose a model with a chat template, or put a chat_template.jinja beside it"
    )]
    Empty,
    /// The configuration contains something other than a template.
    #[error("the chat_template of the tokenizer's configuration is neither a text nor a list of named texts")]
    NotATemplate,
    /// The output of the template does not contain the user's message.
    #[error("the chat template leaves out what the user says; it is not one for conversations in text")]
    Mute,
    /// The template is not valid Jinja.
    #[error("the chat template cannot be read{}: {said}", at(.line))]
    Syntax {
        /// Message of the template engine.
        said: String,
        /// Line in the template.
        line: Option<usize>,
    },
    /// The template called `raise_exception`.
    #[error("the chat template refuses the conversation{}: {said}", at(.line))]
    Refused {
        /// Message that the template passed to `raise_exception`.
        said: String,
        /// Line in the template.
        line: Option<usize>,
    },
    /// The rendering failed, for example at an unknown filter or a value of the wrong type.
    #[error("the chat template failed{}: {said}", at(.line))]
    Failed {
        /// Message of the template engine.
        said: Sentence,
        /// Line in the template.
        line: Option<usize>,
    },
    /// The rendering would take too much memory or time.
    #[error("the chat template was stopped because {what}")]
    TooMuch {
        /// The exceeded limit, as a clause.
        what: Sentence,
    },
}

fn at(line: &Option<usize>) -> Sentence {
    line.map_or(Sentence::EMPTY, |line| say!(" in line {line}"))
}
