//! One row a rule: what is changed of a run as the leaderboard's were made, and the verdict that follows.

use crate::comparability::examples::{calls, change, published_like, summary};
use crate::comparability::*;
use koab_core::protocol::Protocol;
use koab_core::run_record::{ChangeRecord, RunChange};

type Row = (&'static str, fn(&mut Facts), Grade, Aspect, &'static str);

const UNKNOWN: &str = "nobody said";

fn changed(change: RunChange) -> ChangeRecord {
    ChangeRecord { at_ms: 5, done: 40, change }
}

#[test]
fn more_at_once_and_another_budget_have_no_weight() {
    let mut facts = published_like();
    facts.changes = vec![
        changed(RunChange::Concurrency { to: 2, from: Some(8) }),
        changed(RunChange::MaxCost { to: Some(5.0), from: None }),
    ];
    assert_eq!(summary(&with_leaderboard(&facts)), "Comparable");
    let csv = to_csv(&Comparability::from_facts(facts), koab_core::sentence::Language::ENGLISH);
    let row = "fact,changes,attempts at the same time: 8 → 2 (after 40 attempts); budget in USD: none → 5 (after 40 attempts)";
    assert!(csv.contains(row), "{csv}");
}

#[test]
fn a_run_as_the_leaderboard_was_made_is_comparable() {
    assert_eq!(summary(&with_leaderboard(&published_like())), "Comparable");
    let mut unscored = published_like();
    unscored.scoring = None;
    assert_eq!(summary(&with_leaderboard(&unscored)), "Comparable", "a run alone");
}

