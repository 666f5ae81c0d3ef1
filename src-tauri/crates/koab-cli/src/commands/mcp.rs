//! `koab mcp`: this product for coding agents, as an MCP server on standard input and output.
//!
//! A call that costs money needs two consents. The user starts the server with a cap. The agent
//! repeats the `confirm` value that a plan of the identical run returned. Texts are in English,
//! like the texts of `--json`.

mod changed;
mod found;
mod gated;
mod inside;
mod listed;
mod money;
mod offers;
mod session_run;
mod text_result;
mod transcript;

use self::changed::{ChangeWords, RetryWords};
use self::money::{At, Costs, SpendingLimit, SpendingRequest};
use self::offers::{GateWords, RunWords, Selection, offers};
use self::session_run::{SessionRun, Tally};
use self::text_result::{TextResult, document};
use super::levels::groups;
use crate::CommandEnd;
use crate::args::mcp::McpArgs;
use crate::output::clean;
use crate::render::report;
use async_trait::async_trait;
use koab_api::options::{EvaluateOptions, JudgeChoice, RunChoice};
use koab_api::{Api, AtlasBy, Cancel, PairsRequest, RunOutcome, RunRequest, SpendingCaps, WireError};
use koab_core::run_record::RequestedSettings;
use koab_core::say;
use koab_core::sentence::Language;
use koab_mcp::{RawValue, Server, ServerProfile, ToolAnswer, ToolCall, ToolOffer, Tools, stdio};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum time that one `watch` call waits for a run.
const MAX_WAIT_SECONDS: u64 = 50;
/// Time that runs have to end after the client has closed the connection.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) async fn mcp(api: &Api, args: &McpArgs) -> Result<CommandEnd, WireError> {
    if args.max_cost.is_some_and(|cap| !cap.is_finite() || cap < 0.0) {
        return Err(WireError::bad_request(say!("--max-cost is a number of USD, 0 or more")));
    }
    // Opening the database may take time, so it is done before the first request.
    api.packs.list()?;
    let product = Arc::new(Product {
        api: api.clone(),
        limit: SpendingLimit::new(args.max_cost)?,
        started: Arc::default(),
    });
    let profile = ServerProfile::ours("koab", env!("CARGO_PKG_VERSION"));
    let server = Server::new(profile, Arc::clone(&product) as Arc<dyn Tools>);
    let (mut input, mut to) = stdio::streams();
    let served = stdio::serve(&server, &mut input, &mut to).await;
    // Runs of a client that is gone are cancelled. Their finished attempts are saved.
    for run in product.started().iter() {
        run.cancel.cancel();
    }
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, async {
        while product.started().iter().any(|run| run.result().is_none()) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    served.map_err(WireError::internal)?;
    Ok(CommandEnd::Done)
}

/// State that all MCP tools share.
#[derive(Clone)]
struct Product {
    api: Api,
    limit: Arc<SpendingLimit>,
    started: Arc<Mutex<Vec<Arc<SessionRun>>>>,
}

#[async_trait]
impl Tools for Product {
    fn list(&self) -> Vec<ToolOffer> {
        offers()
    }

    async fn call(&self, call: ToolCall<'_>) -> ToolAnswer {
        let arguments = call.arguments.map_or("{}", RawValue::get);
        let result = match call.name {
            "plan" => self.aside(arguments, Self::plan).await,
            "run" => self.aside(arguments, Self::run).await,
            "plan_gate" => self.aside(arguments, Self::plan_gate).await,
            "gate" => self.aside(arguments, Self::gate).await,
            "watch" => self.watch(arguments).await,
            "cancel" => self.cancel(arguments),
            "change" => self.change(arguments).await,
            "retry" => self.retry(arguments).await,
            "runs" => self.aside(arguments, Self::runs).await,
            "reports" => self.aside(arguments, Self::reports).await,
            "report" => self.aside(arguments, Self::report).await,
            "transcript" => self.aside(arguments, Self::transcript).await,
            "find" => self.find(arguments).await,
            "compare" => self.aside(arguments, Self::compare).await,
            "failures" => self.aside(arguments, Self::failures).await,
            _ => {
                return ToolAnswer::error(
                    koab_mcp::message::INVALID_PARAMS,
                    &format!("Unknown tool: {}", call.name),
                );
            }
        };
        // All results may contain names and texts of models, tools and packs.
        match result {
            Ok(text) => ToolAnswer::text(&clean(&text), false),
            Err(error) => ToolAnswer::text(&clean(&error.to_string()), true),
        }
    }
}

