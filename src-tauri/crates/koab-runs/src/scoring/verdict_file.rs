//! The judges' answers that a report was scored with, kept beside it: what else is kept of them may be newer answers, and of
//! answers that were replayed nothing is kept at all.

use crate::wire::WireError;
use koab_core::judge::{Verdict, Verdicts};
use koab_core::log::LevelLog;
use koab_core::score::{MetricSet, metrics_of};
use koab_store::{atomic, report_files};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The file's name in the report's folder.
const FILE: &str = "verdicts.jsonl";

/// A line of it.
#[derive(Serialize, Deserialize)]
struct Line {
    task: String,
    verdict: Verdict,
}

/// Keeps the verdicts on the tasks of these logs; without any, what an earlier scoring left goes.
pub(crate) fn keep(folder: &Path, logs: &[LevelLog], verdicts: &Verdicts) -> Result<(), WireError> {
    let mut text = String::new();
    for log in logs {
        for task in &log.tasks {
            for metric in metrics_of(log.level, MetricSet::All).filter(|metric| metric.is_judged()) {
                for verdict in verdicts.of(&task.id, metric.id) {
                    let line = Line {
                        task: task.id.clone(),
                        verdict: verdict.clone(),
                    };
                    text.push_str(&serde_json::to_string(&line).map_err(WireError::internal)?);
                    text.push('\n');
                }
            }
        }
    }
    let path = folder.join(FILE);
    if text.is_empty() {
        // A scoring without judges has none; one that cannot be removed is told by the check of whoever reads it.
        let _ = std::fs::remove_file(path);
        return Ok(());
    }
    Ok(atomic::write(&path, text.as_bytes())?)
}

/// What was kept beside a report; nothing where it was made elsewhere or by an earlier version.
pub fn read(folder: &Path) -> Result<Verdicts, WireError> {
    let mut verdicts = Verdicts::none();
    let Some(text) = report_files::file(folder, FILE)? else {
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
