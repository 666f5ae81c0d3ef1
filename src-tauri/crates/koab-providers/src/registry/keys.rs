//! Keys, as whoever opens a model is given them.

use koab_core::sensitive::Sensitive;

/// Where keys come from: the name of one, such as `OPENAI_API_KEY`, to its value when there is one.
pub type KeySource<'a> = &'a (dyn Fn(&str) -> Option<Sensitive<String>> + Sync);
