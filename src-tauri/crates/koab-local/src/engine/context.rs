//! llama.cpp's context: the memory of attention and the computing, on the engine's thread.
//!
//! The safe binding's context has no word for the callback that interrupts computing, nor for
//! threads that stay between two steps, so this speaks to llama.cpp itself. It is the only place of
//! the engine that does so, beside its log.
#![allow(unsafe_code, reason = "llama.cpp's context and threads are C")]

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use llama_cpp_2::model::LlamaModel;
use llama_cpp_sys_2 as sys;

/// How large a context is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Tokens in memory, over all sequences.
    pub(super) cells: u32,
    pub(super) sequences: u32,
    pub(super) threads: u32,
    /// Tokens of one step at most; llama.cpp computes that many at once.
    pub(super) step: u32,
}

/// One token of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) token: i32,
    pub(super) position: i32,
    pub(super) sequence: i32,
    /// Whether what follows it is wanted.
    pub(super) wanted: bool,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Computed.
    Done,
    /// The memory has no place for it. Nothing changed.
    Full,
    /// Interrupted by the alarm. Parts of it may be in memory.
    Interrupted,
    /// llama.cpp's code. What is in memory for these sequences is not known.
    Failed(i32),
}

/// See the module.
pub(super) struct Context {
    context: NonNull<sys::llama_context>,
    threads: *mut sys::ggml_threadpool,
    vocabulary: usize,
    // llama.cpp has a pointer into it.
    _alarm: Arc<AtomicBool>,
    // The context points into the model.
    _model: Arc<LlamaModel>,
}

impl Context {
    /// A context for a model; nothing when llama.cpp refuses, and the log tells why. Computing ends
    /// early while `alarm` is set.
    pub(super) fn new(model: &Arc<LlamaModel>, shape: Shape, alarm: &Arc<AtomicBool>) -> Option<Self> {
        let threads = i32::try_from(shape.threads).unwrap_or(1);
        // SAFETY: gives a plain struct.
        let mut params = unsafe { sys::llama_context_default_params() };
        params.n_ctx = shape.cells;
        params.n_batch = shape.step;
        params.n_ubatch = shape.step;
        params.n_seq_max = shape.sequences;
        // A place of its own for every sequence: in a common one attention goes over everybody's
        // cells, those of conversations that only wait included. What cannot be cut back has to
        // keep a step in one piece, see `step`. (Flash attention stays on what llama.cpp finds: on
        // wherever the device can do it.)
        params.kv_unified = !can_cut_back(model);
        // Only the last token of a prompt is asked what follows; memory for all would be 300 MB
        // with 150,000 tokens.
        params.n_outputs_max = shape.sequences;
        params.n_threads = threads;
        params.n_threads_batch = threads;
        params.abort_callback = Some(is_alarmed);
        params.abort_callback_data = Arc::as_ptr(alarm).cast_mut().cast();
        // SAFETY: `LlamaModel` is `repr(transparent)` over llama.cpp's pointer.
        let raw = unsafe { *std::ptr::from_ref::<LlamaModel>(model).cast::<*mut sys::llama_model>() };
        // SAFETY: the model is alive, and stays so as long as this value; the alarm too. No other
        // thread makes contexts of this model.
        let context = NonNull::new(unsafe { sys::llama_init_from_model(raw, params) })?;
        // SAFETY: the parameters are those that llama.cpp gave. A null pointer means no threads,
        // and then llama.cpp starts its own for every step.
        let pool = unsafe {
            let mut params = sys::ggml_threadpool_params_default(threads);
            sys::ggml_threadpool_new(&raw mut params)
        };
        if !pool.is_null() {
            // SAFETY: both are alive; the pool outlives the context, see `drop`.
            unsafe { sys::llama_attach_threadpool(context.as_ptr(), pool, pool) };
        }
        Some(Self {
            context,
            threads: pool,
            vocabulary: usize::try_from(model.n_vocab()).unwrap_or(0),
            _alarm: Arc::clone(alarm),
            _model: Arc::clone(model),
        })
    }

    /// Tokens in memory, over all sequences.
    pub(super) fn cells(&self) -> u32 {
        // SAFETY: the context is alive.
        unsafe { sys::llama_n_ctx(self.context.as_ptr()) }
    }

