// Written by `cargo xtask gen` from the Rust types that cross to the UI. Do not edit.

export type About = {
version: string,
system: string,
build: string,
pack_format: number,
run_format: number,
workspace_format: number, };

export type Across = {
weights: AcrossWeights,
strata: Array<AcrossStratum>,
benchmarks: Array<AcrossBenchmark>,
combined: AcrossCombined,
heterogeneity: AcrossHeterogeneity | null,
sentence: Sentence, };

export type AcrossBenchmark = {
benchmark: string,
items: number,
combined: AcrossCombined, };

export type AcrossCombined = {
difference: number,
error: number,
interval: [number, number],
p: number,
detectable: number, };

export type AcrossHeterogeneity = {
q: number,
p: number,
i2: number, };

export type AcrossLeftOut = {
pack: string,
reason: Sentence, };

export type AcrossModel = {
model: string,
reports: Array<AcrossReport>, };

export type AcrossPair = {
first: string,
second: string,
packs: Array<AcrossPairPack>,
left_out: Array<AcrossLeftOut>,
across: Across | null,
holm: number | null,
verdict: PairVerdict, };

export type AcrossPairPack = {
pack: string,
grade: Grade,
findings: Array<Caveat>,
items: number,
left_out: number, };

export type AcrossPower = {
discordance: number | null,
item: number | null,
benchmark: number | null, };

export type AcrossReport = {
pack: string,
id: string, };

export type AcrossRequest = {
ids: Array<string>,
weights: AcrossWeights,
seed: number | null, };

export type AcrossStratum = {
benchmark: string,
group: string,
items: number,
weight: number,
difference: number,
interval: [number, number],
p: number,
holm: number,
discordance: number, };

export type AcrossView = {
weights: AcrossWeights,
models: Array<AcrossModel>,
packs: Array<string>,
pairs: Array<AcrossPair>,
power: number,
alpha: number,
seen: AcrossPower,
assumed: Array<AcrossPower>, };

export type AcrossWeights = "item" | "benchmark";

export type AdaptiveEstimate = {
mean: number,
half_width: number,
asked: number,
items: number,
sentence: Sentence, };

export type AdaptiveOutlook = {
pack: string,
items: number,
expected: number,
models: Array<string>, };

export type AdaptiveSummary = {
metric: MetricId,
model: string,
pack: string,
wished: number,
stopped: Sentence | null,
tasks: Array<AdaptiveTask>,
unscored: Array<string>,
models: Array<string>,
usd: number | null,
runs: Array<string>,
mean: number,
half_width: number,
asked: number,
items: number,
sentence: Sentence, };

export type AdaptiveTask = {
task: string,
solved: boolean,
run: string, };

export type AdaptiveView = {
id: string,
begun_ms: number,
is_over: boolean,
is_here: boolean,
scorer: Protocol,
judges: Array<string>,
expected: number,
found: AdaptiveSummary, };

export type AgentCalls = {
model_calls: number,
side_calls: number,
own_calls: number,
own_tools: Array<OwnTool>,
unmade: number,
changed: number,
by_agent: number, };

export type AgentCheck = {
name: string,
version: string | null,
definition: string,
contained: boolean,
passed: boolean,
startup_s: number | null,
seconds: number,
wire: string | null,
offered_as: string | null,
offered_at_once: boolean,
own_tools: Array<string>,
call_arrived: boolean,
answer_equal: boolean,
goes_on_after_error: boolean | null,
side_calls: number,
outlived: boolean,
hosts_asked_for: Array<string>,
traps: Array<Sentence>, };

export type AgentConduct = {
attempts: number,
asked: AgentCalls | null,
startup_s: number | null,
hosts: Array<string> | null,
hosts_of_run: boolean,
after_end: number,
outlived: number,
unread: number, };

export type AgentRow = {
name: string,
kind: string,
verified: string | null,
wire: string | null,
install: string | null,
own_model: boolean,
contained: boolean,
remark: Sentence | null,
checked: LastCheck | null, };

export type AnswerChange = "added" | "removed" | "changed";

export type AnswerDifference = {
change: AnswerChange,
tool: string,
args: string,
then: AnswerFrom | null,
now: AnswerFrom | null,
places: ValueChanges | null, };

export type AnswerDifferenceTool = {
tool: string,
same: number,
added: number,
removed: number,
changed: number, };

export type AnswerFrom = {
published_key: string,
created_at: string,
origin: string | null, };

export type AnswerScale = "yes_no" | "grades" | "mixed";

export type AnswerSource = "hit" | "miss" | "injected" | "refused" | "live" | "overlay";

export type AppInfo = {
version: string,
home: string,
language: string,
current_run: string | null, };

export type Arg = number | string | {
list: Array<Sentence>,
between: string, } | { text: string, args?: { [place: string]: Arg } };

export type ArgumentBeside = {
name: string,
golden: unknown,
given: unknown,
state: ArgumentState, };

export type ArgumentDifference = {
name: string,
kind: DifferenceOfArgument,
asked: unknown,
recorded: unknown, };

export type ArgumentState = "same" | "default" | "wrong" | "missing" | "extra";

export type Aspect = "tasks" | "tools" | "protocol" | "settings" | "recordings" | "coverage" | "attempts" | "scorer" | "judges";

export type AtlasAttempt = {
source: number,
level: Level,
task: string,
sorted: AtlasSorted, };

export type AtlasBy = "level" | "model";

export type AtlasCause = {
id: AtlasCauseId,
owner: CauseOwner,
needs: CauseNeeds, };

export type AtlasCauseId = "timed_out" | "model_failed" | "stopped" | "repetition_failed" | "judge_failed" | "seeded_answer" | "empty_answer" | "step_limit" | "cut_off" | "cache_miss" | "tool_failed" | "bad_json" | "unknown_tool" | "argument_refused" | "fallback_unused" | "injection_unmet" | "asked_back" | "only_announced" | "gave_up" | "links_only" | "contradiction" | "asked_without_call" | "no_call" | "wrong_tool" | "missing_call" | "wrong_order" | "redundant_call" | "retried_failure" | "late_fallback" | "extra_call" | "tool_empty" | "wrong_argument" | "missing_argument" | "extra_argument" | "golden_differs" | "argument_form" | "default_argument" | "first_question" | "seeded_turn" | "seed_conflict" | "denied_though_backed" | "graded_against_log" | "judge_split";

export type AtlasExport = {
ids: Array<string>,
format: AtlasFormat,
by: AtlasBy,
levels: Array<Level>,
causes: Array<AtlasCauseId>,
language: string, };

export type AtlasFinding = {
cause: AtlasCauseId,
call: number | null,
step: number | null,
tool: string | null,
argument: string | null,
expected: string | null,
found: string | null,
quote: string | null,
metrics: Array<MetricId>, };

export type AtlasFormat = "csv" | "json" | "markdown" | "svg";

export type AtlasItem = {
source: number,
level: Level,
task: string,
fault: string,
metric: string,
more: string, };

export type AtlasLoss = {
metric: MetricId,
value: number,
best: number,
lost: number,
unreachable: Unreachable | null, };

export type AtlasSorted = {
state: AtlasState,
losses: Array<AtlasLoss>,
unscored: Array<MetricId>,
findings: Array<AtlasFinding>,
lost: number,
explained: number, };

export type AtlasSource = {
id: string,
is_report: boolean,
model: string,
run: string | null,
scorer: Protocol,
judged: boolean,
skipped: number,
why_not: Sentence | null,
items?: number, };

export type AtlasState = "clean" | "capped" | "lossy";

export type AtlasView = {
sources: Array<AtlasSource>,
causes: Array<AtlasCause>,
attempts: Array<AtlasAttempt>,
items: Array<AtlasItem>, };

export type AttemptCounts = {
planned: number,
done: number,
failed: number, };

export type AttemptMark = {
repetition: number,
made: boolean,
answered: boolean,
kept: boolean,
success: number | null,
why: Sentence | null, };

export type BenchmarkTables = {
benchmark: string,
title: string,
tables: Array<PrintedTable>,
no_tables?: Sentence, };

export type BesideFile = {
name: string,
media: string,
text: string, };

export type BlindAnswer = {
success: boolean | null,
score: number | null,
unsure: boolean,
note: string, };

export type BlindQuestion = {
number: number,
metric: MetricId,
yes_no: boolean,
inputs: Array<ShownInput>,
answer: BlindAnswer | null, };

export type BundleCacheFacts = {
mode: string,
snapshot: SnapshotRef | null,
records_sha256: string | null,
hit: number,
miss: number,
injected: number,
refused: number,
live: number,
hit_rate: number | null, };

export type BundleCheckName = "container" | "manifest" | "files" | "signature" | "pack" | "run" | "journal" | "logs" | "calls" | "verdicts" | "reports" | "subject" | "submission";

export type BundlePackFacts = {
label: string,
tasks: number,
tasks_sha256: string,
tools_sha256: string,
prompts_sha256: string, };

export type BundleSubject = {
model: string,
run: string,
protocol: Protocol | null,
repetitions: number | null,
levels: { [key in Level]: number },
scorers: Array<Protocol>,
judges: Array<string>,
pack: BundlePackFacts,
cache: BundleCacheFacts | null,
hardware: unknown,
started_ms: number | null,
ended_ms: number | null, };

export type CacheMode = "read" | "write";

export type CacheTimes = {
calls: number,
p50_us: number,
p99_us: number,
max_us: number, };

export type CacheUse = {
hit: number,
miss: number,
injected: number,
refused: number,
live: number,
overlay: number, };

export type CallAnswer = { "kind": "hit",
key: string,
stale: boolean,
recorded_at: string, } | { "kind": "miss",
key: string,
nearest: NearestCall | null, } | { "kind": "refused",
why: Sentence, } | { "kind": "injected",
message: string, };

export type CallDrift = {
call: number,
step: number | null,
tool: string,
arguments: unknown,
kind: CallDriftKind,
error: string | null,
reason: Sentence | null,
recorded_at: string | null,
origin: string | null,
places: ValueChanges | null, };

export type CallDriftKind = "same" | "differs" | "missing" | "found" | "still_missing" | "error_then" | "injected" | "not_kept";

export type CallEvidence = {
call: number,
effect: Effect, };

export type CallFacts = {
basis: CallsBasis,
against: PackName | null,
levels: Array<LevelCalls>,
misses: Array<MissedCall>, };

export type CallFault = "unreachable" | "unauthorized" | "unknown_model" | "rate_limited" | "overloaded" | "http" | "bad_answer" | "embedded" | "offline" | "timed_out";

export type CallLookup = {
args: unknown,
answer: CallAnswer,
result: unknown, };

export type CallOutcome = "answered" | "failed" | "left_out";

export type CallPlace = "expected" | "out_of_order" | "fallback" | "repeat" | "extra" | "no_path";

export type CallsBasis = "recorded" | "reckoned";

export type CauseNeeds = "log" | "verdicts";

export type CauseOwner = "model" | "technical" | "pack" | "service" | "protocol" | "judge";

export type Caveat = {
code: FindingCode,
aspect: Aspect,
grade: Grade,
place: string,
reason: Sentence,
remedy: Sentence, };

export type ChangeRecord = {
at_ms: number,
done: number,
change: RunChange, };

export type ChangedItem = {
name: string,
fields: Array<string>, };

export type Check = {
what: string,
ok: boolean,
found: Sentence,
remedy: Sentence, };

export type CombinedNames = "published" | "leaderboard" | "plain";

export type CombinedOrder = "folder" | "name" | "success" | "given";

