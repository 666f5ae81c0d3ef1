//! Takes in files that were made elsewhere: run logs, reports, summaries, packs; single, in
//! folders, in archives.
//!
//! What a file is, is found by what it holds (`kind.rs`). What came in and what did not is listed,
//! each with where it was found. One bad file keeps nothing else out; nothing is half imported;
//! importing twice adds nothing. A file's content is written as it came, never made again, but for
//! a byte order mark, which no reader of logs knows.

mod content;
mod groups;
mod intake;
mod item;
mod kind;
mod report_file;
mod report_import;
mod report_numbers;
mod run_import;
mod scan;
#[cfg(test)]
mod tests;

use crate::Exchange;
use content::Content;
use groups::GroupLog;
pub use intake::ImportScope;
use intake::{EarlierImports, Intake};
pub use item::{ImportItem, ImportOutcome, ImportResult, ImportedKind};
use kind::Kind;
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_engine::ports::Cancel;
use koab_store::import::Watch;
use koab_workspace::WireError;
use koab_workspace::jobs::JobKind;
use koab_workspace::paths::last_part;
use scan::{Candidate, Scan};
use std::cell::Cell;
use std::path::PathBuf;
use std::time::Instant;

/// Results of imports that are still told, the newest.
const KEPT: usize = 10;

impl Exchange {
    /// Takes in files, folders and archives, as a job.
    ///
    /// # Errors
    /// When nothing was named, or the disk refuses. What is wrong with a file is in the answer.
    pub async fn import_files(&self, paths: Vec<PathBuf>) -> Result<ImportResult, WireError> {
        self.import_in_view(paths, ImportScope::Everything).await
    }

    /// Takes in reports as the reference set, as a job: published ones, from a checkout, an archive
    /// or their folder.
    ///
    /// # Errors
    /// As [`Exchange::import_files`].
    pub async fn import_references(&self, paths: Vec<PathBuf>) -> Result<ImportResult, WireError> {
        self.import_in_view(paths, ImportScope::References).await
    }

    async fn import_in_view(
        &self,
        paths: Vec<PathBuf>,
        taking: ImportScope,
    ) -> Result<ImportResult, WireError> {
        let cancel = Cancel::new();
        let api = self.clone();
        let about = paths.iter().take(1).map(|path| last_part(path));
        let more = (paths.len() > 1).then(|| (paths.len() - 1).to_string());
        let underway = self.workspace.begin_job(JobKind::Import, about.chain(more).collect(), Some(&cancel));
        tokio::task::spawn_blocking(move || {
            let progress = |done: u64, total: u64| underway.progress(done, total);
            let imported = api.import_as(taking, underway.id(), &paths, &progress, &cancel);
            underway.finish(imported)
        })
        .await
        .map_err(WireError::internal)?
    }

