//! Model ids, and what they lead to.

use crate::support::{self, Script, Server, request};
use koab_core::sensitive::Sensitive;
use koab_engine::ports::{Message, ModelAdapter};
use koab_providers::registry::{ModelId, OpenError, Service, list, open};
use std::sync::Arc;

fn tried(id: &str, base_url: Option<&str>, keys: &[&str]) -> Result<Arc<dyn ModelAdapter>, OpenError> {
    let keys = |name: &str| {
        keys.contains(&name)
            .then(|| Sensitive::new(format!("value of {name}")))
    };
    open(id, base_url, 0, &[], &keys)
}

#[test]
fn ids_are_taken_apart_at_the_first_slash() {
    for (id, provider, model) in [
        ("ollama/qwen3:8b", "ollama", "qwen3:8b"),
        ("VLLM/Qwen/Qwen3-8B", "vllm", "Qwen/Qwen3-8B"),
        (" openrouter/z-ai/glm-4.6v ", "openrouter", "z-ai/glm-4.6v"),
        (
            "bedrock/us.amazon.nova-lite-v1:0",
            "bedrock",
            "us.amazon.nova-lite-v1:0",
        ),
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
            "`gpt-4o` is no model id; write provider/model, such as ollama/qwen3:8b or baseline/golden",
        ),
        (
            "vllm/",
            None,
            "`vllm/` is no model id; write provider/model, such as ollama/qwen3:8b or baseline/golden",
        ),
        (
            "baseline/gold",
            None,
            "there is no baseline `gold`; baselines are golden, silent and random",
        ),
        (
            "azure/gpt-4o",
            None,
            "azure's own protocol is not built in yet; name an OpenAI-compatible address for it with --base-url",
        ),
        (
            "bedrock/x",
            Some(" "),
            "bedrock's own protocol is not built in yet; name an OpenAI-compatible address for it with --base-url",
        ),
        (
            "openai_compat/m",
            None,
            "openai_compat has no address of its own; name the server with --base-url, such as http://localhost:8000/v1",
        ),
        (
            "openai/gpt-4o",
            None,
            "openai needs a key; set the environment variable OPENAI_API_KEY",
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
    let unknown = tried("acme/m/x", None, &[])
        .map(|_| ())
        .expect_err("an error")
        .to_string();
    assert!(
        unknown.starts_with("`acme` is no provider; known are baseline, ")
            && unknown.ends_with("openai_compat/m/x with --base-url"),
        "{unknown}"
    );
    assert!(matches!(
        tried("local/m", None, &[]),
        Err(OpenError::NoEmbeddedEngine)
    ));
}

#[test]
fn every_listed_provider_opens_its_example_or_says_why_not() {
    for provider in list() {
        let opened = tried(provider.example, None, provider.keys);
        let why = opened.as_ref().err().map(ToString::to_string);
        assert_eq!(
            opened.is_ok(),
            matches!(
                provider.service,
                Service::Hosted { .. } | Service::Local { .. } | Service::Baseline
            ),
            "{why:?}"
        );
        assert_eq!(
            ModelId::parse(provider.example).expect("an id").provider,
            provider
        );
        if provider.service != Service::Embedded {
            assert!(
                tried(provider.example, Some("http://127.0.0.1:1/v1"), &[]).is_ok(),
                "{}",
                provider.name
            );
        }
    }
}

#[tokio::test]
async fn a_given_address_serves_every_provider_with_the_right_key() {
    let server = Server::start(vec![Script::json(
        r#"{"choices":[{"message":{"content":"가"}}]}"#,
    )])
    .await;
    let all = ["OPENAI_API_KEY", "OPENAI_COMPAT_API_KEY", "GROQ_API_KEY"];
    for (id, model, key) in [
        ("azure/gpt-4o", "gpt-4o", "OPENAI_COMPAT_API_KEY"),
        ("groq/a/b", "a/b", "GROQ_API_KEY"),
        ("openai/gpt-5", "gpt-5", "OPENAI_API_KEY"),
        ("lmstudio/m", "m", "OPENAI_COMPAT_API_KEY"),
    ] {
        let adapter = tried(id, Some(&server.base_url()), &all).expect("an adapter");
        adapter
            .complete(request(&[Message::User("?".to_owned())]))
            .await
            .expect("a reply");
        let (head, body) = server
            .requests
            .lock()
            .expect("requests")
            .pop()
            .expect("a request");
        let body = support::json(&body);
        assert!(
            head.contains(&format!("Bearer value of {key}\r\n")),
            "{id}: {head}"
        );
        // Somebody else's server: the common names, whatever the provider.
        assert_eq!(
            (&body["model"], &body["max_tokens"]),
            (&model.into(), &1024.into()),
            "{id}"
        );
    }
}

#[test]
fn a_key_that_cannot_be_sent_is_refused_without_being_shown() {
    let keys = |_: &str| Some(Sensitive::new("ab\u{0}cd\nef".to_owned()));
    let error = open("openai/m", None, 0, &[], &keys)
        .map(|_| ())
        .expect_err("an error")
        .to_string();
    assert!(
        error.contains("cannot be sent") && !error.contains("ab"),
        "{error}"
    );
}
