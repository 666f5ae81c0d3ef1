//! Implements `koab score`.

use super::interrupt::{on_ctrl_c, on_end};
use super::levels::groups;
use super::{remote, repetitions};
use crate::CommandEnd;
use crate::args::evaluate::{EvaluateArgs, FormatArg, MetricsArg};
use crate::output::Output;
use crate::render::{headline, judge_plan};
use koab_api::options::{EvaluateOptions, Formats, JudgeChoice, RunChoice};
use koab_api::{
    Api, Cancel, ErrorCode, JudgingMerge, ScoringResult, ShardRequest, Spending, SpendingCaps, WireError,
};
use koab_core::{say, text};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) async fn evaluate(api: &Api, args: EvaluateArgs, output: Output) -> Result<CommandEnd, WireError> {
    if args.answers.is_some() {
        return super::answers::evaluate(api, &args, output);
    }
    let dry_run = args.dry_run;
    let (on, shard, merge) = (args.on, args.shard, args.merge);
    let cluster = args.cluster.clone();
    let options = options(args)?;
    if let Some(engine) = on {
        return remote::judge(api, &options, &cluster.how(engine), dry_run, output).await;
    }
    if let Some(shard) = shard {
        return judge_shard(api, options, shard, output).await;
    }
    if merge {
        return merge_answers(api, &options, output).await;
    }
    if dry_run {
        let plan = api.runs.scoring.evaluate_plan(&options).await?;
        output.result(&plan, || judge_plan::plan(&plan, output.lang));
        return Ok(CommandEnd::Done);
    }
    announce(api, &options, output).await?;
    let cancel = on_ctrl_c();
    let scored = scored(api, options, output, &cancel).await?;
    output.result(&scored.reports, || tables(api, &scored, output));
    Ok(if scored.stopped { CommandEnd::SomeFailed } else { CommandEnd::Done })
}

/// Score tables of the reports.
fn tables(api: &Api, scored: &ScoringResult, output: Output) -> String {
    let tables = (scored.reports.iter())
        .map(|view| headline::headline(view, repetitions::is_repeated(api, &view.id, output), output.lang));
    tables.collect::<Vec<_>>().join("\n")
}

/// Asks the judges the questions of one shard.
async fn judge_shard(
    api: &Api,
    options: EvaluateOptions,
    shard: ShardRequest,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let part = match api.runs.scoring.judge_part(options, shard, &on_end()).await {
        // This exit status makes the scheduler start the worker again.
        Err(error) if error.code == ErrorCode::Cancelled => return Ok(CommandEnd::Again),
        part => part?,
    };
    output.result(&part, || {
        let (answered, failed) = (part.answered, part.failed);
        let mut text = output.lang.say(&say!("{answered} answers of judges, {failed} of them failed\n"));
        if let Some(why) = &part.stopped {
            text.push_str(&format!("{}\n", output.lang.say(why)));
        }
        text
    });
    Ok(match part.stopped {
        Some(_) => CommandEnd::SomeFailed,
        None => CommandEnd::Done,
    })
}

/// Merges the answers that workers got from judges, and scores the run.
async fn merge_answers(
    api: &Api,
    options: &EvaluateOptions,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let RunChoice::Run(run) = &options.run else {
        return Err(WireError::bad_request(say!(
            "name the run, such as `koab score last`, or give --date and --model"
        )));
    };
    let (merge, scored) = api.runs.scoring.judging_merge(run, &on_ctrl_c()).await?;
    let reports = scored.as_ref().map(|scored| &scored.reports);
    output.result(&json!({ "merge": merge, "reports": reports }), || {
        let lang = output.lang;
        let JudgingMerge {
            run,
            total,
            answered,
            failed,
            missing,
            doubled,
            problems,
        } = &merge;
        let mut lines = vec![lang.say(&say!(
            "{answered} of {total} questions are answered, {failed} failed"
        ))];
        if *doubled > 0 {
            lines.push(lang.say(&say!(
                "{doubled} answers had been given twice, to two starts of a part; the earlier ones count"
            )));
        }
        lines.extend(problems.iter().map(|problem| lang.say(problem)));
        if *missing > 0 {
            lines.push(lang.say(&say!(
                "{missing} answers are still to be asked for, so the run is not scored; `koab score {run} --on slurm` hands them over again"
            )));
        }
        lines.extend(scored.as_ref().map(|scored| tables(api, scored, output)));
        lines.join("\n")
    });
    Ok(match merge.missing {
        0 => CommandEnd::Done,
        _ => CommandEnd::SomeFailed,
    })
}

