//! Gates (see `koab gate`) that an agent starts: their estimate and their result. The result is the
//! same JSON document as that of `koab gate`.

use super::super::gate::drawn_seed;
use super::super::levels::groups;
use super::super::made_for;
use super::inside;
use super::money::{Allowance, At, Costs, SpendingLimit, SpendingRequest};
use super::offers::GateWords;
use super::session_run::Tally;
use super::text_result::{TextResult, document};
use crate::args::words::{metric, points};
use koab_api::gate::{Gate, GateOptions, GateRequest};
use koab_api::options::JudgeChoice;
use koab_api::{Api, Cancel, EventSink, MetricId, RunRequest, WireError};
use koab_core::run_record::RequestedSettings;
use koab_core::say;
use koab_core::sentence::Language;
use serde_json::{Value, json};
use std::sync::Arc;

/// Estimates a gate. If the gate costs money, the estimate contains the value that confirms the
/// call.
///
/// # Errors
/// When a gate with these arguments cannot start.
pub(super) fn plan(api: &Api, limit: &Arc<SpendingLimit>, words: &GateWords) -> TextResult {
    let costs = costs(api, words)?.any();
    let estimate = estimate(api, words)?;
    let mut answer = json!({ "plan": estimate, "costs_money": costs, "left_usd": limit.left() });
    if costs {
        answer["confirm"] = limit.confirmation(words, &estimate).into();
        answer["note"] =
            "show this estimate to the user; call gate with the same arguments and this confirm".into();
    }
    Ok(document(&answer))
}

/// Prepares a gate and takes the gate's share from the cap.
///
/// # Errors
/// When a gate with these arguments cannot start, when it costs money and its plan is not
/// confirmed, or when nothing is left of the cap.
pub(super) fn ready(
    api: &Api,
    limit: &Arc<SpendingLimit>,
    words: &GateWords,
) -> Result<ReadyGate, WireError> {
    let costs = costs(api, words)?;
    let confirmation = limit.confirmation(words, &estimate(api, words)?);
    let share = limit.share(costs, &spending(words), &confirmation)?;
    let mut request = request(api, words, words.seed.unwrap_or_else(drawn_seed))?;
    if let Some(share) = &share {
        request.max_cost = Some(share.usd());
    }
    let judges = request.judges.clone();
    match api.compare.gate(request) {
        Ok(gate) => Ok(ReadyGate { gate, judges, share }),
        Err(error) => {
            give_back(share, Some(0.0));
            Err(error)
        }
    }
}

/// A gate that is ready to start.
pub(super) struct ReadyGate {
    gate: Gate,
    judges: JudgeChoice,
    share: Option<Allowance>,
}

impl ReadyGate {
    /// Makes attempts until the gate has a verdict.
    ///
    /// # Errors
    /// When a judge cannot be reached, a run cannot start or is cancelled, or its logs cannot be
    /// scored.
    pub(super) async fn play(
        self,
        api: &Api,
        tally: &Arc<Tally>,
        cancel: &Cancel,
    ) -> Result<Value, WireError> {
        let Self { gate, judges, share } = self;
        if let JudgeChoice::Models { ids, base_url } = &judges {
            let checked = api.runs.scoring.check_judges(ids, base_url.as_deref(), &Default::default()).await;
            if let Err(error) = checked {
                give_back(share, Some(0.0));
                return Err(error);
            }
        }
        let watch = || Arc::clone(tally) as Arc<dyn EventSink>;
        let (answer, spent) = api.compare.play_counted(gate, &watch, cancel).await;
        give_back(share, spent);
        let answer = answer?;
        let mut result = serde_json::to_value(&answer).map_err(WireError::internal)?;
        let noted = made_for::note(api, &answer.runs, &Language::ENGLISH.say(&answer.sentence));
        // A failed note does not change the answer.
        if let Err(error) = noted {
            result["not_noted"] = json!(error.message);
        }
        Ok(result)
    }
}

