//! Counts what a run spends and stops it before a cap is exceeded.
//!
//! The maximum of each call is reserved before the call is sent. The number of prompt tokens is at
//! most the number of bytes of the request, since a token has at least one byte. The number of
//! answer tokens is at most the output limit, plus the tokens for thinking if a provider allows
//! these in addition.
//!
//! A call that does not fit waits until calls in flight have reported their true amount. The budget
//! is spent only if a call does not fit while nothing is in flight. Therefore a cap is not
//! exceeded, and little of it is left unused. A server that reports more than the maximum (because
//! of a hidden prompt) raises the maximum of all later calls. The [`Ledger`] port stores the cost
//! of a day and the reservations of a run's start.

use crate::ports::{Amount, Ledger, Message, ModelRequest, StoreError, Usage};
use koab_core::price::Price;
use koab_core::run_record::{AtMost, Spending, TokenUsage};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Map;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Number of tokens that a server may add to each message, for the mark of its role.
const MESSAGE_EXTRA: u64 = 16;
/// Number of tokens that a server may add to each request, to explain tools to the model
/// (Anthropic: about 500).
const REQUEST_EXTRA: u64 = 600;

/// Caps on spending.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Caps {
    /// Cap on the cost in USD; `None` for no cap.
    pub cost: Option<f64>,
    /// Cap on the sum of prompt and completion tokens; `None` for no cap.
    pub tokens: Option<u64>,
}

/// Reason why a call must not be made.
#[derive(Clone, Debug, thiserror::Error, koab_core::Say)]
pub enum NoBudget {
    /// The call might exceed a cap.
    #[error("{0}")]
    Spent(Sentence),
    /// The day's ledger cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] StoreError),
}

/// The spending of one model, with caps that several models may share.
pub struct Budget {
    shared: Arc<SharedBudget>,
    /// Position of this model among the models of the shared budget.
    member: usize,
    price: Option<Price>,
}

/// The part of a budget that several models share: the model of a run, or all judges of a scoring.
struct SharedBudget {
    ledgers: Vec<Arc<dyn Ledger>>,
    state: Mutex<BudgetState>,
    settled: Notify,
}

#[derive(Default)]
struct BudgetState {
    caps: Caps,
    members: Vec<Member>,
    /// Upper bound of the spending of calls without reported tokens. It counts against the caps.
    assumed: Amount,
    unreported: u32,
    held: Amount,
    in_flight: u32,
    /// Whether the rest of the budget is enough for only a few more calls.
    tight: bool,
}

/// The spending of one model.
#[derive(Default)]
struct Member {
    price: Option<Price>,
    spent: TokenUsage,
    /// Largest number of reported tokens beyond the maximum of a call.
    surplus: Bound,
    unreported: u32,
}

impl Member {
    /// Cost of the reported tokens in USD; `None` without a price.
    fn usd(&self) -> Option<f64> {
        self.price.map(|price| cost_with(price, self.spent))
    }
}

impl BudgetState {
    fn tokens(&self) -> u64 {
        let spent = self.members.iter().map(|member| member.spent.total_tokens);
        spent.fold(0, u64::saturating_add)
    }

    /// Cost of the reported tokens of all models in USD. Models without a price count 0.
    fn usd(&self) -> f64 {
        self.members.iter().filter_map(Member::usd).sum()
    }
}

/// Maximum tokens of a call.
#[derive(Clone, Copy, Default)]
struct Bound {
    prompt: u64,
    completion: u64,
}

/// The amount that is reserved for one call in flight.
pub struct Reservation<'a> {
    budget: &'a Budget,
    bound: Bound,
    most: Amount,
    open: bool,
}

