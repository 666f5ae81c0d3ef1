//! Scoring a run: read its logs, ask the judges what is not known yet, write the reports.

use crate::Api;
use crate::activities::ActivityKind;
use crate::clock::SystemClock;
use crate::options::{AggregateChoice, EvaluateOptions, JudgeChoice, RunChoice};
use crate::report_view::{Around, view};
use crate::wire::{ErrorCode, EvaluateRequest, ReportView, WireError};
use koab_core::cache_key::sha256_hex;
use koab_core::judge::{Aggregate, JudgePrompts, JudgeQuestion, Panel, Verdict, Verdicts, family};
use koab_core::log::LevelLog;
use koab_core::protocol::Protocol;
use koab_core::report::{
    Dataset, EvaluationOptions, Report, evaluate, questions, to_csv, to_json, to_markdown,
};
use koab_core::score::{MetricSet, Scorer};
use koab_engine::judging::{self, Ballot, judge};
use koab_engine::ports::{Cancel, Clock as _};
use koab_engine::retry::RetryPolicy;
use koab_store::report_files::{self, ReportTexts};
use koab_store::runs::{self, RunEntry};
use koab_store::verdicts::VerdictKey;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Questions to judges in flight.
const JUDGE_CONCURRENCY: u32 = 8;
/// Seconds a judge has for an answer, as published.
const JUDGE_TIMEOUT_S: u64 = 60;

/// The run to score, read.
struct Run {
    entry: RunEntry,
    manifest: Option<Value>,
    logs: Vec<LevelLog>,
    execution_date: String,
    folder_name: String,
}

impl Api {
    /// Scores a run; one report a scorer. `progress` hears of answered and all questions.
    ///
    /// # Errors
    /// When there is no such run, a log cannot be read, a judge cannot be asked at all, or the disk refuses.
    pub async fn evaluate(
        &self,
        options: EvaluateOptions,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &Cancel,
    ) -> Result<Vec<ReportView>, WireError> {
        let run = self.read_run(&options)?;
        let dataset = self.dataset(&run);
        let mut views = Vec::new();
        for scorer in &options.scorers {
            let mut evaluation = evaluation_options(&options, &run, *scorer);
            let mut notes = run_notes(&run, &dataset);
            let verdicts = match &options.judges {
                JudgeChoice::Nobody => Verdicts::none(),
                // Recorded answers are to the published questions; the corrected scorer asks others.
                JudgeChoice::Replay(_) if *scorer == Protocol::Corrected => {
                    notes.push(
                        "recorded judge answers belong to the leaderboard's questions and were not used"
                            .into(),
                    );
                    Verdicts::none()
                }
                JudgeChoice::Replay(file) => replay(file, &run)?,
                JudgeChoice::Models { ids, base_url } => {
                    evaluation.panel.judges.clone_from(ids);
                    let base_url = base_url.as_deref();
                    let asking = Asking {
                        run: &run,
                        dataset: &dataset,
                        options: &evaluation,
                        base_url,
                    };
                    let (verdicts, failed) = self.ask_judges(&asking, progress, cancel).await?;
                    notes.extend(failed);
                    notes.extend(own_kind(&run, ids));
                    verdicts
                }
            };
            views.push(self.write_reports(&options, &run, &dataset, &verdicts, evaluation, notes)?);
        }
        Ok(views)
    }

    /// Finds out, before anything is spent, whether these judges can be asked.
    ///
    /// # Errors
    /// One sentence on the first that cannot.
    pub async fn check_judges(&self, ids: &[String], base_url: Option<&str>) -> Result<(), WireError> {
        for id in ids {
            self.open_model(id, base_url, None, &[]).await?.check().await?;
        }
        Ok(())
    }

    /// Scores a run for the window.
    ///
    /// # Errors
    /// As [`Api::evaluate`].
    pub async fn run_evaluate(&self, request: EvaluateRequest) -> Result<ReportView, WireError> {
        let mut options = EvaluateOptions::from(request);
        if let RunChoice::Run(run) = &options.run
            && let Some(folder) = self.folder_of(run)
        {
            options.run = RunChoice::Run(folder);
        }
        let cancel = Cancel::new();
        let about = vec![run_id(&options.run)];
        let underway = self.begin_activity(ActivityKind::Evaluation, about, Some(&cancel));
        let progress = |done: usize, total: usize| underway.progress(done as u64, total as u64);
        let evaluated = self.evaluate(options, &progress, &cancel).await;
        underway
            .finish(evaluated)?
            .pop()
            .ok_or_else(|| WireError::bad_request("no scorer was named"))
    }

