//! Calls that are made again: which of several recorded answers each of them gets.
//!
//! A replay of a recorded server and a run of its pack go by the same rule, with no notion of what
//! state the server had: the n-th such call gets the n-th answer of the first recorded session that
//! has the call, and after the last one that for ever.

use koab_core::args::NormalizedArgs;
use koab_core::catalog::ToolCatalog;
use koab_core::event::AnswerSource;
use koab_core::run_record::CallRecord;
use std::collections::HashMap;
use std::hash::Hash;

/// Recorded answers by call, those of a session in their order.
#[derive(Clone, Debug)]
pub struct AnswersByTurn<K, A> {
    /// The session that answers a call, and its answers.
    answers: HashMap<K, (u32, Vec<A>)>,
}

impl<K, A> Default for AnswersByTurn<K, A> {
    fn default() -> Self {
        Self { answers: HashMap::new() }
    }
}

impl<K: Eq + Hash, A> AnswersByTurn<K, A> {
    /// Takes the next answer of a recorded session. Where an earlier session has the call, it is
    /// left out.
    pub fn add(&mut self, call: K, session: u32, answer: A) {
        let (first, answers) = self.answers.entry(call).or_insert((session, Vec::new()));
        if *first == session {
            answers.push(answer);
        }
    }

    /// Forgets calls that have one answer only.
    pub fn keep_several(&mut self) {
        self.answers.retain(|_, (_, answers)| answers.len() > 1);
    }

    /// The answer to a call that was answered `made` times before.
    pub fn answer(&self, call: &K, made: usize) -> Option<&A> {
        let (_, answers) = self.answers.get(call)?;
        answers.get(made).or(answers.last())
    }
}

/// How often an attempt's calls were answered from what is recorded, by tool and canonical
/// arguments.
#[derive(Debug, Default)]
pub(crate) struct CallsMade(HashMap<(String, String), usize>);

impl CallsMade {
    /// Those of an attempt's beginning.
    pub(crate) fn from_calls(catalog: &ToolCatalog, calls: &[CallRecord]) -> Self {
        let mut made = Self::default();
        calls.iter().for_each(|call| made.note(catalog, call));
        made
    }

    /// Counts one more call that has its answer; failures and answers from elsewhere take no turn.
    pub(crate) fn note(&mut self, catalog: &ToolCatalog, call: &CallRecord) {
        if call.source != AnswerSource::Hit {
            return;
        }
        let arguments = call.arguments.as_object();
        let normalized = arguments.and_then(|raw| catalog.normalized(&call.tool, raw).ok());
        if let Some(normalized) = normalized {
            *self.0.entry(key(&call.tool, &normalized)).or_default() += 1;
        }
    }

    /// How often this call was answered.
    pub(crate) fn count(&self, tool: &str, args: &NormalizedArgs) -> usize {
        self.0.get(&key(tool, args)).copied().unwrap_or_default()
    }
}

fn key(tool: &str, args: &NormalizedArgs) -> (String, String) {
    (tool.to_owned(), args.canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_session_that_has_a_call_answers_it_by_turn_and_its_last_answer_stays() {
        let mut book = AnswersByTurn::default();
        for (session, call, answer) in
            [(1, "write", "done"), (2, "read", "empty"), (3, "read", "other"), (2, "read", "full")]
        {
            book.add(call, session, answer);
        }
        let said = |call, made| book.answer(&call, made).copied();
        assert_eq!([0, 1, 2, 9].map(|made| said("read", made)), ["empty", "full", "full", "full"].map(Some));
        assert_eq!((said("write", 0), said("write", 1)), (Some("done"), Some("done")));
        assert_eq!(said("delete", 0), None);
        book.keep_several();
        assert_eq!((book.answer(&"write", 0), book.answer(&"read", 1)), (None, Some(&"full")));
    }
}
