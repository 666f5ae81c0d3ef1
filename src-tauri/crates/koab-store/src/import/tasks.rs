//! Import of tasks without tools. An installed pack supplies their tools, judge prompts and cached
//! responses.

use super::source::{Records, Source, unstated_manifest};
use super::{Imported, Origin, Watch, documents, write};
use crate::db::Store;
use crate::error::{Error, Result};
use crate::packs;
use crate::table;
use koab_core::finding::Problem;
use koab_core::level::Level;
use koab_core::pack::PackCounts;
use koab_core::say;
use serde_json::Value;
use std::collections::BTreeMap;

impl Store {
    /// Imports tasks, in the form of their files by level, as a separate pack. Tools, judge prompts
    /// and cached responses come from the pack `with`.
    ///
    /// An installed pack of the same name is replaced.
    ///
    /// # Errors
    /// When `with` is not installed or none of the tasks can be run, and as
    /// [`Store::import_watched`]. Nothing is imported then.
    pub fn import_tasks(
        &self,
        tasks: &BTreeMap<Level, Vec<Value>>,
        origin: &Origin,
        with: &str,
        mut problems: Vec<Problem>,
        watch: Watch<'_>,
    ) -> Result<Imported> {
        let mut rows = {
            let connection = self.lock();
            let base = packs::require_tasks(&connection, with)?;
            table::document::of_pack(&connection, base.id)?
        };
        rows.retain(|row| [documents::TOOLS, documents::PROMPTS].contains(&row.path.as_str()));
        for (level, tasks) in tasks {
            let content = serde_json::to_string_pretty(tasks)
                .map_err(|error| Error::BadFile(say!("the tasks of {level} cannot be kept: {error}")))?;
            rows.push(documents::row(documents::level_path(level), content));
        }
        let mut origin = origin.clone();
        if origin.name == with {
            // Keep the pack that supplies the tools.
            origin.name += "-tasks";
        }
        let manifest = unstated_manifest(&rows, Some(&origin));
        let (mut pack, document_problems) = documents::read(manifest, &rows);
        problems.extend(document_problems);
        if pack.tasks.is_empty() {
            let from = &origin.source;
            return Err(Error::BadFile(match problems.first() {
                Some(problem) => {
                    say!("{from} holds no task that can be run ({problem}); nothing was imported")
                }
                None => say!("{from} holds no task that can be run; nothing was imported"),
            }));
        }
        pack.manifest.counts =
            PackCounts { tasks: pack.task_counts(), tools: pack.tools.len() as u32, records: 0 };
        let source =
            Source { pack, documents: rows, records: Records::OfPack(with.to_owned()), promised_records: 0 };
        let pack = write::write(self, source, &mut problems, watch)?;
        Ok(Imported { pack, problems })
    }
}
