//! Test of one figure of two reports: values, test and verdict.

use super::draws::Draws;
use super::figure::Figure;
use super::level_pair::{Column, LevelPair};
use super::power::{MAX_TASKS, ROUNDING};
use super::{
    ALPHA, EffectKind, Needs, PairOptions, PairTest, PairTestKind, PairVerdict, holm, margin, mcnemar, power,
    signflip,
};
use koab_core::level::Level;
use koab_core::reason::Reason;
use koab_core::score::{MetricId, is_judged};
use koab_core::sentence::Sentence;
use koab_report::interval;
use koab_report::{LevelReport, Report};

/// Tasks that a figure is computed from.
struct Tasks {
    /// Value of the figure in both reports.
    numbers: [f64; 2],
    /// Contribution of each task to the difference. For a mean over `n` tasks it is the difference
    /// of the task's scores, divided by `n`.
    added: Vec<f64>,
    /// Whether every score of every task is 0 or 1.
    is_binary: bool,
    /// Level means that the figure consists of, with their weights.
    parts: Vec<(Level, MetricId, f64)>,
}

pub(super) fn test(
    figure: &Figure,
    reports: [&Report; 2],
    levels: &[LevelPair],
    draws: &Draws,
    options: &PairOptions,
) -> PairTest {
    let mut row = empty(figure);
    let tasks = match tasks(figure, reports, levels) {
        Ok(tasks) => tasks,
        Err(reason) => {
            row.reason = Some(reason);
            return row;
        }
    };
    let [first, second] = tasks.numbers;
    let difference = second - first;
    row.tasks = tasks.added.len() as u32;
    row.left_out = left_out(&tasks.parts, reports, tasks.added.len());
    (row.first, row.second, row.difference) = (Some(first), Some(second), Some(difference));
    let count = |holds: fn(f64) -> bool| tasks.added.iter().filter(|one| holds(**one)).count();
    let (won, lost) = (count(|one| one > 0.0), count(|one| one < 0.0));
    (row.won, row.lost) = (won as u32, lost as u32);
    row.tied = row.tasks - row.won - row.lost;
    let is_by_judges = tasks.parts.iter().any(|(_, metric, _)| is_judged(*metric));
    if let Some(reason) = options.judged.as_ref().filter(|_| is_by_judges) {
        row.reason = Some(reason.clone());
        return row;
    }
    let draw_sums = draws.sum(&tasks.parts);
    match interval_of(&draw_sums, won + lost) {
        Ok(found) => row.interval = Some(found),
        Err(reason) => row.no_interval = Some(reason),
    }
    let is_proportion = matches!(figure, Figure::Metric(..) | Figure::Overall(_)) && tasks.is_binary;
    let (p, kind) = if is_proportion {
        (mcnemar::exact(lost, won), PairTestKind::Mcnemar)
    } else {
        signflip::p_value(&tasks.added, stream(options.seed, figure), draws.count)
    };
    (row.p, row.test) = (Some(p), Some(kind));
    row.tasks_for_margin = if is_proportion {
        margin::binary(won + lost, tasks.added.len())
    } else if matches!(figure, Figure::Composite(_)) {
        margin::drawn(&draw_sums, tasks.added.len())
    } else {
        margin::mean(&tasks.added)
    };
    let spread = spread(figure, &tasks.added, difference);
    row.effect_kind = Some(if is_proportion { EffectKind::CohenG } else { EffectKind::Standardized });
    let effect = match (won + lost, is_proportion) {
        (0, _) => Err(Reason::NoTaskDiffers {}.into()),
        (some, true) => Ok(won as f64 / some as f64 - 0.5),
        (_, false) => spread.clone(),
    };
    match effect {
        Ok(effect) => row.effect = Some(effect),
        Err(reason) => row.no_effect = Some(reason),
    }
    if p >= ALPHA {
        let needed = if won + lost == 0 || difference.abs() < ROUNDING {
            Err(Reason::NoDifference {}.into())
        } else if is_proportion {
            Ok(power::binary(lost, won, tasks.added.len()))
        } else {
            // For several levels, the bootstrap's spread is the one that more tasks of each level
            // would reduce.
            spread.or_else(|_| by_draws(&draw_sums, difference, tasks.added.len())).map(power::mean)
        };
        match needed.and_then(|needed| needs(needed, tasks.added.len())) {
            Ok(needs) => row.needs = Some(needs),
            Err(reason) => row.no_needs = Some(reason),
        }
    }
    row.verdict = PairVerdict::NotSeparated;
    row
}

