//! Implements `koab runs`.

use super::{change, fork, names, remote, trash};
use crate::CommandEnd;
use crate::args::runs::RunsCommand;
use crate::output::{Columns, Output, or_dash};
use crate::render::{comparability, conduct};
use koab_api::{
    Api, ErrorCode, RemoteRun, RemoteWork, ReportView, RunMerge, RunOutcome, RunSummary, WireError, shown,
};
use koab_core::run_name::model_folder;
use koab_core::run_record::ChangeRecord;
use koab_core::sentence::{Language, ToSentence as _};
use koab_core::{say, text};
use serde_json::{Value, json};

pub(crate) async fn runs(api: &Api, command: RunsCommand, output: Output) -> Result<CommandEnd, WireError> {
    match command {
        RunsCommand::List => {
            let runs = api.runs.library.runs_list()?;
            let at_engines = remote::remote_states(api, &runs).await;
            output.result(&runs, || text(&runs, &at_engines, output));
        }
        RunsCommand::Show { of, problems } => show(api, &of.run, problems, output).await?,
        RunsCommand::Tag { of, tags, note } => {
            let run = api.runs.library.run_show(&of.run)?;
            let run = api.runs.library.run_remark(&run.id, tags, note.unwrap_or(run.note))?;
            output.result(&run, || format!("{}: {}", run.id, remark(&run)));
        }
        RunsCommand::Set(args) => change::set(api, *args, output).await?,
        RunsCommand::Retry(args) => change::retry(api, args, output).await?,
        RunsCommand::Merge(of) => {
            let merge = api.runs.run_merge(&of.run).await?;
            output.result(&merge, || merge_text(&merge, output.lang));
            if merge.missing > 0 || merge.failed > 0 {
                return Ok(CommandEnd::SomeFailed);
            }
        }
        RunsCommand::Cancel(of) => {
            let run = api.runs.library.run_show(&of.run)?;
            // Judging follows the attempts. If the run has a judging, its attempts are already
            // made.
            let work = run.judging.map(|_| RemoteWork::Judging);
            let remote = api.remote.remote_cancel(&run.id, work).await?;
            output.result(&remote, || remote::text(&remote, output));
        }
        RunsCommand::Logs { of, shard, judging } => {
            let work = judging.then_some(RemoteWork::Judging);
            let log = api.remote.remote_log(&of.run, work, shard)?;
            output.result(&log, || log.text.clone());
        }
        RunsCommand::Fork(args) => return fork::make(api, *args, output).await,
        RunsCommand::Forks { of, task } => fork::list(api, of.run.as_deref(), task.as_deref(), output)?,
        RunsCommand::ForkShow { id } => fork::show(api, &id, output)?,
        RunsCommand::ForkDelete { id, yes, undo } => fork::delete(api, &id, yes, undo, output)?,
        RunsCommand::ForkRestore { id } => fork::delete(api, &id, false, true, output)?,
        RunsCommand::Delete { id, for_good, yes } => delete(api, &id, for_good, yes, output)?,
        RunsCommand::Restore { id } => {
            // A table shows the model with the slash that its folder replaces.
            let (model, date) = id.rsplit_once('/').unwrap_or(("", &id));
            let id = format!("{}/{date}", model_folder(model));
            api.runs.run_restore(&id)?;
            output.result(&json!({ "restored": id }), || {
                format!("{}: {id}", output.lang.text(text!("restored")))
            });
        }
    }
    Ok(CommandEnd::Done)
}

