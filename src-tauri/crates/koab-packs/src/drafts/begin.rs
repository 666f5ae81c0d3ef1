//! Listing, creating and deleting drafts.

use crate::Packs;
use crate::wire::{DraftFrom, DraftList, DraftRequest, DraftSummary, OwnPack};
use koab_core::level::Level;
use koab_core::pack::is_pack_name;
use koab_core::say;
use koab_store::draft::{
    Draft, DraftHead, DraftTask, EXAMPLE_ARGUMENTS, EXAMPLE_RESPONSE, example_task, example_tool, tool_text,
};
use koab_store::drafts::DraftRecord;
use koab_workspace::WireError;
use koab_workspace::starter;

impl Packs {
    /// All drafts, and the packs that were saved from drafts.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn drafts_list(&self) -> Result<DraftList, WireError> {
        let store = self.workspace.store()?;
        let mut drafts = Vec::new();
        for info in store.drafts()? {
            drafts.push(self.draft_summary(&store.draft(&info.name)?)?);
        }
        let mut own: Vec<OwnPack> = Vec::new();
        for (name, version) in store.own_versions()? {
            match own.last_mut() {
                Some(pack) if pack.name == name => pack.versions.push(version),
                _ => own.push(OwnPack { name, versions: vec![version] }),
            }
        }
        own.retain(|pack| pack.versions.iter().any(|version| version.installed));
        Ok(DraftList { drafts, own })
    }

    /// Creates a draft.
    ///
    /// # Errors
    /// When the name is not valid, belongs to another draft or to a pack that was not made here, or
    /// the pack to start from is not installed.
    pub fn draft_create(&self, request: &DraftRequest) -> Result<DraftSummary, WireError> {
        let store = self.workspace.store()?;
        let name = request.name.trim();
        if !is_pack_name(name) {
            return Err(WireError::bad_request(say!(
                "the name of a pack has at most 64 letters, digits, dots, dashes and underscores, and begins with a letter or digit"
            )));
        }
        let of_itself = matches!(&request.from, DraftFrom::Copy { pack } if pack == name);
        if store.packs()?.iter().any(|pack| pack.manifest.name == name) {
            let is_own = store.own_versions()?.iter().any(|(pack, _)| pack == name);
            if !is_own {
                return Err(WireError::bad_request(say!(
                    "the installed pack {name} was not made here and cannot be changed; give the copy another name"
                )));
            }
            if !of_itself {
                return Err(WireError::bad_request(say!(
                    "{name} is a pack of your own already; edit it, or choose another name"
                )));
            }
        }
        let (content, base, records) = self.initial_content(&request.from)?;
        let stored = store.create_draft(name, base.as_deref(), &content, &records)?;
        self.draft_summary(&stored)
    }

    /// Deletes a draft. Packs that were saved from it stay.
    ///
    /// # Errors
    /// When there is no such draft.
    pub fn draft_discard(&self, name: &str) -> Result<(), WireError> {
        Ok(self.workspace.store()?.discard_draft(name)?)
    }

    fn initial_content(
        &self,
        from: &DraftFrom,
    ) -> Result<(Draft, Option<String>, Vec<DraftRecord>), WireError> {
        let (pack, tools) = match from {
            DraftFrom::Example => return Ok((example(), None, vec![example_record()?])),
            DraftFrom::Copy { pack } => (self.workspace.load_task_pack(pack)?, None),
            DraftFrom::Tools { pack, tools } => (self.workspace.load_task_pack(pack)?, Some(tools)),
        };
        let label = Some(pack.label());
        let mut content = Draft::of_pack(&pack);
        if let Some(names) = tools {
            content.tasks.clear();
            content.head = DraftHead::default();
            let chosen = pack.tools.iter().filter(|tool| names.contains(&tool.name));
            content.tools = chosen.map(tool_text).collect();
            if content.tools.is_empty() {
                return Err(WireError::bad_request(say!("choose at least one tool")));
            }
        }
        Ok((content, label, Vec::new()))
    }
}

fn example() -> Draft {
    let prompts = starter::TASKS.get_file("judge_prompts.yaml");
    Draft {
        head: DraftHead::default(),
        tasks: vec![DraftTask { level: Level::L1, text: example_task() }],
        tools: vec![example_tool()],
        judge_prompts: prompts.and_then(|file| file.contents_utf8()).unwrap_or_default().to_owned(),
    }
}

fn example_record() -> Result<DraftRecord, WireError> {
    Ok(DraftRecord {
        tool: "Memo_search".to_owned(),
        args: serde_json::from_str(EXAMPLE_ARGUMENTS).map_err(WireError::internal)?,
        data: Some(serde_json::from_str(EXAMPLE_RESPONSE).map_err(WireError::internal)?),
        created_at: recorded_now(),
    })
}

/// Current time in the form of published records: UTC without a zone, with six decimals of a
/// second.
pub(super) fn recorded_now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.6f").to_string()
}

#[cfg(test)]
mod tests;
