//! Comparison of reports side by side, with the caveats of comparing their numbers.

mod across;
mod conclusion;
mod effort;
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
pub use effort::Effort;
pub use matrix::{MatrixLeftOut, MatrixPair, MatrixReport, MatrixRequest, MatrixView};
pub use pair::{PairSide, PairView, PairsRequest, ScoredPair};
pub use ranks::RanksView;

use crate::Compare;
use crate::names::side_by_side;
use crate::several::{distinct, read_all};
use effort::Taken;
use koab_core::run_record::RunManifest;
use koab_core::say;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::Sentence;
use koab_library::Standing;
use koab_library::reports::detail::Open;
use koab_report::comparability::{Facts, between, with_leaderboard};
use koab_report::{Comparison, Contender, LevelReport, Report, compare};
use koab_store::runs;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use ts_rs::TS;

/// Maximum number of reports in one comparison, since more columns do not fit on a screen.
const MAX_REPORTS: usize = 60;

/// Aspect of reports that must be equal for their numbers to mean the same.
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
    /// Judges of the attempts.
    Judges,
    /// Levels that were evaluated.
    Levels,
    /// Tasks of each level.
    Tasks,
    /// Tasks of each level that were scored.
    Evaluated,
}

/// Values of an aspect that differs between the compared reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Difference {
    /// Aspect that differs between the reports.
    pub what: DifferenceKind,
    /// Value of each report; `null` for a report that does not contain it.
    pub values: Vec<Option<String>>,
}

/// Identity of one of the compared reports: its model, its name in the comparison, and its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ComparedReport {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Name of the report in the comparison: its model, or the report's id if the model is empty or
    /// not unique.
    pub name: String,
    /// Date of the run; `null` when the report does not have it.
    pub execution_date: Option<String>,
    /// Id of the run with the transcripts; `null` when the run is not in the workspace.
    pub run: Option<String>,
    /// Whether the report has scores of single tasks.
    pub has_tasks: bool,
    /// Mean number of tokens per task; `null` when not known for every level.
    pub tokens_per_task: Option<f64>,
    /// Mean number of seconds per task; `null` when not known for every level.
    pub seconds_per_task: Option<f64>,
    /// Comparability with the leaderboard and with the first report.
    pub standing: Standing,
    /// Cost of the whole run in USD: the amount that was spent, or otherwise the amount that its
    /// tokens cost according to the price table.
    pub usd: Option<f64>,
    /// Whether `usd` is the amount that was spent, and not an amount computed from the price table.
    pub usd_spent: bool,
    /// Reason why there is no cost.
    pub usd_reason: Option<Sentence>,
    /// Cost and time in relation to the first report; absent for the first report itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub effort: Option<Effort>,
}

/// Comparison of reports side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CompareView {
    /// The reports in the requested order. All lists of `matrix` have the same order.
    pub reports: Vec<ComparedReport>,
    /// Differences between the reports, apart from the model.
    pub differences: Vec<Difference>,
    /// Scores of all reports side by side, by level and metric.
    pub matrix: Comparison,
}

/// A report with the manifest of its run.
struct ReportWithRun {
    open: Arc<Open>,
    /// Model as it is shown to users; empty where the report names none.
    model: String,
    run: Option<String>,
    manifest: Option<RunManifest>,
}

impl ReportWithRun {
    fn report(&self) -> &Report {
        &self.open.loaded.report
    }

    /// Numbers of the report as the report's own page shows them, so that both agree.
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
    /// Compares reports side by side, in the order of `ids`. Each other report is compared with the
    /// first.
    ///
    /// # Errors
    /// When fewer than two or too many reports are given, or a report does not exist or cannot be
    /// read.
    pub fn compare(&self, ids: &[String]) -> Result<CompareView, WireError> {
        let ids = wanted(ids)?;
        let read = self.open_all(&ids)?;
        let facts: Vec<Facts> = read.iter().map(|one| self.runs.library.facts_of(&one.open.loaded)).collect();
        let sides: Vec<(&str, &str)> =
            read.iter().map(|one| (one.model.as_str(), one.open.folder.id.as_str())).collect();
        let mut reports: Vec<ComparedReport> = read
            .iter()
            .zip(side_by_side(&sides))
            .zip(&facts)
            .enumerate()
            .map(|(place, ((one, name), known))| {
                self.compared(one, name, known, facts.first().filter(|_| place > 0))
            })
            .collect::<Result<_, _>>()?;
        let taken: Vec<Taken> =
            read.iter().zip(&reports).map(|(one, compared)| taken(one, compared)).collect();
        for (report, own) in reports.iter_mut().zip(&taken).skip(1) {
            report.effort = Some(own.beside(&taken[0]));
        }
        let contenders: Vec<Contender<'_>> = read.iter().map(ReportWithRun::contender).collect();
        Ok(CompareView { reports, differences: differences(&read), matrix: compare(&contenders) })
    }

