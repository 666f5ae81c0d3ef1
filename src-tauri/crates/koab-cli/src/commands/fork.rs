//! Implements `koab runs fork`, `forks`, `fork-show`, `fork-delete` and `fork-restore`.

use super::interrupt::on_ctrl_c;
use super::trash;
use crate::CommandEnd;
use crate::args::fork::{ForkArgs, RoleArg};
use crate::output::{Columns, Output, or_dash};
use crate::progress::RunProgress;
use koab_api::shown;
use koab_api::{
    Api, ForkEdit, ForkEditTo, ForkList, ForkMessage, ForkPlan, ForkRequest, ForkSetting, ForkState,
    ForkSummary, ForkView, MetricScore, Speaker, Transcript, TranscriptTurn, WireError,
};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

pub(crate) async fn make(api: &Api, args: ForkArgs, output: Output) -> Result<CommandEnd, WireError> {
    let request = request(api, &args)?;
    if args.dry_run {
        let plan = api.runs.fork_plan(&request)?;
        output.result(&plan, || planned(&plan, output));
        return Ok(CommandEnd::Done);
    }
    let progress = Arc::new(RunProgress::new(output.quiet, output.lang));
    let view = api.runs.fork_make(request, progress, on_ctrl_c()).await?;
    output.result(&view, || text(&view, output));
    Ok(match view.fork.state {
        ForkState::Completed => CommandEnd::Done,
        ForkState::Cancelled => CommandEnd::Cancelled,
        ForkState::BudgetSpent => CommandEnd::SomeFailed,
        ForkState::Going | ForkState::Failed | ForkState::BrokenOff => CommandEnd::NotDone,
    })
}

pub(crate) fn list(
    api: &Api,
    run: Option<&str>,
    task: Option<&str>,
    output: Output,
) -> Result<(), WireError> {
    let run = run.map(|run| run_id(api, run)).transpose()?;
    let ForkList { forks, unreadable } = api.runs.forks_list(run.as_deref(), task)?;
    for why in &unreadable {
        output.remark(&output.lang.say(why));
    }
    if let (Some(run), true) = (&run, forks.is_empty()) {
        // A fork may outlive its run. Only without forks must the run exist.
        api.runs.library.run_show(run)?;
    }
    output.result(&forks, || listed(&forks, output));
    Ok(())
}

pub(crate) fn show(api: &Api, id: &str, output: Output) -> Result<(), WireError> {
    let view = api.runs.fork_show(id)?;
    output.result(&view, || text(&view, output));
    Ok(())
}

pub(crate) fn delete(api: &Api, id: &str, yes: bool, undo: bool, output: Output) -> Result<(), WireError> {
    let lang = output.lang;
    if undo {
        api.runs.fork_restore(id)?;
        output.result(&json!({ "restored": id }), || format!("{}: {id}", lang.text(text!("restored"))));
        return Ok(());
    }
    if !yes {
        return Err(WireError::bad_request(say!(
            "this moves the fork {id} to the trash; confirm with --yes"
        )));
    }
    trash::say_unremoved(&api.runs.fork_trash(id)?, output);
    output.result(&json!({ "deleted": id }), || format!("{}: {id}", lang.text(text!("removed"))));
    Ok(())
}

/// Id of the run that forks belong to. `last` becomes the id of the newest run. Other ids are not
/// checked, because forks outlive their run.
fn run_id(api: &Api, run: &str) -> Result<String, WireError> {
    if run != "last" {
        return Ok(run.to_owned());
    }
    Ok(api.runs.library.run_show(run)?.id)
}

