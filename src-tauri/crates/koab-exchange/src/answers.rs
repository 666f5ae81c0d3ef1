//! Scores replies that a model gave outside of this program to the items of a benchmark. It also
//! lists the questions to judges about these replies.

mod read;

use crate::Exchange;
use koab_benchmarks::table::Rules;
use koab_benchmarks::{Answer, Item, Row, ScoredItem, Scoring, Verdict as ItemVerdict};
use koab_core::cache_key::sha256_hex;
use koab_core::judge::{Verdict, Verdicts};
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_engine::ports::Clock as _;
use koab_library::ReportView;
use koab_report::{Dataset, PrintedTable};
use koab_scoring::Replies;
use koab_store::{BenchmarkPack, not_asked_here};
use koab_workspace::WireError;
use koab_workspace::clock::SystemClock;
use koab_workspace::paths::last_part;
use read::AnswerLine;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// Request to score a file of replies.
#[derive(Clone, Debug)]
pub struct AnswersRequest {
    /// JSONL file with one reply per line, `{"id", "output": {"content", "tool_calls"}}`. A results
    /// folder of scenarios is accepted too: each of its trials has a file of this kind.
    pub file: PathBuf,
    /// Name of the benchmark's pack.
    pub pack: String,
    /// Rules to score by: published or corrected.
    pub rules: Rules,
    /// JSONL file with the judges' replies, one item per line: `{"id", "replies": […]}`.
    pub judge_replies: Option<PathBuf>,
}

/// Replies with their scores.
#[derive(Clone, Debug, Serialize)]
pub struct ScoredAnswers {
    /// `name@version` of the pack.
    pub pack: String,
    /// Rules that the scores follow: published or corrected.
    pub rules: Rules,
    /// Number of items in the pack.
    pub items: usize,
    /// Number of items with a reply.
    pub answered: usize,
    /// Scores in the order of the reply lines.
    pub rows: Vec<AnswerRow>,
    /// The benchmark authors' tables by name. `None` if an item has two replies or judges' replies
    /// are missing.
    pub tables: Option<Map<String, Value>>,
    /// Reason why there are no tables.
    pub no_tables: Option<Sentence>,
    /// Tables in the authors' order, for display on the terminal.
    #[serde(skip)]
    pub shown: Vec<PrintedTable>,
}

/// One metric of one reply.
#[derive(Clone, Debug, Serialize)]
pub struct AnswerRow {
    /// Line number of the reply, from 1.
    pub line: usize,
    /// Id of the item.
    pub id: String,
    /// Name of the metric.
    pub metric: &'static str,
    /// Score, 0 or 1. `None` if the metric is unscored.
    pub value: Option<u8>,
    /// Reason why the metric is unscored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Sentence>,
    /// Reason for the score, in the format of the benchmark's authors.
    #[serde(flatten)]
    pub verdict: ItemVerdict,
}

/// Hash of a question to a judge, with the reply that the question is about.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionHash {
    /// Line number of the reply, from 1.
    pub line: usize,
    /// Id of the item.
    pub id: String,
    /// SHA-256 of the question's text.
    pub sha256: String,
}

/// Hash of the request that a model gets for an item.
#[derive(Clone, Debug, Serialize)]
pub struct RequestHash {
    /// Id of the item.
    pub id: String,
    /// SHA-256 of the request's messages and tools.
    pub sha256: String,
}