impl Product {
    fn started(&self) -> MutexGuard<'_, Vec<Arc<SessionRun>>> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` on a blocking thread. The server reads requests meanwhile, so that a `cancel`
    /// does not have to wait for a long comparison.
    async fn aside(&self, arguments: &str, work: fn(&Self, &str) -> TextResult) -> TextResult {
        let (product, arguments) = (self.clone(), arguments.to_owned());
        let result = tokio::task::spawn_blocking(move || work(&product, &arguments)).await;
        result.unwrap_or_else(|panic| Err(WireError::internal(panic)))
    }

    fn runs(&self, arguments: &str) -> TextResult {
        listed::runs(&self.api, &read(arguments)?)
    }

    fn reports(&self, arguments: &str) -> TextResult {
        listed::reports(&self.api, &read(arguments)?)
    }

    /// Parses and checks the arguments of a run. Base URLs must be those of the user's connections,
    /// because the agent must not choose where the user's keys are sent.
    fn words(&self, arguments: &str) -> Result<RunWords, WireError> {
        let words: RunWords = read(arguments)?;
        spending(&words).check()?;
        for model in std::iter::once(&words.model).chain(&words.judges) {
            self.api.models.check_connected(model, words.base_url.as_deref())?;
        }
        Ok(words)
    }

    fn plan(&self, arguments: &str) -> TextResult {
        let words = self.words(arguments)?;
        let plan = self.api.runs.dry_run(&request("plan", &words)?, &words.judges)?;
        self.api.models.check_id(&plan.model)?;
        let costs = costs(&self.api, &words)?.any();
        let mut answer = json!({ "plan": plan, "costs_money": costs, "left_usd": self.limit.left() });
        if costs {
            answer["confirm"] = self.limit.confirmation(&words, &plan).into();
            answer["note"] =
                "show this estimate to the user; call run with the same arguments and this confirm".into();
        }
        Ok(document(&answer))
    }

    fn run(&self, arguments: &str) -> TextResult {
        let words = self.words(arguments)?;
        let mut options = request("plan", &words)?;
        let plan = self.api.runs.dry_run(&options, &words.judges)?;
        self.api.models.check_id(&plan.model)?;
        let costs = costs(&self.api, &words)?;
        let confirmation = self.limit.confirmation(&words, &plan);
        let share = self.limit.share(costs, &spending(&words), &confirmation)?;
        if let Some(taken) = &share {
            // A cap on a model without a price would be an error.
            options.max_cost = Some(taken.usd()).filter(|_| costs.model);
        }
        let started = self.begin();
        options.run.clone_from(&started.name);
        let (api, tally, cancel) = (self.api.clone(), started.tally(), started.cancel.clone());
        started.follow(async move { make(&api, options, words, tally, &cancel, (costs, share)).await });
        Ok(document(&json!({ "run": started.name, "note": "call watch to see it go on and end" })))
    }

    fn plan_gate(&self, arguments: &str) -> TextResult {
        gated::plan(&self.api, &self.limit, &read::<GateWords>(arguments)?)
    }

    fn gate(&self, arguments: &str) -> TextResult {
        let ready = gated::ready(&self.api, &self.limit, &read::<GateWords>(arguments)?)?;
        let started = self.begin();
        let (api, tally, cancel) = (self.api.clone(), started.tally(), started.cancel.clone());
        started.follow(async move { ready.play(&api, &tally, &cancel).await });
        Ok(document(
            &json!({ "run": started.name, "note": "call watch to see it go on and end; its result is the gate's answer" }),
        ))
    }

