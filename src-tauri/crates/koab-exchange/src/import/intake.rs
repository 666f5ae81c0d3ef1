//! State of an import: the runs, reports and packs that it has found, and those that were imported
//! before.

use super::item::ImportItem;
use super::report_file::{ReadFile, Table};
use super::report_numbers::ReportNumbers;
use super::scan;
use crate::Exchange;
use koab_core::say;
use koab_engine::ports::Clock as _;
use koab_store::intake::{self, Origin};
use koab_workspace::clock::SystemClock;
use koab_workspace::{ErrorCode, WireError};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// Kinds of files that an import accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportScope {
    /// Every kind of file that this program can import.
    Everything,
    /// Only reports, as the reference set. Tasks and logs in a checkout are skipped.
    References,
}

/// Runs and reports that were imported before, found by the hashes of their files.
pub(super) struct EarlierImports {
    pub(super) runs: HashMap<String, Vec<String>>,
    pub(super) reports: HashMap<String, Vec<String>>,
}

impl EarlierImports {
    pub(super) fn read(home: &koab_workspace::Home) -> Self {
        let by_hash = |found: Vec<(PathBuf, Origin)>, parts: usize| {
            let mut ids: HashMap<String, Vec<String>> = HashMap::new();
            for (folder, origin) in found {
                let id = scan::last_parts(&folder, parts);
                for hash in origin.files.into_values() {
                    ids.entry(hash).or_default().push(id.clone());
                }
            }
            ids
        };
        let by_model = home.logs().join(koab_store::runs::BY_MODEL);
        Self {
            runs: by_hash(intake::origins(&by_model, 2), 2),
            reports: by_hash(intake::origins(&home.reports(), 1), 1),
        }
    }

    /// Returns the id of a run or report that has files with all these hashes.
    pub(super) fn holding<'a>(
        ids_by_hash: &HashMap<String, Vec<String>>,
        mut hashes: impl Iterator<Item = &'a String>,
    ) -> Option<String> {
        let mut ids = ids_by_hash.get(hashes.next()?)?.clone();
        for hash in hashes {
            let others = ids_by_hash.get(hash)?;
            ids.retain(|id| others.contains(id));
        }
        ids.into_iter().next()
    }
}

/// State of an import.
pub(super) struct Intake<'a> {
    pub(super) exchange: &'a Exchange,
    pub(super) known: EarlierImports,
    pub(super) items: Vec<ImportItem>,
    pub(super) taking: ImportScope,
    /// Summaries whose folder has no report, and combined tables. A report that is found later may
    /// contain the same numbers.
    pub(super) summaries: Vec<ReadFile>,
    pub(super) rows: Vec<Table>,
    /// Numbers of the reports of this import, by report id.
    pub(super) numbers: Vec<(String, ReportNumbers)>,
    /// Numbers of the library's reports, by report id. `None` until the import needs them.
    pub(super) library: Option<Vec<(String, ReportNumbers)>>,
    pub(super) done: u64,
    pub(super) left_alone: u32,
}

impl Intake<'_> {
    pub(super) fn count(&mut self, files: u64) -> u64 {
        self.done += files;
        self.done
    }

    pub(super) fn origin(&self, source: &str, files: BTreeMap<String, String>) -> Origin {
        Origin {
            format: 1,
            source: source.to_owned(),
            at: SystemClock.local_iso(),
            files,
            model: None,
            reference: self.taking == ImportScope::References,
        }
    }

    /// Fails if the error is one of the disk, which ends the import. Any other error affects only
    /// one file.
    pub(super) fn check_can_continue(&self, error: &WireError) -> Result<(), WireError> {
        match error.code {
            ErrorCode::Storage => Err(WireError::storage(say!(
                "{}; what was imported before stays, import again for the rest",
                error.message
            ))),
            _ => Ok(()),
        }
    }
}
