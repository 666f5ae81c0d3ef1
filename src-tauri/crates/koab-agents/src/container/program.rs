//! A program of an attempt that runs in a container.

use crate::process::Output;
use crate::program_end::{ProgramEnd, Stdin};
use koab_core::sentence::Sentence;
use koab_sandbox::docker::{self, ContainerPorts, Program};
use std::time::Duration;
use tokio::task::JoinHandle;

/// How long it may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(5);
/// How long what it wrote last is read.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A program that runs in a container, which goes with the value.
pub(crate) struct ContainerProgram {
    program: docker::Running,
    hearing: JoinHandle<()>,
}

impl ContainerProgram {
    /// Starts it. What it writes goes to `output`.
    ///
    /// # Errors
    /// When its container cannot be made or started.
    pub(super) async fn start(
        program: &Program<'_>,
        output: &Output,
    ) -> Result<(Self, Option<Stdin>), Sentence> {
        let (program, mut heard, stdin) = program.start().await?;
        let output = output.clone();
        let hearing = tokio::spawn(async move {
            while let Some((bytes, is_stdout)) = heard.next().await {
                output.take(&bytes, is_stdout).await;
            }
        });
        Ok((Self { program, hearing }, stdin))
    }

    /// The way to what it listens on.
    pub(crate) fn ports(&self) -> ContainerPorts {
        self.program.ports()
    }

    /// Its end by itself.
    ///
    /// # Errors
    /// When the engine lost it.
    pub(crate) async fn ended(&self) -> Result<(), Sentence> {
        self.program.ended().await
    }

    /// Ends it with its container.
    ///
    /// # Errors
    /// When the engine lost it, or it cannot be removed.
    pub(crate) async fn end(mut self) -> Result<ProgramEnd, Sentence> {
        if self.program.is_gone().await {
            // What it wrote is all written, and may still be on its way.
            drop(tokio::time::timeout(LAST_WORDS, &mut self.hearing).await);
        }
        let gone = self.program.end(GRACE).await;
        if !self.hearing.is_finished() && tokio::time::timeout(LAST_WORDS, &mut self.hearing).await.is_err() {
            self.hearing.abort();
        }
        let gone = gone?;
        Ok(ProgramEnd {
            code: gone.code,
            // All that it started went with its container.
            outlived: false,
            out_of_memory: gone.out_of_memory,
        })
    }
}
