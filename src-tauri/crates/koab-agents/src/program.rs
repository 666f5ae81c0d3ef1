//! The running program of an agent, on this computer or in a container, with the same operations
//! for both.

use crate::container::{self, Mount};
use crate::process::{self, Output, Program};
use crate::program_end::{ProgramEnd, Stdin};
use crate::setup::Setup;
use koab_core::sentence::Sentence;
use koab_scenarios::docker::ContainerPorts;
use std::process::ExitStatus;

/// A running program of an agent.
pub(crate) enum AgentProgram {
    Here(process::Process),
    Contained(container::ContainerProgram),
}

/// Starts the program of a definition with the attempt's values. Its output is written to `output`.
///
/// # Errors
/// When the program cannot be started.
pub(crate) async fn start(
    setup: &Setup<'_>,
    output: &Output,
    spoken_to: bool,
) -> Result<(AgentProgram, Option<Stdin>), Sentence> {
    let command = setup.definition.command.iter();
    let command: Vec<String> = command.map(|part| setup.values.fill(part)).collect();
    if let Some((containers, socket)) = setup.contained {
        let (running, stdin) = containers
            .start(
                &Mount { folder: &setup.place.shown, environment: &setup.environment, socket },
                &command,
                output,
                spoken_to,
            )
            .await?;
        return Ok((AgentProgram::Contained(running), stdin));
    }
    let program = Program {
        command: &command,
        environment: &setup.environment,
        folder: &setup.place.shown.join("work"),
        spoken_to,
    };
    let mut running = program.start(output)?;
    let stdin = running.stdin.take().map(|stdin| Box::pin(stdin) as Stdin);
    Ok((AgentProgram::Here(running), stdin))
}

impl AgentProgram {
    /// Access to the ports of the program's container; `None` for a program on this computer
    /// itself.
    pub(crate) fn ports(&self) -> Option<ContainerPorts> {
        match self {
            Self::Here(_) => None,
            Self::Contained(running) => Some(running.ports()),
        }
    }

    /// Waits until the program ends by itself.
    ///
    /// # Errors
    /// When the engine lost the container.
    pub(crate) async fn ended(&mut self) -> Result<(), Sentence> {
        match self {
            Self::Here(running) => {
                running.ended().await;
                Ok(())
            }
            Self::Contained(running) => running.ended().await,
        }
    }

    /// Ends the program and all processes that it started.
    ///
    /// # Errors
    /// When the engine lost the container, or the container cannot be removed.
    pub(crate) async fn end(self) -> Result<ProgramEnd, Sentence> {
        match self {
            Self::Here(running) => {
                let (status, outlived) = running.end().await;
                Ok(ProgramEnd { code: code(status), outlived, out_of_memory: false })
            }
            Self::Contained(running) => running.end().await,
        }
    }
}

/// Exit code of the program, if it has one. A program that a signal killed has 128 plus the
/// signal's number.
fn code(status: Option<ExitStatus>) -> Option<i32> {
    let status = status?;
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Some(128 + signal);
    }
    status.code()
}
