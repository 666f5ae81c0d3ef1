//! `koab scenario remove-missing` and `koab scenario lint`.

use super::said_yes;
use crate::Ended;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::{Api, LintedLog, Severity, WireError};
use serde_json::json;

pub(super) fn remove_missing(api: &Api, dir: &str, yes: bool, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    let found = api.scenario_unfinished(dir)?;
    if found.is_empty() {
        output.result(&json!({ "unfinished": [], "moved": [] }), || {
            lang.pick("끝나지 않은 시도가 없습니다", "every trial is finished")
                .to_owned()
        });
        return Ok(Ended::Done);
    }
    if !yes {
        let rows: Vec<Vec<String>> = found
            .iter()
            .map(|trial| vec![trial.path.clone(), lang.said(&trial.why)])
            .collect();
        let list = columns(&[lang.pick("폴더", "folder"), lang.pick("이유", "why")], &rows);
        output.sentence(&format!(
            "{}\n{}",
            list.trim_end(),
            lang.pick(
                "이 폴더들을 휴지통(.trash)으로 옮깁니다. 지금 실행 중인 시도도 끝나지 않은 것으로 보입니다.",
                "these go to the trash (.trash); trials that are running now look unfinished, too",
            )
        ));
        if !said_yes(output)? {
            return Err(WireError::bad_request(lang.pick(
                "아무것도 옮기지 않았습니다. yes라고 답하거나, 스크립트에서는 --yes를 붙이세요",
                "nothing was moved: answer \"yes\", or give --yes in scripts",
            )));
        }
    }
    let moved = api.scenario_set_aside(&found)?;
    output.result(&json!({ "unfinished": found, "moved": moved }), || {
        let count = moved.len();
        let head = match lang {
            Lang::Ko => format!("시도 {count}개를 휴지통으로 옮겼습니다"),
            Lang::En => format!("{count} trials are in the trash now"),
        };
        format!("{head}\n{}", moved.join("\n"))
    });
    Ok(Ended::Done)
}

pub(super) fn lint(api: &Api, path: &str, output: Output) -> Result<Ended, WireError> {
    let logs = api.scenario_lint(path)?;
    output.result(&json!({ "logs": logs }), || linted(&logs, output.lang));
    Ok(Ended::Done)
}

fn linted(logs: &[LintedLog], lang: Lang) -> String {
    let mut text = String::new();
    let mut findings = 0;
    for log in logs {
        for finding in &log.findings {
            findings += 1;
            let grave = match finding.severity {
                Severity::Error => lang.pick("오류", "error"),
                Severity::Warning => lang.pick("경고", "warning"),
                Severity::Note => lang.pick("참고", "note"),
            };
            text.push_str(&format!(
                "{}:{}:{}\t{grave}\t{}\t{}\n",
                log.log,
                finding.line,
                finding.line_end,
                finding.code,
                lang.said(&finding.what)
            ));
        }
    }
    let logs = logs.len();
    text + &match lang {
        Lang::Ko => format!("로그 {logs}개에서 {findings}건"),
        Lang::En => format!("{findings} findings in {logs} logs"),
    }
}
