//! Runs a trial in a container that is created with the trial's limits, followed until it ends, and
//! removed in any case.
//!
//! The container sees the trial's folder as `/workspace` and nothing else of this computer: no
//! engine socket, no mount except a [`Relay`], no capabilities, and no way to gain any. The console
//! log and `run.sh` are mounted over themselves read-only, so a scenario cannot change what the log
//! contains.
//!
//! Source: Docker Engine API 1.41, containers/create, attach, wait, inspect.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use bollard::container::LogOutput;
use bollard::models::ContainerCreateBody;
use bollard::query_parameters::{AttachContainerOptionsBuilder, KillContainerOptionsBuilder};
use futures_util::StreamExt;
use koab_engine::egress::{Offline, Permit};
use tokio_util::sync::CancellationToken;

use super::end_state::{self, INSPECT_ATTEMPTS};
use super::engine::{DockerError, Engine};
use super::host_config;
use super::image::Image;
use super::owner::{Owner, remove};
use crate::console::Console;
use crate::outcome::Limits;
use crate::process_end::ProcessEnd;
use crate::relay::{self, Relay};

/// Path of the trial's folder in the container.
const WORKSPACE: &str = "/workspace";
/// Maximum time for reading the rest of a container's output after its end.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(3);
/// Deadline of a trial without a time limit: ten years.
const TEN_YEARS: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Mounts of a container.
#[derive(Clone, Copy, Debug)]
pub struct Mounts<'a> {
    /// Folder of the trial.
    pub folder: &'a Path,
    /// Names of files in the trial's folder that the scenario may read but not change.
    pub read_only: &'a [&'a str],
}

/// A container to be run.
pub struct Container<'a> {
    /// Engine that runs the container.
    pub engine: &'a Engine,
    /// Process that owns the container.
    pub owner: &'a Owner,
    /// Image of the container.
    pub image: &'a Image,
    /// The command and its arguments.
    pub command: &'a [&'a str],
    /// Environment variables in addition to the image's own.
    pub environment: &'a BTreeMap<String, String>,
    /// Mounts of the container.
    pub mounts: Mounts<'a>,
    /// Relay to a socket of this computer, if the container needs one. Requires Python in the
    /// image.
    pub relay: Option<&'a Relay>,
    /// Limits and network of the container. The console limits the size of its output.
    pub limits: &'a Limits,
}

