//! Benchmark of a run of 100,000 attempts on one machine. The run is made, is killed and resumed,
//! is made in shards that are merged, and is scored.
//!
//! Names of rows contain figures of an earlier version in brackets, whose memory grew with the run.
//! These figures are from a run of 9,100 attempts.

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

/// Number of attempts of the large run.
const ATTEMPTS: usize = 100_000;
/// Environment variable with a smaller number of attempts, for trying the benchmark itself.
const ATTEMPTS_VARIABLE: &str = "KOAB_BENCH_ATTEMPTS";
/// Target for attempts per second on an idle disk.
const MIN_PER_SECOND: f64 = 3000.0;
/// Target for attempts per second if each sync takes 4 ms longer.
const MIN_PER_SECOND_SLOW: f64 = MIN_PER_SECOND / 2.0;
/// Target for the peak memory of each step, in MB.
const MAX_MEMORY_MB: f64 = 150.0;
/// Target for the memory of one more attempt, in bytes.
const MAX_ATTEMPT_BYTES: f64 = 200.0;
/// Number of shards that run at once.
const SHARDS: usize = 2;

/// C source of a library that makes every `fdatasync` and `fsync` take 4 ms longer.
const SLOW_SYNC: &str = "#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static void wait_(void) { struct timespec t = {0, 4000000}; nanosleep(&t, 0); }
int fdatasync(int f) { wait_(); return ((int (*)(int))dlsym(RTLD_NEXT, \"fdatasync\"))(f); }
int fsync(int f) { wait_(); return ((int (*)(int))dlsym(RTLD_NEXT, \"fsync\"))(f); }
";

/// Makes runs of the starter pack with the golden baseline, in a scratch folder.
struct Scale<'a> {
    bench: &'a Bench<'a>,
    scratch: PathBuf,
    tasks: usize,
}

/// Measures all steps with the large run.
pub(super) fn runs(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let attempts = match std::env::var(ATTEMPTS_VARIABLE) {
        Ok(count) => {
            count.parse().with_context(|| format!("{ATTEMPTS_VARIABLE} is not a number: {count}"))?
        }
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
            .target(Target::AtLeast(MIN_PER_SECOND)),
        memory(&format!("{done} attempts, peak memory (324 MB)"), &whole),
        Row::new("the same over half of them, time", whole.wall.as_secs_f64() / half.wall.as_secs_f64(), "×")
            .target(Target::AtMost(2.0 * 1.15)),
    ];
    rows.push(match (megabytes(&whole), megabytes(&half)) {
        (Some(whole), Some(half)) => {
            let more = done - scale.rounded(attempts / 2);
            Row::new("memory of one more attempt", (whole - half) * 1e6 / more, "B")
                .target(Target::AtMost(MAX_ATTEMPT_BYTES))
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
    rows.extend(timed(&format!("{SHARDS} parts merged (9,100: 6.9 s, 646 MB)"), &merged));
    rows.push(same(&format!("{SHARDS} parts merged"), &undisturbed, &scale.folder("parts")?)?);
    fs::remove_dir_all(scale.home("parts"))?;

    let name = format!("{done} attempts, each sync 4 ms slower, a second (240)");
    rows.push(match slow_sync(&scale.scratch) {
        Ok(shim) => {
            let slow = scale.run("slow", attempts, Some(&shim))?;
            Row::new(name, per_second(&slow), "/s").target(Target::AtLeast(MIN_PER_SECOND_SLOW))
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

    /// Number of attempts, rounded up to whole repetitions.
    fn rounded(&self, attempts: usize) -> f64 {
        (attempts.div_ceil(self.tasks) * self.tasks) as f64
    }

    fn starting(&self, name: &str, attempts: usize) -> Command {
        let repetitions = attempts.div_ceil(self.tasks).to_string();
        self.koab(name, &["run", "--model", "baseline/golden", "--repetitions", &repetitions])
    }

    /// Makes a whole run. If `preload` is a path of a library, the command line loads it before all
    /// other libraries.
    fn run(&self, name: &str, attempts: usize, preload: Option<&Path>) -> anyhow::Result<Measured> {
        let mut run = self.starting(name, attempts);
        if let Some(library) = preload {
            run.env("LD_PRELOAD", library);
        }
        measure(&mut run)
    }

    /// Returns the folder of the only run of a workspace.
    fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let output = self.koab(name, &["runs", "list", "--json"]).output()?;
        let runs: Value = serde_json::from_slice(&output.stdout).context("the list of runs is not JSON")?;
        let folder = runs[0]["folder"].as_str().context("there is no run")?;
        Ok(PathBuf::from(folder))
    }

    /// Starts a run and waits until its folder exists.
    fn begin(&self, name: &str, attempts: usize) -> anyhow::Result<(Child, PathBuf)> {
        let mut run = self.starting(name, attempts);
        let child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let start = Instant::now();
        loop {
            if let Ok(folder) = self.folder(name) {
                return Ok((child, folder));
            }
            if start.elapsed() > Duration::from_secs(60) {
                bail!("`{}` makes no run", command::shown(&run));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills a run when its journal has a given size in bytes, then resumes the run. Only the
    /// resumed part is measured.
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

    /// Kills a run right after its start, makes its shards in concurrent processes, and merges
    /// them. Only the merge is measured.
    fn parts_and_merge(&self, attempts: usize) -> anyhow::Result<Measured> {
        let (mut child, folder) = self.begin("parts", attempts)?;
        child.kill()?;
        child.wait()?;
        let folder = folder.display().to_string();
        let parts: Vec<Child> = (0..SHARDS)
            .map(|part| {
                let shard = format!("{part}/{SHARDS}");
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

/// Size of a run's journal in bytes; 0 before it exists.
fn journal_bytes(run: &Path) -> u64 {
    fs::metadata(run.join("journal.jsonl")).map_or(0, |journal| journal.len())
}

/// Number of tasks in the starter pack.
fn tasks(folder: &Path) -> anyhow::Result<usize> {
    let mut count = 0;
    for level in 1..=7 {
        let text = fs::read(folder.join(format!("L{level}.json")))?;
        let tasks: Vec<Value> = serde_json::from_slice(&text)?;
        count += tasks.len();
    }
    Ok(count)
}

/// Compiles the library that makes each sync slow, and returns its path.
fn slow_sync(folder: &Path) -> anyhow::Result<PathBuf> {
    let (source, library) = (folder.join("slow_sync.c"), folder.join("slow_sync.so"));
    fs::write(&source, SLOW_SYNC)?;
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl");
    command::succeed(&mut compile)?;
    Ok(library)
}

/// Counts the levels whose logs differ in anything except times.
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
        Some(megabytes) => Row::new(name, megabytes, "MB").target(Target::AtMost(MAX_MEMORY_MB)),
        None => Row::unmeasured(name, "this system has no /proc to read it from"),
    }
}

fn timed(name: &str, measured: &Measured) -> [Row; 2] {
    [Row::new(name, measured.wall.as_secs_f64(), "s"), memory("the same, peak memory", measured)]
}
