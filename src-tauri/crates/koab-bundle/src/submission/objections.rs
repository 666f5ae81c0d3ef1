//! What a maintainer of the leaderboard would object to.

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

/// Everything a maintainer would object to, the gravest first. `pack` are the tasks of the pack
/// that the run names, where it is at hand: with them a changed statement of a task in a log is
/// found as well.
pub fn check(files: &Files, pack: Option<&PackTasks>) -> Vec<Objection> {
    let mut found = Objections::default();
    match Evidence::read(files, pack, &mut found) {
        Some(evidence) => {
            naming::check(&evidence, &mut found);
            let departures = rules::Departures::from_evidence(&evidence);
            departures.object(&[Aspect::Tasks, Aspect::Tools], &evidence, &mut found);
            rules::check_prompts(&evidence, &mut found);
            departures.object(&[Aspect::Recordings], &evidence, &mut found);
            departures.object(&[Aspect::Protocol, Aspect::Settings], &evidence, &mut found);
            // Levels and tasks are counted in the logs.
            coverage::check(&evidence, &mut found);
            departures.object(&[Aspect::Attempts], &evidence, &mut found);
            rules::check_status(&evidence, &mut found);
            departures.object(&[Aspect::Scorer], &evidence, &mut found);
            scores::check_sample(&evidence, &mut found);
            departures.object(&[Aspect::Judges], &evidence, &mut found);
            scores::check(&evidence, &mut found);
            one_run::check(&evidence, &mut found);
            journal::check(&evidence, &mut found);
            report::check(&evidence, &mut found);
            hashes(&evidence, &mut found);
        }
        None => {
            let said = say!("there is no submission.json that can be read");
            found.blocks(FindingCode::Unreadable, paths::SUBMISSION, said, PREPARE_AGAIN);
        }
    }
    found.0.sort_by_key(|objection| std::cmp::Reverse(objection.severity));
    found.0
}

/// Files against their hashes.
fn hashes(evidence: &Evidence<'_>, found: &mut Objections) {
    for (file, is_there) in evidence.submission.changed_files(|path| evidence.files.get(path)) {
        if is_there {
            let said = say!("the file is not the one that was prepared");
            found.blocks(FindingCode::ChangedFile, &file.path, said, PREPARE_AGAIN);
        } else {
            found.blocks(FindingCode::MissingFile, &file.path, gone(), PREPARE_AGAIN);
        }
    }
}

impl Submission {
    /// Whether prompts, tools or rules are not the published ones, by these objections.
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
