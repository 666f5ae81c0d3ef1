//! An agent that is used by hand: a person carries the prompt to a program with its own window, and
//! carries the answer back.

use async_trait::async_trait;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A task that a user carries to an agent by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct HandTask {
    /// The task's id.
    pub task: String,
    /// Address of the MCP server with the task's tools, valid during the attempt.
    pub address: String,
    /// Prompt for the program, to be copied unchanged.
    pub prompt: String,
}

/// Connection to the person who carries the prompt and the answer.
#[async_trait]
pub trait Operator: Send + Sync {
    /// Shows the task to the person and returns the answer; `None` without an answer.
    ///
    /// # Errors
    /// When no window or terminal can show the task.
    async fn carry(&self, task: HandTask) -> Result<Option<String>, Sentence>;
}

/// The operator of a run.
#[derive(Clone)]
pub struct ByHand(Arc<dyn Operator>);

impl ByHand {
    /// Creates a port from an operator.
    pub fn new(operator: impl Operator + 'static) -> Self {
        Self(Arc::new(operator))
    }

    /// Shows the task to the person and returns the answer; `None` without an answer.
    ///
    /// # Errors
    /// When no window or terminal can show the task.
    pub async fn carry(&self, task: HandTask) -> Result<Option<String>, Sentence> {
        self.0.carry(task).await
    }
}

impl fmt::Debug for ByHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByHand")
    }
}
