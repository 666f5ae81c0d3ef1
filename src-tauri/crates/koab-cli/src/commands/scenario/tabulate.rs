//! Implements `koab scenario tabulate`.

use super::consent::confirm;
use crate::CommandEnd;
use crate::args::scenario::{ScenarioTabulateArgs, TableFormatArg};
use crate::commands::interrupt::on_ctrl_c;
use crate::output::{Output, columns};
use koab_api::{
    Api, OriginalGeneration, ScenarioTable, ScenarioVerdict, Scenarios, Scorer, ScriptRequest,
    TabulatedScenario, WireError,
};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

pub(super) async fn tabulate(
    api: &Api,
    args: &ScenarioTabulateArgs,
    output: Output,
) -> Result<CommandEnd, WireError> {
    if let Some(script) = script(args)? {
        return by_script(api, args, script, output).await;
    }
    let scorer = args.scorer.unwrap_or_default();
    if args.csv && output.json {
        return Err(WireError::bad_request(say!("choose either --csv or --json")));
    }
    let generation = match args.format {
        None | Some(TableFormatArg::Own) => return own(api, args, scorer, output),
        Some(TableFormatArg::Original) => OriginalGeneration::Second,
        Some(TableFormatArg::Agbench) => OriginalGeneration::Third,
    };
    if output.json || !args.k.is_empty() {
        return Err(WireError::bad_request(say!(
            "the original tool has no --json and no -k: leave them out, or leave out --format"
        )));
    }
    let tables = api.scenarios.original_tables(&args.dir, generation, scorer, args.csv)?;
    for (scenario, text) in &tables {
        if tables.len() > 1 {
            output.text(&format!("# {scenario}\n"));
        }
        output.text(text);
    }
    Ok(CommandEnd::Done)
}

/// Script that makes the tables of a benchmark. If the user names none, it is the script in the
/// current folder, unless an option requests a built-in table.
fn script(args: &ScenarioTabulateArgs) -> Result<Option<PathBuf>, WireError> {
    if let Some(script) = &args.script {
        return Ok(Some(script.clone()));
    }
    if let Some(benchmark) = &args.benchmark {
        return Scenarios::script(benchmark).map(Some).ok_or_else(|| {
            WireError::not_found(say!("{} has no Scripts/custom_tabulate.py", benchmark.display()))
        });
    }
    let builtin = args.no_script || args.scorer.is_some() || args.format.is_some() || !args.k.is_empty();
    let here = PathBuf::from(".");
    let benchmark = ["Tasks", "Templates"].iter().any(|name| here.join(name).is_dir());
    Ok(Some(here).filter(|_| !builtin && benchmark).and_then(|here| Scenarios::script(&here)))
}

async fn by_script(
    api: &Api,
    args: &ScenarioTabulateArgs,
    script: PathBuf,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    if args.csv && output.json {
        return Err(WireError::bad_request(say!("choose either --csv or --json")));
    }
    if args.native && !args.yes {
        output.sentence(lang.text(text!("warning: --native runs the benchmark's script on this computer itself, where it can do whatever you can")));
        if !confirm(output)? {
            return Err(WireError::bad_request(say!(
                "nothing was run: --native needs your agreement; answer \"yes\", or give --yes in scripts"
            )));
        }
    }
    let path = script.display().to_string();
    output.remark(
        &lang.say(&say!(
            "tabulated by the benchmark's own {shown} (--no-script does not use it)",
            shown = path
        )),
    );
    let request = ScriptRequest {
        folder: args.dir.clone(),
        script,
        csv: args.csv,
        native: args.native,
        docker_image: args.docker_image.clone(),
    };
    let tables = api
        .scenarios
        .script_tables(&request, &on_ctrl_c(), &mut |line| output.remark(&output.lang.say(line)))
        .await?;
    if output.json {
        let tables: Vec<_> = tables
            .iter()
            .map(|(scenario, text, _)| json!({ "scenario": scenario, "printed": text }))
            .collect();
        output.result(&json!({ "script": path, "scenarios": tables }), String::new);
        return Ok(CommandEnd::Done);
    }
    for (scenario, text, other) in &tables {
        if tables.len() > 1 {
            output.text(&format!("# {scenario}\n"));
        }
        output.text(text);
        if !other.trim().is_empty() {
            output.remark(other.trim_end());
        }
    }
    Ok(CommandEnd::Done)
}

