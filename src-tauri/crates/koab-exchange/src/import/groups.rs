//! Imports logs of another benchmark's groups. The installed pack that the run's description names
//! defines the groups.

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

/// Log of one group of another benchmark, as an import found it in a folder.
pub(super) struct GroupLog {
    pub(super) path: PathBuf,
    pub(super) shown: String,
    pub(super) content: Content,
    /// Name of the group in the log's metadata.
    pub(super) group: String,
    pub(super) head: LogHead,
}

/// The part of a run's description that names the pack.
#[derive(Deserialize)]
struct Described {
    spec: DescribedSpec,
}

#[derive(Deserialize)]
struct DescribedSpec {
    pack: String,
}

impl Intake<'_> {
    /// Adds logs of another benchmark's groups to the run that they were found with. The groups
    /// must be those of the run's pack; other logs are refused.
    pub(super) fn take_groups(
        &mut self,
        logs: Vec<GroupLog>,
        runs: &mut FolderLogs,
    ) -> Result<(), WireError> {
        let Some(first) = logs.first() else {
            return Ok(());
        };
        let (pack, groups) = match self.groups_of(runs.manifest.as_ref(), first.head.pack.as_deref())? {
            Ok(pack_and_groups) => pack_and_groups,
            Err(why) => {
                let folder = run_of(&first.shown);
                self.items.push(ImportItem::refused(ImportedKind::Run, &folder, why));
                return Ok(());
            }
        };
        for log in logs {
            let is_of_it =
                |level: &&Level| level.as_str() == log.group && log.path.ends_with(level.log_file());
            match groups.iter().find(is_of_it) {
                // The log gets a path next to the run's description.
                Some(level) => {
                    let (path, shown) = (path_in_run(&log.path), run_of(&log.shown));
                    runs.log((path, format!("{shown}/{}", log.group)), log.content, level.clone(), log.head);
                }
                None => {
                    let why = say!("is the log of a group that the pack {pack} does not have");
                    self.items.push(ImportItem::refused(ImportedKind::Run, &log.shown, why));
                }
            }
        }
        Ok(())
    }

    /// Returns the pack of a run and the groups of the pack, or the reason why they are unknown.
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

/// Returns the path of the run's folder for display, from the displayed path of a group's log.
fn run_of(shown: &str) -> String {
    let folder = shown.rsplit_once('/').map_or(shown, |(folder, _)| folder);
    let run = folder.strip_suffix(GROUPS).map(|run| run.trim_end_matches('/'));
    run.unwrap_or(folder).to_owned()
}

/// Returns the path that a group's log would have directly in the run's folder.
fn path_in_run(path: &Path) -> PathBuf {
    let run = path.parent().and_then(Path::parent).unwrap_or(Path::new(""));
    run.join(path.file_name().unwrap_or_default())
}
