//! Every command that a face of the product calls by name: the window, and a browser through `koab serve`.
//!
//! One row a command: how it works, its name, its arguments, its answer, and the method that does it. From the table come
//! the dispatcher ([`Api::call`]) and the TypeScript twin `ui/src/ipc/gen/Commands.ts`, so that a command added here can
//! be called from the UI with its types checked, and from nowhere with other arguments. What a command means is documented
//! at its method. Nothing is decided here.
//!
//! Kinds: `quick` answers at once from memory; `disk` reads or writes files and runs on a thread of its own; `slow`
//! awaits; `stream` awaits and sends events of a run as well, before and after it has answered.

use crate::Api;
use crate::about::About;
use crate::activities::Activity;
use crate::compare::{CompareView, MatrixRequest, MatrixView, PairRequest, PairView, RanksView};
use crate::doctor::Check;
use crate::import::ImportResult;
use crate::keys::{ImportPreview, KeyChange, KeyPlace, KeysView};
use crate::local_run::{LocalEngine, LocalNeed, LocalTrial, LocalTrialRequest};
use crate::packs::CacheTimes;
use crate::prices::PriceRow;
use crate::runs::DryRun;
use crate::scenarios::{
    ScenarioComparison, ScenarioLive, ScenarioLogPart, ScenarioLogPiece, ScenarioPlan, ScenarioProblem,
    ScenarioRequest, ScenarioResults, ScenarioScorer, ScenarioTable, ScenarioTrialPage, TrialFileContent,
};
use crate::settings::{Settings, SettingsView};
use crate::snapshots::ShareOptions;
use crate::transcript::{RawTranscript, RunTask, Transcript};
use crate::wire::*;
use koab_core::comparability::Comparability;
use koab_core::report::{CombinedNames, CombinedOrder};
use koab_engine::ports::{Cancel, EventSink};
use koab_sandbox::layout::TrialId;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use ts_rs::TS;

