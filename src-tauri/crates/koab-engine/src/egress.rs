//! The one gate between this computer and all others: whether a request may leave, and a line for
//! each that wants to.
//!
//! Whoever sends anything asks [`permit`] first, once a request. What stays on this computer
//! ([`is_here`]) always may and leaves no line. The gate belongs to the process, as its environment
//! does, so that no caller can be built without it; [`set_workspace`] names the workspace whose
//! [`WorkspaceSwitch`] has the user's switch and takes the lines. `docs/design/egress.md` says why
//! it is so, and what the gate does not see.

mod local_address;
mod purpose;

pub use local_address::{host_of, is_here};
pub use purpose::Purpose;

use std::sync::{Arc, LazyLock, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::watch;

/// How often a request in flight looks whether another process has switched the workspace offline.
/// A switch of this process is heard at once.
const LOOK: Duration = Duration::from_millis(500);

/// What has put koab offline, and so what puts it online again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, koab_core::Say)]
pub enum OfflineReason {
    /// The option `--offline`.
    #[say("leave out --offline to let it out")]
    Option,
    /// The environment variable `KOAB_OFFLINE`.
    #[say("unset KOAB_OFFLINE to let it out")]
    Environment,
    /// The workspace's switch.
    #[say("switch offline off in the settings or with `koab offline off` to let it out")]
    Setting,
}

/// A request that was not sent because koab is offline. The one error of every outward call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error("{purpose} needs {host}, but koab is offline; {because}")]
pub struct Offline {
    /// Whom it was for: a host, with its port where that is not the usual one.
    pub host: String,
    /// What it was for.
    pub purpose: Purpose,
    /// Why nothing is sent.
    pub because: OfflineReason,
}

/// What a workspace has to do with the gate.
pub trait WorkspaceSwitch: Send + Sync {
    /// Whether the user keeps the workspace offline. Asked before every request, so that a switch
    /// counts in all processes.
    fn is_offline(&self) -> bool;

    /// Takes the line of a request: it is written before the request is sent, so that a process
    /// that is killed leaves none out. Refused ones have a line too.
    fn note(&self, host: &str, purpose: Purpose, allowed: bool);
}

#[derive(Default)]
struct State {
    forced: Option<OfflineReason>,
    book: Option<Arc<dyn WorkspaceSwitch>>,
}

static STATE: LazyLock<RwLock<State>> = LazyLock::new(RwLock::default);
static TURNED: LazyLock<watch::Sender<()>> = LazyLock::new(|| watch::Sender::new(()));

/// Names the workspace whose switch counts and whose book takes the lines.
pub fn set_workspace(book: Arc<dyn WorkspaceSwitch>) {
    STATE.write().unwrap_or_else(PoisonError::into_inner).book = Some(book);
    turned();
}

/// Puts this process offline whatever the workspace says, or with `None` leaves it to the
/// workspace.
pub fn force(because: Option<OfflineReason>) {
    STATE.write().unwrap_or_else(PoisonError::into_inner).forced = because;
    turned();
}

/// Tells requests in flight that the workspace's switch was turned: they look at once.
pub fn turned() {
    TURNED.send_replace(());
}

/// Why nothing may leave; `None` while everything may.
pub fn offline() -> Option<OfflineReason> {
    let state = STATE.read().unwrap_or_else(PoisonError::into_inner);
    let kept = || state.book.as_ref().filter(|book| book.is_offline());
    state.forced.or_else(|| kept().map(|_| OfflineReason::Setting))
}

/// Leave for one request to a host, written down. Ask before anything is looked up or connected to.
///
/// # Errors
/// When the host is another computer and koab is offline.
pub fn permit(host: &str, purpose: Purpose) -> Result<Permit, Offline> {
    if is_here(host) {
        return Ok(Permit { beyond: None });
    }
    let asked = may_reach(host, purpose);
    let book = STATE.read().unwrap_or_else(PoisonError::into_inner).book.clone();
    if let Some(book) = book {
        book.note(host, purpose, asked.is_ok());
    }
    asked.map(|()| Permit { beyond: Some((host.to_owned(), purpose)) })
}

/// Whether a host may be reached now. Leaves no line: for what lies beneath a request that has
/// crossed, such as its connection.
///
/// # Errors
/// As [`permit`].
pub fn may_reach(host: &str, purpose: Purpose) -> Result<(), Offline> {
    match offline() {
        Some(because) if !is_here(host) => Err(Offline { host: host.to_owned(), purpose, because }),
        _ => Ok(()),
    }
}

/// The refusal somewhere beneath an error, whatever it was wrapped in on its way.
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

/// Leave to send one request and to read its answer.
#[derive(Clone, Debug)]
pub struct Permit {
    /// Whom it is for and what for; `None` where nothing leaves this computer.
    beyond: Option<(String, Purpose)>,
}

impl Permit {
    /// Does a piece of the work, and drops it as soon as koab goes offline.
    ///
    /// # Errors
    /// When koab is offline before it is done.
    pub async fn while_online<T>(&self, work: impl Future<Output = T>) -> Result<T, Offline> {
        let Some((host, purpose)) = &self.beyond else {
            return Ok(work.await);
        };
        tokio::select! {
            biased;
            offline = refused(host, *purpose) => Err(offline),
            done = work => Ok(done),
        }
    }
}

/// Comes back when koab goes offline.
async fn refused(host: &str, purpose: Purpose) -> Offline {
    let mut turns = TURNED.subscribe();
    loop {
        if let Err(offline) = may_reach(host, purpose) {
            return offline;
        }
        // Either way it looks again.
        let _ = tokio::time::timeout(LOOK, turns.changed()).await;
    }
}

#[cfg(test)]
mod tests;
