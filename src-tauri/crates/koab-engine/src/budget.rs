//! Counts what a run spends and stops it before a cap is passed.
//!
//! Before each call the most it can take is held: no token is less than a byte, so the bytes of the
//! request bound the prompt, and the output limit bounds the answer, with the room for thinking
//! where a provider gives it beside that. What does not fit waits until calls in flight have told
//! their true amount; only when nothing is in flight and it still does not fit is the budget spent.
//! So a cap is not passed, and little of it is left unused. A server that reports more than that
//! bound (a hidden prompt) raises it for all later calls. What a day has cost, and what a start of
//! a run holds, is behind the [`Ledger`] port.

use crate::ports::{Amount, Ledger, Message, ModelRequest, StoreError, Usage};
use koab_core::price::Price;
use koab_core::run_record::{AtMost, Spending, TokenUsage};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Map;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Tokens that servers add on their own: role marks of a message.
const MESSAGE_EXTRA: u64 = 16;
/// Tokens that servers add on their own: how tools are explained to the model (Anthropic: about
/// 500).
const REQUEST_EXTRA: u64 = 600;

/// What may be spent at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Caps {
    /// USD.
    pub cost: Option<f64>,
    /// Prompt and completion tokens together.
    pub tokens: Option<u64>,
}

/// Why a call must not be made.
#[derive(Clone, Debug, thiserror::Error, koab_core::Say)]
pub enum NoBudget {
    /// It might pass a cap.
    #[error("{0}")]
    Spent(Sentence),
    /// The day's ledger cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] StoreError),
}

/// What one model's calls cost, and the caps that it shares with all who spend together.
pub struct Budget {
    shared: Arc<SharedBudget>,
    /// Place of this model among those that spend together.
    member: usize,
    price: Option<Price>,
}

/// What is spent together: by a run's model, or by all judges of a scoring.
struct SharedBudget {
    caps: Caps,
    ledgers: Vec<Arc<dyn Ledger>>,
    state: Mutex<State>,
    settled: Notify,
}

#[derive(Default)]
struct State {
    members: Vec<Member>,
    /// Bound of the calls that nobody reported, counted against the caps.
    assumed: Amount,
    unreported: u32,
    held: Amount,
    in_flight: u32,
    /// Whether what is left bears few more calls.
    tight: bool,
}

/// A model that spends.
#[derive(Default)]
struct Member {
    price: Option<Price>,
    spent: TokenUsage,
    /// How much its server has reported beyond the bound of a call, at most.
    surplus: Bound,
    unreported: u32,
}

impl Member {
    /// USD for what was reported; null without a price.
    fn usd(&self) -> Option<f64> {
        self.price.map(|price| cost_with(price, self.spent))
    }
}

impl State {
    fn tokens(&self) -> u64 {
        let spent = self.members.iter().map(|member| member.spent.total_tokens);
        spent.fold(0, u64::saturating_add)
    }

    /// USD for what was reported, models without a price left out.
    fn usd(&self) -> f64 {
        self.members.iter().filter_map(Member::usd).sum()
    }
}

/// The most tokens of a call.
#[derive(Clone, Copy, Default)]
struct Bound {
    prompt: u64,
    completion: u64,
}

/// An amount held for one call in flight.
pub struct Reservation<'a> {
    budget: &'a Budget,
    bound: Bound,
    most: Amount,
    open: bool,
}

impl Budget {
    /// A budget with these caps, from which `spent` is gone already. `day` is told of everything
    /// that is spent.
    pub fn new(price: Option<Price>, caps: Caps, spent: TokenUsage, day: Option<Arc<dyn Ledger>>) -> Self {
        let member = Member { price, spent, ..Member::default() };
        let state = State { members: vec![member], ..State::default() };
        let shared = SharedBudget {
            caps,
            ledgers: day.into_iter().collect(),
            state: Mutex::new(state),
            settled: Notify::new(),
        };
        Self { shared: Arc::new(shared), member: 0, price }
    }

    /// The same, kept in one more ledger. Before anybody shares it.
    ///
    /// # Panics
    /// When it is shared already.
    #[must_use]
    pub fn kept_in(mut self, ledger: Arc<dyn Ledger>) -> Self {
        let shared = Arc::get_mut(&mut self.shared).expect("BUG: nobody shares the budget yet");
        shared.ledgers.push(ledger);
        self
    }

    /// The same, from which is gone what earlier starts took and no journal has: `lost` at most,
    /// with `calls` that were in flight when their process died.
    #[must_use]
    pub fn after(self, lost: Amount, calls: u32) -> Self {
        let mut state = self.state();
        state.assumed = lost;
        // A call whose answer came and no journal has is none that was in flight.
        state.unreported = calls.max(u32::from(lost.tokens > 0));
        drop(state);
        self
    }

    /// The way of another model to the same budget: its calls count against the same caps, at its
    /// own price.
    #[must_use]
    pub fn beside(&self, price: Option<Price>) -> Self {
        let mut state = self.state();
        state.members.push(Member { price, ..Member::default() });
        Self { shared: Arc::clone(&self.shared), member: state.members.len() - 1, price }
    }