/// A command as the TypeScript side needs to know it.
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "read by the generator, which is a test")
)]
struct Signature {
    name: &'static str,
    streams: bool,
    args: Vec<(&'static str, String)>,
    answer: String,
}

fn arguments<T: DeserializeOwned>(command: &str, args: Value) -> Result<T, WireError> {
    serde_json::from_value(args)
        .map_err(|error| WireError::bad_request(format!("the arguments of {command} are not right: {error}")))
}

fn answer<T: serde::Serialize>(answer: T) -> Result<String, WireError> {
    serde_json::to_string(&answer).map_err(WireError::internal)
}

macro_rules! carry_out {
    (quick, $name:ident, $body:expr) => {
        $body
    };
    (slow, $name:ident, $body:expr) => {
        $body
    };
    (stream, $name:ident, $body:expr) => {
        $body
    };
    (disk, $name:ident, $body:expr) => {
        tokio::task::spawn_blocking(move || $body)
            .await
            .map_err(WireError::internal)?
    };
}

macro_rules! commands {
    ($api:ident, $sink:ident; $(
        $kind:ident $name:ident ( $($arg:ident : $ty:ty),* ) -> $answer:ty = $body:expr;
    )*) => {
        impl Api {
            /// Calls a command by name and answers with JSON. `sink` hears the events of commands that send any.
            ///
            /// # Errors
            /// When there is no such command, an argument is missing or of another type, or as the command says.
            pub async fn call(
                &self,
                command: &str,
                args: Value,
                sink: Arc<dyn EventSink>,
            ) -> Result<String, WireError> {
                match command {
                    $(stringify!($name) => {
                        #[derive(Deserialize)]
                        struct Args { $($arg: $ty),* }
                        let Args { $($arg),* } = arguments(command, args)?;
                        #[allow(unused_variables)]
                        let ($api, $sink) = (self.clone(), sink);
                        let answered: Result<$answer, WireError> = carry_out!($kind, $name, $body);
                        answer(answered?)
                    })*
                    _ => Err(WireError::bad_request(format!("there is no command {command}"))),
                }
            }
        }

        #[cfg_attr(not(test), expect(dead_code, reason = "read by the generator, which is a test"))]
        fn signatures(config: &ts_rs::Config) -> Vec<Signature> {
            vec![$(Signature {
                name: stringify!($name),
                streams: stringify!($kind) == "stream",
                args: vec![$((stringify!($arg), <$ty as TS>::name(config))),*],
                answer: <$answer as TS>::name(config),
            }),*]
        }
    };
}

commands! { api, sink;
    quick app_info() -> AppInfo = api.app_info();
    quick app_about() -> About = api.app_about();
    quick in_korean(texts: Vec<String>) -> Vec<Option<String>> = Ok(Api::in_korean(&texts));
    disk packs_list() -> Vec<PackSummary> = api.packs_list();
    disk pack_use(name: String) -> () = api.pack_use(&name);
    disk pack_view(name: String) -> PackView = api.pack_view(&name);
    slow pack_import(path: PathBuf) -> PackImport = api.pack_import_in_view(path).await.map(PackImport::from);
    slow pack_pull(request: PackPullRequest) -> PackPulled = api.pack_pull(request, &Cancel::new()).await;
    disk published_list() -> Vec<PublishedSummary> = api.published_list();
    disk published_view(repo: String, commit: Option<String>, pack: Option<String>) -> PublishedView =
        api.published_view(&repo, commit.as_deref(), pack.as_deref());
    disk published_forget(repo: String, commit: String) -> Vec<PublishedSummary> = api.published_forget(&repo, &commit);
    disk pack_removal(name: String) -> PackRemoval = api.pack_removal(&name);
    disk pack_remove(name: String) -> () = api.pack_remove(&name);
    disk pack_starter() -> PackSummary = api.pack_starter();
    disk pack_export(name: String) -> PackFile = api.pack_export(&name);
    disk drafts_list() -> DraftList = api.drafts_list();
    disk draft_create(request: DraftRequest) -> DraftSummary = api.draft_create(&request);
    disk draft_open(name: String) -> DraftOpened = api.draft_open(&name);
    disk draft_item(name: String, key: u32) -> DraftItemView = api.draft_item(&name, key.into());
    disk draft_change(name: String, revision: u32, change: DraftChange) -> DraftChanged =
        api.draft_change(&name, revision.into(), change);
    disk draft_try(name: String, tool: String, arguments: String) -> CallLookup = api.draft_try(&name, &tool, &arguments);
    disk draft_response(name: String, tool: String, arguments: String) -> Option<String> = api.draft_response(&name, &tool, &arguments);
    disk draft_records(name: String, tool: String, words: String) -> DraftRecords = api.draft_records(&name, &tool, &words);
    disk draft_review(name: String) -> DraftReview = api.draft_review(&name);
    disk draft_save(name: String, revision: u32) -> DraftSaved = api.draft_save(&name, revision.into());
    disk draft_discard(name: String) -> () = api.draft_discard(&name);
    disk pack_tools(pack: Option<String>) -> Vec<ToolView> = api.pack_tools(pack.as_deref());
    disk settings_get() -> SettingsView = api.settings_get();
    disk settings_set(settings: Settings) -> SettingsView = api.settings_set(settings);
    disk offline_set(on: bool) -> SettingsView = api.offline_set_in_view(on);
    disk egress_view(since: Option<String>, most: usize) -> EgressView = api.egress_view(since.as_deref(), most);
    disk egress_clear() -> EgressCleared = api.egress_clear();
    disk link_opening(address: String) -> () = api.link_opening(&address);
    disk workspace_choose(folder: Option<String>) -> Option<String> = api.workspace_choose(folder.as_deref());
    disk prices_list() -> Vec<PriceRow> = api.prices();
    disk price_set(model: String, price: Option<(f64, f64)>) -> Vec<PriceRow> = api.price_set(&model, price);
    slow doctor() -> Vec<Check> = Ok(api.doctor().await);
    disk tasks_list(pack: Option<String>) -> TaskList = api.tasks_list(pack.as_deref());
    disk task_show(pack: Option<String>, id: String) -> TaskDetail = api.task_show(pack.as_deref(), &id);
    disk task_flag(pack: String, id: String, note: Option<String>) -> Option<TaskFlagView> = api.task_flag(&pack, &id, note.as_deref());
    disk task_flags(pack: Option<String>) -> HashMap<String, TaskFlagView> = api.task_flags(pack.as_deref());
    disk tool_records(pack: String) -> Vec<ToolRecordsView> = api.tool_records(&pack);
    disk snapshots_list(pack: Option<String>) -> SnapshotList = api.snapshots_list(pack.as_deref());
    disk snapshots_all() -> Vec<SnapshotView> = api.snapshots_all();
    disk snapshot_create(pack: Option<String>, name: String, note: String) -> SnapshotView =
        api.snapshot_create(pack.as_deref(), &name, &note);
    disk snapshot_show(name: String, verify: bool) -> SnapshotDetail = api.snapshot_show(&name, verify);
    disk snapshot_diff(pack: Option<String>, then: String, now: String, tool: Option<String>) -> SnapshotDiff =
        api.snapshot_diff(pack.as_deref(), (&then, &now), tool.as_deref(), crate::snapshots::SHOWN);
    disk snapshot_delete(name: String) -> () = api.snapshot_delete(&name);
    disk snapshot_export(pack: Option<String>, state: String) -> SnapshotExport =
        api.snapshot_export(pack.as_deref(), &state, None);
    disk snapshot_share(pack: Option<String>, state: String, name: Option<String>) -> SnapshotExport =
        api.snapshot_share(pack.as_deref(), &state, None, ShareOptions { name, version: None });
    disk drift(run: String, against: String, task: Option<String>) -> RunDrift = api.drift(&run, &against, task.as_deref());
    disk call_lookup(pack: Option<String>, tool: String, arguments: String) -> CallLookup = api.call_lookup(pack.as_deref(), &tool, &arguments);
    disk cache_time(pack: Option<String>) -> CacheTimes = api.cache_time(pack.as_deref(), crate::packs::TIMED);
    slow models_list() -> Vec<ModelSummary> = api.models_list().await;
    disk local_list() -> LocalModels = api.local_list();
    disk local_add(path: PathBuf) -> LocalModel = api.local_add(&path);
    disk local_removal(name: String, part: LocalPart) -> LocalRemoval = api.local_removal(&name, &part);
    disk local_delete(name: String, part: LocalPart) -> LocalRemoval = api.local_delete(&name, &part);
    quick local_engine() -> LocalEngine = api.local_engine();
    disk local_need(request: LocalTrialRequest) -> LocalNeed = api.local_need(&request);
    quick local_trial_start(request: LocalTrialRequest) -> LocalTrial = api.local_trial_start(request);
    quick local_trial(name: String) -> Option<LocalTrial> = api.local_trial(&name);
    slow local_verify(name: String) -> LocalVerified = api.local_verify(&name).await;
    slow hub_model(repo: String) -> HubModel = api.hub_model(&repo).await;
    slow pull_start(request: PullRequest) -> PullState = api.pull_start(request).await;
    slow pull_resume(id: String) -> PullState = api.pull_resume(&id).await;
    quick pull_pause(id: String) -> () = api.pull_pause(&id);
    slow pull_cancel(id: String) -> () = api.pull_cancel(&id).await;
    disk pulls_list() -> Vec<PullState> = api.pulls_list();
    slow servers_find() -> Vec<ModelServer> = api.servers_find(&[]).await;
    stream run_start(request: RunRequest) -> () = api.run_start(request, sink).await;
    stream run_subscribe(run: String) -> RunSnapshot = api.run_subscribe(&run, sink);
    quick run_cancel(run: String) -> () = api.run_cancel(&run);
    quick run_pause(run: String) -> () = api.run_pause(&run);
    quick run_unpause(run: String) -> () = api.run_unpause(&run);
    slow run_services(request: RunRequest) -> Vec<ServiceState> = api.run_services(request).await;
    disk cache_misses(run: String) -> RunMisses = api.cache_misses(&run);
    slow cache_fill_plan(request: FillRequest) -> FillPlan = api.cache_fill_plan(request).await;
    slow cache_fill(request: FillRequest) -> FillEnd = api.cache_fill(request, &Cancel::new()).await;
    quick cache_fill_end(run: String) -> Option<FillEnd> = api.cache_fill_end(&run);
    disk run_estimate(request: RunRequest) -> DryRun = api.run_estimate(request);
    disk run_queue(requests: Vec<RunRequest>) -> RunsNow = api.run_queue(requests);
    quick runs_now() -> RunsNow = api.runs_now();
    quick run_unqueue(run: String) -> RunsNow = api.run_unqueue(&run);
    quick run_move(run: String, to: u32) -> RunsNow = api.run_move(&run, to);
    quick runs_stop() -> () = api.runs_stop();
    disk run_replay(run: String) -> RunSnapshot = api.run_replay(&run);
    disk run_trash(run: String) -> () = api.run_trash(&run);
    disk run_restore(run: String) -> () = api.run_restore(&run);
    disk run_remark(run: String, tags: Vec<String>, note: String) -> RunSummary = api.run_remark(&run, tags, note);
    disk runs_list() -> Vec<RunSummary> = api.runs_list();
    disk run_judges(run: String) -> RunJudges = api.run_judges(&run);
    slow run_evaluate(request: EvaluateRequest) -> ReportView = api.run_evaluate(request).await;
    disk reports_list() -> Vec<ReportView> = api.reports_list();
    slow import_files(paths: Vec<String>) -> ImportResult = api.import_files(paths.into_iter().map(Into::into).collect()).await;
    slow import_references(paths: Vec<String>) -> ImportResult = api.import_references(paths.into_iter().map(Into::into).collect()).await;
    disk references() -> ReferenceSet = api.references();
    disk references_remove() -> Vec<String> = api.references_remove();
    disk report_standing(id: String) -> ReferenceStanding = api.report_standing(&id);
    slow bundle_verify(path: PathBuf, key: Option<String>) -> Verification = api.bundle_verify(path, key, &Cancel::new()).await;
    quick import_result(id: String) -> Option<ImportResult> = api.import_result(&id);
    disk report_repetitions(id: String) -> RepetitionsView = api.report_repetitions(&id);
    disk compare(ids: Vec<String>) -> CompareView = api.compare(&ids);
    disk compare_pair(request: PairRequest) -> PairView = api.compare_pair(&request);
    disk compare_ranks(ids: Vec<String>) -> RanksView = api.compare_ranks(&ids, None, None);
    disk compare_matrix(request: MatrixRequest) -> MatrixView = api.compare_matrix(&request);
    slow evaluate_estimate(request: EvaluateRequest) -> EvaluatePlan = api.evaluate_estimate(request).await;
    slow judges_default() -> Vec<DefaultJudge> = api.judges_default().await;
    disk verdicts_of_task(run: String, task: String) -> TaskVerdicts = api.verdicts_of_task(&run, &task);
    disk verdict_override(request: OverrideRequest) -> Vec<OverrideRow> = api.verdict_override(&request);
    disk verdict_override_remove(removal: OverrideRemoval) -> Vec<OverrideRow> = api.verdict_override_remove(&removal);
    disk verdict_overrides(run: Option<String>) -> Vec<OverrideRow> = api.verdict_overrides(run.as_deref());
    disk judge_lab(request: LabRequest) -> LabView = api.judge_lab(&request);
    disk judge_again_plan(request: LabAskRequest) -> LabAskPlan = api.judge_again_plan(&request);
    slow judge_again(request: LabAskRequest) -> LabAskEnd = api.judge_again(request, &Cancel::new()).await;
    disk queue_make(request: QueueRequest) -> QueueView = api.queue_make(&request);
    disk queues_list() -> Vec<QueueSummary> = api.queues_list();
    disk queue_open(id: String) -> QueueView = api.queue_open(&id);
    disk queue_answer(id: String, number: u32, answer: Option<BlindAnswer>) -> QueueSummary =
        api.queue_answer(&id, number, answer.as_ref());
    disk queue_reveal(id: String) -> QueueReveal = api.queue_reveal(&id);
    disk queue_apply(id: String, by: String) -> QueueApplied = api.queue_apply(&id, &by);
    disk queue_remove(id: String) -> () = api.queue_remove(&id);
    disk queue_export(id: String, format: String) -> QueueFile = api.queue_export(&id, &format);
    disk queue_import(path: PathBuf) -> QueueAnswered = api.queue_import(&path);
    slow scenario_plan(request: ScenarioRequest) -> ScenarioPlan = api.scenario_plan(request).await;
    quick scenario_start(request: ScenarioRequest) -> String = api.scenario_start(request);
    quick scenario_live() -> Vec<ScenarioLive> = api.scenario_live();
    quick scenario_log(id: String, scenario: String, instance: String, repetition: u32, after: u64) -> ScenarioLogPiece =
        api.scenario_log(&id, &scenario, &instance, repetition, after);
    quick scenario_cancel(id: String) -> () = api.scenario_cancel(&id);
    disk scenario_problems(path: String, allow: Vec<String>) -> Vec<ScenarioProblem> = api.scenario_problems(&path, &allow);
    disk scenario_results(folder: Option<String>) -> ScenarioResults = api.scenario_results(folder.as_deref());
    disk scenario_table(folder: Option<String>, scenario: String, scorer: ScenarioScorer) -> ScenarioTable =
        api.scenario_table(folder.as_deref(), &scenario, scorer);
    disk scenario_table_csv(folder: Option<String>, scenario: String, scorer: ScenarioScorer) -> String =
        api.scenario_table_csv(folder.as_deref(), &scenario, scorer);
    disk scenario_compare(
        folder: Option<String>, scenario: String, other_folder: Option<String>, other: String, scorer: ScenarioScorer
    ) -> ScenarioComparison =
        api.scenario_compare((folder.as_deref(), &scenario), (other_folder.as_deref(), &other), scorer);
    disk scenario_trial(
        folder: Option<String>, scenario: String, instance: String, repetition: u32, scorer: ScenarioScorer
    ) -> ScenarioTrialPage =
        api.scenario_trial(folder.as_deref(), &TrialId { scenario, instance, repetition }, scorer);
    disk scenario_trial_log(
        folder: Option<String>, scenario: String, instance: String, repetition: u32, line: u32
    ) -> ScenarioLogPart =
        api.scenario_trial_log(folder.as_deref(), &TrialId { scenario, instance, repetition }, line);
    disk scenario_trial_file(
        folder: Option<String>, scenario: String, instance: String, repetition: u32, path: String
    ) -> TrialFileContent =
        api.scenario_trial_file(folder.as_deref(), &TrialId { scenario, instance, repetition }, &path);
    quick activities_list() -> Vec<Activity> = api.activities_list();
    quick activity_cancel(id: String) -> () = api.activity_cancel(&id);
    disk fork_offer(run: String, task: String, repetition: Option<u32>, step: u32) -> ForkOffer =
        api.fork_offer(&run, &task, repetition, step);
    disk fork_plan(request: ForkRequest) -> ForkPlan = api.fork_plan(&request);
    slow fork_start(request: ForkRequest) -> ForkStarted = api.fork_start(request).await;
    disk forks_list(run: Option<String>, task: Option<String>) -> Vec<ForkSummary> =
        api.forks_list(run.as_deref(), task.as_deref());
    disk fork_show(id: String) -> ForkView = api.fork_show(&id);
    disk fork_rename(id: String, name: String) -> ForkSummary = api.fork_rename(&id, &name);
    disk fork_trash(id: String) -> () = api.fork_trash(&id);
    disk fork_restore(id: String) -> () = api.fork_restore(&id);
    disk run_tasks(run: String) -> Vec<RunTask> = api.run_tasks(&run);
    disk transcript(run: String, task: String, report: Option<String>, repetition: Option<u32>) -> Transcript =
        api.transcript(&run, &task, report.as_deref(), repetition);
    disk transcript_raw(run: String, task: String, repetition: Option<u32>) -> RawTranscript =
        api.transcript_raw(&run, &task, repetition);
    disk report_show(run: String) -> Option<ReportView> = api.report_show(&run);
    slow keys_list() -> KeysView = api.keys_list().await;
    slow key_set(name: String, value: String, place: KeyPlace) -> KeyChange = api.key_set(&name, &value.into(), place).await;
    slow key_delete(name: String, place: KeyPlace) -> KeyChange = api.key_delete(&name, place).await;
    slow keys_unlock(passphrase: String) -> () = api.keys_unlock(passphrase.into()).await;
    disk keys_preview(path: PathBuf) -> ImportPreview = api.keys_preview(&path);
    slow keys_import(path: PathBuf, place: KeyPlace) -> ImportPreview = api.keys_import_file(&path, place).await;
    slow model_check(model: String, base_url: Option<String>) -> () = api.check_model(&model, base_url.as_deref()).await;
    disk reports_library() -> Vec<ReportRow> = api.reports_library();
    disk report_detail(id: String) -> ReportDetail = api.report_detail(&id);
    disk report_comparability(id: String) -> Comparability = api.report_comparability(&id);
    disk run_comparability(run: String) -> Comparability = api.run_comparability(&run);
    disk report_facts(id: String) -> ReportFacts = api.report_facts(&id);
    disk report_remark(id: String, tags: Vec<String>, note: String) -> ReportRow = api.report_remark(&id, tags, note);
    disk report_delete(id: String) -> String = api.report_delete(&id);
    disk report_restore(deleted: String) -> String = api.report_restore(&deleted);
    disk atlas(ids: Vec<String>) -> AtlasView = api.atlas(&ids);
    disk atlas_attempt(run: String, task: String, report: Option<String>) -> Option<koab_core::atlas::Sorted> =
        api.atlas_attempt(&run, &task, report.as_deref());
    disk atlas_export(export: AtlasExport) -> ReportFile = api.atlas_export(&export);
    disk reports_combined(ids: Vec<String>, names: CombinedNames, order: CombinedOrder) -> ReportFile =
        api.reports_combined(&ids, names, order);
    disk submission_view(request: SubmissionRequest) -> SubmissionView = api.submission_view(&request);
    disk submission_save(request: SubmissionRequest, under: PathBuf) -> SubmissionSaved =
        api.submission_save_under(&request, &under);
    disk submission_archive(request: SubmissionRequest) -> SubmissionArchive = api.submission_archive(&request);
    slow submission_bundle(request: SubmissionRequest, sign: bool, under: Option<PathBuf>) -> SubmissionSaved =
        api.submission_bundle_under(request, sign, under).await;
    slow submission_validate(place: PathBuf) -> SubmissionCheck = api.submission_validate(place, &Cancel::new()).await;
    disk report_export(id: String, format: ReportFormat, language: String) -> ReportFile =
        api.report_export(&id, format, &language);
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_core::event::RunEvent;
    use std::collections::BTreeSet;
    use std::fmt::Write as _;

    struct Nobody;
    impl EventSink for Nobody {
        fn send(&self, _: &RunEvent) {}
    }

    /// Names of exported types within a TypeScript type.
    fn named(ty: &str, names: &mut BTreeSet<String>) {
        let words = ty.split(|c: char| !c.is_alphanumeric() && c != '_');
        let own = |word: &&str| {
            word.starts_with(|c: char| c.is_ascii_uppercase()) && !["Array", "Record"].contains(word)
        };
        names.extend(words.filter(own).map(str::to_owned));
    }

    /// Called by `cargo xtask gen` with every other `export_bindings` test.
    #[test]
    fn export_bindings_commands() {
        let config = ts_rs::Config::from_env();
        let (mut names, mut rows) = (BTreeSet::new(), String::new());
        for command in signatures(&config) {
            let mut args = Vec::new();
            for (name, ty) in &command.args {
                named(ty, &mut names);
                args.push(format!("{name}: {ty}"));
            }
            named(&command.answer, &mut names);
            let args = match args.as_slice() {
                [] => "Record<string, never>".to_owned(),
                args => format!("{{ {} }}", args.join(", ")),
            };
            let _ = writeln!(
                rows,
                "  {}: {{ streams: {}, args: {args}, answer: {} }};",
                command.name, command.streams, command.answer
            );
        }
        let imports: String = names
            .iter()
            .map(|name| format!("import type {{ {name} }} from './{name}';\n"))
            .collect();
        let text = format!(
            "// This file was generated from the table in koab-api's commands.rs. Do not edit it.\n{imports}\n/** Every command: whether it sends events, its arguments, what it answers. */\nexport interface Commands {{\n{rows}}}\n"
        );
        let folder = std::env::var("TS_RS_EXPORT_DIR").unwrap_or_else(|_| "./bindings".to_owned());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(std::path::Path::new(&folder).join("Commands.ts"), text).unwrap();
    }

    #[tokio::test]
    async fn a_command_is_found_by_name_and_its_arguments_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let api = Api::open(Some(folder.path().to_owned())).unwrap();
        let call = async |name: &str, args: Value| api.call(name, args, Arc::new(Nobody)).await;
        let packs = call("packs_list", serde_json::json!({})).await.unwrap();
        let packs: Value = serde_json::from_str(&packs).unwrap();
        assert_eq!(packs[0]["name"], "starter");
        assert_eq!(
            call("pack_use", serde_json::json!({"name": "starter"}))
                .await
                .unwrap(),
            "null"
        );
        let error = call("pack_use", serde_json::json!({})).await.unwrap_err();
        assert_eq!(
            error.message,
            "the arguments of pack_use are not right: missing field `name`"
        );
        let error = call("drop_everything", Value::Null).await.unwrap_err();
        assert_eq!(error.message, "there is no command drop_everything");
    }
}
