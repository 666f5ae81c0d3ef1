//! Finding the container engine, and its failures in one sentence each.

use bollard::Docker;
use bollard::errors::Error;
use bollard::models::{ContainerCreateBody, SystemInfoCgroupVersionEnum};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::text;
use koab_engine::egress::{self, Offline, Permit, Purpose, host_of, is_here};
use std::net::IpAddr;
use std::sync::Arc;

/// What went wrong between us and the container engine.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum DockerError {
    /// No engine answers.
    #[error(
        "no container engine answers at {at} ({why}): start Docker or Podman, name its socket in DOCKER_HOST, or run \
         with --native on this computer itself"
    )]
    Unreachable {
        /// Where one was looked for.
        at: String,
        /// What the connection said.
        why: Sentence,
    },
    /// The engine is there and this user may not talk to it.
    #[error(
        "the container engine at {at} refuses this user: add the user to the group \"docker\" (and log in again), or \
         use rootless Podman"
    )]
    Refused {
        /// Its address.
        at: String,
    },
    /// An image that is neither here nor to be had.
    #[error(
        "the image {image} is not here and cannot be pulled ({why}): load it, or name another with --docker-image"
    )]
    NoImage {
        /// The image's name.
        image: String,
        /// What the engine said.
        why: Sentence,
    },
    /// The default image could not be built.
    #[error(
        "the default image {image} could not be built ({why}): name an image that is here with --docker-image"
    )]
    NotBuilt {
        /// The image's name.
        image: String,
        /// The last lines of the build.
        why: Sentence,
    },
    /// An image could not be built by its spec.
    #[error("the image {image} could not be built ({why})")]
    ImageNotBuilt {
        /// The image's name.
        image: String,
        /// The last lines of the build.
        why: Sentence,
    },
    /// The engine answers, and its runtime does not suit this computer.
    #[error(
        "{engine} cannot start containers here: its runtime crun does not know control groups of both versions at once; \
         install runc and have it use that (`runtime = \"runc\"` under [engine] in containers.conf)"
    )]
    Runtime {
        /// Its name and version.
        engine: String,
    },
    /// The engine answers, and starts nothing.
    #[error("{engine} cannot start a container of the image {image} ({why})")]
    CannotStart {
        /// Its name and version.
        engine: String,
        /// The image's name.
        image: String,
        /// What it said.
        why: Sentence,
    },
    /// What is asked of it would leave this computer, and koab is offline.
    #[error(transparent)]
    Offline(#[from] Offline),
    /// The engine answers with an error.
    #[error("the container engine could not {what}: {why}")]
    Failed {
        /// What was asked of it.
        what: Sentence,
        /// What it said.
        why: Sentence,
    },
}

impl DockerError {
    /// What was found where an engine was looked for, without what to do about it.
    #[must_use]
    pub fn finding(&self) -> Sentence {
        match self {
            Self::Unreachable { at, why } => say!("no engine answers at {at} ({why})"),
            Self::Refused { at } => say!("the engine at {at} refuses this user"),
            other => other.to_sentence(),
        }
    }

    /// The same error for an action that was asked of a reachable engine.
    pub(super) fn failed(what: Sentence) -> impl FnOnce(Error) -> Self {
        move |error| Self::Failed { what, why: sentence(&error).into() }
    }
}

/// What the engine said, without the words of the library around it.
pub(super) fn sentence(error: &Error) -> String {
    match error {
        Error::DockerResponseServerError { message, .. } => message.trim().to_owned(),
        Error::DockerContainerWaitError { error, .. } if !error.is_empty() => error.clone(),
        Error::DockerStreamError { error } => error.trim().to_owned(),
        other => other.to_string(),
    }
}

/// Whether an engine says that a thing is not there.
pub(super) fn is_missing(error: &Error) -> bool {
    matches!(error, Error::DockerResponseServerError { status_code: 404, .. })
}

/// Why an engine does not answer where nobody listens.
const NO_SOCKET: &str = text!("there is no such socket");

/// A container engine that answers.
#[derive(Clone)]
pub struct Engine {
    docker: Docker,
    /// The other computer that it is on; `None` where it is reached through a socket or on this
    /// one.
    beyond: Option<Arc<str>>,
    /// Whether it runs without root on this computer.
    pub(super) rootless: bool,
    /// Whether it is Podman behind Docker's API.
    pub(super) podman: bool,
    /// Whether it can put an init process before the scenario, which reaps what the scenario
    /// leaves.
    pub(super) init: bool,
    /// Whether its containers run on this computer's own kernel, and not in a machine of their own.
    here: bool,
    /// Whether it can hold containers to memory, processors and processes.
    limits: bool,
    named: Arc<Named>,
}

