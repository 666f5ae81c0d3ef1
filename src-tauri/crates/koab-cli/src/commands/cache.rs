//! Implements `koab cache`.

use crate::CommandEnd;
use crate::args::cache::CacheCommand;
use crate::args::snapshot::SnapshotCommand;
use crate::output::{Columns, Output};
use koab_api::{Api, WireError};
use koab_core::text;
use serde_json::json;

pub(crate) async fn cache(api: &Api, command: CacheCommand, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    match command {
        CacheCommand::Stats => {
            let stats = api.packs.cache_stats()?;
            output.result(&stats, || {
                let table = Columns::new(&stats.tools, lang)
                    .column(text!("tool"), |t| &t.tool)
                    .column(text!("records"), |t| t.records)
                    .column(text!("current key"), |t| t.current)
                    .column(text!("reachable"), |t| t.reachable);
                format!("{}: {}\n\n{}", lang.text(text!("pack")), stats.pack, table.text())
            });
        }
        CacheCommand::Lookup { tool, args } => {
            let lookup = api.packs.cache_lookup(&tool, &args)?;
            if let Some(fault) = &lookup.fault {
                output.result(&lookup, || lookup.key.clone());
                return Err(WireError::not_found(fault.clone()));
            }
            output.file(&lookup, &serde_json::to_string_pretty(&lookup.result).unwrap_or_default());
        }
        CacheCommand::Time { calls } => {
            let times = api.packs.cache_time(None, calls)?;
            output.result(&times, || {
                let calls = lang.text(text!("calls"));
                format!(
                    "{} {calls}: p50 {:.1} µs, p99 {:.1} µs, max {:.1} µs",
                    times.calls, times.p50_us, times.p99_us, times.max_us
                )
            });
        }
        CacheCommand::Export { dir, pack } => {
            let name = "pack".to_owned();
            let export = SnapshotCommand::Export { name, dir, pack };
            return super::cache_snapshot::snapshot(api, export, output);
        }
        CacheCommand::Snapshot { command } => return super::cache_snapshot::snapshot(api, command, output),
        CacheCommand::Drift(args) => return super::cache_drift::drift(api, *args, output).await,
        CacheCommand::Misses(of) => return super::misses::misses(api, &of.run, output),
        CacheCommand::Fill(args) => return super::misses::fill(api, args, output).await,
        CacheCommand::Overlay { clear: true } => {
            let forgotten = api.runs.cache_overlay_clear()?;
            output.result(&json!({ "forgotten": forgotten }), || {
                format!("{}: {forgotten}", lang.text(text!("answers forgotten")))
            });
        }
        CacheCommand::Overlay { clear: false } => {
            let view = api.runs.cache_overlay()?;
            output.result(&view, || {
                let table = Columns::new(view.entries.iter(), lang)
                    .column(text!("tool"), |e| &e.tool)
                    .column(text!("time (UTC)"), |e| &e.created_at)
                    .column(text!("origin"), |e| &e.origin)
                    .prose(text!("arguments"), |e| &e.args);

                format!("{}: {}\n\n{}", lang.text(text!("pack")), view.pack, table.text())
            });
        }
    }
    Ok(CommandEnd::Done)
}
