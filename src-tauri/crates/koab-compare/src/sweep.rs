//! `koab sweep`: every model with every setting on every pack, tested against one of them (`koab_analysis::sweep` has the tests).
//!
//! What a sweep has done stands in its runs alone: each carries a name made of its settings, so that the same file finds them again,
//! whatever ended it. A file that gains a value keeps what it had.

mod cells;
mod file;
mod ledger;
mod play;

pub use file::{SweepBaseline, SweepFile, SweepJudges, SweepModel, SweepSettings};
pub use koab_analysis::sweep::{
    SweepCell, SweepDifference, SweepResult, SweepScore, SweepSummary, SweepVerdict,
};

use crate::Compare;
use cells::Cell;
use koab_core::event::RunOutcome;
use koab_core::run_record::Spending;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_runs::options::{JudgeChoice, SpendingCaps};
use koab_runs::{DryRun, RunRequest, WireError};
use koab_store::runs;
use ledger::Ledger;
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;

/// Runs that a sweep may have.
const MOST_RUNS: usize = 1_000;

/// What a sweep would take, its finished runs left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepPlan {
    /// Its runs in their order.
    pub runs: Vec<SweepPlanRun>,
    /// Attempts in all.
    pub attempts: u32,
    /// Model calls and judge calls.
    pub calls: f64,
    /// USD of both; null where a price is not known.
    pub usd: Option<f64>,
    /// Minutes, one run after the other.
    pub minutes: f64,
    /// USD that its runs and their judges have spent so far; null where that is not known of one.
    pub spent: Option<f64>,
    /// Why it cannot begin; null where it can.
    pub refusal: Option<Sentence>,
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepPlanRun {
    /// Label of its cell.
    pub cell: String,
    /// `name@version`.
    pub pack: String,
    /// How far it is.
    pub state: SweepState,
    /// Attempts that are left.
    pub attempts: u32,
    /// Model calls and judge calls that are left.
    pub calls: f64,
    /// USD of both; null where a price is not known.
    pub usd: Option<f64>,
    /// Minutes.
    pub minutes: f64,
}

/// How far a run of a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepState {
    /// Nothing of it is made.
    New,
    /// Some of it is made.
    Begun,
    /// All of it is made.
    Made,
}

/// A sweep that can begin.
pub struct Sweep {
    file: SweepFile,
    cells: Vec<Cell>,
    /// Place of the cell that all others are compared with.
    baseline: usize,
    metric: MetricId,
    judges: JudgeChoice,
    /// The runs, cell by cell and pack by pack.
    parts: Vec<Part>,
    plan: SweepPlan,
}

/// A run of a sweep.
struct Part {
    cell: usize,
    pack: String,
    request: RunRequest,
    found: Option<Made>,
    /// Whether judges are still to be asked.
    is_to_judge: bool,
}

/// A run that is there already.
#[derive(Clone)]
struct Made {
    id: String,
    is_complete: bool,
    failed: u32,
    spending: Option<Spending>,
}

impl Sweep {
    /// What it would take.
    pub fn plan(&self) -> &SweepPlan {
        &self.plan
    }

    /// The models that are asked, with their addresses; judges are not among them.
    pub fn models(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let models = self.file.models.iter();
        models.map(|model| (model.id.as_str(), model.base_url.as_deref()))
    }

    /// Its judges with their address.
    pub fn judges(&self) -> (&[String], Option<&str>) {
        (&self.file.judges.models, self.file.judges.base_url.as_deref())
    }

