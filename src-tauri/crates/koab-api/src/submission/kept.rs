//! What a person said of a submission, by report: `submissions/<report>.json` in the workspace.

use crate::Api;
use crate::wire::{ErrorCode, WireError};
use koab_core::submission::Names;
use koab_store::atomic;
use std::path::PathBuf;

impl Api {
    fn names_file(&self, report: &str) -> PathBuf {
        self.home()
            .path()
            .join("submissions")
            .join(format!("{report}.json"))
    }

    pub(super) fn keep_names(&self, report: &str, names: &Names) -> Result<(), WireError> {
        let text = serde_json::to_string_pretty(names).map_err(WireError::internal)?;
        Ok(atomic::write(&self.names_file(report), text.as_bytes())?)
    }

    pub(super) fn kept_names(&self, report: &str) -> Result<Option<Names>, WireError> {
        let file = self.names_file(report);
        let text = match std::fs::read(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let file = file.display();
                return Err(WireError::storage(format!("{file} cannot be read: {error}")));
            }
        };
        serde_json::from_slice(&text).map(Some).map_err(|error| {
            let file = file.display();
            WireError::new(ErrorCode::BadFile, format!("{file} holds no JSON: {error}"))
        })
    }
}
