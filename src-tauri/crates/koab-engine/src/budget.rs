//! Counts what a run spends and stops it before a cap is passed.
//!
//! Before each call the most it can take is held: no token is less than a byte, so the bytes of the request bound the
//! prompt, and the output limit bounds the answer. What does not fit waits until calls in flight have told their true
//! amount; only when nothing is in flight and it still does not fit is the budget spent. So a cap is not passed, and
//! little of it is left unused. A server that reports more than that bound (a hidden prompt) raises it for all later calls. What a day has cost is behind the [`DayLedger`] port.

use crate::ports::{DayLedger, Message, ModelRequest, StoreError, Usage};
use koab_core::price::Price;
use koab_core::record::TokenUsage;
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Tokens that servers add on their own: role marks of a message.
const MESSAGE_EXTRA: u64 = 16;
/// Tokens that servers add on their own: how tools are explained to the model (Anthropic: about 500).
const REQUEST_EXTRA: u64 = 600;

/// What may be spent at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Caps {
    /// USD.
    pub cost: Option<f64>,
    /// Prompt and completion tokens together.
    pub tokens: Option<u64>,
}

/// An amount held or spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amount {
    /// USD; 0 when there is no price.
    pub cost: f64,
    /// Tokens.
    pub tokens: u64,
}

/// What a run has spent so far, over all its starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Spending {
    /// Tokens as the server reported them, attempts that were broken off and repeated included.
    pub usage: TokenUsage,
    /// USD for those tokens; null when that cannot be said.
    pub usd: Option<f64>,
    /// Why there is no sum, or why it is a lower bound.
    pub note: Option<String>,
    /// Calls whose tokens nobody reported: the server said none, or the answer broke off.
    pub calls_without_usage: u32,
}

/// Why a call must not be made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoBudget {
    /// It might pass a cap.
    #[error("{0}")]
    Spent(String),
    /// The day's ledger cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] StoreError),
}

/// The purse of one run and one model.
pub struct Budget {
    price: Option<Price>,
    caps: Caps,
    day: Option<Arc<dyn DayLedger>>,
    state: Mutex<State>,
    settled: Notify,
}

#[derive(Default)]
struct State {
    spent: TokenUsage,
    /// Bound of the calls that nobody reported, counted against the caps.
    assumed: Amount,
    unreported: u32,
    held: Amount,
    in_flight: u32,
    /// How much a server has reported beyond the bound of a call, at most.
    surplus: Bound,
    /// Whether what is left bears few more calls.
    tight: bool,
}

/// The most tokens of a call.
#[derive(Clone, Copy, Default)]
struct Bound {
    prompt: u64,
    completion: u64,
}

/// An amount held for one call in flight.
pub struct Hold<'a> {
    budget: &'a Budget,
    bound: Bound,
    most: Amount,
    open: bool,
}

impl Budget {
    /// A purse with these caps, from which `spent` is gone already. `day` is told of everything that is spent.
    pub fn new(price: Option<Price>, caps: Caps, spent: TokenUsage, day: Option<Arc<dyn DayLedger>>) -> Self {
        let state = State {
            spent,
            ..State::default()
        };
        Self {
            price,
            caps,
            day,
            state: Mutex::new(state),
            settled: Notify::new(),
        }
    }

    /// A purse that only counts.
    pub fn unlimited(price: Option<Price>) -> Self {
        Self::new(price, Caps::default(), TokenUsage::default(), None)
    }

    /// The caps of the run.
    pub fn caps(&self) -> Caps {
        self.caps
    }

    /// The price that is counted with.
    pub fn price(&self) -> Option<Price> {
        self.price
    }

