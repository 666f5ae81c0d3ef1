//! List of models with the only model of the gateway, in each vendor's format.

use super::form::Form;
use serde_json::{Value, json};

/// Body of the list of models.
pub(super) fn models(form: Form, model: &str) -> Value {
    let (maker, bare) = model.split_once('/').unwrap_or((model, model));
    match form {
        Form::Chat | Form::Responses => {
            let model = json!({"id": model, "object": "model", "created": 0, "owned_by": maker});
            json!({"object": "list", "data": [model]})
        }
        Form::Messages => json!({
            "data": [{"type": "model", "id": model, "display_name": bare, "created_at": "1970-01-01T00:00:00Z"}],
            "has_more": false,
            "first_id": model,
            "last_id": model,
        }),
        Form::Gemini => json!({"models": [{
            "name": format!("models/{bare}"),
            "displayName": bare,
            "supportedGenerationMethods": ["generateContent", "countTokens"],
        }]}),
    }
}
