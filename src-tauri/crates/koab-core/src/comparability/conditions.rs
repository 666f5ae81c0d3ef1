//! What of the facts decides how far two can be compared, small enough to be kept of every report of a library: of a
//! thousand reports half a million pairs are judged at once.
//!
//! Texts that are only compared with each other are kept as hashes, by the places of their rules in the table.

use super::rules::{Rule, TOPICS, Topic, grade_of_loss, grade_of_misses, unscored};
use super::{CallFacts, Facts, Grade, LevelCalls, LevelTasks};
use crate::level::Level;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The conditions of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    topics: Vec<TopicState>,
    /// Each tool's name and text.
    tools: Vec<(u64, u64)>,
    /// Each level's number of tasks and, where they are known, their names.
    levels: Vec<(Level, u32, Option<u64>)>,
    calls: Calls,
    unscored: u32,
}

/// What is known of a topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TopicState {
    /// Whether it is known; null where it does not matter.
    known: Option<bool>,
    /// What each rule compares; null where that is no text or does not matter.
    texts: Vec<Option<u64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Calls {
    asked_outside: bool,
    lost: f64,
    misses: Grade,
}

/// By which topic and rule two differ, and what that weighs. Without a rule one of them does not know it.
pub(super) type Difference = (&'static Topic, Option<&'static Rule>, Grade);

impl Conditions {
    /// Those of a report or run.
    pub fn of(facts: &Facts) -> Self {
        let topics = TOPICS.iter().map(|topic| TopicState {
            known: (topic.known)(facts).map(|known| known.is_ok()),
            texts: topic
                .rules
                .iter()
                .map(|rule| Some(hash(&rule.text(facts)?)))
                .collect(),
        });
        let tools = facts.tools.value.iter().flatten();
        let levels = facts.tasks.value.iter().flatten().filter(|level| level.count > 0);
        let calls = facts
            .calls
            .value
            .as_ref()
            .map_or_else(|| LevelCalls::none(None), CallFacts::whole);
        Self {
            topics: topics.collect(),
            tools: tools.map(|(name, sha256)| (hash(name), hash(sha256))).collect(),
            levels: levels
                .map(|level| (level.level, level.count, ids(level)))
                .collect(),
            calls: Calls {
                asked_outside: calls.live + calls.overlay > 0,
                lost: calls.lost(),
                misses: grade_of_misses(&calls),
            },
            unscored: unscored(facts),
        }
    }

    /// How far what has these conditions can be compared with the other.
    pub fn grade(&self, other: &Self) -> Grade {
        let differences = self.differences(other).into_iter();
        differences
            .map(|(.., grade)| grade)
            .max()
            .unwrap_or(Grade::Comparable)
    }

    /// Everything that the two differ in, in the order of the rules.
    pub(super) fn differences(&self, other: &Self) -> Vec<Difference> {
        let mut found = Vec::new();
        for ((topic, ours), theirs) in TOPICS.iter().zip(&self.topics).zip(&other.topics) {
            match (ours.known, theirs.known) {
                (None, _) | (_, None) => continue,
                (Some(true), Some(true)) => {}
                _ => {
                    found.push((topic, None, Grade::Limited));
                    continue;
                }
            }
            for ((rule, ours), theirs) in topic.rules.iter().zip(&ours.texts).zip(&theirs.texts) {
                let grade = rule.grade(self, other, ours == theirs);
                if grade > Grade::Comparable {
                    found.push((topic, Some(rule), grade));
                    if topic.first_decides && std::ptr::eq(rule, topic.rules.as_ptr()) {
                        break;
                    }
                }
            }
        }
        found
    }

    /// Tools that both have under one name and with other texts make other numbers.
    pub(super) fn grade_of_tools(&self, other: &Self) -> Grade {
        let differs = |(name, text): &(u64, u64)| {
            other
                .tools
                .iter()
                .any(|(of, theirs)| of == name && theirs != text)
        };
        let differ = self.tools != other.tools && self.tools.iter().any(differs);
        if differ {
            Grade::NotComparable
        } else {
            Grade::Comparable
        }
    }

    /// Answers of real services, each at its own time.
    pub(super) fn grade_of_times(&self, other: &Self) -> Grade {
        limited_if(self.calls.asked_outside && other.calls.asked_outside)
    }

