//! Lists for an agent, the newest entries first. Their length is limited, because a model reads
//! everything that a tool returns.

use super::offers::Selection;
use super::text_result::{TextResult, document};
use koab_api::Api;
use serde::Serialize;
use serde_json::json;

/// Number of rows if no limit is given.
const DEFAULT_ROWS: usize = 20;

/// Lists the runs of the workspace.
///
/// # Errors
/// When the runs cannot be read.
pub(super) fn runs(api: &Api, selection: &Selection) -> TextResult {
    Ok(list("runs", api.runs.library.runs_list()?, selection))
}

/// Lists the reports of the workspace.
///
/// # Errors
/// When the reports cannot be read.
pub(super) fn reports(api: &Api, selection: &Selection) -> TextResult {
    let reports = api.runs.library.reports_library()?;
    let rows = reports.into_iter().map(|report| {
        json!({
            "report": report.id, "model": report.model, "date": report.date, "run": report.run,
            "scorer": report.scorer, "composite": report.composite,
        })
    });
    Ok(list("reports", rows.collect(), selection))
}

fn list(name: &str, mut rows: Vec<impl Serialize>, selection: &Selection) -> String {
    let all = rows.len();
    rows.truncate(selection.limit.unwrap_or(DEFAULT_ROWS).max(1));
    let more = all - rows.len();
    document(&json!({ name: rows, "more": more }))
}