#[test]
fn what_departs_is_named_and_weighed() {
    use Aspect::{
        Attempts as Made, Coverage, Judges, Protocol as Rules, Recordings, Scorer, Settings, Tasks, Tools,
    };
    use Grade::{Comparable, Limited, NotComparable};
    fn set(change_it: impl FnOnce(&mut SettingsFacts), facts: &mut Facts) {
        change(&mut facts.settings, change_it);
    }
    fn scoring(facts: &mut Facts) -> &mut Scoring {
        facts.scoring.as_mut().unwrap()
    }
    let rows: &[Row] = &[
        (
            "other tasks",
            |f| {
                f.pack = Fact::known(PackName::read("starter@1.2.0"));
                f.tasks_sha256 = Fact::known("0".repeat(64));
            },
            NotComparable,
            Tasks,
            "the tasks of pack starter@1.2.0 are not the published ones",
        ),
        (
            "tasks unknown",
            |f| f.tasks_sha256 = Fact::unknown(UNKNOWN),
            Limited,
            Tasks,
            "whether the tasks are the published ones is not known: nobody said",
        ),
        (
            "a word of a tool changed",
            |f| {
                change(&mut f.tools, |tools| {
                    tools.insert("WebSearch_daum".to_owned(), "0".repeat(64));
                })
            },
            NotComparable,
            Tools,
            "the name, description or schema of offered tools is not the published one: WebSearch_daum",
        ),
        (
            "a tool of one's own",
            |f| {
                change(&mut f.tools, |tools| {
                    tools.insert("Mine".to_owned(), "0".repeat(64));
                })
            },
            NotComparable,
            Tools,
            "the name, description or schema of offered tools is not the published one: Mine",
        ),
        (
            "tools unknown",
            |f| f.tools = Fact::unknown(UNKNOWN),
            Limited,
            Tools,
            "whether the texts of the tools are the published ones is not known: nobody said",
        ),
        (
            "corrected protocol",
            |f| set(|s| s.run.protocol = Protocol::Corrected, f),
            NotComparable,
            Rules,
            "the run follows the corrected protocol, the leaderboard's runs follow the published one",
        ),
        (
            "more steps",
            |f| set(|s| s.run.max_steps = 20, f),
            NotComparable,
            Settings,
            "an attempt could take 20 model turns instead of the published 10",
        ),
        (
            "full rollout",
            |f| set(|s| s.run.full_rollout = true, f),
            NotComparable,
            Settings,
            "in L6 and L7 the model played every turn, in the published runs only the last",
        ),
        (
            "constrained",
            |f| set(|s| s.constrained = true, f),
            NotComparable,
            Settings,
            "the model was constrained to well-formed tool calls, unlike in the published runs",
        ),
        (
            "any form",
            |f| set(|s| s.any_form = true, f),
            Limited,
            Settings,
            "tool calls were read from any markup in the model's text; a server reads only the model's own form",
        ),
        (
            "adaptive",
            |f| set(|s| s.adaptive = true, f),
            NotComparable,
            Settings,
            "only the most informative tasks were run (an adaptive run), so their mean is not that of all tasks",
        ),
        (
            "texts of its own",
            |f| set(|s| s.texts = Some("short.txt (0123456789ab)".to_owned()), f),
            NotComparable,
            Settings,
            "the model was given a system prompt or tool descriptions of its own, which no published run has: short.txt (0123456789ab)",
        ),
        (
            "more time",
            |f| set(|s| s.run.timeout_s = 120.0, f),
            Limited,
            Settings,
            "a task could take 120 s instead of the published 60",
        ),
        (
            "repetitions",
            |f| set(|s| s.run.repetitions = 3, f),
            Limited,
            Settings,
            "each task was tried 3 times instead of once, so pass@k means something else",
        ),
        (
            "colder",
            |f| set(|s| s.run.temperature = 0.0, f),
            Limited,
            Settings,
            "the sampling temperature was 0 instead of the published 0.7",
        ),
        (
            "longer answers",
            |f| set(|s| s.run.max_tokens = Some(4096), f),
            Limited,
            Settings,
            "an answer could have 4096 tokens instead of the published 1024",
        ),
        (
            "effort",
            |f| set(|s| s.run.effort = Some("high".to_owned()), f),
            Limited,
            Settings,
            "the reasoning effort was set to high; among the published runs only gpt-5 had one, which was low",
        ),
        (
            "settings unknown",
            |f| f.settings = Fact::unknown(UNKNOWN),
            Limited,
            Settings,
            "how the run was started (protocol, steps, time, sampling) is not known: nobody said",
        ),
        (
            "five tasks lost to misses",
            |f| f.calls = Fact::known(calls(91, 5, 95, 5)),
            Comparable,
            Recordings,
            "5 of 100 calls found no cached response, in 5 of 91 attempts: too few to make two models differ",
        ),
        (
            "six tasks lost to misses",
            |f| f.calls = Fact::known(calls(91, 6, 194, 6)),
            Limited,
            Recordings,
            "6 of 200 calls found no cached response (97.0 % were answered), in 6 of 91 attempts; the published runs were made with the live APIs and had almost no misses",
        ),
        (
            "few tasks, many misses",
            |f| f.calls = Fact::known(calls(91, 5, 90, 10)),
            Limited,
            Recordings,
            "10 of 100 calls found no cached response (90.0 % were answered), in 5 of 91 attempts; the published runs were made with the live APIs and had almost no misses",
        ),
        (
            "the worst a new model can expect",
            |f| f.calls = Fact::known(calls(91, 27, 63, 37)),
            Limited,
            Recordings,
            "37 of 100 calls found no cached response (63.0 % were answered), in 27 of 91 attempts; the published runs were made with the live APIs and had almost no misses",
        ),
        (
            "worse than a new model can expect",
            |f| f.calls = Fact::known(calls(91, 27, 62, 38)),
            NotComparable,
            Recordings,
            "38 of 100 calls found no cached response (62.0 % were answered), in 27 of 91 attempts: the score says more about the gaps of the cache than about the model",
        ),
        (
            "a third of the tasks lost",
            |f| f.calls = Fact::known(calls(91, 31, 90, 31)),
            NotComparable,
            Recordings,
            "31 of 121 calls found no cached response (74.4 % were answered), in 31 of 91 attempts: the score says more about the gaps of the cache than about the model",
        ),
        (
            "write mode",
            |f| change(&mut f.calls, |calls| calls.levels[0].live = 4),
            Limited,
            Recordings,
            "4 of 103 calls were answered by live APIs or saved responses, at another time than the published runs",
        ),
        (
            "overlay",
            |f| change(&mut f.calls, |calls| calls.levels[0].overlay = 2),
            Limited,
            Recordings,
            "2 of 101 calls were answered by live APIs or saved responses, at another time than the published runs",
        ),
        (
            "a snapshot",
            |f| {
                f.cache = Fact::known(RecordingsUsed {
                    source: RecordingsFrom::Snapshot,
                    snapshot: Some("may".to_owned()),
                    sha256: Some("1".repeat(64)),
                })
            },
            Limited,
            Recordings,
            "tool calls were answered from the snapshot may instead of the published cache",
        ),
        (
            "other records",
            |f| f.records_sha256 = Fact::known("1".repeat(64)),
            Limited,
            Recordings,
            "the cached responses of pack ko-agentbench@1174fed are not the published ones",
        ),
        (
            "calls unknown",
            |f| f.calls = Fact::unknown(UNKNOWN),
            Limited,
            Recordings,
            "how the tool calls were answered is not known: nobody said",
        ),
        (
            "calls only compared",
            |f| change(&mut f.calls, |calls| calls.basis = CallsBasis::Compared),
            Limited,
            Recordings,
            "how the tool calls were answered is not known: the logs were made elsewhere and lack this information",
        ),
        (
            "levels left out",
            |f| change(&mut f.tasks, |levels| levels.truncate(3)),
            Limited,
            Coverage,
            "levels are left out: L4, L5, L6, L7",
        ),
        (
            "a few tasks left out",
            |f| change(&mut f.tasks, |levels| levels[0].count -= 5),
            Limited,
            Coverage,
            "5 of the 91 published tasks of these levels are left out",
        ),
        (
            "many tasks left out",
            |f| change(&mut f.tasks, |levels| levels[0].count -= 6),
            NotComparable,
            Coverage,
            "6 of the 91 published tasks of these levels are left out",
        ),
        (
            "tasks of a report unknown",
            |f| f.tasks = Fact::unknown(UNKNOWN),
            Limited,
            Coverage,
            "which tasks were scored is not known: nobody said",
        ),
        (
            "almost done",
            |f| change(&mut f.attempts, |a| a.done = 86),
            Limited,
            Made,
            "only 86 of 91 attempts were made",
        ),
        (
            "broken off",
            |f| change(&mut f.attempts, |a| a.done = 40),
            NotComparable,
            Made,
            "only 40 of 91 attempts were made",
        ),
        (
            "some failed",
            |f| change(&mut f.attempts, |a| a.failed = 2),
            Limited,
            Made,
            "2 of 91 attempts failed for technical reasons and count as lost",
        ),
        (
            "many failed",
            |f| change(&mut f.attempts, |a| a.failed = 20),
            NotComparable,
            Made,
            "20 of 91 attempts failed for technical reasons and count as lost",
        ),
        (
            "a small context",
            |f| f.shortened = 20,
            Limited,
            Made,
            "20 attempts did not fit the model's context, so the model saw only a part of their conversation",
        ),
        (
            "more time from the fortieth attempt on",
            |f| f.changes = vec![changed(RunChange::Timeout { to: 60.0, from: Some(30.0) })],
            Limited,
            Settings,
            "the time limit was changed while the run was being made: time limit of an attempt in seconds: 30 → 60 (after 40 attempts)",
        ),
        (
            "fewer steps from the fortieth attempt on",
            |f| f.changes = vec![changed(RunChange::MaxSteps { to: 10, from: Some(20) })],
            NotComparable,
            Settings,
            "the limit of model turns was changed while the run was being made: model turns of an attempt: 20 → 10 (after 40 attempts)",
        ),
        (
            "another server from the fortieth attempt on",
            |f| f.changes = vec![changed(RunChange::BaseUrl { to: "http://h/v1".to_owned(), from: None })],
            Limited,
            Settings,
            "not all attempts were answered by the same server: address of the model's server: the provider's own → http://h/v1 (after 40 attempts)",
        ),
        (
            "corrected rules",
            |f| scoring(f).scorer = Protocol::Corrected,
            NotComparable,
            Scorer,
            "the report follows the corrected rules of scoring, whose numbers mean other things than the leaderboard's",
        ),
        (
            "nobody judged",
            |f| scoring(f).judges = Fact::known(Vec::new()),
            Limited,
            Judges,
            "no judge was asked, so the judged metrics and the composite score have no value",
        ),
        (
            "another judge",
            |f| scoring(f).judges = Fact::known(vec!["openai/gpt-4o".to_owned()]),
            Limited,
            Judges,
            "the judges are openai/gpt-4o, the leaderboard's is azure/gpt-4.1-mini alone",
        ),
        (
            "a panel",
            |f| change(&mut scoring(f).judges, |j| j.push("x/y".to_owned())),
            Limited,
            Judges,
            "the judges are azure/gpt-4.1-mini, x/y, the leaderboard's is azure/gpt-4.1-mini alone",
        ),
        (
            "the judge elsewhere",
            |f| scoring(f).judges = Fact::known(vec!["openai/gpt-4.1-mini-2025-04-14".to_owned()]),
            Comparable,
            Judges,
            "the judge openai/gpt-4.1-mini-2025-04-14 is the leaderboard's model at another host",
        ),
        (
            "judges unknown",
            |f| scoring(f).judges = Fact::unknown(UNKNOWN),
            Limited,
            Judges,
            "the judges are not known: nobody said",
        ),
        (
            "one vote",
            |f| scoring(f).votes = 1,
            Limited,
            Judges,
            "the success judge gave 1 votes a task instead of 3",
        ),
        (
            "judges left scores open",
            |f| scoring(f).unscored = 7,
            Limited,
            Judges,
            "7 scores of tasks lack a judge's answer",
        ),
        (
            "its own family",
            |f| f.model = "azure/gpt-4o".to_owned(),
            Comparable,
            Judges,
            "the judge azure/gpt-4.1-mini grades a model of its own vendor (OpenAI)",
        ),
    ];
    for (name, change_it, grade, aspect, reason) in rows {
        let mut facts = published_like();
        change_it(&mut facts);
        let wanted = format!("{grade:?}\n{aspect:?} {grade:?}: {reason}");
        assert_eq!(summary(&with_leaderboard(&facts)), wanted, "{name}");
    }
}