/// Corrects the p values of figures that are shown together, and sets their verdicts.
pub(super) fn correct<'a>(tests: impl IntoIterator<Item = &'a mut PairTest>) {
    let mut tested = Vec::new();
    let mut p = Vec::new();
    for test in tests {
        if let Some(alone) = test.p {
            p.push(alone);
            tested.push((test, alone));
        }
    }
    for ((test, alone), corrected) in tested.into_iter().zip(holm::holm(&p)) {
        test.holm = Some(corrected);
        test.corrected_over = Some(p.len() as u32);
        if corrected < ALPHA {
            test.verdict = match test.difference {
                Some(difference) if difference < 0.0 => PairVerdict::First,
                _ => PairVerdict::Second,
            };
            continue;
        }
        test.verdict = PairVerdict::NotSeparated;
        if alone < ALPHA {
            let alone = Reason::SeparatedAlone { tests: p.len().to_string() };
            test.no_needs = Some(alone.into());
        }
    }
}

fn empty(figure: &Figure) -> PairTest {
    let (level, metric, variant) = match figure {
        Figure::Metric(level, metric) => (Some(level.clone()), Some(*metric), None),
        Figure::Overall(metric) => (None, Some(*metric), None),
        Figure::LevelScore(level) => (Some(level.clone()), None, None),
        Figure::Composite(variant) => (None, None, Some(variant.name())),
    };
    PairTest {
        level,
        metric,
        variant,
        tasks: 0,
        left_out: 0,
        first: None,
        second: None,
        difference: None,
        interval: None,
        no_interval: None,
        won: 0,
        lost: 0,
        tied: 0,
        test: None,
        p: None,
        holm: None,
        corrected_over: None,
        effect: None,
        effect_kind: None,
        no_effect: None,
        needs: None,
        no_needs: None,
        tasks_for_margin: None,
        verdict: PairVerdict::Untested,
        reason: None,
    }
}

/// Tasks of a figure, or the reason why it cannot be compared.
fn tasks(figure: &Figure, reports: [&Report; 2], levels: &[LevelPair]) -> Result<Tasks, Sentence> {
    for (place, report) in reports.into_iter().enumerate() {
        if let Some(reason) = figure.unmeasured(report) {
            return Err(lacks(place, reason.clone()));
        }
    }
    let level_ids: Vec<&Level> = levels.iter().map(|pair| &pair.level).collect();
    let mut parts = figure.parts(&level_ids);
    if parts.is_empty() {
        return Err(Reason::NoSharedTask {}.into());
    }
    let mut columns: Vec<(&LevelPair, &Column)> = Vec::new();
    for (level, metric, _) in &parts {
        let means = reports.map(|report| report.mean(level, *metric));
        for (place, mean) in means.into_iter().enumerate() {
            let reason = match mean {
                Ok(_) => continue,
                Err(reason) if matches!(figure, Figure::Metric(..)) => reason,
                Err(reason) => {
                    let (level, metric) = (level.to_string(), metric.to_string());
                    Reason::OfLevelMetric { level, metric, reason }.into()
                }
            };
            return Err(lacks(place, reason));
        }
        let of_level =
            |report: &Report| report.level(level).is_none_or(|level: &LevelReport| level.tasks.is_empty());
        if reports.into_iter().any(of_level) {
            return Err(Reason::SummaryOnly {}.into());
        }
        let pair = levels.iter().find(|pair| pair.level == *level);
        let column = pair.and_then(|pair| Some((pair, pair.column(*metric)?)));
        columns.push(column.ok_or(Reason::NoSharedTask {})?);
    }
    let scored = |column: &Column| column.iter().flatten().count();
    if matches!(figure, Figure::Overall(_)) {
        let all: usize = columns.iter().map(|(_, column)| scored(column)).sum();
        for ((_, _, weight), (_, column)) in parts.iter_mut().zip(&columns) {
            *weight = scored(column) as f64 / all as f64;
        }
    }
    let mut numbers = [0.0; 2];
    let mut is_binary = true;
    let mut added: Vec<(&Level, Vec<Option<f64>>)> = Vec::new();
    for ((level, _, weight), (pair, column)) in parts.iter().zip(&columns) {
        let count = scored(column) as f64;
        for (place, number) in numbers.iter_mut().enumerate() {
            let sum: f64 = column.iter().flatten().map(|scores| scores[place]).sum();
            *number += weight * (sum / count);
        }
        let mut of_figure = column.iter().flatten().flatten();
        is_binary &= of_figure.all(|score| *score == 0.0 || *score == 1.0);
        let at = added.iter().position(|(of, _)| *of == level).unwrap_or_else(|| {
            added.push((level, vec![None; pair.tasks]));
            added.len() - 1
        });
        for (sum, scores) in added[at].1.iter_mut().zip(column.iter()) {
            if let Some([one, other]) = scores {
                *sum = Some(sum.unwrap_or_default() + weight * (other - one) / count);
            }
        }
    }
    let mut added: Vec<f64> = added.into_iter().flat_map(|(_, of)| of).flatten().collect();
    let largest = added.iter().fold(0.0f64, |largest, one| largest.max(one.abs()));
    for one in &mut added {
        // Several metrics of a task may cancel out except for rounding, which would count as a
        // difference.
        if one.abs() <= ROUNDING * largest {
            *one = 0.0;
        }
    }
    // If all tasks are compared, the values are the reports' own, to the last bit: a sum in another
    // order would give a slightly different number.
    let is_whole = |report: &Report| {
        let mut of = parts.iter().zip(&columns);
        let compared = of.all(|((level, metric, _), (_, column))| {
            let mean = report.level(level).and_then(|level| level.mean(*metric));
            mean.and_then(|mean| mean.scored) == Some(scored(column))
        });
        compared && (!matches!(figure, Figure::Overall(_)) || report.levels.len() == parts.len())
    };
    if reports.into_iter().all(is_whole)
        && let [Some(first), Some(second)] = reports.map(|report| figure.of(report))
    {
        numbers = [first, second];
    }
    Ok(Tasks { numbers, added, is_binary, parts })
}

