//! `koab cache`.

use crate::Ended;
use crate::args::CacheCommand;
use crate::args::snapshot::SnapshotCommand;
use crate::output::{Output, columns};
use koab_api::{Api, WireError};
use serde_json::json;

pub(crate) async fn cache(api: &Api, command: CacheCommand, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    match command {
        CacheCommand::Stats => {
            let stats = api.cache_stats()?;
            output.result(&stats, || {
                let rows: Vec<Vec<String>> = stats
                    .tools
                    .iter()
                    .map(|t| {
                        vec![
                            t.tool.clone(),
                            t.records.to_string(),
                            t.current.to_string(),
                            t.reachable.to_string(),
                        ]
                    })
                    .collect();
                let header = [
                    lang.pick("도구", "tool"),
                    lang.pick("기록", "records"),
                    lang.pick("현재 키", "current key"),
                    lang.pick("조회 가능", "reachable"),
                ];
                format!(
                    "{}: {}\n\n{}",
                    lang.pick("팩", "pack"),
                    stats.pack,
                    columns(&header, &rows)
                )
            });
        }
        CacheCommand::Lookup { tool, args } => {
            let found = api.cache_lookup(&tool, &args)?;
            if let Some(fault) = &found.fault {
                output.result(&found, || found.key.clone());
                return Err(WireError::not_found(fault.clone()));
            }
            output.file(
                &found,
                &serde_json::to_string_pretty(&found.result).unwrap_or_default(),
            );
        }
        CacheCommand::Time { calls } => {
            let times = api.cache_time(None, calls)?;
            output.result(&times, || {
                let calls = lang.pick("호출", "calls");
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
        CacheCommand::Drift(args) => return super::cache_drift::drift(api, &args, output),
        CacheCommand::Misses { run } => return super::misses::misses(api, &run, output),
        CacheCommand::Fill(args) => return super::misses::fill(api, args, output).await,
        CacheCommand::Overlay { clear: true } => {
            let forgotten = api.cache_overlay_clear()?;
            output.result(&json!({ "forgotten": forgotten }), || {
                format!("{}: {forgotten}", lang.pick("지운 응답", "answers forgotten"))
            });
        }
        CacheCommand::Overlay { clear: false } => {
            let view = api.cache_overlay()?;
            output.result(&view, || {
                let rows: Vec<Vec<String>> = view
                    .entries
                    .iter()
                    .map(|e| {
                        vec![
                            e.tool.clone(),
                            e.created_at.clone(),
                            e.origin.clone(),
                            e.args.clone(),
                        ]
                    })
                    .collect();
                let header = [
                    lang.pick("도구", "tool"),
                    lang.pick("시각 (UTC)", "time (UTC)"),
                    lang.pick("출처", "origin"),
                    lang.pick("인자", "arguments"),
                ];
                format!(
                    "{}: {}\n\n{}",
                    lang.pick("팩", "pack"),
                    view.pack,
                    columns(&header, &rows)
                )
            });
        }
    }
    Ok(Ended::Done)
}
