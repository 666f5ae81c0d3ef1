//! Attempts in containers. A container has no network except the socket to the run's own listener.
//! The container can read only the attempt's folder, and no other file of this computer.

mod attempt_socket;
mod image;
mod program;

pub(crate) use attempt_socket::AttemptSocket;
pub(crate) use image::name as image_name;
pub use image::{ImageBuild, build_image};
pub(crate) use program::ContainerProgram;

use crate::definition::Definition;
use crate::folder::INSIDE;
use crate::process::Output;
use crate::program_end::Stdin;
use crate::version;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_scenarios::docker::{Engine, Image, Owner, Program};
use koab_scenarios::engine_error;
use koab_scenarios::outcome::Limits;
use koab_scenarios::scenario_file::Network;
use koab_workspace::{ErrorCode, Home, WireError};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Containers of an agent's image.
pub struct Containers {
    engine: Engine,
    image: Image,
    owner: Owner,
}

/// Folder, environment and socket of an attempt, for its container.
pub(crate) struct Mount<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) environment: &'a BTreeMap<String, String>,
    pub(crate) socket: &'a AttemptSocket,
}

impl Containers {
    /// Prepares containers of a local image. Removes containers that earlier processes left.
    ///
    /// # Errors
    /// When the engine cannot start a container.
    pub(crate) async fn prepare(engine: Engine, image: Image, home: &Home) -> Result<Self, WireError> {
        let owner = owner(home)?;
        owner.sweep(&engine).await.map_err(engine_error)?;
        engine.try_to_start(&image, &owner).await.map_err(engine_error)?;
        Ok(Self { engine, image, owner })
    }

    /// Hash of the containers' image.
    pub(crate) fn image(&self) -> &str {
        &self.image.id
    }

    /// Starts the program of an attempt.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub(crate) async fn start(
        &self,
        mount: &Mount<'_>,
        command: &[String],
        output: &Output,
        spoken_to: bool,
    ) -> Result<(ContainerProgram, Option<Stdin>), Sentence> {
        let limits = limits();
        let program = Program {
            relay: Some(mount.socket.relay()),
            folder: mount.folder,
            spoken_to,
            ..self.program(command, mount.environment, &limits)
        };
        ContainerProgram::start(&program, output).await
    }

    fn program<'a>(
        &'a self,
        command: &'a [String],
        environment: &'a BTreeMap<String, String>,
        limits: &'a Limits,
    ) -> Program<'a> {
        Program {
            engine: &self.engine,
            owner: &self.owner,
            image: &self.image,
            command,
            environment,
            folder: "".as_ref(),
            inside: INSIDE,
            begins_in: "/attempt/work",
            relay: None,
            limits,
            spoken_to: false,
        }
    }

    /// Version of the agent in the image; `None` if the agent reports no version.
    ///
    /// # Errors
    /// When no container can be started. It is then not known which check belongs to the agent.
    pub(crate) async fn version(&self, definition: &Definition) -> Result<Option<String>, WireError> {
        if definition.version.is_empty() {
            return Ok(None);
        }
        let folder = tempfile::tempdir().map_err(WireError::storage)?;
        let folder = folder.path().canonicalize().map_err(WireError::storage)?;
        let home = [("HOME", INSIDE), ("LANG", "C.UTF-8"), ("NO_COLOR", "1")];
        let environment = home.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let limits = limits();
        let program = Program {
            folder: &folder,
            begins_in: INSIDE,
            ..self.program(&definition.version, &environment, &limits)
        };
        let unavailable = |why: Sentence| {
            let name = &definition.name;
            WireError::new(
                ErrorCode::DockerUnavailable,
                say!("the version of {name} in its container cannot be found: {why}"),
            )
        };
        let (running, mut output, _) = program.start().await.map_err(unavailable)?;
        let mut stdout = Vec::new();
        let hearing = async {
            while let Some((bytes, is_stdout)) = output.next().await {
                if is_stdout && stdout.len() < 4096 {
                    stdout.extend(bytes);
                }
            }
        };
        let heard = tokio::time::timeout(version::VERSION_TIMEOUT, hearing).await;
        running.end(Duration::ZERO).await.map_err(unavailable)?;
        Ok(heard.ok().and_then(|()| version::version_in(&String::from_utf8_lossy(&stdout))))
    }
}

/// Limits of an agent's container, which has no network.
fn limits() -> Limits {
    Limits { network: Some(Network::None), ..Limits::usual() }
}

/// Registers this process as an owner of containers. Agents and scenarios share the folder of
/// owners, so that each removes containers that the other left behind.
fn owner(home: &Home) -> Result<Owner, WireError> {
    Owner::new(&home.path().join("scenario-locks")).map_err(WireError::storage)
}
