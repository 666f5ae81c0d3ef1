//! Servers for benchmarks: programs on this machine whose first line of output contains their
//! address.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

use crate::command;

/// A running server. It is stopped on drop.
pub(super) struct Server(Child);

impl Server {
    /// Starts a server and waits for its first line of output, which is returned without its line
    /// end.
    ///
    /// # Errors
    /// When it cannot be started or its output cannot be read.
    pub(super) fn start(program: &mut Command) -> anyhow::Result<(Self, String)> {
        program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = program.spawn().with_context(|| format!("cannot start {}", command::shown(program)))?;
        // From here on an error drops the value, which stops the child.
        let mut server = Self(child);
        let stdout = server.0.stdout.take().context("BUG: stdout was piped")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        Ok((server, line.trim_end().to_owned()))
    }

    /// Whether the server is still running.
    ///
    /// # Errors
    /// When the system does not report the state of the process.
    pub(super) fn is_up(&mut self) -> anyhow::Result<bool> {
        Ok(self.0.try_wait()?.is_none())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
