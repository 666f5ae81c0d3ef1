//! Route from scenarios to the model gateway, chosen by the runtime of the trials.
//!
//! The route is tried from a container before a run, so that a route that does not work is one
//! error message instead of a table of failed trials.

use koab_core::say;
use koab_core::sentence::ToSentence as _;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use crate::console::Console;
use crate::docker::{Container, DockerError, Mounts};
use crate::outcome::Limits;
use crate::process_end::ProcessEnd;
use crate::relay::Relay;
use crate::scenario_file::Network;
use crate::trial::TrialRuntime;
use koab_engine::ports::Cancel;

use koab_gateway::Gateway;
use koab_workspace::{ErrorCode, WireError};

/// Time limit in seconds of the container that tries the route.
const PROBE_TIMEOUT_S: u64 = 60;
/// Python program that calls the gateway without a token and prints the status of the refusal.
const PROBE: &str = r#"import sys, urllib.error, urllib.request
try:
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(sys.argv[1] + "/models", timeout=20)
except urllib.error.HTTPError as answer:
    print("status", answer.code)
except OSError as error:
    print(getattr(error, "reason", error))
"#;
/// Output of [`PROBE`] when the gateway was reached and refused the call.
const REFUSED: &str = "status 401";

/// Route from scenarios to the gateway.
#[derive(Debug)]
pub(super) enum GatewayRoute {
    /// Scenarios reach the gateway over the network, under a host name of one of its addresses.
    Network {
        /// Addresses that the gateway listens on.
        listen: Vec<IpAddr>,
        /// Host name or address that scenarios use.
        host: &'static str,
    },
    /// Scenarios reach the gateway over a socket that is mounted into containers.
    Relay(Relay),
}

impl GatewayRoute {
    /// Route for trials in this runtime. `closed` means that some trials have no network.
    ///
    /// # Errors
    /// When there is no route, or the engine does not answer.
    pub(super) async fn find(runtime: &TrialRuntime, closed: bool) -> Result<Self, WireError> {
        let mut listen: Vec<IpAddr> = vec![Ipv4Addr::LOCALHOST.into()];
        let TrialRuntime::Docker { engine, .. } = runtime else {
            return Ok(Self::Network { listen, host: "127.0.0.1" });
        };
        let bridge = engine.bridge_address().await.map_err(docker)?;
        if engine.shows_sockets() && (closed || bridge.is_none()) {
            return Relay::new().map(Self::Relay).map_err(WireError::storage);
        }
        if closed {
            return Err(WireError::bad_request(say!(
                "{} runs containers in a virtual machine, and without a network they cannot reach the model: leave out --network none (and \"network\": \"none\" in the scenarios), or --model",
                engine.version()
            )));
        }
        listen.extend(bridge);
        Ok(Self::Network { listen, host: engine.host_name() })
    }

    /// Addresses for the gateway to listen on; none when it listens on a socket.
    pub(super) fn listen(&self) -> Vec<IpAddr> {
        match self {
            Self::Network { listen, .. } => listen.clone(),
            Self::Relay(_) => Vec::new(),
        }
    }

    /// Unix socket for the gateway to listen on; none when it listens on addresses.
    pub(super) fn socket(&self) -> Option<PathBuf> {
        self.relay().map(Relay::socket)
    }

    /// Relay that is mounted into containers.
    pub(super) fn relay(&self) -> Option<&Relay> {
        match self {
            Self::Network { .. } => None,
            Self::Relay(relay) => Some(relay),
        }
    }

    /// Base URL of the gateway for scenarios.
    pub(super) fn base_url(&self, gateway: &Gateway) -> String {
        match self {
            Self::Network { host, .. } => gateway.base_url(host),
            Self::Relay(_) => format!("http://{}/v1", Relay::address()),
        }
    }

    /// Calls the gateway from a container like the containers of trials. If `closed` is set,
    /// because some trials have no network, the container has none. Does nothing for trials that
    /// run without containers.
    ///
    /// # Errors
    /// When the container does not reach the gateway.
    pub(super) async fn probe(
        &self,
        runtime: &TrialRuntime,
        closed: bool,
        base_url: &str,
        cancel: &Cancel,
    ) -> Result<(), WireError> {
        let TrialRuntime::Docker { engine, image, owner } = runtime else {
            return Ok(());
        };
        let folder = tempfile::tempdir().map_err(WireError::storage)?;
        let logs = tempfile::tempdir().map_err(WireError::storage)?;
        let log = logs.path().join("log");
        let mut console = Console::create(&log, 1 << 16, &[]).map_err(WireError::storage)?;
        let real = folder.path().canonicalize().map_err(WireError::storage)?;
        let python = r#"exec "$(command -v python3 || command -v python)" -c "$@" 2>&1"#;
        let container = Container {
            engine,
            owner,
            image,
            command: &["sh", "-c", python, "sh", PROBE, base_url],
            environment: &BTreeMap::new(),
            mounts: Mounts { folder: &real, read_only: &[] },
            relay: self.relay(),
            limits: &Limits {
                timeout_s: Some(PROBE_TIMEOUT_S),
                network: Some(if closed { Network::None } else { Network::Bridge }),
                ..Limits::usual()
            },
        };
        let end = container.run(&mut console, cancel, &mut |_| {}).await;
        console.finish().map_err(WireError::storage)?;
        let output = std::fs::read_to_string(&log).map_err(WireError::storage)?;
        let last = output.trim_end().lines().last().unwrap_or_default();
        let why = match end.map_err(WireError::storage)? {
            ProcessEnd::Exited { code: 0, .. } if last == REFUSED => return Ok(()),
            ProcessEnd::Cancelled => {
                return Err(WireError::cancelled(say!("stopped before anything ran")));
            }
            ProcessEnd::TimedOut => format!("no answer in {PROBE_TIMEOUT_S} s"),
            // The fault is not the route's.
            ProcessEnd::NotStarted { why } | ProcessEnd::Lost { why } => {
                return Err(WireError::new(ErrorCode::Internal, why));
            }
            ProcessEnd::Exited { code, .. } if last.is_empty() => {
                format!("the attempt ended with code {code}")
            }
            ProcessEnd::Exited { .. } => last.to_owned(),
        };
        Err(WireError::bad_request(say!(
            "containers of {} cannot reach this computer, so they cannot reach the model ({why}): allow them in its firewall, or give scenarios a model configuration with --config instead of --model",
            engine.version()
        )))
    }
}

/// Converts an error of the container engine.
pub fn docker(error: DockerError) -> WireError {
    let code = match error {
        DockerError::Unreachable { .. } | DockerError::Refused { .. } => ErrorCode::DockerUnavailable,
        DockerError::NoImage { .. } | DockerError::NotBuilt { .. } | DockerError::ImageNotBuilt { .. } => {
            ErrorCode::NotFound
        }
        DockerError::Failed { .. } | DockerError::CannotStart { .. } | DockerError::Runtime { .. } => {
            ErrorCode::Internal
        }
        DockerError::Offline(_) => ErrorCode::Offline,
    };
    WireError::new(code, error.to_sentence())
}
