//! Budgets that take kills into account. If a session was killed, the amounts that it had reserved
//! are subtracted from the budget.

use koab_core::run_record::TokenUsage;
use koab_engine::budget::{Budget, cost_with};
use koab_engine::ports::Amount;
use koab_store::holds::{self, Spender};
use koab_workspace::WireError;
use std::path::Path;
use std::sync::Arc;

/// Returns the cost and the number of the tokens in a journal. The cost is computed with the price
/// in the budget.
pub fn amount(budget: &Budget, spent: TokenUsage) -> Amount {
    Amount { cost: budget.price().map_or(0.0, |price| cost_with(price, spent)), tokens: spent.total_tokens }
}

/// Returns a budget that records its reservations in the run's folder. `spent` is the spending that
/// the journal contains.
pub fn kept(budget: Budget, run: &Path, spender: Spender, spent: TokenUsage) -> Result<Budget, WireError> {
    let (file, lost) = holds::start(run, spender, amount(&budget, spent))?;
    Ok(budget.kept_in(Arc::new(file)).after(lost.amount, lost.calls))
}
