//! A program in a container that is spoken to while it runs: its streams apart, and an end that is
//! asked for before it is made.
//!
//! It sees one folder of this computer and the socket to what listens for it, has no network, and
//! is removed whatever happened.

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
use super::end_state::{self, LOOKS};
use super::engine::{DockerError, Engine};
use super::host_config;
use super::image::Image;
use super::owner::Owner;
use super::ports::ContainerPorts;
use crate::outcome::Limits;
use crate::relay::{self, Relay};

/// Answers of the engine that may fail in a row before it is lost.
const ERRORS: u32 = 3;
/// How long after one it is asked again.
const AGAIN: Duration = Duration::from_millis(500);

/// A program to be started.
pub struct Program<'a> {
    /// The engine that runs it.
    pub engine: &'a Engine,
    /// The process it belongs to.
    pub owner: &'a Owner,
    /// What its container is made from.
    pub image: &'a Image,
    /// The program and its arguments.
    pub command: &'a [String],
    /// The environment, beside the image's own.
    pub environment: &'a BTreeMap<String, String>,
    /// The folder of this computer that it sees.
    pub folder: &'a Path,
    /// Where it sees it.
    pub inside: &'a str,
    /// The folder in the container where it begins.
    pub begins_in: &'a str,
    /// Its way to a socket of this computer, where it has one. Needs Python in the image.
    pub relay: Option<&'a Relay>,
    /// What it may use and reach. Time and output are the caller's.
    pub limits: &'a Limits,
    /// Whether it is spoken to.
    pub spoken_to: bool,
}

/// A program that runs. Its container goes with the value.
pub struct Running {
    engine: Engine,
    id: String,
    leftover: Leftover,
    folder: PathBuf,
}

/// A way to speak to a program.
pub type ProgramInput = Pin<Box<dyn AsyncWrite + Send>>;

/// What a program writes, as it writes it.
pub struct ProgramOutput(Pin<Box<dyn Stream<Item = Result<LogOutput, bollard::errors::Error>> + Send>>);

/// How a program ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramExit {
    /// The exit code of its first process.
    pub code: Option<i32>,
    /// Whether it was ended for taking more memory than it may.
    pub out_of_memory: bool,
}

impl ProgramOutput {
    /// The next piece, and whether it is of standard output. `None` at the end.
    pub async fn next(&mut self) -> Option<(Vec<u8>, bool)> {
        match self.0.next().await? {
            Ok(LogOutput::StdErr { message }) => Some((message.into(), false)),
            Ok(other) => Some((other.into_bytes().into(), true)),
            // What the connection said does not matter: the state of the container says how it
            // ended.
            Err(_) => None,
        }
    }
}

impl Program<'_> {
    /// Starts it. Gives what it writes, and the way to speak to it where it is spoken to.
    ///
    /// # Errors
    /// One sentence, when its container cannot be made or started.
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
        // Attached before the start, so that not a byte is missed.
        let options = AttachContainerOptionsBuilder::default()
            .stdin(self.spoken_to)
            .stdout(true)
            .stderr(true)
            .stream(true)
            .build();
        let refused = |what: Sentence| move |error| DockerError::failed(what)(error).to_sentence();
        let attached = docker
            .attach_container(&running.id, Some(options))
            .await
            .map_err(refused(say!("attach to a container")))?;
        docker.start_container(&running.id, None).await.map_err(refused(say!("start a container")))?;
        let input = self.spoken_to.then_some(attached.input);
        Ok((running, ProgramOutput(attached.output), input))
    }

    async fn create(&self, user: Option<(u32, u32)>) -> Result<String, DockerError> {
        let mounts = vec![host_config::bind(self.folder, self.inside, false)];
        // A first word of ours takes the place of a program that the image puts before every
        // command.
        let through = match self.relay {
            Some(_) => relay::THROUGH,
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
    /// The way to what it listens on.
    #[must_use]
    pub fn ports(&self) -> ContainerPorts {
        ContainerPorts { engine: self.engine.clone(), id: self.id.clone() }
    }

    /// Its end by itself. A wait that breaks off is no end: it counts where the engine says that
    /// the program has ended.
    ///
    /// # Errors
    /// One sentence, when the engine does not say how it is, several times in a row.
    pub async fn ended(&self) -> Result<(), Sentence> {
        let mut errors = 0;
        loop {
            if let Ok(docker) = self.engine.ask() {
                let mut waiting = docker.wait_container(&self.id, None::<WaitContainerOptions>);
                drop(waiting.next().await);
            }
            match self.state(1).await {
                Ok(state) if state.code.is_some() => return Ok(()),
                Ok(_) => errors = 0,
                Err(why) => {
                    errors += 1;
                    if errors == ERRORS {
                        return Err(why);
                    }
                }
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Ends it: asked first, then made to. Removes its container and takes the folder back.
    ///
    /// # Errors
    /// One sentence, when the engine lost it, or what is left of it cannot be removed.
    pub async fn end(self, grace: Duration) -> Result<ProgramExit, Sentence> {
        let mut looks = LOOKS;
        if !self.is_gone().await {
            self.signal("SIGTERM").await;
            if !matches!(tokio::time::timeout(grace, self.ended()).await, Ok(Ok(()))) {
                self.signal("SIGKILL").await;
                // That kill is ours.
                looks = 1;
                // A container that is still there is removed next.
                drop(tokio::time::timeout(grace, self.ended()).await);
            }
        }
        let state = self.state(looks).await;
        self.leftover.remove().await.map_err(|error| error.to_sentence())?;
        host_config::give_back(&self.folder).map_err(|error| {
            say!("what was written in a container could not be given back to this user: {error}")
        })?;
        state
    }

    /// Whether it has ended.
    pub async fn is_gone(&self) -> bool {
        self.state(1).await.is_ok_and(|state| state.code.is_some())
    }

    async fn state(&self, looks: u32) -> Result<ProgramExit, Sentence> {
        let docker = self.engine.ask().map_err(|error| error.to_sentence())?;
        let found = end_state::inspect(docker, &self.id, looks).await;
        let state = found
            .map_err(DockerError::failed(say!("say how a container ended")))
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
            // One that has ended meanwhile is no error.
            drop(docker.kill_container(&self.id, Some(options)).await);
        }
    }
}
