//! Agents that get the prompt when they start, and end when they have written their answer.

use super::{LONGEST_ANSWER, ended, not_started, too_long};
use crate::answer::AnswerFrom;
use crate::program;
use crate::setup::{AgentResult, Setup};
use koab_core::sentence::Sentence;
use std::io::Read as _;
use std::path::Path;

/// Runs the program of an attempt.
///
/// # Errors
/// When the program cannot be started.
pub(crate) async fn run(setup: &Setup<'_>) -> Result<AgentResult, Sentence> {
    let (mut running, _) =
        program::start(setup, &setup.output, false).await.map_err(|why| not_started(setup, why))?;
    let wait = tokio::select! {
        biased;
        ended = running.ended() => ended,
        () = setup.cancel.cancelled() => Ok(()),
    };
    let over = running.end().await?;
    // An error is the engine's, which lost the container. It says nothing about the agent.
    wait?;
    let text = match &setup.definition.answer {
        Some(AnswerFrom::File(from)) => {
            let path = setup.place.left(Path::new(&setup.values.fill(&from.file)));
            path.map_or(Ok(String::new()), |path| read(&path))
        }
        _ => Ok(setup.output.stdout()),
    };
    let answer = match (&setup.definition.answer, &text) {
        (Some(from), Ok(text)) => from.read(text),
        _ => None,
    };
    let result = ended(setup, answer, &over);
    Ok(AgentResult { failed: result.failed.or(text.err()), ..result })
}

/// Reads an answer from a file. The answer is empty if the file cannot be read.
fn read(path: &Path) -> Result<String, Sentence> {
    let mut bytes = Vec::new();
    if let Ok(file) = std::fs::File::open(path)
        && file.take(LONGEST_ANSWER as u64 + 1).read_to_end(&mut bytes).is_err()
    {
        bytes.clear();
    }
    if bytes.len() > LONGEST_ANSWER {
        return Err(too_long());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
