//! An agent that a person operates by hand. The terminal shows the tools' address and the prompt,
//! and the person pastes the agent's answer.

use crate::output::say;
use async_trait::async_trait;
use koab_api::{HandTask, Operator};
use koab_core::say;
use koab_core::sentence::{Language, Sentence};
use std::io::{BufRead as _, Read as _};
use tokio::sync::oneshot;

/// Maximum size of a pasted answer.
const MAX_ANSWER_BYTES: u64 = 16 << 20;
/// Line that the person types to end an answer without closing the input.
const END: &str = ".";

/// The person at this terminal, as an agent. Messages are in the person's language.
pub(super) struct Terminal(pub(super) Language);

#[async_trait]
impl Operator for Terminal {
    async fn carry(&self, task: HandTask) -> Result<Option<String>, Sentence> {
        let HandTask { task, address, prompt } = task;
        let instructions = say!(
            "{task}, by hand. Give your program this MCP server (streamable HTTP), which is good for this attempt only:\n\n{address}\n\nThen ask it, letter for letter:\n\n{prompt}\n\nPaste its answer here; end it with a line that has only {end}, or the end of the input:",
            end = END
        );
        say(&self.0.say(&instructions));
        let (send, answer) = oneshot::channel();
        // The read has its own thread, because it cannot be cancelled and the run may end before
        // the answer comes.
        std::thread::spawn(move || drop(send.send(read_answer())));
        Ok(answer.await.ok())
    }
}

/// Reads the pasted answer as bytes, so that the answer survives even if a letter has another
/// encoding.
fn read_answer() -> String {
    let mut input = std::io::stdin().lock().take(MAX_ANSWER_BYTES);
    let mut answer = String::new();
    loop {
        let mut line = Vec::new();
        let read = input.read_until(b'\n', &mut line);
        let text = String::from_utf8_lossy(&line);
        if line.is_empty() || text.trim_end() == END {
            return answer;
        }
        answer.push_str(&text);
        if read.is_err() {
            return answer;
        }
    }
}
