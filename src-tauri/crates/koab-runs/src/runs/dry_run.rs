//! Plan and estimate of a run before it starts.
//!
//! The plan also shows whether the pack has cached responses to the golden calls. These are the
//! calls of a task's golden path, which is the solution that the dataset gives for the task.

use super::request::chosen;
use crate::Runs;
use crate::runs::estimate;
use crate::runs::library::EarlierRun;
use koab_core::args;
use koab_core::catalog::ToolCatalog;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::task::{GoldenCall, Task};
use koab_engine::ports::ResponseCache;
use koab_library::{Estimate, JudgeEstimate, Origin, RunRequest, ShortLimit};
use koab_models::concurrency;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use ts_rs::TS;

/// Plan and estimate of a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DryRun {
    /// Name and version of the pack, `name@version`.
    pub pack: String,
    /// Model id.
    pub model: String,
    /// Number of attempts.
    pub attempts: u32,
    /// Plan and estimate of each level.
    pub levels: Vec<DryRunLevel>,
    /// Estimate of the whole run; `None` for a baseline, which makes no API calls, and if a part of
    /// the estimate is unknown.
    pub estimate: Option<Estimate>,
    /// Estimates of the judges that would score the run, from the questions of the published runs.
    /// For a pack of single requests, the estimate is an upper bound.
    pub judges: Vec<JudgeEstimate>,
    /// A time limit that is too short for the speed of the model on this computer, if that speed is
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub short_limit: Option<ShortLimit>,
    /// Whether each task is a single request, which has no golden calls to look up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub is_request: bool,
}

/// Plan and estimate of one level of a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DryRunLevel {
    /// The level.
    pub level: Level,
    /// Number of tasks.
    pub tasks: u32,
    /// Number of calls in golden paths that can be looked up. For tasks without a golden path,
    /// calls in their conversations.
    ///
    /// Calls with a placeholder, calls that the task makes fail, and calls that their tool rejects
    /// do not count.
    pub golden_calls: u32,
    /// Number of calls in golden paths with a placeholder. Their arguments depend on the response
    /// to an earlier call.
    pub golden_open: u32,
    /// Ids of tasks that lack a cached response to a golden call that can be looked up, or to all
    /// fallbacks of a failing tool.
    pub golden_missing: Vec<String>,
    /// Estimate of the level.
    pub estimate: Option<Estimate>,
}

impl Runs {
    /// Returns the plan and estimate of a run for the window.
    ///
    /// # Errors
    /// Every error of [`Runs::dry_run`]. Also when a setting is invalid.
    pub fn run_estimate(&self, request: RunRequest) -> Result<DryRun, WireError> {
        let judges = request.score.clone().map(|score| score.judges).unwrap_or_default();
        let options = &request;
        // The model of a resumed or completed run is in that run's own file.
        if options.origin == Origin::New && !self.asks_own_model(options)? {
            let model = self.models.resolve(&options.model, None)?.id;
            self.models.check_providers(std::slice::from_ref(&model))?;
            self.models.check_caps(&[model], &options.caps())?;
        }
        self.dry_run(options, &judges)
    }

    /// Whether the run's agent uses a model of its own. The model in the request is then only a
    /// label.
    ///
    /// # Errors
    /// When the run or agent does not exist.
    pub fn asks_own_model(&self, options: &RunRequest) -> Result<bool, WireError> {
        let earlier = self.run_to_resume(options)?;
        let options = match (&earlier, options.origin.completed()) {
            (Some(earlier), _) => &self.options_of(earlier, options)?,
            (None, Some(_)) => &self.settled(options)?,
            (None, None) => options,
        };
        let agent = super::agent::chosen(options, earlier.as_ref(), self.workspace.gate())?;
        Ok(super::agent::is_own_model(options, agent.as_ref()))
    }

    /// Returns the run that a request resumes; `None` for a new run.
    fn run_to_resume(&self, options: &RunRequest) -> Result<Option<EarlierRun>, WireError> {
        let run = options.origin.resumed();
        run.map(|run| self.earlier(&self.library.to_resume(run)?)).transpose()
    }

