//! One row a rule: what the second of two like runs has otherwise, and the verdict that follows.

use crate::comparability::examples::{calls, change, published_like, summary};
use crate::comparability::*;
use koab_core::protocol::Protocol;

type Row = (&'static str, fn(&mut Facts), Grade, Aspect, &'static str);

#[test]
fn two_like_runs_are_comparable_however_odd_they_are() {
    let odd = || {
        let mut facts = published_like();
        change(&mut facts.settings, |settings| {
            settings.run.protocol = Protocol::Corrected;
            settings.run.max_steps = 30;
        });
        facts.tasks_sha256 = Fact::known("2".repeat(64));
        change(&mut facts.tasks, |levels| levels.truncate(1));
        facts
    };
    assert_eq!(summary(&between(&odd(), &odd())), "Comparable");
}

#[test]
fn a_seed_and_the_model_part_nothing() {
    let mut other = published_like();
    other.model = "lab/other".to_owned();
    change(&mut other.settings, |settings| settings.run.seed = Some(7));
    assert_eq!(summary(&between(&published_like(), &other)), "Comparable");
}

#[test]
fn what_differs_is_named_and_weighed() {
    use Aspect::{Coverage, Judges, Protocol as Rules, Recordings, Scorer, Settings, Tasks, Tools};
    use Grade::{Limited, NotComparable};
    fn scoring(facts: &mut Facts) -> &mut Scoring {
        facts.scoring.as_mut().unwrap()
    }
    let rows: &[Row] = &[
        (
            "scorer",
            |f| scoring(f).scorer = Protocol::Corrected,
            NotComparable,
            Scorer,
            "they are scored by different rules: leaderboard, corrected",
        ),
        (
            "protocol",
            |f| change(&mut f.settings, |s| s.run.protocol = Protocol::Corrected),
            NotComparable,
            Rules,
            "they were run under different protocols: leaderboard, corrected",
        ),
        (
            "tasks",
            |f| {
                f.tasks_sha256 = Fact::known("3".repeat(64));
                f.pack = Fact::known(PackName::read("mine@2"));
            },
            NotComparable,
            Tasks,
            "their tasks are not the same: packs ko-agentbench@1174fed (9c99dff2), mine@2 (33333333)",
        ),
        (
            "tool texts",
            |f| {
                change(&mut f.tools, |tools| {
                    tools.insert("WebSearch_daum".to_owned(), "4".repeat(64));
                })
            },
            NotComparable,
            Tools,
            "their tools are not described the same: WebSearch_daum",
        ),
        (
            "tool texts unknown",
            |f| f.tools = Fact::unknown("nobody said"),
            Limited,
            Tools,
            "whether the texts of the tools are the published ones is not known: nobody said",
        ),
        (
            "steps",
            |f| change(&mut f.settings, |s| s.run.max_steps = 5),
            NotComparable,
            Settings,
            "they were started differently: --max-steps 10, --max-steps 5",
        ),
        (
            "rollout",
            |f| change(&mut f.settings, |s| s.run.full_rollout = true),
            NotComparable,
            Settings,
            "they were started differently: no --full-rollout, --full-rollout",
        ),
        (
            "temperature",
            |f| change(&mut f.settings, |s| s.run.temperature = 0.0),
            Limited,
            Settings,
            "they were started differently: --temperature 0.7, --temperature 0",
        ),
        (
            "effort",
            |f| change(&mut f.settings, |s| s.run.effort = Some("high".to_owned())),
            Limited,
            Settings,
            "they were started differently: --effort -, --effort high",
        ),
        (
            "settings unknown",
            |f| f.settings = Fact::unknown("nobody said"),
            Limited,
            Settings,
            "how the run was started (protocol, steps, time, sampling) is not known: nobody said",
        ),
        ("records", |f| f.records_sha256 = Fact::known("5".repeat(64)), Limited, Recordings, RECORDINGS),
        (
            "snapshot",
            |f| {
                f.cache = Fact::known(RecordingsUsed {
                    source: RecordingsFrom::Snapshot,
                    snapshot: Some("may".to_owned()),
                    sha256: Some("5".repeat(64)),
                })
            },
            Limited,
            Recordings,
            RECORDINGS,
        ),
        (
            "misses",
            |f| f.calls = Fact::known(calls(91, 9, 99, 9)),
            Limited,
            Recordings,
            "cache misses affected them unequally: 0.0 % and 9.9 % of their attempts",
        ),
        (
            "many misses",
            |f| f.calls = Fact::known(calls(91, 40, 99, 60)),
            NotComparable,
            Recordings,
            "cache misses affected them unequally: 0.0 % and 44.0 % of their attempts",
        ),
        (
            "levels",
            |f| change(&mut f.tasks, |levels| levels.truncate(2)),
            Limited,
            Coverage,
            "they have different levels: L1, L2, L3, L4, L5, L6, L7; L1, L2",
        ),
        (
            "tasks of a level",
            |f| change(&mut f.tasks, |levels| levels[1].ids[0] = "L2-999".to_owned()),
            NotComparable,
            Coverage,
            "they have different tasks of L2",
        ),
        (
            "judges",
            |f| scoring(f).judges = Fact::known(Vec::new()),
            Limited,
            Judges,
            "they have different judges: azure/gpt-4.1-mini; no judge at all",
        ),
        (
            "votes",
            |f| scoring(f).votes = 1,
            Limited,
            Judges,
            "their success judges gave different numbers of votes: 3, 1",
        ),
        (
            "judges unknown",
            |f| scoring(f).judges = Fact::unknown("nobody said"),
            Limited,
            Judges,
            "the judges are not known: nobody said",
        ),
        (
            "scores open",
            |f| scoring(f).unscored = 2,
            Limited,
            Judges,
            "2 scores of tasks lack a judge's answer",
        ),
    ];
    for (name, change_it, grade, aspect, reason) in rows {
        let (one, mut other) = (published_like(), published_like());
        change_it(&mut other);
        let reason = reason.replace("RECORDS", &crate::comparability::PUBLISHED_RECORDS[..12]);
        let wanted = format!("{grade:?}\n{aspect:?} {grade:?}: {reason}");
        assert_eq!(summary(&between(&one, &other)), wanted, "{name}");
    }
}

