//! Scores a run: reads its logs, asks the judges the questions without an answer, and writes the
//! reports.

use crate::judge_answers::LaterVerdicts;
use crate::judge_context::JudgeContext;
use crate::recorded::recorded;
use crate::report_writer::write;
use crate::worker_home::is_worker;
use crate::{Scoring, holds};
use koab_core::address;
use koab_core::judge::Verdicts;
use koab_core::protocol::Protocol;
use koab_core::run_record::{AttemptCounts, AttemptSums, Spending, TokenUsage};
use koab_core::say;
use koab_core::score::MetricSet;
use koab_core::sentence::Sentence;
use koab_engine::budget::Budget;
use koab_engine::ports::Cancel;
use koab_library::evaluation::evaluation_options;
use koab_library::options::{EvaluateOptions, JudgeChoice, RunChoice};
use koab_library::people::OverriddenVerdicts;
use koab_library::reports::figures::drawn_at_once;
use koab_library::reports::library::conditions;
use koab_library::reports::made_of::unmeasured;
use koab_library::reports::of_run::{CORRECTED, RESCORED, UNFINISHED, UNJUDGED};
use koab_library::reports::report_file::{ReportRecord, absolute, stored_view};
use koab_library::reports::view::bare;
use koab_library::run::{Run, made_elsewhere};
use koab_library::verdict_file::keep as keep_verdicts;
use koab_library::{EvaluateRequest, ReportView};
use koab_models::local_models::LocalSettings;
use koab_report::comparability::Comparability;
use koab_report::{Dataset, Evaluated, EvaluationOptions, Report, agreement, evaluate, evaluate_whole};
use koab_store::holds::{Spender, forget_judges};
use koab_store::report_files::{self, WriteJson};
use koab_workspace::WireError;
use koab_workspace::jobs::JobKind;
use std::path::Path;
use std::sync::Arc;

/// Reports of a scoring, with the cost of its judges.
#[derive(Clone, Debug)]
pub struct ScoringResult {
    /// The reports, one per scorer.
    pub reports: Vec<ReportView>,
    /// Tokens and cost of the judges; `None` if no judge was used.
    pub spending: Option<Spending>,
    /// Whether a cap left questions unanswered. The verdicts until then are kept, and the next
    /// scoring asks the remaining questions.
    pub stopped: bool,
}

/// A scoring that is ready to call judges.
struct Prepared {
    run: Run,
    dataset: Dataset,
    choice: JudgeChoice,
    judge_local: LocalSettings,
    /// Reason why no judge is called; `None` if judges are called.
    unasked: Option<Sentence>,
    /// Budget of all judges together; `None` if no models judge.
    shared: Option<Budget>,
    /// Whether workers on a cluster have already asked all questions.
    is_judged_by_workers: bool,
}

impl Prepared {
    /// Returns the judges' spending so far.
    fn spending(&self) -> Option<Spending> {
        self.shared.as_ref().map(Budget::spending)
    }
}

/// Verdicts and notes for one scorer's report, before the report is written.
struct ScorerResult {
    verdicts: Verdicts,
    /// Verdicts on the attempts that the logs do not contain.
    later: LaterVerdicts,
    evaluation: EvaluationOptions,
    notes: Vec<Sentence>,
    /// Whether a cap left questions unanswered.
    stopped: bool,
}

impl Scoring {
    /// Scores a run, with one report per scorer. `progress` receives the number of answered
    /// questions and the number of all questions.
    ///
    /// # Errors
    /// When the run does not exist, a log cannot be read, a judge cannot be called, or a file
    /// cannot be written.
    pub async fn evaluate(
        &self,
        options: EvaluateOptions,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &Cancel,
    ) -> Result<ScoringResult, WireError> {
        self.evaluate_counted(&options, progress, cancel).await.0
    }

    /// Scores a run like [`Scoring::evaluate`]. Also returns the spending of the judges, even if
    /// the scoring failed or was cancelled.
    pub async fn evaluate_counted(
        &self,
        options: &EvaluateOptions,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &Cancel,
    ) -> (Result<ScoringResult, WireError>, Option<Spending>) {
        let prepared = match self.prepared(options).await {
            Ok(prepared) => prepared,
            Err(error) => return (Err(error), None),
        };
        let scored = self.score(options, &prepared, progress, cancel).await;
        (scored, prepared.spending())
    }

