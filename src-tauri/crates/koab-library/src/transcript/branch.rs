//! Transcripts of attempts that are not in a run's files, such as those of a fork. They are scored
//! from the log alone.

use super::attempt::{self, AttemptWithGolden};
use super::scores::{self, PanelVerdicts, ScoredTask};
use crate::Library;
use crate::wire::{MetricScores, Repetition, Transcript};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::run_record::AttemptRecord;
use koab_core::run_record::published::{LogHeader, TaskAttempts, level_log};
use koab_workspace::WireError;
use serde_json::Value;

/// The record of an attempt, with the facts that its transcript needs.
pub struct Recorded<'a> {
    /// Run id that the transcript shows.
    pub run: &'a str,
    /// The attempt.
    pub record: &'a AttemptRecord,
    /// Model id.
    pub model: &'a str,
    /// The pack of the task, if it is installed.
    pub pack: Option<&'a Pack>,
    /// Name and version of the pack, `name@version`.
    pub pack_label: &'a str,
    /// Protocol of the run.
    pub protocol: Protocol,
    /// Whether times and tokens of the turns are known.
    pub has_timing: bool,
}

impl Library {
    /// Returns the transcript of an attempt's record. No judge is called, so judged metrics have no
    /// score.
    pub fn recorded_transcript(&self, of: &Recorded<'_>) -> Result<Transcript, WireError> {
        let record = of.record;
        let pack_task = of.pack.and_then(|pack| pack.task(&record.task));
        let fact = |key: &str| pack_task.and_then(|task| task.raw.get(key)).cloned().unwrap_or_default();
        let AttemptWithGolden { mut attempt, golden } = attempt::from_record(record, fact);
        if !of.has_timing {
            attempt.has_timing = false;
            (attempt.prompt_tokens, attempt.completion_tokens) = (None, None);
            for turn in &mut attempt.turns {
                turn.timing = None;
            }
        }
        let log = match pack_task {
            Some(task) => {
                let header =
                    LogHeader { model: of.model, timestamp: "", protocol: of.protocol, repetitions: 1 };
                let document = level_log(
                    &header,
                    &record.level,
                    TaskAttempts::from_records(&[record]).map(|attempts| (task, attempts)),
                );
                Some(LevelLog::read_as(record.level.clone(), &document).map_err(WireError::internal)?)
            }
            None => None,
        };
        let dataset = pack_task.map(|task| Value::Object(task.raw.clone()));
        let metrics = match log.as_ref().and_then(|log| Some((log, log.tasks.first()?))) {
            Some((log, task)) => {
                metrics(&record.level, &ScoredTask { log, task, dataset: dataset.as_ref(), items: None })
            }
            None => Vec::new(),
        };
        let text = |key: &str| fact(key).as_str().map(ToOwned::to_owned);
        Ok(Transcript {
            no_fork: None,
            run: of.run.to_owned(),
            task: record.task.clone(),
            level: record.level.clone(),
            model: of.model.to_owned(),
            pack: Some(of.pack_label.to_owned()),
            protocol: Some(of.protocol),
            category: text("task_category"),
            instruction: text("instruction").unwrap_or_default(),
            injection: attempt::injection(&fact("error_injection")),
            dataset: dataset.map(Into::into),
            other_instruction: None,
            golden,
            repetitions: vec![Repetition {
                repetition: record.repetition,
                status: attempt.status,
                kept: true,
            }],
            under_way: false,
            attempt_is_scored: !metrics.is_empty(),
            attempt: Some(attempt),
            metrics,
            verdicts: Vec::new(),
            questions: Vec::new(),
            reports: Vec::new(),
        })
    }
}

fn metrics(level: &Level, scored: &ScoredTask<'_>) -> Vec<MetricScores> {
    let [leaderboard, corrected] = [Protocol::Leaderboard, Protocol::Corrected]
        .map(|scorer| scores::column(scored, scorer, &PanelVerdicts::default()));
    scores::beside(level, leaderboard, corrected)
}
