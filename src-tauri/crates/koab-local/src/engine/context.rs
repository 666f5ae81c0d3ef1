//! llama.cpp's context: the attention memory and the computation, on the engine's thread.
//!
//! The context of the safe binding supports neither the callback that interrupts a computation nor
//! threads that persist between two steps, so this module calls llama.cpp directly. Within the
//! engine only this module and the log do so.
#![allow(unsafe_code, reason = "llama.cpp's context and threads are C")]

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use llama_cpp_2::model::LlamaModel;
use llama_cpp_sys_2 as sys;

/// Size of a context.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Tokens in memory, over all sequences.
    pub(super) cells: u32,
    pub(super) sequences: u32,
    pub(super) threads: u32,
    /// Maximum number of tokens that are computed in one step.
    pub(super) step: u32,
}

/// One token of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) token: i32,
    pub(super) position: i32,
    pub(super) sequence: i32,
    /// Whether the logits after this token are needed.
    pub(super) wanted: bool,
}

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The step was computed.
    Done,
    /// The memory has no place for the tokens. Nothing changed.
    Full,
    /// The alarm interrupted the step. Parts of it may be in memory.
    Interrupted,
    /// The step failed with this code of llama.cpp. The memory of its sequences is in an unknown
    /// state.
    Failed(i32),
}

/// A context of llama.cpp, with its threads.
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
    /// Creates a context for a model, or `None` if llama.cpp refuses; its log then has the reason.
    /// Computations end early while `alarm` is set.
    pub(super) fn new(model: &Arc<LlamaModel>, shape: Shape, alarm: &Arc<AtomicBool>) -> Option<Self> {
        let threads = i32::try_from(shape.threads).unwrap_or(1);
        // SAFETY: the function returns a plain struct.
        let mut params = unsafe { sys::llama_context_default_params() };
        params.n_ctx = shape.cells;
        params.n_batch = shape.step;
        params.n_ubatch = shape.step;
        params.n_seq_max = shape.sequences;
        // Every sequence has its own memory. In a unified one, attention would cover the cells of
        // all sequences, including conversations that only wait. A model that cannot be cut back
        // must keep a step in one piece, see `step`. Flash attention keeps llama.cpp's default: it
        // is on if the device supports it.
        params.kv_unified = !can_cut_back(model);
        // Only the last token of a prompt needs logits. With 150,000 tokens in the vocabulary,
        // memory for the logits of all would be 300 MB.
        params.n_outputs_max = shape.sequences;
        params.n_threads = threads;
        params.n_threads_batch = threads;
        params.abort_callback = Some(is_alarmed);
        params.abort_callback_data = Arc::as_ptr(alarm).cast_mut().cast();
        // SAFETY: `LlamaModel` is `repr(transparent)` over llama.cpp's pointer.
        let raw = unsafe { *std::ptr::from_ref::<LlamaModel>(model).cast::<*mut sys::llama_model>() };
        // SAFETY: the model and the alarm are alive and outlive this value. No other thread makes
        // contexts of this model.
        let context = NonNull::new(unsafe { sys::llama_init_from_model(raw, params) })?;
        // SAFETY: the parameters are llama.cpp's defaults. A null pointer means no threads, and
        // then llama.cpp starts its own for every step.
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
    /// llama.cpp computes them in several parts if sequences have their own memory. Parts of an
    /// interrupted step may be in memory; the caller must [`Self::forget`] them before it
    /// continues.
    pub(super) fn step(&mut self, entries: &[Entry]) -> Step {
        let mut tokens: Vec<i32> = entries.iter().map(|entry| entry.token).collect();
        let mut positions: Vec<i32> = entries.iter().map(|entry| entry.position).collect();
        let mut sequences: Vec<i32> = entries.iter().map(|entry| entry.sequence).collect();
        let mut lists: Vec<*mut i32> = sequences.iter_mut().map(std::ptr::from_mut).collect();
        let mut counts = vec![1; entries.len()];
        let mut logits: Vec<i8> = entries.iter().map(|entry| i8::from(entry.wanted)).collect();
        let batch = sys::llama_batch {
            n_tokens: i32::try_from(entries.len()).unwrap_or(0),
            token: tokens.as_mut_ptr(),
            embd: std::ptr::null_mut(),
            pos: positions.as_mut_ptr(),
            n_seq_id: counts.as_mut_ptr(),
            seq_id: lists.as_mut_ptr(),
            logits: logits.as_mut_ptr(),
        };
        // SAFETY: the context is alive, and every list of the batch has as many entries as the
        // batch says.
        let code = unsafe { sys::llama_decode(self.context.as_ptr(), batch) };
        match code {
            0 => Step::Done,
            1 => Step::Full,
            2 => Step::Interrupted,
            code => Step::Failed(code),
        }
    }

    /// Logits after the entry at `place` of the last step, one per token of the vocabulary. `None`
    /// if they were not requested.
    pub(super) fn logits(&mut self, place: usize) -> Option<&[f32]> {
        let place = i32::try_from(place).ok()?;
        // SAFETY: the context is alive.
        let logits = unsafe { sys::llama_get_logits_ith(self.context.as_ptr(), place) };
        // SAFETY: llama.cpp returns null or as many numbers as the vocabulary has tokens, and does
        // not touch them before the next step, which takes `self` mutably.
        (!logits.is_null()).then(|| unsafe { std::slice::from_raw_parts(logits, self.vocabulary) })
    }

    /// Removes the tokens of a sequence from a position on. Returns false, without any change, if
    /// the sequence can only be removed as a whole.
    pub(super) fn forget(&mut self, sequence: i32, from: usize) -> bool {
        let from = i32::try_from(from).unwrap_or(i32::MAX);
        // SAFETY: the context and its memory are alive.
        unsafe { sys::llama_memory_seq_rm(sys::llama_get_memory(self.context.as_ptr()), sequence, from, -1) }
    }

    /// Replaces the memory of sequence `to` by the first `length` tokens of sequence `from`. If it
    /// returns false, the caller must remove `to` as a whole.
    pub(super) fn share(&mut self, from: i32, to: i32, length: usize) -> bool {
        // Between separate memories only whole sequences can be copied; llama.cpp does so before
        // the next step. SAFETY: the context and its memory are alive.
        unsafe { sys::llama_memory_seq_cp(sys::llama_get_memory(self.context.as_ptr()), from, to, -1, -1) }
        self.forget(to, length)
    }

    /// First position of a sequence that is still in memory; negative if the sequence is empty.
    pub(super) fn first(&self, sequence: i32) -> i32 {
        // SAFETY: the context and its memory are alive.
        unsafe { sys::llama_memory_seq_pos_min(sys::llama_get_memory(self.context.as_ptr()), sequence) }
    }
}

/// Whether a sequence of this model can be cut back to any length. A recurrent model remembers only
/// its latest state.
pub(super) fn can_cut_back(model: &LlamaModel) -> bool {
    !model.is_recurrent() && !model.is_hybrid()
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: both are alive and owned by this value. The context, which uses the threads, is
        // freed first.
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
