//! The model gateway: HTTP endpoints in front of the configured model, in the API formats of
//! OpenAI, Anthropic and Google, for scenario code and agents.
//!
//! Scenario code gets a base URL and a token of its own instead of a key. Every call passes the
//! limiter, retries and budget that a run's calls pass, and is written to a record, from which it
//! can be replayed without a model. A trial, here, is one execution of a scenario or one attempt of
//! an agent: it has a token and a record of its own. `docs/design/gateway.md` lists what is
//! forwarded, who may call and what is refused.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod attempt;
mod body;
mod call;
mod count;
mod ended_attempts;
mod form;
mod forms;
mod listener;
mod listing;
mod mcp;
mod model_calls;
mod neutral;
mod output_limit;
mod paths;
mod record;
mod refusal;
mod replay;
mod request;
mod server;
mod stream;
mod stream_body;
mod trial;
mod turn_cache;

pub use attempt::AttemptCalls;
pub use form::Form;
pub use model_calls::ModelCalls;
pub use neutral::request_hash;
pub use record::{FILE_NAME, Matched, RecordedCall, read_calls};

use call::{LiveModel, Source};
use koab_core::price::Price;
use koab_core::run_record::Spending;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_engine::egress::Purpose;
use koab_engine::ports::{Cancel, ModelAdapter};
use koab_mcp::Server;
use koab_models::LocalUse;
use koab_models::Models;
use koab_models::SpendingCaps;
use koab_workspace::WireError;
use listener::Listener;
use record::Record;
use replay::Replay;
use request::{MAX_TOKENS, ServedModel};
use server::Shared;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;
use trial::Trial;

/// Time limit of one call, the default of OpenAI's own client.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Source of a gateway's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswersFrom {
    /// The configured model generates the answers.
    Model,
    /// The answers come from the trials' recorded calls. No model is opened and no key is needed.
    Records,
}

/// Model, budget and addresses of a gateway.
#[derive(Clone, Debug)]
pub struct GatewayOptions {
    /// Model id, `provider/model`.
    pub model: String,
    /// URL of the model's server instead of the provider's own.
    pub base_url: Option<String>,
    /// Spending caps of all trials together.
    pub caps: SpendingCaps,
    /// Name of the spender in the day's ledger, such as the name of the set of scenarios.
    pub spender: String,
    /// Maximum number of calls in flight to the model; adaptive when null.
    pub concurrency: Option<u32>,
    /// Maximum output tokens of a request that names no limit.
    pub max_tokens: u32,
    /// Time limit of one call. Waits for a free slot, the budget or the server do not count.
    pub timeout: Duration,
    /// Addresses to listen on, all with the same free port. Addresses that this computer does not
    /// have are skipped, such as a bridge inside Docker Desktop's own machine. `0.0.0.0` is
    /// refused.
    pub listen: Vec<IpAddr>,
    /// Path of a Unix socket to listen on, which replaces the addresses. Every user who can open
    /// the socket's folder can connect.
    pub socket: Option<PathBuf>,
    /// Source of the answers.
    pub answers: AnswersFrom,
}

impl GatewayOptions {
    /// Options of a gateway that calls this model, without caps, for callers on this computer.
    pub fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            base_url: None,
            caps: SpendingCaps::default(),
            spender: "model gateway".to_owned(),
            concurrency: None,
            max_tokens: MAX_TOKENS,
            timeout: TIMEOUT,
            listen: vec![Ipv4Addr::LOCALHOST.into()],
            socket: None,
            answers: AnswersFrom::Model,
        }
    }
}

/// A trial that may call the gateway.
#[derive(Clone, Debug, Default)]
pub struct TrialCalls {
    /// Name of the trial in the record.
    pub name: String,
    /// File to write the trial's calls to. It must not exist yet. The trial must not be able to
    /// write there, or it could forge its record.
    pub record_to: Option<PathBuf>,
    /// Record that answers the trial's calls. Required with [`AnswersFrom::Records`], refused
    /// otherwise.
    pub replay_from: Option<PathBuf>,
    /// Whether a request that is not in the record gets the next recorded answer that follows the
    /// same tool calls.
    ///
    /// Agents write the time and their folder into prompts, so prompts differ from run to run.
    pub loose: bool,
}

