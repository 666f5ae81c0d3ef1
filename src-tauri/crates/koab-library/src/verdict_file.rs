//! The verdicts that a report was scored with, in a file in the report's folder. The verdicts in
//! the workspace's database may be newer, and replayed verdicts are not in the database.

use koab_core::judge::{Verdict, Verdicts};
use koab_core::log::LevelLog;
use koab_core::score::{MetricSet, metrics_of};
use koab_store::report_files::VERDICTS;
use koab_store::{atomic, report_files};
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A line of the verdict file.
#[derive(Serialize, Deserialize)]
struct Line {
    task: String,
    verdict: Verdict,
}

/// Writes the verdicts on the tasks of these logs. If there are no verdicts, deletes the file of an
/// earlier scoring.
pub fn keep(folder: &Path, logs: &[LevelLog], verdicts: &Verdicts) -> Result<(), WireError> {
    let mut lines = Vec::new();
    for log in logs {
        for task in &log.tasks {
            for metric in metrics_of(&log.level, MetricSet::All).filter(|metric| metric.is_judged()) {
                let of_task = verdicts.about(&task.id, metric.id).iter();
                lines.extend(of_task.map(|verdict| (task.id.as_str(), verdict.clone())));
            }
        }
    }
    let text = text(lines)?;
    let path = folder.join(VERDICTS);
    if text.is_empty() {
        // A file that cannot be deleted is detected by the check of its readers.
        let _ = std::fs::remove_file(path);
        return Ok(());
    }
    Ok(atomic::write(&path, text.as_bytes())?)
}

/// Returns the content of the verdict file.
///
/// # Errors
/// When a verdict cannot be written as JSON.
pub fn text<'a>(verdicts: impl IntoIterator<Item = (&'a str, Verdict)>) -> Result<String, WireError> {
    let mut text = String::new();
    for (task, verdict) in verdicts {
        let line = Line { task: task.to_owned(), verdict };
        text.push_str(&serde_json::to_string(&line).map_err(WireError::internal)?);
        text.push('\n');
    }
    Ok(text)
}

/// Reads the verdicts of a report. They are empty if another program or an earlier version of this
/// program made the report.
pub fn read(folder: &Path) -> Result<Verdicts, WireError> {
    let mut verdicts = Verdicts::none();
    let Some(text) = report_files::file(folder, VERDICTS)? else {
        return Ok(verdicts);
    };
    for line in text.split(|byte| *byte == b'\n') {
        // An unreadable line counts as missing; the report's own score then applies.
        if let Ok(Line { task, verdict }) = serde_json::from_slice(line) {
            verdicts.add(&task, verdict);
        }
    }
    Ok(verdicts)
}
