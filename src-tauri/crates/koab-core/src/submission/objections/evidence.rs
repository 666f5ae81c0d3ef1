//! A submission's files, read: what can be read is, what cannot is an objection.

use super::{ObjectionCode, Objections, PackTasks, Told};
use crate::level::Level;
use crate::log::LevelLog;
use crate::report::{ReadReport, read_json};
use crate::submission::attempts::Attempts;
use crate::submission::document::Submission;
use crate::submission::files::{Files, paths};
use serde_json::Value;

/// A level's log, read.
pub(super) struct Log {
    pub(super) level: Level,
    pub(super) path: String,
    pub(super) document: Value,
    pub(super) log: LevelLog,
}

/// Everything that objections are found in.
pub(super) struct Evidence<'a> {
    pub(super) files: &'a Files,
    pub(super) submission: Submission,
    /// The report, with its path.
    pub(super) report: Option<(String, ReadReport)>,
    pub(super) logs: Vec<Log>,
    /// The journal, with its path.
    pub(super) journal: Option<(String, Attempts)>,
    pub(super) pack: Option<&'a PackTasks>,
}

impl<'a> Evidence<'a> {
    /// `None` without a description that can be read.
    pub(super) fn read(
        files: &'a Files,
        pack: Option<&'a PackTasks>,
        found: &mut Objections,
    ) -> Option<Self> {
        let submission = files.get(paths::SUBMISSION)?;
        let submission: Submission = serde_json::from_slice(submission).ok()?;
        let mut unreadable = |path: &str, said: Told| {
            found.blocks(ObjectionCode::Unreadable, path, said, Told::PrepareAgain {});
        };
        let report = match files.find(paths::REPORTS, paths::REPORT) {
            None => {
                unreadable(paths::REPORTS, Told::NoReport {});
                None
            }
            Some((path, content)) => match read_json(content) {
                Ok(report) => Some((path, report)),
                Err(_) => {
                    unreadable(&path, Told::NoReport {});
                    None
                }
            },
        };
        let mut logs = Vec::new();
        for (level, path, content) in files.logs() {
            let read = serde_json::from_slice::<Value>(content)
                .map_err(|error| error.to_string())
                .and_then(|document| match LevelLog::read_as(level, &document) {
                    Ok(log) => Ok((document, log)),
                    Err(error) => Err(error.to_string()),
                });
            match read {
                Ok((document, log)) => logs.push(Log {
                    level,
                    path,
                    document,
                    log,
                }),
                Err(error) => unreadable(&path, Told::NoLog { error }),
            }
        }
        let journal = files.find(paths::LOGS, paths::JOURNAL);
        Some(Self {
            files,
            submission,
            report,
            logs,
            journal: journal.map(|(path, content)| (path, Attempts::read(content))),
            pack,
        })
    }
}
