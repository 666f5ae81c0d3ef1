//! Published tasks that were downloaded: their list, and their comparison with an installed pack.
//! Nothing here needs a network.

use crate::Packs;
use crate::wire::{DriftCounts, LevelCount, PublishedDrift, PublishedSummary, PublishedView};
use koab_core::level::Level;
use koab_core::pack::Pack;
use koab_core::published::{DriftRow, DriftStanding, PublishedTask, drift, in_common};
use koab_core::say;
use koab_hub::Repository as Cached;
use koab_store::repository_files::{self, TasksRead};
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};

/// Name of the setting with the list of downloads.
const SETTING: &str = "published";

/// One downloaded repository at a commit, as an entry of the list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PulledPack {
    #[serde(flatten)]
    pub(super) summary: PublishedSummary,
    /// Paths of the files in the repository.
    pub(super) files: Vec<String>,
}

impl Packs {
    /// Downloads of published tasks, newest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn published_list(&self) -> Result<Vec<PublishedSummary>, WireError> {
        Ok(self.published_kept()?.into_iter().map(|one| one.summary).collect())
    }

    /// Commit of a downloaded repository that begins with the given digits. Without digits, the
    /// commit of the newest download.
    ///
    /// # Errors
    /// When the repository was never downloaded.
    pub fn published_commit(&self, repo: &str, commit: Option<&str>) -> Result<String, WireError> {
        let all = self.published_kept()?.into_iter();
        let mut fits = all.filter(|one| {
            one.summary.repo == repo && one.summary.commit.starts_with(commit.unwrap_or_default())
        });
        fits.next().map(|one| one.summary.commit).ok_or_else(|| never_fetched(repo))
    }

    /// Compares published tasks with a pack.
    ///
    /// Without a commit, the newest download of the repository is used. Without a pack's name, the
    /// published tasks are compared with the installed pack that has the most of them.
    ///
    /// # Errors
    /// When the repository was never downloaded, its files were deleted, or there is no such pack.
    pub fn published_view(
        &self,
        repo: &str,
        commit: Option<&str>,
        pack: Option<&str>,
    ) -> Result<PublishedView, WireError> {
        let all = self.published_kept()?;
        let is_it = |one: &&PulledPack| {
            one.summary.repo == repo && commit.is_none_or(|commit| one.summary.commit == commit)
        };
        let one = all.iter().find(is_it).ok_or_else(|| never_fetched(repo))?;
        let hub = self.models.hub_folder()?;
        let cache = Cached::of_dataset(&hub, &one.summary.repo);
        if let Some(missing) = one.files.iter().find(|file| !cache.has(&one.summary.commit, file)) {
            return Err(WireError::not_found(say!(
                "{missing} of {repo} is not in {} any more; `koab pack pull {repo}@{}` fetches it again",
                hub.display(),
                one.summary.commit
            )));
        }
        let files: Vec<&str> = one.files.iter().map(String::as_str).collect();
        let read = repository_files::read(&cache.snapshot(&one.summary.commit), repo, &files)?;
        self.published_of(one, read, pack)
    }

    /// Removes a download from the list and returns the new list. The files stay in the cache.
    ///
    /// # Errors
    /// When the workspace cannot be written.
    pub fn published_forget(&self, repo: &str, commit: &str) -> Result<Vec<PublishedSummary>, WireError> {
        let mut all = self.published_kept()?;
        all.retain(|one| one.summary.repo != repo || one.summary.commit != commit);
        self.keep_published(&all)?;
        self.published_list()
    }

    pub(super) fn remember_published(&self, new: &PulledPack) -> Result<(), WireError> {
        let mut all = self.published_kept()?;
        all.retain(|one| one.summary.repo != new.summary.repo || one.summary.commit != new.summary.commit);
        all.insert(0, new.clone());
        self.keep_published(&all)
    }

    pub(super) fn published_of(
        &self,
        one: &PulledPack,
        read: TasksRead,
        pack: Option<&str>,
    ) -> Result<PublishedView, WireError> {
        let pack = match pack {
            Some(name) => Some(self.workspace.load_pack(name)?),
            None => self.most_like(&read.tasks)?,
        };
        let count = |level: &Level| read.tasks.iter().filter(|task| task.level == *level).count() as u32;
        let levels = Level::ALL.into_iter().map(|level| LevelCount { tasks: count(&level), level });
        Ok(PublishedView {
            summary: one.summary.clone(),
            levels: levels.filter(|level| level.tasks > 0).collect(),
            drift: pack.map(|pack| compare_with(&read.tasks, &pack)),
            problems: read.problems,
        })
    }

    /// The installed pack that has the most of the given tasks; among equals, the active one.
    /// `None` when no pack is installed.
    fn most_like(&self, tasks: &[PublishedTask]) -> Result<Option<Pack>, WireError> {
        let mut best: Option<((usize, bool), Pack)> = None;
        let packs = self.workspace.store()?.packs()?.into_iter();
        for info in packs.filter(|info| info.benchmark.is_none()) {
            let pack = self.workspace.load_pack(&info.manifest.name)?;
            let rank = (in_common(tasks, &pack), info.active);
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, pack));
            }
        }
        Ok(best.map(|(_, pack)| pack))
    }

    fn published_kept(&self) -> Result<Vec<PulledPack>, WireError> {
        let Some(text) = self.workspace.store()?.setting(SETTING)? else {
            return Ok(Vec::new());
        };
        serde_json::from_str(&text).map_err(|error| {
            WireError::bad_file(say!(
                "koab.sqlite holds a list of published tasks that cannot be read ({error})"
            ))
        })
    }

    fn keep_published(&self, all: &[PulledPack]) -> Result<(), WireError> {
        let text = serde_json::to_string(all).map_err(WireError::internal)?;
        Ok(self.workspace.store()?.set_setting(SETTING, Some(&text))?)
    }
}

fn never_fetched(repo: &str) -> WireError {
    WireError::not_found(say!(
        "no published tasks of {repo} were fetched at this commit; `koab pack pull {repo}` fetches the newest"
    ))
}

fn compare_with(tasks: &[PublishedTask], pack: &Pack) -> PublishedDrift {
    let rows = drift(tasks, pack);
    let levels = Level::ALL.into_iter().map(|level| counts(&level, &rows));
    PublishedDrift {
        pack: pack.manifest.name.clone(),
        version: pack.manifest.version.clone(),
        levels: levels.filter(|level| level.published + level.in_pack > 0).collect(),
        rows,
    }
}

fn counts(level: &Level, rows: &[DriftRow]) -> DriftCounts {
    let count = |fits: &dyn Fn(&DriftRow) -> bool| rows.iter().filter(|row| fits(row)).count() as u32;
    let at = |standing: DriftStanding| count(&|row| row.level == *level && row.standing == standing);
    DriftCounts {
        level: level.clone(),
        published: count(&|row| row.level == *level && row.published_tools.is_some()),
        in_pack: count(&|row| row.pack_level.as_ref() == Some(level)),
        same: at(DriftStanding::Same),
        other_tools: at(DriftStanding::OtherTools),
        other_level: at(DriftStanding::OtherLevel),
        only_published: at(DriftStanding::OnlyPublished),
        only_in_pack: at(DriftStanding::OnlyInPack),
    }
}

#[cfg(test)]
mod tests;
