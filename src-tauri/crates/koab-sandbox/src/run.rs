//! A run: all trials of some scenario files, several at once, each accounted for.
//!
//! What is finished is left alone, what was begun and not finished is set aside and runs again
//! (`resume`). Trials start in the files' order; one that fails does not stop the others. A
//! cancelled run stops what runs, and starts nothing more.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use std::collections::BTreeMap;
use std::sync::Mutex;

use futures_util::StreamExt;
use tokio_util::sync::CancellationToken;

use crate::environment::Environment;
use crate::error::Error;
use crate::layout::TrialId;
use crate::outcome::{Cause, Outcome};
use crate::resume::{Step, step, trials};
use crate::scenario_file::{Instance, ScenarioFile};
use crate::trial::{Trial, TrialSetup};

/// A run of scenarios.
pub struct Run {
    /// What its trials share.
    pub setup: TrialSetup,
    /// What is run.
    pub files: Vec<ScenarioFile>,
    /// Trials of each instance.
    pub repetitions: u32,
    /// Trials at once, at least 1.
    pub parallel: usize,
    /// Whether trials that ended for technical reasons run again.
    pub rerun_failed: bool,
    /// What every scenario finds in its environment.
    pub environment: Environment,
    /// Values of the secrets that instances name.
    pub secrets: BTreeMap<String, String>,
}

/// What happens in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Before anything starts: every trial, in order, with what will be done.
    Planned(Vec<(TrialId, Step)>),
    /// A trial starts.
    Started(TrialId),
    /// A trial's log grows by this text.
    Output(TrialId, String),
    /// A trial has ended.
    Ended(TrialId, Box<Outcome>),
    /// A trial could not be recorded. Where the disk as a whole refuses, the run starts no more.
    Broken(TrialId, Sentence),
}

/// The outcome of a run's trials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many trials the run has.
    pub trials: usize,
    /// How many were finished before.
    pub skipped: usize,
    /// How many ended in this run, by cause.
    pub ended: BTreeMap<Cause, usize>,
    /// How many were not started, because the run was cancelled or the disk refused, or could not
    /// be recorded.
    pub not_run: usize,
    /// Why one of them could not be recorded, the first of several.
    pub broken: Option<Sentence>,
}

impl Summary {
    /// Whether every trial is finished and ran to its own end.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.not_run == 0
            && self.broken.is_none()
            && self.ended.keys().all(|cause| *cause == Cause::Completed)
    }
}

impl Run {
    /// What would be done with each trial, in order.
    #[must_use]
    pub fn plan(&self) -> Vec<(TrialId, Step)> {
        trials(&self.files, self.repetitions)
            .map(|trial| {
                let step = step(&self.setup.layout, &trial, self.rerun_failed);
                (trial, step)
            })
            .collect()
    }

    /// Names of secrets that an instance asks for and nobody gave, with the first place that asks.
    #[must_use]
    pub fn missing_secrets(&self) -> BTreeMap<&str, Sentence> {
        let mut missing = BTreeMap::new();
        for (file, instance) in self.instances() {
            for name in &instance.secrets {
                if !self.secrets.contains_key(name) && !self.environment.variables().contains_key(name) {
                    missing
                        .entry(name.as_str())
                        .or_insert_with(|| say!("{}, line {}", file.path.display(), instance.line));
                }
            }
        }
        missing
    }

    /// Runs it. `sink` hears of everything that happens, and is called from one trial at a time.
    pub async fn run(&self, cancel: &CancellationToken, sink: &(dyn Fn(Event) + Send + Sync)) -> Summary {
        self.run_of(self.plan(), cancel, sink).await
    }

    /// Runs some of its trials: those of a plan.
    pub async fn run_of(
        &self,
        plan: Vec<(TrialId, Step)>,
        cancel: &CancellationToken,
        sink: &(dyn Fn(Event) + Send + Sync),
    ) -> Summary {
        sink(Event::Planned(plan.clone()));
        let summary = Mutex::new(Summary { trials: plan.len(), ..Summary::default() });
        let note = |change: &dyn Fn(&mut Summary)| {
            change(&mut summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        };
        let stop = cancel.child_token();
        let instances: BTreeMap<(&str, &str), &Instance> = self
            .instances()
            .map(|(file, instance)| ((file.name.as_str(), instance.id.as_str()), instance))
            .collect();
        let work = plan.into_iter().filter_map(|(trial, step)| match step {
            Step::Skip(_) => {
                note(&|summary| summary.skipped += 1);
                None
            }
            Step::Again { .. } => Some((trial, true)),
            Step::Run => Some((trial, false)),
        });
        futures_util::stream::iter(work)
            .for_each_concurrent(self.parallel.max(1), |(trial, again)| {
                let instance = instances.get(&(trial.scenario.as_str(), trial.instance.as_str())).copied();
                let (stop, note) = (&stop, &note);
                async move {
                    let Some(instance) = instance.filter(|_| !stop.is_cancelled()) else {
                        note(&|summary| summary.not_run += 1);
                        return;
                    };
                    match self.one(&trial, instance, again, stop, sink).await {
                        Ok(outcome) => note(&|summary| *summary.ended.entry(outcome.cause).or_default() += 1),
                        Err(error) => {
                            if error.is_the_disk_s() {
                                stop.cancel();
                            }
                            let why = error.to_sentence();
                            note(&|summary| {
                                summary.not_run += 1;
                                summary.broken.get_or_insert_with(|| why.clone());
                            });
                            sink(Event::Broken(trial, why));
                        }
                    }
                }
            })
            .await;
        summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    async fn one(
        &self,
        id: &TrialId,
        instance: &Instance,
        again: bool,
        stop: &CancellationToken,
        sink: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<Outcome, Error> {
        if again {
            self.setup.layout.set_aside(id)?;
        }
        sink(Event::Started(id.clone()));
        let mut environment = self.environment.clone();
        for name in &instance.secrets {
            if let Some(value) = self.secrets.get(name) {
                environment.set_secret(name, value);
            }
        }
        let trial = Trial { setup: &self.setup, id, instance, environment: &environment };
        let outcome = trial
            .run(stop, &mut |text| {
                if !text.is_empty() {
                    sink(Event::Output(id.clone(), text.to_owned()));
                }
            })
            .await?;
        sink(Event::Ended(id.clone(), Box::new(outcome.clone())));
        Ok(outcome)
    }

    fn instances(&self) -> impl Iterator<Item = (&ScenarioFile, &Instance)> {
        self.files.iter().flat_map(|file| file.instances.iter().map(move |instance| (file, instance)))
    }
}
