//! Rules for single lines and for tracebacks.

use super::finding::LogFinding;
use crate::markers::Markers;
use koab_core::finding::{Finding, Severity};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::text;

/// Rule for single lines: its code, its severity, the texts that it finds in lower-case lines, and
/// the message of its findings.
type Rule = (&'static str, Severity, &'static [&'static str], &'static str);

const RULES: [Rule; 10] = [
    (
        "pip-failure",
        Severity::Error,
        &[
            "pip install exited with code",
            "error: could not find a version that satisfies",
            "error: no matching distribution found",
            "error: could not install packages",
            "error: externally-managed-environment",
        ],
        text!("a requirement was not installed"),
    ),
    (
        "missing-module",
        Severity::Error,
        &["modulenotfounderror", "no module named"],
        text!("a Python module is missing"),
    ),
    (
        "authentication",
        Severity::Error,
        &[
            "authenticationerror",
            "invalid_api_key",
            "incorrect api key",
            "401 unauthorized",
            "error code: 401",
            "error code: 403",
        ],
        text!("a model's server did not accept the key"),
    ),
    (
        "rate-limit",
        Severity::Warning,
        &[
            "ratelimiterror",
            "rate_limit_exceeded",
            "error code: 429",
            "429 too many requests",
            "insufficient_quota",
        ],
        text!("a model's server refused a call because of a rate limit or a quota"),
    ),
    (
        "context-length",
        Severity::Warning,
        &["context_length_exceeded", "maximum context length"],
        text!("a conversation outgrew the model's context"),
    ),
    (
        "server-error",
        Severity::Warning,
        &[
            "error code: 5",
            "internalservererror",
            "502 bad gateway",
            "503 service unavailable",
            "error code: 400",
            "badrequesterror",
        ],
        text!("a model's server answered with an error"),
    ),
    (
        "network",
        Severity::Warning,
        &[
            "name or service not known",
            "temporary failure in name resolution",
            "network is unreachable",
            "connection refused",
            "connection reset by peer",
            "apiconnectionerror",
        ],
        text!("a host on the network could not be reached"),
    ),
    (
        "timeout",
        Severity::Warning,
        &[
            "docker timed out.",
            "timeouterror",
            "apitimeouterror",
            "readtimeout",
            "timeoutexpired",
            "exited with code: 143",
            "exited with code: 124",
        ],
        text!("a time limit was exceeded"),
    ),
    (
        "memory",
        Severity::Error,
        &["memoryerror", "out of memory", "cannot allocate memory", "exited with code: 137"],
        text!("memory ran out, or a process was killed"),
    ),
    (
        "disk-full",
        Severity::Error,
        &["no space left on device", "disk quota exceeded"],
        text!("the disk was full"),
    ),
];

pub(super) fn findings(lines: &[&str], marks: &Markers) -> Vec<LogFinding> {
    let mut all = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let lower = line.to_lowercase();
        for (code, severity, words, what) in RULES {
            if words.iter().any(|word| lower.contains(word)) {
                all.push(finding(code, severity, at, at, what.into()));
            }
        }
        if *line == "Killed" {
            all.push(finding("memory", Severity::Error, at, at, say!("a process was killed")));
        }
        if line.contains('\u{fffd}') {
            let what = say!("some bytes are not text");
            all.push(finding("bad-bytes", Severity::Note, at, at, what));
        }
    }
    all.extend(tracebacks(lines, marks));
    all.extend(ending(lines, marks));
    all
}

fn finding(code: &'static str, severity: Severity, from: usize, to: usize, what: Sentence) -> LogFinding {
    Finding::new(code, severity, what).on_lines(from + 1, to + 1)
}

/// Findings for tracebacks. A traceback ends with the line that names the exception. A traceback at
/// the very end of the scenario's output is an error.
fn tracebacks(lines: &[&str], marks: &Markers) -> Vec<LogFinding> {
    let mut findings: Vec<LogFinding> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.trim_start().starts_with("Traceback (most recent call last)"))
        .map(|(at, line)| {
            let indent = line.len() - line.trim_start().len();
            let deeper =
                |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() > indent;
            let end = lines[at + 1..].iter().position(|line| !deeper(line)).map(|frames| at + 1 + frames);
            let what = match end.and_then(|end| lines.get(end)) {
                Some(line) => {
                    let line: String = line.trim().chars().take(200).collect();
                    say!("an exception: {what}", what = line)
                }
                None => say!("an exception: {what}", what = say!("the output ends inside it")),
            };
            finding("traceback", Severity::Warning, at, end.unwrap_or(lines.len() - 1), what)
        })
        .collect();
    if marks.traceback
        && let Some(last) = findings.last_mut()
    {
        last.severity = Severity::Error;
    }
    findings
}

fn ending(lines: &[&str], marks: &Markers) -> Option<LogFinding> {
    let last = lines.len().saturating_sub(1);
    let what = if marks.ended {
        return None;
    } else if lines.iter().all(|line| line.trim().is_empty()) {
        say!("the log is empty")
    } else {
        say!("the log ends without the end marker")
    };
    Some(finding("cut-off", Severity::Error, last, last, what))
}
