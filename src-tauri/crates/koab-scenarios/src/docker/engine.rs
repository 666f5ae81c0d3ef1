//! Finds the container engine, and describes its failures in one sentence each.

use bollard::Docker;
use bollard::errors::Error;
use bollard::models::{ContainerCreateBody, SystemInfoCgroupVersionEnum};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::text;
use koab_engine::egress::{Gate, Offline, Permit, Purpose, host_of, is_here};
use std::net::IpAddr;
use std::sync::Arc;

/// Error of the container engine, or of the connection to the engine.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum DockerError {
    /// No engine answers.
    #[error(
        "no container engine answers at {at} ({why}): start Docker or Podman, name its socket in DOCKER_HOST, or run \
         with --native on this computer itself"
    )]
    Unreachable {
        /// Addresses that were tried.
        at: String,
        /// Error of the connection.
        why: Sentence,
    },
    /// The engine exists, but this user may not access it.
    #[error(
        "the container engine at {at} refuses this user: add the user to the group \"docker\" (and log in again), or \
         use rootless Podman"
    )]
    Refused {
        /// Address of the engine.
        at: String,
    },
    /// An image is not on this computer and cannot be pulled.
    #[error(
        "the image {image} is not on this computer and cannot be pulled ({why}): load it, or name another with --docker-image"
    )]
    NoImage {
        /// Name of the image.
        image: String,
        /// Error of the engine.
        why: Sentence,
    },
    /// The default image could not be built.
    #[error(
        "the default image {image} could not be built ({why}): name an image of this computer with --docker-image"
    )]
    NotBuilt {
        /// Name of the image.
        image: String,
        /// Last lines of the build's output.
        why: Sentence,
    },
    /// An image could not be built from its [`ImageSpec`](super::ImageSpec).
    #[error("the image {image} could not be built ({why})")]
    ImageNotBuilt {
        /// Name of the image.
        image: String,
        /// Last lines of the build's output.
        why: Sentence,
    },
    /// The engine answers, but its runtime does not support this computer.
    #[error(
        "{engine} cannot start containers here: its runtime crun does not know control groups of both versions at once; \
         install runc and have it use that (`runtime = \"runc\"` under [engine] in containers.conf)"
    )]
    Runtime {
        /// Name and version of the engine.
        engine: String,
    },
    /// The engine answers, but cannot start containers.
    #[error("{engine} cannot start a container of the image {image} ({why})")]
    CannotStart {
        /// Name and version of the engine.
        engine: String,
        /// Name of the image.
        image: String,
        /// Error of the engine.
        why: Sentence,
    },
    /// The request would go to another computer, and koab is offline.
    #[error(transparent)]
    Offline(#[from] Offline),
    /// The engine answers with an error.
    #[error("the container engine could not {what}: {why}")]
    Failed {
        /// Operation that the engine was requested to perform.
        what: Sentence,
        /// Error of the engine.
        why: Sentence,
    },
}

impl DockerError {
    /// Short description of the error, without advice.
    #[must_use]
    pub fn finding(&self) -> Sentence {
        match self {
            Self::Unreachable { at, why } => say!("no engine answers at {at} ({why})"),
            Self::Refused { at } => say!("the engine at {at} refuses this user"),
            other => other.to_sentence(),
        }
    }

    /// Wraps an error of an operation that a reachable engine performed.
    pub(super) fn failed(what: Sentence) -> impl FnOnce(Error) -> Self {
        move |error| Self::Failed { what, why: sentence(&error).into() }
    }
}

/// Message of the engine, without the wording of the client library.
pub(super) fn sentence(error: &Error) -> String {
    match error {
        Error::DockerResponseServerError { message, .. } => message.trim().to_owned(),
        Error::DockerContainerWaitError { error, .. } if !error.is_empty() => error.clone(),
        Error::DockerStreamError { error } => error.trim().to_owned(),
        other => other.to_string(),
    }
}

