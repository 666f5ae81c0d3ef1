//! Parses tool calls from the text that a model wrote.
//!
//! A local model answers only with text. The markup around a call depends on the model's training,
//! and its chat template shows it. [`read`] extracts the calls and the reasoning, and leaves the
//! rest unchanged. A JSON parser reads the JSON, never a pattern, so nested arguments stay complete
//! (`docs/spec/adapters.md` §6.5 lists what goes wrong otherwise).
//!
//! The arguments of a call are not checked here: the run parses them and records the model's
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

/// Extracts the calls from the text that a model wrote, in the markup of `form` only.
///
/// A model that deviates from its form gets the result that a server of the same model would give.
/// [`ToolForm::Auto`] accepts every known markup, and JSON without markup that names an offered
/// tool.
pub fn read(text: &str, form: ToolForm, offered: &[ToolSpec]) -> ReadText {
    scan::read(text, form, offered)
}
