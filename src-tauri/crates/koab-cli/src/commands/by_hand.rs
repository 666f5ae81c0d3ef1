//! An agent that is used by hand, at this terminal: shown where the tools are and what to ask, its
//! answer is pasted here.

use crate::output::say;
use async_trait::async_trait;
use koab_api::{HandTask, Operator};
use koab_core::say;
use koab_core::sentence::{Language, Sentence};
use std::io::{BufRead as _, Read as _};
use tokio::sync::oneshot;

/// Bytes of an answer at most.
const MOST: u64 = 16 << 20;
/// The line that ends an answer, where the input goes on.
const END: &str = ".";

/// Whoever sits at this terminal.
pub(super) struct Terminal(pub(super) Language);

#[async_trait]
impl Operator for Terminal {
    async fn carry(&self, task: HandTask) -> Result<Option<String>, Sentence> {
        let HandTask { task, address, prompt } = task;
        let shown = say!(
            "{task}, by hand. Give your program this MCP server (streamable HTTP), which is good for this attempt only:\n\n{address}\n\nThen ask it, letter for letter:\n\n{prompt}\n\nPaste its answer here; end it with a line that has only {end}, or the end of the input:",
            end = END
        );
        say(&self.0.say(&shown));
        let (send, answer) = oneshot::channel();
        // A thread of its own: nobody can end a read of a terminal, and the run may end before the
        // answer comes.
        std::thread::spawn(move || drop(send.send(pasted())));
        Ok(answer.await.ok())
    }
}

/// Read as bytes: a letter in another encoding is no reason to lose an answer that took an hour.
fn pasted() -> String {
    let mut input = std::io::stdin().lock().take(MOST);
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