export interface Commands {
  settings_get: { streams: false, args: Record<string, never>, answer: SettingsView };
  settings_set: { streams: false, args: { settings: Settings }, answer: SettingsView };
  offline_set: { streams: false, args: { on: boolean }, answer: SettingsView };
  egress_view: { streams: false, args: { since: string | null, most: number }, answer: EgressView };
  egress_clear: { streams: false, args: Record<string, never>, answer: EgressCleared };
  link_opening: { streams: false, args: { address: string }, answer: null };
  workspace_choose: { streams: false, args: { folder: string | null }, answer: string | null };
  workspaces_list: { streams: false, args: Record<string, never>, answer: Array<RecentWorkspace> };
  workspace_forget: { streams: false, args: { folder: string }, answer: Array<RecentWorkspace> };
  trash_list: { streams: false, args: Record<string, never>, answer: TrashView };
  trash_restore: { streams: false, args: { kind: TrashKind, key: string }, answer: string };
  trash_delete: { streams: false, args: { kind: TrashKind, key: string }, answer: null };
  trash_empty: { streams: false, args: Record<string, never>, answer: Emptied };
  jobs_subscribe: { streams: true, args: Record<string, never>, answer: Array<Job> };
  job_cancel: { streams: false, args: { id: string }, answer: null };
  keys_list: { streams: false, args: Record<string, never>, answer: KeysView };
  key_set: { streams: false, args: { name: string, value: string, place: KeyPlace }, answer: KeyChange };
  key_delete: { streams: false, args: { name: string, place: KeyPlace }, answer: KeyChange };
  keys_unlock: { streams: false, args: { passphrase: string }, answer: null };
  keys_preview: { streams: false, args: { path: string }, answer: KeysImport };
  keys_import: { streams: false, args: { path: string, place: KeyPlace }, answer: KeysImport };
  prices_list: { streams: false, args: Record<string, never>, answer: Array<PriceRow> };
  price_set: { streams: false, args: { model: string, price: [number, number] | null }, answer: Array<PriceRow> };
  model_check: { streams: false, args: { model: string, base_url: string | null }, answer: null };
  connections_health: { streams: false, args: Record<string, never>, answer: Array<ConnectionHealth> };
  connection_check: { streams: false, args: { name: string }, answer: ConnectionHealth };
  models_list: { streams: false, args: Record<string, never>, answer: Array<ModelSummary> };
  local_list: { streams: false, args: Record<string, never>, answer: LocalModels };
  local_add: { streams: false, args: { path: string }, answer: LocalModel };
  local_removal: { streams: false, args: { name: string, part: LocalPart }, answer: LocalRemoval };
  local_delete: { streams: false, args: { name: string, part: LocalPart }, answer: LocalRemoval };
  local_engine: { streams: false, args: Record<string, never>, answer: LocalEngine };
  local_need: { streams: false, args: { request: LocalTrialRequest }, answer: LocalNeed };
  local_trial: { streams: false, args: { name: string }, answer: LocalTrial | null };
  local_verify: { streams: false, args: { name: string }, answer: LocalVerified };
  hub_model: { streams: false, args: { repo: string }, answer: HubModel };
  pull_start: { streams: false, args: { request: PullRequest }, answer: PullState };
  pull_resume: { streams: false, args: { id: string }, answer: PullState };
  pull_pause: { streams: false, args: { id: string }, answer: null };
  pull_cancel: { streams: false, args: { id: string }, answer: null };
  pulls_list: { streams: false, args: Record<string, never>, answer: Array<PullState> };
  servers_find: { streams: false, args: Record<string, never>, answer: Array<ModelServer> };
  models_at: { streams: false, args: { provider: string, base_url: string | null }, answer: Array<string> | null };
  model_probe: { streams: false, args: { model: string, base_url: string | null }, answer: ModelProbe };
  packs_list: { streams: false, args: Record<string, never>, answer: Array<PackSummary> };
  pack_use: { streams: false, args: { name: string }, answer: null };
  pack_view: { streams: false, args: { name: string }, answer: PackView };
  pack_import: { streams: false, args: { path: string }, answer: PackImport };
  pack_pull: { streams: false, args: { request: PackPullRequest }, answer: PackPulled };
  published_list: { streams: false, args: Record<string, never>, answer: Array<PublishedSummary> };
  published_view: { streams: false, args: { repo: string, commit: string | null, pack: string | null }, answer: PublishedView };
  published_forget: { streams: false, args: { repo: string, commit: string }, answer: Array<PublishedSummary> };
  pack_starter: { streams: false, args: Record<string, never>, answer: PackSummary };
  pack_export: { streams: false, args: { name: string }, answer: PackFile };
  drafts_list: { streams: false, args: Record<string, never>, answer: DraftList };
  draft_create: { streams: false, args: { request: DraftRequest }, answer: DraftSummary };
  draft_open: { streams: false, args: { name: string }, answer: DraftOpened };
  draft_item: { streams: false, args: { name: string, key: number }, answer: DraftItemView };
  draft_change: { streams: false, args: { name: string, revision: number, change: DraftChange }, answer: DraftChanged };
  draft_try: { streams: false, args: { name: string, tool: string, arguments: string }, answer: CallLookup };
  draft_response: { streams: false, args: { name: string, tool: string, arguments: string }, answer: string | null };
  draft_records: { streams: false, args: { name: string, tool: string, words: string }, answer: DraftRecords };
  draft_review: { streams: false, args: { name: string }, answer: DraftReview };
  draft_save: { streams: false, args: { name: string, revision: number }, answer: DraftSaved };
  draft_discard: { streams: false, args: { name: string }, answer: null };
  pack_tools: { streams: false, args: { pack: string | null }, answer: Array<ToolView> };
  tasks_list: { streams: false, args: { pack: string | null }, answer: TaskList };
  task_show: { streams: false, args: { pack: string | null, id: string }, answer: TaskDetail };
  task_flag: { streams: false, args: { pack: string, id: string, note: string | null }, answer: TaskFlagView | null };
  task_flags: { streams: false, args: { pack: string | null }, answer: { [key in string]: TaskFlagView } };
  tool_records: { streams: false, args: { pack: string }, answer: Array<ToolRecordsView> };
  snapshots_list: { streams: false, args: { pack: string | null }, answer: SnapshotList };
  snapshots_all: { streams: false, args: Record<string, never>, answer: Array<SnapshotView> };
  snapshot_create: { streams: false, args: { pack: string | null, name: string, note: string }, answer: SnapshotView };
  snapshot_show: { streams: false, args: { name: string, verify: boolean }, answer: SnapshotDetail };
  snapshot_diff: { streams: false, args: { pack: string | null, then: string, now: string, tool: string | null }, answer: SnapshotDiff };
  snapshot_delete: { streams: false, args: { name: string }, answer: null };
  snapshot_export: { streams: false, args: { pack: string | null, state: string }, answer: SnapshotExport };
  snapshot_share: { streams: false, args: { pack: string | null, state: string, name: string | null }, answer: SnapshotExport };
  call_lookup: { streams: false, args: { pack: string | null, tool: string, arguments: string }, answer: CallLookup };
  cache_time: { streams: false, args: { pack: string | null }, answer: CacheTimes };
  drift: { streams: false, args: { run: string, against: string, task: string | null }, answer: RunDrift };
  cache_misses: { streams: false, args: { run: string }, answer: RunMisses };
  reports_list: { streams: false, args: Record<string, never>, answer: Array<ReportView> };
  references: { streams: false, args: Record<string, never>, answer: ReferenceSet };
  references_remove: { streams: false, args: Record<string, never>, answer: Array<Deleted> };
  report_standing: { streams: false, args: { id: string }, answer: ReferenceStanding };
  report_repetitions: { streams: false, args: { id: string }, answer: RepetitionsView };
  verdicts_of_task: { streams: false, args: { run: string, task: string }, answer: TaskVerdicts };
  run_tasks: { streams: false, args: { run: string }, answer: Array<RunTask> };
  find: { streams: false, args: { query: string, offset: number, limit: number }, answer: FindAnswer };
  find_attempts: { streams: false, args: { queries: Array<string>, runs: Array<string> }, answer: FindMatches };
  find_update: { streams: false, args: Record<string, never>, answer: null };
  run_conduct: { streams: false, args: { run: string }, answer: AgentConduct | null };
  transcript: { streams: false, args: { run: string, task: string, report: string | null, repetition: number | null }, answer: Transcript };
  transcript_raw: { streams: false, args: { run: string, task: string, repetition: number | null }, answer: RawTranscript };
  report_show: { streams: false, args: { run: string }, answer: ReportView | null };
  reports_library: { streams: false, args: Record<string, never>, answer: Array<ReportRow> };
  report_detail: { streams: false, args: { id: string }, answer: ReportDetail };
  report_comparability: { streams: false, args: { id: string }, answer: Comparability };
  run_comparability: { streams: false, args: { run: string }, answer: Comparability };
  report_facts: { streams: false, args: { id: string }, answer: ReportFacts };
  imported_reports: { streams: false, args: Record<string, never>, answer: Array<RunReport> };
  other_instructions: { streams: false, args: { ids: Array<string> }, answer: Array<OtherInstructions> };
  report_remark: { streams: false, args: { id: string, tags: Array<string>, note: string }, answer: ReportRow };
  report_delete: { streams: false, args: { id: string }, answer: Deleted };
  reports_combined: { streams: false, args: { ids: Array<string>, names: CombinedNames, order: CombinedOrder }, answer: ReportFile };
  report_export: { streams: false, args: { id: string, format: ReportFormat, language: string }, answer: ReportFile };
  runs_list: { streams: false, args: Record<string, never>, answer: Array<RunSummary> };
  run_remark: { streams: false, args: { run: string, tags: Array<string>, note: string }, answer: RunSummary };
  run_judges: { streams: false, args: { run: string }, answer: RunJudges };
  run_evaluate: { streams: false, args: { request: EvaluateRequest }, answer: ReportView };
  evaluate_estimate: { streams: false, args: { request: EvaluateRequest }, answer: EvaluatePlan };
  judges_default: { streams: false, args: Record<string, never>, answer: Array<DefaultJudge> };
  verdict_override: { streams: false, args: { request: OverrideRequest }, answer: Array<OverrideRow> };
  verdict_override_remove: { streams: false, args: { removal: OverrideRemoval }, answer: Array<OverrideRow> };
  verdict_overrides: { streams: false, args: { run: string | null }, answer: Array<OverrideRow> };
  judge_lab: { streams: false, args: { request: LabRequest }, answer: LabView };
  judge_again_plan: { streams: false, args: { request: LabAskRequest }, answer: LabAskPlan };
  judge_again: { streams: false, args: { request: LabAskRequest }, answer: LabAskEnd };
  queue_make: { streams: false, args: { request: QueueRequest }, answer: QueueView };
  queues_list: { streams: false, args: Record<string, never>, answer: QueueList };
  queue_open: { streams: false, args: { id: string }, answer: QueueView };
  queue_answer: { streams: false, args: { id: string, number: number, answer: BlindAnswer | null }, answer: QueueSummary };
  queue_reveal: { streams: false, args: { id: string }, answer: QueueReveal };
  queue_estimate: { streams: false, args: { id: string }, answer: QueueEstimate };
  queue_apply: { streams: false, args: { id: string, by: string }, answer: QueueApplied };
  queue_remove: { streams: false, args: { id: string }, answer: null };
  queue_export: { streams: false, args: { id: string, format: string }, answer: QueueFile };
  queue_import: { streams: false, args: { path: string }, answer: QueueAnswered };
  local_trial_start: { streams: false, args: { request: LocalTrialRequest }, answer: LocalTrial };
  agents_list: { streams: false, args: Record<string, never>, answer: Array<AgentRow> };
  agent_row: { streams: false, args: { agent: string }, answer: AgentRow };
  agent_check: { streams: false, args: { agent: string }, answer: AgentCheck };
  pack_removal: { streams: false, args: { name: string }, answer: PackRemoval };
  pack_remove: { streams: false, args: { name: string }, answer: Deleted };
  run_start: { streams: true, args: { request: RunRequest }, answer: null };
  run_subscribe: { streams: true, args: { run: string }, answer: RunSnapshot };
  run_cancel: { streams: false, args: { run: string }, answer: null };
  run_pause: { streams: false, args: { run: string }, answer: null };
  run_unpause: { streams: false, args: { run: string }, answer: null };
  run_change: { streams: false, args: { run: string, changes: Array<RunChange> }, answer: Array<ChangeRecord> };
  run_retry: { streams: false, args: { run: string, attempts: Array<RetriedAttempt> }, answer: Array<ChangeRecord> };
  run_services: { streams: false, args: { request: RunRequest }, answer: Array<ServiceState> };
  cache_fill_plan: { streams: false, args: { request: FillRequest }, answer: FillPlan };
  cache_fill: { streams: false, args: { request: FillRequest }, answer: FillEnd };
  cache_fill_end: { streams: false, args: { run: string }, answer: FillEnd | null };
  run_estimate: { streams: false, args: { request: RunRequest }, answer: DryRun };
  run_queue: { streams: false, args: { requests: Array<RunRequest> }, answer: RunsNow };
  runs_now: { streams: false, args: Record<string, never>, answer: RunsNow };
  run_answer: { streams: false, args: { run: string, answer: string | null }, answer: null };
  run_unqueue: { streams: false, args: { run: string }, answer: RunsNow };
  run_move: { streams: false, args: { run: string, to: number }, answer: RunsNow };
  runs_stop: { streams: false, args: Record<string, never>, answer: null };
  run_replay: { streams: false, args: { run: string }, answer: RunSnapshot };
  run_merge: { streams: false, args: { run: string }, answer: RunMerge };
  run_trash: { streams: false, args: { run: string }, answer: Deleted };
  fork_offer: { streams: false, args: { run: string, task: string, repetition: number | null, step: number }, answer: ForkOffer };
  fork_plan: { streams: false, args: { request: ForkRequest }, answer: ForkPlan };
  fork_start: { streams: false, args: { request: ForkRequest }, answer: ForkStarted };
  forks_list: { streams: false, args: { run: string | null, task: string | null }, answer: ForkList };
  fork_show: { streams: false, args: { id: string }, answer: ForkView };
  fork_rename: { streams: false, args: { id: string, name: string }, answer: ForkSummary };
  fork_trash: { streams: false, args: { id: string }, answer: Deleted };
  run_remote: { streams: false, args: { run: string, work: RemoteWork | null }, answer: RemoteRun };
  remote_plan: { streams: false, args: { request: RunRequest, how: RemoteRequest }, answer: RemotePlan };
  remote_submit: { streams: false, args: { request: RunRequest, how: RemoteRequest }, answer: RemoteRun };
  judging_resume: { streams: false, args: { run: string, how: RemoteRequest }, answer: RemoteRun };
  remote_cancel: { streams: false, args: { run: string, work: RemoteWork | null }, answer: RemoteRun };
  remote_log: { streams: false, args: { run: string, work: RemoteWork | null, shard: number }, answer: ShardLog };
  compare: { streams: false, args: { ids: Array<string> }, answer: CompareView };
  compare_pairs: { streams: false, args: { request: PairsRequest }, answer: PairsView };
  compare_across: { streams: false, args: { request: AcrossRequest }, answer: AcrossView };
  compare_ranks: { streams: false, args: { ids: Array<string> }, answer: RanksView };
  compare_matrix: { streams: false, args: { request: MatrixRequest }, answer: MatrixView };
  adaptive_plan: { streams: false, args: { request: RunRequest, half_width: number }, answer: AdaptiveOutlook };
  adaptive_start: { streams: false, args: { request: RunRequest, half_width: number }, answer: string };
  adaptive_list: { streams: false, args: Record<string, never>, answer: Array<AdaptiveView> };
  adaptive_show: { streams: false, args: { id: string }, answer: AdaptiveView };
  adaptive_forget: { streams: false, args: { id: string }, answer: null };
  sweeps_list: { streams: false, args: Record<string, never>, answer: Array<SweepRow> };
  sweep_show: { streams: false, args: { id: string }, answer: SweepView };
  sweep_plan: { streams: false, args: { file: SweepFile }, answer: SweepPlan };
  sweep_start: { streams: false, args: { file: SweepFile }, answer: string };
  sweep_open: { streams: false, args: { paths: Array<string> }, answer: SweepFile };
  sweep_save: { streams: false, args: { file: SweepFile }, answer: ReportFile };
  sweep_forget: { streams: false, args: { id: string }, answer: null };
  atlas: { streams: false, args: { ids: Array<string> }, answer: AtlasView };
  atlas_attempt: { streams: false, args: { run: string, task: string, report: string | null }, answer: AtlasSorted | null };
  atlas_export: { streams: false, args: { export: AtlasExport }, answer: ReportFile };
  import_files: { streams: false, args: { paths: Array<string> }, answer: ImportResult };
  import_references: { streams: false, args: { paths: Array<string> }, answer: ImportResult };
  bundle_verify: { streams: false, args: { path: string, key: string | null }, answer: Verification };
  import_result: { streams: false, args: { id: string }, answer: ImportResult | null };
  submission_view: { streams: false, args: { request: SubmissionRequest }, answer: SubmissionView };
  submission_save: { streams: false, args: { request: SubmissionRequest, under: string }, answer: SubmissionSaved };
  submission_archive: { streams: false, args: { request: SubmissionRequest }, answer: SubmissionArchive };
  submission_bundle: { streams: false, args: { request: SubmissionRequest, sign: boolean, under: string | null }, answer: SubmissionSaved };
  submission_validate: { streams: false, args: { place: string }, answer: SubmissionCheck };
  recording_start: { streams: false, args: { request: RecordingRequest }, answer: RecordingView };
  recordings: { streams: false, args: Record<string, never>, answer: Array<RecordingView> };
  recording_session: { streams: false, args: Record<string, never>, answer: null };
  recording_stop: { streams: false, args: Record<string, never>, answer: RecordingView | null };
  recording_of: { streams: false, args: { pack: string }, answer: RecordedFacts | null };
  recording_tasks: { streams: false, args: { pack: string }, answer: DraftSummary };
  scenario_plan: { streams: false, args: { request: ScenarioRequest }, answer: ScenarioPlan };
  scenario_start: { streams: false, args: { request: ScenarioRequest }, answer: string };
  scenario_live: { streams: false, args: Record<string, never>, answer: Array<ScenarioLive> };
  scenario_log: { streams: false, args: { id: string, scenario: string, instance: string, repetition: number, after: number }, answer: ScenarioLogPiece };
  scenario_cancel: { streams: false, args: { id: string }, answer: null };
  scenario_remote: { streams: false, args: { folder: string | null }, answer: ScenarioRemote | null };
  scenario_remote_resume: { streams: false, args: { folder: string | null }, answer: ScenarioRemote | null };
  scenario_remote_log: { streams: false, args: { folder: string | null, shard: number }, answer: ShardLog };
  scenario_remote_cancel: { streams: false, args: { folder: string | null }, answer: ScenarioRemote };
  scenario_problems: { streams: false, args: { path: string, allow: Array<string> }, answer: Array<Finding<Fault>> };
  scenario_results: { streams: false, args: { folder: string | null }, answer: ScenarioResults };
  scenario_table: { streams: false, args: { folder: string | null, scenario: string, scorer: ScenarioScorer }, answer: ScenarioTable };
  scenario_table_csv: { streams: false, args: { folder: string | null, scenario: string, scorer: ScenarioScorer }, answer: string };
  scenario_compare: { streams: false, args: { folder: string | null, scenario: string, other_folder: string | null, other: string, scorer: ScenarioScorer }, answer: ScenarioComparison };
  scenario_trial: { streams: false, args: { folder: string | null, scenario: string, instance: string, repetition: number, scorer: ScenarioScorer }, answer: ScenarioTrialPage };
  scenario_trial_log: { streams: false, args: { folder: string | null, scenario: string, instance: string, repetition: number, line: number }, answer: ScenarioLogPart };
  scenario_trial_file: { streams: false, args: { folder: string | null, scenario: string, instance: string, repetition: number, path: string }, answer: TrialFileContent };
  app_info: { streams: false, args: Record<string, never>, answer: AppInfo };
  app_about: { streams: false, args: Record<string, never>, answer: About };
  doctor: { streams: false, args: Record<string, never>, answer: Array<Check> };
}

