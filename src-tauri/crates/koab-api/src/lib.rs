//! Composition and border: every command of the product, declared once, for the window and the command line alike.
//!
//! [`Api`] is built once; it owns the workspace and knows which runs are under way. Its commands take and return the types
//! of [`wire`] and [`options`]. No tauri here, no printing, and nothing that only a desktop can do.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod about;
mod activities;
mod answers;
mod atlas;
mod batches;
mod bundle;
mod clock;
mod commands;
mod comparability;
mod compare;
mod completing;
mod dirs;
mod doctor;
mod editing;
mod egress;
mod error;
mod estimate;
mod evaluate;
mod filling;
mod forks;
pub mod gateway;
mod hub;
mod hugging_face;
mod import;
mod judge_estimate;
mod judge_lab;
mod judges;
mod keys;
mod korean;
mod local;
pub mod local_run;
mod misses;
mod models;
mod nearest;
pub mod options;
pub mod otlp;
mod overrides;
mod overriding;
mod pacing;
mod packs;
mod prices;
mod pulling;
mod queue;
mod recent;
mod references;
mod repetitions;
mod replay;
mod report_cost;
mod report_detail;
mod report_export;
mod report_facts;
mod report_library;
mod report_of_run;
mod report_repetitions;
mod report_view;
mod reports;
mod run_judges;
mod run_library;
mod runs;
mod scenarios;
mod services;
mod settings;
mod snapshots;
mod starter;
mod submission;
mod task_verdicts;
mod tasks;
mod transcript;
pub mod wire;

