//! Imports a bundle: verifies the bundle, then unpacks its run and reports and imports them like
//! other files.
//!
//! The files are unpacked into a temporary folder, to paths that the bundle cannot choose. The only
//! name from the bundle is the id of the run, which must be a plain name. Verdicts stay with the
//! reports, because in the workspace's database they would look like answers that this program
//! requested.

use super::verify::Verified;
use koab_bundle::bundle::{JOURNAL, RUN, Recomputed, Subject, VerdictLine, is_place, level_log, report};
use koab_core::judge::Verdict;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::Cancel;
use koab_library::reports::computed::kept_of;
use koab_library::verdict_file;
use koab_report::Evaluated;
use koab_store::bundle_file::{BundleFile, LIMITS};
use koab_store::report_files::{CSV, JSON, KEPT, MARKDOWN, VERDICTS};
use koab_workspace::WireError;
use koab_workspace::paths::last_part;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Temporary folder with the run and the reports of a bundle, in the layout that an import reads.
/// The folder is deleted on drop.
#[derive(Debug)]
pub(crate) struct BundleFolder {
    folder: TempDir,
}

impl BundleFolder {
    /// Path of the temporary folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Verifies a bundle and unpacks its run and reports. `None` if the job was cancelled.
///
/// # Errors
/// When the bundle does not verify or cannot be unpacked. The error is the rest of a sentence whose
/// subject is the bundle.
pub(crate) fn take_out(path: &Path, cancel: &Cancel) -> Result<Option<BundleFolder>, Sentence> {
    let Ok(verified) = super::verify::verified(path, None, &|_, _| {}, cancel) else {
        return Ok(None);
    };
    let first = verified.verification.checks.iter().find(|check| check.is_error());
    if let Some(failed) = first {
        return Err(say!("is a bundle that does not verify: {failed}", failed = failed.located()));
    }
    let Some(subject) = &verified.verification.subject else {
        return Err(say!("is a bundle without a readable koab.json"));
    };
    unpack(path, subject, &verified).map(Some)
}

fn unpack(path: &Path, subject: &Subject, verified: &Verified) -> Result<BundleFolder, Sentence> {
    let Some((model, date)) = subject
        .run
        .split_once('/')
        .filter(|(model, date)| is_place(model).is_ok() && is_place(date).is_ok() && !date.contains('/'))
    else {
        return Err(say!("names its run `{}`, which is not a run's id", subject.run));
    };
    let folder = tempfile::Builder::new().prefix("koab-bundle-").tempdir();
    let folder = folder.map_err(|error| say!("cannot be unpacked: {error}"))?;
    let mut file = BundleFile::open(path, LIMITS).map_err(|refusal| refusal.why)?;
    let run = folder.path().join("by_model").join(model).join(date);
    let groups = subject.levels.keys().filter_map(|name| Level::group(name).ok());
    let mut places: Vec<(String, PathBuf)> = Level::ALL
        .into_iter()
        .chain(groups.filter(|level| level.place().is_none()))
        .map(|level| (level_log(&level), run.join(level.log_file())))
        .collect();
    for name in [RUN, JOURNAL] {
        places.push((name.to_owned(), run.join(last_part(Path::new(name)))));
    }
    for (scorer, ending) in [(Protocol::Leaderboard, ""), (Protocol::Corrected, ".corrected")] {
        let name = format!("{model}_{}{ending}", date.replace('_', "-"));
        let of_report = folder.path().join("reports").join(name);
        for name in [JSON, CSV, MARKDOWN] {
            places.push((report(scorer, name), of_report.join(name)));
        }
        // The published files of another benchmark's report lack its tables and verdicts, so these
        // are written from the recomputed report.
        if let Some(again) = verified.reports.get(&scorer).filter(|again| again.tables.is_some()) {
            let verdicts = verified.verdicts.get(&scorer).into_iter().flatten();
            let extras = report_extras(subject, again, verdicts).map_err(|error| error.message)?;
            for (name, text) in extras {
                write(&of_report.join(name), text.as_bytes())?;
            }
        }
    }
    for (name, to) in places {
        if file.stated(&name).is_some() {
            copy(&mut file, &name, &to)?;
        }
    }
    Ok(BundleFolder { folder })
}

/// Files that this program saves with a report of another benchmark: the stored view of the report
/// and its verdicts.
fn report_extras<'a>(
    subject: &Subject,
    again: &Recomputed,
    verdicts: impl Iterator<Item = &'a VerdictLine>,
) -> Result<Vec<(&'static str, String)>, WireError> {
    let evaluated =
        Evaluated { report: again.report.clone(), items: again.items.clone(), tables: again.tables.clone() };
    let mut files = vec![(KEPT, kept_of(&subject.run, &subject.pack.label, evaluated)?)];
    let verdicts = verdicts.map(|line| {
        let verdict = Verdict { judge: line.judge.clone(), metric: line.metric, answer: line.answer.clone() };
        (line.task.as_str(), verdict)
    });
    let text = verdict_file::text(verdicts)?;
    if !text.is_empty() {
        files.push((VERDICTS, text));
    }
    Ok(files)
}

fn write(to: &Path, content: &[u8]) -> Result<(), Sentence> {
    let refuse = |error: std::io::Error| say!("cannot be unpacked: {error}");
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(refuse)?;
    }
    fs::write(to, content).map_err(refuse)
}

fn copy(file: &mut BundleFile, name: &str, to: &Path) -> Result<(), Sentence> {
    let refuse = |error: std::io::Error| say!("cannot be unpacked: {error}");
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(refuse)?;
    }
    let mut output = File::create_new(to).map_err(refuse)?;
    let mut failed = None;
    let unpacked = file.each(name, |part| {
        if let Err(error) = output.write_all(part) {
            failed.get_or_insert(refuse(error));
        }
        Ok(())
    });
    unpacked.map_err(|refusal| refusal.why)?;
    failed.map_or(Ok(()), Err)
}