    /// What an import of this process brought, by the id of its job; `None` when nobody remembers.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn import_result(&self, id: &str) -> Result<Option<ImportResult>, WireError> {
        let results = self.imports();
        Ok(results.iter().find(|result| result.id == id).cloned())
    }

    /// Takes in files, folders and archives. `progress` hears of files done and all of them.
    ///
    /// # Errors
    /// As [`Exchange::import_files`].
    pub fn import(
        &self,
        id: &str,
        paths: &[PathBuf],
        progress: &dyn Fn(u64, u64),
        cancel: &Cancel,
    ) -> Result<ImportResult, WireError> {
        self.import_as(ImportScope::Everything, id, paths, progress, cancel)
    }

    /// As [`Exchange::import`], of what is wanted.
    ///
    /// # Errors
    /// As [`Exchange::import_files`].
    pub fn import_as(
        &self,
        taking: ImportScope,
        id: &str,
        paths: &[PathBuf],
        progress: &dyn Fn(u64, u64),
        cancel: &Cancel,
    ) -> Result<ImportResult, WireError> {
        if paths.is_empty() {
            return Err(WireError::bad_request(say!("name at least one file or folder to import")));
        }
        let begun = Instant::now();
        self.workspace.home().create()?;
        koab_store::intake::sweep(self.workspace.home().path());
        let scan = Scan::walk(paths, cancel);
        // The files of a pack's cached responses are known once it is read, and are most of what
        // there is to wait for.
        let total = Cell::new(scan.files() + scan.packs.len() as u64);
        let mut intake = Intake {
            exchange: self,
            known: EarlierImports::read(self.workspace.home()),
            items: scan.refused,
            taking,
            summaries: Vec::new(),
            rows: Vec::new(),
            told: Vec::new(),
            library: None,
            done: 0,
            left_alone: scan.left_alone,
        };
        let mut cancelled = cancel.is_cancelled();
        for pack in &scan.packs {
            if cancel.is_cancelled() {
                break;
            }
            if taking == ImportScope::Everything {
                let (begun, others) = (intake.done, total.get());
                let read = Cell::new(0);
                let within = |done: u64, all: u64| {
                    read.set(all);
                    progress(begun + done, others + all);
                };
                let progress = &within;
                intake.pack(pack, Watch { cancel, progress })?;
                intake.count(read.get());
                total.set(others + read.get());
            }
            progress(intake.count(1), total.get());
        }
        for group in &scan.groups {
            if cancel.is_cancelled() {
                break;
            }
            intake.group(group, cancel)?;
            progress(intake.count(group.len() as u64), total.get());
        }
        cancelled |= cancel.is_cancelled();
        intake.take_held()?;
        let result = ImportResult {
            id: id.to_owned(),
            items: intake.items,
            left_alone: intake.left_alone,
            cancelled,
            seconds: begun.elapsed().as_secs_f64(),
        };
        let mut kept = self.imports();
        kept.push(result.clone());
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
        Ok(result)
    }

    fn imports(&self) -> std::sync::MutexGuard<'_, Vec<ImportResult>> {
        let results = self.imports.lock();
        results.unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Intake<'_> {
    fn pack(&mut self, found: &scan::PackFolder, watch: Watch<'_>) -> Result<(), WireError> {
        let store = self.exchange.workspace.store()?;
        let before = store.packs()?;
        let shown = PathBuf::from(&found.shown);
        let imported = match store.import_folder(&found.folder, &shown, Vec::new(), watch) {
            Ok(imported) => imported,
            Err(koab_store::Error::Cancelled) => return Ok(()),
            Err(error) => {
                let error = WireError::from(error);
                self.may_go_on(&error)?;
                let item = ImportItem::refused(ImportedKind::Pack, &found.shown, error.message);
                self.items.push(item);
                return Ok(());
            }
        };
        let pack = imported.pack;
        let same = |old: &koab_store::PackInfo| old.manifest == pack.manifest && old.records == pack.records;
        let there = before.iter().any(same);
        self.items.push(ImportItem {
            what: ImportedKind::Pack,
            source: found.shown.clone(),
            id: Some(pack.manifest.name.clone()),
            model: None,
            levels: pack.manifest.counts.tasks.keys().copied().collect(),
            outcome: if there { ImportOutcome::AlreadyThere } else { ImportOutcome::Added },
            reason: None,
            notes: imported.problems.iter().map(ToSentence::to_sentence).collect(),
        });
        Ok(())
    }

    /// The files of one folder: what belongs together lies together.
    fn group(&mut self, group: &[Candidate], cancel: &Cancel) -> Result<(), WireError> {
        let mut runs = run_import::FolderLogs::default();
        let mut reports = report_import::FolderReports::default();
        let mut groups = Vec::new();
        // What means nothing without a log or report beside it.
        let mut beside: Vec<(&Candidate, bool)> = Vec::new();
        for found in group {
            if cancel.is_cancelled() {
                return Ok(());
            }
            let content = match Content::read(&found.path) {
                Ok(content) => content,
                Err(why) => {
                    self.items.push(ImportItem::refused(ImportedKind::Unknown, &found.shown, why));
                    continue;
                }
            };
            let kind = kind::detect(&content, &found.path);
            let is_of_run = matches!(kind, Kind::Log(..) | Kind::Group(..) | Kind::Manifest | Kind::Journal);
            if self.taking == ImportScope::References && is_of_run {
                if found.named {
                    let why = say!("belongs to a run; a reference set is made of reports");
                    self.items.push(ImportItem::refused(ImportedKind::Run, &found.shown, why));
                } else {
                    self.left_alone += 1;
                }
                continue;
            }
            match kind {
                Kind::Manifest | Kind::Journal => beside.push((found, true)),
                Kind::View(_) | Kind::Markdown | Kind::Verdicts => beside.push((found, false)),
                _ => {}
            }
            match kind {
                Kind::Log(level, head) => {
                    runs.log((found.path.clone(), found.shown.clone()), content, level, head);
                }
                Kind::Group(group, head) => groups.push(GroupLog {
                    path: found.path.clone(),
                    shown: found.shown.clone(),
                    content,
                    group,
                    head,
                }),
                Kind::Manifest => runs.manifest = Some(content),
                Kind::Journal => runs.journal = Some(content),
                Kind::Report(report) => reports.report(found, content, *report),
                Kind::View(view) => reports.view = Some(view),
                Kind::Summary(summary) => reports.summary(found, content, *summary),
                Kind::Combined(rows) => reports.combined(found, content, rows),
                Kind::Markdown => reports.markdown = Some(content),
                Kind::Verdicts => reports.verdicts = Some(content),
                Kind::Faulty(what, why) => self.items.push(ImportItem::refused(what, &found.shown, why)),
                // A folder may hold anything; what the user named must be answered for.
                Kind::Other(why) if found.named => {
                    self.items.push(ImportItem::refused(ImportedKind::Unknown, &found.shown, why));
                }
                Kind::Other(_) => self.left_alone += 1,
            }
        }
        self.take_groups(groups, &mut runs)?;
        for (found, is_of_run) in beside {
            let has_its_own = if is_of_run { runs.is_there() } else { reports.is_one() };
            if has_its_own {
                continue;
            }
            if found.named {
                let why = say!(
                    "says nothing alone; import the level logs or the evaluation_report.json it is of with it"
                );
                self.items.push(ImportItem::refused(ImportedKind::Unknown, &found.shown, why));
            } else {
                self.left_alone += 1;
            }
        }
        self.take_runs(runs)?;
        self.take_reports(reports)
    }
}
