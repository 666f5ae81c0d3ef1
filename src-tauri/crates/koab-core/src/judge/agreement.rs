//! Agreement of several answers to the same questions: percent agreement, Cohen's and Fleiss'
//! kappa, Krippendorff's alpha. `report::agreement` chooses the answers to compare.
//!
//! Sources: J. Cohen, "A coefficient of agreement for nominal scales", Educational and
//! Psychological Measurement 20 (1960), 37–46; J. L. Fleiss, "Measuring nominal scale agreement
//! among many raters", Psychological Bulletin 76 (1971), 378–382; K. Krippendorff, "Computing
//! Krippendorff's alpha-reliability" (2011), for missing answers and the ordinal metric. The
//! coefficients are 1 for perfect agreement, 0 for agreement by chance, and can be negative.

use crate::reason::Reason;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Answers to the same questions: one row per question, one column per judge or vote, `None` for a
/// missing answer.
///
/// A yes is 1, a no is 0, and a grade is its own number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    rows: Vec<Vec<Option<i64>>>,
    columns: usize,
}

/// Scale of measurement of the answers, which decides whether some disagreements are larger than
/// others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measurement {
    /// Answers are equal or different.
    Nominal,
    /// Answers have an order, and 1 is farther from 5 than 4 is.
    Ordinal,
}

/// Reason why a coefficient has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// There is only one answerer.
    OneAnswerer,
    /// Fleiss' kappa needs three or more answerers.
    FewerThanThree,
    /// No question has enough answers.
    NothingInCommon,
    /// All answers are the same, so that chance alone explains the agreement.
    OneCategory,
}

impl From<Undefined> for Reason {
    fn from(why: Undefined) -> Self {
        match why {
            Undefined::OneAnswerer => Reason::OneJudge {},
            Undefined::FewerThanThree => Reason::FewJudges {},
            Undefined::NothingInCommon => Reason::NothingInCommon {},
            Undefined::OneCategory => Reason::OneCategory {},
        }
    }
}

impl Ratings {
    /// Creates the table; each row is cut or filled with `None` to `columns`.
    pub fn new(columns: usize, rows: impl IntoIterator<Item = Vec<Option<i64>>>) -> Self {
        let rows = rows.into_iter().map(|mut row| {
            row.resize(columns, None);
            row
        });
        Self { rows: rows.collect(), columns }
    }

    /// Number of questions with at least two answers. Other questions give no information about
    /// agreement.
    pub fn shared(&self) -> usize {
        self.given().filter(|row| row.len() > 1).count()
    }

    /// Number of answers.
    pub fn answers(&self) -> usize {
        self.given().map(|row| row.len()).sum()
    }

    /// Number of missing answers.
    pub fn missing(&self) -> usize {
        self.rows.len() * self.columns - self.answers()
    }

    /// Share of equal pairs among all pairs of answers to the same question.
    ///
    /// # Errors
    /// [`Undefined`] when no question has two answers.
    pub fn percent(&self) -> Result<f64, Undefined> {
        self.several()?;
        let (mut equal, mut pairs) = (0, 0);
        for row in self.given() {
            equal += counts(&row).values().map(|n| n * (n - 1)).sum::<usize>();
            pairs += row.len() * row.len().saturating_sub(1);
        }
        share(equal, pairs).ok_or(Undefined::NothingInCommon)
    }

    /// Cohen's kappa, unweighted, of two columns over the questions that both columns answered.
    ///
    /// # Errors
    /// [`Undefined`] when there is no such question, or all answers to them are the same.
    pub fn cohen(&self, one: usize, other: usize) -> Result<f64, Undefined> {
        let pairs: Vec<(i64, i64)> =
            self.rows.iter().filter_map(|row| Some(((*row.get(one)?)?, (*row.get(other)?)?))).collect();
        let total = pairs.len();
        let equal = pairs.iter().filter(|(a, b)| a == b).count();
        let observed = share(equal, total).ok_or(Undefined::NothingInCommon)?;
        let (ones, others): (Vec<i64>, Vec<i64>) = pairs.into_iter().unzip();
        let others = counts(&others);
        let by_chance: usize =
            counts(&ones).iter().map(|(answer, n)| n * others.get(answer).unwrap_or(&0)).sum();
        beyond_chance(observed, by_chance, total * total)
    }

