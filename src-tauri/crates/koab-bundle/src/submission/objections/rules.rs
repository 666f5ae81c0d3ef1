//! Objections to the settings of the run and of its judging, by the rules of comparability.

use super::evidence::Evidence;
use super::list::{FileField, Objections};
use super::remedies::within;
use crate::submission::files::paths;
use koab_core::finding::Severity;
use koab_core::say;
use koab_report::comparability::{
    Aspect, Caveat, FindingCode, Grade, PUBLISHED_PROMPTS, RESUME, Scoring, USE_PUBLISHED, with_leaderboard,
};

/// Differences of the run from the published runs.
pub(super) struct Departures(Vec<Caveat>);

impl Departures {
    pub(super) fn from_evidence(evidence: &Evidence<'_>) -> Self {
        let mut facts = evidence.submission.facts.clone();
        // The scoring is taken from the report. Missing scores are checked level by level
        // elsewhere.
        facts.scoring = evidence.report.as_ref().map(|(_, read)| Scoring {
            unscored: 0,
            ..Scoring::from_report(&read.report, read.names_judges)
        });
        Self(with_leaderboard(&facts).findings)
    }

    /// Objects to differences from the published runs in these aspects.
    pub(super) fn object(&self, aspects: &[Aspect], evidence: &Evidence<'_>, objections: &mut Objections) {
        let against = self.0.iter().filter(|finding| finding.grade > Grade::Comparable);
        for finding in against.filter(|finding| aspects.contains(&finding.aspect)).cloned() {
            let (severity, place) = (severity(&finding), place(evidence, &finding.place));
            objections.push(finding.code, severity, place, finding.reason, finding.remedy);
        }
    }
}

/// Objects to a run that is not complete.
pub(super) fn check_status(evidence: &Evidence<'_>, objections: &mut Objections) {
    let status = evidence.submission.run_status.iter();
    for status in status.filter(|status| *status != "completed") {
        let sentence = say!("the run is not complete: {status}");
        let place = within(paths::SUBMISSION, "run_status");
        objections.blocks(FindingCode::IncompleteRun, place, sentence, RESUME);
    }
}

/// Severity of a difference from the published runs. Most differences are warnings.
///
/// A difference is an error if it makes the row incomparable, or if it can be removed without a new
/// run.
fn severity(finding: &Caveat) -> Severity {
    use FindingCode::{IncompleteRun, NoJudge, OtherJudges, Repetitions};
    let code = finding.code;
    let is_grave = matches!(code, Repetitions | IncompleteRun | NoJudge | OtherJudges);
    if is_grave || finding.grade == Grade::NotComparable { Severity::Error } else { Severity::Warning }
}

/// File and field that contain a fact.
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

/// Objects to judges' prompts that differ from the published ones.
pub(super) fn check_prompts(evidence: &Evidence<'_>, objections: &mut Objections) {
    let at = within(paths::SUBMISSION, "prompts_sha256");
    match evidence.submission.prompts_sha256.get() {
        Ok(sha256) if sha256 == PUBLISHED_PROMPTS => {}
        Ok(_) => {
            let sentence = say!("the prompts that the judges were asked with are not the published ones");
            objections.blocks(FindingCode::OtherPrompts, at, sentence, USE_PUBLISHED);
        }
        Err(reason) => {
            let sentence =
                say!("whether the judges were asked with the published prompts is not known: {reason}");
            objections.warns(FindingCode::NotKnown, at, sentence, USE_PUBLISHED);
        }
    }
}