/// Prints an estimate for the default panel. The user did not choose this panel and it costs money,
/// so the estimate is printed even with `--quiet`.
async fn announce(api: &Api, options: &EvaluateOptions, output: Output) -> Result<(), WireError> {
    if options.judges != JudgeChoice::Default {
        return Ok(());
    }
    let plan = api.runs.scoring.evaluate_plan(options).await?;
    if plan.judges.iter().any(|judge| judge.calls > 0.0) {
        output.sentence(&judge_plan::announcement(&plan, output.lang));
    }
    Ok(())
}

/// Scores a run, and prints the progress and the spending of the judges.
pub(crate) async fn scored(
    api: &Api,
    options: EvaluateOptions,
    output: Output,
    cancel: &Cancel,
) -> Result<ScoringResult, WireError> {
    let last_tenth = AtomicUsize::new(0);
    let progress = |done: usize, total: usize| {
        // One line per tenth: a judge takes seconds per question, so a whole run takes minutes.
        let tenth = (done * 10).checked_div(total).unwrap_or(0);
        if tenth > last_tenth.swap(tenth, Ordering::Relaxed) {
            output.remark(&format!("{}: {done}/{total}", output.lang.text(text!("judged"))));
        }
    };
    let scored = api.runs.scoring.evaluate(options, &progress, cancel).await?;
    if let Some(spending) = &scored.spending {
        let judges = output.lang.text(text!("judges"));
        output.remark(&format!("{judges}: {}", spent(spending, output).trim_end()));
    }
    Ok(scored)
}

fn options(args: EvaluateArgs) -> Result<EvaluateOptions, WireError> {
    let run = match (args.of.or(args.run), args.date, args.model) {
        (Some(run), ..) => RunChoice::Run(run),
        (None, Some(date), Some(model)) => RunChoice::Date { date, model },
        _ => {
            return Err(WireError::bad_request(say!(
                "name the run, such as `koab score last`, or give --date and --model"
            )));
        }
    };
    let judges = match args.judge_replay {
        Some(file) => JudgeChoice::Replay(file),
        None if args.no_judge => JudgeChoice::Nobody,
        None if args.judge_models.is_empty() => JudgeChoice::Default,
        None => JudgeChoice::Models { ids: args.judge_models, base_url: args.judge_base_url },
    };
    let judge_local = args.judge_local.settings();
    let any = |wanted: FormatArg| args.format.iter().any(|f| *f == wanted || *f == FormatArg::All);
    let sample = if args.quick { Some(1) } else { args.sample.filter(|n| *n > 0) };
    Ok(EvaluateOptions {
        logs: args.logs,
        levels: groups(&args.levels)?,
        judges,
        judge_local,
        votes: args.judge_votes,
        aggregate: args.aggregate,
        scorers: args.scorer.to_vec(),
        all_metrics: args.metrics == MetricsArg::All,
        sample,
        formats: Formats {
            json: any(FormatArg::Json),
            csv: any(FormatArg::Csv),
            markdown: any(FormatArg::Markdown),
        },
        output: args.output,
        evaluation_date: args.evaluation_date,
        first_repetition: args.first_repetition,
        concurrency: args.concurrency,
        without_engine: args.without_engine,
        caps: SpendingCaps {
            max_cost: args.caps.max_cost,
            max_total_tokens: args.caps.max_total_tokens,
            max_cost_per_day: args.caps.max_cost_per_day,
            max_total_tokens_per_day: args.caps.max_total_tokens_per_day,
        },
        ..EvaluateOptions::published(run)
    })
}

pub(super) fn spent(spending: &Spending, output: Output) -> String {
    let lang = output.lang;
    let usage = spending.usage;
    let cost = match (spending.usd, &spending.note) {
        (Some(usd), None) => format!("${usd:.4}"),
        (Some(usd), Some(note)) => format!("${usd:.4} ({})", lang.say(note)),
        (None, note) => format!("— ({})", lang.say(&note.clone().unwrap_or_default())),
    };
    let tokens = match (usage.total_tokens, spending.usd) {
        // The tokens were not counted, which differs from 0.
        (0, None) => "—".to_owned(),
        _ => format!("{} + {}", usage.prompt_tokens, usage.completion_tokens),
    };
    format!(
        "{}: {tokens}, {}: {cost}\n",
        lang.text(text!("tokens (prompt + completion)")),
        lang.text(text!("cost")),
    )
}