    /// A budget that only counts.
    pub fn unlimited(price: Option<Price>) -> Self {
        Self::new(price, Caps::default(), TokenUsage::default(), None)
    }

    /// The caps of the run.
    pub fn caps(&self) -> Caps {
        self.shared.caps
    }

    /// The price that is counted with.
    pub fn price(&self) -> Option<Price> {
        self.price
    }

    /// What is spent so far, by all models of the budget.
    pub fn spending(&self) -> Spending {
        let state = self.state();
        let mut usage = TokenUsage::default();
        let (mut no_price, mut no_report) = (false, false);
        for member in &state.members {
            usage += member.spent;
            let is_silent = member.spent.total_tokens == 0 && member.unreported > 0;
            // Of several, one that was never asked takes no sum away.
            let asked = state.members.len() == 1 || is_silent || member.spent.total_tokens > 0;
            no_price |= member.price.is_none() && asked;
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

    /// Whether what is left is better kept for the attempts that are under way: one that is broken
    /// off was for nothing.
    pub fn is_tight(&self) -> bool {
        self.state().tight
    }

    /// Holds the most that a call can take, of which `most_output` are output tokens. `waiting`
    /// hears when this has to wait for calls in flight.
    ///
    /// # Errors
    /// [`NoBudget::Spent`] when the call might pass a cap although nothing else is in flight.
    pub async fn hold(
        &self,
        request: &ModelRequest<'_>,
        most_output: u32,
        waiting: &(impl Fn(&Sentence, Option<Duration>) + Sync),
    ) -> Result<Reservation<'_>, NoBudget> {
        let bound = Bound { prompt: prompt_bound(request), completion: u64::from(most_output) };
        let mut told = false;
        loop {
            let settled = self.shared.settled.notified();
            tokio::pin!(settled);
            // From here on no settling is missed.
            settled.as_mut().enable();
            if let Some(hold) = self.try_hold(bound)? {
                return Ok(hold);
            }
            if !told {
                waiting(&say!("what is left of the budget is held for the calls in flight"), None);
                told = true;
            }
            settled.await;
        }
    }

    fn try_hold(&self, bound: Bound) -> Result<Option<Reservation<'_>>, NoBudget> {
        let mut state = self.state();
        let most = self.most(bound, state.members[self.member].surplus);
        let refused = match self.refusal(&state, most) {
            Some(refusal) => Some(refusal),
            None => self.hold_in_ledgers(most)?,
        };
        let few = Amount { cost: most.cost * 3.0, tokens: most.tokens.saturating_mul(3) };
        state.tight = refused.is_some() || self.refusal(&state, few).is_some();
        match refused {
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

    /// Holds `most` in all ledgers or in none, and says why not.
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

    /// Why `most` does not fit beside what is spent and held.
    fn refusal(&self, state: &State, most: Amount) -> Option<Sentence> {
        if let Some(cap) = self.shared.caps.tokens {
            let gone = state.tokens().saturating_add(state.assumed.tokens);
            let wanted = state.held.tokens.saturating_add(most.tokens);
            if gone.saturating_add(wanted) > cap {
                return Some(say!(
                    "the budget of {cap} tokens is spent: {gone} are used and the next call may take {}",
                    most.tokens
                ));
            }
        }
        if let Some(cap) = self.shared.caps.cost {
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
            // Sums of floats leave dust behind.
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
                // The journal on the same disk fails next and ends the run; here nobody listens.
                tracing::warn!("what was spent could not be kept: {error}");
            }
        }
        self.shared.settled.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    /// The call was answered; `None` when the server reported no tokens, and the most it can have
    /// taken is assumed.
    pub fn answered(mut self, usage: Option<Usage>) {
        self.open = false;
        self.budget.close(self.bound, self.most, usage.ok_or(self.most));
    }

    /// The server refused the call, which costs nothing.
    pub fn refused(mut self) {
        self.open = false;
        self.budget.close(self.bound, self.most, Err(Amount::default()));
    }
}

impl Drop for Reservation<'_> {
    /// The call was broken off; what it took is unknown, so the most is assumed.
    fn drop(&mut self) {
        if self.open {
            self.budget.close(self.bound, self.most, Err(self.most));
        }
    }
}

impl From<Usage> for TokenUsage {
    /// The total is never less than its parts.
    fn from(usage: Usage) -> Self {
        Self {
            prompt_tokens: usage.prompt_tokens,
            completion_tokens: usage.completion_tokens,
            total_tokens: usage.total_tokens.max(usage.prompt_tokens.saturating_add(usage.completion_tokens)),
        }
    }
}

/// USD for these tokens. Some servers count tokens (thinking) in the total alone; those are
/// completion.
pub fn cost_with(price: Price, usage: TokenUsage) -> f64 {
    let completion = usage.total_tokens.saturating_sub(usage.prompt_tokens);
    price.cost(usage.prompt_tokens, completion.max(usage.completion_tokens))
}

/// No byte-level tokenizer makes more tokens than there are bytes.
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
