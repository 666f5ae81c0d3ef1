// Written by `cargo xtask gen` from the Rust types that cross to the UI. Do not edit.

/**
 * Versions of the program and of what it writes.
 */
export type About = { 
/**
 * Version of the product.
 */
version: string, 
/**
 * System and processor it was built for, such as `linux x86_64`.
 */
system: string, 
/**
 * Whether it was built for use (`release`) or for work on it (`debug`).
 */
build: string, 
/**
 * Form of packs.
 */
pack_format: number, 
/**
 * Form of run manifests and journals.
 */
run_format: number, 
/**
 * Form of the workspace's database.
 */
workspace_format: number, };

/**
 * Two models over several benchmarks.
 */
export type Across = { 
/**
 * What counts the same in the combined difference.
 */
weights: AcrossWeights, 
/**
 * The strata, in the order in which their items came.
 */
strata: Array<AcrossStratum>, 
/**
 * The benchmarks.
 */
benchmarks: Array<AcrossBenchmark>, 
/**
 * All together.
 */
combined: AcrossCombined, 
/**
 * Whether the benchmarks agree; null for a single one.
 */
heterogeneity: AcrossHeterogeneity | null, 
/**
 * All of it in a sentence.
 */
sentence: Sentence, };

/**
 * A benchmark by itself.
 */
export type AcrossBenchmark = { 
/**
 * Its name.
 */
benchmark: string, 
/**
 * Its items.
 */
items: number, 
/**
 * Its difference, each item counting the same.
 */
combined: AcrossCombined, };

/**
 * A difference of several strata.
 */
export type AcrossCombined = { 
/**
 * Second less first.
 */
difference: number, 
/**
 * Standard error: what the width of the interval comes to.
 */
error: number, 
/**
 * Its interval.
 */
interval: [number, number], 
/**
 * p of the two being alike.
 */
p: number, 
/**
 * The smallest difference that these items could have been expected to find.
 */
detectable: number, };

/**
 * How far differences lie apart beyond chance.
 */
export type AcrossHeterogeneity = { 
/**
 * Cochran's Q.
 */
q: number, 
/**
 * Its p value.
 */
p: number, 
/**
 * I², the share of their spread that is not chance.
 */
i2: number, };

/**
 * A pack that a pair is not compared on.
 */
export type AcrossLeftOut = { 
/**
 * The pack.
 */
pack: string, 
/**
 * Why.
 */
reason: Sentence, };

/**
 * A model.
 */
export type AcrossModel = { 
/**
 * Model id; of a report that names none, the report's id.
 */
model: string, 
/**
 * Its reports.
 */
reports: Array<AcrossReport>, };

/**
 * The first model against another one.
 */
export type AcrossPair = { 
/**
 * The first model.
 */
first: string, 
/**
 * The other.
 */
second: string, 
/**
 * Packs that they are compared on.
 */
packs: Array<AcrossPairPack>, 
/**
 * Packs that they are not compared on.
 */
left_out: Array<AcrossLeftOut>, 
/**
 * The comparison; null where no pack is left. Its strata are corrected over all pairs.
 */
across: Across | null, 
/**
 * p of the combined difference after Holm's correction over all pairs.
 */
holm: number | null, 
/**
 * What that comes to.
 */
verdict: PairVerdict, };

/**
 * A pack of a pair.
 */
export type AcrossPairPack = { 
/**
 * The pack.
 */
pack: string, 
/**
 * How far the two reports can be compared.
 */
grade: Grade, 
/**
 * Why no further.
 */
findings: Array<Caveat>, 
/**
 * Tasks that both have a score of.
 */
items: number, 
/**
 * Tasks without a score on both sides.
 */
left_out: number, };

/**
 * The smallest differences that are found; null where nothing is compared, or where more items would have to differ than the
 * assumption says.
 */
export type AcrossPower = { 
/**
 * The share of the items on which two models are taken to differ: an assumption; null for the mean that was seen over all
 * pairs of these models, pack by pack.
 */
discordance: number | null, 
/**
 * Each item counting the same.
 */
item: number | null, 
/**
 * Each pack counting the same.
 */
benchmark: number | null, };

/**
 * A model's report of a pack.
 */
export type AcrossReport = { 
/**
 * The pack.
 */
pack: string, 
/**
 * Report id.
 */
id: string, };

/**
 * Reports of several models and packs.
 */
export type AcrossRequest = { 
/**
 * Report ids; the model of the first is what the others are compared with.
 */
ids: Array<string>, 
/**
 * What counts the same in the combined difference.
 */
weights: AcrossWeights, 
/**
 * Where drawn signs begin; null for the usual seed.
 */
seed: number | null, };

/**
 * A group of a benchmark.
 */
export type AcrossStratum = { 
/**
 * The benchmark.
 */
benchmark: string, 
/**
 * The group.
 */
group: string, 
/**
 * Its items.
 */
items: number, 
/**
 * Its weight in the combined difference.
 */
weight: number, 
/**
 * Second less first.
 */
difference: number, 
/**
 * Its interval.
 */
interval: [number, number], 
/**
 * p of its test.
 */
p: number, 
/**
 * The same after Holm's correction over the strata.
 */
holm: number, 
/**
 * Mean square of the items' differences.
 */
discordance: number, };

/**
 * Models over several packs.
 */
export type AcrossView = { 
/**
 * What counts the same in the combined differences.
 */
weights: AcrossWeights, 
/**
 * The models in the order of their first reports.
 */
models: Array<AcrossModel>, 
/**
 * The packs, likewise.
 */
packs: Array<string>, 
/**
 * The first model against each other one.
 */
pairs: Array<AcrossPair>, 
/**
 * The chance with which the smallest differences are found.
 */
power: number, 
/**
 * At which two-sided level.
 */
alpha: number, 
/**
 * The smallest difference that these packs can be expected to find, by how much these models differ.
 */
seen: AcrossPower, 
/**
 * The same for models that differ more or less often.
 */
assumed: Array<AcrossPower>, };

/**
 * What counts the same in the combined difference.
 */
export type AcrossWeights = "item" | "benchmark";

/**
 * What a whole run would give.
 */
export type AdaptiveEstimate = { 
/**
 * The mean over all items.
 */
mean: number, 
/**
 * Half the width of its interval.
 */
half_width: number, 
/**
 * Items that were asked.
 */
asked: number, 
/**
 * All items.
 */
items: number, 
/**
 * The same in words.
 */
sentence: Sentence, };

/**
 * What an adaptive run would take.
 */
export type AdaptiveOutlook = { 
/**
 * `name@version`.
 */
pack: string, 
/**
 * Tasks of the run that is estimated.
 */
items: number, 
/**
 * Tasks that it is expected to take, by the reports at hand.
 */
expected: number, 
/**
 * Models whose reports say how hard the tasks are.
 */
models: Array<string>, };

/**
 * What an adaptive run found.
 */
export type AdaptiveSummary = { 
/**
 * Name of the metric.
 */
metric: string, 
/**
 * The model that was run.
 */
model: string, 
/**
 * `name@version`.
 */
pack: string, 
/**
 * The half width that was wished for.
 */
wished: number, 
/**
 * Why it ended before the wished width; null where it did not.
 */
stopped: Sentence | null, 
/**
 * The tasks that were run, in the pack's order.
 */
tasks: Array<AdaptiveTask>, 
/**
 * Tasks that were run and have no score, as their attempts ended for technical reasons.
 */
unscored: Array<string>, 
/**
 * Models whose reports say how hard the tasks are.
 */
models: Array<string>, 
/**
 * USD that were spent; null where nothing costs or it is not known.
 */
usd: number | null, 
/**
 * The runs that were made.
 */
runs: Array<string>, 
/**
 * The mean over all items.
 */
mean: number, 
/**
 * Half the width of its interval.
 */
half_width: number, 
/**
 * Items that were asked.
 */
asked: number, 
/**
 * All items.
 */
items: number, 
/**
 * The same in words.
 */
sentence: Sentence, };

/**
 * A task that was run.
 */
export type AdaptiveTask = { 
/**
 * Its id.
 */
task: string, 
/**
 * Whether the model solved it.
 */
solved: boolean, 
/**
 * The run that has the attempt, as in `runs` of the summary.
 */
run: string, };

/**
 * An adaptive run with what is known of it.
 */
export type AdaptiveView = { 
/**
 * Its id.
 */
id: string, 
/**
 * When it began, milliseconds since the Unix epoch.
 */
begun_ms: number, 
/**
 * Whether it has come to an end. One that has not and is not here is another process's, or was interrupted.
 */
is_over: boolean, 
/**
 * Whether it is a job of this process; known to whoever lists it, and in its file always false.
 */
is_here: boolean, 
/**
 * Rules that it scores by.
 */
scorer: Protocol, 
/**
 * Who judges; none asks nobody.
 */
judges: Array<string>, 
/**
 * Tasks that it was expected to take.
 */
expected: number, 
/**
 * What is known by now; its runs by their ids.
 */
found: AdaptiveSummary, };

/**
 * What an agent's model asked for beside the steps, and what was made of it.
 */
export type AgentCalls = { 
/**
 * Calls of the model, those without an answer included.
 */
model_calls: number, 
/**
 * Answered calls of the model that are no steps, such as titles.
 */
side_calls: number, 
/**
 * Calls of the agent's own tools.
 */
own_calls: number, 
/**
 * The tools of these, the most called first; not every name is kept.
 */
own_tools: Array<OwnTool>, 
/**
 * Calls of the task's tools that the agent never made.
 */
unmade: number, 
/**
 * Calls whose arguments the agent changed.
 */
changed: number, 
/**
 * Calls that the agent made without being asked.
 */
by_agent: number, };

/**
 * What a check came to.
 */
export type AgentCheck = { 
/**
 * The agent.
 */
name: string, 
/**
 * The version that it says it has.
 */
version: string | null, 
/**
 * SHA-256 of its definition.
 */
definition: string, 
/**
 * Whether it ran in a container.
 */
contained: boolean, 
/**
 * Whether a run with it makes sense: the call arrived, and the answer came out.
 */
passed: boolean, 
/**
 * Seconds until it first called its model.
 */
startup_s: number | null, 
/**
 * Seconds of the whole.
 */
seconds: number, 
/**
 * Form in which it asked its model.
 */
wire: string | null, 
/**
 * Name under which it offered the tool; `None` where it did not.
 */
offered_as: string | null, 
/**
 * Whether it offered the tool at once, and not behind a search.
 */
offered_at_once: boolean, 
/**
 * Tools of its own that it offered.
 */
own_tools: Array<string>, 
/**
 * Whether the call arrived.
 */
call_arrived: boolean, 
/**
 * Whether the answer came out letter for letter.
 */
answer_equal: boolean, 
/**
 * Whether it goes on when calls fail, until its model is done; null where that was not tried, since no call arrived or no answer
 * came out.
 */
goes_on_after_error: boolean | null, 
/**
 * Calls of the model beside those of the task.
 */
side_calls: number, 
/**
 * Whether something that it started outlived it, and had to be ended.
 */
outlived: boolean, 
/**
 * Hosts that it asked for and did not get.
 */
hosts_asked_for: Array<string>, 
/**
 * What is wrong, and what helps.
 */
traps: Array<Sentence>, };

/**
 * What an agent of somebody else's did beside its steps and calls: in one attempt, or in all of a run that ended.
 */
export type AgentConduct = { 
/**
 * Attempts that this is of.
 */
attempts: number, 
/**
 * What only the replies of its model tell; null where it asked a model of its own.
 */
asked: AgentCalls | null, 
/**
 * Seconds from the prompt to the first call of the model or a tool, the mean of the attempts with one; null where none had.
 */
startup_s: number | null, 
/**
 * Hosts that were asked for and not reached; null where nothing stood between it and the network, or nobody knows.
 */
hosts: Array<string> | null, 
/**
 * Whether these hosts may be those of attempts before this one, too.
 */
hosts_of_run: boolean, 
/**
 * Calls that came when their attempt was over, and were refused.
 */
after_end: number, 
/**
 * Attempts of which something outlived the agent, and had to be ended.
 */
outlived: number, 
/**
 * Attempts whose own file is not there or cannot be read: their hosts, late calls and what outlived them are unknown.
 */
unread: number, };

/**
 * A definition as a list has it.
 */
export type AgentRow = { 
/**
 * Its name.
 */
name: string, 
/**
 * How it is reached.
 */
kind: string, 
/**
 * The version that it was tried with.
 */
verified: string | null, 
/**
 * The form in which it asks its model.
 */
wire: string | null, 
/**
 * How it is installed.
 */
install: string | null, 
/**
 * Whether it can be run with a model and a key of its own.
 */
own_model: boolean, 
/**
 * Whether a run with it would be made in containers.
 */
contained: boolean, 
/**
 * What a run that is not made in containers says, or is refused with.
 */
remark: Sentence | null, 
/**
 * What the last check of this definition came to where a run would be made; null when there was none.
 */
checked: LastCheck | null, };

/**
 * How a call is answered in another state.
 */
export type AnswerChange = "added" | "removed" | "changed";

/**
 * One call that two states answer differently.
 */
export type AnswerDifference = { 
/**
 * How.
 */
change: AnswerChange, 
/**
 * Tool name.
 */
tool: string, 
/**
 * The canonical arguments.
 */
args: string, 
/**
 * In the earlier state.
 */
then: AnswerFrom | null, 
/**
 * In the later state.
 */
now: AnswerFrom | null, 
/**
 * Where the answers differ, when both are there.
 */
places: ValueChanges | null, };

/**
 * Calls to one tool, counted.
 */
export type AnswerDifferenceTool = { 
/**
 * Tool name.
 */
tool: string, 
/**
 * Answered alike.
 */
same: number, 
/**
 * Answered by the later state only.
 */
added: number, 
/**
 * Answered by the earlier state only.
 */
removed: number, 
/**
 * Answered differently.
 */
changed: number, };

/**
 * Where an answer comes from.
 */
export type AnswerFrom = { 
/**
 * Its key in the published layout.
 */
published_key: string, 
/**
 * When it was recorded, UTC.
 */
created_at: string, 
/**
 * Who asked; null for a pack's own records.
 */
origin: string | null, };

/**
 * What the answers are.
 */
export type AnswerScale = "yes_no" | "grades" | "mixed";

/**
 * Where the answer to a tool call came from.
 */
export type AnswerSource = "hit" | "miss" | "injected" | "refused" | "live" | "overlay";

/**
 * What the window needs to know at its start.
 */
export type AppInfo = { 
/**
 * Version of the product.
 */
version: string, 
/**
 * The workspace folder.
 */
home: string, 
/**
 * Language the system asks for: `ko` or `en`.
 */
language: string, 
/**
 * The run in progress, if there is one (after a reload of the window).
 */
current_run: string | null, };

/**
 * What stands in a place.
 */
export type Arg = number | string | { 
/**
 * The sentences.
 */
list: Array<Sentence>, 
/**
 * What stands between them.
 */
between: string, } | { text: string, args?: { [place: string]: Arg } };

/**
 * An argument beside the golden one.
 */
export type ArgumentBeside = { 
/**
 * Name.
 */
name: string, 
/**
 * Golden value; null as well when there is none, which `state` tells.
 */
golden: unknown, 
/**
 * The model's value, likewise.
 */
given: unknown, 
/**
 * How they compare.
 */
state: ArgumentState, };

/**
 * One argument in which two calls differ, after defaults and coercion.
 */
export type ArgumentDifference = { 
/**
 * Its name.
 */
name: string, 
/**
 * In what way.
 */
kind: DifferenceOfArgument, 
/**
 * The value that was asked for; null as well where the call lacks it.
 */
asked: unknown, 
/**
 * The recorded value; null as well where the record lacks it.
 */
recorded: unknown, };

/**
 * How an argument compares with the golden one.
 */
export type ArgumentState = "same" | "default" | "wrong" | "missing" | "extra";

/**
 * What a finding is about.
 */
export type Aspect = "tasks" | "tools" | "protocol" | "settings" | "recordings" | "coverage" | "attempts" | "scorer" | "judges";

/**
 * One attempt, sorted.
 */
export type AtlasAttempt = { 
/**
 * Position of its source.
 */
source: number, 
/**
 * Its level.
 */
level: Level, 
/**
 * Its task.
 */
task: string, 
/**
 * What it lost and why.
 */
sorted: AtlasSorted, };

/**
 * What the columns are.
 */
export type AtlasBy = "level" | "model";

/**
 * A cause there is.
 */
export type AtlasCause = { 
/**
 * The cause.
 */
id: AtlasCauseId, 
/**
 * Who it is attributed to.
 */
owner: CauseOwner, 
/**
 * What its rule must know.
 */
needs: CauseNeeds, };

/**
 * Why an attempt lost points. Declared in the order in which one of several causes comes first.
 */
export type AtlasCauseId = "timed_out" | "model_failed" | "stopped" | "repetition_failed" | "judge_failed" | "seeded_answer" | "empty_answer" | "step_limit" | "cut_off" | "cache_miss" | "tool_failed" | "bad_json" | "unknown_tool" | "argument_refused" | "fallback_unused" | "injection_unmet" | "asked_back" | "only_announced" | "gave_up" | "links_only" | "contradiction" | "asked_without_call" | "no_call" | "wrong_tool" | "missing_call" | "wrong_order" | "redundant_call" | "retried_failure" | "late_fallback" | "extra_call" | "tool_empty" | "wrong_argument" | "missing_argument" | "extra_argument" | "golden_differs" | "argument_form" | "default_argument" | "first_question" | "seeded_turn" | "seed_conflict" | "denied_though_backed" | "graded_against_log" | "judge_split";

/**
 * Which attempts to write, and how.
 */
export type AtlasExport = { 
/**
 * Reports or runs.
 */
ids: Array<string>, 
/**
 * The form.
 */
format: AtlasFormat, 
/**
 * Columns of the picture.
 */
by: AtlasBy, 
/**
 * Only these levels; empty for all.
 */
levels: Array<Level>, 
/**
 * Only attempts with one of these causes; empty for all attempts.
 */
causes: Array<AtlasCauseId>, 
/**
 * `ko` or `en`.
 */
language: string, };

/**
 * One cause with the place that shows it.
 */
export type AtlasFinding = { 
/**
 * The cause.
 */
cause: AtlasCauseId, 
/**
 * The call, by its 0-based place among the attempt's calls; null when it is not about one.
 */
call: number | null, 
/**
 * The 1-based step of that call, where the log has it.
 */
step: number | null, 
/**
 * The tool that was called, or the one that should have been.
 */
tool: string | null, 
/**
 * The argument.
 */
argument: string | null, 
/**
 * What should have been there, cut to 240 characters; null where nothing should.
 */
expected: string | null, 
/**
 * What was there, likewise.
 */
found: string | null, 
/**
 * The words that show it: of the answer, of an error, or of a judge.
 */
quote: string | null, 
/**
 * The lost metrics that it explains.
 */
metrics: Array<MetricId>, };

/**
 * In which form an atlas is written.
 */
export type AtlasFormat = "csv" | "json" | "markdown" | "svg";

/**
 * An item of another benchmark that was answered wrong.
 */
export type AtlasItem = { 
/**
 * Position of its source.
 */
source: number, 
/**
 * Its group.
 */
level: Level, 
/**
 * Its id.
 */
task: string, 
/**
 * What is wrong, in the benchmark's words; the metric's name where it has none.
 */
fault: string, 
/**
 * The benchmark's metric that says so.
 */
metric: string, 
/**
 * What else the benchmark says of it.
 */
more: string, };

/**
 * One metric of an attempt that is not at 1.
 */
export type AtlasLoss = { 
/**
 * The metric.
 */
metric: MetricId, 
/**
 * Its score.
 */
value: number, 
/**
 * The best score that was open, at most 1.
 */
best: number, 
/**
 * `best` less `value`, from 0 to 1.
 */
lost: number, 
/**
 * Why `best` is below 1; null when it is 1.
 */
unreachable: Unreachable | null, };

/**
 * An attempt, sorted.
 */
export type AtlasSorted = { 
/**
 * The outcome of it.
 */
state: AtlasState, 
/**
 * The metrics that it lost something of, or that could not have been reached; in report order.
 */
losses: Array<AtlasLoss>, 
/**
 * Metrics that have no score, because no judge said anything.
 */
unscored: Array<MetricId>, 
/**
 * Why, the first cause first; a cause stands here once for every place that shows it.
 */
findings: Array<AtlasFinding>, 
/**
 * Points lost, summed over the metrics.
 */
lost: number, 
/**
 * Of them those that a finding explains.
 */
explained: number, };

/**
 * A report or a run whose attempts were asked for.
 */
export type AtlasSource = { 
/**
 * Id as it was asked for: of a report, or of a run.
 */
id: string, 
/**
 * Whether it is a report; else it is a run of which only the log tells.
 */
is_report: boolean, 
/**
 * Model id.
 */
model: string, 
/**
 * The run whose transcripts can be read; null when it is not in the workspace.
 */
run: string | null, 
/**
 * By which rules it was scored.
 */
scorer: Protocol, 
/**
 * Whether judges said anything: without, causes that need their verdicts are never found.
 */
judged: boolean, 
/**
 * Results that cannot be read as tasks, in no count.
 */
skipped: number, 
/**
 * Why its attempts could not be sorted; null when they were.
 */
why_not: Sentence | null, 
/**
 * Items with a score, where it is of another benchmark than Ko-AgentBench: those that were answered wrong are among the items.
 */
items?: number, };

/**
 * The outcome of an attempt.
 */
export type AtlasState = "clean" | "capped" | "lossy";

/**
 * Attempts of one or several reports, sorted by why they lost points.
 */
export type AtlasView = { 
/**
 * What was asked for, in that order.
 */
sources: Array<AtlasSource>, 
/**
 * All causes, in the order in which one of several comes first.
 */
causes: Array<AtlasCause>, 
/**
 * Every attempt of every source, those that lost nothing too; by source, level and file order.
 */
attempts: Array<AtlasAttempt>, 
/**
 * What was answered wrong of other benchmarks, by source and file order.
 */
items: Array<AtlasItem>, };

/**
 * Attempts of a run.
 */
export type AttemptCounts = { 
/**
 * Those that were to be made.
 */
planned: number, 
/**
 * Those that ended.
 */
done: number, 
/**
 * Those that ended for technical reasons.
 */
failed: number, };

/**
 * One attempt in a strip.
 */
export type AttemptMark = { 
/**
 * 1-based repetition.
 */
repetition: number, 
/**
 * Whether it was made.
 */
made: boolean, 
/**
 * Whether it ended with an answer.
 */
answered: boolean, 
/**
 * Whether its conversation is in the run's files.
 */
kept: boolean, 
/**
 * The success of the attempt, SR: 1 or 0; null when nobody judged it.
 */
success: number | null, 
/**
 * Why there is none, or the technical reason for which the attempt ended.
 */
why: Sentence | null, };

/**
 * The tables of a benchmark's authors.
 */
export type BenchmarkTables = { 
/**
 * The benchmark's name, that of its packs.
 */
benchmark: string, 
/**
 * As its authors write it.
 */
title: string, 
/**
 * The tables, in their order.
 */
tables: Array<PrintedTable>, 
/**
 * Why there are none.
 */
no_tables?: Sentence, };

/**
 * A file that goes with an exported one.
 */
export type BesideFile = { 
/**
 * Name to propose.
 */
name: string, 
/**
 * Media type.
 */
media: string, 
/**
 * Its text.
 */
text: string, };

/**
 * What a reviewer says.
 */
export type BlindAnswer = { 
/**
 * Yes or no; null for grades, unsure and skipped.
 */
success: boolean | null, 
/**
 * Grade from 1 to 5; likewise.
 */
score: number | null, 
/**
 * The reviewer looked and cannot tell.
 */
unsure: boolean, 
/**
 * A note.
 */
note: string, };

/**
 * A question as its reviewer sees it: no model, no judge, no vote, no score.
 */
export type BlindQuestion = { 
/**
 * Place, from 1.
 */
number: number, 
/**
 * Metric that asks.
 */
metric: string, 
/**
 * Whether yes or no is asked, else a grade from 1 to 5.
 */
yes_no: boolean, 
/**
 * What to judge by.
 */
inputs: Array<ShownInput>, 
/**
 * The reviewer's answer so far.
 */
answer: BlindAnswer | null, };

/**
 * How the tool calls of a run were answered.
 */
export type BundleCacheFacts = { 
/**
 * `read` or `write`.
 */
mode: string, 
/**
 * The snapshot that was read in the place of the pack's recordings.
 */
snapshot: SnapshotRef | null, 
/**
 * Hash of the pack's recordings as the run wrote it down.
 */
records_sha256: string | null, 
/**
 * Cached responses.
 */
hit: number, 
/**
 * No cached response.
 */
miss: number, 
/**
 * Failures that tasks inject.
 */
injected: number, 
/**
 * Faulty calls.
 */
refused: number, 
/**
 * Real services and what is kept of their answers.
 */
live: number, 
/**
 * Share of the calls that looked a recording up which found one; null when none did.
 */
hit_rate: number | null, };

/**
 * What is looked at, in the order in which it is.
 */
export type BundleCheckName = "container" | "manifest" | "files" | "signature" | "pack" | "run" | "journal" | "logs" | "calls" | "verdicts" | "reports" | "subject" | "submission";

/**
 * A pack in hashes, SHA-256 in lower-case hex.
 */
export type BundlePackFacts = { 
/**
 * `name@version`.
 */
label: string, 
/**
 * Tasks in it.
 */
tasks: number, 
/**
 * Of all tasks.
 */
tasks_sha256: string, 
/**
 * Of all tools: a line for each with its name and hash.
 */
tools_sha256: string, 
/**
 * Of the judges' prompts; of another benchmark of all files of its pack, a line for each with its name and hash.
 */
prompts_sha256: string, };

/**
 * A run and its reports in short.
 */
export type BundleSubject = { 
/**
 * Model id as it was given.
 */
model: string, 
/**
 * `<model folder>/<YYYYMMDD_HHMMSS>`.
 */
run: string, 
/**
 * Protocol of the run; null where it was made elsewhere.
 */
protocol: Protocol | null, 
/**
 * Attempts a task; null likewise.
 */
repetitions: number | null, 
/**
 * Tasks of each level in the logs. By their names: a name is kept for good once it is a level's, and a manifest may say any.
 */
levels: { [key in Level]: number }, 
/**
 * By which rules there is a report.
 */
scorers: Array<Protocol>, 
/**
 * Judges of the reports, in their order.
 */
judges: Array<string>, 
/**
 * What the run was made with, in hashes.
 */
pack: BundlePackFacts, 
/**
 * How tool calls were answered; null where the run was made elsewhere.
 */
cache: BundleCacheFacts | null, 
/**
 * How a model inside the application ran; null for a model of a server, whose machine nobody knows.
 */
hardware: unknown, 
/**
 * When the last start of the run began, milliseconds since the Unix epoch; null where the run was made elsewhere.
 */
started_ms: number | null, 
/**
 * When it ended, likewise.
 */
ended_ms: number | null, };

/**
 * Where tool calls are answered from.
 */
export type CacheMode = "read" | "write";

/**
 * How long look-ups take.
 */
export type CacheTimes = { 
/**
 * Calls that were looked up.
 */
calls: number, 
/**
 * Median, microseconds.
 */
p50_us: number, 
/**
 * 99th percentile, microseconds.
 */
p99_us: number, 
/**
 * Longest, microseconds.
 */
max_us: number, };

/**
 * How the tool calls of a run were answered.
 */
export type CacheUse = { 
/**
 * Cached responses found.
 */
hit: number, 
/**
 * Not found.
 */
miss: number, 
/**
 * Injected failures.
 */
injected: number, 
/**
 * Faulty calls that never reached the cache.
 */
refused: number, 
/**
 * Not recorded, so that the live API was asked; failures of it included.
 */
live: number, 
/**
 * Not recorded, but kept in the user's overlay since the live API was asked.
 */
overlay: number, };

/**
 * How a run with cached responses only answers a call.
 */
export type CallAnswer = { "kind": "hit", 
/**
 * Its key in the published layout.
 */
key: string, 
/**
 * Whether it was recorded under an earlier definition of the tool.
 */
stale: boolean, 
/**
 * When, UTC.
 */
recorded_at: string, } | { "kind": "miss", 
/**
 * The key that a record of it would have.
 */
key: string, 
/**
 * The recorded call of the same tool that is most like it.
 */
nearest: NearestCall | null, } | { "kind": "refused", 
/**
 * Why.
 */
why: Sentence, } | { "kind": "injected", 
/**
 * What the model is told.
 */
message: string, };

/**
 * One call of a run beside what is recorded for it.
 */
export type CallDrift = { 
/**
 * Its place among the attempt's calls, from 0.
 */
call: number, 
/**
 * 1-based step; null where the log does not say.
 */
step: number | null, 
/**
 * Tool as the model wrote it.
 */
tool: string, 
/**
 * Arguments as the model gave them.
 */
arguments: unknown, 
/**
 * The outcome of its answer.
 */
kind: CallDriftKind, 
/**
 * What the model was told then, when it got no result.
 */
error: string | null, 
/**
 * Why there is no result now, when there is none.
 */
reason: Sentence | null, 
/**
 * When what is recorded for it was recorded, UTC; null when nothing is.
 */
recorded_at: string | null, 
/**
 * Who asked the live API for that; null for a pack's own records.
 */
origin: string | null, 
/**
 * Where the results differ.
 */
places: ValueChanges | null, };

/**
 * The outcome of the answer to a call.
 */
export type CallDriftKind = "same" | "differs" | "missing" | "found" | "still_missing" | "error_then" | "injected" | "not_kept";

/**
 * One call in the light of one metric.
 */
export type CallEvidence = { 
/**
 * The call, by its place among the task's calls.
 */
call: number, 
/**
 * What it did.
 */
effect: Effect, };

/**
 * How a run's tool calls were answered.
 */
export type CallFacts = { 
/**
 * How it is known.
 */
basis: CallsBasis, 
/**
 * The pack whose recordings the calls were looked up in; null for recorded ones.
 */
against: PackName | null, 
/**
 * Level by level.
 */
levels: Array<LevelCalls>, 
/**
 * The calls that found no answer, by task; equal calls of a task stand once.
 */
misses: Array<MissedCall>, };

/**
 * How a model call failed.
 */
export type CallFault = "unreachable" | "unauthorized" | "unknown_model" | "rate_limited" | "overloaded" | "http" | "bad_answer" | "embedded" | "offline" | "timed_out";

/**
 * What a look-up in a pack's cached responses found.
 */
export type CallLookup = { 
/**
 * The arguments after defaults and coercion; `null` when they were refused.
 */
args: unknown, 
/**
 * What a run would answer.
 */
answer: CallAnswer, 
/**
 * The cached response of a hit, else `null`.
 */
result: unknown, };

/**
 * Outcome of a call.
 */
export type CallOutcome = "answered" | "failed" | "left_out";

/**
 * What a call is to the golden path.
 */
export type CallPlace = "expected" | "out_of_order" | "fallback" | "repeat" | "extra" | "no_path";

/**
 * How it is known how calls were answered.
 */
export type CallsBasis = "recorded" | "reckoned";

/**
 * What a rule must know beyond the attempt's log.
 */
export type CauseNeeds = "log" | "verdicts";

/**
 * Who is responsible for a cause.
 */
export type CauseOwner = "model" | "technical" | "pack" | "service" | "protocol" | "judge";

/**
 * One thing that stands in the way, or is to be known.
 */
export type Caveat = { 
/**
 * What it is, by a name that stays.
 */
code: FindingCode, 
/**
 * What it is about.
 */
aspect: Aspect, 
/**
 * How much it weighs; `comparable` is a note that weighs nothing.
 */
grade: Grade, 
/**
 * Where in [`Facts`] it stands.
 */
place: string, 
/**
 * What it is, one sentence.
 */
reason: Sentence, 
/**
 * What to do about it, one sentence; empty for a note that asks for nothing.
 */
remedy: Sentence, };

/**
 * A task or tool that says something else.
 */
export type ChangedItem = { 
/**
 * Task id or tool name.
 */
name: string, 
/**
 * The fields that differ, on the top level.
 */
fields: Array<string>, };

/**
 * One thing that was looked at.
 */
