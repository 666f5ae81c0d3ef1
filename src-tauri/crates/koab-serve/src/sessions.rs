//! Sessions of pages that may call commands: the printed link is exchanged for one session, once.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use koab_api::WireError;
use koab_core::say;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The valid link, and the sessions of earlier links.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<State>);

#[derive(Default)]
struct State {
    link: Option<String>,
    open: Vec<String>,
}

impl Sessions {
    /// Creates the secret of a new link. The previous secret becomes invalid.
    pub(crate) fn new_link(&self) -> Result<String, WireError> {
        let secret = secret()?;
        self.state().link = Some(secret.clone());
        Ok(secret)
    }

    /// Exchanges the link's secret, which becomes invalid, for a session. `None` if the secret is
    /// not that of the current link.
    pub(crate) fn redeem(&self, link: &str) -> Result<Option<String>, WireError> {
        let session = secret()?;
        let mut state = self.state();
        if !state.link.as_deref().is_some_and(|good| same(good, link)) {
            return Ok(None);
        }
        state.link = None;
        state.open.push(session.clone());
        Ok(Some(session))
    }

    /// Whether this is the secret of a session.
    pub(crate) fn knows(&self, session: &str) -> bool {
        self.state().open.iter().any(|open| same(open, session))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// 256 random bits as characters that a URL may contain.
fn secret() -> Result<String, WireError> {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes)
        .map_err(|_| WireError::internal(say!("the system gives no randomness")))?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// Compares two secrets in constant time.
fn same(a: &str, b: &str) -> bool {
    verify_slices_are_equal(a.as_bytes(), b.as_bytes()).is_ok()
}
