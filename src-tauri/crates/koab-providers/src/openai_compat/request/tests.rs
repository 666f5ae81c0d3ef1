use super::*;
use crate::openai_compat::BaseUrl;
use koab_engine::ports::AttemptRef;
use serde_json::json;

fn endpoint(model: &str, dialect: Dialect) -> Endpoint {
    let base_url = BaseUrl::parse("http://localhost/v1").expect("a base URL");
    Endpoint {
        network: crate::http::testing::network(),
        base_url,
        model: model.to_owned(),
        key: None,
        dialect,
        purpose: koab_engine::egress::Purpose::Model,
    }
}

fn bare<'a>(messages: &'a [Message]) -> ModelRequest<'a> {
    ModelRequest {
        messages,
        tools: &[],
        tool_choice: ToolChoice::Auto,
        listener: None,
        temperature: 0.7,
        max_tokens: Some(1024),
        effort: None,
        seed: None,
        answer_schema: None,
        given: None,
        attempt: AttemptRef { task: "L1-001", repetition: 1, step: 1, phase: 1 },
    }
}

fn body_for(endpoint: &Endpoint, request: &ModelRequest<'_>, way: Option<ObjectMethod>) -> Value {
    serde_json::from_slice(&Body::new(endpoint, &ModelRefusals::default(), request, way).to_json())
        .expect("JSON")
}

fn body(endpoint: &Endpoint, request: &ModelRequest<'_>) -> Value {
    body_for(endpoint, request, request.answer_schema.map(|_| ObjectMethod::Schema))
}

