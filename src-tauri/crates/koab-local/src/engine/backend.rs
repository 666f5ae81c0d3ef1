//! llama.cpp's one initialization per process.

use std::sync::OnceLock;

use llama_cpp_2::llama_backend::LlamaBackend;

use super::log;

/// The initialized llama.cpp backend, which lives until the process ends. It can be initialized
/// only once, so all code in this crate gets it here.
pub fn backend() -> &'static LlamaBackend {
    static BACKEND: OnceLock<LlamaBackend> = OnceLock::new();
    BACKEND.get_or_init(|| {
        log::listen();
        // The only failure is that other code initialized it, which is as good.
        LlamaBackend::init().unwrap_or(LlamaBackend {})
    })
}