/// Shows one run with its score, its changes and its comparability.
async fn show(api: &Api, run_name: &str, problems: bool, output: Output) -> Result<(), WireError> {
    let name = names::run_id(api, run_name, output)?;
    let view = api.runs.library.run_shown(&name)?;
    let mut document = json!(view);
    let run = std::slice::from_ref(&view.run);
    let at_engine = match view.run.remote {
        Some(_) => match api.remote.run_remote(&view.run.id, None).await {
            Ok(remote) => Some(remote),
            // One worker's file cannot be read. The comparability facts say which one; the
            // rest is shown.
            Err(error) if error.code == ErrorCode::Storage => {
                output.remark(&output.lang.say(&error.message));
                document["remote"] = Value::Null;
                document["remote_reason"] = json!(error.message);
                None
            }
            Err(error) => return Err(error),
        },
        None => None,
    };
    if let Some(remote) = &at_engine {
        document["remote"] = json!(remote);
    }
    let judging = match view.run.judging {
        Some(_) => Some(api.remote.run_remote(&view.run.id, Some(RemoteWork::Judging)).await?),
        None => None,
    };
    if let Some(judging) = &judging {
        document["judging"] = json!(judging);
    }
    let at_engines = at_engine.into_iter().collect::<Vec<_>>();
    // A report that cannot be read does not hide its run; `koab report list` names it.
    let report = api.runs.library.report_show(&view.run.id).ok().flatten();
    output.result(&document, || {
        let how = comparability::text(&view.comparability, problems, output.lang);
        let remote: String =
            at_engines.iter().chain(&judging).map(|remote| remote::text(remote, output)).collect();
        let conduct = view.conduct.as_ref();
        let conduct = conduct.map_or_else(String::new, |of| conduct::text(of, output.lang));
        let folder = &view.run.folder;
        let score = score_text(&view.run, report.as_ref(), output.lang);
        let changes = changes_text(&view.comparability.facts.changes, output.lang);
        let run = text(run, &at_engines, output);
        format!("{run}{folder}\n{changes}{score}{remote}{conduct}{how}")
    });
    output.next(&match (&view.run.resume, &report) {
        (Some(resume), _) => resume.clone(),
        (None, Some(report)) => format!("koab report show {}", report.id),
        (None, None) => format!("koab score {}", view.run.id),
    });
    Ok(())
}

/// Lines with the failed attempts of a run that its state does not name, and with its score.
fn score_text(run: &RunSummary, report: Option<&ReportView>, lang: Language) -> String {
    let mut text = String::new();
    let failed = run.status.as_ref().map_or(0, |status| status.failed);
    if failed > 0 && !run.complete {
        text.push_str(&lang.say(&say!("attempts that failed for technical reasons: {failed}\n")));
    }
    let Some(report) = report else {
        text.push_str(lang.text(text!("not scored yet\n")));
        return text;
    };
    let mut figures = vec![format!("{} {}", lang.text(text!("report")), report.id)];
    if let Some(composite) = report.composites.first() {
        let title = lang.text(text!("composite score"));
        figures.push(format!("{title} {}", shown::score(composite.figure.value())));
    }
    if let Some(first) = report.overall.first() {
        let title = shown::metric(first.metric.name(), lang);
        figures.push(format!("{title} {}", shown::score(first.figure.value())));
    }
    text.push_str(&format!("{}\n", figures.join(" · ")));
    text
}

/// Moves a run to the trash, or deletes it for good.
fn delete(api: &Api, id: &str, for_good: bool, yes: bool, output: Output) -> Result<(), WireError> {
    let lang = output.lang;
    if id == "last" {
        return Err(WireError::bad_request(say!(
            "a run is removed by its id, since `last` may mean another run by then; `koab runs list` shows the ids"
        )));
    }
    let run = api.runs.library.run_show(id)?;
    if !yes {
        let folder = &run.folder;
        return Err(WireError::bad_request(if for_good {
            say!("this removes {folder} for good; confirm with --yes")
        } else {
            say!("this moves {folder} to the trash; confirm with --yes")
        }));
    }
    let text = if for_good {
        api.runs.run_delete(id)?;
        format!("{}: {}", lang.text(text!("removed")), run.id)
    } else {
        trash::say_unremoved(&api.runs.run_trash(id)?, output);
        lang.say(&say!(
            "{} is in the trash; `koab runs restore {}` brings it back within 30 days",
            run.id,
            run.id
        ))
    };
    output.result(&json!({ "deleted": run.id }), || text);
    Ok(())
}

/// Changes of a run while it was being made, one line for each.
fn changes_text(changes: &[ChangeRecord], lang: Language) -> String {
    let line =
        |record| lang.say(&say!("changed: {change}", change = ChangeRecord::to_sentence(record))) + "\n";
    changes.iter().map(line).collect()
}

