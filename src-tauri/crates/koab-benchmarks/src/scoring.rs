//! Scoring: computes scores, tables and a report from replies. Runs and imported replies both use
//! it.

use crate::answer::{Answer, Call};
use crate::benchmark::Benchmark;
use crate::difference::Difference;
use crate::item::Item;
use crate::row::Row;
use crate::sizes::GroupSizes;
use crate::table::{Cell, Rules, Table};
use koab_core::judge::{Answer as JudgeAnswer, Inputs, JudgeQuestion, Verdict, Verdicts};
use koab_core::level::{BadGroup, Level};
use koab_core::log::{LevelLog, LoggedTask};
use koab_core::protocol::Protocol;
use koab_core::reason::Reason;
use koab_core::say;
use koab_core::score::{MetricId, Score};
use koab_core::sentence::Sentence;
use koab_report::{
    BenchmarkTables, Evaluated, EvaluationOptions, ItemRows, ItemScorer, LevelMean, LevelReport, PrintedCell,
    PrintedTable, TaskReport, report_of, technical_failure,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Texts that are scored instead of a judge's reply if a person has overridden the verdict. The
/// first text means no, the second yes.
const OVERRIDE_TEXTS: [&str; 2] = ["fail", "pass"];

/// Benchmark with its items, ready to score replies.
#[derive(Debug)]
pub struct Scoring {
    benchmark: &'static dyn Benchmark,
    items: Vec<Item>,
    places: HashMap<String, usize>,
}

/// Reply with its scores.
#[derive(Clone, Debug)]
pub struct ScoredItem<'a> {
    /// Item of the reply.
    pub item: &'a Item,
    /// Results of the metrics.
    pub rows: Vec<Row>,
    /// Whether the reply needs a judge.
    pub is_asked: bool,
    /// Whether a judge has replied or has failed to reply.
    pub is_heard: bool,
    /// Whether the result is complete: no judge is needed, or all votes are present.
    pub is_settled: bool,
}

impl From<Protocol> for Rules {
    fn from(scorer: Protocol) -> Self {
        match scorer {
            Protocol::Leaderboard => Self::Published,
            Protocol::Corrected => Self::Corrected,
        }
    }
}

impl From<Rules> for Protocol {
    fn from(rules: Rules) -> Self {
        match rules {
            Rules::Published => Self::Leaderboard,
            Rules::Corrected => Self::Corrected,
        }
    }
}

impl Scoring {
    /// Creates the scoring of a benchmark with the items of a pack.
    pub fn new(benchmark: &'static dyn Benchmark, items: Vec<Item>) -> Self {
        let places = items.iter().enumerate();
        Self { places: places.map(|(place, item)| (item.id.clone(), place)).collect(), benchmark, items }
    }

    /// All items, in their authors' order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Item with this id.
    pub fn item(&self, id: &str) -> Option<&Item> {
        self.items.get(*self.places.get(id)?)
    }

