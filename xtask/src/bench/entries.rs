//! The benchmarks. To add one, write a function that gives rows and name it in [`ENTRIES`].

use std::path::Path;
use std::process::Command;

use super::Bench;
use super::measure::{Measured, measure, median_of};
use super::replay::ReplayServer;
use super::table::{Row, Target};

/// One benchmark; it may give several rows.
pub(super) struct Entry {
    /// Its name for `--only`.
    pub(super) name: &'static str,
    /// Measures; an error becomes the reason of an unmeasured row.
    pub(super) measure: fn(&Bench<'_>) -> anyhow::Result<Vec<Row>>,
}

/// All benchmarks, in the order of the table.
pub(super) const ENTRIES: [Entry; 3] = [
    Entry {
        name: "start-up",
        measure: start_up,
    },
    Entry {
        name: "golden-run",
        measure: golden_run,
    },
    Entry {
        name: "replay-run",
        measure: replay_run,
    },
];

/// Tasks of the published pack.
const PUBLISHED_TASKS: f64 = 91.0;

/// The command line from its start to its help text: what every call pays.
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

/// The starter pack with the built-in golden baseline, scored: our own cost without any model.
fn golden_run(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let home = bench.place.scratch("bench-golden")?;
    let measured = measure(&mut koab(
        bench,
        home.path(),
        &["run", "--model", "baseline/golden", "--evaluate"],
    ))?;
    Ok(run_rows("golden run of the starter pack", &measured, 10.0))
}

/// All 91 published tasks over HTTP against the replay server, without latency: what we add to a model's time.
fn replay_run(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let server = ReplayServer::start(bench.place, &[])?;
    let home = bench.place.scratch("bench-replay")?;
    let published = bench
        .place
        .root
        .join("../shared/ko-agentbench")
        .display()
        .to_string();
    let import = measure(&mut koab(bench, home.path(), &["pack", "import", &published]))?;
    let base_url = server.openai_base_url();
    let options = [
        "run",
        "--pack",
        "ko-agentbench",
        "--model",
        "openai_compat/gpt-4o",
        "--base-url",
        &base_url,
    ];
    let run = measure(koab(bench, home.path(), &options).env("OPENAI_API_KEY", "unused"))?;
    let mut rows = vec![Row::new(
        "import of the published pack",
        import.wall.as_secs_f64(),
        "s",
    )];
    rows.extend(run_rows("replay of 91 published tasks", &run, 30.0));
    let tasks_a_second = PUBLISHED_TASKS / run.wall.as_secs_f64();
    rows.push(Row::new("replay, tasks a second", tasks_a_second, "/s").target(Target::AtLeast(3.0)));
    Ok(rows)
}

fn run_rows(name: &str, measured: &Measured, at_most_s: f64) -> Vec<Row> {
    let memory = format!("{name}, peak memory");
    vec![
        Row::new(name, measured.wall.as_secs_f64(), "s").target(Target::AtMost(at_most_s)),
        match measured.peak_rss_mib() {
            Ok(mib) => Row::new(memory, mib, "MiB").target(Target::AtMost(200.0)),
            Err(reason) => Row::unmeasured(memory, reason),
        },
    ]
}

fn koab(bench: &Bench<'_>, home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(&bench.koab);
    command
        .args(arguments)
        .env("KOAB_HOME", home)
        .current_dir(&bench.place.root);
    command
}
