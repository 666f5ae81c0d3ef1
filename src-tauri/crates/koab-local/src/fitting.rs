//! Shortens a conversation until its prompt fits into the model's context.
//!
//! Only whole messages are left out, and always before the template renders them: a prompt that is
//! cut as text would lose its markup and mislead the model. The results of tools are left out
//! first, the oldest first, and a note replaces each. Then whole finished exchanges are left out,
//! from one user message up to the next. The system message, the tools and everything from the last
//! user message on are kept, except results.

use crate::chat_template::{ChatTemplate, TemplateError};
use koab_core::tool::ToolSpec;
use koab_engine::ports::Message;

/// Note that replaces a tool's result that was left out.
pub const NOTE: &str = "[This result was left out because the conversation has become too long.]";

/// A prompt that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// Text of the prompt.
    pub prompt: String,
    /// Number of tokens.
    pub tokens: usize,
    /// Ids of the calls whose results were left out, the oldest first.
    pub dropped: Vec<String>,
    /// Number of finished exchanges that were left out.
    pub dropped_exchanges: usize,
}

/// Reason why there is no prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum FitError {
    /// The smallest possible prompt does not fit.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The template failed.
    #[error(transparent)]
    Template(#[from] TemplateError),
}

/// The smallest possible prompt does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error(
    "the prompt needs {needed} tokens without everything that can be left out, but the context has room for {room}; \
     choose a larger --context, a smaller --max-tokens or fewer tools"
)]
pub struct TooLong {
    /// Tokens of the smallest prompt.
    pub needed: usize,
    /// Tokens that fit into the context.
    pub room: usize,
}

/// Renders a conversation so that it fits into `room` tokens. `count` returns the number of tokens
/// of a text.
///
/// # Errors
/// [`FitError::TooLong`] when the conversation does not fit even without everything that may be
/// left out.
pub fn fit(
    messages: &[Message],
    tools: &[ToolSpec],
    template: &ChatTemplate,
    count: &dyn Fn(&str) -> usize,
    room: usize,
) -> Result<Fitted, FitError> {
    let losses = Losses::find(messages);
    let attempt = |given_up: usize| -> Result<Fitted, FitError> {
        let (rest, dropped, dropped_exchanges) = losses.without(messages, given_up);
        let prompt = template.render(&rest, tools)?;
        Ok(Fitted { tokens: count(&prompt), prompt, dropped, dropped_exchanges })
    };
    let whole = attempt(0)?;
    if whole.tokens <= room {
        return Ok(whole);
    }
    let mut best = attempt(losses.len())?;
    if best.tokens > room {
        return Err(TooLong { needed: best.tokens, room }.into());
    }
    // Each loss makes the prompt shorter, so a binary search finds the smallest number that
    // suffices.
    let (mut too_few, mut enough) = (0, losses.len());
    while enough - too_few > 1 {
        let middle = usize::midpoint(too_few, enough);
        let tried = attempt(middle)?;
        if tried.tokens <= room {
            (enough, best) = (middle, tried);
        } else {
            too_few = middle;
        }
    }
    Ok(best)
}

/// Messages that may be left out, in order.
struct Losses {
    /// Positions of tool results.
    results: Vec<usize>,
    /// Finished exchanges as ranges of positions.
    exchanges: Vec<std::ops::Range<usize>>,
}

impl Losses {
    fn find(messages: &[Message]) -> Self {
        let results = places(
            messages,
            |message| matches!(message, Message::Tool { content, .. } if content.len() > NOTE.len()),
        );
        let questions = places(messages, |message| matches!(message, Message::User(_)));
        let exchanges = match questions.as_slice() {
            [] => Vec::new(),
            // Seeded messages before the first question belong to its exchange.
            [first, ..] => std::iter::once(&0)
                .chain(questions.iter().skip(1))
                .zip(questions.iter().skip(1))
                .map(|(from, to)| *from..*to)
                .chain((questions.len() == 1 && *first > 0).then_some(0..*first))
                .collect(),
        };
        Self { results, exchanges }
    }

    fn len(&self) -> usize {
        self.results.len() + self.exchanges.len()
    }

    /// The messages without the first `given_up` losses, the ids of the dropped results, and the
    /// number of dropped exchanges.
    fn without(&self, messages: &[Message], given_up: usize) -> (Vec<Message>, Vec<String>, usize) {
        let noted = self.results.get(..given_up.min(self.results.len())).unwrap_or_default();
        let over = given_up.saturating_sub(self.results.len());
        let gone = self.exchanges.get(..over).unwrap_or_default();
        let mut rest = Vec::new();
        let mut dropped = Vec::new();
        for (place, message) in messages.iter().enumerate() {
            let is_gone = gone.iter().any(|exchange| exchange.contains(&place));
            match message {
                Message::System(_) => rest.push(message.clone()),
                Message::Tool { call_id, .. } if is_gone || noted.contains(&place) => {
                    dropped.push(call_id.clone());
                    if !is_gone {
                        rest.push(Message::Tool { call_id: call_id.clone(), content: NOTE.to_owned() });
                    }
                }
                _ if is_gone => {}
                _ => rest.push(message.clone()),
            }
        }
        (rest, dropped, gone.len())
    }
}

fn places(messages: &[Message], wanted: impl Fn(&Message) -> bool) -> Vec<usize> {
    messages.iter().enumerate().filter(|(_, message)| wanted(message)).map(|(place, _)| place).collect()
}
