mod conclusion;

use super::*;
use koab_core::level::Level;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::comparability::Grade;
use koab_report::read_json;
use matrix::Matrix;
use proptest::prelude::*;
use ranks::{RankOptions, RankedBy, rank};
use serde_json::{Map, Value, json};

/// What SciPy and statsmodels say; how it was made stands in it.
const FORMS: &str = include_str!("../../tests/paired/closed_forms.json");

fn rows(of: &str) -> Vec<Value> {
    let forms: Value = serde_json::from_str(FORMS).unwrap();
    forms[of]["rows"].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
}

fn near(found: f64, theirs: f64) -> bool {
    (found - theirs).abs() <= 1e-12 * theirs.abs().max(1.0)
}

#[test]
fn mcnemar_is_that_of_scipy_and_statsmodels() {
    let table = mcnemar::Table::new(60);
    for row in rows("mcnemar") {
        let row = numbers(&row);
        let (lost, won) = (row[0] as usize, row[1] as usize);
        assert!(near(mcnemar::exact(lost, won), row[2]), "{row:?}");
        // Relatively as well: small p values are what counts.
        assert!((mcnemar::exact(lost, won) / row[2] - 1.0).abs() < 1e-10, "{row:?}");
        assert_eq!(table.p(lost, won), mcnemar::exact(lost, won), "{row:?}");
        assert_eq!(table.p(lost, won), table.p(won, lost));
    }
}

#[test]
fn holm_is_that_of_statsmodels() {
    for row in rows("holm") {
        let found = holm::holm(&numbers(&row["p"]));
        let theirs = numbers(&row["holm"]);
        assert!(found.iter().zip(&theirs).all(|(one, other)| near(*one, *other)), "{found:?} {row}");
    }
}

#[test]
fn every_assignment_of_signs_counts_as_in_scipy() {
    for row in rows("flips") {
        let (p, kind) = signflip::p_value(&numbers(&row["differences"]), 1, 10);
        assert_eq!(kind, PairTestKind::FlipsAll);
        assert!(near(p, row["p"].as_f64().unwrap()), "{p} {row}");
    }
}

#[test]
fn needed_tasks_are_those_of_the_formulas() {
    for row in rows("needed_binary") {
        let row = numbers(&row);
        let found = power::binary(row[0] as usize, row[1] as usize, row[2] as usize);
        assert!(near(found, row[3]), "{found} {row:?}");
    }
    for row in rows("needed_mean") {
        let row = numbers(&row);
        let found = power::mean(row[0]);
        assert!(near(found, row[1]), "{found} {row:?}");
        assert!((0.0..3.0).contains(&(row[2] - found)), "the t distribution asks for at most three more");
    }
}

#[test]
fn drawn_signs_agree_with_all_of_them_within_their_chance() {
    let differences: Vec<f64> = (0..30).map(|n| f64::from((n * 7) % 11) / 10.0 - 0.42).collect();
    let draws = 40_000;
    let (p, kind) = signflip::p_value(&differences, 3, draws);
    assert_eq!(kind, PairTestKind::FlipsDrawn);
    // All 2³⁰ sums, by how often each comes in hundredths.
    let mut ways = std::collections::BTreeMap::from([(0i64, 1.0f64)]);
    for one in &differences {
        let step = (one * 100.0).round() as i64;
        let mut next = std::collections::BTreeMap::new();
        for (sum, count) in ways {
            *next.entry(sum + step).or_insert(0.0) += count;
            *next.entry(sum - step).or_insert(0.0) += count;
        }
        ways = next;
    }
    let seen = (differences.iter().sum::<f64>() * 100.0).round().abs() as i64;
    let as_large: f64 = ways.iter().filter(|(sum, _)| sum.abs() >= seen).map(|(_, count)| count).sum();
    let exact = as_large / 2f64.powi(30);
    let error = (exact * (1.0 - exact) / draws as f64).sqrt();
    assert!((p - exact).abs() < 4.0 * error, "{p} beside {exact}, four standard errors of {error}");
}

/// A metric with its scores by task.
type Scored<'a> = (&'a str, &'a [Option<f64>]);

