//! Markers in a trial's log.
//!
//! Scenarios print into the same log, so a marker is only a claim. Facts that the executor knows
//! itself, such as the container's exit code, take precedence.

use koab_core::say;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::Path;

/// Line that a scenario prints when it has solved its task.
pub const PASSED: &str = "ALL TESTS PASSED !#!#";

const STARTING: &str = "SCENARIO.PY STARTING !#!#";
const COMPLETE: &str = "SCENARIO.PY COMPLETE !#!#";
const RUN_SH_COMPLETE: &str = "RUN.SH COMPLETE !#!#";
const SEED_COMPLETE: &str = "SCENARIO COMPLETE !#!#";
const CODE: &str = "SCENARIO.PY EXITED WITH CODE: ";
const PIP_CODE: &str = "PIP INSTALL EXITED WITH CODE: ";
const RUNTIME: &str = "SCENARIO.PY RUNTIME: ";
const MARK: &str = " !#!#";

/// Markers that were found in a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Markers {
    /// Whether `run.sh` reported its start. The first generation of the original tool does not
    /// report it.
    pub run_sh_starting: bool,
    /// Whether the log reports the start of `scenario.py`.
    pub scenario_starting: bool,
    /// Whether the log reports that `scenario.py` ended with code 0. One generation of the original
    /// tool reports that for every code.
    pub scenario_complete: bool,
    /// Exit code of `scenario.py` that the log reports; only if it was not 0.
    pub exit_code: Option<i32>,
    /// Exit code of installing the requirements that the log reports; only if it was not 0.
    pub pip_exit_code: Option<i32>,
    /// Duration of `scenario.py` that the log reports, in seconds.
    pub runtime: Option<f64>,
    /// Whether the log reports that `run.sh` reached its end, in the wording of any generation.
    pub ended: bool,
    /// Whether a container was stopped at the time limit.
    pub timed_out: bool,
    /// Whether the user stopped the run.
    pub interrupted: bool,
    /// Whether the scenario's output ends with a Python traceback.
    pub traceback: bool,
    /// Whether the shell reported a killed process.
    pub killed: bool,
}

/// Text of a log; bytes that are not UTF-8 become U+FFFD.
///
/// # Errors
/// When the log cannot be read.
pub fn log_text(path: &Path) -> io::Result<String> {
    let mut log = open(path)?;
    if !log.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, say!("it is not a regular file")));
    }
    text_of(&mut log)
}

/// Opens a log without blocking. A scenario may have replaced the log by a pipe, and opening a pipe
/// could wait forever.
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

/// Text of an open log, from its beginning.
pub(crate) fn text_of(log: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    log.rewind()?;
    log.read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Reads the markers of a log. A marker may follow output of the scenario on the same line.
pub fn markers(log: &str) -> Markers {
    let mut markers = Markers::default();
    let mut output = Vec::new();
    let mut after_scenario = false;
    for line in log.lines() {
        let line = line.trim_end();
        let code = |marker: &str| number(line, marker);
        if line.ends_with("RUN.SH STARTING !#!#") {
            markers.run_sh_starting = true;
        } else if line.ends_with(STARTING) {
            markers.scenario_starting = true;
            output.clear();
        } else if line.ends_with(COMPLETE) {
            markers.scenario_complete = true;
            after_scenario = true;
        } else if let Some(code) = code(CODE) {
            markers.exit_code = code.parse().ok();
            after_scenario = true;
        } else if let Some(code) = code(PIP_CODE) {
            markers.pip_exit_code = code.parse().ok();
        } else if let Some(seconds) = code(RUNTIME) {
            markers.runtime = seconds.parse().ok();
        } else if line.ends_with(RUN_SH_COMPLETE) || line.ends_with(SEED_COMPLETE) {
            markers.ended = true;
        } else if line == "Docker timed out." {
            markers.timed_out = true;
        } else if line.starts_with("Keyboard interrupt (Ctrl-C).") {
            markers.interrupted = true;
        } else if line == "Killed" {
            markers.killed = true;
        } else if !after_scenario {
            output.push(line);
        }
    }
    markers.traceback = ends_in_traceback(&output);
    markers
}

/// Output of the scenario itself, which is the log after its start marker. An older log without
/// such a marker is returned completely.
pub fn scenario_output(log: &str) -> &str {
    log.split_once(STARTING).map_or(log, |(_, after)| after)
}

/// Text between `marker` and the ` !#!#` at the end of the line.
fn number<'a>(line: &'a str, marker: &str) -> Option<&'a str> {
    // The end is checked first, because a line can be as long as the log.
    let (_, after) = line.strip_suffix(MARK)?.rsplit_once(marker)?;
    Some(after.trim())
}

/// Whether the output ends with a Python traceback: a heading, indented lines, and one line that
/// names the exception.
fn ends_in_traceback(output: &[&str]) -> bool {
    let Some(start) = output.iter().rposition(|line| line.starts_with("Traceback (most recent call last)"))
    else {
        return false;
    };
    let after = &output[start + 1..];
    let Some(end) = after.iter().position(|line| !line.starts_with(' ') && !line.is_empty()) else {
        return true;
    };
    // An exception's message can have several lines, which cannot be recognised. Output after a
    // caught exception is usually longer.
    let name = after[end].split(':').next().unwrap_or_default();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._".contains(c));
    is_name && after[end + 1..].iter().filter(|line| !line.is_empty()).count() == 0
}
