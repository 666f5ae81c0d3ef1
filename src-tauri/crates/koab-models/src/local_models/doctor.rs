//! `koab models doctor`: loads a model as a run would. Measures its memory and speed, and checks
//! whether its answers are repeatable and whether its chat template supports tools.

use super::{LocalAdvice, LocalExamination, LocalSettings, LocalSpeed, LongestPrompt};
use crate::Models;
use crate::local_name;
use koab_core::catalog::ToolCatalog;
use koab_core::pack::Pack;
use koab_core::sentence::ToSentence;
use koab_engine::ports::Message;
use koab_local::model::LocalModel;
use koab_workspace::WireError;

/// Maximum number of tokens of an answer in published runs.
const MAX_ANSWER_TOKENS: u32 = 1024;
/// Tokens per second below which the published time limits are hard to keep.
const SLOW_TOKENS_PER_SECOND: f64 = 5.0;
/// Share of the free memory above which too little is left for other programs.
const MAX_MEMORY_SHARE: f64 = 0.8;

impl Models {
    /// Loads a model that is stored on this disk, and measures its memory, speed and repeatability.
    /// This takes seconds to minutes.
    ///
    /// # Errors
    /// The errors of a run with this model.
    pub async fn local_doctor(
        &self,
        name: &str,
        settings: &LocalSettings,
        parallel: Option<u32>,
    ) -> Result<LocalExamination, WireError> {
        self.examine_local(name, settings, parallel, &|_, _| ()).await
    }

    /// Like [`Self::local_doctor`]; `answered` is called with the number of the model's finished
    /// answers and the total.
    pub(super) async fn examine_local(
        &self,
        name: &str,
        settings: &LocalSettings,
        parallel: Option<u32>,
        answered: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<LocalExamination, WireError> {
        let memory_available = koab_local::engine::available_memory();
        let (model, run) = self.load_local(name, settings, parallel).await?;
        let examination = model.examine(answered).await.map_err(WireError::bad_request)?;
        if let (Some(prompt_per_second), Some(written_per_second)) =
            (examination.prompt_per_second, examination.written_per_second)
        {
            let speed = LocalSpeed { prompt_per_second, written_per_second };
            self.keep_local_speed(local_name(name).unwrap_or(name), settings, speed)?;
        }
        let facts = model.engine().facts();
        let pack = self.workspace.load_task_pack(&self.workspace.pack_name(None)?)?;
        let longest = longest(&model, &pack, facts.context_per_sequence)?;
        // If the size of the attention memory is unknown, the weights alone may already be too
        // large.
        let used = facts.kv_bytes.map_or(facts.weights_bytes, |kv| kv + facts.weights_bytes);
        let mut advice = Vec::new();
        let mut when = |applies: bool, one: LocalAdvice| {
            if applies {
                advice.push(one);
            }
        };
        when(
            longest.as_ref().is_some_and(|longest| !longest.too_long.is_empty()),
            LocalAdvice::LargerContext,
        );
        when(
            memory_available.is_some_and(|free| used as f64 > free as f64 * MAX_MEMORY_SHARE),
            LocalAdvice::LessMemory,
        );
        when(!examination.handles_tools, LocalAdvice::ToolsByHand);
        when(examination.is_deterministic == Some(false), LocalAdvice::Repeat);
        when(
            examination.written_per_second.is_some_and(|rate| rate < SLOW_TOKENS_PER_SECOND),
            LocalAdvice::Slow,
        );
        Ok(LocalExamination {
            model: local_name(name).unwrap_or(name).to_owned(),
            precision: run.precision,
            device: facts.device.clone(),
            threads: facts.threads,
            weights_bytes: facts.weights_bytes,
            kv_bytes: facts.kv_bytes,
            memory_available,
            context: facts.context_per_sequence,
            context_trained: facts.context_trained,
            parallel: facts.parallel,
            prompt_per_second: examination.prompt_per_second,
            written_per_second: examination.written_per_second,
            deterministic: examination.is_deterministic,
            deterministic_together: examination.is_same_together,
            handles_tools: examination.handles_tools,
            form: examination.form.to_string(),
            rendered: examination.rendered,
            longest,
            advice,
        })
    }
}

/// The longest first prompt among a pack's tasks.
fn longest(model: &LocalModel, pack: &Pack, context: u32) -> Result<Option<LongestPrompt>, WireError> {
    let catalog = ToolCatalog::new(pack.tools.iter().cloned());
    let room = context.saturating_sub(MAX_ANSWER_TOKENS);
    let mut longest: Option<LongestPrompt> = None;
    let mut too_long = Vec::new();
    for task in pack.tasks.values().flatten() {
        let mut names = task.expected_tools();
        names.extend(task.available_tools());
        names.sort();
        names.dedup();
        let tools: Vec<_> = names.iter().filter_map(|name| catalog.get(name).cloned()).collect();
        let messages = [Message::User(task.instruction().to_owned())];
        let prompt = model
            .template()
            .render(&messages, &tools)
            .map_err(|error| WireError::bad_request(error.to_sentence()))?;
        let tokens = u32::try_from(model.count(&prompt)).unwrap_or(u32::MAX);
        if tokens > room {
            too_long.push(task.id.clone());
        }
        if longest.as_ref().is_none_or(|longest| longest.tokens < tokens) {
            longest = Some(LongestPrompt { task: task.id.clone(), tokens, too_long: Vec::new() });
        }
    }
    Ok(longest.map(|longest| LongestPrompt { too_long, ..longest }))
}
