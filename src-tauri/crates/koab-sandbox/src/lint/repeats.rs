//! Output that goes round in circles: an agent that says the same again and again.

use super::finding::LogFinding;
use koab_core::finding::{Finding, Severity};
use koab_core::say;
use std::collections::HashMap;

/// Blocks of up to so many lines are looked for.
const LONGEST: usize = 20;
/// So often in a row a block must stand.
const TIMES: usize = 5;
/// A line of at least so many characters counts when it comes again anywhere.
const LONG_LINE: usize = 60;

pub(super) fn findings(lines: &[&str]) -> Vec<LogFinding> {
    let mut found = blocks(lines);
    found.extend(long_lines(lines, &found));
    found
}

/// Blocks of lines that stand in a row, the shortest block first, none of which lies in another.
fn blocks(lines: &[&str]) -> Vec<LogFinding> {
    let mut found: Vec<LogFinding> = Vec::new();
    for period in 1..=LONGEST {
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
            let known =
                found.iter().any(|other| other.line <= Some(line_end) && Some(line) <= other.line_end);
            if length / period < TIMES || says_nothing || known {
                continue;
            }
            let what = if period == 1 {
                say!("the same line {length} times in a row")
            } else {
                say!("the same {period} lines {} times in a row", length / period)
            };
            found.push(Finding::new("loop", Severity::Warning, what).on_lines(line, line_end));
        }
    }
    found
}

fn long_lines(lines: &[&str], blocks: &[LogFinding]) -> Vec<LogFinding> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let in_block = blocks.iter().any(|block| (block.line..=block.line_end).contains(&Some(at + 1)));
        if !in_block && line.chars().count() >= LONG_LINE && !is_ruler(line) {
            places.entry(line).or_default().push(at);
        }
    }
    let repeated = places.into_values().filter(|places| places.len() >= TIMES);
    repeated
        .filter_map(|places| {
            let (first, last) = (*places.first()?, *places.last()?);
            let what = say!("the same long line {} times", places.len());
            Some(Finding::new("repetition", Severity::Note, what).on_lines(first + 1, last + 1))
        })
        .collect()
}

/// Blank lines and lines that only separate.
fn is_ruler(line: &str) -> bool {
    !line.contains(char::is_alphanumeric)
}
