//! How the run was scored.

use super::evidence::Evidence;
use super::{ObjectionCode, Objections, Told, within};
use crate::comparability::{PUBLISHED_JUDGE, Said, is_published_judge};
use crate::report::{ReadReport, Report, task_verdicts_of};
use crate::score::{MetricId, Scorer};

pub(super) fn check(evidence: &Evidence<'_>, found: &mut Objections) {
    let Some((path, read)) = &evidence.report else {
        return;
    };
    let report = &read.report;
    if report.scorer != Scorer::Leaderboard {
        found.blocks(
            ObjectionCode::OtherScorer,
            within(path, "summary.scorer"),
            Said::CorrectedScorer {},
            Said::ScoreAsPublished {},
        );
    }
    if let Some(count) = report.sample_size {
        let said = Told::Sampled {
            count: count.to_string(),
        };
        let at = within(path, "summary.sample_size");
        found.blocks(ObjectionCode::Sampled, at, said, Told::ScoreAll {});
    }
    let is_judged = judges(path, read, found);
    judge_errors(path, report, found);
    // The corrected rules leave some metrics without a value on purpose, and are refused as they are.
    if report.scorer == Scorer::Leaderboard {
        unscored(path, report, is_judged, found);
    }
}

/// Whether anybody judged.
fn judges(path: &str, read: &ReadReport, found: &mut Objections) -> bool {
    let at = within(path, "summary.judge_model");
    if !read.names_judges {
        let said = Said::JudgesUnknown {
            reason: Said::FileNamesNoJudge {}.to_string(),
        };
        found.asked(
            ObjectionCode::NotKnown,
            at,
            said,
            Said::ScoreWithPublishedJudge {},
        );
        return true;
    }
    match read.report.judges.as_slice() {
        [] => {
            found.blocks(
                ObjectionCode::NoJudge,
                at,
                Said::NoJudge {},
                Said::ScoreWithPublishedJudge {},
            );
            return false;
        }
        [judge] if judge == PUBLISHED_JUDGE || is_published_judge(judge) => {}
        // A row whose judged columns are another judge's says nothing beside the others, and mending it needs no new run.
        judges => {
            let said = Said::OtherJudges {
                judges: judges.join(", "),
            };
            found.blocks(
                ObjectionCode::OtherJudges,
                at,
                said,
                Said::ScoreWithPublishedJudge {},
            );
        }
    }
    if read.report.votes != 3 {
        let said = Said::OtherVotes {
            votes: read.report.votes.to_string(),
        };
        let at = within(path, "summary.judge_votes");
        found.asked(ObjectionCode::OtherVotes, at, said, Said::ScoreWithVotes {});
    }
    true
}

/// The published evaluator writes an error of a judge down as the worst grade.
fn judge_errors(path: &str, report: &Report, found: &mut Objections) {
    let (mut count, mut first) = (0, None);
    for task in report.levels.iter().flat_map(|level| &level.tasks) {
        for verdict in task_verdicts_of(report, task) {
            if let Some(why) = verdict.failure() {
                count += 1;
                first.get_or_insert_with(|| (task.id.clone(), verdict.metric, why.to_owned()));
            }
        }
    }
    if let Some((task, metric, why)) = first {
        let said = Told::JudgeFailed {
            count: count.to_string(),
            first: why,
        };
        let at = within(path, &format!("{task} {metric}"));
        found.blocks(ObjectionCode::JudgeErrors, at, said, Said::ScoreAgain {});
    }
}

fn unscored(path: &str, report: &Report, is_judged: bool, found: &mut Objections) {
    let code = ObjectionCode::Unscored;
    for level in &report.levels {
        let wanting = level.means.iter().filter(|mean| {
            let is_open = mean.unscored > 0 || mean.value.is_none();
            is_open && (is_judged || !asks_judges(mean.metric))
        });
        let names: Vec<String> = wanting.clone().map(|mean| mean.metric.to_string()).collect();
        let open: usize = wanting.map(|mean| mean.unscored).sum();
        if !names.is_empty() {
            let at = within(path, &format!("{} {}", level.level, names.join(", ")));
            if open > 0 {
                let said = Said::Unscored {
                    count: open.to_string(),
                };
                found.blocks(code, at, said, Said::ScoreAgain {});
            } else {
                let said = Told::NoScorerLog {
                    metric: names.join(", "),
                };
                found.blocks(code, at, said, Said::ScoreAgain {});
            }
        }
        if !level.skipped.is_empty() {
            let said = Told::SkippedTasks {
                count: level.skipped.len().to_string(),
            };
            let at = within(path, level.level.as_str());
            found.blocks(code, at, said, Told::LookAtLog {});
        }
    }
}

fn asks_judges(metric: MetricId) -> bool {
    crate::judge::AnswerSchema::of(metric).is_some()
}
