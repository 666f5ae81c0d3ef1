//! The egress gate, for requests to other computers: it allows or refuses each one and logs it.
//!
//! Code that sends a request calls [`Gate::permit`] first. Requests to this computer ([`is_here`])
//! are always allowed and not logged. Each workspace has one [`Gate`], whose [`WorkspaceSwitch`]
//! has the user's offline switch and the log of requests. No client can be built without a gate,
//! so no code can bypass it. `docs/design/egress.md` has the reasons and the limits of the gate.

mod local_address;
mod purpose;

pub use local_address::{host_of, is_here};
pub use purpose::Purpose;

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::watch;

/// Interval at which a request in flight checks whether another process has switched the workspace
/// offline.
///
/// A switch in this process takes effect at once.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Reason why koab is offline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, koab_core::Say)]
pub enum OfflineReason {
    /// The option `--offline`.
    #[say("leave out --offline to allow the request")]
    Option,
    /// The environment variable `KOAB_OFFLINE`.
    #[say("unset KOAB_OFFLINE to allow the request")]
    Environment,
    /// The workspace's switch.
    #[say("switch offline off in the settings or with `koab offline off` to allow the request")]
    Setting,
}

/// Error for a request that was not sent because koab is offline. All requests to other computers
/// use this error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error("{purpose} needs {host}, but koab is offline; {because}")]
pub struct Offline {
    /// Host of the request, with its port if that is not the default.
    pub host: String,
    /// Part of the program that needed the request, such as the model: the subject of the error's
    /// sentence.
    pub purpose: Purpose,
    /// Reason why koab is offline.
    pub because: OfflineReason,
}

/// The workspace's part of the gate: its offline switch and its log of requests.
pub trait WorkspaceSwitch: Send + Sync {
    /// Whether the user has switched the workspace offline. It is checked before every request, so
    /// that a switch takes effect in all processes.
    fn is_offline(&self) -> bool;

    /// Logs a request before it is sent, so that a killed process leaves none out. Refused requests
    /// are logged too.
    fn note(&self, host: &str, purpose: Purpose, allowed: bool);
}

/// Egress gate of a workspace. Clones are cheap and share everything.
#[derive(Clone)]
pub struct Gate {
    state: Arc<GateState>,
}

struct GateState {
    forced: RwLock<Option<OfflineReason>>,
    switch: Arc<dyn WorkspaceSwitch>,
    turned: watch::Sender<()>,
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").finish_non_exhaustive()
    }
}

impl Gate {
    /// Egress gate of the workspace with this switch and log.
    pub fn new(switch: Arc<dyn WorkspaceSwitch>) -> Self {
        let state = GateState { forced: RwLock::default(), switch, turned: watch::Sender::new(()) };
        Self { state: Arc::new(state) }
    }

    /// Sets the gate offline regardless of the workspace's switch. With `None` the switch decides.
    pub fn force(&self, because: Option<OfflineReason>) {
        *self.state.forced.write().unwrap_or_else(PoisonError::into_inner) = because;
        self.turned();
    }

    /// Notifies requests in flight that the workspace's switch has changed, so that they check it
    /// at once.
    pub fn turned(&self) {
        self.state.turned.send_replace(());
    }

    /// Reason why koab is offline; `None` while it is online.
    pub fn offline(&self) -> Option<OfflineReason> {
        let forced = *self.state.forced.read().unwrap_or_else(PoisonError::into_inner);
        forced.or_else(|| self.state.switch.is_offline().then_some(OfflineReason::Setting))
    }

    /// Permits one request to a host and logs it. It has to be called before any lookup or
    /// connection.
    ///
    /// # Errors
    /// When the host is another computer and koab is offline.
    pub fn permit(&self, host: &str, purpose: Purpose) -> Result<Permit, Offline> {
        if is_here(host) {
            return Ok(Permit { beyond: None });
        }
        let decision = self.may_reach(host, purpose);
        self.state.switch.note(host, purpose, decision.is_ok());
        decision.map(|()| Permit { beyond: Some((self.clone(), host.to_owned(), purpose)) })
    }

    /// Checks without logging whether a host may be reached now, for the lower layers of a
    /// permitted request, such as its connection.
    ///
    /// # Errors
    /// The errors of [`Gate::permit`].
    pub fn may_reach(&self, host: &str, purpose: Purpose) -> Result<(), Offline> {
        match self.offline() {
            Some(because) if !is_here(host) => Err(Offline { host: host.to_owned(), purpose, because }),
            _ => Ok(()),
        }
    }

    /// Completes as soon as koab is offline.
    async fn refused(&self, host: &str, purpose: Purpose) -> Offline {
        let mut turns = self.state.turned.subscribe();
        loop {
            if let Err(offline) = self.may_reach(host, purpose) {
                return offline;
            }
            // Checks again after a notification or the timeout.
            let _ = tokio::time::timeout(POLL_INTERVAL, turns.changed()).await;
        }
    }
}

/// The [`Offline`] error among an error and its sources, if there is one.
pub fn refusal(error: &(dyn std::error::Error + 'static)) -> Option<Offline> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(offline) = error.downcast_ref::<Offline>() {
            return Some(offline.clone());
        }
        cause = error.source();
    }
    None
}

/// Permission to send one request and to read its answer.
#[derive(Clone, Debug)]
pub struct Permit {
    /// Gate, host and purpose of the request; `None` for a request to this computer.
    beyond: Option<(Gate, String, Purpose)>,
}

impl Permit {
    /// Runs a future, and drops it as soon as koab is offline.
    ///
    /// # Errors
    /// When koab is offline before the future completes.
    pub async fn while_online<T>(&self, work: impl Future<Output = T>) -> Result<T, Offline> {
        let Some((gate, host, purpose)) = &self.beyond else {
            return Ok(work.await);
        };
        tokio::select! {
            biased;
            offline = gate.refused(host, *purpose) => Err(offline),
            done = work => Ok(done),
        }
    }
}

#[cfg(test)]
mod tests;
