//! BFCL v4, single turn (`docs/spec/bfcl.md`).

mod category;
mod check;
mod corrected;
mod difference;
mod fault;
mod files;
mod java;
mod javascript;
mod kind;
mod multi_turn;
mod reply;
mod request;
mod tables;
mod text;
mod trial;

use crate::table::Rules;
use crate::{Answer, Benchmark, BenchmarkError, Difference, Files, GroupSizes, Item, Row, Table, Verdict};
use category::{Category, Check};
use check::Wrong;
use koab_core::say;
use koab_core::sentence::Sentence;
use reply::Decoded;

pub use multi_turn::MultiTurn;

/// BFCL v4, single turn.
#[derive(Clone, Copy, Debug)]
pub struct Bfcl;

impl Benchmark for Bfcl {
    fn name(&self) -> &'static str {
        "bfcl"
    }
    fn title(&self) -> &'static str {
        "BFCL v4, single turn"
    }
    fn source(&self) -> &'static str {
        "ShishirPatil/gorilla, berkeley-function-call-leaderboard, commit 6ea57973"
    }
    fn licence(&self) -> &'static str {
        "Apache-2.0"
    }
    fn files(&self, files: &dyn Files) -> Vec<(String, String)> {
        files::locate(files)
    }
    fn left_beside(&self, files: &dyn Files) -> Option<Sentence> {
        multi_turn::lies_in(&files.paths()).then(|| {
            say!(
                "the folder also has the multi-turn part of BFCL, which is not in this pack; copy its files into another folder and import that folder as the pack bfcl_multi_turn"
            )
        })
    }
    fn is_file(&self, name: &str) -> bool {
        files::is_file(name)
    }
    fn items(&self, pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError> {
        files::items(pack)
    }
    fn temperature(&self) -> f64 {
        0.001
    }
    fn score(&self, item: &Item, answer: &Answer, rules: Rules) -> Vec<Row> {
        let Some(category) = category_of(item) else {
            return Vec::new();
        };
        let metric = category.check.metric();
        if let (Rules::Corrected, Some(why)) = (rules, corrected::unscored(&item.id)) {
            let verdict = Verdict::default();
            return vec![Row { metric, value: Err(why), verdict }];
        }
        let wrong = judge(category, item, answer, rules).err();
        vec![Row { metric, value: Ok(u8::from(wrong.is_none())), verdict: verdict(wrong) }]
    }
    fn asks_judges(&self) -> bool {
        false
    }
    fn question(&self, _item: &Item, _answer: &Answer, _rules: Rules) -> Option<String> {
        None
    }
    fn judged(&self, _item: &Item, _answer: &Answer, _replies: &[String], _rules: Rules) -> Vec<Row> {
        Vec::new()
    }
    fn tables(&self, rows: &[(&Item, &[Row])], pack: &GroupSizes, rules: Rules) -> Vec<Table> {
        let categories = category::CATEGORIES.map(|category| (category.part, category.name));
        tables::tables(&tables::scores(rows, pack, &categories), rules)
    }
    fn differences(&self) -> &'static [Difference] {
        difference::DIFFERENCES
    }
    fn cell_text(&self, _cell: &str, value: f64) -> String {
        tables::percent(value)
    }
}

fn category_of(item: &Item) -> Option<Category> {
    item.groups.last().and_then(|name| Category::from_name(name))
}

fn verdict(wrong: Option<Wrong>) -> Verdict {
    let fault = wrong.as_ref().map(|wrong| wrong.fault);
    let calls = wrong.map(|wrong| wrong.calls).unwrap_or_default();
    Verdict::default().with("error_type", fault).with("sub_error_types", calls)
}

/// Checks a reply. Returns its fault, if there is one (`docs/spec/bfcl.md` §3, §4).
fn judge(category: Category, item: &Item, answer: &Answer, rules: Rules) -> Result<(), Wrong> {
    let decoded = reply::decode(answer);
    match (category.check, decoded) {
        (Check::NoCall, Decoded::Calls(calls)) if !calls.is_empty() => Err(fault::CALLED.into()),
        // By the published rules a call that cannot be read is not a call.
        (Check::NoCall, _) if rules == Rules::Corrected && has_calls(answer) => Err(fault::CALLED.into()),
        (Check::NoCall, _) => Ok(()),
        (Check::AnyCall, Decoded::Calls(calls)) if !calls.is_empty() => Ok(()),
        (Check::AnyCall, _) => Err(fault::NOT_CALLED.into()),
        (_, Decoded::Failed) => Err(fault::NOT_READ.into()),
        (_, Decoded::WrongFormat) => Err(fault::WRONG_FORMAT.into()),
        (_, Decoded::Calls(calls)) => check::check(category, &item.source, &calls, rules),
    }
}

fn has_calls(answer: &Answer) -> bool {
    answer.tool_calls.as_ref().is_some_and(|calls| !calls.is_empty())
}
