//! Checks whether workers of a cluster engine are judging a run, before judges are called on this
//! computer.

use super::parts::JudgingSetting;
use crate::Scoring;
use koab_cluster::{Engine, Submission};
use koab_core::say;
use koab_library::options::{EvaluateOptions, JudgeChoice};
use koab_library::run::Run;
use koab_store::verdict_shards::JUDGING;
use koab_workspace::WireError;
use std::path::Path;

impl Scoring {
    /// Refuses to call judges on this computer if workers of an engine call them, or may call them.
    ///
    /// # Errors
    /// When workers call judges now. Also when answers are missing, the submission was not
    /// cancelled, and the engine does not answer.
    pub(crate) async fn check_no_judges(
        &self,
        run: &Run,
        options: &EvaluateOptions,
        choice: &JudgeChoice,
    ) -> Result<(), WireError> {
        let folder = &run.entry.run.folder;
        let judging = folder.join(JUDGING);
        let Some(submission) = Submission::read(&judging)? else {
            return Ok(());
        };
        let (engine, id) = (submission.engine.title(), &run.entry.id);
        let workers = Engine::from_submission(&submission)?;
        match workers.states(&judging, &submission).await {
            Ok(workers) if workers.iter().any(|worker| worker.state.is_at_work()) => {
                Err(WireError::busy(say!(
                    "workers on {engine} are asking the judges of the run; wait for them (`koab runs show {id}`), or end them with `koab runs cancel {id}`"
                )))
            }
            Ok(_) => Ok(()),
            Err(_) if options.without_engine || submission.cancelled_ms.is_some() => Ok(()),
            Err(_) if !matches!(choice, JudgeChoice::Models { .. }) || self.is_answered(folder)? => Ok(()),
            Err(why) => Err(WireError::busy(say!(
                "workers on {engine} may be asking the judges of the run, and {engine} does not answer: {why}; try again where it does, or have the judges asked from here with `koab score {id} --without-engine`, which may pay for answers twice"
            ))),
        }
    }

    /// Whether the workers have answered all questions about a run.
    pub fn is_answered(&self, run: &Path) -> Result<bool, WireError> {
        let Some(setting) = JudgingSetting::read(run)? else {
            return Ok(false);
        };
        let questions = (setting.plan.as_str(), setting.total);
        let whole = self.library.judging_progress(
            &run.join(JUDGING),
            questions,
            koab_store::JudgingProgress::whole,
        )?;
        Ok(whole.done == whole.planned)
    }
}
