//! Limits of calls to models: concurrency and spending caps.
//!
//! The process has one limiter per provider, address and key, shared by runs, judges and the user's
//! checks. A new key has limits of its own at the provider, so it gets its own limiter.

mod limiters;

pub(crate) use limiters::Limiters;

use crate::Models;
use crate::local_models::PARALLEL;
use crate::{ModelHandle, is_local};
use koab_core::price::Price;
use koab_core::run_record::{Spending, TokenUsage};
use koab_core::say;
use koab_engine::budget::{Budget, Caps};
use koab_engine::call_limits::CallLimits;
use koab_engine::limited_model::LimitedModel;
use koab_engine::ports::{Ledger, ModelAdapter};
use koab_providers::servers;
use koab_workspace::WireError;
use std::sync::Arc;

/// Default number of calls in flight, which both the lowest tier of a hosted provider and a local
/// server allow.
const AUTO_START: u32 = 8;
/// Maximum of calls in flight that the default may grow to at a hosted provider. A local server
/// would only queue more calls.
const AUTO_CEILING: u32 = 32;

/// Calls in flight that one of several workers begins with.
const WORKER_START: u32 = 2;

/// First and highest number of calls in flight to a model's server.
pub fn concurrency(requested: Option<u32>, model: &str, base_url: Option<&str>) -> (u32, u32) {
    match requested {
        Some(requested) => (requested.max(1), requested.max(1)),
        // A local model keeps this number of conversations at once.
        None if is_local(model) => (PARALLEL, PARALLEL),
        None if is_here(model, base_url) => (AUTO_START, AUTO_START),
        None => (AUTO_START, AUTO_CEILING),
    }
}

/// Spending caps of a run and of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpendingCaps {
    /// Maximum cost of the run in USD.
    pub max_cost: Option<f64>,
    /// Maximum number of tokens of the run.
    pub max_total_tokens: Option<u64>,
    /// Maximum cost per day in USD, of everything in the workspace.
    pub max_cost_per_day: Option<f64>,
    /// Maximum number of tokens per day, of everything in the workspace.
    pub max_total_tokens_per_day: Option<u64>,
}

/// One worker's share of the calls in flight, out of `workers` workers.
pub(crate) fn share((start, ceiling): (u32, u32), workers: u32) -> (u32, u32) {
    if workers <= 1 {
        return (start, ceiling);
    }
    let ceiling = (ceiling / workers).max(1);
    (WORKER_START.min(ceiling), ceiling)
}

impl SpendingCaps {
    /// Replaces the caps of the run by those at its end, if they were changed.
    #[must_use]
    pub fn with_run_caps(self, caps: Option<Caps>) -> Self {
        match caps {
            Some(Caps { cost, tokens }) => Self { max_cost: cost, max_total_tokens: tokens, ..self },
            None => self,
        }
    }

    /// The remaining caps of a run, for its judges. The caps per day are counted separately.
    #[must_use]
    pub fn left_after(self, spent: Option<&Spending>) -> Self {
        let Some(spent) = spent else { return self };
        // Unknown spending counts with its maximum.
        let max = spent.most();
        Self {
            // Rounded down to whole millionths, but never 0, which would be refused as an amount. A
            // millionth pays for no call.
            max_cost: self.max_cost.map(|cap| {
                let rest = cap - max.usd.or(spent.usd).unwrap_or(0.0);
                (rest * 1e6).floor().max(1.0) / 1e6
            }),
            max_total_tokens: self.max_total_tokens.map(|cap| cap.saturating_sub(max.tokens)),
            ..self
        }
    }
}

impl Models {
    /// Puts a model behind the limiter of its server and a budget. Baselines make no API calls and
    /// need neither.
    pub fn limited(
        &self,
        opened: ModelHandle,
        concurrency: Option<u32>,
        budget: Budget,
    ) -> Arc<dyn ModelAdapter> {
        self.limited_share(opened, concurrency, 1, budget)
    }

    /// Puts a model behind its limiter and budget, for one of `workers` workers that share the
    /// server. Each worker has an equal share of the calls in flight, and begins with few calls.
    pub fn limited_share(
        &self,
        opened: ModelHandle,
        requested: Option<u32>,
        workers: u32,
        budget: Budget,
    ) -> Arc<dyn ModelAdapter> {
        let provider = provider(&opened.id);
        if provider == "baseline" {
            return opened.model;
        }
        let base_url = opened.base_url.as_deref();
        let (start, ceiling) = share(concurrency(requested, &opened.id, base_url), workers);
        // More calls would queue inside the local model, and the wait would count against their
        // time limit.
        let places = opened.local.as_ref().map_or(u32::MAX, |run| run.parallel.max(1));
        let (start, ceiling) = (start.min(places), ceiling.min(places));
        let server = format!("{provider} {}", base_url.unwrap_or_default().trim().trim_end_matches('/'));
        let limits = CallLimits {
            limiter: self.state.limiters.limiter(server, opened.keys, start, ceiling),
            budget: Arc::new(budget),
        };
        Arc::new(LimitedModel::new(opened.model, limits))
    }

