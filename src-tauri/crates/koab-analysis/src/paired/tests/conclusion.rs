//! Sentences beside numbers that were worked out by hand.

use super::*;
use koab_core::score::composite::CompositeVariant;

fn conclusion(tests: &PairTests) -> String {
    conclude(tests, ["A", "B"]).sentence.to_string()
}

fn pair(lost: usize, won: usize) -> PairTests {
    let [one, other] = ten(lost, won);
    compare_pair(&one, &other, &PairOptions::default())
}

/// SR and `ToolAcc` are wanted, so that nothing is said of composites.
fn without_composites(lost: usize, won: usize) -> PairTests {
    let [one, other] = ten(lost, won);
    let options =
        PairOptions { wanted: vec![MetricId::Sr.into(), MetricId::ToolAcc.into()], ..PairOptions::default() };
    compare_pair(&one, &other, &options)
}

#[test]
fn better_is_said_by_the_corrected_test_with_what_stands_for_the_composite() {
    // 8 to 0 of 10: p = 2/2⁸ = 0.0078, of three tests 0.0234. Draws are Bin(10, 0.8): P(≤ 4) = 0.006, P(≤ 5) = 0.033, P(10) = 0.107.
    assert_eq!(
        conclusion(&pair(0, 8)),
        "composite not tested (the first report has no value: L1 ArgAcc: the report does not have it), SR instead; \
         B − A = +0.8000 SR over 10 tasks, 95 % CI +0.500 to +1.000, p = 0.0078, Holm p = 0.0234 over 3 tests: B is better; \
         B better on L1 ToolAcc (+0.8000)"
    );
    // The other way round the signs turn, and two tests are fewer than three.
    assert_eq!(
        conclusion(&without_composites(8, 0)),
        "B − A = −0.8000 SR over 10 tasks, 95 % CI −1.000 to −0.500, p = 0.0078, Holm p = 0.0156 over 2 tests: A is better; \
         A better on L1 ToolAcc (−0.8000)"
    );
}

#[test]
fn what_is_not_separated_says_how_many_tasks_a_margin_takes() {
    // 2 to 0 of 10: p = 2/2² = 0.5. Draws are Bin(10, 0.2): P(0) = 0.107, P(≤ 4) = 0.967, P(≤ 5) = 0.994.
    // Connor with ψ = 0.2, δ = 0.05: (1.959964 √0.2 + 0.841621 √0.1975)² / 0.0025 = 625.5.
    assert_eq!(
        conclusion(&without_composites(0, 2)),
        "B − A = +0.2000 SR over 10 tasks, 95 % CI 0.000 to +0.500, p = 0.5000, Holm p = 1.0000 over 2 tests: no significant difference; \
         nor on any other of the figures that were asked for; \
         about 616 more tasks would separate 5 points (0.05) with power 0.8"
    );
    // Where nothing differs, there is no spread to count from.
    let same = without_composites(0, 0);
    assert_eq!(find(&same, Family::Metrics, Some(MetricId::Sr), None).tasks_for_margin, None);
    assert!(
        conclusion(&same)
            .contains("no interval (both reports have the same score on every task), p = 1.0000")
    );
}

#[test]
fn a_mean_takes_as_many_tasks_as_its_standard_deviation_says() {
    // Differences 0.5, 0.5, -0.5, 0: mean 0.125, deviation √(0.6875 / 3) = 0.4787. ((1.959964 + 0.841621) 0.4787 / 0.05)² = 719.5.
    let one = report(&[("L4", &[("Coverage", &some(&[0.0, 0.5, 0.5, 0.5]))])]);
    let other = report(&[("L4", &[("Coverage", &some(&[0.5, 1.0, 0.0, 0.5]))])]);
    let tests = compare_pair(&one, &other, &PairOptions::default());
    let coverage = find(&tests, Family::Metrics, Some(MetricId::Coverage), Some(Level::L4));
    assert_eq!(coverage.tasks_for_margin, Some(720));
    // All differ by 0.2 but for rounding: no spread.
    let one = report(&[("L4", &[("Coverage", &some(&[0.1, 0.2, 0.3]))])]);
    let other = report(&[("L4", &[("Coverage", &some(&[0.3, 0.4, 0.5]))])]);
    let tests = compare_pair(&one, &other, &PairOptions::default());
    let coverage = find(&tests, Family::Metrics, Some(MetricId::Coverage), Some(Level::L4));
    assert_eq!(coverage.tasks_for_margin, None);
}

