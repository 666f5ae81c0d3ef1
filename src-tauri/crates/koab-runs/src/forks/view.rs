//! A fork beside its original, and in a list.

use crate::Runs;
use crate::transcript::Recorded;
use crate::wire::{ForkState, ForkSummary, ForkView, TranscriptAttempt, WireError};
use koab_core::event::AnswerSource;
use koab_core::event::RunOutcome;
use koab_core::fork::ForkFile;
use koab_core::pack::Pack;
use koab_core::run_record::AttemptRecord;
use koab_store::forks::PREFIX;

/// A log does not say whether a recording answered a call, nor who was at fault for a refusal;
/// going on from it needs a word, which must not be shown.
fn forget_sources(attempt: &mut TranscriptAttempt, calls: usize) {
    for call in attempt.calls.iter_mut().take(calls) {
        if matches!(call.source, Some(AnswerSource::Hit | AnswerSource::Refused)) {
            (call.source, call.owner) = (None, None);
        }
    }
}

impl Runs {
    /// A fork beside its original, both scored by the log alone: no judge is asked, and nothing of
    /// it enters a report.
    ///
    /// # Errors
    /// When there is no such fork, or it cannot be read.
    pub fn fork_show(&self, id: &str) -> Result<ForkView, WireError> {
        // Asked before the file is read: one that ends in between is whole at the next look, and
        // never broken off.
        let goes_on = self.fork_goes_on(id);
        let file = self.forks().read(id)?;
        let pack = self.pack_of_fork(&file)?;
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
            let kept = file.source.calls.iter();
            let kept = kept.filter(|call| call.step <= file.kept_steps).count();
            for (transcript, calls) in [(Some(&mut original), usize::MAX), (forked.as_mut(), kept)] {
                let attempt = transcript.and_then(|transcript| transcript.attempt.as_mut());
                attempt.into_iter().for_each(|attempt| forget_sources(attempt, calls));
            }
        }
        if let Some(attempt) = forked.as_mut().and_then(|forked| forked.attempt.as_mut()) {
            if file.from_log {
                // A log has no times of single turns, so what the kept ones took is not known.
                attempt.took_ms = None;
            }
            for change in &file.changes {
                // A changed answer came from nowhere but the user.
                if let Some(call) = change.call.and_then(|call| attempt.calls.get_mut(call as usize)) {
                    (call.source, call.owner) = (None, None);
                }
            }
        }
        Ok(ForkView {
            fork: self.fork_summary(&file, goes_on),
            kept_steps: file.kept_steps,
            original,
            forked,
        })
    }

    fn pack_of_fork(&self, file: &ForkFile) -> Result<Option<Pack>, WireError> {
        let pack = self.workspace.installed_pack(&file.pack)?;
        // Another version may have another task under the same id.
        Ok(pack.filter(|pack| pack.label() == file.pack))
    }

    pub(super) fn fork_summary(&self, file: &ForkFile, goes_on: bool) -> ForkSummary {
        let run = file.run.as_ref();
        let state = match run.and_then(|run| run.outcome) {
            _ if goes_on => ForkState::Going,
            Some(RunOutcome::Completed) => ForkState::Completed,
            Some(RunOutcome::Cancelled) => ForkState::Cancelled,
            Some(RunOutcome::BudgetSpent) => ForkState::BudgetSpent,
            Some(RunOutcome::Failed) => ForkState::Failed,
            None => ForkState::BrokenOff,
        };
        let own = |record: &AttemptRecord| {
            let steps = record.steps.iter().skip(file.kept_steps as usize);
            let told: Vec<u64> = steps.filter_map(|step| Some(step.usage?.total_tokens)).collect();
            (!told.is_empty()).then(|| told.iter().sum())
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