/// What is told of an engine.
struct Named {
    address: String,
    version: String,
}

impl Engine {
    /// Makes a container, and says its id.
    pub(super) async fn create(&self, body: ContainerCreateBody) -> Result<String, DockerError> {
        let made = self.ask()?.create_container(None, body).await;
        Ok(made.map_err(DockerError::failed(say!("make a container")))?.id)
    }

    /// Connects to the engine that `DOCKER_HOST` names, else to Docker's socket, else to Podman's.
    ///
    /// # Errors
    /// When none answers or this user may not talk to it.
    pub async fn find() -> Result<Self, DockerError> {
        match std::env::var("DOCKER_HOST").ok().filter(|host| !host.trim().is_empty()) {
            Some(host) => Self::at(host.trim()).await,
            None => Self::first_of(&usual_places()).await,
        }
    }

    /// Connects to the first of these that answers. Where none does, one that refuses this user
    /// says most, and one that is there more than one that is not.
    async fn first_of(places: &[String]) -> Result<Self, DockerError> {
        let (mut refused, mut silent) = (None, None);
        for host in places {
            match Self::at(host).await {
                Ok(engine) => return Ok(engine),
                Err(error @ DockerError::Refused { .. }) => refused = refused.or(Some(error)),
                Err(DockerError::Unreachable { why, .. }) if why.template() == NO_SOCKET => {}
                Err(error) => silent = silent.or(Some(error)),
            }
        }
        Err(refused
            .or(silent)
            .unwrap_or_else(|| DockerError::Unreachable { at: places.join(", "), why: NO_SOCKET.into() }))
    }

    /// Connects to the engine at an address as `DOCKER_HOST` has it: `unix://…`, `npipe://…` or
    /// `tcp://…`.
    ///
    /// # Errors
    /// When it does not answer or this user may not talk to it.
    pub async fn at(host: &str) -> Result<Self, DockerError> {
        let unreachable = |why: Sentence| DockerError::Unreachable { at: host.to_owned(), why };
        // All that goes over the network asks the gate. What an engine on this computer fetches for
        // us asks in `image`.
        let beyond = host_of(host).filter(|host| !is_here(host)).map(Arc::from);
        permit(beyond.as_deref())?;
        let docker = Docker::connect_with_host(host).map_err(|error| match error {
            Error::SocketNotFoundError(_) => unreachable(NO_SOCKET.into()),
            other => unreachable(other.to_string().into()),
        })?;
        let docker = docker.negotiate_version().await.map_err(|error| {
            let why = chain(&error);
            if why.to_lowercase().contains("permission denied") {
                DockerError::Refused { at: host.to_owned() }
            } else {
                unreachable(why.into())
            }
        })?;
        let version = docker.version().await.map_err(|error| unreachable(chain(&error).into()))?;
        let info = docker.info().await.map_err(|error| unreachable(chain(&error).into()))?;
        let podman = version
            .components
            .iter()
            .flatten()
            .any(|component| component.name.to_lowercase().contains("podman"));
        let system = info.operating_system.as_deref().unwrap_or_default();
        let here =
            cfg!(target_os = "linux") && host.starts_with("unix://") && !system.contains("Docker Desktop");
        let mut said = info.security_options.iter().flatten();
        let rootless = said.any(|option| option.contains("rootless")) || podman && here && is_a_user_s(host);
        // Groups of the first version are not given to users.
        let second = info.cgroup_version == Some(SystemInfoCgroupVersionEnum::_2);
        Ok(Self {
            here,
            rootless,
            limits: second || !rootless,
            init: !podman && info.init_binary.is_some_and(|binary| !binary.is_empty()),
            podman,
            named: Arc::new(Named {
                address: host.to_owned(),
                version: format!(
                    "{} {}",
                    if podman { "Podman" } else { "Docker" },
                    version.version.as_deref().unwrap_or("of unknown version")
                ),
            }),
            docker,
            beyond,
        })
    }

