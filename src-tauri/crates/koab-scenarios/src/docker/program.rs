//! Runs a program in a container with separate streams. The program can be written to while it
//! runs, and gets a request to end before it is killed.
//!
//! The program sees one folder of this computer and the socket of a relay, and has no network. Its
//! container is removed in any case.

use bollard::container::LogOutput;
use bollard::models::ContainerCreateBody;
use bollard::query_parameters::{
    AttachContainerOptionsBuilder, KillContainerOptionsBuilder, WaitContainerOptions,
};
use futures_util::{Stream, StreamExt as _};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::Duration;
use tokio::io::AsyncWrite;

use super::container::Leftover;
use super::end_state::{self, INSPECT_ATTEMPTS};
use super::engine::{DockerError, Engine};
use super::host_config;
use super::image::Image;
use super::owner::Owner;
use super::ports::ContainerPorts;
use crate::outcome::Limits;
use crate::relay::{self, Relay};

/// Number of consecutive errors of the engine after which the program counts as lost.
const MAX_ERRORS: u32 = 3;
/// Time until the next request to the engine after an error.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// A program to start.
pub struct Program<'a> {
    /// Engine that runs the program.
    pub engine: &'a Engine,
    /// Process that owns the container.
    pub owner: &'a Owner,
    /// Image of the container.
    pub image: &'a Image,
    /// The program and its arguments.
    pub command: &'a [String],
    /// Environment variables in addition to the image's own.
    pub environment: &'a BTreeMap<String, String>,
    /// Folder of this computer that is mounted into the container.
    pub folder: &'a Path,
    /// Path of the mounted folder in the container.
    pub inside: &'a str,
    /// Working folder in the container.
    pub begins_in: &'a str,
    /// Relay to a socket of this computer, if the program needs one. Requires Python in the image.
    pub relay: Option<&'a Relay>,
    /// Limits and network of the container. The caller limits time and output.
    pub limits: &'a Limits,
    /// Whether the program gets standard input.
    pub spoken_to: bool,
}

/// A running program. Its container is removed when the value is dropped.
pub struct Running {
    engine: Engine,
    id: String,
    leftover: Leftover,
    folder: PathBuf,
}

/// Standard input of a program.
pub type ProgramInput = Pin<Box<dyn AsyncWrite + Send>>;

/// Output of a program, as it is written.
pub struct ProgramOutput(Pin<Box<dyn Stream<Item = Result<LogOutput, bollard::errors::Error>> + Send>>);

/// End of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramExit {
    /// Exit code of the program's first process; `None` while it runs or when the code is not
    /// known.
    pub code: Option<i32>,
    /// Whether the program was killed for exceeding its memory limit.
    pub out_of_memory: bool,
}

impl ProgramOutput {
    /// Next piece of output, and whether it is from standard output. `None` at the end.
    pub async fn next(&mut self) -> Option<(Vec<u8>, bool)> {
        match self.0.next().await? {
            Ok(LogOutput::StdErr { message }) => Some((message.into(), false)),
            Ok(other) => Some((other.into_bytes().into(), true)),
            // The connection's error does not matter: the state of the container shows how it
            // ended.
            Err(_) => None,
        }
    }
}

