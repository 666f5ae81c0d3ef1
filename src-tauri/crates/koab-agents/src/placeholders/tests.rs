use super::{AttemptValues, Values};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

fn values(prompt: &str) -> Values {
    Values::new(&AttemptValues {
        prompt,
        model: "m",
        token: "sk-koab-1",
        host: "127.0.0.1:8377",
        folder: Path::new("/attempt"),
        attempt: "L1-001-2",
    })
    .expect("this program is found")
}

#[test]
fn each_value_is_what_the_documents_say() {
    let values = values("무엇?");
    for (text, filled) in [
        ("{prompt}", "무엇?"),
        ("{prompt_file}", "/attempt/prompt.txt"),
        ("{model}", "m"),
        ("{openai}", "http://127.0.0.1:8377/v1"),
        ("{anthropic}", "http://127.0.0.1:8377"),
        ("{gemini}", "http://127.0.0.1:8377"),
        ("{token}", "sk-koab-1"),
        ("{mcp}", "http://127.0.0.1:8377/mcp"),
        ("{mcp_token_url}", "http://127.0.0.1:8377/mcp/sk-koab-1"),
        ("{work}", "/attempt/work"),
        ("{home}/.config", "/attempt/home/.config"),
        ("{script}", "/attempt/agent.py"),
        ("{answer_file}", "/attempt/answer.txt"),
        ("{attempt}", "L1-001-2"),
    ] {
        assert_eq!(values.fill(text), filled);
    }
    let servers: Value = serde_json::from_str(&values.fill("{mcp_json}")).expect("JSON");
    let server = &servers["mcpServers"]["koab"];
    assert_eq!(server["url"], "http://127.0.0.1:8377/mcp");
    assert_eq!(server["headers"]["Authorization"], "Bearer sk-koab-1");
    let koab = values.fill("{koab}");
    assert_eq!(values.fill("{mcp_stdio}"), format!("{koab} agents bridge"));
}

#[test]
fn braces_that_name_nothing_stay() {
    let mut values = values("p");
    for text in ["{", "}", "{}", "{{", "{unknown}", "{ prompt }", "{Prompt}", "{\"a\": {}}", "{port}", "{pro"]
    {
        assert_eq!(values.fill(text), text);
    }
    for (text, filled) in [
        ("{{prompt}}", "{p}"),
        ("{\"q\": \"{prompt}\"}", "{\"q\": \"p\"}"),
        ("{prompt}{model}", "pm"),
        ("{x{prompt}", "{xp"),
    ] {
        assert_eq!(values.fill(text), filled);
    }
    values.set("port", "20001".to_owned());
    assert_eq!(values.fill("http://127.0.0.1:{port}/"), "http://127.0.0.1:20001/");
}

#[test]
fn a_prompt_that_names_a_value_is_not_filled_again() {
    let values = values("say {token} and {prompt}");
    assert_eq!(values.fill("<{prompt}>"), "<say {token} and {prompt}>");
}

#[test]
fn texts_anywhere_in_a_request_are_filled_and_its_names_are_not() {
    let request = json!({"q": ["{prompt}", {"deep": "{model}!"}], "{model}": 1, "n": null, "b": true});
    let filled = json!({"q": ["p", {"deep": "m!"}], "{model}": 1, "n": null, "b": true});
    assert_eq!(values("p").fill_value(&request), filled);
}

proptest! {
    #![proptest_config(koab_draws::config(256))]

    /// Whatever a prompt says, it is put where it belongs letter for letter, and the texts around it stay.
    #[test]
    fn any_prompt_arrives_letter_for_letter(
        prompt in any::<String>(), before in "[^{}]{0,9}", after in "[^{}]{0,9}",
    ) {
        let filled = values(&prompt).fill(&format!("{before}{{prompt}}{after}"));
        prop_assert_eq!(filled, format!("{}{}{}", before, prompt, after));
    }

    #[test]
    fn a_text_without_a_known_name_stays(text in "[{}a-c \u{ac00}]{0,30}") {
        prop_assert_eq!(values("p").fill(&text), text);
    }
}
