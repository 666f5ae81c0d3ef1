//! `evaluation_summary.csv`, byte for byte as published (`docs/spec/metrics.md` §7).

use super::{LevelReport, Report};
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;

/// One row per level, with CRLF line ends.
///
/// A metric that a level does not have is `0.0000` under the leaderboard rules and empty under the
/// corrected rules. An unknown mean is always empty.
pub fn to_csv(report: &Report) -> String {
    let mut metrics: Vec<MetricId> =
        report.levels.iter().flat_map(|level| level.means.iter().map(|mean| mean.metric)).collect();
    metrics.sort_unstable_by_key(|metric| metric.name());
    metrics.dedup();
    let mut header =
        ["Level", "Total_Tasks", "Evaluated_Tasks", "Avg_Exec_Time", "Avg_Tokens", "Avg_TPS", "Avg_TTFT"]
            .to_vec();
    header.extend(metrics.iter().map(|metric| metric.name()));
    let mut out = header.join(",") + "\r\n";
    for level in &report.levels {
        let figure = |path: &str, digits: usize| match level.figure(path) {
            Some(figure) => format!("{figure:.digits$}"),
            // The published script writes 0 for a key that the log does not have. A key without a
            // measurement stays empty.
            None if level.has_figure(path) => String::new(),
            None => format!("{:.digits$}", 0.0),
        };
        let count = |tasks: Option<usize>| tasks.map(|tasks| tasks.to_string()).unwrap_or_default();
        let mut row = vec![
            level.level.to_string(),
            count(level.total_tasks),
            count(level.evaluated_tasks),
            figure("average_execution_time", 2),
            figure("average_tokens_per_task", 2),
            figure("average_tps", 2),
            figure("ttft.average", 4),
        ];
        row.extend(metrics.iter().map(|metric| cell(report.scorer, level, *metric)));
        out.push_str(&row.join(","));
        out.push_str("\r\n");
    }
    out
}

fn cell(scorer: Protocol, level: &LevelReport, metric: MetricId) -> String {
    match level.mean(metric) {
        Some(mean) => mean.figure.value().map(|value| format!("{value:.4}")).unwrap_or_default(),
        None if scorer == Protocol::Leaderboard => "0.0000".to_owned(),
        None => String::new(),
    }
}
