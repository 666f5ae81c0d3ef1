//! The authors' tables (`docs/spec/bfcl.md` §9).

use crate::table::{Cell, Rules, Table};
use koab_core::measured::Measured;
use koab_core::text;
use std::collections::BTreeMap;

/// Right answers and items by category.
pub(super) type Scores<'a> = BTreeMap<&'a str, (usize, usize)>;

/// Categories of the simple part, of which there is one a language.
const SIMPLE: [&str; 3] = ["simple_python", "simple_java", "simple_javascript"];
/// The live part with the items that each category has: one that was not run counts with all of them as wrong.
const LIVE: [(&str, usize); 4] = [
    ("live_simple", 258),
    ("live_multiple", 1_053),
    ("live_parallel", 16),
    ("live_parallel_multiple", 24),
];

/// A share in which what was not run counts 0; whether all of it was.
#[derive(Clone, Copy, Debug)]
struct Share {
    value: f64,
    whole: bool,
}

impl Share {
    fn of(scores: &Scores<'_>, category: &str) -> Self {
        match scores.get(category) {
            Some((right, items)) if *items > 0 => Self {
                value: *right as f64 / *items as f64,
                whole: true,
            },
            _ => Self {
                value: 0.0,
                whole: false,
            },
        }
    }

    /// The mean of shares, each of the same weight.
    fn mean(shares: &[Self]) -> Self {
        let sum: f64 = shares.iter().map(|share| share.value).sum();
        Self {
            value: sum / shares.len() as f64,
            whole: shares.iter().all(|share| share.whole),
        }
    }

    /// The share of several categories together, each by its items.
    fn together(scores: &Scores<'_>, categories: &[(&str, usize)]) -> Self {
        let found = categories
            .iter()
            .map(|(category, all)| scores.get(category).copied().unwrap_or((0, *all)));
        let (right, items) = found.fold((0, 0), |(a, b), (right, items)| (a + right, b + items));
        Self {
            value: right as f64 / items as f64,
            whole: categories
                .iter()
                .all(|(category, _)| Self::of(scores, category).whole),
        }
    }

    /// As a cell that is empty where something was not run.
    fn shown(self) -> Measured {
        self.whole
            .then_some(self.value)
            .ok_or_else(|| text!("not every category of it was answered").into())
    }
}

/// The single-turn part of the tables, and what we add to it.
pub(super) fn tables(scores: &Scores<'_>, rules: Rules) -> Vec<Table> {
    let of = |category| Share::of(scores, category);
    let simple = Share::mean(&SIMPLE.map(of));
    let non_live = Share::mean(&[simple, of("multiple"), of("parallel"), of("parallel_multiple")]);
    let live = Share::together(scores, &LIVE);
    let irrelevance = Share::mean(&[of("irrelevance"), of("live_irrelevance")]);
    let ours = Share::mean(&[non_live, live, irrelevance]);
    // As published, what was not answered counts 0 here without a word.
    let sum = |share: Share| match rules {
        Rules::Published => Ok(share.value),
        Rules::Corrected => share.shown(),
    };
    vec![
        table(
            "data_non_live",
            vec![
                cell("Non-Live Overall Acc", sum(non_live)),
                cell("AST Summary", non_live.shown()),
                cell("Simple AST", simple.shown()),
                cell("Python Simple AST", of("simple_python").shown()),
                cell("Java Simple AST", of("simple_java").shown()),
                cell("JavaScript Simple AST", of("simple_javascript").shown()),
                cell("Multiple AST", of("multiple").shown()),
                cell("Parallel AST", of("parallel").shown()),
                cell("Parallel Multiple AST", of("parallel_multiple").shown()),
                cell("Irrelevance Detection", of("irrelevance").shown()),
            ],
        ),
        table(
            "data_live",
            vec![
                cell("Live Overall Acc", sum(live)),
                cell("AST Summary", live.shown()),
                cell("Python Simple AST", of("live_simple").shown()),
                cell("Python Multiple AST", of("live_multiple").shown()),
                cell("Python Parallel AST", of("live_parallel").shown()),
                cell(
                    "Python Parallel Multiple AST",
                    of("live_parallel_multiple").shown(),
                ),
                cell("Irrelevance Detection", of("live_irrelevance").shown()),
                cell("Relevance Detection", of("live_relevance").shown()),
            ],
        ),
        table(
            "single_turn",
            vec![
                cell("Non-Live AST Acc", non_live.shown()),
                cell("Live Acc", sum(live)),
                cell("Irrelevance Detection", irrelevance.shown()),
                cell("Relevance Detection", of("live_relevance").shown()),
                Cell {
                    ours: true,
                    ..cell("Single-Turn Part", ours.shown())
                },
            ],
        ),
    ]
}

fn table(name: &str, cells: Vec<Cell>) -> Table {
    Table {
        name: name.to_owned(),
        cells,
        printed: None,
    }
}

fn cell(name: &str, value: Measured) -> Cell {
    Cell {
        name: name.to_owned(),
        value,
        ours: false,
    }
}
