//! `koab report compare`: the tests between reports, their ranks, and `koab report matrix`.

use crate::output::{Columns, or_dash};
use crate::render::comparability::{findings, grade};
use koab_api::ranks::{RankedBy, Ranking};
use koab_api::shown;
use koab_api::{
    ALPHA, Family, FamilyTests, MatrixView, MetricId, PairTest, PairTestKind, PairVerdict, PairView,
    RanksView, ScoredPair, WantedFigure,
};
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::{Language, ToSentence};
use koab_core::{say, text};

/// Maximum number of reports for a matrix that is drawn with characters.
const MAX_DRAWN_REPORTS: usize = 40;

/// Tests between two reports, for each scorer that both reports have.
pub(crate) fn pair(view: &PairView, lang: Language) -> String {
    view.pairs.iter().map(|pair| scored(pair, lang)).collect()
}

fn scored(pair: &ScoredPair, lang: Language) -> String {
    let mut text = format!(
        "\n{}: {} → {} [{} {}] ({})\n",
        lang.text(text!("tests")),
        pair.first.id,
        pair.second.id,
        lang.text(text!("scorer")),
        pair.scorer,
        grade(pair.judgement.grade, lang),
    );
    let Some(tests) = &pair.tests else {
        text.push_str(lang.text(text!("no tests: the numbers of the two mean different things:\n")));
        text.push_str(&findings(&pair.refusal, lang));
        return text;
    };
    text.push_str(&lang.say(&say!("{tasks} tasks that both have ({left_out} left out that only one has); difference = second − first; 95 % intervals: {draws} draws of tasks (seed {seed})\n", tasks = tests.tasks, left_out = tests.left_out, draws = tests.draws, seed = tests.seed)));
    for family in &tests.families {
        text.push_str(&self::family(family, lang));
    }
    text
}

fn family(family: &FamilyTests, lang: Language) -> String {
    let title = match family.family {
        Family::Metrics => lang.text(text!("metrics")),
        Family::Levels => lang.text(text!("level scores")),
        Family::Composites => lang.text(text!("composite scores")),
        Family::Common => lang.text(text!("common metrics by level")),
    };
    let mut tests = family.tests.iter();
    let test_count = tests.find_map(|test| test.corrected_over).unwrap_or_default();
    let corrected = lang.say(&match family.family {
        Family::Composites => {
            say!("tests, corrected together by Holm: {tested}, each reading by itself", tested = test_count)
        }
        _ => say!("tests, corrected together by Holm: {tested}", tested = test_count),
    });
    let table = Columns::new(&family.tests, lang)
        .column(text!("figure"), |test| figure(test, lang))
        .column(text!("tasks"), |test| test.tasks)
        .column(text!("first"), |test| shown::score(test.first))
        .column(text!("second"), |test| shown::score(test.second))
        .column(text!("difference"), |test| shown::difference(test.difference))
        .column(text!("95 % interval"), |test| {
            or_dash(test.interval.map(|found| shown::ends_of_difference(found.low, found.high)))
        })
        .column(text!("test"), |test| match test.test {
            None => shown::NONE,
            Some(PairTestKind::Mcnemar) => lang.text(text!("McNemar exact")),
            Some(PairTestKind::FlipsAll) => lang.text(text!("signs, all")),
            Some(PairTestKind::FlipsDrawn) => lang.text(text!("signs, drawn")),
        })
        .column("p", |test| shown::p_value(test.p))
        .column(text!("Holm p"), |test| shown::p_value(test.holm))
        .column(text!("effect"), |test| or_dash(test.effect.map(shown::effect)))
        .prose(text!("conclusion"), |test| conclusion(test, lang));
    let text = table.spare([1, 6, 9, 2, 3]).text();
    let readings = family.tests.iter().filter_map(|test| {
        let variant = CompositeVariant::named(test.variant.as_deref()?)?;
        Some(format!("  {}: {}\n", lang.text(variant.title()), lang.say(&variant.reading().to_sentence())))
    });
    let readings: String = readings.collect();
    format!("\n{title} ({corrected})\n{text}{readings}")
}

