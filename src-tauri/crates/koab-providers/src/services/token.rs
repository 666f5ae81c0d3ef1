//! Logins that run out: made once, renewed before their end, and once more when a service refuses
//! one early.
//!
//! They are held for the life of the process and never written: KIS gives out one a minute, so runs
//! after each other share theirs, but a login on the disk would be a key on the disk.

use koab_core::sensitive::Sensitive;
use koab_engine::ports::ServiceFault;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A login is renewed this long before its end, so that none ends on the way.
const EARLY: Duration = Duration::from_secs(300);

/// What is assumed where a service does not say how long its login holds.
const UNTOLD: Duration = Duration::from_secs(3600);

/// The logins of this process.
#[derive(Debug, Default)]
pub struct LoginTokens {
    slots: Mutex<HashMap<u64, Arc<Slot>>>,
    seed: RandomState,
}

impl LoginTokens {
    /// The place of one login: of a service at an address, with these keys.
    pub(super) fn slot(&self, service: &str, address: &str, key: &str, secret: &str) -> Arc<Slot> {
        let place = self.seed.hash_one((service, address, key, secret));
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slots.entry(place).or_default())
    }
}

/// The place of one login.
#[derive(Debug, Default)]
pub(super) struct Slot(tokio::sync::Mutex<Option<Token>>);

#[derive(Debug)]
struct Token {
    value: Sensitive<String>,
    until: Instant,
}

/// A login as a service gave it out.
pub(super) struct IssuedLogin {
    pub(super) value: Sensitive<String>,
    /// Seconds that it holds; `None` when the service does not say.
    pub(super) seconds: Option<u64>,
}

impl Slot {
    /// The login that holds, made by `issue` when there is none, it ends soon, or it is the one
    /// that was just refused. Whoever comes meanwhile waits for the one login.
    pub(super) async fn token(
        &self,
        refused: Option<&Sensitive<String>>,
        issue: impl Future<Output = Result<IssuedLogin, ServiceFault>>,
    ) -> Result<Sensitive<String>, ServiceFault> {
        let mut held = self.0.lock().await;
        if let Some(token) = &*held
            && Instant::now() < token.until
            && refused != Some(&token.value)
        {
            return Ok(token.value.clone());
        }
        *held = None;
        let IssuedLogin { value, seconds } = issue.await?;
        let holds = seconds.map_or(UNTOLD, Duration::from_secs).saturating_sub(EARLY);
        *held = Some(Token {
            value: value.clone(),
            // A service may name any number.
            until: Instant::now() + holds.min(Duration::from_secs(86_400)),
        });
        Ok(value)
    }
}