export type Comparability = {
facts: Facts,
leaderboard: Judgement, };

export type CompareView = {
reports: Array<ComparedReport>,
differences: Array<Difference>,
matrix: Comparison, };

export type Compared = "judges" | "votes";

export type ComparedComposite = {
variant: string,
reading: Sentence,
values: ComparedValues, };

export type ComparedLevel = {
level: Level,
own: ComparedValues,
metrics: Array<ComparedMetric>, };

export type ComparedMetric = {
metric: MetricId,
means: ComparedValues, };

export type ComparedReport = {
id: string,
model: string,
name: string,
execution_date: string | null,
run: string | null,
has_tasks: boolean,
tokens_per_task: number | null,
seconds_per_task: number | null,
standing: Standing,
usd: number | null,
usd_spent: boolean,
usd_reason: Sentence | null,
effort?: Effort, };

export type ComparedTask = {
level: Level,
task: string,
metrics: Array<TaskScores>, };

export type ComparedValues = {
values: Array<number | null>,
reasons: Array<Sentence | null>,
intervals: Array<Interval | null>,
no_interval: Array<Sentence | null>,
deltas: Array<number | null>,
best: Array<boolean>, };

export type Comparison = {
levels: Array<ComparedLevel>,
composites: Array<ComparedComposite>,
ranks: Array<number | null>,
tasks: Array<ComparedTask>,
duels: Array<Duel>, };

export type CompositeFigure = {
variant: string,
reading: Sentence,
overridden: Figure | null,
range?: ScoreRange,
parts: Array<PartFigure>,
value: number | null,
reason: Sentence | null, };

export type ComputeDevice = "auto" | "cpu" | "cuda" | "metal" | "vulkan";

export type Conclusion = {
verdict: PairVerdict,
family: Family | null,
sentence: Sentence, };

export type Connection = {
name: string,
provider: string,
base_url: string | null,
models: Array<string>, };

export type ConnectionHealth = {
name: string,
state: ConnectionState,
remedy: Sentence | null,
detail: Sentence | null,
missing: Array<string>,
listed: number | null,
checked_ms: number | null,
latency_ms: number | null,
last_success_ms: number | null, };

export type ConnectionState = "unchecked" | "well" | "address" | "key" | "protocol" | "model" | "server" | "no_check";

export type CoreTypes = {
event: RunEvent,
plan: LevelPlan,
outcome: RunOutcome,
stop: StopReason, };

export type CostFigure = {
usd: number | null,
computed: boolean,
reason: Sentence | null, };

export type CurrentRun = {
run: string,
id: string | null,
model: string,
paused: boolean,
scoring: boolean,
spans_to: string | null,
by_hand: HandTask | null, };

export type DefaultJudge = {
id: string,
key: string,
present: boolean, };

export type Deleted = {
key: string,
unremoved: Array<Sentence>, };

export type Difference = {
what: DifferenceKind,
values: Array<string | null>, };

export type DifferenceKind = "scorer" | "protocol" | "pack" | "judges" | "levels" | "tasks" | "evaluated";

export type DifferenceOfArgument = "value" | "missing" | "extra";

export type Disagreement = {
tasks: Array<string>,
of: number,
share: number | null,
reason: Sentence | null,
range: ScoreRange, };

export type DraftCall = {
place: string,
tool: string,
arguments: string,
placeholders: Array<string>,
answer: CallAnswer, };

export type DraftChange = { "kind": "head",
head: DraftHead, } | { "kind": "take_prompts",
pack: string, } | { "kind": "add_task",
level: Level,
after: number | null, } | { "kind": "put_task",
key: number,
level: Level,
text: string, } | { "kind": "add_tool",
after: number | null, } | { "kind": "bring_tools",
pack: string,
tools: Array<string>, } | { "kind": "put_tool",
key: number,
text: string, } | { "kind": "put_record",
tool: string,
arguments: string,
response: string, } | { "kind": "remove_record",
tool: string,
arguments: string, } | { "kind": "duplicate",
key: number, } | { "kind": "remove",
key: number, } | { "kind": "restore",
key: number, } | { "kind": "move",
key: number,
after: number | null, };

export type DraftChanged = { "kind": "kept",
revision: number,
item: DraftItemView | null, } | { "kind": "refused",
problems: Array<Finding<Fault>>, } | { "kind": "stale",
revision: number, };

export type DraftChanges = {
tasks: ItemChanges,
tools: ItemChanges,
judge_prompts: boolean,
head: boolean,
records: number, };

export type DraftFinding = {
key: number | null,
name: string,
tool: boolean,
problem: Finding<Fault>, };

export type DraftFrom = { "kind": "example" } | { "kind": "copy",
pack: string, } | { "kind": "tools",
pack: string,
tools: Array<string>, };

export type DraftHead = {
title: string,
source: string,
licence: string, };

export type DraftItemView = {
key: number,
level: Level | null,
text: string,
problems: Array<Finding<Fault>>,
calls: Array<DraftCall>,
impact: ToolImpact | null, };

export type DraftList = {
drafts: Array<DraftSummary>,
own: Array<OwnPack>, };

export type DraftOpened = {
name: string,
revision: number,
base: string | null,
next_version: number,
changed: boolean,
head: DraftHead,
judge_prompts: string,
tasks: Array<DraftTaskRow>,
tools: Array<DraftToolRow>,
problems: Array<Finding<Fault>>, };

export type DraftRecordRow = {
arguments: string,
own: boolean,
stale: boolean,
recorded_at: string, };

export type DraftRecords = {
count: number,
rows: Array<DraftRecordRow>, };

export type DraftRequest = {
name: string,
from: DraftFrom, };

export type DraftReview = {
revision: number,
next_version: number,
base: string | null,
changes: DraftChanges,
findings: Array<DraftFinding>,
sound: boolean,
impacts: Array<ToolImpact>,
calls: number,
answered: number, };

export type DraftSaved = { "kind": "saved",
pack: PackSummary,
sha256: string, } | { "kind": "refused",
findings: Array<DraftFinding>, } | { "kind": "same",
version: string, } | { "kind": "stale",
revision: number, };

export type DraftSummary = {
name: string,
title: string,
base: string | null,
next_version: number,
changed: boolean,
tasks: number,
tools: number,
changed_at: string, };

export type DraftTaskRow = {
key: number,
level: Level,
id: string,
instruction: string,
tools: Array<string>,
errors: number,
warnings: number,
calls: number,
answered: number, };

export type DraftToolRow = {
key: number,
name: string,
description: string,
parameters: string,
errors: number,
warnings: number,
used_by: number,
records: number,
own_records: number, };

export type DriftCounts = {
level: Level,
published: number,
in_pack: number,
same: number,
other_tools: number,
other_level: number,
only_published: number,
only_in_pack: number, };

export type DriftRow = {
standing: DriftStanding,
level: Level,
pack_level: Level | null,
task: string | null,
instruction: string,
published_tools: Array<string> | null,
pack_tools: Array<string> | null, };

export type DriftStanding = "same" | "other_tools" | "other_level" | "only_published" | "only_in_pack";

export type DriftTotals = {
calls: number,
same: number,
differs: number,
missing: number,
found: number,
still_missing: number,
error_then: number,
injected: number,
not_kept: number, };

export type DryRun = {
pack: string,
model: string,
attempts: number,
levels: Array<DryRunLevel>,
estimate: Estimate | null,
judges: Array<JudgeEstimate>,
short_limit?: ShortLimit,
is_request?: boolean, };

export type DryRunLevel = {
level: Level,
tasks: number,
golden_calls: number,
golden_open: number,
golden_missing: Array<string>,
estimate: Estimate | null, };

export type Dtype = "auto" | "float16" | "bfloat16" | "float32";

export type Duel = {
level: Level,
metric: MetricId,
report: number,
wins: number,
losses: number,
ties: number,
missing: number, };

export type Effect = "for" | "against" | "seen";

export type EffectKind = "cohen_g" | "standardized";

export type Effort = {
usd_times: number | null,
usd_reason: Sentence | null,
seconds_times: number | null,
seconds_reason: Sentence | null, };

export type EgressCleared = {
requests: number, };

export type EgressPurpose = "model" | "judge" | "scenario" | "pack" | "archive" | "weights" | "benchmark" | "service" | "page" | "collector" | "engine" | "image" | "link" | "update";

export type EgressRow = {
from: string,
to: string,
host: string,
purpose: EgressPurpose,
requests: number,
refused: number, };

export type EgressView = {
rows: Array<EgressRow>,
requests: number,
refused: number,
since: string | null,
left_out: number,
unreadable: number,
unwritten: number,
folder: string, };

export type Emptied = {
removed: number,
unremoved: Array<Sentence>, };

export type EndedRun = {
run: string,
id: string | null,
model: string,
outcome: RunOutcome | null,
error: WireError | null,
reports: Array<string>,
spans: SpanDelivery | null, };

export type EngineKind = "slurm" | "kubernetes";

export type ErrorCode = "bad_request" | "not_found" | "no_workspace" | "no_pack" | "model_unreachable" | "no_access" | "offline" | "docker_unavailable" | "storage" | "bad_file" | "busy" | "cancelled" | "signed_out" | "disconnected" | "internal";

export type Estimate = {
calls: number,
prompt_tokens: number,
completion_tokens: number,
usd: number | null,
minutes: number | null,
from: Sentence, };

export type EstimatedMean = {
value: number,
low: number,
high: number, };

export type EvaluatePlan = {
run: string,
levels: Array<Level>,
attempts: number,
judges: Array<JudgeEstimate>,
usd: number | null,
from: Sentence,
notes: Array<Sentence>, };

export type EvaluateRequest = {
run: string,
scorer: Protocol,
judges: Array<string>,
judge_base_url: string | null,
judge_local?: LocalSettings,
max_cost?: number,
max_total_tokens?: number, };

export const FORM_NUMBERS = {
  max_steps: {"min":1,"max":1000,"step":null,"is_fraction":false,"published":10},
  timeout_s: {"min":1,"max":86400,"step":null,"is_fraction":true,"published":60.0},
  max_tokens: {"min":1,"max":1000000,"step":null,"is_fraction":false,"published":1024},
  temperature: {"min":0,"max":2,"step":0.1,"is_fraction":true,"published":0.7},
  seed: {"min":0,"max":null,"step":null,"is_fraction":false,"published":null},
} as const;

export type Fact<T> = {
value: T | null,
reason: Sentence | null, };