fn request(api: &Api, args: &ForkArgs) -> Result<ForkRequest, WireError> {
    let run = run_id(api, &args.of.run)?;
    let offer = api.runs.fork_offer(&run, &args.task, Some(args.repetition), args.step)?;
    let mut edits = Vec::new();
    let answer = match (&args.result, &args.error) {
        (Some(result), _) => Some(ForkEditTo::Result { json: text_or_file(result)? }),
        (None, Some(error)) => Some(ForkEditTo::Error { error_type: error.clone() }),
        (None, None) => None,
    };
    if let Some(to) = answer {
        let message = changed_answer(&offer.messages, args)?;
        edits.push(ForkEdit { at: message.at, to });
    }
    let message = args.message.as_deref().map(text_or_file).transpose()?;
    let system = message.clone().filter(|_| args.role == RoleArg::System);
    if let (Some(text), true) = (message, args.role != RoleArg::System) {
        let (role, step) = match args.role {
            RoleArg::Assistant => (Speaker::Assistant, Some(args.step)),
            _ => (Speaker::User, None),
        };
        let is_meant = |one: &&ForkMessage| one.role == role && (step.is_none() || one.step == step);
        let Some(message) = offer.messages.iter().rev().find(is_meant) else {
            return Err(WireError::bad_request(say!(
                "step {} has no such message; `--dry-run` without --message lists its messages",
                args.step
            )));
        };
        edits.push(ForkEdit { at: message.at, to: ForkEditTo::Text { text } });
    }
    Ok(ForkRequest {
        run,
        task: args.task.clone(),
        repetition: Some(args.repetition),
        step: args.step,
        edits,
        system,
        model: args.model.clone(),
        base_url: args.base_url.clone(),
        temperature: args.temperature,
        seed: args.seed,
        max_cost: args.max_cost,
        max_total_tokens: args.max_total_tokens,
        name: args.name.clone(),
    })
}

/// The given text, or the content of a file if the text is `@` and the file's path.
fn text_or_file(text: &str) -> Result<String, WireError> {
    let Some(path) = text.strip_prefix('@') else {
        return Ok(text.to_owned());
    };
    super::pack_record::read(Path::new(path))
}

/// The message whose tool answer the fork changes.
fn changed_answer<'a>(messages: &'a [ForkMessage], args: &ForkArgs) -> Result<&'a ForkMessage, WireError> {
    let of_step = |message: &&ForkMessage| message.role == Speaker::Tool && message.step == Some(args.step);
    let answers: Vec<&ForkMessage> = messages.iter().filter(of_step).collect();
    let call_names = || {
        let names = answers.iter().enumerate().map(|(n, one)| {
            let (id, tool) = (one.call_id.as_deref(), one.tool.as_deref());
            format!("{} ({}, {})", n + 1, tool.unwrap_or_default(), id.unwrap_or_default())
        });
        names.collect::<Vec<_>>().join(", ")
    };
    match (&args.call, answers.as_slice()) {
        (_, []) => Err(WireError::bad_request(say!(
            "step {} makes no call, so there is no result to change; choose another --step",
            args.step
        ))),
        (None, [one]) => Ok(one),
        (None, _) => Err(WireError::bad_request(say!(
            "step {} makes several calls; name one with --call: {}",
            args.step,
            call_names()
        ))),
        (Some(call), _) => {
            let numbered = call.parse::<usize>().ok().and_then(|n| answers.get(n.wrapping_sub(1)));
            let by_id = messages.iter().find(|one| one.call_id.as_ref() == Some(call));
            by_id.or(numbered.copied()).ok_or_else(|| {
                WireError::bad_request(say!(
                    "step {} has no call {call}; it has: {}",
                    args.step,
                    call_names()
                ))
            })
        }
    }
}

fn planned(plan: &ForkPlan, output: Output) -> String {
    let lang = output.lang;
    let mut text = format!(
        "{}: {}\n{}: {}\n",
        lang.text(text!("model of the fork")),
        plan.model,
        lang.text(text!("steps kept")),
        plan.kept_steps
    );
    let _ = write!(text, "{}", settings(&plan.settings));
    for change in &plan.changes {
        let _ = writeln!(text, "{} → {}", *change.before, *change.after);
    }
    match &plan.estimate {
        None => {}
        Some(estimate) => {
            let usd = or_dash(estimate.usd.map(|usd| format!("${usd:.4}")));
            let _ = writeln!(
                text,
                "{}: {usd} ({})",
                lang.text(text!("average cost of a whole attempt")),
                estimate.from
            );
        }
    }
    text
}

fn settings(settings: &[ForkSetting]) -> String {
    settings.iter().fold(String::new(), |mut text, one| {
        let side = |value: &Option<String>| or_dash(value.as_ref());
        let _ = writeln!(text, "{}: {} → {}", one.setting, side(&one.before), side(&one.after));
        text
    })
}

fn state(fork: &ForkSummary, output: Output) -> &'static str {
    let lang = output.lang;
    match fork.state {
        ForkState::Going => lang.text(text!("running")),
        ForkState::Completed => lang.text(text!("complete")),
        ForkState::Cancelled => lang.text(text!("cancelled")),
        ForkState::BudgetSpent => lang.text(text!("budget spent")),
        ForkState::Failed => lang.text(text!("failed")),
        ForkState::BrokenOff => lang.text(text!("interrupted")),
    }
}

