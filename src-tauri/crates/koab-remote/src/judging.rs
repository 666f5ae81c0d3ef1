//! Submits the judging of a run to a cluster engine.

use super::cut::{full, path_word};
use super::handover::Handover;
use crate::Remote;
use koab_cluster::{Engine, Submission, Work, WorkerEnvironment};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_engine::egress::Purpose;
use koab_engine::plan::Shard;
use koab_library::options::{EvaluateOptions, JudgeChoice};
use koab_library::questions::StoredBallot;
use koab_library::run::Run;
use koab_library::{RemotePlan, RemoteRequest, RemoteRun, RemoteWork};
use koab_scoring::parts::{JudgingPlan, JudgingSetting, SETTING};
use koab_scoring::worker::no_judges;
use koab_scoring::worker_home::{PACKS, PRICES};
use koab_store::verdict_shards::{self, JUDGING, JudgesSpent, ShardVerdicts, VerdictLine};
use koab_workspace::WireError;
use std::path::{Path, PathBuf};

/// A judging that was checked and is ready to be submitted.
struct CheckedJudging {
    run: Run,
    plan: JudgingPlan,
    setting: JudgingSetting,
    /// Earlier submission of the same questions; `None` for the first.
    earlier: Option<Submission>,
    found: ShardVerdicts,
    keys: Vec<(String, Sensitive<String>)>,
}

impl Remote {
    /// Returns the plan of a submission without writing files or calling judges.
    ///
    /// # Errors
    /// Every error of [`Remote::judging_submit`].
    pub async fn judging_plan_remote(
        &self,
        options: &EvaluateOptions,
        how: &RemoteRequest,
    ) -> Result<RemotePlan, WireError> {
        let checked = self.checked_judging(options).await?;
        let (handover, missing) = self.planned(&checked, how).await?;
        handover.shown(missing)
    }

    /// Submits the judging of a run to an engine, or its remaining questions.
    ///
    /// # Errors
    /// When the engine is missing or refuses, there are no judges, a judge runs inside the
    /// application, or no question is left.
    pub async fn judging_submit(
        &self,
        options: &EvaluateOptions,
        how: &RemoteRequest,
    ) -> Result<RemoteRun, WireError> {
        let checked = self.checked_judging(options).await?;
        let (handover, _) = self.planned(&checked, how).await?;
        handover.engine.check().await?;
        let CheckedJudging { run, plan: asked, mut setting, found, .. } = checked;
        let folder = &run.entry.run.folder;
        let judging = folder.join(JUDGING);
        let is_new = handover.earlier.is_none();
        if is_new && judging.exists() {
            // The folder belongs to other questions. Their answers have been imported.
            koab_scoring::parts::remove(folder)?;
        }
        let failed = |error: std::io::Error| WireError::unwritable(&judging, error);
        let submitted = async {
            std::fs::create_dir_all(&judging).map_err(failed)?;
            setting.spent = found.spent;
            setting.write(&judging)?;
            self.workspace.store()?.copy_for_scoring(&judging.join(PACKS))?;
            let prices = self.workspace.home().prices();
            if prices.is_file() {
                std::fs::copy(&prices, judging.join(PRICES)).map_err(failed)?;
            }
            let lines = self.known_lines(&asked)?;
            verdict_shards::keep_known(&judging, &asked.hash, handover.plan.of, lines.iter())?;
            handover.submit().await
        };
        let submitted: Result<(), WireError> = submitted.await;
        if let Err(error) = submitted {
            if is_new {
                // The submission failed, so the new folder is removed.
                let _ = std::fs::remove_dir_all(&judging);
            }
            return Err(error);
        }
        // The run's next scoring uses the same judges by default.
        let (ids, url) = (&asked.judges, asked.base_url.as_deref());
        self.runs.scoring.remember_judges(&run.entry.id, ids, url, &options.judge_local)?;
        self.run_remote(&run.entry.id, Some(RemoteWork::Judging)).await
    }

    /// Submits the remaining questions of a judging again, with the settings of the earlier
    /// submission.
    ///
    /// # Errors
    /// Every error of [`Remote::judging_submit`]. Also when the judging of the run was not
    /// submitted before.
    pub async fn judging_resume(&self, id: &str, how: &RemoteRequest) -> Result<RemoteRun, WireError> {
        let entry = self.runs.library.run_meant(id)?;
        let folder = &entry.run.folder;
        let setting = JudgingSetting::read(folder)?.ok_or_else(|| {
            WireError::not_found(say!("no workers were handed the run {} to judge", entry.id))
        })?;
        self.judging_submit(&setting.options(folder), how).await
    }

