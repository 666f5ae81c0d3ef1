use super::*;
use koab_engine::ports::{AttemptRef, RequestedCall, ToolChoice};
use serde_json::json;
use std::sync::Mutex;
use std::time::Duration;

/// Refuses the first ways with these messages and answers the rest with this text.
struct Stubborn {
    ways: ObjectMethods,
    errors: Errors,
    refusals: &'static [&'static str],
    answer: &'static str,
    asked: Mutex<Vec<ObjectMethod>>,
}

fn stubborn(refusals: &'static [&'static str], answer: &'static str) -> Stubborn {
    Stubborn {
        ways: ObjectMethods::new(&[
            ObjectMethod::Schema,
            ObjectMethod::Tool,
            ObjectMethod::Object,
            ObjectMethod::Words,
        ]),
        errors: Errors::new(String::new(), "", "", None),
        refusals,
        answer,
        asked: Mutex::default(),
    }
}

#[async_trait]
impl ObjectModel for Stubborn {
    async fn ask_once(
        &self,
        request: &ModelRequest<'_>,
        way: Option<ObjectMethod>,
    ) -> Result<ModelReply, ModelError> {
        let way = way.expect("a way");
        self.asked.lock().expect("ways").push(way);
        assert_eq!(request.answer_schema.is_some(), way == ObjectMethod::Schema);
        assert_eq!(request.tools.len(), usize::from(way == ObjectMethod::Tool));
        let told = matches!(&request.messages[0], Message::System(text) if text.starts_with("판정\n\nAnswer with one JSON"));
        assert_eq!(told, matches!(way, ObjectMethod::Object | ObjectMethod::Words));
        if let Some(message) = self.refusals.get(way as usize) {
            return Err(ModelError::Http { url: String::new(), status: 400, message: (*message).to_owned() });
        }
        let call = RequestedCall {
            id: "c".to_owned(),
            name: "Verdict".to_owned(),
            arguments: self.answer.to_owned(),
        };
        let calls = if way == ObjectMethod::Tool { vec![call] } else { vec![] };
        Ok(ModelReply {
            content: if calls.is_empty() { self.answer.to_owned() } else { String::new() },
            finish: if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls },
            calls,
            usage: None,
            first_token: None,
            latency: Duration::ZERO,
            opaque: None,
            left_out: None,
            written: None,
            message: None,
        })
    }

    fn ways(&self) -> &ObjectMethods {
        &self.ways
    }

    fn errors(&self) -> &Errors {
        &self.errors
    }
}

async fn judge(model: &Stubborn) -> Result<String, String> {
    let schema =
        json!({"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]});
    let messages = [Message::System("판정".to_owned()), Message::User("?".to_owned())];
    let request = ModelRequest {
        messages: &messages,
        tools: &[],
        tool_choice: ToolChoice::Auto,
        listener: None,
        temperature: 0.0,
        max_tokens: Some(9),
        effort: None,
        seed: None,
        answer_schema: Some(("Verdict", &schema)),
        given: None,
        attempt: AttemptRef::default(),
    };
    let reply = complete(model, &request).await.map_err(|error| error.to_string())?;
    assert!(reply.calls.is_empty() && reply.finish == FinishReason::Stop);
    Ok(reply.content)
}

#[tokio::test]
async fn each_way_is_tried_until_one_is_taken_and_then_kept() {
    use ObjectMethod::{Object, Schema, Tool, Words};
    for (refusals, ways) in [
        (&[][..], &[Schema][..]),
        (&["'response_format' is not supported"], &[Schema, Tool]),
        (&["no json_schema here", "tool_choice: unknown"], &[Schema, Tool, Object]),
        (&["json_schema?", "tool choice?", "json_object?"], &[Schema, Tool, Object, Words]),
    ] {
        let model = stubborn(refusals, r#"{"score":4}"#);
        for _ in 0..2 {
            assert_eq!(judge(&model).await.as_deref(), Ok(r#"{"score":4}"#));
        }
        let kept = ways.last().copied();
        let expected: Vec<ObjectMethod> = ways.iter().copied().chain(kept).collect();
        assert_eq!(*model.asked.lock().expect("ways"), expected);
    }
}

#[tokio::test]
async fn what_is_refused_for_another_reason_is_not_asked_again() {
    let model = stubborn(&["the prompt is too long"], "");
    assert!(judge(&model).await.is_err_and(|error| error.contains("too long")));
    assert_eq!(*model.asked.lock().expect("ways"), [ObjectMethod::Schema]);
    let model = stubborn(&["schema: a", "schema: b", "schema: c", "schema: d"], "");
    assert!(judge(&model).await.is_err_and(|error| error.contains("schema: a")));
}

#[tokio::test]
async fn objects_are_found_and_validated() {
    const REFUSALS: &[&str] = &["json_schema", "tool_choice"];
    for (answer, expected) in [
        ("점수는 {아마}:\n```json\n{\"score\": 4}\n```", Ok(r#"{"score":4}"#)),
        ("4점", Err("it holds no JSON object")),
        (r#"{"score":"4"}"#, Err("\"4\" is not of type \"integer\"")),
    ] {
        match (judge(&stubborn(REFUSALS, answer)).await, expected) {
            (Ok(content), Ok(expected)) => assert_eq!(content, expected),
            (Err(said), Err(part)) => assert!(said.contains(part), "{said}"),
            (other, _) => panic!("{answer}: {other:?}"),
        }
    }
}
