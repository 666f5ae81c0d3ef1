//! `koab sweep`: runs every model with every setting on every pack.
//!
//! A combination of a model and settings is a cell. Each cell is tested against one of the cells,
//! the baseline. The tests are in `koab_analysis::sweep`.
//!
//! The state of a sweep consists only of its runs. The name of each run is computed from its
//! settings, so that the same file finds its runs again after an interruption. If a value is added
//! to the file, the existing runs remain part of the sweep.

mod cells;
mod file;
mod folder;
mod ledger;
mod page;
mod part;
mod plan;
mod play;
#[cfg(test)]
mod tests;
mod text;

pub use file::{SweepBaseline, SweepFile, SweepJudges, SweepModel, SweepSettings};
pub use koab_analysis::sweep::{
    SweepCell, SweepDifference, SweepResult, SweepScore, SweepSummary, SweepVerdict,
};
pub use page::{SweepRow, SweepView};
pub use plan::{SweepPlan, SweepPlanRun, SweepState};

use crate::Compare;
use cells::Cell;
use koab_core::event::RunOutcome;
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_library::options::JudgeChoice;
use koab_library::{Origin, ReportRow, RunRequest};
use koab_models::SpendingCaps;
use koab_store::runs;
use koab_workspace::WireError;
use part::{Made, Part};
use std::collections::HashMap;
use std::path::Path;

/// Maximum number of runs of a sweep.
const MAX_RUNS: usize = 1_000;

/// A planned sweep.
pub struct Sweep {
    file: SweepFile,
    cells: Vec<Cell>,
    /// Position of the cell with which all other cells are compared.
    baseline: usize,
    metric: MetricId,
    judges: JudgeChoice,
    /// The runs, cell by cell and pack by pack.
    parts: Vec<Part>,
    plan: SweepPlan,
}

impl Sweep {
    /// Plan of the sweep: its runs, and the calls and cost that remain.
    pub fn plan(&self) -> &SweepPlan {
        &self.plan
    }

    /// Models that the sweep runs, with their addresses; judges are not included.
    pub fn models(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let models = self.file.models.iter();
        models.map(|model| (model.id.as_str(), model.base_url.as_deref()))
    }

    /// Judges of the sweep, with their address.
    pub fn judges(&self) -> (&[String], Option<&str>) {
        (&self.file.judges.models, self.file.judges.base_url.as_deref())
    }

    /// Whether judges must still be asked about a run.
    pub fn asks_judges(&self) -> bool {
        self.parts.iter().any(|part| part.is_to_judge)
    }

    /// Notes that apply to every table of the sweep.
    fn notes(&self) -> Vec<Sentence> {
        let own = self.cells.iter().any(|cell| !cell.texts.is_empty());
        own.then(|| {
            say!(
                "runs with a system prompt or tool descriptions of their own are not comparable with the published leaderboard"
            )
        })
        .into_iter()
        .collect()
    }

    fn caps(&self) -> SpendingCaps {
        SpendingCaps {
            max_cost: self.file.max_cost,
            max_total_tokens: self.file.max_total_tokens,
            ..SpendingCaps::default()
        }
    }
}

impl Compare {
    /// Reads a sweep's file and plans its runs. Writes nothing and makes no API calls.
    ///
    /// # Errors
    /// When the file is not a sweep, names a model, pack, level or task that does not exist, has an
    /// axis without values or a baseline that is not a cell, or when a cap cannot be kept.
    pub fn sweep(&self, path: &Path) -> Result<Sweep, WireError> {
        self.planned(SweepFile::read(path)?, &path.display().to_string(), false)
    }

    /// Reports of all attempts of a run by the sweep's rules and judges; `None` if the run must
    /// still be scored. If attempts failed, the report by the corrected rules is included.
    fn kept_report(
        &self,
        rows: &[ReportRow],
        run: &str,
        file: &SweepFile,
        failed: u32,
    ) -> Result<Option<Vec<String>>, WireError> {
        let (judges, at) = (&file.judges.models, file.judges.base_url.as_deref());
        let of = |scorer: Protocol| {
            for row in rows {
                let is_whole = row.problem.is_none() && row.outdated.is_none();
                if row.run.as_deref() == Some(run)
                    && row.scorer == scorer
                    && is_whole
                    && self.runs.library.is_judged_by(row, judges, at)?
                {
                    return Ok::<_, WireError>(Some(row.id.clone()));
                }
            }
            Ok(None)
        };
        let Some(first) = of(file.protocol)? else {
            return Ok(None);
        };
        if failed == 0 || file.protocol == Protocol::Corrected {
            return Ok(Some(vec![first]));
        }
        Ok(of(Protocol::Corrected)?.map(|second| vec![first, second]))
    }

