//! Verdicts as a bundle holds them: each with the hash of the question that it answers.

use super::check::{CheckName, Findings};
use super::contents::Contents;
use super::names;
use super::said::Said;
use crate::judge::{Answer, JudgeQuestion, Verdict, Verdicts, Votes};
use crate::level::Level;
use crate::report::Report;
use crate::score::{MetricId, Scorer};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A line of `verdicts/<scorer>.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictLine {
    /// Level of the task.
    pub level: Level,
    /// The task.
    pub task: String,
    /// The metric that asked.
    pub metric: MetricId,
    /// SHA-256 of the question ([`JudgeQuestion::hash`]).
    pub question: String,
    /// The judge's model id.
    pub judge: String,
    /// 1-based vote of the judge on this question.
    pub vote: usize,
    /// The answer, or why there is none.
    pub answer: Answer,
}

/// The verdicts on these questions as lines, in the questions' order.
pub(super) fn of_report(questions: &[JudgeQuestion], verdicts: &Verdicts) -> Vec<VerdictLine> {
    let mut lines = Vec::new();
    for question in questions {
        let hash = question.hash();
        let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
        for verdict in verdicts.of(&question.task_id, question.metric) {
            let vote = votes.entry(&verdict.judge).or_default();
            *vote += 1;
            lines.push(VerdictLine {
                level: question.level,
                task: question.task_id.clone(),
                metric: question.metric,
                question: hash.clone(),
                judge: verdict.judge.clone(),
                vote: *vote,
                answer: verdict.answer.clone(),
            });
        }
    }
    lines
}

/// The verdicts of a scorer that belong to the questions of its report; every line that does not is a failure.
pub(super) fn check(
    contents: &Contents,
    scorer: Scorer,
    report: &Report,
    questions: &[JudgeQuestion],
    findings: &mut Findings,
) -> Verdicts {
    let place = names::verdicts(scorer);
    let mut verdicts = Verdicts::none();
    let none = Vec::new();
    let lines = contents.verdicts.get(&scorer).unwrap_or(&none);
    if lines.is_empty() && report.judges.is_empty() {
        findings.open(CheckName::Verdicts, place, Said::VerdictsNone {});
        return verdicts;
    }
    let asked: BTreeMap<(&str, MetricId), (&JudgeQuestion, String)> = questions
        .iter()
        .map(|question| {
            (
                (question.task_id.as_str(), question.metric),
                (question, question.hash()),
            )
        })
        .collect();
    let before = findings.failures();
    let mut seen = BTreeSet::new();
    for (number, line) in lines {
        match fits(line, *number, report, &asked, &mut seen) {
            Ok(()) => verdicts.add(
                &line.task,
                Verdict {
                    judge: line.judge.clone(),
                    metric: line.metric,
                    answer: line.answer.clone(),
                },
            ),
            Err(said) => findings.failed(CheckName::Verdicts, &place, said),
        }
    }
    if findings.failures() == before {
        let said = Said::VerdictsHeld {
            verdicts: lines.len().to_string(),
            questions: asked.len().to_string(),
        };
        findings.held(CheckName::Verdicts, place, said);
    }
    verdicts
}

fn fits<'a>(
    verdict: &'a VerdictLine,
    number: usize,
    report: &Report,
    asked: &BTreeMap<(&str, MetricId), (&JudgeQuestion, String)>,
    seen: &mut BTreeSet<(&'a str, MetricId, &'a str, usize)>,
) -> Result<(), Said> {
    let line = number.to_string();
    let (task, metric) = (verdict.task.clone(), verdict.metric.to_string());
    let Some((question, hash)) = asked.get(&(verdict.task.as_str(), verdict.metric)) else {
        return Err(Said::VerdictNoQuestion { line, task, metric });
    };
    if verdict.question != *hash {
        return Err(Said::VerdictOther { line, task, metric });
    }
    if verdict.level != question.level {
        return Err(Said::VerdictLevel { line, task });
    }
    if !report.judges.contains(&verdict.judge) {
        let judge = verdict.judge.clone();
        return Err(Said::VerdictStranger { line, judge });
    }
    let most = match question.votes {
        Votes::FirstJudge(votes) => votes.max(1),
        Votes::EachJudge => 1,
    };
    let key = (
        verdict.task.as_str(),
        verdict.metric,
        verdict.judge.as_str(),
        verdict.vote,
    );
    if verdict.vote == 0 || verdict.vote > most || !seen.insert(key) {
        return Err(Said::VerdictVote { line });
    }
    Ok(())
}

/// Verdict files without a report.
pub(super) fn check_strays(contents: &Contents, findings: &mut Findings) {
    for scorer in contents.verdicts.keys() {
        if !contents.reports.contains_key(scorer) {
            let place = names::verdicts(*scorer);
            findings.failed(CheckName::Verdicts, place, Said::VerdictsNoReport {});
        }
    }
}
