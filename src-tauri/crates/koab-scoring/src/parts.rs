//! A judging that several workers make together.
//!
//! This module contains its settings (`judging/judging.json` in the run's folder), the division of
//! the questions into shards, and the import of the answers into the workspace.

use crate::Scoring;
use koab_core::cache_key::sha256_hex;
use koab_core::judge::Verdict;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::if_there;
use koab_engine::judging::{Ballot, ballots};
use koab_library::evaluation::evaluation_options;
use koab_library::options::{
    AggregateChoice, EvaluateOptions, FailedVerdicts, Formats, JudgeChoice, RunChoice,
};
use koab_library::questions::JudgeQuestions;
use koab_library::run::Run;
use koab_models::{LocalSettings, SpendingCaps};
use koab_store::verdict_shards::{self, JUDGING, JudgesSpent, ShardVerdicts, VerdictLine};
use koab_store::verdicts::VerdictKey;
use koab_store::{Error as StoreError, atomic};
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// File name of the workers' settings.
pub const SETTING: &str = "judging.json";

/// Settings for the workers of a judging. Keys are not included: workers get them as environment
/// variables.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JudgingSetting {
    /// Hash of all questions. A worker whose questions have another hash asks none of them.
    pub plan: String,
    /// Number of answers that the judging needs.
    pub total: u32,
    pub(crate) judges: Vec<String>,
    pub(crate) base_url: Option<String>,
    votes: u32,
    median: bool,
    scorers: Vec<Protocol>,
    levels: Vec<Level>,
    sample: Option<usize>,
    all_metrics: bool,
    formats: [bool; 3],
    first_repetition: bool,
    /// Cap on the cost of all workers together, in USD.
    pub max_cost: Option<f64>,
    /// Cap on the tokens of all workers together.
    pub max_total_tokens: Option<u64>,
    /// Spending of earlier submissions of this judging.
    pub spent: JudgesSpent,
    /// Maximum number of concurrent calls of all workers together.
    pub(crate) concurrency: Option<u32>,
    /// Folder that will contain the reports.
    pub reports: PathBuf,
}

impl JudgingSetting {
    /// Creates the settings of a judging from those of its scoring. `reports` is the folder that
    /// will contain the reports.
    pub fn new(options: &EvaluateOptions, plan: &JudgingPlan, reports: PathBuf) -> Self {
        let Formats { json, csv, markdown } = options.formats;
        Self {
            plan: plan.hash.clone(),
            total: plan.ballots.len() as u32,
            judges: plan.judges.clone(),
            base_url: plan.base_url.clone(),
            votes: options.votes,
            median: options.aggregate == AggregateChoice::Median,
            scorers: options.scorers.clone(),
            levels: options.levels.clone(),
            sample: options.sample,
            all_metrics: options.all_metrics,
            formats: [json, csv, markdown],
            first_repetition: options.first_repetition,
            max_cost: options.caps.max_cost,
            max_total_tokens: options.caps.max_total_tokens,
            spent: JudgesSpent::default(),
            concurrency: options.concurrency,
            reports,
        }
    }

    /// Reads the settings of a run's judging; `None` if the file does not exist.
    ///
    /// # Errors
    /// When the file cannot be read, or does not contain settings.
    pub fn read(run: &Path) -> Result<Option<Self>, WireError> {
        let path = run.join(JUDGING).join(SETTING);
        let read = if_there(std::fs::read(&path)).map_err(|error| WireError::unreadable(&path, error))?;
        let Some(text) = read else {
            return Ok(None);
        };
        serde_json::from_slice(&text).map(Some).map_err(|error| {
            WireError::storage(say!("{} cannot be read: {error}; move it away", path.display()))
        })
    }

    /// Writes the settings to the folder of the judging.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, judging: &Path) -> Result<(), WireError> {
        let text = serde_json::to_vec_pretty(self).map_err(WireError::internal)?;
        Ok(atomic::write(&judging.join(SETTING), &text)?)
    }

    /// Returns the options of the scoring that the judging belongs to.
    pub fn options(&self, run: &Path) -> EvaluateOptions {
        let [json, csv, markdown] = self.formats;
        EvaluateOptions {
            levels: self.levels.clone(),
            judges: JudgeChoice::Models { ids: self.judges.clone(), base_url: self.base_url.clone() },
            votes: self.votes,
            aggregate: if self.median { AggregateChoice::Median } else { AggregateChoice::Mean },
            scorers: self.scorers.clone(),
            all_metrics: self.all_metrics,
            sample: self.sample,
            formats: Formats { json, csv, markdown },
            first_repetition: self.first_repetition,
            concurrency: self.concurrency,
            caps: SpendingCaps {
                max_cost: self.max_cost,
                max_total_tokens: self.max_total_tokens,
                ..SpendingCaps::default()
            },
            ..EvaluateOptions::published(RunChoice::Run(run.display().to_string()))
        }
    }
}

