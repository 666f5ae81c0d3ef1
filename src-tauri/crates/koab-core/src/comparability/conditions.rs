//! What of the facts decides how far two can be compared, small enough to be kept of every report of a library: of a
//! thousand reports half a million pairs are judged at once.
//!
//! [`Conditions::grade`] is the grade of [`between`](super::between) without its sentences; a test holds the two together.
//! Texts that are only held against each other are kept as hashes.

use super::between::{OPTIONS, grade_of_loss, recorded};
use super::leaderboard::grade_of_misses;
use super::{CallsBasis, Facts, Grade, LevelTasks};
use crate::level::Level;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The conditions of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    scoring: Option<Scored>,
    tasks: Option<u64>,
    /// Each tool's name and text; equal sums are equal tools.
    tools: Option<(u64, Vec<(u64, u64)>)>,
    /// Each option's text.
    settings: Option<(u64, Vec<u64>)>,
    recorded: Option<u64>,
    levels: Option<Vec<(Level, u32, Option<u64>)>>,
    calls: Option<Calls>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Scored {
    scorer: u64,
    judges: Option<u64>,
    /// How many judges.
    count: usize,
    votes: u32,
    aggregate: u64,
    unscored: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Calls {
    is_recorded: bool,
    asked_outside: bool,
    lost: f64,
    misses: Grade,
}

impl Conditions {
    /// Those of a report or run.
    pub fn of(facts: &Facts) -> Self {
        let tools = facts.tools.value.as_ref().map(|tools| {
            let hashed = tools.iter().map(|(name, sha256)| (hash(name), hash(sha256)));
            let hashed: Vec<(u64, u64)> = hashed.collect();
            let all: Vec<&str> = tools
                .iter()
                .flat_map(|(name, sha256)| [name.as_str(), sha256.as_str()])
                .collect();
            (hash(&all.join("\n")), hashed)
        });
        Self {
            scoring: facts.scoring.as_ref().map(|scoring| Scored {
                scorer: hash(scoring.scorer.as_str()),
                judges: scoring
                    .judges
                    .value
                    .as_ref()
                    .map(|judges| hash(&judges.join("\n"))),
                count: scoring.judges.value.as_ref().map_or(0, Vec::len),
                votes: scoring.votes,
                aggregate: hash(&scoring.aggregate),
                unscored: scoring.unscored,
            }),
            tasks: facts.tasks_sha256.value.as_deref().map(hash),
            tools,
            settings: facts.settings.value.as_ref().map(|settings| {
                let options = OPTIONS.iter().map(|(_, option)| hash(&option(settings)));
                (hash(settings.protocol.as_str()), options.collect())
            }),
            recorded: recorded(facts).value.as_deref().map(hash),
            levels: facts.tasks.value.as_ref().map(|levels| {
                let run = levels.iter().filter(|level| level.count > 0);
                let mut of: Vec<_> = run.map(|level| (level.level, level.count, ids(level))).collect();
                of.sort_by_key(|(level, ..)| *level);
                of
            }),
            calls: facts.calls.value.as_ref().map(|calls| {
                let whole = calls.whole();
                Calls {
                    is_recorded: calls.basis == CallsBasis::Recorded,
                    asked_outside: whole.live + whole.overlay > 0,
                    lost: whole.lost(),
                    misses: grade_of_misses(calls),
                }
            }),
        }
    }

    /// How far what has these conditions can be held against the other.
    pub fn grade(&self, other: &Self) -> Grade {
        let limited_if = |is: bool| if is { Grade::Limited } else { Grade::Comparable };
        [
            self.scored_alike(other),
            both(&self.tasks, &other.tasks, |one, other| {
                not_comparable_if(one != other)
            }),
            both(&self.tools, &other.tools, |one, other| {
                not_comparable_if(one.0 != other.0 && described_otherwise(&one.1, &other.1))
            }),
            both(&self.settings, &other.settings, |one, other| {
                let differing = OPTIONS
                    .iter()
                    .zip(one.1.iter().zip(&other.1))
                    .filter(|(_, (one, other))| one != other);
                let worst = differing
                    .map(|((grade, _), _)| *grade)
                    .max()
                    .unwrap_or(Grade::Comparable);
                worst.max(not_comparable_if(one.0 != other.0))
            }),
            both(&self.recorded, &other.recorded, |one, other| {
                limited_if(one != other)
            }),
            both(&self.calls, &other.calls, answered_alike),
            both(&self.levels, &other.levels, |one, other| {
                covered_alike(one, other)
            }),
        ]
        .into_iter()
        .max()
        .unwrap_or(Grade::Comparable)
    }

    fn scored_alike(&self, other: &Self) -> Grade {
        let (Some(one), Some(other)) = (&self.scoring, &other.scoring) else {
            return Grade::Comparable;
        };
        if one.scorer != other.scorer {
            return Grade::NotComparable;
        }
        both(&one.judges, &other.judges, |first, second| {
            let asked = one.count > 0;
            let differ = first != second
                || asked
                    && (one.votes != other.votes
                        || one.count > 1 && one.aggregate != other.aggregate
                        || one.unscored.max(other.unscored) > 0);
            if differ { Grade::Limited } else { Grade::Comparable }
        })
    }
}

/// What is not known of either is limited.
fn both<T>(one: &Option<T>, other: &Option<T>, grade: impl Fn(&T, &T) -> Grade) -> Grade {
    match (one, other) {
        (Some(one), Some(other)) => grade(one, other),
        _ => Grade::Limited,
    }
}

fn not_comparable_if(is: bool) -> Grade {
    if is {
        Grade::NotComparable
    } else {
        Grade::Comparable
    }
}

fn described_otherwise(one: &[(u64, u64)], other: &[(u64, u64)]) -> bool {
    let differs = |(name, text): &(u64, u64)| other.iter().any(|(of, theirs)| of == name && theirs != text);
    one.iter().any(differs)
}

fn answered_alike(one: &Calls, other: &Calls) -> Grade {
    if !one.is_recorded || !other.is_recorded {
        return Grade::Limited;
    }
    let mut grade = grade_of_loss(one.lost, other.lost);
    if grade == Grade::Comparable && one.misses.max(other.misses) == Grade::NotComparable {
        grade = Grade::Limited;
    }
    if one.asked_outside && other.asked_outside {
        grade = grade.max(Grade::Limited);
    }
    grade
}

fn covered_alike(one: &[(Level, u32, Option<u64>)], other: &[(Level, u32, Option<u64>)]) -> Grade {
    let mut grade = Grade::Comparable;
    if !one
        .iter()
        .map(|(level, ..)| level)
        .eq(other.iter().map(|(level, ..)| level))
    {
        grade = Grade::Limited;
    }
    for (level, count, ids) in one {
        let Some((_, their_count, their_ids)) = other.iter().find(|(of, ..)| of == level) else {
            continue;
        };
        let differ = match (ids, their_ids) {
            (Some(ids), Some(theirs)) => ids != theirs,
            _ => count != their_count,
        };
        grade = grade.max(not_comparable_if(differ));
    }
    grade
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
    use crate::comparability::{Fact, RecordingsFrom, RecordingsUsed, Scoring, between};
    use crate::protocol::Protocol;

    /// Facts that differ in one thing each, so that any two of them differ in two.
    fn variants() -> Vec<Facts> {
        let mut all = vec![published_like(), Facts::unknown("m", "nobody said")];
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
