//! Taking a bundle in: verified first, then its run and reports go the way of every import.
//!
//! Only files whose places a bundle fixes are written, into a folder of this program's making; no
//! name in the bundle says where anything goes but the run's own, which must be a plain one. The
//! judges' answers stay in the reports: kept in the workspace, they would pass for answers that
//! were asked for here.

use super::verify::{Verified, verified};
use koab_bundle::bundle::{JOURNAL, RUN, Recomputed, Subject, VerdictLine, is_place, level_log, report};
use koab_core::judge::Verdict;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::Cancel;
use koab_report::Evaluated;
use koab_runs::reports::computed::kept_of;
use koab_runs::scoring::verdict_file;
use koab_store::bundle_file::{BundleFile, LIMITS};
use koab_store::report_files::{CSV, JSON, KEPT, MARKDOWN, VERDICTS};
use koab_workspace::WireError;
use koab_workspace::paths::last_part;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The run and the reports of a bundle as folders, in the layout that an import reads. Deleted when
/// it is dropped.
#[derive(Debug)]
pub(crate) struct BundleFolder {
    folder: TempDir,
}

impl BundleFolder {
    /// The folder that holds them.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Verifies a bundle and unpacks its run and reports; `None` when it was cancelled.
///
/// # Errors
/// Why it was not: one sentence fragment with the bundle as its subject.
pub(crate) fn take_out(path: &Path, cancel: &Cancel) -> Result<Option<BundleFolder>, Sentence> {
    let Ok(found) = verified(path, None, &|_, _| {}, cancel) else {
        return Ok(None);
    };
    let first = found.verification.checks.iter().find(|check| check.is_error());
    if let Some(failed) = first {
        return Err(say!("is a bundle that does not verify: {failed}", failed = failed.located()));
    }
    let Some(subject) = &found.verification.subject else {
        return Err(say!("is a bundle without a readable koab.json"));
    };
    unpack(path, subject, &found).map(Some)
}

fn unpack(path: &Path, subject: &Subject, found: &Verified) -> Result<BundleFolder, Sentence> {
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
    let groups = subject.levels.keys().filter_map(|name| Level::find(name));
    let mut places: Vec<(String, PathBuf)> = Level::ALL
        .into_iter()
        .chain(groups.filter(|level| level.place().is_none()))
        .map(|level| (level_log(level), run.join(level.log_file())))
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
        // What stands beside another benchmark's report is in none of its published files; it was
        // computed again.
        if let Some(again) = found.reports.get(&scorer).filter(|again| again.tables.is_some()) {
            let verdicts = found.verdicts.get(&scorer).into_iter().flatten();
            let beside = beside(subject, again, verdicts).map_err(|error| error.message)?;
            for (name, text) in beside {
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

/// What this program keeps beside a report of another benchmark.
fn beside<'a>(
    subject: &Subject,
    again: &Recomputed,
    verdicts: impl Iterator<Item = &'a VerdictLine>,
) -> Result<Vec<(&'static str, String)>, WireError> {
    let evaluated =
        Evaluated { report: again.report.clone(), items: again.items.clone(), tables: again.tables.clone() };
    let mut files = vec![(KEPT, kept_of(&subject.run, &subject.pack.label, evaluated)?)];
    let said = verdicts.map(|line| {
        let verdict = Verdict { judge: line.judge.clone(), metric: line.metric, answer: line.answer.clone() };
        (line.task.as_str(), verdict)
    });
    let text = verdict_file::text(said)?;
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
    let mut written = File::create_new(to).map_err(refuse)?;
    let mut failed = None;
    let unpacked = file.each(name, |part| {
        if let Err(error) = written.write_all(part) {
            failed.get_or_insert(refuse(error));
        }
        Ok(())
    });
    unpacked.map_err(|refusal| refusal.why)?;
    failed.map_or(Ok(()), Err)
}
