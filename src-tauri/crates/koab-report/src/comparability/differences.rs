//! Differences of two sides: their conditions are computed and compared by the table of rules.

use super::conditions::{Calls, Conditions, TopicState, hash, level_states};
use super::loss::grade_of_misses;
use super::rules::{Rule, TOPICS, Topic, unscored};
use super::{Aspect, CallFacts, Facts, Grade, LevelCalls};

/// Difference of two sides: its topic, its rule and its weight. Without a rule, the topic's facts
/// are unknown on one side.
pub(super) type Difference = (&'static Topic, Option<&'static Rule>, Grade);

/// All differences of two sides, in the order of the rules.
pub(super) fn differences(one: &Facts, other: &Facts) -> Vec<Difference> {
    Conditions::from_facts(one).differences(&Conditions::from_facts(other))
}

impl Conditions {
    /// Conditions of a report or run.
    pub fn from_facts(facts: &Facts) -> Self {
        let topics = TOPICS.iter().map(|topic| TopicState {
            known: (topic.known)(facts).map(|known| known.is_ok()),
            texts: topic.rules.iter().map(|rule| Some(hash(&rule.text(facts)?))).collect(),
        });
        let tools = facts.tools.value.iter().flatten();
        let calls = facts.calls.value.as_ref().map_or_else(|| LevelCalls::none(None), CallFacts::whole);
        Self {
            topics: topics.collect(),
            tools: tools.map(|(name, sha256)| (hash(name), hash(sha256))).collect(),
            levels: level_states(facts),
            calls: Calls {
                asked_outside: calls.live + calls.overlay > 0,
                lost: calls.lost(),
                misses: grade_of_misses(&calls),
            },
            unscored: unscored(facts),
            judges_at: facts.scoring.as_ref().and_then(|scoring| Some(hash(scoring.judges_at.as_ref()?))),
        }
    }

    /// Grade of the comparability with another report or run, from its conditions.
    pub fn grade(&self, other: &Self) -> Grade {
        let differences = self.differences(other).into_iter();
        differences.map(|(.., grade)| grade).max().unwrap_or(Grade::Comparable)
    }

    /// Whether the judges of both sides are known and differ. Then
    /// [`judges_differ`](super::judges_differ) returns a sentence.
    pub fn judges_differ(&self, other: &Self) -> bool {
        let judges = TOPICS.iter().position(|topic| topic.aspect == Aspect::Judges);
        let judges = |side: &Self| *side.topics.get(judges?)?.texts.first()?;
        let both = judges(self).zip(judges(other));
        both.is_some_and(|(one, theirs)| one != theirs || self.grade_of_judges_at(other) > Grade::Comparable)
    }

