//! Runs on clusters: submitted by `koab run --on`, listed by `koab runs`.

use crate::CommandEnd;
use crate::output::{Columns, Output, or_dash};
use koab_api::options::EvaluateOptions;
use koab_api::{
    Api, EngineKind, RemotePlan, RemoteRequest, RemoteRun, RemoteShard, RemoteWork, RunRequest, RunSummary,
    WireError, WorkerStanding,
};
use koab_core::sentence::Language;
use koab_core::{say, text};

/// Maximum number of shards that are all listed. If a run has more, a shard that is done, waiting
/// or unknown is listed only if it was restarted.
const MAX_LISTED_SHARDS: usize = 32;

/// Submits a run to an engine. With `dry_run` the plan is only shown.
pub(super) async fn submit(
    api: &Api,
    request: RunRequest,
    how: RemoteRequest,
    dry_run: bool,
    output: Output,
) -> Result<CommandEnd, WireError> {
    if dry_run {
        let plan = api.remote.remote_plan(request, how).await?;
        planned(&plan, RemoteWork::Attempts, output);
        return Ok(CommandEnd::Done);
    }
    let remote = api.remote.remote_submit(request, how).await?;
    print_submitted(&remote, output);
    Ok(CommandEnd::Done)
}

/// Submits the judging of a run to an engine. With `dry_run` the plan is only shown.
pub(super) async fn judge(
    api: &Api,
    options: &EvaluateOptions,
    how: &RemoteRequest,
    dry_run: bool,
    output: Output,
) -> Result<CommandEnd, WireError> {
    if dry_run {
        let plan = api.remote.judging_plan_remote(options, how).await?;
        planned(&plan, RemoteWork::Judging, output);
        return Ok(CommandEnd::Done);
    }
    let remote = api.remote.judging_submit(options, how).await?;
    print_submitted(&remote, output);
    Ok(CommandEnd::Done)
}

/// Prints the files that would be submitted to an engine.
fn planned(plan: &RemotePlan, work: RemoteWork, output: Output) {
    output.result(plan, || {
        let RemotePlan {
            engine,
            attempts,
            shards,
            unfinished,
            at_once,
            ..
        } = plan;
        let engine = title(*engine);
        let head = match work {
            RemoteWork::Attempts => say!(
                "{engine}: {attempts} attempts in {unfinished} of {shards} shards, {at_once} workers at once\n"
            ),
            RemoteWork::Judging => say!(
                "{engine}: {attempts} answers of judges in {unfinished} of {shards} shards, {at_once} workers at once\n"
            ),
        };
        output.lang.say(&head) + &files(plan)
    });
}

/// Prints the job that was submitted to an engine.
fn print_submitted(remote: &RemoteRun, output: Output) {
    output.result(remote, || {
        let (run, of) = (&remote.run, remote.shards.len());
        let open_shards = of - remote.states.done as usize;
        let (engine, job) = (title(remote.engine), remote.jobs.last().cloned().unwrap_or_default());
        let submitted = output.lang.say(&say!(
            "{engine} has the run as job {job}: {left} of {of} shards, {} workers at once\n",
            remote.at_once,
            left = open_shards
        ));
        let next =
            output.lang.say(&say!("progress: `koab runs show {run}`; to end it: `koab runs cancel {run}`\n"));
        submitted + &next
    });
}

fn title(engine: EngineKind) -> &'static str {
    engine.title()
}

/// Number of nodes, with the names of the first nodes in brackets.
fn nodes(names: &[String]) -> String {
    const MAX_NAMES: usize = 8;
    let first = names.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    format!("{} ({first}{more})", names.len())
}

/// All files of a plan as text, each below its name.
fn files(plan: &RemotePlan) -> String {
    let files = plan.files.iter();
    files.map(|file| format!("\n# {}\n{}", file.name, file.text)).collect()
}

/// State of each listed run that was submitted to an engine and is not complete. If an engine does
/// not answer, the state is taken from the files.
pub(super) async fn remote_states(api: &Api, runs: &[RunSummary]) -> Vec<RemoteRun> {
    let mut remotes = Vec::new();
    for run in runs.iter().filter(|run| run.remote.is_some() && !run.complete) {
        remotes.extend(api.remote.run_remote(&run.id, None).await);
    }
    remotes
}

