//! Takes in files that were made elsewhere: run logs, reports, summaries, packs; single, in folders, in archives.
//!
//! What a file is, is found by what it holds (`kind.rs`). What came in and what did not is listed, each with where it
//! was found. One bad file keeps nothing else out; nothing is half imported; importing twice adds nothing. A file's
//! content is written as it came, never made again, but for a byte order mark, which no reader of logs knows.

mod kind;
mod report_import;
mod run_import;
mod same;
mod scan;
#[cfg(test)]
mod tests;

use crate::Exchange;
use kind::Kind;
use koab_core::cache_key::sha256_hex;
use koab_core::level::Level;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::ports::{Cancel, Clock as _};
use koab_store::import::Watch;
use koab_store::intake::{self, Origin};
use koab_workspace::clock::SystemClock;
use koab_workspace::jobs::JobKind;
use koab_workspace::{ErrorCode, WireError};
use same::ReportNumbers;
pub(crate) use scan::last_part;
use scan::{Candidate, Scan};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;
use ts_rs::TS;

/// Results of imports that are still told, the newest.
const KEPT: usize = 10;

/// What something turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ImportedKind {
    /// Logs of a run, one a level.
    Run,
    /// An `evaluation_report.json`.
    Report,
    /// An `evaluation_summary.csv` without its report.
    Summary,
    /// A row of a combined summary.
    CombinedRow,
    /// A pack: tasks, tools, recorded responses.
    Pack,
    /// Nothing that is known here.
    Unknown,
}

/// The outcome of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ImportOutcome {
    /// It is in the workspace now.
    Added,
    /// It was there before.
    AlreadyThere,
    /// It was not taken in.
    Refused,
}

/// One run, report, pack or file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportItem {
    /// What it is.
    pub what: ImportedKind,
    /// Where it was found: below what the user named, archives included.
    pub source: String,
    /// Id in the workspace, of what is there now.
    pub id: Option<String>,
    /// The model, where it has one.
    pub model: Option<String>,
    /// Its levels.
    pub levels: Vec<Level>,
    /// The outcome of it.
    pub outcome: ImportOutcome,
    /// Why it was refused.
    pub reason: Option<Sentence>,
    /// What else to know, a sentence each.
    pub notes: Vec<Sentence>,
}

/// What an import brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportResult {
    /// Id, that of its job.
    pub id: String,
    /// Everything, in the order of the files.
    pub items: Vec<ImportItem>,
    /// Files in folders and archives that no import is about, such as pictures.
    pub left_alone: u32,
    /// Whether it was stopped; what is in the list stays.
    pub cancelled: bool,
    /// How long it took.
    pub seconds: f64,
}

impl ImportItem {
    fn refused(what: ImportedKind, source: &str, reason: impl Into<Sentence>) -> Self {
        Self {
            what,
            source: source.to_owned(),
            id: None,
            model: None,
            levels: Vec::new(),
            outcome: ImportOutcome::Refused,
            reason: Some(reason.into()),
            notes: Vec::new(),
        }
    }
}

impl Exchange {
    /// Takes in files, folders and archives, as a job.
    ///
    /// # Errors
    /// When nothing was named, or the disk refuses. What is wrong with a file is in the answer.
    pub async fn import_files(&self, paths: Vec<PathBuf>) -> Result<ImportResult, WireError> {
        self.import_in_view(paths, Taking::Everything).await
    }

    /// Takes in reports as the reference set, as a job: published ones, from a checkout, an archive or their folder.
    ///
    /// # Errors
    /// As [`Exchange::import_files`].
    pub async fn import_references(&self, paths: Vec<PathBuf>) -> Result<ImportResult, WireError> {
        self.import_in_view(paths, Taking::References).await
    }

