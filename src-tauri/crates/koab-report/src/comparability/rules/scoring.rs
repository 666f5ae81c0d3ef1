//! Rules on scoring and judges.

use super::rule::{Departure, Method, Rule, Topic, known, when};
use crate::comparability::{
    Aspect, Conditions, Facts, FindingCode, Grade, JUDGE_ALIKE, PUBLISHED_JUDGE, SCORE_AGAIN,
    SCORE_WITH_PUBLISHED_JUDGE,
};
use koab_core::judge::family;
use koab_core::sentence::Sentence;
use koab_core::{say, text};

pub(super) const SCORER: Topic = Topic {
    aspect: Aspect::Scorer,
    place: "scoring",
    // Runs that are not scored have no scores that could differ.
    known: |facts| facts.scoring.as_ref().map(|_| Ok(())),
    unknown: |reason| reason,
    mend: SCORE_WITH_PUBLISHED_JUDGE,
    rules: &[Rule {
        code: FindingCode::OtherScorer,
        place: "scoring.scorer",
        method: Method::Text {
            grade: Grade::NotComparable,
            text: scorer,
            departs: |_| {
                let reason = say!(
                    "the report follows the corrected rules of scoring, whose numbers mean other things than the leaderboard's"
                );
                Some([reason, say!("score the run with `--scorer leaderboard`")])
            },
            differ: |one, other| {
                let [one, other] = [one, other].map(|side| scorer(side).unwrap_or_default());
                say!("they are scored by different rules: {one}, {other}")
            },
            alike: text!("score both by the same rules; no model is run again for that"),
        },
    }],
    first_decides: false,
};

pub(super) const JUDGES: Topic = Topic {
    aspect: Aspect::Judges,
    place: "scoring.judges",
    known: |facts| known(&facts.scoring.as_ref()?.judges),
    unknown: |reason| say!("the judges are not known: {reason}"),
    mend: SCORE_WITH_PUBLISHED_JUDGE,
    rules: &[
        rule(
            FindingCode::OtherJudges,
            "scoring.judges",
            Method::Text {
                grade: Grade::Limited,
                text: |facts| Some(facts.scoring.as_ref()?.judges.value.as_ref()?.join(", ")),
                departs: other_judges,
                differ: |one, other| {
                    let [one, other] = [one, other].map(named);
                    say!("they have different judges: {one}; {other}")
                },
                alike: JUDGE_ALIKE,
            },
        ),
        JUDGES_AT,
        Rule::alone(FindingCode::NoJudge, "scoring.judges", no_judge),
        Rule::alone(FindingCode::SameJudge, "scoring.judges", judge_elsewhere),
        rule(
            FindingCode::OtherVotes,
            "scoring.votes",
            Method::Text {
                grade: Grade::Limited,
                text: votes,
                departs: |facts| {
                    let votes = votes(facts)?;
                    let reason = say!("the success judge gave {votes} votes a task instead of 3");
                    Some([reason, say!("score with `--judge-votes 3`")])
                },
                differ: |one, other| {
                    let [one, other] = [one, other].map(|side| votes(side).unwrap_or_default());
                    say!("their success judges gave different numbers of votes: {one}, {other}")
                },
                alike: JUDGE_ALIKE,
            },
        ),
        rule(
            FindingCode::OtherAggregate,
            "scoring.aggregate",
            Method::Text {
                grade: Grade::Limited,
                text: aggregate,
                // The published runs have a single judge.
                departs: |_| None,
                differ: |one, other| {
                    let [one, other] = [one, other].map(|side| aggregate(side).unwrap_or_default());
                    say!("grades of several judges were combined differently: {one}, {other}")
                },
                alike: JUDGE_ALIKE,
            },
        ),
        rule(
            FindingCode::Unscored,
            "scoring.unscored",
            Method::Measure {
                grade: Conditions::grade_of_unscored,
                departs: |facts| {
                    let count = unscored(facts);
                    when(count > 0, Grade::Limited, || scores_left_open(count), SCORE_AGAIN)
                },
                differ: |one, other| {
                    let count = unscored(one).max(unscored(other));
                    scores_left_open(count)
                },
                alike: SCORE_AGAIN,
            },
        ),
        Rule::alone(FindingCode::OwnFamily, "scoring.judges", own_family),
    ],
    first_decides: true,
};

