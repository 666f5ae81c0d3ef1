//! Agreement of the answers in an evaluation: of judges with each other, and of the votes of one
//! judge.
//!
//! This module chooses the answers; `judge::agreement` computes the coefficients.

use super::Report;
use koab_core::judge::agreement::{Measurement, Ratings, Undefined};
use koab_core::judge::{Answer, AnswerSchema, Verdict, Verdicts};
use koab_core::measured::Figure;
use koab_core::reason::Reason;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// Kind of answers whose agreement is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum Compared {
    /// Answers of different judges, which show their agreement.
    Judges,
    /// Several votes of one judge on the same prompt. They show whether the judge is consistent,
    /// but not whether it is right.
    Votes,
}

/// Scale on which judges answer a metric's questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum AnswerScale {
    /// Yes or no. Krippendorff's alpha is nominal.
    YesNo,
    /// Grades from 1 to 5. Krippendorff's alpha is ordinal.
    Grades,
    /// Both scales. Such answers have a share of equal answers, but no coefficient.
    Mixed,
}

/// Cohen's kappa of two judges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PairKappa {
    /// Model id of one judge.
    pub one: String,
    /// Model id of the other judge.
    pub other: String,
    /// Cohen's kappa, unweighted, over the questions that both judges answered.
    pub kappa: Figure,
}

/// Agreement of the answers to the questions of one metric, or of several metrics together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JudgeAgreement {
    /// Metrics that the questions belong to, in report order. There are several in a combined row.
    pub metrics: Vec<MetricId>,
    /// Answers that are compared.
    pub compared: Compared,
    /// Scale of the answers.
    pub scale: AnswerScale,
    /// Judges in order. There is only one where its own votes are compared.
    pub judges: Vec<String>,
    /// Number of questions with at least two answers.
    pub questions: usize,
    /// Number of answers to all questions.
    pub answers: usize,
    /// Number of answers that failed or were never requested.
    pub missing: usize,
    /// Share (0 to 1) of equal pairs among all pairs of answers to the same question.
    pub percent: Figure,
    /// Cohen's kappa of each pair of judges; empty where votes are compared, since votes have no
    /// order.
    pub cohen: Vec<PairKappa>,
    /// Fleiss' kappa, for at least three judges or votes.
    pub fleiss: Figure,
    /// Krippendorff's alpha.
    pub krippendorff: Figure,
}

/// Answers to the questions of some metrics.
struct Table {
    metrics: Vec<MetricId>,
    scale: AnswerScale,
    rows: Vec<Vec<Option<i64>>>,
}

/// Agreement of an evaluation's judges: one row per metric, one row per scale over all its metrics,
/// and one row over all metrics.
///
/// Free-text answers have to be converted before ([`crate::Dataset::read`]).
pub fn agreement(report: &Report, verdicts: &Verdicts) -> Vec<JudgeAgreement> {
    let mut of_metrics = Vec::new();
    let mut between = Vec::new();
    for metric in MetricId::ALL {
        let Some(scale) = scale_of(metric) else { continue };
        let tasks = report.levels.iter().flat_map(|level| &level.tasks);
        let questions: Vec<&[Verdict]> = tasks
            .filter(|task| task.scores.iter().any(|(id, _)| *id == metric))
            .map(|task| verdicts.about(&task.id, metric))
            .filter(|answers| !answers.is_empty())
            .collect();
        let Some(first) = questions.first() else { continue };
        let metrics = vec![metric];
        if metric == MetricId::Sr {
            let judge = first[0].judge.clone();
            let votes = |answers: &&[Verdict]| {
                let of_judge = answers.iter().filter(|verdict| verdict.judge == judge);
                of_judge.take(report.votes).map(answer).collect()
            };
            let rows = questions.iter().map(votes).collect();
            let table = Table { metrics, scale, rows };
            of_metrics.push(measured(&table, Compared::Votes, &[judge], report.votes));
        } else {
            let row = |answers: &&[Verdict]| {
                let by = |judge: &String| answers.iter().find(|verdict| verdict.judge == *judge);
                report.judges.iter().map(|judge| by(judge).and_then(answer)).collect()
            };
            let rows = questions.iter().map(row).collect();
            let table = Table { metrics, scale, rows };
            of_metrics.push(between_judges(&table, report));
            between.push(table);
        }
    }
    if report.judges.len() > 1 {
        of_metrics.extend(together(&between).iter().map(|table| between_judges(table, report)));
    }
    of_metrics
}

