//! Selects the verdicts that the scores of a task use: the verdicts in the run's reports, or
//! otherwise stored verdicts. Applies human overrides.

use super::answers::{self, StoredQuestion};
use super::scores::{self, PanelVerdicts, ScoredTask};
use super::{OpenRun, judge_texts};
use crate::Library;
use crate::reports::report_file::published;
use crate::verdict_file;
use crate::wire::{JudgeQuestionText, JudgeVerdict, MetricScore, MetricScores, Overridden, ReportUsed};
use koab_core::judge::{JudgePrompts, Panel, Verdict, Verdicts};
use koab_core::level::Level;
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_report::ReadReport;
use koab_store::report_files;
use koab_store::runs::RunEntry;
use koab_workspace::WireError;
use std::path::Path;
use std::sync::Arc;

const SCORERS: [Protocol; 2] = [Protocol::Leaderboard, Protocol::Corrected];

/// A report that may contain verdicts.
pub struct Candidate {
    /// Report id.
    pub id: String,
    /// Content of the report.
    pub read: Arc<ReadReport>,
}

#[derive(Default)]
pub(super) struct JudgingPart {
    pub(super) metrics: Vec<MetricScores>,
    pub(super) verdicts: Vec<JudgeVerdict>,
    pub(super) questions: Vec<JudgeQuestionText>,
    pub(super) reports: Vec<ReportUsed>,
}

impl Library {
    pub(super) fn judged(
        &self,
        opened: &OpenRun,
        level: &Level,
        task: &str,
        report: Option<&str>,
        scored: Option<&ScoredTask<'_>>,
        pack: Option<&Pack>,
    ) -> Result<JudgingPart, WireError> {
        let mut part = JudgingPart::default();
        let Some(scored) = scored else { return Ok(part) };
        let mut recorded = [(); 2].map(|()| PanelVerdicts::default());
        // Judges by scorer, from the reports. A scorer without a report uses the other one's.
        let mut judges: [Vec<String>; 2] = Default::default();
        for candidate in self.reports_of(&opened.entry, report)? {
            let recorded_by = &candidate.read.report;
            let scorer = recorded_by.scorer;
            let of_scorer = usize::from(scorer == Protocol::Corrected);
            if judges[of_scorer].is_empty() {
                judges[of_scorer].clone_from(&recorded_by.judges);
            }
            if !recorded[of_scorer].verdicts.is_empty() {
                continue;
            }
            let in_report = verdicts_in(&self.workspace.home().reports(), &candidate, level, task)?;
            if in_report.is_empty() {
                continue;
            }
            let rows = judge_texts::shown(&in_report, &candidate.id, scorer);
            let mut verdicts = Verdicts::none();
            for verdict in in_report {
                verdicts.add(task, verdict);
            }
            recorded[of_scorer] = PanelVerdicts {
                panel: Panel {
                    votes: judge_texts::votes(&rows).unwrap_or(Panel::default().votes),
                    ..Panel::default()
                },
                verdicts,
            };
            part.verdicts.extend(rows);
            part.reports.push(ReportUsed { id: candidate.id, scorer });
        }
        let votes = judge_texts::votes(&part.verdicts);
        let prompts = match scored.items {
            Some(_) => Some(JudgePrompts::none()),
            None => pack.and_then(|pack| JudgePrompts::parse(&pack.judge_prompts).ok()),
        };
        let questions = prompts.map(|prompts| asked_about(self, scored, &prompts)).transpose()?;
        let questions = questions.unwrap_or_default();
        let [leaderboard, corrected] = [0, 1].map(|i| {
            let names = [i, 1 - i].map(|i| &judges[i]).into_iter().find(|names| !names.is_empty());
            let of_scorer: Vec<&StoredQuestion> =
                questions.iter().filter(|question| question.scorer == SCORERS[i]).collect();
            let stored = answers::panel_verdicts(&of_scorer, task, names.map(Vec::as_slice), votes);
            column(scored, SCORERS[i], &recorded[i], &stored, &of_scorer)
        });
        part.metrics = scores::beside(level, leaderboard, corrected);
        // A report also has a score where no question was asked, which is not a verdict.
        let metrics = &part.metrics;
        part.verdicts.retain(|verdict| {
            let of_metric = metrics.iter().find(|scores| scores.metric == verdict.metric);
            of_metric.is_some_and(|scores| match verdict.scorer {
                Protocol::Leaderboard => scores.leaderboard.asks_judge,
                Protocol::Corrected => scores.corrected.asks_judge,
            })
        });
        part.questions = questions
            .into_iter()
            .map(|stored| JudgeQuestionText {
                metric: stored.question.metric,
                scorer: stored.scorer,
                prompt: stored.question.prompt,
            })
            .collect();
        Ok(part)
    }