export type Facts = {
model: string,
pack: Fact<PackName>,
tasks_sha256: Fact<string>,
records_sha256: Fact<string>,
tools: Fact<{ [key in string]: string }>,
settings: Fact<RunSettings>,
cache: Fact<RecordingsUsed>,
tasks: Fact<Array<LevelTasks>>,
attempts: Fact<AttemptCounts>,
shortened: number,
changes?: Array<ChangeRecord>,
calls: Fact<CallFacts>,
scoring: Scoring | null, };

export type Family = "metrics" | "levels" | "composites" | "common";

export type FamilyTests = {
family: Family,
tests: Array<PairTest>, };

export type Fault = "unnamed" | "unreadable" | "not_json" | "missing" | "form" | "taken" | "unknown_tool" | "placeholder" | "arguments" | "changed" | "count" | "records";

export type FaultOwner = "model" | "task" | "pack" | "service";

export type Figure = {
value: number | null,
reason: Sentence | null, };

export type FillEnd = {
run: string,
origin: string,
calls: number,
recorded: number,
failed: number,
without_keys: number,
stopped: number,
tools: Array<FilledTool>,
tasks: Array<string>, };

export type FillError = {
message: Sentence,
calls: number, };

export type FillPlan = {
run: string,
pack: string,
calls: number,
ready: number,
answered: number,
refused: number,
no_service: number,
services: Array<FillService>, };

export type FillRequest = {
run: string,
tasks?: Array<string>,
without_keys: boolean, };

export type FillService = {
service: ServiceState,
calls: number, };

export type FilledTool = {
tool: string,
service: string,
recorded: number,
failed: number,
missing_keys: Array<string>,
errors: Array<FillError>, };

export type FindAnswer = {
query: string,
total: number,
runs: number,
searched: number,
searched_runs: number,
models: Array<FindCount>,
levels: Array<FindCount>,
tools: Array<FindCount>,
hits: Array<FoundAttempt>,
index: FindIndexState, };

export type FindCount = {
name: string,
attempts: number, };

export type FindIndexState = {
pending: number,
unfinished: number,
unreadable: Array<FindUnreadable>, };

export type FindMatches = {
queries: Array<QueryMatches>,
pending: number, };

export type FindUnreadable = {
run: string,
reasons: Array<Sentence>, };

export type Finding<C> = {
code: C,
severity: Severity,
file: string | null,
line: number | null,
line_end: number | null,
task: string | null,
field: string | null,
sentence: Sentence,
remedy: Sentence, };

export type FindingCode = "missing_name" | "not_a_model" | "missing_levels" | "fewer_tasks" | "sampled" | "other_protocol" | "other_settings" | "other_agent" | "repetitions" | "low_hit_rate" | "other_recordings" | "other_tasks" | "other_tools" | "other_prompts" | "not_known" | "changed_run" | "incomplete_run" | "technical_failures" | "shortened" | "other_scorer" | "no_judge" | "other_judges" | "other_votes" | "other_aggregate" | "same_judge" | "own_family" | "judge_errors" | "unscored" | "mixed_runs" | "edited_log" | "no_journal" | "edited_report" | "edited_row" | "edited_facts" | "changed_file" | "missing_file" | "unreadable" | "unverified";

export type ForkChangeView = {
at: number | null,
role: Speaker,
step: number | null,
call: number | null,
tool: string | null,
before: unknown,
after: unknown,
to: ForkEditTo, };

export type ForkEdit = {
at: number,
to: ForkEditTo, };

export type ForkEditTo = { "kind": "text",
text: string, } | { "kind": "result",
json: string, } | { "kind": "error",
error_type: string, };

export type ForkList = {
forks: Array<ForkSummary>,
unreadable: Array<Sentence>, };

export type ForkMessage = {
at: number,
role: Speaker,
step: number | null,
text: string,
call_id: string | null,
tool: string | null,
arguments: string | null, };

export type ForkOf = {
run: string,
fork: string | null,
task: string,
level: Level,
repetition: number, };

export type ForkOffer = {
of: ForkOf,
step: number,
steps: number,
messages: Array<ForkMessage>,
model: string,
base_url: string | null,
temperature: number,
seed: number | null,
error_types: Array<string>,
notes: Array<Sentence>, };

export type ForkPlan = {
model: string,
kept_steps: number,
changes: Array<ForkChangeView>,
settings: Array<ForkSetting>,
estimate: Estimate | null, };

export type ForkRequest = {
run: string,
task: string,
repetition: number | null,
step: number,
edits: Array<ForkEdit>,
system: string | null,
model: string | null,
base_url: string | null,
temperature: number | null,
seed: number | null,
max_cost: number | null,
max_total_tokens: number | null,
name: string | null, };

export type ForkSetting = {
setting: string,
before: string | null,
after: string | null, };

export type ForkStarted = {
id: string,
run: string, };

export type ForkState = "going" | "completed" | "cancelled" | "budget_spent" | "failed" | "broken_off";

export type ForkSummary = {
id: string,
name: string,
created_ms: number,
of: ForkOf,
step: number,
changes: Array<ForkChangeView>,
settings: Array<ForkSetting>,
model: string,
source_model: string,
state: ForkState,
reason: Sentence | null,
answer: string | null,
new_steps: number | null,
usd: number | null,
tokens: number | null, };

export type ForkView = {
fork: ForkSummary,
kept_steps: number,
original: Transcript,
forked: Transcript | null, };

export type FoundAttempt = {
run: string,
model: string,
task: string,
level: string,
repetition: number,
status: TaskStatus,
excerpts: Array<FoundText>, };

export type FoundField = "ask" | "said" | "answer" | "argument" | "result" | "error";

export type FoundText = {
field: FoundField,
argument: string | null,
number: number,
text: string,
cut_before: boolean,
cut_after: boolean,
marks: Array<[number, number]>, };

export type GoldenCall = {
kind: GoldenKind,
tool: string | null,
arguments: unknown,
step: number | null,
seeded: boolean,
call: number | null, };

export type GoldenKind = "call" | "reuse" | "fallback";

export type Grade = "comparable" | "limited" | "not_comparable";

export type GroupCount = {
group: Array<string>,
items: number, };

export type HandTask = {
task: string,
address: string,
prompt: string, };

export type HomeOrigin = "asked" | "environment" | "chosen" | "system";

export type HubModel = {
repo: string,
page: string,
revision: string,
commit: string,
licence: string | null,
gated: boolean,
architecture: string | null,
parameters: number | null,
context: number | null,
offers: Array<HubOffer>,
problem: Sentence | null,
free: number | null, };

export type HubOffer = {
kind: LocalKind,
file: string,
quantization: string | null,
files: number,
bytes: number,
missing: number, };

export type ImportItem = {
what: ImportedKind,
source: string,
id: string | null,
model: string | null,
levels: Array<Level>,
outcome: ImportOutcome,
reason: Sentence | null,
notes: Array<Sentence>, };

export type ImportOutcome = "added" | "already_there" | "refused";

export type ImportResult = {
id: string,
items: Array<ImportItem>,
left_alone: number,
cancelled: boolean,
seconds: number, };

export type ImportedKind = "run" | "report" | "summary" | "combined_row" | "pack" | "unknown";

export type Injection = {
tool: string,
error_type: string | null, };

export type InputKind = "instruction" | "answer" | "calls" | "facts" | "expected_arguments" | "given_arguments" | "conversation" | "golden";

export type Interval = {
low: number,
high: number,
method: IntervalMethod, };

export type IntervalMethod = "wilson" | "bootstrap";

export type ItemChanges = {
added: Array<string>,
changed: Array<ChangedItem>,
removed: Array<string>,
moved: boolean, };

export type ItemFault = {
level: Level,
task: string,
fault: string,
metric: string,
more: string, };

export type ItemRow = {
metric: string,
value: number | null,
reason?: Sentence, };

export type Job = {
id: string,
kind: JobKind,
about: Array<string>,
done: number,
total: number | null,
in_bytes: boolean,
news: number,
since_ms: number,
took_ms: number,
cancellable: boolean,
cancelling: boolean,
finished: boolean,
error: WireError | null, };

export type JobKind = "run" | "evaluation" | "judging" | "import" | "pack_import" | "pack_pull" | "export" | "deletion" | "model_conversion" | "model_pull" | "model_check" | "model_trial" | "cache_fill" | "bundle_check" | "sweep" | "adaptive" | "scenario_run" | "recording" | "find_index";

export type JudgeAgainstPeople = {
judge: string,
questions: number,
distance: number | null,
closest: boolean,
yes_no: ScaleAgainstPeople,
grades: ScaleAgainstPeople, };

export type JudgeAgreement = {
metrics: Array<MetricId>,
compared: Compared,
scale: AnswerScale,
judges: Array<string>,
questions: number,
answers: number,
missing: number,
percent: Figure,
cohen: Array<PairKappa>,
fleiss: Figure,
krippendorff: Figure, };

export type JudgeAnswer = {
judge: string,
success: boolean | null,
score: number | null, };

export type JudgeCorrected = {
judge: string,
judged: number | null,
corrected: EstimatedMean | null,
lambda: number | null,
reason: Sentence | null, };

export type JudgeCoverage = {
judge: string,
complete: boolean,
few: boolean,
questions: number,
answered: number,
failed: number,
missing: number,
metrics: Array<MetricCoverage>,
open: Array<number>,
own_kind: Array<string>, };

export type JudgeEstimate = {
judge: string,
known: number,
calls: number,
prompt_tokens: number,
completion_tokens: number,
usd: number | null, };

export type JudgeQuestionText = {
metric: MetricId,
scorer: Protocol,
prompt: string, };

export type JudgeVerdict = {
metric: MetricId,
scorer: Protocol,
judge: string,
vote: number,
success: boolean | null,
grade: number | null,
reason: string | null,
failure: Sentence | null,
worked_back: boolean,
report: string, };

export type Judgement = {
grade: Grade,
findings: Array<Caveat>, };

export type JudgesEffect = {
panels: Array<LabPanel>,
taus: Array<RankAgreement>, };

export type JudgesFrom = "run" | "report" | "settings";

export type KeyChange = {
name: string,
place: KeyPlace,
environment_wins: boolean, };

export type KeyNeed = {
any_of: Array<string>,
present: boolean, };

export type KeyOrigin = "environment" | "session" | "keychain" | "file";

export type KeyPlace = "keychain" | "file" | "session";

export type KeyRow = {
name: string,
asked_by: string,
is_key: boolean,
present: boolean,
source: KeyOrigin | null, };

export type KeychainState = "ready" | "no_bus" | "no_service" | "no_keyring" | "locked" | "silent" | "refuses";

export type KeysFileState = "absent" | "locked" | "open";

export type KeysImport = {
known: Array<string>,
unknown: Array<Sentence>,
refused: Array<Sentence>, };

export type KeysView = {
keychain: KeychainState,
keychain_sentence: Sentence,
file: KeysFileState,
keys: Array<KeyRow>, };

export type LabAgreement = {
metrics: Array<MetricId>,
yes_no: boolean | null,
questions: number,
tasks: number,
percent: LabEstimate,
fleiss: LabEstimate,
alpha: LabEstimate,
pairs: Array<PairAgreement>, };

export type LabAskEnd = {
stopped: boolean,
answered: number,
failed: number,
notes: Array<Sentence>, };

export type LabAskPlan = {
runs: Array<string>,
judges: Array<JudgeEstimate>,
usd: number | null,
from: Sentence, };

export type LabAskRequest = {
of: LabRequest,
judges: Array<string>,
base_url: string | null,
max_cost: number | null,
max_total_tokens: number | null, };

export type LabEstimate = {
value: number | null,
reason: Sentence | null,
low: number | null,
high: number | null,
no_interval: Sentence | null, };

export type LabFlip = {
run: number,
level: Level,
task: string,
metric: MetricId,
together: boolean,
tie: boolean,
judges: Array<LabVerdict>, };

export type LabLeftOut = {
id: string,
reason: Sentence, };

export type LabMeasure = "composite" | "composite_common" | "sr" | "arg_acc" | "eff_score" | "context_retention" | "ref_recall";

export type LabPanel = {
kind: LabPanelKind,
judge: string | null,
judges: Array<string>,
reason: Sentence | null,
values: Array<LabPanelValues>, };

export type LabPanelKind = "judge" | "without" | "mean" | "median" | "people";

export type LabPanelValues = {
measure: LabMeasure,
values: Array<number | null>,
reasons: Array<Sentence | null>,
ranks: Array<number | null>, };

export type LabRequest = {
runs: Array<string>,
reports: Array<string>,
scorer: Protocol,
without: Array<string>,
with: Array<string>, };

export type LabRun = {
id: string,
model: string,
questions: number,
tasks: number,
reports: Array<string>, };

export type LabVerdict = {
judge: string,
yes: boolean | null, };

export type LabView = {
runs: Array<LabRun>,
left_out: Array<LabLeftOut>,
scorer: Protocol,
coverage: Array<JudgeCoverage>,
together: Array<string>,
agreement: Array<LabAgreement>,
effect: JudgesEffect,
flips: Array<LabFlip>,
disagreements: number,
notes: Array<Sentence>, };

export type Language = string;

export type LastCheck = {
passed: boolean,
why: Sentence | null, };

export type LeftOut = {
tool_results: number,
exchanges: number,
room: number, };

export type Level = string;

export type LevelCalls = {
level: Level | null,
attempts: number,
touched: number,
hit: number,
miss: number,
injected: number,
refused: number,
live: number,
overlay: number, };

export type LevelCount = {
level: Level,
tasks: number, };

export type LevelFigure = {
level: Level,
score: number | null,
reason: Sentence | null, };

export type LevelPlan = {
level: Level,
tasks: Array<string>, };

export type LevelReport = {
level: Level,
tasks: number | null,
evaluated: number | null,
range?: ScoreRange,
metrics: Array<MetricFigure>,
usage: LevelUsage,
skipped: Array<Sentence>,
score: number | null,
reason: Sentence | null, };

export type LevelScore = {
score: number | null,
reason: Sentence | null, };

export type LevelTasks = {
level: Level,
count: number,
ids: Array<string>, };

export type LevelUsage = {
steps: number | null,
calls: number | null,
tokens: number | null,
prompt_tokens: number | null,
completion_tokens: number | null,
seconds: number | null,
ttft: number | null,
ttft_min: number | null,
ttft_max: number | null,
tps: number | null, };

