//! Implements `koab cache snapshot`.

use super::local_models::confirmed;
use crate::CommandEnd;
use crate::args::snapshot::SnapshotCommand;
use crate::output::{Columns, Output, or_dash};
use koab_api::{
    AnswerChange, Api, ShareOptions, SnapshotDiff, SnapshotExport, SnapshotInfo, StateView, ValueChange,
    WireError,
};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;

/// Maximum number of differences that are listed as text.
const MAX_DIFFERENCES: usize = 20;

pub(crate) fn snapshot(api: &Api, command: SnapshotCommand, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    match command {
        SnapshotCommand::Create { name, pack, note } => {
            let snapshot = api.packs.snapshot_create(pack.as_deref(), &name, &note)?;
            output.result(&snapshot, || {
                format!(
                    "{}: {}\n{}",
                    lang.text(text!("made the snapshot")),
                    snapshot.name,
                    about(&snapshot, lang)
                )
            });
        }
        SnapshotCommand::List => {
            let all = api.packs.snapshots_all()?;
            output.result(&all, || list(&all, lang));
        }
        SnapshotCommand::Show { name, verify } => {
            let view = api.packs.snapshot_show(&name, verify)?;
            let table = Columns::new(view.tools.iter(), lang)
                .column(text!("tool"), |t| &t.tool)
                .column(text!("of the pack"), |t| t.recorded)
                .column(text!("added", "answers"), |t| t.added);

            output.result(&view, || {
                let hash_note = match &view.verified {
                    Some(hash) if *hash == view.snapshot.hash => {
                        format!("{}\n", lang.text(text!("the hash matches the snapshot's content.")))
                    }
                    _ => String::new(),
                };
                format!("{}{hash_note}\n{}", about(&view.snapshot, lang), table.text())
            });
            if view.verified.is_some_and(|hash| hash != view.snapshot.hash) {
                return Err(WireError::bad_file(say!(
                    "the content of the snapshot `{name}` does not match its hash; koab.sqlite was changed"
                )));
            }
        }
        SnapshotCommand::Diff { a, b, pack, tool, limit } => {
            let limit = limit.unwrap_or(if output.json { usize::MAX } else { MAX_DIFFERENCES });
            let diff = api.packs.snapshot_diff(pack.as_deref(), (&a, &b), tool.as_deref(), limit)?;
            output.result(&diff, || differences(&diff, lang));
        }
        SnapshotCommand::Delete { name, yes } => {
            // An unknown name is an error before the question whether to delete it.
            api.packs.snapshot_show(&name, false)?;
            let what = say!("the snapshot {name}");
            if !yes && !confirmed(&what, output)? {
                return Ok(CommandEnd::Cancelled);
            }
            api.packs.snapshot_delete(&name)?;
            output.result(&json!({ "deleted": name }), || format!("{}: {name}", lang.text(text!("deleted"))));
        }
        SnapshotCommand::Export { name, dir, pack } => {
            let export = api.packs.snapshot_export(pack.as_deref(), &name, Some(&dir))?;
            report_export(&export, output);
        }
        SnapshotCommand::Pack { name, output: file, pack, name_of_pack, pack_version } => {
            let options = ShareOptions { name: name_of_pack, version: pack_version };
            let export = api.packs.snapshot_share(pack.as_deref(), &name, Some(&file), options)?;
            report_export(&export, output);
        }
    }
    Ok(CommandEnd::Done)
}

fn about(snapshot: &SnapshotInfo, lang: Language) -> String {
    let installed = if snapshot.installed { "" } else { lang.text(text!(" (not as it is installed now)")) };
    let mut text = format!(
        "{}: {}@{}{installed}\n{}: {}\n{}: {} + {}\n{}: {}\n",
        lang.text(text!("pack")),
        snapshot.pack,
        snapshot.version,
        lang.text(text!("hash")),
        snapshot.hash,
        lang.text(text!("calls answered (of the pack + added)")),
        snapshot.recorded,
        snapshot.added,
        lang.text(text!("made (UTC)")),
        snapshot.created_at,
    );
    if !snapshot.note.is_empty() {
        text.push_str(&format!("{}: {}\n", lang.text(text!("note")), snapshot.note));
    }
    text
}