/// Deletes the folder with the workers' settings and answers.
pub fn remove(run: &Path) -> Result<(), WireError> {
    let folder = run.join(JUDGING);
    std::fs::remove_dir_all(&folder)
        .map_err(|error| WireError::storage(say!("{} cannot be removed: {error}", folder.display())))
}

/// All questions of a scoring. A question that both scorers ask is contained once.
pub struct JudgingPlan {
    /// Ids of the judges.
    pub judges: Vec<String>,
    /// Address of the judges' server.
    pub base_url: Option<String>,
    /// Questions of each scorer.
    pub asked: Vec<JudgeQuestions>,
    /// Ballots (votes of one judge on one question), each with the index of its scorer. The
    /// position in this list is the number of the ballot, which decides its shard.
    pub ballots: Vec<(usize, Ballot)>,
    /// Hash of all questions.
    pub hash: String,
}

impl JudgingPlan {
    pub(crate) fn key(&self, number: usize) -> [String; 3] {
        let (scorer, ballot) = self.ballots[number];
        self.asked[scorer].owned_key(ballot, &self.judges[ballot.judge])
    }

    /// Returns the line of an answer in a worker's file.
    pub fn line(
        &self,
        number: usize,
        verdict: &Verdict,
        spent: JudgesSpent,
    ) -> Result<VerdictLine, WireError> {
        let [question, judge, version] = self.key(number);
        Ok(VerdictLine {
            number: number as u32,
            question,
            judge,
            version,
            verdict: serde_json::to_value(verdict).map_err(WireError::internal)?,
            failed: verdict.failure().is_some(),
            spent,
        })
    }
}

/// The workers' answers after their import into the workspace.
pub struct MergedVerdicts {
    /// Number of answers that the judging needs.
    pub total: u32,
    /// Number of answers that exist, including failed answers.
    pub done: u32,
    /// Failed answers of judges, by storage key.
    pub failed: FailedVerdicts,
    /// Number of answers that two workers of the same shard received.
    pub doubled: u32,
    /// Problems with the workers' files, one sentence each.
    pub damaged: Vec<Sentence>,
}

impl Scoring {
    /// Returns all questions of a scoring to these judges.
    pub fn judging_plan(
        &self,
        run: &Run,
        options: &EvaluateOptions,
        ids: &[String],
        base_url: Option<&str>,
    ) -> Result<JudgingPlan, WireError> {
        let dataset = self.library.dataset(run)?;
        let mut plan = JudgingPlan {
            judges: ids.to_vec(),
            base_url: base_url.map(str::to_owned),
            asked: Vec::new(),
            ballots: Vec::new(),
            hash: String::new(),
        };
        let (mut seen, mut keys) = (HashSet::new(), String::new());
        for (place, scorer) in options.scorers.iter().enumerate() {
            let mut evaluation = evaluation_options(options, run, *scorer);
            evaluation.panel.judges = ids.to_vec();
            let questions =
                self.library.questions(run, &dataset, &evaluation, base_url, &LocalSettings::default())?;
            for ballot in ballots(&questions.questions, ids.len()) {
                let key = questions.owned_key(ballot, &ids[ballot.judge]);
                if !seen.contains(&key) {
                    keys.push_str(&key.join(" "));
                    keys.push('\n');
                    plan.ballots.push((place, ballot));
                    seen.insert(key);
                }
            }
            plan.asked.push(questions);
        }
        plan.hash = sha256_hex(&keys);
        Ok(plan)
    }

    /// Imports the workers' answers about a run into the workspace; `None` if the judging of the
    /// run was not submitted.
    ///
    /// # Errors
    /// When a file belongs to other questions, or a file cannot be read or written.
    pub fn take_verdicts(&self, run: &Path) -> Result<Option<MergedVerdicts>, WireError> {
        let Some(setting) = JudgingSetting::read(run)? else {
            return Ok(None);
        };
        let ShardVerdicts { lines, doubled, damaged, .. } =
            verdict_shards::read(&run.join(JUDGING), &setting.plan)?;
        let store = self.workspace.store()?;
        let mut failed = FailedVerdicts::new();
        // A number beyond the total belongs to no question of this judging.
        let lines = lines.into_iter().take_while(|(number, _)| *number < setting.total);
        let mut done = 0;
        for (_, line) in lines {
            done += 1;
            let key = VerdictKey {
                question_hash: &line.question,
                judge: &line.judge,
                prompt_version: &line.version,
            };
            if !line.failed {
                store.keep_verdict(key, &line.verdict)?;
                continue;
            }
            let verdict: Verdict = serde_json::from_value(line.verdict)
                .map_err(|error| StoreError::BadFile(error.to_string().into()))?;
            if let Some(reason) = verdict.failure() {
                store.keep_verdict_failure(key, reason)?;
            }
            failed.insert([line.question, line.judge, line.version], verdict);
        }
        Ok(Some(MergedVerdicts { total: setting.total, done, failed, doubled: doubled as u32, damaged }))
    }
}

#[cfg(test)]
mod tests;
