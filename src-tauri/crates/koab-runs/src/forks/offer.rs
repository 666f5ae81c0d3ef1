//! The possible changes of an attempt at a step, and the plan of a fork.

use super::source::Source;
use crate::Runs;
use koab_core::address;
use koab_core::fork::{
    ForkChange, ForkEditTo, ForkPrefix, ForkSetting, Speaker, begin, first_of_step, parts,
};
use koab_core::run_record::RequestedSettings;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::tool::ToolFault;
use koab_library::{ForkMessage, ForkOffer, ForkPlan, ForkRequest, RunRequest};
use koab_models::ModelAddress;
use koab_workspace::WireError;
use serde_json::Value;

/// Kinds of failure that the published tasks inject.
const ERROR_TYPES: [&str; 3] = ["timeout", "complete_unavailable", "data_not_available"];

/// A fork that is planned and ready to start.
pub(super) struct ForkBasis {
    pub(super) source: Source,
    pub(super) prefix: ForkPrefix,
    pub(super) options: RunRequest,
    pub(super) changes: Vec<ForkChange>,
    pub(super) settings: Vec<ForkSetting>,
    pub(super) kept_steps: u32,
}

impl Runs {
    /// Returns the conversation of an attempt up to the end of a step, for editing.
    ///
    /// # Errors
    /// When the attempt or step does not exist, or a fork at the step is impossible. The error has
    /// the reason.
    pub fn fork_offer(
        &self,
        run: &str,
        task: &str,
        repetition: Option<u32>,
        step: u32,
    ) -> Result<ForkOffer, WireError> {
        let source = self.fork_source(run, task, repetition.unwrap_or(1).max(1))?;
        let record = &source.record;
        begin(record, step, &[], None).map_err(|fault| WireError::bad_request(fault.to_sentence()))?;
        let parts = parts(record);
        let own = first_of_step(&parts, step).unwrap_or_default();
        let until = (own + 1..parts.len()).find(|at| parts[*at].step != Some(step));
        let messages = parts[..until.unwrap_or(parts.len())].iter().enumerate();
        let messages = messages.map(|(at, part)| {
            let message = &record.messages[at];
            let call = part.call.and_then(|call| record.calls.get(call));
            ForkMessage {
                at: at as u32,
                role: part.role,
                step: part.step,
                text: text_of(&message["content"], part.role),
                call_id: message["tool_call_id"].as_str().map(str::to_owned),
                tool: call.map(|call| call.tool.clone()),
                arguments: call.map(|call| match &call.unreadable_arguments {
                    Some(text) => text.clone(),
                    None => call.arguments.to_string(),
                }),
            }
        });
        Ok(ForkOffer {
            step,
            steps: record.steps.len() as u32,
            messages: messages.collect(),
            model: source.options.model.clone(),
            base_url: source.options.base_url.clone(),
            temperature: source.options.agent_temperature(),
            seed: source.options.settings.seed,
            error_types: ERROR_TYPES.map(str::to_owned).to_vec(),
            notes: source.notes,
            of: source.of,
        })
    }

    /// Returns the plan of a fork, without making it.
    ///
    /// # Errors
    /// When a fork with these settings could not start.
    pub fn fork_plan(&self, request: &ForkRequest) -> Result<ForkPlan, WireError> {
        let basis = self.fork_ready(request)?;
        let model = basis.options.model;
        let price = self.models.price(&model)?;
        let local = self.local_time(&model, &basis.options.local)?;
        let estimate = self
            .figures(&model, None, local.as_ref())?
            .and_then(|figures| figures.level(&basis.source.of.level, 1, price, 1));
        Ok(ForkPlan {
            model,
            kept_steps: basis.kept_steps,
            changes: basis.changes.into_iter().map(Into::into).collect(),
            settings: basis.settings,
            estimate,
        })
    }