pub use about::About;
pub use activities::{Activity, ActivityKind};
pub use atlas::{AtlasLine, AtlasTable};
pub use batches::{BatchSink, Batches, batches};
pub use bundle::{Recheck, SubmissionFiles, verify as verify_bundle};
pub use compare::{
    CompareView, ComparedReport, Difference, DifferenceKind, MatrixLeftOut, MatrixPair, MatrixReport,
    MatrixRequest, MatrixView, PairRequest, PairSide, PairView, RanksView, ScoredPair,
};
pub use dirs::{Home, HomeOrigin};
pub use doctor::Check;
pub use egress::force_offline;
pub use estimate::Estimate;
pub use evaluate::Scored;
pub use import::{ImportItem, ImportOutcome, ImportResult, ImportedKind, Taking};
pub use keys::{
    Asked, Import, ImportPreview, KeyChange, KeyOrigin, KeyPlace, KeyRow, KeychainState, KeysFileState,
    KeysView, PassphrasePrompt,
};
pub use koab_core::atlas::{By as AtlasBy, Cause, UnknownCause};
pub use koab_core::bundle::{CacheFacts, Check as BundleCheck, CheckName, CheckState, PackFacts, Subject};
pub use koab_core::changes::{ValueChange, ValueChanges};
pub use koab_core::comparability::{
    Aspect, CallFacts, CallsBasis, Comparability, Facts, Finding, Grade, Judgement, LevelCalls,
};
pub use koab_core::event::{AnswerSource, RunEvent, RunEventKind, RunOutcome};
pub use koab_core::fork::{ForkEdit, ForkEditTo, ForkOf, ForkRole, ForkSetting};
pub use koab_core::judge::lab::{
    JudgeAgainstPeople, JudgeCoverage, JudgesEffect, LabAgreement, LabEstimate, LabMeasure, LabPanel,
    LabPanelKind,
};
pub use koab_core::level::Level;
pub use koab_core::protocol::Protocol;
pub use koab_core::published::{DriftRow, DriftStanding};
pub use koab_core::report::paired::{
    ALPHA, EffectKind, Family, FamilyTests, MOST_DRAWS, Needs, PairTest, PairTestKind, PairTests,
    PairVerdict, ranks,
};
pub use koab_core::report::{CombinedNames, CombinedOrder};
pub use koab_core::score::MetricId;
pub use koab_core::sensitive::Sensitive;
pub use koab_core::shown;
pub use koab_core::submission::{
    ModelType, Names as SubmissionNames, Objection, ObjectionCode, ObjectionSeverity, TextLanguage,
};
pub use koab_engine::budget::Spending;
pub use koab_engine::ports::{Cancel, EventSink};
pub use koab_sandbox::lint::Severity;
pub use koab_sandbox::run::Event as ScenarioEvent;
pub use koab_sandbox::tabulate::original::Generation as OriginalGeneration;
pub use koab_sandbox::tabulate::{Scorer, Table as ScenarioTable, Verdict as ScenarioVerdict};
pub use koab_store::export::PackArchive;
pub use korean::korean;
pub use packs::{CacheStats, CacheTimes, Found, PackDetail, PackImported};
pub use prices::PriceRow;
pub use reports::{Combined, shown_reading};
pub use runs::{DryRun, DryRunLevel, RunEnd};
pub use scenarios::{
    CloneRequest, Cloned, LintedLog, ScenarioCell, ScenarioComparison, ScenarioCounts, ScenarioDifference,
    ScenarioFinding, ScenarioLive, ScenarioLogPart, ScenarioLogPiece, ScenarioMeasured, ScenarioModelCalls,
    ScenarioOutcome, ScenarioPassAtK, ScenarioPlan, ScenarioProblem, ScenarioRequest, ScenarioResults,
    ScenarioRow, ScenarioScorer, ScenarioSide, ScenarioSpending, ScenarioStanding, ScenarioSummary,
    ScenarioTotals, ScenarioTrial, ScenarioTrialFile, ScenarioTrialPage, ScriptRequest, TabulatedScenario,
    TrialFileContent, TrialFileKind, TrialPageState, TrialState, UnfinishedTrial,
};
pub use scenarios::{ScenarioTable as ScenarioTableView, ScenarioVerdict as ScenarioVerdictView};
pub use services::OverlayView;
pub use settings::{Language, ProxyMode, Settings, SettingsView, Theme};
pub use snapshots::ShareOptions;
pub use transcript::{
    ArgumentBeside, Exact, GoldenCall, Injection, JudgeQuestionText, JudgeVerdict, MetricScore, MetricScores,
    RawTranscript, Repetition, ReportUsed, RunTask, Speaker, StepTiming, TaskStatus, Transcript,
    TranscriptAttempt, TranscriptCall, TranscriptTurn,
};
pub use wire::{
    AnswerChange, AnswerDifference, AnswerDifferenceTool, AnswerFrom, CallDrift, CallDriftKind, DriftTotals,
    RunDrift, SnapshotDetail, SnapshotDiff, SnapshotExport, SnapshotList, SnapshotTool, SnapshotView,
    StateView, TaskDrift, ToolDrift,
};
pub use wire::{
    AnswerScale, AppInfo, CacheUse, Compared, CompositeRow, DefaultJudge, ErrorCode, EvaluatePlan,
    EvaluateRequest, Figure, JudgeAgreement, JudgeEstimate, KeyNeed, ModelKind, ModelSummary,
    OverrideRemoval, OverrideRequest, OverrideRow, PackSummary, QuestionVerdicts, ReportView, RunRequest,
    RunSnapshot, RunSummary, StoredVerdict, TaskVerdicts, WireError,
};
pub use wire::{
    ArgumentDifference, DifferenceOfArgument, FillEnd, FillError, FillPlan, FillRequest, FillService,
    FilledTool, Miss, MissStanding, MissesOfLevel, MissesOfTool, NearestMiss, RunMisses, ServiceKey,
    ServiceState,
};
pub use wire::{
    AttemptMark, DisagreementView, OverallFigure, ReferenceLeftOut, ReferenceReport, ReferenceSet,
    ReferenceStanding, RepeatedFigure, RepeatedMetricView, RepeatedScopeView, RepeatedTaskView,
    RepetitionsView, ScoreRange, StandingMeasure, StandingPoint,
};
pub use wire::{BesideFile, JudgesFrom, RunJudges, RunShown, Standing};
pub use wire::{
    BlindAnswer, BlindQuestion, JudgeSaid, LabAskEnd, LabAskPlan, LabAskRequest, LabLeftOut, LabRequest,
    LabRun, LabView, QueueAnswered, QueueApplied, QueueFile, QueueRequest, QueueReveal, QueueSummary,
    QueueView, RevealedQuestion,
};
pub use wire::{
    BundleExtra, BundleRequest, BundleWritten, SignatureState, SigningKey, Verification, VerifiedCounts,
};
pub use wire::{
    DraftCall, DraftChange, DraftChanged, DraftFinding, DraftFrom, DraftItemView, DraftList, DraftOpened,
    DraftProblem, DraftRecordRow, DraftRecords, DraftRequest, DraftReview, DraftSaved, DraftSummary,
    DraftTaskRow, DraftToolRow, OwnPack, OwnPackVersion, PackFile, PackLint, ToolImpact,
};
pub use wire::{
    DriftCounts, PackImport, PackProblem, PackPullRequest, PackPulled, PublishedDrift, PublishedSummary,
    PublishedView, PulledFrom,
};
pub use wire::{EgressCleared, EgressPurpose, EgressRow, EgressView, OfflineForced, OfflineView};
pub use wire::{
    ForkChangeView, ForkMessage, ForkOffer, ForkPlan, ForkRequest, ForkStarted, ForkState, ForkSummary,
    ForkView,
};
pub use wire::{
    HubModel, HubOffer, LocalConversion, LocalKind, LocalModel, LocalModels, LocalPart, LocalPlace,
    LocalRemoval, LocalVerified, ModelServer, PullRequest, PullStanding, PullState,
};
pub use wire::{ReportDetail, ReportFacts, ReportFile, ReportFormat, ReportOrigin, ReportRow};
pub use wire::{SubmissionArchive, SubmissionCheck, SubmissionRequest, SubmissionSaved, SubmissionView};

