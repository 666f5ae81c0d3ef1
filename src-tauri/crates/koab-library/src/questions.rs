//! The questions of a run to judges, and the keys under which their answers are stored.

use crate::Library;
use crate::run::Run;
use koab_core::address;
use koab_core::cache_key::sha256_hex;
use koab_core::judge::{JudgePrompts, JudgeQuestion, Verdict};
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_engine::judging::Ballot;
use koab_models::is_local;
use koab_models::local_models::LocalSettings;
use koab_report::{Dataset, EvaluationOptions, questions};
use koab_store::verdicts::VerdictKey;
use koab_store::{Error as StoreError, Store};
use koab_workspace::WireError;
use std::collections::HashMap;

/// The questions of a run, with the parts of the keys ([`VerdictKey`]) that their answers are
/// stored under.
pub struct JudgeQuestions {
    /// The questions, in the order of tasks.
    pub questions: Vec<JudgeQuestion>,
    /// Attempts that each question is about. Attempts with the same answer share a question.
    pub about: Vec<Vec<QuestionAttempt>>,
    hashes: Vec<String>,
    prompt_version: String,
    /// Version like [`Self::prompt_version`], for judges inside the application that run at another
    /// precision than the published one.
    prompt_version_local: Option<String>,
}

/// The attempt that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionAttempt {
    /// The attempt in the log.
    Logged,
    /// A later repetition, by its number.
    Later(u32),
}

impl JudgeQuestions {
    /// Returns the hash of a question, by its position.
    pub fn hash(&self, question: usize) -> &str {
        &self.hashes[question]
    }

    /// Reads the stored answer for a ballot: one vote of one judge on one question.
    pub fn stored(&self, store: &Store, ballot: Ballot, judge: &str) -> Result<StoredBallot, StoreError> {
        let version = self.version(ballot, judge);
        match store.verdict(self.key(ballot, judge, &version)) {
            Ok(None) => Ok(StoredBallot::Nothing),
            Ok(Some(value)) => {
                let verdict = serde_json::from_value(value).map(StoredBallot::Answer);
                Ok(verdict.unwrap_or(StoredBallot::Unreadable))
            }
            Err(StoreError::BadFile(_)) => Ok(StoredBallot::Unreadable),
            Err(error) => Err(error),
        }
    }

    /// Returns the version part of the storage key: [`prompt_version`], `#` and the number of the
    /// vote, because a judge may answer a question several times.
    pub fn version(&self, ballot: Ballot, judge: &str) -> String {
        let local = self.prompt_version_local.as_ref().filter(|_| is_local(judge));
        format!("{}#{}", local.unwrap_or(&self.prompt_version), ballot.vote)
    }

    /// Returns the storage key as owned strings: hash of the question, judge and version.
    pub fn owned_key(&self, ballot: Ballot, judge: &str) -> [String; 3] {
        let version = self.version(ballot, judge);
        [self.hash(ballot.question).to_owned(), judge.to_owned(), version]
    }

    /// Returns the storage key of the answer of a judge to a ballot.
    pub fn key<'a>(&'a self, ballot: Ballot, judge: &'a str, version: &'a str) -> VerdictKey<'a> {
        VerdictKey { question_hash: self.hash(ballot.question), judge, prompt_version: version }
    }
}

/// Returns the conditions that a judge answers under: the text of the prompts and the address of
/// the server. Two servers may serve different models under one name.
fn asked_with(prompts: &str, base_url: Option<&str>) -> String {
    format!("{prompts}\n{}", base_url.map(address::kept).unwrap_or_default())
}

/// Returns the SHA-256 of judge prompts and server address. It is the version part of the storage
/// key of an answer, without the number of the vote.
pub fn prompt_version(prompts: &str, base_url: Option<&str>) -> String {
    sha256_hex(&asked_with(prompts, base_url))
}

/// Result of reading the stored answer for a ballot.
pub enum StoredBallot {
    /// The stored verdict.
    Answer(Verdict),
    /// An answer is stored, but cannot be read.
    Unreadable,
    /// No answer is stored.
    Nothing,
}

impl Library {
    /// Returns the questions of a run under these options.
    pub fn questions(
        &self,
        run: &Run,
        dataset: &Dataset,
        options: &EvaluationOptions,
        base_url: Option<&str>,
        local: &LocalSettings,
    ) -> Result<JudgeQuestions, WireError> {
        let (text, prompts) = self.prompts_for(run, dataset, options.scorer)?;
        let mut list = questions(&run.logs, dataset, &prompts, options);
        let mut hashes: Vec<String> = list.iter().map(JudgeQuestion::hash).collect();
        let mut about = vec![vec![QuestionAttempt::Logged]; list.len()];
        let mut place_of: HashMap<(String, String, MetricId), usize> = HashMap::new();
        for (place, (question, hash)) in list.iter().zip(&hashes).enumerate() {
            place_of.insert((question.task_id.clone(), hash.clone(), question.metric), place);
        }
        for later in run.later_to_judge() {
            let (repetition, logs) = later?;
            for question in questions(&logs, dataset, &prompts, options) {
                let hash = question.hash();
                let same = (question.task_id.clone(), hash.clone(), question.metric);
                if let Some(place) = place_of.get(&same) {
                    about[*place].push(QuestionAttempt::Later(repetition));
                    continue;
                }
                place_of.insert(same, list.len());
                about.push(vec![QuestionAttempt::Later(repetition)]);
                hashes.push(hash);
                list.push(question);
            }
        }
        let version = asked_with(&text, base_url);
        Ok(JudgeQuestions {
            questions: list,
            about,
            hashes,
            prompt_version: sha256_hex(&version),
            // The same model at a lower precision may judge differently.
            prompt_version_local: local
                .precision()
                .map(|precision| sha256_hex(&format!("{version}\n{precision}"))),
        })
    }

    /// Returns the judge prompts for a run, and their text. A run of another benchmark has no
    /// prompts, because the benchmark defines its own questions.
    pub fn prompts_for(
        &self,
        run: &Run,
        dataset: &Dataset,
        scorer: Protocol,
    ) -> Result<(String, JudgePrompts), WireError> {
        if dataset.is_of_items() {
            // The corrected rules may reject an answer that the published rules accept and request
            // it again, so each scorer stores its own.
            let rules = match scorer {
                Protocol::Corrected => scorer.as_str(),
                Protocol::Leaderboard => "",
            };
            return Ok((rules.to_owned(), JudgePrompts::none()));
        }
        let yaml = self.judge_prompts(run)?;
        let prompts = JudgePrompts::parse(&yaml)
            .map_err(|error| WireError::bad_file(say!("the pack's judge prompts: {error}")))?;
        Ok((yaml, prompts))
    }

    pub(crate) fn judge_prompts(&self, run: &Run) -> Result<String, WireError> {
        let name = match &run.manifest {
            Some(manifest) => self.workspace.pack_of_label(&manifest.spec.pack)?,
            None => self.workspace.pack_name(None)?,
        };
        let pack = self.workspace.load_pack(&name)?;
        if pack.judge_prompts.trim().is_empty() {
            return Err(WireError::not_found(say!(
                "pack {name} has no judge prompts; score with --no-judge"
            )));
        }
        Ok(pack.judge_prompts)
    }
}
