//! The engine through its public face, with a small random model that llama.cpp really runs.
#![allow(clippy::unwrap_used)]

mod cancelling;
mod generating;
mod loading;
mod memory;
mod reusing;
mod tokenizing;

use std::ops::{ControlFlow, Deref};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use koab_local::convert::{MODEL, Precision, convert};
use koab_local::engine::{Answer, Device, Engine, Generate, LoadSpec};
use koab_local::hf::Folder;
use koab_tiny::Architecture;
use tempfile::TempDir;

/// A random Qwen2 in float32, and its repository: made once, deleted by the system with its temporary files.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = TempDir::new().unwrap().keep();
        koab_tiny::write(&folder.join("source"), Architecture::Qwen2, 7).unwrap();
        let source = Folder::open(&folder.join("source")).unwrap();
        convert(&source, &folder, Precision::F32, &|_| ControlFlow::Continue(())).unwrap();
        folder
    })
}

fn model() -> PathBuf {
    folder().join(MODEL)
}

fn spec(parallel: u32, context_per_sequence: u32) -> LoadSpec {
    LoadSpec { path: model(), device: Device::Cpu, context_per_sequence, parallel, threads: Some(1) }
}

/// An engine whose turn it is: a process has one model, and tests run at once.
struct Turn {
    engine: Engine,
    _turn: MutexGuard<'static, ()>,
}

impl Deref for Turn {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.engine
    }
}

fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn engine(parallel: u32, context_per_sequence: u32) -> Turn {
    let turn = turn();
    Turn { engine: Engine::load(&spec(parallel, context_per_sequence)).unwrap(), _turn: turn }
}

/// A prompt of so many tokens that nobody else has: ordinary tokens only.
fn prompt(number: u32, length: u32) -> Vec<u32> {
    (0..length).map(|place| (number * 131 + place * 17 + place * place * 3) % 250).collect()
}

fn request(tokens: Vec<u32>, max_tokens: u32) -> Generate {
    Generate { max_tokens, ..Generate::new(tokens) }
}

async fn answer(engine: &Engine, request: Generate) -> Answer {
    engine.generate(request).collect().await.unwrap()
}

/// The answer of an engine that has never seen anything else.
async fn alone(request: Generate) -> Vec<u32> {
    let engine = engine(1, 2048);
    answer(&engine, request).await.tokens
}
