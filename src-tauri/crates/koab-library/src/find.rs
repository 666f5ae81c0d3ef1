//! Search through the transcripts of all runs, with the index of `koab_store::find_index`.
//!
//! [`Library::find`] answers from the index as it is and states what the index lacks.
//! [`Library::find_update`] brings the index up to date, as a job. `docs/design/find.md` has the
//! query language.

mod documents;
mod scores;
mod stamps;
mod status;

use crate::Library;
use crate::transcript::OpenRun;
use crate::wire::{
    FindAnswer, FindCount, FindIndexState, FindMatches, FindUnreadable, FoundAttempt, FoundField, FoundText,
    MatchedAttempt, QueryMatches,
};
use koab_core::find::{Query, TextField};
use koab_core::say;
use koab_core::sentence::ToSentence as _;
use koab_engine::ports::Cancel;
use koab_store::find_index::{
    AttemptCount, AttemptDocument, Excerpt, FindHit, FindIndex, FindKey, FindPage, RunHead,
};
use koab_workspace::{JobKind, WireError, blocking};
use scores::RunScores;
use stamps::{StampedRun, stamped_runs};
use status::status_of;
use std::sync::Arc;

/// Maximum number of hits on one page.
const MAX_HITS: u32 = 1000;
/// Number of runs after which the parts of the index are merged.
const MANY_RUNS: usize = 20;

/// Runs whose place in the index is not up to date.
struct Pending {
    changed: Vec<StampedRun>,
    removed: Vec<String>,
    unfinished: u32,
}

impl Library {
    /// Returns the attempts of all runs that match a query: exact counts, and the hits from
    /// `offset` on.
    ///
    /// # Errors
    /// When the query has a fault, or the index cannot be read.
    pub fn find(&self, query: &str, offset: u32, limit: u32) -> Result<FindAnswer, WireError> {
        let query: Query = query
            .parse()
            .map_err(|fault: koab_core::find::QueryError| WireError::bad_request(fault.to_sentence()))?;
        let from = offset as usize;
        let page = find_index(self).search(&query, from..from + limit.min(MAX_HITS) as usize)?;
        let pending = find_pending(self)?;
        let unreadable = page.problems.iter();
        let index = FindIndexState {
            pending: (pending.changed.len() + pending.removed.len()) as u32,
            unfinished: pending.unfinished,
            unreadable: unreadable
                .map(|(run, reasons)| FindUnreadable { run: run.clone(), reasons: reasons.clone() })
                .collect(),
        };
        Ok(answer(&query, page, index))
    }

    /// Returns which attempts of these runs match each query, in the order of the queries.
    ///
    /// # Errors
    /// When the index cannot be read. A query with a fault has the fault as its result.
    pub fn find_attempts(&self, queries: &[String], runs: &[String]) -> Result<FindMatches, WireError> {
        let index = find_index(self);
        let of_query = |text: &String| -> Result<QueryMatches, WireError> {
            match text.parse::<Query>() {
                Err(fault) => Ok(QueryMatches { fault: Some(fault.to_sentence()), attempts: Vec::new() }),
                Ok(query) => {
                    let keys = index.keys(&query, runs)?.into_iter();
                    let attempts = keys.map(|FindKey { run, task, repetition }| MatchedAttempt {
                        run,
                        task,
                        repetition,
                    });
                    Ok(QueryMatches { fault: None, attempts: attempts.collect() })
                }
            }
        };
        let queries = queries.iter().map(of_query).collect::<Result<_, _>>()?;
        let pending = find_pending(self)?;
        Ok(FindMatches { queries, pending: (pending.changed.len() + pending.removed.len()) as u32 })
    }

    /// Reads new and changed runs into the index of the search, and removes deleted ones. The work
    /// is a job that counts runs. When it is cancelled, the runs that were read stay in the index.
    ///
    /// # Errors
    /// When the index cannot be written, or the job was cancelled. A run that cannot be read is no
    /// error: the index keeps the reason.
    pub async fn find_update(&self, cancel: &Cancel) -> Result<(), WireError> {
        let _updating = self.inner.index_update.lock().await;
        let (library, token) = (self.clone(), cancel.clone());
        let underway = self.workspace.begin_job(JobKind::FindIndex, Vec::new(), Some(cancel));
        let underway = Arc::new(underway);
        let job = Arc::clone(&underway);
        let result =
            blocking(move || find_update_now(&library, &token, |done, total| job.progress(done, total)));
        underway.finish(result.await)
    }
}