const RECORDINGS: &str = "their calls were answered from different caches: RECORDS, 555555555555";

/// Grades of several judges are combined only where there are several.
#[test]
fn how_grades_are_combined_matters_from_two_judges_on() {
    let with = |judges: &[&str], how: &str| {
        let mut facts = published_like();
        let scoring = facts.scoring.as_mut().unwrap();
        scoring.judges = Fact::known(judges.iter().map(|judge| (*judge).to_owned()).collect());
        scoring.aggregate = how.to_owned();
        facts
    };
    let one = between(&with(&["a/b"], "mean"), &with(&["a/b"], "median"));
    assert_eq!(summary(&one), "Comparable");
    let two = between(&with(&["a/b", "c/d"], "mean"), &with(&["a/b", "c/d"], "median"));
    assert_eq!(
        summary(&two),
        "Limited\nJudges Limited: grades of several judges were combined differently: mean, median"
    );
}

#[test]
fn judges_of_one_name_at_two_addresses_are_a_limit_where_both_were_written_down() {
    let at = |address: Option<&str>| {
        let mut facts = published_like();
        facts.scoring.as_mut().unwrap().judges_at = address.map(str::to_owned);
        facts
    };
    let (near, far) = (Some("http://near.test/v1"), Some("http://far.test/v1"));
    for (one, other) in [(None, None), (near, None), (None, far), (near, near)] {
        assert_eq!(summary(&between(&at(one), &at(other))), "Comparable");
        assert_eq!(judges_differ(&at(one), &at(other)), None);
    }
    let said = "their judges answered at different addresses: http://near.test/v1; http://far.test/v1";
    assert_eq!(summary(&between(&at(near), &at(far))), format!("Limited\nJudges Limited: {said}"));
    let differ = judges_differ(&at(near), &at(far)).map(|said| said.to_string());
    assert_eq!(differ.as_deref(), Some(said));
}

/// Both lost as much, and yet more than half of what is compared are gaps.
#[test]
fn runs_that_are_mostly_gaps_are_limited_even_with_each_other() {
    let gaps = || Facts { calls: Fact::known(calls(91, 60, 20, 80)), ..published_like() };
    assert_eq!(between(&gaps(), &gaps()).grade, Grade::Limited);
}

#[test]
fn answers_of_real_services_at_two_times_are_a_limit() {
    let live = || {
        let mut facts = published_like();
        change(&mut facts.calls, |calls| calls.levels[0].live = 3);
        facts
    };
    assert_eq!(
        summary(&between(&live(), &live())),
        "Limited\nRecordings Limited: both had calls answered by live APIs, each at its own time"
    );
}
