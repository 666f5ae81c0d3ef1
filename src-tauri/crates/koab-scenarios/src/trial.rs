//! Runs one trial: creates its folder, runs its script, and records its outcome.
//!
//! `outcome.json` is written last in any case. A trial without this file was not finished and runs
//! again next time.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::text;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Zoned;
use tokio_util::sync::CancellationToken;

use crate::console::Console;
use crate::docker::{Container, Engine, Image, Mounts, Owner};
use crate::environment::Environment;
use crate::error::Error;
use crate::expand::{Expanded, Extras, expand};
use crate::layout::{Layout, TrialId};
use crate::markers::{markers, text_of};
use crate::model_calls::OfferedModel;
use crate::native::Native;
use crate::outcome::{CONSOLE_LOG, Cause, Image as ImageName, Limits, Origin, Outcome, Setting};
use crate::process_end::ProcessEnd;
use crate::reclaim;
use crate::redact::{Redacted, redact};
use crate::run_script::{RUN_SH, RunScript};
use crate::scenario_file::{Instance, Network};

/// Command that runs `run.sh`. Both streams are merged, so that the log keeps their order.
const COMMAND: [&str; 3] = ["sh", "-c", "exec sh run.sh 2>&1"];
/// Line in the log of a trial that reached its time limit. Programs that read logs of the original
/// tool recognise this line.
const TIMED_OUT: &str = "Docker timed out.";
/// Line in the log of a trial that the user stopped. Programs that read logs of the original tool
/// recognise this line.
const INTERRUPTED: &str = "Keyboard interrupt (Ctrl-C). Attempting to exit gracefully.";

/// Exit code of a killed process.
const KILLED: i32 = 137;
/// Detail of the outcome when a process was killed and the engine may have lost the reason.
const MAYBE_MEMORY: &str =
    text!("scenario.py was killed; this engine does not report whether memory was the reason");

/// Maximum number of files that are named in a trial's warnings about secrets.
const MAX_NAMED_FILES: usize = 20;
/// Maximum number of bytes of a path in a warning.
const MAX_PATH_BYTES: usize = 200;

/// Warning about an engine that does not enforce limits.
pub const NO_LIMITS: &str = text!(
    "this engine runs without root on control groups of version 1, where it cannot limit memory, \
     processors and processes: trials run without these limits"
);

/// Environment of trials: containers or this computer.
#[derive(Clone)]
pub enum TrialRuntime {
    /// Each trial runs in its own container.
    Docker {
        /// Container engine.
        engine: Box<Engine>,
        /// Image of the containers.
        image: Image,
        /// Process that owns the containers.
        owner: Arc<Owner>,
    },
    /// Trials run on this computer itself; the user must have agreed.
    Native,
}

impl TrialRuntime {
    /// Name of the runtime in outcomes.
    #[must_use]
    pub fn setting(&self) -> Setting {
        match self {
            Self::Docker { .. } => Setting::Docker,
            Self::Native => Setting::Native,
        }
    }
}

/// Settings that all trials of a run share.
pub struct TrialSetup {
    /// Layout of the results folder.
    pub layout: Layout,
    /// Runtime of the trials.
    pub runtime: TrialRuntime,
    /// Limits of a trial. A scenario's own time limit replaces `timeout_s`.
    pub limits: Limits,
    /// Files that are added to every trial's folder.
    pub extras: Extras,
    /// The model that trials may call without a key.
    pub model: Option<Arc<dyn OfferedModel>>,
    /// The command line that started the run, without secrets.
    pub command: Vec<String>,
}

/// One trial to run.
pub struct Trial<'a> {
    /// Settings that all trials of the run share.
    pub setup: &'a TrialSetup,
    /// Id of the trial.
    pub id: &'a TrialId,
    /// Instance of the trial.
    pub instance: &'a Instance,
    /// Environment of the trial, including its own secrets.
    pub environment: &'a Environment,
}

