//! Implements `koab gate`: tests whether a changed model is worse than a baseline.

use super::interrupt::on_end;
use super::levels::groups;
use super::made_for::note_on;
use super::output_file::{try_to_write, write};
use crate::CommandEnd;
use crate::args::gate::GateArgs;
use crate::output::Output;
use crate::progress::RunProgress;
use crate::render::ahead::ahead;
use koab_api::gate::{GateEstimate, GateOptions, GateRequest, GateSummary, GateVerdict};
use koab_api::options::JudgeChoice;
use koab_api::{Api, EventSink, RunRequest, WireError, shown};
use koab_core::run_record::RequestedSettings;
use koab_core::{say, text};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;

pub(crate) async fn gate(api: &Api, args: GateArgs, output: Output) -> Result<CommandEnd, WireError> {
    let request = request(&args)?;
    if let JudgeChoice::Models { ids, base_url } = &request.judges {
        api.runs.scoring.check_judges(ids, base_url.as_deref(), &Default::default()).await?;
    }
    let gate = api.compare.gate(request)?;
    let estimate = gate.estimate();
    if args.dry_run {
        output.result(&estimate, || planned(&estimate, output));
        return Ok(CommandEnd::Done);
    }
    // Write errors must be found before anything is paid for.
    for file in [&args.junit, &args.markdown].into_iter().flatten() {
        try_to_write(file)?;
    }
    output.remark(planned(&estimate, output).trim_end());
    let watch = || Arc::new(RunProgress::new(output.quiet, output.lang)) as Arc<dyn EventSink>;
    let summary = api.compare.play(gate, &watch, &on_end()).await?;
    note_on(api, &summary.runs, &summary.sentence, output);
    output.result(&summary, || text(&summary, output));
    let pages = [(&args.junit, summary.junit(output.lang)), (&args.markdown, summary.markdown(output.lang))];
    for (file, text) in pages {
        if let Some(file) = file
            && let Err(error) = write(file, &text)
        {
            // The answer was paid for, so the exit code is still the answer's.
            output.sentence(&output.lang.say(&error.message));
        }
    }
    Ok(match summary.verdict {
        GateVerdict::Pass => CommandEnd::Done,
        GateVerdict::Fail => CommandEnd::GateFailed,
        GateVerdict::Inconclusive => CommandEnd::Inconclusive,
    })
}

fn request(args: &GateArgs) -> Result<GateRequest, WireError> {
    let run = |model: &str, base_url: &Option<String>| RunRequest {
        pack: args.pack.clone(),
        base_url: base_url.clone(),
        settings: RequestedSettings {
            temperature: args.temperature,
            max_tokens: args.max_tokens,
            effort: args.effort.clone(),
            ..RequestedSettings::published()
        },
        concurrency: args.concurrency,
        ..RunRequest::published("gate", model)
    };
    let usual = GateOptions::default();
    Ok(GateRequest {
        baseline: args.baseline.clone(),
        again: args.baseline_model.as_deref().map(|model| run(model, &args.baseline_url)),
        candidate: run(&args.model, &args.base_url),
        metric: args.metric,
        levels: groups(&args.levels)?,
        options: GateOptions {
            margin: args.margin,
            alpha: args.alpha,
            power: args.power,
            most_attempts: args.max_attempts,
            seed: args.seed.unwrap_or_else(drawn_seed),
            flips: args.judge_flips,
            ..usual
        },
        judges: if args.judge_models.is_empty() {
            JudgeChoice::Nobody
        } else {
            JudgeChoice::Models { ids: args.judge_models.clone(), base_url: args.judge_base_url.clone() }
        },
        judge_again: args.judge_again,
        max_cost: args.max_cost,
    })
}

/// Draws a new seed for the order of tasks.
///
/// With a fixed order, a gate that stops early would never try the last tasks. The seed has 32
/// bits: short enough to type, and exact in JSON.
pub(super) fn drawn_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 32
}

fn planned(estimate: &GateEstimate, output: Output) -> String {
    let lang = output.lang;
    let GateEstimate { tasks, earlier, planned_attempts, fixed_attempts, seed, of, cost, .. } = estimate;
    let ahead = ahead(cost.calls, cost.usd, cost.minutes, 0);
    let mut text = lang.say(&say!(
        "{tasks} of {of} tasks, {earlier} earlier reports, seed {seed}; about {planned_attempts} attempts, more if outcomes vary more than in these reports (--max-attempts is a cap): {ahead}; a design without interim looks takes {fixed_attempts}\n"
    ));
    for one in estimate.remarks.iter().chain(&estimate.limit) {
        text.push_str(&format!("! {}\n", lang.say(one)));
    }
    text
}

fn text(summary: &GateSummary, output: Output) -> String {
    let lang = output.lang;
    let mut text = format!("{}\n", lang.say(&summary.sentence));
    if !summary.flaky.is_empty() {
        let tasks = summary
            .flaky
            .iter()
            .map(|one| format!("{} {} (pass^2 {})", one.task, one.counts(lang), shown::score(one.both)));
        let tasks = tasks.collect::<Vec<_>>().join(", ");
        text.push_str(&format!("{}: {tasks}\n", lang.text(text!("flaky tasks"))));
    }
    for note in summary.notes() {
        text.push_str(&format!("! {}\n", lang.say(&note)));
    }
    if let Some(usd) = summary.usd {
        text.push_str(&format!("{}: ${usd:.4}\n", lang.text(text!("cost"))));
    }
    text
}
