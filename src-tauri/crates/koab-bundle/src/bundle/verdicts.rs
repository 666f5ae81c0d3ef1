//! Verdicts in a bundle, each with the hash of the question that it answers.

use super::check::{CheckName, Findings};
use super::contents::Contents;
use super::names;
use super::verdict_line::VerdictLine;
use koab_core::judge::{JudgeQuestion, Verdicts, Votes};
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::Report;
use std::collections::{BTreeMap, BTreeSet};

/// Verdicts on these questions as lines of a bundle, in the order of the questions.
pub(super) fn of_report(questions: &[JudgeQuestion], verdicts: &Verdicts) -> Vec<VerdictLine> {
    let mut lines = Vec::new();
    for question in questions {
        let hash = question.hash();
        let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
        for verdict in verdicts.about(&question.task_id, question.metric) {
            let vote = votes.entry(&verdict.judge).or_default();
            *vote += 1;
            lines.push(VerdictLine {
                level: question.level.clone(),
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

/// Verdicts that these lines contain.
pub fn of_lines<'a>(lines: impl IntoIterator<Item = &'a VerdictLine>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    for line in lines {
        verdicts.add(&line.task, line.verdict());
    }
    verdicts
}

/// Returns the verdicts that belong to the questions of a scorer's report. Each other line of the
/// verdict file is a failure.
pub(super) fn check(
    contents: &Contents,
    scorer: Protocol,
    report: &Report,
    questions: &[JudgeQuestion],
    findings: &mut Findings,
) -> Verdicts {
    let place = names::verdicts(scorer);
    let mut verdicts = Verdicts::none();
    let none = Vec::new();
    let lines = contents.verdicts.get(&scorer).unwrap_or(&none);
    if lines.is_empty() && report.judges.is_empty() {
        let sentence = say!("the report has no judges, so there is no verdict to check");
        findings.open(CheckName::Verdicts, place, sentence);
        return verdicts;
    }
    let expected: BTreeMap<(&str, MetricId), (&JudgeQuestion, String)> = questions
        .iter()
        .map(|question| ((question.task_id.as_str(), question.metric), (question, question.hash())))
        .collect();
    let before = findings.failures();
    let mut votes = BTreeSet::new();
    for (number, line) in lines {
        match fits(line, *number, report, &expected, &mut votes) {
            Ok(()) => verdicts.add(&line.task, line.verdict()),
            Err(sentence) => findings.failed(CheckName::Verdicts, &place, sentence),
        }
    }
    let sentence = say!(
        "{verdicts} verdicts answer the {questions} questions that the logs and the prompts give",
        verdicts = lines.len(),
        questions = expected.len()
    );
    findings.held_since(before, CheckName::Verdicts, place, sentence);
    verdicts
}

fn fits<'a>(
    verdict: &'a VerdictLine,
    line: usize,
    report: &Report,
    expected: &BTreeMap<(&str, MetricId), (&JudgeQuestion, String)>,
    votes: &mut BTreeSet<(&'a str, MetricId, &'a str, usize)>,
) -> Result<(), Sentence> {
    let (task, metric) = (&verdict.task, verdict.metric);
    let Some((question, hash)) = expected.get(&(verdict.task.as_str(), verdict.metric)) else {
        return Err(say!(
            "line {line} answers a question on {task} for {metric}, which this run does not ask"
        ));
    };
    if verdict.question != *hash {
        return Err(say!(
            "line {line} is the verdict on another question than the one that the log and the prompts give for {task}, {metric}"
        ));
    }
    if verdict.level != question.level {
        return Err(say!("line {line} puts the task {task} into another level"));
    }
    if !report.judges.contains(&verdict.judge) {
        let judge = verdict.judge.clone();
        return Err(say!("line {line} is by {judge}, who is not a judge of the report"));
    }
    let most = match question.votes {
        Votes::FirstJudge(count) => count.max(1),
        Votes::EachJudge => 1,
    };
    let key = (verdict.task.as_str(), verdict.metric, verdict.judge.as_str(), verdict.vote);
    if verdict.vote == 0 || verdict.vote > most || !votes.insert(key) {
        return Err(say!("line {line} is a vote that was given before, or one more than are asked for"));
    }
    Ok(())
}

/// Refuses verdict files that belong to no report in the bundle.
pub(super) fn check_strays(contents: &Contents, findings: &mut Findings) {
    for scorer in contents.verdicts.keys() {
        if !contents.reports.contains_key(scorer) {
            let place = names::verdicts(*scorer);
            let sentence = say!("holds verdicts for a report that the bundle does not hold");
            findings.failed(CheckName::Verdicts, place, sentence);
        }
    }
}
