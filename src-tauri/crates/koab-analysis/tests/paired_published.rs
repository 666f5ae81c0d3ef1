//! Tests between the eight published reports, against numbers that SciPy, statsmodels and NumPy computed from their JSON
//! (`paired/make.py`, `paired/published.json`).

#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::parity_support::{json, published};
use koab_analysis::paired::ranks::{RankOptions, RankedBy};
use koab_analysis::paired::{
    Family, Outcomes, PairOptions, PairTest, PairTestKind, compare_pair, holm, matrix, ranks,
};
use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::Sentence;
use koab_report::interval::{bootstrap_mean, wilson};
use koab_report::{Report, read_json};
use serde_json::Value;
use std::path::Path;

fn reports(parity: &Path, made: &Value) -> Vec<Report> {
    let names = made["reports"].as_array().unwrap().iter();
    names
        .map(|name| {
            let file = parity.join("reports").join(name.as_str().unwrap()).join("evaluation_report.json");
            read_json(&std::fs::read(file).unwrap()).unwrap().report
        })
        .collect()
}

fn made() -> Value {
    json(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/paired/published.json"))
}

fn rows(made: &Value, of: &str) -> Vec<Vec<Value>> {
    let rows = made[of]["rows"].as_array().unwrap().iter();
    rows.map(|row| row.as_array().unwrap().clone()).collect()
}

fn at(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn success(report: &Report, level: Option<Level>) -> Vec<f64> {
    let levels = report.levels.iter().filter(|of| level.as_ref().is_none_or(|level| of.level == *level));
    levels.flat_map(|level| level.tasks.iter().map(|task| task.value(MetricId::Sr).unwrap())).collect()
}

/// The test of one metric over all tasks, or over its own level.
fn test_of(one: &Report, other: &Report, metric: MetricId) -> PairTest {
    let options = PairOptions { wanted: vec![metric.into()], ..PairOptions::default() };
    let mut families = compare_pair(one, other, &options).families;
    assert_eq!(families[0].family, Family::Metrics);
    families[0].tests.remove(0)
}

#[test]
fn success_of_all_pairs_is_tested_as_scipy_and_statsmodels_do() {
    let Some(parity) = published("parity", "published-runs") else { return };
    let made = made();
    let reports = reports(&parity, &made);
    let pairs = rows(&made, "pairs");
    assert_eq!((reports.len(), pairs.len()), (8, 28));
    let mut p = Vec::new();
    for row in &pairs {
        let found = test_of(&reports[at(&row[0])], &reports[at(&row[1])], MetricId::Sr);
        assert_eq!(
            (u64::from(found.lost), u64::from(found.won)),
            (row[2].as_u64().unwrap(), row[3].as_u64().unwrap())
        );
        assert_eq!((found.tasks, found.test), (91, Some(PairTestKind::Mcnemar)));
        let theirs = row[4].as_f64().unwrap();
        assert!((found.p.unwrap() - theirs).abs() < 1e-12, "{row:?}: {found:?}");
        p.push(found.p.unwrap());
    }
    for (found, row) in holm::holm(&p).into_iter().zip(&pairs) {
        assert!((found - row[5].as_f64().unwrap()).abs() < 1e-12, "{row:?}: {found}");
    }
    assert_eq!(
        p.iter().filter(|p| **p >= 0.05).count(),
        15,
        "pairs of 28 without a significant difference one by one"
    );

    let outcomes: Vec<Outcomes> = reports.iter().map(Outcomes::from_report).collect();
    let all = matrix::Matrix::new(&outcomes, MetricId::Sr, None);
    let grade = |_, _| koab_report::comparability::Grade::Limited;
    let found = all.pairs(&(0..8).collect::<Vec<_>>(), grade);
    let of_matrix: Vec<f64> = found.iter().map(|pair| all.p(*pair).unwrap()).collect();
    assert_eq!(of_matrix, p, "the matrix has the same in the same order");
    assert_eq!(all.summary(&found).0.separated_holm, 9);
}

/// Of all ordered pairs: what a test says of a figure are the numbers that both reports show by
/// themselves, to the last bit.
#[test]
fn a_figure_has_one_number_and_one_difference() {
    let Some(parity) = published("parity", "published-runs") else { return };
    let made = made();
    let reports = reports(&parity, &made);
    let own = |report: &Report, test: &PairTest| match (&test.level, test.metric, &test.variant) {
        (Some(level), Some(metric), _) => report.mean(level, metric).unwrap(),
        (None, Some(metric), _) => koab_report::overall(report, metric).unwrap().value,
        (Some(level), None, _) => koab_report::level_score(report.level(level).unwrap()).unwrap(),
        (None, None, variant) => {
            let variant = CompositeVariant::named(variant.as_ref().unwrap()).unwrap();
            report.composite(variant).composite.unwrap()
        }
    };
    let (mut pairs, mut figures) = (0, 0);
    for (one, other) in (0..64).map(|at| (at / 8, at % 8)).filter(|(one, other)| one != other) {
        let [one, other] = [one, other].map(|at| &reports[at]);
        pairs += 1;
        for family in compare_pair(one, other, &PairOptions::default()).families {
            for test in family.tests.iter().filter(|test| test.difference.is_some()) {
                let [first, second] = [one, other].map(|report| own(report, test));
                let bits = |value: f64| value.to_bits();
                assert_eq!(
                    [test.first, test.second, test.difference].map(|value| value.map(bits)),
                    [first, second, second - first].map(|value| Some(bits(value))),
                    "{:?} {:?} {:?}",
                    test.level,
                    test.metric,
                    test.variant
                );
                figures += 1;
            }
        }
    }
    assert_eq!(pairs, 56);
    assert!(figures >= 3_000, "{figures} figures");
}

/// A rank's number and difference are the reports' own, and its p is that of the pair's test, to the last bit.
#[test]
fn ranks_have_the_numbers_and_the_p_values_of_the_pairs() {
    let Some(parity) = published("parity", "published-runs") else { return };
    let made = made();
    let reports = reports(&parity, &made);
    let all: Vec<Result<&Report, Sentence>> = reports.iter().map(Ok).collect();
    let options = RankOptions { reading: CompositeVariant::SHOWN, ..RankOptions::default() };
    let bits = |value: Option<f64>| value.map(f64::to_bits);
    for by in RankedBy::ALL {
        let own = |report: &Report| match by {
            RankedBy::Composite => report.composite(CompositeVariant::SHOWN).composite.unwrap(),
            RankedBy::SuccessRate => koab_report::overall(report, MetricId::Sr).unwrap().value,
        };
        let found = ranks::rank(&all, by, options, ranks::ONE_BY_ONE).reports;
        let best = found.iter().position(|one| one.p.is_none()).unwrap();
        for (ranked, report) in found.iter().zip(&reports) {
            assert_eq!(bits(ranked.value), bits(Some(own(report))), "{by:?}");
            assert_eq!(bits(ranked.difference), bits(Some(own(report) - own(&reports[0]))), "{by:?}");
            let Some(p) = ranked.p else { continue };
            let tests = compare_pair(&reports[best], report, &PairOptions::default());
            let mut tests = tests.families.iter().flat_map(|family| &family.tests);
            let of_pair = tests.find(|test| match by {
                RankedBy::Composite => test.variant.as_deref() == Some(&CompositeVariant::SHOWN.name()),
                RankedBy::SuccessRate => (test.level.as_ref(), test.metric) == (None, Some(MetricId::Sr)),
            });
            assert_eq!(bits(of_pair.unwrap().p), bits(Some(p)), "{by:?}");
        }
    }
}

#[test]
fn wilson_intervals_of_success_are_those_of_statsmodels() {
    let Some(parity) = published("parity", "published-runs") else { return };
    let made = made();
    let reports = reports(&parity, &made);
    let rows = rows(&made, "wilson");
    assert_eq!(rows.len(), 8 * 8);
    for row in rows {
        let values = success(&reports[at(&row[0])], row[1].as_str().map(|level| level.parse().unwrap()));
        let solved = values.iter().filter(|value| **value == 1.0).count();
        assert_eq!((solved, values.len()), (at(&row[2]), at(&row[3])));
        let found = wilson(solved, values.len()).unwrap();
        assert!((found.low - row[4].as_f64().unwrap()).abs() < 1e-12, "{row:?}");
        assert!((found.high - row[5].as_f64().unwrap()).abs() < 1e-12, "{row:?}");
    }
}

#[test]
fn paired_bootstraps_are_numpys_within_what_ten_thousand_draws_can_tell() {
    let Some(parity) = published("parity", "published-runs") else { return };
    let made = made();
    let reports = reports(&parity, &made);
    for row in rows(&made, "bootstrap") {
        let found = test_of(&reports[at(&row[0])], &reports[at(&row[1])], MetricId::Sr);
        let number = |at: usize| row[at].as_f64().unwrap();
        let error = number(5);
        // The mean of 200,000 draws lies within four of its standard errors of the difference that was seen.
        let difference = found.difference.unwrap();
        assert!((difference - number(2)).abs() < 4.0 * error / 200_000f64.sqrt(), "{row:?}: {difference}");
        // A percentile of 10,000 draws has a standard error of about 0.027 of the bootstrap's; sums of whole tasks step by 1/91.
        let near = 4.0 * 0.027 * error + 1.0 / 91.0;
        let interval = found.interval.unwrap();
        assert!((interval.low - number(3)).abs() <= near, "{row:?}: {interval:?}");
        assert!((interval.high - number(4)).abs() <= near, "{row:?}: {interval:?}");
    }
    // A plain mean of a report's own draws, too.
    let values = success(&reports[0], None);
    let (mean, found) = (values.iter().sum::<f64>() / 91.0, bootstrap_mean(&values).unwrap());
    assert!(found.low < mean && mean < found.high);
}

#[test]
fn coverage_is_tested_over_all_signs_as_scipy_does() {
    let Some(parity) = published("parity", "published-runs") else { return };
    let made = made();
    let reports = reports(&parity, &made);
    for row in rows(&made, "coverage") {
        let found = test_of(&reports[at(&row[0])], &reports[at(&row[1])], MetricId::Coverage);
        assert!((found.difference.unwrap() - row[2].as_f64().unwrap()).abs() < 1e-12, "{row:?}");
        assert!((found.p.unwrap() - row[3].as_f64().unwrap()).abs() < 1e-12, "{row:?}: {found:?}");
    }
}

#[test]
fn every_figure_of_every_pair_has_a_number_or_a_reason() {
    let Some(parity) = published("parity", "published-runs") else { return };
    let reports = reports(&parity, &made());
    let options = PairOptions { draws: 200, ..PairOptions::default() };
    let mut figures = 0;
    for (place, one) in reports.iter().enumerate() {
        for other in &reports[place + 1..] {
            for family in compare_pair(one, other, &options).families {
                for test in family.tests {
                    figures += 1;
                    assert_eq!(test.p.is_some(), test.reason.is_none(), "{test:?}");
                    assert_eq!(test.p.is_some(), test.holm.is_some() && test.test.is_some(), "{test:?}");
                    assert_eq!(
                        test.p.is_some(),
                        test.interval.is_some() ^ test.no_interval.is_some(),
                        "{test:?}"
                    );
                    assert_eq!(
                        test.p.is_some(),
                        test.effect.is_some() ^ test.no_effect.is_some(),
                        "{test:?}"
                    );
                    assert!(test.p.is_none_or(|p| p > 0.0 && p <= test.holm.unwrap()), "{test:?}");
                    let separated = test.holm.is_some_and(|holm| holm < 0.05);
                    assert_eq!(
                        test.p.is_some() && !separated,
                        test.needs.is_some() ^ test.no_needs.is_some(),
                        "{test:?}"
                    );
                    if let (Some(interval), Some(difference)) = (test.interval, test.difference) {
                        assert!(
                            interval.low <= difference + 1e-12 && difference <= interval.high + 1e-12,
                            "{test:?}"
                        );
                    }
                }
            }
        }
    }
    // 20 metrics, 7 levels, 3 readings of the composite, 4 common metrics a level.
    assert_eq!(figures, 28 * (20 + 7 + 3 + 28));
}

#[test]
fn ranks_hold_their_rank_and_the_best_is_among_the_best() {
    let Some(parity) = published("parity", "published-runs") else { return };
    let reports = reports(&parity, &made());
    let given: Vec<Result<&Report, Sentence>> = reports.iter().map(Ok).collect();
    for by in ranks::RankedBy::ALL {
        let ranking = ranks::rank(&given, by, ranks::RankOptions::default(), ranks::ONE_BY_ONE);
        let first = ranking.reports.iter().find(|one| one.rank == Some(1)).unwrap();
        assert!(first.with_best && first.p.is_none());
        for one in &ranking.reports {
            assert!(one.low <= one.rank && one.rank <= one.high, "{one:?}");
            assert!(one.low < one.high || one.first_share == Some(1.0), "no rank of eight is sure: {one:?}");
        }
    }
    let values: Vec<f64> =
        reports.iter().map(|report| success(report, None).iter().sum::<f64>() / 91.0).collect();
    let ranking =
        ranks::rank(&given, ranks::RankedBy::SuccessRate, ranks::RankOptions::default(), ranks::ONE_BY_ONE);
    assert_eq!(ranking.tasks, 91);
    for (one, value) in ranking.reports.iter().zip(values) {
        assert!((one.value.unwrap() - value).abs() < 1e-12);
    }
}
