//! Compares a fork with its original, and makes a fork's row in a list.

use crate::Runs;
use koab_core::event::AnswerSource;
use koab_core::event::RunOutcome;
use koab_core::fork::ForkFile;
use koab_core::pack::Pack;
use koab_core::run_record::AttemptRecord;
use koab_library::transcript::Recorded;
use koab_library::{ForkState, ForkSummary, ForkView, TranscriptAttempt};
use koab_store::forks::PREFIX;
use koab_workspace::WireError;

/// Removes the answer's source from the first `calls` calls of an attempt, if a log cannot show
/// this source.
///
/// A log shows neither whether a cached response answered a call nor who is responsible for a
/// refused call. The engine needs a value when it continues from a log, but the user must not see
/// this value.
fn forget_sources(attempt: &mut TranscriptAttempt, calls: usize) {
    for call in attempt.calls.iter_mut().take(calls) {
        if matches!(call.source, Some(AnswerSource::Hit | AnswerSource::Refused)) {
            (call.source, call.owner) = (None, None);
        }
    }
}

impl Runs {
    /// Returns a fork and its original, both scored from the log alone. No judge is called, and no
    /// report contains the scores.
    ///
    /// # Errors
    /// When the fork does not exist or cannot be read.
    pub fn fork_show(&self, id: &str) -> Result<ForkView, WireError> {
        // Checked before the file is read: a fork that ends in between is complete the next time,
        // and never shown as interrupted.
        let is_running = self.fork_goes_on(id);
        let file = self.forks().read(id)?;
        let pack = pack_of_fork(self, &file)?;
        let own = format!("{PREFIX}{}", file.id);
        let was = match &file.of.fork {
            Some(fork) => format!("{PREFIX}{fork}"),
            None => file.of.run.clone(),
        };
        let of = |run: &str, record: &AttemptRecord, model: &str| {
            self.library.recorded_transcript(&Recorded {
                run,
                record,
                model,
                pack: pack.as_ref(),
                pack_label: &file.pack,
                protocol: file.protocol,
                has_timing: !file.from_log,
            })
        };
        let mut original = of(&was, &file.source, &file.source_model)?;
        let mut forked = match &file.record {
            Some(record) => Some(of(&own, record, &file.model)?),
            None => None,
        };
        if file.from_log {
            let calls = file.source.calls.iter();
            let kept_calls = calls.filter(|call| call.step <= file.kept_steps).count();
            for (transcript, calls) in [(Some(&mut original), usize::MAX), (forked.as_mut(), kept_calls)] {
                let attempt = transcript.and_then(|transcript| transcript.attempt.as_mut());
                attempt.into_iter().for_each(|attempt| forget_sources(attempt, calls));
            }
        }
        if let Some(attempt) = forked.as_mut().and_then(|forked| forked.attempt.as_mut()) {
            if file.from_log {
                // A log has no times of single turns, so the time of the kept turns is unknown.
                attempt.took_ms = None;
            }
            for change in &file.changes {
                // A changed response comes from the user.
                if let Some(call) = change.call.and_then(|call| attempt.calls.get_mut(call as usize)) {
                    (call.source, call.owner) = (None, None);
                }
            }
        }
        Ok(ForkView {
            fork: self.fork_summary(&file, is_running),
            kept_steps: file.kept_steps,
            original,
            forked,
        })
    }

    pub(super) fn fork_summary(&self, file: &ForkFile, is_running: bool) -> ForkSummary {
        let run = file.run.as_ref();
        let state = match run.and_then(|run| run.outcome) {
            _ if is_running => ForkState::Going,
            Some(RunOutcome::Completed) => ForkState::Completed,
            Some(RunOutcome::Cancelled) => ForkState::Cancelled,
            Some(RunOutcome::BudgetSpent) => ForkState::BudgetSpent,
            Some(RunOutcome::Failed) => ForkState::Failed,
            None => ForkState::BrokenOff,
        };
        let own = |record: &AttemptRecord| {
            let steps = record.steps.iter().skip(file.kept_steps as usize);
            let tokens: Vec<u64> = steps.filter_map(|step| Some(step.usage?.total_tokens)).collect();
            (!tokens.is_empty()).then(|| tokens.iter().sum())
        };
        let record = file.record.as_ref();
        let source_model = self.library.model_name_in(&file.source_model, Some(&file.of.run));
        ForkSummary {
            id: file.id.clone(),
            name: file.name.clone(),
            created_ms: file.created_ms,
            of: file.of.clone(),
            step: file.step,
            changes: file.changes.iter().cloned().map(Into::into).collect(),
            settings: file.settings.clone(),
            model: if file.model == file.source_model { source_model.clone() } else { file.model.clone() },
            source_model,
            state,
            reason: run.and_then(|run| run.reason.clone()).or_else(|| record?.error.clone()),
            answer: record.and_then(|record| record.final_response.clone()),
            new_steps: record
                .map(|record| record.steps.len() as u32 - file.kept_steps.min(record.steps.len() as u32)),
            usd: run.and_then(|run| run.spending.as_ref()?.usd),
            tokens: record.and_then(own),
        }
    }
}

fn pack_of_fork(runs: &Runs, file: &ForkFile) -> Result<Option<Pack>, WireError> {
    let pack = runs.workspace.installed_pack(&file.pack)?;
    // Another version may have another task under the same id.
    Ok(pack.filter(|pack| pack.label() == file.pack))
}
