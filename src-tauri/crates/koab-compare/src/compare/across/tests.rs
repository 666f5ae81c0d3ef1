use super::view::{AcrossPair, AcrossRequest, AcrossView};
use super::{Part, correct, detectable_difference, mean_parts};
use crate::tests::desk::{Desk, Written, WrittenGroup, near, refused};
use koab_analysis::across::{AcrossOptions, AcrossWeights};
use koab_analysis::paired::PairVerdict;
use koab_workspace::WireError;
use proptest::prelude::*;

/// Two models and two packs: the second is better in the small one by 8 of 10 tasks, and nowhere in the large one.
fn two_by_two() -> Desk {
    let desk = Desk::new();
    let small: Vec<bool> = (0..10).map(|task| task > 7).collect();
    let large: Vec<bool> = (0..30).map(|task| task % 3 > 0).collect();
    desk.put_solved("a-small", "lab/a", "L1", &small);
    desk.put_solved("b-small", "lab/b", "L1", &[true; 10]);
    desk.put_solved("a-large", "lab/a", "L2", &large);
    desk.put_solved("b-large", "lab/b", "L2", &large);
    desk
}

const ALL: [&str; 4] = ["a-small", "a-large", "b-small", "b-large"];

fn asked(desk: &Desk, ids: &[&str], weights: AcrossWeights) -> Result<AcrossView, WireError> {
    desk.compare.compare_across(&AcrossRequest {
        ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        weights,
        seed: None,
    })
}

fn by_item(desk: &Desk, ids: &[&str]) -> AcrossView {
    asked(desk, ids, AcrossWeights::Item).unwrap()
}

fn left_out(pair: &AcrossPair) -> Vec<(&str, String)> {
    let packs = pair.left_out.iter();
    packs.map(|one| (one.pack.as_str(), one.reason.to_string())).collect()
}

#[test]
fn two_models_are_compared_over_two_packs() {
    let desk = two_by_two();
    let view = by_item(&desk, &ALL);
    let pair = &view.pairs[0];
    let across = pair.across.as_ref().unwrap();
    // Eight of forty tasks, all to one side: 2/2^8.
    near(across.combined.difference, 8.0 / 40.0);
    near(across.combined.p, 2.0 / 256.0);
    near(pair.holm, 2.0 / 256.0);
    assert_eq!(pair.verdict, PairVerdict::Second);
    let strata: Vec<_> =
        across.strata.iter().map(|one| (one.benchmark.as_str(), one.group.as_str())).collect();
    assert_eq!(strata, [("L1 (10)", "L1"), ("L2 (30)", "L2")]);
    // Two strata are corrected together: 1/128 · 2, and 1.
    near(across.strata[0].p, 2.0 / 256.0);
    near(across.strata[0].holm, 4.0 / 256.0);
    near(across.strata[1].holm, 1.0);
    let items: Vec<u32> = pair.packs.iter().map(|one| one.items).collect();
    assert_eq!((items, left_out(pair)), (vec![10, 30], vec![]));
    // Each pack counting the same: the mean of 0.8 and 0.
    let by_pack = asked(&desk, &ALL, AcrossWeights::Benchmark).unwrap();
    near(by_pack.pairs[0].across.as_ref().unwrap().combined.difference, 0.4);
    let models: Vec<_> = view.models.iter().map(|one| (one.model.as_str(), one.reports.len())).collect();
    assert_eq!(models, [("lab/a", 2), ("lab/b", 2)]);
    assert_eq!(view.packs, ["L1 (10)", "L2 (30)"]);
}

#[test]
fn groups_and_differences_of_all_pairs_are_corrected_together() {
    let desk = two_by_two();
    desk.put_solved("c-small", "lab/c", "L1", &[false; 10]);
    desk.put_solved("c-large", "lab/c", "L2", &[true; 30]);
    let view = by_item(&desk, &[&ALL[..], &["c-small", "c-large"]].concat());
    let of = |pair: usize| view.pairs[pair].across.as_ref().unwrap();
    // The four strata have p of 1/128 (8 to 0), 1 (none differs), 1/2 (0 to 2) and 1/512 (10 to 0).
    let found = [&of(0).strata[0], &of(0).strata[1], &of(1).strata[0], &of(1).strata[1]];
    let p = [2.0 / 256.0, 1.0, 0.5, 2.0 / 1024.0];
    let holm = [3.0 * 2.0 / 256.0, 1.0, 1.0, 4.0 * 2.0 / 1024.0];
    for ((stratum, p), holm) in found.into_iter().zip(p).zip(holm) {
        near(stratum.p, p);
        near(stratum.holm, holm);
    }
    // The combined differences are two: 8/40 and (10 − 2)/40.
    near(of(1).combined.difference, 8.0 / 40.0);
    near(view.pairs[0].holm, (2.0 * of(0).combined.p).max(of(1).combined.p.min(2.0 * of(0).combined.p)));
    let named: Vec<_> = view.pairs.iter().map(|one| (one.first.as_str(), one.second.as_str())).collect();
    assert_eq!(named, [("lab/a", "lab/b"), ("lab/a", "lab/c")]);
}

