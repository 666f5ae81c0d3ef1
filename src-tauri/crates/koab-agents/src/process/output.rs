//! Output of a program. The console log contains it with secrets masked. Standard output is also
//! stored unchanged, or sent as lines of a protocol, because the answer is extracted from it.

use koab_scenarios::console::Console;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Maximum size of the log, and of the stored standard output, in bytes.
const MAX_OUTPUT_BYTES: usize = 16 << 20;
/// Number of bytes that are read at a time.
const PIECE: usize = 16 * 1024;
/// Maximum length of a line of a protocol in bytes.
const LINE: usize = 8 << 20;
/// Maximum number of lines of a protocol that wait to be received.
const LINES: usize = 64;
/// Number of last lines of the output that are displayed.
const LAST_LINES: usize = 20;
/// Number of last bytes of the output that are stored for display.
const LAST_BYTES: usize = 4096;

/// Destination of a program's output. Clones write to the same place.
#[derive(Clone)]
pub(crate) struct Output {
    state: Arc<Mutex<State>>,
    lines: Option<Sender<String>>,
}

struct State {
    console: Option<Console>,
    stdout: Vec<u8>,
    /// Whether some output was not stored because the output was too long.
    is_cut: bool,
    tail: String,
    /// Last line of a protocol's output, while it is incomplete.
    line: Vec<u8>,
}

impl Output {
    /// Creates a destination that writes the output to this file, with these secrets masked.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub(crate) fn into_file(path: &Path, secrets: &[String]) -> std::io::Result<Self> {
        let console = Console::create(path, MAX_OUTPUT_BYTES as u64, secrets)?;
        Ok(Self {
            state: Arc::new(Mutex::new(State {
                console: Some(console),
                stdout: Vec::new(),
                is_cut: false,
                tail: String::new(),
                line: Vec::new(),
            })),
            lines: None,
        })
    }

    /// Sends the lines of standard output to a receiver instead of storing standard output.
    pub(crate) fn by_lines(self) -> (Self, Receiver<String>) {
        let (send, receive) = channel(LINES);
        let output = Self { lines: Some(send), ..self };
        (output, receive)
    }

    pub(super) async fn read(self, mut from: impl AsyncRead + Unpin, is_stdout: bool) {
        let mut buffer = vec![0; PIECE];
        while let Ok(length @ 1..) = from.read(&mut buffer).await {
            self.take(&buffer[..length], is_stdout).await;
        }
    }

    /// Takes a piece of output. Waits if the program writes lines faster than the receiver takes
    /// them.
    pub(crate) async fn take(&self, bytes: &[u8], is_stdout: bool) {
        let lines = self.keep(bytes, is_stdout);
        if let Some(heard) = &self.lines {
            for line in lines {
                // After the end of a program its lines are not received.
                drop(heard.send(line).await);
            }
        }
    }

    /// Stores a piece of output. Returns the lines of standard output that this piece completes;
    /// none if there is no receiver of lines (see [`Self::by_lines`]).
    fn keep(&self, bytes: &[u8], is_stdout: bool) -> Vec<String> {
        let mut state = self.state();
        let mut whole = Vec::new();
        if let Some(console) = &mut state.console
            && let Ok(text) = if is_stdout { console.write(bytes) } else { console.write_error(bytes) }
        {
            state.remember(&text);
        }
        if !is_stdout {
            return whole;
        }
        if self.lines.is_none() {
            let room = MAX_OUTPUT_BYTES.saturating_sub(state.stdout.len());
            state.stdout.extend_from_slice(&bytes[..bytes.len().min(room)]);
            state.is_cut |= room < bytes.len();
            return whole;
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if state.line.len() + piece.len() <= LINE {
                state.line.extend_from_slice(piece);
            } else {
                state.is_cut = true;
            }
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut state.line);
                whole.push(String::from_utf8_lossy(&line).into_owned());
            }
        }
        whole
    }

    /// Standard output so far.
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.state().stdout).into_owned()
    }

    /// Whether the program wrote more than is stored. A part of its answer may then be missing.
    pub(crate) fn is_cut(&self) -> bool {
        self.state().is_cut
    }

    /// Last lines of the output, without control sequences.
    pub(crate) fn last_words(&self) -> String {
        let mut state = self.state();
        // The console holds text back that may be the beginning of a secret.
        if let Some(console) = state.console.take()
            && let Ok((text, _)) = console.finish()
        {
            state.remember(&text);
        }
        let clean = crate::answer::cleaned(&state.tail);
        let lines: Vec<&str> = clean.lines().collect();
        lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn remember(&mut self, text: &str) {
        self.tail.push_str(text);
        let gone = self.tail.len().saturating_sub(LAST_BYTES);
        self.tail.drain(..self.tail.ceil_char_boundary(gone));
    }
}

#[cfg(test)]
mod tests;
