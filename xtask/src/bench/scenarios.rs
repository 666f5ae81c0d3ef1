//! What running scenarios costs over running the same containers by hand, and what running two at once gains.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;

use super::Bench;
use super::measure::measure;
use super::table::{Row, Target};
use crate::docker::Engine;

/// Scenarios of a measured run.
const SCENARIOS: u32 = 20;
/// Runs of each kind; they take turns, so that a busy moment of the machine meets both.
const TURNS: usize = 3;

/// Overhead per scenario, and throughput with two at once.
pub(super) fn overhead(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let engine = Engine::start(bench.place).context("there is no dockerd here, or no right to start it")?;
    let scratch = bench.place.scratch("bench-scenarios")?;
    let tasks = benchmark(scratch.path())?;
    let run = |results: &Path, parallel: u32| {
        let mut command = Command::new(&bench.koab);
        command
            .args([
                "scenario",
                "run",
                "--quiet",
                "-d",
                "koab-test",
                "--network",
                "none",
                "-p",
            ])
            .arg(parallel.to_string())
            .arg("--results")
            .arg(results)
            .arg(&tasks)
            .env("KOAB_HOME", scratch.path().join("home"))
            .env("DOCKER_HOST", engine.host());
        measure(&mut command).map(|measured| measured.wall)
    };
    let mut walls: [Vec<Duration>; 3] = Default::default();
    for turn in 0..TURNS {
        let results = scratch.path().join(format!("one-{turn}"));
        walls[0].push(run(&results, 1)?);
        walls[1].push(by_hand(&engine, &results.join("mini"))?);
        walls[2].push(run(&scratch.path().join(format!("two-{turn}")), 2)?);
    }
    let [one, hand, two] = walls.map(|mut walls| {
        walls.sort_unstable();
        walls[TURNS / 2].as_secs_f64()
    });
    Ok(vec![
        Row::new(
            "scenario, over docker run",
            (one - hand) / f64::from(SCENARIOS),
            "s",
        )
        .target(Target::AtMost(0.15)),
        Row::new("scenarios, 2 at once against 1", one / two, "×").target(Target::AtLeast(1.6)),
    ])
}

/// The same trials' folders under plain `docker run`, one after another.
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

fn benchmark(folder: &Path) -> anyhow::Result<std::path::PathBuf> {
    let template = folder.join("Templates/T");
    std::fs::create_dir_all(&template)?;
    std::fs::write(template.join("scenario.py"), "print('__N__')\n")?;
    std::fs::create_dir_all(folder.join("Tasks"))?;
    let lines: Vec<String> = (0..SCENARIOS)
        .map(|number| {
            format!(r#"{{"id": "s{number}", "template": "../Templates/T", "substitutions": {{"__N__": "{number}"}}}}"#)
        })
        .collect();
    let tasks = folder.join("Tasks/mini.jsonl");
    std::fs::write(&tasks, lines.join("\n"))?;
    Ok(tasks)
}
