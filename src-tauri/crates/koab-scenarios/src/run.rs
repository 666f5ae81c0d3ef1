//! Runs all trials of some scenario files, several at once, and records an outcome for each.
//!
//! Finished trials do not run again. Unfinished trials are set aside and run again (`resume`).
//! Trials start in the files' order, and a failed trial does not stop the others. A cancelled run
//! stops running trials and starts no more.

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
    /// Settings that all trials share.
    pub setup: TrialSetup,
    /// Scenario files to run.
    pub files: Vec<ScenarioFile>,
    /// Number of trials of each instance.
    pub repetitions: u32,
    /// Number of trials that run at once, at least 1.
    pub parallel: usize,
    /// Whether trials that ended for technical reasons run again.
    pub rerun_failed: bool,
    /// Environment of every scenario.
    pub environment: Environment,
    /// Values of the secrets that instances name.
    pub secrets: BTreeMap<String, String>,
}

/// Event of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The run has been planned: every trial, in order, with its step. No trial has started yet.
    Planned(Vec<(TrialId, Step)>),
    /// A trial starts.
    Started(TrialId),
    /// Text was added to a trial's log.
    Output(TrialId, String),
    /// A trial has ended.
    Ended(TrialId, Box<Outcome>),
    /// A trial could not be recorded. When the disk is full or read-only, the run starts no more
    /// trials.
    Broken(TrialId, Sentence),
}

/// Summary of a run's trials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of trials of the run.
    pub trials: usize,
    /// Number of trials that were finished before this run.
    pub skipped: usize,
    /// Number of trials that ended in this run, by cause.
    pub ended: BTreeMap<Cause, usize>,
    /// Number of trials that were not started or not recorded, for example after a cancellation or
    /// a failure of the disk.
    pub not_run: usize,
    /// Reason why a trial could not be recorded; the first one of several.
    pub broken: Option<Sentence>,
}

impl Summary {
    /// Whether every trial is finished and ended by itself.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.not_run == 0
            && self.broken.is_none()
            && self.ended.keys().all(|cause| *cause == Cause::Completed)
    }
}

impl Run {
    /// Step of each trial, in order.
    #[must_use]
    pub fn plan(&self) -> Vec<(TrialId, Step)> {
        trials(&self.files, self.repetitions)
            .map(|trial| {
                let step = step(&self.setup.layout, &trial, self.rerun_failed);
                (trial, step)
            })
            .collect()
    }

    /// Names of secrets that an instance needs and that have no value, each with the first line of
    /// a scenario file that names it.
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

    /// Runs all trials. `sink` receives every event.
    pub async fn run(&self, cancel: &CancellationToken, sink: &(dyn Fn(Event) + Send + Sync)) -> Summary {
        self.run_of(self.plan(), cancel, sink).await
    }

    /// Runs the trials of a plan.
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
                            if error.is_disk_failure() {
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
