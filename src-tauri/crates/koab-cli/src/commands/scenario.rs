//! `koab scenario`.

mod clone;
mod results;
mod tabulate;

use super::on_ctrl_c;
use crate::Ended;
use crate::args::scenario::{NetworkArg, ScenarioCommand, ScenarioRunArgs};
use crate::lang::Lang;
use crate::output::{Output, columns};
use crate::scenario_progress::ScenarioProgress;
use koab_api::{Api, ScenarioPlan, ScenarioRequest, ScenarioSummary, WireError};
use std::io::{BufRead as _, IsTerminal as _};

pub(crate) async fn scenario(
    api: &Api,
    command: ScenarioCommand,
    output: Output,
) -> Result<Ended, WireError> {
    match command {
        ScenarioCommand::Run(args) => run(api, *args, output).await,
        ScenarioCommand::Tabulate(args) => tabulate::tabulate(api, &args, output).await,
        ScenarioCommand::Clone(args) => clone::clone(api, args, output).await,
        ScenarioCommand::RemoveMissing { dir, yes } => results::remove_missing(api, &dir, yes, output),
        ScenarioCommand::Lint { path } => results::lint(api, &path, output),
    }
}

async fn run(api: &Api, args: ScenarioRunArgs, output: Output) -> Result<Ended, WireError> {
    let request = request(&args);
    if args.dry_run {
        let plan = api.scenario_plan(request).await?;
        output.result(&plan, || planned(&plan, output.lang));
        return Ok(Ended::Done);
    }
    if args.native && !args.yes {
        // Nobody is asked to agree to what cannot be run anyway.
        api.scenario_plan(request.clone()).await?;
    }
    if args.native && !args.yes && !agreed(output)? {
        return Err(WireError::bad_request(
            "nothing was run: --native needs your agreement; answer \"yes\", or give --yes in scripts",
        ));
    }
    let cancel = on_ctrl_c();
    let progress = ScenarioProgress::new(output, args.parallel > 1);
    let summary = api
        .scenario_run(
            request,
            cancel,
            &mut |line| output.remark(&output.lang.said(line)),
            &|event| progress.hear(&event),
        )
        .await?;
    progress.finish();
    output.result(&summary, || summed_up(&summary, output.lang));
    if let Some(broken) = &summary.broken {
        output.sentence(&output.lang.said(broken));
        return Ok(Ended::NotDone);
    }
    Ok(match (summary.cancelled, summary.complete) {
        (true, _) => Ended::Cancelled,
        (false, true) => Ended::Done,
        (false, false) => Ended::SomeFailed,
    })
}

fn request(args: &ScenarioRunArgs) -> ScenarioRequest {
    ScenarioRequest {
        path: args.path.clone(),
        results: args.results.as_ref().map(|folder| folder.display().to_string()),
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
        model: args.model.clone(),
        base_url: args.base_url.clone(),
        max_cost: args.max_cost,
        max_total_tokens: args.max_total_tokens,
        replay: args.replay.clone(),
        allow: args.allow.clone(),
        subsample: args.subsample.clone(),
        timeout_s: args.timeout,
        memory_mib: args.memory,
        cpus: args.cpus,
        pids: args.pids,
        output_mib: args.output,
        network: args.network == NetworkArg::Bridge,
        rerun_failed: args.rerun_failed,
        // Secrets never come from argv, so the words can be kept as they are.
        command: std::env::args().collect(),
    }
}

/// Asks whether scenarios may run on this computer itself. Without a terminal there is nobody to ask.
fn agreed(output: Output) -> Result<bool, WireError> {
    output.sentence(output.lang.pick(
        "경고: --native는 컨테이너 없이 이 컴퓨터에서 시나리오를 실행합니다. 시나리오와 에이전트가 만든 코드는 여러분이 할 수 있는 모든 일을 할 수 있고, 앞선 실행이 다음 실행에 영향을 줄 수 있습니다.",
        "warning: --native runs scenarios on this computer itself: they, and code that agents write in them, can do whatever you can, and earlier trials can influence later ones",
    ));
    said_yes(output)
}

/// Whether the user types yes. Without a terminal there is nobody to ask.
fn said_yes(output: Output) -> Result<bool, WireError> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    output.sentence(
        output
            .lang
            .pick("계속하려면 yes를 입력하세요", "type yes to go on"),
    );
    let mut answer = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(WireError::storage)?;
    Ok(answer.trim().eq_ignore_ascii_case("yes"))
}

fn planned(plan: &ScenarioPlan, lang: Lang) -> String {
    let rows: Vec<Vec<String>> = plan
        .trials
        .iter()
        .map(|(trial, step)| vec![trial.clone(), step.clone()])
        .collect();
    let mut text = columns(
        &[lang.pick("시도", "trial"), lang.pick("할 일", "what is done")],
        &rows,
    );
    for warning in &plan.warnings {
        text.push_str(&format!("{}: {warning}\n", lang.pick("주의", "warning")));
    }
    if let Some(config) = &plan.config {
        text.push_str(&format!(
            "{}: {config}\n",
            lang.pick("모델 설정", "model configuration")
        ));
    }
    if let Some(file) = &plan.config_file {
        text.push_str(&format!("config.yaml: {file}\n"));
    }
    if !plan.variables.is_empty() {
        text.push_str(&format!(
            "{}: {}\n",
            lang.pick("환경 변수", "variables"),
            plan.variables.join(", ")
        ));
    }
    let (to_run, finished, results) = (plan.to_run, plan.finished, &plan.results);
    text.push_str(&match lang {
        Lang::Ko => format!("실행 {to_run}개, 이미 끝남 {finished}개, 결과: {results}"),
        Lang::En => format!("{to_run} to run, {finished} finished already, results: {results}"),
    });
    text
}

fn summed_up(summary: &ScenarioSummary, lang: Lang) -> String {
    let mut rows: Vec<Vec<String>> = summary
        .ended
        .iter()
        .map(|(cause, count)| vec![cause.clone(), count.to_string()])
        .collect();
    let mut more = |what: &str, count: u32| {
        if count > 0 {
            rows.push(vec![what.to_owned(), count.to_string()]);
        }
    };
    more(lang.pick("이미 끝남", "finished before"), summary.skipped);
    more(lang.pick("시작 안 함", "not started"), summary.not_run);
    let spent = summary.spent.as_ref().map_or_else(String::new, |spent| {
        let usd = spent
            .usd
            .map_or_else(|| "—".to_owned(), |usd| format!("${usd:.4}"));
        let note = spent
            .note
            .as_ref()
            .map_or_else(String::new, |note| format!(" ({note})"));
        match lang {
            Lang::Ko => format!("모델 호출: 토큰 {}개, {usd}{note}\n", spent.tokens),
            Lang::En => format!("model calls: {} tokens, {usd}{note}\n", spent.tokens),
        }
    });
    columns(&[lang.pick("끝", "ended"), lang.pick("시도", "trials")], &rows)
        + &spent
        + &format!("{}: {}", lang.pick("결과", "results"), summary.results)
}