    async fn checked_judging(&self, options: &EvaluateOptions) -> Result<CheckedJudging, WireError> {
        if options.logs.is_some() || options.output.is_some() {
            return Err(WireError::bad_request(say!(
                "workers judge runs of the workspace into its reports; leave --logs and --output out"
            )));
        }
        if options.caps.max_cost_per_day.is_some() || options.caps.max_total_tokens_per_day.is_some() {
            return Err(WireError::bad_request(say!(
                "workers do not see what others spend today; give the judges a cap of their own, with --max-cost or --max-total-tokens"
            )));
        }
        let run = self.runs.library.with_attempts(self.runs.library.read_run(options)?, options)?;
        let (choice, _, _) = self.runs.scoring.judges_chosen(options, &run.entry.id).await?;
        let JudgeChoice::Models { ids, base_url } = choice else {
            return Err(no_judges());
        };
        self.check_asked(&ids, base_url.as_deref())?;
        self.runs.models.check_caps(&ids, &options.caps)?;
        let keys = self.keys_for(&ids, base_url.as_deref(), (None, &[]), Purpose::Judge).await?;
        let folder = &run.entry.run.folder;
        self.runs.scoring.take_verdicts(folder)?;
        let plan = self.runs.scoring.judging_plan(&run, options, &ids, base_url.as_deref())?;
        let reports = full(&self.workspace.home().reports())?;
        let setting = JudgingSetting::new(options, &plan, reports);
        let judging = folder.join(JUDGING);
        let is_same = JudgingSetting::read(folder)?.is_some_and(|before| before.plan == plan.hash);
        let submission = Submission::read(&judging)?;
        if let Some(submission) = submission.as_ref().filter(|_| !is_same) {
            let workers = Engine::from_submission(submission)?;
            let workers = workers.states(&judging, submission).await?;
            if workers.iter().any(|worker| worker.state.is_at_work()) {
                return Err(WireError::busy(say!(
                    "workers are asking other questions about the run; end them first with `koab runs cancel {}`",
                    run.entry.id
                )));
            }
        }
        let (earlier, found) = match submission.filter(|_| is_same) {
            Some(earlier) => (Some(earlier), verdict_shards::read(&judging, &plan.hash)?),
            None => (None, ShardVerdicts::default()),
        };
        Ok(CheckedJudging { run, plan, setting, earlier, found, keys })
    }

    async fn planned(
        &self,
        checked: &CheckedJudging,
        how: &RemoteRequest,
    ) -> Result<(Handover, u32), WireError> {
        let id = &checked.run.entry.id;
        let folder = &checked.run.entry.run.folder;
        let numbers: Vec<u32> = self.known_lines(&checked.plan)?.iter().map(|line| line.number).collect();
        let total = checked.plan.ballots.len() as u32;
        let missing = total - numbers.len() as u32;
        if missing == 0 {
            return Err(WireError::bad_request(say!(
                "every question about the run is answered; `koab score {id}` scores it"
            )));
        }
        let work = work(folder, &checked.setting.reports)?;
        let before = (checked.earlier.clone(), true);
        let handover = Handover::new(how, work, u64::from(missing), checked.keys.clone(), before)?;
        let of = handover.plan.of;
        let mut open = ShardVerdicts::default();
        let marks = numbers.iter().map(|number| (*number, VerdictLine::of_number(*number)));
        open.lines = marks.collect();
        let shards: Vec<u32> = (0..of)
            .filter(|index| open.of_part(Shard { index: *index, of }).0 < shard_answers(*index, of, total))
            .collect();
        Ok((handover.only(shards, id).await?, missing))
    }

    /// Returns the stored answers of the workspace as lines for the workers' files.
    fn known_lines(&self, plan: &JudgingPlan) -> Result<Vec<VerdictLine>, WireError> {
        let store = self.workspace.store()?;
        let mut lines = Vec::new();
        for (number, (scorer, ballot)) in plan.ballots.iter().enumerate() {
            let judge = &plan.judges[ballot.judge];
            if let StoredBallot::Answer(verdict) = plan.asked[*scorer].stored(store, *ballot, judge)? {
                lines.push(plan.line(number, &verdict, JudgesSpent::default())?);
            }
        }
        Ok(lines)
    }
}

/// Returns the number of judges' answers that shard `index` (0-based) of `of` shards has to get out
/// of `total`.
fn shard_answers(index: u32, of: u32, total: u32) -> u32 {
    total / of + u32::from(index < total % of)
}

fn work(run: &Path, reports: &Path) -> Result<Work, WireError> {
    let run = full(run)?;
    let word = path_word(&run)?;
    let folder = run.join(JUDGING);
    // The workspace contains both the reports and the logs.
    let root: PathBuf = reports.parent().unwrap_or(reports).to_owned();
    Ok(Work {
        seen: folder.join(SETTING),
        writes: vec![reports.to_owned()],
        root,
        worker: ["evaluate", &word, "--shard"].map(str::to_owned).into(),
        merge: ["evaluate", &word, "--merge"].map(str::to_owned).into(),
        environment: WorkerEnvironment::Bare,
        folder,
    })
}
