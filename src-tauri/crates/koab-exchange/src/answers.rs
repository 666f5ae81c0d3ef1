//! Replies made elsewhere to the items of a benchmark: scored, and what a judge would be asked
//! about them.

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
use koab_report::{Dataset, PrintedTable};
use koab_runs::{Replies, ReportView};
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

/// What to score.
#[derive(Clone, Debug)]
pub struct AnswersRequest {
    /// The replies, a line each: `{"id", "output": {"content", "tool_calls"}}`; or the folder of
    /// scenarios' results whose trials each left a file of them.
    pub file: PathBuf,
    /// The benchmark's pack.
    pub pack: String,
    /// By which rules.
    pub rules: Rules,
    /// What judges said, a line an item: `{"id", "replies": […]}`.
    pub judge_replies: Option<PathBuf>,
}

/// Replies with their scores.
#[derive(Clone, Debug, Serialize)]
pub struct ScoredAnswers {
    /// `name@version` of the pack.
    pub pack: String,
    /// By which rules.
    pub rules: Rules,
    /// Items of the pack.
    pub items: usize,
    /// Items that a reply is there for.
    pub answered: usize,
    /// Scores in the order of the lines.
    pub rows: Vec<AnswerRow>,
    /// The authors' tables by name; `None` where an item is answered more than once or judges are
    /// still to be asked.
    pub tables: Option<Map<String, Value>>,
    /// Why there are no tables.
    pub no_tables: Option<Sentence>,
    /// The tables in their order, for people.
    #[serde(skip)]
    pub shown: Vec<PrintedTable>,
}

/// One metric of one line.
#[derive(Clone, Debug, Serialize)]
pub struct AnswerRow {
    /// The line, from 1.
    pub line: usize,
    /// The item.
    pub id: String,
    /// The metric.
    pub metric: &'static str,
    /// 0 or 1, or nothing.
    pub value: Option<u8>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Sentence>,
    /// Why, in the benchmark's own fields.
    #[serde(flatten)]
    pub verdict: ItemVerdict,
}

/// A question to a judge.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionHash {
    /// The line of the reply, from 1.
    pub line: usize,
    /// The item.
    pub id: String,
    /// Hash of the question's text.
    pub sha256: String,
}

/// What a model is asked about an item.
#[derive(Clone, Debug, Serialize)]
pub struct RequestHash {
    /// The item.
    pub id: String,
    /// Hash of its messages and tools.
    pub sha256: String,
}

impl Exchange {
    /// Scores replies.
    ///
    /// # Errors
    /// When the pack is none of a benchmark, or a line is no reply to an item of it.
    pub fn answers_score(&self, request: &AnswersRequest) -> Result<ScoredAnswers, WireError> {
        let pack = self.packs.benchmark(&request.pack)?;
        let by_id = by_id(&pack);
        let answers = read::answers(&request.file)?;
        let matched = matched(&answers, &by_id, &pack)?;
        if request.judge_replies.is_some() {
            each_once(&answers)?;
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
                let said = replies.as_ref().map(of_item);
                scoring.score(item, &line.output, said.as_deref(), rules)
            })
            .collect();
        let asked = scored.iter().any(|one| one.is_asked);
        if let Some(file) = &request.judge_replies
            && !asked
        {
            return Err(bad_request(say!(
                "{file}: no judge is asked about these replies, so there is nothing to take from it",
                file = file.display()
            )));
        }
        let distinct: HashSet<&str> = scored.iter().map(|one| one.item.id.as_str()).collect();
        let shown = scoring.tables(&scored, rules);
        let unheard = scored.iter().filter(|one| !one.is_settled).count();
        let no_tables = match shown.no_tables {
            Some(_) if distinct.len() == scored.len() && replies.is_none() => {
                Some(say!("the tables need judges; give what they said with --judge-replies"))
            }
            Some(_) if distinct.len() == scored.len() => Some(say!(
                "the tables need every verdict, and judges' replies are missing for {count} items; `koab judge plan` lists what is asked",
                count = unheard
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
            tables: no_tables.is_none().then(|| documents(&shown.tables)),
            no_tables,
            shown: shown.tables,
            pack: pack.label.clone(),
        })
    }

    /// Scores replies and keeps a report a scorer in the library, under the model that made them,
    /// and the replies as their run.
    ///
    /// # Errors
    /// As [`Exchange::answers_score`], when an item is answered more than once, and when the disk
    /// refuses.
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
        each_once(&answers)?;
        let mut verdicts = Verdicts::none();
        if let Some(file) = &request.judge_replies {
            let said = read::replies(file, |id| by_id.contains_key(id), &pack.label)?;
            let judge = last_part(file);
            for (id, reply) in
                said.iter().flat_map(|(id, replies)| replies.iter().map(move |reply| (id, reply)))
            {
                verdicts.add(id, Verdict::in_words(&judge, MetricId::Sr, reply));
            }
        }
        let replies: Vec<(&Item, &Answer)> =
            matched.iter().map(|(line, item)| (*item, &line.output)).collect();
        let scoring = Scoring::new(pack.benchmark, pack.items.clone());
        let source = last_part(&request.file);
        let at = SystemClock.local_iso();
        let said = json!({ "model": model, "timestamp": at, "pack": pack.label, "replies_from": source });
        let metadata = said.as_object().cloned().unwrap_or_default();
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

    /// What judges would be asked about replies.
    ///
    /// # Errors
    /// As [`Exchange::answers_score`].
    pub fn answers_questions(&self, request: &AnswersRequest) -> Result<Vec<QuestionHash>, WireError> {
        let pack = self.packs.benchmark(&request.pack)?;
        let answers = read::answers(&request.file)?;
        let asked = matched(&answers, &by_id(&pack), &pack)?.into_iter();
        let asked = asked.filter_map(|(line, item)| {
            let question = pack.benchmark.question(item, &line.output, request.rules)?;
            Some(QuestionHash { line: line.line, id: item.id.clone(), sha256: sha256_hex(&question) })
        });
        Ok(asked.collect())
    }

    /// What a model would be asked about each item of a benchmark's pack.
    ///
    /// # Errors
    /// When the pack is none of a benchmark.
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

/// Judges' replies are named by the item, so they are about one reply to it only.
fn each_once(answers: &[AnswerLine]) -> Result<(), WireError> {
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
                "{file}, line {line}: {id} is answered in line {first} already, and what judges said names items, not replies; give each item once",
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

/// Each line with its item.
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

/// The tables by name: figures unrounded, as printed, and what is to be known of them.
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
