//! Scores a report again from the content of a bundle and compares it with the report in the
//! bundle.

use super::check::{CheckName, Findings};
use super::contents::{Contents, REPORT_CSV, REPORT_JSON, REPORT_MD, ReportTexts};
use super::names;
use super::texts::{LISTED, cut, differences, in_one_order};
use super::verdict_line::VerdictLine;
use super::verdicts;
use koab_core::judge::{JudgePrompts, JudgeQuestion, Panel, PromptError, Verdict, Verdicts};
use koab_core::log::LevelLog;
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::run_record::RunManifest;
use koab_core::say;
use koab_core::score::{MetricSet, Score, metrics_of};
use koab_report::{
    BenchmarkTables, Dataset, Evaluated, EvaluationOptions, ItemRows, Report, evaluate_whole, questions,
    read_json, to_csv, to_json, to_markdown_of, verdicts_of,
};
use serde_json::Value;

/// A report that was scored again.
#[derive(Clone, Debug)]
pub struct Recomputed {
    /// The report after the new scoring.
    pub report: Report,
    /// Rows with the result of each item of another benchmark.
    pub items: Vec<ItemRows>,
    /// Tables in the format that the authors of the benchmark use.
    pub tables: Option<BenchmarkTables>,
    /// Content of `evaluation_report.json`.
    pub json: String,
    /// Content of `evaluation_summary.csv`.
    pub csv: String,
    /// Content of `evaluation_report.md`.
    pub markdown: String,
    /// Number of task scores and level means in the report.
    pub values: usize,
    /// Number of values that depend on judges.
    pub judged: usize,
}

/// Logs, data set and options for scoring a report again.
pub(super) struct Basis {
    pub(super) logs: Vec<LevelLog>,
    pub(super) dataset: Dataset,
    pub(super) options: EvaluationOptions,
}

impl Basis {
    /// Input for scoring an existing report again: the logs of its levels, tasks of the pack, and
    /// the report's own settings.
    ///
    /// A task of the pack is used only if its instruction is the same as in the log.
    pub(super) fn from_report(
        report: &Report,
        judges_named: bool,
        logs: &[LevelLog],
        pack: &Pack,
        items: Option<&Dataset>,
    ) -> Self {
        let of_report = |log: &&LevelLog| report.levels.iter().any(|level| level.level == log.level);
        let logs: Vec<LevelLog> = logs.iter().filter(of_report).cloned().collect();
        let logged = |id: &str| {
            let mut tasks = logs.iter().flat_map(|log| &log.tasks);
            tasks.find(|task| task.id == id).map(|task| task.get("instruction").clone())
        };
        // Another pack may have other tasks under the same ids. Only tasks with the instruction of
        // the log count.
        let tasks = pack.tasks.values().flatten();
        let same = tasks
            .filter(|task| logged(&task.id).is_some_and(|text| text.as_str() == Some(task.instruction())));
        let dataset = items
            .cloned()
            .unwrap_or_else(|| Dataset::from_tasks(same.map(|task| Value::Object(task.raw.clone()))));
        let options = EvaluationOptions {
            model: None,
            scorer: report.scorer,
            metrics: MetricSet::All,
            panel: Panel {
                judges: if judges_named { report.judges.clone() } else { Vec::new() },
                votes: report.votes,
                aggregate: report.aggregate,
                base_url: report.judge_base_url.clone(),
            },
            execution_date: report.execution_date.clone(),
            evaluation_date: report.evaluation_date.clone(),
            sample_size: report.sample_size,
        };
        Self { logs, dataset, options }
    }

    /// Input for scoring a report of this run. If an agent drove the run, the report's model also
    /// names the agent.
    fn of_run(self, run: Option<&RunManifest>) -> Self {
        let agent = run.and_then(|run| Some((run.spec.agent.as_ref()?, run)));
        let model = agent.map(|(agent, run)| format!("{} · {}", agent.label(), run.model));
        let options = EvaluationOptions { model, ..self.options };
        Self { options, ..self }
    }

    /// Questions that the judges of the report answered.
    pub(super) fn questions(&self, prompts: &JudgePrompts) -> Vec<JudgeQuestion> {
        questions(&self.logs, &self.dataset, prompts, &self.options)
    }

    /// Scores the report with these verdicts and metrics.
    pub(super) fn score(&self, verdicts: &Verdicts, metrics: MetricSet) -> Evaluated {
        let options = EvaluationOptions { metrics, ..self.options.clone() };
        evaluate_whole(&self.logs, &self.dataset, verdicts, &options)
    }
}

/// Scores a report again.
///
/// `report` is the existing report. The other arguments are its logs, its tasks or the items of
/// another benchmark, and its verdicts.
pub fn recompute(
    report: &Report,
    judges_named: bool,
    logs: &[LevelLog],
    pack: &Pack,
    items: Option<&Dataset>,
    verdicts: &Verdicts,
) -> Recomputed {
    Recomputed::new(
        Basis::from_report(report, judges_named, logs, pack, items).score(verdicts, report.metrics),
    )
}