    /// Returns the verdicts on a task that the run's reports contain and this workspace has not
    /// stored. Imported reports have such verdicts.
    ///
    /// # Errors
    /// When the run or task does not exist, or a report cannot be read.
    pub fn verdicts_in_reports(&self, run: &str, task: &str) -> Result<Vec<JudgeVerdict>, WireError> {
        let stored = self.verdicts_of_task(run, task)?;
        let opened = self.open_run(&stored.run)?;
        let level = self.level_of(&opened, task, &opened.journal.of_task(task))?;
        let mut in_reports: Vec<JudgeVerdict> = Vec::new();
        for candidate in self.reports_of(&opened.entry, None)? {
            let report = &candidate.read.report;
            let verdicts = verdicts_in(&self.workspace.home().reports(), &candidate, &level, task)?;
            let mut rows = judge_texts::shown(&verdicts, &candidate.id, report.scorer);
            // A report that was scored from another one's verdicts repeats them.
            rows.retain(|verdict| !in_reports.iter().any(|other| judge_texts::is_repeated(other, verdict)));
            in_reports.extend(rows);
        }
        // A report also has a score where no question was asked, which is not a verdict.
        in_reports.retain(|verdict| {
            let mut questions = stored.questions.iter();
            questions.any(|question| {
                let is_kept = question.verdicts.iter().any(|kept| kept.judge == verdict.judge);
                question.metric == verdict.metric && question.scorers.contains(&verdict.scorer) && !is_kept
            })
        });
        Ok(in_reports)
    }

    /// Returns the reports that may contain verdicts on a run, the best first. The requested report
    /// is first. Then follow the reports named after the run, complete ones before partial ones.
    pub fn reports_of(&self, entry: &RunEntry, asked: Option<&str>) -> Result<Vec<Candidate>, WireError> {
        let reports = self.workspace.home().reports();
        let (model, date) = (&entry.model_folder, entry.date.replace('_', "-"));
        let day = date.get(..8).unwrap_or(&date);
        let names_run = |id: &str| {
            let rest = id.strip_prefix(model.as_str()).and_then(|rest| rest.strip_prefix('_'));
            rest.is_some_and(|rest| {
                let date_part = rest.split('.').next().unwrap_or(rest);
                date_part == date || date_part == day
            })
        };
        let mut folders = report_files::list(&reports)?;
        folders.retain(|report| asked == Some(report.id.as_str()) || names_run(&report.id));
        folders.sort_by_key(|report| (asked != Some(report.id.as_str()), report.id.len()));
        if let Some(asked) = asked
            && folders.first().is_none_or(|report| report.id != asked)
        {
            return Err(WireError::not_found(say!("there is no report {asked}")));
        }
        let mut candidates = Vec::new();
        for report in folders {
            let path = report.folder.join(report_files::JSON);
            if !path.is_file() {
                continue;
            }
            let read = self.inner.kept.reports.file(&path, || {
                published(&report.folder)?.ok_or_else(|| {
                    WireError::not_found(say!("the report {} is not there any more", report.id))
                })
            })?;
            candidates.push(Candidate { id: report.id, read });
        }
        Ok(candidates)
    }
}

/// Returns the questions that either scorer has about the task, with the stored answers and
/// overrides.
fn asked_about(
    library: &Library,
    scored: &ScoredTask<'_>,
    prompts: &JudgePrompts,
) -> Result<Vec<StoredQuestion>, WireError> {
    let overrides = library.holding()?;
    let questions = scores::questions(scored, prompts).into_iter();
    questions
        .map(|(scorer, question)| {
            let hash = question.hash();
            let on = overrides.iter().filter(|entry| entry.question_hash == hash);
            Ok(StoredQuestion {
                scorer,
                overrides: on.cloned().collect(),
                kept: library.workspace.store()?.verdicts_on(&hash)?,
                question,
            })
        })
        .collect()
}

/// Returns the verdicts of a report on a task. A report of another benchmark has them in its
/// verdict file.
fn verdicts_in(
    reports: &Path,
    candidate: &Candidate,
    level: &Level,
    task: &str,
) -> Result<Vec<Verdict>, WireError> {
    if level.place().is_some() {
        return Ok(judge_texts::of_report(&candidate.read.report, level, task));
    }
    let folder = reports.join(&candidate.id);
    Ok(verdict_file::read(&folder)?.about(task, MetricId::Sr).to_vec())
}

/// Returns the scores under one scorer.
///
/// Verdicts in reports take precedence over stored verdicts. If both result in the same score, the
/// stored verdicts are used, because they contain more details.
fn column(
    scored: &ScoredTask<'_>,
    scorer: Protocol,
    recorded: &PanelVerdicts,
    stored: &PanelVerdicts,
    asked: &[&StoredQuestion],
) -> Vec<MetricScore> {
    let task = &scored.task.id;
    let by_report = scores::column(scored, scorer, recorded);
    if stored.verdicts.is_empty() && asked.iter().all(|asked| asked.overrides.is_empty()) {
        return by_report;
    }
    let by_store = scores::column(scored, scorer, stored);
    let replaced = [recorded, stored].map(|verdicts| answers::overridden(asked, task, verdicts));
    let over = replaced.each_ref().map(|(verdicts, metrics)| {
        if metrics.is_empty() { Vec::new() } else { scores::column(scored, scorer, verdicts) }
    });
    let chosen = scores::metrics(&scored.log.level).zip(by_report.into_iter().zip(by_store));
    let chosen = chosen.enumerate().map(|(place, (metric, (report, store)))| {
        let has = |verdicts: &Verdicts, id: MetricId| !verdicts.about(task, id).is_empty();
        let in_store = has(&stored.verdicts, metric.id);
        let takes_store = in_store && (!has(&recorded.verdicts, metric.id) || store.value == report.value);
        let from = usize::from(takes_store);
        let mut score = if takes_store { store } else { report };
        if replaced[from].1.contains(&metric.id) {
            score.overridden = over[from]
                .get(place)
                .map(|over| Overridden { value: over.value, reason: over.reason.clone() });
        }
        score
    });
    chosen.collect()
}
