//! Runs one trial: makes its folder, runs its script where the run says, and records how it ended.
//!
//! Whatever happens after the folder is made, `outcome.json` is written last; a trial without one
//! was not finished and runs again next time.

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

/// What `run.sh` is run with. Both streams are one, so that the log keeps their order.
const COMMAND: [&str; 3] = ["sh", "-c", "exec sh run.sh 2>&1"];
/// Line in the log of a trial that ran out of time, known to readers of the original's logs.
const TIMED_OUT: &str = "Docker timed out.";
/// Line in the log of a trial that the user stopped, known to them as well.
const INTERRUPTED: &str = "Keyboard interrupt (Ctrl-C). Attempting to exit gracefully.";

/// Exit code of what was killed.
const KILLED: i32 = 137;
/// Said of it where the engine may have lost why.
const MAYBE_MEMORY: &str = text!("scenario.py was killed; this engine does not say whether for its memory");

/// Files that held secrets and are named in a trial's warnings.
const MOST_FILES: usize = 20;
/// Bytes of a path in a warning.
const LONGEST_PATH: usize = 200;

/// Said where the engine holds nobody to limits.
pub const NO_LIMITS: &str = text!(
    "this engine runs without root on control groups of version 1, where it cannot limit memory, \
     processors and processes: trials run without these limits"
);

/// Where trials run.
#[derive(Clone)]
pub enum TrialRuntime {
    /// Each in a container of its own.
    Docker {
        /// The engine.
        engine: Engine,
        /// What containers are made from.
        image: Image,
        /// The process they belong to.
        owner: Arc<Owner>,
    },
    /// On this computer itself, which the user has to have agreed to.
    Native,
}

impl TrialRuntime {
    /// The name of the runtime in results.
    #[must_use]
    pub fn setting(&self) -> Setting {
        match self {
            Self::Docker { .. } => Setting::Docker,
            Self::Native => Setting::Native,
        }
    }
}

/// What all trials of a run share.
pub struct TrialSetup {
    /// Where results lie.
    pub layout: Layout,
    /// Where trials run.
    pub runtime: TrialRuntime,
    /// What a trial may use; a scenario's own time limit replaces the one here.
    pub limits: Limits,
    /// What goes into every trial's folder.
    pub extras: Extras,
    /// The model that trials may call without a key.
    pub model: Option<Arc<dyn OfferedModel>>,
    /// The command line that started the run, without secrets.
    pub command: Vec<String>,
}

/// One trial to be run.
pub struct Trial<'a> {
    /// What it shares with the others.
    pub setup: &'a TrialSetup,
    /// Which it is.
    pub id: &'a TrialId,
    /// What it runs.
    pub instance: &'a Instance,
    /// What it finds in its environment, its own secrets included.
    pub environment: &'a Environment,
}

