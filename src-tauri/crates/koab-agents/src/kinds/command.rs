//! A program that is started with its prompt and ends with its answer.

use super::{ended, not_started};
use crate::answer::AnswerFrom;
use crate::program;
use crate::setup::{AgentResult, Setup};
use koab_core::sentence::Sentence;
use std::io::Read as _;
use std::path::Path;

/// Bytes of an answer's file at most.
const MOST: u64 = 16 << 20;

/// Runs it.
///
/// # Errors
/// When it cannot be started.
pub(crate) async fn run(setup: &Setup<'_>) -> Result<AgentResult, Sentence> {
    let (mut running, _) = program::start(setup, &setup.output, false)
        .await
        .map_err(|why| not_started(setup, why))?;
    let seen = tokio::select! {
        biased;
        ended = running.ended() => ended,
        () = setup.cancel.cancelled() => Ok(()),
    };
    let over = running.end().await?;
    // An engine that lost it says nothing about the agent.
    seen?;
    let text = match &setup.definition.answer {
        Some(AnswerFrom::File(from)) => {
            let left = setup.place.left(Path::new(&setup.values.fill(&from.file)));
            left.map(|path| read(&path)).unwrap_or_default()
        }
        _ => setup.output.stdout(),
    };
    let answer = setup.definition.answer.as_ref().and_then(|from| from.read(&text));
    Ok(ended(setup, answer, &over))
}

fn read(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = std::fs::File::open(path)
        && file.take(MOST).read_to_end(&mut bytes).is_err()
    {
        bytes.clear();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
