//! How the calls of the published runs stand to the published recordings.
//!
//! Counted once by a Python script of its own over `logs/benchmark_results` and `ko-agentbench`, written from
//! `docs/spec/tools.md` §2–4 without this product's code: a call to the tool whose failure the task injects is injected, one that
//! fails the schema's checks refused; of all others the normalized arguments are looked for among those of the tool's
//! records, stale ones included.

/// Of each level of a run, in order: attempts, attempts with a miss, hits, misses, injected failures, refused calls.
pub(crate) type Levels = [[u64; 6]; 7];

pub(crate) const CALLS: [(&str, Levels); 8] = [
    (
        "azure_gpt-4o",
        [
            [11, 0, 11, 0, 0, 0],
            [15, 0, 15, 0, 0, 0],
            [10, 0, 45, 0, 0, 0],
            [10, 0, 21, 0, 0, 0],
            [20, 0, 12, 0, 50, 0],
            [15, 0, 0, 0, 0, 0],
            [10, 0, 3, 0, 0, 0],
        ],
    ),
    (
        "azure_gpt-4o-mini",
        [
            [11, 0, 11, 0, 0, 0],
            [15, 0, 16, 0, 0, 0],
            [10, 0, 26, 0, 0, 0],
            [10, 0, 19, 0, 0, 0],
            [20, 0, 15, 0, 75, 0],
            [15, 0, 0, 0, 0, 0],
            [10, 0, 2, 0, 0, 0],
        ],
    ),
    (
        "azure_gpt-5",
        [
            [11, 0, 12, 0, 0, 0],
            [15, 0, 22, 0, 0, 0],
            [10, 0, 18, 0, 0, 0],
            [10, 0, 22, 0, 0, 0],
            [20, 0, 27, 0, 60, 0],
            [15, 0, 8, 0, 0, 0],
            [10, 1, 7, 2, 0, 0],
        ],
    ),
    (
        "bedrock_global.anthropic.claude-haiku-4-5-20251001-v1",
        [
            [11, 0, 11, 0, 0, 0],
            [15, 0, 18, 0, 0, 0],
            [10, 0, 28, 0, 0, 0],
            [10, 0, 29, 0, 0, 0],
            [20, 0, 17, 0, 55, 0],
            [15, 0, 0, 0, 0, 0],
            [10, 0, 3, 0, 0, 0],
        ],
    ),
    (
        "bedrock_qwen.qwen3-next-80b-a3b",
        [
            [11, 0, 11, 0, 0, 0],
            [15, 0, 15, 0, 0, 0],
            [10, 0, 25, 0, 0, 0],
            [10, 0, 21, 0, 0, 0],
            [20, 0, 14, 0, 40, 0],
            [15, 0, 0, 0, 0, 0],
            [10, 0, 3, 0, 0, 0],
        ],
    ),
    (
        "bedrock_us.amazon.nova-lite-v1",
        [
            [11, 0, 11, 0, 0, 0],
            [15, 0, 17, 0, 0, 0],
            [10, 0, 25, 0, 0, 0],
            [10, 0, 22, 0, 0, 0],
            [20, 0, 13, 0, 85, 0],
            [15, 0, 18, 0, 0, 0],
            [10, 0, 4, 0, 0, 0],
        ],
    ),
    (
        "openrouter_z-ai_glm-4.6v",
        [
            [11, 0, 11, 0, 0, 0],
            [15, 0, 18, 0, 0, 0],
            [10, 0, 27, 0, 0, 0],
            [10, 0, 21, 0, 0, 0],
            [20, 0, 28, 0, 52, 0],
            [15, 0, 1, 0, 0, 0],
            [10, 0, 3, 0, 0, 0],
        ],
    ),
    (
        "vertex_ai_gemini-2.5-flash",
        [
            [11, 0, 10, 0, 0, 0],
            [15, 0, 15, 0, 0, 0],
            [10, 0, 14, 0, 0, 0],
            [10, 0, 11, 0, 0, 0],
            [20, 0, 4, 0, 29, 0],
            [15, 0, 5, 0, 0, 0],
            [10, 0, 3, 0, 0, 0],
        ],
    ),
];