/// Four tasks a level, of which the second does the first one on every metric and nothing else.
fn whole() -> PairTests {
    let of = |scores: [f64; 4]| {
        let scores = some(&scores);
        let names: Vec<(String, Vec<&str>)> = Level::ALL
            .into_iter()
            .map(|level| {
                let is_here =
                    |metric: &MetricId| metric.is_in_head() && metric.level().is_none_or(|of| of == level);
                let metrics = MetricId::ALL.into_iter().filter(is_here).map(MetricId::name);
                (level.to_string(), metrics.filter(|name| *name != "RRR").collect())
            })
            .collect();
        let scored: Vec<(&str, Vec<Scored<'_>>)> = names
            .iter()
            .map(|(level, names)| (level.as_str(), names.iter().map(|name| (*name, &scores[..])).collect()))
            .collect();
        let levels: Vec<(&str, &[Scored<'_>])> =
            scored.iter().map(|(level, scored)| (*level, &scored[..])).collect();
        report(&levels)
    };
    let (one, other) = (of([0.0; 4]), of([1.0, 0.0, 0.0, 0.0]));
    compare_pair(&one, &other, &PairOptions::default())
}

#[test]
fn a_composite_leads_and_its_margin_follows_the_spread_of_its_draws() {
    let tests = whole();
    let family = tests.families.iter().find(|one| one.family == Family::Composites).unwrap();
    let lead = &family.tests[0];
    let variant: CompositeVariant =
        CompositeVariant::ALL.into_iter().find(|variant| Some(variant.name()) == lead.variant).unwrap();
    // What a level weighs: all its metrics together, since they are the same here but for RRR, which never differs.
    let differing = variant.weights().into_iter().filter(|(_, metric, _)| *metric != MetricId::Rrr);
    let mut weights = std::collections::BTreeMap::new();
    for (level, _, weight) in differing {
        *weights.entry(level).or_insert(0.0) += weight;
    }
    // One task a level differs, all the same way: 2 of all assignments of signs.
    assert_eq!(lead.p, Some(2.0 / 2f64.powi(weights.len() as i32)));
    // A level's mean is of four tasks with variance 3/16.
    let variance: f64 = weights.values().map(|weight: &f64| weight.powi(2) * (3.0 / 16.0) / 4.0).sum();
    let needed = f64::from(lead.tasks) * variance * ((1.959_964 + 0.841_621) / MARGIN).powi(2);
    let found = f64::from(lead.tasks_for_margin.unwrap());
    assert!((found / needed - 1.0).abs() < 0.05, "{found} beside {needed}");
    let said = conclusion(&tests);
    let begins = format!("B − A = {} composite over ", koab_core::shown::difference(lead.difference));
    assert!(said.starts_with(&begins), "{said}");
    assert_eq!(said.contains("B is better"), lead.holm.unwrap() < ALPHA, "{said}");
}

#[test]
fn several_pairs_are_corrected_together() {
    let mut pairs = [without_composites(0, 8), without_composites(0, 2), without_composites(0, 7)];
    correct_together(&mut pairs);
    // Two tests a pair: 6 × 2/2⁸ = 0.0469, still below 0.05; the third pair's fourth smallest is 4 × 2/2⁷ = 0.0625.
    let holm = |pair: &PairTests| find(pair, Family::Metrics, Some(MetricId::Sr), None).holm.unwrap();
    assert!(near(holm(&pairs[0]), 12.0 / 256.0) && near(holm(&pairs[2]), 8.0 / 128.0));
    assert!(conclusion(&pairs[0]).contains("p = 0.0078, Holm p = 0.0469 over 6 tests: B is better"));
    let third = conclusion(&pairs[2]);
    assert!(
        third.contains(
            "p = 0.0156, Holm p = 0.0625 over 6 tests: no significant difference after Holm’s correction"
        ),
        "{third}"
    );
    assert!(!third.contains("better"), "{third}");
    // One pair by itself is corrected as its own table is.
    let alone = without_composites(0, 8);
    let mut again = [alone.clone()];
    correct_together(&mut again);
    assert_eq!(again, [alone]);
}

#[test]
fn what_is_not_tested_says_why() {
    let one = report(&[("L1", &[("ToolAcc", &some(&[1.0, 0.0]))])]);
    let other = report(&[("L2", &[("SelectAcc", &some(&[1.0, 0.0]))])]);
    let tests = compare_pair(&one, &other, &PairOptions::default());
    let conclusion = conclude(&tests, ["A", "B"]);
    assert_eq!((conclusion.verdict, conclusion.family), (PairVerdict::Untested, None));
    assert!(
        conclusion
            .sentence
            .to_string()
            .starts_with("B − A is not tested: the second report has no value: L1 ToolAcc: "),
        "{}",
        conclusion.sentence
    );
    let refused = refuse(&say!("other tasks"), ["A", "B"]);
    assert_eq!(refused.sentence, "B and A are not comparable, so nothing is tested: other tasks");
}