impl Exchange {
    /// Scores a file of replies.
    ///
    /// # Errors
    /// When the pack does not belong to a benchmark, or a line is not a reply to one of its items.
    pub fn answers_score(&self, request: &AnswersRequest) -> Result<ScoredAnswers, WireError> {
        let pack = self.packs.benchmark(&request.pack)?;
        let by_id = by_id(&pack);
        let answers = read::answers(&request.file)?;
        let matched = matched(&answers, &by_id, &pack)?;
        if request.judge_replies.is_some() {
            check_unique_items(&answers)?;
        }
        let replies = match &request.judge_replies {
            Some(file) => Some(read::replies(file, |id| by_id.contains_key(id), &pack.label)?),
            None => None,
        };
        let rules = request.rules;
        let scoring = Scoring::new(pack.benchmark, pack.items.clone());
        let scored: Vec<ScoredItem<'_>> = matched
            .iter()
            .map(|(line, item)| {
                let of_item = |replies: &'_ HashMap<String, Vec<String>>| {
                    replies.get(&item.id).cloned().unwrap_or_default()
                };
                let item_replies = replies.as_ref().map(of_item);
                scoring.score(item, &line.output, item_replies.as_deref(), rules)
            })
            .collect();
        let needs_judges = scored.iter().any(|one| one.is_asked);
        if let Some(file) = &request.judge_replies
            && !needs_judges
        {
            return Err(bad_request(say!(
                "{file}: no judge is asked about these replies, so judges' replies are not needed",
                file = file.display()
            )));
        }
        let distinct: HashSet<&str> = scored.iter().map(|one| one.item.id.as_str()).collect();
        let tables = scoring.tables(&scored, rules);
        let unsettled = scored.iter().filter(|one| !one.is_settled).count();
        let no_tables = match tables.no_tables {
            Some(_) if distinct.len() == scored.len() && replies.is_none() => {
                Some(say!("the tables need judges; give their replies with --judge-replies"))
            }
            Some(_) if distinct.len() == scored.len() => Some(say!(
                "the tables need every verdict, and judges' replies are missing for {count} items; `koab judge plan` lists what is asked",
                count = unsettled
            )),
            why => why,
        };
        let lines = matched.iter().zip(&scored);
        let rows =
            lines.flat_map(|((line, _), one)| one.rows.iter().map(|row| shown_row(line.line, one.item, row)));
        Ok(ScoredAnswers {
            rows: rows.collect(),
            rules,
            items: pack.items.len(),
            answered: distinct.len(),
            tables: no_tables.is_none().then(|| documents(&tables.tables)),
            no_tables,
            shown: tables.tables,
            pack: pack.label.clone(),
        })
    }

    /// Scores replies and adds one report per scorer to the library. `model` is the name of the
    /// model. The replies are saved as the run of these reports.
    ///
    /// # Errors
    /// Every error of [`Exchange::answers_score`]. Also when two lines answer the same item, and
    /// when a file cannot be written.
    pub fn answers_save(
        &self,
        request: &AnswersRequest,
        model: &str,
        scorers: &[Protocol],
    ) -> Result<Vec<ReportView>, WireError> {
        let pack = self.packs.benchmark(&request.pack)?;
        let by_id = by_id(&pack);
        let answers = read::answers(&request.file)?;
        let matched = matched(&answers, &by_id, &pack)?;
        check_unique_items(&answers)?;
        let mut verdicts = Verdicts::none();
        if let Some(file) = &request.judge_replies {
            let judge_replies = read::replies(file, |id| by_id.contains_key(id), &pack.label)?;
            let judge = last_part(file);
            for (id, reply) in
                judge_replies.iter().flat_map(|(id, replies)| replies.iter().map(move |reply| (id, reply)))
            {
                verdicts.add(id, Verdict::in_words(&judge, MetricId::Sr, reply));
            }
        }
        let replies: Vec<(&Item, &Answer)> =
            matched.iter().map(|(line, item)| (*item, &line.output)).collect();
        let scoring = Scoring::new(pack.benchmark, pack.items.clone());
        let source = last_part(&request.file);
        let at = SystemClock.local_iso();
        let metadata = json!({ "model": model, "timestamp": at, "pack": pack.label, "replies_from": source });
        let metadata = metadata.as_object().cloned().unwrap_or_default();
        let logs =
            scoring.logs(&metadata, &replies).map_err(|error| WireError::bad_file(error.to_sentence()))?;
        let replies = Replies {
            model,
            pack: &pack.label,
            source: &source,
            at: &at,
            logs,
            dataset: Dataset::of_items(Arc::new(scoring)),
            verdicts,
        };
        self.runs.scoring.keep_replies(&replies, scorers)
    }

    /// Lists the questions that judges would be asked about the replies, as hashes.
    ///
    /// # Errors
    /// Every error of [`Exchange::answers_score`].
    pub fn answers_questions(&self, request: &AnswersRequest) -> Result<Vec<QuestionHash>, WireError> {
        let pack = self.packs.benchmark(&request.pack)?;
        let answers = read::answers(&request.file)?;
        let questions = matched(&answers, &by_id(&pack), &pack)?.into_iter();
        let questions = questions.filter_map(|(line, item)| {
            let question = pack.benchmark.question(item, &line.output, request.rules)?;
            Some(QuestionHash { line: line.line, id: item.id.clone(), sha256: sha256_hex(&question) })
        });
        Ok(questions.collect())
    }

    /// Lists the requests that a model would get for the items of a benchmark's pack, as hashes.
    ///
    /// # Errors
    /// When the pack does not belong to a benchmark, or its items are played by a scenario.
    pub fn request_hashes(&self, pack: &str) -> Result<Vec<RequestHash>, WireError> {
        let BenchmarkPack { label, benchmark, items } = self.packs.benchmark(pack)?;
        if let Some(scenario) = benchmark.scenario() {
            return Err(bad_request(not_asked_here(&label, benchmark, scenario)));
        }
        let hashes =
            items.iter().map(|item| RequestHash { id: item.id.clone(), sha256: item.request.sha256() });
        Ok(hashes.collect())
    }
}

