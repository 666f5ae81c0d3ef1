//! State of the files of every run, so that the index follows them.

use crate::Library;
use koab_store::RunLock;
use koab_store::report_files::{self, ReportFolder};
use koab_store::run_log::{JOURNAL, MANIFEST};
use koab_store::runs::{self, RunEntry};
use koab_workspace::WireError;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// A run with the state of its files.
pub(super) struct StampedRun {
    pub(super) entry: RunEntry,
    /// Sizes and times of the run's files and of its reports. A changed text means that one of them
    /// was written.
    pub(super) stamp: String,
    /// Reports of the run.
    pub(super) reports: Vec<ReportFolder>,
}

impl StampedRun {
    /// Whether a process is making the run.
    pub(super) fn is_being_made(&self) -> bool {
        RunLock::holder(&self.entry.run.folder).is_some()
    }
}

/// Version of what is read from a run's files. A change has all runs read again.
const VERSION: &str = "1";

fn stamp(entry: &RunEntry, reports: &[ReportFolder]) -> String {
    let folder = &entry.run.folder;
    let mut stamp = VERSION.to_owned();
    for path in [&folder.join(JOURNAL), &folder.join(MANIFEST)].into_iter().chain(entry.run.levels.values()) {
        let _ = write!(stamp, " {}", state(path).unwrap_or_default());
    }
    for report in reports {
        let _ = write!(stamp, " {} {}", report.id, report_files::stamp(&report.folder));
    }
    stamp
}

/// Returns all runs, each with the state of its files.
pub(super) fn stamped_runs(library: &Library) -> Result<Vec<StampedRun>, WireError> {
    let home = library.workspace.home();
    let mut reports: HashMap<String, Vec<ReportFolder>> = HashMap::new();
    if home.reports().is_dir() {
        for row in library.reports_library()? {
            let folder = home.reports().join(&row.id);
            if let Some(run) = row.run {
                reports.entry(run).or_default().push(ReportFolder { id: row.id, folder });
            }
        }
    }
    let stamped = runs::list(&home.logs())?.into_iter().map(|entry| {
        let reports = reports.remove(&entry.id).unwrap_or_default();
        let stamp = stamp(&entry, &reports);
        StampedRun { entry, stamp, reports }
    });
    Ok(stamped.collect())
}

/// Size and time of a file; `None` if it does not exist.
fn state(path: &Path) -> Option<String> {
    let meta = std::fs::metadata(path).ok()?;
    let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{}:{}", meta.len(), since.as_nanos()))
}
