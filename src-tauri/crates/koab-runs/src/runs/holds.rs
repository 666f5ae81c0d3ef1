//! The budget of a start that holds through kills: what earlier starts held when they died is gone
//! from it.

use crate::wire::WireError;
use koab_core::run_record::TokenUsage;
use koab_engine::budget::{Budget, cost_with};
use koab_engine::ports::Amount;
use koab_store::holds::{self, Spender};
use std::path::Path;
use std::sync::Arc;

/// What a journal comes to, at the price of this budget.
pub(crate) fn amount(budget: &Budget, spent: TokenUsage) -> Amount {
    Amount { cost: budget.price().map_or(0.0, |price| cost_with(price, spent)), tokens: spent.total_tokens }
}

/// A budget of which `spent` is in the journal, kept in the run's folder.
pub(crate) fn kept(
    budget: Budget,
    run: &Path,
    spender: Spender,
    spent: TokenUsage,
) -> Result<Budget, WireError> {
    let (file, lost) = holds::start(run, spender, amount(&budget, spent))?;
    Ok(budget.kept_in(Arc::new(file)).after(lost.amount, lost.calls))
}
