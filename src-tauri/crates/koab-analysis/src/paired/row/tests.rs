use super::*;

fn test(p: f64) -> PairTest {
    PairTest { p: Some(p), difference: Some(-0.1), ..empty(&Figure::Overall(MetricId::Sr)) }
}

#[test]
fn five_percent_and_more_separate_nothing() {
    for (given, verdicts, only_alone) in [
        (&[0.049][..], &[PairVerdict::First][..], &[false][..]),
        (&[0.05], &[PairVerdict::NotSeparated], &[false]),
        // Twice the smaller one.
        (&[0.025, 0.9], &[PairVerdict::NotSeparated; 2], &[true, false]),
        (&[0.024, 0.9], &[PairVerdict::First, PairVerdict::NotSeparated], &[false; 2]),
    ] {
        let mut tests: Vec<PairTest> = given.iter().copied().map(test).collect();
        correct(&mut tests);
        let all = Some(given.len() as u32);
        assert!(tests.iter().all(|test| test.corrected_over == all), "{given:?}");
        let found: Vec<_> = tests.iter().map(|test| test.verdict).collect();
        assert_eq!(found, verdicts, "{given:?}");
        let found: Vec<_> = tests.iter().map(|test| test.no_needs.is_some()).collect();
        assert_eq!(found, only_alone, "{given:?}");
    }
}

#[test]
fn a_composite_s_spread_is_told_by_its_draws() {
    // Their mean is 0.2 and their standard error 0.1; sixteen tasks have four times that deviation.
    let found = by_draws(&[0.1, 0.3], 0.2, 16).unwrap();
    assert!((found - 0.5).abs() < 1e-12, "{found}");
    for alike in [&[][..], &[0.2], &[0.2, 0.2]] {
        assert!(by_draws(alike, 0.2, 16).is_err(), "{alike:?}");
    }
}