    /// Whether judges are still to be asked about a run.
    pub fn asks_judges(&self) -> bool {
        self.parts.iter().any(|part| part.is_to_judge)
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
    /// Reads a sweep's file and plans its runs. Writes nothing and asks nobody.
    ///
    /// # Errors
    /// When the file is not a sweep, names a model, pack, level or task that there is not, an axis without a value or a baseline that
    /// is no cell, or a cap that cannot be kept.
    pub fn sweep(&self, path: &Path) -> Result<Sweep, WireError> {
        let file = SweepFile::read(path)?;
        let shown = path.display().to_string();
        let metric = file.metric(&shown)?;
        let cells = cells::cells(&file, &shown)?;
        let baseline = cells::baseline(&file, &cells, &shown)?;
        let judges = file.judges.models.clone();
        let packs = match &file.packs {
            Some(packs) => packs.iter().cloned().map(Some).collect(),
            None => vec![None],
        };
        let count = cells.len() * packs.len();
        if count > MOST_RUNS {
            return Err(WireError::bad_request(say!(
                "the sweep of {shown} would have {count} runs, and one can have {MOST_RUNS}; leave values out"
            )));
        }
        let mut contents = Vec::new();
        for pack in &packs {
            let name = self.workspace.pack_name(pack.as_deref())?;
            let pack = self.workspace.load_pack(&name)?;
            cells::check_texts(&cells, &pack)?;
            if pack.is_judged(metric) && judges.is_empty() {
                return Err(WireError::bad_request(say!(
                    "{} is judged: name a judge under [judges] in {shown}, or take a metric without one, such as metric = \"ToolAcc\"",
                    metric.name()
                )));
            }
            let records = self.workspace.store()?.records_hash(&pack.label())?;
            contents.push(cells::content(&pack, &records));
        }
        let made = self.sweep_runs()?;
        let (mut parts, mut planned) = (Vec::new(), Vec::new());
        for (at, cell) in cells.iter().enumerate() {
            for (pack, content) in packs.iter().zip(&contents) {
                let request = cell.request(&file, pack.clone())?;
                let whole = self.runs.run_estimate(request.clone())?;
                cells::check_metric(metric, &whole)?;
                let name = cell.run_name(&file, &request, content);
                let request = RunRequest { run: name, ..request };
                let found = made.get(&request.run).cloned();
                let is_to_judge = !judges.is_empty() && !self.is_judged(found.as_ref(), &file)?;
                let left = match &found {
                    Some(made) if made.is_complete && !is_to_judge => None,
                    // Its attempts are made, and judges are asked about all of them.
                    Some(made) if made.is_complete => Some(request.clone()),
                    Some(made) => Some(RunRequest {
                        resume: Some(made.id.clone()),
                        model: String::new(),
                        ..request.clone()
                    }),
                    None => Some(request.clone()),
                };
                let left = left
                    .map(|request| self.runs.dry_run(&request, &judges))
                    .transpose()?;
                planned.push(planned_run(
                    &cell.label,
                    &whole.pack,
                    found.as_ref(),
                    left.as_ref(),
                ));
                parts.push(Part {
                    cell: at,
                    pack: whole.pack,
                    request,
                    found,
                    is_to_judge,
                });
            }
        }
        if let Some(twice) = twice(&parts) {
            return Err(WireError::bad_request(say!(
                "{shown} names the pack {twice} twice"
            )));
        }
        let caps = SpendingCaps {
            max_cost: file.max_cost,
            max_total_tokens: file.max_total_tokens,
            ..SpendingCaps::default()
        };
        self.runs.check_judge_caps(&judges, &caps)?;
        let ledger = self.ledger(parts.iter().map(|part| part.request.run.as_str()))?;
        let plan = plan(planned, &parts, &ledger, &file);
        Ok(Sweep {
            judges: match judges.is_empty() {
                true => JudgeChoice::Nobody,
                false => JudgeChoice::Models {
                    ids: judges,
                    base_url: file.judges.base_url.clone(),
                },
            },
            file,
            cells,
            baseline,
            metric,
            parts,
            plan,
        })
    }

    /// Whether a run has all that its sweep would have judges say.
    fn is_judged(&self, found: Option<&Made>, file: &SweepFile) -> Result<bool, WireError> {
        let Some(made) = found.filter(|made| made.is_complete) else {
            return Ok(false);
        };
        Ok(self.kept_report(&made.id, file, made.failed)?.is_some())
    }

    /// Runs of sweeps by their names; of several of one name the one that is complete, else the newest.
    fn sweep_runs(&self) -> Result<HashMap<String, Made>, WireError> {
        let mut found: HashMap<String, Made> = HashMap::new();
        for entry in runs::list(&self.workspace.home().logs())? {
            let Ok(Some(manifest)) = entry.run.manifest() else {
                continue;
            };
            let name = manifest.spec.run;
            let is_complete = manifest.outcome == Some(RunOutcome::Completed);
            let is_further = found
                .get(&name)
                .is_none_or(|other| is_complete && !other.is_complete);
            if name.starts_with(cells::NAME) && is_further {
                let made = Made {
                    id: entry.id,
                    is_complete,
                    failed: manifest.attempts.counts.failed,
                    spending: manifest.spending,
                };
                found.insert(name, made);
            }
        }
        Ok(found)
    }
}

/// A pack that two runs of one cell have.
fn twice(parts: &[Part]) -> Option<&str> {
    let of_first = parts.iter().filter(|part| part.cell == 0);
    let packs: Vec<&str> = of_first.map(|part| part.pack.as_str()).collect();
    let same = |at: &usize| packs[..*at].contains(&packs[*at]);
    (0..packs.len()).find(same).map(|at| packs[at])
}

fn planned_run(cell: &str, pack: &str, found: Option<&Made>, left: Option<&DryRun>) -> SweepPlanRun {
    let is_made = found.is_some_and(|made| made.is_complete);
    let of_runs = left.filter(|_| !is_made);
    let estimate = of_runs.and_then(|left| left.estimate.clone()).unwrap_or_default();
    let is_free = of_runs.is_none_or(|left| left.estimate.is_none());
    let judges = left.map(|left| left.judges.as_slice()).unwrap_or_default();
    let of_judges: Option<f64> = judges.iter().map(|judge| judge.usd).sum();
    let of_model = if is_free { Some(0.0) } else { estimate.usd };
    SweepPlanRun {
        cell: cell.to_owned(),
        pack: pack.to_owned(),
        state: match found {
            None => SweepState::New,
            Some(_) if is_made => SweepState::Made,
            Some(_) => SweepState::Begun,
        },
        attempts: of_runs.map_or(0, |left| left.attempts),
        calls: estimate.calls + judges.iter().map(|judge| judge.calls).sum::<f64>(),
        usd: of_model.zip(of_judges).map(|(model, judges)| model + judges),
        minutes: estimate.minutes,
    }
}

/// USD that a run and its judges have taken; a run that says nothing cost nothing.
fn spent(part: &Part, ledger: &Ledger) -> Option<f64> {
    let spending = part.found.as_ref().and_then(|made| made.spending.as_ref());
    let of_run = spending.map_or(Some(0.0), |spending| spending.usd);
    let of_judges = ledger.of(&part.request.run).map_or(Some(0.0), |(usd, _)| usd);
    of_run.zip(of_judges).map(|(run, judges)| run + judges)
}

/// Why a cap cannot be kept.
fn refusal(cap: f64, spent: Option<f64>, usd: Option<f64>, unknown: Option<&Part>) -> Option<Sentence> {
    if let Some(part) = unknown {
        let found = part.found.as_ref().map(|made| &made.id);
        let run = found.unwrap_or(&part.request.run);
        return Some(say!(
            "what run {run} and its judges have cost is not known, so that max_cost cannot be kept; leave it out"
        ));
    }
    let all = spent.zip(usd).map(|(spent, usd)| spent + usd);
    all.filter(|all| *all > cap).map(|all| {
        let needed = format!("{all:.2}");
        say!(
            "the sweep is expected to cost ${needed} and may cost ${cap} (max_cost); leave values out, or raise max_cost"
        )
    })
}

fn plan(runs: Vec<SweepPlanRun>, parts: &[Part], ledger: &Ledger, file: &SweepFile) -> SweepPlan {
    let sums: Vec<Option<f64>> = parts.iter().map(|part| spent(part, ledger)).collect();
    let unknown = sums.iter().position(Option::is_none).map(|at| &parts[at]);
    let spent: Option<f64> = sums.iter().copied().sum();
    let usd: Option<f64> = runs.iter().map(|run| run.usd).sum();
    // What is there already is shown whatever it cost.
    let is_done = runs
        .iter()
        .zip(parts)
        .all(|(run, part)| run.attempts == 0 && !part.is_to_judge);
    let cap = file.max_cost.filter(|_| !is_done);
    let refusal = cap.and_then(|cap| refusal(cap, spent, usd, unknown));
    SweepPlan {
        attempts: runs.iter().map(|run| run.attempts).sum(),
        calls: runs.iter().map(|run| run.calls).sum(),
        minutes: runs.iter().map(|run| run.minutes).sum(),
        usd,
        spent,
        refusal,
        runs,
    }
}
