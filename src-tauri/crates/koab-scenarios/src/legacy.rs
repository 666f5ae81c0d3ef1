//! Outcomes of trials that another tool ran: all generations of the original tool, starting with
//! its first script.
//!
//! The folders of these trials contain a log and no outcome. The log's end marker shows whether a
//! trial was finished; its cause is inferred from the rest of the log. One generation marks every
//! scenario as completed, even crashed ones. Facts that a log does not contain stay unknown, with
//! the reason.

use crate::markers::{Markers, log_text, markers};
use crate::outcome::{CONSOLE_LOG, Cause, Origin, Outcome, Setting, Trial};
use koab_core::say;
use koab_core::sentence::Sentence;
use std::fs;
use std::path::Path;

/// Time limit of a scenario in seconds, in the third generation of the original tool. Only that
/// generation reports the duration of a scenario.
const TIME_LIMIT_S: f64 = 7200.0;

/// Generation of the tool that wrote a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Generation {
    /// The first script and the first command, whose logs contain only an end marker.
    First,
    /// The published package, whose exit codes are reliable.
    Second,
    /// The successor of the package, which reports for every trial that the scenario completed.
    Third,
}

/// Reads the outcome of the trial in `folder` from its log.
pub(crate) fn read(folder: &Path) -> Trial {
    let log = match log_text(&folder.join(CONSOLE_LOG)) {
        Ok(log) => log,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return half_made(say!("there is no {CONSOLE_LOG}"));
        }
        Err(error) => return half_made(say!("{CONSOLE_LOG} cannot be read: {error}")),
    };
    let stamp = fs::read_to_string(folder.join("timestamp.txt")).unwrap_or_default();
    let marks = markers(&log);
    let koab = stamp.lines().any(|line| line.starts_with("koab version: "));
    if koab {
        // The product's own finished trials always have an outcome.
        return half_made(say!("it was not finished: the run was cut off before its outcome was written"));
    }
    let Some((cause, detail)) = cause(&marks, generation(&marks, &stamp)) else {
        return half_made(say!("its log ends without an end marker"));
    };
    let mut outcome = Outcome::new(Origin::Legacy, cause);
    outcome.detail = detail;
    fill(&mut outcome, &marks, &log, &stamp);
    Trial::Finished(Box::new(outcome))
}

fn half_made(why: Sentence) -> Trial {
    Trial::HalfMade { why }
}

fn generation(marks: &Markers, stamp: &str) -> Generation {
    if !marks.run_sh_starting {
        Generation::First
    } else if marks.runtime.is_some() || stamp.lines().any(|line| line.starts_with("agbench version: ")) {
        Generation::Third
    } else {
        Generation::Second
    }
}

/// Cause of a trial's end, with details; `None` when it did not end.
fn cause(marks: &Markers, generation: Generation) -> Option<(Cause, Option<Sentence>)> {
    let because = |cause, detail: Sentence| Some((cause, Some(detail)));
    if marks.interrupted {
        return because(Cause::Cancelled, say!("the log says that the user interrupted the run"));
    }
    if marks.timed_out && marks.ended {
        // The tool checked its clock only when output arrived, so a slow trial could end first.
        return because(
            Cause::TimedOut,
            say!("the time limit was noticed after the trial had ended; its log is complete"),
        );
    }
    if marks.timed_out {
        return because(Cause::TimedOut, say!("the container was stopped at the time limit"));
    }
    if !marks.ended {
        return None;
    }
    match marks.exit_code {
        Some(143) => return because(Cause::TimedOut, say!("scenario.py was stopped at the time limit")),
        Some(137) => {
            return because(
                Cause::Failed,
                say!("scenario.py was killed; the log does not say whether for time or for memory"),
            );
        }
        Some(_) => return Some((Cause::Failed, None)),
        None => {}
    }
    if generation == Generation::Second {
        return Some((Cause::Completed, None));
    }
    if marks.runtime.is_some_and(|seconds| seconds >= TIME_LIMIT_S) {
        return because(Cause::TimedOut, say!("scenario.py took as long as the time limit allowed"));
    }
    if marks.killed {
        return because(
            Cause::Failed,
            say!("a process was killed; the log does not say whether for time or for memory"),
        );
    }
    if marks.traceback {
        return because(Cause::Failed, say!("the scenario's output ends in a traceback"));
    }
    Some((Cause::Completed, None))
}

fn fill(outcome: &mut Outcome, marks: &Markers, log: &str, stamp: &str) {
    let generation = generation(marks, stamp);
    outcome.exit_code = marks.exit_code;
    if generation == Generation::Second && marks.scenario_complete && marks.exit_code.is_none() {
        outcome.exit_code = Some(0);
    }
    outcome.scenario_seconds = marks.runtime;
    outcome.setting = [Setting::Docker, Setting::Native]
        .into_iter()
        .find(|setting| log.contains(&format!("AUTOGEN_TESTBED_SETTING: [{}]", setting.name())));
    for line in stamp.lines() {
        match line.split_once(": ") {
            Some(("Timestamp", at)) => outcome.started = Some(at.to_owned()),
            Some((what, version)) => {
                if let Some(tool) = what.strip_suffix(" version") {
                    outcome.versions.insert(tool.to_owned(), version.to_owned());
                }
            }
            None => {}
        }
    }
    let no_record = say!("the tool that ran the trial did not record it");
    let mut unknown = |field: &str, why: &Sentence| outcome.unknown.insert(field.to_owned(), why.clone());
    for field in ["ended", "seconds", "image", "limits", "template_sha256", "command", "pip_exit_code"] {
        unknown(field, &no_record);
    }
    if outcome.started.is_none() {
        unknown("started", &no_record);
    }
    if outcome.exit_code.is_none() {
        let why = match generation {
            Generation::Third => say!("the log of this version of the tool does not have it"),
            _ => no_record.clone(),
        };
        unknown("exit_code", &why);
    }
    if outcome.scenario_seconds.is_none() {
        unknown("scenario_seconds", &no_record);
    }
    if outcome.setting.is_none() {
        unknown("setting", &say!("the log does not say where it ran"));
    }
}
