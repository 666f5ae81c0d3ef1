//! Implements `koab run --adaptive`.

use super::interrupt::on_end;
use super::made_for::note_on;
use crate::CommandEnd;
use crate::args::run::RunArgs;
use crate::job_progress;
use crate::output::Output;
use crate::progress::RunProgress;
use koab_api::adaptive::{AdaptiveOutlook, AdaptiveRequest, AdaptiveSummary};
use koab_api::options::JudgeChoice;
use koab_api::{Api, EventSink, JobKind, MetricId, RunRequest, WireError};
use koab_core::{say, text};
use std::sync::Arc;

pub(crate) async fn run(
    api: &Api,
    args: &RunArgs,
    run: RunRequest,
    half_width: f64,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let judge_local = args.judge_local.settings();
    let judges = if args.judge_models.is_empty() {
        JudgeChoice::Nobody
    } else {
        JudgeChoice::Models { ids: args.judge_models.clone(), base_url: args.judge_base_url.clone() }
    };
    let request = AdaptiveRequest {
        run: run.clone(),
        metric: args.metric.unwrap_or(MetricId::Sr),
        half_width,
        judges,
        judge_local: judge_local.clone(),
    };
    let adaptive = api.compare.adaptive(request)?;
    let outlook = adaptive.outlook();
    if args.dry_run {
        output.result(&outlook, || planned(&outlook, output));
        return Ok(CommandEnd::Done);
    }
    api.runs.scoring.check_judges(&args.judge_models, args.judge_base_url.as_deref(), &judge_local).await?;
    api.runs.scoring.check_judge_caps(&args.judge_models, &run.caps())?;
    output.remark(planned(&outlook, output).trim_end());
    let watch = || Arc::new(RunProgress::new(output.quiet, output.lang)) as Arc<dyn EventSink>;
    let cancel = on_end();
    let playing = api.compare.play_adaptive(adaptive, &watch, &cancel);
    let (summary, missing) = job_progress::during(api, output, &[JobKind::ModelConversion], playing).await?;
    if let Some(missing) = missing {
        output.sentence(&output.lang.say(&missing));
    }
    note_on(api, &summary.runs, &summary.estimate.sentence, output);
    output.result(&summary, || text(&summary, output));
    Ok(match summary.stopped {
        None => CommandEnd::Done,
        Some(_) => CommandEnd::SomeFailed,
    })
}

fn planned(outlook: &AdaptiveOutlook, output: Output) -> String {
    let AdaptiveOutlook { pack, items, expected, models } = outlook;
    let models = models.len();
    output
        .lang
        .say(&say!("{pack}: about {expected} of {items} tasks, by the reports of {models} other models\n"))
}

fn text(summary: &AdaptiveSummary, output: Output) -> String {
    let lang = output.lang;
    let mut text = format!("{}\n", lang.say(&summary.estimate.sentence));
    if let Some(why) = &summary.stopped {
        text.push_str(&format!("! {}\n", lang.say(why)));
    }
    let of = |solved: bool| -> Vec<&str> {
        let tasks = summary.tasks.iter().filter(|task| task.solved == solved);
        tasks.map(|task| task.task.as_str()).collect()
    };
    let unscored: Vec<&str> = summary.unscored.iter().map(String::as_str).collect();
    for (name, tasks) in
        [(text!("solved"), of(true)), (text!("not solved"), of(false)), (text!("without a score"), unscored)]
    {
        if !tasks.is_empty() {
            let count = tasks.len();
            text.push_str(&format!("{} ({count}): {}\n", lang.text(name), tasks.join(", ")));
        }
    }
    if let Some(usd) = summary.usd {
        text.push_str(&format!("{}: ${usd:.4}\n", lang.text(text!("cost"))));
    }
    text
}
