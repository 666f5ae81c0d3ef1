//! Implements `koab cache drift`.

use super::cache_snapshot::{place_line, state};
use crate::CommandEnd;
use crate::args::snapshot::DriftArgs;
use crate::output::{Columns, Output};
use koab_api::{Api, CallDrift, CallDriftKind, RunDrift, WireError};
use koab_core::sentence::Language;
use koab_core::{say, text};

/// Maximum number of listed places per call where two answers differ.
const MAX_PLACES: usize = 5;

pub(crate) async fn drift(api: &Api, args: DriftArgs, output: Output) -> Result<CommandEnd, WireError> {
    if !args.server.at.command.is_empty() || args.server.at.url.is_some() {
        return super::pack_record::drift(api, args, output).await;
    }
    let drift = api.runs.library.drift(&args.of, &args.against, args.task.as_deref())?;
    output.result(&drift, || {
        text(&drift, args.all, if args.task.is_some() { usize::MAX } else { MAX_PLACES }, output.lang)
    });
    Ok(CommandEnd::Done)
}

fn text(drift: &RunDrift, all: bool, places: usize, lang: Language) -> String {
    let mut text = format!(
        "{}: {} ({})\n{}: {}\n\n",
        lang.text(text!("run")),
        drift.run,
        drift.pack.as_deref().unwrap_or("—"),
        lang.text(text!("compared with")),
        state(&drift.against, lang),
    );
    let sum = lang.text(text!("all", "a sum"));
    let rows = drift.tools.iter().map(|t| (t.tool.as_str(), &t.totals));
    let table = Columns::new(rows.chain([(sum, &drift.totals)]), lang)
        .column(text!("tool"), |(name, _)| name)
        .column(text!("calls"), |(_, t)| t.calls)
        .column(text!("same"), |(_, t)| t.same)
        .column(text!("differs"), |(_, t)| t.differs)
        .column(text!("now missing"), |(_, t)| t.missing)
        .column(text!("now found"), |(_, t)| t.found)
        .column(text!("still missing"), |(_, t)| t.still_missing)
        .column(text!("error then"), |(_, t)| t.error_then)
        .column(text!("injected"), |(_, t)| t.injected)
        .column(text!("not kept"), |(_, t)| t.not_kept);
    text.push_str(&table.text());
    for task in &drift.tasks {
        let drifts: Vec<&CallDrift> = task.calls.iter().filter(|call| all || is_drift(call.kind)).collect();
        if drifts.is_empty() {
            continue;
        }
        let repetition = if task.repetition > 1 { format!(" #{}", task.repetition) } else { String::new() };
        text.push_str(&format!("\n{}{repetition}\n", task.task));
        for call in drifts {
            text.push_str(&format!(
                "  {}. {} {}: {}\n",
                call.call + 1,
                call.tool,
                *call.arguments,
                kind(call.kind, lang)
            ));
            if let Some(reason) = call.reason.as_ref().filter(|_| call.kind == CallDriftKind::Missing) {
                text.push_str(&format!("      {}\n", lang.say(reason)));
            }
            let Some(differences) = &call.places else { continue };
            differences.shown.iter().take(places).for_each(|one| text.push_str(&place_line(one)));
            let hidden = differences.total as usize - differences.shown.len().min(places);
            if hidden > 0 {
                text.push_str(&lang.say(&say!("      … and {hidden} more places\n")));
            }
        }
    }
    text
}

fn is_drift(kind: CallDriftKind) -> bool {
    matches!(kind, CallDriftKind::Differs | CallDriftKind::Missing | CallDriftKind::Found)
}

fn kind(kind: CallDriftKind, lang: Language) -> &'static str {
    match kind {
        CallDriftKind::Same => lang.text(text!("the same")),
        CallDriftKind::Differs => lang.text(text!("another result")),
        CallDriftKind::Missing => lang.text(text!("now without a result")),
        CallDriftKind::Found => lang.text(text!("now with a result")),
        CallDriftKind::StillMissing => lang.text(text!("still without a cached response")),
        CallDriftKind::ErrorThen => lang.text(text!("failed then")),
        CallDriftKind::Injected => lang.text(text!("a failure that the task injects")),
        CallDriftKind::NotKept => lang.text(text!("the run does not keep its result")),
    }
}
