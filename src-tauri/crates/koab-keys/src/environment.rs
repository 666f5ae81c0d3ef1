//! Keys from environment variables.

use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_workspace::WireError;

/// Value of an environment variable.
///
/// # Errors
/// When the value cannot be a key.
pub(crate) fn value(name: &str) -> Result<Option<Sensitive<String>>, WireError> {
    let refuse = |why: Sentence| WireError::bad_request(say!("the environment variable {name} {why}"));
    match std::env::var(name) {
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => Err(refuse(say!("is not valid text; set it again"))),
        Ok(value) if value.trim().is_empty() => Ok(None),
        Ok(value) => crate::value::check(&value).map(Some).map_err(refuse),
    }
}
