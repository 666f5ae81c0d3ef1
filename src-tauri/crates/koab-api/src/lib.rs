//! Combines the areas of the product for the window, the command line and the server.
//!
//! [`Api`] has one field per area. Each command of the page is a row in the table of its area
//! (`koab_workspace::commands`). This crate re-exports the types of the areas. This crate does not
//! use tauri, does not print, and works without a desktop.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod about;
mod commands;
mod doctor;

pub use about::{About, AppInfo};
pub use doctor::Check;
pub use koab_agents as agents;
pub use koab_analysis::across::{Across, AcrossCombined, AcrossStratum, AcrossWeights};
pub use koab_analysis::atlas::{By as AtlasBy, Cause, UnknownCause, fault_counts};
pub use koab_analysis::judge_lab::{
    JudgeAgainstPeople, JudgeCoverage, JudgesEffect, LabAgreement, LabEstimate, LabMeasure, LabPanel,
    LabPanelKind,
};
pub use koab_analysis::paired::{
    ALPHA, Conclusion, EffectKind, Family, FamilyTests, MARGIN, MOST_DRAWS, Needs, PairTest, PairTestKind,
    PairTests, PairVerdict, UnknownFigure, WantedFigure, ranks,
};
pub use koab_benchmarks::table::Rules;
pub use koab_bundle::bundle::{CacheFacts, CheckName, PackFacts, Subject};
pub use koab_bundle::submission::{ModelType, Names as SubmissionNames, Objection};
pub use koab_cluster::{EngineKind, State as WorkerStanding};
pub use koab_compare::*;
pub use koab_core::changes::{ValueChange, ValueChanges};
pub use koab_core::event::{AnswerSource, RunEvent, RunEventKind, RunOutcome};
pub use koab_core::finding::{self, Problem, Severity};
pub use koab_core::fork::{ForkEdit, ForkEditTo, ForkOf, ForkSetting, Speaker};
pub use koab_core::level::Level;
pub use koab_core::measured::{Figure, ScoreRange};
pub use koab_core::protocol::Protocol;
pub use koab_core::published::{DriftRow, DriftStanding};
pub use koab_core::run_record::{CacheMode, Spending};
pub use koab_core::score::MetricId;
pub use koab_core::sensitive::Sensitive;
pub use koab_core::sentence::Language;
pub use koab_core::shown;
pub use koab_engine::atomic;
pub use koab_engine::egress::Purpose;
pub use koab_engine::ports::{ByHand, Cancel, EventSink, HandTask, Operator};
pub use koab_exchange::*;
pub use koab_keys::{
    Import, ImportPreview, KeyChange, KeyOrigin, KeyPlace, KeyRow, KeychainState, KeysFileState, KeysView,
    PassphrasePrompt, PassphrasePurpose,
};
pub use koab_library::*;
pub use koab_models::local_models;
pub use koab_models::weights::{
    HubModel, LocalKind, LocalModel, LocalPart, LocalPlace, PullRequest, PullStanding, PullState,
};
pub use koab_models::{
    Connection, ConnectionHealth, ConnectionState, KeyNeed, ModelKind, ModelProbe, PriceRow, SpendingCaps,
    is_local,
};
pub use koab_packs::ShareOptions;
pub use koab_packs::wire::{
    DraftFrom, DraftList, DraftRequest, DraftSaved, PackImport, PackLint, PackPullRequest, PackPulled,
    PackSummary, PublishedDrift, PublishedSummary, PublishedView, PulledFrom, SnapshotDiff, SnapshotExport,
    StateView,
};
pub use koab_packs::{CacheStats, CacheTimes, Lookup, PackDetail, PackImported, Packs};
pub use koab_recorder::{
    AnswerNow, CallForm, CallOutcome, DriftRequest, LiveServer, OnMiss, RecordOutcome, RecordRequest,
    RecordedCall, Recorder, RecordingEvent, RecordingPhase, RecordingRequest, RecordingServer,
    RecordingSummary, RecordingView, ReplayMiss, ReplayOptions, ServerAt, ServerDrift, ToolChange,
    ToolChangeKind, unsteady,
};
pub use koab_remote::Remote;
pub use koab_report::comparability::{
    Aspect, CallFacts, CallsBasis, Caveat, Comparability, Facts, FindingCode, Grade, Judgement, LevelCalls,
    MissedCall,
};
pub use koab_report::{
    AnswerScale, BenchmarkTables, CombinedNames, CombinedOrder, Compared, ItemRow, JudgeAgreement,
    PrintedCell, PrintedTable,
};
pub use koab_runs::*;
pub use koab_scenarios::run::Event as ScenarioEvent;
pub use koab_scenarios::tabulate::original::Generation as OriginalGeneration;
pub use koab_scenarios::tabulate::{Scorer, Table as ScenarioTable, Verdict as ScenarioVerdict};
pub use koab_scenarios::{
    CloneRequest, Cloned, LintedLog, ModelOffer, RequestedLimits, ScenarioCluster, ScenarioComparison,
    ScenarioCounts, ScenarioCurvePoint, ScenarioDifference, ScenarioLive, ScenarioLogPart, ScenarioLogPiece,
    ScenarioPart, ScenarioPlan, ScenarioRemote, ScenarioRequest, ScenarioResults, ScenarioShard,
    ScenarioSide, ScenarioSpending, ScenarioStanding, ScenarioSubmission, ScenarioSummary, ScenarioTrial,
    ScenarioTrialPage, Scenarios, ScriptRequest, TabulatedScenario, TrialFileContent, TrialPageState,
    TrialState, UnfinishedTrial, engine_error,
};
pub use koab_scoring::*;
pub use koab_store::SnapshotInfo;
pub use koab_store::export::PackArchive;
pub use koab_store::overrides::VerdictPlace;
pub use koab_store::snapshots::AnswerChange;
pub use koab_store::{Deleted, Emptied, TrashKind};
pub use koab_workspace::batches::{Batch, BatchSink, Batches, batches};
pub use koab_workspace::clock::local_minute;
pub use koab_workspace::commands::{Nobody, Page};
pub use koab_workspace::egress::{EgressCleared, EgressRow, EgressView, OfflineForced, OfflineView};
pub use koab_workspace::settings::{ProxyMode, Settings, SettingsView, Theme, system_language};
pub use koab_workspace::{
    ErrorCode, Home, HomeOrigin, Job, JobKind, TrashItem, TrashView, WindowFault, WireError, Workspace,
};