/// State of a run at an engine, in a few words.
pub(super) fn standing(remote: &RemoteRun, lang: Language) -> String {
    let (engine, states) = (title(remote.engine), remote.states);
    let (done, of) = (states.done, remote.shards.len());
    if remote.active {
        return lang.say(&say!("on {engine}: {done} of {of} shards done, {} running", states.running));
    }
    if remote.merging {
        return lang.say(&say!("on {engine}: being merged"));
    }
    if states.unknown > 0 {
        return lang.say(&say!("on {engine}: it does not answer; {done} of {of} shards done"));
    }
    if states.failed > 0 {
        return lang.say(&say!("on {engine}: {} of {of} shards failed", states.failed));
    }
    if states.cancelled > 0 {
        return lang.say(&say!("on {engine}: cancelled, {done} of {of} shards done"));
    }
    lang.say(&say!("on {engine}: done, to be merged"))
}

/// State of a run at an engine in detail, with a table of shards.
pub(super) fn text(remote: &RemoteRun, output: Output) -> String {
    let lang = output.lang;
    let states = remote.states;
    let jobs = remote.jobs.join(", ");
    let (of, counted) = match remote.work {
        RemoteWork::Attempts => (lang.text(text!("cluster")), text!("attempts")),
        RemoteWork::Judging => (lang.text(text!("cluster, judging")), text!("answers of judges")),
    };
    let mut text = format!("\n{of}: {} ({jobs})\n", title(remote.engine));
    let mut line = |label: &str, what: String| text.push_str(&format!("{label}: {what}\n"));
    if let Some(silent) = &remote.silent {
        line(lang.text(text!("no answer from the cluster")), lang.say(silent));
    }
    let words = [
        (states.done, lang.text(text!("done", "shards"))),
        (states.running, lang.text(text!("running", "shards"))),
        (states.waiting, lang.text(text!("waiting", "shards"))),
        (states.failed, lang.text(text!("failed", "shards"))),
        (states.cancelled, lang.text(text!("cancelled", "shards"))),
        (states.unknown, lang.text(text!("unknown", "shards"))),
    ];
    // Shards are of unknown state only if the engine does not answer.
    let words = words.iter().zip(0..).filter(|((count, _), place)| *place < 5 || *count > 0);
    let words: Vec<String> = words.map(|((count, word), _)| format!("{count} {word}")).collect();
    line(lang.text(text!("shards")), words.join(", "));
    if !remote.nodes.is_empty() {
        line(lang.text(text!("nodes")), nodes(&remote.nodes));
    }
    line(
        lang.text(counted),
        format!(
            "{}/{}, {} {}",
            remote.done,
            remote.planned,
            remote.failed,
            lang.text(text!("failed for technical reasons"))
        ),
    );
    if remote.tokens > 0 {
        let usd = or_dash(remote.usd.map(|usd| format!("${usd:.4}")));
        line(lang.text(text!("spent")), format!("{} {}, {usd}", remote.tokens, lang.text(text!("tokens"))));
    }
    line(lang.text(text!("rate limits met")), remote.rate_limits.to_string());
    let all = remote.shards.len() <= MAX_LISTED_SHARDS;
    let says = |shard: &&RemoteShard| {
        all || !matches!(
            shard.state,
            WorkerStanding::Done | WorkerStanding::Waiting | WorkerStanding::Unknown
        ) || shard.restarts > 0
    };
    let shards: Vec<&RemoteShard> = remote.shards.iter().filter(says).collect();
    if !shards.is_empty() {
        let table = Columns::new(shards, lang)
            .column(text!("shard"), |shard| shard.index.to_string())
            .column(text!("state"), |shard| state(shard.state, lang))
            .column(text!("node"), |shard| or_dash(shard.node.as_deref()))
            .column(counted, |shard| format!("{}/{}", shard.done, shard.planned))
            .column(text!("restarts"), |shard| shard.restarts.to_string())
            .prose(text!("why"), |shard| or_dash(shard.reason.as_ref().map(|reason| lang.say(reason))));
        text.push_str(&table.text());
    }
    text
}

/// Word for the state of a shard.
pub(super) fn state(state: WorkerStanding, lang: Language) -> &'static str {
    lang.text(match state {
        WorkerStanding::Waiting => text!("waiting", "shards"),
        WorkerStanding::Running => text!("running", "shards"),
        WorkerStanding::Done => text!("done", "shards"),
        WorkerStanding::Failed => text!("failed", "shards"),
        WorkerStanding::Cancelled => text!("cancelled", "shards"),
        WorkerStanding::Unknown => text!("unknown", "shards"),
    })
}
