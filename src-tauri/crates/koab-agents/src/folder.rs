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

/// An attempt's folder.
pub(crate) struct AttemptFolder {
    pub(crate) folder: PathBuf,
}

impl AttemptFolder {
    /// Makes it anew. Calls that an attempt made which was broken off have been paid and stay.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(crate) fn make(agents: &Path, task: &str, repetition: u32) -> Result<Self, Sentence> {
        let folder = agents.join(name_of(task)).join(repetition.to_string());
        let refused = |error: std::io::Error| say!("{} cannot be made: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(refused)?;
        for entry in fs::read_dir(&folder).map_err(refused)? {
            let path = entry.map_err(refused)?.path();
            let is_calls = path
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("model_calls"));
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
            free.map_or(Ok(()), |free| fs::rename(&calls, free))
                .map_err(refused)?;
        }
        for name in ["home", "work"] {
            fs::create_dir(folder.join(name)).map_err(refused)?;
        }
        Ok(Self { folder })
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
        write(&self.folder.join("prompt.txt"), prompt)?;
        if let Some(script) = &definition.script_text {
            write(&self.folder.join("agent.py"), script)?;
        }
        for (path, text) in &definition.files {
            let filled = PathBuf::from(values.fill(path));
            let inside = filled.strip_prefix(&self.folder).is_ok_and(|rest| {
                rest.components()
                    .all(|part| matches!(part, std::path::Component::Normal(_)))
            });
            if !inside {
                return Err(say!(
                    "the file {path} of the definition lies outside of {{home}} and {{work}}"
                ));
            }
            write(&filled, &values.fill(text))?;
        }
        Ok(())
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
