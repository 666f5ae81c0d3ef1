//! List of benchmarks. To add one, write a function that returns rows and name it in [`ENTRIES`].

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;

use super::command::{Bench, koab};
use super::measure::{Measured, measure, median_of};
use super::replay::ReplayServer;
use super::table::{Row, Target};
use super::ui;

/// A benchmark, which may have several rows.
pub(super) struct Entry {
    /// Name for `--only`.
    pub(super) name: &'static str,
    /// Function that measures. If it fails, its error is shown as the reason of an unmeasured row.
    pub(super) measure: fn(&Bench<'_>) -> anyhow::Result<Vec<Row>>,
}

/// All benchmarks, in the order of the table.
pub(super) const ENTRIES: [Entry; 27] = [
    Entry { name: "start-up", measure: start_up },
    Entry { name: "golden-run", measure: golden_run },
    Entry { name: "replay-run", measure: replay_run },
    Entry { name: "latency-run", measure: latency_run },
    Entry { name: "look-up", measure: look_up },
    Entry { name: "many", measure: super::many::records },
    Entry { name: "scale", measure: super::scale::runs },
    Entry { name: "kills", measure: super::kills::many },
    Entry { name: "caps", measure: super::kills::caps },
    Entry { name: super::histories::NAME, measure: super::histories::many },
    Entry { name: "scoring", measure: scoring },
    Entry { name: super::benchmarks::NAME, measure: super::benchmarks::items },
    Entry { name: "items-run", measure: super::benchmarks::runs },
    Entry { name: "import", measure: import_reports },
    Entry { name: "find", measure: super::find::attempts },
    Entry { name: "compare", measure: super::compare::pairs },
    Entry { name: "gate", measure: super::statistics::gate },
    Entry { name: "across", measure: super::statistics::across },
    Entry { name: "adaptive", measure: super::statistics::adaptive },
    Entry { name: "ppi", measure: super::statistics::ppi },
    Entry { name: "scenarios", measure: super::scenarios::overhead },
    Entry { name: "gateway", measure: super::gateway::costs },
    Entry { name: "agents", measure: super::agents::at_once },
    Entry { name: "cluster", measure: super::cluster::long },
    Entry { name: "local", measure: super::local_models::models },
    Entry { name: "page", measure: ui::page },
    Entry { name: "window", measure: ui::window },
];

/// Number of tasks in the published pack.
const PUBLISHED_TASKS: f64 = 91.0;
/// Number of attempts in flight in the run with a slow model.
const IN_FLIGHT: u32 = 16;
/// Seconds that the slow model takes per call.
const LATENCY_S: f64 = 0.2;

/// Measures the time from the start of the command line to its help text. Every command needs at
/// least this time.
fn start_up(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let measured = median_of(11, || {
        let mut command = Command::new(&bench.koab);
        command.arg("--help");
        command
    })?;
    let wall =
        Row::new("start-up, --help", measured.wall.as_secs_f64() * 1e3, "ms").target(Target::AtMost(50.0));
    Ok(vec![wall])
}

/// Runs and scores the starter pack with the golden baseline. Without a model, only the product's
/// own time is measured.
fn golden_run(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let home = bench.checkout.scratch("bench-golden")?;
    let measured =
        measure(&mut koab(bench, home.path(), &["run", "--model", "baseline/golden", "--evaluate"]))?;
    Ok(run_rows("first golden run of the starter pack, scored", &measured, 1.0))
}

/// Runs all 91 published tasks over HTTP against the replay server without latency. The result is
/// the time that the product adds to a model's time.
fn replay_run(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let server = ReplayServer::start(bench.checkout, &[])?;
    let home = bench.checkout.scratch("bench-replay")?;
    let import = import_published(bench, home.path())?;
    let run = measure(&mut replay(bench, home.path(), &server, "16"))?;
    let imported = Row::new("import of the published pack, 4,582 records", import.wall.as_secs_f64(), "s");
    let mut rows = vec![imported.target(Target::AtMost(3.0))];
    rows.extend(run_rows("replay of 91 published tasks (gpt-4o)", &run, 1.0));
    let a_second = Row::new("replay, tasks a second", PUBLISHED_TASKS / run.wall.as_secs_f64(), "/s");
    rows.push(a_second.target(Target::AtLeast(PUBLISHED_TASKS)));
    Ok(rows)
}

/// Runs the published tasks with 200 ms per call and 16 attempts in flight.
///
/// The lower bound is the larger of two times: the sequential calls of the longest task, and all
/// calls divided by 16.
fn latency_run(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let server = ReplayServer::start(bench.checkout, &["--latency-ms", "200"])?;
    let home = bench.checkout.scratch("bench-latency")?;
    import_published(bench, home.path())?;
    let run = measure(&mut replay(bench, home.path(), &server, &IN_FLIGHT.to_string()))?;
    let steps = published_steps(bench)?;
    let longest = steps.iter().copied().fold(0.0, f64::max) * LATENCY_S;
    let shared_out = steps.iter().sum::<f64>() * LATENCY_S / f64::from(IN_FLIGHT);
    let bound = longest.max(shared_out);
    let wall = run.wall.as_secs_f64();
    Ok(vec![
        Row::new("200 ms a call, 16 in flight (gpt-4o)", wall, "s").target(Target::AtMost(bound * 1.15)),
        Row::new("the same over what is possible at all", wall / bound, "×").target(Target::AtMost(1.15)),
    ])
}

/// Looks up every record of the published pack once.
fn look_up(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let home = bench.checkout.scratch("bench-look-up")?;
    import_published(bench, home.path())?;
    let output =
        koab(bench, home.path(), &["cache", "time", "--json"]).output().context("koab cache time")?;
    let times: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("its answer is not JSON")?;
    let of = |name: &str| times[name].as_f64().with_context(|| format!("its answer has no `{name}`"));
    Ok(vec![
        Row::new(format!("look-up of {} calls, p50", of("calls")?), of("p50_us")?, "µs"),
        Row::new("look-up, p99", of("p99_us")?, "µs").target(Target::AtMost(100.0)),
    ])
}

/// Scores the 8 published runs with the recorded judge answers and writes every report.
fn scoring(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let home = bench.checkout.scratch("bench-scoring")?;
    let parity = bench.checkout.root.join("../shared/parity");
    let logs = parity.join("logs/benchmark_results").display().to_string();
    let replay = parity.join("judge_replay.json").display().to_string();
    let (mut wall, mut models) = (0.0, 0);
    for model in
        std::fs::read_dir(parity.join("logs/benchmark_results/by_model")).context("the published logs")?
    {
        let model = model?.file_name().to_string_lossy().into_owned();
        let words =
            ["evaluate", "--logs", &logs, "--date", "20251219", "--model", &model, "--judge-replay", &replay];
        wall += measure(&mut koab(bench, home.path(), &words))?.wall.as_secs_f64();
        models += 1;
    }
    Ok(vec![
        Row::new(format!("scoring of {models} × 91 tasks, reports written"), wall, "s")
            .target(Target::AtMost(1.0)),
    ])
}

/// Imports the 8 published reports and their logs into a new workspace. This includes the import of
/// the starter pack.
fn import_reports(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let home = bench.checkout.scratch("bench-import")?;
    let parity =
        bench.checkout.shared().context("the reference data is not there (../shared)")?.join("parity");
    let [logs, reports] = ["logs", "reports"].map(|folder| parity.join(folder).display().to_string());
    let import = measure(&mut koab(bench, home.path(), &["report", "import", &logs, &reports]))?;
    Ok(run_rows("import of the 8 published reports and logs", &import, 2.0))
}

fn import_published(bench: &Bench<'_>, home: &Path) -> anyhow::Result<Measured> {
    let published = bench.checkout.root.join("../shared/ko-agentbench").display().to_string();
    measure(&mut koab(bench, home, &["pack", "import", &published, "--use"]))
}

fn replay(bench: &Bench<'_>, home: &Path, server: &ReplayServer, in_flight: &str) -> Command {
    let base_url = server.openai_base_url();
    let words =
        ["run", "--model", "openai_compat/gpt-4o", "--base-url", &base_url, "--concurrency", in_flight];
    koab(bench, home, &words)
}

/// Number of model turns of each task in the published gpt-4o run.
fn published_steps(bench: &Bench<'_>) -> anyhow::Result<Vec<f64>> {
    let runs = bench.checkout.root.join("../shared/parity/logs/benchmark_results/by_model/azure_gpt-4o");
    let run = std::fs::read_dir(&runs)?.next().context("no published run of gpt-4o")??.path();
    let mut steps = Vec::new();
    for level in 1..=7 {
        let log: serde_json::Value =
            serde_json::from_slice(&std::fs::read(run.join(format!("L{level}.json")))?)?;
        steps.extend(
            log["results"].as_array().into_iter().flatten().filter_map(|r| r["steps_taken"].as_f64()),
        );
    }
    Ok(steps)
}

fn run_rows(name: &str, measured: &Measured, at_most_s: f64) -> Vec<Row> {
    let memory = format!("{name}, peak memory");
    vec![
        Row::new(name, measured.wall.as_secs_f64(), "s").target(Target::AtMost(at_most_s)),
        match measured.peak_rss_mib() {
            Ok(mib) => Row::new(memory, mib, "MiB").target(Target::AtMost(150.0)),
            Err(reason) => Row::unmeasured(memory, reason),
        },
    ]
}