    /// What is spent so far.
    pub fn spending(&self) -> Spending {
        let state = self.state();
        let reported = state.spent.total_tokens > 0 || state.unreported == 0;
        let usd = self
            .price
            .filter(|_| reported)
            .map(|price| self.cost_with(price, state.spent));
        let unreported = state.unreported;
        let note = match (self.price, reported) {
            (None, _) => Some("no price is known for this model".to_owned()),
            (Some(_), false) => Some("the server reports no tokens".to_owned()),
            (Some(_), true) if unreported > 0 => Some(format!(
                "a lower bound: the tokens of {unreported} calls were not reported"
            )),
            (Some(_), true) => None,
        };
        Spending {
            usage: state.spent,
            usd,
            note,
            calls_without_usage: unreported,
        }
    }

    /// Whether what is left is better kept for the attempts that are under way: one that is broken off was for nothing.
    pub fn is_tight(&self) -> bool {
        self.state().tight
    }

    /// Holds the most that a call can take. `waiting` hears when this has to wait for calls in flight.
    ///
    /// # Errors
    /// [`NoBudget::Spent`] when the call might pass a cap although nothing else is in flight.
    pub async fn hold(
        &self,
        request: &ModelRequest<'_>,
        waiting: &(impl Fn(&str, Option<Duration>) + Sync),
    ) -> Result<Hold<'_>, NoBudget> {
        let bound = Bound {
            prompt: prompt_bound(request),
            completion: u64::from(request.max_tokens),
        };
        let mut told = false;
        loop {
            let settled = self.settled.notified();
            tokio::pin!(settled);
            // From here on no settling is missed.
            settled.as_mut().enable();
            if let Some(hold) = self.try_hold(bound)? {
                return Ok(hold);
            }
            if !told {
                waiting("what is left of the budget is held for the calls in flight", None);
                told = true;
            }
            settled.await;
        }
    }

    fn try_hold(&self, bound: Bound) -> Result<Option<Hold<'_>>, NoBudget> {
        let mut state = self.state();
        let most = self.most(bound, state.surplus);
        let refused = match self.refusal(&state, most) {
            Some(refusal) => Some(refusal),
            None => match &self.day {
                Some(day) => day.hold(most)?,
                None => None,
            },
        };
        let few = Amount {
            cost: most.cost * 3.0,
            tokens: most.tokens * 3,
        };
        state.tight = refused.is_some() || self.refusal(&state, few).is_some();
        match refused {
            Some(sentence) if state.in_flight == 0 => Err(NoBudget::Spent(sentence)),
            Some(_) => Ok(None),
            None => {
                state.in_flight += 1;
                state.held.cost += most.cost;
                state.held.tokens += most.tokens;
                Ok(Some(Hold {
                    budget: self,
                    bound,
                    most,
                    open: true,
                }))
            }
        }
    }

    /// Why `most` does not fit beside what is spent and held.
    fn refusal(&self, state: &State, most: Amount) -> Option<String> {
        if let Some(cap) = self.caps.tokens {
            let gone = state.spent.total_tokens + state.assumed.tokens;
            if gone + state.held.tokens + most.tokens > cap {
                return Some(format!(
                    "the budget of {cap} tokens is spent: {gone} are used and the next call may take {}",
                    most.tokens
                ));
            }
        }
        if let (Some(cap), Some(price)) = (self.caps.cost, self.price) {
            let gone = self.cost_with(price, state.spent) + state.assumed.cost;
            if gone + state.held.cost + most.cost > cap {
                return Some(format!(
                    "the budget of ${cap} is spent: ${gone:.4} is used and the next call may cost ${:.4}",
                    most.cost
                ));
            }
        }
        None
    }

    fn most(&self, bound: Bound, surplus: Bound) -> Amount {
        let (prompt, completion) = (
            bound.prompt + surplus.prompt,
            bound.completion + surplus.completion,
        );
        Amount {
            cost: self.price.map_or(0.0, |price| price.cost(prompt, completion)),
            tokens: prompt + completion,
        }
    }

    /// Some servers count tokens (thinking) in the total alone; those are completion.
    fn cost_with(&self, price: Price, usage: TokenUsage) -> f64 {
        let completion = usage.total_tokens.saturating_sub(usage.prompt_tokens);
        price.cost(usage.prompt_tokens, completion.max(usage.completion_tokens))
    }

    fn close(&self, bound: Bound, most: Amount, spent: Result<Usage, Amount>) {
        let mut state = self.state();
        state.in_flight -= 1;
        state.held.tokens -= most.tokens;
        state.held.cost -= most.cost;
        if state.in_flight == 0 {
            // Sums of floats leave dust behind.
            state.held = Amount::default();
        }
        let amount = match spent {
            Ok(usage) => {
                let usage = TokenUsage {
                    prompt_tokens: usage.prompt_tokens,
                    completion_tokens: usage.completion_tokens,
                    total_tokens: usage
                        .total_tokens
                        .max(usage.prompt_tokens + usage.completion_tokens),
                };
                let beyond = &mut state.surplus;
                beyond.prompt = beyond
                    .prompt
                    .max(usage.prompt_tokens.saturating_sub(bound.prompt));
                let completion = usage.total_tokens - usage.prompt_tokens;
                beyond.completion = beyond.completion.max(completion.saturating_sub(bound.completion));
                state.spent.prompt_tokens += usage.prompt_tokens;
                state.spent.completion_tokens += usage.completion_tokens;
                state.spent.total_tokens += usage.total_tokens;
                Amount {
                    cost: self.price.map_or(0.0, |price| self.cost_with(price, usage)),
                    tokens: usage.total_tokens,
                }
            }
            Err(assumed) => {
                state.unreported += u32::from(assumed.tokens > 0);
                state.assumed.cost += assumed.cost;
                state.assumed.tokens += assumed.tokens;
                assumed
            }
        };
        drop(state);
        if let Some(day) = &self.day
            && let Err(error) = day.settle(most, amount)
        {
            // The journal on the same disk fails next and ends the run; here nobody listens.
            tracing::warn!("the day's spending could not be kept: {error}");
        }
        self.settled.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hold<'_> {
    /// The call was answered; `None` when the server reported no tokens, and the most it can have taken is assumed.
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

impl Drop for Hold<'_> {
    /// The call was broken off; what it took is unknown, so the most is assumed.
    fn drop(&mut self) {
        if self.open {
            self.budget.close(self.bound, self.most, Err(self.most));
        }
    }
}

