//! The judges' answers that a report was scored with, kept beside it: what else is kept of them may
//! be newer answers, and of answers that were replayed nothing is kept at all.

use crate::wire::WireError;
use koab_core::judge::{Verdict, Verdicts};
use koab_core::log::LevelLog;
use koab_core::score::{MetricSet, metrics_of};
use koab_store::report_files::VERDICTS;
use koab_store::{atomic, report_files};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A line of it.
#[derive(Serialize, Deserialize)]
struct Line {
    task: String,
    verdict: Verdict,
}

/// Keeps the verdicts on the tasks of these logs; without any, what an earlier scoring left goes.
pub(crate) fn keep(folder: &Path, logs: &[LevelLog], verdicts: &Verdicts) -> Result<(), WireError> {
    let mut said = Vec::new();
    for log in logs {
        for task in &log.tasks {
            for metric in metrics_of(log.level, MetricSet::All).filter(|metric| metric.is_judged()) {
                let of_task = verdicts.about(&task.id, metric.id).iter();
                said.extend(of_task.map(|verdict| (task.id.as_str(), verdict.clone())));
            }
        }
    }
    let text = text(said)?;
    let path = folder.join(VERDICTS);
    if text.is_empty() {
        // A scoring without judges has none; one that cannot be removed is told by the check of
        // whoever reads it.
        let _ = std::fs::remove_file(path);
        return Ok(());
    }
    Ok(atomic::write(&path, text.as_bytes())?)
}

/// Verdicts on tasks as the file has them.
///
/// # Errors
/// When one cannot be written as JSON.
pub fn text<'a>(said: impl IntoIterator<Item = (&'a str, Verdict)>) -> Result<String, WireError> {
    let mut text = String::new();
    for (task, verdict) in said {
        let line = Line { task: task.to_owned(), verdict };
        text.push_str(&serde_json::to_string(&line).map_err(WireError::internal)?);
        text.push('\n');
    }
    Ok(text)
}

/// What was kept beside a report; nothing where it was made elsewhere or by an earlier version.
pub fn read(folder: &Path) -> Result<Verdicts, WireError> {
    let mut verdicts = Verdicts::none();
    let Some(text) = report_files::file(folder, VERDICTS)? else {
        return Ok(verdicts);
    };
    for line in text.split(|byte| *byte == b'\n') {
        // What cannot be read is missing, and then the report's own word on it is taken.
        if let Ok(Line { task, verdict }) = serde_json::from_slice(line) {
            verdicts.add(&task, verdict);
        }
    }
    Ok(verdicts)
}