fn list(all: &[SnapshotInfo], lang: Language) -> String {
    if all.is_empty() {
        return lang
            .text(text!("no snapshots yet; make one with `koab cache snapshot create NAME`"))
            .to_owned();
    }

    let mut text = Columns::new(all.iter(), lang)
        .column(text!("snapshot"), |s| &s.name)
        .column(text!("pack"), |s| {
            let mark = if s.installed { "" } else { "*" };
            format!("{}@{}{mark}", s.pack, s.version)
        })
        .column(text!("of the pack"), |s| s.recorded)
        .column(text!("added"), |s| s.added)
        .column(text!("hash"), |s| &s.hash[..12.min(s.hash.len())])
        .column(text!("made (UTC)"), |s| &s.created_at)
        .prose(text!("note"), |s| &s.note)
        .text();
    if all.iter().any(|s| !s.installed) {
        text.push_str(
            lang.text(text!("\n*: not as it is installed now; its records are kept for snapshots.\n")),
        );
    }
    text
}

/// Text that describes a state of the cache.
pub(super) fn state(state: &StateView, lang: Language) -> String {
    let pack = format!("{}@{}", state.pack, state.version);
    match (state.state.as_str(), &state.hash) {
        ("pack", _) => format!("{pack} ({})", lang.text(text!("its own records"))),
        ("now", _) => format!("{pack} ({})", lang.text(text!("now, with the overlay"))),
        (name, Some(hash)) => format!("{name} ({pack}, {})", &hash[..12.min(hash.len())]),
        (name, None) => format!("{name} ({pack})"),
    }
}

fn differences(diff: &SnapshotDiff, lang: Language) -> String {
    let heading = format!("{}  →  {}\n\n", state(&diff.then, lang), state(&diff.now, lang));
    let differing = diff.tools.iter().filter(|t| t.added + t.removed + t.changed > 0);
    let differing: Vec<_> = differing.collect();
    if differing.is_empty() {
        let same: u32 = diff.tools.iter().map(|t| t.same).sum();
        return lang.say(&say!("{heading}nothing differs ({same} answers are the same).\n"));
    }
    let table = Columns::new(&differing, lang)
        .column(text!("tool"), |t| &t.tool)
        .column(text!("added"), |t| t.added)
        .column(text!("removed", "a difference"), |t| t.removed)
        .column(text!("changed"), |t| t.changed)
        .column(text!("same"), |t| t.same);
    let mut text = heading + &table.text() + "\n";
    for one in &diff.differences {
        let sign = match one.change {
            AnswerChange::Added => '+',
            AnswerChange::Removed => '-',
            AnswerChange::Changed => '~',
        };
        text.push_str(&format!("{sign} {} {}\n", one.tool, one.args));
        for place in one.places.iter().flat_map(|places| places.shown.iter().take(5)) {
            text.push_str(&place_line(place));
        }
    }
    let hidden = diff.total as usize - diff.differences.len();
    if hidden > 0 {
        text.push_str(&lang.say(&say!("… and {hidden} more (see them with --limit or --tool)\n")));
    }
    text
}

fn report_export(export: &SnapshotExport, output: Output) {
    let lang = output.lang;
    for problem in &export.problems {
        let place = problem.file.as_deref().unwrap_or_default();
        output.remark(&format!("{}: {place}: {}", lang.text(text!("left out")), lang.say(&problem.sentence)));
    }
    output.result(export, || {
        let pack = export
            .pack
            .as_ref()
            .map(|pack| format!("{}: {pack}\n", lang.text(text!("pack"))))
            .unwrap_or_default();
        let (path, records, bytes) = (&export.path, export.records, export.bytes);
        pack + &lang.say(&say!("written: {path} ({records} records, {bytes} bytes)"))
    });
}

/// Line for one place where two answers differ.
pub(super) fn place_line(place: &ValueChange) -> String {
    let side = |side: &Option<String>| or_dash(side.as_ref());
    let path = if place.path.is_empty() { "$" } else { &place.path };
    format!("      {path}: {} → {}\n", side(&place.then), side(&place.now))
}
