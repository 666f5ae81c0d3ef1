//! Tool calls in what a model wrote.
//!
//! A local model answers with text only; which markup it puts around a call is a matter of its
//! training, and its chat template shows it. [`read`] takes the calls out, the reasoning apart, and
//! leaves the rest as it is. JSON is read by a JSON reader, never by patterns, so that nested
//! arguments come through whole (`docs/spec/adapters.md` §6.5 lists what goes wrong otherwise).
//!
//! What a call's arguments are is not judged here: the run reads them and records the model's
//! faults.

mod call;
mod form;
mod json;
mod markup;
mod scan;
mod write;

pub use call::{ReadCall, ReadText};
pub use form::{ToolForm, UnknownForm};

use koab_core::tool::ToolSpec;

/// Takes the calls out of what a model wrote, in the markup of `form` alone.
///
/// A model that strays from its form gets what a server of the same model would give it.
/// [`ToolForm::Auto`] takes every known markup, and JSON without one that names an offered tool.
pub fn read(text: &str, form: ToolForm, offered: &[ToolSpec]) -> ReadText {
    scan::read(text, form, offered)
}
