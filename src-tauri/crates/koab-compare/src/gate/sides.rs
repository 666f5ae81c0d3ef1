//! Checks whether the two sides of a gate can be compared.

use super::baseline::Baseline;
use super::request::GateRequest;
use koab_core::pack::PackKind;
use koab_core::run_record::RunSettings;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_report::comparability::{Fact, RecordingsUsed, between};
use koab_workspace::WireError;

/// Differences between the sides other than the change. `model` is the model of the baseline's new
/// attempts, `judges` are the judges of the new attempts.
///
/// # Errors
/// When the existing and the new attempts are of two models or have different judges.
pub(super) fn check(
    baseline: &Baseline,
    request: &GateRequest,
    kind: PackKind,
    model: Option<&str>,
    judges: &[String],
) -> Result<Vec<Sentence>, WireError> {
    let (report, word) = (&baseline.report, &request.baseline);
    if let Some(model) = model.filter(|model| !report.model.is_empty() && !is_same(model, &report.model)) {
        let of_report = &report.model;
        return Err(WireError::bad_request(say!(
            "the baseline {word} is of {of_report}, and --baseline-model is {model}; a baseline has attempts of one model only"
        )));
    }
    let mut remarks = baseline.remarks.clone();
    // A pack of requests has one judge, and defines itself how often that judge is asked.
    let (judges, votes_differ) = if kind.is_request() {
        (judges.get(..1).unwrap_or_default(), false)
    } else {
        (judges, report.panel_differs())
    };
    if kind.is_judged(request.metric) {
        if !baseline.names_judges {
            remarks.push(say!("the baseline {word} does not name its judges"));
        } else if !is_same_panel(judges, &report.judges) || votes_differ {
            let (then, votes, now) = (report.judges.join(", "), report.votes, judges.join(", "));
            return Err(WireError::bad_request(if kind.is_request() {
                say!(
                    "the baseline {word} was judged by {then}, and the gate asks {now}; score the baseline's run by the same judge, or name the baseline's judge"
                )
            } else {
                say!(
                    "the baseline {word} was judged by {then} with {votes} votes, and the gate asks {now} with 3; score the baseline's run by the same judges, or name the baseline's judges"
                )
            }));
        }
    }
    let Some(facts) = &baseline.facts else {
        return Ok(remarks);
    };
    let mut candidate = facts.clone();
    if let Some(settings) = candidate.settings.value.as_mut() {
        let baseline = &settings.run;
        let (temperature, max_tokens) = kind.sampling();
        // The candidate of a pack of requests uses the model's own limit, if it has one. The
        // baseline's run has recorded that limit.
        let sampling = (temperature, max_tokens.or(baseline.max_tokens));
        settings.run = RunSettings {
            repetitions: baseline.repetitions,
            ..request.candidate.settings.clone().with_sampling(sampling)
        };
        settings.agent = None;
        settings.adaptive = false;
    }
    if candidate.cache.value.is_some() {
        candidate.cache = Fact::known(RecordingsUsed::PACK);
    }
    let differences = between(facts, &candidate);
    remarks.extend(differences.against().map(|one| {
        let why = &one.reason;
        say!("baseline and candidate: {why}")
    }));
    Ok(remarks)
}

fn is_same_panel(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().all(|judge| other.iter().any(|of| is_same(judge, of)))
}

/// Whether two ids mean the same model. Reports of other tools may omit the provider.
fn is_same(one: &str, other: &str) -> bool {
    let name = |id: &str| id.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    if one.contains('/') && other.contains('/') {
        one.eq_ignore_ascii_case(other)
    } else {
        name(one) == name(other)
    }
}
