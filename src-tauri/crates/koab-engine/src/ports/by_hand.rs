//! An agent that is used by hand: a person carries the prompt to a program with a window of its
//! own, and its answer back.

use async_trait::async_trait;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// What a user carries to an agent that is used by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct HandTask {
    /// The task's id.
    pub task: String,
    /// Where its tools are: the address of an MCP server, good as long as the attempt goes on.
    pub address: String,
    /// What the program is asked, letter for letter.
    pub prompt: String,
}

/// Whoever carries it.
#[async_trait]
pub trait Operator: Send + Sync {
    /// Shows what is to be carried and gives the answer back; `None` where there is none.
    ///
    /// # Errors
    /// When nobody can be shown anything.
    async fn carry(&self, task: HandTask) -> Result<Option<String>, Sentence>;
}

/// A carrier of a run.
#[derive(Clone)]
pub struct ByHand(Arc<dyn Operator>);

impl ByHand {
    /// Of this one.
    pub fn new(operator: impl Operator + 'static) -> Self {
        Self(Arc::new(operator))
    }

    /// Has it carried.
    ///
    /// # Errors
    /// When nobody can be shown anything.
    pub async fn carry(&self, task: HandTask) -> Result<Option<String>, Sentence> {
        self.0.carry(task).await
    }
}

impl fmt::Debug for ByHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByHand")
    }
}
