//! Measurements through the engine, in the way that a run uses it.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use koab_local::engine::{Answer, Device, Engine, Finish, Generate, LoadSpec, peak_resident};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use super::beside::{self, Kind};
use super::{ANSWER, PROMPT, TOGETHER, random, rate};

/// Tokens of tools that the prompts of a run share (`TOOLS`), and tokens of a task's own text
/// (`OWN`).
const TOOLS: usize = 1500;
const OWN: usize = 80;
/// Number of prompts in a measured run.
const TASKS: u64 = 12;

fn load(path: &Path, threads: u32) -> Result<Engine, Box<dyn Error>> {
    Ok(Engine::load(&LoadSpec {
        path: path.to_owned(),
        device: Device::Cpu,
        context_per_sequence: 2048,
        parallel: u32::try_from(TOGETHER)?,
        threads: Some(threads),
    })?)
}

fn runtime() -> Result<Runtime, Box<dyn Error>> {
    Ok(Builder::new_current_thread().build()?)
}

fn request(tokens: Vec<u32>, max_tokens: usize) -> Generate {
    Generate { max_tokens: u32::try_from(max_tokens).unwrap_or_default(), ..Generate::new(tokens) }
}

/// Seconds from an answer's first token to its last, or `None` where a random model ended its
/// answer early.
fn generated(answer: &Answer) -> Option<f64> {
    let is_whole = answer.outcome.finish == Finish::Length;
    answer.outcome.usage.generation.filter(|_| is_whole).map(|time| time.as_secs_f64())
}

pub(crate) fn answer(path: &Path, threads: u32) -> Result<(), Box<dyn Error>> {
    let runtime = runtime()?;
    let engine = load(path, threads)?;
    let answer = |request: Generate| runtime.block_on(engine.generate(request).collect());
    beside::serve(|kind, seed| {
        // The engine keeps what it has read; `llama-bench` begins with an empty memory.
        let seed = 100 * (seed + 1);
        match kind {
            Kind::Prompt => {
                let read = answer(request(random(seed, PROMPT), 1))?.outcome.usage.prompt;
                let time = read.ok_or("the prompt was not read")?;
                Ok(rate(PROMPT, time.as_secs_f64()))
            }
            Kind::Generation => {
                for other in 0..10 {
                    let one = answer(request(random(seed + 10 + other, 1), ANSWER + 1))?;
                    if let Some(time) = generated(&one) {
                        return Ok(rate(ANSWER, time));
                    }
                }
                Err("every answer ended early".into())
            }
            Kind::Together => {
                for other in 0..10 {
                    // All four begin in the same step.
                    let four: Vec<_> = (0..TOGETHER as u64)
                        .map(|at| request(random(seed + 20 + 4 * other + at, 1), ANSWER + 1))
                        .map(|request| engine.generate(request))
                        .collect();
                    let mut rates = Vec::new();
                    for one in four {
                        rates.extend(
                            generated(&runtime.block_on(one.collect())?).map(|time| rate(ANSWER, time)),
                        );
                    }
                    if rates.len() == TOGETHER {
                        return Ok(rates.iter().sum());
                    }
                }
                Err("an answer of four ended early each time".into())
            }
        }
    })
}

/// Seconds from the start of loading to the first token, and the peak of memory after prompts and
/// four parallel answers.
pub(crate) fn load_measured(path: &Path, threads: u32) -> Result<Value, Box<dyn Error>> {
    let runtime = runtime()?;
    let started = Instant::now();
    let engine = load(path, threads)?;
    let answer = |request: Generate| runtime.block_on(engine.generate(request).collect());
    answer(request(random(1000, 32), 1))?;
    let first_token = started.elapsed().as_secs_f64();
    answer(request(random(1001, PROMPT), ANSWER))?;
    let four: Vec<_> =
        (0..TOGETHER as u64).map(|at| engine.generate(request(random(2000 + at, PROMPT), ANSWER))).collect();
    for one in four {
        runtime.block_on(one.collect())?;
    }
    Ok(json!({
        "first_token_s": first_token,
        "file_bytes": path.metadata()?.len(),
        "kv_bytes": engine.facts().kv_bytes,
        "peak_bytes": peak_resident(),
    }))
}

/// Time of a run whose prompts begin with different tools, and of one whose prompts share their
/// tools.
pub(crate) fn reuse(path: &Path, threads: u32) -> Result<Value, Box<dyn Error>> {
    let runtime = runtime()?;
    let engine = load(path, threads)?;
    let run = |own_tools: bool| -> Result<(f64, usize), Box<dyn Error>> {
        let started = Instant::now();
        let mut reused = 0;
        for task in 0..TASKS {
            let tools = if own_tools { 2000 + task } else { 3000 };
            let mut tokens = random(tools, TOOLS);
            tokens.extend(random(4000 + task, OWN));
            let answer = runtime.block_on(engine.generate(request(tokens, 32)).collect())?;
            reused += answer.outcome.usage.reused_tokens;
        }
        Ok((started.elapsed().as_secs_f64(), reused))
    };
    let (without, _) = run(true)?;
    let (with, reused) = run(false)?;
    Ok(json!({"tasks": TASKS, "without_s": without, "with_s": with, "reused_tokens": reused}))
}
