//! The judge prompts of a pack: YAML with a system text and a template for each judged metric.
//!
//! A template is text with placeholders in braces. Only the placeholders of its metric are filled;
//! all other braces stay unchanged, so that a template may contain JSON.

use crate::score::MetricId;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The judged metrics with their keys in the YAML file and the placeholders of their templates.
const KEYS: [(MetricId, &str, &[&str]); 5] = [
    (MetricId::Sr, "sr", &["instruction", "final_response", "tool_calls", "golden_context"]),
    (MetricId::ArgAcc, "arg_acc", &["golden_args", "predicted_args"]),
    (MetricId::EffScore, "eff_score", &["query", "final_answer", "tool_calls"]),
    (MetricId::ContextRetention, "context_retention", &["formatted_messages"]),
    (MetricId::RefRecall, "ref_recall", &["formatted_messages"]),
];

/// System text and template of one metric.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct JudgePrompt {
    system: String,
    template: String,
}

/// The prompts of all judged metrics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgePrompts(BTreeMap<MetricId, JudgePrompt>);

/// A prompt file that cannot be used.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum PromptError {
    /// The file is not YAML, or does not have the expected structure.
    #[error("the judge prompts are not YAML with `system` and `template` under each key: {0}")]
    Yaml(#[from] serde_norway::Error),
    /// A metric has no prompt.
    #[error("the judge prompts have no `{key}`, which {metric} needs")]
    MissingKey {
        /// Key in the file.
        key: &'static str,
        /// The metric.
        metric: MetricId,
    },
    /// A template lacks a placeholder for a text that the judge must see.
    #[error("the template `{key}` of the judge prompts has no {{{placeholder}}}")]
    MissingPlaceholder {
        /// Key in the file.
        key: &'static str,
        /// Placeholder without its braces.
        placeholder: &'static str,
    },
}

impl JudgePrompts {
    /// An empty set of prompts, for benchmarks that build their questions themselves.
    pub fn none() -> Self {
        Self(BTreeMap::new())
    }

    /// SHA-256 of the keys, system texts and templates. Other content of the file and its layout do
    /// not change the hash.
    pub fn sha256(&self) -> String {
        let key = |metric: &MetricId| KEYS.iter().find(|(id, ..)| id == metric).map(|(_, key, _)| *key);
        let texts: Vec<[&str; 3]> = self
            .0
            .iter()
            .map(|(metric, prompt)| [key(metric).unwrap_or_default(), &prompt.system, &prompt.template])
            .collect();
        crate::cache_key::sha256_hex(&serde_json::json!(texts).to_string())
    }

    /// Reads the YAML text. Keys that belong to no metric are ignored.
    ///
    /// # Errors
    /// [`PromptError`] naming the key or placeholder that is missing.
    pub fn parse(yaml: &str) -> Result<Self, PromptError> {
        let mut entries: BTreeMap<String, serde_norway::Value> = serde_norway::from_str(yaml)?;
        let mut prompts = BTreeMap::new();
        for (metric, key, placeholders) in KEYS {
            let entry = entries.remove(key).ok_or(PromptError::MissingKey { key, metric })?;
            let prompt: JudgePrompt = serde_norway::from_value(entry)?;
            for placeholder in placeholders {
                if !prompt.template.contains(&format!("{{{placeholder}}}")) {
                    return Err(PromptError::MissingPlaceholder { key, placeholder });
                }
            }
            prompts.insert(metric, prompt);
        }
        Ok(Self(prompts))
    }

    /// System text and filled template for a metric; `None` if no judge decides the metric.
    pub(super) fn fill(&self, metric: MetricId, inputs: &Inputs) -> Option<(String, String)> {
        let prompt = self.0.get(&metric)?;
        Some((prompt.system.clone(), fill(&prompt.template, inputs)))
    }
}

/// Replaces all placeholders in one pass, so that braces in an inserted text are not taken for
/// placeholders.
fn fill(template: &str, inputs: &Inputs) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let tail = &rest[open + 1..];
        let placeholder = tail.find('}').and_then(|close| Some((inputs.get(&tail[..close])?, close)));
        match placeholder {
            Some((text, close)) => {
                out.push_str(text);
                rest = &tail[close + 1..];
            }
            None => {
                out.push('{');
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Texts for the placeholders of one template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs(Vec<(&'static str, String)>);

impl Inputs {
    /// Creates inputs from pairs of a placeholder's name (without braces) and its text.
    pub fn new(inputs: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Self(inputs.into_iter().collect())
    }

    /// The text for a placeholder; `None` if there is no placeholder with this name.
    pub fn get(&self, placeholder: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == placeholder).map(|(_, text)| text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const YAML: &str = "
sr: {system: s, template: 'Q {instruction} A {final_response} C {tool_calls} G {golden_context}'}
arg_acc: {system: s, template: '{golden_args} {predicted_args}'}
eff_score: {system: s, template: '{query} {final_answer} {tool_calls}'}
context_retention: {system: s, template: '{formatted_messages}'}
ref_recall: {system: s, template: '{formatted_messages}'}
";

    #[test]
    fn files_that_leave_something_out_are_refused_with_its_name() {
        assert!(JudgePrompts::parse(YAML).is_ok());
        for (change, message) in [
            (
                YAML.replace("ref_recall", "other"),
                "the judge prompts have no `ref_recall`, which RefRecall needs",
            ),
            (
                YAML.replace("{query}", "query"),
                "the template `eff_score` of the judge prompts has no {query}",
            ),
        ] {
            assert_eq!(JudgePrompts::parse(&change).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn only_known_placeholders_are_filled_and_only_once() {
        let inputs = Inputs::new([("a", "{b}".to_owned()), ("b", "2".to_owned())]);
        assert_eq!(fill("{a} {b} {c} {\"x\": {b}} {", &inputs), "{b} 2 {c} {\"x\": 2} {");
    }

    proptest! {
        #[test]
        fn text_without_known_placeholders_stays_as_it_is(text in "[a-z{} \\n가]{0,60}") {
            let inputs = Inputs::new([("UNUSED", "x".to_owned())]);
            prop_assert_eq!(fill(&text, &inputs), text);
        }
    }
}
