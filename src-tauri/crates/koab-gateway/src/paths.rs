//! The gateway's paths, and the positions of tokens in requests.

use super::form::Form;
use super::forms::Route;
use super::refusal::Refusal;
use super::request::AnswerFormat;
use hyper::header::{AUTHORIZATION, HeaderMap};
use hyper::{Method, Uri};

/// Prefix of Gemini's paths.
const GEMINI: &str = "/v1beta";

/// Operation that a request is for.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// Answer of the model.
    Answer(Route),
    /// Number of tokens of a request.
    Count(Route),
    /// List of models.
    Models(Form),
}

/// API format whose clients use this path and expect its error format.
pub(super) fn form(path: &str, headers: &HeaderMap) -> Form {
    match path {
        _ if path.starts_with(GEMINI) => Form::Gemini,
        _ if path.starts_with("/v1/messages") => Form::Messages,
        _ if path.starts_with("/v1/responses") => Form::Responses,
        // Both vendors list their models at this path.
        "/v1/models" if headers.contains_key("anthropic-version") => Form::Messages,
        _ => Form::Chat,
    }
}

/// Operation of a request.
///
/// # Errors
/// 404 for an unknown path, 405 for another method.
pub(super) fn target(method: &Method, uri: &Uri, form: Form) -> Result<Target, Refusal> {
    let path = uri.path();
    let route = Route::for_form(form);
    let (target, takes) = match path {
        "/v1/chat/completions" | "/v1/responses" | "/v1/messages" => (Target::Answer(route), Method::POST),
        "/v1/messages/count_tokens" => (Target::Count(route), Method::POST),
        "/v1/models" | "/v1beta/models" => (Target::Models(form), Method::GET),
        _ if form == Form::Gemini => (gemini(uri).ok_or_else(|| nothing(path))?, Method::POST),
        _ if path.starts_with("/v1/v1/") => {
            let message = format!(
                "there is nothing at {path}: the base URL ends with /v1 and the client adds another; leave it out of the base URL"
            );
            return Err(Refusal::new(404, "not_found", message));
        }
        _ => return Err(nothing(path)),
    };
    if *method != takes {
        let message = format!("{path} takes {takes} alone");
        return Err(Refusal::new(405, "method_not_allowed", message));
    }
    Ok(target)
}

fn nothing(path: &str) -> Refusal {
    let message = format!(
        "there is nothing at {path}; this gateway has POST /v1/chat/completions, POST /v1/responses, POST /v1/messages, \
         POST /v1beta/models/MODEL:generateContent and GET /v1/models"
    );
    Refusal::new(404, "not_found", message)
}

/// Reads `MODEL:METHOD` after [`GEMINI`].
fn gemini(uri: &Uri) -> Option<Target> {
    let (model, method) = uri.path().strip_prefix(GEMINI)?.strip_prefix("/models/")?.rsplit_once(':')?;
    let route = |format| Route {
        form: Form::Gemini,
        // The slash is the only character of a model's id that clients may have to escape.
        model: Some(model.replace("%2F", "/").replace("%2f", "/")),
        format,
    };
    match method {
        "generateContent" => Some(Target::Answer(route(AnswerFormat::default()))),
        "streamGenerateContent" => Some(Target::Answer(route(AnswerFormat {
            stream: true,
            usage: true,
            array: query(uri, "alt") != Some("sse"),
        }))),
        "countTokens" => Some(Target::Count(route(AnswerFormat::default()))),
        _ => None,
    }
}

fn query<'a>(uri: &'a Uri, name: &str) -> Option<&'a str> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
}

/// Token of a request, from the headers or the query parameter that may contain it. `None` when
/// there is no token, or when two tokens differ.
pub(super) fn token<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let bearer = headers.get_all(AUTHORIZATION).iter().map(|value| {
        let value = value.to_str().ok()?;
        koab_mcp::http::bearer(value)
    });
    let api_keys = ["x-api-key", "x-goog-api-key"].into_iter();
    let api_keys = api_keys.flat_map(|name| headers.get_all(name)).map(|value| value.to_str().ok());
    let mut tokens = bearer.chain(api_keys).chain(query(uri, "key").map(Some));
    let first = tokens.next()??;
    tokens.all(|other| other == Some(first)).then_some(first)
}