/// Checks that every item has at most one reply. Judges' replies contain only the item's id, so
/// they could not be assigned to one of several replies.
fn check_unique_items(answers: &[AnswerLine]) -> Result<(), WireError> {
    let mut lines = HashMap::new();
    for answer in answers {
        if let Some((file, first)) = lines.insert(answer.id.as_str(), (&answer.file, answer.line)) {
            if file != &answer.file {
                return Err(WireError::bad_file(say!(
                    "{file}, line {line}: {id} is answered in {other} already; give each item once",
                    file = answer.file.display(),
                    line = answer.line,
                    id = read::short(&answer.id),
                    other = file.display()
                )));
            }
            return Err(WireError::bad_file(say!(
                "{file}, line {line}: {id} is answered in line {first} already, and judges' replies belong to an item, not to one of its answers; give each item once",
                file = answer.file.display(),
                line = answer.line,
                id = read::short(&answer.id)
            )));
        }
    }
    Ok(())
}

fn bad_request(why: Sentence) -> WireError {
    WireError::bad_request(why)
}

fn by_id(pack: &BenchmarkPack) -> HashMap<&str, &Item> {
    pack.items.iter().map(|item| (item.id.as_str(), item)).collect()
}

/// Pairs each reply with its item.
fn matched<'a>(
    answers: &'a [AnswerLine],
    by_id: &HashMap<&str, &'a Item>,
    pack: &BenchmarkPack,
) -> Result<Vec<(&'a AnswerLine, &'a Item)>, WireError> {
    let matched = answers.iter().map(|answer| match by_id.get(answer.id.as_str()) {
        Some(item) => Ok((answer, *item)),
        None => Err(WireError::bad_file(say!(
            "{file}, line {line}: pack {pack} has no item {id}",
            file = answer.file.display(),
            line = answer.line,
            pack = pack.label,
            id = read::short(&answer.id)
        ))),
    });
    matched.collect()
}

fn shown_row(line: usize, item: &Item, row: &Row) -> AnswerRow {
    AnswerRow {
        line,
        id: item.id.clone(),
        metric: row.metric,
        value: row.value.as_ref().ok().copied(),
        reason: row.value.as_ref().err().cloned(),
        verdict: row.verdict.clone(),
    }
}

/// Converts tables to JSON, by name. Each has its figures unrounded and as the authors print them,
/// the names of figures that this program adds, and remarks.
fn documents(tables: &[PrintedTable]) -> Map<String, Value> {
    let document = |table: &PrintedTable| {
        let mut cells = Map::new();
        let mut printed = Map::new();
        let mut ours = Vec::new();
        let mut remarks = Map::new();
        for cell in &table.cells {
            cells.insert(cell.name.clone(), cell.value.into());
            printed.insert(cell.name.clone(), cell.text.as_str().into());
            if let Some(remark) = &cell.remark {
                remarks.insert(cell.name.clone(), json!(remark));
            }
            if cell.ours {
                ours.push(cell.name.clone());
            }
        }
        let printed = match &table.printed {
            Some(text) => text.as_str().into(),
            None => Value::Object(printed),
        };
        json!({ "cells": cells, "printed": printed, "ours": ours, "remarks": remarks })
    };
    tables.iter().map(|table| (table.name.clone(), document(table))).collect()
}