    /// Upper bound of the judge's work for replies to these items: number of calls, votes included,
    /// and bytes of their prompts.
    ///
    /// The bytes do not include the replies, which do not exist yet.
    pub fn most_asked<'a>(&self, ids: impl Iterator<Item = &'a str>, scorer: Protocol) -> (usize, usize) {
        let rules: Rules = scorer.into();
        let votes = self.benchmark.votes(rules);
        let nothing = Answer::empty();
        let prompts = ids.filter_map(|id| self.benchmark.question(self.item(id)?, &nothing, rules));
        prompts.fold((0, 0), |(questions, bytes), prompt| (questions + votes, bytes + prompt.len() * votes))
    }

    /// Scores a reply with judges' replies, one text per vote. Without judges' replies, only the
    /// metrics that need no judge are scored.
    pub fn score<'a>(
        &self,
        item: &'a Item,
        answer: &Answer,
        replies: Option<&[String]>,
        rules: Rules,
    ) -> ScoredItem<'a> {
        let benchmark = self.benchmark;
        let is_asked = benchmark.question(item, answer, rules).is_some();
        let mut rows = benchmark.score(item, answer, rules);
        if let Some(replies) = replies {
            rows.extend(benchmark.judged(item, answer, replies, rules));
        }
        let is_heard = |said: &[String]| {
            let all = said.len() >= benchmark.votes(rules) || rows.iter().all(|row| row.value.is_ok());
            !said.is_empty() && all
        };
        let is_settled = !is_asked || replies.is_some_and(is_heard);
        ScoredItem {
            item,
            is_settled,
            is_heard: replies.is_some_and(|replies| !replies.is_empty()),
            is_asked,
            rows,
        }
    }

    /// Tables from scored replies, each item once. If a verdict is missing, there are no tables.
    pub fn tables(&self, scored: &[ScoredItem<'_>], rules: Rules) -> BenchmarkTables {
        let no_tables = no_tables(scored);
        let rows: Vec<(&Item, &[Row])> = scored.iter().map(|one| (one.item, one.rows.as_slice())).collect();
        let tables = match no_tables {
            Some(_) => Vec::new(),
            None => self.benchmark.tables(&rows, &GroupSizes::count(&self.items), rules),
        };
        BenchmarkTables {
            benchmark: self.benchmark.name().to_owned(),
            title: self.benchmark.title().to_owned(),
            tables: tables.iter().map(|table| printed(table, self.benchmark)).collect(),
            no_tables,
        }
    }

    /// Replies in the form of a run's logs, one log per group, each item once. `metadata` describes
    /// the origin of the replies.
    ///
    /// # Errors
    /// When a group's name is not a valid level name.
    pub fn logs(
        &self,
        metadata: &Map<String, Value>,
        replies: &[(&Item, &Answer)],
    ) -> Result<BTreeMap<Level, Value>, BadGroup> {
        let mut results: BTreeMap<Level, Vec<Value>> = BTreeMap::new();
        for (item, answer) in replies {
            let level = Level::of_another_benchmark(&self.benchmark.row_of(&item.groups))?;
            let question = item.request.messages.iter().rfind(|message| message["role"] == "user");
            let mut messages = item.request.messages.clone();
            messages.push(message(answer));
            results.entry(level).or_default().push(json!({
                "task_id": item.id,
                "instruction": question.map_or(&Value::Null, |message| &message["content"]),
                "success": true,
                "final_response": answer.content,
                "conversation_log": { "total_messages": messages.len(), "messages": messages },
            }));
        }
        let log = |(level, results): (Level, Vec<Value>)| {
            let mut metadata = metadata.clone();
            metadata.insert("level".to_owned(), level.as_str().into());
            metadata.insert("total_tasks".to_owned(), results.len().into());
            (level, json!({ "metadata": metadata, "results": results }))
        };
        Ok(results.into_iter().map(log).collect())
    }

    /// Item and reply of a task in a log. Otherwise the reason why the task has no score, and
    /// whether it is left out.
    ///
    /// A request that failed in all its retries counts as an empty reply under the published rules,
    /// and a reply that was cut off counts like any other. Under the corrected rules neither says
    /// anything about the model.
    fn reply(&self, task: &LoggedTask, rules: Rules) -> Result<(&Item, Answer), (Sentence, bool)> {
        let item = self.item(&task.id).ok_or_else(|| (Sentence::from(Reason::NoSuchItem {}), false))?;
        let is_cut_off = task.get("cut_off") == &Value::Bool(true);
        if is_cut_off && rules == Rules::Corrected {
            return Err((Reason::ReplyCutOff {}.into(), true));
        }
        if let Some(error) = technical_failure(task).filter(|_| !is_cut_off) {
            if rules == Rules::Published {
                return Ok((item, Answer::empty()));
            }
            let error = error.into();
            return Err((Reason::AttemptFailed { error }.into(), true));
        }
        let messages = task.get("conversation_log")["messages"].as_array();
        let answer = messages.and_then(|messages| Answer::of_messages(messages));
        let answer = answer.ok_or_else(|| (Sentence::from(Reason::NoReply {}), false))?;
        Ok((item, answer))
    }
}

/// Reply in the form of a server's message. A null field stays different from an empty one.
fn message(answer: &Answer) -> Value {
    let calls = answer.tool_calls.as_ref().map(|calls| {
        let call = |call: &Call| {
            let function = json!({ "name": call.name, "arguments": call.arguments });
            json!({ "type": "function", "function": function })
        };
        calls.iter().map(call).collect::<Vec<_>>()
    });
    json!({ "role": "assistant", "content": answer.content, "tool_calls": calls })
}

