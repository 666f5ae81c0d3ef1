//! Who judges and how they are asked: the default panel, the questions of a run, the asking itself within its caps, and
//! what of it a reader of the report must know.

use crate::Runs;
use crate::options::{EvaluateOptions, JudgeChoice, SpendingCaps};
use crate::scoring::run::Run;
use crate::wire::{DefaultJudge, ErrorCode, WireError};
use koab_core::cache_key::sha256_hex;
use koab_core::judge::{JudgePrompts, JudgeQuestion, Verdict, Verdicts, family};
use koab_core::protocol::Protocol;
use koab_core::report::{Dataset, EvaluationOptions, questions};
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_engine::budget::Budget;
use koab_engine::egress::Purpose;
use koab_engine::judging::{self, Ballot, JudgingResult, judge};
use koab_engine::ports::Cancel;
use koab_engine::retry::RetryPolicy;
use koab_models::local::{LocalRun, LocalSettings};
use koab_models::{LocalUse, ModelAddress, is_local};
use koab_store::verdicts::VerdictKey;
use koab_store::{Error as StoreError, Store};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Questions to judges in flight.
const JUDGE_CONCURRENCY: u32 = 8;
/// Seconds a judge has for an answer, as published.
const JUDGE_TIMEOUT_S: u64 = 60;

/// The documented panel (`docs/spec/metrics.md` §4: one GPT-4o, one Claude Sonnet 4.5, one Gemini 2.5 Pro), each with the
/// key that it needs.
const DEFAULT_PANEL: [(&str, &str); 3] = [
    ("openai/gpt-4o", "OPENAI_API_KEY"),
    ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
    ("gemini/gemini-2.5-pro", "GEMINI_API_KEY"),
];

/// What the judges are asked about.
#[derive(Clone, Copy)]
pub(crate) struct JudgeContext<'a> {
    pub(crate) run: &'a Run,
    pub(crate) dataset: &'a Dataset,
    pub(crate) options: &'a EvaluationOptions,
    pub(crate) base_url: Option<&'a str>,
    /// How judges inside the application run.
    pub(crate) local: &'a LocalSettings,
    /// The purse that all judges of the scoring spend from.
    pub(crate) purse: &'a Budget,
    /// Answers that reports of the run recorded; who gave one there is not asked again.
    pub(crate) recorded: Option<&'a Verdicts>,
    /// Whether judges are asked at all; if not, what they said earlier counts and the rest stays unasked.
    pub(crate) asks: bool,
    /// Whether the run's next scoring begins with these judges, once each of them could be opened.
    pub(crate) remembered: bool,
}

/// What came of asking.
pub(crate) struct JudgeAnswers {
    /// About the attempts that the logs have.
    pub(crate) verdicts: Verdicts,
    /// About the others, by repetition.
    pub(crate) later: BTreeMap<u32, Verdicts>,
    /// What a reader of the report must know.
    pub(crate) notes: Vec<Sentence>,
    /// Whether the caps left questions unasked.
    pub(crate) stopped: bool,
}

/// The questions of a run with what their answers are stored under.
pub(crate) struct JudgeQuestions {
    pub(crate) questions: Vec<JudgeQuestion>,
    /// Which attempts each question is about. Two that gave the same answer are one question.
    about: Vec<Vec<About>>,
    hashes: Vec<String>,
    prompt_version: String,
    /// As [`Self::prompt_version`], of judges inside the application at another precision than the published one.
    prompt_version_local: Option<String>,
}

/// Which attempt at its task a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// The one in the log.
    Logged,
    /// Another repetition.
    Later(u32),
}

impl JudgeQuestions {
    pub(crate) fn hash(&self, question: usize) -> &str {
        &self.hashes[question]
    }

    /// Reads the stored answer to a ballot.
    pub(crate) fn known(
        &self,
        store: &Store,
        ballot: Ballot,
        judge: &str,
    ) -> Result<StoredBallot, StoreError> {
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

    /// One question can be asked several times (votes).
    fn version(&self, ballot: Ballot, judge: &str) -> String {
        let local = self.prompt_version_local.as_ref().filter(|_| is_local(judge));
        format!("{}#{}", local.unwrap_or(&self.prompt_version), ballot.vote)
    }

    fn key<'a>(&'a self, ballot: Ballot, judge: &'a str, version: &'a str) -> VerdictKey<'a> {
        VerdictKey {
            question_hash: self.hash(ballot.question),
            judge,
            prompt_version: version,
        }
    }
}

/// What is stored for a ballot.
pub(crate) enum StoredBallot {
    Answer(Verdict),
    Unreadable,
    Nothing,
}

