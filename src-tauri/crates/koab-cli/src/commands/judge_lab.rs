//! Implements `koab judge lab`, `again`, `queue`, `queues`, `answers`, `reveal` and `estimate`.

mod estimate;
mod tables;

use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::judge_lab::{AgainArgs, EstimateArgs, LabArgs, LabRuns, QueueArgs, QueueFormat, RevealArgs};
use crate::output::Output;
use koab_api::{
    Api, LabAskRequest, LabRequest, Protocol, QueueApplied, QueueList, QueueRequest, QueueReveal, WireError,
    judged_metric,
};
use koab_core::{say, text};
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) fn lab(api: &Api, args: LabArgs, output: Output) -> Result<CommandEnd, WireError> {
    let request = LabRequest { without: args.without, with: args.with, ..request(args.of) };
    let view = api.runs.scoring.judge_lab(&request)?;
    let judges = request.without.iter().chain(&request.with);
    for judge in judges {
        if !view.coverage.iter().any(|row| row.judge == *judge) {
            return Err(WireError::bad_request(say!(
                "{judge} is not a judge of these runs; `koab judge lab` without --with and --without names them"
            )));
        }
    }
    output.result(&view, || tables::lab(&view, output.lang));
    // The lab shows the other runs and the reason why a run is left out.
    Ok(if view.left_out.is_empty() { CommandEnd::Done } else { CommandEnd::NotDone })
}

pub(crate) async fn again(api: &Api, args: AgainArgs, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    let request = LabAskRequest {
        of: request(args.of),
        judges: args.judge_models,
        base_url: args.judge_base_url,
        max_cost: args.max_cost,
        max_total_tokens: args.max_total_tokens,
    };
    if args.dry_run {
        let plan = api.runs.scoring.judge_again_plan(&request)?;
        output.result(&plan, || tables::plan(&plan, lang));
        return Ok(CommandEnd::Done);
    }
    let cancel = on_ctrl_c();
    let last_tenth = AtomicUsize::new(0);
    let progress = |done: usize, total: usize| {
        let tenth = (done * 10).checked_div(total).unwrap_or(0);
        if tenth > last_tenth.swap(tenth, Ordering::Relaxed) {
            output.remark(&format!("{}: {done}/{total}", lang.text(text!("judged"))));
        }
    };
    let end = api.runs.scoring.judged_again(&request, &progress, &cancel).await?;
    output.result(&end, || tables::judged_again(&end, lang));
    Ok(if end.stopped || end.failed > 0 { CommandEnd::SomeFailed } else { CommandEnd::Done })
}

pub(crate) fn queue(api: &Api, args: QueueArgs, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    let view = api.runs.scoring.queue_make(&QueueRequest {
        of: request(args.of),
        most: args.most,
        metric: if args.random { Some(judged_metric(&args.metric)?) } else { None },
        seed: args.seed,
        by: args.by,
    })?;
    let is_json = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let format = match args.format {
        Some(QueueFormat::Csv) => "csv",
        Some(QueueFormat::Json) => "json",
        // `--json` asks for one document on stdout.
        None if args.output.as_deref().map_or(output.json, is_json) => "json",
        None => "csv",
    };
    let file = api.runs.scoring.queue_export(&view.queue.id, format)?;
    let Some(path) = args.output else {
        output.text(&file.text);
        if !file.text.ends_with('\n') {
            output.text("\n");
        }
        return Ok(CommandEnd::Done);
    };
    std::fs::write(&path, &file.text).map_err(|error| WireError::unwritable(&path, error))?;
    output.result(&view.queue, || tables::queue_written(&view.queue, &path, lang));
    Ok(CommandEnd::Done)
}

pub(crate) fn queues(api: &Api, output: Output) -> Result<CommandEnd, WireError> {
    let QueueList { queues, unreadable } = api.runs.scoring.queues_list()?;
    for why in &unreadable {
        output.remark(&output.lang.say(why));
    }
    output.result(&queues, || tables::queues(&queues, output.lang));
    Ok(CommandEnd::Done)
}

pub(crate) fn answers(api: &Api, file: &Path, output: Output) -> Result<CommandEnd, WireError> {
    let import = api.runs.scoring.queue_import(file)?;
    output.result(&import, || tables::answered(&import, output.lang));
    Ok(CommandEnd::Done)
}

/// The revealed queue, and the result of applying its answers if they were applied.
#[derive(Serialize)]
struct Revealed {
    #[serde(flatten)]
    reveal: QueueReveal,
    applied: Option<QueueApplied>,
}

pub(crate) fn reveal(api: &Api, args: &RevealArgs, output: Output) -> Result<CommandEnd, WireError> {
    let reveal = api.runs.scoring.queue_reveal(&args.queue)?;
    let applied = match (args.apply, &args.by) {
        (true, Some(by)) => Some(api.runs.scoring.queue_apply(&args.queue, by)?),
        _ => None,
    };
    let has_refused = applied.as_ref().is_some_and(|applied| !applied.refused.is_empty());
    let revealed = Revealed { reveal, applied };
    output.result(&revealed, || tables::revealed(&revealed.reveal, revealed.applied.as_ref(), output.lang));
    Ok(if has_refused { CommandEnd::SomeFailed } else { CommandEnd::Done })
}

pub(crate) fn estimate(api: &Api, args: &EstimateArgs, output: Output) -> Result<CommandEnd, WireError> {
    let estimate = api.runs.scoring.queue_estimate(&args.queue)?;
    output.result(&estimate, || estimate::table(&estimate, output.lang));
    Ok(CommandEnd::Done)
}

fn request(of: LabRuns) -> LabRequest {
    LabRequest {
        runs: of.of.runs,
        reports: Vec::new(),
        scorer: if of.corrected { Protocol::Corrected } else { Protocol::Leaderboard },
        without: Vec::new(),
        with: Vec::new(),
    }
}
