//! Turns a request into a run of the executor: reads files, collects the environment, and finds the
//! engine. Faults of the request are reported here, before anything runs.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config_file::{CONFIG_YAML, is_yaml};
use crate::docker::{Engine, Owner};
use crate::environment::{ConfigList, Environment, OAI_CONFIG_LIST};
use crate::expand::{self, Extras};
use crate::layout::Layout;
use crate::model_calls::OfferedModel;
use crate::outcome::Limits;
use crate::resume::Step;
use crate::run::{Event, Run};
use crate::scenario_file::{self, Network, ScenarioFile};
use crate::subsample::{Share, Subsample};
use crate::trial::{NO_LIMITS, TrialRuntime, TrialSetup};
use koab_engine::ports::Cancel;

use super::gateway_access::OfferedGateway;
use super::gateway_route::docker;
use super::request::{ScenarioPlan, ScenarioRequest, ScenarioSummary};
use crate::Scenarios;
use koab_workspace::WireError;

/// A checked request, without the runtime of its trials.
pub(super) struct PreparedScenarios {
    pub(super) files: Vec<ScenarioFile>,
    pub(super) layout: Layout,
    extras: Extras,
    limits: Limits,
    environment: Environment,
    pub(super) secrets: BTreeMap<String, String>,
    config: Option<String>,
    config_file: Option<PathBuf>,
}

impl Scenarios {
    /// Plan of a run of scenarios. Nothing is started or written.
    ///
    /// # Errors
    /// Every fault of the scenarios, or the first fault of the environment.
    pub async fn plan(&self, request: ScenarioRequest) -> Result<ScenarioPlan, WireError> {
        let prepared = self.prepare_run(&request).await?;
        let results = prepared.layout.results().display().to_string();
        let (variables, config, config_file) = (
            prepared.environment.variables().keys().cloned().collect(),
            prepared.config.clone(),
            prepared.config_file.as_ref().map(|file| file.display().to_string()),
        );
        let mut warnings = Vec::new();
        for file in &prepared.files {
            for instance in &file.instances {
                let warnings_of_instance = expand::warnings(instance, &prepared.extras).map_err(bad_file)?;
                warnings.extend(
                    warnings_of_instance.into_iter().map(|warning| say!("{}: {warning}", instance.id)),
                );
            }
        }
        let run = prepared.run(&request, TrialRuntime::Native);
        let plan = run.plan();
        let finished = plan.iter().filter(|(_, step)| step.is_skip()).count();
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(ScenarioPlan {
            results,
            to_run: count(plan.len() - finished),
            finished: count(finished),
            trials: plan
                .into_iter()
                .map(|(trial, step)| {
                    let step = match step {
                        Step::Run => "run".into(),
                        Step::Skip(_) => "skip".into(),
                        Step::Again { why } => say!("again: {why}"),
                    };
                    (trial.to_string(), step)
                })
                .collect(),
            warnings,
            variables,
            config,
            config_file,
        })
    }