impl Trial<'_> {
    /// Runs the trial. Its folder must not exist.
    ///
    /// `on_output` receives each piece of the console log as it is written.
    ///
    /// # Errors
    /// When the trial's folder already exists or the disk refuses. Other failures to create or
    /// start the trial are recorded as its outcome.
    pub async fn run(
        &self,
        cancel: &CancellationToken,
        on_output: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Outcome, Error> {
        let started = (Zoned::now(), Instant::now());
        let folder = self.setup.layout.trial(self.id);
        let limits = self.limits();
        let mut environment = self.environment.clone();
        let mut outcome = match self.make() {
            Ok(expanded) => {
                let offer = match &self.setup.model {
                    Some(model) => model.offer(self.id, &mut environment).await,
                    None => Ok(()),
                };
                let mut console = console(&folder, &limits, &environment)?;
                let end = match offer {
                    Ok(()) => {
                        self.execute(&folder, &limits, &environment, &mut console, cancel, on_output).await
                    }
                    Err(why) => Ok(ProcessEnd::NotStarted { why }),
                };
                // The model's offer is taken back even when the folder can no longer be written.
                let reclaimed = reclaim::folder(&folder);
                let model_calls = match &self.setup.model {
                    Some(model) => model.take_back(self.id, &folder).await,
                    None => None,
                };
                let end = end.map_err(Error::io(say!("write"), &folder.join(CONSOLE_LOG)))?;
                let reclaimed = reclaimed.map_err(Error::io(say!("write to"), &folder))?;
                let mut outcome = close(&folder, console, &end, &environment, on_output)?;
                outcome.warnings.splice(0..0, reclaimed);
                outcome.model_calls = model_calls;
                outcome.template_sha256 = Some(expanded.template_sha256);
                outcome.warnings.splice(0..0, expanded.warnings);
                outcome
            }
            // Another process may be running it, so its folder is not touched.
            Err(error @ Error::TrialExists(_)) => return Err(error),
            Err(error) => {
                let why = error.to_sentence();
                std::fs::create_dir_all(&folder).map_err(Error::io(say!("create"), &folder))?;
                let console = console(&folder, &limits, &environment)?;
                close(&folder, console, &ProcessEnd::NotStarted { why }, &environment, on_output)?
            }
        };
        self.describe(&mut outcome, limits);
        outcome.started = Some(iso(&started.0));
        outcome.ended = Some(iso(&Zoned::now()));
        outcome.seconds = Some(started.1.elapsed().as_secs_f64());
        outcome.write(&folder)?;
        Ok(outcome)
    }

    fn make(&self) -> Result<Expanded, Error> {
        let script = RunScript {
            setting: self.setup.runtime.setting(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        expand(&self.setup.layout, self.id, self.instance, &self.setup.extras, &script)
    }

    fn limits(&self) -> Limits {
        let mut limits = self.setup.limits.clone();
        limits.timeout_s = self.instance.timeout_s.or(limits.timeout_s);
        if self.is_unlimited() {
            (limits.memory_bytes, limits.cpus, limits.pids) = (None, None, None);
        }
        limits.network = match self.setup.runtime {
            // Either can turn the network off; neither can turn it on against the other.
            TrialRuntime::Docker { .. }
                if [self.instance.network, limits.network].contains(&Some(Network::None)) =>
            {
                Some(Network::None)
            }
            TrialRuntime::Docker { .. } => Some(Network::Bridge),
            TrialRuntime::Native => None,
        };
        limits
    }

    fn is_unlimited(&self) -> bool {
        matches!(&self.setup.runtime, TrialRuntime::Docker { engine, .. } if !engine.holds_limits())
    }

    async fn execute(
        &self,
        folder: &Path,
        limits: &Limits,
        environment: &Environment,
        console: &mut Console,
        cancel: &CancellationToken,
        on_output: &mut (dyn FnMut(&str) + Send),
    ) -> std::io::Result<ProcessEnd> {
        let environment = environment.variables();
        match &self.setup.runtime {
            TrialRuntime::Docker { engine, image, owner } => {
                // The engine requires absolute paths.
                let folder = folder.canonicalize()?;
                let container = Container {
                    engine,
                    owner,
                    image,
                    command: &COMMAND,
                    environment,
                    mounts: Mounts { folder: &folder, read_only: &[RUN_SH, CONSOLE_LOG] },
                    relay: self.setup.model.as_deref().and_then(OfferedModel::relay),
                    limits,
                };
                container.run(console, cancel, on_output).await
            }
            TrialRuntime::Native => {
                let native = Native {
                    command: &COMMAND,
                    environment,
                    folder,
                    time: limits.timeout_s.map(Duration::from_secs),
                };
                native.run(console, cancel, on_output).await
            }
        }
    }

    fn describe(&self, outcome: &mut Outcome, limits: Limits) {
        outcome.setting = Some(self.setup.runtime.setting());
        outcome.limits = Some(limits);
        if self.is_unlimited() {
            outcome.warnings.push(NO_LIMITS.into());
        }
        outcome.command.clone_from(&self.setup.command);
        outcome.versions.insert("koab".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        if let TrialRuntime::Docker { engine, image, .. } = &self.setup.runtime {
            let killed = outcome.cause == Cause::Failed && outcome.exit_code == Some(KILLED);
            if killed && !engine.tells_memory() && outcome.detail.is_none() {
                outcome.detail = Some(MAYBE_MEMORY.into());
            }
            outcome.versions.insert("engine".to_owned(), engine.version().to_owned());
            outcome.image = Some(ImageName {
                name: image.name.clone(),
                digest: Some(image.digest.clone().unwrap_or_else(|| image.id.clone())),
            });
        }
    }
}

fn console(folder: &Path, limits: &Limits, environment: &Environment) -> Result<Console, Error> {
    let path = folder.join(CONSOLE_LOG);
    let make_room = match path.symlink_metadata() {
        // A template may contain a log.
        Ok(meta) if meta.is_dir() => reclaim::move_aside(&path).map(drop),
        Ok(_) => std::fs::remove_file(&path),
        Err(_) => Ok(()),
    };
    make_room.map_err(Error::io(say!("replace"), &path))?;
    let most = limits.output_bytes.unwrap_or(u64::MAX);
    Console::create(&path, most, environment.secrets()).map_err(Error::io(say!("create"), &path))
}

/// Closes the log, removes secrets, and returns the outcome.
fn close(
    folder: &Path,
    mut console: Console,
    end: &ProcessEnd,
    environment: &Environment,
    on_output: &mut (dyn FnMut(&str) + Send),
) -> Result<Outcome, Error> {
    let log = folder.join(CONSOLE_LOG);
    let note = match end {
        ProcessEnd::Exited { .. } => None,
        ProcessEnd::TimedOut => Some(TIMED_OUT.to_owned()),
        ProcessEnd::Cancelled => Some(INTERRUPTED.to_owned()),
        ProcessEnd::NotStarted { why } | ProcessEnd::Lost { why } => Some(why.to_string()),
    };
    if let Some(note) = note {
        on_output(&console.note(&note).map_err(Error::io(say!("write"), &log))?);
    }
    let (rest, truncated, mut file) = console.into_log().map_err(Error::io(say!("write"), &log))?;
    on_output(&rest);
    let mut warnings = Vec::new();
    warnings.extend(reclaim::log(&log, &mut file).map_err(Error::io(say!("write"), &log))?);
    if truncated {
        warnings.push(say!("the log is longer than its limit and was cut"));
    }
    warn_of_secrets(&redact(folder, environment.secrets()), &mut warnings);
    let mut outcome = outcome_of(end, &text_of(&mut file).map_err(Error::io(say!("read"), &log))?);
    outcome.warnings = warnings;
    Ok(outcome)
}

fn warn_of_secrets(secrets: &Redacted, warnings: &mut Vec<Sentence>) {
    let overwritten =
        secrets.held.iter().map(|path| say!("{} held a secret, which was overwritten", short_path(path)));
    let missed = secrets.missed.iter().map(|(path, error)| {
        say!("{} could not be searched for secrets and may hold one: {error}", short_path(path))
    });
    let all = secrets.held.len() + secrets.missed.len();
    // Files that may still contain a secret come first.
    warnings.extend(missed.chain(overwritten).take(MAX_NAMED_FILES));
    if all > MAX_NAMED_FILES {
        warnings.push(say!("{} more files held a secret or may hold one", all - MAX_NAMED_FILES));
    }
}

/// A path for a message; the middle of a very long one is cut.
fn short_path(path: &Path) -> String {
    let text = if path.as_os_str().is_empty() { ".".to_owned() } else { path.display().to_string() };
    if text.len() <= MAX_PATH_BYTES {
        return text;
    }
    let (first, last) = (
        text.floor_char_boundary(MAX_PATH_BYTES / 2),
        text.ceil_char_boundary(text.len() - MAX_PATH_BYTES / 2),
    );
    format!("{}…{}", &text[..first], &text[last..])
}

/// Outcome for the end of a process. The markers in the log add facts that only `run.sh` knows.
///
/// The markers do not decide the cause, with one exception: a trial without the end marker is not
/// completed.
fn outcome_of(end: &ProcessEnd, log: &str) -> Outcome {
    let marks = markers(log);
    let (cause, detail) = match end {
        ProcessEnd::Exited { code: 0, .. } if marks.ended => (Cause::Completed, None),
        ProcessEnd::Exited { code: 0, .. } => (
            Cause::Failed,
            Some(say!("run.sh was left before its end: one of the scripts it sources calls exit")),
        ),
        ProcessEnd::Exited { out_of_memory: true, .. } => (Cause::OutOfMemory, None),
        ProcessEnd::Exited { code, .. } => (
            Cause::Failed,
            (!marks.ended).then(|| say!("run.sh ended with code {code} before its last line")),
        ),
        ProcessEnd::TimedOut => (Cause::TimedOut, None),
        ProcessEnd::Cancelled => (Cause::Cancelled, None),
        ProcessEnd::NotStarted { why } => (Cause::CouldNotStart, Some(why.clone())),
        ProcessEnd::Lost { why } => (Cause::Lost, Some(why.clone())),
    };
    let mut outcome = Outcome::new(Origin::Recorded, cause);
    outcome.detail = detail;
    outcome.pip_exit_code = marks.pip_exit_code;
    outcome.scenario_seconds = marks.runtime;
    outcome.exit_code = match end {
        ProcessEnd::Exited { code, .. } => i32::try_from(*code).ok(),
        _ => None,
    };
    let absent = match end {
        ProcessEnd::Exited { .. } => say!("the trial ended before scenario.py did"),
        ProcessEnd::NotStarted { .. } => say!("the trial never ran"),
        _ => say!("the trial was stopped before scenario.py ended"),
    };
    if outcome.exit_code.is_none() {
        outcome.unknown.insert("exit_code".to_owned(), absent.clone());
    }
    if outcome.scenario_seconds.is_none() {
        outcome.unknown.insert("scenario_seconds".to_owned(), absent);
    }
    outcome
}

/// Date, time and UTC offset in ISO 8601, with milliseconds.
fn iso(at: &Zoned) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3f%:z").to_string()
}
