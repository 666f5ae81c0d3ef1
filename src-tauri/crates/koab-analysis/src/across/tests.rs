use super::simulation::{AcrossTruth, simulate};
use super::*;
use serde_json::Value;
use statrs::distribution::{Binomial, DiscreteCDF};

const FIXTURE: &str = include_str!("../../tests/across/numbers.json");

fn fixture(of: &str) -> Vec<Value> {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    fixture[of].as_array().unwrap().clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn count(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn near(one: f64, other: f64, by: f64) -> bool {
    (one - other).abs() < by
}

fn item(benchmark: &str, group: &str, first: f64, second: f64) -> AcrossItem {
    AcrossItem { benchmark: benchmark.to_owned(), group: group.to_owned(), first, second }
}

#[test]
fn intervals_of_paired_shares_are_those_of_a_general_optimizer() {
    for row in fixture("intervals") {
        let found = paired_shares(count(&row["won"]), count(&row["lost"]), count(&row["items"]), 0.05);
        for (ours, theirs) in found.into_iter().zip(row["interval"].as_array().unwrap()) {
            assert!(near(ours, number(theirs), 1e-6), "{row}: {found:?}");
        }
    }
}

#[test]
fn heterogeneity_is_that_of_statsmodels() {
    for row in fixture("heterogeneity") {
        let column = |name: &str| row[name].as_array().unwrap().iter().map(number).collect::<Vec<_>>();
        let given: Vec<(f64, f64)> = column("effects").into_iter().zip(column("variances")).collect();
        let found = heterogeneity(&given).unwrap();
        assert!(near(found.q, number(&row["q"]), 1e-10) && near(found.p, number(&row["p"]), 1e-10), "{row}");
        assert!(near(found.i2, number(&row["i2"]).max(0.0), 1e-10), "{row}");
    }
    assert_eq!(heterogeneity(&[(0.1, 0.01)]), None);
    assert_eq!(heterogeneity(&[(0.1, 0.01), (0.3, 0.0)]), None, "without spread nothing can be weighed");
}

#[test]
fn what_can_be_found_is_what_scipy_finds_and_three_benchmarks_find_more() {
    let mut found = Vec::new();
    for row in fixture("detectable") {
        let part = |part: &Value| Part {
            weight: number(&part[0]),
            items: count(&part[1]),
            discordance: number(&part[2]),
        };
        let parts: Vec<Part> = row["parts"].as_array().unwrap().iter().map(part).collect();
        let ours = detectable(&parts, 0.05, 0.8);
        assert!(near(ours, number(&row["difference"]), 1e-9), "{row}: {ours}");
        found.push(ours);
    }
    // By item 1.2 to 2.2 points, by benchmark 3.2 to 5.6: the smallest benchmark then decides.
    println!("detectable: {found:.4?}");
    assert!(found[1] < found[2] && found[5] < 0.025);
}

/// The short form of `cargo xtask bench --only across`.
#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    const DRAWS: usize = 300;
    // Of intervals that cover 95 %, as few or as many as these in one of a thousand such tests each.
    let usual = Binomial::new(0.95, DRAWS as u64).unwrap();
    let (least, most) = (usual.inverse_cdf(0.001) as usize, usual.inverse_cdf(0.999) as usize);
    let found = simulate(AcrossTruth::USUAL, DRAWS, 17);
    println!("across: {least} to {most}: {found:?}");
    for covered in found.covered {
        assert!((least..=most).contains(&covered), "{covered} of {DRAWS}");
    }
    let share = found.strata_covered as f64 / found.strata as f64;
    // Eight items leave so few outcomes that an interval holds the truth too often.
    assert!((0.94..=0.98).contains(&share), "{share}");
    // Most small groups are without spread: none of them is certain, so too few would be covered by plain errors.
    let quiet = simulate(AcrossTruth::QUIET, DRAWS, 18);
    println!("across, quiet: {quiet:?}");
    assert!(quiet.covered.iter().all(|covered| *covered >= least), "{quiet:?}");
    let errs = Binomial::new(0.05, DRAWS as u64).unwrap().inverse_cdf(0.999) as usize;
    let alike = simulate(AcrossTruth::ALIKE, DRAWS, 19);
    println!("across, alike: {alike:?}");
    assert!(alike.alarms.iter().all(|alarms| *alarms <= errs), "{alike:?}");
}

#[test]
fn items_that_all_say_the_same_are_not_taken_for_certainty() {
    let same = |count: usize, first: f64, second: f64| {
        (0..count).map(move |_| item("a", "g", first, second)).collect::<Vec<_>>()
    };
    let of = |items: &[AcrossItem]| across(items, &AcrossOptions::default()).unwrap();
    // All ten gained: Tango's interval and McNemar's exact test, as of a single stratum.
    let gained = of(&same(10, 0.0, 1.0)).combined;
    let [low, high] = gained.interval;
    assert!(near(low, paired_shares(10, 0, 10, 0.05)[0], 1e-9) && high > 1.0 - 1e-9);
    assert!(low < 0.75 && near(gained.p, 2.0 / 1024.0, 1e-12) && gained.error > 0.05);
    // None differs: no difference was seen, and one of many points cannot be ruled out.
    let alike = of(&same(15, 1.0, 1.0)).combined;
    assert!(alike.interval[0] < -0.15 && alike.interval[1] > 0.15 && alike.p == 1.0, "{alike:?}");
    assert!(alike.detectable > 0.3, "{alike:?}");
    // Neither do means that are all the same distance apart, and a single item says nothing.
    let means = of(&same(12, 0.25, 0.5)).combined;
    assert!(means.interval[0] < 0.15 && means.interval[1] > 0.35, "{means:?}");
    assert!(near(means.p, 2.0 / 4096.0, 1e-12));
    let mut single = same(12, 0.25, 0.5);
    single.push(item("a", "h", 0.25, 0.5));
    assert_eq!(of(&single).strata[1].interval, [-1.0, 1.0]);
    // A benchmark without spread is among those that may disagree.
    let mut apart = same(40, 0.0, 1.0);
    apart.extend((0..40).map(|at| item("b", "g", f64::from(at % 2), 1.0 - f64::from(at % 2))));
    assert!(of(&apart).heterogeneity.unwrap().is_named());
}

#[test]
fn combined_intervals_and_tests_are_those_of_scipy() {
    for row in fixture("combined") {
        let mut items = Vec::new();
        for (at, stratum) in row["strata"].as_array().unwrap().iter().enumerate() {
            let name = at.to_string();
            let benchmark = stratum["benchmark"].as_str().unwrap();
            if let Some(differences) = stratum["differences"].as_array() {
                let middle = |one: &Value| item(benchmark, &name, 0.5, 0.5 + number(one));
                items.extend(differences.iter().map(middle));
                continue;
            }
            let (won, lost) = (count(&stratum["won"]), count(&stratum["lost"]));
            items.extend((0..count(&stratum["items"])).map(|at| match at {
                at if at < won => item(benchmark, &name, 0.0, 1.0),
                at if at < won + lost => item(benchmark, &name, 1.0, 0.0),
                _ => item(benchmark, &name, 1.0, 1.0),
            }));
        }
        let options = AcrossOptions {
            weights: serde_json::from_value(row["weights"].clone()).unwrap(),
            ..AcrossOptions::default()
        };
        let found = across(&items, &options).unwrap().combined;
        assert!(near(found.difference, number(&row["difference"]), 1e-12), "{row}");
        for (ours, theirs) in found.interval.into_iter().zip(row["interval"].as_array().unwrap()) {
            assert!(near(ours, number(theirs), 1e-6), "{row}: {found:?}");
        }
        assert!(near(found.p, number(&row["p"]), 1e-9), "{row}: {found:?}");
    }
}

#[test]
fn weights_are_those_that_were_named_and_never_hide_the_parts() {
    // Ten items of one benchmark that the second wins, thirty of another that both solve.
    let mut items: Vec<AcrossItem> =
        (0..10).map(|at| item("small", "x", f64::from(u8::from(at > 7)), 1.0)).collect();
    items.extend((0..30).map(|_| item("large", "y", 1.0, 1.0)));
    let by = |weights| {
        let options = AcrossOptions { weights, ..AcrossOptions::default() };
        across(&items, &options).unwrap()
    };
    let (item, benchmark) = (by(AcrossWeights::Item), by(AcrossWeights::Benchmark));
    assert!(near(item.combined.difference, 0.2, 1e-12), "eight of forty");
    assert!(near(benchmark.combined.difference, 0.4, 1e-12), "half of eight tenths");
    assert_eq!(item.strata.len(), 2);
    assert!(near(item.strata[0].p, 0.007_812_5, 1e-12) && near(item.strata[0].holm, 0.015_625, 1e-12));
    assert_eq!((item.strata[1].p, item.strata[1].holm), (1.0, 1.0));
    assert!(item.sentence.to_string().contains("each item counts the same"), "{}", item.sentence);
    assert!(benchmark.sentence.to_string().contains("each benchmark counts the same"));
}

#[test]
fn benchmarks_that_disagree_are_named() {
    let half = |benchmark: &str, is_better: bool| {
        let (worse, better) = (0.0, 1.0);
        let pair = move |at: usize| match (at.is_multiple_of(3), is_better) {
            (false, _) => (1.0, 1.0),
            (true, true) => (worse, better),
            (true, false) => (better, worse),
        };
        let benchmark = benchmark.to_owned();
        (0..60).map(move |at| item(&benchmark, "g", pair(at).0, pair(at).1)).collect::<Vec<_>>()
    };
    let found = across(&[half("a", true), half("b", false)].concat(), &AcrossOptions::default()).unwrap();
    assert!(found.heterogeneity.unwrap().is_named());
    assert!(found.sentence.to_string().contains("the benchmarks disagree"), "{}", found.sentence);
    let agree = across(&[half("a", true), half("b", true)].concat(), &AcrossOptions::default()).unwrap();
    assert!(!agree.sentence.to_string().contains("disagree"));
}

#[test]
fn means_of_repetitions_have_an_interval_and_bad_input_a_sentence() {
    let items: Vec<AcrossItem> =
        (0..12).map(|at| item("a", "g", f64::from(at % 4) / 4.0, f64::from(at % 3) / 3.0)).collect();
    let found = across(&items, &AcrossOptions::default()).unwrap();
    let [low, high] = found.strata[0].interval;
    assert!(low < found.strata[0].difference && found.strata[0].difference < high);
    assert_eq!(across(&items[..1], &AcrossOptions::default()), Err(AcrossRefusal::NoItems));
    let refused = across(&[item("a", "g", 0.0, 2.0), item("a", "g", 0.0, 1.0)], &AcrossOptions::default());
    assert_eq!(refused, Err(AcrossRefusal::Score { benchmark: "a".to_owned() }));
}
