//! The scores as a plain-text table for a terminal.

use super::{LevelMean, LevelReport, Report};
use crate::score::composite::{Composite, CompositeVariant, Part};
use std::fmt::Write as _;

/// The language of the table's labels. Metric names are the same in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// Korean.
    #[default]
    Korean,
    /// English.
    English,
}

struct Words {
    header: [&'static str; 5],
    composite: &'static str,
    parts: [&'static str; 4],
    none: &'static str,
    skipped: &'static str,
}

const KOREAN: Words = Words {
    header: ["레벨", "태스크", "메트릭", "점수", "채점"],
    composite: "종합 점수",
    parts: ["기본", "오류 처리", "효율", "맥락"],
    none: "채점되지 않은 항목",
    skipped: "읽지 못한 태스크",
};

const ENGLISH: Words = Words {
    header: ["Level", "Tasks", "Metric", "Score", "Scored"],
    composite: "Composite",
    parts: ["basic", "error handling", "efficiency", "context"],
    none: "Not scored",
    skipped: "Unreadable tasks",
};

/// One line for each level and metric, then the composite score and what could not be scored. The variant is named
/// beside the composite, since readings differ.
pub fn to_table(report: &Report, variant: CompositeVariant, labels: Labels) -> String {
    let words = match labels {
        Labels::Korean => &KOREAN,
        Labels::English => &ENGLISH,
    };
    let mut rows = vec![words.header.map(ToOwned::to_owned)];
    for level in &report.levels {
        rows.extend(
            level
                .means
                .iter()
                .enumerate()
                .map(|(i, mean)| row(level, mean, i == 0)),
        );
    }
    let mut out = String::new();
    write_rows(&mut out, &rows);
    write_composite(&mut out, &report.composite(variant), words);
    write_gaps(&mut out, report, words);
    out
}

fn row(level: &LevelReport, mean: &LevelMean, is_first: bool) -> [String; 5] {
    let (name, tasks) = if is_first {
        (
            level.level.to_string(),
            format!("{}/{}", level.tasks.len(), level.total_tasks),
        )
    } else {
        (String::new(), String::new())
    };
    [
        name,
        tasks,
        mean.metric.to_string(),
        number(mean.value),
        format!(
            "{}/{}",
            mean.scored,
            mean.scored + mean.unscored + mean.not_applicable
        ),
    ]
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "—".to_owned(), |value| format!("{value:.3}"))
}

fn write_rows(out: &mut String, rows: &[[String; 5]]) {
    let mut widths = [0; 5];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(columns(cell));
        }
    }
    for row in rows {
        let mut line = String::new();
        for (i, (cell, width)) in row.iter().zip(widths).enumerate() {
            let blank = " ".repeat(width - columns(cell));
            // Numbers stand right, names left.
            line.push_str(&if matches!(i, 1 | 3 | 4) {
                format!("{blank}{cell}")
            } else {
                format!("{cell}{blank}")
            });
            line.push_str("  ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

fn write_composite(out: &mut String, composite: &Composite, words: &Words) {
    let parts = [
        &composite.basic,
        &composite.error_handling,
        &composite.efficiency,
        &composite.context,
    ];
    let parts: Vec<String> = words
        .parts
        .iter()
        .zip(parts)
        .map(|(name, part): (_, &Part)| format!("{name} {}", number(part.value)))
        .collect();
    let total = number(composite.composite.value);
    let _ = writeln!(
        out,
        "\n{} ({}): {total} = 0.40·{} + 0.20·{} + 0.25·{} + 0.15·{}",
        words.composite,
        composite.variant.name(),
        parts[0],
        parts[1],
        parts[2],
        parts[3]
    );
    if let Some(reason) = &composite.composite.reason {
        let _ = writeln!(out, "  {reason}");
    }
}

fn write_gaps(out: &mut String, report: &Report, words: &Words) {
    let gaps: Vec<String> = report
        .levels
        .iter()
        .flat_map(|level| level.means.iter().map(move |mean| (level.level, mean)))
        .flat_map(|(level, mean)| {
            let line = move |(reason, count): &(String, usize)| {
                format!("{level} {}: {reason} ({count})", mean.metric)
            };
            mean.unscored_reasons.iter().map(line)
        })
        .collect();
    let skipped: Vec<String> = report
        .levels
        .iter()
        .flat_map(|level| {
            level
                .skipped
                .iter()
                .map(|task| format!("{}: {}", task.id, task.reason))
        })
        .collect();
    for (title, lines) in [(words.none, gaps), (words.skipped, skipped)] {
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{title}\n  {}", lines.join("\n  "));
        }
    }
}

/// Terminal columns of a text: Hangul and other wide characters take two.
fn columns(text: &str) -> usize {
    text.chars()
        .map(|c| match c as u32 {
            0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff00..=0xff60 => 2,
            _ => 1,
        })
        .sum()
}