fn figure(test: &PairTest, lang: Language) -> String {
    let metric = test.metric.map(|metric| shown::metric(metric.name(), lang).to_owned());
    match (&test.level, metric, &test.variant) {
        (Some(level), Some(metric), _) => format!("{level} {metric}"),
        (Some(level), None, _) => level.to_string(),
        (None, Some(metric), _) => metric,
        (None, None, variant) => shown::composite(variant.as_deref().unwrap_or_default(), lang).to_owned(),
    }
}

fn conclusion(test: &PairTest, lang: Language) -> String {
    match test.verdict {
        PairVerdict::First => lang.text(text!("the first is better")).to_owned(),
        PairVerdict::Second => lang.text(text!("the second is better")).to_owned(),
        PairVerdict::Untested => {
            let reason = test.reason.clone().unwrap_or_default();
            format!("{}: {}", lang.text(text!("not tested")), lang.say(&reason))
        }
        PairVerdict::NotSeparated => {
            // Without the correction the difference would be significant, so the text must name it.
            let is_alone = test.p.is_some_and(|p| p < ALPHA);
            let verdict = if is_alone {
                lang.text(text!("no significant difference after Holm's correction"))
            } else {
                lang.text(text!("no significant difference"))
            };
            match (test.needs, &test.no_needs) {
                (Some(needs), _) => lang.say(&say!(
                    "{told}; about {more_tasks} more tasks, or {times} times the attempts a task at least",
                    told = verdict,
                    more_tasks = needs.more_tasks,
                    times = needs.times
                )),
                (None, Some(reason)) => format!("{verdict}: {}", lang.say(reason)),
                (None, None) => verdict.to_owned(),
            }
        }
    }
}

/// Explanation of the estimated numbers of further tasks; empty if no table has such a number.
pub(crate) fn needs_explained(tests: &[PairView], lang: Language) -> &'static str {
    let pairs = tests.iter().flat_map(|view| &view.pairs);
    let families = pairs.filter_map(|pair| pair.tests.as_ref()).flat_map(|tests| &tests.families);
    if families.flat_map(|family| &family.tests).any(|test| test.needs.is_some()) {
        lang.text(text!("\nmore tasks, or more attempts a task: the number that would confirm the difference observed in this row, if it is the true one (power 0.8 at 0.05, before correction); the first lines count the tasks for a difference of 5 points (0.05), whatever the observed one\n"))
    } else {
        ""
    }
}

/// Ranks of reports with their intervals. If the user chooses figures, only the ranking by the
/// success rate may be shown.
pub(crate) fn ranks(view: &RanksView, chosen: &[WantedFigure], lang: Language) -> String {
    let has_rate = chosen.contains(&WantedFigure { level: None, metric: Some(MetricId::Sr) });
    let rankings = view.rankings.iter().filter(|ranking| match ranking.by {
        RankedBy::Composite => chosen.is_empty(),
        RankedBy::SuccessRate => chosen.is_empty() || has_rate,
    });
    let mut text: String = rankings.map(|ranking| self::ranking(&view.reports, ranking, lang)).collect();
    if text.is_empty() {
        return text;
    }
    text.push_str(lang.text(text!("\n95 % of ranks: where a report stands in 95 % of the draws of tasks; P(rank 1): in how many no other is better; equal values share the better rank, so two reports can both be first; Holm: over these tests with the best alone\n")));
    text
}

