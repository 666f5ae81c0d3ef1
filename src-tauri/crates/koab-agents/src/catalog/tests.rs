use super::*;
use crate::definition::Definition;

/// Whoever is on the computer sees command lines, and may spend with a token while its attempt runs.
#[test]
fn no_shipped_agent_has_its_token_on_its_command_line() {
    for (name, text, _) in ALL {
        let definition: Definition = serde_json::from_str(text).expect(name);
        let own = definition.own_model.iter().flat_map(|own| &own.command).flatten();
        for word in definition.command.iter().chain(own) {
            for secret in ["{token}", "{mcp_token_url}", "{mcp_json}"] {
                assert!(!word.contains(secret), "{name}: {word}");
            }
        }
    }
}
