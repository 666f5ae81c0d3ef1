//! One container for one repetition: made with its limits, followed until it ends, removed whatever
//! happened.
//!
//! The container sees the repetition's folder as `/workspace` and nothing else of this computer: no
//! engine's socket, no other mount but a [`Relay`], no capability, no way to gain one. The console
//! log and `run.sh` are mounted over themselves read-only, so what a scenario prints is what the
//! log says, and nothing it writes can change that.
//!
//! Source: Docker Engine API 1.41, containers/create, attach, wait, inspect.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use bollard::models::ContainerCreateBody;
use bollard::query_parameters::{AttachContainerOptionsBuilder, KillContainerOptionsBuilder};
use futures_util::StreamExt;
use koab_engine::egress::{Offline, Permit};
use tokio_util::sync::CancellationToken;

use super::end_state::{self, LOOKS};
use super::engine::{DockerError, Engine};
use super::host_config;
use super::image::Image;
use super::owner::{Owner, remove};
use crate::console::Console;
use crate::outcome::Limits;
use crate::process_end::ProcessEnd;
use crate::relay::{self, Relay};

/// Where the repetition's folder is in the container.
const WORKSPACE: &str = "/workspace";
/// How long the last words of a container that is stopped are waited for.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// A time that no trial takes.
const FOR_EVER: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// What a container sees of this computer.
#[derive(Clone, Copy, Debug)]
pub struct Mounts<'a> {
    /// The repetition's folder.
    pub folder: &'a Path,
    /// Files of that folder that the scenario may read and not change, by name.
    pub read_only: &'a [&'a str],
}

/// A container to be run.
pub struct Container<'a> {
    /// The engine that runs it.
    pub engine: &'a Engine,
    /// The process it belongs to.
    pub owner: &'a Owner,
    /// What it is made from.
    pub image: &'a Image,
    /// The command and its arguments.
    pub command: &'a [&'a str],
    /// The environment, beside the image's own.
    pub environment: &'a BTreeMap<String, String>,
    /// What it sees.
    pub mounts: Mounts<'a>,
    /// Its way to a socket of this computer, where it has one. Needs Python in the image.
    pub relay: Option<&'a Relay>,
    /// What it may use and reach. Its output is limited by the console.
    pub limits: &'a Limits,
}

