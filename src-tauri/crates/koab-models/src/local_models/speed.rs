//! Speed of local models on this machine, as the doctor last measured it.

use super::LocalSettings;
use crate::{Models, local_name};
use koab_engine::files::if_there;
use koab_store::atomic;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Speed of a model in one conversation alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalSpeed {
    /// Prompt tokens read per second.
    pub prompt_per_second: f64,
    /// Tokens generated per second.
    pub written_per_second: f64,
}

impl LocalSpeed {
    /// Estimated seconds of an attempt with `turns` answers, whose prompts have `prompt` tokens and
    /// answers `written` tokens in total.
    ///
    /// Each prompt contains the conversation so far, and the model does not read that part again.
    /// So it reads about as many tokens as the last prompt has, which are at most twice the mean.
    pub fn seconds(&self, turns: f64, prompt: f64, written: f64) -> f64 {
        let read = prompt.min(2.0 * prompt / turns.max(1.0));
        read / self.prompt_per_second + written / self.written_per_second
    }
}

/// A speed with its model and settings.
#[derive(Debug, Serialize, Deserialize)]
struct MeasuredSpeed {
    model: String,
    settings: LocalSettings,
    #[serde(flatten)]
    speed: LocalSpeed,
}

impl Models {
    /// Speed of a local model with these settings. `None` if the doctor has not measured it, or if
    /// the id does not mean a local model.
    ///
    /// # Errors
    /// When the file of speeds cannot be read.
    pub fn local_speed(&self, id: &str, settings: &LocalSettings) -> Result<Option<LocalSpeed>, WireError> {
        let Some(name) = local_name(id) else {
            return Ok(None);
        };
        let settings = relevant_to_speed(settings);
        let speeds = self.local_speeds()?.into_iter();
        let mut same = speeds.filter(|one| one.model == name && one.settings == settings);
        Ok(same.next().map(|one| one.speed))
    }

    /// Saves a speed. It replaces the earlier measurement.
    ///
    /// # Errors
    /// When the file of speeds cannot be read or written.
    pub fn keep_local_speed(
        &self,
        name: &str,
        settings: &LocalSettings,
        speed: LocalSpeed,
    ) -> Result<(), WireError> {
        let (model, settings) = (name.to_owned(), relevant_to_speed(settings));
        let mut speeds = self.local_speeds()?;
        speeds.retain(|one| one.model != model || one.settings != settings);
        speeds.push(MeasuredSpeed { model, settings, speed });
        let text = serde_json::to_vec_pretty(&speeds).map_err(WireError::internal)?;
        let folder = self.workspace.home().models();
        std::fs::create_dir_all(&folder).map_err(|error| WireError::unwritable(&folder, error))?;
        Ok(atomic::write(&self.speeds_file(), &text)?)
    }

    fn local_speeds(&self) -> Result<Vec<MeasuredSpeed>, WireError> {
        let path = self.speeds_file();
        let text = if_there(std::fs::read(&path)).map_err(|error| WireError::unreadable(&path, error))?;
        text.map_or_else(
            || Ok(Vec::new()),
            |text| serde_json::from_slice(&text).map_err(|error| WireError::damaged(&path, &error)),
        )
    }

    fn speeds_file(&self) -> PathBuf {
        self.workspace.home().models().join("speeds.json")
    }
}

/// The settings without those that do not affect the speed.
fn relevant_to_speed(settings: &LocalSettings) -> LocalSettings {
    LocalSettings { context: None, tool_form: None, constrained: false, ..settings.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_that_of_its_model_and_settings_and_the_last_one_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let models = Models::at(folder.path());
        let speed = |written| LocalSpeed { prompt_per_second: 100.0, written_per_second: written };
        let plain = LocalSettings::default();
        let long = LocalSettings { context: Some(2048), ..plain.clone() };
        let threads = LocalSettings { threads: Some(2), ..plain.clone() };
        assert_eq!(models.local_speed("local/a", &plain).expect("read"), None);
        models.keep_local_speed("a", &plain, speed(1.0)).expect("kept");
        models.keep_local_speed("a", &threads, speed(2.0)).expect("kept");
        models.keep_local_speed("a", &plain, speed(3.0)).expect("kept");
        let found = |id, settings| models.local_speed(id, settings).expect("read");
        assert_eq!(found("local/a", &long), Some(speed(3.0)));
        assert_eq!(found("local/a", &threads), Some(speed(2.0)));
        assert_eq!((found("local/b", &plain), found("openai/a", &plain)), (None, None));
        std::fs::write(models.speeds_file(), "[{").expect("written");
        let error = models.local_speed("local/a", &plain).expect_err("damaged");
        assert!(
            error.to_string().contains("speeds.json cannot be read")
                && error.to_string().contains("move it away"),
            "{error:?}"
        );
    }

    #[test]
    fn what_was_said_before_is_read_once() {
        let speed = LocalSpeed { prompt_per_second: 100.0, written_per_second: 10.0 };
        assert_eq!(speed.seconds(1.0, 500.0, 20.0), 5.0 + 2.0);
        assert_eq!(speed.seconds(5.0, 5_000.0, 100.0), 20.0 + 10.0);
    }
}
