//! Parsed files of a submission. A file that cannot be read becomes an objection.

use super::list::Objections;
use super::remedies::PREPARE_AGAIN;
use crate::bundle::{CountedReader, FirstAttempts, FirstReader};
use crate::submission::document::Submission;
use crate::submission::files::{Files, paths};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::run_record::{AttemptSummary, Journal};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence};
use koab_core::task::Task;
use koab_report::comparability::FindingCode;
use koab_report::{ReadReport, read_json};
use serde_json::Value;
use std::collections::BTreeMap;

/// Tasks of a pack by level, in dataset order.
pub(in crate::submission) type PackTasks = BTreeMap<Level, Vec<Task>>;

/// Parsed log of a level.
pub(super) struct Log {
    pub(super) level: Level,
    pub(super) path: String,
    pub(super) document: Value,
    pub(super) log: LevelLog,
}

/// Parsed data that objections are based on.
pub(super) struct Evidence<'a> {
    pub(super) files: &'a Files,
    pub(super) submission: Submission,
    /// The report, with its path.
    pub(super) report: Option<(String, ReadReport)>,
    pub(super) logs: Vec<Log>,
    /// The journal, with its path.
    pub(super) journal: Option<(String, Journal<AttemptSummary>)>,
    /// First attempt at each task in the journal.
    pub(super) first: FirstAttempts,
    /// 1-based numbers of the journal's lines that cannot be read.
    pub(super) broken: Vec<usize>,
    pub(super) pack: Option<&'a PackTasks>,
}

impl<'a> Evidence<'a> {
    /// Model that the logs name. A report of an agent's run names the agent before the model.
    pub(super) fn model_of_logs(&self) -> &str {
        let model = self.submission.model_id.as_str();
        let settings = self.submission.facts.settings.value.as_ref();
        match settings.and_then(|settings| settings.agent.as_ref()) {
            Some(_) => model.rsplit_once(" · ").map_or(model, |(_, model)| model),
            None => model,
        }
    }

    /// Reads the files of a submission; `None` if its description cannot be read.
    pub(super) fn read(
        files: &'a Files,
        pack: Option<&'a PackTasks>,
        objections: &mut Objections,
    ) -> Option<Self> {
        let submission = files.get(paths::SUBMISSION)?;
        let submission: Submission = serde_json::from_slice(submission).ok()?;
        let mut unreadable = |path: &str, sentence: Sentence| {
            objections.blocks(FindingCode::Unreadable, path, sentence, PREPARE_AGAIN);
        };
        let report_file = files.find(paths::REPORTS, paths::REPORT);
        let report =
            report_file.as_ref().and_then(|(path, content)| Some((path.clone(), read_json(content).ok()?)));
        if report.is_none() {
            let place = report_file.map_or_else(|| paths::REPORTS.to_owned(), |(path, _)| path);
            unreadable(&place, say!("there is no report that can be read"));
        }
        let mut logs = Vec::new();
        for (level, path, content) in files.logs() {
            let read = serde_json::from_slice::<Value>(content)
                .map_err(|error| Sentence::from(error.to_string()))
                .and_then(|document| match LevelLog::read_as(level.clone(), &document) {
                    Ok(log) => Ok((document, log)),
                    Err(error) => Err(error.to_sentence()),
                });
            match read {
                Ok((document, log)) => logs.push(Log { level, path, document, log }),
                Err(error) => unreadable(&path, say!("the file is not a run log: {error}")),
            }
        }
        let content = files.find(paths::LOGS, paths::JOURNAL);
        let journal = content.as_ref().map(|(path, content)| (path.clone(), Journal::read(content)));
        let first = match (&content, &journal) {
            (Some((_, content)), Some((_, journal))) => first_attempts(content, journal),
            _ => FirstAttempts::default(),
        };
        let mut broken = Vec::new();
        if let (Some((_, content)), Some((_, journal))) = (content, &journal) {
            broken.extend(journal.damaged.iter().map(|line| line.number));
            broken.extend(journal.cut_off.then(|| content.split(|byte| *byte == b'\n').count()));
        }
        Some(Self { files, submission, report, logs, journal, first, broken, pack })
    }
}

fn first_attempts(content: &[u8], journal: &Journal<AttemptSummary>) -> FirstAttempts {
    let (mut counted, mut first) = (CountedReader::new(journal), FirstReader::new(journal));
    for line in content.split(|byte| *byte == b'\n') {
        if let Some(record) = counted.line(line) {
            first.record(record);
        }
    }
    first.finish()
}
