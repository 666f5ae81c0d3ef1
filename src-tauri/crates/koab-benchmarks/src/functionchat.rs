//! FunctionChat-Bench v2 (`docs/spec/functionchat.md`).

mod difference;
mod exact;
mod files;
mod question;
mod reading;
mod source;
mod tables;
mod truth;
mod verdict;

use crate::answer::Answer;
use crate::benchmark::{Benchmark, BenchmarkError, Files};
use crate::difference::Difference;
use crate::item::Item;
use crate::row::{Row, Verdict};
use crate::sizes::GroupSizes;
use crate::table::{Rules, Table};
use exact::Mismatch;
use koab_core::measured::Measured;
use koab_core::reason::Reason;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Value;
use source::{EXACT_CALL, Source, TURN_PASS, Turn};
use verdict::Label;

/// FunctionChat-Bench v2.
#[derive(Clone, Copy, Debug)]
pub struct FunctionChat;

impl Benchmark for FunctionChat {
    fn name(&self) -> &'static str {
        "functionchat"
    }
    fn title(&self) -> &'static str {
        "FunctionChat-Bench v2"
    }
    fn source(&self) -> &'static str {
        "kakao/FunctionChat-Bench, tag v2.0.0, copyright 2024 Kakao Corp."
    }
    fn licence(&self) -> &'static str {
        "Apache-2.0"
    }
    fn files(&self, files: &dyn Files) -> Vec<(String, String)> {
        files::find(files)
    }
    fn is_file(&self, name: &str) -> bool {
        files::is_file(name)
    }
    fn items(&self, pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError> {
        reading::items(pack)
    }
    fn temperature(&self) -> f64 {
        0.1
    }
    fn score(&self, item: &Item, answer: &Answer, rules: Rules) -> Vec<Row> {
        let Some(source) = Source::from_item(item).filter(|source| source.turn == Turn::Call) else {
            return Vec::new();
        };
        let compared = exact::compare(&source, answer, rules);
        vec![Row {
            metric: EXACT_CALL,
            value: Ok(compared.is_ok().into()),
            verdict: Verdict::default().with("mismatch", compared.err().map(Mismatch::name)),
        }]
    }
    fn asks_judges(&self) -> bool {
        true
    }
    fn question(&self, item: &Item, answer: &Answer, rules: Rules) -> Option<String> {
        let source = Source::from_item(item)?;
        decided(&source, answer, rules).is_none().then(|| question::ask(&source, item, answer))
    }
    fn votes(&self, rules: Rules) -> usize {
        match rules {
            Rules::Published => 1,
            Rules::Corrected => 3,
        }
    }
    fn usable(&self, reply: &str, rules: Rules) -> bool {
        match rules {
            // By the published rules any reply is a verdict.
            Rules::Published => true,
            Rules::Corrected => !matches!(verdict::corrected(reply), Label::Other(_)),
        }
    }
    fn says(&self, reply: &str, rules: Rules) -> Option<bool> {
        let label = match rules {
            Rules::Published => verdict::published(reply),
            Rules::Corrected => verdict::corrected(reply),
        };
        match label {
            Label::Pass => Some(true),
            Label::Fail => Some(false),
            Label::Other(_) => None,
        }
    }
    fn truth(&self, item: &Item) -> Option<Value> {
        Some(Source::from_item(item)?.truth)
    }
    fn judged(&self, item: &Item, answer: &Answer, replies: &[String], rules: Rules) -> Vec<Row> {
        let Some(source) = Source::from_item(item) else {
            return Vec::new();
        };
        let (value, label) = match (decided(&source, answer, rules), rules) {
            (Some(label), _) => (value_of(&label), Some(label)),
            (None, Rules::Published) => one_vote(replies),
            (None, Rules::Corrected) => majority(replies, self.votes(rules)),
        };
        vec![Row {
            metric: TURN_PASS,
            value,
            verdict: Verdict::default().with("label", label.as_ref().map(Label::text)),
        }]
    }
    fn row_of(&self, groups: &[String]) -> String {
        // Two sets have groups whose names differ only in case.
        groups.join(".")
    }
    fn tables(&self, rows: &[(&Item, &[Row])], pack: &GroupSizes, rules: Rules) -> Vec<Table> {
        tables::build(rows, pack, rules)
    }
    fn cell_text(&self, cell: &str, value: f64) -> String {
        tables::text(cell, value)
    }
    fn differences(&self) -> &'static [Difference] {
        difference::DIFFERENCES
    }
}

/// Verdict on a reply that can be scored without a judge.
fn decided(source: &Source, answer: &Answer, rules: Rules) -> Option<Label> {
    if source.turn != Turn::Call {
        return None;
    }
    match exact::compare(source, answer, rules) {
        Ok(()) => Some(Label::Pass),
        Err(Mismatch::SeveralCalls) => Some(Label::Fail),
        Err(_) => None,
    }
}

fn value_of(label: &Label) -> Measured<u8> {
    match label {
        Label::Pass => Ok(1),
        Label::Fail => Ok(0),
        Label::Other(_) => Err(say!("the judge said neither pass nor fail")),
    }
}

fn one_vote(replies: &[String]) -> (Measured<u8>, Option<Label>) {
    match replies.first() {
        Some(reply) => {
            let label = verdict::published(reply);
            (value_of(&label), Some(label))
        }
        None => (Err(Reason::NoJudgeAsked {}.into()), None),
    }
}

/// Verdict that more than half of the requested votes have. Replies without a verdict are not
/// counted as votes.
fn majority(replies: &[String], votes: usize) -> (Measured<u8>, Option<Label>) {
    let (others, usable): (Vec<_>, Vec<_>) = replies
        .iter()
        .map(|reply| verdict::corrected(reply))
        .partition(|label| matches!(label, Label::Other(_)));
    let usable = &usable[..usable.len().min(votes)];
    for label in [Label::Pass, Label::Fail] {
        if usable.iter().filter(|each| **each == label).count() * 2 > votes {
            return (value_of(&label), Some(label));
        }
    }
    let why: Sentence = match others.into_iter().next() {
        Some(label) => return (value_of(&label), Some(label)),
        None if usable.is_empty() => Reason::NoJudgeAsked {}.into(),
        None => {
            Reason::AnswersMissing { missing: (votes - usable.len()).to_string(), wanted: votes.to_string() }
                .into()
        }
    };
    (Err(why), None)
}
