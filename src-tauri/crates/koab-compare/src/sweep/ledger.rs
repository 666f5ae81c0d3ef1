//! What the judges of a sweep's runs have cost, which no run says.

use super::part::Part;
use crate::Compare;
use koab_core::run_record::{AtMost, Spending, TokenUsage};
use koab_engine::files::if_there;
use koab_engine::ports::Amount;
use koab_runs::WireError;
use koab_store::atomic;
use koab_store::holds::{Spender, lost_so_far};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What judging a run has taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Judging {
    /// What its scorings told when they ended.
    noted: Spending,
    /// All of it: what scorings that were killed took counts at its most.
    pub(super) all: Spending,
}

impl Judging {
    /// What is noted, as the next scoring's file begins with it.
    pub(super) fn counted(&self) -> Amount {
        let most = self.noted.most();
        Amount { cost: most.usd.unwrap_or(0.0), tokens: most.tokens }
    }
}

/// The same of all runs, by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(BTreeMap<String, Judging>);

impl Ledger {
    /// What judging a run has taken.
    pub(super) fn of(&self, run: &str) -> Option<&Judging> {
        self.0.get(run)
    }
}

/// A file of it. Earlier versions wrote USD and tokens alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Noted {
    Sums(Option<f64>, u64),
    Spending(Spending),
}

impl Compare {
    fn ledger_file(&self, run: &str) -> PathBuf {
        self.sweeps_folder().join(format!("{run}.json"))
    }

    /// What the judges of these parts have taken.
    pub(super) fn ledger(&self, parts: &[Part]) -> Result<Ledger, WireError> {
        let mut ledger = Ledger::default();
        for part in parts {
            let folder = part.found.as_ref().map(|made| made.run.folder.as_path());
            let judging = self.judging(&part.request.run, folder)?;
            ledger.0.insert(part.request.run.clone(), judging);
        }
        Ok(ledger)
    }

    /// What judging a run has taken, whose folder is there where anything of it was made.
    pub(super) fn judging(&self, run: &str, folder: Option<&Path>) -> Result<Judging, WireError> {
        let noted = read(&self.ledger_file(run))?.unwrap_or_default();
        let mut judging = Judging { all: noted.clone(), noted };
        let Some(folder) = folder else { return Ok(judging) };
        let lost = lost_so_far(folder, Spender::SweepJudges, judging.counted())?;
        if lost.amount.tokens > 0 {
            judging.all.add(&Spending {
                usd: Some(0.0),
                calls_without_usage: lost.calls.max(1),
                at_most: Some(AtMost { tokens: lost.amount.tokens, usd: Some(lost.amount.cost) }),
                ..Spending::default()
            });
        }
        Ok(judging)
    }

    /// Keeps what judging a run has taken, all of its scorings together.
    pub(super) fn note_judging(&self, run: &str, taken: &Spending) -> Result<(), WireError> {
        let file = self.ledger_file(run);
        let mut sum = read(&file)?.unwrap_or_default();
        sum.add(taken);
        let text = serde_json::to_vec(&sum).map_err(WireError::internal)?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(WireError::internal)?;
        }
        Ok(atomic::write(&file, &text)?)
    }
}

fn read(file: &Path) -> Result<Option<Spending>, WireError> {
    let text = if_there(std::fs::read(file)).map_err(|error| WireError::unreadable(file, error))?;
    let Some(text) = text else { return Ok(None) };
    let noted = serde_json::from_slice(&text).map_err(|error| WireError::damaged(file, &error))?;
    Ok(Some(match noted {
        Noted::Spending(spending) => spending,
        Noted::Sums(usd, tokens) => Spending {
            usage: TokenUsage { total_tokens: tokens, ..TokenUsage::default() },
            usd,
            ..Spending::default()
        },
    }))
}