export type LocalAdvice = "larger_context" | "less_memory" | "tools_by_hand" | "repeat" | "slow";

export type LocalChoice = {
converts: boolean,
context: number | null, };

export type LocalConversion = {
precision: string,
bytes: number, };

export type LocalEngine = {
devices: Array<ComputeDevice>,
tool_forms: Array<string>, };

export type LocalExamination = {
model: string,
precision: string | null,
device: string,
threads: number,
weights_bytes: number,
kv_bytes: number | null,
memory_available: number | null,
context: number,
context_trained: number,
parallel: number,
prompt_per_second: number | null,
written_per_second: number | null,
deterministic: boolean | null,
deterministic_together: boolean | null,
handles_tools: boolean,
form: string,
rendered: string,
longest: LongestPrompt | null,
advice: Array<LocalAdvice>, };

export type LocalKind = "safetensors" | "gguf";

export type LocalModel = {
id: string,
name: string,
kind: LocalKind,
place: LocalPlace,
path: string,
commit: string | null,
commits: number,
architecture: string | null,
parameters: number | null,
context: number | null,
quantization: string | null,
licence: string | null,
bytes: number,
conversions: Array<LocalConversion>,
problem: Sentence | null, };

export type LocalModels = {
models: Array<LocalModel>,
pulls: Array<PullState>,
hub: string,
folder: string,
free: number | null, };

export type LocalNeed = {
weights_bytes: number,
kv_bytes: number | null,
memory_available: number | null,
context: number,
parallel: number,
converts: boolean, };

export type LocalPart = { "part": "everything" } | { "part": "source" } | { "part": "conversions",
precision: string | null, };

export type LocalPlace = "hub" | "converted" | "added";

export type LocalRemoval = {
name: string,
frees: number,
stays: string | null, };

export type LocalSettings = {
quantization: Quantization | null,
dtype: Dtype,
device: ComputeDevice,
context: number | null,
tool_form: string | null,
constrained: boolean,
threads?: number | null, };

export type LocalTrial = {
request: LocalTrialRequest,
job: string,
found: LocalExamination | null,
error: WireError | null, };

export type LocalTrialRequest = {
name: string,
settings: LocalSettings,
parallel: number | null, };

export type LocalVerified = {
name: string,
sound: number,
wrong: Array<string>,
unknown: number, };

export type LongestPrompt = {
task: string,
tokens: number,
too_long: Array<string>, };

export type MatchedAttempt = {
run: string,
task: string,
repetition: number, };

export type MatrixLeftOut = {
id: string,
model: string,
reason: Sentence, };

export type MatrixPair = {
row: number,
column: number,
only_row: number,
only_column: number,
p: number | null,
holm: number | null, };

export type MatrixReport = {
id: string,
model: string,
date: string,
scorer: Protocol,
solved: number,
tasks: number,
rank: number | null, };

export type MatrixRequest = {
ids: Array<string>,
metric: MetricId | null,
level: Level | null,
scorer: Protocol | null, };

export type MatrixView = {
metric: MetricId,
level: Level | null,
tasks: number,
reports: Array<MatrixReport>,
left_out: Array<MatrixLeftOut>,
cells: string,
pairs: Array<MatrixPair>,
tested: number,
separated: number,
separated_holm: number,
refused: number, };

export type MeanFigure = {
mean: number | null,
reason: Sentence | null, };

export type MetricCoverage = {
metric: MetricId,
questions: number,
answered: number,
failed: number,
missing: number, };

export type MetricFigure = {
metric: MetricId,
range?: ScoreRange,
scored: number | null,
errored: number,
unscored: number,
not_applicable: number,
reasons: Array<Sentence>,
overridden: Figure | null,
mean: number | null,
reason: Sentence | null, };

export type MetricId = "SR" | "EPR_CVR" | "pass@k" | "ToolAcc" | "ArgAcc" | "CallEM" | "RespOK" | "SelectAcc" | "FSM" | "PSM" | "ΔSteps_norm" | "ProvAcc" | "Coverage" | "SourceEPR" | "AdaptiveRoutingScore" | "FallbackSR" | "ReuseRate" | "RedundantCallRate" | "EffScore" | "ContextRetention" | "RefRecall" | "RRR";

export type MetricScore = {
value: number | null,
reason: Sentence | null,
overridden: Overridden | null,
applies: boolean,
asks_judge: boolean,
details: unknown,
calls: Array<CallEvidence>, };

export type MetricScores = {
metric: MetricId,
judged: boolean,
leaderboard: MetricScore,
corrected: MetricScore, };

export type Miss = {
level: Level,
task: string,
repetition: number,
step: number | null,
call: number,
tool: string,
arguments: unknown,
key: string | null,
standing: MissStanding,
nearest: NearestMiss | null, };

export type MissStanding = { "kind": "open", } | { "kind": "kept",
origin: string,
at: string, } | { "kind": "recorded", } | { "kind": "refused",
why: Sentence, };

export type MissedCall = {
level: Level,
task: string,
repetition: number,
tool: string,
arguments: unknown,
times?: number, };

export type MissesOfLevel = {
level: Level,
tasks: number,
affected: number,
calls: number,
misses: number, };

export type MissesOfTool = {
tool: string,
calls: number,
misses: number,
distinct: number, };

export type ModelKind = "baseline" | "server" | "local";

export type ModelProbe = {
called: boolean,
text: string,
seconds: number,
tokens: number | null, };

export type ModelServer = {
provider: string,
base_url: string,
models: Array<string>,
wants_key: boolean, };

export type ModelSummary = {
id: string,
kind: ModelKind,
default_base_url: string | null,
needs_base_url: boolean,
needs: Array<KeyNeed>,
local?: LocalChoice,
connection?: Connection, };

export type ModelType = "API" | "OSS";

export type NearestCall = {
args: unknown,
differing: Array<string>, };

export type NearestMiss = {
args: unknown,
differences: Array<ArgumentDifference>, };

export type Needs = {
more_tasks: number,
times: number, };

export type OfflineForced = "option" | "environment";

export type OfflineView = {
on: boolean,
kept: boolean,
forced: OfflineForced | null, };

export type OtherInstructions = {
report: string,
run: string | null,
pack: string | null,
compared: number,
tasks: Array<TaskOfLevel>, };

export type OtherLevel = {
level: Level,
metrics: Array<OtherMetric>, };

export type OtherMetric = {
metric: MetricId,
value: number | null,
reason: Sentence | null, };

export type OtherScorer = {
scorer: Protocol,
reason: Sentence | null,
questions: number,
unanswered: number,
levels: Array<OtherLevel>,
composites: Array<CompositeFigure>,
differences: Array<ScorerDifference>, };

export type OverallFigure = {
metric: MetricId,
range: ScoreRange,
tasks: number | null,
value: number | null,
reason: Sentence | null, };

export type Overridden = {
value: number | null,
reason: Sentence | null, };

export type OverrideRemoval = {
by: string,
run: string,
task: string,
metric: MetricId,
judge: string | null, };

export type OverrideRequest = {
run: string,
task: string,
metric: MetricId,
judge: string | null,
success: boolean | null,
score: number | null,
by: string,
why: string, };

export type OverrideRow = {
at: string,
applies: boolean | null,
run: string,
task: string,
metric: MetricId,
judge: string | null,
success: boolean | null,
score: number | null,
by: string,
why: string, };

export type OwnPack = {
name: string,
versions: Array<OwnPackVersion>, };

export type OwnPackVersion = {
number: number,
version: string,
sha256: string,
changes: DraftChanges,
saved_at: string,
installed: boolean, };

export type OwnTool = {
name: string,
calls: number, };

export type PackFile = {
name: string,
label: string,
base64: string, };

export type PackImport = {
pack: PackSummary,
problems: Array<Finding<Fault>>,
seconds: number, };

export type PackLint = {
label: string,
problems: Array<Finding<Fault>>,
calls: number,
answered: number,
missing: Array<string>, };

export type PackName = {
name: string,
version: string, };

export type PackPullRequest = {
from: string,
archive?: boolean,
pack?: string, };

export type PackPulled = { "kind": "pack",
from: PulledFrom,
imported: PackImport, } | { "kind": "tasks",
from: PulledFrom,
imported: PackImport,
with: string, } | { "kind": "published",
from: PulledFrom,
published: PublishedView, };

export type PackRef = {
name: string,
version: string,
hash: string | null, };

export type PackRemoval = {
tasks: number,
records: number,
runs: number,
flags: number,
versions: number,
snapshots: number,
active: string | null,
starter: boolean, };

export type PackSummary = {
name: string,
version: string,
title: string,
licence: string,
sample: boolean,
active: boolean,
levels: Array<LevelCount>,
tools: number | null,
records: number | null,
kind: string | null,
groups: Array<GroupCount>, };

export type PackView = {
summary: PackSummary,
source: string,
imported_at: string,
records: RecordStanding,
problems: Array<Finding<Fault>>,
flags: number, };

export type PairAgreement = {
one: string,
other: string,
questions: number,
percent: LabEstimate,
kappa: LabEstimate, };

export type PairConclusion = {
scorer: Protocol,
first: PairSide,
second: PairSide,
grade: Grade,
conclusion: Conclusion, };

export type PairKappa = {
one: string,
other: string,
kappa: Figure, };

export type PairSide = {
id: string,
model: string,
name: string, };

export type PairTest = {
level: Level | null,
metric: MetricId | null,
variant: string | null,
tasks: number,
left_out: number,
first: number | null,
second: number | null,
difference: number | null,
interval: Interval | null,
no_interval: Sentence | null,
won: number,
lost: number,
tied: number,
test: PairTestKind | null,
p: number | null,
holm: number | null,
corrected_over: number | null,
effect: number | null,
effect_kind: EffectKind | null,
no_effect: Sentence | null,
needs: Needs | null,
no_needs: Sentence | null,
tasks_for_margin: number | null,
verdict: PairVerdict,
reason: Sentence | null, };

export type PairTestKind = "mcnemar" | "flips_all" | "flips_drawn";

export type PairTests = {
families: Array<FamilyTests>,
tasks: number,
left_out: number,
draws: number,
seed: number, };

export type PairVerdict = "first" | "second" | "not_separated" | "untested";

export type PairView = {
pairs: Array<ScoredPair>, };

export type PairsRequest = {
ids: Array<string>,
metrics: Array<WantedFigure>,
seed: number | null,
draws: number | null, };

export type PairsView = {
conclusions: Array<PairConclusion>,
pairs: Array<PairView>, };

export type PartFigure = {
part: string,
weight: number,
value: number, };

export type PeoplesWord = {
overrides: Array<OverrideRow>,
levels: Array<OtherLevel>,
composites: Array<CompositeFigure>,
notes: Array<Sentence>, };

export type Price = {
input: number,
output: number, };

export type PriceRow = {
model: string,
input: number,
output: number,
as_of: string,
source: string | null,
unconfirmed: boolean,
own: boolean, };

export type PrintedCell = {
name: string,
value: number | null,
text: string,
ours: boolean,
remark?: Sentence, };

export type PrintedTable = {
name: string,
cells: Array<PrintedCell>,
printed?: string, };

export type Protocol = "leaderboard" | "corrected";

export type ProxyMode = "system" | "direct" | "address";

export type PublishedDrift = {
pack: string,
version: string,
levels: Array<DriftCounts>,
rows: Array<DriftRow>, };

export type PublishedSummary = {
repo: string,
page: string,
revision: string,
commit: string,
licence: string | null,
pulled_at: string,
tasks: number, };

export type PublishedView = {
summary: PublishedSummary,
levels: Array<LevelCount>,
problems: Array<Finding<Fault>>,
drift: PublishedDrift | null, };

export type PullRequest = {
repo: string,
file?: string,
quantization?: string,
include?: Array<string>, };

export type PullStanding = "running" | "paused" | "failed" | "done" | "cancelled";

export type PullState = {
id: string,
repo: string,
revision: string,
commit: string,
file: string,
kind: LocalKind,
standing: PullStanding,
error: WireError | null,
done: number,
total: number,
speed: number | null,
eta_s: number | null,
files: [number, number], };

export type PulledFrom = {
name: string,
page: string,
revision: string | null,
commit: string | null,
files: number,
bytes: number,
sha256: string | null, };

export type Quantization = "4bit" | "8bit";

export type QueryMatches = {
fault: Sentence | null,
attempts: Array<MatchedAttempt>, };

export type QuestionVerdicts = {
metric: MetricId,
scorers: Array<Protocol>,
hash: string,
system: string,
prompt: string,
yes_no: boolean,
first_judge_only: boolean,
verdicts: Array<StoredVerdict>,
overrides: Array<OverrideRow>, };

export type QueueAnswered = {
queue: QueueSummary,
taken: number,
empty: number, };

export type QueueApplied = {
applied: number,
left: number,
refused: Array<LabLeftOut>, };

export type QueueDraw = {
metric: MetricId,
probability: number,
of: number, };

export type QueueEstimate = {
queue: QueueSummary,
metric: MetricId,
counted: number,
unsure: number,
behind: number,
runs: Array<RunCorrected>, };

export type QueueFile = {
name: string,
text: string, };

export type QueueList = {
queues: Array<QueueSummary>,
unreadable: Array<Sentence>, };

export type QueueRequest = {
of: LabRequest,
most: number | null,
metric: MetricId | null,
seed: number,
by: string, };

export type QueueReveal = {
queue: QueueSummary,
judges: Array<JudgeAgainstPeople>,
questions: Array<RevealedQuestion>,
reason: Sentence | null, };

export type QueueSummary = {
id: string,
by: string,
runs: Array<string>,
questions: number,
answered: number,
made_at: string,
revealed_at: string | null,
applied_at: string | null,
seed: number,
draw: QueueDraw | null, };

export type QueueView = {
queue: QueueSummary,
questions: Array<BlindQuestion>, };

