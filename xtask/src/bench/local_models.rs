//! Benchmark of models inside the application, compared with llama.cpp's own calls on the same
//! file, in alternating rounds.
//!
//! The measuring program is `koab-local`'s example `speed`. It contains the loop of `llama-bench`,
//! because the crate that bundles llama.cpp has only the sources of its libraries, not of its
//! programs.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::command::Bench;
use super::table::{Row, Target};
use crate::{binaries, command};

/// Number of rounds; odd, so that the median is a measured value.
///
/// In each round both sides compute once. The rounds alternate, because a machine's speed may
/// change by a fifth within seconds.
const ROUNDS: &str = "21";
/// Number of repetitions of a measurement that is not compared with llama.cpp.
const TURNS: usize = 3;
/// Number of threads that compute, on both sides.
const THREADS: &str = "2";

/// Measures speed at three precisions, concurrent conversations, time to the first token, memory,
/// and shared prefixes of prompts.
pub(super) fn models(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let speed = Speed { program: binaries::build_release_example(bench.checkout, "koab-local", "speed")? };
    // The models are kept between runs, because making them takes half a minute and 3 GB.
    let folder = bench.checkout.target.join("xtask/models").display().to_string();
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
        let comparison = self.run(&["beside", model, THREADS, ROUNDS])?;
        let rounds = |kind: &str, side: &str| -> anyhow::Result<Vec<f64>> {
            let values = serde_json::from_value(comparison[kind][side].clone());
            values.with_context(|| format!("there are no rounds of `{kind}`"))
        };
        let name = |what: &str| format!("0.5 B at {precision}, {what}");
        let mut rows = Vec::new();
        for (kind, what) in [("prompt", "prompt of 512"), ("generation", "64 tokens generated")] {
            let (own, ours) = (rounds(kind, "bare")?, rounds(kind, "engine")?);
            let ratios: Vec<f64> = ours.iter().zip(&own).map(|(ours, own)| ours / own).collect();
            let what = name(what);
            rows.push(Row::new(what.clone(), quantile(ours, 0.5)?, "/s"));
            for (part, of) in [(0.25, "lower quarter"), (0.75, "upper quarter")] {
                let value = quantile(ratios.clone(), part)?;
                rows.push(Row::new(format!("{what}, {of} of rounds"), value, "×"));
            }
            rows.push(
                Row::new(format!("{what}, over llama.cpp alone"), quantile(ratios, 0.5)?, "×")
                    .target(Target::AtLeast(0.97)),
            );
        }
        let gain = |side: &str| -> anyhow::Result<f64> {
            Ok(quantile(rounds("together", side)?, 0.5)? / quantile(rounds("generation", side)?, 0.5)?)
        };
        let together = Row::new(name("4 conversations over one"), gain("engine")?, "×");
        rows.push(together.target(Target::AtLeast(2.0)));
        // Gain of llama.cpp itself on this processor, which is the upper limit.
        rows.push(Row::new(name("the same with llama.cpp alone"), gain("bare")?, "×"));

        let loads =
            (0..TURNS).map(|_| self.run(&["load", model, THREADS])).collect::<anyhow::Result<Vec<_>>>()?;
        let first = median(&loads, "first_token_s")?;
        rows.push(Row::new(name("loading to the first token"), first, "s").target(Target::AtMost(2.0)));
        let memory = name("peak memory over file and context");
        rows.push(match median(&loads, "peak_bytes") {
            Ok(peak) => {
                let plain = median(&loads, "file_bytes")? + median(&loads, "kv_bytes")?;
                Row::new(memory, peak / plain, "×").target(Target::AtMost(1.1))
            }
            Err(_) => Row::unmeasured(memory, "this system does not tell a program's peak memory"),
        });
        Ok(rows)
    }

    /// Compares prompts of 1,580 tokens that share 1,500 tokens of tools with prompts that share
    /// nothing.
    fn reuse(&self, model: &str) -> anyhow::Result<Vec<Row>> {
        let turns =
            (0..TURNS).map(|_| self.run(&["reuse", model, THREADS])).collect::<anyhow::Result<Vec<_>>>()?;
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
        let output = speed.output().with_context(|| format!("cannot start {}", command::shown(&speed)))?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            bail!("`{}` failed: {}", command::shown(&speed), stderr.trim());
        }
        serde_json::from_slice(&output.stdout).context("its answer is not JSON")
    }
}

fn median(measured: &[Value], name: &str) -> anyhow::Result<f64> {
    let values = measured
        .iter()
        .map(|one| one[name].as_f64().with_context(|| format!("there is no `{name}`")))
        .collect::<anyhow::Result<Vec<_>>>()?;
    quantile(values, 0.5)
}

/// Quantile of the values. `part` is the share of values that are smaller.
fn quantile(mut values: Vec<f64>, part: f64) -> anyhow::Result<f64> {
    values.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a few dozen values, and a part of them"
    )]
    let at = (values.len() as f64 * part) as usize;
    values.get(at).copied().context("there is nothing to choose from")
}
