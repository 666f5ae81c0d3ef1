//! Caveats of a report that concern its judges.

use koab_core::judge::{Verdict, family};
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::judging::{Ballot, JudgingResult};
use koab_library::run::Run;
use koab_models::local_models::LocalRun;
use koab_workspace::{ErrorCode, WireError};
use serde_json::Value;

/// Returns a sentence about the numerical precision of a judge inside the application. The
/// precision may influence its answers.
pub(super) fn precision_note(id: &str, run: &LocalRun) -> Sentence {
    match &run.precision {
        Some(precision) => say!("the judge {id} ran inside this application at {precision}"),
        None => say!("the judge {id} ran inside this application with the weights of its file"),
    }
}

/// Returns a sentence about questions that were not asked, because of a cap or a cancellation.
/// `None` if all were asked.
pub(super) fn stopped(judged: &JudgingResult, total: usize, asks: bool) -> Option<Sentence> {
    let why = judged.stopped.as_ref()?;
    if !asks {
        return Some(say!(
            "not judged, since the run was cancelled: {} of {total} questions have an answer; score the run again to ask the judge",
            judged.verdicts.len()
        ));
    }
    Some(say!(
        "the judges were stopped after {} of {total} answers, which are kept: {why}; score again with a higher cap to ask for the rest",
        judged.verdicts.len()
    ))
}

/// Returns a sentence about failed answers of judges.
///
/// # Errors
/// When all answers failed, so that no attempt has a verdict.
pub(super) fn failed_judges(
    ballots: &[(Ballot, Verdict)],
    scorer: Protocol,
) -> Result<Option<Sentence>, WireError> {
    let failures: Vec<&Sentence> = ballots.iter().filter_map(|(_, verdict)| verdict.failure()).collect();
    let Some(first) = failures.first() else {
        return Ok(None);
    };
    if failures.len() == ballots.len() {
        let message = say!(
            "no judge gave an answer that can be used: {first}; check the judge or score with --no-judge"
        );
        return Err(WireError::new(ErrorCode::ModelUnreachable, message));
    }
    let treated = match scorer {
        Protocol::Leaderboard => say!("count as no or grade 1, as published"),
        Protocol::Corrected => say!("leave their tasks unscored"),
    };
    Ok(Some(say!(
        "{} of {} judge answers failed and {treated}: {first}; score again to ask for them again",
        failures.len(),
        ballots.len()
    )))
}

/// Returns a sentence for each judge that has the same maker as the model. Judges favour models of
/// their own family.
pub(super) fn same_maker_notes(run: &Run, judges: &[String]) -> Vec<Sentence> {
    let logged = run.logs.iter().find_map(|log| log.metadata.get("model").and_then(Value::as_str));
    let Some(maker) = logged.and_then(family) else {
        return Vec::new();
    };
    let own = judges.iter().filter(|judge| family(judge) == Some(maker));
    own.map(|judge| say!("{judge} and the model that it judges are of the same vendor ({maker})")).collect()
}

#[cfg(test)]
mod tests;
