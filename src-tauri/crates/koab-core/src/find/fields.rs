//! Fields of an attempt that a query can name.

/// Field with text. A query looks for a part of the text, or for the whole text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextField {
    /// Messages of the user.
    Ask,
    /// Messages of the model before its answer.
    Said,
    /// The final answer.
    Answer,
    /// Values of the arguments of tool calls: of one argument, or of all.
    Argument(Option<String>),
    /// Results of tool calls, as the model received them.
    Result,
    /// Error of the attempt, and errors of its tool calls.
    Error,
}

/// Field with a name. A query compares the whole name, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameField {
    /// Name of a tool that was called.
    Tool,
    /// Level of the task.
    Level,
    /// Model of the run.
    Model,
    /// Id of the run.
    Run,
    /// Id of the task.
    Task,
    /// Pack of the run, `name@version`.
    Pack,
    /// End of the attempt: `answered`, `unanswered` or `failed`.
    Status,
}

/// Field with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberField {
    /// Number of the repetition, from 1.
    Repetition,
    /// Number of the model's turns.
    Steps,
    /// Number of tool calls.
    Calls,
    /// Tokens of all turns.
    Tokens,
    /// Duration in seconds.
    Seconds,
}

/// Prefix of the name of one argument, as in `args.query`.
pub(super) const ARGUMENT: &str = "args.";
/// Prefix of the name of a metric, as in `score:SR=0`.
pub(super) const SCORE: &str = "score";

/// All field names for the message of an unknown field.
pub(super) const FIELDS: &str = "tool, level, model, run, task, pack, status, ask, said, answer, args, args.NAME, result, error, \
     repetition, steps, calls, tokens, seconds, score:METRIC";

impl NameField {
    /// All fields with names.
    pub const ALL: [Self; 7] =
        [Self::Tool, Self::Level, Self::Model, Self::Run, Self::Task, Self::Pack, Self::Status];

    /// Name of the field in a query.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Level => "level",
            Self::Model => "model",
            Self::Run => "run",
            Self::Task => "task",
            Self::Pack => "pack",
            Self::Status => "status",
        }
    }
}

impl NumberField {
    /// All fields with numbers.
    pub const ALL: [Self; 5] = [Self::Repetition, Self::Steps, Self::Calls, Self::Tokens, Self::Seconds];

    /// Name of the field in a query.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Repetition => "repetition",
            Self::Steps => "steps",
            Self::Calls => "calls",
            Self::Tokens => "tokens",
            Self::Seconds => "seconds",
        }
    }
}

impl TextField {
    /// Field with this name in a query.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "ask" => Self::Ask,
            "said" => Self::Said,
            "answer" => Self::Answer,
            "args" => Self::Argument(None),
            "result" => Self::Result,
            "error" => Self::Error,
            _ => {
                let name = word.strip_prefix(ARGUMENT).filter(|name| !name.is_empty())?;
                Self::Argument(Some(name.to_owned()))
            }
        })
    }

    /// Name of the field in a query, without the name of an argument.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Said => "said",
            Self::Answer => "answer",
            Self::Argument(_) => "args",
            Self::Result => "result",
            Self::Error => "error",
        }
    }
}
