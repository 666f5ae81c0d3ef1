//! Finds repetition in output, such as that of an agent that repeats the same message.

use super::finding::LogFinding;
use koab_core::finding::{Finding, Severity};
use koab_core::say;
use std::collections::HashMap;

/// Maximum number of lines of a repeated block.
const MAX_BLOCK_LINES: usize = 20;
/// Minimum number of repetitions that are reported.
const MIN_REPEATS: usize = 5;
/// Minimum number of characters of a line that is reported when it recurs anywhere.
const LONG_LINE_CHARS: usize = 60;

pub(super) fn findings(lines: &[&str]) -> Vec<LogFinding> {
    let mut all = blocks(lines);
    all.extend(long_lines(lines, &all));
    all
}

/// Blocks of lines that repeat in a row, the shortest block first. Blocks that overlap a reported
/// block are skipped.
fn blocks(lines: &[&str]) -> Vec<LogFinding> {
    let mut blocks: Vec<LogFinding> = Vec::new();
    for period in 1..=MAX_BLOCK_LINES {
        let mut run = 0;
        for at in period..=lines.len() {
            if at < lines.len() && lines[at] == lines[at - period] {
                run += 1;
                continue;
            }
            let (length, from) = (run + period, at - run - period);
            run = 0;
            let (line, line_end) = (from + 1, from + length);
            let says_nothing = lines[from..from + period].iter().all(|line| is_ruler(line));
            let is_reported =
                blocks.iter().any(|other| other.line <= Some(line_end) && Some(line) <= other.line_end);
            if length / period < MIN_REPEATS || says_nothing || is_reported {
                continue;
            }
            let what = if period == 1 {
                say!("the same line {length} times in a row")
            } else {
                say!("the same {period} lines {} times in a row", length / period)
            };
            blocks.push(Finding::new("loop", Severity::Warning, what).on_lines(line, line_end));
        }
    }
    blocks
}

fn long_lines(lines: &[&str], blocks: &[LogFinding]) -> Vec<LogFinding> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let in_block = blocks.iter().any(|block| (block.line..=block.line_end).contains(&Some(at + 1)));
        if !in_block && line.chars().count() >= LONG_LINE_CHARS && !is_ruler(line) {
            places.entry(line).or_default().push(at);
        }
    }
    let repeated = places.into_values().filter(|places| places.len() >= MIN_REPEATS);
    repeated
        .filter_map(|places| {
            let (first, last) = (*places.first()?, *places.last()?);
            let what = say!("the same long line {} times", places.len());
            Some(Finding::new("repetition", Severity::Note, what).on_lines(first + 1, last + 1))
        })
        .collect()
}

/// Whether a line is blank or only a separator.
fn is_ruler(line: &str) -> bool {
    !line.contains(char::is_alphanumeric)
}
