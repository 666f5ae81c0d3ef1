//! Turns of a logged conversation: the question that was answered, and whether the answer is the
//! model's own.
//!
//! In a conversation of L6 or L7 the dataset's own turns come before the tested turn. If the model
//! gave no answer, the published runner uses the dataset's last answer as the final response
//! (`docs/spec/metrics.md` §11, 23 to 25).

use super::LoggedTask;
use serde_json::Value;

impl LoggedTask {
    /// Messages of the conversation, unchanged from the log.
    pub fn messages(&self) -> &[Value] {
        self.get("conversation_log").get("messages").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The user's last message, which the final response answers.
    pub fn last_question(&self) -> Option<&str> {
        self.messages()
            .iter()
            .rev()
            .find(|message| role(message) == "user")
            .and_then(|message| message.get("content"))
            .and_then(Value::as_str)
            .filter(|text| !text.trim().is_empty())
    }

    /// Number of tool results in the conversation that come from the dataset; 0 when the model took
    /// every turn itself.
    pub fn seeded_results(&self) -> usize {
        self.messages().iter().filter(|message| is_seed_result(message)).count()
    }

    /// Whether the final response is an answer of the dataset.
    ///
    /// This is the case if the model took no turn, or if the message with the same text is followed
    /// by a question or a seeded tool result.
    pub fn answer_is_seeded(&self) -> bool {
        let Value::String(response) = self.get("final_response") else {
            return false;
        };
        let messages = self.messages();
        let position = messages.iter().rposition(|message| {
            role(message) == "assistant" && message.get("content").and_then(Value::as_str) == Some(response)
        });
        let Some(position) = position else { return false };
        self.get("steps_taken").as_i64() == Some(0)
            || messages[position + 1..]
                .iter()
                .any(|message| role(message) == "user" || is_seed_result(message))
    }
}

fn role(message: &Value) -> &str {
    message.get("role").and_then(Value::as_str).unwrap_or_default()
}

fn is_seed_result(message: &Value) -> bool {
    message.get("tool_call_id").and_then(Value::as_str).is_some_and(|id| id.starts_with("seed_call_"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn task(steps: u32, response: &str, messages: Value) -> LoggedTask {
        let result = json!({"steps_taken": steps, "final_response": response, "conversation_log": {"messages": messages}});
        LoggedTask::read(0, &result).unwrap()
    }

    #[test]
    fn an_answer_that_stands_before_a_question_or_a_seeded_result_is_the_datasets() {
        let seeded = json!({"role": "tool", "tool_call_id": "seed_call_2_1", "content": {}});
        let question = |text: &str| json!({"role": "user", "content": text});
        let answer = |text: &str| json!({"role": "assistant", "content": text});
        for (name, steps, messages, expected) in [
            ("own answer", 1, json!([question("q"), answer("a")]), false),
            ("no model turn", 0, json!([question("q"), answer("a")]), true),
            ("before a result", 1, json!([question("q"), answer("a"), seeded]), true),
            ("before a question", 1, json!([question("q"), answer("a"), question("r")]), true),
            ("said again", 1, json!([question("q"), answer("a"), question("r"), answer("a")]), false),
            ("not in the conversation", 1, json!([question("q")]), false),
        ] {
            assert_eq!(task(steps, "a", messages).answer_is_seeded(), expected, "{name}");
        }
        assert_eq!(
            task(1, "a", json!([question("q"), answer("a"), question("r")])).last_question(),
            Some("r")
        );
    }
}
