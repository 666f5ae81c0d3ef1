//! Speed of models in the engine, compared with llama.cpp alone. `cargo xtask bench --only local`
//! runs this program.
//!
//! - `speed make FOLDER` writes a random model of the shape of Qwen2.5-0.5B at 16, 8 and 4 bits
//! - `speed beside MODEL THREADS ROUNDS` measures llama.cpp's own calls, as its `llama-bench` makes
//!   them, and the engine, in turn
//! - `speed load MODEL THREADS` measures the time to the first token and the peak of memory
//! - `speed reuse MODEL THREADS` measures prompts that share their tools
//!
//! Each prints one line of JSON: tokens per second, seconds, bytes. The command `speed beside`
//! starts `speed bare MODEL THREADS` and `speed engine MODEL THREADS` as its two sides. Each line
//! of their input names a measurement, and each line of their output is its rate.
#![allow(clippy::print_stdout, reason = "that is what it is for")]

mod bare;
mod beside;
mod through;

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

use koab_local::convert::{Precision, convert};
use koab_local::hf::Folder;
use koab_tiny::Shape;
use serde_json::{Value, json};

/// Tokens of a measured prompt (`PROMPT`) and of a measured answer (`ANSWER`); `llama-bench` calls
/// the tests pp512 and tg64.
const PROMPT: usize = 512;
const ANSWER: usize = 64;
/// Number of conversations that are computed at once.
const TOGETHER: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let report = match words.as_slice() {
        ["make", folder] => make(Path::new(folder))?,
        ["beside", model, threads, rounds] => beside::measure(model, threads, rounds.parse()?)?,
        ["bare", model, threads] => return bare::answer(Path::new(model), threads.parse()?),
        ["engine", model, threads] => return through::answer(Path::new(model), threads.parse()?),
        ["load", model, threads] => through::load_measured(Path::new(model), threads.parse()?)?,
        ["reuse", model, threads] => through::reuse(Path::new(model), threads.parse()?)?,
        _ => return Err("speed make FOLDER | speed beside MODEL THREADS ROUNDS | speed load|reuse|bare|engine MODEL THREADS".into()),
    };
    println!("{report}");
    Ok(())
}

/// Writes a random model at several precisions. Files that exist already are kept.
fn make(folder: &Path) -> Result<Value, Box<dyn Error>> {
    let source = folder.join("source");
    let mut models = serde_json::Map::new();
    for (name, precision) in [("f16", Precision::F16), ("8bit", Precision::Q8_0), ("4bit", Precision::Q4)] {
        let model = folder.join(name).join("model.gguf");
        if !model.is_file() {
            if !source.join("config.json").is_file() {
                koab_tiny::write_shaped(&source, &Shape::qwen2_half_billion())?;
            }
            convert(&Folder::open(&source)?, &folder.join(name), precision, &|_| ControlFlow::Continue(()))?;
        }
        models.insert(name.to_owned(), json!(model));
    }
    Ok(Value::Object(models))
}

/// Random tokens below 150,000; each seed gives a sequence of its own.
fn random(seed: u64, length: usize) -> Vec<u32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from(state % 150_000).unwrap_or_default()
    };
    (0..length).map(|_| next()).collect()
}

fn rate(tokens: usize, seconds: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let tokens = tokens as f64;
    tokens / seconds
}
