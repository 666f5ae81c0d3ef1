//! An agent that is used by hand, at this terminal: shown where the tools are and what to ask, its answer is pasted here.

use crate::output::say;
use async_trait::async_trait;
use koab_api::{Carrier, HandTask};
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
impl Carrier for Terminal {
    async fn carry(&self, task: HandTask) -> Result<Option<String>, Sentence> {
        let HandTask {
            task,
            address,
            prompt,
        } = task;
        let shown = say!(
            "{task}, by hand. Give your program this MCP server (streamable HTTP), which is good for this attempt only:\n\n{address}\n\nThen ask it, letter for letter:\n\n{prompt}\n\nPaste its answer here; end it with a line that has only {end}, or the end of the input:",
            end = END
        );
        say(&self.0.say(&shown));
        let (send, answer) = oneshot::channel();
        // A thread of its own: nobody can end a read of a terminal, and the run may end before the answer comes.
        std::thread::spawn(move || drop(send.send(pasted())));
        Ok(answer.await.ok().flatten())
    }
}

fn pasted() -> Option<String> {
    let mut answer = String::new();
    for line in std::io::stdin().lock().take(MOST).lines() {
        let line = line.ok()?;
        if line.trim_end() == END {
            break;
        }
        answer.push_str(&line);
        answer.push('\n');
    }
    Some(answer)
}