/// Combined tables: one for each scale with several tables, and one over all tables if both scales
/// occur.
fn together(tables: &[Table]) -> Vec<Table> {
    let joined = |scale: AnswerScale, of: &[&Table]| Table {
        metrics: of.iter().flat_map(|table| table.metrics.clone()).collect(),
        scale,
        rows: of.iter().flat_map(|table| table.rows.clone()).collect(),
    };
    let mut joint = Vec::new();
    for scale in [AnswerScale::YesNo, AnswerScale::Grades] {
        let same: Vec<&Table> = tables.iter().filter(|table| table.scale == scale).collect();
        if same.len() > 1 {
            joint.push(joined(scale, &same));
        }
    }
    if tables.iter().any(|table| table.scale != tables[0].scale) {
        joint.push(joined(AnswerScale::Mixed, &tables.iter().collect::<Vec<_>>()));
    }
    joint
}

fn between_judges(table: &Table, report: &Report) -> JudgeAgreement {
    measured(table, Compared::Judges, &report.judges, report.judges.len())
}

fn measured(table: &Table, compared: Compared, judges: &[String], columns: usize) -> JudgeAgreement {
    let ratings = Ratings::new(columns, table.rows.clone());
    let figure = |value: Result<f64, Undefined>| Figure::from(value.map_err(|why| reason(why, compared)));
    let coefficient = |compute: &dyn Fn() -> Result<f64, Undefined>| match table.scale {
        AnswerScale::Mixed => Err(say!("yes or no and grades have no scale in common")).into(),
        _ => figure(compute()),
    };
    let measurement = match table.scale {
        AnswerScale::Grades => Measurement::Ordinal,
        AnswerScale::YesNo | AnswerScale::Mixed => Measurement::Nominal,
    };
    let pairs = (0..judges.len()).flat_map(|one| (one + 1..judges.len()).map(move |other| (one, other)));
    JudgeAgreement {
        metrics: table.metrics.clone(),
        compared,
        scale: table.scale,
        judges: judges.to_vec(),
        questions: ratings.shared(),
        answers: ratings.answers(),
        missing: ratings.missing(),
        percent: figure(ratings.percent()),
        cohen: pairs
            .map(|(one, other)| PairKappa {
                one: judges[one].clone(),
                other: judges[other].clone(),
                kappa: coefficient(&|| ratings.cohen(one, other)),
            })
            .collect(),
        fleiss: coefficient(&|| ratings.fleiss()),
        krippendorff: coefficient(&|| ratings.krippendorff(measurement)),
    }
}

fn reason(why: Undefined, compared: Compared) -> Sentence {
    let reason = match (why, compared) {
        (Undefined::OneAnswerer, Compared::Votes) => Reason::OneVote {},
        (Undefined::FewerThanThree, Compared::Votes) => Reason::FewVotes {},
        (Undefined::NothingInCommon, Compared::Votes) => Reason::TooFewVotes {},
        (why, _) => Reason::from(why),
    };
    reason.into()
}

/// Scale of the answers to a metric's questions; `None` when the metric asks no judge.
fn scale_of(metric: MetricId) -> Option<AnswerScale> {
    let schema = AnswerSchema::for_metric(metric)?;
    Some(if schema.has("success") { AnswerScale::YesNo } else { AnswerScale::Grades })
}