    /// Reads the run and determines its judges.
    async fn prepared(&self, options: &EvaluateOptions) -> Result<Prepared, WireError> {
        let run = self.library.with_attempts(self.library.read_run(options)?, options)?;
        let dataset = self.library.dataset(&run)?;
        run.needs_items(&dataset)?;
        let (choice, judge_local, unasked) = self.judges_for(options, &run, &dataset).await?;
        if options.asks {
            self.check_no_judges(&run, options, &choice).await?;
        }
        // Questions that workers have asked are not asked again.
        let judged_before = self.take_verdicts(&run.entry.run.folder)?;
        // One budget for both scorers, because a cap applies to the whole scoring.
        let shared = match &choice {
            JudgeChoice::Models { ids, .. } => Some(self.judges_budget(&run, options, ids)?),
            _ => None,
        };
        let folder = &run.entry.run.folder;
        let shared = match (shared, options.counted) {
            (Some(shared), Some(counted)) if options.asks => {
                // The caps already exclude the spending of earlier scorings.
                let (file, _) = koab_store::holds::start(folder, Spender::SweepJudges, counted)?;
                Some(shared.kept_in(Arc::new(file)))
            }
            (Some(shared), None) if caps_hold(options) => {
                Some(holds::kept(shared, folder, Spender::Judges, TokenUsage::default())?)
            }
            (shared, _) => shared,
        };
        Ok(Prepared {
            is_judged_by_workers: judged_before.is_some_and(|taken| taken.done == taken.total),
            run,
            dataset,
            choice,
            judge_local,
            unasked,
            shared,
        })
    }

    async fn score(
        &self,
        options: &EvaluateOptions,
        prepared: &Prepared,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &Cancel,
    ) -> Result<ScoringResult, WireError> {
        let Prepared { run, dataset, choice, judge_local, unasked, shared, .. } = prepared;
        let (mut reports, mut has_stopped) = (Vec::new(), false);
        for scorer in &options.scorers {
            let mut evaluation = evaluation_options(options, run, *scorer);
            let mut notes = run_notes(run, dataset);
            notes.extend(run.problems.iter().cloned());
            notes.extend(unasked.clone());
            let mut stopped = false;
            let mut later = LaterVerdicts::default();
            let verdicts = match (choice, shared) {
                // Recorded answers belong to the published questions; the corrected scorer asks
                // different ones.
                (JudgeChoice::Replay(_), _) if *scorer == Protocol::Corrected && !dataset.is_of_items() => {
                    notes.push(say!(
                        "recorded judge answers belong to the leaderboard's questions and were not used"
                    ));
                    Verdicts::none()
                }
                (JudgeChoice::Replay(file), _) => recorded(file, run)?,
                (JudgeChoice::Models { ids, base_url }, Some(shared)) => {
                    evaluation.panel.judges.clone_from(ids);
                    evaluation.panel.base_url = base_url.as_deref().map(address::kept);
                    let asking = JudgeContext {
                        run,
                        dataset,
                        options: &evaluation,
                        base_url: base_url.as_deref(),
                        local: judge_local,
                        shared,
                        recorded: None,
                        asks: options.asks,
                        again: false,
                        failed: &options.failed,
                        remembered: options.logs.is_none(),
                    };
                    let answers = self.ask_judges(&asking, progress, cancel).await?;
                    notes.extend(answers.notes);
                    stopped = answers.stopped;
                    later = answers.later;
                    answers.verdicts
                }
                _ => Verdicts::none(),
            };
            has_stopped |= stopped;
            let result = ScorerResult { verdicts, later, evaluation, notes, stopped };
            reports.push(self.library.named_view(self.write_reports(options, run, dataset, result)?));
        }
        if prepared.is_judged_by_workers && !is_worker() {
            // The workspace now contains all of the workers' answers.
            crate::parts::remove(&run.entry.run.folder)?;
        }
        // After a stop by a cap, the next scoring continues under the same cap, like a run.
        let is_own = options.counted.is_none() && caps_hold(options);
        if prepared.shared.is_some() && is_own && !has_stopped {
            forget_judges(&run.entry.run.folder)?;
        }
        Ok(ScoringResult { reports, spending: prepared.spending(), stopped: has_stopped })
    }

