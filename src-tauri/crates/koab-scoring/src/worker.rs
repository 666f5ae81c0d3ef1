//! Makes one shard of a judging as a worker, and merges the answers of all workers.

use super::asking::judge_until;
use super::judges::{Share, panel};
use super::parts::{JudgingPlan, JudgingSetting, MergedVerdicts};
use crate::Scoring;
use crate::evaluate::ScoringResult;
use crate::worker_home::{is_worker, job_name, workers};
use koab_core::judge::Verdict;
use koab_core::say;
use koab_engine::budget::Budget;
use koab_engine::judging::{Ballot, Panel};
use koab_engine::plan::Shard;
use koab_engine::ports::Cancel;
use koab_library::options::{EvaluateOptions, JudgeChoice, RunChoice};
use koab_library::questions::StoredBallot;
use koab_library::{JudgingMerge, JudgingPart, ShardRequest};
use koab_models::SpendingCaps;
use koab_store::verdict_shards::{JUDGING, JudgesSpent, ShardVerdicts, VerdictShard};
use koab_workspace::WireError;
use std::collections::BTreeMap;
use std::path::Path;

impl Scoring {
    /// Asks the judges the questions of one shard. If the submission has another setting than
    /// `options`, the setting of the submission is used.
    ///
    /// # Errors
    /// When the run or shard does not exist, there are no judges, the questions differ from those
    /// of the submission, a judge cannot be called, or a file cannot be written.
    pub async fn judge_part(
        &self,
        options: EvaluateOptions,
        ShardRequest { index, of }: ShardRequest,
        cancel: &Cancel,
    ) -> Result<JudgingPart, WireError> {
        if of == 0 || index >= of {
            return Err(WireError::bad_request(say!(
                "there is no part {index} of {of}; parts are counted from 0, as in --shard 0/8"
            )));
        }
        let shard = Shard { index, of };
        let submitted = self.judging_setting(&options)?;
        let options = match &submitted {
            Some((folder, setting)) => setting.options(Path::new(folder)),
            None => options,
        };
        let run = self.library.with_attempts(self.library.read_run(&options)?, &options)?;
        let (choice, local, _) = self.judges_chosen(&options, &run.entry.id).await?;
        let JudgeChoice::Models { ids, base_url } = choice else {
            return Err(no_judges());
        };
        let plan = self.judging_plan(&run, &options, &ids, base_url.as_deref())?;
        if submitted.as_ref().is_some_and(|(_, setting)| setting.plan != plan.hash) {
            return Err(WireError::bad_request(say!(
                "the questions about the run differ from those when it was handed over: this machine has another pack, or the run has more attempts; hand it over again with `koab score {} --on slurm`",
                run.entry.id
            )));
        }
        let judging = run.entry.run.folder.join(JUDGING);
        let (mut file, stored) = VerdictShard::start(&judging, shard, &plan.hash, job_name())?;
        if submitted.is_none() {
            // Started by hand: the merge needs the settings for the number of answers.
            JudgingSetting::new(&options, &plan, self.workspace.home().reports()).write(&judging)?;
        }
        let before = submitted.map(|(_, setting)| setting.spent).unwrap_or_default();
        let caps = shared_caps(&options.caps, before, of);
        let shared = self.judges_budget(&run, &EvaluateOptions { caps, ..options.clone() }, &ids)?;
        let share = Share { in_flight: options.concurrency, workers: workers() };
        let part = JudgingPart {
            run: run.entry.id.clone(),
            answered: 0,
            failed: 0,
            stopped: None,
            taken_over: false,
        };
        let spending = shared.beside(None);
        let open = self.open_questions(&plan, &stored, shard, &mut file)?;
        if open.is_empty() {
            return Ok(part);
        }
        let judges =
            self.open_judges(&ids, base_url.as_deref(), &local, &shared, share, &mut Vec::new()).await?;
        let mut judging = ShardJudging { plan: &plan, panel: panel(judges, share), spending, file, part };
        for (scorer, numbers) in &open {
            judging.ask(*scorer, numbers, cancel).await?;
            if judging.part.taken_over {
                break;
            }
        }
        Ok(judging.part)
    }

    /// Returns the numbers of the shard's unanswered ballots, by scorer. A ballot is one vote of
    /// one judge on one question.
    ///
    /// A ballot that the workspace has a stored answer to is written to the shard's file instead.
    fn open_questions(
        &self,
        plan: &JudgingPlan,
        stored: &ShardVerdicts,
        Shard { index, of }: Shard,
        file: &mut VerdictShard,
    ) -> Result<Vec<OpenQuestions>, WireError> {
        let store = self.workspace.store()?;
        let mut open: Vec<OpenQuestions> = Vec::new();
        for (number, (scorer, ballot)) in plan.ballots.iter().enumerate() {
            let is_answered = stored.lines.get(&(number as u32)).is_some_and(|line| !line.failed);
            if number % of as usize != index as usize || is_answered {
                continue;
            }
            let judge = &plan.judges[ballot.judge];
            if let StoredBallot::Answer(verdict) = plan.asked[*scorer].stored(store, *ballot, judge)? {
                file.append(&plan.line(number, &verdict, JudgesSpent::default())?)?;
                continue;
            }
            match open.last_mut() {
                Some((last, ballots)) if last == scorer => {
                    ballots.insert(*ballot, number);
                }
                _ => open.push((*scorer, BTreeMap::from([(*ballot, number)]))),
            }
        }
        Ok(open)
    }

