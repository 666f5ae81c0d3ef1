//! Source of keys for opening a model.

use koab_core::sensitive::Sensitive;

/// Returns the value of a key by its name, such as `OPENAI_API_KEY`, if there is one.
pub type KeySource<'a> = &'a (dyn Fn(&str) -> Option<Sensitive<String>> + Sync);
