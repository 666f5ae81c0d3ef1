//! Logins: access tokens that a service issues for a limited time. They are requested once, renewed
//! before their end, and requested again if a service refuses one early.
//!
//! They are kept for the life of the process and never written to disk. KIS grants one per minute,
//! so consecutive runs share theirs, but a login on the disk would be a key on the disk.

use koab_core::sensitive::Sensitive;
use koab_engine::ports::ServiceFault;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Time before the end of a login at which it is renewed, so that no login ends during a request.
const RENEWAL_MARGIN: Duration = Duration::from_secs(300);

/// Assumed lifetime of a login if the service does not report it.
const DEFAULT_LIFETIME: Duration = Duration::from_secs(3600);

/// The logins of this process.
#[derive(Debug, Default)]
pub struct LoginTokens {
    slots: Mutex<HashMap<u64, Arc<Slot>>>,
    seed: RandomState,
}

impl LoginTokens {
    /// Slot for the login of a service at an address with the given keys.
    pub(super) fn slot(&self, service: &str, address: &str, key: &str, secret: &str) -> Arc<Slot> {
        let place = self.seed.hash_one((service, address, key, secret));
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slots.entry(place).or_default())
    }
}

/// Slot for one login.
#[derive(Debug, Default)]
pub(super) struct Slot(tokio::sync::Mutex<Option<Token>>);

#[derive(Debug)]
struct Token {
    value: Sensitive<String>,
    until: Instant,
}

/// A login as a service issued it.
pub(super) struct IssuedLogin {
    pub(super) value: Sensitive<String>,
    /// Lifetime in seconds; `None` if the service does not report it.
    pub(super) seconds: Option<u64>,
}

impl Slot {
    /// The current login. `issue` makes a new one if it is missing, ends soon, or it is the one
    /// that was just refused. Concurrent callers wait for the same login.
    pub(super) async fn token(
        &self,
        refused: Option<&Sensitive<String>>,
        issue: impl Future<Output = Result<IssuedLogin, ServiceFault>>,
    ) -> Result<Sensitive<String>, ServiceFault> {
        let mut current = self.0.lock().await;
        if let Some(token) = &*current
            && Instant::now() < token.until
            && refused != Some(&token.value)
        {
            return Ok(token.value.clone());
        }
        *current = None;
        let IssuedLogin { value, seconds } = issue.await?;
        let holds = seconds.map_or(DEFAULT_LIFETIME, Duration::from_secs).saturating_sub(RENEWAL_MARGIN);
        *current = Some(Token {
            value: value.clone(),
            // The service's number is not trusted.
            until: Instant::now() + holds.min(Duration::from_secs(86_400)),
        });
        Ok(value)
    }
}