    /// Fleiss' kappa over the questions that every column answered.
    ///
    /// # Errors
    /// [`Undefined`] with fewer than three columns, without such a question, or if all answers are
    /// the same.
    pub fn fleiss(&self) -> Result<f64, Undefined> {
        if self.columns < 3 {
            return Err(Undefined::FewerThanThree);
        }
        let rows: Vec<_> = self.given().filter(|row| row.len() == self.columns).collect();
        let (mut equal, mut all) = (0, BTreeMap::new());
        for row in &rows {
            for (answer, n) in counts(row) {
                equal += n * (n - 1);
                *all.entry(answer).or_insert(0) += n;
            }
        }
        let answers = rows.len() * self.columns;
        let observed = share(equal, answers * (self.columns - 1)).ok_or(Undefined::NothingInCommon)?;
        beyond_chance(observed, all.values().map(|n| n * n).sum(), answers * answers)
    }

    /// Krippendorff's alpha. Questions with a single answer are left out, as in Krippendorff's
    /// definition.
    ///
    /// # Errors
    /// [`Undefined`] when there is no pair of answers, or all answers are the same.
    pub fn krippendorff(&self, measurement: Measurement) -> Result<f64, Undefined> {
        self.several()?;
        let rows: Vec<_> = self.given().filter(|row| row.len() > 1).collect();
        let mut all: BTreeMap<i64, usize> = BTreeMap::new();
        for answer in rows.iter().flatten() {
            *all.entry(*answer).or_insert(0) += 1;
        }
        let answers: usize = all.values().sum();
        if answers == 0 {
            return Err(Undefined::NothingInCommon);
        }
        if all.len() == 1 {
            return Err(Undefined::OneCategory);
        }
        let distance = |a: i64, b: i64| match measurement {
            Measurement::Nominal => f64::from(u8::from(a != b)),
            Measurement::Ordinal => ordinal_distance(&all, a, b),
        };
        let between = |one: &BTreeMap<i64, usize>| -> f64 {
            let pairs = one.iter().flat_map(|a| one.iter().map(move |b| (a, b)));
            pairs.map(|((a, n), (b, m))| (n * m) as f64 * distance(*a, *b)).sum()
        };
        let observed: f64 = rows.iter().map(|row| between(&counts(row)) / (row.len() - 1) as f64).sum();
        let expected = between(&all) / (answers - 1) as f64;
        Ok(1.0 - observed / expected)
    }

    /// The answers of each row, without missing ones.
    fn given(&self) -> impl Iterator<Item = Vec<i64>> {
        self.rows.iter().map(|row| row.iter().flatten().copied().collect())
    }

    fn several(&self) -> Result<(), Undefined> {
        if self.columns < 2 {
            return Err(Undefined::OneAnswerer);
        }
        Ok(())
    }
}

/// Ordinal distance of two answers (Krippendorff 2011, p. 6).
///
/// The distance is the square of the number of answers between the two, where answers that are
/// equal to one of the two count half.
fn ordinal_distance(all: &BTreeMap<i64, usize>, a: i64, b: i64) -> f64 {
    let (low, high) = (a.min(b), a.max(b));
    let between: usize = all.range(low..=high).map(|(_, n)| n).sum();
    let ends = (all.get(&low).unwrap_or(&0) + all.get(&high).unwrap_or(&0)) as f64 / 2.0;
    if low == high { 0.0 } else { (between as f64 - ends).powi(2) }
}

