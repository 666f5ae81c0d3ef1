//! llama.cpp's own calls, one after another, as `llama-bench` makes them: no sampling, no text.
//!
//! The Rust crate of llama.cpp contains the sources of its libraries but not of its programs, so
//! the loop of `llama-bench` is repeated here. It uses a fresh context for each kind of test,
//! random tokens, a persistent thread pool, a memory that is cleared between runs, and one warm-up
//! run.
#![allow(unsafe_code, reason = "llama.cpp is measured through its own C interface")]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use koab_local::engine::backend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_sys_2 as sys;

use super::beside::{self, Kind};
use super::{ANSWER, PROMPT, TOGETHER, random, rate};

pub(crate) fn answer(path: &Path, threads: i32) -> Result<(), Box<dyn Error>> {
    let model = LlamaModel::load_from_file(backend(), path, &LlamaModelParams::default())?;
    let mut prompt = Bench::new(&model, threads, (PROMPT, 1))?;
    let mut generation = Bench::new(&model, threads, (ANSWER, 1))?;
    let mut together = Bench::new(&model, threads, (ANSWER, TOGETHER))?;
    beside::serve(|kind, seed| {
        Ok(match kind {
            Kind::Prompt => rate(PROMPT, prompt.timed(seed, read_prompt)?),
            Kind::Generation => rate(ANSWER, generation.timed(seed, generate_one)?),
            Kind::Together => rate(ANSWER * TOGETHER, together.timed(seed, generate_together)?),
        })
    })
}

fn read_prompt(context: *mut sys::llama_context, seed: u64) -> bool {
    let mut tokens = signed(seed, PROMPT);
    // SAFETY: the context is alive, and `count` is the number of tokens.
    let code = unsafe {
        let count = i32::try_from(tokens.len()).unwrap_or_default();
        sys::llama_decode(context, sys::llama_batch_get_one(tokens.as_mut_ptr(), count))
    };
    code == 0
}

fn generate_one(context: *mut sys::llama_context, seed: u64) -> bool {
    signed(seed, ANSWER).iter_mut().all(|token| {
        // SAFETY: the context is alive, and the batch has one token.
        unsafe {
            let code = sys::llama_decode(context, sys::llama_batch_get_one(token, 1));
            sys::llama_synchronize(context);
            code == 0
        }
    })
}

fn generate_together(context: *mut sys::llama_context, seed: u64) -> bool {
    (0..ANSWER).all(|position| {
        // SAFETY: the context is alive.
        unsafe {
            let code = one_of_each(context, seed, position);
            sys::llama_synchronize(context);
            code == 0
        }
    })
}

/// Computes one token of every sequence in one batch, as llama.cpp's `llama-batched-bench` does.
///
/// # Safety
/// The context is alive and has at least `TOGETHER` sequences.
unsafe fn one_of_each(context: *mut sys::llama_context, seed: u64, position: usize) -> i32 {
    let mut tokens = signed(1000 * seed + position as u64, TOGETHER);
    let mut positions = vec![i32::try_from(position).unwrap_or_default(); TOGETHER];
    let mut numbers: Vec<i32> = (0..).take(TOGETHER).collect();
    let mut lists: Vec<*mut i32> = numbers.iter_mut().map(std::ptr::from_mut).collect();
    let mut counts = vec![1; TOGETHER];
    let mut logits = vec![1; TOGETHER];
    let batch = sys::llama_batch {
        n_tokens: i32::try_from(TOGETHER).unwrap_or_default(),
        token: tokens.as_mut_ptr(),
        embd: std::ptr::null_mut(),
        pos: positions.as_mut_ptr(),
        n_seq_id: counts.as_mut_ptr(),
        seq_id: lists.as_mut_ptr(),
        logits: logits.as_mut_ptr(),
    };
    // SAFETY: the caller guarantees the context, and every list has as many entries as the batch
    // says.
    unsafe { sys::llama_decode(context, batch) }
}

fn signed(seed: u64, length: usize) -> Vec<i32> {
    let tokens = random(seed, length).into_iter();
    tokens.filter_map(|token| i32::try_from(token).ok()).collect()
}

/// A llama.cpp context for one kind of test, with its thread pool.
struct Bench {
    context: *mut sys::llama_context,
    pool: *mut sys::ggml_threadpool,
}

impl Bench {
    /// Creates a context for `tokens` tokens in each of `sequences` sequences. The model must
    /// outlive it.
    fn new(
        model: &LlamaModel,
        threads: i32,
        (tokens, sequences): (usize, usize),
    ) -> Result<Self, Box<dyn Error>> {
        // SAFETY: `LlamaModel` is `repr(transparent)` over llama.cpp's pointer, and outlives the
        // context.
        unsafe {
            let raw = *std::ptr::from_ref(model).cast::<*mut sys::llama_model>();
            let mut params = sys::llama_context_default_params();
            params.n_ctx = u32::try_from(tokens * sequences)?;
            params.n_seq_max = u32::try_from(sequences)?;
            params.n_batch = 2048;
            params.n_ubatch = 512;
            let context = sys::llama_init_from_model(raw, params);
            if context.is_null() {
                return Err("llama.cpp gives no context".into());
            }
            sys::llama_set_n_threads(context, threads, threads);
            let mut params = sys::ggml_threadpool_params_default(threads);
            let pool = sys::ggml_threadpool_new(&raw mut params);
            sys::llama_attach_threadpool(context, pool, std::ptr::null_mut());
            Ok(Self { context, pool })
        }
    }

    /// Seconds that `run` takes after the context's memory is cleared.
    fn timed(
        &mut self,
        seed: u64,
        run: impl Fn(*mut sys::llama_context, u64) -> bool,
    ) -> Result<f64, Box<dyn Error>> {
        // SAFETY: the context is alive.
        unsafe { sys::llama_memory_clear(sys::llama_get_memory(self.context), false) };
        let started = Instant::now();
        let is_sound = run(self.context, seed);
        // SAFETY: the context is alive.
        unsafe { sys::llama_synchronize(self.context) };
        let seconds = started.elapsed().as_secs_f64();
        is_sound.then_some(seconds).ok_or_else(|| "llama.cpp failed to compute".into())
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // SAFETY: nothing else uses these pointers.
        unsafe {
            sys::llama_free(self.context);
            sys::ggml_threadpool_free(self.pool);
        }
    }
}
