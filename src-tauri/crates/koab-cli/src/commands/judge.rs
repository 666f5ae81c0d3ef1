//! Implements `koab judge`.

use super::judge_lab;
use crate::CommandEnd;
use crate::args::judge::{JudgeCommand, OverrideArgs};
use crate::output::{Columns, Output};
use koab_api::{
    Api, JudgeVerdict, OverrideAnswer, OverrideRemoval, OverrideRequest, OverrideRow, TaskVerdicts,
    VerdictPlace, WireError, judged_metric,
};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;

pub(crate) async fn judge(api: &Api, command: JudgeCommand, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    match command {
        JudgeCommand::Panel => {
            let panel = api.runs.scoring.judges_default().await?;
            output.result(&panel, || {
                Columns::new(&panel, lang)
                    .id(text!("judge"), |judge| &judge.id)
                    .id(text!("key"), |judge| &judge.key)
                    .column("", |judge| {
                        lang.text(if judge.present { text!("present") } else { text!("absent") })
                    })
                    .text()
            });
        }
        JudgeCommand::Show { of, task } => {
            let task_verdicts = api.runs.library.verdicts_of_task(&of.run, &task)?;
            let reported = api.runs.library.verdicts_in_reports(&of.run, &task)?;
            let mut document = json!(task_verdicts);
            document["reported"] = json!(reported);
            output.result(&document, || verdicts(&task_verdicts, &reported, lang));
        }
        JudgeCommand::Plan(args) => return super::answers::questions(api, args, output),
        JudgeCommand::Override(args) if args.remove => {
            let OverrideRequest { place, answer } = request(args)?;
            let removal = OverrideRemoval { place, by: answer.by };
            let removed = api.runs.scoring.verdict_override_remove(&removal)?;
            output.result(&removed, || {
                let title = lang.text(text!("taken back"));
                format!("{title}:\n{}", overrides(&removed, lang))
            });
        }
        JudgeCommand::Override(args) => {
            let rows = api.runs.scoring.verdict_override(&request(args)?)?;
            output.result(&rows, || {
                let next = lang.text(text!(
                    "score again with `koab score`: the report then has both scores, and so does the report of any other run with exactly the same question"
                ));
                format!("{}{next}\n", overrides(&rows, lang))
            });
        }
        JudgeCommand::Lab(args) => return judge_lab::lab(api, args, output),
        JudgeCommand::Again(args) => return judge_lab::again(api, args, output).await,
        JudgeCommand::Queue(args) => return judge_lab::queue(api, args, output),
        JudgeCommand::Queues => return judge_lab::queues(api, output),
        JudgeCommand::Answers { file } => return judge_lab::answers(api, &file, output),
        JudgeCommand::Reveal(args) => return judge_lab::reveal(api, &args, output),
        JudgeCommand::Estimate(args) => return judge_lab::estimate(api, &args, output),
        JudgeCommand::Overrides(of) => {
            let rows = api.runs.scoring.verdict_overrides(of.run.as_deref())?;
            output.result(&rows, || {
                if rows.is_empty() {
                    return lang.text(text!("there are no human overrides")).to_owned();
                }
                overrides(&rows, lang)
            });
        }
    }
    Ok(CommandEnd::Done)
}

fn request(args: OverrideArgs) -> Result<OverrideRequest, WireError> {
    let metric = judged_metric(&args.metric)?;
    Ok(OverrideRequest {
        place: VerdictPlace { run: args.of.run, task: args.task, metric, judge: args.judge },
        answer: OverrideAnswer {
            success: args.success,
            score: args.score,
            by: args.by,
            why: args.why.unwrap_or_default(),
        },
    })
}

