//! The stored data about the questions on a task: the answers of judges, and human overrides.

use super::scores::PanelVerdicts;
use crate::people::replaced;
use koab_core::judge::{JudgeQuestion, Panel, Verdict, Verdicts, Votes};
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_store::overrides::Override;
use koab_store::verdicts::{StoredAnswer, VerdictRow};
use std::collections::{BTreeMap, BTreeSet};

/// A question of a scorer with its stored answers and overrides.
pub(super) struct StoredQuestion {
    pub(super) scorer: Protocol,
    pub(super) question: JudgeQuestion,
    pub(super) kept: Vec<VerdictRow>,
    pub(super) overrides: Vec<Override>,
}

/// Returns the stored verdicts on the questions of one scorer.
///
/// `named` are the judges of the run's report. Without it, all judges with an answer count, and the
/// first judge is the one with the latest vote on SR. `votes` is the number of the first judge's
/// votes, if it is known.
pub(super) fn panel_verdicts(
    asked: &[&StoredQuestion],
    task: &str,
    named: Option<&[String]>,
    votes: Option<usize>,
) -> PanelVerdicts {
    let usual = Panel::default();
    let panel = Panel {
        judges: named.map_or_else(|| everybody(asked), <[String]>::to_vec),
        votes: votes.unwrap_or(usual.votes),
        ..usual
    };
    let mut verdicts = Verdicts::none();
    for asked in asked {
        for judge in &panel.judges {
            for verdict in of_judge(asked, judge) {
                verdicts.add(task, verdict);
            }
        }
    }
    PanelVerdicts { verdicts, panel }
}

/// Applies human overrides to verdicts. Also returns the metrics that overrides changed.
pub(super) fn overridden(
    asked: &[&StoredQuestion],
    task: &str,
    judged: &PanelVerdicts,
) -> (PanelVerdicts, BTreeSet<MetricId>) {
    let (mut replaced_verdicts, mut metrics) = (judged.clone(), BTreeSet::new());
    for asked in asked {
        let metric = asked.question.metric;
        let votes = match asked.question.votes {
            Votes::FirstJudge(_) => Votes::FirstJudge(replaced_verdicts.panel.votes),
            each => each,
        };
        // The oldest first, so that the latest override counts.
        for word in &asked.overrides {
            let now = replaced_verdicts.verdicts.about(task, metric);
            if let Some(instead) = replaced(now, word, metric, votes, &replaced_verdicts.panel) {
                replaced_verdicts.verdicts.replace(task, metric, instead);
                metrics.insert(metric);
            }
        }
    }
    (replaced_verdicts, metrics)
}

fn everybody(asked: &[&StoredQuestion]) -> Vec<String> {
    let voted = asked.iter().filter(|asked| matches!(asked.question.votes, Votes::FirstJudge(_)));
    let voted = voted.flat_map(|asked| &asked.kept);
    let last = voted.max_by(|a, b| a.at.cmp(&b.at)).map(|kept| kept.judge.clone());
    let mut judges: Vec<String> = last.into_iter().collect();
    for kept in asked.iter().flat_map(|asked| &asked.kept) {
        if !judges.contains(&kept.judge) {
            judges.push(kept.judge.clone());
        }
    }
    judges
}

fn of_judge(asked: &StoredQuestion, judge: &str) -> Vec<Verdict> {
    votes_of(&asked.kept, judge, asked.question.metric)
}

/// Returns the answers to a question by judge. Each judge's votes are in order.
pub fn by_judge(kept: &[VerdictRow], metric: MetricId) -> BTreeMap<String, Vec<Verdict>> {
    let judges: BTreeSet<&String> = kept.iter().map(|kept| &kept.judge).collect();
    let of = |judge: &String| (judge.clone(), votes_of(kept, judge, metric));
    judges.into_iter().map(of).collect()
}

/// Returns the answers of a judge to a question, in the order of the votes. Only answers with the
/// latest prompts and server count.
pub fn votes_of(kept: &[VerdictRow], judge: &str, metric: MetricId) -> Vec<Verdict> {
    let by_judge = kept.iter().filter(|kept| kept.judge == judge);
    let Some(last) = by_judge.clone().max_by(|a, b| a.at.cmp(&b.at)) else {
        return Vec::new();
    };
    let (mark, _) = last.version();
    let mut votes: Vec<(usize, &VerdictRow)> = by_judge
        .filter_map(|kept| {
            let (of, vote) = kept.version();
            (of == mark).then_some((vote, kept))
        })
        .collect();
    votes.sort_by_key(|(vote, _)| *vote);
    votes.into_iter().map(|(_, kept)| read(kept, metric)).collect()
}

fn read(kept: &VerdictRow, metric: MetricId) -> Verdict {
    let unreadable = || Verdict::failed(&kept.judge, metric, say!("the stored answer cannot be read"));
    match &kept.kept {
        StoredAnswer::Failure(reason) => Verdict::failed(&kept.judge, metric, reason.clone()),
        StoredAnswer::Damaged => unreadable(),
        StoredAnswer::Answer(value) => serde_json::from_value(value.clone())
            .map_or_else(|_| unreadable(), |verdict| Verdict { judge: kept.judge.clone(), ..verdict }),
    }
}
