//! Checks that every task and metric has the score that follows from its judges' answers.

use super::evidence::Evidence;
use super::list::Objections;
use super::remedies::within;
use koab_core::judge::AnswerSchema;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_report::comparability::{FindingCode, SCORE_AGAIN, scores_left_open};
use koab_report::{Report, task_verdicts_of};

pub(super) fn check_sample(evidence: &Evidence<'_>, objections: &mut Objections) {
    let Some((path, read)) = &evidence.report else {
        return;
    };
    if let Some(count) = read.report.sample_size {
        let sentence = say!("only the first {count} tasks of each level were scored");
        let remedy = say!("score the whole run, without `--sample` and `--quick`");
        objections.blocks(FindingCode::Sampled, within(path, "summary.sample_size"), sentence, remedy);
    }
}

pub(super) fn check(evidence: &Evidence<'_>, objections: &mut Objections) {
    let Some((path, read)) = &evidence.report else {
        return;
    };
    let report = &read.report;
    judge_errors(path, report, objections);
    // The corrected rules leave some metrics without a value on purpose. Another check refuses such
    // reports.
    if report.scorer == Protocol::Leaderboard {
        unscored(path, report, !read.names_judges || !report.judges.is_empty(), objections);
    }
}

/// Objects to errors of judges. The published evaluator records such an error as the worst grade.
fn judge_errors(path: &str, report: &Report, objections: &mut Objections) {
    let (mut count, mut first) = (0, None);
    for task in report.levels.iter().flat_map(|level| &level.tasks) {
        for verdict in task_verdicts_of(report, task) {
            if let Some(why) = verdict.failure() {
                count += 1;
                first.get_or_insert_with(|| (format!("{} {}", task.id, verdict.metric), why.to_owned()));
            }
        }
    }
    if let Some((place, first)) = first {
        let sentence =
            say!("{count} answers of judges are errors that count as the worst grade, the first: {first}");
        objections.blocks(FindingCode::JudgeErrors, within(path, &place), sentence, SCORE_AGAIN);
    }
}

fn unscored(path: &str, report: &Report, is_judged: bool, objections: &mut Objections) {
    let code = FindingCode::Unscored;
    for level in &report.levels {
        let open = level.means.iter().filter(|mean| {
            let is_open = mean.unscored > 0 || mean.figure.value().is_none();
            is_open && (is_judged || AnswerSchema::for_metric(mean.metric).is_none())
        });
        let names: Vec<String> = open.clone().map(|mean| mean.metric.to_string()).collect();
        let metric = names.join(", ");
        let sentence = match open.map(|mean| mean.unscored as u32).sum() {
            0 => say!("{metric} has no value"),
            count => scores_left_open(count),
        };
        if !names.is_empty() {
            let at = within(path, &format!("{} {metric}", level.level));
            objections.blocks(code, at, sentence, SCORE_AGAIN);
        }
        let count = level.skipped.len();
        if count > 0 {
            let sentence = say!("{count} tasks could not be scored at all and are in no mean");
            let remedy = say!("look at the log of the level, then run and score the level again");
            objections.blocks(code, within(path, level.level.as_str()), sentence, remedy);
        }
    }
}