fn answer(verdict: &Verdict) -> Option<i64> {
    match &verdict.answer {
        Answer::Answered(opinion) => opinion.success.map(i64::from).or(opinion.score),
        Answer::Failed { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dataset, EvaluationOptions, evaluate};
    use koab_core::judge::{Opinion, Panel};
    use koab_core::level::Level;
    use koab_core::log::LevelLog;
    use koab_core::measured::Measured;
    use serde_json::json;

    fn verdict(judge: &str, metric: MetricId, success: Option<bool>, score: Option<i64>) -> Verdict {
        Verdict {
            judge: judge.to_owned(),
            metric,
            answer: Answer::Answered(Opinion { success, score, ..Opinion::default() }),
        }
    }

    fn logs() -> Vec<LevelLog> {
        let of = |level: Level, n: usize| {
            let tasks: Vec<_> = (1..=n).map(|i| json!({"task_id": format!("{level}-{i}")})).collect();
            LevelLog::read_as(level, &json!({"results": tasks})).unwrap()
        };
        vec![of(Level::L6, 3), of(Level::L7, 3)]
    }

    /// Rows of the agreement table as text: metrics, compared answers, judges, number of questions,
    /// share of equal answers, Cohen's kappa, Fleiss' kappa and Krippendorff's alpha.
    fn shown(verdicts: &Verdicts, judges: &[&str]) -> Vec<String> {
        let panel =
            Panel { judges: judges.iter().map(|judge| (*judge).to_owned()).collect(), ..Panel::default() };
        let options = EvaluationOptions { panel, ..EvaluationOptions::default() };
        let report = evaluate(&logs(), &Dataset::none(), verdicts, &options);
        let number = |figure: &Figure| {
            let value = Measured::from(figure.clone());
            value.map_or_else(|why| why.to_string(), |v| format!("{v:.3}"))
        };
        let row = |row: &JudgeAgreement| {
            let names: Vec<&str> = row.metrics.iter().map(|metric| metric.name()).collect();
            let cohen: Vec<String> = row.cohen.iter().map(|pair| number(&pair.kappa)).collect();
            format!(
                "{} {:?} {}q {}a {}m | {} | {} | {} | {}",
                names.join("+"),
                row.compared,
                row.questions,
                row.answers,
                row.missing,
                number(&row.percent),
                cohen.join(", "),
                number(&row.fleiss),
                number(&row.krippendorff)
            )
        };
        agreement(&report, verdicts).iter().map(row).collect()
    }

    #[test]
    fn judges_are_compared_with_each_other_and_votes_with_themselves() {
        let mut verdicts = Verdicts::none();
        for (task, votes) in [("L6-1", [true, true, true]), ("L6-2", [true, false, false])] {
            for vote in votes {
                verdicts.add(task, verdict("a", MetricId::Sr, Some(vote), None));
            }
        }
        for (task, one, other) in [("L6-1", true, true), ("L6-2", false, true), ("L6-3", false, false)] {
            verdicts.add(task, verdict("a", MetricId::EffScore, Some(one), None));
            verdicts.add(task, verdict("b", MetricId::EffScore, Some(other), None));
        }
        for (task, one) in [("L7-1", 5), ("L7-2", 2)] {
            verdicts.add(task, verdict("a", MetricId::RefRecall, None, Some(one)));
            verdicts.add(task, verdict("b", MetricId::RefRecall, None, Some(4)));
            verdicts.add(task, verdict("a", MetricId::ContextRetention, None, Some(one)));
        }
        verdicts.add("L7-3", verdict("a", MetricId::RefRecall, None, Some(4)));
        verdicts.add("L7-3", Verdict::failed("b", MetricId::RefRecall, "down"));
        insta::assert_snapshot!(shown(&verdicts, &["a", "b"]).join("\n"), @r"
        SR Votes 2q 6a 0m | 0.667 |  | 0.250 | 0.375
        EffScore Judges 3q 6a 0m | 0.667 | 0.400 | it takes three judges or more | 0.444
        ContextRetention Judges 0q 2a 2m | no question has answers of all who are compared | no question has answers of all who are compared | it takes three judges or more | no question has answers of all who are compared
        RefRecall Judges 2q 5a 1m | 0.000 | 0.000 | it takes three judges or more | 0.250
        ContextRetention+RefRecall Judges 2q 7a 3m | 0.000 | 0.000 | it takes three judges or more | 0.250
        EffScore+ContextRetention+RefRecall Judges 5q 13a 3m | 0.400 | yes or no and grades have no scale in common | yes or no and grades have no scale in common | yes or no and grades have no scale in common
        ");
        insta::assert_snapshot!(shown(&verdicts, &["a"]).join("\n"), @r"
        SR Votes 2q 6a 0m | 0.667 |  | 0.250 | 0.375
        EffScore Judges 0q 3a 0m | there is only one judge |  | it takes three judges or more | there is only one judge
        ContextRetention Judges 0q 2a 0m | there is only one judge |  | it takes three judges or more | there is only one judge
        RefRecall Judges 0q 3a 0m | there is only one judge |  | it takes three judges or more | there is only one judge
        ");
        assert!(shown(&Verdicts::none(), &["a"]).is_empty());
    }
}
