//! The markers in a trial's log.
//!
//! Scenarios print into the same log, so a marker is a claim: where the executor knows better (the
//! container's own exit code), that counts.

use koab_core::say;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::Path;

/// A scenario prints this when it has solved its task.
pub const PASSED: &str = "ALL TESTS PASSED !#!#";

const STARTING: &str = "SCENARIO.PY STARTING !#!#";
const COMPLETE: &str = "SCENARIO.PY COMPLETE !#!#";
const RUN_SH_COMPLETE: &str = "RUN.SH COMPLETE !#!#";
const SEED_COMPLETE: &str = "SCENARIO COMPLETE !#!#";
const CODE: &str = "SCENARIO.PY EXITED WITH CODE: ";
const PIP_CODE: &str = "PIP INSTALL EXITED WITH CODE: ";
const RUNTIME: &str = "SCENARIO.PY RUNTIME: ";
const MARK: &str = " !#!#";

/// What a log says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Markers {
    /// `run.sh` says that it begins (all generations but the first).
    pub run_sh_starting: bool,
    /// `scenario.py` is said to begin.
    pub scenario_starting: bool,
    /// `scenario.py` is said to have ended with code 0. One generation says so whatever the code
    /// was.
    pub scenario_complete: bool,
    /// The other code it ended with.
    pub exit_code: Option<i32>,
    /// The code installing the requirements ended with, where it was not 0.
    pub pip_exit_code: Option<i32>,
    /// Seconds `scenario.py` took.
    pub runtime: Option<f64>,
    /// `run.sh` reached its end, in the words of any generation.
    pub ended: bool,
    /// A container was stopped at the time limit.
    pub timed_out: bool,
    /// The user stopped the run.
    pub interrupted: bool,
    /// The last thing the scenario printed is a Python traceback.
    pub traceback: bool,
    /// The shell says that it saw a process killed.
    pub killed: bool,
}

/// The text of a log; bytes that are not UTF-8 become U+FFFD.
///
/// # Errors
/// When it cannot be read.
pub fn log_text(path: &Path) -> io::Result<String> {
    let mut log = open(path)?;
    if !log.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, say!("it is not a regular file")));
    }
    text_of(&mut log)
}

/// Without waiting: a scenario may have put a pipe there, which would never answer.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// The text of an open log, from its beginning.
pub(crate) fn text_of(log: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    log.rewind()?;
    log.read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Reads the markers of a log. A marker may follow what a scenario printed last without a newline.
pub fn markers(log: &str) -> Markers {
    let mut found = Markers::default();
    let mut said = Vec::new();
    let mut after_scenario = false;
    for line in log.lines() {
        let line = line.trim_end();
        let code = |marker: &str| number(line, marker);
        if line.ends_with("RUN.SH STARTING !#!#") {
            found.run_sh_starting = true;
        } else if line.ends_with(STARTING) {
            found.scenario_starting = true;
            said.clear();
        } else if line.ends_with(COMPLETE) {
            found.scenario_complete = true;
            after_scenario = true;
        } else if let Some(code) = code(CODE) {
            found.exit_code = code.parse().ok();
            after_scenario = true;
        } else if let Some(code) = code(PIP_CODE) {
            found.pip_exit_code = code.parse().ok();
        } else if let Some(seconds) = code(RUNTIME) {
            found.runtime = seconds.parse().ok();
        } else if line.ends_with(RUN_SH_COMPLETE) || line.ends_with(SEED_COMPLETE) {
            found.ended = true;
        } else if line == "Docker timed out." {
            found.timed_out = true;
        } else if line.starts_with("Keyboard interrupt (Ctrl-C).") {
            found.interrupted = true;
        } else if line == "Killed" {
            found.killed = true;
        } else if !after_scenario {
            said.push(line);
        }
    }
    found.traceback = ends_in_traceback(&said);
    found
}

/// What a scenario itself printed, as far as the log tells: from where it began, or all of it in
/// older logs.
pub fn scenario_output(log: &str) -> &str {
    log.split_once(STARTING).map_or(log, |(_, after)| after)
}

/// The text between a marker and its end.
fn number<'a>(line: &'a str, marker: &str) -> Option<&'a str> {
    // The end first: lines of a log can be as long as the log.
    let (_, after) = line.strip_suffix(MARK)?.rsplit_once(marker)?;
    Some(after.trim())
}

/// Whether the output ends as Python ends on an exception: a heading, indented lines, and one line
/// that names it.
fn ends_in_traceback(said: &[&str]) -> bool {
    let Some(start) = said.iter().rposition(|line| line.starts_with("Traceback (most recent call last)"))
    else {
        return false;
    };
    let after = &said[start + 1..];
    let Some(end) = after.iter().position(|line| !line.starts_with(' ') && !line.is_empty()) else {
        return true;
    };
    // Messages of exceptions can have several lines, which nothing marks. What a program prints
    // after it caught an exception is more often longer.
    let named = after[end].split(':').next().unwrap_or_default();
    let is_name = !named.is_empty() && named.chars().all(|c| c.is_alphanumeric() || "._".contains(c));
    is_name && after[end + 1..].iter().filter(|line| !line.is_empty()).count() == 0
}
