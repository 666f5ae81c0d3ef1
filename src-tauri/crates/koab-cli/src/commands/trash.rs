//! Implements `koab trash`.

use crate::CommandEnd;
use crate::args::trash::{TrashCommand, TrashName};
use crate::output::{Columns, Output, or_dash};
use koab_api::{Api, Deleted, TrashItem, TrashKind, TrashView, WireError, shown};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;

pub(crate) fn trash(api: &Api, command: TrashCommand, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    match command {
        TrashCommand::List => {
            let view = api.workspace.trash_list()?;
            output.result(&view, || listed(&view, lang));
        }
        TrashCommand::Restore(of) => {
            let item = find(api, &of)?;
            let id = api.workspace.trash_restore(item.kind, &item.key)?;
            output.result(&json!({ "restored": id }), || format!("{}: {id}", lang.text(text!("restored"))));
        }
        TrashCommand::Delete { of, yes } => {
            let TrashItem { kind, key, id, .. } = find(api, &of)?;
            if !yes {
                return Err(WireError::bad_request(say!(
                    "this removes {id} from the trash for good; confirm with --yes"
                )));
            }
            api.workspace.trash_delete(kind, &key)?;
            output.result(&json!({ "deleted": id }), || format!("{}: {id}", lang.text(text!("removed"))));
        }
        TrashCommand::Empty { yes } => return empty(api, yes, output),
    }
    Ok(CommandEnd::Done)
}

fn empty(api: &Api, yes: bool, output: Output) -> Result<CommandEnd, WireError> {
    if !yes {
        let view = api.workspace.trash_list()?;
        let (count, size) = (view.items.len(), bytes(&view));
        return Err(WireError::bad_request(say!(
            "this removes everything in the trash for good ({count}, {size}); confirm with --yes"
        )));
    }
    let emptied = api.workspace.trash_empty()?;
    output.result(&emptied, || {
        format!("{}: {}", output.lang.text(text!("removed from the trash")), emptied.removed)
    });
    for sentence in &emptied.unremoved {
        output.sentence(&output.lang.say(sentence));
    }
    Ok(if emptied.unremoved.is_empty() { CommandEnd::Done } else { CommandEnd::NotDone })
}

/// Prints what a deletion could not remove from the trash, although its days are over.
pub(super) fn say_unremoved(deleted: &Deleted, output: Output) {
    for sentence in &deleted.unremoved {
        output.sentence(&output.lang.say(sentence));
    }
}

fn find(api: &Api, of: &TrashName) -> Result<TrashItem, WireError> {
    api.workspace.trash_find(of.kind, &of.name)
}

fn bytes(view: &TrashView) -> String {
    shown::bytes(view.items.iter().map(|item| item.bytes).sum())
}

fn listed(view: &TrashView, lang: Language) -> String {
    if view.items.is_empty() {
        return lang.text(text!("The trash is empty.")).to_owned();
    }
    let table = Columns::new(&view.items, lang)
        .column(text!("kind"), |item| kind(item.kind, lang))
        .id(text!("id", "of a thing"), |item| &item.id)
        .prose(text!("model or name"), |item| or_dash(item.name.as_deref().or(item.model.as_deref())))
        .column(text!("deleted"), |item| deleted(item, lang))
        .column(text!("size"), |item| shown::bytes(item.bytes))
        .text();
    let days = view.days;
    let foot = lang.say(&say!("Everything stays for {days} days and is removed at the next deletion then."));
    format!("{table}\n{foot}")
}

fn kind(kind: TrashKind, lang: Language) -> &'static str {
    match kind {
        TrashKind::Run => lang.text(text!("run", "a kind of thing")),
        TrashKind::Report => lang.text(text!("report", "a kind of thing")),
        TrashKind::Fork => lang.text(text!("fork", "a kind of thing")),
        TrashKind::Pack => lang.text(text!("pack", "a kind of thing")),
    }
}

/// Local time of the deletion.
fn deleted(item: &TrashItem, lang: Language) -> String {
    match item.deleted_ms {
        Some(ms) => koab_api::local_minute(ms),
        None => lang.text(text!("unknown", "a time")).to_owned(),
    }
}
