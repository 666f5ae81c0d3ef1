//! Imports files that were made elsewhere: run logs, reports, summaries and packs. They may be
//! single files or in folders or archives.
//!
//! The kind of a file is detected from its content (`kind.rs`). The result lists every file with
//! its place and outcome. A bad file does not stop the import of the others. Each run or report is
//! imported completely or not at all, and a repeated import adds nothing. Files are copied byte for
//! byte, except that a byte order mark is removed because no reader of logs accepts one.

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

/// Maximum number of import results that are kept in memory, the newest ones.
const MAX_RESULTS: usize = 10;

impl Exchange {
    /// Imports files, folders and archives as a job.
    ///
    /// # Errors
    /// When `paths` is empty, or a file cannot be written. Faults of single files are part of the
    /// result.
    pub async fn import_files(&self, paths: Vec<PathBuf>) -> Result<ImportResult, WireError> {
        self.import_in_view(paths, ImportScope::Everything).await
    }

    /// Imports published reports as the reference set, as a job. The user compares other reports
    /// with this set. `paths` are a checkout of the published repository, an archive of it, or the
    /// folder of reports.
    ///
    /// # Errors
    /// Every error of [`Exchange::import_files`].
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
            let result = api.import_as(taking, underway.id(), &paths, &progress, &cancel);
            underway.finish(result)
        })
        .await
        .map_err(WireError::internal)?
    }

    /// Returns the result of an import of this process, by the id of its job. `None` if the result
    /// is not in memory.
    ///
    /// # Errors
    /// Never, but all commands of the API return a `Result`.
    pub fn import_result(&self, id: &str) -> Result<Option<ImportResult>, WireError> {
        let results = self.imports();
        Ok(results.iter().find(|result| result.id == id).cloned())
    }

    /// Imports files, folders and archives. `progress` gets the number of files that are done and
    /// the total.
    ///
    /// # Errors
    /// Every error of [`Exchange::import_files`].
    pub fn import(
        &self,
        id: &str,
        paths: &[PathBuf],
        progress: &dyn Fn(u64, u64),
        cancel: &Cancel,
    ) -> Result<ImportResult, WireError> {
        self.import_as(ImportScope::Everything, id, paths, progress, cancel)
    }

    /// Imports like [`Exchange::import`], restricted to a scope.
    ///
    /// # Errors
    /// Every error of [`Exchange::import_files`].
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
        let start = Instant::now();
        self.workspace.home().create()?;
        koab_store::intake::sweep(self.workspace.home().path());
        let scan = Scan::walk(paths, cancel);
        // The number of a pack's cached responses is known only after it is read, and they are most
        // of the work.
        let total = Cell::new(scan.files() + scan.packs.len() as u64);
        let mut intake = Intake {
            exchange: self,
            known: EarlierImports::read(self.workspace.home()),
            items: scan.refused,
            taking,
            summaries: Vec::new(),
            rows: Vec::new(),
            numbers: Vec::new(),
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
                let (files_done, others) = (intake.done, total.get());
                let read = Cell::new(0);
                let within = |done: u64, all: u64| {
                    read.set(all);
                    progress(files_done + done, others + all);
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
        intake.take_unmatched()?;
        let result = ImportResult {
            id: id.to_owned(),
            items: intake.items,
            left_alone: intake.left_alone,
            cancelled,
            seconds: start.elapsed().as_secs_f64(),
        };
        let mut results = self.imports();
        results.push(result.clone());
        let over = results.len().saturating_sub(MAX_RESULTS);
        results.drain(..over);
        Ok(result)
    }

    fn imports(&self) -> std::sync::MutexGuard<'_, Vec<ImportResult>> {
        let results = self.imports.lock();
        results.unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Intake<'_> {
    fn pack(&mut self, pack_folder: &scan::PackFolder, watch: Watch<'_>) -> Result<(), WireError> {
        let store = self.exchange.workspace.store()?;
        let before = store.packs()?;
        let shown_path = PathBuf::from(&pack_folder.shown);
        let imported = match store.import_folder(&pack_folder.folder, &shown_path, Vec::new(), watch) {
            Ok(imported) => imported,
            Err(koab_store::Error::Cancelled) => return Ok(()),
            Err(error) => {
                let error = WireError::from(error);
                self.check_can_continue(&error)?;
                let item = ImportItem::refused(ImportedKind::Pack, &pack_folder.shown, error.message);
                self.items.push(item);
                return Ok(());
            }
        };
        let pack = imported.pack;
        let same = |old: &koab_store::PackInfo| old.manifest == pack.manifest && old.records == pack.records;
        let there = before.iter().any(same);
        self.items.push(ImportItem {
            what: ImportedKind::Pack,
            source: pack_folder.shown.clone(),
            id: Some(pack.manifest.name.clone()),
            model: None,
            levels: pack.manifest.counts.tasks.keys().cloned().collect(),
            outcome: if there { ImportOutcome::AlreadyThere } else { ImportOutcome::Added },
            reason: None,
            notes: imported.problems.iter().map(ToSentence::to_sentence).collect(),
        });
        Ok(())
    }

    /// Imports the files of one folder together, because files of one run or report are in one
    /// folder.
    fn group(&mut self, group: &[Candidate], cancel: &Cancel) -> Result<(), WireError> {
        let mut runs = run_import::FolderLogs::default();
        let mut reports = report_import::FolderReports::default();
        let mut groups = Vec::new();
        // Files that are useless without a log or report in their folder, with whether they belong
        // to a run.
        let mut companions: Vec<(&Candidate, bool)> = Vec::new();
        for candidate in group {
            if cancel.is_cancelled() {
                return Ok(());
            }
            let content = match Content::read(&candidate.path) {
                Ok(content) => content,
                Err(why) => {
                    self.items.push(ImportItem::refused(ImportedKind::Unknown, &candidate.shown, why));
                    continue;
                }
            };
            let kind = kind::detect(&content, &candidate.path);
            let is_of_run = matches!(kind, Kind::Log(..) | Kind::Group(..) | Kind::Manifest | Kind::Journal);
            if self.taking == ImportScope::References && is_of_run {
                if candidate.named {
                    let why = say!("belongs to a run; a reference set is made of reports");
                    self.items.push(ImportItem::refused(ImportedKind::Run, &candidate.shown, why));
                } else {
                    self.left_alone += 1;
                }
                continue;
            }
            match kind {
                Kind::Manifest | Kind::Journal => companions.push((candidate, true)),
                Kind::View(_) | Kind::Markdown | Kind::Verdicts => companions.push((candidate, false)),
                _ => {}
            }
            match kind {
                Kind::Log(level, head) => {
                    runs.log((candidate.path.clone(), candidate.shown.clone()), content, level, head);
                }
                Kind::Group(group, head) => groups.push(GroupLog {
                    path: candidate.path.clone(),
                    shown: candidate.shown.clone(),
                    content,
                    group,
                    head,
                }),
                Kind::Manifest => runs.manifest = Some(content),
                Kind::Journal => runs.journal = Some(content),
                Kind::Report(report) => reports.report(candidate, content, *report),
                Kind::View(view) => reports.view = Some(view),
                Kind::Summary(summary) => reports.summary(candidate, content, *summary),
                Kind::Combined(rows) => reports.combined(candidate, content, rows),
                Kind::Markdown => reports.markdown = Some(content),
                Kind::Verdicts => reports.verdicts = Some(content),
                Kind::Faulty(what, why) => self.items.push(ImportItem::refused(what, &candidate.shown, why)),
                // A folder may contain any file, but a file that the user named needs an answer.
                Kind::Other(why) if candidate.named => {
                    self.items.push(ImportItem::refused(ImportedKind::Unknown, &candidate.shown, why));
                }
                Kind::Other(_) => self.left_alone += 1,
            }
        }
        self.take_groups(groups, &mut runs)?;
        for (candidate, is_of_run) in companions {
            let has_its_own = if is_of_run { runs.is_there() } else { reports.is_one() };
            if has_its_own {
                continue;
            }
            if candidate.named {
                let why = say!(
                    "cannot be imported alone; import it together with its level logs or its evaluation_report.json"
                );
                self.items.push(ImportItem::refused(ImportedKind::Unknown, &candidate.shown, why));
            } else {
                self.left_alone += 1;
            }
        }
        self.take_runs(runs)?;
        self.take_reports(reports)
    }
}
