//! llama.cpp's one initialization per process.

use std::sync::OnceLock;

use llama_cpp_2::llama_backend::LlamaBackend;

use super::log;

/// llama.cpp, initialized; it stays so until the process ends. Everything in this crate that needs
/// it takes it here, because it can be initialized once only.
pub fn backend() -> &'static LlamaBackend {
    static BACKEND: OnceLock<LlamaBackend> = OnceLock::new();
    BACKEND.get_or_init(|| {
        log::listen();
        // The only failure is that somebody else initialized it, which is as good.
        LlamaBackend::init().unwrap_or(LlamaBackend {})
    })
}
