//! A part of a judging, asked by one worker, and the merge behind all of them.

use super::judges::{Share, panel};
use super::parts::{JudgingSetting, MergedVerdicts};
use super::questions::StoredBallot;
use crate::Scoring;
use crate::options::{EvaluateOptions, JudgeChoice, RunChoice};
use crate::runs::worker::{is_worker, job_name, workers};
use crate::scoring::ScoringResult;
use crate::wire::{JudgingMerge, JudgingPart, ShardRequest, WireError};
use koab_core::judge::Verdict;
use koab_core::say;
use koab_engine::judging::{Ballot, judge};
use koab_engine::plan::Shard;
use koab_engine::ports::Cancel;
use koab_models::SpendingCaps;
use koab_store::verdict_shards::{JUDGING, JudgesSpent, VerdictShard};
use std::collections::BTreeMap;
use std::path::Path;
use std::pin::pin;

impl Scoring {
    /// Asks the judges one part of the questions of a scoring. Where workers were told who judges,
    /// and how, that counts; else what is asked for here.
    ///
    /// # Errors
    /// When there is no such run or part, nobody is to judge, the questions are others than those
    /// of the submission, a judge cannot be asked at all, or the disk refuses.
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
        let told = self.judging_setting(&options)?;
        let options = match &told {
            Some((folder, setting)) => setting.options(Path::new(folder)),
            None => options,
        };
        let run = self.with_attempts(self.library.read_run(&options)?, &options)?;
        let (choice, local, _) = self.judges_chosen(&options, &run.entry.id).await?;
        let JudgeChoice::Models { ids, base_url } = choice else {
            return Err(nobody());
        };
        let plan = self.judging_plan(&run, &options, &ids, base_url.as_deref())?;
        if told.as_ref().is_some_and(|(_, setting)| setting.plan != plan.hash) {
            return Err(WireError::bad_request(say!(
                "the questions about the run are others here than where it was handed over: the pack of this machine is another one, or the run has grown; hand it over again with `koab evaluate {} --on slurm`",
                run.entry.id
            )));
        }
        let judging = run.entry.run.folder.join(JUDGING);
        let (mut file, found) = VerdictShard::start(&judging, shard, &plan.hash, job_name())?;
        if told.is_none() {
            // Begun by hand: whoever joins the parts must know how many answers are needed.
            JudgingSetting::new(&options, &plan, self.workspace.home().reports()).write(&judging)?;
        }
        let before = told.map(|(_, setting)| setting.spent).unwrap_or_default();
        let caps = shared_caps(&options.caps, before, of);
        let shared = self.judges_budget(&run, &EvaluateOptions { caps, ..options.clone() }, &ids)?;
        let share = Share { in_flight: options.concurrency, workers: workers() };
        let watch = shared.beside(None);
        let store = self.workspace.store()?;
        let mut mine: Vec<(usize, BTreeMap<Ballot, usize>)> = Vec::new();
        for (number, (scorer, ballot)) in plan.ballots.iter().enumerate() {
            let answered = found.lines.get(&(number as u32)).is_some_and(|line| !line.failed);
            if number % of as usize != index as usize || answered {
                continue;
            }
            let judge = &plan.judges[ballot.judge];
            if let StoredBallot::Answer(verdict) = plan.asked[*scorer].stored(store, *ballot, judge)? {
                file.append(&plan.line(number, &verdict, JudgesSpent::default())?)?;
                continue;
            }
            match mine.last_mut() {
                Some((last, ballots)) if last == scorer => {
                    ballots.insert(*ballot, number);
                }
                _ => mine.push((*scorer, BTreeMap::from([(*ballot, number)]))),
            }
        }
        let mut part = JudgingPart {
            run: run.entry.id.clone(),
            answered: 0,
            failed: 0,
            stopped: None,
            taken_over: false,
        };
        let (mut refused, own) = (None, Cancel::new());
        if !mine.is_empty() {
            let judges =
                self.open_judges(&ids, base_url.as_deref(), &local, &shared, share, &mut Vec::new()).await?;
            let panel = panel(judges, share);
            for (scorer, numbers) in &mine {
                let asked = &plan.asked[*scorer].questions;
                let mut ballots: Vec<Ballot> = numbers.keys().copied().collect();
                ballots.sort_unstable();
                let came = |ballot: Ballot, verdict: &Verdict| {
                    let spending = watch.spending();
                    let spent = JudgesSpent { tokens: spending.usage.total_tokens, usd: spending.usd };
                    let kept =
                        plan.line(numbers[&ballot], verdict, spent).and_then(|line| Ok(file.append(&line)?));
                    part.answered += 1;
                    part.failed += u32::from(verdict.failure().is_some());
                    if let Err(error) = kept {
                        refused.get_or_insert(error);
                        own.cancel();
                    } else if file.is_taken_over() {
                        part.taken_over = true;
                        own.cancel();
                    }
                };
                let ended = {
                    let mut asking = pin!(judge(asked, &ballots, &panel, |_| None, came, &own));
                    tokio::select! {
                        ended = &mut asking => ended,
                        () = cancel.cancelled() => {
                            own.cancel();
                            // Answers that are in are kept.
                            asking.await
                        }
                    }
                };
                if let Some(error) = refused {
                    return Err(error);
                }
                match ended {
                    Ok(judged) => part.stopped = judged.stopped.or(part.stopped),
                    Err(_) if part.taken_over => break,
                    Err(_) => {
                        return Err(WireError::cancelled(say!("cancelled; the verdicts so far are kept")));
                    }
                }
            }
        }
        Ok(part)
    }

    /// Joins what workers were told and scores the run; nobody is asked. Where answers are missing
    /// nothing is scored.
    ///
    /// # Errors
    /// When no workers were to judge the run, a file is of other questions, or the disk refuses.
    pub async fn judging_merge(
        &self,
        id: &str,
        cancel: &Cancel,
    ) -> Result<(JudgingMerge, Option<ScoringResult>), WireError> {
        let entry = self.library.run_meant(id)?;
        let folder = &entry.run.folder;
        let none = || {
            WireError::not_found(say!(
                "no workers were to judge the run {}; `koab evaluate {} --on slurm` hands it over",
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

    /// What workers were told of the run of a scoring, with its folder.
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

/// Nobody judges.
pub(crate) fn nobody() -> WireError {
    WireError::bad_request(say!("workers ask judges, and none is named; name them with --judge-models"))
}

/// The share of a part in what a scoring may still take.
fn shared_caps(caps: &SpendingCaps, before: JudgesSpent, of: u32) -> SpendingCaps {
    let cost = |cap: f64| (cap - before.usd.unwrap_or(0.0)).max(0.0) / f64::from(of);
    let tokens = |cap: u64| cap.saturating_sub(before.tokens) / u64::from(of);
    SpendingCaps {
        max_cost: caps.max_cost.map(cost),
        max_total_tokens: caps.max_total_tokens.map(tokens),
        ..*caps
    }
}
