//! The definitions of agents that are shipped with koab, with the scripts that they start.

type Builtin = (&'static str, &'static str, Option<&'static str>);

macro_rules! shipped {
    ($name:literal) => {
        ($name, include_str!(concat!("../definitions/", $name, ".json")), None)
    };
    ($name:literal, $script:literal) => {
        (
            $name,
            include_str!(concat!("../definitions/", $name, ".json")),
            Some(include_str!(concat!("../definitions/scripts/", $script, ".py"))),
        )
    };
}

const ALL: &[Builtin] = &[
    shipped!("adk", "adk"),
    shipped!("adk-a2a", "adk_a2a"),
    shipped!("anthropic-loop", "anthropic_loop"),
    shipped!("autogen", "autogen"),
    shipped!("codex"),
    shipped!("gemini-cli"),
    shipped!("gemini-cli-acp"),
    shipped!("genai-loop", "genai_loop"),
    shipped!("langgraph", "langgraph"),
    shipped!("mcp-host"),
    shipped!("openai-agents", "openai_agents"),
    shipped!("opencode"),
    shipped!("opencode-acp"),
    shipped!("pydantic-ai", "pydantic_ai"),
    shipped!("qwen-code"),
    shipped!("qwen-code-acp"),
    shipped!("smolagents", "smolagents"),
    shipped!("strands", "strands"),
];

/// Names of the shipped definitions, sorted.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(name, ..)| *name)
}

/// Text and script of the shipped definition that has this name.
pub(crate) fn find(name: &str) -> Option<(&'static str, Option<&'static str>)> {
    let (_, text, script) = ALL.iter().find(|(known, ..)| *known == name).copied()?;
    Some((text, script))
}

#[cfg(test)]
mod tests;