    /// Scores a run for the window. The scoring continues if the caller is dropped, because the
    /// calls to judges have already cost money.
    ///
    /// # Errors
    /// Every error of [`Scoring::evaluate`]. Also when the run is already being scored, because two
    /// scorings would ask the same questions twice.
    pub async fn run_evaluate(&self, request: EvaluateRequest) -> Result<ReportView, WireError> {
        let mut options = EvaluateOptions::from(request);
        if let RunChoice::Run(run) = &options.run
            && let Some(folder) = self.library.folder_of(run)
        {
            options.run = RunChoice::Run(folder);
        }
        if self.workspace.has_job(JobKind::Evaluation, &run_id(&options.run)) {
            return Err(WireError::busy(say!("the run is being scored already; wait for it or stop it")));
        }
        let api = self.clone();
        let scored = async move { api.evaluate_in_view(options, &Cancel::new()).await };
        let mut reports = tokio::spawn(scored).await.map_err(WireError::internal)??.reports;
        reports.pop().ok_or_else(|| WireError::bad_request(say!("no scorer was named")))
    }

    /// Scores a run like [`Scoring::evaluate`]. The job is in the list of running jobs and can be
    /// stopped there.
    pub async fn evaluate_in_view(
        &self,
        options: EvaluateOptions,
        cancel: &Cancel,
    ) -> Result<ScoringResult, WireError> {
        let about = vec![run_id(&options.run)];
        let underway = self.workspace.begin_job(JobKind::Evaluation, about, Some(cancel));
        let progress = |done: usize, total: usize| underway.progress(done as u64, total as u64);
        let scored = self.evaluate(options, &progress, cancel).await;
        underway.finish(scored)
    }

    fn write_reports(
        &self,
        options: &EvaluateOptions,
        run: &Run,
        dataset: &Dataset,
        judged: ScorerResult,
    ) -> Result<ReportView, WireError> {
        // The composite needs the two metrics that the published set leaves out.
        let attempts = run.manifest.as_ref().map(|manifest| manifest.attempts.counts);
        let whole = |verdicts: &Verdicts| {
            let mut whole = evaluate_whole(&run.logs, dataset, verdicts, &judged.evaluation);
            whole.report.unmeasured = unmeasured(attempts);
            whole
        };
        let Evaluated { report: full, items, tables } = whole(&judged.verdicts);
        let metrics = if options.all_metrics { MetricSet::All } else { MetricSet::Head };
        let published = full.with_metrics(metrics);
        let mut notes = judged.notes;
        let OverriddenVerdicts { verdicts: overridden_by_people, applied, notes: override_notes } =
            self.library.overridden_verdicts(run, dataset, &judged.evaluation, &judged.verdicts)?;
        notes.extend(override_notes);
        notes.extend(part_of(dataset, items.len()));
        let overridden = (!applied.is_empty()).then(|| whole(&overridden_by_people).report);
        let reports = options.output.clone().unwrap_or_else(|| self.workspace.home().reports());
        let id = self.report_name(options, run, &full, &reports, judged.stopped);
        if let Some((other, _)) = id.split_once(RESCORED) {
            notes
                .push(say!("report {other} was made elsewhere and is kept; this report was saved beside it"));
        }
        let folder = reports.join(&id);
        let manifest = run.manifest.as_ref();
        let (pack, protocol) = manifest.map_or_else(|| (run.pack(), None), conditions);
        let base_view = ReportView {
            id: id.clone(),
            folder: absolute(&folder),
            run: Some(run.entry.id.clone()),
            pack,
            protocol,
            attempts,
            cache_hits: manifest.map(|manifest| manifest.cache.calls.clone()),
            agreement: agreement(&full, &judged.verdicts.map(|verdict| dataset.read(verdict, full.scorer))),
            overrides: applied.into_iter().map(|(_, row)| row).collect(),
            comparability: Some(Comparability::from_facts(
                self.library.facts_of_scored(&run.entry, &published),
            )),
            notes,
            benchmark: tables,
            ..bare(&full)
        };
        let repeated = run.attempts.as_ref().map(|attempts| {
            attempts.scored(&run.logs, &full, |repetition, logs| {
                let verdicts = judged.later.of(repetition);
                evaluate(logs, dataset, &verdicts, &judged.evaluation)
            })
        });
        let repeated = repeated.transpose()?;
        let intervals = drawn_at_once(&full);
        let whole = ReportRecord::new(full, overridden, intervals, metrics).with_items(items);
        let repeated = repeated.as_ref().map(|repeated| repeated as &dyn WriteJson);
        let view = write(&reports, base_view, whole, options.formats, repeated)?;
        keep_verdicts(&folder, &run.logs, &judged.verdicts)?;
        if options.output.is_none() {
            self.library.drop_superseded(&view)?;
        }
        Ok(view)
    }

