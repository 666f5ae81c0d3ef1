//! What gates and adaptive runs found, noted on the runs that they made: in a list these stand beside whole runs.

use crate::output::Output;
use koab_api::{Api, WireError};
use koab_core::sentence::Sentence;

/// Notes on each of these folders what it was made for. The answer stands, whether or not that works.
pub(super) fn note_on(api: &Api, runs: &[String], said: &Sentence, output: Output) {
    let said = output.lang.say(said);
    let note = |folder: &String| -> Result<(), WireError> {
        let parts: Vec<&str> = folder.rsplit(['/', '\\']).take(2).collect();
        let id = parts.into_iter().rev().collect::<Vec<_>>().join("/");
        api.runs.run_note(&id, said.clone())
    };
    if let Err(error) = runs.iter().try_for_each(note) {
        output.sentence(&output.lang.say(&error.message));
    }
}