/// Converts a table to the form that a report stores, with each figure also as the authors print
/// it.
fn printed(table: &Table, benchmark: &dyn Benchmark) -> PrintedTable {
    let cell = |cell: &Cell| PrintedCell {
        name: cell.name.clone(),
        value: cell.value.as_ref().ok().copied(),
        // Authors print a missing figure like this.
        text: match &cell.value {
            Ok(value) => benchmark.cell_text(&cell.name, *value),
            Err(_) => "N/A".to_owned(),
        },
        ours: cell.ours,
        remark: cell.value.as_ref().err().or(cell.remark.as_ref()).cloned(),
    };
    PrintedTable {
        name: table.name.clone(),
        cells: table.cells.iter().map(cell).collect(),
        printed: table.printed.clone(),
    }
}

/// Reason why these replies have no tables.
fn no_tables(scored: &[ScoredItem<'_>]) -> Option<Sentence> {
    let distinct: HashSet<&str> = scored.iter().map(|one| one.item.id.as_str()).collect();
    if distinct.len() < scored.len() {
        return Some(say!("the tables need each item once, and some are answered more than once"));
    }
    let missing = scored.iter().filter(|one| !one.is_settled).count();
    if missing == 0 {
        return None;
    }
    if !scored.iter().any(|one| one.is_heard) {
        return Some(say!("the tables need judges, and none was asked"));
    }
    Some(say!(
        "the tables need every verdict, and judges’ replies are missing for {count} items",
        count = missing
    ))
}

/// Tasks of a log that are scored.
fn sampled<'a>(log: &'a LevelLog, options: &EvaluationOptions) -> impl Iterator<Item = &'a LoggedTask> {
    let end = options.sample_size.unwrap_or(usize::MAX);
    log.tasks.iter().filter(move |task| task.position < end)
}

/// Texts of the judges' replies, one per vote, and the reason why a vote is missing.
fn heard(
    verdicts: &[Verdict],
    judges: &[String],
    says: impl Fn(&str) -> Option<bool>,
) -> (Vec<String>, Option<Sentence>) {
    let first_judge = judges.first();
    let own = verdicts.iter().filter(|verdict| first_judge.is_none_or(|judge| verdict.judge == *judge));
    let (mut replies, mut failed) = (Vec::new(), None);
    for verdict in own {
        match &verdict.answer {
            // A person answers yes or no. The words count only if they agree.
            JudgeAnswer::Answered(opinion) => replies.extend(match (opinion.success, &opinion.reason) {
                (Some(right), Some(text)) if says(text) == Some(right) => Some(text.clone()),
                (Some(right), _) => Some(OVERRIDE_TEXTS[usize::from(right)].to_owned()),
                (None, text) => text.clone(),
            }),
            JudgeAnswer::Failed { reason, .. } => {
                let judge = verdict.judge.clone();
                let reason = reason.clone();
                failed.get_or_insert_with(|| Reason::JudgeFailed { judge, reason }.into());
            }
        }
    }
    (replies, failed)
}

impl ItemScorer for Scoring {
    fn says(&self, reply: &str, scorer: Protocol) -> Option<bool> {
        self.benchmark.says(reply, scorer.into())
    }

    fn questions(&self, logs: &[LevelLog], options: &EvaluationOptions) -> Vec<(JudgeQuestion, Inputs)> {
        let rules: Rules = options.scorer.into();
        let votes = self.benchmark.votes(rules);
        let mut questions = Vec::new();
        for log in logs {
            for task in sampled(log, options) {
                let Ok((item, answer)) = self.reply(task, rules) else {
                    continue;
                };
                let prompt = self.benchmark.question(item, &answer, rules);
                questions.extend(prompt.map(|prompt| {
                    let question = JudgeQuestion::in_words(&log.level, &task.id, MetricId::Sr, prompt, votes);
                    (question, self.shown(item, &answer))
                }));
            }
        }
        questions
    }

    fn usable(&self, reply: &str, scorer: Protocol) -> bool {
        self.benchmark.usable(reply, scorer.into())
    }

    fn size(&self) -> usize {
        self.items.len()
    }

