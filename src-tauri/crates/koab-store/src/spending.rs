//! Daily spending of a workspace's runs, for caps that apply across runs and processes.
//!
//! Every run has one row per day: the amount spent, and the amount reserved for calls in flight. A
//! reservation checks the rows of all runs in one transaction, so that two processes cannot both
//! take the rest of a budget.
//!
//! A killed process's reservations stay until its run is resumed, and count as spent then: those
//! calls may have been paid for.

use crate::db::Store;
use crate::error::Result;
use crate::table::spending::{self, MAX_TOKENS, Sum};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::budget::Caps;
use koab_engine::ports::{Amount, Ledger, StoreError};
use rusqlite::Connection;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Reserves and records the cost and tokens of one run's calls, within caps per day for the whole
/// workspace.
pub struct SpendingLedger {
    connection: Mutex<Connection>,
    run: String,
    caps: Caps,
    today: fn() -> String,
}

impl Store {
    /// Opens the ledger of a run. `today` returns the day (`YYYY-MM-DD`). `caps` apply per day.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn spending_ledger(&self, run: &str, caps: Caps, today: fn() -> String) -> Result<SpendingLedger> {
        let connection = self.writer()?;
        // Only one process works on a run, so its remaining reservations are from a process that
        // has ended. Those calls may have been paid for.
        spending::spend_held(&connection, run)?;
        Ok(SpendingLedger { connection: Mutex::new(connection), run: run.to_owned(), caps, today })
    }

    /// Spending of all runs on a day (`YYYY-MM-DD`), including calls in flight.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn spent_on(&self, day: &str) -> Result<Amount> {
        Ok(amount(spending::sum(&self.lock(), day)?))
    }
}

impl SpendingLedger {
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_hold(&self, most: Amount) -> Result<Option<Sentence>> {
        let day = (self.today)();
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let used = amount(spending::sum(&transaction, &day)?);
        if let Some(cap) = self.caps.cost
            && used.cost + most.cost > cap
        {
            return Ok(Some(say!(
                "today's budget of ${cap} is spent: ${:.4} is used by all runs and the next call may cost ${:.4}",
                used.cost,
                most.cost
            )));
        }
        if let Some(cap) = self.caps.tokens
            && used.tokens.saturating_add(most.tokens) > cap
        {
            return Ok(Some(say!(
                "today's budget of {cap} tokens is spent: {} are used by all runs and the next call may take {}",
                used.tokens,
                most.tokens
            )));
        }
        spending::hold(&transaction, &day, &self.run, sum(most))?;
        transaction.commit()?;
        Ok(None)
    }
}

impl Ledger for SpendingLedger {
    fn hold(&self, most: Amount) -> std::result::Result<Option<Sentence>, StoreError> {
        if self.caps == Caps::default() {
            return Ok(None);
        }
        Ok(self.try_hold(most)?)
    }

    fn settle(&self, held: Amount, spent: Amount) -> std::result::Result<(), StoreError> {
        let reserved = if self.caps == Caps::default() { Amount::default() } else { held };
        let day = (self.today)();
        Ok(spending::settle(&self.connection(), &day, &self.run, sum(reserved), sum(spent))?)
    }
}

fn sum(amount: Amount) -> Sum {
    Sum {
        cost: amount.cost,
        tokens: i64::try_from(amount.tokens).map_or(MAX_TOKENS, |tokens| tokens.min(MAX_TOKENS)),
    }
}

fn amount(sum: Sum) -> Amount {
    Amount { cost: sum.cost, tokens: u64::try_from(sum.tokens).unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn today() -> String {
        "2026-11-20".to_owned()
    }

    fn tokens(tokens: u64) -> Amount {
        Amount { cost: tokens as f64 / 1000.0, tokens }
    }

    #[test]
    fn two_runs_share_a_day_s_budget() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("koab.sqlite");
        let (one, two) = (Store::open(&path).expect("opened"), Store::open(&path).expect("opened"));
        let caps = |tokens, cost| Caps { cost, tokens };
        let first = one.spending_ledger("m/1", caps(Some(100), None), today).expect("opened");
        let second = two.spending_ledger("m/2", caps(None, Some(0.1)), today).expect("opened");
        assert_eq!(first.hold(tokens(60)).expect("asked"), None);
        let refused = second.hold(tokens(41)).expect("asked").expect("101 of 100");
        insta::assert_snapshot!(refused, @"today's budget of $0.1 is spent: $0.0600 is used by all runs and the next call may cost $0.0410");
        assert_eq!(second.hold(tokens(40)).expect("asked"), None);
        first.settle(tokens(60), tokens(10)).expect("settled");
        second.settle(tokens(40), tokens(0)).expect("settled");
        assert_eq!(one.spent_on("2026-11-20").expect("read").tokens, 10);
        assert_eq!(one.spent_on("2026-11-21").expect("read"), Amount::default());
        let refused = first.hold(tokens(91)).expect("asked").expect("101 of 100");
        insta::assert_snapshot!(refused, @"today's budget of 100 tokens is spent: 10 are used by all runs and the next call may take 91");
    }

    #[test]
    fn what_a_killed_process_held_is_spent() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("koab.sqlite")).expect("opened");
        let caps = Caps { cost: None, tokens: Some(100) };
        let open = |run| store.spending_ledger(run, caps, today).expect("opened");
        assert_eq!(open("m/1").hold(tokens(60)).expect("asked"), None);
        assert!(open("m/2").hold(tokens(60)).expect("asked").is_some());
        assert!(open("m/1").hold(tokens(60)).expect("asked").is_some());
        let unlimited = store.spending_ledger("m/3", Caps::default(), today).expect("opened");
        assert_eq!(unlimited.hold(tokens(600)).expect("asked"), None);
        unlimited.settle(tokens(600), tokens(30)).expect("settled");
        assert_eq!(store.spent_on("2026-11-20").expect("read").tokens, 90, "others see it all the same");
    }

    #[test]
    fn more_than_the_database_can_count_is_the_most_and_not_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("koab.sqlite")).expect("opened");
        let caps = Caps { cost: None, tokens: Some(1_000_000) };
        for run in ["m/1", "m/2"] {
            let ledger = store.spending_ledger(run, Caps::default(), today).expect("opened");
            for _ in 0..3 {
                let spent = Amount { cost: 0.0, tokens: u64::MAX };
                ledger.settle(Amount::default(), spent).expect("settled");
            }
        }
        assert_eq!(store.spent_on("2026-11-20").expect("read").tokens, 1 << 52);
        let capped = store.spending_ledger("m/3", caps, today).expect("opened");
        assert!(capped.hold(tokens(1)).expect("asked").is_some());
    }
}
