//! What the judges of a sweep's runs have cost, which no run says.

use crate::Compare;
use koab_engine::files::if_there;
use koab_runs::WireError;
use koab_store::atomic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// USD and tokens by the name of the run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Ledger(BTreeMap<String, (Option<f64>, u64)>);

impl Ledger {
    /// What judging a run has cost.
    pub(super) fn cost(&self, run: &str) -> Option<(Option<f64>, u64)> {
        self.0.get(run).copied()
    }
}

impl Compare {
    fn ledger_file(&self, run: &str) -> PathBuf {
        self.sweeps_folder().join(format!("{run}.json"))
    }

    /// What the judges of these runs have cost.
    pub(super) fn ledger<'a>(&self, runs: impl Iterator<Item = &'a str>) -> Result<Ledger, WireError> {
        let mut ledger = Ledger::default();
        for run in runs {
            if let Some(cost) = read(&self.ledger_file(run))? {
                ledger.0.insert(run.to_owned(), cost);
            }
        }
        Ok(ledger)
    }

    /// Keeps what judging a run has cost, all of its scorings together.
    pub(super) fn note_judging(&self, run: &str, cost: (Option<f64>, u64)) -> Result<(), WireError> {
        let file = self.ledger_file(run);
        let (usd, tokens) = read(&file)?.unwrap_or((Some(0.0), 0));
        let sum = (
            usd.zip(cost.0).map(|(so_far, more)| so_far + more),
            tokens + cost.1,
        );
        let text = serde_json::to_vec(&sum).map_err(WireError::internal)?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(WireError::internal)?;
        }
        Ok(atomic::write(&file, &text)?)
    }
}

fn read(file: &Path) -> Result<Option<(Option<f64>, u64)>, WireError> {
    let text = if_there(std::fs::read(file)).map_err(WireError::internal)?;
    let sum = text.map(|text| serde_json::from_slice(&text)).transpose();
    sum.map_err(WireError::internal)
}
