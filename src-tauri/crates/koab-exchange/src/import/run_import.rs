//! Imports logs. They become runs in the published layout: `by_model/<model>/<date>/L1.json` and so
//! on.

use super::content::Content;
use super::intake::{EarlierImports, Intake};
use super::item::{ImportItem, ImportOutcome, ImportedKind};
use super::kind::LogHead;
use super::scan;
use koab_core::cache_key::sha256_hex;
use koab_core::level::Level;
use koab_core::say;
use koab_store::intake::{self, Origin, StagedFolder};
use koab_store::run_log::{JOURNAL, MANIFEST};
use koab_store::runs;
use koab_workspace::WireError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Maximum number of dates that are tried: the date of the log, then the seconds after it.
const NEXT_DATES: u32 = 60;

/// Logs of one folder.
#[derive(Default)]
pub(super) struct FolderLogs {
    logs: Vec<Log>,
    pub(super) manifest: Option<Content>,
    pub(super) journal: Option<Content>,
}

struct Log {
    path: PathBuf,
    shown: String,
    content: Content,
    level: Level,
    head: LogHead,
}

/// Logs of one run.
struct Run {
    model: String,
    /// Name of the model's folder.
    folder: String,
    /// Start of the run, `YYYYMMDD_HHMMSS`.
    date: String,
    shown: String,
    levels: BTreeMap<Level, Content>,
}

impl FolderLogs {
    /// Whether the folder has a log. A run's description without logs is not imported.
    pub(super) fn is_there(&self) -> bool {
        !self.logs.is_empty()
    }

    pub(super) fn log(
        &mut self,
        (path, shown): (PathBuf, String),
        content: Content,
        level: Level,
        head: LogHead,
    ) {
        self.logs.push(Log { path, shown, content, level, head });
    }
}

