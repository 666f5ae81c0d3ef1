//! The folder of an attempt, with a home and a working folder that no other attempt has.

use crate::definition::Definition;
use crate::placeholders::Values;
use koab_core::say;
use koab_core::sentence::Sentence;
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the file with the attempt's model calls.
pub(crate) const MODEL_CALLS: &str = "model_calls.jsonl";
/// Name of the file that is written when the attempt has ended. It describes how the attempt ended.
pub(crate) const ATTEMPT: &str = "attempt.json";
/// Name of the file with the output of the program.
pub(crate) const CONSOLE: &str = "console.log";

/// Name of the subfolder that is mounted into a container.
const SHOWN: &str = "inside";
/// Path of the mounted subfolder in the container.
pub(crate) const INSIDE: &str = "/attempt";

/// Whether a folder of this name belongs to the agent. koab does not search such a folder for its
/// own files.
pub(crate) fn is_agent_s(name: &str) -> bool {
    ["home", "work", SHOWN].contains(&name)
}

/// Path of the folder of an attempt.
pub(crate) fn of_attempt(agents: &Path, task: &str, repetition: u32) -> PathBuf {
    agents.join(name_of(task)).join(repetition.to_string())
}

/// The folder of an attempt.
pub(crate) struct AttemptFolder {
    pub(crate) folder: PathBuf,
    /// Part of the folder that the agent uses: the whole folder, or the subfolder that is mounted
    /// into its container.
    pub(crate) shown: PathBuf,
    /// Path that the agent's part of the folder has for the agent.
    pub(crate) seen: PathBuf,
}

impl AttemptFolder {
    /// Creates the folder, for an agent on this computer or in a container. Removes the files of an
    /// earlier attempt, except the record of its model calls, which were paid for.
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
        let to_error = |error: std::io::Error| say!("{} cannot be made: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(to_error)?;
        for entry in fs::read_dir(&folder).map_err(to_error)? {
            let path = entry.map_err(to_error)?.path();
            let is_calls =
                path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("model_calls"));
            if is_calls {
                continue;
            }
            let is_folder = path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
            let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(to_error)?;
        }
        let calls = folder.join(MODEL_CALLS);
        if calls.exists() {
            let earlier = (1..).map(|n| folder.join(format!("model_calls.{n}.jsonl")));
            let free = earlier.into_iter().find(|path| !path.exists());
            free.map_or(Ok(()), |free| fs::rename(&calls, free)).map_err(to_error)?;
        }
        let (shown, seen) = if contained {
            (folder.join(SHOWN), PathBuf::from(INSIDE))
        } else {
            (folder.clone(), folder.clone())
        };
        for name in ["home", "work"] {
            fs::create_dir_all(shown.join(name)).map_err(to_error)?;
        }
        Ok(Self { folder, shown, seen })
    }

    /// Path of the agent's home folder on this computer.
    pub(crate) fn home(&self) -> PathBuf {
        self.shown.join("home")
    }

    /// File of the attempt's model calls.
    pub(crate) fn calls(&self) -> PathBuf {
        self.folder.join(MODEL_CALLS)
    }

    /// Writes the prompt, the script and the files of a definition into the folder.
    ///
    /// # Errors
    /// When a file would be outside of the attempt's folder, or the disk refuses.
    pub(crate) fn fill(
        &self,
        definition: &Definition,
        values: &Values,
        prompt: &str,
    ) -> Result<(), Sentence> {
        let write = |path: &Path, text: &str| {
            let parent = path.parent().map_or(Ok(()), fs::create_dir_all);
            parent
                .and_then(|()| fs::write(path, text))
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

    /// Converts `seen`, a path that the agent uses, to a path on this computer; `None` if the path
    /// is outside of the agent's part of the folder.
    fn here(&self, seen: &Path) -> Option<PathBuf> {
        let rest = seen.strip_prefix(&self.seen).ok()?;
        let mut parts = rest.components();
        let inside = parts.all(|part| matches!(part, std::path::Component::Normal(_)));
        inside.then(|| self.shown.join(rest))
    }

    /// Path on this computer of a file that the agent wrote; `seen` is the path that the agent
    /// uses, which differs in a container. `None` if there is no such file, or if a link is on its
    /// path.
    pub(crate) fn left(&self, seen: &Path) -> Option<PathBuf> {
        let path = match self.here(seen) {
            Some(path) => path,
            // Without a container a definition may name any file.
            None if self.shown == self.folder => seen.to_owned(),
            None => return None,
        };
        // A link that the agent made may lead to any file.
        let is_file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
        let own = path.ancestors().skip(1).take_while(|above| **above != self.shown);
        let is_led = |folder: &Path| folder.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        let led = self.shown != self.folder && own.into_iter().any(is_led);
        (is_file && !led).then_some(path)
    }
}

/// Records the number of calls that arrived after the end of an attempt. The attempt is named
/// `TASK#REPETITION`.
pub(crate) fn note_late(agents: &Path, attempt: &str, calls: u32) {
    let Some((task, repetition)) = attempt.rsplit_once('#') else {
        return;
    };
    let path = agents.join(name_of(task)).join(repetition).join(ATTEMPT);
    let text = fs::read_to_string(&path).unwrap_or_default();
    if let Ok(mut document) = serde_json::from_str::<serde_json::Value>(&text) {
        document["after_end"] = calls.into();
        // An error is ignored, because the attempt is over and scored.
        let _noted = fs::write(&path, format!("{document:#}\n"));
    }
}

/// Name of the folder for a task with this id.
fn name_of(task: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let name: String = task.chars().map(|c| if plain(c) { c } else { '_' }).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}

#[cfg(test)]
mod tests;