fn ranking(ids: &[String], ranking: &Ranking, lang: Language) -> String {
    let by = match ranking.by {
        RankedBy::Composite => shown::composite(ranking.variant.as_deref().unwrap_or_default(), lang),
        RankedBy::SuccessRate => lang.text(text!("success rate (SR)")),
    };
    let title = lang.say(&say!(
        "ranks by {by}, over the {tasks} tasks that count for it and that all reports have",
        tasks = ranking.tasks
    ));
    let mut order: Vec<usize> = (0..ids.len()).collect();
    order.sort_by_key(|at| ranking.reports[*at].rank.unwrap_or(u32::MAX));
    let reports = order.into_iter().map(|at| (&ids[at], &ranking.reports[at]));
    let table = Columns::new(reports, lang)
        .column(text!("rank"), |(_, one)| or_dash(one.rank))
        .column(text!("95 % of ranks"), |(_, one)| {
            let range = one.low.zip(one.high);
            or_dash(
                range.map(|(low, high)| if low == high { low.to_string() } else { format!("{low}–{high}") }),
            )
        })
        .column(text!("P(rank 1)"), |(_, one)| or_dash(one.first_share.map(|share| shown::percent(share, 1))))
        .id(text!("report"), |(id, _)| id)
        .column(text!("value"), |(_, one)| shown::score(one.value))
        .prose(text!("conclusion"), |(_, one)| match &one.reason {
            Some(reason) => lang.say(reason),
            None if one.p.is_none() => lang.text(text!("the best")).to_owned(),
            None => {
                let verdict = if one.with_best {
                    lang.text(text!("no significant difference from the best"))
                } else {
                    lang.text(text!("below the best"))
                };
                let (p, holm) = (shown::p_value(one.p), shown::p_value(one.holm));
                match ranking.reports.iter().filter(|one| one.p.is_some()).count() {
                    1 => format!("{verdict} (p {p})"),
                    tests => {
                        lang.say(&say!("{told} (p {p}, Holm p {holm} over {tests} tests)", told = verdict))
                    }
                }
            }
        });
    format!("\n{title}\n{}", table.text())
}

/// Matrix of all pairs as numbers. With at most [`MAX_DRAWN_REPORTS`] reports it is also drawn with
/// characters.
pub(crate) fn matrix(view: &MatrixView, lang: Language) -> String {
    let level = view
        .level
        .as_ref()
        .map_or_else(|| lang.text(text!("all levels")).to_owned(), |level| level.to_string());
    let untold = view.tested - view.separated;
    let mut text = lang.say(&say!("{metric} ({level}) of {reports} reports: {untold} of {tested} tested pairs show no significant difference (p ≥ 0.05), {untold_holm} after Holm's correction over all of them; {refused} pairs may not be compared.\n", metric = view.metric, reports = view.reports.len(), tested = view.tested, untold_holm = view.tested - view.separated_holm, refused = view.refused));
    let mut table = Columns::new(view.reports.iter().enumerate(), lang)
        .column("№", |(place, _)| place + 1)
        .column(text!("rank"), |(_, report)| or_dash(report.rank))
        .id(text!("report"), |(_, report)| &report.id)
        .column(text!("share"), |(_, report)| {
            shown::score(Some(f64::from(report.solved) / f64::from(report.tasks.max(1))))
        })
        .column(text!("solved"), |(_, report)| format!("{}/{}", report.solved, report.tasks))
        .spare([4]);
    if view.reports.len() <= MAX_DRAWN_REPORTS {
        table = table.picture(text!("pairs"), |(place, _)| {
            let letters = (0..view.reports.len()).map(|column| mark(view, place, column));
            letters.collect::<String>()
        });
        text.push_str(lang.text(text!("the row compared with the column: ++ better even after Holm's correction, + better on its own, = no significant difference, - and -- worse, x may not be compared, . no task in common\n")));
    }
    text.push_str(&table.text());
    if view.reports.iter().any(|report| report.rank.is_none()) {
        text.push_str(
            &lang.say(&say!("\nonly reports over {tasks} tasks are ranked together\n", tasks = view.tasks)),
        );
    }
    for one in &view.left_out {
        text.push_str(&format!("\n{}: {}", one.id, lang.say(&one.reason)));
    }
    text
}

/// Character for the result of a pair. It shows whether the report of the row is better or worse.
fn mark(view: &MatrixView, row: usize, column: usize) -> &'static str {
    if row == column {
        return " · ";
    }
    let (low, high) = (row.min(column), row.max(column));
    let count = view.reports.len();
    let place = low * count - low * (low + 1) / 2 + high - low - 1;
    let letter = view.cells.as_bytes().get(place).copied().unwrap_or(b'n');
    let better = match letter.to_ascii_lowercase() {
        b'd'..=b'f' => row == low,
        b'g'..=b'i' => row == high,
        _ => false,
    };
    match (letter.to_ascii_lowercase(), better) {
        (b'x', _) => " x ",
        (b'n', _) => " . ",
        (b'e' | b'h', true) => " + ",
        (b'f' | b'i', true) => " ++",
        (b'e' | b'h', false) => " - ",
        (b'f' | b'i', false) => " --",
        _ => " = ",
    }
}