/// Returns the unspent part of a gate's share to the cap. If the spending is unknown, nothing is
/// returned.
fn give_back(share: Option<Allowance>, spent: Option<f64>) {
    if let Some(share) = share {
        share.spent(spent.unwrap_or(f64::INFINITY));
    }
}

/// Looks up whether the models or judges of a gate can cost money. Base URLs must be those of the
/// user's connections, because the agent must not choose where the user's keys are sent.
fn costs(api: &Api, words: &GateWords) -> Result<Costs, WireError> {
    spending(words).check()?;
    let mut models: Vec<At<'_>> = vec![(&words.model, words.base_url.as_deref())];
    let again = words.baseline_model.as_deref();
    models.extend(again.map(|model| (model, words.baseline_url.as_deref())));
    let at = words.judge_base_url.as_deref();
    let judges: Vec<At<'_>> = words.judges.iter().map(|judge| (judge.as_str(), at)).collect();
    for (model, base_url) in models.iter().chain(&judges) {
        api.models.check_connected(model, *base_url)?;
    }
    Costs::look_up(api, &models, &judges)
}

fn spending(words: &GateWords) -> SpendingRequest<'_> {
    SpendingRequest { plan: "plan_gate", confirm: words.confirm.as_deref(), max_cost: words.max_cost }
}

/// Estimate of a gate as JSON. A drawn seed is left out, because each gate draws another seed and a
/// confirmation is valid only for an identical estimate.
fn estimate(api: &Api, words: &GateWords) -> Result<Value, WireError> {
    let gate = api.compare.gate(request(api, words, words.seed.unwrap_or_default())?)?;
    let mut estimate = serde_json::to_value(gate.estimate()).map_err(WireError::internal)?;
    if let (None, Some(fields)) = (words.seed, estimate.as_object_mut()) {
        fields.remove("seed");
    }
    Ok(estimate)
}

fn request(api: &Api, words: &GateWords, seed: u64) -> Result<GateRequest, WireError> {
    let run = |model: &str, base_url: &Option<String>| RunRequest {
        pack: words.pack.clone(),
        base_url: base_url.clone(),
        settings: RequestedSettings { temperature: words.temperature, ..RequestedSettings::published() },
        ..RunRequest::published("gate", model)
    };
    let usual = GateOptions::default();
    Ok(GateRequest {
        // Only a report of the library is allowed. A path could be any file that this process can
        // read.
        baseline: inside::report_id(api, &words.baseline)?,
        again: words.baseline_model.as_deref().map(|model| run(model, &words.baseline_url)),
        candidate: run(&words.model, &words.base_url),
        metric: words.metric.as_deref().map_or(Ok(MetricId::Sr), metric_named)?,
        options: GateOptions {
            margin: words.margin.as_deref().map_or(Ok(usual.margin), loss)?,
            alpha: words.alpha.unwrap_or(usual.alpha),
            power: words.power.unwrap_or(usual.power),
            most_attempts: words.max_attempts,
            seed,
            ..usual
        },
        levels: groups(&words.levels)?,
        judges: if words.judges.is_empty() {
            JudgeChoice::Nobody
        } else {
            JudgeChoice::Models { ids: words.judges.clone(), base_url: words.judge_base_url.clone() }
        },
        judge_again: words.judge_again,
        max_cost: words.max_cost,
    })
}

fn metric_named(word: &str) -> Result<MetricId, WireError> {
    metric(word).map_err(|_| {
        let all: Vec<&str> = MetricId::ALL.into_iter().map(MetricId::name).collect();
        let all = all.join(", ");
        WireError::bad_request(say!("there is no metric {word}; there are {all}"))
    })
}

fn loss(word: &str) -> Result<f64, WireError> {
    points(word).map_err(|_| {
        WireError::bad_request(say!(
            "margin {word} is no loss; give points, such as 5pp, or a share between 0 and 1, such as 0.05"
        ))
    })
}
