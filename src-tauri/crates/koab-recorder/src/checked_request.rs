//! Checks a request: reads its secrets, and checks that its server may be reached.

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
use koab_engine::egress::{Offline, Purpose};
use koab_providers::Network;
use koab_providers::mcp::ToolServer;
use koab_workspace::{ErrorCode, WireError};
use std::path::PathBuf;

/// Authentication schemes in headers; they are not secret.
const SCHEMES: [&str; 4] = ["Bearer", "Basic", "Digest", "ApiKey"];

/// A request to record or compare a server. Its secrets are known, and its server may be reached.
pub(crate) struct CheckedRequest {
    pub(crate) request: RecordRequest,
    secrets: Secrets,
    header: Option<Sensitive<String>>,
    work: Option<String>,
    network: Network,
}

impl Recorder {
    pub(crate) fn ready(&self, request: RecordRequest) -> Result<CheckedRequest, WireError> {
        // The workspace is opened early, so that its offline switch is known before the server is
        // reached.
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
                // Requests of a foreign program do not pass koab's offline gate.
                if let Some(because) = self.workspace.gate().offline() {
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
            network: self.workspace.network()?,
            request,
        })
    }
}

/// Secret parts of a header: its value and each component of the value.
///
/// Examples are `value` in `Name: Bearer value`, and each `value` in `Cookie: one=value;
/// two=value`.
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
    /// Secrets of the request.
    pub(crate) fn secrets(&self) -> Secrets {
        self.secrets.clone()
    }

    /// Link to the server. A server with a command is started.
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
            ServerAt::Url { url, .. } => {
                Ok(Link::to(ToolServer::new(&self.network, url, self.header.as_ref())?))
            }
        }
    }

    /// Empty capture with the description of the request.
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