    /// Returns the name of a report's folder.
    ///
    /// A report of all tasks of its run gets the folder name of the run, as published. The name
    /// has an addition for selected levels or a sample, for an unfinished run, and for an unjudged
    /// report if a judged one exists, so that none of them is combined with others. A report of
    /// fewer attempts than the run has now is replaced. A report that was made elsewhere is never
    /// replaced, because it could not be made again here.
    fn report_name(
        &self,
        options: &EvaluateOptions,
        run: &Run,
        report: &Report,
        reports: &Path,
        is_unfinished: bool,
    ) -> String {
        let mut name = run.folder_name.clone();
        if report.scorer == Protocol::Corrected {
            name.push_str(CORRECTED);
        }
        if !options.levels.is_empty() || options.sample.is_some() {
            let levels: String = run.logs.iter().map(|log| log.level.to_string()).collect();
            let sample = options.sample.map(|n| format!("-first{n}")).unwrap_or_default();
            name.push_str(&format!(".{levels}{sample}"));
        }
        if report_files::is_from_elsewhere(&reports.join(&name)) {
            name.push_str(RESCORED);
        }
        let has_judges = |name: &str| match stored_view(&reports.join(name)) {
            Ok(view) => {
                view.is_some_and(|view| !view.judges.is_empty() && self.library.outdated(&view).is_none())
            }
            // The unreadable report may be judged, so its files are not overwritten.
            Err(_) => true,
        };
        if report.judges.is_empty() && has_judges(&name) {
            name.push_str(UNJUDGED);
        }
        if is_unfinished {
            name.push_str(UNFINISHED);
        }
        name
    }
}

/// Whether a scoring has a cap of its own. Such a cap also applies after the scoring was killed and
/// started again.
fn caps_hold(options: &EvaluateOptions) -> bool {
    options.asks && (options.caps.max_cost.is_some() || options.caps.max_total_tokens.is_some())
}

/// Returns the short form of a run's name: the last two parts of its id or folder.
fn run_id(run: &RunChoice) -> String {
    let (RunChoice::Run(text) | RunChoice::Date { model: text, .. }) = run;
    let parts: Vec<&str> = text.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// Returns the note that a report of another benchmark covers only some of the benchmark's items;
/// `None` if it covers all.
pub(crate) fn part_of(dataset: &Dataset, answered: usize) -> Option<Sentence> {
    let items = dataset.items()?.size();
    (answered < items).then(|| {
        say!("{answered} of {items} items of the pack were answered; the figures are over these alone")
    })
}

/// Returns the caveats of a report that come from its run.
fn run_notes(run: &Run, dataset: &Dataset) -> Vec<Sentence> {
    let mut notes = Vec::new();
    notes.extend(made_elsewhere(&run.logs));
    if let Some(manifest) = &run.manifest {
        let AttemptSums { counts, cut_off, shortened, unknown_endings, .. } = &manifest.attempts;
        let AttemptCounts { planned, done, failed } = *counts;
        let (cut_off, shortened) = (*cut_off, *shortened);
        let (misses, steps) = (manifest.cache.calls.miss, manifest.steps_without_usage);
        if done < planned {
            notes.push(say!(
                "the run is incomplete: {done} of {planned} attempts were made; resume it, then score it again"
            ));
        }
        if failed > 0 {
            notes.push(say!(
                "{failed} attempts failed for technical reasons such as the server or a time limit, not because of the model"
            ));
        }
        if cut_off > 0 {
            notes.push(say!(
                "{cut_off} answers were cut off at the output limit; run again with more output tokens"
            ));
        }
        if shortened > 0 {
            notes.push(say!(
                "{shortened} attempts did not fit the model's context, so the model was not shown all of them; run again with a larger context"
            ));
        }
        for (word, attempts) in unknown_endings {
            notes.push(say!(
                "answers of {attempts} attempts ended with the server's finish reason `{word}`, which koab does not know; they count as answers"
            ));
        }
        if misses > 0 {
            notes.push(say!("{misses} tool calls had no cached response in the pack"));
        }
        // The number of calls of an agent's own model is unknown.
        let own_model = manifest.spec.agent.as_ref().is_some_and(|agent| agent.own_model);
        if steps > 0 && !own_model {
            notes.push(say!(
                "no token counts were reported for {steps} model calls; token figures leave them out"
            ));
        }
    }
    if run.manifest.is_some() && dataset.is_empty() {
        notes.push(say!(
            "the run's pack is not installed, so the corrected scorer did not use the dataset's fields"
        ));
    }
    notes
}
