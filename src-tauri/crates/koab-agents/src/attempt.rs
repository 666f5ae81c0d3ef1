//! Performs a whole attempt: creates its folder and token, runs the program and reads the answer.

use crate::container::{AttemptSocket, Containers};
use crate::definition::{Definition, Kind};
use crate::folder::{ATTEMPT, AttemptFolder, CONSOLE};
use crate::kinds;
use crate::own_run::Key;
use crate::placeholders::{AttemptValues, Values};
use crate::process::Output;
use crate::proxy::Proxy;
use crate::secrets::{KeyFiles, secrets_of};
use crate::setup::{AgentResult, Setup};
use crate::tools;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::{AgentEnd, AgentWork, ByHand};
use koab_gateway::{AttemptCalls, Gateway};
use koab_scenarios::relay::Relay;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Names of the environment variables that set a proxy.
const PROXY: [&str; 6] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
/// Names of the environment variables that list hosts without a proxy.
const NO_PROXY: [&str; 2] = ["NO_PROXY", "no_proxy"];

/// Data that all attempts of a run use.
pub(crate) struct AttemptMaker<'a> {
    pub(crate) definition: &'a Definition,
    /// Containers for the attempts; `None` if the attempts run on this computer itself.
    pub(crate) containers: Option<&'a Containers>,
    /// Model name with which the agent is configured. It need not be the id of the run's model.
    pub(crate) model: &'a str,
    /// Keys of the agent's own model; `None` if the agent uses the gateway.
    pub(crate) own_model: Option<&'a Vec<Key>>,
    pub(crate) gateway: &'a Gateway,
    pub(crate) proxy: &'a Proxy,
    /// Person who copies prompts to an agent that is used by hand, and its answers back.
    pub(crate) by_hand: Option<&'a ByHand>,
    /// Folder that contains the folders of attempts.
    pub(crate) agents: &'a Path,
}