#[test]
fn what_cannot_be_compared_together_is_refused() {
    let desk = two_by_two();
    desk.put_solved("a-again", "lab/a", "L1", &[true; 10]);
    desk.put_solved("a-third", "lab/a", "L3", &[true; 10]);
    desk.put_solved("a-summary", "lab/a", "L4", &[]);
    for (ids, sentence) in [
        (
            &["a-small", "a-again", "b-small"][..],
            "lab/a has two reports of the pack L1 (10): a-small and a-again; name one of them",
        ),
        (&["a-small", "a-third", "b-small"], "only lab/a has a report of the pack L3 (10)"),
        (&["a-small", "b-small", "a-summary"], "a-summary has no scores of single tasks"),
        (&["a-small", "a-third"], "all these reports are of the model lab/a"),
        (&["a-small"], "choose at least two reports to compare"),
    ] {
        refused(asked(&desk, ids, AcrossWeights::Item), sentence);
    }
}

#[test]
fn a_report_that_names_no_pack_is_of_the_one_with_half_of_its_tasks() {
    let desk = Desk::new();
    desk.put_solved("a", "lab/a", "L1", &[true; 8]);
    // Four of its eight tasks are those of the first.
    let shifted = |from: usize| {
        let task = |at: usize| (format!("L1-{:03}", at + from), vec![("SR", Some(1.0))]);
        let group = WrittenGroup { name: "L1", tasks: (1..=8).map(task).collect() };
        Written { model: "lab/b", judge: "j/1", groups: vec![group] }
    };
    desk.put("half", &shifted(4));
    let view = by_item(&desk, &["a", "half"]);
    assert_eq!((view.packs.len(), view.pairs[0].packs[0].items, view.pairs[0].packs[0].left_out), (1, 4, 8));
    // Three of eight are too few: then it is a pack of its own, and nobody else has that.
    desk.put("less", &shifted(5));
    refused(asked(&desk, &["a", "less"], AcrossWeights::Item), "only lab/a has a report of the pack L1 (8)");
}

#[test]
fn a_report_without_a_model_is_one_of_its_own() {
    let desk = Desk::new();
    desk.put_solved("first", "", "L1", &[true; 8]);
    desk.put_solved("second", "", "L1", &[false; 8]);
    let view = by_item(&desk, &["first", "second"]);
    let models: Vec<&str> = view.models.iter().map(|one| one.model.as_str()).collect();
    assert_eq!((models, view.pairs[0].verdict), (vec!["first", "second"], PairVerdict::First));
}

#[test]
fn packs_that_are_not_tested_say_why() {
    let desk = Desk::new();
    desk.put_solved("a-one", "lab/a", "L1", &[true]);
    desk.put_solved("b-one", "lab/b", "L1", &[false]);
    desk.put_solved("a-two", "lab/a", "L2", &[true; 10]);
    desk.put_solved("c-two", "lab/c", "L2", &[false; 10]);
    let view = by_item(&desk, &["a-one", "a-two", "b-one", "c-two"]);
    let pair = &view.pairs[0];
    assert_eq!((pair.verdict, pair.packs.len(), pair.holm), (PairVerdict::Untested, 0, None));
    let told = left_out(pair);
    assert_eq!(told.iter().map(|(pack, _)| *pack).collect::<Vec<_>>(), ["L2 (10)", "L1 (1)"]);
    assert_eq!(told[0].1, "lab/b has no report of this pack");
    assert!(told[1].1.contains("two items in common"), "{told:?}");
    // The second pair has the pack of ten, and is corrected alone: 2/2^10.
    near(view.pairs[1].holm, 2.0 / 1024.0);
    assert_eq!(view.pairs[1].verdict, PairVerdict::First);
    // Eleven tasks cannot find a difference of a tenth.
    assert_eq!((view.assumed[0].discordance, view.assumed[0].item), (Some(0.1), None));
}

#[test]
fn packs_of_other_judges_find_nothing() {
    let desk = Desk::new();
    for (id, model, judge, group) in [
        ("a-one", "lab/a", "j/1", "L1"),
        ("a-two", "lab/a", "j/1", "L2"),
        ("b-one", "lab/b", "j/2", "L1"),
        ("b-two", "lab/b", "j/2", "L2"),
    ] {
        let groups = vec![WrittenGroup::solved(group, "SR", &[true; 10])];
        desk.put(id, &Written { model, judge, groups });
    }
    let view = by_item(&desk, &["a-one", "a-two", "b-one", "b-two"]);
    assert_eq!(view.pairs[0].verdict, PairVerdict::Untested);
    let told = left_out(&view.pairs[0]);
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|(_, why)| why.contains("the judging differs")), "{told:?}");
    assert_eq!((view.seen.item, view.seen.benchmark, view.seen.discordance), (None, None, None));
}