    /// Computes at most [`Shape::step`] tokens.
    ///
    /// llama.cpp computes them in several parts where sequences have places of their own. Of an
    /// interrupted step some parts may be in memory; whoever goes on has to [`Self::forget`] them.
    pub(super) fn step(&mut self, entries: &[Entry]) -> Step {
        let mut tokens: Vec<i32> = entries.iter().map(|entry| entry.token).collect();
        let mut positions: Vec<i32> = entries.iter().map(|entry| entry.position).collect();
        let mut sequences: Vec<i32> = entries.iter().map(|entry| entry.sequence).collect();
        let mut lists: Vec<*mut i32> = sequences.iter_mut().map(std::ptr::from_mut).collect();
        let mut counts = vec![1; entries.len()];
        let mut wanted: Vec<i8> = entries.iter().map(|entry| i8::from(entry.wanted)).collect();
        let batch = sys::llama_batch {
            n_tokens: i32::try_from(entries.len()).unwrap_or(0),
            token: tokens.as_mut_ptr(),
            embd: std::ptr::null_mut(),
            pos: positions.as_mut_ptr(),
            n_seq_id: counts.as_mut_ptr(),
            seq_id: lists.as_mut_ptr(),
            logits: wanted.as_mut_ptr(),
        };
        // SAFETY: the context is alive, and every list of the batch has as many entries as it says.
        let code = unsafe { sys::llama_decode(self.context.as_ptr(), batch) };
        match code {
            0 => Step::Done,
            1 => Step::Full,
            2 => Step::Interrupted,
            code => Step::Failed(code),
        }
    }

    /// What may follow the entry at `place` of the last step, one number per token of the
    /// vocabulary. Nothing when it was not wanted.
    pub(super) fn logits(&mut self, place: usize) -> Option<&[f32]> {
        let place = i32::try_from(place).ok()?;
        // SAFETY: the context is alive.
        let logits = unsafe { sys::llama_get_logits_ith(self.context.as_ptr(), place) };
        // SAFETY: llama.cpp gives null or as many numbers as the vocabulary has tokens, and does
        // not touch them before the next step, which takes `self` mutably.
        (!logits.is_null()).then(|| unsafe { std::slice::from_raw_parts(logits, self.vocabulary) })
    }

    /// Forgets a sequence from a position on. False when it can only be forgotten as a whole, and
    /// then nothing happened.
    pub(super) fn forget(&mut self, sequence: i32, from: usize) -> bool {
        let from = i32::try_from(from).unwrap_or(i32::MAX);
        // SAFETY: the context and its memory are alive.
        unsafe { sys::llama_memory_seq_rm(sys::llama_get_memory(self.context.as_ptr()), sequence, from, -1) }
    }

    /// Makes the first tokens of one sequence those of another, in place of what that one had.
    /// False when they cannot be had, and then it is to be forgotten as a whole.
    pub(super) fn share(&mut self, from: i32, to: i32, length: usize) -> bool {
        // Between places of their own only all can be copied; llama.cpp does so before the next
        // step. SAFETY: the context and its memory are alive.
        unsafe { sys::llama_memory_seq_cp(sys::llama_get_memory(self.context.as_ptr()), from, to, -1, -1) }
        self.forget(to, length)
    }

    /// The first position that is still in memory for a sequence; negative when it is empty.
    pub(super) fn first(&self, sequence: i32) -> i32 {
        // SAFETY: the context and its memory are alive.
        unsafe { sys::llama_memory_seq_pos_min(sys::llama_get_memory(self.context.as_ptr()), sequence) }
    }
}

/// Whether a sequence of such a model can be cut back to any length; a recurrent one only remembers
/// where it is.
pub(super) fn can_cut_back(model: &LlamaModel) -> bool {
    !model.is_recurrent() && !model.is_hybrid()
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: both are alive and nobody else has them; the context, which uses the threads,
        // goes first.
        unsafe {
            sys::llama_free(self.context.as_ptr());
            if !self.threads.is_null() {
                sys::ggml_threadpool_free(self.threads);
            }
        }
    }
}

unsafe extern "C" fn is_alarmed(alarm: *mut c_void) -> bool {
    // SAFETY: the pointer is that of the alarm, which the context keeps alive.
    unsafe { &*alarm.cast::<AtomicBool>() }.load(Ordering::Relaxed)
}
