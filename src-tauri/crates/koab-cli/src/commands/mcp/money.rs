//! Spending limit of an MCP session, and confirmations of calls that cost money.

use koab_api::{Api, Spending, WireError};
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use serde::Serialize;
use std::sync::{Arc, Mutex, PoisonError};

/// Number of hexadecimal digits of a confirmation.
const CONFIRMATION_DIGITS: usize = 16;

/// The part of the user's cap that is left, without the shares of runs that are in progress.
pub(super) struct SpendingLimit {
    left: Option<Mutex<f64>>,
    /// Random secret of the process. It ensures that a confirmation comes from a plan of this
    /// process.
    secret: [u8; 32],
}

/// Share of the cap that one run may spend. On drop, the unspent part returns to the cap.
pub(super) struct Allowance {
    limit: Arc<SpendingLimit>,
    usd: f64,
    back: f64,
}

impl SpendingLimit {
    /// Creates the limit with the user's cap in USD.
    ///
    /// # Errors
    /// When the system's random generator fails.
    pub(super) fn new(cap: Option<f64>) -> Result<Arc<Self>, WireError> {
        let mut secret = [0; 32];
        aws_lc_rs::rand::fill(&mut secret)
            .map_err(|_| WireError::internal(say!("the system gives no randomness")))?;
        Ok(Arc::new(Self { left: cap.map(Mutex::new), secret }))
    }

    /// The part of the cap that is left, in USD. `None` if no call may cost money.
    pub(super) fn left(&self) -> Option<f64> {
        let usd = self.left.as_ref()?;
        Some(*usd.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes a run's share from the cap. The share is everything that is left, or `wanted` if that
    /// is less.
    ///
    /// # Errors
    /// When no call may cost money, or nothing is left.
    pub(super) fn take(self: &Arc<Self>, wanted: Option<f64>) -> Result<Allowance, WireError> {
        let Some(left) = &self.left else {
            return Err(WireError::bad_request(say!(
                "this costs money, and koab mcp was started without --max-cost; the user decides that, not you"
            )));
        };
        let mut rest = left.lock().unwrap_or_else(PoisonError::into_inner);
        let usd = wanted.unwrap_or(*rest).min(*rest);
        if usd <= 0.0 {
            return Err(WireError::bad_request(say!(
                "nothing is left of --max-cost; the user decides whether there is more"
            )));
        }
        *rest -= usd;
        Ok(Allowance {
            limit: Arc::clone(self),
            usd,
            // A run that never reports its spending returns nothing.
            back: 0.0,
        })
    }

    /// Value that proves that a plan for these arguments was made.
    ///
    /// Another process does not accept it, and a change of the pack, a price or the estimate makes
    /// it invalid. It does not depend on the argument `confirm`.
    pub(super) fn confirmation(&self, words: &impl Serialize, plan: &impl Serialize) -> String {
        let content = serde_json::json!([self.secret, words, plan]);
        sha256_hex(&content.to_string())[..CONFIRMATION_DIGITS].to_owned()
    }

    /// Takes the share of a confirmed call from the cap. `None` if the call costs nothing.
    ///
    /// # Errors
    /// When the plan is not confirmed. Also every error of [`SpendingLimit::take`].
    pub(super) fn share(
        self: &Arc<Self>,
        costs: Costs,
        spending: &SpendingRequest<'_>,
        confirmation: &str,
    ) -> Result<Option<Allowance>, WireError> {
        if !costs.any() {
            return Ok(None);
        }
        if spending.confirm != Some(confirmation) {
            let plan = spending.plan;
            return Err(WireError::bad_request(say!(
                "this costs money: call {plan} with the same arguments, show its estimate to the user, and repeat its confirm"
            )));
        }
        self.take(spending.max_cost).map(Some)
    }
}

/// Arguments of a call that limit or confirm its cost.
pub(super) struct SpendingRequest<'a> {
    /// Name of the tool that plans the call.
    pub(super) plan: &'static str,
    /// Confirmation that the plan returned.
    pub(super) confirm: Option<&'a str>,
    /// Maximum cost of the call in USD.
    pub(super) max_cost: Option<f64>,
}

impl SpendingRequest<'_> {
    /// Checks the arguments.
    ///
    /// # Errors
    /// When `max_cost` is not above 0.
    pub(super) fn check(&self) -> Result<(), WireError> {
        if self.max_cost.is_some_and(|wanted| wanted <= 0.0) {
            return Err(WireError::bad_request(say!(
                "max_cost is an amount in USD above 0; leave it out for all that is left"
            )));
        }
        Ok(())
    }
}

impl Allowance {
    pub(super) fn usd(&self) -> f64 {
        self.usd
    }

    pub(super) fn spent(mut self, usd: f64) {
        self.back = (self.usd - usd).max(0.0);
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        if let Some(left) = &self.limit.left {
            *left.lock().unwrap_or_else(PoisonError::into_inner) += self.back;
        }
    }
}

/// A model and its base URL, if the request has one.
pub(super) type At<'a> = (&'a str, Option<&'a str>);

/// Whether the models and the judges of a run can cost money. Models on this computer and models
/// with a price of 0 cost nothing.
#[derive(Clone, Copy)]
pub(super) struct Costs {
    pub(super) model: bool,
    pub(super) judges: bool,
}

impl Costs {
    /// Looks up whether the models or the judges can cost money.
    ///
    /// # Errors
    /// When the workspace's connections or prices cannot be read.
    pub(super) fn look_up(api: &Api, models: &[At<'_>], judges: &[At<'_>]) -> Result<Self, WireError> {
        let may = |all: &[At<'_>]| -> Result<bool, WireError> {
            let mut may = false;
            for (model, base_url) in all {
                may |= api.models.may_cost(model, *base_url)?;
            }
            Ok(may)
        };
        Ok(Self { model: may(models)?, judges: may(judges)? })
    }

    pub(super) fn any(self) -> bool {
        self.model || self.judges
    }
}

/// Money that a call has spent, in USD. If some of its calls reported no usage, the amount is only
/// a lower bound, so the whole share counts as spent.
pub(super) fn spent(spending: Option<&Spending>, may_cost: bool) -> f64 {
    let usd = spending.filter(|spending| spending.calls_without_usage == 0);
    let usd = usd.and_then(|spending| spending.usd);
    usd.unwrap_or(if may_cost { f64::INFINITY } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_never_pass_the_cap_and_what_is_not_spent_comes_back() {
        let limit = SpendingLimit::new(Some(1.0)).expect("a limit");
        let one = limit.take(Some(0.25)).expect("some");
        let rest = limit.take(None).expect("the rest");
        assert_eq!((one.usd(), rest.usd()), (0.25, 0.75));
        assert!(limit.take(Some(0.01)).is_err());
        one.spent(0.05);
        assert_eq!(limit.left(), Some(0.2));
        // One that failed without a word has spent all of it, as far as anybody knows.
        drop(rest);
        assert_eq!(limit.left(), Some(0.2));
        assert!(SpendingLimit::new(None).expect("a limit").take(Some(0.01)).is_err());
    }
}
