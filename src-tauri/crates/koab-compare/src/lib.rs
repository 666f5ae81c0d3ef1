//! Comparisons of reports with each other, and the failure atlas, which classifies attempts by why
//! they lost points.
//!
//! Comparisons read reports and runs through [`Runs`]; the comparisons write nothing and make no
//! API calls. Three further jobs make runs of their own: a gate tests whether a change made a model
//! worse, an adaptive run estimates a model's score from as few tasks as possible, and a sweep
//! compares models and settings with each other.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod adaptive;
mod atlas;
mod compare;
mod cost;
mod ends;
pub mod gate;
mod names;
mod progress;
mod scored;
mod several;
pub mod sweep;
#[cfg(test)]
mod tests;
mod wire;

pub use adaptive::{AdaptiveOutlook, AdaptiveSummary, AdaptiveTask, AdaptiveView};
pub use atlas::{AtlasLine, AtlasTable};
pub use compare::{
    AcrossLeftOut, AcrossModel, AcrossPair, AcrossPairPack, AcrossPower, AcrossReport, AcrossRequest,
    AcrossView, CompareView, ComparedReport, Difference, DifferenceKind, Effort, MatrixLeftOut, MatrixPair,
    MatrixReport, MatrixRequest, MatrixView, PairConclusion, PairSide, PairView, PairsRequest, PairsView,
    RanksView, ScoredPair,
};
pub use cost::Cost;
pub use sweep::{SweepFile, SweepPlan, SweepRow, SweepView};
pub use wire::*;

use koab_analysis::atlas::AttemptCauses;
use koab_library::{ReportFile, RunRequest};
use koab_runs::Runs;
use koab_workspace::{Workspace, commands};
use std::path::PathBuf;
use std::sync::Arc;

/// Comparisons of a workspace’s reports. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Compare {
    workspace: Workspace,
    runs: Runs,
    /// Outcomes of the sweeps that this process ran.
    ends: Arc<ends::Ends>,
}

impl Compare {
    /// Creates the comparisons of a workspace. Runs and reports are read through `runs`.
    pub fn new(workspace: Workspace, runs: Runs) -> Self {
        Self { workspace, runs, ends: Arc::default() }
    }
}

commands! { Compare: compare, sink;
    disk compare(ids: Vec<String>) -> CompareView [reads Reports, Runs, Judging] = compare.compare(&ids);
    disk compare_pairs(request: PairsRequest) -> PairsView [reads Reports, Runs, Judging] =
        compare.compare_pairs(&request);
    disk compare_across(request: AcrossRequest) -> AcrossView [reads Reports, Runs, Judging] =
        compare.compare_across(&request);
    disk compare_ranks(ids: Vec<String>) -> RanksView [reads Reports, Runs, Judging] =
        compare.compare_ranks(&ids, None, None);
    disk compare_matrix(request: MatrixRequest) -> MatrixView [reads Reports, Runs, Judging] =
        compare.compare_matrix(&request);
    disk adaptive_plan(request: RunRequest, half_width: f64) -> AdaptiveOutlook [reads Reports, Runs, Judging, Packs] =
        compare.adaptive_plan(request, half_width);
    slow adaptive_start(request: RunRequest, half_width: f64) -> String [writes Adaptive, Runs] =
        compare.adaptive_start(request, half_width).await;
    disk adaptive_list() -> Vec<AdaptiveView> [reads Adaptive, Runs] = compare.adaptive_list();
    disk adaptive_show(id: String) -> AdaptiveView [reads Adaptive, Runs] = compare.adaptive_show(&id);
    disk adaptive_forget(id: String) -> () [writes Adaptive] = compare.adaptive_forget(&id);
    disk sweeps_list() -> Vec<SweepRow> [reads Sweeps, Runs] = compare.sweeps_list();
    disk sweep_show(id: String) -> SweepView [reads Sweeps, Reports, Runs, Judging] = compare.sweep_show(&id);
    disk sweep_plan(file: SweepFile) -> SweepPlan [reads Runs, Packs, Models, Reports] = compare.sweep_plan(file);
    slow sweep_start(file: SweepFile) -> String [writes Sweeps] = compare.sweep_start(file).await;
    disk sweep_open(paths: Vec<PathBuf>) -> SweepFile [touches nothing] = compare.sweep_open(&paths);
    disk sweep_save(file: SweepFile) -> ReportFile [touches nothing] = compare.sweep_save(&file);
    disk sweep_forget(id: String) -> () [writes Sweeps] = compare.sweep_forget(&id);
    disk atlas(ids: Vec<String>) -> AtlasView [reads Reports, Runs, Judging] = compare.atlas(&ids);
    disk atlas_attempt(run: String, task: String, report: Option<String>) -> Option<AttemptCauses> [reads Reports, Runs, Judging] =
        compare.atlas_attempt(&run, &task, report.as_deref());
    disk atlas_export(export: AtlasExport) -> ReportFile [reads Reports, Runs, Judging] = compare.atlas_export(&export);
}
