//! Cost of the run behind a report.

use crate::Library;
use crate::wire::CostFigure;
use koab_core::price::Price;
use koab_core::run_record::RunManifest;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_report::Report;
use koab_workspace::WireError;

impl Library {
    /// Returns the cost of the run from its manifest. If the manifest has no cost, computes it from
    /// the run's tokens with today's price list.
    ///
    /// # Errors
    /// When the price list cannot be read.
    pub fn cost(&self, report: &Report, manifest: Option<&RunManifest>) -> Result<CostFigure, WireError> {
        let spent = manifest.and_then(|manifest| manifest.spending.as_ref()?.usd);
        let usd = match (spent, self.models.price(&report.model)?) {
            (Some(usd), _) => Ok(usd),
            (None, Some(price)) => computed(report, price),
            (None, None) => Err(say!(
                "no price of {} is known; enter one in the price list",
                if report.model.is_empty() { "this model" } else { &report.model }
            )),
        };
        Ok(CostFigure {
            computed: spent.is_none() && usd.is_ok(),
            usd: usd.as_ref().ok().copied(),
            reason: usd.err(),
        })
    }
}

/// Computes the cost of a run's tokens. Reports contain means per task with two decimals, so the
/// cost is approximate.
fn computed(report: &Report, price: Price) -> Result<f64, Sentence> {
    let levels = report.levels.iter().map(|level| {
        let tokens = |path: &str| Some(level.figure(path)? * level.total_tasks? as f64);
        let prompt = tokens("average_prompt_tokens");
        match (prompt, tokens("average_completion_tokens")) {
            (Some(prompt), Some(completion)) => {
                Ok(price.cost(prompt.round() as u64, completion.round() as u64))
            }
            _ => Err(say!(
                "the report does not say how many prompt and completion tokens {} took",
                level.level
            )),
        }
    });
    levels.sum()
}
