//! Benchmark of scenarios, compared with running the same containers by hand. It also measures the
//! gain of running two scenarios at once.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::command::Bench;
use super::measure::measure;
use super::table::{Row, Target};
use crate::docker::{Engine, Kind};

/// Number of scenarios that do nothing, so that only the overhead of containers remains.
const SCENARIOS: u32 = 20;
/// Number of scenarios that wait a second each, like scenarios that call a model.
const WAITING: u32 = 8;
/// Number of runs of each kind of benchmark. The kinds alternate, so that a busy moment affects all
/// of them.
const TURNS: usize = 3;

/// Measures overhead per scenario, and throughput with two at once.
pub(super) fn overhead(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let engine = Engine::start(bench.checkout, Kind::Docker)?;
    let scratch = bench.checkout.scratch("bench-scenarios")?;
    let idle = benchmark(scratch.path(), "mini", SCENARIOS, "print('__N__')\n")?;
    let waiting =
        benchmark(scratch.path(), "waiting", WAITING, "import time\ntime.sleep(1)\nprint('__N__')\n")?;
    let run = |tasks: &Path, results: &Path, parallel: u32| {
        let mut command = Command::new(&bench.koab);
        command
            .args(["scenario", "run", "--quiet", "-d", "koab-test", "--network", "none", "-p"])
            .arg(parallel.to_string())
            .arg("--results")
            .arg(results)
            .arg(tasks)
            .env("KOAB_HOME", scratch.path().join("home"))
            .env("DOCKER_HOST", engine.host());
        measure(&mut command).map(|measured| measured.wall)
    };
    let mut walls: [Vec<Duration>; 5] = Default::default();
    for turn in 0..TURNS {
        let results = |name: &str| scratch.path().join(format!("{name}-{turn}"));
        walls[0].push(run(&idle, &results("one"), 1)?);
        walls[1].push(by_hand(&engine, &results("one").join("mini"))?);
        walls[2].push(run(&idle, &results("two"), 2)?);
        walls[3].push(run(&waiting, &results("waiting-one"), 1)?);
        walls[4].push(run(&waiting, &results("waiting-two"), 2)?);
    }
    let [one, hand, two, waiting_one, waiting_two] = walls.map(|mut walls| {
        walls.sort_unstable();
        walls[TURNS / 2].as_secs_f64()
    });
    Ok(vec![
        Row::new("scenario, over docker run", (one - hand) / f64::from(SCENARIOS), "s")
            .target(Target::AtMost(0.15)),
        Row::new("waiting scenarios, 2 at once", waiting_one / waiting_two, "×").target(Target::AtLeast(1.8)),
        // Creating and removing a container uses more than one core, so on two cores this has no
        // target.
        Row::new("empty scenarios, 2 at once", one / two, "×"),
    ])
}

/// Runs the folders of the same trials with plain `docker run`, one after another.
fn by_hand(engine: &Engine, trials: &Path) -> anyhow::Result<Duration> {
    let mut wall = Duration::ZERO;
    for number in 0..SCENARIOS {
        let folder = trials.join(format!("s{number}/0"));
        let mut command = Command::new("docker");
        command
            .args(["-H", &engine.host(), "run", "--rm", "--network", "none", "-v"])
            .arg(format!("{}:/workspace", folder.display()))
            .args(["koab-test", "sh", "-c", "exec sh run.sh 2>&1"]);
        wall += measure(&mut command)?.wall;
    }
    Ok(wall)
}

fn benchmark(folder: &Path, name: &str, scenarios: u32, code: &str) -> anyhow::Result<PathBuf> {
    let template = folder.join("Templates").join(name);
    std::fs::create_dir_all(&template)?;
    std::fs::write(template.join("scenario.py"), code)?;
    std::fs::create_dir_all(folder.join("Tasks"))?;
    let lines: Vec<String> = (0..scenarios)
        .map(|number| {
            format!(
                r#"{{"id": "s{number}", "template": "../Templates/{name}", "substitutions": {{"__N__": "{number}"}}}}"#
            )
        })
        .collect();
    let tasks = folder.join("Tasks").join(format!("{name}.jsonl"));
    std::fs::write(&tasks, lines.join("\n"))?;
    Ok(tasks)
}