impl Program<'_> {
    /// Starts the program. Returns the running program with its output, and with its input if it
    /// has one.
    ///
    /// # Errors
    /// One sentence, when the container cannot be created or started.
    pub async fn start(&self) -> Result<(Running, ProgramOutput, Option<ProgramInput>), Sentence> {
        let user = host_config::user(self.engine, self.folder)
            .map_err(|error| say!("the folder could not be given to the container's user: {error}"))?;
        let id = self.create(user).await.map_err(|error| error.to_sentence())?;
        let running = Running {
            leftover: Leftover::new(self.engine, &id),
            engine: self.engine.clone(),
            folder: self.folder.to_owned(),
            id,
        };
        let docker = self.engine.ask().map_err(|error| error.to_sentence())?;
        // Attached before the start, so that no output is lost.
        let options = AttachContainerOptionsBuilder::default()
            .stdin(self.spoken_to)
            .stdout(true)
            .stderr(true)
            .stream(true)
            .build();
        let failure = |what: Sentence| move |error| DockerError::failed(what)(error).to_sentence();
        let attached = docker
            .attach_container(&running.id, Some(options))
            .await
            .map_err(failure(say!("attach to a container")))?;
        docker.start_container(&running.id, None).await.map_err(failure(say!("start a container")))?;
        let input = self.spoken_to.then_some(attached.input);
        Ok((running, ProgramOutput(attached.output), input))
    }

    async fn create(&self, user: Option<(u32, u32)>) -> Result<String, DockerError> {
        let mounts = vec![host_config::bind(self.folder, self.inside, false)];
        // An entry point given here replaces the image's own.
        let through = match self.relay {
            Some(_) => relay::START_WITH_RELAY,
            None => "exec \"$@\"",
        };
        let words = ["-c", through, "sh"].map(str::to_owned);
        let words = words.into_iter().chain(self.command.iter().cloned());
        let environment = self.environment.iter();
        let body = ContainerCreateBody {
            image: Some(self.image.id.clone()),
            entrypoint: Some(vec!["sh".to_owned()]),
            cmd: Some(words.collect()),
            env: Some(environment.map(|(name, value)| format!("{name}={value}")).collect()),
            user: user.map(|(user, group)| format!("{user}:{group}")),
            working_dir: Some(self.begins_in.to_owned()),
            labels: Some(self.owner.labels()),
            open_stdin: Some(self.spoken_to),
            stdin_once: Some(self.spoken_to),
            attach_stdin: Some(self.spoken_to),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            host_config: Some(host_config::host(self.engine, self.limits, mounts, self.relay)),
            ..ContainerCreateBody::default()
        };
        self.engine.create(body).await
    }
}

impl Running {
    /// Ports of the container.
    #[must_use]
    pub fn ports(&self) -> ContainerPorts {
        ContainerPorts { engine: self.engine.clone(), id: self.id.clone() }
    }

    /// Waits until the program has ended by itself. A failed request to the engine does not count
    /// as the end: the engine must report that the program has ended.
    ///
    /// # Errors
    /// One sentence, when the engine does not report the state several times in a row.
    pub async fn ended(&self) -> Result<(), Sentence> {
        let mut errors = 0;
        loop {
            if let Ok(docker) = self.engine.ask() {
                let mut wait = docker.wait_container(&self.id, None::<WaitContainerOptions>);
                drop(wait.next().await);
            }
            match self.state(1).await {
                Ok(state) if state.code.is_some() => return Ok(()),
                Ok(_) => errors = 0,
                Err(why) => {
                    errors += 1;
                    if errors == MAX_ERRORS {
                        return Err(why);
                    }
                }
            }
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    }

    /// Ends the program, first by a request and then by force. Removes its container, and makes the
    /// user of this computer the owner of the folder again.
    ///
    /// # Errors
    /// One sentence, when the engine has lost the program, or the container cannot be removed.
    pub async fn end(self, grace: Duration) -> Result<ProgramExit, Sentence> {
        let mut inspections = INSPECT_ATTEMPTS;
        if !self.is_gone().await {
            self.signal("SIGTERM").await;
            if !matches!(tokio::time::timeout(grace, self.ended()).await, Ok(Ok(()))) {
                self.signal("SIGKILL").await;
                // The reason of this kill is known.
                inspections = 1;
                // A remaining container is removed next.
                drop(tokio::time::timeout(grace, self.ended()).await);
            }
        }
        let state = self.state(inspections).await;
        self.leftover.remove().await.map_err(|error| error.to_sentence())?;
        host_config::give_back(&self.folder).map_err(|error| {
            say!("the files of a container could not be given back to this user: {error}")
        })?;
        state
    }

    /// Whether the program has ended.
    pub async fn is_gone(&self) -> bool {
        self.state(1).await.is_ok_and(|state| state.code.is_some())
    }

    async fn state(&self, inspections: u32) -> Result<ProgramExit, Sentence> {
        let docker = self.engine.ask().map_err(|error| error.to_sentence())?;
        let result = end_state::inspect(docker, &self.id, inspections).await;
        let state = result
            .map_err(DockerError::failed(say!("read how a container ended")))
            .map_err(|error| error.to_sentence())?;
        let code = state.exit_code.filter(|_| state.running == Some(false));
        Ok(ProgramExit {
            code: code.and_then(|code| i32::try_from(code).ok()),
            out_of_memory: state.oom_killed.unwrap_or(false),
        })
    }

    async fn signal(&self, signal: &str) {
        let options = KillContainerOptionsBuilder::default().signal(signal).build();
        if let Ok(docker) = self.engine.ask() {
            // It is not an error if the program has ended meanwhile.
            drop(docker.kill_container(&self.id, Some(options)).await);
        }
    }
}
