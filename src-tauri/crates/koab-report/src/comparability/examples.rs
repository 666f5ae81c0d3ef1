//! Example facts for tests of the rules: a run like the leaderboard's, and a function that changes
//! one fact.

use super::*;
use std::collections::BTreeMap;

/// Facts about a run of this product on the published pack, scored by the published judge, without
/// cache misses.
pub fn published_like() -> Facts {
    let tasks = PUBLISHED_TASKS_A_LEVEL.map(|(level, count)| LevelTasks {
        ids: (1..=count).map(|n| format!("{level}-{n:03}")).collect(),
        level,
        count,
    });
    Facts {
        model: "lab/model".to_owned(),
        tools: Fact::known(BTreeMap::from([tool("WebSearch_daum")])),
        tasks: Fact::known(tasks.to_vec()),
        attempts: Fact::known(AttemptCounts { planned: 91, done: 91, failed: 0 }),
        calls: Fact::known(calls(91, 0, 99, 0)),
        ..Facts::published().clone()
    }
}

/// Tool with this name and the hash of its text.
pub fn tool(name: &str) -> (String, String) {
    let sha256 = published_tool(name).expect("a published tool");
    (name.to_owned(), sha256.to_owned())
}

/// Counts of one level's calls: number of attempts, of attempts with a cache miss, of cache hits
/// and of cache misses.
pub fn calls(attempts: u32, touched: u32, hit: u32, miss: u32) -> CallFacts {
    CallFacts {
        basis: CallsBasis::Recorded,
        against: None,
        levels: vec![LevelCalls {
            attempts,
            touched,
            hit,
            miss,
            ..LevelCalls::none(Some(koab_core::level::Level::L1))
        }],
        misses: Vec::new(),
    }
}

/// Changes the value of a fact in place.
pub fn change<T>(fact: &mut Fact<T>, change: impl FnOnce(&mut T)) {
    change(fact.value.as_mut().expect("known"));
}

/// Verdict as text: the grade, then one line `aspect grade: reason` per finding.
pub fn summary(judgement: &Judgement) -> String {
    let mut text = format!("{:?}", judgement.grade);
    for finding in &judgement.findings {
        text.push_str(&format!("\n{:?} {:?}: {}", finding.aspect, finding.grade, finding.reason));
        let is_note = finding.grade == Grade::Comparable;
        assert!(is_note || !finding.remedy.is_empty(), "{finding:?} says what to do");
    }
    text
}