impl Recomputed {
    fn new(evaluated: Evaluated) -> Self {
        let Evaluated { report, items, tables } = evaluated;
        let (mut values, mut judged) = (0, 0);
        for level in &report.levels {
            if level.level.place().is_none() {
                let count = level.tasks.len() + level.means.len();
                values += count;
                judged += if report.judges.is_empty() { 0 } else { count };
                continue;
            }
            for metric in metrics_of(&level.level, report.metrics) {
                let count = level.tasks.len() + usize::from(level.mean(metric.id).is_some());
                values += count;
                // Without judges such a metric has no score, which follows from the logs.
                judged += if metric.is_judged() && !report.judges.is_empty() { count } else { 0 };
            }
            // The level also has a share of answered tasks.
            values += 1;
        }
        Self {
            json: to_json(&report),
            csv: to_csv(&report),
            markdown: to_markdown_of(&report, tables.as_ref()),
            report,
            items,
            tables,
            values,
            judged,
        }
    }
}

/// Verdicts that a report is based on, as lines for a bundle.
///
/// `kept` returns the stored answers of judges to a question, with votes in their order. If these
/// answers do not result in the report's own score, the answers in the report itself are used. This
/// happens if another server judged later, or if no answer was stored because answers were
/// replayed.
pub fn verdicts_behind(
    report: &Report,
    judges_named: bool,
    contents: &Contents,
    kept: &dyn Fn(&JudgeQuestion) -> Vec<Verdict>,
) -> Vec<VerdictLine> {
    let logs = contents.level_logs();
    let items = contents.dataset.as_ref();
    let basis =
        Basis::from_report(report, judges_named, &logs, &contents.pack, items).of_run(contents.run.as_ref());
    let Ok(prompts) = prompts_of(contents) else {
        return Vec::new();
    };
    let questions = basis.questions(&prompts);
    let report_verdicts = verdicts_of(report);
    let mut from_store = Verdicts::none();
    for question in &questions {
        let by_judges = kept(question).into_iter();
        for verdict in by_judges.filter(|verdict| report.judges.contains(&verdict.judge)) {
            from_store.add(&question.task_id, verdict);
        }
    }
    let scored = basis.score(&from_store, MetricSet::All).report;
    let score = |report: &Report, question: &JudgeQuestion| -> Option<Score> {
        let level = report.level(&question.level)?;
        let task = level.tasks.iter().find(|task| task.id == question.task_id)?;
        let scores = task.scores.iter();
        let mut of_metric = scores.filter(|(metric, _)| *metric == question.metric);
        of_metric.next().map(|(_, score)| score.clone())
    };
    let mut used_verdicts = Verdicts::none();
    for question in &questions {
        let same = score(&scored, question) == score(report, question);
        // A report of another benchmark has no single verdicts.
        let tells = !report_verdicts.about(&question.task_id, question.metric).is_empty();
        let source = if same || !tells { &from_store } else { &report_verdicts };
        for verdict in source.about(&question.task_id, question.metric) {
            used_verdicts.add(&question.task_id, verdict.clone());
        }
    }
    verdicts::of_report(&questions, &used_verdicts)
}

/// Prompts of the judges. Another benchmark has none, because it has its own questions.
fn prompts_of(contents: &Contents) -> Result<JudgePrompts, PromptError> {
    match &contents.dataset {
        Some(_) => Ok(JudgePrompts::none()),
        None => JudgePrompts::parse(&contents.pack.judge_prompts),
    }
}

/// Reads a report of the bundle, scores it again and compares both reports.
pub(super) fn check(
    scorer: Protocol,
    judges_named: bool,
    contents: &Contents,
    texts: &ReportTexts,
    findings: &mut Findings,
) -> Option<Recomputed> {
    let place = names::report(scorer, REPORT_JSON);
    let Some(json) = &texts.json else {
        let sentence = say!("the manifest lists this report and the bundle does not contain it");
        findings.failed(CheckName::Reports, place, sentence);
        return None;
    };
    let stored = match read_json(json) {
        Ok(read) => read.report,
        Err(error) => {
            findings.failed(CheckName::Reports, place, say!("is not a report: {error}"));
            return None;
        }
    };
    if stored.scorer != scorer {
        let sentence = say!(
            "is in the place of the other scorer's report: it was scored by the {stated} rules",
            stated = stored.scorer.as_str().to_owned()
        );
        findings.failed(CheckName::Reports, place, sentence);
        return None;
    }
    let logs = contents.level_logs();
    for level in &stored.levels {
        if !logs.iter().any(|log| log.level == level.level) {
            let sentence = say!("has {level}, of which the bundle holds no log", level = level.level);
            findings.failed(CheckName::Reports, &place, sentence);
        }
    }
    let items = contents.dataset.as_ref();
    let basis =
        Basis::from_report(&stored, judges_named, &logs, &contents.pack, items).of_run(contents.run.as_ref());
    let questions = match prompts_of(contents) {
        Ok(prompts) => basis.questions(&prompts),
        Err(error) => {
            if !stored.judges.is_empty() {
                let sentence = say!("the prompts of the judges cannot be used: {error}");
                findings.failed(CheckName::Pack, names::PROMPTS, sentence);
            }
            Vec::new()
        }
    };
    let verdicts = verdicts::check(contents, scorer, &stored, &questions, findings);
    let again = Recomputed::new(basis.score(&verdicts, stored.metrics));
    if again.report.model != stored.model {
        let sentence = say!(
            "is of the model {here}, and the run is of {there}",
            here = stored.model,
            there = again.report.model
        );
        findings.failed(CheckName::Reports, &place, sentence);
    }
    compare(scorer, json, texts, &again, findings);
    Some(again)
}