    /// Runs scenarios until all trials have ended.
    ///
    /// `on_progress` receives the output of pulling or building the image; `sink` receives the
    /// events of the trials.
    ///
    /// # Errors
    /// When the request is wrong or there is no container engine. Failures of trials are part of
    /// the summary.
    pub async fn run(
        &self,
        request: ScenarioRequest,
        cancel: Cancel,
        on_progress: &mut (dyn FnMut(&Sentence) + Send),
        sink: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<ScenarioSummary, WireError> {
        let prepared = self.prepare_run(&request).await?;
        let runtime = if request.native {
            if cfg!(windows) {
                return Err(WireError::bad_request(say!(
                    "scenarios need a Unix shell: on Windows they run in containers only; leave out --native"
                )));
            }
            TrialRuntime::Native
        } else {
            self.containers(request.docker_image.as_deref(), &cancel, on_progress).await?
        };
        let closed = prepared.has_closed_trials();
        let results = prepared.layout.results();
        let gateway = OfferedGateway::open(self, &request, &runtime, closed, results, &cancel).await?;
        let mut run = prepared.run(&request, runtime);
        run.setup.model = gateway.clone().map(|gateway| gateway as Arc<dyn OfferedModel>);
        let _claim = run.setup.layout.claim().map_err(claimed)?;
        run.setup.layout.sweep().map_err(WireError::storage)?;
        let summary = run.run(&cancel, sink).await;
        let mut report = ScenarioSummary::new(
            &summary,
            run.setup.layout.results(),
            cancel.is_cancelled() && summary.broken.is_none(),
        );
        report.spent = gateway.map(|gateway| gateway.spent().into());
        Ok(report)
    }

    /// Engine and image for trials. Containers that earlier processes left in the engine are
    /// removed.
    pub(super) async fn containers(
        &self,
        image: Option<&str>,
        cancel: &Cancel,
        on_progress: &mut (dyn FnMut(&Sentence) + Send),
    ) -> Result<TrialRuntime, WireError> {
        let engine = Engine::find(self.workspace.gate()).await.map_err(docker)?;
        if !engine.holds_limits() {
            on_progress(&NO_LIMITS.into());
        }
        let owner =
            Owner::new(&self.workspace.home().path().join("scenario-locks")).map_err(WireError::storage)?;
        let removed = owner.sweep(&engine).await.map_err(docker)?;
        if removed > 0 {
            on_progress(&match removed {
                1 => say!("removed 1 container that an earlier run left behind"),
                left => say!("removed {left} containers that an earlier run left behind"),
            });
        }
        let image =
            engine.image(image, cancel, &mut |line| on_progress(&line.into())).await.map_err(|error| {
                if cancel.is_cancelled() {
                    WireError::cancelled(say!("stopped before anything ran"))
                } else {
                    docker(error)
                }
            })?;
        engine.try_to_start(&image, &owner).await.map_err(docker)?;
        Ok(TrialRuntime::Docker { engine: Box::new(engine), image, owner: Arc::new(owner) })
    }

    pub(super) async fn prepare_run(
        &self,
        request: &ScenarioRequest,
    ) -> Result<PreparedScenarios, WireError> {
        request.check().map_err(WireError::bad_request)?;
        let folder = match &request.folder {
            Some(folder) => PathBuf::from(folder),
            None => std::env::current_dir().map_err(WireError::storage)?,
        };
        if let Some(model) = &request.offer.model {
            self.models.check_id(model)?;
        }
        let files = files(request)?;
        let requirements = request
            .requirements
            .as_ref()
            .map(|path| std::fs::read(path).map_err(|error| unreadable(path, &error)))
            .transpose()?;
        let (environment, config) = environment(request, &folder)?;
        let config_file = config_file(request, &folder)?;
        let secrets = self.secrets(request, &files, &environment).await?;
        let results = match &request.results {
            Some(results) => PathBuf::from(results),
            None => self.workspace.home().path().join("results"),
        };
        request.limits.check().map_err(WireError::bad_request)?;
        Ok(PreparedScenarios {
            files,
            layout: Layout::new(results),
            extras: Extras {
                requirements,
                config: config_file.as_deref().map(crate::config_file::read).transpose().map_err(bad_file)?,
            },
            limits: request.limits.with_usual(),
            environment,
            secrets,
            config,
            config_file,
        })
    }

    /// Values of the keys that the user or a scenario names.
    async fn secrets(
        &self,
        request: &ScenarioRequest,
        files: &[ScenarioFile],
        environment: &Environment,
    ) -> Result<BTreeMap<String, String>, WireError> {
        let instances = files.iter().flat_map(|file| &file.instances);
        let requested: BTreeSet<&str> = instances
            .flat_map(|instance| &instance.secrets)
            .chain(&request.secrets)
            .map(String::as_str)
            .filter(|name| !environment.variables().contains_key(*name))
            .collect();
        let names: Vec<&str> = requested.iter().copied().collect();
        let values = self.keys.named(&names).await?;
        let mut secrets = BTreeMap::new();
        let mut missing = Vec::new();
        for name in names {
            match values.get(name) {
                Some(value) => {
                    secrets.insert(name.to_owned(), value.expose().clone());
                }
                None => missing.push(name),
            }
        }
        if missing.is_empty() {
            return Ok(secrets);
        }
        Err(WireError::bad_request(say!(
            "the scenarios need {}: set it with `koab keys set`, as an environment variable, or in ENV.json",
            missing.join(", ")
        )))
    }
}

impl PreparedScenarios {
    /// Whether some trials have no network.
    pub(super) fn has_closed_trials(&self) -> bool {
        let mut instances = self.files.iter().flat_map(|file| &file.instances);
        let none = Some(Network::None);
        self.limits.network == none || instances.any(|instance| instance.network == none)
    }

