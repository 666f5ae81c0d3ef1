//! Objections that a maintainer of the leaderboard would have.

mod coverage;
mod evidence;
mod journal;
mod list;
mod naming;
mod one_run;
mod remedies;
mod report;
mod rules;
mod scores;
#[cfg(test)]
mod tests;

use super::document::Submission;
use super::files::{Files, paths};
use evidence::Evidence;
pub(super) use evidence::PackTasks;
use koab_core::say;
use koab_report::comparability::{Aspect, FindingCode};
pub use list::Objection;
use list::Objections;
pub use remedies::PREPARE_AGAIN;
use remedies::gone;

/// All objections to a submission, the most severe first.
///
/// `pack` contains the tasks of the run's pack, if the pack is available. With these tasks, a
/// changed task text in a log is also found.
pub fn check(files: &Files, pack: Option<&PackTasks>) -> Vec<Objection> {
    let mut objections = Objections::default();
    match Evidence::read(files, pack, &mut objections) {
        Some(evidence) => {
            naming::check(&evidence, &mut objections);
            let departures = rules::Departures::from_evidence(&evidence);
            departures.object(&[Aspect::Tasks, Aspect::Tools], &evidence, &mut objections);
            rules::check_prompts(&evidence, &mut objections);
            departures.object(&[Aspect::Recordings], &evidence, &mut objections);
            departures.object(&[Aspect::Protocol, Aspect::Settings], &evidence, &mut objections);
            // Levels and tasks are counted in the logs.
            coverage::check(&evidence, &mut objections);
            departures.object(&[Aspect::Attempts], &evidence, &mut objections);
            rules::check_status(&evidence, &mut objections);
            departures.object(&[Aspect::Scorer], &evidence, &mut objections);
            scores::check_sample(&evidence, &mut objections);
            departures.object(&[Aspect::Judges], &evidence, &mut objections);
            scores::check(&evidence, &mut objections);
            one_run::check(&evidence, &mut objections);
            journal::check(&evidence, &mut objections);
            report::check(&evidence, &mut objections);
            hashes(&evidence, &mut objections);
        }
        None => {
            let sentence = say!("there is no submission.json that can be read");
            objections.blocks(FindingCode::Unreadable, paths::SUBMISSION, sentence, PREPARE_AGAIN);
        }
    }
    objections.0.sort_by_key(|objection| std::cmp::Reverse(objection.severity));
    objections.0
}

/// Compares the files with the hashes in `submission.json`.
fn hashes(evidence: &Evidence<'_>, objections: &mut Objections) {
    for (file, is_there) in evidence.submission.changed_files(|path| evidence.files.get(path)) {
        if is_there {
            let sentence = say!("the file is not the one that was prepared");
            objections.blocks(FindingCode::ChangedFile, &file.path, sentence, PREPARE_AGAIN);
        } else {
            objections.blocks(FindingCode::MissingFile, &file.path, gone(), PREPARE_AGAIN);
        }
    }
}

impl Submission {
    /// Whether these objections show that prompts, tools or rules differ from the published ones.
    pub fn is_custom(objections: &[Objection]) -> bool {
        objections.iter().any(|objection| {
            matches!(
                objection.code,
                FindingCode::OtherProtocol
                    | FindingCode::OtherSettings
                    | FindingCode::OtherAgent
                    | FindingCode::OtherTasks
                    | FindingCode::OtherTools
                    | FindingCode::OtherPrompts
                    | FindingCode::OtherScorer
            )
        })
    }
}
