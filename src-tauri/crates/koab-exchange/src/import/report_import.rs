//! Imports reports. Each report becomes a folder of the library that contains the original files.

use super::content::Content;
use super::intake::{EarlierImports, ImportScope, Intake};
use super::item::{ImportItem, ImportOutcome, ImportedKind};
use super::report_file::{ReadFile, Table};
use super::report_numbers::ReportNumbers;
use super::scan;
use super::scan::Candidate;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_library::references::{is_reference, mark};
use koab_report::{CombinedRow, NoReport, ReadReport};
use koab_store::intake::{self, Origin, StagedFolder};
use koab_store::report_files::{self, COMBINED, CSV, JSON, KEPT, MARKDOWN, VERDICTS};
use koab_store::runs;
use koab_workspace::WireError;
use serde_json::Value;
use std::collections::BTreeMap;

/// Maximum number of names that are tried: the plain name, then the name with a number.
const NEXT_NAMES: u32 = 99;

/// All files of reports in one folder.
#[derive(Default)]
pub(super) struct FolderReports {
    reports: Vec<ReadFile>,
    summaries: Vec<ReadFile>,
    combined: Vec<Table>,
    pub(super) view: Option<Value>,
    pub(super) markdown: Option<Content>,
    pub(super) verdicts: Option<Content>,
}

/// A report that is to be added to the library.
struct Entry<'a> {
    what: ImportedKind,
    shown: &'a str,
    /// Preferred name of the report's folder in the library.
    name: String,
    model: String,
    /// Whether none of the report's files names the model.
    names_no_model: bool,
    read: &'a ReadReport,
    /// Files of the report. The hash of the first file identifies the report.
    files: Vec<(&'static str, &'a [u8])>,
    view: Option<&'a Value>,
    notes: Vec<Sentence>,
}

impl FolderReports {
    /// Whether the folder has exactly one report. Texts in the folder then belong to this report.
    pub(super) fn is_one(&self) -> bool {
        self.reports.len() == 1
    }

    pub(super) fn report(&mut self, found: &Candidate, content: Content, read: ReadReport) {
        self.reports.push(ReadFile::new(found, content, read));
    }

    pub(super) fn summary(&mut self, found: &Candidate, content: Content, read: ReadReport) {
        self.summaries.push(ReadFile::new(found, content, read));
    }

    pub(super) fn combined(
        &mut self,
        found: &Candidate,
        content: Content,
        rows: Vec<Result<CombinedRow, NoReport>>,
    ) {
        self.combined.push((found.shown.clone(), content, rows));
    }
}