    async fn import_in_view(&self, paths: Vec<PathBuf>, taking: Taking) -> Result<ImportResult, WireError> {
        let cancel = Cancel::new();
        let api = self.clone();
        let about = paths.iter().take(1).map(|path| last_part(path));
        let more = (paths.len() > 1).then(|| (paths.len() - 1).to_string());
        let underway = self
            .workspace
            .begin_job(JobKind::Import, about.chain(more).collect(), Some(&cancel));
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
        self.import_as(Taking::Everything, id, paths, progress, cancel)
    }

    /// As [`Exchange::import`], of what is wanted.
    ///
    /// # Errors
    /// As [`Exchange::import_files`].
    pub fn import_as(
        &self,
        taking: Taking,
        id: &str,
        paths: &[PathBuf],
        progress: &dyn Fn(u64, u64),
        cancel: &Cancel,
    ) -> Result<ImportResult, WireError> {
        if paths.is_empty() {
            return Err(WireError::bad_request(say!(
                "name at least one file or folder to import"
            )));
        }
        let begun = Instant::now();
        self.workspace.home().create()?;
        intake::sweep(self.workspace.home().path());
        let scan = Scan::of(paths, cancel);
        let total = scan.files() + scan.packs.len() as u64;
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
            if taking == Taking::Everything {
                intake.pack(pack, cancel)?;
            }
            progress(intake.count(1), total);
        }
        for group in &scan.groups {
            if cancel.is_cancelled() {
                break;
            }
            intake.group(group, cancel)?;
            progress(intake.count(group.len() as u64), total);
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

/// What of the files is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// Everything that is known here.
    Everything,
    /// Reports alone, as the reference set: of a whole checkout neither tasks nor logs.
    References,
}

/// A file's content, read once.
struct Content {
    /// As it shall be written.
    bytes: Vec<u8>,
    sha256: String,
}

impl Content {
    fn read(path: &Path) -> Result<Self, Sentence> {
        let mut bytes = std::fs::read(path).map_err(|error| say!("cannot be read: {error}"))?;
        if bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        let sha256 = sha256_hex(&bytes);
        Ok(Self { bytes, sha256 })
    }
}

/// What was imported before, by the hash of its files.
struct EarlierImports {
    runs: HashMap<String, Vec<String>>,
    reports: HashMap<String, Vec<String>>,
}

impl EarlierImports {
    fn read(home: &koab_workspace::Home) -> Self {
        let by_hash = |found: Vec<(PathBuf, Origin)>, parts: usize| {
            let mut ids: HashMap<String, Vec<String>> = HashMap::new();
            for (folder, origin) in found {
                let id = scan::last_parts(&folder, parts);
                for hash in origin.files.into_values() {
                    ids.entry(hash).or_default().push(id.clone());
                }
            }
            ids
        };
        let by_model = home.logs().join(koab_store::runs::BY_MODEL);
        Self {
            runs: by_hash(intake::origins(&by_model, 2), 2),
            reports: by_hash(intake::origins(&home.reports(), 1), 1),
        }
    }

    /// The one that holds all of these.
    fn holding<'a>(
        of: &HashMap<String, Vec<String>>,
        mut hashes: impl Iterator<Item = &'a String>,
    ) -> Option<String> {
        let mut ids = of.get(hashes.next()?)?.clone();
        for hash in hashes {
            let others = of.get(hash)?;
            ids.retain(|id| others.contains(id));
        }
        ids.into_iter().next()
    }
}

/// An import under way.
struct Intake<'a> {
    exchange: &'a Exchange,
    known: EarlierImports,
    items: Vec<ImportItem>,
    taking: Taking,
    /// Summaries without a report beside them, and combined tables: a report that is found later may say what they say.
    summaries: Vec<report_import::One>,
    rows: Vec<report_import::Table>,
    /// What the reports of this import say.
    told: Vec<(String, ReportNumbers)>,
    /// What those of the library say, once it was asked for.
    library: Option<Vec<(String, ReportNumbers)>>,
    done: u64,
    left_alone: u32,
}

