//! Tables of the authors (`docs/spec/bfcl.md` §5).

use super::category::MULTI_TURN;
use crate::sizes::{GroupSizes, all_answered};
use crate::table::{Cell, Rules, Table};
use crate::{Item, Row};
use koab_core::measured::Measured;
use koab_core::{say, text};
use std::collections::BTreeMap;

/// Result of a category.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    right: usize,
    scored: usize,
    answered: usize,
    /// Number of items of the category in the pack.
    items: usize,
}

/// Results by category.
pub(super) type Scores = BTreeMap<&'static str, Score>;

/// Categories that form the simple part, one per language.
const SIMPLE: [&str; 3] = ["simple_python", "simple_java", "simple_javascript"];
/// Categories of the live part, each with its number of items. If a category was not run, all its
/// items count as wrong.
const LIVE: [(&str, usize); 4] =
    [("live_simple", 258), ("live_multiple", 1_053), ("live_parallel", 16), ("live_parallel_multiple", 24)];

/// Counts right answers by category. `categories` has the part and the name of each category.
pub(super) fn scores(
    rows: &[(&Item, &[Row])],
    pack: &GroupSizes,
    categories: &[(&str, &'static str)],
) -> Scores {
    let empty = categories.iter().map(|&(part, name)| {
        let items = pack.below(&[part, name]);
        (name, Score { items, ..Score::default() })
    });
    let mut scores: Scores = empty.collect();
    for (item, rows) in rows {
        let name = item.groups.last().map(String::as_str).unwrap_or_default();
        let Some(score) = scores.get_mut(name) else {
            continue;
        };
        score.answered += 1;
        for value in rows.iter().filter_map(|row| row.value.as_ref().ok()) {
            score.right += usize::from(*value == 1);
            score.scored += 1;
        }
    }
    scores
}

/// Share of right answers. Categories that were not run count 0.
#[derive(Clone, Debug)]
struct Share {
    /// Value of the share; the reason for its absence if only some items of a category were run.
    value: Measured,
    /// Categories that were not run at all.
    missing: Vec<&'static str>,
}

/// Returns an error if some answers have no verdict, so that the figure is left out.
fn all_scored(score: &Score) -> Measured<()> {
    let (scored, answered) = (score.scored, score.answered);
    if scored < answered { Err(say!("{scored} of {answered} answers have a verdict")) } else { Ok(()) }
}

impl Share {
    fn new(scores: &Scores, category: &'static str) -> Self {
        match scores.get(category) {
            Some(score) if score.answered > 0 => Self {
                value: all_answered(score.answered, score.items)
                    .and_then(|()| all_scored(score))
                    .map(|()| score.right as f64 / score.scored as f64),
                missing: Vec::new(),
            },
            _ => Self { value: Ok(0.0), missing: vec![category] },
        }
    }

    /// Mean of shares with equal weights.
    fn mean(shares: &[Self]) -> Self {
        let values: Measured<Vec<f64>> = shares.iter().map(|share| share.value.clone()).collect();
        Self {
            value: values.map(|values| values.iter().sum::<f64>() / values.len() as f64),
            missing: shares.iter().flat_map(|share| share.missing.clone()).collect(),
        }
    }

    /// Share of right answers over the items of several categories.
    fn together(scores: &Scores, categories: &[(&'static str, usize)]) -> Self {
        let shares: Vec<_> = categories.iter().map(|(name, _)| Self::new(scores, name)).collect();
        let of = |(name, all): &(&'static str, usize)| match scores.get(name) {
            Some(score) if score.scored > 0 => (score.right, score.scored),
            _ => (0, *all),
        };
        let counts = categories.iter().map(of);
        let (right, items) = counts.fold((0, 0), |(a, b), (right, items)| (a + right, b + items));
        Self {
            value: Self::mean(&shares).value.map(|_| right as f64 / items as f64),
            missing: shares.into_iter().flat_map(|share| share.missing).collect(),
        }
    }

    /// Value for the cell; it is absent if a category was not run.
    fn shown(&self) -> Measured {
        if self.missing.is_empty() {
            self.value.clone()
        } else {
            Err(text!("not every category of this figure was answered").into())
        }
    }

    /// Cell for a figure over several categories, as the authors compute it.
    ///
    /// Published figures count categories that were not run as 0 and do not mention it. Here the
    /// cell has a remark.
    fn sum(&self, name: &str, rules: Rules) -> Cell {
        match rules {
            Rules::Corrected => cell(name, self.shown()),
            Rules::Published => Cell {
                remark: (self.value.is_ok() && !self.missing.is_empty()).then(|| {
                    say!(
                        "counts {categories} as 0, because none of the items was answered",
                        categories = self.missing.join(", ")
                    )
                }),
                ..cell(name, self.value.clone())
            },
        }
    }
}

/// Single-turn tables, and the figures that this product adds.
pub(super) fn tables(scores: &Scores, rules: Rules) -> Vec<Table> {
    let of = |category| Share::new(scores, category);
    let simple = Share::mean(&SIMPLE.map(of));
    let non_live = Share::mean(&[simple.clone(), of("multiple"), of("parallel"), of("parallel_multiple")]);
    let live = Share::together(scores, &LIVE);
    let irrelevance = Share::mean(&[of("irrelevance"), of("live_irrelevance")]);
    let ours = Share::mean(&[non_live.clone(), live.clone(), irrelevance.clone()]);
    vec![
        table(
            "data_non_live",
            vec![
                non_live.sum("Non-Live Overall Acc", rules),
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
                live.sum("Live Overall Acc", rules),
                cell("AST Summary", live.shown()),
                cell("Python Simple AST", of("live_simple").shown()),
                cell("Python Multiple AST", of("live_multiple").shown()),
                cell("Python Parallel AST", of("live_parallel").shown()),
                cell("Python Parallel Multiple AST", of("live_parallel_multiple").shown()),
                cell("Irrelevance Detection", of("live_irrelevance").shown()),
                cell("Relevance Detection", of("live_relevance").shown()),
            ],
        ),
        table(
            "single_turn",
            vec![
                cell("Non-Live AST Acc", non_live.shown()),
                live.sum("Live Acc", rules),
                cell("Irrelevance Detection", irrelevance.shown()),
                cell("Relevance Detection", of("live_relevance").shown()),
                Cell { ours: true, ..cell("Single-Turn Part", ours.shown()) },
            ],
        ),
    ]
}

/// Multi-turn tables.
pub(super) fn multi_turn(scores: &Scores, rules: Rules) -> Vec<Table> {
    let of = |category| Share::new(scores, category);
    let all = Share::mean(&MULTI_TURN.map(of));
    let names = ["Base", "Miss Func", "Miss Param", "Long Context"];
    let of_each = MULTI_TURN.iter().zip(names);
    let cells = of_each.map(|(category, name)| cell(&format!("Multi Turn {name}"), of(category).shown()));
    let acc = all.sum("Multi Turn Acc", rules);
    vec![table("multi_turn", std::iter::once(acc).chain(cells).collect())]
}

/// Text of a share as the authors print it, such as `87.50%` for 0.875.
pub(super) fn percent(value: f64) -> String {
    format!("{:.2}%", value * 100.0)
}

fn table(name: &str, cells: Vec<Cell>) -> Table {
    Table { name: name.to_owned(), cells, printed: None }
}

fn cell(name: &str, value: Measured) -> Cell {
    Cell { name: name.to_owned(), value, ours: false, remark: None }
}
