//! What the tests of two reports come to, in one sentence: which is better, on what, and how sure
//! that is.
//!
//! The composite score leads; where it is not tested, success rate does, else the figure over most
//! tasks. Where only some figures were asked for, nothing is said of others, and a level's score
//! goes before what it is made of. "Better" is said by the corrected tests alone.

use super::{ALPHA, Family, PairTest, PairTests, PairVerdict};
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_core::{say, shown, text};
use serde::{Deserialize, Serialize};

/// Figures that are named of each side; the tables have all.
const NAMED: usize = 4;

/// What the tests of two reports come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Conclusion {
    /// By the figure that leads.
    pub verdict: PairVerdict,
    /// The table in which that figure stands; null when nothing is tested.
    pub family: Option<Family>,
    /// All of it in words.
    pub sentence: Sentence,
}

/// Concludes from tests, with what the two reports are called.
pub fn conclude(tests: &PairTests, names: [&str; 2]) -> Conclusion {
    let [first, second] = names;
    let no_composite = no_composite(tests);
    let Some((family, lead)) = lead(tests) else {
        let mut all = tests.families.iter().flat_map(|family| &family.tests);
        let reason = no_composite.or_else(|| all.find_map(|test| test.reason.as_ref()));
        let sentence = match reason {
            Some(reason) => say!("{second} − {first} is not tested: {reason}"),
            None => say!("{second} − {first} is not tested: the two have no figure in common"),
        };
        return Conclusion { verdict: PairVerdict::Untested, family: None, sentence };
    };
    let mut parts = Vec::new();
    if let Some(reason) = no_composite {
        let figure = figure(lead);
        parts.push(say!("composite not tested ({reason}), {figure} instead"));
    }
    parts.push(leading(lead, names));
    parts.extend(details(tests, lead, names));
    if lead.verdict == PairVerdict::NotSeparated {
        parts.extend(power(lead));
    }
    Conclusion { verdict: lead.verdict, family: Some(family), sentence: Sentence::joined(parts, "; ") }
}

/// Says that two reports may not be compared, and why.
pub fn refuse(reason: &Sentence, names: [&str; 2]) -> Conclusion {
    let [first, second] = names;
    Conclusion {
        verdict: PairVerdict::Untested,
        family: None,
        sentence: say!("{second} and {first} are not comparable, so nothing is tested: {reason}"),
    }
}

/// Why no composite is tested; nothing where one is, or where none was asked for.
fn no_composite(tests: &PairTests) -> Option<&Sentence> {
    let mut families = tests.families.iter();
    let composites = families.find(|one| one.family == Family::Composites)?;
    let is_tested = composites.tests.iter().any(|test| test.p.is_some());
    let mut reasons = composites.tests.iter().filter_map(|test| test.reason.as_ref());
    reasons.next().filter(|_| !is_tested)
}

/// The figure that the sentence begins with.
fn lead(tests: &PairTests) -> Option<(Family, &PairTest)> {
    let of = |family: Family| {
        let families = tests.families.iter().filter(move |one| one.family == family);
        let tests = families.flat_map(|one| &one.tests);
        tests.filter(|test| test.p.is_some()).map(move |test| (family, test))
    };
    let success = || of(Family::Metrics).find(|(_, test)| test.metric == Some(MetricId::Sr));
    // Of equal ones the first in the order of the tables.
    let widest = || {
        let order: &[Family] = match is_choice(tests) {
            true => &[Family::Levels, Family::Metrics, Family::Common],
            false => &[Family::Metrics, Family::Levels],
        };
        order
            .iter()
            .copied()
            .flat_map(of)
            .reduce(|best, one| if one.1.tasks > best.1.tasks { one } else { best })
    };
    of(Family::Composites).next().or_else(success).or_else(widest)
}

/// Whether only some figures were asked for: composites are among all, even where they have no
/// value.
fn is_choice(tests: &PairTests) -> bool {
    !tests.families.iter().any(|one| one.family == Family::Composites)
}

/// The difference with its interval and its test.
fn leading(lead: &PairTest, [first, second]: [&str; 2]) -> Sentence {
    let (tasks, figure, p) = (lead.tasks, figure(lead), p_values(lead));
    let difference = shown::difference(lead.difference);
    let better = |model: &str| say!("{model} is better");
    let told = match lead.verdict {
        PairVerdict::First => better(first),
        PairVerdict::Second => better(second),
        _ if lead.p.is_some_and(|p| p < ALPHA) => {
            say!("no significant difference after Holm’s correction")
        }
        _ => say!("no significant difference"),
    };
    match (lead.interval, lead.no_interval.as_ref()) {
        (Some(interval), _) => {
            let [low, high] = shown::both_ends_of_difference(interval.low, interval.high);
            say!(
                "{second} − {first} = {difference} {figure} over {tasks} tasks, 95 % CI {low} to {high}, {p}: {told}"
            )
        }
        (None, Some(reason)) => {
            say!(
                "{second} − {first} = {difference} {figure} over {tasks} tasks, no interval ({reason}), {p}: {told}"
            )
        }
        (None, None) => say!("{second} − {first} = {difference} {figure} over {tasks} tasks, {p}: {told}"),
    }
}

