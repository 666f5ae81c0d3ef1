//! A program that is started with its prompt and ends with its answer.

use super::{code, ended, filled, not_started};
use crate::answer::AnswerFrom;
use crate::process::Program;
use crate::ready::{Ended, Ready};
use koab_core::sentence::Sentence;
use std::io::Read as _;
use std::path::Path;

/// Bytes of an answer's file at most.
const MOST: u64 = 16 << 20;

/// Runs it.
///
/// # Errors
/// When it cannot be started.
pub(crate) async fn run(ready: &Ready<'_>) -> Result<Ended, Sentence> {
    let command = filled(ready);
    let program = Program {
        command: &command,
        environment: &ready.environment,
        folder: &ready.place.folder.join("work"),
        spoken_to: false,
    };
    let mut running = program
        .start(&ready.output)
        .map_err(|why| not_started(ready, why))?;
    let by_itself = tokio::select! {
        biased;
        status = running.ended() => status,
        () = ready.cancel.cancelled() => None,
    };
    let (status, outlived) = running.end().await;
    let text = match &ready.definition.answer {
        Some(AnswerFrom::File(from)) => read(Path::new(&ready.values.fill(&from.file))),
        _ => ready.output.stdout(),
    };
    let answer = ready.definition.answer.as_ref().and_then(|from| from.read(&text));
    let exit = code(by_itself.or(status));
    Ok(ended(ready, answer, exit, outlived))
}

fn read(path: &Path) -> String {
    // A link that the agent made leads wherever it likes.
    let is_file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
    let file = is_file.then(|| std::fs::File::open(path).ok()).flatten();
    let mut bytes = Vec::new();
    if let Some(file) = file
        && file.take(MOST).read_to_end(&mut bytes).is_err()
    {
        bytes.clear();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
