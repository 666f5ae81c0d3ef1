//! A run of 100,000 attempts on one machine: made, killed and resumed, made in parts and merged,
//! scored.
//!
//! The figures in brackets are those of the version before runs had flat memory, on a run of 9,100
//! attempts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::command::{Bench, koab};
use super::measure::{Measured, measure};
use super::table::{Row, Target};
use crate::command;

/// Attempts of the large run.
const ATTEMPTS: usize = 100_000;
/// A smaller number, for trying the benchmark itself.
const FEWER: &str = "KOAB_BENCH_ATTEMPTS";
/// Attempts a second on an idle disk, and where each sync takes 4 ms longer.
const A_SECOND: f64 = 3000.0;
const A_SECOND_SLOW: f64 = A_SECOND / 2.0;
/// Most memory of any of it, in MB.
const MEMORY: f64 = 150.0;
/// Most memory that one more attempt takes, in bytes.
const AN_ATTEMPT: f64 = 200.0;
/// Parts that are made at once.
const PARTS: usize = 2;

/// Makes every `fdatasync` and `fsync` of a program take 4 ms longer.
const SLOW_SYNC: &str = "#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static void wait_(void) { struct timespec t = {0, 4000000}; nanosleep(&t, 0); }
int fdatasync(int f) { wait_(); return ((int (*)(int))dlsym(RTLD_NEXT, \"fdatasync\"))(f); }
int fsync(int f) { wait_(); return ((int (*)(int))dlsym(RTLD_NEXT, \"fsync\"))(f); }
";

/// Runs of the golden baseline on the starter pack.
struct Scale<'a> {
    bench: &'a Bench<'a>,
    scratch: PathBuf,
    tasks: usize,
}

/// All of it.
pub(super) fn runs(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let attempts = match std::env::var(FEWER) {
        Ok(count) => count.parse().with_context(|| format!("{FEWER} is not a number: {count}"))?,
        Err(_) => ATTEMPTS,
    };
    let scratch = bench.checkout.scratch("bench-scale")?;
    let scale = Scale {
        bench,
        scratch: scratch.path().to_owned(),
        tasks: tasks(&bench.checkout.root.join("tasks"))?,
    };
    let half = scale.run("half", attempts / 2, None)?;
    let whole = scale.run("whole", attempts, None)?;
    let done = scale.rounded(attempts);
    let per_second = |made: &Measured| done / made.wall.as_secs_f64();
    let mut rows = vec![
        Row::new(format!("{done} attempts, a second (1,570)"), per_second(&whole), "/s")
            .target(Target::AtLeast(A_SECOND)),
        memory(&format!("{done} attempts, peak memory (324 MB)"), &whole),
        Row::new("the same over half of them, time", whole.wall.as_secs_f64() / half.wall.as_secs_f64(), "×")
            .target(Target::AtMost(2.0 * 1.15)),
    ];
    rows.push(match (megabytes(&whole), megabytes(&half)) {
        (Some(whole), Some(half)) => {
            let more = done - scale.rounded(attempts / 2);
            Row::new("memory of one more attempt", (whole - half) * 1e6 / more, "B")
                .target(Target::AtMost(AN_ATTEMPT))
        }
        _ => Row::unmeasured("memory of one more attempt", "this system has no /proc"),
    });
    let undisturbed = scale.folder("whole")?;

    let scored = measure(&mut scale.koab("whole", &["evaluate", "last"]))?;
    rows.extend(timed(&format!("{done} attempts scored (1.06 GB)"), &scored));
    fs::remove_dir_all(scale.home("half"))?;

    let resumed = scale.kill_and_resume(attempts, journal_bytes(&undisturbed) / 2)?;
    rows.extend(timed("killed half way, the rest resumed", &resumed));
    rows.push(same("killed and resumed", &undisturbed, &scale.folder("killed")?)?);
    fs::remove_dir_all(scale.home("killed"))?;

    let merged = scale.parts_and_merge(attempts)?;
    rows.extend(timed(&format!("{PARTS} parts merged (9,100: 6.9 s, 646 MB)"), &merged));
    rows.push(same(&format!("{PARTS} parts merged"), &undisturbed, &scale.folder("parts")?)?);
    fs::remove_dir_all(scale.home("parts"))?;

    let name = format!("{done} attempts, each sync 4 ms slower, a second (240)");
    rows.push(match slow_sync(&scale.scratch) {
        Ok(shim) => {
            let slow = scale.run("slow", attempts, Some(&shim))?;
            Row::new(name, per_second(&slow), "/s").target(Target::AtLeast(A_SECOND_SLOW))
        }
        Err(error) => Row::unmeasured(name, format!("{error:#}")),
    });
    Ok(rows)
}

impl Scale<'_> {
    fn home(&self, name: &str) -> PathBuf {
        self.scratch.join(name)
    }

    fn koab(&self, name: &str, words: &[&str]) -> Command {
        koab(self.bench, &self.home(name), words)
    }

    /// As many attempts as a whole number of repetitions has.
    fn rounded(&self, attempts: usize) -> f64 {
        (attempts.div_ceil(self.tasks) * self.tasks) as f64
    }

    fn starting(&self, name: &str, attempts: usize) -> Command {
        let repetitions = attempts.div_ceil(self.tasks).to_string();
        self.koab(name, &["run", "--model", "baseline/golden", "--repetitions", &repetitions])
    }

    /// A whole run, with a library loaded before all others where one is named.
    fn run(&self, name: &str, attempts: usize, preload: Option<&Path>) -> anyhow::Result<Measured> {
        let mut run = self.starting(name, attempts);
        if let Some(library) = preload {
            run.env("LD_PRELOAD", library);
        }
        measure(&mut run)
    }

    /// The folder of the only run of a workspace.
    fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let listed = self.koab(name, &["runs", "list", "--json"]).output()?;
        let listed: Value = serde_json::from_slice(&listed.stdout).context("the list of runs is not JSON")?;
        let folder = listed[0]["folder"].as_str().context("there is no run")?;
        Ok(PathBuf::from(folder))
    }

    /// Begins a run and waits until its folder is there.
    fn begin(&self, name: &str, attempts: usize) -> anyhow::Result<(Child, PathBuf)> {
        let mut run = self.starting(name, attempts);
        let child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let begun = Instant::now();
        loop {
            if let Ok(folder) = self.folder(name) {
                return Ok((child, folder));
            }
            if begun.elapsed() > Duration::from_secs(60) {
                bail!("`{}` makes no run", command::shown(&run));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills a run when its journal has so many bytes, and resumes it.
    fn kill_and_resume(&self, attempts: usize, bytes: u64) -> anyhow::Result<Measured> {
        let (mut child, folder) = self.begin("killed", attempts)?;
        while journal_bytes(&folder) < bytes {
            if let Some(status) = child.try_wait()? {
                bail!("the run that was to be killed ended with {status}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill()?;
        child.wait()?;
        measure(&mut self.koab("killed", &["run", "--resume", "last"]))
    }

    /// Ends a run in its first moments, makes it in parts at once, and merges them; only the merge
    /// is measured.
    fn parts_and_merge(&self, attempts: usize) -> anyhow::Result<Measured> {
        let (mut child, folder) = self.begin("parts", attempts)?;
        child.kill()?;
        child.wait()?;
        let folder = folder.display().to_string();
        let parts: Vec<Child> = (0..PARTS)
            .map(|part| {
                let shard = format!("{part}/{PARTS}");
                self.koab("parts", &["run", "--resume", &folder, "--shard", &shard])
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
            })
            .collect::<std::io::Result<_>>()?;
        for mut part in parts {
            let status = part.wait()?;
            if !status.success() {
                bail!("a part of the run ended with {status}");
            }
        }
        measure(&mut self.koab("parts", &["runs", "merge", &folder]))
    }
}

/// Bytes of a run's journal; 0 before there is one.
fn journal_bytes(run: &Path) -> u64 {
    fs::metadata(run.join("journal.jsonl")).map_or(0, |journal| journal.len())
}

/// Tasks of the starter pack.
fn tasks(folder: &Path) -> anyhow::Result<usize> {
    let mut count = 0;
    for level in 1..=7 {
        let text = fs::read(folder.join(format!("L{level}.json")))?;
        let tasks: Vec<Value> = serde_json::from_slice(&text)?;
        count += tasks.len();
    }
    Ok(count)
}

/// The library that makes syncs slow, compiled here.
fn slow_sync(folder: &Path) -> anyhow::Result<PathBuf> {
    let (source, library) = (folder.join("slow_sync.c"), folder.join("slow_sync.so"));
    fs::write(&source, SLOW_SYNC)?;
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl");
    command::succeed(&mut compile)?;
    Ok(library)
}

/// Levels whose logs are not the same but for times.
fn same(name: &str, one: &Path, other: &Path) -> anyhow::Result<Row> {
    let mut differ = 0;
    for level in 1..=7 {
        let read = |folder: &Path| -> anyhow::Result<Value> {
            let path = folder.join(format!("L{level}.json"));
            let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let mut log = serde_json::from_slice(&text)?;
            without_times(&mut log);
            Ok(log)
        };
        differ += i32::from(read(one)? != read(other)?);
    }
    Ok(Row::new(format!("{name}, levels with another log"), differ.into(), "of 7")
        .target(Target::AtMost(0.0)))
}

fn without_times(value: &mut Value) {
    const TIMES: [&str; 7] = [
        "timestamp",
        "total_execution_time",
        "average_execution_time",
        "average_tps",
        "ttft",
        "execution_time",
        "ttft_stats",
    ];
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !TIMES.contains(&name.as_str()));
            fields.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}

fn megabytes(measured: &Measured) -> Option<f64> {
    measured.peak_rss_bytes.map(|bytes| bytes as f64 / 1e6)
}

fn memory(name: &str, measured: &Measured) -> Row {
    match megabytes(measured) {
        Some(megabytes) => Row::new(name, megabytes, "MB").target(Target::AtMost(MEMORY)),
        None => Row::unmeasured(name, "this system has no /proc to read it from"),
    }
}

fn timed(name: &str, measured: &Measured) -> [Row; 2] {
    [Row::new(name, measured.wall.as_secs_f64(), "s"), memory("the same, peak memory", measured)]
}
