//! `koab runs`.

use super::{comparability, fork};
use crate::Ended;
use crate::args::RunsCommand;
use crate::lang::Lang;
use crate::output::{Output, spared_columns};
use koab_api::{Api, RunOutcome, RunSummary, WireError};
use serde_json::json;

pub(crate) async fn runs(api: &Api, command: RunsCommand, output: Output) -> Result<Ended, WireError> {
    match command {
        RunsCommand::List => {
            let runs = api.runs_list()?;
            output.result(&runs, || text(&runs, output));
        }
        RunsCommand::Show { id } => {
            let shown = api.run_shown(&id)?;
            output.result(&shown, || {
                let run = std::slice::from_ref(&shown.run);
                let how = comparability::text(&shown.comparability, output.lang);
                text(run, output) + &shown.run.folder + "\n" + &how
            });
        }
        RunsCommand::Tag { id, tags, note } => {
            let run = api.run_show(&id)?;
            let run = api.run_remark(&run.id, tags, note.unwrap_or(run.note))?;
            output.result(&run, || format!("{}: {}", run.id, remark(&run)));
        }
        RunsCommand::Fork(args) => return fork::make(api, *args, output).await,
        RunsCommand::Forks { run, task } => fork::list(api, run.as_deref(), task.as_deref(), output)?,
        RunsCommand::ForkShow { id } => fork::show(api, &id, output)?,
        RunsCommand::ForkDelete { id, yes, undo } => fork::delete(api, &id, yes, undo, output)?,
        RunsCommand::Delete { id, yes } => {
            if id == "last" {
                return Err(WireError::bad_request(
                    "a run is removed by its own name, since the newest may be another by then; `koab runs list` shows it",
                ));
            }
            let run = api.run_show(&id)?;
            if !yes {
                return Err(WireError::bad_request(format!(
                    "this removes {} for good; say so with --yes",
                    run.folder
                )));
            }
            api.run_delete(&id)?;
            output.result(&json!({ "deleted": run.id }), || {
                format!("{}: {}", output.lang.pick("삭제됨", "removed"), run.id)
            });
        }
    }
    Ok(Ended::Done)
}

/// Tags and note as one text, `-` when there are none.
fn remark(run: &RunSummary) -> String {
    let parts = [run.tags.join(", "), run.note.replace('\n', " ")];
    let said: Vec<&str> = parts
        .iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    if said.is_empty() {
        "-".to_owned()
    } else {
        said.join(" · ")
    }
}

/// How a run stands, by the same words as in the window's list.
fn standing(run: &RunSummary, lang: Lang) -> String {
    if let Some(pid) = run.held_by {
        let made = lang.pick("실행 중, 프로세스", "being made by process");
        return format!("{made} {pid}");
    }
    let word = match run.status.as_ref().map(|status| status.outcome) {
        None if run.complete => lang.pick("가져옴", "imported"),
        None => lang.pick("미완료", "incomplete"),
        Some(Some(RunOutcome::Completed)) => lang.pick("완료", "complete"),
        Some(Some(RunOutcome::Cancelled)) => lang.pick("취소됨", "cancelled"),
        Some(Some(RunOutcome::BudgetSpent)) => lang.pick("예산 소진", "budget spent"),
        Some(Some(RunOutcome::Failed)) => lang.pick("실패", "failed"),
        Some(None) => lang.pick("중간에 끊김", "broke off"),
    };
    word.to_owned()
}

fn text(runs: &[RunSummary], output: Output) -> String {
    let lang = output.lang;
    if runs.is_empty() {
        return lang
            .pick(
                "아직 실행이 없습니다. `koab run --model baseline/golden`으로 시작하세요.",
                "no runs yet; start with `koab run --model baseline/golden`",
            )
            .to_owned();
    }
    let rows: Vec<Vec<String>> = runs
        .iter()
        .map(|run| {
            let levels: Vec<String> = run
                .levels
                .iter()
                .map(|l| {
                    let tasks = l.tasks.map_or_else(|| "—".to_owned(), |tasks| tasks.to_string());
                    format!("{}:{tasks}", l.level)
                })
                .collect();
            let state = match (standing(run, lang), &run.resume) {
                (standing, Some(resume)) => format!("{standing}: {resume}"),
                (standing, None) => standing,
            };
            vec![
                run.id.clone(),
                run.pack.clone().unwrap_or_else(|| "-".to_owned()),
                run.protocol.map_or_else(|| "-".to_owned(), |p| p.to_string()),
                levels.join(" "),
                run.usd.map_or_else(|| "-".to_owned(), |usd| format!("${usd:.4}")),
                state,
                remark(run),
            ]
        })
        .collect();
    let header = [
        lang.pick("실행", "run"),
        lang.pick("팩", "pack"),
        lang.pick("프로토콜", "protocol"),
        lang.pick("레벨:과제", "levels:tasks"),
        lang.pick("비용", "cost"),
        lang.pick("상태", "state"),
        lang.pick("태그와 메모", "tags and note"),
    ];
    // The levels, what was spent and the protocol are told by `koab runs show` as well.
    let mut text = spared_columns(&header, &rows, &[2, 1, 4, 3], lang);
    if runs.iter().flat_map(|run| &run.levels).any(|l| l.tasks.is_none()) {
        text.push_str(lang.pick(
            "\n—: 로그가 과제 수를 알려 주지 않습니다.\n",
            "\n—: the log does not say how many tasks it has.\n",
        ));
    }
    text
}
