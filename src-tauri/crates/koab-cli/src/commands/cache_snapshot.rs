//! `koab cache snapshot`.

use super::local_models::confirmed;
use crate::Ended;
use crate::args::snapshot::SnapshotCommand;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::{
    AnswerChange, Api, ShareOptions, SnapshotDiff, SnapshotExport, SnapshotView, StateView, WireError,
};
use serde_json::json;

/// Differences that are listed as text.
const LISTED: usize = 20;

pub(crate) fn snapshot(api: &Api, command: SnapshotCommand, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    match command {
        SnapshotCommand::Create { name, pack, note } => {
            let made = api.snapshot_create(pack.as_deref(), &name, &note)?;
            output.result(&made, || {
                format!(
                    "{}: {}\n{}",
                    lang.pick("스냅샷을 만들었습니다", "made the snapshot"),
                    made.name,
                    about(&made, lang)
                )
            });
        }
        SnapshotCommand::List => {
            let all = api.snapshots_all()?;
            output.result(&all, || list(&all, lang));
        }
        SnapshotCommand::Show { name, verify } => {
            let shown = api.snapshot_show(&name, verify)?;
            let rows: Vec<Vec<String>> = shown
                .tools
                .iter()
                .map(|t| vec![t.tool.clone(), t.recorded.to_string(), t.added.to_string()])
                .collect();
            let header = [
                lang.pick("도구", "tool"),
                lang.pick("팩의 기록", "of the pack"),
                lang.pick("추가된 응답", "added"),
            ];
            output.result(&shown, || {
                let held = match &shown.verified {
                    Some(hash) if *hash == shown.snapshot.hash => {
                        format!(
                            "{}\n",
                            lang.pick("해시가 내용과 같습니다.", "the hash is that of what it holds.")
                        )
                    }
                    _ => String::new(),
                };
                format!(
                    "{}{held}\n{}",
                    about(&shown.snapshot, lang),
                    columns(&header, &rows)
                )
            });
            if shown.verified.is_some_and(|hash| hash != shown.snapshot.hash) {
                return Err(WireError::new(
                    koab_api::ErrorCode::BadFile,
                    format!(
                        "the snapshot `{name}` does not hold what its hash says; koab.sqlite was changed"
                    ),
                ));
            }
        }
        SnapshotCommand::Diff {
            a,
            b,
            pack,
            tool,
            limit,
        } => {
            let most = limit.unwrap_or(if output.json { usize::MAX } else { LISTED });
            let diff = api.snapshot_diff(pack.as_deref(), (&a, &b), tool.as_deref(), most)?;
            output.result(&diff, || differences(&diff, lang));
        }
        SnapshotCommand::Delete { name, yes } => {
            // Named wrongly, it is not asked about.
            api.snapshot_show(&name, false)?;
            let what = match lang {
                Lang::Ko => format!("스냅샷 {name}"),
                Lang::En => format!("the snapshot {name}"),
            };
            if !yes && !confirmed(&what, output)? {
                return Ok(Ended::Cancelled);
            }
            api.snapshot_delete(&name)?;
            output.result(&json!({ "deleted": name }), || {
                format!("{}: {name}", lang.pick("삭제함", "deleted"))
            });
        }
        SnapshotCommand::Export { name, dir, pack } => {
            let written = api.snapshot_export(pack.as_deref(), &name, Some(&dir))?;
            tell(&written, output);
        }
        SnapshotCommand::Pack {
            name,
            output: file,
            pack,
            name_of_pack,
            pack_version,
        } => {
            let options = ShareOptions {
                name: name_of_pack,
                version: pack_version,
            };
            let written = api.snapshot_share(pack.as_deref(), &name, Some(&file), options)?;
            tell(&written, output);
        }
    }
    Ok(Ended::Done)
}

fn about(snapshot: &SnapshotView, lang: Lang) -> String {
    let installed = if snapshot.installed {
        ""
    } else {
        lang.pick(" (지금 설치된 팩이 아님)", " (not as it is installed now)")
    };
    let mut text = format!(
        "{}: {}@{}{installed}\n{}: {}\n{}: {} + {}\n{}: {}\n",
        lang.pick("팩", "pack"),
        snapshot.pack,
        snapshot.version,
        lang.pick("해시", "hash"),
        snapshot.hash,
        lang.pick(
            "응답하는 호출 (팩의 기록 + 추가)",
            "calls answered (of the pack + added)"
        ),
        snapshot.recorded,
        snapshot.added,
        lang.pick("만든 시각 (UTC)", "made (UTC)"),
        snapshot.created_at,
    );
    if !snapshot.note.is_empty() {
        text.push_str(&format!("{}: {}\n", lang.pick("메모", "note"), snapshot.note));
    }
    text
}

