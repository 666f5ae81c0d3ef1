//! Hands the judging of a run to an engine of a cluster.

use super::parts::{JudgingPlan, JudgingSetting, SETTING};
use super::questions::StoredBallot;
use super::worker::nobody;
use crate::Runs;
use crate::options::{EvaluateOptions, JudgeChoice};
use crate::runs::remote::check::{check_url, no_local};
use crate::runs::remote::cut::{cut, engine, full, names, path_word, program};
use crate::runs::remote::{keep, wire};
use crate::runs::worker::{PACKS, PRICES};
use crate::scoring::run::Run;
use crate::wire::{ErrorCode, RemoteFile, RemotePlan, RemoteRequest, RemoteRun, RemoteWork, WireError};
use koab_cluster::{Engine, Ground, Plan, State, Submission, Work};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_engine::egress::Purpose;
use koab_engine::plan::Shard;
use koab_engine::ports::Clock as _;
use koab_models::{LocalUse, is_local};
use koab_store::verdict_shards::{self, FoundVerdicts, JUDGING, JudgesSpent, VerdictLine};
use koab_workspace::clock::SystemClock;
use std::path::{Path, PathBuf};

/// A judging that is to be handed over.
struct Checked {
    run: Run,
    plan: JudgingPlan,
    setting: JudgingSetting,
    /// Of the same questions, where some were asked by workers before.
    earlier: Option<Submission>,
    found: FoundVerdicts,
    keys: Vec<(String, Sensitive<String>)>,
}

impl Runs {
    /// What an engine would be given for the judging of a run; nothing is made, and nobody is asked.
    ///
    /// # Errors
    /// As [`Runs::judging_submit`].
    pub async fn judging_plan_remote(
        &self,
        options: &EvaluateOptions,
        how: &RemoteRequest,
    ) -> Result<RemotePlan, WireError> {
        let checked = self.checked_judging(options).await?;
        let (engine, plan, missing) = self.planned(&checked, how).await?;
        let files = engine.files(&plan).map_err(wire)?.into_iter();
        Ok(RemotePlan {
            engine: engine.kind(),
            attempts: missing,
            shards: plan.of,
            unfinished: plan.shards.len() as u32,
            at_once: plan.at_once,
            files: files
                .map(|file| RemoteFile {
                    name: file.name,
                    text: file.text,
                })
                .collect(),
        })
    }

    /// Hands the judging of a run to an engine, or what is still to be asked of one.
    ///
    /// # Errors
    /// When the engine is not there or refuses, nobody is to judge, a judge is inside the application, or every question is
    /// answered.
    pub async fn judging_submit(
        &self,
        options: &EvaluateOptions,
        how: &RemoteRequest,
    ) -> Result<RemoteRun, WireError> {
        let checked = self.checked_judging(options).await?;
        let (engine, plan, _) = self.planned(&checked, how).await?;
        engine.check().await.map_err(wire)?;
        let Checked {
            run,
            plan: asked,
            mut setting,
            earlier,
            found,
            keys,
        } = checked;
        let folder = &run.entry.run.folder;
        let judging = folder.join(JUDGING);
        let is_new = earlier.is_none();
        if is_new && judging.exists() {
            // Of other questions; what it answered was taken in.
            super::parts::remove(folder)?;
        }
        let failed = |error: std::io::Error| {
            WireError::storage(say!("{} cannot be written: {error}", judging.display()))
        };
        let submitted = async {
            std::fs::create_dir_all(&judging).map_err(failed)?;
            setting.spent = found.spent;
            setting.write(&judging)?;
            self.workspace.store()?.copy_for_scoring(&judging.join(PACKS))?;
            let prices = self.workspace.home().prices();
            if prices.is_file() {
                std::fs::copy(&prices, judging.join(PRICES)).map_err(failed)?;
            }
            let known = self.known_lines(&asked)?;
            verdict_shards::keep_known(&judging, &asked.hash, plan.of, known.iter())?;
            let now = SystemClock.now_ms();
            let job = engine.submit(&plan, &keys, now).await.map_err(wire)?;
            let mut jobs = earlier.map(|submission| submission.jobs).unwrap_or_default();
            jobs.push(job);
            let submission = Submission {
                engine: engine.kind(),
                engine_args: crate::runs::remote::cut::engine_words(how, &judging)?,
                of: plan.of,
                at_once: plan.at_once,
                jobs,
                cancelled_ms: None,
            };
            if let Err(error) = keep(&judging, &submission) {
                engine.cancel(&submission).await.map_err(wire)?;
                return Err(error);
            }
            Ok(())
        };
        let submitted: Result<(), WireError> = submitted.await;
        if let Err(error) = submitted {
            if is_new {
                // Nothing of it was done.
                let _ = std::fs::remove_dir_all(&judging);
            }
            return Err(error);
        }
        // Whoever scores it next begins with the same judges.
        let (ids, url) = (&asked.judges, asked.base_url.as_deref());
        self.remember_judges(&run.entry.id, ids, url, &options.judge_local)?;
        self.run_remote(&run.entry.id, Some(RemoteWork::Judging)).await
    }

