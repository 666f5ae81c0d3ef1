//! A model of this disk tried from the window: the doctor's examination in the background, watched, stopped and still there after
//! a reload of the page.
//!
//! One trial goes at a time, and none beside a run: both would be slow, and the speed that is shown is measured.

use super::{ComputeDevice, LocalExamination, LocalSettings};
use crate::Api;
use crate::activities::ActivityKind;
use crate::wire::{ErrorCode, WireError};
use koab_engine::ports::Cancel;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use ts_rs::TS;

/// Trials that are remembered, one a model.
const KEPT: usize = 20;

/// What to try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalTrialRequest {
    /// The model, as [`crate::LocalModel::name`] has it.
    pub name: String,
    /// How it runs.
    pub settings: LocalSettings,
    /// Conversations at once; `null` means as many as a run has.
    pub parallel: Option<u32>,
}

/// How far a trial is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum LocalStep {
    /// It is found, converted if need be, and loaded.
    Opening,
    /// It answers.
    Answering,
    /// It is over; `found` or `error` says how.
    Over,
}

/// The last trial of a model.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalTrial {
    /// What was asked for.
    pub request: LocalTrialRequest,
    /// How far it is.
    pub step: LocalStep,
    /// Answers that have come.
    pub answered: u32,
    /// All answers that are asked for; `null` until the model is loaded.
    pub answers: Option<u32>,
    /// The activity that stops it.
    pub activity: String,
    /// What was found.
    pub found: Option<LocalExamination>,
    /// Why it did not come to its end; of the code `cancelled` when somebody stopped it.
    pub error: Option<WireError>,
}

/// What a model needs of the memory, as its files say before it is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalNeed {
    /// Bytes of the weights at the wanted precision.
    #[ts(type = "number")]
    pub weights_bytes: u64,
    /// Bytes of the memory of attention, for all conversations at once; `null` when the model's kind does not tell.
    #[ts(type = "number | null")]
    pub kv_bytes: Option<u64>,
    /// Bytes of memory that are free now; `null` where the system does not say, and where a graphics card may compute.
    #[ts(type = "number | null")]
    pub memory_available: Option<u64>,
    /// Tokens of one conversation.
    pub context: u32,
    /// Conversations at once.
    pub parallel: u32,
    /// Whether it has yet to be converted.
    pub converts: bool,
}

/// What this build can do with models of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalEngine {
    /// Where it can compute, should the machine have it; empty when it has no such models at all.
    pub devices: Vec<ComputeDevice>,
    /// The forms of tool calls that it reads, without the one that means any.
    pub tool_forms: Vec<String>,
}

/// The trials of this process, the oldest first.
#[derive(Default)]
pub(crate) struct Trials(Mutex<Vec<Arc<Trial>>>);

struct Trial {
    request: LocalTrialRequest,
    activity: String,
    answered: AtomicU32,
    /// 0 until the model is loaded.
    answers: AtomicU32,
    end: OnceLock<Result<LocalExamination, WireError>>,
}

impl Trial {
    fn told(&self) -> LocalTrial {
        let end = self.end.get();
        let answers = Some(self.answers.load(Ordering::Relaxed)).filter(|all| *all > 0);
        LocalTrial {
            request: self.request.clone(),
            step: match (end, answers) {
                (Some(_), _) => LocalStep::Over,
                (None, Some(_)) => LocalStep::Answering,
                (None, None) => LocalStep::Opening,
            },
            answered: self.answered.load(Ordering::Relaxed),
            answers,
            activity: self.activity.clone(),
            found: end.and_then(|end| end.as_ref().ok()).cloned(),
            error: end.and_then(|end| end.as_ref().err()).cloned(),
        }
    }
}

impl Api {
    /// Begins to try a model and returns; [`Api::local_trial`] tells how far it is, [`Api::activity_cancel`] stops it.
    ///
    /// # Errors
    /// When a run or another trial is under way. What is wrong with the model is told by the trial.
    pub fn local_trial_start(&self, request: LocalTrialRequest) -> Result<LocalTrial, WireError> {
        if self.is_busy() {
            return Err(WireError::new(
                ErrorCode::Busy,
                "a run is under way, and both together would be slow and measured wrongly; wait until it has ended",
            ));
        }
        let mut trials = self.trials();
        if let Some(going) = trials.iter().find(|trial| trial.end.get().is_none()) {
            return Err(WireError::new(
                ErrorCode::Busy,
                format!("{} is being tried; stop that or wait for it", going.request.name),
            ));
        }
        let cancel = Cancel::new();
        let about = vec![request.name.clone()];
        let underway = self.begin_activity(ActivityKind::ModelTrial, about, Some(&cancel));
        let trial = Arc::new(Trial {
            request,
            activity: underway.id().to_owned(),
            answered: AtomicU32::new(0),
            answers: AtomicU32::new(0),
            end: OnceLock::new(),
        });
        trials.retain(|other| other.request.name != trial.request.name);
        let over = (trials.len() + 1).saturating_sub(KEPT);
        trials.drain(..over);
        trials.push(Arc::clone(&trial));
        drop(trials);
        let told = trial.told();
        let api = self.clone();
        tokio::spawn(async move {
            let answered = |done: u32, all: u32| {
                trial.answered.store(done, Ordering::Relaxed);
                trial.answers.store(all, Ordering::Relaxed);
                underway.progress(done.into(), all.into());
            };
            let LocalTrialRequest {
                name,
                settings,
                parallel,
            } = &trial.request;
            let end = tokio::select! {
                biased;
                () = cancel.cancelled() => Err(WireError::new(ErrorCode::Cancelled, "stopped before it was done")),
                found = api.examine_local(name, settings, *parallel, &answered) => found,
            };
            let _ = trial.end.set(end.clone());
            // The page hears of it from the trial; the activity only has to be over.
            let _ = underway.finish(end);
        });
        Ok(told)
    }

    /// The last trial of a model in this process.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn local_trial(&self, name: &str) -> Result<Option<LocalTrial>, WireError> {
        let trials = self.trials();
        let found = trials.iter().find(|trial| trial.request.name == name);
        Ok(found.map(|trial| trial.told()))
    }

    fn trials(&self) -> MutexGuard<'_, Vec<Arc<Trial>>> {
        self.inner.trials.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