/// Rule for judges that have the same names but different base URLs.
pub(super) const JUDGES_AT: Rule = rule(
    FindingCode::OtherJudges,
    "scoring.judges_at",
    Method::Measure {
        grade: Conditions::grade_of_judges_at,
        departs: |_| Vec::new(),
        differ: |one, other| {
            let [one, other] = [one, other].map(|side| judges_at(side).unwrap_or_default());
            say!("their judges answered at different addresses: {one}; {other}")
        },
        alike: JUDGE_ALIKE,
    },
);

const fn rule(code: FindingCode, place: &'static str, method: Method) -> Rule {
    Rule { code, place, method }
}

fn scorer(facts: &Facts) -> Option<String> {
    Some(facts.scoring.as_ref()?.scorer.to_string())
}

fn judges(facts: &Facts) -> &[String] {
    let judges = facts.scoring.as_ref().and_then(|scoring| scoring.judges.value.as_ref());
    judges.map_or(&[], Vec::as_slice)
}

fn judges_at(facts: &Facts) -> Option<&str> {
    facts.scoring.as_ref()?.judges_at.as_deref()
}

/// Whether the base URLs of the judges are known on both sides and differ.
pub(super) fn are_at_different_addresses(one: &Facts, other: &Facts) -> bool {
    let both = judges_at(one).zip(judges_at(other));
    both.is_some_and(|(one, other)| one != other)
}

fn named(facts: &Facts) -> Sentence {
    match judges(facts) {
        [] => say!("no judge at all"),
        judges => judges.join(", ").into(),
    }
}

fn votes(facts: &Facts) -> Option<String> {
    let is_judged = !judges(facts).is_empty();
    let scoring = facts.scoring.as_ref().filter(|_| is_judged)?;
    Some(scoring.votes.to_string())
}

fn aggregate(facts: &Facts) -> Option<String> {
    let are_several = judges(facts).len() > 1;
    let scoring = facts.scoring.as_ref().filter(|_| are_several)?;
    Some(scoring.aggregate.clone())
}

/// Number of scores that are missing because of judges; 0 without judges.
pub(in crate::comparability) fn unscored(facts: &Facts) -> u32 {
    let is_judged = !judges(facts).is_empty();
    let scoring = facts.scoring.as_ref().filter(|_| is_judged);
    scoring.map_or(0, |scoring| scoring.unscored)
}

/// Sentence about scores that are missing because of judges.
pub fn scores_left_open(count: u32) -> Sentence {
    say!("{count} scores of tasks lack a judge's answer")
}

fn other_judges(facts: &Facts) -> Option<[Sentence; 2]> {
    let judges = match judges(facts) {
        [] => return None,
        [judge] if is_published_judge(judge) => return None,
        judges => judges.join(", "),
    };
    let reason = say!("the judges are {judges}, the leaderboard's is azure/gpt-4.1-mini alone");
    Some([reason, SCORE_WITH_PUBLISHED_JUDGE.into()])
}

fn no_judge(facts: &Facts) -> Vec<Departure> {
    let reason = || say!("no judge was asked, so the judged metrics and the composite score have no value");
    when(judges(facts).is_empty(), Grade::Limited, reason, SCORE_WITH_PUBLISHED_JUDGE)
}

fn judge_elsewhere(facts: &Facts) -> Vec<Departure> {
    match judges(facts) {
        [judge] if judge != PUBLISHED_JUDGE && is_published_judge(judge) => {
            let reason = say!("the judge {judge} is the leaderboard's model at another host");
            vec![(Grade::Comparable, [reason, Sentence::EMPTY])]
        }
        _ => Vec::new(),
    }
}

/// Notes on judges that grade a model of their own maker. They have no weight, since the
/// leaderboard also has such judges for the models of `OpenAI`.
fn own_family(facts: &Facts) -> Vec<Departure> {
    let Some(maker) = family(&facts.model) else {
        return Vec::new();
    };
    let own = judges(facts).iter().filter(|judge| family(judge) == Some(maker));
    own.map(|judge| {
        let reason = say!("the judge {judge} grades a model of its own vendor ({maker})");
        (Grade::Comparable, [reason, Sentence::EMPTY])
    })
    .collect()
}

/// Whether the judge is the leaderboard's model, on any host and with or without a date in its
/// name.
fn is_published_judge(judge: &str) -> bool {
    let model = |id: &str| id.rsplit('/').next().unwrap_or_default().to_lowercase();
    let (judge, published) = (model(judge), model(PUBLISHED_JUDGE));
    judge == published || judge.strip_prefix(&published).is_some_and(|rest| rest.starts_with("-20"))
}