    /// Registers another run of this session. The run's name is unique only in this process.
    fn begin(&self) -> Arc<SessionRun> {
        let mut all = self.started();
        let name = format!("mcp-{}", all.len() + 1);
        let started = Arc::new(SessionRun::new(name, Cancel::new()));
        all.push(Arc::clone(&started));
        started
    }

    async fn watch(&self, arguments: &str) -> TextResult {
        let selection: Selection = read(arguments)?;
        let run = self.session_run(&selection)?;
        let until = tokio::time::Instant::now()
            + Duration::from_secs(selection.wait.unwrap_or(20).min(MAX_WAIT_SECONDS));
        while run.result().is_none() && tokio::time::Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(document(&run.status()))
    }

    fn cancel(&self, arguments: &str) -> TextResult {
        let run = self.session_run(&read(arguments)?)?;
        run.cancel.cancel();
        Ok(document(&json!({ "run": run.name, "cancelled": true, "note": "all that was done is saved" })))
    }

    async fn change(&self, arguments: &str) -> TextResult {
        let words: ChangeWords = read(arguments)?;
        let run = self.run_named(&words.run)?;
        changed::make(&self.api, &run, words).await
    }

    async fn retry(&self, arguments: &str) -> TextResult {
        let words: RetryWords = read(arguments)?;
        let run = self.run_named(&words.run)?;
        changed::retry(&self.api, &run, words).await
    }

    fn session_run(&self, selection: &Selection) -> Result<Arc<SessionRun>, WireError> {
        self.run_named(selection.run.as_deref().unwrap_or_default())
    }

    fn run_named(&self, name: &str) -> Result<Arc<SessionRun>, WireError> {
        let started = self.started();
        let run = started.iter().find(|run| run.name == name);
        run.cloned().ok_or_else(|| {
            WireError::not_found(say!(
                "no run {wanted} was begun here; call run or gate first",
                wanted = name
            ))
        })
    }

    fn transcript(&self, arguments: &str) -> TextResult {
        let selection: Selection = read(arguments)?;
        let name = selection.run.as_deref().unwrap_or("last");
        // A run of this session can also be named by its session name.
        let session_run = self.started().iter().find(|run| run.name == name).cloned();
        let run = match session_run {
            Some(session_run) if session_run.is_gate() => {
                return Err(WireError::bad_request(say!(
                    "{asked} is a gate of several runs; name one of the `runs` of its result",
                    asked = name
                )));
            }
            Some(session_run) => session_run.folder().ok_or_else(|| {
                WireError::bad_request(say!(
                    "{asked} has not ended, or failed before its first attempt; watch says which",
                    asked = name
                ))
            })?,
            None => inside::of_workspace(&self.api, name)?.to_owned(),
        };
        let task = selection.task.as_deref().ok_or_else(|| {
            WireError::bad_request(say!("`task` is missing: the id of a task, as failures name it"))
        })?;
        let transcript = self.api.runs.library.transcript(&run, task, None, selection.repetition)?;
        let agent = self.api.runs.library.run_show(&run)?.agent;
        Ok(transcript::text(&transcript, agent.as_deref()))
    }

    /// Searches the transcripts of the workspace as they are now.
    async fn find(&self, arguments: &str) -> TextResult {
        // A query with a fault is refused before the runs are read.
        found::query(&read(arguments)?)?;
        self.api.runs.library.find_update(&Cancel::new()).await?;
        self.aside(arguments, |product, arguments| found::find(&product.api, &read(arguments)?)).await
    }

    fn report(&self, arguments: &str) -> TextResult {
        let selection: Selection = read(arguments)?;
        let id = inside::report_id(&self.api, selection.report.as_deref().unwrap_or("last"))?;
        let view = self.api.runs.library.report_show(&id)?;
        let view = view
            .ok_or_else(|| WireError::not_found(say!("there is no report {id}; see `koab report list`")))?;
        Ok(report::text(&view, false, false, Language::ENGLISH))
    }