impl Budget {
    /// Creates a budget with these caps. `spent` counts as already spent; the ledger `day` records
    /// all spending.
    pub fn new(price: Option<Price>, caps: Caps, spent: TokenUsage, day: Option<Arc<dyn Ledger>>) -> Self {
        let member = Member { price, spent, ..Member::default() };
        let state = BudgetState { caps, members: vec![member], ..BudgetState::default() };
        let shared = SharedBudget {
            ledgers: day.into_iter().collect(),
            state: Mutex::new(state),
            settled: Notify::new(),
        };
        Self { shared: Arc::new(shared), member: 0, price }
    }

    /// Adds a ledger. The budget must not be shared yet.
    ///
    /// # Panics
    /// When the budget is already shared.
    #[must_use]
    pub fn kept_in(mut self, ledger: Arc<dyn Ledger>) -> Self {
        let shared = Arc::get_mut(&mut self.shared).expect("BUG: nobody shares the budget yet");
        shared.ledgers.push(ledger);
        self
    }

    /// Counts spending of earlier starts that no journal contains: at most `lost`, with `calls`
    /// that were in flight when a process died.
    #[must_use]
    pub fn after(self, lost: Amount, calls: u32) -> Self {
        let mut state = self.state();
        state.assumed = lost;
        // Tokens may be lost without a call in flight: an answer arrived and no journal has it.
        state.unreported = calls.max(u32::from(lost.tokens > 0));
        drop(state);
        self
    }

    /// Adds another model to the same budget. Its calls count against the same caps, at its own
    /// price.
    #[must_use]
    pub fn beside(&self, price: Option<Price>) -> Self {
        let mut state = self.state();
        state.members.push(Member { price, ..Member::default() });
        Self { shared: Arc::clone(&self.shared), member: state.members.len() - 1, price }
    }

    /// Creates a budget without caps, which only counts.
    pub fn unlimited(price: Option<Price>) -> Self {
        Self::new(price, Caps::default(), TokenUsage::default(), None)
    }

    /// The caps of the run.
    pub fn caps(&self) -> Caps {
        self.state().caps
    }

    /// Replaces the caps of the run, for all later calls.
    pub fn set_caps(&self, caps: Caps) {
        let mut state = self.state();
        state.caps = caps;
        // The next call finds out again.
        state.tight = false;
        drop(state);
        self.shared.settled.notify_waiters();
    }

    /// The price of this model's tokens.
    pub fn price(&self) -> Option<Price> {
        self.price
    }

    /// Spending of all models of the budget so far.
    pub fn spending(&self) -> Spending {
        let state = self.state();
        let mut usage = TokenUsage::default();
        let (mut no_price, mut no_report) = (false, false);
        for member in &state.members {
            usage += member.spent;
            let is_silent = member.spent.total_tokens == 0 && member.unreported > 0;
            // One of several models that was never called does not make the sum unknown.
            let is_used = state.members.len() == 1 || is_silent || member.spent.total_tokens > 0;
            no_price |= member.price.is_none() && is_used;
            no_report |= is_silent;
        }
        let unreported = state.unreported;
        let note = match (no_price, no_report) {
            (true, _) if state.members.len() > 1 => Some(say!("no price is known for some of these models")),
            (true, _) => Some(say!("no price is known for this model")),
            (false, true) => Some(say!("the server reports no tokens")),
            (false, false) if unreported > 0 => {
                Some(say!("a lower bound: the tokens of {unreported} calls were not reported"))
            }
            (false, false) => None,
        };
        Spending {
            usage,
            usd: (!no_price && !no_report).then(|| state.usd()),
            note,
            calls_without_usage: unreported,
            at_most: (unreported > 0).then(|| AtMost {
                tokens: state.tokens().saturating_add(state.assumed.tokens),
                usd: (!no_price).then(|| state.usd() + state.assumed.cost),
            }),
            other: Map::new(),
        }
    }

    /// Whether the rest of the budget should be left to the attempts in progress, since the cost of
    /// an interrupted attempt is lost.
    pub fn is_tight(&self) -> bool {
        self.state().tight
    }

