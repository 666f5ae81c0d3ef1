//! Collects the input of the atlas's rules: a report with the logs of its run, or a run with the
//! scores that can be computed from its logs alone.

use crate::Compare;
use crate::wire::{AtlasAttempt, AtlasSource};
use koab_analysis::atlas::{Attempt, AttemptCauses, ItemFault, item_faults, sort};
use koab_core::judge::{Panel, Verdict, Verdicts};
use koab_core::level::Level;
use koab_core::log::{LevelLog, LoggedTask};
use koab_core::protocol::Protocol;
use koab_core::run_record::StopReason;
use koab_core::say;
use koab_core::score::{MetricId, MetricSet, TaskContext};
use koab_core::sentence::Sentence;
use koab_library::options::{EvaluateOptions, RunChoice};
use koab_library::reports::library::conditions;
use koab_library::reports::lookup::neither;
use koab_library::run::Run;
use koab_report::{EvaluationOptions, ItemRows, Report, TaskReport, evaluate_whole, verdicts_of};
use koab_store::runs;
use koab_workspace::{ErrorCode, WireError};
use std::collections::{BTreeMap, HashMap};

/// A report or run with all data that the rules use.
pub(super) struct AtlasInput {
    source: AtlasSource,
    report: Report,
    logs: Vec<LevelLog>,
    verdicts: Verdicts,
    protocol: Protocol,
    /// Stop reason of the first attempt at each task, if the run has a journal.
    stops: HashMap<String, StopReason>,
    /// Items of another benchmark that were answered wrong.
    items: Vec<ItemFault>,
}

impl Compare {
    /// Collects the data of the report with this id, or of the report of the run with this id. For
    /// a run without a report, collects the data of the run.
    pub(super) fn gather(&self, id: &str) -> Result<AtlasInput, WireError> {
        let report = self.runs.library.report_id(id);
        match self.runs.library.report_folder(report.as_deref().unwrap_or(id)) {
            Ok(folder) => {
                let loaded = self.runs.library.load_report(&folder)?;
                let run = self.runs.library.run_behind(&loaded, &folder.id);
                let rows = loaded.item_rows().to_vec();
                Ok(self.of_report(folder.id, loaded.report, &rows, run))
            }
            Err(error) if error.code == ErrorCode::NotFound => self.gather_run(id).map_err(|run| {
                if run.code == ErrorCode::NotFound && id != runs::LAST { neither(id) } else { run }
            }),
            Err(error) => Err(error),
        }
    }

    /// Collects the data of a run from its logs alone.
    pub(super) fn gather_run(&self, id: &str) -> Result<AtlasInput, WireError> {
        let id = self.runs.library.folder_of(id).unwrap_or_else(|| id.to_owned());
        let run = self.runs.library.read_run(&EvaluateOptions::published(RunChoice::Run(id.clone())))?;
        let protocol = protocol(&run);
        let options =
            EvaluationOptions { scorer: protocol, metrics: MetricSet::Head, ..EvaluationOptions::default() };
        let evaluation =
            evaluate_whole(&run.logs, &self.runs.library.dataset(&run)?, &Verdicts::none(), &options);
        let mut gathered = self.of_report(id, evaluation.report, &evaluation.items, Ok(run));
        gathered.source.is_report = false;
        gathered.source.judged = false;
        gathered.verdicts = Verdicts::none();
        Ok(gathered)
    }