export const READS = {
  settings_get: ["settings"],
  trash_list: ["runs","reports","forks","packs"],
  keys_list: ["keys"],
  prices_list: ["models"],
  model_check: ["keys"],
  connections_health: ["models","settings"],
  models_list: ["models","keys"],
  local_list: ["models"],
  local_removal: ["models"],
  local_need: ["models"],
  local_trial: ["models"],
  local_verify: ["models"],
  hub_model: ["keys"],
  pulls_list: ["models"],
  models_at: ["keys"],
  model_probe: ["keys"],
  packs_list: ["packs","drafts"],
  pack_view: ["packs","drafts"],
  published_list: ["packs"],
  published_view: ["packs"],
  pack_export: ["packs"],
  drafts_list: ["drafts","packs"],
  draft_open: ["drafts","packs"],
  draft_item: ["drafts","packs"],
  draft_try: ["drafts","packs"],
  draft_response: ["drafts","packs"],
  draft_records: ["drafts","packs"],
  draft_review: ["drafts","packs"],
  pack_tools: ["packs","drafts"],
  tasks_list: ["packs","drafts"],
  task_show: ["packs","drafts"],
  task_flags: ["packs"],
  tool_records: ["packs"],
  snapshots_list: ["snapshots","packs"],
  snapshots_all: ["snapshots","packs"],
  snapshot_show: ["snapshots"],
  snapshot_diff: ["snapshots","packs"],
  snapshot_export: ["snapshots","packs"],
  snapshot_share: ["snapshots","packs"],
  call_lookup: ["packs"],
  cache_time: ["packs"],
  drift: ["runs","packs","snapshots"],
  cache_misses: ["runs","packs"],
  reports_list: ["reports","runs","judging"],
  references: ["reports"],
  report_standing: ["reports","runs","judging"],
  report_repetitions: ["reports","runs","judging"],
  verdicts_of_task: ["judging"],
  run_tasks: ["runs","judging"],
  find: ["runs","reports"],
  find_attempts: ["runs","reports"],
  run_conduct: ["runs"],
  transcript: ["reports","runs","judging"],
  transcript_raw: ["runs"],
  report_show: ["reports","runs","judging"],
  reports_library: ["reports","runs","judging"],
  report_detail: ["reports","runs","judging"],
  report_comparability: ["reports","runs","judging"],
  run_comparability: ["reports","runs","judging"],
  report_facts: ["reports","runs","judging"],
  imported_reports: ["reports","runs"],
  other_instructions: ["reports","runs","judging","packs"],
  reports_combined: ["reports","runs","judging"],
  report_export: ["reports","runs","judging"],
  runs_list: ["runs"],
  run_judges: ["runs","reports","settings"],
  evaluate_estimate: ["runs","judging","models","keys"],
  judges_default: ["keys"],
  verdict_overrides: ["judging"],
  judge_lab: ["reports","runs","judging"],
  judge_again_plan: ["reports","runs","judging","models"],
  queues_list: ["judging","runs"],
  queue_open: ["judging","runs"],
  queue_reveal: ["judging"],
  queue_estimate: ["judging","runs"],
  queue_export: ["judging","runs"],
  agents_list: ["agents"],
  agent_row: ["agents"],
  pack_removal: ["packs","runs","snapshots"],
  run_subscribe: ["runs"],
  run_services: ["packs","keys"],
  cache_fill_plan: ["runs","packs","keys"],
  cache_fill_end: ["packs"],
  run_estimate: ["runs","packs","models","keys"],
  run_replay: ["runs"],
  fork_offer: ["runs"],
  fork_plan: ["runs","packs","models"],
  forks_list: ["forks","runs"],
  fork_show: ["forks","runs"],
  run_remote: ["runs"],
  remote_plan: ["runs","packs","models"],
  remote_log: ["runs"],
  compare: ["reports","runs","judging"],
  compare_pairs: ["reports","runs","judging"],
  compare_across: ["reports","runs","judging"],
  compare_ranks: ["reports","runs","judging"],
  compare_matrix: ["reports","runs","judging"],
  adaptive_plan: ["reports","runs","judging","packs"],
  adaptive_list: ["adaptive","runs"],
  adaptive_show: ["adaptive","runs"],
  sweeps_list: ["sweeps","runs"],
  sweep_show: ["sweeps","reports","runs","judging"],
  sweep_plan: ["runs","packs","models","reports"],
  atlas: ["reports","runs","judging"],
  atlas_attempt: ["reports","runs","judging"],
  atlas_export: ["reports","runs","judging"],
  submission_view: ["reports","runs","judging"],
  submission_save: ["reports","runs","judging"],
  submission_archive: ["reports","runs","judging"],
  submission_bundle: ["reports","runs","judging"],
  recording_of: ["packs"],
  scenario_plan: ["scenarios"],
  scenario_remote: ["scenarios"],
  scenario_remote_log: ["scenarios"],
  scenario_results: ["scenarios"],
  scenario_table: ["scenarios"],
  scenario_table_csv: ["scenarios"],
  scenario_compare: ["scenarios"],
  scenario_trial: ["scenarios"],
  scenario_trial_log: ["scenarios"],
  scenario_trial_file: ["scenarios"],
} as const satisfies { [C in keyof Commands]?: readonly Topic[] };

export type RankAgreement = {
measure: LabMeasure,
one: number,
other: number,
runs: number,
tau: number | null,
reason: Sentence | null, };

export type Ranked = {
value: number | null,
difference: number | null,
rank: number | null,
low: number | null,
high: number | null,
first_share: number | null,
p: number | null,
holm: number | null,
with_best: boolean,
reason: Sentence | null, };

export type RankedBy = "composite" | "success_rate";

export type Ranking = {
by: RankedBy,
variant: string | null,
tasks: number,
reports: Array<Ranked>, };

export type RanksView = {
reports: Array<string>,
rankings: Array<Ranking>, };

export type RawTranscript = {
log: unknown,
attempt: unknown, };

export type RecentWorkspace = {
folder: string,
opened: string,
state: WorkspaceState, };

export type RecordStanding = {
kept: number,
current: number,
stale: number,
orphan: number,
answering: number,
left_out: number, };

export type RecordedCall = {
number: number,
session: number | null,
tool: string,
arguments: string | null,
outcome: CallOutcome,
masked: boolean,
ms: number | null,
bytes: number | null, };

export type RecordedFacts = {
of: string,
recorded_at: string,
calls: number,
sessions: number,
unsteady: Array<Sentence>, };

export type RecordingPhase = "starting" | "listening" | "over";

export type RecordingRequest = {
name: string,
server: RecordingServer,
env: Array<string>,
mask: boolean,
work: string | null, };

export type RecordingServer = { "kind": "command",
line: string, } | { "kind": "url",
url: string,
header_env: string | null, };

export type RecordingSummary = {
label: string,
tools: number,
calls: number,
sessions: number,
failed: Sentence | null, };

export type RecordingView = {
name: string,
phase: RecordingPhase,
stopping: boolean,
server: string | null,
tools: number,
url: string | null,
session: number,
calls: number,
left_out: number,
bytes: number,
last: Array<RecordedCall>,
remarks: Array<Sentence>,
kept: RecordingSummary | null,
error: WireError | null, };

export type RecordingsFrom = "pack" | "snapshot" | "overlay" | "write";

export type RecordingsUsed = {
source: RecordingsFrom,
snapshot: string | null,
sha256: string | null, };

export type ReferenceLeftOut = {
id: string,
model: string,
reason: Sentence, };

export type ReferenceReport = {
id: string,
model: string,
date: string,
source: string, };

export type ReferenceSet = {
reports: Array<ReferenceReport>, };

export type ReferenceStanding = {
references: number,
measures: Array<StandingMeasure>,
caveats: Array<Sentence>,
left_out: Array<ReferenceLeftOut>, };

export type RemoteFile = {
name: string,
text: string, };

export type RemotePlan = {
engine: EngineKind,
attempts: number,
shards: number,
unfinished: number,
at_once: number,
files: Array<RemoteFile>, };

export type RemoteRequest = {
engine: EngineKind,
shards?: number,
at_once?: number,
engine_args?: string, };

export type RemoteRun = {
run: string,
work: RemoteWork,
engine: EngineKind,
jobs: Array<string>,
at_once: number,
submitted_ms: number,
active: boolean,
merging: boolean,
silent: Sentence | null,
shards: Array<RemoteShard>,
states: RemoteStates,
nodes: Array<string>,
planned: number,
done: number,
failed: number,
tokens: number,
usd: number | null,
max_cost: number | null,
max_total_tokens: number | null,
rate_limits: number, };

export type RemoteShard = {
index: number,
state: WorkerStanding,
node: string | null,
reason: Sentence | null,
restarts: number,
planned: number,
done: number, };

export type RemoteStates = {
waiting: number,
running: number,
done: number,
failed: number,
cancelled: number,
unknown: number, };

export type RemoteWork = "attempts" | "judging";

export type RepeatedFigure = {
k: number,
range: ScoreRange,
tasks: number,
left_out: number,
value: number | null,
reason: Sentence | null, };

export type RepeatedMetric = {
metric: MetricId,
mean: RepeatedFigure,
runs: Array<number | null>,
pass_at: Array<RepeatedFigure>,
pass_all: Array<RepeatedFigure>,
disagreement: Disagreement | null, };

export type RepeatedTaskView = {
level: Level,
task: string,
attempts: Array<AttemptMark>, };

export type Repetition = {
repetition: number,
status: TaskStatus,
kept: boolean, };

export type RepetitionScope = {
level: Level | null,
tasks: number,
metrics: Array<RepeatedMetric>, };

export type RepetitionsView = {
reason: Sentence | null,
planned: number,
first_only: boolean,
scopes: Array<RepetitionScope>,
tasks: Array<RepeatedTaskView>, };

export type ReportDetail = {
row: ReportRow,
files: Array<string>,
evaluation_date: string,
sample: number | null,
votes: number,
aggregate: string,
repeated: boolean,
tasks: Array<TaskFigure>,
id: string,
model: string,
scorer: Protocol,
judges: Array<string>,
judge_address?: string,
execution_date: string,
run?: string,
pack?: string,
protocol?: Protocol,
attempts?: AttemptCounts,
outdated?: Sentence,
levels: Array<LevelReport>,
composites: Array<CompositeFigure>,
overall: Array<OverallFigure>,
folder: string,
cache_hits: CacheUse | null,
agreement: Array<JudgeAgreement>,
overrides: Array<OverrideRow>,
comparability?: Comparability,
notes: Array<Sentence>,
benchmark?: BenchmarkTables, };

export type ReportFacts = {
run: RunOfReport | null,
reason: Sentence | null,
tasks: Array<TaskUsage>,
cost: CostFigure,
other: OtherScorer,
people: PeoplesWord | null, };

export type ReportFile = {
name: string,
media: string,
text: string,
beside: Array<BesideFile>, };

export type ReportFormat = "html" | "json" | "csv" | "md";

export type ReportOrigin = "made" | "imported";

export type ReportRow = {
id: string,
model: string,
address?: string,
date: string,
run: string | null,
part_of?: RunPart,
pack: string | null,
protocol: Protocol | null,
scorer: Protocol,
judges: Array<string> | null,
judge_address?: string,
origin: ReportOrigin,
reference: boolean,
composite: number | null,
variant: string,
reading: Sentence,
composite_reason: Sentence | null,
composite_range: ScoreRange | null,
success: number | null,
success_range: ScoreRange | null,
levels: Array<LevelFigure>,
tasks: number | null,
attempts?: AttemptCounts,
outdated?: Sentence,
unscored: number,
comparability: Grade | null,
comparability_reason: Sentence | null,
tags: Array<string>,
note: string,
problem: Sentence | null, };

export type ReportUsed = {
id: string,
scorer: Protocol, };

export type ReportView = {
id: string,
model: string,
scorer: Protocol,
judges: Array<string>,
judge_address?: string,
execution_date: string,
run?: string,
pack?: string,
protocol?: Protocol,
attempts?: AttemptCounts,
outdated?: Sentence,
levels: Array<LevelReport>,
composites: Array<CompositeFigure>,
overall: Array<OverallFigure>,
folder: string,
cache_hits: CacheUse | null,
agreement: Array<JudgeAgreement>,
overrides: Array<OverrideRow>,
comparability?: Comparability,
notes: Array<Sentence>,
benchmark?: BenchmarkTables, };

export type RetriedAttempt = {
task: string,
repetition?: number, };

export type RevealedQuestion = {
number: number,
run: string,
model: string,
task: string,
metric: MetricId,
judges: Array<JudgeAnswer>,
answer: BlindAnswer | null,
weight: number,
disagreement: number,
effect: number,
swaps: number, };

export type RunChange = { "what": "concurrency",
to: number,
from?: number, } | { "what": "max_steps",
to: number,
from?: number, } | { "what": "timeout",
to: number,
from?: number, } | { "what": "max_cost",
to: number | null,
from?: number, } | { "what": "max_total_tokens",
to: number | null,
from?: number, } | { "what": "base_url",
to: string,
from?: string, } | { "what": "judges",
to: Array<string>,
base_url: string | null,
from?: Array<string>, } | { "what": "leave_out",
tasks: Array<string>, } | { "what": "retry",
attempts: Array<RetriedAttempt>, };

export type RunCorrected = {
run: string,
model: string,
questions: number,
answers: number,
human: EstimatedMean | null,
reason: Sentence | null,
judges: Array<JudgeCorrected>, };

export type RunDrift = {
run: string,
pack: string | null,
against: StateView,
totals: DriftTotals,
tools: Array<ToolDrift>,
tasks: Array<TaskDrift>, };

export type RunEvent = {
at_ms: number,
elapsed_ms: number,
run: string,
kind: RunEventKind, };

