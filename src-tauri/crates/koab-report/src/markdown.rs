//! `evaluation_report.md`, byte for byte as published (`docs/spec/metrics.md` §8).
//!
//! The published report is in Korean, so this text is too. Only the screens have other languages.

/// Appends a line. Writing to a `String` cannot fail.
macro_rules! line {
    ($out:expr, $($arg:tt)*) => {{ let _ = writeln!($out, $($arg)*); }};
}

mod tables;
mod words;

use super::{BenchmarkTables, LevelMean, LevelReport, Report, count};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::score::{MetricId, MetricSet};
use std::fmt::Write as _;
use words::{describe, intent, level_name};

/// Text for an unknown number.
const NONE: &str = "—";

/// Report as Markdown.
pub fn to_markdown(report: &Report) -> String {
    to_markdown_of(report, None)
}

/// Report of another benchmark as Markdown, with the benchmark's name and the tables of its
/// authors.
pub fn to_markdown_of(report: &Report, tables: Option<&BenchmarkTables>) -> String {
    let mut out = String::new();
    run_section(&mut out, report, tables);
    summary_section(&mut out, report);
    if let Some(tables) = tables {
        tables::section(&mut out, tables);
    }
    line!(out, "## {}별 성능\n", groups_of(report));
    for level in &report.levels {
        level_section(&mut out, report.metrics, level);
    }
    token_section(&mut out, report);
    out
}

/// Heading for the report's rows: group or level.
fn groups_of(report: &Report) -> &'static str {
    if report.is_of_another_benchmark() { "그룹" } else { "레벨" }
}

fn run_section(out: &mut String, report: &Report, tables: Option<&BenchmarkTables>) {
    let of = match tables {
        Some(tables) => format!("{} ", tables.title),
        None if report.is_of_another_benchmark() => String::new(),
        None => "Ko-AgentBench ".to_owned(),
    };
    line!(out, "# {of}평가 보고서\n\n## 실행 정보\n");
    line!(out, "- **평가 대상 모델**: {}", report.model);
    line!(out, "- **Judge 모델**: {}", report.judges.join(", "));
    line!(out, "- **실행 날짜**: {}", report.execution_date);
    line!(out, "- **평가 날짜**: {}", report.evaluation_date.chars().take(10).collect::<String>());
    line!(out, "- **총 태스크**: {}/{}", count(report.evaluated_tasks()), count(report.total_tasks()));
    if let Some(size) = report.sample_size {
        line!(out, "- **샘플링**: {}당 {size}개", groups_of(report));
    }
    if report.scorer == Protocol::Corrected {
        line!(out, "- **채점 방식**: {}", report.scorer.as_str());
    }
    out.push('\n');
}

fn summary_section(out: &mut String, report: &Report) {
    out.push_str("## 📊 성능 요약\n\n");
    out.push_str("| Level | 태스크 수 | 평균 실행시간 | 평균 TPS | 평균 TTFT | 주요 지표 |\n");
    out.push_str("| --- | --- | --- | --- | --- | --- |\n");
    for level in &report.levels {
        let key_metrics: Vec<String> = key_metrics(report.metrics, &level.level)
            .iter()
            .filter_map(|metric| level.mean(*metric))
            .map(|mean| format!("{}: {}", mean.metric, number(mean)))
            .collect();
        line!(
            out,
            "| **{}** | {}/{} | {} | {} | {} | {} |",
            level.level,
            count(level.evaluated_tasks),
            count(level.total_tasks),
            figure(level, "average_execution_time", 1, "초"),
            figure(level, "average_tps", 0, ""),
            figure(level, "ttft.average", 3, "초"),
            key_metrics.join(", ")
        );
    }
    out.push('\n');
}

fn level_section(out: &mut String, set: MetricSet, level: &LevelReport) {
    match level.level.number() {
        Some(number) => {
            line!(out, "### Level {number}: {}\n", level_name(&level.level));
            line!(out, "> 태스크 의도: {}\n>", intent(&level.level));
        }
        None => line!(out, "### {}\n", level.level),
    }
    let (evaluated, total) = (count(level.evaluated_tasks), count(level.total_tasks));
    line!(out, "- 태스크 수: {evaluated}/{total}");
    if let Some(seconds) = level.figure("average_execution_time") {
        line!(out, "- 평균 실행시간: {seconds:.2}초");
    }
    out.push_str("\n**메트릭 점수:**\n\n");
    let mut means: Vec<&LevelMean> = level.means.iter().collect();
    means.sort_by_key(|mean| {
        let first = match mean.metric {
            MetricId::Rrr => 0,
            MetricId::Sr => 1,
            _ => 2,
        };
        (first, mean.metric.name())
    });
    for mean in means {
        let _ = write!(out, "- **{}**: {} - {}", mean.metric, number(mean), describe(set, mean.metric));
        match (mean.figure.reason(), mean.unscored) {
            (Some(reason), _) => line!(out, " (채점 안 됨: {reason})"),
            (None, 1..) => line!(out, " (채점 {}건, 미채점 {}건)", count(mean.scored), mean.unscored),
            (None, 0) => out.push('\n'),
        }
    }
    for task in &level.skipped {
        line!(out, "- {}: 읽을 수 없음 ({})", task.id, task.reason);
    }
    out.push('\n');
}