impl Runs {
    /// The documented panel of judges, each with whether its key is there. Nobody is asked to unlock anything.
    ///
    /// # Errors
    /// As [`Runs::keys_list`].
    pub async fn judges_default(&self) -> Result<Vec<DefaultJudge>, WireError> {
        let keys = self.keys.list().await?.keys;
        let judge = |(id, key): (&str, &str)| DefaultJudge {
            id: id.to_owned(),
            key: key.to_owned(),
            present: keys.iter().any(|row| row.name == key && row.present),
        };
        Ok(DEFAULT_PANEL.map(judge).into())
    }

    /// Who judges a run when nobody is named: those that it was last scored by, else the default panel if all its keys are
    /// there, else nobody, and then a sentence on why. A part of the panel is another measure and is only asked when it is
    /// named.
    ///
    /// # Errors
    /// As [`Runs::judges_default`].
    pub(crate) async fn judges_chosen(
        &self,
        options: &EvaluateOptions,
        run: &str,
    ) -> Result<(JudgeChoice, LocalSettings, Option<Sentence>), WireError> {
        let local = options.judge_local.clone();
        if let JudgeChoice::Models { ids, base_url } = &options.judges {
            let (ids, base_url) = self.models.resolve_judges(ids, base_url.as_deref())?;
            return Ok((JudgeChoice::Models { ids, base_url }, local, None));
        }
        if options.judges != JudgeChoice::Default {
            return Ok((options.judges.clone(), local, None));
        }
        if let Some(kept) = self.judges_remembered(run)? {
            let choice = JudgeChoice::Models {
                ids: kept.judges,
                base_url: kept.judge_base_url,
            };
            return Ok((choice, kept.judge_local.unwrap_or_default(), None));
        }
        let panel = self.judges_default().await?;
        let missing: Vec<&str> = panel
            .iter()
            .filter(|judge| !judge.present)
            .map(|judge| judge.key.as_str())
            .collect();
        let ids = panel.iter().map(|judge| judge.id.clone()).collect();
        if missing.is_empty() {
            return Ok((JudgeChoice::Models { ids, base_url: None }, local, None));
        }
        let sentence = say!(
            "no judge was asked: the default panel ({}) has no {}; store it with `koab keys set`, or name judges with --judge-models",
            panel
                .iter()
                .map(|judge| judge.id.as_str())
                .collect::<Vec<_>>()
                .join(", "),
            missing.join(", "),
        );
        Ok((JudgeChoice::Nobody, local, Some(sentence)))
    }

    /// Finds out, before anything is spent, whether these judges can be asked.
    ///
    /// # Errors
    /// One sentence on the first that cannot.
    pub async fn check_judges(
        &self,
        ids: &[String],
        base_url: Option<&str>,
        local: &LocalSettings,
    ) -> Result<(), WireError> {
        self.check_models(ids, base_url, local, Purpose::Judge).await
    }

    /// Finds out whether a model can be asked.
    ///
    /// # Errors
    /// One sentence on why not.
    pub async fn check_model(&self, id: &str, base_url: Option<&str>) -> Result<(), WireError> {
        let (ids, local) = ([id.to_owned()], LocalSettings::default());
        self.check_models(&ids, base_url, &local, Purpose::Model).await
    }

    async fn check_models(
        &self,
        ids: &[String],
        base_url: Option<&str>,
        local: &LocalSettings,
        purpose: Purpose,
    ) -> Result<(), WireError> {
        for id in ids {
            let ModelAddress { id, base_url } = &self.models.resolve(id, base_url)?;
            if is_local(id) {
                // Loading it takes seconds and its memory; that it is there is enough to know now.
                self.models.check_local(id, local).await?;
                continue;
            }
            let opened = self
                .models
                .open(id, base_url.as_deref(), None, &[], LocalUse::default(), purpose)
                .await?;
            opened.model.check().await?;
        }
        Ok(())
    }

    /// Refuses caps that cannot be kept with these judges.
    ///
    /// # Errors
    /// When a cap is one of money and nobody knows what a judge costs.
    pub fn check_judge_caps(&self, ids: &[String], caps: &SpendingCaps) -> Result<(), WireError> {
        self.models.check_caps(ids, caps)
    }