    pub(super) fn run(self, request: &ScenarioRequest, runtime: TrialRuntime) -> Run {
        let mut environment = self.environment;
        for name in &request.secrets {
            if let Some(value) = self.secrets.get(name) {
                environment.set_secret(name, value);
            }
        }
        Run {
            setup: TrialSetup {
                layout: self.layout,
                runtime,
                limits: self.limits,
                extras: self.extras,
                model: None,
                command: request.command.clone(),
            },
            files: self.files,
            repetitions: request.repetitions,
            parallel: usize::try_from(request.parallel).unwrap_or(1),
            rerun_failed: request.rerun_failed,
            environment,
            secrets: self.secrets,
        }
    }
}

fn files(request: &ScenarioRequest) -> Result<Vec<ScenarioFile>, WireError> {
    let allowed = request
        .allow
        .iter()
        .map(|folder| std::fs::canonicalize(folder).map_err(|error| unreadable(folder, &error)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut files = if request.path == "-" {
        let text = std::io::read_to_string(std::io::stdin())
            .map_err(|error| unreadable("standard input", &error))?;
        let folder = std::env::current_dir().map_err(WireError::storage)?;
        vec![scenario_file::parse("stdin", &text, &folder, &allowed).map_err(bad_file)?]
    } else {
        scenario_file::read(Path::new(&request.path), &allowed).map_err(bad_file)?
    };
    if let Some(share) = &request.subsample {
        let share = Share::parse(share).map_err(WireError::bad_request)?;
        let mut subsample = Subsample::new(share);
        for file in &mut files {
            let sample = subsample.draw(file.instances.len());
            file.instances = sample.iter().filter_map(|at| file.instances.get(*at).cloned()).collect();
        }
    }
    if files.iter().all(|file| file.instances.is_empty()) {
        return Err(WireError::bad_request(say!("{} holds no scenarios to run", request.path)));
    }
    Ok(files)
}

fn environment(request: &ScenarioRequest, folder: &Path) -> Result<(Environment, Option<String>), WireError> {
    let lookup = |name: &str| std::env::var(name).ok();
    let mut environment = Environment::default();
    let file = match &request.env_file {
        Some(file) => Some(PathBuf::from(file)),
        None => {
            ["ENV.yaml", "ENV.json"].map(|name| folder.join(name)).into_iter().find(|file| file.is_file())
        }
    };
    if let Some(file) = file {
        environment.add_file(&file, &lookup).map_err(bad_file)?;
    }
    let config_name = request.config.as_deref().filter(|name| !is_yaml(name));
    let mut config =
        ConfigList::find(config_name.unwrap_or(OAI_CONFIG_LIST), folder, &lookup).map_err(bad_file)?;
    if let (Some(named), None) = (config_name, &config) {
        return Err(WireError::bad_request(say!(
            "there is neither an environment variable nor a file {named} with a model configuration"
        )));
    }
    if let Some(tag) = &request.config_tag {
        let list = config
            .ok_or_else(|| WireError::bad_request(say!("there is no model configuration to choose from")))?;
        config = Some(list.tagged(tag).ok_or_else(|| {
            WireError::bad_request(say!("the model configuration has no entry with the tag or model {tag}"))
        })?);
    }
    let description = config.as_ref().map(|config| {
        environment.set_config_list(config);
        format!("{} ({})", config.source, config.models().join(", "))
    });
    Ok((environment, description))
}

/// File that every trial gets as `config.yaml`, if there is one.
///
/// The tool agbench names this file with `--config`. Its predecessors name the model configuration,
/// a JSON file, with that option.
fn config_file(request: &ScenarioRequest, folder: &Path) -> Result<Option<PathBuf>, WireError> {
    let under_config = request.config.as_deref().filter(|name| is_yaml(name));
    match (request.config_file.as_deref(), under_config) {
        (Some(_), Some(_)) => Err(WireError::bad_request(say!(
            "--config and --config-file both name a file for config.yaml: leave one out"
        ))),
        (Some(file), None) | (None, Some(file)) => Ok(Some(folder.join(file))),
        (None, None) => Ok(Some(folder.join(CONFIG_YAML)).filter(|file| file.is_file())),
    }
}

pub(super) fn bad_file(error: impl ToSentence) -> WireError {
    WireError::bad_file(error.to_sentence())
}

/// Error for a results folder that could not be claimed.
pub(super) fn claimed(error: crate::error::Error) -> WireError {
    match error {
        busy @ crate::error::Error::Busy(_) => WireError::busy(busy.to_sentence()),
        other => WireError::storage(other),
    }
}

fn unreadable(path: &str, error: &std::io::Error) -> WireError {
    WireError::bad_file(say!("{path} cannot be read: {error}"))
}
