//! Agreement between judges against other people's code (`agreement/make_fixture.py` says whose and how).

use koab_core::judge::agreement::{Measurement, Ratings};
use serde_json::Value;

#[test]
fn coefficients_are_those_of_sklearn_statsmodels_and_krippendorff() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("agreement/values.json")).unwrap();
    let mut compared = 0;
    let mut same = |found: Option<f64>, expected: &Value, what: &str| {
        let near = match (found, expected.as_f64()) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-12,
            (found, expected) => found.is_none() && expected.is_none(),
        };
        assert!(near, "{what}: {found:?} instead of {expected}");
        compared += 1;
    };
    for (i, case) in cases.iter().enumerate() {
        let rows: Vec<Vec<Option<i64>>> = serde_json::from_value(case["rows"].clone()).unwrap();
        let columns = rows[0].len();
        let ratings = Ratings::new(columns, rows);
        same(ratings.percent().ok(), &case["percent"], &format!("percent of {i}"));
        let pairs = (0..columns).flat_map(|a| (a + 1..columns).map(move |b| (a, b)));
        for (pair, (a, b)) in pairs.enumerate() {
            let what = format!("Cohen's kappa of {i}, columns {a} and {b}");
            same(ratings.cohen(a, b).ok(), &case["cohen"][pair], &what);
        }
        same(ratings.fleiss().ok(), &case["fleiss"], &format!("Fleiss' kappa of {i}"));
        for (measurement, name) in [(Measurement::Nominal, "nominal"), (Measurement::Ordinal, "ordinal")] {
            same(ratings.krippendorff(measurement).ok(), &case[name], &format!("{name} alpha of {i}"));
        }
    }
    assert_eq!(compared, 36 * 4 + 12 * (1 + 3 + 10), "every value was compared");
}