    /// The way to it, for one question: one on another computer is asked nothing while koab is
    /// offline.
    ///
    /// # Errors
    /// [`DockerError::Offline`].
    pub(super) fn ask(&self) -> Result<&Docker, DockerError> {
        self.way().map(|_| &self.docker)
    }

    /// The same for a question whose answer takes its time, which may be read for as long as koab
    /// is online.
    ///
    /// # Errors
    /// [`DockerError::Offline`].
    pub(super) fn way(&self) -> Result<Option<Permit>, DockerError> {
        Ok(permit(self.beyond.as_deref())?)
    }

    /// The name by which containers on the bridge know this computer.
    #[must_use]
    pub fn host_name(&self) -> &'static str {
        if self.podman { "host.containers.internal" } else { "host.docker.internal" }
    }

    /// Whether a container sees a socket of this computer that is in a folder shown to it. Not from
    /// an engine in a machine of its own, as on macOS and Windows and under Docker Desktop; there
    /// [`Engine::host_name`] leads to this computer's 127.0.0.1.
    #[must_use]
    pub fn shows_sockets(&self) -> bool {
        self.here
    }

    /// This computer's address on the bridge, where containers reach it under
    /// [`Engine::host_name`]. `None` where there is nothing to listen on: rootless engines keep
    /// their bridge to themselves, Podman's comes with the first container, and another machine's
    /// is not this computer's.
    ///
    /// # Errors
    /// When the engine does not answer.
    pub async fn bridge_address(&self) -> Result<Option<IpAddr>, DockerError> {
        if self.rootless || self.podman || !self.here {
            return Ok(None);
        }
        let network = match self.ask()?.inspect_network("bridge", None).await {
            Err(error) if is_missing(&error) => return Ok(None),
            found => found.map_err(DockerError::failed(say!("describe its bridge")))?,
        };
        let configs = network.ipam.and_then(|ipam| ipam.config).unwrap_or_default();
        let addresses = configs.into_iter().filter_map(|config| config.gateway?.parse().ok());
        // The name leads to the IPv4 address where there are both.
        Ok(addresses.min_by_key(IpAddr::is_ipv6))
    }

    /// Whether it holds containers to limits of memory, processors and processes. Where it does
    /// not, it says nothing when it is given some.
    #[must_use]
    pub fn holds_limits(&self) -> bool {
        self.limits
    }

    /// Whether a container that was killed for its memory is always said to be. Podman before 4.4
    /// loses it.
    #[must_use]
    pub fn tells_memory(&self) -> bool {
        !self.podman
    }

    /// Where it listens, as `DOCKER_HOST` has it.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.named.address
    }

    /// Name and version, such as "Docker 20.10.24".
    #[must_use]
    pub fn version(&self) -> &str {
        &self.named.version
    }
}

/// Leave to ask an engine, where it is on another computer.
fn permit(beyond: Option<&str>) -> Result<Option<Permit>, Offline> {
    beyond.map(|host| egress::permit(host, Purpose::Engine)).transpose()
}

/// Where engines listen when nothing is said.
fn usual_places() -> Vec<String> {
    if cfg!(windows) {
        return vec!["npipe:////./pipe/docker_engine".to_owned()];
    }
    let mut places = vec!["unix:///var/run/docker.sock".to_owned()];
    if let Ok(home) = std::env::var("HOME") {
        // Docker Desktop on macOS and Linux.
        places.push(format!("unix://{home}/.docker/run/docker.sock"));
        places.push(format!("unix://{home}/.docker/desktop/docker.sock"));
    }
    if let Ok(runtime) = std::env::var("XDG_RUNTIME_DIR") {
        places.push(format!("unix://{runtime}/docker.sock"));
        places.push(format!("unix://{runtime}/podman/podman.sock"));
    }
    places.push("unix:///run/podman/podman.sock".to_owned());
    places
}

/// Whether an engine's socket belongs to somebody else than root. Older Podman does not say that it
/// runs without root.
#[cfg(unix)]
fn is_a_user_s(host: &str) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    host.strip_prefix("unix://")
        .and_then(|path| std::fs::metadata(path).ok())
        .is_some_and(|meta| meta.uid() != 0)
}

#[cfg(not(unix))]
fn is_a_user_s(_: &str) -> bool {
    false
}

/// An error with the reasons beneath it: the system's own word stands at the end of the chain.
fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        source = inner.source();
    }
    text
}
