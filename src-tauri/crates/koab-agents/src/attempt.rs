//! The life of an attempt: a folder, a token, a program, an answer, and the end of all of it.

use crate::container::{AttemptSocket, Containers};
use crate::definition::{Definition, Kind};
use crate::folder::{ATTEMPT, AttemptFolder, CONSOLE};
use crate::kinds;
use crate::own_run::Key;
use crate::placeholders::{AttemptValues, Values};
use crate::process::Output;
use crate::proxy::Proxy;
use crate::secrets::{KeyFiles, secrets_of};
use crate::setup::Setup;
use crate::tools;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::{AgentEnd, AgentWork, ByHand};
use koab_sandbox::relay::Relay;
use koab_scenarios::gateway::{AttemptCalls, Gateway};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Variables that lead programs to a proxy.
const PROXY: [&str; 6] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
/// Variables that lead past it.
const NO_PROXY: [&str; 2] = ["NO_PROXY", "no_proxy"];

/// What an attempt is made with.
pub(crate) struct AttemptMaker<'a> {
    pub(crate) definition: &'a Definition,
    /// Where attempts run, unless that is this computer itself.
    pub(crate) containers: Option<&'a Containers>,
    /// What it is told the model's name is.
    pub(crate) model: &'a str,
    /// The keys of a model of its own; `None` where it asks the gateway.
    pub(crate) own_model: Option<&'a Vec<Key>>,
    pub(crate) gateway: &'a Gateway,
    pub(crate) proxy: &'a Proxy,
    /// Whoever carries prompts to an agent that is used by hand.
    pub(crate) by_hand: Option<&'a ByHand>,
    /// Where the folders of attempts are.
    pub(crate) agents: &'a Path,
}

impl AttemptMaker<'_> {
    /// Makes an attempt.
    ///
    /// # Errors
    /// What is wrong with the set-up.
    pub(crate) async fn attempt(&self, work: AgentWork<'_>) -> Result<AgentEnd, Sentence> {
        let contained = self.containers.is_some();
        let place = AttemptFolder::make(self.agents, work.task, work.repetition, contained)?;
        let calls = AttemptCalls {
            task: work.task.to_owned(),
            repetition: work.repetition,
            // The gateway has no model for one that asks its own.
            most: self.own_model.map_or(work.most_model_calls, |_| 0),
            handle: work.handle.clone(),
            pause: work.pause.clone(),
        };
        let handle = work.handle.clone();
        let keys = self.own_model.into_iter().flatten();
        let keys: Vec<String> = keys.map(|(_, key)| key.expose().clone()).collect();
        let of_model = secrets_of(&keys);
        // Whatever becomes of the attempt.
        let left = KeyFiles::for_attempt(&place.folder, place.home(), &of_model);
        let listed = Arc::new(AtomicBool::new(false));
        let server = tools::server(work.tools, work.handle, of_model, &listed);
        let token =
            self.gateway.token_for_attempt(calls, server, &place.calls()).map_err(|error| error.message)?;
        // Whatever becomes of the attempt: nothing answers to its token afterwards.
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
        // Its server's alone until the attempt ends.
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
        let made = match self.definition.kind {
            Kind::Command => kinds::command(&setup).await,
            Kind::Acp => kinds::acp(&setup).await,
            Kind::Http => kinds::http(&setup).await,
            Kind::A2a => kinds::a2a(&setup).await,
            Kind::McpHost => kinds::by_hand(&setup, work.task).await,
        };
        let ended = made.map_err(|why| secrets.sentence(why))?.without(&secrets);
        let calls = self.gateway.end_trial(&token).await;
        let last_words = secrets.text(&setup.output.last_words());
        let hosts = socket.as_ref().map(|socket| socket.host_log().hosts());
        for host in hosts.iter().flatten() {
            self.proxy.host_log().note(host.clone());
        }
        let mut told = json!({
            "task": work.task,
            "repetition": work.repetition,
            "exit": ended.exit,
            "failed": ended.failed,
            "answer": ended.answer.is_some(),
            "outlived": ended.outlived,
            "tools_listed": listed.load(Ordering::Relaxed),
            // Unknown is not 0.
            "model": self.own_model.is_none().then_some(calls),
        });
        match (hosts, self.containers) {
            (Some(hosts), Some(containers)) => {
                told["hosts_asked_for"] = json!(hosts);
                told["image"] = json!(containers.image());
            }
            // Nothing stands between it and the network.
            _ if self.own_model.is_some() => told["own_model"] = json!(true),
            // One proxy serves all attempts, so that whose they were is not known.
            _ => told["hosts_asked_for_so_far"] = json!(self.proxy.host_log().hosts()),
        }
        if let Some(left) = &left {
            left.remove()?;
        }
        let path = setup.place.folder.join(ATTEMPT);
        std::fs::write(&path, format!("{told:#}\n"))
            .map_err(|error| say!("{} cannot be written: {error}", path.display()))?;
        Ok(AgentEnd {
            answer: ended.answer,
            failed: ended.failed,
            out_of_memory: ended.out_of_memory,
            last_words,
        })
    }

    /// All that it finds: what every program needs, what its definition names, and a proxy that
    /// leads nowhere.
    fn environment(&self, values: &Values, contained: bool) -> BTreeMap<String, String> {
        let mut environment = BTreeMap::new();
        let mut set = |name: &str, value: &str| {
            environment.insert(name.to_owned(), value.to_owned());
        };
        // An image has its own.
        if let Some(path) = std::env::var_os("PATH").filter(|_| !contained) {
            set("PATH", &path.to_string_lossy());
        }
        let home = values.fill("{home}");
        for (name, value) in
            [("HOME", home.as_str()), ("LANG", "C.UTF-8"), ("TERM", "dumb"), ("CI", "1"), ("NO_COLOR", "1")]
        {
            set(name, value);
        }
        // Its own model is out there.
        if self.own_model.is_none() {
            let proxy = match contained {
                true => format!("http://{}", Relay::address()),
                false => self.proxy.address(),
            };
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

/// Takes a token away when an attempt is dropped.
struct TokenGuard<'a>(&'a Gateway, &'a str);

impl Drop for TokenGuard<'_> {
    fn drop(&mut self) {
        self.0.forget(self.1);
    }
}
