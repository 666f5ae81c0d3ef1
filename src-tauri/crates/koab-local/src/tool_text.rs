//! Tool calls in what a model wrote.
//!
//! A local model answers with text only; which markup it puts around a call is a matter of its training, and its chat
//! template shows it. [`read`] takes the calls out, the reasoning apart, and leaves the rest as it is. JSON is read by a
//! JSON reader, never by patterns, so that nested arguments come through whole (`docs/spec/adapters.md` §6.5 lists what goes
//! wrong otherwise).
//!
//! What a call's arguments are is not judged here: the run reads them and records the model's faults.

mod call;
mod form;
mod json;
mod markup;
mod scan;
mod write;

pub use call::{ReadCall, ReadText};
pub use form::{ToolForm, UnknownForm};

use koab_core::tool::ToolSpec;

/// Takes the calls out of what a model wrote.
///
/// Calls in the markup of `form` are looked for first. Where there are none, every known markup is: models stray. JSON
/// without markup is a call only if it names an offered tool.
pub fn read(text: &str, form: ToolForm, offered: &[ToolSpec]) -> ReadText {
    let own = scan::read(text, form, offered);
    if !own.calls.is_empty() || form == ToolForm::Auto {
        return own;
    }
    scan::read(text, ToolForm::Auto, offered)
}
