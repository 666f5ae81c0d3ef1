//! Budgets that survive kills: amounts that an earlier session had reserved when it was killed are
//! subtracted from the budget.

use crate::wire::WireError;
use koab_core::run_record::TokenUsage;
use koab_engine::budget::{Budget, cost_with};
use koab_engine::ports::Amount;
use koab_store::holds::{self, Spender};
use std::path::Path;
use std::sync::Arc;

/// Returns the cost and tokens of a journal, at the price of this budget.
pub(crate) fn amount(budget: &Budget, spent: TokenUsage) -> Amount {
    Amount { cost: budget.price().map_or(0.0, |price| cost_with(price, spent)), tokens: spent.total_tokens }
}

/// Returns a budget that records its reservations in the run's folder. `spent` is the spending in
/// the journal.
pub(crate) fn kept(
    budget: Budget,
    run: &Path,
    spender: Spender,
    spent: TokenUsage,
) -> Result<Budget, WireError> {
    let (file, lost) = holds::start(run, spender, amount(&budget, spent))?;
    Ok(budget.kept_in(Arc::new(file)).after(lost.amount, lost.calls))
}