/// Text of the result of a merge.
fn merge_text(merge: &RunMerge, lang: Language) -> String {
    let RunMerge { run, attempts, doubled, planned, done, failed, missing, .. } = merge;
    let mut lines = vec![lang.say(&say!("{attempts} attempts were merged; the run has {done} of {planned}"))];
    if *doubled > 0 {
        lines.push(lang.say(&say!(
            "{doubled} attempts had been made twice, by two starts of a part; the earlier ones count"
        )));
    }
    lines.extend(merge.problems.iter().map(|problem| lang.say(problem)));
    if *missing > 0 {
        lines.push(lang.say(&say!(
            "{missing} attempts are still to be made; resume the run with `koab run --resume {run}`"
        )));
    }
    if *failed > 0 {
        lines.push(lang.say(&say!(
            "{failed} attempts failed for technical reasons; `koab run --resume {run}` makes them again"
        )));
    }
    lines.push(merge.folder.clone());
    lines.join("\n")
}

/// Tags and note of a run as one text; a dash if the run has neither.
fn remark(run: &RunSummary) -> String {
    let parts = [run.tags.join(", "), run.note.replace('\n', " ")];
    let texts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    if texts.is_empty() { shown::NONE.to_owned() } else { texts.join(" · ") }
}

/// State of a run, in the same words as in the window's list.
fn standing(run: &RunSummary, at_engines: &[RemoteRun], lang: Language) -> String {
    if run.unreadable.is_some() {
        return lang.text(text!("damaged")).to_owned();
    }
    if let Some(remote) = at_engines.iter().find(|remote| remote.run == run.id && !run.complete) {
        return remote::standing(remote, lang);
    }
    if let Some(pid) = run.held_by {
        let text = lang.text(text!("being made by process"));
        return format!("{text} {pid}");
    }
    if let Some(failed) = run.status.as_ref().map(|status| status.failed).filter(|_| run.complete)
        && failed > 0
    {
        return lang.say(&say!("complete, but {failed} attempts failed"));
    }
    let word = match run.status.as_ref().map(|status| status.outcome) {
        None if run.complete => lang.text(text!("imported")),
        None => lang.text(text!("incomplete")),
        Some(Some(RunOutcome::Completed)) => lang.text(text!("complete")),
        Some(Some(RunOutcome::Cancelled)) => lang.text(text!("cancelled")),
        Some(Some(RunOutcome::BudgetSpent)) => lang.text(text!("budget spent")),
        Some(Some(RunOutcome::Failed)) => lang.text(text!("failed")),
        Some(None) => lang.text(text!("interrupted")),
    };
    word.to_owned()
}

fn text(runs: &[RunSummary], at_engines: &[RemoteRun], output: Output) -> String {
    let lang = output.lang;
    if runs.is_empty() {
        return lang.text(text!("no runs yet; start with `koab run --model baseline/golden`")).to_owned();
    }
    let table = Columns::new(runs.iter(), lang)
        .column(text!("run"), |run| match &run.agent {
            Some(agent) => format!("{} ({agent})", run.id),
            None => run.id.clone(),
        })
        .column(text!("pack"), |run| run.pack.as_deref().unwrap_or(shown::NONE))
        .column(text!("protocol"), |run| or_dash(run.protocol))
        .prose(text!("levels:tasks"), |run| {
            let levels: Vec<String> = run
                .levels
                .iter()
                .map(|l| {
                    let tasks = or_dash(l.tasks);
                    format!("{}:{tasks}", l.level)
                })
                .collect();
            levels.join(" ")
        })
        .column(text!("cost"), |run| or_dash(run.usd.map(|usd| format!("${usd:.4}"))))
        .prose(text!("state"), |run| match (standing(run, at_engines, lang), &run.resume) {
            (standing, _) if at_engines.iter().any(|remote| remote.run == run.id && remote.active) => {
                standing
            }
            (standing, Some(resume)) => format!("{standing}: {resume}"),
            (standing, None) => standing,
        })
        .prose(text!("tags and note"), remark);

    // `koab runs show` has the levels, the cost and the protocol as well.
    let mut text = table.spare([2, 1, 4, 3]).text();
    if runs.iter().flat_map(|run| &run.levels).any(|l| l.tasks.is_none()) {
        text.push_str(lang.text(text!("\n—: the log does not say how many tasks it has.\n")));
    }
    for run in runs {
        let uncounted = run.status.as_ref().and_then(|status| status.uncounted.as_ref());
        if let Some(why) = run.unreadable.as_ref().or(uncounted) {
            text.push_str(&format!("{}: {}\n", run.id, lang.say(why)));
        }
    }
    text
}
