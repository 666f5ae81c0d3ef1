//! MCP tools of an attempt, on the gateway's own listener. A caller is identified only by the token
//! of its attempt.

use super::body;
use super::trial::Trial;
use hyper::body::Incoming;
use hyper::{Request, Uri};
use koab_mcp::http::{self, HttpAnswer};
use std::sync::Arc;

/// Whether a request is addressed to the tools.
pub(super) fn is_meant(uri: &Uri) -> bool {
    http::behind_path(uri).is_some()
}

/// Answers a request to the tools. `trial` returns the trial that a token belongs to. Requests
/// whose `Host` is not one of `hosts` are refused.
pub(super) async fn answer(
    hosts: &[String],
    trial: impl Fn(&str) -> Option<Arc<Trial>>,
    request: Request<Incoming>,
) -> HttpAnswer {
    if let Some(refused) = http::forbidden(request.headers(), hosts) {
        return refused;
    }
    let token = http::token(request.headers(), request.uri());
    let Some(trial) = token.and_then(trial) else {
        return HttpAnswer::refused(401, "this server needs the token of an attempt that is under way");
    };
    let Some(tools) = trial.tools.clone() else {
        return HttpAnswer::refused(404, "this trial has no tools");
    };
    let method = request.method().clone();
    match body::read_at_most(request, http::BODY).await {
        Ok(body) => http::answer(&tools, &method, &body).await,
        Err(refusal) => HttpAnswer::refused(refusal.status, &refusal.message.to_string()),
    }
}