impl Intake<'_> {
    pub(super) fn take_reports(&mut self, gathered: FolderReports) -> Result<(), WireError> {
        let FolderReports { reports, mut summaries, combined, view, markdown, verdicts } = gathered;
        let alone = reports.len() == 1;
        let facts_of = |one: &ReadFile| {
            ReportNumbers::from_report(&one.read.report, one.read.model().unwrap_or_default())
        };
        for one in &reports {
            let own =
                summaries.iter().position(|summary| facts_of(summary).is_in_folder_with(&facts_of(one)));
            let summary = own.map(|at| summaries.remove(at));
            let mut files = vec![(JSON, one.content.bytes.as_slice())];
            files.extend(summary.as_ref().map(|summary| (CSV, summary.content.bytes.as_slice())));
            // The Markdown text names its model. In a folder with several reports it could belong
            // to any.
            if let (true, Some(markdown), Some(model)) = (alone, &markdown, one.read.model())
                && String::from_utf8_lossy(&markdown.bytes).contains(model)
            {
                files.push((MARKDOWN, &markdown.bytes));
            }
            // Reports of Ko-AgentBench contain their verdicts themselves.
            if let (true, Some(verdicts)) = (alone && one.read.report.is_of_another_benchmark(), &verdicts) {
                files.push((VERDICTS, &verdicts.bytes));
            }
            let own_model = one.read.model().map(str::to_owned);
            let (folder_model, folder) = named_folder(&one.path);
            let model = own_model.clone().or(folder_model).unwrap_or_else(|| stem(&one.path));
            let name = match folder {
                Some(folder) if of_model(&folder, &model) => folder,
                _ => format!(
                    "{}_{}",
                    runs::model_folder(&model),
                    runs::model_folder(one.read.execution_date().unwrap_or("undated"))
                ),
            };
            self.take(Entry {
                what: ImportedKind::Report,
                shown: &one.shown,
                name,
                model,
                names_no_model: own_model.is_none(),
                read: &one.read,
                files,
                // A reference has no view, since it was not made here, even if someone made it with
                // this program.
                view: view.as_ref().filter(|_| alone && self.taking == ImportScope::Everything),
                notes: Vec::new(),
            })?;
        }
        self.summaries.extend(summaries);
        self.rows.extend(combined);
        Ok(())
    }

    /// Imports the summaries and rows that belong to no report of this import. Must be called after
    /// all files are read.
    pub(super) fn take_unmatched(&mut self) -> Result<(), WireError> {
        let (summaries, tables) = (std::mem::take(&mut self.summaries), std::mem::take(&mut self.rows));
        for one in &summaries {
            let (folder_model, folder) = named_folder(&one.path);
            let note = match &folder_model {
                Some(_) => say!("the summary does not name its model; the name of the folder is used"),
                None => say!("the summary does not name its model; the name of the file is used"),
            };
            let model = folder_model.unwrap_or_else(|| stem(&one.path));
            let name = folder.unwrap_or_else(|| format!("{}_undated", runs::model_folder(&model)));
            self.take(Entry {
                what: ImportedKind::Summary,
                shown: &one.shown,
                name,
                model,
                names_no_model: true,
                read: &one.read,
                files: vec![(CSV, &one.content.bytes)],
                view: None,
                notes: vec![note.to_owned()],
            })?;
        }
        let is_report = |item: &ImportItem| {
            matches!(item.what, ImportedKind::Report | ImportedKind::Summary)
                && item.outcome != ImportOutcome::Refused
        };
        // The reports of a reference set are complete, so its combined tables are skipped.
        if self.taking == ImportScope::References && self.items.iter().any(is_report) {
            self.left_alone += tables.len() as u32;
            return Ok(());
        }
        for (shown, content, rows) in &tables {
            self.take_rows(shown, content, rows)?;
        }
        Ok(())
    }

    fn take_rows(
        &mut self,
        shown: &str,
        content: &Content,
        rows: &[Result<CombinedRow, NoReport>],
    ) -> Result<(), WireError> {
        for row in rows {
            let row = match row {
                Ok(row) => row,
                Err(error) => {
                    let item = ImportItem::refused(ImportedKind::CombinedRow, shown, error.to_sentence());
                    self.items.push(item);
                    continue;
                }
            };
            let lines: Vec<&[u8]> = content.bytes.split_inclusive(|byte| *byte == b'\n').collect();
            let at = usize::try_from(row.line).unwrap_or(0).saturating_sub(1);
            let (Some(header), Some(line)) = (lines.first(), lines.get(at)) else {
                continue;
            };
            let text = [*header, *line].concat();
            let model = row.read.report.model.clone();
            let hash = sha256_hex(&text);
            self.take(Entry {
                what: ImportedKind::CombinedRow,
                shown: &format!("{shown}:{}", row.line),
                name: format!("{}_combined-{}", runs::model_folder(&model), &hash[..8]),
                model,
                names_no_model: false,
                read: &row.read,
                files: vec![(COMBINED, &text)],
                view: None,
                notes: Vec::new(),
            })?;
        }
        Ok(())
    }

    fn take(&mut self, entry: Entry<'_>) -> Result<(), WireError> {
        let mut item = ImportItem {
            what: entry.what,
            source: entry.shown.to_owned(),
            id: None,
            model: Some(entry.model.clone()),
            levels: entry.read.report.levels.iter().map(|level| level.level.clone()).collect(),
            outcome: ImportOutcome::AlreadyThere,
            reason: None,
            notes: [entry.notes.clone(), entry.read.left_out.clone()].concat(),
        };
        let numbers = ReportNumbers::from_report(&entry.read.report, &entry.model);
        let hash = sha256_hex(entry.files[0].1);
        if entry.what != ImportedKind::Report
            && self.taking == ImportScope::Everything
            && !self.known.reports.contains_key(&hash)
            && let Some((id, others)) = self.report_with(&numbers)?
        {
            item.notes = vec![say!("has the same content as the report {id}")];
            let beyond = numbers.beyond(&others);
            if !beyond.is_empty() {
                let note =
                    say!("has more means than that report, which were left out: {}", beyond.join(", "));
                item.notes.push(note);
            }
            item.id = Some(id);
            self.items.push(item);
            return Ok(());
        }
        match self.put(&entry) {
            Ok((id, added)) => {
                self.numbers.push((id.clone(), numbers));
                let folder = self.exchange.workspace.home().reports().join(&id);
                item.id = Some(id);
                if added {
                    item.outcome = ImportOutcome::Added;
                } else if self.taking == ImportScope::References {
                    if mark(&folder)? {
                        let note = say!("was there before and belongs to the reference set now");
                        item.notes.push(note.to_owned());
                    } else if !is_reference(&folder) {
                        let note = say!("was made here and stays outside the reference set");
                        item.notes.push(note.to_owned());
                    }
                }
            }
            Err(error) => {
                self.check_can_continue(&error)?;
                item = ImportItem::refused(entry.what, entry.shown, error.message);
            }
        }
        self.items.push(item);
        Ok(())
    }

    /// Returns the report that already has these numbers: a report of this import, or a report of
    /// the library for the same model.
    fn report_with(&mut self, numbers: &ReportNumbers) -> Result<Option<(String, ReportNumbers)>, WireError> {
        if self.library.is_none() {
            let mut library = Vec::new();
            for folder in report_files::list(&self.exchange.workspace.home().reports())? {
                // A report that cannot be read has no numbers.
                if let Ok(loaded) = self.exchange.runs.library.load_report(&folder) {
                    library
                        .push((folder.id, ReportNumbers::from_report(&loaded.report, &loaded.report.model)));
                }
            }
            self.library = Some(library);
        }
        let candidates = self.numbers.iter().chain(self.library.iter().flatten());
        let same =
            candidates.filter(|(_, other)| numbers.is_of(other)).max_by_key(|(_, other)| other.mean_count());
        Ok(same.cloned())
    }

    /// Adds a report to the library. Returns the report's id, and whether anything was added.
    fn put(&mut self, entry: &Entry<'_>) -> Result<(String, bool), WireError> {
        let hashes: BTreeMap<String, String> =
            entry.files.iter().map(|(name, bytes)| ((*name).to_owned(), sha256_hex(bytes))).collect();
        let first = entry.files[0];
        let hash = &hashes[first.0];
        let reports = self.exchange.workspace.home().reports();
        if let Some(id) = EarlierImports::holding(&self.known.reports, std::iter::once(hash)) {
            let joined = join(&reports.join(&id), &entry.files[1..], &hashes)?;
            return Ok((id, joined));
        }
        for number in 1..=NEXT_NAMES {
            let id = match number {
                1 => entry.name.clone(),
                number => format!("{}-{number}", entry.name),
            };
            let target = reports.join(&id);
            if target.exists() {
                // A report that was made here has no origin file.
                let there = std::fs::read(target.join(first.0));
                if there.is_ok_and(|there| sha256_hex(&there) == *hash) {
                    return Ok((id, false));
                }
                continue;
            }
            let staged = StagedFolder::begin(self.exchange.workspace.home().path())?;
            for (name, bytes) in &entry.files {
                staged.put(name, bytes)?;
            }
            if let Some(view) = entry.view {
                staged.put(KEPT, view.to_string().as_bytes())?;
            }
            let mut origin = self.origin(entry.shown, hashes.clone());
            origin.model = entry.names_no_model.then(|| entry.model.clone());
            if staged.publish(&target, &origin)? {
                self.known.reports.entry(hash.clone()).or_default().push(id.clone());
                return Ok((id, true));
            }
        }
        Err(WireError::bad_request(say!(
            "{NEXT_NAMES} other reports are named {}; delete some of them",
            entry.name
        )))
    }
}