    /// Returns the plan and estimate of a run and of scoring it with these judges.
    ///
    /// # Errors
    /// When the pack, level or task does not exist.
    pub fn dry_run(&self, options: &RunRequest, judges: &[String]) -> Result<DryRun, WireError> {
        let earlier = self.run_to_resume(options)?;
        let options = &match &earlier {
            Some(earlier) => self.addressed(self.resumed_options(earlier, options)?)?,
            None => self.settled(options)?,
        };
        let (judges, judge_address) = &self.models.resolve_judges(judges, None)?;
        let mut done: HashMap<&str, u32> = HashMap::new();
        for attempt in earlier.iter().flat_map(|earlier| earlier.attempts.iter()) {
            *done.entry(&attempt.task).or_default() += 1;
        }
        let pack = self.pack_for(options.pack.as_deref())?;
        let tasks = chosen(&pack, options)?;
        let agent = super::agent::chosen(options, earlier.as_ref(), self.workspace.gate())?;
        if let Some(definition) = &agent {
            super::agent::check_one(definition, tasks.len(), options.settings.repetitions)?;
        }
        let own_model = super::agent::is_own_model(options, agent.as_ref());
        let agent = agent.map(|agent| agent.hash());
        let local = self.local_time(&options.model, &options.local)?;
        let mut figures = if own_model {
            // The speed and cost of an agent's own model are unknown.
            None
        } else {
            self.figures(&options.model, agent.as_deref(), local.as_ref())?
        };
        if let Some(figures) = &mut figures {
            figures.add_requests(&tasks, local.as_ref());
        }
        let price = self.models.price(&options.model)?;
        let (concurrency, _) = concurrency(options.concurrency, &options.model, options.base_url.as_deref());
        let open_attempts = |task: &Task| {
            options.settings.repetitions.saturating_sub(done.get(task.id.as_str()).copied().unwrap_or(0))
        };
        let (cache, _) = self.packs.recorded(&pack.label(), options.cache_snapshot.as_deref())?;
        let catalog = ToolCatalog::new(pack.tools.iter().cloned());
        let (mut levels, mut to_make) = (Vec::new(), Vec::new());
        for (level, of_level) in by_level(&tasks) {
            let golden = if pack.kind.is_request() {
                GoldenCalls::default()
            } else {
                GoldenCalls::of_tasks(&of_level, &catalog, &*cache)?
            };
            let attempts: u32 = of_level.iter().map(|task| open_attempts(task)).sum();
            if attempts > 0 {
                to_make.push(level.clone());
            }
            levels.push(DryRunLevel {
                level: level.clone(),
                tasks: of_level.len() as u32,
                golden_calls: golden.known,
                golden_open: golden.open,
                golden_missing: golden.missing,
                estimate: figures
                    .as_ref()
                    .and_then(|figures| figures.level(level, attempts, price, concurrency)),
            });
        }
        let estimates: Option<Vec<Estimate>> = levels.iter().map(|level| level.estimate.clone()).collect();
        // Every attempt is judged, not only the first one as in the published report.
        let of_levels: Vec<(&Level, u32)> =
            levels.iter().map(|l| (&l.level, l.tasks * options.settings.repetitions.max(1))).collect();
        let short_limit = figures
            .as_ref()
            .and_then(|figures| figures.short_limit(to_make, options.settings.timeout_s, concurrency));
        let score = options.score.as_ref();
        let scorers = score.map_or(&[Protocol::Leaderboard][..], |score| &score.scorers);
        let repetitions = options.settings.repetitions.max(1);
        let mut judges = if pack.kind.is_request() {
            self.scoring.judges_of_items(&pack, &tasks, repetitions, scorers, judges)?
        } else {
            self.scoring.judges_of_attempts(&of_levels, judges)?
        };
        self.library.name_judges_of(&mut judges, judge_address.as_deref());
        Ok(DryRun {
            judges,
            is_request: pack.kind.is_request(),
            pack: pack.label(),
            model: self.library.model_name(&options.model, options.base_url.as_deref()),
            attempts: tasks.iter().map(open_attempts).sum(),
            levels,
            estimate: estimates.map(|levels| estimate::total(&levels)),
            short_limit,
        })
    }
}

/// Numbers of calls in the golden paths of a level's tasks.
#[derive(Default)]
struct GoldenCalls {
    /// Number of calls that can be looked up.
    known: u32,
    /// Number of calls with arguments that are not known before the run.
    open: u32,
    /// Ids of tasks that lack a cached response.
    missing: Vec<String>,
}

impl GoldenCalls {
    fn of_tasks(
        tasks: &[&Task],
        catalog: &ToolCatalog,
        cache: &dyn ResponseCache,
    ) -> Result<Self, WireError> {
        let mut golden = Self::default();
        for task in tasks {
            let mut is_missing = false;
            for call in task.path_calls() {
                golden.open += u32::from(call.is_open());
                if let Some(answered) = answered(catalog, cache, &call)? {
                    golden.known += 1;
                    is_missing |= !answered;
                }
            }
            let mut fallbacks = Vec::new();
            for call in task.fallback_calls() {
                fallbacks.extend(answered(catalog, cache, &call)?);
            }
            // One fallback with a response is enough.
            is_missing |= !fallbacks.is_empty() && !fallbacks.contains(&true);
            if is_missing {
                golden.missing.push(task.id.clone());
            }
        }
        Ok(golden)
    }
}

fn by_level(tasks: &[Task]) -> BTreeMap<&Level, Vec<&Task>> {
    let mut levels: BTreeMap<&Level, Vec<&Task>> = BTreeMap::new();
    for task in tasks {
        levels.entry(&task.level).or_default().push(task);
    }
    levels
}

/// Whether a cached response answers the call as it is written in the golden path. `None` if this
/// cannot be known before the run.
fn answered(
    catalog: &ToolCatalog,
    cache: &dyn ResponseCache,
    call: &GoldenCall,
) -> Result<Option<bool>, WireError> {
    let Some(tool) = catalog.get(&call.tool) else {
        return Ok(Some(false));
    };
    if call.is_open() || args::check(tool, &call.args).is_err() {
        return Ok(None);
    }
    let response = cache.lookup(&call.tool, &args::normalize(tool, &call.args))?;
    Ok(Some(response.is_some()))
}

#[cfg(test)]
mod tests;
