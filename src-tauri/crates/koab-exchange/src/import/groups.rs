//! Logs of another benchmark's groups: their names are those of an installed pack, which the run's
//! own description names.

use super::content::Content;
use super::intake::Intake;
use super::item::{ImportItem, ImportedKind};
use super::kind::LogHead;
use super::run_import::FolderLogs;
use koab_core::level::{GROUPS, Level};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_workspace::WireError;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The log of a group, as it was found.
pub(super) struct GroupLog {
    pub(super) path: PathBuf,
    pub(super) shown: String,
    pub(super) content: Content,
    /// The name that it gives its group.
    pub(super) group: String,
    pub(super) head: LogHead,
}

/// What of a run's description says whose groups these are.
#[derive(Deserialize)]
struct Described {
    spec: DescribedSpec,
}

#[derive(Deserialize)]
struct DescribedSpec {
    pack: String,
}

impl Intake<'_> {
    /// Hands the logs of groups to their run, each by its group of the pack.
    pub(super) fn take_groups(
        &mut self,
        logs: Vec<GroupLog>,
        runs: &mut FolderLogs,
    ) -> Result<(), WireError> {
        let Some(first) = logs.first() else {
            return Ok(());
        };
        let (pack, known) = match self.groups_of(runs.manifest.as_ref(), first.head.pack.as_deref())? {
            Ok(found) => found,
            Err(why) => {
                let folder = run_of(&first.shown);
                self.items.push(ImportItem::refused(ImportedKind::Run, &folder, why));
                return Ok(());
            }
        };
        for log in logs {
            let is_of_it =
                |level: &&Level| level.as_str() == log.group && log.path.ends_with(level.log_file());
            match known.iter().find(is_of_it) {
                // As if it lay beside the description.
                Some(level) => {
                    let (path, shown) = (beside(&log.path), run_of(&log.shown));
                    runs.log((path, format!("{shown}/{}", log.group)), log.content, *level, log.head);
                }
                None => {
                    let why = say!("is the log of a group that the pack {pack} does not have");
                    self.items.push(ImportItem::refused(ImportedKind::Run, &log.shown, why));
                }
            }
        }
        Ok(())
    }

    /// The pack of a run and its groups, or why there are none.
    fn groups_of(
        &self,
        description: Option<&Content>,
        named: Option<&str>,
    ) -> Result<Result<(String, Vec<Level>), Sentence>, WireError> {
        let described =
            description.and_then(|content| serde_json::from_slice::<Described>(&content.bytes).ok());
        let described = described.map(|described| described.spec.pack);
        let Some(pack) = described.or_else(|| named.map(str::to_owned)) else {
            return Ok(Err(say!(
                "holds logs of another benchmark's groups without the run.json of their run; import the whole folder of the run"
            )));
        };
        // Another version may have other items under the same ids.
        let (name, version) = pack.split_once('@').unwrap_or((&pack, ""));
        let packs = self.exchange.workspace.store()?.packs()?;
        let installed = packs.into_iter().find(|one| {
            let manifest = &one.manifest;
            manifest.name == name && (version.is_empty() || manifest.version == version)
        });
        let counts = installed.and_then(|one| one.benchmark);
        Ok(match counts {
            Some(counts) => {
                let groups = counts.rows().into_iter().map(|(group, _)| group).collect();
                Ok((pack, groups))
            }
            None => Err(say!(
                "is a run of the pack {pack}, which is not installed here; import the pack first with `koab pack import PATH`"
            )),
        })
    }
}

/// The run's folder of a log of one of its groups, as it is shown.
fn run_of(shown: &str) -> String {
    let folder = shown.rsplit_once('/').map_or(shown, |(folder, _)| folder);
    let run = folder.strip_suffix(GROUPS).map(|run| run.trim_end_matches('/'));
    run.unwrap_or(folder).to_owned()
}

/// Where the log would lie beside the run's description.
fn beside(path: &Path) -> PathBuf {
    let run = path.parent().and_then(Path::parent).unwrap_or(Path::new(""));
    run.join(path.file_name().unwrap_or_default())
}