    /// Refuses reports of different benchmarks, because they have no numbers in common.
    ///
    /// # Errors
    /// When a report shares no group with the first report and one of the two is not of
    /// Ko-AgentBench; also the errors of [`Compare::compare`].
    pub fn of_one_benchmark(&self, ids: &[String]) -> Result<(), WireError> {
        let distinct_ids = wanted(ids)?;
        let read = self.open_all(&distinct_ids)?;
        let reports: Vec<&Report> = read.iter().map(ReportWithRun::report).collect();
        let apart = reports.iter().position(|other| nothing_in_common(reports[0], other));
        apart.map_or(Ok(()), |at| {
            Err(WireError::bad_request(say!(
                "{first} and {second} have no group of tasks in common, so nothing of them can be put side by side; `koab report compare --across` compares models over several benchmarks",
                first = distinct_ids[0],
                second = distinct_ids[at]
            )))
        })
    }

    /// Opens several reports in parallel, because the intervals of a report must be computed when
    /// it is opened for the first time.
    fn open_all(&self, ids: &[&String]) -> Result<Vec<ReportWithRun>, WireError> {
        let panicked = say!("reading a report ended early");
        read_all(ids, |id| self.read_report(id), &panicked)
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

    /// Run of a report, if the workspace has it. The id of the report is `<model>_<date>`.
    fn run_of(&self, id: &str, report: &Report) -> Option<runs::RunEntry> {
        let (folder, date) = id.rsplit_once('_')?;
        let date = date.split('.').next().unwrap_or(date).replace('-', "_");
        let logs = self.workspace.home().logs();
        let by_folder = runs::find_by_date(&logs, folder, &date);
        let by_model = || runs::find_by_date(&logs, &report.model, &date);
        // A summary of a combined table has no date.
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
            effort: None,
        })
    }
}

/// Cost and time of a report's run.
fn taken(read: &ReportWithRun, compared: &ComparedReport) -> Taken {
    let attempts = read.manifest.as_ref().map(|manifest| manifest.spec.settings.repetitions);
    let usd = compared.usd.ok_or_else(|| compared.usd_reason.clone().unwrap_or_default());
    Taken::new(read.report(), attempts, usd)
}

/// Whether two reports share no group and one of them is of another benchmark. Two reports of
/// Ko-AgentBench may have different levels.
fn nothing_in_common(one: &Report, other: &Report) -> bool {
    let has = |group: &LevelReport| other.levels.iter().any(|known| known.level == group.level);
    (one.is_of_another_benchmark() || other.is_of_another_benchmark()) && !one.levels.iter().any(has)
}

/// Returns the ids without repetitions. Refuses fewer than two ids and too many ids.
fn wanted(ids: &[String]) -> Result<Vec<&String>, WireError> {
    let ids = distinct(ids);
    if ids.len() < 2 {
        return Err(WireError::bad_request(say!("choose at least two reports to compare")));
    }
    if ids.len() > MAX_REPORTS {
        return Err(WireError::bad_request(say!(
            "choose at most {MOST} reports to compare",
            MOST = MAX_REPORTS
        )));
    }
    Ok(ids)
}

fn differences(read: &[ReportWithRun]) -> Vec<Difference> {
    let value_of = |read: &ReportWithRun, what: DifferenceKind| -> Option<String> {
        let report = read.report();
        let spec = read.manifest.as_ref().map(|manifest| &manifest.spec);
        let by_level = |number: fn(&LevelReport) -> Option<usize>| {
            let levels = report.levels.iter();
            let numbers = levels.map(|level| Some(format!("{} {}", level.level, number(level)?)));
            Some(numbers.collect::<Option<Vec<_>>>()?.join(", "))
        };
        match what {
            DifferenceKind::Scorer => Some(report.scorer.as_str().to_owned()),
            DifferenceKind::Protocol => spec.map(|spec| spec.settings.protocol.to_string()),
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
        let values: Vec<Option<String>> = read.iter().map(|one| value_of(one, what)).collect();
        // If no report has a value, all values are equal.
        if values.iter().any(|value| *value != values[0]) {
            differences.push(Difference { what, values });
        }
    }
    differences
}