    /// Refuses to ask judges here that workers of an engine are asking.
    ///
    /// # Errors
    /// When they are; an engine that does not answer has none.
    pub(crate) async fn check_no_judges(&self, run: &Run) -> Result<(), WireError> {
        let judging = run.entry.run.folder.join(JUDGING);
        let Some(submission) = Submission::read(&judging).map_err(wire)? else {
            return Ok(());
        };
        let engine = Engine::of(&submission).map_err(wire)?;
        let workers = engine.states(&judging, &submission).await.unwrap_or_default();
        if workers.iter().any(|worker| at_work(worker.state)) {
            let (engine, id) = (submission.engine.title(), &run.entry.id);
            return Err(WireError::new(
                ErrorCode::Busy,
                say!(
                    "workers on {engine} are asking the judges of the run; wait for them (`koab runs show {id}`), or end them with `koab runs cancel {id}`"
                ),
            ));
        }
        Ok(())
    }

    async fn checked_judging(&self, options: &EvaluateOptions) -> Result<Checked, WireError> {
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
        let run = self.with_attempts(self.read_run(options)?, options)?;
        let (choice, _, _) = self.judges_chosen(options, &run.entry.id).await?;
        let JudgeChoice::Models { ids, base_url } = choice else {
            return Err(nobody());
        };
        if ids.iter().any(|id| is_local(id)) {
            return Err(no_local());
        }
        check_url(base_url.as_deref())?;
        if self.workspace.offline().on && !ids.iter().all(|id| id.starts_with("baseline/")) {
            return Err(WireError::new(
                ErrorCode::Offline,
                say!(
                    "koab is offline, and workers would ask the judges; turn it off with `koab offline off`"
                ),
            ));
        }
        self.models.check_caps(&ids, &options.caps)?;
        let mut keys: Vec<(String, Sensitive<String>)> = Vec::new();
        for id in &ids {
            let local = LocalUse::default();
            // A missing key and a wrong name are known now, and not on a node.
            self.models
                .open(id, base_url.as_deref(), None, &[], local, Purpose::Judge)
                .await?;
            for key in self.keys_of(id, base_url.as_deref()).await? {
                if keys.iter().all(|(name, _)| *name != key.0) {
                    keys.push(key);
                }
            }
        }
        let folder = &run.entry.run.folder;
        self.take_verdicts(folder)?;
        let plan = self.judging_plan(&run, options, &ids, base_url.as_deref())?;
        let reports = full(&self.workspace.home().reports())?;
        let setting = JudgingSetting::of(options, &plan, reports);
        let judging = folder.join(JUDGING);
        let is_same = JudgingSetting::read(folder)?.is_some_and(|before| before.plan == plan.hash);
        let submission = Submission::read(&judging).map_err(wire)?;
        if let Some(submission) = submission.as_ref().filter(|_| !is_same) {
            let workers = Engine::of(submission).map_err(wire)?;
            let workers = workers.states(&judging, submission).await.map_err(wire)?;
            if workers.iter().any(|worker| at_work(worker.state)) {
                return Err(WireError::new(
                    ErrorCode::Busy,
                    say!(
                        "workers are asking other questions about the run; end them first with `koab runs cancel {}`",
                        run.entry.id
                    ),
                ));
            }
        }
        let (earlier, found) = match submission.filter(|_| is_same) {
            Some(earlier) => (Some(earlier), verdict_shards::read(&judging, &plan.hash)?),
            None => (None, FoundVerdicts::default()),
        };
        Ok(Checked {
            run,
            plan,
            setting,
            earlier,
            found,
            keys,
        })
    }

