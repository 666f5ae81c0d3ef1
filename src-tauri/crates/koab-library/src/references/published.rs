//! The reports of the published leaderboard, found by their content.

use koab_store::intake::Origin;

/// Name of a report's file as published.
const REPORT: &str = "evaluation_report.json";

/// SHA-256 of the published files `evaluation_report.json` of 2025-12-19.
const PUBLISHED: [&str; 8] = [
    // azure/gpt-4o-mini
    "b0c6bdafc7434d9386fcd60f8e7d579375fe017c5012ea8fea28faf1ef4f63a0",
    // azure/gpt-4o
    "d62bba29dc50f0f03b087778c48bd82333f4fba59f32585c0e55e36e42890126",
    // azure/gpt-5
    "5a40df8914239dc983ee19400c2a9678794d8248e1da04763b2b8059080d29a2",
    // bedrock/global.anthropic.claude-haiku-4-5
    "075e98d3d741882517bc5eec4e894087d71376957af167f002ace41afd150095",
    // bedrock/qwen.qwen3-next-80b-a3b
    "5bff5045bbf0dd94bb7b4ff11c63e04f3a4fb33bcd5bcac99f4f25e13e81d484",
    // bedrock/us.amazon.nova-lite-v1
    "d80d6ff687811a0a8dec24422295d453351ebabc0705ea253f01ec8c65e10518",
    // openrouter/z-ai/glm-4.6v
    "66b890f0ebf44874425d8de7ad8edbaa3600ce967fa43c4d5e79ee5768d97c8c",
    // vertex_ai/gemini-2.5-flash
    "e0234e77118f63d9b8b52e938ee0f39af329a66ec4db258cd3767dc5533fabc1",
];

/// Whether an imported folder has one of the published reports.
pub(super) fn is_published(origin: &Origin) -> bool {
    origin.files.get(REPORT).is_some_and(|hash| PUBLISHED.contains(&hash.as_str()))
}