    fn read_run(&self, options: &EvaluateOptions) -> Result<Run, WireError> {
        let logs_folder = options.logs.clone().unwrap_or_else(|| self.home().logs());
        let (entry, execution_date, folder_name) = match &options.run {
            RunChoice::Run(run) => {
                let entry = runs::find(&logs_folder, run)?;
                let date: String = entry.date.chars().take(8).collect();
                let name = format!("{}_{}", entry.model_folder, entry.date.replace('_', "-"));
                (entry, date, name)
            }
            RunChoice::Date { date, model } => {
                let entry = runs::find_by_date(&logs_folder, model, date)?;
                let name = format!("{}_{date}", entry.model_folder);
                (entry, date.clone(), name)
            }
        };
        let mut logs = Vec::new();
        for level in entry.run.levels.keys() {
            if options.levels.is_empty() || options.levels.contains(level) {
                let document = entry.run.level(*level)?;
                let log = LevelLog::read_as(*level, &document).map_err(|error| {
                    let file = entry.run.levels[level].display();
                    WireError::new(ErrorCode::BadFile, format!("{file} is no run log: {error}"))
                })?;
                logs.push(log);
            }
        }
        if logs.is_empty() {
            let folder = entry.run.folder.display();
            return Err(WireError::not_found(format!(
                "{folder} has no log of the chosen levels; run them first"
            )));
        }
        let manifest = entry.run.manifest()?;
        Ok(Run {
            entry,
            manifest,
            logs,
            execution_date,
            folder_name,
        })
    }

    /// The tasks behind the logs, for what the logs leave out: from the pack of the run, else the active one.
    fn dataset(&self, run: &Run) -> Dataset {
        let of_run = run
            .manifest
            .as_ref()
            .and_then(|m| m.pointer("/spec/pack"))
            .and_then(Value::as_str);
        let name = of_run.and_then(|label| Some(label.rsplit_once('@')?.0.to_owned()));
        let Some(pack) = name
            .or_else(|| self.pack_name(None).ok())
            .and_then(|name| self.load_pack(&name).ok())
        else {
            return Dataset::none();
        };
        // Another pack may have other tasks under the same ids: only those whose instruction is the log's count.
        let logged = |id: &str| {
            let mut tasks = run.logs.iter().flat_map(|log| &log.tasks);
            tasks.find(|t| t.id == id).map(|t| t.get("instruction").clone())
        };
        let tasks = pack.tasks.into_values().flatten();
        let same = tasks
            .filter(|task| logged(&task.id).is_some_and(|text| text.as_str() == Some(task.instruction())));
        Dataset::of(same.map(|task| Value::Object(task.raw)))
    }

    /// Asks the judges what is not known yet. Beside the verdicts: a sentence on those that failed, when some did.
    async fn ask_judges(
        &self,
        asking: &Asking<'_>,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &Cancel,
    ) -> Result<(Verdicts, Option<String>), WireError> {
        let Asking {
            run,
            dataset,
            options,
            base_url,
        } = *asking;
        let yaml = self.judge_prompts(run)?;
        let prompts = JudgePrompts::parse(&yaml).map_err(|error| {
            WireError::new(ErrorCode::BadFile, format!("the pack's judge prompts: {error}"))
        })?;
        let asked = questions(&run.logs, dataset, &prompts, options);
        let mut judges = Vec::new();
        for id in &options.panel.judges {
            let model = self.open_model(id, base_url, None, &[]).await?;
            model.check().await?;
            let model = self.gated_judge(model, id, base_url, JUDGE_CONCURRENCY)?;
            judges.push((id.clone(), model));
        }
        let panel = judging::Panel {
            judges,
            concurrency: JUDGE_CONCURRENCY,
            timeout: Duration::from_secs(JUDGE_TIMEOUT_S),
            retry: RetryPolicy::default(),
        };
        let store = self.store()?;
        // Two servers may serve different models under one name, and one question can be asked several times (votes).
        let prompt_version = sha256_hex(&format!("{yaml}\n{}", base_url.unwrap_or_default()));
        let hashes: Vec<String> = asked.iter().map(JudgeQuestion::hash).collect();
        let version = |ballot: Ballot| format!("{prompt_version}#{}", ballot.vote);
        let total = judging::ballots(&asked, panel.judges.len()).len();
        let done = AtomicUsize::new(0);
        let count = || {
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        };
        let known = |ballot: Ballot| {
            let version = version(ballot);
            let judge = panel.judges[ballot.judge].0.as_str();
            let key = VerdictKey {
                question_hash: &hashes[ballot.question],
                judge,
                prompt_version: &version,
            };
            let verdict = serde_json::from_value::<Verdict>(store.verdict(key).ok()??).ok()?;
            count();
            Some(verdict)
        };
        let mut refused = None;
        let came = |ballot: Ballot, verdict: &Verdict| {
            count();
            if verdict.failure().is_some() {
                return;
            }
            let version = version(ballot);
            let key = VerdictKey {
                question_hash: &hashes[ballot.question],
                judge: &verdict.judge,
                prompt_version: &version,
            };
            let kept = serde_json::to_value(verdict).map_err(WireError::internal);
            if let Err(error) = kept.and_then(|value| Ok(store.keep_verdict(key, &value)?)) {
                refused.get_or_insert(error);
            }
        };
        let ballots = judge(&asked, &panel, known, came, cancel)
            .await
            .map_err(|_| WireError::new(ErrorCode::Cancelled, "cancelled; the verdicts so far are kept"))?;
        if let Some(error) = refused {
            return Err(error);
        }
        let failed = failed_judges(&ballots, options.scorer)?;
        let mut verdicts = Verdicts::none();
        for (ballot, verdict) in ballots {
            verdicts.add(&asked[ballot.question].task_id, verdict);
        }
        Ok((verdicts, failed))
    }

