//! Model ids, and what they lead to.

use crate::providers::support::{self, Script, Server, request};
use koab_core::sensitive::Sensitive;
use koab_engine::ports::{Message, ModelAdapter};
use koab_providers::registry::{Location, ModelId, OpenError, list, open};
use std::sync::Arc;

fn tried(id: &str, base_url: Option<&str>, keys: &[&str]) -> Result<Arc<dyn ModelAdapter>, OpenError> {
    let keys = |name: &str| {
        let value = match name {
            "AZURE_API_BASE" => "https://resource.example".to_owned(),
            "AWS_REGION_NAME" | "AWS_REGION" => "us-east-1".to_owned(),
            _ => format!("value of {name}"),
        };
        keys.contains(&name).then(|| Sensitive::new(value))
    };
    open(&support::network(), id, base_url, 0, &[], &keys)
}

#[test]
fn ids_are_taken_apart_at_the_first_slash() {
    for (id, provider, model) in [
        ("ollama/qwen3:8b", "ollama", "qwen3:8b"),
        ("VLLM/Qwen/Qwen3-8B", "vllm", "Qwen/Qwen3-8B"),
        (" openrouter/z-ai/glm-4.6v ", "openrouter", "z-ai/glm-4.6v"),
        ("bedrock/us.amazon.nova-lite-v1:0", "bedrock", "us.amazon.nova-lite-v1:0"),
    ] {
        let parsed = ModelId::parse(id).expect("a model id");
        assert_eq!((parsed.provider.name, parsed.model), (provider, model));
    }
}

#[test]
fn ids_that_lead_nowhere_get_one_sentence() {
    for (id, base_url, said) in [
        (
            "gpt-4o",
            None,
            "`gpt-4o` is not a model id; write provider/model, such as ollama/qwen3:8b or baseline/golden",
        ),
        (
            "vllm/",
            None,
            "`vllm/` is not a model id; write provider/model, such as ollama/qwen3:8b or baseline/golden",
        ),
        ("baseline/gold", None, "there is no baseline `gold`; baselines are golden, silent and random"),
        (
            "anthropic/claude-x",
            None,
            "anthropic needs a key; store it with `koab keys set ANTHROPIC_API_KEY` or set the environment variable of that name",
        ),
        (
            "gemini/x",
            Some(" "),
            "gemini needs a key; store it with `koab keys set GEMINI_API_KEY` or set the environment variable of that name",
        ),
        (
            "azure/gpt-4o",
            None,
            "azure needs the address of your resource; set AZURE_API_BASE or give a base URL",
        ),
        ("vertex_ai/gemini-x", None, "vertex_ai needs a project; set VERTEXAI_PROJECT or give a base URL"),
        (
            "vertex_ai/llama",
            None,
            "vertex_ai is used only for gemini-… and claude-… models; `llama` is neither",
        ),
        ("bedrock/x", None, "bedrock needs a region; set AWS_REGION_NAME or give a base URL"),
        (
            "anthropic/m",
            Some("localhost:8000/v1"),
            "the base URL `localhost:8000/v1` has no scheme; write http://localhost:8000/v1 or https://localhost:8000/v1",
        ),
        (
            "gemini/m",
            Some("http://h/v1beta?key=x"),
            "the base URL http://h/v1beta has a query after its `?`, which this provider's paths do not allow",
        ),
        (
            "openai_compat/m",
            None,
            "openai_compat has no address of its own; name the server by its base URL, such as http://localhost:8000/v1",
        ),
        (
            "openai/gpt-4o",
            None,
            "openai needs a key; store it with `koab keys set OPENAI_API_KEY` or set the environment variable of that name",
        ),
        (
            "vllm/m",
            Some("localhost:8000/v1"),
            "the base URL `localhost:8000/v1` has no scheme; write http://localhost:8000/v1 or https://localhost:8000/v1",
        ),
    ] {
        let error = tried(id, base_url, &[]).map(|_| ()).expect_err("an error");
        assert_eq!(error.to_string(), said);
    }
    let unknown = tried("acme/m/x", None, &[]).map(|_| ()).expect_err("an error").to_string();
    assert!(
        unknown.starts_with("`acme` is not a provider; the providers are baseline, ")
            && unknown.ends_with("openai_compat/m/x with its base URL"),
        "{unknown}"
    );
    assert!(matches!(
        tried("local/m", None, &[]),
        Err(OpenError::NotAServer(id)) if id == "local/m"
    ));
}

