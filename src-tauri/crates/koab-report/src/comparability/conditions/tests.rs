use super::*;

#[test]
fn levels_differ_by_the_ids_of_their_tasks_or_else_by_their_number() {
    for (one, other, differ) in [
        (vec![(Level::L1, 2, Some(7))], vec![(Level::L1, 2, Some(7))], vec![]),
        (vec![(Level::L1, 2, Some(7))], vec![(Level::L1, 2, Some(8))], vec![Level::L1]),
        // One has no ids.
        (vec![(Level::L1, 2, None)], vec![(Level::L1, 2, Some(8))], vec![]),
        (vec![(Level::L1, 2, Some(7))], vec![(Level::L1, 3, None)], vec![Level::L1]),
        (vec![(Level::L1, 2, None)], vec![(Level::L1, 3, None)], vec![Level::L1]),
        // A level that only one has is no difference of its tasks.
        (vec![(Level::L1, 2, Some(7))], vec![(Level::L2, 3, Some(9))], vec![]),
        (
            vec![(Level::L2, 1, Some(1)), (Level::L1, 2, None), (Level::L3, 4, None)],
            vec![(Level::L1, 1, None), (Level::L2, 1, Some(2)), (Level::L3, 4, None)],
            vec![Level::L2, Level::L1],
        ),
    ] {
        let found: Vec<&Level> = levels_that_differ(&one, &other).collect();
        assert_eq!(found, differ.iter().collect::<Vec<_>>(), "{one:?} {other:?}");
    }
}