    /// The questions of a run under these options.
    pub(crate) fn asked(
        &self,
        run: &Run,
        dataset: &Dataset,
        options: &EvaluationOptions,
        base_url: Option<&str>,
        local: &LocalSettings,
    ) -> Result<JudgeQuestions, WireError> {
        let yaml = self.judge_prompts(run)?;
        let prompts = JudgePrompts::parse(&yaml)
            .map_err(|error| WireError::new(ErrorCode::BadFile, say!("the pack's judge prompts: {error}")))?;
        let mut asked = questions(&run.logs, dataset, &prompts, options);
        let mut hashes: Vec<String> = asked.iter().map(JudgeQuestion::hash).collect();
        let mut about = vec![vec![About::Logged]; asked.len()];
        let mut known: HashMap<(String, String, MetricId), usize> = HashMap::new();
        for (place, (question, hash)) in asked.iter().zip(&hashes).enumerate() {
            known.insert((question.task_id.clone(), hash.clone(), question.metric), place);
        }
        for later in run.later_to_judge() {
            let (repetition, logs) = later?;
            for question in questions(&logs, dataset, &prompts, options) {
                let hash = question.hash();
                let same = (question.task_id.clone(), hash.clone(), question.metric);
                if let Some(place) = known.get(&same) {
                    about[*place].push(About::Later(repetition));
                    continue;
                }
                known.insert(same, asked.len());
                about.push(vec![About::Later(repetition)]);
                hashes.push(hash);
                asked.push(question);
            }
        }
        // Two servers may serve different models under one name.
        let version = format!("{yaml}\n{}", base_url.unwrap_or_default());
        Ok(JudgeQuestions {
            questions: asked,
            about,
            hashes,
            prompt_version: sha256_hex(&version),
            // The same model with smaller weights may judge otherwise.
            prompt_version_local: local
                .precision()
                .map(|precision| sha256_hex(&format!("{version}\n{precision}"))),
        })
    }

    /// The purse of a scoring's judges. What they take counts towards the day.
    pub(crate) fn judges_purse(
        &self,
        run: &Run,
        options: &EvaluateOptions,
        ids: &[String],
    ) -> Result<Budget, WireError> {
        self.models.check_caps(ids, &options.caps)?;
        self.models
            .shared_budget(&format!("judges of {}", run.entry.id), &options.caps)
    }

