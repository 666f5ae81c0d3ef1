use super::{Measure, placed};
use crate::wire::StandingPoint;
use koab_core::say;
use proptest::prelude::*;

fn point(model: &str, value: Option<f64>, own: bool) -> StandingPoint {
    StandingPoint {
        id: model.to_owned(),
        model: model.to_owned(),
        own,
        figure: value.ok_or_else(|| say!("nothing was scored")).into(),
        range: Err(say!("no range")).into(),
    }
}

#[test]
fn the_best_is_first_and_equals_have_one_rank() {
    for (points, order, rank, of) in [
        (
            vec![("own", Some(0.5), true), ("a", Some(0.9), false), ("b", Some(0.1), false)],
            ["a", "own", "b"],
            Some(2),
            3,
        ),
        (
            vec![("own", Some(0.5), true), ("a", Some(0.5), false), ("b", Some(0.5), false)],
            ["a", "b", "own"],
            Some(1),
            3,
        ),
        (
            vec![("own", Some(0.5), true), ("a", None, false), ("b", Some(0.9), false)],
            ["b", "own", "a"],
            Some(2),
            2,
        ),
        (vec![("own", None, true), ("a", Some(0.0), false), ("b", None, false)], ["a", "b", "own"], None, 1),
    ] {
        let points = points.into_iter().map(|(model, value, own)| point(model, value, own)).collect();
        let placed = placed(Measure::Success, points);
        let models: Vec<&str> = placed.points.iter().map(|point| point.model.as_str()).collect();
        assert_eq!(models, order);
        assert_eq!((placed.rank, placed.of), (rank, of));
        assert_eq!(placed.reason.is_some(), rank.is_none(), "without a rank the reason is said");
        assert_eq!((placed.measure.as_str(), placed.reading.is_none()), ("SR", true));
    }
}

proptest! {
    #![proptest_config(koab_draws::config(256))]

    /// A rank is one more than the number of those with a better value, whatever the order.
    #[test]
    fn a_rank_counts_those_that_are_better(
        own in 0..5_u8, others in proptest::collection::vec(proptest::option::of(0..5_u8), 0..8),
    ) {
        let mut points = vec![point("own", Some(f64::from(own)), true)];
        points.extend(others.iter().map(|value| point("other", value.map(f64::from), false)));
        let better = others.iter().flatten().filter(|value| **value > own).count();
        let placed = placed(Measure::Success, points);
        prop_assert_eq!(placed.rank, Some(better as u32 + 1));
        prop_assert_eq!(placed.of as usize, 1 + others.iter().flatten().count());
        let values: Vec<f64> = placed.points.iter().map(|point| point.figure.value().unwrap_or(-1.0)).collect();
        prop_assert!(values.is_sorted_by(|one, other| one >= other), "{:?}", values);
    }
}
