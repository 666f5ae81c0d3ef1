//! Lists, the newest first and no longer than was asked for: a model reads all that it is sent.

use super::offers::Named;
use super::text_result::{TextResult, document};
use koab_api::Api;
use serde::Serialize;
use serde_json::json;

/// Rows where nobody says how many.
const ROWS: usize = 20;

/// The runs of the workspace.
///
/// # Errors
/// When they cannot be read.
pub(super) fn runs(api: &Api, named: &Named) -> TextResult {
    Ok(list("runs", api.runs.runs_list()?, named))
}

/// The reports of the workspace.
///
/// # Errors
/// When they cannot be read.
pub(super) fn reports(api: &Api, named: &Named) -> TextResult {
    let reports = api.runs.library.reports_library()?;
    let rows = reports.into_iter().map(|report| {
        json!({
            "report": report.id, "model": report.model, "date": report.date, "run": report.run,
            "scorer": report.scorer, "composite": report.composite,
        })
    });
    Ok(list("reports", rows.collect(), named))
}

fn list(name: &str, mut rows: Vec<impl Serialize>, named: &Named) -> String {
    let all = rows.len();
    rows.truncate(named.limit.unwrap_or(ROWS).max(1));
    let more = all - rows.len();
    document(&json!({ name: rows, "more": more }))
}
