//! Where keys come from: environment variables. They are read when a model is opened and go nowhere else.

use koab_core::sensitive::Sensitive;

/// The key of this name, if the environment has one that is not empty.
pub(crate) fn find(name: &str) -> Option<Sensitive<String>> {
    std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty())
        .map(Sensitive::new)
}
