//! Implements `koab import`, which is also `koab report import`.

use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::report::ImportArgs;
use crate::output::{Columns, Output};
use koab_api::{Api, Cancel, ImportItem, ImportOutcome, ImportResult, ImportScope, ImportedKind, WireError};
use koab_core::sentence::Language;
use koab_core::text;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) async fn import(api: &Api, args: ImportArgs, output: Output) -> Result<CommandEnd, WireError> {
    let ImportArgs { paths, reference } = args;
    let taking = if reference { ImportScope::References } else { ImportScope::Everything };
    let cancel = on_ctrl_c();
    let result = import_blocking(api.clone(), taking, paths, output, cancel).await?;
    output.result(&result, || text(&result, output.lang));
    let nothing =
        !result.items.is_empty() && result.items.iter().all(|item| item.outcome == ImportOutcome::Refused);
    if result.cancelled {
        return Ok(CommandEnd::Cancelled);
    }
    if nothing || result.items.is_empty() {
        output.sentence(
            output.lang.text(text!("nothing could be imported; name run logs, reports, summaries or packs")),
        );
        return Ok(CommandEnd::NotDone);
    }
    Ok(CommandEnd::Done)
}

/// Imports on a blocking thread. If there are 200 files or more, a line is printed after each tenth
/// of them.
async fn import_blocking(
    api: Api,
    taking: ImportScope,
    paths: Vec<PathBuf>,
    output: Output,
    cancel: Cancel,
) -> Result<ImportResult, WireError> {
    let work = move || {
        let last_tenth = AtomicU64::new(0);
        let progress = |done: u64, total: u64| {
            let tenth = (done * 10).checked_div(total).unwrap_or(0);
            if total >= 200 && tenth > last_tenth.swap(tenth, Ordering::Relaxed) {
                output.remark(&format!("{}: {done}/{total}", output.lang.text(text!("files"))));
            }
        };
        api.exchange.import_as(taking, "cli", &paths, &progress, &cancel)
    };
    tokio::task::spawn_blocking(work).await.map_err(WireError::internal)?
}

fn text(result: &ImportResult, lang: Language) -> String {
    let table = Columns::new(&result.items, lang)
        .column(text!("outcome"), |item| outcome(item, lang))
        .column(text!("kind"), |item| what(item, lang))
        .id(text!("id"), |item| item.id.as_deref().unwrap_or_default())
        .prose(text!("source"), |item| &item.source);
    let count = |outcome: ImportOutcome| result.items.iter().filter(|item| item.outcome == outcome).count();
    let mut text = table.text();
    for item in &result.items {
        for note in item.reason.iter().chain(&item.notes) {
            text.push_str(&format!("{}: {}\n", item.source, lang.say(note)));
        }
    }
    text + &format!(
        "{}: {}, {}: {}, {}: {}, {}: {} ({:.2} s)\n",
        lang.text(text!("added")),
        count(ImportOutcome::Added),
        lang.text(text!("already there")),
        count(ImportOutcome::AlreadyThere),
        lang.text(text!("rejected", "an import")),
        count(ImportOutcome::Refused),
        lang.text(text!("other files skipped")),
        result.left_alone,
        result.seconds,
    )
}

fn outcome(item: &ImportItem, lang: Language) -> &str {
    match item.outcome {
        ImportOutcome::Added => lang.text(text!("added")),
        ImportOutcome::AlreadyThere => lang.text(text!("already there")),
        ImportOutcome::Refused => lang.text(text!("rejected", "an import")),
    }
}

fn what(item: &ImportItem, lang: Language) -> &str {
    match item.what {
        ImportedKind::Run => lang.text(text!("run", "a log")),
        ImportedKind::Report => lang.text(text!("report")),
        ImportedKind::Summary => lang.text(text!("summary")),
        ImportedKind::CombinedRow => lang.text(text!("combined row")),
        ImportedKind::Pack => lang.text(text!("pack")),
        ImportedKind::Unknown => lang.text(text!("unknown")),
    }
}
