//! Effect of each judge on scores and ranks.
//!
//! The runs are scored again with one judge alone, without one judge, with all judges, and with
//! human overrides. Only judges who have answered every question of every run take part; otherwise
//! ranks would be based on different questions. Reports use the same scorer.

use super::coverage::complete;
use super::reason::LabReason;
use super::{Item, PersonsWord, Standing, Subject, items, judges, tau};
use koab_core::judge::{Aggregate, Answer, Opinion, Panel, Verdict, Verdicts};
use koab_core::reason::Reason;
use koab_core::score::composite::CompositeVariant;
use koab_core::score::{MetricId, MetricSet};
use koab_core::sentence::Sentence;
use koab_report::{EvaluationOptions, Report, evaluate};
use serde::{Deserialize, Serialize};

/// Kind of a selection of judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum LabPanelKind {
    /// Only one judge.
    Judge,
    /// All judges except one.
    Without,
    /// All judges: the majority of yes or no, the mean of grades.
    Mean,
    /// All judges: the majority of yes or no, the median of grades.
    Median,
    /// All judges with the mean of grades, and human overrides where they exist.
    People,
}

/// Panel of judges with its results for the runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabPanel {
    /// Kind of the selection.
    pub kind: LabPanelKind,
    /// The only judge, or the judge that is left out; null for the other kinds.
    pub judge: Option<String>,
    /// Judges whose verdicts are used.
    pub judges: Vec<String>,
    /// Reason why there are no values; null when there are values.
    pub reason: Option<Sentence>,
    /// Results by measure.
    pub values: Vec<LabPanelValues>,
}

/// Measure of a run that depends on judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum LabMeasure {
    /// Composite score over the published metrics, which ranks reports. It does not include SR.
    Composite,
    /// Composite score that also includes SR, `EPR_CVR` and pass@k of each level: the metrics that
    /// all levels have.
    CompositeCommon,
    /// SR over all tasks.
    Sr,
    /// `ArgAcc` of L1.
    ArgAcc,
    /// `EffScore` of L6.
    EffScore,
    /// `ContextRetention` of L7.
    ContextRetention,
    /// `RefRecall` of L7.
    RefRecall,
}

/// One measure of all runs under one panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabPanelValues {
    /// Measure of the values.
    pub measure: LabMeasure,
    /// Value of each run, in order.
    pub values: Vec<Option<f64>>,
    /// Reason why a run has no value.
    pub reasons: Vec<Option<Sentence>>,
    /// Rank of each run, 1 the best; equal values share a rank.
    pub ranks: Vec<Option<u32>>,
}

/// Agreement of two panels on the ranks of the runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RankAgreement {
    /// Measure that the runs are ranked by.
    pub measure: LabMeasure,
    /// Index of one panel in [`JudgesEffect::panels`].
    pub one: usize,
    /// Index of the other panel.
    pub other: usize,
    /// Number of runs that have a value under both panels.
    pub runs: usize,
    /// Kendall's τ-b.
    pub tau: Option<f64>,
    /// Reason why there is no correlation.
    pub reason: Option<Sentence>,
}

/// Effect of judges on scores and ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JudgesEffect {
    /// Panels of single judges, then panels without one judge, then panels of all judges.
    pub panels: Vec<LabPanel>,
    /// Rank correlation of each pair of panels that have values.
    pub taus: Vec<RankAgreement>,
}

impl LabMeasure {
    /// All measures in display order.
    pub const ALL: [LabMeasure; 7] = [
        Self::Composite,
        Self::CompositeCommon,
        Self::Sr,
        Self::ArgAcc,
        Self::EffScore,
        Self::ContextRetention,
        Self::RefRecall,
    ];

    /// Metric of the measure; null for the composites.
    pub fn metric(self) -> Option<MetricId> {
        match self {
            Self::Composite | Self::CompositeCommon => None,
            Self::Sr => Some(MetricId::Sr),
            Self::ArgAcc => Some(MetricId::ArgAcc),
            Self::EffScore => Some(MetricId::EffScore),
            Self::ContextRetention => Some(MetricId::ContextRetention),
            Self::RefRecall => Some(MetricId::RefRecall),
        }
    }

    /// Reading of the composite; null for the metrics.
    pub fn composite(self) -> Option<CompositeVariant> {
        match self {
            Self::Composite => Some(CompositeVariant::FLAT_REPORT),
            Self::CompositeCommon => Some(FLAT_COMMON),
            _ => None,
        }
    }

