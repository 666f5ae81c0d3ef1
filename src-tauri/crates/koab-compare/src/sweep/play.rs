//! A sweep's runs, one after the other: what is made is read, what is begun is finished, the rest is made.

use super::{Part, Sweep};
use crate::Compare;
use crate::scored::{ScoredRuns, Scoring};
use koab_analysis::sweep::{Attempts, SweepCell, SweepDifference, SweepResult, SweepScore, SweepSummary};
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_engine::ports::{Cancel, EventSink};
use koab_models::LocalSettings;
use koab_runs::options::JudgeChoice;
use koab_runs::{RunRequest, WireError};
use std::sync::Arc;

/// A part that is made and scored.
struct Scored {
    run: String,
    report: Option<String>,
    attempts: Attempts,
}

impl Compare {
    /// Makes and scores what is missing of a sweep.
    ///
    /// # Errors
    /// When it is expected to cost more than it may, a run cannot begin or is cancelled, or its logs cannot be scored.
    pub async fn play_sweep(
        &self,
        sweep: Sweep,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<SweepSummary, WireError> {
        if let Some(refusal) = &sweep.plan.refusal {
            return Err(WireError::bad_request(refusal.clone()));
        }
        let how = Scoring {
            name: "sweep",
            metric: sweep.metric,
            scorer: sweep.file.protocol,
            judges: &sweep.judges,
            judge_local: LocalSettings::default(),
            caps: sweep.caps(),
            cancelled: say!(
                "the sweep was cancelled; what is made of it is kept, and the same command makes the rest"
            ),
        };
        let mut runs = ScoredRuns::new(&self.runs, how);
        // What is spent already, before anything more is.
        let ledger = self.ledger(&sweep.parts)?;
        for part in &sweep.parts {
            if let Some((usd, tokens)) = ledger.of(&part.request.run) {
                runs.spend_judging(usd, tokens);
            }
            let made = part.found.as_ref().filter(|made| made.is_complete);
            runs.spend(made.and_then(|made| made.spending.as_ref()));
        }
        let mut scored: Vec<Option<Scored>> = Vec::new();
        let mut stopped = None;
        for part in &sweep.parts {
            let made = match stopped {
                None => self.play_part(part, &sweep, &mut runs, watch, cancel).await?,
                Some(_) => None,
            };
            if made.is_none() && stopped.is_none() {
                stopped = Some(say!(
                    "the budget was spent before the sweep was complete; raise max_cost or max_total_tokens and give the same command again"
                ));
            }
            scored.push(made);
        }
        let mut summary = summary(&sweep, scored);
        summary.usd = runs.usd();
        summary.stopped = stopped;
        Ok(summary)
    }

    /// One run of a sweep; nothing where the budget ended it.
    async fn play_part(
        &self,
        part: &Part,
        sweep: &Sweep,
        runs: &mut ScoredRuns<'_>,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<Option<Scored>, WireError> {
        let (run, failed) = match &part.found {
            Some(made) if made.is_complete => (made.id.clone(), made.failed),
            found => {
                let resume = found.as_ref().map(|made| made.id.clone());
                let model = match &resume {
                    // A run that goes on has its model.
                    Some(_) => String::new(),
                    None => part.request.model.clone(),
                };
                let request = RunRequest {
                    resume,
                    model,
                    ..part.request.clone()
                };
                match runs.run(request, watch(), cancel).await? {
                    Some(made) => made,
                    None => return Ok(None),
                }
            }
        };
        let run = self.runs.run_show(&run)?.id;
        if let Some(kept) = self.kept_report(&run, sweep, failed)? {
            let attempts = runs.read([Some(&kept[0]), kept.get(1)])?;
            return Ok(Some(Scored {
                run,
                report: kept.into_iter().next(),
                attempts,
            }));
        }
        let Some((reports, spending)) = runs.score(run.clone(), failed, cancel).await? else {
            return Ok(None);
        };
        if let Some(spending) = spending {
            self.note_judging(&part.request.run, (spending.usd, spending.usage.total_tokens))?;
        }
        let attempts = runs.read([reports.first(), reports.get(1)])?;
        Ok(Some(Scored {
            run,
            report: reports.into_iter().next(),
            attempts,
        }))
    }

    /// The reports of a run that its sweep would make again: by the same rules and judges, of all that the run has.
    fn kept_report(&self, run: &str, sweep: &Sweep, failed: u32) -> Result<Option<Vec<String>>, WireError> {
        let judges: &[String] = match &sweep.judges {
            JudgeChoice::Models { ids, .. } => ids,
            _ => &[],
        };
        let rows = self.runs.reports_library()?;
        let of = |scorer: Protocol| {
            let same = rows.iter().find(|row| {
                row.run.as_deref() == Some(run)
                    && row.scorer == scorer
                    && row.judges.as_deref() == Some(judges)
                    && row.problem.is_none()
                    && row.outdated.is_none()
            });
            same.map(|row| row.id.clone())
        };
        let Some(first) = of(sweep.file.protocol) else {
            return Ok(None);
        };
        if failed == 0 || sweep.file.protocol == Protocol::Corrected {
            return Ok(Some(vec![first]));
        }
        Ok(of(Protocol::Corrected).map(|second| vec![first, second]))
    }
}

/// The table.
fn summary(sweep: &Sweep, scored: Vec<Option<Scored>>) -> SweepSummary {
    let baseline = |pack: &str| {
        let mut both = sweep.parts.iter().zip(&scored);
        let found = both.find(|(part, _)| part.cell == sweep.baseline && part.pack == pack);
        found.and_then(|(_, scored)| scored.as_ref())
    };
    let cells = sweep.cells.iter().enumerate().map(|(at, cell)| {
        let own = sweep
            .parts
            .iter()
            .zip(&scored)
            .filter(|(part, _)| part.cell == at);
        let results = own.filter_map(|(part, scored)| {
            let scored = scored.as_ref()?;
            let compared = baseline(&part.pack).filter(|_| at != sweep.baseline);
            Some(SweepResult {
                pack: part.pack.clone(),
                run: scored.run.clone(),
                report: scored.report.clone(),
                score: SweepScore::of(&scored.attempts),
                difference: compared.and_then(|base| SweepDifference::of(&base.attempts, &scored.attempts)),
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
        metric: sweep.metric.name().to_owned(),
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
    if sweep.cells.iter().any(|cell| !cell.texts.is_empty()) {
        summary.notes.push(say!(
            "runs with a system prompt or tool descriptions of their own are not comparable with the published leaderboard"
        ));
    }
    summary.correct();
    summary
}
