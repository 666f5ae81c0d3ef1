//! Answers to repeated calls that have several recorded answers.
//!
//! A replay of a recorded server and a run of its pack use the same rule, which does not depend on
//! the server's state: the n-th such call gets the n-th answer of the first recorded session that
//! has the call. All later calls get the last answer.

use koab_core::args::NormalizedArgs;
use koab_core::catalog::ToolCatalog;
use koab_core::event::AnswerSource;
use koab_core::run_record::CallRecord;
use std::collections::HashMap;
use std::hash::Hash;

/// Recorded answers of each call, in the order of a recorded session.
#[derive(Clone, Debug)]
pub struct AnswersByTurn<K, A> {
    /// For each call, the session that answers it and the answers.
    answers: HashMap<K, (u32, Vec<A>)>,
}

impl<K, A> Default for AnswersByTurn<K, A> {
    fn default() -> Self {
        Self { answers: HashMap::new() }
    }
}

impl<K: Eq + Hash, A> AnswersByTurn<K, A> {
    /// Adds the next answer of a recorded session. The answer is ignored if an earlier session
    /// already answers the call.
    pub fn add(&mut self, call: K, session: u32, answer: A) {
        let (first, answers) = self.answers.entry(call).or_insert((session, Vec::new()));
        if *first == session {
            answers.push(answer);
        }
    }

    /// Removes calls that have only one answer.
    pub fn keep_several(&mut self) {
        self.answers.retain(|_, (_, answers)| answers.len() > 1);
    }

    /// The answer to a call that was answered `made` times before.
    pub fn answer(&self, call: &K, made: usize) -> Option<&A> {
        let (_, answers) = self.answers.get(call)?;
        answers.get(made).or(answers.last())
    }
}

/// Number of cached responses that each call of an attempt has received. Calls are equal if tool
/// and canonical arguments are equal.
#[derive(Debug, Default)]
pub(crate) struct CallsMade(HashMap<(String, String), usize>);

impl CallsMade {
    /// Counts the calls that an attempt has already made.
    pub(crate) fn from_calls(catalog: &ToolCatalog, calls: &[CallRecord]) -> Self {
        let mut counts = Self::default();
        calls.iter().for_each(|call| counts.note(catalog, call));
        counts
    }

    /// Counts a call that a cached response answered; other calls are ignored.
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

    /// Number of cached responses that this call has received.
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
