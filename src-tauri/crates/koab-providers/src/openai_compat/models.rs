//! Checks whether a server's list of models contains the requested model.

use crate::http::{Errors, Response, is_roomy};
use koab_engine::ports::ModelError;
use serde_json::Value;

/// Maximum number of other models that an error names.
const MAX_SUGGESTIONS: usize = 5;

/// Checks the answer to `GET /models`. Without a model, only the key is checked.
///
/// A list that is missing, empty or unreadable says nothing against the model: several servers have
/// none, and proxies leave it empty.
///
/// # Errors
/// When the server refuses the key, fails, or its list of models does not contain the model.
pub(super) async fn judge(
    response: Response,
    model: Option<&String>,
    errors: &Errors,
) -> Result<(), ModelError> {
    let status = response.status().as_u16();
    if matches!(status, 401 | 403 | 429 | 500 | 502..=599) {
        return Err(errors.refused(response).await);
    }
    let Some(model) = model.filter(|_| response.status().is_success()) else {
        return Ok(());
    };
    let body = response.bytes().await.map_err(|error| errors.reading(&error))?;
    let models = is_roomy(&body)
        .ok()
        .and_then(|()| serde_json::from_slice::<Value>(&body).ok())
        .map(|list| names(&list))
        .unwrap_or_default();
    if models.is_empty() || models.contains(model) {
        return Ok(());
    }
    let suggestions = suggestions(&models, model);
    if lists(&models, model) {
        // Some of these servers still require their own spelling.
        errors.offer(&suggestions);
        return Ok(());
    }
    Err(errors.unlisted_model(&suggestions))
}

/// Names in the answer to `GET /models`, sorted; `None` if the server has no list.
///
/// # Errors
/// When the server refuses the key or fails.
pub(super) async fn list(response: Response, errors: &Errors) -> Result<Option<Vec<String>>, ModelError> {
    let status = response.status();
    if matches!(status.as_u16(), 401 | 403 | 429 | 500 | 502..=599) {
        return Err(errors.refused(response).await);
    }
    if !status.is_success() {
        return Ok(None);
    }
    let body = response.bytes().await.map_err(|error| errors.reading(&error))?;
    let mut names = listed_models(&body).unwrap_or_default();
    names.sort();
    names.dedup();
    Ok((!names.is_empty()).then_some(names))
}

/// The most similar names, with `…` if there are more.
fn suggestions(listed: &[String], model: &str) -> String {
    let near = nearest(listed, model);
    let more = if near.len() < listed.len() { ", …" } else { "" };
    let near: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
    format!("{}{more}", near.join(", "))
}

/// Models in the body of a list; `None` if it is not a list of models.
pub(crate) fn listed_models(body: &[u8]) -> Option<Vec<String>> {
    is_roomy(body).ok()?;
    let list: Value = serde_json::from_slice(body).ok()?;
    let is_list = list.get("data").or_else(|| list.get("models")).is_some_and(Value::is_array);
    is_list.then(|| names(&list))
}

/// Whether a list of models contains a model. The spelling may differ as far as servers accept it.
pub fn lists(listed: &[String], model: &str) -> bool {
    listed.iter().any(|name| is_same(name, model))
}

/// Ids in `{data: [{id}]}`, `{models: [{name}]}` or a bare list.
fn names(list: &Value) -> Vec<String> {
    let entries = list.get("data").or_else(|| list.get("models")).unwrap_or(list);
    let name = |entry: &Value| {
        let text =
            entry.as_str().or_else(|| entry.get("id")?.as_str()).or_else(|| entry.get("name")?.as_str());
        text.map(str::to_owned)
    };
    entries.as_array().into_iter().flatten().filter_map(name).collect()
}

/// Whether two names mean one model. Letter case, folders in front and Ollama's `:latest` do not
/// matter.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |name: &str| {
        let name = name.to_lowercase();
        let last = name.rsplit('/').next().unwrap_or_default().to_owned();
        last.strip_suffix(":latest").map(str::to_owned).unwrap_or(last)
    };
    plain(one) == plain(other)
}

fn nearest<'a>(listed: &'a [String], model: &str) -> Vec<&'a str> {
    let model = model.to_lowercase();
    let mut scored: Vec<(f64, &str)> = listed
        .iter()
        .map(|name| {
            let score =
                if is_same(name, &model) { 1.0 } else { strsim::jaro_winkler(&name.to_lowercase(), &model) };
            (score, name.as_str())
        })
        .collect();
    // The sort is stable, so equally similar names keep the server's order.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(MAX_SUGGESTIONS).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_known_form_of_list_is_read() {
        for list in [
            json!({"object": "list", "data": [{"id": "a"}, {"id": "b"}]}),
            json!({"models": [{"name": "a"}, {"name": "b"}]}),
            json!(["a", "b"]),
        ] {
            assert_eq!(names(&list), ["a", "b"], "{list}");
        }
        for nothing in [json!({"data": null}), json!({"data": []}), json!("hello"), json!({"detail": "no"})] {
            assert!(names(&nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn spellings_of_one_name_agree() {
        for (listed, asked) in [
            ("gpt-4o", "GPT-4o"),
            ("openai/gpt-4o", "gpt-4o"),
            ("gpt-4o", "azure/gpt-4o"),
            ("models/gemini-2.5-flash", "gemini-2.5-flash"),
            ("llama3.2:latest", "llama3.2"),
        ] {
            assert!(is_same(listed, asked), "{listed} {asked}");
        }
        assert!(!is_same("gpt-4o", "gpt-4o-mini"));
        assert!(!is_same("llama3.2:3b", "llama3.2"));
    }

    #[test]
    fn the_nearest_names_are_offered() {
        let listed =
            ["qwen3-8b", "zeta", "gpt-4o-mini", "alpha", "gpt-4.1", "beta", "gpt-4"].map(str::to_owned);
        assert_eq!(nearest(&listed, "gpt-4o")[..3], ["gpt-4", "gpt-4.1", "gpt-4o-mini"]);
        assert_eq!(nearest(&listed, "gpt-4o").len(), 5);
    }
}
