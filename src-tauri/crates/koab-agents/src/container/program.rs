//! The program of an attempt that runs in a container.

use crate::process::Output;
use crate::program_end::{ProgramEnd, Stdin};
use koab_core::sentence::Sentence;
use koab_scenarios::docker::{self, ContainerPorts, Program};
use std::time::Duration;
use tokio::task::JoinHandle;

/// Time that the program may take to end after a request to end.
const GRACE: Duration = Duration::from_secs(5);
/// Maximum time for reading the rest of the program's output after its end.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A program that runs in a container. The container is removed when this value is dropped.
pub(crate) struct ContainerProgram {
    program: docker::Running,
    hearing: JoinHandle<()>,
}

impl ContainerProgram {
    /// Starts the program. Its output is written to `output`.
    ///
    /// # Errors
    /// When the container cannot be created or started.
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

    /// Access to the ports of the container.
    pub(crate) fn ports(&self) -> ContainerPorts {
        self.program.ports()
    }

    /// Waits until the program ends by itself.
    ///
    /// # Errors
    /// When the engine lost the container.
    pub(crate) async fn ended(&self) -> Result<(), Sentence> {
        self.program.ended().await
    }

    /// Ends the program and removes its container.
    ///
    /// # Errors
    /// When the engine lost the container, or the container cannot be removed.
    pub(crate) async fn end(mut self) -> Result<ProgramEnd, Sentence> {
        if self.program.is_gone().await {
            // The program has written all of its output, which may not have arrived yet.
            drop(tokio::time::timeout(LAST_WORDS, &mut self.hearing).await);
        }
        let gone = self.program.end(GRACE).await;
        if !self.hearing.is_finished() && tokio::time::timeout(LAST_WORDS, &mut self.hearing).await.is_err() {
            self.hearing.abort();
        }
        let gone = gone?;
        Ok(ProgramEnd {
            code: gone.code,
            // All processes that it started ended with the container.
            outlived: false,
            out_of_memory: gone.out_of_memory,
        })
    }
}