impl Container<'_> {
    /// Runs it to its end and removes it.
    ///
    /// `seen` is given each piece of text as it is written to the console.
    ///
    /// # Errors
    /// When the console cannot be written; everything else is an ending.
    pub async fn run(
        &self,
        console: &mut Console,
        cancel: &CancellationToken,
        seen: &mut (dyn FnMut(&str) + Send),
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
        // However this function is left, also by being dropped, the container goes.
        let leftover = Leftover::new(self.engine, &id);
        let followed = self.follow(&id, console, cancel, seen).await;
        let removed = leftover.remove().await;
        let given_back = host_config::give_back(self.mounts.folder);
        let ended = followed?;
        let why = match (removed, given_back) {
            (Err(error), _) => error.to_sentence(),
            (_, Err(error)) => {
                say!("what the scenario wrote could not be given back to this user: {error}")
            }
            (Ok(()), Ok(())) => return Ok(ended),
        };
        Ok(match ended {
            ProcessEnd::Lost { .. } | ProcessEnd::NotStarted { .. } => ended,
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
        // An image may have a program of its own that it puts before every command; a first word
        // named here takes its place, under either engine.
        let mut words: Vec<&str> = match self.relay {
            Some(_) => vec!["sh", "-c", relay::THROUGH, "sh"],
            None => Vec::new(),
        };
        words.extend(self.command);
        let mut words = words.into_iter().map(str::to_owned);
        let host = host_config::host(self.engine, self.limits, mounts, self.relay);
        // The image's own user has no place of its own that this user could write to.
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
        seen: &mut (dyn FnMut(&str) + Send),
    ) -> std::io::Result<ProcessEnd> {
        let (docker, way) = match (self.engine.ask(), self.engine.way()) {
            (Ok(docker), Ok(way)) => (docker, way),
            (Err(offline), _) | (_, Err(offline)) => {
                return Ok(ProcessEnd::NotStarted { why: offline.to_sentence() });
            }
        };
        // Attached before the start, so that not a byte is missed.
        let options = AttachContainerOptionsBuilder::default().stdout(true).stderr(true).stream(true).build();
        let begun = async {
            let attached = docker.attach_container(id, Some(options)).await;
            let output = attached.map_err(|error| not_started(say!("attach to a container"), error))?.output;
            let started = docker.start_container(id, None).await;
            started.map_err(|error| not_started(say!("start a container"), error))?;
            Ok(output)
        };
        let mut output = match cancel.run_until_cancelled(begun).await {
            Some(Ok(output)) => output,
            Some(Err(ended)) => return Ok(ended),
            None => return Ok(ProcessEnd::Cancelled),
        };
        let deadline = tokio::time::sleep(self.limits.timeout_s.map_or(FOR_EVER, Duration::from_secs));
        tokio::pin!(deadline);
        let offline = cut(way);
        tokio::pin!(offline);
        let stopped = loop {
            tokio::select! {
                biased;
                // It is on another computer, where it goes on by itself: it is found by its labels
                // and removed later.
                offline = &mut offline => return Ok(ProcessEnd::Lost { why: offline.to_sentence() }),
                () = cancel.cancelled() => break Some(ProcessEnd::Cancelled),
                () = &mut deadline => break Some(ProcessEnd::TimedOut),
                piece = output.next() => match piece {
                    Some(Ok(piece)) => seen(&console.write(&piece.into_bytes())?),
                    // What the connection said does not matter: the state of the container says how
                    // it ended.
                    Some(Err(_)) | None => break None,
                },
            }
        };
        if let Some(stopped) = stopped {
            // Killed, not asked: a shell as first process ignores the asking.
            let options = KillContainerOptionsBuilder::default().signal("SIGKILL").build();
            let killed = async { drop(docker.kill_container(id, Some(options)).await) };
            let heard = async {
                // Read until the engine closes it: one whose reader stands still cannot end a
                // container that writes.
                while let Some(Ok(piece)) = output.next().await {
                    seen(&console.write(&piece.into_bytes())?);
                }
                std::io::Result::Ok(())
            };
            // Neither has to succeed: a container that is still there is removed next.
            let both = async { tokio::join!(killed, heard).1 };
            return tokio::time::timeout(LAST_WORDS, both).await.unwrap_or(Ok(())).map(|()| stopped);
        }
        self.ending(id, cancel, deadline).await
    }

    /// The outcome of a container whose output has ended. A scenario may close its output and go
    /// on.
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
        let mut waiting = docker.wait_container(id, None::<bollard::query_parameters::WaitContainerOptions>);
        tokio::select! {
            () = cancel.cancelled() => return Ok(ProcessEnd::Cancelled),
            () = deadline => return Ok(ProcessEnd::TimedOut),
            _any_code = waiting.next() => {}
        }
        let state = match end_state::inspect(docker, id, LOOKS).await {
            Ok(state) => state,
            Err(error) => return Ok(lost(&error)),
        };
        Ok(match (state.running, state.exit_code) {
            (Some(false), Some(code)) => {
                ProcessEnd::Exited { code, out_of_memory: state.oom_killed.unwrap_or(false) }
            }
            _ => ProcessEnd::Lost {
                why: say!("the container engine lost sight of the container while it ran"),
            },
        })
    }
}

/// Comes back when what an engine on another computer says may not be read any more; never for one
/// on this computer.
async fn cut(way: Option<Permit>) -> Offline {
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
            "the container engine went away while the scenario ran ({})",
            super::engine::sentence(error)
        ),
    }
}

/// A container that is still to be removed.
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
        // What this does not reach, because the process ends first, the next start sweeps.
        drop(runtime.spawn(async move { remove(&engine, &id).await }));
    }
}