fn counts(answers: &[i64]) -> BTreeMap<i64, usize> {
    let mut counts = BTreeMap::new();
    for answer in answers {
        *counts.entry(*answer).or_insert(0) += 1;
    }
    counts
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Agreement beyond chance: `(observed − expected) / (1 − expected)`, with `expected = part /
/// whole`.
///
/// An expectation of 1 is detected on the integers, which are exact.
fn beyond_chance(observed: f64, part: usize, whole: usize) -> Result<f64, Undefined> {
    if part == whole {
        return Err(Undefined::OneCategory);
    }
    let expected = part as f64 / whole as f64;
    Ok((observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_cannot_be_said_has_a_reason() {
        let yes = Some(1);
        for (columns, rows, percent, cohen, fleiss, alpha) in [
            (
                1,
                vec![vec![yes]],
                Err(Undefined::OneAnswerer),
                Err(Undefined::NothingInCommon),
                Err(Undefined::FewerThanThree),
                Err(Undefined::OneAnswerer),
            ),
            (
                2,
                vec![],
                Err(Undefined::NothingInCommon),
                Err(Undefined::NothingInCommon),
                Err(Undefined::FewerThanThree),
                Err(Undefined::NothingInCommon),
            ),
            (
                3,
                vec![vec![yes, None, None], vec![None, yes]],
                Err(Undefined::NothingInCommon),
                Err(Undefined::NothingInCommon),
                Err(Undefined::NothingInCommon),
                Err(Undefined::NothingInCommon),
            ),
            (
                3,
                vec![vec![yes, yes, yes]],
                Ok(1.0),
                Err(Undefined::OneCategory),
                Err(Undefined::OneCategory),
                Err(Undefined::OneCategory),
            ),
            (2, vec![vec![yes, Some(0)]], Ok(0.0), Ok(0.0), Err(Undefined::FewerThanThree), Ok(0.0)),
        ] {
            let ratings = Ratings::new(columns, rows);
            let found = (
                ratings.percent(),
                ratings.cohen(0, 1),
                ratings.fleiss(),
                ratings.krippendorff(Measurement::Nominal),
            );
            assert_eq!(found, (percent, cohen, fleiss, alpha), "{ratings:?}");
        }
    }

    proptest! {
        #[test]
        fn no_table_gives_a_number_that_is_none(
            columns in 0usize..5,
            rows in prop::collection::vec(prop::collection::vec(prop::option::of(1i64..=5), 0..5), 0..12),
        ) {
            let ratings = Ratings::new(columns, rows);
            for value in [
                ratings.percent(),
                ratings.cohen(0, 1),
                ratings.fleiss(),
                ratings.krippendorff(Measurement::Nominal),
                ratings.krippendorff(Measurement::Ordinal),
            ].into_iter().flatten() {
                prop_assert!(value.is_finite() && value <= 1.0 + 1e-12, "{value}");
            }
        }

        #[test]
        fn perfect_agreement_is_one_however_it_is_measured(answers in prop::collection::vec(1i64..=5, 2..12)) {
            prop_assume!(answers.iter().any(|answer| *answer != answers[0]));
            let ratings = Ratings::new(3, answers.iter().map(|answer| vec![Some(*answer); 3]));
            for value in [
                ratings.percent(),
                ratings.cohen(0, 2),
                ratings.fleiss(),
                ratings.krippendorff(Measurement::Nominal),
                ratings.krippendorff(Measurement::Ordinal),
            ] {
                prop_assert!(value.is_ok_and(|value| (value - 1.0).abs() < 1e-12), "{value:?}");
            }
        }

        #[test]
        fn the_order_of_questions_and_judges_does_not_matter(
            rows in prop::collection::vec(prop::collection::vec(prop::option::of(1i64..=5), 3), 1..12),
        ) {
            let there = Ratings::new(3, rows.clone());
            let back = Ratings::new(3, rows.into_iter().rev().map(|row| row.into_iter().rev().collect()));
            for (one, other) in [
                (there.fleiss(), back.fleiss()),
                (there.cohen(0, 1), back.cohen(2, 1)),
                (there.krippendorff(Measurement::Ordinal), back.krippendorff(Measurement::Ordinal)),
            ] {
                let same = match (one, other) {
                    (Ok(one), Ok(other)) => (one - other).abs() < 1e-9,
                    (one, other) => one == other,
                };
                prop_assert!(same, "{one:?} {other:?}");
            }
        }
    }
}
