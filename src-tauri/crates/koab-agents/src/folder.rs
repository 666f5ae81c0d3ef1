//! The folder of an attempt: a home and a working folder that nobody else has.

use crate::definition::Definition;
use crate::placeholders::Values;
use koab_core::say;
use koab_core::sentence::Sentence;
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the record of its model calls.
pub(crate) const MODEL_CALLS: &str = "model_calls.jsonl";
/// Says that the attempt is over, and how.
pub(crate) const ATTEMPT: &str = "attempt.json";
/// What it printed.
pub(crate) const CONSOLE: &str = "console.log";

/// What of it a container is shown.
const SHOWN: &str = "inside";
/// Where a container sees that.
pub(crate) const INSIDE: &str = "/attempt";

/// Whether a folder of this name is the agent's to write in, so that nothing of ours is looked for
/// there.
pub(crate) fn is_agent_s(name: &str) -> bool {
    ["home", "work", SHOWN].contains(&name)
}

/// Where an attempt is.
pub(crate) fn of_attempt(agents: &Path, task: &str, repetition: u32) -> PathBuf {
    agents.join(name_of(task)).join(repetition.to_string())
}

/// An attempt's folder.
pub(crate) struct AttemptFolder {
    pub(crate) folder: PathBuf,
    /// The part of it that the agent is to use: all of it, or what its container is shown.
    pub(crate) shown: PathBuf,
    /// Where the agent sees that part.
    pub(crate) seen: PathBuf,
}

impl AttemptFolder {
    /// Makes it anew, for an agent on this computer or in a container. Calls that an attempt made
    /// which was broken off have been paid and stay.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(crate) fn make(
        agents: &Path,
        task: &str,
        repetition: u32,
        contained: bool,
    ) -> Result<Self, Sentence> {
        let folder = of_attempt(agents, task, repetition);
        let refused = |error: std::io::Error| say!("{} cannot be made: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(refused)?;
        for entry in fs::read_dir(&folder).map_err(refused)? {
            let path = entry.map_err(refused)?.path();
            let is_calls =
                path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("model_calls"));
            if is_calls {
                continue;
            }
            let is_folder = path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
            let removed = match is_folder {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
            removed.map_err(refused)?;
        }
        let calls = folder.join(MODEL_CALLS);
        if calls.exists() {
            let earlier = (1..).map(|n| folder.join(format!("model_calls.{n}.jsonl")));
            let free = earlier.into_iter().find(|path| !path.exists());
            free.map_or(Ok(()), |free| fs::rename(&calls, free)).map_err(refused)?;
        }
        let (shown, seen) = match contained {
            true => (folder.join(SHOWN), PathBuf::from(INSIDE)),
            false => (folder.clone(), folder.clone()),
        };
        for name in ["home", "work"] {
            fs::create_dir_all(shown.join(name)).map_err(refused)?;
        }
        Ok(Self { folder, shown, seen })
    }

    /// Its home on this computer.
    pub(crate) fn home(&self) -> PathBuf {
        self.shown.join("home")
    }

    /// Where its model calls are written.
    pub(crate) fn calls(&self) -> PathBuf {
        self.folder.join(MODEL_CALLS)
    }

    /// Puts the files of a definition there.
    ///
    /// # Errors
    /// When one is to lie outside of the attempt's folder, or the disk refuses.
    pub(crate) fn fill(
        &self,
        definition: &Definition,
        values: &Values,
        prompt: &str,
    ) -> Result<(), Sentence> {
        let write = |path: &Path, text: &str| {
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            made.and_then(|()| fs::write(path, text))
                .map_err(|error| say!("{} cannot be written: {error}", path.display()))
        };
        write(&self.shown.join("prompt.txt"), prompt)?;
        if let Some(script) = &definition.script_text {
            write(&self.shown.join("agent.py"), script)?;
        }
        for (path, text) in &definition.files {
            let Some(filled) = self.here(Path::new(&values.fill(path))) else {
                return Err(say!("the file {path} of the definition lies outside of {{home}} and {{work}}"));
            };
            write(&filled, &values.fill(text))?;
        }
        Ok(())
    }

    /// Where a path that the agent sees lies on this computer; `None` outside of what it is to use.
    fn here(&self, seen: &Path) -> Option<PathBuf> {
        let rest = seen.strip_prefix(&self.seen).ok()?;
        let mut parts = rest.components();
        let inside = parts.all(|part| matches!(part, std::path::Component::Normal(_)));
        inside.then(|| self.shown.join(rest))
    }

    /// Where a file that the agent left lies on this computer; `None` where there is none, or a
    /// link leads to it.
    pub(crate) fn left(&self, seen: &Path) -> Option<PathBuf> {
        let path = match self.here(seen) {
            Some(path) => path,
            // On this computer a definition may name any file.
            None if self.shown == self.folder => seen.to_owned(),
            None => return None,
        };
        // A link that the agent made leads wherever it likes.
        let is_file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
        let own = path.ancestors().skip(1).take_while(|above| **above != self.shown);
        let is_led = |folder: &Path| folder.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        let led = self.shown != self.folder && own.into_iter().any(is_led);
        (is_file && !led).then_some(path)
    }
}

/// Notes calls that came when an attempt, `TASK#REPETITION`, was over.
pub(crate) fn note_late(agents: &Path, attempt: &str, calls: u32) {
    let Some((task, repetition)) = attempt.rsplit_once('#') else {
        return;
    };
    let path = agents.join(name_of(task)).join(repetition).join(ATTEMPT);
    let text = fs::read_to_string(&path).unwrap_or_default();
    if let Ok(mut told) = serde_json::from_str::<serde_json::Value>(&text) {
        told["after_end"] = calls.into();
        // The attempt is over and scored; what cannot be noted changes nothing of it.
        let _noted = fs::write(&path, format!("{told:#}\n"));
    }
}

/// A task's id as the name of a folder.
fn name_of(task: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let name: String = task.chars().map(|c| if plain(c) { c } else { '_' }).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}

#[cfg(test)]
mod tests;
