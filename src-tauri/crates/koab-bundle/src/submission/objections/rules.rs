//! How the run was made and by whom it was judged: what departs from the published runs by the
//! rules of comparability.

use super::evidence::Evidence;
use super::list::{FileField, Objections};
use super::remedies::within;
use crate::submission::files::paths;
use koab_core::finding::Severity;
use koab_core::say;
use koab_report::comparability::{
    Aspect, Caveat, FindingCode, Grade, PUBLISHED_PROMPTS, RESUME, Scoring, USE_PUBLISHED, with_leaderboard,
};

/// What departs from the published runs.
pub(super) struct Departures(Vec<Caveat>);

impl Departures {
    pub(super) fn from_evidence(evidence: &Evidence<'_>) -> Self {
        let mut facts = evidence.submission.facts.clone();
        // What a report says of its scoring counts; which scores are open is looked up level by
        // level.
        facts.scoring = evidence.report.as_ref().map(|(_, read)| Scoring {
            unscored: 0,
            ..Scoring::from_report(&read.report, read.names_judges)
        });
        Self(with_leaderboard(&facts).findings)
    }

    /// Objects to what departs in these aspects.
    pub(super) fn object(&self, aspects: &[Aspect], evidence: &Evidence<'_>, found: &mut Objections) {
        let against = self.0.iter().filter(|finding| finding.grade > Grade::Comparable);
        for finding in against.filter(|finding| aspects.contains(&finding.aspect)).cloned() {
            let (severity, place) = (severity(&finding), place(evidence, &finding.place));
            found.push(finding.code, severity, place, finding.reason, finding.remedy);
        }
    }
}

/// A run that did not come to its end.
pub(super) fn check_status(evidence: &Evidence<'_>, found: &mut Objections) {
    let status = evidence.submission.run_status.iter();
    for status in status.filter(|status| *status != "completed") {
        let said = say!("the run did not come to its end: {status}");
        let place = within(paths::SUBMISSION, "run_status");
        found.blocks(FindingCode::IncompleteRun, place, said, RESUME);
    }
}

/// What moves the numbers a little will be asked. Of these the ones that a row cannot stand beside
/// the others with, or that are mended without a new run, block as well.
fn severity(finding: &Caveat) -> Severity {
    use FindingCode::{IncompleteRun, NoJudge, OtherJudges, Repetitions};
    let code = finding.code;
    let is_grave = matches!(code, Repetitions | IncompleteRun | NoJudge | OtherJudges);
    if is_grave || finding.grade == Grade::NotComparable { Severity::Error } else { Severity::Warning }
}

/// Where a fact stands in the files.
fn place(evidence: &Evidence<'_>, fact: &str) -> FileField {
    let of_report = match fact {
        "scoring.scorer" => "summary.scorer",
        "scoring.judges" => "summary.judge_model",
        "scoring.votes" => "summary.judge_votes",
        _ => return within(paths::SUBMISSION, &format!("facts.{fact}")),
    };
    let report = evidence.report.as_ref().map_or(paths::REPORTS, |(path, _)| path);
    within(report, of_report)
}

/// Prompts that the judges were asked with.
pub(super) fn check_prompts(evidence: &Evidence<'_>, found: &mut Objections) {
    let at = within(paths::SUBMISSION, "prompts_sha256");
    match evidence.submission.prompts_sha256.get() {
        Ok(sha256) if sha256 == PUBLISHED_PROMPTS => {}
        Ok(_) => {
            let said = say!("the prompts that the judges were asked with are not the published ones");
            found.blocks(FindingCode::OtherPrompts, at, said, USE_PUBLISHED);
        }
        Err(reason) => {
            let said =
                say!("whether the judges were asked with the published prompts is not known: {reason}");
            found.warns(FindingCode::NotKnown, at, said, USE_PUBLISHED);
        }
    }
}