use hub::LiveRun;
use koab_store::{EgressLog, Store};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

/// The product, without a face. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Api {
    inner: Arc<Inner>,
}

struct Inner {
    home: Home,
    /// The workspace's side of the gate to other computers.
    egress: Arc<EgressLog>,
    /// Opened when first needed: `koab models list` must work on a read-only disk.
    store: OnceLock<Store>,
    opening: Mutex<()>,
    /// Runs of this process, the newest last.
    live: Mutex<Vec<Arc<LiveRun>>>,
    /// What is under way beside runs.
    activities: activities::Activities,
    /// Runs that wait, the one that goes, and those that have ended.
    desk: Mutex<queue::Desk>,
    /// Logs and reports that were read a moment ago.
    kept: transcript::kept::Kept,
    /// What the last imports brought.
    imports: Mutex<Vec<ImportResult>>,
    /// Keys and the passphrase that this process holds.
    keys: keys::Held,
    /// Reports that were opened last.
    opened_reports: recent::Recent<report_detail::Open>,
    /// Runs of scenarios.
    scenarios: scenarios::LiveScenarios,
    /// Logins at the services behind tools.
    tokens: koab_providers::services::HeldTokens,
    /// Fills of what runs missed.
    fills: filling::Fills,
    /// Calls in flight to each server.
    limiters: pacing::Limiters,
    /// The model that is in memory.
    #[cfg(feature = "local")]
    loaded: local_run::Loaded,
    /// Models that are being fetched.
    #[cfg(feature = "local")]
    pulls: local::Pulls,
    /// Models that were tried.
    trials: local_run::Trials,
}

impl Api {
    /// Opens the workspace: the folder asked for, else `KOAB_HOME`, else the system's. Nothing is written yet.
    ///
    /// # Errors
    /// When the system names no home folder.
    pub fn open(home: Option<PathBuf>) -> Result<Self, WireError> {
        let home = Home::resolve(home)?;
        let inner = Inner {
            egress: egress::keep_in(home.path()),
            home,
            store: OnceLock::new(),
            opening: Mutex::new(()),
            live: Mutex::default(),
            activities: activities::Activities::default(),
            desk: Mutex::default(),
            kept: transcript::kept::Kept::default(),
            imports: Mutex::default(),
            keys: keys::Held::default(),
            opened_reports: recent::Recent::new(report_detail::OPENED),
            scenarios: scenarios::LiveScenarios::default(),
            tokens: koab_providers::services::HeldTokens::default(),
            fills: filling::Fills::default(),
            limiters: pacing::Limiters::default(),
            #[cfg(feature = "local")]
            loaded: local_run::Loaded::default(),
            #[cfg(feature = "local")]
            pulls: local::Pulls::default(),
            trials: local_run::Trials::default(),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The workspace's folders.
    pub fn home(&self) -> &Home {
        &self.inner.home
    }

    /// What the window needs at its start.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn app_info(&self) -> Result<AppInfo, WireError> {
        Ok(AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            home: self.home().path().display().to_string(),
            language: system_language().to_owned(),
            current_run: self.current_shown(),
        })
    }

    /// The workspace's database, with the starter pack in it.
    fn store(&self) -> Result<&Store, WireError> {
        if let Some(store) = self.inner.store.get() {
            return Ok(store);
        }
        let _one_at_a_time = self
            .inner
            .opening
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(store) = self.inner.store.get() {
            return Ok(store);
        }
        let opened = self.open_store().map_err(|error| WireError {
            code: ErrorCode::NoWorkspace,
            ..error
        })?;
        Ok(self.inner.store.get_or_init(|| opened))
    }

    fn open_store(&self) -> Result<Store, WireError> {
        self.home().create()?;
        let store = Store::open(&self.home().database())?;
        starter::install(&store)?;
        Ok(store)
    }
}

/// `ko` or `en`, as the system's locale says.
pub fn system_language() -> &'static str {
    match sys_locale::get_locale() {
        Some(locale) if locale.to_lowercase().starts_with("ko") => "ko",
        _ => "en",
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
        assert!(
            api.app_info().is_ok(),
            "the window still learns which folder it is"
        );
        let errors = [
            api.packs_list().expect_err("closed"),
            api.settings_get().expect_err("closed"),
            api.reports_library().expect_err("closed"),
        ];
        for error in errors {
            assert_eq!(error.code, ErrorCode::NoWorkspace);
            assert!(error.message.starts_with("koab.sqlite is damaged"), "{error}");
        }
        std::fs::remove_file(database).expect("removed");
        assert_eq!(api.packs_list().expect("opened").len(), 1);
    }
}
