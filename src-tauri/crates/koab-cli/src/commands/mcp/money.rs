//! What may be spent, and whether it was asked for.

use koab_api::{Api, Spending, WireError};
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use serde::Serialize;
use std::sync::{Arc, Mutex, PoisonError};

/// Digits of a confirmation.
const DIGITS: usize = 16;

/// What is left of the cap. Runs that are under way have taken theirs out.
pub(super) struct SpendingLimit {
    left: Option<Mutex<f64>>,
    /// What no client knows: a confirmation can only be had of a plan.
    secret: [u8; 32],
}

/// What one run may spend; what it does not comes back.
pub(super) struct Allowance {
    limit: Arc<SpendingLimit>,
    usd: f64,
    back: f64,
}

impl SpendingLimit {
    /// # Errors
    /// When the system gives no randomness.
    pub(super) fn new(cap: Option<f64>) -> Result<Arc<Self>, WireError> {
        let mut secret = [0; 32];
        aws_lc_rs::rand::fill(&mut secret)
            .map_err(|_| WireError::internal(say!("the system gives no randomness")))?;
        Ok(Arc::new(Self { left: cap.map(Mutex::new), secret }))
    }

    /// USD that are left; none where nothing may cost anything.
    pub(super) fn left(&self) -> Option<f64> {
        let left = self.left.as_ref()?;
        Some(*left.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes what one run may spend: all that is left, or what it wants where that is less.
    ///
    /// # Errors
    /// When nothing may cost anything, or nothing is left.
    pub(super) fn take(self: &Arc<Self>, wanted: Option<f64>) -> Result<Allowance, WireError> {
        let Some(left) = &self.left else {
            return Err(WireError::bad_request(say!(
                "this costs money, and koab mcp was started without --max-cost; the user decides that, not you"
            )));
        };
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        let usd = wanted.unwrap_or(*left).min(*left);
        if usd <= 0.0 {
            return Err(WireError::bad_request(say!(
                "nothing is left of --max-cost; the user decides whether there is more"
            )));
        }
        *left -= usd;
        Ok(Allowance {
            limit: Arc::clone(self),
            usd,
            // Of a run that never says what it spent nothing comes back.
            back: 0.0,
        })
    }

    /// What tells that somebody has seen this plan of what these words ask for. It is worth nothing
    /// in another process, nor once the pack, a price or the figures behind the estimate have
    /// changed. A `confirm` among the words is no part of them.
    pub(super) fn confirmation(&self, words: &impl Serialize, plan: &impl Serialize) -> String {
        let told = serde_json::json!([self.secret, words, plan]);
        sha256_hex(&told.to_string())[..DIGITS].to_owned()
    }

    /// Takes what something may spend that was planned: nothing where it costs nothing.
    ///
    /// # Errors
    /// When the plan was not seen, and as [`SpendingLimit::take`].
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

/// What an agent says of what a call may cost.
pub(super) struct SpendingRequest<'a> {
    /// The tool that plans it.
    pub(super) plan: &'static str,
    /// What that gave to be repeated.
    pub(super) confirm: Option<&'a str>,
    /// USD that it may cost at most.
    pub(super) max_cost: Option<f64>,
}

impl SpendingRequest<'_> {
    /// # Errors
    /// When its `max_cost` is no amount.
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

/// A model, and the address that is named for it.
pub(super) type At<'a> = (&'a str, Option<&'a str>);

/// What of a run can cost money: what has no known price and is not on this computer can.
#[derive(Clone, Copy)]
pub(super) struct Costs {
    pub(super) model: bool,
    pub(super) judges: bool,
}

impl Costs {
    /// Those of models and judges, each with the address that is named for it.
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

/// USD that are gone for good. What nobody can tell may have been all: a sum is a lower bound where
/// calls were not reported.
pub(super) fn spent(spending: Option<&Spending>, may_cost: bool) -> f64 {
    let told = spending.filter(|spending| spending.calls_without_usage == 0);
    let told = told.and_then(|spending| spending.usd);
    told.unwrap_or(if may_cost { f64::INFINITY } else { 0.0 })
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
