//! A draft is looked over, and becomes the next version of its pack.

use super::DraftWithProblems;
use super::view::impact;
use crate::Packs;
use crate::summary;
use crate::wire::{DraftFinding, DraftReview, DraftSaved};
use koab_core::finding::Problem;
use koab_store::draft::CheckedDraft;
use koab_store::draft::remedied;
use koab_store::{DraftSaving, StoredDraft};
use koab_workspace::WireError;
use serde_json::Value;

impl Packs {
    /// What saving a draft would change, and what is wrong with it.
    ///
    /// # Errors
    /// When there is no such draft.
    pub fn draft_review(&self, name: &str) -> Result<DraftReview, WireError> {
        let looked = DraftWithProblems::at(self.workspace.store()?.draft(name)?);
        let answers = self.draft_answers(&looked.stored, looked.checked.specs())?;
        let DraftWithProblems { stored, checked } = &looked;
        let (mut calls, mut answered) = (0, 0);
        for task in checked.tasks.iter().filter_map(|checked| checked.task.as_ref()) {
            for call in task.path_calls().iter().filter(|call| !call.is_open()) {
                calls += 1;
                answered += u32::from(answers.is_answered(&call.tool, &call.args)?);
            }
        }
        let mut impacts = Vec::new();
        for tool in checked.specs() {
            impacts.extend(impact(&answers, &tool.name)?);
        }
        Ok(DraftReview {
            revision: stored.info.revision,
            next_version: self.workspace.store()?.next_version(name)?,
            base: stored.info.base.clone(),
            changes: self.draft_changes(stored)?,
            sound: checked.is_sound(),
            findings: findings(stored, checked),
            impacts,
            calls,
            answered,
        })
    }

    /// Saves the draft whose revision was `seen` as the next version of its pack. Earlier versions
    /// stay installed beside it.
    ///
    /// # Errors
    /// When there is no such draft, the pack that it goes on from is not installed any more, or the
    /// disk refuses.
    pub fn draft_save(&self, name: &str, seen: i64) -> Result<DraftSaved, WireError> {
        let store = self.workspace.store()?;
        let stored = store.draft(name)?;
        let changes = self.draft_changes(&stored)?;
        Ok(match store.save_draft(name, seen, &changes)? {
            DraftSaving::Saved(saved) => {
                DraftSaved::Saved { pack: summary(&saved.pack), sha256: saved.sha256 }
            }
            DraftSaving::Refused(checked) => DraftSaved::Refused { findings: findings(&stored, &checked) },
            DraftSaving::Same(version) => DraftSaved::Same { version },
            DraftSaving::Stale(revision) => DraftSaved::Stale { revision },
        })
    }
}

fn findings(stored: &StoredDraft, checked: &CheckedDraft) -> Vec<DraftFinding> {
    let finding = |key: Option<i64>, name: String, tool: bool, problem: &Problem| DraftFinding {
        key,
        name,
        tool,
        problem: remedied(problem.clone()),
    };
    let mut found: Vec<DraftFinding> = Vec::new();
    for problem in &checked.whole {
        found.push(finding(None, String::new(), false, problem));
    }
    let named = |content: &str, field: &str| {
        let value: Option<Value> = serde_json::from_str(content).ok();
        let name = value.as_ref().and_then(|value| value.get(field)?.as_str());
        name.unwrap_or_default().to_owned()
    };
    for (item, checked) in stored.tools.iter().zip(&checked.tools) {
        for problem in &checked.problems {
            found.push(finding(Some(item.id), named(&item.content, "name"), true, problem));
        }
    }
    for (item, checked) in stored.tasks.iter().zip(&checked.tasks) {
        for problem in &checked.problems {
            found.push(finding(Some(item.id), named(&item.content, "task_id"), false, problem));
        }
    }
    found.sort_by_key(|finding| !finding.problem.is_error());
    found
}