/// No byte-level tokenizer makes more tokens than there are bytes.
fn prompt_bound(request: &ModelRequest<'_>) -> u64 {
    let messages: usize = request
        .messages
        .iter()
        .map(|message| match message {
            Message::System(text) | Message::User(text) => text.len(),
            Message::Assistant { content, calls, .. } => {
                let calls = calls
                    .iter()
                    .map(|call| call.id.len() + call.name.len() + call.arguments.len());
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
    let schema = request
        .answer_schema
        .map_or(0, |(name, schema)| name.len() + schema.to_string().len());
    let pieces = (request.messages.len() + request.tools.len()) as u64;
    (messages + tools + schema) as u64 + pieces * MESSAGE_EXTRA + REQUEST_EXTRA
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::AttemptRef;

    fn request<'a>(messages: &'a [Message]) -> ModelRequest<'a> {
        ModelRequest {
            messages,
            tools: &[],
            temperature: 0.0,
            max_tokens: 100,
            effort: None,
            seed: None,
            answer_schema: None,
            attempt: AttemptRef::default(),
        }
    }

    fn used(prompt_tokens: u64, completion_tokens: u64) -> Option<Usage> {
        Some(Usage {
            prompt_tokens,
            completion_tokens,
            total_tokens: prompt_tokens + completion_tokens,
        })
    }

    fn capped(tokens: Option<u64>, cost: Option<f64>) -> Budget {
        let price = Price {
            input: 1.0,
            output: 10.0,
        };
        Budget::new(Some(price), Caps { cost, tokens }, TokenUsage::default(), None)
    }

    fn quiet(_: &str, _: Option<Duration>) {}

    #[tokio::test]
    async fn a_call_that_might_pass_the_cap_is_not_made() {
        let messages = [Message::User("서울".to_owned())];
        let request = request(&messages);
        // 6 bytes, 16 for the message, 600 for the request, 100 of output.
        let budget = capped(Some(1_000), None);
        budget
            .hold(&request, &quiet)
            .await
            .expect("fits")
            .answered(used(200, 79));
        let refused = budget
            .hold(&request, &quiet)
            .await
            .err()
            .expect("722 more might be 1001");
        insta::assert_snapshot!(refused, @"the budget of 1000 tokens is spent: 279 are used and the next call may take 722");
        let budget = capped(Some(1_000), None);
        budget
            .hold(&request, &quiet)
            .await
            .expect("fits")
            .answered(used(200, 78));
        budget
            .hold(&request, &quiet)
            .await
            .expect("fits to the token")
            .refused();

        let budget = capped(None, Some(0.002));
        budget
            .hold(&request, &quiet)
            .await
            .expect("fits")
            .answered(used(300, 20));
        let refused = budget
            .hold(&request, &quiet)
            .await
            .err()
            .expect("may cost 0.001622");
        insta::assert_snapshot!(refused, @"the budget of $0.002 is spent: $0.0005 is used and the next call may cost $0.0016");
        assert_eq!(budget.spending().usd, Some(0.0005));
    }

    #[tokio::test]
    async fn a_server_with_a_hidden_prompt_raises_the_bound() {
        let messages = [Message::User("서울".to_owned())];
        let request = request(&messages);
        let budget = capped(Some(3_000), None);
        // 378 more than the 622 that the request bounds.
        budget
            .hold(&request, &quiet)
            .await
            .expect("fits")
            .answered(used(1_000, 50));
        budget
            .hold(&request, &quiet)
            .await
            .expect("1050 + 1100")
            .answered(used(1_000, 50));
        let refused = budget.hold(&request, &quiet).await.err().expect("2100 + 1100");
        assert!(
            refused.to_string().ends_with("the next call may take 1100"),
            "{refused}"
        );
    }

    #[tokio::test]
    async fn what_does_not_fit_beside_others_waits_for_their_true_amount() {
        let messages = [Message::User("서울".to_owned())];
        let request = request(&messages);
        let budget = capped(Some(1_000), None);
        let first = budget.hold(&request, &quiet).await.expect("fits");
        let told = std::sync::atomic::AtomicU32::new(0);
        let tell = |_: &str, _: Option<Duration>| {
            told.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        let other = async {
            tokio::task::yield_now().await;
            first.answered(used(100, 10));
        };
        let (second, ()) = tokio::join!(budget.hold(&request, &tell), other);
        second.expect("fits beside 110").answered(used(90, 10));
        assert_eq!(told.into_inner(), 1);
        assert_eq!(budget.spending().usage.total_tokens, 210);
    }

    #[tokio::test]
    async fn tokens_that_nobody_reports_count_at_their_most_and_are_told() {
        let messages = [Message::User("서울".to_owned())];
        let request = request(&messages);
        let budget = capped(Some(2_000), None);
        budget.hold(&request, &quiet).await.expect("fits").answered(None);
        assert_eq!(
            budget.spending().note.as_deref(),
            Some("the server reports no tokens")
        );
        assert_eq!(budget.spending().usd, None, "unknown is not 0");
        budget
            .hold(&request, &quiet)
            .await
            .expect("fits")
            .answered(used(1, 1));
        drop(budget.hold(&request, &quiet).await.expect("722 + 2 + 722"));
        assert!(budget.hold(&request, &quiet).await.is_err(), "1446 are gone");
        let spending = budget.spending();
        assert_eq!(
            (spending.calls_without_usage, spending.usage.total_tokens),
            (2, 2)
        );
        assert!(
            spending
                .note
                .is_some_and(|note| note.starts_with("a lower bound"))
        );
        let budget = Budget::unlimited(None);
        assert_eq!(
            budget.spending().note.as_deref(),
            Some("no price is known for this model")
        );
    }
}
