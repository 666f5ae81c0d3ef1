//! An import under way: what it has found, and what was imported before.

use super::item::ImportItem;
use super::report_file::{One, Table};
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

/// What of the files is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportScope {
    /// Everything that is known here.
    Everything,
    /// Reports alone, as the reference set: of a whole checkout neither tasks nor logs.
    References,
}

/// What was imported before, by the hash of its files.
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

    /// The one that holds all of these.
    pub(super) fn holding<'a>(
        of: &HashMap<String, Vec<String>>,
        mut hashes: impl Iterator<Item = &'a String>,
    ) -> Option<String> {
        let mut ids = of.get(hashes.next()?)?.clone();
        for hash in hashes {
            let others = of.get(hash)?;
            ids.retain(|id| others.contains(id));
        }
        ids.into_iter().next()
    }
}

/// An import under way.
pub(super) struct Intake<'a> {
    pub(super) exchange: &'a Exchange,
    pub(super) known: EarlierImports,
    pub(super) items: Vec<ImportItem>,
    pub(super) taking: ImportScope,
    /// Summaries without a report beside them, and combined tables: a report that is found later
    /// may say what they say.
    pub(super) summaries: Vec<One>,
    pub(super) rows: Vec<Table>,
    /// What the reports of this import say.
    pub(super) told: Vec<(String, ReportNumbers)>,
    /// What those of the library say, once it was asked for.
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

    /// A disk that refuses ends the import; anything else is that file's matter.
    pub(super) fn may_go_on(&self, error: &WireError) -> Result<(), WireError> {
        match error.code {
            ErrorCode::Storage => Err(WireError::storage(say!(
                "{}; what was imported before stays, import again for the rest",
                error.message
            ))),
            _ => Ok(()),
        }
    }
}