/// A report of levels, each with metrics and their scores by task.
fn report(levels: &[(&str, &[Scored<'_>])]) -> Report {
    let mut by_level = Map::new();
    for (level, metrics) in levels {
        let tasks: Vec<Value> = (0..metrics[0].1.len())
            .map(|task| {
                let score = |value: Option<f64>| {
                    value.map_or(
                        json!({"score": null, "unscored": "no judge was asked"}),
                        |value| json!({"score": value, "details": {}}),
                    )
                };
                let scores: Map<String, Value> =
                    metrics.iter().map(|(name, values)| ((*name).to_owned(), score(values[task]))).collect();
                json!({"task_id": format!("{level}-{task}"), "success": true, "metrics": scores})
            })
            .collect();
        let mut means: Map<String, Value> = metrics
            .iter()
            .map(|(name, values)| {
                let all: Option<Vec<f64>> = values.iter().copied().collect();
                ((*name).to_owned(), json!(all.map(|all| all.iter().sum::<f64>() / all.len() as f64)))
            })
            .collect();
        means.insert("RRR".to_owned(), json!(1.0));
        by_level.insert((*level).to_owned(), json!({"metrics": means, "task_evaluations": tasks}));
    }
    let document = json!({"summary": {}, "by_level": by_level});
    read_json(document.to_string().as_bytes()).unwrap().report
}

fn some(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().copied().map(Some).collect()
}

fn find(tests: &PairTests, family: Family, metric: Option<MetricId>, level: Option<Level>) -> &PairTest {
    let family = tests.families.iter().find(|one| one.family == family).unwrap();
    family.tests.iter().find(|test| test.metric == metric && test.level == level).unwrap()
}

/// L1 of ten tasks, of which the second solves `won` that the first does not, and the reverse.
fn ten(lost: usize, won: usize) -> [Report; 2] {
    let scores =
        |of: &dyn Fn(usize) -> bool| some(&(0..10).map(|n| f64::from(u8::from(of(n)))).collect::<Vec<_>>());
    let (one, other) = (scores(&|n| n < lost), scores(&|n| n >= lost && n < lost + won));
    [one, other].map(|scores| report(&[("L1", &[("SR", &scores), ("ToolAcc", &scores)])]))
}

#[test]
fn a_yes_or_no_metric_is_tested_by_who_alone_solved_what() {
    let [one, other] = ten(0, 8);
    let tests = compare_pair(&one, &other, &PairOptions::default());
    let row = find(&tests, Family::Metrics, Some(MetricId::Sr), None);
    assert_eq!((row.lost, row.won, row.tied, row.tasks), (0, 8, 2, 10));
    assert_eq!((row.test, row.p), (Some(PairTestKind::Mcnemar), Some(mcnemar::exact(0, 8))));
    assert_eq!((row.effect, row.effect_kind), (Some(0.5), Some(EffectKind::CohenG)));
    assert!((row.difference.unwrap() - 0.8).abs() < 1e-12);
    // SR, ToolAcc and RRR are shown together; the last one is the same in both.
    assert!(near(row.holm.unwrap(), 3.0 * 2.0 / 256.0));
    assert_eq!(row.verdict, PairVerdict::Second);
    assert_eq!((row.needs, &row.no_needs), (None, &None), "nothing is needed to separate what is separate");
    let back = compare_pair(&other, &one, &PairOptions::default());
    assert_eq!(find(&back, Family::Metrics, Some(MetricId::Sr), None).verdict, PairVerdict::First);
    let alike = find(&tests, Family::Metrics, Some(MetricId::Rrr), None);
    assert_eq!((alike.p, alike.verdict), (Some(1.0), PairVerdict::NotSeparated));
    assert_eq!(
        alike.no_interval.as_ref().map(ToString::to_string).as_deref(),
        Some("both reports have the same score on every task")
    );
    assert_eq!(
        alike.no_needs.as_ref().map(ToString::to_string).as_deref(),
        Some("the difference is 0, so there is none to confirm with more tasks")
    );
}

#[test]
fn fewer_metrics_are_a_smaller_family_with_the_same_p_values() {
    let [one, other] = ten(0, 6);
    let all = compare_pair(&one, &other, &PairOptions::default());
    let of_all = find(&all, Family::Metrics, Some(MetricId::Sr), None);
    assert!(near(of_all.p.unwrap(), 0.03125));
    assert_eq!(of_all.verdict, PairVerdict::NotSeparated);
    assert_eq!(
        of_all.no_needs.as_ref().map(ToString::to_string).as_deref(),
        Some("significant on its own, but not after correction for the 3 tests shown together")
    );
    let options = PairOptions { wanted: vec![MetricId::Sr.into()], ..PairOptions::default() };
    let alone = compare_pair(&one, &other, &options);
    assert_eq!(alone.families.len(), 2, "over all tasks, and level by level");
    let of_alone = find(&alone, Family::Metrics, Some(MetricId::Sr), None);
    assert_eq!((of_alone.p, of_alone.holm), (of_all.p, of_all.p));
    assert_eq!(of_alone.verdict, PairVerdict::Second);
    assert_eq!(of_alone.interval, of_all.interval);
    let of_level = |metric| WantedFigure { level: Some(Level::L1), metric };
    for (wanted, family) in [(of_level(Some(MetricId::Sr)), Family::Common), (of_level(None), Family::Levels)]
    {
        let options = PairOptions { wanted: vec![wanted.clone()], ..PairOptions::default() };
        let found = compare_pair(&one, &other, &options);
        let has_score = found.families.iter().any(|one| one.family == Family::Levels);
        assert_eq!(has_score, family == Family::Levels, "{wanted:?}");
        assert!(found.families.iter().any(|one| one.family == family), "{wanted:?}");
    }
}

#[test]
fn what_is_no_yes_or_no_has_the_permutation_test_and_its_spread() {
    // Three repetitions make a mean of every task.
    let third = |hits: &[u32]| some(&hits.iter().map(|n| f64::from(*n) / 3.0).collect::<Vec<_>>());
    let (one, other) = (third(&[0, 1, 2, 3, 1, 0, 2, 1]), third(&[1, 2, 2, 3, 2, 0, 3, 0]));
    let reports = [one, other].map(|scores| report(&[("L1", &[("SR", &scores)])]));
    let tests = compare_pair(&reports[0], &reports[1], &PairOptions::default());
    let row = find(&tests, Family::Metrics, Some(MetricId::Sr), None);
    assert_eq!(row.test, Some(PairTestKind::FlipsAll));
    // Differences of thirds: four up, one down; 12 of 32 assignments are as one-sided.
    assert_eq!(row.p, Some(12.0 / 32.0));
    assert_eq!(row.effect_kind, Some(EffectKind::Standardized));
    let d = [1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, -1.0].map(|n| n / 3.0);
    let mean: f64 = d.iter().sum::<f64>() / 8.0;
    let deviation = (d.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / 7.0f64).sqrt();
    assert!(near(row.effect.unwrap(), mean / deviation));
    let needed = power::mean(mean / deviation);
    assert_eq!(
        row.needs,
        Some(Needs { more_tasks: (needed.ceil() - 8.0) as u32, times: (needed / 8.0).ceil() as u32 })
    );
}

#[test]
fn what_cannot_be_tested_has_a_reason_and_no_number() {
    let whole = some(&[1.0, 0.0, 1.0]);
    let one = report(&[("L1", &[("SR", &whole), ("ToolAcc", &whole)])]);
    let other = report(&[("L1", &[("SR", &[Some(1.0), None, Some(0.0)])]), ("L2", &[("SR", &whole)])]);
    let tests = compare_pair(&one, &other, &PairOptions::default());
    let reason = |metric, level| {
        let row = find(
            &tests,
            if level == Some(Level::L2) { Family::Common } else { Family::Metrics },
            Some(metric),
            level,
        );
        assert_eq!((row.p, row.holm, row.difference, row.verdict), (None, None, None, PairVerdict::Untested));
        row.reason.clone().unwrap()
    };
    assert_eq!(
        reason(MetricId::Sr, None),
        "the second report has no value: L1 SR: the file has no value and does not say why"
    );
    assert_eq!(
        reason(MetricId::ToolAcc, Some(Level::L1)),
        "the second report has no value: the report does not have it"
    );
    assert_eq!(
        reason(MetricId::Sr, Some(Level::L2)),
        "the first report has no value: the level was not evaluated"
    );
    let composite = tests.families.iter().find(|one| one.family == Family::Composites).unwrap();
    assert_eq!(
        composite.tests.len(),
        1,
        "the reading of the published metrics says why, the others are silent"
    );
    assert!(composite.tests[0].reason.is_some() && composite.tests[0].corrected_over.is_none());
}

/// The sum over all tasks is the model's only where every attempt was measured.
#[test]
fn a_report_with_failed_attempts_has_no_test_over_all_tasks() {
    let [one, mut other] = ten(0, 8);
    let why = say!("3 of 10 attempts failed");
    other.unmeasured = Some(why.clone());
    for (reports, said) in [
        ([&one, &other], "the second report has no value: 3 of 10 attempts failed"),
        ([&other, &one], "the first report has no value: 3 of 10 attempts failed"),
    ] {
        let tests = compare_pair(reports[0], reports[1], &PairOptions::default());
        let rate = find(&tests, Family::Metrics, Some(MetricId::Sr), None);
        let composite = find(&tests, Family::Composites, None, None);
        for test in [rate, composite] {
            assert_eq!((test.p, test.difference, test.corrected_over), (None, None, None));
            assert_eq!(test.reason.as_ref().map(ToString::to_string).as_deref(), Some(said));
        }
        // What each level has stands with its own numbers.
        let own = find(&tests, Family::Metrics, Some(MetricId::ToolAcc), Some(Level::L1));
        assert!(own.p.is_some());
    }
    for by in RankedBy::ALL {
        let found = rank(&[Ok(&one), Ok(&other)], by, RankOptions::default(), ranks::ONE_BY_ONE);
        assert_eq!(found.reports[1].value, None);
        assert_eq!(found.reports[1].reason.as_ref(), Some(&why));
    }
    let outcomes = [&one, &other].map(Outcomes::from_report);
    let matrix = Matrix::new(&outcomes, MetricId::Sr, None);
    assert!(matrix.counts(0).is_ok());
    assert_eq!(matrix.counts(1), Err(&why));
    assert!(Matrix::new(&outcomes, MetricId::Sr, Some(&Level::L1)).counts(1).is_ok());
}

#[test]
fn judges_that_differ_leave_only_what_they_decide_untested() {
    let [one, other] = ten(0, 8);
    let options = PairOptions { judged: Some(say!("judges differ")), ..PairOptions::default() };
    let tests = compare_pair(&one, &other, &options);
    let judged = find(&tests, Family::Metrics, Some(MetricId::Sr), None);
    assert_eq!(
        (judged.p, judged.reason.as_ref().map(ToString::to_string).as_deref()),
        (None, Some("judges differ"))
    );
    assert!(judged.difference.is_some(), "the numbers are still those of the reports");
    let decided = find(&tests, Family::Metrics, Some(MetricId::ToolAcc), Some(Level::L1));
    assert_eq!(decided.holm, Some(2.0 * mcnemar::exact(0, 8)), "two are tested");
}

#[test]
fn tasks_that_only_one_has_are_left_out_and_counted() {
    let one = report(&[("L1", &[("SR", &some(&[1.0, 0.0, 1.0, 1.0]))])]);
    let other = report(&[("L1", &[("SR", &some(&[1.0, 1.0]))])]);
    let tests = compare_pair(&one, &other, &PairOptions::default());
    assert_eq!((tests.tasks, tests.left_out), (2, 2));
    let row = find(&tests, Family::Metrics, Some(MetricId::Sr), None);
    assert_eq!((row.tasks, row.left_out, row.first, row.second), (2, 2, Some(0.5), Some(1.0)));
}

#[test]
fn reports_that_are_alike_share_the_first_rank_and_a_worse_one_is_told_apart() {
    let good = some(&[1.0; 12]);
    let fair: Vec<Option<f64>> = (0..12).map(|n| Some(f64::from(u8::from(n != 3)))).collect();
    let bad = some(&[0.0; 12]);
    let all = [good.clone(), fair, bad, good].map(|scores| report(&[("L1", &[("SR", &scores)])]));
    let mut given: Vec<Result<&Report, Sentence>> = all.iter().map(Ok).collect();
    given.push(Err(say!("not comparable")));
    let options = RankOptions { draws: 2000, ..RankOptions::default() };
    let found = rank(&given, RankedBy::SuccessRate, options, ranks::ONE_BY_ONE);
    assert_eq!(found.tasks, 12);
    let told: Vec<_> = found.reports.iter().map(|one| (one.rank, one.low, one.high, one.with_best)).collect();
    assert_eq!(
        told,
        [
            (Some(1), Some(1), Some(1), true),
            (Some(3), Some(1), Some(3), true),
            (Some(4), Some(4), Some(4), false),
            (Some(1), Some(1), Some(1), true),
            (None, None, None, false),
        ]
    );
    assert_eq!(found.reports[4].reason.as_ref().map(ToString::to_string).as_deref(), Some("not comparable"));
    let thirds: ranks::Share<'_> = &|blocks, count| blocks.chunks(3).map(count).collect();
    assert_eq!(rank(&given, RankedBy::SuccessRate, options, thirds), found, "however draws are shared out");
    // Of rates between 0 and 1 it is the pair's own permutation test. Every sum of these five is as
    // large as theirs.
    let third = |hits: &[u32]| some(&hits.iter().map(|n| f64::from(*n) / 3.0).collect::<Vec<_>>());
    let rates = [third(&[0, 0, 0, 0, 3]), third(&[1, 1, 1, 1, 0])]
        .map(|scores| report(&[("L1", &[("SR", &scores)])]));
    let given_rates: Vec<Result<&Report, Sentence>> = rates.iter().map(Ok).collect();
    let found = rank(&given_rates, RankedBy::SuccessRate, options, ranks::ONE_BY_ONE);
    assert_eq!((found.reports[0].p, found.reports[1].p), (Some(1.0), None));
    let none = rank(&given, RankedBy::Composite, options, ranks::ONE_BY_ONE);
    assert!(
        none.reports[0]
            .reason
            .as_ref()
            .map(ToString::to_string)
            .as_deref()
            .unwrap()
            .starts_with("L1 ToolAcc: "),
        "{none:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_matrix_says_of_every_pair_what_the_pair_says(
        solved in prop::collection::vec((prop::collection::vec(any::<bool>(), 5), prop::collection::vec(any::<bool>(), 70)), 2..6),
    ) {
        let scores = |bits: &[bool]| some(&bits.iter().map(|bit| f64::from(u8::from(*bit))).collect::<Vec<_>>());
        let reports: Vec<Report> = solved
            .iter()
            .map(|(few, many)| report(&[("L1", &[("SR", &scores(few))]), ("L5", &[("SR", &scores(many))])]))
            .collect();
        let outcomes: Vec<Outcomes> = reports
            .iter()
            .map(|report| serde_json::from_str(&serde_json::to_string(&Outcomes::from_report(report)).unwrap()).unwrap())
            .collect();
        let matrix = Matrix::new(&outcomes, MetricId::Sr, None);
        let order: Vec<usize> = (0..reports.len()).rev().collect();
        let pairs = matrix.pairs(&order, |_, _| Grade::Limited);
        let mut at = 0;
        let mut p = Vec::new();
        for (place, first) in order.iter().enumerate() {
            for second in &order[place + 1..] {
                let options = PairOptions { wanted: vec![MetricId::Sr.into()], draws: 20, ..PairOptions::default() };
                let tests = compare_pair(&reports[*first], &reports[*second], &options);
                let row = find(&tests, Family::Metrics, Some(MetricId::Sr), None);
                prop_assert_eq!((u32::from(pairs[at].lost), u32::from(pairs[at].won)), (row.lost, row.won));
                prop_assert_eq!(matrix.p(pairs[at]), row.p);
                p.extend(row.p);
                at += 1;
            }
        }
        prop_assert_eq!(at, pairs.len());
        let (summary, _) = matrix.summary(&pairs);
        prop_assert_eq!(summary.tested, p.len());
        prop_assert_eq!(summary.separated, p.iter().filter(|p| **p < ALPHA).count());
        prop_assert_eq!(summary.separated_holm, holm::holm(&p).iter().filter(|p| **p < ALPHA).count());
    }

    #[test]
    fn swapping_two_reports_swaps_the_verdict_and_nothing_else(
        scores in prop::collection::vec((0u8..4, 0u8..4), 3..20),
    ) {
        let of = |place: usize| some(&scores.iter().map(|pair| f64::from([pair.0, pair.1][place]) / 3.0).collect::<Vec<_>>());
        let [one, other] = [of(0), of(1)].map(|scores| report(&[("L4", &[("Coverage", &scores), ("SourceEPR", &scores)])]));
        let options = PairOptions { draws: 300, ..PairOptions::default() };
        let (there, back) = (compare_pair(&one, &other, &options), compare_pair(&other, &one, &options));
        for (family, reversed) in there.families.iter().zip(&back.families) {
            for (test, swapped) in family.tests.iter().zip(&reversed.tests) {
                prop_assert_eq!(test.p, swapped.p);
                prop_assert_eq!((test.won, test.lost), (swapped.lost, swapped.won));
                prop_assert_eq!(test.difference.map(|one| -one), swapped.difference);
                prop_assert_eq!(test.needs, swapped.needs);
                if let (Some(one), Some(other)) = (test.interval, swapped.interval) {
                    prop_assert!((one.low + other.high).abs() < 1e-9 && (one.high + other.low).abs() < 1e-9);
                }
            }
        }
        prop_assert_eq!(compare_pair(&one, &other, &options), there, "the same every time");
    }
}