    fn judge_prompts(&self, run: &Run) -> Result<String, WireError> {
        let label = run
            .manifest
            .as_ref()
            .and_then(|m| m.pointer("/spec/pack"))
            .and_then(Value::as_str);
        let name = match label.and_then(|label| label.rsplit_once('@')) {
            Some((name, _)) => name.to_owned(),
            None => self.pack_name(None)?,
        };
        let pack = self.load_pack(&name)?;
        if pack.judge_prompts.trim().is_empty() {
            return Err(WireError::not_found(format!(
                "pack {name} has no judge prompts; score with --no-judge"
            )));
        }
        Ok(pack.judge_prompts)
    }

    fn write_reports(
        &self,
        options: &EvaluateOptions,
        run: &Run,
        dataset: &Dataset,
        verdicts: &Verdicts,
        evaluation: EvaluationOptions,
        notes: Vec<String>,
    ) -> Result<ReportView, WireError> {
        let report = |metrics: MetricSet| -> Report {
            evaluate(
                &run.logs,
                dataset,
                verdicts,
                &EvaluationOptions {
                    metrics,
                    ..evaluation.clone()
                },
            )
        };
        // The composite needs the two metrics that the published set leaves out.
        let full = report(MetricSet::All);
        let published = if options.all_metrics {
            full.clone()
        } else {
            report(MetricSet::Head)
        };
        let reports = options.output.clone().unwrap_or_else(|| self.home().reports());
        let id = report_name(options, run, &full, &reports);
        let folder = reports.join(&id);
        let around = Around {
            id,
            folder: absolute(&folder),
            notes,
            manifest: run.manifest.as_ref(),
            all_metrics: options.all_metrics,
        };
        let view = view(&full, around);
        let wanted = |wanted: bool, text: &dyn Fn() -> String| wanted.then(text);
        let json = wanted(options.formats.json, &|| to_json(&published));
        let csv = wanted(options.formats.csv, &|| to_csv(&published));
        let markdown = wanted(options.formats.markdown, &|| to_markdown(&published));
        let shown = serde_json::to_string_pretty(&view).map_err(WireError::internal)?;
        let texts = ReportTexts {
            json: json.as_deref(),
            csv: csv.as_deref(),
            markdown: markdown.as_deref(),
            view: Some(&shown),
        };
        report_files::write(&folder, texts)?;
        Ok(view)
    }

    /// The folder of a run of this process, by the id that the window minted.
    pub(crate) fn folder_of(&self, run: &str) -> Option<String> {
        self.live_run(run)?.folder()
    }
}

/// A run as people know it: the last two parts of its id or folder.
fn run_id(run: &RunChoice) -> String {
    let (RunChoice::Run(text) | RunChoice::Date { model: text, .. }) = run;
    let parts: Vec<&str> = text.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// What the judges are asked about.
#[derive(Clone, Copy)]
struct Asking<'a> {
    run: &'a Run,
    dataset: &'a Dataset,
    options: &'a EvaluationOptions,
    base_url: Option<&'a str>,
}

/// Name of a report's folder. Only a whole, judged or first report has the published name: whatever is narrower stands
/// beside it and is not combined with others.
fn report_name(options: &EvaluateOptions, run: &Run, report: &Report, reports: &Path) -> String {
    let mut name = run.folder_name.clone();
    if report.scorer == Scorer::Corrected {
        name.push_str(".corrected");
    }
    if !options.levels.is_empty() || options.sample.is_some() {
        let levels: String = run.logs.iter().map(|log| log.level.to_string()).collect();
        let sample = options.sample.map(|n| format!("-first{n}")).unwrap_or_default();
        name.push_str(&format!(".{levels}{sample}"));
    }
    let judged = |name: &str| {
        let view = report_files::read_view(&reports.join(name)).ok().flatten();
        view.is_some_and(|view| view["judges"].as_array().is_some_and(|judges| !judges.is_empty()))
    };
    if report.judges.is_empty() && judged(&name) {
        name.push_str(".unjudged");
    }
    name
}

