//! A submission that a maintainer would take: 91 tasks, one call and an answer each, judged by the published judge.

use super::PackTasks;
use crate::submission::{
    Files, JudgedBy, Methodology, ModelType, Names, Submission, Times, Verification, Versions, paths, write,
};
use koab_core::event::AnswerSource;
use koab_core::judge::{Answer, Opinion, Panel, Verdict, Verdicts};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::protocol::Protocol;
use koab_core::python::{Dumps, dumps};
use koab_core::run_record::published::{LogHeader, TaskAttempts, level_log};
use koab_core::run_record::{AttemptRecord, CallRecord, StepRecord, StopReason, TokenUsage};
use koab_core::score::MetricId;
use koab_core::task::Task;
use koab_report::comparability::examples::published_like;
use koab_report::comparability::{
    Fact, Facts, LevelCalls, PUBLISHED_JUDGE, PUBLISHED_PROMPTS, PUBLISHED_TASKS_A_LEVEL,
};
use koab_report::{Dataset, EvaluationOptions, evaluate, to_csv, to_json, to_markdown};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const FOLDER: &str = "lab_model";
const DATE: &str = "20261120_090000";

pub(super) struct Example {
    pub(super) model: String,
    pub(super) names: Names,
    pub(super) facts: Facts,
    pub(super) prompts: Fact<String>,
    pub(super) status: Option<String>,
    pub(super) options: EvaluationOptions,
    pub(super) timestamp: String,
    /// Task whose judges did not answer.
    pub(super) silenced: Option<&'static str>,
    /// Task whose judges gave the worst grade.
    pub(super) worst: Option<&'static str>,
    made: Vec<(Task, AttemptRecord)>,
    left_out: fn(&Level, u32) -> bool,
}

/// As logs and reports are written.
pub(super) fn published(value: &Value) -> String {
    let how = Dumps { indent: Some(2), ..Dumps::default() };
    dumps(value, how)
}

impl Example {
    pub(super) fn new() -> Self {
        let mut facts = published_like();
        let mut made = Vec::new();
        for (level, count) in PUBLISHED_TASKS_A_LEVEL {
            made.extend((1..=count).map(|n| attempt(&level, n)));
        }
        facts.calls.value.as_mut().unwrap().levels =
            vec![LevelCalls { attempts: 91, hit: 91, ..LevelCalls::none(Some(Level::L1)) }];
        Self {
            model: "lab/model".to_owned(),
            names: Names {
                model: "model".to_owned(),
                vendor: "Lab".to_owned(),
                model_type: Some(ModelType::Api),
                contact: "lab@example.org".to_owned(),
                ..Names::default()
            },
            facts,
            prompts: Fact::known(PUBLISHED_PROMPTS.to_owned()),
            status: Some("completed".to_owned()),
            options: EvaluationOptions {
                panel: Panel { judges: vec![PUBLISHED_JUDGE.to_owned()], ..Panel::default() },
                execution_date: "20261120".to_owned(),
                evaluation_date: "2026-11-20T10:00:00.000000".to_owned(),
                ..EvaluationOptions::default()
            },
            timestamp: "2026-11-20T09:30:00.000000".to_owned(),
            silenced: None,
            worst: None,
            made,
            left_out: |_, _| false,
        }
    }

    pub(super) fn leave_out(&mut self, which: fn(&Level, u32) -> bool) {
        self.left_out = which;
        let number = |task: &Task| task.id[3..].parse::<u32>().unwrap();
        self.made.retain(|(task, _)| !which(&task.level, number(task)));
        let hit = self.made.len() as u32;
        self.facts.calls.value.as_mut().unwrap().levels[0].hit = hit;
    }

    /// So many tasks met a call without an answer.
    pub(super) fn miss(&mut self, count: usize) {
        self.answered(count, AnswerSource::Miss);
        let calls = &mut self.facts.calls.value.as_mut().unwrap().levels[0];
        (calls.touched, calls.miss) = (count as u32, count as u32);
        calls.hit -= count as u32;
    }

    /// So many calls were answered by live APIs.
    pub(super) fn live(&mut self, count: usize) {
        self.answered(count, AnswerSource::Live);
        let calls = &mut self.facts.calls.value.as_mut().unwrap().levels[0];
        calls.live = count as u32;
        calls.hit -= count as u32;
    }

    fn answered(&mut self, count: usize, source: AnswerSource) {
        for (_, record) in self.made.iter_mut().take(count) {
            record.calls[0].source = source;
        }
    }

    pub(super) fn judge(&mut self, judge: Option<&str>) {
        self.options.panel.judges = judge.map(str::to_owned).into_iter().collect();
    }

    pub(super) fn pack(&self) -> PackTasks {
        let mut pack = PackTasks::new();
        for (level, count) in PUBLISHED_TASKS_A_LEVEL {
            let tasks = (1..=count).map(|n| attempt(&level, n).0).collect();
            pack.insert(level, tasks);
        }
        pack
    }