#[test]
fn the_gravest_finding_decides_and_stands_first() {
    let mut facts = published_like();
    change(&mut facts.settings, |settings| {
        settings.run.timeout_s = 30.0;
        settings.run.protocol = Protocol::Corrected;
    });
    facts.model = "openai/gpt-5".to_owned();
    let judged = with_leaderboard(&facts);
    let grades: Vec<Grade> = judged.findings.iter().map(|finding| finding.grade).collect();
    assert_eq!(grades, [Grade::NotComparable, Grade::Limited, Grade::Comparable]);
    assert_eq!(judged.grade, Grade::NotComparable);
    assert_eq!(judged.against().count(), 2, "a note is not against it");
}

/// One of the published runs had it.
#[test]
fn low_effort_is_as_published() {
    let mut facts = published_like();
    change(&mut facts.settings, |settings| settings.run.effort = Some("low".to_owned()));
    assert_eq!(summary(&with_leaderboard(&facts)), "Comparable");
}

/// A model that calls nothing loses nothing: its score is its own doing.
#[test]
fn without_a_call_no_record_is_missing() {
    let mut facts = published_like();
    facts.calls = Fact::known(calls(91, 0, 0, 0));
    assert_eq!(summary(&with_leaderboard(&facts)), "Comparable");
}

#[test]
fn a_snapshot_of_the_published_recordings_is_as_good_as_they_are() {
    let mut facts = published_like();
    facts.records_sha256 = Fact::known("1".repeat(64));
    facts.cache = Fact::known(RecordingsUsed {
        source: RecordingsFrom::Snapshot,
        snapshot: Some("published".to_owned()),
        sha256: Some(PUBLISHED_RECORDS.to_owned()),
    });
    assert_eq!(summary(&with_leaderboard(&facts)), "Comparable");
}

#[test]
fn what_nobody_knows_is_limited_and_never_comparable() {
    let judged = with_leaderboard(&Facts::unknown("lab/model", &UNKNOWN.into()));
    assert_eq!(judged.grade, Grade::Limited);
    let aspects: Vec<Aspect> = judged.findings.iter().map(|finding| finding.aspect).collect();
    assert_eq!(
        aspects,
        [
            Aspect::Tasks,
            Aspect::Tools,
            Aspect::Settings,
            Aspect::Recordings,
            Aspect::Recordings,
            Aspect::Coverage
        ]
    );
}
