//! What a console log shows that its verdict does not: crashes, refused installations, limits,
//! repetition.
//!
//! Rules look at text alone, here and now; nothing is sent anywhere. Each says what it saw and in
//! which lines, so that a person can look; a rule that finds nothing proves nothing.

mod finding;
mod repeats;
mod rules;

pub use finding::LogFinding;

use crate::markers::markers;
use koab_core::say;

/// Of one rule's findings in a log, so many are listed; one more says how many others there are.
pub const LISTED: usize = 10;

/// All findings in a log, the gravest first, then by line.
pub fn lint(log: &str) -> Vec<LogFinding> {
    let lines: Vec<&str> = log.lines().collect();
    let mut found = rules::findings(&lines, &markers(log));
    found.extend(repeats::findings(&lines));
    found.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.line.cmp(&b.line)));
    shortened(found)
}

fn shortened(found: Vec<LogFinding>) -> Vec<LogFinding> {
    let mut kept: Vec<LogFinding> = Vec::new();
    let mut left_out: Vec<(LogFinding, usize)> = Vec::new();
    for finding in found {
        if kept.iter().filter(|other| other.code == finding.code).count() < LISTED {
            kept.push(finding);
            continue;
        }
        match left_out.iter_mut().find(|(first, _)| first.code == finding.code) {
            Some((_, count)) => *count += 1,
            None => left_out.push((finding, 1)),
        }
    }
    for (mut first, count) in left_out {
        first.sentence = say!("{count} more from here on");
        kept.push(first);
    }
    kept
}