    /// Plans the sweep that a file describes. Messages use the name `shown` for the file; `is_form`
    /// means that the user sees a form instead of the file.
    fn planned(&self, file: SweepFile, shown: &str, is_form: bool) -> Result<Sweep, WireError> {
        file.check(shown)?;
        let metric = file.metric(shown)?;
        let cells = cells::cells(&file, shown)?;
        let baseline = cells::baseline(&file, &cells, shown)?;
        let judges = file.judges.models.clone();
        let packs = packs_of(&file);
        let count = cells.len() * packs.len();
        if count > MAX_RUNS {
            return Err(WireError::bad_request(say!(
                "the sweep of {shown} would have {count} runs, more than the allowed {MOST_RUNS}; leave values out",
                MOST_RUNS = MAX_RUNS
            )));
        }
        let mut contents = Vec::new();
        for pack in &packs {
            let (pack, content) = self.content(pack.as_deref())?;
            cells::check_texts(&cells, &pack)?;
            if pack.is_judged(metric) && judges.is_empty() {
                let metric = metric.name();
                return Err(WireError::bad_request(if is_form {
                    say!("{metric} is judged: name a judge, or take a metric without one, such as ToolAcc")
                } else {
                    say!(
                        "{} is judged: name a judge under [judges] in {shown}, or take a metric without one, such as metric = \"ToolAcc\"",
                        metric
                    )
                }));
            }
            contents.push(content);
        }
        let runs_by_name = self.sweep_runs()?;
        let reports = self.runs.library.reports_library()?;
        let (mut parts, mut planned) = (Vec::new(), Vec::new());
        for (at, cell) in cells.iter().enumerate() {
            for (pack, content) in packs.iter().zip(&contents) {
                let request = cell.request(&file, pack.clone())?;
                let whole = self.runs.run_estimate(request.clone())?;
                cells::check_metric(metric, &whole)?;
                let name = cell.run_name(&file, &request, content);
                let request = RunRequest { run: name, ..request };
                let run = runs_by_name.get(&request.run).map(|run| self.whole(run)).transpose()?;
                let has_judged = match run.as_ref().filter(|run| run.is_complete) {
                    Some(run) => self.kept_report(&reports, &run.id, &file, run.failed)?.is_some(),
                    None => false,
                };
                let is_to_judge = !judges.is_empty() && !has_judged;
                let open_request = match &run {
                    Some(run) if run.is_complete && !is_to_judge => None,
                    // All attempts are made, and judges are asked about all of them.
                    Some(run) if run.is_complete => Some(request.clone()),
                    Some(run) => Some(RunRequest {
                        origin: Origin::resume(&run.id),
                        model: String::new(),
                        ..request.clone()
                    }),
                    None => Some(request.clone()),
                };
                let dry_run = open_request.map(|request| self.runs.dry_run(&request, &judges)).transpose()?;
                let part = Part { cell: at, pack: whole.pack, request, found: run, is_to_judge };
                planned.push(plan::planned_run(&cell.label, &part, dry_run.as_ref()));
                parts.push(part);
            }
        }
        if let Some(twice) = twice(&parts) {
            return Err(WireError::bad_request(say!("{shown} names the pack {twice} twice")));
        }
        let caps = SpendingCaps {
            max_cost: file.max_cost,
            max_total_tokens: file.max_total_tokens,
            ..SpendingCaps::default()
        };
        self.runs.scoring.check_judge_caps(&judges, &caps)?;
        let ledger = self.ledger(&parts)?;
        let plan = SweepPlan { id: self.begun_id(&file)?, ..plan::plan(planned, &parts, &ledger, &file) };
        Ok(Sweep {
            judges: if judges.is_empty() {
                JudgeChoice::Nobody
            } else {
                JudgeChoice::Models { ids: judges, base_url: file.judges.base_url.clone() }
            },
            file,
            cells,
            baseline,
            metric,
            parts,
            plan,
        })
    }

    /// Loads a pack, or the active pack if none is named. Also returns a text that identifies the
    /// pack's content.
    fn content(&self, pack: Option<&str>) -> Result<(Pack, String), WireError> {
        let pack = self.workspace.load_pack(&self.workspace.pack_name(pack)?)?;
        let records = self.workspace.store()?.records_hash(&pack.label())?;
        let content = cells::content(&pack, &records);
        Ok((pack, content))
    }

    /// Spending of a run over all its starts, added to its description. The description of an
    /// interrupted run may lack a part of the spending.
    fn whole(&self, run: &Made) -> Result<Made, WireError> {
        let mut run = run.clone();
        if !run.is_complete {
            let all = self.runs.spending_of(&run.run)?;
            run.spending = all.or(run.spending);
        }
        Ok(run)
    }

    /// Runs of sweeps by name. Among several runs of the same name, a complete run is used,
    /// otherwise the newest.
    fn sweep_runs(&self) -> Result<HashMap<String, Made>, WireError> {
        let mut runs_by_name: HashMap<String, Made> = HashMap::new();
        for entry in runs::list(&self.workspace.home().logs())? {
            let Ok(Some(manifest)) = entry.run.manifest() else {
                continue;
            };
            let name = manifest.spec.run;
            let is_complete = manifest.outcome == Some(RunOutcome::Completed);
            let is_further = runs_by_name.get(&name).is_none_or(|other| is_complete && !other.is_complete);
            if name.starts_with(cells::NAME) && is_further {
                let run = Made {
                    id: entry.id,
                    run: entry.run,
                    is_complete,
                    failed: manifest.attempts.counts.failed,
                    spending: manifest.spending,
                    outcome: manifest.outcome,
                    reason: manifest.reason,
                };
                runs_by_name.insert(name, run);
            }
        }
        Ok(runs_by_name)
    }
}

/// Packs of a sweep; the active pack if the sweep names none.
fn packs_of(file: &SweepFile) -> Vec<Option<String>> {
    match &file.packs {
        Some(packs) => packs.iter().cloned().map(Some).collect(),
        None => vec![None],
    }
}

/// Label of a pack that the sweep contains twice, if there is one.
fn twice(parts: &[Part]) -> Option<&str> {
    let of_first = parts.iter().filter(|part| part.cell == 0);
    let packs: Vec<&str> = of_first.map(|part| part.pack.as_str()).collect();
    let same = |at: &usize| packs[..*at].contains(&packs[*at]);
    (0..packs.len()).find(same).map(|at| packs[at])
}
