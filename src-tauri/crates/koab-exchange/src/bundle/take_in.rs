//! Taking a bundle in: verified first, then its run and reports go the way of every import.
//!
//! Only files whose places a bundle fixes are written, into a folder of this program's making; no name in the bundle says
//! where anything goes but the run's own, which must be a plain one. The judges' answers stay in the reports: kept in the
//! workspace, they would pass for answers that were asked for here.

use super::verify;
use koab_bundle::bundle::{JOURNAL, RUN, Subject, is_place, level_log, report};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::Cancel;
use koab_store::bundle_file::{BundleFile, LIMITS};
use koab_store::report_files::{CSV, JSON, MARKDOWN};
use koab_workspace::paths::last_part;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The run and the reports of a bundle as folders, in the layout that an import reads. Deleted when it is dropped.
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
    let Ok(found) = verify(path, None, &|_, _| {}, cancel) else {
        return Ok(None);
    };
    let first = found.checks.iter().find(|check| check.is_error());
    if let Some(failed) = first {
        return Err(say!(
            "is a bundle that does not verify: {failed}",
            failed = failed.located()
        ));
    }
    let Some(subject) = found.subject else {
        return Err(say!("is a bundle without a readable koab.json"));
    };
    unpack(path, &subject).map(Some)
}

fn unpack(path: &Path, subject: &Subject) -> Result<BundleFolder, Sentence> {
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
    let mut places: Vec<(String, PathBuf)> = Level::ALL
        .into_iter()
        .map(|level| (level_log(level), run.join(format!("{level}.json"))))
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
    }
    for (name, to) in places {
        if file.stated(&name).is_some() {
            copy(&mut file, &name, &to)?;
        }
    }
    Ok(BundleFolder { folder })
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