/// Whether an engine reports that an object does not exist.
pub(super) fn is_missing(error: &Error) -> bool {
    matches!(error, Error::DockerResponseServerError { status_code: 404, .. })
}

/// Reason for an engine whose socket does not exist.
const NO_SOCKET: &str = text!("there is no such socket");

/// Connection to a container engine.
#[derive(Clone)]
pub struct Engine {
    docker: Docker,
    /// Egress gate that requests to engines and registries on other computers pass: it logs them
    /// and refuses them while koab is offline.
    gate: Gate,
    /// Host of an engine on another computer. `None` when the engine is reached through a socket or
    /// at an address of this computer.
    remote_host: Option<Arc<str>>,
    /// Whether the engine runs without root on this computer.
    pub(super) rootless: bool,
    /// Whether the engine is Podman with Docker's API.
    pub(super) podman: bool,
    /// Whether the engine can run an init process, which reaps orphaned processes of the scenario.
    pub(super) init: bool,
    /// Whether containers run on this computer's own kernel, and not in a virtual machine.
    here: bool,
    /// Whether the engine can limit memory, processors and processes.
    limits: bool,
    identity: Arc<EngineIdentity>,
}

/// Address and version of an engine.
struct EngineIdentity {
    address: String,
    version: String,
}

impl Engine {
    /// Creates a container, and returns its id.
    pub(super) async fn create(&self, body: ContainerCreateBody) -> Result<String, DockerError> {
        let response = self.ask()?.create_container(None, body).await;
        Ok(response.map_err(DockerError::failed(say!("make a container")))?.id)
    }

    /// Connects to the engine that `DOCKER_HOST` names, else to Docker's socket, else to Podman's.
    /// Requests to other computers pass the egress gate `gate`.
    ///
    /// # Errors
    /// When no engine answers or this user may not access it.
    pub async fn find(gate: &Gate) -> Result<Self, DockerError> {
        match std::env::var("DOCKER_HOST").ok().filter(|host| !host.trim().is_empty()) {
            Some(host) => Self::at(gate, host.trim()).await,
            None => Self::first_of(gate, &usual_places()).await,
        }
    }

