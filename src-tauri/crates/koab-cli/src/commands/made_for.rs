//! What gates and adaptive runs found, noted on the runs that they made: in a list these stand
//! beside whole runs.

use crate::output::Output;
use koab_api::{Api, WireError};
use koab_core::sentence::Sentence;

/// Notes on each of these folders what it was made for. The answer stands, whether or not that
/// works.
pub(super) fn note_on(api: &Api, runs: &[String], said: &Sentence, output: Output) {
    if let Err(error) = note(api, runs, &output.lang.say(said)) {
        output.sentence(&output.lang.say(&error.message));
    }
}

/// The same of a text.
///
/// # Errors
/// When a run is gone, or the disk refuses.
pub(super) fn note(api: &Api, runs: &[String], said: &str) -> Result<(), WireError> {
    runs.iter().try_for_each(|folder| {
        let parts: Vec<&str> = folder.rsplit(['/', '\\']).take(2).collect();
        let id = parts.into_iter().rev().collect::<Vec<_>>().join("/");
        api.runs.run_note(&id, said.to_owned())
    })
}