    /// Reserves the maximum of a call, including `most_output` output tokens. `waiting` is run if
    /// the call has to wait for calls in flight.
    ///
    /// # Errors
    /// [`NoBudget::Spent`] if the call might exceed a cap although nothing else is in flight.
    pub async fn hold(
        &self,
        request: &ModelRequest<'_>,
        most_output: u32,
        waiting: &(impl Fn(&Sentence, Option<Duration>) + Sync),
    ) -> Result<Reservation<'_>, NoBudget> {
        let bound = Bound { prompt: prompt_bound(request), completion: u64::from(most_output) };
        let mut is_reported = false;
        loop {
            let settled = self.shared.settled.notified();
            tokio::pin!(settled);
            // From here on no notification is missed.
            settled.as_mut().enable();
            if let Some(hold) = self.try_hold(bound)? {
                return Ok(hold);
            }
            if !is_reported {
                waiting(&say!("what is left of the budget is held for the calls in flight"), None);
                is_reported = true;
            }
            settled.await;
        }
    }

    fn try_hold(&self, bound: Bound) -> Result<Option<Reservation<'_>>, NoBudget> {
        let mut state = self.state();
        let most = self.most(bound, state.members[self.member].surplus);
        let denial = match self.refusal(&state, most) {
            Some(refusal) => Some(refusal),
            None => self.hold_in_ledgers(most)?,
        };
        let few = Amount { cost: most.cost * 3.0, tokens: most.tokens.saturating_mul(3) };
        state.tight = denial.is_some() || self.refusal(&state, few).is_some();
        match denial {
            Some(sentence) if state.in_flight == 0 => Err(NoBudget::Spent(sentence)),
            Some(_) => Ok(None),
            None => {
                state.in_flight += 1;
                state.held.cost += most.cost;
                state.held.tokens = state.held.tokens.saturating_add(most.tokens);
                Ok(Some(Reservation { budget: self, bound, most, open: true }))
            }
        }
    }

    /// Reserves `most` in all ledgers or in none. Returns the reason of a refusal.
    fn hold_in_ledgers(&self, most: Amount) -> Result<Option<Sentence>, StoreError> {
        for (at, ledger) in self.shared.ledgers.iter().enumerate() {
            let Some(refusal) = ledger.hold(most)? else {
                continue;
            };
            for before in &self.shared.ledgers[..at] {
                before.settle(most, Amount::default())?;
            }
            return Ok(Some(refusal));
        }
        Ok(None)
    }

    /// Reason why the amount `most` would exceed a cap, together with spent and reserved amounts;
    /// `None` if it fits.
    fn refusal(&self, state: &BudgetState, most: Amount) -> Option<Sentence> {
        if let Some(cap) = state.caps.tokens {
            let gone = state.tokens().saturating_add(state.assumed.tokens);
            let needed = state.held.tokens.saturating_add(most.tokens);
            if gone.saturating_add(needed) > cap {
                return Some(say!(
                    "the budget of {cap} tokens is spent: {gone} are used and the next call may take {}",
                    most.tokens
                ));
            }
        }
        if let Some(cap) = state.caps.cost {
            let gone = state.usd() + state.assumed.cost;
            if gone + state.held.cost + most.cost > cap {
                return Some(say!(
                    "the budget of ${cap} is spent: ${gone:.4} is used and the next call may cost ${:.4}",
                    most.cost
                ));
            }
        }
        None
    }

    fn most(&self, bound: Bound, surplus: Bound) -> Amount {
        let (prompt, completion) = (
            bound.prompt.saturating_add(surplus.prompt),
            bound.completion.saturating_add(surplus.completion),
        );
        Amount {
            cost: self.price.map_or(0.0, |price| price.cost(prompt, completion)),
            tokens: prompt.saturating_add(completion),
        }
    }

    fn close(&self, bound: Bound, most: Amount, spent: Result<Usage, Amount>) {
        let mut state = self.state();
        state.in_flight -= 1;
        state.held.tokens = state.held.tokens.saturating_sub(most.tokens);
        state.held.cost -= most.cost;
        if state.in_flight == 0 {
            // Sums of floats leave rounding errors.
            state.held = Amount::default();
        }
        let amount = match spent {
            Ok(usage) => {
                let usage = TokenUsage::from(usage);
                let member = &mut state.members[self.member];
                let beyond = &mut member.surplus;
                beyond.prompt = beyond.prompt.max(usage.prompt_tokens.saturating_sub(bound.prompt));
                let completion = usage.total_tokens - usage.prompt_tokens;
                beyond.completion = beyond.completion.max(completion.saturating_sub(bound.completion));
                member.spent += usage;
                Amount {
                    cost: self.price.map_or(0.0, |price| cost_with(price, usage)),
                    tokens: usage.total_tokens,
                }
            }
            Err(assumed) => {
                let unreported = u32::from(assumed.tokens > 0);
                state.unreported += unreported;
                state.members[self.member].unreported += unreported;
                state.assumed.cost += assumed.cost;
                state.assumed.tokens = state.assumed.tokens.saturating_add(assumed.tokens);
                assumed
            }
        };
        drop(state);
        for ledger in &self.shared.ledgers {
            if let Err(error) = ledger.settle(most, amount) {
                // The journal on the same disk fails next and ends the run; this function cannot
                // return an error.
                tracing::warn!("what was spent could not be kept: {error}");
            }
        }
        self.shared.settled.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, BudgetState> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    /// Records an answered call. If the server reported no tokens (`None`), the maximum is assumed.
    pub fn answered(mut self, usage: Option<Usage>) {
        self.open = false;
        self.budget.close(self.bound, self.most, usage.ok_or(self.most));
    }

    /// Records a call that the server refused, which costs nothing.
    pub fn refused(mut self) {
        self.open = false;
        self.budget.close(self.bound, self.most, Err(Amount::default()));
    }
}