fn token_section(out: &mut String, report: &Report) {
    let total = |path: &str| {
        report.levels.iter().map(|level| level.figure(path).unwrap_or(0.0)).fold(0.0, |a, b| a + b)
    };
    let (tokens, seconds) = (total("total_tokens"), total("total_execution_time"));
    let tps = if seconds > 0.0 { tokens / seconds } else { 0.0 };
    out.push_str("## 토큰 사용량 및 성능 지표\n\n### 전체 요약\n\n");
    let measured = |known: bool, text: String| if known { text } else { "N/A".to_owned() };
    line!(out, "- **총 처리 토큰**: {}", measured(tokens > 0.0, format!("{}개", thousands(tokens as u64))));
    line!(out, "- **총 실행 시간**: {seconds:.2}초");
    line!(out, "- **전체 평균 TPS**: {}", measured(tokens > 0.0, format!("{tps:.2} tokens/sec")));
    let ttft = overall_ttft(report);
    line!(out, "- **전체 평균 TTFT**: {}\n", measured(ttft > 0.0, format!("{ttft:.4}초")));
    line!(out, "### {}별 상세\n", groups_of(report));
    out.push_str("| Level | 평균 토큰 수 | 입력 토큰 | 출력 토큰 | TPS | TTFT (평균) | TTFT (최소/최대) |\n");
    out.push_str("| --- | --- | --- | --- | --- | --- | --- |\n");
    for level in &report.levels {
        let range = match (level.figure("ttft.min"), level.figure("ttft.max")) {
            (Some(min), Some(max)) if min > 0.0 => format!("{min:.4} / {max:.4}"),
            _ => "N/A".to_owned(),
        };
        line!(
            out,
            "| **{}** | {} | {} | {} | {} | {} | {range} |",
            level.level,
            figure(level, "average_tokens_per_task", 0, ""),
            figure(level, "average_prompt_tokens", 0, ""),
            figure(level, "average_completion_tokens", 0, ""),
            figure(level, "average_tps", 0, ""),
            figure(level, "ttft.average", 4, "초"),
        );
    }
    out.push('\n');
}

/// Metrics that the summary shows for a level. The older metric set also showed `ReuseRate` on L6.
fn key_metrics(set: MetricSet, level: &Level) -> &'static [MetricId] {
    use MetricId::{
        AdaptiveRoutingScore, ArgAcc, ContextRetention, Coverage, EffScore, FallbackSr, Fsm, Psm,
        RedundantCallRate, ReuseRate, SelectAcc, ToolAcc,
    };
    match level {
        Level::L1 => &[ToolAcc, ArgAcc],
        Level::L2 => &[SelectAcc],
        Level::L3 => &[Fsm, Psm],
        Level::L4 => &[Coverage],
        Level::L5 => &[AdaptiveRoutingScore, FallbackSr],
        Level::L6 if set == MetricSet::All => &[EffScore, ReuseRate],
        Level::L6 => &[EffScore, RedundantCallRate],
        Level::L7 => &[ContextRetention],
        _ => &[MetricId::Sr],
    }
}

/// Mean seconds to the first token: the levels' averages, weighted by their number of tasks. Levels
/// without such a time are left out; 0 if all are.
fn overall_ttft(report: &Report) -> f64 {
    let (mut sum, mut tasks) = (0.0, 0);
    for level in &report.levels {
        if let Some(ttft) = level.figure("ttft.average").filter(|ttft| *ttft > 0.0) {
            sum += ttft * level.tasks.len() as f64;
            tasks += level.tasks.len();
        }
    }
    if tasks == 0 { 0.0 } else { sum / tasks as f64 }
}

fn number(mean: &LevelMean) -> String {
    mean.figure.value().map_or_else(|| NONE.to_owned(), |value| format!("{value:.3}"))
}

fn figure(level: &LevelReport, path: &str, digits: usize, unit: &str) -> String {
    level.figure(path).map_or_else(|| "N/A".to_owned(), |value| format!("{value:.digits$}{unit}"))
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
