//! What llama.cpp makes of a file: logits at positions, and the tokens that follow greedily.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::OnceLock;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::{KvCacheType, LlamaContextParams};
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::token::LlamaToken;

/// Logits at the positions asked for, and what follows.
pub(crate) struct Run {
    pub(crate) logits: Vec<Vec<f32>>,
    pub(crate) follow: Vec<u32>,
}

pub(crate) fn backend() -> &'static LlamaBackend {
    static BACKEND: OnceLock<LlamaBackend> = OnceLock::new();
    BACKEND.get_or_init(|| {
        let mut backend = LlamaBackend::init().unwrap();
        backend.void_logs();
        backend
    })
}

pub(crate) fn load(file: &Path) -> LlamaModel {
    let params = LlamaModelParams::default().with_n_gpu_layers(0);
    LlamaModel::load_from_file(backend(), file, &params).unwrap()
}

/// One thread: tests run beside each other, and threads of llama.cpp wait by spinning. Reads tokens and lets as many follow. Keys and values are kept in float32, so that nothing but the file is measured.
pub(crate) fn run(file: &Path, read: &[u32], positions: &[usize], follow: usize) -> Run {
    let model = load(file);
    let params = LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(256))
        .with_n_batch(256)
        .with_n_threads(1)
        .with_n_threads_batch(1)
        .with_type_k(KvCacheType::F32)
        .with_type_v(KvCacheType::F32)
        .with_flash_attention_policy(llama_cpp_sys_2::LLAMA_FLASH_ATTN_TYPE_DISABLED);
    let mut context = model.new_context(backend(), params).unwrap();
    let mut batch = LlamaBatch::new(256, 1);
    for (at, token) in read.iter().enumerate() {
        let asked = positions.contains(&at) || at + 1 == read.len();
        batch.add(LlamaToken(*token as i32), at as i32, &[0], asked).unwrap();
    }
    context.decode(&mut batch).unwrap();
    let logits = positions.iter().map(|at| context.get_logits_ith(*at as i32).to_vec()).collect();
    let mut run = Run { logits, follow: Vec::new() };
    let mut next = best(&context, read.len() as i32 - 1);
    while run.follow.len() < follow {
        run.follow.push(next);
        batch.clear();
        let at = read.len() + run.follow.len() - 1;
        batch.add(LlamaToken(next as i32), at as i32, &[0], true).unwrap();
        context.decode(&mut batch).unwrap();
        next = best(&context, 0);
    }
    run
}

fn best(context: &LlamaContext<'_>, at: i32) -> u32 {
    let logits = context.get_logits_ith(at);
    let (token, _) = logits.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1)).unwrap();
    token as u32
}