    /// Asks the judges what is not known yet.
    pub(crate) async fn ask_judges(
        &self,
        asking: &JudgeContext<'_>,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &Cancel,
    ) -> Result<JudgeAnswers, WireError> {
        let JudgeContext {
            run,
            dataset,
            options,
            base_url,
            local,
            purse,
            recorded,
            asks,
            remembered,
        } = *asking;
        let asked = self.asked(run, dataset, options, base_url, local)?;
        let mut judges = Vec::new();
        let mut notes = Vec::new();
        // Who is asked nothing is not reached for either: a model inside the application would be loaded.
        for id in options.panel.judges.iter().filter(|_| asks) {
            let wanted = LocalUse {
                settings: local,
                parallel: None,
            };
            let opened = self
                .models
                .open(id, base_url, None, &[], wanted, Purpose::Judge)
                .await?;
            notes.extend(opened.local.as_ref().map(|run| judged_here(id, run)));
            opened.model.check().await?;
            let budget = purse.beside(self.models.price(id)?);
            let model = self.models.gated(opened, Some(JUDGE_CONCURRENCY), budget);
            judges.push((id.clone(), model));
        }
        if asks && remembered {
            // Before anybody is asked: a scoring that is cancelled goes on with the same judges.
            self.remember_judges(&run.entry.id, &options.panel.judges, base_url, local)?;
        }
        let panel = judging::Panel {
            judges,
            concurrency: JUDGE_CONCURRENCY,
            timeout: Duration::from_secs(JUDGE_TIMEOUT_S),
            retry: RetryPolicy::default(),
        };
        let store = self.workspace.store()?;
        let names = &options.panel.judges;
        let ballots = judging::ballots(&asked.questions, names.len());
        let total = ballots.len();
        let done = AtomicUsize::new(0);
        let count = || progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        // All that is known is looked up before anything is asked: a disk that refuses must cost nothing.
        let (mut known, mut unreadable) = (BTreeMap::new(), BTreeSet::new());
        for ballot in ballots {
            match asked.known(store, ballot, &names[ballot.judge])? {
                StoredBallot::Answer(verdict) => {
                    known.insert(ballot, verdict);
                }
                StoredBallot::Unreadable => {
                    unreadable.insert(ballot);
                }
                StoredBallot::Nothing => {
                    let question = &asked.questions[ballot.question];
                    let said = recorded.map(|said| said.of(&question.task_id, question.metric));
                    let judge = &names[ballot.judge];
                    let verdict = said.and_then(|said| recorded_vote(said, judge, ballot.vote));
                    known.extend(verdict.map(|verdict| (ballot, verdict)));
                }
            }
        }
        let at_hand = |ballot: Ballot| known.get(&ballot).inspect(|_| count()).cloned();
        let mut refused = None;
        let came = |ballot: Ballot, verdict: &Verdict| {
            count();
            let version = asked.version(ballot, &verdict.judge);
            let key = asked.key(ballot, &verdict.judge, &version);
            let kept = match (verdict.failure(), serde_json::to_value(verdict)) {
                (Some(reason), _) => store.keep_verdict_failure(key, reason),
                (None, Ok(value)) if unreadable.contains(&ballot) => store.mend_verdict(key, &value),
                (None, Ok(value)) => store.keep_verdict(key, &value).map(|_| ()),
                (None, Err(error)) => Err(StoreError::BadFile(error.to_string().into())),
            };
            if let Err(error) = kept {
                refused.get_or_insert(error);
            }
        };
        let judged = if asks {
            judge(&asked.questions, &panel, at_hand, came, cancel)
                .await
                .map_err(|_| {
                    WireError::new(
                        ErrorCode::Cancelled,
                        say!("cancelled; the verdicts so far are kept"),
                    )
                })?
        } else {
            JudgingResult {
                stopped: (known.len() < total).then_some(Sentence::EMPTY),
                verdicts: known.into_iter().collect(),
            }
        };
        if let Some(error) = refused {
            return Err(error.into());
        }
        notes.extend(failed_judges(&judged.verdicts, options.scorer)?);
        notes.extend(stopped(&judged, total, asks));
        if !unreadable.is_empty() {
            notes.push(say!(
                "{} stored judge answers could not be read and were asked for again",
                unreadable.len()
            ));
        }
        notes.extend(own_kind(run, &options.panel.judges));
        let mut verdicts = Verdicts::none();
        let mut later: BTreeMap<u32, Verdicts> = BTreeMap::new();
        for (ballot, verdict) in judged.verdicts {
            let task = &asked.questions[ballot.question].task_id;
            for about in &asked.about[ballot.question] {
                match about {
                    About::Logged => verdicts.add(task, verdict.clone()),
                    About::Later(repetition) => later
                        .entry(*repetition)
                        .or_insert_with(Verdicts::none)
                        .add(task, verdict.clone()),
                }
            }
        }
        Ok(JudgeAnswers {
            verdicts,
            later,
            notes,
            stopped: judged.stopped.is_some(),
        })
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

/// A judge's vote among what a report recorded about a question; none where that failed.
pub(crate) fn recorded_vote(said: &[Verdict], judge: &str, vote: usize) -> Option<Verdict> {
    let voted = said.iter().filter(|one| one.judge == judge).nth(vote)?;
    voted.failure().is_none().then(|| voted.clone())
}

/// A sentence on the weights of a judge inside the application: at another precision it may judge otherwise.
fn judged_here(id: &str, run: &LocalRun) -> Sentence {
    match &run.precision {
        Some(precision) => say!("the judge {id} ran inside this application at {precision}"),
        None => say!("the judge {id} ran inside this application with the weights of its file"),
    }
}

/// A sentence on questions that were left unasked, by the caps or because nothing was to be asked.
fn stopped(judged: &JudgingResult, total: usize, asks: bool) -> Option<Sentence> {
    let why = judged.stopped.as_ref()?;
    if !asks {
        return Some(say!(
            "the run was cancelled, and so no judge was asked any more: {} of {total} answers are kept from before; score the run to ask for the rest",
            judged.verdicts.len()
        ));
    }
    Some(say!(
        "the judges were stopped after {} of {total} answers, which are kept: {why}; score again with a higher cap to ask for the rest",
        judged.verdicts.len()
    ))
}

/// A sentence on judge answers that failed.
///
/// # Errors
/// When not one judge answered: then nothing was judged at all.
fn failed_judges(ballots: &[(Ballot, Verdict)], scorer: Protocol) -> Result<Option<Sentence>, WireError> {
    let failures: Vec<&Sentence> = ballots
        .iter()
        .filter_map(|(_, verdict)| verdict.failure())
        .collect();
    let Some(first) = failures.first() else {
        return Ok(None);
    };
    if failures.len() == ballots.len() {
        let message = say!(
            "no judge gave an answer that can be used: {first}; check the judge or score with --no-judge"
        );
        return Err(WireError::new(ErrorCode::ModelUnreachable, message));
    }
    let treated = match scorer {
        Protocol::Leaderboard => say!("count as no or grade 1, as published"),
        Protocol::Corrected => say!("leave their tasks unscored"),
    };
    Ok(Some(say!(
        "{} of {} judge answers failed and {treated}: {first}; score again to ask for them again",
        failures.len(),
        ballots.len()
    )))
}

/// A sentence on each judge that grades a model of its own maker: judges favour their kind.
fn own_kind(run: &Run, judges: &[String]) -> Vec<Sentence> {
    let logged = run
        .logs
        .iter()
        .find_map(|log| log.metadata.get("model").and_then(Value::as_str));
    let Some(maker) = logged.and_then(family) else {
        return Vec::new();
    };
    let own = judges.iter().filter(|judge| family(judge) == Some(maker));
    own.map(|judge| say!("{judge} is of the same maker as the model it judges ({maker})"))
        .collect()
}