fn overrides(rows: &[OverrideRow], lang: Language) -> String {
    Columns::new(rows, lang)
        .id(text!("run"), |row| &row.place.run)
        .id(text!("task"), |row| &row.place.task)
        .column(text!("metric"), |row| row.place.metric.name())
        .column(text!("judge"), |row| row.place.judge.as_deref().unwrap_or(lang.text(text!("all"))))
        .column(text!("verdict"), |row| answer(row.answer.success, row.answer.score, lang))
        .column(text!("by"), |row| &row.answer.by)
        .column(text!("when"), |row| &row.at)
        .prose(text!("why"), |row| &row.answer.why)
        .prose("", |row| match row.applies {
            Some(false) => lang.text(text!("no, the question has changed")),
            Some(true) => lang.text(text!("applies")),
            None => "",
        })
        .spare([6, 5])
        .text()
}

fn answer(success: Option<bool>, score: Option<u8>, lang: Language) -> String {
    match (success, score) {
        (Some(true), _) => lang.text(text!("yes", "a success")).to_owned(),
        (Some(false), _) => lang.text(text!("no", "a success")).to_owned(),
        (None, Some(score)) => format!("{score}/5"),
        (None, None) => "—".to_owned(),
    }
}

/// Line for a judge's answer that only a report contains.
fn in_report(verdict: &JudgeVerdict, lang: Language) -> String {
    let what = match &verdict.failure {
        Some(failure) => format!("{}: {}", lang.text(text!("no answer")), lang.say(failure)),
        None => {
            let grade = verdict.grade.and_then(|grade| u8::try_from(grade).ok());
            let reason = verdict.reason.as_deref().unwrap_or_default();
            format!("{}  {reason}", answer(verdict.success, grade, lang))
        }
    };
    let report = &verdict.report;
    let from = if verdict.worked_back {
        say!("[from the report {report}, derived from its score]")
    } else {
        say!("[from the report {report}]")
    };
    let (judge, vote, from) = (&verdict.judge, verdict.vote, lang.say(&from));
    format!("{judge} #{vote}  {} {from}", what.trim_end())
}

fn verdicts(task_verdicts: &TaskVerdicts, reported: &[JudgeVerdict], lang: Language) -> String {
    let mut text = format!("{}  {}\n", task_verdicts.run, task_verdicts.task);
    for question in &task_verdicts.questions {
        let scorers: Vec<String> = question.scorers.iter().map(ToString::to_string).collect();
        text.push_str(&format!("\n{} ({})\n", question.metric, scorers.join(", ")));
        let of_question = |verdict: &&JudgeVerdict| {
            verdict.metric == question.metric && question.scorers.contains(&verdict.scorer)
        };
        let reported: Vec<&JudgeVerdict> = reported.iter().filter(of_question).collect();
        if question.verdicts.is_empty() && reported.is_empty() {
            text.push_str(lang.text(text!("  not judged\n")));
        }
        for verdict in reported {
            text.push_str(&format!("  {}\n", in_report(verdict, lang)));
        }
        for verdict in &question.verdicts {
            let what = match &verdict.failure {
                Some(failure) => format!("{}: {}", lang.text(text!("no answer")), lang.say(failure)),
                None => {
                    let reason = verdict.reason.as_deref().unwrap_or_default();
                    format!("{}  {reason}", answer(verdict.success, verdict.score, lang))
                }
            };
            text.push_str(&format!("  {} #{}  {what}\n", verdict.judge, verdict.vote));
        }
        for row in &question.overrides {
            let whom = row.place.judge.as_deref().unwrap_or(lang.text(text!("all judges")));
            text.push_str(&format!(
                "  {} {} ({whom}): {}  {}\n",
                lang.text(text!("overridden by")),
                row.answer.by,
                answer(row.answer.success, row.answer.score, lang),
                row.answer.why
            ));
        }
    }
    if !task_verdicts.decided_by_log.is_empty() {
        let metrics: Vec<&str> = task_verdicts.decided_by_log.iter().map(|metric| metric.name()).collect();
        let title = lang.text(text!("decided by the log, without a judge"));
        text.push_str(&format!("\n{title}: {}\n", metrics.join(", ")));
    }
    if !task_verdicts.outdated.is_empty() {
        text.push_str(&format!("\n{}", overrides(&task_verdicts.outdated, lang)));
    }
    text
}
