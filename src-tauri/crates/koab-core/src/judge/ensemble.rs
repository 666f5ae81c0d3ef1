//! Combination of the verdicts of several judges (`docs/spec/metrics.md` §4.1), and the choice of
//! the verdicts that answer a question.

use super::question::Votes;
use super::verdict::Verdict;
use crate::python::{naive_sum, round_half_even};
use crate::reason::Reason;
use serde::{Deserialize, Serialize};

/// Aggregation of the grades of several judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// Arithmetic mean. The published code has only this aggregation.
    #[default]
    Mean,
    /// Middle grade, or the mean of the two middle ones.
    Median,
}

/// The judges of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Panel {
    /// Judge model ids in order. Only the first judge votes on SR. If the list is empty, the judges
    /// are those that gave verdicts.
    pub judges: Vec<String>,
    /// Number of votes of the first judge on SR, at least one.
    pub votes: usize,
    /// Aggregation of grades.
    pub aggregate: Aggregate,
    /// Address of the judges' server, without parts that may hold a key. `None` for the provider's
    /// default address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
}

impl Default for Panel {
    /// The judges that gave verdicts, three votes, and the mean.
    fn default() -> Self {
        Self { judges: Vec::new(), votes: 3, aggregate: Aggregate::Mean, base_url: None }
    }
}

impl Panel {
    /// The verdicts that answer a question, in the order of the panel.
    ///
    /// # Errors
    /// The reason why the question counts as unanswered.
    pub fn pick<'a>(&self, votes: Votes, verdicts: &'a [Verdict]) -> Result<Vec<&'a Verdict>, Reason> {
        if verdicts.is_empty() {
            return Err(Reason::NoJudgeAsked {});
        }
        let judges: Vec<&str> = if self.judges.is_empty() {
            let mut names: Vec<&str> = Vec::new();
            for verdict in verdicts {
                if !names.contains(&verdict.judge.as_str()) {
                    names.push(&verdict.judge);
                }
            }
            names
        } else {
            self.judges.iter().map(String::as_str).collect()
        };
        let by =
            |judge: &str| verdicts.iter().filter(move |verdict| verdict.judge == judge).collect::<Vec<_>>();
        let (picked, wanted) = match votes {
            Votes::FirstJudge(count) => {
                let count = count.max(1);
                let picked: Vec<_> = by(judges[0]).into_iter().take(count).collect();
                (picked, count)
            }
            Votes::EachJudge => {
                let picked: Vec<_> = judges.iter().filter_map(|judge| by(judge).first().copied()).collect();
                (picked, judges.len())
            }
        };
        if picked.len() < wanted {
            return Err(Reason::AnswersMissing {
                missing: (wanted - picked.len()).to_string(),
                wanted: wanted.to_string(),
            });
        }
        Ok(picked)
    }
}

/// Combined grade of several judges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Mean or median, unrounded.
    pub average: f64,
    /// The average rounded to a whole grade; halves are rounded to the even grade.
    pub rounded: i64,
    /// The rounded grade on a scale from 0 to 1: `max(0, (rounded − 1) / 4)`.
    pub normalized: f64,
}

/// Combines grades from 1 to 5; `None` without grades.
pub fn scale(grades: &[i64], aggregate: Aggregate) -> Option<Scale> {
    if grades.is_empty() {
        return None;
    }
    let average = match aggregate {
        Aggregate::Mean => naive_sum(grades.iter().map(|grade| *grade as f64)) / grades.len() as f64,
        Aggregate::Median => {
            let mut sorted = grades.to_vec();
            sorted.sort_unstable();
            let middle = sorted.len() / 2;
            if sorted.len() % 2 == 1 {
                sorted[middle] as f64
            } else {
                (sorted[middle - 1] + sorted[middle]) as f64 / 2.0
            }
        }
    };
    let rounded = round_half_even(average);
    Some(Scale { average, rounded: rounded as i64, normalized: f64::max(0.0, (rounded - 1.0) / 4.0) })
}

/// Whether a strict majority says yes; a tie is no.
pub fn majority(yes: usize, total: usize) -> bool {
    2 * yes > total
}

/// Strict majority while some votes are missing; a tie is no. `None` if the missing votes could
/// change the outcome.
pub fn settled(yes: usize, no: usize, open: usize) -> Option<bool> {
    if yes > no + open {
        Some(true)
    } else if yes + open <= no {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::MetricId;

    #[test]
    fn grades_are_averaged_and_halves_go_to_the_even_grade() {
        for (grades, aggregate, average, rounded, normalized) in [
            (vec![1, 2], Aggregate::Mean, 1.5, 2, 0.25),
            (vec![2, 3], Aggregate::Mean, 2.5, 2, 0.25),
            (vec![4, 5], Aggregate::Mean, 4.5, 4, 0.75),
            (vec![0], Aggregate::Mean, 0.0, 0, 0.0),
            (vec![5, 1, 5], Aggregate::Median, 5.0, 5, 1.0),
            (vec![5, 4, 1, 1], Aggregate::Median, 2.5, 2, 0.25),
        ] {
            assert_eq!(scale(&grades, aggregate), Some(Scale { average, rounded, normalized }), "{grades:?}");
        }
        assert_eq!(scale(&[], Aggregate::Mean), None);
        for (votes, outcome) in [
            ((2, 0, 1), Some(true)),
            ((1, 1, 1), None),
            ((0, 2, 1), Some(false)),
            ((1, 2, 0), Some(false)),
            ((0, 0, 1), None),
        ] {
            assert_eq!(settled(votes.0, votes.1, votes.2), outcome, "{votes:?}");
        }
        assert!(majority(2, 3) && !majority(1, 2) && !majority(0, 0));
    }

    #[test]
    fn a_panel_takes_its_own_verdicts_and_says_how_many_are_missing() {
        let verdict = |judge: &str| Verdict::failed(judge, MetricId::Sr, "x");
        let verdicts = [verdict("b"), verdict("a"), verdict("a"), verdict("c")];
        let pick = |judges: &[&str], votes| {
            let panel =
                Panel { judges: judges.iter().map(|j| (*j).to_owned()).collect(), ..Panel::default() };
            panel
                .pick(votes, &verdicts)
                .map_err(|why| why.to_string())
                .map(|v| v.iter().map(|v| v.judge.clone()).collect::<String>())
        };
        assert_eq!(pick(&["a", "b"], Votes::EachJudge), Ok("ab".to_owned()));
        assert_eq!(pick(&["a"], Votes::FirstJudge(2)), Ok("aa".to_owned()));
        assert_eq!(pick(&["a"], Votes::FirstJudge(3)), Err("1 of 3 judge answers are missing".to_owned()));
        assert_eq!(pick(&["a", "z"], Votes::EachJudge), Err("1 of 2 judge answers are missing".to_owned()));
        assert_eq!(pick(&[], Votes::EachJudge), Ok("bac".to_owned()));
        assert_eq!(Panel::default().pick(Votes::EachJudge, &[]), Err(Reason::NoJudgeAsked {}));
    }
}
