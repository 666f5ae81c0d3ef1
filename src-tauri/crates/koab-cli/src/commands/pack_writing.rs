//! `koab pack export`, `lint`, `draft`, `drafts` and `save`: own packs on the command line. They are written in the window.

use crate::Ended;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::{Api, DraftFrom, DraftList, DraftRequest, DraftSaved, ErrorCode, PackLint, WireError};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

pub(super) fn export(
    api: &Api,
    name: Option<&str>,
    file: Option<PathBuf>,
    force: bool,
    output: Output,
) -> Result<(), WireError> {
    let archive = api.pack_archive(name)?;
    let path = file.unwrap_or_else(|| PathBuf::from(&archive.file_name));
    let mut options = OpenOptions::new();
    options
        .write(true)
        .create_new(!force)
        .create(force)
        .truncate(force);
    let written = options
        .open(&path)
        .and_then(|mut file| file.write_all(&archive.bytes));
    written.map_err(|error| {
        let path = path.display();
        match error.kind() {
            ErrorKind::AlreadyExists => WireError::bad_request(format!(
                "{path} exists already; give another file with --output, or replace it with --force"
            )),
            _ => WireError::storage(format!("cannot write {path}: {error}")),
        }
    })?;
    let result =
        json!({"pack": archive.label, "file": path.display().to_string(), "bytes": archive.bytes.len()});
    output.result(&result, || {
        format!(
            "{} → {} ({})",
            archive.label,
            path.display(),
            super::local_models::bytes(archive.bytes.len() as u64)
        )
    });
    Ok(())
}

/// Ends as partial success where something is wrong that keeps data from being used.
pub(super) fn lint(api: &Api, pack: Option<&str>, output: Output) -> Result<Ended, WireError> {
    let lint = api.pack_lint(pack)?;
    output.result(&lint, || linted(&lint, output.lang));
    let refused = lint.problems.iter().filter(|problem| problem.left_out).count();
    if refused > 0 {
        return Err(WireError::new(
            ErrorCode::BadFile,
            format!(
                "{} has {refused} faults for which tasks, tools or responses are left out",
                lint.label
            ),
        ));
    }
    Ok(Ended::Done)
}

fn linted(lint: &PackLint, lang: Lang) -> String {
    let mut lines = vec![lint.label.clone()];
    for (problem, todo) in lint.problems.iter().zip(&lint.todo) {
        let places = [&problem.file, &problem.task, &problem.field];
        let place: String = places
            .into_iter()
            .flatten()
            .map(|place| format!("{place}: "))
            .collect();
        let left_out = match problem.left_out {
            true => lang.pick(" (제외됨)", " (left out)"),
            false => "",
        };
        lines.push(format!("  {place}{}{left_out}", lang.said(&problem.why)));
        lines.push(format!("    → {}", lang.said(todo)));
    }
    if lint.problems.is_empty() {
        lines.push(
            lang.pick("  데이터에 문제가 없습니다", "  nothing is wrong with its data")
                .to_owned(),
        );
    }
    lines.push(match lang {
        Lang::Ko => format!(
            "  정답 경로의 호출 {}개 중 {}개가 기록되어 있습니다",
            lint.calls, lint.answered
        ),
        Lang::En => format!(
            "  {} of {} calls of the golden paths are recorded",
            lint.answered, lint.calls
        ),
    });
    for call in &lint.missing {
        lines.push(format!("    {} {call}", lang.pick("기록 없음:", "not recorded:")));
    }
    lines.join("\n")
}

pub(super) fn drafts(api: &Api, output: Output) -> Result<(), WireError> {
    let list = api.drafts_list()?;
    output.result(&list, || listed(&list, output.lang));
    Ok(())
}

fn listed(list: &DraftList, lang: Lang) -> String {
    if list.drafts.is_empty() && list.own.is_empty() {
        return lang
            .pick(
                "직접 만든 팩이 없습니다. `koab pack draft NAME`이나 창의 팩 편집기로 시작하세요",
                "there is no pack of your own; begin one with `koab pack draft NAME` or in the window's pack editor",
            )
            .to_owned();
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for draft in &list.drafts {
        let changed = match draft.changed {
            true => lang.pick("초안, 저장 안 됨", "draft, not saved"),
            false => lang.pick("초안, 바뀐 것 없음", "draft, nothing changed"),
        };
        rows.push(vec![
            draft.name.clone(),
            changed.to_owned(),
            draft.tasks.to_string(),
            draft.tools.to_string(),
            draft.changed_at.replace('T', " ").replace('Z', " UTC"),
        ]);
    }
    for pack in &list.own {
        for version in pack.versions.iter().filter(|version| version.installed) {
            rows.push(vec![
                format!("{}@{}", pack.name, version.version),
                lang.pick("설치됨", "installed").to_owned(),
                String::new(),
                String::new(),
                version.saved_at.replace('T', " ").replace('Z', " UTC"),
            ]);
        }
    }
    let header = [
        lang.pick("팩", "pack"),
        lang.pick("상태", "state"),
        lang.pick("과제", "tasks"),
        lang.pick("도구", "tools"),
        lang.pick("때", "when"),
    ];
    columns(&header, &rows)
}

pub(super) fn begin(api: &Api, name: String, from: Option<String>, output: Output) -> Result<(), WireError> {
    let from = from.map_or(DraftFrom::Example, |pack| DraftFrom::Copy { pack });
    let draft = api.draft_create(&DraftRequest { name, from })?;
    output.result(&draft, || match output.lang {
        Lang::Ko => format!(
            "{}: 과제 {}개, 도구 {}개로 시작한 초안",
            draft.name, draft.tasks, draft.tools
        ),
        Lang::En => format!(
            "{}: a draft with {} tasks and {} tools",
            draft.name, draft.tasks, draft.tools
        ),
    });
    Ok(())
}

pub(super) fn save(api: &Api, name: &str, output: Output) -> Result<(), WireError> {
    let review = api.draft_review(name)?;
    let saved = api.draft_save(name, review.revision)?;
    let refuse = |why: String| Err(WireError::bad_request(why));
    match &saved {
        DraftSaved::Saved { pack, sha256 } => {
            output.result(&saved, || {
                let word = output.lang.pick("저장됨", "saved");
                format!("{word}: {}@{} (SHA-256 {sha256})", pack.name, pack.version)
            });
            Ok(())
        }
        DraftSaved::Same { version } => refuse(format!(
            "the draft says what version {version} says; nothing was saved"
        )),
        DraftSaved::Stale { .. } => refuse("the draft was changed meanwhile; try again".to_owned()),
        DraftSaved::Refused { findings } => {
            let refused = findings.iter().filter(|finding| finding.problem.refused);
            let lines: Vec<String> = refused
                .map(|finding| {
                    let field = finding.problem.field.as_deref().map(|field| format!("{field}: "));
                    let name = if finding.name.is_empty() {
                        "-"
                    } else {
                        &finding.name
                    };
                    format!("{name}: {}{}", field.unwrap_or_default(), finding.problem.why)
                })
                .collect();
            refuse(format!("the draft cannot be saved: {}", lines.join("; ")))
        }
    }
}