/// The p value, and of several tests the corrected one with how many they are.
fn p_values(test: &PairTest) -> Sentence {
    let equal = |p: Option<f64>| {
        let shown = shown::p_value(p);
        match shown.strip_prefix('<') {
            Some(least) => format!("< {least}"),
            None => format!("= {shown}"),
        }
    };
    let p = equal(test.p);
    match test.corrected_over {
        Some(tests) if tests > 1 => {
            let holm = equal(test.holm);
            say!("p {p}, Holm p {holm} over {tests} tests")
        }
        _ => say!("p {p}"),
    }
}

/// On which levels and metrics either is better, or that it is on none of them.
fn details(tests: &PairTests, lead: &PairTest, [first, second]: [&str; 2]) -> Vec<Sentence> {
    let of = |family: Family| {
        let families = tests.families.iter().filter(move |one| one.family == family);
        families.flat_map(|one| &one.tests).filter(|test| *test != lead)
    };
    let is_choice = is_choice(tests);
    // A metric over all tasks already tells of it level by level.
    let over_all = |metric: Option<MetricId>| {
        let mut metrics = tests.families.iter().filter(|one| one.family == Family::Metrics);
        metrics.any(|one| one.tests.iter().any(|test| test.level.is_none() && test.metric == metric))
    };
    let of =
        |family: Family| of(family).filter(move |test| family != Family::Common || !over_all(test.metric));
    let mut named_of = vec![Family::Levels, Family::Metrics];
    named_of.extend(is_choice.then_some(Family::Common));
    let mut said = Vec::new();
    for (verdict, model) in [(PairVerdict::First, first), (PairVerdict::Second, second)] {
        let mut better: Vec<&PairTest> = Vec::new();
        for family in named_of.iter().copied() {
            let mut found: Vec<&PairTest> = of(family).filter(|test| test.verdict == verdict).collect();
            // A level that is named already tells of its own metrics.
            found.retain(|test| {
                let is_told = |level: &&PairTest| level.metric.is_none() && level.level == test.level;
                test.metric.is_none() || !better.iter().any(is_told)
            });
            found.sort_by(|one, other| one.holm.unwrap_or(1.0).total_cmp(&other.holm.unwrap_or(1.0)));
            better.append(&mut found);
        }
        let named = better.iter().take(NAMED).map(|test| {
            let (figure, difference) = (figure(test), shown::difference(test.difference));
            say!("{figure} ({difference})")
        });
        let figures = Sentence::joined(named, ", ");
        match better.len().checked_sub(NAMED) {
            _ if better.is_empty() => {}
            None | Some(0) => said.push(say!("{model} better on {figures}")),
            Some(more) => said.push(say!("{model} better on {figures} and {more} more")),
        }
    }
    let are_tested = |family: Family| of(family).any(|test| test.p.is_some());
    if said.is_empty() && named_of.into_iter().any(are_tested) {
        said.push(match (lead.verdict, &lead.variant) {
            (PairVerdict::NotSeparated, _) if is_choice => {
                say!("nor on any other of the figures that were asked for")
            }
            _ if is_choice => say!("no other of the figures that were asked for differs significantly"),
            (PairVerdict::NotSeparated, _) => say!("nor on any single level or metric after correction"),
            (_, Some(_)) => say!("no single level or metric differs significantly after correction"),
            (_, None) => say!("no other level or metric differs significantly"),
        });
    }
    said
}

/// What it would take to find a difference that is worth knowing of.
fn power(lead: &PairTest) -> Option<Sentence> {
    let needed = lead.tasks_for_margin?;
    let tasks = lead.tasks;
    Some(match needed.checked_sub(tasks) {
        None | Some(0) => say!("{tasks} tasks are enough to separate 5 points (0.05) with power 0.8"),
        Some(more) => say!("about {more} more tasks would separate 5 points (0.05) with power 0.8"),
    })
}

/// How a figure is called.
fn figure(test: &PairTest) -> Sentence {
    match (test.level, test.metric, &test.variant) {
        (Some(level), Some(metric), _) => format!("{level} {metric}").into(),
        (Some(level), None, _) => level.to_string().into(),
        (None, Some(MetricId::PassAtK), _) => text!("pass@k (answered)").into(),
        (None, Some(metric), _) => metric.name().into(),
        (None, None, variant) => {
            let variant = variant.as_deref().unwrap_or_default();
            say!("composite ({variant})")
        }
    }
}
