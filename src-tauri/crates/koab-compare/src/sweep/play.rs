//! Performs a sweep, one run after the other: reads complete runs, resumes started runs and makes
//! the others.

use super::Sweep;
use super::part::Part;
use crate::Compare;
use crate::scored::{Ran, ScoredRuns, Scoring};
use koab_analysis::sweep::{Attempts, SweepCell, SweepDifference, SweepResult, SweepScore, SweepSummary};
use koab_core::run_record::Spending;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, EventSink};
use koab_library::{Origin, ReportRow, RunRequest};
use koab_models::LocalSettings;
use koab_workspace::WireError;
use std::sync::Arc;

/// A run of the sweep that was made and scored.
struct Scored {
    run: String,
    report: Option<String>,
    attempts: Attempts,
}

/// Outcome of making and scoring a part of a sweep.
enum Played {
    Scored(Scored),
    /// The budget was spent before the part was complete.
    Stopped,
    /// The run failed, for this reason.
    Failed(Sentence),
}

impl Compare {
    /// Makes and scores the missing runs of a sweep.
    ///
    /// # Errors
    /// When the sweep is expected to cost more than its cap, a run cannot begin or is cancelled, or
    /// its logs cannot be scored.
    pub async fn play_sweep(
        &self,
        sweep: Sweep,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<SweepSummary, WireError> {
        if let Some(refusal) = &sweep.plan.refusal {
            return Err(WireError::bad_request(refusal.clone()));
        }
        self.keep_sweep(&sweep)?;
        let mut runs = self.scored_runs(&sweep)?;
        let reports = self.runs.library.reports_library()?;
        let mut scored: Vec<Option<Scored>> = Vec::new();
        let mut is_stopped = false;
        let mut failed = Vec::new();
        for part in &sweep.parts {
            let played = match self.read_part(part, &sweep, &runs, &reports)? {
                Some(made) => Played::Scored(made),
                None if is_stopped => Played::Stopped,
                None => self.play_part(part, &mut runs, watch, cancel).await?,
            };
            is_stopped |= matches!(played, Played::Stopped);
            if let Played::Failed(why) = &played {
                let (cell, pack) = (&sweep.cells[part.cell].label, &part.pack);
                failed.push(say!("{cell} on {pack}: {why}"));
            }
            scored.push(match played {
                Played::Scored(made) => Some(made),
                Played::Stopped | Played::Failed(_) => None,
            });
        }
        let mut summary = summary(&sweep, scored);
        summary.usd = runs.usd();
        let count = failed.len();
        summary.stopped = if is_stopped && runs.is_boundless() && sweep.file.max_cost.is_some() {
            Some(say!(
                "a server did not report its tokens or a price is missing, so that the budget in USD could not be enforced any further; leave the budget out and start the sweep again"
            ))
        } else if is_stopped {
            Some(say!(
                "the budget was spent before the sweep was complete; raise the budget in USD or in tokens and start it again"
            ))
        } else {
            (count > 0).then(|| say!("{count} runs failed; start the sweep again to repeat them"))
        };
        summary.notes.extend(failed);
        Ok(summary)
    }

    /// Table of the results so far. Makes no API calls and writes nothing.
    pub(super) fn table(&self, sweep: &Sweep) -> Result<SweepSummary, WireError> {
        let runs = self.scored_runs(sweep)?;
        let reports = self.runs.library.reports_library()?;
        let parts = sweep.parts.iter();
        let scored: Result<Vec<Option<Scored>>, WireError> =
            parts.map(|part| self.read_part(part, sweep, &runs, &reports)).collect();
        let mut summary = summary(sweep, scored?);
        summary.usd = runs.usd();
        Ok(summary)
    }

    /// Creates the state of the sweep's runs, with the spending so far.
    fn scored_runs<'a>(&'a self, sweep: &'a Sweep) -> Result<ScoredRuns<'a>, WireError> {
        let how = Scoring {
            name: "sweep",
            metric: sweep.metric,
            scorer: sweep.file.protocol,
            judges: &sweep.judges,
            judge_local: LocalSettings::default(),
            caps: sweep.caps(),
            cancelled: say!(
                "the sweep was cancelled; its runs so far are kept, and starting it again makes the rest"
            ),
        };
        let mut runs = ScoredRuns::new(&self.runs, how);
        let ledger = self.ledger(&sweep.parts)?;
        for part in &sweep.parts {
            if let Some(judging) = ledger.of(&part.request.run) {
                runs.spend_judging(&judging.all);
            }
            if let Some(made) = &part.found {
                runs.spend(part.request.run.clone(), made.spending.clone());
            }
        }
        Ok(runs)
    }

    /// Reads a part that is complete and has a report. Causes no further cost.
    fn read_part(
        &self,
        part: &Part,
        sweep: &Sweep,
        runs: &ScoredRuns<'_>,
        reports: &[ReportRow],
    ) -> Result<Option<Scored>, WireError> {
        let Some(made) = part.found.as_ref().filter(|made| made.is_complete) else {
            return Ok(None);
        };
        let Some(ids) = self.kept_report(reports, &made.id, &sweep.file, made.failed)? else {
            return Ok(None);
        };
        let attempts = runs.read([ids.first(), ids.get(1)])?;
        Ok(Some(Scored { run: made.id.clone(), report: ids.into_iter().next(), attempts }))
    }

    /// Makes and scores one run of a sweep.
    async fn play_part(
        &self,
        part: &Part,
        runs: &mut ScoredRuns<'_>,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<Played, WireError> {
        let (run, failed) = match &part.found {
            Some(made) if made.is_complete => (made.id.clone(), made.failed),
            found => {
                let request = RunRequest { fixed: true, ..part.request.clone() };
                let request = match found {
                    // A resumed run knows its model.
                    Some(made) => {
                        RunRequest { origin: Origin::resume(&made.id), model: String::new(), ..request }
                    }
                    None => request,
                };
                match runs.run(request, watch(), cancel).await? {
                    Ran::Complete(run, failed) => (run, failed),
                    Ran::Spent => return Ok(Played::Stopped),
                    Ran::Failed(why) => return Ok(Played::Failed(why)),
                }
            }
        };
        let run = self.runs.library.run_show(&run)?.id;
        let recorded = self.judging(&part.request.run, None)?.counted();
        let scoring = runs.score(run.clone(), failed, Some(recorded), cancel).await;
        // Spending also counts when the budget or a user stopped the judges, unless no question was
        // asked.
        if let Some(spending) = scoring.spending.filter(Spending::is_asked) {
            self.note_judging(&part.request.run, &spending)?;
        }
        let Some(reports) = scoring.reports? else {
            return Ok(Played::Stopped);
        };
        let attempts = runs.read([reports.first(), reports.get(1)])?;
        Ok(Played::Scored(Scored { run, report: reports.into_iter().next(), attempts }))
    }
}

/// Builds the table of results.
fn summary(sweep: &Sweep, scored: Vec<Option<Scored>>) -> SweepSummary {
    let baseline = |pack: &str| {
        let mut both = sweep.parts.iter().zip(&scored);
        both.find(|(part, _)| part.cell == sweep.baseline && part.pack == pack)
            .and_then(|(_, scored)| scored.as_ref())
    };
    let cells = sweep.cells.iter().enumerate().map(|(at, cell)| {
        let own = sweep.parts.iter().zip(&scored).filter(|(part, _)| part.cell == at);
        let results = own.filter_map(|(part, scored)| {
            let scored = scored.as_ref()?;
            let compared = baseline(&part.pack).filter(|_| at != sweep.baseline);
            Some(SweepResult {
                pack: part.pack.clone(),
                run: scored.run.clone(),
                report: scored.report.clone(),
                score: SweepScore::from_attempts(&scored.attempts),
                difference: compared
                    .and_then(|base| SweepDifference::between(&base.attempts, &scored.attempts)),
            })
        });
        SweepCell {
            label: cell.label.clone(),
            model: cell.model(&sweep.file).id.clone(),
            temperature: cell.temperature,
            effort: cell.effort.clone(),
            seed: cell.seed,
            system_prompt: cell.prompt(),
            tool_texts: cell.tools(),
            results: results.collect(),
        }
    });
    let mut packs: Vec<String> = Vec::new();
    for part in &sweep.parts {
        if !packs.contains(&part.pack) {
            packs.push(part.pack.clone());
        }
    }
    let mut summary = SweepSummary {
        name: sweep.file.name.clone(),
        metric: sweep.metric,
        scorer: sweep.file.protocol.to_string(),
        judges: sweep.file.judges.models.clone(),
        repetitions: sweep.file.repetitions,
        packs,
        baseline: sweep.cells[sweep.baseline].label.clone(),
        cells: cells.collect(),
        done: scored.iter().flatten().count(),
        runs: scored.len(),
        tests: 0,
        stopped: None,
        usd: None,
        notes: Vec::new(),
    };
    summary.notes = sweep.notes();
    summary.correct();
    summary
}