    pub(super) fn fork_ready(&self, request: &ForkRequest) -> Result<ForkBasis, WireError> {
        let repetition = request.repetition.unwrap_or(1).max(1);
        let source = self.fork_source(&request.run, &request.task, repetition)?;
        let bad_request = |why: Sentence| WireError::bad_request(why);
        let system = request.system.as_deref().filter(|text| !text.trim().is_empty());
        let prefix = begin(&source.record, request.step, &request.edits, system)
            .map_err(|fault| bad_request(fault.to_sentence()))?;
        let was = &source.options;
        let model = request.model.clone().filter(|model| !model.trim().is_empty());
        let model = model.map_or_else(|| was.model.clone(), |model| model.trim().to_owned());
        let ModelAddress { id: model, base_url } =
            self.models.resolve(&model, request.base_url.as_deref())?;
        let options = RunRequest {
            // The address belongs to the attempt's model; another model has its own.
            base_url: base_url.or_else(|| was.base_url.clone().filter(|_| model == was.model)),
            settings: RequestedSettings {
                temperature: request.temperature.or(was.settings.temperature),
                seed: request.seed.or(was.settings.seed),
                ..was.settings.clone()
            },
            max_cost: request.max_cost,
            max_total_tokens: request.max_total_tokens,
            model,
            ..was.clone()
        };
        options.settings.check().map_err(bad_request)?;
        koab_engine::fork::check(
            &prefix,
            &source.task,
            options.settings.protocol,
            options.settings.full_rollout,
        )
        .map_err(|problem| bad_request(problem.to_sentence()))?;
        let settings = settings(was, &options);
        let changes = changes(&source, request, system);
        Ok(ForkBasis { kept_steps: prefix.steps.len() as u32, changes, settings, options, prefix, source })
    }
}

fn text_of(content: &Value, role: Speaker) -> String {
    match content {
        Value::String(text) if role != Speaker::Tool => text.clone(),
        Value::Null => String::new(),
        // Serializing a JSON value cannot fail.
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

fn settings(was: &RunRequest, now: &RunRequest) -> Vec<ForkSetting> {
    let address = |value: &Option<String>| value.as_deref().map(address::kept);
    let rows = [
        ("model", Some(was.model.clone()), Some(now.model.clone())),
        // A part of the address that may contain a password or a key is not stored.
        ("base_url", address(&was.base_url), address(&now.base_url)),
        ("temperature", Some(was.agent_temperature().to_string()), Some(now.agent_temperature().to_string())),
        (
            "seed",
            was.settings.seed.map(|seed| seed.to_string()),
            now.settings.seed.map(|seed| seed.to_string()),
        ),
    ];
    rows.into_iter()
        .filter(|(_, before, after)| before != after)
        .map(|(setting, before, after)| ForkSetting { setting: setting.to_owned(), before, after })
        .collect()
}

fn changes(source: &Source, request: &ForkRequest, system: Option<&str>) -> Vec<ForkChange> {
    let parts = parts(&source.record);
    let edits = request.edits.iter().filter_map(|edit| {
        let part = parts.get(edit.at as usize)?;
        let call = part.call.and_then(|call| source.record.calls.get(call));
        let change = ForkChange {
            at: Some(edit.at),
            role: part.role,
            step: part.step,
            call: part.call.map(|call| call as u32),
            tool: call.map(|call| call.tool.clone()),
            before: source.record.messages[edit.at as usize]["content"].clone(),
            after: match &edit.to {
                ForkEditTo::Text { text } => text.as_str().into(),
                ForkEditTo::Result { json } => serde_json::from_str(json).unwrap_or_default(),
                ForkEditTo::Error { error_type } => ToolFault::injected(error_type.trim()).shown(),
            },
            to: edit.to.clone(),
        };
        Some(change)
    });
    let system = system.map(|text| {
        let first = &source.record.messages[0];
        ForkChange {
            at: None,
            role: Speaker::System,
            step: None,
            call: None,
            tool: None,
            before: if first["role"] == "system" { first["content"].clone() } else { Value::Null },
            after: text.into(),
            to: ForkEditTo::Text { text: text.to_owned() },
        }
    });
    system.into_iter().chain(edits).collect()
}
