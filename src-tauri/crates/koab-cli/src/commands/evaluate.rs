//! `koab evaluate`.

use super::{levels, on_ctrl_c, table};
use crate::Ended;
use crate::args::{AggregateArg, EvaluateArgs, FormatArg, MetricsArg, ScorerArg};
use crate::output::Output;
use koab_api::options::{AggregateChoice, EvaluateOptions, Formats, JudgeChoice, RunChoice};
use koab_api::{Api, Cancel, Protocol, ReportView, WireError};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) async fn evaluate(api: &Api, args: EvaluateArgs, output: Output) -> Result<Ended, WireError> {
    let cancel = on_ctrl_c();
    let views = scored(api, options(args)?, output, &cancel).await?;
    output.result(&views, || {
        views
            .iter()
            .map(|view| table::report(view, output.lang))
            .collect::<Vec<_>>()
            .join("\n")
    });
    Ok(Ended::Done)
}

/// Scores and shows how far the judges are.
pub(crate) async fn scored(
    api: &Api,
    options: EvaluateOptions,
    output: Output,
    cancel: &Cancel,
) -> Result<Vec<ReportView>, WireError> {
    let told = AtomicUsize::new(0);
    let progress = |done: usize, total: usize| {
        // A line each tenth: judges take seconds each, a whole run minutes.
        let tenth = (done * 10).checked_div(total).unwrap_or(0);
        if tenth > told.swap(tenth, Ordering::Relaxed) {
            output.remark(&format!("{}: {done}/{total}", output.lang.pick("심사", "judged")));
        }
    };
    api.evaluate(options, &progress, cancel).await
}

fn options(args: EvaluateArgs) -> Result<EvaluateOptions, WireError> {
    let run = match (args.run, args.date, args.model) {
        (Some(run), ..) => RunChoice::Run(run),
        (None, Some(date), Some(model)) => RunChoice::Date { date, model },
        _ => {
            return Err(WireError::bad_request(
                "name the run with --run, or with --date and --model",
            ));
        }
    };
    let judges = match args.judge_replay {
        Some(file) => JudgeChoice::Replay(file),
        None if args.judge_models.is_empty() => JudgeChoice::Nobody,
        None => JudgeChoice::Models {
            ids: args.judge_models,
            base_url: args.judge_base_url,
        },
    };
    let any = |wanted: FormatArg| args.format.iter().any(|f| *f == wanted || *f == FormatArg::All);
    let sample = if args.quick {
        Some(1)
    } else {
        args.sample.filter(|n| *n > 0)
    };
    Ok(EvaluateOptions {
        logs: args.logs,
        levels: levels(&args.levels)?,
        judges,
        votes: args.judge_votes,
        aggregate: match args.aggregate {
            AggregateArg::Mean => AggregateChoice::Mean,
            AggregateArg::Median => AggregateChoice::Median,
        },
        scorers: match args.scorer {
            ScorerArg::Leaderboard => vec![Protocol::Leaderboard],
            ScorerArg::Corrected => vec![Protocol::Corrected],
            ScorerArg::Both => vec![Protocol::Leaderboard, Protocol::Corrected],
        },
        all_metrics: args.metrics == MetricsArg::All,
        sample,
        formats: Formats {
            json: any(FormatArg::Json),
            csv: any(FormatArg::Csv),
            markdown: any(FormatArg::Markdown),
        },
        output: args.output,
        evaluation_date: args.evaluation_date,
        ..EvaluateOptions::published(run)
    })
}