fn own(
    api: &Api,
    args: &ScenarioTabulateArgs,
    scorer: Scorer,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let mut tables = api.scenarios.tables(&args.dir, scorer)?;
    choose(&mut tables, &args.k)?;
    if args.csv {
        let csv = ScenarioTable::all_to_csv(tables.iter().map(|one| (one.scenario.as_str(), &one.table)));
        output.text(&csv);
        return Ok(CommandEnd::Done);
    }
    output.result(&json!({ "scenarios": tables }), || {
        let texts: Vec<String> = tables.iter().map(|one| text(one, output.lang)).collect();
        texts.join("\n")
    });
    Ok(CommandEnd::Done)
}

/// Limits the pass@k columns to the values of k that the user wants.
fn choose(tables: &mut [TabulatedScenario], wanted: &[u32]) -> Result<(), WireError> {
    if wanted.is_empty() {
        return Ok(());
    }
    let ks: Vec<usize> = wanted.iter().map(|k| *k as usize).collect();
    for one in tables {
        let most = one.table.repetitions.len();
        if let Some(k) = ks.iter().find(|k| **k > most) {
            let scenario = &one.scenario;
            return Err(WireError::bad_request(say!(
                "pass@{k} needs {k} trials of each instance, and {scenario} has {most}: run it with --repeat {k}"
            )));
        }
        one.table.totals.pass_at_k.retain(|pass| ks.contains(&pass.k));
    }
    Ok(())
}

pub(super) fn text(one: &TabulatedScenario, lang: Language) -> String {
    let table = &one.table;
    let (passed, failed, missing) =
        (lang.text(text!("passed")), lang.text(text!("failed")), lang.text(text!("missing")));
    let repetitions: Vec<String> = table.repetitions.iter().map(u32::to_string).collect();
    let mut header = vec![lang.text(text!("instance"))];
    header.extend(repetitions.iter().map(String::as_str));
    header.extend([passed, failed, missing, lang.text(text!("seconds"))]);
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| {
            let marks = row.trials.iter().map(|cell| match (&cell.verdict, cell.cause) {
                (ScenarioVerdict::Passed, _) => passed.to_owned(),
                (_, Some(cause)) if cause.is_technical() => cause.name().to_owned(),
                (ScenarioVerdict::Failed, _) => failed.to_owned(),
                (ScenarioVerdict::Missing { .. }, _) => missing.to_owned(),
            });
            let seconds = row.trials.iter().filter_map(|cell| cell.seconds);
            let seconds = seconds.reduce(|sum, seconds| sum + seconds);
            let mut cells = vec![row.instance.clone()];
            cells.extend(marks);
            cells.extend([row.passed, row.failed, row.missing].map(|count| count.to_string()));
            cells.push(seconds.map_or_else(|| "–".to_owned(), |seconds| format!("{seconds:.1}")));
            cells
        })
        .collect();
    let mut out = format!("{}\n{}\n", one.scenario, columns(&header, &rows, lang));
    sums(table, lang, &mut out);
    out
}

fn sums(table: &ScenarioTable, lang: Language, out: &mut String) {
    let totals = &table.totals;
    let (trials, passed, failed, missing) = (totals.trials, totals.passed, totals.failed, totals.missing);
    let (instances, once, always) = (totals.instances, totals.passed_once, totals.passed_always);
    let _ = writeln!(out, "{}", lang.say(&say!("{passed} of {trials} trials passed, {failed} failed, {missing} missing; {once} of {instances} instances at least once, {always} always")));
    for pass in &totals.pass_at_k {
        let _ = write!(out, "pass@{} {:.1} %", pass.k, 100.0 * pass.value);
        let intervals =
            [("Wilson", &totals.wilson), (lang.text(text!("over instances")), &totals.over_instances)];
        for (name, measured) in intervals.iter().filter(|_| pass.k == 1) {
            if let Some(interval) = measured.interval() {
                let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
                let _ = write!(out, "{}", lang.say(&say!(", 95 % interval {low:.1} to {high:.1} ({name})")));
            }
        }
        out.push('\n');
    }
    let causes: Vec<String> =
        totals.causes.iter().map(|(cause, count)| format!("{} {count}", cause.name())).collect();
    if !causes.is_empty() {
        let _ = writeln!(out, "{}: {}", lang.text(text!("ended")), causes.join(", "));
    }
    if totals.timed > 0 {
        let (sum, each) = (totals.seconds, totals.seconds / totals.timed as f64);
        let timed = totals.timed;
        let _ = writeln!(out, "{}", lang.say(&say!("time: {sum:.1} s in {timed} trials, {each:.1} s each")));
    }
}
