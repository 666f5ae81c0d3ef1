//! How scenarios reach the model gateway: chosen before a run by where its trials run, and tried
//! from a container, so that a way that leads nowhere is one sentence and not a table of failed
//! trials.

use koab_core::say;
use koab_core::sentence::ToSentence as _;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use koab_engine::ports::Cancel;
use koab_sandbox::console::Console;
use koab_sandbox::docker::{Container, DockerError, Mounts};
use koab_sandbox::outcome::Limits;
use koab_sandbox::process_end::ProcessEnd;
use koab_sandbox::relay::Relay;
use koab_sandbox::scenario_file::Network;
use koab_sandbox::trial::TrialRuntime;

use crate::gateway::Gateway;
use koab_workspace::{ErrorCode, WireError};

/// Seconds in which a container has to have reached the gateway.
const PATIENCE: u64 = 60;
/// Asks without a token, and says how it was refused.
const PROBE: &str = r#"import sys, urllib.error, urllib.request
try:
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(sys.argv[1] + "/models", timeout=20)
except urllib.error.HTTPError as answer:
    print("status", answer.code)
except OSError as error:
    print(getattr(error, "reason", error))
"#;
/// What the gateway says to who has no token.
const REFUSED: &str = "status 401";

/// A way to the gateway.
#[derive(Debug)]
pub(super) enum GatewayWay {
    /// By the network, to one of these addresses under a name.
    Network {
        /// Where the gateway listens.
        listen: Vec<IpAddr>,
        /// What scenarios call it.
        host: &'static str,
    },
    /// By a socket that containers are shown.
    Relay(Relay),
}

impl GatewayWay {
    /// The way for trials that run here, some of them maybe without a network.
    ///
    /// # Errors
    /// When there is none, or the engine does not answer.
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
                "{} runs containers in a machine of its own, and without a network they cannot reach the model: leave out \
                 --network none (and \"network\": \"none\" in the scenarios), or --model",
                engine.version()
            )));
        }
        listen.extend(bridge);
        Ok(Self::Network { listen, host: engine.host_name() })
    }

    /// Addresses for the gateway to listen on.
    pub(super) fn listen(&self) -> Vec<IpAddr> {
        match self {
            Self::Network { listen, .. } => listen.clone(),
            Self::Relay(_) => Vec::new(),
        }
    }

    /// The socket for it to listen on instead.
    pub(super) fn socket(&self) -> Option<PathBuf> {
        self.relay().map(Relay::socket)
    }

    /// What containers are shown.
    pub(super) fn relay(&self) -> Option<&Relay> {
        match self {
            Self::Network { .. } => None,
            Self::Relay(relay) => Some(relay),
        }
    }

    /// The base URL for scenarios.
    pub(super) fn base_url(&self, gateway: &Gateway) -> String {
        match self {
            Self::Network { host, .. } => gateway.base_url(host),
            Self::Relay(_) => format!("http://{}/v1", Relay::address()),
        }
    }

    /// Asks the gateway from a container such as trials run in, without a network when some of them
    /// have none. On this computer itself there is nothing to try.
    ///
    /// # Errors
    /// One sentence, when it is not reached.
    pub(super) async fn try_it(
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
                timeout_s: Some(PATIENCE),
                network: Some(if closed { Network::None } else { Network::Bridge }),
                ..Limits::usual()
            },
        };
        let ended = container.run(&mut console, cancel, &mut |_| {}).await;
        console.finish().map_err(WireError::storage)?;
        let said = std::fs::read_to_string(&log).map_err(WireError::storage)?;
        let last = said.trim_end().lines().last().unwrap_or_default();
        let why = match ended.map_err(WireError::storage)? {
            ProcessEnd::Exited { code: 0, .. } if last == REFUSED => return Ok(()),
            ProcessEnd::Cancelled => {
                return Err(WireError::cancelled(say!("stopped before anything ran")));
            }
            ProcessEnd::TimedOut => format!("no answer in {PATIENCE} s"),
            // That is not about the model.
            ProcessEnd::NotStarted { why } | ProcessEnd::Lost { why } => {
                return Err(WireError::new(ErrorCode::Internal, why));
            }
            ProcessEnd::Exited { code, .. } if last.is_empty() => {
                format!("the attempt ended with code {code}")
            }
            ProcessEnd::Exited { .. } => last.to_owned(),
        };
        Err(WireError::bad_request(say!(
            "containers of {} do not reach this computer, and so not the model ({why}): let them through its firewall, or \
             give scenarios a model configuration with --config instead of --model",
            engine.version()
        )))
    }
}

/// An error of the container engine for whoever asked.
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