#[test]
fn every_listed_provider_opens_its_example_or_says_why_not() {
    for provider in list() {
        let settings = ["AZURE_API_BASE", "VERTEXAI_PROJECT", "AWS_REGION", "AWS_SECRET_ACCESS_KEY"];
        let keys = |name: &str| {
            let value = match name {
                "AZURE_API_BASE" => "https://r.example".to_owned(),
                "GOOGLE_APPLICATION_CREDENTIALS" => {
                    r#"{"type":"authorized_user","client_id":"i","client_secret":"s","refresh_token":"r"}"#
                        .to_owned()
                }
                name => format!("value-of-{name}"),
            };
            (provider.keys.contains(&name) || settings.contains(&name)).then(|| Sensitive::new(value))
        };
        let opened = open(&support::network(), provider.example, None, 0, &[], &keys);
        let why = opened.as_ref().err().map(ToString::to_string);
        assert_eq!(
            opened.is_ok(),
            !matches!(provider.location, Location::Named | Location::Embedded),
            "{}: {why:?}",
            provider.name
        );
        assert_eq!(ModelId::parse(provider.example).expect("an id").provider, provider);
        if provider.location != Location::Embedded {
            assert!(tried(provider.example, Some("http://127.0.0.1:1/v1"), &[]).is_ok(), "{}", provider.name);
        }
    }
}

#[tokio::test]
async fn a_given_address_serves_every_provider_with_the_right_key() {
    let server = Server::start(vec![Script::json(r#"{"choices":[{"message":{"content":"가"}}]}"#)]).await;
    let all = ["OPENAI_API_KEY", "OPENAI_COMPAT_API_KEY", "GROQ_API_KEY"];
    for (id, model, key) in [
        ("groq/a/b", "a/b", "GROQ_API_KEY"),
        ("openai/gpt-5", "gpt-5", "OPENAI_API_KEY"),
        ("lmstudio/m", "m", "OPENAI_COMPAT_API_KEY"),
    ] {
        let adapter = tried(id, Some(&server.base_url()), &all).expect("an adapter");
        adapter.complete(request(&[Message::User("?".to_owned())])).await.expect("a reply");
        let (head, body) = server.requests.lock().expect("requests").pop().expect("a request");
        let body = support::json(&body);
        assert!(head.contains(&format!("Bearer value of {key}\r\n")), "{id}: {head}");
        // Somebody else's server: the common names, whatever the provider.
        assert_eq!((&body["model"], &body["max_tokens"]), (&model.into(), &1024.into()), "{id}");
    }
}

#[test]
fn a_key_that_cannot_be_sent_is_refused_without_being_shown() {
    let keys = |name: &str| match name {
        "AZURE_API_BASE" => Some(Sensitive::new("https://r.example".to_owned())),
        "AWS_REGION_NAME" => Some(Sensitive::new("us-east-1".to_owned())),
        "AZURE_API_VERSION" => None,
        _ => Some(Sensitive::new("ab\u{0}cd\nef".to_owned())),
    };
    for id in ["openai/m", "anthropic/m", "gemini/m", "azure/m", "bedrock/m"] {
        let error =
            open(&support::network(), id, None, 0, &[], &keys).map(|_| ()).expect_err("an error").to_string();
        assert!(error.contains("cannot be sent") && !error.contains("ab"), "{error}");
    }
}

#[test]
fn what_a_provider_needs_is_what_opening_asks_for() {
    let asked = list().iter().filter(|provider| !provider.needs().is_empty());
    for provider in asked {
        let all: Vec<&str> = provider.needs().iter().flat_map(|names| names.iter().copied()).collect();
        // Google's credentials are a file, whose content is another test's.
        if provider.name != "vertex_ai" {
            let opened = tried(provider.example, None, &all);
            assert!(opened.is_ok(), "{}: {:?}", provider.name, opened.err());
        }
        for names in provider.needs() {
            let others: Vec<&str> = all.iter().filter(|name| !names.contains(name)).copied().collect();
            let refused = tried(provider.example, None, &others).err();
            let said = refused.expect("refused").to_string();
            let named = all.iter().any(|name| said.contains(name));
            assert!(named, "{} without {names:?}: {said}", provider.name);
            // Elsewhere nothing is needed.
            assert!(tried(provider.example, Some("http://localhost:9/v1"), &[]).is_ok());
        }
    }
}

#[test]
fn a_provider_s_own_address_given_by_hand_is_the_provider() {
    for id in ["openai/gpt-5", "anthropic/claude-x", "groq/llama"] {
        let provider = ModelId::parse(id).expect("an id").provider;
        let own = format!("{}/", provider.base_url().expect("an address"));
        let refused = tried(id, Some(&own), &[]).err();
        assert!(matches!(refused, Some(OpenError::NoKey { .. })), "{id}: {refused:?}");
    }
}

#[test]
fn thinking_that_has_its_own_room_counts_towards_a_call_s_bound() {
    let messages = [Message::User("?".to_owned())];
    for (id, effort, most) in [
        ("anthropic/claude-sonnet-4-5", None, 1024),
        ("anthropic/claude-sonnet-4-5", Some("high"), 1024 + 24_000),
        ("gemini/gemini-2.5-flash", Some("medium"), 1024 + 8000),
        ("bedrock/us.amazon.nova-lite-v1:0", Some("high"), 1024),
        ("openai_compat/m", Some("high"), 1024),
    ] {
        let model = tried(id, Some("http://localhost:9/v1"), &[]).expect("a model");
        let asked = koab_engine::ports::ModelRequest { effort, ..request(&messages) };
        assert_eq!(model.most_output(&asked), most, "{id} {effort:?}");
    }
}