/// Reason why there is no value, which names the first or the second report.
fn lacks(place: usize, reason: Sentence) -> Sentence {
    match place {
        0 => Reason::FirstHasNone { reason }.into(),
        _ => Reason::SecondHasNone { reason }.into(),
    }
}

/// Number of tasks of the figure's levels that at least one report has but that are not compared.
fn left_out(parts: &[(Level, MetricId, f64)], reports: [&Report; 2], compared: usize) -> u32 {
    let mut levels: Vec<&Level> = parts.iter().map(|(level, ..)| level).collect();
    levels.dedup();
    let mut ids: Vec<(&Level, &str)> = Vec::new();
    for report in reports {
        let of = levels.iter().filter_map(|level| report.level(level));
        ids.extend(of.flat_map(|level| level.tasks.iter().map(|task| (&level.level, task.id.as_str()))));
    }
    ids.sort_unstable();
    ids.dedup();
    ids.len().saturating_sub(compared) as u32
}

fn interval_of(drawn: &[f64], differing: usize) -> interval::Bounds {
    if differing == 0 {
        return Err(Reason::NoTaskDiffers {}.into());
    }
    let first = drawn.first().copied().unwrap_or_default();
    let nearly = |one: &f64| (one - first).abs() <= ROUNDING * first.abs().max(1.0);
    if drawn.iter().all(nearly) {
        return Err(Reason::AllDifferAlike {}.into());
    }
    interval::percentiles(&mut drawn.to_vec())
}

/// Mean of the tasks' differences divided by their standard deviation.
fn spread(figure: &Figure, added: &[f64], difference: f64) -> Result<f64, Sentence> {
    if matches!(figure, Figure::Composite(_)) {
        return Err(Reason::WeighedTasks {}.into());
    }
    let count = added.len() as f64;
    if added.len() < 2 {
        return Err(Reason::OneTask {}.into());
    }
    let mean = difference / count;
    let squares: f64 = added.iter().map(|one| (one - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    if deviation <= ROUNDING * mean.abs() {
        return Err(Reason::AllDifferAlike {}.into());
    }
    Ok(mean / deviation)
}

/// Standardised difference with the bootstrap's standard error. All tasks are treated as if they
/// had the same weight.
fn by_draws(drawn: &[f64], difference: f64, tasks: usize) -> Result<f64, Sentence> {
    let error = margin::standard_error(drawn).ok_or(Reason::AllDifferAlike {})?;
    Ok(difference / (error * (tasks as f64).sqrt()))
}

fn needs(needed: f64, tasks: usize) -> Result<Needs, Sentence> {
    if !needed.is_finite() || needed > MAX_TASKS {
        let tasks = (MAX_TASKS as u32).to_string();
        return Err(Reason::TooManyTasks { tasks }.into());
    }
    let have = tasks as f64;
    Ok(Needs {
        more_tasks: (needed.ceil() - have).max(1.0) as u32,
        times: (needed / have).ceil().max(2.0) as u32,
    })
}

/// Seed of the figure's own random stream, so that its numbers do not depend on other tested
/// figures.
pub(super) fn stream(seed: u64, figure: &Figure) -> u64 {
    let name = format!("{figure:?}");
    name.bytes().fold(seed, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests;