export type Check = { 
/**
 * What.
 */
what: string, 
/**
 * Whether it works.
 */
ok: boolean, 
/**
 * What was found.
 */
found: Sentence, 
/**
 * What to do when it does not work; empty when it does.
 */
remedy: Sentence, };

/**
 * How models are named and which spelling the header has.
 */
export type CombinedNames = "published" | "leaderboard" | "plain";

/**
 * In which order the rows stand.
 */
export type CombinedOrder = "folder" | "name" | "success" | "given";

/** Every command: whether it sends events, its arguments, what it answers. */
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
  local_trial_start: { streams: false, args: { request: LocalTrialRequest }, answer: LocalTrial };
  agents_list: { streams: false, args: Record<string, never>, answer: Array<AgentRow> };
  agent_row: { streams: false, args: { agent: string }, answer: AgentRow };
  agent_check: { streams: false, args: { agent: string }, answer: AgentCheck };
  pack_removal: { streams: false, args: { name: string }, answer: PackRemoval };
  pack_remove: { streams: false, args: { name: string }, answer: null };
  drift: { streams: false, args: { run: string, against: string, task: string | null }, answer: RunDrift };
  run_start: { streams: true, args: { request: RunRequest }, answer: null };
  run_subscribe: { streams: true, args: { run: string }, answer: RunSnapshot };
  run_cancel: { streams: false, args: { run: string }, answer: null };
  run_pause: { streams: false, args: { run: string }, answer: null };
  run_unpause: { streams: false, args: { run: string }, answer: null };
  run_services: { streams: false, args: { request: RunRequest }, answer: Array<ServiceState> };
  cache_misses: { streams: false, args: { run: string }, answer: RunMisses };
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
  run_remote: { streams: false, args: { run: string, work: RemoteWork | null }, answer: RemoteRun };
  remote_plan: { streams: false, args: { request: RunRequest, how: RemoteRequest }, answer: RemotePlan };
  remote_submit: { streams: false, args: { request: RunRequest, how: RemoteRequest }, answer: RemoteRun };
  judging_resume: { streams: false, args: { run: string, how: RemoteRequest }, answer: RemoteRun };
  remote_cancel: { streams: false, args: { run: string, work: RemoteWork | null }, answer: RemoteRun };
  remote_log: { streams: false, args: { run: string, work: RemoteWork | null, shard: number }, answer: ShardLog };
  run_trash: { streams: false, args: { run: string }, answer: null };
  run_restore: { streams: false, args: { run: string }, answer: null };
  run_remark: { streams: false, args: { run: string, tags: Array<string>, note: string }, answer: RunSummary };
  runs_list: { streams: false, args: Record<string, never>, answer: Array<RunSummary> };
  run_judges: { streams: false, args: { run: string }, answer: RunJudges };
  run_evaluate: { streams: false, args: { request: EvaluateRequest }, answer: ReportView };
  reports_list: { streams: false, args: Record<string, never>, answer: Array<ReportView> };
  references: { streams: false, args: Record<string, never>, answer: ReferenceSet };
  references_remove: { streams: false, args: Record<string, never>, answer: Array<string> };
  report_standing: { streams: false, args: { id: string }, answer: ReferenceStanding };
  report_repetitions: { streams: false, args: { id: string }, answer: RepetitionsView };
  evaluate_estimate: { streams: false, args: { request: EvaluateRequest }, answer: EvaluatePlan };
  judges_default: { streams: false, args: Record<string, never>, answer: Array<DefaultJudge> };
  verdicts_of_task: { streams: false, args: { run: string, task: string }, answer: TaskVerdicts };
  verdict_override: { streams: false, args: { request: OverrideRequest }, answer: Array<OverrideRow> };
  verdict_override_remove: { streams: false, args: { removal: OverrideRemoval }, answer: Array<OverrideRow> };
  verdict_overrides: { streams: false, args: { run: string | null }, answer: Array<OverrideRow> };
  judge_lab: { streams: false, args: { request: LabRequest }, answer: LabView };
  judge_again_plan: { streams: false, args: { request: LabAskRequest }, answer: LabAskPlan };
  judge_again: { streams: false, args: { request: LabAskRequest }, answer: LabAskEnd };
  queue_make: { streams: false, args: { request: QueueRequest }, answer: QueueView };
  queues_list: { streams: false, args: Record<string, never>, answer: Array<QueueSummary> };
  queue_open: { streams: false, args: { id: string }, answer: QueueView };
  queue_answer: { streams: false, args: { id: string, number: number, answer: BlindAnswer | null }, answer: QueueSummary };
  queue_reveal: { streams: false, args: { id: string }, answer: QueueReveal };
  queue_estimate: { streams: false, args: { id: string }, answer: QueueEstimate };
  queue_apply: { streams: false, args: { id: string, by: string }, answer: QueueApplied };
  queue_remove: { streams: false, args: { id: string }, answer: null };
  queue_export: { streams: false, args: { id: string, format: string }, answer: QueueFile };
  queue_import: { streams: false, args: { path: string }, answer: QueueAnswered };
  fork_offer: { streams: false, args: { run: string, task: string, repetition: number | null, step: number }, answer: ForkOffer };
  fork_plan: { streams: false, args: { request: ForkRequest }, answer: ForkPlan };
  fork_start: { streams: false, args: { request: ForkRequest }, answer: ForkStarted };
  forks_list: { streams: false, args: { run: string | null, task: string | null }, answer: Array<ForkSummary> };
  fork_show: { streams: false, args: { id: string }, answer: ForkView };
  fork_rename: { streams: false, args: { id: string, name: string }, answer: ForkSummary };
  fork_trash: { streams: false, args: { id: string }, answer: null };
  fork_restore: { streams: false, args: { id: string }, answer: null };
  run_tasks: { streams: false, args: { run: string }, answer: Array<RunTask> };
  run_conduct: { streams: false, args: { run: string }, answer: AgentConduct | null };
  transcript: { streams: false, args: { run: string, task: string, report: string | null, repetition: number | null }, answer: Transcript };
  transcript_raw: { streams: false, args: { run: string, task: string, repetition: number | null }, answer: RawTranscript };
  report_show: { streams: false, args: { run: string }, answer: ReportView | null };
  model_check: { streams: false, args: { model: string, base_url: string | null }, answer: null };
  reports_library: { streams: false, args: Record<string, never>, answer: Array<ReportRow> };
  report_detail: { streams: false, args: { id: string }, answer: ReportDetail };
  report_comparability: { streams: false, args: { id: string }, answer: Comparability };
  run_comparability: { streams: false, args: { run: string }, answer: Comparability };
  report_facts: { streams: false, args: { id: string }, answer: ReportFacts };
  imported_reports: { streams: false, args: Record<string, never>, answer: Array<RunReport> };
  other_instructions: { streams: false, args: { ids: Array<string> }, answer: Array<OtherInstructions> };
  report_remark: { streams: false, args: { id: string, tags: Array<string>, note: string }, answer: ReportRow };
  report_delete: { streams: false, args: { id: string }, answer: string };
  report_restore: { streams: false, args: { deleted: string }, answer: string };
  reports_combined: { streams: false, args: { ids: Array<string>, names: CombinedNames, order: CombinedOrder }, answer: ReportFile };
  report_export: { streams: false, args: { id: string, format: ReportFormat, language: string }, answer: ReportFile };
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

/**
 * What is known of a run or report, and how it stands to the published leaderboard, which is judged anew when it is read.
 */
export type Comparability = { 
/**
 * What is known.
 */
facts: Facts, 
/**
 * Against the published leaderboard.
 */
leaderboard: Judgement, };

/**
 * Reports side by side.
 */
export type CompareView = { 
/**
 * The reports in the order asked for; all lists of the matrix have this order.
 */
reports: Array<ComparedReport>, 
/**
 * In what they differ beside the model.
 */
differences: Array<Difference>, 
/**
 * Their numbers.
 */
matrix: Comparison, };

/**
 * Whose answers are compared.
 */
export type Compared = "judges" | "votes";

/**
 * A composite score.
 */
export type ComparedComposite = { 
/**
 * Name of the variant.
 */
variant: string, 
/**
 * What it counts.
 */
reading: Sentence, 
/**
 * Its values.
 */
values: ComparedValues, };

/**
 * A level.
 */
export type ComparedLevel = { 
/**
 * The level.
 */
level: Level, 
/**
 * The mean of the level's own metrics that the published reports have; the common ones (SR and others) are not in it.
 */
own: ComparedValues, 
/**
 * All metrics that any of the reports has.
 */
metrics: Array<ComparedMetric>, };

/**
 * A metric of a level.
 */
export type ComparedMetric = { 
/**
 * The metric.
 */
metric: MetricId, 
/**
 * Its means.
 */
means: ComparedValues, };

/**
 * One of the reports.
 */
export type ComparedReport = { 
/**
 * Report id.
 */
id: string, 
/**
 * Model id.
 */
model: string, 
/**
 * What it is called beside the others: its model, or its id where it names none or another one
 * has the same.
 */
name: string, 
/**
 * Date of the run; `null` when the file does not say.
 */
execution_date: string | null, 
/**
 * Its run in the workspace, whose transcripts can be read; `null` when it is not there.
 */
run: string | null, 
/**
 * Whether it has scores of single tasks.
 */
has_tasks: boolean, 
/**
 * Tokens a task, mean over all tasks; `null` when not known for every level.
 */
tokens_per_task: number | null, 
/**
 * Seconds a task, likewise.
 */
seconds_per_task: number | null, 
/**
 * How it can be compared.
 */
standing: Standing, 
/**
 * USD of the whole run: what was spent, else what its tokens cost by the price table.
 */
usd: number | null, 
/**
 * Whether `usd` is what was spent, rather than computed from the price table.
 */
usd_spent: boolean, 
/**
 * Why there is no cost.
 */
usd_reason: Sentence | null, };

/**
 * A task that any of the reports has.
 */
export type ComparedTask = { 
/**
 * Its level.
 */
level: Level, 
/**
 * Its id.
 */
task: string, 
/**
 * Scores, metric by metric.
 */
metrics: Array<TaskScores>, };

/**
 * One number of each report.
 */
export type ComparedValues = { 
/**
 * The number; null when the report does not have it.
 */
values: Array<number | null>, 
/**
 * Why it has none, where it has none.
 */
reasons: Array<Sentence | null>, 
/**
 * The number's 95 % confidence interval; null when it has none.
 */
intervals: Array<Interval | null>, 
/**
 * Why there is no interval although there is a number.
 */
no_interval: Array<Sentence | null>, 
/**
 * The number less the first report's; null where either is missing.
 */
deltas: Array<number | null>, 
/**
 * Whether it is the highest; none is when all that are there are equal, or only one is there.
 */
best: Array<boolean>, };

/**
 * Reports side by side.
 */
export type Comparison = { 
/**
 * Levels that any of the reports has.
 */
levels: Array<ComparedLevel>, 
/**
 * Composite scores, [`CompositeVariant::SHOWN`] first.
 */
composites: Array<ComparedComposite>, 
/**
 * Rank of each report under the first composite, 1 the best; equal scores share a rank, reports without have none.
 */
ranks: Array<number | null>, 
/**
 * Tasks by level and id.
 */
tasks: Array<ComparedTask>, 
/**
 * Tasks won and lost, by level, metric and report.
 */
duels: Array<Duel>, };

/**
 * The composite score in one reading.
 */
