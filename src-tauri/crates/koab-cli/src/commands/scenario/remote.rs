//! Scenarios on a cluster: submit, status, cancel, and the workers' command.

use crate::CommandEnd;
use crate::args::scenario::{ScenarioRunArgs, ScenarioWorkerArgs};
use crate::commands::interrupt::on_end;
use crate::commands::remote::state;
use crate::output::{Columns, Output, or_dash};
use crate::scenario_progress::ScenarioProgress;
use koab_api::{
    Api, EngineKind, ScenarioCluster, ScenarioRemote, ScenarioRequest, ScenarioSubmission, Scorer, WireError,
    WorkerStanding,
};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;

/// Submits scenarios to an engine. With `--dry-run` the plan is only shown. If all trials are
/// finished, their tables are printed.
pub(super) async fn submit(
    api: &Api,
    engine: EngineKind,
    request: ScenarioRequest,
    args: &ScenarioRunArgs,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let how = ScenarioCluster {
        remote: args.cluster.how(engine),
        image_archive: args.image_archive.clone(),
        without_engine: args.without_engine,
    };
    if args.dry_run {
        let plan = api.scenarios.remote_plan(request, &how).await?;
        output.result(&plan, || planned(&plan, output.lang));
        return Ok(CommandEnd::Done);
    }
    let results = request.results.clone();
    match api.scenarios.remote_submit(request, &how).await? {
        Some(remote) => output.result(&remote, || submitted(&remote, output.lang)),
        None => {
            let folder = results.unwrap_or_else(|| {
                let home = api.workspace.home().path().join("results");
                home.display().to_string()
            });
            let tables = api.scenarios.tables(&folder, Scorer::default())?;
            output.result(&json!({ "scenarios": tables }), || {
                let texts: Vec<String> =
                    tables.iter().map(|one| super::tabulate::text(one, output.lang)).collect();
                texts.join("\n")
            });
        }
    }
    Ok(CommandEnd::Done)
}

/// Prints the state of scenarios at their engine.
pub(super) async fn status(
    api: &Api,
    results: Option<&str>,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let remote = api.scenarios.remote_status(results).await?;
    output.result(&remote, || standing(&remote, output.lang));
    Ok(CommandEnd::Done)
}

/// Cancels the workers of scenarios at their engine.
pub(super) async fn cancel(
    api: &Api,
    results: Option<&str>,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let remote = api.scenarios.remote_cancel(results).await?;
    output.result(&remote, || standing(&remote, output.lang));
    Ok(CommandEnd::Done)
}

/// Runs the trials of one shard. A cluster engine starts this command as a worker. Without a shard,
/// it prints the tables after all workers have ended.
pub(super) async fn worker(
    api: &Api,
    args: &ScenarioWorkerArgs,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let Some(shard) = args.shard else {
        let (tables, missing) = api.scenarios.remote_tables(&args.folder)?;
        output.result(&json!({ "scenarios": tables, "missing": missing }), || {
            let lang = output.lang;
            let mut texts: Vec<String> = tables
                .iter()
                .map(|one| super::tabulate::text(one, lang))
                .collect();
            if missing > 0 {
                texts.push(lang.say(&say!(
                    "{missing} trials are missing; the same `koab scenario run … --on slurm` hands them over again\n"
                )));
            }
            texts.join("\n")
        });
        return Ok(match missing {
            0 => CommandEnd::Done,
            _ => CommandEnd::SomeFailed,
        });
    };
    let cancel = on_end();
    let progress = ScenarioProgress::new(output, false);
    let part = api
        .scenarios
        .run_part(
            &args.folder,
            (shard.index, shard.of),
            cancel,
            &mut |line| output.remark(&output.lang.say(line)),
            &|event| progress.hear(&event),
        )
        .await?;
    progress.finish();
    output.result(&part.summary, || super::summary::text(&part.summary, output.lang));
    if let Some(broken) = &part.summary.broken {
        output.sentence(&output.lang.say(broken));
        return Ok(CommandEnd::NotDone);
    }
    Ok(match (part.taken_over, part.summary.cancelled) {
        // Another worker makes this shard.
        (true, _) | (false, false) => CommandEnd::Done,
        (false, true) => CommandEnd::Again,
    })
}

fn planned(plan: &ScenarioSubmission, lang: Language) -> String {
    let ScenarioSubmission { engine, trials, shards, at_once, files, .. } = plan;
    let engine = engine.title();
    let mut text =
        lang.say(&say!("{engine}: {trials} trials in {shards} shards, {at_once} workers at once\n"));
    for (name, file) in files {
        text.push_str(&format!("\n# {name}\n{file}"));
    }
    text
}

fn submitted(remote: &ScenarioRemote, lang: Language) -> String {
    let (engine, trials) = (remote.engine.title(), remote.trials);
    let job = remote.jobs.last().cloned().unwrap_or_default();
    lang.say(&say!("{engine} has {trials} trials as job {job}\n"))
        + lang.text(text!("progress: `koab scenario status`; to end the trials: `koab scenario cancel`\n"))
}

fn standing(remote: &ScenarioRemote, lang: Language) -> String {
    let (engine, finished, trials) = (remote.engine.title(), remote.finished, remote.trials);
    let jobs = remote.jobs.join(", ");
    let mut text = lang.say(&say!("{engine} ({jobs}): {finished} of {trials} trials finished\n"));
    if let Some(silent) = &remote.silent {
        let label = lang.text(text!("no answer from the cluster"));
        text.push_str(&format!("{label}: {}\n", lang.say(silent)));
    }
    let shards: Vec<_> = remote
        .shards
        .iter()
        .filter(|shard| shard.state != WorkerStanding::Done || remote.shards.len() <= 32)
        .collect();
    if !shards.is_empty() {
        let table = Columns::new(shards, lang)
            .column(text!("shard"), |shard| shard.index.to_string())
            .column(text!("state"), |shard| state(shard.state, lang))
            .column(text!("node"), |shard| or_dash(shard.node.as_deref()))
            .column(text!("trials"), |shard| format!("{}/{}", shard.finished, shard.trials))
            .column(text!("restarts"), |shard| shard.restarts.to_string())
            .prose(text!("why"), |shard| or_dash(shard.reason.as_ref().map(|reason| lang.say(reason))));
        text.push_str(&table.text());
    }
    text.push_str(&format!("{}: {}/cluster\n", lang.text(text!("logs")), remote.folder));
    text
}
