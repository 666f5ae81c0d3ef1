//! Implements `koab scenario`.

mod clone;
mod consent;
mod lint;
mod remote;
mod remove_missing;
mod summary;
mod tabulate;

use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::scenario::{ScenarioCommand, ScenarioRunArgs};
use crate::output::{Columns, Output};
use crate::scenario_progress::ScenarioProgress;
use consent::confirm;
use koab_api::{Api, ScenarioPlan, ScenarioRequest, Scenarios, WireError};
use koab_core::sentence::Language;
use koab_core::{say, text};

pub(crate) async fn scenario(
    api: &Api,
    command: ScenarioCommand,
    output: Output,
) -> Result<CommandEnd, WireError> {
    match command {
        ScenarioCommand::Run(args) => run(api, *args, output).await,
        ScenarioCommand::Tabulate(args) => tabulate::tabulate(api, &args, output).await,
        ScenarioCommand::Clone(args) => clone::clone(api, args, output).await,
        ScenarioCommand::RemoveMissing { dir, yes } => remove_missing::remove_missing(api, &dir, yes, output),
        ScenarioCommand::Status { results } => {
            remote::status(api, results.or_else(results_here).as_deref(), output).await
        }
        ScenarioCommand::Cancel { results } => {
            remote::cancel(api, results.or_else(results_here).as_deref(), output).await
        }
        ScenarioCommand::Logs { shard, results } => {
            let log = api.scenarios.remote_log(results.or_else(results_here).as_deref(), shard)?;
            output.result(&log, || log.text.clone());
            Ok(CommandEnd::Done)
        }
        ScenarioCommand::Worker(args) => remote::worker(api, &args, output).await,
        ScenarioCommand::Lint { path } => lint::lint(api, &path, output),
    }
}

async fn run(api: &Api, args: ScenarioRunArgs, output: Output) -> Result<CommandEnd, WireError> {
    let request = request(&args);
    if let Some(engine) = args.on {
        return remote::submit(api, engine, request, &args, output).await;
    }
    if args.dry_run {
        let plan = api.scenarios.plan(request).await?;
        output.result(&plan, || planned(&plan, output.lang));
        return Ok(CommandEnd::Done);
    }
    if args.native && !args.yes {
        // A run that cannot start fails before the user is asked to agree.
        api.scenarios.plan(request.clone()).await?;
    }
    if args.native && !args.yes && !agreed(output)? {
        return Err(WireError::bad_request(say!(
            "nothing was run: --native needs your agreement; answer \"yes\", or give --yes in scripts"
        )));
    }
    let cancel = on_ctrl_c();
    let progress = ScenarioProgress::new(output, args.parallel > 1);
    let summary = api
        .scenarios
        .run(request, cancel, &mut |line| output.remark(&output.lang.say(line)), &|event| {
            progress.hear(&event)
        })
        .await?;
    progress.finish();
    output.result(&summary, || summary::text(&summary, output.lang));
    if let Some(broken) = &summary.broken {
        output.sentence(&output.lang.say(broken));
        return Ok(CommandEnd::NotDone);
    }
    Ok(match (summary.cancelled, summary.complete) {
        (true, _) => CommandEnd::Cancelled,
        (false, true) => CommandEnd::Done,
        (false, false) => CommandEnd::SomeFailed,
    })
}

/// Results folder of the benchmark in the current folder; `None` if the folder does not exist.
fn results_here() -> Option<String> {
    let here = std::env::current_dir().ok()?;
    Some(Scenarios::benchmark_results(&here)?.display().to_string())
}

fn request(args: &ScenarioRunArgs) -> ScenarioRequest {
    ScenarioRequest {
        path: args.path.clone(),
        results: args.results.as_ref().map(|folder| folder.display().to_string()).or_else(results_here),
        folder: None,
        repetitions: args.repeat,
        parallel: args.parallel,
        native: args.native,
        docker_image: args.docker_image.clone(),
        requirements: args.requirements.clone(),
        config: args.config.clone(),
        config_tag: args.config_tag.clone(),
        config_file: args.config_file.clone(),
        env_file: args.env.clone(),
        secrets: args.secret.clone(),
        offer: args.offer(),
        allow: args.allow.clone(),
        subsample: args.subsample.clone(),
        limits: args.limits(),
        rerun_failed: args.rerun_failed,
        // Secrets never come from the command line, so it can be stored as it is.
        command: std::env::args().collect(),
    }
}

/// Asks the user to agree that scenarios run directly on this computer. Without a terminal the
/// answer is no.
fn agreed(output: Output) -> Result<bool, WireError> {
    output.sentence(output.lang.text(text!("warning: --native runs scenarios on this computer itself: they, and code that agents write in them, can do whatever you can, and earlier trials can influence later ones")));
    confirm(output)
}

fn planned(plan: &ScenarioPlan, lang: Language) -> String {
    let rows: Vec<Vec<String>> =
        plan.trials.iter().map(|(trial, step)| vec![trial.clone(), lang.say(step)]).collect();
    let mut text = Columns::new(&rows, lang)
        .id(text!("trial"), |row| &row[0])
        .prose(text!("action"), |row| &row[1])
        .text();
    for warning in &plan.warnings {
        text.push_str(&format!("{}: {warning}\n", lang.text(text!("warning"))));
    }
    if let Some(config) = &plan.config {
        text.push_str(&format!("{}: {config}\n", lang.text(text!("model configuration"))));
    }
    if let Some(file) = &plan.config_file {
        text.push_str(&format!("config.yaml: {file}\n"));
    }
    if !plan.variables.is_empty() {
        text.push_str(&format!("{}: {}\n", lang.text(text!("variables")), plan.variables.join(", ")));
    }
    let (to_run, finished, results) = (plan.to_run, plan.finished, &plan.results);
    text.push_str(&lang.say(&say!("{to_run} to run, {finished} finished already, results: {results}")));
    text
}
