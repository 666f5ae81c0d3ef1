//! Vendors of models, and whether the weights are open.

use super::names::CombinedNames;

/// Model as the combined file names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CombinedModel<'a> {
    pub name: &'a str,
    pub vendor: &'a str,
    /// Model type: `API`, `OSS` or `Unknown`.
    pub kind: &'a str,
}

const fn model(name: &'static str, vendor: &'static str, kind: &'static str) -> CombinedModel<'static> {
    CombinedModel { name, vendor, kind }
}

/// Folder names of the published October runs, which the published table contains.
const PUBLISHED: [CombinedModel<'static>; 8] = [
    model("K-intelligence_Midm-2.0-Base-Instruct", "KT", "OSS"),
    model("Qwen_qwen3-8B", "Alibaba", "OSS"),
    model("azure_gpt-4.1", "OpenAI", "API"),
    model("azure_gpt-5", "OpenAI", "API"),
    model("bedrock_openai.gpt-oss-120b-1-0", "OpenAI", "OSS"),
    model("bedrock_qwen.qwen3-32b-v1-0", "Alibaba", "OSS"),
    model("gemini_gemini-2.5-pro", "Google", "API"),
    model("skt_A.X-4.0-Light", "SKT", "OSS"),
];

/// Short names that may occur anywhere in a folder name. If several occur, the longest one is used.
const PLAIN: [CombinedModel<'static>; 25] = [
    model("gpt-4o", "OpenAI", "API"),
    model("gpt-4o-mini", "OpenAI", "API"),
    model("gpt-4.1", "OpenAI", "API"),
    model("gpt-5", "OpenAI", "API"),
    model("gpt-5-mini", "OpenAI", "API"),
    model("gpt-oss-120b", "OpenAI", "OSS"),
    model("gpt-oss-20b", "OpenAI", "OSS"),
    model("claude-haiku-4-5", "Anthropic", "API"),
    model("claude-sonnet-4", "Anthropic", "API"),
    model("claude-sonnet-4-5", "Anthropic", "API"),
    model("gemini-2.5-flash", "Google", "API"),
    model("gemini-2.5-flash-lite", "Google", "API"),
    model("gemini-2.5-pro", "Google", "API"),
    model("nova-lite", "Amazon", "API"),
    model("nova-2-lite", "Amazon", "API"),
    model("grok-4.1-fast", "xAI", "API"),
    model("DeepSeek-V3.1", "DeepSeek", "OSS"),
    model("glm-4.6v", "Z.ai", "OSS"),
    model("qwen3-next-80b-a3b", "Alibaba", "OSS"),
    model("qwen3-32b", "Alibaba", "OSS"),
    model("Qwen3-8B", "Alibaba", "OSS"),
    model("Qwen3-4B", "Alibaba", "OSS"),
    model("kanana-1.5-8b", "Kakao", "OSS"),
    model("A.X-4.0-Light", "SKT", "OSS"),
    model("Midm-2.0-Base", "KT", "OSS"),
];

/// Entry for the model of a report folder; unknown models keep their folder name.
pub(super) fn find(folder: &str, names: CombinedNames) -> CombinedModel<'_> {
    let entry = match names {
        CombinedNames::Published => PUBLISHED.into_iter().find(|known| known.name == folder),
        CombinedNames::Leaderboard | CombinedNames::Plain => {
            let folder = folder.to_ascii_lowercase();
            PLAIN
                .into_iter()
                .filter(|known| folder.contains(&known.name.to_ascii_lowercase()))
                .max_by_key(|known| known.name.len())
        }
    };
    entry.unwrap_or(CombinedModel { name: folder, vendor: "Unknown", kind: "Unknown" })
}
