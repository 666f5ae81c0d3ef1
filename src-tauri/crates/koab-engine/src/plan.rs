//! What a run will do: pure planning, no port is touched.

use crate::retry::RetryPolicy;
use koab_core::cache_source::{CacheSource, PackRef};
use koab_core::comparability::PackIdentity;
use koab_core::event::LevelPlan;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::task::Task;
use serde_json::Value;
use std::time::Duration;

/// Everything that decides how a run goes, except the tasks and the ports.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// Run id, minted by the caller.
    pub run: String,
    /// `name@version` of the pack.
    pub pack: String,
    /// Model id as given.
    pub model: String,
    /// Protocol.
    pub protocol: Protocol,
    /// Attempts a task, 1 or more.
    pub repetitions: u32,
    /// Model turns an attempt may take; in L5 the second phase has as many again.
    pub max_steps: u32,
    /// Time limit of a task; in conversations, of each turn that the model plays.
    pub timeout: Duration,
    /// L6/L7: the model plays every turn instead of only the last, after a seeded history.
    pub full_rollout: bool,
    /// Sampling temperature.
    pub temperature: f64,
    /// Output tokens a model call.
    pub max_tokens: u32,
    /// Reasoning effort.
    pub effort: Option<String>,
    /// Sampling seed.
    pub seed: Option<u64>,
    /// Address of the model's server as given, without secrets; only written down.
    pub base_url: Option<String>,
    /// What a model inside the application runs with, such as its precision and the hash of its weights; only written
    /// down. `None` for every other model.
    pub local: Option<Value>,
    /// Which recorded responses it reads; only written down.
    pub cache: CacheSource,
    /// What the pack was, in hashes; only written down. `None` writes nothing.
    pub identity: Option<PackIdentity>,
    /// The run whose tasks this one makes again, because calls that it missed are kept now; only written down.
    pub completes: Option<String>,
    /// In write mode: services whose keys are missing are left out; only written down, for whoever goes on with the run.
    pub without_keys: bool,
    /// Attempts in flight.
    pub concurrency: u32,
    /// How failed model calls are repeated.
    pub retry: RetryPolicy,
}

impl RunSpec {
    /// The published settings: temperature 0.7, 1,024 output tokens, 10 steps, 60 s a task, one attempt.
    pub fn published(run: &str, pack: &str, model: &str) -> Self {
        Self {
            run: run.to_owned(),
            pack: pack.to_owned(),
            model: model.to_owned(),
            protocol: Protocol::Leaderboard,
            repetitions: 1,
            max_steps: 10,
            timeout: Duration::from_secs(60),
            full_rollout: false,
            temperature: 0.7,
            max_tokens: 1024,
            effort: None,
            seed: None,
            base_url: None,
            local: None,
            cache: CacheSource {
                snapshot: None,
                pack: PackRef::of_label(pack),
            },
            identity: None,
            completes: None,
            without_keys: false,
            concurrency: 8,
            retry: RetryPolicy::default(),
        }
    }
}

/// One attempt to be made: which task, the how-manieth time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Place of the task in the run's list.
    pub task: usize,
    /// 1-based.
    pub repetition: u32,
}

/// All attempts of a run, in the order in which they are begun.
///
/// With several in flight the levels that take the most turns begin first, so that no long task is left over at the
/// end; the log's order is the dataset's either way.
pub fn plan(tasks: &[Task], spec: &RunSpec) -> Vec<Attempt> {
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    if spec.concurrency > 1 {
        // Average model turns a task over the 8 published runs: L5 5.5, L3 3.2, L4 2.3, L2 and L1 2, L7 and L6 1.4.
        let begins_at = |level: Level| match level {
            Level::L5 => 0,
            Level::L3 => 1,
            Level::L4 => 2,
            Level::L2 => 3,
            Level::L1 => 4,
            Level::L7 => 5,
            Level::L6 => 6,
        };
        order.sort_by_key(|i| begins_at(tasks[*i].level));
    }
    order
        .into_iter()
        .flat_map(|task| (1..=spec.repetitions).map(move |repetition| Attempt { task, repetition }))
        .collect()
}

/// The plan as the first event shows it: levels in order, tasks in dataset order.
pub fn level_plans(tasks: &[Task]) -> Vec<LevelPlan> {
    Level::ALL
        .into_iter()
        .filter_map(|level| {
            let ids: Vec<String> = tasks
                .iter()
                .filter(|t| t.level == level)
                .map(|t| t.id.clone())
                .collect();
            (!ids.is_empty()).then_some(LevelPlan { level, tasks: ids })
        })
        .collect()
}