/// The open model of a run, with its rate limiter and budget.
pub struct RunModel {
    /// Model id, `provider/model`.
    pub id: String,
    /// Adapter of the model.
    pub model: Arc<dyn ModelAdapter>,
    /// Price of the model, if it is known.
    pub price: Option<Price>,
    /// Maximum output tokens of a request that names no limit.
    pub max_tokens: u32,
}

/// An endpoint that listens until it is dropped. Calls in flight are then ended and recorded.
pub struct Gateway {
    shared: Arc<Shared>,
    addresses: Vec<SocketAddr>,
    stop: Cancel,
}

impl Gateway {
    /// Opens the model, checks that it is available, and listens.
    ///
    /// # Errors
    /// When the model, its key, the caps or the addresses are not usable. Nothing has been spent
    /// then.
    pub async fn start(options: GatewayOptions, models: &Models) -> Result<Self, WireError> {
        if let Some(all) = options.listen.iter().find(|address| address.is_unspecified()) {
            return Err(WireError::bad_request(say!(
                "the model gateway does not listen on {all}, which is every network of this computer; name the address of the containers' bridge"
            )));
        }
        let source = match options.answers {
            AnswersFrom::Model => Source::Model(live(&options, models).await?),
            AnswersFrom::Records => Source::Records { max_tokens: options.max_tokens },
        };
        let cannot_listen =
            |why: Sentence| WireError::bad_request(say!("the model gateway cannot listen: {why}"));
        let (listeners, addresses) = match &options.socket {
            Some(socket) => (vec![Listener::at(socket).map_err(cannot_listen)?], Vec::new()),
            None => {
                let listeners = listener::listen(&options.listen).await.map_err(cannot_listen)?;
                let addresses = listener::addresses(&listeners).map_err(WireError::internal)?;
                (listeners.into_iter().map(Listener::Tcp).collect(), addresses)
            }
        };
        let served = ServedModel { model: options.model, any_name: false };
        Ok(Self::serve(listeners, addresses, Vec::new(), served, source))
    }

    /// Listens in front of an open model for an agent's attempts. The model answers under every
    /// model name.
    ///
    /// `names` are further accepted values of the `Host` header of requests to the tools, such as
    /// the host name that a container uses.
    ///
    /// # Errors
    /// When no port is free.
    pub async fn for_run(run: RunModel, names: Vec<String>) -> Result<Self, WireError> {
        let cannot_listen =
            |why: Sentence| WireError::bad_request(say!("the model gateway cannot listen: {why}"));
        let listeners = listener::listen(&[Ipv4Addr::LOCALHOST.into()]).await.map_err(cannot_listen)?;
        let addresses = listener::addresses(&listeners).map_err(WireError::internal)?;
        let served = ServedModel { model: run.id, any_name: true };
        let source = Source::Model(LiveModel {
            model: run.model,
            price: run.price,
            limit: TIMEOUT,
            served: served.clone(),
            max_tokens: run.max_tokens,
            most: AtomicU32::new(u32::MAX),
        });
        let listeners = listeners.into_iter().map(Listener::Tcp).collect();
        Ok(Self::serve(listeners, addresses, names, served, source))
    }

    fn serve(
        listeners: Vec<Listener>,
        addresses: Vec<SocketAddr>,
        names: Vec<String>,
        served: ServedModel,
        source: Source,
    ) -> Self {
        let hosts = addresses.iter().map(SocketAddr::to_string).chain(names).collect();
        let (shared, stop) = (Arc::new(Shared::new(served, hosts, source)), Cancel::new());
        server::serve(listeners, &shared, &stop);
        Self { shared, addresses, stop }
    }

    /// The port, the same on every address; 0 when the gateway listens on a socket.
    pub fn port(&self) -> u16 {
        self.addresses.first().map_or(0, SocketAddr::port)
    }

    /// Addresses that the gateway listens on.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Base URL for callers that know this computer as `host`: `127.0.0.1` on this computer,
    /// `host.docker.internal` in Docker's containers.
    pub fn base_url(&self, host: &str) -> String {
        format!("http://{host}:{}/v1", self.port())
    }

