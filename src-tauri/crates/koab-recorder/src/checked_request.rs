//! A request becomes what a recording needs: its secrets are known, and its server can be reached.

use crate::capture::Capture;
use crate::form::{FORMAT, ServerForm, now};
use crate::link::{Link, ServerStart};
use crate::normalize::Normalize;
use crate::recorder::Recorder;
use crate::request::{RecordRequest, ServerAt};
use crate::secrets::Secrets;
use koab_core::pack::is_pack_name;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_engine::egress::{self, Offline, Purpose};
use koab_providers::mcp::ToolServer;
use koab_workspace::{ErrorCode, WireError};
use std::path::PathBuf;

/// How a header says what its value is; no secret.
const SCHEMES: [&str; 4] = ["Bearer", "Basic", "Digest", "ApiKey"];

/// A request that makes sense.
pub(crate) struct CheckedRequest {
    pub(crate) request: RecordRequest,
    secrets: Secrets,
    header: Option<Sensitive<String>>,
    work: Option<String>,
}

impl Recorder {
    pub(crate) fn ready(&self, request: RecordRequest) -> Result<CheckedRequest, WireError> {
        // The workspace is opened before anybody waits for an answer, and its switch is known then.
        self.workspace.store()?;
        if !is_pack_name(&request.name) {
            return Err(WireError::bad_request(say!(
                "the name of a pack has at most 64 letters, digits, dots, dashes and underscores, and begins with a letter or digit"
            )));
        }
        let value = |name: &String| {
            std::env::var(name).map_err(|_| {
                WireError::bad_request(say!(
                    "the environment variable {name} is not set; set it, or leave it out"
                ))
            })
        };
        let mut values = request.env.iter().map(value).collect::<Result<Vec<_>, _>>()?;
        let header = match &request.server {
            ServerAt::Command(command) => {
                let program = command.first().map_or("", String::as_str);
                // What a program of somebody else asks of the network passes no gate of ours.
                if let Some(because) = egress::offline() {
                    let offline = Offline { host: program.to_owned(), purpose: Purpose::Service, because };
                    return Err(WireError::new(ErrorCode::Offline, offline.to_sentence()));
                }
                None
            }
            ServerAt::Url { header_env, .. } => header_env.as_ref().map(value).transpose()?,
        };
        if let Some(header) = &header {
            values.extend(header_secrets(header));
        }
        let work = match &request.work {
            Some(work) => {
                let absolute = std::fs::canonicalize(work).map_err(|error| {
                    WireError::bad_request(say!("the folder {} cannot be used: {error}", work.display()))
                })?;
                Some(absolute.to_string_lossy().into_owned())
            }
            None => None,
        };
        Ok(CheckedRequest {
            secrets: Secrets::new(values),
            header: header.map(Sensitive::new),
            work,
            request,
        })
    }
}

/// What of a header is a secret by itself: its value and each part of it.
///
/// Such as the second of `Name: Bearer value` and each of `Cookie: one=value; two=value`.
fn header_secrets(header: &str) -> Vec<String> {
    let value = header.split_once(": ").map_or(header, |(_, value)| value).trim();
    let parts = value.split(|sign: char| sign.is_whitespace() || ";,\"".contains(sign));
    let is_scheme = |part: &str| SCHEMES.iter().any(|scheme| scheme.eq_ignore_ascii_case(part));
    let mut secrets = vec![header.to_owned(), value.to_owned()];
    for part in parts.filter(|part| !is_scheme(part)) {
        secrets.push(part.to_owned());
        secrets.extend(part.split_once('=').map(|(_, value)| value.to_owned()));
    }
    secrets
}

impl CheckedRequest {
    /// What must not be told.
    pub(crate) fn secrets(&self) -> Secrets {
        self.secrets.clone()
    }

    /// The way to the server, which is started for it.
    pub(crate) fn link(&self) -> Result<Link, Sentence> {
        match &self.request.server {
            ServerAt::Command(command) => {
                let start = ServerStart {
                    command: command.clone(),
                    env: self.request.env.clone(),
                    folder: self.work.as_ref().map(PathBuf::from),
                };
                Link::start(&start, &self.secrets)
            }
            ServerAt::Url { url, .. } => Ok(Link::to(ToolServer::new(url, self.header.as_ref())?)),
        }
    }

    /// An empty capture that knows what is recorded.
    pub(crate) fn capture(&self) -> Capture {
        let (command, url) = match &self.request.server {
            ServerAt::Command(command) => (self.secrets.command(command), None),
            ServerAt::Url { url, .. } => (Vec::new(), self.secrets.command(std::slice::from_ref(url)).pop()),
        };
        let form = ServerForm {
            format: FORMAT,
            command,
            url: url.map(|url| url.split('?').next().unwrap_or_default().to_owned()),
            env: self.request.env.clone(),
            recorded_at: now(),
            normalize: Normalize {
                work: self.work.clone(),
                rewrite: self.work.is_some(),
                ignore: self.request.ignore.clone(),
            },
            ..ServerForm::default()
        };
        Capture::new(form, self.secrets.clone(), self.request.mask).watched(self.request.heard.clone())
    }
}

#[cfg(test)]
mod tests;
