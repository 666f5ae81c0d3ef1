//! Implements `koab run`.

use super::adaptive;
use super::by_hand::Terminal;
use super::evaluate::{scored, spent};
use super::interrupt::on_end;
use super::levels::groups;
use super::remote;
use super::repetitions;
use crate::CommandEnd;
use crate::args::Command;
use crate::args::run::{Concurrency, RunArgs};
use crate::args::runs::RunsCommand;
use crate::job_progress;
use crate::output::{Columns, Output, or, or_dash};
use crate::progress::RunProgress;
use crate::render::{headline, judge_plan};
use koab_api::local_models::LocalSettings;
use koab_api::options::{EvaluateOptions, JudgeChoice, RunChoice};
use koab_api::shown::NONE;
use koab_api::{
    Api, ByHand, Estimate, JobKind, JudgesFrom, Origin, OtlpOptions, RunEnd, RunOutcome, RunRequest,
    ShortLimit, SpanDelivery, WireError, WorkerHome, is_local,
};
use koab_core::run_record::CacheUse;
use koab_core::sentence::{Language, Sentence};
use koab_core::{say, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

pub(crate) async fn run(api: &Api, mut args: RunArgs, output: Output) -> Result<CommandEnd, WireError> {
    if args.otlp_content && !args.otlp && args.otlp_endpoint.is_none() {
        return Err(WireError::bad_request(say!(
            "--otlp-content needs a collector; add --otlp or --otlp-endpoint"
        )));
    }
    if let (true, Some(pack)) = (args.requests, &args.pack) {
        return super::answers::requests(api, pack, output);
    }
    if args.base_url.is_none() {
        args.base_url = earlier_address(api, &args, output);
    }
    let options = options(&args, Terminal(output.lang))?;
    if let Some(engine) = args.on {
        return remote::submit(api, options, args.cluster.how(engine), args.dry_run, output).await;
    }
    if let Some(half_width) = args.adaptive {
        return adaptive::run(api, &args, options, half_width, output).await;
    }
    if args.dry_run {
        // Services that a run in write mode lacks are errors of its estimate, too.
        api.runs.check_services(&options).await?;
        return dry_run(api, &options, &args.judge_models, output);
    }
    // A judge that cannot be reached must be an error before the run has cost anything.
    let (judges, judge_base_url, judge_local) = judges(api, &args)?;
    api.runs.scoring.check_judges(&judges, judge_base_url.as_deref(), &judge_local).await?;
    let caps = options.caps();
    api.runs.scoring.check_judge_caps(&judges, &caps)?;
    let is_part = matches!(options.origin, Origin::Shard { .. });
    let is_resumed = options.origin.resumed().is_some();
    if !is_part {
        remark_short_limit(api, &options, output);
    }
    let cancel = on_end();
    let progress = Arc::new(RunProgress::new(output.quiet, output.lang));
    let running = api.runs.run(options, progress, cancel.clone());
    let end = job_progress::during(api, output, &[JobKind::ModelConversion], running).await?;
    if let Some(spans) = end.spans.as_ref().filter(|spans| spans.lost > 0) {
        output.remark(&lost(spans, output));
    }
    let mut document = json!({ "run": end });
    let mut text = summary(&end, is_resumed, output);
    let mut judges_stopped = false;
    if args.evaluate && end.outcome == RunOutcome::Completed {
        let judges = if judges.is_empty() {
            JudgeChoice::Nobody
        } else {
            JudgeChoice::Models { ids: judges, base_url: judge_base_url }
        };
        let folder = end.folder.clone().unwrap_or_default();
        let options = EvaluateOptions {
            judges,
            judge_local,
            caps: caps.with_run_caps(end.caps).left_after(end.spending.as_ref()),
            ..EvaluateOptions::published(RunChoice::Run(folder))
        };
        let scored = scored(api, options, output, &cancel).await?;
        judges_stopped = scored.stopped;
        for view in scored.reports {
            text.push_str(&format!(
                "\n{}",
                headline::headline(&view, repetitions::is_repeated(api, &view.id, output), output.lang)
            ));
            document["reports"] = match document["reports"].take() {
                Value::Array(mut list) => {
                    list.push(json!(view));
                    Value::Array(list)
                }
                _ => json!([view]),
            };
        }
    }
    output.result(&document, || text);
    match end.outcome {
        // Failed attempts are in the shard's journal and counted by the merge. For the scheduler
        // this worker is done.
        RunOutcome::Completed if is_part => Ok(CommandEnd::Done),
        RunOutcome::Cancelled if is_part => Ok(match end.reason {
            // Another worker makes this shard.
            Some(_) => CommandEnd::Done,
            None => CommandEnd::Again,
        }),
        RunOutcome::Completed if end.failed == 0 && !judges_stopped => Ok(CommandEnd::Done),
        RunOutcome::Completed | RunOutcome::BudgetSpent => Ok(CommandEnd::SomeFailed),
        RunOutcome::Cancelled => Ok(CommandEnd::Cancelled),
        RunOutcome::Failed => {
            output.sentence(&output.lang.say(&end.reason.unwrap_or_default()));
            Ok(CommandEnd::NotDone)
        }
    }
}

/// Temporary workspace for a worker on a machine of a cluster.
///
/// # Errors
/// When it cannot be created.
pub(crate) fn worker_home(command: Option<&Command>) -> Result<Option<WorkerHome>, WireError> {
    let is_worker = std::env::var_os("KOAB_WORKER").is_some();
    match command {
        Some(Command::Run(args)) => match args.origin() {
            Origin::Shard { run, .. } => WorkerHome::for_run(Path::new(&run)),
            Origin::New | Origin::Resume { .. } | Origin::Completes { .. } => Ok(None),
        },
        // The merge after the workers runs on a machine of the cluster, too.
        Some(Command::Runs { command: RunsCommand::Merge(of) }) if is_worker => {
            WorkerHome::for_run(Path::new(&of.run))
        }
        Some(Command::Evaluate(args)) if args.shard.is_some() || args.merge && is_worker => match &args.of {
            Some(run) => WorkerHome::for_judging(Path::new(run)),
            None => Ok(None),
        },
        _ => Ok(None),
    }
}

/// Judges of a run: the judges that the user named. A resumed run without named judges has its
/// earlier judges, whose answers are saved.
fn judges(api: &Api, args: &RunArgs) -> Result<(Vec<String>, Option<String>, LocalSettings), WireError> {
    if let Some(run) = args.resume.as_ref().filter(|_| args.evaluate && args.judge_models.is_empty()) {
        let earlier = api.runs.scoring.run_judges(run)?;
        if earlier.from != JudgesFrom::Settings {
            return Ok((earlier.judges, earlier.judge_base_url, earlier.judge_local.unwrap_or_default()));
        }
    }
    let local = args.judge_local.settings();
    Ok((args.judge_models.clone(), args.judge_base_url.clone(), local))
}

fn options(args: &RunArgs, terminal: Terminal) -> Result<RunRequest, WireError> {
    Ok(RunRequest {
        pack: args.pack.clone(),
        base_url: args.base_url.clone(),
        levels: groups(&args.levels)?,
        tasks: args.tasks.clone(),
        settings: args.settings(),
        agent: args.agent.clone(),
        unchecked: args.unchecked,
        native: args.native,
        own_model: args.own_model,
        by_hand: Some(ByHand::new(terminal)),
        concurrency: match args.concurrency {
            Concurrency::Auto => None,
            Concurrency::Fixed(n) => Some(n),
        },
        save_logs: !args.no_save_logs,
        origin: args.origin(),
        max_cost: args.max_cost,
        max_total_tokens: args.max_total_tokens,
        max_cost_per_day: args.max_cost_per_day,
        max_total_tokens_per_day: args.max_total_tokens_per_day,
        otlp: (args.otlp || args.otlp_endpoint.is_some())
            .then(|| OtlpOptions { endpoint: args.otlp_endpoint.clone(), content: args.otlp_content }),
        local: args.local.settings(),
        cache_mode: args.cache_mode,
        without_keys: args.without_keys,
        cache_snapshot: args.cache_snapshot.clone(),
        with_overlay: args.with_overlay,
        // This id must be unique only in this process, which makes one run.
        ..RunRequest::published("cli", &model(args))
    })
}

/// Address of the server of earlier runs, for a model whose id says nothing of its server. Tables
/// show such an id, so it can be typed. `None` if there is no such run, or if runs of this id had
/// different servers.
fn earlier_address(api: &Api, args: &RunArgs, output: Output) -> Option<String> {
    let model = args.model.as_deref().filter(|model| model.starts_with("openai_compat/"))?;
    if args.use_local || args.own_model || args.resume.is_some() || args.misses_of.is_some() {
        return None;
    }
    let runs = api.runs.library.runs_list().ok()?;
    let addresses = runs.into_iter().filter(|run| run.model == model).filter_map(|run| run.address);
    let addresses: BTreeSet<String> = addresses.collect();
    let address = addresses.first().filter(|_| addresses.len() == 1)?.clone();
    output.remark(
        &output
            .lang
            .say(&say!("address of the earlier runs of {model}: {address}; --base-url names another")),
    );
    Some(address)
}

/// Id of the model. `--use-local` prepends `local/`.
fn model(args: &RunArgs) -> String {
    let id = args.model.as_deref().unwrap_or_default();
    if !args.use_local || id.is_empty() {
        return id.to_owned();
    }
    local_id(id)
}

/// Id of a model on the disk of this computer. A file or folder is named by its full path, because
/// a run may be resumed from another folder.
pub(super) fn local_id(id: &str) -> String {
    let name = match id.split_once('/') {
        Some((provider, name)) if provider.eq_ignore_ascii_case("local") => name,
        _ => id,
    };
    let path = std::path::Path::new(name);
    match path.exists().then(|| path.canonicalize()) {
        Some(Ok(path)) => format!("local/{}", path.display()),
        _ => format!("local/{name}"),
    }
}

/// Warns if most tasks of a local model will not meet the time limit. Errors of the estimate are
/// ignored here, because the run reports them.
fn remark_short_limit(api: &Api, options: &RunRequest, output: Output) {
    if !is_local(&options.model) || options.origin.resumed().is_some() {
        return;
    }
    let plan = api.runs.dry_run(options, &[]).ok();
    if let Some(short) = plan.and_then(|plan| plan.short_limit) {
        output.remark(&output.lang.say(&short_limit(&short)));
    }
}

fn short_limit(short: &ShortLimit) -> Sentence {
    let levels: Vec<String> = short.levels.iter().map(ToString::to_string).collect();
    let (attempt_s, limit_s, fits_s) = (short.attempt_s, short.limit_s, short.fits_s);
    say!(
        "the time limit is short for this model here: an attempt takes up to {attempt_s:.0} s on average ({}), and after {limit_s} s it fails; --timeout {fits_s:.0} has room for nearly all, and the report then names the limit",
        levels.join(", ")
    )
}

fn dry_run(
    api: &Api,
    options: &RunRequest,
    judges: &[String],
    output: Output,
) -> Result<CommandEnd, WireError> {
    let plan = api.runs.dry_run(options, judges)?;
    // The model of an agent with its own model is only a label.
    let own_model = api.runs.asks_own_model(options)?;
    // The model of a resumed run is stored in its folder, so it is known only from the plan.
    for model in judges.iter().chain((!own_model).then_some(&plan.model)) {
        api.models.check_id(model)?;
    }
    output.result(&plan, || {
        let lang = output.lang;
        let levels = plan.levels.iter().map(|level| (Some(level), level.estimate.as_ref()));
        let total = plan.estimate.iter().map(|total| (None, Some(total)));
        let all = lang.text(text!("all", "a sum"));
        let table = Columns::new(levels.chain(total), lang)
            .column(text!("level"), |(level, _)| or(level.map(|l| &l.level), all))
            .column(text!("tasks"), |(level, _)| or(level.map(|l| l.tasks), ""))
            .column(text!("golden calls"), |(level, _)| {
                if plan.is_request { NONE.to_owned() } else { or(level.map(|l| l.golden_calls), "") }
            })
            .column(text!("model calls"), |(_, estimate)| {
                or_dash(estimate.map(|estimate| format!("{:.0}", estimate.calls)))
            })
            .column(text!("tokens"), |(_, estimate)| {
                let tokens = estimate.map(|estimate| estimate.prompt_tokens + estimate.completion_tokens);
                or_dash(tokens.map(|tokens| format!("{tokens:.0}")))
            })
            .column(text!("cost"), |(_, estimate)| {
                let usd = |estimate: &Estimate| or_dash(estimate.usd.map(|usd| format!("${usd:.3}")));
                or_dash(estimate.map(usd))
            })
            .column(text!("minutes"), |(_, estimate)| {
                or_dash(estimate.and_then(|estimate| estimate.minutes).map(|minutes| format!("{minutes:.1}")))
            })
            .prose(text!("tasks without a cached response for a golden call"), |(level, _)| match level {
                Some(level) if level.golden_missing.is_empty() => NONE.to_owned(),
                Some(level) => level.golden_missing.join(", "),
                None => String::new(),
            });
        let mut from = String::new();
        if let Some(total) = &plan.estimate {
            from = format!("\n{}: {}\n", lang.text(text!("estimated from")), lang.say(&total.from));
            if total.usd.is_none() {
                from.push_str(lang.text(text!(
                    "the price of this model is not known; add it with `koab models prices --edit`\n"
                )));
            }
        }
        if let Some(short) = &plan.short_limit {
            from.push_str(&format!("\n{}\n", lang.say(&short_limit(short))));
        }
        if !plan.judges.is_empty() {
            from.push_str(&format!(
                "\n{}:\n{}",
                lang.text(if plan.is_request {
                    text!("judges, at most: each item asked about, by the pack’s own questions")
                } else {
                    text!("judges, by the questions of the published runs")
                }),
                judge_plan::judges(&plan.judges, lang)
            ));
        }
        format!(
            "{}: {}  {}: {}\n{}: {}\n\n{}{from}",
            lang.text(text!("pack")),
            plan.pack,
            lang.text(text!("model")),
            match &options.agent {
                Some(agent) => format!("{agent} · {}", plan.model),
                None => plan.model.clone(),
            },
            lang.text(text!("attempts")),
            plan.attempts,
            table.text(),
        )
    });
    Ok(CommandEnd::Done)
}

fn summary(end: &RunEnd, is_resumed: bool, output: Output) -> String {
    let lang = output.lang;
    let how = match end.outcome {
        RunOutcome::Completed => lang.text(text!("completed")),
        RunOutcome::Cancelled => lang.text(text!("cancelled (everything so far is kept)")),
        RunOutcome::Failed => lang.text(text!("stopped")),
        RunOutcome::BudgetSpent => {
            lang.text(text!("stopped before the budget is passed (everything so far is kept)"))
        }
    };
    let seconds = format!("{:.1} s", end.seconds);
    let took = if is_resumed { lang.say(&say!("{seconds} since it was resumed")) } else { seconds };
    let mut text = format!(
        "{how}: {}/{} {}, {} {}, {took}\n",
        end.done,
        end.planned,
        lang.text(text!("attempts")),
        end.failed,
        lang.text(text!("failed for technical reasons")),
    );
    if end.cut_off > 0 {
        let n = end.cut_off;
        text.push_str(
            &lang.say(&say!("answers cut off at the output limit: {n} (raise it with --max-tokens)\n")),
        );
    }
    if end.shortened > 0 {
        let n = end.shortened;
        text.push_str(&lang.say(&say!(
            "attempts that did not fit the model's context, so that the model was not shown all of them: {n} (raise it with --context)\n"
        )));
    }
    for (word, n) in &end.unknown_endings {
        text.push_str(&lang.say(&say!(
            "answers of {n} attempts ended with the server's finish reason `{word}`, which koab does not know; they count as answers\n"
        )));
    }
    if let Some(cache) = &end.cache {
        let calls = cache.hit + cache.miss + cache.injected + cache.refused + cache.live + cache.overlay;
        if calls == 0 {
            text.push_str(lang.text(text!("no tool was called\n")));
        } else {
            text.push_str(&answered(cache, lang));
        }
    }
    if end.no_tool_called && end.by_agent {
        text.push_str(lang.text(text!("! no tool call of the agent arrived, although the tasks ask for it: `koab agents check` finds the cause, and console.log of an attempt has the agent's output\n")));
    } else if end.no_tool_called {
        text.push_str(lang.text(text!("! no attempt called a tool, although the tasks ask for it: most likely the model or its server does not support tool calls; check with `koab models probe`\n")));
    }
    if let Some(spending) = &end.spending {
        text.push_str(&spent(spending, output));
    }
    if let Some(folder) = &end.folder {
        text.push_str(&format!("{}: {folder}\n", lang.text(text!("logs"))));
    }
    if end.outcome == RunOutcome::BudgetSpent
        && let Some(reason) = &end.reason
    {
        text.push_str(&format!("{}\n", output.lang.say(reason)));
    }
    if let Some(resume) = &end.resume {
        text.push_str(&format!("{}: {resume}\n", lang.text(text!("resume with"))));
    }
    text
}

/// Text with the number of tool calls by the source of their answer.
fn answered(cache: &CacheUse, lang: Language) -> String {
    let mut text = format!(
        "{}: {} {}, {} {}, {} {}, {} {}\n",
        lang.text(text!("tool calls")),
        cache.hit,
        lang.text(text!("answered by a cached response")),
        cache.miss,
        lang.text(text!("not recorded")),
        cache.injected,
        lang.text(text!("injected failures")),
        cache.refused,
        lang.text(text!("faulty")),
    );
    if cache.live + cache.overlay > 0 {
        text.push_str(&format!(
            "{}: {} {}, {} {}\n",
            lang.text(text!("not recorded", "calls")),
            cache.live,
            lang.text(text!("live calls")),
            cache.overlay,
            lang.text(text!("answered by a saved response")),
        ));
    }
    text
}

/// Warning that a collector did not accept all spans.
fn lost(spans: &SpanDelivery, output: Output) -> String {
    let SpanDelivery { endpoint, sent, lost, reason } = spans;
    let (all, reason) = (sent + lost, output.lang.say(&reason.clone().unwrap_or_default()));
    output.lang.say(&say!("{lost} of {all} spans did not reach {endpoint}: {reason}"))
}