#[test]
fn the_least_request_has_nothing_that_was_not_asked_for() {
    let messages = [Message::User("안녕".to_owned())];
    let json = String::from_utf8(
        Body::new(&endpoint("m", Dialect::Common), &ModelRefusals::default(), &bare(&messages), None)
            .to_json(),
    );
    insta::assert_snapshot!(json.expect("UTF-8"), @r#"{"model":"m","messages":[{"role":"user","content":"안녕"}],"temperature":0.7,"max_tokens":1024,"stream":true,"stream_options":{"include_usage":true}}"#);
}

#[test]
fn a_full_request_has_everything_in_its_place() {
    let call = RequestedCall {
        id: "c1".to_owned(),
        name: "Search".to_owned(),
        arguments: "{\"q\":\"가\"}".to_owned(),
    };
    let messages = [
        Message::System("판정".to_owned()),
        Message::User("찾아줘".to_owned()),
        Message::Assistant { content: String::new(), calls: vec![call], opaque: None },
        Message::Tool { call_id: "c1".to_owned(), content: "{\"total\":1}".to_owned() },
        Message::Assistant { content: "하나".to_owned(), calls: vec![], opaque: None },
    ];
    let parameters = json!({"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]});
    let tools = [ToolSpec { name: "Search".to_owned(), description: "검색".to_owned(), parameters }];
    let request = ModelRequest { tools: &tools, seed: Some(7), effort: Some("low"), ..bare(&messages) };
    let pretty =
        serde_json::to_string_pretty(&body(&endpoint("m", Dialect::Common), &request)).expect("JSON");
    insta::assert_snapshot!(pretty, @r#"
    {
      "model": "m",
      "messages": [
        {
          "role": "system",
          "content": "판정"
        },
        {
          "role": "user",
          "content": "찾아줘"
        },
        {
          "role": "assistant",
          "content": null,
          "tool_calls": [
            {
              "id": "c1",
              "type": "function",
              "function": {
                "name": "Search",
                "arguments": "{\"q\":\"가\"}"
              }
            }
          ]
        },
        {
          "role": "tool",
          "tool_call_id": "c1",
          "content": "{\"total\":1}"
        },
        {
          "role": "assistant",
          "content": "하나"
        }
      ],
      "tools": [
        {
          "type": "function",
          "function": {
            "name": "Search",
            "description": "검색",
            "parameters": {
              "type": "object",
              "properties": {
                "q": {
                  "type": "string"
                }
              },
              "required": [
                "q"
              ]
            }
          }
        }
      ],
      "tool_choice": "auto",
      "temperature": 0.7,
      "max_tokens": 1024,
      "seed": 7,
      "reasoning_effort": "low",
      "stream": true,
      "stream_options": {
        "include_usage": true
      }
    }
    "#);
}

#[test]
fn answer_schemas_take_the_form_the_model_knows() {
    let messages = [Message::User("?".to_owned())];
    let schema = json!({"type": "object"});
    let request = ModelRequest { answer_schema: Some(("Verdict", &schema)), given: None, ..bare(&messages) };
    let format = |model: &str| body(&endpoint(model, Dialect::Common), &request)["response_format"].clone();
    assert_eq!(
        format("gpt-4o"),
        json!({"type": "json_schema", "json_schema": {"name": "Verdict", "schema": {"type": "object"}, "strict": false}})
    );
    assert_eq!(
        format("google/Gemini-2.5-pro"),
        json!({"type": "json_object", "response_schema": {"type": "object"}, "enforce_validation": true})
    );
}

#[test]
fn openai_gets_its_own_names_and_its_reasoning_models_no_temperature() {
    let messages = [Message::User("?".to_owned())];
    for (model, temperature) in
        [("gpt-4o", json!(0.7)), ("gpt-5-mini", Value::Null), ("o3", Value::Null), ("omni", json!(0.7))]
    {
        let body = body(&endpoint(model, Dialect::OpenAi), &bare(&messages));
        assert_eq!((&body["max_completion_tokens"], &body["max_tokens"]), (&json!(1024), &Value::Null));
        assert_eq!(body["temperature"], temperature, "{model}");
    }
}

#[test]
fn the_other_ways_to_an_object_have_their_fields() {
    let messages = [Message::User("?".to_owned())];
    let tools = [ToolSpec { name: "Verdict".to_owned(), description: String::new(), parameters: json!({}) }];
    let endpoint = endpoint("m", Dialect::Common);
    let forced = ModelRequest { tools: &tools, ..bare(&messages) };
    assert_eq!(
        body_for(&endpoint, &forced, Some(ObjectMethod::Tool))["tool_choice"],
        json!({"type": "function", "function": {"name": "Verdict"}})
    );
    let format = |way| body_for(&endpoint, &bare(&messages), Some(way))["response_format"].clone();
    assert_eq!(format(ObjectMethod::Object), json!({"type": "json_object"}));
    assert_eq!(format(ObjectMethod::Words), Value::Null);
}

#[test]
fn azure_and_openrouter_have_their_own_fields() {
    let messages = [Message::User("?".to_owned())];
    let schema = json!({"type": "object"});
    let request = ModelRequest {
        effort: Some("low"),
        answer_schema: Some(("Verdict", &schema)),
        given: None,
        ..bare(&messages)
    };
    let azure = |model| body(&endpoint(model, Dialect::Azure), &request);
    assert_eq!(azure("DeepSeek-V3.1")["max_tokens"], 1024);
    assert_eq!(
        (&azure("gpt-5")["max_completion_tokens"], &azure("gpt-5")["temperature"]),
        (&json!(1024), &Value::Null)
    );
    let routed = body(&endpoint("a/b", Dialect::OpenRouter), &request);
    assert_eq!(routed["reasoning"], json!({"effort": "low"}));
    assert_eq!(routed["provider"], json!({"require_parameters": true}));
    assert_eq!(routed.get("reasoning_effort"), None);
}

#[test]
fn what_a_server_gave_along_goes_back_unchanged() {
    let call = RequestedCall { id: "c1".to_owned(), name: "f".to_owned(), arguments: "{}".to_owned() };
    let details = json!([{"type": "reasoning.encrypted", "data": "AA", "index": 0}]);
    let extra = json!({"google": {"thought_signature": "t"}});
    let opaque = json!({"reasoning_details": details, "extra_content": [extra]});
    let messages = [Message::Assistant {
        content: String::new(),
        calls: vec![call],
        opaque: Some(std::sync::Arc::new(opaque)),
    }];
    let sent = body(&endpoint("m", Dialect::Common), &bare(&messages))["messages"][0].clone();
    assert_eq!(sent["reasoning_details"], details);
    assert_eq!(sent["tool_calls"][0]["extra_content"], extra);
}