impl Intake<'_> {
    fn count(&mut self, files: u64) -> u64 {
        self.done += files;
        self.done
    }

    fn origin(&self, source: &str, files: BTreeMap<String, String>) -> Origin {
        Origin {
            format: 1,
            source: source.to_owned(),
            at: SystemClock.local_iso(),
            files,
            model: None,
            reference: self.taking == Taking::References,
        }
    }

    fn pack(&mut self, found: &scan::PackFolder, cancel: &Cancel) -> Result<(), WireError> {
        let store = self.exchange.workspace.store()?;
        let before = store.packs()?;
        let shown = PathBuf::from(&found.shown);
        let watch = Watch {
            cancel,
            progress: &|_, _| {},
        };
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
            outcome: if there {
                ImportOutcome::AlreadyThere
            } else {
                ImportOutcome::Added
            },
            reason: None,
            notes: imported.problems.iter().map(ToSentence::to_sentence).collect(),
        });
        Ok(())
    }

    /// The files of one folder: what belongs together lies together.
    fn group(&mut self, group: &[Candidate], cancel: &Cancel) -> Result<(), WireError> {
        let mut runs = run_import::Gathered::default();
        let mut reports = report_import::Gathered::default();
        // What means nothing without a log or report beside it.
        let mut beside: Vec<(&Candidate, bool)> = Vec::new();
        for found in group {
            if cancel.is_cancelled() {
                return Ok(());
            }
            let content = match Content::read(&found.path) {
                Ok(content) => content,
                Err(why) => {
                    self.items
                        .push(ImportItem::refused(ImportedKind::Unknown, &found.shown, why));
                    continue;
                }
            };
            let kind = kind::of(&content, &found.path);
            let is_of_run = matches!(kind, Kind::Log(_) | Kind::Manifest | Kind::Journal);
            if self.taking == Taking::References && is_of_run {
                if found.named {
                    let why = say!("belongs to a run; a reference set is made of reports");
                    self.items
                        .push(ImportItem::refused(ImportedKind::Run, &found.shown, why));
                } else {
                    self.left_alone += 1;
                }
                continue;
            }
            match kind {
                Kind::Manifest | Kind::Journal => beside.push((found, true)),
                Kind::View(_) | Kind::Markdown => beside.push((found, false)),
                _ => {}
            }
            match kind {
                Kind::Log(log) => runs.log(found, content, log),
                Kind::Manifest => runs.manifest = Some(content),
                Kind::Journal => runs.journal = Some(content),
                Kind::Report(report) => reports.report(found, content, *report),
                Kind::View(view) => reports.view = Some(view),
                Kind::Summary(summary) => reports.summary(found, content, *summary),
                Kind::Combined(rows) => reports.combined(found, content, rows),
                Kind::Markdown => reports.markdown = Some(content),
                Kind::Faulty(what, why) => self.items.push(ImportItem::refused(what, &found.shown, why)),
                // A folder may hold anything; what the user named must be answered for.
                Kind::Other(why) if found.named => {
                    self.items
                        .push(ImportItem::refused(ImportedKind::Unknown, &found.shown, why));
                }
                Kind::Other(_) => self.left_alone += 1,
            }
        }
        for (found, is_of_run) in beside {
            let has_its_own = if is_of_run {
                runs.is_there()
            } else {
                reports.is_one()
            };
            if has_its_own {
                continue;
            }
            if found.named {
                let why = say!(
                    "says nothing alone; import the level logs or the evaluation_report.json it is of with it"
                );
                self.items
                    .push(ImportItem::refused(ImportedKind::Unknown, &found.shown, why));
            } else {
                self.left_alone += 1;
            }
        }
        self.take_runs(runs)?;
        self.take_reports(reports)
    }

    /// A disk that refuses ends the import; anything else is that file's matter.
    fn may_go_on(&self, error: &WireError) -> Result<(), WireError> {
        match error.code {
            ErrorCode::Storage => Err(WireError::storage(say!(
                "{}; what was imported before stays, import again for the rest",
                error.message
            ))),
            _ => Ok(()),
        }
    }
}