    /// Calls that found no answer: how far apart, and whether what is compared is mostly gaps.
    pub(super) fn grade_of_misses(&self, other: &Self) -> Grade {
        let apart = grade_of_loss(self.calls.lost, other.calls.lost);
        apart.max(limited_if(
            self.calls.misses.max(other.calls.misses) == Grade::NotComparable,
        ))
    }

    /// Scores that judges left open.
    pub(super) fn grade_of_unscored(&self, other: &Self) -> Grade {
        limited_if(self.unscored.max(other.unscored) > 0)
    }

    /// Tasks of the levels that both have.
    pub(super) fn grade_of_tasks(&self, other: &Self) -> Grade {
        let differ = self.levels_that_differ(other).next().is_some();
        if differ {
            Grade::NotComparable
        } else {
            Grade::Comparable
        }
    }

    /// The levels of which the two have other tasks.
    pub(super) fn levels_that_differ<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Level> + 'a {
        let differs = |(level, count, ids): &&(Level, u32, Option<u64>)| {
            let mut theirs = other.levels.iter().filter(|(of, ..)| of == level);
            theirs.any(|(_, their_count, their_ids)| match (ids, their_ids) {
                (Some(ids), Some(theirs)) => ids != theirs,
                _ => count != their_count,
            })
        };
        self.levels.iter().filter(differs).map(|(level, ..)| *level)
    }
}

fn limited_if(is: bool) -> Grade {
    if is { Grade::Limited } else { Grade::Comparable }
}

fn ids(level: &LevelTasks) -> Option<u64> {
    let mut ids = level.ids.clone();
    ids.sort();
    (!ids.is_empty()).then(|| hash(&ids.join("\n")))
}

/// The first 52 bits of SHA-256, which every reader of JSON keeps whole.
fn hash(text: &str) -> u64 {
    let sum = Sha256::digest(text.as_bytes());
    sum.iter()
        .take(7)
        .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
        >> 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparability::examples::{calls, change, published_like};
    use crate::comparability::{CallsBasis, Fact, RecordingsFrom, RecordingsUsed, Scoring, between};
    use crate::protocol::Protocol;

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
            change(&mut f.tools, |tools| {
                drop(tools.insert("WebSearch_daum".to_owned(), "x".to_owned()))
            })
        });
        with(&|f| {
            change(&mut f.tools, |tools| {
                drop(tools.insert("Other".to_owned(), "x".to_owned()))
            })
        });
        with(&|f| f.tools = Fact::unknown("x"));
        with(&|f| change(&mut f.settings, |s| s.protocol = Protocol::Corrected));
        with(&|f| change(&mut f.settings, |s| s.max_steps = 20));
        with(&|f| change(&mut f.settings, |s| s.full_rollout = true));
        with(&|f| change(&mut f.settings, |s| s.temperature = 0.0));
        with(&|f| change(&mut f.settings, |s| s.repetitions = 3));
        with(&|f| change(&mut f.settings, |s| s.seed = Some(1)));
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
        with(&|f| change(&mut f.calls, |calls| calls.basis = CallsBasis::Reckoned));
        with(&|f| change(&mut f.calls, |calls| calls.levels[0].live = 3));
        with(&|f| change(&mut f.calls, |calls| calls.levels[0].overlay = 3));
        with(&|f| f.scoring = None);
        let scorings: [fn(&mut Scoring); 8] = [
            |s| s.scorer = Protocol::Corrected,
            |s| s.judges = Fact::unknown("x"),
            |s| s.judges = Fact::known(Vec::new()),
            |s| s.judges = Fact::known(vec!["a".to_owned(), "b".to_owned()]),
            |s| s.judges = Fact::known(vec!["b".to_owned(), "a".to_owned()]),
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
            let kept = serde_json::to_string(&Conditions::of(one)).expect("written");
            let read: Conditions = serde_json::from_str(&kept).expect("read");
            for other in &variants {
                let (said, grade) = (between(one, other), read.grade(&Conditions::of(other)));
                assert_eq!(grade, said.grade, "{said:?}");
                seen.push(grade);
            }
        }
        for grade in [Grade::Comparable, Grade::Limited, Grade::NotComparable] {
            assert!(seen.contains(&grade), "{grade:?} is among them");
        }
    }
}