impl Drop for Reservation<'_> {
    /// Records an interrupted call. Its tokens are unknown, so the maximum is assumed.
    fn drop(&mut self) {
        if self.open {
            self.budget.close(self.bound, self.most, Err(self.most));
        }
    }
}

impl From<Usage> for TokenUsage {
    /// Converts reported tokens. The total is at least the sum of prompt and completion tokens.
    fn from(usage: Usage) -> Self {
        Self {
            prompt_tokens: usage.prompt_tokens,
            completion_tokens: usage.completion_tokens,
            total_tokens: usage.total_tokens.max(usage.prompt_tokens.saturating_add(usage.completion_tokens)),
        }
    }
}

/// Cost of these tokens in USD. Some servers count thinking tokens only in the total; here they
/// count as completion tokens.
pub fn cost_with(price: Price, usage: TokenUsage) -> f64 {
    let completion = usage.total_tokens.saturating_sub(usage.prompt_tokens);
    price.cost(usage.prompt_tokens, completion.max(usage.completion_tokens))
}

/// Maximum number of prompt tokens of a request. A byte-level tokenizer makes at most one token per
/// byte.
fn prompt_bound(request: &ModelRequest<'_>) -> u64 {
    let messages: usize = request
        .messages
        .iter()
        .map(|message| match message {
            Message::System(text) | Message::User(text) => text.len(),
            Message::Assistant { content, calls, .. } => {
                let calls = calls.iter().map(|call| call.id.len() + call.name.len() + call.arguments.len());
                content.len() + calls.sum::<usize>()
            }
            Message::Tool { call_id, content, .. } => call_id.len() + content.len(),
        })
        .sum();
    let tools: usize = request
        .tools
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.parameters.to_string().len())
        .sum();
    let schema = request.answer_schema.map_or(0, |(name, schema)| name.len() + schema.to_string().len());
    let pieces = (request.messages.len() + request.tools.len()) as u64;
    (messages + tools + schema) as u64 + pieces * MESSAGE_EXTRA + REQUEST_EXTRA
}

#[cfg(test)]
mod tests;
