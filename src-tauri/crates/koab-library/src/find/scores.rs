//! Scores of a run's attempts in its reports.

use crate::Library;
use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_store::report_files::ReportFolder;
use std::collections::HashMap;

/// Scores of a run's tasks in all reports of the run. They are the scores of the first repetition.
#[derive(Default)]
pub(super) struct RunScores(HashMap<(Level, String), Vec<(MetricId, f64)>>);

impl RunScores {
    /// Reads the scores in these reports. Also returns why a report could not be read.
    pub(super) fn read(library: &Library, reports: &[ReportFolder]) -> (Self, Vec<Sentence>) {
        let (mut scores, mut problems) = (Self::default(), Vec::new());
        for folder in reports {
            let loaded = match library.load_report(folder) {
                Ok(loaded) => loaded,
                Err(error) => {
                    problems.push(error.message);
                    continue;
                }
            };
            let report = loaded.whole.as_ref().map_or(&loaded.report, |whole| &whole.report);
            for level in &report.levels {
                for task in &level.tasks {
                    let of_task = scores.0.entry((level.level.clone(), task.id.clone())).or_default();
                    let values =
                        task.scores.iter().filter_map(|(metric, score)| Some((*metric, score.value()?)));
                    of_task.extend(values);
                }
            }
        }
        (scores, problems)
    }

    /// Scores of a task.
    pub(super) fn of(&self, level: &Level, task: &str) -> Vec<(MetricId, f64)> {
        self.0.get(&(level.clone(), task.to_owned())).cloned().unwrap_or_default()
    }
}
