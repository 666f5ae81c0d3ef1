//! `koab report import`.

use super::on_ctrl_c;
use crate::Ended;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::{Api, Cancel, ImportItem, ImportOutcome, ImportResult, ImportedKind, Taking, WireError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) async fn import(
    api: &Api,
    paths: Vec<PathBuf>,
    reference: bool,
    output: Output,
) -> Result<Ended, WireError> {
    let taking = if reference {
        Taking::References
    } else {
        Taking::Everything
    };
    let cancel = on_ctrl_c();
    let result = taken_in(api.clone(), taking, paths, output, cancel).await?;
    output.result(&result, || text(&result, output.lang));
    let nothing = !result.items.is_empty()
        && result
            .items
            .iter()
            .all(|item| item.outcome == ImportOutcome::Refused);
    if result.cancelled {
        return Ok(Ended::Cancelled);
    }
    if nothing || result.items.is_empty() {
        output.sentence(output.lang.pick(
            "가져올 수 있는 것이 없습니다. 이유는 위에 있습니다.",
            "nothing could be imported; name run logs, reports, summaries or packs",
        ));
        return Ok(Ended::NotDone);
    }
    Ok(Ended::Done)
}

/// Reads and writes on a thread of its own, and says a line each tenth of the files.
async fn taken_in(
    api: Api,
    taking: Taking,
    paths: Vec<PathBuf>,
    output: Output,
    cancel: Cancel,
) -> Result<ImportResult, WireError> {
    let work = move || {
        let told = AtomicU64::new(0);
        let progress = |done: u64, total: u64| {
            let tenth = (done * 10).checked_div(total).unwrap_or(0);
            if total >= 200 && tenth > told.swap(tenth, Ordering::Relaxed) {
                output.remark(&format!("{}: {done}/{total}", output.lang.pick("파일", "files")));
            }
        };
        api.import_as(taking, "cli", &paths, &progress, &cancel)
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(WireError::internal)?
}

fn text(result: &ImportResult, lang: Lang) -> String {
    let rows: Vec<Vec<String>> = result.items.iter().map(|item| row(item, lang)).collect();
    let header = [
        lang.pick("결과", "outcome"),
        lang.pick("종류", "what"),
        lang.pick("이름", "id"),
        lang.pick("출처", "source"),
    ];
    let count = |outcome: ImportOutcome| result.items.iter().filter(|item| item.outcome == outcome).count();
    let mut text = columns(&header, &rows);
    for item in &result.items {
        for note in item.reason.iter().chain(&item.notes) {
            text.push_str(&format!("{}: {}\n", item.source, lang.said(note)));
        }
    }
    text + &format!(
        "{}: {}, {}: {}, {}: {}, {}: {} ({:.2} s)\n",
        lang.pick("추가", "added"),
        count(ImportOutcome::Added),
        lang.pick("이미 있음", "already there"),
        count(ImportOutcome::AlreadyThere),
        lang.pick("거절", "refused"),
        count(ImportOutcome::Refused),
        lang.pick("관계없는 파일", "other files left alone"),
        result.left_alone,
        result.seconds,
    )
}

fn row(item: &ImportItem, lang: Lang) -> Vec<String> {
    let outcome = match item.outcome {
        ImportOutcome::Added => lang.pick("추가", "added"),
        ImportOutcome::AlreadyThere => lang.pick("이미 있음", "already there"),
        ImportOutcome::Refused => lang.pick("거절", "refused"),
    };
    let what = match item.what {
        ImportedKind::Run => lang.pick("실행 기록", "run"),
        ImportedKind::Report => lang.pick("보고서", "report"),
        ImportedKind::Summary => lang.pick("요약", "summary"),
        ImportedKind::CombinedRow => lang.pick("통합 요약의 행", "combined row"),
        ImportedKind::Pack => lang.pick("팩", "pack"),
        ImportedKind::Unknown => lang.pick("알 수 없음", "unknown"),
    };
    vec![
        outcome.to_owned(),
        what.to_owned(),
        item.id.clone().unwrap_or_default(),
        item.source.clone(),
    ]
}