impl Container<'_> {
    /// Runs the container until it ends, and removes it.
    ///
    /// `on_output` receives each piece of text as it is written to the console.
    ///
    /// # Errors
    /// When the console cannot be written. All other failures are a [`ProcessEnd`].
    pub async fn run(
        &self,
        console: &mut Console,
        cancel: &CancellationToken,
        on_output: &mut (dyn FnMut(&str) + Send),
    ) -> std::io::Result<ProcessEnd> {
        let user = match host_config::user(self.engine, self.mounts.folder) {
            Ok(user) => user,
            Err(error) => {
                return Ok(ProcessEnd::NotStarted {
                    why: say!("the trial's folder could not be given to the scenario's user: {error}"),
                });
            }
        };
        let id = match self.create(user).await {
            Ok(id) => id,
            Err(error) => {
                return Ok(ProcessEnd::NotStarted { why: error.to_sentence() });
            }
        };
        // The container is removed however this function ends, also when it is dropped.
        let leftover = Leftover::new(self.engine, &id);
        let result = self.follow(&id, console, cancel, on_output).await;
        let removed = leftover.remove().await;
        let restored = host_config::give_back(self.mounts.folder);
        let end = result?;
        let why = match (removed, restored) {
            (Err(error), _) => error.to_sentence(),
            (_, Err(error)) => {
                say!("the scenario's files could not be given back to this user: {error}")
            }
            (Ok(()), Ok(())) => return Ok(end),
        };
        Ok(match end {
            ProcessEnd::Lost { .. } | ProcessEnd::NotStarted { .. } => end,
            _ => ProcessEnd::Lost { why },
        })
    }

    async fn create(&self, user: Option<(u32, u32)>) -> Result<String, DockerError> {
        let folder = self.mounts.folder;
        let mut mounts = vec![host_config::bind(folder, WORKSPACE, false)];
        let files = self.mounts.read_only.iter();
        mounts.extend(
            files.map(|name| host_config::bind(&folder.join(name), &format!("{WORKSPACE}/{name}"), true)),
        );
        // An image may have an entry point that precedes every command; an entry point given here
        // replaces it, in either engine.
        let mut words: Vec<&str> = match self.relay {
            Some(_) => vec!["sh", "-c", relay::START_WITH_RELAY, "sh"],
            None => Vec::new(),
        };
        words.extend(self.command);
        let mut words = words.into_iter().map(str::to_owned);
        let host = host_config::host(self.engine, self.limits, mounts, self.relay);
        // The user of the container has no home folder in the image that it could write to.
        let mut environment = vec!["HOME=/tmp".to_owned(), "PYTHONUNBUFFERED=1".to_owned()];
        environment.extend(self.environment.iter().map(|(name, value)| format!("{name}={value}")));
        let body = ContainerCreateBody {
            image: Some(self.image.id.clone()),
            entrypoint: words.next().map(|first| vec![first]),
            cmd: Some(words.collect()),
            env: Some(environment),
            user: user.map(|(user, group)| format!("{user}:{group}")),
            working_dir: Some(WORKSPACE.to_owned()),
            labels: Some(self.owner.labels()),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            host_config: Some(host),
            ..ContainerCreateBody::default()
        };
        self.engine.create(body).await
    }

    async fn follow(
        &self,
        id: &str,
        console: &mut Console,
        cancel: &CancellationToken,
        on_output: &mut (dyn FnMut(&str) + Send),
    ) -> std::io::Result<ProcessEnd> {
        let (docker, way) = match (self.engine.ask(), self.engine.way()) {
            (Ok(docker), Ok(way)) => (docker, way),
            (Err(offline), _) | (_, Err(offline)) => {
                return Ok(ProcessEnd::NotStarted { why: offline.to_sentence() });
            }
        };
        // Attached before the start, so that no output is lost.
        let options = AttachContainerOptionsBuilder::default().stdout(true).stderr(true).stream(true).build();
        let start = async {
            let attached = docker.attach_container(id, Some(options)).await;
            let output = attached.map_err(|error| not_started(say!("attach to a container"), error))?.output;
            let result = docker.start_container(id, None).await;
            result.map_err(|error| not_started(say!("start a container"), error))?;
            Ok(output)
        };
        let mut output = match cancel.run_until_cancelled(start).await {
            Some(Ok(output)) => output,
            Some(Err(end)) => return Ok(end),
            None => return Ok(ProcessEnd::Cancelled),
        };
        let deadline = tokio::time::sleep(self.limits.timeout_s.map_or(TEN_YEARS, Duration::from_secs));
        tokio::pin!(deadline);
        let offline = went_offline(way);
        tokio::pin!(offline);
        let stopped = loop {
            tokio::select! {
                biased;
                // The container is on another computer and continues there. It is found by its
                // labels and removed later.
                offline = &mut offline => return Ok(ProcessEnd::Lost { why: offline.to_sentence() }),
                () = cancel.cancelled() => break Some(ProcessEnd::Cancelled),
                () = &mut deadline => break Some(ProcessEnd::TimedOut),
                piece = output.next() => match piece {
                    Some(Ok(piece)) => on_output(&write(console, piece)?),
                    // The connection's error does not matter: the state of the container shows how
                    // it ended.
                    Some(Err(_)) | None => break None,
                },
            }
        };
        if let Some(stopped) = stopped {
            // Killed at once: a shell as first process ignores a request to end.
            let options = KillContainerOptionsBuilder::default().signal("SIGKILL").build();
            let kill = async { drop(docker.kill_container(id, Some(options)).await) };
            let drain = async {
                // Output is read until the engine closes it: an engine whose reader stops cannot
                // end a container that writes.
                while let Some(Ok(piece)) = output.next().await {
                    on_output(&write(console, piece)?);
                }
                std::io::Result::Ok(())
            };
            // Neither has to succeed: a remaining container is removed next.
            let both = async { tokio::join!(kill, drain).1 };
            return tokio::time::timeout(DRAIN_TIMEOUT, both).await.unwrap_or(Ok(())).map(|()| stopped);
        }
        self.ending(id, cancel, deadline).await
    }

    /// Waits for the end of a container that has closed its output. A scenario may close its output
    /// and continue to run.
    async fn ending(
        &self,
        id: &str,
        cancel: &CancellationToken,
        deadline: std::pin::Pin<&mut tokio::time::Sleep>,
    ) -> std::io::Result<ProcessEnd> {
        let docker = match self.engine.ask() {
            Ok(docker) => docker,
            Err(offline) => {
                return Ok(ProcessEnd::Lost { why: offline.to_sentence() });
            }
        };
        let mut wait = docker.wait_container(id, None::<bollard::query_parameters::WaitContainerOptions>);
        tokio::select! {
            () = cancel.cancelled() => return Ok(ProcessEnd::Cancelled),
            () = deadline => return Ok(ProcessEnd::TimedOut),
            _any_code = wait.next() => {}
        }
        let state = match end_state::inspect(docker, id, INSPECT_ATTEMPTS).await {
            Ok(state) => state,
            Err(error) => return Ok(lost(&error)),
        };
        Ok(match (state.running, state.exit_code) {
            (Some(false), Some(code)) => {
                ProcessEnd::Exited { code, out_of_memory: state.oom_killed.unwrap_or(false) }
            }
            _ => ProcessEnd::Lost { why: say!("the container engine does not know how the container ended") },
        })
    }
}

/// Waits until offline mode forbids reading from an engine on another computer. Never completes for
/// an engine on this computer.
async fn went_offline(way: Option<Permit>) -> Offline {
    match way {
        Some(way) => loop {
            if let Err(offline) = way.while_online(std::future::pending::<()>()).await {
                return offline;
            }
        },
        None => std::future::pending().await,
    }
}

fn not_started(what: Sentence, error: bollard::errors::Error) -> ProcessEnd {
    ProcessEnd::NotStarted { why: DockerError::failed(what)(error).to_sentence() }
}

fn lost(error: &bollard::errors::Error) -> ProcessEnd {
    ProcessEnd::Lost {
        why: say!(
            "the container engine stopped answering while the scenario ran ({})",
            super::engine::sentence(error)
        ),
    }
}

/// A container that is removed when this value is dropped.
pub(super) struct Leftover {
    engine: Engine,
    id: Option<String>,
}

impl Leftover {
    pub(super) fn new(engine: &Engine, id: &str) -> Self {
        Self { engine: engine.clone(), id: Some(id.to_owned()) }
    }

    pub(super) async fn remove(mut self) -> Result<(), DockerError> {
        let id = self.id.take().unwrap_or_default();
        remove(&self.engine, &id).await
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) else {
            return;
        };
        let engine = self.engine.clone();
        // If the process ends before the removal, the next start removes the container.
        drop(runtime.spawn(async move { remove(&engine, &id).await }));
    }
}

/// Writes a piece of a container's output to its log, each of both outputs as a stream of its own.
fn write(console: &mut Console, piece: LogOutput) -> std::io::Result<String> {
    match piece {
        LogOutput::StdErr { message } => console.write_error(&message),
        piece => console.write(&piece.into_bytes()),
    }
}
