//! The model gateway: an OpenAI-compatible endpoint for scenario code, in front of the configured
//! model.
//!
//! Scenario code gets an address and a token of its own instead of a key. Every call passes the
//! limiter, retries and budget that a run's calls pass, and is written to a record, from which it
//! can be answered again without a model. What crosses, who may call and what is refused:
//! `docs/design/gateway.md`. No scenario is known here, only trials by name.

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
use koab_sandbox::model_calls::ModelCalls;
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

/// Time for one call, as OpenAI's own client has it.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Where a gateway's answers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswersFrom {
    /// The model is asked.
    Model,
    /// From the trials' records alone. No model is opened and no key is needed.
    Records,
}

/// What a gateway serves, for how much, and where.
#[derive(Clone, Debug)]
pub struct GatewayOptions {
    /// Model id, `provider/model`.
    pub model: String,
    /// Address of the model's server instead of the provider's own.
    pub base_url: Option<String>,
    /// What all trials together may spend.
    pub caps: SpendingCaps,
    /// Name in the day's ledger, such as that of the set of scenarios.
    pub spender: String,
    /// Calls in flight to the model at most; adapts when null.
    pub concurrency: Option<u32>,
    /// Output tokens of a request that names no limit.
    pub max_tokens: u32,
    /// Time for one call; waits for a place, the budget or the server do not count.
    pub timeout: Duration,
    /// Addresses to listen on, all on one free port. Those that this computer does not have (a
    /// bridge inside Docker Desktop's own machine) are left out. All of the computer's at once
    /// (`0.0.0.0`) is refused.
    pub listen: Vec<IpAddr>,
    /// A socket to listen on instead, open to every user who reaches its folder. Unix only.
    pub socket: Option<PathBuf>,
    /// Model or records.
    pub answers: AnswersFrom,
}

impl GatewayOptions {
    /// Asks this model, without caps, for callers on this computer.
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

/// A trial that is let in.
#[derive(Clone, Debug, Default)]
pub struct TrialCalls {
    /// Its name in the record.
    pub name: String,
    /// File to write its calls to; there must be none yet. Outside of what the trial can write, or
    /// it can forge it.
    pub record_to: Option<PathBuf>,
    /// Record that its calls are answered from; needed, and used, with [`AnswersFrom::Records`]
    /// alone.
    pub replay_from: Option<PathBuf>,
    /// Whether a request that is not in that record gets the next answer to the same calls: agents
    /// write the time and their folder into prompts, which are never the same twice.
    pub loose: bool,
}

/// The model of a run, opened and behind its gate.
pub struct RunModel {
    /// `provider/model`.
    pub id: String,
    /// The model.
    pub model: Arc<dyn ModelAdapter>,
    /// Its price.
    pub price: Option<Price>,
    /// Output tokens of a request that names no limit.
    pub max_tokens: u32,
}

/// An endpoint that listens until this is dropped. Calls in flight are ended then, and written
/// down.
pub struct Gateway {
    shared: Arc<Shared>,
    addresses: Vec<SocketAddr>,
    stop: Cancel,
}

impl Gateway {
    /// Opens the model, finds out whether it can be asked, and listens.
    ///
    /// # Errors
    /// One sentence on the model, its key, the caps or the addresses. Nothing is spent yet.
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
        let refused = |why: Sentence| WireError::bad_request(say!("the model gateway cannot listen: {why}"));
        let (listeners, addresses) = match &options.socket {
            Some(socket) => (vec![Listener::at(socket).map_err(refused)?], Vec::new()),
            None => {
                let listeners = listener::listen(&options.listen).await.map_err(refused)?;
                let addresses = listener::addresses(&listeners).map_err(WireError::internal)?;
                (listeners.into_iter().map(Listener::Tcp).collect(), addresses)
            }
        };
        let served = ServedModel { model: options.model, any_name: false };
        Ok(Self::serve(listeners, addresses, Vec::new(), served, source))
    }

    /// Listens in front of a model that is there already, for an agent's attempts; it answers
    /// whatever name it is called by.
    ///
    /// `names` are further hosts and ports by which its tools are reached, such as a container's
    /// own.
    ///
    /// # Errors
    /// One sentence, when no port is free.
    pub async fn for_run(run: RunModel, names: Vec<String>) -> Result<Self, WireError> {
        let refused = |why: Sentence| WireError::bad_request(say!("the model gateway cannot listen: {why}"));
        let listeners = listener::listen(&[Ipv4Addr::LOCALHOST.into()]).await.map_err(refused)?;
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

    /// The port, the same on every address; 0 where it listens on a socket.
    pub fn port(&self) -> u16 {
        self.addresses.first().map_or(0, SocketAddr::port)
    }

    /// The addresses that are listened on.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// The base URL for callers that know this computer by `host`: `127.0.0.1` here,
    /// `host.docker.internal` in Docker's containers.
    pub fn base_url(&self, host: &str) -> String {
        format!("http://{host}:{}/v1", self.port())
    }

    /// Lets a trial in and makes its token, which is good until [`Gateway::end_trial`].
    ///
    /// # Errors
    /// When its record is there already or cannot be written, or the one to be replayed cannot be
    /// read.
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

    /// Lets an attempt in: its calls of the model, which are written to a file, and those of its
    /// tools.
    ///
    /// # Errors
    /// When that file is there already or cannot be written.
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

    /// Takes a trial's token away, ends its calls in flight, and says what all of its calls came to
    /// once the last is written down. `None` for a token that is not good (any more).
    pub async fn end_trial(&self, token: &Sensitive<String>) -> Option<ModelCalls> {
        let trial = self.shared.dismiss(token.expose())?;
        Some(trial.end().await)
    }

    /// Takes a trial's token away and ends its calls in flight, without waiting for them.
    pub fn forget(&self, token: &str) {
        if let Some(trial) = self.shared.dismiss(token) {
            trial.cancel.cancel();
        }
    }

    /// Calls that came with the token of an attempt that was over, by the attempt:
    /// `TASK#REPETITION`.
    pub fn late_calls(&self) -> std::collections::BTreeMap<String, u32> {
        self.shared.late().calls()
    }

    /// What all trials have spent so far. Answers from records cost nothing.
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

/// 256 random bits. It begins as OpenAI's keys do, which some clients ask for.
fn token() -> Result<String, WireError> {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes)
        .map_err(|_| WireError::internal(say!("the system gives no randomness")))?;
    Ok(format!("sk-koab-{}", hex::encode(bytes)))
}