impl Intake<'_> {
    pub(super) fn take_runs(&mut self, gathered: FolderLogs) -> Result<(), WireError> {
        let runs = self.runs_of_logs(gathered.logs);
        // A description belongs to the run of its folder, so it is used only if the folder has one
        // run.
        let mut own = match runs.len() {
            1 => gathered.manifest.map(|manifest| (manifest, gathered.journal)),
            _ => None,
        };
        for run in runs {
            let item = match self.take_run(&run, own.take()) {
                Ok(item) => item,
                Err(error) => {
                    self.check_can_continue(&error)?;
                    ImportItem::refused(ImportedKind::Run, &run.shown, error.message)
                }
            };
            self.items.push(item);
        }
        Ok(())
    }

    /// Groups logs by the run that they belong to.
    fn runs_of_logs(&mut self, logs: Vec<Log>) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for log in logs {
            let place = PathFacts::from_log(&log);
            let (Some(model), Some(date)) = (log.head.model.clone().or(place.model), place.date) else {
                let why = say!(
                    "is a run log that names no model in `metadata.model` or no time in `metadata.timestamp`, \
                           and is in no folder <model>/<YYYYMMDD_HHMMSS>"
                );
                self.items.push(ImportItem::refused(ImportedKind::Run, &log.shown, why));
                continue;
            };
            let folder = match place.folder {
                Some(folder) if runs::is_of_model(&folder, &model) => folder,
                _ => runs::model_folder(&model),
            };
            let level = &log.level;
            // Logs of one folder without a date of their own form one run. It has the earliest of
            // their times.
            let fits = |run: &&mut Run| {
                run.folder == folder
                    && (run.date == date || !place.has_date)
                    && !run.levels.contains_key(level)
            };
            if let Some(run) = runs.iter_mut().find(fits) {
                if !place.has_date {
                    run.date = run.date.clone().min(date);
                }
                run.levels.insert(log.level, log.content);
                run.shown = together(&run.shown, &log.shown);
            } else {
                runs.push(Run {
                    model,
                    folder,
                    date,
                    shown: log.shown,
                    levels: BTreeMap::from([(log.level, log.content)]),
                });
            }
        }
        runs
    }

    fn take_run(
        &mut self,
        run: &Run,
        own: Option<(Content, Option<Content>)>,
    ) -> Result<ImportItem, WireError> {
        let mut item = ImportItem {
            what: ImportedKind::Run,
            source: run.shown.clone(),
            id: None,
            model: Some(run.model.clone()),
            levels: run.levels.keys().cloned().collect(),
            outcome: ImportOutcome::AlreadyThere,
            reason: None,
            notes: Vec::new(),
        };
        let hashes = || run.levels.values().map(|content| &content.sha256);
        if let Some(id) = EarlierImports::holding(&self.known.runs, hashes()) {
            item.id = Some(id);
            return Ok(item);
        }
        let mut date = run.date.clone();
        for _ in 0..NEXT_DATES {
            let id = format!("{}/{date}", run.folder);
            let target = runs::new_folder(&self.exchange.workspace.home().logs(), &run.folder, &date);
            let put = match TargetState::compare(&target, &run.levels) {
                TargetState::Nothing => self.put_run(run, &target, own.as_ref())?,
                TargetState::Same => {
                    item.id = Some(id);
                    return Ok(item);
                }
                TargetState::Fewer(missing) => {
                    self.add_levels(run, &target, &missing)?;
                    let names: Vec<&str> = missing.iter().map(|level| level.as_str()).collect();
                    item.notes.push(say!("{} was added to an existing run", names.join(", ")));
                    true
                }
                TargetState::Other => false,
            };
            if put {
                for hash in hashes() {
                    self.known.runs.entry(hash.clone()).or_default().push(id.clone());
                }
                if date != run.date {
                    item.notes.push(say!("another run of this model has the date {}", run.date));
                }
                item.id = Some(id);
                item.outcome = ImportOutcome::Added;
                return Ok(item);
            }
            date = next_second(&date);
        }
        Err(WireError::bad_request(say!(
            "{NEXT_DATES} other runs of this model begin at {} and after; delete some of them",
            run.date
        )))
    }

    fn put_run(
        &self,
        run: &Run,
        target: &Path,
        own: Option<&(Content, Option<Content>)>,
    ) -> Result<bool, WireError> {
        let staged = StagedFolder::begin(self.exchange.workspace.home().path())?;
        let mut files = BTreeMap::new();
        let mut put = |name: String, content: &Content| -> Result<(), WireError> {
            staged.put(&name, &content.bytes)?;
            files.insert(name, content.sha256.clone());
            Ok(())
        };
        for (level, content) in &run.levels {
            put(level.log_file(), content)?;
        }
        if let Some((manifest, journal)) = own {
            put(MANIFEST.to_owned(), manifest)?;
            if let Some(journal) = journal {
                put(JOURNAL.to_owned(), journal)?;
            }
        }
        Ok(staged.publish(target, &self.origin(&run.shown, files))?)
    }

    fn add_levels(&self, run: &Run, target: &Path, missing: &[Level]) -> Result<(), WireError> {
        let before = Origin::read(target).unwrap_or_default();
        let mut origin = Origin { files: before.files, ..self.origin(&run.shown, BTreeMap::new()) };
        for level in missing {
            let content = &run.levels[level];
            let name = level.log_file();
            intake::add(target, &name, &content.bytes)?;
            origin.files.insert(name, content.sha256.clone());
        }
        Ok(origin.write(target)?)
    }
}

/// State of the folder that an import would write a run to.
enum TargetState {
    Nothing,
    /// The folder has the same logs, and perhaps more.
    Same,
    /// The folder has the same run, but without these levels.
    Fewer(Vec<Level>),
    /// The folder has another run.
    Other,
}

impl TargetState {
    fn compare(target: &Path, levels: &BTreeMap<Level, Content>) -> Self {
        if !target.exists() {
            return Self::Nothing;
        }
        let mut missing = Vec::new();
        let mut shared = 0;
        for (level, content) in levels {
            match std::fs::read(target.join(level.log_file())) {
                Err(_) => missing.push(level.clone()),
                Ok(there) if sha256_hex(&there) == content.sha256 => shared += 1,
                Ok(_) => return Self::Other,
            }
        }
        match (missing.is_empty(), Origin::read(target)) {
            (true, _) => Self::Same,
            // A run that was made here has all its levels. Without a shared level nothing shows
            // that two runs are the same.
            (false, Some(_)) if !target.join(MANIFEST).exists() => Self::Fewer(missing),
            (false, None) if shared > 0 && !target.join(MANIFEST).exists() => Self::Fewer(missing),
            _ => Self::Other,
        }
    }
}