impl Trial<'_> {
    /// Runs the trial. Its folder must not be there.
    ///
    /// `seen` is given each piece of the console log as it is written.
    ///
    /// # Errors
    /// When the disk refuses; a trial that cannot be made or started is an outcome.
    pub async fn run(
        &self,
        cancel: &CancellationToken,
        seen: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Outcome, Error> {
        let started = (Zoned::now(), Instant::now());
        let folder = self.setup.layout.trial(self.id);
        let limits = self.limits();
        let mut environment = self.environment.clone();
        let mut outcome = match self.make() {
            Ok(expanded) => {
                let offered = match &self.setup.model {
                    Some(model) => model.offer(self.id, &mut environment).await,
                    None => Ok(()),
                };
                let mut console = console(&folder, &limits, &environment)?;
                let ended = match offered {
                    Ok(()) => self.execute(&folder, &limits, &environment, &mut console, cancel, seen).await,
                    Err(why) => Ok(ProcessEnd::NotStarted { why }),
                };
                // Also where nothing can be written any more, the model is taken back.
                let reclaimed = reclaim::folder(&folder);
                let model_calls = match &self.setup.model {
                    Some(model) => model.take_back(self.id, &folder).await,
                    None => None,
                };
                let ended = ended.map_err(Error::io(say!("write"), &folder.join(CONSOLE_LOG)))?;
                let reclaimed = reclaimed.map_err(Error::io(say!("write to"), &folder))?;
                let mut outcome = close(&folder, console, &ended, &environment, seen)?;
                outcome.warnings.splice(0..0, reclaimed);
                outcome.model_calls = model_calls;
                outcome.template_sha256 = Some(expanded.template_sha256);
                outcome.warnings.splice(0..0, expanded.warnings);
                outcome
            }
            // Whoever made it may be running it: nothing of it is touched.
            Err(error @ Error::TrialExists(_)) => return Err(error),
            Err(error) => {
                let why = error.to_sentence();
                std::fs::create_dir_all(&folder).map_err(Error::io(say!("create"), &folder))?;
                let console = console(&folder, &limits, &environment)?;
                close(&folder, console, &ProcessEnd::NotStarted { why }, &environment, seen)?
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
            // Either may do without; neither gives a network that the other does not want.
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
        seen: &mut (dyn FnMut(&str) + Send),
    ) -> std::io::Result<ProcessEnd> {
        let environment = environment.variables();
        match &self.setup.runtime {
            TrialRuntime::Docker { engine, image, owner } => {
                // The engine wants paths from the root.
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
                container.run(console, cancel, seen).await
            }
            TrialRuntime::Native => {
                let native = Native {
                    command: &COMMAND,
                    environment,
                    folder,
                    time: limits.timeout_s.map(Duration::from_secs),
                };
                native.run(console, cancel, seen).await
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
        // A template may bring a log along.
        Ok(there) if there.is_dir() => reclaim::move_aside(&path).map(drop),
        Ok(_) => std::fs::remove_file(&path),
        Err(_) => Ok(()),
    };
    make_room.map_err(Error::io(say!("replace"), &path))?;
    let most = limits.output_bytes.unwrap_or(u64::MAX);
    Console::create(&path, most, environment.secrets()).map_err(Error::io(say!("create"), &path))
}

/// Ends the log, removes secrets, and says what the end means.
fn close(
    folder: &Path,
    mut console: Console,
    ended: &ProcessEnd,
    environment: &Environment,
    seen: &mut (dyn FnMut(&str) + Send),
) -> Result<Outcome, Error> {
    let log = folder.join(CONSOLE_LOG);
    let note = match ended {
        ProcessEnd::Exited { .. } => None,
        ProcessEnd::TimedOut => Some(TIMED_OUT.to_owned()),
        ProcessEnd::Cancelled => Some(INTERRUPTED.to_owned()),
        ProcessEnd::NotStarted { why } | ProcessEnd::Lost { why } => Some(why.to_string()),
    };
    if let Some(note) = note {
        seen(&console.note(&note).map_err(Error::io(say!("write"), &log))?);
    }
    let (rest, truncated, mut file) = console.into_log().map_err(Error::io(say!("write"), &log))?;
    seen(&rest);
    let mut warnings = Vec::new();
    warnings.extend(reclaim::log(&log, &mut file).map_err(Error::io(say!("write"), &log))?);
    if truncated {
        warnings.push(say!("the log is longer than its limit and was cut"));
    }
    warn_of_secrets(&redact(folder, environment.secrets()), &mut warnings);
    let mut outcome = judged(ended, &text_of(&mut file).map_err(Error::io(say!("read"), &log))?);
    outcome.warnings = warnings;
    Ok(outcome)
}

fn warn_of_secrets(secrets: &Redacted, warnings: &mut Vec<Sentence>) {
    let held = secrets.held.iter().map(|path| say!("{} held a secret, which was overwritten", shown(path)));
    let missed = secrets.missed.iter().map(|(path, error)| {
        say!("{} could not be searched for secrets and may hold one: {error}", shown(path))
    });
    let all = secrets.held.len() + secrets.missed.len();
    // What may still hold one matters most.
    warnings.extend(missed.chain(held).take(MOST_FILES));
    if all > MOST_FILES {
        warnings.push(say!("{} more files held a secret or may hold one", all - MOST_FILES));
    }
}

/// A path in a sentence: its ends, where a scenario made it longer than anybody reads.
fn shown(path: &Path) -> String {
    let text = match path.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => path.display().to_string(),
    };
    if text.len() <= LONGEST_PATH {
        return text;
    }
    let (first, last) =
        (text.floor_char_boundary(LONGEST_PATH / 2), text.ceil_char_boundary(text.len() - LONGEST_PATH / 2));
    format!("{}…{}", &text[..first], &text[last..])
}

/// What an end means. The log's markers say what only `run.sh` can know; how the trial ended they
/// do not decide.
fn judged(ended: &ProcessEnd, log: &str) -> Outcome {
    let said = markers(log);
    let (cause, detail) = match ended {
        ProcessEnd::Exited { code: 0, .. } if said.ended => (Cause::Completed, None),
        ProcessEnd::Exited { code: 0, .. } => (
            Cause::Failed,
            Some(say!("run.sh was left before its end: one of the scripts it sources calls exit")),
        ),
        ProcessEnd::Exited { out_of_memory: true, .. } => (Cause::OutOfMemory, None),
        ProcessEnd::Exited { code, .. } => {
            (Cause::Failed, (!said.ended).then(|| say!("run.sh ended with code {code} before its last line")))
        }
        ProcessEnd::TimedOut => (Cause::TimedOut, None),
        ProcessEnd::Cancelled => (Cause::Cancelled, None),
        ProcessEnd::NotStarted { why } => (Cause::CouldNotStart, Some(why.clone())),
        ProcessEnd::Lost { why } => (Cause::Lost, Some(why.clone())),
    };
    let mut outcome = Outcome::new(Origin::Recorded, cause);
    outcome.detail = detail;
    outcome.pip_exit_code = said.pip_exit_code;
    outcome.scenario_seconds = said.runtime;
    outcome.exit_code = match ended {
        ProcessEnd::Exited { code, .. } => i32::try_from(*code).ok(),
        _ => None,
    };
    let absent = match ended {
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

/// Date, time and offset as ISO 8601 has them, to the millisecond.
fn iso(at: &Zoned) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3f%:z").to_string()
}