    fn verdicts(&self) -> Verdicts {
        let mut verdicts = Verdicts::none();
        let Some(judge) = self.options.panel.judges.first() else {
            return verdicts;
        };
        for (task, _) in &self.made {
            if self.silenced == Some(task.id.as_str()) {
                continue;
            }
            for (metric, count) in [
                (MetricId::Sr, self.options.panel.votes),
                (MetricId::ArgAcc, 1),
                (MetricId::EffScore, 1),
                (MetricId::ContextRetention, 1),
                (MetricId::RefRecall, 1),
            ] {
                let is_worst = self.worst == Some(task.id.as_str()) && metric == MetricId::RefRecall;
                let opinion = Opinion {
                    success: Some(true),
                    score: Some(if is_worst { 1 } else { 5 }),
                    confidence: None,
                    reason: Some("as asked".to_owned()),
                };
                for _ in 0..count {
                    verdicts.add(
                        &task.id,
                        Verdict { judge: judge.clone(), metric, answer: Answer::Answered(opinion.clone()) },
                    );
                }
            }
        }
        verdicts
    }

    /// Everything that would be handed in.
    pub(super) fn files(&self) -> Files {
        let mut files = Files::new();
        let settings = self.facts.settings.value.as_ref();
        let header = LogHeader {
            model: &self.model,
            timestamp: &self.timestamp,
            protocol: settings.map_or(Protocol::Leaderboard, |settings| settings.run.protocol),
            repetitions: settings.map_or(1, |settings| settings.run.repetitions),
        };
        let mut logs = Vec::new();
        for level in Level::ALL {
            let tasks: Vec<(&Task, TaskAttempts<&AttemptRecord>)> = self
                .made
                .iter()
                .filter(|(task, _)| task.level == level)
                .filter_map(|(task, record)| Some((task, TaskAttempts::from_records(&[record])?)))
                .collect();
            if !tasks.is_empty() {
                let log = level_log(&header, &level, tasks);
                files.put(paths::log(FOLDER, DATE, &level), published(&log));
                logs.push(LevelLog::read_as(level, &log).unwrap());
            }
        }
        let journal: String = self
            .made
            .iter()
            .map(|(_, record)| format!("{}\n", json!({"type": "attempt", "record": record})))
            .collect();
        files.put(paths::of_run(FOLDER, DATE, paths::JOURNAL), journal);
        let report = evaluate(&logs, &Dataset::none(), &self.verdicts(), &self.options);
        for (name, text) in [
            (paths::REPORT, to_json(&report)),
            (paths::SUMMARY, to_csv(&report)),
            (paths::MARKDOWN, to_markdown(&report)),
        ] {
            files.put(paths::of_report(FOLDER, "20261120", name), text);
        }
        write(&mut files, &self.submission(&report), &report, None).unwrap();
        files
    }

    fn submission(&self, report: &koab_report::Report) -> Submission {
        Submission {
            format: crate::submission::FORMAT,
            model_id: self.model.clone(),
            model_folder: FOLDER.to_owned(),
            run: DATE.to_owned(),
            run_status: self.status.clone(),
            submission_date: "2026-11-21".to_owned(),
            submission_type: "standard".to_owned(),
            names: self.names.clone(),
            results: BTreeMap::new(),
            methodology: Methodology {
                evaluation_date: report.evaluation_date.clone(),
                ko_agentbench_version: None,
                notes: String::new(),
                verification: Verification {
                    modified_prompts: Some(false),
                    omitted_questions: Some(false),
                    details: String::new(),
                },
            },
            versions: Versions::default(),
            judged_by: JudgedBy {
                judges: Some(report.judges.clone()),
                votes: report.votes,
                scorer: report.scorer.as_str().to_owned(),
            },
            calls: None,
            times: Times::default(),
            hardware: None,
            facts: self.facts.clone(),
            prompts_sha256: self.prompts.clone(),
            files: Vec::new(),
        }
    }
}

fn attempt(level: &Level, n: u32) -> (Task, AttemptRecord) {
    let id = format!("{level}-{n:03}");
    let mut raw = json!({
        "task_id": id, "instruction": format!("질문 {n}"), "task_level": n, "task_category": "c",
        "golden_action": [{"tool": "A", "args": {"q": "a"}}], "resp_schema": {"type": "string"},
    });
    if *level == Level::L5 {
        raw["fallback_options"] = json!([{"tool": "A", "args": {}}]);
    }
    let call = CallRecord {
        step: 1,
        tool: "A".to_owned(),
        arguments: json!({"q": "a"}),
        unreadable_arguments: None,
        success: true,
        error: None,
        owner: None,
        source: AnswerSource::Hit,
        result: Some(json!({"items": [1]})),
    };
    let step = |step| StepRecord {
        step,
        phase: 1,
        ttft_s: Some(0.1),
        latency_s: 0.5,
        usage: Some(TokenUsage { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }),
        finish: None,
        left_out: None,
        written: None,
    };
    let record = AttemptRecord {
        task: id.clone(),
        level: level.clone(),
        repetition: 1,
        success: true,
        stop: StopReason::Answered,
        error: None,
        took_s: 1.25,
        steps: vec![step(1), step(2)],
        calls: vec![call],
        final_response: Some("답입니다".to_owned()),
        messages: vec![
            json!({"role": "user", "content": "질문"}),
            json!({"role": "assistant", "content": "답입니다"}),
        ],
        agent: None,
    };
    let task = Task { id, level: level.clone(), raw: raw.as_object().unwrap().clone() };
    (task, record)
}
