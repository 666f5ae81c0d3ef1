//! Spending on judging the runs of a sweep. The runs themselves do not record it.

use super::part::Part;
use crate::Compare;
use koab_core::run_record::{AtMost, Spending, TokenUsage};
use koab_engine::files::if_there;
use koab_engine::ports::Amount;
use koab_store::atomic;
use koab_store::holds::{Spender, lost_so_far};
use koab_workspace::WireError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Spending on judging a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Judging {
    /// Spending that scorings recorded when they ended.
    noted: Spending,
    /// All spending. A scoring that was killed counts with the greatest amount that it can have
    /// spent.
    pub(super) all: Spending,
}

impl Judging {
    /// Recorded spending. The spending file of the next scoring begins with it.
    pub(super) fn counted(&self) -> Amount {
        let most = self.noted.most();
        Amount { cost: most.usd.unwrap_or(0.0), tokens: most.tokens }
    }
}

/// Spending on judging, by the name of the run.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(BTreeMap<String, Judging>);

impl Ledger {
    /// Spending on judging a run.
    pub(super) fn of(&self, run: &str) -> Option<&Judging> {
        self.0.get(run)
    }
}

/// Content of a ledger file. Earlier versions wrote only USD and tokens.
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

    /// Reads the spending on judging the runs of these parts.
    pub(super) fn ledger(&self, parts: &[Part]) -> Result<Ledger, WireError> {
        let mut ledger = Ledger::default();
        for part in parts {
            let folder = part.found.as_ref().map(|made| made.run.folder.as_path());
            let judging = self.judging(&part.request.run, folder)?;
            ledger.0.insert(part.request.run.clone(), judging);
        }
        Ok(ledger)
    }

    /// Spending on judging a run. `folder` is the folder of the run, if the run exists.
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

    /// Adds spending to the recorded spending on judging a run.
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