    /// All differences of two sides, in the order of the rules.
    fn differences(&self, other: &Self) -> Vec<Difference> {
        let mut differences = Vec::new();
        for ((topic, ours), theirs) in TOPICS.iter().zip(&self.topics).zip(&other.topics) {
            match (ours.known, theirs.known) {
                (None, _) | (_, None) => continue,
                (Some(true), Some(true)) => {}
                _ => {
                    differences.push((topic, None, Grade::Limited));
                    continue;
                }
            }
            for ((rule, ours), theirs) in topic.rules.iter().zip(&ours.texts).zip(&theirs.texts) {
                let grade = rule.grade(self, other, ours == theirs);
                if grade > Grade::Comparable {
                    differences.push((topic, Some(rule), grade));
                    if topic.first_decides && std::ptr::eq(rule, topic.rules.as_ptr()) {
                        break;
                    }
                }
            }
        }
        differences
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparability::examples::{calls, change, published_like};
    use crate::comparability::{
        CallsBasis, Fact, RecordingsFrom, RecordingsUsed, Scoring, between, judges_differ,
    };
    use koab_core::protocol::Protocol;
    use koab_core::run_record::{ChangeRecord, RunChange};

    /// Facts that differ in one thing each, so that any two of them differ in two.
    fn variants() -> Vec<Facts> {
        let mut all = vec![published_like(), Facts::unknown("m", &"nobody said".into())];
        let mut with = |change: &dyn Fn(&mut Facts)| {
            let mut facts = published_like();
            change(&mut facts);
            all.push(facts);
        };
        with(&|f| f.tasks_sha256 = Fact::known("other".to_owned()));
        with(&|f| f.tasks_sha256 = Fact::unknown("x"));
        with(&|f| f.records_sha256 = Fact::known("other".to_owned()));
        with(&|f| f.records_sha256 = Fact::unknown("x"));
        with(&|f| {
            change(&mut f.tools, |tools| drop(tools.insert("WebSearch_daum".to_owned(), "x".to_owned())))
        });
        with(&|f| change(&mut f.tools, |tools| drop(tools.insert("Other".to_owned(), "x".to_owned()))));
        with(&|f| f.tools = Fact::unknown("x"));
        with(&|f| change(&mut f.settings, |s| s.run.protocol = Protocol::Corrected));
        with(&|f| change(&mut f.settings, |s| s.run.max_steps = 20));
        with(&|f| change(&mut f.settings, |s| s.run.full_rollout = true));
        with(&|f| change(&mut f.settings, |s| s.run.temperature = 0.0));
        with(&|f| change(&mut f.settings, |s| s.run.repetitions = 3));
        with(&|f| change(&mut f.settings, |s| s.run.seed = Some(1)));
        with(&|f| f.settings = Fact::unknown("x"));
        with(&|f| {
            f.cache = Fact::known(RecordingsUsed {
                source: RecordingsFrom::Snapshot,
                snapshot: Some("s".to_owned()),
                sha256: Some("abc".to_owned()),
            });
        });
        with(&|f| f.cache = Fact::unknown("x"));
        with(&|f| change(&mut f.tasks, |levels| drop(levels.pop())));
        with(&|f| change(&mut f.tasks, |levels| levels[0].ids[0] = "L1-999".to_owned()));
        with(&|f| change(&mut f.tasks, |levels| levels[0].ids.reverse()));
        with(&|f| change(&mut f.tasks, |levels| levels[0].ids.clear()));
        with(&|f| {
            change(&mut f.tasks, |levels| {
                levels[0].ids.clear();
                levels[0].count = 3;
            });
        });
        with(&|f| f.tasks = Fact::unknown("x"));
        with(&|f| f.calls = Fact::unknown("x"));
        with(&|f| f.calls = Fact::known(calls(91, 2, 99, 2)));
        with(&|f| f.calls = Fact::known(calls(91, 10, 99, 12)));
        with(&|f| f.calls = Fact::known(calls(91, 60, 40, 60)));
        with(&|f| f.calls = Fact::known(calls(91, 61, 40, 60)));
        with(&|f| change(&mut f.calls, |calls| calls.basis = CallsBasis::Compared));
        with(&|f| change(&mut f.calls, |calls| calls.levels[0].live = 3));
        with(&|f| change(&mut f.calls, |calls| calls.levels[0].overlay = 3));
        let changed = |change| vec![ChangeRecord { at_ms: 5, done: 1, change }];
        with(&|f| f.changes = changed(RunChange::MaxSteps { to: 20, from: Some(10) }));
        with(&|f| f.changes = changed(RunChange::Timeout { to: 20.0, from: Some(60.0) }));
        with(&|f| f.changes = changed(RunChange::BaseUrl { to: "http://h".to_owned(), from: None }));
        with(&|f| f.changes = changed(RunChange::Concurrency { to: 20, from: Some(10) }));
        with(&|f| f.scoring = None);
        let scorings: [fn(&mut Scoring); 10] = [
            |s| s.scorer = Protocol::Corrected,
            |s| s.judges = Fact::unknown("x"),
            |s| s.judges = Fact::known(Vec::new()),
            |s| s.judges = Fact::known(vec!["a".to_owned(), "b".to_owned()]),
            |s| s.judges = Fact::known(vec!["b".to_owned(), "a".to_owned()]),
            |s| s.judges_at = Some("http://a.test/v1".to_owned()),
            |s| s.judges_at = Some("http://b.test/v1".to_owned()),
            |s| s.votes = 1,
            |s| s.aggregate = "median".to_owned(),
            |s| s.unscored = 2,
        ];
        for of_scoring in scorings {
            with(&|f| f.scoring.iter_mut().for_each(of_scoring));
        }
        with(&|f| {
            f.scoring.iter_mut().for_each(|s| {
                s.judges = Fact::known(vec!["a".to_owned(), "b".to_owned()]);
                s.aggregate = "median".to_owned();
            });
        });
        all
    }

    #[test]
    fn the_grade_is_that_of_the_sentences_for_any_two() {
        let variants = variants();
        let mut seen = Vec::new();
        for one in &variants {
            let kept = serde_json::to_string(&Conditions::from_facts(one)).expect("written");
            let read: Conditions = serde_json::from_str(&kept).expect("read");
            for other in &variants {
                let conditions = Conditions::from_facts(other);
                let (said, grade) = (between(one, other), read.grade(&conditions));
                assert_eq!(grade, said.grade, "{said:?}");
                seen.push(grade);
                let judges = judges_differ(one, other);
                assert_eq!(read.judges_differ(&conditions), judges.is_some(), "{judges:?}");
            }
        }
        for grade in [Grade::Comparable, Grade::Limited, Grade::NotComparable] {
            assert!(seen.contains(&grade), "{grade:?} is among them");
        }
    }
}
