//! Models inside the application beside llama.cpp's own calls, on the same file, in turn.
//!
//! The program that measures is `koab-local`'s example `speed`. llama.cpp's side of it is the loop of `llama-bench`, written
//! out there: the crate that brings llama.cpp has its libraries' sources and not its programs'.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::Bench;
use super::table::{Row, Target};
use crate::{binaries, command};

/// Runs of each kind; they take turns, so that a busy moment of the machine meets both.
const TURNS: usize = 3;
/// Threads that compute, on both sides.
const THREADS: &str = "2";

/// Speed at three precisions, conversations at once, time to the first token, memory, and shared beginnings of prompts.
pub(super) fn models(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let speed = Speed {
        program: binaries::build_release_example(bench.place, "koab-local", "speed")?,
    };
    // Kept from run to run: it takes half a minute and 3 GB.
    let folder = bench.place.target.join("xtask/models").display().to_string();
    let models = speed.run(&["make", &folder])?;
    let model = |precision: &str| models[precision].as_str().context("no model was made");
    let mut rows = Vec::new();
    for precision in ["f16", "8bit", "4bit"] {
        rows.extend(speed.rows(precision, model(precision)?)?);
    }
    rows.extend(speed.reuse(model("8bit")?)?);
    Ok(rows)
}

struct Speed {
    program: PathBuf,
}

impl Speed {
    fn rows(&self, precision: &str, model: &str) -> anyhow::Result<Vec<Row>> {
        let (mut bare, mut engine) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            bare.push(self.run(&["bare", model, THREADS])?);
            engine.push(self.run(&["engine", model, THREADS])?);
        }
        let mut rows = Vec::new();
        for (kind, name) in [("prompt", "prompt of 512"), ("generation", "64 tokens generated")] {
            let (own, ours) = (median(&bare, kind)?, median(&engine, kind)?);
            let name = format!("0.5 B at {precision}, {name}");
            rows.push(Row::new(name.clone(), ours, "/s"));
            rows.push(
                Row::new(format!("{name}, over llama.cpp alone"), ours / own, "×")
                    .target(Target::AtLeast(0.97)),
            );
        }
        let name = |what: &str| format!("0.5 B at {precision}, {what}");
        let at_once = median(&engine, "together")? / median(&engine, "generation")?;
        rows.push(Row::new(name("4 conversations over one"), at_once, "×").target(Target::AtLeast(2.0)));
        // What llama.cpp itself gains on this processor, and so all that can be had.
        let own = median(&bare, "together")? / median(&bare, "generation")?;
        rows.push(Row::new(name("the same with llama.cpp alone"), own, "×"));
        let first = median(&engine, "first_token_s")?;
        rows.push(Row::new(name("loading to the first token"), first, "s").target(Target::AtMost(2.0)));
        let memory = name("peak memory over file and context");
        rows.push(match median(&engine, "peak_bytes") {
            Ok(peak) => {
                let plain = median(&engine, "file_bytes")? + median(&engine, "kv_bytes")?;
                Row::new(memory, peak / plain, "×").target(Target::AtMost(1.1))
            }
            Err(_) => Row::unmeasured(memory, "this system does not tell a program's peak memory"),
        });
        Ok(rows)
    }

    /// Prompts of 1,580 tokens of which 1,500 are the same tools, beside prompts that share nothing.
    fn reuse(&self, model: &str) -> anyhow::Result<Vec<Row>> {
        let turns = (0..TURNS)
            .map(|_| self.run(&["reuse", model, THREADS]))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let (with, without) = (median(&turns, "with_s")?, median(&turns, "without_s")?);
        let tasks = median(&turns, "tasks")?;
        Ok(vec![
            Row::new("a task of 1,580 tokens with its own tools", without / tasks, "s"),
            Row::new("a task that shares its tools", with / tasks, "s"),
            Row::new("tasks that share their tools, times faster", without / with, "×")
                .target(Target::AtLeast(2.0)),
        ])
    }

    fn run(&self, arguments: &[&str]) -> anyhow::Result<Value> {
        let mut speed = Command::new(&self.program);
        speed.args(arguments).stdin(Stdio::null());
        let output = speed
            .output()
            .with_context(|| format!("cannot start {}", command::shown(&speed)))?;
        if !output.status.success() {
            let told = String::from_utf8_lossy(&output.stderr);
            bail!("`{}` failed: {}", command::shown(&speed), told.trim());
        }
        serde_json::from_slice(&output.stdout).context("its answer is no JSON")
    }
}

fn median(measured: &[Value], name: &str) -> anyhow::Result<f64> {
    let mut values = measured
        .iter()
        .map(|one| {
            one[name]
                .as_f64()
                .with_context(|| format!("there is no `{name}`"))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    values.sort_by(f64::total_cmp);
    values
        .get(values.len() / 2)
        .copied()
        .context("a median takes at least one run")
}