export type CompositeFigure = { 
/**
 * Name of the reading, such as `flat_seed`.
 */
variant: string, 
/**
 * What it counts, one sentence.
 */
reading: Sentence, 
/**
 * The value with what people said instead of judges; null when nobody did.
 */
overridden: Figure | null, 
/**
 * Its interval; nothing where none was drawn, as in a list.
 */
range?: ScoreRange, 
/**
 * Its four parts; empty where the report's file does not hold all metrics of the reading.
 */
parts: Array<PartFigure>, 
/**
 * The number.
 */
value: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * Where a model computes.
 */
export type ComputeDevice = "auto" | "cpu" | "cuda" | "metal" | "vulkan";

/**
 * What the tests of two reports come to.
 */
export type Conclusion = { 
/**
 * By the figure that leads.
 */
verdict: PairVerdict, 
/**
 * The table in which that figure stands; null when nothing is tested.
 */
family: Family | null, 
/**
 * All of it in words.
 */
sentence: Sentence, };

/**
 * A provider at an address, under a name of the user's. Its key is the provider's.
 */
export type Connection = { 
/**
 * What stands before the slash in its models' ids: lower-case letters, digits, `-`, `_` and `.`.
 */
name: string, 
/**
 * The provider as the registry names it, such as `openai_compat` or `ollama`.
 */
provider: string, 
/**
 * Its address; `null` means the provider's own.
 */
base_url: string | null, 
/**
 * Models that are offered, as the server names them.
 */
models: Array<string>, };

/**
 * Types of `koab-core` that the UI uses; named here so that they are generated with the rest.
 */
export type CoreTypes = { 
/**
 * Events of a run.
 */
event: RunEvent, 
/**
 * Plan of a level.
 */
plan: LevelPlan, 
/**
 * Outcome of a run.
 */
outcome: RunOutcome, 
/**
 * Why an attempt stopped.
 */
stop: StopReason, };

/**
 * What a run cost.
 */
export type CostFigure = { 
/**
 * USD.
 */
usd: number | null, 
/**
 * Whether it is computed from the tokens and the price list of today instead of counted in the run.
 */
computed: boolean, 
/**
 * Why there is no number.
 */
reason: Sentence | null, };

/**
 * The run under way.
 */
export type CurrentRun = { 
/**
 * The id under which it was asked for.
 */
run: string, 
/**
 * Its id in the list of runs; null until its folder is made.
 */
id: string | null, 
/**
 * `provider/model`; empty for a run that goes on, until its first event.
 */
model: string, 
/**
 * Whether the user holds it.
 */
paused: boolean, 
/**
 * Whether its attempts are over and it is being scored.
 */
scoring: boolean, 
/**
 * The collector that gets its spans; null when nobody does, and until it has begun.
 */
spans_to: string | null, 
/**
 * What the user is to carry to a program of their own now; null where nothing waits for that.
 */
by_hand: HandTask | null, };

/**
 * A judge of the default panel.
 */
export type DefaultJudge = { 
/**
 * `provider/model`.
 */
id: string, 
/**
 * Name of the key that it needs.
 */
key: string, 
/**
 * Whether that key is there.
 */
present: boolean, };

/**
 * Something in which the reports differ.
 */
export type Difference = { 
/**
 * What differs.
 */
what: DifferenceKind, 
/**
 * What each report has; `null` where it does not say.
 */
values: Array<string | null>, };

/**
 * What reports can differ in, so that their numbers mean different things.
 */
export type DifferenceKind = "scorer" | "protocol" | "pack" | "judges" | "levels" | "tasks" | "evaluated";

/**
 * In what way an argument differs.
 */
export type DifferenceOfArgument = "value" | "missing" | "extra";

/**
 * How far the attempts at single tasks disagree.
 */
export type Disagreement = { 
/**
 * Tasks of which some attempts succeeded and some did not.
 */
tasks: Array<string>, 
/**
 * Tasks with at least two scored attempts.
 */
of: number, 
/**
 * The share of the one in the other; null without any.
 */
share: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, 
/**
 * Its interval, Wilson's.
 */
range: ScoreRange, };

/**
 * A call that a task of a draft states.
 */
export type DraftCall = { 
/**
 * Where it stands, such as `golden_action[0]`.
 */
place: string, 
/**
 * Tool name.
 */
tool: string, 
/**
 * Arguments as JSON text.
 */
arguments: string, 
/**
 * Arguments that hold a placeholder for what a step before answers; such a call is never found.
 */
placeholders: Array<string>, 
/**
 * What a run would answer.
 */
answer: CallAnswer, };

/**
 * A change to a draft.
 */
export type DraftChange = { "kind": "head", 
/**
 * All of it.
 */
head: DraftHead, } | { "kind": "take_prompts", 
/**
 * Name or label of the pack.
 */
pack: string, } | { "kind": "add_task", 
/**
 * Its level.
 */
level: Level, 
/**
 * The task before it.
 */
after: number | null, } | { "kind": "put_task", 
/**
 * Which.
 */
key: number, 
/**
 * Its level.
 */
level: Level, 
/**
 * Its object, as far as it has been written.
 */
text: string, } | { "kind": "add_tool", 
/**
 * The tool before it.
 */
after: number | null, } | { "kind": "bring_tools", 
/**
 * Name or label of the pack.
 */
pack: string, 
/**
 * Their names; those that the draft has already are left out.
 */
tools: Array<string>, } | { "kind": "put_tool", 
/**
 * Which.
 */
key: number, 
/**
 * Its definition, as far as it has been written.
 */
text: string, } | { "kind": "put_record", 
/**
 * Tool name.
 */
tool: string, 
/**
 * Arguments as a model would write them.
 */
arguments: string, 
/**
 * What is answered, JSON.
 */
response: string, } | { "kind": "remove_record", 
/**
 * Tool name.
 */
tool: string, 
/**
 * Arguments of the call.
 */
arguments: string, } | { "kind": "duplicate", 
/**
 * Which.
 */
key: number, } | { "kind": "remove", 
/**
 * Which.
 */
key: number, } | { "kind": "restore", 
/**
 * Which.
 */
key: number, } | { "kind": "move", 
/**
 * Which.
 */
key: number, 
/**
 * The one before it.
 */
after: number | null, };

/**
 * The outcome of a change.
 */
export type DraftChanged = { "kind": "kept", 
/**
 * The draft's revision from now on.
 */
revision: number, 
/**
 * The task or tool that was added or changed, checked.
 */
item: DraftItemView | null, } | { "kind": "refused", 
/**
 * What, at the fields `arguments` and `response`.
 */
problems: Array<Finding<Fault>>, } | { "kind": "stale", 
/**
 * Its revision.
 */
revision: number, };

/**
 * What differs between a pack and a draft.
 */
export type DraftChanges = { 
/**
 * Tasks, by their ids.
 */
tasks: ItemChanges, 
/**
 * Tools, by their names.
 */
tools: ItemChanges, 
/**
 * Whether the judge prompts differ.
 */
judge_prompts: boolean, 
/**
 * Whether title, source or licence differ.
 */
head: boolean, 
/**
 * Cached responses that were added, corrected or taken away by hand.
 */
records: number, };

/**
 * A task, tool or the whole of a draft with something wrong.
 */
export type DraftFinding = { 
/**
 * The task or tool; `null` for the whole.
 */
key: number | null, 
/**
 * Task id or tool name; empty for the whole, and while there is none.
 */
name: string, 
/**
 * Whether it is a tool.
 */
tool: boolean, 
/**
 * What is wrong.
 */
problem: Finding<Fault>, };

/**
 * What a draft begins with.
 */
export type DraftFrom = { "kind": "example" } | { "kind": "copy", 
/**
 * Name or label of the pack.
 */
pack: string, } | { "kind": "tools", 
/**
 * Name or label of the pack.
 */
pack: string, 
/**
 * Names of the tools.
 */
tools: Array<string>, };

/**
 * What a draft says about the pack that it becomes.
 */
export type DraftHead = { 
/**
 * One line for people.
 */
title: string, 
/**
 * Where the data comes from.
 */
source: string, 
/**
 * Licence of the data, as an SPDX expression.
 */
licence: string, };

/**
 * A task or tool of a draft in full.
 */
export type DraftItemView = { 
/**
 * Names it in every command.
 */
key: number, 
/**
 * Level of a task; `null` for a tool.
 */
level: Level | null, 
/**
 * As it was written.
 */
text: string, 
/**
 * What is wrong with it.
 */
problems: Array<Finding<Fault>>, 
/**
 * The calls that a task states, and what a run would answer them.
 */
calls: Array<DraftCall>, 
/**
 * The outcome of the cached responses of a tool that was reworded; `null` where nothing did.
 */
impact: ToolImpact | null, };

/**
 * Own packs and drafts of the workspace.
 */
export type DraftList = { 
/**
 * Drafts, by name.
 */
drafts: Array<DraftSummary>, 
/**
 * Packs that were saved here and are installed, by name.
 */
own: Array<OwnPack>, };

/**
 * A draft as the editor shows it.
 */
export type DraftOpened = { 
/**
 * Name of the pack that it becomes.
 */
name: string, 
/**
 * Revision that a change has to name.
 */
revision: number, 
/**
 * Label of the pack that it goes on from.
 */
base: string | null, 
/**
 * Number of the version that saving makes.
 */
next_version: number, 
/**
 * Whether it says something else than the pack that it goes on from.
 */
changed: boolean, 
/**
 * What it says about itself.
 */
head: DraftHead, 
/**
 * Judge prompts, YAML text.
 */
judge_prompts: string, 
/**
 * Its tasks, in their order.
 */
tasks: Array<DraftTaskRow>, 
/**
 * Its tools, in their order.
 */
tools: Array<DraftToolRow>, 
/**
 * What is wrong with the whole.
 */
problems: Array<Finding<Fault>>, };

/**
 * A cached response of a tool of a draft.
 */
export type DraftRecordRow = { 
/**
 * Arguments after defaults and coercion, as JSON text.
 */
arguments: string, 
/**
 * Whether it was written by hand since the last version.
 */
own: boolean, 
/**
 * Whether its key is that of an earlier definition of the tool.
 */
stale: boolean, 
/**
 * When it was recorded, UTC.
 */
recorded_at: string, };

/**
 * Cached responses of a tool of a draft.
 */
export type DraftRecords = { 
/**
 * All that fit the search.
 */
count: number, 
/**
 * The first of them; those written by hand come first.
 */
rows: Array<DraftRecordRow>, };

/**
 * A draft to be begun.
 */
export type DraftRequest = { 
/**
 * Name of the pack that it becomes.
 */
name: string, 
/**
 * What it begins with.
 */
from: DraftFrom, };

/**
 * What saving a draft would do.
 */
export type DraftReview = { 
/**
 * The revision that was looked at.
 */
revision: number, 
/**
 * Number of the version that saving makes.
 */
next_version: number, 
/**
 * Label of the pack that the changes are told against; `null` where everything is new.
 */
base: string | null, 
/**
 * What differs.
 */
changes: DraftChanges, 
/**
 * Everything that is wrong; what keeps it from being saved comes first.
 */
findings: Array<DraftFinding>, 
/**
 * Whether it can be saved.
 */
sound: boolean, 
/**
 * Tools whose cached responses go stale.
 */
impacts: Array<ToolImpact>, 
/**
 * Calls of all golden paths.
 */
calls: number, 
/**
 * Those of them that a cached response answers.
 */
answered: number, };

/**
 * The outcome of the wish to save a draft.
 */
export type DraftSaved = { "kind": "saved", 
/**
 * The pack as it is installed.
 */
pack: PackSummary, 
/**
 * SHA-256 of everything in it.
 */
sha256: string, } | { "kind": "refused", 
/**
 * What.
 */
findings: Array<DraftFinding>, } | { "kind": "same", 
/**
 * That version.
 */
version: string, } | { "kind": "stale", 
/**
 * Its revision.
 */
revision: number, };

/**
 * A draft in the list.
 */
export type DraftSummary = { 
/**
 * Name of the pack that it becomes.
 */
name: string, 
/**
 * One line for people.
 */
title: string, 
/**
 * Label of the pack that it goes on from; `null` for one that began empty.
 */
base: string | null, 
/**
 * Number of the version that saving makes.
 */
next_version: number, 
/**
 * Whether it says something else than the pack that it goes on from.
 */
changed: boolean, 
/**
 * Its tasks.
 */
tasks: number, 
/**
 * Its tools.
 */
tools: number, 
/**
 * When it was changed last, UTC, ISO 8601.
 */
changed_at: string, };

/**
 * A task of a draft in the list.
 */
export type DraftTaskRow = { 
/**
 * Names it in every command, whatever its id becomes.
 */
key: number, 
/**
 * Its level.
 */
level: Level, 
/**
 * Task id; empty while there is none.
 */
id: string, 
/**
 * What the user asks.
 */
instruction: string, 
/**
 * The tools that it names.
 */
tools: Array<string>, 
/**
 * What keeps the draft from being saved.
 */
errors: number, 
/**
 * What is wrong and can stay so.
 */
warnings: number, 
/**
 * Calls of the golden path, or of the conversation where there is none; injected failures left out.
 */
calls: number, 
/**
 * Those of them that a cached response answers.
 */
answered: number, };

/**
 * A tool of a draft in the list.
 */
export type DraftToolRow = { 
/**
 * Names it in every command, whatever it is called.
 */
key: number, 
/**
 * Tool name; empty while there is none.
 */
name: string, 
/**
 * Description shown to the model.
 */
description: string, 
/**
 * Its definition as JSON text, for forms of calls; empty while it cannot be read.
 */
parameters: string, 
/**
 * What keeps the draft from being saved.
 */
errors: number, 
/**
 * What is wrong and can stay so.
 */
warnings: number, 
/**
 * Tasks that name it.
 */
used_by: number, 
/**
 * Cached responses of the pack that the draft goes on from.
 */
records: number, 
/**
 * Cached responses that were written by hand since.
 */
own_records: number, };

/**
 * Tasks of a level by how they stand.
 */
export type DriftCounts = { 
/**
 * The level.
 */
level: Level, 
/**
 * Published.
 */
published: number, 
/**
 * In the pack.
 */
in_pack: number, 
/**
 * In both, with the same tools.
 */
same: number, 
/**
 * In both, with other tools.
 */
other_tools: number, 
/**
 * In both, at another level of the pack.
 */
other_level: number, 
/**
 * Not in the pack.
 */
only_published: number, 
/**
 * Not published.
 */
only_in_pack: number, };

/**
 * One task of either side, or of both.
 */
export type DriftRow = { 
/**
 * How it stands.
 */
standing: DriftStanding, 
/**
 * Its level as published; the pack's where it is not published.
 */
level: Level, 
/**
 * Its level in the pack; `null` where the pack does not have it.
 */
pack_level: Level | null, 
/**
 * Its id in the pack, which what is published does not say; `null` where the pack does not have it.
 */
task: string | null, 
/**
 * What the user asks.
 */
instruction: string, 
/**
 * Tools as published; `null` where it is not published.
 */
published_tools: Array<string> | null, 
/**
 * Tools in the pack; `null` where the pack does not have it.
 */
pack_tools: Array<string> | null, };

/**
 * How a published task stands to a pack, or a pack's task to what is published.
 */
export type DriftStanding = "same" | "other_tools" | "other_level" | "only_published" | "only_in_pack";

/**
 * Calls, counted.
 */
export type DriftTotals = { 
/**
 * All of them.
 */
calls: number, 
/**
 * The same result.
 */
same: number, 
/**
 * Another result.
 */
differs: number, 
/**
 * There was a result, and now there is none.
 */
missing: number, 
/**
 * There was no cached response, and now there is one.
 */
found: number, 
/**
 * There was no cached response, and there is none now.
 */
still_missing: number, 
/**
 * The call failed then.
 */
error_then: number, 
/**
 * The task injected a failure.
 */
injected: number, 
/**
 * The run does not keep the result.
 */
not_kept: number, };

/**
 * What a run would do.
 */
export type DryRun = { 
/**
 * `name@version`.
 */
pack: string, 
/**
 * Model id.
 */
model: string, 
/**
 * Attempts in all.
 */
attempts: number, 
/**
 * By level.
 */
levels: Array<DryRunLevel>, 
/**
 * What all of it is expected to take; `None` for a baseline, which asks nobody, and where that is not known of a part.
 */
estimate: Estimate | null, 
/**
 * What the judges that are named for its scoring are expected to take, by the questions of the published runs; of a pack of requests the most that they can be asked.
 */
judges: Array<JudgeEstimate>, 
/**
 * Where the time limit is too short for the model's speed here, as far as that is known.
 */
short_limit?: ShortLimit, 
/**
 * Whether a task is one request, so that there are no golden calls to look up.
 */
is_request?: boolean, };

/**
 * What a run would do in one level.
 */
export type DryRunLevel = { 
/**
 * The level.
 */
level: Level, 
/**
 * Tasks.
 */
tasks: number, 
/**
 * Calls of the golden paths, or of the conversations where there are none, that can be looked up: without those of
 * which an argument is a placeholder, those that the task makes fail, and those that their tool refuses.
 */
golden_calls: number, 
/**
 * Calls of the same paths with a placeholder: what they ask is known only when the call before has been answered.
 */
golden_open: number, 
/**
 * Tasks of which at least one of the calls that can be looked up has no cached response, or that make a tool fail
 * while none of their fallbacks has one.
 */
golden_missing: Array<string>, 
/**
 * What it is expected to take.
 */
estimate: Estimate | null, };

/**
 * The numbers of weights that are not quantized.
 */
export type Dtype = "auto" | "float16" | "bfloat16" | "float32";

/**
 * How often a report did better than the first one, over the tasks of a level, under one metric.
 */
export type Duel = { 
/**
 * The level.
 */
level: Level, 
/**
 * The metric.
 */
metric: MetricId, 
/**
 * Position of the report that is compared with the first, 1 or more.
 */
report: number, 
/**
 * Tasks with a higher score than the first report's.
 */
wins: number, 
/**
 * Tasks with a lower one.
 */
losses: number, 
/**
 * Tasks with the same.
 */
ties: number, 
/**
 * Tasks that one of the two has no score for.
 */
missing: number, };

/**
 * What a call did to a score.
 */
export type Effect = "for" | "against" | "seen";

/**
 * What an effect size is.
 */
export type EffectKind = "cohen_g" | "standardized";

/**
 * A log that was removed.
 */
export type EgressCleared = { 
/**
 * Requests that were in it.
 */
requests: number, };

/**
 * What a request is for.
 */
export type EgressPurpose = "model" | "judge" | "scenario" | "pack" | "archive" | "weights" | "benchmark" | "service" | "page" | "collector" | "engine" | "image" | "link" | "update";

/**
 * Requests of one minute to one host for one purpose.
 */
export type EgressRow = { 
/**
 * The first of them, UTC, `2026-11-21T09:30:00.000Z`.
 */
from: string, 
/**
 * The last of them.
 */
to: string, 
/**
 * Host, with its port where that is not the usual one.
 */
host: string, 
/**
 * What for.
 */
purpose: EgressPurpose, 
/**
 * How many, refused ones included.
 */
requests: number, 
/**
 * How many of them were refused because koab was offline.
 */
refused: number, };

/**
 * What has left this computer.
 */
export type EgressView = { 
/**
 * The newest first.
 */
rows: Array<EgressRow>, 
/**
 * Requests in all, refused ones and those of rows that are left out included.
 */
requests: number, 
/**
 * How many of them were refused because koab was offline.
 */
refused: number, 
/**
 * Since when the log tells, UTC; `null` where it is empty.
 */
since: string | null, 
/**
 * Older rows that are there and not here.
 */
left_out: number, 
/**
 * Lines of the log that cannot be read.
 */
unreadable: number, 
/**
 * Requests of this process that could not be written down, for one because the disk was full.
 */
unwritten: number, 
/**
 * Where the log lies.
 */
folder: string, };

/**
 * A run of this process that is over.
 */
export type EndedRun = { 
/**
 * The id under which it was asked for.
 */
run: string, 
/**
 * Its id in the list of runs; null when it did not begin.
 */
id: string | null, 
/**
 * `provider/model`.
 */
model: string, 
/**
 * How it ended; null when it could not begin.
 */
outcome: RunOutcome | null, 
/**
 * Why it could not begin, or why it could not be scored.
 */
error: WireError | null, 
/**
 * Ids of the reports that were made of it.
 */
reports: Array<string>, 
/**
 * The outcome of its spans; null when nobody was to get any.
 */
spans: SpanDelivery | null, };

/**
 * An engine by its name.
 */
export type EngineKind = "slurm" | "kubernetes";

/**
 * Kinds of errors that the UI treats differently.
 */
export type ErrorCode = "bad_request" | "not_found" | "no_workspace" | "no_pack" | "model_unreachable" | "no_access" | "offline" | "docker_unavailable" | "storage" | "bad_file" | "busy" | "cancelled" | "signed_out" | "disconnected" | "internal";

/**
 * What something is expected to take.
 */
export type Estimate = { 
/**
 * Model calls.
 */
calls: number, 
/**
 * Prompt tokens.
 */
prompt_tokens: number, 
/**
 * Completion tokens.
 */
completion_tokens: number, 
/**
 * USD; null when the model's price is not known.
 */
usd: number | null, 
/**
 * Minutes at the run's concurrency; null where the model's speed is not known.
 */
minutes: number | null, 
/**
 * Where the figures come from.
 */
from: Sentence, };

/**
 * A mean with its 95 % interval.
 */
export type EstimatedMean = { 
/**
 * The estimate, from 0 to 1.
 */
value: number, 
/**
 * Lower end.
 */
low: number, 
/**
 * Upper end.
 */
high: number, };

/**
 * What a scoring would ask.
 */
export type EvaluatePlan = { 
/**
 * Run id.
 */
run: string, 
/**
 * Levels with a log.
 */
levels: Array<Level>, 
/**
 * Attempts a task that judges are asked about: all that the run made, unless only the first are wanted.
 */
attempts: number, 
/**
 * A judge each; empty when nobody would be asked.
 */
judges: Array<JudgeEstimate>, 
/**
 * USD of all judges; null when the price of one that would be asked is not known.
 */
usd: number | null, 
/**
 * Where the token figures come from.
 */
from: Sentence, 
/**
 * Why nobody would be asked, or what else is to be known.
 */
notes: Array<Sentence>, };

/**
 * How to score a run.
 */
export type EvaluateRequest = { 
/**
 * Run id.
 */
run: string, 
/**
 * `leaderboard` or `corrected`.
 */
scorer: Protocol, 
/**
 * Judge models `provider/model`; empty means no judge, and judge metrics stay unscored.
 */
judges: Array<string>, 
/**
 * Base URL for judges behind a server.
 */
judge_base_url: string | null, 
/**
 * How judges inside the application run.
 */
judge_local?: LocalSettings, 
/**
 * USD that the judges may cost.
 */
max_cost?: number, 
/**
 * Tokens that the judges may take.
 */
max_total_tokens?: number, };

/**
 * Something that is known, or why it is not.
 */
export type Fact<T> = { 
/**
 * What is known; null when nothing is.
 */
value: T | null, 
/**
 * Why nothing is known, one sentence fragment.
 */
reason: Sentence | null, };

/**
 * All that decides whether numbers can be compared.
 */
export type Facts = { 
/**
 * Model id.
 */
model: string, 
/**
 * The pack by name.
 */
pack: Fact<PackName>, 
/**
 * Hash of the pack's tasks ([`koab_core::pack_identity::tasks_sha256`]).
 */
tasks_sha256: Fact<string>, 
/**
 * Hash of the pack's cached responses.
 */
records_sha256: Fact<string>, 
/**
 * The tools that could be offered, each with the hash of its name, description and schema.
 */
tools: Fact<{ [key in string]: string }>, 
/**
 * How the run was started.
 */
settings: Fact<RunSettings>, 
/**
 * Where its tool calls were answered from.
 */
cache: Fact<RecordingsUsed>, 
/**
 * The tasks that were run; of a report, those that were scored.
 */
tasks: Fact<Array<LevelTasks>>, 
/**
 * Its attempts.
 */
attempts: Fact<AttemptCounts>, 
/**
 * Attempts of which a prompt left something of the conversation out, since the model's context
 * was full. Runs of earlier versions do not say it.
 */
shortened: number, 
/**
 * How its tool calls were answered.
 */
calls: Fact<CallFacts>, 
/**
 * How it was scored; null for a run alone.
 */
scoring: Scoring | null, };

/**
 * Figures that are shown in one table and corrected together.
 */
export type Family = "metrics" | "levels" | "composites" | "common";

/**
 * The figures of a family.
 */
export type FamilyTests = { 
/**
 * Which.
 */
family: Family, 
/**
 * All of them, in report order.
 */
tests: Array<PairTest>, };

/**
 * What can be wrong with data, by a name that stays.
 */
export type Fault = "unnamed" | "unreadable" | "not_json" | "missing" | "form" | "taken" | "unknown_tool" | "placeholder" | "arguments" | "changed" | "count" | "records";

/**
 * Who a fault is attributed to. Ours never look like the model's.
 */
export type FaultOwner = "model" | "task" | "pack" | "service";

/**
 * A number that may not exist.
 */
export type Figure = { 
/**
 * The number.
 */
value: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * What a fill did.
 */
export type FillEnd = { 
/**
 * The run.
 */
run: string, 
/**
 * What the kept answers say of their origin.
 */
origin: string, 
/**
 * Different calls that were to be asked for, those without keys included.
 */
calls: number, 
/**
 * Answers that were kept.
 */
recorded: number, 
/**
 * Calls that a service did not answer, or answered with an error.
 */
failed: number, 
/**
 * Calls that were not asked for, because a key is missing.
 */
without_keys: number, 
/**
 * Calls that were not asked for, because it was stopped.
 */
stopped: number, 
/**
 * By tool.
 */
tools: Array<FilledTool>, 
/**
 * Tasks of which at least one missed call is answered now: those that are worth making again.
 */
tasks: Array<string>, };

/**
 * Why calls got no answer.
 */
export type FillError = { 
/**
 * One sentence, without keys.
 */
message: Sentence, 
/**
 * Calls.
 */
calls: number, };

/**
 * What a fill would do: every different call once.
 */
export type FillPlan = { 
/**
 * The run.
 */
run: string, 
/**
 * `name@version` of the pack beside which answers are kept.
 */
pack: string, 
/**
 * Different calls that services can be asked for.
 */
calls: number, 
/**
 * Those of them whose service has all its keys.
 */
ready: number, 
/**
 * Different calls that are kept or recorded already.
 */
answered: number, 
/**
 * Different calls that the tool's schema refuses now.
 */
refused: number, 
/**
 * Different calls to tools behind which there is no service.
 */
no_service: number, 
/**
 * The services, by name.
 */
services: Array<FillService>, };

/**
 * What is to be asked of the live APIs.
 */
export type FillRequest = { 
/**
 * The run whose misses are to be filled, by id.
 */
run: string, 
/**
 * Only those of these tasks; none means all.
 */
tasks?: Array<string>, 
/**
 * Services whose keys are missing are left out, instead of everything.
 */
without_keys: boolean, };

/**
 * What a fill would ask of one service.
 */
export type FillService = { 
/**
 * The service and its keys.
 */
service: ServiceState, 
/**
 * Different calls.
 */
calls: number, };

/**
 * What a fill did for one tool.
 */
export type FilledTool = { 
/**
 * Its name.
 */
tool: string, 
/**
 * The service behind it, for people.
 */
service: string, 
/**
 * Answers that were kept.
 */
recorded: number, 
/**
 * Calls without an answer.
 */
failed: number, 
/**
 * Keys without which it was not asked for.
 */
missing_keys: Array<string>, 
/**
 * What the service said against calls, each sentence once, with how often.
 */
errors: Array<FillError>, };

/**
 * One thing that was found. Each area has its codes, whose default stands for what was written before there were any.
 */
export type Finding<C> = { 
/**
 * What it is, by a name that stays.
 */
code: C, 
/**
 * How much it weighs.
 */
severity: Severity, 
/**
 * File, or what stands for one.
 */
file: string | null, 
/**
 * First line, from 1.
 */
line: number | null, 
/**
 * Last line, where it is about several.
 */
line_end: number | null, 
/**
 * Task id, or the 1-based position when the task has no id.
 */
task: string | null, 
/**
 * Field, as a path such as `golden_action[1].args.size`.
 */
field: string | null, 
/**
 * What it is, one sentence or a fragment that goes on from the place.
 */
sentence: Sentence, 
/**
 * What to do about it, one sentence; empty where nothing is to be done, or it is not known what.
 */
remedy: Sentence, };

/**
 * What a finding or an objection is about.
 */
export type FindingCode = "missing_name" | "not_a_model" | "missing_levels" | "fewer_tasks" | "sampled" | "other_protocol" | "other_settings" | "other_agent" | "repetitions" | "low_hit_rate" | "other_recordings" | "other_tasks" | "other_tools" | "other_prompts" | "not_known" | "incomplete_run" | "technical_failures" | "shortened" | "other_scorer" | "no_judge" | "other_judges" | "other_votes" | "other_aggregate" | "same_judge" | "own_family" | "judge_errors" | "unscored" | "mixed_runs" | "edited_log" | "no_journal" | "edited_report" | "edited_row" | "edited_facts" | "changed_file" | "missing_file" | "unreadable" | "unverified";

/**
 * A changed message, for people.
 */
export type ForkChangeView = { 
/**
 * Place among the original's messages; null for a system message that the original does not have.
 */
at: number | null, 
/**
 * Whose message it is.
 */
role: Speaker, 
/**
 * Step that it belongs to; null for what the model was given.
 */
step: number | null, 
/**
 * The call that a tool's answer belongs to, by its place among the attempt's calls.
 */
call: number | null, 
/**
 * Tool of that call.
 */
tool: string | null, 
/**
 * What stood there; null when nothing did.
 */
before: unknown, 
/**
 * What stands there now.
 */
after: unknown, 
/**
 * The change as it was asked for.
 */
to: ForkEditTo, };

/**
 * Something in the conversation that a fork has otherwise.
 */
export type ForkEdit = { 
/**
 * Place among the attempt's messages, 0-based.
 */
at: number, 
/**
 * What stands there instead.
 */
to: ForkEditTo, };

/**
 * What stands in the place of what was there.
 */
export type ForkEditTo = { "kind": "text", 
/**
 * The text.
 */
text: string, } | { "kind": "result", 
/**
 * JSON as text, so that every digit arrives.
 */
json: string, } | { "kind": "error", 
/**
 * Its kind: `timeout`, `complete_unavailable`, `data_not_available`, or a word of one's own.
 */
error_type: string, };

/**
 * A message that can be changed.
 */
export type ForkMessage = { 
/**
 * Its place, by which an edit names it.
 */
at: number, 
/**
 * Whose it is.
 */
role: Speaker, 
/**
 * Step that it belongs to; null for what the model was given.
 */
step: number | null, 
/**
 * What it says; of a tool's answer its JSON, indented.
 */
text: string, 
/**
 * Of a tool's answer: the id of the call.
 */
call_id: string | null, 
/**
 * Of a tool's answer to one of the model's calls: the tool.
 */
tool: string | null, 
/**
 * Likewise: the arguments, as JSON on one line.
 */
arguments: string | null, };

/**
 * What a fork is a fork of.
 */
export type ForkOf = { 
/**
 * The run, `<model folder>/<date>`, also of a fork of a fork.
 */
run: string, 
/**
 * The fork that it is a fork of; null when it is one of the run itself.
 */
fork: string | null, 
/**
 * Task id.
 */
task: string, 
/**
 * Its level.
 */
level: Level, 
/**
 * 1-based repetition.
 */
repetition: number, };

/**
 * What can be changed in an attempt up to a step.
 */
export type ForkOffer = { 
/**
 * What would be forked.
 */
of: ForkOf, 
/**
 * The step.
 */
step: number, 
/**
 * Steps of the attempt.
 */
steps: number, 
/**
 * The messages up to the end of the step.
 */
messages: Array<ForkMessage>, 
/**
 * The model, which goes on unless another one is named.
 */
model: string, 
/**
 * Address of its server; null for the provider's own, or when it is not known.
 */
base_url: string | null, 
/**
 * Sampling temperature.
 */
temperature: number, 
/**
 * Sampling seed.
 */
seed: number | null, 
/**
 * Kinds of tool failure that tasks inject.
 */
error_types: Array<string>, 
/**
 * What is not as it was, in one sentence each.
 */
notes: Array<Sentence>, };

/**
 * What a fork would do.
 */
export type ForkPlan = { 
/**
 * Model that goes on.
 */
model: string, 
/**
 * Steps that are kept.
 */
kept_steps: number, 
/**
 * What is changed.
 */
changes: Array<ForkChangeView>, 
/**
 * What is set otherwise.
 */
settings: Array<ForkSetting>, 
/**
 * What a whole attempt at a task of the level takes on average, of which this is a part; null for a baseline, which asks
 * nobody.
 */
estimate: Estimate | null, };

/**
 * A fork to make.
 */
export type ForkRequest = { 
/**
 * The run by its id, or a fork as `fork:ID`.
 */
run: string, 
/**
 * Task id.
 */
task: string, 
/**
 * 1-based repetition; the first unless said otherwise.
 */
repetition: number | null, 
/**
 * 1-based step. It is kept when something of it is changed, else it is asked anew.
 */
step: number, 
/**
 * What is changed in the conversation.
 */
edits: Array<ForkEdit>, 
/**
 * A system message before everything, which agents otherwise do not get.
 */
system: string | null, 
/**
 * Model that goes on; null for the attempt's own.
 */
model: string | null, 
/**
 * Address of its server.
 */
base_url: string | null, 
/**
 * Sampling temperature; null for the attempt's own.
 */
temperature: number | null, 
/**
 * Sampling seed; null for the attempt's own.
 */
seed: number | null, 
/**
 * USD that it may cost.
 */
max_cost: number | null, 
/**
 * Tokens that it may take.
 */
max_total_tokens: number | null, 
/**
 * What the user calls it.
 */
name: string | null, };

/**
 * A setting that is another one in the fork.
 */
export type ForkSetting = { 
/**
 * Which: `model`, `temperature`, `seed`, `max_tokens`, `base_url`.
 */
setting: string, 
/**
 * As it was; null when it was not set or is not known.
 */
before: string | null, 
/**
 * As it is; null when it is not set.
 */
after: string | null, };

/**
 * A fork that has begun.
 */
export type ForkStarted = { 
/**
 * Its id.
 */
id: string, 
/**
 * The name under which its events are watched and it is cancelled, as a run's.
 */
run: string, };

/**
 * How a fork stands.
 */
export type ForkState = "going" | "completed" | "cancelled" | "budget_spent" | "failed" | "broken_off";

/**
 * A fork in a list.
 */
export type ForkSummary = { 
/**
 * Its id.
 */
id: string, 
/**
 * What the user calls it; empty when nobody named it.
 */
name: string, 
/**
 * When it was made, milliseconds since the Unix epoch.
 */
created_ms: number, 
/**
 * What it is a fork of.
 */
of: ForkOf, 
/**
 * The step at which it was forked.
 */
step: number, 
/**
 * What was changed.
 */
changes: Array<ForkChangeView>, 
/**
 * What is set otherwise.
 */
settings: Array<ForkSetting>, 
/**
 * Model that went on.
 */
model: string, 
/**
 * Model of the original.
 */
source_model: string, 
/**
 * How it stands.
 */
state: ForkState, 
/**
 * Why it ended early, in one sentence.
 */
reason: Sentence | null, 
/**
 * Its answer; null while there is none.
 */
answer: string | null, 
/**
 * Model turns after the kept ones; null before it ended.
 */
new_steps: number | null, 
/**
 * USD that it cost; null when that is not known or it cost nothing.
 */
usd: number | null, 
/**
 * Tokens that its going on took; null when none were reported.
 */
tokens: number | null, };

/**
 * A fork beside its original.
 */
export type ForkView = { 
/**
 * The fork.
 */
fork: ForkSummary, 
/**
 * Steps that both have.
 */
kept_steps: number, 
/**
 * The original. Scored without judges, as the fork is.
 */
original: Transcript, 
/**
 * The fork; null while it goes on, or when it broke off. What it would have scored enters no report.
 */
forked: Transcript | null, };

/**
 * An entry of the golden path, or a fallback.
 */
export type GoldenCall = { 
/**
 * What it stands for.
 */
kind: GoldenKind, 
/**
 * Tool; null where the entry calls none.
 */
tool: string | null, 
/**
 * Arguments.
 */
arguments: unknown, 
/**
 * Step of the path, where the task numbers them.
 */
step: number | null, 
/**
 * Whether the dataset's own turns made this call before the tested one.
 */
seeded: boolean, 
/**
 * The attempt's call that stands for it, by its place; null when it is missing.
 */
call: number | null, };

/**
 * What an entry beside the calls stands for.
 */
export type GoldenKind = "call" | "reuse" | "fallback";

/**
 * How far numbers can be compared. Later is worse.
 */
export type Grade = "comparable" | "limited" | "not_comparable";

/**
 * Items of one group of another benchmark.
 */
export type GroupCount = { 
/**
 * Names of the group, outermost first.
 */
group: Array<string>, 
/**
 * Its items.
 */
items: number, };

/**
 * What a user carries to an agent that is used by hand.
 */
export type HandTask = { 
/**
 * The task's id.
 */
task: string, 
/**
 * Where its tools are: the address of an MCP server, good as long as the attempt goes on.
 */
address: string, 
/**
 * What the program is asked, letter for letter.
 */
prompt: string, };

/**
 * Why the workspace lies where it does; what stands first goes first.
 */
export type HomeOrigin = "asked" | "environment" | "chosen" | "system";

/**
 * What a hub has under a name.
 */
export type HubModel = { 
/**
 * The repository, as the hub spells it.
 */
repo: string, 
/**
 * The hub's page of it.
 */
page: string, 
/**
 * The branch, tag or commit that was asked for.
 */
revision: string, 
/**
 * The commit behind it.
 */
commit: string, 
/**
 * The licence's short name; `null` when the repository names none.
 */
licence: string | null, 
/**
 * Whether its terms have to be accepted before files are given out.
 */
gated: boolean, 
/**
 * The architecture, where the hub knows it.
 */
architecture: string | null, 
/**
 * Numbers in its weights, where the hub knows.
 */
parameters: number | null, 
/**
 * Tokens of context, where the hub knows.
 */
context: number | null, 
/**
 * The models that its files make. Empty when none of them can be used; then `problem` says why.
 */
offers: Array<HubOffer>, 
/**
 * Why nothing can be fetched, in one sentence.
 */
problem: Sentence | null, 
/**
 * Bytes that are free where it would go.
 */
free: number | null, };

/**
 * A model that a repository offers.
 */
export type HubOffer = { 
/**
 * What the weights are kept as.
 */
kind: LocalKind, 
/**
 * The first file of its weights, which names it.
 */
file: string, 
/**
 * How it was quantized.
 */
quantization: string | null, 
/**
 * Files that belong to it.
 */
files: number, 
/**
 * Bytes of all files.
 */
bytes: number, 
/**
 * Bytes that are not here yet.
 */
missing: number, };

/**
 * One run, report, pack or file.
 */
export type ImportItem = { 
/**
 * What it is.
 */
what: ImportedKind, 
/**
 * Where it was found: below what the user named, archives included.
 */
source: string, 
/**
 * Id in the workspace, of what is there now.
 */
id: string | null, 
/**
 * The model, where it has one.
 */
model: string | null, 
/**
 * Its levels.
 */
levels: Array<Level>, 
/**
 * The outcome of it.
 */
outcome: ImportOutcome, 
/**
 * Why it was refused.
 */
reason: Sentence | null, 
/**
 * What else to know, a sentence each.
 */
notes: Array<Sentence>, };

/**
 * The outcome of it.
 */
export type ImportOutcome = "added" | "already_there" | "refused";

/**
 * What an import brought.
 */
export type ImportResult = { 
/**
 * Id, that of its job.
 */
id: string, 
/**
 * Everything, in the order of the files.
 */
items: Array<ImportItem>, 
/**
 * Files in folders and archives that no import is about, such as pictures.
 */
left_alone: number, 
/**
 * Whether it was stopped; what is in the list stays.
 */
cancelled: boolean, 
/**
 * How long it took.
 */
seconds: number, };

/**
 * What something turned out to be.
 */
export type ImportedKind = "run" | "report" | "summary" | "combined_row" | "pack" | "unknown";

/**
 * An injected failure.
 */
export type Injection = { 
/**
 * The tool that fails.
 */
tool: string, 
/**
 * How, in the dataset's word.
 */
error_type: string | null, };

/**
 * What a shown text is.
 */
export type InputKind = "instruction" | "answer" | "calls" | "facts" | "expected_arguments" | "given_arguments" | "conversation" | "golden";

/**
 * A 95 % confidence interval.
 */
export type Interval = { 
/**
 * Lower end.
 */
low: number, 
/**
 * Upper end.
 */
high: number, 
/**
 * How it was found.
 */
method: IntervalMethod, };

/**
 * How an interval was found.
 */
export type IntervalMethod = "wilson" | "bootstrap";

/**
 * Tasks or tools that differ.
 */
export type ItemChanges = { 
/**
 * Those that the pack does not have.
 */
added: Array<string>, 
/**
 * Those that say something else.
 */
changed: Array<ChangedItem>, 
/**
 * Those that the draft does not have.
 */
removed: Array<string>, 
/**
 * Whether those that stay are in another order.
 */
moved: boolean, };

/**
 * An item that was answered wrong.
 */
export type ItemFault = { 
/**
 * Its group.
 */
level: Level, 
/**
 * Its id.
 */
task: string, 
/**
 * What is wrong, in the benchmark's words; the metric's name where it has none.
 */
fault: string, 
/**
 * The benchmark's metric that says so.
 */
metric: string, 
/**
 * What else the benchmark says of it.
 */
more: string, };

/**
 * One metric of an item.
 */
export type ItemRow = { 
/**
 * The benchmark's metric.
 */
metric: string, 
/**
 * 0 or 1, or null.
 */
value: number | null, 
/**
 * Why there is no value.
 */
reason?: Sentence, };

/**
 * Something under way, or over since a short while.
 */
export type Job = { 
/**
 * Id, unique among all processes of a day.
 */
id: string, 
/**
 * What kind.
 */
kind: JobKind, 
/**
 * What it is about, as [`JobKind`] says; the UI puts it into a sentence.
 */
about: Array<string>, 
/**
 * Steps done.
 */
done: number, 
/**
 * All steps; `null` as long as nobody knows.
 */
total: number | null, 
/**
 * Whether the steps are bytes.
 */
in_bytes: boolean, 
/**
 * How often there was something of it to ask for that is not told here.
 */
news: number, 
/**
 * When it began, milliseconds since the Unix epoch.
 */
since_ms: number, 
/**
 * How long it has taken, milliseconds.
 */
took_ms: number, 
/**
 * Whether [`Workspace::job_cancel`] stops it.
 */
cancellable: boolean, 
/**
 * Whether it was asked to stop.
 */
cancelling: boolean, 
/**
 * Whether it is over.
 */
finished: boolean, 
/**
 * Why it did not come to its end.
 */
error: WireError | null, };

/**
 * What kind of work.
 */
export type JobKind = "run" | "evaluation" | "judging" | "import" | "pack_import" | "pack_pull" | "export" | "deletion" | "model_conversion" | "model_pull" | "model_check" | "model_trial" | "cache_fill" | "bundle_check" | "sweep" | "adaptive" | "scenario_run" | "recording";

/**
 * How far a judge agrees with the person.
 */
export type JudgeAgainstPeople = { 
/**
 * Judge model id.
 */
judge: string, 
/**
 * Questions that both answered.
 */
questions: number, 
/**
 * Mean distance of their answers on 0 to 1: a yes against a no is 1, one grade is ¼. Null without a common question.
 */
distance: number | null, 
/**
 * Whether no judge of as many answers is closer to the person.
 */
closest: boolean, 
/**
 * Yes or no (SR, `EffScore`).
 */
yes_no: ScaleAgainstPeople, 
/**
 * Grades (`ArgAcc`, `ContextRetention`, `RefRecall`).
 */
grades: ScaleAgainstPeople, };

/**
 * How far answers to the questions of one metric, or of several together, agree.
 */
export type JudgeAgreement = { 
/**
 * The metrics that asked, in report order; several where they are taken together.
 */
metrics: Array<string>, 
/**
 * Whose answers.
 */
compared: Compared, 
/**
 * What the answers are.
 */
scale: AnswerScale, 
/**
 * The judges in order; one where its own votes are compared.
 */
judges: Array<string>, 
/**
 * Questions with at least two answers.
 */
questions: number, 
/**
 * Answers to all questions.
 */
answers: number, 
/**
 * Answers that failed or were not asked for.
 */
missing: number, 
/**
 * Share (0 to 1) of equal pairs among all pairs of answers to the same question.
 */
percent: Figure, 
/**
 * Cohen's kappa of each pair of judges; empty where votes are compared, which have no order.
 */
cohen: Array<PairKappa>, 
/**
 * Fleiss' kappa, for three judges or votes and more.
 */
fleiss: Figure, 
/**
 * Krippendorff's alpha.
 */
krippendorff: Figure, };

/**
 * A judge's answer.
 */
export type JudgeAnswer = { 
/**
 * Judge model id.
 */
judge: string, 
/**
 * Yes or no.
 */
success: boolean | null, 
/**
 * Grade from 1 to 5.
 */
score: number | null, };

/**
 * A judge's mean beside what people would have said.
 */
export type JudgeCorrected = { 
/**
 * Judge model id.
 */
judge: string, 
/**
 * Its mean over all questions of the run; null when it has not answered all.
 */
judged: number | null, 
/**
 * What people would have said over all, by their answers and this judge's.
 */
corrected: EstimatedMean | null, 
/**
 * How much the judge counts in it, from 0 to 1.
 */
lambda: number | null, 
/**
 * Why there is no estimate; null when there is.
 */
reason: Sentence | null, };

/**
 * What a judge has answered of the runs' questions.
 */
export type JudgeCoverage = { 
/**
 * Judge model id.
 */
judge: string, 
/**
 * Whether it has answered every question of every run.
 */
complete: boolean, 
/**
 * Whether it has answered less than half of them: it stays out of "all" unless it is asked for.
 */
few: boolean, 
/**
 * Questions of all runs.
 */
questions: number, 
/**
 * Of these, answered as often as asked.
 */
answered: number, 
/**
 * An answer failed or cannot be used.
 */
failed: number, 
/**
 * Not asked yet, or not often enough.
 */
missing: number, 
/**
 * By metric, over all runs, in report order; metrics without a question are left out.
 */
metrics: Array<MetricCoverage>, 
/**
 * The same by run: questions of that run that it has not answered.
 */
open: Array<number>, 
/**
 * Models among the runs' that are of the judge's own maker, which judges are known to favour.
 */
own_kind: Array<string>, };

/**
 * What asking one judge is expected to take.
 */
export type JudgeEstimate = { 
/**
 * `provider/model`.
 */
judge: string, 
/**
 * Answers that are stored already and cost nothing.
 */
known: number, 
/**
 * Calls to make.
 */
calls: number, 
/**
 * Prompt tokens.
 */
prompt_tokens: number, 
/**
 * Completion tokens.
 */
completion_tokens: number, 
/**
 * USD; null when the judge's price is not known.
 */
usd: number | null, };

/**
 * A question to the judges.
 */
export type JudgeQuestionText = { 
/**
 * The metric.
 */
metric: MetricId, 
/**
 * The scorer that asks it so.
 */
scorer: Protocol, 
/**
 * The prompt.
 */
prompt: string, };

/**
 * What a judge said, as a report recorded it.
 */
export type JudgeVerdict = { 
/**
 * The metric asked about.
 */
metric: MetricId, 
/**
 * The scorer whose question it was.
 */
scorer: Protocol, 
/**
 * Judge model.
 */
judge: string, 
/**
 * 1-based vote of the same judge.
 */
vote: number, 
/**
 * Yes or no, where that was asked.
 */
success: boolean | null, 
/**
 * Grade from 1 to 5, where that was asked.
 */
grade: number | null, 
/**
 * The judge's reason; null where the report does not keep it.
 */
reason: string | null, 
/**
 * Why there is no answer, when there is none.
 */
failure: Sentence | null, 
/**
 * Whether the grade was worked back from the score, since reports do not keep it (`ArgAcc`).
 */
worked_back: boolean, 
/**
 * The report that recorded it.
 */
report: string, };

/**
 * How far numbers can be compared, and why.
 */
export type Judgement = { 
/**
 * The worst grade of the findings.
 */
grade: Grade, 
/**
 * The gravest first.
 */
findings: Array<Caveat>, };

/**
 * What judges do to scores and ranks.
 */
export type JudgesEffect = { 
/**
 * The judges alone, then all but one, then the ensembles.
 */
panels: Array<LabPanel>, 
/**
 * How far panels with values rank the runs alike, each pair once.
 */
taus: Array<RankAgreement>, };

/**
 * Whence the judges of a run are known.
 */
export type JudgesFrom = "run" | "report" | "settings";

/**
 * The outcome of a key.
 */
export type KeyChange = { 
/**
 * The name as it is known.
 */
name: string, 
/**
 * Where.
 */
place: KeyPlace, 
/**
 * Whether an environment variable of the same name wins over what is stored.
 */
environment_wins: boolean, };

/**
 * A key or setting that a provider needs.
 */
export type KeyNeed = { 
/**
 * Its names; one of them is enough.
 */
any_of: Array<string>, 
/**
 * Whether one of them is there.
 */
present: boolean, };

/**
 * Where a key comes from.
 */
export type KeyOrigin = "environment" | "session" | "keychain" | "file";

/**
 * Where a key can be stored.
 */
export type KeyPlace = "keychain" | "file" | "session";

/**
 * One known name. Never its value.
 */
export type KeyRow = { 
/**
 * The name.
 */
name: string, 
/**
 * Provider or service that asks for it.
 */
asked_by: string, 
/**
 * Whether there is a key.
 */
present: boolean, 
/**
 * Where it comes from; `None` when there is none.
 */
source: KeyOrigin | null, };

/**
 * What the keychain can do right now.
 */
export type KeychainState = "ready" | "no_bus" | "no_service" | "no_keyring" | "locked" | "silent" | "refuses";

/**
 * State of the file that is encrypted with a passphrase.
 */
export type KeysFileState = "absent" | "locked" | "open";

/**
 * What an import would store. Names and reasons only.
 */
export type KeysImport = { 
/**
 * Names that would be stored.
 */
known: Array<string>, 
/**
 * Names that nobody here asks for.
 */
unknown: Array<Sentence>, 
/**
 * Known names without a usable value, each with the reason, and lines that are no assignment.
 */
refused: Array<Sentence>, };

/**
 * All known names and the state of the keychain.
 */
export type KeysView = { 
/**
 * State of the keychain.
 */
keychain: KeychainState, 
/**
 * The same in one sentence, with the remedy where one is needed.
 */
keychain_sentence: Sentence, 
/**
 * State of the encrypted file.
 */
file: KeysFileState, 
/**
 * The names.
 */
keys: Array<KeyRow>, };

/**
 * How far judges agree on the questions of one metric, or of several together.
 */
export type LabAgreement = { 
/**
 * The metrics that asked, in report order; several where they are taken together.
 */
metrics: Array<string>, 
/**
 * Whether yes or no was asked; null where both kinds are together, for which there is only the share of equal answers.
 */
yes_no: boolean | null, 
/**
 * Questions that two judges or more have answered.
 */
questions: number, 
/**
 * Tasks that these are about: what the intervals draw from.
 */
tasks: number, 
/**
 * Share (0 to 1) of equal pairs among all pairs of answers to the same question.
 */
percent: LabEstimate, 
/**
 * Fleiss' kappa over the questions that all judges answered; for three judges and more.
 */
fleiss: LabEstimate, 
/**
 * Krippendorff's alpha, nominal for yes or no and ordinal for grades.
 */
alpha: LabEstimate, 
/**
 * Each pair of judges.
 */
pairs: Array<PairAgreement>, };

/**
 * What came of judging again.
 */
export type LabAskEnd = { 
/**
 * Whether a cap left questions unasked; the next time asks for the rest.
 */
stopped: boolean, 
/**
 * Answers that are there now, of those that the judges were asked for.
 */
answered: number, 
/**
 * Calls of judges that failed.
 */
failed: number, 
/**
 * What is to be known.
 */
notes: Array<Sentence>, };

/**
 * What judging again would take.
 */
export type LabAskPlan = { 
/**
 * The runs.
 */
runs: Array<string>, 
/**
 * A judge each, over all runs.
 */
judges: Array<JudgeEstimate>, 
/**
 * USD of all judges; null when the price of one that would be asked is not known.
 */
usd: number | null, 
/**
 * Where the token figures come from.
 */
from: Sentence, };

/**
 * Judging again.
 */
export type LabAskRequest = { 
/**
 * The runs.
 */
of: LabRequest, 
/**
 * Judges as `provider/model`; each is asked every question that it has not answered.
 */
judges: Array<string>, 
/**
 * Address of their server.
 */
base_url: string | null, 
/**
 * USD that all of them may cost.
 */
max_cost: number | null, 
/**
 * Tokens that all of them may take.
 */
max_total_tokens: number | null, };

/**
 * A number with its 95 % interval, or why there is none of either.
 */
export type LabEstimate = { 
/**
 * The number.
 */
value: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, 
/**
 * Lower end of the 95 % interval, from 2,000 resamples of the tasks.
 */
low: number | null, 
/**
 * Upper end.
 */
high: number | null, 
/**
 * Why there is no interval, where there is a number.
 */
no_interval: Sentence | null, };

/**
 * A question whose verdict depends on the judges.
 */
export type LabFlip = { 
/**
 * Place of the run.
 */
run: number, 
/**
 * Level of the task.
 */
level: Level, 
/**
 * The task.
 */
task: string, 
/**
 * The metric that asks.
 */
metric: string, 
/**
 * What the judges together say: their majority, a tie being a no.
 */
together: boolean, 
/**
 * Whether it was a tie.
 */
tie: boolean, 
/**
 * What each of them says alone.
 */
judges: Array<LabVerdict>, };

/**
 * A run or report that takes no part.
 */
export type LabLeftOut = { 
/**
 * As it was named.
 */
id: string, 
/**
 * Why.
 */
reason: Sentence, };

/**
 * A number of the runs' that judges decide.
 */
export type LabMeasure = "composite" | "composite_common" | "sr" | "arg_acc" | "eff_score" | "context_retention" | "ref_recall";

/**
 * Some judges together, with what they make of the runs.
 */
export type LabPanel = { 
/**
 * Whose verdicts.
 */
kind: LabPanelKind, 
/**
 * The judge that is alone or left out; null for the others.
 */
judge: string | null, 
/**
 * The judges whose verdicts are taken.
 */
judges: Array<string>, 
/**
 * Why there are no values at all; null when there are.
 */
reason: Sentence | null, 
/**
 * What comes out, by measure.
 */
values: Array<LabPanelValues>, };

/**
 * Whose verdicts are taken.
 */
export type LabPanelKind = "judge" | "without" | "mean" | "median" | "people";

/**
 * One measure of all runs under some judges.
 */
export type LabPanelValues = { 
/**
 * The measure.
 */
measure: LabMeasure, 
/**
 * Of each run, in order.
 */
values: Array<number | null>, 
/**
 * Why a run has no value.
 */
reasons: Array<Sentence | null>, 
/**
 * Rank of each run, 1 the best; equal values share a rank.
 */
ranks: Array<number | null>, };

/**
 * Which runs to look at, and by whose questions.
 */
export type LabRequest = { 
/**
 * Runs, by id or folder.
 */
runs: Array<string>, 
/**
 * Reports, whose runs are meant.
 */
reports: Array<string>, 
/**
 * Whose questions: the two scorers ask differently.
 */
scorer: Protocol, 
/**
 * Judges that do not count where all are taken together.
 */
without: Array<string>, 
/**
 * Judges that count there although they have answered little.
 */
with: Array<string>, };

/**
 * A run in the lab.
 */
export type LabRun = { 
/**
 * Run id.
 */
id: string, 
/**
 * Model id.
 */
model: string, 
/**
 * Questions to judges.
 */
questions: number, 
/**
 * Tasks that are scored.
 */
tasks: number, 
/**
 * Reports of the run whose recorded verdicts were read.
 */
reports: Array<string>, };

/**
 * What one judge says.
 */
export type LabVerdict = { 
/**
 * Judge model id.
 */
judge: string, 
/**
 * The majority of its votes; null where it has not answered.
 */
yes: boolean | null, };

/**
 * Several judges on the same runs.
 */
export type LabView = { 
/**
 * The runs; lists by run have this order.
 */
runs: Array<LabRun>, 
/**
 * What was named and takes no part.
 */
left_out: Array<LabLeftOut>, 
/**
 * Whose questions.
 */
scorer: Protocol, 
/**
 * Which judges have answered what.
 */
coverage: Array<JudgeCoverage>, 
/**
 * The judges that count where all are taken together.
 */
together: Array<string>, 
/**
 * How far they agree; empty with fewer than two judges.
 */
agreement: Array<LabAgreement>, 
/**
 * What they do to scores and ranks.
 */
effect: JudgesEffect, 
/**
 * Questions of yes or no on which those judges are not of one mind.
 */
flips: Array<LabFlip>, 
/**
 * Questions on which judges, or the votes of one, disagree and that could change a score.
 */
disagreements: number, 
/**
 * What else is to be known.
 */
notes: Array<Sentence>, };

/**
 * A language that sentences are rendered in: English, or one that has its file in `messages/`, whose name is its tag.
 */
export type Language = string;

/**
 * What the last check of an agent came to.
 */
export type LastCheck = { 
/**
 * Whether a run with it makes sense.
 */
passed: boolean, 
/**
 * What was wrong first.
 */
why: Sentence | null, };

/**
 * What a prompt left out of a conversation that did not fit the model's context, oldest first.
 */
export type LeftOut = { 
/**
 * Tool results in whose place a short note stood.
 */
tool_results: number, 
/**
 * Earlier exchanges, from one user message up to the next, that were not there at all.
 */
exchanges: number, 
/**
 * Tokens that the prompt could have.
 */
room: number, };

/**
 * A group of a benchmark's tasks. Ko-AgentBench's are `L1` … `L7`, everywhere; other benchmarks bring their own names.
 */
export type Level = string;

/**
 * How the calls of a level, or of all levels together, were answered.
 */
export type LevelCalls = { 
/**
 * The level; null for all together.
 */
level: Level | null, 
/**
 * Attempts.
 */
attempts: number, 
/**
 * Attempts with at least one call that found no answer.
 */
touched: number, 
/**
 * Answered by a record.
 */
hit: number, 
/**
 * No answer recorded.
 */
miss: number, 
/**
 * The task's injected failure.
 */
injected: number, 
/**
 * Refused by the check of its name and arguments, before anything was looked up.
 */
refused: number, 
/**
 * Asked of the live API.
 */
live: number, 
/**
 * Answered by the saved responses.
 */
overlay: number, };

/**
 * Tasks of one level in a pack.
 */
export type LevelCount = { 
/**
 * The level.
 */
level: Level, 
/**
 * Its tasks.
 */
tasks: number, };

/**
 * One number for a level.
 */
export type LevelFigure = { 
/**
 * The level.
 */
level: Level, 
/**
 * The score.
 */
score: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * The tasks of one level that a run will attempt, in the dataset's order.
 */
export type LevelPlan = { 
/**
 * The level.
 */
level: Level, 
/**
 * Task ids in dataset order.
 */
tasks: Array<string>, };

/**
 * One level of a report.
 */
export type LevelReport = { 
/**
 * The level.
 */
level: Level, 
/**
 * Tasks in the log; `null` where the report's file does not tell.
 */
tasks: number | null, 
/**
 * Tasks evaluated; `null` as above.
 */
evaluated: number | null, 
/**
 * Interval of that mean; nothing where none was drawn, as in a list.
 */
range?: ScoreRange, 
/**
 * Its metrics in the report's order.
 */
metrics: Array<MetricFigure>, 
/**
 * What the run took.
 */
usage: LevelUsage, 
/**
 * Tasks that could not be read and are in no mean, each with the reason.
 */
skipped: Array<Sentence>, 
/**
 * The score.
 */
score: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * A level's score: the plain mean of its own metrics.
 */
export type LevelScore = { 
/**
 * The score.
 */
score: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * Tasks of a level.
 */
export type LevelTasks = { 
/**
 * The level.
 */
level: Level, 
/**
 * How many.
 */
count: number, 
/**
 * Their ids; empty where only the number is known.
 */
ids: Array<string>, };

/**
 * What a level's run took, as its log says. `null` is "not measured".
 */
export type LevelUsage = { 
/**
 * Model turns.
 */
steps: number | null, 
/**
 * Tool calls.
 */
calls: number | null, 
/**
 * Tokens of all tasks.
 */
tokens: number | null, 
/**
 * Prompt tokens a task.
 */
prompt_tokens: number | null, 
/**
 * Completion tokens a task.
 */
completion_tokens: number | null, 
/**
 * Seconds a task.
 */
seconds: number | null, 
/**
 * Seconds to the first token: mean.
 */
ttft: number | null, 
/**
 * Smallest.
 */
ttft_min: number | null, 
/**
 * Largest.
 */
ttft_max: number | null, 
/**
 * Tokens a second.
 */
tps: number | null, };

/**
 * What to do about a finding.
 */
export type LocalAdvice = "larger_context" | "less_memory" | "tools_by_hand" | "repeat" | "slow";

/**
 * What can be chosen of a model inside the application.
 */
export type LocalChoice = { 
/**
 * Whether it is converted before its first run, so that its precision can be chosen; GGUF files are not.
 */
converts: boolean, 
/**
 * Tokens that it was trained for; null when its files do not say.
 */
context: number | null, };

/**
 * A conversion of a model.
 */
export type LocalConversion = { 
/**
 * `float32`, `float16`, `bfloat16`, `8bit` or `4bit`.
 */
precision: string, 
/**
 * Bytes on the disk.
 */
bytes: number, };

/**
 * What this build can do with models of its own.
 */
export type LocalEngine = { 
/**
 * Where it can compute, should the machine have it; empty when it has no such models at all.
 */
devices: Array<ComputeDevice>, 
/**
 * The forms of tool calls that it reads, without the one that means any.
 */
tool_forms: Array<string>, };

/**
 * A model of this disk, loaded and tried on this machine.
 */
export type LocalExamination = { 
/**
 * Its name.
 */
model: string, 
/**
 * The precision that it was converted to, or the quantization of a GGUF file; null when that is not known.
 */
precision: string | null, 
/**
 * Where it computes.
 */
device: string, 
/**
 * Threads.
 */
threads: number, 
/**
 * Bytes of the weights.
 */
weights_bytes: number, 
/**
 * Bytes of the memory of attention, for all conversations at once; null when the model's kind does not tell.
 */
kv_bytes: number | null, 
/**
 * Bytes of memory that were free before it was loaded; null where the system does not say.
 */
memory_available: number | null, 
/**
 * Tokens of one conversation.
 */
context: number, 
/**
 * Tokens that the model was trained for.
 */
context_trained: number, 
/**
 * Conversations at once.
 */
parallel: number, 
/**
 * Tokens of a prompt read in a second; null when it could not be measured.
 */
prompt_per_second: number | null, 
/**
 * Tokens written in a second, one conversation alone; null when it could not be measured.
 */
written_per_second: number | null, 
/**
 * Whether equal long prompts, read anew and reused, had the same answer, one at a time; null
 * when the model said nothing.
 */
deterministic: boolean | null, 
/**
 * Whether two at once had the same answer too, which is not promised; null where one is answered at a time.
 */
deterministic_together: boolean | null, 
/**
 * Whether the chat template itself tells the model its tools.
 */
handles_tools: boolean, 
/**
 * How it writes tool calls.
 */
form: string, 
/**
 * A conversation with a tool, a call and its result as the model sees it.
 */
rendered: string, 
/**
 * The longest first prompt of the active pack's tasks; null when it has none.
 */
longest: LongestPrompt | null, 
/**
 * What to do better, the most important first.
 */
advice: Array<LocalAdvice>, };

/**
 * What the weights are kept as.
 */
export type LocalKind = "safetensors" | "gguf";

/**
 * A model on this disk.
 */
export type LocalModel = { 
/**
 * Its id for runs, `local/…`.
 */
id: string, 
/**
 * The id without `local/`.
 */
name: string, 
/**
 * What the weights are kept as.
 */
kind: LocalKind, 
/**
 * Where it comes from.
 */
place: LocalPlace, 
/**
 * The folder, or the GGUF file.
 */
path: string, 
/**
 * The repository's commit.
 */
commit: string | null, 
/**
 * Commits of the repository of which something is there.
 */
commits: number, 
/**
 * The architecture in the words of its files.
 */
architecture: string | null, 
/**
 * Numbers in its weights.
 */
parameters: number | null, 
/**
 * Tokens of context.
 */
context: number | null, 
/**
 * How the weights were quantized.
 */
quantization: string | null, 
/**
 * The licence's short name.
 */
licence: string | null, 
/**
 * Bytes on the disk, conversions left out.
 */
bytes: number, 
/**
 * What was made of it.
 */
conversions: Array<LocalConversion>, 
/**
 * Why it cannot be used, in one sentence.
 */
problem: Sentence | null, };

/**
 * The models on this disk, and what is being fetched.
 */
export type LocalModels = { 
/**
 * The models, by name.
 */
models: Array<LocalModel>, 
/**
 * Downloads that are not done.
 */
pulls: Array<PullState>, 
/**
 * The cache that Hugging Face's tools share.
 */
hub: string, 
/**
 * The workspace's folder of converted models.
 */
folder: string, 
/**
 * Bytes that are free where the cache is; `null` when the system does not say.
 */
free: number | null, };

/**
 * What a model needs of the memory, as its files say before it is loaded.
 */
export type LocalNeed = { 
/**
 * Bytes of the weights at the wanted precision.
 */
weights_bytes: number, 
/**
 * Bytes of the memory of attention, for all conversations at once; `null` when the model's kind does not tell.
 */
kv_bytes: number | null, 
/**
 * Bytes of memory that are free now; `null` where the system does not say, and where a graphics card may compute.
 */
memory_available: number | null, 
/**
 * Tokens of one conversation.
 */
context: number, 
/**
 * Conversations at once.
 */
parallel: number, 
/**
 * Whether it has yet to be converted.
 */
converts: boolean, };

/**
 * What of a model is deleted.
 */
export type LocalPart = { "part": "everything" } | { "part": "source" } | { "part": "conversions", 
/**
 * The precision.
 */
precision: string | null, };

/**
 * Where a model comes from.
 */
export type LocalPlace = "hub" | "converted" | "added";

/**
 * What deleting does or did.
 */
export type LocalRemoval = { 
/**
 * The model's name.
 */
name: string, 
/**
 * Bytes that the disk gets back.
 */
frees: number, 
/**
 * An added path that is forgotten and stays where it is.
 */
stays: string | null, };

/**
 * How a model inside the application runs.
 */
export type LocalSettings = { 
/**
 * Quantization; `null` means none. GGUF files have their own and take none.
 */
quantization: Quantization | null, 
/**
 * Numbers of weights that are not quantized.
 */
dtype: Dtype, 
/**
 * Where it computes.
 */
device: ComputeDevice, 
/**
 * Tokens of one conversation; `null` means what the model was trained for, at most 16,384.
 */
context: number | null, 
/**
 * How tool calls are written (`hermes`, `llama3`, `mistral` …, `auto` for any of them); `null` means as the model's
 * template says.
 */
tool_form: string | null, 
/**
 * Whether tool calls are held to the tools' schemas by a grammar; refused under the leaderboard protocol.
 */
constrained: boolean, 
/**
 * Threads that compute; `null` means one a physical core that is free. With another number the
 * last bits of a result may differ, so a run writes down how many computed.
 */
threads?: number | null, };

/**
 * The last trial of a model.
 */
export type LocalTrial = { 
/**
 * What was asked for.
 */
request: LocalTrialRequest, 
/**
 * The job that says how far it is and stops it. Counts answers, once the model is loaded.
 */
job: string, 
/**
 * What was found; with neither this nor an error it is not over.
 */
found: LocalExamination | null, 
/**
 * Why it did not come to its end; of the code `cancelled` when somebody stopped it.
 */
error: WireError | null, };

/**
 * What to try.
 */
export type LocalTrialRequest = { 
/**
 * The model, as [`crate::LocalModel::name`] has it.
 */
name: string, 
/**
 * How it runs.
 */
settings: LocalSettings, 
/**
 * Conversations at once; `null` means as many as a run has.
 */
parallel: number | null, };

/**
 * What verifying found.
 */
export type LocalVerified = { 
/**
 * The model's name.
 */
name: string, 
/**
 * Files whose content is what the hub promised.
 */
sound: number, 
/**
 * Files whose content is something else.
 */
wrong: Array<string>, 
/**
 * Files for which nothing was promised.
 */
unknown: number, };

/**
 * The longest first prompt of a pack.
 */
export type LongestPrompt = { 
/**
 * The task.
 */
task: string, 
/**
 * Its tokens, tools included, without any result of a tool.
 */
tokens: number, 
/**
 * Tasks whose first prompt leaves no room for an answer of 1,024 tokens.
 */
too_long: Array<string>, };

/**
 * A report without what the matrix compares by.
 */
export type MatrixLeftOut = { 
/**
 * Report id.
 */
id: string, 
/**
 * Model id.
 */
model: string, 
/**
 * Why it is not compared.
 */
reason: Sentence, };

/**
 * The numbers of a pair.
 */
export type MatrixPair = { 
/**
 * Place of the one report.
 */
row: number, 
/**
 * Place of the other, later one.
 */
column: number, 
/**
 * Tasks that only the row's report solved.
 */
only_row: number, 
/**
 * Tasks that only the column's report solved.
 */
only_column: number, 
/**
 * McNemar's exact p; null when the two may not be compared or share no task.
 */
p: number | null, 
/**
 * The same after Holm's correction over all pairs of the matrix.
 */
holm: number | null, };

/**
 * A report of the matrix.
 */
export type MatrixReport = { 
/**
 * Report id.
 */
id: string, 
/**
 * Model id.
 */
model: string, 
/**
 * Date of the run as the report says it.
 */
date: string, 
/**
 * Scored by which rules.
 */
scorer: Protocol, 
/**
 * Tasks solved.
 */
solved: number, 
/**
 * Tasks with a score.
 */
tasks: number, 
/**
 * Its rank by the share that it solved, 1 the best; equal shares share one. Null where it has another number of tasks
 * than [`MatrixView::tasks`]: a share of other tasks is no place among these.
 */
rank: number | null, };

/**
 * Which reports, by what.
 */
export type MatrixRequest = { 
/**
 * Report ids; empty for the whole library.
 */
ids: Array<string>, 
/**
 * The metric; null for SR.
 */
metric: MetricId | null, 
/**
 * Only this level; null for all.
 */
level: Level | null, 
/**
 * Only reports scored by these rules; null for all.
 */
scorer: Protocol | null, };

/**
 * Reports against each other.
 */
export type MatrixView = { 
/**
 * By what.
 */
metric: MetricId, 
/**
 * Over one level, or all.
 */
level: Level | null, 
/**
 * Tasks of the ranked reports: the number that most of the reports have.
 */
tasks: number, 
/**
 * The reports: the ranked first, and of these and the others the one that solved the greatest share.
 */
reports: Array<MatrixReport>, 
/**
 * Reports that have not what is compared.
 */
left_out: Array<MatrixLeftOut>, 
/**
 * A letter a pair: the first report with each later one, then the second, and so on. `x` may not be compared, by a judged
 * metric also where the judges are others; `n` shares no task; `a` to `c` both solved as many, `d` to `f` the row's solved
 * more, `g` to `i` the column's: the first of three no significant difference, the second can on its own (p below 0.05), the
 * third after Holm's correction over all pairs. A capital letter can be compared within limits only.
 */
cells: string, 
/**
 * The numbers, for at most 60 reports; empty for more.
 */
pairs: Array<MatrixPair>, 
/**
 * Pairs that were tested.
 */
tested: number, 
/**
 * Of these, pairs with p below 0.05.
 */
separated: number, 
/**
 * Pairs below 0.05 after Holm's correction over all that were tested.
 */
separated_holm: number, 
/**
 * Pairs that may not be compared.
 */
refused: number, };

/**
 * The mean of a metric over a level's scored tasks.
 */
export type MeanFigure = { 
/**
 * The mean.
 */
mean: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * What a judge has answered of one metric's questions.
 */
export type MetricCoverage = { 
/**
 * Metric as published.
 */
metric: string, 
/**
 * Its questions.
 */
questions: number, 
/**
 * Answered as often as asked.
 */
answered: number, 
/**
 * An answer failed or cannot be used.
 */
failed: number, 
/**
 * Not asked yet, or not often enough.
 */
missing: number, };

/**
 * A metric of a level: its mean, or why there is none.
 */
export type MetricFigure = { 
/**
 * Metric name as published, such as `ToolAcc`.
 */
metric: string, 
/**
 * Interval of the mean; nothing where none was drawn, as in a list.
 */
range?: ScoreRange, 
/**
 * Tasks in the mean, errors included; `null` where the report's file does not tell.
 */
scored: number | null, 
/**
 * Of these, tasks where the metric raised an error and counted 0.
 */
errored: number, 
/**
 * Tasks without a score.
 */
unscored: number, 
/**
 * Of these, tasks that the metric is not about.
 */
not_applicable: number, 
/**
 * Why tasks have no score, one sentence a distinct reason.
 */
reasons: Array<Sentence>, 
/**
 * The mean with what people said instead of judges; null when nobody did for this metric of this level. `mean` and
 * all published files stay as judged.
 */
overridden: Figure | null, 
/**
 * The mean.
 */
mean: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * A metric. Its text form is the published name, everywhere.
 */
export type MetricId = "SR" | "EPR_CVR" | "pass@k" | "ToolAcc" | "ArgAcc" | "CallEM" | "RespOK" | "SelectAcc" | "FSM" | "PSM" | "ΔSteps_norm" | "ProvAcc" | "Coverage" | "SourceEPR" | "AdaptiveRoutingScore" | "FallbackSR" | "ReuseRate" | "RedundantCallRate" | "EffScore" | "ContextRetention" | "RefRecall" | "RRR";

/**
 * A score and why it is what it is.
 */
export type MetricScore = { 
/**
 * The score; null when it cannot be told or the metric is not about this task.
 */
value: number | null, 
/**
 * Why there is no score, or the error that counts as 0.
 */
reason: Sentence | null, 
/**
 * The score with people's word in the place of judges'; null where nobody overrode a verdict.
 */
overridden: Overridden | null, 
/**
 * Whether the metric is about this task at all.
 */
applies: boolean, 
/**
 * Whether a judge decides here; else the log alone does.
 */
asks_judge: boolean, 
/**
 * The metric's own figures, as reports lay them out.
 */
details: unknown, 
/**
 * The calls it looked at.
 */
calls: Array<CallEvidence>, };

/**
 * A metric under both scorers.
 */
export type MetricScores = { 
/**
 * The metric.
 */
metric: MetricId, 
/**
 * Whether judges may decide it.
 */
judged: boolean, 
/**
 * As published.
 */
leaderboard: MetricScore, 
/**
 * With the published faults fixed.
 */
corrected: MetricScore, };

/**
 * A call without a cached response.
 */
export type Miss = { 
/**
 * Level of the task.
 */
level: Level, 
/**
 * Task id.
 */
task: string, 
/**
 * 1-based repetition.
 */
repetition: number, 
/**
 * 1-based model turn; null when a log does not say.
 */
step: number | null, 
/**
 * 0-based place among the attempt's calls.
 */
call: number, 
/**
 * Tool name.
 */
tool: string, 
/**
 * Arguments as the model wrote them.
 */
arguments: unknown, 
/**
 * The key that a record of it would have; null when the arguments cannot be brought into their one form.
 */
key: string | null, 
/**
 * How it stands now.
 */
standing: MissStanding, 
/**
 * The recorded call that is most like it; null when the tool has none.
 */
nearest: NearestMiss | null, };

/**
 * How a call that was missed stands now.
 */
export type MissStanding = { "kind": "open", } | { "kind": "kept", 
/**
 * Who asked.
 */
origin: string, 
/**
 * When, UTC.
 */
at: string, } | { "kind": "recorded", } | { "kind": "refused", 
/**
 * Why.
 */
why: Sentence, };

/**
 * A call that found no cached response, with the equal ones of its task.
 */
export type MissedCall = { 
/**
 * Its level.
 */
level: Level, 
/**
 * Task id.
 */
task: string, 
/**
 * 1-based repetition; the first of those that made the call.
 */
repetition: number, 
/**
 * Tool.
 */
tool: string, 
/**
 * Arguments as the model gave them.
 */
arguments: unknown, 
/**
 * How often the task's attempts made this call; left out where it is once.
 */
times?: number, };

/**
 * The misses of one level.
 */
export type MissesOfLevel = { 
/**
 * The level.
 */
level: Level, 
/**
 * Tasks with at least one attempt.
 */
tasks: number, 
/**
 * Tasks with at least one miss.
 */
affected: number, 
/**
 * Tool calls.
 */
calls: number, 
/**
 * Those that were missed.
 */
misses: number, };

/**
 * The misses of one tool.
 */
export type MissesOfTool = { 
/**
 * Its name.
 */
tool: string, 
/**
 * Calls to it.
 */
calls: number, 
/**
 * Those that were missed.
 */
misses: number, 
/**
 * Different ones among them.
 */
distinct: number, };

/**
 * What a model is reached through.
 */
export type ModelKind = "baseline" | "server" | "local";

/**
 * What a model did when it was offered one tool and asked for what the tool gives.
 */
export type ModelProbe = { 
/**
 * Whether it called the tool, with arguments that are a JSON object.
 */
called: boolean, 
/**
 * What it wrote beside or instead, at most 300 characters.
 */
text: string, 
/**
 * Seconds from request to answer.
 */
seconds: number, 
/**
 * Tokens of the question and the answer, as the server counted them; `null` when it did not.
 */
tokens: number | null, };

/**
 * A model server on this machine.
 */
export type ModelServer = { 
/**
 * The provider that its models belong to: `vllm`, `ollama`, `lmstudio`, `llamacpp`.
 */
provider: string, 
/**
 * Its address.
 */
base_url: string, 
/**
 * Its models, as ids for runs.
 */
models: Array<string>, 
/**
 * Whether it wants a key before it tells its models.
 */
wants_key: boolean, };

/**
 * A model or kind of model that can be run.
 */
export type ModelSummary = { 
/**
 * `provider/model`, or `provider/` where the model's name is the user's to give.
 */
id: string, 
/**
 * How it is reached.
 */
kind: ModelKind, 
/**
 * The base URL used when none is given.
 */
default_base_url: string | null, 
/**
 * Whether it cannot be asked without a base URL.
 */
needs_base_url: boolean, 
/**
 * Keys and settings without which it cannot be asked at its own address; with another base URL none is needed.
 */
needs: Array<KeyNeed>, 
/**
 * What can be chosen of a model inside the application; left out for all others.
 */
local?: LocalChoice, 
/**
 * The connection, for an entry that is one; left out for all others.
 */
connection?: Connection, };

/**
 * Whether a model's weights are to be had: the third column of the combined table.
 */
export type ModelType = "API" | "OSS";

/**
 * A recorded call that is like another one.
 */
export type NearestCall = { 
/**
 * Its arguments after defaults and coercion.
 */
args: unknown, 
/**
 * Names of the arguments that differ or stand on one side only.
 */
differing: Array<string>, };

/**
 * The recorded call that is most like a missed one.
 */
export type NearestMiss = { 
/**
 * Its arguments after defaults and coercion.
 */
args: unknown, 
/**
 * What differs, by name.
 */
differences: Array<ArgumentDifference>, };

/**
 * What it would take to separate the two, if the difference that was seen is the true one: power 0.8 at 0.05 two-sided,
 * before any correction.
 */
export type Needs = { 
/**
 * Further tasks of the same kind.
 */
more_tasks: number, 
/**
 * How many times as many attempts a task at least, should new tasks not be had: as if all spread came from chance
 * within the tasks, of which one report does not know.
 */
times: number, };

/**
 * What puts a process offline whatever the switch says.
 */
export type OfflineForced = "option" | "environment";

/**
 * Whether koab is offline.
 */
export type OfflineView = { 
/**
 * Whether anything that would leave this computer is refused now.
 */
on: boolean, 
/**
 * Whether the workspace's switch is on: it counts wherever nothing forces it.
 */
kept: boolean, 
/**
 * What puts this process offline whatever the switch says; `null` where nothing does.
 */
forced: OfflineForced | null, };

/**
 * What a report's run and the pack ask under the same ids.
 */
export type OtherInstructions = { 
/**
 * The report.
 */
report: string, 
/**
 * The run that it is of, when its logs are in the workspace.
 */
run: string | null, 
/**
 * The pack that it was compared with: the run's own, else the active one.
 */
pack: string | null, 
/**
 * Tasks that run and pack have both.
 */
compared: number, 
/**
 * Those with another instruction, by level and in the log's order.
 */
tasks: Array<TaskOfLevel>, };

/**
 * A level, scored otherwise than in the report.
 */
export type OtherLevel = { 
/**
 * The level.
 */
level: Level, 
/**
 * Its means.
 */
metrics: Array<OtherMetric>, };

/**
 * A mean, scored otherwise than in the report.
 */
export type OtherMetric = { 
/**
 * Name as published.
 */
metric: string, 
/**
 * The number.
 */
value: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * The report's logs by the other scorer's rules.
 */
export type OtherScorer = { 
/**
 * Which.
 */
scorer: Protocol, 
/**
 * Why it cannot be computed at all.
 */
reason: Sentence | null, 
/**
 * Judge questions of this scorer in these logs.
 */
questions: number, 
/**
 * Those that nobody has answered yet.
 */
unanswered: number, 
/**
 * Means level by level.
 */
levels: Array<OtherLevel>, 
/**
 * The composite.
 */
composites: Array<CompositeFigure>, 
/**
 * What the two scorers do differently.
 */
differences: Array<ScorerDifference>, };

/**
 * A metric over the tasks of all levels.
 */
export type OverallFigure = { 
/**
 * Name as published.
 */
metric: string, 
/**
 * Its interval.
 */
range: ScoreRange, 
/**
 * Tasks in the mean; null where there is none.
 */
tasks: number | null, 
/**
 * The number.
 */
value: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * A score with people's word in the place of judges'.
 */
export type Overridden = { 
/**
 * The score; null when it still cannot be told.
 */
value: number | null, 
/**
 * Why there is none, or the error that counts as 0.
 */
reason: Sentence | null, };

/**
 * Which override to take back.
 */
export type OverrideRemoval = { 
/**
 * Run id.
 */
run: string, 
/**
 * Task id.
 */
task: string, 
/**
 * Metric.
 */
metric: string, 
/**
 * As in the request that made it.
 */
judge: string | null, 
/**
 * Who takes it back.
 */
by: string, };

/**
 * A person's word against a judge's.
 */
export type OverrideRequest = { 
/**
 * Run id.
 */
run: string, 
/**
 * Task id.
 */
task: string, 
/**
 * Metric as published, such as `SR`.
 */
metric: string, 
/**
 * Whose answer it stands for; null for all judges.
 */
judge: string | null, 
/**
 * Yes or no, for SR and `EffScore`.
 */
success: boolean | null, 
/**
 * Grade from 1 to 5, for the others.
 */
score: number | null, 
/**
 * Who says so.
 */
by: string, 
/**
 * Why.
 */
why: string, };

/**
 * An override that holds.
 */
export type OverrideRow = { 
/**
 * Run where it was said.
 */
run: string, 
/**
 * Task.
 */
task: string, 
/**
 * Metric.
 */
metric: string, 
/**
 * Whose answer it stands for; null for all judges.
 */
judge: string | null, 
/**
 * Yes or no.
 */
success: boolean | null, 
/**
 * Grade from 1 to 5.
 */
score: number | null, 
/**
 * Who said so.
 */
by: string, 
/**
 * Why.
 */
why: string, 
/**
 * When, UTC, ISO 8601.
 */
at: string, 
/**
 * Whether the question is still the one it answers; null when that was not looked up. One that does not apply any
 * more changes no score.
 */
applies: boolean | null, };

/**
 * A pack that was saved here.
 */
export type OwnPack = { 
/**
 * Pack name.
 */
name: string, 
/**
 * Its versions, the newest first.
 */
versions: Array<OwnPackVersion>, };

/**
 * A version of an own pack.
 */
export type OwnPackVersion = { 
/**
 * 1, 2, …
 */
number: number, 
/**
 * As runs name it: the number and how the content's hash begins.
 */
version: string, 
/**
 * SHA-256 of everything in it.
 */
sha256: string, 
/**
 * What it changed in the one before.
 */
changes: DraftChanges, 
/**
 * When it was saved, UTC, ISO 8601.
 */
saved_at: string, 
/**
 * Whether it is installed.
 */
installed: boolean, };

/**
 * A tool that an agent brings along.
 */
export type OwnTool = { 
/**
 * Its name, as the model called it.
 */
name: string, 
/**
 * How often it was asked for.
 */
calls: number, };

/**
 * An archive of a pack.
 */
export type PackFile = { 
/**
 * Name to propose.
 */
name: string, 
/**
 * `name@version` of the pack.
 */
label: string, 
/**
 * The ZIP file in base64.
 */
base64: string, };

/**
 * What an import brought.
 */
export type PackImport = { 
/**
 * The pack.
 */
pack: PackSummary, 
/**
 * Everything that is wrong with its data.
 */
problems: Array<Finding<Fault>>, 
/**
 * How long it took.
 */
seconds: number, };

/**
 * What a look at a pack found.
 */
export type PackLint = { 
/**
 * `name@version` of the pack.
 */
label: string, 
/**
 * Everything that is wrong with its data, each with what to do about it.
 */
problems: Array<Finding<Fault>>, 
/**
 * Calls of all golden paths; injected failures left out.
 */
calls: number, 
/**
 * Those of them that a cached response answers.
 */
answered: number, 
/**
 * Those that none answers: task id and place.
 */
missing: Array<string>, };

/**
 * A pack by name.
 */
export type PackName = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its version.
 */
version: string, };

/**
 * What to fetch.
 */
export type PackPullRequest = { 
/**
 * A dataset on a hub, as `org/name` or `org/name@revision`; with [`PackPullRequest::archive`] an address.
 */
from: string, 
/**
 * Whether `from` is the address of an archive, or of the page of a repository of which there is one.
 */
archive?: boolean, 
/**
 * The installed pack that what is published is compared with, or whose tools solve tasks that come without any; the one that
 * fits best when none is named.
 */
pack?: string, };

/**
 * What a pull brought.
 */
export type PackPulled = { "kind": "pack", 
/**
 * Where it came from.
 */
from: PulledFrom, 
/**
 * As of any import.
 */
imported: PackImport, } | { "kind": "tasks", 
/**
 * Where they came from.
 */
from: PulledFrom, 
/**
 * As of any import.
 */
imported: PackImport, 
/**
 * The pack whose tools, judge prompts and cached responses it has.
 */
with: string, } | { "kind": "published", 
/**
 * Where it came from.
 */
from: PulledFrom, 
/**
 * What it says.
 */
published: PublishedView, };

/**
 * A pack, as a run names it.
 */
export type PackRef = { 
/**
 * Name in the workspace.
 */
name: string, 
/**
 * Version.
 */
version: string, 
/**
 * Hash of its tasks, tools, prompts and records, the same in every workspace: lower-case hex. Null where nobody
 * computed it.
 */
hash: string | null, };

/**
 * What removing a pack takes along, and what it leaves.
 */
export type PackRemoval = { 
/**
 * Its tasks go.
 */
tasks: number, 
/**
 * Its cached responses go.
 */
records: number, 
/**
 * Runs that were made with it stay, but can be neither scored nor gone on with until it is imported again.
 */
runs: number, 
/**
 * Flags on its tasks stay, for when it is imported again.
 */
flags: number, 
/**
 * Earlier versions of an own pack go along.
 */
versions: number, 
/**
 * Snapshots of it stay, with the records that they read.
 */
snapshots: number, 
/**
 * The pack that runs use afterwards; `null` when none is left.
 */
active: string | null, 
/**
 * Whether it is the starter pack, which can be had again without a file.
 */
starter: boolean, };

/**
 * One pack of the workspace.
 */
export type PackSummary = { 
/**
 * Name, unique in the workspace.
 */
name: string, 
/**
 * Version of the pack.
 */
version: string, 
/**
 * One line for people.
 */
title: string, 
/**
 * Licence of its data.
 */
licence: string, 
/**
 * Whether the data is invented sample data.
 */
sample: boolean, 
/**
 * Whether runs use it unless told otherwise.
 */
active: boolean, 
/**
 * Tasks a level, levels without tasks left out.
 */
levels: Array<LevelCount>, 
/**
 * Tool definitions; `null` where each item has its own.
 */
tools: number | null, 
/**
 * Cached responses; `null` where no tool is answered.
 */
records: number | null, 
/**
 * The benchmark whose items it holds in the place of tasks; `null` in packs of Ko-AgentBench's tasks.
 */
kind: string | null, 
/**
 * Items by group, in that benchmark's order.
 */
groups: Array<GroupCount>, };

/**
 * One installed pack.
 */
export type PackView = { 
/**
 * As in the list.
 */
summary: PackSummary, 
/**
 * Where the data comes from, in the pack's words.
 */
source: string, 
/**
 * When it was imported, UTC, ISO 8601.
 */
imported_at: string, 
/**
 * How its records stand to its catalog.
 */
records: RecordStanding, 
/**
 * What its import found.
 */
problems: Array<Finding<Fault>>, 
/**
 * Tasks that the user flagged.
 */
flags: number, };

/**
 * How far two judges agree.
 */
export type PairAgreement = { 
/**
 * One judge.
 */
one: string, 
/**
 * The other.
 */
other: string, 
/**
 * Questions that both answered.
 */
questions: number, 
/**
 * Share (0 to 1) of equal answers.
 */
percent: LabEstimate, 
/**
 * Cohen's kappa, unweighted.
 */
kappa: LabEstimate, };

/**
 * What the tests of two reports come to, with how far the two can be compared at all.
 */
export type PairConclusion = { 
/**
 * The rules that both are scored by; of a pair that shares none, the first one's.
 */
scorer: Protocol, 
/**
 * The one that the other is compared with.
 */
first: PairSide, 
/**
 * The other.
 */
second: PairSide, 
/**
 * How far the two can be compared.
 */
grade: Grade, 
/**
 * What it comes to.
 */
conclusion: Conclusion, };

/**
 * Cohen's kappa of two judges.
 */
export type PairKappa = { 
/**
 * One judge.
 */
one: string, 
/**
 * The other.
 */
other: string, 
/**
 * Kappa, unweighted, over the questions that both answered.
 */
kappa: Figure, };

/**
 * One of the two.
 */
export type PairSide = { 
/**
 * Report id.
 */
id: string, 
/**
 * Model id.
 */
model: string, 
/**
 * What it is called beside the other one, as in [`ComparedReport`](super::ComparedReport).
 */
name: string, };

/**
 * One figure of two reports.
 */
export type PairTest = { 
/**
 * Its level; null for a figure over several.
 */
level: Level | null, 
/**
 * The metric; null for a level's score or a composite.
 */
metric: MetricId | null, 
/**
 * Name of the composite's reading; null for everything else.
 */
variant: string | null, 
/**
 * Tasks that both have a score of.
 */
tasks: number, 
/**
 * Tasks of the same levels that only one has, or one has no score of.
 */
left_out: number, 
/**
 * The first report's number over these tasks.
 */
first: number | null, 
/**
 * The second's.
 */
second: number | null, 
/**
 * The second's less the first's.
 */
difference: number | null, 
/**
 * 95 % interval of the difference.
 */
interval: Interval | null, 
/**
 * Why there is none although there is a difference.
 */
no_interval: Sentence | null, 
/**
 * Tasks on which the second did better.
 */
won: number, 
/**
 * Tasks on which the first did better.
 */
lost: number, 
/**
 * Tasks on which both did the same.
 */
tied: number, 
/**
 * Which test.
 */
test: PairTestKind | null, 
/**
 * Its p value.
 */
p: number | null, 
/**
 * The same after Holm's correction.
 */
holm: number | null, 
/**
 * The number of tests that this correction goes over, this one among them; null when there is no test.
 */
corrected_over: number | null, 
/**
 * How large the difference is by the spread between tasks; positive when the second is better.
 */
effect: number | null, 
/**
 * What `effect` is.
 */
effect_kind: EffectKind | null, 
/**
 * Why there is none although there is a test.
 */
no_effect: Sentence | null, 
/**
 * What it would take to separate them; null when they are, or when it cannot be told.
 */
needs: Needs | null, 
/**
 * Why it cannot be told.
 */
no_needs: Sentence | null, 
/**
 * Tasks in all that would separate a true difference of 0.05 with power 0.8 at 0.05 two-sided, before any correction, by
 * the spread that was seen; null without a test or a spread.
 */
tasks_for_margin: number | null, 
/**
 * By the corrected p value.
 */
verdict: PairVerdict, 
/**
 * Why there is no test.
 */
reason: Sentence | null, };

/**
 * Which test gave a p value. All are two-sided.
 */
export type PairTestKind = "mcnemar" | "flips_all" | "flips_drawn";

/**
 * Everything that can be said about the difference of two reports.
 */
export type PairTests = { 
/**
 * Families that have figures.
 */
families: Array<FamilyTests>, 
/**
 * Tasks that both have.
 */
tasks: number, 
/**
 * Tasks that only one has.
 */
left_out: number, 
/**
 * Draws of intervals and of signs.
 */
draws: number, 
/**
 * Where they began.
 */
seed: number, };

/**
 * What a test comes to.
 */
export type PairVerdict = "first" | "second" | "not_separated" | "untested";

/**
 * Two reports tested against each other.
 */
export type PairView = { 
/**
 * The pair as it was asked for, or as the same runs were scored by one of two rules; then the same runs by the other
 * rules, where both have such a report.
 */
pairs: Array<ScoredPair>, };

/**
 * Which reports are tested, and how.
 */
export type PairsRequest = { 
/**
 * Report ids; the first is compared with each other one.
 */
ids: Array<string>, 
/**
 * Only these figures; empty for all, composites among them.
 */
metrics: Array<WantedFigure>, 
/**
 * Where draws begin; null for the usual seed.
 */
seed: number | null, 
/**
 * How many; null for 10,000.
 */
draws: number | null, };

/**
 * The first report against each other one, in the order asked for.
 */
export type PairsView = { 
/**
 * What each pair comes to, under the first report's scorer where both runs have such a report.
 */
conclusions: Array<PairConclusion>, 
/**
 * The tests of each pair.
 */
pairs: Array<PairView>, };

/**
 * A part of the composite score.
 */
export type PartFigure = { 
/**
 * `basic`, `error_handling`, `efficiency` or `context`.
 */
part: string, 
/**
 * Its share of the composite.
 */
weight: number, 
/**
 * Its value.
 */
value: number, };

/**
 * A report with what people said instead of judges. The report itself and its files stay as judged.
 */
export type PeoplesWord = { 
/**
 * What they said.
 */
overrides: Array<OverrideRow>, 
/**
 * The means that it changes or could have changed: those of the metrics it is about.
 */
levels: Array<OtherLevel>, 
/**
 * Every reading of the composite.
 */
composites: Array<CompositeFigure>, 
/**
 * What to know about it, one sentence each.
 */
notes: Array<Sentence>, };

/**
 * USD per million tokens.
 */
export type Price = { 
/**
 * Of prompt tokens. Discounts for cached ones are not counted.
 */
input: number, 
/**
 * Of completion tokens, thinking included.
 */
output: number, };

/**
 * A price as `koab models prices` shows it.
 */
export type PriceRow = { 
/**
 * Model id, or the start of one with `*`.
 */
model: string, 
/**
 * USD per million prompt tokens.
 */
input: number, 
/**
 * USD per million completion tokens.
 */
output: number, 
/**
 * Date of the price, `YYYY-MM-DD`.
 */
as_of: string, 
/**
 * Where it is from, when the table says so.
 */
source: string | null, 
/**
 * Whether it was found nowhere that its provider answers for.
 */
unconfirmed: boolean, 
/**
 * Whether it stands in the workspace's `prices.json`.
 */
own: boolean, };

/**
 * A figure of such a table.
 */
export type PrintedCell = { 
/**
 * Its name.
 */
name: string, 
/**
 * The figure, unrounded; null where there is none.
 */
value: number | null, 
/**
 * The figure as printed.
 */
text: string, 
/**
 * Whether it is ours, and not the authors'.
 */
ours: boolean, 
/**
 * Why there is none, or what whoever reads it has to know.
 */
remark?: Sentence, };

/**
 * A table as its authors print it.
 */
export type PrintedTable = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its figures, in the order in which they are printed.
 */
cells: Array<PrintedCell>, 
/**
 * The whole of it, where the form is the authors'.
 */
printed?: string, };

/**
 * Under which rules a run is made, and by which rules a log is scored.
 *
 * A run is made under exactly one and says so in its log. Any log can be scored by either (the differences are
 * [`crate::score::DIFFERENCES`]); a report names the one that scored it.
 */
export type Protocol = "leaderboard" | "corrected";

/**
 * Where the proxy is taken from.
 */
export type ProxyMode = "system" | "direct" | "address";

/**
 * What is published beside what a pack has.
 */
export type PublishedDrift = { 
/**
 * Name of the pack.
 */
pack: string, 
/**
 * Its version.
 */
version: string, 
/**
 * Counts a level, levels without tasks on both sides left out.
 */
levels: Array<DriftCounts>, 
/**
 * Every task of either side.
 */
rows: Array<DriftRow>, };

/**
 * What is published of a benchmark and was fetched.
 */
export type PublishedSummary = { 
/**
 * The repository.
 */
repo: string, 
/**
 * Its page.
 */
page: string, 
/**
 * The branch, tag or commit that was asked for.
 */
revision: string, 
/**
 * The commit.
 */
commit: string, 
/**
 * Licence as the repository states it.
 */
licence: string | null, 
/**
 * When it was fetched, UTC, ISO 8601.
 */
pulled_at: string, 
/**
 * Tasks.
 */
tasks: number, };

/**
 * What is published, compared with an installed pack.
 */
export type PublishedView = { 
/**
 * As in the list.
 */
summary: PublishedSummary, 
/**
 * Tasks a level, levels without tasks left out.
 */
levels: Array<LevelCount>, 
/**
 * What is wrong with its files.
 */
problems: Array<Finding<Fault>>, 
/**
 * How it stands to a pack; `null` where none is installed.
 */
drift: PublishedDrift | null, };

/**
 * What to fetch.
 */
export type PullRequest = { 
/**
 * The repository, also as `org/name@revision`.
 */
repo: string, 
/**
 * The model by a file of it ([`HubOffer::file`]).
 */
file?: string, 
/**
 * The GGUF model quantized so: `4bit`, `8bit`, or as names of files have it.
 */
quantization?: string, 
/**
 * Exactly the files that fit these patterns.
 */
include?: Array<string>, };

/**
 * How a download stands.
 */
export type PullStanding = "running" | "paused" | "failed" | "done" | "cancelled";

/**
 * A download.
 */
export type PullState = { 
/**
 * Its id: the same for the same model at the same commit, whoever begins it.
 */
id: string, 
/**
 * The repository.
 */
repo: string, 
/**
 * The branch, tag or commit that was asked for.
 */
revision: string, 
/**
 * The commit.
 */
commit: string, 
/**
 * The model's first file of weights.
 */
file: string, 
/**
 * What the weights are kept as.
 */
kind: LocalKind, 
/**
 * How it stands.
 */
standing: PullStanding, 
/**
 * Why it failed.
 */
error: WireError | null, 
/**
 * Bytes that are here.
 */
done: number, 
/**
 * Bytes of all its files.
 */
total: number, 
/**
 * Bytes a second over the last seconds; `null` while nothing can be said.
 */
speed: number | null, 
/**
 * Seconds that are left at this speed.
 */
eta_s: number | null, 
/**
 * Files that are here, and all of them.
 */
files: [number, number], };

/**
 * Where something was fetched from.
 */
export type PulledFrom = { 
/**
 * The repository, or the address of an archive.
 */
name: string, 
/**
 * Its page.
 */
page: string, 
/**
 * The branch, tag or commit that was asked for; `null` for the address of a file.
 */
revision: string | null, 
/**
 * The commit; `null` where an archive does not say.
 */
commit: string | null, 
/**
 * Files that were needed.
 */
files: number, 
/**
 * Their bytes.
 */
bytes: number, 
/**
 * SHA-256 of an archive, lower-case hex; `null` for repositories, whose files are each compared with their hash.
 */
sha256: string | null, };

/**
 * How much smaller the weights are made.
 */
export type Quantization = "4bit" | "8bit";

/**
 * A question to the judges and everything that is stored about it.
 */
export type QuestionVerdicts = { 
/**
 * The metric that asks.
 */
metric: string, 
/**
 * The scorers that ask exactly this.
 */
scorers: Array<Protocol>, 
/**
 * Hash of the question; verdicts and overrides belong to it.
 */
hash: string, 
/**
 * System message.
 */
system: string, 
/**
 * User message.
 */
prompt: string, 
/**
 * Whether yes or no is asked, else a grade from 1 to 5.
 */
yes_no: boolean, 
/**
 * Whether only the first judge answers, with several votes.
 */
first_judge_only: boolean, 
/**
 * What the judges said, by judge and vote; empty when nobody was asked.
 */
verdicts: Array<StoredVerdict>, 
/**
 * What people said instead and holds.
 */
overrides: Array<OverrideRow>, };

/**
 * What a file brought back.
 */
export type QueueAnswered = { 
/**
 * The queue as it is now.
 */
queue: QueueSummary, 
/**
 * Answers taken from the file.
 */
taken: number, 
/**
 * Lines without an answer.
 */
empty: number, };

/**
 * The outcome of a queue's answers as overrides.
 */
export type QueueApplied = { 
/**
 * Answers that hold as overrides now.
 */
applied: number, 
/**
 * Questions without an answer, or unsure: nothing is said about them.
 */
left: number, 
/**
 * Those that could not be applied, and why.
 */
refused: Array<LabLeftOut>, };

/**
 * How a queue was drawn.
 */
export type QueueDraw = { 
/**
 * Metric of its questions.
 */
metric: string, 
/**
 * The chance of each question to be in the queue.
 */
probability: number, 
/**
 * Questions that it was drawn from.
 */
of: number, };

/**
 * What follows from the answers to a random queue.
 */
export type QueueEstimate = { 
/**
 * As in the list.
 */
queue: QueueSummary, 
/**
 * Metric of its questions.
 */
metric: string, 
/**
 * Answers up to the first question that was left out: those count.
 */
counted: number, 
/**
 * Of these, unsure ones: they count with the middle of the scale, and the intervals reach to both of its ends.
 */
unsure: number, 
/**
 * Answers behind it, which do not count.
 */
behind: number, 
/**
 * A run each.
 */
runs: Array<RunCorrected>, };

/**
 * A queue as a file for a reviewer elsewhere.
 */
export type QueueFile = { 
/**
 * Name to propose.
 */
name: string, 
/**
 * Its text.
 */
text: string, };

/**
 * A queue to make.
 */
export type QueueRequest = { 
/**
 * The runs.
 */
of: LabRequest, 
/**
 * Questions at most; null is 20 disputed or 60 random ones.
 */
most: number | null, 
/**
 * Draws this metric's questions at random, for an estimate; null takes the disputed ones of all metrics first.
 */
metric: string | null, 
/**
 * Seed of the draw, or of the order among equals.
 */
seed: number, 
/**
 * Who reviews.
 */
by: string, };

/**
 * What came of a review.
 */
export type QueueReveal = { 
/**
 * As in the list.
 */
queue: QueueSummary, 
/**
 * Each judge against the reviewer, the closest first.
 */
judges: Array<JudgeAgainstPeople>, 
/**
 * Its questions.
 */
questions: Array<RevealedQuestion>, 
/**
 * Why nothing can be said; null when it can.
 */
reason: Sentence | null, };

/**
 * A queue among others.
 */
export type QueueSummary = { 
/**
 * Its id: the same questions, reviewer and seed have the same.
 */
id: string, 
/**
 * Who reviews.
 */
by: string, 
/**
 * The runs that its questions are from.
 */
runs: Array<string>, 
/**
 * Questions.
 */
questions: number, 
/**
 * Of these, with an answer, unsure ones and skipped ones among them.
 */
answered: number, 
/**
 * When it was made, UTC, ISO 8601.
 */
made_at: string, 
/**
 * When it was revealed; null while it is blind.
 */
revealed_at: string | null, 
/**
 * When its answers became overrides.
 */
applied_at: string | null, 
/**
 * Seed.
 */
seed: number, 
/**
 * How it was drawn; null when it has the disputed questions first.
 */
draw: QueueDraw | null, };

/**
 * A queue to work through.
 */
export type QueueView = { 
/**
 * As in the list.
 */
queue: QueueSummary, 
/**
 * Its questions in order.
 */
questions: Array<BlindQuestion>, };

/**
 * How far two panels rank the runs alike.
 */
export type RankAgreement = { 
/**
 * The measure that is ranked by.
 */
measure: LabMeasure, 
/**
 * Place of one panel in [`JudgesEffect::panels`].
 */
one: number, 
/**
 * Place of the other.
 */
other: number, 
/**
 * Runs that both have a value for.
 */
runs: number, 
/**
 * Kendall's τ-b.
 */
tau: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * A report among others.
 */
export type Ranked = { 
/**
 * Its number over the tasks that all have; null when it is not ranked.
 */
value: number | null, 
/**
 * That number less the first report's; null when either is not ranked.
 */
difference: number | null, 
/**
 * Its rank by that number, 1 the best; equal numbers share one.
 */
rank: number | null, 
/**
 * The best rank of its 95 % interval.
 */
low: number | null, 
/**
 * The worst.
 */
high: number | null, 
/**
 * Share of draws in which none was better.
 */
first_share: number | null, 
/**
 * p value of the difference to the best; null for the best itself.
 */
p: number | null, 
/**
 * The same after Holm's correction over all that are compared with the best.
 */
holm: number | null, 
/**
 * Whether it is the best, or does not differ from it.
 */
with_best: boolean, 
/**
 * Why it is not ranked.
 */
reason: Sentence | null, };

/**
 * What reports are ranked by.
 */
export type RankedBy = "composite" | "success_rate";

/**
 * Reports ranked by one number.
 */
export type Ranking = { 
/**
 * By which.
 */
by: RankedBy, 
/**
 * Name of the composite's reading; null for anything else.
 */
variant: string | null, 
/**
 * Tasks that all of the ranked have.
 */
tasks: number, 
/**
 * The reports in the order given.
 */
reports: Array<Ranked>, };

/**
 * Reports ranked by each number that they can be ranked by.
 */
export type RanksView = { 
/**
 * Report ids; the lists of the rankings have this order.
 */
reports: Array<string>, 
/**
 * By the composite score, then by success rate.
 */
rankings: Array<Ranking>, };

/**
 * A task as the run's files have it.
 */
export type RawTranscript = { 
/**
 * The task's entry in the level log; null while there is none.
 */
log: unknown, 
/**
 * The attempt's record in the journal; null where there is none, as in published runs.
 */
attempt: unknown, };

/**
 * A workspace that was opened on this computer.
 */
export type RecentWorkspace = { 
/**
 * Its folder.
 */
folder: string, 
/**
 * When it was last opened, UTC.
 */
opened: string, 
/**
 * What is there now.
 */
state: WorkspaceState, };

/**
 * What an import found among the cached responses.
 */
export type RecordStanding = { 
/**
 * Kept.
 */
kept: number, 
/**
 * Kept, under the keys of the current catalog.
 */
current: number, 
/**
 * Kept, but recorded under an earlier definition of the tool.
 */
stale: number, 
/**
 * Kept, but of a tool that the catalog does not have.
 */
orphan: number, 
/**
 * Those that answer a call: one for each tool and arguments.
 */
answering: number, 
/**
 * Left out: could not be read, or had a twin under the same key.
 */
left_out: number, };

/**
 * A call in the list.
 */
export type RecordedCall = { 
/**
 * Which of all that came, from 1.
 */
number: number, 
/**
 * The session it is part of; none where it was not kept.
 */
session: number | null, 
/**
 * Tool name.
 */
tool: string, 
/**
 * Its arguments as they are kept, cut where they are long; none where there were none or the call was not kept.
 */
arguments: string | null, 
/**
 * Its outcome.
 */
outcome: CallOutcome, 
/**
 * Whether a value was replaced in it.
 */
masked: boolean, 
/**
 * How long the answer took.
 */
ms: number | null, 
/**
 * Bytes of the answer.
 */
bytes: number | null, };

/**
 * What the page of a pack says of its recording.
 */
export type RecordedFacts = { 
/**
 * The command or the address that was recorded.
 */
of: string, 
/**
 * When, UTC.
 */
recorded_at: string, 
/**
 * Calls.
 */
calls: number, 
/**
 * Sessions that they belong to.
 */
sessions: number, 
/**
 * Tools that do not answer the same twice, each with the rule under which that does not matter.
 */
unsteady: Array<Sentence>, };

/**
 * How far a recording is.
 */
export type RecordingPhase = "starting" | "listening" | "over";

/**
 * What the window's form asks for.
 */
export type RecordingRequest = { 
/**
 * Name of the pack.
 */
name: string, 
/**
 * Where the server is.
 */
server: RecordingServer, 
/**
 * Names of variables that it is given beside PATH, HOME and LANG.
 */
env: Array<string>, 
/**
 * Replace values that must not be kept, and keep the answers.
 */
mask: boolean, 
/**
 * The folder that it works in; none where that does not matter.
 */
work: string | null, };

/**
 * Where a server is.
 */
export type RecordingServer = { "kind": "command", 
/**
 * Program and arguments; quotes hold words together.
 */
line: string, } | { "kind": "url", 
/**
 * Its address.
 */
url: string, 
/**
 * Name of the variable that holds a header.
 */
header_env: string | null, };

/**
 * What a recording holds once it is over.
 */
export type RecordingSummary = { 
/**
 * `name@version` of the pack.
 */
label: string, 
/**
 * Tools.
 */
tools: number, 
/**
 * Calls.
 */
calls: number, 
/**
 * Sessions that they belong to.
 */
sessions: number, 
/**
 * Why it ended before it was stopped.
 */
failed: Sentence | null, };

/**
 * A recording that goes on, or the last one of this process.
 */
export type RecordingView = { 
/**
 * Name of the pack.
 */
name: string, 
/**
 * How far it is.
 */
phase: RecordingPhase, 
/**
 * Whether it was asked to stop and is not over.
 */
stopping: boolean, 
/**
 * What the server calls itself, with its version.
 */
server: string | null, 
/**
 * Its tools.
 */
tools: number, 
/**
 * Where clients find it.
 */
url: string | null, 
/**
 * The session that calls belong to now.
 */
session: number, 
/**
 * Calls that were kept.
 */
calls: number, 
/**
 * Answers that were not kept.
 */
left_out: number, 
/**
 * Bytes of the answers that were kept.
 */
bytes: number, 
/**
 * The last calls, the newest first.
 */
last: Array<RecordedCall>, 
/**
 * What is to be known beside it.
 */
remarks: Array<Sentence>, 
/**
 * What it holds, once it is over.
 */
kept: RecordingSummary | null, 
/**
 * Why nothing was recorded.
 */
error: WireError | null, };

/**
 * Where a run's tool calls could be answered from.
 */
export type RecordingsFrom = "pack" | "snapshot" | "overlay" | "write";

/**
 * What a run's tool calls could be answered from.
 */
export type RecordingsUsed = { 
/**
 * Where from.
 */
source: RecordingsFrom, 
/**
 * Name of the snapshot.
 */
snapshot: string | null, 
/**
 * Hash of the snapshot or of the overlay as the run read it; null when it has none or does not say.
 */
sha256: string | null, };

/**
 * A reference that is not ranked.
 */
export type ReferenceLeftOut = { 
/**
 * Report id.
 */
id: string, 
/**
 * Model id.
 */
model: string, 
/**
 * Why, as the end of a sentence that begins with the model.
 */
reason: Sentence, };

/**
 * A report of the set.
 */
export type ReferenceReport = { 
/**
 * Report id.
 */
id: string, 
/**
 * Model id.
 */
model: string, 
/**
 * Date of the run.
 */
date: string, 
/**
 * Where it was taken from: below what the user named.
 */
source: string, };

/**
 * Published reports that were taken in to compare others with.
 */
export type ReferenceSet = { 
/**
 * Its reports, by model.
 */
reports: Array<ReferenceReport>, };

/**
 * Where a report stands among the reference set.
 */
export type ReferenceStanding = { 
/**
 * Reports of the set.
 */
references: number, 
/**
 * A ranking each; none when no other report can stand beside this one.
 */
measures: Array<StandingMeasure>, 
/**
 * What the reader must know of those that do stand beside it, such as that other judges graded them.
 */
caveats: Array<Sentence>, 
/**
 * References that cannot stand beside this report.
 */
left_out: Array<ReferenceLeftOut>, };

/**
 * A file that an engine is given.
 */
export type RemoteFile = { 
/**
 * Its name.
 */
name: string, 
/**
 * What is in it.
 */
text: string, };

/**
 * What an engine would be given.
 */
export type RemotePlan = { 
/**
 * Which engine.
 */
engine: EngineKind, 
/**
 * Attempts that are still to be made.
 */
attempts: number, 
/**
 * Shards of the run.
 */
shards: number, 
/**
 * Those that would be made.
 */
unfinished: number, 
/**
 * Workers at once at most.
 */
at_once: number, 
/**
 * Its files, the last one being what is asked of it.
 */
files: Array<RemoteFile>, };

/**
 * How a run is handed to an engine.
 */
export type RemoteRequest = { 
/**
 * Which engine.
 */
engine: EngineKind, 
/**
 * Shards of the run; what suits it when left out.
 */
shards?: number, 
/**
 * Workers at once at most; 8 when left out.
 */
at_once?: number, 
/**
 * Words for the engine, such as `-p gpu --time=4:00:00`; of a run that goes on those that it had when left out.
 */
engine_args?: string, };

/**
 * A run at an engine.
 */
export type RemoteRun = { 
/**
 * The run, by its id.
 */
run: string, 
/**
 * What is done for it there; what is counted are attempts, or answers of judges.
 */
work: RemoteWork, 
/**
 * Which engine.
 */
engine: EngineKind, 
/**
 * Its jobs there, the newest last.
 */
jobs: Array<string>, 
/**
 * Workers at once at most.
 */
at_once: number, 
/**
 * When it was handed over last, milliseconds since the Unix epoch.
 */
submitted_ms: number, 
/**
 * Whether workers wait or work there.
 */
active: boolean, 
/**
 * Whether what they made is still to be joined by the engine.
 */
merging: boolean, 
/**
 * Why the engine could not be asked; states are then those of the files alone.
 */
silent: Sentence | null, 
/**
 * Its shards.
 */
shards: Array<RemoteShard>, 
/**
 * How many of them stand how.
 */
states: RemoteStates, 
/**
 * Nodes that work for it now, by name.
 */
nodes: Array<string>, 
/**
 * Attempts of the run.
 */
planned: number, 
/**
 * Those that have ended.
 */
done: number, 
/**
 * Those of them that ended for technical reasons.
 */
failed: number, 
/**
 * Tokens of theirs.
 */
tokens: number, 
/**
 * USD for those; null when that is not known.
 */
usd: number | null, 
/**
 * USD that the run may cost.
 */
max_cost: number | null, 
/**
 * Tokens that it may take.
 */
max_total_tokens: number | null, 
/**
 * How often a call was made again because the server wanted fewer at once.
 */
rate_limits: number, };

/**
 * A shard of a run at an engine.
 */
export type RemoteShard = { 
/**
 * 0-based.
 */
index: number, 
/**
 * How it stands.
 */
state: WorkerStanding, 
/**
 * Where it is made, or was made last.
 */
node: string | null, 
/**
 * Why it waits or has failed.
 */
reason: Sentence | null, 
/**
 * How often the engine began it again.
 */
restarts: number, 
/**
 * Its attempts.
 */
planned: number, 
/**
 * Those that have ended.
 */
done: number, };

/**
 * How many shards stand how.
 */
export type RemoteStates = { 
/**
 * Those that are to begin.
 */
waiting: number, 
/**
 * Those that are made.
 */
running: number, 
/**
 * Those that are made whole.
 */
done: number, 
/**
 * Those that ended otherwise.
 */
failed: number, 
/**
 * Those that somebody ended.
 */
cancelled: number, 
/**
 * Those of which nobody can say, since the engine does not answer.
 */
unknown: number, };

/**
 * What workers of a run do.
 */
export type RemoteWork = "attempts" | "judging";

/**
 * A number over tasks, with its interval.
 */
export type RepeatedFigure = { 
/**
 * Attempts that the number is about; 1 for means.
 */
k: number, 
/**
 * Its interval.
 */
range: ScoreRange, 
/**
 * Tasks in it.
 */
tasks: number, 
/**
 * Tasks that are not, because too few of their attempts were made or could be scored.
 */
left_out: number, 
/**
 * The number.
 */
value: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * A metric over all attempts.
 */
export type RepeatedMetric = { 
/**
 * Name as published.
 */
metric: string, 
/**
 * Mean over the tasks of each task's mean over its attempts.
 */
mean: RepeatedFigure, 
/**
 * The mean of each repetition by itself, in order; null where there is none.
 */
runs: Array<number | null>, 
/**
 * pass@k; empty where an attempt is not right or wrong, but something between.
 */
pass_at: Array<RepeatedFigure>, 
/**
 * pass^k; empty likewise.
 */
pass_all: Array<RepeatedFigure>, 
/**
 * Tasks whose attempts disagree; null where an attempt is not right or wrong.
 */
disagreement: Disagreement | null, };

/**
 * The attempts at one task.
 */
export type RepeatedTaskView = { 
/**
 * Its level.
 */
level: Level, 
/**
 * Task id.
 */
task: string, 
/**
 * Planned attempts in order, also those that were not made.
 */
attempts: Array<AttemptMark>, };

/**
 * One repetition in the switch between them.
 */
export type Repetition = { 
/**
 * 1-based.
 */
repetition: number, 
/**
 * How it stands.
 */
status: TaskStatus, 
/**
 * Whether its conversation was kept; the published log has that of the first only.
 */
kept: boolean, };

/**
 * A level, or all of them.
 */
export type RepetitionScope = { 
/**
 * The level; null for all tasks.
 */
level: Level | null, 
/**
 * Tasks.
 */
tasks: number, 
/**
 * Metrics in report order.
 */
metrics: Array<RepeatedMetric>, };

/**
 * What the attempts of a report's run tell, or why there is nothing to tell.
 */
export type RepetitionsView = { 
/**
 * Why there is nothing: one attempt a task, or only the first ones were scored.
 */
reason: Sentence | null, 
/**
 * Attempts a task that the run planned.
 */
planned: number, 
/**
 * Whether judges were asked about the first attempts only.
 */
first_only: boolean, 
/**
 * All tasks first, then each level.
 */
scopes: Array<RepetitionScope>, 
/**
 * Tasks in report order, each with its attempts.
 */
tasks: Array<RepeatedTaskView>, };

/**
 * A whole report, all that its folder says.
 */
export type ReportDetail = { 
/**
 * As in the library.
 */
row: ReportRow, 
/**
 * The published files that it has: `json`, `csv`, `md`.
 */
files: Array<string>, 
/**
 * When it was scored.
 */
evaluation_date: string, 
/**
 * Tasks a level that were scored, when not all were.
 */
sample: number | null, 
/**
 * Votes of the first judge on SR.
 */
votes: number, 
/**
 * How several judges' grades were combined: `mean` or `median`.
 */
aggregate: string, 
/**
 * Whether its tasks were attempted several times: all numbers here but the published pass@k are of the first attempts.
 */
repeated: boolean, 
/**
 * Every evaluated task.
 */
tasks: Array<TaskFigure>, 
/**
 * Report id.
 */
id: string, 
/**
 * Model id.
 */
model: string, 
/**
 * `leaderboard` or `corrected`.
 */
scorer: Protocol, 
/**
 * Judges asked; empty when none.
 */
judges: Array<string>, 
/**
 * Address of their server, where the report says one and no connection of the workspace leads
 * there.
 */
judge_address?: string, 
/**
 * Date of the run.
 */
execution_date: string, 
/**
 * Id of the run; imported reports and those of earlier versions do not say it.
 */
run?: string, 
/**
 * Pack of the run, `name@version`, when known.
 */
pack?: string, 
/**
 * Protocol of the run, when known.
 */
protocol?: Protocol, 
/**
 * Attempts of the run that it was made of; imported reports and those of earlier versions do not say it.
 */
attempts?: AttemptCounts, 
/**
 * That the run went on after it was made, so that its numbers are not the run's any more. Not kept with the report, but
 * found when it is shown.
 */
outdated?: Sentence, 
/**
 * Levels in order.
 */
levels: Array<LevelReport>, 
/**
 * Every reading of the composite, first the one that the report is shown in.
 */
composites: Array<CompositeFigure>, 
/**
 * The metrics that every level has, over the tasks of all levels; empty where nobody has shown the report yet.
 */
overall: Array<OverallFigure>, 
/**
 * The report's folder.
 */
folder: string, 
/**
 * Share of tool calls answered by a record, when the run is ours.
 */
cache_hits: CacheUse | null, 
/**
 * How far the judges agree: a row a judged metric, then metrics together; empty when none was asked.
 */
agreement: Array<JudgeAgreement>, 
/**
 * What people said instead of judges and enters the `overridden` figures.
 */
overrides: Array<OverrideRow>, 
/**
 * How it can be compared, as it was known when it was scored; imported reports and those of earlier versions have none
 * kept.
 */
comparability?: Comparability, 
/**
 * What a reader must know before comparing these numbers: missing attempts, failed judges, another pack. One
 * sentence each.
 */
notes: Array<Sentence>, 
/**
 * The tables of another benchmark's authors; left out in reports of Ko-AgentBench.
 */
benchmark?: BenchmarkTables, };

/**
 * What the run behind a report adds, when its logs are in the workspace.
 */
export type ReportFacts = { 
/**
 * The run.
 */
run: RunOfReport | null, 
/**
 * Why nothing is known of the run.
 */
reason: Sentence | null, 
/**
 * What each task took.
 */
tasks: Array<TaskUsage>, 
/**
 * What the run cost.
 */
cost: CostFigure, 
/**
 * The same logs by the other scorer's rules.
 */
other: OtherScorer, 
/**
 * The same logs with what people said in the place of judges; null when nobody did.
 */
people: PeoplesWord | null, };

/**
 * A file's name and text.
 */
export type ReportFile = { 
/**
 * Name to propose.
 */
name: string, 
/**
 * Media type.
 */
media: string, 
/**
 * Its text.
 */
text: string, 
/**
 * What goes with it where the file itself cannot say it: how the report can be compared, and every number's interval.
 */
beside: Array<BesideFile>, };

/**
 * A report as a file to keep.
 */
export type ReportFormat = "html" | "json" | "csv" | "md";

/**
 * Where a report came from.
 */
export type ReportOrigin = "made" | "imported";

/**
 * One report in the library.
 */
export type ReportRow = { 
/**
 * Report id: the name of its folder.
 */
id: string, 
/**
 * Model id, under the name of the user's connection where one leads to its address; the
 * folder's name when the report cannot be read.
 */
model: string, 
/**
 * Address of the model's server, as far as the run says it; left out where it is the
 * provider's own, and where the model's name says it.
 */
address?: string, 
/**
 * Date of the run: `YYYYMMDD_HHMMSS`, or `YYYYMMDD` where no more is known.
 */
date: string, 
/**
 * Id of the run, for reports that were made here.
 */
run: string | null, 
/**
 * What its run was made for, where that has only the tasks that this asked for.
 */
part_of?: RunPart, 
/**
 * Pack of the run, `name@version`, when known.
 */
pack: string | null, 
/**
 * Protocol of the run, when known. Published reports do not say it.
 */
protocol: Protocol | null, 
/**
 * By which rules it was scored.
 */
scorer: Protocol, 
/**
 * Judges, empty when none; null when the report does not say.
 */
judges: Array<string> | null, 
/**
 * Address of the judges' server, where the report says one and no connection of the workspace
 * leads there.
 */
judge_address?: string, 
/**
 * Made here or imported.
 */
origin: ReportOrigin, 
/**
 * Whether it belongs to the reference set, which others are compared with.
 */
reference: boolean, 
/**
 * The composite score; `null` when a part is missing.
 */
composite: number | null, 
/**
 * Name of its reading: of a list, one that all its reports with a score have.
 */
variant: string, 
/**
 * What that reading counts, one sentence.
 */
reading: Sentence, 
/**
 * Why there is none.
 */
composite_reason: Sentence | null, 
/**
 * Its interval, of reports that were made here; others have it on their page, which takes longer to make.
 */
composite_range: ScoreRange | null, 
/**
 * SR over all tasks.
 */
success: number | null, 
/**
 * Its interval, Wilson's; null where single tasks are not known or SR is not yes or no.
 */
success_range: ScoreRange | null, 
/**
 * The score of each level.
 */
levels: Array<LevelFigure>, 
/**
 * Tasks in the logs; `null` where the report's files do not tell.
 */
tasks: number | null, 
/**
 * Attempts of the run that it was made of, where some were still to be made or failed for technical reasons.
 */
attempts?: AttemptCounts, 
/**
 * That the run went on after it was made, so that its numbers are not the run's any more.
 */
outdated?: Sentence, 
/**
 * Scores that could not be told, over all tasks and metrics.
 */
unscored: number, 
/**
 * How it can be compared with the published leaderboard; null when the report cannot be read.
 */
comparability: Grade | null, 
/**
 * The gravest reason against it.
 */
comparability_reason: Sentence | null, 
/**
 * The user's tags.
 */
tags: Array<string>, 
/**
 * The user's note.
 */
note: string, 
/**
 * Why the report cannot be read, when it cannot.
 */
problem: Sentence | null, };

/**
 * A report behind the scores.
 */
export type ReportUsed = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its scorer.
 */
scorer: Protocol, };

/**
 * A report as every face shows it.
 */
export type ReportView = { 
/**
 * Report id.
 */
id: string, 
/**
 * Model id.
 */
model: string, 
/**
 * `leaderboard` or `corrected`.
 */
scorer: Protocol, 
/**
 * Judges asked; empty when none.
 */
judges: Array<string>, 
/**
 * Address of their server, where the report says one and no connection of the workspace leads
 * there.
 */
judge_address?: string, 
/**
 * Date of the run.
 */
execution_date: string, 
/**
 * Id of the run; imported reports and those of earlier versions do not say it.
 */
run?: string, 
/**
 * Pack of the run, `name@version`, when known.
 */
pack?: string, 
/**
 * Protocol of the run, when known.
 */
protocol?: Protocol, 
/**
 * Attempts of the run that it was made of; imported reports and those of earlier versions do not say it.
 */
attempts?: AttemptCounts, 
/**
 * That the run went on after it was made, so that its numbers are not the run's any more. Not kept with the report, but
 * found when it is shown.
 */
outdated?: Sentence, 
/**
 * Levels in order.
 */
levels: Array<LevelReport>, 
/**
 * Every reading of the composite, first the one that the report is shown in.
 */
composites: Array<CompositeFigure>, 
/**
 * The metrics that every level has, over the tasks of all levels; empty where nobody has shown the report yet.
 */
overall: Array<OverallFigure>, 
/**
 * The report's folder.
 */
folder: string, 
/**
 * Share of tool calls answered by a record, when the run is ours.
 */
cache_hits: CacheUse | null, 
/**
 * How far the judges agree: a row a judged metric, then metrics together; empty when none was asked.
 */
agreement: Array<JudgeAgreement>, 
/**
 * What people said instead of judges and enters the `overridden` figures.
 */
overrides: Array<OverrideRow>, 
/**
 * How it can be compared, as it was known when it was scored; imported reports and those of earlier versions have none
 * kept.
 */
comparability?: Comparability, 
/**
 * What a reader must know before comparing these numbers: missing attempts, failed judges, another pack. One
 * sentence each.
 */
notes: Array<Sentence>, 
/**
 * The tables of another benchmark's authors; left out in reports of Ko-AgentBench.
 */
benchmark?: BenchmarkTables, };

/**
 * A question of a revealed queue.
 */
export type RevealedQuestion = { 
/**
 * Place, from 1.
 */
number: number, 
/**
 * Its run.
 */
run: string, 
/**
 * Its model.
 */
model: string, 
/**
 * Its task.
 */
task: string, 
/**
 * Metric that asked.
 */
metric: string, 
/**
 * What each judge had answered when the queue was made: 1 or 0 for yes or no, or a grade.
 */
judges: Array<JudgeAnswer>, 
/**
 * What the reviewer answered.
 */
answer: BlindAnswer | null, 
/**
 * Why it is in the queue: `d · (e + s) / 2`.
 */
weight: number, 
/**
 * `d`: how far judges disagreed.
 */
disagreement: number, 
/**
 * `e`: how much of the task's score was at stake.
 */
effect: number, 
/**
 * `s`: share of the other runs that it could swap places with.
 */
swaps: number, };

/**
 * What people would have said about a run.
 */
export type RunCorrected = { 
/**
 * The run.
 */
run: string, 
/**
 * Model id.
 */
model: string, 
/**
 * Its questions to judges; what the log decides is none.
 */
questions: number, 
/**
 * Of these, with an answer that counts.
 */
answers: number, 
/**
 * By people's answers alone; null when they say too little.
 */
human: EstimatedMean | null, 
/**
 * Why not.
 */
reason: Sentence | null, 
/**
 * With each judge's word on the questions that nobody looked at.
 */
judges: Array<JudgeCorrected>, };

/**
 * A run's tool calls compared with a state of cached responses.
 */
export type RunDrift = { 
/**
 * Run id.
 */
run: string, 
/**
 * `name@version` of the pack that the run was made with; null when it does not say.
 */
pack: string | null, 
/**
 * What it is compared with.
 */
against: StateView, 
/**
 * All calls.
 */
totals: DriftTotals, 
/**
 * By tool, in the order of their names.
 */
tools: Array<ToolDrift>, 
/**
 * By attempt, in the order of levels and tasks; attempts without a call are left out.
 */
tasks: Array<TaskDrift>, };

/**
 * One thing that happened in a run.
 */
export type RunEvent = { 
/**
 * Wall clock, milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * Milliseconds since the run began.
 */
elapsed_ms: number, 
/**
 * The run's id.
 */
run: string, 
/**
 * What happened.
 */
kind: RunEventKind, };

/**
 * The kinds of [`RunEvent`].
 */
export type RunEventKind = { "type": "run_started", 
/**
 * Model id as given, `provider/model`.
 */
model: string, 
/**
 * Pack name and version, `name@version`.
 */
pack: string, 
/**
 * Protocol the run is made under.
 */
protocol: Protocol, 
/**
 * What will be attempted.
 */
levels: Array<LevelPlan>, 
/**
 * How often each task is attempted.
 */
repetitions: number, 
/**
 * Attempts in flight at most.
 */
concurrency: number, 
/**
 * Attempts in all (tasks × repetitions), those kept from an earlier start included.
 */
attempts: number, 
/**
 * What the model's tokens cost; null when that is not known, or it costs nothing.
 */
price: Price | null, 
/**
 * USD that the run may cost.
 */
max_cost: number | null, 
/**
 * Tokens that the run may take.
 */
max_total_tokens: number | null, 
/**
 * What is to be known before it begins, a sentence each: what is wrong with the journal that it goes on from, and that
 * nothing contains its agent.
 */
problems?: Array<string>, 
/**
 * Whether an earlier start made a part of it: times are of this start alone.
 */
resumed?: boolean, } | { "type": "attempt_started", 
/**
 * Task id.
 */
task: string, 
/**
 * Its level.
 */
level: Level, 
/**
 * 1-based repetition.
 */
repetition: number, } | { "type": "step_started", 
/**
 * Task id.
 */
task: string, 
/**
 * 1-based repetition.
 */
repetition: number, 
/**
 * 1-based step (model turn) of the attempt.
 */
step: number, } | { "type": "step_finished", 
/**
 * Task id.
 */
task: string, 
/**
 * 1-based repetition.
 */
repetition: number, 
/**
 * 1-based step (model turn) of the attempt.
 */
step: number, 
/**
 * Tool calls the model made in this step.
 */
calls: number, 
/**
 * Prompt tokens; null when the server reported none.
 */
prompt_tokens: number | null, 
/**
 * Completion tokens; null when the server reported none.
 */
completion_tokens: number | null, 
/**
 * Milliseconds to the first token; null when the server did not stream.
 */
ttft_ms: number | null, 
/**
 * Milliseconds until the answer was complete.
 */
latency_ms: number, 
/**
 * How the answer ended (`stop`, `tool_calls`, `length`, `content_filter`, or the server's own word); null when the
 * server did not say.
 */
finish: string | null, } | { "type": "call_failed", 
/**
 * Task id.
 */
task: string, 
/**
 * 1-based repetition.
 */
repetition: number, 
/**
 * 1-based step that it was to be.
 */
step: number, 
/**
 * What kind of failure.
 */
fault: CallFault, 
/**
 * What happened, in one sentence.
 */
message: Sentence, 
/**
 * Milliseconds that it took.
 */
took_ms: number, } | { "type": "tool_answered", 
/**
 * Task id.
 */
task: string, 
/**
 * 1-based repetition.
 */
repetition: number, 
/**
 * 1-based step of the attempt.
 */
step: number, 
/**
 * Tool name as the model wrote it.
 */
tool: string, 
/**
 * Id of the call in its conversation; null where a run is drawn again from its records, which do not hold it.
 */
call_id: string | null, 
/**
 * Whether the call counts as successful.
 */
ok: boolean, 
/**
 * Where the answer came from.
 */
source: AnswerSource, 
/**
 * Milliseconds that answering took; null likewise.
 */
took_ms: number | null, } | { "type": "waiting", 
/**
 * Task id.
 */
task: string, 
/**
 * 1-based repetition.
 */
repetition: number, 
/**
 * Why, in one sentence.
 */
reason: Sentence, 
/**
 * How long, milliseconds; 0 when that depends on other calls.
 */
wait_ms: number, 
/**
 * Until when, milliseconds since the Unix epoch; null when that depends on other calls.
 */
until_ms: number | null, } | { "type": "attempt_finished", 
/**
 * Task id.
 */
task: string, 
/**
 * Its level.
 */
level: Level, 
/**
 * 1-based repetition.
 */
repetition: number, 
/**
 * The published log's `success`: the attempt ended with an answer, right or wrong.
 */
success: boolean, 
/**
 * Why it ended.
 */
stop: StopReason, 
/**
 * Whether its last answer was cut off at the output limit, whatever the protocol makes of it.
 */
cut_off: boolean, 
/**
 * Model turns taken.
 */
steps: number, 
/**
 * Tool calls made.
 */
calls: number, 
/**
 * Prompt plus completion tokens.
 */
total_tokens: number, 
/**
 * How long the attempt took, milliseconds.
 */
took_ms: number, 
/**
 * What went wrong, when something did.
 */
error: Sentence | null, } | { "type": "attempts_ended", 
/**
 * What they came to.
 */
so_far: TaskSoFar, } | { "type": "run_paused", 
/**
 * Why no server answers, when the run waits for that; null when the user holds it.
 */
reason: Sentence | null, } | { "type": "run_resumed", } | { "type": "run_finished", 
/**
 * How it ended.
 */
outcome: RunOutcome, 
/**
 * Attempts that ended, those kept from an earlier start included.
 */
done: number, 
/**
 * Attempts that ended for technical reasons (model failed, timed out).
 */
failed: number, 
/**
 * The run's folder; null when logs were not to be saved.
 */
folder: string | null, 
/**
 * One sentence on why the run stopped early, when it did.
 */
reason: Sentence | null, 
/**
 * What it has spent; left out where nothing was asked of a model through this program.
 */
spent?: Spent, };

/**
 * Who judges a run unless somebody says otherwise.
 */
export type RunJudges = { 
/**
 * Judge models `provider/model`; empty when nobody is known.
 */
judges: Array<string>, 
/**
 * Their base URL, where one was named.
 */
judge_base_url: string | null, 
/**
 * How judges inside the application run; null means as usual.
 */
judge_local: LocalSettings | null, 
/**
 * Whence they are known.
 */
from: JudgesFrom, };

/**
 * A level of a run.
 */
export type RunLevel = { 
/**
 * The level.
 */
level: Level, 
/**
 * Its tasks; `null` when the log of a run from elsewhere does not say their number.
 */
tasks: number | null, };

/**
 * What a merge took into a run.
 */
export type RunMerge = { 
/**
 * The run, by its id.
 */
run: string, 
/**
 * Attempts that it did not have before.
 */
attempts: number, 
/**
 * Attempts that two starts of a part made; the earliest counts.
 */
doubled: number, 
/**
 * Attempts of the plan.
 */
planned: number, 
/**
 * Attempts that have ended.
 */
done: number, 
/**
 * Attempts that ended for technical reasons; resuming makes them again.
 */
failed: number, 
/**
 * Attempts that are still to be made.
 */
missing: number, 
/**
 * Damaged lines of parts, one sentence each.
 */
problems: Array<Sentence>, 
/**
 * The run's folder.
 */
folder: string, };

/**
 * Everything that a run missed.
 */
export type RunMisses = { 
/**
 * The run's id.
 */
run: string, 
/**
 * `name@version` of the pack that it was made with; null for logs that do not say.
 */
pack: string | null, 
/**
 * `name@version` of the installed pack that the misses are compared with: the run's own by name, else the active one.
 * Null when there is none; nothing is then known of near calls.
 */
against: string | null, 
/**
 * Whether some of it was read from level logs, which hold the calls of first repetitions only.
 */
from_logs: boolean, 
/**
 * Tool calls in all.
 */
calls: number, 
/**
 * Different calls among the misses, by tool and arguments.
 */
distinct: number, 
/**
 * Different calls that are still neither recorded nor kept, and that a service could be asked for.
 */
open: number, 
/**
 * The misses in the order of levels, tasks, repetitions and calls.
 */
misses: Array<Miss>, 
/**
 * By tool, the most misses first; tools without any are left out.
 */
tools: Array<MissesOfTool>, 
/**
 * By level; levels of which nothing was attempted are left out.
 */
levels: Array<MissesOfLevel>, 
/**
 * Tasks of which at least one missed call is kept or recorded by now.
 */
filled: Array<string>, };

/**
 * The run behind a report.
 */
export type RunOfReport = { 
/**
 * Run id.
 */
id: string, 
/**
 * Pack, when known.
 */
pack: string | null, 
/**
 * Protocol, when known.
 */
protocol: Protocol | null, };

/**
 * How a run ended.
 */
export type RunOutcome = "completed" | "cancelled" | "budget_spent" | "failed";

/**
 * What a run was made for, where it has the tasks that this asked for and not the pack's.
 */
export type RunPart = "adaptive" | "gate";

/**
 * A run and a report of it.
 */
export type RunReport = { 
/**
 * Run id.
 */
run: string, 
/**
 * Report id.
 */
report: string, };

/**
 * What to run.
 */
export type RunRequest = { 
/**
 * The run's id, minted by the caller, which subscribes before it starts.
 */
run: string, 
/**
 * Pack by name, or a folder or archive to import first; `null` means the active one.
 */
pack: string | null, 
/**
 * `provider/model`.
 */
model: string, 
/**
 * The agent that drives the model: by its name, or the file of its definition; this program when left out.
 */
agent?: string, 
/**
 * Whether the agent asks a model and key of its own, past the gateway; `model` is then only its name.
 */
own_model?: boolean, 
/**
 * Base URL of the server, for models behind one.
 */
base_url: string | null, 
/**
 * Levels to run; none means all.
 */
levels: Array<Level>, 
/**
 * Protocol.
 */
protocol: Protocol, 
/**
 * Attempts a task, 1 or more.
 */
repetitions: number, 
/**
 * Attempts in flight; `null` means automatic.
 */
concurrency: number | null, 
/**
 * A run to go on with, by id or folder, or `last`; its own settings then count but for concurrency, address and caps,
 * and `model` may be empty.
 */
resume?: string, 
/**
 * The part of the run that is made here, of a run that several workers go on with at once.
 */
shard?: ShardRequest, 
/**
 * Whether a run goes on here even where an engine of a cluster does not say whether its workers are making it.
 */
without_engine?: boolean, 
/**
 * USD that the run may cost, over all its starts.
 */
max_cost?: number, 
/**
 * Tokens that the run may take, over all its starts.
 */
max_total_tokens?: number, 
/**
 * USD that all runs of the workspace may cost a day.
 */
max_cost_per_day?: number, 
/**
 * Tokens that all runs of the workspace may take a day.
 */
max_total_tokens_per_day?: number, 
/**
 * Task ids; none means all of the levels.
 */
tasks?: Array<string>, 
/**
 * Model turns an attempt.
 */
max_steps?: number, 
/**
 * Seconds a task.
 */
timeout_s?: number, 
/**
 * L6/L7: the model plays every turn instead of only the last.
 */
full_rollout?: boolean, 
/**
 * Sampling temperature; that of the pack's benchmark when left out.
 */
temperature?: number, 
/**
 * Output tokens a model call; as the pack's benchmark takes when left out.
 */
max_tokens?: number, 
/**
 * Reasoning effort: `low`, `medium` or `high`.
 */
effort?: string, 
/**
 * Sampling seed.
 */
seed?: number, 
/**
 * How it is scored once it has ended; nothing when left out.
 */
score?: ScoreAfter, 
/**
 * How a model inside the application runs.
 */
local?: LocalSettings, 
/**
 * Snapshot whose responses are read instead of the pack's own, in read mode only; none when left out.
 */
cache_snapshot?: string, 
/**
 * Where tool calls are answered from; cached responses only when left out.
 */
cache_mode?: CacheMode, 
/**
 * In write mode: services whose keys are missing are left out, instead of the run.
 */
without_keys?: boolean, 
/**
 * In read mode: what the user keeps beside the pack answers too. In write mode it always does.
 */
with_overlay?: boolean, 
/**
 * A run, by id, whose tasks are made again as far as calls that they missed are kept now; its own settings then count
 * (but for those that `resume` leaves open), and `model` may be empty.
 */
misses_of?: string, };

/**
 * How a run was started.
 */
export type RunSettings = { 
/**
 * Rules.
 */
protocol: Protocol, 
/**
 * Attempts a task.
 */
repetitions: number, 
/**
 * Model turns an attempt.
 */
max_steps: number, 
/**
 * Seconds a task.
 */
timeout_s: number, 
/**
 * Sampling temperature.
 */
temperature: number, 
/**
 * Output tokens a model call; null when no limit was sent.
 */
max_tokens: number | null, 
/**
 * L6/L7: whether the model played every turn.
 */
full_rollout: boolean, 
/**
 * Reasoning effort; null when none was set.
 */
effort: string | null, 
/**
 * Sampling seed.
 */
seed: number | null, 
/**
 * Whether tool calls could not be malformed, which a model inside the application can be held to.
 */
constrained: boolean, 
/**
 * Whether tool calls of a model inside the application were taken from any markup in its text, and
 * from bare JSON; a server takes those of the model's own form alone.
 */
any_form?: boolean, 
/**
 * The agent that drove the model, with its version, whether it was contained and in which image; nothing where this program did.
 */
agent?: Sentence, 
/**
 * Files of a system prompt and of tools' descriptions in the place of the published ones, with their hashes.
 */
texts?: string, 
/**
 * Whether its tasks were chosen by how much they tell of the model.
 */
adaptive?: boolean, };

/**
 * A run as it stands, enough to draw its screen after a reload: the events so far.
 */
export type RunSnapshot = { 
/**
 * Run id.
 */
run: string, 
/**
 * Every event so far, in order. The UI's reducer draws them as it draws live ones.
 */
events: Array<RunEvent>, 
/**
 * Whether the run is over.
 */
finished: boolean, };

/**
 * How far a run of the workspace has come, as its `run.json` says.
 */
export type RunStatus = { 
/**
 * How it ended; null while it is made, and for good when its process was killed.
 */
outcome: RunOutcome | null, 
/**
 * Why it ended early, in one sentence.
 */
reason: Sentence | null, 
/**
 * Attempts planned.
 */
planned: number, 
/**
 * Attempts that have ended.
 */
done: number, 
/**
 * Those of them that failed for technical reasons: no answer of the model's, and to be made again.
 */
failed: number, 
/**
 * USD that it may cost.
 */
max_cost: number | null, 
/**
 * Tokens that it may take.
 */
max_total_tokens: number | null, 
/**
 * Whether this process is making it.
 */
here: boolean, 
/**
 * Why attempts that workers of a cluster have made may be missing among those that have ended.
 */
uncounted?: Sentence, };

/**
 * A run kept in the workspace.
 */
export type RunSummary = { 
/**
 * Run id: `<model folder>/<date>`.
 */
id: string, 
/**
 * Model id, under the name of the user's connection where one leads to its address.
 */
model: string, 
/**
 * Address of the model's server; left out where it is the provider's own, and where the
 * model's name says it.
 */
address?: string, 
/**
 * `YYYYMMDD_HHMMSS`.
 */
date: string, 
/**
 * Pack `name@version`, when known.
 */
pack: string | null, 
/**
 * Protocol, when known (imported logs do not say).
 */
protocol: Protocol | null, 
/**
 * The levels that have a log or are planned.
 */
levels: Array<RunLevel>, 
/**
 * Whether every planned attempt ended.
 */
complete: boolean, 
/**
 * Process that is making the run now.
 */
held_by: number | null, 
/**
 * The command that goes on with it; null when it is complete, is being made, or was not made here.
 */
resume: string | null, 
/**
 * USD spent on it; null when that is not known.
 */
usd: number | null, 
/**
 * The agent that drove the model, with its version; left out where this program did.
 */
agent?: string, 
/**
 * How far it has come; left out for runs that were not made here.
 */
status?: RunStatus, 
/**
 * Whether the live APIs were asked; left out where only cached responses counted, and where nobody knows.
 */
cache_mode?: CacheMode, 
/**
 * True where answers counted that the user keeps beside the pack; left out where none did, and where nobody knows.
 */
overlay?: boolean, 
/**
 * The run whose tasks this one made again, with calls that it had missed.
 */
completes?: string, 
/**
 * The engine of a cluster that it was handed to; left out where it was made here.
 */
remote?: EngineKind, 
/**
 * The engine that its judging was handed to, until what came of it is in the workspace.
 */
judging?: EngineKind, 
/**
 * The user's tags, each once.
 */
tags: Array<string>, 
/**
 * The user's note; empty when there is none.
 */
note: string, 
/**
 * What it was made for, where it has only the tasks that this asked for.
 */
part_of?: RunPart, 
/**
 * Why its state is not known: one of its files is damaged. Such a run is not gone on with.
 */
unreadable?: Sentence, 
/**
 * The run's folder.
 */
folder: string, };

/**
 * A task of a run, as a list shows it. With several repetitions the figures are those of the first one that ended.
 */
export type RunTask = { 
/**
 * Task id.
 */
id: string, 
/**
 * Its level.
 */
level: Level, 
/**
 * What the user asked; null while neither the log nor the pack is at hand.
 */
instruction: string | null, 
/**
 * How it stands.
 */
status: TaskStatus, 
/**
 * The published `success`: it ended with an answer. Null before it ended, and where the log does not say.
 */
success: boolean | null, 
/**
 * Why it ended; null where the log does not say.
 */
stop: StopReason | null, 
/**
 * What went wrong, when something did; of an unreadable one why it is.
 */
error: Sentence | null, 
/**
 * Tool calls.
 */
calls: number | null, 
/**
 * Model turns.
 */
steps: number | null, 
/**
 * Milliseconds from start to end.
 */
took_ms: number | null, 
/**
 * Prompt plus completion tokens; null when none were reported.
 */
total_tokens: number | null, 
/**
 * Repetitions that ended.
 */
repetitions: number, };

/**
 * All runs of this process.
 */
export type RunsNow = { 
/**
 * The run under way or being scored.
 */
current: CurrentRun | null, 
/**
 * Runs that wait for it, in the order in which they will begin.
 */
queue: Array<RunRequest>, 
/**
 * Runs that ended, or could not begin, the newest last. A restart of the program forgets them; what they wrote is in
 * the list of runs.
 */
ended: Array<EndedRun>, };

/**
 * How far a judge agrees with the person on questions of one kind.
 */
export type ScaleAgainstPeople = { 
/**
 * Questions that both answered.
 */
questions: number, 
/**
 * Share (0 to 1) of equal answers.
 */
percent: LabEstimate, 
/**
 * Cohen's kappa, unweighted.
 */
kappa: LabEstimate, 
/**
 * Krippendorff's alpha, nominal for yes or no and ordinal for grades.
 */
alpha: LabEstimate, };

/**
 * Why a trial ended.
 */
export type ScenarioCause = "completed" | "failed" | "timed_out" | "out_of_memory" | "could_not_start" | "cancelled" | "lost";

/**
 * A trial.
 */
export type ScenarioCell = { 
/**
 * From 0.
 */
repetition: number, 
/**
 * Why it ended; `None` when it did not.
 */
cause: ScenarioCause | null, 
/**
 * Exit code of `scenario.py`, where it is known.
 */
exit_code: number | null, 
/**
 * Seconds the whole trial took, where they were recorded; else those of `scenario.py`.
 */
seconds: number | null, } & ({ "verdict": "passed" } | { "verdict": "failed" } | { "verdict": "missing", 
/**
 * Why not, one sentence without its full stop.
 */
why: Sentence, });

/**
 * Two results side by side.
 */
export type ScenarioComparison = { 
/**
 * The first side's scenario folder.
 */
first: string, 
/**
 * The second side's scenario folder.
 */
second: string, 
/**
 * One row an instance of either, in the first's order, then what only the second has.
 */
rows: Array<ScenarioDifference>, 
/**
 * How many rows stand how.
 */
counts: { [key in ScenarioStanding]?: number }, };

/**
 * The trials of a scenario, counted.
 */
export type ScenarioCounts = { 
/**
 * Its name: the scenario file's.
 */
name: string, 
/**
 * Instances that have a folder.
 */
instances: number, 
/**
 * Repetitions that occur.
 */
repetitions: number, 
/**
 * Trials that have a folder.
 */
trials: number, 
/**
 * Of them, those that were not finished.
 */
unfinished: number, 
/**
 * Of them, those that ended, by cause.
 */
causes: { [key in string]: number }, 
/**
 * When the newest trial that tells its time began: ISO 8601, with its offset where it is known.
 */
started: string | null, 
/**
 * Why it could not be counted.
 */
problem: Sentence | null, };

/**
 * pass@k over all instances.
 */
export type ScenarioCurvePoint = { 
/**
 * So many trials.
 */
k: number, 
/**
 * Mean over instances of the unbiased estimate.
 */
value: number, 
/**
 * Its 95 % interval: over instances, or Wilson's where an instance has one trial.
 */
interval: ScoreRange, };

/**
 * An instance on both sides.
 */
export type ScenarioDifference = { 
/**
 * Id of the instance.
 */
instance: string, 
/**
 * On the first side; none when it is not there.
 */
first: ScenarioSide | null, 
/**
 * On the second side.
 */
second: ScenarioSide | null, 
/**
 * Who is ahead.
 */
standing: ScenarioStanding, };

/**
 * A container image.
 */
export type ScenarioImage = { 
/**
 * As it was asked for.
 */
name: string, 
/**
 * What the engine ran: its content's digest.
 */
digest: string | null, };

/**
 * What a trial is held to; `None` is no limit.
 */
export type ScenarioLimits = { 
/**
 * The whole trial.
 */
timeout_s: number | null, 
/**
 * Memory.
 */
memory_bytes: number | null, 
/**
 * Processor cores.
 */
cpus: number | null, 
/**
 * Processes and threads.
 */
pids: number | null, 
/**
 * The console log.
 */
output_bytes: number | null, 
/**
 * The network; `None` on this computer itself.
 */
network: ScenarioNetwork | null, };

/**
 * A run of scenarios, under way or over since a while.
 */
export type ScenarioLive = { 
/**
 * Its id.
 */
id: string, 
/**
 * What was asked for.
 */
request: ScenarioRequest, 
/**
 * Its trials in order, as soon as they are known.
 */
trials: Array<ScenarioTrial>, 
/**
 * What the making of the image said last.
 */
said: Sentence | null, 
/**
 * How it ended.
 */
summary: ScenarioSummary | null, 
/**
 * Why it did not begin or could not end.
 */
error: WireError | null, 
/**
 * Whether it was asked to stop.
 */
cancelling: boolean, 
/**
 * Seconds since it was asked for, up to its end.
 */
elapsed_s: number, };

/**
 * A part of a trial's log.
 */
export type ScenarioLogPart = { 
/**
 * Number of the first line, from 1.
 */
first_line: number, 
/**
 * The lines; very long ones are cut.
 */
lines: Array<string>, 
/**
 * Lines of the whole log.
 */
total_lines: number, 
/**
 * Bytes of the whole log.
 */
bytes: number, };

/**
 * A piece of a trial's log.
 */
export type ScenarioLogPiece = { 
/**
 * The text after the place that was asked for.
 */
text: string, 
/**
 * The place after it, in bytes from the log's beginning.
 */
next: number, 
/**
 * Whether text before it is not kept here any more.
 */
cut: boolean, };

/**
 * What a trial's calls to the offered model came to.
 */
export type ScenarioModelCalls = { 
/**
 * The model.
 */
model: string, 
/**
 * Calls, those without an answer included.
 */
count: number, 
/**
 * Calls that got no answer of a model.
 */
failed: number, 
/**
 * Calls that were answered from a record of an earlier trial.
 */
replayed: number, 
/**
 * Prompt tokens, as far as the server reported them.
 */
input_tokens: number, 
/**
 * Completion tokens, likewise.
 */
output_tokens: number, 
/**
 * USD; `null` when nothing of it is known.
 */
cost_usd: number | null, 
/**
 * Why there is no cost, or why tokens and cost are lower bounds.
 */
note: Sentence | null, };

/**
 * What a container can reach.
 */
export type ScenarioNetwork = "none" | "bridge";

/**
 * Where an outcome comes from.
 */
export type ScenarioOrigin = "recorded" | "legacy";

/**
 * How a trial ended, and under what it ran.
 *
 * What could not be known is `null`, and [`Outcome::unknown`] says why.
 */
export type ScenarioOutcome = { 
/**
 * Version of this form: [`FORMAT`].
 */
format: number, 
/**
 * Whether this was recorded as it happened, or read out of a log afterwards.
 */
origin: ScenarioOrigin, 
/**
 * Why the trial ended.
 */
cause: ScenarioCause, 
/**
 * One sentence more on the cause, where there is more to say.
 */
detail: Sentence | null, 
/**
 * Exit code of `scenario.py`.
 */
exit_code: number | null, 
/**
 * Exit code of installing the requirements; `None` without reason when there were none.
 */
pip_exit_code: number | null, 
/**
 * When the trial began: ISO 8601, with its offset where it is known.
 */
started: string | null, 
/**
 * When it ended.
 */
ended: string | null, 
/**
 * How long all of it took.
 */
seconds: number | null, 
/**
 * How long `scenario.py` took.
 */
scenario_seconds: number | null, 
/**
 * Where it ran.
 */
setting: ScenarioSetting | null, 
/**
 * The container's image.
 */
image: ScenarioImage | null, 
/**
 * What it was held to.
 */
limits: ScenarioLimits | null, 
/**
 * Versions by name: this product as `koab`, the container engine, Python.
 */
versions: { [key in string]: string }, 
/**
 * SHA-256 of what the trial was given ([`crate::expand::Expanded::template_sha256`]).
 */
template_sha256: string | null, 
/**
 * What calls to the offered model came to; `None` where no model was offered.
 */
model_calls: ScenarioModelCalls | null, 
/**
 * The command line that started the run, without secrets.
 */
command: Array<string>, 
/**
 * What looked like a mistake while the trial was made.
 */
warnings: Array<Sentence>, 
/**
 * Why a field is `null`, by its name.
 */
unknown: { [key in string]: Sentence }, };

/**
 * pass@k over all instances.
 */
export type ScenarioPassAtK = { 
/**
 * So many trials.
 */
k: number, 
/**
 * Mean over instances of the unbiased estimate.
 */
value: number, };

/**
 * What a run would do.
 */
export type ScenarioPlan = { 
/**
 * The results folder.
 */
results: string, 
/**
 * Every trial as `scenario/instance/repetition`, in order, with what will be done: `run`, `skip`, or why it runs
 * again.
 */
trials: Array<[string, Sentence]>, 
/**
 * How many run.
 */
to_run: number, 
/**
 * How many are finished.
 */
finished: number, 
/**
 * What looks like a mistake in the scenarios.
 */
warnings: Array<Sentence>, 
/**
 * Names of the variables that scenarios will find in their environment.
 */
variables: Array<string>, 
/**
 * Where the model configuration was found, and its models.
 */
config: string | null, 
/**
 * The file that every trial gets as `config.yaml`.
 */
config_file: string | null, };

/**
 * Scenarios at an engine.
 */
export type ScenarioRemote = { 
/**
 * The results folder.
 */
results: string, 
/**
 * Which engine.
 */
engine: EngineKind, 
/**
 * Its jobs there.
 */
jobs: Array<string>, 
/**
 * Whether workers wait or work there.
 */
active: boolean, 
/**
 * Why the engine could not be asked.
 */
silent: Sentence | null, 
/**
 * Whether workers may be there of which nothing is known: the engine is silent, trials are missing, and nobody cancelled them.
 */
may_work: boolean, 
/**
 * Trials that were handed over.
 */
trials: number, 
/**
 * Those that are in the results.
 */
finished: number, 
/**
 * Its shards.
 */
shards: Array<ScenarioShard>, 
/**
 * Where scripts and logs of workers lie.
 */
folder: string, };

/**
 * Scenarios to run. What is left out is as documented for the original tool, or the product's own default.
 */
export type ScenarioRequest = { 
/**
 * A scenario file, a folder of them, or `-` for standard input.
 */
path: string, 
/**
 * The results folder; by default the workspace's.
 */
results: string | null, 
/**
 * Where `ENV.json` and `OAI_CONFIG_LIST` are looked for; by default the working folder.
 */
folder: string | null, 
/**
 * Trials of each instance.
 */
repetitions: number, 
/**
 * Trials at once.
 */
parallel: number, 
/**
 * On this computer itself, without containers.
 */
native: boolean, 
/**
 * The image; by default the product's own, built when missing.
 */
docker_image: string | null, 
/**
 * A file that replaces `requirements.txt` in each trial.
 */
requirements: string | null, 
/**
 * Name of the variable or file that holds the model configuration. A YAML file is taken as `config_file`.
 */
config: string | null, 
/**
 * Only entries of the model configuration with this tag or model.
 */
config_tag: string | null, 
/**
 * A file that every trial gets as `config.yaml`; by default the one of that name where `ENV.json` is looked for.
 */
config_file: string | null, 
/**
 * A file of environment variables.
 */
env_file: string | null, 
/**
 * Names of keys that every scenario gets.
 */
secrets: Array<string>, 
/**
 * Further folders that templates may come from.
 */
allow: Array<string>, 
/**
 * A part of each file's instances: a share with a decimal point, or a count.
 */
subsample: string | null, 
/**
 * Seconds that a trial may take.
 */
timeout_s: number | null, 
/**
 * Memory of a trial, MiB.
 */
memory_mib: number | null, 
/**
 * Processors of a trial.
 */
cpus: number | null, 
/**
 * Processes of a trial.
 */
pids: number | null, 
/**
 * Log of a trial that is kept, MiB.
 */
output_mib: number | null, 
/**
 * Whether containers reach the network; a scenario may ask for less.
 */
network: boolean, 
/**
 * Model that scenarios may call without a key, `provider/model`.
 */
model: string | null, 
/**
 * Address of that model's server instead of the provider's own.
 */
base_url: string | null, 
/**
 * What its calls may cost, USD.
 */
max_cost: number | null, 
/**
 * Tokens that its calls may take.
 */
max_total_tokens: number | null, 
/**
 * Results folder of an earlier run whose recorded calls answer instead of the model.
 */
replay: string | null, 
/**
 * Whether a call that is not in those records gets the next answer to the same tool calls.
 */
loose?: boolean, 
/**
 * Run trials again that ended for technical reasons.
 */
rerun_failed: boolean, 
/**
 * The command line, for the record; no secret may be in it.
 */
command: Array<string>, };

/**
 * A results folder.
 */
export type ScenarioResults = { 
/**
 * The folder that is read: the one asked for, or `results` or `Results` in it.
 */
folder: string, 
/**
 * Whether it is there.
 */
exists: boolean, 
/**
 * Its scenarios in natural order.
 */
scenarios: Array<ScenarioCounts>, };

/**
 * The trials of an instance.
 */
export type ScenarioRow = { 
/**
 * Id of the instance.
 */
instance: string, 
/**
 * One cell a repetition, in the table's order.
 */
trials: Array<ScenarioCell>, 
/**
 * Trials that passed.
 */
passed: number, 
/**
 * Trials that failed.
 */
failed: number, 
/**
 * Trials without verdict.
 */
missing: number, };

/**
 * How a trial's verdict is found.
 */
export type ScenarioScorer = "markers" | "gaia" | "math";

/**
 * Where a trial runs.
 */
export type ScenarioSetting = "docker" | "native";

/**
 * A shard of scenarios at an engine.
 */
export type ScenarioShard = { 
/**
 * 0-based.
 */
index: number, 
/**
 * How it stands.
 */
state: WorkerStanding, 
/**
 * Where it runs, or ran last.
 */
node: string | null, 
/**
 * Why it waits or has failed.
 */
reason: Sentence | null, 
/**
 * How often the engine began it again.
 */
restarts: number, 
/**
 * Its trials.
 */
trials: number, 
/**
 * Those that are in the results.
 */
finished: number, };

/**
 * An instance's trials on one side.
 */
export type ScenarioSide = { 
/**
 * Trials that passed.
 */
passed: number, 
/**
 * Trials without verdict.
 */
missing: number, 
/**
 * All of them.
 */
trials: number, 
/**
 * Mean seconds of the trials whose time is known.
 */
seconds: number | null, };

/**
 * What calls to the offered model came to.
 */
export type ScenarioSpending = { 
/**
 * Tokens as the server reported them.
 */
tokens: number, 
/**
 * USD; `null` when that cannot be said.
 */
usd: number | null, 
/**
 * Why there is no sum, or why it is a lower bound.
 */
note: Sentence | null, };

/**
 * Who is ahead in an instance.
 */
export type ScenarioStanding = "first" | "second" | "same" | "unknown";

/**
 * The outcome of a run's trials.
 */
export type ScenarioSummary = { 
/**
 * The results folder.
 */
results: string, 
/**
 * All trials.
 */
trials: number, 
/**
 * Finished before.
 */
skipped: number, 
/**
 * Ended in this run, by cause.
 */
ended: { [key in string]: number }, 
/**
 * Not started, or not recorded.
 */
not_run: number, 
/**
 * Whether every trial is finished and ran to its own end.
 */
complete: boolean, 
/**
 * Whether the user stopped it.
 */
cancelled: boolean, 
/**
 * Why a trial could not be recorded, the first of several.
 */
broken: Sentence | null, 
/**
 * What the offered model's calls came to, all trials together; `null` where none was offered.
 */
spent: ScenarioSpending | null, };

/**
 * A scenario's trials and their sums.
 */
export type ScenarioTable = { 
/**
 * The scenario's folder.
 */
folder: string, 
/**
 * pass@k for some k; empty without trials.
 */
curve: Array<ScenarioCurvePoint>, 
/**
 * How verdicts were found.
 */
scorer: ScenarioScorer, 
/**
 * The repetitions that occur, ascending.
 */
repetitions: Array<number>, 
/**
 * One row an instance, in natural order.
 */
rows: Array<ScenarioRow>, 
/**
 * Sums over all rows.
 */
totals: ScenarioTotals, };

/**
 * Sums over a table.
 */
export type ScenarioTotals = { 
/**
 * Instances.
 */
instances: number, 
/**
 * Cells: instances × repetitions.
 */
trials: number, 
/**
 * Trials that passed.
 */
passed: number, 
/**
 * Trials that failed.
 */
failed: number, 
/**
 * Trials without verdict.
 */
missing: number, 
/**
 * Instances of which at least one trial passed.
 */
passed_once: number, 
/**
 * Instances of which every trial passed.
 */
passed_always: number, 
/**
 * pass@k for k from 1 to the number of repetitions; empty without trials.
 */
pass_at_k: Array<ScenarioPassAtK>, 
/**
 * 95 % interval of pass@1: Wilson's, of passed among all trials. It takes trials for independent, so with several
 * repetitions it is too narrow for other tasks of the kind; the next one is not.
 */
wilson: ScoreRange, 
/**
 * 95 % interval of pass@1 from drawing instances anew; only where an instance has several trials.
 */
over_instances: ScoreRange, 
/**
 * Seconds of all trials whose time is known.
 */
seconds: number, 
/**
 * Trials whose time is known.
 */
timed: number, 
/**
 * How many trials ended for which cause; those that did not end are not in it.
 */
causes: { [key in ScenarioCause]?: number }, };

/**
 * One trial of a live run.
 */
export type ScenarioTrial = { 
/**
 * The scenario file's name.
 */
scenario: string, 
/**
 * The instance.
 */
instance: string, 
/**
 * The repetition, from 0.
 */
repetition: number, 
/**
 * What it does.
 */
state: TrialState, 
/**
 * Why it ended, once it has: a cause as in `outcome.json`.
 */
cause: string | null, 
/**
 * How long it took, seconds.
 */
seconds: number | null, };

/**
 * Something in a trial's folder.
 */
export type ScenarioTrialFile = { 
/**
 * From the trial's folder on, with `/` between its parts. Bytes that are not UTF-8 are U+FFFD.
 */
path: string, 
/**
 * What it is.
 */
kind: TrialFileKind, 
/**
 * Its size; 0 of what is not a file.
 */
bytes: number, };

/**
 * What there is of a trial.
 */
export type ScenarioTrialPage = { 
/**
 * Whether it was finished.
 */
state: TrialPageState, 
/**
 * How it is known that it was not: one sentence without its full stop.
 */
why: Sentence | null, 
/**
 * How it ended.
 */
outcome: ScenarioOutcome | null, 
/**
 * Whether it solved its task; none where it was not finished.
 */
verdict: ScenarioVerdict | null, 
/**
 * Its folder.
 */
folder: string, 
/**
 * What lies there.
 */
files: Array<ScenarioTrialFile>, 
/**
 * Whether more lies there than is listed.
 */
files_cut: boolean, 
/**
 * What its log shows, the gravest first.
 */
findings: Array<Finding<string>>, };

/**
 * Whether a trial solved its task.
 */
export type ScenarioVerdict = { "verdict": "passed" } | { "verdict": "failed" } | { "verdict": "missing", 
/**
 * Why not, one sentence without its full stop.
 */
why: Sentence, };

/**
 * How a run is scored as soon as it has ended.
 */
export type ScoreAfter = { 
/**
 * Scorers, each with a report of its own; not empty.
 */
scorers: Array<Protocol>, 
/**
 * Judge models `provider/model`; empty means no judge, and judge metrics stay unscored.
 */
judges: Array<string>, 
/**
 * Base URL for judges behind a server.
 */
judge_base_url: string | null, 
/**
 * How judges inside the application run.
 */
judge_local?: LocalSettings, };

/**
 * A 95 % confidence interval, or why there is none.
 */
export type ScoreRange = { 
/**
 * The interval.
 */
interval: Interval | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * Two reports that are scored by the same rules.
 */
export type ScoredPair = { 
/**
 * Those rules; of a pair that shares none, the first one's.
 */
scorer: Protocol, 
/**
 * The one that the other is compared with.
 */
first: PairSide, 
/**
 * The other.
 */
second: PairSide, 
/**
 * How far the two can be compared at all.
 */
judgement: Judgement, 
/**
 * The findings that forbid tests; empty when there are tests.
 */
refusal: Array<Caveat>, 
/**
 * The tests; null when they are refused.
 */
tests: PairTests | null, };

/**
 * One thing that the two scorers do differently.
 */
export type ScorerDifference = { 
/**
 * Stable name.
 */
id: string, 
/**
 * Metrics it touches; empty means all.
 */
metrics: Array<string>, 
/**
 * What the leaderboard scorer does.
 */
leaderboard: string, 
/**
 * What the corrected scorer does.
 */
corrected: string, };

/**
 * How a report was scored.
 */
export type Scoring = { 
/**
 * Rules.
 */
scorer: Protocol, 
/**
 * Judges; an empty list when none was asked.
 */
judges: Fact<Array<string>>, 
/**
 * Address where the judges answered; left out where it was their provider's own, or nobody wrote
 * it down.
 */
judges_at?: string, 
/**
 * Votes of the first judge on SR.
 */
votes: number, 
/**
 * How several judges' grades were combined: `mean` or `median`.
 */
aggregate: string, 
/**
 * Scores, of a task and a metric each, that are missing although judges were asked.
 */
unscored: number, };

/**
 * A sentence with what stands in its places. As JSON `{"text": …, "args": {…}}`, without places only its text; so what
 * an earlier version kept, or a server said, is a sentence as well.
 */
export type Sentence = string | { text: string, args?: { [place: string]: Arg } };

/**
 * A key of a service.
 */
export type ServiceKey = { 
/**
 * Its name.
 */
name: string, 
/**
 * Whether there is one.
 */
present: boolean, };

/**
 * A service that may be asked, with what is there of its keys.
 */
export type ServiceState = { 
/**
 * Its name, such as `kakao_local`.
 */
name: string, 
/**
 * Its name for people.
 */
title: string, 
/**
 * The tools that it is needed for.
 */
tools: Array<string>, 
/**
 * The keys that it needs, all of them; empty for a service that needs none.
 */
keys: Array<ServiceKey>, 
/**
 * Whether all of them are there.
 */
ready: boolean, };

/**
 * The user's settings. Every field has a default, so that a workspace of an older or newer version is read.
 */
export type Settings = { 
/**
 * Language of window and command line; `null` means the system's.
 */
language: Language | null, 
/**
 * Light, dark or as the system.
 */
theme: Theme, 
/**
 * Attempts in flight where a run does not say; `null` means automatic.
 */
concurrency: number | null, 
/**
 * Models `provider/model`, or `connection/model`, that judge where the window scores a run.
 */
judges: Array<string>, 
/**
 * Providers at an address, under names of the user's.
 */
connections: Array<Connection>, 
/**
 * USD that all runs of the workspace may cost a day.
 */
max_cost_per_day: number | null, 
/**
 * Tokens that all runs of the workspace may take a day.
 */
max_total_tokens_per_day: number | null, 
/**
 * Which proxy requests to models go through.
 */
proxy: ProxyMode, 
/**
 * Address of the proxy, for [`ProxyMode::Address`]; holds no password.
 */
proxy_address: string, 
/**
 * Collector that runs of the window send their spans to; empty sends nothing. Holds no secret.
 */
otlp_endpoint: string, 
/**
 * Whether prompts, answers, arguments and results go along; never without a collector.
 */
otlp_content: boolean, 
/**
 * Who overrides judges' verdicts here, as the dialog suggests it; empty until somebody did.
 */
reviewer: string, 
/**
 * Whether the first start has been gone through or left.
 */
welcomed: boolean, };

/**
 * The settings with what a reader of them wants to see beside.
 */
export type SettingsView = { 
/**
 * The settings.
 */
settings: Settings, 
/**
 * The workspace folder of this process.
 */
home: string, 
/**
 * Why it is that folder.
 */
home_origin: HomeOrigin, 
/**
 * The folder that the next start uses, where that is another one.
 */
next_home: string | null, 
/**
 * The user's own price table; it need not exist.
 */
prices_file: string, 
/**
 * Names of the environment variables for proxies that are set here, their values left out.
 */
proxy_variables: Array<string>, 
/**
 * Whether koab is offline; no setting like the others, so that it counts also where these cannot be read.
 */
offline: OfflineView, 
/**
 * USD spent today by all runs of the workspace, calls in flight included.
 */
spent_today_usd: number, 
/**
 * Tokens taken today likewise.
 */
spent_today_tokens: number, };

/**
 * How much a finding weighs. Later is worse.
 */
export type Severity = "pass" | "note" | "warning" | "error";

/**
 * The log of a shard's workers, its end if it is long.
 */
export type ShardLog = { 
/**
 * 0-based.
 */
shard: number, 
/**
 * Its last lines.
 */
text: string, 
/**
 * Whether there are earlier ones that are left out.
 */
cut: boolean, 
/**
 * The file.
 */
path: string, };

/**
 * A part of a run.
 */
export type ShardRequest = { 
/**
 * 0-based.
 */
index: number, 
/**
 * Parts in all.
 */
of: number, };

/**
 * A time limit that attempts at some levels would hardly keep.
 */
export type ShortLimit = { 
/**
 * The levels.
 */
levels: Array<Level>, 
/**
 * Seconds that an attempt at the slowest of them takes on average.
 */
attempt_s: number, 
/**
 * Seconds that an attempt is given.
 */
limit_s: number, 
/**
 * Seconds that would do for nearly all.
 */
fits_s: number, };

/**
 * A text to judge by.
 */
export type ShownInput = { 
/**
 * What it is.
 */
kind: InputKind, 
/**
 * The text, names of models hidden.
 */
text: string, };

/**
 * How a bundle is signed.
 */
export type SignatureState = "unsigned" | "signed" | "trusted" | "refused";

/**
 * The key that bundles are signed with.
 */
export type SigningKey = { 
/**
 * Its public half, in minisign's form: what others give to `verify --key`.
 */
public_key: string, 
/**
 * Whether it was made just now.
 */
made: boolean, };

/**
 * A snapshot with what it answers.
 */
export type SnapshotDetail = { 
/**
 * As in the list.
 */
snapshot: SnapshotView, 
/**
 * By tool.
 */
tools: Array<SnapshotTool>, 
/**
 * The hash, computed anew from what it holds; `null` when nobody asked for that.
 */
verified: string | null, };

/**
 * How two states of cached responses differ.
 */
export type SnapshotDiff = { 
/**
 * The earlier one.
 */
then: StateView, 
/**
 * The later one.
 */
now: StateView, 
/**
 * By tool: every tool that either of them answers.
 */
tools: Array<AnswerDifferenceTool>, 
/**
 * The first differences, by tool and arguments.
 */
differences: Array<AnswerDifference>, 
/**
 * All differences, those that are not listed included.
 */
total: number, };

/**
 * What an export wrote.
 */
export type SnapshotExport = { 
/**
 * The folder or file.
 */
path: string, 
/**
 * Records in it.
 */
records: number, 
/**
 * Bytes.
 */
bytes: number, 
/**
 * `name@version` of the pack, where it is one.
 */
pack: string | null, 
/**
 * Records that could not be written, each with why.
 */
problems: Array<Finding<Fault>>, };

/**
 * The snapshots of a pack, and what it answers now.
 */
export type SnapshotList = { 
/**
 * Name of the pack.
 */
pack: string, 
/**
 * The oldest first.
 */
snapshots: Array<SnapshotView>, 
/**
 * Calls that the pack's own records answer now.
 */
recorded: number, 
/**
 * Calls that only the user's overlay answers now.
 */
added: number, };

/**
 * A snapshot of cached responses, as a run names it.
 */
export type SnapshotRef = { 
/**
 * Name in the workspace of whoever made the run.
 */
name: string, 
/**
 * Hash of what it holds, the same in every workspace: lower-case hex.
 */
hash: string, };

/**
 * Answers of a state for one tool.
 */
export type SnapshotTool = { 
/**
 * Tool name.
 */
tool: string, 
/**
 * Calls that the pack's own records answer.
 */
recorded: number, 
/**
 * Calls that only what lies beside the pack answers.
 */
added: number, };

/**
 * A snapshot.
 */
export type SnapshotView = { 
/**
 * Its name.
 */
name: string, 
/**
 * Hash of what it holds, lower-case hex.
 */
hash: string, 
/**
 * Name of the pack that it was made of.
 */
pack: string, 
/**
 * That pack's version.
 */
version: string, 
/**
 * Whether that very pack is installed; else its records are kept for snapshots alone.
 */
installed: boolean, 
/**
 * What the user says about it.
 */
note: string, 
/**
 * When it was made, UTC, ISO 8601.
 */
created_at: string, 
/**
 * Calls that the pack's own records answer.
 */
recorded: number, 
/**
 * Calls that only answers of the live APIs answer.
 */
added: number, };

/**
 * The outcome of a run's spans.
 */
export type SpanDelivery = { 
/**
 * Where they went.
 */
endpoint: string, 
/**
 * Spans that the collector took.
 */
sent: number, 
/**
 * Spans that it did not.
 */
lost: number, 
/**
 * Why the last of those were lost.
 */
reason: Sentence | null, };

/**
 * Who speaks in a message.
 */
export type Speaker = "system" | "user" | "assistant" | "tool";

/**
 * What a run has spent over all its starts, attempts that were cut off and repeated included.
 */
export type Spent = { 
/**
 * Prompt tokens, as the server reported them.
 */
prompt_tokens: number, 
/**
 * Completion tokens, likewise.
 */
completion_tokens: number, 
/**
 * USD for those tokens; null when that cannot be said.
 */
usd: number | null, 
/**
 * Calls whose tokens nobody reported: with them, tokens and USD are lower bounds.
 */
unreported: number, };

/**
 * How one of several reports stands.
 */
export type Standing = { 
/**
 * Against the published leaderboard.
 */
leaderboard: Grade, 
/**
 * Against the report that all others are compared with; null for that one itself.
 */
with_first: Judgement | null, };

/**
 * A ranking.
 */
export type StandingMeasure = { 
/**
 * `SR` over all tasks, or the composite's reading that all of them have, such as `flat_report`.
 */
measure: string, 
/**
 * What that reading counts, one sentence; null for SR.
 */
reading: Sentence | null, 
/**
 * Place of the report, 1 for the best; equal values share the better place. Null when it has no value.
 */
rank: number | null, 
/**
 * Reports with a value, this one included.
 */
of: number, 
/**
 * Why this report has no value.
 */
reason: Sentence | null, 
/**
 * The reports, the best first.
 */
points: Array<StandingPoint>, };

/**
 * A report in a ranking.
 */
export type StandingPoint = { 
/**
 * Report id.
 */
id: string, 
/**
 * Model id.
 */
model: string, 
/**
 * Whether it is the report itself.
 */
own: boolean, 
/**
 * Its interval.
 */
range: ScoreRange, 
/**
 * The number.
 */
value: number | null, 
/**
 * Why there is none.
 */
reason: Sentence | null, };

/**
 * A state of cached responses, as something is compared with it.
 */
export type StateView = { 
/**
 * `pack` for a pack's own records, `now` for these with the overlay, else a snapshot's name.
 */
state: string, 
/**
 * Name of the pack beneath.
 */
pack: string, 
/**
 * Its version.
 */
version: string, 
/**
 * A snapshot's hash; `null` for the states that change.
 */
hash: string | null, };

/**
 * Times and tokens of one model turn.
 */
export type StepTiming = { 
/**
 * 1, or 2 in the phase with fallback tools.
 */
phase: number, 
/**
 * Milliseconds to the first token; null when the server did not stream.
 */
ttft_ms: number | null, 
/**
 * Milliseconds until the answer was complete.
 */
latency_ms: number, 
/**
 * Prompt tokens; null when the server reported none.
 */
prompt_tokens: number | null, 
/**
 * Completion tokens, likewise.
 */
completion_tokens: number | null, 
/**
 * How the answer ended, in the server's words where it has none of ours.
 */
finish: string | null, 
/**
 * What the prompt did not show the model, because its context was full; null when it saw everything.
 */
left_out: LeftOut | null, 
/**
 * What a model of this application wrote, where thoughts or calls were taken out of it.
 */
written: string | null, };

/**
 * Why an attempt ended.
 */
export type StopReason = "answered" | "cut_off" | "step_limit" | "timed_out" | "model_failed" | "agent_failed" | "budget_spent" | "cancelled";

/**
 * What one judge said once, as it is stored.
 */
export type StoredVerdict = { 
/**
 * Judge model id.
 */
judge: string, 
/**
 * The how-manieth vote of this judge, from 1.
 */
vote: number, 
/**
 * Tells servers and prompt files apart: verdicts of one judge with different marks were not asked in the same way.
 */
asked_with: string, 
/**
 * Yes or no.
 */
success: boolean | null, 
/**
 * Grade from 1 to 5.
 */
score: number | null, 
/**
 * The judge's confidence, 0 to 1, where it is asked for.
 */
confidence: number | null, 
/**
 * The judge's reason.
 */
reason: string | null, 
/**
 * Why there is no answer; null when there is one. It is asked for again at the next scoring.
 */
failure: Sentence | null, 
/**
 * When it came, UTC, ISO 8601.
 */
at: string, };

/**
 * A submission as a file.
 */
export type SubmissionArchive = { 
/**
 * Name to propose.
 */
name: string, 
/**
 * Its bytes in base64.
 */
base64: string, };

/**
 * What a look at a submission found.
 */
export type SubmissionCheck = { 
/**
 * Where it lies.
 */
place: string, 
/**
 * Files that were read.
 */
files: number, 
/**
 * What a maintainer would object to, the gravest first.
 */
objections: Array<Finding<FindingCode>>, 
/**
 * Whether one of them blocks.
 */
blocked: boolean, };

/**
 * A file of a submission.
 */
export type SubmissionFile = { 
/**
 * Where it lies; `/` parts folders.
 */
path: string, 
/**
 * Bytes.
 */
bytes: number, 
/**
 * SHA-256, lower-case hex.
 */
sha256: string, };

/**
 * What a person says about a submission. Texts are empty where nothing was said.
 */
export type SubmissionNames = { 
/**
 * The model as the leaderboard shall show it.
 */
model: string, 
/**
 * Who makes it.
 */
vendor: string, 
/**
 * Whether its weights are open; null when nobody said.
 */
model_type: ModelType | null, 
/**
 * Licence of open weights, as an SPDX expression or a name.
 */
licence: string, 
/**
 * Repository of open weights on the Hugging Face hub, `owner/name`.
 */
repo: string, 
/**
 * Who hands it in: a person or an organisation.
 */
submitted_by: string, 
/**
 * Where questions reach them.
 */
contact: string, 
/**
 * Address where the transcripts lie, for those who look the result up elsewhere.
 */
source_url: string, 
/**
 * What else a reader shall know.
 */
notes: string, };

/**
 * Which run, and what a person says of it.
 */
export type SubmissionRequest = { 
/**
 * Id of a report or of a run, or `last` for the newest run.
 */
of: string, 
/**
 * Names from now on; null keeps those that were given before, else those that the model's id tells.
 */
names: SubmissionNames | null, 
/**
 * Language of README and pull request; `null` means English with a summary in Korean.
 */
language: Language | null, };

/**
 * A submission that was written.
 */
export type SubmissionSaved = { 
/**
 * Where.
 */
place: string, 
/**
 * Id of the report.
 */
report: string, 
/**
 * Files.
 */
files: number, 
/**
 * Bytes of all.
 */
bytes: number, 
/**
 * What a maintainer would object to.
 */
objections: Array<Finding<FindingCode>>, 
/**
 * Whether one of them blocks.
 */
blocked: boolean, };

/**
 * A submission before it is handed in.
 */
export type SubmissionView = { 
/**
 * Id of the report.
 */
report: string, 
/**
 * Id of the run.
 */
run: string, 
/**
 * The model's id as it was run.
 */
model_id: string, 
/**
 * Name to propose for folder or file.
 */
name: string, 
/**
 * What is known of the names without asking anybody.
 */
defaults: SubmissionNames, 
/**
 * The names as they are.
 */
names: SubmissionNames, 
/**
 * Columns of the row.
 */
header: Array<string>, 
/**
 * Its cells, as many.
 */
cells: Array<string>, 
/**
 * What a maintainer would object to, the gravest first.
 */
objections: Array<Finding<FindingCode>>, 
/**
 * Whether one of them blocks.
 */
blocked: boolean, 
/**
 * The README.
 */
readme: string, 
/**
 * Title and body of the pull request.
 */
pull_request: string, 
/**
 * Results for the repository of open weights; null when there is none.
 */
eval_results: string | null, 
/**
 * Every file.
 */
files: Array<SubmissionFile>, 
/**
 * How it can be compared with the leaderboard.
 */
comparability: Comparability, };

/**
 * The cell that all others are compared with: a value of every axis that has several.
 */
export type SweepBaseline = { 
/**
 * Model.
 */
model: string | null, 
/**
 * Sampling temperature.
 */
temperature: number | null, 
/**
 * Reasoning effort.
 */
effort: string | null, 
/**
 * Sampling seed.
 */
seed: number | null, 
/**
 * File of the system prompt.
 */
system_prompt: string | null, 
/**
 * File of the tools' descriptions.
 */
tool_texts: string | null, };

/**
 * One choice of model and settings.
 */
export type SweepCell = { 
/**
 * The model and the settings that differ between cells.
 */
label: string, 
/**
 * `provider/model`.
 */
model: string, 
/**
 * Sampling temperature; `None` where none was named, which is that of each pack's benchmark.
 */
temperature: number | null, 
/**
 * Reasoning effort; null where it is left to the model.
 */
effort: string | null, 
/**
 * Sampling seed.
 */
seed: number | null, 
/**
 * File of the system prompt; null where there is none.
 */
system_prompt: string | null, 
/**
 * File of the tools' texts; null where they are the pack's.
 */
tool_texts: string | null, 
/**
 * What it came to, a pack each.
 */
results: Array<SweepResult>, };

/**
 * A cell's difference from the baseline.
 */
export type SweepDifference = { 
/**
 * The cell's mean less the baseline's, over tasks that both have.
 */
value: number, 
/**
 * Ends of its 95 % interval; null where all tasks differ alike.
 */
interval: [number, number] | null, 
/**
 * Tasks that both have.
 */
tasks: number, 
/**
 * Tasks that the cell solves better.
 */
won: number, 
/**
 * Tasks that it solves worse.
 */
lost: number, 
/**
 * Of the sign-flip test.
 */
p: number, 
/**
 * The same after Holm's correction over all cells and packs.
 */
corrected_p: number, 
/**
 * What that comes to.
 */
verdict: SweepVerdict, };

/**
 * What is to be swept.
 */
export type SweepFile = { 
/**
 * Its name; another one begins anew.
 */
name: string, 
/**
 * Which metric is looked at.
 */
metric: string, 
/**
 * Protocol of the runs and rules of their scores.
 */
protocol: Protocol, 
/**
 * Packs by name; the active one when left out.
 */
packs: Array<string> | null, 
/**
 * Only these levels; all when left out.
 */
levels: Array<string>, 
/**
 * Only these tasks; all when left out.
 */
tasks: Array<string>, 
/**
 * Attempts a task.
 */
repetitions: number, 
/**
 * Attempts in flight.
 */
concurrency: number | null, 
/**
 * Model turns an attempt.
 */
max_steps: number | null, 
/**
 * Seconds a task.
 */
timeout_s: number | null, 
/**
 * Output tokens a model call.
 */
max_tokens: number | null, 
/**
 * USD that all of it may cost.
 */
max_cost: number | null, 
/**
 * Tokens that all of it may take.
 */
max_total_tokens: number | null, 
/**
 * The models.
 */
models: Array<SweepModel>, 
/**
 * What else is swept.
 */
settings: SweepSettings, 
/**
 * Who judges.
 */
judges: SweepJudges, 
/**
 * The cell that all others are compared with.
 */
baseline: SweepBaseline, 
/**
 * Texts by the names that the settings give them; what is not here lies in a file beside this one.
 */
texts: { [key in string]: string }, };

/**
 * Who judges the runs.
 */
export type SweepJudges = { 
/**
 * `provider/model` each.
 */
models: Array<string>, 
/**
 * Address of their server.
 */
base_url: string | null, };

/**
 * A model of a sweep.
 */
export type SweepModel = { 
/**
 * `provider/model`.
 */
id: string, 
/**
 * Address of its server.
 */
base_url: string | null, };

/**
 * What a sweep would take, its finished runs left out.
 */
export type SweepPlan = { 
/**
 * Its id where it was begun; null where it was not.
 */
id: string | null, 
/**
 * Its runs in their order.
 */
runs: Array<SweepPlanRun>, 
/**
 * Attempts in all.
 */
attempts: number, 
/**
 * Model calls and judge calls, of those runs that anything is known of.
 */
calls: number, 
/**
 * USD of both, of the same runs; null where a price is not known.
 */
usd: number | null, 
/**
 * Minutes of the same runs, one after the other.
 */
minutes: number, 
/**
 * Runs that nothing is known of: where there are any, the sums are the least that it takes.
 */
unknown: number, 
/**
 * USD that its runs and their judges have spent so far; null where that is not known of one.
 */
spent: number | null, 
/**
 * Whether calls that no server reported come on top of `spent`.
 */
is_spent_least: boolean, 
/**
 * Why it cannot begin; null where it can.
 */
refusal: Sentence | null, };

/**
 * A run of a sweep.
 */
export type SweepPlanRun = { 
/**
 * Label of its cell.
 */
cell: string, 
/**
 * `name@version`.
 */
pack: string, 
/**
 * How far it is.
 */
state: SweepState, 
/**
 * The run in the workspace; null where nothing of it is made.
 */
run: string | null, 
/**
 * How its last start ended; null while it goes on, and where it was killed or is new.
 */
outcome: RunOutcome | null, 
/**
 * Why it ended early.
 */
reason: Sentence | null, 
/**
 * Whether judges are still to be asked about it.
 */
to_judge: boolean, 
/**
 * Attempts that are left.
 */
attempts: number, 
/**
 * Model calls and judge calls that are left; null where nothing is known of them.
 */
calls: number | null, 
/**
 * USD of both; null where that or a price is not known.
 */
usd: number | null, 
/**
 * Minutes; null where nothing is known of them.
 */
minutes: number | null, };

/**
 * A cell in one pack.
 */
export type SweepResult = { 
/**
 * `name@version`.
 */
pack: string, 
/**
 * The run.
 */
run: string, 
/**
 * Its report.
 */
report: string | null, 
/**
 * Compared with the baseline; null of the baseline itself and where no task has both scores.
 */
difference: SweepDifference | null, 
/**
 * Mean over tasks; null where none has a score.
 */
mean: number | null, 
/**
 * Ends of its 95 % interval.
 */
interval: [number, number] | null, 
/**
 * Tasks with a score.
 */
tasks: number, 
/**
 * Attempts with a score.
 */
attempts: number, 
/**
 * Attempts without one.
 */
unscored: number, };

/**
 * A sweep in the list.
 */
export type SweepRow = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its name; empty where its file gives none.
 */
name: string, 
/**
 * Name of the metric.
 */
metric: string, 
/**
 * Its models.
 */
models: Array<string>, 
/**
 * Its packs by name.
 */
packs: Array<string>, 
/**
 * Choices of model and settings.
 */
cells: number, 
/**
 * Runs in all.
 */
runs: number, 
/**
 * Runs that are complete.
 */
made: number, 
/**
 * When it was last begun, milliseconds since the Unix epoch.
 */
begun_ms: number, 
/**
 * Why it cannot be read or planned as it is; null where it can.
 */
problem: Sentence | null, };

/**
 * The numbers of a run.
 */
export type SweepScore = { 
/**
 * Mean over tasks; null where none has a score.
 */
mean: number | null, 
/**
 * Ends of its 95 % interval.
 */
interval: [number, number] | null, 
/**
 * Tasks with a score.
 */
tasks: number, 
/**
 * Attempts with a score.
 */
attempts: number, 
/**
 * Attempts without one.
 */
unscored: number, };

/**
 * Settings with the values that they take.
 */
export type SweepSettings = { 
/**
 * Sampling temperatures.
 */
temperature: Array<number> | null, 
/**
 * Reasoning efforts: `default`, `low`, `medium`, `high`.
 */
effort: Array<string> | null, 
/**
 * Sampling seeds.
 */
seed: number[] | null, 
/**
 * Files of system prompts beside this one; `none` for none.
 */
system_prompt: Array<string> | null, 
/**
 * Files of tools' descriptions beside this one; `none` for the pack's own.
 */
tool_texts: Array<string> | null, };

/**
 * How far a run of a sweep is.
 */
export type SweepState = "new" | "begun" | "made";

/**
 * What a sweep found.
 */
export type SweepSummary = { 
/**
 * Its name; empty where its file gives none.
 */
name: string, 
/**
 * Name of the metric.
 */
metric: string, 
/**
 * By which rules attempts were scored.
 */
scorer: string, 
/**
 * Judges that were asked.
 */
judges: Array<string>, 
/**
 * Attempts a task.
 */
repetitions: number, 
/**
 * `name@version` of each pack.
 */
packs: Array<string>, 
/**
 * Label of the cell that all others are compared with.
 */
baseline: string, 
/**
 * Settings with their results; those of a sweep that ended early have fewer.
 */
cells: Array<SweepCell>, 
/**
 * Runs that are complete and scored.
 */
done: number, 
/**
 * Runs in all.
 */
runs: number, 
/**
 * Tests that were corrected together.
 */
tests: number, 
/**
 * Why it ended before its last run; null where it did not.
 */
stopped: Sentence | null, 
/**
 * USD that were spent, earlier starts included; null where nothing costs or it is not known.
 */
usd: number | null, 
/**
 * What a reader must know.
 */
notes: Array<Sentence>, };

/**
 * What a test comes to.
 */
export type SweepVerdict = "better" | "worse" | "not_separated";

/**
 * A sweep with what is made of it.
 */
export type SweepView = { 
/**
 * Its id.
 */
id: string, 
/**
 * What its file says.
 */
file: SweepFile, 
/**
 * What is left of it.
 */
plan: SweepPlan, 
/**
 * What is known so far.
 */
table: SweepSummary, };

/**
 * A call that a task names, and what a run would answer it with.
 */
export type TaskCall = { 
/**
 * Tool name.
 */
tool: string, 
/**
 * Arguments as stated.
 */
args: unknown, 
/**
 * Step of a sequence; calls of one step are parallel.
 */
step: number | null, 
/**
 * What a run would answer.
 */
answer: CallAnswer, };

/**
 * One task with everything that a reader of it needs.
 */
export type TaskDetail = { 
/**
 * Pack name.
 */
pack: string, 
/**
 * Version of the pack.
 */
version: string, 
/**
 * Task id.
 */
id: string, 
/**
 * Its level.
 */
level: Level, 
/**
 * What kind of task the dataset says it is.
 */
category: string | null, 
/**
 * What the user asks; the first user turn of a conversation.
 */
instruction: string, 
/**
 * The conversation; empty where there is none.
 */
turns: Array<TaskTurn>, 
/**
 * Number of the last turn that a model is given before it must answer.
 */
evaluated_turn: number | null, 
/**
 * The tools that the task names.
 */
tools: Array<TaskTool>, 
/**
 * The golden path.
 */
golden: Array<TaskCall>, 
/**
 * Calls that would do as well after a failure (L5).
 */
fallbacks: Array<TaskCall>, 
/**
 * Fewest steps that solve it, where stated (L3).
 */
minimum_steps: number | null, 
/**
 * Fewest calls that solve it, where stated (L6).
 */
minimum_calls: number | null, 
/**
 * The failure that is injected (L5).
 */
injection: TaskInjection | null, 
/**
 * What the user holds to be wrong with it.
 */
flag: TaskFlagView | null, 
/**
 * Faults that the import found in it.
 */
problems: Array<Finding<Fault>>, 
/**
 * The dataset's object, unchanged.
 */
raw: unknown, };

/**
 * The calls of one attempt.
 */
export type TaskDrift = { 
/**
 * Task id.
 */
task: string, 
/**
 * Its level.
 */
level: Level, 
/**
 * 1-based repetition.
 */
repetition: number, 
/**
 * Its calls, counted.
 */
totals: DriftTotals, 
/**
 * Its calls in order.
 */
calls: Array<CallDrift>, };

/**
 * A task of a report.
 */
export type TaskFigure = { 
/**
 * Its level.
 */
level: Level, 
/**
 * Task id.
 */
task: string, 
/**
 * Whether the model came to an answer.
 */
answered: boolean, 
/**
 * Its score of each metric.
 */
scores: Array<TaskScore>, 
/**
 * What another benchmark found about it, a row each of its own metrics; left out in reports of Ko-AgentBench.
 */
rows?: Array<ItemRow>, };

/**
 * A user's remark that a task is faulty.
 */
export type TaskFlagView = { 
/**
 * In the user's words.
 */
note: string, 
/**
 * When it was flagged first, UTC, ISO 8601.
 */
flagged_at: string, };

/**
 * A failure that a task asks to inject.
 */
export type TaskInjection = { 
/**
 * The tool that fails.
 */
tool: string, 
/**
 * Kind of failure, as the task names it.
 */
error_type: string, 
/**
 * What the model is told.
 */
message: string, };

/**
 * The tasks of one pack, level by level in the dataset's order.
 */
export type TaskList = { 
/**
 * Pack name.
 */
pack: string, 
/**
 * Version of the pack.
 */
version: string, 
/**
 * Its tasks.
 */
tasks: Array<TaskRow>, };

/**
 * A task and where it stands.
 */
export type TaskOfLevel = { 
/**
 * Level.
 */
level: Level, 
/**
 * Task id.
 */
task: string, };

/**
 * Something that went wrong in attempts at a task.
 */
export type TaskProblem = { 
/**
 * Why the attempts ended; null for a call that no cached response answered.
 */
stop: StopReason | null, 
/**
 * What was said; null where `stop` says it all.
 */
message: Sentence | null, 
/**
 * The tool that had no cached response.
 */
tool: string | null, 
/**
 * How often.
 */
count: number, };

/**
 * One task in the list.
 */
export type TaskRow = { 
/**
 * Task id, such as `L3-004`.
 */
id: string, 
/**
 * Its level.
 */
level: Level, 
/**
 * What kind of task the dataset says it is.
 */
category: string | null, 
/**
 * What the user asks; the first user turn of a conversation.
 */
instruction: string, 
/**
 * Every tool that the task names.
 */
tools: Array<string>, 
/**
 * Calls of the golden path, or of the conversation's turns where there is none, that can be looked up: an argument that
 * is a placeholder waits for the call before.
 */
calls: number, 
/**
 * Those of them that a cached response answers, injected failures left out of both.
 */
answered: number, 
/**
 * What the user holds to be wrong with it.
 */
flag: TaskFlagView | null, 
/**
 * Faults that the import found.
 */
problems: number, };

/**
 * A task's score of one metric.
 */
export type TaskScore = { 
/**
 * Name as published.
 */
metric: string, 
/**
 * The score; an error counts 0.
 */
value: number | null, 
/**
 * Why there is none, or which error counted 0.
 */
why: Sentence | null, };

/**
 * A task's scores under one metric.
 */
export type TaskScores = { 
/**
 * The metric.
 */
metric: MetricId, 
/**
 * Score of each report; null when it has none.
 */
scores: Array<number | null>, };

/**
 * The ended attempts at one task. Grows by a byte an attempt.
 */
export type TaskSoFar = { 
/**
 * Task id.
 */
task: string, 
/**
 * Its level.
 */
level: Level, 
/**
 * How each repetition ended, in their order: `-` where it has not; else the first letter of why (`a`nswered, `c`ut off,
 * `s`tep limit, `t`imed out, `m`odel failed, a`g`ent failed, `b`udget, `x` cancelled), a capital where it ended without an answer.
 */
ends: string, 
/**
 * How many of them ended in an earlier start of the run.
 */
kept: number, 
/**
 * Model turns.
 */
steps: number, 
/**
 * Tool calls.
 */
calls: number, 
/**
 * Prompt tokens; null when no turn reported any.
 */
prompt_tokens: number | null, 
/**
 * Completion tokens, likewise.
 */
completion_tokens: number | null, 
/**
 * Prompt plus completion tokens.
 */
total_tokens: number, 
/**
 * Model turns whose tokens nobody reported.
 */
unreported: number, 
/**
 * How the calls were answered.
 */
answers: CacheUse, 
/**
 * What went wrong, each once.
 */
problems: Array<TaskProblem>, 
/**
 * Of the last attempt that had one.
 */
error: Sentence | null, };

/**
 * How a task of a run stands.
 */
export type TaskStatus = "waiting" | "answered" | "unanswered" | "failed" | "unreadable";

/**
 * A tool of a task.
 */
export type TaskTool = { 
/**
 * Tool name.
 */
name: string, 
/**
 * What it is to the task.
 */
part: ToolPart, 
/**
 * Its definition; `null` when the pack's catalog does not have the tool, which is then never offered.
 */
spec: ToolView | null, };

/**
 * One turn of a conversation.
 */
export type TaskTurn = { 
/**
 * Number as stated.
 */
number: number, 
/**
 * `user` or `assistant`.
 */
role: string, 
/**
 * What is said.
 */
content: string, 
/**
 * Tool calls of the turn.
 */
calls: Array<TaskCall>, };

/**
 * What a task took, as its log says. `null` is "not measured".
 */
export type TaskUsage = { 
/**
 * Its level.
 */
level: Level, 
/**
 * Task id.
 */
task: string, 
/**
 * Seconds.
 */
seconds: number | null, 
/**
 * Seconds to the first token, mean over the model turns.
 */
ttft: number | null, 
/**
 * Tokens.
 */
tokens: number | null, 
/**
 * Model turns.
 */
steps: number | null, 
/**
 * Tool calls.
 */
calls: number, };

/**
 * Everything that judges and people said about a task of a run.
 */
export type TaskVerdicts = { 
/**
 * Run id.
 */
run: string, 
/**
 * Task id.
 */
task: string, 
/**
 * Questions in report order. A metric stands here twice when the two scorers ask differently.
 */
questions: Array<QuestionVerdicts>, 
/**
 * Judged metrics that the log alone decides here, so that nobody is asked.
 */
decided_by_log: Array<string>, 
/**
 * Overrides on this task that do not apply any more, because the question has changed since.
 */
outdated: Array<OverrideRow>, };

/**
 * Light or dark.
 */
export type Theme = "system" | "light" | "dark";

/**
 * Calls to one tool, counted.
 */
export type ToolDrift = { 
/**
 * Tool as models wrote it.
 */
tool: string, 
/**
 * Calls to it.
 */
totals: DriftTotals, };

/**
 * What a changed definition does to the cached responses of a tool.
 */
export type ToolImpact = { 
/**
 * Tool name.
 */
tool: string, 
/**
 * Its cached responses.
 */
records: number, 
/**
 * Those that are stale then: their key is that of the earlier definition.
 */
stale: number, 
/**
 * Those that a call still finds by its arguments.
 */
found: number, };

/**
 * What a tool is to a task.
 */
export type ToolPart = "offered" | "distractor" | "fallback";

/**
 * Cached responses of one tool.
 */
export type ToolRecordsView = { 
/**
 * Tool name.
 */
tool: string, 
/**
 * All records.
 */
records: number, 
/**
 * Under the keys of the current catalog.
 */
current: number, 
/**
 * Recorded under an earlier definition of the tool.
 */
stale: number, 
/**
 * Of a tool that the catalog does not have.
 */
orphan: number, 
/**
 * Distinct arguments that are answered.
 */
answering: number, };

/**
 * A tool's definition, as a model is shown it.
 */
export type ToolView = { 
/**
 * Tool name.
 */
name: string, 
/**
 * Description.
 */
description: string, 
/**
 * JSON Schema of the arguments.
 */
parameters: unknown, };

/**
 * One task of a run with everything that is known about it.
 */
export type Transcript = { 
/**
 * Run id.
 */
run: string, 
/**
 * Task id.
 */
task: string, 
/**
 * Its level.
 */
level: Level, 
/**
 * Model id.
 */
model: string, 
/**
 * Pack `name@version`; null when the run does not say.
 */
pack: string | null, 
/**
 * Protocol; null when the run does not say.
 */
protocol: Protocol | null, 
/**
 * `task_category` of the dataset.
 */
category: string | null, 
/**
 * What the user asked; of a conversation the first turn.
 */
instruction: string, 
/**
 * The whole task as its pack states it; null when no pack here has it.
 */
dataset: unknown, 
/**
 * What the pack at hand asks under the same id where that is another instruction; `dataset` is null then.
 */
other_instruction: string | null, 
/**
 * The failure that the task injects (L5).
 */
injection: Injection | null, 
/**
 * The golden path, then the fallbacks.
 */
golden: Array<GoldenCall>, 
/**
 * Repetitions, the first one first.
 */
repetitions: Array<Repetition>, 
/**
 * The repetition that was asked for; null while it has not ended.
 */
attempt: TranscriptAttempt | null, 
/**
 * Whether this process is making the run and the attempt is still to end; what there is of it grows.
 */
under_way: boolean, 
/**
 * Whether the scores below are of this very attempt. The published log keeps the first repetition only, and nothing
 * of a single-turn attempt that failed.
 */
attempt_is_scored: boolean, 
/**
 * Every metric of the level, in the report's order; empty while there is nothing to score.
 */
metrics: Array<MetricScores>, 
/**
 * What the judges said, in the order of asking.
 */
verdicts: Array<JudgeVerdict>, 
/**
 * What the judges are asked, as far as the pack's prompts are at hand.
 */
questions: Array<JudgeQuestionText>, 
/**
 * The reports whose verdicts stand behind the scores.
 */
reports: Array<ReportUsed>, 
/**
 * Why no attempt at the task can be forked; left out where one can.
 */
no_fork?: Sentence, };

/**
 * One attempt at the task.
 */
export type TranscriptAttempt = { 
/**
 * 1-based repetition.
 */
repetition: number, 
/**
 * How it ended.
 */
status: TaskStatus, 
/**
 * The published `success`; null where the log does not say.
 */
success: boolean | null, 
/**
 * Why it ended; null in published logs.
 */
stop: StopReason | null, 
/**
 * What went wrong, when something did.
 */
error: Sentence | null, 
/**
 * Milliseconds from start to end; null where the log does not say.
 */
took_ms: number | null, 
/**
 * Model turns.
 */
steps: number, 
/**
 * Prompt tokens of all turns; null when none were reported.
 */
prompt_tokens: number | null, 
/**
 * Completion tokens, likewise.
 */
completion_tokens: number | null, 
/**
 * Milliseconds to the first token, mean of the turns that streamed; null when none did.
 */
ttft_ms: number | null, 
/**
 * The answer; null when there is none.
 */
final_response: string | null, 
/**
 * Whether that answer is the dataset's own and not the model's (L6, L7).
 */
answer_is_seeded: boolean, 
/**
 * The conversation in order.
 */
turns: Array<TranscriptTurn>, 
/**
 * Tool calls in order; turns name theirs by their place here.
 */
calls: Array<TranscriptCall>, 
/**
 * Whether each turn's times and tokens are known. Published logs have only sums.
 */
has_timing: boolean, 
/**
 * What the agent did beside its steps and calls; left out where this program drove the model, and before it ended.
 */
agent?: AgentConduct, };

/**
 * One tool call beside the golden path.
 */
export type TranscriptCall = { 
/**
 * 1-based step; null where the log does not say.
 */
step: number | null, 
/**
 * Tool as the model wrote it.
 */
tool: string, 
/**
 * Arguments as the model gave them.
 */
arguments: unknown, 
/**
 * The argument text, where it could not be read.
 */
unreadable: string | null, 
/**
 * Whether it has a result; null where the log does not say.
 */
success: boolean | null, 
/**
 * What the model was told, when it has none.
 */
error: Sentence | null, 
/**
 * Who the error is attributed to; null where the log does not say.
 */
owner: FaultOwner | null, 
/**
 * Where the answer came from; null where the log does not say.
 */
source: AnswerSource | null, 
/**
 * What the model was shown.
 */
result: unknown, 
/**
 * What it is to the golden path.
 */
place: CallPlace, 
/**
 * The golden entry it is compared with.
 */
golden: number | null, 
/**
 * Its arguments beside that entry's.
 */
beside: Array<ArgumentBeside>, };

/**
 * One turn of the conversation.
 */
export type TranscriptTurn = { 
/**
 * Who speaks.
 */
speaker: Speaker, 
/**
 * Whether the dataset gave the turn and the model only read it.
 */
seeded: boolean, 
/**
 * What is said; empty when the model only called tools.
 */
text: string, 
/**
 * What a seeded tool answered.
 */
content: unknown, 
/**
 * 1-based step of the attempt; null for turns that are not the model's own.
 */
step: number | null, 
/**
 * Times and tokens of the step; null where they were not recorded.
 */
timing: StepTiming | null, 
/**
 * The calls that the turn makes.
 */
calls: Array<number>, };

/**
 * What a file holds.
 */
export type TrialFileContent = { "kind": "text", 
/**
 * The text.
 */
text: string, 
/**
 * Whether there is more.
 */
cut: boolean, } | { "kind": "image", 
/**
 * Its type, as in `image/png`, found in its first bytes.
 */
media: string, 
/**
 * Its bytes as Base64.
 */
base64: string, } | { "kind": "binary", 
/**
 * Whether it is an image that is too large.
 */
too_large: boolean, };

/**
 * What an entry is.
 */
export type TrialFileKind = "file" | "link" | "other";

/**
 * Whether a trial was finished.
 */
export type TrialPageState = "finished" | "half_made";

/**
 * What a trial does.
 */
export type TrialState = "waiting" | "running" | "ended" | "skipped";

/**
 * Why a metric cannot reach 1 here.
 */
export type Unreachable = "no_call_needed" | "injected_failure" | "second_conversation" | "path_beyond_minimum" | "uncounted_result";

/**
 * One place at which two values differ.
 */
export type ValueChange = { 
/**
 * Where, such as `items[2].title`; empty for the value itself.
 */
path: string, 
/**
 * What stood there, as JSON, cut where it is long; null when there was nothing.
 */
then: string | null, 
/**
 * What stands there, likewise.
 */
now: string | null, };

/**
 * The places at which two values differ.
 */
export type ValueChanges = { 
/**
 * All of them.
 */
total: number, 
/**
 * The first ones, in the order of the values.
 */
shown: Array<ValueChange>, };

/**
 * What was found in a bundle.
 */
export type Verification = { 
/**
 * Name of the file.
 */
file: string, 
/**
 * Whether nothing failed.
 */
ok: boolean, 
/**
 * What it is of, as far as its manifest can be read.
 */
subject: BundleSubject | null, 
/**
 * Program and version that made it.
 */
made_by: string | null, 
/**
 * When what is in it was done.
 */
created: string | null, 
/**
 * How it is signed.
 */
signature: SignatureState, 
/**
 * The public key of the signature, in minisign's form.
 */
signed_by: string | null, 
/**
 * Everything that was looked at, in the order in which it is.
 */
checks: Array<Finding<BundleCheckName>>, 
/**
 * Failures, those that are not listed one by one included.
 */
failures: number, 
/**
 * What was computed again.
 */
counts: VerifiedCounts, };

/**
 * What was computed again.
 */
export type VerifiedCounts = { 
/**
 * Files compared with their hashes.
 */
files: number, 
/**
 * Their bytes.
 */
bytes: number, 
/**
 * Reports scored again.
 */
reports: number, 
/**
 * Scores of tasks and means of levels that were compared.
 */
values: number, 
/**
 * Of these, those of metrics that ask judges.
 */
judged: number, 
/**
 * Tasks in the logs.
 */
tasks: number, 
/**
 * Tool calls compared with what answered them.
 */
calls: number, 
/**
 * Verdicts compared with their questions.
 */
verdicts: number, };

/**
 * Figures that are asked for: a metric wherever it is, a level with all of it, or a metric of one level.
 */
export type WantedFigure = { 
/**
 * The level; null for a metric on every level that has it.
 */
level: Level | null, 
/**
 * The metric; null for a level's score with all metrics of the level.
 */
metric: MetricId | null, };

/**
 * An error as the UI receives it: a code it may branch on, and one sentence for people.
 */
export type WireError = { 
/**
 * What kind of error.
 */
code: ErrorCode, 
/**
 * What, where, what to do: one sentence.
 */
message: Sentence, };

/**
 * How the worker of a shard stands.
 */
export type WorkerStanding = "waiting" | "running" | "done" | "failed" | "cancelled" | "unknown";

/**
 * What stands where a workspace was.
 */
export type WorkspaceState = "here" | "there" | "empty" | "missing";
