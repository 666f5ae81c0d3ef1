//! Commands for packs that are edited in the window: drafts are created, changed, viewed, saved as
//! versions, and exported.
//!
//! Installed packs never change. A draft changes with every edit and is saved as a whole after
//! each. Saving it as a version makes the next version of its pack (`koab_store::own_versions`).
//! All checks of drafts are in `koab_store::draft`.

mod answers;
mod begin;
mod change;
mod export;
mod records;
mod save;
mod view;

use crate::Packs;
use crate::wire::DraftSummary;
use answers::DraftAnswers;
use koab_core::catalog::ToolCatalog;
use koab_core::finding::Problem;
use koab_core::pack::Pack;
use koab_core::tool::ToolSpec;
use koab_store::draft::{self, CheckedDraft, DraftChanges};
use koab_store::{DraftInfo, StoredDraft};
use koab_workspace::WireError;
use std::sync::Arc;

impl Packs {
    /// Name that finds the base pack of a draft. When that version is no longer installed, another
    /// version is used. `None` when no version is installed.
    fn base_name(&self, info: &DraftInfo) -> Result<Option<String>, WireError> {
        let Some(label) = &info.base else {
            return Ok(None);
        };
        let name = self.workspace.pack_of_label(label)?;
        Ok(self.workspace.store()?.pack_info(&name).is_ok().then_some(name))
    }

    /// Base pack of a draft.
    fn base_of(&self, info: &DraftInfo) -> Result<Option<Arc<Pack>>, WireError> {
        let name = self.base_name(info)?;
        name.map(|name| self.recent(&name)).transpose()
    }

    /// Look-up of calls in a draft, as in a run of the saved draft.
    fn draft_answers(&self, stored: &StoredDraft, tools: Vec<ToolSpec>) -> Result<DraftAnswers, WireError> {
        let base = match self.base_name(&stored.info)? {
            Some(name) => {
                let store = self.workspace.store()?;
                Some((self.recent(&name)?, store.cache(&name)?))
            }
            None => None,
        };
        Ok(DraftAnswers::new(ToolCatalog::new(tools), base, stored.own_records()))
    }

    /// Differences between a draft and its base pack.
    fn draft_changes(&self, stored: &StoredDraft) -> Result<DraftChanges, WireError> {
        let base = self.base_of(&stored.info)?;
        Ok(DraftChanges {
            records: stored.own_records().len() as u32,
            ..draft::changes(base.as_deref(), &stored.content())
        })
    }

    fn draft_summary(&self, stored: &StoredDraft) -> Result<DraftSummary, WireError> {
        let info = &stored.info;
        Ok(DraftSummary {
            title: info.head.title.clone(),
            base: info.base.clone(),
            next_version: self.workspace.store()?.next_version(&info.name)?,
            changed: !self.draft_changes(stored)?.is_empty(),
            tasks: stored.tasks.len() as u32,
            tools: stored.tools.len() as u32,
            changed_at: info.changed_at.clone(),
            name: info.name.clone(),
        })
    }
}

fn draft_problems(problems: &[Problem]) -> Vec<Problem> {
    problems.iter().cloned().map(draft::remedied).collect()
}

/// Number of problems that prevent a draft from being saved, and number of the others.
fn error_and_warning_counts(problems: &[Problem]) -> (u32, u32) {
    let errors = problems.iter().filter(|problem| problem.is_error()).count() as u32;
    (errors, problems.len() as u32 - errors)
}

/// A stored draft with the result of its checks.
struct DraftWithProblems {
    stored: StoredDraft,
    checked: CheckedDraft,
}

impl DraftWithProblems {
    fn at(stored: StoredDraft) -> Self {
        let checked = draft::check(&stored.content());
        Self { stored, checked }
    }
}

#[cfg(test)]
mod tests;
