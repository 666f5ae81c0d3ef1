//! Reads the content of a workspace: runs with their logs and journals, transcripts, reports, and
//! the facts that decide which numbers can be compared with each other.
//!
//! [`Library`] finds runs and reports by name and reads them. It calls no model and no judge. The
//! types of [`wire`] are sent to the UI, and [`options`] select the run, the metrics and the judges
//! of a scoring.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod attempts;
pub mod comparability;
mod conduct;
pub mod evaluation;
mod find;
pub mod forkable;
pub mod hand;
mod kept_run;
pub mod live;
pub mod misses;
pub mod names;
pub mod options;
pub mod overrides;
pub mod people;
pub mod questions;
pub mod references;
pub mod reports;
pub mod run;
mod run_list;
mod run_lookup;
mod runs_here;
mod shard_counts;
mod shard_progress;
pub mod table_text;
pub mod transcript;
pub mod verdict_file;
pub mod verdicts;
pub mod wire;

pub use reports::{Combined, OtherInstructions, TaskOfLevel};
pub use wire::*;

use koab_engine::ports::Cancel;
use koab_models::Models;
use koab_packs::Packs;
use koab_report::comparability::Comparability;
use koab_report::{CombinedNames, CombinedOrder};
use koab_store::Deleted;
use koab_workspace::{Workspace, commands};
use live::LiveRun;
use std::sync::{Arc, Mutex};

/// Reads the workspace's runs and reports: finds them by name, and returns logs, transcripts and
/// comparability. Clones are cheap and share all state.
#[derive(Clone)]
pub struct Library {
    workspace: Workspace,
    models: Models,
    packs: Packs,
    inner: Arc<LibraryState>,
}

/// State of the library in one process.
struct LibraryState {
    /// Runs of this process, the newest last.
    live: Mutex<Vec<Arc<LiveRun>>>,
    /// Recently read logs and reports.
    kept: transcript::cache::Cache,
    /// Recently opened reports.
    opened_reports: koab_workspace::Recent<reports::detail::Open>,
    /// Rows of the library from its last listing.
    listed_reports: koab_store::report_index::Listed<wire::ReportRow>,
    /// Progress of runs on clusters.
    remote: shard_progress::Progress,
    /// Held while the index of the search is brought up to date, so that nothing is read twice.
    index_update: tokio::sync::Mutex<()>,
}

impl Library {
    /// Creates the reader of this workspace's runs and reports.
    pub fn new(workspace: Workspace, models: Models, packs: Packs) -> Self {
        let inner = LibraryState {
            live: Mutex::default(),
            kept: transcript::cache::Cache::new(workspace.home().indexes()),
            opened_reports: koab_workspace::Recent::new(reports::detail::OPENED),
            listed_reports: koab_store::report_index::Listed::default(),
            remote: shard_progress::Progress::default(),
            index_update: tokio::sync::Mutex::default(),
        };
        Self { workspace, models, packs, inner: Arc::new(inner) }
    }
}

commands! { Library: library, sink;
    disk drift(run: String, against: String, task: Option<String>) -> RunDrift [reads Runs, Packs, Snapshots] =
        library.drift(&run, &against, task.as_deref());
    disk cache_misses(run: String) -> RunMisses [reads Runs, Packs] = library.cache_misses(&run);
    disk reports_list() -> Vec<ReportView> [reads Reports, Runs, Judging] = library.reports_list();
    disk references() -> ReferenceSet [reads Reports] = library.references();
    disk references_remove() -> Vec<Deleted> [writes Reports] = library.references_remove();
    disk report_standing(id: String) -> ReferenceStanding [reads Reports, Runs, Judging] = library.report_standing(&id);
    disk report_repetitions(id: String) -> RepetitionsView [reads Reports, Runs, Judging] =
        library.report_repetitions(&id);
    disk verdicts_of_task(run: String, task: String) -> TaskVerdicts [reads Judging] =
        library.verdicts_of_task(&run, &task);
    disk run_tasks(run: String) -> Vec<RunTask> [reads Runs, Judging] = library.run_tasks(&run);
    disk find(query: String, offset: u32, limit: u32) -> FindAnswer [reads Runs, Reports] =
        library.find(&query, offset, limit);
    disk find_attempts(queries: Vec<String>, runs: Vec<String>) -> FindMatches [reads Runs, Reports] =
        library.find_attempts(&queries, &runs);
    slow find_update() -> () [touches nothing] = library.find_update(&Cancel::new()).await;
    disk run_conduct(run: String) -> Option<AgentConduct> [reads Runs] = library.run_conduct(&run);
    disk transcript(run: String, task: String, report: Option<String>, repetition: Option<u32>) -> Transcript [reads Reports, Runs, Judging] =
        library.transcript(&run, &task, report.as_deref(), repetition);
    disk transcript_raw(run: String, task: String, repetition: Option<u32>) -> RawTranscript [reads Runs] =
        library.transcript_raw(&run, &task, repetition);
    disk report_show(run: String) -> Option<ReportView> [reads Reports, Runs, Judging] = library.report_show(&run);
    disk reports_library() -> Vec<ReportRow> [reads Reports, Runs, Judging] = library.reports_library();
    disk report_detail(id: String) -> ReportDetail [reads Reports, Runs, Judging] = library.report_detail(&id);
    disk report_comparability(id: String) -> Comparability [reads Reports, Runs, Judging] =
        library.report_comparability(&id);
    disk run_comparability(run: String) -> Comparability [reads Reports, Runs, Judging] =
        library.run_comparability(&run);
    disk report_facts(id: String) -> ReportFacts [reads Reports, Runs, Judging] = library.report_facts(&id);
    disk imported_reports() -> Vec<RunReport> [reads Reports, Runs] = library.imported_reports();
    disk other_instructions(ids: Vec<String>) -> Vec<OtherInstructions> [reads Reports, Runs, Judging, Packs] =
        library.other_instructions(&ids);
    disk report_remark(id: String, tags: Vec<String>, note: String) -> ReportRow [writes Reports] =
        library.report_remark(&id, tags, note);
    disk report_delete(id: String) -> Deleted [writes Reports] = library.report_delete(&id);
    disk reports_combined(ids: Vec<String>, names: CombinedNames, order: CombinedOrder) -> ReportFile [reads Reports, Runs, Judging] =
        library.reports_combined(&ids, names, order);
    disk report_export(id: String, format: ReportFormat, language: String) -> ReportFile [reads Reports, Runs, Judging] =
        library.report_export(&id, format, &language);
    disk runs_list() -> Vec<RunSummary> [reads Runs] = library.runs_list();
    disk run_remark(run: String, tags: Vec<String>, note: String) -> RunSummary [writes Runs] =
        library.run_remark(&run, tags, note);
}
