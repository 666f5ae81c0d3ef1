//! A program that is started with its prompt and ends with its answer.

use super::{ended, not_started};
use crate::answer::AnswerFrom;
use crate::ready::{Ended, Ready};
use crate::running;
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
    let (mut running, _) = running::start(ready, &ready.output, false)
        .await
        .map_err(|why| not_started(ready, why))?;
    let seen = tokio::select! {
        biased;
        ended = running.ended() => ended,
        () = ready.cancel.cancelled() => Ok(()),
    };
    let over = running.end().await?;
    // An engine that lost it says nothing about the agent.
    seen?;
    let text = match &ready.definition.answer {
        Some(AnswerFrom::File(from)) => {
            let left = ready.place.left(Path::new(&ready.values.fill(&from.file)));
            left.map(|path| read(&path)).unwrap_or_default()
        }
        _ => ready.output.stdout(),
    };
    let answer = ready.definition.answer.as_ref().and_then(|from| from.read(&text));
    Ok(ended(ready, answer, &over))
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
