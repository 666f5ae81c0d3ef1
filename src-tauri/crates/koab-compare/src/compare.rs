//! Reports side by side, with what must be known before their numbers are compared with each other.

mod across;
mod conclusion;
mod matrix;
mod pair;
mod ranks;
#[cfg(test)]
mod tests;

pub use across::{
    AcrossLeftOut, AcrossModel, AcrossPair, AcrossPairPack, AcrossPower, AcrossReport, AcrossRequest,
    AcrossView,
};
pub use conclusion::{PairConclusion, PairsView};
pub use matrix::{MatrixLeftOut, MatrixPair, MatrixReport, MatrixRequest, MatrixView};
pub use pair::{PairSide, PairView, PairsRequest, ScoredPair};
pub use ranks::RanksView;

use crate::Compare;
use crate::names::side_by_side;
use crate::several::{distinct, read_all};
use koab_core::run_record::RunManifest;
use koab_core::say;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::Sentence;
use koab_report::comparability::{Facts, between, with_leaderboard};
use koab_report::{Comparison, Contender, LevelReport, Report, compare};
use koab_runs::reports::detail::Open;
use koab_runs::{Standing, WireError};
use koab_store::runs;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use ts_rs::TS;

/// Reports at once: more do not fit beside each other, and none has more models.
const MOST: usize = 60;

/// What reports can differ in, so that their numbers mean different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum DifferenceKind {
    /// Rules of scoring.
    Scorer,
    /// Rules of the run.
    Protocol,
    /// Tasks and cached responses.
    Pack,
    /// Who judged.
    Judges,
    /// Levels that were evaluated.
    Levels,
    /// Tasks of each level.
    Tasks,
    /// Tasks of each level that were scored.
    Evaluated,
}

/// Something in which the reports differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Difference {
    /// What differs.
    pub what: DifferenceKind,
    /// What each report has; `null` where it does not say.
    pub values: Vec<Option<String>>,
}

/// One of the reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ComparedReport {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// What it is called beside the others: its model, or its id where it names none or another one
    /// has the same.
    pub name: String,
    /// Date of the run; `null` when the file does not say.
    pub execution_date: Option<String>,
    /// Its run in the workspace, whose transcripts can be read; `null` when it is not there.
    pub run: Option<String>,
    /// Whether it has scores of single tasks.
    pub has_tasks: bool,
    /// Tokens a task, mean over all tasks; `null` when not known for every level.
    pub tokens_per_task: Option<f64>,
    /// Seconds a task, likewise.
    pub seconds_per_task: Option<f64>,
    /// How it can be compared.
    pub standing: Standing,
    /// USD of the whole run: what was spent, else what its tokens cost by the price table.
    pub usd: Option<f64>,
    /// Whether `usd` is what was spent, rather than computed from the price table.
    pub usd_spent: bool,
    /// Why there is no cost.
    pub usd_reason: Option<Sentence>,
}

/// Reports side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CompareView {
    /// The reports in the order asked for; all lists of the matrix have this order.
    pub reports: Vec<ComparedReport>,
    /// In what they differ beside the model.
    pub differences: Vec<Difference>,
    /// Their numbers.
    pub matrix: Comparison,
}

/// A report with what its run tells.
struct ReportWithRun {
    open: Arc<Open>,
    /// Its model as faces show it; empty where it names none.
    model: String,
    run: Option<String>,
    manifest: Option<RunManifest>,
}

impl ReportWithRun {
    fn report(&self) -> &Report {
        &self.open.loaded.report
    }

    /// Its numbers as its own page shows them, so that both say the same.
    fn contender(&self) -> Contender<'_> {
        let composites = CompositeVariant::ALL.into_iter().filter_map(|variant| {
            let name = variant.name();
            let figures = &self.open.detail.view.composites;
            let figure = figures.iter().find(|figure| figure.variant == name)?;
            Some((variant, figure.figure.measured(), figure.bounds()))
        });
        Contender {
            report: self.report(),
            intervals: &self.open.intervals.levels,
            composites: composites.collect(),
        }
    }
}

impl Compare {
    /// Puts reports side by side, in the order of their ids; the first is what the others are
    /// compared with.
    ///
    /// # Errors
    /// When fewer than two are named, one is not there or cannot be read.
    pub fn compare(&self, ids: &[String]) -> Result<CompareView, WireError> {
        let wanted = wanted(ids)?;
        let read = self.open_all(&wanted)?;
        let facts: Vec<Facts> = read.iter().map(|one| self.runs.library.facts_of(&one.open.loaded)).collect();
        let sides: Vec<(&str, &str)> =
            read.iter().map(|one| (one.model.as_str(), one.open.folder.id.as_str())).collect();
        let reports: Vec<ComparedReport> = read
            .iter()
            .zip(side_by_side(&sides))
            .zip(&facts)
            .enumerate()
            .map(|(place, ((one, name), known))| {
                self.compared(one, name, known, facts.first().filter(|_| place > 0))
            })
            .collect::<Result<_, _>>()?;
        let contenders: Vec<Contender<'_>> = read.iter().map(ReportWithRun::contender).collect();
        Ok(CompareView { reports, differences: differences(&read), matrix: compare(&contenders) })
    }

    /// Refuses reports of different benchmarks, of which nothing stands side by side.
    ///
    /// # Errors
    /// When one has no group in common with the first because either is of another benchmark than
    /// Ko-AgentBench, and as [`Compare::compare`].
    pub fn of_one_benchmark(&self, ids: &[String]) -> Result<(), WireError> {
        let wanted = wanted(ids)?;
        let read = self.open_all(&wanted)?;
        let reports: Vec<&Report> = read.iter().map(ReportWithRun::report).collect();
        let apart = reports.iter().position(|other| nothing_in_common(reports[0], other));
        apart.map_or(Ok(()), |at| {
            Err(WireError::bad_request(say!(
                "{first} and {second} have no group of tasks in common, so nothing of them can be put side by side; `koab report compare --across` compares models over several benchmarks",
                first = wanted[0],
                second = wanted[at]
            )))
        })
    }