impl AttemptMaker<'_> {
    /// Makes an attempt.
    ///
    /// # Errors
    /// When the setup is wrong. The error is one sentence.
    pub(crate) async fn attempt(&self, work: AgentWork<'_>) -> Result<AgentEnd, Sentence> {
        let contained = self.containers.is_some();
        let place = AttemptFolder::make(self.agents, work.task, work.repetition, contained)?;
        let calls = AttemptCalls {
            task: work.task.to_owned(),
            repetition: work.repetition,
            // The gateway has no model for an agent that calls its own.
            most: self.own_model.map_or(work.most_model_calls, |_| 0),
            handle: work.handle.clone(),
            pause: work.pause.clone(),
        };
        let handle = work.handle.clone();
        let keys = self.own_model.into_iter().flatten();
        let keys: Vec<String> = keys.map(|(_, key)| key.expose().clone()).collect();
        let of_model = secrets_of(&keys);
        // These files are removed however the attempt ends.
        let key_files = KeyFiles::for_attempt(&place.folder, place.home(), &of_model);
        let is_listed = Arc::new(AtomicBool::new(false));
        let server = tools::server(work.tools, work.handle, of_model, &is_listed);
        let token =
            self.gateway.token_for_attempt(calls, server, &place.calls()).map_err(|error| error.message)?;
        // The token is revoked however the attempt ends.
        let _ends = TokenGuard(self.gateway, token.expose());
        let socket = match self.containers {
            Some(_) => Some(AttemptSocket::open(self.gateway.port())?),
            None => None,
        };
        let host = match &socket {
            Some(_) => Relay::address(),
            None => format!("127.0.0.1:{}", self.gateway.port()),
        };
        let mut values = Values::new(&AttemptValues {
            prompt: work.prompt,
            model: self.model,
            token: token.expose(),
            host: &host,
            folder: &place.seen,
            attempt: &format!("{}-{}", work.task, work.repetition),
        })?;
        // The port belongs to the attempt's server until the attempt ends.
        let port = match self.definition.kind {
            Kind::Http | Kind::A2a => Some(kinds::ServerPort::take()?),
            _ => None,
        };
        if let Some(port) = &port {
            values.set("port", port.number.to_string());
        }
        place.fill(self.definition, &values, work.prompt)?;
        let secret: Vec<String> = keys.into_iter().chain([token.expose().clone()]).collect();
        let output = Output::into_file(&place.folder.join(CONSOLE), &secret)
            .map_err(|error| say!("{} cannot be made: {error}", place.folder.join(CONSOLE).display()))?;
        let secrets = secrets_of(secret);
        let setup = Setup {
            secrets: &secrets,
            definition: self.definition,
            environment: self.environment(&values, socket.is_some()),
            contained: self.containers.zip(socket.as_ref()),
            values,
            place,
            output,
            prompt: work.prompt,
            later_turns: work.later_turns,
            handle: handle.clone(),
            by_hand: self.by_hand,
            cancel: work.cancel,
        };
        let outcome = match self.definition.kind {
            Kind::Command => kinds::command(&setup).await,
            Kind::Acp => kinds::acp(&setup).await,
            Kind::Http => kinds::http(&setup).await,
            Kind::A2a => kinds::a2a(&setup).await,
            Kind::McpHost => kinds::by_hand(&setup, work.task).await,
        };
        let result = outcome.map_err(|why| secrets.sentence(why))?.without(&secrets);
        let calls = self.gateway.end_trial(&token).await;
        let last_words = secrets.text(&setup.output.last_words());
        let hosts = socket.as_ref().map(|socket| socket.host_log().hosts());
        let is_listed = is_listed.load(Ordering::Relaxed);
        // Null means unknown, which is not 0.
        let calls = json!(self.own_model.is_none().then_some(calls));
        let document = self.document((work.task, work.repetition), &result, is_listed, &calls, hosts);
        if let Some(key_files) = &key_files {
            key_files.remove()?;
        }
        let path = setup.place.folder.join(ATTEMPT);
        std::fs::write(&path, format!("{document:#}\n"))
            .map_err(|error| say!("{} cannot be written: {error}", path.display()))?;
        Ok(AgentEnd {
            answer: result.answer,
            failed: result.failed,
            out_of_memory: result.out_of_memory,
            last_words,
        })
    }

    /// Content of the attempt's file, which describes how the attempt ended.
    ///
    /// `is_listed` means that the agent requested the list of tools. `calls` contains the agent's
    /// model calls, `hosts` the hosts that an attempt in a container requested.
    fn document(
        &self,
        (task, repetition): (&str, u32),
        result: &AgentResult,
        is_listed: bool,
        calls: &Value,
        hosts: Option<Vec<String>>,
    ) -> Value {
        for host in hosts.iter().flatten() {
            self.proxy.host_log().note(host.clone());
        }
        let mut document = json!({
            "task": task,
            "repetition": repetition,
            "exit": result.exit,
            "failed": result.failed,
            "answer": result.answer.is_some(),
            "outlived": result.outlived,
            "tools_listed": is_listed,
            "model": calls,
        });
        match (hosts, self.containers) {
            (Some(hosts), Some(containers)) => {
                document["hosts_asked_for"] = json!(hosts);
                document["image"] = json!(containers.image());
            }
            // The agent has direct access to the network.
            _ if self.own_model.is_some() => document["own_model"] = json!(true),
            // One proxy serves all attempts, so it is not known which attempt requested a host.
            _ => document["hosts_asked_for_so_far"] = json!(self.proxy.host_log().hosts()),
        }
        document
    }

    /// Environment of the program: variables that every program needs, variables of the definition,
    /// and a proxy that forwards only to the run's own listener. An agent with its own model has no
    /// proxy.
    fn environment(&self, values: &Values, contained: bool) -> BTreeMap<String, String> {
        let mut environment = BTreeMap::new();
        let mut set = |name: &str, value: &str| {
            environment.insert(name.to_owned(), value.to_owned());
        };
        // An image has a `PATH` of its own.
        if let Some(path) = std::env::var_os("PATH").filter(|_| !contained) {
            set("PATH", &path.to_string_lossy());
        }
        let home = values.fill("{home}");
        for (name, value) in
            [("HOME", home.as_str()), ("LANG", "C.UTF-8"), ("TERM", "dumb"), ("CI", "1"), ("NO_COLOR", "1")]
        {
            set(name, value);
        }
        // A model of the agent's own is on the network.
        if self.own_model.is_none() {
            let proxy = if contained { format!("http://{}", Relay::address()) } else { self.proxy.address() };
            for (names, value) in [(&PROXY[..], proxy.as_str()), (&NO_PROXY[..], "127.0.0.1,localhost,::1")] {
                names.iter().for_each(|name| set(name, value));
            }
        }
        for (name, value) in &self.definition.env {
            set(name, &values.fill(value));
        }
        for (name, key) in self.own_model.into_iter().flatten() {
            set(name, key.expose());
        }
        environment
    }
}

/// Revokes the token of an attempt when this value is dropped.
struct TokenGuard<'a>(&'a Gateway, &'a str);

impl Drop for TokenGuard<'_> {
    fn drop(&mut self) {
        self.0.forget(self.1);
    }
}
