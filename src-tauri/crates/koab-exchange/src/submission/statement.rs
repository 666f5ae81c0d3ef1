//! A person's statements about a submission. They are saved by report, in
//! `submissions/<report>.json` in the workspace.

use crate::Exchange;
use koab_bundle::submission::Names;
use koab_core::say;
use koab_engine::files::if_there;
use koab_store::atomic;
use koab_workspace::WireError;
use std::path::PathBuf;

impl Exchange {
    fn names_file(&self, report: &str) -> PathBuf {
        self.workspace.home().path().join("submissions").join(format!("{report}.json"))
    }

    pub(super) fn keep_names(&self, report: &str, names: &Names) -> Result<(), WireError> {
        let text = serde_json::to_string_pretty(names).map_err(WireError::internal)?;
        Ok(atomic::write(&self.names_file(report), text.as_bytes())?)
    }

    pub(super) fn kept_names(&self, report: &str) -> Result<Option<Names>, WireError> {
        let file = self.names_file(report);
        let text = if_there(std::fs::read(&file)).map_err(|error| WireError::unreadable(&file, error))?;
        let Some(text) = text else {
            return Ok(None);
        };
        serde_json::from_slice(&text).map(Some).map_err(|error| {
            let file = file.display();
            WireError::bad_file(say!("{file} is not JSON: {error}"))
        })
    }
}