/// Compares the index with the runs of the workspace.
fn find_pending(library: &Library) -> Result<Pending, WireError> {
    let mut indexed = find_index(library).runs()?;
    let mut pending = Pending { changed: Vec::new(), removed: Vec::new(), unfinished: 0 };
    for run in stamped_runs(library)? {
        let before = indexed.remove(&run.entry.id);
        if before.as_ref() == Some(&run.stamp) {
            continue;
        }
        // A run that is being made changes at every moment.
        if run.is_being_made() {
            pending.unfinished += 1;
        } else {
            pending.changed.push(run);
        }
    }
    pending.removed = indexed.into_keys().collect();
    Ok(pending)
}

fn find_index(library: &Library) -> FindIndex {
    FindIndex::at(&library.workspace.home().indexes())
}

/// Reads a run into the index. If the run cannot be read, the index gets the reason.
fn index_run(
    library: &Library,
    index: &FindIndex,
    run: &StampedRun,
    cancel: &Cancel,
) -> Result<(), WireError> {
    let entry = &run.entry;
    let opened = library.open_entry(entry.clone());
    let model = entry.run.model().ok().flatten().unwrap_or_else(|| entry.model_folder.clone());
    let pack = opened.as_ref().ok().and_then(OpenRun::pack);
    let head = RunHead {
        run: &entry.id,
        stamp: &run.stamp,
        model: &model,
        pack: pack.as_deref(),
        date: &entry.date,
    };
    index.write_run(&head, |add| {
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => return Ok(vec![error.message]),
        };
        let (scores, mut problems) = RunScores::read(library, &run.reports);
        let mut each = |attempt: &AttemptDocument| -> Result<(), WireError> {
            if cancel.is_cancelled() {
                return Err(stopped());
            }
            Ok(add(attempt)?)
        };
        problems.extend(documents::read(&opened, &scores, &mut each)?);
        Ok(problems)
    })
}

fn find_update_now(library: &Library, cancel: &Cancel, progress: impl Fn(u64, u64)) -> Result<(), WireError> {
    let (index, Pending { changed, removed, .. }) = (find_index(library), find_pending(library)?);
    let total = (changed.len() + removed.len()) as u64;
    let begin = |done: usize| {
        progress(done as u64, total);
        if cancel.is_cancelled() { Err(stopped()) } else { Ok(()) }
    };
    for (done, run) in removed.iter().enumerate() {
        begin(done)?;
        index.remove_run(run)?;
    }
    for (done, run) in changed.iter().enumerate() {
        begin(removed.len() + done)?;
        index_run(library, &index, run, cancel)?;
    }
    if changed.len() + removed.len() >= MANY_RUNS {
        index.compact()?;
    }
    progress(total, total);
    Ok(())
}

fn stopped() -> WireError {
    WireError::cancelled(say!("stopped; the runs that were read so far can be searched"))
}

fn answer(query: &Query, page: FindPage, index: FindIndexState) -> FindAnswer {
    FindAnswer {
        query: query.to_string(),
        total: page.total as u32,
        runs: page.runs as u32,
        searched: page.searched as u32,
        searched_runs: page.searched_runs as u32,
        models: counts(page.models),
        levels: counts(page.levels),
        tools: counts(page.tools),
        hits: page.hits.into_iter().map(found_attempt).collect(),
        index,
    }
}

fn counts(counts: Vec<AttemptCount>) -> Vec<FindCount> {
    let counts = counts.into_iter();
    counts.map(|AttemptCount { name, attempts }| FindCount { name, attempts: attempts as u32 }).collect()
}

fn found_attempt(hit: FindHit) -> FoundAttempt {
    let FindHit { run, model, task, level, repetition, status, excerpts } = hit;
    let excerpts = excerpts.into_iter().map(found_text).collect();
    FoundAttempt { run, model, task, level, repetition, status: status_of(&status), excerpts }
}

fn found_text(excerpt: Excerpt) -> FoundText {
    let Excerpt { field, number, text, cut_before, cut_after, marks } = excerpt;
    let marks = marks.into_iter().map(|mark| (mark.start as u32, mark.end as u32)).collect();
    let (field, argument) = match field {
        TextField::Ask => (FoundField::Ask, None),
        TextField::Said => (FoundField::Said, None),
        TextField::Answer => (FoundField::Answer, None),
        TextField::Argument(name) => (FoundField::Argument, name),
        TextField::Result => (FoundField::Result, None),
        TextField::Error => (FoundField::Error, None),
    };
    FoundText { field, argument, number, text, cut_before, cut_after, marks }
}
