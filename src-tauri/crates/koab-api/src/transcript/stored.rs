//! What the store keeps about a task's questions: judges' answers, whoever asked for them, and people's word instead.

use super::scores::Said;
use crate::overriding::replaced;
use koab_core::judge::{JudgeQuestion, Panel, Verdict, Verdicts, Votes};
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_store::overrides::Override;
use koab_store::verdicts::{Kept, KeptVerdict};
use std::collections::{BTreeMap, BTreeSet};

/// A question of a scorer with all that is stored about it.
pub(super) struct Asked {
    pub(super) scorer: Protocol,
    pub(super) question: JudgeQuestion,
    pub(super) kept: Vec<KeptVerdict>,
    pub(super) overrides: Vec<Override>,
}

/// The stored verdicts on one scorer's questions. `named` are the judges of the run's report; without one it is everybody
/// who answered, and who was last asked to vote on SR is the first. `votes` of the first judge are the usual ones unless
/// known otherwise.
pub(super) fn said(asked: &[&Asked], task: &str, named: Option<&[String]>, votes: Option<usize>) -> Said {
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
    Said { verdicts, panel }
}

/// The verdicts with people's word in their place, and the metrics where it changed any.
pub(super) fn overridden(asked: &[&Asked], task: &str, said: &Said) -> (Said, BTreeSet<MetricId>) {
    let (mut said, mut metrics) = (said.clone(), BTreeSet::new());
    for asked in asked {
        let metric = asked.question.metric;
        let votes = match asked.question.votes {
            Votes::FirstJudge(_) => Votes::FirstJudge(said.panel.votes),
            each => each,
        };
        // The oldest first, so that what was said last counts.
        for word in &asked.overrides {
            let now = said.verdicts.of(task, metric);
            if let Some(instead) = replaced(now, word, metric, votes, &said.panel) {
                said.verdicts.replace(task, metric, instead);
                metrics.insert(metric);
            }
        }
    }
    (said, metrics)
}

fn everybody(asked: &[&Asked]) -> Vec<String> {
    let voted = asked
        .iter()
        .filter(|asked| matches!(asked.question.votes, Votes::FirstJudge(_)));
    let voted = voted.flat_map(|asked| &asked.kept);
    let last = voted
        .max_by(|a, b| a.at.cmp(&b.at))
        .map(|kept| kept.judge.clone());
    let mut judges: Vec<String> = last.into_iter().collect();
    for kept in asked.iter().flat_map(|asked| &asked.kept) {
        if !judges.contains(&kept.judge) {
            judges.push(kept.judge.clone());
        }
    }
    judges
}

fn of_judge(asked: &Asked, judge: &str) -> Vec<Verdict> {
    votes_of(&asked.kept, judge, asked.question.metric)
}

/// What each judge answered to a question, its votes in order, as [`said`] takes them.
pub(crate) fn by_judge(kept: &[KeptVerdict], metric: MetricId) -> BTreeMap<String, Vec<Verdict>> {
    let judges: BTreeSet<&String> = kept.iter().map(|kept| &kept.judge).collect();
    let of = |judge: &String| (judge.clone(), votes_of(kept, judge, metric));
    judges.into_iter().map(of).collect()
}

/// A judge's answers to a question in the order of its votes: those to the prompts and from the server that it was asked
/// with last.
pub(crate) fn votes_of(kept: &[KeptVerdict], judge: &str, metric: MetricId) -> Vec<Verdict> {
    let by_judge = kept.iter().filter(|kept| kept.judge == judge);
    let Some(last) = by_judge.clone().max_by(|a, b| a.at.cmp(&b.at)) else {
        return Vec::new();
    };
    let (mark, _) = version(last);
    let mut votes: Vec<(u32, &KeptVerdict)> = by_judge
        .filter_map(|kept| {
            let (of, vote) = version(kept);
            (of == mark).then_some((vote, kept))
        })
        .collect();
    votes.sort_by_key(|(vote, _)| *vote);
    votes.into_iter().map(|(_, kept)| read(kept, metric)).collect()
}

/// The mark of prompts and server, and the vote.
fn version(kept: &KeptVerdict) -> (&str, u32) {
    let (mark, vote) = kept
        .prompt_version
        .rsplit_once('#')
        .unwrap_or((&kept.prompt_version, "0"));
    (mark, vote.parse().unwrap_or(0))
}

fn read(kept: &KeptVerdict, metric: MetricId) -> Verdict {
    let unreadable = || Verdict::failed(&kept.judge, metric, "the stored answer cannot be read");
    match &kept.kept {
        Kept::Failure(reason) => Verdict::failed(&kept.judge, metric, reason.as_str()),
        Kept::Damaged => unreadable(),
        Kept::Answer(value) => serde_json::from_value(value.clone()).unwrap_or_else(|_| unreadable()),
    }
}
