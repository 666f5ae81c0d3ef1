//! Conclusion from the tests of two reports, in one sentence: the better report, the figures that
//! show it, and the certainty.
//!
//! The sentence begins with the composite score. If it was not tested, the sentence begins with the
//! success rate, or else with the figure over most tasks. If only some figures were requested, the
//! sentence mentions no others, and a level's score comes before the level's metrics. A report is
//! called "better" only after correction for several tests.

use super::{ALPHA, Family, PairTest, PairTests, PairVerdict};
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::Sentence;
use koab_core::{say, shown, text};
use serde::{Deserialize, Serialize};

/// Maximum number of figures that the sentence names per report; the tables have all.
const MAX_NAMED_FIGURES: usize = 4;

/// Conclusion from the tests of two reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Conclusion {
    /// Verdict on the figure that the sentence begins with.
    pub verdict: PairVerdict,
    /// Table that contains the figure that the sentence begins with; null when nothing was tested.
    pub family: Option<Family>,
    /// Conclusion in words.
    pub sentence: Sentence,
}

/// Concludes from the tests of two reports with these names.
pub fn conclude(tests: &PairTests, names: [&str; 2]) -> Conclusion {
    let [first, second] = names;
    let no_composite = no_composite(tests);
    let Some((family, lead)) = lead(tests) else {
        let mut all = tests.families.iter().flat_map(|family| &family.tests);
        let reason = no_composite.or_else(|| all.find_map(|test| test.reason.as_ref()));
        let sentence = match reason {
            Some(reason) => say!("{second} − {first} is not tested: {reason}"),
            None => say!("{second} − {first} is not tested: the two reports have no figure in common"),
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

/// Conclusion for two reports that may not be compared, with the reason.
pub fn refuse(reason: &Sentence, names: [&str; 2]) -> Conclusion {
    let [first, second] = names;
    Conclusion {
        verdict: PairVerdict::Untested,
        family: None,
        sentence: say!("{second} and {first} are not comparable, so nothing is tested: {reason}"),
    }
}

/// Reason why no composite score was tested; `None` where one was tested or none was requested.
fn no_composite(tests: &PairTests) -> Option<&Sentence> {
    let mut families = tests.families.iter();
    let composites = families.find(|one| one.family == Family::Composites)?;
    let is_tested = composites.tests.iter().any(|test| test.p.is_some());
    let mut reasons = composites.tests.iter().filter_map(|test| test.reason.as_ref());
    reasons.next().filter(|_| !is_tested)
}

/// Figure that the sentence begins with.
fn lead(tests: &PairTests) -> Option<(Family, &PairTest)> {
    let of = |family: Family| {
        let families = tests.families.iter().filter(move |one| one.family == family);
        let tests = families.flat_map(|one| &one.tests);
        tests.filter(|test| test.p.is_some()).map(move |test| (family, test))
    };
    let success = || of(Family::Metrics).find(|(_, test)| test.metric == Some(MetricId::Sr));
    // Of equal figures the first in the order of the tables.
    let widest = || {
        let order: &[Family] = if is_choice(tests) {
            &[Family::Levels, Family::Metrics, Family::Common]
        } else {
            &[Family::Metrics, Family::Levels]
        };
        order
            .iter()
            .copied()
            .flat_map(of)
            .reduce(|best, one| if one.1.tasks > best.1.tasks { one } else { best })
    };
    of(Family::Composites).next().or_else(success).or_else(widest)
}

/// Whether the user requested only some figures. Composite scores are among the figures only if all
/// were requested.
fn is_choice(tests: &PairTests) -> bool {
    !tests.families.iter().any(|one| one.family == Family::Composites)
}

/// The figure that the sentence begins with: difference, interval and test.
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

/// p value, with the corrected p value and the number of tests if there are several.
fn p_values(test: &PairTest) -> Sentence {
    let equal = |p: Option<f64>| {
        let text = shown::p_value(p);
        match text.strip_prefix('<') {
            Some(least) => format!("< {least}"),
            None => format!("= {text}"),
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

/// Levels and metrics that show either report to be better, or a statement that no level or metric
/// does.
fn details(tests: &PairTests, lead: &PairTest, [first, second]: [&str; 2]) -> Vec<Sentence> {
    let of = |family: Family| {
        let families = tests.families.iter().filter(move |one| one.family == family);
        families.flat_map(|one| &one.tests).filter(|test| *test != lead)
    };
    let is_choice = is_choice(tests);
    // A metric over all tasks already covers its levels.
    let over_all = |metric: Option<MetricId>| {
        let mut metrics = tests.families.iter().filter(|one| one.family == Family::Metrics);
        metrics.any(|one| one.tests.iter().any(|test| test.level.is_none() && test.metric == metric))
    };
    let of =
        |family: Family| of(family).filter(move |test| family != Family::Common || !over_all(test.metric));
    let mut families_to_name = vec![Family::Levels, Family::Metrics];
    families_to_name.extend(is_choice.then_some(Family::Common));
    let mut sentences = Vec::new();
    for (verdict, model) in [(PairVerdict::First, first), (PairVerdict::Second, second)] {
        let mut better: Vec<&PairTest> = Vec::new();
        for family in families_to_name.iter().copied() {
            let mut candidates: Vec<&PairTest> = of(family).filter(|test| test.verdict == verdict).collect();
            // A level that is named already covers its own metrics.
            candidates.retain(|test| {
                let is_named = |level: &&PairTest| level.metric.is_none() && level.level == test.level;
                test.metric.is_none() || !better.iter().any(is_named)
            });
            candidates.sort_by(|one, other| one.holm.unwrap_or(1.0).total_cmp(&other.holm.unwrap_or(1.0)));
            better.append(&mut candidates);
        }
        let figures = better.iter().take(MAX_NAMED_FIGURES).map(|test| {
            let (figure, difference) = (figure(test), shown::difference(test.difference));
            say!("{figure} ({difference})")
        });
        let figures = Sentence::joined(figures, ", ");
        match better.len().checked_sub(MAX_NAMED_FIGURES) {
            _ if better.is_empty() => {}
            None | Some(0) => sentences.push(say!("{model} better on {figures}")),
            Some(more) => sentences.push(say!("{model} better on {figures} and {more} more")),
        }
    }
    let are_tested = |family: Family| of(family).any(|test| test.p.is_some());
    if sentences.is_empty() && families_to_name.into_iter().any(are_tested) {
        sentences.push(match (lead.verdict, &lead.variant) {
            (PairVerdict::NotSeparated, _) if is_choice => {
                say!("nor on any other of the figures that were asked for")
            }
            _ if is_choice => say!("no other of the figures that were asked for differs significantly"),
            (PairVerdict::NotSeparated, _) => say!("nor on any single level or metric after correction"),
            (_, Some(_)) => say!("no single level or metric differs significantly after correction"),
            (_, None) => say!("no other level or metric differs significantly"),
        });
    }
    sentences
}

/// Number of tasks that would separate a difference of 5 points.
fn power(lead: &PairTest) -> Option<Sentence> {
    let needed = lead.tasks_for_margin?;
    let tasks = lead.tasks;
    Some(match needed.checked_sub(tasks) {
        None | Some(0) => say!("{tasks} tasks are enough to separate 5 points (0.05) with power 0.8"),
        Some(more) => say!("about {more} more tasks would separate 5 points (0.05) with power 0.8"),
    })
}

/// Name of a figure for the sentence.
fn figure(test: &PairTest) -> Sentence {
    match (&test.level, test.metric, &test.variant) {
        (Some(level), Some(metric), _) => format!("{level} {metric}").into(),
        (Some(level), None, _) => level.to_string().into(),
        (None, Some(MetricId::PassAtK), _) => text!("pass@k (answered)").into(),
        (None, Some(metric), _) => metric.name().into(),
        (None, None, variant) => {
            let reading = variant.as_deref().and_then(CompositeVariant::named);
            reading.map_or(text!("composite"), CompositeVariant::title).into()
        }
    }
}