/// Whether a new scoring with the judges that the report names has the same result. Then these
/// judges did judge, and a bundle must not claim the opposite.
pub(super) fn comes_out_by_name(scorer: Protocol, contents: &Contents, texts: &ReportTexts) -> bool {
    let Some(stored) = texts.report() else {
        return false;
    };
    let lines = contents.verdicts.get(&scorer).into_iter().flatten();
    let verdicts = verdicts::of_lines(lines.map(|(_, line)| line));
    let items = contents.dataset.as_ref();
    let again = recompute(&stored, true, &contents.level_logs(), &contents.pack, items, &verdicts);
    again.report.levels == stored.levels
}

fn compare(scorer: Protocol, json: &[u8], texts: &ReportTexts, again: &Recomputed, findings: &mut Findings) {
    let before = findings.failures();
    let (metrics, judged) = (again.values, again.judged);
    let mut agreement = say!(
        "{metrics} values are the same when they are computed again, bit for bit, {judged} of them from the verdicts"
    );
    let place = names::report(scorer, REPORT_JSON);
    if json != again.json.as_bytes() {
        let read = |text: &[u8]| {
            let mut value: Value = serde_json::from_slice(text).unwrap_or_default();
            in_one_order(&mut value);
            value
        };
        let (here, there) = (read(json), read(again.json.as_bytes()));
        let changes = differences(&named(here.clone()), &named(there.clone()));
        if changes.is_empty() && same_text(&here, &there) {
            agreement = say!(
                "{metrics} values are the same when they are computed again, bit for bit, {judged} of them from the verdicts; lists without an order are in a different order"
            );
        } else if changes.is_empty() {
            let sentence =
                say!("has the content of the scoring, but not in the form in which reports are written");
            findings.failed(CheckName::Reports, &place, sentence);
        }
        for change in changes {
            let sentence = say!(
                "{at} is {here}, and computing it again gives {there}",
                at = change.at,
                here = cut(&change.here),
                there = cut(&change.there)
            );
            findings.failed(CheckName::Reports, &place, sentence);
        }
    }
    for (file, text, wanted) in
        [(REPORT_CSV, &texts.csv, &again.csv), (REPORT_MD, &texts.markdown, &again.markdown)]
    {
        if let Some(text) = text {
            compare_lines(&names::report(scorer, file), text, wanted, findings);
        }
    }
    findings.held_since(before, CheckName::Reports, place, agreement);
}

/// Whether two values have the same text. Equal values with different texts (such as `1` and `1.0`,
/// or another order of keys) count as changed.
fn same_text(here: &Value, there: &Value) -> bool {
    let (here, there) = (here.to_string(), there.to_string());
    here == there
}

/// The report as JSON with its tasks by id, so that the path of a difference contains the task's
/// id.
fn named(mut report: Value) -> Value {
    let levels = report["by_level"].as_object_mut().into_iter().flatten();
    for (_, level) in levels {
        let tasks = level["task_evaluations"].take();
        let tasks = tasks.as_array().into_iter().flatten();
        let by_id = tasks.enumerate().map(|(at, task)| {
            let id = task["task_id"].as_str().map_or_else(|| at.to_string(), str::to_owned);
            (id, task.clone())
        });
        level["task_evaluations"] = Value::Object(by_id.collect());
    }
    report
}

fn compare_lines(place: &str, text: &[u8], wanted: &str, findings: &mut Findings) {
    if text == wanted.as_bytes() {
        return;
    }
    let text = String::from_utf8_lossy(text);
    let (mut here, mut there) = (text.split('\n'), wanted.split('\n'));
    let (mut number, mut listed) = (0, 0);
    loop {
        number += 1;
        let (one, other) = (here.next(), there.next());
        if one.is_none() && other.is_none() {
            break;
        }
        if one != other && listed < LISTED {
            listed += 1;
            let shortened = |side: Option<&str>| cut(side.unwrap_or_default().trim_end());
            let sentence = say!(
                "line {line} is `{here}`, and computing it again gives `{there}`",
                line = number,
                here = shortened(one),
                there = shortened(other)
            );
            findings.failed(CheckName::Reports, place, sentence);
        }
    }
}