    /// Opens reports, several at once: the intervals of each are drawn anew where it is not open
    /// already.
    fn open_all(&self, ids: &[&String]) -> Result<Vec<ReportWithRun>, WireError> {
        let ended = say!("a report’s reader ended early");
        read_all(ids, |id| self.read_report(id), &ended)
    }

    fn read_report(&self, id: &str) -> Result<ReportWithRun, WireError> {
        let open = self.runs.library.open_report(id)?;
        let entry = self.run_of(id, &open.loaded.report);
        let manifest = entry.as_ref().and_then(|entry| entry.run.manifest().ok().flatten());
        let address = manifest.as_ref().and_then(|run| run.spec.base_url.as_deref());
        Ok(ReportWithRun {
            model: self.runs.library.model_name(&open.loaded.report.model, address),
            open,
            run: entry.map(|entry| entry.id),
            manifest,
        })
    }

    /// The run that a report is of, if the workspace has it: `<model>_<date>` names it.
    fn run_of(&self, id: &str, report: &Report) -> Option<runs::RunEntry> {
        let (folder, date) = id.rsplit_once('_')?;
        let date = date.split('.').next().unwrap_or(date).replace('-', "_");
        let logs = self.workspace.home().logs();
        let by_folder = runs::find_by_date(&logs, folder, &date);
        let by_model = || runs::find_by_date(&logs, &report.model, &date);
        // A summary of a combined table has no date to go by.
        date.starts_with(|c: char| c.is_ascii_digit())
            .then(|| by_folder.or_else(|_| by_model()).ok())
            .flatten()
    }

    fn compared(
        &self,
        read: &ReportWithRun,
        name: String,
        facts: &Facts,
        first: Option<&Facts>,
    ) -> Result<ComparedReport, WireError> {
        let report = read.report();
        let cost = self.runs.library.cost(report, read.manifest.as_ref())?;
        Ok(ComparedReport {
            id: read.open.folder.id.clone(),
            model: read.model.clone(),
            name,
            execution_date: Some(report.execution_date.clone()).filter(|date| !date.is_empty()),
            run: read.run.clone(),
            standing: Standing {
                leaderboard: with_leaderboard(facts).grade,
                with_first: first.map(|first| between(first, facts)),
            },
            has_tasks: report.levels.iter().any(|level| !level.tasks.is_empty()),
            tokens_per_task: report.figure("average_tokens_per_task"),
            seconds_per_task: report.figure("average_execution_time"),
            usd_spent: cost.usd.is_some() && !cost.computed,
            usd: cost.usd,
            usd_reason: cost.reason,
        })
    }
}

/// Whether two reports share no group because one is of another benchmark. Of Ko-AgentBench some
/// levels may have been run alone.
fn nothing_in_common(one: &Report, other: &Report) -> bool {
    let has = |group: &LevelReport| other.levels.iter().any(|known| known.level == group.level);
    (one.is_of_another_benchmark() || other.is_of_another_benchmark()) && !one.levels.iter().any(has)
}

/// The ids without repetitions.
fn wanted(ids: &[String]) -> Result<Vec<&String>, WireError> {
    let wanted = distinct(ids);
    if wanted.len() < 2 {
        return Err(WireError::bad_request(say!("choose at least two reports to compare")));
    }
    if wanted.len() > MOST {
        return Err(WireError::bad_request(say!("choose at most {MOST} reports to compare")));
    }
    Ok(wanted)
}

fn differences(read: &[ReportWithRun]) -> Vec<Difference> {
    let told = |read: &ReportWithRun, what: DifferenceKind| -> Option<String> {
        let report = read.report();
        let spec = read.manifest.as_ref().map(|manifest| &manifest.spec);
        let by_level = |number: fn(&LevelReport) -> Option<usize>| {
            let levels = report.levels.iter();
            let numbers = levels.map(|level| Some(format!("{} {}", level.level, number(level)?)));
            Some(numbers.collect::<Option<Vec<_>>>()?.join(", "))
        };
        match what {
            DifferenceKind::Scorer => Some(report.scorer.as_str().to_owned()),
            DifferenceKind::Protocol => spec.map(|spec| spec.protocol.to_string()),
            DifferenceKind::Pack => spec.map(|spec| spec.pack.clone()),
            DifferenceKind::Judges => read.open.loaded.names_judges.then(|| report.judges.join(", ")),
            DifferenceKind::Levels => {
                let levels: Vec<&str> = report.levels.iter().map(|level| level.level.as_str()).collect();
                Some(levels.join(", "))
            }
            DifferenceKind::Tasks => by_level(|level| level.total_tasks),
            DifferenceKind::Evaluated => by_level(|level| level.evaluated_tasks),
        }
    };
    use DifferenceKind::{Evaluated, Judges, Levels, Pack, Protocol, Scorer as Rules, Tasks};
    let mut differences = Vec::new();
    for what in [Rules, Protocol, Pack, Judges, Levels, Tasks, Evaluated] {
        let values: Vec<Option<String>> = read.iter().map(|one| told(one, what)).collect();
        // Nobody says it: then there is nothing to compare with each other.
        if values.iter().any(|value| *value != values[0]) {
            differences.push(Difference { what, values });
        }
    }
    differences
}