/// Adds files that an imported report lacks, such as its summary. Returns whether any file was
/// added.
fn join(
    folder: &std::path::Path,
    files: &[(&'static str, &[u8])],
    hashes: &BTreeMap<String, String>,
) -> Result<bool, WireError> {
    let Some(mut origin) = Origin::read(folder) else {
        return Ok(false);
    };
    let mut joined = false;
    for (name, bytes) in files {
        if !folder.join(name).exists() {
            intake::add(folder, name, bytes)?;
            origin.files.insert((*name).to_owned(), hashes[*name].clone());
            joined = true;
        }
    }
    if joined {
        origin.write(folder)?;
    }
    Ok(joined)
}

/// Model and name of a file's folder, if the folder has the form of a report's name:
/// `<model>_<YYYYMMDD>…`.
fn named_folder(path: &std::path::Path) -> (Option<String>, Option<String>) {
    let Some(name) = path.parent().map(|parent| scan::last_parts(parent, 1)) else {
        return (None, None);
    };
    let split = name.rsplit_once('_').filter(|(model, date)| {
        !model.is_empty() && date.len() >= 8 && date.bytes().take(8).all(|byte| byte.is_ascii_digit())
    });
    match split {
        Some((model, _)) => (Some(model.to_owned()), Some(name.clone())),
        None => (None, None),
    }
}

fn of_model(folder: &str, model: &str) -> bool {
    folder.rsplit_once('_').is_some_and(|(name, _)| runs::is_of_model(name, model))
}

fn stem(path: &std::path::Path) -> String {
    path.file_stem().map_or_else(|| "report".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
