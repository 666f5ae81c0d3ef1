//! Why there is no prompt.

use koab_core::say;
use koab_core::sentence::Sentence;

/// Why there is no prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum TemplateError {
    /// No template.
    #[error(
        "the chat template is empty; choose a model with a chat template, or put a chat_template.jinja beside it"
    )]
    Empty,
    /// The configuration holds something that is no template.
    #[error("the chat_template of the tokenizer's configuration is neither a text nor a list of named texts")]
    NotATemplate,
    /// It says nothing of what the user says.
    #[error("the chat template leaves out what the user says; it is not one for conversations in text")]
    Mute,
    /// It is no Jinja.
    #[error("the chat template cannot be read{}: {said}", at(.line))]
    Syntax {
        /// What the template engine said.
        said: String,
        /// Line in the template.
        line: Option<usize>,
    },
    /// It called `raise_exception`.
    #[error("the chat template refuses the conversation{}: {said}", at(.line))]
    Refused {
        /// What the template said.
        said: String,
        /// Line in the template.
        line: Option<usize>,
    },
    /// It broke off: an unknown filter, a value of the wrong type.
    #[error("the chat template failed{}: {said}", at(.line))]
    Failed {
        /// What the template engine said.
        said: Sentence,
        /// Line in the template.
        line: Option<usize>,
    },
    /// It would take too much memory or time.
    #[error("the chat template was stopped because {what}")]
    TooMuch {
        /// What is too much.
        what: Sentence,
    },
}

fn at(line: &Option<usize>) -> Sentence {
    line.map_or(Sentence::EMPTY, |line| say!(" in line {line}"))
}
