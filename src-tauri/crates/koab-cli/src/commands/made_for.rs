//! Writes notes on the runs that `koab gate` and `koab run --adaptive` made. The notes distinguish
//! them from complete runs in the list of runs.

use crate::output::Output;
use koab_api::{Api, WireError};
use koab_core::sentence::Sentence;

/// Writes the purpose of the runs as a note on each of them. An error is only printed, because the
/// result does not depend on the notes.
pub(super) fn note_on(api: &Api, runs: &[String], note_text: &Sentence, output: Output) {
    if let Err(error) = note(api, runs, &output.lang.say(note_text)) {
        output.sentence(&output.lang.say(&error.message));
    }
}

/// Writes a text as a note on each of these runs.
///
/// # Errors
/// When a run does not exist any more, or its note cannot be written.
pub(super) fn note(api: &Api, runs: &[String], text: &str) -> Result<(), WireError> {
    runs.iter().try_for_each(|folder| {
        let parts: Vec<&str> = folder.rsplit(['/', '\\']).take(2).collect();
        let id = parts.into_iter().rev().collect::<Vec<_>>().join("/");
        api.runs.library.run_note(&id, text.to_owned())
    })
}