    /// Admits a trial and returns its token, which is valid until [`Gateway::end_trial`].
    ///
    /// # Errors
    /// When the trial's record already exists or cannot be written, or the record to replay cannot
    /// be read.
    pub fn token_for(&self, trial: TrialCalls) -> Result<Sensitive<String>, WireError> {
        let TrialCalls { name, record_to, replay_from, loose } = trial;
        let replay = match (&self.shared.source, replay_from) {
            (Source::Records { max_tokens }, Some(path)) => {
                Some(Replay::new(read_calls(&path)?, *max_tokens, loose))
            }
            (Source::Records { .. }, None) => {
                return Err(WireError::bad_request(say!(
                    "no record of {name} is named, and this gateway answers from records alone"
                )));
            }
            (Source::Model(_), None) => None,
            (Source::Model(_), Some(path)) => {
                return Err(WireError::bad_request(say!(
                    "{} cannot be replayed: this gateway asks the model",
                    path.display()
                )));
            }
        };
        let record = record_to.as_deref().map(Record::begin).transpose()?;
        let token = token()?;
        let trial = Trial::new(name, self.stop.child_token(), record, replay);
        self.shared.admit(&token, trial);
        Ok(token.into())
    }

    /// Admits an attempt and returns its token, which is valid for calls of the model and of
    /// `tools`. Calls of the model are recorded in `record_to`.
    ///
    /// # Errors
    /// When `record_to` already exists or cannot be written.
    pub fn token_for_attempt(
        &self,
        attempt: AttemptCalls,
        tools: Server,
        record_to: &Path,
    ) -> Result<Sensitive<String>, WireError> {
        let name = format!("{}#{}", attempt.task, attempt.repetition);
        let record = Record::begin(record_to)?;
        let token = token()?;
        let trial = Trial::new(name, self.stop.child_token(), Some(record), None).of_attempt(attempt, tools);
        self.shared.admit(&token, trial);
        Ok(token.into())
    }

    /// Revokes a trial's token, ends its calls in flight, waits until they are recorded, and
    /// returns the sum of all its calls. `None` for a token that is not valid.
    pub async fn end_trial(&self, token: &Sensitive<String>) -> Option<ModelCalls> {
        let trial = self.shared.dismiss(token.expose())?;
        Some(trial.end().await)
    }

    /// Revokes a trial's token and ends its calls in flight, without waiting for them.
    pub fn forget(&self, token: &str) {
        if let Some(trial) = self.shared.dismiss(token) {
            trial.cancel.cancel();
        }
    }

    /// Number of calls that came after the end of their attempt, for each attempt
    /// `TASK#REPETITION`.
    pub fn late_calls(&self) -> std::collections::BTreeMap<String, u32> {
        self.shared.late().calls()
    }

    /// Spending of all trials so far. Answers from records cost nothing.
    pub fn spent(&self) -> Spending {
        let limits = match &self.shared.source {
            Source::Model(live) => live.model.limits(),
            Source::Records { .. } => None,
        };
        limits.map_or_else(
            || Spending {
                usd: Some(0.0),
                note: Some(say!("no paid model was called")),
                ..Spending::default()
            },
            |limits| limits.budget.spending(),
        )
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn live(options: &GatewayOptions, models: &Models) -> Result<LiveModel, WireError> {
    let model = &options.model;
    let opened = models
        .open(model, options.base_url.as_deref(), None, &[], LocalUse::default(), Purpose::Scenario)
        .await?;
    models.check_caps(std::slice::from_ref(model), &options.caps)?;
    opened.model.check().await?;
    let budget = models.gateway_budget(model, &options.spender, &options.caps)?;
    Ok(LiveModel {
        model: models.limited(opened, options.concurrency, budget),
        price: models.price(model)?,
        limit: options.timeout,
        served: ServedModel { model: model.clone(), any_name: false },
        max_tokens: options.max_tokens,
        most: AtomicU32::new(u32::MAX),
    })
}

/// A token of 256 random bits. It begins like OpenAI's keys, since some clients check the prefix.
fn token() -> Result<String, WireError> {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes)
        .map_err(|_| WireError::internal(say!("the system gives no randomness")))?;
    Ok(format!("sk-koab-{}", hex::encode(bytes)))
}