    fn of_report(
        &self,
        id: String,
        report: Report,
        rows: &[ItemRows],
        run: Result<Run, Sentence>,
    ) -> AtlasInput {
        let manifest = run.as_ref().ok().and_then(|run| run.manifest.as_ref());
        let address = manifest.and_then(|manifest| manifest.spec.base_url.as_deref());
        let model = self.runs.library.model_name(&report.model, address);
        let has_tasks = report.levels.iter().any(|level| !level.tasks.is_empty());
        let verdicts = verdicts_of(&report);
        let mut source = AtlasSource {
            id,
            is_report: true,
            model,
            run: None,
            scorer: report.scorer,
            judged: !verdicts.is_empty(),
            skipped: report.levels.iter().map(|level| level.skipped.len() as u32).sum(),
            why_not: (!has_tasks).then(|| say!("the report has no scores of single tasks")),
            items: None,
            groups: BTreeMap::new(),
        };
        let mut items = Vec::new();
        let (mut logs, mut stops, mut made_under) = (Vec::new(), HashMap::new(), Protocol::Leaderboard);
        if report.is_of_another_benchmark() {
            let groups = report.levels.iter().map(|level| {
                let tasks = level.tasks.iter();
                let scored = tasks.filter(|task| task.value(MetricId::Sr).is_some()).count();
                (level.level.clone(), scored as u32)
            });
            source.groups = groups.collect();
            source.items = Some(source.groups.values().sum());
            items = item_faults(&report, rows);
            if rows.is_empty() && !items.is_empty() {
                source.why_not = Some(say!(
                    "the benchmark's details of each item are not saved with this report; score the run again"
                ));
                items.clear();
            }
        }
        match run {
            Ok(run) if !report.is_of_another_benchmark() => {
                source.run = Some(run.entry.id.clone());
                made_under = protocol(&run);
                stops = self.stops(&run);
                logs = run.logs;
            }
            Ok(run) => source.run = Some(run.entry.id),
            // The results of items are in the report, so that the run is not needed.
            Err(_) if source.items.is_some() => {}
            Err(why) => source.why_not = source.why_not.or(Some(why)),
        }
        AtlasInput { source, report, logs, verdicts, protocol: made_under, stops, items }
    }

    /// Stop reason of each task's first attempt; empty where the run has no journal.
    fn stops(&self, run: &Run) -> HashMap<String, StopReason> {
        let Ok(journal) = self.runs.library.journal(&run.entry.run.folder) else {
            return HashMap::new();
        };
        let mut stops = HashMap::new();
        for line in journal.attempts() {
            stops.entry(line.task.to_string()).or_insert(line.stop);
        }
        stops
    }
}

/// Protocol of a run. Published runs do not name their protocol, which is that of the leaderboard.
fn protocol(run: &Run) -> Protocol {
    run.manifest.as_ref().and_then(|manifest| conditions(manifest).1).unwrap_or_default()
}

impl AtlasInput {
    /// Classifies the loss of all attempts of this report or run. [`AtlasAttempt::source`] is 0
    /// until the caller sets it.
    pub(super) fn sorted(self) -> (AtlasSource, Vec<AtlasAttempt>, Vec<ItemFault>) {
        let mut attempts = Vec::new();
        if self.source.why_not.is_none() && self.source.items.is_none() {
            for (level, task, scored) in self.tasks() {
                attempts.push(AtlasAttempt {
                    source: 0,
                    level: level.clone(),
                    task: task.id.clone(),
                    sorted: self.sort(level, task, scored),
                });
            }
        }
        (self.source, attempts, self.items)
    }

    /// Classifies the loss of the attempt at one task.
    pub(super) fn sorted_task(&self, id: &str) -> Option<AttemptCauses> {
        let (level, task, scored) = self.tasks().find(|(_, task, _)| task.id == id)?;
        Some(self.sort(level, task, scored))
    }

    /// Scored tasks with their level and their entry in the log.
    fn tasks(&self) -> impl Iterator<Item = (&Level, &LoggedTask, &TaskReport)> {
        self.report.levels.iter().flat_map(|level| {
            let log = self.logs.iter().find(|log| log.level == level.level);
            level.tasks.iter().filter_map(move |scored| {
                let task = log?.tasks.iter().find(|task| task.id == scored.id)?;
                Some((&level.level, task, scored))
            })
        })
    }

    fn sort(&self, level: &Level, task: &LoggedTask, scored: &TaskReport) -> AttemptCauses {
        let panel = Panel {
            judges: self.report.judges.clone(),
            votes: self.report.votes,
            aggregate: self.report.aggregate,
            base_url: self.report.judge_base_url.clone(),
        };
        let cx = TaskContext {
            level,
            task,
            // The scores exist already, and the rules use only the log.
            dataset: None,
            scorer: self.report.scorer,
            panel: &panel,
        };
        let verdicts: Vec<Verdict> = scored
            .scores
            .iter()
            .flat_map(|(metric, _)| self.verdicts.about(&task.id, *metric))
            .cloned()
            .collect();
        sort(&Attempt {
            cx,
            scores: &scored.scores,
            verdicts: &verdicts,
            protocol: self.protocol,
            stop: self.stops.get(&task.id).copied(),
        })
    }
}