/// Facts about a run that the path of its log shows.
struct PathFacts {
    /// Name of the model's folder.
    folder: Option<String>,
    /// Name of the model, as far as the name of a folder shows it.
    model: Option<String>,
    date: Option<String>,
    /// Whether the date is from the path. Otherwise it is from the log's metadata.
    has_date: bool,
}

impl PathFacts {
    fn from_log(log: &Log) -> Self {
        let parent = log.path.parent().map(|parent| scan::last_parts(parent, 1));
        let above = log.path.parent().and_then(Path::parent).map(|above| scan::last_parts(above, 1));
        if let (Some(date), Some(folder)) = (parent.filter(|name| is_date(name)), above) {
            return Self {
                model: Some(folder.clone()),
                folder: Some(folder),
                date: Some(date),
                has_date: true,
            };
        }
        // The old layout: `L1_<model>_<YYYYMMDD_HHMM>.json`.
        let stem = log.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let file_date = stem.as_deref().and_then(date_in_name);
        let timestamp = log.head.timestamp.as_deref().and_then(date_of_timestamp);
        Self { folder: None, model: None, has_date: file_date.is_some(), date: file_date.or(timestamp) }
    }
}

/// Whether a text has the form `YYYYMMDD_HHMMSS`.
fn is_date(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('_')
        .is_some_and(|(day, time)| day.len() == 8 && time.len() == 6 && digits(day) && digits(time))
}

fn date_in_name(stem: &str) -> Option<String> {
    let parts: Vec<&str> = stem.split('_').collect();
    parts.windows(2).rev().find_map(|pair| {
        let date = format!("{}_{:0<6}", pair[0], pair[1]);
        is_date(&date).then_some(date)
    })
}

/// Converts `2025-12-19T11:34:11.355371` to `20251219_113411`.
fn date_of_timestamp(timestamp: &str) -> Option<String> {
    let digits: String = timestamp.chars().take(19).filter(char::is_ascii_digit).collect();
    let date = format!("{}_{}", digits.get(..8)?, digits.get(8..14)?);
    is_date(&date).then_some(date)
}

/// Returns the date one second later. If the digits are not a valid date, returns the next number.
fn next_second(date: &str) -> String {
    const FORMAT: &str = "%Y%m%d_%H%M%S";
    if let Ok(time) = jiff::civil::DateTime::strptime(FORMAT, date) {
        let next = time.saturating_add(jiff::SignedDuration::from_secs(1));
        return next.strftime(FORMAT).to_string();
    }
    let number: u64 = date.replace('_', "").parse().unwrap_or(0);
    let digits = format!("{:014}", number + 1);
    format!("{}_{}", &digits[..8], &digits[8..])
}

/// Returns the folder of two files if they are in the same folder, otherwise both names.
fn together(one: &str, other: &str) -> String {
    match (one.rsplit_once('/'), other.rsplit_once('/')) {
        (Some((folder, _)), Some((same, _))) if folder == same => folder.to_owned(),
        _ if other.rsplit_once('/').is_some_and(|(folder, _)| folder == one) => one.to_owned(),
        _ => format!("{one}, {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::next_second;

    #[test]
    fn the_next_second_is_a_date_at_the_end_of_a_minute_an_hour_and_a_year_too() {
        for (date, next) in [
            ("20251219_113411", "20251219_113412"),
            ("20251219_113459", "20251219_113500"),
            ("20251219_115959", "20251219_120000"),
            ("20251231_235959", "20260101_000000"),
            ("20251399_000000", "20251399_000001"),
        ] {
            assert_eq!(next_second(date), next, "{date}");
        }
    }
}