    /// Imports the workers' answers and scores the run, without calling judges. If answers are
    /// missing, the run is not scored.
    ///
    /// # Errors
    /// When the judging of the run was not submitted, a file belongs to other questions, or a file
    /// cannot be read or written.
    pub async fn judging_merge(
        &self,
        id: &str,
        cancel: &Cancel,
    ) -> Result<(JudgingMerge, Option<ScoringResult>), WireError> {
        let entry = self.library.run_meant(id)?;
        let folder = &entry.run.folder;
        let none = || {
            WireError::not_found(say!(
                "no workers were handed the run {} to judge; `koab score {} --on slurm` hands it over",
                entry.id,
                entry.id
            ))
        };
        let setting = JudgingSetting::read(folder)?.ok_or_else(none)?;
        let MergedVerdicts { total, done, failed, doubled, damaged } =
            self.take_verdicts(folder)?.ok_or_else(none)?;
        let merge = JudgingMerge {
            run: entry.id.clone(),
            total,
            answered: done - failed.len() as u32,
            failed: failed.len() as u32,
            missing: total - done,
            doubled,
            problems: damaged,
        };
        if merge.missing > 0 {
            return Ok((merge, None));
        }
        let mut options = setting.options(folder);
        options.asks = false;
        options.failed = failed;
        if is_worker() {
            options.output = Some(setting.reports);
        }
        let scored = self.evaluate(options, &|_, _| (), cancel).await?;
        Ok((merge, Some(scored)))
    }

    /// Returns the workers' settings for the run that is scored, and the run's folder. `None` if
    /// the judging of the run was not submitted.
    fn judging_setting(
        &self,
        options: &EvaluateOptions,
    ) -> Result<Option<(String, JudgingSetting)>, WireError> {
        let RunChoice::Run(run) = &options.run else {
            return Ok(None);
        };
        if options.judges != JudgeChoice::Default {
            return Ok(None);
        }
        let entry = self.library.run_meant(run)?;
        let setting = JudgingSetting::read(&entry.run.folder)?;
        Ok(setting.map(|setting| (entry.run.folder.display().to_string(), setting)))
    }
}

/// Index of a scorer, and its unanswered ballots with their numbers in [`JudgingPlan::ballots`].
type OpenQuestions = (usize, BTreeMap<Ballot, usize>);

/// One shard's questions in progress.
struct ShardJudging<'a> {
    plan: &'a JudgingPlan,
    panel: Panel,
    /// Spending of all judges of the shard.
    spending: Budget,
    file: VerdictShard,
    part: JudgingPart,
}

impl ShardJudging<'_> {
    /// Makes the calls of these ballots of one scorer, and writes each answer to the shard's file.
    /// Stops early if another worker has taken over the shard.
    ///
    /// # Errors
    /// When the file cannot be written, or `cancel` was triggered.
    async fn ask(
        &mut self,
        scorer: usize,
        numbers: &BTreeMap<Ballot, usize>,
        cancel: &Cancel,
    ) -> Result<(), WireError> {
        let Self { plan, panel, spending, file, part } = self;
        let mut ballots: Vec<Ballot> = numbers.keys().copied().collect();
        ballots.sort_unstable();
        let (mut file_error, stop) = (None, Cancel::new());
        let on_verdict = |ballot: Ballot, verdict: &Verdict| {
            let spending = spending.spending();
            let spent = JudgesSpent { tokens: spending.usage.total_tokens, usd: spending.usd };
            let result = plan.line(numbers[&ballot], verdict, spent).and_then(|line| Ok(file.append(&line)?));
            part.answered += 1;
            part.failed += u32::from(verdict.failure().is_some());
            if let Err(error) = result {
                file_error.get_or_insert(error);
                stop.cancel();
            } else if file.is_taken_over() {
                part.taken_over = true;
                stop.cancel();
            }
        };
        let questions = &plan.asked[scorer].questions;
        let outcome = judge_until(questions, &ballots, panel, |_| None, on_verdict, &stop, cancel).await;
        match (file_error, outcome) {
            (Some(error), _) => Err(error),
            (None, Ok(judged)) => {
                part.stopped = judged.stopped.or(part.stopped.take());
                Ok(())
            }
            (None, Err(_)) if part.taken_over => Ok(()),
            (None, Err(_)) => Err(WireError::cancelled(say!("cancelled; the verdicts so far are kept"))),
        }
    }
}

/// Error message: no judges are named.
pub fn no_judges() -> WireError {
    WireError::bad_request(say!("the workers have no judge to ask; name judges with --judge-models"))
}

/// Returns the share of one shard in the rest of a scoring's caps.
fn shared_caps(caps: &SpendingCaps, before: JudgesSpent, of: u32) -> SpendingCaps {
    let cost = |cap: f64| (cap - before.usd.unwrap_or(0.0)).max(0.0) / f64::from(of);
    let tokens = |cap: u64| cap.saturating_sub(before.tokens) / u64::from(of);
    SpendingCaps {
        max_cost: caps.max_cost.map(cost),
        max_total_tokens: caps.max_total_tokens.map(tokens),
        ..*caps
    }
}