use koab_keys::Keys;
use koab_models::Models;
use std::path::PathBuf;

/// The product without a user interface. Cheap to clone; clones share all state.
#[derive(Clone)]
pub struct Api {
    /// Workspace that all areas use.
    pub workspace: Workspace,
    /// Keys of models and services.
    pub keys: Keys,
    /// Models: list, prices, limits, and local models.
    pub models: Models,
    /// Packs: tasks, cached responses, drafts, snapshots.
    pub packs: Packs,
    /// Recording and replay of servers of tools.
    pub recorder: Recorder,
    /// Scenarios in containers.
    pub scenarios: Scenarios,
    /// Runs and their reports.
    pub runs: Runs,
    /// Runs and judgings whose workers a cluster starts.
    pub remote: Remote,
    /// Comparisons of reports, and the failure atlas.
    pub compare: Compare,
    /// Import and export of files.
    pub exchange: Exchange,
}

impl Api {
    /// Opens the workspace in the given folder, or in `KOAB_HOME`, or in the system's default
    /// folder. Opening writes nothing to the disk.
    ///
    /// # Errors
    /// When the system reports no home folder.
    pub fn open(home: Option<PathBuf>) -> Result<Self, WireError> {
        let workspace = Workspace::open(home)?;
        let keys = Keys::new(workspace.clone());
        let models = Models::new(workspace.clone(), keys.clone());
        let packs = Packs::new(workspace.clone(), models.clone());
        let recorder = Recorder::new(workspace.clone(), packs.clone());
        let scenarios = Scenarios::new(workspace.clone(), keys.clone(), models.clone());
        let runs = Runs::new(workspace.clone(), keys.clone(), models.clone(), packs.clone());
        let remote = Remote::new(workspace.clone(), keys.clone(), packs.clone(), runs.clone());
        let compare = Compare::new(workspace.clone(), runs.clone());
        let exchange = Exchange::new(workspace.clone(), keys.clone(), runs.clone(), packs.clone());
        Ok(Self { workspace, keys, models, packs, recorder, scenarios, runs, remote, compare, exchange })
    }

    /// Facts that the window needs at its start.
    ///
    /// # Errors
    /// None at present. All commands have the same return type.
    pub fn app_info(&self) -> Result<AppInfo, WireError> {
        Ok(AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            home: self.workspace.home().path().display().to_string(),
            language: system_language().tag().to_owned(),
            current_run: self.runs.current_shown(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_that_cannot_be_opened_says_so_to_whoever_asks_and_opens_once_the_reason_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("koab.sqlite");
        std::fs::write(&database, "no database".repeat(999)).expect("written");
        let api = Api::open(Some(folder.path().to_owned())).expect("opened");
        assert!(api.app_info().is_ok(), "the window still learns which folder it is");
        let errors = [
            api.packs.list().expect_err("closed"),
            api.workspace.settings_get().expect_err("closed"),
            api.runs.library.reports_library().expect_err("closed"),
        ];
        for error in errors {
            assert_eq!(error.code, ErrorCode::NoWorkspace);
            assert!(error.message.to_string().starts_with("koab.sqlite is damaged"), "{error}");
        }
        std::fs::remove_file(database).expect("removed");
        assert_eq!(api.packs.list().expect("opened").len(), 1);
    }
}
