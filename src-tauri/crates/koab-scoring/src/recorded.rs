//! Recorded answers of judges from a file, used in place of calls to judges.

use koab_core::judge::{Verdict, Verdicts};
use koab_core::score::MetricId;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_core::{say, text_file};
use koab_library::run::Run;
use koab_workspace::WireError;
use koab_workspace::paths::last_part;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;

/// A line of a file with recorded answers. The line has the form of a file of replies, or of the
/// verdict file of a report.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Replies { id: String, replies: Vec<String> },
    Kept { task: String, verdict: Verdict },
}

/// Reads the answers to the questions of a run from a file.
pub(super) fn recorded(file: &Path, run: &Run) -> Result<Verdicts, WireError> {
    let bad = |why: Sentence| WireError::bad_file(say!("{}: {why}", file.display()));
    let text = text_file::text_of(std::fs::read(file)).map_err(bad)?;
    if run.is_of_another_benchmark() {
        let tasks = run.logs.iter().flat_map(|log| &log.tasks);
        let ids = tasks.map(|task| task.id.as_str()).collect();
        return in_words(&text, &last_part(file), &ids).map_err(bad);
    }
    let document: Value = serde_json::from_str(&text).map_err(|error| bad(say!("is not JSON: {error}")))?;
    Verdicts::from_replay(&document, &run.entry.model_folder).map_err(|error| bad(error.to_sentence()))
}

fn in_words(text: &str, judge: &str, ids: &HashSet<&str>) -> Result<Verdicts, Sentence> {
    let mut verdicts = Verdicts::none();
    let lines = text.lines().enumerate();
    for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let read = serde_json::from_str(line);
        if let Ok(Line::Replies { id, .. } | Line::Kept { task: id, .. }) = &read
            && !ids.contains(id.as_str())
        {
            return Err(say!(
                "line {line}: the run has no item {id}; give the judges’ replies to this run",
                line = (at + 1)
            ));
        }
        match read {
            Ok(Line::Replies { id, replies }) => {
                for reply in replies {
                    verdicts.add(&id, Verdict::in_words(judge, MetricId::Sr, &reply));
                }
            }
            Ok(Line::Kept { task, verdict }) => verdicts.add(&task, verdict),
            Err(_) => {
                return Err(say!(
                    "line {line} is not an answer of a judge: it has neither `id` and `replies` nor, as verdicts.jsonl beside a report, `task` and `verdict`",
                    line = (at + 1)
                ));
            }
        }
    }
    Ok(verdicts)
}