export type RunEventKind = { "type": "run_started",
model: string,
pack: string,
protocol: Protocol,
levels: Array<LevelPlan>,
repetitions: number,
concurrency: number,
attempts: number,
price: Price | null,
max_cost: number | null,
max_total_tokens: number | null,
problems?: Array<string>,
resumed?: boolean, } | { "type": "attempt_started",
task: string,
level: Level,
repetition: number, } | { "type": "step_started",
task: string,
repetition: number,
step: number, } | { "type": "step_finished",
task: string,
repetition: number,
step: number,
calls: number,
prompt_tokens: number | null,
completion_tokens: number | null,
ttft_ms: number | null,
latency_ms: number,
finish: string | null, } | { "type": "call_failed",
task: string,
repetition: number,
step: number,
fault: CallFault,
message: Sentence,
took_ms: number, } | { "type": "tool_answered",
task: string,
repetition: number,
step: number,
tool: string,
call_id: string | null,
ok: boolean,
source: AnswerSource,
took_ms: number | null, } | { "type": "waiting",
task: string,
repetition: number,
reason: Sentence,
wait_ms: number,
until_ms: number | null, } | { "type": "attempt_finished",
task: string,
level: Level,
repetition: number,
success: boolean,
stop: StopReason,
cut_off: boolean,
steps: number,
calls: number,
total_tokens: number,
took_ms: number,
error: Sentence | null, } | { "type": "attempts_ended",
so_far: TaskSoFar, } | { "type": "run_paused",
reason: Sentence | null, } | { "type": "run_resumed", } | { "type": "run_changed",
record: ChangeRecord,
planned: number, } | { "type": "run_finished",
outcome: RunOutcome,
done: number,
failed: number,
folder: string | null,
reason: Sentence | null,
spent?: Spent, };

export type RunJudges = {
judges: Array<string>,
judge_base_url: string | null,
judge_local: LocalSettings | null,
from: JudgesFrom, };

export type RunLevel = {
level: Level,
tasks: number | null, };

export type RunMerge = {
run: string,
attempts: number,
doubled: number,
planned: number,
done: number,
failed: number,
missing: number,
problems: Array<Sentence>,
folder: string, };

export type RunMisses = {
run: string,
pack: string | null,
against: string | null,
from_logs: boolean,
calls: number,
distinct: number,
open: number,
misses: Array<Miss>,
tools: Array<MissesOfTool>,
levels: Array<MissesOfLevel>,
filled: Array<string>, };

export type RunOfReport = {
id: string,
pack: string | null,
protocol: Protocol | null, };

export type RunOutcome = "completed" | "cancelled" | "budget_spent" | "failed";

export type RunPart = "adaptive" | "gate";

export type RunReport = {
run: string,
report: string, };

export type RunRequest = {
run: string,
pack: string | null,
model: string,
agent?: string,
own_model?: boolean,
base_url: string | null,
levels: Array<Level>,
concurrency: number | null,
max_cost?: number,
max_total_tokens?: number,
max_cost_per_day?: number,
max_total_tokens_per_day?: number,
tasks?: Array<string>,
score?: ScoreAfter,
local?: LocalSettings,
cache_snapshot?: string,
cache_mode?: CacheMode,
without_keys?: boolean,
with_overlay?: boolean,
protocol: Protocol,
repetitions: number,
max_steps?: number,
timeout_s?: number,
full_rollout?: boolean,
temperature?: number,
max_tokens?: number,
effort?: string,
seed?: number,
resume?: string,
shard?: ShardRequest,
without_engine?: boolean,
misses_of?: string, };

export type RunSettings = {
constrained: boolean,
any_form?: boolean,
agent?: Sentence,
texts?: string,
adaptive?: boolean,
protocol: Protocol,
repetitions: number,
max_steps: number,
timeout_s: number,
full_rollout: boolean,
temperature: number,
max_tokens: number | null,
effort: string | null,
seed: number | null, };

export type RunSnapshot = {
run: string,
events: Array<RunEvent>,
finished: boolean, };

export type RunStatus = {
outcome: RunOutcome | null,
reason: Sentence | null,
planned: number,
done: number,
failed: number,
max_cost: number | null,
max_total_tokens: number | null,
here: boolean,
uncounted?: Sentence, };

export type RunSummary = {
id: string,
model: string,
address?: string,
date: string,
pack: string | null,
protocol: Protocol | null,
levels: Array<RunLevel>,
complete: boolean,
held_by: number | null,
resume: string | null,
usd: number | null,
agent?: string,
status?: RunStatus,
cache_mode?: CacheMode,
overlay?: boolean,
completes?: string,
remote?: EngineKind,
judging?: EngineKind,
tags: Array<string>,
note: string,
part_of?: RunPart,
unreadable?: Sentence,
folder: string, };

export type RunTask = {
id: string,
level: Level,
instruction: string | null,
status: TaskStatus,
success: boolean | null,
stop: StopReason | null,
error: Sentence | null,
calls: number | null,
steps: number | null,
took_ms: number | null,
total_tokens: number | null,
repetitions: number, };

export type RunsNow = {
current: CurrentRun | null,
queue: Array<RunRequest>,
ended: Array<EndedRun>, };

export type ScaleAgainstPeople = {
questions: number,
percent: LabEstimate,
kappa: LabEstimate,
alpha: LabEstimate, };

export type ScenarioCause = "completed" | "failed" | "timed_out" | "out_of_memory" | "could_not_start" | "cancelled" | "lost";

export type ScenarioCell = {
repetition: number,
cause: ScenarioCause | null,
exit_code: number | null,
seconds: number | null, } & ({ "verdict": "passed" } | { "verdict": "failed" } | { "verdict": "missing",
why: Sentence, });

export type ScenarioComparison = {
first: string,
second: string,
rows: Array<ScenarioDifference>,
counts: { [key in ScenarioStanding]?: number }, };

export type ScenarioCounts = {
name: string,
instances: number,
repetitions: number,
trials: number,
unfinished: number,
causes: { [key in string]: number },
started: string | null,
problem: Sentence | null, };

export type ScenarioCurvePoint = {
k: number,
value: number,
interval: ScoreRange, };

export type ScenarioDifference = {
instance: string,
first: ScenarioSide | null,
second: ScenarioSide | null,
standing: ScenarioStanding, };

export type ScenarioImage = {
name: string,
digest: string | null, };

export type ScenarioLimits = {
timeout_s: number | null,
memory_bytes: number | null,
cpus: number | null,
pids: number | null,
output_bytes: number | null,
network: ScenarioNetwork | null, };

export type ScenarioLive = {
id: string,
request: ScenarioRequest,
trials: Array<ScenarioTrial>,
said: Sentence | null,
summary: ScenarioSummary | null,
error: WireError | null,
cancelling: boolean,
elapsed_s: number, };

export type ScenarioLogPart = {
first_line: number,
lines: Array<string>,
total_lines: number,
bytes: number, };

export type ScenarioLogPiece = {
text: string,
next: number,
cut: boolean, };

export type ScenarioModelCalls = {
model: string,
count: number,
failed: number,
replayed: number,
input_tokens: number,
output_tokens: number,
cost_usd: number | null,
note: Sentence | null, };

export type ScenarioNetwork = "none" | "bridge";

export type ScenarioOrigin = "recorded" | "legacy";

export type ScenarioOutcome = {
format: number,
origin: ScenarioOrigin,
cause: ScenarioCause,
detail: Sentence | null,
exit_code: number | null,
pip_exit_code: number | null,
started: string | null,
ended: string | null,
seconds: number | null,
scenario_seconds: number | null,
setting: ScenarioSetting | null,
image: ScenarioImage | null,
limits: ScenarioLimits | null,
versions: { [key in string]: string },
template_sha256: string | null,
model_calls: ScenarioModelCalls | null,
command: Array<string>,
warnings: Array<Sentence>,
unknown: { [key in string]: Sentence }, };

export type ScenarioPassAtK = {
k: number,
value: number, };

export type ScenarioPlan = {
results: string,
trials: Array<[string, Sentence]>,
to_run: number,
finished: number,
warnings: Array<Sentence>,
variables: Array<string>,
config: string | null,
config_file: string | null, };

export type ScenarioRemote = {
results: string,
engine: EngineKind,
jobs: Array<string>,
active: boolean,
silent: Sentence | null,
may_work: boolean,
trials: number,
finished: number,
shards: Array<ScenarioShard>,
folder: string, };

export type ScenarioRequest = {
path: string,
results: string | null,
folder: string | null,
repetitions: number,
parallel: number,
native: boolean,
docker_image: string | null,
requirements: string | null,
config: string | null,
config_tag: string | null,
config_file: string | null,
env_file: string | null,
secrets: Array<string>,
allow: Array<string>,
subsample: string | null,
rerun_failed: boolean,
command: Array<string>,
timeout_s: number | null,
memory_mib: number | null,
cpus: number | null,
pids: number | null,
output_mib: number | null,
network: boolean,
model: string | null,
base_url: string | null,
max_cost: number | null,
max_total_tokens: number | null,
replay: string | null,
loose?: boolean, };

export type ScenarioResults = {
folder: string,
exists: boolean,
scenarios: Array<ScenarioCounts>, };

export type ScenarioRow = {
instance: string,
trials: Array<ScenarioCell>,
passed: number,
failed: number,
missing: number, };

export type ScenarioScorer = "markers" | "gaia" | "math";

export type ScenarioSetting = "docker" | "native";

export type ScenarioShard = {
index: number,
state: WorkerStanding,
node: string | null,
reason: Sentence | null,
restarts: number,
trials: number,
finished: number, };

export type ScenarioSide = {
passed: number,
missing: number,
trials: number,
seconds: number | null, };

export type ScenarioSpending = {
tokens: number,
usd: number | null,
note: Sentence | null, };

export type ScenarioStanding = "first" | "second" | "same" | "unknown";

export type ScenarioSummary = {
results: string,
trials: number,
skipped: number,
ended: { [key in string]: number },
not_run: number,
complete: boolean,
cancelled: boolean,
broken: Sentence | null,
spent: ScenarioSpending | null, };

export type ScenarioTable = {
folder: string,
curve: Array<ScenarioCurvePoint>,
scorer: ScenarioScorer,
repetitions: Array<number>,
rows: Array<ScenarioRow>,
totals: ScenarioTotals, };

export type ScenarioTotals = {
instances: number,
trials: number,
passed: number,
failed: number,
missing: number,
passed_once: number,
passed_always: number,
pass_at_k: Array<ScenarioPassAtK>,
wilson: ScoreRange,
over_instances: ScoreRange,
seconds: number,
timed: number,
causes: { [key in ScenarioCause]?: number }, };

export type ScenarioTrial = {
scenario: string,
instance: string,
repetition: number,
state: TrialState,
cause: string | null,
seconds: number | null, };

export type ScenarioTrialFile = {
path: string,
kind: TrialFileKind,
bytes: number, };

export type ScenarioTrialPage = {
state: TrialPageState,
why: Sentence | null,
outcome: ScenarioOutcome | null,
verdict: ScenarioVerdict | null,
folder: string,
files: Array<ScenarioTrialFile>,
files_cut: boolean,
findings: Array<Finding<string>>, };

export type ScenarioVerdict = { "verdict": "passed" } | { "verdict": "failed" } | { "verdict": "missing",
why: Sentence, };

export type ScoreAfter = {
scorers: Array<Protocol>,
judges: Array<string>,
judge_base_url: string | null,
judge_local?: LocalSettings, };

export type ScoreRange = {
interval: Interval | null,
reason: Sentence | null, };

export type ScoredPair = {
scorer: Protocol,
first: PairSide,
second: PairSide,
judgement: Judgement,
refusal: Array<Caveat>,
tests: PairTests | null, };

export type ScorerDifference = {
id: string,
metrics: Array<string>,
leaderboard: string,
corrected: string, };

export type Scoring = {
scorer: Protocol,
judges: Fact<Array<string>>,
judges_at?: string,
votes: number,
aggregate: string,
unscored: number, };

export type Sentence = string | { text: string, args?: { [place: string]: Arg } };

export type ServiceKey = {
name: string,
present: boolean, };

export type ServiceState = {
name: string,
title: string,
tools: Array<string>,
keys: Array<ServiceKey>,
ready: boolean, };

export type Settings = {
language: Language | null,
theme: Theme,
concurrency: number | null,
judges: Array<string>,
connections: Array<Connection>,
max_cost_per_day: number | null,
max_total_tokens_per_day: number | null,
proxy: ProxyMode,
proxy_address: string,
otlp_endpoint: string,
otlp_content: boolean,
reviewer: string,
welcomed: boolean, };

export type SettingsView = {
settings: Settings,
home: string,
home_origin: HomeOrigin,
next_home: string | null,
prices_file: string,
proxy_variables: Array<string>,
offline: OfflineView,
spent_today_usd: number,
spent_today_tokens: number, };

export type Severity = "pass" | "note" | "warning" | "error";

export type ShardLog = {
shard: number,
text: string,
cut: boolean,
path: string, };

export type ShardRequest = {
index: number,
of: number, };

export type ShortLimit = {
levels: Array<Level>,
attempt_s: number,
limit_s: number,
fits_s: number, };

export type ShownInput = {
kind: InputKind,
text: string, };

export type SignatureState = "unsigned" | "signed" | "trusted" | "refused";

export type SigningKey = {
public_key: string,
made: boolean, };

export type SnapshotDetail = {
snapshot: SnapshotView,
tools: Array<SnapshotTool>,
verified: string | null, };

export type SnapshotDiff = {
then: StateView,
now: StateView,
tools: Array<AnswerDifferenceTool>,
differences: Array<AnswerDifference>,
total: number, };

export type SnapshotExport = {
path: string,
records: number,
bytes: number,
pack: string | null,
problems: Array<Finding<Fault>>, };

export type SnapshotList = {
pack: string,
snapshots: Array<SnapshotView>,
recorded: number,
added: number, };

export type SnapshotRef = {
name: string,
hash: string, };

export type SnapshotTool = {
tool: string,
recorded: number,
added: number, };

export type SnapshotView = {
name: string,
hash: string,
pack: string,
version: string,
installed: boolean,
note: string,
created_at: string,
recorded: number,
added: number, };

export type SpanDelivery = {
endpoint: string,
sent: number,
lost: number,
reason: Sentence | null, };

export type Speaker = "system" | "user" | "assistant" | "tool";

export type Spent = {
prompt_tokens: number,
completion_tokens: number,
usd: number | null,
unreported: number, };

export type Standing = {
leaderboard: Grade,
with_first: Judgement | null, };

export type StandingMeasure = {
measure: string,
reading: Sentence | null,
rank: number | null,
of: number,
reason: Sentence | null,
points: Array<StandingPoint>, };

export type StandingPoint = {
id: string,
model: string,
own: boolean,
range: ScoreRange,
value: number | null,
reason: Sentence | null, };