    /// Connects to the first of these addresses that answers. Otherwise returns the most
    /// informative error: preferably the error of an engine that refuses this user, then the error
    /// of a socket that exists.
    async fn first_of(gate: &Gate, places: &[String]) -> Result<Self, DockerError> {
        let (mut refused, mut silent) = (None, None);
        for host in places {
            match Self::at(gate, host).await {
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

    /// Connects to the engine at an address in the format of `DOCKER_HOST`: `unix://…`, `npipe://…`
    /// or `tcp://…`.
    ///
    /// # Errors
    /// When the engine does not answer or this user may not access it.
    pub async fn at(gate: &Gate, host: &str) -> Result<Self, DockerError> {
        let unreachable = |why: Sentence| DockerError::Unreachable { at: host.to_owned(), why };
        // Network access needs a permit. Downloads by an engine on this computer get theirs in
        // `image`.
        let remote_host = host_of(host).filter(|host| !is_here(host)).map(Arc::from);
        permit(gate, remote_host.as_deref())?;
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
        let mut options = info.security_options.iter().flatten();
        let rootless =
            options.any(|option| option.contains("rootless")) || podman && here && is_socket_of_user(host);
        // Control groups of version 1 cannot be used without root.
        let cgroups_v2 = info.cgroup_version == Some(SystemInfoCgroupVersionEnum::_2);
        Ok(Self {
            here,
            rootless,
            limits: cgroups_v2 || !rootless,
            init: !podman && info.init_binary.is_some_and(|binary| !binary.is_empty()),
            podman,
            identity: Arc::new(EngineIdentity {
                address: host.to_owned(),
                version: format!(
                    "{} {}",
                    if podman { "Podman" } else { "Docker" },
                    version.version.as_deref().unwrap_or("of unknown version")
                ),
            }),
            docker,
            gate: gate.clone(),
            remote_host,
        })
    }

    /// API client for one short request. Fails for an engine on another computer while koab is
    /// offline.
    ///
    /// # Errors
    /// [`DockerError::Offline`], when koab is offline.
    pub(super) fn ask(&self) -> Result<&Docker, DockerError> {
        self.way().map(|_| &self.docker)
    }

    /// Permit for a request whose answer takes time. The permit is valid while koab is online.
    /// `None` for an engine on this computer, which needs no permit.
    ///
    /// # Errors
    /// [`DockerError::Offline`].
    pub(super) fn way(&self) -> Result<Option<Permit>, DockerError> {
        Ok(permit(&self.gate, self.remote_host.as_deref())?)
    }

    /// Permits a download that the engine makes on behalf of koab.
    ///
    /// # Errors
    /// When the host is another computer and koab is offline.
    pub(super) fn permit_download(&self, host: &str) -> Result<(), Offline> {
        self.gate.permit(host, Purpose::Image).map(drop)
    }

    /// Host name under which containers on the bridge network reach this computer.
    #[must_use]
    pub fn host_name(&self) -> &'static str {
        if self.podman { "host.containers.internal" } else { "host.docker.internal" }
    }

    /// Whether a container can use a socket of this computer in a mounted folder.
    ///
    /// This is false for an engine in a virtual machine, as on macOS and Windows and with Docker
    /// Desktop. For these engines, [`Engine::host_name`] resolves to this computer's 127.0.0.1.
    #[must_use]
    pub fn shows_sockets(&self) -> bool {
        self.here
    }

    /// Address of this computer on the bridge network, where containers reach it under
    /// [`Engine::host_name`].
    ///
    /// `None` when this computer cannot listen at such an address. The bridge of a rootless engine
    /// or of a virtual machine is not visible to this computer, and Podman creates its bridge with
    /// the first container.
    ///
    /// # Errors
    /// When the engine does not answer.
    pub async fn bridge_address(&self) -> Result<Option<IpAddr>, DockerError> {
        if self.rootless || self.podman || !self.here {
            return Ok(None);
        }
        let network = match self.ask()?.inspect_network("bridge", None).await {
            Err(error) if is_missing(&error) => return Ok(None),
            result => result.map_err(DockerError::failed(say!("describe its bridge")))?,
        };
        let configs = network.ipam.and_then(|ipam| ipam.config).unwrap_or_default();
        let addresses = configs.into_iter().filter_map(|config| config.gateway?.parse().ok());
        // The host name resolves to the IPv4 address when there are both.
        Ok(addresses.min_by_key(IpAddr::is_ipv6))
    }

    /// Whether the engine enforces limits of memory, processors and processes. Other engines ignore
    /// such limits without an error.
    #[must_use]
    pub fn holds_limits(&self) -> bool {
        self.limits
    }

    /// Whether the engine always reports that a container was killed because of its memory. Podman
    /// before 4.4 may lose this information.
    #[must_use]
    pub fn tells_memory(&self) -> bool {
        !self.podman
    }

    /// Address of the engine, in the format of `DOCKER_HOST`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.identity.address
    }

    /// Name and version, such as "Docker 20.10.24".
    #[must_use]
    pub fn version(&self) -> &str {
        &self.identity.version
    }
}

/// Permit to access an engine on another computer; `None` for an engine on this computer.
fn permit(gate: &Gate, remote_host: Option<&str>) -> Result<Option<Permit>, Offline> {
    remote_host.map(|host| gate.permit(host, Purpose::Engine)).transpose()
}

/// Default addresses of engines.
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

/// Whether an engine's socket belongs to another user than root. Older Podman does not report that
/// it runs without root.
#[cfg(unix)]
fn is_socket_of_user(host: &str) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    host.strip_prefix("unix://")
        .and_then(|path| std::fs::metadata(path).ok())
        .is_some_and(|meta| meta.uid() != 0)
}

#[cfg(not(unix))]
fn is_socket_of_user(_: &str) -> bool {
    false
}

/// Text of an error and of all its sources. The last source is the operating system's own message.
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
