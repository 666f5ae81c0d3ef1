//! Removes keys that servers quote.

use koab_core::secrets::Secrets;
use koab_engine::ports::{ModelReply, Opaque, RequestedCall};
use std::sync::Arc;

/// Text that replaces a key.
const BLANK: &str = "••••";
/// Minimum length in bytes of a key that is removed from errors and from answers of services.
const MIN_KEY_BYTES: usize = 6;
/// Minimum length in bytes of a key that is removed from a model's answer. Servers without keys are
/// configured with words such as `lm-studio`, which an answer may contain.
const MIN_KEY_BYTES_IN_ANSWERS: usize = 12;

/// Keys and logins that are removed from a server's errors.
pub(crate) fn secrets_of<T: AsRef<str>>(keys: impl IntoIterator<Item = T>) -> Secrets {
    Secrets::new(BLANK, MIN_KEY_BYTES, keys)
}

/// Keys that are removed from a model's answers.
pub(super) fn secrets_in_answers<T: AsRef<str>>(keys: impl IntoIterator<Item = T>) -> Secrets {
    Secrets::new(BLANK, MIN_KEY_BYTES_IN_ANSWERS, keys)
}

/// Removes the given keys from a model's reply.
pub(super) fn without(keys: &Secrets, reply: ModelReply) -> ModelReply {
    if keys.is_empty() {
        return reply;
    }
    let call = |call: RequestedCall| RequestedCall {
        id: keys.text(&call.id),
        name: keys.text(&call.name),
        arguments: keys.json(&call.arguments),
    };
    // A signature in it is valid only if nothing is changed.
    let opaque = |opaque: Opaque| {
        let masked = keys.value((*opaque).clone());
        if masked == *opaque { opaque } else { Arc::new(masked) }
    };
    ModelReply {
        content: keys.text(&reply.content),
        calls: reply.calls.into_iter().map(call).collect(),
        opaque: reply.opaque.map(opaque),
        written: reply.written.map(|text| keys.text(&text)),
        message: reply.message.map(|message| Box::new(keys.value(*message))),
        ..reply
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_engine::ports::FinishReason;
    use serde_json::json;
    use std::time::Duration;

    #[test]
    fn an_answer_loses_a_key_and_keeps_a_word_that_stands_for_none() {
        let reply = |word: &str| ModelReply {
            content: format!("about {word}"),
            calls: vec![RequestedCall {
                id: "1".to_owned(),
                name: "T".to_owned(),
                arguments: json!({ "q": word }).to_string(),
            }],
            usage: None,
            finish: FinishReason::Stop,
            first_token: None,
            latency: Duration::ZERO,
            opaque: Some(Arc::new(json!([word]))),
            left_out: None,
            written: None,
            message: Some(Box::new(json!({ "content": word }))),
        };
        for (word, left) in [("lm-studio", "lm-studio"), ("sk-canary-0001", BLANK)] {
            let said = without(&secrets_in_answers([word]), reply(word));
            let wanted = reply(left);
            assert_eq!(said.content, wanted.content);
            assert_eq!(said.calls[0].arguments, wanted.calls[0].arguments);
            assert_eq!((said.opaque, said.message), (wanted.opaque, wanted.message));
            assert_eq!(secrets_of([word]).text(word), BLANK, "errors lose both");
        }
        let (begin, end) = (json!({"text": "sk-can"}), json!({"text": "ary-0001."}));
        let pieces = ModelReply { opaque: Some(Arc::new(json!([begin, end]))), ..reply("") };
        let opaque = without(&secrets_in_answers(["sk-canary-0001"]), pieces).opaque;
        assert_eq!(opaque, Some(Arc::new(json!([{"text": BLANK}, {"text": "."}]))));
    }
}