fn list(all: &[SnapshotView], lang: Lang) -> String {
    if all.is_empty() {
        return lang
            .pick(
                "스냅샷이 없습니다. `koab cache snapshot create NAME`으로 만드세요.",
                "no snapshots yet; make one with `koab cache snapshot create NAME`",
            )
            .to_owned();
    }
    let rows: Vec<Vec<String>> = all
        .iter()
        .map(|s| {
            let mark = if s.installed { "" } else { "*" };
            vec![
                s.name.clone(),
                format!("{}@{}{mark}", s.pack, s.version),
                s.recorded.to_string(),
                s.added.to_string(),
                s.hash[..12.min(s.hash.len())].to_owned(),
                s.created_at.clone(),
                s.note.clone(),
            ]
        })
        .collect();
    let header = [
        lang.pick("스냅샷", "snapshot"),
        lang.pick("팩", "pack"),
        lang.pick("팩의 기록", "of the pack"),
        lang.pick("추가", "added"),
        lang.pick("해시", "hash"),
        lang.pick("만든 시각 (UTC)", "made (UTC)"),
        lang.pick("메모", "note"),
    ];
    let mut text = columns(&header, &rows);
    if all.iter().any(|s| !s.installed) {
        text.push_str(lang.pick(
            "\n*: 지금 설치된 팩이 아니며, 스냅샷을 위해 기록이 보관되어 있습니다.\n",
            "\n*: not as it is installed now; its records are kept for snapshots.\n",
        ));
    }
    text
}

/// A state as people read it.
pub(super) fn state(state: &StateView, lang: Lang) -> String {
    let pack = format!("{}@{}", state.pack, state.version);
    match (state.state.as_str(), &state.hash) {
        ("pack", _) => format!("{pack} ({})", lang.pick("팩의 기록", "its own records")),
        ("now", _) => format!(
            "{pack} ({})",
            lang.pick("현재: 기록 + 오버레이", "now, with the overlay")
        ),
        (name, Some(hash)) => format!("{name} ({pack}, {})", &hash[..12.min(hash.len())]),
        (name, None) => format!("{name} ({pack})"),
    }
}

fn differences(diff: &SnapshotDiff, lang: Lang) -> String {
    let heading = format!("{}  →  {}\n\n", state(&diff.then, lang), state(&diff.now, lang));
    let rows: Vec<Vec<String>> = diff
        .tools
        .iter()
        .filter(|t| t.added + t.removed + t.changed > 0)
        .map(|t| {
            vec![
                t.tool.clone(),
                t.added.to_string(),
                t.removed.to_string(),
                t.changed.to_string(),
                t.same.to_string(),
            ]
        })
        .collect();
    if rows.is_empty() {
        let same: u32 = diff.tools.iter().map(|t| t.same).sum();
        return match lang {
            Lang::Ko => format!("{heading}다른 응답이 없습니다 (같은 응답 {same}개).\n"),
            Lang::En => format!("{heading}nothing differs ({same} answers are the same).\n"),
        };
    }
    let header = [
        lang.pick("도구", "tool"),
        lang.pick("추가", "added"),
        lang.pick("사라짐", "removed"),
        lang.pick("바뀜", "changed"),
        lang.pick("같음", "same"),
    ];
    let mut text = heading + &columns(&header, &rows) + "\n";
    for one in &diff.differences {
        let sign = match one.change {
            AnswerChange::Added => '+',
            AnswerChange::Removed => '-',
            AnswerChange::Changed => '~',
        };
        text.push_str(&format!("{sign} {} {}\n", one.tool, one.args));
        for place in one.places.iter().flat_map(|places| places.shown.iter().take(5)) {
            text.push_str(&super::cache_drift::place(place));
        }
    }
    let hidden = diff.total as usize - diff.differences.len();
    if hidden > 0 {
        text.push_str(&match lang {
            Lang::Ko => format!("… 그 밖에 {hidden}개 (--limit이나 --tool로 더 볼 수 있습니다)\n"),
            Lang::En => format!("… and {hidden} more (see them with --limit or --tool)\n"),
        });
    }
    text
}

fn tell(written: &SnapshotExport, output: Output) {
    let lang = output.lang;
    for problem in &written.problems {
        let place = problem.file.as_deref().unwrap_or_default();
        output.remark(&format!(
            "{}: {place}: {}",
            lang.pick("제외됨", "left out"),
            lang.said(&problem.why)
        ));
    }
    output.result(written, || {
        let pack = written
            .pack
            .as_ref()
            .map(|pack| format!("{}: {pack}\n", lang.pick("팩", "pack")))
            .unwrap_or_default();
        format!(
            "{pack}{}: {} ({} {}, {} {})",
            lang.pick("저장함", "written"),
            written.path,
            written.records,
            lang.pick("기록", "records"),
            written.bytes,
            lang.pick("바이트", "bytes"),
        )
    });
}