    /// A budget that several models spend from, each through [`Budget::beside`] at its own price.
    ///
    /// # Errors
    /// When the workspace's database cannot be read.
    pub fn shared_budget(&self, spender: &str, caps: &SpendingCaps) -> Result<Budget, WireError> {
        let ledger =
            self.workspace.store()?.spending_ledger(spender, of_day(caps), koab_workspace::clock::today)?;
        Ok(Budget::new(None, of_run(caps), TokenUsage::default(), Some(Arc::new(ledger))))
    }

    /// The budget of a run. `id` is the id of the run; a run that is not saved has none.
    ///
    /// # Errors
    /// When the price table or the workspace's database cannot be read.
    pub fn run_budget(
        &self,
        model: &str,
        caps: &SpendingCaps,
        id: Option<&str>,
        spent: TokenUsage,
    ) -> Result<Budget, WireError> {
        let unsaved = || format!("unsaved run of process {}", std::process::id());
        let id = id.map_or_else(unsaved, str::to_owned);
        self.budget(model, &id, of_run(caps), of_day(caps), spent)
    }

    /// The budget of a model gateway. `spender` is the gateway's name in the workspace's record of
    /// the spending of a day.
    ///
    /// # Errors
    /// When the price table or the workspace's database cannot be read.
    pub fn gateway_budget(
        &self,
        model: &str,
        spender: &str,
        caps: &SpendingCaps,
    ) -> Result<Budget, WireError> {
        self.budget(model, spender, of_run(caps), of_day(caps), TokenUsage::default())
    }

    /// Refuses caps that cannot be enforced.
    ///
    /// # Errors
    /// When a cap is not an amount, or a cap in USD is given and the price of a model is unknown.
    pub fn check_caps(&self, models: &[String], caps: &SpendingCaps) -> Result<(), WireError> {
        for cap in [caps.max_cost, caps.max_cost_per_day].into_iter().flatten() {
            if !cap.is_finite() || cap <= 0.0 {
                return Err(WireError::bad_request(say!("a budget in USD must be an amount above 0")));
            }
            for model in models {
                if self.price(&self.resolve(model, None)?.id)?.is_none() {
                    return Err(WireError::bad_request(say!(
                        "the price of {model} is not known, so a budget in USD cannot be kept; add it to the price table, or give a budget in tokens"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Whether calls of a model can cost money. Baselines, models on this computer and models with
    /// a price of 0 cannot.
    ///
    /// # Errors
    /// When the workspace's connections or prices cannot be read.
    pub fn may_cost(&self, model: &str, base_url: Option<&str>) -> Result<bool, WireError> {
        let at = self.resolve(model, base_url)?;
        Ok(match self.price(&at.id)? {
            Some(Price { input, output }) => input > 0.0 || output > 0.0,
            None => {
                provider(&at.id) != "baseline"
                    && !is_local(&at.id)
                    && !is_here(&at.id, at.base_url.as_deref())
            }
        })
    }

    fn budget(
        &self,
        model: &str,
        run: &str,
        caps: Caps,
        of_day: Caps,
        spent: TokenUsage,
    ) -> Result<Budget, WireError> {
        let price = self.price(model)?;
        let day: Option<Arc<dyn Ledger>> = if provider(model) == "baseline" {
            None
        } else {
            Some(Arc::new(self.workspace.store()?.spending_ledger(
                run,
                of_day,
                koab_workspace::clock::today,
            )?))
        };
        Ok(Budget::new(price, caps, spent, day))
    }
}

fn of_run(caps: &SpendingCaps) -> Caps {
    Caps { cost: caps.max_cost, tokens: caps.max_total_tokens }
}

fn of_day(caps: &SpendingCaps) -> Caps {
    Caps { cost: caps.max_cost_per_day, tokens: caps.max_total_tokens_per_day }
}

/// The provider in a model id, in lower case.
pub fn provider(model: &str) -> String {
    let (provider, _) = model.trim().split_once('/').unwrap_or((model, ""));
    provider.to_ascii_lowercase()
}

/// Whether a model's server is on this machine.
fn is_here(model: &str, base_url: Option<&str>) -> bool {
    match base_url.map(str::trim).filter(|url| !url.is_empty()) {
        None => ["baseline", "local", "ollama", "vllm", "lmstudio", "llamacpp"]
            .contains(&provider(model).as_str()),
        // The host that a client connects to decides; the beginning of the URL does not.
        Some(url) => servers::is_here(url),
    }
}

#[cfg(test)]
mod tests;