#[test]
fn the_smallest_difference_that_is_found_is_that_of_the_normal_distribution() {
    // z(0.975) + z(0.8) = 1.959964 + 0.841621 by Python's statistics.NormalDist; one stratum of n items with discordance d has the
    // variance d/n, so that the smallest difference is 2.801585 · sqrt(d/n) as long as it is small beside d.
    let options = AcrossOptions::default();
    let part = |items, discordance| Part { weight: 0.0, items, discordance };
    let found = detectable_difference(&[part(40_000, 0.2)], AcrossWeights::Item, None, &options).unwrap();
    let plain = 2.801_585 * (0.2_f64 / 40_000.0).sqrt();
    assert!((found / plain - 1.0).abs() < 0.01, "{found} for {plain}");
    // Four times the items find half the difference.
    let four = detectable_difference(&[part(160_000, 0.2)], AcrossWeights::Item, None, &options).unwrap();
    assert!((found / four - 2.0).abs() < 0.01, "{found} and {four}");
    // An assumed share of items bounds what can be found, and no items find nothing.
    assert_eq!(detectable_difference(&[part(10, 0.2)], AcrossWeights::Item, Some(0.1), &options), None);
    assert_eq!(detectable_difference(&[], AcrossWeights::Item, None, &options), None);
}

#[test]
fn each_pack_has_the_mean_discordance_of_the_pairs_that_have_it() {
    let part = |items, discordance| Part { weight: 1.0, items, discordance };
    let pairs =
        [vec![part(10, 0.2), part(0, 0.9), part(5, 0.5)], vec![part(8, 0.4), part(0, 0.0), part(0, 0.0)]];
    let mean = mean_parts(&pairs);
    let shown: Vec<(usize, f64)> = mean.iter().map(|one| (one.items, one.discordance)).collect();
    assert_eq!(shown.len(), 2, "the pack that nobody has is none");
    assert_eq!((shown[0].0, shown[1]), (10, (5, 0.5)));
    near(shown[0].1, 0.3);
    assert!(mean_parts(&[]).is_empty());
}

#[test]
fn pairs_without_a_test_take_no_place_in_the_correction() {
    let desk = two_by_two();
    let tested = by_item(&desk, &ALL).pairs.remove(0);
    let untested = AcrossPair { across: None, holm: None, verdict: PairVerdict::Untested, ..tested.clone() };
    let mut pairs = vec![untested, tested];
    correct(&mut pairs);
    assert_eq!((pairs[0].holm, pairs[0].verdict), (None, PairVerdict::Untested));
    near(pairs[1].holm, 2.0 / 256.0);
    assert_eq!(pairs[1].verdict, PairVerdict::Second);
}

#[test]
fn a_verdict_needs_a_p_value_below_the_level() {
    for (difference, p, verdict) in [
        (0.1, None, PairVerdict::Untested),
        (0.1, Some(0.0499), PairVerdict::Second),
        (-0.1, Some(0.0499), PairVerdict::First),
        (0.1, Some(0.05), PairVerdict::NotSeparated),
        (-0.1, Some(0.05), PairVerdict::NotSeparated),
    ] {
        assert_eq!(super::test::verdict(difference, p, 0.05), verdict, "{difference} {p:?}");
    }
}

proptest! {
    #![proptest_config(koab_draws::config(10))]

    /// The order in which packs are named does not change what is found.
    #[test]
    fn the_order_of_packs_does_not_matter(
        first in prop::collection::vec((any::<bool>(), any::<bool>()), 3..12),
        second in prop::collection::vec((any::<bool>(), any::<bool>()), 3..12),
    ) {
        let desk = Desk::new();
        for (group, tasks) in [("L1", &first), ("L2", &second)] {
            let (one, other): (Vec<bool>, Vec<bool>) = tasks.iter().copied().unzip();
            desk.put_solved(&format!("a-{group}"), "lab/a", group, &one);
            desk.put_solved(&format!("b-{group}"), "lab/b", group, &other);
        }
        let there = by_item(&desk, &["a-L1", "a-L2", "b-L1", "b-L2"]).pairs.remove(0);
        let back = by_item(&desk, &["a-L2", "b-L1", "b-L2", "a-L1"]).pairs.remove(0);
        let numbers = |pair: &AcrossPair| {
            let across = pair.across.as_ref().unwrap();
            (across.combined.difference, across.combined.p)
        };
        let ((difference, p), (turned, other_p)) = (numbers(&there), numbers(&back));
        prop_assert!((difference - turned).abs() < 1e-12);
        prop_assert!((p - other_p).abs() < 0.02, "{p} and {other_p}");
        let all = first.iter().chain(&second);
        let sum: i32 = all.map(|(one, other)| i32::from(*other) - i32::from(*one)).sum();
        prop_assert!((difference - f64::from(sum) / (first.len() + second.len()) as f64).abs() < 1e-12);
    }
}