    fn differences(&self) -> Vec<(&'static str, &'static [&'static str], &'static str, &'static str)> {
        let differences = self.benchmark.differences().iter();
        let row = |one: &Difference| (one.id, one.metrics, one.published, one.corrected);
        differences.map(row).collect()
    }

    fn evaluate(&self, logs: &[LevelLog], verdicts: &Verdicts, options: &EvaluationOptions) -> Evaluated {
        let rules: Rules = options.scorer.into();
        let mut logs: Vec<&LevelLog> = logs.iter().collect();
        logs.sort_by(|one, other| one.level.cmp(&other.level));
        let mut scored: Vec<ScoredItem<'_>> = Vec::new();
        let mut levels = Vec::new();
        for log in logs {
            let mut tasks: Vec<(TaskReport, bool)> = Vec::new();
            for task in sampled(log, options) {
                let item_verdicts = verdicts.about(&task.id, MetricId::Sr);
                let (score, is_settled) = match self.reply(task, rules) {
                    Ok((item, answer)) => {
                        let says = |reply: &str| self.benchmark.says(reply, rules);
                        let (replies, failed) = heard(item_verdicts, &options.panel.judges, says);
                        let mut one = self.score(item, &answer, Some(&replies), rules);
                        one.is_heard |= failed.is_some();
                        let score = self.success(&one, failed);
                        let is_settled = one.is_settled;
                        scored.push(one);
                        (score, is_settled)
                    }
                    Err((reason, is_left_out)) => (Score::Unscored { reason }, is_left_out),
                };
                let task = TaskReport {
                    id: task.id.clone(),
                    success: match task.get("success") {
                        Value::Null => Value::Bool(false),
                        other => other.clone(),
                    },
                    scores: vec![(MetricId::Sr, score)],
                };
                tasks.push((task, is_settled));
            }
            let scores = tasks.iter().flat_map(|(task, is_settled)| {
                task.scores.iter().map(move |(_, score)| (score, *is_settled))
            });
            let mean = (!tasks.is_empty()).then(|| LevelMean::of_items(scores));
            levels.push(LevelReport {
                level: log.level.clone(),
                total_tasks: Some(log.total()),
                evaluated_tasks: Some(tasks.len()),
                metadata: log.metadata.clone(),
                means: mean.into_iter().collect(),
                tasks: tasks.into_iter().map(|(task, _)| task).collect(),
                skipped: log.skipped.clone(),
            });
        }
        let mut report = report_of(levels, verdicts, options);
        // Only the first judge is asked, and none where the rules decide everything.
        let judge_count = usize::from(scored.iter().any(|one| one.is_asked));
        report.judges.truncate(judge_count);
        if !report.judges.is_empty() {
            report.votes = self.benchmark.votes(rules);
        }
        let items = scored.iter().map(|one| ItemRows {
            id: one.item.id.clone(),
            rows: one.rows.iter().map(Row::to_item_row).collect(),
        });
        Evaluated { items: items.collect(), tables: Some(self.tables(&scored, rules)), report }
    }
}

impl Scoring {
    /// Texts that are shown to a person in a blind review of a reply: the request and the reply,
    /// without the judges' rubric.
    fn shown(&self, item: &Item, answer: &Answer) -> Inputs {
        let pretty = |value: Value| serde_json::to_string_pretty(&value).unwrap_or_default();
        let turn = |message: &Value| {
            let calls = message.get("tool_calls").filter(|calls| !calls.is_null());
            let content = message["content"].as_str().map(str::to_owned);
            let content = content.or_else(|| calls.map(|calls| calls.to_string())).unwrap_or_default();
            format!("[{role}] {content}", role = message["role"].as_str().unwrap_or_default())
        };
        let turns: Vec<String> = item.request.messages.iter().map(turn).collect();
        let calls = answer.tool_calls.as_ref().map(|calls| pretty(json!(calls)));
        Inputs::new([
            ("instruction", turns.join("\n\n")),
            ("final_response", answer.content.clone().unwrap_or_default()),
            ("tool_calls", calls.unwrap_or_default()),
            ("golden_context", self.benchmark.truth(item).map(pretty).unwrap_or_default()),
        ])
    }

    /// Score of an item: whether it was answered right.
    fn success(&self, scored: &ScoredItem<'_>, failed: Option<Sentence>) -> Score {
        let Some(row) = self.benchmark.success(&scored.rows) else {
            return Score::unscored(Reason::NoReply {});
        };
        match (&row.value, failed) {
            (_, Some(reason)) if !scored.is_settled => Score::Unscored { reason },
            // A row that a judge decides is unknown without the judge's verdict.
            (Ok(_), None) if !scored.is_settled => Score::unscored(Reason::NoJudgeAsked {}),
            (Ok(value), _) => Score::scored(f64::from(*value), Value::Object(Map::new())),
            (Err(reason), _) => Score::Unscored { reason: reason.clone() },
        }
    }
}
