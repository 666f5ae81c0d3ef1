//! Names of a model and of its submitter in a submission.

use koab_core::judge::family;
use koab_report::{CombinedNames, RowNames};
use serde::{Deserialize, Serialize};

/// Availability of a model's weights, which is the third column of the combined table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum ModelType {
    /// The model is available only as a service.
    #[serde(rename = "API")]
    Api,
    /// The weights are open.
    #[serde(rename = "OSS")]
    Oss,
}

impl ModelType {
    /// Value of the column in the combined table.
    pub fn as_str(self) -> &'static str {
        match self {
            ModelType::Api => "API",
            ModelType::Oss => "OSS",
        }
    }
}

/// Details of a submission that a person enters. A text is empty if the person entered nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "SubmissionNames"))]
#[serde(default)]
pub struct Names {
    /// Name of the model on the leaderboard.
    pub model: String,
    /// Vendor of the model.
    pub vendor: String,
    /// Availability of the weights; null when not entered.
    pub model_type: Option<ModelType>,
    /// Licence of open weights, as an SPDX expression or a name.
    pub licence: String,
    /// Repository of open weights on the Hugging Face hub, `owner/name`.
    pub repo: String,
    /// Submitter: a person or an organisation.
    pub submitted_by: String,
    /// Contact for questions.
    pub contact: String,
    /// Address of the transcripts, for readers who check the result.
    pub source_url: String,
    /// Further notes for readers.
    pub notes: String,
}

/// Providers that offer only models of their own, whose weights are not open.
const OWN: [&str; 3] = ["openai/", "anthropic/", "gemini/"];
/// Providers whose model ids are names of repositories on the Hugging Face hub.
const OPEN: [&str; 2] = ["local/", "huggingface/"];

impl Names {
    /// Default details of a model: those of the published table, otherwise those that the model id
    /// contains. Unknown details stay empty.
    pub fn defaults(model: &str, model_folder: &str) -> Self {
        let row_names = RowNames::look_up(model_folder, CombinedNames::Leaderboard);
        let repo = OPEN
            .iter()
            .find_map(|provider| model.strip_prefix(provider))
            .filter(|repo| repo.split('/').count() == 2)
            .unwrap_or_default()
            .to_owned();
        if row_names.kind != "Unknown" {
            let is_open = row_names.kind == ModelType::Oss.as_str();
            return Self {
                model: row_names.model,
                vendor: row_names.vendor,
                model_type: Some(if is_open { ModelType::Oss } else { ModelType::Api }),
                repo,
                ..Self::default()
            };
        }
        let starts = |with: &[&str]| with.iter().any(|provider| model.starts_with(provider));
        Self {
            model: model.rsplit('/').next().unwrap_or(model).to_owned(),
            vendor: family(model).unwrap_or_default().to_owned(),
            model_type: if starts(&OPEN) {
                Some(ModelType::Oss)
            } else {
                starts(&OWN).then_some(ModelType::Api)
            },
            repo,
            ..Self::default()
        }
    }

    /// First three cells of the row in the combined table.
    pub fn of_row(&self) -> RowNames {
        let or_unknown = |text: &str| if text.trim().is_empty() { "Unknown" } else { text.trim() }.to_owned();
        RowNames {
            model: or_unknown(&self.model),
            vendor: or_unknown(&self.vendor),
            kind: self.model_type.map_or("Unknown", ModelType::as_str).to_owned(),
        }
    }

    /// Whether the results can also be published in the model's repository on the hub.
    pub fn has_repository(&self) -> bool {
        self.model_type == Some(ModelType::Oss) && !self.repo.trim().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_published_table_else_from_the_id() {
        for (model, folder, wanted) in [
            ("azure/gpt-4o-mini", "azure_gpt-4o-mini", "gpt-4o-mini|OpenAI|API|"),
            ("openrouter/z-ai/glm-4.6v", "openrouter_z-ai_glm-4.6v", "glm-4.6v|Z.ai|OSS|"),
            ("local/Qwen/Qwen3-8B", "local_Qwen_Qwen3-8B", "Qwen3-8B|Alibaba|OSS|Qwen/Qwen3-8B"),
            ("huggingface/LGAI/EXAONE-9", "huggingface_LGAI_EXAONE-9", "EXAONE-9|LG|OSS|LGAI/EXAONE-9"),
            ("anthropic/claude-9", "anthropic_claude-9", "claude-9|Anthropic|API|"),
            ("openai_compat/mine", "openai_compat_mine", "mine|Unknown|Unknown|"),
        ] {
            let names = Names::defaults(model, folder);
            let row = names.of_row();
            let said = format!("{}|{}|{}|{}", row.model, row.vendor, row.kind, names.repo);
            assert_eq!(said, wanted, "{model}");
        }
    }
}