/// A sentence on judge answers that failed.
///
/// # Errors
/// When not one judge answered: then nothing was judged at all.
fn failed_judges(ballots: &[(Ballot, Verdict)], scorer: Scorer) -> Result<Option<String>, WireError> {
    let failures: Vec<&str> = ballots
        .iter()
        .filter_map(|(_, verdict)| verdict.failure())
        .collect();
    let Some(first) = failures.first() else {
        return Ok(None);
    };
    if failures.len() == ballots.len() {
        let message = format!(
            "no judge gave an answer that can be used: {first}; check the judge or score with --no-judge"
        );
        return Err(WireError::new(ErrorCode::ModelUnreachable, message));
    }
    let treated = match scorer {
        Scorer::Leaderboard => "count as no or grade 1, as published",
        Scorer::Corrected => "leave their tasks unscored",
    };
    Ok(Some(format!(
        "{} of {} judge answers failed and {treated}: {first}; score again to ask for them again",
        failures.len(),
        ballots.len()
    )))
}

/// A sentence on each judge that grades a model of its own maker: judges favour their kind.
fn own_kind(run: &Run, judges: &[String]) -> Vec<String> {
    let logged = run
        .logs
        .iter()
        .find_map(|log| log.metadata.get("model").and_then(Value::as_str));
    let Some(maker) = logged.and_then(family) else {
        return Vec::new();
    };
    let own = judges.iter().filter(|judge| family(judge) == Some(maker));
    own.map(|judge| format!("{judge} is of the same maker as the model it judges ({maker})"))
        .collect()
}

/// What a reader of the report must know about its run.
fn run_notes(run: &Run, dataset: &Dataset) -> Vec<String> {
    let mut notes = Vec::new();
    let number = |path: &str| {
        run.manifest
            .as_ref()
            .and_then(|m| m.pointer(path))
            .and_then(Value::as_u64)
    };
    if let (Some(planned), Some(done)) = (number("/attempts/planned"), number("/attempts/done"))
        && done < planned
    {
        notes.push(format!(
            "the run is incomplete: {done} of {planned} attempts were made; go on with `koab run --resume`"
        ));
    }
    if let Some(failed) = number("/attempts/failed").filter(|failed| *failed > 0) {
        notes.push(format!(
            "{failed} attempts failed for technical reasons (server, time limit), not by the model's doing"
        ));
    }
    if let Some(misses) = number("/cache/miss").filter(|misses| *misses > 0) {
        notes.push(format!(
            "{misses} tool calls had no recorded response in the pack"
        ));
    }
    if let Some(steps) = number("/steps_without_usage").filter(|steps| *steps > 0) {
        notes.push(format!(
            "no token counts were reported for {steps} model calls; token figures leave them out"
        ));
    }
    if run.manifest.is_some() && dataset.is_empty() {
        notes.push(
            "the run's pack is not installed: the corrected scorer does without the dataset's fields"
                .to_owned(),
        );
    }
    notes
}

fn absolute(folder: &Path) -> String {
    std::path::absolute(folder)
        .unwrap_or_else(|_| PathBuf::from(folder))
        .display()
        .to_string()
}

fn evaluation_options(options: &EvaluateOptions, run: &Run, scorer: Protocol) -> EvaluationOptions {
    EvaluationOptions {
        model: None,
        scorer: Scorer::from(scorer),
        metrics: MetricSet::All,
        panel: Panel {
            judges: Vec::new(),
            votes: options.votes as usize,
            aggregate: match options.aggregate {
                AggregateChoice::Mean => Aggregate::Mean,
                AggregateChoice::Median => Aggregate::Median,
            },
        },
        execution_date: run.execution_date.clone(),
        evaluation_date: options
            .evaluation_date
            .clone()
            .unwrap_or_else(|| SystemClock.local_iso()),
        sample_size: options.sample,
    }
}

fn replay(file: &Path, run: &Run) -> Result<Verdicts, WireError> {
    let bad = |why: String| WireError::new(ErrorCode::BadFile, format!("{}: {why}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| bad(format!("cannot be read: {error}")))?;
    let document: Value =
        serde_json::from_str(&text).map_err(|error| bad(format!("is not JSON: {error}")))?;
    Verdicts::from_replay(&document, &run.entry.model_folder).map_err(|error| bad(error.to_string()))
}