    fn compare(&self, arguments: &str) -> TextResult {
        let ids = self.ids(&read(arguments)?)?;
        let view = self.api.compare.compare(&ids)?;
        let tested = self.api.compare.compare_pairs(&PairsRequest { ids, ..PairsRequest::default() })?;
        let mut text = super::report_compare::conclusions(&tested.conclusions, Language::ENGLISH);
        text.push_str(&super::report_compare::text(&view, Language::ENGLISH));
        Ok(text)
    }

    fn failures(&self, arguments: &str) -> TextResult {
        let ids = self.ids(&read(arguments)?)?;
        let view = self.api.compare.atlas(&ids)?;
        Ok(super::atlas::table(&view, AtlasBy::Level, true, Language::ENGLISH))
    }

    fn ids(&self, selection: &Selection) -> Result<Vec<String>, WireError> {
        let ids = selection.reports.iter().map(|report| inside::report_id(&self.api, report));
        ids.collect()
    }
}

/// Makes a run and scores it. The cost of both is subtracted from the run's share of the cap.
async fn make(
    api: &Api,
    options: RunRequest,
    words: RunWords,
    tally: Arc<Tally>,
    cancel: &Cancel,
    (costs, share): (Costs, Option<money::Allowance>),
) -> Result<Value, WireError> {
    let cap = share.as_ref().map(money::Allowance::usd).filter(|_| costs.judges);
    let end = match api.runs.run(options, tally, cancel.clone()).await {
        Ok(end) => end,
        Err(error) => {
            // The run never started, so nothing was spent.
            if let Some(share) = share {
                share.spent(0.0);
            }
            return Err(error);
        }
    };
    let spent = money::spent(end.spending.as_ref(), costs.model);
    let mut answer = json!({ "end": end, "reports": [] });
    let mut judging_usd = 0.0;
    if end.outcome == RunOutcome::Completed
        && let Some(folder) = &end.folder
    {
        let caps = SpendingCaps { max_cost: cap, ..SpendingCaps::default() };
        let judges = if words.judges.is_empty() {
            JudgeChoice::Nobody
        } else {
            JudgeChoice::Models { ids: words.judges, base_url: words.base_url }
        };
        let options = EvaluateOptions {
            judges,
            caps: caps.left_after(end.spending.as_ref()),
            ..EvaluateOptions::published(RunChoice::Run(folder.clone()))
        };
        match api.runs.scoring.evaluate(options, &|_, _| {}, cancel).await {
            Ok(scored) => {
                judging_usd = money::spent(scored.spending.as_ref(), costs.judges);
                answer["reports"] = scored.reports.iter().map(|report| report.id.clone()).collect();
            }
            // The attempts are already made and paid for, so the run is returned without scores.
            Err(error) => {
                judging_usd = money::spent(None, costs.judges);
                answer["not_scored"] = json!(error.message);
            }
        }
    }
    if let Some(share) = share {
        share.spent(spent + judging_usd);
    }
    Ok(answer)
}

fn spending(words: &RunWords) -> SpendingRequest<'_> {
    SpendingRequest { plan: "plan", confirm: words.confirm.as_deref(), max_cost: words.max_cost }
}

fn costs(api: &Api, words: &RunWords) -> Result<Costs, WireError> {
    let base_url = words.base_url.as_deref();
    let judges: Vec<At<'_>> = words.judges.iter().map(|judge| (judge.as_str(), base_url)).collect();
    Costs::look_up(api, &[(&words.model, base_url)], &judges)
}

fn request(name: &str, words: &RunWords) -> Result<RunRequest, WireError> {
    Ok(RunRequest {
        pack: words.pack.clone(),
        base_url: words.base_url.clone(),
        levels: groups(&words.levels)?,
        tasks: words.tasks.clone(),
        settings: RequestedSettings {
            repetitions: words.repetitions.unwrap_or(1),
            ..RequestedSettings::published()
        },
        max_cost: words.max_cost,
        ..RunRequest::published(name, &words.model)
    })
}

fn read<T: DeserializeOwned>(arguments: &str) -> Result<T, WireError> {
    serde_json::from_str(arguments)
        .map_err(|error| WireError::bad_request(say!("the arguments cannot be read: {}", error.to_string())))
}