/// Changes of a fork in one line, for a cell of a table.
fn changed(fork: &ForkSummary) -> String {
    let changes = fork.changes.iter().map(|change| match &change.to {
        ForkEditTo::Text { .. } => format!("{:?}", change.role).to_lowercase(),
        ForkEditTo::Result { .. } => format!("{} → result", change.tool.as_deref().unwrap_or("tool")),
        ForkEditTo::Error { error_type } => {
            format!("{} → {error_type}", change.tool.as_deref().unwrap_or("tool"))
        }
    });
    let settings = fork.settings.iter().map(|one| one.setting.clone());
    let all: Vec<String> = changes.chain(settings).collect();
    if all.is_empty() { shown::NONE.to_owned() } else { all.join(", ") }
}

fn listed(forks: &[ForkSummary], output: Output) -> String {
    let lang = output.lang;
    if forks.is_empty() {
        return lang.text(text!("no forks; make one with `koab runs fork RUN TASK --step N`")).to_owned();
    }
    Columns::new(forks, lang)
        .column(text!("fork"), |fork| &fork.id)
        .column(text!("of"), |fork| match &fork.of.fork {
            Some(of) => format!("fork:{of}"),
            None => fork.of.run.clone(),
        })
        .column(text!("task#step"), |fork| format!("{}#{}", fork.of.task, fork.step))
        .prose(text!("changed"), changed)
        .column(text!("model"), |fork| &fork.model)
        .column(text!("state"), |fork| state(fork, output))
        .prose(text!("name"), |fork| &fork.name)
        .text()
}

fn text(view: &ForkView, output: Output) -> String {
    let (lang, fork) = (output.lang, &view.fork);
    let mut text = format!(
        "{} {} · {} #{} · {}\n{}\n{}",
        lang.text(text!("fork")),
        fork.id,
        fork.of.task,
        fork.step,
        state(fork, output),
        lang.text(text!("A fork explains a run and enters no report.")),
        settings(&fork.settings),
    );
    for change in &fork.changes {
        let whose = change.tool.clone().unwrap_or_else(|| format!("{:?}", change.role).to_lowercase());
        let _ = writeln!(text, "{whose}:\n- {}\n+ {}", *change.before, *change.after);
    }
    if let Some(reason) = &fork.reason {
        let _ = writeln!(text, "{}", lang.say(reason));
    }
    let Some(forked) = &view.forked else { return text };
    let _ = writeln!(text, "\n{}", lang.text(text!("Scores without judges")));
    let cell = |score: &MetricScore| shown::score(score.value);

    let metrics = view.original.metrics.iter().zip(&forked.metrics);
    let metrics = metrics.filter(|(was, now)| was.leaderboard.applies || now.leaderboard.applies);
    let table = Columns::new(metrics, lang)
        .column(text!("metric"), |(was, _)| was.metric)
        .column(text!("original"), |(was, _)| cell(&was.leaderboard))
        .column(text!("fork"), |(_, now)| cell(&now.leaderboard));
    text.push_str(&table.text());
    for (name, side) in [(lang.text(text!("original")), &view.original), (lang.text(text!("fork")), forked)] {
        let _ = write!(text, "\n== {name}: {}\n{}", side.model, steps(side, view.kept_steps, lang));
    }
    text
}

/// Turns of one transcript after the `kept` steps that fork and original have in common.
fn steps(of: &Transcript, kept: u32, lang: Language) -> String {
    let Some(attempt) = &of.attempt else {
        return String::new();
    };
    let after = |turn: &&TranscriptTurn| turn.step.is_some_and(|step| step > kept);
    attempt.turns.iter().filter(after).fold(String::new(), |mut text, turn| {
        let _ = writeln!(text, "{}. {}", turn.step.unwrap_or_default(), turn.text);
        for call in turn.calls.iter().filter_map(|call| attempt.calls.get(*call)) {
            let result = call.result.as_ref().map(|result| result.to_string());
            let error = call.error.as_ref().map(|error| lang.say(error));
            let outcome = error.or(result).unwrap_or_default();
            let outcome: String = outcome.chars().take(200).collect();
            let _ = writeln!(text, "   {} {} → {outcome}", call.tool, *call.arguments);
        }
        text
    })
}
