//! llama.cpp's log: it is forwarded to `tracing`, and the reason of a failure goes into the error
//! for the user.
//!
//! llama.cpp reports a failed load as a null pointer and gives the reason only in its log, so the
//! last error lines are kept.
#![allow(unsafe_code, reason = "llama.cpp's log is a C callback")]

use koab_core::say;
use koab_core::sentence::Sentence;
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use llama_cpp_sys_2 as sys;

/// Maximum number of error lines that are kept; a failed load makes two or three.
const MAX_COMPLAINTS: usize = 16;

#[derive(Default)]
struct LogState {
    level: sys::ggml_log_level,
    line: String,
    complaints: Vec<String>,
}

static LOG_STATE: Mutex<LogState> =
    Mutex::new(LogState { level: 0, line: String::new(), complaints: Vec::new() });

fn log_state() -> MutexGuard<'static, LogState> {
    LOG_STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Redirects llama.cpp's log from stderr to `tracing`.
pub(super) fn listen() {
    // SAFETY: the callback is a static function, takes any pointer as data and uses none.
    unsafe {
        sys::llama_log_set(Some(hear), std::ptr::null_mut());
        sys::ggml_log_set(Some(hear), std::ptr::null_mut());
    }
}

/// Drops earlier error lines, before an operation that may fail.
pub(super) fn forget() {
    log_state().complaints.clear();
}

/// Reason of the last failure, in llama.cpp's words.
pub(super) fn reason() -> Sentence {
    let complaints = std::mem::take(&mut log_state().complaints);
    pick(&complaints).map_or_else(|| say!("llama.cpp gave no reason"), Sentence::from)
}

/// The error line that best explains the failure: the one of the loader, else the first.
fn pick(complaints: &[String]) -> Option<String> {
    let caught =
        complaints.iter().find_map(|line| Some(line.split_once("error loading model: ")?.1.to_owned()));
    let reason = caught.or_else(|| {
        let line = complaints.first()?;
        // The format is `function: reason`.
        let (function, reason) = line.split_once(": ").unwrap_or(("", line));
        Some(if function.contains(' ') { line } else { reason }.to_owned())
    })?;
    // The text becomes part of a sentence of this program.
    Some(reason.trim().trim_end_matches('.').to_owned())
}

unsafe extern "C" fn hear(level: sys::ggml_log_level, text: *const c_char, _: *mut c_void) {
    if text.is_null() {
        return;
    }
    // SAFETY: llama.cpp passes a text that ends with NUL and lives until this call returns.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let mut state = log_state();
    if level != sys::GGML_LOG_LEVEL_CONT {
        state.level = level;
    }
    state.line.push_str(&text);
    if state.line.ends_with('\n') {
        let line = std::mem::take(&mut state.line);
        let (level, line) = (state.level, line.trim());
        if level == sys::GGML_LOG_LEVEL_ERROR && state.complaints.len() < MAX_COMPLAINTS {
            state.complaints.push(line.to_owned());
        }
        drop(state);
        tell(level, line);
    }
}

fn tell(level: sys::ggml_log_level, line: &str) {
    match level {
        _ if line.is_empty() => {}
        sys::GGML_LOG_LEVEL_ERROR => tracing::error!(target: "llama.cpp", "{line}"),
        sys::GGML_LOG_LEVEL_WARN => tracing::warn!(target: "llama.cpp", "{line}"),
        sys::GGML_LOG_LEVEL_INFO => tracing::debug!(target: "llama.cpp", "{line}"),
        _ => tracing::trace!(target: "llama.cpp", "{line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_told_not_its_consequence() {
        let lines = [
            "llama_model_load: error loading model: unknown model architecture: 'x'",
            "llama_model_load_from_file_impl: failed to load model",
        ];
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(pick(&lines).as_deref(), Some("unknown model architecture: 'x'"));
        assert_eq!(pick(&["gguf_init: bad magic.".to_owned()]).as_deref(), Some("bad magic"));
        assert_eq!(pick(&[]), None);
    }
}