export type StateView = {
state: string,
pack: string,
version: string,
hash: string | null, };

export type StepTiming = {
phase: number,
ttft_ms: number | null,
latency_ms: number,
prompt_tokens: number | null,
completion_tokens: number | null,
finish: string | null,
left_out: LeftOut | null,
written: string | null, };

export type StopReason = "answered" | "cut_off" | "step_limit" | "timed_out" | "model_failed" | "agent_failed" | "budget_spent" | "cancelled";

export type StoredVerdict = {
judge: string,
vote: number,
asked_with: string,
success: boolean | null,
score: number | null,
confidence: number | null,
reason: string | null,
failure: Sentence | null,
at: string, };

export type SubmissionArchive = {
name: string,
base64: string, };

export type SubmissionCheck = {
place: string,
files: number,
objections: Array<Finding<FindingCode>>,
blocked: boolean, };

export type SubmissionFile = {
path: string,
bytes: number,
sha256: string, };

export type SubmissionNames = {
model: string,
vendor: string,
model_type: ModelType | null,
licence: string,
repo: string,
submitted_by: string,
contact: string,
source_url: string,
notes: string, };

export type SubmissionRequest = {
of: string,
names: SubmissionNames | null,
language: Language | null, };

export type SubmissionSaved = {
place: string,
report: string,
files: number,
bytes: number,
objections: Array<Finding<FindingCode>>,
blocked: boolean, };

export type SubmissionView = {
report: string,
run: string,
model_id: string,
name: string,
defaults: SubmissionNames,
names: SubmissionNames,
header: Array<string>,
cells: Array<string>,
objections: Array<Finding<FindingCode>>,
blocked: boolean,
readme: string,
pull_request: string,
eval_results: string | null,
files: Array<SubmissionFile>,
comparability: Comparability, };

export type SweepBaseline = {
model: string | null,
temperature: number | null,
effort: string | null,
seed: number | null,
system_prompt: string | null,
tool_texts: string | null, };

export type SweepCell = {
label: string,
model: string,
temperature: number | null,
effort: string | null,
seed: number | null,
system_prompt: string | null,
tool_texts: string | null,
results: Array<SweepResult>, };

export type SweepDifference = {
value: number,
interval: [number, number] | null,
tasks: number,
won: number,
lost: number,
p: number,
corrected_p: number,
verdict: SweepVerdict, };

export type SweepFile = {
name: string,
metric: string,
protocol: Protocol,
packs: Array<string> | null,
levels: Array<string>,
tasks: Array<string>,
repetitions: number,
concurrency: number | null,
max_steps: number | null,
timeout_s: number | null,
max_tokens: number | null,
max_cost: number | null,
max_total_tokens: number | null,
models: Array<SweepModel>,
settings: SweepSettings,
judges: SweepJudges,
baseline: SweepBaseline,
texts: { [key in string]: string }, };

export type SweepJudges = {
models: Array<string>,
base_url: string | null, };

export type SweepModel = {
id: string,
base_url: string | null, };

export type SweepPlan = {
id: string | null,
runs: Array<SweepPlanRun>,
attempts: number,
calls: number,
usd: number | null,
minutes: number,
unknown: number,
spent: number | null,
is_spent_least: boolean,
refusal: Sentence | null, };

export type SweepPlanRun = {
cell: string,
pack: string,
state: SweepState,
run: string | null,
outcome: RunOutcome | null,
reason: Sentence | null,
to_judge: boolean,
attempts: number,
calls: number | null,
usd: number | null,
minutes: number | null, };

export type SweepResult = {
pack: string,
run: string,
report: string | null,
difference: SweepDifference | null,
mean: number | null,
interval: [number, number] | null,
tasks: number,
attempts: number,
unscored: number, };

export type SweepRow = {
id: string,
name: string,
metric: string,
models: Array<string>,
packs: Array<string>,
cells: number,
runs: number,
made: number,
begun_ms: number,
problem: Sentence | null, };

export type SweepScore = {
mean: number | null,
interval: [number, number] | null,
tasks: number,
attempts: number,
unscored: number, };

export type SweepSettings = {
temperature: Array<number> | null,
effort: Array<string> | null,
seed: number[] | null,
system_prompt: Array<string> | null,
tool_texts: Array<string> | null, };

export type SweepState = "new" | "begun" | "made";

export type SweepSummary = {
name: string,
metric: MetricId,
scorer: string,
judges: Array<string>,
repetitions: number,
packs: Array<string>,
baseline: string,
cells: Array<SweepCell>,
done: number,
runs: number,
tests: number,
stopped: Sentence | null,
usd: number | null,
notes: Array<Sentence>, };

export type SweepVerdict = "better" | "worse" | "not_separated";

export type SweepView = {
id: string,
file: SweepFile,
plan: SweepPlan,
table: SweepSummary, };

export type TaskCall = {
tool: string,
args: unknown,
step: number | null,
answer: CallAnswer, };

export type TaskDetail = {
pack: string,
version: string,
id: string,
level: Level,
category: string | null,
instruction: string,
turns: Array<TaskTurn>,
evaluated_turn: number | null,
tools: Array<TaskTool>,
golden: Array<TaskCall>,
fallbacks: Array<TaskCall>,
minimum_steps: number | null,
minimum_calls: number | null,
injection: TaskInjection | null,
flag: TaskFlagView | null,
problems: Array<Finding<Fault>>,
raw: unknown, };

export type TaskDrift = {
task: string,
level: Level,
repetition: number,
totals: DriftTotals,
calls: Array<CallDrift>, };

export type TaskFigure = {
level: Level,
task: string,
answered: boolean,
scores: Array<TaskScore>,
rows?: Array<ItemRow>, };

export type TaskFlagView = {
note: string,
flagged_at: string, };

export type TaskInjection = {
tool: string,
error_type: string,
message: string, };

export type TaskList = {
pack: string,
version: string,
tasks: Array<TaskRow>, };

export type TaskOfLevel = {
level: Level,
task: string, };

export type TaskProblem = {
stop: StopReason | null,
message: Sentence | null,
tool: string | null,
count: number, };

export type TaskRow = {
id: string,
level: Level,
category: string | null,
instruction: string,
tools: Array<string>,
calls: number,
answered: number,
flag: TaskFlagView | null,
problems: number, };

export type TaskScore = {
metric: MetricId,
value: number | null,
why: Sentence | null, };

export type TaskScores = {
metric: MetricId,
scores: Array<number | null>, };

export type TaskSoFar = {
task: string,
level: Level,
ends: string,
kept: number,
steps: number,
calls: number,
prompt_tokens: number | null,
completion_tokens: number | null,
total_tokens: number,
unreported: number,
answers: CacheUse,
problems: Array<TaskProblem>,
error: Sentence | null, };

export type TaskStatus = "waiting" | "answered" | "unanswered" | "failed" | "unreadable";

export type TaskTool = {
name: string,
part: ToolPart,
spec: ToolView | null, };

export type TaskTurn = {
number: number,
role: string,
content: string,
calls: Array<TaskCall>, };

export type TaskUsage = {
level: Level,
task: string,
seconds: number | null,
ttft: number | null,
tokens: number | null,
steps: number | null,
calls: number, };

export type TaskVerdicts = {
run: string,
task: string,
questions: Array<QuestionVerdicts>,
decided_by_log: Array<MetricId>,
outdated: Array<OverrideRow>, };

export type Theme = "system" | "light" | "dark";

export type ToolDrift = {
tool: string,
totals: DriftTotals, };

export type ToolImpact = {
tool: string,
records: number,
stale: number,
found: number, };

export type ToolPart = "offered" | "distractor" | "fallback";

export type ToolRecordsView = {
tool: string,
records: number,
current: number,
stale: number,
orphan: number,
answering: number, };

export type ToolView = {
name: string,
description: string,
parameters: unknown, };

export type Topic = "adaptive" | "agents" | "drafts" | "forks" | "judging" | "keys" | "models" | "packs" | "reports" | "runs" | "scenarios" | "settings" | "snapshots" | "sweeps";

export type Transcript = {
run: string,
task: string,
level: Level,
model: string,
pack: string | null,
protocol: Protocol | null,
category: string | null,
instruction: string,
dataset: unknown,
other_instruction: string | null,
injection: Injection | null,
golden: Array<GoldenCall>,
repetitions: Array<Repetition>,
attempt: TranscriptAttempt | null,
under_way: boolean,
attempt_is_scored: boolean,
metrics: Array<MetricScores>,
verdicts: Array<JudgeVerdict>,
questions: Array<JudgeQuestionText>,
reports: Array<ReportUsed>,
no_fork?: Sentence, };

export type TranscriptAttempt = {
repetition: number,
status: TaskStatus,
success: boolean | null,
stop: StopReason | null,
error: Sentence | null,
took_ms: number | null,
steps: number,
prompt_tokens: number | null,
completion_tokens: number | null,
ttft_ms: number | null,
final_response: string | null,
answer_is_seeded: boolean,
turns: Array<TranscriptTurn>,
calls: Array<TranscriptCall>,
has_timing: boolean,
agent?: AgentConduct, };

export type TranscriptCall = {
step: number | null,
tool: string,
arguments: unknown,
unreadable: string | null,
success: boolean | null,
error: Sentence | null,
owner: FaultOwner | null,
source: AnswerSource | null,
result: unknown,
place: CallPlace,
golden: number | null,
beside: Array<ArgumentBeside>, };

export type TranscriptTurn = {
speaker: Speaker,
seeded: boolean,
text: string,
content: unknown,
step: number | null,
timing: StepTiming | null,
calls: Array<number>, };

export type TrashItem = {
kind: TrashKind,
key: string,
id: string,
name: string | null,
model: string | null,
deleted_ms: number | null,
bytes: number,
overdue: boolean, };

export type TrashKind = "run" | "report" | "fork" | "pack";

export type TrashView = {
items: Array<TrashItem>,
days: number, };

export type TrialFileContent = { "kind": "text",
text: string,
cut: boolean, } | { "kind": "image",
media: string,
base64: string, } | { "kind": "binary",
too_large: boolean, };

export type TrialFileKind = "file" | "link" | "other";

export type TrialPageState = "finished" | "half_made";

export type TrialState = "waiting" | "running" | "ended" | "skipped";

export type Unreachable = "no_call_needed" | "injected_failure" | "second_conversation" | "path_beyond_minimum" | "uncounted_result";

export type ValueChange = {
path: string,
then: string | null,
now: string | null, };

export type ValueChanges = {
total: number,
shown: Array<ValueChange>, };

export type Verification = {
file: string,
ok: boolean,
subject: BundleSubject | null,
made_by: string | null,
created: string | null,
signature: SignatureState,
signed_by: string | null,
checks: Array<Finding<BundleCheckName>>,
failures: number,
counts: VerifiedCounts, };

export type VerifiedCounts = {
files: number,
bytes: number,
reports: number,
values: number,
judged: number,
tasks: number,
calls: number,
verdicts: number, };

export const WRITES = {
  settings_set: ["settings","models","keys"],
  offline_set: ["settings"],
  workspace_choose: ["settings"],
  trash_restore: ["runs","reports","forks","packs","snapshots"],
  trash_delete: ["runs","reports","forks","packs"],
  trash_empty: ["runs","reports","forks","packs"],
  key_set: ["keys"],
  key_delete: ["keys"],
  keys_unlock: ["keys"],
  keys_import: ["keys"],
  price_set: ["models"],
  connection_check: ["models"],
  local_add: ["models"],
  local_delete: ["models"],
  pull_start: ["models"],
  pull_resume: ["models"],
  pull_pause: ["models"],
  pull_cancel: ["models"],
  pack_use: ["packs"],
  pack_import: ["packs","snapshots"],
  pack_pull: ["packs","snapshots"],
  published_forget: ["packs"],
  pack_starter: ["packs"],
  draft_create: ["drafts"],
  draft_change: ["drafts"],
  draft_save: ["packs","drafts"],
  draft_discard: ["packs","drafts"],
  task_flag: ["packs"],
  snapshot_create: ["snapshots"],
  snapshot_delete: ["snapshots"],
  references_remove: ["reports"],
  report_remark: ["reports"],
  report_delete: ["reports"],
  run_remark: ["runs"],
  run_evaluate: ["reports","runs","judging"],
  verdict_override: ["judging"],
  verdict_override_remove: ["judging"],
  judge_again: ["judging"],
  queue_make: ["judging"],
  queue_answer: ["judging"],
  queue_apply: ["judging"],
  queue_remove: ["judging"],
  queue_import: ["judging"],
  local_trial_start: ["models"],
  agent_check: ["agents"],
  pack_remove: ["packs","snapshots"],
  run_start: ["runs","reports"],
  run_cancel: ["runs"],
  run_change: ["runs"],
  run_retry: ["runs"],
  cache_fill: ["packs"],
  run_queue: ["runs","reports"],
  runs_stop: ["runs"],
  run_merge: ["runs","reports"],
  run_trash: ["runs","reports"],
  fork_start: ["forks"],
  fork_rename: ["forks"],
  fork_trash: ["forks"],
  remote_submit: ["runs","reports"],
  judging_resume: ["runs","reports"],
  remote_cancel: ["runs","reports"],
  adaptive_start: ["adaptive","runs"],
  adaptive_forget: ["adaptive"],
  sweep_start: ["sweeps"],
  sweep_forget: ["sweeps"],
  import_files: ["packs","runs","reports","snapshots"],
  import_references: ["reports","runs"],
  recording_start: ["packs","snapshots"],
  recording_stop: ["packs","snapshots"],
  recording_tasks: ["drafts"],
  scenario_start: ["scenarios"],
  scenario_cancel: ["scenarios"],
  scenario_remote_resume: ["scenarios"],
  scenario_remote_cancel: ["scenarios"],
} as const satisfies { [C in keyof Commands]?: readonly Topic[] };

export type WantedFigure = {
level: Level | null,
metric: MetricId | null, };

export type WireError = {
code: ErrorCode,
message: Sentence, };

export type WorkerStanding = "waiting" | "running" | "done" | "failed" | "cancelled" | "unknown";

export type WorkspaceState = "here" | "there" | "empty" | "missing";
