//! `koab judge`.

use super::judge_lab;
use crate::Ended;
use crate::args::{JudgeCommand, OverrideArgs, YesNo};
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::{Api, OverrideRemoval, OverrideRequest, OverrideRow, TaskVerdicts, WireError};

pub(crate) async fn judge(api: &Api, command: JudgeCommand, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    match command {
        JudgeCommand::Panel => {
            let panel = api.judges_default().await?;
            output.result(&panel, || {
                let rows: Vec<Vec<String>> = panel
                    .iter()
                    .map(|judge| {
                        let key = if judge.present {
                            lang.pick("있음", "present")
                        } else {
                            lang.pick("없음", "absent")
                        };
                        vec![judge.id.clone(), judge.key.clone(), key.to_owned()]
                    })
                    .collect();
                let header = [lang.pick("심판", "judge"), lang.pick("키", "key"), ""];
                columns(&header, &rows)
            });
        }
        JudgeCommand::Show { run, task } => {
            let said = api.verdicts_of_task(&run, &task)?;
            output.result(&said, || verdicts(&said, lang));
        }
        JudgeCommand::Override(args) if args.remove => {
            let gone = api.verdict_override_remove(&OverrideRemoval {
                run: args.run,
                task: args.task,
                metric: args.metric,
                judge: args.judge,
                by: args.by,
            })?;
            output.result(&gone, || {
                let title = lang.pick("되돌렸습니다", "taken back");
                format!("{title}:\n{}", overrides(&gone, lang))
            });
        }
        JudgeCommand::Override(args) => {
            let said = api.verdict_override(&request(args))?;
            output.result(&said, || {
                let next = lang.pick(
                    "`koab evaluate`로 다시 채점하면 보고서에 두 점수가 함께 나옵니다.",
                    "score again with `koab evaluate`: the report then has both scores",
                );
                format!("{}{next}\n", overrides(&said, lang))
            });
        }
        JudgeCommand::Lab(args) => return judge_lab::lab(api, args, output),
        JudgeCommand::Again(args) => return judge_lab::again(api, args, output).await,
        JudgeCommand::Queue(args) => return judge_lab::queue(api, args, output),
        JudgeCommand::Queues => return judge_lab::queues(api, output),
        JudgeCommand::Answers { file } => return judge_lab::answers(api, &file, output),
        JudgeCommand::Reveal(args) => return judge_lab::reveal(api, &args, output),
        JudgeCommand::Overrides { run } => {
            let said = api.verdict_overrides(run.as_deref())?;
            output.result(&said, || {
                if said.is_empty() {
                    return lang
                        .pick("사람이 고친 판정이 없습니다.", "nobody has overridden a verdict")
                        .to_owned();
                }
                overrides(&said, lang)
            });
        }
    }
    Ok(Ended::Done)
}

fn request(args: OverrideArgs) -> OverrideRequest {
    OverrideRequest {
        run: args.run,
        task: args.task,
        metric: args.metric,
        judge: args.judge,
        success: args.success.map(|success| success == YesNo::Yes),
        score: args.score,
        by: args.by,
        why: args.why.unwrap_or_default(),
    }
}

fn overrides(rows: &[OverrideRow], lang: Lang) -> String {
    let line = |row: &OverrideRow| {
        let applies = match row.applies {
            Some(false) => lang.pick("질문이 바뀌어 적용되지 않음", "no more, the question has changed"),
            Some(true) => lang.pick("적용됨", "applies"),
            None => "",
        };
        vec![
            row.run.clone(),
            row.task.clone(),
            row.metric.clone(),
            row.judge
                .clone()
                .unwrap_or_else(|| lang.pick("모두", "all").to_owned()),
            answer(row.success, row.score, lang),
            row.by.clone(),
            row.at.clone(),
            row.why.clone(),
            applies.to_owned(),
        ]
    };
    let header = [
        lang.pick("실행", "run"),
        lang.pick("과제", "task"),
        lang.pick("지표", "metric"),
        lang.pick("심판", "judge"),
        lang.pick("판정", "verdict"),
        lang.pick("누가", "by"),
        lang.pick("언제", "when"),
        lang.pick("왜", "why"),
        "",
    ];
    columns(&header, &rows.iter().map(line).collect::<Vec<_>>())
}

fn answer(success: Option<bool>, score: Option<u8>, lang: Lang) -> String {
    match (success, score) {
        (Some(true), _) => lang.pick("성공", "yes").to_owned(),
        (Some(false), _) => lang.pick("실패", "no").to_owned(),
        (None, Some(score)) => format!("{score}/5"),
        (None, None) => "—".to_owned(),
    }
}

fn verdicts(said: &TaskVerdicts, lang: Lang) -> String {
    let mut text = format!("{}  {}\n", said.run, said.task);
    for question in &said.questions {
        let scorers: Vec<String> = question.scorers.iter().map(ToString::to_string).collect();
        text.push_str(&format!("\n{} ({})\n", question.metric, scorers.join(", ")));
        if question.verdicts.is_empty() {
            text.push_str(lang.pick("  아직 묻지 않았습니다\n", "  nobody was asked\n"));
        }
        for verdict in &question.verdicts {
            let what = match &verdict.failure {
                Some(failure) => format!("{}: {failure}", lang.pick("답 없음", "no answer")),
                None => {
                    let reason = verdict.reason.as_deref().unwrap_or_default();
                    format!("{}  {reason}", answer(verdict.success, verdict.score, lang))
                }
            };
            text.push_str(&format!("  {} #{}  {what}\n", verdict.judge, verdict.vote));
        }
        for row in &question.overrides {
            let whom = row
                .judge
                .as_deref()
                .unwrap_or(lang.pick("모든 심판", "all judges"));
            text.push_str(&format!(
                "  {} {} ({whom}): {}  {}\n",
                lang.pick("사람:", "overridden by"),
                row.by,
                answer(row.success, row.score, lang),
                row.why
            ));
        }
    }
    if !said.decided_by_log.is_empty() {
        text.push_str(&format!(
            "\n{}: {}\n",
            lang.pick("심판 없이 로그로 정해짐", "decided by the log, without a judge"),
            said.decided_by_log.join(", ")
        ));
    }
    if !said.outdated.is_empty() {
        text.push_str(&format!("\n{}", overrides(&said.outdated, lang)));
    }
    text
}