    fn value(self, report: &Report) -> Result<f64, Sentence> {
        if let Some(reading) = self.composite() {
            return composite(report, reading);
        }
        match self.metric().and_then(|metric| Some((metric, metric.level()?))) {
            Some((metric, level)) => report.mean(&level, metric),
            None => over_tasks(report),
        }
    }
}

const FLAT_COMMON: CompositeVariant = CompositeVariant::ALL[5];

/// Scores the runs with every judge alone, without each judge, with all, and with human overrides.
pub fn effect(subjects: &[Subject<'_>]) -> JudgesEffect {
    effect_of(subjects, &judges(subjects))
}

/// Effect of judges, where "all" judges are only those in `together`. Scores with one judge alone
/// include all judges.
pub fn effect_of(subjects: &[Subject<'_>], together: &[String]) -> JudgesEffect {
    let all = judges(subjects);
    let whole = complete(subjects);
    let able: Vec<String> = whole.iter().filter(|judge| together.contains(judge)).cloned().collect();
    let mut panels: Vec<LabPanel> = all
        .iter()
        .map(|judge| {
            let alone = vec![judge.clone()];
            if whole.contains(judge) {
                scored(subjects, LabPanelKind::Judge, Some(judge), alone)
            } else {
                empty(LabPanelKind::Judge, Some(judge), alone, incomplete(subjects, judge))
            }
        })
        .collect();
    if able.len() > 2 {
        panels.extend(able.iter().map(|judge| {
            let others = able.iter().filter(|other| *other != judge).cloned().collect();
            scored(subjects, LabPanelKind::Without, Some(judge), others)
        }));
    }
    for kind in [LabPanelKind::Mean, LabPanelKind::Median] {
        panels.push(if able.len() > 1 {
            scored(subjects, kind, None, able.clone())
        } else {
            empty(kind, None, able.clone(), LabReason::TwoComplete {}.into())
        });
    }
    let people = LabPanelKind::People;
    let is_word = items(subjects).any(|(_, item)| !item.people.is_empty());
    panels.push(match (is_word, able.is_empty()) {
        (false, _) => empty(people, None, able, LabReason::NoWord {}.into()),
        (true, true) => empty(people, None, able, LabReason::NoCompleteJudge {}.into()),
        (true, false) => scored(subjects, people, None, able),
    });
    let taus = taus(&panels);
    JudgesEffect { panels, taus }
}

/// Reports of the runs under one panel.
pub(super) fn reports(subjects: &[Subject<'_>], kind: LabPanelKind, judges: &[String]) -> Vec<Report> {
    subjects.iter().map(|subject| report(subject, kind, judges)).collect()
}

/// Report of a run. `said` gives the verdicts for each question.
pub(super) fn scored_with(
    subject: &Subject<'_>,
    panel: Panel,
    said: impl Fn(&Item) -> Vec<Verdict>,
) -> Report {
    let mut verdicts = Verdicts::none();
    for item in &subject.items {
        verdicts.replace(&item.task, item.metric, said(item));
    }
    let options = EvaluationOptions { metrics: MetricSet::All, panel, ..subject.options.clone() };
    evaluate(subject.logs, subject.dataset, &verdicts, &options)
}

fn report(subject: &Subject<'_>, kind: LabPanelKind, judges: &[String]) -> Report {
    // On SR each of several judges has one vote: the majority of its own votes. In a panel only the
    // first judge votes, so all these votes carry its name. The rules of another benchmark accept
    // no more votes than they ask for: there the majority of the judges counts as one judge.
    let is_one = subject.dataset.is_of_items() && judges.len() > 1;
    let own_votes = subject.items.iter().find(|item| item.metric == MetricId::Sr);
    let panel = Panel {
        judges: judges.to_vec(),
        votes: match judges {
            several if several.len() > 1 && !is_one => several.len(),
            _ => own_votes.map_or(1, |item| item.votes),
        },
        aggregate: match kind {
            LabPanelKind::Median => Aggregate::Median,
            _ => Aggregate::Mean,
        },
        ..Panel::default()
    };
    scored_with(subject, panel, |item| {
        let words: &[PersonsWord] = match kind {
            LabPanelKind::People => &item.people,
            _ => &[],
        };
        let votes = verdicts(item, judges, words);
        match (is_one, judges.first()) {
            (true, Some(first)) => vec![verdict(first, item.metric, majority_of(&votes)); item.votes],
            _ => votes,
        }
    })
}

fn verdicts(item: &Item, judges: &[String], words: &[PersonsWord]) -> Vec<Verdict> {
    let by = |judge: &String| -> Vec<Verdict> {
        let counts = |word: &&PersonsWord| word.judge.as_ref().is_none_or(|only| only == judge);
        // The last override counts.
        match words.iter().rfind(counts) {
            Some(word) => vec![verdict(judge, item.metric, word.opinion.clone()); item.votes],
            None => item.counting(judge).to_vec(),
        }
    };
    match judges {
        [judge] => by(judge),
        [first, ..] if item.metric == MetricId::Sr => {
            judges.iter().map(|judge| verdict(first, item.metric, majority_of(&by(judge)))).collect()
        }
        several => several.iter().flat_map(by).collect(),
    }
}

fn majority_of(votes: &[Verdict]) -> Opinion {
    let yes = votes.iter().filter(|vote| match &vote.answer {
        Answer::Answered(opinion) => opinion.success == Some(true),
        Answer::Failed { .. } => false,
    });
    Opinion { success: Some(koab_core::judge::majority(yes.count(), votes.len())), ..Opinion::default() }
}

fn verdict(judge: &str, metric: MetricId, opinion: Opinion) -> Verdict {
    Verdict { judge: judge.to_owned(), metric, answer: Answer::Answered(opinion) }
}

fn scored(
    subjects: &[Subject<'_>],
    kind: LabPanelKind,
    judge: Option<&String>,
    judges: Vec<String>,
) -> LabPanel {
    let reports = reports(subjects, kind, &judges);
    let values = LabMeasure::ALL.into_iter().map(|measure| {
        let results: Vec<Result<f64, Sentence>> =
            reports.iter().map(|report| measure.value(report)).collect();
        let values: Vec<Option<f64>> = results.iter().map(|value| value.as_ref().ok().copied()).collect();
        LabPanelValues {
            measure,
            ranks: ranks(&values),
            reasons: results.into_iter().map(Result::err).collect(),
            values,
        }
    });
    LabPanel { kind, judge: judge.cloned(), reason: None, values: values.collect(), judges }
}

fn empty(kind: LabPanelKind, judge: Option<&String>, judges: Vec<String>, reason: Sentence) -> LabPanel {
    LabPanel { kind, judge: judge.cloned(), judges, reason: Some(reason), values: Vec::new() }
}

fn incomplete(subjects: &[Subject<'_>], judge: &str) -> Sentence {
    let questions = items(subjects).count();
    let answers = items(subjects).filter(|(_, item)| item.standing(judge) == Standing::Answered);
    LabReason::JudgeIncomplete {
        judge: judge.to_owned(),
        answered: answers.count().to_string(),
        questions: questions.to_string(),
    }
    .into()
}

fn composite(report: &Report, variant: CompositeVariant) -> Result<f64, Sentence> {
    report.composite(variant).composite
}

/// SR over the tasks of all levels.
fn over_tasks(report: &Report) -> Result<f64, Sentence> {
    let (mut sum, mut tasks) = (0.0, 0);
    for level in &report.levels {
        let Some(scored) = level.mean(MetricId::Sr).and_then(|mean| mean.scored) else {
            continue;
        };
        if scored > 0 || level.evaluated_tasks.is_some_and(|tasks| tasks > 0) {
            sum += report.mean(&level.level, MetricId::Sr)? * scored as f64;
            tasks += scored;
        }
    }
    if tasks == 0 {
        return Err(Reason::NoTasks {}.into());
    }
    Ok(sum / tasks as f64)
}

pub(super) fn ranks(values: &[Option<f64>]) -> Vec<Option<u32>> {
    let better = |value: f64| values.iter().flatten().filter(|other| **other > value).count();
    values.iter().map(|value| value.map(|value| better(value) as u32 + 1)).collect()
}

fn taus(panels: &[LabPanel]) -> Vec<RankAgreement> {
    let mut taus = Vec::new();
    for measure in LabMeasure::ALL {
        let of = |panel: &LabPanel| panel.values.iter().find(|one| one.measure == measure).cloned();
        for one in 0..panels.len() {
            for other in one + 1..panels.len() {
                let (Some(a), Some(b)) = (of(&panels[one]), of(&panels[other])) else {
                    continue;
                };
                let both = a.values.iter().zip(&b.values).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
                let (a, b): (Vec<f64>, Vec<f64>) = both.unzip();
                let tau = tau::kendall(&a, &b);
                taus.push(RankAgreement {
                    measure,
                    one,
                    other,
                    runs: a.len(),
                    reason: tau.as_ref().err().map(koab_core::sentence::ToSentence::to_sentence),
                    tau: tau.ok(),
                });
            }
        }
    }
    taus
}