    async fn planned(
        &self,
        checked: &Checked,
        how: &RemoteRequest,
    ) -> Result<(Engine, Plan, u32), WireError> {
        let id = &checked.run.entry.id;
        let folder = &checked.run.entry.run.folder;
        let judging = folder.join(JUDGING);
        let known: Vec<u32> = self
            .known_lines(&checked.plan)?
            .iter()
            .map(|line| line.number)
            .collect();
        let total = checked.plan.ballots.len() as u32;
        let missing = total - known.len() as u32;
        if missing == 0 {
            return Err(WireError::bad_request(say!(
                "every question about the run is answered; `koab evaluate {id}` scores it"
            )));
        }
        let (mut of, mut at_once) = cut(how, u64::from(missing));
        if let Some(earlier) = &checked.earlier {
            at_once = how.at_once.unwrap_or(earlier.at_once);
            of = earlier.of;
        }
        if let Some(asked) = how.shards.filter(|asked| *asked != of)
            && checked.earlier.is_some()
        {
            return Err(WireError::bad_request(say!(
                "the run was cut into {of} shards, and some of them are begun; leave --shards {asked} out"
            )));
        }
        let mut open = FoundVerdicts::default();
        let marks = known
            .iter()
            .map(|number| (*number, VerdictLine::of_number(*number)));
        open.lines = marks.collect();
        let mut shards: Vec<u32> = (0..of)
            .filter(|index| open.of_part(Shard { index: *index, of }).0 < planned(*index, of, total))
            .collect();
        if let Some(earlier) = &checked.earlier {
            let old = Engine::of(earlier).map_err(wire)?;
            let workers = old.states(&judging, earlier).await.map_err(wire)?;
            shards.retain(|shard| {
                let mut own = workers.iter().filter(|worker| worker.shard == *shard);
                !own.any(|worker| at_work(worker.state))
            });
            if shards.is_empty() {
                return Err(WireError::new(
                    ErrorCode::Busy,
                    say!("every unfinished shard of the run has a worker; `koab runs show {id}` shows them"),
                ));
            }
        }
        let engine = engine(how, checked.earlier.as_ref().map(|_| judging.as_path()))?;
        let mut plan = Plan::new(work(folder, &checked.setting.reports)?, &program()?, of);
        plan.at_once = at_once.clamp(1, shards.len() as u32);
        plan.shards = shards;
        plan.keys = names(&checked.keys);
        Ok((engine, plan, missing))
    }

    /// What the workspace knows of all that would be asked.
    fn known_lines(&self, plan: &JudgingPlan) -> Result<Vec<VerdictLine>, WireError> {
        let store = self.workspace.store()?;
        let mut lines = Vec::new();
        for (number, (scorer, ballot)) in plan.ballots.iter().enumerate() {
            let judge = &plan.judges[ballot.judge];
            if let StoredBallot::Answer(verdict) = plan.asked[*scorer].known(store, *ballot, judge)? {
                lines.push(plan.line(number, &verdict, JudgesSpent::default())?);
            }
        }
        Ok(lines)
    }
}

fn at_work(state: State) -> bool {
    matches!(state, State::Waiting | State::Running)
}

/// Answers of a shard that are needed.
fn planned(index: u32, of: u32, total: u32) -> u32 {
    total / of + u32::from(index < total % of)
}

fn work(run: &Path, reports: &Path) -> Result<Work, WireError> {
    let run = full(run)?;
    let word = path_word(&run)?;
    let folder = run.join(JUDGING);
    // The workspace: reports lie beside the logs.
    let root: PathBuf = reports.parent().unwrap_or(reports).to_owned();
    Ok(Work {
        seen: folder.join(SETTING),
        writes: vec![reports.to_owned()],
        root,
        worker: ["evaluate", &word, "--shard"].map(str::to_owned).into(),
        merge: ["evaluate", &word, "--merge"].map(str::to_owned).into(),
        ground: Ground::Bare,
        folder,
    })
}
