//! Findings in console logs that verdicts do not show: crashes, failed installations, limits,
//! repetition.
//!
//! Rules read the text on this computer; nothing is sent anywhere. Each finding names its lines, so
//! that a person can check it. The absence of findings proves nothing.

mod finding;
mod repeats;
mod rules;

pub use finding::LogFinding;

use crate::markers::markers;
use koab_core::say;

/// Maximum number of listed findings per rule in a log. An additional finding reports the number of
/// the others.
pub const LISTED: usize = 10;

/// All findings in a log, the most severe first, then by line.
pub fn lint(log: &str) -> Vec<LogFinding> {
    let lines: Vec<&str> = log.lines().collect();
    let mut findings = rules::findings(&lines, &markers(log));
    findings.extend(repeats::findings(&lines));
    findings.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.line.cmp(&b.line)));
    truncate(findings)
}

fn truncate(findings: Vec<LogFinding>) -> Vec<LogFinding> {
    let mut shown_findings: Vec<LogFinding> = Vec::new();
    let mut left_out: Vec<(LogFinding, usize)> = Vec::new();
    for finding in findings {
        if shown_findings.iter().filter(|other| other.code == finding.code).count() < LISTED {
            shown_findings.push(finding);
            continue;
        }
        match left_out.iter_mut().find(|(first, _)| first.code == finding.code) {
            Some((_, count)) => *count += 1,
            None => left_out.push((finding, 1)),
        }
    }
    for (mut first, count) in left_out {
        first.sentence = say!("{count} more from here on");
        shown_findings.push(first);
    }
    shown_findings
}
